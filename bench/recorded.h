/* The kernel of a journal, opened again: its script at the journal's problem and with the
 * choices that the journal was made with, for a device. */
#ifndef HONE_BENCH_RECORDED_H
#define HONE_BENCH_RECORDED_H

#include "hone/record.h"
#include "tuning/workbench.h"

struct recorded {
    struct hone_recording *recording;
    struct hone_workbench bench; /* opened; the next step is hone_workbench_prepare */
};

struct recorded_source {
    const char *journal, *script;
    const char *device; /* as hone_device_limits takes it */
    bool foreign;       /* of another tool: at the script's own problem */
};

/* On failure too it must be closed. */
enum hone_status recorded_open(struct recorded *out, const struct recorded_source *source,
                               struct hone_error *err);
void recorded_close(struct recorded *recorded);

/* The index of a trial of recording (this one's or that of another run) in the bench's
 * space; parameters that it lacks have the script's default. False where the space has no
 * such configuration. */
bool recorded_index(const struct recorded *recorded,
                    const struct hone_recording *recording,
                    const struct hone_trial *trial, uint64_t *index);

/* A parameter's value in a trial; NULL where the recording has no such parameter. */
const struct hone_value *recorded_value(const struct hone_recording *recording,
                                        const struct hone_trial *trial, const char *name);

/* "BM=128 BN=64" of a configuration of the bench's space. */
void recorded_text(char *out, size_t cap, const struct recorded *recorded,
                   uint64_t index);

#endif
