// Moves: random neighbours, and a repair that stays within the constraints by walking
// from a valid configuration instead of searching around an invalid one.
#include "moves.h"

#include <stdlib.h>

enum { WANDER_TRIES = 32 };

enum hone_status hone_moves_init(struct hone_moves *moves, const struct hone_space *space,
                                 struct hone_error *err)
{
    const size_t count = hone_space_param_count(space) + 1;
    moves->space = space;
    moves->at = calloc(count, sizeof *moves->at);
    moves->target = calloc(count, sizeof *moves->target);
    if (moves->at && moves->target) return HONE_OK;
    hone_moves_fini(moves);
    return hone_no_memory(err, "for the moves of a strategy");
}

void hone_moves_fini(struct hone_moves *moves)
{
    free(moves->ring);
    free(moves->at);
    free(moves->target);
    *moves = (struct hone_moves){0};
}

void hone_moves_look(struct hone_moves *moves, uint64_t index,
                     enum hone_neighbourhood kind)
{
    const struct hone_space *space = moves->space;
    size_t n = hone_space_neighbours(space, index, kind, moves->ring, moves->ring_cap);
    moves->ring_count = n;
    if (n <= moves->ring_cap) return;
    moves->ring_count = 0;
    uint64_t *ring = realloc(moves->ring, n * sizeof *ring);
    if (!ring) return;
    moves->ring = ring;
    moves->ring_cap = n;
    moves->ring_count = hone_space_neighbours(space, index, kind, ring, n);
}

bool hone_moves_step(struct hone_moves *moves, struct hone_search *search, uint64_t index,
                     enum hone_neighbourhood kind, bool unseen, uint64_t *out)
{
    size_t kept = 0;
    hone_moves_look(moves, index, kind);
    for (size_t i = 0; i < moves->ring_count; i++)
        if (!unseen || !hone_search_seen(search, moves->ring[i]))
            moves->ring[kept++] = moves->ring[i];
    moves->ring_count = kept;
    if (!kept) return false;
    *out = moves->ring[hone_rng_below(hone_search_rng(search), kept)];
    return true;
}

uint64_t hone_moves_wander(struct hone_moves *moves, struct hone_rng *rng, uint64_t index)
{
    const struct hone_space *space = moves->space;
    hone_space_choices(space, index, moves->at);
    for (int i = 0; i < WANDER_TRIES; i++) {
        const size_t p = (size_t)hone_rng_below(rng, hone_space_param_count(space));
        const size_t values = hone_space_param(space, p)->count;
        const uint16_t before = moves->at[p];
        uint64_t out;
        if (values < 2) continue;
        moves->at[p] =
            (uint16_t)((before + 1 + hone_rng_below(rng, values - 1)) % values);
        if (hone_space_index(space, moves->at, &out) == HONE_OK) return out;
        moves->at[p] = before;
    }
    return index;
}

// Bring one parameter nearer to its target, halving the way until the constraints allow
// it. False when it stays.
static bool approach(struct hone_moves *moves, const struct hone_space *space, size_t i,
                     uint64_t *index)
{
    const int at = moves->at[i];
    for (int gap = moves->target[i] - at; gap; gap /= 2) {
        moves->at[i] = (uint16_t)(at + gap);
        if (hone_space_index(space, moves->at, index) == HONE_OK) return true;
    }
    moves->at[i] = (uint16_t)at;
    return false;
}

uint64_t hone_moves_towards(struct hone_moves *moves, struct hone_rng *rng, uint64_t from)
{
    const struct hone_space *space = moves->space;
    const size_t count = hone_space_param_count(space);
    uint64_t index = from;
    if (hone_space_index(space, moves->target, &index) == HONE_OK) return index;
    index = from;
    hone_space_choices(space, from, moves->at);
    bool moved = true;
    // Each round brings a parameter nearer by half of its gap at least once, and 16
    // halvings close any; so many rounds help only where parameters wait for each other.
    for (size_t round = 0; moved && round < count; round++) {
        moved = false;
        size_t first = (size_t)hone_rng_below(rng, count);
        for (size_t i = 0; i < count; i++)
            moved |= approach(moves, space, (first + i) % count, &index);
    }
    return index;
}
