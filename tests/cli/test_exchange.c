// Files of other tuners through the program: the public recording in three forms is one
// recording, and what is exported comes back.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hone/record.h"
#include "hone_test.h"
#include "program.h"

#define FORMATS "$SHARED/recorded/formats/"
#define CACHE   FORMATS "kernel_tuner_cache_convolution_A100.json.gz"

static void need_recordings(void)
{
    if (!program_has_shared()) SKIP("no ../shared/recorded here");
}

static struct hone_recording *load(const char *name)
{
    char path[256];
    struct hone_error err = {0};
    struct hone_recording *recording = NULL;
    snprintf(path, sizeof path, "%s%s%s", *name == '/' ? "" : program.folder,
             *name == '/' ? "" : "/", name);
    assert_ok(hone_recording_load(&recording, path, &err), err);
    return recording;
}

// Same configurations, outcomes, and times but for the rounding of the recording: 6 digits.
static void assert_same_trials(const char *a, const char *b)
{
    struct hone_recording *x = load(a), *y = load(b);
    assert_int_equal(hone_recording_count(x), 4362);
    assert_int_equal(hone_recording_count(y), 4362);
    uint16_t choices[16];
    for (size_t i = 0; i < hone_recording_count(x); i++) {
        const struct hone_trial *t = hone_recording_trial(x, i);
        uint64_t index;
        hone_space_choices(hone_recording_space(x), t->index, choices);
        assert_int_equal(hone_space_index(hone_recording_space(y), choices, &index), 0);
        const struct hone_trial *u = hone_recording_find(y, index);
        assert_int_equal(t->outcome, u->outcome);
        assert_int_equal(isnan(t->time_us), isnan(u->time_us));
        if (!isnan(t->time_us)) assert_true(fabs(t->time_us / u->time_us - 1) < 1e-5);
        assert_true(fabs(t->build_ms / u->build_ms - 1) < 1e-3);
    }
    hone_recording_free(x);
    hone_recording_free(y);
}

static const char recorded[] =
    HONE_SOURCE_DIR "/../shared/recorded/convolution_milo_A100.jsonl";

static void a_cache_file_is_the_public_recording(void **state)
{
    (void)state;
    need_recordings();
    program_run("import " CACHE " -o cache.jsonl");
    assert_int_equal(program.code, 0);
    assert_non_null(strstr(program.out, "4362 trials"));
    assert_string_equal(program.err, "");
    assert_same_trials("cache.jsonl", recorded);
}

static void a_t4_file_is_the_public_recording(void **state)
{
    (void)state;
    need_recordings();
    program_run("import " FORMATS "t4_convolution_A100.json.gz -o t4.jsonl");
    assert_int_equal(program.code, 0);
    assert_non_null(strstr(program.err, "no device name"));
    assert_same_trials("t4.jsonl", recorded);
}

static void what_is_exported_comes_back_to_the_byte(void **state)
{
    (void)state;
    need_recordings();
    program_run("import " CACHE " --complete -o there.jsonl");
    static const char *const formats[] = {"kernel_tuner", "t4"};
    for (size_t i = 0; i < 2; i++) {
        char line[256];
        snprintf(line, sizeof line,
                 "export there.jsonl --to %s -o f%zu.json && "
                 "\"$HONE\" import f%zu.json -o back%zu.jsonl && "
                 "cmp there.jsonl back%zu.jsonl",
                 formats[i], i, i, i, i);
        program_run(line);
        assert_int_equal(program.code, 0);
    }
}

static void an_unterminated_cache_file_keeps_its_whole_entries(void **state)
{
    (void)state;
    need_recordings();
    program_run("import " CACHE " -o all.jsonl; gzip -dc " CACHE
                " | head -c 100000 > cut.json");
    program_run("import cut.json -o cut.jsonl --complete");
    assert_int_equal(program.code, 0);
    assert_non_null(strstr(program.out, "90 trials"));
    assert_non_null(strstr(program.out, "1 entries left out"));
    assert_non_null(
        strstr(program.err, ".json:172: entry '16,1,4,4,0,0,0,1,15,15': it breaks"));
    assert_non_null(strstr(program.err, "not a whole space"));
    program_run("version; tail -n +2 cut.jsonl > a; head -91 all.jsonl | tail -90 | "
                "cmp - a");
    assert_int_equal(program.code, 0);
}

static void a_torn_archive_keeps_what_can_be_unpacked(void **state)
{
    (void)state;
    need_recordings();
    program_run("version; head -c 20000 " CACHE " > torn.json.gz");
    program_run("import torn.json.gz");
    assert_int_equal(program.code, 0);
    assert_non_null(strstr(program.err, "the compressed file breaks off"));
    assert_non_null(strstr(program.out, "torn.jsonl: 92 trials"));
}

static void an_imported_journal_can_be_replayed(void **state)
{
    (void)state;
    need_recordings();
    program_run("import " CACHE " --complete -o whole.jsonl");
    program_run("tune --device replay:whole.jsonl --strategy random --budget 20");
    assert_int_equal(program.code, 0);
    assert_non_null(strstr(program.out, "20 trials"));
}

static void wrong_use_is_told(void **state)
{
    (void)state;
    static const struct {
        const char *line, *message;
    } cases[] = {
        {"import", "the file to import"},
        {"import absent.json", "absent.json"},
        {"import a.json b.json -o c.jsonl", "one journal for 2 files"},
        {"import a.json --from csv",
         "--from wants kernel_tuner, t4, hone, t1 or auto, got 'csv'"},
        {"import .out", "no Kernel Tuner cache"},
        {"export x.jsonl", "--to is missing"},
        {"export $SOURCE/tests/golden/sgemm_a100.jsonl --to hone",
         "--to wants kernel_tuner, t4, csv or jsonl"},
        {"export $SOURCE/tests/golden/sgemm_emu.jsonl --to t4", "holds predictions"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        program_run(cases[i].line);
        assert_int_equal(program.code, 2);
        if (!strstr(program.err, cases[i].message))
            fail_msg("%s: '%s' lacks '%s'", cases[i].line, program.err, cases[i].message);
    }
}

static void t1_files_become_spaces_of_the_known_counts(void **state)
{
    (void)state;
    need_recordings();
    program_run("import " FORMATS "t1_convolution.json " FORMATS "t1_gemm.json");
    assert_int_equal(program.code, 0);
    assert_non_null(strstr(program.out, "t1_gemm.lua: 25 parameters and constraints"));
    program_run("space t1_convolution.lua --json");
    assert_int_equal(program.code, 0);
    assert_non_null(strstr(program.out, "\"valid\": 4362,"));
    program_run("space t1_gemm.lua --json");
    assert_non_null(strstr(program.out, "\"valid\": 116928,"));
    program_run("import " FORMATS "t1_gemm.json");
    assert_int_not_equal(program.code, 0);
    assert_non_null(strstr(program.err, "'t1_gemm.lua' exists"));
}

static size_t lines_of(const char *text)
{
    size_t n = 0;
    for (; *text; text++)
        n += *text == '\n';
    return n;
}

static void tables_have_the_predictions_that_other_tuners_refuse(void **state)
{
    (void)state;
    program_run("export $SOURCE/tests/golden/sgemm_emu.jsonl --to t4");
    assert_int_equal(program.code, 2);
    program_expect("export $SOURCE/tests/golden/sgemm_emu.jsonl --to csv", 0);
    assert_int_equal(strncmp(program.out, "kernel,device,line,outcome,predicted,", 37),
                     0);
    assert_int_equal(lines_of(program.out), 1 + 25);
    program_expect("export $SOURCE/tests/golden/sgemm_emu.jsonl --to jsonl -o t.jsonl",
                   0);
    char *rows = program_file("t.jsonl");
    assert_int_equal(lines_of(rows), 25);
    assert_non_null(strstr(rows, "\"predicted\":true"));
    free(rows);
    program_run("export $SOURCE/tests/golden/sgemm_emu.jsonl --to tsv");
    assert_int_equal(program.code, 2);
}

// Two values of 300 letters that differ in the last, as tables and keys have them whole.
static void values_of_any_length_are_told_whole(void **state)
{
    (void)state;
    program_run_with(
        "w=$(printf '%0300d' 0); h='{\"hone\":1,\"kind\":\"journal\",\"kernel\":\"k\",';"
        "printf '%s\"params\":[{\"name\":\"T\",\"values\":[\"t%s1\",\"t%s2\"]}],"
        "\"problem\":{\"S\":\"s%s\"},\"objective\":\"time_us\"}\n' "
        "\"$h\" $w $w $w > l.jsonl;"
        "for v in 1 2; do printf '{\"config\":[\"t%s%s\"],\"outcome\":\"valid\",'"
        "'\"time_us\":%s0}\n' $w $v $v; done >> l.jsonl;",
        "emit l.jsonl -o l.h");
    if (program.code) fail_msg("%s", program.err);
    program_expect("show l.jsonl", 0);
    assert_non_null(strstr(program.out, "01\n"));
    assert_non_null(strstr(program.out, "02\n"));
    program_expect("diff l.h l.jsonl", 0);
    assert_null(strstr(program.out, "differ: "));
    static const char *const formats[] = {"kernel_tuner", "t4"};
    for (size_t i = 0; i < 2; i++) {
        char line[128], name[32];
        snprintf(line, sizeof line, "export l.jsonl --to %s -o %s.json", formats[i],
                 formats[i]);
        program_expect(line, 0);
        snprintf(line, sizeof line, "import %s.json -o %s.jsonl", formats[i], formats[i]);
        program_expect(line, 0);
        snprintf(name, sizeof name, "%s.jsonl", formats[i]);
        char *journal = program_file(name);
        assert_int_equal(lines_of(journal), 3);
        free(journal);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_cache_file_is_the_public_recording),
    cmocka_unit_test(a_t4_file_is_the_public_recording),
    cmocka_unit_test(what_is_exported_comes_back_to_the_byte),
    cmocka_unit_test(an_unterminated_cache_file_keeps_its_whole_entries),
    cmocka_unit_test(a_torn_archive_keeps_what_can_be_unpacked),
    cmocka_unit_test(an_imported_journal_can_be_replayed),
    cmocka_unit_test(values_of_any_length_are_told_whole),
    cmocka_unit_test(tables_have_the_predictions_that_other_tuners_refuse),
    cmocka_unit_test(wrong_use_is_told),
    cmocka_unit_test(t1_files_become_spaces_of_the_known_counts),
};
HONE_TEST_MAIN_WITH(tests, program_setup, program_teardown)
