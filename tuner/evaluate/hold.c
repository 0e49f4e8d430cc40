// A builder shares a build among equal requests until the last of its tickets is taken: a
// ticket that nobody takes keeps it.
#include "evaluate/hold.h"

#include <stdlib.h>

#include "estimated.h"

enum hone_status hone_hold_builds(struct hone_hold *hold,
                                  const struct hone_candidate *candidate,
                                  struct hone_builder *builder, const char *arch,
                                  struct hone_error *err)
{
    enum hone_status status = HONE_OK;
    *hold = (struct hone_hold){.tickets = calloc(candidate->count + 1, sizeof(uint64_t))};
    if (!hold->tickets) return hone_no_memory(err, "for builds to be kept");
    for (size_t i = 0; status == HONE_OK && i < candidate->count; i++) {
        const struct hone_variant *variant = &candidate->variants[i];
        if (!variant->queued) continue;
        status = hone_estimate_queue(&variant->job, builder, arch,
                                     &hold->tickets[hold->count], err);
        hold->count += status == HONE_OK;
    }
    if (status != HONE_OK || !hold->count) hone_hold_release(hold, builder);
    return status;
}

void hone_hold_release(struct hone_hold *hold, struct hone_builder *builder)
{
    for (size_t i = 0; i < hold->count; i++) {
        const struct hone_build *build = NULL;
        hone_builder_take(builder, hold->tickets[i], &build, NULL);
        if (build) hone_build_release(build);
    }
    free(hold->tickets);
    *hold = (struct hone_hold){0};
}
