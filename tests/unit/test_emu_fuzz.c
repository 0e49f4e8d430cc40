// Mutated PTX, 20,000 texts: each is taken or refused with words, and what is taken runs
// to an outcome. What this looks for shows under the sanitizers (preset asan).
#include "emu_kernel.h"

#include "hone/rng.h"

enum { ROUNDS = 20000, MOST = 32768 };

static const char seed_text[] =
    ".version 9.0\n.target sm_90a\n.address_size 64\n"
    ".global .align 4 .u32 counter = 3;\n.const .align 8 .f64 table[2] = {1.5, "
    "0d4000000000000000};\n"
    ".global .align 8 .u64 where[2] = {counter, generic(counter)+4};\n"
    ".extern .shared .align 16 .b8 dynamic[];\n"
    ".visible .entry k(.param .u64 .ptr .global .align 4 p, .param .align 4 .b8 n[4])\n"
    ".maxntid 64, 1, 1\n.pragma \"nounroll\";\n{\n.reg .pred %p<4>; .reg .b16 %h<4>;\n"
    ".reg .b32 %r<20>; .reg .b64 %x<8>; .reg .f32 %f<8>; .reg .f64 %d<4>;\n"
    ".local .align 8 .b8 frame[32]; .shared .align 4 .f32 s[64];\n"
    "ld.param.u64 %x0, [p]; ld.param.u32 %r0, [n]; cvta.to.global.u64 %x0, %x0;\n"
    "mov.u32 %r1, %tid.x; mad.wide.u32 %x1, %r1, 4, %x0; ld.global.nc.f32 %f0, [%x1];\n"
    "mov.u32 %r2, s; mad.lo.u32 %r3, %r1, 4, %r2; st.shared.f32 [%r3], %f0; bar.sync 0;\n"
    "ld.shared.v2.f32 {%f1, %f2}, [%r2+8]; fma.rn.f32 %f3, %f1, %f2, %f0;\n"
    "shfl.sync.bfly.b32 %r4|%p0, %r1, 3, 31, -1; @%p0 add.s32 %r4, %r4, 1;\n"
    "mov.u64 %x2, frame; st.local.v2.u32 [%x2+8], {%r1, %r4}; cvta.local.u64 %x3, %x2;\n"
    "ld.u32 %r5, [%x3+8]; setp.lt.and.s32 %p1|%p2, %r5, 9, !%p0; selp.b32 %r6, 1, 2, "
    "%p1;\n"
    "{ .reg .pred q; setp.eq.u32 q, %r6, 1; @q bra INNER; atom.global.add.u32 %r7, "
    "[counter], 1;\n"
    "INNER: }\ncvt.rn.f16.f32 %h0, %f3; mov.b32 {%h1, %h2}, %r6; cvt.rzi.s32.f32 %r8, "
    "%f3;\n"
    "ld.const.f64 %d0, [table+8]; div.rn.f64 %d1, %d0, 0d3FF0000000000000;\n"
    "mov.u32 %r9, 0;\nLOOP: add.u32 %r9, %r9, 1; setp.lt.u32 %p3, %r9, 5; @%p3 bra "
    "LOOP;\n"
    "vote.sync.ballot.b32 %r10, %p1, -1; bfe.u32 %r11, %r10, 3, %r1; prmt.b32 %r12, %r1, "
    "%r9, 0x3210;\n"
    "cp.async.ca.shared.global [%r3], [%x1], 4; cp.async.commit_group; "
    "cp.async.wait_group 0;\n"
    "red.shared.max.s32 [%r2], %r9; st.global.f32 [%x1], %f3; ret;\n}\n";

static const char *const words[] = {";",
                                    ",",
                                    "{",
                                    "}",
                                    "[",
                                    "]",
                                    "%r1",
                                    "%x1",
                                    "%p0",
                                    "%f0",
                                    "%r99",
                                    "-1",
                                    "4294967296",
                                    "0",
                                    "0x7fffffffffffffff",
                                    "0f7F800000",
                                    "1e308",
                                    "bra LOOP;",
                                    "ret;",
                                    "@!%p1",
                                    ".reg .b32 %r<3>;",
                                    ".shared .b8 z[99999999999];",
                                    ".v4",
                                    ".b128",
                                    "%tid.y",
                                    "%clock64",
                                    "mov.b64 %x1, {%r0,%r1};",
                                    "ld.global.v4.f32 {%f0,%f1,%f2,%f3}, [%x1];",
                                    "bar.sync 0, 32;",
                                    "call f;",
                                    "/*",
                                    "//",
                                    "\"",
                                    "::",
                                    "|",
                                    "INNER",
                                    "exit;",
                                    "trap;",
                                    "st.shared.u64 [%r1+-8], %x1;",
                                    "\n",
                                    ".s64",
                                    ".cc"};

static void mutate(char *text, struct hone_rng *rng)
{
    size_t len = strlen(text), at = hone_rng_below(rng, len);
    switch (hone_rng_below(rng, 8)) {
    case 0: // another character
        text[at] = (char)(32 + hone_rng_below(rng, 95));
        break;
    case 1: { // a piece less
        size_t n = 1 + hone_rng_below(rng, 24);
        if (n > len - at) n = len - at;
        memmove(text + at, text + at + n, len - at - n + 1);
        break;
    }
    case 2: { // a word more
        const char *word = words[hone_rng_below(rng, sizeof words / sizeof *words)];
        size_t n = strlen(word);
        if (len + n + 1 >= MOST) break;
        memmove(text + at + n, text + at, len - at + 1);
        memcpy(text + at, word, n);
        break;
    }
    case 3: { // a piece of elsewhere
        char piece[40];
        size_t n = 1 + hone_rng_below(rng, sizeof piece), from = hone_rng_below(rng, len);
        if (n > len - from) n = len - from;
        if (len + n + 1 >= MOST) break;
        memcpy(piece, text + from, n);
        memmove(text + at + n, text + at, len - at + 1);
        memcpy(text + at, piece, n);
        break;
    }
    default: // another digit: mostly still a program
        for (size_t i = at; i < len; i++)
            if (text[i] >= '0' && text[i] <= '9') {
                text[i] = (char)('0' + hone_rng_below(rng, 10));
                break;
            }
    }
}

static void run_taken(struct emu *emu, hone_devptr p)
{
    uint32_t n = 7;
    struct emu_args args = {0};
    EMU_ARG(args, p), EMU_ARG(args, n);
    struct hone_launch launch = emu_geometry(&args, 2, 64);
    launch.shared_bytes = 128;
    launch.deadline_s = 0.002;
    emu_run(emu, &launch);
    assert_true(emu->fault.outcome == HONE_VALID || emu->fault.reason[0]);
    struct hone_timing timing;
    assert_ok(emu->dev->fns->time(emu->dev, emu->module, &launch,
                                  &hone_time_policy_default, &timing, &emu->fault,
                                  &emu->err),
              emu->err);
}

static void mutated_texts_end_in_an_outcome(void **state)
{
    static char text[MOST];
    struct emu emu;
    struct hone_rng rng;
    size_t taken = 0;
    (void)state;
    hone_rng_seed(&rng, 20);
    emu_open(&emu);
    hone_devptr p = emu_buffer(&emu, NULL, 1024);
    if (!emu_load(&emu, seed_text, "k")) fail_msg("%s", emu.fault.reason);
    run_taken(&emu, p);
    if (emu.fault.outcome != HONE_VALID) fail_msg("%s", emu.fault.reason);
    for (int i = 0; i < ROUNDS; i++) {
        struct hone_build build = {.ptx = text, .resources = {.registers = 32}};
        strcpy(text, seed_text);
        for (uint64_t n = 1 + hone_rng_below(&rng, 3); n > 0; n--)
            mutate(text, &rng);
        build.ptx_size = strlen(text);
        emu.dev->fns->unload(emu.dev, emu.module);
        emu.module = NULL;
        emu.err = (struct hone_error){0};
        enum hone_status status =
            emu.dev->fns->load(emu.dev, &build, "k", &emu.module, &emu.fault, &emu.err);
        if (status != HONE_OK) {
            assert_true(emu.err.text[0]);
        } else if (emu.fault.outcome != HONE_VALID) {
            assert_null(emu.module);
            assert_true(emu.fault.reason[0]);
        } else {
            taken++;
            run_taken(&emu, p);
        }
    }
    emu.err = (struct hone_error){0};
    print_message("%zu of %d ran\n", taken, ROUNDS);
    assert_true(taken > ROUNDS / 20 && taken < ROUNDS);
    emu_close(&emu);
}

// What the fuzzer found (tests/fuzz): each text once crashed the reader.
static void found_texts_are_refused(void **state)
{
    static const char *const texts[] = {
        // a pointer in a variable that has no memory before the launch
        ".version 9.0\n.global .u32 c = 3; .shared .u64 p[2] = {c, c};\n"
        ".visible .entry k() { ret; }\n",
    };
    struct emu emu;
    (void)state;
    emu_open(&emu);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        assert_false(emu_load(&emu, texts[i], "k"));
        assert_int_equal(emu.fault.outcome, HONE_LAUNCH_FAILED);
    }
    emu_close(&emu);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(found_texts_are_refused),
    cmocka_unit_test(mutated_texts_end_in_an_outcome),
};

HONE_TEST_MAIN(tests)
