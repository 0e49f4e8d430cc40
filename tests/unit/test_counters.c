// The names of counters against CUPTI, which knows all chips without a GPU.
#include <string.h>

#include "device/counters.h"
#include "hone_test.h"

// How many of the counters each chip has, and the most passes that they may take.
static const struct {
    const char *chip;
    size_t all, passes;
} chips[] = {{"TU102", 62, 16}, {"GA100", 65, 15}, {"GA102", 65, 16}, {"AD102", 66, 16},
             {"GH100", 70, 20}, {"GB100", 69, 18}, {"GB202", 67, 18}};

static void plan(struct hone_counter_plan *out, const char *chip, bool light)
{
    struct hone_error err = {0};
    const enum hone_status status = hone_counter_plan_make(out, chip, light, &err);
    if (status == HONE_ENODEVICE) SKIP("%s", err.text);
    assert_ok(status, err);
}

// A later CUPTI may know more names, and lay them out in other passes.
static void each_chip_has_its_counters(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof chips / sizeof *chips; i++) {
        struct hone_counter_plan all, light;
        assert_string_equal(hone_counter_chip(i), chips[i].chip);
        plan(&all, chips[i].chip, false);
        plan(&light, chips[i].chip, true);
        print_message("%s: all %zu in %zu passes, light %zu in %zu\n", chips[i].chip,
                      all.count, all.passes, light.count, light.passes);
        assert_true(all.count >= chips[i].all);
        assert_true(all.passes >= 1 && all.passes <= chips[i].passes + 2);
        assert_true(light.count >= 25 && light.count < all.count);
        assert_true(light.passes >= 1 && 2 * light.passes <= all.passes + 2);
        assert_true(all.image_bytes > 0 && light.image_bytes > 0);
        hone_counter_plan_fini(&all);
        hone_counter_plan_fini(&light);
    }
    assert_null(hone_counter_chip(sizeof chips / sizeof *chips));
}

// A name that no chip has would be planned nowhere, without a word.
static void every_name_is_one_of_some_chip(void **state)
{
    (void)state;
    bool used[128][HONE_COUNTER_CANDIDATES] = {{false}};
    for (size_t i = 0; i < sizeof chips / sizeof *chips; i++) {
        struct hone_counter_plan all;
        plan(&all, chips[i].chip, false);
        for (size_t k = 0; k < all.count; k++) {
            const struct hone_counter *counter = all.counters[k].counter;
            const size_t number = (size_t)(counter - hone_counter_at(0));
            for (size_t c = 0; c < HONE_COUNTER_CANDIDATES; c++)
                used[number][c] |= counter->cupti[c] == all.counters[k].cupti;
        }
        hone_counter_plan_fini(&all);
    }
    for (size_t i = 0; hone_counter_at(i); i++)
        for (size_t c = 0; c < HONE_COUNTER_CANDIDATES; c++)
            if (hone_counter_at(i)->cupti[c] && !used[i][c])
                fail_msg("no chip has %s", hone_counter_at(i)->cupti[c]);
}

static void names_and_units_are_told_once(void **state)
{
    (void)state;
    size_t light = 0;
    for (size_t i = 0; hone_counter_at(i); i++) {
        const struct hone_counter *counter = hone_counter_at(i);
        assert_true(*counter->name && *counter->unit && *counter->text);
        assert_non_null(counter->cupti[0]);
        light += counter->light;
        for (size_t k = 0; k < i; k++)
            if (strcmp(hone_counter_at(k)->name, counter->name) == 0)
                fail_msg("two counters are called %s", counter->name);
    }
    assert_true(light > 0);
}

static void a_generation_has_a_chip(void **state)
{
    (void)state;
    assert_string_equal(hone_counter_chip_of(9, 0), "GH100");
    assert_string_equal(hone_counter_chip_of(8, 6), "GA102");
    assert_null(hone_counter_chip_of(3, 5));
}

static void an_unknown_chip_is_told(void **state)
{
    (void)state;
    struct hone_counter_plan none;
    struct hone_error err = {0};
    const enum hone_status status = hone_counter_plan_make(&none, "XX1", true, &err);
    hone_counter_plan_fini(&none);
    if (status == HONE_ENODEVICE) SKIP("%s", err.text);
    assert_int_equal(status, HONE_ENOTFOUND);
    assert_non_null(strstr(err.text, "no chip 'XX1'"));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(each_chip_has_its_counters),
    cmocka_unit_test(every_name_is_one_of_some_chip),
    cmocka_unit_test(names_and_units_are_told_once),
    cmocka_unit_test(a_generation_has_a_chip),
    cmocka_unit_test(an_unknown_chip_is_told),
};
HONE_TEST_MAIN(tests)
