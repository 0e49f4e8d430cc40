// The journal of a step: its name, and whether it is begun or gone on with.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "tuning_step.h"

enum { JOURNAL_NAMES_MAX = 10000 };

// A name in the working folder that does not exist yet: sgemm-cuda_0.jsonl,
// sgemm-cuda_0-2.jsonl.
static enum hone_status free_name(struct tuning_step *step, struct hone_error *err)
{
    const struct hone_record_info *info = &step->target.info;
    char device[64];
    snprintf(device, sizeof device, "%s", info->device_id);
    for (char *p = device; *p; p++)
        if (*p == ':' || *p == '/') *p = '_';
    for (int i = 1; i < JOURNAL_NAMES_MAX; i++) {
        char name[256], suffix[16] = "";
        if (i > 1) snprintf(suffix, sizeof suffix, "-%d", i);
        snprintf(name, sizeof name, "%s-%s%s.jsonl", info->kernel, device, suffix);
        if (hone_file_exists(name)) continue;
        step->journal_path = strdup(name);
        return step->journal_path ? HONE_OK
                                  : hone_no_memory(err, "for the name of the journal");
    }
    return hone_fail(err, HONE_EUSAGE,
                     "too many journals of '%s' here: name one by --journal",
                     info->kernel);
}

static enum hone_status name_journal(struct tuning_step *step, struct hone_error *err)
{
    if (!step->options->journal) return free_name(step, err);
    step->journal_path = strdup(step->options->journal);
    return step->journal_path ? HONE_OK
                              : hone_no_memory(err, "for the name of the journal");
}

// The first line is of all problems together, whichever is at hand.
static void describe_problems(struct tuning_step *step)
{
    const struct tuning_part *part = &step->part;
    struct hone_record_info *info = &step->target.info;
    info->problems = part->problems->items;
    info->problems_count = part->problems->count;
    if (!part->whole) return;
    info->problem = part->whole->problem;
    info->space_hash = part->whole->space_hash;
}

static enum hone_status resume_journal(struct tuning_step *step, unsigned flags,
                                       struct hone_error *err)
{
    enum hone_status status =
        hone_journal_resume(&step->journal, &step->earlier.done, step->journal_path,
                            &step->target.info, flags, err);
    if (status != HONE_OK) return status;
    hone_journal_set_problem(step->journal, step->part.number);
    return hone_tuning_earlier_find(step, err);
}

static enum hone_status create_journal(struct tuning_step *step, unsigned flags,
                                       struct hone_error *err)
{
    // A name that was chosen here may be taken by a run that chose at the same time.
    for (;;) {
        struct hone_error why = {0};
        enum hone_status status = hone_journal_create(&step->journal, step->journal_path,
                                                      &step->target.info, flags, &why);
        if (status == HONE_OK) return HONE_OK;
        if (step->options->journal || !hone_file_exists(step->journal_path)) {
            if (err && !err->code) *err = why;
            return status;
        }
        free(step->journal_path);
        step->journal_path = NULL;
        status = free_name(step, err);
        if (status != HONE_OK) return status;
    }
}

enum hone_status hone_tuning_journal_open(struct tuning_step *step,
                                          struct hone_error *err)
{
    const struct tuning_part *part = &step->part;
    enum hone_status status = name_journal(step, err);
    if (status != HONE_OK) return status;
    unsigned flags = step->target.recording ? 0 : HONE_JOURNAL_SYNC;
    if (part->problems) describe_problems(step);
    if (part->problems && *part->lock >= 0) flags |= HONE_JOURNAL_HELD;
    if (step->options->resume || part->whole) return resume_journal(step, flags, err);
    return create_journal(step, flags, err);
}

enum hone_status hone_tuning_journal_close(struct tuning_step *step,
                                           struct hone_error *err)
{
    struct hone_journal *journal = step->journal;
    const struct tuning_part *part = &step->part;
    step->journal = NULL;
    if (journal && part->problems && *part->lock < 0)
        *part->lock = hone_journal_hold(journal);
    return hone_journal_close(journal, err);
}
