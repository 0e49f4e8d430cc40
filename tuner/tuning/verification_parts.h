/* A verification, between its files: verification.c runs it, verification_crew.c opens
 * the devices, verification_same.c holds results against a journal. */
#ifndef HONE_TUNING_VERIFICATION_PARTS_H
#define HONE_TUNING_VERIFICATION_PARTS_H

#include "tuning/verification.h"

/* Draw the configurations to verify from the bench's space. */
enum hone_status hone_verification_choose(struct hone_verification *v,
                                          struct hone_error *err);

/* Open the bench for device in this process, at the journal's problem. */
enum hone_status hone_verification_bench_open(struct hone_verification *v,
                                              const char *device, struct hone_error *err);

/* Open the bench for the device of the options, choose, and open the crew. options get
 * the sizes of the journal. */
enum hone_status hone_verification_crew_open(struct hone_verification *v,
                                             struct hone_evaluate_options *options,
                                             struct hone_error *err);
void hone_verification_crew_close(struct hone_verification_crew *crew); /* {0} is fine */

/* Load the journal to compare with, where one is named. */
enum hone_status hone_verification_same_load(struct hone_verification *v,
                                             struct hone_error *err);
/* EINPUT where it is of another kernel than this one. */
enum hone_status hone_verification_same_kernel(const struct hone_verification *v,
                                               const char *ours, struct hone_error *err);
/* Choose from its configurations that the space at hand has, most of them at most; fills
 * indices, which has room, and count. */
enum hone_status hone_verification_same_choose(struct hone_verification *v, uint64_t most,
                                               struct hone_error *err);
/* Verify at the sizes that its run drew: others would be drawn where a parameter is
 * pinned. They stay the verification's. EINPUT where the script's problem has other
 * names. */
enum hone_status hone_verification_same_sizes(struct hone_verification *v,
                                              struct hone_evaluate_options *options,
                                              struct hone_error *err);
/* Compare: what has other bits although both are exact, on GPUs with as many
 * multiprocessors, becomes a wrong result, which says so until the evaluator is closed.
 * ENOMEM. */
enum hone_status hone_verification_same_judge(struct hone_verification *v,
                                              struct hone_trial *trial,
                                              struct hone_error *err);
void hone_verification_same_close(struct hone_verification_same *same); /* {0} is fine */

#endif
