/* The options of a tuning as it keeps them. */
#ifndef HONE_TUNING_OPTIONS_H
#define HONE_TUNING_OPTIONS_H

#include "base/arena.h"
#include "hone/tuning.h"

/* Copy options, with what they point to (but for context and cancel) in arena, and put
 * the defaults where nothing is said. In a copy evaluations is UINT64_MAX for no limit
 * and drift_every 0 for never. EUSAGE for options that do not go together. */
enum hone_status hone_tuning_options_copy(struct hone_tuning_options *out,
                                          struct hone_arena *arena,
                                          const struct hone_tuning_options *options,
                                          struct hone_error *err);

#endif
