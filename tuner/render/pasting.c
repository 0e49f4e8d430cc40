// '##' can make __has_include out of words that hold no trace of it, in a condition, a
// pragma or code. A question that a compiler could come to see is refused, by what the
// files hold: the words of all #defines and other directives, and of the code those that
// a macro that pastes may be given. Parameters of macros do not count: what stands for
// them does. Names of one letter are so many in large headers that a question which needs
// several of them is no sign of one.
#include "pasting.h"

#include <stdlib.h>
#include <string.h>

#include "base/identifier.h"
#include "base/name_index.h"
#include "base/one_of.h"
#include "hone/strbuf.h"

// The next version of the first is a longer one of it.
static const char *const questions[] = {"__has_include_next", "__has_embed"};
static const size_t lengths[2][2] = {{13, 18}, {11, 11}}; // at which one is whole
enum {
    QUESTIONS = sizeof questions / sizeof *questions,
    LONGEST = 18,     // of them
    LETTERS_MOST = 2, // CUTLASS 3 with CCCL has a question of 4
    ROUNDS_MOST = 64, // in which macros that name macros are followed
    NAME_MOST = 256
};

bool hone_pasting_is_question(const char *text)
{
    return strstr(text, "__has_include") || strstr(text, "__has_embed");
}

// --- pieces ---

static bool in_word(char c)
{
    return hone_is_name_part(c) || c == '$' || (unsigned char)c >= 0x80;
}

// The next word at or behind text, *length long; NULL at the end.
static const char *pasting_next_word(const char *text, size_t *length)
{
    while (*text && !in_word(*text))
        text++;
    for (*length = 0; in_word(text[*length]);)
        ++*length;
    return *length ? text : NULL;
}

// Whether a question can begin with the word. Whole ones are answered where they stand.
static bool pieces_add(struct hone_pieces *pieces, const char *word, size_t length,
                       enum hone_file_kind of)
{
    bool begins = false;
    const bool is_letter = length == 1 && of == HONE_FILE_HEADER;
    if (length >= LONGEST) return false;
    for (size_t q = 0; q < QUESTIONS; q++) {
        const size_t end = strlen(questions[q]);
        for (size_t at = 0; at + length <= end; at++) {
            if (memcmp(questions[q] + at, word, length) != 0) continue;
            if (at == 0 && (length == lengths[q][0] || length == lengths[q][1])) continue;
            (is_letter ? pieces->letters : pieces->ends)[q][at] |= UINT32_C(1)
                                                                   << (at + length);
            begins |= at == 0;
        }
    }
    return begins;
}

static void pieces_join(struct hone_pieces *pieces, const struct hone_pieces *more)
{
    for (size_t q = 0; q < QUESTIONS; q++)
        for (size_t at = 0; at < LONGEST; at++) {
            pieces->ends[q][at] |= more->ends[q][at];
            pieces->letters[q][at] |= more->letters[q][at];
        }
}

// The fewest letters of headers that make a question; LONGEST where none is made.
static int pieces_letters(const struct hone_pieces *pieces, size_t q)
{
    int fewest[LONGEST + 1] = {0};
    for (size_t end = 1; end <= LONGEST; end++) {
        fewest[end] = LONGEST;
        for (size_t at = 0; at < end; at++) {
            const bool is_piece = pieces->ends[q][at] >> end & 1;
            const bool is_letter = pieces->letters[q][at] >> end & 1;
            const int letters = fewest[at] + (is_piece ? 0 : 1);
            if ((is_piece || is_letter) && letters < fewest[end]) fewest[end] = letters;
        }
    }
    const int one = fewest[lengths[q][0]], other = fewest[lengths[q][1]];
    return one < other ? one : other;
}

// --- macros ---

struct finder {
    struct hone_pasting *out;
    struct hone_files *files;
    struct hone_name_index macros; // that paste, or name one that does
    bool any, all;                 // any macro pastes; every one counts as such
    const char *path;              // of a word that a question can begin with; NULL: none
    int line;
    bool out_of_memory;
};

static bool pastes(const char *text)
{
    return strstr(text, "##") || strstr(text, "%:%:");
}

static bool is_macro(const struct finder *f, const char *word, size_t length)
{
    char name[NAME_MOST];
    if (f->all || length >= sizeof name) return true;
    memcpy(name, word, length);
    name[length] = '\0';
    return hone_name_index_find(&f->macros, name) != SIZE_MAX;
}

static bool names_macro(const struct finder *f, const char *text)
{
    size_t length;
    for (const char *word = pasting_next_word(text, &length); word;
         word = pasting_next_word(word + length, &length))
        if (is_macro(f, word, length)) return true;
    return false;
}

static bool add_macro(struct finder *f, const char *name, size_t length)
{
    const char *kept = hone_arena_printf(f->files->arena, "%.*s", (int)length, name);
    f->out_of_memory |= !kept || !hone_name_index_add(&f->macros, kept);
    return !f->out_of_memory;
}

// Whether that brought new ones.
static bool follow_macros(struct finder *f)
{
    bool more = false;
    for (const struct hone_file *file = f->files->loaded; file; file = file->next_loaded)
        for (const struct hone_directive *d = file->scan.directives; d; d = d->next) {
            size_t length;
            if (d->kind != HONE_DIRECTIVE_DEFINE) continue;
            const char *name = pasting_next_word(d->body, &length);
            f->any |= pastes(d->body);
            if (!name || is_macro(f, name, length)) continue;
            if (!pastes(name + length) && !names_macro(f, name + length)) continue;
            more = true;
            if (!add_macro(f, name, length)) return false;
        }
    return more;
}

static void find_macros(struct finder *f)
{
    int rounds = 0;
    while (rounds++ < ROUNDS_MOST && follow_macros(f)) {
    }
    f->all = rounds > ROUNDS_MOST;
}

// --- words of directives ---

static bool is_among(const char *list, const char *end, const char *word, size_t length)
{
    size_t own;
    for (const char *w = pasting_next_word(list, &own); w && w < end;
         w = pasting_next_word(w + own, &own))
        if (own == length && memcmp(w, word, length) == 0) return true;
    return false;
}

// Behind the literal at text, where nothing in it calls a macro; else text. Apostrophes
// may hide where it ends.
static const char *skip_literal(const char *text)
{
    const char *end = text + 1;
    while (*end && *end != '"' && !hone_one_of(*end, "()'"))
        end += *end == '\\' && end[1] ? 2 : 1;
    return *end == '"' ? end + 1 : text;
}

// Behind <file.h> at text, whose words an argument keeps between these signs; else text.
static const char *skip_path(const char *text)
{
    const char *end = text + 1;
    while (hone_is_name_part(*end) || hone_one_of(*end, "./-+"))
        end++;
    return *end == '>' ? end + 1 : text;
}

// The next word that may be pasted, or be read by _Pragma.
static const char *next_loose_word(const char *text, size_t *length)
{
    const bool plain = !strchr(text, '\'');
    while (*text && !in_word(*text)) {
        const char *behind = *text == '"' && plain ? skip_literal(text)
                             : *text == '<'        ? skip_path(text)
                                                   : text;
        text = behind == text ? text + 1 : behind;
    }
    return *text ? pasting_next_word(text, length) : NULL;
}

static void add_word(struct finder *f, const struct hone_file *file, int line,
                     const char *word, size_t length)
{
    pieces_add(&f->out->anywhere, word, length, file->kind);
    if (!pieces_add(&f->out->reached, word, length, file->kind) || f->path) return;
    f->path = file->path;
    f->line = line;
}

// "NAME(A, B) value": neither the name nor A and B count.
static void add_definition(struct finder *f, const struct hone_file *file,
                           const struct hone_directive *d)
{
    size_t length;
    const char *name = pasting_next_word(d->body, &length);
    if (!name) return;
    const char *list = name + length;
    const char *end = *list == '(' ? strchr(list, ')') : list;
    if (!end) end = list;
    for (const char *word = next_loose_word(end, &length); word;
         word = next_loose_word(word + length, &length))
        if (!is_among(list, end, word, length)) add_word(f, file, d->line, word, length);
}

static void add_directive(struct finder *f, const struct hone_file *file,
                          const struct hone_directive *d)
{
    size_t length;
    if (d->kind == HONE_DIRECTIVE_DEFINE) add_definition(f, file, d);
    if (d->kind != HONE_DIRECTIVE_IF && d->kind != HONE_DIRECTIVE_ELIF &&
        (d->kind != HONE_DIRECTIVE_OTHER || strcmp(d->name, "error") == 0 ||
         strcmp(d->name, "warning") == 0))
        return;
    for (const char *word = next_loose_word(d->body, &length); word;
         word = next_loose_word(word + length, &length))
        add_word(f, file, d->line, word, length);
}

// --- words of code ---

// A macro takes what stands in parentheses behind its name; whether it is called there,
// or handed to another that calls it, whatever stands in the outermost ones around it or
// in those that follow may become its arguments. They begin or end in a macro's value
// only where those of the code do not match: then all of the file's words may.
struct code {
    struct finder *f;
    const struct hone_file *file;
    struct hone_pieces group, all;
    int begins, depth; // begins: the line of such a word in the group, or 0
    bool hot, odd;     // hot: a macro that pastes is in the group
};

static void end_group(struct code *c)
{
    if (c->hot) pieces_join(&c->f->out->reached, &c->group);
    if (c->hot && c->begins && !c->f->path) {
        c->f->path = c->file->path;
        c->f->line = c->begins;
    }
    c->group = (struct hone_pieces){0};
    c->hot = false;
    c->begins = 0;
}

static void take_words(struct code *c, const char *text, int line)
{
    size_t length;
    for (const char *word = next_loose_word(text, &length); word;
         word = next_loose_word(word + length, &length)) {
        pieces_add(&c->all, word, length, c->file->kind);
        if (pieces_add(&c->group, word, length, c->file->kind) && !c->begins)
            c->begins = line;
        c->hot |= is_macro(c->f, word, length);
    }
}

static void take_token(void *context, const char *token, size_t length, int line)
{
    struct code *c = context;
    if (c->depth == 0 && *token != '(') end_group(c);
    if (length > 1 || in_word(*token)) {
        take_words(c, token, line); // of a literal, too: _Pragma reads it
    } else if (*token == '(') {
        c->depth++;
    } else if (*token == ')') {
        c->odd |= c->depth == 0;
        c->depth -= c->depth > 0;
    }
}

static enum hone_status read_code(struct finder *f, const struct hone_file *file,
                                  struct hone_error *err)
{
    struct hone_arena arena = {0};
    struct hone_scan scan;
    struct code code = {.f = f, .file = file};
    const struct hone_code_reader reader = {.take = take_token, .context = &code};
    const enum hone_status status =
        hone_scan(&scan, &arena, file->text, file->size, file->path, &reader, err);
    hone_arena_fini(&arena);
    code.hot |= code.odd || code.depth > 0;
    if (code.hot) pieces_join(&code.group, &code.all);
    end_group(&code);
    pieces_join(&f->out->anywhere, &code.all);
    return status;
}

// --- all of it ---

static char *list_macros(const struct finder *f)
{
    struct hone_strbuf text = HONE_STRBUF_INIT;
    for (size_t i = 0; i < f->macros.count; i++)
        hone_strbuf_printf(&text, "\n%s\n", f->macros.names[i]);
    return hone_strbuf_steal(&text);
}

static enum hone_status read_files(struct finder *f, struct hone_error *err)
{
    enum hone_status status = HONE_OK;
    for (const struct hone_file *file = f->files->loaded; file && status == HONE_OK;
         file = file->next_loaded) {
        if (file->why.code != HONE_OK) continue;
        for (const struct hone_directive *d = file->scan.directives; d; d = d->next)
            add_directive(f, file, d);
        status = read_code(f, file, err);
    }
    return status;
}

enum hone_status hone_pasting_find(struct hone_pasting *out, struct hone_files *files,
                                   struct hone_error *err)
{
    struct finder f = {.out = out, .files = files};
    *out = (struct hone_pasting){0};
    enum hone_status status = HONE_OK;
    find_macros(&f);
    if (f.any) status = read_files(&f, err);
    if (f.any) out->macros = list_macros(&f);
    f.out_of_memory |= f.any && !out->macros;
    hone_name_index_fini(&f.macros);
    if (f.out_of_memory) return hone_no_memory(err, "assembling a template");
    if (status != HONE_OK || !hone_pasting_asks(out)) return status;
    return hone_fail_at(err, HONE_EINPUT, f.path, f.line,
                        "a word here can be pasted (##) with others to __has_include, "
                        "which is answered only where it is written out in an #if: give "
                        "the word another name");
}

void hone_pasting_add_value(struct hone_pasting *pasting, const char *text)
{
    size_t length;
    for (const char *word = pasting_next_word(text, &length); word;
         word = pasting_next_word(word + length, &length)) {
        char line[NAME_MOST + 2] = "";
        if (length < NAME_MOST) {
            line[0] = line[length + 1] = '\n';
            memcpy(line + 1, word, length);
        }
        if (pasting->macros && strstr(pasting->macros, line))
            pieces_join(&pasting->reached, &pasting->anywhere);
        pieces_add(&pasting->reached, word, length, HONE_FILE_SOURCE);
        pieces_add(&pasting->anywhere, word, length, HONE_FILE_SOURCE);
    }
}

bool hone_pasting_asks(const struct hone_pasting *pasting)
{
    for (size_t q = 0; pasting->macros && q < QUESTIONS; q++)
        if (pieces_letters(&pasting->reached, q) <= LETTERS_MOST) return true;
    return false;
}
