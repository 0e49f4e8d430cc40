#include "merge_ship.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/c_text.h"
#include "base/file.h"
#include "base/temporary.h"

static enum hone_status copy_file(const char *path, const char *from,
                                  struct hone_error *err)
{
    char *text = NULL;
    size_t size = 0;
    enum hone_status status = hone_file_read(&text, &size, from, err);
    if (status == HONE_OK) status = hone_file_write(path, text, size, err);
    free(text);
    return status;
}

static int by_cost(const void *a, const void *b)
{
    const struct hone_trial *x = *(const struct hone_trial *const *)a,
                            *y = *(const struct hone_trial *const *)b;
    const double cost[] = {hone_trial_cost(x), hone_trial_cost(y)};
    if (cost[0] != cost[1]) return cost[0] < cost[1] ? -1 : 1;
    return hone_trial_break_tie(x, y); // the same for the same seed
}

static enum hone_status append(struct hone_journal *journal,
                               const struct hone_recording *recording,
                               const struct hone_trial *trial, struct hone_error *err)
{
    struct hone_trial shipped = *trial;
    shipped.build_ms = shipped.evaluate_ms = (double)NAN;
    return hone_journal_append_of(journal, &shipped, hone_recording_space(recording),
                                  err);
}

// The default comes first, as in every run, then the fastest.
static enum hone_status append_best(struct hone_journal *journal,
                                    const struct hone_recording *recording, size_t rows,
                                    struct hone_error *err)
{
    const size_t count = hone_recording_count(recording);
    const struct hone_trial *base = hone_recording_default(recording);
    const struct hone_trial **trials = calloc(count + 1, sizeof *trials);
    enum hone_status status = trials ? HONE_OK : hone_no_memory(err, "for trials");
    size_t valid = 0;
    for (size_t i = 0; status == HONE_OK && i < count; i++) {
        const struct hone_trial *trial = hone_recording_trial(recording, i);
        if (trial == base)
            status = append(journal, recording, trial, err);
        else if (isfinite(hone_trial_cost(trial)))
            trials[valid++] = trial;
    }
    if (valid) qsort(trials, valid, sizeof *trials, by_cost);
    for (size_t i = 0; status == HONE_OK && i < valid && i < rows; i++)
        status = append(journal, recording, trials[i], err);
    free(trials);
    return status;
}

// How many there were is told by the first line, since the lines do not.
static void count_evaluated(struct hone_record_info *info,
                            const struct hone_recording *recording)
{
    if (info->evaluated) return; // it was shipped before
    info->evaluated = hone_recording_count(recording);
    for (size_t i = 0; i < info->evaluated; i++)
        if (isfinite(hone_trial_cost(hone_recording_trial(recording, i))))
            info->evaluated_valid++;
}

static enum hone_status write_best(const char *path,
                                   const struct hone_recording *recording, size_t rows,
                                   struct hone_error *err)
{
    struct hone_record_info info = *hone_recording_info(recording);
    struct hone_journal *journal = NULL;
    info.box = NULL;
    count_evaluated(&info, recording);
    enum hone_status status = hone_journal_create(&journal, path, &info, 0, err);
    if (status == HONE_OK) status = append_best(journal, recording, rows, err);
    const enum hone_status closed =
        hone_journal_close(journal, status == HONE_OK ? err : NULL);
    return status == HONE_OK ? closed : status;
}

// A journal is never written over, so the new one takes the place of the old
// one whole.
enum hone_status hone_ship_journal(const char *path,
                                   const struct hone_recording *recording, size_t rows,
                                   struct hone_error *err)
{
    if (!rows) return copy_file(path, hone_recording_path(recording), err);
    char *folder = hone_path_folder(path);
    char *temporary = folder ? hone_temporary_name(folder) : NULL;
    enum hone_status status = temporary ? write_best(temporary, recording, rows, err)
                                        : hone_no_memory(err, "for '%s'", path);
    if (status == HONE_OK && rename(temporary, path) != 0)
        status = hone_fail(err, HONE_EIO, "cannot write '%s': %s", path,
                           hone_errno_text(errno));
    if (status != HONE_OK && temporary) unlink(temporary);
    free(temporary);
    free(folder);
    return status;
}
