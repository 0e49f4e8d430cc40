#include "report/ranking.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "record/json_out.h"
#include "score/plot.h"

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

struct json_t *hone_ranking_json(const struct hone_ranking *ranking)
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
    return root;
}

enum hone_status hone_ranking_svg(struct hone_strbuf *out,
                                  const struct hone_ranking *ranking,
                                  struct hone_error *err)
{
    const size_t count = ranking->plan.strategy_count;
    const size_t spaces = ranking->scored ? ranking->scored : ranking->space_count;
    double *curves = calloc(count * HONE_MARK_LAST, sizeof *curves);
    struct hone_plot_line *lines = calloc(count, sizeof *lines);
    char title[128];
    snprintf(title, sizeof title,
             "optimum / best found: mean of %zu spaces, median of %zu runs", spaces,
             (size_t)ranking->plan.repeats);
    for (size_t s = 0; curves && lines && s < count; s++) {
        lines[s] = (struct hone_plot_line){.name = ranking->plan.strategies[s]->name,
                                           .y = curves + s * HONE_MARK_LAST};
        hone_ranking_curve(ranking, s, curves + s * HONE_MARK_LAST);
    }
    const bool drawn = curves && lines;
    if (drawn) hone_plot_svg(out, title, lines, count, HONE_MARK_LAST);
    free(curves);
    free(lines);
    return drawn && !out->failed ? HONE_OK : hone_no_memory(err, "for the plot");
}
