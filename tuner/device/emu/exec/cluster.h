/* Clusters: blocks that begin together, meet at barrier.cluster and reach each other's
 * shared memory (PTX ISA 9.0, sections 5.2 and 9.7.13.4). A block that is in none of a
 * launch's is a cluster of its own.
 *
 * An address of distributed shared memory is (rank + 1) * 15 << 24 | offset, where rank
 * is %cluster_ctarank of the block that it lies in; 0 above the offset means the own
 * block, as it does in shared::cta addresses. A generic one has the window beside it.
 * Blocks so lie 240 MiB apart: an index that is off by less finds none of them. */
#ifndef HONE_DEVICE_EMU_CLUSTER_H
#define HONE_DEVICE_EMU_CLUSTER_H

#include <stdbool.h>
#include <stdint.h>

#include "hone/geometry.h"

enum { HONE_EMU_RANK_SHIFT = 24, HONE_EMU_RANK_STEP = 15 };
#define HONE_EMU_OFFSET_MASK ((UINT64_C(1) << HONE_EMU_RANK_SHIFT) - 1)

struct hone_emu_block;

struct hone_emu_cluster {
    struct hone_emu_block *blocks[HONE_CLUSTER_MOST]; /* by rank */
    uint32_t size;
    uint32_t arrived, alive; /* threads that exist: at the barrier, and all */
    uint32_t site;           /* number of the instruction that arrived last */
    uint64_t idle;   /* turns in a row in which all that ran polled and none came */
    bool listens;    /* to what its warps read of other blocks meanwhile, ... */
    bool heeds;      /* ... and they did */
    uint64_t rounds; /* turns of all blocks */
};

struct hone_emu_warp;
struct hone_emu_insn;

/* Rank and offset of an address (without the window) that a thread of a block of that
 * rank uses. The rank may be that of no block. */
static inline uint32_t hone_emu_rank_of(uint64_t address, uint32_t own)
{
    const uint64_t high = address >> HONE_EMU_RANK_SHIFT;
    if (high == 0) return own;
    return high > UINT8_MAX ? UINT32_MAX : (uint32_t)high / HONE_EMU_RANK_STEP - 1;
}
/* The address by which all blocks of a cluster know it. */
static inline uint64_t hone_emu_cluster_address(uint32_t rank, uint64_t address)
{
    const uint64_t known =
        rank < HONE_CLUSTER_MOST ? rank : HONE_CLUSTER_MOST; // nobody finds a block there
    return (known + 1) * HONE_EMU_RANK_STEP << HONE_EMU_RANK_SHIFT |
           (address & HONE_EMU_OFFSET_MASK);
}

/* Where an address is that the lane uses. */
struct hone_emu_place {
    struct hone_emu_block *block;
    uint64_t offset;
};
/* Finds bytes at the address (without the window); false after a fault: it is of no block
 * of the cluster, of one that has exited, or outside of its memory. remote: the
 * instruction may name other blocks than its own, so without it they are a fault. */
bool hone_emu_find_place(struct hone_emu_warp *warp, const struct hone_emu_insn *insn,
                         int lane, uint64_t address, uint32_t bytes, bool remote,
                         struct hone_emu_place *out);

/* Is the address below 2^24, or one that mapa may have made? False after a fault: an
 * index is negative or far too large. */
bool hone_emu_is_of_cluster(struct hone_emu_warp *warp, const struct hone_emu_insn *insn,
                            int lane, uint64_t address, uint32_t bytes);

/* The block of that rank; false after such a fault. */
bool hone_emu_find_member_block(struct hone_emu_warp *warp,
                                const struct hone_emu_insn *insn, int lane, uint32_t rank,
                                bool remote, struct hone_emu_block **out);

/* The blocks begin. */
void hone_emu_cluster_begin(struct hone_emu_cluster *cluster);
/* Lanes of the warp exit. */
void hone_emu_cluster_exit(struct hone_emu_warp *warp, uint32_t mask);

/* ---- handlers, for the tables of every executor ---- */

void hone_emu_cluster_arrive(struct hone_emu_warp *warp,
                             const struct hone_emu_insn *insn);
void hone_emu_cluster_wait(struct hone_emu_warp *warp, const struct hone_emu_insn *insn);
/* mapa and getctarank. */
void hone_emu_map_address(struct hone_emu_warp *warp, const struct hone_emu_insn *insn);
void hone_emu_find_rank(struct hone_emu_warp *warp, const struct hone_emu_insn *insn);

/* st.async and red.async. */
void hone_emu_store_async(struct hone_emu_warp *warp, const struct hone_emu_insn *insn);

/* clang-format off */
#define CLUSTER_TABLE                                                                    \
    [EMU_CLARRIVE][PTX_NONE] = hone_emu_cluster_arrive,                                  \
    [EMU_CLWAIT][PTX_NONE] = hone_emu_cluster_wait,                                      \
    [EMU_MAPA][PTX_NONE] = hone_emu_map_address,                                         \
    [EMU_CTARANK][PTX_NONE] = hone_emu_find_rank,                                        \
    [EMU_STASYNC][PTX_NONE] = hone_emu_store_async,                                      \
    [EMU_REDASYNC][PTX_NONE] = hone_emu_store_async,
/* clang-format on */

#endif
