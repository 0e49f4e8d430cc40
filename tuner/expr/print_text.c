// A form for people: C's operators, with no more brackets than the reader needs, whatever
// may overflow or be rounded there. "c and x or y" is c ? x : y, where x cannot be false.
#include "c_types.h"
#include "hone/strbuf.h"
#include "print_c.h"

enum strength {
    CHOICE,
    OR,
    AND,
    BIT_OR,
    BIT_XOR,
    BIT_AND,
    EQUALITY,
    RELATION,
    SHIFT,
    SUM,
    PRODUCT,
    UNARY,
    LEAF
};

static const struct {
    const char *text; // of two operands, or of one; else a function's name
    int strength;
} tokens[] = {
    [OP_NEG] = {"-", UNARY},
    [OP_NOT] = {"!", UNARY},
    [OP_BNOT] = {"~", UNARY},
    [OP_ADD] = {" + ", SUM},
    [OP_SUB] = {" - ", SUM},
    [OP_MUL] = {" * ", PRODUCT},
    [OP_DIV] = {" / ", PRODUCT},
    [OP_IDIV] = {" / ", PRODUCT},
    [OP_MOD] = {" % ", PRODUCT},
    [OP_POW] = {"pow", LEAF},
    [OP_BAND] = {" & ", BIT_AND},
    [OP_BOR] = {" | ", BIT_OR},
    [OP_BXOR] = {" ^ ", BIT_XOR},
    [OP_SHL] = {" << ", SHIFT},
    [OP_SHR] = {" >> ", SHIFT},
    [OP_EQ] = {" == ", EQUALITY},
    [OP_NE] = {" != ", EQUALITY},
    [OP_LT] = {" < ", RELATION},
    [OP_LE] = {" <= ", RELATION},
    [OP_GT] = {" > ", RELATION},
    [OP_GE] = {" >= ", RELATION},
    [OP_MIN] = {"min", LEAF},
    [OP_MAX] = {"max", LEAF},
    [OP_ABS] = {"abs", LEAF},
    [OP_CEIL_DIV] = {"ceil_div", LEAF},
    [OP_ROUND_UP] = {"round_up", LEAF},
    [OP_IS_POW2] = {"is_pow2", LEAF},
    [OP_LOG2] = {"log2", LEAF},
    [OP_SQRT] = {"sqrt", LEAF},
    [OP_AND] = {" && ", AND},
    [OP_OR] = {" || ", OR},
    [OP_CHAIN] = {" && ", AND},
};

struct text {
    const struct hone_c_form *form;
    struct hone_strbuf *out;
};

static void put_node(const struct text *t, uint32_t i, int least);

static void put_constant(const struct text *t, struct hone_value value)
{
    char text[48];
    hone_value_print(text, sizeof text, value);
    hone_strbuf_add(t->out, text);
}

static bool is_number(const struct text *t, uint32_t i, int64_t number)
{
    const struct expr_node *node = &t->form->expr.nodes[i];
    if (node->op != OP_CONST) return false;
    const struct hone_value *value = &t->form->expr.consts[node->a];
    return value->type == HONE_INT && value->i == number;
}

// What 1 * x and x + 0 are; else i.
static uint32_t simple(const struct text *t, uint32_t i)
{
    const struct expr_node *node = &t->form->expr.nodes[i];
    if (node->op == OP_MUL && is_number(t, node->a, 1)) return simple(t, node->b);
    if (node->op == OP_MUL && is_number(t, node->b, 1)) return simple(t, node->a);
    if (node->op == OP_ADD && is_number(t, node->b, 0)) return simple(t, node->a);
    return i;
}

// A variable of which nothing is known has a guard.
static bool is_unknown(const struct text *t, const struct expr_node *node)
{
    return t->form->vars[t->form->expr.slots[node->a]].guard != NULL;
}

static enum hone_type type_of_variable(const struct text *t, const struct expr_node *node)
{
    return t->form->vars[t->form->expr.slots[node->a]].type;
}

// Is the node true or false, whatever its operands are? C takes a number for false where
// it is 0, which the language does not.
static bool is_truth(const struct text *t, uint32_t i)
{
    const struct hone_expr *expr = &t->form->expr;
    const struct expr_node *node = &expr->nodes[i];
    switch (node->op) {
    case OP_CONST:
        return expr->consts[node->a].type == HONE_BOOL;
    case OP_VAR:
        return type_of_variable(t, node) == HONE_BOOL;
    case OP_AND:
    case OP_OR:
        return is_truth(t, node->a) && is_truth(t, node->b);
    case OP_NOT:
    case OP_EQ:
    case OP_NE:
    case OP_LT:
    case OP_LE:
    case OP_GT:
    case OP_GE:
    case OP_CHAIN:
    case OP_IS_POW2:
        return true;
    default:
        return false;
    }
}

// Whatever its operands are, the node is a number.
static bool is_never_false(const struct text *t, uint32_t i)
{
    const struct hone_expr *expr = &t->form->expr;
    const struct expr_node *node = &expr->nodes[i];
    switch (node->op) {
    case OP_CONST:
        return expr->consts[node->a].type <= HONE_FLOAT;
    case OP_VAR:
        return type_of_variable(t, node) <= HONE_FLOAT;
    case OP_AND:
        return is_never_false(t, node->a) && is_never_false(t, node->b);
    case OP_OR:
        return is_never_false(t, node->a) || is_never_false(t, node->b);
    default:
        return !is_truth(t, i);
    }
}

static bool is_choice(const struct text *t, const struct expr_node *node)
{
    const struct expr_node *left = &t->form->expr.nodes[node->a];
    return node->op == OP_OR && left->op == OP_AND && is_never_false(t, left->b);
}

// Does C give the operator's operands the meaning that the language does?
static bool takes_operands(const struct text *t, const struct expr_node *node)
{
    const uint32_t a = node->a, b = node->b == HONE_NO_NODE ? a : node->b;
    const bool truths = is_truth(t, a) && is_truth(t, b);
    switch (node->op) {
    case OP_NOT:
    case OP_AND:
    case OP_OR:
        return truths || is_choice(t, node);
    case OP_EQ:
    case OP_NE:
        return truths || (is_never_false(t, a) && is_never_false(t, b));
    default:
        return true;
    }
}

static bool has_text(const struct text *t, uint32_t i)
{
    const struct expr_node *nodes = t->form->expr.nodes, *node = &nodes[i];
    if (node->op == OP_CONST) return t->form->expr.consts[node->a].type != HONE_STRING;
    if (node->op == OP_VAR)
        return type_of_variable(t, node) != HONE_STRING || is_unknown(t, node);
    if (!takes_operands(t, node)) return false;
    if (is_choice(t, node)) {
        const struct expr_node *left = &nodes[node->a];
        return is_truth(t, left->a) && has_text(t, left->a) && has_text(t, left->b) &&
               has_text(t, node->b);
    }
    return has_text(t, node->a) && (node->b == HONE_NO_NODE || has_text(t, node->b));
}

static void put_call(const struct text *t, const struct expr_node *node)
{
    hone_strbuf_printf(t->out, "%s(", tokens[node->op].text);
    put_node(t, node->a, CHOICE);
    if (node->b != HONE_NO_NODE) hone_strbuf_add(t->out, ", ");
    if (node->b != HONE_NO_NODE) put_node(t, node->b, CHOICE);
    hone_strbuf_add(t->out, ")");
}

static void put_choice(const struct text *t, const struct expr_node *node)
{
    const struct expr_node *left = &t->form->expr.nodes[node->a];
    put_node(t, left->a, OR);
    hone_strbuf_add(t->out, " ? ");
    put_node(t, left->b, OR);
    hone_strbuf_add(t->out, " : ");
    put_node(t, node->b, CHOICE);
}

static void put_operator(const struct text *t, const struct expr_node *node)
{
    const int strength = tokens[node->op].strength;
    if (node->b == HONE_NO_NODE) {
        hone_strbuf_add(t->out, tokens[node->op].text);
        // "--M" is a token of its own
        put_node(t, node->a, node->op == OP_NEG ? LEAF : UNARY);
        return;
    }
    put_node(t, node->a, strength);
    hone_strbuf_add(t->out, tokens[node->op].text);
    put_node(t, node->b, strength + 1);
}

static void put_node(const struct text *t, uint32_t i, int least)
{
    const struct hone_expr *expr = &t->form->expr;
    const struct expr_node *node = &expr->nodes[i = simple(t, i)];
    if (t->out->len > MOST_BYTES) return;
    if (node->op == OP_CONST) {
        put_constant(t, expr->consts[node->a]);
        return;
    }
    if (node->op == OP_VAR) {
        hone_strbuf_add(t->out, t->form->vars[expr->slots[node->a]].text);
        return;
    }
    const bool chooses = is_choice(t, node);
    const int own = chooses ? CHOICE : tokens[node->op].strength;
    hone_strbuf_add(t->out, own < least ? "(" : "");
    if (chooses)
        put_choice(t, node);
    else if (own == LEAF)
        put_call(t, node);
    else
        put_operator(t, node);
    hone_strbuf_add(t->out, own < least ? ")" : "");
}

bool hone_c_form_tell(const struct hone_c_form *form, struct hone_strbuf *out)
{
    const struct text t = {form, out};
    const bool has = has_text(&t, form->expr.root);
    if (has) put_node(&t, form->expr.root, CHOICE);
    return has;
}
