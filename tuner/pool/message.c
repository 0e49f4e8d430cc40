#include "pool_message.h"

#include <stdlib.h>
#include <string.h>

#include "hone/version.h"
#include "message_wire.h"

// One more whenever a message is written otherwise than before: two builds of one version
// of hone may differ in it, and would take each other's bytes for what they are not.
#define FORM "4"

const char hone_message_version[] = HONE_VERSION "+" FORM;
_Static_assert(sizeof hone_message_version <= sizeof((struct hone_hello *)0)->version,
               "a hello has room for it");

// --- room ---

void *hone_wire_room(struct hone_wire *wire, size_t *count, size_t size)
{
    void *room = hone_wire_keep(wire, hone_arena_array(wire->arena, *count, size));
    if (!room) *count = 0;
    return room;
}

void *hone_wire_own(struct hone_wire *wire, size_t *count, size_t size)
{
    void *room = hone_wire_keep(wire, calloc(*count + 1, size));
    if (!room) *count = 0;
    return room;
}

// --- what the worker says ---

static void wire_hello(struct hone_wire *wire, struct hone_message *message)
{
    struct hone_hello *hello = &message->hello;
    hone_wire_chars(wire, hello->version, sizeof hello->version);
    // What another version says behind it is of no form that is known here.
    if (wire->reading && strcmp(hello->version, hone_message_version) != 0) {
        wire->at = wire->end;
        return;
    }
    hone_wire_chars(wire, hello->host, sizeof hello->host);
    hone_wire_chars(wire, hello->job, sizeof hello->job);
    hone_wire_u32(wire, &hello->process);
    hone_wire_chars(wire, hello->id, sizeof hello->id);
    hone_wire_chars(wire, hello->uuid, sizeof hello->uuid);
    hone_wire_chars(wire, hello->driver, sizeof hello->driver);
    hello->clock =
        (enum hone_clock)hone_wire_enum(wire, hello->clock, HONE_CLOCK_EMULATED);
    hone_wire_bool(wire, &hello->counts_energy);
    hone_wire_chars(wire, hello->limits.name, sizeof hello->limits.name);
    hone_wire_chars(wire, hello->limits.arch, sizeof hello->limits.arch);
#define WIRE_LIMIT(field) hone_wire_i64(wire, &hello->limits.field);
    HONE_LIMITS_LIST(WIRE_LIMIT)
#undef WIRE_LIMIT
}

static void wire_ready(struct hone_wire *wire, struct hone_message *message)
{
    hone_wire_chars(wire, message->ready.nvrtc, sizeof message->ready.nvrtc);
    hone_wire_u32(wire, &message->ready.capacity);
    hone_wire_chars(wire, message->ready.clock_note, sizeof message->ready.clock_note);
    if (!message->ready.capacity) wire->failed = true;
}

static void wire_log(struct hone_wire *wire, struct hone_message *message)
{
    hone_wire_choice(wire, &message->log.level, 3);
    hone_wire_text(wire, &message->log.line);
    if (!message->log.line) wire->failed = true;
}

static void wire_failed(struct hone_wire *wire, struct hone_message *message)
{
    struct hone_error *error = &message->failed.error;
    const enum hone_status status =
        (enum hone_status)hone_wire_enum(wire, message->failed.status, HONE_ECANCELLED);
    message->failed.status = error->code = status;
    hone_wire_i32(wire, &error->line);
    hone_wire_chars(wire, error->source, sizeof error->source);
    hone_wire_chars(wire, error->text, sizeof error->text);
    hone_wire_bool(wire, &message->failed.reference_wrong);
    if (status == HONE_OK) wire->failed = true;
}

// --- small ones ---

static void wire_id(struct hone_wire *wire, struct hone_message *message)
{
    hone_wire_u64(wire, &message->id);
}

static void wire_measure(struct hone_wire *wire, struct hone_message *message)
{
    hone_wire_u64(wire, &message->id);
    hone_wire_f64(wire, &message->deadline_s);
    if (!(message->deadline_s >= 0)) wire->failed = true;
}

static void wire_whole_job(struct hone_wire *wire, struct hone_message *message)
{
    hone_wire_u64(wire, &message->id);
    if (wire->reading) {
        message->job = hone_wire_keep(wire, calloc(1, sizeof *message->job));
        if (message->job) message->job->trial = hone_trial_make(0, HONE_VALID);
    }
    if (message->job)
        hone_wire_candidate(wire, message->job);
    else
        wire->failed = true;
}

static void wire_contest(struct hone_wire *wire, struct hone_message *message)
{
    struct hone_contest *terms = &message->contest.terms;
    uint32_t rounds = (uint32_t)terms->rounds;
    hone_wire_u32(wire, &rounds);
    terms->rounds = rounds;
    hone_wire_u64(wire, &terms->seed);
    hone_wire_bool(wire, &terms->verify);
    hone_wire_bool(wire, &terms->sustained);
    hone_wire_f64(wire, &message->contest.deadline_s);
    hone_wire_f64(wire, &terms->turn_s);
    wire->failed |= !(message->contest.deadline_s >= 0) || !(terms->turn_s >= 0);
    hone_wire_candidates(wire, &message->contest.candidates, &terms->count);
    // Their samples have to fit into the answer.
    const uint64_t samples = (uint64_t)terms->count * rounds;
    wire->failed |= samples * sizeof(double) > HONE_FRAME_SMALL / 2;
}

static void wire_samples(struct hone_wire *wire, struct hone_message *message)
{
    size_t *count = &message->samples.count;
    hone_wire_bool(wire, &message->samples.last);
    hone_wire_count(wire, count, 8);
    double *values = NULL;
    if (wire->reading)
        message->samples.values = values = hone_wire_room(wire, count, sizeof *values);
    for (size_t i = 0; i < *count; i++) {
        double value = wire->reading ? 0 : message->samples.values[i];
        hone_wire_f64(wire, &value);
        if (wire->reading) values[i] = value;
    }
}

static void wire_nothing(struct hone_wire *wire, struct hone_message *message)
{
    (void)wire, (void)message;
}

static const struct {
    const char *name;
    void (*wire)(struct hone_wire *wire, struct hone_message *message);
    size_t most; // bytes
} kinds[HONE_MESSAGE_TYPES] = {
    [HONE_MESSAGE_HELLO] = {"hello", wire_hello, HONE_FRAME_SMALL},
    [HONE_MESSAGE_SETUP] = {"setup", hone_wire_setup, HONE_FRAME_MAX},
    [HONE_MESSAGE_READY] = {"ready", wire_ready, HONE_FRAME_SMALL},
    [HONE_MESSAGE_JOB] = {"job", wire_whole_job, HONE_FRAME_MAX},
    [HONE_MESSAGE_BUILT] = {"built", wire_id, HONE_FRAME_SMALL},
    [HONE_MESSAGE_MEASURE] = {"measure", wire_measure, HONE_FRAME_SMALL},
    [HONE_MESSAGE_TRIAL] = {"trial", hone_wire_result, HONE_FRAME_SMALL},
    [HONE_MESSAGE_CONTEST] = {"contest", wire_contest, HONE_FRAME_MAX},
    [HONE_MESSAGE_SAMPLES] = {"samples", wire_samples, HONE_FRAME_SMALL},
    [HONE_MESSAGE_CONFIRM] = {"confirm", hone_wire_confirm, HONE_FRAME_MAX},
    [HONE_MESSAGE_CONFIRMED] = {"confirmed", hone_wire_confirmed, HONE_FRAME_SMALL},
    [HONE_MESSAGE_LOG] = {"log", wire_log, HONE_FRAME_SMALL},
    [HONE_MESSAGE_ALIVE] = {"alive", wire_nothing, HONE_FRAME_SMALL},
    [HONE_MESSAGE_FAILED] = {"failed", wire_failed, HONE_FRAME_SMALL},
    [HONE_MESSAGE_SHUTDOWN] = {"shutdown", wire_nothing, HONE_FRAME_SMALL},
};

const char *hone_message_name(enum hone_message_type type)
{
    return kinds[type].name;
}

enum hone_status hone_message_write(struct hone_strbuf *out,
                                    const struct hone_message *message,
                                    struct hone_error *err)
{
    struct hone_strbuf data = HONE_STRBUF_INIT;
    struct hone_message sent = *message; // the functions of both directions take no const
    struct hone_wire wire = {.out = &data};
    kinds[message->type].wire(&wire, &sent);
    const size_t size = data.len;
    const char *name = kinds[message->type].name;
    enum hone_status status = HONE_OK;
    if (data.failed)
        status = hone_no_memory(err, "for a message '%s'", name);
    else if (size > kinds[message->type].most || wire.failed)
        status = hone_fail(err, HONE_ELIMIT, "a message '%s' of %zu bytes, %zu may be",
                           name, size, kinds[message->type].most);
    else
        hone_frame_write(out, (uint8_t)message->type, data.data, size);
    hone_strbuf_fini(&data);
    if (out->failed) status = hone_no_memory(err, "for a message");
    return status;
}

enum hone_status hone_message_read(struct hone_message *out,
                                   const struct hone_frame *frame, struct hone_error *err)
{
    *out = (struct hone_message){0};
    if (!frame->type || frame->type >= HONE_MESSAGE_TYPES)
        return hone_fail(err, HONE_EINPUT, "a message of unknown type %d", frame->type);
    out->type = (enum hone_message_type)frame->type;
    struct hone_wire wire = {.reading = true,
                             .failed = frame->size > kinds[out->type].most,
                             .at = frame->data,
                             .end = frame->data + frame->size,
                             .arena = &out->arena};
    if (!wire.failed) kinds[out->type].wire(&wire, out);
    if (!wire.failed && wire.at == wire.end) return HONE_OK;
    enum hone_status status;
    if (wire.no_memory)
        status = hone_no_memory(err, "for a message '%s'", kinds[out->type].name);
    else
        status = hone_fail(err, HONE_EINPUT, "a message '%s' of %zu bytes that is none",
                           kinds[out->type].name, frame->size);
    hone_message_fini(out);
    return status;
}

static void free_candidates(struct hone_candidate *candidates, size_t count)
{
    for (size_t i = 0; i < count; i++)
        hone_candidate_fini(&candidates[i], NULL);
    free(candidates);
}

// Received jobs own their source text and borrow the rest from the arena.
static void free_jobs(struct hone_message *message)
{
    if (message->type == HONE_MESSAGE_SETUP && message->setup.plan) {
        hone_plan_fini(message->setup.plan);
        free(message->setup.plan);
    }
    if (message->type == HONE_MESSAGE_JOB && message->job) {
        hone_candidate_fini(message->job, NULL);
        free(message->job);
    }
    if (message->type == HONE_MESSAGE_CONTEST)
        free_candidates(message->contest.candidates, message->contest.terms.count);
    if (message->type == HONE_MESSAGE_CONFIRM)
        free_candidates(message->confirm.candidates, message->confirm.count);
}

void hone_message_fini(struct hone_message *message)
{
    free_jobs(message);
    hone_arena_fini(&message->arena);
    *message = (struct hone_message){0};
}
