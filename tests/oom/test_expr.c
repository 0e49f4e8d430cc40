// Expressions under memory that runs out anywhere.
#include "hone/expr.h"
#include "hone/strbuf.h"
#include "hone_test.h"
#include "oom.h"

static enum hone_status print(const struct hone_expr *expr, struct hone_error *err)
{
    static const struct hone_expr_c_var vars[] = {
        {.type = HONE_INT, .text = "BM"}, {.type = HONE_STRING, .text = "layout"}};
    struct hone_strbuf out = HONE_STRBUF_INIT;
    enum hone_type type = HONE_INT;
    enum hone_status status = hone_expr_print_c(expr, vars, &out, &type, err);
    if (!status) status = hone_expr_print_c_helpers(&out, err);
    if (!status) assert_int_equal(type, HONE_BOOL);
    hone_strbuf_fini(&out);
    return status;
}

static enum hone_status make_and_use(void *context, struct hone_error *err)
{
    static const char *const names[] = {"BM", "LAYOUT"};
    const struct hone_value slots[] = {{.type = HONE_INT, .i = 64},
                                       {.type = HONE_STRING, .s = "row"}};
    struct hone_expr *expr = NULL, *part = NULL;
    struct hone_value value = {.type = HONE_BOOL, .b = true};
    enum hone_status status = hone_expr_new(&expr, context, err);
    if (!status) status = hone_expr_bind(expr, names, 2, err);
    if (!status) status = hone_expr_eval(expr, slots, &value, NULL, err);
    if (!status) status = hone_expr_conjunct(&part, expr, 1, err);
    if (!status) status = print(expr, err);
    assert_true(hone_value_true(value));
    hone_expr_free(part);
    hone_expr_free(expr);
    return status;
}

static void expression_survives_every_failing_allocation(void **state)
{
    (void)state;
    char text[] = "32 <= BM * 2 <= max(128, BM) and LAYOUT == 'r\\x6fw'";
    oom_check(make_and_use, text);
}

// Longer than one block of the arena.
static void long_expression_survives_every_failing_allocation(void **state)
{
    (void)state;
    struct hone_strbuf text = HONE_STRBUF_INIT;
    hone_strbuf_add(&text, "LAYOUT ~= 'column'");
    for (int i = 0; i < 400; i++)
        hone_strbuf_printf(&text, " and BM ~= %d", i + 100);
    oom_check(make_and_use, text.data);
    hone_strbuf_fini(&text);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(expression_survives_every_failing_allocation),
    cmocka_unit_test(long_expression_survives_every_failing_allocation),
};
HONE_TEST_MAIN(tests)
