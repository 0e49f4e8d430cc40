// What blocks that run at once have in common. Every block is run up to the first barrier
// behind a load, or the first product of a warp group behind one (without either: each
// warp for a while): what blocks share there, they share in what follows, for tiles of a
// matrix or an image are staged alike from step to step. Barriers before any load only
// make objects ready.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "emu_model.h"
#include "sectors.h"
#include "undo.h"

enum {
    SECTOR = 32,
    LINE = 128,
    LINE_STEPS = 8,  // that it takes as long as
    RANK_SHIFT = 59, // above the number of every sector
    WARP_STEPS = 1024,
    LEAST_BLOCKS = 16,
    STEPS = 400000,
    PROBES = 16,
    MORE_PROBES = 256 // where they are unlike
};

struct sampler {
    struct hone_emu_observer observer;
    struct hone_emu_launch *launch;
    struct hone_emu_workspace *members[HONE_CLUSTER_MOST]; // by rank, of a cluster
    struct hone_emu_cluster cluster;
    uint32_t size; // blocks that begin together
    // sectors read by each of these, by all blocks
    struct hone_emu_set block, all;
    struct hone_emu_set ranges; // bases of allocations that are read
    struct hone_emu_undo undo;
    uint64_t steps, summed, touched_bytes;
    uint32_t most; // steps that a warp may take
    // of each block: waits at mbarriers behind its first load; the step of the last one
    uint32_t passes[HONE_CLUSTER_MOST];
    uint64_t passed_at;
    bool whole, cut; // barriers end no block; a warp was ended before its time
    bool out_of_memory;
};

// Writable access to the warp that the observer is told of.
static struct hone_emu_warp *own(const struct hone_emu_warp *warp)
{
    return &warp->block->warps[warp->index];
}

// The block ends here, where it has read something.
static void end_beginning(struct sampler *sampler)
{
    if (sampler->block.count && !sampler->whole) sampler->launch->faulted = true;
}

static void on_step(void *context, const struct hone_emu_warp *warp,
                    const struct hone_emu_insn *insn)
{
    struct sampler *sampler = context;
    sampler->steps++;
    if (insn->op == EMU_WGMMA) end_beginning(sampler);
    if (insn->op == EMU_WGMMA && sampler->whole) sampler->launch->faulted = true;
    if (warp->executed <= sampler->most && !sampler->launch->faulted) return;
    sampler->cut = true;
    hone_emu_exit(own(warp), warp->mask);
}

static void note_load(struct sampler *sampler, const struct hone_emu_warp *warp,
                      uint64_t address)
{
    const uint64_t rank = (uint64_t)warp->block->rank << RANK_SHIFT;
    if (sampler->whole) return; // what it has to do is asked, not what it reads
    int added = hone_emu_set_add(&sampler->block, rank | address / SECTOR);
    if (added > 0) {
        const struct hone_emu_range *range =
            hone_emu_memory_find(sampler->launch->memory, address);
        if (hone_emu_set_add(&sampler->all, address / SECTOR) < 0) added = -1;
        if (range && hone_emu_set_add(&sampler->ranges, range->base) > 0)
            sampler->touched_bytes += range->bytes;
    }
    if (added < 0) sampler->out_of_memory = true;
}

static void on_access(void *context, const struct hone_emu_warp *warp,
                      const struct hone_emu_insn *insn, enum ptx_space space,
                      const uint64_t *addresses, uint32_t bytes)
{
    struct sampler *sampler = context;
    bool writes = insn->op == EMU_ST || insn->op == EMU_ATOM;
    if (space != PTX_GLOBAL) return;
    for (uint32_t m = warp->mask; m; m &= m - 1) {
        uint64_t address = addresses[__builtin_ctz(m)];
        if (!writes)
            note_load(sampler, warp, address);
        else if (!hone_emu_undo_note(&sampler->undo, address, bytes))
            sampler->out_of_memory = true;
    }
}

static void on_async(void *context, const struct hone_emu_async *event)
{
    struct sampler *sampler = context;
    // who copies has something to do: it is not asked for more
    if (sampler->whole && event->event == HONE_EMU_ASYNC_ISSUED)
        sampler->launch->faulted = true;
    for (size_t k = 0; event->event == HONE_EMU_ASYNC_ISSUED && k < event->count; k++) {
        const struct hone_emu_span *span = &event->spans[k];
        if (span->block) continue;
        if (span->writes &&
            !hone_emu_undo_note_many(&sampler->undo, span->at, span->bytes))
            sampler->out_of_memory = true;
        // one sector of each line stands for it: blocks share whole rows of tiles
        for (uint64_t at = span->at / LINE * LINE;
             !span->writes && at < span->at + span->bytes; at += LINE) {
            note_load(sampler, event->warp, at);
            sampler->steps += LINE_STEPS;
        }
    }
}

static void on_barrier(void *context, const struct hone_emu_warp *warp, uint32_t id,
                       bool flag)
{
    struct sampler *sampler = context;
    (void)id;
    (void)flag;
    if (!warp) end_beginning(sampler); // it opens
}

// Who fills a ring of stages waits for each of them. With two waits behind its first load
// a block has read two stages, or what comes before them and one: all is staged alike
// from there on.
static void on_mbarrier(void *context, const struct hone_emu_warp *warp,
                        const struct hone_emu_insn *insn,
                        enum hone_emu_mbarrier_event event, uint32_t lane,
                        const struct hone_emu_place *at)
{
    struct sampler *sampler = context;
    bool all = true;
    (void)insn;
    (void)lane;
    (void)at;
    if (event != HONE_EMU_MBARRIER_PASSED || !sampler->block.count ||
        sampler->passed_at == sampler->steps)
        return;
    sampler->passed_at = sampler->steps;
    sampler->passes[warp->block->rank]++;
    for (uint32_t r = 0; r < sampler->size; r++)
        all = all && sampler->passes[r] >= 2;
    if (all) end_beginning(sampler);
}

// Run the beginning of cluster number n, or of the only block of it.
static void sample_cluster(struct sampler *sampler, const struct hone_emu_isa *isa,
                           uint64_t n)
{
    struct hone_emu_launch *launch = sampler->launch;
    uint32_t id[3];
    launch->observer = &sampler->observer;
    memset(sampler->passes, 0, sizeof sampler->passes);
    for (uint32_t r = 0; r < sampler->size; r++) {
        hone_emu_find_block(id, launch, n, r);
        hone_emu_block_begin(sampler->members[r], id);
    }
    if (sampler->size > 1) hone_emu_cluster_begin(&sampler->cluster);
    hone_emu_finish_block(sampler->members[0], isa);
    launch->observer = NULL;
    sampler->cut = sampler->cut || launch->faulted;
    if (!launch->expired) { // a real fault will show when whole blocks run
        launch->faulted = false;
        *launch->fault = (struct hone_fault){.outcome = HONE_VALID};
    }
    sampler->summed += sampler->block.count;
    hone_emu_set_fini(&sampler->block);
}

static double share_of(const struct sampler *sampler)
{
    if (!sampler->summed) return 1.0;
    return (double)sampler->all.count / (double)sampler->summed;
}

// Runs count clusters from first on; fills out as if the wave were these.
static void sample_clusters(struct hone_emu_wave *out, struct sampler *sampler,
                            const struct hone_emu_isa *isa, uint64_t first,
                            uint64_t count)
{
    double half = 0.0;
    uint64_t n = 0;
    while (n < count && !sampler->out_of_memory && !sampler->launch->expired) {
        sample_cluster(sampler, isa, first + n++);
        if (n == (count + 1) / 2) half = (double)sampler->all.count;
        if (sampler->steps > STEPS && n * sampler->size >= LEAST_BLOCKS && n < count / 2)
            count = 2 * n; // long beginnings: fewer of them
    }
    const size_t halfway = (n + 1) / 2;
    const double doublings = n > 1 ? log2((double)n / (double)halfway) : 0.0;
    out->blocks = (double)(n * sampler->size);
    out->unique_share = share_of(sampler);
    out->growth = doublings > 0 && half > 0
                      ? log2((double)sampler->all.count / half) / doublings
                      : 1.0;
    if (out->growth > 1.0) out->growth = 1.0;
    out->touched_bytes = (double)sampler->touched_bytes;
}

static enum hone_status begin_sampler(struct sampler *sampler, struct hone_error *err)
{
    enum hone_status status = HONE_OK;
    for (uint32_t r = 1; r < sampler->size && status == HONE_OK; r++)
        status = hone_emu_workspace_new(&sampler->members[r], sampler->launch, err);
    if (status == HONE_OK && sampler->size > 1)
        hone_emu_cluster_join(&sampler->cluster, sampler->members, sampler->size);
    return status;
}

static void end_sampler(struct sampler *sampler)
{
    hone_emu_cluster_leave(sampler->members[0]);
    for (uint32_t r = 1; r < sampler->size; r++)
        hone_emu_workspace_free(sampler->members[r]);
    hone_emu_undo_all(&sampler->undo);
    hone_emu_set_fini(&sampler->all);
    hone_emu_set_fini(&sampler->ranges);
}

// ---- blocks that have nothing to do ----

struct probe {
    uint64_t cluster, steps;
    bool cut;
};

// What others stored before, tickets that they took among it, is not there for it.
static struct probe probe_cluster(struct sampler *sampler, const struct hone_emu_isa *isa,
                                  uint64_t cluster)
{
    hone_emu_undo_all(&sampler->undo);
    sampler->cut = false;
    sampler->steps = 0;
    sample_cluster(sampler, isa, cluster);
    return (struct probe){cluster, sampler->steps, sampler->cut};
}

// Clusters at even distances, each anywhere in its part of the grid, so that no period of
// the grid's is met.
static void probe_clusters(struct sampler *sampler, const struct hone_emu_isa *isa,
                           uint64_t total, struct probe *probes, uint32_t count)
{
    static const double golden = 0.6180339887498949;
    for (uint32_t k = 0; k < count && !sampler->launch->expired; k++) {
        const double part = k * golden - floor(k * golden);
        probes[k] =
            probe_cluster(sampler, isa, (uint64_t)((k + part) * (double)total / count));
    }
}

// What the probes say: how far they went, how many were cut off.
struct findings {
    uint64_t most;
    uint32_t cut;
};

// Beside blocks that go on a block has something to do if it goes on, too.
static bool stands_for_others(const struct probe *probe, const struct findings *findings)
{
    return findings->cut ? probe->cut : 4 * probe->steps > findings->most;
}

// A cluster that ends at once, with a quarter of another's steps or fewer, has nothing to
// do; one that ends early may be so. The last probe is of the middle: where it cannot
// stand for the others, the one does that is in the middle of those that can.
static void judge_probes(struct hone_emu_wave *out, const struct sampler *sampler,
                         const struct probe *probes, uint32_t count)
{
    struct findings findings = {0};
    const struct probe *able[PROBES];
    uint32_t busy = 0, able_count = 0;
    for (uint32_t k = 0; k <= count; k++) {
        findings.cut += probes[k].cut;
        if (probes[k].steps > findings.most) findings.most = probes[k].steps;
    }
    for (uint32_t k = 0; k < count; k++) {
        busy += probes[k].cut || 4 * probes[k].steps > findings.most;
        if (stands_for_others(&probes[k], &findings)) able[able_count++] = &probes[k];
    }
    if (busy) out->idle_share = 1.0 - (double)busy / count;
    out->unlike = out->idle_share > 0 || (findings.cut && findings.cut <= count);
    if (!able_count || stands_for_others(&probes[count], &findings)) return;
    out->center = able[able_count / 2]->cluster;
    hone_emu_find_block(out->typical, sampler->launch, out->center, 0);
}

// Some go on, others do not: how many is asked of more of them, which is cheap.
static void find_early_share(struct hone_emu_wave *out, struct sampler *sampler,
                             const struct hone_emu_isa *isa, uint64_t total)
{
    struct probe probes[MORE_PROBES] = {{0}};
    const uint32_t count = total < MORE_PROBES ? (uint32_t)total : MORE_PROBES;
    uint32_t early = 0;
    probe_clusters(sampler, isa, total, probes, count);
    for (uint32_t k = 0; k < count; k++)
        early += !probes[k].cut;
    out->early_share = (double)early / count;
}

static void probe_grid(struct hone_emu_wave *out, struct sampler *sampler,
                       const struct hone_emu_isa *isa)
{
    struct probe probes[PROBES + 1] = {{0}};
    const struct hone_emu_launch *launch = sampler->launch;
    uint64_t total = 1, middle = 0;
    for (int i = 2; i >= 0; i--) {
        const uint32_t size = launch->cluster[i], clusters = launch->grid[i] / size;
        total *= clusters;
        const uint32_t at = clusters > 2 ? clusters / 2 : 0; // not at the edge
        out->typical[i] = at * size;
        middle = middle * clusters + at;
    }
    out->center = total / 2;
    if (total <= 2) return; // the middle and the last one are all
    const uint32_t count = total < PROBES ? (uint32_t)total : PROBES;
    sampler->whole = true;
    sampler->most = HONE_EMU_PROBE_STEPS;
    probe_clusters(sampler, isa, total, probes, count);
    probes[count] = probe_cluster(sampler, isa, middle);
    judge_probes(out, sampler, probes, count);
    if (out->unlike) find_early_share(out, sampler, isa, total);
    hone_emu_undo_all(&sampler->undo);
    sampler->whole = false;
    sampler->steps = 0;
}

// ---- a wave ----

static void sample(struct hone_emu_wave *out, struct sampler *sampler,
                   const struct hone_emu_isa *isa, double blocks)
{
    const uint32_t *grid = sampler->launch->grid;
    const uint64_t total = (uint64_t)grid[0] * grid[1] * grid[2] / sampler->size;
    uint64_t wave = (uint64_t)blocks / sampler->size;
    if (wave < 1) wave = 1;
    if (wave > total) wave = total;
    const uint64_t ends = 2 * out->center + total % 2; // sum of first and last, and 1
    uint64_t first = ends > wave ? (ends - wave) / 2 : 0;
    if (first > total - wave) first = total - wave;
    sampler->most = WARP_STEPS;
    sample_clusters(out, sampler, isa, first, wave);
    // from the blocks that were run to those of the wave
    const double all = (double)(wave * sampler->size);
    out->unique_share *= pow(all / out->blocks, out->growth - 1.0);
    out->blocks = all * (1.0 - out->idle_share);
}

enum hone_status hone_emu_wave_sample(struct hone_emu_wave *out,
                                      struct hone_emu_launch *launch,
                                      struct hone_emu_workspace *workspace,
                                      const struct hone_emu_isa *isa, double blocks,
                                      struct hone_error *err)
{
    struct sampler sampler = {.launch = launch,
                              .members = {workspace},
                              .size = hone_emu_cluster_size(launch),
                              .undo.memory = launch->memory};
    sampler.observer = (struct hone_emu_observer){.context = &sampler,
                                                  .step = on_step,
                                                  .access = on_access,
                                                  .barrier = on_barrier,
                                                  .mbarrier = on_mbarrier,
                                                  .async = on_async,
                                                  .products = true};
    *out = (struct hone_emu_wave){0};
    enum hone_status status = begin_sampler(&sampler, err);
    if (status == HONE_OK) {
        probe_grid(out, &sampler, isa);
        sample(out, &sampler, isa, blocks);
    }
    end_sampler(&sampler);
    if (status == HONE_OK && sampler.out_of_memory)
        return hone_no_memory(err, "to predict a launch");
    return status;
}
