/* Launches of payload headers: arguments that have no value, or one that their type does
 * not hold, are no launch, and nothing is undefined on the way there. */
#include "emit_fixture.h"

// A header of one configuration, X = 2, whose kernel has this argument.
static enum hone_status emit_with(const char *argument, struct hone_error *err)
{
    struct hone_strbuf text = HONE_STRBUF_INIT, header = HONE_STRBUF_INIT;
    const struct hone_payload payload = {.kind = HONE_PAYLOAD_SOURCE,
                                         .template_text = "// kernel\n",
                                         .template_hash = "h"};
    const struct hone_emit_options options = {.payload = &payload};
    hone_strbuf_printf(
        &text,
        "{\"hone\":1,\"kind\":\"journal\",\"kernel\":\"k\",\"entry\":\"k\","
        "\"template_hash\":\"h\",\"params\":[{\"name\":\"X\","
        "\"values\":[1,2]}],\"problem\":{\"N\":8},"
        "\"launch\":{\"grid\":[\"X\"],\"block\":[\"32\",\"X\"],\"shared\":\"X\"},"
        "\"derived\":[{\"name\":\"D\",\"text\":\"64 // N\"}],"
        "\"args\":[%s]}\n"
        "{\"config\":[2],\"outcome\":\"valid\",\"time_us\":3456789.5}\n",
        argument);
    struct hone_recording *recording = recording_of(text.data);
    const struct hone_recording *const list[] = {recording};
    const enum hone_status status = hone_emit(&header, list, 1, &options, err);
    if (status == HONE_OK) write_file("k.h", header.data);
    hone_recording_free(recording);
    hone_strbuf_fini(&header);
    hone_strbuf_fini(&text);
    return status;
}

static void run_user(const char *compiler, const char *argument, const char *expected)
{
    char command[768];
    snprintf(command, sizeof command,
             "cd %s && %s -O1 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror "
             "-fsanitize=undefined,float-cast-overflow,address -fno-sanitize-recover=all "
             "user.c -o user -ldl && HONE_LIBCUDA=/nowhere/libcuda.so ./user >got",
             folder, compiler);
    if (system(command) != 0) fail_msg("%s: %s", argument, command);
    snprintf(command, sizeof command, "%s/got", folder);
    char *got = NULL;
    struct hone_error err = {0};
    assert_ok(hone_file_read(&got, NULL, command, &err), err);
    if (strcmp(got, expected) != 0) fail_msg("%s: %s", argument, got);
    free(got);
}

#define SCALAR(dtype, text)                                                              \
    "{\"kind\":\"scalar\",\"name\":\"A\",\"dtype\":\"" dtype "\",\"size\":\"" text "\"}"
#define MAPPED(size, box)                                                                \
    "{\"kind\":\"input\",\"name\":\"A\",\"dtype\":\"f32\",\"size\":\"64\","              \
    "\"tensor_map\":{\"axes\":[{\"size\":\"" size "\",\"box\":\"" box "\"}]}}"

// A program that launches with more arguments than the size, and tells what came of it.
static void write_user(const char *more)
{
    struct hone_strbuf text = HONE_STRBUF_INIT;
    hone_strbuf_printf(
        &text,
        "#include <stdio.h>\n#include \"k.h\"\n"
        "int main(void)\n{\n"
        "    static const long long sizes[] = {-1, 0, 7, 8, 3000000000LL,\n"
        "                                      9223372036854775807LL};\n"
        "    int i;\n"
        "    for (i = 0; i < 6; i++)\n"
        "        printf(\"%%d \", k_launch_config(k_configs, 0, sizes[i]%s));\n"
        "    printf(\"null %%d\\n\", k_launch_config(0, 0, 8%s));\n"
        "    return 0;\n}\n",
        more, more);
    write_file("user.c", text.data);
    hone_strbuf_fini(&text);
}

// Of -1, 0, 7, 8, 3 billion and the largest size. -3: no configuration; -1: no driver,
// which comes after. A null configuration is none, whatever the arguments read of it.
static void arguments_without_a_value_are_no_launch(void **state)
{
    (void)state;
    static const struct {
        const char *argument, *expected;
    } cases[] = {{SCALAR("i32", "N"), "-1 -1 -1 -1 -3 -3 null -3\n"},
                 {SCALAR("i64", "N * N"), "-1 -1 -1 -1 -1 -1 null -3\n"},
                 {SCALAR("u32", "N"), "-3 -1 -1 -1 -1 -3 null -3\n"},
                 {SCALAR("u64", "N"), "-3 -1 -1 -1 -1 -1 null -3\n"},
                 {SCALAR("u8", "N"), "-3 -1 -1 -1 -3 -3 null -3\n"},
                 {SCALAR("i16", "X // N"), "-1 -3 -1 -1 -1 -1 null -3\n"},
                 {SCALAR("i32", "N % (N - 8)"), "-1 -1 -1 -3 -1 -1 null -3\n"},
                 {SCALAR("i32", "D + X"), "-1 -3 -1 -1 -1 -1 null -3\n"},
                 {SCALAR("i32", "N / 4"), "-3 -1 -3 -1 -1 -3 null -3\n"},
                 {SCALAR("f32", "N / 4"), "-1 -1 -1 -1 -1 -1 null -3\n"},
                 {SCALAR("f64", "D"), "-1 -3 -1 -1 -1 -1 null -3\n"},
                 {SCALAR("i32", "ceil_div(N, X)"), "-1 -1 -1 -1 -1 -3 null -3\n"}};
    if (system("g++ --version >/dev/null 2>&1") != 0) SKIP("no g++ here");
    write_user("");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct hone_error err = {0};
        assert_ok(emit_with(cases[i].argument, &err), err);
        run_user("gcc -std=c99", cases[i].argument, cases[i].expected);
        if (i % 4 == 0)
            run_user("g++ -std=c++11 -x c++", cases[i].argument, cases[i].expected);
    }
    struct hone_error err = {0};
    assert_ok(emit_with(MAPPED("64 // N", "N / 2"), &err), err);
    write_user(", 0"); // a map is made once the kernel is loaded
    run_user("gcc -std=c99", "map", "-1 -1 -1 -1 -1 -1 null -3\n");
}

static void arguments_that_are_no_numbers_are_refused(void **state)
{
    (void)state;
    static const char *const arguments[] = {SCALAR("i32", "N > 3"),
                                            SCALAR("f32", "N > 3 and 'a' or 'b'"),
                                            MAPPED("N > 3", "8")};
    for (size_t i = 0; i < sizeof arguments / sizeof *arguments; i++) {
        struct hone_error err = {0};
        assert_int_equal(emit_with(arguments[i], &err), HONE_EINPUT);
        assert_non_null(strstr(err.text, "a launch needs a number here"));
    }
}

// What the line in the header says of an argument; it stays one line of a comment.
static void arguments_are_told_by_kind_type_and_size(void **state)
{
    (void)state;
    static const struct {
        const char *argument, *line;
    } cases[] = {
        {"{\"kind\":\"input\",\"name\":\"A\",\"dtype\":\"bf16\",\"size\":\"N * X\"}",
         "\n *   A: input, bf16, N * X elements\n"},
        {"{\"kind\":\"output\",\"name\":\"A\",\"dtype\":\"f32\",\"size\":\"N\","
         "\"pointers\":\"X\"}",
         "\n *   A: output, f32, N elements, pointers\n"},
        {"{\"kind\":\"constant\",\"name\":\"A\",\"dtype\":\"f32\",\"size\":\"9\"}",
         "\n *   A: constant, f32, 9 elements\n"},
        {SCALAR("f32", "1.5"), "\n *   A: scalar, f32\n"},
        {SCALAR("i32", "N"), NULL}, // follows from the problem, so that nobody gives it
        {"{\"kind\":\"input\",\"name\":\"A\",\"dtype\":\"f32\",\"size\":\"8 */ N\"}",
         "\n *   A: input, f32, 8 "}};
    char path[80];
    snprintf(path, sizeof path, "%s/k.h", folder);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct hone_error err = {0};
        char *header = NULL;
        assert_ok(emit_with(cases[i].argument, &err), err);
        assert_ok(hone_file_read(&header, NULL, path, &err), err);
        const char *line = cases[i].line ? cases[i].line : " *   A: ";
        if (!strstr(header, line) != !cases[i].line) fail_msg("%s", cases[i].argument);
        assert_null(strstr(header, "8 */ N"));
        free(header);
    }
}

// 1 s is 1000000 us, not 1e+06 us.
static void a_time_of_seconds_has_no_exponent(void **state)
{
    (void)state;
    char path[80], *text = NULL;
    struct hone_error err = {0};
    assert_ok(emit_with(SCALAR("i32", "N"), &err), err);
    snprintf(path, sizeof path, "%s/k.h", folder);
    assert_ok(hone_file_read(&text, NULL, path, &err), err);
    assert_non_null(strstr(text, " 3456790 us"));
    free(text);
}

// What select answers where nothing runs may be given on as it is.
static void without_a_configuration_there_is_no_geometry(void **state)
{
    (void)state;
    static const char argument[] = "{\"kind\":\"workspace\",\"name\":\"W\","
                                   "\"dtype\":\"f32\",\"size\":\"X * N\"}";
    struct hone_error err = {0};
    if (system("g++ --version >/dev/null 2>&1") != 0) SKIP("no g++ here");
    assert_ok(emit_with(argument, &err), err);
    write_file("user.c",
               "#include <stdio.h>\n#include \"k.h\"\n"
               "static void tell(const k_config *c)\n{\n"
               "    unsigned g[3], b[3];\n"
               "    k_grid(c, 8, g);\n    k_block(c, 8, b);\n"
               "    printf(\"%u %u %u, %u %u %u, %u, %llu\\n\", g[0], g[1], g[2], b[0], "
               "b[1], b[2], k_shared_bytes(c, 8), k_W_bytes(c, 8));\n}\n"
               "int main(void)\n{\n    tell(k_configs);\n    tell(0);\n"
               "    return 0;\n}\n");
    static const char expected[] =
        "2 1 1, 32 2 1, 2, 64\n0 0 0, 0 0 0, 4294967295, 18446744073709551615\n";
    run_user("gcc -std=c99", argument, expected);
    run_user("g++ -std=c++11 -x c++", argument, expected);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(arguments_are_told_by_kind_type_and_size),
    cmocka_unit_test(a_time_of_seconds_has_no_exponent),
    cmocka_unit_test(without_a_configuration_there_is_no_geometry),
    cmocka_unit_test(arguments_without_a_value_are_no_launch),
    cmocka_unit_test(arguments_that_are_no_numbers_are_refused),
};
HONE_TEST_MAIN_WITH(tests, make_folder, remove_folder_and_files)
