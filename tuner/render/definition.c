// Copying and hashing a kernel definition.
#include <string.h>

#include "render_internal.h"

struct copier {
    struct hone_arena *arena;
    bool failed;
};

static void *dup_items(struct copier *copier, const void *items, size_t count,
                       size_t size)
{
    if (!items) return NULL;
    void *copy = hone_arena_array(copier->arena, count, size);
    if (!copy)
        copier->failed = true;
    else if (count)
        memcpy(copy, items, count * size);
    return copy;
}

static void dup_text(struct copier *copier, const char **text)
{
    if (!*text) return;
    *text = hone_arena_strdup(copier->arena, *text);
    copier->failed |= !*text;
}

static const char *const *dup_texts(struct copier *copier, const char *const *texts,
                                    size_t count)
{
    const char **copy = dup_items(copier, texts, count, sizeof *copy);
    for (size_t i = 0; copy && i < count; i++)
        dup_text(copier, &copy[i]);
    return copy;
}

static const struct hone_include_folder *dup_includes(struct copier *copier,
                                                      const struct hone_kernel_def *def)
{
    struct hone_include_folder *copy =
        dup_items(copier, def->includes, def->include_count, sizeof *copy);
    for (size_t i = 0; copy && i < def->include_count; i++) {
        dup_text(copier, &copy[i].name);
        dup_text(copier, &copy[i].folder);
        dup_text(copier, &copy[i].place);
    }
    return copy;
}

static const struct hone_value *dup_values(struct copier *copier,
                                           const struct hone_value *values, size_t count)
{
    struct hone_value *copy = dup_items(copier, values, count, sizeof *copy);
    for (size_t i = 0; copy && i < count; i++)
        if (copy[i].type == HONE_STRING) dup_text(copier, &copy[i].s);
    return copy;
}

static const struct hone_param *dup_params(struct copier *copier,
                                           const struct hone_space_def *space)
{
    struct hone_param *copy =
        dup_items(copier, space->params, space->param_count, sizeof *copy);
    for (size_t i = 0; copy && i < space->param_count; i++) {
        dup_text(copier, &copy[i].name);
        copy[i].values = dup_values(copier, copy[i].values, copy[i].count);
    }
    return copy;
}

static const struct hone_constant *dup_constants(struct copier *copier,
                                                 const struct hone_space_def *space)
{
    struct hone_constant *copy =
        dup_items(copier, space->constants, space->constant_count, sizeof *copy);
    for (size_t i = 0; copy && i < space->constant_count; i++) {
        dup_text(copier, &copy[i].name);
        if (copy[i].value.type == HONE_STRING) dup_text(copier, &copy[i].value.s);
    }
    return copy;
}

static const struct hone_derived *dup_derived(struct copier *copier,
                                              const struct hone_space_def *space)
{
    struct hone_derived *copy =
        dup_items(copier, space->derived, space->derived_count, sizeof *copy);
    for (size_t i = 0; copy && i < space->derived_count; i++) {
        dup_text(copier, &copy[i].name);
        dup_text(copier, &copy[i].text);
    }
    return copy;
}

static const struct hone_constraint *dup_constraints(struct copier *copier,
                                                     const struct hone_space_def *space)
{
    struct hone_constraint *copy =
        dup_items(copier, space->constraints, space->constraint_count, sizeof *copy);
    for (size_t i = 0; copy && i < space->constraint_count; i++) {
        dup_text(copier, &copy[i].text);
        copy[i].vars = dup_texts(copier, copy[i].vars, copy[i].var_count);
    }
    return copy;
}

static void dup_space(struct copier *copier, struct hone_space_def *space)
{
    dup_text(copier, &space->source);
    space->params = dup_params(copier, space);
    space->constants = dup_constants(copier, space);
    space->derived = dup_derived(copier, space);
    space->constraints = dup_constraints(copier, space);
}

static void dup_launch(struct copier *copier, struct hone_launch_def *launch)
{
    for (size_t i = 0; i < 3; i++) {
        dup_text(copier, &launch->grid[i]);
        dup_text(copier, &launch->block[i]);
        dup_text(copier, &launch->cluster[i]);
    }
    dup_text(copier, &launch->shared);
}

static const struct hone_map_def *dup_map(struct copier *copier,
                                          const struct hone_map_def *map)
{
    struct hone_map_def *copy = dup_items(copier, map, 1, sizeof *copy);
    for (size_t i = 0; copy && i < copy->rank; i++) {
        dup_text(copier, &copy->axes[i].size);
        dup_text(copier, &copy->axes[i].box);
        dup_text(copier, &copy->axes[i].stride);
    }
    return copy;
}

static void dup_bounds(struct copier *copier, struct hone_tolerance_def *tolerance)
{
    dup_text(copier, &tolerance->relative);
    dup_text(copier, &tolerance->absolute);
    dup_text(copier, &tolerance->scale);
    dup_text(copier, &tolerance->mean);
}

static const struct hone_tolerance_def *
dup_tolerance(struct copier *copier, const struct hone_tolerance_def *tolerance)
{
    if (!tolerance) return NULL;
    struct hone_tolerance_def *copy = dup_items(copier, tolerance, 1, sizeof *copy);
    if (copy) dup_bounds(copier, copy);
    return copy;
}

static const struct hone_arg_def *dup_args(struct copier *copier,
                                           const struct hone_kernel_def *def)
{
    struct hone_arg_def *copy =
        dup_items(copier, def->args, def->arg_count, sizeof *copy);
    for (size_t i = 0; copy && i < def->arg_count; i++) {
        dup_text(copier, &copy[i].name);
        dup_text(copier, &copy[i].size);
        dup_text(copier, &copy[i].pointers);
        copy[i].map = dup_map(copier, copy[i].map);
        copy[i].tolerance = dup_tolerance(copier, copy[i].tolerance);
        struct hone_fill_data *data = &copy[i].data;
        if (data->size) data->bytes = dup_items(copier, data->bytes, data->size, 1);
    }
    return copy;
}

static const struct hone_problem *dup_verify(struct copier *copier,
                                             const struct hone_kernel_def *def)
{
    struct hone_problem *copy =
        dup_items(copier, def->verify, def->verify_count, sizeof *copy);
    for (size_t i = 0; copy && i < def->verify_count; i++)
        copy[i].values = dup_values(copier, copy[i].values, def->problem_count);
    return copy;
}

static const struct hone_draw *dup_draws(struct copier *copier,
                                         const struct hone_kernel_def *def)
{
    struct hone_draw *copy = dup_items(copier, def->draws, def->draw_count, sizeof *copy);
    for (size_t i = 0; copy && i < def->draw_count; i++) {
        struct hone_draw_choice *choices =
            dup_items(copier, copy[i].choices, def->problem_count, sizeof *choices);
        for (size_t k = 0; choices && k < def->problem_count; k++)
            if (choices[k].values)
                choices[k].values =
                    dup_values(copier, choices[k].values, (size_t)choices[k].count);
        copy[i].choices = choices;
    }
    return copy;
}

static const struct hone_waiver *dup_waivers(struct copier *copier,
                                             const struct hone_kernel_def *def)
{
    struct hone_waiver *copy =
        dup_items(copier, def->waivers, def->waiver_count, sizeof *copy);
    for (size_t i = 0; copy && i < def->waiver_count; i++) {
        dup_text(copier, &copy[i].file);
        dup_text(copier, &copy[i].buffer);
        dup_text(copier, &copy[i].reason);
    }
    return copy;
}

enum hone_status hone_definition_copy(struct hone_kernel_def *out,
                                      struct hone_arena *arena,
                                      const struct hone_kernel_def *def,
                                      struct hone_error *err)
{
    struct copier copier = {.arena = arena};
    *out = *def;
    const char **texts[] = {&out->name,
                            &out->source,
                            &out->template_path,
                            &out->entry,
                            &out->reference.template_path,
                            &out->reference.entry,
                            &out->work_flops,
                            &out->work_bytes};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        dup_text(&copier, texts[i]);
    dup_bounds(&copier, &out->tolerance);
    dup_space(&copier, &out->space);
    out->defaults = dup_values(&copier, def->defaults, def->space.param_count);
    dup_launch(&copier, &out->launch);
    out->args = dup_args(&copier, def);
    dup_launch(&copier, &out->reference.launch);
    out->verify = dup_verify(&copier, def);
    out->draws = dup_draws(&copier, def);
    out->problems = NULL; // a kernel is of one problem
    out->weights = NULL;
    out->problems_count = 0;
    out->defines = dup_texts(&copier, def->defines, def->define_count);
    out->options = dup_texts(&copier, def->options, def->option_count);
    out->template_folders =
        dup_texts(&copier, def->template_folders, def->template_folder_count);
    out->includes = dup_includes(&copier, def);
    out->waivers = dup_waivers(&copier, def);
    if (copier.failed) return hone_no_memory(err, "copying kernel '%s'", def->name);
    return HONE_OK;
}

static void hash_number(struct hone_hash *hash, size_t number)
{
    uint64_t n = number;
    hone_hash_part(hash, &n, sizeof n);
}

static void hash_value(struct hone_hash *hash, struct hone_value value)
{
    hash_number(hash, value.type);
    switch (value.type) {
    case HONE_INT:
        hone_hash_part(hash, &value.i, sizeof value.i);
        return;
    case HONE_FLOAT:
        hone_hash_part(hash, &value.f, sizeof value.f);
        return;
    case HONE_BOOL:
        hash_number(hash, value.b);
        return;
    case HONE_STRING:
        hone_hash_text(hash, value.s);
        return;
    }
}

static void hash_texts(struct hone_hash *hash, const char *const *texts, size_t count)
{
    hash_number(hash, count);
    for (size_t i = 0; i < count; i++)
        hone_hash_text(hash, texts[i]);
}

static void hash_space(struct hone_hash *hash, const struct hone_space_def *space)
{
    hash_number(hash, space->param_count);
    for (size_t i = 0; i < space->param_count; i++) {
        const struct hone_param *param = &space->params[i];
        hone_hash_text(hash, param->name);
        hash_number(hash, param->count);
        for (size_t j = 0; j < param->count; j++)
            hash_value(hash, param->values[j]);
    }
    hash_number(hash, space->constant_count);
    for (size_t i = 0; i < space->constant_count; i++) {
        hone_hash_text(hash, space->constants[i].name);
        hash_value(hash, space->constants[i].value);
    }
    hash_number(hash, space->derived_count);
    for (size_t i = 0; i < space->derived_count; i++) {
        hone_hash_text(hash, space->derived[i].name);
        hone_hash_text(hash, space->derived[i].text);
    }
    hash_number(hash, space->constraint_count);
    for (size_t i = 0; i < space->constraint_count; i++) {
        hone_hash_text(hash, space->constraints[i].text);
        hash_texts(hash, space->constraints[i].vars, space->constraints[i].var_count);
    }
}

static void hash_launch(struct hone_hash *hash, const struct hone_launch_def *launch)
{
    hash_texts(hash, launch->grid, 3);
    hash_texts(hash, launch->block, 3);
    hone_hash_text(hash, launch->shared);
    // A plain launch has the hash that it had before there were others.
    if (launch->cluster[0] || launch->cluster[1] || launch->cluster[2])
        hash_texts(hash, launch->cluster, 3);
    if (launch->flags) hash_number(hash, launch->flags);
}

static void hash_data(struct hone_hash *hash, const struct hone_arg_def *arg)
{
    const double range[] = {arg->data.low, arg->data.high};
    if (arg->fill == HONE_FILL_INTEGERS || arg->fill == HONE_FILL_CONSTANT)
        hone_hash_part(hash, range, sizeof range);
    if (arg->fill == HONE_FILL_FILE)
        hone_hash_part(hash, arg->data.bytes, arg->data.size);
}

static void hash_map(struct hone_hash *hash, const struct hone_map_def *map)
{
    if (!map) return;
    hash_number(hash, map->rank);
    for (size_t i = 0; i < map->rank; i++) {
        hone_hash_text(hash, map->axes[i].size);
        hone_hash_text(hash, map->axes[i].box);
        hone_hash_text(hash, map->axes[i].stride);
    }
    hone_hash_part(hash, &map->modes, sizeof map->modes);
}

// An argument may have none.
static void hash_tolerance(struct hone_hash *hash,
                           const struct hone_tolerance_def *tolerance)
{
    if (!tolerance) return;
    const char *const texts[] = {tolerance->relative, tolerance->absolute,
                                 tolerance->scale, tolerance->mean};
    hash_texts(hash, texts, sizeof texts / sizeof *texts);
}

// What is waived decides which configurations are valid; why does not.
static void hash_waivers(struct hone_hash *hash, const struct hone_kernel_def *def)
{
    for (size_t i = 0; i < def->waiver_count; i++) {
        const struct hone_waiver *waiver = &def->waivers[i];
        hone_hash_text(hash, hone_finding_name(waiver->finding));
        hone_hash_text(hash, waiver->file);
        hash_number(hash, waiver->line);
        hone_hash_text(hash, waiver->buffer);
    }
}

void hone_definition_hash(const struct hone_kernel_def *def, char out[HONE_HASH_TEXT])
{
    struct hone_hash hash;
    hone_hash_begin(&hash);
    const char *const texts[] = {def->name,
                                 def->entry,
                                 def->reference.entry,
                                 def->tolerance.relative,
                                 def->tolerance.absolute,
                                 def->tolerance.scale};
    hash_texts(&hash, texts, sizeof texts / sizeof *texts);
    hash_space(&hash, &def->space);
    hash_launch(&hash, &def->launch);
    hash_launch(&hash, &def->reference.launch);
    hash_number(&hash, def->arg_count);
    for (size_t i = 0; i < def->arg_count; i++) {
        const struct hone_arg_def *arg = &def->args[i];
        hone_hash_text(&hash, arg->name);
        hone_hash_text(&hash, arg->size);
        hash_number(&hash, arg->kind);
        hash_number(&hash, arg->dtype);
        hash_number(&hash, arg->fill);
        hash_data(&hash, arg);
        if (arg->pointers) hone_hash_text(&hash, arg->pointers);
        hash_map(&hash, arg->map);
        if (arg->early) hone_hash_text(&hash, "early");
        hash_tolerance(&hash, arg->tolerance);
    }
    hash_texts(&hash, def->defines, def->define_count);
    hash_texts(&hash, def->options, def->option_count);
    if (def->reference.wide) hone_hash_text(&hash, "f64");
    if (def->tolerance.mean) hone_hash_text(&hash, def->tolerance.mean);
    if (def->l2_set_aside) hash_number(&hash, def->l2_set_aside);
    hash_waivers(&hash, def);
    hone_hash_end(&hash, out);
}
