/* One journal of several problems: each is read as a recording of its own. */
#include "record_fixture.h"

#include "hone/strbuf.h"
#include "record/problem_list.h"

static const struct hone_value sizes[3][2] = {
    {{.type = HONE_INT, .i = 4096}, {.type = HONE_FLOAT, .f = 1.0}},
    {{.type = HONE_INT, .i = 512}, {.type = HONE_FLOAT, .f = 1.0}},
    {{.type = HONE_INT, .i = 1}, {.type = HONE_FLOAT, .f = 0.5}}};
static const struct hone_record_problem problems[] = {
    {sizes[0], 1}, {sizes[1], 2.5}, {sizes[2], 1}};
static const char *const vars[] = {"BM", "MODE"};
static const struct hone_record_constraint where[] = {{.text = "M % BM == 0"},
                                                      {.vars = vars, .var_count = 2}};

static struct hone_record_info several_info(void)
{
    struct hone_record_info info = small_info();
    info.problems = problems;
    info.problems_count = 3;
    info.where = where;
    info.where_count = 2;
    return info;
}

static void append(struct hone_journal *journal, size_t of, size_t config, double time_us)
{
    struct hone_error err = {0};
    struct hone_trial trial = hone_trial_make(0, HONE_VALID);
    trial.time_us = time_us;
    hone_journal_set_problem(journal, of);
    assert_ok(hone_journal_append(journal, &trial, choices_of[config], &err), err);
}

static void begin(struct hone_journal *journal, size_t of, size_t config, bool left)
{
    struct hone_error err = {0};
    hone_journal_set_problem(journal, of);
    assert_ok(hone_journal_begin(journal, choices_of[config], left, &err), err);
}

static void write_several(void)
{
    struct hone_error err = {0};
    struct hone_journal *journal = NULL;
    struct hone_record_info info = several_info();
    assert_ok(hone_journal_create(&journal, path, &info, 0, &err), err);
    append(journal, 0, 0, 10);
    append(journal, 2, 0, 30);
    append(journal, 2, 1, 31);
    append(journal, 0, 2, 11);
    append(journal, 2, 0, 29);
    begin(journal, 0, 3, false);
    begin(journal, 2, 3, false);
    begin(journal, 2, 2, false);
    begin(journal, 2, 2, true);
    append(journal, 1, 3, 20);
    assert_ok(hone_journal_close(journal, &err), err);
}

static double cost_of(const struct hone_recording *recording, size_t config)
{
    uint64_t index;
    if (hone_space_index(hone_recording_space(recording), choices_of[config], &index))
        return 0;
    return hone_recording_find(recording, index)->time_us;
}

static void each_problem_is_a_recording(void **state)
{
    (void)state;
    write_several();
    struct hone_recording *recording = load();
    static const size_t counts[] = {2, 1, 2};
    static const double costs[3][4] = {{10, 0, 11, 0}, {0, 0, 0, 20}, {29, 31, 0, 0}};
    assert_int_equal(hone_recording_problem_count(recording), 3);
    assert_ptr_equal(hone_recording_problem(recording, 0), recording);
    for (size_t p = 0; p < 3; p++) {
        const struct hone_recording *part = hone_recording_problem(recording, p);
        const struct hone_record_info *info = hone_recording_info(part);
        assert_int_equal(hone_recording_count(part), counts[p]);
        assert_true(hone_value_same(info->problem[0].value, sizes[p][0]));
        assert_true(hone_value_same(info->problem[1].value, sizes[p][1]));
        assert_true(info->weight == problems[p].weight);
        assert_string_equal(info->problem[0].name, "M");
        for (size_t c = 0; c < 4; c++)
            assert_true(cost_of(part, c) == costs[p][c]);
    }
    hone_recording_free(recording);
}

static void what_was_begun_belongs_to_its_problem(void **state)
{
    (void)state;
    write_several();
    struct hone_recording *recording = load();
    static const size_t counts[] = {1, 0, 1};
    for (size_t p = 0; p < 3; p++) {
        const struct hone_recording *part = hone_recording_problem(recording, p);
        assert_int_equal(hone_recording_begun_count(part), counts[p]);
        if (!counts[p]) continue;
        assert_memory_equal(hone_recording_begun(part, 0)->choices, choices_of[3],
                            sizeof choices_of[3]);
    }
    hone_recording_free(recording);
}

static void constraints_are_kept(void **state)
{
    (void)state;
    write_several();
    struct hone_recording *recording = load();
    const struct hone_record_info *info = hone_recording_info(recording);
    assert_int_equal(info->where_count, 2);
    assert_string_equal(info->where[0].text, "M % BM == 0");
    assert_null(info->where[1].text);
    assert_int_equal(info->where[1].var_count, 2);
    assert_string_equal(info->where[1].vars[1], "MODE");
    hone_recording_free(recording);
}

static void resuming_goes_on_with_every_problem(void **state)
{
    (void)state;
    write_several();
    struct hone_journal *journal = NULL;
    struct hone_recording *done = NULL;
    struct hone_error err = {0};
    struct hone_record_info info = several_info();
    assert_ok(hone_journal_resume(&journal, &done, path, &info, 0, &err), err);
    append(journal, 1, 0, 21);
    assert_ok(hone_journal_close(journal, &err), err);
    hone_recording_free(done);
    done = load();
    assert_true(cost_of(hone_recording_problem(done, 1), 0) == 21);
    assert_true(cost_of(hone_recording_problem(done, 2), 0) == 29);
    hone_recording_free(done);
    info.problems_count = 2;
    assert_int_equal(hone_journal_resume(&journal, &done, path, &info, 0, &err),
                     HONE_EINPUT);
    assert_non_null(strstr(err.text, "its problems"));
}

static void refuse(const char *lines, int line, const char *message)
{
    struct hone_recording *recording = NULL;
    struct hone_error err = {0};
    write_text(lines, strlen(lines));
    assert_int_equal(hone_recording_load(&recording, path, &err), HONE_EINPUT);
    if (!strstr(err.text, message)) fail_msg("%s", err.text);
    assert_int_equal(err.line, line);
}

#define HEAD(more)                                                                       \
    "{\"hone\":1,\"kind\":\"journal\",\"kernel\":\"k\",\"params\":[{\"name\":\"X\","     \
    "\"values\":[1,2]}]" more "}\n"

static void bad_problems_are_refused(void **state)
{
    (void)state;
    refuse(HEAD(",\"problem\":{\"M\":1},\"problems\":[{\"N\":1}]"), 1,
           "'problems' must be objects with every size of 'problem'");
    refuse(HEAD(",\"problem\":{\"M\":1},\"problems\":[{\"M\":2}]"), 1,
           "'problem' must be the first of 'problems'");
    refuse(HEAD(",\"problem\":{\"M\":1},\"problems\":[{\"M\":1,\"weight\":0}]"), 1,
           "'weight' must be a number above 0");
    refuse(HEAD(",\"where\":[7]"), 1, "'where' must be expressions");
    refuse(
        HEAD("") "{\"config\":[1],\"outcome\":\"valid\",\"time_us\":3,\"problem\":1}\n",
        2, "'problem' must be a number below 1");
    refuse(HEAD("") "{\"begun\":[1],\"problem\":-1}\n", 2,
           "'problem' must be a number below 1");
}

/* --- lists of problems in files --- */

static const struct hone_constant names[] = {{"LAYOUT", {.type = HONE_STRING, .s = "nn"}},
                                             {"M", {.type = HONE_INT, .i = 7}},
                                             {"alpha", {.type = HONE_FLOAT, .f = 1}}};

static void lists_hold_lines_of_words_and_of_json(void **state)
{
    (void)state;
    struct hone_problem_list list = {0};
    struct hone_error err = {0};
    static const char text[] = "# sizes\n\n  M=512 weight=2\n{\"M\":64,\"alpha\":2}\r\n"
                               "alpha=0.5 LAYOUT=tn # and so on\n{\"M\":512}\n"
                               "M=1\nM=2\nM=3\nM=4\nM=5\nM=6\nM=8\nM=9";
    static const int64_t m[] = {512, 64, 7, 1, 2, 3, 4, 5, 6, 8, 9};
    write_text(text, strlen(text));
    assert_ok(hone_problem_list_read(&list, path, names, 3, &err), err);
    assert_int_equal(list.count, 11);
    for (size_t i = 0; i < list.count; i++) {
        assert_int_equal(list.items[i].values[1].i, m[i]);
        assert_true(list.items[i].weight == (i ? 1 : 3)); // 512 stands twice
    }
    assert_true(list.items[1].values[2].f == 2);
    assert_string_equal(list.items[2].values[0].s, "tn");
    assert_string_equal(list.items[0].values[0].s, "nn");
    hone_problem_list_fini(&list);
}

// Compared with each other they would take hours.
static void lists_may_be_as_long_as_their_file(void **state)
{
    (void)state;
    enum { LINES = 1000000 };
    struct hone_strbuf text = HONE_STRBUF_INIT;
    struct hone_problem_list list = {0};
    struct hone_error err = {0};
    for (int i = 0; i < LINES; i++)
        hone_strbuf_printf(&text, i % 4 == 3 ? "M=%d alpha=-0.0\n" : "M=%d alpha=0\n",
                           i % 4 == 3 ? i - 1 : i);
    write_text(text.data, text.len);
    assert_ok(hone_problem_list_read(&list, path, names, 3, &err), err);
    assert_int_equal(list.count, LINES / 4 * 3);
    assert_true(list.items[2].weight == 2);
    assert_int_equal(list.items[list.count - 1].values[1].i, LINES - 2);
    hone_problem_list_fini(&list);
    hone_strbuf_fini(&text);
}

static void bad_lists_are_refused_with_their_line(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int line;
        const char *message;
    } cases[] = {
        {"", 0, "no problem in this file"},
        {"# nothing\n\n", 0, "no problem in this file"},
        {"M=1\nP=2\n", 2, "the kernel has no problem size 'P'"},
        {"m=1\n", 1, "the kernel has no problem size 'm'; did you mean 'M'?"},
        {"M=1.5\n", 1, "problem size 'M' is an integer, got '1.5'"},
        {"M=3,N=4\n", 1, "problem size 'M' is an integer, got '3,N=4'"},
        {"\n{\"M\":\"a\"}\n", 2, "problem size 'M' is an integer, got 'a'"},
        {"M\n", 1, "NAME=VALUE is wanted, got 'M'"},
        {"M=1 weight=0\n", 1, "a number above 0 is wanted for 'weight'"},
        {"M=1 weight=many\n", 1, "a number above 0 is wanted for 'weight'"},
        {"{\"M\":[1]}\n", 1, "no number, text or boolean for 'M'"},
        {"{\"M\":1\n", 1, "expected"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct hone_problem_list list = {0};
        struct hone_error err = {0};
        write_text(cases[i].text, strlen(cases[i].text));
        assert_int_equal(hone_problem_list_read(&list, path, names, 3, &err),
                         HONE_EINPUT);
        if (!strstr(err.text, cases[i].message)) fail_msg("%s", err.text);
        assert_int_equal(err.line, cases[i].line);
        hone_problem_list_fini(&list);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_teardown(lists_may_be_as_long_as_their_file, clean),
    cmocka_unit_test_teardown(each_problem_is_a_recording, clean),
    cmocka_unit_test_teardown(what_was_begun_belongs_to_its_problem, clean),
    cmocka_unit_test_teardown(constraints_are_kept, clean),
    cmocka_unit_test_teardown(resuming_goes_on_with_every_problem, clean),
    cmocka_unit_test_teardown(bad_problems_are_refused, clean),
    cmocka_unit_test_teardown(lists_hold_lines_of_words_and_of_json, clean),
    cmocka_unit_test_teardown(bad_lists_are_refused_with_their_line, clean),
};
HONE_TEST_MAIN_WITH(tests, setup, teardown)
