// Any file as a journal that is being written: followed in two pieces, as a torn write
// leaves them, it says what it says when it is there at once.
#include <math.h>
#include <string.h>

#include "fuzz.h"
#include "record/following.h"

static void check_part(const struct hone_following_part *part)
{
    size_t outcomes = 0;
    for (size_t i = 0; i < HONE_OUTCOME_COUNT; i++) {
        FUZZ_CHECK(part->outcomes[i] <= part->done);
        outcomes += part->outcomes[i];
    }
    FUZZ_CHECK(outcomes == part->done);
    FUZZ_CHECK(!part->best == !part->choices);
    for (size_t i = 0; i < part->step_count; i++) {
        FUZZ_CHECK(isfinite(part->steps[i].cost) && part->steps[i].trial <= part->done);
        FUZZ_CHECK(i == 0 || part->steps[i].cost < part->steps[i - 1].cost);
    }
}

static bool look(struct hone_following *following)
{
    struct hone_error err = {0};
    enum hone_following_state state;
    size_t number;
    const bool taken = fuzz_taken(hone_following_look(following, &state, &err), &err);
    const struct hone_following_part *part = hone_following_part(following, &number);
    FUZZ_CHECK(!part == !hone_following_info(following));
    if (part) check_part(part);
    FUZZ_CHECK(!taken || state == HONE_FOLLOWING_ENDED);
    return taken;
}

static struct hone_following *open_file(const char *path)
{
    struct hone_following *following = NULL;
    struct hone_error err = {0};
    fuzz_must(hone_following_open(&following, path, &err), &err);
    return following;
}

static void append(const char *path, const uint8_t *data, size_t size)
{
    FILE *file = fopen(path, "a");
    FUZZ_CHECK(file && fwrite(data, 1, size, file) == size && fclose(file) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t one, two;
    const char *path = fuzz_file("followed.jsonl", data, size / 2);
    struct hone_following *pieces = open_file(path);
    bool taken = look(pieces);
    append(path, data + size / 2, size - size / 2);
    taken = taken && look(pieces);
    struct hone_following *whole = open_file(path);
    FUZZ_CHECK(look(whole) == taken);
    const struct hone_following_part *a = hone_following_part(pieces, &one);
    const struct hone_following_part *b = hone_following_part(whole, &two);
    if (taken) {
        FUZZ_CHECK(hone_following_done(pieces) == hone_following_done(whole));
        FUZZ_CHECK(one == two && !a == !b);
        FUZZ_CHECK(!a || (a->done == b->done && a->step_count == b->step_count &&
                          a->refuted == b->refuted && a->finals == b->finals));
    }
    hone_following_close(whole);
    hone_following_close(pieces);
    return 0;
}
