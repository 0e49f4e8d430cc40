/* Emitted headers under the compilers of their users: each alone, and twenty in one file,
 * without a warning. */
#include "tile_fixture.h"

/* Journals and payload of a header; no journals: the tiles' of tile_fixture.h. */
static const struct kind {
    const char *journals[MOST];
    enum hone_payload_kind payload;
    const char *more; /* behind the includes */
} kinds[] = {{{"sgemm_h200", "sgemm_h200_small", "sgemm_a100"}, HONE_PAYLOAD_NONE, ""},
             {{"sgemm_emu"}, HONE_PAYLOAD_NONE, "#include \"kernel_1_runtime.h\"\n"},
             {{"odd"}, HONE_PAYLOAD_NONE, ""},
             {{"plain"}, HONE_PAYLOAD_NONE, ""},
             {{NULL}, HONE_PAYLOAD_NONE, "#include \"kernel_4_runtime.h\"\n"},
             {{NULL}, HONE_PAYLOAD_SOURCE, ""},
             {{NULL}, HONE_PAYLOAD_PTX, ""},
             {{NULL}, HONE_PAYLOAD_CUBIN, "#include \"kernel_7_runtime.h\"\n"}};
enum { KINDS = sizeof kinds / sizeof *kinds, HEADERS = 20 };

static struct loaded tiles;

static enum hone_status build(void *context, const char *source, const char *arch,
                              struct hone_strbuf *image, struct hone_error *err)
{
    (void)context;
    (void)source;
    (void)err;
    hone_strbuf_printf(image, "an image for %s", arch);
    return HONE_OK;
}

static char *emit(const struct kind *kind, const char *name, bool second)
{
    static const char *const options[] = {"-std=c++17"}, *const archs[] = {"sm_80"};
    const struct hone_payload payload = {.kind = kind->payload,
                                         .template_text = "// a \"kernel\" ?\?/\n",
                                         .template_hash = "tile.cu",
                                         .options = options,
                                         .option_count = 1,
                                         .archs = archs,
                                         .arch_count = 1,
                                         .build = build};
    const struct hone_emit_options with = {.name = name,
                                           .accept_predicted = true,
                                           .payload = &payload,
                                           .shape = *kind->more ? HONE_SHAPE_RUNTIME
                                                                : HONE_SHAPE_TABLE,
                                           .second = second};
    struct hone_strbuf out = HONE_STRBUF_INIT;
    struct hone_error err = {0};
    struct loaded loaded = kind->journals[0] ? load(kind->journals) : tiles;
    assert_ok(hone_emit(&out, loaded.list, loaded.count, &with, &err), err);
    if (kind->journals[0]) unload(&loaded);
    return hone_strbuf_steal(&out);
}

static void write_header(size_t number)
{
    char name[24], file[48];
    snprintf(name, sizeof name, "kernel_%zu", number);
    snprintf(file, sizeof file, "%s.h", name);
    char *text = emit(&kinds[number % KINDS], name, false);
    write_file(file, text);
    free(text);
    if (!*kinds[number % KINDS].more) return;
    snprintf(file, sizeof file, "%s_runtime.h", name);
    text = emit(&kinds[number % KINDS], name, true);
    write_file(file, text);
    free(text);
}

static void write_source(const char *name, size_t first, size_t count)
{
    struct hone_strbuf out = HONE_STRBUF_INIT;
    for (size_t i = first; i < first + count; i++)
        hone_strbuf_printf(&out, "#include \"kernel_%zu.h\"\n", i);
    for (size_t i = first; i < first + count; i++)
        hone_strbuf_add(&out, i < KINDS ? kinds[i].more : "");
    hone_strbuf_add(&out, "int main(void) { return 0; }\n");
    write_file(name, out.data);
    hone_strbuf_fini(&out);
}

static int setup(void **state)
{
    (void)state;
    static struct sizes sizes[MOST_SIZES];
    if (!mkdtemp(folder)) return -1;
    load_all(&tiles, sizes);
    for (size_t i = 0; i < HEADERS; i++)
        write_header(i);
    for (size_t i = 0; i < KINDS; i++) {
        char name[24];
        snprintf(name, sizeof name, "alone_%zu.c", i);
        write_source(name, i, 1);
    }
    write_source("all.c", 0, HEADERS);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    char command[64];
    unload(&tiles);
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

static bool has(const char *compiler)
{
    char command[64];
    snprintf(command, sizeof command, "%s --version >/dev/null 2>&1", compiler);
    return system(command) == 0;
}

/* What library authors compile with besides; the payload's calls of libc are C. */
#define STRICT                                                                           \
    " -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wcast-qual "     \
    "-Wundef -Wwrite-strings -Wformat=2 -Werror"

static void compile(const char *compiler, const char *standard)
{
    char command[512];
    snprintf(command, sizeof command,
             "cd %s && for f in alone_*.c all.c; do %s %s" STRICT
             " -O1 -c $f -o out.o || exit 1; done",
             folder, compiler, standard);
    if (system(command) != 0) fail_msg("%s %s", compiler, standard);
}

static void compile_standards(const char *compiler, const char *const standards[2])
{
    if (!has(compiler)) SKIP("no %s here", compiler);
    compile(compiler, standards[0]);
    compile(compiler, standards[1]);
}

static const char *const c_standards[] = {"-std=c99", "-std=c11"};
static const char *const cxx_standards[] = {"-x c++ -std=c++11", "-x c++ -std=c++20"};

static void gcc_takes_them_as_c99_and_c11(void **state)
{
    (void)state;
    compile_standards("gcc", c_standards);
}

static void gxx_takes_them_as_cxx11_and_cxx20(void **state)
{
    (void)state;
    compile_standards("g++", cxx_standards);
}

static void clang_takes_them_as_c99_and_c11(void **state)
{
    (void)state;
    compile_standards("clang", c_standards);
}

static void clangxx_takes_them_as_cxx11_and_cxx20(void **state)
{
    (void)state;
    compile_standards("clang++", cxx_standards);
}

static void nvcc_compiles(const char *options, const char *sources)
{
    char command[512];
    if (!has("nvcc")) SKIP("no nvcc here");
    snprintf(command, sizeof command,
             "cd %s && for f in %s; do nvcc %s -Werror all-warnings "
             "-Xcompiler -Wall,-Wextra,-Werror -c $f -o out.o || exit 1; done",
             folder, sources, options);
    if (system(command) != 0) fail_msg("nvcc %s", options);
}

/* For host and device: its own warnings are errors too. What it makes is not pedantic,
 * and its C++ begins with 11 (CUDA 13). */
static void nvcc_takes_them_as_cuda(void **state)
{
    (void)state;
    nvcc_compiles("-x cu -std=c++11", "all.c");
    nvcc_compiles("-x cu -std=c++17", "all.c");
    nvcc_compiles("-x cu -std=c++20", "all.c");
}

static void nvcc_takes_each_alone(void **state)
{
    (void)state;
    nvcc_compiles("-x cu -std=c++17", "alone_*.c");
}

/* nvcc has no -std for C: that is the host compiler's. */
static void nvcc_takes_them_for_the_host(void **state)
{
    (void)state;
    nvcc_compiles("-x c -Xcompiler -std=c99,-Wpedantic", "all.c");
    nvcc_compiles("-x c -Xcompiler -std=c11,-Wpedantic", "all.c");
    nvcc_compiles("-x c++ -std=c++11 -Xcompiler -Wpedantic", "all.c");
    nvcc_compiles("-x c++ -std=c++20 -Xcompiler -Wpedantic", "all.c");
}

/* --- in one file with others --- */

/* So that headers of two versions of hone may meet in one file. */
static void a_header_has_names_of_its_own(void **state)
{
    (void)state;
    for (size_t i = 0; i < KINDS; i++) {
        char *text = emit(&kinds[i], "kernel", *kinds[i].more);
        assert_null(strstr(text, "hone2_"));
        assert_null(strstr(text, "static inline int\nhone"));
        free(text);
    }
}

/* What the compiler says of a file that it refuses. */
static void expect_error(const char *text, const char *message)
{
    char command[256], said[4096] = "";
    write_file("wrong.c", text);
    snprintf(command, sizeof command, "cd %s && gcc -fsyntax-only wrong.c 2>&1", folder);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    said[fread(said, 1, sizeof said - 1, pipe)] = '\0';
    assert_int_not_equal(pclose(pipe), 0);
    if (!strstr(said, message)) fail_msg("%s", said);
}

static void what_cannot_go_together_is_said(void **state)
{
    (void)state;
    static const struct kind other = {{"sgemm_a100"}, HONE_PAYLOAD_NONE, ""};
    if (!has("gcc")) SKIP("no gcc here");
    char *text = emit(&other, "kernel_0", false);
    write_file("other.h", text);
    free(text);
    expect_error("#include \"kernel_0.h\"\n#include \"kernel_0.h\"\n"
                 "#include \"other.h\"\n",
                 "two headers kernel_0 that differ: emit one of them with --name");
    expect_error("#include \"kernel_1_runtime.h\"\n",
                 "kernel_1: include its table ahead of this file");
    expect_error("#define N 1024\n#include \"kernel_0.h\"\n",
                 "kernel_0: include this header before its parameters or sizes are");
}

/* --- long lines --- */

#define LONG                                                                             \
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen "  \
    "fifteen"

static void write_journal(char *path, size_t size, int n, const char *best)
{
    char name[24], text[512];
    snprintf(name, sizeof name, "long_%d.jsonl", n);
    snprintf(path, size, "%s/%s", folder, name);
    snprintf(
        text, sizeof text,
        "{\"hone\":1,\"kind\":\"journal\",\"kernel\":\"texts\",\"params\":[{\"name\":"
        "\"T\",\"values\":[\"a\",\"b\",\"c\",\"" LONG "\"]}],\"problem\":{\"N\":%d}}\n"
        "{\"config\":[\"%s\"],\"outcome\":\"valid\",\"time_us\":3}\n",
        n, best);
    write_file(name, text);
}

/* clang takes it for a comma that is missing, see -Wstring-concatenation. */
static void one_long_text_among_others_brings_no_warning(void **state)
{
    (void)state;
    static const char *const best[] = {"a", "b", LONG, "c"};
    struct hone_recording *loaded[MOST] = {0};
    struct hone_error err = {0};
    if (!has("clang")) SKIP("no clang here");
    for (int i = 0; i < MOST; i++) {
        char path[64];
        write_journal(path, sizeof path, i + 1, best[i]);
        assert_ok(hone_recording_load(&loaded[i], path, &err), err);
    }
    struct hone_strbuf out = HONE_STRBUF_INIT;
    const struct hone_emit_options none = {0};
    const struct hone_recording *list[MOST] = {loaded[0], loaded[1], loaded[2],
                                               loaded[3]};
    assert_ok(hone_emit(&out, list, MOST, &none, &err), err);
    write_file("long.h", out.data);
    write_file("long.c", "#include \"long.h\"\n");
    const struct {
        const char *compiler, *standard;
    } compilers[] = {{"clang", "-std=c99"}, {"clang++", "-x c++ -std=c++11"}};
    for (size_t i = 0; i < 2; i++) {
        char command[512];
        snprintf(command, sizeof command, "cd %s && %s %s" STRICT " -c long.c -o out.o",
                 folder, compilers[i].compiler, compilers[i].standard);
        if (system(command) != 0) fail_msg("%s", command);
    }
    hone_strbuf_fini(&out);
    for (int i = 0; i < MOST; i++)
        hone_recording_free(loaded[i]);
}

/* --- shapes --- */

static char *emit_shape(enum hone_emit_shape shape, bool second)
{
    struct hone_strbuf out = HONE_STRBUF_INIT;
    struct hone_error err = {0};
    struct loaded loaded = load(kinds[0].journals);
    const struct hone_emit_options with = {.shape = shape, .second = second};
    assert_ok(hone_emit(&out, loaded.list, loaded.count, &with, &err), err);
    unload(&loaded);
    return hone_strbuf_steal(&out);
}

/* The rows of the matrix in docs/header.md, by words that stand for them. */
static void each_shape_has_what_the_matrix_says(void **state)
{
    (void)state;
    static const struct {
        const char *words;
        bool table, second, macros;
    } matrix[] = {{"sgemm_select_for(const", true, false, false},
                  {"sgemm_grid(const", true, false, false},
                  {"sgemm_force(", false, true, false},
                  {"sgemm_note_misses(", false, true, false},
                  {"#define SGEMM_BM ", false, false, true},
                  {"#define SGEMM_DEFINES ", false, false, true},
                  {"__CUDA_ARCH__ >= 900", false, false, true},
                  {"#include", false, true, false},
                  {"static inline", true, true, false},
                  {"Emitted by hone", true, true, true}};
    char *table = emit_shape(HONE_SHAPE_TABLE, false);
    char *first = emit_shape(HONE_SHAPE_RUNTIME, false);
    char *second = emit_shape(HONE_SHAPE_RUNTIME, true);
    char *macros = emit_shape(HONE_SHAPE_MACROS, false);
    assert_non_null(strstr(table, "/* of its launch */"));
    assert_null(strstr(first, "/* of its launch */"));
    for (size_t i = 0; i < sizeof matrix / sizeof *matrix; i++) {
        const char *words = matrix[i].words;
        const bool as_said = (strstr(table, words) != NULL) == matrix[i].table &&
                             (strstr(second, words) != NULL) == matrix[i].second &&
                             (strstr(macros, words) != NULL) == matrix[i].macros;
        if (!as_said) fail_msg("%s", words);
    }
    free(table);
    free(first);
    free(second);
    free(macros);
}

/* Of an A100 and an H200: device code of each, of what lies between and beyond, the host,
 * and a row by its number. */
static void macros_are_chosen_by_architecture(void **state)
{
    (void)state;
    static const struct {
        const char *options;
        int bm, bn;
    } cases[] = {{"", 32, 64},
                 {"-D__CUDA_ARCH__=750", 32, 64},
                 {"-D__CUDA_ARCH__=800", 32, 64},
                 {"-D__CUDA_ARCH__=890", 32, 64},
                 {"-D__CUDA_ARCH__=900", 32, 128},
                 {"-D__CUDA_ARCH__=1200", 32, 128},
                 {"-DSGEMM_ROW=1", 32, 128},
                 {"-D__CUDA_ARCH__=900 -DSGEMM_ROW=0", 32, 64}};
    static const char *const compilers[] = {"gcc -std=c99", "g++ -x c++ -std=c++11",
                                            "clang -std=c99",
                                            "clang++ -x c++ -std=c++11"};
    char *text = emit_shape(HONE_SHAPE_MACROS, false);
    write_file("macros.h", text);
    free(text);
    write_file("macros.c", "#include \"macros.h\"\n#include \"macros.h\"\n"
                           "typedef char bm[SGEMM_BM == BM ? 1 : -1];\n"
                           "typedef char bn[SGEMM_BN == BN ? 1 : -1];\n"
                           "extern const char *options;\n"
                           "const char *options = SGEMM_DEFINES;\n");
    for (size_t k = 0; k < sizeof compilers / sizeof *compilers; k++)
        for (size_t i = 0; i < sizeof cases / sizeof *cases && has(compilers[k]); i++) {
            char command[512];
            snprintf(command, sizeof command,
                     "cd %s && %s" STRICT " %s -DBM=%d -DBN=%d -c macros.c -o out.o",
                     folder, compilers[k], cases[i].options, cases[i].bm, cases[i].bn);
            if (system(command) != 0) fail_msg("%s", command);
        }
    expect_error("#define SGEMM_ROW 2\n#include \"macros.h\"\n",
                 "SGEMM_ROW is the number of no row");
}

/* Fields of an architecture's configuration are template arguments, also where the header
 * is included as C. */
static void templates_take_the_configuration_of_an_architecture(void **state)
{
    (void)state;
    char *table = emit_shape(HONE_SHAPE_TABLE, false), command[256];
    if (!has("g++")) SKIP("no g++ here");
    write_file("arch.h", table);
    write_file("arch.cc",
               "#ifdef AS_C\nextern \"C\" {\n#include \"arch.h\"\n}\n#else\n"
               "#include \"arch.h\"\n#endif\n"
               "template <int bm, int bk> struct tile { enum { size = bm * bk }; };\n"
               "template <int cc> constexpr bool is_row(int row) {\n"
               "    return tile<sgemm_arch<cc>.BM, sgemm_arch<cc>.BK>::size ==\n"
               "           sgemm_configs[sgemm_rows[row].config].BM *\n"
               "           sgemm_configs[sgemm_rows[row].config].BK;\n}\n"
               "int main() {\n"
               "    return !(is_row<80>(0) && is_row<86>(0) && is_row<90>(1) &&\n"
               "             is_row<120>(1) && is_row<70>(0));\n}\n");
    static const char *const ways[] = {"g++ -std=c++17", "g++ -std=c++20 -DAS_C"};
    for (size_t i = 0; i < 2; i++) {
        snprintf(command, sizeof command,
                 "cd %s && %s" STRICT " arch.cc -o arch && ./arch", folder, ways[i]);
        if (system(command) != 0) fail_msg("%s", command);
    }
    free(table);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(templates_take_the_configuration_of_an_architecture),
    cmocka_unit_test(each_shape_has_what_the_matrix_says),
    cmocka_unit_test(macros_are_chosen_by_architecture),
    cmocka_unit_test(gcc_takes_them_as_c99_and_c11),
    cmocka_unit_test(gxx_takes_them_as_cxx11_and_cxx20),
    cmocka_unit_test(clang_takes_them_as_c99_and_c11),
    cmocka_unit_test(clangxx_takes_them_as_cxx11_and_cxx20),
    cmocka_unit_test(nvcc_takes_them_as_cuda),
    cmocka_unit_test(nvcc_takes_each_alone),
    cmocka_unit_test(nvcc_takes_them_for_the_host),
    cmocka_unit_test(a_header_has_names_of_its_own),
    cmocka_unit_test(what_cannot_go_together_is_said),
    cmocka_unit_test(one_long_text_among_others_brings_no_warning),
};
HONE_TEST_MAIN_WITH(tests, setup, teardown)
