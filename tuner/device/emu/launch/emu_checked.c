// A checked launch. What it meets may not matter: then the kernel runs again on the same
// memory, as judge.h says, and what the runs leave there is compared.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/quantity.h"
#include "device/emu.h"
#include "emu_device.h"
#include "watch/far.h"
#include "watch/judge.h"
#include "watch/snapshot.h"
#include "watch/watched.h"

static const char too_large[] = "may not matter, but its memory is too large to try: ";

// Memory of a kernel that is kept to run it again: verified problems are small.
static const uint64_t most_kept = UINT64_C(1) << 28;

struct trial {
    struct hone_device *dev;
    struct hone_module *module;
    const struct hone_launch *launch;
    struct hone_emu_judge *judge;
    double end; // hone_clock_thread_seconds
    struct hone_emu_snapshot before;
    struct hone_emu_far *far;   // NULL: all blocks are watched, or memory cannot be kept
    struct hone_emu_far *again; // the same once its blocks are watched
};

// ---- memory ----

static void want(bool *wanted, const struct hone_emu_memory *memory, uint64_t address)
{
    const struct hone_emu_range *range = hone_emu_memory_find(memory, address);
    if (range) wanted[range - memory->ranges] = true;
}

// The buffers of the launch, all where it names none, and the module's variables.
static bool keep_memory(struct trial *trial)
{
    const struct hone_emu_device *device = trial->dev->priv;
    const struct hone_emu_memory *memory = &device->memory;
    const struct hone_launch *launch = trial->launch;
    bool *wanted = calloc(memory->count + 1, sizeof *wanted);
    if (!wanted) return false;
    for (size_t i = 0; i < launch->extent_count; i++)
        want(wanted, memory, launch->extents[i].base);
    for (const struct ptx_variable *v = trial->module->ptx.variables; v; v = v->next)
        if (v->space == PTX_GLOBAL) want(wanted, memory, v->address);
    const bool kept = hone_emu_snapshot_take(
        &trial->before, memory, launch->extent_count ? wanted : NULL, most_kept);
    trial->before.extents = launch->extents;
    trial->before.extent_count = launch->extent_count;
    free(wanted);
    return kept;
}

// ---- runs ----

static enum hone_status run_again(struct trial *trial, enum hone_emu_policy policy,
                                  struct hone_fault *fault, struct hone_error *err)
{
    struct hone_launch launch = *trial->launch;
    struct hone_launch_report usual = {0}; // what a launch in another order may cost
    const double left = trial->end - hone_clock_thread_seconds();
    if (launch.report) usual.executed = launch.report->executed;
    launch.print = NULL;
    launch.report = &usual;
    launch.deadline_s = left > 0.001 ? left : 0.001;
    *fault = (struct hone_fault){.outcome = HONE_VALID};
    hone_emu_snapshot_restore(&trial->before);
    hone_emu_judge_begin(trial->judge, policy);
    enum hone_status status = hone_emu_launch_once(
        trial->dev, trial->module, &launch, trial->judge, trial->again, fault, err);
    const struct hone_fault *stored = hone_emu_judge_stored(trial->judge);
    const struct hone_fault *copied = hone_emu_judge_copied(trial->judge);
    if (copied && fault->outcome == HONE_VALID) *fault = *copied;
    if (stored) *fault = *stored;
    return status;
}

// What was not tried to its end says nothing of the kernel.
static void doubt_late(const struct trial *trial, struct hone_fault *fault)
{
    char why[96];
    snprintf(why, sizeof why, "may not matter, but to try it took longer than %s s: ",
             hone_plain(hone_emu_deadline(trial->launch), 3).text);
    hone_emu_judge_doubt(fault, why);
}

// Whatever the branches do that undefined values decide, and whichever of the values that
// were there guesses get, memory must end the same.
static enum hone_status compare_ways(struct trial *trial, struct hone_fault *fault,
                                     struct hone_error *err)
{
    const struct hone_fault *choice = hone_emu_judge_choice(trial->judge),
                            *guess = hone_emu_judge_guess(trial->judge);
    const struct hone_fault none = {.outcome = HONE_VALID};
    const struct hone_fault by_choice = choice ? *choice : none,
                            by_guess = guess ? *guess : none;
    struct hone_emu_snapshot after;
    struct hone_fault other;
    enum hone_status status = HONE_OK;
    if (!hone_emu_snapshot_retake(&after, &trial->before))
        return hone_no_memory(err, "to check a launch");
    for (int policy = HONE_EMU_TAKEN; policy < HONE_EMU_POLICIES; policy++) {
        const struct hone_fault *why = policy >= HONE_EMU_OLDEST ? &by_guess : &by_choice;
        if (why->outcome == HONE_VALID) continue;
        status = run_again(trial, (enum hone_emu_policy)policy, &other, err);
        if (status != HONE_OK) break;
        if (other.outcome == HONE_VALID && hone_emu_snapshot_holds(&after) &&
            !hone_emu_judge_lost_values(trial->judge))
            continue;
        *fault = *why;
        if (other.outcome == HONE_TIMED_OUT)
            doubt_late(trial, fault);
        else
            hone_emu_judge_say_lost(trial->judge, fault);
        break;
    }
    if (status == HONE_OK && fault->outcome == HONE_VALID)
        hone_emu_snapshot_restore(&after);
    hone_emu_snapshot_fini(&after);
    return status;
}

// It was met, and cannot be judged.
static void refuse_unjudged(const struct trial *trial, struct hone_fault *fault)
{
    const struct hone_fault *choice = hone_emu_judge_choice(trial->judge);
    if (!choice) choice = hone_emu_judge_guess(trial->judge);
    *fault = choice ? *choice : *hone_emu_judge_race(trial->judge, 1);
    hone_emu_judge_doubt(fault, too_large);
}

static bool has_choices(const struct trial *trial)
{
    return hone_emu_judge_choice(trial->judge) || hone_emu_judge_guess(trial->judge);
}

static bool finds_the_same(const struct hone_fault *a, const struct hone_fault *b)
{
    return a->finding == b->finding && a->ptx_line == b->ptx_line;
}

// An unwritten value was found where a race had decided a branch before. It is for the
// race that it was not written when nothing, or something else, is found once the branch
// goes the other way: then the race is named. A run that was cut off tells nothing.
static enum hone_status blame_race(struct trial *trial, struct hone_fault *fault,
                                   struct hone_error *err)
{
    const struct hone_fault *choice = hone_emu_judge_choice(trial->judge);
    if (fault->finding != HONE_FINDING_UNWRITTEN || !trial->before.bytes || !choice ||
        choice->finding != HONE_FINDING_RACE)
        return HONE_OK;
    const struct hone_fault race = *choice;
    struct hone_fault other;
    for (int policy = HONE_EMU_TAKEN; policy <= HONE_EMU_NOT_TAKEN; policy++) {
        enum hone_status status =
            run_again(trial, (enum hone_emu_policy)policy, &other, err);
        if (status != HONE_OK) return status;
        if (other.outcome == HONE_TIMED_OUT || finds_the_same(&other, fault)) continue;
        *fault = race;
        return HONE_OK;
    }
    return HONE_OK;
}

static enum hone_status judge(struct trial *trial, struct hone_fault *fault,
                              struct hone_error *err)
{
    const bool values = hone_emu_judge_wants_values(trial->judge);
    const struct hone_fault *stored = hone_emu_judge_stored(trial->judge);
    enum hone_status status = HONE_OK;
    if (stored && (fault->outcome != HONE_VALID || !values || !trial->before.bytes))
        *fault = *stored;
    const struct hone_fault *copied = hone_emu_judge_copied(trial->judge);
    if (copied && fault->outcome == HONE_VALID && (!values || !trial->before.bytes))
        *fault = *copied;
    if (fault->outcome != HONE_VALID) return blame_race(trial, fault, err);
    if (!values && !has_choices(trial)) return HONE_OK;
    if (!trial->before.bytes) {
        refuse_unjudged(trial, fault);
        return HONE_OK;
    }
    if (values) status = run_again(trial, HONE_EMU_AS_IT_IS, fault, err);
    if (status != HONE_OK) return status;
    if (fault->outcome != HONE_VALID) return blame_race(trial, fault, err);
    return has_choices(trial) ? compare_ways(trial, fault, err) : HONE_OK;
}

// ---- blocks that are not watched ----

// Are there so few blocks, and do they so little, that all can be watched?
static bool are_few(const struct hone_launch *launch, uint64_t most_executed)
{
    const uint64_t blocks = (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
    return launch->report && launch->report->executed <= most_executed &&
           blocks <= HONE_EMU_WATCHED_BLOCKS;
}

// In another order than the usual one all of few blocks are watched: who asks for it
// knows what they cost.
static bool watch_far(struct trial *trial)
{
    const struct hone_launch *launch = trial->launch;
    if (hone_emu_samples_all(launch->grid)) return true;
    if (launch->order != HONE_ORDER_USUAL && are_few(launch, UINT64_MAX)) {
        hone_emu_judge_watch_all(trial->judge);
        return true;
    }
    if (!trial->before.bytes) return true; // it cannot be run again
    trial->far = hone_emu_far_new(launch->grid, hone_emu_is_sampled);
    return trial->far != NULL;
}

// Nothing was found yet: from the start with other blocks watched, all or those that met.
// late: what it is when that takes too long.
static enum hone_status watch_others(struct trial *trial, bool all,
                                     const struct hone_fault *late,
                                     struct hone_fault *fault, struct hone_error *err)
{
    struct hone_emu_snapshot after;
    hone_emu_judge_free(trial->judge);
    trial->judge = hone_emu_judge_new(trial->module->code.count);
    if (!trial->judge || !hone_emu_snapshot_retake(&after, &trial->before))
        return hone_no_memory(err, "to check a launch");
    if (all) hone_emu_judge_watch_all(trial->judge);
    trial->again = all ? NULL : trial->far;
    enum hone_status status = run_again(trial, HONE_EMU_AS_IT_IS, fault, err);
    if (status == HONE_OK) status = judge(trial, fault, err);
    if (fault->outcome == HONE_TIMED_OUT) {
        *fault = *late;
        if (fault->outcome != HONE_VALID) doubt_late(trial, fault);
    }
    if (fault->outcome == HONE_VALID) hone_emu_snapshot_restore(&after);
    hone_emu_snapshot_fini(&after);
    return status;
}

// Blocks met that were not both watched: all are where that takes no time to speak of.
// What takes too long so tells nothing.
static enum hone_status watch_far_blocks(struct trial *trial, struct hone_fault *fault,
                                         struct hone_error *err)
{
    const struct hone_fault nothing = {.outcome = HONE_VALID};
    const bool all = are_few(trial->launch, UINT64_C(1) << 16);
    return watch_others(trial, all, &nothing, fault, err);
}

// Undefined bits were left in a workspace, where any block may find them.
static enum hone_status watch_all(struct trial *trial, struct hone_fault *fault,
                                  struct hone_error *err)
{
    const struct hone_fault travel = *hone_emu_judge_travel(trial->judge);
    if (trial->before.bytes) return watch_others(trial, true, &travel, fault, err);
    *fault = travel;
    hone_emu_judge_doubt(fault, too_large);
    return HONE_OK;
}

enum hone_status hone_emu_launch_checked(struct hone_device *dev,
                                         struct hone_module *module,
                                         const struct hone_launch *launch,
                                         struct hone_fault *fault, struct hone_error *err)
{
    struct trial trial = {.dev = dev,
                          .module = module,
                          .launch = launch,
                          .end = hone_clock_thread_seconds() + hone_emu_deadline(launch)};
    enum hone_status status = HONE_ENOMEM;
    trial.judge = hone_emu_judge_new(module->code.count);
    if (trial.judge && keep_memory(&trial) && watch_far(&trial))
        status =
            hone_emu_launch_once(dev, module, launch, trial.judge, trial.far, fault, err);
    else
        status = hone_no_memory(err, "to check a launch");
    const bool met = trial.far && hone_emu_far_end(trial.far);
    if (status == HONE_OK) status = judge(&trial, fault, err);
    if (status == HONE_OK && fault->outcome == HONE_VALID && met &&
        !hone_emu_judge_travel(trial.judge))
        status = watch_far_blocks(&trial, fault, err);
    if (status == HONE_OK && fault->outcome == HONE_VALID &&
        hone_emu_judge_travel(trial.judge))
        status = watch_all(&trial, fault, err);
    hone_emu_far_free(trial.far);
    hone_emu_snapshot_fini(&trial.before);
    hone_emu_judge_free(trial.judge);
    return status;
}
