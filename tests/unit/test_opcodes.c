// What of a PTX text tells two kernels apart that ptxas makes the same code of.
#include "hone_test.h"
#include "opcodes.h"

static void hash_of(const char *ptx, char out[HONE_HASH_TEXT])
{
    struct hone_hash hash;
    hone_hash_begin(&hash);
    hone_hash_opcodes(&hash, ptx);
    hone_hash_end(&hash, out);
}

static bool are_alike(const char *one, const char *other)
{
    char a[HONE_HASH_TEXT], b[HONE_HASH_TEXT];
    hash_of(one, a);
    hash_of(other, b);
    return strcmp(a, b) == 0;
}

#define HEAD "// by a compiler\n.version 9.0\n.target sm_90\n"
#define BODY                                                                             \
    ".visible .entry k(\n\t.param .u64 k_param_0\n)\n{\n\t.reg .b32 %r<4>;\n"            \
    "\tld.shared.u32 %r1, [%r2+4];\n\t@%p1 bra $L_1;\n\tret;\n}\n"

static void names_lines_and_variables_are_not_looked_at(void **state)
{
    (void)state;
    assert_true(are_alike(HEAD BODY, ".global .align 4 .u32 CHUNK = 8;\n" BODY));
    assert_true(are_alike("ld.u32 %r1, [%r2];", "\t.loc 1 7 3\n\tld.u32 %r7, [%r9+8];"));
    assert_true(are_alike("$L_1:\n\tret;", "$L_2: ret;"));
    assert_true(are_alike("{ .reg .pred p; ret; }", "ret; // the end"));
    assert_true(are_alike("/* a; b */ ret;", "ret;"));
    assert_true(are_alike("", "// nothing"));
}

static void how_strong_an_access_is_counts_and_barriers_of_a_warp_too(void **state)
{
    (void)state;
    assert_false(
        are_alike("ld.shared.u32 %r1, [%r2];", "ld.volatile.shared.u32 %r1, [%r2];"));
    assert_false(are_alike("ret;", "bar.warp.sync -1;\n\tret;"));
    assert_false(are_alike("@%p1 bra $L;", "@%p1 bra.uni $L;"));
    assert_false(are_alike("fence.acq_rel.cta; ret;", "ret; fence.acq_rel.cta;"));
    assert_false(
        are_alike("{ .reg .pred p; setp.ne.s32 p, %r1, 0; }", "{ .reg .pred p; }"));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(names_lines_and_variables_are_not_looked_at),
    cmocka_unit_test(how_strong_an_access_is_counts_and_barriers_of_a_warp_too),
};
HONE_TEST_MAIN(tests)
