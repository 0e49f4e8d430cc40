// What goes wrong in a kernel is reported with its place, in words; nothing crashes the
// host.
#include "emu_kernel.h"

#include "device/emu.h"

// The body of a kernel of (.u64 p, .u32 n) with %x0 = p, %t0 = thread, %n = n; the body's
// first line is line 8.
static const char frame[] =
    ".version 9.0\n.target sm_90a\n.address_size 64\n"
    ".visible .entry k(.param .u64 p, .param .u32 n)\n%s{\n"
    ".reg .b32 %%t<16>, %%n; .reg .b64 %%x<8>; .reg .pred %%p<4>; .reg .f32 %%f<4>;\n"
    "ld.param.u64 %%x0, [p]; ld.param.u32 %%n, [n]; mov.u32 %%t0, %%tid.x;\n"
    "%s\nret;\n}\n";

struct expected {
    enum hone_outcome outcome;
    const char *reason;
    uint32_t threads, n;
};

static bool load_body(struct emu *emu, const char *directives, const char *body)
{
    char text[4096];
    snprintf(text, sizeof text, frame, directives, body);
    return emu_load(emu, text, "k");
}

static void run_body(struct emu *emu, const char *body, const struct expected *expected)
{
    if (!load_body(emu, "", body)) fail_msg("%s: %s", body, emu->fault.reason);
    hone_devptr p = emu_buffer(emu, NULL, 256);
    uint32_t n = expected->n;
    struct emu_args args = {0};
    EMU_ARG(args, p), EMU_ARG(args, n);
    struct hone_launch launch = emu_geometry(&args, 2, expected->threads);
    launch.shared_bytes = 64;
    launch.deadline_s = 0.2;
    emu_run(emu, &launch);
    assert_int_equal(emu->fault.outcome, expected->outcome);
    assert_string_equal(emu->fault.reason, expected->reason);
    emu->dev->fns->free(emu->dev, p);
}

static void check_body(const char *body, const struct expected *expected)
{
    struct emu emu;
    emu_open(&emu);
    run_body(&emu, body, expected);
    emu_close(&emu);
}

#define CRASH(text, count, value)                                                        \
    &(struct expected)                                                                   \
    {                                                                                    \
        HONE_CRASHED, text, count, value                                                 \
    }

static void accesses_past_a_buffer_are_placed(void **state)
{
    (void)state;
    check_body(
        "mad.wide.u32 %x1, %t0, 4, %x0; ld.global.f32 %f0, [%x1];",
        CRASH("out-of-bounds global load of 4 bytes, 0 bytes past a buffer of 256 bytes "
              "at block (0,0,0) thread (64,0,0) of k, PTX line 8",
              96, 0));
    check_body(
        "mad.wide.u32 %x1, %t0, 4, %x0;\n\nst.global.v2.f32 [%x1+1024], {%f0, %f1};",
        CRASH(
            "out-of-bounds global store of 8 bytes, 768 bytes past a buffer of 256 bytes "
            "at block (0,0,0) thread (0,0,0) of k, PTX line 10",
            32, 0));
    check_body("atom.global.add.u32 %t1, [%x0+-4], 1;",
               CRASH("out-of-bounds global atomic of 4 bytes, 4 bytes before a buffer of "
                     "256 bytes at block (0,0,0) thread (0,0,0) of k, PTX line 8",
                     32, 0));
}

static void accesses_past_shared_memory_are_placed(void **state)
{
    (void)state;
    check_body(
        ".shared .align 4 .b8 s[128]; mul.lo.u32 %t1, %t0, 4; mov.u32 %t2, s;\n"
        "add.u32 %t1, %t1, %t2; st.shared.u32 [%t1], %t0;",
        CRASH("out-of-bounds shared store of 4 bytes, 0 bytes past an area of 192 bytes "
              "at block (0,0,0) thread (48,0,0) of k, PTX line 9",
              64, 0));
    check_body( // nothing is rounded where no extern array begins
        ".shared .align 4 .b8 s[12]; mov.u32 %t1, s; ld.shared.u32 %t2, [%t1+76];",
        CRASH("out-of-bounds shared load of 4 bytes, 0 bytes past an area of 76 bytes "
              "at block (0,0,0) thread (0,0,0) of k, PTX line 8",
              1, 0));
    check_body(
        "mov.u32 %t1, 62; ld.shared.u32 %t2, [%t1];",
        CRASH(
            "out-of-bounds shared load of 4 bytes across the end of an area of 64 bytes "
            "at block (0,0,0) thread (0,0,0) of k, PTX line 8",
            1, 0));
    check_body(
        ".local .align 4 .b8 l[16]; mov.u64 %x1, l; ld.local.u32 %t1, [%x1+16];",
        CRASH("out-of-bounds local load of 4 bytes, 0 bytes past an area of 16 bytes "
              "at block (0,0,0) thread (0,0,0) of k, PTX line 8",
              1, 0));
}

#define S(body) ".shared .align 16 .b8 s[128]; mov.u32 %t1, s; mov.u64 %x1, s;\n" body
#define L(body) ".local .align 16 .b8 l[32]; mov.u32 %t1, l; mov.u64 %x1, l;\n" body
static const struct {
    const char *body, *words;
} before_areas[] = {
    {S("ld.shared.u32 %t2, [%t1+-4];"),
     "shared load of 4 bytes, 4 bytes before an area of 192 bytes"},
    {S("sub.u32 %t1, %t1, 400; st.shared.u32 [%t1], %t2;"),
     "shared store of 4 bytes, 400 bytes before an area of 192 bytes"},
    {S("add.s32 %t1, %t1, -1073741824; ld.shared.u32 %t2, [%t1];"),
     "shared load of 4 bytes, 1073741824 bytes before an area of 192 bytes"},
    {S("ld.shared.v4.u32 {%t2, %t3, %t4, %t5}, [%x1+-16];"),
     "shared load of 16 bytes, 16 bytes before an area of 192 bytes"},
    {S("add.s64 %x1, %x1, -8; ld.shared.u64 %x2, [%x1];"),
     "shared load of 8 bytes, 8 bytes before an area of 192 bytes"},
    {S("atom.shared.add.u32 %t2, [%t1+-8], 1;"),
     "shared atomic of 4 bytes, 8 bytes before an area of 192 bytes"},
    {S("cp.async.ca.shared.global [%t1+-4], [%x0], 4;"),
     "shared copy of 4 bytes, 4 bytes before an area of 192 bytes"},
    {S("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%t2}, [%t1+-16];"),
     "shared load of 16 bytes, 16 bytes before an area of 192 bytes"},
    {S("mbarrier.init.shared.b64 [%t1+-8], 1;"),
     "shared mbarrier of 8 bytes, 8 bytes before an area of 192 bytes"},
    {S("cp.async.mbarrier.arrive.shared.b64 [%t1+-8];"),
     "shared mbarrier of 8 bytes, 8 bytes before an area of 192 bytes"},
    {S("st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%t1+-4], %t2, "
       "[%t1];"),
     "shared store of 4 bytes, 4 bytes before an area of 192 bytes"},
    {S("setp.eq.u32 %p0, %t0, 0; add.u32 %t1, %t1, -32; "
       "@%p0 cp.async.bulk.global.shared::cta.bulk_group [%x0], [%t1], 16;"),
     "shared copy of 16 bytes, 32 bytes before an area of 192 bytes"},
    {S("cvta.shared.u64 %x1, %x1; ld.u32 %t2, [%x1+-4];"),
     "shared load of 4 bytes, 4 bytes before an area of 192 bytes"},
    {L("ld.local.u32 %t2, [%t1+-4];"),
     "local load of 4 bytes, 4 bytes before an area of 32 bytes"},
    {L("add.s64 %x1, %x1, -40; st.local.u32 [%x1], %t2;"),
     "local store of 4 bytes, 40 bytes before an area of 32 bytes"},
    {L("cvta.local.u64 %x1, %x1; st.u32 [%x1+-4], %t2;"),
     "local store of 4 bytes, 4 bytes before an area of 32 bytes"},
    {L("cvta.local.u64 %x1, %x1; add.s64 %x1, %x1, 32; ld.u32 %t2, [%x1];"),
     "local load of 4 bytes, 0 bytes past an area of 32 bytes"},
    {"mov.b64 %x1, p; cvta.param.u64 %x1, %x1; ld.u32 %t2, [%x1+-4];",
     "parameter load of 4 bytes, 4 bytes before an area of 12 bytes"},
    {S("ld.shared.u32 %t2, [%t1+16777216];"),
     "shared load of 4 bytes, 16777024 bytes past an area of 192 bytes"},
    {S("ld.shared::cluster.u32 %t2, [%t1+50331648];"),
     "shared load of 4 bytes, 50331456 bytes past an area of 192 bytes"},
    {S("cvta.shared.u64 %x1, %x1; ld.u32 %t2, [%x1+16777216];"),
     "shared load of 4 bytes, 16777024 bytes past an area of 192 bytes"},
    {"mov.u64 %x1, 0; ld.global.u32 %t2, [%x1];",
     "global load of 4 bytes, at 0x0, where no memory is"},
    {"mov.u64 %x1, 0; ld.u32 %t2, [%x1+-4];",
     "global load of 4 bytes, at 0xfffffffffffffffc, where no memory is"},
    {S("cvta.shared.u64 %x1, %x1; st.global.u32 [%x1+4], 1;"),
     "global store of 4 bytes, at 0x100000000000004, where no memory is"},
};

// Memory of a block, of a thread and of parameters begins at 0 in its space; generic
// addresses of one lie behind those of another.
static void accesses_before_an_area_are_placed(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof before_areas / sizeof *before_areas; k++) {
        char reason[256];
        snprintf(reason, sizeof reason,
                 "out-of-bounds %s at block (0,0,0) thread (0,0,0) of k, PTX line %d",
                 before_areas[k].words, strchr(before_areas[k].body, '\n') ? 9 : 8);
        check_body(before_areas[k].body, CRASH(reason, 32, 0));
    }
}

static void misaligned_accesses_are_placed(void **state)
{
    (void)state;
    check_body(
        "ld.global.v4.f32 {%f0, %f1, %f2, %f3}, [%x0+8];",
        CRASH("misaligned global load of 16 bytes at block (0,0,0) thread (0,0,0) of k, "
              "PTX line 8",
              32, 0));
    check_body(
        "add.u32 %t1, %t0, 1; st.shared.u16 [%t1], 0;",
        CRASH("misaligned shared store of 2 bytes at block (0,0,0) thread (0,0,0) of k, "
              "PTX line 8",
              32, 0));
    check_body(
        "mov.u32 %t1, 4; cp.async.ca.shared.global [0], [%x0+4], 8, %t1;",
        CRASH("misaligned global copy of 8 bytes at block (0,0,0) thread (0,0,0) of k, "
              "PTX line 8",
              32, 0));
}

static void lanes_that_do_not_run_are_not_checked(void **state)
{
    (void)state;
    check_body("setp.lt.u32 %p0, %t0, 64; mad.wide.u32 %x1, %t0, 4, %x0;\n"
               "@%p0 ld.global.f32 %f0, [%x1];",
               &(struct expected){HONE_VALID, "", 96, 0});
}

static void constants_cannot_be_written(void **state)
{
    static const char text[] =
        ".version 9.0\n.target sm_90a\n.address_size 64\n.const .align 4 .u32 c = 7;\n"
        ".visible .entry k() {\n.reg .b64 %x<2>;\nmov.u64 %x0, c;\nst.global.u32 [%x0], "
        "1;\n}\n";
    struct emu emu;
    struct emu_args args = {0};
    (void)state;
    emu_open(&emu);
    assert_true(emu_load(&emu, text, "k"));
    struct hone_launch launch = emu_geometry(&args, 1, 1);
    assert_false(emu_run(&emu, &launch));
    assert_string_equal(
        emu.fault.reason,
        "store to read-only memory at block (0,0,0) thread (0,0,0) of k, PTX line 8");
    emu_close(&emu);
}

static void accesses_past_variables_are_placed(void **state)
{
    static const char text[] =
        ".version 9.0\n.target sm_90a\n.address_size 64\n.const .align 4 .b32 c[8];\n"
        ".global .align 4 .b32 g[4];\n.visible .entry k(.param .u32 past) {\n"
        ".reg .b32 %t<4>; .reg .b64 %x<2>; .reg .pred %p;\nld.param.u32 %t0, [past];\n"
        "setp.eq.u32 %p, %t0, 1; @%p ld.const.u32 %t1, [c+32];\n"
        "st.global.u32 [g+-4], %t1;\n}\n";
    static const char *const reasons[] = {
        "out-of-bounds global store of 4 bytes, 4 bytes before a buffer of 16 bytes "
        "at block (0,0,0) thread (0,0,0) of k, PTX line 10",
        "out-of-bounds constant load of 4 bytes, 0 bytes past a buffer of 32 bytes "
        "at block (0,0,0) thread (0,0,0) of k, PTX line 9"};
    struct emu emu;
    (void)state;
    emu_open(&emu);
    for (uint32_t past = 0; past < 2; past++) {
        struct emu_args args = {0};
        EMU_ARG(args, past);
        assert_true(emu_load(&emu, text, "k"));
        struct hone_launch launch = emu_geometry(&args, 1, 1);
        assert_false(emu_run(&emu, &launch));
        assert_string_equal(emu.fault.reason, reasons[past]);
    }
    emu_close(&emu);
}

static void warps_that_disagree_on_a_barrier_are_reported(void **state)
{
    (void)state;
    check_body("setp.lt.u32 %p0, %t0, 32; @%p0 bra.uni A; bar.sync 1, 96; bra.uni B;\n"
               "A: bar.sync 1, 64;\nB:",
               CRASH("barrier 1 for 96 threads, others wait for 64 (PTX line 9) at block "
                     "(0,0,0) thread (32,0,0) of k, PTX line 8",
                     96, 0));
}

static void misused_barriers_are_reported(void **state)
{
    (void)state;
    check_body("bar.sync 16;",
               CRASH("barrier 16 for all threads: there are 0 to 15 at block (0,0,0) "
                     "thread (0,0,0) of k, PTX line 8",
                     32, 0));
    check_body("bar.sync 0, 40;",
               CRASH("barrier 0 for 40 threads: a multiple of 32, 32 to 1024, can wait "
                     "at block (0,0,0) thread (0,0,0) of k, PTX line 8",
                     32, 0));
    check_body(
        "activemask.b32 %t1; shfl.sync.idx.b32 %t2, %t0, 0, 31, 1;",
        CRASH("lane is not in its own member mask 0x00000001 at block (0,0,0) thread "
              "(1,0,0) of k, PTX line 8",
              32, 0));
}

static void a_trap_crashes(void **state)
{
    (void)state;
    check_body("setp.eq.u32 %p0, %t0, 37;\n@%p0 trap;",
               CRASH("trap at block (0,0,0) thread (37,0,0) of k, PTX line 9", 64, 0));
}

// ---- loading ----

static void check_load(const char *body, enum hone_outcome outcome, const char *reason)
{
    struct emu emu;
    emu_open(&emu);
    assert_false(load_body(&emu, "", body));
    assert_int_equal(emu.fault.outcome, outcome);
    assert_string_equal(emu.fault.reason, reason);
    emu_close(&emu);
}

static void unknown_forms_are_unsupported_with_their_line(void **state)
{
    (void)state;
    check_load("wgmma.mma_async.sync.aligned.m64n40k32.s32.s8.s8 {%f0}, %x0, %x0, 1;",
               HONE_UNSUPPORTED,
               "wgmma.mma_async.sync.aligned.m64n40k32.s32.s8.s8 at PTX line 8");
    check_load("\nadd.rn.e4m3x2 %t0, %t1, %t2;", HONE_UNSUPPORTED,
               "add.rn.e4m3x2 at PTX line 9");
    check_load("mul.lo.sat.s32 %t0, %t1, %t2;", HONE_UNSUPPORTED,
               "mul.lo.sat.s32 at PTX line 8");
    check_load("mov.u32 %t0, %warpsize_of_tomorrow;", HONE_UNSUPPORTED,
               "%warpsize_of_tomorrow as an operand of mov.u32 at PTX line 8");
}

static void families_that_are_left_out_say_why(void **state)
{
    static const struct {
        const char *body, *reason;
    } rows[] = {
        {"multimem.red.relaxed.gpu.global.add.f32 [%x0], %t0;",
         "multimem.red.relaxed.gpu.global.add.f32 at PTX line 8: memory of several GPUs "
         "is "
         "not emulated"},
        {"multimem.ld_reduce.relaxed.gpu.global.add.u32 %t0, [%x0];",
         "multimem.ld_reduce.relaxed.gpu.global.add.u32 at PTX line 8: memory of several "
         "GPUs is not emulated"},
        {".reg .b128 z;\nmov.b128 z, {%x0, %x0};",
         "mov.b128 at PTX line 9: registers of 128 bits are not emulated"},
        {".reg .b128 z;\nld.global.b128 z, [%x0];",
         "ld.global.b128 at PTX line 9: registers of 128 bits are not emulated"},
        {".reg .b128 y, z;\natom.global.cas.b128 z, [%x0], y, z;",
         "atom.global.cas.b128 at PTX line 9: registers of 128 bits are not emulated"},
        {"tex.1d.v4.u32.s32 {%t0,%t0,%t0,%t0}, [%x0, {%t1}];",
         "tex.1d.v4.u32.s32 at PTX line 8: textures are not emulated"},
        {"sust.b.1d.b32.trap [%x0, {%t1}], %t0;",
         "sust.b.1d.b32.trap at PTX line 8: surfaces are not emulated"},
        {"tcgen05.wait::ld.sync.aligned;",
         "tcgen05.wait::ld.sync.aligned at PTX line 8: tensor memory is not emulated"},
        {"ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 {%t0, %t1}, [%t2];",
         "ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 at PTX line 8: of matrices, "
         "those of 8 x 8 elements of 16 bits are loaded"},
        {"alloca.u64 %x0, 16;", "alloca.u64 at PTX line 8: stacks are not emulated"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        check_load(rows[k].body, HONE_UNSUPPORTED, rows[k].reason);
}

// Compilers declare more than they use.
static void a_register_of_128_bits_may_be_declared(void **state)
{
    struct emu emu;
    (void)state;
    emu_open(&emu);
    assert_true(load_body(&emu, "", ".reg .b128 %rq<4>;"));
    emu_close(&emu);
}

static void malformed_text_is_refused_with_its_line(void **state)
{
    (void)state;
    check_load("add.s32 %t0, %t1;", HONE_LAUNCH_FAILED,
               "bad PTX, line 8: wrong number of operands in operand 0 of add.s32");
    check_load("add.s32 %t0, %t1, %x0;", HONE_LAUNCH_FAILED,
               "bad PTX, line 8: wrong width in operand 3 of add.s32");
    check_load("bra NOWHERE;", HONE_LAUNCH_FAILED,
               "bad PTX, line 8: no label in operand 1 of bra");
    check_load("mov.u32 %t0 5;", HONE_LAUNCH_FAILED,
               "bad PTX, line 8: expected ';', found '5'");
    check_load("st.global.u32 [%x0, 1;", HONE_LAUNCH_FAILED,
               "bad PTX, line 8: expected ']', found ';'");
    check_load("{ .reg .b32 %u;", HONE_LAUNCH_FAILED,
               "bad PTX, line 11: expected '}', found the end");
}

static void a_failing_kernel_leaves_its_neighbours_alone(void **state)
{
    static const char text[] = ".version 9.0\n.target sm_90a\n.address_size 64\n"
                               ".visible .entry bad() { tcgen05.alloc; ret; }\n"
                               ".visible .entry good() { ret; }\n";
    struct emu emu;
    (void)state;
    emu_open(&emu);
    assert_false(emu_load(&emu, text, "bad"));
    assert_true(emu_load(&emu, text, "good"));
    emu_close(&emu);
}

static void launches_that_a_driver_refuses_are_refused(void **state)
{
    struct emu emu;
    hone_devptr p = 0;
    uint32_t n = 0;
    struct emu_args args = {0};
    (void)state;
    EMU_ARG(args, p), EMU_ARG(args, n);
    emu_open(&emu);
    assert_true(load_body(&emu, ".maxntid 64, 1, 1\n", ""));
    struct hone_launch launch = emu_geometry(&args, 1, 96);
    assert_false(emu_run(&emu, &launch));
    assert_int_equal(emu.fault.outcome, HONE_LAUNCH_FAILED);
    assert_string_equal(emu.fault.reason,
                        "96 threads a block, the kernel is built for 64");
    launch = emu_geometry(&args, 0, 64);
    assert_false(emu_run(&emu, &launch));
    launch = emu_geometry(&args, 1, 64);
    launch.shared_bytes = 300000;
    assert_false(emu_run(&emu, &launch));
    assert_string_equal(emu.fault.reason,
                        "300000 bytes of shared memory a block, limit 232448");
    args.count = 1;
    launch = emu_geometry(&args, 1, 64);
    assert_false(emu_run(&emu, &launch));
    assert_string_equal(emu.fault.reason, "1 arguments, the kernel takes more");
    emu_close(&emu);
}

static void an_unknown_gpu_is_refused_with_those_known(void **state)
{
    struct hone_limits limits;
    struct hone_error err = {0};
    (void)state;
    assert_int_equal(hone_emu_limits(&limits, "voodoo", &err), HONE_EUSAGE);
    assert_non_null(
        strstr(err.text, "no GPU 'voodoo' to emulate; there are h200, h100,"));
    for (size_t i = 0; hone_emu_name(i); i++) {
        assert_int_equal(hone_emu_limits(&limits, hone_emu_name(i), NULL), HONE_OK);
        assert_true(limits.max_shared_bytes <= limits.shared_bytes_per_sm);
        assert_true(limits.sm_count > 0 && limits.memory_bandwidth_mbs > 0);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(accesses_past_a_buffer_are_placed),
    cmocka_unit_test(accesses_past_shared_memory_are_placed),
    cmocka_unit_test(accesses_before_an_area_are_placed),
    cmocka_unit_test(misaligned_accesses_are_placed),
    cmocka_unit_test(lanes_that_do_not_run_are_not_checked),
    cmocka_unit_test(constants_cannot_be_written),
    cmocka_unit_test(accesses_past_variables_are_placed),
    cmocka_unit_test(warps_that_disagree_on_a_barrier_are_reported),
    cmocka_unit_test(misused_barriers_are_reported),
    cmocka_unit_test(a_trap_crashes),
    cmocka_unit_test(unknown_forms_are_unsupported_with_their_line),
    cmocka_unit_test(families_that_are_left_out_say_why),
    cmocka_unit_test(a_register_of_128_bits_may_be_declared),
    cmocka_unit_test(malformed_text_is_refused_with_its_line),
    cmocka_unit_test(a_failing_kernel_leaves_its_neighbours_alone),
    cmocka_unit_test(launches_that_a_driver_refuses_are_refused),
    cmocka_unit_test(an_unknown_gpu_is_refused_with_those_known),
};

HONE_TEST_MAIN(tests)
