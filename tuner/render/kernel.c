// Checking a definition against its space: every expression is parsed and bound once, the
// templates are read, and what cannot work is refused before anything is built.
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/log.h"
#include "expr/bind.h"
#include "space/slots.h"
#include "tolerance.h"

static enum hone_status out_of_memory(const struct hone_kernel *kernel,
                                      struct hone_error *err)
{
    return hone_no_memory(err, "for kernel '%s'", kernel->def.name);
}

enum hone_status hone_formula_bind(struct hone_formula *formula,
                                   const struct hone_kernel *kernel, const char *text,
                                   int line, struct hone_error *err)
{
    formula->line = line;
    if (!text) return HONE_OK;
    struct hone_error inner = {0};
    enum hone_status status = hone_expr_new(&formula->expr, text, &inner);
    if (status == HONE_OK)
        status = hone_expr_bind_index(formula->expr, hone_space_name_index(kernel->space),
                                      &inner);
    if (status == HONE_OK) return HONE_OK;
    return hone_fail_at(err, status, kernel->def.source, line, "%s '%s': %s",
                        formula->what, text, inner.text);
}

static enum hone_status bind_launch(struct hone_launch_formulas *formulas,
                                    const struct hone_kernel *kernel,
                                    const struct hone_launch_def *launch,
                                    struct hone_error *err)
{
    static const char *const grid[] = {"grid x", "grid y", "grid z"};
    static const char *const block[] = {"block x", "block y", "block z"};
    static const char *const cluster[] = {"cluster x", "cluster y", "cluster z"};
    enum hone_status status = HONE_OK;
    for (size_t i = 0; i < 3 && status == HONE_OK; i++) {
        formulas->grid[i].what = grid[i];
        formulas->block[i].what = block[i];
        formulas->cluster[i].what = cluster[i];
        status = hone_formula_bind(&formulas->grid[i], kernel, launch->grid[i],
                                   launch->line, err);
        if (status == HONE_OK)
            status = hone_formula_bind(&formulas->block[i], kernel, launch->block[i],
                                       launch->line, err);
        if (status == HONE_OK)
            status = hone_formula_bind(&formulas->cluster[i], kernel, launch->cluster[i],
                                       launch->line, err);
    }
    formulas->shared.what = "shared bytes";
    if (status == HONE_OK)
        status = hone_formula_bind(&formulas->shared, kernel, launch->shared,
                                   launch->line, err);
    return status;
}

static enum hone_status bind_map(struct hone_map_formulas *formulas,
                                 struct hone_kernel *kernel,
                                 const struct hone_arg_def *arg, struct hone_error *err)
{
    enum hone_status status = HONE_OK;
    const char *what =
        hone_arena_printf(&kernel->arena, "tensor map of argument '%s'", arg->name);
    if (!what) return out_of_memory(kernel, err);
    for (size_t i = 0; arg->map && i < arg->map->rank && status == HONE_OK; i++) {
        formulas->size[i].what = formulas->box[i].what = formulas->stride[i].what = what;
        status = hone_formula_bind(&formulas->size[i], kernel, arg->map->axes[i].size,
                                   arg->line, err);
        if (status == HONE_OK)
            status = hone_formula_bind(&formulas->box[i], kernel, arg->map->axes[i].box,
                                       arg->line, err);
        if (status == HONE_OK)
            status = hone_formula_bind(&formulas->stride[i], kernel,
                                       arg->map->axes[i].stride, arg->line, err);
    }
    return status;
}

static enum hone_status bind_args(struct hone_kernel *kernel, struct hone_error *err)
{
    const struct hone_kernel_def *def = &kernel->def;
    kernel->args = hone_arena_array(&kernel->arena, def->arg_count, sizeof *kernel->args);
    kernel->pointers =
        hone_arena_array(&kernel->arena, def->arg_count, sizeof *kernel->pointers);
    kernel->maps = hone_arena_array(&kernel->arena, def->arg_count, sizeof *kernel->maps);
    kernel->tolerances =
        hone_arena_array(&kernel->arena, def->arg_count, sizeof *kernel->tolerances);
    if (!kernel->args || !kernel->pointers || !kernel->maps || !kernel->tolerances)
        return out_of_memory(kernel, err);
    for (size_t i = 0; i < def->arg_count; i++) {
        const struct hone_arg_def *arg = &def->args[i];
        const char *property = arg->kind == HONE_ARG_SCALAR ? "value" : "size";
        kernel->args[i].what =
            hone_arena_printf(&kernel->arena, "%s of argument '%s'", property, arg->name);
        kernel->pointers[i].what =
            hone_arena_printf(&kernel->arena, "pointers of argument '%s'", arg->name);
        if (!kernel->args[i].what || !kernel->pointers[i].what)
            return out_of_memory(kernel, err);
        enum hone_status status =
            hone_formula_bind(&kernel->args[i], kernel, arg->size, arg->line, err);
        if (status == HONE_OK)
            status = hone_formula_bind(&kernel->pointers[i], kernel, arg->pointers,
                                       arg->line, err);
        if (status == HONE_OK) status = bind_map(&kernel->maps[i], kernel, arg, err);
        if (status == HONE_OK && arg->tolerance)
            status = hone_tolerance_bind(&kernel->tolerances[i], kernel, arg->tolerance,
                                         arg->name, err);
        if (status != HONE_OK) return status;
    }
    return HONE_OK;
}

static enum hone_status bind_figures(struct hone_kernel *kernel, struct hone_error *err)
{
    const struct hone_kernel_def *def = &kernel->def;
    const int work = def->work_line;
    struct {
        struct hone_formula *formula;
        const char *what, *text;
        int line;
    } const figures[] = {
        {&kernel->flops, "flops of the work", def->work_flops, work},
        {&kernel->bytes, "bytes of the work", def->work_bytes, work},
    };
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
        figures[i].formula->what = figures[i].what;
        enum hone_status status = hone_formula_bind(
            figures[i].formula, kernel, figures[i].text, figures[i].line, err);
        if (status != HONE_OK) return status;
    }
    return hone_tolerance_bind(&kernel->tolerance, kernel, &def->tolerance, NULL, err);
}

static enum hone_status bind_derived(struct hone_kernel *kernel, struct hone_error *err)
{
    const struct hone_space_def *space = &kernel->def.space;
    size_t count = space->derived_count;
    kernel->derived = hone_arena_array(&kernel->arena, count, sizeof *kernel->derived);
    kernel->derived_order = hone_space_derived_order(kernel->space);
    if (!kernel->derived) return out_of_memory(kernel, err);
    for (size_t i = 0; i < count; i++) {
        const struct hone_derived *derived = &space->derived[i];
        kernel->derived[i].what =
            hone_arena_printf(&kernel->arena, "derived value '%s'", derived->name);
        if (!kernel->derived[i].what) return out_of_memory(kernel, err);
        enum hone_status status = hone_formula_bind(&kernel->derived[i], kernel,
                                                    derived->text, derived->line, err);
        if (status != HONE_OK) return status;
    }
    return HONE_OK;
}

// The reference runs once a problem, before any configuration is chosen.
static enum hone_status check_fixed(const struct hone_kernel *kernel,
                                    const struct hone_formula *formula, const char *owner,
                                    struct hone_error *err)
{
    size_t count = formula->expr ? hone_expr_var_count(formula->expr) : 0;
    for (size_t i = 0; i < count; i++) {
        if (hone_expr_slot(formula->expr, i) >= kernel->first_constant) continue;
        return hone_fail_at(
            err, HONE_EINPUT, kernel->def.source, formula->line,
            "%s%s '%s' depends on '%s', but the reference knows only problem "
            "sizes and device limits",
            owner, formula->what, hone_expr_text(formula->expr),
            hone_expr_var(formula->expr, i));
    }
    return HONE_OK;
}

static enum hone_status check_reference(const struct hone_kernel *kernel,
                                        struct hone_error *err)
{
    const struct hone_launch_formulas *launch = &kernel->reference_launch;
    enum hone_status status = check_fixed(kernel, &launch->shared, "reference: ", err);
    for (size_t i = 0; i < 3 && status == HONE_OK; i++) {
        status = check_fixed(kernel, &launch->grid[i], "reference: ", err);
        if (status == HONE_OK)
            status = check_fixed(kernel, &launch->block[i], "reference: ", err);
        if (status == HONE_OK)
            status = check_fixed(kernel, &launch->cluster[i], "reference: ", err);
    }
    for (size_t i = 0; i < kernel->def.arg_count && status == HONE_OK; i++)
        if (kernel->def.args[i].kind != HONE_ARG_WORKSPACE) {
            status = check_fixed(kernel, &kernel->args[i], "", err);
            if (status == HONE_OK)
                status = check_fixed(kernel, &kernel->pointers[i], "", err);
        }
    return status;
}

// Without folders of its own a kernel reads what lies beside its templates.
static enum hone_status find_places(struct hone_kernel *kernel,
                                    struct hone_template_places *places,
                                    struct hone_error *err)
{
    const struct hone_kernel_def *def = &kernel->def;
    const char *paths[] = {def->template_path, def->reference.template_path};
    const char **folders = hone_arena_array(&kernel->arena, 2, sizeof *folders);
    *places = (struct hone_template_places){.roots = {.folders = def->template_folders,
                                                      .count = def->template_folder_count,
                                                      .anywhere = def->reads_anywhere,
                                                      .fixed = def->fixed_folders},
                                            .includes = def->includes,
                                            .include_count = def->include_count};
    if (def->template_folder_count) return HONE_OK;
    for (size_t i = 0; i < 2 && folders && paths[i]; i++) {
        char *folder = hone_path_folder(paths[i]);
        folders[i] = hone_arena_strdup(&kernel->arena, folder);
        free(folder);
        if (!folders[i]) return out_of_memory(kernel, err);
        places->roots.count++;
    }
    places->roots.folders = folders;
    return folders ? HONE_OK : out_of_memory(kernel, err);
}

// What decides verdicts is in the hash: the reference's text as well.
static void hash_both(struct hone_kernel *kernel)
{
    struct hone_hash hash;
    hone_hash_begin(&hash);
    hone_hash_text(&hash, kernel->template.hash);
    hone_hash_text(&hash, kernel->reference.hash);
    hone_hash_end(&hash, kernel->template.hash);
}

static enum hone_status read_templates(struct hone_kernel *kernel, struct hone_error *err)
{
    const struct hone_kernel_def *def = &kernel->def;
    struct hone_template_places places;
    enum hone_status status = find_places(kernel, &places, err);
    if (status == HONE_OK)
        status = hone_template_read(&kernel->template, def->template_path, &places, err);
    if (status == HONE_OK && def->reference.template_path)
        status = hone_template_read(&kernel->reference, def->reference.template_path,
                                    &places, err);
    if (status == HONE_OK && def->reference.template_path) hash_both(kernel);
    return status == HONE_ENOTFOUND ? HONE_EINPUT : status;
}

static enum hone_status check_defines(const struct hone_kernel *kernel,
                                      struct hone_error *err)
{
    const struct hone_kernel_def *def = &kernel->def;
    for (size_t i = 0; i < def->define_count; i++) {
        size_t j = 0;
        while (j < def->problem_count &&
               strcmp(def->space.constants[j].name, def->defines[i]) != 0)
            j++;
        if (j == def->problem_count)
            return hone_fail_at(err, HONE_EINPUT, def->source, def->space.line,
                                "'%s' in defines is no problem size of kernel '%s'",
                                def->defines[i], def->name);
    }
    return HONE_OK;
}

// One that only the launch reads may steer only the launch; a macro of the template's own
// of nearly its name says that more was meant.
static void warn_about_unused(const struct hone_kernel *kernel, size_t param)
{
    char near[HONE_WORD_MAX + 1];
    const struct hone_space_def *space = &kernel->def.space;
    const char *name = space->params[param].name;
    const bool steers = hone_kernel_launch_reads(kernel, param);
    const bool misspelt = hone_template_nearest(near, &kernel->template, name,
                                                hone_space_names(kernel->space),
                                                kernel->name_count, steers);
    if (steers && !misspelt) return;
    hone_log(HONE_LOG_WARNING, "%s:%d: template '%s' never uses parameter '%s'%s%s%s%s",
             kernel->def.source, space->line, kernel->template.name, name,
             steers ? ", which decides the launch" : "",
             misspelt ? "; did you mean it by '" : "", misspelt ? near : "",
             misspelt ? "'?" : "");
}

// A parameter that changes nothing wastes the search; one without default cannot be read
// alone.
static enum hone_status warn_about_params(struct hone_kernel *kernel,
                                          struct hone_error *err)
{
    const struct hone_space_def *space = &kernel->def.space;
    size_t count = space->param_count;
    const char **names = hone_arena_array(&kernel->arena, count, sizeof *names);
    struct hone_template_use *uses =
        hone_arena_array(&kernel->arena, count, sizeof *uses);
    if (!names || !uses) return out_of_memory(kernel, err);
    for (size_t i = 0; i < count; i++)
        names[i] = space->params[i].name;
    hone_template_uses(&kernel->template, names, count, uses);
    for (size_t i = 0; i < count; i++) {
        if (!uses[i].used)
            warn_about_unused(kernel, i);
        else if (!uses[i].has_default)
            hone_log(HONE_LOG_WARNING,
                     "%s:%d: template '%s' has no '#ifndef %s' with a default",
                     kernel->def.source, space->line, kernel->template.name, names[i]);
    }
    return HONE_OK;
}

static enum hone_status kernel_fill(struct hone_kernel *kernel,
                                    const struct hone_kernel_def *def,
                                    struct hone_error *err)
{
    enum hone_status status =
        hone_definition_copy(&kernel->def, &kernel->arena, def, err);
    if (status != HONE_OK) return status;
    kernel->name_count = hone_space_name_count(kernel->space);
    kernel->first_constant = def->space.param_count + def->space.derived_count;
    hone_definition_hash(&kernel->def, kernel->space_hash);
    status = bind_derived(kernel, err);
    if (status == HONE_OK)
        status = bind_launch(&kernel->launch, kernel, &kernel->def.launch, err);
    if (status == HONE_OK) status = bind_args(kernel, err);
    if (status == HONE_OK) status = hone_launch_reads_find(kernel, err);
    if (status == HONE_OK) status = bind_figures(kernel, err);
    if (status == HONE_OK) status = hone_figures_check(kernel, err);
    if (status == HONE_OK) status = hone_cluster_check(kernel, err);
    if (status == HONE_OK) status = hone_allows_bind(kernel, err);
    if (status == HONE_OK) status = check_defines(kernel, err);
    if (status == HONE_OK) status = hone_macro_values_check(&kernel->def, err);
    if (status == HONE_OK) status = hone_waivers_check(&kernel->def, err);
    if (status == HONE_OK && def->reference.template_path)
        status = bind_launch(&kernel->reference_launch, kernel,
                             &kernel->def.reference.launch, err);
    if (status == HONE_OK && def->reference.template_path)
        status = check_reference(kernel, err);
    if (status == HONE_OK) status = read_templates(kernel, err);
    if (status == HONE_OK)
        status = hone_macro_values_fit(&kernel->def, &kernel->template, err);
    if (status == HONE_OK && def->reference.template_path)
        status = hone_macro_values_fit(&kernel->def, &kernel->reference, err);
    if (status == HONE_OK) status = hone_redefinitions_refuse(kernel, err);
    if (status == HONE_OK) status = warn_about_params(kernel, err);
    return status;
}

enum hone_status hone_kernel_new(struct hone_kernel **out,
                                 const struct hone_kernel_def *def,
                                 const struct hone_space *space, struct hone_error *err)
{
    *out = NULL;
    struct hone_kernel *kernel = calloc(1, sizeof *kernel);
    if (!kernel) return hone_no_memory(err, "for kernel '%s'", def->name);
    kernel->space = space;
    enum hone_status status = kernel_fill(kernel, def, err);
    if (status != HONE_OK) {
        hone_kernel_free(kernel);
        return status;
    }
    *out = kernel;
    return HONE_OK;
}

static void free_launch(struct hone_launch_formulas *launch)
{
    for (size_t i = 0; i < 3; i++) {
        hone_expr_free(launch->grid[i].expr);
        hone_expr_free(launch->block[i].expr);
        hone_expr_free(launch->cluster[i].expr);
    }
    hone_expr_free(launch->shared.expr);
}

static void free_map(struct hone_map_formulas *map)
{
    for (size_t i = 0; i < HONE_MAP_RANK_MAX; i++) {
        hone_expr_free(map->size[i].expr);
        hone_expr_free(map->box[i].expr);
        hone_expr_free(map->stride[i].expr);
    }
}

void hone_kernel_free(struct hone_kernel *kernel)
{
    if (!kernel) return;
    free_launch(&kernel->launch);
    free_launch(&kernel->reference_launch);
    for (size_t i = 0; kernel->args && i < kernel->def.arg_count; i++)
        hone_expr_free(kernel->args[i].expr);
    for (size_t i = 0; kernel->pointers && i < kernel->def.arg_count; i++)
        hone_expr_free(kernel->pointers[i].expr);
    for (size_t i = 0; kernel->maps && i < kernel->def.arg_count; i++)
        free_map(&kernel->maps[i]);
    for (size_t i = 0; kernel->derived && i < kernel->def.space.derived_count; i++)
        hone_expr_free(kernel->derived[i].expr);
    hone_tolerance_free(&kernel->tolerance);
    for (size_t i = 0; kernel->tolerances && i < kernel->def.arg_count; i++)
        hone_tolerance_free(&kernel->tolerances[i]);
    for (size_t i = 0; i < kernel->drawn_count; i++)
        hone_expr_free(kernel->drawn[i].expr);
    hone_expr_free(kernel->flops.expr);
    hone_expr_free(kernel->bytes.expr);
    hone_template_fini(&kernel->template);
    hone_template_fini(&kernel->reference);
    hone_arena_fini(&kernel->arena);
    free(kernel);
}

const struct hone_kernel_def *hone_kernel_get_def(const struct hone_kernel *kernel)
{
    return &kernel->def;
}

const struct hone_space *hone_kernel_space(const struct hone_kernel *kernel)
{
    return kernel->space;
}

const char *hone_kernel_template_text(const struct hone_kernel *kernel)
{
    return kernel->template.text;
}

const struct hone_template *hone_kernel_get_template(const struct hone_kernel *kernel)
{
    return &kernel->template;
}

const struct hone_build_header *hone_kernel_headers(const struct hone_kernel *kernel,
                                                    size_t *count)
{
    *count = kernel->template.header_count;
    return kernel->template.headers;
}

const char *hone_kernel_template_hash(const struct hone_kernel *kernel)
{
    return kernel->template.hash;
}

const char *hone_kernel_space_hash(const struct hone_kernel *kernel)
{
    return kernel->space_hash;
}
