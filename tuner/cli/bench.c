// hone bench strategies: search strategies compared on recorded spaces.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "args/common_kinds.h"
#include "cli.h"
#include "output.h"
#include "print.h"
#include "record/json_out.h"
#include "record/output_path.h"
#include "report/ranking.h"
#include "terminal.h"
#include "tuning/ranked.h"

struct bench_args {
    struct hone_words words;
    struct hone_texts strategies, warm;
    const char *plot;
    double strategy_timeout;
    struct hone_ranking_plan plan; // without strategies and recordings
    bool json;
};

static enum hone_status check_bench_args(const struct bench_args *a,
                                         struct hone_error *err)
{
    if (!a->words.count || strcmp(a->words.items[0], "strategies") != 0)
        return hone_fail(err, HONE_EUSAGE,
                         "what to bench: hone bench strategies FILE.jsonl...");
    if (!a->plan.repeats || a->plan.repeats > 1000000)
        return hone_fail(err, HONE_EUSAGE, "--repeats wants 1 to 1000000, got %llu",
                         (unsigned long long)a->plan.repeats);
    return hone_words_expect(&a->words, 2, SIZE_MAX, "the recording", err);
}

/* --- its tables --- */

// '-' for what the runs were too short for, or none of them reached.
static void add_figure(struct hone_columns *table, int digits, double value)
{
    if (isfinite(value))
        hone_columns_add(table, "%.*f", digits, value);
    else
        hone_columns_add(table, "-");
}

static void add_interval(struct hone_columns *table, const struct hone_interval *interval)
{
    if (isfinite(interval->low) && isfinite(interval->high))
        hone_columns_add(table, "%.3f .. %.3f", interval->low, interval->high);
    else
        hone_columns_add(table, "-");
}

static void add_summary_row(struct hone_columns *table, const char *name,
                            const struct hone_summary *m)
{
    hone_columns_add(table, "%s", name);
    add_figure(table, 3, m->score);
    add_interval(table, &m->interval);
    add_figure(table, 3, m->worst);
    add_figure(table, 3, m->compatible);
    for (size_t k = 0; k < HONE_MARK_COUNT; k++)
        add_figure(table, 3, m->ratio[k]);
    add_figure(table, 3, m->slowdown[3]);
    add_figure(table, 3, m->near[3]);
    add_figure(table, 0, m->evaluations_to_near);
    add_figure(table, 1, m->cpu_us);
}

static void print_summaries(const struct hone_ranking *ranking)
{
    struct hone_columns table = {.sides = "lrrrrrrrrrrrr"};
    const size_t repeats = (size_t)ranking->plan.repeats;
    printf("mean of %zu space%s, %zu run%s each\n\n", ranking->scored,
           cli_plural(ranking->scored), repeats, cli_plural(repeats));
    HONE_COLUMNS_ADD_TEXTS(&table, "strategy", "score", "95 % interval", "worst", "kt",
                           "r25", "r50", "r100", "r200", "slow200", "p200", "to 5 %",
                           "us/ask");
    for (size_t s = 0; s < ranking->plan.strategy_count; s++)
        add_summary_row(&table, ranking->plan.strategies[s]->name,
                        &ranking->summaries[s]);
    cli_print_columns(&table, stdout, "");
    puts("\nkt: Kernel Tuner's own score; rN: optimum / best after N evaluations; "
         "slow200: best /\noptimum after 200, geometric mean; p200: runs within 5 % of "
         "the optimum by then; to 5 %:\nevaluations spent for each run that got there");
}

// How far the others are behind the best mean, paired.
static void print_differences(const struct hone_ranking *ranking)
{
    const size_t leader = hone_ranking_leader(ranking), n = ranking->plan.strategy_count;
    if (n < 2) return;
    printf("\nscore behind %s, paired by space and seed (95 %% interval)\n\n",
           ranking->plan.strategies[leader]->name);
    struct hone_columns table = {.sides = "lrr"};
    for (size_t s = 0; s < n; s++) {
        if (s == leader) continue;
        const struct hone_difference *d = &ranking->differences[leader * n + s];
        hone_columns_add(&table, "%s", ranking->plan.strategies[s]->name);
        add_figure(&table, 3, d->score);
        add_interval(&table, &d->interval);
    }
    cli_print_columns(&table, stdout, "");
}

static void add_space_row(struct hone_columns *table,
                          const struct hone_ranking_space *space, size_t strategies)
{
    hone_columns_add(table, "%s", space->name);
    hone_columns_add(table, "%zu", space->landscape.count);
    hone_columns_add(table, "%zu", space->landscape.exact.last);
    for (size_t s = 0; s < strategies; s++)
        add_figure(table, 3, space->figures[s].score);
    hone_columns_add(table, "%s%s", space->apart ? "* " : "",
                     space->apart ? space->apart : "");
}

static void print_spaces(const struct hone_ranking *ranking)
{
    const size_t strategies = ranking->plan.strategy_count;
    struct hone_strbuf columns = HONE_STRBUF_INIT;
    struct hone_columns table = {0};
    puts("\nscore by space (* not in the means)\n");
    hone_strbuf_add(&columns, "lrr");
    for (size_t s = 0; s < strategies; s++)
        hone_strbuf_add(&columns, "r");
    hone_strbuf_add(&columns, "l");
    table.sides = columns.data;
    HONE_COLUMNS_ADD_TEXTS(&table, "space", "configs", "cutoff");
    for (size_t s = 0; s < strategies; s++)
        hone_columns_add(&table, "%s", ranking->plan.strategies[s]->name);
    hone_columns_add(&table, "%s", "");
    for (size_t i = 0; i < ranking->space_count && !columns.failed; i++)
        add_space_row(&table, &ranking->spaces[i], strategies);
    cli_print_columns(&table, stdout, "");
    hone_strbuf_fini(&columns);
}

static void print_ranking(const struct hone_ranking *ranking)
{
    cli_terminal_fold();
    if (ranking->scored) {
        print_summaries(ranking);
        print_differences(ranking);
    }
    print_spaces(ranking);
}

/* --- the command --- */

static enum hone_status run_bench(void *args, struct hone_error *err)
{
    const struct bench_args *a = args;
    struct hone_ranked ranked = {0};
    struct hone_strbuf svg = HONE_STRBUF_INIT;
    enum hone_status status = check_bench_args(a, err);
    if (status == HONE_OK && a->plot) status = hone_output_check(a->plot, err);
    if (status != HONE_OK) return status;
    const struct hone_ranked_options options = {.recordings = a->words.items + 1,
                                                .recording_count = a->words.count - 1,
                                                .strategies = a->strategies.items,
                                                .strategy_count = a->strategies.count,
                                                .strategy_timeout_s = a->strategy_timeout,
                                                .warm = a->warm.items,
                                                .warm_count = a->warm.count,
                                                .plan = a->plan};
    status = hone_ranked_run(&ranked, &options, err);
    const struct hone_ranking *ranking = &ranked.ranking;
    if (status == HONE_OK && a->plot)
        status =
            cli_output_write(a->plot, &svg, hone_ranking_svg(&svg, ranking, err), err);
    if (status == HONE_OK && a->json)
        status = hone_json_print(hone_ranking_json(ranking), stdout, err);
    else if (status == HONE_OK)
        print_ranking(ranking);
    hone_ranked_fini(&ranked);
    return status;
}

static const struct hone_option option_table[] = {
    {"strategies", 0, "A,B", "what to compare, Lua files and exec:COMMAND too [all]",
     HONE_TEXTS(struct bench_args, strategies)},
    {"on-strategy-error", 0, NULL,
     "when a strategy breaks: go on at random, or stop [stop]", &hone_kind_on_error,
     offsetof(struct bench_args, plan.on_error)},
    {"strategy-timeout", 0, "S", "seconds that exec:COMMAND has for an answer [60]",
     HONE_SECONDS(struct bench_args, strategy_timeout)},
    {"warm", 0, "FILE...",
     "begin with the best of those of the same kernel on other devices", &hone_kind_files,
     offsetof(struct bench_args, warm)},
    {"repeats", 'r', "N", "runs of each strategy on each space [25]",
     HONE_COUNT(struct bench_args, plan.repeats)},
    {"seed", 0, "N", "of the first run; run r uses seed + r [1]",
     HONE_COUNT(struct bench_args, plan.seed)},
    {"budget", 'b', "N",
     "most evaluations a run [what random search needs for 95 %, at least 200]",
     HONE_COUNT(struct bench_args, plan.budget)},
    {"design", 0, "N", "size of the start design [5]",
     HONE_COUNT(struct bench_args, plan.design)},
    {"jobs", 'j', "N", "threads [one a core]",
     HONE_COUNT(struct bench_args, plan.threads)},
    {"plot", 0, "FILE.svg", "write a convergence plot",
     HONE_OUTPUT(struct bench_args, plot)},
    {"json", 0, NULL, "print JSON, also the figures of each space",
     HONE_FLAG(struct bench_args, json)},
    {0},
};

const struct hone_command cli_bench = {
    .name = "bench",
    .summary = "Compare search strategies on recorded spaces",
    .usage = "strategies FILE.jsonl... [--strategies A,B] [--repeats N] [--json] ...",
    .details =
        "Each strategy searches each recorded space --repeats times. The score is 0 for\n"
        "random search and 1 for a search that knows the optimum; docs/benchmark.md\n"
        "defines it. Results repeat by --seed, whatever the number of threads; only the\n"
        "CPU time an ask does not.",
    .options = CLI_OPTIONS(option_table),
    .args_size = sizeof(struct bench_args),
    .defaults = &(const struct bench_args){.strategy_timeout = 60,
                                           .plan = {.repeats = 25,
                                                    .seed = 1,
                                                    .design = HONE_DESIGN_AUTO,
                                                    .on_error = HONE_ON_ERROR_STOP}},
    .operand = "strategies",
    .operands = {0, SIZE_MAX, ""},
    .run = run_bench,
};
