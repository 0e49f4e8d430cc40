// Any bytes between a tuner and its workers: as a stream of frames, and as the contents
// of one frame whose first byte is its type. What is read can be written, and what is
// written reads the same.
#include <string.h>

#include "fuzz.h"
#include "pool_message.h"

static bool write_again(struct hone_strbuf *out, const struct hone_message *message)
{
    struct hone_error err = {0};
    return fuzz_taken(hone_message_write(out, message, &err), &err);
}

static void read_again(const struct hone_strbuf *sent)
{
    struct hone_frame frame;
    struct hone_message message;
    struct hone_error err = {0};
    struct hone_strbuf again = HONE_STRBUF_INIT;
    size_t used = 0;
    fuzz_must(hone_frame_parse(&frame, &used, sent->data, sent->len, &err), &err);
    FUZZ_CHECK(used == sent->len);
    fuzz_must(hone_message_read(&message, &frame, &err), &err);
    FUZZ_CHECK(write_again(&again, &message));
    FUZZ_CHECK(again.len == sent->len && memcmp(again.data, sent->data, sent->len) == 0);
    hone_message_fini(&message);
    hone_strbuf_fini(&again);
}

static void read_frame(const struct hone_frame *frame)
{
    struct hone_message message;
    struct hone_error err = {0};
    struct hone_strbuf sent = HONE_STRBUF_INIT;
    if (!fuzz_taken(hone_message_read(&message, frame, &err), &err)) return;
    if (write_again(&sent, &message)) read_again(&sent);
    hone_message_fini(&message);
    hone_strbuf_fini(&sent);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct hone_error err = {0};
    struct hone_frame frame;
    size_t used = 0;
    for (const uint8_t *at = data; at < data + size; at += used) {
        const size_t left = (size_t)(data + size - at);
        if (!fuzz_taken(hone_frame_parse(&frame, &used, at, left, &err), &err)) break;
        FUZZ_CHECK(used <= left);
        if (!used) break;
        read_frame(&frame);
    }
    if (!size) return 0;
    frame = (struct hone_frame){.type = data[0], .data = data + 1, .size = size - 1};
    read_frame(&frame);
    return 0;
}
