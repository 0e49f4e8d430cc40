// Making a space from a definition or a list.
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

// 8 bytes a word of each key, 4 to 8 of directory; twice the keys while sorting.
enum { CONFIGURATIONS_MAX = 50000000 };
// About a minute; what the search may take where constraints prune late.
static const uint64_t steps_max = 2000000000;
// The same for one constraint alone, which is for information only.
static const uint64_t steps_max_alone = 10000000;

static enum hone_status init_keys(struct hone_space *space, struct hone_error *err)
{
    size_t *counts = calloc(space->param_count, sizeof *counts);
    if (!counts) return hone_fail(err, HONE_ENOMEM, "out of memory");
    for (size_t i = 0; i < space->param_count; i++)
        counts[i] = space->params[i].count;
    enum hone_status status =
        hone_keys_init(&space->keys, counts, space->param_count, err);
    free(counts);
    return status;
}

// --- what constraints do ---

static struct hone_walk first_rules(const struct hone_space *space, size_t count)
{
    const struct hone_rule *last = &space->rules[count - 1];
    return (struct hone_walk){.checks = space->checks,
                              .check_count = last->first_check + last->check_count,
                              .first_only = true,
                              .max_steps = steps_max_alone};
}

// Names the constraint that leaves nothing of what those before it allow.
static enum hone_status fail_empty(const struct hone_space *space, struct hone_error *err)
{
    size_t culprit = 0;
    for (; culprit + 1 < space->rule_count; culprit++) {
        double count = 0;
        struct hone_walk job = first_rules(space, culprit + 1);
        if (!hone_walk(space, &job, &count, NULL) && count == 0) break;
    }
    const struct hone_rule *rule = &space->rules[culprit];
    char what[HONE_RULE_NAME];
    hone_rule_name(rule, what);
    bool failed = rule->info.failed > 0;
    return hone_fail_at(err, HONE_EINPUT, space->source, rule->info.line,
                        "no configuration is valid: %s rejects all that are left%s%s%s",
                        what, failed ? " (" : "", rule->info.first_failure,
                        failed ? ")" : "");
}

// How many combinations a constraint rejects by itself; NAN where too many to count.
static double count_alone(const struct hone_space *space, const struct hone_rule *rule)
{
    double count = 0;
    struct hone_walk job = {.checks = space->checks + rule->first_check,
                            .check_count = rule->check_count,
                            .max_steps = steps_max_alone};
    if (hone_walk(space, &job, &count, NULL)) return (double)NAN;
    return space->cartesian - count;
}

// A predicate may be gone when the report is asked for: count now, if it is known for all
// tuples or soon will be.
static void finish_rules(struct hone_space *space)
{
    for (size_t i = 0; i < space->rule_count; i++) {
        struct hone_rule *rule = &space->rules[i];
        if (!rule->holds) continue;
        bool few = space->checks[rule->first_check].memo;
        rule->info.alone = few ? count_alone(space, rule) : (double)NAN;
        rule->holds = NULL;
        rule->context = NULL;
    }
    for (size_t i = 0; i < space->check_count; i++) {
        free(space->checks[i].memo);
        space->checks[i].memo = NULL;
    }
}

// --- construction ---

static enum hone_status enumerate(struct hone_space *space, struct hone_error *err)
{
    enum hone_status status = init_keys(space, err);
    if (status) return status;
    double count = 0;
    struct hone_walk job = {.checks = space->checks,
                            .check_count = space->check_count,
                            .keys = &space->keys,
                            .tally = space->rules,
                            .max_count = CONFIGURATIONS_MAX,
                            .max_steps = steps_max};
    status = hone_walk(space, &job, &count, err);
    if (!status && space->keys.count == 0) status = fail_empty(space, err);
    if (!status) status = hone_keys_sort(&space->keys, err);
    if (!status) finish_rules(space);
    return status;
}

enum hone_status hone_space_new(struct hone_space **out, const struct hone_space_def *def,
                                struct hone_error *err)
{
    *out = NULL;
    struct hone_space *space = calloc(1, sizeof *space);
    if (!space) return hone_fail(err, HONE_ENOMEM, "out of memory");
    enum hone_status status = hone_space_define(space, def, err);
    if (!status) status = hone_space_derive(space, def, err);
    if (!status) status = hone_space_constrain(space, def, err);
    if (!status) status = enumerate(space, err);
    if (status)
        hone_space_free(space);
    else
        *out = space;
    return status;
}

void hone_space_free(struct hone_space *space)
{
    if (!space) return;
    hone_keys_fini(&space->keys);
    for (size_t i = 0; i < space->check_count; i++) {
        hone_expr_free(space->checks[i].expr);
        free(space->checks[i].memo);
    }
    free(space->checks);
    for (size_t i = 0; space->formulas && i < space->formula_count; i++)
        hone_expr_free(space->formulas[i].expr);
    hone_arena_fini(&space->arena);
    free(space);
}

// --- from a list ---

static enum hone_status fail_repeated(const struct hone_space *space, uint64_t index,
                                      struct hone_error *err)
{
    char list[256];
    size_t used = 0;
    const uint64_t *key = hone_keys_at(&space->keys, index);
    for (size_t i = 0; i < space->param_count && used < sizeof list; i++) {
        const struct hone_param *param = &space->params[i];
        char value[64];
        hone_value_print(value, sizeof value,
                         param->values[hone_key_get(key, space->keys.fields[i])]);
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s = %s",
                                 i ? ", " : "", param->name, value);
    }
    return hone_fail(err, HONE_EINPUT, "configuration %s%s is listed twice", list,
                     used < sizeof list ? "" : "...");
}

static enum hone_status append_rows(struct hone_space *space, const uint16_t *choices,
                                    size_t count, struct hone_error *err)
{
    struct hone_keys *keys = &space->keys;
    for (size_t row = 0; row < count; row++) {
        uint64_t key[HONE_KEY_WORDS_MAX] = {0};
        for (size_t i = 0; i < space->param_count; i++) {
            uint16_t choice = choices[row * space->param_count + i];
            if (choice >= space->params[i].count)
                return hone_fail(
                    err, HONE_EINPUT,
                    "configuration %zu has value number %d of parameter '%s', "
                    "which has %zu values",
                    row, choice, space->params[i].name, space->params[i].count);
            hone_key_set(key, keys->fields[i], choice);
        }
        if (!hone_keys_append(keys, key))
            return hone_fail(err, HONE_ENOMEM, "out of memory after %zu configurations",
                             row);
    }
    return HONE_OK;
}

static enum hone_status fill_from_list(struct hone_space *space, const uint16_t *choices,
                                       size_t count, struct hone_error *err)
{
    if (count > CONFIGURATIONS_MAX)
        return hone_fail(err, HONE_ELIMIT, "%zu configurations, at most %d are supported",
                         count, CONFIGURATIONS_MAX);
    struct hone_keys *keys = &space->keys;
    enum hone_status status = init_keys(space, err);
    if (!status) status = append_rows(space, choices, count, err);
    if (!status) status = hone_keys_sort(keys, err);
    if (status) return status;
    for (size_t i = 1; i < count; i++)
        if (hone_keys_compare(keys, hone_keys_at(keys, i - 1), hone_keys_at(keys, i)) ==
            0)
            return fail_repeated(space, i, err);
    return HONE_OK;
}

enum hone_status hone_space_from_list(struct hone_space **out,
                                      const struct hone_param *params, size_t param_count,
                                      const uint16_t *choices, size_t count,
                                      struct hone_error *err)
{
    *out = NULL;
    struct hone_space *space = calloc(1, sizeof *space);
    if (!space) return hone_fail(err, HONE_ENOMEM, "out of memory");
    struct hone_space_def def = {.params = params, .param_count = param_count};
    enum hone_status status = hone_space_define(space, &def, err);
    if (!status) status = fill_from_list(space, choices, count, err);
    if (status)
        hone_space_free(space);
    else
        *out = space;
    return status;
}

// --- report ---

size_t hone_space_constraint_count(const struct hone_space *space)
{
    return space->rule_count;
}

void hone_space_constraint_info(const struct hone_space *space, size_t i,
                                struct hone_constraint_info *info)
{
    assert(i < space->rule_count);
    const struct hone_rule *rule = &space->rules[i];
    *info = rule->info;
    if (space->checks[rule->first_check].expr) info->alone = count_alone(space, rule);
}
