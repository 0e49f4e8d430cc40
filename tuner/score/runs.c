// A pool of threads takes runs off a counter; each run has its own evaluator, session and
// row of the results, so nothing is shared but the recording, which is read-only.
#include "score/runs.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "hone/session.h"

enum { THREADS_MAX = 256 };

struct pool {
    const struct hone_recording *recording;
    const struct hone_runs_plan *plan;
    struct hone_runs *runs;
    double worst;
    atomic_size_t next;
    atomic_bool failed;
    pthread_mutex_t lock; // of status and err
    enum hone_status status;
    struct hone_error *err;
};

struct trace {
    double *best, current;
    size_t count, budget;
};

static bool on_progress(void *context, const struct hone_progress *progress)
{
    struct trace *trace = context;
    if (progress->best) trace->current = hone_trial_cost(progress->best);
    if (trace->count < trace->budget) trace->best[trace->count++] = trace->current;
    return true;
}

static double thread_cpu_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}

static enum hone_status run_one(const struct pool *pool, size_t number,
                                struct hone_error *err)
{
    const struct hone_runs_plan *plan = pool->plan;
    struct hone_runs *runs = pool->runs;
    struct trace trace = {.best = runs->best + number * plan->budget,
                          .current = pool->worst,
                          .budget = plan->budget};
    const struct hone_session_options options = {
        .strategy = plan->strategies[number / plan->repeats],
        .search = {.seed = plan->seed + number % plan->repeats,
                   .budget = plan->budget,
                   .start = plan->start,
                   .start_count = plan->start_count,
                   .expectation = plan->expectation,
                   .design = plan->design,
                   .on_error = plan->on_error},
        .no_default = true,
        .seconds = HUGE_VAL,
        .progress = on_progress,
        .context = &trace,
    };
    struct hone_evaluator *evaluator = NULL;
    struct hone_session_result result = {0};
    enum hone_status status = hone_evaluator_replay(&evaluator, pool->recording, err);
    if (status != HONE_OK) return status;
    const double start = thread_cpu_us();
    status = hone_session_run(&result, hone_recording_space(pool->recording), evaluator,
                              &options, err);
    const double spent = thread_cpu_us() - start;
    hone_evaluator_close(evaluator);
    runs->cpu_us[number] = result.done ? spent / (double)result.done : 0;
    while (trace.count < trace.budget) // the space was exhausted
        trace.best[trace.count++] = trace.current;
    return status;
}

static void *runs_work(void *context)
{
    struct pool *pool = context;
    const size_t total = pool->plan->strategy_count * pool->plan->repeats;
    while (!atomic_load(&pool->failed)) {
        const size_t number = atomic_fetch_add(&pool->next, 1);
        if (number >= total) break;
        struct hone_error err = {0};
        const enum hone_status status = run_one(pool, number, &err);
        if (status == HONE_OK) continue;
        pthread_mutex_lock(&pool->lock);
        if (pool->status == HONE_OK)
            pool->status = hone_error_pass(pool->err, status, &err);
        pthread_mutex_unlock(&pool->lock);
        atomic_store(&pool->failed, true);
    }
    return NULL;
}

static size_t thread_count(const struct hone_runs_plan *plan)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    size_t count = plan->threads ? plan->threads : cores > 0 ? (size_t)cores : 1;
    const size_t total = plan->strategy_count * plan->repeats;
    if (count > total) count = total;
    return count > THREADS_MAX ? THREADS_MAX : count;
}

// The calling thread works too; threads that cannot be started are done without.
static void work_in_threads(struct pool *pool)
{
    pthread_t threads[THREADS_MAX];
    size_t started = 0;
    const size_t wanted = thread_count(pool->plan);
    while (started + 1 < wanted &&
           pthread_create(&threads[started], NULL, runs_work, pool) == 0)
        started++;
    runs_work(pool);
    for (size_t i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
}

enum hone_status hone_runs_make(struct hone_runs *runs,
                                const struct hone_recording *recording, double worst,
                                const struct hone_runs_plan *plan, struct hone_error *err)
{
    const size_t total = plan->strategy_count * plan->repeats;
    *runs = (struct hone_runs){.strategy_count = plan->strategy_count,
                               .repeats = plan->repeats,
                               .budget = plan->budget};
    if (total && plan->budget <= SIZE_MAX / sizeof *runs->best / total)
        runs->best = malloc(total * plan->budget * sizeof *runs->best);
    runs->cpu_us = calloc(total + 1, sizeof *runs->cpu_us);
    if (!runs->best || !runs->cpu_us) {
        hone_runs_fini(runs);
        return hone_no_memory(err, "for %zu runs of %zu", total, plan->budget);
    }
    struct pool pool = {.recording = recording,
                        .plan = plan,
                        .runs = runs,
                        .worst = worst,
                        .lock = PTHREAD_MUTEX_INITIALIZER,
                        .err = err};
    work_in_threads(&pool);
    pthread_mutex_destroy(&pool.lock);
    if (pool.status != HONE_OK) hone_runs_fini(runs);
    return pool.status;
}

void hone_runs_fini(struct hone_runs *runs)
{
    free(runs->best);
    free(runs->cpu_us);
    memset(runs, 0, sizeof *runs);
}

const double *hone_runs_best(const struct hone_runs *runs, size_t strategy, size_t repeat)
{
    return runs->best + (strategy * runs->repeats + repeat) * runs->budget;
}
