// Listings of nvdisasm by hand: what counts, and as what.
#include <string.h>

#include "build/sass.h"
#include "hone_test.h"

static const struct {
    const char *line;
    enum hone_sass_class kind;
} rows[] = {
    {"        /*0000*/                   LDC R1, c[0x0][0x28] ;", HONE_SASS_CONSTANT},
    {"        /*0010*/                   S2R R5, SR_CTAID.X ;", HONE_SASS_MOVE},
    {"        /*0020*/                   ULDC.64 UR4, c[0x0][0x208] ;",
     HONE_SASS_CONSTANT},
    {"        /*0040*/                   IMAD R5, R5, UR4, R6 ;", HONE_SASS_INT},
    {"        /*0070*/               @P0 EXIT ;", HONE_SASS_CONTROL},
    {"        /*0080*/              @!UP0 UIADD3 UR4, UR4, 0x1, URZ ;",
     HONE_SASS_UNIFORM},
    {"        /*00b0*/                   LDG.E R4, desc[UR6][R2.64] ;", HONE_SASS_GLOBAL},
    {"        /*00c0*/                   LDGSTS.E.128 [R4], desc[UR6][R2.64] ;",
     HONE_SASS_ASYNC},
    {"        /*00d0*/                   UTMALDG.2D [UR8], [UR4], desc[UR6] ;",
     HONE_SASS_ASYNC},
    {"        /*00e0*/                   HGMMA.64x256x16.F32 R24, gdesc[UR8], R24 ;",
     HONE_SASS_TENSOR},
    {"        /*00f0*/                   HFMA2.MMA R5, -RZ, RZ, 1.875, 0 ;",
     HONE_SASS_FP16},
    {"        /*0100*/                   FFMA R1, R2, R3, R4 ;", HONE_SASS_FP32},
    {"        /*0110*/                   F2F.F64.F32 R2, R4 ;", HONE_SASS_CONVERT},
    {"        /*0120*/                   FLO.U32 R2, R4 ;", HONE_SASS_INT},
    {"        /*0130*/                   DFMA R2, R4, R6, R8 ;", HONE_SASS_FP64},
    {"        /*0140*/                   MUFU.RCP R2, R4 ;", HONE_SASS_SPECIAL},
    {"        /*0150*/                   STL.64 [R1+0x8], R4 ;", HONE_SASS_LOCAL},
    {"        /*0160*/                   LDS.128 R4, [R8] ;", HONE_SASS_SHARED},
    {"        /*0170*/                   REDG.E.ADD.F32.FTZ.RN desc[UR4][R2.64], R5 ;",
     HONE_SASS_ATOMIC},
    {"        /*0180*/                   REDUX.SUM UR4, R5 ;", HONE_SASS_WARP},
    {"        /*0190*/                   SHFL.BFLY PT, R5, R4, 0x1, 0x1f ;",
     HONE_SASS_WARP},
    {"        /*01a0*/                   BAR.SYNC.DEFER_BLOCKING 0x0 ;", HONE_SASS_SYNC},
    {"        /*01b0*/                   SYNCS.ARRIVE.TRANS64 RZ, [UR4], R2 ;",
     HONE_SASS_SYNC},
    {"        /*01c0*/                   ST.E desc[UR4][R2.64], R5 ;", HONE_SASS_GLOBAL},
    {"        /*01d0*/                   QUUX R1 ;", HONE_SASS_OTHER},
};

static const char *const none[] = {
    "        /*0300*/                   NOP;",
    ".L_x_8:",
    "\t.section\t.text.k,\"ax\",@progbits",
    "//--------------------- .text.k                   --------------------------",
    "        /* 0x0000000000007918 */",
    "        /*zz*/   FADD R1, R1, R1 ;",
    "        .global         k",
    "/*0000*/",
    "/*0000*/ @P0",
    "",
};

static void each_instruction_has_its_class(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct hone_sass sass = {0};
        hone_sass_add_line(&sass, ".text.k:", "k");
        hone_sass_add_line(&sass, rows[i].line, "k");
        assert_int_equal(sass.total, 1);
        if (sass.counts[rows[i].kind] != 1)
            fail_msg("not %s: %s", hone_sass_name(rows[i].kind), rows[i].line);
    }
}

static void other_lines_count_nothing(void **state)
{
    (void)state;
    struct hone_sass sass = {0};
    hone_sass_add_line(&sass, ".text.k:", "k");
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        hone_sass_add_line(&sass, none[i], "k");
    assert_int_equal(sass.total, 0);
}

static void only_the_kernel_counts(void **state)
{
    (void)state;
    static const char *const lines[] = {"        /*0000*/ FADD R1, R1, R1 ;",
                                        ".text.other:",
                                        "/*0000*/ FADD R1, R1, R1 ;",
                                        ".text.k2:",
                                        "/*0000*/ FADD R1, R1, R1 ;",
                                        ".text.k:",
                                        "/*0000*/ FADD R1, R1, R1 ;",
                                        "/*0010*/ EXIT ;",
                                        ".text.other:",
                                        "/*0000*/ FADD R1, R1, R1 ;"};
    struct hone_sass sass = {0};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        hone_sass_add_line(&sass, lines[i], "k");
    assert_int_equal(sass.total, 2);
    assert_int_equal(sass.counts[HONE_SASS_FP32], 1);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(each_instruction_has_its_class),
    cmocka_unit_test(other_lines_count_nothing),
    cmocka_unit_test(only_the_kernel_counts),
};
HONE_TEST_MAIN(tests)
