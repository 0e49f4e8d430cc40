/* What a tuning measures: a script on a device, by this process or by workers of a pool,
 * or a recording that answers. */
#ifndef HONE_TUNING_TARGET_H
#define HONE_TUNING_TARGET_H

#include "base/arena.h"
#include "hone/tuning.h"
#include "tuning/workbench.h"

/* Read-only once it is open. */
struct hone_target {
    struct hone_workbench bench;      /* of a script */
    struct hone_pool *pool;           /* NULL when this process measures */
    int gpu_lock;                     /* held where it does; -1: none */
    struct hone_recording *recording; /* of a replay */
    const struct hone_space *space;   /* of either */
    struct hone_evaluator *evaluator;
    struct hone_record_info info; /* the first line of a journal */
    struct hone_arena arena;      /* of what info points to */
    bool predicts;                /* the device's figures are predictions */
    struct hone_builder **shared; /* owner of the bench's builder; NULL: the bench */
};

/* The name after "replay:" of the device option, or NULL. */
const char *hone_replay_path(const struct hone_tuning_options *options);

/* Open what options say; what they point to is borrowed for the target's life. sizes:
 * another problem of the script's kernel, as hone_workbench_turn takes it; NULL: its own.
 * shared: the builder of several targets, made by the first that builds here and freed by
 * the caller after the last; NULL: the target has its own. Failures are those of
 * hone_tuning_open. On failure too the target must be closed. */
enum hone_status hone_target_open(struct hone_target *target,
                                  const struct hone_tuning_options *options,
                                  const struct hone_value *sizes,
                                  struct hone_builder **shared, struct hone_error *err);
void hone_target_close(struct hone_target *target); /* zeros are fine but for gpu_lock */

#endif
