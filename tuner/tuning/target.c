#include "tuning/target.h"

#include <assert.h>
#include <string.h>
#include <unistd.h>

#include "target_script.h"
#include "tuning/parts.h"

const char *hone_replay_path(const struct hone_tuning_options *options)
{
    static const char prefix[] = "replay:";
    const size_t len = sizeof prefix - 1;
    const char *device = options->device;
    return device && strncmp(device, prefix, len) == 0 ? device + len : NULL;
}

static enum hone_status open_replay(struct hone_target *target,
                                    const struct hone_tuning_options *options,
                                    const char *path, struct hone_error *err)
{
    const struct hone_recording *part = NULL;
    enum hone_status status = hone_recording_load_noted(&target->recording, path, err);
    if (status == HONE_OK)
        status =
            hone_part_of(&part, target->recording, options->set, options->set_count, err);
    if (status != HONE_OK) return status;
    target->space = hone_recording_space(part);
    target->info = *hone_recording_info(part);
    target->info.problems_count = 0;
    target->info.complete = false;
    target->predicts = target->info.times == HONE_TIME_PREDICTED;
    return hone_evaluator_replay(&target->evaluator, part, err);
}

enum hone_status hone_target_open(struct hone_target *target,
                                  const struct hone_tuning_options *options,
                                  const struct hone_value *sizes,
                                  struct hone_builder **shared, struct hone_error *err)
{
    *target = (struct hone_target){.gpu_lock = -1, .shared = shared};
    const char *recording = hone_replay_path(options);
    assert(recording || options->script);
    assert(!recording || (!sizes && !shared));
    if (recording) return open_replay(target, options, recording, err);
    enum hone_status status = hone_target_open_script(target, options, sizes, err);
    if (status == HONE_OK && options->calibrate)
        status = hone_target_calibrate(target, options, err);
    return status;
}

void hone_target_close(struct hone_target *target)
{
    hone_evaluator_close(target->evaluator);
    hone_pool_close(target->pool);
    if (target->gpu_lock >= 0) close(target->gpu_lock);
    hone_recording_free(target->recording);
    if (target->shared) target->bench.builder = NULL;
    hone_workbench_close(&target->bench);
    hone_arena_fini(&target->arena);
    *target = (struct hone_target){.gpu_lock = -1};
}
