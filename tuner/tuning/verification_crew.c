// Where it is verified: on a GPU in a worker, so that a kernel that faults costs its
// configuration alone; of an emulated one here, as many as there are threads.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tuning/journal_settings.h"
#include "tuning/workers.h"
#include "verification_parts.h"

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

static enum hone_status open_members(struct hone_verification_crew *crew,
                                     const struct hone_workbench *bench,
                                     const volatile sig_atomic_t *cancel,
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
        (*device)->cancel = cancel;
        status = hone_evaluator_direct(&members[i], bench->kernel, *device,
                                       bench->builder, &others, err);
    }
    return status;
}

static enum hone_status open_crew(struct hone_verification *v,
                                  const struct hone_evaluate_options *options,
                                  struct hone_error *err)
{
    struct hone_verification_crew *crew = &v->crew;
    const struct hone_workbench *bench = &v->bench;
    const size_t count = member_count(bench, v->count);
    struct hone_evaluate_options ahead = *options;
    ahead.first = v->count ? v->indices : NULL;
    if (count > 1) ahead.lookahead = LOOKAHEAD;
    struct hone_evaluator **members = calloc(count, sizeof *members);
    crew->devices = calloc(count, sizeof *crew->devices);
    if (!members || !crew->devices) {
        free(members);
        return hone_no_memory(err, "for %zu devices", count);
    }
    enum hone_status status =
        open_members(crew, bench, v->options->cancel, &ahead, members, count, err);
    if (status == HONE_OK && count == 1)
        crew->evaluator = members[0];
    else if (status == HONE_OK)
        status = hone_evaluator_crew(&crew->evaluator, members, count, err);
    for (size_t i = 0; status != HONE_OK && i < count; i++)
        hone_evaluator_close(members[i]);
    free(members);
    return status;
}

// At the journal's problem, where results are to be the same; otherwise at the script's.
static enum hone_status open_space(struct hone_verification *v,
                                   const struct hone_limits *limits,
                                   struct hone_error *err)
{
    struct hone_script_options script = *v->options->script_options;
    const struct hone_record_info *like =
        v->same.recording ? hone_recording_info(v->same.recording) : NULL;
    struct hone_journal_settings settings;
    enum hone_status status =
        hone_journal_settings_new(&settings, like, script.set_count, err);
    if (status == HONE_OK) {
        if (script.set_count)
            memcpy(settings.set + settings.count, script.set,
                   script.set_count * sizeof *script.set);
        script.limits = limits;
        script.set = settings.set;
        script.set_count += settings.count;
        status = hone_workbench_open(&v->bench, v->options->script, &script, err);
    }
    hone_journal_settings_free(&settings);
    return status;
}

enum hone_status hone_verification_bench_open(struct hone_verification *v,
                                              const char *device, struct hone_error *err)
{
    const volatile sig_atomic_t *cancel = v->options->cancel;
    struct hone_builder_options builder = v->options->builder;
    struct hone_limits limits;
    builder.cancel = cancel;
    enum hone_status status = hone_device_limits(&limits, device, err);
    if (status == HONE_OK) status = open_space(v, &limits, err);
    if (status == HONE_OK)
        status =
            hone_workbench_prepare(&v->bench, device, HONE_CLOCK_NONE, &builder, err);
    if (v->bench.device) v->bench.device->cancel = cancel;
    return status;
}

static enum hone_status open_here(struct hone_verification *v, const char *device,
                                  struct hone_evaluate_options *options,
                                  struct hone_error *err)
{
    enum hone_status status = hone_verification_bench_open(v, device, err);
    if (status != HONE_OK) return status;
    v->crew.device = v->bench.device->id;
    status = hone_verification_choose(v, err);
    if (status == HONE_OK) status = hone_verification_same_sizes(v, options, err);
    return status == HONE_OK ? open_crew(v, options, err) : status;
}

static enum hone_status open_there(struct hone_verification *v,
                                   struct hone_evaluate_options *options,
                                   struct hone_error *err)
{
    const struct hone_pool_facts facts = hone_pool_facts(v->crew.pool);
    const char *nvrtc;
    v->crew.device = facts.device_id;
    enum hone_status status = open_space(v, facts.limits, err);
    if (status == HONE_OK) status = hone_workbench_make_kernel(&v->bench, err);
    if (status == HONE_OK) status = hone_verification_choose(v, err);
    if (status == HONE_OK) status = hone_verification_same_sizes(v, options, err);
    if (status != HONE_OK) return status;
    return hone_evaluator_pool(&v->crew.evaluator, &nvrtc, v->crew.pool, v->bench.kernel,
                               options, err);
}

enum hone_status hone_verification_crew_open(struct hone_verification *v,
                                             struct hone_evaluate_options *options,
                                             struct hone_error *err)
{
    const struct hone_verification_options *o = v->options;
    if (o->only_default || hone_device_is_emulated(o->device))
        return open_here(v, o->device, options, err);
    const struct hone_workers_options workers = {
        .device = o->device,
        .program = o->program,
        .builder = &o->builder,
        .deadlines = {.launch_most = o->launch_deadline_s},
        .cancel = o->cancel};
    enum hone_status status = hone_workers_open(&v->crew.pool, &workers, err);
    if (status != HONE_OK) return status;
    const struct hone_pool_facts facts = hone_pool_facts(v->crew.pool);
    if (facts.clock != HONE_CLOCK_EMULATED) return open_there(v, options, err);
    char id[64]; // what auto turned out to be
    snprintf(id, sizeof id, "%s", facts.device_id);
    hone_pool_close(v->crew.pool);
    v->crew.pool = NULL;
    return open_here(v, id, options, err);
}

void hone_verification_crew_close(struct hone_verification_crew *crew)
{
    hone_evaluator_close(crew->evaluator);
    hone_pool_close(crew->pool);
    for (size_t i = 0; i < crew->device_count; i++)
        hone_device_close(crew->devices[i]);
    free(crew->devices);
    *crew = (struct hone_verification_crew){0};
}
