// The orders of blocks, warps and lanes that a kernel is verified in besides the usual
// one: whichever is legal, its results must be right.
#include "evaluate/verify.h"

#include <stdio.h>

#include "base/c_text.h"
#include "device/emu.h"
#include "fault.h"

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

static enum hone_status run_order(struct hone_verifier *verifier, enum hone_order order,
                                  const struct hone_loaded *kernel,
                                  struct hone_fault *fault, struct hone_error *err)
{
    *fault = (struct hone_fault){.outcome = HONE_VALID};
    verifier->order = order;
    enum hone_status status = hone_verifier_launch(verifier, kernel, fault, err);
    explain_order(order, fault);
    verifier->order = HONE_ORDER_USUAL;
    return status;
}

// An order may take many times as long as the usual one, and more where blocks or lanes
// spin: one that runs out of its budget says nothing. It does where no block ends.
static bool says_nothing(const struct hone_fault *fault)
{
    return fault->outcome == HONE_VALID ||
           (fault->outcome == HONE_TIMED_OUT && fault->finding != HONE_FINDING_DEADLOCK);
}

// What the order finds, where it finds something, in place of what a wider one has found.
static enum hone_status narrow_order(struct hone_verifier *verifier,
                                     enum hone_order order,
                                     const struct hone_loaded *kernel,
                                     struct hone_fault *fault, struct hone_error *err)
{
    const struct hone_fault found = *fault;
    enum hone_status status = run_order(verifier, order, kernel, fault, err);
    if (says_nothing(fault)) *fault = found;
    return status;
}

// Blocks are turned with the warps; if wrong, blocks alone tell which it was.
static enum hone_status check_reversed(struct hone_verifier *verifier,
                                       const struct hone_loaded *kernel,
                                       struct hone_fault *fault, struct hone_error *err)
{
    const struct hone_fault before = *fault;
    enum hone_status status =
        run_order(verifier, HONE_ORDER_REVERSED, kernel, fault, err);
    if (status == HONE_OK && !says_nothing(fault))
        return narrow_order(verifier, HONE_ORDER_BLOCKS, kernel, fault, err);
    *fault = before;
    return status;
}

// Two launches turn the order of blocks, warps and lanes; where the first goes wrong, or
// says nothing, others say which it was.
static enum hone_status check_turned(struct hone_verifier *verifier,
                                     const struct hone_loaded *kernel,
                                     struct hone_fault *fault, struct hone_error *err)
{
    enum hone_status status =
        run_order(verifier, HONE_ORDER_LANES_REVERSED, kernel, fault, err);
    const bool other = fault->outcome != HONE_VALID;
    if (says_nothing(fault)) *fault = (struct hone_fault){.outcome = HONE_VALID};
    if (status == HONE_OK && other) status = check_reversed(verifier, kernel, fault, err);
    if (!hone_is_right(status, fault)) return status;
    return narrow_order(verifier, HONE_ORDER_LANES, kernel, fault, err);
}

// Late copies at each size, and moments that are drawn where they make a difference.
static enum hone_status check_copies(struct hone_verifier *verifier,
                                     const struct hone_loaded *kernel,
                                     struct hone_fault *fault, struct hone_error *err)
{
    enum hone_status status =
        run_order(verifier, HONE_ORDER_LATE_COPIES, kernel, fault, err);
    if (!hone_is_right(status, fault) || !verifier->report->units) return status;
    status = run_order(verifier, HONE_ORDER_DRAWN_COPIES, kernel, fault, err);
    if (says_nothing(fault)) *fault = (struct hone_fault){.outcome = HONE_VALID};
    return status;
}

static enum hone_status turn(struct hone_verifier *verifier,
                             const struct hone_loaded *kernel, struct hone_fault *fault,
                             struct hone_error *err)
{
    if (verifier->apart) return check_turned(verifier, kernel, fault, err);
    if (!verifier->reverse) return HONE_OK;
    return check_reversed(verifier, kernel, fault, err);
}

// Fewer that wait for each other have no turns to take.
enum { LEAST_BLOCKS = 3 };

// Blocks that wait for others hear of more in one order than in another: races are looked
// for where they take turns, too, at each size of several blocks until all were watched
// so at one, and again at one of several times as many as the most. A million warp
// instructions that are watched take about a second; the size where lanes run apart is
// the smallest, or the only one.
static bool wants_turns(const struct hone_verifier *verifier, uint64_t blocks)
{
    enum { MOST = 1 << 18, MOST_APART = 1 << 24, TIMES = 4 };
    const struct hone_launch_report *report = verifier->report;
    const bool first = !report->all_turned && blocks <= HONE_EMU_WATCHED_BLOCKS;
    return (first || blocks >= TIMES * report->turned) &&
           report->executed <= (verifier->apart ? MOST_APART : MOST);
}

// The size was tried: one where all take turns will do.
static void note_turns(struct hone_launch_report *report, uint64_t blocks, bool turned)
{
    report->all_turned |= turned && blocks <= HONE_EMU_WATCHED_BLOCKS;
    if (!report->unturned || blocks < report->unturned) report->unturned = blocks;
    if (report->all_turned) report->unturned = 0;
}

static enum hone_status check_waits(struct hone_verifier *verifier,
                                    const struct hone_loaded *kernel,
                                    struct hone_fault *fault, struct hone_error *err)
{
    const uint32_t *grid = kernel->job->geometry.grid;
    const uint64_t blocks = (uint64_t)grid[0] * grid[1] * grid[2];
    if (!verifier->report->waits || blocks < LEAST_BLOCKS) return HONE_OK;
    note_turns(verifier->report, blocks, false);
    if (!wants_turns(verifier, blocks)) return HONE_OK;
    verifier->looks = true;
    verifier->order = HONE_ORDER_BLOCKS;
    enum hone_status status = hone_verifier_launch(verifier, kernel, fault, err);
    verifier->order = HONE_ORDER_USUAL;
    verifier->looks = false;
    if (fault->outcome == HONE_VALID && blocks > verifier->report->turned)
        verifier->report->turned = blocks;
    note_turns(verifier->report, blocks, fault->outcome == HONE_VALID);
    if (says_nothing(fault)) *fault = (struct hone_fault){.outcome = HONE_VALID};
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
enum hone_status hone_verifier_check_orders(struct hone_verifier *verifier,
                                            const struct hone_loaded *kernel,
                                            struct hone_fault *fault,
                                            struct hone_error *err)
{
    const struct hone_launch_report *report = verifier->report;
    enum hone_status status = HONE_OK;
    if (report->varies && report->copies)
        status = check_copies(verifier, kernel, fault, err);
    if (!report->varies || status != HONE_OK) return status;
    if (fault->outcome != HONE_VALID && !may_be_an_effect(fault)) return status;
    const struct hone_fault effect = *fault;
    *fault = (struct hone_fault){.outcome = HONE_VALID};
    status = turn(verifier, kernel, fault, err);
    if (effect.outcome != HONE_VALID &&
        (fault->outcome == HONE_VALID || may_be_an_effect(fault)))
        *fault = effect;
    if (!hone_is_right(status, fault)) return status;
    return check_waits(verifier, kernel, fault, err);
}
