// hone show: what a journal holds.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/quantity.h"
#include "color.h"
#include "commands.h"
#include "hone/record.h"
#include "print.h"
#include "record/json_out.h"
#include "terminal.h"
#include "terminal/curve.h"
#include "tuning/parts.h"
#include "watch.h"

struct show_args {
    struct hone_words words;
    uint64_t top;
    bool json;
    bool watch;
    uint64_t budget; /* of the run that is watched */
};

struct ranking {
    const struct hone_trial **trials; /* valid ones, best first */
    size_t count;
    const struct hone_trial **pareto; /* least time first, then less and less energy */
    size_t pareto_count;
    size_t outcomes[HONE_OUTCOME_COUNT];
};

static int by_cost(const void *a, const void *b)
{
    const struct hone_trial *x = *(const struct hone_trial *const *)a;
    const struct hone_trial *y = *(const struct hone_trial *const *)b;
    const double cx = hone_trial_cost(x), cy = hone_trial_cost(y);
    if (cx != cy) return cx < cy ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

static enum hone_status rank(struct ranking *r, const struct hone_recording *recording,
                             struct hone_error *err)
{
    const size_t n = hone_recording_count(recording);
    r->trials = calloc(n + 1, sizeof *r->trials);
    if (!r->trials) return hone_no_memory(err, "for %zu trials", n);
    for (size_t i = 0; i < n; i++) {
        const struct hone_trial *trial = hone_recording_trial(recording, i);
        r->outcomes[trial->outcome]++;
        if (isfinite(hone_trial_cost(trial))) r->trials[r->count++] = trial;
    }
    qsort(r->trials, r->count, sizeof *r->trials, by_cost);
    return HONE_OK;
}

// " (burst, L2 cold)": what the time of the best is.
static void kind_text(char *buf, size_t size, const struct hone_record_info *info,
                      const struct ranking *r)
{
    const char *kind =
        hone_time_kind_measured(r->count ? r->trials[0]->kind : HONE_TIME_NONE);
    buf[0] = '\0';
    if (*kind)
        snprintf(buf, size, " (%s%s%.*s)", kind, info->l2 ? ", L2 " : "",
                 info->l2 ? (int)strcspn(info->l2, ",") : 0, info->l2 ? info->l2 : "");
}

static void print_head(const struct hone_recording *recording, const struct ranking *r)
{
    const struct hone_record_info *info = hone_recording_info(recording);
    struct hone_strbuf problem = HONE_STRBUF_INIT;
    char kind[48];
    kind_text(kind, sizeof kind, info, r);
    hone_problem_text(&problem, info);
    printf("%s: %s on %s%s%s\n", hone_recording_path(recording), info->kernel,
           info->device_name ? info->device_name : "a device that was not named",
           problem.len ? ", problem " : "", problem.len ? problem.data : "");
    printf("%s %s%s, %zu trials%s: ", info->clock ? info->clock : "clock unknown,",
           info->objective ? info->objective : "times", kind,
           hone_recording_count(recording), info->complete ? " (the whole space)" : "");
    cli_print_outcomes(stdout, r->outcomes);
    putchar('\n');
    if (info->strategy)
        printf("strategy %s, seed %llu\n", info->strategy,
               (unsigned long long)info->seed);
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

static int by_rank(const void *a, const void *b)
{
    const struct hone_trial *x = *(const struct hone_trial *const *)a;
    const struct hone_trial *y = *(const struct hone_trial *const *)b;
    return (x->final.rank > y->final.rank) - (x->final.rank < y->final.rank);
}

// The finals that the journal ends with; ratios are those to the base, which has 1.
static void print_finals(const struct hone_recording *recording)
{
    enum { MOST = 64 };
    const struct hone_trial *finalists[MOST];
    size_t n = 0;
    if (!hone_recording_winner(recording)) return;
    for (size_t i = hone_recording_count(recording); i-- > 0 && n < MOST;) {
        const struct hone_trial *trial = hone_recording_trial(recording, i);
        if (!trial->final.rank) break;
        finalists[n++] = trial;
        if (trial->final.rank == 1) break;
    }
    qsort(finalists, n, sizeof *finalists, by_rank);
    const bool timed = !(finalists[0]->cost > 0);
    const bool sustained = finalists[0]->final.sustained_us > 0;
    printf("finals: %stime, ratio of %s to the default's of the same rounds, 95 %% "
           "interval\n",
           sustained ? "sustained " : "",
           timed ? "it" : hone_recording_info(recording)->objective);
    struct hone_columns table = {.sides = "rrrlrl"};
    for (size_t i = 0; i < n; i++) {
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

static int by_time(const void *a, const void *b)
{
    const struct hone_trial *x = *(const struct hone_trial *const *)a;
    const struct hone_trial *y = *(const struct hone_trial *const *)b;
    if (x->time_us != y->time_us) return x->time_us < y->time_us ? -1 : 1;
    return (x->energy_j > y->energy_j) - (x->energy_j < y->energy_j);
}

// The trials that no other beats in time and in energy, fastest first: after sorting by
// time each that needs less energy than all before it. Empty without energies.
static enum hone_status find_pareto(struct ranking *r, struct hone_error *err)
{
    r->pareto = calloc(r->count + 1, sizeof *r->pareto);
    if (!r->pareto) return hone_no_memory(err, "for %zu trials", r->count);
    size_t n = 0;
    for (size_t i = 0; i < r->count; i++)
        if (r->trials[i]->energy_j > 0) r->pareto[n++] = r->trials[i];
    qsort(r->pareto, n, sizeof *r->pareto, by_time);
    for (size_t i = 0; i < n; i++)
        if (!r->pareto_count ||
            r->pareto[i]->energy_j < r->pareto[r->pareto_count - 1]->energy_j)
            r->pareto[r->pareto_count++] = r->pareto[i];
    return HONE_OK;
}

static void print_pareto(const struct hone_recording *recording, const struct ranking *r)
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

// The best so far against evaluations; a recording that no search made has no such order.
static void print_curve(const struct hone_recording *recording)
{
    enum { ROWS = 8, COLUMNS_MOST = 100 };
    const size_t n = hone_recording_count(recording);
    struct hone_curve_step *steps = calloc(n + 1, sizeof *steps);
    struct hone_curve curve = {.done = n, .steps = steps};
    struct hone_strbuf text = HONE_STRBUF_INIT;
    size_t columns = (size_t)cli_terminal_size(stdout).columns - 1;
    for (size_t i = 0; steps && i < n; i++) {
        const double cost = hone_trial_cost(hone_recording_trial(recording, i));
        const bool is_first = curve.count == 0;
        if (isfinite(cost) && (is_first || cost < steps[curve.count - 1].cost))
            steps[curve.count++] = (struct hone_curve_step){i + 1, cost};
    }
    if (columns > COLUMNS_MOST) columns = COLUMNS_MOST;
    const bool searched = hone_recording_info(recording)->strategy != NULL;
    if (searched && curve.count > 1 && columns >= HONE_CURVE_LEAST_COLUMNS) {
        hone_curve_text(&text, &curve, columns, ROWS, hone_shows_utf8());
        printf("best so far against evaluations:\n%s", text.data);
    }
    hone_strbuf_fini(&text);
    free(steps);
}

static void print_text(const struct hone_recording *recording, const struct ranking *r,
                       size_t top)
{
    cli_terminal_fold();
    print_head(recording, r);
    print_pareto(recording, r);
    print_finals(recording);
    struct hone_columns table = {.sides = "rlrl"};
    for (size_t i = 0; i < r->count && i < top; i++) {
        char cost[48];
        hone_cost_text(cost, sizeof cost, r->trials[i]);
        hone_columns_add(&table, "%zu", i + 1);
        hone_columns_add(&table, "%s", cost);
        if (!i) hone_columns_style(&table, HONE_STYLE_GOOD);
        hone_columns_add(&table, "%.3fx",
                         hone_trial_cost(r->trials[i]) / hone_trial_cost(r->trials[0]));
        add_config(&table, recording, r->trials[i]);
    }
    cli_print_columns(&table, stdout, "  ");
    print_curve(recording);
}

static enum hone_status print_json(const struct hone_recording *recording,
                                   const struct ranking *r, size_t top,
                                   struct hone_error *err)
{
    const struct hone_record_info *info = hone_recording_info(recording);
    struct json_t *root = hone_json_object(), *best = hone_json_array();
    struct json_t *pareto = r->pareto_count ? hone_json_array() : NULL;
    struct json_t *problem = hone_json_object();
    hone_json_text(root, "journal", hone_recording_path(recording));
    hone_json_text(root, "kernel", info->kernel);
    hone_json_text(root, "device", info->device_name);
    hone_json_text(root, "clock", info->clock);
    hone_json_text(root, "objective", info->objective);
    if (info->l2) hone_json_text(root, "l2", info->l2);
    hone_json_bool(root, "complete", info->complete);
    for (size_t i = 0; i < info->problem_count; i++)
        hone_json_value(problem, info->problem[i].name, info->problem[i].value);
    hone_json_child(root, "problem", problem);
    hone_json_integer(root, "trials", (int64_t)hone_recording_count(recording));
    hone_json_child(root, "outcomes", hone_outcomes_json(r->outcomes));
    for (size_t i = 0; i < r->count && i < top; i++)
        hone_json_append(best,
                         hone_trial_json(hone_recording_space(recording), r->trials[i]));
    hone_json_child(root, "best", best);
    for (size_t i = 0; i < r->pareto_count; i++)
        hone_json_append(pareto,
                         hone_trial_json(hone_recording_space(recording), r->pareto[i]));
    if (pareto) hone_json_child(root, "pareto", pareto);
    return hone_json_print(root, stdout, err);
}

static enum hone_status show_part(const struct hone_recording *recording,
                                  const struct show_args *args, struct hone_error *err)
{
    struct ranking r = {0};
    enum hone_status status = rank(&r, recording, err);
    if (status == HONE_OK) status = find_pareto(&r, err);
    if (status == HONE_OK && args->json)
        status = print_json(recording, &r, (size_t)args->top, err);
    else if (status == HONE_OK)
        print_text(recording, &r, (size_t)args->top);
    free(r.trials);
    free(r.pareto);
    return status;
}

static enum hone_status show(const char *path, const struct show_args *args,
                             struct hone_error *err)
{
    struct hone_recording *recording = NULL;
    enum hone_status status = hone_recording_load(&recording, path, err);
    const size_t count = status == HONE_OK ? hone_recording_problem_count(recording) : 0;
    for (size_t p = 0; p < count && status == HONE_OK; p++) {
        if (p && !args->json) printf("\n");
        status = show_part(hone_recording_problem(recording, p), args, err);
    }
    hone_recording_free(recording);
    return status;
}

static enum hone_status watch(const struct show_args *args, struct hone_error *err)
{
    enum hone_status status = hone_words_expect(&args->words, 1, 1, "the journal", err);
    if (status == HONE_OK && args->json)
        status = hone_fail(err, HONE_EUSAGE, "--watch draws: it goes without --json");
    return status == HONE_OK ? cli_watch(args->words.items[0], args->budget, err)
                             : status;
}

static enum hone_status run(void *args, struct hone_error *err)
{
    const struct show_args *a = args;
    enum hone_status status =
        hone_words_expect(&a->words, 1, SIZE_MAX, "the journal", err);
    if (status == HONE_OK && a->watch) return watch(a, err);
    if (status == HONE_OK && a->budget)
        status = hone_fail(err, HONE_EUSAGE, "--budget tells the time left in --watch");
    for (size_t i = 0; status == HONE_OK && i < a->words.count; i++)
        status = show(a->words.items[i], a, err);
    return status;
}

static const struct hone_option option_table[] = {
    {"top", 'n', "N", "how many of the best to print [10]", &hone_kind_count,
     offsetof(struct show_args, top)},
    {"json", 0, NULL, "print JSON, one object a problem of a journal", &hone_kind_flag,
     offsetof(struct show_args, json)},
    {"watch", 'w', NULL, "draw how the search goes, again and again while it runs",
     &hone_kind_flag, offsetof(struct show_args, watch)},
    {"budget", 'b', "N", "evaluations of the run that is watched: tells the time left",
     &hone_kind_count, offsetof(struct show_args, budget)},
    {0},
};

const struct hone_command cli_show = {
    .name = "show",
    .summary = "Print what a journal holds and its best configurations",
    .usage = "JOURNAL... [--top N] [--json]\n"
             "       hone show --watch JOURNAL [--budget N]",
    .details =
        "--watch draws the best so far against evaluations until the run ends or "
        "Ctrl-C, which is\nno failure: exit code 0. It waits for a journal that is "
        "not there yet. Where standard\noutput is no terminal it prints one "
        "picture and ends.",
    .options =
        (const struct hone_option *const[]){option_table, cli_common_options, NULL},
    .args_size = sizeof(struct show_args),
    .defaults = &(const struct show_args){.top = 10},
    .run = run,
};
