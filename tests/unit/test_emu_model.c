// What the prediction counts, on accesses whose cost is known by hand, and which way it
// moves.
#include "emu_model_frame.h"

static double metric_of(const char *body, const char *name)
{
    struct hone_timing timing = predict(body, 1, 32);
    return find_metric(&timing, name);
}

static void check_metric(const char *body, const char *name, double expected)
{
    const double got = metric_of(body, name);
    if (fabs(got - expected) > 1e-9) fail_msg("%s: %s is %g", body, name, got);
}

static void check_wavefronts(const char *body, unsigned expected)
{
    assert_int_equal((int)metric_of(body, "shared_wavefronts"), (int)expected);
}

static void bank_conflicts_are_those_of_32_banks(void **state)
{
    (void)state;
    check_wavefronts("mad.lo.u32 %a1, %t, 4, %a0; ld.shared.u32 %a2, [%a1];", 1);
    check_wavefronts("ld.shared.u32 %a2, [%a0];", 1); // one word for all
    check_wavefronts("mad.lo.u32 %a1, %t, 8, %a0; ld.shared.u32 %a2, [%a1];", 2);
    check_wavefronts("mad.lo.u32 %a1, %t, 128, %a0; ld.shared.u32 %a2, [%a1];", 32);
    check_wavefronts("mad.lo.u32 %a1, %t, 132, %a0; ld.shared.u32 %a2, [%a1];",
                     1); // padded
    check_wavefronts("mad.lo.u32 %a1, %t, 8, %a0; st.shared.v2.u32 [%a1], {%t, %t};", 2);
    check_wavefronts("mad.lo.u32 %a1, %t, 16, %a0;\n"
                     "ld.shared.v4.f32 {%f0, %f1, %f2, %f3}, [%a1];",
                     4);
}

static void check_sectors(const char *body, unsigned expected)
{
    assert_int_equal((int)metric_of(body, "global_sectors"), (int)expected);
}

static void sectors_are_of_32_bytes(void **state)
{
    (void)state;
    check_sectors("mad.wide.u32 %y0, %t, 4, %x; ld.global.u32 %a1, [%y0];", 4);
    check_sectors("ld.global.u32 %a1, [%x];", 1);
    check_sectors("mad.wide.u32 %y0, %t, 32, %x; ld.global.u32 %a1, [%y0];", 32);
    check_sectors("mad.wide.u32 %y0, %t, 4, %x; ld.global.u32 %a1, [%y0+16];", 5);
    check_sectors("mad.wide.u32 %y0, %t, 16, %x;\n"
                  "ld.global.v4.f32 {%f0, %f1, %f2, %f3}, [%y0];",
                  16);
    // those that all lanes share are none too many, one more for bad alignment is
    check_metric("ld.global.u32 %a1, [%x];", "excess_sectors", 0);
    check_metric("mad.wide.u32 %y0, %t, 4, %x; ld.global.u32 %a1, [%y0+16];",
                 "excess_sectors", 1);
}

// Lanes 4 s bytes apart: s banks apart, s sectors' eighths, s lines' thirty-seconds.
static void strides_cost_what_they_must(void **state)
{
    (void)state;
    for (unsigned s = 1; s <= 64; s++) {
        char shared[160], global[160];
        unsigned together = s; // lanes of one bank: gcd(s, 32)
        for (unsigned b = 32; b;) {
            unsigned r = together % b;
            together = b;
            b = r;
        }
        snprintf(shared, sizeof shared,
                 "mad.lo.u32 %%a1, %%t, %u, %%a0; ld.shared.u32 %%a2, [%%a1];", 4 * s);
        snprintf(global, sizeof global,
                 "mad.wide.u32 %%y0, %%t, %u, %%x; ld.global.u32 %%a1, [%%y0];", 4 * s);
        check_metric(shared, "shared_wavefronts", together);
        check_metric(shared, "bank_conflicts", together - 1);
        check_metric(global, "global_sectors", s < 8 ? 4 * s : 32);
        check_metric(global, "excess_sectors", s < 8 ? 4 * s - 4 : 28);
        check_metric(global, "global_lines", s < 32 ? s : 32);
        check_metric(global, "load_bytes", 128);
    }
}

static void instructions_count_in_their_class(void **state)
{
    const char *body = "cvt.rn.f32.u32 %f0, %t; add.f32 %f1, %f0, %f0;\n"
                       "fma.rn.f32 %f2, %f1, %f1, %f0; mul.f32 %f3, %f2, %f1;\n"
                       "mad.lo.u32 %a1, %t, 4, %a0; st.shared.f32 [%a1], %f3;\n"
                       "bar.sync 0; ld.shared.f32 %f0, [%a1];\n"
                       "shfl.sync.bfly.b32 %a2, %a1, 1, 31, -1;\n"
                       "mul.wide.u32 %y0, %t, 4; add.s64 %y0, %y0, %x;\n"
                       "st.global.f32 [%y0], %f0; atom.global.add.u32 %a3, [%x], %a2;";
    (void)state;
    check_metric(body, "fp32_per_block", 3);
    check_metric(body, "int_per_block", 4 + 1); // the 64-bit addition is two, cvt
    check_metric(body, "shared_per_block", 2);
    check_metric(body, "global_per_block", 1);
    check_metric(body, "atomic_per_block", 1);
    check_metric(body, "warp_per_block", 1);
    check_metric(body, "barriers", 1);
    check_metric(body, "fp64_per_block", 0);
    check_metric(body, "tensor_per_block", 0);
    check_metric(body, "active_lanes", 32);
    check_metric(body, "divergent_share", 0);
    check_metric(body, "store_bytes", 128 + 128);
}

static double slots_of_body(const char *body)
{
    const struct hone_timing timing = predict(body, 1, 32);
    return find_metric(&timing, "issued_per_block");
}

// As ptxas 13.0 compiles each for sm_90a between loads and a store.
static void words_that_stay_as_they_are_cost_nothing(void **state)
{
    static const struct {
        const char *body;
        double slots;
    } cases[] = {{"cvt.u64.u32 %y0, %t;", 0},
                 {"cvt.u32.u64 %a1, %x;", 0},
                 {"cvt.s64.s32 %y0, %t;", 1},
                 {"or.b64 %y0, %x, 0x4000004000000000;", 1},
                 {"or.b64 %y0, %x, 0x4000004000000001;", 2},
                 {"xor.b64 %y0, 0x7fffffff, %x;", 1},
                 {"and.b64 %y0, %x, -16;", 1},
                 {"and.b64 %y0, %x, 255;", 2},
                 {"or.b64 %y0, %x, %x;", 2},
                 {"or.b32 %a1, %t, 0;", 1}};
    (void)state;
    const double others = slots_of_body(""); // the kernel's end
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const double slots = slots_of_body(cases[i].body) - others;
        if (slots != cases[i].slots)
            fail_msg("%s: %g slots, not %g", cases[i].body, slots, cases[i].slots);
    }
}

static void products_of_tensor_cores_count_by_their_inputs(void **state)
{
    (void)state;
    const char *bf16 = "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32\n"
                       "{%f0,%f1,%f2,%f3}, {%t,%t,%t,%t}, {%t,%t}, {%f0,%f1,%f2,%f3};";
    const char *tf32 = "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32\n"
                       "{%f0,%f1,%f2,%f3}, {%t,%t,%t,%t}, {%t,%t}, {%f0,%f1,%f2,%f3};";
    check_metric(bf16, "tensor_half_macs", 16 * 8 * 16);
    check_metric(bf16, "tensor_tf32_macs", 0);
    check_metric(tf32, "tensor_tf32_macs", 16 * 8 * 8);
    check_metric(tf32, "tensor_per_block", 1);
}

static struct hone_timing predict_product(const char *a, const char *sums)
{
    char body[512];
    snprintf(body, sizeof body,
             "mov.b64 %%y0, 0; wgmma.fence.sync.aligned;\n"
             "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%s}, %s, %%y0, 1, 1, "
             "1%s, 0;\nwgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;",
             sums, a, a[0] == '{' ? "" : ", 0");
    return predict(body, 1, 128);
}

// A product of 8 columns takes the tensor cores 4 cycles. Shared memory gives B in 2 and A,
// where that lies there, in 16.
static void products_of_warp_groups_count_once_for_four_warps(void **state)
{
    (void)state;
    const char *sums = "%f0,%f1,%f2,%f3";
    const struct hone_timing shared = predict_product("%y0", sums),
                             registers = predict_product("{%a0,%a1,%a2,%a3}", sums);
    assert_int_equal((int)find_metric(&shared, "tensor_half_macs"), 64 * 8 * 16);
    assert_int_equal((int)find_metric(&registers, "tensor_half_macs"), 64 * 8 * 16);
    assert_int_equal((int)find_metric(&shared, "tensor_group_cycles"), 4);
    assert_int_equal((int)find_metric(&registers, "tensor_group_cycles"), 4);
    assert_int_equal((int)find_metric(&shared, "tensor_shared_cycles"), 18);
    assert_int_equal((int)find_metric(&registers, "tensor_shared_cycles"), 2);
}

static void divergence_is_the_part_run_by_some_lanes(void **state)
{
    const char *body = ".reg .pred %p; setp.lt.u32 %p, %t, 16; @%p bra L;\n"
                       "add.u32 %a1, %t, 1; add.u32 %a1, %a1, 1; add.u32 %a1, %a1, 1;\n"
                       "L: add.u32 %a2, %a1, %a1;";
    (void)state;
    const double share = metric_of(body, "divergent_share");
    const double lanes = metric_of(body, "active_lanes");
    assert_true(share > 0.0 && share < 1.0);
    assert_true(fabs(lanes - (32 - 16 * share)) < 1e-9);
}

static void loads_in_flight_add_up_until_one_is_used(void **state)
{
    (void)state;
    const char *apart = "mad.wide.u32 %y0, %t, 4, %x;\n"
                        "ld.global.u32 %a1, [%y0]; ld.global.u32 %a2, [%y0+128];";
    const char *chain = "mad.wide.u32 %y0, %t, 4, %x; ld.global.u32 %a1, [%y0];\n"
                        "mad.wide.u32 %y1, %a1, 4, %x; ld.global.u32 %a2, [%y1+128];";
    const struct hone_timing one = predict(apart, 1, 32), two = predict(chain, 1, 32);
    const double blocks = find_metric(&one, "blocks_per_sm");
    assert_int_equal((int)find_metric(&one, "bytes_in_flight"), (int)(256 * blocks));
    assert_int_equal((int)find_metric(&two, "bytes_in_flight"), (int)(128 * blocks));
}

// ---- the path ----

static void a_chain_takes_longer_than_independent_work(void **state)
{
    double chain = metric_of("ld.global.u64 %y0, [%x]; add.u64 %y0, %y0, %x;\n"
                             "ld.global.u64 %y1, [%y0+4096]; add.u64 %y1, %y1, %x;",
                             "path_cycles");
    double apart = metric_of("ld.global.u64 %y0, [%x]; ld.global.u64 %y1, [%x+4096];\n"
                             "add.u64 %y0, %y0, %y1;",
                             "path_cycles");
    (void)state;
    assert_true(apart > 400 && chain > apart + 400);
}

// A load behind a branch over count instructions that another load decides.
static double behind_a_branch(int count)
{
    char body[2048];
    int used = snprintf(body, sizeof body,
                        ".reg .pred %%p0; ld.global.u32 %%a1, [%%x];\n"
                        "setp.eq.u32 %%p0, %%a1, 77;\n"
                        "@%%p0 bra OVER;\n");
    for (int k = 0; k < count; k++)
        used += snprintf(body + used, sizeof body - (size_t)used,
                         "add.u32 %%a2, %%t, %d;\n", k);
    snprintf(body + used, sizeof body - (size_t)used,
             "OVER:\nld.global.u32 %%a3, [%%x+4096]; add.u32 %%a3, %%a3, %%a1;");
    return metric_of(body, "path_cycles");
}

// ptxas makes predicates of a branch over a few instructions, and loads behind it begin.
static void a_short_way_round_ends_no_basic_block(void **state)
{
    (void)state;
    const double few = behind_a_branch(4), many = behind_a_branch(20);
    assert_true(few > 400 && many > few + 400);
}

// Copies in flight cost their latency once, at the wait, not at each copy.
static void copies_overlap_until_their_wait(void **state)
{
    double cycles =
        metric_of("mad.lo.u32 %a1, %t, 16, %a0; mad.wide.u32 %y0, %t, 16, %x;\n"
                  "cp.async.cg.shared.global [%a1], [%y0], 16; cp.async.commit_group;\n"
                  "cp.async.cg.shared.global [%a1+512], [%y0+512], 16;\n"
                  "cp.async.commit_group; cp.async.wait_group 0; bar.sync 0;",
                  "path_cycles");
    (void)state;
    assert_true(cycles > 479 && cycles < 2 * 479);
}

static struct hone_emu_counts some_counts(void)
{
    struct hone_emu_counts counts = {
        .issued = 10000, .load_sectors = 1000, .path_cycles = 5000};
    counts.by_class[HONE_EMU_FP32] = 8000;
    return counts;
}

static double time_of(const struct hone_emu_counts *counts, uint32_t grid, int occupancy,
                      const char *name)
{
    struct hone_gpu gpu;
    struct hone_emu_prediction prediction;
    const struct hone_emu_residency shape = {
        .grid = {grid, 1, 1},
        .blocks_per_sm = occupancy,
        .wave = {.blocks = 132.0 * occupancy, .unique_share = 1.0, .growth = 1.0}};
    assert_true(hone_gpu_find(&gpu, name));
    hone_emu_predict(&prediction, counts, &shape, &gpu);
    assert_true(isfinite(prediction.time_us) && prediction.time_us > 0);
    return prediction.time_us;
}

static void the_model_moves_the_right_way(void **state)
{
    struct hone_emu_counts counts = some_counts(), more = counts;
    (void)state;
    more.shared_wavefronts = 50000;
    assert_true(time_of(&more, 1000, 2, "h200") > time_of(&counts, 1000, 2, "h200"));
    assert_true(time_of(&counts, 2000, 2, "h200") > time_of(&counts, 1000, 2, "h200"));
    assert_true(time_of(&counts, 5000, 1, "h200") > time_of(&counts, 5000, 4, "h200"));
    assert_true(time_of(&counts, 5000, 2, "a4000") > time_of(&counts, 5000, 2, "h200"));
    // one block more than fits at once costs a wave
    double full = time_of(&counts, 132, 1, "h200"),
           tail = time_of(&counts, 133, 1, "h200");
    assert_true(tail > 1.5 * full);
}

static void more_work_is_never_faster(void **state)
{
    (void)state;
    for (size_t g = 0; hone_gpu_name(g); g++) {
        const char *name = hone_gpu_name(g);
        struct hone_emu_counts counts = some_counts(), more;
        double before = 0.0;
        for (uint32_t grid = 1; grid < 3000; grid += 7) {
            const double now = time_of(&counts, grid, 2, name);
            if (now < before * (1 - 1e-12)) fail_msg("%s: %u blocks", name, grid);
            before = now;
        }
        double *figures[] = {&more.issued,
                             &more.shared_wavefronts,
                             &more.global_sectors,
                             &more.load_sectors,
                             &more.store_sectors,
                             &more.path_cycles,
                             &more.by_class[HONE_EMU_FP32],
                             &more.by_class[HONE_EMU_INT],
                             &more.tensor_macs[HONE_TENSOR_HALF],
                             &more.group_cycles,
                             &more.group_shared};
        for (size_t k = 0; k < sizeof figures / sizeof *figures; k++) {
            more = counts;
            before = time_of(&counts, 1000, 2, name);
            for (int step = 0; step < 24; step++) {
                *figures[k] = *figures[k] * 2 + 10;
                more.shared_cycles_half = more.shared_wavefronts;
                const double now = time_of(&more, 1000, 2, name);
                assert_true(now >= before);
                before = now;
            }
            assert_true(before > 2 * time_of(&counts, 1000, 2, name));
        }
    }
}

// Alone a block takes its pipe and its path, one after the other; many hide the path.
static void more_resident_blocks_hide_the_path(void **state)
{
    (void)state;
    struct hone_emu_counts counts = some_counts();
    counts.load_sectors = 0;
    double before = HUGE_VAL;
    for (int occupancy = 1; occupancy <= 32; occupancy++) {
        const double now = time_of(&counts, 132 * 32 * 27, occupancy, "h200");
        assert_true(now < before * 1.08); // waves of 5 blocks do not divide 32
        if (now < before) before = now;
    }
    struct hone_emu_counts no_path = counts;
    no_path.path_cycles = 0;
    assert_true(before < 1.1 * time_of(&no_path, 132 * 32 * 27, 32, "h200"));
}

// Dense peaks of the data sheets, TFLOPS of f16 summed in fp32.
static void tensor_rates_are_those_of_the_data_sheets(void **state)
{
    (void)state;
    const struct {
        const char *gpu;
        double teraflops;
    } peaks[] = {{"a100", 312},       {"a30", 165},         {"a6000", 154.8},
                 {"l4", 121},         {"l40s", 362},        {"rtx4090", 165.2},
                 {"rtx3090", 71},     {"a10", 125},         {"a4000", 76.7},
                 {"rtx2080ti", 53.8}, {"titan-rtx", 130.5}, {"rtx5090", 209.5}};
    for (size_t i = 0; i < sizeof peaks / sizeof *peaks; i++) {
        struct hone_gpu gpu;
        assert_true(hone_gpu_find(&gpu, peaks[i].gpu));
        const double flops = 2.0 * gpu.rates.tensor_per_cycle[HONE_TENSOR_HALF] *
                             (double)gpu.limits.sm_count *
                             (double)gpu.limits.sm_clock_khz * 1e3;
        const double ratio = flops / 1e12 / peaks[i].teraflops;
        if (ratio < 0.95 || ratio > 1.05) fail_msg("%s: %g", peaks[i].gpu, ratio);
    }
}

// 989 TFLOP/s at 1.83 GHz, which is 1070 at the clock of the table.
static void wgmma_reaches_the_peak_that_mma_does_not(void **state)
{
    (void)state;
    const double products = 1e5, macs = 64.0 * 256 * 16 * products;
    const struct hone_emu_counts group = {.group_cycles = products * 128},
                                 warps = {.tensor_macs = {[HONE_TENSOR_HALF] = macs}};
    const double peak = 2 * macs * 1320 / time_of(&group, 1320, 1, "h100") / 1e6;
    if (peak < 1050 || peak > 1090) fail_msg("%g TFLOP/s", peak);
    const double ratio =
        time_of(&group, 1320, 1, "h100") / time_of(&warps, 1320, 1, "h100");
    if (ratio < 0.6 || ratio > 0.66) fail_msg("%g", ratio);
}

static void every_gpu_has_sane_figures(void **state)
{
    (void)state;
    for (size_t i = 0; hone_gpu_name(i); i++) {
        struct hone_gpu gpu;
        assert_true(hone_gpu_find(&gpu, hone_gpu_name(i)));
        const struct hone_gpu_rates *r = &gpu.rates;
        assert_true(r->l1_latency > 0 && r->l1_latency < r->l2_latency &&
                    r->l2_latency < r->dram_latency);
        assert_true(r->fp32_int_per_cycle >= r->fp32_per_cycle);
        assert_true(r->fp32_per_cycle >= r->fp64_per_cycle && r->fp64_per_cycle > 0);
        assert_true(gpu.limits.max_shared_bytes + gpu.limits.reserved_shared_bytes ==
                    gpu.limits.shared_bytes_per_sm);
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(hone_gpu_name(k), hone_gpu_name(i));
    }
}

// 100 instructions of the PTX, each executed 3 times by each of 4 warps: 24 words a thread
// are 24 * 12 accesses of a warp, of 128 bytes.
static void spills_cost_as_often_as_the_mean_instruction(void **state)
{
    (void)state;
    struct hone_gpu gpu;
    assert_true(hone_gpu_find(&gpu, "a100"));
    const struct hone_emu_residency shape = {.grid = {1000, 1, 1},
                                             .warps_per_block = 4,
                                             .blocks_per_sm = 8,
                                             .wave = {.blocks = 864, .unique_share = 1}};
    const struct hone_emu_counts plain = {.issued = 1200, .executed = 1200};
    struct hone_resources none = HONE_RESOURCES_UNKNOWN, some = none;
    struct hone_emu_counts counts = plain;
    struct hone_emu_prediction without, with;
    hone_emu_add_spills(&counts, &none, 0, 100, &shape, &gpu.limits);
    assert_memory_equal(&counts, &plain, sizeof plain);
    hone_emu_predict(&without, &counts, &shape, &gpu);
    some.spill_store_bytes = 32;
    some.spill_load_bytes = 64;
    hone_emu_add_spills(&counts, &some, 0, 100, &shape, &gpu.limits);
    assert_true(fabs(counts.spill_requests - 24 * 12) < 1e-9);
    assert_true(counts.spill_bytes == 0); // 32 KB of all threads are in L1
    hone_emu_predict(&with, &counts, &shape, &gpu);
    assert_true(fabs(with.memory_cycles - without.memory_cycles - 288) < 1e-9);
    assert_true(fabs(with.issue_cycles - without.issue_cycles - 72) < 1e-9);
    assert_true(with.time_us > without.time_us);
    // Shared memory leaves 28 KB of L1, of 32 that are spilled.
    counts = plain;
    hone_emu_add_spills(&counts, &some, (double)gpu.limits.shared_bytes_per_sm / 8, 100,
                        &shape, &gpu.limits);
    assert_true(fabs(counts.spill_bytes - 288 * 128 / 8.0) < 1e-6);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(bank_conflicts_are_those_of_32_banks),
    cmocka_unit_test(sectors_are_of_32_bytes),
    cmocka_unit_test(strides_cost_what_they_must),
    cmocka_unit_test(instructions_count_in_their_class),
    cmocka_unit_test(words_that_stay_as_they_are_cost_nothing),
    cmocka_unit_test(products_of_tensor_cores_count_by_their_inputs),
    cmocka_unit_test(products_of_warp_groups_count_once_for_four_warps),
    cmocka_unit_test(divergence_is_the_part_run_by_some_lanes),
    cmocka_unit_test(loads_in_flight_add_up_until_one_is_used),
    cmocka_unit_test(a_chain_takes_longer_than_independent_work),
    cmocka_unit_test(copies_overlap_until_their_wait),
    cmocka_unit_test(a_short_way_round_ends_no_basic_block),
    cmocka_unit_test(spills_cost_as_often_as_the_mean_instruction),
    cmocka_unit_test(the_model_moves_the_right_way),
    cmocka_unit_test(more_work_is_never_faster),
    cmocka_unit_test(more_resident_blocks_hide_the_path),
    cmocka_unit_test(tensor_rates_are_those_of_the_data_sheets),
    cmocka_unit_test(wgmma_reaches_the_peak_that_mma_does_not),
    cmocka_unit_test(every_gpu_has_sane_figures),
};

HONE_TEST_MAIN(tests)
