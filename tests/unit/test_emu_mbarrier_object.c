// mbarrier objects: the counts of a phase against an account of all that happened to it.
#include <stdlib.h>

#include "device/emu.h"
#include "emu/async/mbarrier.h"
#include "hone_test.h"

// What PTX says of an object, in words of its own: sums over the whole life.
struct account {
    int64_t arrivals_due; // of the phase, after drops before it
    int64_t next_due;     // of the phases after it
    int64_t arrived, expected_bytes, landed;
    uint64_t phase;
};

static bool ends(struct account *account)
{
    if (account->arrived != account->arrivals_due ||
        account->expected_bytes != account->landed)
        return false;
    account->phase++;
    account->arrivals_due = account->next_due;
    account->arrived = 0;
    return true;
}

static uint64_t next_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 33;
}

static void check_word(uint64_t word, const struct account *account)
{
    const struct hone_emu_mbarrier object = hone_emu_mbarrier_read(word);
    bool passed;
    assert_true(object.lives);
    assert_int_equal(object.pending, account->arrivals_due - account->arrived);
    assert_int_equal(object.expected, account->next_due);
    assert_int_equal(object.bytes, account->expected_bytes - account->landed);
    assert_int_equal(object.phase, account->phase % 4);
    for (uint32_t parity = 0; parity < 2; parity++) {
        assert_int_equal(hone_emu_mbarrier_passed_parity(word, parity, &passed),
                         HONE_EMU_MBARRIER_FINE);
        assert_int_equal(passed, account->phase % 2 != parity);
    }
}

// A random operation that PTX allows, on both.
static void step_both(uint64_t *word, struct account *account, uint64_t *random)
{
    const int64_t left = account->arrivals_due - account->arrived;
    const uint64_t kind = next_random(random) % 5;
    const uint32_t count = 1 + (uint32_t)(next_random(random) % 3);
    const int64_t bytes = (int64_t)(next_random(random) % 4) * 16;
    struct hone_emu_mbarrier_step step = {.completes = true};
    bool ended;
    if (kind == 0) { // expect_tx
        step.bytes = bytes;
        account->expected_bytes += bytes;
    } else if (kind == 1) { // complete_tx
        step.bytes = -bytes;
        step.tests = true;
        account->landed += bytes;
    } else if (count > left) { // nobody may arrive: bytes land until the phase ends
        step.bytes = account->landed - account->expected_bytes;
        step.tests = true;
        account->landed = account->expected_bytes;
    } else { // arrive, arrive_drop, arrive.expect_tx
        step.arrivals = count;
        step.drops = kind == 2 && account->next_due > (int64_t)count;
        step.bytes = kind == 3 ? bytes : 0;
        step.tests = true;
        account->arrived += count;
        if (step.drops) account->next_due -= count;
        account->expected_bytes += step.bytes;
    }
    const bool over = step.tests && ends(account);
    assert_int_equal(hone_emu_mbarrier_do(word, &step, &ended), HONE_EMU_MBARRIER_FINE);
    assert_int_equal(ended, over);
    check_word(*word, account);
}

static void an_object_agrees_with_the_account_of_its_life(void **state)
{
    (void)state;
    uint64_t random = 7;
    for (int life = 0; life < 200; life++) {
        const uint32_t count = 1 + (uint32_t)(next_random(&random) % 40);
        struct account account = {.arrivals_due = count, .next_due = count};
        uint64_t word = 0;
        assert_int_equal(hone_emu_mbarrier_init(&word, count), HONE_EMU_MBARRIER_FINE);
        check_word(word, &account);
        for (int k = 0; k < 500; k++)
            step_both(&word, &account, &random);
    }
}

static void what_an_object_cannot_count_changes_nothing(void **state)
{
    (void)state;
    const struct {
        struct hone_emu_mbarrier_step step;
        enum hone_emu_mbarrier_misuse misuse;
    } cases[] = {
        {{.arrivals = 3, .tests = true, .completes = true}, HONE_EMU_MBARRIER_TOO_MANY},
        {{.arrivals = 2, .tests = true}, HONE_EMU_MBARRIER_COMPLETED},
        {{.bytes = 1 << 20}, HONE_EMU_MBARRIER_BYTES},
        {{.bytes = -(1 << 20)}, HONE_EMU_MBARRIER_BYTES},
        {{.more = HONE_EMU_MBARRIER_MOST}, HONE_EMU_MBARRIER_COUNT},
    };
    uint64_t word = 0, dead = 0;
    bool ended;
    assert_int_equal(hone_emu_mbarrier_init(&word, 0), HONE_EMU_MBARRIER_COUNT);
    assert_int_equal(hone_emu_mbarrier_init(&word, 1 << 20), HONE_EMU_MBARRIER_COUNT);
    assert_int_equal(hone_emu_mbarrier_init(&word, 2), HONE_EMU_MBARRIER_FINE);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const uint64_t before = word;
        assert_int_equal(hone_emu_mbarrier_do(&word, &cases[k].step, &ended),
                         cases[k].misuse);
        assert_int_equal(word, before);
        assert_int_equal(hone_emu_mbarrier_do(&dead, &cases[k].step, &ended),
                         HONE_EMU_MBARRIER_DEAD);
    }
}

static void a_state_is_good_for_its_phase_and_the_next(void **state)
{
    (void)state;
    const struct hone_emu_mbarrier_step arrive = {
        .arrivals = 1, .tests = true, .completes = true};
    uint64_t word = 0;
    bool passed, ended;
    assert_int_equal(hone_emu_mbarrier_init(&word, 1), HONE_EMU_MBARRIER_FINE);
    const uint64_t first = word;
    assert_int_equal(hone_emu_mbarrier_passed(word, first, &passed),
                     HONE_EMU_MBARRIER_FINE);
    assert_false(passed);
    hone_emu_mbarrier_do(&word, &arrive, &ended);
    assert_int_equal(hone_emu_mbarrier_passed(word, first, &passed),
                     HONE_EMU_MBARRIER_FINE);
    assert_true(passed);
    hone_emu_mbarrier_do(&word, &arrive, &ended);
    assert_int_equal(hone_emu_mbarrier_passed(word, first, &passed),
                     HONE_EMU_MBARRIER_LATE);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(an_object_agrees_with_the_account_of_its_life),
    cmocka_unit_test(what_an_object_cannot_count_changes_nothing),
    cmocka_unit_test(a_state_is_good_for_its_phase_and_the_next),
};
HONE_TEST_MAIN(tests)
