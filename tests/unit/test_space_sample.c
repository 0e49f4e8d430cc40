// Components too large to list: what stands for them, and what is said of them.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hone/rng.h"
#include "hone/space.h"
#include "hone_test.h"
#include "space_def.h"

enum { DIGITS = 14, SUM = 40 };

static struct hone_space *make(struct space_def *d)
{
    struct hone_space *space = NULL;
    struct hone_error err = {0};
    assert_ok(hone_space_new(&space, space_def_get(d), &err), err);
    return space;
}

// Digits 0 .. 9 whose sum is bounded: 1e14 combinations, one component.
static void define_digits(struct space_def *d, size_t digits, const char *bound)
{
    static char names[DIGITS][8];
    char text[256] = "";
    for (size_t i = 0; i < digits; i++) {
        snprintf(names[i], sizeof names[i], "d%02zu", i);
        space_def_ints(d, names[i], "0 1 2 3 4 5 6 7 8 9");
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", i ? " + " : "",
                 names[i]);
    }
    static char rule[300];
    snprintf(rule, sizeof rule, "%s %s", text, bound);
    space_def_where(d, rule);
}

// Ways to write sums up to most with that many digits.
static double count_sums(size_t digits, size_t most)
{
    double ways[SUM + 1] = {1}, all = 0;
    for (size_t i = 0; i < digits; i++) {
        double next[SUM + 1] = {0};
        for (size_t s = 0; s <= most; s++)
            for (size_t d = 0; d < 10 && d <= s; d++)
                next[s] += ways[s - d];
        memcpy(ways, next, sizeof ways);
    }
    for (size_t s = 0; s <= most; s++)
        all += ways[s];
    return all;
}

static size_t sum_at(const struct hone_space *space, uint64_t index)
{
    uint16_t choices[DIGITS];
    size_t sum = 0;
    hone_space_choices(space, index, choices);
    for (size_t i = 0; i < hone_space_param_count(space); i++)
        sum += choices[i];
    return sum;
}

static void a_large_component_is_sampled_and_estimated(void **state)
{
    (void)state;
    struct space_def d = {0};
    define_digits(&d, DIGITS, "<= 40");
    struct hone_space *space = make(&d);
    double error, valid = hone_space_valid(space, &error);
    const double exact = count_sums(DIGITS, SUM);
    assert_true(hone_space_is_sampled(space));
    assert_true(error > 0 && error < 0.05 * exact);
    assert_true(fabs(valid - exact) < 5 * error);
    const uint64_t count = hone_space_count(space);
    assert_true(count > 100000 && count < 3000000);
    double mean = 0;
    for (uint64_t i = 0; i < count; i++) {
        const size_t sum = sum_at(space, i);
        assert_true(sum <= SUM);
        mean += (double)sum / (double)count;
    }
    // Uniform draws have 37.6 on average; neighbours are spread a little.
    assert_true(mean > 35 && mean < 40);
    struct hone_constraint_info info;
    hone_space_constraint_info(space, 0, &info);
    assert_true(isnan(info.removed));
    hone_space_free(space);
}

static void indices_and_neighbours_are_those_of_the_sample(void **state)
{
    (void)state;
    struct space_def d = {0};
    define_digits(&d, DIGITS, "<= 40");
    struct hone_space *space = make(&d), *again = make(&d);
    struct hone_rng rng;
    uint64_t drawn[50], around[256];
    hone_rng_seed(&rng, 1);
    assert_int_equal(hone_space_count(again), hone_space_count(space));
    assert_int_equal(hone_space_sample(space, &rng, drawn, 50), 50);
    size_t neighbours = 0;
    for (size_t i = 0; i < 50; i++) {
        uint16_t choices[DIGITS], same[DIGITS];
        uint64_t index;
        hone_space_choices(space, drawn[i], choices);
        hone_space_choices(again, drawn[i], same);
        assert_memory_equal(choices, same, sizeof choices);
        assert_int_equal(hone_space_index(space, choices, &index), HONE_OK);
        assert_int_equal(index, drawn[i]);
        neighbours += hone_space_neighbours(space, index, HONE_HAMMING, around, 256);
    }
    assert_true(neighbours > 50 * 5);
    hone_space_free(again);
    hone_space_free(space);
}

static void the_anchor_and_all_its_neighbours_are_there(void **state)
{
    (void)state;
    struct space_def d = {0};
    struct hone_value anchor[DIGITS];
    uint16_t choices[DIGITS];
    define_digits(&d, DIGITS, "<= 40");
    for (size_t i = 0; i < DIGITS; i++) {
        choices[i] = i < 8 ? 5 : 0; // on the edge: the sum is 40
        anchor[i] = (struct hone_value){.type = HONE_INT, .i = choices[i]};
    }
    struct hone_space_def def = *space_def_get(&d);
    struct hone_space *space = NULL;
    struct hone_error err = {0};
    def.anchor = anchor;
    assert_ok(hone_space_new(&space, &def, &err), err);
    uint64_t index;
    assert_int_equal(hone_space_index(space, choices, &index), HONE_OK);
    assert_int_equal(hone_space_neighbours(space, index, HONE_HAMMING, NULL, 0), 8 * 5);
    hone_space_free(space);
    anchor[8].i = 1; // not valid: of no consequence
    assert_ok(hone_space_new(&space, &def, &err), err);
    choices[8] = 1;
    assert_int_equal(hone_space_index(space, choices, &index), HONE_ENOTFOUND);
    hone_space_free(space);
}

// Small enough to know all: the limit alone decides.
static void a_sample_of_a_known_space_is_a_part_of_it(void **state)
{
    (void)state;
    struct space_def d = {0};
    define_digits(&d, 5, "<= 20");
    space_def_ints(&d, "free", "1 2 3");
    struct hone_space *all = make(&d), *space = NULL;
    double error = 1;
    assert_false(hone_space_is_sampled(all));
    assert_true(hone_space_valid(all, &error) == (double)hone_space_count(all));
    assert_true(error == 0);
    struct hone_space_def def = *space_def_get(&d);
    struct hone_error err = {0};
    def.max_tuples = 1000;
    assert_ok(hone_space_new(&space, &def, &err), err);
    assert_true(hone_space_is_sampled(space));
    const double valid = hone_space_valid(space, &error);
    assert_true(fabs(valid - (double)hone_space_count(all)) < 5 * error);
    assert_true(hone_space_count(space) <= hone_space_count(all));
    assert_int_equal(hone_space_count(space) % 3, 0);
    for (uint64_t i = 0; i < hone_space_count(space); i++) {
        uint16_t choices[6];
        uint64_t index;
        hone_space_choices(space, i, choices);
        assert_int_equal(hone_space_index(all, choices, &index), HONE_OK);
    }
    hone_space_free(space);
    hone_space_free(all);
}

static void a_needle_in_a_haystack_is_refused(void **state)
{
    (void)state;
    struct space_def d = {0};
    struct hone_space *space = NULL;
    struct hone_error err = {0};
    define_digits(&d, DIGITS, "== 126");
    assert_int_equal(hone_space_new(&space, space_def_get(&d), &err), HONE_ELIMIT);
    assert_non_null(strstr(err.text, "no valid one of 1e+14 combinations was found"));
    assert_null(space);
}

// Each descent looks at all values: they are as many as fit into the steps of a search.
static void parameters_of_many_values_have_fewer_descents(void **state)
{
    (void)state;
    enum { VALUES = 8000 };
    struct hone_value *values = calloc(VALUES, sizeof *values);
    assert_non_null(values);
    for (int i = 0; i < VALUES; i++)
        values[i] = (struct hone_value){.type = HONE_INT, .i = i};
    const struct hone_param params[] = {
        {"a", values, VALUES}, {"b", values, VALUES}, {"c", values, VALUES}};
    const struct hone_constraint sum = {.text = "(a + b + c) % 1000 == 0"};
    const struct hone_space_def def = {
        .params = params, .param_count = 3, .constraints = &sum, .constraint_count = 1};
    struct hone_space *space = NULL;
    struct hone_error err = {0};
    assert_ok(hone_space_new(&space, &def, &err), err);
    double error;
    const double valid = hone_space_valid(space, &error);
    assert_true(hone_space_is_sampled(space));
    assert_true(fabs(valid - 8000.0 * 8000 * 8) < 5 * error + 1);
    if (hone_space_count(space) > 40000)
        fail_msg("%llu", (unsigned long long)hone_space_count(space));
    hone_space_free(space);
    free(values);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(parameters_of_many_values_have_fewer_descents),
    cmocka_unit_test(a_large_component_is_sampled_and_estimated),
    cmocka_unit_test(indices_and_neighbours_are_those_of_the_sample),
    cmocka_unit_test(the_anchor_and_all_its_neighbours_are_there),
    cmocka_unit_test(a_sample_of_a_known_space_is_a_part_of_it),
    cmocka_unit_test(a_needle_in_a_haystack_is_refused),
};
HONE_TEST_MAIN(tests)
