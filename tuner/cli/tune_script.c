// The target of a script: measured by this process, or by workers of a pool. The tuner of
// a pool never touches a GPU: what a worker tells of its device takes the device's place.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gpu_lock.h"
#include "provenance.h"
#include "subprocess.h"
#include "tune.h"

enum { LOCAL_WORDS = 8 };

// The commands of the pool: a worker of this program for each device, then --worker's.
struct commands {
    struct hone_worker_command *items;
    size_t count;
    char ***split; // owned words of --worker, as many as the list has
    size_t split_count;
    char threads[32];
    char *names; // of the devices, separated by NUL
    const char *(*local)[LOCAL_WORDS];
    char self[4096];
};

static void commands_fini(struct commands *c)
{
    for (size_t i = 0; i < c->split_count; i++)
        free(c->split[i]);
    free(c->split);
    free(c->items);
    free(c->names);
    free(c->local);
}

static void add_local(struct commands *c, const struct tune_args *a, const char *device)
{
    const char **argv = c->local[c->count];
    size_t n = 0;
    argv[n++] = c->self;
    argv[n++] = "worker";
    argv[n++] = "--device";
    argv[n++] = device;
    argv[n++] = c->threads;
    if (a->build.cache) {
        argv[n++] = "--cache";
        argv[n++] = a->build.cache;
    }
    argv[n] = NULL;
    c->items[c->count++] =
        (struct hone_worker_command){.argv = argv, .name = device, .local = true};
}

static enum hone_status add_workers(struct commands *c, const struct cli_list *workers,
                                    struct hone_error *err)
{
    enum hone_status status = HONE_OK;
    for (size_t i = 0; status == HONE_OK && i < workers->count; i++) {
        status = hone_command_split(&c->split[i], workers->items[i], err);
        if (status != HONE_OK) break;
        c->split_count++;
        const char *const *argv; // the words are only read
        memcpy(&argv, &c->split[i], sizeof argv);
        c->items[c->count++] =
            (struct hone_worker_command){.argv = argv, .name = workers->items[i]};
    }
    return status;
}

// --worker alone means those and no worker here.
static enum hone_status make_commands(struct commands *c, const struct tune_args *a,
                                      struct hone_error *err)
{
    const size_t workers = a->workers.count;
    const bool here = !workers || strcmp(a->script.device, "auto") != 0;
    size_t devices = 1;
    for (const char *p = a->script.device; *p; p++)
        devices += *p == ',';
    c->names = strdup(a->script.device);
    c->items = calloc(devices + workers, sizeof *c->items);
    c->local = calloc(devices, sizeof *c->local);
    c->split = calloc(workers + 1, sizeof *c->split);
    if (!c->names || !c->items || !c->local || !c->split)
        return hone_fail(err, HONE_ENOMEM, "out of memory for workers");
    const ssize_t n = readlink("/proc/self/exe", c->self, sizeof c->self - 1);
    if (n < 0) return hone_fail(err, HONE_EIO, "cannot find this program's file");
    snprintf(c->threads, sizeof c->threads, "--threads=%llu",
             (unsigned long long)a->build.threads);
    char *rest = NULL;
    for (char *name = strtok_r(c->names, ",", &rest); here && name;
         name = strtok_r(NULL, ",", &rest))
        add_local(c, a, name);
    return add_workers(c, &a->workers, err);
}

static enum hone_status open_pool(struct tune *tune, struct hone_error *err)
{
    const struct tune_args *a = tune->args;
    struct commands commands = {0};
    enum hone_status status = make_commands(&commands, a, err);
    const struct hone_pool_options options = {
        .commands = commands.items,
        .count = commands.count,
        .no_wait = a->no_wait,
        .deadlines = {.launch_most = a->launch_deadline.seconds,
                      .build_most = a->build_deadline.seconds}};
    if (status == HONE_OK) status = hone_pool_open(&tune->pool, &options, err);
    commands_fini(&commands);
    return status;
}

static struct hone_evaluate_options make_options(const struct tune_args *a)
{
    struct hone_evaluate_options options = {
        .flags = a->no_verify ? HONE_EVALUATE_NO_VERIFY : 0,
        .policy = hone_time_policy_default,
        .data_seed = a->seed,
        .deadline_s = a->launch_deadline.seconds};
    options.policy.warm_cache = a->warm_cache;
    return options;
}

static enum hone_status evaluate_there(struct tune *tune, struct hone_error *err)
{
    const struct tune_args *a = tune->args;
    struct cli_workbench *bench = &tune->bench;
    const struct hone_evaluate_options options = make_options(a);
    const struct hone_pool_facts device = hone_pool_facts(tune->pool);
    struct cli_facts facts = {.limits = device.limits,
                              .device_id = device.device_id,
                              .driver = device.driver,
                              .clock = device.clock};
    enum hone_status status =
        cli_workbench_open_for(bench, a->words.items[0], &a->script, device.limits, err);
    if (status == HONE_OK) status = cli_workbench_make_kernel(bench, err);
    if (status == HONE_OK)
        status = hone_evaluator_pool(&tune->evaluator, &facts.nvrtc, tune->pool,
                                     bench->kernel, &options, err);
    if (status == HONE_OK)
        status = cli_provenance(&tune->info, &tune->arena, bench, &facts, &options, err);
    tune->predicts = device.clock == HONE_CLOCK_EMULATED;
    return status;
}

static enum hone_status evaluate_here(struct tune *tune, const char *device,
                                      struct hone_error *err)
{
    const struct tune_args *a = tune->args;
    struct cli_workbench *bench = &tune->bench;
    const struct hone_evaluate_options options = make_options(a);
    struct cli_script_args script = a->script;
    script.device = device;
    enum hone_status status = cli_workbench_open(bench, a->words.items[0], &script, err);
    if (status == HONE_OK) status = cli_workbench_prepare(bench, device, &a->build, err);
    if (status == HONE_OK)
        status = hone_gpu_lock(&tune->gpu_lock, bench->device->uuid, !a->no_wait, err);
    if (status != HONE_OK) return status;
    const struct cli_facts facts = cli_facts_of(bench);
    status = cli_provenance(&tune->info, &tune->arena, bench, &facts, &options, err);
    if (status == HONE_OK)
        status = hone_evaluator_direct(&tune->evaluator, bench->kernel, bench->device,
                                       bench->builder, &options, err);
    tune->predicts = facts.clock == HONE_CLOCK_EMULATED;
    return status;
}

// An emulated kernel cannot hurt its process: it is isolated on request only.
static enum hone_status choose(struct tune *tune, struct hone_error *err)
{
    const struct tune_args *a = tune->args;
    const char *device = a->script.device;
    const bool automatic = strcmp(a->isolate, "auto") == 0;
    const bool many = a->workers.count || strchr(device, ',');
    if (!automatic && strcmp(a->isolate, "yes") != 0 && strcmp(a->isolate, "no") != 0)
        return hone_fail(err, HONE_EUSAGE, "--isolate wants yes, no or auto, got '%s'",
                         a->isolate);
    if (strcmp(a->isolate, "no") == 0 && many)
        return hone_fail(err, HONE_EUSAGE, "--isolate no is for one device, and here");
    if (strcmp(a->isolate, "no") == 0 ||
        (automatic && !many && strncmp(device, "emu:", 4) == 0))
        return evaluate_here(tune, device, err);
    enum hone_status status = open_pool(tune, err);
    if (status != HONE_OK) return status;
    const struct hone_pool_facts facts = hone_pool_facts(tune->pool);
    if (!automatic || many || facts.clock != HONE_CLOCK_EMULATED)
        return evaluate_there(tune, err);
    char id[64]; // what auto turned out to be
    snprintf(id, sizeof id, "%s", facts.device_id);
    hone_pool_close(tune->pool);
    tune->pool = NULL;
    return evaluate_here(tune, id, err);
}

enum hone_status tune_open_script(struct tune *tune, struct hone_error *err)
{
    enum hone_status status = choose(tune, err);
    tune->space = tune->bench.space;
    if (status == HONE_OK && tune->args->calibrate) status = tune_calibrate(tune, err);
    return status;
}
