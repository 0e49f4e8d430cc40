// What a space refuses, word for word, and what ends its construction.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "hone/space.h"
#include "hone_test.h"
#include "space_def.h"
#include "space_internal.h"

// The error of a definition as "source:line: text".
static const char *refusal(struct space_def *d, enum hone_status expected)
{
    static char text[640];
    struct hone_space *space = NULL;
    struct hone_error err = {0};
    assert_int_equal(hone_space_new(&space, space_def_get(d), &err), expected);
    assert_null(space);
    assert_int_equal(err.code, expected);
    snprintf(text, sizeof text, "%s:%d: %s", err.source, err.line, err.text);
    return text;
}

// Definitions start from two parameters, one derived value and one constant.
static struct space_def basis(void)
{
    struct space_def d = {0};
    space_def_ints(&d, "BM", "16 32 64");
    space_def_ints(&d, "TM", "0 4 8");
    space_def_derive(&d, "THREADS", "BM * TM");
    space_def_constant(&d, "device.max_threads", 1024);
    return d;
}

static void bad_names_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *name, *error;
    } cases[] = {
        {"BM", "space.lua:1: parameter 'BM' is defined twice"},
        {"THREADS",
         "space.lua:10: 'THREADS' is defined as a parameter and as a derived value"},
        {"2x", "space.lua:1: the name of parameter '2x' is not an identifier"},
        {"a-b", "space.lua:1: the name of parameter 'a-b' is not an identifier"},
        {"a.b", "space.lua:1: the name of parameter 'a.b' is not an identifier"},
        {"", "space.lua:1: the name of parameter '' is not an identifier"},
        {NULL, "space.lua:1: the name of parameter '' is not an identifier"},
        {"end", "space.lua:1: the name of parameter 'end' is a keyword of Lua, C or C++"},
        {"int", "space.lua:1: the name of parameter 'int' is a keyword of Lua, C or C++"},
        {"class",
         "space.lua:1: the name of parameter 'class' is a keyword of Lua, C or C++"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct space_def d = basis();
        space_def_ints(&d, cases[i].name, "1 2");
        assert_string_equal(refusal(&d, HONE_EINPUT), cases[i].error);
    }
}

static void bad_derived_and_constant_names_are_refused(void **state)
{
    (void)state;
    struct space_def d = basis();
    space_def_derive(&d, "THREADS", "1");
    assert_string_equal(refusal(&d, HONE_EINPUT),
                        "space.lua:11: derived value 'THREADS' is defined twice");
    d = basis();
    space_def_derive(&d, "a b", "1");
    assert_string_equal(
        refusal(&d, HONE_EINPUT),
        "space.lua:11: the name of derived value 'a b' is not an identifier");
    d = basis();
    space_def_constant(&d, "TM", 1);
    assert_string_equal(refusal(&d, HONE_EINPUT),
                        "space.lua:1: 'TM' is defined as a parameter and as a constant");
    d = basis();
    space_def_constant(&d, "device..x", 1);
    assert_string_equal(
        refusal(&d, HONE_EINPUT),
        "space.lua:1: the name of constant 'device..x' is not an identifier");
    d = basis();
    space_def_constant(&d, "device.", 1);
    assert_string_equal(
        refusal(&d, HONE_EINPUT),
        "space.lua:1: the name of constant 'device.' is not an identifier");
}

static void bad_value_lists_are_refused(void **state)
{
    (void)state;
    struct space_def d = basis();
    space_def_ints(&d, "BN", "");
    assert_string_equal(refusal(&d, HONE_EINPUT),
                        "space.lua:1: parameter 'BN' has no values");
    d = basis();
    space_def_ints(&d, "BN", "4 1 2 4");
    assert_string_equal(refusal(&d, HONE_EINPUT),
                        "space.lua:1: parameter 'BN' lists the value 4 twice");
    d = basis();
    struct hone_value one[] = {{.type = HONE_INT, .i = 1}, {.type = HONE_FLOAT, .f = 1}};
    space_def_values(&d, "BN", one, 2);
    assert_non_null(strstr(refusal(&d, HONE_EINPUT), "parameter 'BN' lists the value 1"));
    d = basis();
    struct hone_value words[] = {{.type = HONE_STRING, .s = "row"},
                                 {.type = HONE_STRING, .s = "row"}};
    space_def_values(&d, "LAYOUT", words, 2);
    assert_string_equal(refusal(&d, HONE_EINPUT),
                        "space.lua:1: parameter 'LAYOUT' lists the value row twice");
    d = basis();
    struct hone_value infinite = {.type = HONE_FLOAT, .f = (double)INFINITY};
    space_def_values(&d, "BN", &infinite, 1);
    assert_string_equal(refusal(&d, HONE_EINPUT),
                        "space.lua:1: parameter 'BN' has a value that is not finite");
    d = basis();
    d.params[1].count = 65536;
    assert_string_equal(
        refusal(&d, HONE_ELIMIT),
        "space.lua:1: parameter 'TM' has 65536 values, at most 65535 are supported");
    d = (struct space_def){0};
    assert_string_equal(refusal(&d, HONE_EINPUT), "space.lua:1: there are no parameters");
}

static void values_of_different_types_are_distinct(void **state)
{
    (void)state;
    struct space_def d = basis();
    struct hone_value values[] = {
        {.type = HONE_INT, .i = 1},      {.type = HONE_BOOL, .b = true},
        {.type = HONE_STRING, .s = "1"}, {.type = HONE_FLOAT, .f = 1.5},
        {.type = HONE_BOOL, .b = false}, {.type = HONE_STRING, .s = ""}};
    space_def_values(&d, "MIX", values, 6);
    struct hone_space *space = NULL;
    struct hone_error err = {0};
    assert_ok(hone_space_new(&space, space_def_get(&d), &err), err);
    assert_int_equal(hone_space_count(space), 3 * 3 * 6);
    hone_space_free(space);
}

static void bad_expressions_name_their_constraint(void **state)
{
    (void)state;
    struct space_def d = basis();
    space_def_where(&d, "BM > 16 and TMM < 4");
    assert_string_equal(refusal(&d, HONE_EINPUT),
                        "space.lua:20: constraint 'BM > 16 and TMM < 4': "
                        "unknown variable 'TMM', did you mean 'TM'?");
    d = basis();
    space_def_where(&d, "quite_unlike_any == 1");
    assert_string_equal(refusal(&d, HONE_EINPUT),
                        "space.lua:20: constraint 'quite_unlike_any == 1': "
                        "unknown variable 'quite_unlike_any'");
    d = basis();
    space_def_where(&d, "BM >");
    const char *text = refusal(&d, HONE_EINPUT);
    assert_ptr_equal(strstr(text, "space.lua:20: constraint 'BM >': "), text);
    d = basis();
    d.constraints[0].line = 0; // then that of the table
    space_def_where(&d, "x > 1");
    d.constraints[0].line = 0;
    assert_string_equal(refusal(&d, HONE_EINPUT),
                        "space.lua:1: constraint 'x > 1': unknown variable 'x'");
}

static void long_constraints_are_cut_in_messages(void **state)
{
    (void)state;
    struct space_def d = basis();
    char text[400] = "BM > 0";
    while (strlen(text) < 300)
        strcat(text, " and BM > 0");
    strcat(text, " and x > 0");
    space_def_where(&d, text);
    const char *error = refusal(&d, HONE_EINPUT);
    assert_non_null(strstr(error, "BM > 0 and...': unknown variable 'x'"));
}

static void derived_cycles_are_named(void **state)
{
    (void)state;
    struct space_def d = basis();
    space_def_derive(&d, "X", "Y + 1");
    space_def_derive(&d, "Y", "BM + Z");
    space_def_derive(&d, "Z", "2 * Y");
    assert_string_equal(refusal(&d, HONE_EINPUT),
                        "space.lua:12: derived value 'Y' depends on itself: Y -> Z -> Y");
    d = basis();
    space_def_derive(&d, "X", "X");
    assert_string_equal(refusal(&d, HONE_EINPUT),
                        "space.lua:11: derived value 'X' depends on itself: X -> X");
}

enum { CHAIN_MOST = 10001 };

// Derived values D0 .. of which each but the last uses the next one, or uses it twice.
static struct hone_derived *chain_of(size_t count, bool twice)
{
    static struct hone_derived list[CHAIN_MOST];
    static char texts[CHAIN_MOST][40], names[CHAIN_MOST][8];
    for (size_t i = 0; i < count; i++) {
        snprintf(names[i], sizeof *names, "D%zu", i);
        snprintf(texts[i], sizeof *texts, "D%zu %% 1000", i + 1);
        if (twice) snprintf(texts[i], sizeof *texts, "D%zu %% 1000 + D%zu", i + 1, i + 1);
        if (i + 1 == count) strcpy(texts[i], "BM");
        list[i] = (struct hone_derived){
            .name = names[i], .text = texts[i], .line = 10 + (int)i};
    }
    return list;
}

static struct hone_space_def *chain_def(struct space_def *d, struct hone_derived *list,
                                        size_t count)
{
    space_def_get(d);
    d->def.derived = list;
    d->def.derived_count = count;
    return &d->def;
}

static void too_long_chains_of_derived_values_are_refused(void **state)
{
    (void)state;
    enum { COUNT = CHAIN_MOST, MOST = COUNT - 1 };
    struct space_def d = {0};
    struct hone_space *space = NULL;
    struct hone_error err = {0};
    struct hone_derived *list = chain_of(COUNT, false);
    space_def_ints(&d, "BM", "1 2 3");
    space_def_where(&d, "D0 ~= 7");
    assert_int_equal(hone_space_new(&space, chain_def(&d, list, COUNT), &err),
                     HONE_EINPUT);
    assert_string_equal(err.text,
                        "derived value 'D10000' ends a chain of more than 10000 derived "
                        "values that each use the next: write some of them out");
    assert_int_equal(err.line, 10010);
    list = chain_of(MOST, false);
    assert_ok(hone_space_new(&space, chain_def(&d, list, MOST), &err), err);
    hone_space_free(space);
}

// Written out, the first of them has 2^60 nodes.
static void doubling_derived_values_take_little(void **state)
{
    (void)state;
    enum { COUNT = 60 };
    struct space_def d = {0};
    struct hone_space *space = NULL;
    struct hone_error err = {0};
    struct hone_derived *list = chain_of(COUNT, true);
    space_def_ints(&d, "BM", "1 2 3");
    space_def_ints(&d, "BN", "1 2 3");
    space_def_where(&d, "D0 % 2 == BN % 2");
    assert_ok(hone_space_new(&space, chain_def(&d, list, COUNT), &err), err);
    assert_int_equal(hone_space_count(space), 3);
    hone_space_free(space);
}

// Looked for one name after the other, a run of this takes a quarter of an hour.
static void half_a_million_derived_values_are_found_by_their_names(void **state)
{
    (void)state;
    enum { COUNT = 500000 };
    struct space_def d = {0};
    struct hone_space *space = NULL;
    struct hone_error err = {0};
    struct hone_derived *list = calloc(COUNT, sizeof *list);
    char(*texts)[2][16] = calloc(COUNT, sizeof *texts);
    assert_true(list && texts);
    for (size_t i = 0; i < COUNT; i++) {
        snprintf(texts[i][0], sizeof texts[i][0], "D%zu", i);
        snprintf(texts[i][1], sizeof texts[i][1], "D%zu + 1", i / 2);
        list[i] = (struct hone_derived){
            .name = texts[i][0], .text = i ? texts[i][1] : "BM", .line = 10};
    }
    space_def_ints(&d, "BM", "1 2 3");
    space_def_where(&d, "D499999 > 20");
    assert_ok(hone_space_new(&space, chain_def(&d, list, COUNT), &err), err);
    assert_int_equal(hone_space_count(space), 2);
    hone_space_free(space);
    free(texts);
    free(list);
}

static void bad_derived_values_are_named(void **state)
{
    (void)state;
    struct space_def d = basis();
    space_def_derive(&d, "WARPS", "THREAD // 32");
    assert_string_equal(refusal(&d, HONE_EINPUT),
                        "space.lua:11: derived value 'WARPS': "
                        "unknown variable 'THREAD', did you mean 'THREADS'?");
    d = basis();
    space_def_derive(&d, "NONE", "0");
    space_def_derive(&d, "BAD", "device.max_threads // NONE");
    assert_string_equal(refusal(&d, HONE_EINPUT),
                        "space.lua:12: derived value 'BAD': "
                        "division by zero in 'device.max_threads // NONE'");
}

static void empty_space_names_the_constraint_that_emptied_it(void **state)
{
    (void)state;
    struct space_def d = basis();
    space_def_where(&d, "BM >= 32");
    space_def_where(&d, "TM > 0");
    space_def_where(&d, "BM < 32");
    space_def_where(&d, "BM == 17");
    assert_string_equal(refusal(&d, HONE_EINPUT),
                        "space.lua:22: no configuration is valid: "
                        "constraint 'BM < 32' rejects all that are left");
    d = basis();
    space_def_where(&d, "device.max_threads > 2048");
    assert_string_equal(
        refusal(&d, HONE_EINPUT),
        "space.lua:20: no configuration is valid: "
        "constraint 'device.max_threads > 2048' rejects all that are left");
    d = basis();
    space_def_where(&d, "BM % (TM - TM) == 0");
    assert_string_equal(refusal(&d, HONE_EINPUT),
                        "space.lua:20: no configuration is valid: "
                        "constraint 'BM % (TM - TM) == 0' rejects all that are left "
                        "(division by zero in 'BM % (TM - TM)')");
    d = basis();
    space_def_derive(&d, "RATIO", "BM // (TM - TM)");
    space_def_where(&d, "RATIO > 0");
    assert_string_equal(refusal(&d, HONE_EINPUT),
                        "space.lua:20: no configuration is valid: "
                        "constraint 'RATIO > 0' rejects all that are left "
                        "(derived value 'RATIO': division by zero in 'BM // (TM - TM)')");
}

// --- predicates ---

static enum hone_status out_of_time(void *context, const struct hone_value *args,
                                    size_t count, bool *holds, struct hone_error *err)
{
    (void)context, (void)args, (void)count, (void)holds;
    return hone_fail(err, HONE_ELIMIT, "the function ran 1000000 instructions");
}

static void unknown_predicate_variable_is_refused(void **state)
{
    (void)state;
    const char *vars[] = {"BM", "TN"};
    struct space_def d = basis();
    space_def_where(&d, "fits");
    d.constraints[0].holds = out_of_time;
    d.constraints[0].vars = vars;
    d.constraints[0].var_count = 2;
    assert_string_equal(refusal(&d, HONE_EINPUT),
                        "space.lua:20: constraint 'fits': "
                        "unknown variable 'TN', did you mean 'TM'?");
}

static void failing_world_ends_construction(void **state)
{
    (void)state;
    const char *vars[] = {"BM"};
    struct space_def d = basis();
    space_def_where(&d, "fits");
    d.constraints[0].holds = out_of_time;
    d.constraints[0].vars = vars;
    d.constraints[0].var_count = 1;
    assert_string_equal(refusal(&d, HONE_ELIMIT),
                        "space.lua:20: constraint 'fits': "
                        "the function ran 1000000 instructions");
}

// --- limits ---

static void too_many_configurations_are_refused(void **state)
{
    (void)state;
    struct space_def d = basis();
    struct hone_space *space = NULL;
    struct hone_error err = {0};
    assert_ok(hone_space_new(&space, space_def_get(&d), &err), err);
    double count;
    struct hone_keys keys;
    size_t counts[] = {3, 3};
    assert_ok(hone_keys_init(&keys, counts, 2, &err), err);
    const size_t params[] = {0, 1};
    struct hone_walk job = {.params = params,
                            .param_count = 2,
                            .keys = &keys,
                            .max_count = 9,
                            .max_steps = 1000};
    assert_ok(hone_walk(space, &job, &count, &err), err);
    assert_int_equal(keys.count, 9);
    keys.count = 0;
    job.max_count = 8;
    assert_int_equal(hone_walk(space, &job, &count, &err), HONE_ELIMIT);
    assert_string_equal(err.text, "more than 8 of 9 combinations are valid: "
                                  "add constraints or take values away");
    hone_keys_fini(&keys);
    hone_space_free(space);
}

static void too_long_a_search_is_given_up(void **state)
{
    (void)state;
    struct space_def d = basis();
    space_def_where(&d, "BM * TM > 0");
    struct hone_space *space = NULL;
    struct hone_error err = {0};
    assert_ok(hone_space_new(&space, space_def_get(&d), &err), err);
    double count;
    const size_t params[] = {0, 1};
    const struct hone_check *const checks[] = {space->checks};
    struct hone_walk job = {.params = params,
                            .param_count = 2,
                            .checks = checks,
                            .check_count = 1,
                            .max_steps = 9};
    assert_ok(hone_walk(space, &job, &count, &err),
              err); // 3 * 3 combinations tried at once
    assert_true(count == 6);
    job.max_steps = 8;
    assert_int_equal(hone_walk(space, &job, &count, &err), HONE_ELIMIT);
    assert_string_equal(err.text, "gave up the search of 9 combinations after 8 steps: "
                                  "constraints over fewer parameters prune earlier");
    hone_space_free(space);
}

static void too_wide_configurations_are_refused(void **state)
{
    (void)state;
    enum { COUNT = 2049 };
    static char names[COUNT][8];
    static struct hone_param params[COUNT];
    static const struct hone_value values[] = {{.type = HONE_BOOL}, {.type = HONE_INT}};
    for (size_t i = 0; i < COUNT; i++) {
        snprintf(names[i], sizeof names[i], "p%zu", i);
        params[i] = (struct hone_param){.name = names[i], .values = values, .count = 2};
    }
    struct hone_space *space = NULL;
    struct hone_error err = {0};
    assert_int_equal(hone_space_from_list(&space, params, COUNT, NULL, 0, &err),
                     HONE_ELIMIT);
    assert_string_equal(err.text, "the values of 2049 parameters need 2112 bits, "
                                  "at most 2048 are supported");
    err = (struct hone_error){0};
    assert_ok(hone_space_from_list(&space, params, COUNT - 1, NULL, 0, &err), err);
    hone_space_free(space);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(bad_names_are_refused),
    cmocka_unit_test(bad_derived_and_constant_names_are_refused),
    cmocka_unit_test(bad_value_lists_are_refused),
    cmocka_unit_test(values_of_different_types_are_distinct),
    cmocka_unit_test(bad_expressions_name_their_constraint),
    cmocka_unit_test(long_constraints_are_cut_in_messages),
    cmocka_unit_test(derived_cycles_are_named),
    cmocka_unit_test(too_long_chains_of_derived_values_are_refused),
    cmocka_unit_test(doubling_derived_values_take_little),
    cmocka_unit_test(half_a_million_derived_values_are_found_by_their_names),
    cmocka_unit_test(bad_derived_values_are_named),
    cmocka_unit_test(empty_space_names_the_constraint_that_emptied_it),
    cmocka_unit_test(unknown_predicate_variable_is_refused),
    cmocka_unit_test(failing_world_ends_construction),
    cmocka_unit_test(too_many_configurations_are_refused),
    cmocka_unit_test(too_long_a_search_is_given_up),
    cmocka_unit_test(too_wide_configurations_are_refused),
};

HONE_TEST_MAIN(tests)
