/* The second file of a header, of the shape runtime: what is forced by the environment, a call or a file, and the
 * misses that become a problem list. */
#include "emit_fixture.h"

#include "record/problem_list.h"

#define TURKISH "tr_TR.ISO-8859-9" // by tests/locale/make.sh

static void emit_to(const char *name, const char *const *journals)
{
    struct hone_error err = {0};
    struct loaded loaded = load(journals);
    const struct hone_emit_options options = {.name = name, .shape = HONE_SHAPE_RUNTIME};
    char path[64];
    snprintf(path, sizeof path, "%s/%s.h", folder, name);
    assert_ok(hone_emit_file(path, loaded.list, loaded.count, &options, &err), err);
    unload(&loaded);
}

static const char user[] =
    "#include \"sgemm.h\"\n#include \"odd.h\"\n#include \"plain.h\"\n"
    "#include \"sgemm_runtime.h\"\n#include \"odd_runtime.h\"\n"
    "#include \"plain_runtime.h\"\n#include \"plain_runtime.h\"\n"
    "#include <locale.h>\n"
    "static int misses;\n"
    "static void on_miss(void *context, int tier, long long K, long long M, long long "
    "N)\n"
    "{\n"
    "    (void)tier, (void)K, (void)M, (void)N;\n"
    "    ++*(int *)context;\n"
    "}\n"
    "static void ask(int major, int sms, long long K, long long M, long long N)\n"
    "{\n"
    "    int tier;\n"
    "    const sgemm_config *c = sgemm_select(major, 0, sms, K, M, N, &tier);\n"
    "    setlocale(LC_ALL, \"C\");\n"
    "    printf(\"%d BM=%d BN=%d %s %g %s\\n\", tier, c->BM, c->BN, c->LAYOUT, "
    "c->SCALE,\n"
    "           c >= sgemm_configs && c < sgemm_configs + SGEMM_CONFIGS ? \"table\" : "
    "\"own\");\n"
    "    setlocale(LC_ALL, \"\");\n"
    "}\n"
    "int main(int argc, char **argv)\n"
    "{\n"
    "    int i;\n"
    "    setlocale(LC_ALL, \"\");\n"
    "    sgemm_on_miss(on_miss, &misses);\n"
    "    for (i = 1; i < argc; i++) printf(\"force %d\\n\", sgemm_force(argv[i]));\n"
    "    ask(9, 132, 4096, 4096, 4096);\n"
    "    ask(9, 132, 77, 88, 99);\n"
    "    ask(7, 80, 77, 88, 99);\n"
    "    ask(7, 80, 5, 6, 7);\n"
    "    printf(\"misses %d\\n\", misses);\n"
    "    return 0;\n"
    "}\n";

static int setup(void **state)
{
    (void)state;
    if (!mkdtemp(folder)) return -1;
    setenv("LOCPATH", HONE_BINARY_DIR "/tests/locale/made", 0);
    emit_to("sgemm",
            (const char *const[]){"sgemm_h200", "sgemm_h200_small", "sgemm_a100", NULL});
    emit_to("odd", (const char *const[]){"odd", NULL});
    emit_to("plain", (const char *const[]){"plain", NULL});
    write_file("user.c", user);
    return 0;
}

static void build(const char *compiler)
{
    char command[256];
    snprintf(command, sizeof command,
             "cd %s && %s -O1 -Wall -Wextra -Wpedantic -Werror user.c -o user", folder,
             compiler);
    if (system(command) != 0) fail_msg("%s", compiler);
}

static void need_gcc(void)
{
    if (system("gcc --version >/dev/null 2>&1") != 0) SKIP("no gcc here");
    build("gcc -std=c99");
}

/* Runs the program under these variables with these words; what it prints is out. */
static void expect(const char *variables, const char *words, const char *out)
{
    char command[512], got[2048] = "";
    snprintf(command, sizeof command, "cd %s && %s ./user %s 2>&1", folder, variables,
             words);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    got[fread(got, 1, sizeof got - 1, pipe)] = '\0';
    assert_int_equal(pclose(pipe), 0);
    assert_string_equal(got, out);
}

#define FREE_ANSWERS                                                                     \
    "0 BM=64 BN=64 row 0.5 table\n1 BM=32 BN=128 row 1.25 table\n"                       \
    "4 BM=32 BN=64 row 1.25 table\n4 BM=32 BN=64 row 1.25 table\nmisses 2\n"

static void every_compiler_takes_them(void **state)
{
    (void)state;
    static const char *const compilers[] = {
        "gcc -std=c99",          "gcc -std=c11",   "g++ -x c++ -std=c++11",
        "g++ -x c++ -std=c++20", "clang -std=c99", "clang++ -x c++ -std=c++20"};
    for (size_t i = 0; i < sizeof compilers / sizeof *compilers; i++) {
        char command[64];
        snprintf(command, sizeof command, "%.*s --version >/dev/null 2>&1",
                 (int)strcspn(compilers[i], " "), compilers[i]);
        if (system(command) != 0) continue;
        build(compilers[i]);
        expect("", "", FREE_ANSWERS);
    }
}

static void the_environment_forces_a_configuration(void **state)
{
    (void)state;
    need_gcc();
    expect("SGEMM_CONFIG='BM=128, LAYOUT=col SCALE=0.25'", "",
           "6 BM=128 BN=64 col 0.25 own\n6 BM=128 BN=64 col 0.25 own\n"
           "6 BM=128 BN=64 col 0.25 own\n6 BM=128 BN=64 col 0.25 own\nmisses 0\n");
    expect("SGEMM_CONFIG=1", "",
           "6 BM=32 BN=128 row 1.25 table\n6 BM=32 BN=128 row 1.25 table\n"
           "6 BM=32 BN=128 row 1.25 table\n6 BM=32 BN=128 row 1.25 table\nmisses 0\n");
    expect("SGEMM_CONFIG='BX=1'", "",
           "SGEMM_CONFIG=BX=1: line 1 is no configuration: BX=1\n" FREE_ANSWERS);
    expect("SGEMM_CONFIG=99", "",
           "SGEMM_CONFIG=99: line 1 is no configuration: 99\n" FREE_ANSWERS);
    expect("SGEMM_CONFIG=@nowhere", "",
           "SGEMM_CONFIG=@nowhere: line -1 is no configuration\n" FREE_ANSWERS);
}

// A point, whatever the locale of the program; without that locale it has C's.
static void numbers_have_points_in_every_locale(void **state)
{
    (void)state;
    static const char *const scales[][2] = {
        {"0.25", "0.25"}, {"+2.5e-1", "0.25"}, {"25E-2", "0.25"},
        {".25", "0.25"},  {"-1.5", "-1.5"},    {"1e-9999999999999999999999", "0"},
        {"0,25", NULL},   {"0.2.5", NULL},     {"", NULL},
        {".", NULL},      {"e5", NULL},        {"0.25e", NULL},
        {"0.25x", NULL},  {"nan", NULL}};
    need_gcc();
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
        char variables[128], answers[512] = "";
        const char *shown = scales[i][1];
        snprintf(variables, sizeof variables,
                 "LC_ALL=" TURKISH " SGEMM_CONFIG='BM=128 LAYOUT=col SCALE=%s'",
                 scales[i][0]);
        for (int k = 0; k < 4 && shown; k++)
            snprintf(answers + strlen(answers), sizeof answers - strlen(answers),
                     "6 BM=128 BN=64 col %s own\n", shown);
        if (shown)
            strcat(answers, "misses 0\n");
        else
            snprintf(answers, sizeof answers, "%s: line 1 is no configuration: %s%s\n%s",
                     strstr(variables, "SGEMM"),
                     strchr(scales[i][0], ',') ? "" : "SCALE=",
                     strchr(scales[i][0], ',') ? "25" : scales[i][0], FREE_ANSWERS);
        for (char *p = answers, *q = answers; !shown && (*q = *p); p++)
            q += *p != '\''; // those of the shell
        expect(variables, "", answers);
    }
}

static void a_call_goes_before_the_environment(void **state)
{
    (void)state;
    need_gcc();
    expect("SGEMM_CONFIG=1", "''", "force 0\n" FREE_ANSWERS);
    expect("SGEMM_CONFIG=1", "BM=1x", "force 1\n" FREE_ANSWERS);
}

static void a_file_of_results_serves_its_sizes(void **state)
{
    (void)state;
    need_gcc();
    write_file("local", "# of this machine\n\nK=77 M=88 N=99 BM=128 BN=128\n"
                        "K=5;BM=64 # any M and N\n");
    expect("SGEMM_CONFIG=@local", "",
           "0 BM=64 BN=64 row 0.5 table\n6 BM=128 BN=128 row 1.25 own\n"
           "6 BM=128 BN=128 row 1.25 own\n6 BM=64 BN=64 row 1.25 own\nmisses 0\n");
    write_file("local", "K=77 BM=128\nK=5 BM\n");
    expect("", "@local",
           "force 2\n0 BM=64 BN=64 row 0.5 table\n"
           "6 BM=128 BN=64 row 1.25 own\n6 BM=128 BN=64 row 1.25 own\n"
           "4 BM=32 BN=64 row 1.25 table\nmisses 1\n");
}

/* The file is a list for hone tune --problems. */
static void misses_become_a_problem_list(void **state)
{
    (void)state;
    need_gcc();
    char path[64];
    struct hone_error err = {0};
    struct hone_problem_list list = {0};
    static const struct hone_constant names[] = {
        {"K", {.type = HONE_INT}}, {"M", {.type = HONE_INT}}, {"N", {.type = HONE_INT}}};
    static const int64_t sizes[2][3] = {{77, 88, 99}, {5, 6, 7}};
    expect("SGEMM_MISSES=misses", "", FREE_ANSWERS);
    expect("SGEMM_MISSES=misses", "", FREE_ANSWERS);
    snprintf(path, sizeof path, "%s/misses", folder);
    assert_ok(hone_problem_list_read(&list, path, names, 3, &err), err);
    assert_int_equal(list.count, 2);
    for (size_t i = 0; i < 2; i++) {
        assert_true(list.items[i].weight == 2); // once a run
        for (size_t k = 0; k < 3; k++)
            assert_int_equal(list.items[i].values[k].i, sizes[i][k]);
    }
    hone_problem_list_fini(&list);
}

#define TEXT_JOURNAL(text)                                                               \
    "{\"hone\":1,\"kind\":\"journal\",\"kernel\":\"text\",\"params\":[{\"name\":\"X\","  \
    "\"values\":[1,2]}],\"problem\":{\"T\":\"" text "\",\"F\":1.5,\"N\":8}}\n"           \
    "{\"config\":[1],\"outcome\":\"valid\",\"time_us\":3}\n"

static void emit_texts(void)
{
    static const char *const journals[] = {TEXT_JOURNAL("a"), TEXT_JOURNAL("b")};
    struct loaded loaded = {.count = 2};
    struct hone_error err = {0};
    const struct hone_emit_options options = {.shape = HONE_SHAPE_RUNTIME};
    char path[64];
    snprintf(path, sizeof path, "%s/j.jsonl", folder);
    for (size_t i = 0; i < 2; i++) {
        struct hone_recording *recording = NULL;
        write_file("j.jsonl", journals[i]);
        assert_ok(hone_recording_load(&recording, path, &err), err);
        loaded.list[i] = recording;
    }
    snprintf(path, sizeof path, "%s/text.h", folder);
    assert_ok(hone_emit_file(path, loaded.list, 2, &options, &err), err);
    unload(&loaded);
}

// Whatever a text of the problem holds, it is one text of one line; a float that no list
// can hold is not noted.
static void texts_of_misses_stay_texts(void **state)
{
    (void)state;
    static const char *const hostile[] = {"a\",\"N\":9}\n{\"N\":7,\"T\":\"",
                                          "back\\slash\\", "\t\r\n\x1b[31m\x7f", "%s%n",
                                          "\xc3\xa9"};
    enum { HOSTILE = sizeof hostile / sizeof *hostile };
    static const struct hone_constant names[] = {{"F", {.type = HONE_FLOAT}},
                                                 {"N", {.type = HONE_INT}},
                                                 {"T", {.type = HONE_STRING, .s = ""}}};
    struct hone_strbuf text = HONE_STRBUF_INIT;
    struct hone_problem_list list = {0};
    struct hone_error err = {0};
    char path[64], command[256];
    need_gcc();
    emit_texts();
    hone_strbuf_add(&text, "#include \"text.h\"\n#include \"text_runtime.h\"\n"
                           "#include <locale.h>\n"
                           "static const char *const hostile[] = {");
    for (size_t i = 0; i < HOSTILE; i++) {
        hone_strbuf_add(&text, "\"");
        for (const char *p = hostile[i]; *p; p++)
            hone_strbuf_printf(&text, "\\%03o", (unsigned char)*p);
        hone_strbuf_add(&text, "\", ");
    }
    hone_strbuf_printf(&text,
                       "};\nint main(void)\n{\n    int i;\n    double zero = 0;\n"
                       "    setlocale(LC_ALL, \"\");\n"
                       "    text_note_misses(\"texts\");\n"
                       "    for (i = 0; i < %d; i++)\n"
                       "        text_select(0, 0, 0, hostile[i], 0.25, 8, 0);\n"
                       "    text_select(0, 0, 0, \"inf\", 1 / zero, 8, 0);\n"
                       "    text_select(0, 0, 0, \"nan\", zero / zero, 8, 0);\n"
                       "    return 0;\n}\n",
                       (int)HOSTILE);
    write_file("texts.c", text.data);
    snprintf(
        command, sizeof command,
        "cd %s && gcc -std=c99 -Wall -Wextra -Wpedantic -Wconversion -Werror texts.c "
        "-o texts_user && rm -f texts && LC_ALL=" TURKISH " ./texts_user",
        folder);
    if (system(command) != 0) fail_msg("%s", command);
    snprintf(path, sizeof path, "%s/texts", folder);
    assert_ok(hone_problem_list_read(&list, path, names, 3, &err), err);
    assert_int_equal(list.count, HOSTILE);
    for (size_t i = 0; i < HOSTILE; i++) {
        assert_string_equal(list.items[i].values[2].s, hostile[i]);
        assert_true(list.items[i].values[0].f == 0.25 && list.items[i].values[1].i == 8);
    }
    hone_problem_list_fini(&list);
    hone_strbuf_fini(&text);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(texts_of_misses_stay_texts),
    cmocka_unit_test(every_compiler_takes_them),
    cmocka_unit_test(the_environment_forces_a_configuration),
    cmocka_unit_test(numbers_have_points_in_every_locale),
    cmocka_unit_test(a_call_goes_before_the_environment),
    cmocka_unit_test(a_file_of_results_serves_its_sizes),
    cmocka_unit_test(misses_become_a_problem_list),
};
HONE_TEST_MAIN_WITH(tests, setup, remove_folder_and_files)
