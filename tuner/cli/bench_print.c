// hone bench: its table, JSON and plot.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "color.h"
#include "output.h"
#include "record/json_out.h"
#include "score/plot.h"
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

static struct json_t *marks_json(const double values[HONE_MARK_COUNT])
{
    struct json_t *object = hone_json_object();
    for (size_t k = 0; k < HONE_MARK_COUNT; k++) {
        char key[24];
        snprintf(key, sizeof key, "%zu", hone_marks[k]);
        hone_json_number(object, key, values[k]);
    }
    return object;
}

static struct json_t *figures_json(const struct hone_ranking_space *space,
                                   size_t strategy)
{
    const struct hone_figures *f = &space->figures[strategy];
    struct json_t *object = hone_json_object();
    double slowdown[HONE_MARK_COUNT];
    for (size_t k = 0; k < HONE_MARK_COUNT; k++)
        slowdown[k] = exp(f->log_slowdown[k]);
    hone_json_text(object, "space", space->name);
    hone_json_bool(object, "scored", !space->apart);
    hone_json_number(object, "score", f->score);
    hone_json_number(object, "kernel_tuner_score", f->compatible);
    hone_json_child(object, "ratio", marks_json(f->ratio));
    hone_json_child(object, "slowdown", marks_json(slowdown));
    hone_json_child(object, "within_5_percent", marks_json(f->near));
    hone_json_number(object, "evaluations_to_5_percent",
                     f->nears ? f->spent / (double)f->nears : (double)INFINITY);
    hone_json_number(object, "us_per_ask", f->cpu_us);
    return object;
}

static void add_summary(struct json_t *object, const struct hone_ranking *ranking,
                        size_t strategy)
{
    const struct hone_summary *m = &ranking->summaries[strategy];
    hone_json_number(object, "score", m->score);
    hone_json_number(object, "score_low", m->interval.low);
    hone_json_number(object, "score_high", m->interval.high);
    hone_json_number(object, "worst", m->worst);
    hone_json_text(object, "worst_space",
                   hone_ranking_scored(ranking, m->worst_space)->name);
    hone_json_number(object, "kernel_tuner_score", m->compatible);
    hone_json_child(object, "ratio", marks_json(m->ratio));
    hone_json_child(object, "slowdown", marks_json(m->slowdown));
    hone_json_child(object, "within_5_percent", marks_json(m->near));
    hone_json_number(object, "evaluations_to_5_percent", m->evaluations_to_near);
    hone_json_number(object, "us_per_ask", m->cpu_us);
}

// Each pair once, the one that is named first ahead of the other.
static struct json_t *differences_json(const struct hone_ranking *ranking)
{
    struct json_t *list = hone_json_array();
    const size_t n = ranking->scored ? ranking->plan.strategy_count : 0;
    for (size_t a = 0; a < n; a++)
        for (size_t b = a + 1; b < n; b++) {
            const struct hone_difference *d = &ranking->differences[a * n + b];
            struct json_t *object = hone_json_object();
            hone_json_text(object, "strategy", ranking->plan.strategies[a]->name);
            hone_json_text(object, "against", ranking->plan.strategies[b]->name);
            hone_json_number(object, "score", d->score);
            hone_json_number(object, "score_low", d->interval.low);
            hone_json_number(object, "score_high", d->interval.high);
            hone_json_append(list, object);
        }
    return list;
}

static struct json_t *spaces_json(const struct hone_ranking *ranking)
{
    struct json_t *list = hone_json_array();
    for (size_t i = 0; i < ranking->space_count; i++) {
        const struct hone_ranking_space *space = &ranking->spaces[i];
        const struct hone_landscape *l = &space->landscape;
        struct json_t *object = hone_json_object();
        hone_json_text(object, "space", space->name);
        hone_json_integer(object, "configurations", (int64_t)l->count);
        hone_json_integer(object, "valid", (int64_t)l->valid);
        hone_json_number(object, "optimum_us", l->cost[0]);
        hone_json_number(object, "median_us", l->median);
        hone_json_integer(object, "scored_from", (int64_t)l->exact.first);
        hone_json_integer(object, "scored_to", (int64_t)l->exact.last);
        hone_json_text(object, "apart", space->apart);
        hone_json_append(list, object);
    }
    return list;
}

enum hone_status bench_print_json(const struct hone_ranking *ranking,
                                  struct hone_error *err)
{
    struct json_t *root = hone_json_object(), *list = hone_json_array();
    for (size_t s = 0; s < ranking->plan.strategy_count; s++) {
        struct json_t *object = hone_json_object(), *spaces = hone_json_array();
        hone_json_text(object, "strategy", ranking->plan.strategies[s]->name);
        if (ranking->scored) add_summary(object, ranking, s);
        for (size_t i = 0; i < ranking->space_count; i++)
            hone_json_append(spaces, figures_json(&ranking->spaces[i], s));
        hone_json_child(object, "spaces", spaces);
        hone_json_append(list, object);
    }
    hone_json_integer(root, "repeats", (int64_t)ranking->plan.repeats);
    hone_json_unsigned(root, "seed", ranking->plan.seed);
    hone_json_child(root, "spaces", spaces_json(ranking));
    hone_json_child(root, "strategies", list);
    hone_json_child(root, "differences", differences_json(ranking));
    return hone_json_print(root, stdout, err);
}

enum hone_status bench_write_plot(const struct hone_ranking *ranking, const char *path,
                                  struct hone_error *err)
{
    const size_t count = ranking->plan.strategy_count;
    double *curves = calloc(count * HONE_MARK_LAST, sizeof *curves);
    struct hone_plot_line *lines = calloc(count, sizeof *lines);
    struct hone_strbuf svg = HONE_STRBUF_INIT;
    enum hone_status status = HONE_ENOMEM;
    if (curves && lines) {
        for (size_t s = 0; s < count; s++) {
            lines[s] = (struct hone_plot_line){.name = ranking->plan.strategies[s]->name,
                                               .y = curves + s * HONE_MARK_LAST};
            hone_ranking_curve(ranking, s, curves + s * HONE_MARK_LAST);
        }
        char title[128];
        const size_t spaces = ranking->scored ? ranking->scored : ranking->space_count;
        snprintf(title, sizeof title,
                 "optimum / best found: mean of %zu spaces, median of %zu runs", spaces,
                 ranking->plan.repeats);
        hone_plot_svg(&svg, title, lines, count, HONE_MARK_LAST);
        if (!svg.failed) status = cli_output_write(path, &svg, err);
    }
    if (status == HONE_ENOMEM) hone_no_memory(err, "for the plot");
    hone_strbuf_fini(&svg);
    free(curves);
    free(lines);
    return status;
}
