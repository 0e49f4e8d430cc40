// Counts what a block does as it runs: instructions by class, wavefronts of shared
// memory, sectors of global memory, and how long its first warp would take alone. Keeps
// what it overwrites.
#include <stdlib.h>
#include <string.h>

#include "emu_model.h"
#include "sectors.h"

enum { ASYNC_GROUPS = 64, PAGE = 4096, SECTOR = 32, BANKS = 32 };

// Cycles until a result can be used. H100: Luo et al., "Benchmarking and Dissecting the
// Nvidia Hopper GPU Architecture via Microbenchmarking", arXiv:2402.13499 (shared 29,
// global 479); ALU 4 and SFU 18 assumed, near what the same kind of work reports for
// Volta to Ampere.
enum {
    ALU_LATENCY = 4,
    SFU_LATENCY = 18,
    SHARED_LATENCY = 29,
    GLOBAL_LATENCY = 479,
    WARP_LATENCY = 24,
    TENSOR_LATENCY = 33, // mma m16n8k16 on H100, the same work
    BARRIER_CYCLES = 20
};

struct saved_page {
    uint64_t address;
    struct saved_page *next;
    uint8_t bytes[PAGE];
};

// When results of the first warp are ready. Within a basic block instructions start as
// soon as their sources are ready, in any order, for ptxas moves them about; blocks
// follow one another.
struct timeline {
    uint32_t *ready; /* by byte offset in the register file / 4 */
    uint32_t block_start, block_last, block_issued;
    uint32_t copies_done; /* of asynchronous copies so far */
    uint32_t groups[ASYNC_GROUPS];
    uint32_t group_count;
};

struct instruction_cost {
    uint8_t issue; /* slots */
    uint16_t latency;
};

struct hone_emu_counter {
    struct hone_emu_observer observer;
    const struct hone_emu_code *code;
    struct hone_emu_memory *memory;
    struct instruction_cost *costs;
    uint64_t *executions;
    struct timeline timeline;
    struct hone_emu_counts counts;
    struct hone_emu_set loads, stores, first_loads, pages;
    struct saved_page *saved;
    bool out_of_memory;
};

// ---- cost of instructions ----

static enum hone_emu_class class_of(const struct hone_emu_insn *insn)
{
    enum hone_emu_class class = hone_emu_forms[insn->form].class;
    bool memory = insn->op == EMU_LD || insn->op == EMU_ST;
    if (!memory) return class;
    switch (insn->space) {
    case PTX_SHARED:
        return HONE_EMU_SHARED;
    case PTX_LOCAL:
        return HONE_EMU_LOCAL;
    case PTX_PARAM:
    case PTX_CONST:
        return HONE_EMU_FREE; // an operand from the constant bank
    default:
        return class;
    }
}

// SASS instructions for one of PTX, from what ptxas makes of them for sm_80 and sm_90
// (assumed where a sequence has several paths).
static uint8_t slots_of(const struct hone_emu_insn *insn)
{
    bool wide = ptx_type_bits((enum ptx_type)insn->type) == 64;
    bool is_float = insn->type == PTX_F32 || insn->type == PTX_F64;
    enum hone_emu_class class = class_of(insn);
    if (class == HONE_EMU_FREE) return 0;
    if (insn->op == EMU_DIV || insn->op == EMU_REM) return is_float ? 10 : wide ? 70 : 20;
    if ((insn->op == EMU_SQRT || insn->op == EMU_RCP) && insn->round) return 8;
    if (class == HONE_EMU_INT && wide)
        return insn->op == EMU_MUL || insn->op == EMU_MAD ? 4 : 2;
    return 1;
}

static uint16_t latency_of(const struct hone_emu_insn *insn)
{
    switch (class_of(insn)) {
    case HONE_EMU_FREE:
    case HONE_EMU_CONTROL:
    case HONE_EMU_BARRIER:
    case HONE_EMU_ASYNC:
        return 0;
    case HONE_EMU_SFU:
        return SFU_LATENCY;
    case HONE_EMU_SHARED:
        return SHARED_LATENCY;
    case HONE_EMU_TENSOR:
        return TENSOR_LATENCY;
    case HONE_EMU_WARP:
        return WARP_LATENCY;
    case HONE_EMU_GLOBAL:
    case HONE_EMU_LOCAL:
    case HONE_EMU_ATOMIC:
        return GLOBAL_LATENCY;
    case HONE_EMU_FP32:
    case HONE_EMU_FP64:
    case HONE_EMU_INT:
    case HONE_EMU_CLASS_COUNT:
        break;
    }
    return (uint16_t)(ALU_LATENCY * (slots_of(insn) > 2 ? slots_of(insn) : 1));
}

// ---- time of the first warp ----

static uint32_t latest(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static void end_basic_block(struct timeline *time, uint32_t extra)
{
    time->block_start =
        latest(time->block_start + time->block_issued, time->block_last) + extra;
    time->block_last = time->block_start;
    time->block_issued = 0;
}

static uint32_t start_of(const struct timeline *time, const struct hone_emu_insn *insn)
{
    uint32_t start = time->block_start;
    for (unsigned k = 0; k < insn->src_count; k++)
        start = latest(start, time->ready[insn->src[k] / 4]);
    if (insn->guard != HONE_EMU_NO_GUARD)
        start = latest(start, time->ready[insn->guard / 4]);
    return start;
}

static void copy_step(struct timeline *time, const struct hone_emu_insn *insn,
                      uint32_t *start)
{
    uint32_t left = (uint32_t)insn->imm; // groups that may stay in flight
    if (insn->op == EMU_CPASYNC)
        time->copies_done = latest(time->copies_done, *start + GLOBAL_LATENCY);
    else if (insn->op == EMU_CPCOMMIT)
        time->groups[time->group_count++ % ASYNC_GROUPS] = time->copies_done;
    else if (insn->op == EMU_CPWAIT && left == 0)
        *start = latest(*start, time->copies_done);
    else if (insn->op == EMU_CPWAIT && left < time->group_count && left < ASYNC_GROUPS)
        *start =
            latest(*start, time->groups[(time->group_count - 1 - left) % ASYNC_GROUPS]);
}

static void advance(struct timeline *time, const struct hone_emu_insn *insn,
                    struct instruction_cost cost)
{
    uint32_t start = start_of(time, insn);
    copy_step(time, insn, &start);
    uint32_t done = start + cost.latency;
    for (unsigned k = 0; k < insn->dst_count; k++)
        time->ready[insn->dst[k] / 4] = done;
    time->block_issued += cost.issue;
    time->block_last = latest(time->block_last, start);
    if (insn->op == EMU_BRA || insn->op == EMU_EXIT)
        end_basic_block(time, 0);
    else if (insn->op == EMU_BARSYNC || insn->op == EMU_BARRED)
        end_basic_block(time, BARRIER_CYCLES);
}

static void on_step(void *context, const struct hone_emu_warp *warp,
                    const struct hone_emu_insn *insn)
{
    struct hone_emu_counter *counter = context;
    size_t n = (size_t)(insn - counter->code->insns);
    counter->executions[n]++;
    if (warp->index == 0) advance(&counter->timeline, insn, counter->costs[n]);
}

// ---- memory ----

// A request is served in phases of 128 bytes: 32 lanes of up to 4 bytes, 16 of 8, 8 of
// 16; in each a bank gives one word a cycle, to all lanes that want it.
static unsigned wavefronts(const uint64_t *addresses, uint32_t mask, uint32_t bytes)
{
    unsigned lanes = bytes <= 4 ? 32 : 128 / bytes, total = 0;
    for (unsigned first = 0; first < HONE_EMU_LANES; first += lanes) {
        uint64_t words[BANKS][HONE_EMU_LANES];
        uint8_t used[BANKS] = {0}, most = 0;
        for (unsigned l = first; l < first + lanes; l++) {
            if (!(mask >> l & 1)) continue;
            for (uint64_t word = addresses[l] / 4; word * 4 < addresses[l] + bytes;
                 word++) {
                unsigned bank = word % BANKS, k = 0;
                while (k < used[bank] && words[bank][k] != word)
                    k++;
                if (k < used[bank]) continue;
                words[bank][used[bank]++] = word;
                if (used[bank] > most) most = used[bank];
            }
        }
        total += most;
    }
    return total;
}

// Keep a page before it is written to for the first time.
static void save_page(struct hone_emu_counter *counter, uint64_t address)
{
    int added = hone_emu_set_add(&counter->pages, address / PAGE);
    struct saved_page *page = added > 0 ? malloc(sizeof *page) : NULL;
    if (added < 0 || (added > 0 && !page)) counter->out_of_memory = true;
    if (!page) return;
    page->address = address / PAGE * PAGE;
    page->next = counter->saved;
    counter->saved = page;
    memcpy(page->bytes, hone_emu_memory_host(counter->memory, page->address), PAGE);
}

static void count_global(struct hone_emu_counter *counter,
                         const struct hone_emu_insn *insn, const uint64_t *addresses,
                         uint32_t mask, uint32_t bytes)
{
    bool writes = insn->op == EMU_ST || insn->op == EMU_ATOM;
    struct hone_emu_set *set = writes ? &counter->stores : &counter->loads;
    uint64_t seen[HONE_EMU_LANES];
    unsigned count = 0;
    for (uint32_t m = mask; m; m &= m - 1) {
        uint64_t address = addresses[__builtin_ctz(m)], sector = address / SECTOR;
        unsigned k = count;
        while (k > 0 && seen[k - 1] != sector)
            k--;
        if (k > 0) continue;
        seen[count++] = sector;
        if (hone_emu_set_add(set, sector) < 0) counter->out_of_memory = true;
        if (writes && hone_emu_memory_at(counter->memory, address, bytes))
            save_page(counter, address);
    }
    double lanes = __builtin_popcount(mask);
    counter->counts.global_requests++;
    counter->counts.global_sectors += count;
    *(writes ? &counter->counts.store_bytes : &counter->counts.load_bytes) +=
        lanes * bytes;
}

static void on_access(void *context, const struct hone_emu_warp *warp,
                      const struct hone_emu_insn *insn, enum ptx_space space,
                      const uint64_t *addresses, uint32_t bytes)
{
    struct hone_emu_counter *counter = context;
    if (insn->op == EMU_ATOM) counter->counts.atomics += __builtin_popcount(warp->mask);
    if (space == PTX_SHARED)
        counter->counts.shared_wavefronts += wavefronts(addresses, warp->mask, bytes);
    else if (space == PTX_GLOBAL)
        count_global(counter, insn, addresses, warp->mask, bytes);
}

// ---- life ----

enum hone_status hone_emu_counter_new(struct hone_emu_counter **out,
                                      const struct hone_emu_code *code,
                                      struct hone_emu_memory *memory,
                                      struct hone_error *err)
{
    struct hone_emu_counter *counter = calloc(1, sizeof *counter);
    if (!counter) return hone_fail(err, HONE_ENOMEM, "out of memory");
    counter->code = code;
    counter->memory = memory;
    counter->observer = (struct hone_emu_observer){
        .context = counter, .step = on_step, .access = on_access};
    counter->costs = calloc(code->count, sizeof *counter->costs);
    counter->executions = calloc(code->count, sizeof *counter->executions);
    counter->timeline.ready = calloc(code->register_bytes / 4 + 1, sizeof(uint32_t));
    if (!counter->costs || !counter->executions || !counter->timeline.ready) {
        hone_emu_counter_free(counter);
        return hone_fail(err, HONE_ENOMEM, "out of memory");
    }
    for (size_t k = 0; k < code->count; k++)
        counter->costs[k] = (struct instruction_cost){
            .issue = slots_of(&code->insns[k]), .latency = latency_of(&code->insns[k])};
    *out = counter;
    return HONE_OK;
}

static void restore_pages(struct hone_emu_counter *counter)
{
    while (counter->saved) {
        struct saved_page *page = counter->saved;
        memcpy(hone_emu_memory_host(counter->memory, page->address), page->bytes, PAGE);
        counter->saved = page->next;
        free(page);
    }
    hone_emu_set_fini(&counter->pages);
}

void hone_emu_counter_free(struct hone_emu_counter *counter)
{
    if (!counter) return;
    restore_pages(counter);
    hone_emu_set_fini(&counter->loads);
    hone_emu_set_fini(&counter->stores);
    hone_emu_set_fini(&counter->first_loads);
    free(counter->timeline.ready);
    free(counter->executions);
    free(counter->costs);
    free(counter);
}

const struct hone_emu_observer *
hone_emu_counter_observer(struct hone_emu_counter *counter)
{
    return &counter->observer;
}

static void sum_instructions(struct hone_emu_counter *counter,
                             struct hone_emu_counts *out)
{
    for (size_t k = 0; k < counter->code->count; k++) {
        const struct hone_emu_insn *insn = &counter->code->insns[k];
        double n = (double)counter->executions[k];
        out->by_class[class_of(insn)] +=
            n * (counter->costs[k].issue ? counter->costs[k].issue : 1);
        out->issued += n * counter->costs[k].issue;
        if (insn->op == EMU_BARSYNC || insn->op == EMU_BARRED) out->barriers += n;
        counter->executions[k] = 0;
    }
}

enum hone_status hone_emu_counter_take(struct hone_emu_counter *counter,
                                       struct hone_emu_counts *out,
                                       struct hone_error *err)
{
    struct timeline *time = &counter->timeline;
    *out = counter->counts;
    sum_instructions(counter, out);
    end_basic_block(time, 0);
    out->path_cycles = time->block_start;
    out->load_sectors = (double)counter->loads.count;
    out->store_sectors = (double)counter->stores.count;
    out->common_sectors =
        (double)hone_emu_set_common(&counter->loads, &counter->first_loads);
    if (!counter->first_loads.cap) {
        counter->first_loads = counter->loads;
        counter->loads = (struct hone_emu_set){0};
    }
    hone_emu_set_fini(&counter->loads);
    hone_emu_set_fini(&counter->stores);
    restore_pages(counter);
    counter->counts = (struct hone_emu_counts){0};
    memset(time->ready, 0, (counter->code->register_bytes / 4 + 1) * sizeof *time->ready);
    *time = (struct timeline){.ready = time->ready};
    if (counter->out_of_memory) return hone_fail(err, HONE_ENOMEM, "out of memory");
    return HONE_OK;
}
