// #include NAME. A compiler would look up what NAME stands for where it meets it; here
// each #define of NAME also sets HONE_INCLUDE_NAME to the number of the file that it
// names, and an #if over that number takes the place of the #include. A NAME that is
// defined elsewhere (a parameter, an option) leads to no number, and so to an #error.
// Words between < and > may be macros, too: they have numbers of their own. A macro with
// arguments has a number for each of its definitions, and its file is found where it is
// used.
#include <string.h>

#include "assembly.h"

static struct hone_include_macro *find_macro(const struct hone_assembly *a,
                                             const char *name, size_t length)
{
    struct hone_include_macro *macro = a->macros;
    while (macro &&
           (strlen(macro->name) != length || memcmp(macro->name, name, length) != 0))
        macro = macro->next;
    return macro;
}

static enum hone_status add_macro(struct hone_assembly *a, const char *name,
                                  size_t length, bool is_word)
{
    struct hone_include_macro *macro = hone_arena_alloc(a->arena, sizeof *macro);
    if (macro) macro->name = hone_arena_printf(a->arena, "%.*s", (int)length, name);
    if (!macro || !macro->name) return hone_no_memory(a->err, "assembling a template");
    macro->is_word = is_word;
    macro->last = &macro->values;
    macro->next = a->macros;
    a->macros = macro;
    a->has_news = true;
    return HONE_OK;
}

static size_t macro_includes_word_length(const char *text)
{
    return strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                        "0123456789_$");
}

static enum hone_status include_one(struct hone_assembly *a, struct hone_writing *place,
                                    const struct hone_directive *d, const char *written)
{
    const struct hone_include_name name = hone_include_name_of(a->arena, written);
    if (!name.text) return hone_no_memory(a->err, "assembling a template");
    return hone_assemble_include(a, place, d, name, HONE_INCLUDES_ONE_OF);
}

// ---- words in the names of files ----

// The next word at or behind text that may be a macro's name; NULL at the end.
static const char *next_word(const char *text, size_t *length)
{
    while (*text) {
        *length = macro_includes_word_length(text);
        if (*length && (*text < '0' || *text > '9')) return text;
        text += *length ? *length : 1;
    }
    return NULL;
}

// Its #defines are to have numbers, where there are any.
static enum hone_status follow_words(struct hone_assembly *a, const char *text)
{
    enum hone_status status = HONE_OK;
    size_t length;
    for (const char *word = next_word(text, &length); word && status == HONE_OK;
         word = next_word(word + length, &length))
        if (!find_macro(a, word, length)) status = add_macro(a, word, length, true);
    return status;
}

// The first word of a <file> that the files define; NULL: it is what it seems.
static const struct hone_include_macro *
first_defined(struct hone_assembly *a, const char *text, size_t from, const char **word)
{
    size_t length;
    if (*text != '<') return NULL;
    for (*word = next_word(text + from, &length); *word;
         *word = next_word(*word + length, &length)) {
        const struct hone_include_macro *macro = find_macro(a, *word, length);
        if (macro && macro->is_word && macro->values) return macro;
    }
    return NULL;
}

// Words that a file's name has after the expansion, and that something else than a file
// (a parameter, an option, the compiler) defines: what they stand for is not known.
static bool add_foreign_words(struct hone_strbuf *out, const char *text)
{
    size_t length;
    bool any = false;
    for (const char *word = *text == '<' ? next_word(text, &length) : NULL; word;
         word = next_word(word + length, &length)) {
        const int n = (int)length;
        hone_strbuf_printf(out, "%s(defined %.*s && !defined HONE_INCLUDE_%.*s)",
                           any ? " || " : "#if ", n, word, n, word);
        any = true;
    }
    if (any) hone_strbuf_add(out, "\n");
    return any;
}

// A macro may say other words that are macros; this deep, and this many in all.
enum { WORDS_DEEP = 8, CHOICES_MOST = 256 };

struct choice {
    struct hone_assembly *a;
    struct hone_writing *place;
    const struct hone_directive *d;
    int choices;
};

static enum hone_status include_file(struct choice *c, const char *text, size_t from,
                                     int deep);

static enum hone_status refuse_include(struct choice *c, const char *name,
                                       const char *why)
{
    hone_strbuf_printf(c->place->out, "#line %d \"%s\"\n", c->d->line,
                       c->place->file->shown);
    return hone_assemble_error(c->a, c->place, c->d, "#include %.80s: %s", name, why);
}

static enum hone_status not_known(struct choice *c, const char *name)
{
    return refuse_include(
        c, name, "the macro is not one of those that the files define as a file's name");
}

// An #if over what the word stands for, with an include of the file for each.
static enum hone_status replace_word(struct choice *c, const char *text, const char *word,
                                     const struct hone_include_macro *macro, int deep)
{
    int number = 0;
    enum hone_status status = HONE_OK;
    const size_t before = (size_t)(word - text), behind = before + strlen(macro->name);
    for (const struct hone_word *value = macro->values; value && status == HONE_OK;
         value = value->next) {
        const char *file = hone_arena_printf(c->a->arena, "%.*s%s%s", (int)before, text,
                                             value->text, text + behind);
        hone_strbuf_printf(c->place->out, "#%s HONE_INCLUDE_%s == %d\n",
                           number ? "elif" : "if", macro->name, number + 1);
        number++;
        status = file ? include_file(c, file, before, deep + 1)
                      : hone_no_memory(c->a->err, "assembling a template");
    }
    hone_strbuf_printf(c->place->out, "#elif defined %s\n", macro->name);
    if (status == HONE_OK) status = not_known(c, macro->name);
    hone_strbuf_add(c->place->out, "#else\n");
    if (status == HONE_OK) status = include_file(c, text, behind, deep + 1);
    hone_strbuf_add(c->place->out, "#endif\n");
    return status;
}

static enum hone_status include_known(struct choice *c, const char *text)
{
    enum hone_status status = HONE_OK;
    const bool guarded = add_foreign_words(c->place->out, text);
    if (guarded) {
        status = refuse_include(c, text, "a word of it is a macro that no file defines");
        hone_strbuf_add(c->place->out, "#else\n");
    }
    if (status == HONE_OK) status = include_one(c->a, c->place, c->d, text);
    if (guarded) hone_strbuf_add(c->place->out, "#endif\n");
    return status;
}

// from: words before it were looked at.
static enum hone_status include_file(struct choice *c, const char *text, size_t from,
                                     int deep)
{
    const char *word;
    const struct hone_include_macro *macro = first_defined(c->a, text, from, &word);
    if (!macro) return include_known(c, text);
    if (deep == WORDS_DEEP || c->choices++ == CHOICES_MOST) {
        return hone_assemble_error(c->a, c->place, c->d,
                                   "#include of %.80s: its words stand for more files "
                                   "than can be followed",
                                   text);
    }
    return replace_word(c, text, word, macro, deep);
}

// ---- macros with arguments ----

enum { ARGUMENTS_MOST = 8 };

struct list {
    const char *texts[ARGUMENTS_MOST]; // "" behind the last
    size_t count;
    const char *behind;
};

// "(a, b)" at text: parameters, or arguments that are parts of a path. *is_list is
// false for all else.
static enum hone_status read_arguments(struct hone_assembly *a, const char *text,
                                       struct list *list, bool *is_list)
{
    *list = (struct list){.behind = text};
    for (size_t i = 0; i < ARGUMENTS_MOST; i++)
        list->texts[i] = "";
    *is_list = false;
    while (list->count < ARGUMENTS_MOST) {
        const char *p = list->behind + 1 + strspn(list->behind + 1, " \t");
        const size_t length = strcspn(p, ",) \t");
        const char *part = hone_arena_printf(a->arena, "%.*s", (int)length, p);
        if (!part) return hone_no_memory(a->err, "assembling a template");
        list->behind = p + length + strspn(p + length, " \t");
        const bool is_last = *list->behind == ')';
        if ((!is_last && *list->behind != ',') || (length && !hone_is_plain_path(part)))
            return HONE_OK;
        if (!is_last || length || list->count) list->texts[list->count++] = part;
        *is_list = is_last;
        if (is_last) break;
    }
    list->behind += *is_list;
    return HONE_OK;
}

static size_t place_in(const struct list *parameters, const char *word, size_t length)
{
    size_t i = 0;
    while (i < parameters->count && (strlen(parameters->texts[i]) != length ||
                                     memcmp(parameters->texts[i], word, length) != 0))
        i++;
    return i;
}

// The argument that #P makes a text of; the count of parameters where value is not that.
static size_t quoted_parameter(const struct list *parameters, const char *value)
{
    if (*value != '#') return parameters->count;
    value += 1 + strspn(value + 1, " \t");
    return place_in(parameters, value, strlen(value));
}

static bool are_names(const struct list *parameters)
{
    for (size_t i = 0; i < parameters->count; i++) {
        const char *name = parameters->texts[i];
        if (macro_includes_word_length(name) != strlen(name) || !*name) return false;
        if (*name >= '0' && *name <= '9') return false;
    }
    return true;
}

static const char *replace_parameters(struct hone_assembly *a, const char *value,
                                      const struct list *parameters,
                                      const struct list *arguments)
{
    size_t length;
    struct hone_strbuf text = HONE_STRBUF_INIT;
    const char *at = value;
    for (const char *word = next_word(value, &length); word;
         word = next_word(word + length, &length)) {
        const size_t i = place_in(parameters, word, length);
        hone_strbuf_add_bytes(&text, at, (size_t)(word - at));
        at = word + length;
        if (i < parameters->count)
            hone_strbuf_add(&text, arguments->texts[i]);
        else
            hone_strbuf_add_bytes(&text, word, length);
    }
    hone_strbuf_add(&text, at);
    const char *kept = text.failed ? NULL : hone_arena_strdup(a->arena, text.data);
    hone_strbuf_fini(&text);
    return kept;
}

// The file that a definition names for arguments (NULL: none are given): "x" or <x>; ""
// where it names none, NULL when out of memory.
static const char *apply(struct hone_assembly *a, const char *definition,
                         const struct list *arguments)
{
    bool is_list;
    struct list parameters;
    if ((*definition == '(') != (arguments != NULL)) return "";
    if (!arguments) return definition;
    if (read_arguments(a, definition, &parameters, &is_list) != HONE_OK) return NULL;
    const bool fits = parameters.count == arguments->count ||
                      (parameters.count == 1 && arguments->count == 0);
    if (!is_list || !fits) return "";
    const char *value = parameters.behind + strspn(parameters.behind, " \t");
    const size_t quoted = quoted_parameter(&parameters, value);
    if (quoted < parameters.count)
        return hone_arena_printf(a->arena, "\"%s\"", arguments->texts[quoted]);
    return *value == '<' ? replace_parameters(a, value, &parameters, arguments) : value;
}

// ---- #include NAME and #include NAME(arguments) ----

static enum hone_status include_value(struct choice *c, const char *name,
                                      const char *definition,
                                      const struct list *arguments)
{
    const char *text = apply(c->a, definition, arguments);
    if (!text) return hone_no_memory(c->a->err, "assembling a template");
    return *text ? include_file(c, text, 0, 0) : not_known(c, name);
}

static enum hone_status include_any(struct hone_assembly *a, struct hone_writing *place,
                                    const struct hone_directive *d,
                                    const struct hone_include_macro *macro,
                                    const struct list *arguments)
{
    int number = 0;
    enum hone_status status = HONE_OK;
    struct choice choice = {.a = a, .place = place, .d = d};
    hone_assemble_begin(place, d);
    place->depth++;
    for (const struct hone_word *file = macro->values; file && status == HONE_OK;
         file = file->next) {
        hone_strbuf_printf(place->out, "#%s HONE_INCLUDE_%s == %d\n",
                           number ? "elif" : "if", macro->name, number + 1);
        number++;
        status = include_value(&choice, macro->name, file->text, arguments);
    }
    hone_strbuf_add(place->out, "#else\n");
    if (status == HONE_OK) status = not_known(&choice, macro->name);
    place->depth--;
    hone_strbuf_add(place->out, "#endif\n");
    hone_assemble_end(place, d, -1);
    return status;
}

static enum hone_status include_macro(struct hone_assembly *a, struct hone_writing *place,
                                      const struct hone_directive *d, size_t length,
                                      const struct list *arguments)
{
    const struct hone_include_macro *macro = find_macro(a, d->body, length);
    if (!macro || (!macro->values && !a->is_settled)) {
        hone_assemble_begin(place, d);
        hone_assemble_end(place, d, 0);
        a->is_waiting = true;
        return macro ? HONE_OK : add_macro(a, d->body, length, false);
    }
    if (!macro->values)
        return hone_assemble_error(a, place, d,
                                   "#include %s: no #define in the files makes the macro "
                                   "a file's name",
                                   macro->name);
    return include_any(a, place, d, macro, arguments);
}

enum hone_status hone_assemble_macro_include(struct hone_assembly *a,
                                             struct hone_writing *place,
                                             const struct hone_directive *d)
{
    struct list arguments;
    bool is_list = false;
    const size_t length = macro_includes_word_length(d->body);
    const char *behind = d->body + length;
    behind += strspn(behind, " \t");
    const bool plain = length && !*behind;
    enum hone_status status = HONE_OK;
    if (length && *behind == '(')
        status = read_arguments(a, behind, &arguments, &is_list);
    for (size_t i = 0; is_list && i < arguments.count && status == HONE_OK; i++)
        status = follow_words(a, arguments.texts[i]);
    if (status != HONE_OK) return status;
    if (!plain && (!is_list || *arguments.behind))
        return hone_assemble_error(a, place, d,
                                   "#include %.80s: only a compiler can tell which file "
                                   "that is; write \"file\", <file> or a macro that is "
                                   "defined as one of these",
                                   d->body);
    return include_macro(a, place, d, length, is_list ? &arguments : NULL);
}

// Is it the name of a file, and nothing else? -1: out of memory.
static int is_file(struct hone_assembly *a, const char *value)
{
    const struct hone_include_name name = hone_include_name_of(a->arena, value);
    if (!name.text) return -1;
    return *name.text && strlen(name.text) + 2 == strlen(value);
}

// Whether "(P, Q) value" names a file; sets *value. -1: out of memory.
static int names_file(struct hone_assembly *a, const char **value)
{
    bool is_list;
    struct list parameters;
    if (read_arguments(a, *value, &parameters, &is_list) != HONE_OK) return -1;
    if (!is_list || !are_names(&parameters)) return 0;
    *value = parameters.behind + strspn(parameters.behind, " \t");
    return quoted_parameter(&parameters, *value) < parameters.count ? 1
                                                                    : is_file(a, *value);
}

// The number of what the macro says, from 1; 0 when that is no file's name; -1: out of
// memory.
static int macro_includes_number_of(struct hone_assembly *a,
                                    struct hone_include_macro *macro,
                                    const char *definition)
{
    int number = 1;
    const char *value = definition;
    const int fits = *definition == '(' && !macro->is_word ? names_file(a, &value)
                     : macro->is_word                      ? 1
                                                           : is_file(a, value);
    if (fits <= 0) return fits;
    if ((macro->is_word || *value == '<') && follow_words(a, value) != HONE_OK) return -1;
    for (const struct hone_word *known = macro->values; known;
         known = known->next, number++)
        if (strcmp(known->text, definition) == 0) return number;
    const struct hone_word word = {.text = hone_arena_strdup(a->arena, definition)};
    *macro->last = hone_arena_dup(a->arena, &word, sizeof word);
    if (!*macro->last || !word.text) return -1;
    macro->last = &(*macro->last)->next;
    a->has_news = true; // for what was written before in this round
    return number;
}

static enum hone_status pin_definition(struct hone_assembly *a,
                                       struct hone_writing *place,
                                       const struct hone_directive *d,
                                       struct hone_include_macro *macro)
{
    const char *value = d->body + strlen(macro->name);
    const bool takes_arguments = *value == '(';
    value += strspn(value, " \t");
    // a word before a parenthesis is no part of a path, so a macro that has them stays
    const bool names_none =
        macro->is_word ? takes_arguments : takes_arguments != (*value == '(');
    const int number = names_none ? 0 : macro_includes_number_of(a, macro, value);
    if (number < 0) return hone_no_memory(a->err, "assembling a template");
    hone_strbuf_printf(place->out, "#undef HONE_INCLUDE_%s\n#define HONE_INCLUDE_%s %d\n",
                       macro->name, macro->name, number);
    return HONE_OK;
}

enum hone_status hone_assemble_pin(struct hone_assembly *a, struct hone_writing *place,
                                   const struct hone_directive *d)
{
    enum hone_status status = HONE_OK;
    const size_t length = macro_includes_word_length(d->body);
    if (d->kind == HONE_DIRECTIVE_UNDEF && d->body[length] == '\0' && length &&
        !hone_words_have(a->undefined, d->body))
        status = hone_words_add(a, &a->undefined, d->body);
    if (d->kind != HONE_DIRECTIVE_UNDEF && d->kind != HONE_DIRECTIVE_DEFINE)
        return status;
    struct hone_include_macro *macro = find_macro(a, d->body, length);
    if (!macro || status != HONE_OK) return status;
    if (place->out->len && place->out->data[place->out->len - 1] != '\n')
        hone_strbuf_add(place->out, "\n");
    if (d->kind == HONE_DIRECTIVE_UNDEF)
        hone_strbuf_printf(place->out, "#undef HONE_INCLUDE_%s\n", macro->name);
    else
        status = pin_definition(a, place, d, macro);
    hone_assemble_end(place, d, -1);
    return status;
}
