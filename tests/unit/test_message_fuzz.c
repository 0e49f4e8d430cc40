// Messages of any bytes: taken, or refused with words. HONE_FUZZ_FRAMES sets how many
// frames are tried (docs/measurement.md: a million under the sanitizers); 50,000 without
// it.
#include "message_frame.h"

enum { FRAMES = 50000 };

#define SEED HONE_SOURCE_DIR "/tests/fuzz/corpus/message/%02d"

// --- fuzzing ---

static size_t frame_count(void)
{
    const char *wanted = getenv("HONE_FUZZ_FRAMES");
    return wanted ? (size_t)strtoul(wanted, NULL, 10) : FRAMES;
}

static void mutate(struct hone_rng *rng, unsigned char *data, size_t *size, size_t cap)
{
    for (uint64_t n = hone_rng_below(rng, 6); n-- > 0 && *size;) {
        const size_t at = (size_t)hone_rng_below(rng, *size);
        switch (hone_rng_below(rng, 5)) {
        case 0:
            data[at] ^= (unsigned char)(1u << hone_rng_below(rng, 8));
            break;
        case 1:
            data[at] = (unsigned char)hone_rng_next(rng);
            break;
        case 2: // lengths and counts like to be extreme
            memset(data + at, hone_rng_below(rng, 2) ? 0xff : 0,
                   *size - at < 4 ? *size - at : 4);
            break;
        case 3:
            *size = at;
            break;
        default:
            if (*size + 4 > cap) break;
            memmove(data + at + 4, data + at, *size - at);
            *size += 4;
        }
    }
}

// The mutated contents get a right checksum, so that decoding is what is tested.
static void contents_of_any_kind_are_taken_or_refused(void **state)
{
    (void)state;
    struct hone_rng rng;
    hone_rng_seed(&rng, 1);
    struct hone_strbuf seeds[HONE_MESSAGE_TYPES];
    size_t taken = 0, refused = 0;
    static unsigned char data[1 << 14];
    for (int type = 1; type < HONE_MESSAGE_TYPES; type++)
        seeds[type] = write_one((enum hone_message_type)type);
    for (size_t i = 0; i < frame_count(); i++) {
        const struct hone_strbuf *seed = &seeds[1 + i % (HONE_MESSAGE_TYPES - 1)];
        size_t size = seed->len - HONE_FRAME_HEAD - HONE_FRAME_TAIL;
        memcpy(data, seed->data + HONE_FRAME_HEAD, size);
        mutate(&rng, data, &size, sizeof data);
        const bool mixed = hone_rng_below(&rng, 16) == 0; // another type's contents
        const struct hone_frame frame = {mixed ? (uint8_t)hone_rng_below(&rng, 16)
                                               : (uint8_t)seed->data[5],
                                         data, size};
        struct hone_error err = {0};
        struct hone_message message;
        if (hone_message_read(&message, &frame, &err) == HONE_OK) {
            taken++;
            hone_message_fini(&message);
        } else {
            refused++;
            assert_true(err.text[0]);
        }
    }
    assert_true(taken > frame_count() / 20 && refused > frame_count() / 20);
    for (int type = 1; type < HONE_MESSAGE_TYPES; type++)
        hone_strbuf_fini(&seeds[type]);
}

static void streams_of_any_bytes_are_taken_or_refused(void **state)
{
    (void)state;
    struct hone_rng rng;
    hone_rng_seed(&rng, 2);
    struct hone_strbuf sent = write_one(HONE_MESSAGE_READY);
    unsigned char data[128];
    assert_true(sent.len + 8 < sizeof data);
    for (size_t i = 0; i < frame_count(); i++) {
        struct hone_error err = {0};
        struct hone_frame frame;
        size_t used = 0, size = sent.len;
        memcpy(data, sent.data, size);
        mutate(&rng, data, &size, sizeof data);
        enum hone_status status = hone_frame_parse(&frame, &used, data, size, &err);
        assert_true(used <= size);
        if (status != HONE_OK) assert_true(err.text[0] && used == 0);
    }
    hone_strbuf_fini(&sent);
}

static struct hone_strbuf read_seed(int type)
{
    char path[256], *data;
    size_t size;
    struct hone_strbuf seed = HONE_STRBUF_INIT;
    snprintf(path, sizeof path, SEED, type);
    if (hone_file_read(&data, &size, path, NULL) != HONE_OK) return seed;
    hone_strbuf_add_bytes(&seed, data, size);
    free(data);
    return seed;
}

// Whether the seeds were written with the form that messages have now: HELLO says it
// behind its type and a length.
static bool seeds_have_this_form(void)
{
    struct hone_strbuf hello = read_seed(HONE_MESSAGE_HELLO);
    const size_t size = strlen(hone_message_version);
    const bool same = hello.len > 5 + size && hello.data[1] == (char)size &&
                      memcmp(hello.data + 5, hone_message_version, size) == 0;
    hone_strbuf_fini(&hello);
    return same;
}

// The seed of a type becomes what is written now.
static void renew_seed(int type, const char *data, size_t size, bool same_form)
{
    char path[256];
    struct hone_error err = {0};
    const char *name = hone_message_name((enum hone_message_type)type);
    if (same_form)
        fail_msg("a message '%s' is written otherwise than before: raise FORM in "
                 "tuner/pool/message.c, then run this with HONE_UPDATE_GOLDEN=1",
                 name);
    if (!getenv("HONE_UPDATE_GOLDEN"))
        fail_msg("the seed of '%s' is of another form: run this with "
                 "HONE_UPDATE_GOLDEN=1",
                 name);
    snprintf(path, sizeof path, SEED, type);
    assert_ok(hone_file_write(path, data, size, &err), err);
}

// Seeds of the target fuzz_message: the type and the contents of each message. They tell
// as well when the form of messages changes, which then needs another number.
static void the_seeds_of_the_fuzzer_are_messages(void **state)
{
    (void)state;
    const bool same_form = seeds_have_this_form();
    for (int type = 1; type < HONE_MESSAGE_TYPES; type++) {
        struct hone_error err = {0};
        struct hone_message message;
        struct hone_strbuf seed = read_seed(type);
        struct hone_strbuf sent = write_one((enum hone_message_type)type);
        char *now = sent.data + HONE_FRAME_HEAD - 1;
        const size_t size = sent.len - HONE_FRAME_HEAD - HONE_FRAME_TAIL + 1;
        *now = (char)type;
        if (seed.len != size || memcmp(seed.data, now, size) != 0)
            renew_seed(type, now, size, same_form);
        const struct hone_frame frame = {(uint8_t)type, (unsigned char *)now + 1,
                                         size - 1};
        assert_ok(hone_message_read(&message, &frame, &err), err);
        hone_message_fini(&message);
        hone_strbuf_fini(&sent);
        hone_strbuf_fini(&seed);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_seeds_of_the_fuzzer_are_messages),
    cmocka_unit_test(contents_of_any_kind_are_taken_or_refused),
    cmocka_unit_test(streams_of_any_bytes_are_taken_or_refused),
};
HONE_TEST_MAIN(tests)
