// Templates: their hashes, includes, macros, parameters that are idle.
#include "render_frame.h"

static void hashes_change_with_what_is_measured_only(void **state)
{
    struct fixture *f = *state;
    struct hone_error err = {0};
    assert_ok(make(f, &err), err);
    char space_hash[33], template_hash[33];
    strcpy(space_hash, hone_kernel_space_hash(f->kernel));
    strcpy(template_hash, hone_kernel_template_hash(f->kernel));
    f->def.source = "moved/k.lua";
    f->def.launch.line = 99;
    assert_ok(make(f, &err), err);
    assert_string_equal(hone_kernel_space_hash(f->kernel), space_hash);
    f->bm[2] = integer(96);
    assert_ok(make(f, &err), err);
    assert_string_not_equal(hone_kernel_space_hash(f->kernel), space_hash);
    assert_string_equal(hone_kernel_template_hash(f->kernel), template_hash);
    put("common/deep.cuh", "__device__ int deeper;\n");
    assert_ok(make(f, &err), err);
    assert_string_not_equal(hone_kernel_template_hash(f->kernel), template_hash);
}

// What a compiler may never reach is told in the source, which is hashed.
static void the_hash_does_not_depend_on_how_the_template_is_named(void **state)
{
    struct fixture *f = *state;
    struct hone_error err = {0};
    char other[600], hash[33];
    put("k.cu", "int a;\n#ifdef NEVER\n#include \"gone.cuh\"\n#endif\n");
    assert_ok(make(f, &err), err);
    strcpy(hash, hone_kernel_template_hash(f->kernel));
    const char *path = f->def.template_path, *base = strrchr(path, '/') + 1;
    snprintf(other, sizeof other, "%.*s./%s", (int)(base - path), path, base);
    f->def.template_path = other;
    assert_ok(make(f, &err), err);
    assert_string_equal(hone_kernel_template_hash(f->kernel), hash);
    f->def.template_path = path;
}

static void missing_and_cyclic_includes_are_placed(void **state)
{
    struct fixture *f = *state;
    struct hone_error err = {0};
    put("k.cu", "int a;\n/*\n#include \"never.cuh\"\n*/\n#include \"gone.cuh\"\n");
    assert_int_equal(make(f, &err), HONE_EINPUT);
    assert_int_equal(err.line, 5);
    assert_non_null(strstr(err.source, "/k.cu"));
    assert_non_null(strstr(err.text, "cannot find included file 'gone.cuh'"));
    err = (struct hone_error){0};
    put("k.cu", "#include \"x.cuh\"\n");
    put("x.cuh", "\n#include \"k.cu\"\n");
    assert_int_equal(make(f, &err), HONE_EINPUT);
    assert_int_equal(err.line, 2);
    assert_non_null(strstr(err.source, "/x.cuh"));
    assert_non_null(strstr(err.text, "includes itself"));
    err = (struct hone_error){0};
    f->def.template_path = "/nowhere/k.cu";
    assert_int_equal(make(f, &err), HONE_EINPUT);
    assert_non_null(strstr(err.text, "/nowhere/k.cu"));
}

static void second_inclusion_is_empty_where_the_file_is_guarded(void **state)
{
    (void)state;
    struct hone_template template;
    struct hone_error err = {0};
    put("common/tile.cuh", "X(1)\n");
    put("common/deep.cuh", "#ifndef ONCE\n#define ONCE\nint once;\n#endif\n");
    const char *path = put("k.cu", "#include \"common/deep.cuh\"\n"
                                   "  #  include \"common/../common/deep.cuh\" // again\n"
                                   "const char *s = \"/*\"; // /*\n"
                                   "#include \"common/tile.cuh\"\n"
                                   "#include \"common/tile.cuh\"");
    assert_ok(hone_template_read(&template, path, NULL, &err), err);
    assert_string_equal(template.text,
                        "#line 1 \"k.cu\"\n#line 1 \"common/deep.cuh\"\n"
                        "#ifndef ONCE\n#define ONCE\nint once;\n#endif\n"
                        "#line 2 \"k.cu\"\n\nconst char *s = \"/*\"; // /*\n"
                        "#line 1 \"common/tile.cuh\"\nX(1)\n#line 5 \"k.cu\"\n"
                        "#line 1 \"common/tile.cuh\"\nX(1)\n#line 6 \"k.cu\"\n");
    hone_template_fini(&template);
}

static void uses_of_a_macro_are_told_apart(void **state)
{
    (void)state;
    char text[] =
        "#line 1 \"A.cu\"\n#ifndef A\n#define A 1\n#endif\n#if !defined(B)\n#endif\n"
        "// C\n/* C */ const char *s = \"C\"; int BB = B, xC = 1;\n#ifdef D\n#endif\n"
        "#ifndef OTHER\nint E;\n";
    struct hone_template template = {.text = text};
    const char *const names[] = {"A", "B", "C", "D", "E"};
    struct hone_template_use uses[5];
    hone_template_uses(&template, names, 5, uses);
    const bool used[] = {false, true, false, true, true};
    const bool has_default[] = {true, true, false, false, false};
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(uses[i].used, used[i]);
        assert_int_equal(uses[i].has_default, has_default[i]);
    }
}

static void collect(void *context, enum hone_log_level level, const char *line)
{
    hone_strbuf_printf(context, "%d %s\n", level, line);
}

static void idle_parameters_are_warned_about(void **state)
{
    struct fixture *f = *state;
    struct hone_error err = {0};
    struct hone_strbuf log = HONE_STRBUF_INIT;
    put("k.cu", "#ifndef BM\n#define BM 1\n#endif\n#ifndef T\n#define T int\n#endif\n"
                "T x = BM + FAST;\n");
    hone_log_set(collect, &log);
    enum hone_status status = make(f, &err);
    hone_log_set(NULL, NULL);
    assert_ok(status, err);
    assert_string_equal(
        log.data, "1 k.lua:3: template 'k.cu' has no '#ifndef FAST' with a default\n"
                  "1 k.lua:3: template 'k.cu' never uses parameter 'SCALE'\n");
    hone_strbuf_fini(&log);
}

// Every configuration would be built with the template's value.
static void definitions_over_the_scripts_are_refused(void **state)
{
    static const struct {
        const char *text, *file;
        int line; // 0: fine
    } cases[] = {
        {"// BM\n\n#define BM 4\nint x = BM;\n", "/k.cu", 3},
        {"#undef BM\n # /* a */ define BM(x) 4\n", "/k.cu", 2},
        {"#define N 4\n", "/k.cu", 1},
        {"#ifndef BM\n#define BM 1\n#endif\n#define BM 2\n", "/k.cu", 4},
        {"#include \"x.cuh\"\n", "x.cuh", 4},
        {"#include \"x.cuh\"\n#define FAST\n", "x.cuh", 4},
        {"#ifndef BM\n#define BM 1\n#endif\n", NULL, 0},
        {"#if !defined(BM)\n#define BM 1\n#endif\n", NULL, 0},
        {"#if 0\n#define BM 1\n#endif\n", NULL, 0},
        {"#ifdef X\n#if 1\n#endif\n#define BM 1\n#else\n#define BM 1\n#endif\n", NULL, 0},
        {"// #define BM 1\n/*\n#define BM 1\n*/\n#define BMX 1\n#define M 1\n", NULL, 0},
        {"#define X\n#ifndef X\n#define X\n#define BM 1\n#endif\n", NULL, 0},
    };
    struct fixture *f = *state;
    put("x.cuh", "#ifndef X_CUH\n#define X_CUH\n\n#define BM 7\n#endif\n");
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct hone_error err = {0};
        put("k.cu", cases[i].text);
        const enum hone_status status = make(f, &err);
        if (!cases[i].file) {
            assert_ok(status, err);
            continue;
        }
        assert_int_equal(status, HONE_EINPUT);
        assert_int_equal(err.line, cases[i].line);
        assert_non_null(strstr(err.source, cases[i].file));
    }
    struct hone_error err = {0};
    put("k.cu", "\n#define BM 4\n");
    assert_int_equal(make(f, &err), HONE_EINPUT);
    assert_string_equal(err.text,
                        "BM is a parameter of k.lua: its value comes from there; write "
                        "'#ifndef BM' and '#endif' around line 2");
}

// The grid depends on BM, by two derived values: another BM is another launch.
static void parameters_of_the_launch_alone_are_no_idle_ones(void **state)
{
    struct fixture *f = *state;
    struct hone_error err = {0};
    struct hone_strbuf log = HONE_STRBUF_INIT;
    f->def.launch.block[1] = f->def.launch.shared = NULL;
    f->def.launch.cluster[0] = "FAST + 1";
    put("k.cu", "#ifndef T\n#define T int\n#endif\nT x;\n");
    hone_log_set(collect, &log);
    enum hone_status status = make(f, &err);
    hone_log_set(NULL, NULL);
    assert_ok(status, err);
    assert_string_equal(log.data,
                        "1 k.lua:3: template 'k.cu' never uses parameter 'SCALE'\n");
    hone_strbuf_fini(&log);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(hashes_change_with_what_is_measured_only, set_up,
                                    tear_down),
    cmocka_unit_test_setup_teardown(the_hash_does_not_depend_on_how_the_template_is_named,
                                    set_up, tear_down),
    cmocka_unit_test_setup_teardown(missing_and_cyclic_includes_are_placed, set_up,
                                    tear_down),
    cmocka_unit_test_setup_teardown(second_inclusion_is_empty_where_the_file_is_guarded,
                                    set_up, tear_down),
    cmocka_unit_test_setup_teardown(uses_of_a_macro_are_told_apart, set_up, tear_down),
    cmocka_unit_test_setup_teardown(definitions_over_the_scripts_are_refused, set_up,
                                    tear_down),
    cmocka_unit_test_setup_teardown(idle_parameters_are_warned_about, set_up, tear_down),
    cmocka_unit_test_setup_teardown(parameters_of_the_launch_alone_are_no_idle_ones,
                                    set_up, tear_down),
};
// clang-format on
HONE_TEST_MAIN(tests)
