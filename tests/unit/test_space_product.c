// Spaces of independent components: indices without listing the product.
#include <stdio.h>
#include <string.h>

#include "hone/rng.h"
#include "hone/space.h"
#include "hone_test.h"
#include "space_def.h"

static struct hone_space *make(struct space_def *d)
{
    struct hone_space *space = NULL;
    struct hone_error err = {0};
    assert_ok(hone_space_new(&space, space_def_get(d), &err), err);
    return space;
}

// --- against brute force ---

enum { PARAMS = 8, VALUES = 4, TUPLES = 65536 };

static bool holds(const char *rule, const uint16_t *c)
{
    size_t a = (size_t)(rule[1] - '0'), b = (size_t)(rule[strlen(rule) - 1] - '0');
    bool less = c[a] < c[b], same = c[a] == c[b];
    return strstr(rule, "<=") ? less || same : strstr(rule, "~=") ? !same : less;
}

static void compare(const char *const *rules, size_t rule_count)
{
    static const char *const names[] = {"p0", "p1", "p2", "p3", "p4", "p5", "p6", "p7"};
    struct space_def d = {0};
    for (size_t p = 0; p < PARAMS; p++)
        space_def_ints(&d, names[p], "0 1 2 3");
    for (size_t r = 0; r < rule_count; r++)
        space_def_where(&d, rules[r]);
    struct hone_space *space = make(&d);
    uint64_t next = 0;
    for (size_t tuple = 0; tuple < TUPLES; tuple++) {
        uint16_t c[PARAMS], back[PARAMS];
        for (size_t p = PARAMS, rest = tuple; p-- > 0; rest /= VALUES)
            c[p] = (uint16_t)(rest % VALUES);
        bool valid = true;
        for (size_t r = 0; r < rule_count; r++)
            valid = valid && holds(rules[r], c);
        uint64_t index = UINT64_MAX;
        assert_int_equal(hone_space_index(space, c, &index),
                         valid ? HONE_OK : HONE_ENOTFOUND);
        if (!valid) continue;
        assert_int_equal(index, next++);
        hone_space_choices(space, index, back);
        assert_memory_equal(c, back, sizeof c);
    }
    assert_int_equal(hone_space_count(space), next);
    hone_space_free(space);
}

static void index_is_lexicographic_however_components_interleave(void **state)
{
    (void)state;
    static const char *const turns[] = {"p0 < p2",  "p2 ~= p4", "p4 <= p6",
                                        "p1 ~= p3", "p3 <= p5", "p5 ~= p7"};
    static const char *const nested[] = {"p0 <= p7", "p1 < p6", "p2 ~= p5", "p3 <= p4"};
    static const char *const blocks[] = {"p0 < p1", "p1 <= p2", "p4 ~= p5", "p6 < p7"};
    static const char *const fixed[] = {"p1 < p3", "p3 < p5", "p5 < p7", "p2 ~= p6"};
    compare(turns, 6);
    compare(nested, 4);
    compare(blocks, 4);
    compare(fixed, 4); // p1 p3 p5 p7 are 0 1 2 3: a component of one tuple
    compare(NULL, 0);
}

// --- products too large to list ---

// 1e20 combinations of 20 parameters; in each of ten pairs 55 of 100 are valid.
static void define_pairs(struct space_def *d)
{
    static char names[20][8], rules[10][24];
    for (size_t p = 0; p < 20; p++) {
        snprintf(names[p], sizeof names[p], "p%02zu", p);
        space_def_ints(d, names[p], "1 2 3 4 5 6 7 8 9 10");
    }
    for (size_t i = 0; i < 10; i++) {
        snprintf(rules[i], sizeof rules[i], "p%02zu <= p%02zu", i, i + 10);
        space_def_where(d, rules[i]);
    }
}

static void products_of_1e20_combinations_are_counted_and_indexed(void **state)
{
    (void)state;
    struct space_def d = {0};
    define_pairs(&d);
    struct hone_space *space = make(&d);
    uint64_t count = 1;
    for (size_t i = 0; i < 10; i++)
        count *= 55;
    assert_int_equal(hone_space_count(space), count);
    assert_true(hone_space_cartesian(space) == 1e20);
    uint64_t sample[500];
    struct hone_rng rng;
    hone_rng_seed(&rng, 7);
    assert_int_equal(hone_space_sample(space, &rng, sample, 500), 500);
    for (size_t i = 0; i < 500; i++) {
        uint16_t c[20];
        uint64_t index = 0;
        hone_space_choices(space, sample[i], c);
        for (size_t k = 0; k < 10; k++)
            assert_true(c[k] <= c[k + 10]);
        assert_int_equal(hone_space_index(space, c, &index), HONE_OK);
        assert_int_equal(index, sample[i]);
    }
    hone_space_free(space);
}

static void constraint_figures_sum_up_in_products(void **state)
{
    (void)state;
    struct space_def d = {0};
    define_pairs(&d);
    struct hone_space *space = make(&d);
    double removed = 0;
    for (size_t i = 0; i < 10; i++) {
        struct hone_constraint_info info;
        hone_space_constraint_info(space, i, &info);
        assert_true(info.alone == 45e18);
        assert_true(0 < info.removed && info.removed <= info.alone);
        removed += info.removed;
    }
    double expected = 1e20 - (double)hone_space_count(space);
    assert_true(removed > expected * (1 - 1e-12) && removed < expected * (1 + 1e-12));
    hone_space_free(space);
}

static void next_index_is_the_next_configuration(void **state)
{
    (void)state;
    struct space_def d = {0};
    define_pairs(&d);
    struct hone_space *space = make(&d);
    struct hone_rng rng;
    hone_rng_seed(&rng, 11);
    for (size_t i = 0; i < 2000; i++) {
        uint16_t a[20], b[20], p = 0;
        uint64_t index = hone_rng_below(&rng, hone_space_count(space) - 1);
        hone_space_choices(space, index, a);
        hone_space_choices(space, index + 1, b);
        while (p < 20 && a[p] == b[p])
            p++;
        assert_true(p < 20 && a[p] < b[p]);
    }
    hone_space_free(space);
}

static void neighbours_in_products_differ_in_one_parameter(void **state)
{
    (void)state;
    struct space_def d = {0};
    define_pairs(&d);
    struct hone_space *space = make(&d);
    uint64_t out[200], middle = hone_space_count(space) / 3;
    uint16_t own[20], other[20];
    hone_space_choices(space, middle, own);
    size_t expected = 0,
           count = hone_space_neighbours(space, middle, HONE_HAMMING, out, 200);
    for (size_t k = 0; k < 10; k++)
        expected += own[k + 10] + 9u - own[k]; // lower ones below the upper, and above
    assert_int_equal(count, expected);
    for (size_t i = 0; i < count; i++) {
        size_t differ = 0;
        hone_space_choices(space, out[i], other);
        for (size_t p = 0; p < 20; p++)
            differ += own[p] != other[p];
        assert_int_equal(differ, 1);
    }
    hone_space_free(space);
}

static void more_than_2_to_the_63_are_refused_with_figures(void **state)
{
    (void)state;
    struct space_def d = {0};
    define_pairs(&d);
    d.def.constraint_count = 0;
    struct hone_space *space = NULL;
    struct hone_error err = {0};
    assert_int_equal(hone_space_new(&space, space_def_get(&d), &err), HONE_ELIMIT);
    assert_null(space);
    assert_string_equal(err.text, "1e+20 of 1e+20 combinations are valid, at most "
                                  "9.223e+18 are supported: add constraints or take "
                                  "values away");
}

// Keys of 72 bits, whose runs end in either word.
static void wide_components_interleave_too(void **state)
{
    (void)state;
    static char names[24][8], rules[11][32];
    struct space_def d = {0};
    char numbers[256] = "";
    for (int i = 1; i <= 64; i++)
        snprintf(numbers + strlen(numbers), 8, "%d ", i);
    for (size_t p = 0; p < 24; p++) {
        snprintf(names[p], sizeof names[p], "p%02zu", p);
        space_def_ints(&d, names[p], p % 2 ? "1 2" : numbers);
    }
    for (size_t i = 0; i < 11; i++) {
        snprintf(rules[i], sizeof rules[i], "p%02zu <= p%02zu <= p%02zu + 1", 2 * i,
                 2 * i + 2, 2 * i);
        space_def_where(&d, rules[i]);
    }
    struct hone_space *space = make(&d);
    uint16_t before[24] = {0}, c[24];
    const uint64_t count = hone_space_count(space);
    for (uint64_t index = count / 2; index < count / 2 + 20000; index += 7) {
        uint64_t back = 0;
        hone_space_choices(space, index, c);
        assert_int_equal(hone_space_index(space, c, &back), HONE_OK);
        assert_int_equal(back, index);
        size_t p = 0;
        while (c[p] == before[p])
            p++;
        assert_true(c[p] > before[p]);
        memcpy(before, c, sizeof c);
    }
    hone_space_free(space);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(index_is_lexicographic_however_components_interleave),
    cmocka_unit_test(products_of_1e20_combinations_are_counted_and_indexed),
    cmocka_unit_test(constraint_figures_sum_up_in_products),
    cmocka_unit_test(next_index_is_the_next_configuration),
    cmocka_unit_test(neighbours_in_products_differ_in_one_parameter),
    cmocka_unit_test(more_than_2_to_the_63_are_refused_with_figures),
    cmocka_unit_test(wide_components_interleave_too),
};

HONE_TEST_MAIN(tests)
