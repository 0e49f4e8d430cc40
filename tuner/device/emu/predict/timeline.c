#include "timeline.h"

#include <stdlib.h>
#include <string.h>

// Both assumed. What ptxas turns into predicates is seen in its SASS: bodies of a few
// instructions.
enum { BARRIER_CYCLES = 20, PREDICATED_MOST = 8 };

bool hone_emu_timeline_init(struct hone_emu_timeline *time,
                            const struct hone_emu_code *code)
{
    *time = (struct hone_emu_timeline){.insns = code->insns,
                                       .ready_bytes = (code->register_bytes / 4 + 1) *
                                                      sizeof *time->ready};
    time->ready = calloc(1, time->ready_bytes);
    return time->ready != NULL;
}

void hone_emu_timeline_fini(struct hone_emu_timeline *time)
{
    free(time->ready);
    *time = (struct hone_emu_timeline){0};
}

void hone_emu_timeline_reset(struct hone_emu_timeline *time)
{
    memset(time->ready, 0, time->ready_bytes);
    *time = (struct hone_emu_timeline){
        .insns = time->insns, .ready = time->ready, .ready_bytes = time->ready_bytes};
}

static uint32_t latest(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static void end_basic_block(struct hone_emu_timeline *time, uint32_t extra)
{
    time->block_start =
        latest(time->block_start + time->block_issued, time->block_last) + extra;
    time->block_last = time->block_start;
    time->block_issued = 0;
}

static uint32_t start_of(const struct hone_emu_timeline *time,
                         const struct hone_emu_insn *insn)
{
    uint32_t start = time->block_start;
    for (unsigned k = 0; k < insn->src_count; k++)
        start = latest(start, time->ready[insn->src[k] / 4]);
    if (insn->guard != HONE_EMU_NO_GUARD)
        start = latest(start, time->ready[insn->guard / 4]);
    return start;
}

// Asynchronous copies cost their latency at the wait for their group.
static void copy_step(struct hone_emu_timeline *time, const struct hone_emu_insn *insn,
                      uint32_t *start)
{
    enum { GROUPS = HONE_EMU_ASYNC_GROUPS };
    uint32_t left = (uint32_t)insn->imm; // groups that may stay in flight
    if (insn->op == EMU_CPCOMMIT)
        time->groups[time->group_count++ % GROUPS] = time->copies_done;
    else if (insn->op == EMU_CPWAIT && left == 0)
        *start = latest(*start, time->copies_done);
    else if (insn->op == EMU_CPWAIT && left < time->group_count && left < GROUPS)
        *start = latest(*start, time->groups[(time->group_count - 1 - left) % GROUPS]);
}

// A branch that ptxas leaves one.
static bool ends_block(const struct hone_emu_timeline *time,
                       const struct hone_emu_insn *insn)
{
    if (insn->op != EMU_BRA) return insn->op == EMU_EXIT;
    const struct hone_emu_insn *target = time->insns + insn->target;
    return target <= insn || target - insn > PREDICATED_MOST + 1;
}

void hone_emu_timeline_step(struct hone_emu_timeline *time,
                            const struct hone_emu_insn *insn, struct hone_emu_cost cost)
{
    uint32_t start = start_of(time, insn);
    copy_step(time, insn, &start);
    uint32_t done = start + cost.latency;
    for (unsigned k = 0; k < insn->dst_count; k++)
        time->ready[insn->dst[k] / 4] = done;
    time->start = start;
    time->block_issued += cost.slots;
    time->block_last = latest(time->block_last, start);
    if (ends_block(time, insn))
        end_basic_block(time, 0);
    else if (insn->op == EMU_BARSYNC || insn->op == EMU_BARRED)
        end_basic_block(time, BARRIER_CYCLES);
}

void hone_emu_timeline_load(struct hone_emu_timeline *time,
                            const struct hone_emu_insn *insn, uint32_t bytes,
                            uint32_t latency)
{
    uint32_t n = time->flight_count++ % HONE_EMU_FLIGHTS, sum = 0;
    uint32_t done = time->start + latency;
    if (insn->op == EMU_CPASYNC)
        time->copies_done = latest(time->copies_done, done);
    else
        for (unsigned k = 0; k < insn->dst_count; k++)
            time->ready[insn->dst[k] / 4] = done;
    time->flights[n].done = done;
    time->flights[n].bytes = bytes;
    for (n = 0; n < HONE_EMU_FLIGHTS; n++)
        if (time->flights[n].done > time->start) sum += time->flights[n].bytes;
    time->most_in_flight = latest(time->most_in_flight, sum);
}

uint32_t hone_emu_timeline_end(struct hone_emu_timeline *time)
{
    end_basic_block(time, 0);
    return time->block_start;
}
