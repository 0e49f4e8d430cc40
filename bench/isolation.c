// hone_bench_isolation [N]: what a worker process costs. N configurations [24] of sgemm
// on emu:h200 are evaluated by turns in this process and in a worker, and the ratios of
// wall and CPU time are printed (a busy machine disturbs the first, since a worker wakes
// threads more often); on the fake driver, what a new worker takes after a sticky
// fault. Needs NVRTC for the first, the tests' fake libraries for the second.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/clock.h"
#include "base/sort.h"
#include "hone/pool.h"
#include "hone/rng.h"
#include "hone/script.h"

enum { MOST = 400, FAULTY = 200 };

struct side {
    struct hone_script *script;
    struct hone_space *space;
    struct hone_kernel *kernel;
    struct hone_device *device; // of the direct side
    struct hone_builder *builder;
    struct hone_pool *pool; // of the other
    struct hone_evaluator *evaluator;
};

static const struct hone_evaluate_options options = {
    .policy = {.min_samples = 10, .max_samples = 20, .budget_ms = 100},
    .data_seed = 1,
    .lookahead = 1};

static enum hone_status open_kernel(struct side *side, const char *path,
                                    const struct hone_limits *limits,
                                    struct hone_error *err)
{
    const struct hone_script_options script = {.limits = limits};
    enum hone_status status = hone_script_load(&side->script, path, &script, err);
    if (status != HONE_OK) return status;
    const struct hone_kernel_def *def = hone_script_def(side->script);
    status = hone_space_new(&side->space, &def->space, err);
    if (status == HONE_OK) status = hone_kernel_new(&side->kernel, def, side->space, err);
    return status;
}

static enum hone_status open_here(struct side *side, const char *path,
                                  struct hone_error *err)
{
    enum hone_status status = hone_device_open(&side->device, "emu:h200", err);
    if (status == HONE_OK) status = open_kernel(side, path, &side->device->limits, err);
    if (status == HONE_OK) status = hone_builder_new(&side->builder, NULL, err);
    if (status == HONE_OK)
        status = hone_evaluator_direct(&side->evaluator, side->kernel, side->device,
                                       side->builder, &options, err);
    return status;
}

static enum hone_status open_there(struct side *side, const char *path,
                                   const char *device, struct hone_error *err)
{
    const char *const argv[] = {HONE_PROGRAM, "worker", "--device", device, NULL};
    const struct hone_worker_command command = {
        .argv = argv, .name = device, .local = true};
    const struct hone_pool_options pool = {.commands = &command, .count = 1};
    const char *nvrtc;
    enum hone_status status = hone_pool_open(&side->pool, &pool, err);
    if (status == HONE_OK)
        status = open_kernel(side, path, hone_pool_facts(side->pool).limits, err);
    if (status == HONE_OK)
        status = hone_evaluator_pool(&side->evaluator, &nvrtc, side->pool, side->kernel,
                                     &options, err);
    return status;
}

static void close_side(struct side *side)
{
    hone_evaluator_close(side->evaluator);
    hone_pool_close(side->pool);
    hone_builder_free(side->builder);
    hone_kernel_free(side->kernel);
    hone_space_free(side->space);
    hone_script_free(side->script);
    hone_device_close(side->device);
}

// One configuration from submit to trial.
struct spent {
    double whole_ms;
    double around_ms; // of that, what is not verifying and timing
    double cpu_ms;    // of this process
};

static double cpu_ms(int who)
{
    struct rusage usage;
    getrusage(who, &usage);
    return 1e3 * (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-3 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static enum hone_status evaluate(struct side *side, uint64_t index, struct spent *out,
                                 struct hone_error *err)
{
    const double before_ms = cpu_ms(RUSAGE_SELF);
    struct hone_evaluator *e = side->evaluator;
    struct hone_trial trial;
    size_t count = 0;
    const double start = hone_clock_seconds();
    enum hone_status status = e->fns->submit(e, index, err);
    if (status == HONE_OK) status = e->fns->wait(e, &trial, 1, &count, err);
    out->cpu_ms = cpu_ms(RUSAGE_SELF) - before_ms;
    out->whole_ms = (hone_clock_seconds() - start) * 1e3;
    out->around_ms = out->whole_ms - (isnan(trial.evaluate_ms) ? 0 : trial.evaluate_ms);
    return status;
}

// Builds are from the cache in what is timed.
static enum hone_status fill_cache(const uint64_t *indices, size_t n,
                                   struct hone_error *err)
{
    struct side side = {0};
    struct spent spent;
    enum hone_status status = open_here(&side, HONE_SOURCE_DIR "/kernels/sgemm.lua", err);
    for (size_t i = 0; status == HONE_OK && i < n; i++)
        status = evaluate(&side, indices[i], &spent, err);
    close_side(&side);
    return status;
}

static double median(double *values, size_t n)
{
    hone_sort_doubles(values, n);
    return hone_sorted_median(values, n);
}

static void report_cpu(const struct spent *here, const struct spent *there, size_t n,
                       double opening_ms, double worker_ms)
{
    double own = opening_ms, tuner = 0;
    for (size_t i = 0; i < n; i++) {
        own += here[i].cpu_ms;
        tuner += there[i].cpu_ms;
    }
    printf("CPU time of all: %.0f ms here; %.0f ms in the worker and %.1f ms beside it, "
           "ratio %.4f\n",
           own, worker_ms, tuner, (worker_ms + tuner) / own);
}

static void report(const struct spent *here, const struct spent *there, size_t n)
{
    double ratios[MOST], own[MOST], around[MOST];
    for (size_t i = 0; i < n; i++) {
        ratios[i] = there[i].whole_ms / here[i].whole_ms;
        own[i] = here[i].whole_ms;
        around[i] = there[i].around_ms - here[i].around_ms;
    }
    const double middle = median(ratios, n);
    printf("sgemm on emu:h200, %zu configurations: %.1f ms each here, in a worker %.4f "
           "times that\n(quartiles %.4f to %.4f), of which %.2f ms are the worker's own "
           "(medians)\n",
           n, median(own, n), middle, ratios[n / 4], ratios[3 * n / 4],
           median(around, n));
}

// Both sides by turns, and who begins changes.
static enum hone_status compare(size_t n, struct hone_error *err)
{
    static struct spent own[MOST], other[MOST];
    struct side here = {0}, there = {0};
    struct hone_rng rng;
    double opening_ms = cpu_ms(RUSAGE_SELF); // with the references, as the worker's is
    uint64_t indices[MOST];
    enum hone_status status = open_here(&here, HONE_SOURCE_DIR "/kernels/sgemm.lua", err);
    opening_ms = cpu_ms(RUSAGE_SELF) - opening_ms;
    if (status == HONE_OK)
        status =
            open_there(&there, HONE_SOURCE_DIR "/kernels/sgemm.lua", "emu:h200", err);
    hone_rng_seed(&rng, 1);
    if (status == HONE_OK) n = hone_space_sample(here.space, &rng, indices, n);
    if (status == HONE_OK) status = fill_cache(indices, n, err);
    for (size_t i = 0; status == HONE_OK && i < n; i++) {
        if (i % 2) status = evaluate(&here, indices[i], &own[i], err);
        if (status == HONE_OK) status = evaluate(&there, indices[i], &other[i], err);
        if (status == HONE_OK && i % 2 == 0)
            status = evaluate(&here, indices[i], &own[i], err);
    }
    close_side(&here);
    close_side(&there); // the worker's CPU time is known when it has ended
    if (status != HONE_OK) return status;
    report(own, other, n);
    report_cpu(own, other, n, opening_ms, cpu_ms(RUSAGE_CHILDREN));
    return HONE_OK;
}

static enum hone_status respawn(struct hone_error *err)
{
    struct side side = {0};
    setenv("HONE_LIBCUDA", HONE_BINARY_DIR "/tests/fake/fake_cuda.so", 1);
    setenv("HONE_NVRTC", HONE_BINARY_DIR "/tests/fake/fake_nvrtc.so", 1);
    setenv("HONE_FAKE_CUDA", "memory=1e9", 1);
    setenv("HONE_FAKE_CHAOS", "seed=1,ILLEGAL=0.5", 1);
    enum hone_status status =
        open_there(&side, HONE_SOURCE_DIR "/tests/faults/lab.lua", "cuda:0", err);
    struct spent spent;
    for (uint64_t i = 0; status == HONE_OK && i < FAULTY; i++)
        status = evaluate(&side, i, &spent, err);
    if (status == HONE_OK) {
        const struct hone_pool_counts counts = hone_pool_counts(side.pool);
        printf("fake driver: %zu new workers after sticky faults, %.1f ms each, slowest "
               "%.1f ms\n",
               counts.respawns, counts.respawn_s / (double)counts.respawns * 1e3,
               counts.slowest_respawn_s * 1e3);
    }
    close_side(&side);
    return status;
}

int main(int argc, char **argv)
{
    struct hone_error err = {0};
    const size_t n = argc > 1 ? (size_t)strtoul(argv[1], NULL, 10) : 24;
    if (!n || n > MOST) {
        fprintf(stderr, "usage: hone_bench_isolation [N], N from 1 to %d\n", MOST);
        return 2;
    }
    enum hone_status status = compare(n, &err);
    if (status == HONE_OK) status = respawn(&err);
    if (status != HONE_OK) fprintf(stderr, "hone_bench_isolation: %s\n", err.text);
    return status != HONE_OK;
}
