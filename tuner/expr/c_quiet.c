// Comparisons of a thing with itself, with what its type cannot hold, or of its bits with
// others; two comparisons that nothing or everything passes; 2 ^ 8, which looks like a
// power. An expression of a script may be all that, and the header that it is printed
// into is compiled by its users with warnings as errors: -Wtautological-compare,
// -Wtautological-overlap-compare, -Wtautological-bitwise-compare, -Wtype-limits,
// -Wtautological-constant-out-of-range-compare, -Wconstant-logical-operand,
// -Wxor-used-as-pow.
#include "c_quiet.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/one_of.h"

static const char *const relations[] = {" == ", " != ", " < ", " <= ", " > ", " >= "};
enum relation { EQ, NE, LT, LE, GT, GE, RELATIONS };

static enum relation relation_of(const char *symbol)
{
    enum relation r = EQ;
    while (r < RELATIONS && strncmp(symbol, relations[r], strlen(relations[r])) != 0)
        r++;
    return r;
}

static bool is_same(struct hone_c_part a, struct hone_c_part b)
{
    return a.len == b.len && memcmp(a.text, b.text, a.len) == 0;
}

// An integer as print_c.c writes it; the least one is an expression.
static bool read_literal(struct hone_c_part part, int64_t *value)
{
    char text[32], *end;
    static const char least[] = "(-9223372036854775807 - 1)";
    *value = INT64_MIN;
    if (part.len == sizeof least - 1 && memcmp(part.text, least, part.len) == 0)
        return true;
    if (part.len == 0 || part.len >= sizeof text) return false;
    memcpy(text, part.text, part.len);
    text[part.len] = '\0';
    *value = strtoll(text, &end, 10);
    return *end == '\0';
}

static bool has_bits(struct hone_c_part part)
{
    for (size_t i = 0; i + 3 <= part.len; i++)
        if (part.text[i] == ' ' && part.text[i + 2] == ' ' &&
            hone_one_of(part.text[i + 1], "&|^"))
            return true;
    return false;
}

// Fields may be int, and a literal may be beyond that.
static bool relation_warns(struct hone_c_part left, struct hone_c_part right)
{
    int64_t value = 0;
    const bool of_left = read_literal(left, &value);
    if (is_same(left, right)) return true;
    if (!of_left && !read_literal(right, &value)) return false;
    return value < INT32_MIN || value > INT32_MAX || has_bits(left) || has_bits(right);
}

// --- two comparisons ---

// "X relation literal" or the other way round, in brackets or not.
struct comparison {
    struct hone_c_part operand;
    enum relation relation;
    int64_t literal;
};

static enum relation mirrored(enum relation r)
{
    static const enum relation by[RELATIONS] = {EQ, NE, GT, GE, LT, LE};
    return by[r];
}

static struct hone_c_part within_brackets(struct hone_c_part part)
{
    size_t depth = 0, i = 0;
    if (!part.len || part.text[0] != '(') return part;
    for (; i < part.len; i++) {
        depth += part.text[i] == '(';
        depth -= part.text[i] == ')';
        if (!depth) break;
    }
    if (i + 1 != part.len) return part;
    return (struct hone_c_part){part.text + 1, part.len - 2};
}

static bool read_comparison(struct hone_c_part part, struct comparison *out)
{
    size_t depth = 0;
    part = within_brackets(part);
    for (size_t i = 0; i < part.len; i++) {
        depth += part.text[i] == '(';
        depth -= part.text[i] == ')';
        if (depth || part.text[i] != ' ') continue;
        out->relation = relation_of(part.text + i);
        if (out->relation == RELATIONS) return false;
        const size_t next = i + strlen(relations[out->relation]);
        const struct hone_c_part a = {part.text, i};
        const struct hone_c_part b = {part.text + next, part.len - next};
        out->operand = a;
        if (read_literal(b, &out->literal)) return true;
        out->operand = b;
        out->relation = mirrored(out->relation);
        return read_literal(a, &out->literal);
    }
    return false;
}

// Whether the integer before (-1), at (0) or after (1) another passes.
static bool holds(const struct comparison *c, int64_t other, int by)
{
    // Apart from the next ones, integers beside another lie on its side of the literal.
    const bool is_next = (other < c->literal && c->literal - 1 == other && by > 0) ||
                         (other > c->literal && c->literal + 1 == other && by < 0);
    int order = other < c->literal ? -1 : other > c->literal;
    if (order == 0) order = by;
    if (is_next) order = 0;
    static const bool passes[RELATIONS][3] = {
        // less, equal, greater
        [EQ] = {false, true, false}, [NE] = {true, false, true},
        [LT] = {true, false, false}, [LE] = {true, true, false},
        [GT] = {false, false, true}, [GE] = {false, true, true}};
    return passes[c->relation][order + 1];
}

// What the two literals and their neighbours give, every integer gives.
static bool pair_warns(struct hone_c_part left, bool is_and, struct hone_c_part right)
{
    struct comparison a, b;
    if (!read_comparison(left, &a) || !read_comparison(right, &b)) return false;
    if (!is_same(a.operand, b.operand)) return false;
    bool any = false, all = true;
    for (int by = -1; by <= 1; by++)
        for (int of = 0; of < 2; of++) {
            const int64_t at = of ? b.literal : a.literal;
            const bool x = holds(&a, at, by), y = holds(&b, at, by);
            any |= is_and ? x && y : x || y;
            all &= is_and ? x && y : x || y;
        }
    return !any || all;
}

enum hone_c_warning hone_c_warns(struct hone_c_part left, const char *symbol,
                                 struct hone_c_part right)
{
    int64_t ignored;
    bool warns = false;
    const bool is_and = strcmp(symbol, " && ") == 0;
    const bool is_literal = read_literal(right, &ignored);
    if (is_and || strcmp(symbol, " || ") == 0) {
        if (is_literal) return HONE_C_OF_RIGHT;
        warns = pair_warns(left, is_and, right);
    } else if (relation_of(symbol) < RELATIONS) {
        warns = relation_warns(left, right);
    } else if (strcmp(symbol, " ^ ") == 0) {
        warns = is_literal && read_literal(left, &ignored);
    }
    return warns ? HONE_C_OF_LEFT : HONE_C_NO_WARNING;
}
