// Files as a user meets them: outputs that are no regular files, inputs that are none, and
// a standard output that takes nothing. Devices are named by links of the scratch folder:
// what replaces an output must not replace the machine's.
#include "files_frame.h"

/* --- outputs --- */

static void a_link_stays_and_the_mode_of_the_file_is_kept(void **state)
{
    (void)state;
    struct stat info;
    program_run_with("mkdir real; echo old >real/a.h; chmod 640 real/a.h; "
                     "ln -s real/a.h link.h;",
                     "emit " GOLDEN " -o link.h");
    expect(0, "");
    assert_int_equal(lstat(path_of("link.h"), &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    assert_int_equal(stat(path_of("real/a.h"), &info), 0);
    assert_int_equal(info.st_mode & 0777, 0640);
    char *text = program_file("real/a.h");
    assert_non_null(strstr(text, "#ifndef"));
    free(text);
    program_run_with("ln -s real/new.h gone.h;", "emit " GOLDEN " -o gone.h");
    expect(0, "");
    text = program_file("real/new.h");
    assert_non_null(text);
    free(text);
    program_run_with("ln -s turn.h turn.h;", "emit " GOLDEN " -o turn.h");
    expect(2, "cannot write 'turn.h': ");
}

static void devices_and_pipes_are_written_through(void **state)
{
    (void)state;
    static const char *const outputs[] = {"null", "pipe"};
    struct stat info;
    // A node as /dev/null is, where this user may make one; else a link to it.
    program_run_with("{ mknod null c 1 3 2>&- || ln -s /dev/null null; }; "
                     "ln -s /dev/full full; mkfifo pipe; timeout 60 cat pipe >taken.h & ",
                     "emit " GOLDEN " -o pipe; wait; \"$HONE\" emit " GOLDEN " -o null");
    expect(0, "");
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(stat(path_of(outputs[i]), &info), 0);
        assert_false(S_ISREG(info.st_mode));
    }
    char *text = program_file("taken.h");
    assert_non_null(strstr(text, "#ifndef"));
    free(text);
    program_run("emit " GOLDEN " -o full");
    expect(1, "cannot write 'full': No space left on device");
}

static void sizes_that_nothing_serves_are_told_beside_the_header(void **state)
{
    (void)state;
    static const char gap[] = "    K huge (K=1073741824 M=4096 N=4096): on no GPU\n";
    program_run("emit " GOLDEN " -o covered.h");
    expect(0, "");
    assert_non_null(
        strstr(program.out, "  coverage: 9 of 10 sizes have a configuration on "));
    assert_non_null(strstr(program.out, "arguments or launches forbid it: tune such "));
    assert_non_null(strstr(program.out, gap));
    program_run("emit " GOLDEN " -o covered.h --json");
    expect(0, "");
    assert_non_null(strstr(program.out, "\"what\": \"K huge\""));
    program_run("emit " GOLDEN " -o -");
    expect(0, gap);
    assert_null(strstr(program.out, "coverage:"));
}

static void a_gap_of_some_sizes_is_told_of_some(void **state)
{
    (void)state;
    // 4095 lacks GPUs of 7.0 and 7.5, 2047 those of 9.0.
    program_run_with("sed 's/\"seed\":1/\"where\":[\"M ~= 4095 or device.cc_major >= 8\","
                     "\"M ~= 2047 or device.cc_major ~= 9\"],\"seed\":1/' " GOLDEN
                     " >a.jsonl;"
                     "sed 's/\"M\":4096/\"M\":2048/' a.jsonl >b.jsonl;",
                     "emit a.jsonl b.jsonl --accept-predicted -o some.h");
    expect(0, "");
    assert_non_null(strstr(program.out,
                           "    M odd (K=4096 M=2047 N=4096, and 1 more): some not on "
                           "NVIDIA H200, compute capability 7.0, 7.5\n"));
}

static void gpus_without_any_configuration_are_told_once(void **state)
{
    (void)state;
    program_run_with(
        "sed 's/\"seed\":1/\"where\":[\"device.cc_major >= 9\"],\"seed\":1/' " GOLDEN
        " >a.jsonl;",
        "emit a.jsonl -o nine.h");
    expect(0, "");
    assert_non_null(strstr(program.out,
                           ": 9 of 10 sizes have a configuration on each of 3 "
                           "of 8 GPUs asked; none for\n"
                           "    any size: not on compute capability 7.0, 7.5, "
                           "8.0, 8.6, 8.9\n"
                           "    K huge (K=1073741824 M=4096 N=4096): on no "
                           "GPU\n    constraints"));
    char *text = program_file("nine.h");
    assert_non_null(strstr(text,
                           " * No configuration on compute capability 7.0, 7.5, 8.0, "
                           "8.6, 8.9; elsewhere for K huge (tried"));
    free(text);
    program_run("emit a.jsonl -o nine.h --json");
    expect(0, "");
    assert_non_null(strstr(program.out, "\"without_configuration\": ["));
}

static void names_of_standard_output_are_standard_output(void **state)
{
    (void)state;
    program_run("emit " GOLDEN " -o -");
    assert_int_equal(program.code, 0);
    char *wanted = strdup(program.out);
    static const char *const names[] = {"/dev/fd/1", "/proc/self/fd/1"};
    for (size_t i = 0; i < 2; i++) {
        char line[128];
        // A redirection that appends is not replaced by a file of that name.
        snprintf(line, sizeof line, "emit " GOLDEN " -o %s >>all.h", names[i]);
        program_run_with("echo first >all.h;", line);
        assert_int_equal(program.code, 0);
        char *text = program_file("all.h");
        assert_int_equal(strncmp(text, "first\n", 6), 0);
        assert_string_equal(text + 6, wanted);
        free(text);
        snprintf(line, sizeof line, "emit " GOLDEN " --json -o %s", names[i]);
        program_run(line);
        expect(2, "both want standard output");
    }
    program_run("emit " GOLDEN " -o /dev/fd/7 7>seven.h");
    assert_int_equal(program.code, 0);
    char *text = program_file("seven.h");
    assert_string_equal(text, wanted);
    free(text);
    free(wanted);
}

// Each output of each command, where a folder and a missing folder are named.
static void outputs_that_cannot_be_are_refused_before_any_work(void **state)
{
    (void)state;
    static const char *const commands[] = {
        "emit " GOLDEN " -o",
        "export " GOLDEN " --to t4 -o",
        TUNE "--budget 2 -o",
        "header $SOURCE/kernels/sgemm.lua -o",
        "header $SOURCE/kernels/sgemm.lua -o a.h --depfile",
        "check $SOURCE/kernels/sgemm.lua --device emu:h200 --sarif",
        "bench strategies " GOLDEN " --plot",
        "compare a.h --script $SOURCE/kernels/sgemm.lua --junit",
    };
    static const char *const places[] = {"folder", "gone/x", "folder/", "socket"};
    program_run_with(
        "mkdir folder; python3 -c 'import socket; socket.socket(1).bind(\"socket\")';",
        "version");
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        for (size_t p = 0; p < 4; p++) {
            char line[256];
            struct stat info;
            snprintf(line, sizeof line, "%s %s", commands[i], places[p]);
            if (p == 3 && lstat(path_of("socket"), &info) != 0) continue;
            program_run(line);
            if (program.code != 2 || !strstr(program.err, "cannot write '"))
                fail_msg("hone %s ended with %d: %s", line, program.code, program.err);
        }
}

/* --- standard output --- */

static void what_standard_output_does_not_take_is_an_error(void **state)
{
    (void)state;
    static const char *const commands[] = {
        "version",           "--version",      "help",
        "help tune",         "help --man",     "help --completion bash",
        "devices",           "devices --json", "strategies",
        "show " GOLDEN,      "emit " GOLDEN,   "export " GOLDEN " --to t4",
        TUNE "--budget 2",   "tune --help",    "space $SOURCE/kernels/sgemm.lua",
        "strategies --json",
    };
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        char line[256];
        snprintf(line, sizeof line, "%s >/dev/full", commands[i]);
        program_run(line);
        expect(1, "cannot write to standard output");
        snprintf(line, sizeof line, "%s >&-", commands[i]);
        program_run(line);
        expect(1, "cannot write to standard output");
    }
}

// As other programs end, whose output `head` leaves.
static void a_reader_that_leaves_ends_the_program_in_silence(void **state)
{
    (void)state;
    program_run_with("{", "help tune; echo $? >code; } 3>&1 | true");
    program_run_with("mkfifo left; exec 9<>left; exec 8>left; exec 9<&-;",
                     "help tune >&8; echo $? >code");
    assert_string_equal(program.err, "");
    char *code = program_file("code");
    assert_string_equal(code, "141\n");
    free(code);
}

// A file that is opened must not become standard output.
static void a_closed_output_is_not_taken_by_a_file(void **state)
{
    (void)state;
    program_run_with("{", TUNE "--budget 3 --journal closed.jsonl; } <&- >&-");
    assert_int_equal(program.code, 1);
    char *text = program_file("closed.jsonl");
    assert_non_null(text);
    for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
        assert_int_equal(*line, '{');
    free(text);
}

/* --- inputs --- */

// Each input of each command, with each kind of file that is none: an answer at once, with
// the name, and nothing grows.
static void special_files_are_refused_by_every_input(void **state)
{
    (void)state;
    static const char *const inputs[] = {
        "show %s",
        "emit %s",
        "export %s --to t4",
        "import %s -o made.jsonl",
        "import %s --from t1 -o made.lua",
        "bench strategies %s",
        "tune --device replay:%s --budget 1",
        TUNE "--budget 1 --warm %s",
        "tune $SOURCE/kernels/sgemm.lua --device emu:h200 --budget 1 --calibrate %s",
        "tune $SOURCE/kernels/sgemm.lua --device emu:h200 --budget 1 --problems %s",
        TUNE "--budget 1 --resume --journal %s",
        "check $SOURCE/kernels/sgemm.lua --device emu:h200 --same-as %s",
        "compare %s --script $SOURCE/kernels/sgemm.lua --device emu:h200",
        "header $SOURCE/kernels/sgemm.lua --journal %s -o made.h --require-tuned",
        "explain %s",
        "diff %s",
        "report %s -o made.html",
        "space %s",
        "campaign status %s",
    };
    static const char *const kinds[] = {
        "fifo", "to_fifo", "dir",        "to_dir",        "dangling", "turn", "null",
        "zero", "full",    "random",     "tty",           "socket",   "huge", "empty",
        "mem",  "pagemap", "kcore",      "kmsg",          "environ",  "sys",  "loop",
        "dir/", "empty/x", "/dev/fd/99", "/proc/self/fd",
    };
    size_t tried = 0;
    program_run_with(
        "cd . && mkfifo fifo && ln -s fifo to_fifo && mkdir -p dir && ln -s dir to_dir "
        "&& "
        "ln -s gone dangling && ln -sf turn turn && truncate -s 5G huge && : >empty && "
        "for n in null zero full random tty kmsg; do ln -sf /dev/$n $n; done; "
        "for n in mem pagemap environ; do ln -sf /proc/self/$n $n; done; "
        "ln -sf /proc/kcore kcore; ln -sf /dev/loop0 loop; "
        "ln -sf /sys/kernel/mm/transparent_hugepage/enabled sys; "
        "python3 -c 'import socket; socket.socket(1).bind(\"socket\")' 2>&-;",
        "version");
    assert_int_equal(program.code, 0);
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++)
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
            char args[256], line[512];
            const char *at = strstr(inputs[i], "%s");
            snprintf(args, sizeof args, "%.*s%s%s", (int)(at - inputs[i]), inputs[i],
                     kinds[k], at + 2);
            snprintf(line, sizeof line, "%s </dev/null", args);
            program_run_with("ulimit -v 4000000; exec timeout 60", line);
            tried++;
            // The emulator is opened before some of them, and finds no room here; so do
            // the first 2 GiB of a journal.
            const bool limited = strstr(program.err, "GiB of address space") ||
                                 strstr(program.err, "out of memory");
            if (program.code != (limited ? 1 : 2) || !program.err[0])
                fail_msg("hone %s ended with %d: %s", args, program.code, program.err);
        }
    printf("%zu inputs, %zu kinds, %zu runs\n", sizeof inputs / sizeof *inputs,
           sizeof kinds / sizeof *kinds, tried);
}

static void a_place_that_cannot_be_written_is_wrong_use(void **state)
{
    (void)state;
    static const char *const places[] = {"gone/x", "here/x", "here/", "round", "dir"};
    static const char *const outputs[] = {
        TUNE "--budget 1 --journal %s", TUNE "--budget 1 -o %s", "emit " GOLDEN " -o %s",
        "check $SOURCE/kernels/sgemm.lua --device emu:h200 --sarif %s"};
    program_run_with("mkdir -p dir; : >here; ln -sfn round round;", "version");
    for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++)
        for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
            char args[256];
            const char *at = strstr(outputs[i], "%s");
            snprintf(args, sizeof args, "%.*s%s%s", (int)(at - outputs[i]), outputs[i],
                     places[k], at + 2);
            program_run(args);
            if (program.code != 2 || !program.err[0])
                fail_msg("hone %s ended with %d: %s", args, program.code, program.err);
        }
}

// The reader never comes.
static void a_pipe_that_waits_is_left_by_a_signal(void **state)
{
    (void)state;
    program_run_with("rm -f wait; mkfifo wait; timeout -k 20 8",
                     "check $SOURCE/kernels/sgemm.lua --device emu:h200 --sample 1 "
                     "--sarif wait");
    if (program.code != 124) fail_msg("ended with %d: %s", program.code, program.err);
}

static void libraries_are_files(void **state)
{
    (void)state;
    static const char *const names[] = {"HONE_NVRTC", "HONE_LIBCUDA"};
    static const char *const kinds[] = {"lib_fifo", "lib_dir", "lib_zero"};
    program_run_with("mkfifo lib_fifo; mkdir lib_dir; ln -s /dev/zero lib_zero;",
                     "version");
    for (size_t i = 0; i < 2; i++)
        for (size_t k = 0; k < 3; k++) {
            char line[512];
            snprintf(line, sizeof line, "%s=\"$PWD/%s\" exec timeout 60", names[i],
                     kinds[k]);
            program_run_with(line,
                             i ? "tune $SOURCE/kernels/sgemm.lua --device cuda:0"
                               : "check $SOURCE/kernels/sgemm.lua --device emu:h200 "
                                 "--sample 1 --cache ''");
            if (program.code != 1 && program.code != 2)
                fail_msg("%s ended with %d: %s", line, program.code, program.err);
        }
}

// What was measured and what people wrote is nowhere else.
static void an_output_replaces_nothing_that_cannot_be_had_again(void **state)
{
    (void)state;
    static const char make[] =
        "rm -rf kept; mkdir kept; cd kept; cp " GOLDEN " a.jsonl; cp " GOLDEN " b.jsonl; "
        "\"$HONE\" new k >new.txt; cp -r . ../was;";
    static const struct {
        const char *command, *says;
    } rows[] = {
        {"emit -o a.jsonl b.jsonl", "'a.jsonl': it is a journal, and results are never"},
        {"emit a.jsonl -o a.jsonl",
         "--output 'a.jsonl' is a file that the command reads"},
        {"emit a.jsonl -o b.h --shape runtime --script b.h",
         "--output and --script are one"},
        {"report a.jsonl -o ./a.jsonl", "is a file that the command reads"},
        {"report a.jsonl -o b.jsonl", "'b.jsonl': it is a journal"},
        {"export a.jsonl --to csv -o b.jsonl", "'b.jsonl': it is a journal"},
        {"bench strategies a.jsonl --plot b.jsonl", "'b.jsonl': it is a journal"},
        {"bench strategies b.jsonl --warm a.jsonl --plot a.jsonl", "the command reads"},
        {"compare a.jsonl --script k.lua --junit b.jsonl", "'b.jsonl': it is a journal"},
        {"tune --device replay:a.jsonl -o a.jsonl", "'a.jsonl': it is a journal"},
        {"tune --device replay:a.jsonl -o c.h --journal c.h",
         "--output and --journal are"},
        {"header k.lua -o k.lua", "--output 'k.lua' is a file that the command reads"},
        {"header k.lua -o k.cu", "'k.cu': it is there, and scripts and templates are"},
        {"header k.lua -o k.h --depfile b.jsonl", "'b.jsonl': it is a journal"},
        {"check k.lua --sarif a.jsonl --device emu:a100", "'a.jsonl': it is a journal"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        program_run_with(make, rows[i].command);
        expect(2, rows[i].says);
        program_run_with("diff -r was kept >diff.txt 2>&1 || echo lost >>diff.txt;",
                         "version");
        char *text = program_file("diff.txt");
        if (!text || *text) fail_msg("%s: %s", rows[i].command, text ? text : "");
        free(text);
    }
    // Files that are not there yet, under two names.
    program_run_with(make, "tune --device replay:a.jsonl --strategy random --budget 5 -q "
                           "-o c.h --journal ./c.h");
    expect(2, "--output and --journal are one file, 'c.h'");
    assert_null(program_file("kept/c.h"));
    program_run_with("ln -s kept/c.h link.h;",
                     "tune --device replay:kept/a.jsonl --strategy random --budget 5 -q "
                     "-o link.h --journal kept/c.h");
    expect(2, "--output and --journal are one file, 'link.h'");
    // A script under another name.
    program_run_with("cd kept; ln -s k.lua link.h;", "emit a.jsonl -o link.h");
    expect(2, "'link.h': it is there, and scripts and templates are never");
    // A device takes any number of them.
    program_run_with(make, "header k.lua -q -o /dev/null --depfile /dev/null");
    expect(0, "");
}

// Their first lines are read to tell what they are.
static void kernels_that_are_no_files_keep_nobody_waiting(void **state)
{
    (void)state;
    program_run_with("mkdir own; mkfifo own/pipe.lua; ln -s /dev/zero own/zero.lua; "
                     "mkdir own/folder.lua; HONE_KERNELS=own exec timeout 60",
                     "kernels");
    expect(0, "");
    assert_non_null(strstr(program.out, "pipe"));
    program_run_with("HONE_KERNELS=own exec timeout 60", "kernels pipe");
    expect(2, "'own/pipe.lua' is not a file");
}

// What a shell hands over.
static void pipes_are_read_where_a_user_means_it(void **state)
{
    (void)state;
    static const char *const commands[] = {
        "show /dev/stdin",
        "emit /dev/stdin",
        "export /dev/stdin --to t4",
        "import /dev/stdin --from hone -o piped.jsonl",
        "tune --device replay:/dev/stdin --budget 2",
        "tune --device replay:" GOLDEN " --budget 2 --warm /dev/fd/0",
    };
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        for (int file = 0; file < 2; file++) {
            char line[256];
            snprintf(line, sizeof line, "%s%s", commands[i], file ? " <" GOLDEN : "");
            program_run_with(file ? "rm -f piped.jsonl;"
                                  : "rm -f piped.jsonl; cat " GOLDEN " |",
                             line);
            if (program.code != 0)
                fail_msg("hone %s: %d %s", line, program.code, program.err);
        }
    program_run_with("exec bash -c '\"$HONE\" show <(cat " GOLDEN ")'; ", "version");
    assert_int_equal(program.code, 0);
    assert_non_null(strstr(program.out, "H200"));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(special_files_are_refused_by_every_input),
    cmocka_unit_test(a_place_that_cannot_be_written_is_wrong_use),
    cmocka_unit_test(a_pipe_that_waits_is_left_by_a_signal),
    cmocka_unit_test(libraries_are_files),
    cmocka_unit_test(kernels_that_are_no_files_keep_nobody_waiting),
    cmocka_unit_test(pipes_are_read_where_a_user_means_it),
    cmocka_unit_test(a_link_stays_and_the_mode_of_the_file_is_kept),
    cmocka_unit_test(devices_and_pipes_are_written_through),
    cmocka_unit_test(sizes_that_nothing_serves_are_told_beside_the_header),
    cmocka_unit_test(a_gap_of_some_sizes_is_told_of_some),
    cmocka_unit_test(gpus_without_any_configuration_are_told_once),
    cmocka_unit_test(names_of_standard_output_are_standard_output),
    cmocka_unit_test(outputs_that_cannot_be_are_refused_before_any_work),
    cmocka_unit_test(an_output_replaces_nothing_that_cannot_be_had_again),
    cmocka_unit_test(what_standard_output_does_not_take_is_an_error),
    cmocka_unit_test(a_reader_that_leaves_ends_the_program_in_silence),
    cmocka_unit_test(a_closed_output_is_not_taken_by_a_file),
};
HONE_TEST_MAIN_WITH(tests, program_setup, program_teardown)
