// Constraints and values are judged by the space; parameters of a kernel by what they
// change in it.
#include "tuning/script_lint.h"

#include <stdlib.h>

#include "base/log.h"

// Compares machine code where NVRTC is there, sources elsewhere.
static enum hone_status compare_params(struct hone_script_lint *lint,
                                       struct hone_workbench *bench,
                                       struct hone_error *err)
{
    const struct hone_kernel_def *def = hone_script_def(bench->script);
    struct hone_error why = {0};
    if (hone_script_kind(bench->script) != HONE_SCRIPT_KERNEL) return HONE_OK;
    const size_t params = hone_space_param_count(bench->space);
    lint->effects = calloc(params, sizeof *lint->effects);
    if (!lint->effects) return hone_no_memory(err, "for a list of parameters");
    enum hone_status status = hone_kernel_new(&bench->kernel, def, bench->space, err);
    if (status != HONE_OK) return status;
    if (hone_builder_new(&bench->builder, NULL, &why))
        hone_log(HONE_LOG_WARNING, "parameters are judged by sources only: %s", why.text);
    const struct hone_param_effect_options options = {
        .builder = bench->builder,
        .arch = bench->limits.arch,
        .base = bench->has_default ? &bench->default_index : NULL,
        .seed = 1};
    return hone_param_effects(bench->kernel, &options, lint->effects, err);
}

enum hone_status hone_script_lint(struct hone_script_lint *out,
                                  struct hone_workbench *bench, struct hone_error *err)
{
    *out = (struct hone_script_lint){0};
    enum hone_status status =
        hone_space_lint(bench->space, &out->findings, &out->count, err);
    return status == HONE_OK ? compare_params(out, bench, err) : status;
}

void hone_script_lint_fini(struct hone_script_lint *lint)
{
    free(lint->findings);
    free(lint->effects);
}

bool hone_changes_nothing(const struct hone_param_effect *effect)
{
    return effect->pairs > 0 && !effect->differs;
}

size_t hone_script_lint_count(const struct hone_script_lint *lint,
                              const struct hone_space *space)
{
    size_t count = lint->count;
    for (size_t p = 0; lint->effects && p < hone_space_param_count(space); p++)
        count += hone_changes_nothing(&lint->effects[p]);
    return count;
}
