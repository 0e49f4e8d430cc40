#include "tuning/workbench.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/log.h"
#include "evaluate/plausible.h"
#include "evaluate/sizes.h"
#include "expr/value_text.h"
#include "hone/rng.h"

// The installed templates: beside the program, so that an installed tree can be moved,
// else where they were to be installed. *out is freed by the caller.
static enum hone_status find_templates(char **out, struct hone_error *err)
{
    char program[4096];
    *out = NULL;
    if (hone_file_program(program, sizeof program)) {
        char *folder = hone_path_folder(program);
        char *beside = folder ? hone_path_join(folder, "../share/hone/templates") : NULL;
        if (beside) *out = hone_path_real(beside);
        free(beside);
        free(folder);
    }
    if (!*out) *out = strdup(HONE_TEMPLATE_FOLDER);
    return *out ? HONE_OK : hone_no_memory(err, "for the folder of templates");
}

static enum hone_status load_script(struct hone_workbench *bench, const char *path,
                                    const struct hone_script_options *options,
                                    struct hone_error *err)
{
    const size_t count = options->template_path_count;
    char *installed = NULL;
    enum hone_status status = find_templates(&installed, err);
    const char **folders = calloc(count + 1, sizeof *folders);
    if (!folders) status = hone_no_memory(err, "for folders of templates");
    if (status == HONE_OK) {
        if (count) memcpy(folders, options->template_path, count * sizeof *folders);
        folders[count] = installed;
        struct hone_script_options with = *options;
        with.limits = &bench->limits;
        with.template_path = folders;
        with.template_path_count = count + 1;
        status = hone_script_load(&bench->script, path, &with, err);
    }
    free(folders);
    free(installed);
    if (status == HONE_OK && hone_script_kind(bench->script) == HONE_SCRIPT_CAMPAIGN)
        return hone_fail(err, HONE_EUSAGE,
                         "'%s' defines a campaign: hone campaign run %s", path, path);
    return status;
}

// Does the constraint allow the default by itself? A space of that configuration alone
// says so: it is empty otherwise.
static enum hone_status default_breaks(const struct hone_kernel_def *def,
                                       const struct hone_constraint *constraint,
                                       struct hone_param *params)
{
    struct hone_space_def alone = def->space;
    struct hone_space *space = NULL;
    struct hone_error why = {0};
    for (size_t i = 0; i < alone.param_count; i++)
        params[i] = (struct hone_param){alone.params[i].name, &def->defaults[i], 1};
    alone.params = params;
    alone.constraints = constraint;
    alone.constraint_count = 1;
    alone.anchor = NULL;
    const enum hone_status status = hone_space_new(&space, &alone, &why);
    hone_space_free(space);
    return status;
}

// By the first constraint that it breaks; the GPU is named where that asks for it.
static enum hone_status warn_of_default(const struct hone_workbench *bench,
                                        struct hone_error *err)
{
    const struct hone_kernel_def *def = &bench->def;
    struct hone_param *params = calloc(def->space.param_count + 1, sizeof *params);
    if (!params) return hone_no_memory(err, "for the default configuration");
    const struct hone_constraint *broken = NULL;
    enum hone_status status = HONE_OK;
    for (size_t i = 0; i < def->space.constraint_count && !broken; i++) {
        status = default_breaks(def, &def->space.constraints[i], params);
        if (status == HONE_EINPUT) broken = &def->space.constraints[i];
        if (status == HONE_ENOMEM) break;
    }
    free(params);
    if (status == HONE_ENOMEM)
        return hone_no_memory(err, "for the default configuration");
    char sizes[256] = "";
    hone_problem_describe(sizes, sizeof sizes, def, NULL);
    const bool asks = !broken || strstr(broken->text, "device.");
    if (broken)
        hone_log(HONE_LOG_WARNING,
                 "%s:%d: the default configuration is not valid%s%s%s%s: it breaks "
                 "constraint '%.120s'",
                 def->source, broken->line, *sizes ? " at " : "", sizes,
                 asks ? " for " : "", asks ? bench->limits.name : "", broken->text);
    else
        hone_log(HONE_LOG_WARNING, "%s: the default configuration is not valid for %s",
                 def->source, bench->limits.name);
    return HONE_OK;
}

// Where the author's default stands in the space. One that this device's limits forbid is
// only worth a warning: the same script serves small and large GPUs.
static enum hone_status find_default(struct hone_workbench *bench, struct hone_error *err)
{
    const struct hone_kernel_def *def = &bench->def;
    const size_t n = hone_space_param_count(bench->space);
    if (!def->defaults) return HONE_OK;
    bench->default_choices = calloc(n, sizeof *bench->default_choices);
    if (!bench->default_choices)
        return hone_no_memory(err, "for the default configuration");
    for (size_t i = 0; i < n; i++) {
        enum hone_status status = hone_space_choice_of(bench->space, i, def->defaults[i],
                                                       &bench->default_choices[i]);
        if (status == HONE_OK) continue;
        hone_log(HONE_LOG_WARNING, "%s: the default of '%s' is not among its values",
                 def->source, hone_space_param(bench->space, i)->name);
        return HONE_OK;
    }
    bench->has_default = hone_space_index(bench->space, bench->default_choices,
                                          &bench->default_index) == HONE_OK;
    return bench->has_default ? HONE_OK : warn_of_default(bench, err);
}

static enum hone_status warn_of_number(const struct hone_workbench *bench,
                                       const struct hone_constraint *constraint,
                                       const struct hone_expr *whole,
                                       struct hone_error *err)
{
    for (size_t i = 0; i < hone_expr_conjunct_count(whole); i++) {
        struct hone_expr *part;
        enum hone_status status = hone_expr_conjunct(&part, whole, i, err);
        if (status != HONE_OK) return status;
        if (hone_expr_is_number(part))
            hone_log(HONE_LOG_WARNING,
                     "%s:%d: '%.120s' in a constraint removes nothing: a number is true, "
                     "0 too; compare it, as in '%.120s == 0'",
                     bench->def.source, constraint->line, hone_expr_text(part),
                     hone_expr_text(part));
        hone_expr_free(part);
    }
    return HONE_OK;
}

// Those of C and Python, where 0 is false, are written so by habit.
static enum hone_status warn_of_numbers(const struct hone_workbench *bench,
                                        struct hone_error *err)
{
    const struct hone_space_def *space = &bench->def.space;
    enum hone_status status = HONE_OK;
    for (size_t i = 0; i < space->constraint_count && status == HONE_OK; i++) {
        struct hone_expr *expr;
        if (space->constraints[i].holds) continue;
        status = hone_expr_new(&expr, space->constraints[i].text, err);
        if (status != HONE_OK) return status;
        status = warn_of_number(bench, &space->constraints[i], expr, err);
        hone_expr_free(expr);
    }
    return status;
}

static void warn_of_sample(const struct hone_workbench *bench, const char *source)
{
    if (!hone_space_is_sampled(bench->space)) return;
    hone_log(HONE_LOG_WARNING,
             "%s: too large to list: a sample of %" PRIu64 " of about %.4g "
             "configurations stands for the space",
             source, hone_space_count(bench->space),
             hone_space_valid(bench->space, NULL));
}

static enum hone_status make_space(struct hone_workbench *bench, struct hone_error *err)
{
    struct hone_space_def space = bench->def.space;
    space.anchor = bench->def.defaults;
    hone_space_free(bench->space);
    free(bench->default_choices);
    bench->space = NULL;
    bench->default_choices = NULL;
    bench->has_default = false;
    enum hone_status status = hone_space_new(&bench->space, &space, err);
    return status == HONE_OK ? find_default(bench, err) : status;
}

static bool sets_a_size(const struct hone_kernel_def *def,
                        const struct hone_script_options *options)
{
    for (size_t s = 0; s < options->set_count; s++)
        for (size_t i = 0; i < def->problem_count; i++)
            if (strcmp(options->set[s].name, def->space.constants[i].name) == 0)
                return true;
    return false;
}

enum hone_status hone_workbench_load(struct hone_workbench *bench, const char *path,
                                     const struct hone_script_options *options,
                                     struct hone_error *err)
{
    *bench = (struct hone_workbench){.limits = *options->limits};
    enum hone_status status = load_script(bench, path, options, err);
    if (status == HONE_OK) bench->def = *hone_script_def(bench->script);
    bench->is_resized = status == HONE_OK && sets_a_size(&bench->def, options);
    return status;
}

enum hone_status hone_workbench_open(struct hone_workbench *bench, const char *path,
                                     const struct hone_script_options *options,
                                     struct hone_error *err)
{
    return hone_workbench_open_at(bench, path, options, NULL, err);
}

enum hone_status hone_workbench_turn(struct hone_workbench *bench,
                                     const struct hone_value *values,
                                     struct hone_error *err)
{
    const size_t count = bench->def.space.constant_count;
    if (!bench->constants) bench->constants = calloc(count + 1, sizeof *bench->constants);
    if (!bench->constants) return hone_no_memory(err, "for constants");
    memcpy(bench->constants, bench->def.space.constants,
           count * sizeof *bench->constants);
    for (size_t i = 0; i < bench->def.problem_count; i++)
        bench->constants[i].value = values[i];
    bench->def.space.constants = bench->constants;
    bench->is_resized = true;
    return make_space(bench, err);
}

enum hone_status hone_workbench_open_at(struct hone_workbench *bench, const char *path,
                                        const struct hone_script_options *options,
                                        const struct hone_value *values,
                                        struct hone_error *err)
{
    enum hone_status status = hone_workbench_load(bench, path, options, err);
    if (status == HONE_OK)
        status =
            values ? hone_workbench_turn(bench, values, err) : make_space(bench, err);
    if (status == HONE_OK) status = warn_of_numbers(bench, err);
    if (status == HONE_OK) warn_of_sample(bench, bench->def.source);
    return status;
}

enum hone_status hone_workbench_turn_to(struct hone_workbench *bench,
                                        const struct hone_record_info *info,
                                        struct hone_error *err)
{
    const struct hone_kernel_def *def = &bench->def;
    if (def->problem_count != info->problem_count)
        return hone_fail(err, HONE_EINPUT, "it has other problem sizes");
    struct hone_value *values = calloc(info->problem_count + 1, sizeof *values);
    if (!values) return hone_no_memory(err, "for problem sizes");
    enum hone_status status = HONE_OK;
    for (size_t i = 0; i < info->problem_count; i++) {
        values[i] = info->problem[i].value;
        if (strcmp(def->space.constants[i].name, info->problem[i].name) != 0)
            status = hone_fail(err, HONE_EINPUT, "it has other problem sizes");
    }
    if (status == HONE_OK) status = hone_workbench_turn(bench, values, err);
    free(values);
    return status;
}

enum hone_status hone_workbench_draw(uint64_t **out, size_t *count,
                                     const struct hone_workbench *bench, uint64_t most,
                                     uint64_t seed, struct hone_error *err)
{
    struct hone_rng rng;
    const uint64_t total = hone_space_count(bench->space);
    const size_t n = (size_t)(total < most ? total : most);
    hone_rng_seed(&rng, seed);
    *out = calloc(n + 1, sizeof **out);
    if (!*out) return hone_no_memory(err, "for a sample of %zu", n);
    *count = hone_space_sample(bench->space, &rng, *out, n);
    return HONE_OK;
}

enum hone_status hone_workbench_make_kernel(struct hone_workbench *bench,
                                            struct hone_error *err)
{
    const struct hone_kernel_def *def = &bench->def;
    if (hone_script_kind(bench->script) != HONE_SCRIPT_KERNEL)
        return hone_fail(
            err, HONE_EUSAGE,
            "'%s' defines a space without a kernel: there is nothing to build",
            def->source);
    return hone_kernel_new(&bench->kernel, def, bench->space, err);
}

static bool can_launch(const struct hone_kernel *kernel, uint64_t index,
                       struct hone_error *why)
{
    struct hone_job job;
    const enum hone_status status = hone_kernel_job(&job, kernel, index, NULL, why);
    if (status == HONE_OK) hone_job_fini(&job);
    return status != HONE_EINPUT && status != HONE_EUSAGE;
}

// " M=0 N=64": the numbers of a problem, without its switches.
static void describe_sizes(char *out, size_t size, const struct hone_kernel_def *def)
{
    size_t used = 0;
    for (size_t i = 0; i < def->problem_count && used < size; i++) {
        const struct hone_constant *constant = &def->space.constants[i];
        if (constant->value.type != HONE_INT) continue;
        char number[HONE_NUMBER_TEXT];
        used += (size_t)snprintf(out + used, size - used, " %s=%s", constant->name,
                                 hone_value_in_full(number, constant->value));
    }
}

enum hone_status hone_workbench_check_sizes(const struct hone_workbench *bench,
                                            struct hone_error *err)
{
    enum { DRAWN = 256 };
    uint64_t *drawn = NULL;
    size_t count = 0;
    struct hone_error why = {0};
    char sizes[256] = "";
    if (!bench->kernel || !bench->is_resized) return HONE_OK;
    enum hone_status status = hone_workbench_draw(&drawn, &count, bench, DRAWN, 1, err);
    bool can =
        status != HONE_OK ||
        (bench->has_default && can_launch(bench->kernel, bench->default_index, &why));
    for (size_t i = 0; i < count && !can; i++)
        can = can_launch(bench->kernel, drawn[i], &why);
    free(drawn);
    if (can) return status;
    describe_sizes(sizes, sizeof sizes, &bench->def);
    return hone_fail_at(err, HONE_EINPUT, *why.source ? why.source : NULL, why.line,
                        "no configuration can be launched at%s: %s", sizes, why.text);
}

enum hone_status hone_workbench_prepare(struct hone_workbench *bench, const char *device,
                                        enum hone_clock clock,
                                        const struct hone_builder_options *builder,
                                        struct hone_error *err)
{
    enum hone_status status = hone_workbench_make_kernel(bench, err);
    if (status == HONE_OK)
        status = hone_device_open_by(&bench->device, device, clock, err);
    if (status != HONE_OK || bench->builder) return status;
    struct hone_builder_options building = {0};
    if (builder) building = *builder;
    building.for_driver = bench->device->cuda_version;
    return hone_builder_new(&bench->builder, &building, err);
}

bool hone_workbench_is_compute_bound(const struct hone_workbench *bench,
                                     const struct hone_limits *limits)
{
    struct hone_job job;
    if (!bench->kernel || !bench->has_default ||
        hone_kernel_job(&job, bench->kernel, bench->default_index, NULL, NULL) != HONE_OK)
        return false;
    const bool is = hone_job_is_compute_bound(&job, limits);
    hone_job_fini(&job);
    return is;
}

void hone_workbench_close(struct hone_workbench *bench)
{
    hone_builder_free(bench->builder);
    hone_kernel_free(bench->kernel);
    hone_space_free(bench->space);
    hone_script_free(bench->script);
    hone_device_close(bench->device);
    free(bench->default_choices);
    free(bench->constants);
    *bench = (struct hone_workbench){0};
}
