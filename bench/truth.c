// hone_bench_truth ROUNDS SCRIPT DEVICE JOURNAL...: how good the picks of repeated
// tunings are. The winner of each journal (of one kernel and problem) and the author's
// default are measured in turn, ROUNDS times, in an order drawn anew for each round; the
// truth is the configuration with the least median ratio to the default of the same
// round. Prints how often each was picked and its regret: the median ratio to the truth,
// less 1, with its 95 % interval. A line of JSON follows the table.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sample_stats.h"
#include "hone/evaluate.h"
#include "recorded.h"

enum { PICKS_MOST = 64, SERIES = 16 };

struct pick {
    uint64_t index;
    size_t times;   // picked
    double ratio;   // to the default, median
    double regret;  // of the ratio to the truth
    double half_ci; // of that, the interval to each side
};

struct truth {
    struct recorded recorded;
    struct hone_evaluator *evaluator;
    struct pick picks[PICKS_MOST + 1]; // the default is the first
    size_t count, rounds, tunings, best;
    double *costs; // [rounds][count]
};

static enum hone_status add_pick(struct truth *t, uint64_t index, struct hone_error *err)
{
    size_t i = 0;
    while (i < t->count && t->picks[i].index != index)
        i++;
    if (i > PICKS_MOST) return hone_fail(err, HONE_ELIMIT, "over %d winners", PICKS_MOST);
    if (i == t->count) t->picks[t->count++] = (struct pick){.index = index};
    t->picks[i].times++;
    return HONE_OK;
}

static enum hone_status add_winner(struct truth *t, const char *path,
                                   struct hone_error *err)
{
    struct hone_recording *recording = NULL;
    uint64_t index = 0;
    enum hone_status status = hone_recording_load(&recording, path, err);
    if (status != HONE_OK) return status;
    const struct hone_trial *best = hone_recording_best(recording);
    if (best && recorded_index(&t->recorded, recording, best, &index))
        status = add_pick(t, index, err);
    else
        status =
            hone_fail(err, HONE_EINPUT, "'%s' has no winner in the script's space", path);
    hone_recording_free(recording);
    t->tunings++;
    return status;
}

static enum hone_status open_truth(struct truth *t, char **argv, int argc,
                                   struct hone_error *err)
{
    static const struct hone_evaluate_options options = {.data_seed = 1};
    struct hone_workbench *bench = &t->recorded.bench;
    enum hone_status status =
        recorded_open(&t->recorded,
                      &(struct recorded_source){
                          .journal = argv[4], .script = argv[2], .device = argv[3]},
                      err);
    if (status == HONE_OK)
        status = hone_workbench_prepare(bench, argv[3], HONE_CLOCK_NONE, NULL, err);
    if (status == HONE_OK && !bench->has_default)
        status = hone_fail(err, HONE_EINPUT, "'%s' has no default", argv[2]);
    if (status != HONE_OK) return status;
    t->picks[t->count++] = (struct pick){.index = bench->default_index};
    for (int i = 4; i < argc && status == HONE_OK; i++)
        status = add_winner(t, argv[i], err);
    struct hone_evaluate_options own = options;
    own.policy = hone_time_policy_default;
    if (status == HONE_OK)
        status = hone_evaluator_direct(&t->evaluator, bench->kernel, bench->device,
                                       bench->builder, &own, err);
    return status;
}

static enum hone_status measure(struct truth *t, struct hone_error *err)
{
    uint64_t indices[PICKS_MOST + 1];
    for (size_t i = 0; i < t->count; i++)
        indices[i] = t->picks[i].index;
    t->costs = calloc(t->rounds * t->count, sizeof *t->costs);
    if (!t->costs) return hone_no_memory(err, "for a benchmark");
    enum hone_status status = HONE_OK;
    for (size_t done = 0; done < t->rounds && status == HONE_OK; done += SERIES) {
        const size_t left = t->rounds - done;
        const struct hone_contest contest = {.indices = indices,
                                             .count = t->count,
                                             .rounds = left < SERIES ? left : SERIES,
                                             .seed = done + 1};
        status = t->evaluator->fns->contest(t->evaluator, &contest,
                                            t->costs + done * t->count, err);
    }
    return status;
}

// Of a pick to another in the same rounds; those where one failed are left out.
static struct hone_sample_stats ratios(const struct truth *t, size_t pick, size_t other,
                                       double *scratch)
{
    size_t n = 0;
    for (size_t r = 0; r < t->rounds; r++) {
        const double ratio =
            t->costs[r * t->count + pick] / t->costs[r * t->count + other];
        if (isfinite(ratio)) scratch[n++] = ratio;
    }
    return n ? hone_sample_stats_of(scratch, n) : (struct hone_sample_stats){0};
}

static enum hone_status judge(struct truth *t, struct hone_error *err)
{
    double *scratch = calloc(t->rounds, sizeof *scratch);
    if (!scratch) return hone_no_memory(err, "for a benchmark");
    for (size_t i = 0; i < t->count; i++) {
        const struct hone_sample_stats stats = ratios(t, i, 0, scratch);
        if (stats.count == 0) {
            free(scratch);
            return hone_fail(err, HONE_EINPUT, "%zu of %zu could not be measured", i + 1,
                             t->count);
        }
        t->picks[i].ratio = stats.median;
        if (t->picks[i].ratio < t->picks[t->best].ratio) t->best = i;
    }
    for (size_t i = 0; i < t->count; i++) {
        const struct hone_sample_stats stats = ratios(t, i, t->best, scratch);
        t->picks[i].regret = stats.median - 1;
        t->picks[i].half_ci = i == t->best ? 0 : stats.rel_ci * stats.median;
    }
    free(scratch);
    return HONE_OK;
}

static void print_table(const struct truth *t)
{
    double mean = 0, worst = 0;
    printf("%6s %9s %9s %8s  configuration\n", "picked", "default", "regret", "+-");
    for (size_t i = 0; i < t->count; i++) {
        const struct pick *p = &t->picks[i];
        char text[1024];
        recorded_text(text, sizeof text, &t->recorded, p->index);
        printf("%6zu %8.3fx %8.2f%% %7.2f%%  %s%s\n", p->times, 1 / p->ratio,
               100 * p->regret, 100 * p->half_ci, text, i == 0 ? " (default)" : "");
        mean += p->regret * (double)p->times / (double)t->tunings;
        if (p->times) worst = fmax(worst, p->regret);
    }
    printf("%zu tunings, %zu rounds: mean regret %.2f %%, worst %.2f %%\n", t->tunings,
           t->rounds, 100 * mean, 100 * worst);
    printf("{\"kernel\":\"%s\",\"tunings\":%zu,\"winners\":%zu,\"rounds\":%zu,"
           "\"mean_regret\":%.5f,\"worst_regret\":%.5f}\n",
           hone_recording_info(t->recorded.recording)->kernel, t->tunings,
           t->count - (t->picks[0].times == 0), t->rounds, mean, worst);
}

int main(int argc, char **argv)
{
    struct truth t = {.rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : 0};
    struct hone_error err = {0};
    if (argc < 5 || t.rounds < 1 || t.rounds > 100000) {
        fprintf(stderr, "usage: %s ROUNDS SCRIPT DEVICE JOURNAL...\n", argv[0]);
        return 2;
    }
    enum hone_status status = open_truth(&t, argv, argc, &err);
    if (status == HONE_OK) status = measure(&t, &err);
    if (status == HONE_OK) status = judge(&t, &err);
    if (status == HONE_OK)
        print_table(&t);
    else
        fprintf(stderr, "%s: %s\n", argv[0], err.text);
    if (t.evaluator) hone_evaluator_close(t.evaluator);
    free(t.costs);
    recorded_close(&t.recorded);
    return status == HONE_OK ? 0 : 1;
}
