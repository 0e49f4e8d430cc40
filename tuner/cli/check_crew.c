// Where hone check runs: on a GPU in a worker, so that a kernel that faults costs its
// configuration alone; of an emulated one here, as many as there are threads.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check_command.h"
#include "interrupt.h"
#include "tuning/workers.h"

enum { MEMBERS_MAX = 16, LOOKAHEAD = 2 };

// Each runs the references anew: no more than there are configurations.
static size_t member_count(const struct hone_workbench *bench, size_t configurations)
{
    size_t count = hone_builder_threads(bench->builder);
    if (count > MEMBERS_MAX) count = MEMBERS_MAX;
    if (count > configurations) count = configurations;
    return bench->device->clock == HONE_CLOCK_EMULATED && count ? count : 1;
}

// Members 1 and on say nothing of what member 0 has warned of: that no value is judged.
static struct hone_evaluate_options quiet_options(const struct hone_workbench *bench,
                                                  struct hone_evaluate_options options)
{
    if (!hone_kernel_get_def(bench->kernel)->reference.template_path)
        options.flags |= HONE_EVALUATE_QUIET;
    return options;
}

static enum hone_status open_members(struct check_crew *crew,
                                     const struct hone_workbench *bench,
                                     const struct hone_evaluate_options *options,
                                     struct hone_evaluator **members, size_t count,
                                     struct hone_error *err)
{
    struct hone_evaluate_options others = quiet_options(bench, *options);
    others.first = NULL; // the crew gives its first configuration to member 0
    enum hone_status status = hone_evaluator_direct(
        &members[0], bench->kernel, bench->device, bench->builder, options, err);
    for (size_t i = 1; status == HONE_OK && i < count; i++) {
        struct hone_device **device = &crew->devices[crew->device_count];
        status = hone_device_open(device, bench->device->id, err);
        if (status != HONE_OK) break;
        crew->device_count++;
        (*device)->cancel = cli_interrupt_flag();
        status = hone_evaluator_direct(&members[i], bench->kernel, *device,
                                       bench->builder, &others, err);
    }
    return status;
}

static enum hone_status open_crew(struct check *c,
                                  const struct hone_evaluate_options *options,
                                  struct hone_error *err)
{
    struct check_crew *crew = &c->crew;
    const struct hone_workbench *bench = &c->bench;
    const size_t count = member_count(bench, c->count);
    struct hone_evaluate_options ahead = *options;
    ahead.first = c->count ? c->indices : NULL;
    if (count > 1) ahead.lookahead = LOOKAHEAD;
    struct hone_evaluator **members = calloc(count, sizeof *members);
    crew->devices = calloc(count, sizeof *crew->devices);
    if (!members || !crew->devices) {
        free(members);
        return hone_fail(err, HONE_ENOMEM, "out of memory for %zu devices", count);
    }
    enum hone_status status = open_members(crew, bench, &ahead, members, count, err);
    if (status == HONE_OK && count == 1)
        crew->evaluator = members[0];
    else if (status == HONE_OK)
        status = hone_evaluator_crew(&crew->evaluator, members, count, err);
    for (size_t i = 0; status != HONE_OK && i < count; i++)
        hone_evaluator_close(members[i]);
    free(members);
    return status;
}

// Of the journal's problem, where results are to be the same.
static struct cli_script_args script_args(const struct check *c)
{
    struct cli_script_args args = c->args->script;
    if (c->same.recording) args.like = hone_recording_info(c->same.recording);
    return args;
}

static enum hone_status open_here(struct check *c, const char *device,
                                  struct hone_evaluate_options *options,
                                  struct hone_error *err)
{
    const struct check_args *a = c->args;
    struct cli_script_args script = script_args(c);
    script.device = device;
    enum hone_status status =
        cli_workbench_open(&c->bench, a->words.items[0], &script, err);
    if (status == HONE_OK)
        status =
            cli_workbench_prepare(&c->bench, device, HONE_CLOCK_NONE, &a->build, err);
    if (status != HONE_OK) return status;
    c->crew.device = c->bench.device->id;
    status = check_choose(c, err);
    if (status == HONE_OK) status = check_same_sizes(c, options, err);
    return status == HONE_OK ? open_crew(c, options, err) : status;
}

static enum hone_status open_there(struct check *c, struct hone_evaluate_options *options,
                                   struct hone_error *err)
{
    const struct check_args *a = c->args;
    const struct hone_pool_facts facts = hone_pool_facts(c->crew.pool);
    const char *nvrtc;
    const struct cli_script_args script = script_args(c);
    c->crew.device = facts.device_id;
    enum hone_status status =
        cli_workbench_open_for(&c->bench, a->words.items[0], &script, facts.limits, err);
    if (status == HONE_OK) status = hone_workbench_make_kernel(&c->bench, err);
    if (status == HONE_OK) status = check_choose(c, err);
    if (status == HONE_OK) status = check_same_sizes(c, options, err);
    if (status != HONE_OK) return status;
    return hone_evaluator_pool(&c->crew.evaluator, &nvrtc, c->crew.pool, c->bench.kernel,
                               options, err);
}

// What lint judges is built here.
enum hone_status check_crew_open(struct check *c, struct hone_evaluate_options *options,
                                 struct hone_error *err)
{
    const struct check_args *a = c->args;
    const char *device = a->script.device;
    if (a->lint || strncmp(device, "emu:", 4) == 0)
        return open_here(c, device, options, err);
    const struct hone_builder_options builder = cli_builder_options(&a->build);
    struct hone_workers_options workers = {
        .device = device,
        .builder = &builder,
        .deadlines = {.launch_most = a->launch_deadline.seconds},
        .cancel = cli_interrupt_flag()};
    enum hone_status status = cli_limit_host_memory(&a->script, err);
    if (status == HONE_OK) status = cli_program_path(&workers.program, err);
    if (status == HONE_OK) status = hone_workers_open(&c->crew.pool, &workers, err);
    if (status != HONE_OK) return status;
    const struct hone_pool_facts facts = hone_pool_facts(c->crew.pool);
    if (facts.clock != HONE_CLOCK_EMULATED) return open_there(c, options, err);
    char id[64]; // what auto turned out to be
    snprintf(id, sizeof id, "%s", facts.device_id);
    hone_pool_close(c->crew.pool);
    c->crew.pool = NULL;
    return open_here(c, id, options, err);
}

void check_crew_close(struct check_crew *crew)
{
    hone_evaluator_close(crew->evaluator);
    hone_pool_close(crew->pool);
    for (size_t i = 0; i < crew->device_count; i++)
        hone_device_close(crew->devices[i]);
    free(crew->devices);
    *crew = (struct check_crew){0};
}
