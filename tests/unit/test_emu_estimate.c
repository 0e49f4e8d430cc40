// What PTX tells of the registers that its kernel needs.
#include "emu_kernel.h"

static const char head[] = ".version 8.0\n.target sm_90\n.address_size 64\n"
                           ".visible .entry k(.param .u64 p)";

static struct hone_ptx_estimate estimate(const char *bounds, const char *body)
{
    struct emu emu;
    struct hone_ptx_estimate out;
    char text[4096];
    emu_open(&emu);
    snprintf(text, sizeof text, "%s%s\n{\n%s\nret;\n}\n", head, bounds, body);
    const struct hone_build build = {.ptx = text, .ptx_size = strlen(text)};
    assert_ok(emu.dev->fns->estimate(emu.dev, &build, "k", &out, &emu.err), emu.err);
    emu_close(&emu);
    assert_true(out.resources.estimated);
    return out;
}

// A body with count words that live at once: all are read from memory, then all are used.
static void write_live(char *body, size_t size, int count)
{
    int used = snprintf(body, size,
                        ".reg .b32 %%r<%d>; .reg .b64 %%a<2>;\n"
                        "ld.param.u64 %%a0, [p]; add.s64 %%a1, %%a0, 4;\n",
                        count);
    for (int i = 0; i < count; i++)
        used +=
            snprintf(body + used, size - (size_t)used, "ld.global.u32 %%r%d,[%%a1];", i);
    for (int i = 0; i < count; i++)
        used +=
            snprintf(body + used, size - (size_t)used, "st.global.u32 [%%a1],%%r%d;", i);
    assert_true((size_t)used < size);
}

static void words_that_live_at_once_count(void **state)
{
    (void)state;
    char body[3072];
    for (int count = 1; count <= 40; count += 13) {
        write_live(body, sizeof body, count);
        const int words = count + 2; // and the address
        assert_int_equal(estimate("", body).resources.registers, words * 11 / 10 + 4);
    }
}

// Whatever is written anew in each round of a loop, the file has it once.
static void a_loop_counts_once_what_lives_through_it(void **state)
{
    (void)state;
    const struct hone_ptx_estimate e = estimate(
        "", ".reg .b32 %r<9>; .reg .b64 %a<2>; .reg .pred %p;\n"
            "ld.param.u64 %a0, [p]; add.s64 %a1, %a0, 4; mov.u32 %r0, 0;\n"
            "ld.global.u32 %r4, [%a1];\n"
            "L: add.u32 %r1, %r0, 1; mul.lo.u32 %r2, %r1, %r4; mov.u32 %r0, %r2;\n"
            "setp.lt.u32 %p, %r0, 100; @%p bra L;\n"
            "st.global.u32 [%a1], %r0;");
    // the address, r4, r0 and what is made of it
    assert_int_equal(e.resources.registers, 4 * 11 / 10 + 4);
}

static void what_needs_no_register_is_not_counted(void **state)
{
    (void)state;
    const struct hone_ptx_estimate e = estimate(
        "", ".reg .b32 %r<4>; .reg .b64 %a<2>;\n"
            "ld.param.u64 %a0, [p]; mov.u32 %r0, %tid.x; st.global.u32 [%a0], 17;\n"
            "st.global.u32 [%a0], %r0;");
    assert_int_equal(e.resources.registers, 1 * 11 / 10 + 4);
}

static void bounds_say_what_ptxas_may_take(void **state)
{
    (void)state;
    const struct {
        const char *bounds;
        int32_t most, threads;
    } cases[] = {{"", 255, -1},
                 {".maxntid 256", 255, 256},
                 {".maxntid 256, 1, 1 .minnctapersm 2", 255, 256}, // of one block
                 {".maxntid 16, 16, 4", 64, 1024},
                 {".reqntid 512, 1, 1", 128, 512},
                 {".maxntid 576", 96, 576}, // 18 warps: five in one part of four
                 {".maxnreg 40", 40, -1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct hone_ptx_estimate e = estimate(cases[i].bounds, "");
        assert_int_equal(e.most_registers, cases[i].most);
        assert_int_equal(e.max_threads, cases[i].threads);
        assert_false(e.assemble);
    }
    char body[3072];
    write_live(body, sizeof body, 40);
    assert_int_equal(estimate(".maxnreg 32", body).resources.registers, 32);
    assert_int_equal(estimate(".maxntid 512 .minnctapersm 4", body).resources.registers,
                     32);
}

static void shared_memory_is_what_is_declared(void **state)
{
    (void)state;
    struct hone_ptx_estimate e = estimate("", ".shared .align 16 .b8 s[48000];");
    assert_int_equal(e.resources.static_shared_bytes, 48000);
    assert_false(e.assemble);
    e = estimate("", ".shared .align 16 .b8 s[50000];");
    assert_true(e.assemble);
}

static void what_only_ptxas_knows_is_left_to_it(void **state)
{
    (void)state;
    assert_true(estimate(".maxntid 128 .reqnctapercluster 2, 1, 1", "").assemble);
    assert_true(estimate(".maxntid 384", "setmaxnreg.dec.sync.aligned.u32 40;").assemble);
    assert_true(
        estimate("", ".reg .b32 %r; mov.u32 %r, %reserved_smem_offset_end;").assemble);
}

// A plain load is made once for all that other blocks do; a ticket is not.
static void what_may_wait_for_other_blocks_is_told(void **state)
{
    (void)state;
    const struct {
        const char *what;
        bool waits;
    } cases[] = {{"ld.global.u32 %r0, [%a0];", false},
                 {"ld.volatile.shared.u32 %r0, [%a0];", false},
                 {"red.global.add.u32 [%a0], 1;", false},
                 {"atom.shared.add.u32 %r0, [%a0], 1;", false},
                 {"ld.volatile.global.u32 %r0, [%a0];", true},
                 {"ld.relaxed.gpu.u32 %r0, [%a0];", true},
                 {"ld.acquire.gpu.global.u32 %r0, [%a0];", true},
                 {"atom.global.cas.b32 %r0, [%a0], 0, 1;", true},
                 {"bra.uni M; M: atom.global.add.u32 %r0, [%a0], 1; bra.uni N; N:", true},
                 {"@%q bra N; atom.global.add.u32 %r0, [%a0], 1; ret; N:", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char body[256];
        snprintf(body, sizeof body,
                 ".reg .b32 %%r<1>; .reg .b64 %%a<1>; .reg .pred %%q; ld.param.u64 "
                 "%%a0, [p]; setp.eq.u64 %%q, %%a0, 0;\nL: %s\n%s",
                 cases[i].what, strstr(cases[i].what, "ret;") ? "" : "@%q bra L;");
        if (estimate("", body).waits != cases[i].waits) fail_msg("%s", cases[i].what);
    }
}

static void text_that_is_no_ptx_is_a_status(void **state)
{
    (void)state;
    struct emu emu;
    struct hone_ptx_estimate out;
    emu_open(&emu);
    const struct hone_build build = {.ptx = "nonsense", .ptx_size = 8};
    assert_int_not_equal(emu.dev->fns->estimate(emu.dev, &build, "k", &out, NULL),
                         HONE_OK);
    emu_close(&emu);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(words_that_live_at_once_count),
    cmocka_unit_test(a_loop_counts_once_what_lives_through_it),
    cmocka_unit_test(what_needs_no_register_is_not_counted),
    cmocka_unit_test(bounds_say_what_ptxas_may_take),
    cmocka_unit_test(shared_memory_is_what_is_declared),
    cmocka_unit_test(what_only_ptxas_knows_is_left_to_it),
    cmocka_unit_test(what_may_wait_for_other_blocks_is_told),
    cmocka_unit_test(text_that_is_no_ptx_is_a_status),
};
HONE_TEST_MAIN(tests)
