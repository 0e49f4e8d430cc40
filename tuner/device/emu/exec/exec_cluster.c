// What blocks of a cluster share: a barrier, and addresses of each other's memory.
#include "emu_exec.h"

// ---- which blocks they are ----

void hone_emu_find_member(uint32_t out[3], const struct hone_emu_launch *launch,
                          const uint32_t id[3], uint32_t rank)
{
    for (int i = 0; i < 3; i++) {
        const uint32_t size = launch->cluster[i];
        out[i] = id[i] - id[i] % size + rank % size;
        rank /= size;
    }
}

void hone_emu_find_block(uint32_t out[3], const struct hone_emu_launch *launch,
                         uint64_t n, uint32_t rank)
{
    for (int i = 0; i < 3; i++) {
        const uint32_t clusters = launch->grid[i] / launch->cluster[i];
        out[i] = (uint32_t)(n % clusters) * launch->cluster[i];
        n /= clusters;
    }
    hone_emu_find_member(out, launch, out, rank);
}

// ---- addresses ----

static bool is_shared(const struct hone_emu_insn *insn, uint64_t address)
{
    return insn->space != PTX_GENERIC ||
           (address & HONE_EMU_WINDOW_MASK) == HONE_EMU_SHARED_WINDOW;
}

// An address among the operands, its window set apart; false after a fault.
static bool read_address(struct hone_emu_warp *warp, const struct hone_emu_insn *insn,
                         int lane, uint64_t *window, uint64_t *address)
{
    *address = hone_emu_read_lane(warp, insn->src[0], lane, insn->type == PTX_U64);
    if (!is_shared(insn, *address)) {
        hone_emu_fault(warp, insn, lane, HONE_CRASHED, HONE_FINDING_OUT_OF_BOUNDS,
                       "an address of shared memory is wanted, this one is of another");
        return false;
    }
    *window = *address & HONE_EMU_WINDOW_MASK;
    *address &= ~HONE_EMU_WINDOW_MASK;
    return true;
}

void hone_emu_map_address(struct hone_emu_warp *warp, const struct hone_emu_insn *insn)
{
    for (uint32_t m = warp->mask; m; m &= m - 1) {
        const int lane = __builtin_ctz(m);
        uint64_t window, address;
        if (!read_address(warp, insn, lane, &window, &address)) return;
        const uint32_t rank =
            (uint32_t)hone_emu_read_lane(warp, insn->src[1], lane, false);
        hone_emu_write_lane(warp, insn->dst[0], lane, insn->type == PTX_U64,
                            window | hone_emu_cluster_address(rank, address));
    }
}

void hone_emu_find_rank(struct hone_emu_warp *warp, const struct hone_emu_insn *insn)
{
    for (uint32_t m = warp->mask; m; m &= m - 1) {
        const int lane = __builtin_ctz(m);
        uint64_t window, address;
        if (!read_address(warp, insn, lane, &window, &address)) return;
        hone_emu_write_lane(warp, insn->dst[0], lane, false,
                            hone_emu_rank_of(address, warp->block->rank));
    }
}

// It is none that mapa made: an index that is negative or far too large.
static bool is_stray(const struct hone_emu_warp *warp, uint64_t address)
{
    const uint64_t high = address >> HONE_EMU_RANK_SHIFT;
    if (high == 0) return false;
    return !warp->launch->code->maps || high > UINT8_MAX || high % HONE_EMU_RANK_STEP ||
           (address & HONE_EMU_OFFSET_MASK) > HONE_EMU_OFFSET_MASK / 2;
}

// Soon before the memory of a block of the cluster.
static bool is_before_a_block(const struct hone_emu_warp *warp, uint64_t address)
{
    const uint64_t most = HONE_EMU_OFFSET_MASK;
    return warp->launch->code->maps && (address & most) > most / 2 &&
           hone_emu_rank_of(address + most / 2 + 1, UINT32_MAX) <
               warp->block->cluster->size;
}

bool hone_emu_is_of_cluster(struct hone_emu_warp *warp, const struct hone_emu_insn *insn,
                            int lane, uint64_t address, uint32_t bytes)
{
    return !is_stray(warp, address) ||
           hone_emu_explain_lane(warp, insn, lane, PTX_SHARED,
                                 is_before_a_block(warp, address)
                                     ? address & HONE_EMU_OFFSET_MASK
                                     : address,
                                 bytes);
}

static bool refuse_place(struct hone_emu_warp *warp, const struct hone_emu_insn *insn,
                         int lane, uint32_t rank, bool remote)
{
    const struct hone_emu_cluster *cluster = warp->block->cluster;
    if (!remote)
        hone_emu_fault(warp, insn, lane, HONE_CRASHED, HONE_FINDING_PEER,
                       "an address of block %u of the cluster is used as one of the own "
                       "block %u (shared::cta); shared::cluster is meant",
                       rank, warp->block->rank);
    else if (rank >= cluster->size)
        hone_emu_fault(warp, insn, lane, HONE_CRASHED, HONE_FINDING_PEER,
                       "shared memory of block %u of a cluster of %u", rank,
                       cluster->size);
    else
        hone_emu_fault(warp, insn, lane, HONE_CRASHED, HONE_FINDING_PEER,
                       "shared memory of block %u of the cluster, which has exited; it "
                       "has to stay until others are done with it (barrier.cluster)",
                       rank);
    return false;
}

bool hone_emu_find_member_block(struct hone_emu_warp *warp,
                                const struct hone_emu_insn *insn, int lane, uint32_t rank,
                                bool remote, struct hone_emu_block **out)
{
    struct hone_emu_block *own = warp->block;
    *out = own;
    if (rank == own->rank) return true;
    if (!remote || rank >= own->cluster->size)
        return refuse_place(warp, insn, lane, rank, remote);
    *out = own->cluster->blocks[rank];
    return (*out)->exited < (*out)->threads ||
           refuse_place(warp, insn, lane, rank, remote);
}

bool hone_emu_find_place(struct hone_emu_warp *warp, const struct hone_emu_insn *insn,
                         int lane, uint64_t address, uint32_t bytes, bool remote,
                         struct hone_emu_place *out)
{
    const uint32_t rank = hone_emu_rank_of(address, warp->block->rank);
    if (!hone_emu_is_of_cluster(warp, insn, lane, address, bytes)) return false;
    out->offset = address & HONE_EMU_OFFSET_MASK;
    if (!hone_emu_find_member_block(warp, insn, lane, rank, remote, &out->block))
        return false;
    if (out->offset % bytes == 0 && bytes <= out->block->shared_bytes &&
        out->offset <= out->block->shared_bytes - bytes)
        return true;
    return hone_emu_explain_lane(warp, insn, lane, PTX_SHARED, out->offset, bytes);
}

// ---- the barrier ----

void hone_emu_cluster_begin(struct hone_emu_cluster *cluster)
{
    cluster->arrived = cluster->alive = 0;
    cluster->idle = cluster->rounds = 0;
    cluster->listens = cluster->heeds = false;
    for (uint32_t r = 0; r < cluster->size; r++)
        cluster->alive += cluster->blocks[r]->threads;
}

static void let_pass(struct hone_emu_warp *warp)
{
    warp->passes = warp->arrived; // those that arrived and have not waited yet
    for (uint32_t s = 0; s < warp->split_count; s++) {
        struct hone_emu_split *split = &warp->splits[s];
        if (split->state == SPLIT_CLUSTER) split->state = SPLIT_READY;
    }
}

static void open_if_complete(struct hone_emu_cluster *cluster)
{
    if (cluster->arrived == 0 || cluster->arrived < cluster->alive) return;
    cluster->arrived = 0;
    for (uint32_t r = 0; r < cluster->size; r++) {
        struct hone_emu_block *block = cluster->blocks[r];
        const struct hone_emu_observer *observer = block->observer;
        if (observer && observer->cluster)
            observer->cluster(observer->context, NULL, NULL);
        block->met = true;
        block->events++;
        for (uint32_t k = 0; k < block->warp_count; k++)
            let_pass(&block->warps[k]);
    }
}

void hone_emu_cluster_exit(struct hone_emu_warp *warp, uint32_t mask)
{
    struct hone_emu_cluster *cluster = warp->block->cluster;
    const uint32_t there = mask & warp->arrived & ~warp->passes;
    cluster->alive -= (uint32_t)__builtin_popcount(mask);
    cluster->arrived -= (uint32_t)__builtin_popcount(there);
    warp->arrived &= ~mask;
    warp->passes &= ~mask;
    open_if_complete(cluster);
}

static void tell_barrier(const struct hone_emu_warp *warp,
                         const struct hone_emu_insn *insn)
{
    const struct hone_emu_observer *observer = warp->block->observer;
    if (observer && observer->cluster) observer->cluster(observer->context, warp, insn);
}

// Lanes that went another way come here too, where the instruction says so.
static bool is_whole(struct hone_emu_warp *warp, const struct hone_emu_insn *insn)
{
    return !(insn->order & ORDER_ALIGNED) || hone_emu_gather(warp, insn, UINT32_MAX);
}

static bool misuse(struct hone_emu_warp *warp, const struct hone_emu_insn *insn,
                   uint32_t lanes, const char *what)
{
    if (lanes == 0) return false;
    hone_emu_fault(warp, insn, __builtin_ctz(lanes), HONE_CRASHED, HONE_FINDING_BARRIER,
                   "barrier.cluster: the thread %s", what);
    return true;
}

void hone_emu_cluster_arrive(struct hone_emu_warp *warp, const struct hone_emu_insn *insn)
{
    struct hone_emu_cluster *cluster = warp->block->cluster;
    if (!is_whole(warp, insn)) return;
    if (misuse(warp, insn, warp->mask & warp->arrived,
               "arrives again before it has waited"))
        return;
    tell_barrier(warp, insn);
    warp->arrived |= warp->mask;
    cluster->arrived += (uint32_t)__builtin_popcount(warp->mask);
    cluster->site = (uint32_t)(insn - warp->launch->code->insns);
    warp->block->events++;
    open_if_complete(cluster);
}

void hone_emu_cluster_wait(struct hone_emu_warp *warp, const struct hone_emu_insn *insn)
{
    if (!is_whole(warp, insn)) return;
    if (misuse(warp, insn, warp->mask & ~warp->arrived, "waits without having arrived"))
        return;
    const uint32_t late = warp->mask & ~warp->passes;
    if (late == warp->mask) {
        hone_emu_park(warp, insn, SPLIT_CLUSTER, 0, 0);
        return;
    }
    if (late) {
        hone_emu_split_off(warp, insn, late);
        hone_emu_set_mask(warp, warp->mask & ~late);
    }
    warp->arrived &= ~warp->mask;
    warp->passes &= ~warp->mask;
    tell_barrier(warp, insn);
}
