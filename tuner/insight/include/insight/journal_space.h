/* The space that a journal's configurations were chosen from, as far as it tells. */
#ifndef HONE_INSIGHT_JOURNAL_SPACE_H
#define HONE_INSIGHT_JOURNAL_SPACE_H

#include "hone/record.h"

/* Every combination of the parameters' values that the journal's constraints allow, with
 * the same value numbers; a Lua function, which no journal holds, forbids nothing. NULL
 * where the space cannot be had: it is too large, or a constraint is not understood.
 * ENOMEM. */
enum hone_status hone_journal_space(struct hone_space **out,
                                    const struct hone_record_info *info,
                                    struct hone_error *err);

#endif
