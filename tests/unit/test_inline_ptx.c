// What ptxas has to judge in the inline PTX of a text.
#include "hone_test.h"
#include "inline_ptx.h"

#define LOAD      "ld.global.nc.f32 %f1, [%rd1];"
#define ASM(TEXT) "// begin inline asm\n\t" TEXT "\n\t// end inline asm\n"

static void expect_open(const char *const *ptx, bool open)
{
    for (; *ptx; ptx++)
        if (hone_inline_ptx_is_open(*ptx) != open)
            fail_msg("%s: %s", open ? "may be refused" : "is taken", *ptx);
}

static void loads_and_stores_of_the_compiler_s_header_are_taken(void **state)
{
    (void)state;
    static const char *const taken[] = {
        "",
        "ld.global.f32 %f1, [%rd1];\n",
        ASM("ld.global.nc.f32 %f359, [%rd22];"),
        ASM("ld.global.cg.v4.u8 {%r1,%r2,%r3,%r4}, [%rd22];"),
        ASM("ld.global.cv.v2.f64 {%fd1,%fd2}, [%rd22];"),
        "mul.f32 %f1, %f2, %f3;\n\t" ASM("ld.global.lu.v2.s16 {%rs1,%rs2}, [%rd22];")
            ASM("st.global.wb.s64 [%rd1], %rd2;"),
        ASM("st.global.cs.v4.f32 [%rd1], {%f1,%f2,%f3,%f4};"),
        NULL};
    expect_open(taken, false);
}

static void any_other_inline_ptx_may_be_refused(void **state)
{
    (void)state;
    static const char *const open[] = {
        ASM("elect.sync _|p, 0xffffffff;"),
        ASM("ld.global.nc.f32 %f1, [%rd1];") ASM("ex2.approx.f32 %f1, %f2;"),
        ASM("ld.global.nc.f32 %f1, [%rd1]; trap;"),
        ASM("ld.global.nc.L2::256B.f32 %f1, [%rd1];"),
        ASM("ld.global.wb.f32 %f1, [%rd1];"),
        ASM("st.global.nc.f32 [%rd1], %f1;"),
        ASM("ld.global.f32 %f1, [%rd1];"),
        ASM("ld.global.nc.f32 %rd2, [%rd1];"),
        ASM("ld.global.nc.f64 %f2, [%rd1];"),
        ASM("ld.global.nc.b32 %r2, [%rd1];"),
        ASM("ld.global.nc.f32 %f2, [%r1];"),
        ASM("ld.global.nc.f32 %f2, [%rd1+4];"),
        ASM("ld.global.nc.v2.f32 {%f1,%f2,%f3}, [%rd1];"),
        ASM("ld.global.nc.v4.f32 {%f1,%f2}, [%rd1];"),
        ASM("ld.global.nc.v4.f64 {%fd1,%fd2,%fd3,%fd4}, [%rd1];"), // from sm_100 on
        ASM("ld.global.nc.v4.u64 {%rd1,%rd2,%rd3,%rd4}, [%rd1];"),
        ASM("ld.global.nc.f32 %f, [%rd1];"),
        ASM("st.global.cs.f32 [%rd1], 0f00000000;"),
        ASM(""),
        "// begin inline asm\n\tld.global.nc.f32 %f1, [%rd1];\n",
        "// begin inline asm",
        NULL};
    expect_open(open, true);
}

// The comments that begin and end an asm can be part of its text, too.
static void a_comment_in_the_text_ends_no_asm(void **state)
{
    (void)state;
    static const char *const open[] = {
        ASM(LOAD "\n\t// end inline asm\n\telect.sync _|p, 0xffffffff;"),
        ASM(LOAD "\n\t// end inline asm"),
        ASM("// end inline asm\n\t" LOAD),
        ASM("// begin inline asm\n\t" LOAD),
        ASM(LOAD "\n\t// begin inline asm"),
        ASM("// begin inline asm\n\t" LOAD "\n\t// end inline asm"),
        ASM(LOAD) ASM(LOAD "\n\t// end inline asm\n\ttrap;") ASM(LOAD),
        ASM(LOAD "\n\t// end inline asm\n\ttrap;\n\t// end inline asm"),
        ASM(LOAD "\n\t" ASM(LOAD)),
        ASM(LOAD "\n\t// end inline asm\n\ttrap;\n\t// begin inline asm\n\ttrap;"),
        "// end inline asm\n",
        NULL};
    expect_open(open, true);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(loads_and_stores_of_the_compiler_s_header_are_taken),
    cmocka_unit_test(any_other_inline_ptx_may_be_refused),
    cmocka_unit_test(a_comment_in_the_text_ends_no_asm),
};

HONE_TEST_MAIN(tests)
