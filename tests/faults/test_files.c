// What goes wrong with the journal's file: no room, no right to write, lines that are torn
// or damaged, runs that were killed over a configuration.
#include "lab.h"

#include "hone_test.h"

#include <string.h>

#include "base/file.h"
#include "cli/program.h"
#include "hone/rng.h"

static void write_text(const char *name, const char *text, size_t size)
{
    char path[256];
    struct hone_error err = {0};
    snprintf(path, sizeof path, "%s/%s", program.folder, name);
    assert_ok(hone_file_write(path, text, size, &err), err);
}

// The limit of a process stands for the disk: writes fail half way in the same manner.
static void a_full_disk_ends_the_run_with_whole_lines(void **state)
{
    (void)state;
    program_run_with("ulimit -f 8; ", LAB_TUNE "--budget 200 --journal full.jsonl");
    assert_int_equal(program.code, 1);
    assert_non_null(strstr(program.err, "cannot write journal 'full.jsonl'"));
    char *text = program_file("full.jsonl");
    assert_non_null(text);
    assert_int_equal(text[strlen(text) - 1], '\n');
    free(text);
    const size_t before = lab_count("full.jsonl");
    assert_true(before > 5 && before < 200);
    program_run(LAB_TUNE "--budget 200 --journal full.jsonl --resume");
    assert_int_equal(program.code, 0);
    assert_int_equal(lab_count("full.jsonl"), 200);
}

static void a_folder_that_cannot_be_written_is_told_before_anything_runs(void **state)
{
    (void)state;
    program_run_with("HONE_FAKE_CHAOS=seed=1,LAUNCH=1 HONE_FAKE_CHAOS_LOG=none.log",
                     LAB_TUNE "--budget 3 --journal /proc/none.jsonl");
    assert_int_equal(program.code, 2);
    assert_non_null(strstr(program.err, "cannot create '/proc/none.jsonl'"));
    char *faults = program_file("none.log");
    assert_true(!faults || !*faults); // nothing was launched
    free(faults);
}

static void journals_cut_anywhere_are_continued_or_refused(void **state)
{
    (void)state;
    struct hone_rng rng;
    hone_rng_seed(&rng, 3);
    program_run(LAB_TUNE "--budget 12 --journal whole.jsonl");
    assert_int_equal(program.code, 0);
    char *text = program_file("whole.jsonl");
    assert_non_null(text);
    const size_t size = strlen(text), header = strcspn(text, "\n") + 1;
    for (size_t i = 0; i < lab_scale(30, 100); i++) {
        const size_t cut = header + (size_t)hone_rng_below(&rng, size - header);
        write_text("cut.jsonl", text, cut);
        program_run(LAB_TUNE "--budget 12 --journal cut.jsonl --resume");
        if (program.code != 0) fail_msg("cut at %zu: %s", cut, program.err);
        assert_int_equal(lab_count("cut.jsonl"), 12);
    }
    free(text);
}

static void damaged_journals_are_refused_with_their_line(void **state)
{
    (void)state;
    struct hone_rng rng;
    hone_rng_seed(&rng, 4);
    program_run(LAB_TUNE "--budget 12 --journal sound.jsonl");
    assert_int_equal(program.code, 0);
    char *text = program_file("sound.jsonl");
    assert_non_null(text);
    const size_t size = strlen(text);
    for (size_t i = 0; i < lab_scale(30, 100); i++) {
        const size_t at = (size_t)hone_rng_below(&rng, size);
        const char kept = text[at];
        text[at] = (char)(1 + hone_rng_below(&rng, 126));
        write_text("bad.jsonl", text, size);
        text[at] = kept;
        program_run(LAB_TUNE "--budget 12 --journal bad.jsonl --resume");
        if (program.code != 0 && program.code != 2)
            fail_msg("byte %zu: %d %s", at, program.code, program.err);
        if (program.code == 2) assert_non_null(strstr(program.err, "bad.jsonl"));
    }
    free(text);
}

// What a killed run leaves: its last line says what it had begun.
static void what_killed_a_run_is_tried_once_more_and_then_given_up(void **state)
{
    (void)state;
    static const char mark[] = "{\"begun\":[7,7,2]}\n";
    program_run(LAB_TUNE "--budget 3 --journal begun.jsonl");
    assert_int_equal(program.code, 0);
    char *text = program_file("begun.jsonl");
    assert_non_null(text);
    const size_t size = strlen(text);
    text = realloc(text, size + 2 * sizeof mark);
    assert_non_null(text);
    strcpy(text + size, mark);
    write_text("begun.jsonl", text, strlen(text));
    program_run(LAB_TUNE "--budget 4 --journal begun.jsonl --resume");
    assert_int_equal(program.code, 0);
    char *after = program_file("begun.jsonl");
    assert_non_null(strstr(after, "{\"config\":[7,7,2],\"outcome\":\"valid\""));
    free(after);
    strcat(text, mark);
    write_text("twice.jsonl", text, strlen(text));
    program_run(LAB_TUNE "--budget 4 --journal twice.jsonl --resume");
    assert_int_equal(program.code, 0);
    after = program_file("twice.jsonl");
    assert_non_null(strstr(after, "{\"config\":[7,7,2],\"outcome\":\"crashed\""));
    assert_non_null(strstr(after, "2 runs ended while it was measured"));
    free(after);
    free(text);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_full_disk_ends_the_run_with_whole_lines),
    cmocka_unit_test(a_folder_that_cannot_be_written_is_told_before_anything_runs),
    cmocka_unit_test(journals_cut_anywhere_are_continued_or_refused),
    cmocka_unit_test(damaged_journals_are_refused_with_their_line),
    cmocka_unit_test(what_killed_a_run_is_tried_once_more_and_then_given_up),
};
HONE_TEST_MAIN_WITH(tests, lab_setup_in_memory, program_teardown)
