// Answers from a recording, one configuration at a time: as a device that needs no time
// would.
#include <assert.h>

#include "evaluate/evaluator.h"

struct replay {
    const struct hone_recording *recording;
    uint64_t index;
    bool busy;
};

static size_t replay_capacity(struct hone_evaluator *evaluator)
{
    (void)evaluator;
    return 1;
}

static enum hone_status replay_submit(struct hone_evaluator *evaluator, uint64_t index,
                                      struct hone_error *err)
{
    (void)err;
    struct replay *replay = evaluator->priv;
    assert(!replay->busy);
    replay->index = index;
    replay->busy = true;
    return HONE_OK;
}

static enum hone_status replay_wait(struct hone_evaluator *evaluator,
                                    struct hone_trial *out, size_t cap, size_t *count,
                                    struct hone_error *err)
{
    (void)err;
    struct replay *replay = evaluator->priv;
    *count = replay->busy && cap;
    if (!*count) return HONE_OK;
    const struct hone_trial *trial =
        hone_recording_find(replay->recording, replay->index);
    *out = trial ? *trial : hone_trial_make(replay->index, HONE_REJECTED);
    if (!trial) out->reason = "not in the recording";
    replay->busy = false;
    return HONE_OK;
}

static void replay_close(struct hone_evaluator *evaluator)
{
    (void)evaluator;
}

static const struct hone_evaluator_fns replay_fns = {
    .name = "replay",
    .priv_size = sizeof(struct replay),
    .capacity = replay_capacity,
    .submit = replay_submit,
    .wait = replay_wait,
    .close = replay_close,
};

enum hone_status hone_evaluator_replay(struct hone_evaluator **out,
                                       const struct hone_recording *recording,
                                       struct hone_error *err)
{
    enum hone_status status = hone_evaluator_make(out, &replay_fns, err);
    if (status == HONE_OK)
        *(struct replay *)(*out)->priv = (struct replay){.recording = recording};
    return status;
}
