// Which parameters the search gives values together. From the end of the order on, each
// block takes what fits: a word of bits holds what passes of up to 64 combinations, and a
// step of the search over one costs about as much as over a few.
#include <string.h>

#include "levels.h"

size_t hone_walk_place(const struct hone_walk *job, size_t param)
{
    size_t place = 0;
    while (job->params[place] != param)
        place++;
    return place;
}

// The word of the keys that has the parameter.
static uint32_t word_of(const struct hone_walk *job, size_t param)
{
    if (!job->keys || job->keys->words == 1) return 0;
    return job->keys->fields[hone_walk_place(job, param)].word;
}

// The last of the first left parameters, and what fits to it, move to the end of these.
// Returns how many are before them.
static size_t take_block(const struct hone_space *space, const struct hone_walk *job,
                         const bool *alone, size_t *params, size_t left)
{
    const size_t last = params[--left];
    size_t combinations = space->params[last].count;
    if (alone[last]) return left;
    for (size_t i = left; i-- > 0 && !alone[params[i]];) {
        const size_t param = params[i];
        const size_t count = space->params[param].count;
        if (combinations * count > HONE_PLAN_BLOCK) continue;
        if (word_of(job, param) != word_of(job, last)) continue;
        combinations *= count;
        memmove(params + i, params + i + 1, (--left - i) * sizeof *params);
        params[left] = param;
    }
    return left;
}

static void sort(size_t *params, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        const size_t param = params[i];
        size_t at = i;
        for (; at > 0 && params[at - 1] > param; at--)
            params[at] = params[at - 1];
        params[at] = param;
    }
}

void hone_blocks_form(struct hone_blocks *blocks, const struct hone_space *space,
                      const struct hone_walk *job, const size_t *order, const bool *alone)
{
    size_t left = job->param_count;
    memcpy(blocks->params, order, left * sizeof *order);
    blocks->count = 0;
    while (left > 0) {
        const size_t end = left;
        left = take_block(space, job, alone, blocks->params, left);
        sort(blocks->params + left, end - left);
        blocks->first[blocks->count++] = left;
    }
    for (size_t b = 0; b < blocks->count / 2; b++) {
        size_t *one = &blocks->first[b], *other = &blocks->first[blocks->count - 1 - b];
        const size_t first = *one;
        *one = *other;
        *other = first;
    }
    blocks->first[blocks->count] = job->param_count;
}
