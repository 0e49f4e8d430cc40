/* Builds that stay at hand. A candidate that is queued later and wants the same ones has
 * them at once, however many others are queued before it. */
#ifndef HONE_EVALUATE_HOLD_H
#define HONE_EVALUATE_HOLD_H

#include "evaluate/candidate.h"

struct hone_hold {
    uint64_t *tickets; /* owned; {0} holds nothing */
    size_t count;
};

/* Hold what candidate has queued and not yet taken; nothing where it has nothing queued.
 * On failure *hold holds nothing. */
enum hone_status hone_hold_builds(struct hone_hold *hold,
                                  const struct hone_candidate *candidate,
                                  struct hone_builder *builder, const char *arch,
                                  struct hone_error *err);

/* Waits for those that are not finished. {0} is fine. */
void hone_hold_release(struct hone_hold *hold, struct hone_builder *builder);

#endif
