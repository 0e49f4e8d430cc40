// Maximin (Johnson, Moore, Ylvisaker: Minimax and maximin distance designs, 1990), built
// point by point: of a few candidates the one farthest from its nearest predecessor
// (Mitchell: Spectrally optimal sampling, 1991). Distance counts the parameters that
// differ; how far apart their values are in the list decides between equals.
#include "design.h"

#include <math.h>
#include <stdlib.h>

enum {
    CANDIDATES = 10, // for each point, fewer in a space that has not as many
    SIZE_LEAST = 5,
    SIZE_MOST = 20,
    SHARE = 6,     // one part in six of the budget
    ALL_BELOW = 15 // evaluations that leave nothing to learn from
};

uint64_t hone_design_size(uint64_t budget)
{
    if (budget < ALL_BELOW) return budget;
    const uint64_t size = budget / SHARE;
    return size < SIZE_LEAST ? SIZE_LEAST : size > SIZE_MOST ? SIZE_MOST : size;
}

static double distance(const struct hone_space *space, const uint16_t *a,
                       const uint16_t *b)
{
    const size_t params = hone_space_param_count(space);
    double sum = 0;
    for (size_t i = 0; i < params; i++) {
        if (a[i] == b[i]) continue;
        const double steps = fabs((double)a[i] - b[i]);
        const double last = (double)hone_space_param(space, i)->count - 1;
        sum += 1 + steps / last / (double)(params + 1);
    }
    return sum;
}

// How near the nearest of count points is; -1 when it is the same.
static double nearest(const struct hone_space *space, const uint16_t *points,
                      size_t count, const uint16_t *candidate)
{
    const size_t params = hone_space_param_count(space);
    double least = HUGE_VAL;
    for (size_t i = 0; i < count; i++)
        least = fmin(least, distance(space, points + i * params, candidate));
    return least > 0 ? least : -1;
}

struct design {
    const struct hone_space *space;
    const struct hone_shuffle *order;
    uint64_t next;     // position in order of the next candidate
    uint16_t *choices; // [point][param], and room for a candidate after the last
};

// The best of the next few candidates; false when all of them are known.
static bool choose(struct design *design, size_t count, uint64_t few, uint64_t *out)
{
    const struct hone_space *space = design->space;
    uint16_t *candidate = design->choices + count * hone_space_param_count(space);
    double farthest = -1;
    for (uint64_t i = 0; i < few; i++) {
        const uint64_t index = hone_shuffle_at(design->order, design->next++);
        hone_space_choices(space, index, candidate);
        const double gap = nearest(space, design->choices, count, candidate);
        if (gap <= farthest) continue;
        farthest = gap;
        *out = index;
    }
    if (farthest > 0) hone_space_choices(space, *out, candidate);
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
    if (!design.choices)
        return hone_fail(err, HONE_ENOMEM, "out of memory for a start design of %zu",
                         more);
    for (size_t i = 0; i < *count; i++)
        hone_space_choices(space, points[i], design.choices + i * params);
    const uint64_t share = more ? all / more : 0;
    const uint64_t few = share > CANDIDATES ? CANDIDATES : share ? share : 1;
    while (*count < want && design.next + few <= all)
        *count += choose(&design, *count, few, points + *count);
    free(design.choices);
    return HONE_OK;
}
