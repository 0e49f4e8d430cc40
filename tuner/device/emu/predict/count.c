// Counts what a block does as it runs: instructions by class, wavefronts of shared
// memory, sectors and lines of global memory, and how long its first warp would take
// alone. Keeps what it overwrites.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "emu_model.h"
#include "sectors.h"
#include "timeline.h"
#include "trace.h"
#include "undo.h"

enum { SECTOR = 32, LINE = 128, BANKS = 32 };

struct hone_emu_counter {
    struct hone_emu_observer observer;
    const struct hone_emu_code *code;
    struct hone_emu_latencies latencies;
    struct hone_emu_cost *costs;
    uint64_t *executions;
    struct hone_emu_timeline timeline;
    struct hone_emu_trace *trace; // NULL: what warps do is not kept
    struct hone_emu_counts counts;
    uint64_t lanes, diverged;
    struct hone_emu_set loads, stores;
    struct hone_emu_undo undo, *kept; // kept: where what is stored is kept, mostly undo
    bool out_of_memory;
    struct hone_emu_launch *limited; // ends after most steps; NULL: never
    uint64_t steps, most;
    struct hone_emu_span leading; // written by a bulk store's first lane
};

static void on_step(void *context, const struct hone_emu_warp *warp,
                    const struct hone_emu_insn *insn)
{
    struct hone_emu_counter *counter = context;
    size_t n = (size_t)(insn - counter->code->insns);
    if (counter->limited && ++counter->steps > counter->most)
        counter->limited->faulted = true;
    counter->executions[n]++;
    counter->lanes += (uint64_t)__builtin_popcount(warp->mask);
    counter->diverged += !warp->full;
    if (warp->index == 0)
        hone_emu_timeline_step(&counter->timeline, insn, counter->costs[n]);
    if (counter->trace)
        hone_emu_trace_step(counter->trace, warp, insn, counter->costs[n]);
}

// ---- memory ----

// The phases of a request, which is what it takes without bank conflicts.
static unsigned phases(uint32_t mask, uint32_t bytes)
{
    unsigned lanes = bytes <= 4 ? 32 : 128 / bytes, total = 0;
    for (unsigned first = 0; first < HONE_EMU_LANES; first += lanes)
        total += (mask >> first & (lanes == 32 ? UINT32_MAX : (1U << lanes) - 1)) != 0;
    return total;
}

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

// Notes a number among those seen by one request; true when it is new there.
static bool is_new(uint64_t *seen, unsigned *count, uint64_t number)
{
    for (unsigned k = *count; k > 0; k--)
        if (seen[k - 1] == number) return false;
    seen[(*count)++] = number;
    return true;
}

static void count_global(struct hone_emu_counter *counter,
                         const struct hone_emu_warp *warp,
                         const struct hone_emu_insn *insn, const uint64_t *addresses,
                         uint32_t bytes)
{
    bool writes = insn->op == EMU_ST || insn->op == EMU_ATOM;
    struct hone_emu_set *set = writes ? &counter->stores : &counter->loads;
    struct hone_emu_counts *counts = &counter->counts;
    uint64_t seen[HONE_EMU_LANES], lines[HONE_EMU_LANES];
    unsigned sectors = 0, line_count = 0, first = 0;
    for (uint32_t m = warp->mask; m; m &= m - 1) {
        uint64_t address = addresses[__builtin_ctz(m)], sector = address / SECTOR;
        if (!is_new(seen, &sectors, sector)) continue;
        is_new(lines, &line_count, address / LINE);
        int added = hone_emu_set_add(set, sector);
        if (added < 0) counter->out_of_memory = true;
        first += added > 0;
        if (writes && !hone_emu_undo_note(counter->kept, address, bytes))
            counter->out_of_memory = true;
    }
    double asked = (double)__builtin_popcount(warp->mask) * bytes;
    const double least = ceil(asked / SECTOR);
    counts->global_requests++;
    counts->global_sectors += sectors;
    counts->excess_sectors += sectors > least ? sectors - least : 0;
    counts->global_lines += line_count;
    *(writes ? &counts->store_bytes : &counts->load_bytes) += asked;
    if (warp->index == 0 && insn->op != EMU_ST)
        hone_emu_timeline_load(&counter->timeline, insn, sectors * SECTOR,
                               first ? counter->latencies.first
                                     : counter->latencies.again);
    if (counter->trace)
        hone_emu_trace_global(counter->trace, warp, insn, sectors,
                              writes ? sectors : first);
}

// A counted block of a cooperative launch runs alone: the others are taken to have
// arrived where it does. All of them add half of 2^32 to the word of grid.sync(), the
// first block what the others leave of it (cooperative_groups/details/sync.h), and the
// highest bit tells that a phase is over.
static void let_others_arrive(struct hone_emu_counter *counter,
                              const struct hone_emu_warp *warp, uint64_t address)
{
    const uint32_t half = UINT32_C(1) << 31;
    const uint32_t *grid = warp->launch->grid, *id = warp->block->id;
    const uint32_t others = grid[0] * grid[1] * grid[2] - 1;
    const bool first = !id[0] && !id[1] && !id[2];
    uint8_t *host = hone_emu_memory_host(counter->undo.memory, address);
    uint32_t word;
    memcpy(&word, host, sizeof word);
    word += first ? others : half - 1;
    memcpy(host, &word, sizeof word);
}

static bool is_grid_workspace(const struct hone_emu_launch *launch, uint64_t address)
{
    return launch->grid_workspace && address >= launch->grid_workspace &&
           address < launch->grid_workspace + HONE_EMU_GRID_WORKSPACE;
}

static void on_access(void *context, const struct hone_emu_warp *warp,
                      const struct hone_emu_insn *insn, enum ptx_space space,
                      const uint64_t *addresses, uint32_t bytes)
{
    struct hone_emu_counter *counter = context;
    struct hone_emu_counts *counts = &counter->counts;
    if (insn->op == EMU_ATOM) counts->atomics += __builtin_popcount(warp->mask);
    if (space == PTX_SHARED) {
        unsigned taken = wavefronts(addresses, warp->mask, bytes);
        unsigned least = phases(warp->mask, bytes);
        counts->shared_wavefronts += taken;
        counts->shared_cycles_half += taken > 2 ? taken : 2;
        counts->bank_conflicts += taken > least ? taken - least : 0;
        if (counter->trace) hone_emu_trace_shared(counter->trace, warp, taken);
    } else if (space == PTX_GLOBAL) {
        count_global(counter, warp, insn, addresses, bytes);
        const uint64_t address = addresses[__builtin_ctz(warp->mask)];
        if (insn->op == EMU_ATOM && is_grid_workspace(warp->launch, address))
            let_others_arrive(counter, warp, address);
    }
}

// A store that all lanes of a warp ask for alike is one: where its operands are uniform,
// ptxas issues one UTMASTG for the warp (CUTLASS's epilogues do so).
static bool is_of_first_lane(struct hone_emu_counter *counter,
                             const struct hone_emu_async *event)
{
    const struct hone_emu_span *last = &event->spans[event->count - 1];
    if (!event->by_group || event->insn->logic != LOGIC_NONE) return false;
    if (event->lanes == (event->warp->mask & -event->warp->mask)) {
        counter->leading = *last;
        return false;
    }
    return last->at == counter->leading.at && last->bytes == counter->leading.bytes;
}

// Bulk copies pass by the loads and stores of the threads: their sectors and bytes count,
// of a copy to several blocks once.
static void on_async(void *context, const struct hone_emu_async *event)
{
    struct hone_emu_counter *counter = context;
    struct hone_emu_counts *counts = &counter->counts;
    const bool issued = event->event == HONE_EMU_ASYNC_ISSUED;
    if (issued && event->count && is_of_first_lane(counter, event)) return;
    if (counter->trace) hone_emu_trace_async(counter->trace, event);
    if (!issued || event->again) return;
    for (size_t k = 0; k < event->count; k++) {
        const struct hone_emu_span *span = &event->spans[k];
        if (span->block) continue;
        struct hone_emu_set *set = span->writes ? &counter->stores : &counter->loads;
        for (uint64_t at = span->at / SECTOR * SECTOR; at < span->at + span->bytes;
             at += SECTOR) {
            counts->global_sectors++;
            const int added = hone_emu_set_add(set, at / SECTOR);
            if (added < 0) counter->out_of_memory = true;
            if (added == 0 && !span->writes) counts->again_bytes += SECTOR;
        }
        *(span->writes ? &counts->store_bytes : &counts->load_bytes) += span->bytes;
        if (span->writes &&
            !hone_emu_undo_note_many(counter->kept, span->at, span->bytes))
            counter->out_of_memory = true;
    }
}

// ---- what is kept of roles ----

static void on_barrier(void *context, const struct hone_emu_warp *warp, uint32_t id,
                       bool flag)
{
    const struct hone_emu_counter *counter = context;
    hone_emu_trace_barrier(counter->trace, warp, id, flag);
}

static void on_mbarrier(void *context, const struct hone_emu_warp *warp,
                        const struct hone_emu_insn *insn,
                        enum hone_emu_mbarrier_event event, uint32_t lane,
                        const struct hone_emu_place *at)
{
    const struct hone_emu_counter *counter = context;
    (void)insn;
    (void)lane;
    hone_emu_trace_mbarrier(counter->trace, warp, event, at);
}

static void on_cluster(void *context, const struct hone_emu_warp *warp,
                       const struct hone_emu_insn *insn)
{
    const struct hone_emu_counter *counter = context;
    hone_emu_trace_cluster(counter->trace, warp, insn);
}

void hone_emu_counter_trace(struct hone_emu_counter *counter,
                            struct hone_emu_trace *trace)
{
    counter->trace = trace;
    counter->observer.barrier = trace ? on_barrier : NULL;
    counter->observer.mbarrier = trace ? on_mbarrier : NULL;
    counter->observer.cluster = trace ? on_cluster : NULL;
}

void hone_emu_counter_limit(struct hone_emu_counter *counter,
                            struct hone_emu_launch *launch, uint64_t most)
{
    counter->limited = most ? launch : NULL;
    counter->most = most;
    counter->steps = 0;
}

bool hone_emu_counter_is_stopped(const struct hone_emu_counter *counter)
{
    return counter->limited && counter->steps > counter->most;
}

void hone_emu_counter_anew(struct hone_emu_counter *counter)
{
    if (counter->trace) hone_emu_trace_reset(counter->trace);
}

// ---- life ----

enum hone_status hone_emu_counter_new(struct hone_emu_counter **out,
                                      const struct hone_emu_code *code,
                                      struct hone_emu_memory *memory,
                                      struct hone_emu_latencies latencies,
                                      struct hone_error *err)
{
    struct hone_emu_counter *counter = calloc(1, sizeof *counter);
    if (!counter) return hone_no_memory(err, "to count a launch");
    counter->code = code;
    counter->undo.memory = memory;
    counter->kept = &counter->undo;
    counter->latencies = latencies;
    counter->observer = (struct hone_emu_observer){
        .context = counter, .step = on_step, .access = on_access, .async = on_async};
    counter->costs = hone_emu_costs_new(code);
    counter->executions = calloc(code->count, sizeof *counter->executions);
    bool timed = hone_emu_timeline_init(&counter->timeline, code);
    if (!counter->costs || !counter->executions || !timed) {
        hone_emu_counter_free(counter);
        return hone_no_memory(err, "to count a launch");
    }
    *out = counter;
    return HONE_OK;
}

void hone_emu_counter_join(struct hone_emu_counter *counter,
                           struct hone_emu_counter *other)
{
    counter->kept = &other->undo;
    hone_emu_counter_trace(counter, other->trace);
}

void hone_emu_counter_free(struct hone_emu_counter *counter)
{
    if (!counter) return;
    hone_emu_undo_all(&counter->undo);
    hone_emu_set_fini(&counter->loads);
    hone_emu_set_fini(&counter->stores);
    hone_emu_timeline_fini(&counter->timeline);
    free(counter->executions);
    free(counter->costs);
    free(counter);
}

const struct hone_emu_observer *
hone_emu_counter_observer(struct hone_emu_counter *counter)
{
    return &counter->observer;
}

// wgmma, executed n times by warps, four of which make a product.
static void sum_product(const struct hone_emu_code *code,
                        const struct hone_emu_insn *insn, double n,
                        struct hone_emu_counts *out)
{
    const double products = n / HONE_EMU_GROUP_WARPS;
    struct hone_emu_product_cost cost;
    hone_emu_product_cost_of(&cost, code, insn);
    out->group_macs[hone_emu_tensor_of(insn)] += products * cost.macs;
    out->group_cycles += products * cost.tensor;
    out->group_shared += products * cost.shared;
}

static void sum_instructions(struct hone_emu_counter *counter,
                             struct hone_emu_counts *out)
{
    for (size_t k = 0; k < counter->code->count; k++) {
        const struct hone_emu_insn *insn = &counter->code->insns[k];
        const struct hone_emu_cost *cost = &counter->costs[k];
        double n = (double)counter->executions[k];
        out->by_class[cost->class] += n * (cost->slots ? cost->slots : 1);
        out->issued += n * cost->slots;
        out->executed += n;
        if (insn->op == EMU_BARSYNC || insn->op == EMU_BARRED) out->barriers += n;
        if (insn->op == EMU_MMA)
            out->tensor_macs[hone_emu_tensor_of(insn)] += n * hone_emu_macs_of(insn);
        if (insn->op == EMU_WGMMA) sum_product(counter->code, insn, n, out);
        counter->executions[k] = 0;
    }
    if (out->executed > 0) {
        out->active_lanes = (double)counter->lanes / out->executed;
        out->divergent_share = (double)counter->diverged / out->executed;
    }
    counter->lanes = counter->diverged = 0;
}

double hone_emu_counter_atomics(const struct hone_emu_counter *counter)
{
    return counter->counts.atomics;
}

enum hone_status hone_emu_counter_take(struct hone_emu_counter *counter,
                                       struct hone_emu_counts *out,
                                       struct hone_error *err)
{
    *out = counter->counts;
    sum_instructions(counter, out);
    out->path_cycles = hone_emu_timeline_end(&counter->timeline);
    out->warp_bytes_in_flight = counter->timeline.most_in_flight;
    out->load_sectors = (double)counter->loads.count;
    out->store_sectors = (double)counter->stores.count;
    hone_emu_set_fini(&counter->loads);
    hone_emu_set_fini(&counter->stores);
    hone_emu_undo_all(&counter->undo);
    counter->counts = (struct hone_emu_counts){0};
    hone_emu_timeline_reset(&counter->timeline);
    if (counter->out_of_memory) return hone_no_memory(err, "to count a launch");
    return HONE_OK;
}
