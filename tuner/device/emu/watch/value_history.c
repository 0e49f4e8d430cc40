#include "value_history.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

enum { WORD = 4, SLOTS = 1 << 12, MOST_CHANGES = 1 << 18, NONE = UINT32_MAX };

// Changes that all loads of a run are compared with take a second or two at most.
static const uint64_t most_steps = UINT64_C(1) << 27;

// A word before and after an atomic operation.
struct change {
    uint64_t key;
    const uint8_t *memory; // until it is settled
    uint32_t before, after, lanes;
    uint32_t turn;          // changes of this word before it
    uint32_t event;         // the operation, by its number in the run
    uint32_t earlier, next; // of this word, of its slot
    struct hone_emu_racer by;
    struct hone_emu_vector known;
};

struct history {
    struct change *changes;
    size_t count, cap;
    uint32_t slots[SLOTS]; // the last change of each, NONE
};

// Changes of a word that a load may come before, back from the last one in this run, and
// after, back from the last one in the run before.
struct window {
    const struct change *here, *last;
    uint32_t old_count, new_count;
};

// A window is the same for lanes of an access that have made the same changes in it.
struct seen {
    uint64_t key;
    uint32_t block, world;
    hone_emu_stamp stamp; // of no lane
    size_t count;         // of changes
    uint32_t lanes;       // that it is the same for
    struct window window;
};

struct hone_emu_history {
    struct history now, last;
    size_t settled; // changes of now whose after is known
    uint32_t events;
    uint64_t steps;
    struct seen seen;
    bool full;
};

struct hone_emu_history *hone_emu_history_new(void)
{
    struct hone_emu_history *history = calloc(1, sizeof *history);
    if (!history) return NULL;
    memset(history->now.slots, 0xff, sizeof history->now.slots);
    memset(history->last.slots, 0xff, sizeof history->last.slots);
    return history;
}

void hone_emu_history_free(struct hone_emu_history *history)
{
    if (!history) return;
    free(history->now.changes);
    free(history->last.changes);
    free(history);
}

void hone_emu_history_begin(struct hone_emu_history *history, bool keeps)
{
    const struct history older = history->last;
    if (keeps) {
        history->last = history->now;
        history->now = older;
    }
    history->now.count = history->settled = 0;
    history->events = 0;
    history->steps = 0;
    history->seen = (struct seen){.count = SIZE_MAX};
    memset(history->now.slots, 0xff, sizeof history->now.slots);
}

bool hone_emu_history_is_full(const struct hone_emu_history *history)
{
    return history->full;
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

static bool has_room(struct hone_emu_history *history)
{
    struct history *now = &history->now;
    const bool fits = now->count < MOST_CHANGES &&
                      HONE_GROW(&now->changes, &now->cap, now->count + 1, 256);
    history->full |= !fits;
    return fits;
}

// Words of the access, whole ones: bytes within a word are told from its old value.
static uint32_t count_words(const struct hone_emu_racer *access)
{
    return (uint32_t)((access->address % WORD + access->bytes + WORD - 1) / WORD);
}

static void add_change(struct hone_emu_history *history, const struct change *change)
{
    struct history *now = &history->now;
    const struct change *earlier = last_change(now, change->key);
    const uint32_t before = earlier ? (uint32_t)(earlier - now->changes) : NONE;
    const uint32_t turn = earlier ? earlier->turn + 1 : 0;
    if (!has_room(history)) return;
    uint32_t *slot = &now->slots[slot_of(change->key)];
    now->changes[now->count] = *change;
    now->changes[now->count].earlier = before;
    now->changes[now->count].turn = turn;
    now->changes[now->count].next = *slot;
    *slot = (uint32_t)now->count++;
}

void hone_emu_history_change(struct hone_emu_history *history,
                             const struct hone_emu_racer *by, uint32_t lanes,
                             const struct hone_emu_vector *known, const uint8_t *memory)
{
    struct change change = {
        .lanes = lanes, .by = *by, .known = *known, .event = ++history->events};
    const uint8_t *first = memory - by->address % WORD;
    for (uint32_t k = 0; k < count_words(by); k++) {
        change.key = key_of(by, k);
        change.memory = first + (size_t)k * WORD;
        memcpy(&change.before, change.memory, WORD);
        add_change(history, &change);
    }
}

void hone_emu_history_settle(struct hone_emu_history *history)
{
    struct history *now = &history->now;
    for (; history->settled < now->count; history->settled++) {
        struct change *change = &now->changes[history->settled];
        memcpy(&change->after, change->memory, WORD);
    }
}

// The bytes of word k that the load takes become those of value.
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

// Does the change come after the load? Between blocks any signal that the change's block
// has got since the load is taken to be of the load's.
static bool comes_after(const struct change *change, const struct hone_emu_racer *load)
{
    const struct hone_emu_racer by = as_seen_by(change, load);
    if (by.block != load->block)
        return hone_emu_last_heard(change->known.clocks) > load->world;
    return hone_emu_known(&change->known, load->stamp, hone_emu_stamp_warp(by.stamp),
                          hone_emu_stamp_lane(by.stamp));
}

// To which lanes of the load's warp is the change what it is to the load's own?
// One that may have come depends on what each lane knows, where it is not its own.
static uint32_t lanes_alike(const struct change *change,
                            const struct hone_emu_racer *load, bool may_have_come)
{
    const uint32_t lane = hone_emu_stamp_lane(load->stamp);
    if (change->by.block != load->block ||
        hone_emu_stamp_warp(change->by.stamp) != hone_emu_stamp_warp(load->stamp))
        return UINT32_MAX;
    if (lane >= HONE_EMU_LANES) return 0;
    if (change->lanes >> lane & 1) return change->lanes;
    return may_have_come ? UINT32_C(1) << lane : ~change->lanes;
}

static struct window look_through(struct hone_emu_history *history, uint64_t key,
                                  const struct hone_emu_racer *load,
                                  hone_emu_has_come *has_come, const void *context,
                                  uint32_t *lanes)
{
    struct window window = {.here = last_change(&history->now, key),
                            .last = last_change(&history->last, key)};
    const struct change *after = NULL, *change = window.here;
    const uint32_t turn = change ? change->turn + 1 : 0;
    for (; change; change = change_before(&history->now, change), window.old_count++) {
        const struct hone_emu_racer by = as_seen_by(change, load);
        *lanes &= lanes_alike(change, load, true);
        history->steps++;
        if (has_come(context, &by, load)) break;
    }
    change = window.last;
    for (; change && change->turn >= turn;
         change = change_before(&history->last, change)) {
        *lanes &= lanes_alike(change, load, false);
        history->steps++;
        if (comes_after(change, load)) after = change;
    }
    if (after) window.last = change_before(&history->last, after);
    if (window.last && window.last->turn >= turn)
        window.new_count = window.last->turn - turn + 1;
    return window;
}

static struct window window_of(struct hone_emu_history *history, uint32_t k,
                               const struct hone_emu_racer *load,
                               hone_emu_has_come *has_come, const void *context)
{
    const struct seen now = {.key = key_of(load, k),
                             .block = load->block,
                             .world = load->world,
                             .stamp = load->stamp & ~(hone_emu_stamp)HONE_EMU_LANE_BITS,
                             .count = history->now.count};
    struct seen *seen = &history->seen;
    const uint32_t lane = hone_emu_stamp_lane(load->stamp) % HONE_EMU_LANES;
    uint32_t lanes = UINT32_MAX;
    if (seen->lanes >> lane & 1 && seen->key == now.key && seen->block == now.block &&
        seen->world == now.world && seen->stamp == now.stamp && seen->count == now.count)
        return seen->window;
    history->full |= history->steps > most_steps;
    if (history->full) return (struct window){0};
    const struct window window =
        look_through(history, now.key, load, has_come, context, &lanes);
    *seen = now;
    seen->window = window;
    seen->lanes = lanes;
    return window;
}

// The word as it was before the operation event of this run, as far as the window goes.
static void put_old(const struct hone_emu_history *history, const struct window *window,
                    const struct hone_emu_racer *load, uint32_t k, uint32_t event,
                    uint8_t *bytes)
{
    const struct change *change = window->here, *first = NULL;
    for (uint32_t n = 0; n < window->old_count && change->event >= event; n++) {
        first = change;
        change = change_before(&history->now, change);
    }
    if (first) put_word(load, k, first->before, bytes);
}

// The same after an operation of the run before.
static void put_new(const struct hone_emu_history *history, const struct window *window,
                    const struct hone_emu_racer *load, uint32_t k, uint32_t event,
                    uint8_t *bytes)
{
    const struct change *change = window->last;
    uint32_t n = window->new_count;
    for (; n > 0 && change->event > event; n--)
        change = change_before(&history->last, change);
    if (n > 0) put_word(load, k, change->after, bytes);
}

void hone_emu_history_oldest(struct hone_emu_history *history,
                             const struct hone_emu_racer *load,
                             hone_emu_has_come *has_come, const void *context,
                             uint8_t *bytes)
{
    for (uint32_t k = 0; k < count_words(load); k++) {
        const struct window window = window_of(history, k, load, has_come, context);
        put_old(history, &window, load, k, 0, bytes);
    }
}

void hone_emu_history_newest(struct hone_emu_history *history,
                             const struct hone_emu_racer *load,
                             hone_emu_has_come *has_come, const void *context,
                             uint8_t *bytes)
{
    for (uint32_t k = 0; k < count_words(load); k++) {
        const struct window window = window_of(history, k, load, has_come, context);
        put_new(history, &window, load, k, UINT32_MAX, bytes);
    }
}

// That of the change n before this one.
static uint32_t event_before(const struct history *history, const struct change *change,
                             uint32_t n)
{
    while (n-- > 0)
        change = change_before(history, change);
    return change->event;
}

void hone_emu_history_between(struct hone_emu_history *history,
                              const struct hone_emu_racer *load,
                              hone_emu_has_come *has_come, const void *context,
                              uint32_t rank, uint8_t *bytes)
{
    enum { MOST_WORDS = 9 }; // of 32 bytes, wherever they begin
    struct window windows[MOST_WORDS] = {{0}}, *most = &windows[0];
    const uint32_t words = count_words(load);
    for (uint32_t k = 0; k < words && k < MOST_WORDS; k++) {
        windows[k] = window_of(history, k, load, has_come, context);
        if (windows[k].old_count + windows[k].new_count >
            most->old_count + most->new_count)
            most = &windows[k];
    }
    const uint32_t at = rank % (most->old_count + 1 + most->new_count);
    const bool old = at < most->old_count;
    if (at == most->old_count) return; // as memory is now
    const uint32_t event =
        old ? event_before(&history->now, most->here, most->old_count - 1 - at)
            : event_before(&history->last, most->last,
                           most->new_count - (at - most->old_count));
    for (uint32_t k = 0; k < words && k < MOST_WORDS; k++)
        (old ? put_old : put_new)(history, &windows[k], load, k, event, bytes);
}
