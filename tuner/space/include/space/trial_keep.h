/* Trials that outlive whoever made them. */
#ifndef HONE_SPACE_TRIAL_KEEP_H
#define HONE_SPACE_TRIAL_KEEP_H

#include "base/arena.h"
#include "hone/trial.h"

/* Copy what the trial says into the arena and let the trial refer to that: it is good as
 * long as the arena. The names of metrics and counters and the place are static or
 * interned and stay where they are. ENOMEM leaves the trial as it was. */
enum hone_status hone_trial_keep(struct hone_trial *trial, struct hone_arena *arena,
                                 struct hone_error *err);

#endif
