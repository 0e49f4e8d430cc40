// What a template lacks, by what its default configuration shows.
#include <assert.h>

#include "tuning/verification.h"

static enum hone_status add_unwritten(struct hone_lapses *lapses,
                                      const struct hone_trial *trial,
                                      struct hone_error *err)
{
    const int32_t unwritten = hone_trial_unwritten_shared(trial);
    if (!unwritten) return HONE_OK;
    return hone_lapses_add(lapses, HONE_LAPSE_SHARED_UNWRITTEN, err,
                           "the last %d of %d bytes of dynamic shared memory are not "
                           "written at any size of verify: launch.shared asks for too "
                           "much, or these are too small",
                           (int)unwritten, (int)trial->resources.dynamic_shared_bytes);
}

enum hone_status hone_verification_lint(struct hone_lapses *lapses,
                                        const struct hone_verification *v,
                                        struct hone_error *err)
{
    assert(v->options->only_default && v->done);
    enum hone_status status =
        hone_template_lint(lapses, v->bench.kernel, v->indices[0], v->bench.builder,
                           v->bench.limits.arch, err);
    return status == HONE_OK ? add_unwritten(lapses, &v->trials[0], err) : status;
}
