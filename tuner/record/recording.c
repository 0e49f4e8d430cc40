// A journal as it was read: its trials, their space and what is said of them.
#include "loading.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "recording.h"

// All but the trials, which parts have from the whole.
static void free_part(struct hone_recording *part)
{
    hone_space_free(part->space);
    free(part->by_index);
    free(part->firsts);
    free(part->begun);
    hone_arena_fini(&part->arena);
    free(part);
}

void hone_recording_free(struct hone_recording *recording)
{
    if (!recording) return;
    for (size_t i = 0; i < recording->part_count; i++)
        free_part(recording->parts[i]);
    free(recording->parts);
    free(recording->trials);
    free_part(recording);
}

size_t hone_recording_problem_count(const struct hone_recording *recording)
{
    const size_t count = recording->info.problems_count;
    return count ? count : 1;
}

const struct hone_recording *
hone_recording_problem(const struct hone_recording *recording, size_t i)
{
    return i ? recording->parts[i - 1] : recording;
}

const struct hone_record_info *hone_recording_info(const struct hone_recording *recording)
{
    return &recording->info;
}

const struct hone_space *hone_recording_space(const struct hone_recording *recording)
{
    return recording->space;
}

size_t hone_recording_count(const struct hone_recording *recording)
{
    return recording->count;
}

const struct hone_trial *hone_recording_trial(const struct hone_recording *recording,
                                              size_t i)
{
    assert(i < recording->count);
    return &recording->trials[i];
}

struct hone_first_line hone_recording_first(const struct hone_recording *recording,
                                            size_t i)
{
    assert(i < recording->count);
    return recording->firsts[i];
}

const struct hone_trial *hone_recording_find(const struct hone_recording *recording,
                                             uint64_t index)
{
    if (index >= recording->count) return NULL;
    return &recording->trials[recording->by_index[index]];
}

bool hone_recording_index_in(const struct hone_recording *recording,
                             const struct hone_trial *trial,
                             const struct hone_space *space, uint16_t *scratch,
                             uint64_t *index)
{
    const struct hone_space *from = hone_recording_space(recording);
    const size_t n = hone_space_param_count(space);
    uint16_t *theirs = scratch + n;
    hone_space_choices(from, trial->index, theirs);
    for (size_t i = 0; i < n; i++) {
        const char *name = hone_space_param(space, i)->name;
        size_t k = 0;
        while (strcmp(hone_space_param(from, k)->name, name) != 0)
            if (++k == hone_space_param_count(from)) return false;
        const struct hone_value value = hone_space_param(from, k)->values[theirs[k]];
        if (hone_space_choice_of(space, i, value, &scratch[i]) != HONE_OK) return false;
    }
    return hone_space_index(space, scratch, index) == HONE_OK;
}

size_t hone_recording_begun_count(const struct hone_recording *recording)
{
    return recording->begun_count;
}

const struct hone_begun *hone_recording_begun(const struct hone_recording *recording,
                                              size_t i)
{
    assert(i < recording->begun_count);
    return &recording->begun[i];
}

const char *hone_recording_path(const struct hone_recording *recording)
{
    return recording->path;
}

const char *hone_device_text(const char *name)
{
    return name && *name ? name : "a device that was not named";
}

const char *hone_recording_notice(const struct hone_recording *recording)
{
    return recording->notice;
}

size_t hone_recording_whole_bytes(const struct hone_recording *recording)
{
    return recording->whole_bytes;
}

bool hone_recording_lacks_newline(const struct hone_recording *recording)
{
    return recording->lacks_newline;
}

const struct hone_trial *hone_recording_winner(const struct hone_recording *recording)
{
    for (size_t i = recording->count; i-- > 0;) {
        const struct hone_trial *trial = &recording->trials[i];
        if (trial->final.rank < 2) return trial->final.rank ? trial : NULL;
    }
    return NULL;
}

const char *hone_verified_words(const char *verified)
{
    static const char *const words[][2] = {
        {HONE_VERIFIED_REFERENCE, "verified against the reference"},
        {HONE_VERIFIED_TUNED, "verified against the reference, at the tuned size"},
        {HONE_VERIFIED_ALONE, "not judged: the kernel has no reference"},
        {HONE_VERIFIED_ALONE_TUNED,
         "not judged: the kernel has no reference; run at the tuned size"},
        {HONE_VERIFIED_NO, "not verified (--no-verify)"}};
    for (size_t i = 0; verified && i < sizeof words / sizeof *words; i++)
        if (strcmp(verified, words[i][0]) == 0) return words[i][1];
    return NULL;
}
