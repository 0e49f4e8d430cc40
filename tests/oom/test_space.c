// Spaces under memory that runs out anywhere.
#include "hone/space.h"
#include "hone_test.h"
#include "oom.h"
#include "space_def.h"

static enum hone_status is_small(void *context, const struct hone_value *args,
                                 size_t count, bool *holds, struct hone_error *err)
{
    (void)context, (void)count, (void)err;
    *holds = args[0].i < 64;
    return HONE_OK;
}

static void define(struct space_def *d)
{
    static const char *const vars[] = {"AREA"};
    static const struct hone_value layouts[] = {{.type = HONE_STRING, .s = "row"},
                                                {.type = HONE_STRING, .s = "col"}};
    space_def_ints(d, "BM", "1 2 4 8 16 32");
    space_def_ints(d, "BN", "1 2 4 8 16 32");
    space_def_ints(d, "BK", "1 2 4 8 16 32");
    space_def_values(d, "LAYOUT", layouts, 2);
    space_def_derive(d, "HALF", "AREA // 2");
    space_def_derive(d, "AREA", "BM * BN");
    space_def_constant(d, "device.limit", 256);
    space_def_where(d, "AREA <= device.limit and HALF * BK > 1");
    space_def_where(d, "small");
    d->constraints[1].holds = is_small;
    d->constraints[1].vars = vars;
    d->constraints[1].var_count = 1;
}

static enum hone_status make_and_use(void *context, struct hone_error *err)
{
    struct hone_space *space = NULL;
    enum hone_status status = hone_space_new(&space, space_def_get(context), err);
    if (!status) {
        uint64_t out[16];
        struct hone_constraint_info info;
        hone_space_constraint_info(space, 0, &info);
        assert_int_equal(hone_space_count(space), 236);
        assert_true(hone_space_neighbours(space, 7, HONE_HAMMING, out, 16) > 0);
        struct hone_lint *findings = NULL;
        size_t count = 0;
        status = hone_space_lint(space, &findings, &count, err);
        free(findings);
    }
    hone_space_free(space);
    return status;
}

static void space_survives_every_failing_allocation(void **state)
{
    (void)state;
    struct space_def d = {0};
    define(&d);
    oom_check(make_and_use, &d);
}

static enum hone_status make_empty(void *context, struct hone_error *err)
{
    struct hone_space *space = NULL;
    struct hone_error inner = {0};
    enum hone_status status = hone_space_new(&space, space_def_get(context), &inner);
    assert_null(space);
    if (status == HONE_EINPUT) return HONE_OK; // as it should be
    return hone_error_pass(err, status, &inner);
}

static void empty_space_is_refused_under_every_failing_allocation(void **state)
{
    (void)state;
    struct space_def d = {0};
    define(&d);
    space_def_where(&d, "BM > BN and BN > BM");
    oom_check(make_empty, &d);
}

static enum hone_status make_from_list(void *context, struct hone_error *err)
{
    struct space_def *d = context;
    uint16_t rows[400][4];
    for (uint16_t i = 0; i < 400; i++) {
        const uint16_t row[] = {i % 6, i / 6 % 6, i / 36 % 6, i / 216};
        memcpy(rows[i], row, sizeof row);
    }
    struct hone_space *space = NULL;
    enum hone_status status =
        hone_space_from_list(&space, d->params, 4, rows[0], 400, err);
    hone_space_free(space);
    return status;
}

static void list_survives_every_failing_allocation(void **state)
{
    (void)state;
    struct space_def d = {0};
    define(&d);
    oom_check(make_from_list, &d);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(space_survives_every_failing_allocation),
    cmocka_unit_test(empty_space_is_refused_under_every_failing_allocation),
    cmocka_unit_test(list_survives_every_failing_allocation),
};

HONE_TEST_MAIN(tests)
