// Which buffers decide what a kernel executes: each way from memory to a branch, a guard,
// an address or a barrier is found, and what only goes into results is not.
#include "emu_kernel.h"
#include "launch/emu_device.h"
#include "predict/steer.h"

static const char frame[] =
    ".version 9.0\n.target sm_90a\n.address_size 64\n"
    ".global .align 4 .f32 var;\n"
    ".visible .entry k(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 n) {\n"
    ".reg .b32 %%t, %%n, %%s, %%r<8>; .reg .b64 %%a, %%b, %%c, %%y<4>;\n"
    ".reg .f32 %%f<4>; .reg .pred %%p, %%q; .shared .align 16 .b8 sh[1024];\n"
    ".local .align 16 .b8 lo[64];\n"
    "ld.param.u64 %%a, [a]; ld.param.u64 %%b, [b]; ld.param.u64 %%c, [c];\n"
    "ld.param.u32 %%n, [n]; mov.u32 %%t, %%tid.x; mov.u32 %%s, sh;\n%s\nret;\n}\n";

enum { A = 1, B = 2, C = 4 };

static unsigned steering_of(const char *body)
{
    char text[4096];
    struct emu emu;
    unsigned found = 0;
    snprintf(text, sizeof text, frame, body);
    emu_open(&emu);
    if (!emu_load(&emu, text, "k")) fail_msg("%s: %s", body, emu.fault.reason);
    for (unsigned i = 0; i < 4; i++)
        found |= (unsigned)emu.dev->fns->data_steers(emu.dev, emu.module, i) << i;
    emu_close(&emu);
    return found;
}

static const struct {
    const char *body;
    unsigned steering;
} cases[] = {
    // into results only
    {"ld.global.f32 %f0, [%a]; add.f32 %f1, %f0, %f0; st.global.f32 [%b], %f1;", 0},
    {"ld.global.f32 %f0, [%a]; setp.gt.f32 %p, %f0, 0f00000000;\n"
     "selp.f32 %f1, %f0, 0f00000000, %p; st.global.f32 [%b], %f1;",
     0},
    {"setp.ge.u32 %p, %t, %n; @%p bra L; ld.global.f32 %f0, [%a];\n"
     "st.global.f32 [%b], %f0; L:",
     0},
    {"ld.global.u32 %r0, [%a]; shfl.sync.idx.b32 %r1, %r0, %r0, 31, -1;\n"
     "st.global.u32 [%b], %r1;",
     0},
    {"ld.global.u32 %r0, [%a]; st.shared.u32 [%s], %r0; bar.sync 0;\n"
     "ld.shared.u32 %r1, [%s]; st.global.u32 [%b], %r1;",
     0},
    {"ld.global.f32 %f0, [%a]; red.global.add.f32 [%b], %f0;", 0},
    // a branch, a guard, an address, a barrier, a mask
    {"ld.global.f32 %f0, [%a]; setp.gt.f32 %p, %f0, 0f00000000; @%p bra L;\n"
     "st.global.f32 [%b], %f0; L:",
     A},
    {"ld.global.f32 %f0, [%a]; setp.gt.f32 %p, %f0, 0f00000000;\n"
     "@%p st.global.f32 [%b], %f0;",
     A},
    {"ld.global.u32 %r0, [%b]; mad.wide.u32 %y0, %r0, 4, %a; ld.global.f32 %f0, [%y0];\n"
     "st.global.f32 [%c], %f0;",
     B},
    {"ld.global.u32 %r0, [%b]; and.b32 %r0, %r0, 252; add.u32 %r1, %s, %r0;\n"
     "st.shared.u32 [%r1], %t;",
     B},
    {"ld.global.u32 %r0, [%c]; bar.sync %r0;", C},
    {"ld.global.u32 %r0, [%c]; bar.warp.sync %r0;", C},
    {"ld.global.u32 %r0, [%c]; shfl.sync.idx.b32 %r1, %t, 0, 31, %r0;", C},
    // by way of others
    {"ld.global.f32 %f0, [%a]; setp.gt.f32 %p, %f0, 0f00000000;\n"
     "selp.u32 %r0, 1, 0, %p; setp.ne.u32 %q, %r0, 0; @%q bra L;\n"
     "st.global.f32 [%b], %f0; L:",
     A},
    {"ld.global.u32 %r0, [%a]; st.shared.u32 [%s], %r0; ld.shared.u32 %r1, [%s+64];\n"
     "setp.eq.u32 %p, %r1, 0; @%p bra L; st.global.u32 [%b], %t; L:",
     A},
    {"ld.global.u32 %r0, [%a]; st.local.u32 [lo], %r0; ld.local.u32 %r1, [lo+4];\n"
     "setp.eq.u32 %p, %r1, 0; @%p bra L; st.global.u32 [%b], %t; L:",
     A},
    {"cvta.shared.u64 %y0, 0; ld.global.u32 %r0, [%a]; st.u32 [%y0], %r0;\n"
     "ld.shared.u32 %r1, [%s]; setp.eq.u32 %p, %r1, 0; @%p bra L;\n"
     "st.global.u32 [%b], %t; L:",
     A},
    {"ld.global.f32 %f0, [%a]; st.global.f32 [%b], %f0; ld.global.f32 %f1, [%b+4];\n"
     "setp.gt.f32 %p, %f1, 0f00000000; @%p bra L; st.global.f32 [%c], %f0; L:",
     A | B},
    {"ld.global.f32 %f0, [%a]; st.global.f32 [var], %f0; ld.global.f32 %f1, [var];\n"
     "setp.gt.f32 %p, %f1, 0f00000000; @%p bra L; st.global.f32 [%c], %f0; L:",
     A},
    {"cp.async.ca.shared.global [%s], [%a], 4; cp.async.wait_all;\n"
     "ld.shared.u32 %r1, [%s]; setp.eq.u32 %p, %r1, 0; @%p bra L;\n"
     "st.global.u32 [%b], %t; L:",
     A},
    {"ld.global.u32 %r0, [%a]; setp.eq.u32 %p, %r0, 0;\n"
     "vote.sync.ballot.b32 %r1, %p, -1; setp.ne.u32 %q, %r1, 0; @%q bra L;\n"
     "st.global.u32 [%b], %t; L:",
     A},
    {"ld.global.u32 %r0, [%a]; shfl.sync.bfly.b32 %r1, %r0, 1, 31, -1;\n"
     "setp.ne.u32 %q, %r1, 0; @%q bra L; st.global.u32 [%b], %t; L:",
     A},
    // a ticket says who is last, whatever the data are
    {"ld.global.f32 %f0, [%a]; st.global.f32 [%b], %f0;\n"
     "atom.global.add.u32 %r0, [%c], 1; setp.ne.u32 %p, %r0, %n; @%p bra L;\n"
     "ld.global.f32 %f1, [%b]; st.global.f32 [%b+4], %f1; L:",
     C},
    // nor does a barrier of the grid wait by them
    {"mov.u32 %r0, %envreg2; mov.u32 %r1, %envreg1; mov.b64 %y0, {%r0, %r1};\n"
     "ld.global.u32 %r2, [%y0]; setp.eq.u32 %p, %r2, 0; @%p bra L;\n"
     "st.global.u32 [%b], %t; L:",
     0},
    // against the order of the text: the value of a loop's last turn
    {"mov.u32 %r1, 0; L: setp.gt.u32 %p, %r1, 9; @%p bra M; mov.u32 %r1, %r2;\n"
     "mov.u32 %r2, %r3; mov.u32 %r3, %r4; ld.global.u32 %r4, [%a]; bra L; M:",
     A},
    // an address that lies in memory may lead anywhere
    {"ld.global.u64 %y0, [%a]; ld.global.f32 %f0, [%y0]; st.global.f32 [%b], %f0;", A},
};

static void what_decides_is_found_and_nothing_else(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const unsigned found = steering_of(cases[i].body);
        if (found != cases[i].steering)
            fail_msg("%s\n%u steer, not %u", cases[i].body, found, cases[i].steering);
    }
}

static void an_unknown_address_may_be_any_buffers(void **state)
{
    (void)state;
    assert_int_equal(steering_of("ld.global.u32 %r0, [4096]; setp.eq.u32 %p, %r0, 0;\n"
                                 "@%p bra L; st.global.u32 [%b], %t; L:"),
                     A | B | C | 8);
}

// ---- products of wgmma ----

// A warp group multiplies ones by ones, 16 along K: %f0 is 16 in all lanes, %i the count
// that goes round a loop.
static const char product[] =
    ".version 9.0\n.target sm_90a\n.address_size 64\n"
    ".visible .entry k(.param .u64 a) {\n"
    ".reg .b32 %%s, %%i, %%t<4>; .reg .b64 %%a, %%d<2>; .reg .f32 %%f<4>;\n"
    ".reg .pred %%p, %%q; .shared .align 128 .b8 sh[4096];\n"
    "ld.param.u64 %%a, [a]; mov.u32 %%t0, %%tid.x; mov.u32 %%s, sh;\n"
    "mad.lo.u32 %%t1, %%t0, 32, %%s; mov.b32 %%t2, 0x3f803f80;\n"
    "st.shared.v4.b32 [%%t1], {%%t2, %%t2, %%t2, %%t2};\n"
    "st.shared.v4.b32 [%%t1+16], {%%t2, %%t2, %%t2, %%t2};\n"
    "fence.proxy.async; bar.sync 0; shr.u32 %%t1, %%s, 4; cvt.u64.u32 %%d0, %%t1;\n"
    "or.b64 %%d0, %%d0, 0x800080000; wgmma.fence.sync.aligned;\n"
    "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%%f0, %%f1, %%f2, %%f3},\n"
    "%%d0, %%d0, 0, 1, 1, 0, 0; wgmma.commit_group.sync.aligned;\n"
    "wgmma.wait_group.sync.aligned 0; mov.u32 %%i, 0;\n%s\n"
    "L: add.u32 %%i, %%i, 1; setp.lt.u32 %%q, %%i, %%t3; @%%q bra L;\n"
    "st.global.f32 [%%a], %%f0; ret;\n}\n";

static void check_product(const char *rounds, bool decides, double executed)
{
    struct emu emu;
    struct hone_timing timing;
    struct emu_args args = {0};
    char text[4096];
    double jumps = -1;
    snprintf(text, sizeof text, product, rounds);
    emu_open(&emu);
    if (!emu_load(&emu, text, "k")) fail_msg("%s: %s", rounds, emu.fault.reason);
    assert_int_equal(emu.module->steering >> HONE_EMU_STEER_PRODUCTS & 1, decides);
    hone_devptr a = emu_buffer(&emu, NULL, 64);
    EMU_ARG(args, a);
    const struct hone_launch launch = emu_geometry(&args, 1, 128);
    assert_ok(emu.dev->fns->time(emu.dev, emu.module, &launch, &hone_time_policy_default,
                                 &timing, &emu.fault, &emu.err),
              emu.err);
    assert_int_equal(emu.fault.outcome, HONE_VALID);
    for (uint32_t k = 0; k < timing.metric_count; k++)
        if (strcmp(timing.metrics[k].name, "control_per_block") == 0)
            jumps = timing.metrics[k].value;
    if (jumps < 4 * executed || jumps > 4 * (executed + 6))
        fail_msg("%s: %g of control, not about %g", rounds, jumps, 4 * executed);
    emu_close(&emu);
}

// Those that decide nothing are not computed for a prediction.
static void products_that_decide_are_computed(void **state)
{
    (void)state;
    check_product("mov.u32 %t3, 9;", false, 9);
    check_product("cvt.rzi.u32.f32 %t3, %f0;", true, 16);
    check_product("add.f32 %f1, %f0, %f0; st.shared.f32 [%s], %f1; bar.sync 0;\n"
                  "ld.shared.f32 %f2, [%s]; cvt.rzi.u32.f32 %t3, %f2;",
                  true, 32);
    check_product("st.global.f32 [%a+4], %f0; ld.global.f32 %f2, [%a+4];\n"
                  "cvt.rzi.u32.f32 %t3, %f2;",
                  true, 16);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(products_that_decide_are_computed),
    cmocka_unit_test(what_decides_is_found_and_nothing_else),
    cmocka_unit_test(an_unknown_address_may_be_any_buffers),
};
HONE_TEST_MAIN(tests)
