// What the default configurations of the project's own kernels do to memory, by the
// emulator's counts.
#include "kernels_frame.h"

static void sampled_gravity_is_within_its_tolerance(void **state)
{
    (void)state;
    CHECK({"kernels/nbody.lua", "", "emu:a100", 3, NO_TIME},
          {"kernels/nbody.lua", "SHARED=0", "emu:a100", 1, NO_TIME},
          {"kernels/nbody.lua", "LAYOUT=soa", "emu:a100", 2, NO_TIME},
          {"kernels/nbody.lua", "LAYOUT=soa SHARED=0 VEC=4", "emu:a100", 1, NO_TIME});
}

// --- what the default configurations do to memory, by the emulator's counts ---

static uint64_t default_index(const struct machine *m)
{
    const struct hone_value *defaults = hone_script_def(m->script)->defaults;
    uint16_t choices[32] = {0};
    uint64_t index = 0;
    for (size_t i = 0; i < hone_space_param_count(m->space); i++)
        assert_int_equal(hone_space_choice_of(m->space, i, defaults[i], &choices[i]),
                         HONE_OK);
    assert_int_equal(hone_space_index(m->space, choices, &index), HONE_OK);
    return index;
}

static void default_configurations_are_valid(void **state)
{
    (void)state;
    static const struct sample rows[] = {
        {"kernels/reduction.lua", "", "emu:a100", 0, 0},
        {"kernels/reduction.lua", "OP=argmax PARTS=512", "emu:h200", 0, 0},
        {"kernels/reduction.lua", "MODE=write TYPE=bf16", "emu:rtx4090", 0, 0},
        {"kernels/softmax.lua", "", "emu:a100", 0, 0},
        {"kernels/softmax.lua", "TYPE=f32", "emu:h200", 0, 0},
        {"kernels/softmax.lua", "cols=1", "emu:rtx4090", 0, 0},
        {"kernels/rmsnorm.lua", "", "emu:a100", 0, 0},
        {"kernels/rmsnorm.lua", "TYPE=f32 QUANT=row", "emu:h200", 0, 0},
        {"kernels/layernorm.lua", "", "emu:a100", 0, 0},
        {"kernels/layernorm.lua", "TYPE=f32 QUANT=row", "emu:h200", 0, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct machine m;
        open_machine(&m, &rows[i]);
        default_index(&m);
        close_machine(&m);
    }
}

struct counts {
    double wavefronts, sectors, loads;
};

static double metric_or_none(const struct hone_trial *trial, const char *name)
{
    for (size_t i = 0; i < trial->metric_count; i++)
        if (strcmp(trial->metrics[i].name, name) == 0) return trial->metrics[i].value;
    return 0;
}

static double metric(const struct hone_trial *trial, const char *name)
{
    const double value = metric_or_none(trial, name);
    if (!(value > 0)) fail_msg("no metric %s", name);
    return value;
}

static struct hone_trial predict_default(const struct sample *what)
{
    struct machine m;
    struct hone_error err = {0};
    struct hone_trial trial;
    size_t count = 0;
    open_machine(&m, what);
    const struct hone_evaluator_fns *fns = m.evaluator->fns;
    assert_ok(fns->submit(m.evaluator, default_index(&m), &err), err);
    assert_ok(fns->wait(m.evaluator, &trial, 1, &count, &err), err);
    assert_int_equal(trial.outcome, HONE_VALID);
    close_machine(&m);
    return trial;
}

// Of a block of the default configuration.
static struct counts count_default(const struct sample *what)
{
    const struct hone_trial trial = predict_default(what);
    return (struct counts){metric(&trial, "shared_wavefronts"),
                           metric(&trial, "global_sectors"),
                           metric(&trial, "global_per_block")};
}

// What a tile along k costs: the difference between two depths.
static void default_tiles_are_moved_by_16_bytes_without_bank_conflicts(void **state)
{
    (void)state;
    enum { FLAGS = HONE_EVALUATE_NO_VERIFY };
    static const struct {
        struct sample shallow, deep;
        struct counts tile;
    } rows[] = {
        // 4 tiles of 32: 16384 bytes each in 128 wavefronts and 512 sectors, by cp.async,
        // and 2 steps of 4 warps that each load 8 times 4 matrices of 128 bytes.
        {{"kernels/gemm_mma.lua", "M=512 N=512 K=128", "emu:a100", 1, FLAGS},
         {"kernels/gemm_mma.lua", "M=512 N=512 K=256", "emu:a100", 1, FLAGS},
         {4 * (128 + 2 * 4 * 8 * 4), 4 * 512, 0}},
        {{"kernels/gemm_mma.lua", "M=512 N=512 K=128 TRANS_A=true TRANS_B=false",
          "emu:a100", 1, FLAGS},
         {"kernels/gemm_mma.lua", "M=512 N=512 K=256 TRANS_A=true TRANS_B=false",
          "emu:a100", 1, FLAGS},
         {4 * (128 + 2 * 4 * 8 * 4), 4 * 512, 0}},
        // One tile of 8: 2 loads of 16 bytes by each of 8 warps; they store 4 times 128
        // bytes of A and 512 of B, and in 8 steps load 4 times 512.
        {{"kernels/sgemm.lua", "M=512 N=512 K=128", "emu:a100", 1, FLAGS},
         {"kernels/sgemm.lua", "M=512 N=512 K=136", "emu:a100", 1, FLAGS},
         {8 * (4 + 4 + 8 * 4 * 4), 256, 8 * 2}},
        // The same in double: 3 loads of 16 bytes by each of 8 warps; they store 4 times
        // 256 bytes of A and 512 of B, and in 8 steps load 4 times 512 of A and twice of B.
        {{"kernels/sgemm.lua", "TYPE=f64 M=512 N=512 K=128", "emu:a100", 1, FLAGS},
         {"kernels/sgemm.lua", "TYPE=f64 M=512 N=512 K=136", "emu:a100", 1, FLAGS},
         {8 * (4 * 2 + 4 + 8 * 6 * 4), 384, 8 * 3}},
        // A tile of 32 keys: 16384 bytes of K and V; 4 warps read 8 steps of 2 pieces of
        // 16 queries and 2 of 16 keys, and 2 steps of 8 pieces of values.
        {{"kernels/attention.lua", "CAUSAL=false BATCH=1 SEQ_Q=512 SEQ_K=256", "emu:a100",
          1, FLAGS},
         {"kernels/attention.lua", "CAUSAL=false BATCH=1 SEQ_Q=512 SEQ_K=288", "emu:a100",
          1, FLAGS},
         {128 + 4 * 4 * (8 * (2 + 2) + 2 * 8), 512, 0}},
        // 8 tiles of 16 keys; queries are in registers, and a group's heads one piece.
        {{"kernels/attention_decode.lua", "PAGE=0 BATCH=4 MORE=512 SPLITS=4", "emu:a100",
          1, FLAGS},
         {"kernels/attention_decode.lua", "PAGE=0 BATCH=4 MORE=1024 SPLITS=4", "emu:a100",
          1, FLAGS},
         {8 * (64 + 4 * (8 + 8)), 8 * 256, 0}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct counts a = count_default(&rows[i].shallow);
        const struct counts b = count_default(&rows[i].deep);
        assert_int_equal(b.wavefronts - a.wavefronts, rows[i].tile.wavefronts);
        assert_int_equal(b.sectors - a.sectors, rows[i].tile.sectors);
        assert_int_equal(b.loads - a.loads, rows[i].tile.loads);
    }
}

// What a block of the default configuration asks for: bytes a lane of each request to
// global memory, the bytes of the sectors these touch beside those asked for, and
// wavefronts that bank conflicts add.
struct access {
    const char *script, *settings;
    double least_bytes, most_sectors, most_conflicts;
};

static void check_access(const struct access *row)
{
    const struct sample what = {row->script, row->settings, "emu:a100", 1,
                                HONE_EVALUATE_NO_VERIFY};
    const struct hone_trial trial = predict_default(&what);
    const double asked = metric(&trial, "load_bytes") + metric(&trial, "store_bytes");
    const double requests = metric_or_none(&trial, "global_per_block") +
                            metric_or_none(&trial, "async_per_block");
    const double bytes = asked / 32 / requests;
    const double sectors = 32 * metric(&trial, "global_sectors") / asked;
    const double conflicts = metric_or_none(&trial, "bank_conflicts");
    if (bytes < row->least_bytes || sectors > row->most_sectors ||
        conflicts > row->most_conflicts)
        fail_msg("%s %s: %.3f bytes a lane, %.4f sectors, %.0f conflicts", row->script,
                 row->settings, bytes, sectors, conflicts);
}

// docs/verification.md has the table, and why some are as they are.
static void default_products_access_memory_by_16_bytes(void **state)
{
    (void)state;
    static const struct access rows[] = {
        {"kernels/sgemm.lua", "M=512 N=512 K=64", 16, 1, 0},
        {"kernels/sgemm.lua", "TYPE=f64 M=512 N=512 K=64", 16, 1, 0},
        {"kernels/gemm_mma.lua", "M=512 N=512 K=512", 16, 1, 32},
        {"kernels/gemm_batched.lua", "BATCH=4", 16, 1, 32},
        {"kernels/gemm_batched.lua", "BATCH=4 POINTERS=true", 15.5, 1, 32},
        {"kernels/gemm_grouped.lua", "N=1024 K=1024 GROUPS=1 UNIT=1024", 15.8, 1.001, 64},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_access(&rows[i]);
}

static void default_configurations_meet_in_no_bank(void **state)
{
    (void)state;
    static const struct access rows[] = {
        {"kernels/gemm_w4a16.lua", "ZEROS=true N=1024 K=1024", 15.3, 1.001, 0},
        {"kernels/w4_shuffle.lua", "N=1024 K=1024", 16, 1, 0},
        {"kernels/attention.lua", "CAUSAL=false BATCH=1 SEQ_Q=512 SEQ_K=512", 15.6, 1.001,
         0},
        // the mean of tiles of 128 to 512 keys, which share what lanes do for outputs
        {"kernels/attention.lua", "BATCH=1 SEQ_Q=512 SEQ_K=512", 15.4, 1.001, 0},
        {"kernels/attention_decode.lua", "BATCH=4 MORE=1024 SPLITS=4", 15.1, 1.05, 0},
        {"kernels/softmax.lua", "rows=512", 15.8, 1, 0},
        {"kernels/rmsnorm.lua", "rows=512", 16, 1, 0},
        {"kernels/layernorm.lua", "rows=512", 16, 1, 0},
        {"kernels/reduction.lua", "N=3538944", 15.7, 1.01, 0},
        {"kernels/transpose.lua", "M=1024 N=1024", 16, 1, 0},
        {"kernels/convolution.lua", "width=1024 height=1024", 3, 1.22, 0},
        {"kernels/stencil.lua", "width=1024 height=1024", 2.8, 1.34, 0},
        {"kernels/nbody.lua", "N=8192", 14, 1.12, 0},
        {"kernels/nbody.lua", "LAYOUT=soa N=8192", 4, 1, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_access(&rows[i]);
}

// A block reads and writes its tile once: 16 bytes an access, 128 a wavefront of shared
// memory, 32 a sector.
static void default_transpositions_move_16_bytes_without_bank_conflicts(void **state)
{
    (void)state;
    enum { FLAGS = HONE_EVALUATE_NO_VERIFY };
    static const struct {
        struct sample sample;
        double in_bytes, out_bytes;
    } rows[] = {
        {{"kernels/transpose.lua", "", "emu:a100", 1, FLAGS}, 16384, 16384},
        {{"kernels/transpose.lua", "TYPE=bf16", "emu:a100", 1, FLAGS}, 32768, 32768},
        {{"kernels/transpose.lua", "OUT=bf16", "emu:a100", 1, FLAGS}, 32768, 16384},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct counts block = count_default(&rows[i].sample);
        const double bytes = rows[i].in_bytes + rows[i].out_bytes;
        assert_int_equal(block.wavefronts, 2 * rows[i].out_bytes / 128);
        assert_int_equal(block.sectors, bytes / 32);
        assert_int_equal(block.loads, bytes / (32 * 16));
    }
}

// Of a block: a row of bf16 in and one out, and weights, each in whole sectors, by one
// request a warp for 512 bytes; a store and a load of shared memory a warp, in passes of
// 128 bytes.
static void default_rows_are_moved_by_16_bytes_without_bank_conflicts(void **state)
{
    (void)state;
    enum { FLAGS = HONE_EVALUATE_NO_VERIFY };
    static const struct {
        struct sample what;
        struct counts block;
    } rows[] = {
        // 16 warps load 8 times each, thrice beyond the row.
        {{"kernels/softmax.lua", "rows=512", "emu:a100", 1, FLAGS},
         {16 + 2 * 16, 2 * 2000, 128 + 125}},
        {{"kernels/rmsnorm.lua", "rows=512", "emu:a100", 1, FLAGS},
         {8 + 8, 3 * 256, 3 * 16}},
        // Two tiles of 4096 floats for each of 432 blocks, and an atomic addition.
        {{"kernels/reduction.lua", "N=3538944", "emu:a100", 1, FLAGS},
         {8 + 8, 2 * 512 + 1, 2 * 32}},
        {{"kernels/layernorm.lua", "rows=512", "emu:a100", 1, FLAGS},
         {3 * (8 + 8), 4 * 256, 4 * 16}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct counts c = count_default(&rows[i].what);
        assert_int_equal(c.wavefronts, rows[i].block.wavefronts);
        assert_int_equal(c.sectors, rows[i].block.sectors);
        assert_int_equal(c.loads, rows[i].block.loads);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(default_configurations_are_valid),
    cmocka_unit_test(sampled_gravity_is_within_its_tolerance),
    cmocka_unit_test(default_tiles_are_moved_by_16_bytes_without_bank_conflicts),
    cmocka_unit_test(default_products_access_memory_by_16_bytes),
    cmocka_unit_test(default_configurations_meet_in_no_bank),
    cmocka_unit_test(default_transpositions_move_16_bytes_without_bank_conflicts),
    cmocka_unit_test(default_rows_are_moved_by_16_bytes_without_bank_conflicts),
};
HONE_TEST_MAIN(tests)
