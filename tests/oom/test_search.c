// A search under memory that runs out anywhere.
#include "hone/search.h"
#include "hone_test.h"
#include "oom.h"
#include "space_def.h"

static enum hone_status drive(struct hone_search *search, struct hone_error *err)
{
    for (;;) {
        uint64_t out[8];
        size_t n = 0;
        enum hone_status status = hone_search_ask(search, out, 8, &n, err);
        if (status != HONE_OK || !n) return status;
        for (size_t i = 0; i < n; i++) {
            struct hone_trial trial = hone_trial_make(out[i], HONE_VALID);
            trial.time_us = 1.0 + (double)(out[i] * 7 % 31);
            status = hone_search_tell(search, &trial, 1, err);
            if (status != HONE_OK) return status;
        }
    }
}

enum { BUDGET = 110 }; // so many that a Gaussian process drops samples

struct work {
    const struct hone_strategy_fns *strategy;
    const struct hone_space *space;
};

static enum hone_status search_all(void *context, struct hone_error *err)
{
    const struct work *work = context;
    const uint64_t start[] = {5};
    const struct hone_search_options options = {
        .seed = 1, .budget = BUDGET, .start = start, .start_count = 1, .design = 4};
    struct hone_search *search = NULL;
    enum hone_status status =
        hone_search_new(&search, work->strategy, work->space, &options, err);
    if (status == HONE_OK) status = drive(search, err);
    if (status == HONE_OK) assert_int_equal(hone_search_told(search), BUDGET);
    hone_search_free(search);
    return status;
}

static void every_strategy_survives_every_failing_allocation(void **state)
{
    (void)state;
    struct space_def d = {0};
    space_def_ints(&d, "A", "0 1 2 3 4 5 6");
    space_def_ints(&d, "B", "0 1 2 3 4 5 6");
    space_def_ints(&d, "C", "0 1 2 3 4 5 6");
    struct hone_error err = {0};
    struct hone_space *space = NULL;
    assert_ok(hone_space_new(&space, space_def_get(&d), &err), err);
    for (size_t i = 0; hone_strategies[i]; i++) {
        struct work work = {hone_strategies[i], space};
        oom_check(search_all, &work);
    }
    hone_space_free(space);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_strategy_survives_every_failing_allocation),
};
HONE_TEST_MAIN(tests)
