// The parser: operator precedence (Pratt 1973) with the priorities of Lua 5.4's
// lparser.c. Nodes are written children first; a failure travels up as HONE_NO_NODE.
#include <stdio.h>
#include <string.h>

#include "ast.h"
#include "base/identifier.h"
#include "base/suggest.h"
#include "lex.h"

struct parser {
    struct hone_expr *expr;
    struct expr_lexer lexer;
    enum hone_status status;
    unsigned nesting;
};

static const struct {
    uint8_t left, right; // right < left: associates to the right
} priority[] = {
    [OP_OR] = {1, 1},    [OP_AND] = {2, 2},    [OP_EQ] = {3, 3},    [OP_NE] = {3, 3},
    [OP_LT] = {3, 3},    [OP_LE] = {3, 3},     [OP_GT] = {3, 3},    [OP_GE] = {3, 3},
    [OP_BOR] = {4, 4},   [OP_BXOR] = {5, 5},   [OP_BAND] = {6, 6},  [OP_SHL] = {7, 7},
    [OP_SHR] = {7, 7},   [OP_ADD] = {10, 10},  [OP_SUB] = {10, 10}, [OP_MUL] = {11, 11},
    [OP_DIV] = {11, 11}, [OP_IDIV] = {11, 11}, [OP_MOD] = {11, 11}, [OP_POW] = {14, 13},
};
enum { UNARY_PRIORITY = 12 };

static const struct {
    enum expr_op op;
    unsigned least, most; // arguments
} functions[] = {
    {OP_MIN, 1, UINT32_MAX}, {OP_MAX, 1, UINT32_MAX}, {OP_ABS, 1, 1},
    {OP_CEIL_DIV, 2, 2},     {OP_ROUND_UP, 2, 2},     {OP_IS_POW2, 1, 1},
    {OP_LOG2, 1, 1},         {OP_SQRT, 1, 1},
};
static const char *const function_names[] = {"min",      "max",     "abs",  "ceil_div",
                                             "round_up", "is_pow2", "log2", "sqrt"};
enum { FUNCTIONS = sizeof functions / sizeof functions[0] };

static uint32_t parse_expression(struct parser *parser, unsigned limit);

static uint32_t stop(struct parser *parser, enum hone_status status)
{
    if (parser->status == HONE_OK) parser->status = status;
    return HONE_NO_NODE;
}

static bool step(struct parser *parser)
{
    enum hone_status status = hone_lex(&parser->lexer);
    if (status != HONE_OK) stop(parser, status);
    return status == HONE_OK;
}

static unsigned height(const struct hone_expr *expr, uint32_t node)
{
    return node == HONE_NO_NODE ? 0 : expr->nodes[node].height;
}

static uint32_t add_node(struct parser *parser, enum expr_op op, uint32_t a, uint32_t b,
                         uint32_t begin)
{
    struct hone_expr *expr = parser->expr;
    bool leaf = op == OP_CONST || op == OP_VAR;
    unsigned left = leaf ? 0 : height(expr, a), right = leaf ? 0 : height(expr, b);
    unsigned above = (left > right ? left : right) + 1;
    if (above > HONE_EXPR_MAX_HEIGHT)
        return stop(parser, hone_fail_at(parser->lexer.err, HONE_ELIMIT, expr->text, 0,
                                         "expression has more than %d operators in a row",
                                         HONE_EXPR_MAX_HEIGHT));
    expr->nodes[expr->node_count] = (struct expr_node){.op = (uint8_t)op,
                                                       .height = (uint16_t)above,
                                                       .a = a,
                                                       .b = b,
                                                       .begin = begin,
                                                       .end = parser->lexer.last_end};
    return expr->node_count++;
}

static const char *token_text(const struct parser *parser, char *buf, size_t size)
{
    const struct expr_lexer *lexer = &parser->lexer;
    if (lexer->kind == TOK_END) return "the end";
    char quoted[48];
    hone_expr_quote(quoted, sizeof quoted, lexer->text, lexer->begin, lexer->end);
    snprintf(buf, size, "'%s'", quoted);
    return buf;
}

static uint32_t expected(struct parser *parser, const char *what)
{
    char buf[56];
    return stop(parser, hone_lex_fail(&parser->lexer, parser->lexer.begin,
                                      "expected %s, found %s", what,
                                      token_text(parser, buf, sizeof buf)));
}

static uint32_t parse_constant(struct parser *parser)
{
    struct hone_expr *expr = parser->expr;
    uint32_t begin = parser->lexer.begin;
    expr->consts[expr->const_count] = parser->lexer.value;
    if (!step(parser)) return HONE_NO_NODE;
    return add_node(parser, OP_CONST, expr->const_count++, HONE_NO_NODE, begin);
}

static uint32_t find_var(const struct hone_expr *expr, const char *name, size_t len)
{
    uint32_t i = 0;
    while (i < expr->var_count &&
           (strlen(expr->vars[i]) != len || memcmp(expr->vars[i], name, len) != 0))
        i++;
    return i;
}

static uint32_t parse_variable(struct parser *parser, uint32_t begin, size_t len)
{
    struct hone_expr *expr = parser->expr;
    const char *name = expr->text + begin;
    uint32_t i = find_var(expr, name, len);
    if (i == expr->var_count) {
        char *copy = hone_arena_alloc(&expr->arena, len + 1);
        if (!copy) return stop(parser, HONE_ENOMEM);
        memcpy(copy, name, len);
        expr->vars[i] = copy;
        expr->slots[i] = i;
        expr->var_count++;
    }
    return add_node(parser, OP_VAR, i, HONE_NO_NODE, begin);
}

static uint32_t unknown_function(struct parser *parser, uint32_t begin, const char *name)
{
    const char *near = hone_suggest(name, function_names, FUNCTIONS);
    if (strncmp(name, "math.", 5) == 0)
        near = hone_suggest(name + 5, function_names, FUNCTIONS);
    return stop(parser,
                near ? hone_lex_fail(&parser->lexer, begin,
                                     "unknown function '%s', did you mean '%s'?", name,
                                     near)
                     : hone_lex_fail(&parser->lexer, begin,
                                     "unknown function '%s' (there are min max abs "
                                     "ceil_div round_up is_pow2 log2 sqrt)",
                                     name));
}

static uint32_t find_function(struct parser *parser, uint32_t begin, uint32_t end)
{
    char name[64];
    hone_expr_quote(name, sizeof name, parser->expr->text, begin, end);
    for (uint32_t i = 0; i < FUNCTIONS; i++)
        if (strcmp(name, function_names[i]) == 0) return i;
    return unknown_function(parser, begin, name);
}

static uint32_t wrong_arguments(struct parser *parser, uint32_t begin, uint32_t function,
                                unsigned count)
{
    unsigned least = functions[function].least;
    return stop(parser,
                hone_lex_fail(&parser->lexer, begin, "%s takes %s%u argument%s, not %u",
                              function_names[function],
                              functions[function].most == least ? "" : "at least ", least,
                              least == 1 ? "" : "s", count));
}

// Up to the closing bracket. Arguments beyond the second fold to the left: min(a, b, c)
// is min(min(a, b), c), which is how math.min goes about it.
static uint32_t parse_arguments(struct parser *parser, enum expr_op op, uint32_t begin,
                                unsigned *count)
{
    uint32_t folded = HONE_NO_NODE;
    for (*count = 0; parser->lexer.kind != TOK_CLOSE; ++*count) {
        bool first = *count == 0;
        if (!first && parser->lexer.kind != TOK_COMMA)
            return expected(parser, "',' or ')'");
        if (!first && !step(parser)) return HONE_NO_NODE;
        uint32_t argument = parse_expression(parser, 0);
        if (argument == HONE_NO_NODE) return HONE_NO_NODE;
        folded = first ? argument : add_node(parser, op, folded, argument, begin);
        if (folded == HONE_NO_NODE) return HONE_NO_NODE;
    }
    step(parser);
    return folded;
}

// The current token is the opening bracket.
static uint32_t parse_call(struct parser *parser, uint32_t begin, uint32_t name_end)
{
    uint32_t function = find_function(parser, begin, name_end);
    if (function == HONE_NO_NODE || !step(parser)) return HONE_NO_NODE;
    enum expr_op op = functions[function].op;
    unsigned count;
    uint32_t folded = parse_arguments(parser, op, begin, &count);
    if (parser->status != HONE_OK) return HONE_NO_NODE;
    if (count < functions[function].least || count > functions[function].most)
        return wrong_arguments(parser, begin, function, count);
    if (count == 1) return add_node(parser, op, folded, HONE_NO_NODE, begin);
    struct expr_node *nodes = parser->expr->nodes;
    for (uint32_t node = folded; count > 1; node = nodes[node].a, count--)
        nodes[node].end = parser->lexer.last_end;
    return folded;
}

static uint32_t parse_name(struct parser *parser)
{
    uint32_t begin = parser->lexer.begin, end = parser->lexer.end;
    if (!step(parser)) return HONE_NO_NODE;
    if (parser->lexer.kind == TOK_OPEN) return parse_call(parser, begin, end);
    return parse_variable(parser, begin, end - begin);
}

static uint32_t parse_brackets(struct parser *parser)
{
    uint32_t begin = parser->lexer.begin;
    if (!step(parser)) return HONE_NO_NODE;
    uint32_t inner = parse_expression(parser, 0);
    if (inner == HONE_NO_NODE) return HONE_NO_NODE;
    if (parser->lexer.kind != TOK_CLOSE) return expected(parser, "')'");
    if (!step(parser)) return HONE_NO_NODE;
    struct expr_node *node = &parser->expr->nodes[inner];
    node->bracketed = true;
    node->begin = begin;
    node->end = parser->lexer.last_end;
    return inner;
}

static uint32_t parse_unary(struct parser *parser, enum expr_op op)
{
    uint32_t begin = parser->lexer.begin;
    if (!step(parser)) return HONE_NO_NODE;
    uint32_t operand = parse_expression(parser, UNARY_PRIORITY);
    if (operand == HONE_NO_NODE) return HONE_NO_NODE;
    return add_node(parser, op, operand, HONE_NO_NODE, begin);
}

static uint32_t parse_operand(struct parser *parser)
{
    switch (parser->lexer.kind) {
    case TOK_NOT:
        return parse_unary(parser, OP_NOT);
    case TOK_MINUS:
        return parse_unary(parser, OP_NEG);
    case TOK_TILDE:
        return parse_unary(parser, OP_BNOT);
    case TOK_CONST:
        return parse_constant(parser);
    case TOK_NAME:
        return parse_name(parser);
    case TOK_OPEN:
        return parse_brackets(parser);
    case TOK_END:
    case TOK_CLOSE:
    case TOK_COMMA:
    case TOK_BINARY:
        break;
    }
    return expected(parser, "a value");
}

// a < b <= c: the comparison on the left ends in b, which the one on the right shares.
static uint32_t parse_join(struct parser *parser, enum expr_op op, uint32_t left,
                           uint32_t right)
{
    const struct expr_node *node = &parser->expr->nodes[left];
    uint32_t begin = node->begin;
    bool chain = hone_op_is_order(op) && !node->bracketed &&
                 (hone_op_is_order(node->op) || node->op == OP_CHAIN);
    if (!chain) return add_node(parser, op, left, right, begin);
    const struct expr_node *last =
        node->op == OP_CHAIN ? &parser->expr->nodes[node->b] : node;
    uint32_t shared = last->b;
    uint32_t comparison =
        add_node(parser, op, shared, right, parser->expr->nodes[shared].begin);
    if (comparison == HONE_NO_NODE) return HONE_NO_NODE;
    return add_node(parser, OP_CHAIN, left, comparison, begin);
}

static bool is_binary(enum expr_token kind)
{
    return kind == TOK_BINARY || kind == TOK_MINUS || kind == TOK_TILDE;
}

static uint32_t parse_expression(struct parser *parser, unsigned limit)
{
    if (++parser->nesting > HONE_EXPR_MAX_NESTING)
        return stop(parser,
                    hone_fail_at(parser->lexer.err, HONE_ELIMIT, parser->expr->text, 0,
                                 "expression nests deeper than %d levels",
                                 HONE_EXPR_MAX_NESTING));
    uint32_t left = parse_operand(parser);
    while (left != HONE_NO_NODE && is_binary(parser->lexer.kind)) {
        enum expr_op op = parser->lexer.op;
        if (priority[op].left <= limit) break;
        if (!step(parser)) return HONE_NO_NODE;
        uint32_t right = parse_expression(parser, priority[op].right);
        if (right == HONE_NO_NODE) return HONE_NO_NODE;
        left = parse_join(parser, op, left, right);
    }
    parser->nesting--;
    return left;
}

// Every constant, variable and operator in letters begins a word or a string, and is one
// node; other operators are one, or two in a chain.
static bool reserve(struct hone_expr *expr)
{
    size_t words = 1, others = 0;
    bool in_word = false;
    for (const char *c = expr->text; *c; c++) {
        const bool is_part = hone_is_name_part(*c);
        words += (is_part && !in_word) || *c == '\'' || *c == '"';
        others += !is_part && *c != ' ' && *c != '(' && *c != ')';
        in_word = is_part;
    }
    expr->nodes = hone_arena_array(&expr->arena, words + 2 * others, sizeof *expr->nodes);
    expr->consts = hone_arena_array(&expr->arena, words, sizeof *expr->consts);
    expr->vars = hone_arena_array(&expr->arena, words, sizeof *expr->vars);
    expr->slots = hone_arena_array(&expr->arena, words, sizeof *expr->slots);
    return expr->nodes && expr->consts && expr->vars && expr->slots;
}

enum hone_status hone_expr_parse(struct hone_expr *expr, struct hone_error *err)
{
    struct parser parser = {
        .expr = expr,
        .lexer = {.text = expr->text, .arena = &expr->arena, .err = err},
    };
    if (strlen(expr->text) > HONE_EXPR_MAX_BYTES)
        return hone_fail_at(err, HONE_ELIMIT, expr->text, 0,
                            "expression is longer than %d bytes", HONE_EXPR_MAX_BYTES);
    if (!reserve(expr)) return hone_no_memory(err, "for an expression");
    if (step(&parser) && parser.lexer.kind == TOK_END)
        return hone_fail_at(err, HONE_EINPUT, expr->text, 0, "expression is empty");
    if (parser.status == HONE_OK) expr->root = parse_expression(&parser, 0);
    if (parser.status == HONE_OK && parser.lexer.kind != TOK_END)
        expected(&parser, "an operator");
    if (parser.status == HONE_ENOMEM) return hone_no_memory(err, "for an expression");
    return parser.status;
}
