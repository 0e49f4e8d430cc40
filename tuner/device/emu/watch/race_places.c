// Which signals a strong load can have seen: those that there had been when somebody last
// made a strong store to its place. So who waits for one flag does not hear of another
// one that was raised later. Where blocks are not watched nothing is known of places.
#include <stdlib.h>

#include "race_global.h"

enum { PLACE = 4, FIRST = 256, MOST = 1 << 20 };

static size_t slot_of(const struct hone_emu_place_signals *places, uint64_t place)
{
    size_t at = (size_t)((place * UINT64_C(0x9e3779b97f4a7c15)) >> 32) % places->cap;
    while (places->slots[at].place && places->slots[at].place != place)
        at = (at + 1) % places->cap;
    return at;
}

static bool makes_room(struct hone_emu_place_signals *places)
{
    if (2 * (places->count + 1) <= places->cap) return true;
    const struct hone_emu_place_signals old = *places;
    places->cap = old.cap ? 2 * old.cap : FIRST;
    places->slots =
        places->cap <= MOST ? calloc(places->cap, sizeof *places->slots) : NULL;
    places->full = !places->slots;
    for (size_t i = 0; i < old.cap && !places->full; i++)
        if (old.slots[i].place)
            places->slots[slot_of(places, old.slots[i].place)] = old.slots[i];
    free(old.slots);
    return !places->full;
}

static void mark(struct hone_emu_place_signals *places, uint64_t place, uint32_t signals)
{
    if (!makes_room(places)) return;
    struct hone_emu_place_signal *slot = &places->slots[slot_of(places, place)];
    places->count += slot->place == 0;
    *slot = (struct hone_emu_place_signal){place, signals};
}

// Nobody marks what blocks store that are not watched: all signals are seen at once, and
// one of theirs may have been there before any other.
void hone_emu_global_races_sample(struct hone_emu_global_races *races)
{
    races->places.full = true;
    races->signals = 1;
}

void hone_emu_global_races_mark(struct hone_emu_global_races *races,
                                const struct hone_emu_touch *touch)
{
    races->counted = races->signals;
    for (uint32_t m = touch->mask; m && !races->places.full; m &= m - 1) {
        const uint64_t at = touch->addresses[__builtin_ctz(m)];
        for (uint64_t k = at / PLACE; k <= (at + touch->bytes - 1) / PLACE; k++)
            if (!races->places.full) mark(&races->places, k + 1, races->signals);
    }
}

uint32_t hone_emu_global_races_marked(struct hone_emu_global_races *races,
                                      const struct hone_emu_touch *touch)
{
    const struct hone_emu_place_signals *places = &races->places;
    uint32_t signals = 0;
    if (places->full) return races->counted = races->signals;
    if (places->count == 0) return 0;
    for (uint32_t m = touch->mask; m; m &= m - 1) {
        const uint64_t at = touch->addresses[__builtin_ctz(m)];
        for (uint64_t k = at / PLACE; k <= (at + touch->bytes - 1) / PLACE; k++)
            hone_emu_advance(&signals, places->slots[slot_of(places, k + 1)].signals);
    }
    return signals;
}
