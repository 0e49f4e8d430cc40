// Blocks that are watched and what orders them: one that fences and then signals tells
// what it did to those that make a strong load after that and then fence. Blocks of a
// cluster tell each other more, at their barrier and at objects; to others that goes only
// with a signal of one that knows it.
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "race_global.h"

int64_t hone_emu_global_races_enter(struct hone_emu_global_races *races,
                                    const uint32_t id[3], uint32_t rank)
{
    if (races->count > HONE_EMU_MOST_BLOCKS) return -1;
    if (!HONE_GROW(&races->blocks, &races->cap, races->count + 1, 16)) return -1;
    const uint32_t number = (uint32_t)races->count++;
    races->blocks[number] =
        (struct hone_emu_race_block){.id = {id[0], id[1], id[2]}, .first = number - rank};
    return number;
}

void hone_emu_race_blocks_free(struct hone_emu_global_races *races)
{
    for (size_t i = 0; i < races->count; i++)
        for (int to = 0; to < HONE_EMU_AUDIENCES; to++) {
            free(races->blocks[i].told[to].fences);
            free(races->blocks[i].told[to].signals);
        }
    free(races->blocks);
}

// ---- what a block tells ----

static uint32_t later(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

// The signal is out: what it says of fences is kept where it is more than before.
static void note_fences(const struct hone_emu_global_races *races,
                        struct hone_emu_tidings *tidings)
{
    const struct hone_emu_vector *told = &tidings->all;
    uint32_t fenced[HONE_EMU_CLOCKS], any = 0;
    for (uint32_t k = 0; k < HONE_EMU_CLOCKS; k++)
        any |= fenced[k] = later(told->fenced[k], told->published[k]);
    if (!any) return;
    if (!tidings->fences) tidings->fences = calloc(1, sizeof *tidings->fences);
    struct hone_emu_fence_signals *fences = tidings->fences;
    tidings->forgets = tidings->forgets || !fences;
    if (!fences) return;
    const uint32_t last = (fences->count - 1) % HONE_EMU_FENCE_SIGNALS;
    if (fences->count && !memcmp(fences->fenced[last], fenced, sizeof fenced)) return;
    if (fences->count && fences->signals[last] > races->counted) fences->count--;
    const uint32_t next = fences->count++ % HONE_EMU_FENCE_SIGNALS;
    fences->signals[next] = races->signals;
    memcpy(fences->fenced[next], fenced, sizeof fenced);
}

// One more signal than there is room for?
static bool makes_room(struct hone_emu_global_races *races,
                       struct hone_emu_tidings *tidings, size_t need)
{
    const size_t old = tidings->signal_cap, each = sizeof *tidings->signals;
    if (need <= old) return true;
    if (races->pages.bytes + need * each > hone_emu_most_race_bytes) return false;
    if (!HONE_GROW(&tidings->signals, &tidings->signal_cap, need, 1)) return false;
    races->pages.bytes += (tidings->signal_cap - old) * each;
    return true;
}

// Nobody can have heard some of them apart, such as those of one instruction's lanes: the
// last one is kept.
static void note_signal(struct hone_emu_global_races *races,
                        struct hone_emu_tidings *tidings)
{
    const uint32_t last = (tidings->signal_count - 1) % HONE_EMU_BLOCK_SIGNALS;
    if (tidings->signal_count && tidings->signals[last].number > races->counted)
        tidings->signal_count--;
    const uint32_t next = tidings->signal_count % HONE_EMU_BLOCK_SIGNALS;
    tidings->forgets = tidings->forgets || !makes_room(races, tidings, next + 1);
    if (tidings->forgets) return;
    tidings->signals[next].number = races->signals;
    tidings->signals[next].told = tidings->all;
    tidings->signal_count++;
}

static void add_told(struct hone_emu_global_races *races,
                     struct hone_emu_tidings *tidings, const struct hone_emu_clocks *told,
                     const struct hone_emu_vector *by)
{
    hone_emu_clocks_join(&tidings->all.known, told);
    hone_emu_order_join_rest(&tidings->all, by);
    tidings->any = races->told = true;
    note_signal(races, tidings);
    note_fences(races, tidings);
}

// What the block had told when there had been so many signals of all; as of the oldest
// that is kept where that was earlier. NULL: nothing.
static const struct hone_emu_vector *told_at(const struct hone_emu_tidings *tidings,
                                             uint32_t signals)
{
    const uint32_t count = tidings->signal_count;
    const uint32_t kept = count < HONE_EMU_BLOCK_SIGNALS ? count : HONE_EMU_BLOCK_SIGNALS;
    if (!signals || !tidings->any) return NULL;
    if (tidings->forgets) return &tidings->all;
    for (uint32_t k = 1; k <= kept; k++) {
        const struct hone_emu_block_signal *signal =
            &tidings->signals[(count - k) % HONE_EMU_BLOCK_SIGNALS];
        if (signal->number <= signals) return &signal->told;
    }
    return count > kept ? &tidings->signals[count % HONE_EMU_BLOCK_SIGNALS].told : NULL;
}

// What the others of its cluster told that audience up to a signal goes to another one.
static void hand_on(struct hone_emu_global_races *races, uint32_t number,
                    enum hone_emu_audience from, uint32_t signal,
                    enum hone_emu_audience to)
{
    struct hone_emu_race_block *blocks = races->blocks, *by = &blocks[number];
    uint32_t *passed = to == HONE_EMU_TO_ALL ? by->passed : by->passed_near;
    if (signal <= passed[from]) return;
    for (uint32_t k = by->first; k < races->count && blocks[k].first == by->first; k++) {
        if (k == number) continue;
        struct hone_emu_tidings *told = blocks[k].told;
        const struct hone_emu_vector *all = told_at(&told[from], signal);
        if (all) add_told(races, &told[to], &all->known, all);
    }
    passed[from] = signal;
}

// What they told the block's thread goes on with its signal: up to the signal that its
// fence came behind all of it, up to the one that it has heard of what was behind fences
// of theirs.
static void pass_on(struct hone_emu_global_races *races, uint32_t number,
                    const struct hone_emu_clocks *fenced,
                    const struct hone_emu_vector *heard, enum hone_emu_audience to)
{
    hand_on(races, number, HONE_EMU_TO_CLUSTER, fenced->clocks[HONE_EMU_CLUSTER], to);
    if (to != HONE_EMU_TO_NEAR)
        hand_on(races, number, HONE_EMU_TO_NEAR, fenced->clocks[HONE_EMU_NEAR], to);
    hand_on(races, number, HONE_EMU_FENCED_TO_CLUSTER, heard->clocks[HONE_EMU_CLUSTER],
            to);
}

static void signal_to(struct hone_emu_global_races *races, uint32_t number,
                      const struct hone_emu_clocks *told,
                      const struct hone_emu_vector *by, enum hone_emu_audience to)
{
    struct hone_emu_race_block *block = &races->blocks[number];
    struct hone_emu_heard *heard = &races->blocks[block->first].heard;
    races->signals++;
    add_told(races, &block->told[to], told, by);
    hone_emu_advance(&heard->world, told->clocks[HONE_EMU_WORLD]);
    pass_on(races, number, told, by, to);
}

void hone_emu_global_races_signal(struct hone_emu_global_races *races, uint32_t number,
                                  const struct hone_emu_clocks *told,
                                  const struct hone_emu_vector *by)
{
    signal_to(races, number, told, by, HONE_EMU_TO_ALL);
}

void hone_emu_global_races_signal_near(struct hone_emu_global_races *races,
                                       uint32_t number,
                                       const struct hone_emu_clocks *told,
                                       const struct hone_emu_vector *by)
{
    signal_to(races, number, told, by, HONE_EMU_TO_NEAR);
}

void hone_emu_global_races_signal_cluster(struct hone_emu_global_races *races,
                                          uint32_t number,
                                          const struct hone_emu_clocks *told,
                                          const struct hone_emu_news *news,
                                          const struct hone_emu_vector *by)
{
    struct hone_emu_race_block *block = &races->blocks[number];
    struct hone_emu_heard *heard = &races->blocks[block->first].heard;
    races->signals++;
    add_told(races, &block->told[HONE_EMU_TO_CLUSTER], told, by);
    hone_emu_advance(&heard->world, told->clocks[HONE_EMU_WORLD]);
    hone_emu_advance(&heard->seen, news->seen[HONE_EMU_ALL_BLOCKS]);
    if (!news->any) return;
    heard->fenced = true;
    add_told(races, &block->told[HONE_EMU_FENCED_TO_CLUSTER],
             &news->fenced[HONE_EMU_ALL_BLOCKS], by);
}

// ---- what others know of it ----

uint32_t hone_emu_global_races_world(const struct hone_emu_global_races *races)
{
    return races->signals;
}

struct hone_emu_heard hone_emu_global_races_heard(struct hone_emu_global_races *races,
                                                  uint32_t block)
{
    struct hone_emu_heard heard = races->blocks[races->blocks[block].first].heard;
    heard.cluster = heard.near = races->counted = races->signals;
    heard.by_near = heard.world;
    return heard;
}

uint32_t hone_emu_global_races_known_near(const struct hone_emu_global_races *races,
                                          uint32_t block)
{
    if (races->places.full) return races->signals; // any of them may be known
    return races->blocks[races->blocks[block].first].heard.world;
}

// The last signal to that audience that the knower may have heard of: of a block of its
// own cluster by either way. 0: none.
static uint32_t heard_of(const struct hone_emu_global_races *races, uint32_t block,
                         enum hone_emu_audience to, struct hone_emu_knower by)
{
    const uint32_t *clocks = by.known->clocks;
    if (block >= races->count) return 0; // it has not begun in this run
    const bool near = hone_emu_are_near(races, block, by.block);
    if (to == HONE_EMU_TO_ALL)
        return near ? hone_emu_last_heard(clocks) : clocks[HONE_EMU_WORLD];
    if (!near) return 0;
    return clocks[to == HONE_EMU_TO_NEAR ? HONE_EMU_NEAR : HONE_EMU_CLUSTER];
}

// What the block told that audience, since there were world signals, as the knower has
// heard; NULL: nothing.
static const struct hone_emu_vector *told_to(const struct hone_emu_global_races *races,
                                             uint32_t block, enum hone_emu_audience to,
                                             uint32_t world, struct hone_emu_knower by)
{
    const uint32_t heard = heard_of(races, block, to, by);
    return heard > world ? told_at(&races->blocks[block].told[to], heard) : NULL;
}

const struct hone_emu_vector *
hone_emu_global_races_told(const struct hone_emu_global_races *races, uint32_t block,
                           struct hone_emu_knower by)
{
    return told_to(races, block, HONE_EMU_TO_CLUSTER, 0, by);
}

const struct hone_emu_vector *
hone_emu_global_races_returned(const struct hone_emu_global_races *races,
                               struct hone_emu_knower by)
{
    const struct hone_emu_race_block *blocks = races->blocks, *own = &blocks[by.block];
    uint32_t heard = 0; // signals that those had heard of when they told
    if (!own->told[HONE_EMU_TO_CLUSTER].any) return NULL;
    for (uint32_t k = own->first; k < races->count && blocks[k].first == own->first; k++)
        for (uint32_t to = 0; k != by.block && to < HONE_EMU_FENCED_TO_CLUSTER; to++) {
            const struct hone_emu_vector *told =
                told_to(races, k, (enum hone_emu_audience)to, 0, by);
            if (told) heard = later(heard, told->clocks[HONE_EMU_CLUSTER]);
        }
    return told_at(&own->told[HONE_EMU_TO_CLUSTER], heard);
}

typedef bool has_access(const struct hone_emu_vector *told, hone_emu_stamp stamp);

// By what it told all, or its cluster, by one of the ways.
static inline bool has_told_of(const struct hone_emu_global_races *races, uint32_t block,
                               hone_emu_stamp stamp, uint32_t world,
                               struct hone_emu_knower by, has_access *has)
{
    for (uint32_t to = 0; races->told && to < HONE_EMU_FENCED_TO_CLUSTER; to++) {
        const struct hone_emu_vector *told =
            told_to(races, block, (enum hone_emu_audience)to, world, by);
        if (told && has(told, stamp)) return true;
    }
    return false;
}

bool hone_emu_global_races_ordered(const struct hone_emu_global_races *races,
                                   uint32_t block, hone_emu_stamp stamp, uint32_t world,
                                   struct hone_emu_knower by)
{
    return has_told_of(races, block, stamp, world, by, hone_emu_vector_has);
}

bool hone_emu_global_races_ordered_load(const struct hone_emu_global_races *races,
                                        uint32_t block, hone_emu_stamp stamp,
                                        uint32_t world, struct hone_emu_knower by)
{
    return has_told_of(races, block, stamp, world, by, hone_emu_vector_has_load);
}

bool hone_emu_global_races_polled(const struct hone_emu_global_races *races,
                                  hone_emu_trace trace,
                                  const struct hone_emu_order *order,
                                  struct hone_emu_knower by)
{
    const struct hone_emu_accesses *load = hone_emu_log_at(&races->log, trace);
    const hone_emu_stamp stamp = hone_emu_log_stamp(&races->log, trace);
    const struct hone_emu_news *news = &order->news[by.known - order->warps];
    struct hone_emu_vector seen = *by.known;
    if (load->block == by.block || !hone_emu_stamp_strong(stamp)) return false;
    hone_emu_advance(&seen.clocks[HONE_EMU_WORLD], news->seen[HONE_EMU_ALL_BLOCKS]);
    hone_emu_advance(&seen.clocks[HONE_EMU_CLUSTER], news->seen_near);
    hone_emu_advance(&seen.clocks[HONE_EMU_NEAR], news->seen[HONE_EMU_OWN_CLUSTER]);
    by.known = &seen;
    return hone_emu_global_races_ordered(races, load->block, stamp, load->world, by);
}

static bool has_told_since(const struct hone_emu_global_races *races,
                           hone_emu_trace trace)
{
    const struct hone_emu_accesses *load = hone_emu_log_at(&races->log, trace);
    static const struct hone_emu_vector all = {.clocks = {[HONE_EMU_WORLD] = UINT32_MAX,
                                                          [HONE_EMU_CLUSTER] = UINT32_MAX,
                                                          [HONE_EMU_NEAR] = UINT32_MAX}};
    const struct hone_emu_knower knower = {load->block, &all};
    return hone_emu_global_races_ordered(
        races, load->block, hone_emu_log_stamp(&races->log, trace), load->world, knower);
}

bool hone_emu_global_races_hides(const struct hone_emu_global_races *races, uint32_t told,
                                 uint32_t hidden)
{
    return races->told && hidden && !has_told_since(races, hidden) &&
           has_told_since(races, told);
}

// ---- fences between the proxies ----

uint32_t hone_emu_global_races_now(const struct hone_emu_global_races *races)
{
    return (uint32_t)races->log.count;
}

void hone_emu_global_races_proxy_fence(struct hone_emu_global_races *races)
{
    races->fenced = hone_emu_global_races_now(races);
}

// What the block's last signal that is known said; the oldest that is kept where those
// before it may have been the ones.
static const uint32_t *fenced_at(const struct hone_emu_fence_signals *fences,
                                 uint32_t signals)
{
    const uint32_t count = fences->count;
    const uint32_t kept = count < HONE_EMU_FENCE_SIGNALS ? count : HONE_EMU_FENCE_SIGNALS;
    for (uint32_t k = 1; k <= kept; k++) {
        const uint32_t at = (count - k) % HONE_EMU_FENCE_SIGNALS;
        if (fences->signals[at] <= signals) return fences->fenced[at];
    }
    return count > kept ? fences->fenced[count % HONE_EMU_FENCE_SIGNALS] : NULL;
}

const uint32_t *hone_emu_global_races_fenced(const struct hone_emu_global_races *races,
                                             uint32_t block, enum hone_emu_audience to,
                                             struct hone_emu_knower by)
{
    const uint32_t heard = heard_of(races, block, to, by);
    if (!heard) return NULL;
    const struct hone_emu_tidings *tidings = &races->blocks[block].told[to];
    if (tidings->forgets || !tidings->fences) return tidings->all.fenced;
    return fenced_at(tidings->fences, heard);
}

bool hone_emu_global_races_fenced_since(const struct hone_emu_global_races *races,
                                        uint32_t world, struct hone_emu_knower by)
{
    for (uint32_t i = 0; i < races->count; i++)
        for (uint32_t to = 0; to < HONE_EMU_FENCED_TO_CLUSTER; to++) {
            const uint32_t *fenced =
                hone_emu_global_races_fenced(races, i, (enum hone_emu_audience)to, by);
            if (fenced && hone_emu_last_heard(fenced) > world) return true;
        }
    return false;
}
