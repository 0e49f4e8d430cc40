// The random order in which a search falls back, and its history of what was asked.
#include "history.h"
#include "search_fixture.h"
#include "shuffle.h"

static void shuffle_is_a_permutation_for_every_count(void **state)
{
    (void)state;
    bool seen[300];
    for (uint64_t count = 1; count <= 300; count++) {
        struct hone_shuffle shuffle;
        hone_shuffle_init(&shuffle, count, count * 7);
        memset(seen, 0, sizeof seen);
        for (uint64_t i = 0; i < count; i++) {
            uint64_t x = hone_shuffle_at(&shuffle, i);
            assert_true(x < count);
            assert_false(seen[x]);
            seen[x] = true;
        }
    }
}

static void shuffle_reaches_into_the_largest_spaces(void **state)
{
    (void)state;
    const uint64_t count = UINT64_MAX - 5;
    struct hone_shuffle shuffle;
    hone_shuffle_init(&shuffle, count, 1);
    uint64_t high = 0;
    for (uint64_t i = 0; i < 1000; i++) {
        uint64_t x = hone_shuffle_at(&shuffle, i);
        assert_true(x < count);
        high += x > count / 2;
    }
    assert_in_range(high, 430, 570);
}

static void shuffle_is_fair(void **state)
{
    (void)state;
    enum { COUNT = 7, SEEDS = 42000 };
    unsigned pairs[COUNT][COUNT] = {{0}}; // of the first two elements
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct hone_shuffle shuffle;
        hone_shuffle_init(&shuffle, COUNT, seed);
        pairs[hone_shuffle_at(&shuffle, 0)][hone_shuffle_at(&shuffle, 1)]++;
    }
    for (int i = 0; i < COUNT; i++) // 1000 expected, standard deviation 32
        for (int j = 0; j < COUNT; j++)
            assert_in_range(pairs[i][j], i == j ? 0 : 840, i == j ? 0 : 1160);
}

static void history_agrees_with_a_plain_array(void **state)
{
    (void)state;
    enum { RANGE = 5000 };
    static enum hone_known known[RANGE];
    struct hone_history history = {0};
    struct hone_error err = {0};
    struct hone_rng rng;
    hone_rng_seed(&rng, 3);
    assert_null(hone_history_find(&history, 0));
    for (int i = 0; i < 20000; i++) {
        uint64_t key = hone_rng_below(&rng, RANGE);
        enum hone_known value = (enum hone_known)(1 + hone_rng_below(&rng, 3));
        assert_ok(hone_history_reserve(&history, 1, &err), err);
        hone_history_set(&history, key << 40, value, (double)key);
        known[key] = value;
    }
    size_t count = 0;
    for (uint64_t key = 0; key < RANGE; key++) {
        const struct hone_history_entry *entry = hone_history_find(&history, key << 40);
        assert_int_equal(entry ? entry->known : HONE_KNOWN_NOT, known[key]);
        count += known[key] != HONE_KNOWN_NOT;
    }
    assert_int_equal(history.count, count);
    hone_history_fini(&history);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(shuffle_is_a_permutation_for_every_count),
    cmocka_unit_test(shuffle_reaches_into_the_largest_spaces),
    cmocka_unit_test(shuffle_is_fair),
    cmocka_unit_test(history_agrees_with_a_plain_array),
};
HONE_TEST_MAIN(tests)
