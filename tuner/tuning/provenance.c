#include "tuning/provenance.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/hash.h"
#include "hone/strbuf.h"
#include "hone/version.h"

// What changes a measurement but is neither template nor space: resuming must not mix it.
static const char *options_hash(struct hone_arena *arena,
                                const struct hone_kernel_def *def,
                                const struct hone_evaluate_options *options)
{
    struct hone_hash hash;
    char text[HONE_HASH_TEXT];
    hone_hash_begin(&hash);
    hone_hash_part(&hash, &options->flags, sizeof options->flags);
    hone_hash_part(&hash, &options->policy.warm_cache, sizeof options->policy.warm_cache);
    for (size_t i = 0; i < def->option_count; i++)
        hone_hash_text(&hash, def->options[i]);
    hone_hash_end(&hash, text);
    return hone_arena_strdup(arena, text);
}

// A kernel that counts on zeros in what it also writes asks for them by this fill.
static const char *record_fill(const struct hone_arg_def *arg)
{
    return arg->kind == HONE_ARG_INOUT && arg->fill == HONE_FILL_ZERO ? "zero" : NULL;
}

static const struct hone_record_arg *record_args(struct hone_arena *arena,
                                                 const struct hone_kernel_def *def)
{
    struct hone_record_arg *args = hone_arena_array(arena, def->arg_count, sizeof *args);
    for (size_t i = 0; args && i < def->arg_count; i++)
        args[i] = (struct hone_record_arg){.kind = hone_arg_kind_name(def->args[i].kind),
                                           .name = def->args[i].name,
                                           .dtype = hone_dtype_name(def->args[i].dtype),
                                           .size = def->args[i].size,
                                           .pointers = def->args[i].pointers,
                                           .map = def->args[i].map,
                                           .fill = record_fill(&def->args[i])};
    return args;
}

// What says where a configuration may run, at other sizes and on other devices too.
static const struct hone_record_constraint *
record_where(struct hone_arena *arena, const struct hone_space_def *space)
{
    struct hone_record_constraint *where =
        hone_arena_array(arena, space->constraint_count, sizeof *where);
    for (size_t i = 0; where && i < space->constraint_count; i++) {
        const struct hone_constraint *constraint = &space->constraints[i];
        where[i] =
            constraint->holds
                ? (struct hone_record_constraint){.vars = constraint->vars,
                                                  .var_count = constraint->var_count}
                : (struct hone_record_constraint){.text = constraint->text};
    }
    return where;
}

static void add_kernel(struct hone_record_info *info, const struct hone_kernel_def *def)
{
    static const char *const none[] = {NULL};
    info->kernel = def->name;
    info->entry = def->entry;
    info->params = def->space.params;
    info->param_count = def->space.param_count;
    info->problem = def->space.constants;
    info->problem_count = def->problem_count;
    info->derived = def->space.derived;
    info->derived_count = def->space.derived_count;
    memcpy(info->grid, def->launch.grid, sizeof info->grid);
    memcpy(info->block, def->launch.block, sizeof info->block);
    memcpy(info->cluster, def->launch.cluster, sizeof info->cluster);
    info->shared = def->launch.shared;
    info->launch_flags = def->launch.flags;
    info->arg_count = def->arg_count;
    info->defines = def->defines ? def->defines : none;
    info->define_count = def->define_count;
    info->flops = def->work_flops;
    info->bytes = def->work_bytes;
    info->waivers = def->waivers;
    info->waiver_count = def->waiver_count;
    info->template_name = hone_path_base(def->template_path);
}

static void add_device(struct hone_record_info *info, const struct hone_facts *facts)
{
    info->device_name = facts->limits->name;
    info->device_id = facts->device_id;
    info->driver = facts->driver;
    info->limits = facts->limits;
    info->clock = hone_clock_name(facts->clock);
    if (facts->clock_note && *facts->clock_note) info->clock_note = facts->clock_note;
    info->nvrtc_version = facts->nvrtc;
}

// The names of what is active, in a text; "none" where nothing is. NULL when out of
// memory.
static const char *active_parts(struct hone_arena *arena)
{
    struct hone_box box;
    struct hone_strbuf names = HONE_STRBUF_INIT;
    hone_compile_box(&box, NULL); // where it fails, no part is active
    for (int i = 0; i < HONE_BOX_PARTS; i++)
        if (!box.why[i][0])
            hone_strbuf_printf(&names, "%s%s", names.len ? " " : "",
                               hone_box_name((enum hone_box_part)i));
    const char *text =
        names.failed ? NULL : hone_arena_strdup(arena, names.len ? names.data : "none");
    hone_strbuf_fini(&names);
    return text;
}

struct hone_facts hone_facts_of(const struct hone_workbench *bench)
{
    const struct hone_device *device = bench->device;
    return (struct hone_facts){.limits = &device->limits,
                               .device_id = device->id,
                               .driver = device->driver,
                               .nvrtc = hone_builder_version(bench->builder),
                               .clock = device->clock,
                               .clock_note = device->clock_note,
                               .counts_energy = device->counts_energy};
}

// A script whose verify is absent or empty has the tuned size alone, as plan.c has it.
static const char *verified_text(const struct hone_kernel_def *def,
                                 const struct hone_size_counts *sizes)
{
    const bool at_tuned = sizes->named + sizes->drawn == 0;
    if (def->reference.template_path)
        return at_tuned ? HONE_VERIFIED_TUNED : HONE_VERIFIED_REFERENCE;
    return at_tuned ? HONE_VERIFIED_ALONE_TUNED : HONE_VERIFIED_ALONE;
}

static enum hone_status add_sizes(struct hone_record_info *info, struct hone_arena *arena,
                                  const struct hone_kernel *kernel,
                                  const struct hone_evaluate_options *options,
                                  struct hone_error *err)
{
    struct hone_size_counts sizes;
    struct hone_value *values;
    enum hone_status status = hone_evaluate_sizes(kernel, options, &sizes, &values, err);
    if (status == HONE_OK)
        info->verified = verified_text(hone_kernel_get_def(kernel), &sizes);
    if (status != HONE_OK || !sizes.drawn) {
        free(values);
        return status;
    }
    const size_t count = sizes.drawn * info->problem_count;
    struct hone_value *kept = hone_arena_array(arena, count, sizeof *kept);
    if (kept) memcpy(kept, values, count * sizeof *kept);
    free(values);
    if (!kept) return hone_no_memory(err, "for the drawn sizes");
    info->drawn_sizes = sizes.drawn;
    info->drawn = kept;
    return HONE_OK;
}

// "cold", or "cold, 1048576 bytes set aside".
static const char *l2_text(struct hone_arena *arena, const struct hone_kernel_def *def,
                           const struct hone_evaluate_options *options)
{
    char text[64];
    const char *found = options->policy.warm_cache ? "warm" : "cold";
    if (!def->l2_set_aside) return found;
    snprintf(text, sizeof text, "%s, %llu bytes set aside", found,
             (unsigned long long)def->l2_set_aside);
    return hone_arena_strdup(arena, text);
}

enum hone_status hone_provenance(struct hone_record_info *info, struct hone_arena *arena,
                                 const struct hone_workbench *bench,
                                 const struct hone_facts *facts,
                                 const struct hone_evaluate_options *options,
                                 struct hone_error *err)
{
    const struct hone_kernel_def *def = &bench->def;
    *info = (struct hone_record_info){
        .hone_version = HONE_VERSION,
        .template_hash = hone_kernel_template_hash(bench->kernel),
        .space_hash = hone_kernel_space_hash(bench->kernel),
        .space_count = hone_space_count(bench->space),
        .defaults = bench->has_default ? bench->default_choices : NULL,
    };
    add_kernel(info, def);
    add_device(info, facts);
    info->options_hash = options_hash(arena, def, options);
    info->verified = HONE_VERIFIED_NO;
    info->seed = options->data_seed;
    if (!(options->flags & HONE_EVALUATE_NO_VERIFY)) {
        enum hone_status status = add_sizes(info, arena, bench->kernel, options, err);
        if (status != HONE_OK) return status;
    }
    info->times = hone_clock_times(facts->clock);
    info->objective = hone_objective_record(options->objective, info->times);
    if (info->times != HONE_TIME_PREDICTED) info->l2 = l2_text(arena, def, options);
    info->box = active_parts(arena);
    info->args = record_args(arena, def);
    info->where = record_where(arena, &def->space);
    info->where_count = def->space.constraint_count;
    if (!info->options_hash || !info->args || !info->where || !info->box)
        return hone_no_memory(err, "for the journal's first line");
    return HONE_OK;
}
