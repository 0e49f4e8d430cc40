// The worker's side of the protocol. One thread listens: it queues builds the moment a
// job comes, says once a second that the process lives, and ends it when its input ends
// (worker_watch.h: when the tuner is silent). The other takes jobs in their order through
// the runner. What comes out of the device's or the compiler's libraries on standard
// output cannot get between the frames.
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/c_text.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/log.h"
#include "evaluate/contest.h"
#include "evaluate/evaluator.h"
#include "evaluate/runner.h"
#include "hone/pool.h"
#include "letters.h"
#include "pool/gpu_lock.h"
#include "pool_message.h"
#include "worker_watch.h"

enum { READ_BYTES = 1 << 16, ALIVE_MS = 1000, LEAVE_MS = 1000 };

struct worker {
    const struct hone_worker_options *options;
    struct hone_device *device;
    struct hone_runner runner;
    int gpu_lock;
    bool lost;            // the device, with all that is on it
    bool reference_wrong; // at the tuned size: what this worker fails for

    pthread_mutex_t speaking; // one frame at a time
    struct hone_worker_watch watch;
    pthread_t listener;
    int wake[2];          // written to end the listener
    atomic_bool finished; // the main thread is done

    pthread_mutex_t lock; // guards what follows
    pthread_cond_t arrived;
    struct hone_builder *builder; // NULL until the setup; set once
    struct hone_letters jobs, orders;
    bool ended;              // nothing more will come
    struct hone_error wrong; // what came was no message
};

// --- speaking ---

// Without a tuner that listens there is nothing left to do, in whatever state this is.
static void say(struct worker *w, const struct hone_message *message)
{
    struct hone_strbuf frame = HONE_STRBUF_INIT;
    struct hone_error why = {0};
    if (hone_message_write(&frame, message, &why) != HONE_OK) {
        fprintf(stderr, "hone worker: %s\n", why.text);
        _exit(1);
    }
    pthread_mutex_lock(&w->speaking);
    if (!hone_fd_write(w->options->out, frame.data, frame.len)) _exit(1);
    pthread_mutex_unlock(&w->speaking);
    hone_strbuf_fini(&frame);
}

static void say_log(void *context, enum hone_log_level level, const char *line)
{
    if (level == HONE_LOG_DEBUG) return;
    say(context, &(struct hone_message){.type = HONE_MESSAGE_LOG,
                                        .log = {.level = level, .line = line}});
}

static void say_failed(struct worker *w, enum hone_status status,
                       const struct hone_error *err)
{
    say(w, &(struct hone_message){.type = HONE_MESSAGE_FAILED,
                                  .failed = {.status = status,
                                             .error = *err,
                                             .reference_wrong = w->reference_wrong}});
}

static void say_hello(struct worker *w)
{
    struct hone_message message = {.type = HONE_MESSAGE_HELLO};
    hone_hello_make(&message.hello, w->device);
    say(w, &message);
}

static void say_trial(struct worker *w, uint64_t id, const struct hone_candidate *job)
{
    struct hone_message message = {.type = HONE_MESSAGE_TRIAL, .id = id};
    message.result.trial = hone_candidate_trial(job);
    message.result.last = w->runner.lost[0] != '\0';
    say(w, &message);
}

// --- listening ---

static void end_builds(struct worker *w, struct hone_candidate *candidates, size_t count)
{
    for (size_t i = 0; i < count; i++)
        hone_candidate_fini(&candidates[i], w->builder);
}

// Whoever queued builds ends them, also those that nobody took.
static void discard(struct worker *w, struct hone_letter *letter)
{
    struct hone_message *message = &letter->message;
    if (message->type == HONE_MESSAGE_JOB && message->job) end_builds(w, message->job, 1);
    if (message->type == HONE_MESSAGE_CONTEST)
        end_builds(w, message->contest.candidates, message->contest.count);
    if (message->type == HONE_MESSAGE_CONFIRM)
        end_builds(w, message->confirm.candidates, message->confirm.count);
    hone_message_fini(message);
    free(letter);
}

static struct hone_builder *get_builder(struct worker *w)
{
    pthread_mutex_lock(&w->lock);
    struct hone_builder *builder = w->builder;
    pthread_mutex_unlock(&w->lock);
    return builder;
}

// Builds begin here, ahead of the jobs' turn.
static enum hone_status use_builder(struct worker *w, struct hone_message *message,
                                    struct hone_error *err)
{
    struct hone_builder *builder = get_builder(w);
    if (message->type != HONE_MESSAGE_JOB) return HONE_OK;
    if (!builder) return hone_fail(err, HONE_EINPUT, "a job before the setup");
    return hone_candidate_queue(message->job, builder, w->device->limits.arch, err);
}

static enum hone_status deliver(struct worker *w, const struct hone_frame *frame,
                                struct hone_error *err)
{
    struct hone_letter *letter = calloc(1, sizeof *letter);
    if (!letter) return hone_no_memory(err, "for a message");
    enum hone_status status = hone_message_read(&letter->message, frame, err);
    const bool is_work = status == HONE_OK && letter->message.type != HONE_MESSAGE_ALIVE;
    if (is_work) status = use_builder(w, &letter->message, err);
    if (!is_work || status != HONE_OK) {
        discard(w, letter);
        return status;
    }
    pthread_mutex_lock(&w->lock);
    hone_letters_push(letter->message.type == HONE_MESSAGE_JOB ? &w->jobs : &w->orders,
                      letter);
    pthread_cond_signal(&w->arrived);
    pthread_mutex_unlock(&w->lock);
    return HONE_OK;
}

static enum hone_status deliver_all(struct worker *w, struct hone_strbuf *input,
                                    struct hone_error *err)
{
    size_t at = 0, used = 0;
    enum hone_status status;
    do {
        struct hone_frame frame;
        status = hone_frame_parse(&frame, &used, input->data + at, input->len - at, err);
        if (status == HONE_OK && used) status = deliver(w, &frame, err);
        at += used;
    } while (status == HONE_OK && used);
    memmove(input->data, input->data + at, input->len - at);
    input->len -= at;
    return status;
}

static void end_input(struct worker *w, const struct hone_error *why)
{
    pthread_mutex_lock(&w->lock);
    w->ended = true;
    w->wrong = *why;
    pthread_cond_signal(&w->arrived);
    pthread_mutex_unlock(&w->lock);
    // A main thread that is in a kernel does not see this: nobody wants its result.
    const struct timespec nap = {.tv_nsec = 1000000};
    for (int ms = 0; ms < LEAVE_MS && !atomic_load(&w->finished); ms++)
        nanosleep(&nap, NULL);
    if (!atomic_load(&w->finished)) _exit(1);
}

static void *listen_to_tuner(void *context)
{
    struct worker *w = context;
    struct hone_strbuf input = HONE_STRBUF_INIT;
    struct hone_error err = {0};
    struct pollfd wanted[] = {{.fd = w->options->in, .events = POLLIN},
                              {.fd = w->wake[0], .events = POLLIN}};
    double spoke = hone_clock_seconds();
    char bytes[READ_BYTES];
    while (!wanted[1].revents) {
        int found = poll(wanted, 2, ALIVE_MS);
        if (hone_clock_seconds() - spoke >= ALIVE_MS / 1e3) {
            say(w, &(struct hone_message){.type = HONE_MESSAGE_ALIVE});
            spoke = hone_clock_seconds();
        }
        if (found <= 0 || !wanted[0].revents) continue;
        ssize_t n = read(w->options->in, bytes, sizeof bytes);
        if (n < 0 && errno == EINTR) continue;
        if (n > 0) {
            hone_worker_watch_heard(&w->watch);
            hone_strbuf_add_bytes(&input, bytes, (size_t)n);
        }
        if (n <= 0 || deliver_all(w, &input, &err) != HONE_OK) {
            end_input(w, &err);
            break;
        }
    }
    hone_strbuf_fini(&input);
    return NULL;
}

// The next message for the main thread: an order, or a job when it has none. NULL when
// nothing more comes.
static struct hone_letter *next_letter(struct worker *w, bool want_job)
{
    struct hone_letter *letter = NULL;
    pthread_mutex_lock(&w->lock);
    for (;;) {
        letter = hone_letters_pop(&w->orders);
        if (!letter && want_job && !w->ended) letter = hone_letters_pop(&w->jobs);
        if (letter || w->ended) break;
        pthread_cond_wait(&w->arrived, &w->lock);
    }
    pthread_mutex_unlock(&w->lock);
    return letter;
}

// --- working ---

static enum hone_status set_up(struct worker *w, const struct hone_setup *setup,
                               struct hone_error *err)
{
    if (w->builder) return hone_fail(err, HONE_EINPUT, "a second setup");
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
    pthread_mutex_lock(&w->lock);
    w->builder = builder;
    pthread_mutex_unlock(&w->lock);
    struct hone_message ready = {.type = HONE_MESSAGE_READY};
    snprintf(ready.ready.nvrtc, sizeof ready.ready.nvrtc, "%s",
             hone_builder_version(builder));
    ready.ready.capacity = (uint32_t)hone_lookahead(
        setup->plan->options.lookahead, hone_builder_threads(builder),
        w->device->clock != HONE_CLOCK_EMULATED);
    memcpy(ready.ready.clock_note, w->device->clock_note, sizeof ready.ready.clock_note);
    say(w, &ready);
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
        say(w, &(struct hone_message){.type = HONE_MESSAGE_BUILT, .id = message->id});
        return HONE_OK;
    }
    if (status == HONE_OK) say_trial(w, message->id, message->job);
    discard(w, letter);
    return status;
}

static enum hone_status measure(struct worker *w, const struct hone_message *order,
                                struct hone_letter **current, struct hone_error *err)
{
    struct hone_letter *letter = *current;
    if (!letter || letter->message.id != order->id)
        return hone_fail(err, HONE_EINPUT, "told to measure what is not built");
    if (order->deadline_s > 0) hone_runner_set_deadline(&w->runner, order->deadline_s);
    enum hone_status status = hone_runner_measure(&w->runner, letter->message.job, err);
    if (status == HONE_OK) say_trial(w, order->id, letter->message.job);
    *current = NULL;
    discard(w, letter);
    return status;
}

static enum hone_status contest(struct worker *w, const struct hone_message *order,
                                struct hone_error *err)
{
    const struct hone_contest contest = {.count = order->contest.count,
                                         .rounds = order->contest.rounds,
                                         .seed = order->contest.seed,
                                         .verify = order->contest.verify,
                                         .sustained = order->contest.sustained,
                                         .turn_s = order->contest.turn_s};
    const size_t count = contest.count * contest.rounds;
    double *costs = calloc(count + 1, sizeof *costs);
    if (!costs) return hone_no_memory(err, "for a contest");
    if (order->contest.deadline_s > 0)
        hone_runner_set_deadline(&w->runner, order->contest.deadline_s);
    enum hone_status status = HONE_OK;
    for (size_t i = 0; status == HONE_OK && i < contest.count; i++)
        status = hone_candidate_queue(&order->contest.candidates[i], w->builder,
                                      w->device->limits.arch, err);
    if (status == HONE_OK)
        status = hone_runner_contest(&w->runner, order->contest.candidates, &contest,
                                     costs, err);
    if (status == HONE_OK) {
        struct hone_message message = {.type = HONE_MESSAGE_SAMPLES};
        message.samples.values = costs;
        message.samples.count = count;
        message.samples.last = w->runner.lost[0] != '\0';
        say(w, &message);
    }
    free(costs);
    return status;
}

static enum hone_status confirm(struct worker *w, struct hone_message *order,
                                struct hone_error *err)
{
    const size_t count = order->confirm.count;
    struct hone_message message = {.type = HONE_MESSAGE_CONFIRMED};
    struct hone_tuned_result result = {.verdicts =
                                           calloc(count + 1, sizeof *result.verdicts)};
    const struct hone_tuned_request request = {.candidates = order->confirm.candidates,
                                               .count = count,
                                               .seconds = order->confirm.seconds,
                                               .no_reference =
                                                   order->confirm.no_reference};
    if (!result.verdicts) return hone_no_memory(err, "for %zu results", count);
    if (order->confirm.deadline_s > 0)
        hone_runner_set_deadline(&w->runner, order->confirm.deadline_s);
    enum hone_status status = HONE_OK;
    for (size_t i = 0; status == HONE_OK && i < count; i++)
        status = hone_candidate_queue(&request.candidates[i], w->builder,
                                      w->device->limits.arch, err);
    if (status == HONE_OK)
        status = hone_runner_confirm(&w->runner, &request, &result, err);
    w->reference_wrong = result.reference_wrong;
    if (status == HONE_OK) {
        message.confirmed.verdicts = result.verdicts;
        message.confirmed.count = count;
        message.confirmed.undecided = result.undecided;
        memcpy(message.confirmed.no_reference, result.no_reference,
               sizeof result.no_reference);
        message.confirmed.last = w->runner.lost[0] != '\0';
        say(w, &message);
    }
    free(result.verdicts);
    return status;
}

static enum hone_status follow(struct worker *w, struct hone_message *order,
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

static enum hone_status worker_work(struct worker *w, struct hone_error *err)
{
    enum hone_status status = HONE_OK;
    struct hone_letter *current = NULL, *letter;
    bool stop = false;
    while (status == HONE_OK && !stop && !w->runner.lost[0] &&
           (letter = next_letter(w, !current))) {
        if (letter->message.type == HONE_MESSAGE_JOB) {
            status = start_job(w, letter, &current, err);
            continue;
        }
        status = follow(w, &letter->message, &current, &stop, err);
        discard(w, letter);
    }
    if (current) discard(w, current);
    return status;
}

// The first message has to be the setup; it stays, since the runner borrows its plan.
static enum hone_status serve(struct worker *w, struct hone_error *err)
{
    struct hone_letter *first = next_letter(w, false);
    if (!first) return HONE_OK;
    enum hone_status status;
    if (first->message.type == HONE_MESSAGE_SETUP)
        status = set_up(w, &first->message.setup, err);
    else
        status = hone_fail(err, HONE_EINPUT, "no setup came first");
    if (status == HONE_OK) status = worker_work(w, err);
    w->lost = w->runner.lost[0] != '\0';
    hone_runner_fini(&w->runner);
    discard(w, first);
    return status;
}

// --- coming and going ---

static enum hone_status start_listening(struct worker *w, struct hone_error *err)
{
    if (pipe(w->wake) != 0)
        return hone_fail(err, HONE_EIO, "no pipe for the worker: %s",
                         hone_errno_text(errno));
    hone_worker_watch_heard(&w->watch); // from now on it has to
    int failed = pthread_create(&w->listener, NULL, listen_to_tuner, w);
    if (!failed) return HONE_OK;
    return hone_fail(err, HONE_ELIMIT, "cannot start a thread: %s",
                     hone_errno_text(failed));
}

static void stop_listening(struct worker *w)
{
    atomic_store(&w->finished, true);
    if (write(w->wake[1], "", 1) == 1) pthread_join(w->listener, NULL);
    close(w->wake[0]);
    close(w->wake[1]);
    for (struct hone_letter *letter; (letter = hone_letters_pop(&w->jobs)) ||
                                     (letter = hone_letters_pop(&w->orders));)
        discard(w, letter);
}

static enum hone_status worker_run(struct worker *w, struct hone_error *err)
{
    enum hone_status status =
        hone_device_open_by(&w->device, w->options->device, w->options->clock, err);
    if (status != HONE_OK) return status;
    say_hello(w);
    status = start_listening(w, err);
    if (status != HONE_OK) return status;
    status = serve(w, err);
    if (status == HONE_OK && w->wrong.text[0])
        status = hone_fail(err, w->wrong.code, "%s", w->wrong.text);
    if (status != HONE_OK) say_failed(w, status, err);
    stop_listening(w);
    return status;
}

enum hone_status hone_worker_serve(const struct hone_worker_options *options, bool *lost,
                                   struct hone_error *err)
{
    struct worker w = {.options = options, .gpu_lock = -1};
    w.jobs.end = &w.jobs.first;
    w.orders.end = &w.orders.first;
    pthread_mutex_init(&w.speaking, NULL);
    pthread_mutex_init(&w.lock, NULL);
    pthread_cond_init(&w.arrived, NULL);
    w.watch.speaking = &w.speaking;
    w.watch.out = options->out;
    w.watch.silence_s = options->silence_s > 0 ? options->silence_s : (double)INFINITY;
    hone_worker_watch_block();
    hone_log_set(say_log, &w);
    enum hone_status status = hone_worker_watch_start(&w.watch, err);
    if (status != HONE_OK) return status;
    status = worker_run(&w, err);
    hone_worker_watch_stop(&w.watch);
    if (!w.device) say_failed(&w, status, err);
    *lost = w.lost;
    if (*lost) return status; // closing a device whose kernel hangs may wait for it
    hone_builder_free(w.builder);
    hone_device_close(w.device);
    hone_log_set(NULL, NULL);
    if (w.gpu_lock >= 0) close(w.gpu_lock);
    pthread_mutex_destroy(&w.lock);
    pthread_mutex_destroy(&w.speaking);
    pthread_cond_destroy(&w.arrived);
    return status;
}
