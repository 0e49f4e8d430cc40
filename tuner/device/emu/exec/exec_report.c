// What went wrong with a launch and where: faults, waits that cannot end and kernels that
// do not.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/c_text.h"
#include "base/clock.h"
#include "emu_exec.h"

// ---- faults ----

const char *hone_emu_buffer_at(const struct hone_emu_launch *launch, uint64_t address)
{
    const struct hone_launch *asked = launch->asked;
    for (size_t i = 0; asked && address && i < asked->extent_count; i++) {
        const struct hone_extent *extent = &asked->extents[i];
        if (address >= extent->base && address - extent->base < extent->bytes)
            return extent->name;
    }
    return NULL;
}

void hone_emu_name_buffer(struct hone_fault *fault, const struct hone_emu_launch *launch,
                          uint64_t address)
{
    const char *name = hone_emu_buffer_at(launch, address);
    if (name) snprintf(fault->buffer, sizeof fault->buffer, "%s", name);
}

void hone_emu_print_device(char out[HONE_EMU_DEVICE_TEXT],
                           const struct hone_emu_launch *launch, uint64_t address)
{
    const struct hone_emu_range *range = hone_emu_memory_find(launch->memory, address);
    const uint64_t at = range ? address - range->base : 0;
    const char *name = range ? hone_emu_buffer_at(launch, range->base) : NULL;
    if (!range || at > range->bytes)
        snprintf(out, HONE_EMU_DEVICE_TEXT, "0x%llx", (unsigned long long)address);
    else if (name)
        snprintf(out, HONE_EMU_DEVICE_TEXT, "byte %llu of %.60s", (unsigned long long)at,
                 name);
    else
        snprintf(out, HONE_EMU_DEVICE_TEXT, "byte %llu of a buffer of %llu bytes",
                 (unsigned long long)at, (unsigned long long)range->bytes);
}

void hone_emu_thread(const struct hone_emu_warp *warp, int lane, uint32_t out[3])
{
    const uint32_t *size = warp->launch->block;
    uint32_t flat = warp->index * HONE_EMU_LANES + (uint32_t)lane;
    out[0] = flat % size[0];
    out[1] = flat / size[0] % size[1];
    out[2] = flat / size[0] / size[1];
}

static void note_place(struct hone_fault *fault, const struct hone_emu_code *code,
                       size_t site)
{
    const char *file = hone_emu_source_place(code, site, &fault->line);
    fault->ptx_line = code->insns[site].line;
    snprintf(fault->file, sizeof fault->file, "%.*s", (int)sizeof fault->file - 1, file);
}

// Letters of a kernel's name in a report, and of the end of one, which says where.
enum { NAME_MAX = 40, END_MAX = 280 };

static const char *kernel_name(char out[NAME_MAX + 4], const char *name)
{
    if (strlen(name) <= NAME_MAX) return name;
    snprintf(out, NAME_MAX + 4, "%.*s...", NAME_MAX, name);
    return out;
}

static void describe(struct hone_fault *out, const struct hone_emu_warp *warp,
                     const struct hone_emu_insn *insn, int lane, const char *format,
                     va_list args)
{
    const struct hone_emu_launch *launch = warp->launch;
    const size_t site = (size_t)(insn - launch->code->insns);
    char end[END_MAX], place[HONE_EMU_PLACE_TEXT], name[NAME_MAX + 4];
    uint32_t thread[3];
    hone_emu_thread(warp, lane, thread);
    const uint32_t *block = warp->block->id;
    hone_emu_print_place(place, launch->code, site);
    snprintf(end, sizeof end, " at block (%u,%u,%u) thread (%u,%u,%u) of %s, %s",
             block[0], block[1], block[2], thread[0], thread[1], thread[2],
             kernel_name(name, launch->code->name), place);
    note_place(out, launch->code, site);
    // a long text is cut, its place never
    hone_vsnprintf(out->reason, HONE_REASON_MAX - strlen(end), format, args);
    memcpy(out->reason + strlen(out->reason), end, strlen(end) + 1);
}

struct hone_fault hone_emu_describe(const struct hone_emu_warp *warp,
                                    const struct hone_emu_insn *insn, int lane,
                                    enum hone_outcome outcome, enum hone_finding finding,
                                    const char *format, ...)
{
    struct hone_fault fault = {.outcome = outcome, .finding = finding};
    va_list args;
    va_start(args, format);
    describe(&fault, warp, insn, lane, format, args);
    va_end(args);
    return fault;
}

bool hone_emu_fault(struct hone_emu_warp *warp, const struct hone_emu_insn *insn,
                    int lane, enum hone_outcome outcome, enum hone_finding finding,
                    const char *format, ...)
{
    struct hone_emu_launch *launch = warp->launch;
    warp->limit = NULL;
    if (launch->faulted) return false;
    va_list args;
    launch->faulted = true;
    launch->fault->outcome = outcome;
    launch->fault->finding = finding;
    va_start(args, format);
    describe(launch->fault, warp, insn, lane, format, args);
    va_end(args);
    return true;
}

// ---- waits ----

// Texts of the waits of a block, whose end and whose first word follow and precede them,
// of one of its warps, and of lanes of that.
enum {
    WAITS_MAX = HONE_REASON_MAX - END_MAX - 16,
    WARP_MAX = WAITS_MAX - 48,
    SPLIT_MAX = HONE_EMU_PLACE_TEXT + 80
};

// What a split waits for, as text; equal for lanes that wait alike.
static void describe_split(const struct hone_emu_warp *warp,
                           const struct hone_emu_split *split, char *out, size_t size)
{
    const struct hone_emu_block *block = warp->block;
    const struct hone_emu_barrier *barrier = &block->barriers[split->barrier];
    char place[HONE_EMU_PLACE_TEXT], awaited[64] = "running";
    hone_emu_print_place(place, warp->launch->code,
                         (size_t)(split->at - warp->launch->code->insns));
    if (warp->polled)
        snprintf(awaited, sizeof awaited, "waiting for the mbarrier at shared+%u",
                 warp->polled_at);
    if (split->state == SPLIT_CLUSTER)
        snprintf(out, size, "at barrier.cluster with %u of %u threads (%s)",
                 block->cluster->arrived, block->cluster->alive, place);
    else if (split->state == SPLIT_POOL)
        snprintf(
            out, size, "waiting for %u registers, %u are free (%s)",
            hone_emu_pool_lack(&block->registers, warp->index, (uint32_t)split->at->imm),
            block->registers.free, place);
    else if (split->state == SPLIT_BARRIER)
        snprintf(out, size, "at barrier %u with %u of %u threads (%s)", split->barrier,
                 barrier->arrived,
                 barrier->wanted ? barrier->wanted : block->threads - block->exited,
                 place);
    else
        snprintf(out, size, "%s (%s)",
                 split->state == SPLIT_SYNC       ? "for others of the warp"
                 : split->state == SPLIT_PRODUCTS ? "for others of the warp group"
                                                  : awaited,
                 place);
}

// Adds text, unless it would leave no room for the words that say what is left out.
static bool list_add(char *out, size_t size, const char *text)
{
    enum { LEFT_OUT = 24 };
    const size_t used = strlen(out);
    if (used + strlen(text) + LEFT_OUT >= size) return false;
    snprintf(out + used, size - used, "%s", text);
    return true;
}

// Lanes that wait alike are one entry, however many splits they are.
static uint32_t describe_alike(const struct hone_emu_warp *warp, uint32_t first,
                               char *out, size_t size)
{
    uint32_t alike = warp->splits[first].mask;
    char one[SPLIT_MAX], other[SPLIT_MAX], lanes[24] = "";
    describe_split(warp, &warp->splits[first], one, sizeof one);
    for (uint32_t k = 0; k < warp->split_count; k++) {
        describe_split(warp, &warp->splits[k], other, sizeof other);
        if (strcmp(one, other) == 0) alike |= warp->splits[k].mask;
    }
    if (alike != warp->alive) snprintf(lanes, sizeof lanes, "lanes 0x%08x ", alike);
    snprintf(out, size, "%s%s", lanes, one);
    return alike;
}

// Those that no other lanes of the warp hold come first: there is the cause.
static void describe_warp(const struct hone_emu_warp *warp, char *out, size_t size)
{
    uint32_t told = 0;
    snprintf(out, size, "%s", warp->split_count ? "" : "exited");
    for (uint32_t k = 0; k < 2 * warp->split_count; k++) {
        const uint32_t s = k % warp->split_count;
        const bool held = warp->splits[s].state == SPLIT_SYNC;
        char one[SPLIT_MAX + 24], entry[SPLIT_MAX + 32];
        if (told & warp->splits[s].mask || held != (k >= warp->split_count)) continue;
        const uint32_t alike = describe_alike(warp, s, one, sizeof one);
        snprintf(entry, sizeof entry, "%s%s", told ? " and " : "", one);
        if (!list_add(out, size, entry)) {
            const size_t used = strlen(out);
            snprintf(out + used, size - used, " and %d lanes more",
                     __builtin_popcount(warp->alive & ~told));
            return;
        }
        told |= alike;
    }
}

// "warps 0-2: at barrier 1 with 96 of 128 threads (k.cu:9, PTX line 40); warp 3: exited"
static void describe_warps(const struct hone_emu_block *block, char *out, size_t size)
{
    out[0] = '\0';
    for (uint32_t first = 0, next; first < block->warp_count; first = next) {
        char state[WARP_MAX], other[WARP_MAX], entry[WARP_MAX + 64];
        describe_warp(&block->warps[first], state, sizeof state);
        for (next = first + 1; next < block->warp_count; next++) {
            describe_warp(&block->warps[next], other, sizeof other);
            if (strcmp(state, other) != 0) break;
        }
        const char *sign = first ? ";" : ":";
        if (next > first + 1)
            snprintf(entry, sizeof entry, "%s warps %u-%u: %s", sign, first, next - 1,
                     state);
        else
            snprintf(entry, sizeof entry, "%s warp %u: %s", sign, first, state);
        if (!list_add(out, size, entry)) {
            const size_t used = strlen(out);
            snprintf(out + used, size - used, "; and %u warps more",
                     block->warp_count - first);
            return;
        }
    }
}

static bool is_barrier(const struct hone_emu_insn *insn)
{
    return insn->op == EMU_BARSYNC || insn->op == EMU_BARARRIVE ||
           insn->op == EMU_BARRED || insn->op == EMU_CLARRIVE || insn->op == EMU_CLWAIT;
}

// The split that a report names: the first of those that say most.
struct stuck {
    struct hone_emu_warp *warp;
    const struct hone_emu_split *split;
    enum { STUCK_NONE, STUCK_WAITS, STUCK_POLLS, STUCK_APART } why;
};

static bool polls(const struct hone_emu_warp *warp)
{
    bool any = false;
    for (uint32_t s = 0; warp->polled && s < warp->split_count; s++)
        any = any || warp->splits[s].state == SPLIT_READY;
    return any;
}

// At a barrier that lanes of its warp do not come to, unless these wait for an mbarrier,
// which is the cause then; or waiting for an mbarrier; or in any other way.
static void find_stuck(struct hone_emu_block *block, struct stuck *out)
{
    for (uint32_t k = 0; k < block->warp_count; k++) {
        struct hone_emu_warp *warp = &block->warps[k];
        const bool polling = polls(warp);
        for (uint32_t s = 0; s < warp->split_count; s++) {
            const struct hone_emu_split *split = &warp->splits[s];
            struct stuck one = {.warp = warp, .split = split, .why = STUCK_WAITS};
            if (polling && split->state == SPLIT_READY)
                one.why = STUCK_POLLS;
            else if (!polling && split->state == SPLIT_SYNC && is_barrier(split->at))
                one.why = STUCK_APART;
            if (one.why > out->why) *out = one;
        }
    }
}

// Says it of each block of a cluster, with its number where there are several.
static void describe_blocks(const struct hone_emu_cluster *cluster, char *out,
                            size_t size)
{
    size_t used = 0;
    out[0] = '\0';
    for (uint32_t r = 0; r < cluster->size && used < size - 1; r++) {
        const struct hone_emu_block *block = cluster->blocks[r];
        char states[WAITS_MAX], objects[HONE_REASON_MAX], name[64] = "";
        describe_warps(block, states, sizeof states);
        hone_emu_describe_objects(block, objects, sizeof objects);
        if (cluster->size > 1)
            snprintf(name, sizeof name, "%s block (%u,%u,%u)", r ? ";" : "", block->id[0],
                     block->id[1], block->id[2]);
        int n = block->exited == block->threads && cluster->size > 1
                    ? snprintf(out + used, size - used, "%s exited", name)
                    : snprintf(out + used, size - used, "%s%s%s", name, states, objects);
        if (n > 0) used += (size_t)n;
    }
}

void hone_emu_report_deadlock(struct hone_emu_cluster *cluster)
{
    struct stuck stuck = {0};
    char text[HONE_REASON_MAX];
    bool amiss = false, missed = false;
    for (uint32_t r = 0; r < cluster->size; r++) {
        find_stuck(cluster->blocks[r], &stuck);
        amiss = amiss || hone_emu_has_bytes_amiss(cluster->blocks[r]);
        missed = missed || hone_emu_has_missed_phase(cluster->blocks[r]);
    }
    if (!stuck.split) return;
    describe_blocks(cluster, text, sizeof text);
    const bool apart = stuck.why == STUCK_APART;
    const enum hone_finding finding = apart    ? HONE_FINDING_DIVERGENCE
                                      : amiss  ? HONE_FINDING_TX_BYTES
                                      : missed ? HONE_FINDING_PHASE
                                               : HONE_FINDING_DEADLOCK;
    hone_emu_fault(stuck.warp, stuck.split->at, __builtin_ctz(stuck.split->mask),
                   HONE_CRASHED, finding, "%s%s",
                   apart ? "barrier divergence" : "deadlock", text);
}

// ---- kernels that do not end ----

// The loop whose quanta were used up most often.
static size_t hottest_loop(const struct hone_emu_launch *launch)
{
    size_t hottest = 0;
    for (size_t k = 1; launch->loops && k < launch->code->count; k++)
        if (launch->loops[k] > launch->loops[hottest]) hottest = k;
    return hottest;
}

void hone_emu_note_loop(struct hone_emu_warp *warp)
{
    struct hone_emu_launch *launch = warp->launch;
    if (!launch->loops) return;
    for (uint32_t s = 0; s < warp->split_count; s++)
        if (warp->splits[s].mask & warp->avoid) {
            launch->loops[warp->splits[s].at - launch->code->insns]++;
            return;
        }
}

// Where a kernel that does not end is said to be: in its hottest loop, or where it runs.
static const struct hone_emu_insn *busy_place(const struct hone_emu_warp *warp)
{
    const struct hone_emu_code *code = warp->launch->code;
    const size_t loop = hottest_loop(warp->launch);
    if (warp->launch->loops && warp->launch->loops[loop]) return code->insns + loop;
    return warp->at < code->insns + code->count ? warp->at : code->insns;
}

// What the loops around a place look at, all together.
struct looks {
    bool others, memory; // at what other blocks may write; at any
    bool loops;          // there are some
};

static struct looks looks_around(const struct hone_emu_code *code, size_t place)
{
    struct looks looks = {0};
    size_t first = place, last = place;
    for (size_t k = 0; k < code->count; k++) { // a loop goes from a target to its branch
        const struct hone_emu_insn *insn = &code->insns[k];
        if (insn->op != EMU_BRA || k < place || insn->target > place) continue;
        if (insn->target < first) first = insn->target;
        last = k;
        looks.loops = true;
    }
    for (size_t k = first; k <= last && k < code->count; k++) {
        looks.others |= hone_emu_asks_others(&code->insns[k]);
        looks.memory |= hone_emu_reads_memory(&code->insns[k]);
    }
    return looks;
}

// In another order than the usual one the budget tells a kernel that takes long from one
// that waits for ever, of which no block ends any more.
static bool is_stuck(const struct hone_emu_launch *launch)
{
    return launch->turned && !launch->scattered && launch->waiting_blocks &&
           launch->executed > launch->budget &&
           launch->executed - launch->ended_at > launch->budget / 2;
}

// Processor time is what counts, so that a machine with much else to do takes no kernel
// for an endless one. It goes no faster than the other clock, which is cheap to ask.
static bool is_over(struct hone_emu_launch *launch)
{
    const double now = hone_clock_seconds();
    if (now <= launch->look_at) return false;
    const double left = launch->deadline - hone_clock_thread_seconds();
    launch->look_at = now + left;
    return left < 0;
}

// What is known of a kernel that does not end: its blocks wait, or its loop ends by
// nothing that others do.
static void print_why(char *out, size_t size, const struct hone_emu_launch *launch,
                      const struct hone_emu_insn *place)
{
    const struct looks looks =
        looks_around(launch->code, (size_t)(place - launch->code->insns));
    out[0] = '\0';
    if (launch->waiting_blocks && looks.others)
        snprintf(out, size, ", %u blocks wait for others", launch->waiting_blocks);
    else if (looks.loops && !looks.memory)
        snprintf(out, size, ", in a loop that reads no memory");
}

bool hone_emu_look(struct hone_emu_warp *warp)
{
    struct hone_emu_launch *launch = warp->launch;
    char why[64];
    launch->unlooked = 0;
    launch->cancelled = launch->cancel && *launch->cancel;
    if (!launch->cancelled && launch->executed <= launch->budget && !is_over(launch))
        return true;
    launch->expired = true;
    print_why(why, sizeof why, launch, busy_place(warp));
    hone_emu_fault(warp, busy_place(warp), warp->mask ? __builtin_ctz(warp->mask) : 0,
                   HONE_TIMED_OUT,
                   is_stuck(launch) ? HONE_FINDING_DEADLOCK : HONE_FINDING_TIMEOUT,
                   "still running after %llu warp instructions%s",
                   (unsigned long long)launch->executed, why);
    return false;
}

bool hone_emu_spend(struct hone_emu_warp *warp, uint64_t instructions)
{
    struct hone_emu_launch *launch = warp->launch;
    launch->unlooked += instructions;
    return launch->unlooked < HONE_EMU_STRETCH || hone_emu_look(warp);
}
