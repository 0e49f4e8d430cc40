// The traps of other tuners' files, one by one, and files with random damage.
#include <math.h>

#include "hone/exchange.h"
#include "hone/rng.h"
#include "hone/strbuf.h"
#include "record_fixture.h"
#include "space/trial_keep.h"

#define HEAD                                                                             \
    "{\n\"device_name\": \"GPU\",\n\"kernel_name\": \"k\",\n\"problem_size\": [8, 4],\n" \
    "\"tune_params_keys\": [\"x\", \"b\", \"s\"],\n"                                     \
    "\"tune_params\": {\"x\": [1, 2], \"b\": [true, false], \"s\": [\"lo\", \"hi\"]},\n" \
    "\"objective\": \"GFLOP/s\",\n\"cache\": {\n"
#define ENTRY(key, x, b, s, rest)                                                        \
    "\"" key "\": {\"x\": " x ", \"b\": " b ", \"s\": \"" s "\", " rest "}"

static struct hone_import *import_text(const char *text)
{
    struct hone_import *import = NULL;
    struct hone_error err = {0};
    write_text(text, strlen(text));
    assert_ok(hone_import_load(&import, path, &(struct hone_import_options){0}, &err),
              err);
    return import;
}

// The journal that the text becomes.
static struct hone_recording *journal_of(const char *text, size_t lost)
{
    struct hone_import *import = import_text(text);
    struct hone_error err = {0};
    assert_int_equal(hone_import_lost(import), lost);
    unlink(path);
    assert_ok(hone_import_write(import, path, &err), err);
    hone_import_free(import);
    return load();
}

static struct hone_arena said; // by trials whose recording is gone

static struct hone_trial trial_of(const char *rest)
{
    char text[2048];
    snprintf(text, sizeof text, HEAD "%s%s}}}", "\"2,True,hi\": {\"x\": 2, \"b\": true, ",
             rest);
    struct hone_recording *recording = journal_of(text, 0);
    assert_int_equal(hone_recording_count(recording), 1);
    struct hone_trial trial = *hone_recording_trial(recording, 0);
    struct hone_error err = {0};
    assert_ok(hone_trial_keep(&trial, &said, &err), err);
    hone_recording_free(recording);
    return trial;
}

static void expect_note(const struct hone_import *import, size_t i,
                        struct hone_import_note expected)
{
    const struct hone_import_note note = hone_import_note(import, i);
    assert_int_equal(note.line, expected.line);
    if (!strstr(note.text, expected.text))
        fail_msg("'%s' is not '%s'", note.text, expected.text);
}

static void milliseconds_become_microseconds(void **state)
{
    (void)state;
    struct hone_trial t = trial_of("\"s\": \"hi\", \"time\": 2.5, \"times\": [2, 3], "
                                   "\"compile_time\": 40, \"benchmark_time\": 7, "
                                   "\"verification_time\": 1");
    assert_int_equal(t.outcome, HONE_VALID);
    assert_true(fabs(t.time_us - 2500) < 1e-6);
    assert_int_equal(t.samples, 2);
    assert_true(fabs(t.rel_std - 0.2) < 1e-9);
    assert_true(fabs(t.build_ms - 40) < 1e-9);
    assert_true(fabs(t.evaluate_ms - 8) < 1e-9);
}

static void nested_samples_give_the_time_where_it_is_absent(void **state)
{
    (void)state;
    struct hone_trial t =
        trial_of("\"s\": \"hi\", \"times\": [[0, 2.0], [0, 4.0]], \"GFLOP/s\": 9.5");
    assert_true(fabs(t.time_us - 3000) < 1e-6);
    assert_int_equal(t.samples, 2);
}

static void words_and_huge_times_are_failures(void **state)
{
    (void)state;
    static const struct {
        const char *time;
        enum hone_outcome outcome;
    } cases[] = {
        {"\"time\": \"CompilationFailedConfig\"", HONE_BUILD_FAILED},
        {"\"time\": \"RuntimeFailedConfig\"", HONE_LAUNCH_FAILED},
        {"\"time\": \"InvalidConfig\"", HONE_REJECTED},
        {"\"GFLOP/s\": \"InvalidConfig\"", HONE_REJECTED},
        {"\"time\": 1e20", HONE_LAUNCH_FAILED},
        {"\"time\": Infinity", HONE_LAUNCH_FAILED},
        {"\"time\": NaN, \"times\": [Infinity]", HONE_LAUNCH_FAILED},
        {"\"times\": [1, 1e20]", HONE_LAUNCH_FAILED},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char rest[128];
        snprintf(rest, sizeof rest, "\"s\": \"hi\", %s", cases[i].time);
        struct hone_trial t = trial_of(rest);
        assert_int_equal(t.outcome, cases[i].outcome);
        assert_true(isnan(t.time_us));
        assert_string_not_equal(t.reason, "");
    }
}

static void unsound_entries_are_named_and_the_others_kept(void **state)
{
    (void)state;
    struct hone_import *
        import = import_text(HEAD ENTRY("1,True,lo", "1", "true", "lo", "\"time\": 1.0") ",\n" ENTRY("1,True,hi", "2", "true", "hi", "\"time\": 1.0") ",\n" ENTRY(
            "3,True,hi", "3", "true", "hi",
            "\"time\": 1.0") ",\n" ENTRY("2,True,hi", "2", "true", "hi",
                                         "\"time\": -1.0") ",\n" ENTRY("2,True,lo",
                                                                       "2", "true", "lo",
                                                                       "\"time\": 9, "
                                                                       "\"times\": [1, "
                                                                       "2]") ",\n" ENTRY("2,"
                                                                                         "Fal"
                                                                                         "se,"
                                                                                         "hi",
                                                                                         "2",
                                                                                         "fal"
                                                                                         "se",
                                                                                         "hi",
                                                                                         "\"t"
                                                                                         "ime"
                                                                                         "\":"
                                                                                         " ["
                                                                                         "}") ",\n" ENTRY("2,False,lo",
                                                                                                          "2",
                                                                                                          "false",
                                                                                                          "lo",
                                                                                                          "\"times\": []") ",\n" ENTRY("1,False,lo",
                                                                                                                                       "1",
                                                                                                                                       "false",
                                                                                                                                       "lo",
                                                                                                                                       "\"time\": 2.0") "}}");
    static const struct hone_import_note notes[] = {
        {10, "entry '1,True,hi': its values are not those of its key"},
        {11, "entry '3,True,hi': 3 is no value of parameter 'x'"},
        {12, "entry '2,True,hi': its time is not above 0"},
        {13, "entry '2,True,lo': its 'time' lies outside of its 'times'"},
        {14, "entry '2,False,hi': "},
        {15, "entry '2,False,lo': it has no time"},
    };
    assert_int_equal(hone_import_count(import), 2);
    assert_int_equal(hone_import_lost(import), 6);
    assert_int_equal(hone_import_note_count(import), 6);
    for (size_t i = 0; i < 6; i++)
        expect_note(import, i, notes[i]);
    hone_import_free(import);
}

static void a_t4_file_in_seconds_is_read(void **state)
{
    (void)state;
    struct hone_recording *recording = journal_of(
        "{\"metadata\": {\"timeunit\": \"seconds\"}, \"results\": [\n"
        "{\"configuration\": {\"x\": 4}, \"invalidity\": \"correct\", \"times\": "
        "{\"runtimes\": [0.5]}, \"measurements\": []},\n"
        "{\"configuration\": {\"x\": 2}, \"invalidity\": \"timeout\"},\n"
        "{\"configuration\": {\"x\": 8}, \"invalidity\": \"correctness\"}]}",
        0);
    assert_int_equal(hone_recording_count(recording), 3);
    assert_true(fabs(hone_recording_trial(recording, 0)->time_us - 5e5) < 1e-3);
    assert_int_equal(hone_recording_trial(recording, 1)->outcome, HONE_TIMED_OUT);
    assert_int_equal(hone_recording_trial(recording, 2)->outcome, HONE_WRONG_RESULT);
    const struct hone_param *x = hone_space_param(hone_recording_space(recording), 0);
    assert_int_equal(x->values[0].i, 2);
    hone_recording_free(recording);
}

// As doubles the first two are one; the list is long enough for what compares each with
// each to take seconds.
static void values_of_a_list_are_told_apart_exactly(void **state)
{
    (void)state;
    struct hone_import *import =
        import_text("{\"tune_params\": {\"x\": [9007199254740992, 9007199254740993, 1, "
                    "1.0, \"1\", true, 1]}}");
    assert_int_equal(hone_import_note_count(import), 5);
    assert_string_equal(hone_import_note(import, 0).text,
                        "parameter 'x' lists 1.0 twice");
    assert_string_equal(hone_import_note(import, 1).text, "parameter 'x' lists 1 twice");
    hone_import_free(import);
    import = import_text("{\"ConfigurationSpace\": {\"TuningParameters\": [{\"Name\": "
                         "\"x\", \"Values\": \"range(65535)\"}]}}");
    assert_int_equal(hone_import_note_count(import), 0);
    hone_import_free(import);
}

static void what_others_take_for_a_failure_is_not_exported(void **state)
{
    (void)state;
    static const char text[] =
        "{\"hone\":1,\"kind\":\"journal\",\"kernel\":\"k\",\"params\":[{\"name\":"
        "\"x\",\"values\":[1,2]}],\"problem\":{},\"objective\":\"time_us\"}\n"
        "{\"config\":[1],\"outcome\":\"valid\",\"time_us\":1e23}\n";
    struct hone_error err = {0};
    struct hone_strbuf out = HONE_STRBUF_INIT;
    write_text(text, sizeof text - 1);
    struct hone_recording *recording = load();
    assert_int_equal(hone_export(&out, recording, HONE_FORMAT_T4, &err), HONE_EINPUT);
    assert_non_null(strstr(err.text, "holds a time of 1e+23 us; other tuners take"));
    assert_int_equal(out.len, 0);
    hone_strbuf_fini(&out);
    hone_recording_free(recording);
}

static void a_damaged_journal_gives_its_sound_lines(void **state)
{
    (void)state;
    struct hone_recording *recording = journal_of(
        "{\"hone\":1,\"kind\":\"journal\",\"kernel\":\"k\",\"params\":[{\"name\":\"x\","
        "\"values\":[1,2]}],\"problem\":{},\"device\":{\"name\":\"g\"},\"clock\":"
        "\"event\","
        "\"objective\":\"time_us\",\"complete\":true}\n"
        "{\"config\":[1],\"outcome\":\"valid\",\"time_us\":5}\n"
        "{\"config\":[1],\"outc\n"
        "{\"config\":[7],\"outcome\":\"valid\",\"time_us\":5}\n"
        "{\"config\":[2],\"outcome\":\"crashed\"}\n",
        2);
    assert_int_equal(hone_recording_count(recording), 2);
    assert_false(hone_recording_info(recording)->complete);
    hone_recording_free(recording);
}

static const char
    sound[] =
        HEAD
            ENTRY("1,True,lo", "1", "true", "lo", "\"time\": 1.0, \"times\": [[0, 1.0]]") ",\n" ENTRY(
                "2,True,hi", "2", "true", "hi",
                "\"time\": \"InvalidConfig\"") ",\n" ENTRY("2,False,hi", "2", "false",
                                                           "hi", "\"time\": NaN") "}}";
static const char sound_t4[] =
    "{\"metadata\": {}, \"results\": [\n{\"configuration\": {\"x\": 4, \"s\": \"a\"}, "
    "\"times\": {\"runtimes\": [1, 2]}, \"invalidity\": \"correct\", \"measurements\": "
    "[{\"name\": \"time\", \"value\": 1.5, \"unit\": \"ms\"}]},\n{\"configuration\": "
    "{\"x\": 2, \"s\": \"b\"}, \"invalidity\": \"compile\"}]}";

static const char sound_t1[] =
    "{\"ConfigurationSpace\": {\"TuningParameters\": [\n{\"Name\": \"x\", \"Values\": "
    "\"[1] + [2**i for i in range(1, 4)]\"},\n{\"Name\": \"y\", \"Values\": [1, 2]}],\n"
    "\"Conditions\": [{\"Expression\": \"x % 2 == 0 or not (y > 1 and x in [1, "
    "2])\"}]},\n"
    "\"BenchmarkConfig\": {\"MAX\": 8}}";

static void mutate(char *text, size_t *len, struct hone_rng *rng)
{
    static const char bytes[] = "{}[]\",:\\ \n0-eINtn\xff";
    for (uint64_t n = 1 + hone_rng_below(rng, 4); n && *len > 1; n--) {
        const size_t at = (size_t)hone_rng_below(rng, *len);
        switch (hone_rng_below(rng, 4)) {
        case 0:
            text[at] = bytes[hone_rng_below(rng, sizeof bytes - 1)];
            break;
        case 1:
            memmove(text + at, text + at + 1, --*len - at);
            break;
        case 2:
            *len = hone_rng_below(rng, 8) ? *len : at + 1;
            break;
        default:
            text[at] = text[hone_rng_below(rng, *len)];
        }
    }
}

// Whatever the damage: an error with a text, or trials that make a journal which loads.
static void damage_is_refused_or_named(void **state)
{
    (void)state;
    struct hone_rng rng;
    hone_rng_seed(&rng, 11);
    size_t taken = 0;
    const size_t part = hone_test_one_of(4);
    for (size_t round = 0; round < 20000 / part; round++) {
        const char *from = round % 3 == 0 ? sound : round % 3 == 1 ? sound_t4 : sound_t1;
        char text[2048];
        size_t len = strlen(from);
        memcpy(text, from, len);
        mutate(text, &len, &rng);
        write_text(text, len);
        struct hone_import *import = NULL;
        struct hone_error err = {0};
        const struct hone_import_options options = {.kernel = "k", .device = "g"};
        if (hone_import_load(&import, path, &options, &err) != HONE_OK) {
            assert_string_not_equal(err.text, "");
            continue;
        }
        taken++;
        assert_true(hone_import_lost(import) == 0 || hone_import_note_count(import) > 0);
        if (round % 16 == 0) {
            unlink(path);
            if (hone_import_write(import, path, &err) == HONE_OK &&
                !hone_import_is_script(import))
                hone_recording_free(load());
        }
        hone_import_free(import);
    }
    assert_true(taken * part > 5000);
}

// --- T1 ---

// In the texts of these cases ` stands for the quotes of JSON.
static struct hone_import *import_t1(const char *text)
{
    char copy[2048];
    snprintf(copy, sizeof copy, "%s", text);
    for (char *c = copy; *c; c++)
        if (*c == '`') *c = '"';
    return import_text(copy);
}

static const char t1_sound[] =
    "{`General`: {`BenchmarkName`: `k`},\n"
    "`ConfigurationSpace`: {`TuningParameters`: [\n"
    "{`Name`: `x`, `Values`: `[1] + list(range(2, 9, 2))`},\n"
    "{`Name`: `s`, `Values`: [`a\\`\\n`, `b`]}],\n"
    "`Conditions`: [{`Expression`: `x < MAX and s != 'b'`}, `not x % 2`]},\n"
    "`BenchmarkConfig`: {`MAX`: 8, `other`: `text`}}";

static const char t1_script[] = "-- The space of a T1 file: k\n"
                                "local hone = require \"hone\"\n\n"
                                "return hone.space {\n"
                                "    name = \"k\",\n"
                                "    tune = {\n"
                                "        x = { 1, 2, 4, 6, 8 },\n"
                                "        s = { \"a\\\"\\010\", \"b\" },\n"
                                "    },\n"
                                "    where = {\n"
                                "        \"(x < 8) and (s ~= 'b')\",\n"
                                "        \"not ((x % 2) ~= 0)\",\n"
                                "    },\n"
                                "}\n";

static void a_journal_of_no_space_is_refused(void **state)
{
    (void)state;
    static const char *const names[][2] = {
        {"x]", "the name of parameter 'x]' is not an identifier"},
        {"while", "the name of parameter 'while' is a keyword"}};
    for (size_t i = 0; i < 2; i++) {
        char text[256];
        struct hone_import *import = NULL;
        struct hone_error err = {0};
        const struct hone_import_options options = {.format = HONE_FORMAT_HONE};
        const int size = snprintf(text, sizeof text,
                                  "{\"hone\":1,\"kind\":\"journal\",\"kernel\":\"k\","
                                  "\"params\":[{\"name\":\"%s\",\"values\":[1,2]}]}\n",
                                  names[i][0]);
        write_text(text, (size_t)size);
        assert_int_equal(hone_import_load(&import, path, &options, &err), HONE_EINPUT);
        assert_non_null(strstr(err.text, names[i][1]));
    }
}

static void a_t1_file_becomes_a_script(void **state)
{
    (void)state;
    struct hone_import *import = import_t1(t1_sound);
    struct hone_error err = {0};
    assert_true(hone_import_is_script(import));
    assert_int_equal(hone_import_format(import), HONE_FORMAT_T1);
    assert_int_equal(hone_import_count(import), 4);
    assert_int_equal(hone_import_lost(import), 0);
    unlink(path);
    assert_ok(hone_import_write(import, path, &err), err);
    assert_int_equal(hone_import_write(import, path, &err), HONE_EUSAGE);
    hone_import_free(import);
    char *script = contents();
    assert_string_equal(script, t1_script);
    free(script);
}

static void what_a_t1_file_has_wrong_is_named_by_line(void **state)
{
    (void)state;
    static const char text[] = "{`ConfigurationSpace`: {`TuningParameters`: [\n"
                               "{`Name`: `x`, `Values`: [1, 2]},\n"
                               "{`Name`: `y`, `Values`: `os.getcwd()`},\n"
                               "{`Name`: `z`, `Values`: [1, `a`]},\n"
                               "{`Name`: `u`},\n"
                               "{`Name`: `x`, `Values`: [3]}],\n"
                               "`Conditions`: [\n"
                               "{`Expression`: `x > 1`},\n"
                               "{`Expression`: `x +`},\n"
                               "`y > 1`,\n"
                               "7]}}";
    static const struct hone_import_note notes[] = {
        {3, "column 1: a list or range() expected"},
        {4, "parameter 'z' has values of two kinds"},
        {5, "it has no 'Values'"},
        {6, "parameter 'x' stands there twice"},
        {9, "condition 'x +': column 4: it ends too early"},
        {10, "condition 'y > 1': column 1: unknown name 'y'"},
        {11, "it has no 'Expression'"},
    };
    struct hone_import *import = import_t1(text);
    assert_int_equal(hone_import_count(import), 2);
    assert_int_equal(hone_import_lost(import), 7);
    assert_int_equal(hone_import_note_count(import), 7);
    for (size_t i = 0; i < sizeof notes / sizeof *notes; i++)
        expect_note(import, i, notes[i]);
    hone_import_free(import);
}

static void a_t1_file_without_parameters_is_refused(void **state)
{
    (void)state;
    static const char text[] = "{\n\"ConfigurationSpace\": {\"TuningParameters\": []}}";
    struct hone_import *import = NULL;
    struct hone_error err = {0};
    write_text(text, strlen(text));
    assert_int_equal(
        hone_import_load(&import, path, &(struct hone_import_options){0}, &err),
        HONE_EINPUT);
    assert_int_equal(err.line, 2);
    assert_non_null(strstr(err.text, "no parameter"));
}

static int forget(void **state)
{
    hone_arena_fini(&said);
    return teardown(state);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(milliseconds_become_microseconds, setup, clean),
    cmocka_unit_test_setup_teardown(nested_samples_give_the_time_where_it_is_absent,
                                    setup, clean),
    cmocka_unit_test_setup_teardown(words_and_huge_times_are_failures, setup, clean),
    cmocka_unit_test_setup_teardown(unsound_entries_are_named_and_the_others_kept, setup,
                                    clean),
    cmocka_unit_test_setup_teardown(a_t4_file_in_seconds_is_read, setup, clean),
    cmocka_unit_test_setup_teardown(values_of_a_list_are_told_apart_exactly, setup,
                                    clean),
    cmocka_unit_test_setup_teardown(what_others_take_for_a_failure_is_not_exported, setup,
                                    clean),
    cmocka_unit_test_setup_teardown(a_damaged_journal_gives_its_sound_lines, setup,
                                    clean),
    cmocka_unit_test_setup_teardown(a_journal_of_no_space_is_refused, setup, clean),
    cmocka_unit_test_setup_teardown(a_t1_file_becomes_a_script, setup, clean),
    cmocka_unit_test_setup_teardown(what_a_t1_file_has_wrong_is_named_by_line, setup,
                                    clean),
    cmocka_unit_test_setup_teardown(a_t1_file_without_parameters_is_refused, setup,
                                    clean),
    cmocka_unit_test_setup_teardown(damage_is_refused_or_named, setup, clean),
};
HONE_TEST_MAIN_WITH(tests, NULL, forget)
