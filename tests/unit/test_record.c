/* Journals: exact form, findings, resuming, recordings. */
#include "record_fixture.h"

#include <math.h>

#include "hone/strbuf.h"

static void journal_has_the_documented_form(void **state)
{
    (void)state;
    write_small(2, 0);
    char *text = contents();
    assert_string_equal(
        text,
        "{\"hone\":1,\"kind\":\"journal\",\"kernel\":\"toy\",\"params\":["
        "{\"name\":\"BM\",\"values\":[32,64]},{\"name\":\"MODE\",\"values\":[\"row\","
        "\"col\"]},"
        "{\"name\":\"SCALE\",\"values\":[0.5,2.0]},{\"name\":\"SWAP\",\"values\":[false,"
        "true]}],"
        "\"problem\":{\"M\":4096,\"alpha\":1.0},\"device\":{\"name\":\"NVIDIA H200\","
        "\"id\":\"cuda:0\",\"driver\":\"570.1\"},\"clock\":\"cupti\",\"objective\":"
        "\"time_us\","
        "\"complete\":false,\"template\":\"toy.cu\",\"template_hash\":\"aa\","
        "\"space_hash\":\"bb\",\"options_hash\":\"cc\",\"hone_version\":\"0.1.0\","
        "\"nvrtc_version\":\"13.0\",\"box\":\"process "
        "time\",\"verified\":\"reference\",\"strategy\":\"random\",\"entry\":"
        "\"toy\","
        "\"launch\":{\"shared\":\"BM * 4\",\"grid\":[\"ceil_div(M, BM)\"],"
        "\"block\":[\"THREADS\",null,\"2\"],\"cluster\":[\"BM // 64\",null,\"1\"],"
        "\"cooperative\":true,\"dependent\":true},\"work\":{\"flops\":\"2 * "
        "M\",\"bytes\":\"4 "
        "* M\"},"
        "\"seed\":\"18446744073709551615\",\"space_count\":16,\"default\":[64,\"row\",2."
        "0,false],"
        "\"derived\":[{\"name\":\"THREADS\",\"text\":\"BM * 2\",\"line\":7}],"
        "\"args\":[{\"kind\":\"input\",\"name\":\"A\",\"dtype\":\"f32\",\"size\":\"M * "
        "BM\"}]}\n"
        "{\"config\":[32,\"row\",0.5,false],\"outcome\":\"valid\",\"time_us\":553.6,"
        "\"rel_std\":0.004712,\"build_ms\":918.6,\"n\":32}\n"
        "{\"config\":[64,\"col\",2.0,true],\"outcome\":\"crashed\","
        "\"reason\":\"illegal \\\"address\\\"\\n\"}\n");
    free(text);
}

static const struct hone_waiver two_waivers[] = {
    {.finding = HONE_FINDING_RACE, .file = "k.cu", .line = 120, .reason = "any will do"},
    {.finding = HONE_FINDING_UNWRITTEN, .buffer = "A", .reason = "padding"}};

static void a_journal_says_what_was_found_and_what_was_waived(void **state)
{
    (void)state;
    struct hone_error err = {0};
    struct hone_journal *journal = NULL;
    struct hone_record_info info = small_info();
    info.waivers = two_waivers;
    info.waiver_count = 2;
    assert_ok(hone_journal_create(&journal, path, &info, 0, &err), err);
    struct hone_trial trial = hone_trial_make(0, HONE_CRASHED);
    trial.found = &(const struct hone_found){HONE_FINDING_OUT_OF_BOUNDS, .line = 7,
                                             .file = "k.cu", .buffer = "A"};
    trial.waived = (const uint32_t[HONE_WAIVER_MAX]){0, 3};
    assert_ok(hone_journal_append(journal, &trial, choices_of[0], &err), err);
    assert_ok(hone_journal_close(journal, &err), err);
    char *text = contents();
    assert_non_null(strstr(
        text,
        ",\"waive\":[{\"finding\":\"race\",\"at\":\"k.cu:120\",\"reason\":\"any will "
        "do\"},{\"finding\":\"unwritten\",\"buffer\":\"A\",\"reason\":\"padding\"}]}\n"));
    assert_non_null(strstr(text, "\"outcome\":\"crashed\",\"waived\":[{\"waiver\":2,"
                                 "\"count\":3}],\"finding\":\"out_of_bounds\",\"place\":"
                                 "\"k.cu:7\",\"buffer\":\"A\"}\n"));
    free(text);
}

// In the journal, which has it.
static void replace_first(const char *from, const char *to)
{
    char *text = contents();
    struct hone_strbuf changed = HONE_STRBUF_INIT;
    size_t before = 0;
    while (strncmp(text + before, from, strlen(from)) != 0)
        assert_true(text[before++]);
    hone_strbuf_printf(&changed, "%.*s%s%s", (int)before, text, to,
                       text + before + strlen(from));
    write_text(changed.data, changed.len);
    hone_strbuf_fini(&changed);
    free(text);
}

// A finding of a later version is one that this program does not know.
static void broken_findings_of_a_journal_are_refused(void **state)
{
    static const struct {
        const char *from, *to, *message;
    } cases[] = {
        {"\"waive\":[", "\"waive\":[{},", "'waive' must be a list of waivers with"},
        {"\"waive\":[{", "\"waive\":{\"a\":[{", NULL},
        {"k.cu:120", "k.cu:0", "'waive' must be a list of waivers with"},
        {"k.cu:120", "120", "'waive' must be a list of waivers with"},
        {"\"waiver\":2", "\"waiver\":17", "'waived' must be a list of"},
        {"\"waiver\":2", "\"waiver\":0", "'waived' must be a list of"},
        {"\"count\":3", "\"count\":0", "'waived' must be a list of"},
        {"out_of_bounds", "from_the_future", ""},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        a_journal_says_what_was_found_and_what_was_waived(NULL);
        struct hone_error err = {0};
        struct hone_recording *recording = NULL;
        replace_first(cases[i].from, cases[i].to);
        enum hone_status status = hone_recording_load(&recording, path, &err);
        if (cases[i].message && !*cases[i].message)
            assert_ok(status, err);
        else
            assert_int_equal(status, HONE_EINPUT);
        if (cases[i].message && *cases[i].message)
            assert_non_null(strstr(err.text, cases[i].message));
        hone_recording_free(recording);
        unlink(path);
    }
}

// It had left the low bits of its line, beside no file.
static void a_place_beyond_all_files_is_none(void **state)
{
    (void)state;
    a_journal_says_what_was_found_and_what_was_waived(NULL);
    replace_first("k.cu:7", "k.cu:4294967299");
    struct hone_recording *recording = load();
    const struct hone_found *found = hone_recording_trial(recording, 0)->found;
    assert_int_equal(found->finding, HONE_FINDING_OUT_OF_BOUNDS);
    assert_int_equal(found->line, 0);
    assert_string_equal(found->file, "");
    hone_recording_free(recording);
    unlink(path);
}

static void journal_of_no_trials_loads(void **state)
{
    (void)state;
    write_small(0, 0);
    struct hone_recording *recording = load();
    assert_int_equal(hone_recording_count(recording), 0);
    assert_int_equal(hone_space_count(hone_recording_space(recording)), 0);
    assert_null(hone_recording_find(recording, 0));
    assert_string_equal(hone_recording_notice(recording), "");
    assert_string_equal(hone_recording_path(recording), path);
    hone_recording_free(recording);
}

static void figures_that_are_unknown_are_left_out(void **state)
{
    (void)state;
    struct hone_error err = {0};
    struct hone_journal *journal = NULL;
    struct hone_record_info info = small_info();
    assert_ok(hone_journal_create(&journal, path, &info, HONE_JOURNAL_SYNC, &err), err);
    struct hone_trial trial = hone_trial_make(0, HONE_REJECTED);
    trial.build_ms = INFINITY;
    trial.metric_count = 1;
    trial.metrics = &(const struct hone_metric){"ipc", NAN};
    trial.reason = "cut \xc3 here \xc3\xa9";
    assert_ok(hone_journal_append(journal, &trial, choices_of[0], &err), err);
    char *text = contents(); // synced: stands there before the journal is closed
    const char *line = text + strcspn(text, "\n") + 1;
    assert_string_equal(line,
                        "{\"config\":[32,\"row\",0.5,false],\"outcome\":\"rejected\","
                        "\"metrics\":{},\"reason\":\"cut ? here \xc3\xa9\"}\n");
    free(text);
    trial = hone_trial_make(0, HONE_VALID);
    assert_int_equal(hone_journal_append(journal, &trial, choices_of[0], &err),
                     HONE_EINPUT);
    assert_ok(hone_journal_close(journal, NULL), err);
}

static void what_json_cannot_hold_is_refused(void **state)
{
    (void)state;
    struct hone_error err = {0};
    struct hone_journal *journal = NULL;
    struct hone_record_info info = small_info();
    info.device_name = "\xff";
    assert_int_equal(hone_journal_create(&journal, path, &info, 0, &err), HONE_EINPUT);
    assert_string_equal(
        err.text, "'name' cannot be written to a journal: it is not finite or not UTF-8");
    assert_false(hone_file_exists(path));
}

static void trials_are_found_by_their_index(void **state)
{
    (void)state;
    write_small(4, 0);
    struct hone_recording *recording = load();
    const struct hone_space *space = hone_recording_space(recording);
    assert_int_equal(hone_space_count(space), 4);
    for (size_t i = 0; i < 4; i++) {
        uint64_t index = 99;
        assert_int_equal(hone_space_index(space, choices_of[i], &index), HONE_OK);
        const struct hone_trial *trial = hone_recording_trial(recording, i);
        assert_int_equal(trial->index, index);
        assert_ptr_equal(hone_recording_find(recording, index), trial);
    }
    assert_null(hone_recording_find(recording, 4));
    hone_recording_free(recording);
}

/* --- resuming --- */

static void resumed_journal_equals_one_written_at_once(void **state)
{
    (void)state;
    write_small(4, 0);
    char *whole = contents();
    size_t header = strcspn(whole, "\n") + 1;
    struct hone_record_info info = small_info();
    for (size_t cut = header; cut <= strlen(whole); cut += 13) {
        struct hone_error err = {0};
        struct hone_journal *journal = NULL;
        struct hone_recording *done = NULL;
        write_text(whole, cut);
        assert_ok(hone_journal_resume(&journal, &done, path, &info, 0, &err), err);
        for (size_t i = hone_recording_count(done); i < 4; i++) {
            struct hone_trial trial = small_trial(i);
            assert_ok(hone_journal_append(journal, &trial, choices_of[i], &err), err);
        }
        assert_ok(hone_journal_close(journal, &err), err);
        hone_recording_free(done);
        char *text = contents();
        assert_string_equal(text, whole);
        free(text);
    }
    free(whole);
}

static void line_without_its_newline_is_kept_when_resuming(void **state)
{
    (void)state;
    write_small(1, 0);
    char *text = contents();
    write_text(text, strlen(text) - 1);
    struct hone_error err = {0};
    struct hone_journal *journal = NULL;
    struct hone_recording *done = NULL;
    struct hone_record_info info = small_info();
    assert_ok(hone_journal_resume(&journal, &done, path, &info, 0, &err), err);
    assert_int_equal(hone_recording_count(done), 1);
    assert_ok(hone_journal_close(journal, &err), err);
    char *again = contents();
    assert_string_equal(again, text);
    hone_recording_free(done);
    free(again);
    free(text);
}

static void refuse_resume(const struct hone_record_info *info, const char *difference)
{
    struct hone_error err = {0};
    struct hone_journal *journal = NULL;
    struct hone_recording *done = NULL;
    assert_int_equal(hone_journal_resume(&journal, &done, path, info, 0, &err),
                     HONE_EINPUT);
    assert_null(journal);
    assert_null(done);
    if (!strstr(err.text, difference)) fail_msg("%s", err.text);
}

static void resume_names_the_first_difference(void **state)
{
    (void)state;
    write_small(1, 0);
    char *before = contents();
    struct hone_record_info info = small_info();
    info.kernel = "other";
    refuse_resume(&info, "its kernel is \"toy\", now it is \"other\"");
    info = small_info();
    struct hone_param other[4];
    memcpy(other, params, sizeof other);
    struct hone_value values[] = {{.type = HONE_INT, .i = 32},
                                  {.type = HONE_INT, .i = 128}};
    other[0].values = values;
    info.params = other;
    refuse_resume(&info, "its params[0].values[1] is 64, now it is 128");
    info = small_info();
    info.problem_count = 1;
    refuse_resume(&info, "its problem.alpha is 1.0, now it is absent");
    info = small_info();
    info.device_name = "NVIDIA A100";
    refuse_resume(&info, "its device.name is \"NVIDIA H200\", now it is \"NVIDIA A100\"");
    info.space_hash = "of another device"; // what differs with it says less
    refuse_resume(&info, "its device.name is \"NVIDIA H200\", now it is \"NVIDIA A100\"");
    info = small_info();
    info.clock = NULL;
    refuse_resume(&info, "its clock is \"cupti\", now it is absent");
    info = small_info();
    info.template_hash = "ab";
    refuse_resume(&info,
                  "its template_hash is \"aa\", now it is \"ab\": the template, or ");
    char *after = contents();
    assert_string_equal(before, after);
    info = small_info(); // strategy, seed and driver may differ
    info.strategy = "grid";
    info.seed = 1;
    info.driver = NULL;
    struct hone_error err = {0};
    struct hone_journal *journal = NULL;
    struct hone_recording *done = NULL;
    assert_ok(hone_journal_resume(&journal, &done, path, &info, 0, &err), err);
    assert_ok(hone_journal_close(journal, &err), err);
    hone_recording_free(done);
    free(before);
    free(after);
}

/* --- the trials that others are compared with --- */

// A journal of the small kernel with these costs; below 0: the configuration crashed.
static struct hone_recording *costing(const double *costs, const uint32_t *ranks,
                                      size_t count)
{
    struct hone_error err = {0};
    struct hone_journal *journal = NULL;
    struct hone_record_info info = small_info();
    unlink(path); // of the case before
    assert_ok(hone_journal_create(&journal, path, &info, 0, &err), err);
    for (size_t i = 0; i < count; i++) {
        struct hone_trial trial =
            hone_trial_make(0, costs[i] < 0 ? HONE_CRASHED : HONE_VALID);
        if (costs[i] >= 0) trial.time_us = costs[i];
        trial.final.rank = ranks[i];
        trial.final.ratio = 1;
        trial.final.rounds = 5;
        assert_ok(hone_journal_append(journal, &trial, choices_of[i], &err), err);
    }
    assert_ok(hone_journal_close(journal, &err), err);
    return load();
}

static void the_best_is_the_winner_of_finals_else_the_cheapest(void **state)
{
    static const struct {
        double costs[4];
        uint32_t ranks[4];
        int best; // its line, -1: none
    } cases[] = {
        {{30, 20, 10, 40}, {0}, 2},
        {{30, 20, 10, 40}, {0, 0, 1, 2}, 2},
        {{10, 20, 30, 40}, {0, 0, 1, 2}, 2}, // it won, though another was lucky before
        {{10, 20, 30, 40}, {0, 1, 0, 0}, 0}, // the search went on after the finals
        {{30, -1, 20, 40}, {0}, 2},
        {{30, 10, 20, 10}, {0}, 3}, // of equals the lower index
        {{-1, -1, -1, -1}, {0}, -1},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct hone_recording *recording = costing(cases[i].costs, cases[i].ranks, 4);
        const struct hone_trial *best = hone_recording_best(recording);
        if (cases[i].best < 0)
            assert_null(best);
        else
            assert_ptr_equal(best,
                             hone_recording_trial(recording, (size_t)cases[i].best));
        hone_recording_free(recording);
    }
    struct hone_recording *empty = costing(NULL, NULL, 0);
    assert_null(hone_recording_best(empty));
    hone_recording_free(empty);
}

static void the_default_is_found_whatever_became_of_it(void **state)
{
    static const double valid[] = {30, 20, 10, 40}, crashed[] = {30, 20, 10, -1};
    static const uint32_t ranks[4];
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct hone_recording *recording = costing(i ? crashed : valid, ranks, 4);
        const struct hone_trial *base = hone_recording_default(recording);
        assert_ptr_equal(base, hone_recording_trial(recording, 3));
        assert_int_equal(base->outcome, i ? HONE_CRASHED : HONE_VALID);
        hone_recording_free(recording);
    }
    struct hone_recording *without = costing(valid, ranks, 3);
    assert_null(hone_recording_default(without));
    hone_recording_free(without);
    struct hone_error err = {0};
    struct hone_journal *journal = NULL;
    struct hone_record_info info = small_info();
    info.defaults = NULL;
    unlink(path);
    assert_ok(hone_journal_create(&journal, path, &info, 0, &err), err);
    assert_ok(hone_journal_close(journal, &err), err);
    without = load();
    assert_null(hone_recording_default(without));
    hone_recording_free(without);
}

/* --- public recordings --- */

static void public_recordings_load_with_their_counts(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        size_t count, valid;
    } files[] = {
        {"convolution_milo_A100", 4362, 4201},
        {"convolution_milo_A6000", 4362, 3889},
        {"convolution_milo_MI250X", 4362, 4362},
        {"convolution_milo_W6600", 4362, 4362},
        {"convolution_RTX_3090", 6768, 5220},
        {"convolution_RTX_3060_laptop", 6768, 5220},
        {"convolution_RTX_Titan", 6768, 5256},
        {"dedispersion_milo_A100", 11130, 11130},
        {"dedispersion_milo_A4000", 11130, 11130},
        {"dedispersion_milo_MI250X", 11130, 11130},
        {"dedispersion_milo_W6600", 11130, 11130},
        {"gemm_RTX_3090", 17956, 17956},
        {"gemm_RTX_2080_Ti", 17956, 17956},
        {"hotspot_A4000_sampled", 1660, 1660},
    };
    if (!hone_file_exists(HONE_SOURCE_DIR "/../shared/recorded"))
        SKIP("no recordings here");
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char name[512];
        snprintf(name, sizeof name, HONE_SOURCE_DIR "/../shared/recorded/%s.jsonl",
                 files[i].name);
        struct hone_recording *recording = NULL;
        struct hone_error err = {0};
        assert_ok(hone_recording_load(&recording, name, &err), err);
        size_t valid = 0, count = hone_recording_count(recording);
        for (size_t t = 0; t < count; t++)
            valid += hone_recording_trial(recording, t)->outcome == HONE_VALID;
        assert_int_equal(count, files[i].count);
        assert_int_equal(valid, files[i].valid);
        assert_int_equal(hone_space_count(hone_recording_space(recording)), count);
        assert_string_equal(hone_recording_info(recording)->problem[0].name, "size_0");
        hone_recording_free(recording);
    }
}

static void sample_files_are_no_journals(void **state)
{
    (void)state;
    const char *name = HONE_SOURCE_DIR "/../shared/recorded/samples/gemm_RTX_3090.jsonl";
    if (!hone_file_exists(name)) SKIP("no recordings here");
    struct hone_recording *recording = NULL;
    struct hone_error err = {0};
    assert_int_equal(hone_recording_load(&recording, name, &err), HONE_EINPUT);
    assert_string_equal(err.text, "not a journal: its kind is 'samples'");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_teardown(journal_has_the_documented_form, clean),
    cmocka_unit_test_teardown(a_journal_says_what_was_found_and_what_was_waived, clean),
    cmocka_unit_test_teardown(broken_findings_of_a_journal_are_refused, clean),
    cmocka_unit_test_teardown(a_place_beyond_all_files_is_none, clean),
    cmocka_unit_test_teardown(journal_of_no_trials_loads, clean),
    cmocka_unit_test_teardown(figures_that_are_unknown_are_left_out, clean),
    cmocka_unit_test_teardown(what_json_cannot_hold_is_refused, clean),
    cmocka_unit_test_teardown(trials_are_found_by_their_index, clean),
    cmocka_unit_test_teardown(resumed_journal_equals_one_written_at_once, clean),
    cmocka_unit_test_teardown(line_without_its_newline_is_kept_when_resuming, clean),
    cmocka_unit_test_teardown(resume_names_the_first_difference, clean),
    cmocka_unit_test_teardown(the_best_is_the_winner_of_finals_else_the_cheapest, clean),
    cmocka_unit_test_teardown(the_default_is_found_whatever_became_of_it, clean),
    cmocka_unit_test(public_recordings_load_with_their_counts),
    cmocka_unit_test(sample_files_are_no_journals),
};
HONE_TEST_MAIN_WITH(tests, setup, teardown)
