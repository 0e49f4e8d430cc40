// Maximin (Johnson, Moore, Ylvisaker: Minimax and maximin distance designs, 1990), built
// point by point: of a few candidates the one farthest from its nearest predecessor
// (Mitchell: Spectrally optimal sampling, 1991). Distance counts the parameters that
// differ: how far apart values are in their lists would draw the design to the corners,
// which are slow.
#include "design.h"

#include <stdlib.h>

enum {
    CANDIDATES = 10, // for each point, fewer in a space that has not as many
    // 5 evaluations scored higher than 6, 8 and 12 (docs/strategies.md): what a model
    // suggests after them is worth more.
    SIZE = 5,
    ALL_BELOW = 15 // evaluations that leave nothing to learn from
};

uint64_t hone_design_size(uint64_t budget)
{
    return budget < ALL_BELOW ? budget : SIZE;
}

struct design {
    const struct hone_space *space;
    const struct hone_shuffle *order;
    uint64_t next;     // position in order of the next candidate
    uint16_t *choices; // [point][param], and room for a candidate after the last
};

// In how many parameters the candidate differs from the nearest of count points.
static size_t nearest(const struct design *design, size_t count)
{
    const size_t params = hone_space_param_count(design->space);
    const uint16_t *candidate = design->choices + count * params;
    size_t least = params;
    for (size_t i = 0; i < count; i++) {
        size_t differ = 0;
        for (size_t p = 0; p < params; p++)
            differ += design->choices[i * params + p] != candidate[p];
        if (differ < least) least = differ;
    }
    return least;
}

// The best of the next few candidates; false when all of them are known.
static bool design_choose(struct design *design, size_t count, uint64_t few,
                          uint64_t *out)
{
    const struct hone_space *space = design->space;
    uint16_t *candidate = design->choices + count * hone_space_param_count(space);
    size_t farthest = 0;
    for (uint64_t i = 0; i < few; i++) {
        const uint64_t index = hone_shuffle_at(design->order, design->next++);
        hone_space_choices(space, index, candidate);
        const size_t gap = nearest(design, count);
        if (gap <= farthest) continue;
        farthest = gap;
        *out = index;
    }
    if (farthest) hone_space_choices(space, *out, candidate);
    return farthest > 0;
}

enum hone_status hone_design_make(const struct hone_space *space,
                                  const struct hone_shuffle *order, uint64_t *points,
                                  size_t *count, size_t more, struct hone_error *err)
{
    const uint64_t all = hone_space_count(space);
    const size_t params = hone_space_param_count(space), want = *count + more;
    struct design design = {.space = space, .order = order};
    design.choices = calloc((want + 1) * (params + 1), sizeof *design.choices);
    if (!design.choices) return hone_no_memory(err, "for a start design of %zu", more);
    for (size_t i = 0; i < *count; i++)
        hone_space_choices(space, points[i], design.choices + i * params);
    const uint64_t share = more ? all / more : 0;
    const uint64_t few = share > CANDIDATES ? CANDIDATES : share ? share : 1;
    while (*count < want && design.next + few <= all)
        *count += design_choose(&design, *count, few, points + *count);
    free(design.choices);
    return HONE_OK;
}
