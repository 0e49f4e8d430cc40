// hone show: what a journal holds.
#include <math.h>
#include <stdio.h>

#include "base/quantity.h"
#include "cli.h"
#include "hone/record.h"
#include "insight/convergence.h"
#include "insight/places.h"
#include "print.h"
#include "record/json_in.h"
#include "record/json_out.h"
#include "report/importance.h"
#include "report/metrics.h"
#include "report/places.h"
#include "report/standings.h"
#include "terminal.h"
#include "tuning/parts.h"

struct show_args {
    struct hone_words words;
    uint64_t top;
    bool json;
    bool importance;
    bool metrics;
    bool watch;
    uint64_t budget; /* of the run that is watched */
};

static void print_head(const struct hone_recording *recording,
                       const struct hone_standings *r)
{
    const struct hone_record_info *info = hone_recording_info(recording);
    struct hone_strbuf problem = HONE_STRBUF_INIT;
    char kind[48];
    hone_best_kind_text(kind, sizeof kind, r, info);
    hone_problem_text(&problem, info);
    printf("%s: %s on %s%s%s\n", hone_recording_path(recording), info->kernel,
           hone_device_text(info->device_name), problem.len ? ", problem " : "",
           problem.len ? problem.data : "");
    const size_t count = hone_recording_count(recording);
    printf("%s %s%s, %zu trial%s%s: ", info->clock ? info->clock : "clock unknown,",
           info->objective ? info->objective : "times", kind, count,
           count == 1 ? "" : "s", info->complete ? " (the whole space)" : "");
    cli_print_outcomes(stdout, r->outcomes);
    if (info->strategy)
        printf("strategy %s, seed %llu\n", info->strategy,
               (unsigned long long)info->seed);
    if (hone_verified_words(info->verified))
        printf("results %s\n", hone_verified_words(info->verified));
    if (*hone_recording_notice(recording))
        printf("%s\n", hone_recording_notice(recording));
    hone_strbuf_fini(&problem);
}

static void add_config(struct hone_columns *table, const struct hone_recording *recording,
                       const struct hone_trial *trial)
{
    struct hone_strbuf config = HONE_STRBUF_INIT;
    hone_config_text(&config, hone_recording_space(recording), trial->index);
    hone_columns_add(table, "%s", config.data);
    hone_strbuf_fini(&config);
}

// The finals that the journal ends with; ratios are those to the base, which has 1.
static void print_finals(const struct hone_recording *recording,
                         const struct hone_standings *r)
{
    const struct hone_trial *const *finalists = r->finals;
    if (!r->final_count) return;
    const bool timed = !(finalists[0]->cost > 0);
    const bool sustained = finalists[0]->final.sustained_us > 0;
    printf("finals: %stime, ratio of %s to the default's of the same rounds, 95 %% "
           "interval\n",
           sustained ? "sustained " : "",
           timed ? "it" : hone_recording_info(recording)->objective);
    struct hone_columns table = {.sides = "rrrlrl"};
    for (size_t i = 0; i < r->final_count; i++) {
        const struct hone_final *final = &finalists[i]->final;
        hone_columns_add(&table, "%u", final->rank);
        hone_columns_add(&table, "%.5g",
                         sustained ? final->sustained_us : finalists[i]->time_us);
        hone_columns_add(&table, "%.4f", final->ratio);
        hone_columns_add(&table, "%.4f to %.4f", final->low, final->high);
        hone_columns_add(&table, "%u rounds", final->rounds);
        add_config(&table, recording, finalists[i]);
    }
    cli_print_columns(&table, stdout, "  ");
    printf("the search:\n");
}

static void print_pareto(const struct hone_recording *recording,
                         const struct hone_standings *r)
{
    if (!r->pareto_count) return;
    printf("time against energy: nothing else is better in both\n");
    struct hone_columns table = {.sides = "rrrl"};
    for (size_t i = 0; i < r->pareto_count; i++) {
        const struct hone_trial *trial = r->pareto[i];
        hone_columns_add(&table, "%s us", hone_plain(trial->time_us, 5).text);
        hone_columns_add(&table, "%.4g J", trial->energy_j);
        hone_columns_add(&table, "%.4g W", trial->energy_j / trial->time_us * 1e6);
        add_config(&table, recording, trial);
    }
    cli_print_columns(&table, stdout, "  ");
}

// A recording that no search made has no order that would tell.
static enum hone_status print_curve(const struct hone_recording *recording,
                                    struct hone_error *err)
{
    enum { ROWS = 8 };
    struct hone_convergence found;
    struct hone_strbuf text = HONE_STRBUF_INIT;
    if (!hone_recording_info(recording)->strategy) return HONE_OK;
    const enum hone_status status = hone_convergence_make(&found, recording, err);
    if (status == HONE_OK && found.step_count > 1)
        cli_add_curve(&text, found.steps, found.step_count, found.count,
                      cli_text_columns(), ROWS);
    if (text.len) printf("best so far against evaluations:\n%s", text.data);
    hone_strbuf_fini(&text);
    hone_convergence_fini(&found);
    return status;
}

// By machine and GPU, where workers were elsewhere or several.
static enum hone_status print_places(const struct hone_recording *recording,
                                     struct hone_error *err)
{
    struct hone_places places;
    struct hone_columns table = {.sides = "llrrrr"};
    const enum hone_status status = hone_places_make(&places, recording, err);
    if (places.count) {
        printf("measured by:\n");
        HONE_COLUMNS_ADD_TEXTS(&table, "host", "gpu", "jobs", "trials", "failed",
                               "ms a trial");
    }
    for (size_t i = 0; i < places.count; i++) {
        const struct hone_place_row *row = &places.rows[i];
        const bool known = !isnan(row->evaluate_ms);
        HONE_COLUMNS_ADD_TEXTS(&table, row->place->host, row->place->gpu_uuid);
        hone_columns_add(&table, "%zu", row->jobs);
        hone_columns_add(&table, "%zu", row->trials);
        hone_columns_add(&table, "%zu", row->failed);
        hone_columns_add(&table, "%s",
                         known ? hone_plain(row->evaluate_ms, 3).text : "?");
    }
    cli_print_columns(&table, stdout, "  ");
    hone_places_fini(&places);
    return status;
}

static void print_text(const struct hone_recording *recording,
                       const struct hone_standings *r, size_t top)
{
    cli_terminal_fold();
    print_head(recording, r);
    print_pareto(recording, r);
    print_finals(recording, r);
    struct hone_columns table = {.sides = "rlrl"};
    for (size_t i = 0; i < r->count && i < top; i++) {
        hone_columns_add(&table, "%zu", i + 1);
        hone_columns_add(&table, "%s", hone_cost_text(r->trials[i]).text);
        if (!i) hone_columns_style(&table, HONE_STYLE_GOOD);
        hone_columns_add(&table, "%.3fx",
                         hone_trial_cost(r->trials[i]) / hone_trial_cost(r->trials[0]));
        add_config(&table, recording, r->trials[i]);
    }
    cli_print_columns(&table, stdout, "  ");
}

/* --- how much each parameter matters --- */

static void importance_row(struct hone_columns *table, const struct hone_effect *effect,
                           const char *name, bool exact)
{
    hone_columns_add(table, "%s", name);
    hone_columns_add(table, "%.3f", effect->total.value);
    if (!exact)
        hone_columns_add(table, "%.3f to %.3f", effect->total.low, effect->total.high);
    hone_columns_add(table, "%.3f", effect->main.value);
    if (!isnan(effect->good)) hone_columns_add(table, "%.3f", effect->good);
}

static void print_table(const struct hone_importance *importance,
                        const struct hone_space *space)
{
    const bool exact = importance->kind == HONE_IMPORTANCE_EXACT;
    const bool good = !isnan(importance->params[importance->order[0]].good);
    struct hone_columns table = {.sides = exact  ? good ? "lrrr" : "lrr"
                                          : good ? "lrrrr"
                                                 : "lrrr"};
    hone_columns_add(&table, "parameter");
    hone_columns_add(&table, "in all");
    if (!exact) hone_columns_add(&table, "95 %% interval");
    hone_columns_add(&table, "by itself");
    if (good) hone_columns_add(&table, "among the best");
    for (size_t i = 0; i < importance->order_count; i++) {
        const size_t p = importance->order[i];
        importance_row(&table, &importance->params[p], hone_space_param(space, p)->name,
                       exact);
    }
    cli_print_columns(&table, stdout, "  ");
}

static enum hone_status show_importance(const struct hone_recording *recording,
                                        struct hone_error *err)
{
    struct hone_importance importance;
    struct hone_strbuf text = HONE_STRBUF_INIT;
    enum hone_status status = hone_importance_make(&importance, recording, NULL, err);
    if (status == HONE_OK) {
        hone_importance_text(&text, &importance);
        printf("importance, %s:\n", text.data);
        if (importance.order_count)
            print_table(&importance, hone_recording_space(recording));
    }
    hone_strbuf_fini(&text);
    hone_importance_fini(&importance);
    return status;
}

/* --- the metrics of the best --- */

static void show_metrics(const struct hone_standings *standings)
{
    struct hone_columns metrics = {.sides = "lrl"}, counters = {.sides = "lrl"};
    const struct hone_trial *best = standings->count ? standings->trials[0] : NULL;
    if (!best || !(best->metric_count || best->counters->name)) {
        printf("metrics: the journal has none of its best\n");
        return;
    }
    if (best->metric_count) printf("metrics of the best:\n");
    for (size_t i = 0; i < best->metric_count; i++) {
        const struct hone_metric *metric = &best->metrics[i];
        const char *unit = hone_metric_unit(metric->name);
        HONE_COLUMNS_ADD_TEXTS(&metrics, metric->name, hone_plain(metric->value, 6).text,
                               unit ? unit : "(unit not known)");
    }
    cli_print_columns(&metrics, stdout, "  ");
    if (best->counters->name) printf("counters of the best:\n");
    for (const struct hone_counted *at = best->counters; at->name; at++)
        HONE_COLUMNS_ADD_TEXTS(&counters, at->name, hone_plain(at->value, 6).text,
                               at->unit);
    cli_print_columns(&counters, stdout, "  ");
}

/* --- the whole --- */

// One document, however many problems and journals there are.
static enum hone_status add_json(struct json_t *all,
                                 const struct hone_recording *recording,
                                 const struct hone_standings *r,
                                 const struct show_args *args, struct hone_error *err)
{
    struct json_t *root = hone_standings_json(r, recording, (size_t)args->top);
    if (args->metrics) hone_metrics_add_json(root, r->count ? r->trials[0] : NULL);
    enum hone_status status = hone_places_add(root, recording, err);
    if (status == HONE_OK && args->importance)
        status = hone_importance_add(root, recording, err);
    hone_json_append(all, root);
    return status;
}

static enum hone_status show_part(struct json_t *all,
                                  const struct hone_recording *recording,
                                  const struct show_args *args, struct hone_error *err)
{
    struct hone_standings r;
    enum hone_status status = hone_standings_make(&r, recording, err);
    if (status == HONE_OK && args->json) {
        status = add_json(all, recording, &r, args, err);
    } else if (status == HONE_OK) {
        print_text(recording, &r, (size_t)args->top);
        status = print_curve(recording, err);
        if (status == HONE_OK) status = print_places(recording, err);
        if (status == HONE_OK && args->metrics) show_metrics(&r);
        if (status == HONE_OK && args->importance)
            status = show_importance(recording, err);
    }
    hone_standings_fini(&r);
    return status;
}

static enum hone_status show(struct json_t *all, const char *path,
                             const struct show_args *args, struct hone_error *err)
{
    struct hone_recording *recording = NULL;
    enum hone_status status = hone_recording_load(&recording, path, err);
    const size_t count = status == HONE_OK ? hone_recording_problem_count(recording) : 0;
    for (size_t p = 0; p < count && status == HONE_OK; p++) {
        if (p && !args->json) printf("\n");
        status = show_part(all, hone_recording_problem(recording, p), args, err);
    }
    hone_recording_free(recording);
    return status;
}

static enum hone_status watch(const struct show_args *args, struct hone_error *err)
{
    enum hone_status status = hone_words_expect(&args->words, 1, 1, "the journal", err);
    if (status != HONE_OK) return status;
    if (args->json)
        return hone_fail(err, HONE_EUSAGE, "--watch draws: it goes without --json");
    return cli_watch(args->words.items[0], args->budget, err);
}

static enum hone_status run(void *args, struct hone_error *err)
{
    const struct show_args *a = args;
    enum hone_status status = HONE_OK;
    if (a->watch) return watch(a, err);
    if (a->budget)
        return hone_fail(err, HONE_EUSAGE, "--budget tells the time left in --watch");
    struct json_t *all = hone_json_array();
    for (size_t i = 0; status == HONE_OK && i < a->words.count; i++)
        status = show(all, a->words.items[i], a, err);
    all = hone_json_one_or_all(all);
    if (status == HONE_OK && a->json) return hone_json_print(all, stdout, err);
    hone_json_free(all);
    return status;
}

static const struct hone_option option_table[] = {
    {"top", 'n', "N", "how many of the best to print [10]",
     HONE_COUNT(struct show_args, top)},
    {"json", 0, NULL,
     "print JSON: an object, or a list of them where there are several problems",
     HONE_FLAG(struct show_args, json)},
    {"metrics", 0, NULL, "the metrics of the best, with their units",
     HONE_FLAG(struct show_args, metrics)},
    {"importance", 0, NULL, "how much each parameter matters",
     HONE_FLAG(struct show_args, importance)},
    {"watch", 'w', NULL, "draw how the search goes, again and again while it runs",
     HONE_FLAG(struct show_args, watch)},
    {"budget", 'b', "N", "evaluations of the run that is watched: tells the time left",
     HONE_COUNT(struct show_args, budget)},
    {0},
};

const struct hone_command cli_show = {
    .name = "show",
    .summary = "Print what a journal holds and its best configurations",
    .usage = "JOURNAL... [--top N] [--importance] [--metrics] [--json]\n"
             "       hone show --watch JOURNAL [--budget N]",
    .details =
        "--importance: shares of the variance of log time. In all: what varies when the "
        "parameter\nalone changes. By itself: what its values explain on average; the "
        "rest is in how it goes\nwith others. Among the best: what tells the best tenth "
        "from all (PED-ANOVA), of 200 valid\ntrials or more. docs/report.md\n\n--watch "
        "draws the best so far against evaluations until the run ends or Ctrl-C, which "
        "is\nno failure: exit code 0. It waits for a journal that is not there yet. "
        "Where standard\noutput is no terminal it prints one picture and ends.",
    .options = CLI_OPTIONS(option_table),
    .args_size = sizeof(struct show_args),
    .defaults = &(const struct show_args){.top = 10},
    .operands = {1, SIZE_MAX, "the journal"},
    .run = run,
};
