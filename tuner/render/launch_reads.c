// Which parameters decide how a kernel is launched and what it is given.
#include <string.h>

#include "render_internal.h"

static void mark_formula(const struct hone_kernel *kernel, bool *marks,
                         const struct hone_formula *formula)
{
    const size_t count = formula->expr ? hone_expr_var_count(formula->expr) : 0;
    for (size_t i = 0; i < count; i++) {
        const size_t slot = hone_expr_slot(formula->expr, i);
        if (slot < kernel->first_constant) marks[slot] = true;
    }
}

static void mark_launch(const struct hone_kernel *kernel, bool *marks)
{
    for (size_t i = 0; i < 3; i++) {
        mark_formula(kernel, marks, &kernel->launch.grid[i]);
        mark_formula(kernel, marks, &kernel->launch.block[i]);
        mark_formula(kernel, marks, &kernel->launch.cluster[i]);
    }
    mark_formula(kernel, marks, &kernel->launch.shared);
}

static void mark_map(const struct hone_kernel *kernel, bool *marks,
                     const struct hone_map_formulas *map)
{
    for (size_t i = 0; i < HONE_MAP_RANK_MAX; i++) {
        mark_formula(kernel, marks, &map->size[i]);
        mark_formula(kernel, marks, &map->box[i]);
        mark_formula(kernel, marks, &map->stride[i]);
    }
}

// What marked derived values read, readers before what they read.
static void mark_derived(const struct hone_kernel *kernel, bool *marks)
{
    const struct hone_space_def *space = &kernel->def.space;
    for (size_t i = space->derived_count; i-- > 0;) {
        const size_t derived = kernel->derived_order[i];
        if (marks[space->param_count + derived])
            mark_formula(kernel, marks, &kernel->derived[derived]);
    }
}

enum hone_status hone_launch_reads_find(struct hone_kernel *kernel,
                                        struct hone_error *err)
{
    const struct hone_kernel_def *def = &kernel->def;
    const size_t count = kernel->first_constant;
    kernel->launch_reads = hone_arena_array(&kernel->arena, count, sizeof(bool));
    kernel->args_read = hone_arena_array(&kernel->arena, count, sizeof(bool));
    if (!kernel->launch_reads || !kernel->args_read)
        return hone_no_memory(err, "for kernel '%s'", def->name);
    mark_launch(kernel, kernel->launch_reads);
    mark_derived(kernel, kernel->launch_reads);
    for (size_t i = 0; i < def->arg_count; i++) {
        mark_formula(kernel, kernel->args_read, &kernel->args[i]);
        mark_formula(kernel, kernel->args_read, &kernel->pointers[i]);
        mark_map(kernel, kernel->args_read, &kernel->maps[i]);
    }
    mark_derived(kernel, kernel->args_read);
    return HONE_OK;
}

bool hone_kernel_launch_reads(const struct hone_kernel *kernel, size_t param)
{
    return kernel->launch_reads[param] || kernel->args_read[param];
}

enum hone_axis_use hone_kernel_axis_use(const struct hone_kernel *kernel, size_t axis)
{
    bool could;
    const struct hone_expr *blocks = kernel->launch.grid[axis].expr;
    const bool single = !blocks || strcmp(hone_expr_text(blocks), "1") == 0;
    const bool reads = hone_template_reads_block(&kernel->template, axis, &could);
    if (could || reads != single) return HONE_AXIS_FITS;
    return single ? HONE_AXIS_SINGLE : HONE_AXIS_UNREAD;
}

bool hone_kernel_hides(const struct hone_kernel *kernel, size_t param)
{
    const char *const names[] = {kernel->def.space.params[param].name, "blockDim",
                                 "gridDim", "cooperative_groups", "asm"};
    enum { COUNT = sizeof names / sizeof *names };
    struct hone_template_use uses[COUNT];
    if (!kernel->launch_reads[param] || kernel->args_read[param]) return false;
    hone_template_uses(&kernel->template, names, COUNT, uses);
    for (size_t i = 0; i < COUNT; i++)
        if (uses[i].used) return false;
    return true;
}
