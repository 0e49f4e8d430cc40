// Declarations: each form that PTX ISA 9.0 (chapters 4 and 5) allows and ptxas 13.0 takes,
// by what a kernel reads from what it declares. Constant expressions are held to C's.
#include "emu_words.h"

#include <sys/resource.h>

// ---- forms of declarations ----

// The one thread leaves word in %r.
struct row {
    const char *globals, *body;
    uint32_t word;
};

static void check_rows(const struct row *rows, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        struct emu emu;
        uint32_t word;
        emu_open(&emu);
        run_words(&emu, rows[k].globals, rows[k].body, 1, &word);
        if (word != rows[k].word)
            fail_msg("%s %s: 0x%x, should be 0x%x", rows[k].globals, rows[k].body, word,
                     rows[k].word);
        emu_close(&emu);
    }
}
#define CHECK_ROWS(rows) check_rows(rows, sizeof(rows) / sizeof *(rows))

static void one_declaration_may_have_several_names(void **state)
{
    static const struct row rows[] = {
        {".global .u32 a, b = 7, c;", "ld.global.u32 %r, [b];", 7},
        {".global .align 8 .b32 a[2], b[3] = {1,2,3}, c;", "ld.global.u32 %r, [b+8];", 3},
        {".global .u32 a[2] = {1,2}, b = 3, c[] = {4,5};", "ld.global.u32 %r, [c+4];", 5},
        {".const .u32 a = 1, b = 2;", "ld.const.u32 %r, [b];", 2},
        {".shared .b64 full, come;",
         "mov.u32 %a0, full; mov.u32 %a1, come; sub.u32 %r, %a0, %a1; abs.s32 %r, %r;",
         8},
        {"",
         ".shared .b64 full, come; mov.u32 %a0, full; mov.u32 %a1, come;\n"
         "sub.u32 %r, %a0, %a1; abs.s32 %r, %r;",
         8},
        {"",
         ".shared .align 128 .b8 a[256], b[128]; mov.u32 %a0, b; and.b32 %r, %a0, 127;",
         0},
        {"",
         ".local .align 8 .b8 a[16], b[8]; st.local.b32 [a], 1; st.local.b32 [b], 2;\n"
         "ld.local.u32 %r, [a];",
         1},
        {"",
         ".param .b32 a, b; st.param.b32 [a], 3; st.param.b32 [b], 4;\n"
         "ld.param.b32 %r, [a];",
         3},
        {"", ".reg .pred p, q, r; setp.eq.u32 p|q, %r, 1; selp.u32 %r, 5, 6, q;", 5},
        {"",
         ".reg .b32 q<4>, z, w<2>; mov.u32 w1, 9; mov.u32 z, w1; mov.u32 q3, z;\n"
         "mov.u32 %r, q3;",
         9},
    };
    (void)state;
    CHECK_ROWS(rows);
}

static void a_name_with_a_number_stands_for_as_many(void **state)
{
    static const struct row rows[] = {
        {".global .b32 s<4>, t<2>;", "st.global.b32 [s2], 5; ld.global.b32 %r, [s2];", 5},
        {".const .align 16 .b32 s<4>;", "ld.const.b32 %r, [s3];", 0},
        {".global .v4 .f32 a<3>;",
         "st.global.b32 [a1+12], 7; st.global.b32 [a2], 8; ld.global.b32 %r, [a1+12];",
         7},
        {"",
         ".shared .b32 s<4>; st.shared.b32 [s1], 1; st.shared.b32 [s2], 2;\n"
         "ld.shared.b32 %r, [s1];",
         1},
        {"",
         ".local .b32 s<2>; st.local.b32 [s0], 3; st.local.b32 [s1], 4;\n"
         "ld.local.b32 %r, [s0];",
         3},
        {"", ".param .b32 a<3>; st.param.b32 [a2], 6; ld.param.b32 %r, [a2];", 6},
        {"", ".reg .b32 %q<10>; mov.u32 %q7, 1; mov.u32 %r, %q7;", 1},
        {"", ".reg .v4 .b32 v<3>; mov.u32 v2.x, 4; mov.u32 v1.x, 5; mov.u32 %r, v2.x;",
         4},
        {"",
         ".reg .v4 .b32 v<10>, v1<3>; mov.u32 v9.w, 4; mov.u32 v12.x, 5; mov.u32 v2.r, "
         "6;\n"
         "{ .reg .b32 v<10>; mov.u32 v9, 7; }\n"
         "mad.lo.u32 %r, v9.a, 100, v12.x;",
         405},
        {"",
         ".shared .align 8 .b64 s; .reg .v2 .b32 v<2>; st.shared.v2.b32 [s], {3, 8};\n"
         "ld.shared.v2.b32 v1, [s]; mov.b32 %r, v1.y;",
         8},
    };
    (void)state;
    CHECK_ROWS(rows);
}

static void vectors_and_arrays_have_their_sizes(void **state)
{
    static const struct row rows[] = {
        {".global .v4 .f32 a = {1.0, 2.0, 3.0, 4.0};", "ld.global.b32 %r, [a+8];",
         0x40400000},
        {".global .v2 .u32 a[2] = {{1,2},{3,4}};", "ld.global.b32 %r, [a+8];", 3},
        {".global .v4 .b8 a = {1,2,3,4};", "ld.global.b32 %r, [a];", 0x04030201},
        {".global .v2 .f64 a;",
         "mov.u64 %y0, a; cvt.u32.u64 %r, %y0; and.b32 %r, %r, 15;", 0},
        {"",
         ".shared .v2 .u16 uv; st.shared.u16 [uv+2], 7; ld.shared.u16 %h0, [uv+2];\n"
         "cvt.u32.u16 %r, %h0;",
         7},
        {"",
         ".local .u16 kernel[19][19]; st.local.u16 [kernel+720], 7;\n"
         "ld.local.u16 %h0, [kernel+720]; cvt.u32.u16 %r, %h0;",
         7},
        {".global .u32 s[2][3][4];", "st.global.b32 [s+92], 3; ld.global.b32 %r, [s+92];",
         3},
        {".global .b128 s;", "st.global.b32 [s+12], 3; ld.global.b32 %r, [s+12];", 3},
        {".extern .shared .align 16 .b8 a[];",
         "st.shared.b32 [a+64], 3; ld.shared.b32 %r, [a+64];", 3},
        {"", ".reg .align 8 .b32 q; mov.u32 q, 1; mov.u32 %r, q;", 1},
        {".global .attribute(.managed) .align 8 .s32 g, h;",
         "st.global.b32 [h], 3; ld.global.b32 %r, [h];", 3},
        {".global .attribute(.unified(19,95)) .f32 f = 1.0;", "ld.global.b32 %r, [f];",
         0x3f800000},
        {".visible .const .align 4 .u32 s[2] = {1,2};", "ld.const.b32 %r, [s+4];", 2},
        {".weak .global .u32 s = 4;\n.common .global .u32 z;", "ld.global.b32 %r, [s];",
         4},
        {".global .texref t;\n.global .surfref u, v;", "mov.u32 %r, 2;", 2},
    };
    (void)state;
    CHECK_ROWS(rows);
}

static void a_subscript_counts_elements(void **state)
{
    static const struct row rows[] = {
        {".global .u32 s[4] = {3,4,5,6};", "ld.global.u32 %r, s[2];", 5},
        {".global .u32 s[4] = {3,4,5,6};",
         "mov.u64 %y0, s[1]; ld.global.u32 %r, [%y0+4];", 5},
        {".global .u16 s[4] = {3,4,5,6};",
         "ld.global.u16 %h0, s[3]; cvt.u32.u16 %r, %h0;", 6},
        {"", ".shared .u32 s[4]; st.shared.u32 s[1+1], 9; ld.shared.u32 %r, [s+2*4];", 9},
        {"",
         ".shared .u32 s[4]; mov.u32 %a0, s[3]; mov.u32 %a1, s; sub.u32 %r, %a0, %a1;",
         12},
    };
    (void)state;
    CHECK_ROWS(rows);
}

// ---- initial values ----

// What ptxas 13.0 puts into a cubin: values come one after another, whatever braces group.
static void initial_values_fill_in_their_order(void **state)
{
    static const struct row rows[] = {
        {".global .s32 a[3][2] = { {1,2}, {3} };", "ld.global.b32 %r, [a+8];", 3},
        {".global .s32 a[3][2] = { {1}, {2,3} };", "ld.global.b32 %r, [a+4];", 2},
        {".global .s32 a[2][2] = { {}, {2,3} };", "ld.global.b32 %r, [a];", 2},
        {".global .s32 a[3][2] = { {1}, {2,3} };", "ld.global.b32 %r, [a+20];", 0},
        {".const .f32 a[8] = { 0.33, 0.25, 0.125 };", "ld.const.b32 %r, [a+8];",
         0x3e000000},
        {".global .u32 s[2] = {};", "ld.global.b32 %r, [s+4];", 0},
        {".global .s32 a[][2] = { {-1, 0}, {0, -1}, {1, 0}, {0, 1} };",
         "ld.global.b32 %r, [a+28];", 1},
        {".global .s32 a[][4] = { {1, 2}, {3} };", "ld.global.b32 %r, [a+12];", 0},
        {".global .f32 a[][3] = {{.05,.1,.05},{.1,.4,.1},{.05,.1,.05}};",
         "ld.global.b32 %r, [a+16];", 0x3ecccccd},
        {".global .f32 s[] = {1e3, -1.0, +1.0, 5., -.5, 0f3f800000};",
         "ld.global.b32 %r, [s+16];", 0xbf000000},
        {".global .f32 s[] = {1e3, -1.0, +1.0, 5., -.5, 0f3f800000};",
         "ld.global.b32 %r, [s+12];", 0x40a00000},
        {".global .f32 s = -0f3f800000;", "ld.global.b32 %r, [s];", 0xbf800000},
        {".global .f64 s = -0d3ff0000000000000;", "ld.global.b32 %r, [s+4];", 0xbff00000},
        {".global .b8 a[4] = {-1, 255, 300, 1};", "ld.global.b32 %r, [a];", 0x012cffff},
        {".global .s32 a[2] = {0xffffffff, 0x1ffffffff};", "ld.global.b32 %r, [a+4];",
         UINT32_MAX},
    };
    (void)state;
    CHECK_ROWS(rows);
}

static void addresses_may_be_initial_values(void **state)
{
#define FOO    ".global .u32 foo[4] = {3,4,5,6};\n"
#define LOAD_P "ld.global.u64 %y0, [p]; ld.global.u32 %r, [%y0];"
    static const struct row rows[] = {
        {FOO ".global .u64 p = foo;", LOAD_P, 3},
        {FOO ".global .u64 p = foo + 4;", LOAD_P, 4},
        {FOO ".global .u64 p = generic(foo);", LOAD_P, 3},
        {FOO ".global .u64 p = generic(foo)+2*4;", LOAD_P, 5},
        {FOO ".global .u64 p[] = {foo, foo+12};",
         "ld.global.u64 %y0, [p+8]; ld.global.u32 %r, [%y0];", 6},
        {FOO ".global .align 8 .u8 p[] = {0xff(foo), 0xff00(foo), 0xff0000(foo), "
             "0xff000000(foo), 0xff00000000(foo), 0xff0000000000(foo), "
             "0xff000000000000(generic(foo)), 0xff00000000000000(foo)};",
         LOAD_P, 3},
        {FOO ".global .u64 p = foo;\n"
             ".global .u8 q[] = {0xff(foo+4), 0xff(generic(foo)+8)};",
         "ld.global.u8 %a0, [p]; ld.global.u8 %a1, [q]; ld.global.u8 %a2, [q+1];\n"
         "sub.u32 %a1, %a1, %a0; sub.u32 %a2, %a2, %a0; mad.lo.u32 %r, %a1, 16, %a2;",
         0x48},
        {FOO ".global .u32 p = foo;",
         "mov.u64 %y0, foo; cvt.u32.u64 %a0, %y0; ld.global.u32 %a1, [p];\n"
         "sub.u32 %r, %a0, %a1;",
         0},
    };
    (void)state;
    CHECK_ROWS(rows);
}

// ---- constant expressions ----

#define OF_C(expression)                                                                 \
    {                                                                                    \
#expression, (uint32_t)(int64_t)(expression)                                     \
    }
static const struct {
    const char *text;
    uint32_t word;
} expressions[] = {
    OF_C(1 + 2),
    OF_C((1 + 2) * 3),
    OF_C(-3 * 4),
    OF_C(7 - 1 - 1),
    OF_C(8 / 2 / 2),
    OF_C(-7 / 2),
    OF_C(7 % 4),
    OF_C(~3),
    OF_C(!3),
    OF_C(!0 + 1),
    OF_C(~-1),
    OF_C(-(3)),
    OF_C(+5 - -2),
    OF_C(3 << 2),
    OF_C(-16 >> 2),
    OF_C(1 << (1 + 1)),
    OF_C(1 | (2 & 4)),
    OF_C((1 ^ 3) | 4),
    OF_C(5 & (3 == 3)),
    OF_C(1 == 1),
    OF_C(1 != 1),
    OF_C(2 <= 1),
    OF_C(2 >= 1),
    OF_C(-1 < 1),
    OF_C(2 > 3),
    OF_C(1 ? 2 : 3),
    OF_C(1 ? 0 ? 5 : 6 : 7),
    OF_C(1 || (0 && 0)),
    OF_C((1 && 0) || 1),
    OF_C(010 + 0x10),
    // types of PTX: all integers have 64 bits, a U makes them unsigned
    {"1|2&4", 1},
    {"7-2*3<<1", 2},
    {"1<<1+1", 4},
    {"5&3==3", 1},
    {"1||0&&0", 1},
    {"-1U>>63", 1},
    {"(.s64)-1U>>63", UINT32_MAX},
    {"(.u64)-1 >> 60", 15},
    {"(.u64)5 > -1", 0},
    {"-1 < 1U", 0},
    {"5U-6 < 0", 0},
    {"-7 % 3", 0}, // as ptxas has it: of unsigned integers
    {"0b101 + 1", 6},
    {"WARP_SZ*2", 64},
    {"WARP_SZ-1", 31},
    {"1.5 > 1", 1},
    {"1 << 64", 0},
    {"-1 >> 99", UINT32_MAX},
    {"(.s64)0x8000000000000000U / -1 >> 60", (uint32_t)-8},
};

// As an operand, an initial value and a subscript.
static void constant_expressions_are_those_of_c(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof expressions / sizeof *expressions; k++) {
        char globals[128], body[128];
        snprintf(globals, sizeof globals, ".global .s32 s[2] = {%s, 1};",
                 expressions[k].text);
        snprintf(body, sizeof body,
                 "ld.global.u32 %%a0, [s]; sub.u32 %%a1, %%a0, %s;\n"
                 "mad.lo.u32 %%r, %%a1, 1000, %%a0;",
                 expressions[k].text);
        const struct row row = {globals, body, expressions[k].word};
        check_rows(&row, 1);
    }
}

static void constants_of_reals_are_reals(void **state)
{
    static const struct row rows[] = {
        {"", "mov.f32 %f0, 1.0+2.0; mov.b32 %r, %f0;", 0x40400000},
        {"", "mov.f32 %f0, -.5; mov.b32 %r, %f0;", 0xbf000000},
        {"", "mov.f32 %f0, 1.; mov.b32 %r, %f0;", 0x3f800000},
        {"", "mov.f32 %f0, (1.0-2)*4.0/0.5; mov.b32 %r, %f0;", 0xc1000000},
        {".global .f32 s = 1 > 2 ? 1.0 : 2.0;", "ld.global.b32 %r, [s];", 0x40000000},
    };
    (void)state;
    CHECK_ROWS(rows);
}

// ---- what PTX does not allow ----

static void wrong_declarations_are_refused_with_their_line(void **state)
{
    static const struct {
        const char *globals, *body, *words;
    } rows[] = {
        {".global .s32 a[1] = {1, 2};", "", "line 4: expected no more initial values"},
        {".global .u32 s = 1/0;", "", "line 4: expected a divisor that is not 0"},
        {".global .u32 s = 1.5 & 2;", "", "line 4: expected integers"},
        {".global .u32 s = bar;", "", "line 4: expected a known variable"},
        {".global .u32 s<0>;", "", "line 4: expected a number of variables"},
        {".global .u32 foo;\n.global .u8 s = 0x1ff(foo);", "",
         "line 5: expected a mask of one byte"},
        {".global .v8 .zz a;", "", "line 4: expected a type"},
        {"", ".shared .u32 s[4]; ld.shared.u32 %r, s[%r];", "a register as subscript"},
        {"", "mov.u32 %r, 1+;", "expected an operand, found ';'"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct emu emu;
        char text[4096];
        emu_open(&emu);
        snprintf(text, sizeof text, frame, rows[k].globals, rows[k].body);
        if (emu_load(&emu, text, "k")) fail_msg("%s is taken", rows[k].globals);
        if (!strstr(emu.fault.reason, rows[k].words))
            fail_msg("%s%s: %s", rows[k].globals, rows[k].body, emu.fault.reason);
        emu_close(&emu);
    }
}

// As many vectors as there is room for, in each of three functions.
static void many_vectors_take_little_memory(void **state)
{
    static const char many[] = ".reg .v4 .b32 v<262000>; mov.u32 v261999.w, 5;\n"
                               "mov.u32 v9.a, 6; mov.u32 %r, v261999.w; ret;\n";
    static char text[4096];
    struct emu emu;
    struct rusage before, after;
    (void)state;
    int len = snprintf(text, sizeof text,
                       ".version 9.0\n.target sm_90a\n"
                       ".address_size 64\n");
    for (int k = 0; k < 3; k++)
        len += snprintf(text + len, sizeof text - (size_t)len,
                        ".func f%d() {\n.reg .b32 %%r;\n%s}\n", k, many);
    snprintf(text + len, sizeof text - (size_t)len,
             ".entry k() { .reg .b32 r; call f0; call f1; call f2; ret; }\n");
    emu_open(&emu);
    getrusage(RUSAGE_SELF, &before);
    emu_load(&emu, text, "k"); // one has room for a million registers
    getrusage(RUSAGE_SELF, &after);
    if (!strstr(emu.fault.reason, "over 1048576 registers"))
        fail_msg("%s", emu.fault.reason);
    assert_in_range(after.ru_maxrss - before.ru_maxrss, 0, 200 << 10);
    emu_close(&emu);
}

static void attributes_may_nest_deep(void **state)
{
    enum { DEPTH = 300000 };
    static const struct row closed[] = {
        {".global .attribute(.unified((1, 2), (3))) .u32 a = 6;",
         "ld.global.u32 %r, [a];", 6},
    };
    static const char *const heads[] = {".global .attribute", ".func .attribute"};
    (void)state;
    CHECK_ROWS(closed);
    for (int k = 0; k < 2; k++) {
        struct emu emu;
        static char text[DEPTH + 100];
        const int len =
            snprintf(text, sizeof text,
                     ".version 9.0\n.target sm_90a\n.address_size 64\n%s", heads[k]);
        memset(text + len, '(', DEPTH);
        emu_open(&emu);
        assert_false(emu_load(&emu, text, "k"));
        if (!strstr(emu.fault.reason, "line 4: expected ')'"))
            fail_msg("%s", emu.fault.reason);
        emu_close(&emu);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(one_declaration_may_have_several_names),
    cmocka_unit_test(a_name_with_a_number_stands_for_as_many),
    cmocka_unit_test(vectors_and_arrays_have_their_sizes),
    cmocka_unit_test(a_subscript_counts_elements),
    cmocka_unit_test(initial_values_fill_in_their_order),
    cmocka_unit_test(addresses_may_be_initial_values),
    cmocka_unit_test(constant_expressions_are_those_of_c),
    cmocka_unit_test(constants_of_reals_are_reals),
    cmocka_unit_test(many_vectors_take_little_memory),
    cmocka_unit_test(attributes_may_nest_deep),
    cmocka_unit_test(wrong_declarations_are_refused_with_their_line),
};

HONE_TEST_MAIN(tests)
