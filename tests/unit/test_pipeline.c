// How busy a GPU is kept: whole sessions on a simulated machine in a time of its own, whose
// compile threads take the submitted configurations in order and whose GPU measures them
// in order, as the evaluators do.
#include <math.h>
#include <string.h>

#include "evaluate/evaluator.h"
#include "hone/rng.h"
#include "hone/session.h"
#include "hone_test.h"

enum { SIDE = 64, THREADS_MOST = 64, FLYING_MOST = 256, BUDGET = 600 };

struct machine {
    size_t threads, capacity;
    double gpu_s;                 // a configuration, on average
    double now_s, busy_s;         // of the GPU
    double free_at[THREADS_MOST]; // when each compile thread is
    struct flying {
        uint64_t index;
        double built_s;
    } flying[FLYING_MOST]; // a ring
    size_t oldest, in_flight;
    const struct builds *builds;
    bool slow_ones;
    struct hone_rng rng;
};

static double gauss(struct hone_rng *rng)
{
    const double u = 1 - hone_rng_double(rng);
    return sqrt(-2 * log(u)) * cos(2 * acos(-1) * hone_rng_double(rng));
}

// Seconds of one core that NVRTC 13.0 took for each of 40 random configurations for
// sm_90: CPU time of the compile thread (AMD EPYC, 2 shared cores, 2026-11-23).
enum { MEASURED = 40 };
static const struct builds {
    const char *kernel;
    double seconds[MEASURED];
} measured[] = {
    {"gemm_mma",
     {0.18, 0.19, 0.20, 0.21, 0.21, 0.23, 0.23, 0.24, 0.24, 0.25, 0.27, 0.27, 0.27, 0.28,
      0.30, 0.32, 0.33, 0.36, 0.40, 0.46, 0.47, 0.48, 0.50, 0.50, 0.52, 0.55, 0.56, 0.58,
      0.60, 0.61, 0.67, 0.75, 0.76, 0.80, 0.80, 0.81, 0.83, 0.86, 0.86, 0.87}},
    {"attention",
     {0.24, 0.25, 0.27, 0.30, 0.32, 0.34, 0.35, 0.36, 0.37, 0.38, 0.38, 0.39, 0.40, 0.40,
      0.41, 0.41, 0.45, 0.47, 0.49, 0.49, 0.49, 0.50, 0.51, 0.54, 0.58, 0.58, 0.62, 0.64,
      0.68, 0.71, 0.71, 0.71, 0.72, 0.77, 0.82, 0.88, 0.97, 1.18, 1.22, 1.23}},
    {"softmax",
     {0.08, 0.09, 0.09, 0.10, 0.10, 0.10, 0.10, 0.10, 0.11, 0.11, 0.11, 0.11, 0.11, 0.12,
      0.12, 0.13, 0.13, 0.13, 0.14, 0.15, 0.16, 0.16, 0.17, 0.17, 0.17, 0.17, 0.19, 0.19,
      0.20, 0.20, 0.21, 0.22, 0.22, 0.24, 0.24, 0.25, 0.29, 0.30, 0.33, 0.33}},
};

// One of those measured; where there are slow ones, assumed, one in 40 takes 3 s.
static double build_seconds(struct machine *m)
{
    if (m->slow_ones && !hone_rng_below(&m->rng, 40)) return 3;
    return m->builds->seconds[hone_rng_below(&m->rng, MEASURED)];
}

static size_t capacity(struct hone_evaluator *evaluator)
{
    return ((struct machine *)evaluator->priv)->capacity;
}

static enum hone_status submit(struct hone_evaluator *evaluator, uint64_t index,
                               struct hone_error *err)
{
    (void)err;
    struct machine *m = evaluator->priv;
    size_t first = 0;
    for (size_t t = 1; t < m->threads; t++)
        if (m->free_at[t] < m->free_at[first]) first = t;
    const double start_s = fmax(m->now_s, m->free_at[first]);
    m->free_at[first] = start_s + build_seconds(m);
    m->flying[(m->oldest + m->in_flight++) % FLYING_MOST] =
        (struct flying){index, m->free_at[first]};
    return HONE_OK;
}

static enum hone_status wait(struct hone_evaluator *evaluator, struct hone_trial *out,
                             size_t cap, size_t *count, struct hone_error *err)
{
    (void)cap, (void)err;
    struct machine *m = evaluator->priv;
    *count = m->in_flight > 0;
    if (!m->in_flight) return HONE_OK;
    const struct flying flying = m->flying[m->oldest];
    m->oldest = (m->oldest + 1) % FLYING_MOST;
    m->in_flight--;
    const double took_s = m->gpu_s * exp(0.5 * gauss(&m->rng) - 0.125); // mean gpu_s
    m->now_s = fmax(m->now_s, flying.built_s) + took_s;
    m->busy_s += took_s;
    *out = hone_trial_make(flying.index, HONE_VALID);
    out->time_us = 100 + (double)(flying.index % 97);
    return HONE_OK;
}

// A look at the default takes 21 launches. What was built meanwhile is there then.
static enum hone_status contest(struct hone_evaluator *evaluator,
                                const struct hone_contest *contest, double *costs,
                                struct hone_error *err)
{
    (void)err;
    struct machine *m = evaluator->priv;
    for (size_t i = 0; i < contest->rounds * contest->count; i++)
        costs[i] = 100 + (double)(contest->indices[i % contest->count] % 97);
    m->now_s += m->gpu_s;
    m->busy_s += m->gpu_s;
    return HONE_OK;
}

static const struct hone_evaluator_fns fns = {.name = "machine",
                                              .capacity = capacity,
                                              .submit = submit,
                                              .wait = wait,
                                              .contest = contest};

static struct hone_space *space;

static int set_up(void **state)
{
    (void)state;
    static struct hone_value values[SIDE];
    static struct hone_param params[2];
    for (int64_t i = 0; i < SIDE; i++)
        values[i] = (struct hone_value){.type = HONE_INT, .i = i};
    params[0] = (struct hone_param){.name = "p", .values = values, .count = SIDE};
    params[1] = (struct hone_param){.name = "q", .values = values, .count = SIDE};
    const struct hone_space_def def = {.params = params, .param_count = 2};
    return hone_space_new(&space, &def, NULL);
}

static int tear_down(void **state)
{
    (void)state;
    hone_space_free(space);
    return 0;
}

struct setting {
    const struct builds *builds;
    double gpu_s;
    size_t lookahead, drift_every;
    bool slow_ones;
};

// The share of the time that the GPU is busy.
static double busy(const struct setting *setting)
{
    enum { THREADS = 16 };
    static const uint64_t start[] = {0};
    struct machine machine = {.threads = THREADS,
                              .gpu_s = setting->gpu_s,
                              .builds = setting->builds,
                              .slow_ones = setting->slow_ones,
                              .capacity =
                                  hone_lookahead(setting->lookahead, THREADS, true)};
    struct hone_evaluator evaluator = {.fns = &fns, .priv = &machine};
    const struct hone_session_options options = {
        .strategy = hone_strategy_find("random"),
        .search = {.seed = 1, .budget = BUDGET, .start = start, .start_count = 1},
        .seconds = INFINITY,
        .drift_every = setting->drift_every,
        .drift_limit = 0.02};
    struct hone_session_result result;
    struct hone_error err = {0};
    hone_rng_seed(&machine.rng, 7);
    assert_ok(hone_session_run(&result, space, &evaluator, &options, &err), err);
    assert_int_equal(result.done, BUDGET);
    return machine.busy_s / machine.now_s;
}

// What it can be at most: all threads build all the time.
static double ceiling(const struct setting *setting)
{
    double mean_s = 0;
    for (size_t i = 0; i < MEASURED; i++)
        mean_s += setting->builds->seconds[i] / MEASURED;
    if (setting->slow_ones) mean_s += (3 - mean_s) / 40;
    return fmin(1, 16 * setting->gpu_s / mean_s);
}

static void print_row(const struct setting *setting)
{
    struct setting few = *setting, slow = *setting;
    few.lookahead = 17;
    slow.slow_ones = true;
    printf("%-10s %4.0f %6.1f %6.1f %6.1f %6.1f %6.1f\n", setting->builds->kernel,
           1e3 * setting->gpu_s, 100 * busy(setting), 100 * ceiling(setting),
           100 * busy(&few), 100 * busy(&slow), 100 * ceiling(&slow));
}

static void sixteen_cores_keep_a_gpu_as_busy_as_they_can(void **state)
{
    (void)state;
    const double gpu_s[] = {0.01, 0.02, 0.03, 0.05, 0.1};
    printf("kernel, ms of GPU, busy %%, at most, with 17 in flight, with slow builds, at "
           "most\n");
    for (size_t k = 0; k < sizeof measured / sizeof *measured; k++)
        for (size_t i = 0; i < sizeof gpu_s / sizeof *gpu_s; i++) {
            const struct setting setting = {
                .builds = &measured[k], .gpu_s = gpu_s[i], .drift_every = 50};
            print_row(&setting);
            assert_true(busy(&setting) >= 0.93 * ceiling(&setting));
        }
}

static void a_medium_gemm_keeps_it_busy_at_twenty_milliseconds(void **state)
{
    (void)state;
    struct setting setting = {.builds = &measured[0], .gpu_s = 0.02, .drift_every = 50};
    assert_true(busy(&setting) >= 0.6);
    setting.gpu_s = 0.03;
    assert_true(busy(&setting) >= 0.75);
    setting.slow_ones = true;
    assert_true(busy(&setting) >= 0.6);
}

static void looks_for_drift_do_not_empty_the_line(void **state)
{
    (void)state;
    const struct setting setting = {
        .builds = &measured[0], .gpu_s = 0.03, .drift_every = 50};
    struct setting without = setting;
    without.drift_every = 0;
    assert_true(busy(&setting) >= 0.97 * busy(&without));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(sixteen_cores_keep_a_gpu_as_busy_as_they_can),
    cmocka_unit_test(a_medium_gemm_keeps_it_busy_at_twenty_milliseconds),
    cmocka_unit_test(looks_for_drift_do_not_empty_the_line),
};
HONE_TEST_MAIN_WITH(tests, set_up, tear_down)
