#include "insight/places.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sample_stats.h"

struct sorting {
    const struct hone_trial_place *place;
    double evaluate_ms;
    bool failed;
};

static int by_machine(const struct hone_trial_place *a, const struct hone_trial_place *b)
{
    const int host = strcmp(a->host, b->host);
    return host ? host : strcmp(a->gpu_uuid, b->gpu_uuid);
}

// A machine's trials beside each other, and a job's of those.
static int by_place(const void *a, const void *b)
{
    const struct hone_trial_place *left = ((const struct sorting *)a)->place;
    const struct hone_trial_place *right = ((const struct sorting *)b)->place;
    const int machine = by_machine(left, right);
    return machine ? machine : strcmp(left->job, right->job);
}

static int by_trials(const void *a, const void *b)
{
    const struct hone_place_row *left = a, *right = b;
    if (left->trials != right->trials) return left->trials < right->trials ? 1 : -1;
    return by_machine(left->place, right->place);
}

static double median_of(const struct sorting *trials, size_t count, double *room)
{
    size_t known = 0;
    for (size_t i = 0; i < count; i++)
        if (trials[i].evaluate_ms > 0) room[known++] = trials[i].evaluate_ms;
    return known ? hone_sample_stats_of(room, known).median : (double)NAN;
}

static struct hone_place_row make_row(const struct sorting *trials, size_t count,
                                      double *room)
{
    struct hone_place_row row = {.place = trials[count - 1].place,
                                 .trials = count,
                                 .evaluate_ms = median_of(trials, count, room)};
    for (size_t i = 0; i < count; i++) {
        const bool is_new = !i || by_place(&trials[i - 1], &trials[i]) != 0;
        row.failed += trials[i].failed;
        row.jobs += is_new && trials[i].place->job[0];
    }
    return row;
}

static size_t take_trials(struct sorting *out, const struct hone_recording *recording)
{
    size_t count = 0;
    for (size_t i = 0; i < hone_recording_count(recording); i++) {
        const struct hone_trial *trial = hone_recording_trial(recording, i);
        const bool failed = trial->outcome != HONE_VALID;
        if (memcmp(trial->place, &hone_nowhere, sizeof hone_nowhere) == 0) continue;
        out[count++] = (struct sorting){trial->place, trial->evaluate_ms, failed};
    }
    return count;
}

enum hone_status hone_places_make(struct hone_places *out,
                                  const struct hone_recording *recording,
                                  struct hone_error *err)
{
    const size_t most = hone_recording_count(recording) + 1;
    struct sorting *trials = malloc(most * sizeof *trials);
    double *room = malloc(most * sizeof *room);
    *out = (struct hone_places){.rows = malloc(most * sizeof *out->rows)};
    enum hone_status status = HONE_OK;
    if (!trials || !room || !out->rows)
        status = hone_no_memory(err, "for the places of %zu trials", most);
    const size_t count = status == HONE_OK ? take_trials(trials, recording) : 0;
    if (count) qsort(trials, count, sizeof *trials, by_place);
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count; end++)
            if (by_machine(trials[i].place, trials[end].place) != 0) break;
        out->rows[out->count++] = make_row(trials + i, end - i, room);
    }
    if (out->count) qsort(out->rows, out->count, sizeof *out->rows, by_trials);
    free(trials);
    free(room);
    return status;
}

void hone_places_fini(struct hone_places *places)
{
    free(places->rows);
    *places = (struct hone_places){0};
}
