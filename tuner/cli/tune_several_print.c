// What was found for several problems, for people and for machines.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "coverage.h"
#include "output.h"
#include "print.h"
#include "record/json_out.h"
#include "tune.h"
#include "tuning/result_facts.h"

struct outcome {
    const struct hone_session_result *result;
    struct hone_strbuf config; // of the best, as text
};

// One that the caller knows to be there.
static struct outcome outcome_of(const struct tune *tune, size_t number)
{
    static const struct hone_session_result nothing;
    const struct hone_space *space = NULL;
    struct outcome outcome = {.result = &nothing, .config = HONE_STRBUF_INIT};
    hone_tuning_problem(&outcome.result, &space, tune->tuning, number, NULL);
    if (outcome.result->has_best)
        cli_config_text(&outcome.config, space, outcome.result->best.index);
    return outcome;
}

static void print_outcome(FILE *file, const char *problem, const struct outcome *outcome)
{
    const struct hone_session_result *r = outcome->result;
    fprintf(file, "  %s", problem);
    if (!r->has_best) {
        fputs(": ", file);
        cli_print_styled(file, HONE_STYLE_BAD, "none of %zu configurations is valid",
                         r->done);
        fputc('\n', file);
        return;
    }
    char cost[48];
    cli_cost_text(cost, sizeof cost, &r->best);
    fputs(": ", file);
    cli_print_styled(file, HONE_STYLE_GOOD, "best %s", cost);
    const double gain = hone_result_gain(r).ratio;
    if (hone_default_is_best(r))
        fputs(", the default is the fastest", file);
    else if (isfinite(gain))
        fprintf(file, ", %.4gx as fast as the default", gain);
    fprintf(file, ", %zu trials\n    %s\n", r->done,
            outcome->config.len ? outcome->config.data : "");
    tune_print_compared(file, "    ", r);
}

void tune_several_print(const struct tune *tune)
{
    const char *output = tune->args->output;
    const struct hone_tuning_facts facts = hone_tuning_facts(tune->tuning);
    const struct hone_record_info *info = facts.info;
    // The header itself may go to standard output.
    FILE *file = tune->has_header && cli_output_is_stdout(output) ? stderr : stdout;
    if (tune->file) file = tune->file;
    fprintf(file, "%s on %s: %zu problems\n", info->kernel, info->device_name,
            info->problems_count);
    for (size_t p = 0; p < info->problems_count; p++) {
        struct hone_strbuf text = HONE_STRBUF_INIT;
        struct outcome outcome = outcome_of(tune, p);
        hone_problem_apart_text(&text, info, p);
        print_outcome(file, text.len ? text.data : "", &outcome);
        hone_strbuf_fini(&outcome.config);
        hone_strbuf_fini(&text);
    }
    fprintf(file, "  journal %s\n", facts.journal);
    if (tune->has_header) {
        fprintf(file, "  header  %s\n", output);
        cli_print_coverage(file, &tune->coverage);
    }
}

static struct json_t *outcome_json(const struct hone_record_info *info,
                                   const struct hone_record_problem *problem,
                                   const struct outcome *outcome)
{
    const struct hone_session_result *r = outcome->result;
    struct json_t *json = hone_json_object(), *sizes = hone_json_object();
    for (size_t i = 0; i < info->problem_count; i++)
        hone_json_value(sizes, info->problem[i].name, problem->values[i]);
    hone_json_child(json, "problem", sizes);
    hone_json_number(json, "weight", problem->weight);
    hone_json_integer(json, "trials", (int64_t)r->done);
    hone_json_text(json, "stop", hone_stop_text(r->stop));
    hone_json_text(json, "best", r->has_best ? outcome->config.data : NULL);
    if (r->has_best) hone_json_number(json, "best_us", hone_trial_cost(&r->best));
    if (r->has_best && r->best.compared[0])
        hone_json_text(json, "compared", r->best.compared);
    if (r->refuted) hone_json_integer(json, "refuted", (int64_t)r->refuted);
    if (r->default_refuted)
        hone_json_text(json, "default_refuted", r->refuted_first.reason);
    if (r->has_first) hone_json_number(json, "default_us", hone_trial_cost(&r->first));
    return json;
}

enum hone_status tune_several_json(const struct tune *tune, struct hone_error *err)
{
    const struct hone_tuning_facts facts = hone_tuning_facts(tune->tuning);
    const struct hone_record_info *info = facts.info;
    struct json_t *root = hone_json_object(), *list = hone_json_array();
    hone_json_text(root, "kernel", info->kernel);
    hone_json_text(root, "device", info->device_name);
    hone_json_text(root, "clock", info->clock);
    hone_json_bool(root, "predicted", facts.predicts);
    for (size_t p = 0; p < info->problems_count; p++) {
        struct outcome outcome = outcome_of(tune, p);
        hone_json_append(list, outcome_json(info, &info->problems[p], &outcome));
        hone_strbuf_fini(&outcome.config);
    }
    hone_json_child(root, "problems", list);
    hone_json_text(root, "journal", facts.journal);
    hone_json_text(root, "header", tune->has_header ? tune->args->output : NULL);
    if (tune->has_header)
        hone_json_child(root, "coverage", cli_coverage_json(&tune->coverage));
    return hone_json_print(root, stdout, err);
}
