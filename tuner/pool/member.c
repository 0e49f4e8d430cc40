#include "member.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"

// A job is small beside the socket's buffer, and a worker always reads: this is only for
// one that hangs.
static const double send_seconds = 30;

// What a login shell, a batch system or a container may print ahead of the first frame.
enum { GREETING_MOST = 64 << 10 };

// The words of a command, in one block with their list.
static char **copy_words(const char *const *argv)
{
    size_t count = 0, bytes = 0;
    for (; argv[count]; count++)
        bytes += strlen(argv[count]) + 1;
    char **copy = malloc((count + 1) * sizeof *copy + bytes);
    if (!copy) return NULL;
    char *text = (char *)(copy + count + 1);
    for (size_t i = 0; i < count; i++) {
        copy[i] = strcpy(text, argv[i]);
        text += strlen(argv[i]) + 1;
    }
    copy[count] = NULL;
    return copy;
}

static void member_describe(struct hone_member *member,
                            const struct hone_worker_command *command)
{
    size_t used = 0;
    if (command->name) snprintf(member->name, sizeof member->name, "%s", command->name);
    for (size_t i = 0; !command->name && command->argv[i] && used < sizeof member->name;
         i++) {
        int n = snprintf(member->name + used, sizeof member->name - used, "%s%s",
                         i ? " " : "", command->argv[i]);
        used += (size_t)n;
    }
}

enum hone_status hone_member_init(struct hone_member *member,
                                  const struct hone_worker_command *command,
                                  struct hone_error *err)
{
    *member = (struct hone_member){.local = command->local,
                                   .deadline = INFINITY,
                                   .gpu_lock = -1,
                                   .place = &hone_nowhere};
    member_describe(member, command);
    member->argv = copy_words(command->argv);
    if (member->argv) return HONE_OK;
    return hone_no_memory(err, "for worker '%s'", member->name);
}

void hone_member_fini(struct hone_member *member)
{
    hone_subprocess_free(member->program);
    if (member->gpu_lock >= 0) close(member->gpu_lock);
    free(member->argv);
    *member = (struct hone_member){.gpu_lock = -1};
}

enum hone_status hone_member_start(struct hone_member *member, struct hone_error *err)
{
    member->failure = (struct hone_error){0};
    member->last_line[0] = '\0';
    member->stirred = member->spoke = member->innocent = false;
    member->greeting_bytes = 0;
    const char *const *argv; // the words are only read
    memcpy(&argv, &member->argv, sizeof argv);
    struct hone_subprocess *program = NULL;
    enum hone_status status = hone_subprocess_start(&program, argv, err);
    pthread_mutex_lock(member->writing);
    member->program = program;
    member->listens = false;
    pthread_mutex_unlock(member->writing);
    return status;
}

void hone_member_enter(struct hone_member *member, enum hone_member_phase phase,
                       double allowed_s)
{
    const double now = hone_clock_seconds();
    member->phase = phase;
    member->entered = now;
    member->allowed_s = allowed_s;
    member->deadline = now + allowed_s;
    if (phase == HONE_MEMBER_STARTING) member->heard = now;
}

enum hone_status hone_member_send_bytes(struct hone_member *member, const void *data,
                                        size_t size, struct hone_error *err)
{
    pthread_mutex_lock(member->writing);
    enum hone_status status = hone_subprocess_write(
        member->program, data, size, hone_clock_seconds() + send_seconds, err);
    if (status != HONE_OK) member->listens = false;
    pthread_mutex_unlock(member->writing);
    return status;
}

enum hone_status hone_member_send(struct hone_member *member,
                                  const struct hone_message *message,
                                  struct hone_error *err)
{
    struct hone_strbuf frame = HONE_STRBUF_INIT;
    enum hone_status status = hone_message_write(&frame, message, err);
    if (status == HONE_OK)
        status = hone_member_send_bytes(member, frame.data, frame.len, err);
    hone_strbuf_fini(&frame);
    return status;
}

static void keep_line(struct hone_member *member, const struct hone_message *message)
{
    const char *line = message->log.line;
    snprintf(member->last_line, sizeof member->last_line, "%.*s", HONE_REASON_MAX - 1,
             line);
    // What the first one said of its device need not be said by each that follows it.
    if (member->off_since > 0 && !hone_member_works(member)) return;
    const size_t len = strlen(member->name);
    const bool named = strncmp(line, member->name, len) == 0;
    hone_log((enum hone_log_level)message->log.level, "%s%s%s", named ? "" : member->name,
             named ? "" : ": ", line);
}

static size_t greeting_kept(const struct hone_member *member)
{
    return member->greeting_bytes < sizeof member->greeting ? member->greeting_bytes
                                                            : sizeof member->greeting;
}

static enum hone_status pass_greeting(struct hone_member *member, struct hone_error *err)
{
    const char *data;
    const size_t size = hone_subprocess_peek(member->program, &data);
    const size_t greeting = hone_frame_search(data, size);
    const size_t kept = greeting_kept(member);
    for (size_t i = 0; i < greeting && kept + i < sizeof member->greeting; i++)
        member->greeting[kept + i] = data[i];
    member->greeting_bytes += greeting;
    hone_subprocess_skip(member->program, greeting);
    const bool ended = member->greeting_bytes &&
                       hone_subprocess_is_closed(member->program) &&
                       size - greeting < HONE_FRAME_HEAD &&
                       !hone_subprocess_lacks_memory(member->program);
    if (!ended && member->greeting_bytes <= GREETING_MOST) return HONE_OK;
    return hone_frame_fail(member->greeting, greeting_kept(member), err);
}

static void begin_to_listen(struct hone_member *member)
{
    member->spoke = true;
    pthread_mutex_lock(member->writing);
    member->listens = true;
    pthread_mutex_unlock(member->writing);
}

static enum hone_status parse(struct hone_member *member, struct hone_message *message,
                              bool *got, struct hone_error *err)
{
    struct hone_frame frame;
    const char *data;
    size_t used = 0;
    *got = false;
    enum hone_status status = member->spoke ? HONE_OK : pass_greeting(member, err);
    if (status != HONE_OK) return status;
    const size_t size = hone_subprocess_peek(member->program, &data);
    status = hone_frame_parse(&frame, &used, data, size, err);
    *got = status == HONE_OK && used;
    if (!*got) return status;
    if (!member->spoke) begin_to_listen(member);
    member->heard = hone_clock_seconds();
    status = hone_message_read(message, &frame, err);
    hone_subprocess_skip(member->program, used);
    return status;
}

enum hone_status hone_member_receive(struct hone_member *member,
                                     struct hone_message *message, bool *got,
                                     struct hone_error *err)
{
    for (;;) {
        enum hone_status status = parse(member, message, got, err);
        if (status != HONE_OK) return status;
        if (!*got && hone_subprocess_lacks_memory(member->program))
            return hone_no_memory(err, "for what a worker says");
        if (!*got && hone_subprocess_is_closed(member->program))
            return hone_fail(err, HONE_EIO, "worker '%s' closed its output",
                             member->name);
        if (!*got) return HONE_OK;
        if (message->type == HONE_MESSAGE_LOG)
            keep_line(member, message);
        else if (message->type != HONE_MESSAGE_ALIVE)
            return HONE_OK;
        hone_message_fini(message);
    }
}

struct hone_subprocess *hone_member_take(struct hone_member *member)
{
    pthread_mutex_lock(member->writing);
    struct hone_subprocess *program = member->program;
    member->program = NULL;
    member->listens = false;
    pthread_mutex_unlock(member->writing);
    member->off_since = hone_clock_seconds();
    hone_member_enter(member, HONE_MEMBER_OFF, INFINITY);
    return program;
}

void hone_member_describe_end(const struct hone_member *member,
                              const struct hone_exit *ended, char *how, size_t size)
{
    char text[80] = "closed its output, but goes on";
    const char *words =
        member->failure.text[0] ? member->failure.text : member->last_line;
    if (ended) hone_exit_text(text, sizeof text, *ended);
    snprintf(how, size, "%s%s%s", text, *words ? ": " : "", words);
}

bool hone_member_is_queued(const struct hone_member *member)
{
    return !member->local && member->program && !member->stirred;
}

bool hone_member_works(const struct hone_member *member)
{
    return member->phase == HONE_MEMBER_IDLE || member->phase == HONE_MEMBER_BUILDING ||
           member->phase == HONE_MEMBER_MEASURING || member->phase == HONE_MEMBER_CONTEST;
}
