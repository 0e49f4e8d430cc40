// The target of a script: measured by this process, or by workers of a pool. The tuner of
// a pool never touches a GPU: what a worker tells of its device takes the device's place.
#include <stdio.h>
#include <string.h>

#include "interrupt.h"
#include "pool/gpu_lock.h"
#include "tune.h"
#include "tuning/provenance.h"
#include "tuning/workers.h"

// Of launches in a row, as in Kernel Tuner's NVML observer: tens of the counter's steps.
static const double energy_ms = 1000;

static enum hone_status open_pool(struct tune *tune, struct hone_error *err)
{
    const struct tune_args *a = tune->args;
    const struct hone_builder_options builder = cli_builder_options(&a->build);
    struct hone_workers_options workers = {
        .device = a->script.device,
        .builder = &builder,
        .commands = a->workers.items,
        .command_count = a->workers.count,
        .clock = tune->clock,
        .no_wait = a->no_wait,
        .deadlines = {.launch_most = a->launch_deadline.seconds,
                      .build_most = a->build_deadline.seconds},
        .cancel = cli_interrupt_flag()};
    enum hone_status status = cli_program_path(&workers.program, err);
    return status == HONE_OK ? hone_workers_open(&tune->pool, &workers, err) : status;
}

static struct hone_evaluate_options make_options(const struct tune *tune)
{
    const struct tune_args *a = tune->args;
    struct hone_evaluate_options options = {
        .flags = (a->no_verify ? HONE_EVALUATE_NO_VERIFY : 0u) |
                 (a->no_race ? HONE_EVALUATE_NO_RACE : 0u),
        .policy = hone_time_policy_default,
        .data_seed = a->seed,
        .deadline_s = a->launch_deadline.seconds};
    options.policy.warm_cache = tune->warm_cache;
    options.objective = tune->objective;
    if (tune->objective) options.policy.energy_ms = energy_ms;
    return options;
}

// To the problem at hand, where there are several.
static enum hone_status turn(struct tune *tune, struct hone_error *err)
{
    const struct tune_part *part = tune->part;
    if (!part) return HONE_OK;
    return hone_workbench_turn(&tune->bench, part->problems->items[part->number].values,
                               err);
}

// What the objective needs: a counter of energy, and a count of operations.
static enum hone_status check_objective(const struct tune *tune,
                                        const struct hone_facts *facts,
                                        struct hone_error *err)
{
    const struct hone_kernel_def *def = hone_script_def(tune->bench.script);
    if (!tune->objective) return HONE_OK;
    if (!facts->counts_energy)
        return hone_fail(
            err, HONE_EUSAGE,
            "%s counts no energy, which --objective %s needs: a GPU with NVML "
            "does, from Volta on",
            facts->device_id, tune->args->objective);
    if (tune->objective == HONE_OBJECTIVE_FLOPS_PER_WATT && !def->work_flops)
        return hone_fail(err, HONE_EUSAGE,
                         "%s: --objective flops_per_watt needs the kernel's "
                         "work = { flops = ... }",
                         def->source);
    return HONE_OK;
}

static enum hone_status evaluate_there(struct tune *tune, struct hone_error *err)
{
    const struct tune_args *a = tune->args;
    struct hone_workbench *bench = &tune->bench;
    const struct hone_evaluate_options options = make_options(tune);
    const struct hone_pool_facts device = hone_pool_facts(tune->pool);
    struct hone_facts facts = {.limits = device.limits,
                               .device_id = device.device_id,
                               .driver = device.driver,
                               .clock = device.clock,
                               .counts_energy = device.counts_energy};
    enum hone_status status =
        cli_workbench_open_for(bench, a->words.items[0], &a->script, device.limits, err);
    if (status == HONE_OK) status = turn(tune, err);
    if (status == HONE_OK) status = hone_workbench_make_kernel(bench, err);
    if (status == HONE_OK) status = check_objective(tune, &facts, err);
    if (status == HONE_OK)
        status = hone_evaluator_pool(&tune->evaluator, &facts.nvrtc, tune->pool,
                                     bench->kernel, &options, err);
    facts.clock_note = hone_pool_facts(tune->pool).clock_note;
    if (status == HONE_OK)
        status = hone_provenance(&tune->info, &tune->arena, bench, &facts, &options, err);
    tune->predicts = device.clock == HONE_CLOCK_EMULATED;
    return status;
}

static enum hone_status evaluate_here(struct tune *tune, const char *device,
                                      struct hone_error *err)
{
    const struct tune_args *a = tune->args;
    struct hone_workbench *bench = &tune->bench;
    const struct hone_evaluate_options options = make_options(tune);
    struct cli_script_args script = a->script;
    script.device = device;
    enum hone_status status = cli_workbench_open(bench, a->words.items[0], &script, err);
    if (status == HONE_OK) status = turn(tune, err);
    if (status == HONE_OK && tune->part) bench->builder = *tune->part->builder;
    if (status == HONE_OK)
        status = cli_workbench_prepare(bench, device, tune->clock, &a->build, err);
    if (tune->part && bench->builder) *tune->part->builder = bench->builder;
    if (status == HONE_OK)
        status = hone_gpu_lock(&tune->gpu_lock, bench->device->uuid, !a->no_wait, err);
    if (status != HONE_OK) return status;
    struct hone_facts facts = hone_facts_of(bench);
    status = check_objective(tune, &facts, err);
    if (status != HONE_OK) return status;
    status = hone_evaluator_direct(&tune->evaluator, bench->kernel, bench->device,
                                   bench->builder, &options, err);
    if (status != HONE_OK) return status;
    facts = hone_facts_of(bench); // now with what the check of the clock found
    status = hone_provenance(&tune->info, &tune->arena, bench, &facts, &options, err);
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

static enum hone_status read_policy(struct tune *tune, struct hone_error *err)
{
    const char *l2 = tune->args->l2;
    tune->warm_cache = strcmp(l2, "warm") == 0;
    if (!tune->warm_cache && strcmp(l2, "cold") != 0)
        return hone_fail(err, HONE_EUSAGE, "--l2 wants cold or warm, got '%s'", l2);
    const char *sustained = tune->args->sustained;
    if (sustained && strcmp(sustained, "auto") != 0 && strcmp(sustained, "yes") != 0 &&
        strcmp(sustained, "no") != 0)
        return hone_fail(err, HONE_EUSAGE, "--sustained wants yes, no or auto, got '%s'",
                         sustained);
    if (hone_objective_parse(&tune->objective, tune->args->objective) != HONE_OK)
        return hone_fail(
            err, HONE_EUSAGE,
            "--objective wants time, energy, edp or flops_per_watt, got '%s'",
            tune->args->objective);
    return cli_parse_clock(&tune->clock, tune->args->clock, err);
}

enum hone_status tune_open_script(struct tune *tune, struct hone_error *err)
{
    enum hone_status status = read_policy(tune, err);
    if (status == HONE_OK) status = choose(tune, err);
    tune->space = tune->bench.space;
    if (status == HONE_OK && tune->args->calibrate) status = tune_calibrate(tune, err);
    return status;
}
