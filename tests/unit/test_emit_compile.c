/* Emitted headers under the compilers of their users: each alone, and twenty in one file,
 * without a warning. */
#include "emit_fixture.h"

#include "file.h"

static const char *const journals[][MOST] = {
    {"sgemm_h200", "sgemm_h200_small", "sgemm_a100"}, {"sgemm_emu"}, {"odd"}, {"plain"}};
enum { KINDS = sizeof journals / sizeof *journals, HEADERS = 20 };

static void write_header(size_t number)
{
    char name[16], path[64];
    struct hone_error err = {0};
    struct hone_strbuf out = HONE_STRBUF_INIT;
    struct loaded loaded = load(journals[number % KINDS]);
    snprintf(name, sizeof name, "kernel_%zu", number);
    snprintf(path, sizeof path, "%s/%s.h", folder, name);
    const struct hone_emit_options options = {.name = name, .accept_predicted = true};
    assert_ok(hone_emit(&out, loaded.list, loaded.count, &options, &err), err);
    assert_ok(hone_file_write(path, out.data, out.len, &err), err);
    hone_strbuf_fini(&out);
    unload(&loaded);
}

static void write_source(const char *name, size_t first, size_t count)
{
    char path[64];
    struct hone_error err = {0};
    struct hone_strbuf out = HONE_STRBUF_INIT;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    for (size_t i = first; i < first + count; i++)
        hone_strbuf_printf(&out, "#include \"kernel_%zu.h\"\n", i);
    hone_strbuf_add(&out, "int main(void) { return 0; }\n");
    assert_ok(hone_file_write(path, out.data, out.len, &err), err);
    hone_strbuf_fini(&out);
}

static int setup(void **state)
{
    (void)state;
    if (!mkdtemp(folder)) return -1;
    for (size_t i = 0; i < HEADERS; i++)
        write_header(i);
    for (size_t i = 0; i < KINDS; i++) {
        char name[16];
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
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

static bool has(const char *compiler)
{
    char command[64];
    snprintf(command, sizeof command, "%s --version >/dev/null 2>&1", compiler);
    return system(command) == 0;
}

static void compile(const char *compiler, const char *standard)
{
    char command[512];
    snprintf(
        command, sizeof command,
        "cd %s && for f in alone_*.c all.c; do %s %s -Wall -Wextra -Wpedantic -Werror "
        "-O1 -c $f -o out.o || exit 1; done",
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

/* As CUDA, for host and device: nvcc's own warnings are errors too. */
static void nvcc_takes_them(void **state)
{
    (void)state;
    char command[512];
    if (!has("nvcc")) SKIP("no nvcc here");
    snprintf(command, sizeof command,
             "cd %s && nvcc -x cu -std=c++17 -Werror all-warnings -Xcompiler "
             "-Wall,-Wextra,-Werror -c all.c -o out.o",
             folder);
    assert_int_equal(system(command), 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(gcc_takes_them_as_c99_and_c11),
    cmocka_unit_test(gxx_takes_them_as_cxx11_and_cxx20),
    cmocka_unit_test(clang_takes_them_as_c99_and_c11),
    cmocka_unit_test(clangxx_takes_them_as_cxx11_and_cxx20),
    cmocka_unit_test(nvcc_takes_them),
};
HONE_TEST_MAIN_WITH(tests, setup, teardown)
