// Distance: parameters that differ, and where that is the same, how far their values are
// apart in their lists.
#include "nearest.h"

#include <math.h>
#include <stdlib.h>

#include "base/grow.h"
#include "hone/rng.h"

enum { SAMPLE = 4096 };

struct walk {
    const struct hone_space *space;
    const uint16_t *wanted;
    uint16_t *choices;
    uint64_t *ring; // sample, then neighbours
    size_t ring_cap;
};

static double distance(const struct walk *walk, uint64_t index)
{
    const size_t count = hone_space_param_count(walk->space);
    double sum = 0;
    hone_space_choices(walk->space, index, walk->choices);
    for (size_t i = 0; i < count; i++) {
        const int gap = (int)walk->choices[i] - (int)walk->wanted[i];
        if (walk->wanted[i] == HONE_ANY_CHOICE || gap == 0) continue;
        const double values = (double)hone_space_param(walk->space, i)->count;
        sum += 1 + abs(gap) / values / (double)count; // the gaps together stay below 1
    }
    return sum;
}

// The nearest of what is in the ring, if it is nearer than *least; ties go to the first.
static bool improve(const struct walk *walk, size_t count, uint64_t *index, double *least)
{
    bool improved = false;
    for (size_t i = 0; i < count; i++) {
        const double d = distance(walk, walk->ring[i]);
        if (d >= *least) continue;
        *least = d;
        *index = walk->ring[i];
        improved = true;
    }
    return improved;
}

static bool fill_ring(struct walk *walk, uint64_t index, size_t *count)
{
    *count = hone_space_neighbours(walk->space, index, HONE_HAMMING, walk->ring,
                                   walk->ring_cap);
    if (*count <= walk->ring_cap) return true;
    if (!HONE_GROW(&walk->ring, &walk->ring_cap, *count, 1)) return false;
    hone_space_neighbours(walk->space, index, HONE_HAMMING, walk->ring, *count);
    return true;
}

static enum hone_status descend(struct walk *walk, uint64_t *index,
                                struct hone_error *err)
{
    struct hone_rng rng;
    hone_rng_seed(&rng, 1);
    double least = HUGE_VAL;
    size_t count = hone_space_sample(walk->space, &rng, walk->ring, walk->ring_cap);
    if (!count) return hone_fail(err, HONE_ENOTFOUND, "the space has no configuration");
    while (improve(walk, count, index, &least) && least > 0)
        if (!fill_ring(walk, *index, &count))
            return hone_no_memory(err, "for %zu neighbours", count);
    return HONE_OK;
}

enum hone_status hone_nearest(uint64_t *index, const struct hone_space *space,
                              const uint16_t *wanted, struct hone_error *err)
{
    struct walk walk = {.space = space, .wanted = wanted, .ring_cap = SAMPLE};
    walk.choices = calloc(hone_space_param_count(space) + 1, sizeof *walk.choices);
    walk.ring = calloc(SAMPLE, sizeof *walk.ring);
    enum hone_status status = walk.choices && walk.ring
                                  ? descend(&walk, index, err)
                                  : hone_no_memory(err, "for a nearest configuration");
    free(walk.choices);
    free(walk.ring);
    return status;
}
