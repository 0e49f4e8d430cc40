// Racing: its rules one by one, and what it keeps and loses on recorded timings: 32 single
// times of 300 configurations in each of six spaces, measured by others.
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "evaluate/rival.h"
#include "hone/rng.h"
#include "hone_test.h"
#include "sampling.h"

#define SAMPLES HONE_SOURCE_DIR "/../shared/recorded/samples/"

enum { CONFIGS = 300, TIMES = 32, FIXED = 30, SHORTLIST = 16, ORDERS = 20 };

static struct hone_trial measured(double time_us, uint32_t samples, double rel_std)
{
    struct hone_trial trial = hone_trial_make(0, HONE_VALID);
    trial.time_us = time_us;
    trial.samples = samples;
    trial.rel_std = rel_std;
    return trial;
}

static void the_rival_is_the_best_that_was_measured(void **state)
{
    (void)state;
    struct hone_rival rival = {0};
    const struct hone_time_policy policy = hone_time_policy_default;
    assert_true(hone_rival_policy(&rival, &policy).rival_us == 0);
    const double times[] = {30, 10, 20};
    for (size_t i = 0; i < 3; i++) {
        const struct hone_trial trial = measured(times[i], 10, 0.001);
        hone_rival_tell(&rival, &trial);
    }
    struct hone_trial predicted = hone_trial_make(1, HONE_VALID);
    predicted.predicted_us = 1;
    hone_rival_tell(&rival, &predicted);
    struct hone_trial failed = hone_trial_make(2, HONE_CRASHED);
    failed.time_us = 1;
    hone_rival_tell(&rival, &failed);
    assert_true(hone_rival_policy(&rival, &policy).rival_us == 10);
}

static void the_margin_grows_with_the_noise_of_whole_measurements(void **state)
{
    (void)state;
    struct hone_rival rival = {0};
    const struct hone_time_policy policy = hone_time_policy_default;
    assert_true(hone_rival_policy(&rival, &policy).rival_margin == 0.03);
    for (size_t i = 0; i < 100; i++) {
        const struct hone_trial whole = measured(10, 12, i % 2 ? 0.02 : 0.021);
        const struct hone_trial lost = measured(20, 2, 0.5); // two samples tell nothing
        hone_rival_tell(&rival, &whole);
        hone_rival_tell(&rival, &lost);
    }
    assert_true(fabs(hone_rival_noise(&rival) - 0.0205) < 0.0006);
    assert_true(hone_rival_policy(&rival, &policy).rival_margin > 0.0599);
    assert_true(hone_rival_policy(&rival, &policy).rival_margin < 0.0631);
}

// --- recorded timings ---

struct space {
    double times[CONFIGS][TIMES];
    double median[CONFIGS]; // of all
};

static bool read_line(struct space *space, size_t i, const char *line)
{
    json_t *root = json_loads(line, 0, NULL),
           *times = json_object_get(root, "samples_us");
    const bool whole = json_array_size(times) == TIMES;
    for (size_t k = 0; whole && k < TIMES; k++)
        space->times[i][k] = json_number_value(json_array_get(times, k));
    json_decref(root);
    double sorted[TIMES];
    memcpy(sorted, space->times[i], sizeof sorted);
    space->median[i] = hone_sample_stats_of(sorted, TIMES).median;
    return whole;
}

static bool read_space(struct space *space, const char *name)
{
    char path[512], line[4096];
    snprintf(path, sizeof path, SAMPLES "%s.jsonl", name);
    FILE *file = fopen(path, "r");
    if (!file) return false;
    assert_non_null(fgets(line, sizeof line, file)); // the header
    size_t count = 0;
    while (count < CONFIGS && fgets(line, sizeof line, file))
        assert_true(read_line(space, count++, line));
    fclose(file);
    assert_int_equal(count, CONFIGS);
    return true;
}

// Samples of configuration i by the policy, in the order they were taken.
static struct hone_trial race(const struct space *space, size_t i,
                              const struct hone_time_policy *policy)
{
    struct hone_sample_stats stats = {0};
    for (size_t next; (next = hone_timing_next(&stats, policy));) {
        double samples[TIMES];
        const size_t n = stats.count + next;
        memcpy(samples, space->times[i], n * sizeof *samples);
        stats = hone_sample_stats_of(samples, n);
    }
    struct hone_trial trial =
        measured(stats.median, (uint32_t)stats.count, stats.rel_std);
    trial.index = i;
    return trial;
}

static double sum(const double *times, size_t n)
{
    double total = 0;
    for (size_t i = 0; i < n; i++)
        total += times[i];
    return total;
}

static int by_time(const void *a, const void *b)
{
    const struct hone_trial *x = a, *y = b;
    return (x->time_us > y->time_us) - (x->time_us < y->time_us);
}

static double median_of_fixed(const struct space *space, size_t i)
{
    double sorted[FIXED];
    memcpy(sorted, space->times[i], sizeof sorted);
    return hone_sample_stats_of(sorted, FIXED).median;
}

// The fastest 16 are measured to the end, as finals do. Returns the winner.
static size_t hold_finals(const struct space *space, const struct hone_trial *fastest,
                          double *spent)
{
    size_t winner = (size_t)fastest[0].index;
    for (size_t i = 0; i < SHORTLIST; i++) {
        const size_t config = (size_t)fastest[i].index, had = fastest[i].samples;
        if (had < FIXED) *spent += sum(space->times[config] + had, FIXED - had);
        if (median_of_fixed(space, config) < median_of_fixed(space, winner))
            winner = config;
    }
    return winner;
}

struct tally {
    double kept;                 // of the time of 30 samples each
    double regret, plain_regret; // of the final pick and of the best without finals
};

static double regret(const struct space *space, size_t pick)
{
    double best = INFINITY;
    for (size_t i = 0; i < CONFIGS; i++)
        best = fmin(best, space->median[i]);
    return space->median[pick] / best - 1;
}

static struct tally race_all(const struct space *space, struct hone_rng *rng)
{
    struct hone_time_policy policy = hone_time_policy_default;
    policy.max_samples = FIXED;
    policy.budget_ms = (double)INFINITY;
    struct hone_rival rival = {0};
    struct hone_trial trials[CONFIGS];
    size_t order[CONFIGS];
    double spent = 0, fixed = 0;
    for (size_t i = 0; i < CONFIGS; i++)
        order[i] = i;
    for (size_t i = 0; i < CONFIGS; i++) {
        const size_t other = i + (size_t)hone_rng_below(rng, CONFIGS - i),
                     next = order[other];
        order[other] = order[i];
        const struct hone_time_policy racing = hone_rival_policy(&rival, &policy);
        trials[i] = race(space, next, &racing);
        hone_rival_tell(&rival, &trials[i]);
        spent += sum(space->times[next], trials[i].samples);
        fixed += sum(space->times[next], FIXED);
    }
    qsort(trials, CONFIGS, sizeof *trials, by_time);
    const size_t winner = hold_finals(space, trials, &spent);
    return (struct tally){.kept = spent / fixed,
                          .regret = regret(space, winner),
                          .plain_regret = regret(space, (size_t)trials[0].index)};
}

static void racing_keeps_a_fifth_of_the_time_and_the_winner(void **state)
{
    (void)state;
    static const char *const names[] = {
        "convolution_milo_A100",    "convolution_milo_A6000", "dedispersion_milo_A100",
        "dedispersion_milo_MI250X", "gemm_RTX_2080_Ti",       "gemm_RTX_3090"};
    static struct space space;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (!read_space(&space, names[i])) SKIP("no %s%s.jsonl here", SAMPLES, names[i]);
        struct tally mean = {0};
        struct hone_rng rng;
        hone_rng_seed(&rng, 1);
        for (int order = 0; order < ORDERS; order++) {
            const struct tally one = race_all(&space, &rng);
            mean.kept += one.kept / ORDERS;
            mean.regret += one.regret / ORDERS;
            mean.plain_regret += one.plain_regret / ORDERS;
        }
        printf("%-26s time kept %4.1f %%, regret %.2f %%, without finals %.2f %%\n",
               names[i], 100 * mean.kept, 100 * mean.regret, 100 * mean.plain_regret);
        assert_true(mean.kept <= 0.2);
        assert_true(mean.regret <= 0.005);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_rival_is_the_best_that_was_measured),
    cmocka_unit_test(the_margin_grows_with_the_noise_of_whole_measurements),
    cmocka_unit_test(racing_keeps_a_fifth_of_the_time_and_the_winner),
};

HONE_TEST_MAIN(tests)
