// Code for a register machine: an instruction reads two operands from slots, constants or
// temporaries and writes a temporary, so that "A % (B * C) == 0" is three instructions.
#include <assert.h>

#include "ast.h"

static uint32_t operand(enum operand_space space, uint32_t i)
{
    return (uint32_t)space << HONE_OPERAND_SHIFT | i;
}

static bool is_temp(uint32_t operand)
{
    return operand >> HONE_OPERAND_SHIFT == IN_TEMPS;
}

static uint32_t write_node(struct hone_expr *expr, uint32_t node, uint32_t temp);

static uint32_t emit(struct hone_expr *expr, uint32_t node, struct expr_instr instr)
{
    expr->code[expr->code_count] = instr;
    expr->origins[expr->code_count] = node;
    return expr->code_count++;
}

static uint32_t emit_value(struct hone_expr *expr, uint32_t node, struct expr_instr instr)
{
    assert(instr.dst < HONE_EXPR_MAX_TEMPS);
    emit(expr, node, instr);
    return operand(IN_TEMPS, instr.dst);
}

static uint32_t emit_jump(struct hone_expr *expr, uint32_t node, enum expr_op op,
                          uint32_t a)
{
    return emit(expr, node,
                (struct expr_instr){.op = op, .a = a, .b = operand(IN_CONSTS, 0)});
}

static void land(struct hone_expr *expr, uint32_t jump)
{
    expr->code[jump].dst = expr->code_count;
}

static uint32_t emit_binary(struct hone_expr *expr, uint32_t node, uint32_t temp,
                            uint32_t a, uint32_t b)
{
    unsigned op = expr->nodes[node].op;
    const bool exchange = hone_op_exchange(&op);
    return emit_value(
        expr, node,
        (struct expr_instr){
            .op = op, .dst = temp, .a = exchange ? b : a, .b = exchange ? a : b});
}

static uint32_t write_operator(struct hone_expr *expr, uint32_t node, uint32_t temp)
{
    const struct expr_node *n = &expr->nodes[node];
    uint32_t a = write_node(expr, n->a, temp), b = a;
    if (n->b != HONE_NO_NODE) b = write_node(expr, n->b, is_temp(a) ? temp + 1 : temp);
    return emit_binary(expr, node, temp, a, b);
}

static uint32_t move_to(struct hone_expr *expr, uint32_t node, uint32_t temp,
                        uint32_t value)
{
    if (value == operand(IN_TEMPS, temp)) return value;
    return emit_value(
        expr, node,
        (struct expr_instr){
            .op = OP_MOVE, .dst = temp, .a = value, .b = operand(IN_CONSTS, 0)});
}

static uint32_t write_logic(struct hone_expr *expr, uint32_t node, uint32_t temp)
{
    const struct expr_node *n = &expr->nodes[node];
    move_to(expr, node, temp, write_node(expr, n->a, temp));
    uint32_t jump = emit_jump(expr, node, n->op == OP_AND ? OP_JUMP_FALSE : OP_JUMP_TRUE,
                              operand(IN_TEMPS, temp));
    move_to(expr, node, temp, write_node(expr, n->b, temp));
    land(expr, jump);
    return operand(IN_TEMPS, temp);
}

// The comparisons of a chain, first to last, each with its result in temp. The operand
// that two of them share waits in temp + 1; the one after it is computed above. A
// comparison that fails jumps to the next one's jump, and so on to the end. Returns the
// chain's last operand.
static uint32_t write_chain(struct hone_expr *expr, uint32_t node, uint32_t temp)
{
    const struct expr_node *n = &expr->nodes[node];
    if (n->op != OP_CHAIN) {
        uint32_t a = write_node(expr, n->a, temp + 1);
        uint32_t b = write_node(expr, n->b, temp + 2);
        emit_binary(expr, node, temp, a, b);
        return b;
    }
    uint32_t shared = write_chain(expr, n->a, temp);
    uint32_t jump = emit_jump(expr, node, OP_JUMP_FALSE, operand(IN_TEMPS, temp));
    if (is_temp(shared)) shared = move_to(expr, node, temp + 1, shared);
    uint32_t last = write_node(expr, expr->nodes[n->b].b, temp + 2);
    emit_binary(expr, n->b, temp, shared, last);
    land(expr, jump);
    return last;
}

static uint32_t write_node(struct hone_expr *expr, uint32_t node, uint32_t temp)
{
    const struct expr_node *n = &expr->nodes[node];
    switch (n->op) {
    case OP_CONST:
        return operand(IN_CONSTS, n->a);
    case OP_VAR:
        return operand(IN_SLOTS, expr->slots[n->a]);
    case OP_AND:
    case OP_OR:
        return write_logic(expr, node, temp);
    case OP_CHAIN:
        write_chain(expr, node, temp);
        return operand(IN_TEMPS, temp);
    default:
        return write_operator(expr, node, temp);
    }
}

size_t hone_code_room(const struct hone_expr *expr)
{
    return 3 * (size_t)expr->node_count + 1; // and, or: two moves and a jump
}

void hone_code_emit(struct hone_expr *expr)
{
    expr->code_count = 0;
    uint32_t result = write_node(expr, expr->root, 0);
    emit(expr, expr->root,
         (struct expr_instr){.op = OP_RETURN, .a = result, .b = operand(IN_CONSTS, 0)});
}
