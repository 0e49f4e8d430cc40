// Recursive descent over Python's grammar (reference manual, chapter 6), from the weakest
// operator to the strongest. Brackets are written everywhere, so that the precedence of
// the two languages does not matter; types are followed, as only false is false here, and
// True counts as 1 there.
#include "python_parse.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/c_text.h"
#include "base/identifier.h"
#include "base/one_of.h"
#include "hone/strbuf.h"

typedef struct hone_python_parser parser;
typedef struct hone_python_part part;

static const part nothing = {.text = "false", .kind = HONE_PYTHON_BOOL};

static part make(parser *p, enum hone_python_kind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static part make(parser *p, enum hone_python_kind kind, const char *format, ...)
{
    char small[256];
    va_list args, again;
    if (p->status != HONE_OK) return nothing;
    va_start(args, format);
    va_copy(again, args);
    int length = hone_vsnprintf(small, sizeof small, format, args);
    char *copy = hone_arena_alloc(p->arena, (size_t)length + 1);
    if (copy) hone_vsnprintf(copy, (size_t)length + 1, format, again);
    va_end(again);
    va_end(args);
    if (length > HONE_PYTHON_BYTES_MAX)
        hone_python_fail(p, HONE_ELIMIT, "more than %d bytes", HONE_PYTHON_BYTES_MAX);
    if (!copy) hone_python_fail(p, HONE_ENOMEM, "out of memory");
    return copy && p->status == HONE_OK ? (part){.text = copy, .kind = kind} : nothing;
}

const char *hone_python_truth(parser *p, part x)
{
    if (x.kind == HONE_PYTHON_BOOL) return x.text;
    return make(p, HONE_PYTHON_BOOL,
                x.kind == HONE_PYTHON_STRING ? "(%s ~= '')" : "(%s ~= 0)", x.text)
        .text;
}

static part python_parse_number(parser *p, part x)
{
    if (x.kind == HONE_PYTHON_STRING)
        hone_python_fail(p, HONE_EUNSUPPORTED, "arithmetic on a text");
    return x.kind == HONE_PYTHON_BOOL
               ? make(p, HONE_PYTHON_NUMBER, "(%s and 1 or 0)", x.text)
               : x;
}

// Python's 'and' and 'or' yield an operand. Where that is no boolean, both must have one
// kind.
static part logic(parser *p, bool is_and, part x, part y)
{
    const char *test = hone_python_truth(p, x), *word = is_and ? "and" : "or";
    if (x.kind == HONE_PYTHON_BOOL && y.kind == HONE_PYTHON_BOOL)
        return make(p, HONE_PYTHON_BOOL, "(%s %s %s)", x.text, word, y.text);
    if (x.kind != y.kind)
        return make(p, HONE_PYTHON_BOOL, "(%s %s %s)", test, word,
                    hone_python_truth(p, y));
    return is_and ? make(p, x.kind, "(%s and %s or %s)", test, y.text, x.text)
                  : make(p, x.kind, "(%s and %s or %s)", test, x.text, y.text);
}

// A number: text with the parts in the places of each @, the last one as often as needed.
static part fill_in(parser *p, const char *text, const part *parts, size_t count)
{
    struct hone_strbuf filled = HONE_STRBUF_INIT;
    size_t next = 0;
    for (; *text; text++) {
        if (*text == '@')
            hone_strbuf_add(&filled, parts[next + 1 < count ? next++ : next].text);
        else
            hone_strbuf_add_bytes(&filled, text, 1);
    }
    part out = make(p, HONE_PYTHON_NUMBER, "%s", filled.data);
    hone_strbuf_fini(&filled);
    return out;
}

// --- atoms ---

static part read_based(parser *p, int base)
{
    uint64_t value = 0;
    for (p->at += 2; hone_is_name_part(*p->at); p->at++) {
        if (*p->at == '_') continue;
        const int c = *p->at | 0x20;
        const int digit = c >= 'a' ? c - 'a' + 10 : *p->at - '0';
        if (digit < 0 || digit >= base || value > (uint64_t)INT64_MAX / 16) {
            hone_python_fail(p, HONE_EINPUT, "no number that is understood");
            return nothing;
        }
        value = value * (uint64_t)base + (uint64_t)digit;
    }
    return make(p, HONE_PYTHON_NUMBER, "%llu", (unsigned long long)value);
}

// Decimal: digits, underscores, a dot, an exponent.
static part python_parse_read_number(parser *p)
{
    static const char prefixes[] = "xXoObB";
    const char *prefix = *p->at == '0' && p->at[1] ? strchr(prefixes, p->at[1]) : NULL;
    if (prefix)
        return read_based(p, prefix < prefixes + 2 ? 16 : prefix < prefixes + 4 ? 8 : 2);
    char digits[64];
    size_t used = 0;
    bool is_float = false;
    for (; hone_is_name_part(*p->at) || *p->at == '.' ||
           ((*p->at == '+' || *p->at == '-') && used && (digits[used - 1] | 0x20) == 'e');
         p->at++) {
        if (*p->at == '_') continue;
        is_float = is_float || *p->at == '.' || (*p->at | 0x20) == 'e';
        if (used < sizeof digits - 1) digits[used++] = *p->at;
    }
    digits[used] = '\0';
    struct hone_expr *expr = NULL;
    struct hone_value value;
    bool sound = used < sizeof digits - 1 &&
                 hone_expr_new(&expr, digits, NULL) == HONE_OK &&
                 !hone_expr_var_count(expr) &&
                 hone_expr_eval(expr, NULL, &value, NULL, NULL) == HONE_OK &&
                 (value.type == HONE_INT) != is_float;
    hone_expr_free(expr);
    if (!sound) hone_python_fail(p, HONE_EINPUT, "no number that is understood");
    return make(p, HONE_PYTHON_NUMBER, "%s", digits);
}

// Text without escapes but for quotes and the backslash.
static part read_string(parser *p)
{
    const char quote = *p->at++;
    struct hone_strbuf text = HONE_STRBUF_INIT;
    hone_strbuf_add(&text, "'");
    for (; *p->at && *p->at != quote && (unsigned char)*p->at >= ' '; p->at++) {
        if (*p->at == '\\' && !hone_one_of(*++p->at, "\\'\"")) break;
        hone_strbuf_printf(&text, *p->at == '\\' || *p->at == '\'' ? "\\%c" : "%c",
                           *p->at);
    }
    if (*p->at != quote)
        hone_python_fail(p, HONE_EINPUT, "a text that does not end, or an escape in it");
    else
        p->at++;
    hone_strbuf_add(&text, "'");
    part out = make(p, HONE_PYTHON_STRING, "%s", text.data);
    hone_strbuf_fini(&text);
    return out;
}

static part read_power(parser *p);
static part read_unary(parser *p);

// Arguments up to the bracket, or up to those of a list that is the only one.
static size_t read_arguments(parser *p, part *args, size_t most)
{
    size_t count = 0;
    const char *closer = ")";
    if (hone_python_accept(p, "[")) closer = "]";
    while (p->status == HONE_OK && !hone_python_accept(p, closer)) {
        if (count == most) {
            hone_python_fail(p, HONE_EUNSUPPORTED, "more than %zu arguments", most);
            break;
        }
        args[count++] = python_parse_number(p, hone_python_read(p));
        if (hone_python_accept(p, ",")) continue;
        hone_python_expect(p, closer);
        break;
    }
    if (*closer == ']') hone_python_expect(p, ")");
    return count;
}

struct function {
    const char *name;
    size_t least, most;
    const char *text; // with its arguments for each @; NULL: min and max
};

static const struct function functions[] = {
    {"min", 2, 8, NULL},
    {"max", 2, 8, NULL},
    {"abs", 1, 1, "abs(@)"},
    {"int", 1, 1, "(@ >= 0 and @ // 1 or -(-@ // 1))"},
    {"float", 1, 1, "@"},
    {"math.floor", 1, 1, "(@ // 1)"},
    {"floor", 1, 1, "(@ // 1)"},
    {"math.ceil", 1, 1, "(-(-@ // 1))"},
    {"ceil", 1, 1, "(-(-@ // 1))"},
    {"math.log2", 1, 1, "log2(@)"},
    {"log2", 1, 1, "log2(@)"},
    {"math.sqrt", 1, 1, "sqrt(@)"},
    {"sqrt", 1, 1, "sqrt(@)"},
    {"pow", 2, 2, "(@ ^ @)"},
};

static part call(parser *p, const struct function *f)
{
    part args[8];
    for (size_t i = 0; i < sizeof args / sizeof *args; i++)
        args[i] = nothing;
    const size_t count = read_arguments(p, args, sizeof args / sizeof *args);
    if (count < f->least || count > f->most)
        hone_python_fail(p, HONE_EINPUT, "%s does not take %zu arguments", f->name,
                         count);
    if (p->status != HONE_OK) return nothing;
    if (!f->text) {
        const char *list = args[0].text;
        for (size_t i = 1; i < count; i++)
            list = make(p, HONE_PYTHON_NUMBER, "%s, %s", list, args[i].text).text;
        return make(p, HONE_PYTHON_NUMBER, "%s(%s)", f->name, list);
    }
    return fill_in(p, f->text, args, count);
}

static part use_name(parser *p, const char *name, const char *start)
{
    const struct hone_python_name *found = NULL;
    for (size_t i = 0; i < p->names.count; i++)
        if (strcmp(p->names.items[i].name, name) == 0) found = &p->names.items[i];
    if (p->loop.name && strcmp(p->loop.name, name) == 0) found = &p->loop;
    if (!found) {
        p->at = start;
        hone_python_fail(p, HONE_EINPUT, "unknown name '%s'", name);
        return nothing;
    }
    return make(p, found->kind, "%s", found->text ? found->text : name);
}

static part read_word(parser *p)
{
    hone_python_skip_space(p);
    const char *start = p->at, *name = hone_python_read_name(p);
    if (!name) {
        hone_python_fail(p, HONE_EINPUT,
                         *p->at ? "'%.1s' not understood" : "it ends too early", p->at);
        return nothing;
    }
    if (strcmp(name, "True") == 0) return make(p, HONE_PYTHON_BOOL, "true");
    if (strcmp(name, "False") == 0) return make(p, HONE_PYTHON_BOOL, "false");
    if (strcmp(name, "math") == 0 && hone_python_accept(p, ".")) {
        const char *member = hone_python_read_name(p);
        name = make(p, HONE_PYTHON_NUMBER, "math.%s", member ? member : "").text;
    }
    if (!hone_python_accept(p, "(")) return use_name(p, name, start);
    if (strcmp(name, "bool") == 0) {
        part x = hone_python_read(p);
        hone_python_expect(p, ")");
        return make(p, HONE_PYTHON_BOOL, "%s", hone_python_truth(p, x));
    }
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (strcmp(functions[i].name, name) == 0) return call(p, &functions[i]);
    p->at = start;
    hone_python_fail(p, HONE_EUNSUPPORTED, "unknown function '%s'", name);
    return nothing;
}

static part read_atom(parser *p)
{
    hone_python_skip_space(p);
    if (hone_python_accept(p, "(")) {
        part inner = hone_python_read(p);
        hone_python_expect(p, ")");
        return inner;
    }
    if ((*p->at >= '0' && *p->at <= '9') ||
        (*p->at == '.' && p->at[1] >= '0' && p->at[1] <= '9'))
        return python_parse_read_number(p);
    if (*p->at == '\'' || *p->at == '"') return read_string(p);
    return read_word(p);
}

// --- operators ---

static part read_power(parser *p)
{
    part x = read_atom(p);
    if (!hone_python_accept(p, "**")) return x;
    x = python_parse_number(p, x);
    part y = python_parse_number(p, read_unary(p));
    if (strcmp(y.text, "2") == 0)
        return make(p, HONE_PYTHON_NUMBER, "(%s * %s)", x.text, x.text);
    return make(p, HONE_PYTHON_NUMBER, "(%s ^ %s)", x.text, y.text);
}

static part read_unary(parser *p)
{
    part out = nothing;
    if (++p->nesting > HONE_PYTHON_NESTING_MAX)
        hone_python_fail(p, HONE_ELIMIT, "more than %d levels of nesting",
                         HONE_PYTHON_NESTING_MAX);
    else if (hone_python_accept(p, "-"))
        out = make(p, HONE_PYTHON_NUMBER, "(-%s)",
                   python_parse_number(p, read_unary(p)).text);
    else if (hone_python_accept(p, "~"))
        out = make(p, HONE_PYTHON_NUMBER, "(~%s)",
                   python_parse_number(p, read_unary(p)).text);
    else if (hone_python_accept(p, "+"))
        out = python_parse_number(p, read_unary(p));
    else
        out = read_power(p);
    p->nesting--;
    return out;
}

// From weak to strong; where one symbol begins another, the longer one first.
static const struct binary {
    const char *symbol;
    int level;
    const char *text;
} binaries[] = {
    {"|", 0, "(@ | @)"},
    {"^", 1, "(@ ~ @)"},
    {"&", 2, "(@ & @)"},
    {"<<", 3, "(@ << @)"},
    {">>", 3,
     "((@ // (1 << min(@, 31))) // (1 << min(max(@ - 31, 0), 32)))"}, // keeps the sign
    {"+", 4, "(@ + @)"},
    {"-", 4, "(@ - @)"},
    {"//", 5, "(@ // @)"},
    {"/", 5, "(@ / @)"},
    {"%", 5, "(@ % @)"},
    {"*", 5, "(@ * @)"},
};
enum { LEVELS = 6 };

static const struct binary *accept_binary(parser *p, int level)
{
    for (size_t i = 0; i < sizeof binaries / sizeof *binaries; i++)
        if (binaries[i].level == level && hone_python_accept(p, binaries[i].symbol))
            return &binaries[i];
    return NULL;
}

static part apply(parser *p, const struct binary *op, part x, part y)
{
    const part sides[] = {python_parse_number(p, x), python_parse_number(p, y)};
    return fill_in(p, op->text, sides, 2);
}

static part read_binary(parser *p, int level)
{
    if (level == LEVELS) return read_unary(p);
    part x = read_binary(p, level + 1);
    for (const struct binary *op; (op = accept_binary(p, level));)
        x = apply(p, op, x, read_binary(p, level + 1));
    return x;
}

// --- comparisons ---

static const struct {
    const char *symbol, *text;
    bool equal; // == or !=: of any kinds
} comparisons[] = {{"==", "==", true},  {"!=", "~=", true}, {"<=", "<=", false},
                   {">=", ">=", false}, {"<", "<", false},  {">", ">", false}};

static part python_parse_compare(parser *p, size_t op, part x, part y)
{
    const bool texts = x.kind == HONE_PYTHON_STRING || y.kind == HONE_PYTHON_STRING;
    const bool bools = x.kind == HONE_PYTHON_BOOL && y.kind == HONE_PYTHON_BOOL;
    if (texts && x.kind != y.kind && !comparisons[op].equal)
        hone_python_fail(p, HONE_EUNSUPPORTED, "a text in order with what is none");
    if (!texts && !(bools && comparisons[op].equal)) {
        x = python_parse_number(p, x); // True == 1
        y = python_parse_number(p, y);
    }
    return make(p, HONE_PYTHON_BOOL, "(%s %s %s)", x.text, comparisons[op].text, y.text);
}

static part read_membership(parser *p, part x, bool negated)
{
    const bool list = hone_python_accept(p, "[");
    const char *closer = list ? "]" : hone_python_accept(p, "{") ? "}" : ")";
    if (*closer == ')') hone_python_expect(p, "(");
    part any = nothing;
    for (size_t i = 0; p->status == HONE_OK && !hone_python_accept(p, closer); i++) {
        part equal = python_parse_compare(p, 0, x, hone_python_read(p));
        any = i ? make(p, HONE_PYTHON_BOOL, "(%s or %s)", any.text, equal.text) : equal;
        if (hone_python_accept(p, ",")) continue;
        hone_python_expect(p, closer);
        break;
    }
    return negated ? make(p, HONE_PYTHON_BOOL, "(not %s)", any.text) : any;
}

// One comparison of a chain, its left side read already; false where none comes. *right
// becomes the next one's left side.
static bool read_comparison(parser *p, part left, part *out, part *right)
{
    const char *before = p->at;
    if (hone_python_accept(p, "not")) {
        if (hone_python_accept(p, "in")) {
            *out = read_membership(p, left, true);
            return true;
        }
        p->at = before;
        return false;
    }
    if (hone_python_accept(p, "in")) {
        *out = read_membership(p, left, false);
        return true;
    }
    for (size_t i = 0; i < sizeof comparisons / sizeof *comparisons; i++) {
        if (!hone_python_accept(p, comparisons[i].symbol)) continue;
        *right = read_binary(p, 0);
        *out = python_parse_compare(p, i, left, *right);
        return true;
    }
    return false;
}

static part read_chain(parser *p)
{
    part left = read_binary(p, 0), one = left, all = left;
    for (size_t i = 0; p->status == HONE_OK && read_comparison(p, left, &one, &left); i++)
        all = i ? make(p, HONE_PYTHON_BOOL, "(%s and %s)", all.text, one.text) : one;
    return all;
}

// --- logic ---

static part read_not(parser *p)
{
    part out = nothing;
    if (!hone_python_accept(p, "not")) return read_chain(p);
    if (++p->nesting > HONE_PYTHON_NESTING_MAX)
        hone_python_fail(p, HONE_ELIMIT, "more than %d levels of nesting",
                         HONE_PYTHON_NESTING_MAX);
    else
        out = make(p, HONE_PYTHON_BOOL, "(not %s)", hone_python_truth(p, read_not(p)));
    p->nesting--;
    return out;
}

static part read_and(parser *p)
{
    part x = read_not(p);
    while (hone_python_accept(p, "and"))
        x = logic(p, true, x, read_not(p));
    return x;
}

static part read_or(parser *p)
{
    part x = read_and(p);
    while (hone_python_accept(p, "or"))
        x = logic(p, false, x, read_and(p));
    return x;
}

struct hone_python_part hone_python_read(parser *p)
{
    if (++p->nesting > HONE_PYTHON_NESTING_MAX)
        hone_python_fail(p, HONE_ELIMIT, "more than %d levels of nesting",
                         HONE_PYTHON_NESTING_MAX);
    part x = p->status != HONE_OK ? nothing : read_or(p);
    p->nesting--;
    return x;
}
