// What a finished space answers: lists, values, names, reports, random draws, neighbours.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "hone/rng.h"
#include "hone/space.h"
#include "hone_test.h"
#include "space_def.h"

static struct hone_space *build(struct space_def *d)
{
    struct hone_space *space = NULL;
    struct hone_error err = {0};
    assert_ok(hone_space_new(&space, space_def_get(d), &err), err);
    return space;
}

// --- lists ---

// 30 parameters of 8 values: keys of two words.
enum { WIDE = 30, ROWS = 500 };

static struct hone_space *wide_list(struct space_def *d, uint16_t (*rows)[WIDE])
{
    static char names[WIDE][8];
    struct hone_rng rng;
    hone_rng_seed(&rng, 5);
    for (size_t i = 0; i < WIDE; i++) {
        snprintf(names[i], sizeof names[i], "p%zu", i);
        space_def_ints(d, names[i], "1 2 3 4 5 6 7 8");
    }
    for (size_t row = 0; row < ROWS; row++) // few differ early, so that all words count
        for (size_t i = 0; i < WIDE; i++)
            rows[row][i] = (uint16_t)(hone_rng_below(&rng, i % 10 ? 1 + i / 12 : 8));
    struct hone_space *space = NULL;
    struct hone_error err = {0};
    assert_ok(hone_space_from_list(&space, d->params, WIDE, rows[0], ROWS, &err), err);
    return space;
}

static int compare_rows(const void *a, const void *b)
{
    const uint16_t *x = a, *y = b;
    for (size_t i = 0; i < WIDE; i++)
        if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
    return 0;
}

static void list_is_indexed_in_lexicographic_order(void **state)
{
    (void)state;
    static uint16_t rows[ROWS][WIDE];
    struct space_def d = {0};
    struct hone_space *space = wide_list(&d, rows);
    assert_int_equal(hone_space_count(space), ROWS);
    assert_int_equal(hone_space_constraint_count(space), 0);
    assert_int_equal(hone_space_name_count(space), WIDE);
    qsort(rows, ROWS, sizeof *rows, compare_rows);
    for (size_t i = 0; i < ROWS; i++) {
        uint16_t choices[WIDE];
        uint64_t index = 0;
        hone_space_choices(space, i, choices);
        assert_memory_equal(choices, rows[i], sizeof choices);
        assert_int_equal(hone_space_index(space, choices, &index), HONE_OK);
        assert_int_equal(index, i);
        choices[WIDE - 1] = 7; // given to no row
        assert_int_equal(hone_space_index(space, choices, &index), HONE_ENOTFOUND);
    }
    hone_space_free(space);
}

static void wide_constraints_agree_with_their_closed_form(void **state)
{
    (void)state;
    struct space_def d = {0};
    static char names[24][8], where[12][24];
    for (size_t i = 0; i < 24; i++) {
        snprintf(names[i], sizeof names[i], "p%zu", i);
        space_def_ints(&d, names[i], "1 2 3 4 5 6 7 8");
    }
    for (size_t i = 0; i < 12; i++) { // p0 == p12, ..: all but two pairs are also fixed
        snprintf(where[i], sizeof where[i], i < 10 ? "p%zu == p%zu - %d" : "p%zu == p%zu",
                 i, i + 12, 7);
        space_def_where(&d, where[i]);
    }
    struct hone_space *space = build(&d);
    assert_int_equal(hone_space_count(space), 64);
    assert_true(hone_space_cartesian(space) == pow(8, 24));
    for (uint64_t i = 0; i < 64; i++) {
        uint16_t choices[24];
        hone_space_choices(space, i, choices);
        for (size_t k = 0; k < 10; k++)
            assert_true(choices[k] == 0 && choices[k + 12] == 7);
        assert_int_equal(choices[10] * 8 + choices[11], i);
    }
    hone_space_free(space);
}

static void bad_lists_are_refused(void **state)
{
    (void)state;
    struct space_def d = {0};
    space_def_ints(&d, "BM", "16 32");
    space_def_ints(&d, "TM", "4 8 16");
    const uint16_t rows[] = {1, 2, 0, 1, 1, 0, 0, 1};
    struct hone_space *space = NULL;
    struct hone_error err = {0};
    assert_int_equal(hone_space_from_list(&space, d.params, 2, rows, 4, &err),
                     HONE_EINPUT);
    assert_string_equal(err.text, "configuration BM = 16, TM = 8 is listed twice");
    assert_null(space);
    err = (struct hone_error){0};
    const uint16_t beyond[] = {0, 0, 0, 3};
    assert_int_equal(hone_space_from_list(&space, d.params, 2, beyond, 2, &err),
                     HONE_EINPUT);
    assert_string_equal(err.text, "configuration 1 has value number 3 of parameter 'TM', "
                                  "which has 3 values");
}

static void empty_list_is_a_space_without_configurations(void **state)
{
    (void)state;
    struct space_def d = {0};
    space_def_ints(&d, "BM", "16 32");
    struct hone_space *space = NULL;
    struct hone_error err = {0};
    assert_ok(hone_space_from_list(&space, d.params, 1, NULL, 0, &err), err);
    assert_int_equal(hone_space_count(space), 0);
    uint16_t choice = 1;
    uint64_t index;
    assert_int_equal(hone_space_index(space, &choice, &index), HONE_ENOTFOUND);
    struct hone_rng rng;
    hone_rng_seed(&rng, 1);
    assert_int_equal(hone_space_sample(space, &rng, &index, 1), 0);
    hone_space_free(space);
}

static void single_configuration_has_index_0(void **state)
{
    (void)state;
    struct space_def d = {0};
    space_def_ints(&d, "A", "5");
    space_def_ints(&d, "B", "7");
    struct hone_space *space = build(&d);
    uint16_t choices[2] = {1, 1};
    uint64_t index = 9;
    assert_int_equal(hone_space_count(space), 1);
    hone_space_choices(space, 0, choices);
    assert_true(choices[0] == 0 && choices[1] == 0);
    assert_int_equal(hone_space_index(space, choices, &index), HONE_OK);
    assert_int_equal(index, 0);
    assert_int_equal(hone_space_neighbours(space, 0, HONE_HAMMING, &index, 1), 0);
    hone_space_free(space);
}

// --- values and names ---

static void choice_of_a_value_treats_1_and_1_0_as_equal(void **state)
{
    (void)state;
    struct space_def d = {0};
    struct hone_value values[] = {{.type = HONE_FLOAT, .f = 0.5},
                                  {.type = HONE_INT, .i = 1},
                                  {.type = HONE_BOOL, .b = true},
                                  {.type = HONE_STRING, .s = "row"}};
    space_def_values(&d, "MIX", values, 4);
    struct hone_space *space = build(&d);
    values[1] = (struct hone_value){.type = HONE_FLOAT, .f = 1.0};
    for (uint16_t i = 0; i < 4; i++) {
        uint16_t choice = 99;
        assert_int_equal(hone_space_choice_of(space, 0, values[i], &choice), HONE_OK);
        assert_int_equal(choice, i);
    }
    uint16_t choice = 99;
    struct hone_value absent = {.type = HONE_BOOL, .b = false};
    assert_int_equal(hone_space_choice_of(space, 0, absent, &choice), HONE_ENOTFOUND);
    assert_int_equal(choice, 99);
    hone_space_free(space);
}

static void names_are_parameters_then_derived_then_constants(void **state)
{
    (void)state;
    struct space_def d = {0};
    space_def_ints(&d, "BM", "16 32");
    space_def_ints(&d, "BN", "16 32");
    space_def_derive(&d, "AREA_2", "2 * AREA");
    space_def_derive(&d, "AREA", "BM * BN");
    space_def_derive(&d, "HALF_LIMIT", "device.limit // 2");
    space_def_constant(&d, "device.limit", 1000);
    space_def_where(&d, "AREA_2 <= HALF_LIMIT or BM == BN");
    struct hone_space *space = build(&d);
    d = (struct space_def){0}; // the space has copies
    static const char *const names[] = {"BM",   "BN",         "AREA_2",
                                        "AREA", "HALF_LIMIT", "device.limit"};
    assert_int_equal(hone_space_name_count(space), 6);
    for (size_t i = 0; i < 6; i++)
        assert_string_equal(hone_space_names(space)[i], names[i]);
    assert_int_equal(hone_space_count(space), 2);
    static const int64_t expected[2][6] = {{16, 16, 512, 256, 500, 1000},
                                           {32, 32, 2048, 1024, 500, 1000}};
    for (uint64_t index = 0; index < 2; index++) {
        struct hone_value slots[6];
        struct hone_error err = {0};
        assert_ok(hone_space_slots(space, index, slots, &err), err);
        for (size_t i = 0; i < 6; i++) {
            assert_int_equal(slots[i].type, HONE_INT);
            assert_int_equal(slots[i].i, expected[index][i]);
        }
    }
    hone_space_free(space);
}

static void derived_value_that_fails_is_reported_where_it_is_used(void **state)
{
    (void)state;
    struct space_def d = {0};
    space_def_ints(&d, "A", "0 2");
    space_def_derive(&d, "PART", "8 // A");
    struct hone_space *space = build(&d);
    struct hone_value slots[2];
    struct hone_error err = {0};
    assert_int_equal(hone_space_slots(space, 0, slots, &err), HONE_EINPUT);
    assert_string_equal(err.source, "space.lua");
    assert_int_equal(err.line, 10);
    assert_string_equal(err.text, "derived value 'PART': division by zero in '8 // A'");
    assert_int_equal(hone_space_slots(space, 1, slots, NULL), HONE_OK);
    assert_int_equal(slots[1].i, 4);
    hone_space_free(space);
}

// --- reports ---

static void failures_and_overflows_are_counted(void **state)
{
    (void)state;
    struct space_def d = {0};
    space_def_ints(&d, "A", "0 1 2 3");
    space_def_ints(&d, "B", "1 4611686018427387904");
    space_def_where(&d, "8 % A == 0");
    space_def_where(&d, "A * B > 0 or A * B <= 0");
    space_def_where(&d, "A ~= 0 and 8 % A == 0");
    struct hone_space *space = build(&d);
    struct hone_constraint_info info;
    hone_space_constraint_info(space, 0, &info);
    assert_int_equal(info.failed, 1);
    assert_int_equal(info.overflow, 0);
    assert_string_equal(info.first_failure, "division by zero in '8 % A'");
    assert_true(info.alone == 4 && info.removed == 4); // A is 0 or 3, two values of B
    hone_space_constraint_info(space, 1, &info);
    assert_int_equal(info.failed, 0);
    assert_int_equal(info.overflow, 1); // 2 * 2^62
    assert_true(info.alone == 0 && info.removed == 0);
    hone_space_constraint_info(space, 2, &info);
    assert_int_equal(info.failed, 0); // the guard comes first
    hone_space_free(space);
}

struct calls {
    size_t count;
    bool seen[5][5];
    bool repeated;
};

static enum hone_status sum_is_even(void *context, const struct hone_value *args,
                                    size_t count, bool *holds, struct hone_error *err)
{
    struct calls *calls = context;
    assert_int_equal(count, 2);
    calls->count++;
    if (calls->seen[args[0].i][args[1].i]) calls->repeated = true;
    calls->seen[args[0].i][args[1].i] = true;
    if (args[0].i == 4) return hone_fail(err, HONE_EINPUT, "four is right out");
    *holds = (args[0].i * 10 + args[1].i) % 2 == 0;
    return HONE_OK;
}

static void predicate_is_called_once_for_each_tuple(void **state)
{
    (void)state;
    struct space_def d = {0};
    const char *vars[] = {"C", "A"};
    struct calls calls = {0};
    space_def_ints(&d, "A", "0 1 2 3 4");
    space_def_ints(&d, "B", "0 1 2 3 4 5 6 7 8 9");
    space_def_ints(&d, "C", "0 1 2 3 4");
    space_def_where(&d, "A + B > 3");
    space_def_where(&d, "even");
    d.constraints[1].holds = sum_is_even;
    d.constraints[1].context = &calls;
    d.constraints[1].vars = vars;
    d.constraints[1].var_count = 2;
    struct hone_space *space = build(&d);
    assert_false(calls.repeated);
    assert_int_equal(calls.count, 25); // the count of "alone" needs them all
    struct hone_constraint_info info;
    hone_space_constraint_info(space, 1, &info);
    assert_int_equal(calls.count, 25);
    assert_true(info.alone == 10 * (2 * 5 + 3)); // A odd with any C, A even with C == 4
    assert_int_equal(info.failed, 5);
    assert_string_equal(info.first_failure, "four is right out");
    hone_space_free(space);
}

static enum hone_status sum_is_small(void *context, const struct hone_value *args,
                                     size_t count, bool *holds, struct hone_error *err)
{
    (void)context, (void)count, (void)err;
    *holds = args[0].i + args[1].i + args[2].i + args[3].i <= 40;
    return HONE_OK;
}

// 46^4 tuples: more than verdicts are remembered for.
static void large_scopes_are_searched_without_memory(void **state)
{
    (void)state;
    const char *vars[] = {"A", "B", "C", "D"};
    for (int predicate = 0; predicate < 2; predicate++) {
        struct space_def d = {0};
        char list[200] = "";
        for (int i = 1; i <= 46; i++)
            snprintf(list + strlen(list), sizeof list - strlen(list), "%d ", i);
        for (size_t i = 0; i < 4; i++)
            space_def_ints(&d, vars[i], list);
        space_def_where(&d, "A + B + C + D <= 40");
        if (predicate) d.constraints[0].holds = sum_is_small;
        d.constraints[0].vars = vars;
        d.constraints[0].var_count = 4;
        struct hone_space *space = build(&d);
        assert_int_equal(hone_space_count(space), 40 * 39 * 38 * 37 / 24);
        struct hone_constraint_info info;
        hone_space_constraint_info(space, 0, &info);
        assert_true(info.removed == 46 * 46 * 46 * 46 - 40 * 39 * 38 * 37 / 24);
        assert_true(predicate ? isnan(info.alone) : info.alone == info.removed);
        hone_space_free(space);
    }
}

// --- random draws ---

static struct hone_space *line_of(struct space_def *d, const char *values)
{
    space_def_ints(d, "A", values);
    return build(d);
}

// Chi-square of counts that should be equal.
static double chi_square(const size_t *counts, size_t n, double expected)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += pow((double)counts[i] - expected, 2) / expected;
    return sum;
}

static void check_sample(size_t draws)
{
    enum { N = 13, ROUNDS = 20000 };
    struct space_def d = {0};
    struct hone_space *space = line_of(&d, "0 1 2 3 4 5 6 7 8 9 10 11 12");
    struct hone_rng rng;
    hone_rng_seed(&rng, 11);
    size_t included[N] = {0}, first[N] = {0}, last[N] = {0};
    for (size_t round = 0; round < ROUNDS; round++) {
        uint64_t out[N];
        bool seen[N] = {false};
        assert_int_equal(hone_space_sample(space, &rng, out, draws), draws);
        for (size_t i = 0; i < draws; i++) {
            assert_true(out[i] < N && !seen[out[i]]);
            seen[out[i]] = true;
            included[out[i]]++;
        }
        first[out[0]]++;
        last[out[draws - 1]]++;
    }
    // 12 degrees of freedom: above 32.9 with a probability of 0.001 (a fixed seed decides
    // once). Being in or out varies less than being first: the bound holds all the more.
    assert_true(chi_square(included, N, (double)(ROUNDS * draws) / N) < 32.9);
    assert_true(chi_square(first, N, (double)ROUNDS / N) < 32.9);
    assert_true(chi_square(last, N, (double)ROUNDS / N) < 32.9);
    hone_space_free(space);
}

static void small_samples_are_uniform_and_distinct(void **state)
{
    (void)state;
    check_sample(1);
    check_sample(3);
}

static void large_samples_are_uniform_and_distinct(void **state)
{
    (void)state;
    check_sample(4);
    check_sample(12);
}

static void sample_of_all_is_a_permutation(void **state)
{
    (void)state;
    struct space_def d = {0};
    struct hone_space *space = line_of(&d, "1 2 3 4 5 6 7");
    struct hone_rng rng;
    hone_rng_seed(&rng, 2);
    uint64_t out[20];
    assert_int_equal(hone_space_sample(space, &rng, out, 20), 7);
    bool seen[7] = {false}, moved = false;
    for (size_t i = 0; i < 7; i++) {
        assert_false(seen[out[i]]);
        seen[out[i]] = true;
        moved = moved || out[i] != i;
    }
    assert_true(moved);
    assert_int_equal(hone_space_sample(space, &rng, out, 0), 0);
    hone_space_free(space);
}

static void sample_repeats_by_seed(void **state)
{
    (void)state;
    struct space_def d = {0};
    for (size_t i = 0; i < 4; i++)
        space_def_ints(&d, (const char *[]){"A", "B", "C", "D"}[i], "1 2 3 4 5 6 7 8 9");
    struct hone_space *space = build(&d);
    uint64_t one[100], two[100];
    struct hone_rng rng;
    hone_rng_seed(&rng, 3);
    hone_space_sample(space, &rng, one, 100);
    hone_rng_seed(&rng, 3);
    hone_space_sample(space, &rng, two, 100);
    assert_memory_equal(one, two, sizeof one);
    hone_space_sample(space, &rng, two, 100);
    assert_memory_not_equal(one, two, sizeof one);
    hone_space_free(space);
}

// --- neighbours ---

static void adjacent_neighbours_skip_what_is_forbidden(void **state)
{
    (void)state;
    struct space_def d = {0};
    space_def_ints(&d, "A", "1 2 3 4 5 6");
    space_def_ints(&d, "B", "1 2 3");
    space_def_where(&d, "A ~= 3 or B ~= 2");
    space_def_where(&d, "A ~= 5 or B ~= 2");
    struct hone_space *space = build(&d);
    uint64_t index = 0, out[8];
    assert_int_equal(hone_space_index(space, (uint16_t[]){3, 1}, &index), HONE_OK);
    assert_int_equal(hone_space_neighbours(space, index, HONE_ADJACENT, out, 8), 4);
    static const uint16_t expected[4][2] = {{1, 1}, {5, 1}, {3, 0}, {3, 2}};
    for (size_t i = 0; i < 4; i++) {
        uint16_t choices[2];
        hone_space_choices(space, out[i], choices);
        assert_memory_equal(choices, expected[i], sizeof choices);
    }
    hone_space_free(space);
}

static void neighbours_beyond_the_room_are_counted_only(void **state)
{
    (void)state;
    struct space_def d = {0};
    struct hone_space *space = line_of(&d, "1 2 3 4 5 6");
    uint64_t out[3] = {77, 77, 77};
    assert_int_equal(hone_space_neighbours(space, 2, HONE_HAMMING, out, 2), 5);
    assert_true(out[0] == 0 && out[1] == 1 && out[2] == 77);
    assert_int_equal(hone_space_neighbours(space, 2, HONE_ADJACENT, NULL, 0), 2);
    hone_space_free(space);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(list_is_indexed_in_lexicographic_order),
    cmocka_unit_test(wide_constraints_agree_with_their_closed_form),
    cmocka_unit_test(bad_lists_are_refused),
    cmocka_unit_test(empty_list_is_a_space_without_configurations),
    cmocka_unit_test(single_configuration_has_index_0),
    cmocka_unit_test(choice_of_a_value_treats_1_and_1_0_as_equal),
    cmocka_unit_test(names_are_parameters_then_derived_then_constants),
    cmocka_unit_test(derived_value_that_fails_is_reported_where_it_is_used),
    cmocka_unit_test(failures_and_overflows_are_counted),
    cmocka_unit_test(predicate_is_called_once_for_each_tuple),
    cmocka_unit_test(large_scopes_are_searched_without_memory),
    cmocka_unit_test(small_samples_are_uniform_and_distinct),
    cmocka_unit_test(large_samples_are_uniform_and_distinct),
    cmocka_unit_test(sample_of_all_is_a_permutation),
    cmocka_unit_test(sample_repeats_by_seed),
    cmocka_unit_test(adjacent_neighbours_skip_what_is_forbidden),
    cmocka_unit_test(neighbours_beyond_the_room_are_counted_only),
};

HONE_TEST_MAIN(tests)
