// A worker at work: it takes messages from its line (worker_line.h) in their order, jobs
// through the runner, and says what came out. What comes out of the device's or the
// compiler's libraries on standard output cannot get between the frames.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "evaluate/contest.h"
#include "evaluate/evaluator.h"
#include "evaluate/runner.h"
#include "hone/pool.h"
#include "pool/gpu_lock.h"
#include "worker_line.h"

struct worker {
    const struct hone_worker_options *options;
    struct hone_worker_line line;
    struct hone_device *device;
    struct hone_runner runner;
    int gpu_lock;
    bool lost;            // the device, with all that is on it
    bool reference_wrong; // at the tuned size: what this worker fails for
};

static bool is_lost(const struct worker *w)
{
    return w->runner.lost[0] != '\0';
}

// --- words ---

static void say_log(void *context, enum hone_log_level level, const char *line)
{
    if (level == HONE_LOG_DEBUG) return;
    hone_worker_say(context,
                    &(struct hone_message){.type = HONE_MESSAGE_LOG,
                                           .log = {.level = level, .line = line}});
}

static void say_failed(struct worker *w, enum hone_status status,
                       const struct hone_error *err)
{
    hone_worker_say(&w->line, &(struct hone_message){
                                  .type = HONE_MESSAGE_FAILED,
                                  .failed = {.status = status,
                                             .error = *err,
                                             .reference_wrong = w->reference_wrong}});
}

static void say_hello(struct worker *w)
{
    struct hone_message message = {.type = HONE_MESSAGE_HELLO};
    hone_hello_make(&message.hello, w->device);
    hone_worker_say(&w->line, &message);
}

static void say_trial(struct worker *w, uint64_t id, const struct hone_candidate *job)
{
    struct hone_message message = {.type = HONE_MESSAGE_TRIAL, .id = id};
    message.result.trial = hone_candidate_trial(job);
    message.result.last = is_lost(w);
    hone_worker_say(&w->line, &message);
}

// --- work ---

static enum hone_status set_up(struct worker *w, const struct hone_setup *setup,
                               struct hone_error *err)
{
    if (w->line.builder) return hone_fail(err, HONE_EINPUT, "a second setup");
    enum hone_status status = HONE_OK;
    if (setup->lock)
        status = hone_gpu_lock(&w->gpu_lock, w->device->uuid, setup->wait, NULL, err);
    struct hone_builder *builder = NULL;
    struct hone_builder_options building = w->options->builder;
    building.for_driver = w->device->cuda_version;
    if (status == HONE_OK) status = hone_builder_new(&builder, &building, err);
    if (status == HONE_OK)
        status = hone_runner_init(&w->runner, w->device, builder, setup->plan, err);
    if (status != HONE_OK) {
        hone_builder_free(builder);
        return status;
    }
    hone_worker_build_by(&w->line, builder);
    struct hone_message ready = {.type = HONE_MESSAGE_READY};
    snprintf(ready.ready.nvrtc, sizeof ready.ready.nvrtc, "%s",
             hone_builder_version(builder));
    ready.ready.capacity = (uint32_t)hone_lookahead(
        setup->plan->options.lookahead, hone_builder_threads(builder),
        w->device->clock != HONE_CLOCK_EMULATED);
    memcpy(ready.ready.clock_note, w->device->clock_note, sizeof ready.ready.clock_note);
    hone_worker_say(&w->line, &ready);
    return HONE_OK;
}

// Build the job and either finish it or have it wait in *current for its MEASURE.
static enum hone_status start_job(struct worker *w, struct hone_letter *letter,
                                  struct hone_letter **current, struct hone_error *err)
{
    struct hone_message *message = &letter->message;
    bool launches = false;
    enum hone_status status = hone_runner_take(&w->runner, message->job, &launches, err);
    if (status == HONE_OK && launches) {
        *current = letter;
        hone_worker_say(&w->line, &(struct hone_message){.type = HONE_MESSAGE_BUILT,
                                                         .id = message->id});
        return HONE_OK;
    }
    if (status == HONE_OK) say_trial(w, message->id, message->job);
    hone_worker_discard(&w->line, letter);
    return status;
}

// 0: as before.
static void set_deadline(struct worker *w, double deadline_s)
{
    if (deadline_s > 0) hone_runner_set_deadline(&w->runner, deadline_s);
}

static enum hone_status measure(struct worker *w, const struct hone_message *order,
                                struct hone_letter **current, struct hone_error *err)
{
    struct hone_letter *letter = *current;
    if (!letter || letter->message.id != order->id)
        return hone_fail(err, HONE_EINPUT, "told to measure what is not built");
    set_deadline(w, order->deadline_s);
    enum hone_status status = hone_runner_measure(&w->runner, letter->message.job, err);
    if (status == HONE_OK) say_trial(w, order->id, letter->message.job);
    *current = NULL;
    hone_worker_discard(&w->line, letter);
    return status;
}

static enum hone_status queue_all(struct worker *w, struct hone_candidate *candidates,
                                  size_t count, struct hone_error *err)
{
    enum hone_status status = HONE_OK;
    for (size_t i = 0; status == HONE_OK && i < count; i++)
        status = hone_candidate_queue(&candidates[i], w->line.builder,
                                      w->device->limits.arch, err);
    return status;
}

static enum hone_status contest(struct worker *w, const struct hone_message *order,
                                struct hone_error *err)
{
    const struct hone_contest *terms = &order->contest.terms;
    struct hone_candidate *candidates = order->contest.candidates;
    struct hone_message answer = {.type = HONE_MESSAGE_SAMPLES};
    const size_t count = terms->count * terms->rounds;
    double *costs = calloc(count + 1, sizeof *costs);
    if (!costs) return hone_no_memory(err, "for a contest");
    set_deadline(w, order->contest.deadline_s);
    enum hone_status status = queue_all(w, candidates, terms->count, err);
    if (status == HONE_OK)
        status = hone_runner_contest(&w->runner, candidates, terms, costs, err);
    if (status == HONE_OK) {
        answer.samples.values = costs;
        answer.samples.count = count;
        answer.samples.last = is_lost(w);
        hone_worker_say(&w->line, &answer);
    }
    free(costs);
    return status;
}

static enum hone_status confirm(struct worker *w, struct hone_message *order,
                                struct hone_error *err)
{
    const struct hone_tuned_request request = {.candidates = order->confirm.candidates,
                                               .count = order->confirm.count,
                                               .seconds = order->confirm.seconds,
                                               .no_reference =
                                                   order->confirm.no_reference};
    struct hone_tuned_result result = {0};
    struct hone_message answer = {.type = HONE_MESSAGE_CONFIRMED};
    result.verdicts = calloc(request.count + 1, sizeof *result.verdicts);
    if (!result.verdicts) return hone_no_memory(err, "for %zu results", request.count);
    set_deadline(w, order->confirm.deadline_s);
    enum hone_status status = queue_all(w, request.candidates, request.count, err);
    if (status == HONE_OK)
        status = hone_runner_confirm(&w->runner, &request, &result, err);
    w->reference_wrong = result.reference_wrong;
    if (status == HONE_OK) {
        answer.confirmed.verdicts = result.verdicts;
        answer.confirmed.count = request.count;
        answer.confirmed.undecided = result.undecided;
        answer.confirmed.spent_s = result.spent_s;
        memcpy(answer.confirmed.no_reference, result.no_reference,
               sizeof result.no_reference);
        answer.confirmed.last = is_lost(w);
        hone_worker_say(&w->line, &answer);
    }
    free(result.verdicts);
    return status;
}

static enum hone_status worker_follow_order(struct worker *w, struct hone_message *order,
                                            struct hone_letter **current, bool *stop,
                                            struct hone_error *err)
{
    if (order->type == HONE_MESSAGE_MEASURE) return measure(w, order, current, err);
    if (order->type == HONE_MESSAGE_CONTEST) return contest(w, order, err);
    if (order->type == HONE_MESSAGE_CONFIRM && !*current) return confirm(w, order, err);
    *stop = order->type == HONE_MESSAGE_SHUTDOWN;
    if (*stop) return HONE_OK;
    return hone_fail(err, HONE_EINPUT, "an unexpected message '%s'",
                     hone_message_name(order->type));
}

// Until it is told to stop, is lost, or one of them fails.
static enum hone_status worker_follow_orders(struct worker *w, struct hone_error *err)
{
    enum hone_status status = HONE_OK;
    struct hone_letter *current = NULL, *letter;
    bool stop = false;
    while (status == HONE_OK && !stop && !is_lost(w) &&
           (letter = hone_worker_next(&w->line, !current))) {
        if (letter->message.type == HONE_MESSAGE_JOB) {
            status = start_job(w, letter, &current, err);
            continue;
        }
        status = worker_follow_order(w, &letter->message, &current, &stop, err);
        hone_worker_discard(&w->line, letter);
    }
    if (current) hone_worker_discard(&w->line, current);
    return status;
}

// The first message has to be the setup; it stays, since the runner borrows its plan.
static enum hone_status serve(struct worker *w, struct hone_error *err)
{
    struct hone_letter *first = hone_worker_next(&w->line, false);
    if (!first) return HONE_OK;
    enum hone_status status;
    if (first->message.type == HONE_MESSAGE_SETUP)
        status = set_up(w, &first->message.setup, err);
    else
        status = hone_fail(err, HONE_EINPUT, "no setup came first");
    if (status == HONE_OK) status = worker_follow_orders(w, err);
    w->lost = is_lost(w);
    hone_runner_fini(&w->runner);
    hone_worker_discard(&w->line, first);
    return status;
}

// --- coming and going ---

static enum hone_status worker_run(struct worker *w, struct hone_error *err)
{
    enum hone_status status =
        hone_device_open_by(&w->device, w->options->device, w->options->clock, err);
    if (status != HONE_OK) return status;
    say_hello(w);
    status = hone_worker_listen(&w->line, w->device->limits.arch, err);
    if (status != HONE_OK) return status;
    status = serve(w, err);
    if (status == HONE_OK && w->line.wrong.text[0])
        status = hone_error_pass(err, w->line.wrong.code, &w->line.wrong);
    if (status != HONE_OK) say_failed(w, status, err);
    hone_worker_hang_up(&w->line);
    return status;
}

enum hone_status hone_worker_serve(const struct hone_worker_options *options, bool *lost,
                                   struct hone_error *err)
{
    struct worker w = {.options = options, .gpu_lock = -1};
    hone_worker_line_init(&w.line, options->in, options->out, options->silence_s);
    hone_log_set(say_log, &w.line);
    enum hone_status status = hone_worker_watch_start(&w.line.watch, err);
    if (status != HONE_OK) return status;
    status = worker_run(&w, err);
    hone_worker_watch_stop(&w.line.watch);
    if (!w.device) say_failed(&w, status, err);
    *lost = w.lost;
    if (*lost) return status; // closing a device whose kernel hangs may wait for it
    hone_builder_free(w.line.builder);
    hone_device_close(w.device);
    hone_log_set(NULL, NULL);
    if (w.gpu_lock >= 0) close(w.gpu_lock);
    hone_worker_line_fini(&w.line);
    return status;
}
