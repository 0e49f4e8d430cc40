// The devices that hone check runs on: a GPU by itself, of an emulated one as many as
// there are threads.
#include <stdlib.h>

#include "check.h"

enum { MEMBERS_MAX = 16, LOOKAHEAD = 2 };

static size_t member_count(const struct hone_workbench *bench)
{
    const size_t threads = hone_builder_threads(bench->builder);
    if (bench->device->clock != HONE_CLOCK_EMULATED) return 1;
    return threads < MEMBERS_MAX ? threads : MEMBERS_MAX;
}

// Members 1 and on say nothing of what member 0 has warned of: that nothing is verified.
static struct hone_evaluate_options quiet_options(const struct hone_workbench *bench,
                                                  struct hone_evaluate_options options)
{
    if (!hone_kernel_get_def(bench->kernel)->reference.template_path)
        options.flags |= HONE_EVALUATE_NO_VERIFY;
    return options;
}

static enum hone_status open_members(struct check_crew *crew,
                                     const struct hone_workbench *bench,
                                     const struct hone_evaluate_options *options,
                                     struct hone_evaluator **members, size_t count,
                                     struct hone_error *err)
{
    const struct hone_evaluate_options others = quiet_options(bench, *options);
    enum hone_status status = hone_evaluator_direct(
        &members[0], bench->kernel, bench->device, bench->builder, options, err);
    for (size_t i = 1; status == HONE_OK && i < count; i++) {
        struct hone_device **device = &crew->devices[crew->device_count];
        status = hone_device_open(device, bench->device->id, err);
        if (status != HONE_OK) break;
        crew->device_count++;
        status = hone_evaluator_direct(&members[i], bench->kernel, *device,
                                       bench->builder, &others, err);
    }
    return status;
}

enum hone_status check_crew_open(struct check_crew *crew,
                                 const struct hone_workbench *bench,
                                 const struct hone_evaluate_options *options,
                                 struct hone_error *err)
{
    const size_t count = member_count(bench);
    struct hone_evaluate_options ahead = *options;
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

void check_crew_close(struct check_crew *crew)
{
    hone_evaluator_close(crew->evaluator);
    for (size_t i = 0; i < crew->device_count; i++)
        hone_device_close(crew->devices[i]);
    free(crew->devices);
    *crew = (struct check_crew){0};
}
