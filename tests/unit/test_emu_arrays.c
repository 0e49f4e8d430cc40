// Several arrays in shared memory: an address that was computed from that of one of them
// must not touch another one; what may be of either, or of none, is let be.
#include "device/emu.h"
#include "emu_kernel.h"

// A kernel of (.u64 p) of 32 threads: %r0 = thread, %r1 = 4 * thread, %a and %b = addresses
// of a and b, 256 bytes each and filled, %d = that of d, which has the 256 bytes behind
// them; %x0 = p, whose words are the thread's, and %x1 = the thread's. The body begins in
// line 16; %r9 is stored to p behind it.
static const char frame[] =
    ".version 9.0\n.target sm_90a\n.address_size 64\n"
    ".shared .align 16 .b8 a[256];\n.shared .align 16 .b8 b[256];\n"
    ".extern .shared .align 16 .b8 d[];\n"
    ".visible .entry k(.param .u64 p) {\n"
    ".reg .b32 %%r<32>, %%a, %%b, %%d; .reg .b64 %%x<8>; .reg .pred %%p<4>;\n"
    ".reg .b16 %%h<4>; .local .align 8 .b8 l[16];\n"
    "ld.param.u64 %%x0, [p]; mov.u32 %%r0, %%tid.x; shl.b32 %%r1, %%r0, 2;\n"
    "mov.u32 %%a, a; mov.u32 %%b, b; mov.u32 %%d, d; mul.wide.u32 %%x1, %%r0, 4;\n"
    "add.u64 %%x1, %%x0, %%x1; mov.u32 %%r9, 0; shl.b32 %%r2, %%r0, 3;\n"
    "mov.u64 %%x5, 7; add.u32 %%r3, %%a, %%r2; st.shared.u64 [%%r3], %%x5;\n"
    "add.u32 %%r3, %%b, %%r2; st.shared.u64 [%%r3], %%x5;\n"
    "add.u32 %%r3, %%d, %%r2; st.shared.u64 [%%r3], %%x5; bar.sync 0;\n"
    "%s\nst.global.u32 [%%x1], %%r9;\nret;\n}\n";

static void run_body(const char *body, struct hone_fault *fault)
{
    enum { THREADS = 32 };
    uint32_t words[THREADS];
    char text[4096];
    struct emu emu;
    for (uint32_t k = 0; k < THREADS; k++)
        words[k] = k;
    emu_open(&emu);
    snprintf(text, sizeof text, frame, body);
    if (!emu_load(&emu, text, "k")) fail_msg("%s: %s", body, emu.fault.reason);
    hone_devptr p = emu_buffer(&emu, words, sizeof words);
    struct emu_args args = {0};
    EMU_ARG(args, p);
    struct hone_launch launch = emu_geometry(&args, 1, THREADS);
    launch.shared_bytes = 256;
    launch.check = true;
    emu_run(&emu, &launch);
    *fault = emu.fault;
    emu.dev->fns->free(emu.dev, p);
    emu_close(&emu);
}

#define LOAD(at) "ld.shared.u32 %r9, [" at "];\n"

// An array e, filled by the first threads, eight bytes each.
#define ODD(bytes, rest)                                                                 \
    ".shared .align 16 .b8 e[" bytes "]; mov.u32 %r10, e; setp.lt.u32 %p0, %r0, " rest   \
    "; shl.b32 %r11, %r0, 3; add.u32 %r15, %r11, %r10;\n"                                \
    "@%p0 st.shared.u64 [%r15], %x5; bar.sync 0;\n"
// The last row of eight lies behind e.
#define TRANSPOSED                                                                       \
    ODD("112", "14")                                                                     \
    "and.b32 %r12, %r0, 7; shl.b32 %r13, %r12, 4; add.u32 %r14, %r13, %r10;\n"           \
    "ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%r8}, [%r14];\n"

static void what_may_be_of_either_array_is_let_be(void **state)
{
    (void)state;
    static const char *const bodies[] = {
        "add.u32 %r4, %a, %r1;" LOAD("%r4+128") "add.u32 %r4, %b, %r1;" LOAD("%r4"),
        // partly outside, of which what lies inside is used
        ODD("248", "31") "ld.shared.v4.u32 {%r4,%r9,%r6,%r7}, [%r10+240];\n",
        TRANSPOSED "and.b32 %r9, %r8, 65535;\n",
        // chosen by a condition, by a branch, in a loop
        "setp.lt.u32 %p0, %r0, 7; selp.b32 %r4, %a, %b, %p0; add.u32 %r4, %r4, "
        "%r1;\n" LOAD("%r4+128"),
        "setp.lt.u32 %p0, %r0, 7; mov.u32 %r4, %a; @%p0 mov.u32 %r4, %b;\n" LOAD(
            "%r4+252"),
        "mov.u32 %r4, a; mov.u32 %r5, 0; L: ld.shared.u32 %r6, [%r4];\n"
        "add.u32 %r9, %r9, %r6; add.u32 %r4, %r4, 4; add.u32 %r5, %r5, 1;\n"
        "setp.eq.u32 %p0, %r5, 64; @%p0 mov.u32 %r4, b;\n"
        "setp.lt.u32 %p0, %r5, 128; @%p0 bra L;\n",
        // by how far they are apart
        "sub.u32 %r4, %b, %a; add.u32 %r5, %a, %r1; add.u32 %r5, %r5, %r4;" LOAD("%r5"),
        "xor.b32 %r4, %b, %a; xor.b32 %r5, %a, %r4;" LOAD("%r5+252"),
        // pointers by way of memory, also where one of them is known
        "st.local.u32 [l], %b; ld.local.u32 %r4, [l];" LOAD("%r4+252"),
        "st.local.u32 [l], %b; ld.local.u32 %r4, [l]; setp.lt.u32 %p0, %r0, 40;\n"
        "selp.b32 %r4, %r4, %a, %p0;" LOAD("%r4+252"),
        "add.u32 %r4, %b, %r1; shfl.sync.bfly.b32 %r5, %r4, 1, 31, -1;" LOAD("%r5"),
        // addresses that are numbers, with a value like an array's
        "mov.u32 %r4, 256; add.u32 %r4, %r4, %r1;" LOAD("%r4+256"),
        "and.b32 %r4, %a, 8; or.b32 %r4, %r4, 256;" LOAD("%r4+100"),
        "setp.ne.u32 %p0, %a, 4; selp.b32 %r4, 256, 260, %p0;" LOAD("%r4"),
        // inside of one
        "xor.b32 %r4, %r1, 124; or.b32 %r4, %r4, %a;" LOAD("%r4"),
        "ld.global.u32 %r4, [%x1]; mad.lo.u32 %r4, %r4, 8, %b;" LOAD("%r4+4"),
        "add.u32 %r4, %a, 256; sub.u32 %r4, %r4, %r1;" LOAD("%r4+-4"),
        "mov.u32 %r4, %a; add.u32 %r4, %r4, 256; add.u32 %r4, %r4, -256;" LOAD("%r4"),
        "ld.shared.v4.u32 {%r4,%r5,%r6,%r9}, [a+240];\n",
        "add.u32 %r4, %d, %r1;" LOAD("%r4+128"),
        // generic ones, of shared memory or of device memory
        "cvt.u64.u32 %x2, %a; cvta.shared.u64 %x2, %x2; setp.lt.u32 %p0, %r0, 9;\n"
        "selp.b64 %x2, %x2, %x1, %p0; ld.u32 %r9, [%x2];\n",
        "cvt.u64.u32 %x2, %b; cvta.shared.u64 %x2, %x2; ld.u32 %r9, [%x2+252];\n",
        // read, and dropped
        LOAD("a+256") "mov.u32 %r9, 1;\n",
        "add.u32 %r4, %a, %r1; ld.shared.u32 %r5, [%r4+132]; setp.eq.u32 %p0, %r0, 31;\n"
        "selp.b32 %r9, 0, %r5, %p0;\n",
    };
    for (size_t k = 0; k < sizeof bodies / sizeof *bodies; k++) {
        struct hone_fault fault;
        run_body(bodies[k], &fault);
        if (fault.outcome != HONE_VALID) fail_msg("%s\n%s", fault.reason, bodies[k]);
    }
}

static const struct {
    const char *body, *words;
} leaving[] = {
    {ODD("248", "31") "ld.shared.v4.u32 {%r4,%r5,%r9,%r7}, [%r10+240];\n",
     "load of 16 bytes across the end of the array e of 248 bytes"},
    {TRANSPOSED "shr.u32 %r9, %r8, 16;\n",
     "load of 16 bytes, 0 bytes past the array e of 112 bytes"},
    {"add.u32 %r4, %a, %r1; st.shared.u32 [%r4+132], 1;",
     "store of 4 bytes, 0 bytes past the array a of 256 bytes"},
    {"mov.u32 %r9, 3; st.shared.u32 [a+-4], %r9;",
     "store of 4 bytes, 4 bytes before the array a of 256 bytes"},
    {"st.shared.v2.u32 [a+264], {%r9, %r9};",
     "store of 8 bytes, 8 bytes past the array a of 256 bytes"},
    {"add.u32 %r4, %a, 4; st.shared.u64 [%r4+252], %x0;",
     "store of 8 bytes, 0 bytes past the array a of 256 bytes"},
    {"atom.shared.add.u32 %r4, [a+300], 1;",
     "atomic of 4 bytes, 44 bytes past the array a of 256 bytes"},
    {"cp.async.ca.shared.global [%a+256], [%x0], 4; cp.async.wait_all;",
     "copy of 4 bytes, 0 bytes past the array a of 256 bytes"},
    {"st.shared.u32 [b+256], 1;",
     "store of 4 bytes, 0 bytes past the array b of 256 bytes"},
    {"add.u32 %r4, %d, -16; st.shared.u32 [%r4], 1;",
     "store of 4 bytes, 16 bytes before the array d of 256 bytes"},
    {"stmatrix.sync.aligned.m8n8.x1.shared.b16 [%a+256], {%r9};",
     "store of 16 bytes, 0 bytes past the array a of 256 bytes"},
    // loads whose values matter
    {LOAD("a+256"), "load of 4 bytes, 0 bytes past the array a of 256 bytes"},
    {"ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r9}, [%a+256];",
     "load of 16 bytes, 0 bytes past the array a of 256 bytes"},
    {"ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%r4, %r5, %r6, %r9}, [%a+-32];",
     "load of 16 bytes, 32 bytes before the array a of 256 bytes"},
    {"setp.lt.u32 %p0, %r0, 40; selp.b32 %r5, 256, 4, %p0; add.u32 %r4, %r5, "
     "%a;\n" LOAD("%r4"),
     "load of 4 bytes, 0 bytes past the array a of 256 bytes"},
    {"mov.u32 %r4, a; mov.u32 %r5, 0; L: ld.shared.u32 %r6, [%r4];\n"
     "add.u32 %r9, %r9, %r6; add.u32 %r4, %r4, 4; add.u32 %r5, %r5, 1;\n"
     "setp.le.u32 %p0, %r5, 64; @%p0 bra L;\n",
     "load of 4 bytes, 0 bytes past the array a of 256 bytes"},
    {"ld.global.u32 %r5, [%x1]; shl.b32 %r6, %r5, 4; add.u32 %r4, %r6, %a;" LOAD("%r4"),
     "load of 4 bytes, 0 bytes past the array a of 256 bytes"},
    {"ld.global.u32 %r4, [%x1]; cvt.rn.f32.u32 %r5, %r4; cvt.rzi.u32.f32 %r6, "
     "%r5; add.u32 %r7, %r6, %a; ld.shared.u8 %r9, [%r7+256];",
     "load of 1 bytes, 0 bytes past the array a of 256 bytes"},
    {"add.u32 %r4, %a, 256; shfl.sync.idx.b32 %r5, %r4, 0, 31, -1;" LOAD("%r5"),
     "load of 4 bytes, 0 bytes past the array a of 256 bytes"},
    {"cvt.u64.u32 %x2, %a; cvta.shared.u64 %x2, %x2; ld.u32 %r9, [%x2+256];",
     "load of 4 bytes, 0 bytes past the array a of 256 bytes"},
    {"sub.u32 %r4, %r1, %r1; add.u32 %r8, %a, 100; sub.u32 %r5, %r8, %a;\n"
     "add.u32 %r6, %r5, %b; add.u32 %r7, %r6, %r4;" LOAD("%r7+156"),
     "load of 4 bytes, 0 bytes past the array b of 256 bytes"},
};

static void an_access_that_leaves_its_array_is_found(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof leaving / sizeof *leaving; k++) {
        struct hone_fault fault;
        run_body(leaving[k].body, &fault);
        if (fault.finding != HONE_FINDING_OUT_OF_BOUNDS ||
            !strstr(fault.reason, leaving[k].words))
            fail_msg("%s: %s\n%s", hone_finding_name(fault.finding), fault.reason,
                     leaving[k].body);
        assert_int_equal(fault.outcome, HONE_WRONG_RESULT);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_may_be_of_either_array_is_let_be),
        cmocka_unit_test(an_access_that_leaves_its_array_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
