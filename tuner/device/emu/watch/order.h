/* What is known to come before what, by vector clocks (Flanagan and Freund, FastTrack,
 * PLDI 2009): a clock a warp of the block, and two that count the signals of all blocks
 * that are watched, of those to all and of those to its cluster. A lane tells what it did
 * itself, and of the others of its warp what it knows; by a signal, a strong store, what
 * of that is behind a fence.
 * Order is sometimes assumed where there is none (a fence counts for all memory, a
 * barrier for the whole warp, what a lane learns for its whole warp, any signal for the
 * one that a load has seen), so races can be missed, but those reported are races. */
#ifndef HONE_DEVICE_ORDER_H
#define HONE_DEVICE_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "exec/emu_exec.h"

/* The last entries of a vector: signals of other blocks that a warp has seen, those for
 * all blocks, those at barriers and objects of its own cluster, and those for that by
 * strong stores. */
enum {
    HONE_EMU_WORLD = HONE_EMU_MAX_WARPS,
    HONE_EMU_CLUSTER,
    HONE_EMU_NEAR,
    HONE_EMU_CLOCKS
};

#define HONE_EMU_CLOCK_FIELDS                                                            \
    uint32_t clocks[HONE_EMU_CLOCKS];   /* those up to which some lanes are known */     \
    uint32_t lanes[HONE_EMU_MAX_WARPS]; /* which, a bit each */                          \
    uint32_t whole[HONE_EMU_MAX_WARPS]; /* those up to which all lanes are */

struct hone_emu_clocks {
    HONE_EMU_CLOCK_FIELDS
};

struct hone_emu_vector {
    union { /* by either name */
        struct hone_emu_clocks known;
        struct {
            HONE_EMU_CLOCK_FIELDS
        };
    };
    uint32_t loads[HONE_EMU_MAX_WARPS];  /* those up to which loads of all lanes are */
    uint32_t fenced[HONE_EMU_CLOCKS];    /* those up to which a proxy fence is known */
    uint32_t published[HONE_EMU_CLOCKS]; /* and one of the warp itself */
    uint32_t signals[HONE_EMU_CLOCKS];   /* those up to which signals are known */
};

/* Whom fences and strong accesses reach: threads of the block, of blocks of its cluster,
 * or of all. */
enum { HONE_EMU_OWN_BLOCK, HONE_EMU_OWN_CLUSTER, HONE_EMU_ALL_BLOCKS, HONE_EMU_REACHES };

/* What of all that is known is behind a fence, so that a signal tells it, and which
 * signals strong loads have seen, so that a fence makes known what they told. Barriers,
 * and arrivals at objects, pass on both. */
struct hone_emu_news {
    struct hone_emu_clocks fenced[HONE_EMU_REACHES];
    uint32_t seen[HONE_EMU_REACHES]; /* signals so far: of the block, by strong stores of
                                        its cluster, of all blocks */
    uint32_t seen_near;              /* by barriers and objects of its cluster */
    uint32_t seen_by_near;           /* those of all that its cluster's told of */
    bool any;                        /* there is something */
};

/* What blocks of a cluster have told each other so far: signals of theirs, at barriers
 * and objects and by strong stores, those of all blocks that they know of, and those that
 * their strong loads have seen. Of a strong load in device memory: those that it has seen
 * (cluster: none), and by_near the ones of all blocks that those of its cluster know. */
struct hone_emu_heard {
    uint32_t cluster, near, world, by_near, seen;
    bool fenced; /* they have told of fences */
};

/* What those knew who came here. */
struct hone_emu_gate {
    struct hone_emu_vector known;
    struct hone_emu_news news;
};

/* What each lane knew of its own warp at its last fence: clocks as in a vector. */
struct hone_emu_lane_fences {
    uint32_t clocks[HONE_EMU_LANES]; /* 0: it has not fenced */
    uint32_t lanes[HONE_EMU_LANES];
    uint32_t whole[HONE_EMU_LANES];
    uint32_t tell;   /* lanes whose signals tell something */
    uint32_t untold; /* those that may have more to tell than their last ones did */
};

/* How lanes of a warp come after each other: all of them at a point where they met, one
 * of them by a fence, a signal (a strong store), another's strong load and its fence.
 * Each is a clock of the warp: what has an earlier one is known. */
struct hone_emu_lanes {
    uint32_t met;                       /* to all lanes */
    uint32_t known[HONE_EMU_LANES + 1]; /* by fences; the last: to the best of them */
    uint32_t seen[HONE_EMU_LANES];      /* what its next fence makes known */
    uint32_t signalled;                 /* what some lane has told */
    uint32_t heard[HONE_EMU_LANES + 1]; /* by an mbarrier or a meeting of part of them */
    uint32_t heard_of[HONE_EMU_LANES + 1]; /* the lanes that are known up to heard */
    uint32_t aligned;                      /* to all lanes, of hone_emu_order_load */
    bool loads;                            /* there was one since */
    struct hone_emu_lane_fences fences[HONE_EMU_REACHES];
    uint32_t learned; /* of so many of the block's signals, by fences */
};

/* What the block's signals have told its own threads: all of them, and which clocks of
 * warps as of each of the last ones. */
enum { HONE_EMU_SIGNALS = 8 };
struct hone_emu_signals {
    uint32_t count; /* so far: those that told something */
    struct hone_emu_clocks told[HONE_EMU_SIGNALS];
    struct hone_emu_vector all; /* but for its known; signals: any strong store */
};

struct hone_emu_order {
    struct hone_emu_vector warps[HONE_EMU_MAX_WARPS]; /* what each knows of the others */
    struct hone_emu_lanes lanes[HONE_EMU_MAX_WARPS];
    struct hone_emu_news news[HONE_EMU_MAX_WARPS];
    struct hone_emu_gate gates[HONE_EMU_BARRIERS]; /* what those arrived know */
    uint32_t waiting[HONE_EMU_BARRIERS];           /* warps, a bit each */
    uint32_t passing[HONE_EMU_BARRIERS];           /* those that arrived and went on */
    struct hone_emu_gate exited;                   /* what those that exited knew */
    struct hone_emu_signals signals;
    uint32_t floor; /* what has this clock or an earlier one comes before all of now */
    bool partial;   /* order came about in another way than by barriers of the block */
    bool fences;    /* there was a fence */
    struct hone_emu_exchanges *exchanges; /* of lanes; NULL: none are followed */
};

/* A new block: nothing has happened. */
void hone_emu_order_begin(struct hone_emu_order *order);
void hone_emu_order_arrive(struct hone_emu_order *order, uint32_t warp, uint32_t barrier,
                           bool waits);
/* whole: of all threads of the block. */
void hone_emu_order_open(struct hone_emu_order *order, uint32_t barrier, bool whole);
/* Lanes of mask meet; alive: those that have not exited. */
void hone_emu_order_sync_warp(struct hone_emu_order *order, uint32_t warp, uint32_t mask,
                              uint32_t alive);
/* The warp has loaded from shared memory of its own block. */
static inline void hone_emu_order_load(struct hone_emu_order *order, uint32_t warp)
{
    order->lanes[warp].loads = true;
}
/* All lanes execute one instruction together: their loads of their block's shared memory
 * before it come before what any of them does behind it. Their stores do not, nor do
 * their loads of other memory. */
void hone_emu_order_align(struct hone_emu_order *order, uint32_t warp);
/* A fence by the lanes of mask, which reaches so far: what they know is behind it. One
 * that acquires comes behind hone_emu_order_learn. */
void hone_emu_order_fence(struct hone_emu_order *order, uint32_t warp, uint32_t mask,
                          uint32_t reach);
/* A strong load or store by the lanes of mask: what it means to threads of the block. An
 * atomic operation is the one and then the other. */
void hone_emu_order_strong_load(struct hone_emu_order *order, uint32_t warp,
                                uint32_t mask);
void hone_emu_order_strong_store(struct hone_emu_order *order, uint32_t warp,
                                 uint32_t mask);
/* A strong load that can have seen so many signals. One that acquires has a fence of that
 * reach behind it; -1: none. */
void hone_emu_order_note_seen(struct hone_emu_order *order, uint32_t warp,
                              const struct hone_emu_heard *heard, int fenced);
/* Lanes of mask know from here on what the signals told that their strong loads have
 * seen, of so far a reach. */
void hone_emu_order_learn(struct hone_emu_order *order, uint32_t warp, uint32_t mask,
                          uint32_t reach);
/* Something that lanes of mask had told comes back to them by way of others. */
void hone_emu_order_return(struct hone_emu_order *order, uint32_t warp, uint32_t mask,
                           const struct hone_emu_vector *told);
/* Who passes a barrier of a cluster, or waits for an object that other blocks of it
 * arrive at, is taken to know what all blocks of the cluster had told. */
void hone_emu_order_join_cluster(struct hone_emu_order *order, uint32_t warp,
                                 const struct hone_emu_heard *heard);
/* What a strong store by the lanes of mask tells other blocks, of so far a reach, which
 * they are to hear of now; NULL: nothing new. What is known of clocks is out's. */
const struct hone_emu_vector *hone_emu_order_signal(struct hone_emu_order *order,
                                                    uint32_t warp, uint32_t mask,
                                                    uint32_t reach,
                                                    struct hone_emu_clocks *out);
/* Have lanes of mask fenced for so far a reach, or heard of fences? Then a strong store
 * tells something. */
bool hone_emu_order_tells(const struct hone_emu_order *order, uint32_t warp,
                          uint32_t mask, uint32_t reach);
/* What lanes of mask tell: of their own warp what they did and what they know. It holds
 * until the warp tells something else. */
const struct hone_emu_vector *hone_emu_order_told(struct hone_emu_order *order,
                                                  uint32_t warp, uint32_t mask);
/* Something has happened that later accesses of the warp come after. */
void hone_emu_order_tick(struct hone_emu_order *order, uint32_t warp);
/* Lanes of mask tell gate what they know, and one learns what gate has been told. */
void hone_emu_order_release(struct hone_emu_order *order, uint32_t warp, uint32_t mask,
                            struct hone_emu_gate *gate);
void hone_emu_order_acquire(struct hone_emu_order *order, uint32_t warp, uint32_t lane,
                            const struct hone_emu_gate *gate);
/* They tell it only what of that is behind a fence. */
void hone_emu_order_release_fenced(struct hone_emu_order *order, uint32_t warp,
                                   uint32_t mask, struct hone_emu_gate *gate);
/* Whoever knows into knows what from says, too; or all but its known. */
void hone_emu_order_join(struct hone_emu_vector *into,
                         const struct hone_emu_vector *from);
void hone_emu_clocks_join(struct hone_emu_clocks *into,
                          const struct hone_emu_clocks *from);
void hone_emu_order_join_rest(struct hone_emu_vector *into,
                              const struct hone_emu_vector *from);
/* All that the warp knows of now is behind a fence between the proxies. since: the clock
 * of its oldest copy that is to end at an mbarrier object and that nobody has waited for,
 * 0 where there is none: by this fence none of those is known to be fenced. */
void hone_emu_order_proxy_fence(struct hone_emu_order *order, uint32_t warp,
                                uint32_t since);
void hone_emu_order_exit(struct hone_emu_order *order, uint32_t warp);

/* An access: clock of its warp (0: none), warp, lane (or SEVERAL), strong or not. What a
 * whole warp does together, as to wait for its product, any of its lanes tells: ANY.
 * MIXED are several by different instructions. */
typedef uint32_t hone_emu_stamp;
enum {
    HONE_EMU_SEVERAL = 32,
    HONE_EMU_ANY_LANE = 33,
    HONE_EMU_MIXED = 34,
    HONE_EMU_LANE_BITS = 63 << 1,
    HONE_EMU_KIND_BITS = 31 << 7 | 1 /* the warp, and whether it is strong */
};

static inline hone_emu_stamp hone_emu_stamp_make(const struct hone_emu_order *order,
                                                 uint32_t warp, uint32_t lane,
                                                 bool strong)
{
    return order->warps[warp].clocks[warp] << 12 | warp << 7 | lane << 1 | strong;
}
/* The same of what a lane of the warp did at that clock. */
static inline hone_emu_stamp hone_emu_stamp_at(uint32_t clock, uint32_t warp,
                                               uint32_t lane)
{
    return clock << 12 | warp << 7 | lane << 1;
}
static inline uint32_t hone_emu_stamp_clock(hone_emu_stamp stamp)
{
    return stamp >> 12;
}
static inline uint32_t hone_emu_stamp_warp(hone_emu_stamp stamp)
{
    return stamp >> 7 & 31;
}
static inline uint32_t hone_emu_stamp_lane(hone_emu_stamp stamp)
{
    return stamp >> 1 & 63;
}
static inline bool hone_emu_stamp_strong(hone_emu_stamp stamp)
{
    return stamp & 1;
}

/* The clock from which on what other lanes of its warp did is not known to come before
 * what the lane does now. */
static inline uint32_t hone_emu_lane_knows(const struct hone_emu_order *order,
                                           uint32_t warp, uint32_t lane)
{
    const struct hone_emu_lanes *lanes = &order->lanes[warp];
    return lanes->met > lanes->known[lane] ? lanes->met : lanes->known[lane];
}

/* Is the access one of those lanes'? One that stands for several is taken to be that of
 * any two. */
static inline bool hone_emu_is_of_lanes(hone_emu_stamp access, uint32_t lanes)
{
    const uint32_t lane = hone_emu_stamp_lane(access);
    if (lane == HONE_EMU_ANY_LANE) return lanes != 0;
    return lane < HONE_EMU_LANES ? lanes >> lane & 1 : (lanes & (lanes - 1)) != 0;
}
/* Is the access among those of its warp that are known? */
static inline bool hone_emu_clocks_have(const struct hone_emu_clocks *known,
                                        hone_emu_stamp access)
{
    const uint32_t warp = hone_emu_stamp_warp(access);
    const uint32_t clock = hone_emu_stamp_clock(access);
    return known->whole[warp] >= clock ||
           (known->clocks[warp] >= clock &&
            hone_emu_is_of_lanes(access, known->lanes[warp]));
}
static inline bool hone_emu_vector_has(const struct hone_emu_vector *vector,
                                       hone_emu_stamp access)
{
    return hone_emu_clocks_have(&vector->known, access);
}
/* The same of a load of its own block's shared memory. */
static inline bool hone_emu_vector_has_load(const struct hone_emu_vector *known,
                                            hone_emu_stamp load)
{
    return hone_emu_vector_has(known, load) ||
           known->loads[hone_emu_stamp_warp(load)] >= hone_emu_stamp_clock(load);
}

/* The last signal of another block that is known. */
static inline uint32_t hone_emu_last_heard(const uint32_t clocks[HONE_EMU_CLOCKS])
{
    const uint32_t world = clocks[HONE_EMU_WORLD], near = clocks[HONE_EMU_NEAR];
    const uint32_t cluster = clocks[HONE_EMU_CLUSTER], best = world > near ? world : near;
    return best > cluster ? best : cluster;
}

/* What the lane of the warp knows, of its own warp too: whom it has heard of up to which
 * clock (lanes, whole), and the clock of hone_emu_lane_knows. */
static inline struct hone_emu_vector
hone_emu_knowledge(const struct hone_emu_order *order, uint32_t warp, uint32_t lane)
{
    struct hone_emu_vector known = order->warps[warp];
    known.clocks[warp] = hone_emu_lane_knows(order, warp, lane);
    known.whole[warp] = order->lanes[warp].heard[lane];
    known.lanes[warp] = order->lanes[warp].heard_of[lane];
    known.loads[warp] = order->lanes[warp].aligned;
    return known;
}
/* Does an access of this block come before what the lane of the warp does, when that
 * knowledge is its? */
static inline bool hone_emu_known(const struct hone_emu_vector *known,
                                  hone_emu_stamp before, uint32_t warp, uint32_t lane)
{
    const uint32_t clock = hone_emu_stamp_clock(before);
    if (hone_emu_stamp_warp(before) != warp) return hone_emu_vector_has(known, before);
    return hone_emu_stamp_lane(before) == lane || clock < known->clocks[warp] ||
           (clock <= known->whole[warp] &&
            hone_emu_is_of_lanes(before, known->lanes[warp]));
}
/* The same of a load of its own block's shared memory. */
static inline bool hone_emu_known_load(const struct hone_emu_vector *known,
                                       hone_emu_stamp load, uint32_t warp, uint32_t lane)
{
    return hone_emu_known(known, load, warp, lane) ||
           hone_emu_stamp_clock(load) <= known->loads[hone_emu_stamp_warp(load)];
}
/* The same of what it does now. */
static inline bool hone_emu_ordered(const struct hone_emu_order *order,
                                    hone_emu_stamp before, uint32_t warp, uint32_t lane)
{
    const struct hone_emu_lanes *lanes = &order->lanes[warp];
    const uint32_t clock = hone_emu_stamp_clock(before);
    if (hone_emu_stamp_warp(before) != warp)
        return hone_emu_vector_has(&order->warps[warp], before);
    return hone_emu_stamp_lane(before) == lane ||
           clock < hone_emu_lane_knows(order, warp, lane) ||
           (clock <= lanes->heard[lane] &&
            hone_emu_is_of_lanes(before, lanes->heard_of[lane]));
}
static inline bool hone_emu_ordered_load(const struct hone_emu_order *order,
                                         hone_emu_stamp load, uint32_t warp,
                                         uint32_t lane)
{
    const uint32_t other = hone_emu_stamp_warp(load);
    const uint32_t loads =
        other == warp ? order->lanes[warp].aligned : order->warps[warp].loads[other];
    return hone_emu_stamp_clock(load) <= loads ||
           hone_emu_ordered(order, load, warp, lane);
}
/* Has the warp fenced since another of its block signalled, at the clock of before or
 * later? It may have been any strong store of that clock: no order follows from it. */
static inline bool hone_emu_told_of(const struct hone_emu_order *order,
                                    hone_emu_stamp before, uint32_t warp)
{
    const uint32_t other = hone_emu_stamp_warp(before);
    return other != warp &&
           order->warps[warp].signals[other] >= hone_emu_stamp_clock(before);
}

/* One instruction's access by the lanes of mask. */
struct hone_emu_touch {
    uint32_t warp, mask, bytes;
    uint32_t several;          /* lanes that stand for others with the same address */
    uint32_t all;              /* lanes that those of mask stand for */
    uint32_t site;             /* number of the instruction */
    const uint64_t *addresses; /* inside of the cells; a lane each */
    bool writes, strong;       /* strong: atomic, volatile or ordered */
    uint8_t reach;             /* whom a strong one reaches: OWN_BLOCK to ALL_BLOCKS */
    uint32_t owner; /* of a block's shared memory, as a cluster sees it: 1 + its number */
    bool read_only; /* a load of what the launch is not to store */
    uint8_t half;   /* of its register, where a transposed matrix is loaded */
    const struct hone_emu_async *by; /* the operation that stores; NULL: lanes do */
};
/* The lane that goes into the stamp of lane's access. */
static inline uint32_t hone_emu_touch_lane(const struct hone_emu_touch *touch,
                                           uint32_t lane)
{
    return touch->several >> lane & 1 ? HONE_EMU_SEVERAL : lane;
}

/* How many lanes of mask, from the lowest on, touch bytes that follow one another. */
static inline uint32_t hone_emu_touch_run(const struct hone_emu_touch *touch,
                                          uint32_t mask)
{
    uint32_t lane = (uint32_t)__builtin_ctz(mask), count = 1;
    uint32_t unlike = touch->several >> lane & 1 ? ~touch->several : touch->several;
    uint32_t others = mask & ~unlike;
    const uint64_t *at = touch->addresses + lane;
    while (lane + count < HONE_EMU_LANES && others >> (lane + count) & 1 &&
           at[count] == at[0] + (uint64_t)count * touch->bytes)
        count++;
    return count;
}
static inline uint32_t hone_emu_lanes_of_run(uint32_t lane, uint32_t count)
{
    return (uint32_t)((UINT64_C(1) << count) - 1) << lane;
}

/* ---- what order.c and order_fences.c share ---- */

static inline void hone_emu_advance(uint32_t *clock, uint32_t to)
{
    if (to > *clock) *clock = to;
}
/* The lanes of which those of mask have heard at that clock or later. */
uint32_t hone_emu_heard_of(const struct hone_emu_lanes *lanes, uint32_t mask,
                           uint32_t clock);
/* The lane learns what is known of its own warp. */
void hone_emu_order_join_lane(struct hone_emu_order *order, uint32_t warp, uint32_t lane,
                              const struct hone_emu_clocks *of);
/* News: told by the lanes of mask, of their own warp too; heard by lanes of theirs; the
 * same to all of them, which meet. */
const struct hone_emu_news *hone_emu_news_told(struct hone_emu_order *order,
                                               uint32_t warp, uint32_t mask);
void hone_emu_news_heard(struct hone_emu_order *order, uint32_t warp, uint32_t mask,
                         const struct hone_emu_news *from);
void hone_emu_news_join(struct hone_emu_news *into, const struct hone_emu_news *from);
void hone_emu_news_share(struct hone_emu_order *order, uint32_t warp, uint32_t mask);

/* The earlier access that a touch races with. */
struct hone_emu_conflict {
    int lane, other_lane; /* other_lane: SEVERAL when several */
    uint32_t other_warp, other_site;
    const uint32_t *other_block; /* NULL: the same block */
    uint32_t other_clock;        /* of its warp; 0: not known */
    bool other_writes, other_strong, other_read_only;
    uint64_t address;
};

#endif
