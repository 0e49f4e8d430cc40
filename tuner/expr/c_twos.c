// Powers of two that divide the integers of a form. Sums and products keep them where
// they wrap, too. What follows from a condition goes the other way, from a node to its
// operands, down to variables and to parts that say nothing of theirs ("N // 2"), which
// are kept by a key.
#include <stdlib.h>
#include <string.h>

#include "hone/strbuf.h"
#include "print_c.h"

enum { MAY_BE_FLOAT = -1, MOST = 63, KEY_HEIGHT = 12, KEY_BYTES = 1000 };

struct twos {
    const struct hone_c_form *form;
    const struct hone_c_twos *known;
    int *of;                    // by node: exponents, or MAY_BE_FLOAT
    struct hone_c_twos *raised; // what is learnt
};

static const struct expr_node *node_at(const struct twos *t, uint32_t i)
{
    return &t->form->expr.nodes[i];
}

static const struct hone_value *constant(const struct twos *t, uint32_t i)
{
    const struct expr_node *node = node_at(t, i);
    const struct hone_value *value = &t->form->expr.consts[node->a];
    return node->op == OP_CONST && value->type == HONE_INT ? value : NULL;
}

static int twos_in(int64_t number)
{
    return number ? __builtin_ctzll((unsigned long long)number) : MOST;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

static int of_value(enum hone_type type, int64_t number)
{
    return type == HONE_INT ? twos_in(number) : type == HONE_FLOAT ? MAY_BE_FLOAT : MOST;
}

// Nothing may be known of a variable whose type is HONE_STRING.
static int of_variable(const struct twos *t, uint32_t slot)
{
    const enum hone_type type = t->form->vars[slot].type;
    return type == HONE_INT    ? t->known->vars[slot]
           : type == HONE_BOOL ? MOST
                               : MAY_BE_FLOAT;
}

// By how many bits a constant, a power of two, shifts to the right as a divisor.
static int bits_of_divisor(const struct twos *t, uint32_t i)
{
    const struct hone_value *by = constant(t, i);
    return by && by->i > 0 && (by->i & (by->i - 1)) == 0 ? twos_in(by->i) : MOST + 1;
}

static int of_shift(const struct twos *t, const struct expr_node *node)
{
    const struct hone_value *by = constant(t, node->b);
    const int a = t->of[node->a] < 0 ? 0 : t->of[node->a];
    if (!by || by->i < 0) return 0;
    const int bits = by->i > MOST ? MOST : (int)by->i;
    return node->op == OP_SHL ? least(MOST, a + bits) : a > bits ? a - bits : 0;
}

// Floats that are whole are integers to them.
static int of_bits(const struct twos *t, const struct expr_node *node)
{
    const int a = t->of[node->a] < 0 ? 0 : t->of[node->a];
    const int b = t->of[node->b] < 0 ? 0 : t->of[node->b];
    return node->op == OP_BAND ? (a > b ? a : b) : least(a, b);
}

static int of_arithmetic(const struct twos *t, const struct expr_node *node)
{
    const int a = t->of[node->a];
    const int b = node->b == HONE_NO_NODE ? a : t->of[node->b];
    if (a < 0 || b < 0) return MAY_BE_FLOAT;
    switch (node->op) {
    case OP_MUL:
        return least(MOST, a + b);
    case OP_IDIV:
    case OP_CEIL_DIV:
        return bits_of_divisor(t, node->b) <= a ? a - bits_of_divisor(t, node->b) : 0;
    case OP_ROUND_UP:
        return b;
    default: // sums, signs, remainders, choices
        return least(a, b);
    }
}

// A number is true: "a and b" is b where it is a number.
static int of_node(const struct twos *t, const struct expr_node *node)
{
    const struct hone_expr *expr = &t->form->expr;
    switch (node->op) {
    case OP_CONST:
        return of_value(expr->consts[node->a].type, expr->consts[node->a].i);
    case OP_VAR:
        return of_variable(t, expr->slots[node->a]);
    case OP_AND:
        return t->of[node->b];
    case OP_NOT:
    case OP_EQ:
    case OP_NE:
    case OP_LT:
    case OP_LE:
    case OP_GT:
    case OP_GE:
    case OP_CHAIN:
    case OP_IS_POW2:
        return MOST; // no number
    case OP_BNOT:
        return 0;
    case OP_BAND:
    case OP_BOR:
    case OP_BXOR:
        return of_bits(t, node);
    case OP_SHL:
    case OP_SHR:
        return of_shift(t, node);
    case OP_DIV:
    case OP_POW:
    case OP_LOG2:
    case OP_SQRT:
        return MAY_BE_FLOAT;
    default:
        return of_arithmetic(t, node);
    }
}

/* --- parts --- */

// Operators and operands, a variable by its name, from left to right.
static void put_key(struct hone_strbuf *out, const struct twos *t, uint32_t i)
{
    const struct hone_expr *expr = &t->form->expr;
    const struct expr_node *node = &expr->nodes[i];
    if (out->len > KEY_BYTES) return;
    hone_strbuf_printf(out, "%u ", node->op);
    if (node->op == OP_CONST) {
        char number[48];
        hone_value_print(number, sizeof number, expr->consts[node->a]);
        hone_strbuf_printf(out, "%d %zu %s ", (int)expr->consts[node->a].type,
                           strlen(number), number);
    } else if (node->op == OP_VAR) {
        hone_strbuf_printf(out, "%s ", expr->vars[node->a]);
    } else {
        put_key(out, t, node->a);
        if (node->b != HONE_NO_NODE) put_key(out, t, node->b);
    }
}

// NULL: of what is large nothing is kept.
static char *key_of(const struct twos *t, uint32_t i)
{
    struct hone_strbuf out = HONE_STRBUF_INIT;
    if (node_at(t, i)->height > KEY_HEIGHT) return NULL;
    put_key(&out, t, i);
    if (out.len <= KEY_BYTES) return hone_strbuf_steal(&out);
    hone_strbuf_fini(&out);
    return NULL;
}

static struct hone_c_known_part *part_of(const struct hone_c_twos *twos, const char *key)
{
    struct hone_c_known_part *part = twos->parts;
    while (part && strcmp(part->key, key) != 0)
        part = part->next;
    return part;
}

// What was learnt of a part before.
static int with_part(const struct twos *t, uint32_t i, int twos)
{
    const bool is_part = node_at(t, i)->op != OP_CONST && node_at(t, i)->op != OP_VAR;
    char *key = t->known->parts && is_part && twos >= 0 ? key_of(t, i) : NULL;
    const struct hone_c_known_part *part = key ? part_of(t->known, key) : NULL;
    free(key);
    return part && part->twos > twos ? part->twos : twos;
}

static void keep_part(const struct twos *t, uint32_t i, int twos)
{
    char *key = key_of(t, i);
    struct hone_c_known_part *part = key ? part_of(t->raised, key) : NULL;
    struct hone_c_known_part *added =
        part || !key ? NULL : hone_arena_alloc(&t->raised->arena, sizeof *added);
    if (added) {
        *added = (struct hone_c_known_part){
            .next = t->raised->parts, .key = hone_arena_strdup(&t->raised->arena, key)};
        if (added->key) t->raised->parts = part = added;
    }
    if (part && part->twos < twos) part->twos = twos;
    free(key);
}

// Operands come before their operator. False: out of memory.
static bool find_twos(struct twos *t, const struct hone_c_form *form,
                      const struct hone_c_twos *known)
{
    const uint32_t count = form->expr.node_count;
    *t = (struct twos){.form = form, .known = known, .of = malloc(count * sizeof(int))};
    for (uint32_t i = 0; t->of && i < count; i++)
        t->of[i] = with_part(t, i, of_node(t, &form->expr.nodes[i]));
    return t->of != NULL;
}

int hone_c_form_twos(const struct hone_c_form *form, const struct hone_c_twos *twos)
{
    struct twos t;
    const int found = find_twos(&t, form, twos) ? t.of[form->expr.root] : MAY_BE_FLOAT;
    free(t.of);
    return found;
}

/* --- what follows --- */

static void raise_node(const struct twos *t, uint32_t i, int twos);

// Where 2^k divides x * 6, 2^(k - 1) divides x.
static void learn_product(const struct twos *t, uint32_t i, uint32_t other, int twos)
{
    const struct hone_value *by = constant(t, other);
    if (by && by->i) raise_node(t, i, twos - twos_in(by->i));
}

static void learn_operands(const struct twos *t, uint32_t i, int twos)
{
    const struct expr_node *node = node_at(t, i);
    const struct hone_value *mask;
    switch (node->op) {
    case OP_NEG:
        raise_node(t, node->a, twos);
        break;
    case OP_ADD:
    case OP_SUB:
        raise_node(t, node->a, least(twos, t->of[node->b]));
        raise_node(t, node->b, least(twos, t->of[node->a]));
        break;
    case OP_MUL:
        learn_product(t, node->a, node->b, twos);
        learn_product(t, node->b, node->a, twos);
        break;
    case OP_MOD:
        raise_node(t, node->a, least(twos, t->of[node->b]));
        break;
    case OP_BAND: // by ones
        mask = constant(t, node->b);
        if (mask) raise_node(t, node->a, least(twos, twos_in(~mask->i)));
        break;
    default:
        keep_part(t, i, twos);
        break;
    }
}

// Node i has an integer that 2^twos divides.
static void raise_node(const struct twos *t, uint32_t i, int twos)
{
    const struct expr_node *node = node_at(t, i);
    if (twos <= t->of[i] || t->of[i] < 0 || node->op == OP_CONST) return;
    if (node->op != OP_VAR) {
        learn_operands(t, i, twos);
        return;
    }
    unsigned char *raised = &t->raised->vars[t->form->expr.slots[node->a]];
    if (*raised < twos) *raised = (unsigned char)twos;
}

static void learn_truth(const struct twos *t, uint32_t i, bool is_true);

static bool is_boolean(const struct twos *t, uint32_t i, bool value)
{
    const struct expr_node *node = node_at(t, i);
    const struct hone_value *is = &t->form->expr.consts[node->a];
    return node->op == OP_CONST && is->type == HONE_BOOL && is->b == value;
}

// Is the node true or false and nothing else? A number is no boolean, but true.
static bool is_condition(const struct twos *t, uint32_t i)
{
    const uint8_t op = node_at(t, i)->op;
    return op == OP_NOT || (op >= OP_EQ && op <= OP_GE);
}

// Node a is, or is not, what b is.
static void learn_same(const struct twos *t, uint32_t a, uint32_t b, bool is_same)
{
    if (is_same) raise_node(t, a, t->of[b]);
    if (is_boolean(t, b, is_same)) learn_truth(t, a, true);
    if (is_boolean(t, b, !is_same) && (is_same || is_condition(t, a)))
        learn_truth(t, a, false);
}

static void learn_truth(const struct twos *t, uint32_t i, bool is_true)
{
    const struct expr_node *node = node_at(t, i);
    switch (node->op) {
    case OP_NOT:
        learn_truth(t, node->a, !is_true);
        break;
    case OP_AND:
    case OP_CHAIN:
    case OP_OR:
        if (is_true == (node->op == OP_OR)) break;
        learn_truth(t, node->a, is_true);
        learn_truth(t, node->b, is_true);
        break;
    case OP_EQ:
    case OP_NE:
        learn_same(t, node->a, node->b, is_true == (node->op == OP_EQ));
        learn_same(t, node->b, node->a, is_true == (node->op == OP_EQ));
        break;
    default:
        break;
    }
}

void hone_c_form_learn(const struct hone_c_form *form, int exponent,
                       struct hone_c_twos *twos)
{
    struct twos t;
    if (find_twos(&t, form, twos)) {
        t.raised = twos;
        if (exponent < 0)
            learn_truth(&t, form->expr.root, true);
        else
            raise_node(&t, form->expr.root, exponent);
    }
    free(t.of);
}
