// Online tuning against a made-up application: noise, drift, configurations that fail.
#include "hone/online.h"

#include <math.h>
#include <string.h>

#include "hone/rng.h"
#include "hone/space.h"
#include "hone_test.h"
#include "space_def.h"

static struct hone_space *space;

static int set_up(void **state)
{
    struct space_def *def = calloc(1, sizeof *def);
    (void)state;
    space_def_ints(def, "a", "1 2 4 8 16 32 64 128");
    space_def_ints(def, "b", "1 2 4 8 16 32 64 128");
    const enum hone_status status = hone_space_new(&space, space_def_get(def), NULL);
    free(def);
    return status;
}

static int tear_down(void **state)
{
    (void)state;
    hone_space_free(space);
    return 0;
}

// A bowl whose bottom is a = 16, b = 4; 100 us there, up to 4 times as much.
static double true_us(uint64_t index)
{
    uint16_t choices[2];
    hone_space_choices(space, index, choices);
    const double a = choices[0] - 4.0, b = choices[1] - 2.0;
    return 100 * (1 + 0.1 * a * a + 0.07 * b * b);
}

struct application {
    double noise; // relative
    double drift; // of the machine, a call
    bool fails;   // odd choices of b do not work
    struct hone_rng rng;
};

static double work(struct application *app, uint64_t index, uint64_t call)
{
    uint16_t choices[2];
    hone_space_choices(space, index, choices);
    if (app->fails && choices[1] % 2) return (double)NAN;
    const double noise = 2 * hone_rng_double(&app->rng) - 1;
    return true_us(index) * (1 + app->noise * noise) * (1 + app->drift * (double)call);
}

// Up to so many calls, or until it has converged; the number of calls made.
static uint64_t run(struct hone_online *online, struct application *app, uint64_t most)
{
    struct hone_error err = {0};
    for (uint64_t call = 0; call < most; call++) {
        uint64_t index;
        if (hone_online_state(online).converged) return call;
        assert_ok(hone_online_next(online, &index, &err), err);
        assert_ok(hone_online_report(online, index, work(app, index, call), &err), err);
    }
    return most;
}

static struct hone_online *start(const struct hone_online_options *options)
{
    struct hone_error err = {0};
    struct hone_online *online = NULL;
    assert_ok(hone_online_new(&online, space, options, &err), err);
    return online;
}

static void converges_to_the_best_when_everything_is_tried(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        struct application app = {.noise = 0.03};
        hone_rng_seed(&app.rng, seed);
        struct hone_online *online = start(&(struct hone_online_options){.seed = seed});
        assert_true(run(online, &app, 5000) < 5000);
        const struct hone_online_state s = hone_online_state(online);
        assert_true(s.has_best && s.tried == 64);
        assert_true(true_us(s.best) <= 107.1); // the two next to the bottom are 7 % off
        assert_true(fabs(s.best_us / true_us(s.best) - 1) < 0.03);
        hone_online_free(online);
    }
}

static void drift_of_the_machine_does_not_mislead(void **state)
{
    (void)state;
    struct application app = {.noise = 0.01, .drift = 1e-3};
    hone_rng_seed(&app.rng, 5);
    struct hone_online *online = start(&(struct hone_online_options){.seed = 5});
    assert_true(run(online, &app, 5000) < 5000);
    assert_true(true_us(hone_online_state(online).best) <= 107.1);
    hone_online_free(online);
}

// So does a driver that changes: nothing is given up that still works.
static void where_the_best_fails_the_next_best_is_used(void **state)
{
    (void)state;
    struct hone_error err = {0};
    struct application app = {0};
    bool failed[64] = {false};
    struct hone_online *online = start(&(struct hone_online_options){.seed = 3});
    assert_true(run(online, &app, 5000) < 5000);
    for (double last = 0, us = 0;; last = us) {
        uint64_t index;
        const enum hone_status status = hone_online_next(online, &index, &err);
        if (status == HONE_ENOTFOUND) break;
        assert_ok(status, err);
        us = hone_online_state(online).best_us;
        assert_false(failed[index]);
        assert_int_equal(index, hone_online_state(online).best);
        assert_true(us >= last && fabs(us / true_us(index) - 1) < 1e-6);
        failed[index] = true;
        assert_ok(hone_online_report(online, index, (double)NAN, &err), err);
    }
    for (size_t i = 0; i < 64; i++)
        assert_true(failed[i]);
    hone_online_free(online);
}

static void what_fails_late_is_never_used_again(void **state)
{
    (void)state;
    struct hone_error err = {0};
    struct application app = {0};
    uint64_t index;
    struct hone_online *online = start(&(struct hone_online_options){.seed = 4});
    assert_true(run(online, &app, 5000) < 5000);
    const uint64_t best = hone_online_state(online).best;
    for (uint64_t i = 0; i < 64; i++) // all but the best and the last
        if (i != best && i != (best + 1) % 64)
            assert_ok(hone_online_report(online, i, (double)NAN, &err), err);
    assert_int_equal(hone_online_state(online).best, best);
    assert_ok(hone_online_report(online, best, (double)NAN, &err), err);
    assert_ok(hone_online_next(online, &index, &err), err);
    assert_int_equal(index, (best + 1) % 64);
    hone_online_free(online);
}

static void a_failing_configuration_is_used_once_only(void **state)
{
    (void)state;
    uint64_t failures[64] = {0};
    struct hone_error err = {0};
    struct application app = {.noise = 0.02, .fails = true};
    hone_rng_seed(&app.rng, 2);
    struct hone_online *online = start(&(struct hone_online_options){.seed = 2});
    for (uint64_t call = 0; call < 3000; call++) {
        uint64_t index;
        assert_ok(hone_online_next(online, &index, &err), err);
        const double time_us = work(&app, index, call);
        if (isnan(time_us)) assert_int_equal(failures[index]++, 0);
        assert_ok(hone_online_report(online, index, time_us, &err), err);
    }
    const struct hone_online_state s = hone_online_state(online);
    assert_true(s.converged && true_us(s.best) <= 110.1);
    hone_online_free(online);
}

static void the_share_bounds_what_trying_costs(void **state)
{
    (void)state;
    struct application app = {.noise = 0.02};
    hone_rng_seed(&app.rng, 3);
    const uint64_t known = 0;
    struct hone_online *online =
        start(&(struct hone_online_options){.seed = 3, .share = 0.25, .start = &known});
    assert_int_equal(run(online, &app, 400), 400);
    const struct hone_online_state s = hone_online_state(online);
    assert_true(s.new_calls <= 5 + 100 && s.new_calls >= 90);
    hone_online_free(online);
}

static void the_known_configuration_is_used_first(void **state)
{
    (void)state;
    struct hone_error err = {0};
    const uint64_t known = 17;
    uint64_t index = 0;
    struct hone_online *online =
        start(&(struct hone_online_options){.seed = 1, .start = &known});
    assert_ok(hone_online_next(online, &index, &err), err);
    assert_int_equal(index, known);
    hone_online_free(online);
}

static void after_convergence_only_the_best_is_used(void **state)
{
    (void)state;
    struct hone_error err = {0};
    struct application app = {.noise = 0};
    hone_rng_seed(&app.rng, 1);
    struct hone_online *online =
        start(&(struct hone_online_options){.seed = 1, .budget = 12});
    run(online, &app, 1000);
    const struct hone_online_state s = hone_online_state(online);
    assert_true(s.converged && s.tried == 12);
    for (int i = 0; i < 50; i++) {
        uint64_t index;
        assert_ok(hone_online_next(online, &index, &err), err);
        assert_int_equal(index, s.best);
    }
    hone_online_free(online);
}

static void nothing_that_works_is_an_error(void **state)
{
    (void)state;
    struct hone_error err = {0};
    struct hone_online *online = start(&(struct hone_online_options){.budget = 6});
    uint64_t index;
    for (int i = 0; i < 6; i++) {
        assert_ok(hone_online_next(online, &index, &err), err);
        assert_ok(hone_online_report(online, index, (double)NAN, &err), err);
    }
    assert_int_equal(hone_online_next(online, &index, &err), HONE_ENOTFOUND);
    assert_string_equal(err.text, "none of 6 configurations that were tried works");
    hone_online_free(online);
}

static void wrong_options_and_times_are_refused(void **state)
{
    (void)state;
    struct hone_error err = {0};
    struct hone_online *online = NULL;
    const uint64_t absent = 64;
    assert_int_equal(hone_online_new(&online, space,
                                     &(struct hone_online_options){.share = 1.5}, &err),
                     HONE_EUSAGE);
    assert_int_equal(hone_online_new(&online, space,
                                     &(struct hone_online_options){.samples = 65}, NULL),
                     HONE_EUSAGE);
    assert_int_equal(hone_online_new(&online, space,
                                     &(struct hone_online_options){.start = &absent},
                                     NULL),
                     HONE_EINPUT);
    online = start(&(struct hone_online_options){.seed = 1});
    assert_int_equal(hone_online_report(online, 0, 0.0, NULL), HONE_EUSAGE);
    hone_online_free(online);
}

static const struct CMUnitTest cases[] = {
    cmocka_unit_test(converges_to_the_best_when_everything_is_tried),
    cmocka_unit_test(drift_of_the_machine_does_not_mislead),
    cmocka_unit_test(where_the_best_fails_the_next_best_is_used),
    cmocka_unit_test(what_fails_late_is_never_used_again),
    cmocka_unit_test(a_failing_configuration_is_used_once_only),
    cmocka_unit_test(the_share_bounds_what_trying_costs),
    cmocka_unit_test(the_known_configuration_is_used_first),
    cmocka_unit_test(after_convergence_only_the_best_is_used),
    cmocka_unit_test(nothing_that_works_is_an_error),
    cmocka_unit_test(wrong_options_and_times_are_refused),
};

HONE_TEST_MAIN_WITH(cases, set_up, tear_down)
