// Laying out the search: the order of the parameters, the plan of the checks that are
// plain expressions, and room for what the others remember.
#include "levels.h"

#include <stdlib.h>

struct layout {
    struct hone_levels *levels;
    const struct hone_space *space;
    const struct hone_walk *job;
    size_t *order;  // of the parameters
    size_t *depths; // by parameter
    uint32_t *rows; // of the plan, by check
    size_t *at;     // depth by check
    bool *plain;    // by check
};

// --- the plan ---

static void fill_names(const struct layout *l)
{
    const struct hone_space *space = l->space;
    struct hone_plan_name *names = l->levels->names;
    for (size_t slot = space->param_count; slot < space->name_count; slot++) {
        size_t i;
        names[slot] = (struct hone_plan_name){.values = &space->slots[slot], .count = 1};
        if (hone_space_formula_of(space, slot, &i) && !space->formulas[i].constant)
            names[slot] = (struct hone_plan_name){.formula = space->formulas[i].expr};
    }
    for (size_t depth = 0; depth < l->job->param_count; depth++) {
        const struct hone_param *param = &space->params[l->order[depth]];
        l->levels->counts[depth] = param->count;
        names[l->order[depth]] = (struct hone_plan_name){
            .values = param->values, .count = param->count, .depth = depth};
    }
}

// The depth at which the last parameter of its scope gets a value.
static size_t depth_of(const struct hone_check *check, const size_t *depths)
{
    size_t depth = 0;
    for (size_t i = 0; i < check->scope_count; i++)
        if (depths[check->scope[i]] > depth) depth = depths[check->scope[i]];
    return depth;
}

static bool plan_checks(const struct layout *l)
{
    struct hone_plan *plan = l->levels->plan;
    for (size_t i = 0; i < l->job->check_count; i++) {
        const struct hone_check *check = l->job->checks[i];
        enum hone_status status = check->expr
                                      ? hone_plan_add(plan, check->expr, &l->rows[i])
                                      : HONE_EUNSUPPORTED;
        if (status == HONE_ENOMEM) return false;
        l->plain[i] = status == HONE_OK;
        l->at[i] = l->plain[i] ? hone_plan_row(plan, l->rows[i]).depth
                               : depth_of(check, l->depths);
    }
    return hone_plan_seal(plan);
}

// --- levels ---

static void add_test(const struct layout *l, struct hone_level *level, size_t i)
{
    const struct hone_check *check = l->job->checks[i];
    struct hone_test *test = &level->tests[level->test_count++];
    *test = (struct hone_test){.check = check, .stride = 1};
    if (l->plain[i]) {
        test->truths = hone_plan_row(l->levels->plan, l->rows[i]).values;
        return;
    }
    for (size_t k = 0; k < check->scope_count; k++) {
        size_t param = check->scope[k], depth = l->depths[param];
        if (param == level->param) {
            if (check->memo) test->stride = check->strides[k];
            continue;
        }
        if (!level->reads || depth > level->last) level->last = depth;
        level->reads = true;
    }
}

static size_t place_of(const struct hone_walk *job, size_t param)
{
    size_t place = 0;
    while (job->params[place] != param)
        place++;
    return place;
}

// Tests of a level stay in the order of the constraints: a guard may stand before what it
// guards.
static void fill_levels(const struct layout *l)
{
    struct hone_levels *levels = l->levels;
    struct hone_test *tests = levels->tests;
    for (size_t depth = 0; depth < levels->count; depth++) {
        size_t param = l->order[depth];
        struct hone_level *level = &levels->items[depth];
        *level = (struct hone_level){
            .param = param, .values = levels->counts[depth], .tests = tests};
        level->reads = hone_plan_depends(levels->plan, depth, &level->last);
        if (l->job->keys) level->field = l->job->keys->fields[place_of(l->job, param)];
        for (size_t i = 0; i < l->job->check_count; i++)
            if (l->at[i] == depth) add_test(l, level, i);
        if (level->test_count > 0) levels->tested = depth + 1;
        tests += level->test_count;
    }
    levels->cartesian = 1;
    for (size_t depth = levels->count; depth-- > 0;) {
        levels->items[depth].below = levels->cartesian;
        levels->cartesian *= (double)levels->items[depth].values;
    }
}

// Room for a row of verdicts where there is no memo, and for the values that pass.
static bool give_rows(struct hone_levels *levels)
{
    size_t cells = 0, passing = 0;
    for (int give = 0; give < 2; give++) {
        if (give) {
            levels->rows = malloc(cells + 1);
            levels->passing = malloc((passing + 1) * sizeof *levels->passing);
            if (!levels->rows || !levels->passing) return false;
        }
        cells = passing = 0;
        for (size_t depth = 0; depth < levels->count; depth++) {
            struct hone_level *level = &levels->items[depth];
            if (give) level->passing = levels->passing + passing;
            passing += level->values;
            for (size_t i = 0; i < level->test_count; i++) {
                struct hone_test *test = &level->tests[i];
                if (test->truths || test->check->memo) continue;
                if (give) test->row = levels->rows + cells;
                cells += level->values;
            }
        }
    }
    return true;
}

static bool lay_out(struct layout *l)
{
    struct hone_levels *levels = l->levels;
    if (!hone_walk_order(l->space, l->job, l->order)) return false;
    for (size_t depth = 0; depth < levels->count; depth++)
        l->depths[l->order[depth]] = depth;
    fill_names(l);
    levels->plan = hone_plan_new(levels->names, levels->counts, levels->count);
    if (!levels->plan || !plan_checks(l)) return false;
    fill_levels(l);
    return give_rows(levels);
}

enum hone_status hone_levels_init(struct hone_levels *levels,
                                  const struct hone_space *space,
                                  const struct hone_walk *job, struct hone_error *err)
{
    const size_t params = job->param_count, checks = job->check_count + 1;
    *levels = (struct hone_levels){
        .items = calloc(params, sizeof *levels->items),
        .count = params,
        .names = calloc(space->name_count, sizeof *levels->names),
        .counts = calloc(params, sizeof *levels->counts),
        .tests = calloc(checks, sizeof *levels->tests),
    };
    struct layout l = {
        .levels = levels,
        .space = space,
        .job = job,
        .order = calloc(params, sizeof *l.order),
        .depths = calloc(space->param_count, sizeof *l.depths),
        .rows = calloc(checks, sizeof *l.rows),
        .at = calloc(checks, sizeof *l.at),
        .plain = calloc(checks, sizeof *l.plain),
    };
    bool ok = levels->items && levels->names && levels->counts && levels->tests &&
              l.order && l.depths && l.rows && l.at && l.plain && lay_out(&l);
    free(l.order);
    free(l.depths);
    free(l.rows);
    free(l.at);
    free(l.plain);
    if (ok) return HONE_OK;
    hone_levels_fini(levels);
    return hone_fail(err, HONE_ENOMEM, "out of memory");
}

void hone_levels_fini(struct hone_levels *levels)
{
    hone_plan_free(levels->plan);
    free(levels->items);
    free(levels->names);
    free(levels->counts);
    free(levels->tests);
    free(levels->rows);
    free(levels->passing);
    *levels = (struct hone_levels){0};
}
