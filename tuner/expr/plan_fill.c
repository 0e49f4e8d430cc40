// Running the plan: each term becomes a step that computes its row. An operand that
// varies with fewer variables of a block is spread first; a comparison sets a bit for
// each of its combinations, which stands for the choices that have it.
#include <string.h>

#include "ast.h"
#include "plan_terms.h"

// to[i] = from[numbers[i]]
struct spread {
    const double *from;
    const uint8_t *numbers; // NULL: there is nothing to do
    double *to;
};

enum kind { ARITHMETIC, COMPARISON, LOGIC };

struct hone_plan_step {
    enum kind kind;
    size_t reads; // as of the term
    struct spread spreads[2];
    struct hone_row_step row;
    struct hone_bits_step logic;
};

// --- sealing ---

static const uint8_t *numbers_of(struct hone_expr_plan *plan, size_t depth, uint8_t span,
                                 uint8_t part)
{
    uint8_t *numbers = hone_arena_alloc(&plan->arena, HONE_PLAN_BLOCK);
    if (numbers) hone_plan_project(&plan->depths[depth], span, part, numbers);
    return numbers;
}

static enum kind plan_fill_kind_of(const struct hone_expr_plan *plan,
                                   const struct hone_plan_term *term)
{
    if (term->type != HONE_BOOL) return ARITHMETIC;
    return plan->terms[term->a].type == HONE_BOOL ? LOGIC : COMPARISON;
}

// Operand k of a step: its row if it varies at the depth of the term, else what is
// chosen.
static bool take_operand(struct hone_expr_plan *plan, const struct hone_plan_term *term,
                         size_t k, struct hone_plan_step *step)
{
    struct hone_plan_term *operand = &plan->terms[k ? term->b : term->a];
    const bool varies = operand->depth == term->depth;
    const double *values = varies ? operand->values : &operand->chosen;
    if (!varies) operand->is_read = true;
    if (varies && operand->span != term->span) {
        struct spread *spread = &step->spreads[k];
        *spread = (struct spread){
            .from = values,
            .numbers = numbers_of(plan, term->depth, term->span, operand->span),
            .to = hone_arena_array(&plan->arena, step->row.count, sizeof *spread->to)};
        values = spread->to;
        if (!spread->numbers || !spread->to) return false;
    }
    if (k) {
        step->row.b = values;
        step->row.b_varies = varies;
    } else {
        step->row.a = values;
        step->row.a_varies = varies;
    }
    return true;
}

// The choices that an element of a comparison stands for: itself, unless the depth has
// variables that it does not depend on.
static bool take_bits(struct hone_expr_plan *plan, const struct hone_plan_term *term,
                      struct hone_row_step *row)
{
    const uint8_t whole = hone_plan_whole(plan, term->depth);
    uint8_t numbers[HONE_PLAN_BLOCK];
    row->truths = term->truths;
    row->bits = plan->bits;
    if (term->span == whole) return true;
    uint64_t *bits = hone_arena_array(&plan->arena, row->count, sizeof *bits);
    if (!bits) return false;
    hone_plan_project(&plan->depths[term->depth], whole, term->span, numbers);
    for (size_t c = 0; c < plan->depths[term->depth].choices; c++)
        bits[numbers[c]] |= plan->bits[c];
    row->bits = bits;
    return true;
}

static void take_logic(struct hone_expr_plan *plan, const struct hone_plan_term *term,
                       struct hone_bits_step *logic)
{
    struct hone_plan_term *a = &plan->terms[term->a], *b = &plan->terms[term->b];
    *logic = (struct hone_bits_step){.op = term->op,
                                     .a_varies = a->depth == term->depth,
                                     .b_varies = b->depth == term->depth,
                                     .out = term->truths,
                                     .words = hone_plan_words(plan, term->depth)};
    logic->a = logic->a_varies ? a->truths : &a->chosen_truth;
    logic->b = logic->b_varies ? b->truths : &b->chosen_truth;
    if (!logic->a_varies) a->is_read = true;
    if (!logic->b_varies) b->is_read = true;
}

static bool make_step(struct hone_expr_plan *plan, const struct hone_plan_term *term,
                      struct hone_plan_step *step)
{
    *step = (struct hone_plan_step){.kind = plan_fill_kind_of(plan, term),
                                    .reads = term->reads};
    if (step->kind == LOGIC) {
        take_logic(plan, term, &step->logic);
        return true;
    }
    step->row = (struct hone_row_step){
        .op = term->op,
        .floats = term->type == HONE_FLOAT,
        .out = term->values,
        .count = hone_plan_combinations(plan, term->depth, term->span)};
    return take_operand(plan, term, 0, step) && take_operand(plan, term, 1, step) &&
           (step->kind == ARITHMETIC || take_bits(plan, term, &step->row));
}

static bool give_row(struct hone_expr_plan *plan, struct hone_plan_term *term)
{
    struct hone_arena *arena = &plan->arena;
    if (term->op == OP_VAR) return true;
    if (term->type == HONE_BOOL) {
        term->truths = hone_arena_array(arena, hone_plan_words(plan, term->depth),
                                        sizeof *term->truths);
        return term->truths;
    }
    term->values =
        hone_arena_array(arena, hone_plan_combinations(plan, term->depth, term->span),
                         sizeof *term->values);
    return term->values;
}

// Terms come before those that use them, which read at least as deep: so do their steps.
static bool list_steps(struct hone_expr_plan *plan)
{
    size_t at = 0;
    for (size_t depth = 0; depth < plan->depth_count; depth++) {
        const size_t first = plan->first_step[depth] = at;
        for (uint32_t i = 0; i < plan->count; i++) {
            const struct hone_plan_term *term = &plan->terms[i];
            if (term->op == OP_VAR || term->depth != depth) continue;
            struct hone_plan_step step;
            if (!make_step(plan, term, &step)) return false;
            size_t to = at++;
            // HONE_NO_DEPTH + 1 is 0: what reads nothing comes first.
            for (; to > first && plan->steps[to - 1].reads + 1 > step.reads + 1; to--)
                plan->steps[to] = plan->steps[to - 1];
            plan->steps[to] = step;
        }
    }
    plan->first_step[plan->depth_count] = at;
    return true;
}

static bool list_read(struct hone_expr_plan *plan)
{
    size_t at = 0;
    for (size_t depth = 0; depth < plan->depth_count; depth++) {
        plan->first_read[depth] = at;
        for (uint32_t i = 0; i < plan->count; i++) {
            struct hone_plan_term *term = &plan->terms[i];
            if (!term->is_read || term->depth != depth) continue;
            plan->read[at++] = term;
            const uint8_t whole = hone_plan_whole(plan, depth);
            if (term->type == HONE_BOOL || term->span == whole) continue;
            term->numbers = numbers_of(plan, depth, whole, term->span);
            if (!term->numbers) return false;
        }
    }
    plan->first_read[plan->depth_count] = at;
    return true;
}

bool hone_plan_seal(struct hone_expr_plan *plan)
{
    struct hone_arena *arena = &plan->arena;
    const size_t depths = plan->depth_count + 1;
    plan->steps = hone_arena_array(arena, plan->count, sizeof *plan->steps);
    plan->read = hone_arena_array(arena, plan->count, sizeof(struct hone_plan_term *));
    plan->first_step = hone_arena_array(arena, depths, sizeof *plan->first_step);
    plan->first_read = hone_arena_array(arena, depths, sizeof *plan->first_read);
    if (!plan->steps || !plan->read || !plan->first_step || !plan->first_read)
        return false;
    for (size_t i = 0; i < 64; i++)
        plan->bits[i] = (uint64_t)1 << i;
    for (uint32_t i = 0; i < plan->count; i++)
        if (!give_row(plan, &plan->terms[i])) return false;
    return list_steps(plan) && list_read(plan);
}

struct hone_plan_truths hone_plan_truths(const struct hone_expr_plan *plan,
                                         uint32_t number)
{
    const struct hone_plan_term *term = &plan->terms[number];
    return (struct hone_plan_truths){.depth = term->depth, .words = term->truths};
}

bool hone_plan_depends(const struct hone_expr_plan *plan, size_t depth, size_t *last)
{
    const size_t end = plan->first_step[depth + 1];
    if (end == plan->first_step[depth] || plan->steps[end - 1].reads == HONE_NO_DEPTH)
        return false;
    *last = plan->steps[end - 1].reads;
    return true;
}

// --- filling ---

static void run_spread(const struct spread *spread, size_t count)
{
    for (size_t i = 0; i < count; i++)
        spread->to[i] = spread->from[spread->numbers[i]];
}

static void plan_fill_run(const struct hone_plan_step *step)
{
    for (size_t k = 0; k < 2; k++)
        if (step->spreads[k].numbers) run_spread(&step->spreads[k], step->row.count);
    switch (step->kind) {
    case ARITHMETIC:
        hone_row_fill(&step->row);
        break;
    case COMPARISON:
        hone_row_compare(&step->row);
        break;
    case LOGIC:
        hone_bits_fill(&step->logic);
        break;
    }
}

void hone_plan_fill(struct hone_expr_plan *plan, size_t depth, const uint64_t *chosen_at,
                    uint64_t since)
{
    size_t i = plan->first_step[depth];
    const size_t end = plan->first_step[depth + 1];
    for (; since && i < end; i++) {
        const size_t reads = plan->steps[i].reads;
        if (reads != HONE_NO_DEPTH && chosen_at[reads] > since) break;
    }
    for (; i < end; i++)
        plan_fill_run(&plan->steps[i]);
}

void hone_plan_choose(struct hone_expr_plan *plan, size_t depth, size_t choice)
{
    for (size_t i = plan->first_read[depth]; i < plan->first_read[depth + 1]; i++) {
        struct hone_plan_term *term = plan->read[i];
        if (term->type == HONE_BOOL)
            term->chosen_truth = -(term->truths[choice / 64] >> choice % 64 & 1);
        else
            term->chosen = term->values[term->numbers ? term->numbers[choice] : choice];
    }
}
