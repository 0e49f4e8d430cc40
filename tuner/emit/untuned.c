// A header of the author's default alone, for builds that have nothing else. It goes the
// way of every header: as a journal with one trial, whose objective says that nothing was
// measured. No compute capability is 0.0, so that every GPU gets the default.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "emit_plan.h"

static enum hone_status record(const char *path, const struct hone_record_info *info,
                               struct hone_error *err)
{
    struct hone_journal *journal = NULL;
    struct hone_trial trial = hone_trial_make(0, HONE_VALID);
    trial.predicted_us = 1; // a valid trial has a figure; it is printed nowhere
    enum hone_status status = hone_journal_create(&journal, path, info, 0, err);
    if (status != HONE_OK) return status;
    status = hone_journal_append(journal, &trial, info->defaults, err);
    enum hone_status closed = hone_journal_close(journal, status == HONE_OK ? err : NULL);
    return status == HONE_OK ? closed : status;
}

enum hone_status hone_emit_defaults(struct hone_strbuf *out,
                                    const struct hone_record_info *info,
                                    const struct hone_emit_options *options,
                                    struct hone_error *err)
{
    struct hone_recording *recording = NULL;
    struct hone_limits limits = info->limits ? *info->limits : (struct hone_limits){0};
    struct hone_record_info untuned = *info;
    struct hone_emit_options with = *options;
    with.accept_predicted = true;
    limits.cc_major = limits.cc_minor = 0;
    strcpy(limits.name, "any GPU");
    untuned.limits = &limits;
    untuned.device_name = limits.name;
    untuned.objective = EMIT_UNTUNED;
    untuned.l2 = untuned.clock = untuned.clock_note = untuned.driver =
        untuned.nvrtc_version = NULL;
    if (!info->defaults)
        return hone_fail(err, HONE_EINPUT, "kernel %s has no default configuration",
                         info->kernel);
    char *path = NULL;
    enum hone_status status = hone_file_temporary(&path, err);
    if (status != HONE_OK) return status;
    status = record(path, &untuned, err);
    if (status == HONE_OK) status = hone_recording_load(&recording, path, err);
    if (status == HONE_OK)
        status = hone_emit(out, (const struct hone_recording *const *)&recording, 1,
                           &with, err);
    hone_recording_free(recording);
    unlink(path);
    free(path);
    return status;
}
