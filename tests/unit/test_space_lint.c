// What lint finds in definitions that are correct but not as meant.
#include <stdlib.h>

#include "hone/space.h"
#include "hone_test.h"
#include "space_def.h"

struct linted {
    struct hone_space *space;
    struct hone_lint *findings;
    size_t count;
};

static struct linted lint(struct space_def *d)
{
    struct linted l = {0};
    struct hone_error err = {0};
    assert_ok(hone_space_new(&l.space, space_def_get(d), &err), err);
    assert_ok(hone_space_lint(l.space, &l.findings, &l.count, &err), err);
    return l;
}

static void release(struct linted *l)
{
    free(l->findings);
    hone_space_free(l->space);
}

static struct space_def basis(void)
{
    struct space_def d = {0};
    space_def_ints(&d, "BM", "16 32 64 128");
    space_def_ints(&d, "TM", "3 4 8");
    space_def_ints(&d, "UNROLL", "1 2 4");
    return d;
}

static void sound_definition_has_no_findings(void **state)
{
    (void)state;
    struct space_def d = basis();
    space_def_where(&d, "BM // TM < 32 and TM * 64 > BM");
    struct linted l = lint(&d);
    assert_int_equal(l.count, 0);
    assert_null(l.findings);
    release(&l);
}

static void constraint_that_removes_nothing_is_found(void **state)
{
    (void)state;
    struct space_def d = basis();
    space_def_where(&d, "BM >= 32 or TM < 8");
    space_def_where(&d, "BM * TM <= 1024");
    struct linted l = lint(&d);
    assert_int_equal(l.count, 1);
    assert_int_equal(l.findings[0].kind, HONE_LINT_REMOVES_NOTHING);
    assert_int_equal(l.findings[0].constraint, 1);
    release(&l);
}

static void values_that_no_configuration_uses_are_found(void **state)
{
    (void)state;
    struct space_def d = basis();
    space_def_where(&d, "BM % TM == 0");
    space_def_where(&d, "BM ~= 64");
    struct linted l = lint(&d);
    assert_int_equal(l.count, 2);
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(l.findings[i].kind, HONE_LINT_VALUE_UNUSED);
    assert_int_equal(l.findings[0].param, 0);
    assert_int_equal(l.findings[0].value, 2);
    assert_int_equal(l.findings[1].param, 1);
    assert_int_equal(l.findings[1].value, 0);
    release(&l);
}

static enum hone_status divides(void *context, const struct hone_value *args,
                                size_t count, bool *holds, struct hone_error *err)
{
    (void)context, (void)count, (void)err;
    *holds = args[0].i % args[1].i != 1;
    return HONE_OK;
}

static void function_before_a_narrower_expression_is_found(void **state)
{
    (void)state;
    static const char *const vars[] = {"BM", "TM"};
    for (size_t function = 0; function < 3; function++) {
        struct space_def d = basis();
        const char *const texts[] = {"BM < 128 or TM < 8", "UNROLL < TM"};
        for (size_t i = 0, text = 0; i < 3; i++)
            space_def_where(&d, i == function ? "divides" : texts[text++]);
        d.constraints[function].holds = divides;
        d.constraints[function].vars = vars;
        d.constraints[function].var_count = 2;
        struct linted l = lint(&d);
        assert_int_equal(l.count, function == 0);
        if (l.count) {
            assert_int_equal(l.findings[0].kind, HONE_LINT_FUNCTION_FIRST);
            assert_int_equal(l.findings[0].constraint, 0);
            assert_int_equal(l.findings[0].other, 1);
        }
        release(&l);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(sound_definition_has_no_findings),
    cmocka_unit_test(constraint_that_removes_nothing_is_found),
    cmocka_unit_test(values_that_no_configuration_uses_are_found),
    cmocka_unit_test(function_before_a_narrower_expression_is_found),
};

HONE_TEST_MAIN(tests)
