// What was found for several problems, for people and for machines.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "output.h"
#include "print.h"
#include "record/json_out.h"
#include "tune.h"

static double gain(const struct hone_session_result *r)
{
    if (!r->has_first || !r->has_best) return NAN;
    return hone_trial_cost(&r->first) / hone_trial_cost(&r->best);
}

static bool differs(const struct hone_problem_list *problems, size_t size)
{
    for (size_t p = 1; p < problems->count; p++)
        if (!hone_value_same(problems->items[p].values[size],
                             problems->items[0].values[size]))
            return true;
    return problems->count == 1;
}

void tune_problem_text(struct hone_strbuf *out, const struct hone_problem_list *problems,
                       size_t number, const struct hone_constant *names, size_t count)
{
    const char *separator = "";
    for (size_t i = 0; i < count; i++) {
        char value[64];
        if (!differs(problems, i)) continue;
        hone_value_print(value, sizeof value, problems->items[number].values[i]);
        hone_strbuf_printf(out, "%s%s=%s", separator, names[i].name, value);
        separator = " ";
    }
}

static void print_outcome(FILE *file, const char *problem,
                          const struct tune_outcome *outcome)
{
    const struct hone_session_result *r = &outcome->result;
    fprintf(file, "  %s", problem);
    if (!r->has_best) {
        fprintf(file, ": none of %zu configurations is valid\n", r->done);
        return;
    }
    char cost[48];
    cli_cost_text(cost, sizeof cost, &r->best);
    fprintf(file, ": best %s", cost);
    if (isfinite(gain(r))) fprintf(file, ", %.4gx as fast as the default", gain(r));
    fprintf(file, ", %zu trials\n    %s\n", r->done, outcome->config);
    tune_print_compared(file, "    ", r);
}

void tune_several_print(const struct tune_args *args,
                        const struct hone_problem_list *problems,
                        const struct hone_record_info *info,
                        const struct tune_outcome *outcomes, const char *journal)
{
    // The header itself may go to standard output.
    FILE *file = cli_output_is_stdout(args->output) ? stderr : stdout;
    fprintf(file, "%s on %s: %zu problems\n", info->kernel, info->device_name,
            problems->count);
    for (size_t p = 0; p < problems->count; p++) {
        struct hone_strbuf text = HONE_STRBUF_INIT;
        tune_problem_text(&text, problems, p, info->problem, info->problem_count);
        print_outcome(file, text.len ? text.data : "", &outcomes[p]);
        hone_strbuf_fini(&text);
    }
    fprintf(file, "  journal %s\n", journal);
    if (args->output) fprintf(file, "  header  %s\n", args->output);
}

static struct json_t *outcome_json(const struct hone_record_info *info,
                                   const struct hone_record_problem *problem,
                                   const struct tune_outcome *outcome)
{
    const struct hone_session_result *r = &outcome->result;
    struct json_t *json = hone_json_object(), *sizes = hone_json_object();
    for (size_t i = 0; i < info->problem_count; i++)
        hone_json_value(sizes, info->problem[i].name, problem->values[i]);
    hone_json_child(json, "problem", sizes);
    hone_json_number(json, "weight", problem->weight);
    hone_json_integer(json, "trials", (int64_t)r->done);
    hone_json_text(json, "stop", hone_stop_text(r->stop));
    hone_json_text(json, "best", outcome->config);
    if (r->has_best) hone_json_number(json, "best_us", hone_trial_cost(&r->best));
    if (r->has_best && r->best.compared[0])
        hone_json_text(json, "compared", r->best.compared);
    if (r->refuted) hone_json_integer(json, "refuted", (int64_t)r->refuted);
    if (r->default_refuted)
        hone_json_text(json, "default_refuted", r->refuted_first.reason);
    if (r->has_first) hone_json_number(json, "default_us", hone_trial_cost(&r->first));
    return json;
}

enum hone_status tune_several_json(const struct tune_args *args,
                                   const struct hone_problem_list *problems,
                                   const struct hone_record_info *info,
                                   const struct tune_outcome *outcomes,
                                   const char *journal, struct hone_error *err)
{
    struct json_t *root = hone_json_object(), *list = hone_json_array();
    hone_json_text(root, "kernel", info->kernel);
    hone_json_text(root, "device", info->device_name);
    hone_json_text(root, "clock", info->clock);
    hone_json_bool(root, "predicted", strcmp(info->objective, "predicted_us") == 0);
    for (size_t p = 0; p < problems->count; p++)
        hone_json_append(list, outcome_json(info, &problems->items[p], &outcomes[p]));
    hone_json_child(root, "problems", list);
    hone_json_text(root, "journal", journal);
    hone_json_text(root, "header", args->output);
    return hone_json_print(root, stdout, err);
}
