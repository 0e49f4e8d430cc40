// A journal of several problems becomes one recording a problem: what reads recordings
// need not know of several.
#include "loading.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A part as large as the trials of its problem, still empty.
static struct hone_recording *new_part(struct hone_recording *whole,
                                       const struct hone_record_problem *problem,
                                       size_t trials)
{
    struct hone_record_info *info;
    struct hone_recording *part = calloc(1, sizeof *part);
    if (!part) return NULL;
    whole->parts[whole->part_count++] = part;
    part->path = whole->path;
    info = &part->info;
    *info = whole->info;
    info->weight = problem->weight;
    struct hone_constant *names = hone_arena_dup(&whole->arena, whole->info.problem,
                                                 info->problem_count * sizeof *names);
    part->trials = malloc((trials + 1) * sizeof *part->trials);
    part->begun = malloc((whole->begun_count + 1) * sizeof *part->begun);
    if (!names || !part->trials || !part->begun) return NULL;
    for (size_t i = 0; i < info->problem_count; i++)
        names[i].value = problem->values[i];
    info->problem = names;
    return part;
}

// Hand the trials of a problem to the part (or, of problem 0, leave them where they are).
static size_t take_trials(const struct loading *load, uint32_t problem,
                          struct hone_recording *part, uint16_t *choices)
{
    const struct hone_recording *whole = load->recording;
    const size_t n = whole->info.param_count;
    size_t count = 0;
    for (size_t i = 0; i < whole->count; i++) {
        if (load->of[i] != problem) continue;
        part->trials[count] = whole->trials[i];
        memmove(choices + count++ * n, load->choices + i * n, n * sizeof *choices);
    }
    return count;
}

static size_t take_begun(const struct hone_recording *whole, uint32_t problem,
                         struct hone_recording *part)
{
    size_t count = 0;
    for (size_t i = 0; i < whole->begun_count; i++)
        if (whole->begun[i].problem == problem) part->begun[count++] = whole->begun[i];
    return count;
}

static enum hone_status split_off(const struct loading *load, uint32_t problem)
{
    struct hone_recording *whole = load->recording;
    struct loading part = {.table = load->table, .err = load->err};
    size_t trials = 0;
    for (size_t i = 0; i < whole->count; i++)
        trials += load->of[i] == problem;
    part.choices = malloc((trials * whole->info.param_count + 1) * sizeof *part.choices);
    part.recording = new_part(whole, &whole->info.problems[problem], trials);
    enum hone_status status = HONE_OK;
    if (!part.choices || !part.recording) status = hone_loading_no_memory(load);
    if (!status) {
        part.recording->count = take_trials(load, problem, part.recording, part.choices);
        part.recording->begun_count = take_begun(whole, problem, part.recording);
        status = hone_loading_finish(&part);
    }
    free(part.choices);
    return status;
}

enum hone_status hone_loading_split(struct loading *load)
{
    struct hone_recording *whole = load->recording;
    const size_t count = hone_recording_problem_count(whole);
    enum hone_status status = HONE_OK;
    if (count == 1) return HONE_OK;
    whole->parts = calloc(count, sizeof *whole->parts);
    if (!whole->parts) return hone_loading_no_memory(load);
    for (size_t i = 1; i < count && !status; i++)
        status = split_off(load, (uint32_t)i);
    whole->count = take_trials(load, 0, whole, load->choices);
    whole->begun_count = take_begun(whole, 0, whole);
    const size_t len = strlen(whole->notice);
    snprintf(whole->notice + len, sizeof whole->notice - len,
             "%sof %zu problems, here is the first", len ? "; " : "", count);
    return status;
}
