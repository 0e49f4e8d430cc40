// Figures of trials as other tuners write them: samples, words for failures, metrics.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/sort.h"
#include "import.h"

// Kernel Tuner writes 1e20 ms; nothing that was measured takes 30 million years.
const double hone_import_failure_ms = 1e18;

static double median(double *sorted, size_t n)
{
    hone_sort_doubles(sorted, n);
    return hone_sorted_median(sorted, n);
}

static size_t take_samples(double *out, const json_t *list, double unit_us)
{
    size_t n = 0;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *item = json_array_get(list, i);
        if (json_is_array(item) && json_array_size(item))
            item = json_array_get(item, json_array_size(item) - 1);
        const double x = json_number_value(item) * unit_us;
        if (json_is_number(item) && x > 0 && isfinite(x)) out[n++] = x;
    }
    return n;
}

static void import_trial_describe(struct hone_trial *trial, double *samples, size_t n)
{
    double sum = 0, squares = 0;
    for (size_t i = 0; i < n; i++)
        sum += samples[i] / (double)n;
    for (size_t i = 0; i < n; i++)
        squares += (samples[i] - sum) * (samples[i] - sum) / (double)n;
    trial->samples = (uint32_t)n;
    trial->rel_std = sqrt(squares) / median(samples, n);
    if (!isfinite(trial->rel_std)) trial->rel_std = (double)NAN;
    if (isnan(trial->time_us)) trial->time_us = sum;
}

bool hone_import_samples(struct hone_trial *trial, const json_t *samples, double unit_us)
{
    const size_t most = json_array_size(samples);
    double *values = most ? malloc(most * sizeof *values) : NULL;
    const size_t n = values ? take_samples(values, samples, unit_us) : 0;
    bool fits = true;
    if (n) {
        import_trial_describe(trial, values, n);
        // A mean of rounded numbers may miss their range by rounding.
        const double slack = 1e-6 * values[n - 1];
        fits = trial->time_us >= values[0] - slack &&
               trial->time_us <= values[n - 1] + slack;
    }
    free(values);
    return fits;
}

static bool has_word(const char *text, const char *word)
{
    const size_t len = strlen(word);
    for (; *text; text++) {
        size_t i = 0;
        while (i < len && hone_lower(text[i]) == word[i])
            i++;
        if (i == len) return true;
    }
    return false;
}

enum hone_outcome hone_import_outcome(const char *text)
{
    static const struct {
        const char *word;
        enum hone_outcome outcome;
    } words[] = {
        {"compil", HONE_BUILD_FAILED}, {"timeout", HONE_TIMED_OUT},
        {"timed_out", HONE_TIMED_OUT}, {"correctness", HONE_WRONG_RESULT},
        {"verif", HONE_WRONG_RESULT},  {"invalid", HONE_REJECTED},
        {"constraint", HONE_REJECTED}, {"runtime", HONE_LAUNCH_FAILED},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (has_word(text, words[i].word)) return words[i].outcome;
    return HONE_LAUNCH_FAILED;
}

void hone_import_reason(struct hone_import *import, struct hone_trial *trial,
                        const char *text)
{
    snprintf(import->said.reason, sizeof import->said.reason, "%s", text);
    trial->reason = import->said.reason;
}

struct hone_trial hone_import_failure(struct hone_import *import,
                                      enum hone_outcome outcome, const char *reason)
{
    struct hone_trial trial = hone_trial_make(0, outcome);
    hone_import_reason(import, &trial, reason);
    return trial;
}

enum hone_status hone_import_metric(struct hone_import *import, struct hone_trial *trial,
                                    const char *name, const json_t *value,
                                    struct hone_error *err)
{
    const double x = json_number_value(value);
    if (!json_is_number(value) || !isfinite(x) || fabs(x) >= hone_import_failure_ms ||
        trial->metric_count == HONE_METRIC_MAX)
        return HONE_OK;
    const char *kept = NULL;
    enum hone_status status =
        hone_metric_intern(&kept, &import->metric_names, name, &import->arena, err);
    if (status != HONE_OK) return status;
    import->said.metrics[trial->metric_count++] = (struct hone_metric){kept, x};
    trial->metrics = import->said.metrics;
    return HONE_OK;
}

bool hone_import_own_trial(struct hone_import *import, struct hone_trial *trial,
                           const json_t *own)
{
    struct hone_trial read;
    if (!json_is_object(own) || hone_trial_read(&read, own, &import->metric_names,
                                                &import->arena, NULL) != HONE_OK)
        return false;
    const bool valid = read.outcome == HONE_VALID;
    if (valid != (trial->outcome == HONE_VALID)) return false;
    if (valid && fabs(read.time_us - trial->time_us) > 1e-6 * trial->time_us)
        return false;
    *trial = read;
    return true;
}
