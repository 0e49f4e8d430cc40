// The kernels of a campaign: their scripts are loaded, which takes milliseconds, and not
// their spaces; then the problems of each.
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "campaign_internal.h"
#include "hone/device.h"
#include "tuning/installed_kernels.h"
#include "tuning/script_sets.h"

// Scripts are listed on machines without a GPU; the limits of any will do, since nothing
// that depends on them is asked for.
static const char any_device[] = "emu:a100";

static enum hone_status fail_in_kernel(const struct hone_campaign *campaign,
                                       size_t number, const struct hone_error *inner,
                                       struct hone_error *err)
{
    const struct hone_campaign_kernel *kernel = &campaign->def->kernels[number];
    if (inner->code == HONE_ENOMEM || inner->source[0])
        return hone_error_pass(err, inner->code, inner);
    return hone_fail_at(err, HONE_EINPUT, campaign->path, kernel->line, "%s",
                        inner->text);
}

static enum hone_status find_script(struct hone_campaign *campaign, size_t number,
                                    struct hone_error *err)
{
    const struct hone_campaign_kernel *kernel = &campaign->def->kernels[number];
    struct hone_campaign_source *source = &campaign->sources[number];
    struct hone_installed_kernel installed;
    struct hone_error why = {0};
    source->script = hone_campaign_path(campaign, kernel->script);
    if (!source->script) return hone_no_memory(err, "for a campaign");
    if (hone_file_exists(source->script)) return HONE_OK;
    enum hone_status status = HONE_ENOTFOUND;
    if (!strpbrk(kernel->script, "/."))
        status = hone_installed_kernel_named(&installed, kernel->script, &why);
    if (status != HONE_OK)
        return hone_fail_at(err, HONE_EINPUT, campaign->path, kernel->line,
                            "no script '%s'%s%s", source->script, why.text[0] ? "; " : "",
                            why.text);
    source->script = hone_arena_strdup(&campaign->arena, installed.path);
    return source->script ? HONE_OK : hone_no_memory(err, "for a campaign");
}

static enum hone_status copy_names(struct hone_campaign *campaign, size_t number,
                                   const struct hone_kernel_def *def,
                                   struct hone_error *err)
{
    struct hone_arena *arena = &campaign->arena;
    struct hone_campaign_source *source = &campaign->sources[number];
    const char *name = campaign->def->kernels[number].name;
    struct hone_constant *names =
        hone_arena_array(arena, def->problem_count, sizeof *names);
    source->kernel = hone_arena_strdup(arena, def->name);
    source->result =
        name ? hone_arena_printf(arena, "%s-%s", def->name, name) : source->kernel;
    source->names = names;
    source->name_count = def->problem_count;
    bool whole = names && source->kernel && source->result;
    for (size_t i = 0; whole && i < def->problem_count; i++) {
        names[i] = def->space.constants[i];
        names[i].name = hone_arena_strdup(arena, names[i].name);
        if (names[i].value.type == HONE_STRING) {
            names[i].value.s = hone_arena_strdup(arena, names[i].value.s);
            whole = names[i].value.s != NULL;
        }
        whole = whole && names[i].name;
    }
    return whole ? HONE_OK : hone_no_memory(err, "for a campaign");
}

// Those of the script, or its one problem.
static enum hone_status add_own_problems(struct hone_problem_list *list,
                                         const struct hone_campaign_source *source,
                                         const struct hone_kernel_def *def,
                                         struct hone_error *err)
{
    const size_t n = source->name_count;
    enum hone_status status = HONE_OK;
    for (size_t i = 0; status == HONE_OK && i < def->problems_count; i++)
        status = hone_problem_list_add(list, n, def->problems[i].values, 1, err);
    if (def->problems_count) return status;
    struct hone_value *values = calloc(n + 1, sizeof *values);
    if (!values) return hone_no_memory(err, "for a problem");
    for (size_t i = 0; i < n; i++)
        values[i] = source->names[i].value;
    status = hone_problem_list_add(list, n, values, 1, err);
    free(values);
    return status;
}

static enum hone_status add_problems(struct hone_problem_list *list,
                                     struct hone_campaign *campaign, size_t number,
                                     const struct hone_kernel_def *def,
                                     struct hone_error *err)
{
    const struct hone_campaign_kernel *kernel = &campaign->def->kernels[number];
    const struct hone_campaign_source *source = &campaign->sources[number];
    const struct hone_problem_names names = {.items = source->names,
                                             .count = source->name_count};
    if (kernel->problems_file) {
        const char *path = hone_campaign_path(campaign, kernel->problems_file);
        struct hone_error why = {0};
        if (!path) return hone_no_memory(err, "for a campaign");
        enum hone_status status =
            hone_problem_list_read(list, path, names.items, names.count, &why);
        return status == HONE_OK ? status : fail_in_kernel(campaign, number, &why, err);
    }
    enum hone_status status = HONE_OK;
    for (size_t i = 0; status == HONE_OK && i < kernel->problem_count; i++)
        status = hone_problem_list_line(list, kernel->problems[i], &names, campaign->path,
                                        kernel->problems_line, err);
    if (kernel->problem_count) return status;
    return add_own_problems(list, source, def, err);
}

static enum hone_status load_kernel(struct hone_workbench *bench,
                                    const struct hone_campaign *campaign, size_t number,
                                    struct hone_error *err)
{
    const struct hone_campaign_kernel *kernel = &campaign->def->kernels[number];
    const char *path = campaign->sources[number].script;
    struct hone_script_set *set = NULL;
    struct hone_limits limits;
    char *text = NULL;
    enum hone_status status = hone_device_limits(&limits, any_device, err);
    if (status == HONE_OK)
        status = hone_script_sets_split(&set, &text, kernel->set, kernel->set_count, err);
    const struct hone_script_options options = {
        .limits = &limits, .set = set, .set_count = kernel->set_count};
    if (status == HONE_OK) status = hone_workbench_load(bench, path, &options, err);
    if (status == HONE_OK && hone_script_kind(bench->script) != HONE_SCRIPT_KERNEL)
        status = hone_fail(err, HONE_EINPUT, "'%s' defines no kernel", path);
    free(set);
    free(text);
    return status;
}

enum hone_status hone_campaign_load(struct hone_campaign *campaign, size_t number,
                                    struct hone_problem_list *problems,
                                    struct hone_error *err)
{
    struct hone_workbench bench = {0};
    struct hone_error why = {0};
    enum hone_status status = find_script(campaign, number, err);
    if (status != HONE_OK) return status;
    status = load_kernel(&bench, campaign, number, &why);
    if (status == HONE_OK)
        status = hone_kernel_key(campaign->sources[number].key, &bench, &why);
    if (status != HONE_OK) status = fail_in_kernel(campaign, number, &why, err);
    if (status == HONE_OK) status = copy_names(campaign, number, &bench.def, err);
    if (status == HONE_OK)
        status = add_problems(problems, campaign, number, &bench.def, err);
    hone_workbench_close(&bench);
    return status;
}
