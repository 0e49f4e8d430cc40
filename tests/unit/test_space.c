// Search spaces: the counts of public ones.
#include <math.h>
#include <string.h>

#include "hone/rng.h"
#include "hone/space.h"
#include "hone_test.h"
#include "space_def.h"

// --- public spaces: fjwillemsen/kernel_tuner_paper (MIT), see docs/spaces.md ---

static void define_gemm(struct space_def *d)
{
    space_def_ints(d, "GEMMK", "0");
    space_def_ints(d, "MWG", "16 32 64 128");
    space_def_ints(d, "NWG", "16 32 64 128");
    space_def_ints(d, "KWG", "16 32");
    space_def_ints(d, "MDIMC", "8 16 32");
    space_def_ints(d, "NDIMC", "8 16 32");
    space_def_ints(d, "MDIMA", "8 16 32");
    space_def_ints(d, "NDIMB", "8 16 32");
    space_def_ints(d, "KWI", "2");
    space_def_ints(d, "VWM", "1 2 4 8");
    space_def_ints(d, "VWN", "1 2 4 8");
    space_def_ints(d, "STRM", "0 1");
    space_def_ints(d, "STRN", "0 1");
    space_def_ints(d, "SA", "0 1");
    space_def_ints(d, "SB", "0 1");
    space_def_ints(d, "KREG", "1");
    space_def_ints(d, "PRECISION", "32");
    space_def_where(d, "KWG % KWI == 0");
    space_def_where(d, "MWG % (MDIMC * VWM) == 0");
    space_def_where(d, "NWG % (NDIMC * VWN) == 0");
    space_def_where(d, "MWG % (MDIMA * VWM) == 0");
    space_def_where(d, "NWG % (NDIMB * VWN) == 0");
    space_def_where(d, "KWG % ((MDIMC * NDIMC) / MDIMA) == 0");
    space_def_where(d, "KWG % ((MDIMC * NDIMC) / NDIMB) == 0");
    space_def_where(d, "MWG ~= 128 or NWG ~= 128 or MDIMC ~= 8 or NDIMC ~= 8");
}

static void define_atf_prl_8x8(struct space_def *d)
{
    const char *to_8 = "1 2 3 4 5 6 7 8";
    space_def_ints(d, "CACHE_L_CB", "0 1");
    space_def_ints(d, "CACHE_P_CB", "0 1");
    space_def_ints(d, "G_CB_RES_DEST_LEVEL", "2");
    space_def_ints(d, "L_CB_RES_DEST_LEVEL", "2 1 0");
    space_def_ints(d, "P_CB_RES_DEST_LEVEL", "2 1 0");
    space_def_ints(d, "INPUT_SIZE_L_1", "8");
    space_def_ints(d, "L_CB_SIZE_L_1", to_8);
    space_def_ints(d, "P_CB_SIZE_L_1", to_8);
    space_def_ints(d, "OCL_DIM_L_1", "0 1");
    space_def_ints(d, "NUM_WG_L_1", to_8);
    space_def_ints(d, "NUM_WI_L_1", to_8);
    space_def_ints(d, "INPUT_SIZE_R_1", "8");
    space_def_ints(d, "L_CB_SIZE_R_1", to_8);
    space_def_ints(d, "P_CB_SIZE_R_1", to_8);
    space_def_ints(d, "OCL_DIM_R_1", "0 1");
    space_def_ints(d, "NUM_WG_R_1", to_8);
    space_def_ints(d, "NUM_WI_R_1", to_8);
    space_def_ints(d, "L_REDUCTION", "1");
    space_def_ints(d, "P_WRITE_BACK", "0");
    space_def_ints(d, "L_WRITE_BACK", "1");
    space_def_where(d, "L_CB_RES_DEST_LEVEL <= G_CB_RES_DEST_LEVEL");
    space_def_where(d, "P_CB_RES_DEST_LEVEL <= L_CB_RES_DEST_LEVEL");
    space_def_where(d, "INPUT_SIZE_L_1 % L_CB_SIZE_L_1 == 0");
    space_def_where(d, "L_CB_SIZE_L_1 % P_CB_SIZE_L_1 == 0");
    space_def_where(d, "(INPUT_SIZE_L_1 / L_CB_SIZE_L_1) % NUM_WG_L_1 == 0");
    space_def_where(d, "(L_CB_SIZE_L_1 / P_CB_SIZE_L_1) % NUM_WI_L_1 == 0");
    space_def_where(d, "NUM_WI_L_1 <= INPUT_SIZE_L_1 + NUM_WG_L_1 - 1 / NUM_WG_L_1");
    space_def_where(d, "INPUT_SIZE_R_1 % L_CB_SIZE_R_1 == 0");
    space_def_where(d, "L_CB_SIZE_R_1 % P_CB_SIZE_R_1 == 0");
    space_def_where(d, "OCL_DIM_R_1 ~= OCL_DIM_L_1");
    space_def_where(d, "(INPUT_SIZE_R_1 / L_CB_SIZE_R_1) % NUM_WG_R_1 == 0");
    space_def_where(d, "(L_CB_SIZE_R_1 / P_CB_SIZE_R_1) % NUM_WI_R_1 == 0");
    space_def_where(d, "NUM_WI_R_1 <= INPUT_SIZE_R_1 + NUM_WG_R_1 - 1 / NUM_WG_R_1");
    space_def_where(d, "NUM_WG_R_1 == 1 or NUM_WG_R_1 % L_CB_SIZE_R_1 == 0");
}

static void check_public_space(void (*define)(struct space_def *), double cartesian,
                               uint64_t count)
{
    struct space_def d = {0};
    define(&d);
    struct hone_space *space = NULL;
    struct hone_error err = {0};
    assert_ok(hone_space_new(&space, space_def_get(&d), &err), err);
    assert_true(hone_space_cartesian(space) == cartesian);
    assert_int_equal(hone_space_count(space), count);
    double removed = 0;
    for (size_t i = 0; i < hone_space_constraint_count(space); i++) {
        struct hone_constraint_info info;
        hone_space_constraint_info(space, i, &info);
        assert_true(info.removed <= info.alone);
        assert_int_equal(info.failed, 0);
        removed += info.removed;
    }
    assert_true(removed == cartesian - (double)count);
    for (uint64_t i = 0; i < count; i++) {
        uint16_t choices[DEF_PARAMS];
        uint64_t back = count;
        hone_space_choices(space, i, choices);
        assert_int_equal(hone_space_index(space, choices, &back), HONE_OK);
        assert_int_equal(back, i);
    }
    hone_space_free(space);
}

static void gemm_has_116928_valid_configurations(void **state)
{
    (void)state;
    check_public_space(define_gemm, 663552, 116928);
}

static void atf_prl_8x8_has_48720_valid_configurations(void **state)
{
    (void)state;
    check_public_space(define_atf_prl_8x8, 2415919104, 48720);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(gemm_has_116928_valid_configurations),
    cmocka_unit_test(atf_prl_8x8_has_48720_valid_configurations),
};

HONE_TEST_MAIN(tests)
