// Making a space from a definition or a list.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "space_internal.h"

// The anchor counts only where all of its values are there.
static enum hone_status set_sampling(struct hone_space *space,
                                     const struct hone_space_def *def,
                                     struct hone_error *err)
{
    space->tuples_max = def->max_tuples && def->max_tuples < HONE_TUPLES_MAX
                            ? def->max_tuples
                            : HONE_TUPLES_MAX;
    if (!def->anchor) return HONE_OK;
    uint16_t *anchor =
        hone_arena_array(&space->arena, space->param_count, sizeof *anchor);
    if (!anchor) return hone_no_memory(err, "for a space");
    for (size_t i = 0; i < space->param_count; i++)
        if (hone_space_choice_of(space, i, def->anchor[i], &anchor[i]) != HONE_OK)
            return HONE_OK;
    space->anchor = anchor;
    return HONE_OK;
}

enum hone_status hone_space_new(struct hone_space **out, const struct hone_space_def *def,
                                struct hone_error *err)
{
    *out = NULL;
    struct hone_space *space = calloc(1, sizeof *space);
    if (!space) return hone_no_memory(err, "for a space");
    enum hone_status status = hone_space_define(space, def, err);
    if (status == HONE_OK) status = hone_space_derive(space, def, err);
    if (status == HONE_OK) status = hone_space_constrain(space, def, err);
    if (status == HONE_OK) status = set_sampling(space, def, err);
    if (status == HONE_OK) status = hone_space_enumerate(space, err);
    if (status != HONE_OK)
        hone_space_free(space);
    else
        *out = space;
    return status;
}

void hone_space_free(struct hone_space *space)
{
    if (!space) return;
    for (size_t i = 0; i < space->part_count; i++)
        hone_keys_fini(&space->parts[i].keys);
    for (size_t i = 0; i < space->check_count; i++) {
        hone_expr_free(space->checks[i].expr);
        if (space->checks[i].memo) free(space->checks[i].memo->verdicts);
    }
    free(space->checks);
    hone_name_index_fini(&space->index);
    for (size_t i = 0; space->formulas && i < space->formula_count; i++)
        hone_expr_free(space->formulas[i].expr);
    hone_arena_fini(&space->arena);
    free(space);
}

// --- from a list ---

static enum hone_status fail_repeated(const struct hone_space *space, size_t rank,
                                      struct hone_error *err)
{
    char list[256];
    size_t used = 0;
    const struct hone_keys *keys = &space->parts->keys;
    const uint64_t *key = hone_keys_at(keys, rank);
    for (size_t i = 0; i < space->param_count && used < sizeof list; i++) {
        const struct hone_param *param = &space->params[i];
        char value[64];
        hone_value_print(value, sizeof value,
                         param->values[hone_key_get(key, keys->fields[i])]);
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s = %s",
                                 i ? ", " : "", param->name, value);
    }
    return hone_fail(err, HONE_EINPUT, "configuration %s%s is listed twice", list,
                     used < sizeof list ? "" : "...");
}

static enum hone_status append_rows(struct hone_space *space, const uint16_t *choices,
                                    size_t count, struct hone_error *err)
{
    struct hone_keys *keys = &space->parts->keys;
    if (!hone_keys_reserve(keys, count))
        return hone_no_memory(err, "for %zu configurations", count);
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
        hone_keys_push(keys, key);
    }
    return HONE_OK;
}

// One part with all parameters.
static enum hone_status init_part(struct hone_space *space, struct hone_error *err)
{
    size_t *params = calloc(space->param_count, sizeof *params);
    if (!params || !hone_product_reserve(space, 1)) {
        free(params);
        return hone_no_memory(err, "for a space");
    }
    for (size_t i = 0; i < space->param_count; i++)
        params[i] = i;
    enum hone_status status =
        hone_product_add(space, params, space->param_count, false, err);
    free(params);
    return status;
}

static enum hone_status fill_from_list(struct hone_space *space, const uint16_t *choices,
                                       size_t count, struct hone_error *err)
{
    if (count > HONE_TUPLES_MAX)
        return hone_fail(err, HONE_ELIMIT, "%zu configurations, at most %d are supported",
                         count, HONE_TUPLES_MAX);
    enum hone_status status = init_part(space, err);
    if (status != HONE_OK) return status;
    struct hone_keys *keys = &space->parts->keys;
    status = append_rows(space, choices, count, err);
    if (status == HONE_OK) status = hone_keys_sort(keys, err);
    if (status != HONE_OK) return status;
    for (size_t i = 1; i < count; i++)
        if (hone_keys_compare(keys, hone_keys_at(keys, i - 1), hone_keys_at(keys, i)) ==
            0)
            return fail_repeated(space, i, err);
    return hone_product_finish(space, err);
}

enum hone_status hone_space_from_list(struct hone_space **out,
                                      const struct hone_param *params, size_t param_count,
                                      const uint16_t *choices, size_t count,
                                      struct hone_error *err)
{
    *out = NULL;
    struct hone_space *space = calloc(1, sizeof *space);
    if (!space) return hone_no_memory(err, "for a space");
    struct hone_space_def def = {.params = params, .param_count = param_count};
    enum hone_status status = hone_space_define(space, &def, err);
    if (status == HONE_OK) status = fill_from_list(space, choices, count, err);
    if (status != HONE_OK)
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

const char *hone_space_constraint_text(const struct hone_space *space, size_t i)
{
    assert(i < space->rule_count);
    return space->rules[i].info.text;
}

void hone_space_constraint_info(const struct hone_space *space, size_t i,
                                struct hone_constraint_info *info)
{
    assert(i < space->rule_count);
    const struct hone_rule *rule = &space->rules[i];
    *info = rule->info;
    if (space->checks[rule->first_check].expr)
        info->alone = hone_space_count_alone(space, rule);
}
