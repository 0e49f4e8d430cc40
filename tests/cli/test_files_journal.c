// Journals that others write, or that are damaged, and headers that come of none.
#include "files_frame.h"

static void write_text(const char *name, const char *text)
{
    struct hone_error err = {0};
    assert_ok(hone_file_write(path_of(name), text, strlen(text), &err), err);
}

/* --- journals --- */

static void a_journal_in_use_is_left_alone_and_its_user_named(void **state)
{
    (void)state;
    char wanted[64];
    struct hone_error err = {0};
    program_run(TUNE "--budget 5 --journal used.jsonl");
    assert_int_equal(program.code, 0);
    char *before = program_file("used.jsonl");
    const int fd = open(path_of("used.jsonl"), O_RDWR | O_CLOEXEC);
    assert_ok(hone_file_lock(fd, "used.jsonl", &err), err);
    snprintf(wanted, sizeof wanted, "'used.jsonl' is in use by process %ld",
             (long)getpid());
    program_run(TUNE "--budget 9 --journal used.jsonl --resume");
    expect(2, wanted);
    program_run("header $SOURCE/kernels/sgemm.lua --device emu:h200 --tune --budget 1s "
                "--journal used.jsonl -o used.h");
    expect(2, wanted);
    char *after = program_file("used.jsonl");
    assert_string_equal(before, after);
    static const char *const readers[] = {"show used.jsonl", "emit used.jsonl",
                                          "export used.jsonl --to t4",
                                          "tune --device replay:used.jsonl --budget 2"};
    for (size_t i = 0; i < 4; i++) {
        program_run(readers[i]);
        expect(0, "");
    }
    close(fd);
    program_run(TUNE "--budget 9 --journal used.jsonl --resume");
    expect(0, "");
    free(before);
    free(after);
}

// Two that start together: one goes on, the other measures nothing.
static void two_that_resume_one_journal_measure_nothing_twice(void **state)
{
    (void)state;
    for (int i = 0; i < 5; i++) {
        program_run_with("rm -f two.jsonl;", TUNE "--budget 5 --journal two.jsonl");
        assert_int_equal(program.code, 0);
        program_run("tune --device replay:" GOLDEN " --strategy random --quiet "
                    "--budget 20 --journal two.jsonl --resume >one & "
                    "\"$HONE\" " TUNE "--budget 20 --journal two.jsonl --resume; wait");
        char *text = program_file("two.jsonl");
        size_t lines = 0;
        for (const char *p = text; *p; p++)
            lines += *p == '\n';
        assert_int_equal(lines, 21);
        free(text);
    }
}

static void a_dead_owner_leaves_no_lock(void **state)
{
    (void)state;
    struct hone_error err = {0};
    program_run(TUNE "--budget 5 --journal dead.jsonl");
    const pid_t child = fork();
    if (child == 0) {
        const int fd = open(path_of("dead.jsonl"), O_RDWR | O_CLOEXEC);
        _exit(hone_file_lock(fd, "dead.jsonl", &err) != HONE_OK);
    }
    int how = 1;
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_int_equal(how, 0);
    program_run(TUNE "--budget 9 --journal dead.jsonl --resume");
    expect(0, "");
}

static void a_whole_line_that_is_wrong_is_refused_and_kept(void **state)
{
    (void)state;
    static const char *const lines[] = {"{\"config\":[1,2\n", "garbage\n", "[]\n",
                                        "{\"config\":[9999]}\n"};
    program_run(TUNE "--budget 5 --journal good.jsonl");
    char *good = program_file("good.jsonl");
    for (size_t i = 0; i < 4; i++) {
        char text[1 << 16];
        snprintf(text, sizeof text, "%s%s", good, lines[i]);
        write_text("bad.jsonl", text);
        program_run(TUNE "--budget 9 --journal bad.jsonl --resume");
        expect(2, "bad.jsonl:7: ");
        char *after = program_file("bad.jsonl");
        assert_string_equal(after, text);
        free(after);
    }
    char text[1 << 16];
    snprintf(text, sizeof text, "%s%s", good, "{\"config\":[1,2");
    write_text("torn.jsonl", text);
    program_run(TUNE "--budget 9 --journal torn.jsonl --resume");
    expect(0, "");
    free(good);
}

static void what_is_no_file_is_no_journal(void **state)
{
    (void)state;
    static const char *const names[] = {"null", "full",      "zero", "fifo",
                                        "dir",  "/dev/fd/0", "in"};
    program_run_with("mkfifo fifo; mkdir -p dir; for n in null full zero; do "
                     "ln -sf /dev/$n $n; done; ln -s /dev/stdin in;",
                     "version");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (int resume = 0; resume < 2; resume++) {
            char line[256];
            snprintf(line, sizeof line, TUNE "--budget 2 --journal %s%s </dev/null",
                     names[i], resume ? " --resume" : "");
            program_run(line);
            expect(2, "cannot be a journal: it is a");
        }
}

static void a_header_that_was_not_written_is_not_named(void **state)
{
    (void)state;
    program_run_with("ln -sf /dev/full full;",
                     TUNE "--budget 5 --journal h.jsonl -o full");
    expect(1, "cannot write 'full'");
    assert_null(strstr(program.out, "header"));
    assert_non_null(strstr(program.out, "h.jsonl"));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_journal_in_use_is_left_alone_and_its_user_named),
    cmocka_unit_test(two_that_resume_one_journal_measure_nothing_twice),
    cmocka_unit_test(a_dead_owner_leaves_no_lock),
    cmocka_unit_test(a_whole_line_that_is_wrong_is_refused_and_kept),
    cmocka_unit_test(what_is_no_file_is_no_journal),
    cmocka_unit_test(a_header_that_was_not_written_is_not_named),
};
HONE_TEST_MAIN_WITH(tests, program_setup, program_teardown)
