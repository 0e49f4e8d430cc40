// Blocks: sets up registers and memory, and runs the warps in turn until all have exited.
#include "emu_exec.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "exec_bulk.h"
#include "exec_moment.h"

// All warps may have a turn, from barrier to barrier, as often as a quantum has rounds
// over this: who waits in a loop with a barrier inside never spends its own.
enum { ROUNDS_A_TURN = 4 };

// Turns in which all warps asked for what did not come, until it is taken not to come:
// more than a kernel asks for before it does something else.
enum { IDLE_TURNS = 1 << 12 };

struct hone_emu_workspace {
    struct hone_emu_launch *launch;
    struct hone_emu_block block;
    struct hone_emu_cluster alone; // the block's, where it is in no other
    bool begun; // a block has: what is the same for all of them is there
    void *memory;
};

#ifdef HONE_EMU_HAVE_V3
static bool have_v3(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
           __builtin_cpu_supports("bmi2");
}
#endif

const struct hone_emu_isa *hone_emu_isa_find(const char *name)
{
#ifdef HONE_EMU_HAVE_V3
    if (have_v3() && strcmp(name, hone_emu_isa_v3.name) == 0) return &hone_emu_isa_v3;
#endif
    return strcmp(name, hone_emu_isa_base.name) == 0 ? &hone_emu_isa_base : NULL;
}

const struct hone_emu_isa *hone_emu_isa_best(void)
{
    const struct hone_emu_isa *best = hone_emu_isa_find("x86-64-v3");
    return best ? best : &hone_emu_isa_base;
}

// ---- workspace ----

static uint64_t round_up(uint64_t n, uint64_t to)
{
    return (n + to - 1) / to * to;
}

static void write_constants(const struct hone_emu_code *code, uint8_t *regs)
{
    for (size_t k = 0; k < code->constant_count; k++) {
        const struct hone_emu_constant *constant = &code->constants[k];
        uint8_t *at = regs + constant->reg;
        uint32_t word = (uint32_t)constant->value;
        size_t copies = constant->bits == 1 ? 1 : HONE_EMU_LANES;
        for (size_t l = 0; l < copies; l++)
            if (constant->bits == 64)
                memcpy(at + l * 8, &constant->value, 8);
            else
                memcpy(at + l * 4, &word, 4);
    }
}

enum hone_status hone_emu_workspace_new(struct hone_emu_workspace **out,
                                        struct hone_emu_launch *launch,
                                        struct hone_error *err)
{
    const struct hone_emu_code *code = launch->code;
    uint32_t threads = launch->block[0] * launch->block[1] * launch->block[2];
    uint32_t warps = (threads + HONE_EMU_LANES - 1) / HONE_EMU_LANES;
    uint64_t shared = round_up(code->dynamic_shared_at + launch->shared_bytes, 64);
    uint64_t regs = round_up(code->register_bytes, 64);
    uint64_t local = round_up(code->local_bytes * warps * HONE_EMU_LANES, 64);
    uint64_t structs = round_up(warps * sizeof(struct hone_emu_warp), 64);
    uint64_t hits = code->count * sizeof(struct hone_emu_range);
    struct hone_emu_workspace *workspace = calloc(1, sizeof *workspace);
    if (workspace)
        workspace->memory =
            calloc(1, structs + warps * regs + shared + local + hits + 64);
    if (!workspace || !workspace->memory) {
        free(workspace);
        return hone_no_memory(err, "to run a block");
    }
    uint8_t *memory = workspace->memory;
    memory += -(uintptr_t)memory % 64; // for vectors
    struct hone_emu_block *block = &workspace->block;
    workspace->launch = launch;
    *block = (struct hone_emu_block){
        .launch = launch, .threads = threads, .warp_count = warps};
    block->warps = (struct hone_emu_warp *)(void *)memory;
    for (uint32_t k = 0; k < warps; k++) {
        block->warps[k].regs = memory + structs + k * regs;
        write_constants(code, block->warps[k].regs);
    }
    block->shared = memory + structs + warps * regs;
    block->shared_bytes = code->dynamic_shared_at + launch->shared_bytes;
    block->local = block->shared + shared;
    block->hits = (struct hone_emu_range *)(void *)(block->local + local);
    hone_emu_cluster_join(&workspace->alone, &workspace, 1);
    *out = workspace;
    return HONE_OK;
}

void hone_emu_cluster_join(struct hone_emu_cluster *cluster,
                           struct hone_emu_workspace *const *workspaces, uint32_t size)
{
    cluster->size = size;
    for (uint32_t r = 0; r < size; r++) {
        cluster->blocks[r] = &workspaces[r]->block;
        cluster->blocks[r]->cluster = cluster;
    }
}

void hone_emu_cluster_leave(struct hone_emu_workspace *workspace)
{
    hone_emu_cluster_join(&workspace->alone, &workspace, 1);
}

void hone_emu_workspace_free(struct hone_emu_workspace *workspace)
{
    if (!workspace) return;
    for (uint32_t k = 0; k < workspace->block.warp_count; k++)
        hone_emu_units_fini(&workspace->block.warps[k].units);
    hone_emu_arrivals_fini(&workspace->block.arrivals);
    hone_emu_bulks_fini(&workspace->block.bulks);
    free(workspace->memory);
    free(workspace);
}

// ---- a block ----

// Where the block is in its cluster.
static uint32_t rank_of(const struct hone_emu_launch *launch, const uint32_t id[3])
{
    const uint32_t *size = launch->cluster;
    return (id[2] % size[2] * size[1] + id[1] % size[1]) * size[0] + id[0] % size[0];
}

void hone_emu_block_begin(struct hone_emu_workspace *workspace, const uint32_t id[3])
{
    enum { BYTES = 1024 }; // are set to zero in the time of an instruction
    struct hone_emu_block *block = &workspace->block;
    block->observer = workspace->launch->observer;
    block->classes = workspace->launch->classes;
    memcpy(block->id, id, sizeof block->id);
    block->rank = rank_of(workspace->launch, id);
    block->exited = 0;
    block->met = false;
    block->resumes_at = 0;
    block->events = 0;
    if (block->cluster == &workspace->alone) hone_emu_cluster_begin(block->cluster);
    hone_emu_arrivals_begin(&block->arrivals);
    hone_emu_pool_begin(&block->registers, workspace->launch->registers,
                        block->warp_count);
    hone_emu_bulks_begin(&block->bulks);
    hone_emu_moment_begin(block);
    memset(block->barriers, 0, sizeof block->barriers);
    memset(block->shared, 0, block->shared_bytes);
    for (uint32_t k = 0; k < block->warp_count; k++) {
        struct hone_emu_warp *warp = &block->warps[k];
        uint32_t left = block->threads - k * HONE_EMU_LANES;
        warp->exists = left >= HONE_EMU_LANES ? UINT32_MAX : (UINT32_C(1) << left) - 1;
        warp->alive = warp->exists;
        warp->block = block;
        warp->launch = workspace->launch;
        warp->index = k;
        warp->avoid = warp->loose = 0;
        warp->executed = 0;
        warp->arrived = warp->passes = 0;
        warp->meetings = warp->rested = warp->ranked = 0;
        warp->split_count = 1;
        hone_emu_units_begin(&warp->units);
        warp->splits[0] = (struct hone_emu_split){.at = workspace->launch->code->insns,
                                                  .mask = warp->exists};
        hone_emu_write_specials(warp, workspace->begun);
    }
    workspace->launch->unlooked += block->warp_count + block->shared_bytes / BYTES;
    workspace->begun = true;
}

// Run the warp's split until it stops by itself, or a limit of the launch stops it.
static void run_split(struct hone_emu_warp *warp, const struct hone_emu_isa *isa)
{
    struct hone_emu_launch *launch = warp->launch;
    do {
        const uint64_t before = warp->executed;
        if (warp->block->observer || warp->block->cluster->listens || launch->woven)
            isa->run_observed(warp);
        else
            isa->run(warp);
        launch->executed += warp->executed - before;
        hone_emu_spend(warp, warp->executed - before + 1);
    } while (warp->at < warp->limit);
}

// It is to go on later, when others have begun.
static bool has_met(const struct hone_emu_block *block)
{
    return block->brief && block->met;
}

static uint32_t quantum_of(const struct hone_emu_launch *launch)
{
    return launch->quantum ? launch->quantum : HONE_EMU_QUANTUM;
}

// Run a warp until it waits, has exited, or spent its quantum, which all of its splits
// share; false when it could not run at all.
static bool run_warp(struct hone_emu_warp *warp, const struct hone_emu_isa *isa)
{
    struct hone_emu_launch *launch = warp->launch;
    bool ran = false;
    warp->back_edges = quantum_of(launch);
    warp->polled = false;
    while (!launch->faulted && hone_emu_warp_next(warp)) {
        run_split(warp, isa);
        hone_emu_warp_stop(warp);
        ran = true;
        if (warp->avoid || has_met(warp->block)) break;
    }
    return ran;
}

// What a turn of all warps came to.
struct turn {
    bool ran;       // some warp did
    bool polls;     // and all that did wait for what was not there
    uint32_t spent; // those that spent their quantum
};

static struct turn run_warps(struct hone_emu_block *block, const struct hone_emu_isa *isa)
{
    struct hone_emu_launch *launch = block->launch;
    const uint64_t events = block->events;
    uint32_t k = block->resumes_at;
    struct turn out = {.ran = k > 0, .polls = k == 0}; // the rest of a turn
    block->resumes_at = 0;
    for (; k < block->warp_count && !launch->faulted; k++) {
        uint32_t turn = launch->reversed ? block->warp_count - 1 - k : k;
        struct hone_emu_warp *warp = &block->warps[turn];
        if (block->bulks.count) hone_emu_bulk_between(block);
        if (!warp->split_count || !run_warp(warp, isa)) continue;
        out.ran = true;
        out.polls = out.polls && warp->polled;
        if (has_met(block)) {
            block->resumes_at = k;
            return (struct turn){.ran = true, .spent = out.spent};
        }
        if (!warp->avoid || warp->polled) continue;
        out.spent++;
        hone_emu_note_loop(warp);
    }
    out.polls = out.polls && block->events == events;
    return out;
}

static bool heeds_others(const struct hone_emu_code *code)
{
    for (size_t k = 0; k < code->count; k++)
        if (hone_emu_heeds_others(&code->insns[k])) return true;
    return false;
}

// Executors hear of each instruction then.
static void listen(struct hone_emu_cluster *cluster, bool on)
{
    cluster->listens = on;
    cluster->heeds = false;
}

// Do all warps ask for what only they themselves could bring about? Not while they look
// at what other blocks write: where the kernel does that somewhere, they are listened to
// as long again.
static bool is_stuck(struct hone_emu_cluster *cluster)
{
    if (cluster->heeds) cluster->idle = 0;
    if (cluster->idle == 0 && cluster->listens) listen(cluster, false);
    if (cluster->idle < IDLE_TURNS) return false;
    if (cluster->listens) return cluster->idle >= 2 * IDLE_TURNS;
    if (!heeds_others(cluster->blocks[0]->launch->code)) return true;
    listen(cluster, true);
    return false;
}

static bool has_ended(const struct hone_emu_block *block)
{
    return block->exited == block->threads;
}

static bool have_all_ended(const struct hone_emu_cluster *cluster)
{
    for (uint32_t r = 0; r < cluster->size; r++)
        if (!has_ended(cluster->blocks[r])) return false;
    return true;
}

// Is one of the blocks to go on later, when others have begun?
static bool has_any_met(const struct hone_emu_cluster *cluster)
{
    for (uint32_t r = 0; r < cluster->size; r++)
        if (has_met(cluster->blocks[r])) return true;
    return false;
}

// A turn of each block. Where the order is to be another they go backwards, or, turned,
// backwards every second time.
static struct turn run_blocks(struct hone_emu_cluster *cluster,
                              const struct hone_emu_isa *isa)
{
    const struct hone_emu_launch *launch = cluster->blocks[0]->launch;
    const bool backwards =
        launch->reversed || (launch->turned && cluster->rounds % 2 == 0);
    struct turn out = {.polls = true};
    cluster->rounds++;
    for (uint32_t k = 0; k < cluster->size && !launch->faulted; k++) {
        struct hone_emu_block *block =
            cluster->blocks[backwards ? cluster->size - 1 - k : k];
        if (has_ended(block)) continue;
        const struct turn turn = run_warps(block, isa);
        out.ran = out.ran || turn.ran;
        out.polls = out.polls && (turn.polls || !turn.ran);
        out.spent += turn.spent;
    }
    return out;
}

enum hone_emu_progress hone_emu_cluster_run(struct hone_emu_cluster *cluster,
                                            const struct hone_emu_isa *isa,
                                            uint32_t patience)
{
    const struct hone_emu_launch *launch = cluster->blocks[0]->launch;
    const uint64_t rounds_each = quantum_of(launch) / ROUNDS_A_TURN;
    const uint64_t most = patience ? patience * rounds_each : 1;
    uint32_t spent = 0;
    uint64_t rounds = 0;
    for (uint32_t r = 0; r < cluster->size; r++)
        cluster->blocks[r]->brief = patience == 0;
    while (!launch->faulted && !have_all_ended(cluster)) {
        if (has_any_met(cluster) || (patience && spent >= patience * cluster->size) ||
            rounds++ >= most)
            return HONE_EMU_WAITS;
        const struct turn turn = run_blocks(cluster, isa);
        spent += turn.spent;
        cluster->idle = turn.polls ? cluster->idle + 1 : 0;
        const bool stuck = is_stuck(cluster);
        if ((!turn.ran || stuck) && !launch->faulted) hone_emu_report_deadlock(cluster);
    }
    for (uint32_t r = 0; r < cluster->size && !launch->faulted; r++)
        if (cluster->blocks[r]->bulks.count) hone_emu_bulk_finish(cluster->blocks[r]);
    return HONE_EMU_DONE;
}

enum hone_emu_progress hone_emu_block_run(struct hone_emu_workspace *workspace,
                                          const struct hone_emu_isa *isa,
                                          uint32_t patience)
{
    return hone_emu_cluster_run(workspace->block.cluster, isa, patience);
}

void hone_emu_finish_block(struct hone_emu_workspace *workspace,
                           const struct hone_emu_isa *isa)
{
    enum { PATIENCE = 1 << 16 }; // 2^28 times round a loop: it waits for another block
    if (hone_emu_block_run(workspace, isa, PATIENCE) == HONE_EMU_DONE) return;
    hone_emu_fault(&workspace->block.warps[0], workspace->launch->code->insns, 0,
                   HONE_TIMED_OUT, HONE_FINDING_TIMEOUT, "a block does not end alone");
}

void hone_emu_run_block(struct hone_emu_workspace *workspace, const uint32_t id[3],
                        const struct hone_emu_isa *isa)
{
    hone_emu_block_begin(workspace, id);
    hone_emu_finish_block(workspace, isa);
}

size_t hone_emu_workspace_bytes(const struct hone_emu_launch *launch)
{
    const struct hone_emu_code *code = launch->code;
    uint64_t warps = (launch->block[0] * launch->block[1] * launch->block[2] + 31) / 32;
    return (size_t)(code->dynamic_shared_at + launch->shared_bytes +
                    warps * (code->register_bytes + code->local_bytes * HONE_EMU_LANES +
                             sizeof(struct hone_emu_warp)) +
                    code->count * sizeof(struct hone_emu_range));
}
