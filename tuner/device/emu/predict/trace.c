// Keeps what warps do as moments. The emulator runs them in one of the orders that their
// waits allow, so a wait comes after all that it waits for: which phase it is for is the
// last one of its object that has ended.
#include "trace.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "timeline.h"

enum { GROUPS = 64, BARRIER_OBJECTS = HONE_EMU_BARRIERS };

struct hone_emu_trace_object {
    uint32_t phase;    // that runs
    uint32_t last;     // that has ended
    bool begun, ended; // there is one; there is such a one
};

struct hone_emu_warp_trace {
    struct hone_emu_timeline timeline;
    struct hone_emu_counts work; // since the last moment
    uint32_t bytes, at;          // likewise; where that was on the timeline
    struct hone_emu_moment *moments;
    size_t count, cap;
    uint64_t steps, moment_step;        // so far; when the last moment came
    const struct hone_emu_insn *waits;  // the try that was last, while it has not passed
    struct hone_emu_counts before;      // work when it was made
    uint32_t path_before;               // cycles likewise
    uint32_t products;                  // issued
    uint32_t groups[GROUPS], committed; // products before the end of each group, a ring
};

bool hone_emu_has_roles(const struct hone_emu_code *code)
{
    for (size_t k = 0; k < code->count; k++)
        if (code->insns[k].op == EMU_WGMMA || code->insns[k].op == EMU_MBINIT)
            return true;
    return false;
}

// Was there room for one more item? The trace is of no use where there was none.
static bool grew(struct hone_emu_trace *trace, bool room)
{
    if (!room) trace->incomplete = trace->out_of_memory = true;
    return room;
}

static struct hone_emu_warp_trace *of_warp(const struct hone_emu_trace *trace,
                                           const struct hone_emu_warp *warp)
{
    return &trace->of_warps[warp->block->rank * trace->warps + warp->index];
}

// ---- moments ----

static struct hone_emu_moment *add_moment(struct hone_emu_trace *trace,
                                          struct hone_emu_warp_trace *warp,
                                          enum hone_emu_moment_kind kind)
{
    if (!grew(trace, HONE_GROW(&warp->moments, &warp->cap, warp->count + 1, 256)))
        return NULL;
    struct hone_emu_moment *moment = &warp->moments[warp->count++];
    struct hone_emu_pipes pipes;
    const uint32_t now = hone_emu_timeline_end(&warp->timeline);
    hone_emu_pipes_of(&pipes, &warp->work, &trace->gpu->rates);
    *moment = (struct hone_emu_moment){.kind = (uint8_t)kind,
                                       .path = now - warp->at,
                                       .slots = (uint32_t)warp->work.issued,
                                       .units = (uint32_t)(4 * pipes.alu + 0.5),
                                       .port = (uint32_t)(pipes.memory + 0.5),
                                       .bytes = warp->bytes};
    warp->at = now;
    warp->bytes = 0;
    warp->work = (struct hone_emu_counts){0};
    warp->moment_step = warp->steps;
    return moment;
}

static struct hone_emu_moment *note_moment(struct hone_emu_trace *trace,
                                           const struct hone_emu_warp *warp,
                                           enum hone_emu_moment_kind kind)
{
    struct hone_emu_moment *moment = NULL;
    if (!trace->incomplete && ++trace->moments <= trace->most)
        moment = add_moment(trace, of_warp(trace, warp), kind);
    if (!moment) trace->incomplete = true;
    return moment;
}

// Lanes of one instruction that do the same are one moment.
static bool is_told(const struct hone_emu_warp_trace *warp,
                    enum hone_emu_moment_kind kind, uint32_t number)
{
    const struct hone_emu_moment *last =
        warp->count ? &warp->moments[warp->count - 1] : NULL;
    return last && warp->moment_step == warp->steps && last->kind == kind &&
           last->number == number;
}

static struct hone_emu_moment *note_number(struct hone_emu_trace *trace,
                                           const struct hone_emu_warp *warp,
                                           enum hone_emu_moment_kind kind,
                                           uint32_t number)
{
    if (is_told(of_warp(trace, warp), kind, number)) return NULL;
    struct hone_emu_moment *moment = note_moment(trace, warp, kind);
    if (moment) moment->number = number;
    return moment;
}

// ---- objects ----

// The phase of the object that runs.
static uint32_t phase_of(struct hone_emu_trace *trace, uint32_t object)
{
    struct hone_emu_trace_object *o = &trace->objects[object];
    if (!o->begun && grew(trace, HONE_GROW(&trace->arrivals, &trace->phase_cap,
                                           trace->phase_count + 1, 256))) {
        trace->arrivals[trace->phase_count] = 0;
        o->phase = trace->phase_count++;
        o->begun = true;
    }
    return o->phase;
}

static void end_phase(struct hone_emu_trace *trace, uint32_t object)
{
    struct hone_emu_trace_object *o = &trace->objects[object];
    if (!o->begun) return;
    o->last = o->phase;
    o->ended = true;
    o->begun = false;
}

// One that begins anew has no phase before.
static uint32_t find_object(struct hone_emu_trace *trace,
                            const struct hone_emu_block *block, uint64_t offset)
{
    uint16_t *place = &trace->places[block->rank * trace->places_each + offset / 8];
    if (*place) return *place - 1U;
    if (trace->object_count == UINT16_MAX ||
        !grew(trace, HONE_GROW(&trace->objects, &trace->object_cap,
                               trace->object_count + 1, 256))) {
        trace->incomplete = true;
        return 0;
    }
    trace->objects[trace->object_count] = (struct hone_emu_trace_object){0};
    *place = (uint16_t)++trace->object_count;
    return *place - 1U;
}

static struct hone_emu_moment *note_arrival(struct hone_emu_trace *trace,
                                            const struct hone_emu_warp *warp,
                                            uint32_t object)
{
    const uint32_t phase = phase_of(trace, object);
    struct hone_emu_moment *moment =
        note_number(trace, warp, HONE_EMU_MOMENT_ARRIVE, phase);
    if (moment) trace->arrivals[phase]++;
    return moment;
}

// ---- life ----

void hone_emu_trace_reset(struct hone_emu_trace *trace)
{
    for (uint32_t k = 0; k < trace->size * trace->warps; k++) {
        struct hone_emu_warp_trace *warp = &trace->of_warps[k];
        struct hone_emu_warp_trace fresh = {
            .timeline = warp->timeline, .moments = warp->moments, .cap = warp->cap};
        hone_emu_timeline_reset(&fresh.timeline);
        *warp = fresh;
    }
    trace->object_count = 1 + trace->size * BARRIER_OBJECTS;
    memset(trace->objects, 0, trace->object_count * sizeof *trace->objects);
    memset(trace->places, 0, (size_t)trace->size * trace->places_each * 2);
    trace->phase_count = trace->copy_count = trace->landing_count = 0;
    trace->moments = 0;
    trace->incomplete = false;
}

static bool allocate(struct hone_emu_trace *trace)
{
    const uint32_t all = trace->size * trace->warps;
    bool fine = true;
    trace->object_cap = 256 + trace->size * BARRIER_OBJECTS;
    trace->objects = calloc(trace->object_cap, sizeof *trace->objects);
    trace->places = calloc((size_t)trace->size * trace->places_each, 2);
    trace->of_warps = calloc(all, sizeof *trace->of_warps);
    for (uint32_t k = 0; trace->of_warps && k < all; k++)
        fine = hone_emu_timeline_init(&trace->of_warps[k].timeline, trace->code) && fine;
    return trace->objects && trace->places && trace->of_warps && fine;
}

struct hone_emu_trace *hone_emu_trace_new(const struct hone_emu_launch *launch,
                                          const struct hone_gpu *gpu,
                                          struct hone_emu_latencies latencies,
                                          uint64_t most_moments)
{
    struct hone_emu_trace *trace = calloc(1, sizeof *trace);
    const uint64_t shared = launch->code->dynamic_shared_at + launch->shared_bytes;
    const uint32_t threads = launch->block[0] * launch->block[1] * launch->block[2];
    if (!trace) return NULL;
    trace->code = launch->code;
    trace->gpu = gpu;
    trace->most = most_moments;
    trace->latencies = latencies;
    trace->size = hone_emu_cluster_size(launch);
    trace->warps = (threads + HONE_EMU_LANES - 1) / HONE_EMU_LANES;
    trace->places_each = (uint32_t)(shared / 8 + 16);
    if (!allocate(trace)) {
        hone_emu_trace_free(trace);
        return NULL;
    }
    hone_emu_trace_reset(trace);
    return trace;
}

void hone_emu_trace_free(struct hone_emu_trace *trace)
{
    if (!trace) return;
    for (uint32_t k = 0; trace->of_warps && k < trace->size * trace->warps; k++) {
        hone_emu_timeline_fini(&trace->of_warps[k].timeline);
        free(trace->of_warps[k].moments);
    }
    free(trace->of_warps);
    free(trace->objects);
    free(trace->places);
    free(trace->arrivals);
    free(trace->copies);
    free(trace->landings);
    free(trace);
}

bool hone_emu_trace_finish(struct hone_emu_trace *trace)
{
    for (uint32_t k = 0; !trace->incomplete && k < trace->size * trace->warps; k++)
        add_moment(trace, &trace->of_warps[k], HONE_EMU_MOMENT_END);
    return !trace->incomplete;
}

const struct hone_emu_moment *hone_emu_trace_moments(const struct hone_emu_trace *trace,
                                                     uint32_t rank, uint32_t warp)
{
    return trace->of_warps[rank * trace->warps + warp].moments;
}

// ---- steps ----

// A wait that is tried again: what was done since the try before took no time of others.
static void begin_wait(struct hone_emu_warp_trace *warp, const struct hone_emu_insn *insn)
{
    const uint32_t now = hone_emu_timeline_end(&warp->timeline);
    if (warp->waits == insn) {
        warp->work = warp->before;
        warp->at = now - warp->path_before;
    }
    warp->waits = insn;
    warp->before = warp->work;
    warp->path_before = now - warp->at;
}

static void note_product(struct hone_emu_trace *trace, const struct hone_emu_warp *warp,
                         const struct hone_emu_insn *insn)
{
    struct hone_emu_moment *moment = note_moment(trace, warp, HONE_EMU_MOMENT_PRODUCT);
    struct hone_emu_product_cost cost;
    if (!moment) return;
    hone_emu_product_cost_of(&cost, trace->code, insn);
    moment->number = of_warp(trace, warp)->products++;
    moment->tensor = (uint32_t)cost.tensor;
    moment->shared = (uint16_t)(cost.shared + 0.5);
}

// Products that the warp knows to be done behind a wait for all but the last groups.
static void await_products(struct hone_emu_trace *trace, const struct hone_emu_warp *warp,
                           uint64_t in_flight)
{
    struct hone_emu_warp_trace *of = of_warp(trace, warp);
    if (of->committed <= in_flight || in_flight >= GROUPS) return;
    const uint32_t done = of->groups[(of->committed - 1 - in_flight) % GROUPS];
    if (done) note_number(trace, warp, HONE_EMU_MOMENT_PRODUCTS, done);
}

static void note_step(struct hone_emu_trace *trace, const struct hone_emu_warp *warp,
                      const struct hone_emu_insn *insn)
{
    struct hone_emu_warp_trace *of = of_warp(trace, warp);
    switch (insn->op) {
    case EMU_WGMMA:
        note_product(trace, warp, insn);
        break;
    case EMU_WGCOMMIT:
        of->groups[of->committed++ % GROUPS] = of->products;
        break;
    case EMU_WGWAIT:
        await_products(trace, warp, (uint64_t)insn->imm);
        break;
    case EMU_BULKCOMMIT:
        note_number(trace, warp, HONE_EMU_MOMENT_COMMIT, 0);
        break;
    case EMU_BULKWAITREAD:
        note_number(trace, warp, HONE_EMU_MOMENT_READ, (uint32_t)insn->imm);
        break;
    case EMU_BULKWAIT:
        note_number(trace, warp, HONE_EMU_MOMENT_STORED, (uint32_t)insn->imm);
        break;
    default:
        break;
    }
}

void hone_emu_trace_step(struct hone_emu_trace *trace, const struct hone_emu_warp *warp,
                         const struct hone_emu_insn *insn, struct hone_emu_cost cost)
{
    struct hone_emu_warp_trace *of = of_warp(trace, warp);
    trace->stepping = warp->block->rank;
    of->steps++;
    if (insn->op == EMU_MBPARITY || insn->op == EMU_MBSTATE) begin_wait(of, insn);
    if (insn->op == EMU_WGMMA) cost.latency = 0; // its results are waited for
    hone_emu_timeline_step(&of->timeline, insn, cost);
    of->work.by_class[cost.class] += cost.slots ? cost.slots : 1;
    of->work.issued += cost.slots;
    if (insn->op == EMU_MMA)
        of->work.tensor_macs[hone_emu_tensor_of(insn)] += hone_emu_macs_of(insn);
    note_step(trace, warp, insn);
}

void hone_emu_trace_shared(struct hone_emu_trace *trace, const struct hone_emu_warp *warp,
                           unsigned wavefronts)
{
    struct hone_emu_counts *work = &of_warp(trace, warp)->work;
    work->shared_wavefronts += wavefronts;
    work->shared_cycles_half += wavefronts > 2 ? wavefronts : 2;
}

void hone_emu_trace_global(struct hone_emu_trace *trace, const struct hone_emu_warp *warp,
                           const struct hone_emu_insn *insn, unsigned sectors,
                           unsigned moved)
{
    enum { SECTOR = 32 };
    struct hone_emu_warp_trace *of = of_warp(trace, warp);
    of->work.global_requests++;
    of->work.global_sectors += sectors;
    of->bytes += moved * SECTOR;
    if (insn->op != EMU_ST)
        hone_emu_timeline_load(&of->timeline, insn, sectors * SECTOR,
                               moved ? trace->latencies.first : trace->latencies.again);
}

// ---- barriers ----

void hone_emu_trace_barrier(struct hone_emu_trace *trace,
                            const struct hone_emu_warp *warp, uint32_t id, bool waits)
{
    const uint32_t rank = warp ? warp->block->rank : trace->stepping;
    const uint32_t object = 1 + rank * BARRIER_OBJECTS + id;
    if (!warp) { // it opens
        end_phase(trace, object);
        return;
    }
    note_arrival(trace, warp, object);
    if (waits) note_number(trace, warp, HONE_EMU_MOMENT_WAIT, phase_of(trace, object));
}

void hone_emu_trace_cluster(struct hone_emu_trace *trace,
                            const struct hone_emu_warp *warp,
                            const struct hone_emu_insn *insn)
{
    struct hone_emu_trace_object *all = trace->objects;
    if (!warp)
        end_phase(trace, 0); // told of each block: the second time there is none
    else if (insn->op == EMU_CLARRIVE)
        note_arrival(trace, warp, 0);
    else if (all->ended)
        note_number(trace, warp, HONE_EMU_MOMENT_WAIT, all->last);
}

void hone_emu_trace_mbarrier(struct hone_emu_trace *trace,
                             const struct hone_emu_warp *warp,
                             enum hone_emu_mbarrier_event event,
                             const struct hone_emu_place *at)
{
    const uint32_t object = find_object(trace, at->block, at->offset);
    struct hone_emu_warp_trace *of = of_warp(trace, warp);
    struct hone_emu_moment *moment;
    if (trace->incomplete) return;
    switch (event) {
    case HONE_EMU_MBARRIER_BEGINS:
        trace->objects[object] = (struct hone_emu_trace_object){0};
        break;
    case HONE_EMU_MBARRIER_COPIED: // it arrives when the warp's copies have landed
    case HONE_EMU_MBARRIER_ARRIVES:
        moment = note_arrival(trace, warp, object);
        if (!moment) break;
        moment->remote = at->block != warp->block;
        if (event == HONE_EMU_MBARRIER_COPIED && of->timeline.copies_done > of->at)
            moment->tensor = of->timeline.copies_done - of->at;
        break;
    case HONE_EMU_MBARRIER_ENDED:
        end_phase(trace, object);
        break;
    case HONE_EMU_MBARRIER_PASSED:
        of->waits = NULL;
        if (trace->objects[object].ended)
            note_number(trace, warp, HONE_EMU_MOMENT_WAIT, trace->objects[object].last);
        break;
    case HONE_EMU_MBARRIER_GOES:
    case HONE_EMU_MBARRIER_TOUCHED:
        break;
    }
}

// ---- copies ----

enum span_memory { DEVICE_SPANS, SHARED_SPANS };
enum span_use { READ_SPANS, WRITTEN_SPANS };

static uint32_t span_bytes(const struct hone_emu_async *event, enum span_memory memory,
                           enum span_use use)
{
    const bool shared = memory == SHARED_SPANS, writes = use == WRITTEN_SPANS;
    uint32_t bytes = 0;
    for (size_t k = 0; k < event->count; k++)
        if ((event->spans[k].block != NULL) == shared && event->spans[k].writes == writes)
            bytes += event->spans[k].bytes;
    return bytes;
}

static void note_store(struct hone_emu_trace *trace, const struct hone_emu_async *event)
{
    struct hone_emu_moment *moment =
        note_moment(trace, event->warp, HONE_EMU_MOMENT_STORE);
    if (!moment) return;
    moment->bytes += span_bytes(event, DEVICE_SPANS, WRITTEN_SPANS);
    moment->tensor = span_bytes(event, SHARED_SPANS, READ_SPANS);
}

static void note_copy(struct hone_emu_trace *trace, const struct hone_emu_async *event)
{
    if (!event->again || !trace->copy_count) { // 0: memory ran out when it was to be told
        if (!grew(trace, HONE_GROW(&trace->copies, &trace->copy_cap,
                                   trace->copy_count + 1, 256)))
            return;
        trace->copies[trace->copy_count] = (struct hone_emu_traced_copy){
            .bytes = span_bytes(event, DEVICE_SPANS, READ_SPANS),
            .landing = trace->landing_count};
        struct hone_emu_moment *moment =
            note_moment(trace, event->warp, HONE_EMU_MOMENT_COPY);
        if (!moment) return;
        moment->number = trace->copy_count++;
    }
    if (!grew(trace, HONE_GROW(&trace->landings, &trace->landing_cap,
                               trace->landing_count + 1, 256)))
        return;
    const uint32_t phase =
        phase_of(trace, find_object(trace, event->block, event->mbarrier));
    if (trace->incomplete) return;
    trace->landings[trace->landing_count++] = (struct hone_emu_landing){
        event->block->rank, phase, span_bytes(event, SHARED_SPANS, WRITTEN_SPANS)};
    trace->copies[trace->copy_count - 1].count++;
    trace->arrivals[phase]++;
}

void hone_emu_trace_async(struct hone_emu_trace *trace,
                          const struct hone_emu_async *event)
{
    if (event->unit != HONE_EMU_UNIT_BULK || event->event != HONE_EMU_ASYNC_ISSUED)
        return;
    if (event->by_group)
        note_store(trace, event);
    else if (event->block)
        note_copy(trace, event);
}
