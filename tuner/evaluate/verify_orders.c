// The orders of blocks, warps and lanes that a kernel is verified in besides the usual
// one: whichever is legal, its results must be right.
#include "evaluate/verify.h"

#include <stdio.h>

#include "base/c_text.h"
#include "device/emu.h"
#include "fault.h"

// Warp instructions that are watched in another order, too: some seconds of them.
enum { WATCHED = 1 << 24 };

static bool is_of_lanes(enum hone_order order)
{
    return order == HONE_ORDER_LANES || order == HONE_ORDER_LANES_REVERSED;
}

static bool is_of_copies(enum hone_order order)
{
    return order == HONE_ORDER_LATE_COPIES || order == HONE_ORDER_DRAWN_COPIES;
}

// What may be missing, where another order of lanes shows it. A block that has ended
// while others of its cluster use its memory lacks no order of lanes.
static const char *hint_of(enum hone_order order, const struct hone_fault *fault)
{
    if (!is_of_lanes(order)) return "";
    return fault->finding == HONE_FINDING_PEER ? " (missing barrier.cluster?)"
                                               : " (missing __syncwarp?)";
}

static void explain_order(enum hone_order order, struct hone_fault *fault)
{
    static const char *const causes[HONE_ORDER_COUNT] = {
        [HONE_ORDER_LATE_COPIES] = "missing wait of an asynchronous copy",
        [HONE_ORDER_BLOCKS] = "depends on the order of blocks",
        [HONE_ORDER_REVERSED] = "depends on the order of warps",
        [HONE_ORDER_LANES] = "depends on the order of lanes of a warp",
        [HONE_ORDER_LANES_REVERSED] = "depends on the order of lanes of a warp",
        [HONE_ORDER_DRAWN_COPIES] =
            "missing wait of an asynchronous operation, made at another moment"};
    struct hone_fault plain = *fault;
    const bool hangs =
        fault->outcome == HONE_TIMED_OUT && fault->finding == HONE_FINDING_DEADLOCK;
    if (fault->outcome != HONE_WRONG_RESULT && fault->outcome != HONE_CRASHED && !hangs)
        return;
    hone_snprintf(fault->reason, sizeof fault->reason, "%s: %.380s%s", causes[order],
                  plain.reason, hint_of(order, &plain));
    if (fault->outcome == HONE_WRONG_RESULT)
        fault->finding =
            is_of_copies(order) ? HONE_FINDING_MISSING_WAIT : HONE_FINDING_ORDER;
}

static void clear_fault(struct hone_fault *fault)
{
    *fault = (struct hone_fault){.outcome = HONE_VALID};
}

static enum hone_status run_order(const struct hone_verify_at *v, enum hone_order order)
{
    clear_fault(v->fault);
    enum hone_status status = hone_verify_launch(v, order, false);
    explain_order(order, v->fault);
    return status;
}

// An order may take many times as long as the usual one, and more where blocks or lanes
// spin: one that runs out of its budget says nothing. It does where no block ends.
static bool says_nothing(const struct hone_fault *fault)
{
    return fault->outcome == HONE_VALID ||
           (fault->outcome == HONE_TIMED_OUT && fault->finding != HONE_FINDING_DEADLOCK);
}

// What the order finds, where it does find something, in place of what a wider one has.
static enum hone_status narrow_order(const struct hone_verify_at *v,
                                     enum hone_order order, bool *finds)
{
    const struct hone_fault found = *v->fault;
    enum hone_status status = run_order(v, order);
    *finds = !says_nothing(v->fault);
    if (!*finds) *v->fault = found;
    return status;
}

static uint64_t count_blocks(const struct hone_verify_at *v)
{
    const uint32_t *grid = v->kernel->job->geometry.grid;
    return (uint64_t)grid[0] * grid[1] * grid[2];
}

// A wrong result has no place; what the checks find in the same order has one.
static enum hone_status place_order(const struct hone_verify_at *v)
{
    const struct hone_fault found = *v->fault;
    if (found.finding != HONE_FINDING_ORDER || found.line ||
        v->report->executed > WATCHED)
        return HONE_OK;
    clear_fault(v->fault);
    enum hone_status status = hone_verify_launch(v, HONE_ORDER_BLOCKS, true);
    if (v->fault->outcome != HONE_WRONG_RESULT || !v->fault->line) *v->fault = found;
    return status;
}

// Blocks are turned with the warps; if wrong, blocks alone tell which it was, where there
// are several.
static enum hone_status check_reversed(const struct hone_verify_at *v)
{
    const struct hone_fault before = *v->fault;
    enum hone_status status = run_order(v, HONE_ORDER_REVERSED);
    if (status != HONE_OK || says_nothing(v->fault)) {
        *v->fault = before;
        return status;
    }
    if (count_blocks(v) < 2) return status;
    bool of_blocks;
    status = narrow_order(v, HONE_ORDER_BLOCKS, &of_blocks);
    return status == HONE_OK && of_blocks ? place_order(v) : status;
}

// Two launches turn the order of blocks, warps and lanes; where the first goes wrong, or
// says nothing, others say which it was.
static enum hone_status check_turned(const struct hone_verify_at *v)
{
    enum hone_status status = run_order(v, HONE_ORDER_LANES_REVERSED);
    const bool other = v->fault->outcome != HONE_VALID;
    if (says_nothing(v->fault)) clear_fault(v->fault);
    if (status == HONE_OK && other) status = check_reversed(v);
    if (!hone_is_right(status, v->fault)) return status;
    bool of_lanes; // one way or the other
    return narrow_order(v, HONE_ORDER_LANES, &of_lanes);
}

// Warps that hear of others by strong accesses are interleaved between these, as is
// drawn: several times, since few draws meet what one order of two accesses alone shows.
static enum hone_status check_woven(const struct hone_verify_at *v)
{
    enum { DRAWS = 4, MOST = 1 << 16 };
    const uint64_t seed = v->verifier->seed;
    enum hone_status status = check_turned(v);
    const uint64_t draws = !v->report->weaves            ? 0
                           : v->report->executed <= MOST ? DRAWS
                                                         : 1;
    for (uint64_t k = 0; k < draws && hone_is_right(status, v->fault); k++) {
        v->verifier->seed = seed + k;
        status = check_reversed(v);
    }
    v->verifier->seed = seed;
    return status;
}

// Late copies at each size, and moments that are drawn where they make a difference.
static enum hone_status check_copies(const struct hone_verify_at *v)
{
    enum hone_status status = run_order(v, HONE_ORDER_LATE_COPIES);
    if (!hone_is_right(status, v->fault) || !v->report->units) return status;
    status = run_order(v, HONE_ORDER_DRAWN_COPIES);
    if (says_nothing(v->fault)) clear_fault(v->fault);
    return status;
}

static enum hone_status turn(const struct hone_verify_at *v)
{
    if (v->verifier->apart) return check_woven(v);
    if (!v->verifier->reverse) return HONE_OK;
    return check_reversed(v);
}

// Fewer that wait for each other have no turns to take.
enum { LEAST_BLOCKS = 3 };

// Blocks that wait for others hear of more in one order than in another: races are looked
// for where they take turns, too, at each size of several blocks until all were watched
// so at one, and again at one of several times as many as the most. A million warp
// instructions that are watched take about a second; the size where lanes run apart is
// the smallest, or the only one.
static bool wants_turns(const struct hone_verify_at *v, uint64_t blocks)
{
    enum { MOST = 1 << 18, TIMES = 4 };
    const struct hone_launch_report *report = v->report;
    const bool first = !report->all_turned && blocks <= HONE_EMU_WATCHED_BLOCKS;
    return (first || blocks >= TIMES * report->turned) &&
           report->executed <= (v->verifier->apart ? WATCHED : MOST);
}

// The size was tried: one where all take turns will do.
static void note_turns(struct hone_launch_report *report, uint64_t blocks, bool turned)
{
    report->all_turned |= turned && blocks <= HONE_EMU_WATCHED_BLOCKS;
    if (!report->unturned || blocks < report->unturned) report->unturned = blocks;
    if (report->all_turned) report->unturned = 0;
}

static enum hone_status check_waits(const struct hone_verify_at *v)
{
    const uint64_t blocks = count_blocks(v);
    if (!v->report->waits || blocks < LEAST_BLOCKS) return HONE_OK;
    note_turns(v->report, blocks, false);
    if (!wants_turns(v, blocks)) return HONE_OK;
    enum hone_status status = hone_verify_launch(v, HONE_ORDER_BLOCKS, true);
    if (v->fault->outcome == HONE_VALID && blocks > v->report->turned)
        v->report->turned = blocks;
    note_turns(v->report, blocks, v->fault->outcome == HONE_VALID);
    if (says_nothing(v->fault)) clear_fault(v->fault);
    return status;
}

// Waits without an end are the effect of something: an order that ends may name it.
static bool may_be_an_effect(const struct hone_fault *fault)
{
    return fault->outcome != HONE_WRONG_RESULT &&
           (fault->finding == HONE_FINDING_DEADLOCK ||
            fault->finding == HONE_FINDING_PHASE);
}

// A kernel that was right must be right in the other orders that are legal.
enum hone_status hone_verify_orders(const struct hone_verify_at *v)
{
    const struct hone_launch_report *report = v->report;
    enum hone_status status = HONE_OK;
    if (report->varies && report->copies) status = check_copies(v);
    if (!report->varies || status != HONE_OK) return status;
    if (v->fault->outcome != HONE_VALID && !may_be_an_effect(v->fault)) return status;
    const struct hone_fault effect = *v->fault;
    clear_fault(v->fault);
    status = turn(v);
    if (effect.outcome != HONE_VALID &&
        (v->fault->outcome == HONE_VALID || may_be_an_effect(v->fault)))
        *v->fault = effect;
    if (!hone_is_right(status, v->fault)) return status;
    return check_waits(v);
}
