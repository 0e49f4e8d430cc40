// Text of headers that stands in files of C, in tuner/emit/text: read at emission, with
// the names of the header.
#include <assert.h>
#include <string.h>

#include "base/ascii.h"
#include "base/one_of.h"
#include "emit_text.h"
#include "wrap.h"

static bool is_of_name(char c)
{
    return hone_is_alnum(c) || c == '_';
}

struct hone_strbuf *hone_emit_slot(struct emit_slots *slots, const char *name)
{
    assert(slots->count < EMIT_SLOTS_MOST);
    struct emit_slot *slot = &slots->at[slots->count++];
    *slot = (struct emit_slot){name, HONE_STRBUF_INIT};
    return &slot->text;
}

void hone_emit_slots_fini(struct emit_slots *slots)
{
    for (size_t i = 0; i < slots->count; i++)
        hone_strbuf_fini(&slots->at[i].text);
    slots->count = 0;
}

// Lists that every text may name, which go by the problem.
static void add_problem_slots(struct emit_slots *slots, const struct emit_plan *plan)
{
    hone_emit_problem_params(hone_emit_slot(slots, "PROBLEM_PARAMS"), plan, "");
    hone_emit_problem_args(hone_emit_slot(slots, "PROBLEM_ARGS"), plan, "");
    hone_emit_which_params(hone_emit_slot(slots, "NUMBER_PARAMS"), plan, EMIT_NUMBERS,
                           "");
    hone_emit_which_args(hone_emit_slot(slots, "NUMBER_ARGS"), plan, EMIT_NUMBERS, "");
}

static const struct emit_slot *find_slot(const struct emit_slots *slots, const char *word,
                                         size_t len)
{
    for (size_t i = 0; i < slots->count; i++)
        if (strncmp(slots->at[i].name, word, len) == 0 && !slots->at[i].name[len])
            return &slots->at[i];
    return NULL;
}

// An empty list takes its comma along: returns how much of what follows.
static size_t add_slot(struct hone_strbuf *out, const struct emit_slot *slot,
                       const char *rest)
{
    static const char comma[] = ", ";
    enum { LEN = sizeof comma - 1 };
    out->failed |= slot->text.failed;
    if (slot->text.len) {
        const bool breaks = *slot->text.data == '\n' && !out->failed && out->len;
        if (breaks && out->data[out->len - 1] == ' ') out->data[--out->len] = '\0';
        hone_strbuf_add(out, slot->text.data);
    } else if (!out->failed && out->len > LEN &&
               strcmp(out->data + out->len - LEN, comma) == 0) {
        out->len -= LEN;
        out->data[out->len] = '\0';
    } else if (strncmp(rest, comma, LEN) == 0) {
        return LEN;
    }
    return 0;
}

// A word of the text: names that begin with kernel_ or KERNEL_ are the header's own, and
// so is its file's.
static void add_word(struct hone_strbuf *out, const struct emit_plan *plan,
                     const char *word, size_t len)
{
    static const char lower[] = "kernel", upper[] = "KERNEL";
    enum { LEN = sizeof lower - 1 };
    const bool is_own =
        len >= LEN && (word[LEN] == '_' || (len == LEN && word[LEN] == '.'));
    const char *prefix = !is_own                          ? NULL
                         : strncmp(word, lower, LEN) == 0 ? plan->name
                         : strncmp(word, upper, LEN) == 0 ? plan->upper
                                                          : NULL;
    if (prefix) hone_strbuf_add(out, prefix);
    hone_strbuf_add_bytes(out, word + (prefix ? LEN : 0), len - (prefix ? LEN : 0));
}

struct reading {
    struct hone_strbuf *out;
    const struct emit_plan *plan;
    const char *words;
    const struct emit_slots *slots;
    bool skips;    // what is not needed
    bool goes_on;  // the line that was written last
    bool is_blank; // it
    size_t begin;  // of what stands in one line
};

// joins: what was aligned with another line has one blank instead of several.
static void add_names(struct reading *r, const char *text, size_t len, bool joins)
{
    for (size_t i = 0; i < len;) {
        const struct emit_slot *slot;
        size_t end = i;
        while (end < len && is_of_name(text[end]))
            end++;
        if (end == i) {
            const bool again = joins && i && text[i] == ' ' && text[i - 1] == ' ';
            hone_strbuf_add_bytes(r->out, text + end++, again ? 0 : 1);
        } else if ((slot = find_slot(r->slots, text + i, end - i)) != NULL) {
            end += add_slot(r->out, slot, text + end);
        } else {
            add_word(r->out, r->plan, text + i, end - i);
        }
        i = end;
    }
}

static bool ends_in_comment(const char *line, size_t len)
{
    return len > 1 && strncmp(line + len - 2, "*/", 2) == 0;
}

static bool is_loop(const char *line)
{
    return strncmp(line, "for (", 5) == 0 || strncmp(line, "while (", 7) == 0;
}

// The head of a loop over one statement, which stands below it and has room behind it.
static bool is_short_loop(const char *line, size_t len, const char *statement)
{
    enum { MARGIN = 8 };
    const size_t more = strcspn(statement, "\n");
    return is_loop(line) && line[len - 1] == ')' && !is_loop(statement) && more &&
           statement[more - 1] == ';' && len + 1 + more <= EMIT_COLUMNS - MARGIN &&
           strncmp(statement, "if (", 4) != 0;
}

// Whether a line goes on in the next one, which is aligned with something in it: names of
// another length would leave it askew, so that hone_emit_wrap breaks them anew. The one
// statement of a loop stands behind it, as that of an if does.
static bool goes_on(const char *line, size_t len, const char *next)
{
    const bool is_comment = strncmp(line, "/*", 2) == 0 || *line == '*';
    if (!len || *line == '#' || is_comment || ends_in_comment(line, len)) return false;
    if (!*next || *next == '\n' || *next == '#' || strncmp(next, "/*", 2) == 0)
        return false;
    if (strncmp(line, "enum {", len) == 0 || strncmp(next, "};", 2) == 0)
        return (hone_is_upper(*next) && !ends_in_comment(next, strcspn(next, "\n"))) ||
               hone_is_upper(*line);
    if (is_short_loop(line, len, next)) return true;
    return hone_one_of(line[len - 1], ",(=+-?&|") || hone_one_of(*next, "?:+|&");
}

// words: some, each followed by a blank; word: the first of a text.
static bool has_word(const char *words, const char *word)
{
    const size_t len = strcspn(word, " ");
    for (; *words; words += strcspn(words, " ") + 1)
        if (strncmp(words, word, len + 1) == 0) return true;
    return false;
}

// A line of a slot alone, as a statement or an element, is as many lines as the slot has.
static const struct emit_slot *lines_of(const struct reading *r, const char *line,
                                        size_t len)
{
    const bool ends = len > 1 && hone_one_of(line[len - 1], ";,");
    return ends ? find_slot(r->slots, line, len - 1) : NULL;
}

static void add_lines(struct reading *r, const struct emit_slot *slot)
{
    hone_strbuf_add(r->out, slot->text.data);
    r->out->failed |= slot->text.failed;
    const size_t len = slot->text.len;
    if (len) r->is_blank = len > 1 && slot->text.data[len - 2] == '\n';
}

// A struct without comments, if it is short, as one line that hone_emit_wrap may break.
static void join_lines(struct hone_strbuf *out, size_t begin)
{
    struct hone_strbuf line = HONE_STRBUF_INIT;
    const char *from = out->failed ? "" : out->data + begin;
    for (; *from; from++) {
        const bool ends = *from == '\n' && from[1];
        hone_strbuf_add_bytes(&line, ends ? " " : from, 1);
        if (ends) from += strspn(from + 1, " ");
    }
    if (line.len && line.len <= 3 * EMIT_COLUMNS / 2 && !strstr(line.data, "/*")) {
        out->len = begin;
        hone_strbuf_add(out, line.data);
    }
    out->failed |= line.failed;
    hone_strbuf_fini(&line);
}

// Whether a line says how others are read, which then goes no further.
static bool read_mark(struct reading *r, const char *line)
{
    static const char only[] = "/* only: ", end[] = "/* end */";
    static const char joins[] = "/* in one line */", joined[] = "/* end of line */";
    if (strncmp(line, only, sizeof only - 1) == 0)
        r->skips = !has_word(r->words, line + sizeof only - 1);
    else if (strncmp(line, end, sizeof end - 1) == 0)
        r->skips = false;
    else if (strncmp(line, joins, sizeof joins - 1) == 0)
        r->begin = r->out->len;
    else if (strncmp(line, joined, sizeof joined - 1) == 0)
        join_lines(r->out, r->skips ? r->out->len : r->begin);
    else
        return false;
    return true;
}

static void read_part_line(struct reading *r, const char *line, size_t len,
                           const char *next)
{
    const size_t indent = strspn(line, " ");
    const char *begin = line + indent;
    const struct emit_slot *lines = lines_of(r, begin, len - indent);
    if (read_mark(r, begin) || r->skips) return;
    if (lines) {
        add_lines(r, lines);
    } else if (!(r->is_blank && !len)) {
        const size_t from = r->goes_on ? indent : 0;
        const bool more = goes_on(begin, len - indent, next + strspn(next, " "));
        hone_strbuf_add(r->out, r->goes_on ? " " : "");
        hone_strbuf_add_bytes(r->out, line + from, indent - from);
        add_names(r, begin, len - indent, more || r->goes_on || *begin == '#');
        r->goes_on = more;
        hone_strbuf_add(r->out, r->goes_on ? "" : "\n");
        r->is_blank = len == 0;
    }
}

void hone_emit_lines(struct hone_strbuf *out, const struct emit_plan *plan,
                     const unsigned char *file, const char *words,
                     struct emit_slots *slots)
{
    static const char begin[] = "/* text */\n", end[] = "/* end of text */";
    struct reading r = {.out = out, .plan = plan, .words = words, .slots = slots};
    add_problem_slots(slots, plan);
    const char *line = strstr((const char *)file, begin) + sizeof begin - 1;
    while (strncmp(line + strspn(line, " "), end, sizeof end - 1) != 0) {
        const size_t len = strcspn(line, "\n");
        read_part_line(&r, line, len, line + len + 1);
        line += len + 1;
    }
    hone_emit_slots_fini(slots);
}

void hone_emit_part_with(struct hone_strbuf *out, const struct emit_plan *plan,
                         const unsigned char *file, const char *words,
                         struct emit_slots *slots)
{
    hone_emit_lines(out, plan, file, words, slots);
    const bool is_blank = out->len > 1 && out->data[out->len - 2] == '\n';
    hone_strbuf_add(out, out->failed || is_blank ? "" : "\n");
}

void hone_emit_part(struct hone_strbuf *out, const struct emit_plan *plan,
                    const unsigned char *file, const char *words)
{
    struct emit_slots none = {.count = 0};
    hone_emit_part_with(out, plan, file, words, &none);
}

void hone_emit_join(struct hone_strbuf *out)
{
    if (!out->failed && out->len > 1 && out->data[out->len - 2] == '\n')
        out->data[--out->len] = '\0';
}
