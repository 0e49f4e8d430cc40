// A script on a device: measured by this process, or by workers of a pool. The tuner of a
// pool never touches a GPU: what a worker tells of its device takes the device's place.
#include "target_script.h"

#include <stdio.h>
#include <string.h>

#include "pool/gpu_lock.h"
#include "tuning/provenance.h"
#include "tuning/workers.h"

// Launches in a row last so long, as in Kernel Tuner's NVML observer: tens of the
// counter's steps.
static const double energy_ms = 1000;

// Builds that problems share are kept in memory: some hundreds, of 50 to 500 KB each.
enum { SHARED_BYTES = 256 << 20 };

static struct hone_builder_options builder_options(const struct hone_target *target,
                                                   const struct hone_tuning_options *o)
{
    struct hone_builder_options builder = o->builder;
    if (!builder.cancel) builder.cancel = o->cancel;
    if (target->shared) builder.memory_bytes = SHARED_BYTES;
    return builder;
}

static struct hone_script_options script_options(const struct hone_tuning_options *o,
                                                 const struct hone_limits *limits)
{
    return (struct hone_script_options){.limits = limits,
                                        .set = o->set,
                                        .set_count = o->set_count,
                                        .max_instructions = o->max_instructions,
                                        .max_memory_bytes = o->max_memory_bytes,
                                        .allow_io = o->allow_io,
                                        .template_path = o->template_path,
                                        .template_path_count = o->template_path_count};
}

static struct hone_evaluate_options evaluate_options(const struct hone_tuning_options *o)
{
    struct hone_evaluate_options options = {
        .flags = (o->no_verify ? HONE_EVALUATE_NO_VERIFY : 0u) |
                 (o->no_race ? HONE_EVALUATE_NO_RACE : 0u),
        .policy = hone_time_policy_default,
        .objective = o->objective,
        .data_seed = o->seed,
        .deadline_s = o->deadlines.launch_most};
    options.policy.warm_cache = o->warm_cache;
    if (o->objective) options.policy.energy_ms = energy_ms;
    return options;
}

enum hone_status hone_target_load_script(struct hone_workbench *bench,
                                         const struct hone_tuning_options *options,
                                         const char *device, struct hone_error *err)
{
    struct hone_limits limits;
    enum hone_status status = hone_device_limits(&limits, device, err);
    if (status != HONE_OK) return status;
    const struct hone_script_options script = script_options(options, &limits);
    return hone_workbench_load(bench, options->script, &script, err);
}

// Script and space for these limits, of the problem at hand.
static enum hone_status open_bench(struct hone_target *target,
                                   const struct hone_tuning_options *options,
                                   const struct hone_value *sizes,
                                   const struct hone_limits *limits,
                                   struct hone_error *err)
{
    const struct hone_script_options script = script_options(options, limits);
    return hone_workbench_open_at(&target->bench, options->script, &script, sizes, err);
}

// What the objective needs: a counter of energy, and a count of operations.
static enum hone_status check_objective(const struct hone_target *target,
                                        const struct hone_tuning_options *options,
                                        const struct hone_facts *facts,
                                        struct hone_error *err)
{
    const struct hone_kernel_def *def = hone_script_def(target->bench.script);
    if (!options->objective) return HONE_OK;
    if (!facts->counts_energy)
        return hone_fail(
            err, HONE_EUSAGE,
            "%s counts no energy, which --objective %s needs: a GPU with NVML "
            "does, from Volta on",
            facts->device_id, hone_objective_name(options->objective));
    if (options->objective == HONE_OBJECTIVE_FLOPS_PER_WATT && !def->work_flops)
        return hone_fail(err, HONE_EUSAGE,
                         "%s: --objective flops_per_watt needs the kernel's "
                         "work = { flops = ... }",
                         def->source);
    return HONE_OK;
}

static enum hone_status open_pool(struct hone_target *target,
                                  const struct hone_tuning_options *o, const char *device,
                                  struct hone_error *err)
{
    const struct hone_workers_options workers = {.device = device,
                                                 .program = o->program,
                                                 .builder = &o->builder,
                                                 .commands = o->workers,
                                                 .command_count = o->worker_count,
                                                 .clock = o->clock,
                                                 .no_wait = o->no_wait,
                                                 .deadlines = o->deadlines,
                                                 .cancel = o->cancel};
    return hone_workers_open(&target->pool, &workers, err);
}

static enum hone_status evaluate_there(struct hone_target *target,
                                       const struct hone_tuning_options *options,
                                       const struct hone_value *sizes,
                                       struct hone_error *err)
{
    struct hone_workbench *bench = &target->bench;
    const struct hone_evaluate_options evaluate = evaluate_options(options);
    const struct hone_pool_facts device = hone_pool_facts(target->pool);
    struct hone_facts facts = {.limits = device.limits,
                               .device_id = device.device_id,
                               .driver = device.driver,
                               .clock = device.clock,
                               .counts_energy = device.counts_energy};
    enum hone_status status = open_bench(target, options, sizes, device.limits, err);
    if (status == HONE_OK) status = hone_workbench_make_kernel(bench, err);
    if (status == HONE_OK) status = check_objective(target, options, &facts, err);
    if (status == HONE_OK)
        status = hone_evaluator_pool(&target->evaluator, &facts.nvrtc, target->pool,
                                     bench->kernel, &evaluate, err);
    facts.clock_note = hone_pool_facts(target->pool).clock_note;
    if (status == HONE_OK)
        status =
            hone_provenance(&target->info, &target->arena, bench, &facts, &evaluate, err);
    target->predicts = target->info.times == HONE_TIME_PREDICTED;
    return status;
}

static enum hone_status open_device(struct hone_target *target,
                                    const struct hone_tuning_options *options,
                                    const char *device, struct hone_error *err)
{
    struct hone_workbench *bench = &target->bench;
    const struct hone_builder_options builder = builder_options(target, options);
    if (target->shared) bench->builder = *target->shared;
    enum hone_status status =
        hone_workbench_prepare(bench, device, options->clock, &builder, err);
    if (target->shared && bench->builder) *target->shared = bench->builder;
    if (bench->device) bench->device->cancel = options->cancel;
    if (status != HONE_OK) return status;
    return hone_gpu_lock(&target->gpu_lock, bench->device->uuid, !options->no_wait,
                         options->cancel, err);
}

static enum hone_status evaluate_here(struct hone_target *target,
                                      const struct hone_tuning_options *options,
                                      const char *device, const struct hone_value *sizes,
                                      struct hone_error *err)
{
    struct hone_workbench *bench = &target->bench;
    const struct hone_evaluate_options evaluate = evaluate_options(options);
    struct hone_limits limits;
    enum hone_status status = hone_device_limits(&limits, device, err);
    if (status == HONE_OK) status = open_bench(target, options, sizes, &limits, err);
    if (status == HONE_OK) status = open_device(target, options, device, err);
    if (status != HONE_OK) return status;
    struct hone_facts facts = hone_facts_of(bench);
    status = check_objective(target, options, &facts, err);
    if (status != HONE_OK) return status;
    status = hone_evaluator_direct(&target->evaluator, bench->kernel, bench->device,
                                   bench->builder, &evaluate, err);
    if (status != HONE_OK) return status;
    facts = hone_facts_of(bench); // now with what the check of the clock found
    status =
        hone_provenance(&target->info, &target->arena, bench, &facts, &evaluate, err);
    target->predicts = target->info.times == HONE_TIME_PREDICTED;
    return status;
}

// An emulated kernel cannot hurt its process: it is isolated on request only.
static enum hone_status choose_place(struct hone_target *target,
                                     const struct hone_tuning_options *options,
                                     const struct hone_value *sizes,
                                     struct hone_error *err)
{
    const char *device = options->device ? options->device : "auto";
    const bool automatic = options->isolate == HONE_WISH_AUTO;
    const bool many = options->worker_count || strchr(device, ',');
    if (options->isolate == HONE_WISH_NO && many)
        return hone_fail(err, HONE_EUSAGE, "--isolate no is for one device, and here");
    if (options->isolate == HONE_WISH_NO ||
        (automatic && !many && (!options->program || hone_device_is_emulated(device))))
        return evaluate_here(target, options, device, sizes, err);
    enum hone_status status = open_pool(target, options, device, err);
    if (status != HONE_OK) return status;
    const struct hone_pool_facts facts = hone_pool_facts(target->pool);
    if (!automatic || many || facts.clock != HONE_CLOCK_EMULATED)
        return evaluate_there(target, options, sizes, err);
    char id[64]; // what auto turned out to be
    snprintf(id, sizeof id, "%s", facts.device_id);
    hone_pool_close(target->pool);
    target->pool = NULL;
    return evaluate_here(target, options, id, sizes, err);
}

enum hone_status hone_target_open_script(struct hone_target *target,
                                         const struct hone_tuning_options *options,
                                         const struct hone_value *sizes,
                                         struct hone_error *err)
{
    enum hone_status status = choose_place(target, options, sizes, err);
    target->space = target->bench.space;
    return status;
}
