#include "evaluate/candidate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/suggest.h"
#include "element.h"
#include "estimated.h"
#include "evaluate/module.h"
#include "opcodes.h"

static void reject(struct hone_candidate *candidate, enum hone_outcome outcome,
                   const char *reason)
{
    candidate->trial.outcome = outcome;
    snprintf(candidate->notes.reason, HONE_REASON_MAX, "%.*s", HONE_REASON_MAX - 1,
             reason);
}

// Which the script must mend: with its line, since no source of a kernel has the fault.
static void blame_formula(struct hone_candidate *candidate, const struct hone_error *why)
{
    char text[HONE_REASON_MAX];
    struct hone_found *found = &candidate->notes.found;
    snprintf(text, sizeof text, "%s:%d: %.*s", why->source, why->line,
             HONE_REASON_MAX - 128, why->text);
    reject(candidate, HONE_LAUNCH_FAILED, *why->source ? text : why->text);
    *found =
        (struct hone_found){.finding = HONE_FINDING_FORMULA, .line = (uint32_t)why->line};
    snprintf(found->file, sizeof found->file, "%.*s", (int)sizeof found->file - 1,
             hone_path_base(why->source));
}

struct hone_loaded hone_variant_kernel(const struct hone_variant *variant)
{
    return (struct hone_loaded){.job = &variant->job, .build = variant->build};
}

// A geometry that cannot be is this configuration's failure; anything else is the run's.
static enum hone_status candidate_resolve(struct hone_candidate *candidate,
                                          const struct hone_kernel *kernel,
                                          const struct hone_problem *problem,
                                          struct hone_variant *variant,
                                          struct hone_error *err)
{
    struct hone_error why = {0};
    enum hone_status status =
        hone_kernel_job(&variant->job, kernel, candidate->trial.index, problem, &why);
    if (status == HONE_EINPUT) reject(candidate, HONE_REJECTED, why.text);
    if (status == HONE_EUSAGE) blame_formula(candidate, &why);
    if (status == HONE_EINPUT || status == HONE_EUSAGE) return HONE_OK;
    return hone_error_pass(err, status, &why);
}

static void name_size(struct hone_candidate *candidate, const struct hone_kernel *kernel,
                      const struct hone_sizes *sizes, size_t i)
{
    char *reason = candidate->notes.reason, where[256];
    const size_t used = strlen(reason);
    hone_problem_describe(where, sizeof where, hone_kernel_get_def(kernel),
                          &sizes->problems[i]);
    snprintf(reason + used, HONE_REASON_MAX - used, ", at %s%s", where,
             i < sizes->named ? "" : ", a drawn size");
}

// A size need not suit every configuration.
static enum hone_status resolve_at(struct hone_candidate *candidate,
                                   const struct hone_kernel *kernel,
                                   const struct hone_sizes *sizes, size_t i,
                                   struct hone_error *err)
{
    struct hone_variant *variant = &candidate->variants[i + 1];
    bool allowed = true;
    enum hone_status status = hone_kernel_allows(kernel, candidate->trial.index,
                                                 &sizes->problems[i], &allowed, err);
    variant->skipped = !allowed;
    if (status != HONE_OK || !allowed) return status;
    status = candidate_resolve(candidate, kernel, &sizes->problems[i], variant, err);
    if (status == HONE_OK && candidate->trial.outcome != HONE_VALID)
        name_size(candidate, kernel, sizes, i);
    if (variant->job.source)
        hone_job_share_source(&variant->job, &candidate->variants[0].job);
    return status;
}

// It would be launched nowhere before it is timed, and nothing said of its results.
static void reject_unsuited(struct hone_candidate *candidate)
{
    char why[HONE_REASON_MAX];
    size_t skipped = 0;
    for (size_t i = 1; i < candidate->count; i++)
        skipped += candidate->variants[i].skipped;
    if (!skipped || skipped + 1 < candidate->count) return;
    snprintf(
        why, sizeof why,
        "not verified: no size to verify at suits it, its constraints allow none of the "
        "%zu; name one that they allow in verify, or draw from a range with more",
        skipped);
    reject(candidate, HONE_REJECTED, why);
}

enum hone_status hone_candidate_init(struct hone_candidate *candidate,
                                     const struct hone_kernel *kernel, uint64_t index,
                                     const struct hone_sizes *sizes,
                                     struct hone_error *err)
{
    *candidate = (struct hone_candidate){.trial = hone_trial_make(index, HONE_VALID)};
    candidate->variants = calloc(sizes->count + 1, sizeof *candidate->variants);
    if (!candidate->variants)
        return hone_no_memory(err, "for configuration %llu", (unsigned long long)index);
    candidate->count = 1;
    enum hone_status status =
        candidate_resolve(candidate, kernel, NULL, &candidate->variants[0], err);
    for (size_t i = 0; i < sizes->count; i++) {
        if (status != HONE_OK || candidate->trial.outcome != HONE_VALID) break;
        candidate->count = i + 2;
        status = resolve_at(candidate, kernel, sizes, i, err);
    }
    if (status == HONE_OK && candidate->trial.outcome == HONE_VALID)
        reject_unsuited(candidate);
    return status;
}

static bool same_program(const struct hone_job *a, const struct hone_job *b)
{
    if (a->option_count != b->option_count || strcmp(a->entry, b->entry) != 0 ||
        strcmp(a->source, b->source) != 0)
        return false;
    for (size_t i = 0; i < a->option_count; i++)
        if (strcmp(a->options[i], b->options[i]) != 0) return false;
    return true;
}

enum hone_status hone_candidate_queue(struct hone_candidate *candidate,
                                      struct hone_builder *builder, const char *arch,
                                      struct hone_error *err)
{
    enum hone_status status = HONE_OK;
    if (candidate->trial.outcome != HONE_VALID) return status;
    for (size_t i = 0; status == HONE_OK && i < candidate->count; i++) {
        struct hone_variant *variant = &candidate->variants[i];
        if (variant->skipped) continue;
        variant->shared = i && same_program(&variant->job, &candidate->variants[0].job);
        if (variant->shared) continue;
        status = hone_estimate_queue(&variant->job, builder, arch, &variant->ticket, err);
        variant->queued = status == HONE_OK;
    }
    return status;
}

// The parameters and sizes that stand as macros before the template.
static const char *suggest_macro(char near[64], const char *source, const char *name)
{
    static const char define[] = "#define ";
    const char *best = NULL;
    while (strncmp(source, define, sizeof define - 1) == 0) {
        char macro[64];
        source += sizeof define - 1;
        snprintf(macro, sizeof macro, "%.*s", (int)strcspn(source, " \n"), source);
        const char *const pair[] = {best ? near : macro, macro};
        best = hone_suggest(name, pair, 2);
        if (best && best != near) memmove(near, best, strlen(best) + 1);
        source += strcspn(source, "\n");
        source += *source == '\n';
    }
    return best ? near : NULL;
}

// A misspelt parameter is a name that the compiler does not know.
static void suggest_parameter(struct hone_candidate *candidate, const char *source)
{
    static const char before[] = "identifier \"", after[] = "\" is undefined";
    char name[64], near[64], *reason = candidate->notes.reason;
    const char *at = strstr(reason, before), *end = at ? strstr(at, after) : NULL;
    if (!end || end[sizeof after - 1]) return;
    at += sizeof before - 1;
    snprintf(name, sizeof name, "%.*s", (int)(end - at), at);
    if (!suggest_macro(near, source, name)) return;
    const size_t used = strlen(reason);
    snprintf(reason + used, HONE_REASON_MAX - used, ": did you mean parameter '%s'?",
             near);
}

static enum hone_status take_build(struct hone_candidate *candidate,
                                   struct hone_variant *variant,
                                   struct hone_builder *builder, struct hone_error *err)
{
    if (variant->shared) {
        variant->build = candidate->variants[0].build;
        return HONE_OK;
    }
    variant->queued = false;
    enum hone_status status =
        hone_builder_take(builder, variant->ticket, &variant->build, err);
    if (status != HONE_OK) return status;
    struct hone_trial *trial = &candidate->trial;
    if (isnan(trial->build_ms)) trial->build_ms = 0;
    if (!variant->build->cached) trial->build_ms += variant->build->build_ms;
    if (variant->build->outcome == HONE_VALID) return HONE_OK;
    reject(candidate, variant->build->outcome, variant->build->reason);
    suggest_parameter(candidate, variant->job.source);
    return HONE_OK;
}

// The build, and where PTX is all of it what that needs.
static enum hone_status take_whole(struct hone_candidate *candidate,
                                   struct hone_variant *variant,
                                   struct hone_builder *builder,
                                   struct hone_device *device, struct hone_error *err)
{
    enum hone_status status = take_build(candidate, variant, builder, err);
    if (status != HONE_OK || candidate->trial.outcome != HONE_VALID) return status;
    status = hone_estimate_variant(variant, candidate->variants, builder, device,
                                   &candidate->trial.build_ms, err);
    if (status == HONE_OK && variant->build->outcome != HONE_VALID)
        reject(candidate, variant->build->outcome, variant->build->reason);
    return status;
}

enum hone_status hone_candidate_take(struct hone_candidate *candidate,
                                     struct hone_builder *builder,
                                     struct hone_device *device, struct hone_error *err)
{
    for (size_t i = 0; i < candidate->count; i++) {
        struct hone_variant *variant = &candidate->variants[i];
        if (candidate->trial.outcome != HONE_VALID) break;
        if (variant->skipped) continue;
        enum hone_status status = take_whole(candidate, variant, builder, device, err);
        if (status != HONE_OK) return status;
        if (candidate->trial.outcome != HONE_VALID) break;
        struct hone_build known = *variant->build;
        hone_estimate_fill(&known, variant);
        struct hone_resources resources = known.resources;
        candidate->trial.outcome =
            hone_build_prune(&known, &device->limits, &variant->job.geometry, &resources,
                             candidate->notes.reason);
        if (i == 0) candidate->trial.resources = resources;
    }
    return HONE_OK;
}

struct hone_trial hone_candidate_trial(const struct hone_candidate *candidate)
{
    struct hone_trial trial = candidate->trial;
    hone_trial_refer(&trial, &candidate->notes);
    return trial;
}

static void hash_arg(struct hone_hash *hash, const struct hone_job_arg *arg)
{
    const uint64_t shape[] = {arg->kind, arg->dtype, arg->fill, arg->count,
                              arg->pointers};
    unsigned char value[8] = {0};
    if (arg->kind == HONE_ARG_SCALAR)
        hone_element_from_value(arg->dtype, value, arg->value);
    hone_hash_part(hash, shape, sizeof shape);
    hone_hash_part(hash, value, sizeof value);
    if (arg->bounded) hone_hash_part(hash, &arg->tolerance, sizeof arg->tolerance);
}

void hone_candidate_key(const struct hone_candidate *candidate, bool emulated,
                        char key[HONE_HASH_TEXT])
{
    struct hone_hash hash;
    hone_hash_begin(&hash);
    for (size_t i = 0; i < candidate->count; i++) {
        const struct hone_variant *variant = &candidate->variants[i];
        const struct hone_job *job = &variant->job;
        if (variant->skipped) {
            hone_hash_text(&hash, "skipped");
            continue;
        }
        hone_hash_text(&hash, variant->build->image_hash);
        if (emulated && variant->build->ptx)
            hone_hash_opcodes(&hash, variant->build->ptx);
        hone_hash_part(&hash, &job->geometry, sizeof job->geometry);
        hone_hash_part(&hash, &job->tolerance, sizeof job->tolerance);
        for (size_t k = 0; k < job->arg_count; k++)
            hash_arg(&hash, &job->args[k]);
    }
    hone_hash_end(&hash, key);
}

void hone_candidate_fini(struct hone_candidate *candidate, struct hone_builder *builder)
{
    for (size_t i = 0; i < candidate->count; i++) {
        struct hone_variant *variant = &candidate->variants[i];
        if (variant->queued)
            hone_builder_take(builder, variant->ticket, &variant->build, NULL);
        if (variant->build && !variant->shared) hone_build_release(variant->build);
        hone_job_fini(&variant->job);
    }
    free(candidate->variants);
    *candidate = (struct hone_candidate){0};
}
