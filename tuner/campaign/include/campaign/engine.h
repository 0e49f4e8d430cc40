/* Engines: who starts the runs of a campaign. Several may work on one campaign at once,
 * on one machine or many: each run is claimed by whoever begins it. */
#ifndef HONE_CAMPAIGN_ENGINE_H
#define HONE_CAMPAIGN_ENGINE_H

#include <signal.h>

#include "campaign/state.h"

/* How processes are started; the engine's clock is theirs, too. */
struct hone_starter {
    /* Start a command with its standard error, and what it prints, in log. */
    enum hone_status (*start)(void *context, void **process, const char *const *argv,
                              int log, struct hone_error *err);
    /* Wait until one of them (NULLs are passed over) may have ended, at most so long. */
    void (*wait)(void *context, void *const *processes, size_t count, double seconds);
    /* Has it ended, and how: exit code, or 128 and a signal. What it printed goes to log.
     */
    bool (*ended)(void *context, void *process, int log, int *code);
    void (*stop)(void *context, void *process);    /* ask it to end in order */
    void (*release)(void *context, void *process); /* kill what is left of it */
    double (*now)(void *context);
    void *context;
};
extern const struct hone_starter hone_starter_processes;

enum hone_told { HONE_TOLD_BEGUN, HONE_TOLD_ENDED, HONE_TOLD_FAILED };

struct hone_engine_options {
    const struct hone_campaign *campaign;
    const bool *chosen;  /* one for each run of the campaign */
    const char *program; /* hone */
    size_t at_once;      /* runs of a device; 0: as the campaign says */
    unsigned attempts;   /* of one run, by this call; 0: as often as it may fail */
    bool any_engine;     /* also runs whose device another engine serves */
    const volatile sig_atomic_t *cancel; /* may be NULL */
    const struct hone_starter *starter;  /* NULL: processes of this machine */
    /* Optional. A run was begun, ended (state is what is known then), or could not be
     * begun, for the reason of err. */
    void (*tell)(void *context, enum hone_told what, size_t run,
                 const struct hone_run_state *state, const struct hone_error *err);
    void *context;
};

struct hone_engine_result {
    /* Starts; runs that these did; runs that have failed, now or before. */
    size_t begun, done, failed;
    size_t left;       /* runs that others are at, or that wait for such */
    size_t unfinished; /* whose process was ended from elsewhere, or that nobody is at */
    bool interrupted;
};

/* Do the chosen runs of local devices here, as many at once as each device allows, until
 * they are done, have failed for good, or others are at them. *cancel ends the runs in
 * order: what was measured is kept. EIO where the state cannot be written: what runs is
 * ended, and nothing more is begun. */
enum hone_status hone_engine_local(struct hone_engine_result *out,
                                   const struct hone_engine_options *options,
                                   struct hone_error *err);

#endif
