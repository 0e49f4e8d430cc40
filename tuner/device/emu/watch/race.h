/* Data races: two accesses to one cell of memory, at least one a write, not ordered by a
 * barrier, a fence or, among lanes of one warp, a bar.warp.sync. Shared memory of a block
 * (race.c) and device memory, within a block and between blocks (race_global.c). */
#ifndef HONE_DEVICE_RACE_H
#define HONE_DEVICE_RACE_H

#include <stddef.h>

#include "order.h"

/* ---- shared memory of a block ---- */

/* What is known of each cell: its last store and load, the last plain store that a strong
 * one followed, the last strong load that saw the last store, a strong one, a load by
 * another warp than the last one's, rather one of which no signal has told, the
 * instructions that made them and the last load by another warp, and the warps that have
 * loaded since the floor of the order, valid when the last load is above it. */
struct hone_emu_races {
    hone_emu_stamp *write, *read, *plain, *seen, *late;
    uint32_t *write_site, *read_site, *early_site, *plain_site, *late_site, *readers;
    size_t cell_count;
    uint32_t granule; /* bytes of a cell: the smallest access of the kernel, 4 at most */
};

/* False when memory runs out. */
bool hone_emu_races_init(struct hone_emu_races *races, uint64_t shared_bytes,
                         uint32_t granule);
void hone_emu_races_fini(struct hone_emu_races *races);
/* A new block: nothing has been touched. */
void hone_emu_races_begin(struct hone_emu_races *races);

/* Note an access; true with the first lane that conflicts. The rest is noted by calling
 * again with those lanes, should the conflict not count. */
bool hone_emu_races_touch(struct hone_emu_races *races,
                          const struct hone_emu_order *order,
                          const struct hone_emu_touch *touch,
                          struct hone_emu_conflict *out);

/* With which bytes of the lane, a bit each, does some earlier store race? The touch is a
 * load that was noted. */
uint32_t hone_emu_races_stored(struct hone_emu_races *races,
                               const struct hone_emu_order *order,
                               const struct hone_emu_touch *touch, uint32_t lane);

/* Note the loads of bytes at address by lanes from touch's first on, each bytes_each
 * (0: several lanes touch each cell); false, and nothing is noted, when somebody may have
 * stored to them since the last barrier of the block. */
struct hone_emu_stretch {
    uint64_t address;
    uint32_t bytes, lane, bytes_each;
};
bool hone_emu_races_load(struct hone_emu_races *races, const struct hone_emu_order *order,
                         const struct hone_emu_touch *touch,
                         const struct hone_emu_stretch *stretch);

/* ---- device memory of a launch ---- */

struct hone_emu_global_races;
/* NULL when memory runs out. granule as above; sites: instructions of the kernel. */
struct hone_emu_global_races *hone_emu_global_races_new(uint32_t granule, size_t sites);
void hone_emu_global_races_free(struct hone_emu_global_races *races);

/* Ahead of all blocks: some are not to be watched, so any signal may come by them. */
void hone_emu_global_races_sample(struct hone_emu_global_races *races);
/* A block that is watched from now on: its number, for the calls below. -1 when memory
 * runs out. rank: in its cluster, whose blocks enter one after another, the first one
 * with 0. */
int64_t hone_emu_global_races_enter(struct hone_emu_global_races *races,
                                    const uint32_t id[3], uint32_t rank);
/* Whom a block tells something: by strong stores to device memory all others; at the
 * barrier and at objects of its cluster the blocks of that one; those that are NEAR, of
 * its cluster, what is behind fences for it alone, by strong stores. They may pass it on
 * to all, behind a fence of theirs; without one, what was FENCED. */
enum hone_emu_audience {
    HONE_EMU_TO_ALL,
    HONE_EMU_TO_CLUSTER,
    HONE_EMU_TO_NEAR,
    HONE_EMU_FENCED_TO_CLUSTER,
    HONE_EMU_AUDIENCES
};
/* The block signals to all others: which clocks of its warps that tells, and what else of
 * a vector. */
void hone_emu_global_races_signal(struct hone_emu_global_races *races, uint32_t block,
                                  const struct hone_emu_clocks *told,
                                  const struct hone_emu_vector *by);
/* The same to blocks of its cluster, by a strong store to device memory. */
void hone_emu_global_races_signal_near(struct hone_emu_global_races *races,
                                       uint32_t block, const struct hone_emu_clocks *told,
                                       const struct hone_emu_vector *by);
/* The same by its barrier, objects and shared memory; news: what is behind fences. */
void hone_emu_global_races_signal_cluster(struct hone_emu_global_races *races,
                                          uint32_t block,
                                          const struct hone_emu_clocks *told,
                                          const struct hone_emu_news *news,
                                          const struct hone_emu_vector *by);
/* What blocks of the block's cluster have told each other by now. */
struct hone_emu_heard hone_emu_global_races_heard(struct hone_emu_global_races *races,
                                                  uint32_t block);
/* Up to which signals to all those of its cluster know that have told it something. */
uint32_t hone_emu_global_races_known_near(const struct hone_emu_global_races *races,
                                          uint32_t block);
/* A strong store to the places of the touch; and how many signals of all there had been
 * when one was made there last: those that a strong load can have seen. */
void hone_emu_global_races_mark(struct hone_emu_global_races *races,
                                const struct hone_emu_touch *touch);
uint32_t hone_emu_global_races_marked(struct hone_emu_global_races *races,
                                      const struct hone_emu_touch *touch);
/* What was done to bytes from the address on, a multiple of 2^24, is not to be known any
 * more: they are of another block now. */
void hone_emu_global_races_forget(struct hone_emu_global_races *races, uint64_t address,
                                  uint64_t bytes);
/* Signals of all blocks so far. */
uint32_t hone_emu_global_races_world(const struct hone_emu_global_races *races);
/* A warp of a block that knows this. */
struct hone_emu_knower {
    uint32_t block;
    const struct hone_emu_vector *known;
};
/* Does an access of another block, made when there were world signals, come before what
 * the warp does? Stamp 0: what came before all that the block told. */
bool hone_emu_global_races_ordered(const struct hone_emu_global_races *races,
                                   uint32_t block, hone_emu_stamp stamp, uint32_t world,
                                   struct hone_emu_knower by);
/* The same of a load of its own block's shared memory. */
bool hone_emu_global_races_ordered_load(const struct hone_emu_global_races *races,
                                        uint32_t block, hone_emu_stamp stamp,
                                        uint32_t world, struct hone_emu_knower by);
/* Was the access a strong load by another block that has told of it since, by a signal
 * that the knower's strong loads have seen, though no fence followed? Then the load has
 * come before what the knower stores there. */
bool hone_emu_global_races_polled(const struct hone_emu_global_races *races,
                                  uint32_t trace, const struct hone_emu_order *order,
                                  struct hone_emu_knower by);
/* Does the one load, either of two, hide the other? Its block has told of it since, so a
 * store may come to follow it, and the hidden one's has not. */
bool hone_emu_global_races_hides(const struct hone_emu_global_races *races, uint32_t told,
                                 uint32_t hidden);
/* What the block has told its cluster, as far as the knower, of the same one, has heard;
 * NULL: nothing. */
const struct hone_emu_vector *
hone_emu_global_races_told(const struct hone_emu_global_races *races, uint32_t block,
                           struct hone_emu_knower by);
/* What the knower's own block has told its cluster and, as far as it has heard, another
 * block of that passes on; NULL: nothing. */
const struct hone_emu_vector *
hone_emu_global_races_returned(const struct hone_emu_global_races *races,
                               struct hone_emu_knower by);
/* The clocks of the block's warps up to which it knows of a fence between the proxies, by
 * what the block told that audience; NULL: of none. */
const uint32_t *hone_emu_global_races_fenced(const struct hone_emu_global_races *races,
                                             uint32_t block, enum hone_emu_audience to,
                                             struct hone_emu_knower by);
/* Does it know of such a fence, in any block, by one that had heard of a signal behind
 * the first world ones? */
bool hone_emu_global_races_fenced_since(const struct hone_emu_global_races *races,
                                        uint32_t world, struct hone_emu_knower by);
/* As hone_emu_races_stored, for the numbered block whose order is given. */
uint32_t hone_emu_global_races_stored(struct hone_emu_global_races *races, uint32_t block,
                                      const struct hone_emu_order *order,
                                      const struct hone_emu_touch *touch, uint32_t lane);
/* Accesses so far, to tell later what came after. */
uint32_t hone_emu_global_races_now(const struct hone_emu_global_races *races);
/* A fence between the proxies, for device memory, by some thread. */
void hone_emu_global_races_proxy_fence(struct hone_emu_global_races *races);
/* A store to one of the bytes since then; false: none. */
struct hone_emu_store {
    uint32_t site;
    const uint32_t *block; /* its coordinates */
};
bool hone_emu_global_races_stored_since(struct hone_emu_global_races *races, uint64_t at,
                                        uint64_t bytes, uint32_t since,
                                        struct hone_emu_store *out);
/* A lane that has bytes read now, of the numbered block whose order is given. */
struct hone_emu_reader {
    uint32_t block, warp, lane;
    const struct hone_emu_order *order;
};
/* A store by a thread to one of the bytes that comes before what the reader does, with no
 * fence between the proxies since; false: none. */
bool hone_emu_global_races_unfenced(struct hone_emu_global_races *races,
                                    const struct hone_emu_reader *reader, uint64_t at,
                                    uint64_t bytes, struct hone_emu_store *out);
/* A store to one of the bytes that nothing orders before that; false: none. */
bool hone_emu_global_races_unordered(struct hone_emu_global_races *races,
                                     const struct hone_emu_reader *reader, uint64_t at,
                                     uint64_t bytes, struct hone_emu_store *out);
/* As hone_emu_races_touch, for the numbered block whose order is given. */
bool hone_emu_global_races_touch(struct hone_emu_global_races *races, uint32_t block,
                                 const struct hone_emu_order *order,
                                 const struct hone_emu_touch *touch,
                                 struct hone_emu_conflict *out);

#endif
