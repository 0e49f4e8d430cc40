#include "workbench.h"

#include <stdlib.h>
#include <string.h>

#include "log.h"
#include "print.h"

const struct cli_option cli_script_options[] = {
    {"device", 'd', "DEVICE", "where to run: cuda:N, emu:GPU or auto ('hone devices')",
     CLI_TEXT, offsetof(struct cli_script_command, script.device)},
    {"set", 0, "NAME=VALUE", "a problem size, or pin a parameter; repeatable", CLI_LIST,
     offsetof(struct cli_script_command, script.set)},
    {"templates", 0, "FOLDER", "a further folder to look for templates in; repeatable",
     CLI_LIST, offsetof(struct cli_script_command, script.templates)},
    {"max-instructions", 0, "N", "Lua instructions a script may use [500 million]",
     CLI_COUNT, offsetof(struct cli_script_command, script.max_instructions)},
    {"max-memory", 0, "BYTES", "memory a script may use [1G]", CLI_COUNT,
     offsetof(struct cli_script_command, script.max_memory)},
    {"allow-io", 0, NULL, "let the script use io and os", CLI_FLAG,
     offsetof(struct cli_script_command, script.allow_io)},
    {0},
};

// "M=4096" split in place into the loader's form; the copies live in *text.
static enum hone_status split_sets(const struct cli_list *list,
                                   struct hone_script_set **out, char **text,
                                   struct hone_error *err)
{
    size_t bytes = 1;
    for (size_t i = 0; i < list->count; i++)
        bytes += strlen(list->items[i]) + 1;
    struct hone_script_set *sets = calloc(list->count + 1, sizeof *sets);
    char *p = calloc(1, bytes);
    *out = sets;
    *text = p;
    if (!sets || !p) return hone_fail(err, HONE_ENOMEM, "out of memory");
    for (size_t i = 0; i < list->count; i++) {
        strcpy(p, list->items[i]);
        char *equals = strchr(p, '=');
        if (!equals || equals == p || !equals[1])
            return hone_fail(err, HONE_EUSAGE, "--set wants NAME=VALUE, got '%s'",
                             list->items[i]);
        *equals = '\0';
        sets[i] = (struct hone_script_set){.name = p, .value = equals + 1};
        p += strlen(list->items[i]) + 1;
    }
    return HONE_OK;
}

static enum hone_status load_script(struct cli_workbench *bench, const char *path,
                                    const struct cli_script_args *args,
                                    struct hone_error *err)
{
    const size_t count = args->templates.count;
    struct hone_script_set *sets = NULL;
    char *text = NULL;
    const char **folders = calloc(count + 1, sizeof *folders);
    enum hone_status status = split_sets(&args->set, &sets, &text, err);
    if (!folders) status = hone_fail(err, HONE_ENOMEM, "out of memory");
    if (status == HONE_OK) {
        if (count) memcpy(folders, args->templates.items, count * sizeof *folders);
        folders[count] = HONE_TEMPLATE_FOLDER;
        const struct hone_script_options options = {
            .limits = &bench->limits,
            .set = sets,
            .set_count = args->set.count,
            .max_instructions = args->max_instructions,
            .max_memory_bytes = (size_t)args->max_memory,
            .allow_io = args->allow_io,
            .template_path = folders,
            .template_path_count = count + 1,
        };
        status = hone_script_load(&bench->script, path, &options, err);
    }
    free(folders);
    free(sets);
    free(text);
    return status;
}

// Where the author's default stands in the space. One that this device's limits forbid is
// only worth a warning: the same script serves small and large GPUs.
static enum hone_status find_default(struct cli_workbench *bench, struct hone_error *err)
{
    const struct hone_kernel_def *def = &bench->def;
    const size_t n = hone_space_param_count(bench->space);
    if (!def->defaults) return HONE_OK;
    bench->default_choices = calloc(n, sizeof *bench->default_choices);
    if (!bench->default_choices) return hone_fail(err, HONE_ENOMEM, "out of memory");
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
    if (!bench->has_default)
        hone_log(HONE_LOG_WARNING, "%s: the default configuration is not valid for %s",
                 def->source, bench->limits.name);
    return HONE_OK;
}

static void warn_of_sample(const struct cli_workbench *bench, const char *source)
{
    char count[32], valid[32];
    if (!hone_space_is_sampled(bench->space)) return;
    cli_count_text(count, sizeof count, (double)hone_space_count(bench->space));
    cli_count_text(valid, sizeof valid, hone_space_valid(bench->space, NULL));
    hone_log(HONE_LOG_WARNING,
             "%s: too large to list: a sample of %s of about %s configurations stands "
             "for the space",
             source, count, valid);
}

static enum hone_status make_space(struct cli_workbench *bench, struct hone_error *err)
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

enum hone_status cli_workbench_load(struct cli_workbench *bench, const char *path,
                                    const struct cli_script_args *args,
                                    struct hone_error *err)
{
    *bench = (struct cli_workbench){0};
    enum hone_status status = hone_device_limits(&bench->limits, args->device, err);
    if (status == HONE_OK) status = load_script(bench, path, args, err);
    if (status == HONE_OK) bench->def = *hone_script_def(bench->script);
    return status;
}

enum hone_status cli_workbench_open(struct cli_workbench *bench, const char *path,
                                    const struct cli_script_args *args,
                                    struct hone_error *err)
{
    struct hone_limits limits;
    *bench = (struct cli_workbench){0};
    enum hone_status status = hone_device_limits(&limits, args->device, err);
    if (status != HONE_OK) return status;
    return cli_workbench_open_for(bench, path, args, &limits, err);
}

enum hone_status cli_workbench_open_for(struct cli_workbench *bench, const char *path,
                                        const struct cli_script_args *args,
                                        const struct hone_limits *limits,
                                        struct hone_error *err)
{
    *bench = (struct cli_workbench){.limits = *limits};
    enum hone_status status = load_script(bench, path, args, err);
    if (status != HONE_OK) return status;
    bench->def = *hone_script_def(bench->script);
    status = make_space(bench, err);
    if (status == HONE_OK) warn_of_sample(bench, bench->def.source);
    return status;
}

enum hone_status cli_workbench_turn(struct cli_workbench *bench,
                                    const struct hone_value *values,
                                    struct hone_error *err)
{
    const size_t count = bench->def.space.constant_count;
    if (!bench->constants) bench->constants = calloc(count + 1, sizeof *bench->constants);
    if (!bench->constants) return hone_fail(err, HONE_ENOMEM, "out of memory");
    memcpy(bench->constants, bench->def.space.constants,
           count * sizeof *bench->constants);
    for (size_t i = 0; i < bench->def.problem_count; i++)
        bench->constants[i].value = values[i];
    bench->def.space.constants = bench->constants;
    return make_space(bench, err);
}

enum hone_status cli_workbench_make_kernel(struct cli_workbench *bench,
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

enum hone_status cli_workbench_prepare(struct cli_workbench *bench, const char *device,
                                       enum hone_clock clock,
                                       const struct cli_build_args *args,
                                       struct hone_error *err)
{
    enum hone_status status = cli_workbench_make_kernel(bench, err);
    if (status == HONE_OK)
        status = hone_device_open_by(&bench->device, device, clock, err);
    if (status != HONE_OK) return status;
    const struct hone_builder_options options = {.cache_folder = args->cache,
                                                 .threads = (size_t)args->threads};
    return hone_builder_new(&bench->builder, &options, err);
}

void cli_workbench_close(struct cli_workbench *bench)
{
    hone_builder_free(bench->builder);
    hone_kernel_free(bench->kernel);
    hone_space_free(bench->space);
    hone_script_free(bench->script);
    hone_device_close(bench->device);
    free(bench->default_choices);
    free(bench->constants);
    *bench = (struct cli_workbench){0};
}
