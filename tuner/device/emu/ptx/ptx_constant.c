// Constant expressions: PTX ISA 9.0, section 4.5.5. Integers have 64 bits and C's
// operators and their order; what ptxas 13.0 makes of them counts where the text is
// silent: a remainder is one of unsigned integers.
#include "ptx_parser.h"

#include <string.h>

enum { MAX_DEPTH = 64 };

static struct ptx_constant integer(uint64_t bits)
{
    return (struct ptx_constant){.kind = PTX_SIGNED, .bits = bits};
}

static double to_double(const struct ptx_constant *c)
{
    double wide;
    if (c->kind == PTX_SIGNED) return (double)(int64_t)c->bits;
    if (c->kind == PTX_UNSIGNED) return (double)c->bits;
    if (c->single) {
        const uint32_t bits = (uint32_t)c->bits;
        float narrow;
        memcpy(&narrow, &bits, sizeof narrow);
        return (double)narrow;
    }
    memcpy(&wide, &c->bits, sizeof wide);
    return wide;
}

static struct ptx_constant real(double value)
{
    struct ptx_constant c = {.kind = PTX_REAL};
    memcpy(&c.bits, &value, sizeof value);
    return c;
}

static bool is_true(const struct ptx_constant *c)
{
    return c->kind == PTX_REAL ? to_double(c) != 0 : c->bits != 0;
}

// ---- operators ----

enum operator{
    OR,
    AND,
    BIT_OR,
    BIT_XOR,
    BIT_AND,
    EQUAL,
    UNEQUAL,
    LESS_EQUAL,
    GREATER_EQUAL,
    LEFT,
    RIGHT,
    LESS,
    GREATER,
    PLUS,
    MINUS,
    TIMES,
    OVER,
    REMAINDER,
    OPERATORS
};

// Those of two signs stand before those of one that begin like them.
static const struct {
    char text[3];
    int precedence;
} operators[OPERATORS] = {
    [OR] = {"||", 1},      [AND] = {"&&", 2},        [BIT_OR] = {"|", 3},
    [BIT_XOR] = {"^", 4},  [BIT_AND] = {"&", 5},     [EQUAL] = {"==", 6},
    [UNEQUAL] = {"!=", 6}, [LESS_EQUAL] = {"<=", 7}, [GREATER_EQUAL] = {">=", 7},
    [LEFT] = {"<<", 8},    [RIGHT] = {">>", 8},      [LESS] = {"<", 7},
    [GREATER] = {">", 7},  [PLUS] = {"+", 9},        [MINUS] = {"-", 9},
    [TIMES] = {"*", 10},   [OVER] = {"/", 10},       [REMAINDER] = {"%", 10},
};

// The operator that the next token, and the sign right behind it, are.
static enum operator next_operator(const struct ptx_parser *parser)
{
    const struct ptx_lexer *lexer = &parser->lexer;
    if (parser->token.kind != PTX_PUNCT) return OPERATORS;
    const char signs[2] = {parser->token.text[0],
                           lexer->at < lexer->end ? *lexer->at : '\0'};
    for (int k = 0; k < OPERATORS; k++)
        if (strncmp(operators[k].text, signs, strlen(operators[k].text)) == 0)
            return (enum operator)k;
    return OPERATORS;
}

static struct ptx_constant of_reals(struct ptx_parser *parser, enum operator op, double a,
                                    double b)
{
    switch ((int)op) {
    case EQUAL:
        return integer(a == b);
    case UNEQUAL:
        return integer(a != b);
    case LESS_EQUAL:
        return integer(a <= b);
    case GREATER_EQUAL:
        return integer(a >= b);
    case LESS:
        return integer(a < b);
    case GREATER:
        return integer(a > b);
    case PLUS:
        return real(a + b);
    case MINUS:
        return real(a - b);
    case TIMES:
        return real(a * b);
    case OVER:
        return real(a / b);
    default:
        hone_ptx_unexpected(parser, "integers");
        return real(0);
    }
}

static uint64_t quotient(uint64_t a, uint64_t b, bool is_signed)
{
    if (!is_signed) return a / b;
    if (b == UINT64_MAX) return 0 - a; // the least integer has no other
    return (uint64_t)((int64_t)a / (int64_t)b);
}

static uint64_t shifted(enum operator op, uint64_t a, uint64_t b, bool is_signed)
{
    const bool fills = op == RIGHT && is_signed && a >> 63;
    if (b > 63) return fills ? UINT64_MAX : 0;
    if (op == LEFT) return a << b;
    return a >> b | (fills && b ? UINT64_MAX << (64 - b) : 0);
}

static bool less(uint64_t a, uint64_t b, bool is_signed)
{
    const uint64_t flip = is_signed ? UINT64_C(1) << 63 : 0;
    return (a ^ flip) < (b ^ flip);
}

static uint64_t of_integers(struct ptx_parser *parser, enum operator op, uint64_t a,
                            uint64_t b, bool is_signed)
{
    if ((op == OVER || op == REMAINDER) && b == 0) {
        hone_ptx_unexpected(parser, "a divisor that is not 0");
        return 0;
    }
    switch ((int)op) {
    case BIT_OR:
        return a | b;
    case BIT_XOR:
        return a ^ b;
    case BIT_AND:
        return a & b;
    case EQUAL:
        return a == b;
    case UNEQUAL:
        return a != b;
    case LESS_EQUAL:
        return !less(b, a, is_signed);
    case GREATER_EQUAL:
        return !less(a, b, is_signed);
    case LESS:
        return less(a, b, is_signed);
    case GREATER:
        return less(b, a, is_signed);
    case PLUS:
        return a + b;
    case MINUS:
        return a - b;
    case TIMES:
        return a * b;
    case OVER:
        return quotient(a, b, is_signed);
    default:
        return a % b;
    }
}

static bool compares(enum operator op)
{
    return op >= EQUAL && op <= GREATER && op != LEFT && op != RIGHT;
}

static struct ptx_constant of_operands(struct ptx_parser *parser, enum operator op,
                                       const struct ptx_constant *a,
                                       const struct ptx_constant *b)
{
    if (op == OR || op == AND) {
        const bool first = is_true(a), second = is_true(b);
        return integer(op == OR ? first || second : first && second);
    }
    if (a->kind == PTX_REAL || b->kind == PTX_REAL)
        return of_reals(parser, op, to_double(a), to_double(b));
    if (op == LEFT || op == RIGHT)
        return (struct ptx_constant){
            .kind = a->kind,
            .bits = shifted(op, a->bits, b->bits, a->kind == PTX_SIGNED)};
    const bool is_signed = a->kind == PTX_SIGNED && b->kind == PTX_SIGNED;
    return (struct ptx_constant){
        .kind = is_signed || compares(op) ? PTX_SIGNED : PTX_UNSIGNED,
        .bits = of_integers(parser, op, a->bits, b->bits, is_signed)};
}

// ---- the text ----

static struct ptx_constant parse_choice(struct ptx_parser *parser, unsigned depth);

// A literal; WARP_SZ is one.
static struct ptx_constant parse_literal(struct ptx_parser *parser)
{
    const struct ptx_token token = parser->token;
    struct ptx_constant c = {.bits = token.bits, .single = token.single};
    const bool warp = hone_ptx_token_is(&token, "WARP_SZ");
    if (warp)
        c.bits = 32;
    else if (token.kind == PTX_FLOAT)
        c.kind = PTX_REAL;
    else if (token.kind == PTX_INT)
        c.kind = token.is_unsigned ? PTX_UNSIGNED : PTX_SIGNED;
    else
        hone_ptx_unexpected(parser, "an operand");
    hone_ptx_advance(parser);
    return c;
}

static struct ptx_constant negative(const struct ptx_constant *c)
{
    struct ptx_constant result = *c;
    if (c->kind == PTX_REAL)
        result.bits ^= UINT64_C(1) << (c->single ? 31 : 63);
    else
        result.bits = 0 - c->bits;
    return result;
}

static struct ptx_constant parse_unary(struct ptx_parser *parser, unsigned depth)
{
    if (depth > MAX_DEPTH) hone_ptx_unexpected(parser, "less nesting");
    if (hone_ptx_accept(parser, '-')) {
        const struct ptx_constant c = parse_unary(parser, depth + 1);
        return negative(&c);
    }
    if (hone_ptx_accept(parser, '+')) return parse_unary(parser, depth + 1);
    if (hone_ptx_accept(parser, '~')) {
        struct ptx_constant c = parse_unary(parser, depth + 1);
        c.bits = ~c.bits;
        return c;
    }
    if (hone_ptx_accept(parser, '!')) {
        const struct ptx_constant c = parse_unary(parser, depth + 1);
        return integer(!is_true(&c));
    }
    if (!hone_ptx_accept(parser, '(')) return parse_literal(parser);
    if (parser->token.kind == PTX_DIRECTIVE) { // (.s64) or (.u64)
        const bool is_signed = hone_ptx_token_is(&parser->token, "s64");
        hone_ptx_advance(parser);
        hone_ptx_expect(parser, ')');
        struct ptx_constant c = parse_unary(parser, depth + 1);
        c.kind = is_signed ? PTX_SIGNED : PTX_UNSIGNED;
        return c;
    }
    const struct ptx_constant c = parse_choice(parser, depth + 1);
    hone_ptx_expect(parser, ')');
    return c;
}

// Operators that bind at least as much as least.
static struct ptx_constant parse_binary(struct ptx_parser *parser, int least,
                                        unsigned depth)
{
    struct ptx_constant left = parse_unary(parser, depth);
    for (;;) {
        const enum operator op = next_operator(parser);
        if (op == OPERATORS || operators[op].precedence < least) return left;
        hone_ptx_advance(parser);
        if (operators[op].text[1]) hone_ptx_advance(parser);
        const struct ptx_constant right =
            parse_binary(parser, operators[op].precedence + 1, depth + 1);
        left = of_operands(parser, op, &left, &right);
    }
}

static struct ptx_constant parse_choice(struct ptx_parser *parser, unsigned depth)
{
    struct ptx_constant c = parse_binary(parser, 1, depth);
    if (!hone_ptx_accept(parser, '?')) return c;
    const struct ptx_constant yes = parse_choice(parser, depth + 1);
    hone_ptx_expect(parser, ':');
    const struct ptx_constant no = parse_choice(parser, depth + 1);
    return is_true(&c) ? yes : no;
}

struct ptx_constant hone_ptx_parse_constant(struct ptx_parser *parser)
{
    return parse_choice(parser, 0);
}
