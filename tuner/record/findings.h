/* Findings of trials and waivers of kernels, in a journal. */
#ifndef HONE_RECORD_FINDINGS_H
#define HONE_RECORD_FINDINGS_H

#include <jansson.h>

#include "base/arena.h"
#include "hone/record.h"

/* The waivers of a first line as a list; NULL for what JSON cannot hold. */
json_t *hone_waive_list_write(const struct hone_record_info *info);
/* *info points into the arena. EINPUT says what is wrong, without a place. */
enum hone_status hone_waive_list_read(struct hone_record_info *info, const json_t *list,
                                      struct hone_arena *arena, struct hone_error *err);

/* Set what a trial found, and what was waived, in its line; 0 on success. */
int hone_found_write(json_t *line, const struct hone_trial *trial);
/* A finding that this version does not know is none. */
enum hone_status hone_found_read(struct hone_trial_notes *notes, const json_t *line,
                                 struct hone_error *err);

#endif
