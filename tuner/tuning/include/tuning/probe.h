/* A few configurations of a script run without a search and without verification, and
 * kept as a recording, like the journal of a run that measured just these. */
#ifndef HONE_TUNING_PROBE_H
#define HONE_TUNING_PROBE_H

#include "tuning/target.h"

/* Which configurations: value numbers of the space at hand become indices. */
struct hone_probe_list {
    const struct hone_target *target;
    uint64_t *indices; /* each once, in this order */
    size_t count, cap;
};

/* Add one that is not there yet. ENOMEM. */
enum hone_status hone_probe_add(struct hone_probe_list *list, uint64_t index,
                                struct hone_error *err);

/* Add the author's default, or the first one without it; *index, where that is. */
enum hone_status hone_probe_add_default(struct hone_probe_list *list, uint64_t *index,
                                        struct hone_error *err);

/* Add those that differ from index in one parameter, there by the next valid value up or
 * down, at most most of them. */
enum hone_status hone_probe_add_neighbours(struct hone_probe_list *list, uint64_t index,
                                           size_t most, struct hone_error *err);

struct hone_probe_options {
    const struct hone_tuning_options *tuning; /* script and device; never verified */
    const struct hone_value *sizes; /* another problem, as hone_target_open takes it */
    struct hone_builder **shared;   /* as hone_target_open takes it */
    /* Fill the list. */
    enum hone_status (*choose)(void *context, struct hone_probe_list *list,
                               struct hone_error *err);
    void *context;
};

/* Run them. Failures are those of hone_target_open, and what choose returns; ECANCELLED
 * where the options' cancel was set. */
enum hone_status hone_probe_run(struct hone_recording **out,
                                const struct hone_probe_options *probe,
                                struct hone_error *err);

/* Change the configuration choices, value numbers of space, by texts like "BK=16". EUSAGE
 * for a text that names no parameter of space, or none of its values. */
enum hone_status hone_config_change(uint16_t *choices, const struct hone_space *space,
                                    const char *const *texts, size_t count,
                                    struct hone_error *err);

/* The winner of a recording, or its best trial, changed by such texts: the valid trial of
 * the result. EDEVICE where no trial is valid, EUSAGE where that one is not. */
enum hone_status hone_chosen_trial(const struct hone_trial **out,
                                   const struct hone_recording *recording,
                                   const char *const *texts, size_t count,
                                   struct hone_error *err);

#endif
