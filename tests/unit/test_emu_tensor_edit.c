// Tensor maps in kernels: the words of what is refused, forms that are none, and maps that
// a kernel changes.
#include "emu_tensor.h"

// ---- what is refused ----

#define LOAD(map, to, mbarrier)                                                          \
    "@%p0 cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes "  \
    "[" to "], [" map ", {%c0, %c1}], [" mbarrier "];"

static void what_a_copy_may_not_be_given_is_told(void **state)
{
    (void)state;
    static const struct {
        const char *body, *text;
        enum hone_finding finding;
    } cases[] = {
        {LOAD("%x0", "%s0+64", "%s1"),
         "by tensor map it is to be a multiple of 128 at block (0,0,0) thread (0,0,0)",
         HONE_FINDING_MISALIGNED},
        {LOAD("%x0", "%s0", "%s1+4"), "an mbarrier lies at a multiple of 8",
         HONE_FINDING_MISALIGNED},
        {LOAD("%x0", "%s0+8192", "%s1"), "past an area of", HONE_FINDING_OUT_OF_BOUNDS},
        {"mov.u64 %x5, l; cvta.local.u64 %x5, %x5; " LOAD("%x5", "%s0", "%s1"),
         "is a copy in local memory: a kernel takes it as const __grid_constant__",
         HONE_FINDING_TENSOR_MAP},
        {"mov.u64 %x5, s; cvta.shared.u64 %x5, %x5; " LOAD("%x5", "%s0", "%s1"),
         "lies in shared memory", HONE_FINDING_TENSOR_MAP},
        {"add.u64 %x5, %x0, 32; " LOAD("%x5", "%s0", "%s1"),
         "the tensor map at byte 32 of the parameters is not at a multiple of 64",
         HONE_FINDING_TENSOR_MAP},
        {LOAD("%x1", "%s0", "%s1"),
         "the tensor map at byte 0 of a buffer of 32768 bytes is none: its bytes are not",
         HONE_FINDING_TENSOR_MAP},
        {"mov.u64 %x5, 4096; " LOAD("%x5", "%s0", "%s1"),
         "the tensor map at 0x1000 does not lie in memory", HONE_FINDING_TENSOR_MAP},
        {"@%p0 cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [%x0, {%c0}], "
         "[%s0];",
         "is one of boxes (tiled) with 2 axes, the copy has boxes and 1",
         HONE_FINDING_TENSOR_MAP},
        {"@%p0 cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.bulk_group [%x0, "
         "{%c0, %c1}], [%s0];",
         "is of elements (type 1) that this reduction has not", HONE_FINDING_TENSOR_MAP},
        {"@%p0 cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::"
         "bytes.multicast::cluster [%s0], [%x0, {%c0, %c1}], [%s1], 3;",
         "multicast to the blocks 0x0003 of a cluster of 1", HONE_FINDING_PEER},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct run run;
        tensor_begin(&run);
        tensor_launch(&run, cases[i].body);
        assert_int_equal(run.fault.outcome, HONE_CRASHED);
        if (!strstr(run.fault.reason, cases[i].text))
            fail_msg("%zu: %s", i, run.fault.reason);
        assert_int_equal(run.fault.finding, cases[i].finding);
    }
}

static void a_tensor_larger_than_its_buffer_is_told(void **state)
{
    (void)state;
    struct run run;
    tensor_begin(&run);
    run.map.size[1] = 1000;
    run.coordinates[1] = TENSOR / 128 - 2;
    tensor_launch(&run, LOAD("%x0", "%s0", "%s1"));
    assert_int_equal(run.fault.finding, HONE_FINDING_OUT_OF_BOUNDS);
    if (!strstr(run.fault.reason, "a load by tensor map of 128 bytes that are in the "
                                  "tensor but end 128 bytes past the buffer of 32768"))
        fail_msg("%s", run.fault.reason);
}

// 2^36 bytes, whose low 32 bits are 0.
static void a_box_that_no_block_holds_is_told(void **state)
{
    (void)state;
    struct run run;
    tensor_begin(&run);
    run.map = (struct hone_tensor_map){.rank = 5, .type = 1};
    for (uint32_t i = 0; i < 5; i++) {
        run.map.size[i] = run.map.box[i] = i ? 256 : 8;
        run.map.stride_bytes[i] = i ? 16 : 2;
    }
    tensor_launch(&run, "@%p0 cp.async.bulk.tensor.5d.shared::cluster.global.mbarrier::"
                        "complete_tx::bytes [%s0], [%x0, {%c0, %c1, %c2, %c3, %c4}], "
                        "[%s1];");
    assert_int_equal(run.fault.finding, HONE_FINDING_OUT_OF_BOUNDS);
    if (!strstr(run.fault.reason, "shared copy of 1073741824 bytes"))
        fail_msg("%s", run.fault.reason);
}

// Where the slices of an interleaved tensor lie is not published.
static void interleaved_maps_are_refused_not_guessed(void **state)
{
    (void)state;
    struct run run;
    tensor_begin(&run);
    run.map.rank = 3;
    run.map.size[2] = run.map.box[2] = 1;
    run.map.stride_bytes[2] = 2048;
    run.map.modes = (struct hone_map_modes){.interleave = 16};
    tensor_launch(
        &run, "@%p0 cp.async.bulk.tensor.3d.global.shared::cta.bulk_group [%x0, {%c0, "
              "%c1, %c2}], [%s0];");
    assert_int_equal(run.fault.outcome, HONE_UNSUPPORTED);
    if (!strstr(run.fault.reason, "a tensor map that interleaves 16 bytes"))
        fail_msg("%s", run.fault.reason);
}

static void forms_that_no_gpu_has_are_not_taken(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes "
        "[%s0], [%x0, {%c0}], [%s1];",
        "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes "
        "[%s0], [%x0], [%s1];",
        "cp.async.bulk.tensor.2d.shared::cluster.global [%s0], [%x0, {%c0, %c1}], [%s1];",
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile::gather4.mbarrier::"
        "complete_tx::bytes [%s0], [%x0, {0,0,0,0,0}], [%s1];",
        "cp.async.bulk.tensor.2d.shared::cluster.global.im2col.mbarrier::complete_tx::"
        "bytes [%s0], [%x0, {%c0, %c1}], [%s1];",
        "cp.async.bulk.tensor.3d.shared::cluster.global.im2col.mbarrier::complete_tx::"
        "bytes [%s0], [%x0, {%c0, %c1, %c2}], [%s1];",
        "cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes "
        "[%s0], [%x0, {%c0, %c1, %c2}], [%s1], {%h0};",
        "cp.async.bulk.tensor.6d.shared::cluster.global.mbarrier::complete_tx::bytes "
        "[%s0], [%x0, {0,0,0,0,0,0}], [%s1];",
        "cp.async.bulk.tensor.3d.global.shared::cta.im2col.bulk_group [%x0, {%c0, %c1, "
        "%c2}], [%s0];",
        "tensormap.replace.tile.global_dim.global.b1024.b32 [%x1], 5, %t0;",
        "tensormap.replace.tile.global_stride.global.b1024.b32 [%x1], 0, %t0;",
        "tensormap.replace.tile.global_stride.global.b1024.b64 [%x1], 4, %x0;",
        "tensormap.replace.tile.rank.global.b1024.b32 [%x1], 0, %t0;",
        "tensormap.replace.tile.box_dim.global.b1024.b32 [%x1], %t0;",
        "tensormap.replace.tile.swizzle_atomicity.global.b1024.b32 [%x1], 1;",
        "fence.proxy.tensormap::generic.acquire.gpu [%x1], 64;",
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct emu emu;
        char text[16384];
        emu_open(&emu);
        snprintf(text, sizeof text, tensor_frame, 0, 0, 0, 0, 0, 0, 0, 0, cases[i]);
        if (emu_load(&emu, text, "k")) fail_msg("taken: %s", cases[i]);
        emu_close(&emu);
    }
}

// ---- maps that a kernel changes ----

/* Copies the map of the parameters to n, changes it there, and to the beginning of o. */
#define TO_SHARED                                                                        \
    "shl.b32 %t4, %t0, 2; cvt.u64.u32 %x5, %t4; add.u64 %x5, %x5, %x0;\n"                \
    "ld.u32 %t5, [%x5]; mov.u32 %s3, n; add.u32 %t4, %t4, %s3;\n"                        \
    "st.shared.u32 [%t4], %t5; bar.warp.sync 0xffffffff;\n"
#define PUBLISH                                                                          \
    "bar.warp.sync 0xffffffff;\n"                                                        \
    "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync."    \
    "aligned [%x2], [%s3], 128;\n"
#define ACQUIRE "fence.proxy.tensormap::generic.acquire.gpu [%x2], 128;\n"
#define FIELD(name, bits, rest)                                                          \
    "@%p0 tensormap.replace.tile." name ".shared::cta.b1024." bits " [%s3], " rest ";\n"

// Everything that there is to change, to what another map has.
static void a_map_is_made_anew_field_by_field(void **state)
{
    (void)state;
    struct run run;
    uint64_t places[SHARED];
    tensor_begin(&run);
    memset(places, 0xff, sizeof places);
    const struct hone_tensor_map wanted = {.rank = 3,
                                           .type = 7,
                                           .size = {30, 7, 5},
                                           .stride_bytes = {4, 144, 1440},
                                           .box = {8, 3, 4},
                                           .step = {1, 2, 3},
                                           .modes = {.swizzle = 32}};
    run.coordinates[0] = 25;
    run.coordinates[1] = 1;
    const uint32_t bytes = oracle_box(&wanted, 256, run.coordinates, 128, places);
    tensor_launch_at(
        &run,
        TO_SHARED "add.u64 %x6, %x1, 256; mov.u64 %x7, 144; mov.u64 %x8, 1440;\n" FIELD(
            "global_address", "b64", "%x6") FIELD("rank", "b32", "2")
            FIELD("elemtype", "b32", "7") FIELD("global_dim", "b32", "0, 30")
                FIELD("global_dim", "b32", "1, 7") FIELD("global_dim", "b32", "2, 5")
                    FIELD("global_stride", "b64", "0, %x7") FIELD(
                        "global_stride", "b64", "1, %x8") FIELD("box_dim", "b32", "0, 8")
                        FIELD("box_dim", "b32", "1, 3") FIELD("box_dim", "b32", "2, 4")
                            FIELD("element_stride", "b32", "1, 2") FIELD("element_stride",
                                                                         "b32", "2, 3")
                                FIELD("swizzle_mode", "b32", "1")
                                    FIELD("interleave_layout", "b32", "0")
                                        FIELD("fill_mode", "b32", "0") PUBLISH ACQUIRE ARM
        "@%p0 cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes"
        " [%s2], [%x2, {%c0, %c1, %c2}], [%s1];\n" WAIT DUMP,
        bytes, 128);
    tensor_expect_loaded(&run, places, "changed map");
}

// The numbers of tensormap.replace are others than a driver's from f32 on.
static void types_have_numbers_of_their_own(void **state)
{
    (void)state;
    static const uint8_t drivers[] = {0, 1, 2, 3, 4, 5, 6, 7, 10, 8, 9, 11, 12};
    for (uint32_t i = 0; i < sizeof drivers; i++) {
        struct run run;
        struct hone_tensor_map seen;
        uint64_t base;
        char body[2048];
        tensor_begin(&run);
        snprintf(body, sizeof body,
                 "%s@%%p0 tensormap.replace.tile.elemtype.shared::cta.b1024.b32 [%%s3], "
                 "%u;\n%s",
                 TO_SHARED, i, PUBLISH);
        tensor_launch(&run, body);
        if (run.fault.outcome != HONE_VALID) fail_msg("%s", run.fault.reason);
        assert_true(hone_map_unpack(run.out, &seen, &base));
        assert_int_equal(seen.type, drivers[i]);
        assert_int_equal(base, run.base);
    }
}

static void a_changed_map_that_breaks_a_rule_is_told_when_it_is_used(void **state)
{
    (void)state;
    struct run run;
    tensor_begin(&run);
    tensor_launch(&run, TO_SHARED FIELD("box_dim", "b32", "1, 300")
                            PUBLISH ACQUIRE LOAD("%x2", "%s0", "%s1"));
    assert_int_equal(run.fault.finding, HONE_FINDING_TENSOR_MAP);
    if (!strstr(run.fault.reason, "has a box of 300 in axis 2, from 1 to 256"))
        fail_msg("%s", run.fault.reason);
    tensor_begin(&run);
    tensor_launch(
        &run, "mov.u32 %s3, n; @%p0 st.shared.u32 [%s3], 5; " FIELD("rank", "b32", "1"));
    if (!strstr(run.fault.reason, "a tensor map that is to be changed, at 0x"))
        fail_msg("%s", run.fault.reason);
}

// The acquire is of the block, after the change, and of that map.
static void a_changed_map_wants_its_fence(void **state)
{
    (void)state;
#define CHANGE                                                                           \
    "mov.u32 %t6, 1024; mov.u32 %s2, %s0;\n" TO_SHARED FIELD("box_dim", "b32", "1, 8")   \
        PUBLISH
#define USE                                                                              \
    "@%p0 cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%x2, {%c0, %c1}], "     \
    "[%s2];\n"                                                                           \
    "@%p0 cp.async.bulk.commit_group; @%p0 cp.async.bulk.wait_group 0;\n"
    static const struct {
        const char *body;
        bool fine;
    } cases[] = {
        {CHANGE ACQUIRE USE, true},
        {CHANGE "@%p0 " ACQUIRE USE, true},
        {CHANGE USE, false},
        {"fence.proxy.tensormap::generic.acquire.gpu [%x2], 128;\n" CHANGE USE, false},
        {CHANGE "fence.proxy.tensormap::generic.acquire.gpu [%x1], 128;\n" USE, false},
        {CHANGE "fence.proxy.async;\n" USE, false},
        {CHANGE ACQUIRE PUBLISH USE, false},
    };
    for (size_t i = 0; i < 2 * (sizeof cases / sizeof *cases); i++) {
        struct run run;
        tensor_begin(&run);
        run.check = i % 2;
        tensor_launch(&run, cases[i / 2].body);
        const bool fine = cases[i / 2].fine || !run.check;
        if ((run.fault.outcome == HONE_VALID) != fine)
            fail_msg("%zu: %s", i / 2, run.fault.reason);
        if (fine) continue;
        assert_int_equal(run.fault.finding, HONE_FINDING_TENSOR_MAP);
        if (!strstr(run.fault.reason,
                    "a tensor map that block (0,0,0) changed at PTX line") ||
            !strstr(run.fault.reason, "is used without fence.proxy.tensormap::generic"))
            fail_msg("%s", run.fault.reason);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(what_a_copy_may_not_be_given_is_told),
    cmocka_unit_test(a_tensor_larger_than_its_buffer_is_told),
    cmocka_unit_test(a_box_that_no_block_holds_is_told),
    cmocka_unit_test(interleaved_maps_are_refused_not_guessed),
    cmocka_unit_test(forms_that_no_gpu_has_are_not_taken),
    cmocka_unit_test(a_map_is_made_anew_field_by_field),
    cmocka_unit_test(types_have_numbers_of_their_own),
    cmocka_unit_test(a_changed_map_wants_its_fence),
    cmocka_unit_test(a_changed_map_that_breaks_a_rule_is_told_when_it_is_used),
};
HONE_TEST_MAIN(tests)
