// Runs on this machine: slots of devices, filled from the list in its order.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "campaign/attempt.h"
#include "campaign/engine.h"
#include "campaign/overview.h"

// An order to stop is looked for so often, and has so long to be followed.
static const double look_s = 0.5, stop_s = 60;

// LEFT: it is not over, but this call does not begin it again. OVER is not asked for.
enum fate { TODO, AT_WORK, BUSY, LEFT, OVER };

struct slot {
    size_t device, id; // numbers of the device and of its id
    bool taken, stopping;
    size_t run;
    void *process;
    struct hone_attempt attempt;
    double deadline; // of an order to stop
};

struct engine {
    const struct hone_engine_options *options;
    const struct hone_campaign *campaign;
    const struct hone_starter *starter;
    struct slot *slots;
    size_t slot_count;
    void **processes; // of the slots, for waiting
    enum fate *fates; // of the runs
    unsigned *attempts;
    size_t *first; // of each device: the first run that is not over
    bool closing;  // nothing more is begun
    struct hone_engine_result *result;
    struct hone_error *err;
    enum hone_status status;
};

static bool is_cancelled(const struct engine *e)
{
    return e->options->cancel && *e->options->cancel;
}

static void engine_tell(const struct engine *e, enum hone_told what, size_t run,
                        const struct hone_run_state *state, const struct hone_error *err)
{
    if (e->options->tell) e->options->tell(e->options->context, what, run, state, err);
}

// What cannot be written ends the work: what cannot be said has not happened.
static void engine_fail(struct engine *e, enum hone_status status,
                        const struct hone_error *why)
{
    if (e->status == HONE_OK) e->status = hone_error_pass(e->err, status, why);
    e->closing = true;
}

// False where it cannot be read, which ends the work.
static bool read_run(struct engine *e, struct hone_run_state *out, size_t run)
{
    struct hone_error why = {0};
    const enum hone_status status = hone_run_state_now(out, e->campaign, run, &why);
    if (status != HONE_OK) engine_fail(e, status, &why);
    return status == HONE_OK;
}

static void settle_run(struct engine *e, size_t run)
{
    struct hone_run_state state;
    if (!read_run(e, &state, run)) return;
    const unsigned most = e->options->attempts;
    const bool again = state.phase == HONE_RUN_WAITING && !e->closing &&
                       (!most || e->attempts[run] < most);
    e->fates[run] = again ? TODO : hone_run_is_open(&state) ? LEFT : OVER;
    if (state.phase == HONE_RUN_DONE) e->result->done++;
    if (!again && (state.phase == HONE_RUN_FAILED || state.phase == HONE_RUN_WAITING))
        e->result->failed++;
    else if (e->fates[run] == LEFT)
        e->result->unfinished++;
    engine_tell(e, HONE_TOLD_ENDED, run, &state, NULL);
}

// It was over before this call: a failure is one as long as nobody lets it be retried.
static void note_over(struct engine *e, size_t run)
{
    struct hone_run_state state;
    e->fates[run] = OVER;
    if (read_run(e, &state, run) && state.phase == HONE_RUN_FAILED) e->result->failed++;
}

// --- beginning ---

static void begin_process(struct engine *e, struct slot *slot, const char *device)
{
    struct hone_argv argv = {0};
    struct hone_error why = {0};
    enum hone_status status =
        hone_run_command(&argv, e->options->program, e->campaign, slot->run, device,
                         slot->attempt.resumes, &why);
    if (status == HONE_OK)
        status = e->starter->start(e->starter->context, &slot->process, argv.items,
                                   slot->attempt.log, &why);
    hone_argv_fini(&argv);
    if (status == HONE_OK) {
        slot->taken = true;
        e->fates[slot->run] = AT_WORK;
        engine_tell(e, HONE_TOLD_BEGUN, slot->run, NULL, NULL);
        return;
    }
    struct hone_error lost = {0};
    const enum hone_status ended = hone_attempt_end(&slot->attempt, 1, why.text, &lost);
    if (ended != HONE_OK) engine_fail(e, ended, &lost);
    settle_run(e, slot->run);
}

static void begin_run(struct engine *e, struct slot *slot, size_t run)
{
    const struct hone_campaign_device *device = &e->campaign->def->devices[slot->device];
    const char *id = device->ids[slot->id];
    struct hone_error why = {0};
    enum hone_claim claim = HONE_CLAIM_BUSY;
    enum hone_status status =
        hone_attempt_begin(&slot->attempt, &claim, e->campaign, run, id, &why);
    slot->run = run;
    slot->stopping = false;
    if (status == HONE_EDEVICE) {
        e->attempts[run]++;
        engine_tell(e, HONE_TOLD_FAILED, run, NULL, &why);
        settle_run(e, run);
    } else if (status != HONE_OK) {
        engine_fail(e, status, &why);
    } else if (claim == HONE_CLAIM_OURS) {
        e->attempts[run]++;
        e->result->begun++;
        begin_process(e, slot, id);
    } else if (claim == HONE_CLAIM_BUSY) {
        e->fates[run] = BUSY;
    } else {
        note_over(e, run);
    }
}

// A run that begins with what another finds waits for that one, wherever it is done.
static bool is_ready(const struct engine *e, const struct hone_campaign_run *run)
{
    struct hone_run_state state;
    if (run->after == HONE_RUN_NONE) return true;
    const enum fate before = e->fates[run->after];
    if (before == TODO || before == AT_WORK) return false; // its file need not be read
    return hone_run_state_now(&state, e->campaign, run->after, NULL) == HONE_OK &&
           !hone_run_is_open(&state);
}

// Runs that failed come after those that were not tried yet.
static size_t next_run(struct engine *e, size_t device)
{
    size_t found = HONE_RUN_NONE;
    size_t *first = &e->first[device];
    while (*first < e->campaign->run_count &&
           (e->fates[*first] == OVER || e->campaign->runs[*first].device != device))
        ++*first;
    for (size_t i = *first; i < e->campaign->run_count; i++) {
        const struct hone_campaign_run *run = &e->campaign->runs[i];
        if (e->fates[i] != TODO || run->device != device || !is_ready(e, run)) continue;
        if (!e->attempts[i]) return i;
        if (found == HONE_RUN_NONE) found = i;
    }
    return found;
}

static void fill_slots(struct engine *e)
{
    for (size_t i = 0; i < e->slot_count; i++) {
        struct slot *slot = &e->slots[i];
        size_t run;
        while (!slot->taken && !e->closing && !is_cancelled(e) &&
               (run = next_run(e, slot->device)) != HONE_RUN_NONE)
            begin_run(e, slot, run);
    }
}

// --- ending ---

static void end_slot(struct engine *e, struct slot *slot, int code)
{
    struct hone_error why = {0};
    const bool killed = slot->stopping && !isfinite(slot->deadline);
    e->starter->release(e->starter->context, slot->process);
    slot->process = NULL;
    slot->taken = false;
    enum hone_status status =
        hone_attempt_end(&slot->attempt, slot->stopping && code ? 128 + SIGTERM : code,
                         killed ? "it did not end in order, and was killed" : NULL, &why);
    if (status != HONE_OK) engine_fail(e, status, &why);
    settle_run(e, slot->run);
}

static void stop_slot(struct engine *e, struct slot *slot)
{
    if (slot->stopping) return;
    slot->stopping = true;
    slot->deadline = e->starter->now(e->starter->context) + stop_s;
    e->starter->stop(e->starter->context, slot->process);
}

static void look_at_slots(struct engine *e)
{
    const double now = e->starter->now(e->starter->context);
    const bool ending = e->closing || is_cancelled(e);
    for (size_t i = 0; i < e->slot_count; i++) {
        struct slot *slot = &e->slots[i];
        int code = 0;
        if (!slot->taken) continue;
        if (ending || hone_run_is_cancelled(slot->attempt.run)) stop_slot(e, slot);
        if (e->starter->ended(e->starter->context, slot->process, slot->attempt.log,
                              &code)) {
            end_slot(e, slot, code);
        } else if (slot->stopping && now > slot->deadline) {
            slot->deadline = INFINITY;
            end_slot(e, slot, 128 + SIGKILL);
        }
    }
}

static void work(struct engine *e)
{
    for (;;) {
        fill_slots(e);
        size_t taken = 0;
        for (size_t i = 0; i < e->slot_count; i++) {
            e->processes[i] = e->slots[i].taken ? e->slots[i].process : NULL;
            taken += e->slots[i].taken;
        }
        if (!taken) break;
        e->starter->wait(e->starter->context, e->processes, e->slot_count, look_s);
        look_at_slots(e);
    }
}

// --- opening ---

static size_t slots_of(const struct engine *e, size_t number)
{
    const struct hone_campaign_device *device = &e->campaign->def->devices[number];
    if (device->via != HONE_ENGINE_LOCAL && !e->options->any_engine) return 0;
    if (e->options->at_once) return e->options->at_once;
    return device->at_once ? device->at_once : 1;
}

static enum hone_status open_engine(struct engine *e)
{
    const size_t runs = e->campaign->run_count;
    for (size_t d = 0; d < e->campaign->def->device_count; d++)
        e->slot_count += slots_of(e, d);
    e->slots = calloc(e->slot_count + 1, sizeof *e->slots);
    e->processes = calloc(e->slot_count + 1, sizeof *e->processes);
    e->fates = calloc(runs + 1, sizeof *e->fates);
    e->attempts = calloc(runs + 1, sizeof *e->attempts);
    e->first = calloc(e->campaign->def->device_count + 1, sizeof *e->first);
    if (!e->slots || !e->processes || !e->fates || !e->attempts || !e->first)
        return hone_no_memory(e->err, "for %zu runs", runs);
    for (size_t d = 0, at = 0; d < e->campaign->def->device_count; d++) {
        const size_t ids = e->campaign->def->devices[d].id_count;
        for (size_t i = slots_of(e, d); i-- > 0; at++)
            e->slots[at] = (struct slot){.device = d, .id = i % ids};
    }
    for (size_t i = 0; i < runs; i++)
        if (!e->options->chosen[i]) e->fates[i] = OVER;
    return HONE_OK;
}

// Whether somebody is at what a run waits for, or another engine serves its device.
static bool is_with_others(const struct engine *e, const struct hone_campaign_run *run)
{
    struct hone_run_state state;
    if (!slots_of(e, run->device)) return true;
    if (run->after == HONE_RUN_NONE) return false;
    if (e->fates[run->after] == BUSY) return true;
    return hone_run_state_now(&state, e->campaign, run->after, NULL) == HONE_OK &&
           (state.phase == HONE_RUN_RUNNING || state.phase == HONE_RUN_STALE ||
            state.phase == HONE_RUN_QUEUED);
}

// A run comes after the one that it begins with, so one pass is enough.
static void count_left(struct engine *e)
{
    for (size_t i = 0; i < e->campaign->run_count; i++) {
        if (e->fates[i] == TODO && is_with_others(e, &e->campaign->runs[i]))
            e->fates[i] = BUSY;
        e->result->left += e->fates[i] == BUSY;
        e->result->unfinished += e->fates[i] == TODO;
    }
}

enum hone_status hone_engine_local(struct hone_engine_result *out,
                                   const struct hone_engine_options *options,
                                   struct hone_error *err)
{
    *out = (struct hone_engine_result){0};
    struct engine e = {.options = options,
                       .campaign = options->campaign,
                       .starter =
                           options->starter ? options->starter : &hone_starter_processes,
                       .result = out,
                       .err = err};
    e.status = open_engine(&e);
    if (e.status == HONE_OK) work(&e);
    if (e.fates) count_left(&e);
    out->interrupted = is_cancelled(&e);
    free(e.slots);
    free(e.processes);
    free(e.fates);
    free(e.attempts);
    free(e.first);
    return e.status;
}
