/* Emitted headers in programs of C and C++: they compile, select rows, and compute the
 * geometry that the tuner evaluates. */
#include "emit_goldens.h"

#include "base/arch.h"
#include "hone/rng.h"

/* --- compiling --- */

#define C99   "gcc -std=c99 -Wall -Wextra -Wpedantic -Werror "
#define CXX11 "g++ -x c++ -std=c++11 -Wall -Wextra -Wpedantic -Werror "

static bool has(const char *compiler)
{
    char command[64];
    snprintf(command, sizeof command, "%s --version >/dev/null 2>&1", compiler);
    return system(command) == 0;
}

/* What is compiled stands in the folder as it is emitted now. */
static int emit_all(void **state)
{
    if (make_folder(state) != 0) return -1;
    for (size_t i = 0; i < GOLDEN_COUNT; i++) {
        char name[64];
        struct loaded loaded = load(goldens[i].journals);
        char *text = emit(&loaded, goldens[i].name);
        snprintf(name, sizeof name, "%s.h", goldens[i].header);
        write_file(name, text);
        free(text);
        unload(&loaded);
    }
    return 0;
}

static void run(struct hone_strbuf *printed, const char *compile, const char *program)
{
    char command[1024], line[512];
    write_file("p.c", program);
    snprintf(command, sizeof command, "%s%s/p.c -o %s/p", compile, folder, folder);
    assert_int_equal(system(command), 0);
    snprintf(command, sizeof command, "%s/p", folder);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    while (fgets(line, sizeof line, pipe))
        hone_strbuf_add(printed, line);
    assert_int_equal(pclose(pipe), 0);
}

static void compile_all(const char *compile)
{
    for (size_t i = 0; i < GOLDEN_COUNT; i++) {
        char program[512];
        struct hone_strbuf printed = HONE_STRBUF_INIT;
        snprintf(program, sizeof program,
                 "#include \"%s.h\"\n#include \"%s.h\"\nint main(void) { return 0; }\n",
                 goldens[i].header, goldens[i].header);
        run(&printed, compile, program);
        hone_strbuf_fini(&printed);
    }
}

// A header whose constraint asks for shared memory, beside the programs.
static void emit_wide(void)
{
    static const char journal[] =
        "{\"hone\":1,\"kind\":\"journal\",\"kernel\":\"wide\",\"params\":[{\"name\":"
        "\"X\",\"values\":[1,2]}],\"where\":[\"X * 60000 <= device.max_shared_bytes\"],"
        "\"device\":{\"name\":\"A100\",\"limits\":{\"arch\":\"sm_80\",\"cc_major\":8,"
        "\"sm_count\":108,\"max_shared_bytes\":166912}}}\n"
        "{\"config\":[1],\"outcome\":\"valid\",\"time_us\":1}\n";
    struct hone_recording *recording = recording_of(journal);
    struct hone_error err = {0};
    char path[64];
    snprintf(path, sizeof path, "%s/wide.h", folder);
    const struct hone_recording *const list[] = {recording};
    assert_ok(hone_emit_file(path, list, 1, &(struct hone_emit_options){0}, &err), err);
    hone_recording_free(recording);
}

/* Of every architecture that no row is of, and of what is none at all. */
static void an_unlisted_gpu_has_the_shared_memory_of_its_architecture(void **state)
{
    (void)state;
    static const char program[] =
        "#include <stdio.h>\n#include \"wide.h\"\n"
        "int main(void)\n{\n"
        "    for (int major = -1; major < 14; major++)\n"
        "        for (int minor = -10; minor < 30; minor++)\n"
        "            printf(\"%lld\\n\",\n"
        "                   wide_gpu_of(major, minor, 128).max_shared_bytes);\n"
        "    printf(\"%lld\\n\", wide_gpu_of(2147483647, 9, 1).max_shared_bytes);\n"
        "    return 0;\n}\n";
    struct hone_strbuf printed = HONE_STRBUF_INIT, expected = HONE_STRBUF_INIT;
    if (!has("gcc")) SKIP("no gcc here");
    for (int major = -1; major < 14; major++)
        for (int minor = -10; minor < 30; minor++) {
            struct hone_limits limits = {0};
            hone_arch_limits(&limits, major, minor);
            hone_strbuf_printf(&expected, "%d\n", (int)limits.max_shared_bytes);
        }
    hone_strbuf_printf(&expected, "%d\n", HONE_SHARED_ALWAYS);
    emit_wide();
    run(&printed, C99, program);
    assert_string_equal(printed.data, expected.data);
    assert_non_null(strstr(printed.data, "101376\n"));
    hone_strbuf_fini(&printed);
    hone_strbuf_fini(&expected);
}

static void headers_compile_as_c99(void **state)
{
    (void)state;
    if (!has("gcc")) SKIP("no gcc here");
    compile_all(C99);
}

static void headers_compile_as_cxx11(void **state)
{
    (void)state;
    if (!has("g++")) SKIP("no g++ here");
    compile_all(CXX11);
}

static const char tiers[] =
    "#include \"sgemm.h\"\n"
    "#include \"sgemm_emu.h\"\n"
    "#include \"odd.h\"\n"
    "#include <stdio.h>\n"
    "static void ask(int major, int minor, int sms, long long K, long long M, long long "
    "N)\n"
    "{\n"
    "    int tier = -1, row = 0;\n"
    "    const sgemm_config *config = sgemm_select(major, minor, sms, K, M, N, &tier);\n"
    "    while (row < SGEMM_ROWS && config != &sgemm_configs[sgemm_rows[row].config]) "
    "row++;\n"
    "    printf(\"%d %s\\n\", row, tier == SGEMM_EXACT ? \"exact\" : tier == "
    "SGEMM_SAME_DEVICE\n"
    "           ? \"device\" : tier == SGEMM_SAME_ARCH ? \"arch\" : tier == "
    "SGEMM_SAME_FAMILY\n"
    "           ? \"family\" : tier == SGEMM_DEFAULT ? \"default\" : \"?\");\n"
    "}\n"
    "int main(void)\n"
    "{\n"
    "    ask(9, 0, 132, 4096, 4096, 4096);\n"
    "    ask(9, 0, 132, 512, 1000, 777);\n"
    "    ask(8, 0, 108, 4096, 4096, 4096);\n"
    "    ask(8, 0, 108, 4096, 4096, 4097);\n"
    "    ask(9, 0, 114, 4096, 4096, 4096);\n"
    "    ask(8, 6, 84, 4096, 4096, 4096);\n"
    "    ask(7, 5, 72, 4096, 4096, 4096);\n"
    "    printf(\"%d\\n\", sgemm_configs[sgemm_rows[2].config].BM);\n"
    "    printf(\"%s\\n\", sgemm_defines[sgemm_rows[2].config]);\n"
    "    printf(\"%d\\n\", ODD_select(7, 0, 80, 3, 2.5, 0) == "
    "&ODD_configs[0]);\n"
    "    printf(\"%d\\n\", ODD_select(7, 0, 80, 4, 2.5, 0) == "
    "&ODD_configs[0]);\n"
    "    printf(\"%s\\n\", ODD_devices[0].name);\n"
    "    return sgemm_emu_rows[0].predicted_us > 0 ? 0 : 1;\n"
    "}\n";

static void expect_tiers(const char *compile)
{
    struct hone_strbuf printed = HONE_STRBUF_INIT;
    run(&printed, compile, tiers);
    assert_string_equal(
        printed.data, "2 exact\n1 exact\n0 exact\n0 device\n2 arch\n0 family\n0 default\n"
                      "64\n"
                      "-DBK=16 -DBM=64 -DBN=64 -DLAYOUT=row -DSCALE=0.5 -DSWAP=0\n"
                      "1\n1\nGPU \"X\" */ ?\?/ /* \\ \n \xc3\xa9\n");
    hone_strbuf_fini(&printed);
}

static void several_headers_in_one_program_select_rows(void **state)
{
    (void)state;
    if (!has("gcc")) SKIP("no gcc here");
    expect_tiers(C99);
    if (has("g++")) expect_tiers(CXX11);
}

/* --- geometry --- */

/* Names and values an expression of the journal may read, derived values evaluated in
 * turn. */
struct names {
    const char *names[64];
    struct hone_value values[64];
    size_t count;
};

static void add_name(struct names *names, const char *name, struct hone_value value)
{
    names->names[names->count] = name;
    names->values[names->count++] = value;
}

static bool try_expr(const struct names *names, const char *text,
                     struct hone_value *value)
{
    struct hone_expr *expr = NULL;
    struct hone_error err = {0};
    bool ok = hone_expr_new(&expr, text, &err) == HONE_OK &&
              hone_expr_bind(expr, names->names, names->count, &err) == HONE_OK &&
              hone_expr_eval(expr, names->values, value, NULL, &err) == HONE_OK;
    hone_expr_free(expr);
    return ok;
}

static long long evaluate(const struct names *names, const char *text)
{
    struct hone_value value = {0};
    int64_t number = 0;
    if (!text) return 1;
    assert_true(try_expr(names, text, &value));
    assert_true(hone_value_to_int(value, &number));
    return number;
}

/* Derived values stand in any order: go round until no more can be evaluated. */
static void add_derived(struct names *names, const struct hone_record_info *info)
{
    bool done[16] = {0};
    for (size_t round = 0; round < info->derived_count; round++)
        for (size_t i = 0; i < info->derived_count; i++) {
            struct hone_value value;
            if (done[i] || !try_expr(names, info->derived[i].text, &value)) continue;
            add_name(names, info->derived[i].name, value);
            done[i] = true;
        }
}

static void expect_geometry(struct hone_strbuf *out, const struct hone_record_info *info,
                            const uint16_t *choices, const long long sizes[3])
{
    struct names names = {0};
    for (size_t i = 0; i < info->param_count; i++)
        add_name(&names, info->params[i].name, info->params[i].values[choices[i]]);
    for (size_t i = 0; i < 3; i++)
        add_name(&names, info->problem[i].name,
                 (struct hone_value){.type = HONE_INT, .i = sizes[i]});
    add_name(&names, "device.sm_count",
             (struct hone_value){.type = HONE_INT, .i = info->limits->sm_count});
    add_derived(&names, info);
    for (size_t i = 0; i < 3; i++)
        hone_strbuf_printf(out, "%u ", (unsigned)evaluate(&names, info->grid[i]));
    for (size_t i = 0; i < 3; i++)
        hone_strbuf_printf(out, "%u ", (unsigned)evaluate(&names, info->block[i]));
    hone_strbuf_printf(out, "%u\n", (unsigned)evaluate(&names, info->shared));
}

static const char geometry_head[] =
    "#include \"sgemm.h\"\n#include <stdio.h>\n"
    "static void show(const sgemm_config *c, long long K, long long M, long long N)\n"
    "{\n"
    "    unsigned g[3], b[3];\n"
    "    sgemm_grid(c, K, M, N, g);\n"
    "    sgemm_block(c, K, M, N, b);\n"
    "    printf(\"%u %u %u %u %u %u %u\\n\", g[0], g[1], g[2], b[0], b[1], b[2],\n"
    "           sgemm_shared_bytes(c, K, M, N));\n"
    "}\n"
    "int main(void)\n{\n";

/* Every row of the golden header and its default at 400 random sizes: the compiled
 * functions and the tuner's own evaluation agree. */
static void geometry_is_what_the_tuner_evaluates(void **state)
{
    (void)state;
    if (!has("gcc")) SKIP("no gcc here");
    static const char *const names[] = {"sgemm_a100", "sgemm_h200_small", "sgemm_h200",
                                        NULL};
    static const uint16_t rows[][6] = {
        {1, 0, 0, 0, 1, 1}, {0, 0, 1, 0, 1, 1}, {1, 1, 0, 0, 0, 0}};
    struct loaded loaded = load(names);
    struct hone_strbuf program = HONE_STRBUF_INIT, expected = HONE_STRBUF_INIT;
    struct hone_strbuf printed = HONE_STRBUF_INIT;
    struct hone_rng rng;
    hone_rng_seed(&rng, 5);
    hone_strbuf_add(&program, geometry_head);
    for (int i = 0; i < 400; i++) {
        long long sizes[3];
        size_t row = (size_t)hone_rng_below(&rng, 4);
        const struct hone_record_info *info = hone_recording_info(loaded.list[row % 3]);
        const uint16_t *choices = rows[row % 3]; // the best on average is the first
        for (int s = 0; s < 3; s++)
            sizes[s] =
                1 + (long long)(hone_rng_next(&rng) >> (40 + hone_rng_below(&rng, 20)));
        hone_strbuf_add(&program, "    show(&sgemm_");
        if (row < 3)
            hone_strbuf_printf(&program, "configs[sgemm_rows[%zu].config]", row);
        else
            hone_strbuf_add(&program, "configs[SGEMM_DEFAULT_CONFIG]");
        hone_strbuf_printf(&program, ", %lldLL, %lldLL, %lldLL);\n", sizes[0], sizes[1],
                           sizes[2]);
        expect_geometry(&expected, info, choices, sizes);
    }
    hone_strbuf_add(&program, "    return 0;\n}\n");
    run(&printed, C99, program.data);
    assert_string_equal(printed.data, expected.data);
    hone_strbuf_fini(&program);
    hone_strbuf_fini(&expected);
    hone_strbuf_fini(&printed);
    unload(&loaded);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(an_unlisted_gpu_has_the_shared_memory_of_its_architecture),
    cmocka_unit_test(headers_compile_as_c99),
    cmocka_unit_test(headers_compile_as_cxx11),
    cmocka_unit_test(several_headers_in_one_program_select_rows),
    cmocka_unit_test(geometry_is_what_the_tuner_evaluates),
};
HONE_TEST_MAIN_WITH(tests, emit_all, remove_folder_and_files)
