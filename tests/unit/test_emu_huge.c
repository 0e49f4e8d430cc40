// Texts and launches far beyond what a compiler makes end in a reason, in bounded time and
// memory.
#include "emu_kernel.h"

#include "hone/strbuf.h"

enum { MEGABYTE = 1 << 20 };

static const char head[] = ".version 9.0\n.target sm_90a\n.address_size 64\n";

// before, then piece again and again up to size bytes, then after. # in piece is a running
// number.
static char *repeated(const char *before, const char *piece, const char *after,
                      size_t size)
{
    struct hone_strbuf text = HONE_STRBUF_INIT;
    hone_strbuf_add(&text, head);
    hone_strbuf_add(&text, before);
    for (unsigned n = 0; text.len < size; n++)
        for (const char *c = piece; *c;) {
            size_t plain = strcspn(c, "#");
            hone_strbuf_add_bytes(&text, c, plain);
            c += plain;
            if (*c == '#') hone_strbuf_printf(&text, "%u", n);
            c += *c == '#';
        }
    hone_strbuf_add(&text, after);
    return hone_strbuf_steal(&text);
}

// The emulator must refuse the text with this reason.
static void check_repeated(const char *before, const char *piece, const char *after,
                           size_t size, const char *reason)
{
    struct emu emu;
    char *text = repeated(before, piece, after, size);
    assert_non_null(text);
    emu_open(&emu);
    if (emu_load(&emu, text, "k")) fail_msg("%s is taken", piece);
    if (!strstr(emu.fault.reason, reason))
        fail_msg("%s: '%s', not '%s'", piece, emu.fault.reason, reason);
    emu_close(&emu);
    free(text);
}

#define ENTRY ".visible .entry k() {\n.reg .b32 %r<999>; .reg .pred %p<9>;\n"

static void huge_texts_are_refused(void **state)
{
    (void)state;
    check_repeated(ENTRY, "add.u32 %r1, %r2, 3; mul.lo.u32 %r3, %r4, %r5; // more\n", "}",
                   100 * MEGABYTE, "PTX of 104857");
    check_repeated(ENTRY, "add.u32 %r1, %r2, #;\n", "}", 16 * MEGABYTE,
                   "over 524288 statements");
    check_repeated(ENTRY, "L#:", "}", 8 * MEGABYTE, "over 524288 labels");
    check_repeated(ENTRY, "{}", "}", MEGABYTE, "over 262144 scopes");
    check_repeated(ENTRY, ".reg .b32 %q#;", "}", 28 * MEGABYTE, "over 1048576 registers");
    check_repeated(ENTRY, ".local .b32 v#;", "}", MEGABYTE, "over 32768 variables");
    check_repeated("", ".global .b32 v#;\n", ENTRY "}", MEGABYTE, "over 32768 variables");
    check_repeated("", ".global .b8 v#[8388608] = {1};\n", ENTRY "}", MEGABYTE,
                   "over 67108864 bytes of initial values");
}

#define WIDE ".visible .entry k() {\n.reg .b32 %r<500000>; .reg .pred %p;\n"

static void huge_bodies_are_refused(void **state)
{
    (void)state;
    check_repeated(WIDE, "add.u32 %r#, %r#, 7;\n", "}", 2 * MEGABYTE,
                   "too many live registers");
    check_repeated(WIDE, "add.u32 %r#, %r1, #; @%p bra L#; L#:\n", "}", 4 * MEGABYTE,
                   "too many branches between too many registers");
}

static void many_constants_and_labels_are_taken(void **state)
{
    struct emu emu;
    char *text = repeated(WIDE "mov.u32 %r1, 0; setp.eq.u32 %p, %r1, 0;\n",
                          "add.u32 %r1, %r1, #; L#: @%p bra L#;\n", "}", MEGABYTE / 4);
    (void)state;
    assert_non_null(text);
    emu_open(&emu);
    if (!emu_load(&emu, text, "k")) fail_msg("%s", emu.fault.reason);
    emu_close(&emu);
    free(text);
}

static void nesting_is_limited(void **state)
{
    (void)state;
    check_repeated(ENTRY, "{", "", MEGABYTE, "expected less nesting");
    check_repeated(".global .b32 v[9] = ", "{", "", MEGABYTE, "expected less nesting");
    check_repeated(ENTRY "mov.b32 %r1, ", "{", "", MEGABYTE, "expected fewer operands");
    check_repeated(ENTRY "mov.b32 %r1, {%r2", ", %r3", "};}", MEGABYTE,
                   "expected fewer operands");
}

static void absurd_sizes_are_refused(void **state)
{
    static const struct {
        const char *text, *reason;
    } cases[] = {
        {".visible .entry k() { .reg .b32 %r<4000000000>; }", "a number of registers"},
        {".visible .entry k() { .reg .b32 %r<1048576>; .reg .b32 %q; }",
         "over 1048576 registers"},
        {".visible .entry k() { .shared .b64 s[99999999999]; }", "variable of over"},
        {".visible .entry k() { .shared .b8 s[4096][4096][4096]; }", "variable of over"},
        {".visible .entry k() { .local .b8 s[67108864]; }", "bytes of local memory"},
        {".visible .entry k(.param .b8 p[65536]) { ret; }", "65536 bytes of parameters"},
        {".visible .entry k() { .local .align 8192 .b8 s[4]; }", "alignment of 8192"},
    };
    struct emu emu;
    char text[512];
    (void)state;
    emu_open(&emu);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        snprintf(text, sizeof text, "%s%s\n", head, cases[i].text);
        if (emu_load(&emu, text, "k")) fail_msg("%s is taken", cases[i].text);
        if (!strstr(emu.fault.reason, cases[i].reason))
            fail_msg("%s: %s", cases[i].text, emu.fault.reason);
    }
    emu_close(&emu);
}

// A GPU has room for it: that the emulator has none says nothing about the kernel.
static void a_large_variable_is_unsupported_and_not_bad_ptx(void **state)
{
    struct emu emu;
    char text[512];
    (void)state;
    emu_open(&emu);
    snprintf(text, sizeof text, "%s.global .b8 big[134217728];\n%s", head,
             ".visible .entry k() { ret; }\n");
    if (emu_load(&emu, text, "k")) fail_msg("it is taken");
    assert_int_equal(emu.fault.outcome, HONE_UNSUPPORTED);
    assert_non_null(strstr(emu.fault.reason, "a variable of over 67108864 bytes at PTX"));
    emu_close(&emu);
}

static void absurd_launches_are_refused(void **state)
{
    static const struct {
        uint32_t grid[3], block[3], shared;
        const char *reason;
    } cases[] = {
        {{1, 1, 1}, {UINT32_MAX, 1, 1}, 0, "4294967295 threads in block x"},
        {{1, 1, 1}, {1024, 1024, 64}, 0, "67108864 threads a block"},
        {{1, 1, 1}, {0, 1, 1}, 0, "0 threads in block x"},
        {{0, 1, 1}, {32, 1, 1}, 0, "0 blocks in grid x"},
        {{UINT32_MAX, 1, 1}, {32, 1, 1}, 0, "4294967295 blocks in grid x"},
        {{1, 65536, 1}, {32, 1, 1}, 0, "65536 blocks in grid y"},
        {{1, 1, 1}, {32, 1, 1}, UINT32_MAX, "bytes of shared memory a block"},
    };
    struct emu emu;
    char text[512];
    (void)state;
    emu_open(&emu);
    snprintf(text, sizeof text,
             "%s.visible .entry k()\n.maxntid 4294967295, 4294967295, 4294967295\n"
             "{ .shared .b8 s[1024]; ret; }\n",
             head);
    if (!emu_load(&emu, text, "k")) fail_msg("%s", emu.fault.reason);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct hone_launch launch = {.shared_bytes = cases[i].shared, .check = true};
        memcpy(launch.grid, cases[i].grid, sizeof launch.grid);
        memcpy(launch.block, cases[i].block, sizeof launch.block);
        assert_false(emu_run(&emu, &launch));
        if (!strstr(emu.fault.reason, cases[i].reason)) fail_msg("%s", emu.fault.reason);
    }
    emu_close(&emu);
}

// Everything at its limit: the local memory of 1024 threads, checked.
static void the_largest_frames_fit_the_host(void **state)
{
    struct emu emu;
    char text[512];
    (void)state;
    emu_open(&emu);
    snprintf(text, sizeof text,
             "%s.visible .entry k() { .reg .b32 %%r; .local .b32 s[32768];\n"
             "mov.u32 %%r, 1; st.local.u32 [s+4], %%r; ret; }\n",
             head);
    if (!emu_load(&emu, text, "k")) fail_msg("%s", emu.fault.reason);
    struct hone_launch launch = {.grid = {1, 1, 1}, .block = {1024, 1, 1}, .check = true};
    if (!emu_run(&emu, &launch)) fail_msg("%s", emu.fault.reason);
    emu_close(&emu);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(huge_texts_are_refused),
    cmocka_unit_test(huge_bodies_are_refused),
    cmocka_unit_test(many_constants_and_labels_are_taken),
    cmocka_unit_test(nesting_is_limited),
    cmocka_unit_test(absurd_sizes_are_refused),
    cmocka_unit_test(a_large_variable_is_unsupported_and_not_bad_ptx),
    cmocka_unit_test(absurd_launches_are_refused),
    cmocka_unit_test(the_largest_frames_fit_the_host),
};

HONE_TEST_MAIN(tests)
