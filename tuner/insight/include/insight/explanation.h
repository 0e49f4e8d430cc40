/* Why a configuration is as fast as it is: what limits it, what costs it time, what its
 * neighbours show, and where it differs from the default. */
#ifndef HONE_INSIGHT_EXPLANATION_H
#define HONE_INSIGHT_EXPLANATION_H

#include "insight/diagnosis.h"
#include "insight/neighbours.h"

struct hone_explained {
    const struct hone_trial *trial; /* NULL: there is no such valid trial */
    /* Where the counts of an emulated block are from: trial, or the same configuration in
     * the emulated recording; NULL: there are none. */
    const struct hone_trial *counted;
    struct hone_usage usage;         /* of trial */
    struct hone_diagnosis diagnosis; /* of counted, else of trial */
};

/* A parameter in which the configuration differs from the default. */
struct hone_config_difference {
    size_t param;
    uint16_t from, to; /* value numbers of the default and of the configuration */
    /* Cost of the configuration with the default's value, to its own cost; and of the
     * default with the configuration's value, to the default's. NAN: no such trial;
     * INFINITY: it is not valid. */
    double back, alone;
};

struct hone_explanation {
    const struct hone_recording *recording;
    struct hone_machine machine;
    bool machine_known;                  /* else usage and diagnosis say nothing */
    struct hone_explained subject, base; /* base: the default */
    struct hone_neighbours neighbours;   /* of the subject */
    struct hone_config_difference *differences;
    size_t difference_count;
};

/* Explain trial, a valid one of recording. emulated: a recording of the same parameters
 * with counts; NULL for none. Both are borrowed. ENOMEM; release it also then. */
enum hone_status hone_explanation_make(struct hone_explanation *out,
                                       const struct hone_recording *recording,
                                       const struct hone_trial *trial,
                                       const struct hone_recording *emulated,
                                       struct hone_error *err);
void hone_explanation_fini(struct hone_explanation *explanation);

/* The cheapest neighbour without that cause of the subject, or with less than half of
 * what it costs; NULL where none is known. */
const struct hone_neighbour *
hone_explanation_mover(const struct hone_explanation *explanation,
                       const struct hone_found_cause *cause);

#endif
