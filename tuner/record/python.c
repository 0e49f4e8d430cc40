// Conditions and lists of Python. The elements of a list are expressions too: rewritten,
// then evaluated by this program's own language.
#include "python.h"

#include <string.h>

#include "base/grow.h"
#include "base/one_of.h"
#include "python_parse.h"

enum { VALUES_MAX = 65535 };

static struct hone_python_parser python_start(const char *text,
                                              struct hone_python_names names,
                                              struct hone_arena *arena,
                                              struct hone_error *err)
{
    return (struct hone_python_parser){
        .text = text, .at = text, .names = names, .arena = arena, .err = err};
}

static void python_finish(struct hone_python_parser *p)
{
    if (p->status == HONE_OK && !hone_python_at_end(p))
        hone_python_fail(p, HONE_EINPUT, "'%.12s' not understood", p->at);
}

// The quote that ends the text which begins at i.
static size_t end_of_quoted(const char *text, size_t i)
{
    for (i++; text[i] != '\''; i++)
        if (text[i] == '\\') i++;
    return i;
}

// Brackets round the whole are not needed, only round its parts.
static const char *strip(struct hone_python_parser *p, const char *text)
{
    const size_t length = strlen(text);
    int depth = 0;
    if (length < 2 || text[0] != '(') return text;
    for (size_t i = 0; i + 1 < length; i++) {
        if (text[i] == '\'') i = end_of_quoted(text, i);
        depth += (text[i] == '(') - (text[i] == ')');
        if (depth == 0) return text;
    }
    char *inner = hone_arena_strdup(p->arena, text + 1);
    if (!inner) return text;
    inner[length - 2] = '\0';
    return inner;
}

enum hone_status hone_python_condition(const char **out, const char *text,
                                       struct hone_python_names names,
                                       struct hone_arena *arena, struct hone_error *err)
{
    struct hone_python_parser p = python_start(text, names, arena, err);
    *out = hone_python_truth(&p, hone_python_read(&p));
    python_finish(&p);
    if (p.status == HONE_OK) *out = strip(&p, *out);
    return p.status;
}

// --- lists ---

struct list {
    struct hone_value *values;
    size_t count, cap;
};

static void append(struct hone_python_parser *p, struct list *list,
                   struct hone_value value)
{
    if (p->status != HONE_OK) return;
    if (list->count == VALUES_MAX) {
        hone_python_fail(p, HONE_ELIMIT, "more than %d values", VALUES_MAX);
        return;
    }
    if (!HONE_GROW_IN(p->arena, &list->values, &list->cap, list->count + 1, 16)) {
        hone_python_fail(p, HONE_ENOMEM, "out of memory");
        return;
    }
    list->values[list->count++] = value;
}

// A power of integers is a float in this language, and an integer in Python.
static struct hone_value as_in_python(const char *text, struct hone_value value)
{
    int64_t i;
    bool power = strchr(text, '^') && !strstr(text, " / ") && !strchr(text, '.');
    if (power && value.type == HONE_FLOAT && hone_value_to_int(value, &i))
        return (struct hone_value){.type = HONE_INT, .i = i};
    return value;
}

// The value of a part, with that of the loop's variable.
static struct hone_value python_evaluate(struct hone_python_parser *p, const char *text,
                                         struct hone_value loop)
{
    struct hone_expr *expr = NULL;
    struct hone_error inner = {0};
    struct hone_value value = {.type = HONE_INT};
    if (p->status != HONE_OK) return value;
    const char *name = p->loop.name ? p->loop.name : "_";
    enum hone_status status = hone_expr_new(&expr, text, &inner);
    if (status == HONE_OK) status = hone_expr_bind(expr, &name, 1, &inner);
    if (status == HONE_OK) status = hone_expr_eval(expr, &loop, &value, NULL, &inner);
    if (status != HONE_OK) hone_python_fail(p, status, "%s", inner.text);
    if (status == HONE_OK && value.type == HONE_STRING) {
        value.s = hone_arena_strdup(p->arena, value.s);
        if (!value.s) hone_python_fail(p, HONE_ENOMEM, "out of memory");
    }
    hone_expr_free(expr);
    return as_in_python(text, value);
}

static void read_range(struct hone_python_parser *p, struct list *list)
{
    int64_t bounds[3] = {0, 0, 1};
    size_t count = 0;
    hone_python_expect(p, "(");
    do {
        struct hone_python_part part = hone_python_read(p);
        struct hone_value value = python_evaluate(p, part.text, (struct hone_value){0});
        if (!hone_value_to_int(value, &bounds[count]) || value.type != HONE_INT)
            hone_python_fail(p, HONE_EINPUT, "range() takes integers");
    } while (++count < 3 && hone_python_accept(p, ","));
    hone_python_expect(p, ")");
    if (count == 1) {
        bounds[1] = bounds[0];
        bounds[0] = 0;
    }
    if (bounds[2] == 0) hone_python_fail(p, HONE_EINPUT, "range() with step 0");
    for (int64_t i = bounds[0];
         p->status == HONE_OK && (bounds[2] > 0 ? i < bounds[1] : i > bounds[1]);) {
        append(p, list, (struct hone_value){.type = HONE_INT, .i = i});
        if (__builtin_add_overflow(i, bounds[2], &i)) break;
    }
}

static void read_sum(struct hone_python_parser *p, struct list *list);

// Where the 'for' of the list that has just begun stands; NULL for a list without one.
static const char *find_for(const char *at)
{
    int depth = 0;
    for (; *at && depth >= 0; at++) {
        if (hone_one_of(*at, "([{")) depth++;
        if (hone_one_of(*at, ")]}")) depth--;
        if (*at == '\'' || *at == '"') {
            const char *end = strchr(at + 1, *at);
            if (!end) return NULL;
            at = end;
        }
        if (depth == 0 && strncmp(at, " for ", 5) == 0) return at;
    }
    return NULL;
}

// [ELEMENT for NAME in LIST if CONDITION]. The element and the condition are read again
// for each value: their text is short.
static void read_comprehension(struct hone_python_parser *p, struct list *list,
                               const char *closer, const char *keyword)
{
    const char *element = p->at;
    struct list source = {0};
    p->at = keyword;
    hone_python_expect(p, "for");
    p->loop = (struct hone_python_name){.name = hone_python_read_name(p)};
    hone_python_expect(p, "in");
    read_sum(p, &source);
    struct hone_python_part condition = {.text = "true", .kind = HONE_PYTHON_BOOL};
    if (source.count && source.values[0].type == HONE_STRING)
        p->loop.kind = HONE_PYTHON_STRING;
    if (hone_python_accept(p, "if")) condition = hone_python_read(p);
    const char *test = hone_python_truth(p, condition);
    hone_python_expect(p, closer);
    const char *after = p->at;
    p->at = element;
    struct hone_python_part part = hone_python_read(p);
    if (p->status == HONE_OK && p->at > keyword + 1)
        hone_python_fail(p, HONE_EINPUT, "'for' expected");
    for (size_t i = 0; i < source.count && p->status == HONE_OK; i++)
        if (hone_value_true(python_evaluate(p, test, source.values[i])))
            append(p, list, python_evaluate(p, part.text, source.values[i]));
    p->loop = (struct hone_python_name){0};
    p->at = after;
}

static void read_elements(struct hone_python_parser *p, struct list *list,
                          const char *closer)
{
    const char *keyword = find_for(p->at);
    if (keyword) {
        if (p->loop.name) hone_python_fail(p, HONE_EUNSUPPORTED, "a loop in a loop");
        read_comprehension(p, list, closer, keyword);
        return;
    }
    while (p->status == HONE_OK && !hone_python_accept(p, closer)) {
        struct hone_python_part part = hone_python_read(p);
        append(p, list, python_evaluate(p, part.text, (struct hone_value){0}));
        if (hone_python_accept(p, ",")) continue;
        hone_python_expect(p, closer);
        break;
    }
}

static void read_list(struct hone_python_parser *p, struct list *list)
{
    if (hone_python_accept(p, "[")) {
        read_elements(p, list, "]");
    } else if (hone_python_accept(p, "list") || hone_python_accept(p, "tuple")) {
        hone_python_expect(p, "(");
        read_sum(p, list);
        hone_python_expect(p, ")");
    } else if (hone_python_accept(p, "range")) {
        read_range(p, list);
    } else if (hone_python_accept(p, "(")) {
        read_elements(p, list, ")");
    } else {
        hone_python_fail(p, HONE_EINPUT, "a list or range() expected");
    }
}

// list + list + ...
static void read_sum(struct hone_python_parser *p, struct list *list)
{
    if (++p->nesting > HONE_PYTHON_NESTING_MAX)
        hone_python_fail(p, HONE_ELIMIT, "more than %d levels of nesting",
                         HONE_PYTHON_NESTING_MAX);
    do {
        if (p->status == HONE_OK) read_list(p, list);
    } while (hone_python_accept(p, "+"));
    p->nesting--;
}

enum hone_status hone_python_values(struct hone_value **out, size_t *count,
                                    const char *text, struct hone_arena *arena,
                                    struct hone_error *err)
{
    struct hone_python_parser p =
        python_start(text, (struct hone_python_names){0}, arena, err);
    struct list list = {0};
    read_sum(&p, &list);
    python_finish(&p);
    *out = list.values;
    *count = list.count;
    return p.status;
}

const char *hone_python_text(char number[HONE_NUMBER_TEXT], struct hone_value value)
{
    if (value.type == HONE_BOOL) return value.b ? "True" : "False";
    return hone_value_in_full(number, value);
}
