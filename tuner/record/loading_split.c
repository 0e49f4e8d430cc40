// A journal of several problems becomes one recording a problem: what reads recordings
// need not know of several.
#include "loading.h"

#include <stdlib.h>
#include <string.h>

// Sort the trials by problem, otherwise in the order of their lines: a counting sort, in
// place since trials are large. first: problems + 2 zeros, becomes where the trials of
// each problem begin, and after the last problem their number.
static enum hone_status sort_trials(struct loading *load, size_t *first)
{
    struct hone_recording *whole = load->recording;
    const size_t n = whole->info.param_count;
    const size_t problems = hone_recording_problem_count(whole);
    uint32_t *to = load->of; // first the problem of a trial, then its place
    uint16_t *rows = malloc((whole->count * n + 1) * sizeof *rows);
    if (!rows) return hone_loading_no_memory(load);
    for (size_t i = 0; i < whole->count; i++)
        first[to[i] + 2]++;
    for (size_t p = 2; p <= problems; p++)
        first[p] += first[p - 1];
    for (size_t i = 0; i < whole->count; i++) {
        to[i] = (uint32_t)first[to[i] + 1]++;
        memcpy(rows + to[i] * n, load->choices + i * n, n * sizeof *rows);
    }
    free(load->choices);
    load->choices = rows;
    for (size_t i = 0; i < whole->count; i++)
        while (to[i] != i) {
            const uint32_t k = to[i];
            const struct hone_trial trial = whole->trials[k];
            whole->trials[k] = whole->trials[i];
            whole->trials[i] = trial;
            to[i] = to[k];
            to[k] = k;
        }
    return HONE_OK;
}

static size_t take_begun(const struct hone_recording *whole, uint32_t problem,
                         struct hone_begun *out)
{
    size_t count = 0;
    for (size_t i = 0; i < whole->begun_count; i++)
        if (whole->begun[i].problem == problem) out[count++] = whole->begun[i];
    return count;
}

// A part with what was begun of its problem, still without trials.
static struct hone_recording *new_part(struct hone_recording *whole, uint32_t problem)
{
    const struct hone_record_problem *of = &whole->info.problems[problem];
    struct hone_record_info *info;
    struct hone_recording *part = calloc(1, sizeof *part);
    if (!part) return NULL;
    whole->parts[whole->part_count++] = part;
    part->path = whole->path;
    info = &part->info;
    *info = whole->info;
    info->weight = of->weight;
    struct hone_constant *names = hone_arena_dup(&whole->arena, whole->info.problem,
                                                 info->problem_count * sizeof *names);
    part->begun = malloc((whole->begun_count + 1) * sizeof *part->begun);
    if (!names || !part->begun) return NULL;
    for (size_t i = 0; i < info->problem_count; i++)
        names[i].value = of->values[i];
    info->problem = names;
    part->begun_count = take_begun(whole, problem, part->begun);
    return part;
}

static enum hone_status split_off(const struct loading *load, uint32_t problem,
                                  size_t first, size_t end)
{
    struct hone_recording *whole = load->recording;
    struct loading part = {.table = load->table, .err = load->err};
    part.choices = load->choices + first * whole->info.param_count;
    part.recording = new_part(whole, problem);
    if (!part.recording) return hone_loading_no_memory(load);
    part.recording->trials = whole->trials + first;
    part.recording->count = end - first;
    return hone_loading_finish(&part);
}

enum hone_status hone_loading_split(struct loading *load)
{
    struct hone_recording *whole = load->recording;
    const size_t count = hone_recording_problem_count(whole);
    if (count == 1) return HONE_OK;
    whole->parts = calloc(count, sizeof *whole->parts);
    size_t *first = calloc(count + 2, sizeof *first);
    enum hone_status status =
        whole->parts && first ? sort_trials(load, first) : hone_loading_no_memory(load);
    for (size_t i = 1; i < count && status == HONE_OK; i++)
        status = split_off(load, (uint32_t)i, first[i], first[i + 1]);
    if (status == HONE_OK) whole->count = first[1];
    free(first);
    whole->begun_count = take_begun(whole, 0, whole->begun);
    return status;
}
