// Laying out the search: the order of the parameters, their blocks, the plan of the
// checks that are plain expressions, and room for what the others remember.
#include "levels.h"

struct layout {
    struct hone_levels *levels;
    const struct hone_space *space;
    const struct hone_walk *job;
    struct hone_blocks blocks;
    size_t *order;     // of the parameters
    size_t *depths;    // by parameter
    bool *alone;       // by parameter: read by checks that are not plain
    uint32_t *numbers; // of the truths of the plan, by check
    size_t *at;        // depth by check
    bool *plain;       // by check
};

// --- the plan ---

static void name_params(const struct layout *l, size_t depth)
{
    struct hone_plan_depth *block = &l->levels->depths[depth];
    *block = (struct hone_plan_depth){.choices = 1};
    for (size_t k = l->blocks.first[depth]; k < l->blocks.first[depth + 1]; k++) {
        const size_t param = l->blocks.params[k];
        const struct hone_param *p = &l->space->params[param];
        l->depths[param] = depth;
        l->levels->names[param] = (struct hone_plan_name){.values = p->values,
                                                          .count = p->count,
                                                          .depth = depth,
                                                          .place = block->var_count};
        block->choices *= p->count;
        if (p->count > 1) block->counts[block->var_count++] = p->count;
    }
}

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
    for (size_t depth = 0; depth < l->blocks.count; depth++)
        name_params(l, depth);
}

static bool plan_checks(const struct layout *l)
{
    for (size_t i = 0; i < l->job->check_count; i++) {
        const struct hone_check *check = l->job->checks[i];
        enum hone_status status =
            check->expr ? hone_plan_add(l->levels->plan, check->expr, &l->numbers[i])
                        : HONE_EUNSUPPORTED;
        if (status == HONE_ENOMEM) return false;
        l->plain[i] = status == HONE_OK;
    }
    return true;
}

// What checks that are not plain read; false: nothing new.
static bool set_alone(const struct layout *l)
{
    bool found = false;
    for (size_t i = 0; i < l->job->check_count; i++) {
        const struct hone_check *check = l->job->checks[i];
        for (size_t k = 0; !l->plain[i] && k < check->scope_count; k++) {
            found = found || !l->alone[check->scope[k]];
            l->alone[check->scope[k]] = true;
        }
    }
    return found;
}

static bool make_plan(struct layout *l)
{
    struct hone_levels *levels = l->levels;
    hone_blocks_form(&l->blocks, l->space, l->job, l->order, l->alone);
    levels->count = l->blocks.count;
    fill_names(l);
    hone_plan_free(levels->plan);
    levels->plan = hone_plan_new(levels->names, levels->depths, levels->count);
    return levels->plan && plan_checks(l);
}

// Which checks are plain does not depend on the blocks, but shows only with some.
static bool plan_blocks(struct layout *l)
{
    for (size_t i = 0; i < l->job->check_count; i++)
        l->plain[i] = l->job->checks[i]->expr != NULL;
    set_alone(l);
    if (!make_plan(l)) return false;
    if (set_alone(l) && !make_plan(l)) return false;
    return hone_plan_seal(l->levels->plan);
}

// --- levels ---

// The depth at which the last parameter of its scope gets a value.
static size_t depth_of(const struct layout *l, size_t i)
{
    const struct hone_check *check = l->job->checks[i];
    size_t depth = 0;
    if (l->plain[i]) return hone_plan_truths(l->levels->plan, l->numbers[i]).depth;
    for (size_t k = 0; k < check->scope_count; k++)
        if (l->depths[check->scope[k]] > depth) depth = l->depths[check->scope[k]];
    return depth;
}

// Verdicts one by one, in the memo of the check or else in a row.
static bool add_cells(const struct layout *l, struct hone_level *level,
                      struct hone_test *test)
{
    const struct hone_check *check = test->check;
    if (!hone_check_remember(check, l->space)) return false;
    test->memo = check->memo->verdicts;
    if (!test->memo) test->row = hone_arena_alloc(&l->levels->arena, level->choices);
    for (size_t k = 0; k < check->scope_count; k++) {
        size_t param = check->scope[k], depth = l->depths[param];
        if (param == level->params[0]) {
            if (test->memo) test->stride = check->memo->strides[k];
            continue;
        }
        if (!level->reads || depth > level->last) level->last = depth;
        level->reads = true;
    }
    return test->memo || test->row;
}

static bool add_test(const struct layout *l, struct hone_level *level, size_t i)
{
    struct hone_test *test = &level->tests[level->test_count++];
    *test = (struct hone_test){.check = l->job->checks[i], .stride = 1};
    if (!l->plain[i]) return add_cells(l, level, test);
    test->truths = hone_plan_truths(l->levels->plan, l->numbers[i]).words;
    return true;
}

static void place_params(const struct layout *l, size_t depth, struct hone_level *level)
{
    const size_t first = l->blocks.first[depth];
    level->params = l->levels->params + first;
    level->param_count = l->blocks.first[depth + 1] - first;
    level->choices = l->levels->depths[depth].choices;
    level->words = (level->choices + 63) / 64;
    level->reads = hone_plan_depends(l->levels->plan, depth, &level->last);
}

// Tests of a level stay in the order of the constraints: a guard may stand before what it
// guards.
static bool fill_levels(const struct layout *l)
{
    struct hone_levels *levels = l->levels;
    struct hone_test *tests = levels->tests;
    for (size_t i = 0; i < l->job->check_count; i++)
        l->at[i] = depth_of(l, i);
    for (size_t depth = 0; depth < levels->count; depth++) {
        struct hone_level *level = &levels->items[depth];
        *level = (struct hone_level){.tests = tests};
        place_params(l, depth, level);
        for (size_t i = 0; i < l->job->check_count; i++)
            if (l->at[i] == depth && !add_test(l, level, i)) return false;
        for (size_t i = 0; i < level->test_count; i++)
            level->effort += hone_check_length(level->tests[i].check, l->space);
        level->effort /= HONE_STEP_CHARACTERS;
        if (level->test_count > 0) levels->tested = depth + 1;
        tests += level->test_count;
    }
    levels->cartesian = 1;
    for (size_t depth = levels->count; depth-- > 0;) {
        levels->items[depth].below = levels->cartesian;
        levels->cartesian *= (double)levels->items[depth].choices;
    }
    return true;
}

// From the last parameter on, what is there so far is repeated for each value of the one
// before.
static void fill_key_bits(const struct layout *l, struct hone_level *level)
{
    size_t count = 1;
    for (size_t k = level->param_count; k-- > 0;) {
        const size_t param = level->params[k], values = l->space->params[param].count;
        const struct hone_key_field field =
            l->job->keys->fields[hone_walk_place(l->job, param)];
        for (size_t i = count; i < count * values; i++)
            level->key_bits[i] = level->key_bits[i % count] | (uint64_t)(i / count)
                                                                  << field.shift;
        count *= values;
        if (values > 1) level->key_word = field.word;
        level->key_mask |= field.mask << field.shift;
    }
}

static bool give_words(const struct layout *l)
{
    struct hone_arena *arena = &l->levels->arena;
    for (size_t depth = 0; depth < l->levels->count; depth++) {
        struct hone_level *level = &l->levels->items[depth];
        level->passing = hone_arena_array(arena, level->words, sizeof *level->passing);
        level->key_bits =
            hone_arena_array(arena, level->choices, sizeof *level->key_bits);
        if (!level->passing || !level->key_bits) return false;
        if (l->job->keys) fill_key_bits(l, level);
    }
    return true;
}

static bool levels_lay_out(struct layout *l)
{
    return hone_walk_order(l->space, l->job, l->order) && plan_blocks(l) &&
           fill_levels(l) && give_words(l);
}

static bool give_room(struct layout *l)
{
    struct hone_levels *levels = l->levels;
    struct hone_arena *arena = &levels->arena;
    const size_t params = l->job->param_count, checks = l->job->check_count;
    const size_t slots = l->space->param_count;
    levels->items = hone_arena_array(arena, params, sizeof *levels->items);
    levels->params = hone_arena_array(arena, params, sizeof *levels->params);
    levels->names = hone_arena_array(arena, l->space->name_count, sizeof *levels->names);
    levels->depths = hone_arena_array(arena, params, sizeof *levels->depths);
    levels->tests = hone_arena_array(arena, checks, sizeof *levels->tests);
    l->blocks.params = levels->params;
    l->blocks.first = hone_arena_array(arena, params + 1, sizeof *l->blocks.first);
    l->order = hone_arena_array(arena, params, sizeof *l->order);
    l->depths = hone_arena_array(arena, slots, sizeof *l->depths);
    l->alone = hone_arena_array(arena, slots, sizeof *l->alone);
    l->numbers = hone_arena_array(arena, checks, sizeof *l->numbers);
    l->at = hone_arena_array(arena, checks, sizeof *l->at);
    l->plain = hone_arena_array(arena, checks, sizeof *l->plain);
    return levels->items && levels->params && levels->names && levels->depths &&
           levels->tests && l->blocks.first && l->order && l->depths && l->alone &&
           l->numbers && l->at && l->plain;
}

enum hone_status hone_levels_init(struct hone_levels *levels,
                                  const struct hone_space *space,
                                  const struct hone_walk *job, struct hone_error *err)
{
    *levels = (struct hone_levels){0};
    struct layout l = {.levels = levels, .space = space, .job = job};
    if (give_room(&l) && levels_lay_out(&l)) return HONE_OK;
    hone_levels_fini(levels);
    return hone_no_memory(err, "for a space");
}

void hone_levels_fini(struct hone_levels *levels)
{
    hone_plan_free(levels->plan);
    hone_arena_fini(&levels->arena);
    *levels = (struct hone_levels){0};
}

static size_t depth_of_param(const struct hone_levels *levels, size_t param)
{
    for (size_t depth = 0;; depth++)
        for (size_t k = 0; k < levels->items[depth].param_count; k++)
            if (levels->items[depth].params[k] == param) return depth;
}

// Those of the last parameters that the search meets in their order.
unsigned hone_levels_ascending_bits(const struct hone_levels *levels,
                                    const struct hone_walk *job)
{
    size_t depth = levels->count;
    for (size_t k = job->param_count; k-- > 0;) {
        const struct hone_key_field field = job->keys->fields[k];
        if (!field.mask) continue;
        const size_t at = depth_of_param(levels, job->params[k]);
        if (at > depth) return field.shift;
        depth = at;
    }
    return 64;
}
