#include "tuning/result_facts.h"

#include <math.h>
#include <stdlib.h>

#include "expr/value_text.h"
#include "tuning/verification.h"

struct hone_gain hone_result_gain(const struct hone_session_result *result)
{
    struct hone_gain gain = {.ratio = NAN, .low = NAN, .high = NAN};
    if (!result->has_first || !result->has_best) return gain;
    if (!hone_finals_gain(&gain, &result->best, &result->first))
        gain.ratio = hone_trial_cost(&result->first) / hone_trial_cost(&result->best);
    return gain;
}

bool hone_default_is_best(const struct hone_session_result *result)
{
    return result->has_first && result->has_best &&
           result->first.index == result->best.index;
}

static bool differs(const struct hone_record_info *info, size_t size)
{
    const struct hone_record_problem *problems = info->problems;
    for (size_t p = 1; p < info->problems_count; p++)
        if (!hone_value_same(problems[p].values[size], problems[0].values[size]))
            return true;
    return info->problems_count == 1;
}

void hone_problem_apart_text(struct hone_strbuf *out, const struct hone_record_info *info,
                             size_t number)
{
    const char *separator = "";
    for (size_t i = 0; i < info->problem_count; i++) {
        char scratch[HONE_NUMBER_TEXT];
        if (!differs(info, i)) continue;
        hone_strbuf_printf(out, "%s%s=%s", separator, info->problem[i].name,
                           hone_value_in_full(scratch, info->problems[number].values[i]));
        separator = " ";
    }
}

double hone_progress_fraction(const struct hone_progress *progress)
{
    double fraction = 0;
    if (progress->budget != UINT64_MAX)
        fraction = (double)progress->done / (double)progress->budget;
    if (isfinite(progress->seconds_budget))
        fraction = fmax(fraction, progress->seconds / progress->seconds_budget);
    return fmin(fraction, 1);
}

size_t hone_progress_failed(const struct hone_progress *progress)
{
    size_t failed = 0;
    for (int i = 0; i < HONE_OUTCOME_COUNT; i++)
        if (hone_outcome_is_failure((enum hone_outcome)i))
            failed += progress->outcomes[i];
    return failed;
}

bool hone_tuning_found_any(const struct hone_tuning *tuning,
                           const struct hone_session_result *result)
{
    const struct hone_session_result *part = NULL;
    if (result->reference_wrong) return false;
    for (size_t p = 0; p < hone_tuning_problem_count(tuning); p++)
        if (hone_tuning_problem(&part, NULL, tuning, p, NULL) == HONE_OK &&
            part->has_best)
            return true;
    return result->has_best;
}

static bool allows(const struct hone_kernel *kernel, uint64_t index, size_t size)
{
    bool allowed = true;
    hone_kernel_allows(kernel, index, &hone_kernel_get_def(kernel)->verify[size],
                       &allowed, NULL);
    return allowed;
}

struct hone_skips hone_tuning_skips(const struct hone_tuning *tuning,
                                    const struct hone_session_result *result,
                                    const struct hone_recording *recording, size_t size)
{
    const struct hone_kernel *kernel = hone_tuning_kernel(tuning);
    const struct hone_space *space = hone_tuning_space(tuning);
    struct hone_skips skips = {0};
    if (!kernel) return skips;
    skips.best = result->has_best && !allows(kernel, result->best.index, size);
    uint16_t *choices = calloc(2 * hone_space_param_count(space) + 1, sizeof *choices);
    for (size_t i = 0; choices && i < hone_recording_count(recording); i++) {
        uint64_t index = 0;
        const struct hone_trial *trial = hone_recording_trial(recording, i);
        skips.count +=
            hone_recording_index_in(recording, trial, space, choices, &index) &&
            !allows(kernel, index, size);
    }
    free(choices);
    return skips;
}

static bool find_default(const struct hone_tuning *tuning, uint64_t *index)
{
    const uint16_t *choices = hone_tuning_facts(tuning).info->defaults;
    return choices &&
           hone_space_index(hone_tuning_space(tuning), choices, index) == HONE_OK;
}

struct hone_losses hone_tuning_losses(const struct hone_tuning *tuning,
                                      const struct hone_recording *recording)
{
    const struct hone_space *space = hone_tuning_space(tuning);
    struct hone_losses losses = {0};
    uint64_t first = 0, index = 0;
    const bool has_default = find_default(tuning, &first);
    uint16_t *choices = calloc(2 * hone_space_param_count(space) + 1, sizeof *choices);
    for (size_t i = 0; choices && i < hone_recording_count(recording); i++) {
        const struct hone_trial *trial = hone_recording_trial(recording, i);
        if (trial->outcome == HONE_VALID) continue;
        if (trial->found->finding == HONE_FINDING_FORMULA && !losses.formulas++)
            losses.formula = trial;
        if (!hone_recording_index_in(recording, trial, space, choices, &index)) continue;
        if (has_default && index == first) losses.failed_default = trial;
        if (!losses.failure && trial->found->finding != HONE_FINDING_FORMULA &&
            hone_outcome_is_failure(trial->outcome)) {
            losses.failure = trial;
            losses.failure_index = index;
        }
    }
    free(choices);
    return losses;
}
