// From expressions to terms. What depends on one variable only is computed value by value
// with Lua's own operators, so that floats, strings and errors in branches not taken need
// no care later; what depends on several becomes a term.
#include <math.h>
#include <string.h>

#include "ast.h"
#include "operate.h"
#include "plan_terms.h"

// What one expression may take with its derived values, which are built anew for each
// use: a few that each use the one before twice have more nodes than any machine has room
// for. Beyond these the expression is evaluated plainly, one configuration at a time.
enum {
    NESTING_MAX = 2000,   // nodes within nodes: 0.5 MB of stack
    NODES_MAX = 1 << 16,  // 64 constraints like this take a second
    VALUES_MAX = 1 << 22, // of all pieces: 100 MB
};

// A piece has values where it is of one variable or none, else a term.
struct piece {
    uint32_t term;                       // or HONE_NO_TERM, and then:
    const struct hone_plan_name *origin; // the variable, or NULL
    size_t count;
    struct hone_value *values;
    bool *failed; // evaluating it raises, or wraps, which is reported likewise
};

struct builder {
    struct hone_expr_plan *plan;
    struct hone_arena scratch; // of pieces
    size_t nesting, nodes, values;
};

static enum hone_status new_piece(struct builder *b, const struct hone_plan_name *origin,
                                  struct piece *out)
{
    const size_t count = origin ? origin->count : 1;
    if (count > VALUES_MAX - b->values) return HONE_EUNSUPPORTED;
    b->values += count;
    *out = (struct piece){
        .term = HONE_NO_TERM,
        .origin = origin,
        .count = count,
        .values = hone_arena_array(&b->scratch, count, sizeof *out->values),
        .failed = hone_arena_array(&b->scratch, count, sizeof *out->failed)};
    return out->values && out->failed ? HONE_OK : HONE_ENOMEM;
}

static bool to_double(struct hone_value value, double *out)
{
    *out = value.type == HONE_INT ? (double)value.i : value.f;
    return value.type != HONE_INT || fabs(*out) <= HONE_ROW_INTEGER_MAX;
}

static enum hone_status set_values(struct builder *b, const struct piece *piece,
                                   struct hone_plan_term *term)
{
    term->values = hone_arena_array(&b->plan->arena, piece->count, sizeof *term->values);
    if (!term->values) return HONE_ENOMEM;
    for (size_t i = 0; i < piece->count; i++) {
        if (!to_double(piece->values[i], &term->values[i])) return HONE_EUNSUPPORTED;
        term->low = fmin(term->low, term->values[i]);
        term->high = fmax(term->high, term->values[i]);
    }
    term->chosen = term->values[0];
    return HONE_OK;
}

// By choice of the depth, which may have more variables.
static enum hone_status set_truths(struct builder *b, const struct piece *piece,
                                   struct hone_plan_term *term)
{
    uint8_t numbers[HONE_PLAN_BLOCK];
    const struct hone_plan_depth *depth = NULL;
    term->truths = hone_arena_array(
        &b->plan->arena, hone_plan_words(b->plan, term->depth), sizeof *term->truths);
    if (!term->truths) return HONE_ENOMEM;
    if (piece->origin) depth = &b->plan->depths[term->depth];
    const bool is_block = depth && depth->var_count > 1;
    const size_t choices = depth ? depth->choices : 1;
    if (is_block)
        hone_plan_project(depth, hone_plan_whole(b->plan, term->depth), term->span,
                          numbers);
    for (size_t c = 0; c < choices; c++)
        if (piece->values[is_block ? numbers[c] : c].b)
            term->truths[c / 64] |= (uint64_t)1 << c % 64;
    term->chosen_truth = term->truths[0] & 1 ? UINT64_MAX : 0;
    return HONE_OK;
}

static enum hone_status to_term(struct builder *b, struct piece *piece)
{
    if (piece->term != HONE_NO_TERM) return HONE_OK;
    const enum hone_type type = piece->values[0].type;
    struct hone_plan_term term = {.op = OP_VAR,
                                  .type = (uint8_t)type,
                                  .depth = HONE_NO_DEPTH,
                                  .reads = HONE_NO_DEPTH,
                                  .low = INFINITY,
                                  .high = -INFINITY};
    if (piece->origin) {
        term.depth = piece->origin->depth;
        term.span = (uint8_t)(1U << piece->origin->place);
    }
    if (type == HONE_STRING) return HONE_EUNSUPPORTED;
    for (size_t i = 0; i < piece->count; i++)
        if (piece->failed[i] || piece->values[i].type != type) return HONE_EUNSUPPORTED;
    enum hone_status status =
        type == HONE_BOOL ? set_truths(b, piece, &term) : set_values(b, piece, &term);
    return status != HONE_OK ? status : hone_plan_intern(b->plan, term, &piece->term);
}

static bool is_logic(unsigned op)
{
    return op == OP_AND || op == OP_OR || op == OP_CHAIN;
}

static void operate(unsigned op, const struct piece *x, size_t i, const struct piece *y,
                    size_t k, struct piece *out, size_t at)
{
    unsigned notes = 0;
    bool failed = x->failed[i];
    if (is_logic(op)) {
        bool decided = hone_value_true(x->values[i]) == (op == OP_OR);
        out->values[at] = decided ? x->values[i] : y->values[k];
        failed = failed || (!decided && y->failed[k]);
    } else {
        failed = failed || y->failed[k] ||
                 hone_operate(op, &out->values[at], &x->values[i], &y->values[k],
                              &notes) != FAULT_NONE;
    }
    out->failed[at] = failed || notes;
}

static enum hone_status combine(struct builder *b, unsigned op, struct piece *x,
                                struct piece *y, struct piece *out)
{
    enum hone_status status;
    bool one = x->term == HONE_NO_TERM && y->term == HONE_NO_TERM &&
               (x->origin == y->origin || x->count == 1 || y->count == 1);
    if (!one) {
        *out = (struct piece){0};
        if ((status = to_term(b, x)) != HONE_OK || (status = to_term(b, y)) != HONE_OK)
            return status;
        return hone_plan_operate(b->plan, op, x->term, y->term, &out->term);
    }
    status = new_piece(b, x->count > 1 ? x->origin : y->origin, out);
    for (size_t i = 0; status == HONE_OK && i < out->count; i++)
        operate(op, x, x->count > 1 ? i : 0, y, y->count > 1 ? i : 0, out, i);
    return status;
}

static enum hone_status build_node(struct builder *b, const struct hone_expr *expr,
                                   uint32_t node, struct piece *out);

static enum hone_status build_name(struct builder *b, size_t slot, struct piece *out)
{
    const struct hone_plan_name *name = &b->plan->names[slot];
    if (name->formula) {
        enum hone_status status = build_node(b, name->formula, name->formula->root, out);
        // A derived value that fails fails whatever uses it, in branches not taken too.
        for (size_t i = 0;
             status == HONE_OK && out->term == HONE_NO_TERM && i < out->count; i++)
            if (out->failed[i]) status = HONE_EUNSUPPORTED;
        return status;
    }
    if (!name->count) return HONE_EUNSUPPORTED;
    enum hone_status status = new_piece(b, name->count > 1 ? name : NULL, out);
    if (status == HONE_OK)
        memcpy(out->values, name->values, name->count * sizeof *out->values);
    return status;
}

static enum hone_status build_operation(struct builder *b, const struct hone_expr *expr,
                                        const struct expr_node *n, struct piece *out)
{
    struct piece x, y;
    enum hone_status status = build_node(b, expr, n->a, &x);
    if (status != HONE_OK) return status;
    if (n->b == HONE_NO_NODE) return combine(b, n->op, &x, &x, out);
    if ((status = build_node(b, expr, n->b, &y)) != HONE_OK) return status;
    unsigned op = n->op;
    const bool exchange = hone_op_exchange(&op);
    return combine(b, op, exchange ? &y : &x, exchange ? &x : &y, out);
}

static enum hone_status build_node(struct builder *b, const struct hone_expr *expr,
                                   uint32_t node, struct piece *out)
{
    const struct expr_node *n = &expr->nodes[node];
    enum hone_status status;
    if (b->nesting == NESTING_MAX || b->nodes == NODES_MAX) return HONE_EUNSUPPORTED;
    b->nesting++;
    b->nodes++;
    if (n->op == OP_VAR) {
        status = build_name(b, expr->slots[n->a], out);
    } else if (n->op == OP_CONST) {
        status = new_piece(b, NULL, out);
        if (status == HONE_OK) out->values[0] = expr->consts[n->a];
    } else {
        status = build_operation(b, expr, n, out);
    }
    b->nesting--;
    return status;
}

enum hone_status hone_plan_add(struct hone_expr_plan *plan, const struct hone_expr *expr,
                               uint32_t *number)
{
    struct builder b = {.plan = plan};
    struct piece piece;
    enum hone_status status = build_node(&b, expr, expr->root, &piece);
    for (size_t i = 0; status == HONE_OK && piece.term == HONE_NO_TERM && i < piece.count;
         i++)
        piece.values[i] = hone_bool(hone_value_true(piece.values[i]));
    if (status == HONE_OK) status = to_term(&b, &piece);
    if (status == HONE_OK) {
        const struct hone_plan_term *term = &plan->terms[piece.term];
        *number = piece.term;
        if (term->depth == HONE_NO_DEPTH || term->type != HONE_BOOL)
            status = HONE_EUNSUPPORTED;
    }
    hone_arena_fini(&b.scratch);
    return status;
}

// --- running ---
