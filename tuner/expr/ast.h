/* The parsed form of an expression: operators, nodes, and struct hone_expr itself. The
 * parser fills nodes, hone_code_emit turns them into code, hone_expr_eval runs the code,
 * and the C printer walks the nodes. */
#ifndef HONE_EXPR_AST_H
#define HONE_EXPR_AST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "hone/expr.h"

/* Operators of nodes; all but the leaves and those after OP_SQRT are instructions too. */
enum expr_op {
    OP_CONST, /* a: constant */
    OP_VAR,   /* a: variable */
    OP_NEG,
    OP_NOT,
    OP_BNOT,
    OP_ADD,
    OP_SUB,
    OP_MUL,
    OP_DIV,
    OP_IDIV,
    OP_MOD,
    OP_POW,
    OP_BAND,
    OP_BOR,
    OP_BXOR,
    OP_SHL,
    OP_SHR,
    OP_EQ,
    OP_NE,
    OP_LT,
    OP_LE,
    OP_GT, /* as an instruction: LT with its operands exchanged */
    OP_GE,
    OP_MIN, /* of more than two: nested to the left; of one: b is HONE_NO_NODE */
    OP_MAX,
    OP_ABS,
    OP_CEIL_DIV,
    OP_ROUND_UP,
    OP_IS_POW2,
    OP_LOG2,
    OP_SQRT,
    OP_AND,
    OP_OR,
    OP_CHAIN, /* a: comparison or chain; b: comparison whose first operand is a's last */
    OP_MOVE,  /* instructions only, from here on */
    OP_JUMP_FALSE,
    OP_JUMP_TRUE,
    OP_RETURN
};

enum {
    HONE_EXPR_MAX_BYTES = 65535, /* length of a text */
    HONE_EXPR_MAX_NESTING = 200, /* brackets, unary operators, right operands; as Lua's */
    HONE_EXPR_MAX_HEIGHT = 1000, /* of the tree: a + b + c + ... */
    HONE_EXPR_MAX_TEMPS = 512    /* two a nesting level at most, and some */
};
#define HONE_NO_NODE UINT32_MAX

struct expr_node {
    uint8_t op;
    bool bracketed;  /* (a < b) < c is no chain */
    uint16_t height; /* 1 for a leaf */
    uint32_t a, b;
    uint32_t begin, end; /* bytes of the text, brackets included */
};

/* An operand is a space in the two upper bits and an index in it. */
enum operand_space { IN_SLOTS, IN_CONSTS, IN_TEMPS };
#define HONE_OPERAND_SHIFT 30
#define HONE_OPERAND_MASK  ((1U << HONE_OPERAND_SHIFT) - 1)

struct expr_instr {
    uint32_t op;
    uint32_t dst; /* temp, or where a jump goes */
    uint32_t a, b;
};

struct hone_expr {
    struct hone_arena arena; /* everything below */
    char *text;
    struct expr_node *nodes;
    struct hone_value *consts; /* never NULL */
    char **vars;
    uint32_t *slots; /* by variable */
    struct expr_instr *code;
    uint32_t *origins; /* node of each instruction, for messages */
    uint32_t node_count, const_count, var_count, code_count;
    uint32_t root;
};

/* Fill nodes, constants and variables from expr->text. */
enum hone_status hone_expr_parse(struct hone_expr *expr, struct hone_error *err);

/* (Re)write code from nodes and slots. code and origins have room for hone_code_room. */
size_t hone_code_room(const struct hone_expr *expr);
void hone_code_emit(struct hone_expr *expr);

/* The text between two bytes for a message: one line, cut to the buffer. Returns buf. */
const char *hone_expr_quote(char *buf, size_t size, const char *text, uint32_t begin,
                            uint32_t end);

static inline bool hone_op_is_order(unsigned op)
{
    return op == OP_LT || op == OP_LE || op == OP_GT || op == OP_GE;
}

/* a > b is b < a. True: *op was > or >= and is < or <= now, of the operands exchanged. */
static inline bool hone_op_exchange(unsigned *op)
{
    const bool exchange = *op == OP_GT || *op == OP_GE;
    if (exchange) *op = *op == OP_GT ? OP_LT : OP_LE;
    return exchange;
}

#endif
