/* A size, a parameter and a derived value may be called as a macro of C's headers: the
 * header's own name for it gives way, and it compiles after all of them. */
#include "emit_fixture.h"

#include "base/identifier.h"

enum { NAMES_MOST = 2000, BATCH = 60 };

static const char headers[] =
    "#include <assert.h>\n#include <complex.h>\n#include <ctype.h>\n#include <errno.h>\n"
    "#include <fenv.h>\n#include <float.h>\n#include <inttypes.h>\n#include <limits.h>\n"
    "#include <locale.h>\n#include <math.h>\n#include <setjmp.h>\n#include <signal.h>\n"
    "#include <stdarg.h>\n#include <stddef.h>\n#include <stdint.h>\n#include <stdio.h>\n"
    "#include <stdlib.h>\n#include <string.h>\n#include <time.h>\n#include <uchar.h>\n"
    "#include <wchar.h>\n#include <wctype.h>\n#include <dlfcn.h>\n"
    "#ifndef __cplusplus\n#include <iso646.h>\n#include <stdatomic.h>\n"
    "#include <stdbool.h>\n#include <stdnoreturn.h>\n#include <tgmath.h>\n"
    "#include <threads.h>\n#endif\n";

static char *names[NAMES_MOST];
static size_t name_count;

static void run(const char *command)
{
    if (system(command) != 0) fail_msg("%s", command);
}

static void write_text(const char *name, const char *text)
{
    char path[80];
    struct hone_error err = {0};
    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_ok(hone_file_write(path, text, strlen(text), &err), err);
}

/* What the compiler says of the headers, and what is a macro there or nearly one. */
static int setup(void **state)
{
    static const char *const more[] = {"threadIdx",
                                       "blockIdx",
                                       "blockDim",
                                       "gridDim",
                                       "warpSize",
                                       "size_t",
                                       "FILE",
                                       "int64_t",
                                       "uint64_t",
                                       "printf",
                                       "sprintf",
                                       "strtod",
                                       "strcmp",
                                       "memset",
                                       "fopen",
                                       "dlopen",
                                       "min",
                                       "max",
                                       "std",
                                       "main",
                                       "I",
                                       "y0",
                                       "index",
                                       "K_BM",
                                       "HONE_EMITTED_k",
                                       "HONE_EMITTED_k_runtime",
                                       "K_MISS_FROM",
                                       "K_CONFIGS",
                                       "k_config",
                                       "NULL_of_config",
                                       "unix",
                                       "linux"};
    char command[256], line[512], name[256];
    (void)state;
    if (!mkdtemp(folder)) return -1;
    write_text("all.c", headers);
    snprintf(command, sizeof command, "gcc -std=gnu11 -dM -E %s/all.c 2>/dev/null",
             folder);
    FILE *pipe = popen(command, "r");
    while (pipe && fgets(line, sizeof line, pipe) && name_count < NAMES_MOST) {
        if (sscanf(line, "#define %255[A-Za-z0-9_]", name) != 1 || name[0] == '_' ||
            hone_identifier_is_keyword(name))
            continue;
        names[name_count++] = strdup(name);
    }
    if (pipe && pclose(pipe) != 0) name_count = 0;
    for (size_t i = 0; name_count && i < sizeof more / sizeof *more; i++) {
        bool twice = false;
        for (size_t k = 0; k < name_count; k++)
            twice = twice || strcmp(names[k], more[i]) == 0;
        if (!twice) names[name_count++] = strdup(more[i]);
    }
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    char command[80];
    for (size_t i = 0; i < name_count; i++)
        free(names[i]);
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

// The nth name from the batch on, which wraps.
static const char *name_at(size_t from, size_t n)
{
    return names[(from + n) % name_count];
}

// Sizes of one batch, parameters of the next, values derived of all of a third; version
// tells two journals apart, so that sizes are asked for.
static void journal_of(struct hone_strbuf *out, size_t from, int version)
{
    const size_t params = from + BATCH, derived = params + BATCH;
    hone_strbuf_clear(out);
    hone_strbuf_add(out,
                    "{\"hone\":1,\"kind\":\"journal\",\"kernel\":\"k\",\"params\":[");
    for (size_t i = 0; i < BATCH; i++)
        hone_strbuf_printf(out, "%s{\"name\":\"%s\",\"values\":[1,2]}", i ? "," : "",
                           name_at(params, i));
    hone_strbuf_add(out, "],\"problem\":{");
    for (size_t i = 0; i < BATCH; i++)
        hone_strbuf_printf(out, "%s\"%s\":%zu", i ? "," : "", name_at(from, i),
                           8 * (size_t)version + i);
    hone_strbuf_add(out, "},\"derived\":[");
    for (size_t i = 0; i < BATCH; i++)
        hone_strbuf_printf(out, "%s{\"name\":\"%s\",\"text\":\"%s * %s\"}", i ? "," : "",
                           name_at(derived, i), name_at(from, i), name_at(params, i));
    hone_strbuf_add(out, "],\"launch\":{\"grid\":[\"0");
    for (size_t i = 0; i < BATCH; i++)
        hone_strbuf_printf(out, " + %s", name_at(derived, i));
    hone_strbuf_printf(out,
                       "\"],\"block\":[\"32\"]},\"args\":[{\"kind\":\"workspace\","
                       "\"name\":\"%s\",\"dtype\":\"f32\",\"size\":\"%s\"}]}\n",
                       name_at(derived, 0), name_at(derived, 1));
    for (int value = 1; value <= 2; value++) {
        hone_strbuf_add(out, "{\"config\":[");
        for (size_t i = 0; i < BATCH; i++)
            hone_strbuf_printf(out, "%s%d", i ? "," : "", value);
        hone_strbuf_printf(out, "],\"outcome\":\"valid\",\"time_us\":%d}\n",
                           value == version ? 3 : 5);
    }
}

static void emit_batch(size_t from, enum hone_emit_shape shape)
{
    struct loaded loaded = {.count = 2};
    struct hone_error err = {0};
    struct hone_strbuf text = HONE_STRBUF_INIT;
    const struct hone_emit_options options = {.name = "k", .shape = shape};
    char path[80];
    snprintf(path, sizeof path, "%s/j.jsonl", folder);
    for (int version = 1; version <= 2; version++) {
        struct hone_recording *recording = NULL;
        journal_of(&text, from, version);
        write_text("j.jsonl", text.data);
        assert_ok(hone_recording_load(&recording, path, &err), err);
        loaded.list[version - 1] = recording;
    }
    snprintf(path, sizeof path, "%s/k.h", folder);
    assert_ok(hone_emit_file(path, loaded.list, 2, &options, &err), err);
    unload(&loaded);
    hone_strbuf_fini(&text);
}

static void compile(const char *compiler)
{
    char command[256];
    snprintf(command, sizeof command,
             "cd %s && %s -fsyntax-only -Wall -Wextra -Werror k.c", folder, compiler);
    run(command);
}

static void try_all(enum hone_emit_shape shape, const char *second)
{
    struct hone_strbuf user = HONE_STRBUF_INIT;
    if (!name_count) SKIP("no gcc here");
    hone_strbuf_printf(&user, "%s#include \"k.h\"\n%s", headers, second);
    write_text("k.c", user.data);
    for (size_t from = 0; from < name_count; from += BATCH) {
        emit_batch(from, shape);
        compile("gcc -std=gnu11");
        if (from % (4 * BATCH) == 0) compile("g++ -x c++ -std=gnu++17");
    }
    hone_strbuf_fini(&user);
}

static void headers_compile_whatever_macros_are_called(void **state)
{
    (void)state;
    try_all(HONE_SHAPE_RUNTIME, "#include \"k_runtime.h\"\n");
}

static void macros_and_tables_compile_too(void **state)
{
    (void)state;
    if (!name_count) SKIP("no gcc here");
    write_text("k.c", "#include <stdio.h>\n#include <errno.h>\n#include \"k.h\"\n");
    for (size_t from = 0; from < name_count; from += name_count / 3) {
        emit_batch(from, HONE_SHAPE_TABLE);
        compile("gcc -std=c99");
        compile("g++ -x c++ -std=c++17");
        emit_batch(from, HONE_SHAPE_MACROS);
        compile("gcc -std=c99");
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(headers_compile_whatever_macros_are_called),
    cmocka_unit_test(macros_and_tables_compile_too),
};
HONE_TEST_MAIN_WITH(tests, setup, teardown)
