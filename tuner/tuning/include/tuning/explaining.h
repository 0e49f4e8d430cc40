/* Runs on the emulator that explain a configuration: those around it, the same ones as a
 * journal's, the same at nearby sizes. All are probes (tuning/probe.h). */
#ifndef HONE_TUNING_EXPLAINING_H
#define HONE_TUNING_EXPLAINING_H

#include "hone/tuning.h"

/* A configuration of a script and what stands around it: the author's default, those
 * between the two, and neighbours. */
struct hone_around {
    const struct hone_tuning_options *tuning;
    const char *const *config; /* texts like "BK=16" that change the default */
    size_t config_count;
    size_t neighbours; /* at most so many */
};

/* Run them. *trial, of *out, is the configuration. EUSAGE where the texts name none that
 * the space has; EDEVICE with its reason where it is not valid when it is run; else as
 * hone_probe_run. */
enum hone_status hone_around_run(struct hone_recording **out,
                                 const struct hone_trial **trial,
                                 const struct hone_around *around,
                                 struct hone_error *err);

/* Trials of a recording that are to be run again by its script. */
struct hone_again {
    const struct hone_tuning_options *tuning;
    const struct hone_recording *recording;
    const struct hone_trial *const *trials;
    size_t count;
    bool force; /* even where the template has changed since */
};

/* Run them. *changed: the template has; *out is NULL then, unless that was forced. */
enum hone_status hone_again_run(struct hone_recording **out, bool *changed,
                                const struct hone_again *again, struct hone_error *err);

/* The same configuration at a nearby size of the problem. */
struct hone_shape {
    char text[96]; /* "N=4096": what differs */
    double us;     /* predicted */
    double ratio;  /* of that to the configuration's own time */
    /* The same of the time for a piece of work, an operation or, where the script does
     * not count them, a byte; NAN: not told. */
    double per_work;
};

struct hone_shapes {
    struct hone_shape *items; /* the least time for a piece of work first */
    size_t count;
    size_t tried; /* sizes, those at which the configuration is not valid too */
};

/* Run trial, of a recording on this device by the script of tuning, at sizes up to an
 * eighth larger and smaller: multiples of powers of two. Keeps those of at least 5 % less
 * time, in all or for a piece of work. Release it also after a failure. */
enum hone_status hone_shapes_run(struct hone_shapes *out,
                                 const struct hone_recording *recording,
                                 const struct hone_trial *trial,
                                 const struct hone_tuning_options *tuning,
                                 struct hone_error *err);
void hone_shapes_fini(struct hone_shapes *shapes);

#endif
