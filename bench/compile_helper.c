// hone_bench_compile [N]: what it costs that compilers run in processes of their own. N
// configurations [60] of sgemm for sm_90a are compiled by turns in this process and in a
// helper, without a cache and by one thread each; wall time and CPU time are compared,
// the helper's start with its compiler included.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "base/clock.h"
#include "base/sort.h"
#include "evaluate/module.h"
#include "hone/build.h"
#include "hone/device.h"
#include "hone/kernel.h"
#include "hone/rng.h"
#include "hone/script.h"

enum { MOST = 400 };

struct bench {
    struct hone_limits limits;
    struct hone_script *script;
    struct hone_space *space;
    struct hone_kernel *kernel;
    struct hone_builder *sides[2]; // here, in a helper
    double wall_s[2], cpu_s[2];
    double ratios[MOST]; // of wall time, a configuration
};

static enum hone_status open_kernel(struct bench *b, struct hone_error *err)
{
    enum hone_status status = hone_device_limits(&b->limits, "emu:h200", err);
    const struct hone_script_options options = {.limits = &b->limits};
    if (status == HONE_OK)
        status = hone_script_load(&b->script, HONE_SOURCE_DIR "/kernels/sgemm.lua",
                                  &options, err);
    if (status != HONE_OK) return status;
    const struct hone_kernel_def *def = hone_script_def(b->script);
    status = hone_space_new(&b->space, &def->space, err);
    if (status == HONE_OK) status = hone_kernel_new(&b->kernel, def, b->space, err);
    return status;
}

static enum hone_status open_sides(struct bench *b, struct hone_error *err)
{
    const struct hone_builder_options options = {.cache_folder = "", .threads = 1};
    setenv("HONE_COMPILER_HELPER", "", 1);
    enum hone_status status = hone_builder_new(&b->sides[0], &options, err);
    unsetenv("HONE_COMPILER_HELPER");
    if (status == HONE_OK) status = hone_builder_new(&b->sides[1], &options, err);
    return status;
}

static double cpu_of(int who)
{
    struct rusage used;
    getrusage(who, &used);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

static enum hone_status build(struct bench *b, int side, uint64_t index, double *wall_s,
                              struct hone_error *err)
{
    uint64_t ticket;
    struct hone_job job = {0};
    const struct hone_build *built = NULL;
    enum hone_status status = hone_kernel_job(&job, b->kernel, index, NULL, err);
    const double start_s = hone_clock_seconds(), cpu_s = cpu_of(RUSAGE_SELF);
    if (status == HONE_OK)
        status = hone_job_queue(&job, b->sides[side], b->limits.arch, &ticket, err);
    if (status == HONE_OK)
        status = hone_builder_take(b->sides[side], ticket, &built, err);
    *wall_s = hone_clock_seconds() - start_s;
    b->wall_s[side] += *wall_s;
    b->cpu_s[side] += cpu_of(RUSAGE_SELF) - cpu_s;
    hone_build_release(built);
    hone_job_fini(&job);
    return status;
}

static void print_results(struct bench *b, size_t count)
{
    static const char *const names[] = {"here", "in a helper"};
    for (int side = 0; side < 2; side++)
        printf("%-12s %7.2f s, %7.2f s of CPU\n", names[side], b->wall_s[side],
               b->cpu_s[side]);
    hone_sort_doubles(b->ratios, count);
    printf("ratio        %7.3f (median of a configuration %.3f), %.3f of CPU\n",
           b->wall_s[1] / b->wall_s[0], b->ratios[count / 2], b->cpu_s[1] / b->cpu_s[0]);
}

static enum hone_status run(struct bench *b, size_t count, struct hone_error *err)
{
    struct hone_rng rng;
    uint64_t indices[MOST];
    hone_rng_seed(&rng, 1);
    count = hone_space_sample(b->space, &rng, indices, count);
    for (size_t i = 0; i < count; i++) {
        double wall_s[2];
        for (int turn = 0; turn < 2; turn++) {
            const int side = (turn + (int)i) % 2;
            enum hone_status status = build(b, side, indices[i], &wall_s[side], err);
            if (status != HONE_OK) return status;
        }
        b->ratios[i] = wall_s[1] / wall_s[0];
    }
    hone_builder_free(b->sides[1]);
    b->sides[1] = NULL;
    b->cpu_s[1] += cpu_of(RUSAGE_CHILDREN);
    print_results(b, count);
    return HONE_OK;
}

int main(int argc, char **argv)
{
    static struct bench b;
    struct hone_error err = {0};
    const size_t count = argc > 1 ? strtoul(argv[1], NULL, 10) : 60;
    hone_compile_helper_main(argc, argv);
    enum hone_status status = open_kernel(&b, &err);
    if (status == HONE_OK) status = open_sides(&b, &err);
    if (status == HONE_OK) status = run(&b, count && count < MOST ? count : MOST, &err);
    if (status != HONE_OK) fprintf(stderr, "hone_bench_compile: %s\n", err.text);
    hone_builder_free(b.sides[0]);
    hone_builder_free(b.sides[1]);
    hone_kernel_free(b.kernel);
    hone_space_free(b.space);
    hone_script_free(b.script);
    return status != HONE_OK;
}
