// How busy a GPU is kept: whole sessions on a simulated machine in a time of its own, whose
// compile threads take the submitted configurations in order and whose GPU measures them
// in order, as the evaluators do.
#include <math.h>
#include <string.h>

#include "evaluator.h"
#include "hone/session.h"
#include "hone_test.h"
#include "rng.h"

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
    struct hone_rng rng;
};

static double gauss(struct hone_rng *rng)
{
    const double u = 1 - hone_rng_double(rng);
    return sqrt(-2 * log(u)) * cos(2 * acos(-1) * hone_rng_double(rng));
}

// Simulated. The median, 0.4 s of one core, is a measurement of NVRTC 13.0 on a medium
// GEMM; the spread round it, log-normal, and one in 40 that takes 3 s are assumed.
static double build_seconds(struct hone_rng *rng)
{
    return hone_rng_below(rng, 40) ? 0.4 * exp(0.3 * gauss(rng)) : 3;
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
    m->free_at[first] = start_s + build_seconds(&m->rng);
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

// A look at the default takes 21 launches.
static enum hone_status contest(struct hone_evaluator *evaluator,
                                const struct hone_contest *contest, double *costs,
                                struct hone_error *err)
{
    (void)err;
    struct machine *m = evaluator->priv;
    assert_int_equal(m->in_flight, 0);
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

// The share of the time that the GPU is busy.
static double busy(size_t threads, double gpu_s, size_t lookahead, size_t drift_every)
{
    static const uint64_t start[] = {0};
    struct machine machine = {.threads = threads,
                              .gpu_s = gpu_s,
                              .capacity = hone_lookahead(lookahead, threads, true)};
    struct hone_evaluator evaluator = {.fns = &fns, .priv = &machine};
    const struct hone_session_options options = {
        .strategy = hone_strategy_find("random"),
        .search = {.seed = 1, .budget = BUDGET, .start = start, .start_count = 1},
        .seconds = INFINITY,
        .drift_every = drift_every,
        .drift_limit = 0.02};
    struct hone_session_result result;
    struct hone_error err = {0};
    hone_rng_seed(&machine.rng, 7);
    assert_ok(hone_session_run(&result, space, &evaluator, &options, &err), err);
    assert_int_equal(result.done, BUDGET);
    return machine.busy_s / machine.now_s;
}

// What the lookahead gains, and what a slow build at the head of the line and the looks
// for drift, for which the line is emptied, still cost.
static void sixteen_cores_keep_a_gpu_busy(void **state)
{
    (void)state;
    const double gpu_s[] = {0.01, 0.02, 0.03, 0.05, 0.1};
    printf("ms of GPU, busy %%: as it is, with 17 in flight, with 33, without looks\n");
    for (size_t i = 0; i < sizeof gpu_s / sizeof *gpu_s; i++) {
        const double before = busy(16, gpu_s[i], 17, 50), now = busy(16, gpu_s[i], 0, 50);
        printf("%4.0f %6.1f %6.1f %6.1f %6.1f\n", 1e3 * gpu_s[i], 100 * now, 100 * before,
               100 * busy(16, gpu_s[i], 33, 50), 100 * busy(16, gpu_s[i], 0, 0));
        assert_true(now > before);
        if (gpu_s[i] >= 0.03) assert_true(now >= 0.55);
        if (gpu_s[i] >= 0.05) assert_true(now >= 0.7);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(sixteen_cores_keep_a_gpu_busy),
};
HONE_TEST_MAIN_WITH(tests, set_up, tear_down)
