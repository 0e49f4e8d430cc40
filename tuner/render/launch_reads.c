// Which parameters decide how a kernel is launched and what it is given.
#include "render_internal.h"

static void mark_formula(struct hone_kernel *kernel, const struct hone_formula *formula)
{
    const size_t count = formula->expr ? hone_expr_var_count(formula->expr) : 0;
    for (size_t i = 0; i < count; i++) {
        const size_t slot = hone_expr_slot(formula->expr, i);
        if (slot < kernel->first_constant) kernel->launch_reads[slot] = true;
    }
}

static void mark_launch(struct hone_kernel *kernel)
{
    for (size_t i = 0; i < 3; i++) {
        mark_formula(kernel, &kernel->launch.grid[i]);
        mark_formula(kernel, &kernel->launch.block[i]);
    }
    mark_formula(kernel, &kernel->launch.shared);
}

static void mark_map(struct hone_kernel *kernel, const struct hone_map_formulas *map)
{
    for (size_t i = 0; i < HONE_MAP_RANK_MAX; i++) {
        mark_formula(kernel, &map->size[i]);
        mark_formula(kernel, &map->box[i]);
        mark_formula(kernel, &map->stride[i]);
    }
}

enum hone_status hone_launch_reads_find(struct hone_kernel *kernel,
                                        struct hone_error *err)
{
    const struct hone_kernel_def *def = &kernel->def;
    kernel->launch_reads =
        hone_arena_array(&kernel->arena, kernel->first_constant, sizeof(bool));
    if (!kernel->launch_reads) return hone_no_memory(err, "for kernel '%s'", def->name);
    mark_launch(kernel);
    for (size_t i = 0; i < def->arg_count; i++) {
        mark_formula(kernel, &kernel->args[i]);
        mark_formula(kernel, &kernel->pointers[i]);
        mark_map(kernel, &kernel->maps[i]);
    }
    for (size_t i = def->space.derived_count; i-- > 0;) { // readers before what they read
        const size_t derived = kernel->derived_order[i];
        if (kernel->launch_reads[def->space.param_count + derived])
            mark_formula(kernel, &kernel->derived[derived]);
    }
    return HONE_OK;
}

bool hone_kernel_launch_reads(const struct hone_kernel *kernel, size_t param)
{
    return kernel->launch_reads[param];
}
