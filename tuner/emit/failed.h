/* Problems that were tuned and have no row, for nothing that was tried is valid there: a
 * comment names them, so that a header does not pass over them in silence. */
#ifndef HONE_EMIT_FAILED_H
#define HONE_EMIT_FAILED_H

#include "emit_plan.h"

struct emit_failed {
    const struct hone_record_info *info;
    uint64_t evaluated;
};

/* Fills plan->failed; plan has its rows, merged. */
enum hone_status hone_emit_find_failed(struct emit_plan *plan,
                                       const struct hone_recording *const *recordings,
                                       size_t count);
/* A line of the first comment for each. */
void hone_emit_failed_comment(struct hone_strbuf *out, const struct emit_plan *plan);

#endif
