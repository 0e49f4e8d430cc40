#include "tuning/result_facts.h"

#include <math.h>

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
        char value[64];
        if (!differs(info, i)) continue;
        hone_value_print(value, sizeof value, info->problems[number].values[i]);
        hone_strbuf_printf(out, "%s%s=%s", separator, info->problem[i].name, value);
        separator = " ";
    }
}
