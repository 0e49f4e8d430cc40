// Blocks: sets up registers and memory, runs the warps in turn until all have exited, and
// says why when they cannot go on.
#include "emu_exec.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"

struct hone_emu_workspace {
    struct hone_emu_launch *launch;
    struct hone_emu_block block;
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

// ---- faults ----

static void thread_of(const struct hone_emu_warp *warp, int lane, uint32_t out[3])
{
    const uint32_t *size = warp->launch->block;
    uint32_t flat = warp->index * HONE_EMU_LANES + (uint32_t)lane;
    out[0] = flat % size[0];
    out[1] = flat / size[0] % size[1];
    out[2] = flat / size[0] / size[1];
}

void hone_emu_fault(struct hone_emu_warp *warp, const struct hone_emu_insn *insn,
                    int lane, enum hone_outcome outcome, const char *format, ...)
{
    struct hone_emu_launch *launch = warp->launch;
    warp->limit = NULL;
    if (launch->faulted) return;
    char text[HONE_REASON_MAX], place[96];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    uint32_t thread[3];
    thread_of(warp, lane, thread);
    const uint32_t *block = warp->block->id;
    launch->faulted = true;
    launch->fault->outcome = outcome;
    hone_emu_print_place(place, sizeof place, launch->code,
                         (size_t)(insn - launch->code->insns));
    snprintf(launch->fault->reason, sizeof launch->fault->reason,
             "%.200s at block (%u,%u,%u) thread (%u,%u,%u) of %.40s, %s", text, block[0],
             block[1], block[2], thread[0], thread[1], thread[2], launch->code->name,
             place);
}

static const char *space_name(enum ptx_space space)
{
    switch (space) {
    case PTX_SHARED:
        return "shared";
    case PTX_LOCAL:
        return "local";
    case PTX_PARAM:
        return "parameter";
    case PTX_CONST:
        return "constant";
    case PTX_GLOBAL:
    case PTX_GENERIC:
    case PTX_SPACE_NONE:
        break;
    }
    return "global";
}

static const char *access_name(const struct hone_emu_insn *insn)
{
    return insn->op == EMU_ST || insn->op == EMU_STMATRIX   ? "store"
           : insn->op == EMU_ATOM                           ? "atomic"
           : insn->op == EMU_LD || insn->op == EMU_LDMATRIX ? "load"
                                                            : "copy";
}

static void out_of_bounds(struct hone_emu_warp *warp, const struct hone_emu_insn *insn,
                          int lane, enum ptx_space space,
                          const struct hone_emu_range *range, uint64_t address,
                          uint32_t bytes)
{
    char where[96] = "";
    if (range && address >= range->base + range->bytes)
        snprintf(where, sizeof where, ", %llu bytes past %s of %llu bytes",
                 (unsigned long long)(address - range->base - range->bytes),
                 space == PTX_GLOBAL ? "a buffer" : "an area",
                 (unsigned long long)range->bytes);
    else if (range && address + bytes > range->base + range->bytes)
        snprintf(where, sizeof where, " across the end of a buffer of %llu bytes",
                 (unsigned long long)range->bytes);
    hone_emu_fault(warp, insn, lane, HONE_CRASHED, "out-of-bounds %s %s of %u bytes%s",
                   space_name(space), access_name(insn), bytes, where);
}

// Is this one address fine? If not, the fault is recorded.
static bool check_lane(struct hone_emu_warp *warp, const struct hone_emu_insn *insn,
                       int lane, enum ptx_space space, uint64_t address, uint32_t bytes)
{
    const struct hone_emu_launch *launch = warp->launch;
    struct hone_emu_range window = {0};
    const struct hone_emu_range *range = &window;
    if (space == PTX_SHARED) window.bytes = warp->block->shared_bytes;
    if (space == PTX_LOCAL) window.bytes = launch->code->local_bytes;
    if (space == PTX_PARAM) window.bytes = launch->code->param_bytes;
    if (space == PTX_GLOBAL || space == PTX_CONST || space == PTX_GENERIC)
        range = hone_emu_memory_find(launch->memory, address);
    if (!range || bytes > range->bytes || address - range->base > range->bytes - bytes) {
        out_of_bounds(warp, insn, lane, space, range, address, bytes);
        return false;
    }
    if (address & (bytes - 1)) {
        hone_emu_fault(warp, insn, lane, HONE_CRASHED, "misaligned %s %s of %u bytes",
                       space_name(space), access_name(insn), bytes);
        return false;
    }
    bool writes = insn->op == EMU_ST || insn->op == EMU_ATOM;
    if (writes && (range->read_only || space == PTX_PARAM)) {
        hone_emu_fault(warp, insn, lane, HONE_CRASHED, "%s to read-only memory",
                       access_name(insn));
        return false;
    }
    return true;
}

bool hone_emu_explain_access(struct hone_emu_warp *warp, const struct hone_emu_insn *insn,
                             enum ptx_space space, const uint64_t *addresses,
                             uint32_t bytes)
{
    for (int l = 0; l < HONE_EMU_LANES; l++)
        if (warp->mask >> l & 1 && !check_lane(warp, insn, l, space, addresses[l], bytes))
            return false;
    return true;
}

uint64_t hone_emu_clock(const struct hone_emu_warp *warp, enum emu_special which)
{
    // one instruction a cycle, one cycle a nanosecond: monotonic, and the same on every
    // run
    uint64_t cycles = warp->executed + warp->launch->executed;
    bool high = which == SPECIAL_CLOCK_HI || which == SPECIAL_GLOBALTIMER_HI;
    return high ? cycles >> 32 : cycles;
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
    uint64_t hits = code->count * sizeof *launch->hits;
    struct hone_emu_workspace *workspace = calloc(1, sizeof *workspace);
    if (workspace)
        workspace->memory =
            calloc(1, structs + warps * regs + shared + local + hits + 64);
    if (!workspace || !workspace->memory) {
        free(workspace);
        return hone_fail(err, HONE_ENOMEM, "out of memory");
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
    launch->local = block->shared + shared;
    launch->hits = (struct hone_emu_range *)(void *)(launch->local + local);
    *out = workspace;
    return HONE_OK;
}

void hone_emu_workspace_free(struct hone_emu_workspace *workspace)
{
    if (!workspace) return;
    for (uint32_t k = 0; k < workspace->block.warp_count; k++)
        free(workspace->block.warps[k].copies.items);
    free(workspace->memory);
    free(workspace);
}

// ---- special registers ----

static uint64_t special_value(const struct hone_emu_warp *warp, enum emu_special which,
                              int lane)
{
    const struct hone_emu_launch *launch = warp->launch;
    uint32_t thread[3], bit = UINT32_C(1) << lane;
    thread_of(warp, lane, thread);
    switch (which) {
    case SPECIAL_TID_X:
    case SPECIAL_TID_Y:
    case SPECIAL_TID_Z:
        return thread[which - SPECIAL_TID_X];
    case SPECIAL_NTID_X:
    case SPECIAL_NTID_Y:
    case SPECIAL_NTID_Z:
        return launch->block[which - SPECIAL_NTID_X];
    case SPECIAL_CTAID_X:
    case SPECIAL_CTAID_Y:
    case SPECIAL_CTAID_Z:
        return warp->block->id[which - SPECIAL_CTAID_X];
    case SPECIAL_NCTAID_X:
    case SPECIAL_NCTAID_Y:
    case SPECIAL_NCTAID_Z:
        return launch->grid[which - SPECIAL_NCTAID_X];
    case SPECIAL_LANEID:
        return (uint64_t)lane;
    case SPECIAL_WARPID:
        return warp->index;
    case SPECIAL_NWARPID:
        return warp->block->warp_count;
    case SPECIAL_SMID:
    case SPECIAL_GRIDID:
        return 0;
    case SPECIAL_NSMID:
        return 1;
    case SPECIAL_LT:
        return bit - 1;
    case SPECIAL_LE:
        return bit | (bit - 1);
    case SPECIAL_EQ:
        return bit;
    case SPECIAL_GE:
        return ~(bit - 1);
    case SPECIAL_GT:
        return ~(bit | (bit - 1));
    case SPECIAL_DYNSMEM:
        return launch->shared_bytes;
    case SPECIAL_TOTALSMEM:
        return warp->block->shared_bytes;
    case SPECIAL_CLOCK:
    case SPECIAL_CLOCK_HI:
    case SPECIAL_CLOCK64:
    case SPECIAL_GLOBALTIMER:
    case SPECIAL_GLOBALTIMER_LO:
    case SPECIAL_GLOBALTIMER_HI:
    case SPECIAL_COUNT:
        break;
    }
    return 0;
}

static void write_specials(struct hone_emu_warp *warp)
{
    const struct hone_emu_code *code = warp->launch->code;
    for (size_t k = 0; k < code->special_count; k++) {
        const struct hone_emu_special_use *use = &code->specials[k];
        for (int l = 0; l < HONE_EMU_LANES; l++) {
            uint64_t value = special_value(warp, use->which, l);
            uint32_t word = (uint32_t)value;
            if (use->which == SPECIAL_GRIDID)
                memcpy(warp->regs + use->reg + l * 8, &value, 8);
            else
                memcpy(warp->regs + use->reg + l * 4, &word, 4);
        }
    }
}

// ---- a block ----

static void begin_block(struct hone_emu_workspace *workspace, const uint32_t id[3])
{
    struct hone_emu_block *block = &workspace->block;
    memcpy(block->id, id, sizeof block->id);
    block->exited = 0;
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
        warp->avoid = 0;
        warp->executed = 0;
        warp->split_count = 1;
        hone_emu_forget_copies(warp);
        warp->splits[0] = (struct hone_emu_split){.at = workspace->launch->code->insns,
                                                  .mask = warp->exists};
        write_specials(warp);
    }
}

static const struct hone_emu_split *first_waiting(const struct hone_emu_block *block,
                                                  const struct hone_emu_warp **out)
{
    for (uint32_t k = 0; k < block->warp_count; k++) {
        *out = &block->warps[k];
        if (block->warps[k].split_count) return &block->warps[k].splits[0];
    }
    return NULL;
}

// Every lane waits: say for what the first does, and how many have arrived.
static void report_deadlock(struct hone_emu_block *block)
{
    const struct hone_emu_warp *found = NULL;
    const struct hone_emu_split *split = first_waiting(block, &found);
    if (!split) return;
    struct hone_emu_warp *warp = &block->warps[found->index];
    int lane = __builtin_ctz(split->mask);
    const struct hone_emu_barrier *barrier = &block->barriers[split->barrier];
    if (split->state == SPLIT_BARRIER)
        hone_emu_fault(
            warp, split->at, lane, HONE_CRASHED,
            "deadlock: barrier %u has %u of %u threads", split->barrier, barrier->arrived,
            barrier->wanted ? barrier->wanted : block->threads - block->exited);
    else
        hone_emu_fault(warp, split->at, lane, HONE_CRASHED,
                       "deadlock: lanes 0x%08x wait for others of their warp",
                       split->mask);
}

static bool out_of_budget(struct hone_emu_launch *launch, struct hone_emu_warp *warp)
{
    bool late =
        launch->executed > launch->budget || hone_clock_seconds() > launch->deadline;
    if (late && warp->split_count)
        hone_emu_fault(warp, warp->splits[0].at, __builtin_ctz(warp->splits[0].mask),
                       HONE_TIMED_OUT, "still running after %llu warp instructions",
                       (unsigned long long)launch->executed);
    return late;
}

// Run a warp until it waits, has exited, or spent its quantum; false when it could not
// run at all.
static bool run_warp(struct hone_emu_warp *warp, const struct hone_emu_isa *isa)
{
    struct hone_emu_launch *launch = warp->launch;
    bool ran = false;
    while (!launch->faulted && hone_emu_warp_next(warp)) {
        uint64_t before = warp->executed;
        if (launch->observer)
            isa->run_observed(warp);
        else
            isa->run(warp);
        hone_emu_warp_stop(warp);
        launch->executed += warp->executed - before;
        ran = true;
        if (warp->avoid) break;
    }
    return ran;
}

void hone_emu_run_block(struct hone_emu_workspace *workspace, const uint32_t id[3],
                        const struct hone_emu_isa *isa)
{
    struct hone_emu_block *block = &workspace->block;
    struct hone_emu_launch *launch = workspace->launch;
    begin_block(workspace, id);
    while (!launch->faulted && block->exited < block->threads) {
        bool progress = false;
        for (uint32_t k = 0; k < block->warp_count && !launch->faulted; k++) {
            struct hone_emu_warp *warp = &block->warps[k];
            if (warp->split_count && run_warp(warp, isa)) progress = true;
            if (warp->avoid && out_of_budget(launch, warp)) return;
        }
        if (!progress && !launch->faulted) report_deadlock(block);
    }
    if (!launch->faulted && launch->executed > launch->budget)
        hone_emu_fault(&block->warps[0], launch->code->insns, 0, HONE_TIMED_OUT,
                       "still running after %llu warp instructions",
                       (unsigned long long)launch->executed);
}
