// hone_bench_emu [SECONDS [NAME]]: how fast the emulator runs kernels on one core. Each
// kernel, or the one whose name begins so, is run plain and with every block checked
// (races, values never written), for SECONDS [1] each; the best run counts, since other
// work on the machine only slows it down. Time is the thread's own. Thread instructions
// are counted, not estimated: lanes that run, summed over the warp instructions. Needs
// NVRTC.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "evaluate/buffers.h"
#include "evaluate/module.h"
#include "hone/build.h"
#include "hone/script.h"
#include "hone/version.h"
#include "launch/emu_device.h"
#include "watch/check.h"
#include "watch/judge.h"

enum { SETTINGS_MAX = 18 };

// The settings leave one configuration, at a problem that is quick to run.
static const struct subject {
    const char *name, *script;
    struct hone_script_set settings[SETTINGS_MAX];
} subjects[] = {
    {"sgemm 512^3, 64 x 64 tiles, 4 x 4",
     "kernels/sgemm.lua",
     {{"M", "512"},
      {"N", "512"},
      {"K", "512"},
      {"BM", "64"},
      {"BN", "64"},
      {"BK", "16"},
      {"WM", "16"},
      {"WN", "32"},
      {"TM", "4"},
      {"TN", "4"},
      {"STAGES", "2"},
      {"GROUP_M", "1"},
      {"VEC", "4"},
      {"MIN_BLOCKS", "1"},
      {"ASYNC", "0"},
      {"SPLIT_K", "1"},
      {"LOAD", "1"},
      {"PREFETCH", "0"}}},
    {"reduction of 4 M floats",
     "kernels/reduction.lua",
     {{"N", "4194304"},
      {"BLOCK", "256"},
      {"BLOCKS_PER_SM", "4"},
      {"ITEMS", "4"},
      {"VEC", "16"},
      {"SHUFFLE", "1"},
      {"FINISH", "0"},
      {"LOAD", "1"},
      {"PREFETCH", "0"},
      {"EVICT", "0"}}},
    {"convolution 512^2, 15 x 15, staged",
     "kernels/convolution.lua",
     {{"width", "512"},
      {"height", "512"},
      {"block_size_x", "32"},
      {"block_size_y", "4"},
      {"tile_size_x", "1"},
      {"tile_size_y", "3"},
      {"read_only", "1"},
      {"use_padding", "0"},
      {"use_shmem", "1"}}},
    {"mma 512^3, bf16, ldmatrix", "bench/kernels/mma.lua", {{"K", "512"}}},
    {"wgmma 512^3, bf16, m64n128k16", "bench/kernels/wgmma.lua", {{"K", "512"}}},
};

// One kernel, ready to be launched.
struct bench {
    struct hone_device *device;
    struct hone_script *script;
    struct hone_space *space;
    struct hone_kernel *kernel;
    struct hone_job job;
    struct hone_buffers buffers;
    struct hone_builder *builder;
    struct hone_loaded loaded;
};

static enum hone_status open_kernel(struct bench *b, const struct subject *subject,
                                    struct hone_error *err)
{
    char path[4096];
    struct hone_script_options options = {.limits = &b->device->limits,
                                          .set = subject->settings};
    while (options.set_count < SETTINGS_MAX && options.set[options.set_count].name)
        options.set_count++;
    snprintf(path, sizeof path, "%s/%s", HONE_SOURCE_DIR, subject->script);
    enum hone_status status = hone_script_load(&b->script, path, &options, err);
    if (status != HONE_OK) return status;
    const struct hone_kernel_def *def = hone_script_def(b->script);
    status = hone_space_new(&b->space, &def->space, err);
    if (status == HONE_OK && hone_space_count(b->space) != 1)
        return hone_fail(err, HONE_EINPUT, "the settings leave %llu configurations",
                         (unsigned long long)hone_space_count(b->space));
    if (status == HONE_OK) status = hone_kernel_new(&b->kernel, def, b->space, err);
    if (status == HONE_OK) status = hone_kernel_job(&b->job, b->kernel, 0, NULL, err);
    return status;
}

static enum hone_status build_kernel(struct bench *b, struct hone_error *err)
{
    struct hone_fault fault = {0};
    b->loaded.job = &b->job;
    enum hone_status status = hone_builder_new(&b->builder, NULL, err);
    if (status == HONE_OK)
        status = hone_job_build(&b->loaded.build, &b->job, b->builder,
                                b->device->limits.arch, err);
    if (status == HONE_OK) status = hone_module_load(&b->loaded, b->device, &fault, err);
    if (status == HONE_OK && fault.outcome != HONE_VALID)
        return hone_fail(err, HONE_EINPUT, "%s", fault.reason);
    return status;
}

static enum hone_status open_bench(struct bench *b, const struct subject *subject,
                                   struct hone_error *err)
{
    const bool hopper = strncmp(subject->name, "wgmma", 5) == 0;
    *b = (struct bench){0};
    enum hone_status status =
        hone_device_open(&b->device, hopper ? "emu:h100" : "emu:a100", err);
    if (status == HONE_OK) status = open_kernel(b, subject, err);
    if (status == HONE_OK) status = build_kernel(b, err);
    if (status == HONE_OK)
        status = hone_buffers_init(&b->buffers, b->device, &b->job, err);
    if (status == HONE_OK) status = hone_buffers_make_images(&b->buffers, 1, err);
    return status == HONE_OK ? hone_buffers_arm(&b->buffers, err) : status;
}

static void close_bench(struct bench *b)
{
    if (b->device) {
        hone_buffers_fini(&b->buffers);
        hone_module_unload(&b->loaded, b->device);
    }
    if (b->loaded.build) hone_build_release(b->loaded.build);
    hone_builder_free(b->builder);
    hone_job_fini(&b->job);
    hone_kernel_free(b->kernel);
    hone_space_free(b->space);
    hone_script_free(b->script);
    hone_device_close(b->device);
}

// ---- one pass over all blocks ----

static double thread_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

enum mode { PLAIN, CHECKED, COUNTED };

static void count_lanes(void *context, const struct hone_emu_warp *warp,
                        const struct hone_emu_insn *insn)
{
    uint64_t *lanes = context;
    (void)insn;
    *lanes += (uint64_t)__builtin_popcount(warp->mask);
}

static void ignore_access(void *context, const struct hone_emu_warp *warp,
                          const struct hone_emu_insn *insn, enum ptx_space space,
                          const uint64_t *addresses, uint32_t bytes)
{
    (void)context;
    (void)warp;
    (void)insn;
    (void)space;
    (void)addresses;
    (void)bytes;
}

static enum hone_status run_blocks(struct hone_emu_run *run,
                                   struct hone_emu_checker *checker,
                                   const struct hone_emu_isa *isa, struct hone_error *err)
{
    const uint32_t *grid = run->launch.grid;
    enum hone_status status = HONE_OK;
    for (uint32_t n = 0; n < grid[0] * grid[1] * grid[2] && !run->launch.faulted; n++) {
        const uint32_t id[3] = {n % grid[0], n / grid[0] % grid[1],
                                n / grid[0] / grid[1]};
        if (checker) status = hone_emu_checker_begin(checker, id, err);
        if (status != HONE_OK) break;
        hone_emu_run_block(run->workspace, id, isa);
    }
    return status;
}

// Seconds of a pass, or 0 with err filled.
static double pass(struct bench *b, enum mode mode, uint64_t *lanes,
                   struct hone_error *err)
{
    struct hone_emu_device *device = b->device->priv;
    struct hone_emu_run run = {0};
    struct hone_emu_checks *checks = NULL;
    struct hone_emu_checker *checker = NULL;
    struct hone_emu_judge *judge = hone_emu_judge_new(b->loaded.module->code.count);
    struct hone_fault fault = {0};
    const struct hone_emu_observer counter = {
        .context = lanes, .step = count_lanes, .access = ignore_access};
    const struct hone_launch launch = hone_buffers_launch(&b->buffers, &b->job, 600);
    enum hone_status status =
        hone_emu_run_begin(&run, b->device, b->loaded.module, &launch, &fault, err);
    if (!judge) status = hone_no_memory(err, "for a benchmark");
    if (status == HONE_OK && mode == CHECKED)
        status = hone_emu_checks_new(&checks, &run.launch, judge, err);
    if (status == HONE_OK && checks) status = hone_emu_checker_new(&checker, checks, err);
    const double start = thread_seconds();
    if (status == HONE_OK && fault.outcome == HONE_VALID) {
        if (mode == COUNTED) run.launch.observer = &counter;
        if (mode == CHECKED) run.launch.observer = hone_emu_checker_observer(checker);
        status = run_blocks(&run, checker, device->isa, err);
    }
    const double seconds = thread_seconds() - start;
    hone_emu_checker_free(checker);
    hone_emu_checks_free(checks);
    hone_emu_judge_free(judge);
    hone_emu_run_end(&run);
    if (status == HONE_OK && fault.outcome != HONE_VALID)
        status = hone_fail(err, HONE_EDEVICE, "%s", fault.reason);
    return status == HONE_OK ? seconds : 0;
}

static double best_of(struct bench *b, enum mode mode, double seconds,
                      struct hone_error *err)
{
    double best = 0, spent = 0;
    while (spent < seconds) {
        const double one = pass(b, mode, NULL, err);
        if (one <= 0) return 0;
        if (best <= 0 || one < best) best = one;
        spent += one;
    }
    return best;
}

static void measure(const struct subject *subject, double seconds)
{
    struct bench b;
    struct hone_error err = {0};
    uint64_t lanes = 0;
    double plain = 0, checked = 0;
    if (open_bench(&b, subject, &err) == HONE_OK && pass(&b, COUNTED, &lanes, &err) > 0)
        plain = best_of(&b, PLAIN, seconds, &err);
    if (plain > 0) checked = best_of(&b, CHECKED, seconds, &err);
    if (checked > 0) {
        const double millions = (double)lanes / 1e6;
        printf("%-36s %8.1f M %9.1f ms %7.2f G/s %9.1f ms %7.2f G/s %7.1f\n",
               subject->name, millions, plain * 1e3, millions / plain / 1e3,
               checked * 1e3, millions / checked / 1e3, checked / plain);
    } else {
        printf("%-36s skipped: %s\n", subject->name, err.text);
    }
    fflush(stdout);
    close_bench(&b);
}

int main(int argc, char **argv)
{
    const double seconds = argc > 1 ? strtod(argv[1], NULL) : 1.0;
    struct utsname system;
    char date[32];
    const time_t now = time(NULL);
    strftime(date, sizeof date, "%Y-%m-%d", gmtime(&now));
    uname(&system);
    printf("hone %s, %s, %s %s, one of %ld cores\n\n", HONE_VERSION, date, system.sysname,
           system.machine, sysconf(_SC_NPROCESSORS_ONLN));
    printf("%-36s %10s %12s %11s %12s %11s %7s\n", "", "thread", "plain", "", "checked",
           "", "ratio");
    for (size_t i = 0; i < sizeof subjects / sizeof *subjects; i++)
        if (argc < 3 || strncmp(subjects[i].name, argv[2], strlen(argv[2])) == 0)
            measure(&subjects[i], seconds);
    return 0;
}
