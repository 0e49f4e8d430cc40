// Warnings are kept once each, in the order in which they came.
#include <pthread.h>

#include <jansson.h>

#include "hone_test.h"
#include "report/warnings.h"

static void a_warning_is_new_once(void **state)
{
    (void)state;
    struct hone_warnings warnings = HONE_WARNINGS_INIT;
    char text[] = "a.lua:3: one";
    assert_true(hone_warnings_add(&warnings, text));
    assert_true(hone_warnings_add(&warnings, "two \xff"));
    assert_false(hone_warnings_add(&warnings, "a.lua:3: one"));
    text[0] = 'b'; // it is a copy that is kept
    assert_true(hone_warnings_add(&warnings, text));
    json_t *list = hone_warnings_json(&warnings);
    assert_int_equal(json_array_size(list), 3);
    assert_string_equal(json_string_value(json_array_get(list, 0)), "a.lua:3: one");
    assert_string_equal(json_string_value(json_array_get(list, 1)), "two ?");
    assert_string_equal(json_string_value(json_array_get(list, 2)), "b.lua:3: one");
    json_decref(list);
    hone_warnings_fini(&warnings);
}

enum { THREADS = 4, LINES = 100 };

struct adder {
    struct hone_warnings *warnings;
    size_t fresh;
};

static void *add_all(void *context)
{
    struct adder *adder = context;
    for (int i = 0; i < LINES; i++) {
        char line[32];
        snprintf(line, sizeof line, "line %d", i);
        adder->fresh += hone_warnings_add(adder->warnings, line);
    }
    return NULL;
}

static void of_threads_one_is_the_first(void **state)
{
    (void)state;
    struct hone_warnings warnings = HONE_WARNINGS_INIT;
    pthread_t threads[THREADS];
    struct adder adders[THREADS];
    size_t fresh = 0;
    for (int i = 0; i < THREADS; i++) {
        adders[i] = (struct adder){.warnings = &warnings};
        assert_int_equal(pthread_create(&threads[i], NULL, add_all, &adders[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        fresh += adders[i].fresh;
    }
    assert_int_equal(fresh, LINES);
    assert_int_equal(warnings.count, LINES);
    hone_warnings_fini(&warnings);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_warning_is_new_once),
    cmocka_unit_test(of_threads_one_is_the_first),
};
HONE_TEST_MAIN(tests)
