// NVRTC: SGEMM configurations compiled a second on all cores, without and with the cache.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "bench.h"
#include "evaluate/module.h"
#include "hone/build.h"
#include "hone/device.h"
#include "hone/kernel.h"
#include "hone/rng.h"
#include "hone/script.h"

enum { BUILDS = 12 };

struct builds {
    struct hone_limits limits;
    struct hone_script *script;
    struct hone_space *space;
    struct hone_kernel *kernel;
    struct hone_builder *builder;
    uint64_t indices[BUILDS];
};

static enum hone_status submit(struct builds *b, uint64_t index, uint64_t *ticket)
{
    struct hone_job job = {0};
    enum hone_status status = hone_kernel_job(&job, b->kernel, index, NULL, NULL);
    if (status == HONE_OK)
        status = hone_job_queue(&job, b->builder, b->limits.arch, ticket, NULL);
    hone_job_fini(&job);
    return status;
}

static double build_all(void *context)
{
    struct builds *b = context;
    uint64_t tickets[BUILDS];
    const double start = hone_clock_seconds();
    for (int i = 0; i < BUILDS; i++)
        if (submit(b, b->indices[i], &tickets[i]) != HONE_OK) return -1;
    for (int i = 0; i < BUILDS; i++) {
        const struct hone_build *build = NULL;
        if (hone_builder_take(b->builder, tickets[i], &build, NULL) != HONE_OK) return -1;
        hone_build_release(build);
    }
    return hone_clock_seconds() - start;
}

static enum hone_status open_kernel(struct builds *b)
{
    struct hone_rng rng;
    enum hone_status status = hone_device_limits(&b->limits, "emu:h200", NULL);
    const struct hone_script_options options = {.limits = &b->limits};
    if (status == HONE_OK)
        status = hone_script_load(&b->script, HONE_SOURCE_DIR "/kernels/sgemm.lua",
                                  &options, NULL);
    if (status == HONE_OK)
        status = hone_space_new(&b->space, &hone_script_def(b->script)->space, NULL);
    if (status == HONE_OK)
        status = hone_kernel_new(&b->kernel, hone_script_def(b->script), b->space, NULL);
    if (status != HONE_OK) return status;
    hone_rng_seed(&rng, 1);
    return hone_space_sample(b->space, &rng, b->indices, BUILDS) == BUILDS ? HONE_OK
                                                                           : HONE_EINPUT;
}

static void bench_with(struct builds *b, const struct bench_line *line, const char *cache)
{
    struct hone_error err = {0};
    const struct hone_builder_options options = {.cache_folder = cache};
    if (hone_builder_new(&b->builder, &options, &err) != HONE_OK) {
        bench_skip(line->name, err.text);
        return;
    }
    bench_run(line, build_all, b);
    hone_builder_free(b->builder);
}

void bench_build(void)
{
    struct builds b = {0};
    char cache[] = "/tmp/hone-bench-XXXXXX", remove[64];
    struct bench_line line = {.name = "NVRTC, sgemm sm_90a",
                              .unit = "compiles/s",
                              .runs = 3,
                              .scale = BUILDS,
                              .per_second = 1};
    if (open_kernel(&b) != HONE_OK || !mkdtemp(cache)) {
        bench_skip(line.name, "kernels/sgemm.lua does not load");
    } else {
        bench_with(&b, &line, "");
        line.name = "build cache, sgemm sm_90a";
        line.unit = "hits/s";
        line.runs = 7;
        bench_with(&b, &line, cache);
        snprintf(remove, sizeof remove, "rm -rf %s", cache);
        if (system(remove) != 0) fprintf(stderr, "cannot remove %s\n", cache);
    }
    hone_kernel_free(b.kernel);
    hone_space_free(b.space);
    hone_script_free(b.script);
}
