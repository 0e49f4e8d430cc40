#include "proxy.h"

#include <stdlib.h>
#include <string.h>

// Operations that are remembered: those of some stages of a pipeline, many times over;
// and how many of a warp are compared with what its lanes begin.
// The last fences of a warp: those of the stages of a ring.
enum { OPS = 256, CELL = HONE_EMU_PROXY_CELL, UNITS = 2, BEGUN = 4, FENCES = 8 };

// An operation, by its instruction and its first and last span, and the lanes of the warp
// that have begun it.
struct begun {
    const struct hone_emu_insn *insn;
    struct hone_emu_span ends[2];
    size_t count;
    uint32_t lanes;
};

// Valid where the cell says so; the last one is its own, too.
struct stores {
    size_t count;
    struct hone_emu_proxy_store list[HONE_EMU_CELL_STORES];
};

struct hone_emu_proxy {
    struct hone_emu_proxy_op ops[OPS]; // by number, the last ones
    bool sent;                         // some are of other blocks
    uint32_t committed[UNITS][HONE_EMU_MAX_WARPS][HONE_EMU_LANES];
    struct begun begun[HONE_EMU_MAX_WARPS][BEGUN]; // the last ones, the oldest first
    struct hone_emu_proxy_fence fences[HONE_EMU_MAX_WARPS][FENCES]; // the oldest first
    struct stores *stores;                                          // of each cell
    struct hone_emu_proxy_peers (*peers)[2]; // of each cell: loads, stores
    uint64_t cell_count;
    struct hone_emu_proxy_cell cells[];
};

struct hone_emu_proxy *hone_emu_proxy_new(uint64_t shared_bytes)
{
    const uint64_t count = shared_bytes / CELL + 1;
    struct hone_emu_proxy *proxy =
        calloc(1, sizeof *proxy + count * sizeof(struct hone_emu_proxy_cell));
    if (!proxy) return NULL;
    proxy->cell_count = count;
    proxy->stores = calloc(count, sizeof *proxy->stores);
    proxy->peers = calloc(count, sizeof *proxy->peers);
    if (proxy->stores && proxy->peers) return proxy;
    hone_emu_proxy_free(proxy);
    return NULL;
}

void hone_emu_proxy_free(struct hone_emu_proxy *proxy)
{
    if (!proxy) return;
    free(proxy->stores);
    free(proxy->peers);
    free(proxy);
}

void hone_emu_proxy_begin(struct hone_emu_proxy *proxy)
{
    for (size_t k = 0; k < OPS; k++)
        proxy->ops[k].number = 0;
    proxy->sent = false;
    memset(proxy->begun, 0, sizeof proxy->begun);
    memset(proxy->committed, 0, sizeof proxy->committed);
    memset(proxy->fences, 0, sizeof proxy->fences);
    memset(proxy->cells, 0, proxy->cell_count * sizeof *proxy->cells);
}

struct hone_emu_proxy_op *hone_emu_proxy_add(struct hone_emu_proxy *proxy,
                                             uint64_t number)
{
    struct hone_emu_proxy_op *op = &proxy->ops[number % OPS];
    *op = (struct hone_emu_proxy_op){.number = number};
    return op;
}

struct hone_emu_proxy_op *hone_emu_proxy_find(struct hone_emu_proxy *proxy,
                                              uint64_t number)
{
    struct hone_emu_proxy_op *op = &proxy->ops[number % OPS];
    return number && op->number == number ? op : NULL;
}

void hone_emu_proxy_send(struct hone_emu_proxy *proxy, struct hone_emu_proxy_op *op,
                         uint64_t at, uint32_t bytes)
{
    proxy->sent = true;
    if (op->sent_bytes == 0) op->sent_at = at;
    if (op->sent_at + op->sent_bytes == at) op->sent_bytes += bytes;
}

bool hone_emu_proxy_received(const struct hone_emu_proxy_op *op)
{
    const struct hone_emu_proxy_op *there =
        op->to ? hone_emu_proxy_find(op->to, op->number) : NULL;
    bool known = op->to && !there; // so long ago that it is forgotten
    for (uint32_t w = 0; there && w < HONE_EMU_MAX_WARPS; w++)
        known = known || there->known[w];
    return known;
}

const struct hone_emu_proxy_op *hone_emu_proxy_sent(const struct hone_emu_proxy *proxy,
                                                    const struct hone_emu_order *order,
                                                    uint32_t warp, uint64_t at,
                                                    uint32_t bytes)
{
    for (size_t k = 0; proxy->sent && k < OPS; k++) {
        const struct hone_emu_proxy_op *op = &proxy->ops[k];
        if (op->number && op->sent_at < at + bytes && at < op->sent_at + op->sent_bytes &&
            !hone_emu_proxy_knows(order, op->known, warp))
            return op;
    }
    return NULL;
}

struct hone_emu_proxy_cell *hone_emu_proxy_cell(struct hone_emu_proxy *proxy, uint64_t at)
{
    return &proxy->cells[at / CELL < proxy->cell_count ? at / CELL : 0];
}

size_t hone_emu_proxy_stores(const struct hone_emu_proxy *proxy,
                             const struct hone_emu_proxy_cell *cell,
                             struct hone_emu_proxy_store *out)
{
    const struct stores *stores = &proxy->stores[cell - proxy->cells];
    if (!cell->store) return 0;
    if (!cell->several) {
        *out = (struct hone_emu_proxy_store){cell->store, cell->store_site, 0};
        return 1;
    }
    memcpy(out, stores->list, stores->count * sizeof *out);
    return stores->count;
}

// Does the later store stand for the earlier one? What a copy did is told from its
// arrival on, and what its thread knows since then does not count: it stands for its own
// issue alone.
static bool stands_for(const struct hone_emu_order *order,
                       const struct hone_emu_proxy_store *later,
                       const struct hone_emu_proxy_store *earlier)
{
    const uint32_t warp = hone_emu_stamp_warp(later->stamp);
    if (later->landed)
        return !earlier->landed && earlier->site == later->site &&
               hone_emu_stamp_warp(earlier->stamp) == warp;
    return hone_emu_ordered(order, earlier->stamp, warp,
                            hone_emu_stamp_lane(later->stamp));
}

static hone_emu_stamp of_several(hone_emu_stamp stamp)
{
    return (stamp & ~(hone_emu_stamp)HONE_EMU_LANE_BITS) | HONE_EMU_SEVERAL << 1;
}

// Are they of one warp, and known alike? Then one can stand for several lanes.
static bool is_alike(const struct hone_emu_proxy_store *a,
                     const struct hone_emu_proxy_store *b)
{
    return hone_emu_stamp_warp(a->stamp) == hone_emu_stamp_warp(b->stamp) &&
           !a->landed == !b->landed;
}

void hone_emu_proxy_store(struct hone_emu_proxy *proxy,
                          const struct hone_emu_order *order,
                          struct hone_emu_proxy_cell *cell,
                          const struct hone_emu_proxy_store *store)
{
    enum { MOST = HONE_EMU_CELL_STORES };
    struct hone_emu_proxy_store before[MOST], now = *store;
    struct stores *stores = &proxy->stores[cell - proxy->cells];
    const size_t count = hone_emu_proxy_stores(proxy, cell, before);
    stores->count = 0;
    for (size_t k = 0; k < count; k++) {
        if (stands_for(order, store, &before[k])) continue;
        if (is_alike(store, &before[k]))
            now.stamp = of_several(now.stamp);
        else
            stores->list[stores->count++] = before[k];
    }
    if (stores->count == MOST) { // the oldest of them is forgotten
        memmove(stores->list, stores->list + 1, (MOST - 1) * sizeof *stores->list);
        stores->count--;
    }
    stores->list[stores->count++] = now;
    cell->store = now.stamp;
    cell->store_site = now.site & HONE_EMU_CELL_SITE;
    cell->several = stores->count > 1 || now.landed;
}

void hone_emu_proxy_load(struct hone_emu_proxy_cell *cell, hone_emu_stamp stamp,
                         uint32_t site)
{
    enum { LAST = HONE_EMU_CELL_READS - 1 };
    uint32_t k = 0;
    while (k <= LAST && cell->loads[k] &&
           hone_emu_stamp_warp(cell->loads[k]) != hone_emu_stamp_warp(stamp))
        k++;
    if (k > LAST) { // the oldest of them is forgotten
        memmove(cell->loads, cell->loads + 1, LAST * sizeof *cell->loads);
        memmove(cell->load_sites, cell->load_sites + 1, LAST * sizeof *cell->load_sites);
        k = LAST;
    }
    cell->loads[k] = stamp;
    cell->load_sites[k] = site;
}

const struct hone_emu_proxy_peers *
hone_emu_proxy_peers(const struct hone_emu_proxy *proxy,
                     const struct hone_emu_proxy_cell *cell, bool stores)
{
    const bool known = stores ? cell->peer_store : cell->peer_load;
    return known ? &proxy->peers[cell - proxy->cells][stores] : NULL;
}

void hone_emu_proxy_note_peer(struct hone_emu_proxy *proxy,
                              struct hone_emu_proxy_cell *cell, bool stores,
                              const struct hone_emu_proxy_peer *peer, uint32_t behind)
{
    enum { MOST = HONE_EMU_CELL_PEERS };
    struct hone_emu_proxy_peers *peers = &proxy->peers[cell - proxy->cells][stores];
    struct hone_emu_proxy_peer now = *peer;
    const size_t count = hone_emu_proxy_peers(proxy, cell, stores) ? peers->count : 0;
    peers->count = 0;
    for (size_t k = 0; k < count; k++) {
        const struct hone_emu_proxy_peer *before = &peers->list[k];
        if (behind >> k & 1) continue;
        if (before->block == peer->block &&
            hone_emu_stamp_warp(before->stamp) == hone_emu_stamp_warp(peer->stamp))
            now.stamp = of_several(now.stamp);
        else
            peers->list[peers->count++] = *before;
    }
    if (peers->count == MOST) { // the oldest of them is forgotten
        memmove(peers->list, peers->list + 1, (MOST - 1) * sizeof *peers->list);
        peers->count--;
    }
    peers->list[peers->count++] = now;
    if (stores)
        cell->peer_store = 1;
    else
        cell->peer_load = 1;
}

void hone_emu_proxy_fence(struct hone_emu_proxy *proxy, uint32_t warp,
                          const struct hone_emu_proxy_fence *fence)
{
    struct hone_emu_proxy_fence *list = proxy->fences[warp];
    memmove(list, list + 1, (FENCES - 1) * sizeof *list);
    list[FENCES - 1] = *fence;
}

const struct hone_emu_proxy_fence *
hone_emu_proxy_last_fence(const struct hone_emu_proxy *proxy, uint32_t warp)
{
    return &proxy->fences[warp][FENCES - 1];
}

bool hone_emu_proxy_covers(const struct hone_emu_proxy *proxy, uint32_t fenced,
                           hone_emu_stamp access, bool load)
{
    const uint32_t warp = hone_emu_stamp_warp(access);
    const uint32_t clock = hone_emu_stamp_clock(access);
    const struct hone_emu_proxy_fence *list = proxy->fences[warp];
    bool own = false;   // else another warp's fence told more
    uint32_t lanes = 0; // each may have fenced for itself
    uint32_t apart = 0; // and before another one's access, where the last stands for both
    if (list[0].clock > clock) return true; // it may be forgotten
    for (size_t k = 0; k < FENCES; k++) {
        const struct hone_emu_proxy_fence *fence = &list[k];
        if (fence->clock < clock && fence->lanes != UINT32_MAX) apart |= fence->lanes;
        if (fence->clock < clock || fence->clock > fenced) continue;
        own |= fence->clock == fenced;
        lanes |= fence->lanes;
        if (hone_emu_stamp_lane(access) == HONE_EMU_SEVERAL) lanes |= apart;
        if (hone_emu_is_of_lanes(access, lanes) || clock <= fence->whole ||
            (load && clock <= fence->loads))
            return true;
    }
    return !own;
}

const struct hone_emu_proxy_op *hone_emu_proxy_relying(const struct hone_emu_proxy *proxy,
                                                       const struct hone_emu_order *order,
                                                       uint32_t warp, uint32_t site)
{
    for (size_t k = 0; k < OPS; k++) {
        const struct hone_emu_proxy_op *op = &proxy->ops[k];
        if (op->number && op->relied >> warp & 1 && op->fence_site == site &&
            order->warps[warp].clocks[op->warp] < op->issued)
            return op;
    }
    return NULL;
}

uint32_t hone_emu_proxy_group(const struct hone_emu_proxy *proxy,
                              const struct hone_emu_proxy_op *op)
{
    return proxy->committed[op->unit][op->warp][op->lane];
}

static bool is_same_span(const struct hone_emu_span *a, const struct hone_emu_span *b)
{
    return a->block == b->block && a->at == b->at && a->bytes == b->bytes &&
           a->writes == b->writes;
}

static bool is_repeated(const struct begun *a, const struct begun *b)
{
    return a->insn == b->insn && a->count == b->count &&
           is_same_span(&a->ends[0], &b->ends[0]) &&
           is_same_span(&a->ends[1], &b->ends[1]);
}

bool hone_emu_proxy_repeats(struct hone_emu_proxy *proxy,
                            const struct hone_emu_async *event)
{
    struct begun *list = proxy->begun[event->warp->index];
    uint32_t k = 0;
    if (event->count == 0) return false;
    const struct begun now = {.insn = event->insn,
                              .ends = {event->spans[0], event->spans[event->count - 1]},
                              .count = event->count,
                              .lanes = event->lanes};
    while (k < BEGUN && !is_repeated(&list[k], &now))
        k++;
    const bool repeats = k < BEGUN && !(list[k].lanes & now.lanes);
    if (repeats) {
        list[k].lanes |= now.lanes;
        return true;
    }
    if (k == BEGUN) k = 0;
    memmove(list + k, list + k + 1, (BEGUN - 1 - k) * sizeof *list);
    list[BEGUN - 1] = now;
    return false;
}

void hone_emu_proxy_commit(struct hone_emu_proxy *proxy, unsigned unit, uint32_t warp,
                           uint32_t lanes)
{
    for (uint32_t m = lanes; m; m &= m - 1)
        proxy->committed[unit][warp][__builtin_ctz(m)]++;
}

// The warp knows it from now on; who hears of a later clock of the warp knows it too.
static void learn(struct hone_emu_order *order, uint32_t *known, uint32_t warp)
{
    if (!known[warp]) known[warp] = order->warps[warp].clocks[warp];
}

bool hone_emu_proxy_covers_group(const struct hone_emu_proxy *proxy,
                                 const struct hone_emu_async *event,
                                 const struct hone_emu_proxy_op *op)
{
    const uint32_t warp = event->warp->index;
    return op->unit == event->unit && op->warp == warp && event->lanes >> op->lane & 1 &&
           op->group + event->in_flight < proxy->committed[op->unit][warp][op->lane];
}

// Has the wait of the event seen the end of the operation?
static bool is_over(const struct hone_emu_proxy *proxy,
                    const struct hone_emu_async *event,
                    const struct hone_emu_proxy_op *op)
{
    const uint32_t warp = event->warp->index;
    if (!op->by_group || op->unit != event->unit) return false;
    if (event->unit == HONE_EMU_UNIT_WGMMA) // groups are the warp group's
        return op->warp / HONE_EMU_GROUP_WARPS == warp / HONE_EMU_GROUP_WARPS &&
               op->group < event->group;
    return hone_emu_proxy_covers_group(proxy, event, op);
}

static bool is_known_to_any(const uint32_t *known)
{
    uint32_t any = 0;
    for (uint32_t w = 0; w < HONE_EMU_MAX_WARPS; w++)
        any |= known[w];
    return any != 0;
}

static bool is_open(const struct hone_emu_proxy_op *op)
{
    if (!op->number || op->unit != HONE_EMU_UNIT_BULK || is_known_to_any(op->known))
        return false;
    if (op->writes || op->sent_bytes) return true;
    return op->reads && op->to && !hone_emu_proxy_received(op);
}

bool hone_emu_proxy_stores_on(const struct hone_emu_proxy *proxy)
{
    for (size_t k = 0; k < OPS; k++) {
        const struct hone_emu_proxy_op *op = &proxy->ops[k];
        if (op->number && op->unit == HONE_EMU_UNIT_BULK && op->reads && !op->to &&
            !is_known_to_any(op->known) && !is_known_to_any(op->read_known))
            return true;
    }
    return false;
}

const struct hone_emu_proxy_op *hone_emu_proxy_open(const struct hone_emu_proxy *proxy)
{
    const struct hone_emu_proxy_op *oldest = NULL;
    for (size_t k = 0; k < OPS; k++)
        if (is_open(&proxy->ops[k]) && (!oldest || proxy->ops[k].number < oldest->number))
            oldest = &proxy->ops[k];
    return oldest;
}

void hone_emu_proxy_wait(struct hone_emu_proxy *proxy, struct hone_emu_order *order,
                         const struct hone_emu_async *event, uint32_t world)
{
    const uint32_t warp = event->warp->index;
    // numbers are the launch's: those between may be of other blocks
    for (size_t k = 0; k < OPS; k++) {
        struct hone_emu_proxy_op *op = &proxy->ops[k];
        if (!op->number || !is_over(proxy, event, op)) continue;
        if (!is_known_to_any(op->read_known)) op->read_world = world;
        learn(order, op->read_known, warp);
        if (!event->only_read) learn(order, op->known, warp);
    }
    hone_emu_order_tick(order, warp);
}

void hone_emu_proxy_ended(struct hone_emu_proxy *proxy, uint32_t mbarrier)
{
    for (size_t k = 0; k < OPS; k++)
        if (proxy->ops[k].number && proxy->ops[k].landed &&
            proxy->ops[k].mbarrier == mbarrier)
            proxy->ops[k].ended = true;
}

void hone_emu_proxy_passed(struct hone_emu_proxy *proxy, struct hone_emu_order *order,
                           uint32_t warp, uint32_t mbarrier)
{
    bool learned = false;
    for (size_t k = 0; k < OPS; k++) {
        struct hone_emu_proxy_op *op = &proxy->ops[k];
        if (!op->number || !op->ended || op->mbarrier != mbarrier || op->known[warp])
            continue;
        learn(order, op->known, warp);
        learn(order, op->read_known, warp);
        learned = true;
    }
    if (learned) hone_emu_order_tick(order, warp);
}

bool hone_emu_proxy_follows_grid(const struct hone_emu_proxy *proxy, uint32_t mbarrier)
{
    for (size_t k = 0; k < OPS; k++) {
        const struct hone_emu_proxy_op *op = &proxy->ops[k];
        if (op->number && op->ended && op->behind_grid && op->mbarrier == mbarrier)
            return true;
    }
    return false;
}

bool hone_emu_proxy_knows(const struct hone_emu_order *order, const uint32_t *known,
                          uint32_t warp)
{
    const uint32_t *clocks = order->warps[warp].clocks;
    for (uint32_t w = 0; w < HONE_EMU_MAX_WARPS; w++)
        if (known[w] && (w == warp || clocks[w] > known[w])) return true;
    return false;
}
