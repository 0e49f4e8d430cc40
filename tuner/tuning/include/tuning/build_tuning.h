/* The tuning of a build: where it is asked for, there is a GPU, and no kept result is of
 * that. */
#ifndef HONE_TUNING_BUILD_TUNING_H
#define HONE_TUNING_BUILD_TUNING_H

#include <signal.h>

#include "tuning/kept_results.h"

struct hone_build_tuning {
    const struct hone_kept_options *kept;
    const char *device;  /* "auto" is cuda:0 */
    const char *journal; /* made anew */
    double seconds;      /* that the tuning may take, from the start of the run */
    bool many;           /* several problems are tuned */
    bool required;       /* no GPU, and no result, is a failure */
    /* Tunes on device into the journal until deadline (of hone_clock_seconds) at most.
     * Its failure is a warning: what was measured by then counts, and there is something
     * to fall back to. */
    enum hone_status (*tune)(void *context, const char *device, double deadline,
                             struct hone_error *err);
    void *context;
    const volatile sig_atomic_t *cancel; /* as hone_tuning_options has it */
};

/* Adds what was found to results. ECANCELLED where the tuning was interrupted. */
enum hone_status hone_build_tuning_run(struct hone_kept_results *results,
                                       const struct hone_build_tuning *build,
                                       struct hone_error *err);

#endif
