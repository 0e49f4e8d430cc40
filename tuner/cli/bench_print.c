// hone bench: its tables.
#include <math.h>
#include <stdio.h>

#include "bench.h"
#include "color.h"
#include "terminal.h"

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
    static const char *const heads[] = {
        "strategy", "score", "95 % interval", "worst", "kt",     "r25",   "r50",
        "r100",     "r200",  "slow200",       "p200",  "to 5 %", "us/ask"};
    struct hone_columns table = {.sides = "lrrrrrrrrrrrr"};
    printf("mean of %zu space%s, %zu runs each\n\n", ranking->scored,
           ranking->scored == 1 ? "" : "s", ranking->plan.repeats);
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        hone_columns_add(&table, "%s", heads[i]);
    for (size_t s = 0; s < ranking->plan.strategy_count; s++)
        add_summary_row(&table, ranking->plan.strategies[s]->name,
                        &ranking->summaries[s]);
    cli_print_columns(&table, stdout, "");
    puts(
        "\nkt: Kernel Tuner's own score; rN: optimum / best after N evaluations; "
        "slow200: "
        "best /\noptimum after 200, geometric mean; p200: runs within 5 % of the optimum "
        "by then; to 5 %:\nevaluations spent for each run that got there");
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
    hone_columns_add(&table, "space");
    hone_columns_add(&table, "configs");
    hone_columns_add(&table, "cutoff");
    for (size_t s = 0; s < strategies; s++)
        hone_columns_add(&table, "%s", ranking->plan.strategies[s]->name);
    hone_columns_add(&table, "%s", "");
    for (size_t i = 0; i < ranking->space_count && !columns.failed; i++)
        add_space_row(&table, &ranking->spaces[i], strategies);
    cli_print_columns(&table, stdout, "");
    hone_strbuf_fini(&columns);
}

void bench_print_text(const struct hone_ranking *ranking)
{
    cli_terminal_fold();
    if (ranking->scored) {
        print_summaries(ranking);
        print_differences(ranking);
    }
    print_spaces(ranking);
}
