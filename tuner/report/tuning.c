#include "report/tuning.h"

#include <math.h>

#include "record/json_out.h"
#include "report/values.h"
#include "tuning/result_facts.h"

void hone_tuning_result_of(const struct hone_session_result **result,
                           struct hone_strbuf *best, const struct hone_tuning *tuning,
                           size_t number)
{
    static const struct hone_session_result nothing;
    const struct hone_space *space = NULL;
    *result = &nothing;
    hone_tuning_problem(result, &space, tuning, number, NULL);
    if ((*result)->has_best) hone_config_text(best, space, (*result)->best.index);
}

bool hone_tuning_lacks_reference(const struct hone_tuning_facts *facts)
{
    return !facts->replays && !facts->has_reference;
}

struct hone_size_counts hone_tuning_sizes(const struct hone_tuning_facts *facts)
{
    return (struct hone_size_counts){facts->named_sizes,
                                     (size_t)facts->info->drawn_sizes};
}

// How many were not run at each size that verify names.
static struct json_t *skips_json(const struct hone_tuning_report *report, size_t sizes)
{
    struct json_t *array = hone_json_array();
    for (size_t i = 0; i < sizes; i++) {
        const struct hone_skips skips =
            hone_tuning_skips(report->tuning, report->result, report->recording, i);
        hone_json_append_value(
            array, (struct hone_value){.type = HONE_INT, .i = (int64_t)skips.count});
    }
    return array;
}

static struct json_t *one_json(const struct hone_tuning_report *report)
{
    const struct hone_session_result *r = report->result;
    const struct hone_space *space = hone_tuning_space(report->tuning);
    const struct hone_tuning_facts facts = hone_tuning_facts(report->tuning);
    const struct hone_record_info *info = facts.info;
    const struct hone_size_counts sizes = hone_tuning_sizes(&facts);
    struct json_t *root = hone_json_object();
    hone_json_text(root, "kernel", info->kernel);
    hone_json_text(root, "device", info->device_name);
    hone_json_text(root, "clock", info->clock);
    hone_json_bool(root, "predicted", facts.predicts);
    hone_json_integer(root, "trials", (int64_t)r->done);
    hone_json_integer(root, "resumed", (int64_t)r->resumed);
    hone_json_number(root, "seconds", r->seconds);
    hone_json_text(root, "stop", hone_stop_text(r->stop));
    if (facts.has_workers)
        hone_json_integer(root, "respawns", (int64_t)facts.workers.respawns);
    hone_json_child(root, "outcomes", hone_outcomes_json(r->outcomes));
    if (info->waiver_count)
        hone_json_child(root, "waive",
                        hone_waivers_json(info->waivers, info->waiver_count, r->waived));
    if (r->has_best) hone_json_child(root, "best", hone_trial_json(space, &r->best));
    if (r->has_first) hone_json_child(root, "default", hone_trial_json(space, &r->first));
    if (!facts.replays)
        hone_json_bool(root, "values_judged", !hone_tuning_lacks_reference(&facts));
    if (sizes.drawn) hone_json_child(root, "sizes", hone_sizes_json(&sizes, info->seed));
    if (report->recording && hone_tuning_kernel(report->tuning))
        hone_json_child(root, "not_run_at_size", skips_json(report, sizes.named));
    if (r->refuted) hone_json_integer(root, "refuted", (int64_t)r->refuted);
    if (r->default_refuted)
        hone_json_text(root, "default_refuted", r->refuted_first.reason);
    if (isfinite(hone_result_gain(report->result).ratio))
        hone_json_number(root, "gain_over_default",
                         hone_result_gain(report->result).ratio);
    hone_json_text(root, "journal", facts.journal_is_temporary ? NULL : facts.journal);
    hone_add_header_json(root, report->header, report->second, report->coverage);
    return root;
}

static struct json_t *outcome_json(const struct hone_record_info *info,
                                   const struct hone_record_problem *problem,
                                   const struct hone_session_result *r, const char *best)
{
    struct json_t *json = hone_json_object(), *sizes = hone_json_object();
    for (size_t i = 0; i < info->problem_count; i++)
        hone_json_value(sizes, info->problem[i].name, problem->values[i]);
    hone_json_child(json, "problem", sizes);
    hone_json_number(json, "weight", problem->weight);
    hone_json_integer(json, "trials", (int64_t)r->done);
    hone_json_text(json, "stop", hone_stop_text(r->stop));
    hone_json_text(json, "best", r->has_best ? best : NULL);
    if (r->has_best) hone_json_number(json, "best_us", hone_trial_cost(&r->best));
    if (r->has_best && r->best.compared[0])
        hone_json_text(json, "compared", r->best.compared);
    if (r->refuted) hone_json_integer(json, "refuted", (int64_t)r->refuted);
    if (r->default_refuted)
        hone_json_text(json, "default_refuted", r->refuted_first.reason);
    if (r->has_first) hone_json_number(json, "default_us", hone_trial_cost(&r->first));
    return json;
}

static struct json_t *several_json(const struct hone_tuning_report *report)
{
    const struct hone_tuning_facts facts = hone_tuning_facts(report->tuning);
    const struct hone_record_info *info = facts.info;
    struct json_t *root = hone_json_object(), *list = hone_json_array();
    hone_json_text(root, "kernel", info->kernel);
    hone_json_text(root, "device", info->device_name);
    hone_json_text(root, "clock", info->clock);
    hone_json_bool(root, "predicted", facts.predicts);
    for (size_t p = 0; p < info->problems_count; p++) {
        const struct hone_session_result *result;
        struct hone_strbuf best = HONE_STRBUF_INIT;
        hone_tuning_result_of(&result, &best, report->tuning, p);
        hone_json_append(list, outcome_json(info, &info->problems[p], result, best.data));
        hone_strbuf_fini(&best);
    }
    hone_json_child(root, "problems", list);
    hone_json_text(root, "journal", facts.journal);
    hone_add_header_json(root, report->header, report->second, report->coverage);
    return root;
}

struct json_t *hone_tuning_json(const struct hone_tuning_report *report)
{
    return hone_tuning_problem_count(report->tuning) ? several_json(report)
                                                     : one_json(report);
}

struct json_t *hone_winners_json(const struct hone_winners *winners)
{
    struct json_t *root = hone_json_object(), *list = hone_json_array();
    hone_json_integer(root, "tunings", (int64_t)winners->runs);
    hone_json_bool(root, "predicted", winners->predict);
    for (size_t i = 0; i < winners->count; i++) {
        struct json_t *winner = hone_json_object();
        hone_json_text(winner, "config", winners->items[i].config);
        hone_json_integer(winner, "tunings", (int64_t)winners->items[i].runs);
        hone_json_number(winner, "least_us", winners->items[i].least);
        hone_json_number(winner, "most_us", winners->items[i].most);
        hone_json_append(list, winner);
    }
    hone_json_child(root, "winners", list);
    return root;
}

enum hone_status hone_winners_count(struct hone_winners *winners,
                                    const struct hone_tuning *tuning,
                                    const struct hone_trial *best, struct hone_error *err)
{
    struct hone_strbuf config = HONE_STRBUF_INIT;
    hone_config_text(&config, hone_tuning_space(tuning), best->index);
    winners->predict = hone_tuning_facts(tuning).predicts;
    const enum hone_status status =
        hone_winners_add(winners, config.data, hone_trial_cost(best), err);
    hone_strbuf_fini(&config);
    return status;
}
