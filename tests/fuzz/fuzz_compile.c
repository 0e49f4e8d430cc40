// Any bytes between a tuner and a compile helper: the first one is the type, the rest the
// contents of its frame. What is read can be written, and reads the same.
#include <string.h>

#include "compile_message.h"
#include "fuzz.h"

struct message {
    uint8_t type;
    struct hone_compile_open open;
    struct hone_compile_ready ready;
    struct hone_build_request request;
    struct hone_compile_answer answer;
};

static void pass(struct hone_wire *wire, struct message *message)
{
    if (message->type == HONE_COMPILE_OPEN) hone_wire_compile_open(wire, &message->open);
    if (message->type == HONE_COMPILE_READY)
        hone_wire_compile_ready(wire, &message->ready);
    if (message->type == HONE_COMPILE_REQUEST)
        hone_wire_compile_request(wire, &message->request);
    if (message->type == HONE_COMPILE_ANSWER)
        hone_wire_compile_answer(wire, &message->answer);
}

// False: refused. message is to be released anyhow.
static bool read_message(struct message *message, struct hone_arena *arena,
                         const void *data, size_t size)
{
    const unsigned char *bytes = data;
    struct hone_wire wire = {
        .reading = true, .at = bytes, .end = bytes + size, .arena = arena};
    pass(&wire, message);
    FUZZ_CHECK(!wire.no_memory && wire.at <= wire.end);
    return !wire.failed;
}

static void write_message(struct hone_strbuf *out, struct message *message,
                          struct hone_arena *arena)
{
    struct hone_wire wire = {.out = out, .arena = arena};
    pass(&wire, message);
    FUZZ_CHECK(!wire.failed && !out->failed);
}

static void check_twice(struct message *message, struct hone_arena *arena)
{
    struct hone_strbuf sent = HONE_STRBUF_INIT, again = HONE_STRBUF_INIT;
    struct message copy = {.type = message->type};
    write_message(&sent, message, arena);
    FUZZ_CHECK(read_message(&copy, arena, sent.data, sent.len));
    write_message(&again, &copy, arena);
    FUZZ_CHECK(again.len == sent.len && memcmp(again.data, sent.data, sent.len) == 0);
    hone_output_fini(&copy.answer.output);
    hone_strbuf_fini(&sent);
    hone_strbuf_fini(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct hone_arena arena = {0};
    if (!size || data[0] < HONE_COMPILE_OPEN || data[0] > HONE_COMPILE_ANSWER) return 0;
    struct message message = {.type = data[0]};
    if (read_message(&message, &arena, data + 1, size - 1)) check_twice(&message, &arena);
    hone_output_fini(&message.answer.output);
    hone_arena_fini(&arena);
    return 0;
}
