// What a correct definition may still have wrong: constraints that remove nothing, values
// that nothing can use, and functions that are called where an expression would have
// decided.
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "space_internal.h"

struct findings {
    struct hone_lint *items;
    size_t count, cap;
    bool out_of_memory;
};

static void lint_add(struct findings *f, struct hone_lint finding)
{
    if (HONE_GROW(&f->items, &f->cap, f->count + 1, 8))
        f->items[f->count++] = finding;
    else
        f->out_of_memory = true;
}

// --- constraints ---

static bool is_function(const struct hone_space *space, size_t rule)
{
    return !space->checks[space->rules[rule].first_check].expr;
}

static bool is_within(const struct hone_check *inner, const struct hone_check *outer)
{
    size_t k = 0;
    for (size_t i = 0; i < inner->scope_count; i++, k++) {
        while (k < outer->scope_count && outer->scope[k] < inner->scope[i])
            k++;
        if (k == outer->scope_count || outer->scope[k] != inner->scope[i]) return false;
    }
    return inner->scope_count > 0;
}

// Tests that become possible together are made in the order of the script: an expression
// over no more than a function's parameters should stand before it.
static void find_late_expression(const struct hone_space *space, size_t function,
                                 struct findings *f)
{
    const struct hone_check *outer = &space->checks[space->rules[function].first_check];
    for (size_t i = 0; i < space->check_count; i++) {
        const struct hone_check *check = &space->checks[i];
        if (!check->expr || check->rule < function || !is_within(check, outer)) continue;
        lint_add(f, (struct hone_lint){.kind = HONE_LINT_FUNCTION_FIRST,
                                       .constraint = function,
                                       .other = check->rule});
        return;
    }
}

// What reads a limit of the device is for other devices than this one.
static bool is_guard(const char *text)
{
    return text && strstr(text, "device.");
}

static void find_rules(const struct hone_space *space, struct findings *f)
{
    for (size_t i = 0; i < space->rule_count; i++) {
        struct hone_constraint_info info;
        hone_space_constraint_info(space, i, &info);
        if (info.alone == 0 && !is_guard(info.text))
            lint_add(f, (struct hone_lint){.kind = HONE_LINT_REMOVES_NOTHING,
                                           .constraint = i});
        if (is_function(space, i)) find_late_expression(space, i, f);
    }
}

// --- values ---

static enum hone_status find_values(const struct hone_space *space, size_t param,
                                    struct findings *f)
{
    const struct hone_place *place = &space->places[param];
    const struct hone_keys *keys = &space->parts[place->part].keys;
    const size_t values = space->params[param].count;
    // Free: all are used. Sampled: one that is not seen may be used.
    if (!keys->fields || space->parts[place->part].is_sampled) return HONE_OK;
    bool *used = calloc(values, sizeof *used);
    if (!used) return HONE_ENOMEM;
    for (size_t rank = 0; rank < keys->count; rank++)
        used[hone_key_get(hone_keys_at(keys, rank), place->field)] = true;
    for (size_t v = 0; v < values; v++)
        if (!used[v])
            lint_add(f, (struct hone_lint){
                            .kind = HONE_LINT_VALUE_UNUSED, .param = param, .value = v});
    free(used);
    return HONE_OK;
}

enum hone_status hone_space_lint(const struct hone_space *space,
                                 struct hone_lint **findings, size_t *count,
                                 struct hone_error *err)
{
    struct findings f = {0};
    enum hone_status status = HONE_OK;
    find_rules(space, &f);
    for (size_t p = 0; p < space->param_count && status == HONE_OK; p++)
        status = find_values(space, p, &f);
    if (f.out_of_memory) status = HONE_ENOMEM;
    if (status != HONE_OK) {
        free(f.items);
        f = (struct findings){0};
        hone_no_memory(err, "to lint a space");
    }
    *findings = f.items;
    *count = f.count;
    return status;
}
