/* Emitted headers as texts: golden copies, what makes no difference, what people read.
 * HONE_UPDATE_GOLDEN=1 rewrites the golden headers. */
#include "emit_goldens.h"

/* Golden headers leave out the arithmetic that the expression floor prints. */
static void cut_helpers(char *text)
{
    struct hone_strbuf helpers = HONE_STRBUF_INIT;
    struct hone_error err = {0};
    assert_ok(hone_expr_print_c_helpers(&helpers, &err), err);
    char *at = strstr(text, helpers.data);
    if (at) memmove(at, at + helpers.len, strlen(at + helpers.len) + 1);
    hone_strbuf_fini(&helpers);
}

static void headers_match_the_golden_files(void **state)
{
    (void)state;
    for (size_t i = 0; i < GOLDEN_COUNT; i++) {
        char path[512];
        struct hone_error err = {0};
        struct loaded loaded = load(goldens[i].journals);
        char *text = emit(&loaded, goldens[i].name), *expected = NULL;
        cut_helpers(text);
        snprintf(path, sizeof path, GOLDEN "%s.h", goldens[i].header);
        if (getenv("HONE_UPDATE_GOLDEN"))
            assert_ok(hone_file_write(path, text, strlen(text), &err), err);
        assert_ok(hone_file_read(&expected, NULL, path, &err), err);
        assert_string_equal(text, expected);
        free(expected);
        free(text);
        unload(&loaded);
    }
}

static void order_of_journals_does_not_show(void **state)
{
    (void)state;
    static const char *const orders[][4] = {
        {"sgemm_h200", "sgemm_h200_small", "sgemm_a100"},
        {"sgemm_h200", "sgemm_a100", "sgemm_h200_small"},
        {"sgemm_h200_small", "sgemm_h200", "sgemm_a100"},
        {"sgemm_h200_small", "sgemm_a100", "sgemm_h200"},
        {"sgemm_a100", "sgemm_h200", "sgemm_h200_small"},
        {"sgemm_a100", "sgemm_h200_small", "sgemm_h200"},
    };
    char *first = NULL;
    for (size_t i = 0; i < 6; i++) {
        struct loaded loaded = load(orders[i]);
        char *text = emit(&loaded, NULL);
        if (first) assert_string_equal(first, text);
        unload(&loaded);
        if (first)
            free(text);
        else
            first = text;
    }
    free(first);
}

static void rewritten_journal_gives_the_same_header(void **state)
{
    (void)state;
    char path[64];
    snprintf(path, sizeof path, "%s/j.jsonl", folder);
    static const char *const names[] = {"sgemm_h200", NULL};
    struct loaded loaded = load(names);
    struct hone_error err = {0};
    struct hone_journal *journal = NULL;
    const struct hone_recording *old = loaded.list[0];
    assert_ok(hone_journal_create(&journal, path, hone_recording_info(old), 0, &err),
              err);
    for (size_t i = hone_recording_count(old);
         i-- > 0;) { // and in another order of lines
        uint16_t choices[16];
        const struct hone_trial *trial = hone_recording_trial(old, i);
        hone_space_choices(hone_recording_space(old), trial->index, choices);
        assert_ok(hone_journal_append(journal, trial, choices, &err), err);
    }
    assert_ok(hone_journal_close(journal, &err), err);
    struct hone_recording *again = NULL;
    assert_ok(hone_recording_load(&again, path, &err), err);
    struct loaded rewritten = {.list = {again}, .count = 1};
    char *first = emit(&loaded, NULL), *second = emit(&rewritten, NULL);
    assert_string_equal(first, second);
    free(first);
    free(second);
    unload(&loaded);
    unload(&rewritten);
    unlink(path);
}

static size_t count_lines(const char *text)
{
    size_t lines = 0;
    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

/* Of the README's command, which tunes one size for one device: people read these. */
static void a_header_of_one_row_stays_short(void **state)
{
    (void)state;
    static const char *const names[] = {"sgemm_readme", NULL};
    static const struct {
        enum hone_emit_shape shape;
        size_t most;
    } shapes[] = {{HONE_SHAPE_TABLE, 150}, {HONE_SHAPE_MACROS, 30}};
    for (size_t i = 0; i < 2; i++) {
        const struct hone_emit_options options = {.accept_predicted = true,
                                                  .shape = shapes[i].shape};
        struct loaded loaded = load(names);
        struct hone_strbuf out = HONE_STRBUF_INIT;
        struct hone_error err = {0};
        assert_ok(hone_emit(&out, loaded.list, loaded.count, &options, &err), err);
        assert_non_null(strstr(out.data, "kernel sgemm"));
        assert_in_range(count_lines(out.data), 20, shapes[i].most);
        hone_strbuf_fini(&out);
        unload(&loaded);
    }
}

/* What the template is compiled with: the configuration and, of the problem, what the
 * script defines. A choice that all journals share stands in the options, anything else
 * is named, as the header serves more than one value of it. */
static void options_have_the_macros_of_the_problem(void **state)
{
    (void)state;
    static const char text[] =
        "{\"hone\":1,\"kind\":\"journal\",\"kernel\":\"k\",\"params\":[{\"name\":\"A\","
        "\"values\":[1,2]}],\"problem\":{\"N\":8,\"OUT\":\"unsigned char\",\"PAD\":true,"
        "\"TYPE\":\"f16\"},%s\"device\":{\"name\":\"NVIDIA H200\",\"limits\":{\"arch\":"
        "\"sm_90a\",\"cc_major\":9,\"cc_minor\":0,\"sm_count\":132}}}\n"
        "{\"config\":[2],\"outcome\":\"valid\",\"time_us\":2.5}\n";
    static const struct {
        const char *defines, *options, *others;
    } cases[] = {
        {"\"defines\":[\"OUT\",\"PAD\"],", "\"-DA=2 '-DOUT=unsigned char' -DPAD=1\"",
         " with"},
        {"\"defines\":[\"N\",\"TYPE\"],", "\"-DA=2 -DTYPE=f16\"", "-DN="},
        {"\"defines\":[],", "\"-DA=2\"", " with"},
        {"", "\"-DA=2\"", "script's defines"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int macros = 0; macros < 2; macros++) {
            const struct hone_emit_options options = {.shape = macros ? HONE_SHAPE_MACROS
                                                                      : HONE_SHAPE_TABLE};
            char journal[sizeof text + 64];
            struct hone_error err = {0};
            struct hone_strbuf out = HONE_STRBUF_INIT;
            snprintf(journal, sizeof journal, text, cases[i].defines);
            struct hone_recording *recording = recording_of(journal);
            const struct hone_recording *list[] = {recording};
            assert_ok(hone_emit(&out, list, 1, &options, &err), err);
            assert_non_null(strstr(out.data, cases[i].options));
            assert_true(macros || strstr(out.data, cases[i].others));
            assert_int_equal(strstr(out.data, "-DN=") != NULL, i == 1);
            assert_int_equal(strstr(out.data, "script's defines") != NULL, i == 3);
            hone_strbuf_fini(&out);
            hone_recording_free(recording);
        }
}

// A row is of what was measured, though something else was predicted to be faster.
static void predictions_among_measurements_make_no_row(void **state)
{
    (void)state;
    static const char text[] =
        "{\"hone\":1,\"kind\":\"journal\",\"kernel\":\"k\",\"params\":[{\"name\":\"A\","
        "\"values\":[1,2]}],\"problem\":{\"N\":8},\"device\":{\"name\":\"NVIDIA H200\","
        "\"limits\":{\"arch\":\"sm_90a\",\"cc_major\":9,\"cc_minor\":0,\"sm_count\":132}}"
        "}\n"
        "{\"config\":[1],\"outcome\":\"valid\",\"predicted_us\":1.5}\n"
        "{\"config\":[2],\"outcome\":\"valid\",\"time_us\":2.5}\n";
    struct loaded loaded = {.list = {recording_of(text)}, .count = 1};
    char *header = emit(&loaded, NULL);
    assert_non_null(strstr(header, " *   2.5 us"));
    assert_non_null(strstr(header, "\"-DA=2\""));
    free(header);
    unload(&loaded);
}

static void two_journals_of_one_place_make_one_row_of_the_faster(void **state)
{
    (void)state;
    static const char *const names[] = {"sgemm_h200", NULL};
    struct loaded loaded = load(names);
    char *alone = emit(&loaded, NULL);
    loaded.list[1] = loaded.list[0];
    loaded.count = 2;
    char *twice = emit(&loaded, NULL);
    assert_non_null(strstr(twice, "SGEMM_ROWS = 1 };"));
    assert_non_null(strstr(
        twice, "50 evaluated, 48 of them valid, of 96 in the space, in 2 journals"));
    assert_non_null(
        strstr(alone, "25 evaluated, 24 of them valid, of 96 in the space\n"));
    loaded.count = 1;
    free(alone);
    free(twice);
    unload(&loaded);
}

static void public_recording_gives_a_header(void **state)
{
    (void)state;
    const char *path = HONE_SOURCE_DIR "/../shared/recorded/convolution_milo_A100.jsonl";
    if (!hone_file_exists(path)) SKIP("no recordings here");
    struct hone_recording *recording = NULL;
    struct hone_error err = {0};
    assert_ok(hone_recording_load(&recording, path, &err), err);
    struct loaded loaded = {.list = {recording}, .count = 1};
    char *text = emit(&loaded, "conv");
    assert_non_null(strstr(text, "-Dblock_size_x=32 -Dblock_size_y=4 -Dtile_size_x=1 "
                                 "-Dtile_size_y=3"));
    assert_non_null(strstr(text, " *   553.6 us"));
    assert_non_null(
        strstr(text, "MEASURED: times are medians of n launches; clock event"));
    assert_null(strstr(text, "conv_grid"));
    free(text);
    unload(&loaded);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(headers_match_the_golden_files),
    cmocka_unit_test(order_of_journals_does_not_show),
    cmocka_unit_test(rewritten_journal_gives_the_same_header),
    cmocka_unit_test(a_header_of_one_row_stays_short),
    cmocka_unit_test(options_have_the_macros_of_the_problem),
    cmocka_unit_test(predictions_among_measurements_make_no_row),
    cmocka_unit_test(two_journals_of_one_place_make_one_row_of_the_faster),
    cmocka_unit_test(public_recording_gives_a_header),
};
HONE_TEST_MAIN_WITH(tests, make_folder, remove_folder)
