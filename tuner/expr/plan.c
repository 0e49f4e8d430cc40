// Terms of the plan. They are shared by value numbering (Cocke, Schwartz 1970), and an
// interval for each bounds its integers.
#include "expr/plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ast.h"
#include "base/grow.h"
#include "plan_terms.h"

struct hone_expr_plan *hone_plan_new(const struct hone_plan_name *names,
                                     const struct hone_plan_depth *depths,
                                     size_t depth_count)
{
    struct hone_expr_plan *plan = calloc(1, sizeof *plan);
    if (!plan) return NULL;
    plan->names = names;
    plan->depths = depths;
    plan->depth_count = depth_count;
    memset(plan->buckets, 0xff, sizeof plan->buckets);
    return plan;
}

void hone_plan_free(struct hone_expr_plan *plan)
{
    if (!plan) return;
    hone_arena_fini(&plan->arena);
    free(plan->terms);
    free(plan);
}

// --- blocks ---

static bool has(uint8_t span, size_t place)
{
    return span >> place & 1;
}

uint8_t hone_plan_whole(const struct hone_expr_plan *plan, size_t depth)
{
    return (uint8_t)((1U << plan->depths[depth].var_count) - 1);
}

size_t hone_plan_combinations(const struct hone_expr_plan *plan, size_t depth,
                              uint8_t span)
{
    size_t count = 1;
    for (size_t v = 0; depth != HONE_NO_DEPTH && v < plan->depths[depth].var_count; v++)
        if (has(span, v)) count *= plan->depths[depth].counts[v];
    return count;
}

size_t hone_plan_words(const struct hone_expr_plan *plan, size_t depth)
{
    return depth == HONE_NO_DEPTH ? 1 : (plan->depths[depth].choices + 63) / 64;
}

// From the last variable on, what is there so far is repeated for each value of the one
// before.
void hone_plan_project(const struct hone_plan_depth *depth, uint8_t span, uint8_t part,
                       uint8_t numbers[HONE_PLAN_BLOCK])
{
    size_t count = 1, weight = 1;
    numbers[0] = 0;
    for (size_t v = depth->var_count; v-- > 0;) {
        if (!has(span, v)) continue;
        const size_t values = depth->counts[v], step = has(part, v) ? weight : 0;
        for (size_t i = count; i < count * values; i++)
            numbers[i] = (uint8_t)(numbers[i - count] + step);
        count *= values;
        if (step) weight *= values;
    }
}

// --- terms ---

static bool same_term(const struct hone_expr_plan *plan, const struct hone_plan_term *x,
                      const struct hone_plan_term *y)
{
    if (x->op != y->op || x->type != y->type || x->depth != y->depth) return false;
    if (x->op != OP_VAR) return x->a == y->a && x->b == y->b;
    if (x->type == HONE_BOOL)
        return memcmp(x->truths, y->truths,
                      hone_plan_words(plan, x->depth) * sizeof *x->truths) == 0;
    return x->span == y->span && memcmp(x->values, y->values,
                                        hone_plan_combinations(plan, x->depth, x->span) *
                                            sizeof *x->values) == 0;
}

static size_t bucket_of(const struct hone_plan_term *term)
{
    uint64_t mix = term->op + 31 * (uint64_t)term->depth;
    if (term->op == OP_VAR && term->type == HONE_BOOL) {
        mix ^= term->truths[0];
    } else if (term->op == OP_VAR) {
        uint64_t bits;
        memcpy(&bits, &term->values[0], sizeof bits);
        mix ^= bits >> 40 ^ bits;
    } else {
        mix = mix * 31 + term->a;
        mix = mix * 31 + term->b;
    }
    return (size_t)(mix * 0x9e3779b97f4a7c15 >> 57);
}

enum hone_status hone_plan_intern(struct hone_expr_plan *plan, struct hone_plan_term term,
                                  uint32_t *out)
{
    size_t bucket = bucket_of(&term);
    for (uint32_t i = plan->buckets[bucket]; i != HONE_NO_TERM; i = plan->terms[i].next) {
        *out = i;
        if (same_term(plan, &plan->terms[i], &term)) return HONE_OK;
    }
    if (!HONE_GROW(&plan->terms, &plan->cap, (size_t)plan->count + 1, 32))
        return HONE_ENOMEM;
    term.next = plan->buckets[bucket];
    plan->buckets[bucket] = *out = plan->count++;
    plan->terms[*out] = term;
    return HONE_OK;
}

// Corners of the intervals bound what is monotonic in each operand.
static void bound(struct hone_plan_term *term, const struct hone_plan_term *x,
                  const struct hone_plan_term *y)
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
static bool type_arithmetic(struct hone_plan_term *term, const struct hone_plan_term *x,
                            const struct hone_plan_term *y)
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

static bool type_of(struct hone_plan_term *term, const struct hone_plan_term *x,
                    const struct hone_plan_term *y)
{
    if (is_arithmetic(term->op)) return type_arithmetic(term, x, y);
    if (!hone_row_operates(term->op, false)) return false;
    bool x_bool = x->type == HONE_BOOL, y_bool = y->type == HONE_BOOL;
    term->type = HONE_BOOL;
    if (term->op == OP_EQ || term->op == OP_NE) return x_bool == y_bool;
    bool orders = term->op == OP_LT || term->op == OP_LE;
    return x_bool != orders && y_bool != orders;
}

// The depth at which its last operand gets a value.
static void plan_place(struct hone_plan_term *term, const struct hone_plan_term *x,
                       const struct hone_plan_term *y)
{
    bool y_is_deeper =
        x->depth == HONE_NO_DEPTH || (y->depth != HONE_NO_DEPTH && y->depth > x->depth);
    term->depth = y_is_deeper ? y->depth : x->depth;
    term->reads = HONE_NO_DEPTH;
    const struct hone_plan_term *operands[] = {x, y};
    for (size_t k = 0; k < 2; k++) {
        const struct hone_plan_term *operand = operands[k];
        bool is_here = operand->depth == term->depth;
        size_t reads = is_here ? operand->reads : operand->depth;
        if (is_here) term->span |= operand->span;
        if (reads == HONE_NO_DEPTH) continue;
        if (term->reads == HONE_NO_DEPTH || reads > term->reads) term->reads = reads;
    }
}

enum hone_status hone_plan_operate(struct hone_expr_plan *plan, unsigned op, uint32_t a,
                                   uint32_t b, uint32_t *out)
{
    const struct hone_plan_term *x = &plan->terms[a], *y = &plan->terms[b];
    struct hone_plan_term term = {.op = (uint8_t)op, .a = a, .b = b};
    plan_place(&term, x, y);
    if (!type_of(&term, x, y)) return HONE_EUNSUPPORTED;
    return hone_plan_intern(plan, term, out);
}
