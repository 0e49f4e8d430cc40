// Models: what they predict of small spaces, against properties.
#include "hone/model.h"
#include "hone/rng.h"
#include "models.h"
#include "search_fixture.h"

enum { KINDS = 3 };

static struct hone_model *make_model(const char *kind, const struct hone_space *space)
{
    struct hone_model *model = NULL;
    struct hone_error err = {0};
    assert_ok(hone_model_new(&model, kind, space, 5, &err), err);
    return model;
}

static void tell_model(struct hone_model *model, uint64_t index, double cost)
{
    struct hone_error err = {0};
    assert_ok(hone_model_tell(model, index, cost, &err), err);
}

// Every step-th configuration of a landscape.
static size_t tell_some(struct hone_model *model, const struct hone_space *space,
                        landscape *land, uint64_t step)
{
    size_t told = 0;
    for (uint64_t x = 0; x < hone_space_count(space); x += step, told++) {
        const struct hone_trial trial = land(space, x);
        tell_model(model, x, trial.outcome == HONE_VALID ? trial.time_us : (double)NAN);
    }
    return told;
}

static struct hone_prediction predict(struct hone_model *model, uint64_t index)
{
    struct hone_prediction p = {0};
    assert_true(hone_model_predict(model, &index, 1, &p));
    return p;
}

static void models_without_a_cost_predict_and_suggest_nothing(void **state)
{
    (void)state;
    struct hone_space *space = make_space(3, 3, false);
    for (size_t k = 0; k < KINDS; k++) {
        struct hone_model *model = make_model(hone_model_kinds[k], space);
        struct hone_prediction p;
        uint64_t index = 0;
        for (int failed = 0; failed < 2; failed++) {
            assert_false(hone_model_predict(model, &index, 1, &p));
            assert_false(hone_model_suggest(model, NULL, NULL, &index));
            if (!failed) tell_model(model, 3, (double)NAN);
        }
        assert_int_equal(hone_model_told(model), 1);
        hone_model_free(model);
    }
    assert_null(hone_model_kinds[KINDS]);
    hone_space_free(space);
}

// What is slower than the median is drawn near it, so only the fast half is interpolated.
static void trees_and_process_interpolate_the_fast_half(void **state)
{
    (void)state;
    static const char *const kinds[] = {"trees", "gaussian"};
    const double within[] = {0.03, 0.1}; // a process smooths
    struct hone_space *space = make_space(3, 6, false);
    for (size_t k = 0; k < 2; k++) {
        struct hone_model *model = make_model(kinds[k], space);
        assert_int_equal(tell_some(model, space, bowl, 5), 44);
        for (uint64_t x = 0; x < 216; x += 5) {
            const double cost = bowl(space, x).time_us;
            if (cost > 12) continue;
            assert_true(fabs(predict(model, x).mean - log(cost)) < within[k]);
        }
        hone_model_free(model);
    }
    hone_space_free(space);
}

static void a_far_sample_is_what_regression_predicts_there(void **state)
{
    (void)state;
    struct hone_space *space = make_space(6, 3, false);
    struct hone_model *model = make_model("regression", space);
    tell_model(model, 0, 100);
    tell_model(model, 728, 10); // differs in all parameters
    assert_true(fabs(predict(model, 728).mean - log(10)) < 0.03);
    assert_true(predict(model, 727).mean < predict(model, 1).mean);
    hone_model_free(model);
    hone_space_free(space);
}

static void doubt_shrinks_where_samples_are_near(void **state)
{
    (void)state;
    static const char *const kinds[] = {"regression", "gaussian"};
    struct hone_space *space = make_space(5, 4, false);
    for (size_t k = 0; k < 2; k++) {
        struct hone_model *model = make_model(kinds[k], space);
        tell_model(model, 0, 4);
        tell_model(model, 1, 9);
        tell_model(model, 5, 5);
        const double at = predict(model, 0).sd, near = predict(model, 4).sd,
                     far = predict(model, 1023).sd;
        assert_true(at < near && near < far);
        tell_model(model, 1023, 7);
        assert_true(predict(model, 1023).sd < predict(model, 1000).sd);
        hone_model_free(model);
    }
    hone_space_free(space);
}

static void predictions_do_not_depend_on_the_order_of_tells(void **state)
{
    (void)state;
    static const char *const kinds[] = {"regression", "gaussian"};
    struct hone_space *space = make_space(4, 4, true);
    for (size_t k = 0; k < 2; k++) {
        struct hone_model *there = make_model(kinds[k], space);
        struct hone_model *back = make_model(kinds[k], space);
        for (uint64_t x = 0; x < 120; x += 3) {
            const struct hone_trial a = rough_bowl(space, x);
            const struct hone_trial b = rough_bowl(space, 117 - x);
            tell_model(there, a.index, a.time_us > 0 ? a.time_us : (double)NAN);
            tell_model(back, b.index, b.time_us > 0 ? b.time_us : (double)NAN);
        }
        for (uint64_t x = 0; x < 128; x++) {
            const struct hone_prediction p = predict(there, x), q = predict(back, x);
            assert_true(fabs(p.mean - q.mean) < 1e-4);
            assert_true(fabs(p.sd - q.sd) < 1e-4);
        }
        hone_model_free(there);
        hone_model_free(back);
    }
    hone_space_free(space);
}

// Failures on one side of a value.
static struct hone_trial cliff(const struct hone_space *space, uint64_t index)
{
    uint16_t choices[PARAMS_MAX];
    hone_space_choices(space, index, choices);
    return choices[1] > 2 ? hone_trial_make(index, HONE_LAUNCH_FAILED)
                          : bowl(space, index);
}

static void failures_lower_the_chance_and_not_the_mean(void **state)
{
    (void)state;
    struct hone_space *space = make_space(4, 5, false);
    for (size_t k = 0; k < KINDS; k++) {
        struct hone_model *model = make_model(hone_model_kinds[k], space);
        tell_some(model, space, cliff, 7);
        double chance[2] = {0}, worst = 0;
        size_t count[2] = {0};
        for (uint64_t x = 0; x < 625; x++) {
            const struct hone_prediction p = predict(model, x);
            const bool fails = cliff(space, x).outcome != HONE_VALID;
            assert_true(p.chance >= 0 && p.chance <= 1);
            chance[fails] += p.chance;
            count[fails]++;
            worst = fmax(worst, p.mean);
        }
        const double good = chance[0] / (double)count[0];
        assert_true(good > 0.75);
        assert_true(chance[1] / (double)count[1] < good / 2);
        assert_true(worst < log(61)); // the slowest there is
        hone_model_free(model);
    }
    hone_space_free(space);
}

static bool is_odd(void *context, uint64_t index)
{
    (void)context;
    return index % 2 == 1;
}

static void what_is_told_believed_or_skipped_is_not_suggested(void **state)
{
    (void)state;
    struct hone_space *space = make_space(3, 4, false);
    for (size_t k = 0; k < KINDS; k++) {
        struct hone_model *model = make_model(hone_model_kinds[k], space);
        struct hone_error err = {0};
        bool taken[64] = {false};
        uint64_t x = 0;
        for (; x < 12; x++) {
            tell_model(model, x * 3, bowl(space, x * 3).time_us);
            taken[x * 3] = true;
        }
        for (int i = 0; i < 12 && hone_model_suggest(model, is_odd, NULL, &x); i++) {
            assert_true(x < 64 && x % 2 == 0 && !taken[x]);
            taken[x] = true;
            assert_ok(hone_model_believe(model, x, &err), err);
        }
        assert_int_equal(hone_model_told(model), 12);
        hone_model_forget(model);
        assert_true(hone_model_suggest(model, is_odd, NULL, &x));
        hone_model_free(model);
    }
    hone_space_free(space);
}

static void regression_suggests_every_configuration_once(void **state)
{
    (void)state;
    struct hone_space *space = make_space(3, 3, true);
    struct hone_model *model = make_model("regression", space);
    const uint64_t all = hone_space_count(space);
    uint64_t x = 0;
    for (uint64_t i = 0; i < all; i++) {
        assert_true(i == 0 || hone_model_suggest(model, NULL, NULL, &x));
        tell_model(model, x, bowl(space, x).time_us);
    }
    assert_false(hone_model_suggest(model, NULL, NULL, &x));
    hone_model_free(model);
    hone_space_free(space);
}

static void beliefs_leave_no_trace(void **state)
{
    (void)state;
    struct hone_space *space = make_space(4, 4, false);
    for (size_t k = 0; k < KINDS; k++) {
        struct hone_model *model = make_model(hone_model_kinds[k], space);
        struct hone_error err = {0};
        tell_some(model, space, rough_bowl, 11);
        const struct hone_prediction before = predict(model, 77);
        assert_ok(hone_model_believe(model, 78, &err), err);
        assert_ok(hone_model_believe(model, 93, &err), err);
        predict(model, 77);
        hone_model_forget(model);
        const struct hone_prediction after = predict(model, 77);
        assert_true(fabs(before.mean - after.mean) < 1e-5);
        assert_true(fabs(before.sd - after.sd) < 1e-5);
        assert_true(fabs(before.chance - after.chance) < 1e-5);
        hone_model_free(model);
    }
    hone_space_free(space);
}

static void wrong_kinds_and_foreign_indices_are_refused(void **state)
{
    (void)state;
    struct hone_space *space = make_space(2, 3, false);
    struct hone_model *model = NULL;
    struct hone_error err = {0};
    assert_int_equal(hone_model_new(&model, "oracle", space, 1, &err), HONE_EINPUT);
    assert_string_equal(err.text, "there is no model 'oracle'");
    err = (struct hone_error){0};
    model = make_model("trees", space);
    assert_int_equal(hone_model_tell(model, 9, 1, &err), HONE_EINPUT);
    assert_string_equal(err.text, "configuration 9, the space has 9");
    hone_model_free(model);
    hone_space_free(space);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(models_without_a_cost_predict_and_suggest_nothing),
    cmocka_unit_test(trees_and_process_interpolate_the_fast_half),
    cmocka_unit_test(a_far_sample_is_what_regression_predicts_there),
    cmocka_unit_test(doubt_shrinks_where_samples_are_near),
    cmocka_unit_test(predictions_do_not_depend_on_the_order_of_tells),
    cmocka_unit_test(failures_lower_the_chance_and_not_the_mean),
    cmocka_unit_test(what_is_told_believed_or_skipped_is_not_suggested),
    cmocka_unit_test(regression_suggests_every_configuration_once),
    cmocka_unit_test(beliefs_leave_no_trace),
    cmocka_unit_test(wrong_kinds_and_foreign_indices_are_refused),
};
HONE_TEST_MAIN(tests)
