// What the times of a row say: its ratio to what was shipped, and to who is near it.
#include "comparison_judge.h"
#include "expr/value_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// Two medians differ by more than this, or it is not worth a word (finals' own measure).
static const double equal = 0.005;

const struct hone_trial *hone_comparison_trial(const struct hone_trial *trials,
                                               size_t count, uint64_t index)
{
    size_t i = 0;
    while (i + 1 < count && trials[i].index != index)
        i++;
    return &trials[i];
}

const char *hone_verdict_name(enum hone_verdict verdict)
{
    static const char *const names[] = {"SAME",      "FASTER", "SLOWER",
                                        "AMBIGUOUS", "FAILED", "SKIPPED"};
    return names[verdict];
}

enum hone_verdict hone_verdict_of(struct hone_compared_ratio ratio, double tolerance)
{
    if (ratio.low > 1 + tolerance) return HONE_VERDICT_SLOWER;
    if (ratio.high < 1 - tolerance) return HONE_VERDICT_FASTER;
    if (ratio.low >= 1 - tolerance && ratio.high <= 1 + tolerance)
        return HONE_VERDICT_SAME;
    return HONE_VERDICT_AMBIGUOUS;
}

// The relative standard error of a median of normal samples, sqrt(pi / 2) s / sqrt(n), as
// in headers; NAN where it is not known.
static double error_of(double rel_std, uint32_t samples)
{
    return samples ? sqrt(acos(-1.0) / 2) * rel_std / sqrt((double)samples) : (double)NAN;
}

struct hone_compared_ratio hone_comparison_ratio(const struct hone_shipped *shipped,
                                                 const struct hone_shipped_row *row,
                                                 const struct hone_trial *now)
{
    const bool predicted = shipped->predicted;
    const double then = row->time_us;
    const double ratio = (predicted ? now->predicted_us : now->time_us) / then;
    // six digits are what a header's comment holds
    if (predicted) return (struct hone_compared_ratio){ratio, ratio - 1e-6, ratio + 1e-6};
    const double half = 1.96 * hypot(error_of(row->rel_std, row->samples),
                                     error_of(now->rel_std, now->samples));
    if (isnan(half)) return (struct hone_compared_ratio){ratio, 0, (double)INFINITY};
    return (struct hone_compared_ratio){ratio, ratio * (1 - half), ratio * (1 + half)};
}

static enum hone_status describe(char *buf, size_t size, const struct hone_space *space,
                                 uint64_t index, struct hone_error *err)
{
    uint16_t *choices = calloc(hone_space_param_count(space) + 1, sizeof *choices);
    size_t len = 0;
    if (!choices) return hone_no_memory(err, "for a configuration");
    hone_space_choices(space, index, choices);
    for (size_t i = 0; i < hone_space_param_count(space) && len < size; i++) {
        const struct hone_param *param = hone_space_param(space, i);
        char number[HONE_NUMBER_TEXT];
        const int n =
            snprintf(buf + len, size - len, "%s%s=%s", i ? " " : "", param->name,
                     hone_value_in_full(number, param->values[choices[i]]));
        len += n > 0 ? (size_t)n : 0;
    }
    free(choices);
    return HONE_OK;
}

// Is one of the others faster than the row, by the finals or by prediction?
enum hone_status hone_comparison_find_rival(struct hone_compared_row *row,
                                            const struct hone_space *space,
                                            const struct hone_trial *trials, size_t count,
                                            uint64_t shipped, struct hone_error *err)
{
    const struct hone_trial *self = hone_comparison_trial(trials, count, shipped),
                            *best = NULL;
    row->rival_ratio = (struct hone_compared_ratio){1, 1, 1};
    for (size_t i = 0; i < count; i++) {
        const struct hone_trial *t = &trials[i];
        struct hone_compared_ratio r = {t->final.ratio, t->final.low, t->final.high};
        if (!t->final.rank) {
            const double exact = hone_trial_cost(t) / hone_trial_cost(self);
            r = (struct hone_compared_ratio){exact, exact, exact};
        }
        if (t == self || !(r.ratio < row->rival_ratio.ratio)) continue;
        row->rival_ratio = r;
        best = t;
    }
    row->overtaken = best && row->rival_ratio.high < 1 - equal;
    if (!row->overtaken) return HONE_OK;
    return describe(row->rival, sizeof row->rival, space, best->index, err);
}

bool hone_comparison_fails(const struct hone_compared_row *row, bool strict)
{
    if (row->verdict == HONE_VERDICT_SLOWER || row->verdict == HONE_VERDICT_FAILED)
        return true;
    return strict && (row->verdict == HONE_VERDICT_AMBIGUOUS || row->overtaken);
}

size_t hone_comparison_failures(const struct hone_comparison *comparison, bool strict)
{
    size_t failures = 0;
    for (size_t i = 0; i < comparison->shipped.count; i++)
        failures += hone_comparison_fails(&comparison->rows[i], strict);
    return failures;
}
