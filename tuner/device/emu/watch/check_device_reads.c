// Asynchronous operations that read device memory: what threads have stored there is to
// be fenced and ordered before, else it is undefined where the operation brings it. And
// those that write there: what was loaded in a race must not come out.
#include "check_state.h"
#include "waive.h"

static struct hone_emu_reader reader_of(const struct hone_emu_checker *checker,
                                        const struct hone_emu_async *event, uint32_t lane)
{
    return (struct hone_emu_reader){.block = checker->block,
                                    .warp = event->warp->index,
                                    .lane = lane,
                                    .order = &checker->order};
}

bool hone_emu_check_device_read(struct hone_emu_checker *checker,
                                const struct hone_emu_async *event, uint32_t lane,
                                const struct hone_emu_span *span)
{
    struct hone_emu_global_races *races = checker->checks->races;
    const struct hone_emu_reader reader = reader_of(checker, event, lane);
    struct hone_emu_store store;
    if (hone_emu_global_races_unfenced(races, &reader, span->at, span->bytes, &store))
        hone_emu_report_meeting(checker, event->warp, event->insn, lane,
                                HONE_FINDING_PROXY_FENCE, store.site,
                                "asynchronous read of device memory written at # without "
                                "fence.proxy.async between");
    return hone_emu_global_races_unordered(races, &reader, span->at, span->bytes, &store);
}

// The number of the race of the operation with that store; 0: it is waived.
static uint32_t number_race(struct hone_emu_checker *checker,
                            const struct hone_emu_async *event, uint32_t lane,
                            uint64_t at, const struct hone_emu_store *store)
{
    struct hone_emu_judge *judge = checker->checks->judge;
    const uint32_t site = (uint32_t)(event->insn - checker->code->insns);
    const struct hone_emu_suspect suspect = {HONE_FINDING_RACE, site, store->site, at};
    const uint32_t number = hone_emu_judge_find_race(judge, site, store->site, false);
    char place[HONE_EMU_PLACE_TEXT];
    if (hone_emu_waives(event->warp->launch, &suspect)) return 0;
    if (number) return number;
    hone_emu_print_place(place, checker->code, store->site);
    struct hone_fault fault = hone_emu_describe(
        event->warp, event->insn, (int)lane, HONE_WRONG_RESULT, HONE_FINDING_RACE,
        "asynchronous read of device memory races with the store of block (%u,%u,%u) at "
        "%s: nothing orders them",
        store->block[0], store->block[1], store->block[2], place);
    hone_emu_name_buffer(&fault, event->warp->launch, at);
    return hone_emu_judge_add_race(judge, site, store->site, false, &fault);
}

void hone_emu_check_bring_undefined(struct hone_emu_checker *checker,
                                    const struct hone_emu_async *event, uint32_t lane)
{
    const struct hone_emu_block *block = event->warp->block;
    const uint8_t *memory = event->warp->launch->memory->host;
    const uint64_t span = event->warp->launch->memory->span;
    const struct hone_emu_reader reader = reader_of(checker, event, lane);
    for (size_t k = 0; k < event->run_count; k++) {
        const struct hone_emu_bulk_run *run = &event->runs[k];
        const uint64_t to = (uint64_t)(run->to - block->shared);
        if (run->to < block->shared || to + run->bytes > checker->shared_bytes ||
            run->from < memory || run->from >= memory + span)
            continue; // for another block, or what fills the edges of a tile
        for (uint32_t done = 0; done < run->bytes; done += 4) {
            struct hone_emu_store store;
            const uint64_t at =
                (uint64_t)(run->from + done - memory) + HONE_EMU_DEVICE_BASE;
            const uint32_t bytes = run->bytes - done < 4 ? run->bytes - done : 4;
            if (!hone_emu_global_races_unordered(checker->checks->races, &reader, at,
                                                 bytes, &store))
                continue;
            const uint32_t race = number_race(checker, event, lane, at, &store);
            if (race)
                memset(checker->shared + to + done,
                       (int)(BYTE_UNWRITTEN | race << BYTE_ORIGIN_SHIFT), bytes);
        }
    }
}

// The first of the bytes of shared memory that is undefined by a race, else the first
// that is undefined at all; bytes: there is none.
static uint32_t find_undefined(const uint8_t *flags, uint32_t bytes)
{
    uint32_t first = bytes;
    for (uint32_t k = 0; k < bytes; k++) {
        if (!(flags[k] & BYTE_UNWRITTEN)) continue;
        if (flags[k] >> BYTE_ORIGIN_SHIFT) return k;
        if (first == bytes) first = k;
    }
    return first;
}

// The race that made undefined what is stored, or that it was never written. False: it is
// waived.
static bool describe_stored(const struct hone_emu_checker *checker,
                            const struct hone_emu_async *event, uint64_t from,
                            uint32_t race, uint64_t to, struct hone_fault *fault)
{
    const size_t site = (size_t)(event->insn - checker->code->insns);
    const struct hone_emu_suspect suspect = {HONE_FINDING_UNWRITTEN, site, site, to};
    if (race) {
        *fault = *hone_emu_judge_race(checker->checks->judge, race);
        return true;
    }
    if (hone_emu_waives(event->warp->launch, &suspect)) return false;
    *fault = hone_emu_describe(event->warp, event->insn, __builtin_ctz(event->lanes),
                               HONE_WRONG_RESULT, HONE_FINDING_UNWRITTEN,
                               "a value that was never written, at shared+%llu, is "
                               "stored to global memory",
                               (unsigned long long)from);
    hone_emu_name_buffer(fault, event->warp->launch, to);
    return true;
}

void hone_emu_check_take_undefined(struct hone_emu_checker *checker,
                                   const struct hone_emu_async *event)
{
    const struct hone_emu_launch *launch = event->warp->launch;
    const uint8_t *memory = launch->memory->host, *shared = event->warp->block->shared;
    struct hone_emu_judge *judge = checker->checks->judge;
    for (size_t k = 0; k < event->run_count; k++) {
        const struct hone_emu_bulk_run *run = &event->runs[k];
        if (run->to < memory || run->to >= memory + launch->memory->span ||
            run->from < shared || run->from + run->bytes > shared + checker->shared_bytes)
            continue;
        const uint64_t from = (uint64_t)(run->from - shared);
        uint8_t *flags = checker->shared + from;
        const uint64_t to = (uint64_t)(run->to - memory) + HONE_EMU_DEVICE_BASE;
        const uint32_t at = find_undefined(flags, run->bytes);
        if (at == run->bytes) continue;
        struct hone_fault fault;
        if (!describe_stored(checker, event, from + at, flags[at] >> BYTE_ORIGIN_SHIFT,
                             to + at, &fault))
            continue;
        if (!hone_emu_scratch_take(checker->checks, to, flags, run->bytes)) {
            if (fault.finding == HONE_FINDING_UNWRITTEN)
                hone_emu_judge_note_copied(judge, &fault);
            else
                hone_emu_judge_note_stored(judge, &fault);
            return;
        }
        if (!checker->checks->follows) hone_emu_judge_note_travel(judge, &fault);
    }
}
