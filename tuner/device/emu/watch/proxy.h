/* What the two proxies do to shared memory of a block: threads by loads and stores (the
 * generic proxy), bulk copies and wgmma beside them (the async proxy). A cell is 16
 * bytes, the least that a bulk copy moves. What is done by one proxy is seen by the other
 * after a proxy fence, or once the end of the asynchronous operation was observed.
 *
 * What a warp knows of fences goes with what it knows of the others (order.h): a fence by
 * the writer before the barrier counts as well as one by the issuing thread after it.
 * Only where writer and issuer execute the same fence, and nothing orders the writer's
 * before the operation, the fence stands on the wrong side of the barrier. */
#ifndef HONE_DEVICE_PROXY_H
#define HONE_DEVICE_PROXY_H

#include "order.h"

/* Bytes of a cell. */
enum { HONE_EMU_PROXY_CELL = 16 };

struct hone_emu_proxy;

/* An asynchronous operation. known: the clock at which each warp learned by a wait that
 * it is over (read_known: that its sources have been read); 0: it did not. Others learn
 * it from those. */
struct hone_emu_proxy_op {
    uint64_t number; /* 0: none */
    uint32_t site, group;
    uint8_t warp, lane, unit;
    uint32_t product; /* of wgmma: how many its warp had issued, with this one */
    bool by_group, landed, ended; /* ended: the phase that it landed in */
    bool reads, writes;           /* shared memory of its own block */
    bool behind_grid;             /* issued when the launch before had ended */
    uint32_t mbarrier;
    /* Another block issued it: the bytes that it writes here. */
    uint64_t sent_at;
    uint32_t sent_bytes;
    uint32_t known[HONE_EMU_MAX_WARPS], read_known[HONE_EMU_MAX_WARPS];
    uint32_t read_world; /* signals of all blocks when the first of the latter knew it */
    uint32_t issued;     /* clock of its warp */
    uint32_t fence_site; /* of the last proxy fence of its warp */
    uint32_t relied;     /* warps, a bit each, whose stores only that fence covers */
    struct hone_emu_proxy *to; /* of the block that it copies to; NULL: of this one */
};

enum {
    HONE_EMU_CELL_READS = 4,
    HONE_EMU_CELL_STORES = 4,
    HONE_EMU_CELL_SITE = (1 << 29) - 1
};

/* A store to a cell by a thread, or the end of its cp.async. landed: of a copy that ended
 * with an arrival at an mbarrier object, from which the stamp counts, the clock of its
 * warp when somebody had waited for it; 0: it is none. */
struct hone_emu_proxy_store {
    hone_emu_stamp stamp;
    uint32_t site, landed;
};

struct hone_emu_proxy_cell {
    hone_emu_stamp store; /* the last one by a thread; 0: none */
    uint32_t store_site : 29;
    uint32_t several : 1;   /* hone_emu_proxy_stores has more to say */
    uint32_t peer_load : 1; /* and hone_emu_proxy_peers */
    uint32_t peer_store : 1;
    uint64_t writer;     /* the asynchronous operation that wrote last; 0: a thread did */
    uint64_t readers[2]; /* the last ones that read, until a thread writes */
    /* Loads by threads since it was written by an operation: the last of some warps. */
    hone_emu_stamp loads[HONE_EMU_CELL_READS];
    uint32_t load_sites[HONE_EMU_CELL_READS];
};

/* An access of threads of another block to a cell, a store or a load. */
struct hone_emu_proxy_peer {
    const struct hone_emu_proxy *from; /* of the other block */
    uint32_t block;                    /* its number */
    uint32_t site, world;              /* world: signals of all blocks so far */
    hone_emu_stamp stamp;
};
enum { HONE_EMU_CELL_PEERS = 4 };
/* The last ones that nothing orders; those of a warp, known alike, are one. */
struct hone_emu_proxy_peers {
    size_t count;
    struct hone_emu_proxy_peer list[HONE_EMU_CELL_PEERS];
};

/* A proxy fence by lanes of a warp; clock 0: none. What came before it of their warp: all
 * that those of lanes did, what all did up to the clock whole, and loads up to loads. */
struct hone_emu_proxy_fence {
    uint32_t site, clock;
    uint32_t lanes, whole, loads;
};

/* NULL when memory runs out. */
struct hone_emu_proxy *hone_emu_proxy_new(uint64_t shared_bytes);
void hone_emu_proxy_free(struct hone_emu_proxy *proxy);
/* A block begins. */
void hone_emu_proxy_begin(struct hone_emu_proxy *proxy);

/* An operation begins; then number 0 is never asked for. */
struct hone_emu_proxy_op *hone_emu_proxy_add(struct hone_emu_proxy *proxy,
                                             uint64_t number);
/* NULL: there is none, or so many were begun since that it is forgotten, or more waits
 * know of it than are followed. */
struct hone_emu_proxy_op *hone_emu_proxy_find(struct hone_emu_proxy *proxy,
                                              uint64_t number);
/* The operation writes these bytes too, for another block. Bytes apart from those before
 * are left out. */
void hone_emu_proxy_send(struct hone_emu_proxy *proxy, struct hone_emu_proxy_op *op,
                         uint64_t at, uint32_t bytes);
/* Has a warp of another block, to which it copies, seen that it is over? The object is
 * there, so that its own block can but hear of it: that it does is taken for granted. */
bool hone_emu_proxy_received(const struct hone_emu_proxy_op *op);
/* One that another block issued, which writes some of the bytes and is not over as far as
 * the warp knows; NULL: there is none. */
const struct hone_emu_proxy_op *hone_emu_proxy_sent(const struct hone_emu_proxy *proxy,
                                                    const struct hone_emu_order *order,
                                                    uint32_t warp, uint64_t at,
                                                    uint32_t bytes);
/* The oldest bulk copy that writes shared memory of the block, or brings it to another
 * block, and is not known to any of its warps to be done with it; NULL: there is none. */
const struct hone_emu_proxy_op *hone_emu_proxy_open(const struct hone_emu_proxy *proxy);
/* Does any warp not know of a bulk store to device memory that it has been read? */
bool hone_emu_proxy_stores_on(const struct hone_emu_proxy *proxy);
/* The cell of a byte of shared memory. */
struct hone_emu_proxy_cell *hone_emu_proxy_cell(struct hone_emu_proxy *proxy,
                                                uint64_t at);

/* Has another lane of the warp begun the same operation by the same instruction, at this
 * step or at one of its own, as CUTLASS has a whole warp store one box? All of them write
 * the same. */
bool hone_emu_proxy_repeats(struct hone_emu_proxy *proxy,
                            const struct hone_emu_async *event);
/* A thread's store to the cell: those that come before it are forgotten, those by other
 * threads that nothing orders with it are kept, as those of the other words are. */
void hone_emu_proxy_store(struct hone_emu_proxy *proxy,
                          const struct hone_emu_order *order,
                          struct hone_emu_proxy_cell *cell,
                          const struct hone_emu_proxy_store *store);
/* The same in short, where nothing else uses the cell and its last store was another
 * lane's of this instruction, or where it comes before this one. False: it is not so. */
static inline bool hone_emu_proxy_store_beside(struct hone_emu_proxy_cell *cell,
                                               hone_emu_stamp stamp, uint32_t site)
{
    const hone_emu_stamp lanes = HONE_EMU_LANE_BITS;
    if (((cell->store ^ stamp) & ~lanes) || cell->store == stamp || cell->several ||
        cell->store_site != site || cell->writer || cell->readers[0] || cell->readers[1])
        return false;
    cell->store = (stamp & ~lanes) | HONE_EMU_SEVERAL << 1;
    return true;
}
static inline bool hone_emu_proxy_store_behind(const struct hone_emu_order *order,
                                               struct hone_emu_proxy_cell *cell,
                                               hone_emu_stamp stamp, uint32_t site)
{
    if (cell->several ||
        (cell->store && !hone_emu_ordered(order, cell->store, hone_emu_stamp_warp(stamp),
                                          hone_emu_stamp_lane(stamp))))
        return false;
    cell->store = stamp;
    cell->store_site = site & HONE_EMU_CELL_SITE;
    return true;
}
/* The stores that are kept of the cell, at most HONE_EMU_CELL_STORES, into out. */
size_t hone_emu_proxy_stores(const struct hone_emu_proxy *proxy,
                             const struct hone_emu_proxy_cell *cell,
                             struct hone_emu_proxy_store *out);
/* A thread's load of the cell. */
void hone_emu_proxy_load(struct hone_emu_proxy_cell *cell, hone_emu_stamp stamp,
                         uint32_t site);
/* Loads of the cell by threads of other blocks, or stores to it; NULL: there are none. */
const struct hone_emu_proxy_peers *
hone_emu_proxy_peers(const struct hone_emu_proxy *proxy,
                     const struct hone_emu_proxy_cell *cell, bool stores);
/* One more; behind: those of the list that come before it, a bit each, are forgotten. */
void hone_emu_proxy_note_peer(struct hone_emu_proxy *proxy,
                              struct hone_emu_proxy_cell *cell, bool stores,
                              const struct hone_emu_proxy_peer *peer, uint32_t behind);
void hone_emu_proxy_fence(struct hone_emu_proxy *proxy, uint32_t warp,
                          const struct hone_emu_proxy_fence *fence);
/* The warp's last fence. */
const struct hone_emu_proxy_fence *
hone_emu_proxy_last_fence(const struct hone_emu_proxy *proxy, uint32_t warp);
/* Somebody knows that its warp has fenced at that clock, behind the access: does that
 * hold for its lane? It does not where others have fenced that did not know of it. */
bool hone_emu_proxy_covers(const struct hone_emu_proxy *proxy, uint32_t fenced,
                           hone_emu_stamp access, bool load);
/* An operation that relied on the fence at that place for the warp's stores, and whose
 * issue the warp does not know of; NULL: there is none. */
const struct hone_emu_proxy_op *hone_emu_proxy_relying(const struct hone_emu_proxy *proxy,
                                                       const struct hone_emu_order *order,
                                                       uint32_t warp, uint32_t site);

/* The group that what the operation's lane issues now will be in. */
uint32_t hone_emu_proxy_group(const struct hone_emu_proxy *proxy,
                              const struct hone_emu_proxy_op *op);
/* Lanes of the warp end a group of the unit, or wait until all but in_flight are over.
 * world: signals of all blocks so far. */
void hone_emu_proxy_commit(struct hone_emu_proxy *proxy, unsigned unit, uint32_t warp,
                           uint32_t lanes);
void hone_emu_proxy_wait(struct hone_emu_proxy *proxy, struct hone_emu_order *order,
                         const struct hone_emu_async *event, uint32_t world);
/* Is the operation in a group that such a wait is for, also where its end is told by an
 * mbarrier? */
bool hone_emu_proxy_covers_group(const struct hone_emu_proxy *proxy,
                                 const struct hone_emu_async *event,
                                 const struct hone_emu_proxy_op *op);
/* A phase of the object has ended, and the warp has waited for it. */
void hone_emu_proxy_ended(struct hone_emu_proxy *proxy, uint32_t mbarrier);
void hone_emu_proxy_passed(struct hone_emu_proxy *proxy, struct hone_emu_order *order,
                           uint32_t warp, uint32_t mbarrier);
/* Has one that ended there been issued behind the launch before? */
bool hone_emu_proxy_follows_grid(const struct hone_emu_proxy *proxy, uint32_t mbarrier);

/* Does the warp know what the warps of known learned at those clocks? */
bool hone_emu_proxy_knows(const struct hone_emu_order *order, const uint32_t *known,
                          uint32_t warp);

#endif
