#include "worker_line.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/c_text.h"
#include "base/clock.h"
#include "base/file.h"

enum { READ_BYTES = 1 << 16, ALIVE_MS = 1000, LEAVE_MS = 1000 };

void hone_worker_line_init(struct hone_worker_line *line, int in, int out,
                           double silence_s)
{
    *line = (struct hone_worker_line){.in = in, .out = out};
    line->jobs.end = &line->jobs.first;
    line->orders.end = &line->orders.first;
    pthread_mutex_init(&line->speaking, NULL);
    pthread_mutex_init(&line->lock, NULL);
    pthread_cond_init(&line->arrived, NULL);
    line->watch.speaking = &line->speaking;
    line->watch.out = out;
    line->watch.silence_s = silence_s > 0 ? silence_s : (double)INFINITY;
    hone_worker_watch_block();
}

void hone_worker_line_fini(struct hone_worker_line *line)
{
    pthread_mutex_destroy(&line->lock);
    pthread_mutex_destroy(&line->speaking);
    pthread_cond_destroy(&line->arrived);
}

void hone_worker_say(struct hone_worker_line *line, const struct hone_message *message)
{
    struct hone_strbuf frame = HONE_STRBUF_INIT;
    struct hone_error why = {0};
    if (hone_message_write(&frame, message, &why) != HONE_OK) {
        fprintf(stderr, "hone worker: %s\n", why.text);
        _exit(1);
    }
    pthread_mutex_lock(&line->speaking);
    if (!hone_fd_write(line->out, frame.data, frame.len)) _exit(1);
    pthread_mutex_unlock(&line->speaking);
    hone_strbuf_fini(&frame);
}

// --- what comes ---

static void end_builds(struct hone_worker_line *line, struct hone_candidate *candidates,
                       size_t count)
{
    for (size_t i = 0; i < count; i++)
        hone_candidate_fini(&candidates[i], line->builder);
}

void hone_worker_discard(struct hone_worker_line *line, struct hone_letter *letter)
{
    struct hone_message *message = &letter->message;
    if (message->type == HONE_MESSAGE_JOB && message->job)
        end_builds(line, message->job, 1);
    if (message->type == HONE_MESSAGE_CONTEST)
        end_builds(line, message->contest.candidates, message->contest.terms.count);
    if (message->type == HONE_MESSAGE_CONFIRM)
        end_builds(line, message->confirm.candidates, message->confirm.count);
    hone_message_fini(message);
    free(letter);
}

void hone_worker_build_by(struct hone_worker_line *line, struct hone_builder *builder)
{
    pthread_mutex_lock(&line->lock);
    line->builder = builder;
    pthread_mutex_unlock(&line->lock);
}

static struct hone_builder *get_builder(struct hone_worker_line *line)
{
    pthread_mutex_lock(&line->lock);
    struct hone_builder *builder = line->builder;
    pthread_mutex_unlock(&line->lock);
    return builder;
}

// Builds begin here, ahead of the jobs' turn.
static enum hone_status use_builder(struct hone_worker_line *line,
                                    struct hone_message *message, struct hone_error *err)
{
    struct hone_builder *builder = get_builder(line);
    if (message->type != HONE_MESSAGE_JOB) return HONE_OK;
    if (!builder) return hone_fail(err, HONE_EINPUT, "a job before the setup");
    return hone_candidate_queue(message->job, builder, line->arch, err);
}

static enum hone_status deliver(struct hone_worker_line *line,
                                const struct hone_frame *frame, struct hone_error *err)
{
    struct hone_letter *letter = calloc(1, sizeof *letter);
    if (!letter) return hone_no_memory(err, "for a message");
    enum hone_status status = hone_message_read(&letter->message, frame, err);
    const bool is_work = status == HONE_OK && letter->message.type != HONE_MESSAGE_ALIVE;
    if (is_work) status = use_builder(line, &letter->message, err);
    if (!is_work || status != HONE_OK) {
        hone_worker_discard(line, letter);
        return status;
    }
    pthread_mutex_lock(&line->lock);
    hone_letters_push(
        letter->message.type == HONE_MESSAGE_JOB ? &line->jobs : &line->orders, letter);
    pthread_cond_signal(&line->arrived);
    pthread_mutex_unlock(&line->lock);
    return HONE_OK;
}

static enum hone_status deliver_all(struct hone_worker_line *line,
                                    struct hone_strbuf *input, struct hone_error *err)
{
    size_t at = 0, used = 0;
    enum hone_status status;
    do {
        struct hone_frame frame;
        status = hone_frame_parse(&frame, &used, input->data + at, input->len - at, err);
        if (status == HONE_OK && used) status = deliver(line, &frame, err);
        at += used;
    } while (status == HONE_OK && used);
    memmove(input->data, input->data + at, input->len - at);
    input->len -= at;
    return status;
}

static void end_input(struct hone_worker_line *line, const struct hone_error *why)
{
    pthread_mutex_lock(&line->lock);
    line->ended = true;
    line->wrong = *why;
    pthread_cond_signal(&line->arrived);
    pthread_mutex_unlock(&line->lock);
    // A main thread that is in a kernel does not see this: nobody wants its result.
    const struct timespec nap = {.tv_nsec = 1000000};
    for (int ms = 0; ms < LEAVE_MS && !atomic_load(&line->finished); ms++)
        nanosleep(&nap, NULL);
    if (!atomic_load(&line->finished)) _exit(1);
}

static void *listen_to_tuner(void *context)
{
    struct hone_worker_line *line = context;
    struct hone_strbuf input = HONE_STRBUF_INIT;
    struct hone_error err = {0};
    struct pollfd wanted[] = {{.fd = line->in, .events = POLLIN},
                              {.fd = line->wake[0], .events = POLLIN}};
    double spoke = hone_clock_seconds();
    char bytes[READ_BYTES];
    while (!wanted[1].revents) {
        int found = poll(wanted, 2, ALIVE_MS);
        if (hone_clock_seconds() - spoke >= ALIVE_MS / 1e3) {
            hone_worker_say(line, &(struct hone_message){.type = HONE_MESSAGE_ALIVE});
            spoke = hone_clock_seconds();
        }
        if (found <= 0 || !wanted[0].revents) continue;
        ssize_t n = read(line->in, bytes, sizeof bytes);
        if (n < 0 && errno == EINTR) continue;
        if (n > 0) {
            hone_worker_watch_heard(&line->watch);
            hone_strbuf_add_bytes(&input, bytes, (size_t)n);
        }
        if (n <= 0 || deliver_all(line, &input, &err) != HONE_OK) {
            end_input(line, &err);
            break;
        }
    }
    hone_strbuf_fini(&input);
    return NULL;
}

struct hone_letter *hone_worker_next(struct hone_worker_line *line, bool want_job)
{
    struct hone_letter *letter = NULL;
    pthread_mutex_lock(&line->lock);
    for (;;) {
        letter = hone_letters_pop(&line->orders);
        if (!letter && want_job && !line->ended) letter = hone_letters_pop(&line->jobs);
        if (letter || line->ended) break;
        pthread_cond_wait(&line->arrived, &line->lock);
    }
    pthread_mutex_unlock(&line->lock);
    return letter;
}

enum hone_status hone_worker_listen(struct hone_worker_line *line, const char *arch,
                                    struct hone_error *err)
{
    line->arch = arch;
    if (pipe(line->wake) != 0)
        return hone_fail(err, HONE_EIO, "no pipe for the worker: %s",
                         hone_errno_text(errno));
    hone_worker_watch_heard(&line->watch); // from now on it has to
    int failed = pthread_create(&line->listener, NULL, listen_to_tuner, line);
    if (!failed) return HONE_OK;
    close(line->wake[0]);
    close(line->wake[1]);
    return hone_fail(err, HONE_ELIMIT, "cannot start a thread: %s",
                     hone_errno_text(failed));
}

void hone_worker_hang_up(struct hone_worker_line *line)
{
    atomic_store(&line->finished, true);
    if (write(line->wake[1], "", 1) == 1) pthread_join(line->listener, NULL);
    close(line->wake[0]);
    close(line->wake[1]);
    for (struct hone_letter *letter; (letter = hone_letters_pop(&line->jobs)) ||
                                     (letter = hone_letters_pop(&line->orders));)
        hone_worker_discard(line, letter);
}
