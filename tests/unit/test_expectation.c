// What earlier runs let expect: that it is said, believed as far as it is worth, and
// corrected by what is measured.
#include "gaussian.h"
#include "hone/model.h"
#include "search_fixture.h"

static struct hone_expectation *expect(const struct hone_space *space,
                                       const struct hone_hint *hints, size_t count)
{
    struct hone_expectation *expectation = NULL;
    struct hone_error err = {0};
    assert_ok(hone_expectation_new(&expectation, space, hints, count, &err), err);
    return expectation;
}

// Times of a landscape on another device: each is times as much slower, in logarithms.
static struct hone_expectation *elsewhere(const struct hone_space *space, landscape *land,
                                          double times)
{
    const size_t count = (size_t)hone_space_count(space);
    struct hone_hint *hints = calloc(count, sizeof *hints);
    assert_non_null(hints);
    for (uint64_t x = 0; x < count; x++)
        hints[x] = (struct hone_hint){x, times * log(land(space, x).time_us)};
    struct hone_expectation *expectation = expect(space, hints, count);
    free(hints);
    return expectation;
}

static double expected_at(const struct hone_expectation *expectation,
                          const struct hone_space *space, uint64_t index)
{
    uint16_t choices[PARAMS_MAX];
    hone_space_choices(space, index, choices);
    return hone_expectation_at(expectation, index, choices);
}

static void hints_are_expected_as_they_are_and_in_between(void **state)
{
    (void)state;
    struct hone_space *space = make_space(3, 4, false);
    struct hone_hint hints[16];
    for (uint64_t i = 0; i < 16; i++)
        hints[i] = (struct hone_hint){4 * i + i % 4, 0.25 * (double)i};
    struct hone_expectation *expectation = expect(space, hints, 16);
    for (size_t i = 0; i < 16; i++)
        assert_true(expected_at(expectation, space, hints[i].index) == hints[i].slower);
    for (uint64_t x = 0; x < 64; x++) {
        const double here = expected_at(expectation, space, x);
        assert_true(here >= 0 && here <= 0.25 * 15);
    }
    hone_expectation_free(expectation);
    hone_space_free(space);
}

static void without_hints_nothing_is_expected(void **state)
{
    (void)state;
    struct hone_space *space = make_space(2, 2, false);
    struct hone_expectation *expectation = expect(space, NULL, 0);
    assert_null(expectation);
    assert_true(expected_at(expectation, space, 1) == 0);
    hone_expectation_free(expectation);
    hone_space_free(space);
}

// y = 3 + slope * trend on eight rows, with the trend of another seed for each.
static void make_trended(struct hone_gaussian *g, const struct hone_space *space,
                         double slope)
{
    struct hone_error err = {0};
    uint16_t row[3];
    assert_ok(hone_gaussian_init(g, space, 8, &err), err);
    for (size_t i = 0; i < 8; i++) {
        const double trend = cos((double)i * 2.3);
        hone_space_choices(space, i * 8 + i % 3, row);
        hone_gaussian_add(g, row, 3 + slope * trend, trend);
    }
    hone_gaussian_settle(g);
}

static void a_trend_that_is_right_explains_everything(void **state)
{
    (void)state;
    struct hone_space *space = make_space(3, 4, false);
    struct hone_gaussian g;
    make_trended(&g, space, 1);
    assert_true(fabs(g.slope - 1) < 1e-6);
    for (uint64_t x = 0; x < 64; x++) {
        uint16_t row[3];
        double mean, sd;
        hone_space_choices(space, x, row);
        hone_gaussian_ask(&g, row, 0.5, &mean, &sd);
        assert_true(fabs(mean - 3.5) < 1e-4);
        assert_true(sd < 1e-4);
    }
    hone_gaussian_fini(&g);
    hone_space_free(space);
}

static void the_slope_of_a_trend_follows_the_samples(void **state)
{
    (void)state;
    static const double slopes[] = {-1, 0, 0.5, 1.5, 3};
    struct hone_space *space = make_space(3, 4, false);
    for (size_t i = 0; i < sizeof slopes / sizeof *slopes; i++) {
        struct hone_gaussian g;
        make_trended(&g, space, slopes[i]);
        // Between what is said and what is seen, for there are only eight samples.
        assert_true((g.slope - 1) / (slopes[i] - 1) > 0);
        assert_true((g.slope - 1) / (slopes[i] - 1) < 1);
        hone_gaussian_fini(&g);
    }
    hone_space_free(space);
}

static double mean_to_optimum(const char *strategy, const struct hone_space *space,
                              const struct hone_expectation *expectation)
{
    enum { RUNS = 10 };
    double total = 0;
    for (uint64_t seed = 1; seed <= RUNS; seed++) {
        struct run run = new_run(strategy, space, seed, UINT64_MAX);
        run.options.expectation = expectation;
        run.options.design = 2;
        run_search(&run, space);
        size_t i = 0;
        while (bowl(space, run.asked[i]).time_us > run.best)
            i++;
        total += (double)i + 1;
        free(run.asked);
    }
    return total / RUNS;
}

// With the same times or with differences half or twice as large, the optimum is what is
// asked for first after the design.
static void what_was_best_elsewhere_is_asked_for_first(void **state)
{
    (void)state;
    static const double times[] = {0.5, 1, 2};
    struct hone_space *space = make_space(4, 4, false);
    for (size_t i = 0; i < 3; i++) {
        struct hone_expectation *expectation = elsewhere(space, bowl, times[i]);
        assert_true(mean_to_optimum("bayes", space, expectation) < 4);
        assert_true(mean_to_optimum("portfolio", space, expectation) < 4);
        hone_expectation_free(expectation);
    }
    hone_space_free(space);
}

// What was slow elsewhere is fast here: worse than to know nothing, better than chance.
static void a_wrong_expectation_is_overcome(void **state)
{
    (void)state;
    struct hone_space *space = make_space(4, 4, false);
    struct hone_expectation *expectation = elsewhere(space, bowl, -1);
    assert_true(mean_to_optimum("bayes", space, expectation) < 256.0 / 4);
    assert_true(mean_to_optimum("portfolio", space, expectation) < 256.0 / 4);
    hone_expectation_free(expectation);
    hone_space_free(space);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(hints_are_expected_as_they_are_and_in_between),
    cmocka_unit_test(without_hints_nothing_is_expected),
    cmocka_unit_test(a_trend_that_is_right_explains_everything),
    cmocka_unit_test(the_slope_of_a_trend_follows_the_samples),
    cmocka_unit_test(what_was_best_elsewhere_is_asked_for_first),
    cmocka_unit_test(a_wrong_expectation_is_overcome),
};
HONE_TEST_MAIN(tests)
