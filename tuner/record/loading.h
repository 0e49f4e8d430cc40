/* A recording from the inside, and the file while it is read. */
#ifndef HONE_RECORD_LOADING_H
#define HONE_RECORD_LOADING_H

#include "base/arena.h"
#include "begun.h"
#include "choices.h"
#include "recording.h"
#include "trial_line.h"

struct hone_recording {
    struct hone_arena arena;
    char *path;                    // of the parts: the whole's
    struct hone_recording **parts; // of the second problem and those after it
    size_t part_count;
    struct hone_record_info info;
    struct hone_space *space;
    struct hone_trial *trials; // of a part: a piece of the whole's
    size_t count;
    struct hone_first_line *firsts; // [count] of trials
    uint32_t *by_index;             // number of the trial of each index of the space
    struct hone_begun *begun;       // without a trial so far
    size_t begun_count;
    size_t whole_bytes;
    bool lacks_newline;
    char notice[160];
};

/* The file while it is read; choices[i] is the row of trials[i]. */
struct loading {
    struct hone_recording *recording;
    const char *data;
    size_t size;
    size_t line_count;
    struct hone_choice_table table;
    struct hone_metric_names metric_names;
    struct hone_begun_list begun;
    uint16_t *choices;
    uint32_t *of; // number of the problem of each trial; NULL when there is one
    struct hone_error *err;
};

enum hone_status hone_loading_no_memory(const struct loading *load);

/* loading_finish.c: settle repeated configurations and make the space. */
enum hone_status hone_loading_finish(struct loading *load);

/* loading_split.c: part a journal of several problems. The whole keeps the first one's
 * trials, each other problem gets a finished part. */
enum hone_status hone_loading_split(struct loading *load);

#endif
