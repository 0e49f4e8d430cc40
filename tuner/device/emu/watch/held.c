#include "held.h"

#include <stdlib.h>
#include <string.h>

enum { WORD = 4, SLOTS = 1 << 12, MOST_CHANGES = 1 << 16, NONE = UINT32_MAX };

// A word before and after an atomic operation.
struct change {
    uint64_t key;
    const uint8_t *memory; // until it is settled
    uint32_t before, after, lanes;
    uint32_t turn;          // changes of this word before it
    uint32_t earlier, next; // of this word, of its slot
    struct hone_emu_racer by;
    struct hone_emu_vector known;
};

struct history {
    struct change *changes;
    size_t count, cap;
    uint32_t slots[SLOTS]; // the last change of each, NONE
};

struct hone_emu_held {
    struct history now, last;
    size_t settled; // changes of now whose after is known
    bool full;
};

struct hone_emu_held *hone_emu_held_new(void)
{
    struct hone_emu_held *held = calloc(1, sizeof *held);
    if (!held) return NULL;
    memset(held->now.slots, 0xff, sizeof held->now.slots);
    memset(held->last.slots, 0xff, sizeof held->last.slots);
    return held;
}

void hone_emu_held_free(struct hone_emu_held *held)
{
    if (!held) return;
    free(held->now.changes);
    free(held->last.changes);
    free(held);
}

void hone_emu_held_begin(struct hone_emu_held *held)
{
    const struct history older = held->last;
    held->last = held->now;
    held->now = older;
    held->now.count = held->settled = 0;
    memset(held->now.slots, 0xff, sizeof held->now.slots);
}

bool hone_emu_held_is_full(const struct hone_emu_held *held)
{
    return held->full;
}

// ---- words ----

static uint64_t key_of(const struct hone_emu_racer *access, uint32_t word)
{
    const uint64_t space = access->shared ? access->block + UINT64_C(1) : 0;
    return space << 44 ^ (access->address / WORD + word);
}

static uint32_t slot_of(uint64_t key)
{
    return (uint32_t)((key * UINT64_C(0x9e3779b97f4a7c15)) >> 52) & (SLOTS - 1);
}

// The last change of a word; NULL: none.
static const struct change *last_change(const struct history *history, uint64_t key)
{
    uint32_t at = history->slots[slot_of(key)];
    while (at != NONE && history->changes[at].key != key)
        at = history->changes[at].next;
    return at == NONE ? NULL : &history->changes[at];
}

static const struct change *change_before(const struct history *history,
                                          const struct change *change)
{
    return change->earlier == NONE ? NULL : &history->changes[change->earlier];
}

static bool has_room(struct hone_emu_held *held)
{
    struct history *now = &held->now;
    if (now->count < now->cap) return true;
    const size_t wanted = now->cap ? now->cap * 2 : 256;
    void *grown = wanted > MOST_CHANGES
                      ? NULL
                      : realloc(now->changes, wanted * sizeof *now->changes);
    held->full |= grown == NULL;
    if (!grown) return false;
    now->changes = grown;
    now->cap = wanted;
    return true;
}

// Words of the access, whole ones: bytes within a word are told from its old value.
static uint32_t count_words(const struct hone_emu_racer *access)
{
    return (uint32_t)((access->address % WORD + access->bytes + WORD - 1) / WORD);
}

static void add_change(struct hone_emu_held *held, const struct change *change)
{
    struct history *now = &held->now;
    const struct change *earlier = last_change(now, change->key);
    const uint32_t before = earlier ? (uint32_t)(earlier - now->changes) : NONE;
    const uint32_t turn = earlier ? earlier->turn + 1 : 0;
    if (!has_room(held)) return;
    uint32_t *slot = &now->slots[slot_of(change->key)];
    now->changes[now->count] = *change;
    now->changes[now->count].earlier = before;
    now->changes[now->count].turn = turn;
    now->changes[now->count].next = *slot;
    *slot = (uint32_t)now->count++;
}

void hone_emu_held_change(struct hone_emu_held *held, const struct hone_emu_racer *by,
                          uint32_t lanes, const struct hone_emu_vector *known,
                          const uint8_t *memory)
{
    struct change change = {.lanes = lanes, .by = *by, .known = *known};
    const uint8_t *first = memory - by->address % WORD;
    for (uint32_t k = 0; k < count_words(by); k++) {
        change.key = key_of(by, k);
        change.memory = first + (size_t)k * WORD;
        memcpy(&change.before, change.memory, WORD);
        add_change(held, &change);
    }
}

void hone_emu_held_settle(struct hone_emu_held *held)
{
    struct history *now = &held->now;
    for (; held->settled < now->count; held->settled++) {
        struct change *change = &now->changes[held->settled];
        memcpy(&change->after, change->memory, WORD);
    }
}

// Those of word k that are the load's become what value says.
static void put_word(const struct hone_emu_racer *load, uint32_t k, uint32_t value,
                     uint8_t *bytes)
{
    const uint8_t *from = (const uint8_t *)&value;
    const uint64_t base = load->address / WORD * WORD + (uint64_t)k * WORD;
    for (uint32_t b = 0; b < WORD; b++)
        if (base + b - load->address < load->bytes)
            bytes[base + b - load->address] = from[b];
}

// ---- what a load may get ----

// A change by lanes that the load's own is among comes before it, or after.
static struct hone_emu_racer as_seen_by(const struct change *change,
                                        const struct hone_emu_racer *load)
{
    struct hone_emu_racer by = change->by;
    const uint32_t lane = hone_emu_stamp_lane(load->stamp);
    const bool own = by.block == load->block &&
                     hone_emu_stamp_warp(by.stamp) == hone_emu_stamp_warp(load->stamp) &&
                     lane < HONE_EMU_LANES && change->lanes >> lane & 1;
    if (own) by.stamp = (by.stamp & ~(hone_emu_stamp)HONE_EMU_LANE_BITS) | lane << 1;
    return by;
}

void hone_emu_held_oldest(const struct hone_emu_held *held,
                          const struct hone_emu_racer *load, hone_emu_has_come *has_come,
                          const void *context, uint8_t *bytes)
{
    const struct history *now = &held->now;
    for (uint32_t k = 0; k < count_words(load); k++) {
        const struct change *change = last_change(now, key_of(load, k));
        for (; change; change = change_before(now, change)) {
            const struct hone_emu_racer by = as_seen_by(change, load);
            if (has_come(context, &by, load)) break;
            put_word(load, k, change->before, bytes);
        }
    }
}

// Does the change come after the load? Between blocks any signal that the change's block
// has got since the load is taken to be of the load's.
static bool comes_after(const struct change *change, const struct hone_emu_racer *load)
{
    const struct hone_emu_racer by = as_seen_by(change, load);
    if (by.block != load->block)
        return change->known.clocks[HONE_EMU_WORLD] > load->world;
    return hone_emu_known(&change->known, load->stamp, hone_emu_stamp_warp(by.stamp),
                          hone_emu_stamp_lane(by.stamp));
}

void hone_emu_held_newest(const struct hone_emu_held *held,
                          const struct hone_emu_racer *load, uint8_t *bytes)
{
    for (uint32_t k = 0; k < count_words(load); k++) {
        const uint64_t key = key_of(load, k);
        const struct change *here = last_change(&held->now, key), *after = NULL;
        const struct change *change = last_change(&held->last, key), *last = change;
        const uint32_t turn = here ? here->turn + 1 : 0;
        for (; change && change->turn >= turn;
             change = change_before(&held->last, change))
            if (comes_after(change, load)) after = change;
        if (after && after->turn > turn) put_word(load, k, after->before, bytes);
        if (!after && last && last->turn >= turn) put_word(load, k, last->after, bytes);
    }
}
