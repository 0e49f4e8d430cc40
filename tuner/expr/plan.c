// Building the plan. What depends on one variable only is computed value by value with
// Lua's own operators, so that floats, strings and errors in branches not taken need no
// care later; what depends on several becomes a term. Terms are shared by value numbering
// (Cocke, Schwartz 1970), and an interval for each bounds its integers.
#include "plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "operate.h"
#include "rows.h"

enum { BUCKETS = 128, HEIGHT_MAX = 400 };
#define NO_TERM     UINT32_MAX
#define NO_VARIABLE SIZE_MAX

struct term {
    uint8_t op; // OP_VAR: values is given, the rest is computed
    uint8_t type;
    bool is_read; // by terms of greater depth
    uint32_t a, b;
    uint32_t next; // of the same bucket
    size_t depth;  // NO_VARIABLE for a constant
    double low, high;
    double *values; // by value of depth
    double chosen;
};

struct hone_plan {
    struct hone_arena arena;
    const struct hone_plan_name *names;
    const size_t *counts;
    size_t depths;
    struct term *terms;
    uint32_t count, cap;
    uint32_t buckets[BUCKETS];
    struct hone_row_step *steps; // by depth
    size_t *first_step;          // [depths + 1]
    struct term **read;          // terms that deeper ones read, by depth
    size_t *first_read;          // [depths + 1]
};

struct hone_plan *hone_plan_new(const struct hone_plan_name *names, const size_t *counts,
                                size_t depths)
{
    struct hone_plan *plan = calloc(1, sizeof *plan);
    if (!plan) return NULL;
    plan->names = names;
    plan->counts = counts;
    plan->depths = depths;
    memset(plan->buckets, 0xff, sizeof plan->buckets);
    return plan;
}

void hone_plan_free(struct hone_plan *plan)
{
    if (!plan) return;
    hone_arena_fini(&plan->arena);
    free(plan->terms);
    free(plan);
}

// --- terms ---

static bool same_term(const struct term *x, const struct term *y, size_t values)
{
    if (x->op != y->op || x->type != y->type || x->depth != y->depth) return false;
    if (x->op != OP_VAR) return x->a == y->a && x->b == y->b;
    return memcmp(x->values, y->values, values * sizeof *x->values) == 0;
}

static size_t bucket_of(const struct term *term)
{
    uint64_t mix = term->op + 31 * (uint64_t)term->depth;
    if (term->op == OP_VAR) {
        uint64_t bits;
        memcpy(&bits, &term->values[0], sizeof bits);
        mix ^= bits >> 40 ^ bits;
    } else {
        mix = mix * 31 + term->a;
        mix = mix * 31 + term->b;
    }
    return (size_t)(mix * 0x9e3779b97f4a7c15 >> 57);
}

static size_t width(const struct hone_plan *plan, const struct term *term)
{
    return term->depth == NO_VARIABLE ? 1 : plan->counts[term->depth];
}

static enum hone_status intern(struct hone_plan *plan, struct term term, uint32_t *out)
{
    size_t bucket = bucket_of(&term);
    for (uint32_t i = plan->buckets[bucket]; i != NO_TERM; i = plan->terms[i].next) {
        *out = i;
        if (same_term(&plan->terms[i], &term, width(plan, &term))) return HONE_OK;
    }
    if (plan->count == plan->cap) {
        uint32_t cap = plan->cap ? 2 * plan->cap : 32;
        struct term *terms = realloc(plan->terms, cap * sizeof *terms);
        if (!terms) return HONE_ENOMEM;
        plan->terms = terms;
        plan->cap = cap;
    }
    term.next = plan->buckets[bucket];
    plan->buckets[bucket] = *out = plan->count++;
    plan->terms[*out] = term;
    return HONE_OK;
}

// Corners of the intervals bound what is monotonic in each operand.
static void bound(struct term *term, const struct term *x, const struct term *y)
{
    const double a[] = {x->low, x->low, x->high, x->high};
    const double b[] = {y->low, y->high, y->low, y->high};
    double out[4] = {0};
    const struct hone_row_step step = {.op = term->op,
                                       .a_varies = true,
                                       .b_varies = true,
                                       .a = a,
                                       .b = b,
                                       .out = out,
                                       .count = 4};
    hone_row_fill(&step);
    term->low = fmin(fmin(out[0], out[1]), fmin(out[2], out[3]));
    term->high = fmax(fmax(out[0], out[1]), fmax(out[2], out[3]));
    if (term->op == OP_ABS && x->low < 0 && x->high > 0) term->low = 0;
    if (term->op == OP_ROUND_UP) {
        term->low = x->low;
        term->high = x->high + y->high;
    }
    if (term->op == OP_MOD) {
        term->low = 0;
        term->high = y->high - 1;
    }
}

static bool is_arithmetic(unsigned op)
{
    return (op >= OP_ADD && op <= OP_POW) || op == OP_NEG ||
           (op >= OP_MIN && op <= OP_ROUND_UP) || op == OP_SQRT;
}

// Type and interval of term from its operands; false where it is not plain.
static bool type_arithmetic(struct term *term, const struct term *x, const struct term *y)
{
    if (x->type == HONE_BOOL || y->type == HONE_BOOL) return false;
    bool floats = x->type == HONE_FLOAT || y->type == HONE_FLOAT;
    // min and max give one of their operands, with its type.
    if ((term->op == OP_MIN || term->op == OP_MAX) && x->type != y->type) return false;
    if (!hone_row_operates(term->op, floats)) return false;
    if (floats || term->op == OP_DIV || term->op == OP_SQRT) {
        term->type = HONE_FLOAT;
        return true;
    }
    bool divides = term->op == OP_IDIV || term->op == OP_MOD || term->op == OP_CEIL_DIV ||
                   term->op == OP_ROUND_UP;
    if (divides && y->low <= 0) return false;
    term->type = HONE_INT;
    bound(term, x, y);
    return term->low >= -HONE_ROW_INTEGER_MAX && term->high <= HONE_ROW_INTEGER_MAX;
}

static bool type_of(struct term *term, const struct term *x, const struct term *y)
{
    if (is_arithmetic(term->op)) return type_arithmetic(term, x, y);
    if (!hone_row_operates(term->op, false)) return false;
    bool x_bool = x->type == HONE_BOOL, y_bool = y->type == HONE_BOOL;
    term->type = HONE_BOOL;
    if (term->op == OP_EQ || term->op == OP_NE) return x_bool == y_bool;
    bool orders = term->op == OP_LT || term->op == OP_LE;
    return x_bool != orders && y_bool != orders;
}

static enum hone_status add_term(struct hone_plan *plan, unsigned op, uint32_t a,
                                 uint32_t b, uint32_t *out)
{
    const struct term *x = &plan->terms[a], *y = &plan->terms[b];
    struct term term = {.op = (uint8_t)op, .a = a, .b = b, .depth = x->depth};
    if (x->depth == NO_VARIABLE || (y->depth != NO_VARIABLE && y->depth > x->depth))
        term.depth = y->depth;
    if (!type_of(&term, x, y)) return HONE_EUNSUPPORTED;
    return intern(plan, term, out);
}

// --- pieces: what a node of the tree is so far ---

// Of one variable or none: its values. Of several: a term.
struct piece {
    uint32_t term; // or NO_TERM, and then:
    size_t depth;  // or NO_VARIABLE
    size_t count;
    struct hone_value *values;
    bool *failed; // evaluating it raises, or wraps, which is reported likewise
};

struct builder {
    struct hone_plan *plan;
    struct hone_arena scratch; // of pieces
};

static enum hone_status new_piece(struct builder *b, size_t depth, size_t count,
                                  struct piece *out)
{
    *out = (struct piece){
        .term = NO_TERM,
        .depth = depth,
        .count = count,
        .values = hone_arena_array(&b->scratch, count, sizeof *out->values),
        .failed = hone_arena_array(&b->scratch, count, sizeof *out->failed)};
    return out->values && out->failed ? HONE_OK : HONE_ENOMEM;
}

static bool to_double(struct hone_value value, double *out)
{
    *out = value.type == HONE_INT    ? (double)value.i
           : value.type == HONE_BOOL ? (double)value.b
                                     : value.f;
    return value.type != HONE_STRING &&
           (value.type != HONE_INT || fabs(*out) <= HONE_ROW_INTEGER_MAX);
}

static enum hone_status to_term(struct builder *b, struct piece *piece)
{
    if (piece->term != NO_TERM) return HONE_OK;
    struct term term = {.op = OP_VAR,
                        .type = (uint8_t)piece->values[0].type,
                        .depth = piece->depth,
                        .low = INFINITY,
                        .high = -INFINITY};
    term.values = hone_arena_array(&b->plan->arena, piece->count, sizeof *term.values);
    if (!term.values) return HONE_ENOMEM;
    for (size_t i = 0; i < piece->count; i++) {
        if (piece->failed[i] || piece->values[i].type != term.type ||
            !to_double(piece->values[i], &term.values[i]))
            return HONE_EUNSUPPORTED;
        term.low = fmin(term.low, term.values[i]);
        term.high = fmax(term.high, term.values[i]);
    }
    term.chosen = term.values[0];
    return intern(b->plan, term, &piece->term);
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
    bool one = x->term == NO_TERM && y->term == NO_TERM &&
               (x->depth == y->depth || x->count == 1 || y->count == 1);
    if (!one) {
        *out = (struct piece){0};
        if ((status = to_term(b, x)) || (status = to_term(b, y))) return status;
        return add_term(b->plan, op, x->term, y->term, &out->term);
    }
    bool wide = x->count > 1;
    status = new_piece(b, wide ? x->depth : y->depth, wide ? x->count : y->count, out);
    for (size_t i = 0; !status && i < out->count; i++)
        operate(op, x, x->count > 1 ? i : 0, y, y->count > 1 ? i : 0, out, i);
    return status;
}

static enum hone_status build_tree(struct builder *b, const struct hone_expr *expr,
                                   struct piece *out);

static enum hone_status build_name(struct builder *b, size_t slot, struct piece *out)
{
    const struct hone_plan_name *name = &b->plan->names[slot];
    if (name->formula) {
        enum hone_status status = build_tree(b, name->formula, out);
        // A derived value that fails fails whatever uses it, in branches not taken too.
        for (size_t i = 0; !status && out->term == NO_TERM && i < out->count; i++)
            if (out->failed[i]) status = HONE_EUNSUPPORTED;
        return status;
    }
    if (!name->count) return HONE_EUNSUPPORTED;
    enum hone_status status =
        new_piece(b, name->count > 1 ? name->depth : NO_VARIABLE, name->count, out);
    if (!status) memcpy(out->values, name->values, name->count * sizeof *out->values);
    return status;
}

static enum hone_status build_node(struct builder *b, const struct hone_expr *expr,
                                   uint32_t node, struct piece *out)
{
    const struct expr_node *n = &expr->nodes[node];
    if (n->op == OP_VAR) return build_name(b, expr->slots[n->a], out);
    if (n->op == OP_CONST) {
        enum hone_status status = new_piece(b, NO_VARIABLE, 1, out);
        if (!status) out->values[0] = expr->consts[n->a];
        return status;
    }
    struct piece x, y;
    enum hone_status status = build_node(b, expr, n->a, &x);
    if (status) return status;
    if (n->b == HONE_NO_NODE) return combine(b, n->op, &x, &x, out);
    if ((status = build_node(b, expr, n->b, &y))) return status;
    if (n->op == OP_GT) return combine(b, OP_LT, &y, &x, out);
    if (n->op == OP_GE) return combine(b, OP_LE, &y, &x, out);
    return combine(b, n->op, &x, &y, out);
}

static enum hone_status build_tree(struct builder *b, const struct hone_expr *expr,
                                   struct piece *out)
{
    if (expr->nodes[expr->root].height > HEIGHT_MAX) return HONE_EUNSUPPORTED;
    return build_node(b, expr, expr->root, out);
}

enum hone_status hone_plan_add(struct hone_plan *plan, const struct hone_expr *expr,
                               uint32_t *number)
{
    struct builder b = {.plan = plan};
    struct piece piece;
    enum hone_status status = build_tree(&b, expr, &piece);
    for (size_t i = 0; !status && piece.term == NO_TERM && i < piece.count; i++)
        piece.values[i] = hone_bool(hone_value_true(piece.values[i]));
    if (!status) status = to_term(&b, &piece);
    if (!status) {
        const struct term *term = &plan->terms[piece.term];
        *number = piece.term;
        if (term->depth == NO_VARIABLE || term->type != HONE_BOOL)
            status = HONE_EUNSUPPORTED;
    }
    hone_arena_fini(&b.scratch);
    return status;
}

// --- running ---

static bool varies(const struct hone_plan *plan, uint32_t operand, size_t depth)
{
    return plan->terms[operand].depth == depth;
}

static struct hone_row_step step_of(struct hone_plan *plan, const struct term *term)
{
    struct hone_row_step step = {
        .op = term->op, .out = term->values, .count = plan->counts[term->depth]};
    struct term *a = &plan->terms[term->a], *b = &plan->terms[term->b];
    step.a_varies = varies(plan, term->a, term->depth);
    step.b_varies = varies(plan, term->b, term->depth);
    step.a = step.a_varies ? a->values : &a->chosen;
    step.b = step.b_varies ? b->values : &b->chosen;
    if (!step.a_varies) a->is_read = true;
    if (!step.b_varies) b->is_read = true;
    step.floats = term->type == HONE_FLOAT;
    return step;
}

static bool give_rows(struct hone_plan *plan)
{
    for (uint32_t i = 0; i < plan->count; i++) {
        struct term *term = &plan->terms[i];
        if (term->op == OP_VAR) continue;
        term->values = hone_arena_array(&plan->arena, plan->counts[term->depth],
                                        sizeof *term->values);
        if (!term->values) return false;
    }
    return true;
}

static void list_steps(struct hone_plan *plan)
{
    size_t at = 0;
    for (size_t depth = 0; depth < plan->depths; depth++) {
        plan->first_step[depth] = at;
        for (uint32_t i = 0; i < plan->count; i++)
            if (plan->terms[i].op != OP_VAR && plan->terms[i].depth == depth)
                plan->steps[at++] = step_of(plan, &plan->terms[i]);
    }
    plan->first_step[plan->depths] = at;
}

static void list_read(struct hone_plan *plan)
{
    size_t at = 0;
    for (size_t depth = 0; depth < plan->depths; depth++) {
        plan->first_read[depth] = at;
        for (uint32_t i = 0; i < plan->count; i++)
            if (plan->terms[i].is_read && plan->terms[i].depth == depth)
                plan->read[at++] = &plan->terms[i];
    }
    plan->first_read[plan->depths] = at;
}

bool hone_plan_seal(struct hone_plan *plan)
{
    struct hone_arena *arena = &plan->arena;
    const size_t depths = plan->depths + 1;
    plan->steps = hone_arena_array(arena, plan->count, sizeof *plan->steps);
    plan->read = hone_arena_array(arena, plan->count, sizeof(struct term *));
    plan->first_step = hone_arena_array(arena, depths, sizeof *plan->first_step);
    plan->first_read = hone_arena_array(arena, depths, sizeof *plan->first_read);
    if (!plan->steps || !plan->read || !plan->first_step || !plan->first_read ||
        !give_rows(plan))
        return false;
    list_steps(plan);
    list_read(plan);
    return true;
}

struct hone_plan_row hone_plan_row(const struct hone_plan *plan, uint32_t number)
{
    const struct term *term = &plan->terms[number];
    return (struct hone_plan_row){.depth = term->depth, .values = term->values};
}

bool hone_plan_depends(const struct hone_plan *plan, size_t depth, size_t *last)
{
    bool found = false;
    for (uint32_t i = 0; i < plan->count; i++) {
        const struct term *term = &plan->terms[i];
        if (term->op == OP_VAR || term->depth != depth) continue;
        const uint32_t operands[] = {term->a, term->b};
        for (size_t k = 0; k < 2; k++) {
            size_t read = plan->terms[operands[k]].depth;
            if (read == depth || read == NO_VARIABLE) continue;
            if (!found || read > *last) *last = read;
            found = true;
        }
    }
    return found;
}

void hone_plan_fill(struct hone_plan *plan, size_t depth)
{
    for (size_t i = plan->first_step[depth]; i < plan->first_step[depth + 1]; i++)
        hone_row_fill(&plan->steps[i]);
}

void hone_plan_choose(struct hone_plan *plan, size_t depth, size_t value)
{
    for (size_t i = plan->first_read[depth]; i < plan->first_read[depth + 1]; i++)
        plan->read[i]->chosen = plan->read[i]->values[value];
}
