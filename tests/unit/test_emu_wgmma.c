// wgmma of every type and N against a product written out. Matrices are laid out in shared
// memory element by element, as the tables of the manual say (emu_wgmma.h); values are
// small whole numbers, so that every type holds them and every sum is exact.
#include "emu_wgmma_frame.h"

static const struct way ways[] = {
    {.copies = HONE_EMU_COPY_EAGER},
    {.copies = HONE_EMU_COPY_LAZY},
    {.copies = HONE_EMU_COPY_RANDOM},
    {.copies = HONE_EMU_COPY_EAGER, .base = true},
    {.copies = HONE_EMU_COPY_LAZY, .reversed = true},
    {.copies = HONE_EMU_COPY_EAGER, .lanes = true},
    {.copies = HONE_EMU_COPY_EAGER, .own_places = true},
    {.copies = HONE_EMU_COPY_EAGER, .check = true},
    {.copies = HONE_EMU_COPY_LAZY, .check = true},
};

// ---- what is right ----

static void every_type_multiplies_from_shared_memory_and_registers(void **state)
{
    (void)state;
    static const struct wgmma_shape shapes[] = {
        {"f32", &bf16, &bf16, 16, 16},       {"f32", &f16, &f16, 24, 16},
        {"f16", &f16, &f16, 16, 16},         {"f32", &tf32, &tf32, 16, 8},
        {"f32", &e4m3, &e4m3, 16, 32},       {"f32", &e4m3, &e5m2, 8, 32},
        {"f32", &e5m2, &e4m3, 16, 32},       {"f32", &e5m2, &e5m2, 16, 32},
        {"f16", &e4m3, &e4m3, 16, 32},       {"f16", &e4m3, &e5m2, 16, 32},
        {"f16", &e5m2, &e4m3, 16, 32},       {"f16", &e5m2, &e5m2, 16, 32},
        {"s32", &s8, &s8, 16, 32},           {"s32", &s8, &u8, 16, 32},
        {"s32", &u8, &s8, 24, 32},           {"s32", &u8, &u8, 16, 32},
        {"satfinite.s32", &s8, &s8, 16, 32}, {"s32", &b1, &b1, 16, 256},
    };
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++)
        for (int fragments = 0; fragments < 2; fragments++) {
            struct problem *p = problem_of(&shapes[k], 0, 128, false, false);
            p->run.fragments = fragments;
            check(p, &usual);
            free(p);
        }
}

static void every_way_of_emulation_gives_the_same(void **state)
{
    (void)state;
    static const struct wgmma_shape shapes[] = {{"f32", &bf16, &bf16, 64, 16},
                                                {"f16", &f16, &f16, 8, 16},
                                                {"s32", &s8, &s8, 32, 32}};
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++)
        for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
            struct problem *p = problem_of(&shapes[k], 128, 64, false, false);
            p->run.fragments = w % 2;
            check(p, &ways[w]);
            free(p);
        }
}

static void sparse_rows_multiply_in_every_type_layout_and_way(void **state)
{
    (void)state;
    static const struct wgmma_shape shapes[] = {
        {"f32", &bf16, &bf16, 16, 32}, {"f32", &f16, &f16, 256, 32},
        {"f16", &f16, &f16, 24, 32},   {"f32", &tf32, &tf32, 16, 16},
        {"f32", &e4m3, &e5m2, 16, 64}, {"f16", &e5m2, &e4m3, 8, 64},
        {"s32", &s8, &u8, 32, 64},     {"satfinite.s32", &u8, &s8, 16, 64},
    };
    static const int swizzles[] = {0, 32, 64, 128};
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++)
        for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
            const bool half = shapes[k].a->bits == 16, mn_b = half && w % 2;
            const int swizzle = swizzles[(w / 2 + 2) % 4]; // of rows of 64 bytes
            struct problem *p = problem_of(&shapes[k], swizzles[w % 4],
                                           swizzle == 32 && !mn_b ? 128 : swizzle,
                                           half && w % 3 == 1, mn_b);
            p->run.fragments = w % 2;
            p->run.selector = shapes[k].a->bits == 8 ? 0 : w / 2 % 2;
            check(p, &ways[w]);
            free(p);
        }
}

static void sparse_forms_are_those_of_the_assembler(void **state)
{
    (void)state;
    static const struct {
        struct wgmma_shape shape;
        bool sparse;
        int selector;
    } wrong[] = {
        {{"s32", &s8, &s8, 16, 64}, true, 1},
        {{"f32", &bf16, &bf16, 16, 32}, true, 2},
        {{"f32", &bf16, &bf16, 16, 16}, true, 0},
        {{"s32", &b1, &b1, 16, 512}, true, 0},
        {{"s32", &s8, &s8, 40, 64}, true, 0},
        {{"f32", &bf16, &bf16, 16, 32}, false, 0},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        struct wgmma_run *run = calloc(1, sizeof *run);
        struct text *text = calloc(1, sizeof *text);
        struct emu emu;
        run->shape = &wrong[k].shape;
        run->sparse = wrong[k].sparse;
        run->sign_a = run->sign_b = 1;
        run->selector = wrong[k].selector;
        put_kernel(text, run);
        emu_open(&emu);
        if (emu_load(&emu, text->of, "k")) fail_msg("form %zu is taken", k);
        emu_close(&emu);
        free(text);
        free(run);
    }
}

static void every_layout_is_read_as_the_tables_say(void **state)
{
    (void)state;
    static const int swizzles[] = {0, 32, 64, 128};
    static const struct wgmma_shape bf = {"f32", &bf16, &bf16, 136, 16};
    static const struct wgmma_shape bytes = {"s32", &s8, &u8, 144, 32};
    for (size_t a = 0; a < 4; a++)
        for (size_t b = 0; b < 4; b++)
            for (int mn = 0; mn < 4; mn++) {
                struct problem *p =
                    problem_of(&bf, swizzles[a], swizzles[b], mn & 1, mn >> 1);
                check(p, &usual);
                free(p);
                if (mn) continue;
                p = problem_of(&bytes, swizzles[a], swizzles[b], false, false);
                check(p, &usual);
                free(p);
            }
}

// A tile of 128 bytes along K has four products, each 32 bytes on.
static void a_start_may_lie_inside_a_swizzled_row(void **state)
{
    (void)state;
    static const int swizzles[] = {64, 128};
    static const struct wgmma_shape bf = {"f32", &bf16, &bf16, 64, 16};
    for (size_t s = 0; s < 2; s++)
        for (int step = 0; step < swizzles[s]; step += 32) {
            struct problem *p = problem_of(&bf, swizzles[s], swizzles[s], false, false);
            p->a.start += step;
            p->b.start += step;
            check(p, &usual);
            free(p);
        }
}

static void every_n_has_its_columns(void **state)
{
    (void)state;
    for (int n = 8; n <= 256; n += 8) {
        const struct wgmma_shape bf = {"f32", &bf16, &bf16, n, 16};
        const struct wgmma_shape half = {"f16", &f16, &f16, n, 16};
        const struct wgmma_shape bytes = {"s32", &u8, &s8, n, 32};
        struct problem *p = problem_of(n % 16 ? &half : &bf, 128, 128, false, n % 3 == 0);
        check(p, &usual);
        free(p);
        if (n > 24 && n % 16) continue;
        p = problem_of(&bytes, 64, 32, false, false);
        check(p, &usual);
        free(p);
    }
}

static void signs_and_scale_d_are_minded(void **state)
{
    (void)state;
    static const struct wgmma_shape bf = {"f32", &bf16, &bf16, 8, 16};
    for (int k = 0; k < 8; k++) {
        struct problem *p = problem_of(&bf, 128, 128, false, false);
        p->run.sign_a = k & 1 ? -1 : 1;
        p->run.sign_b = k & 2 ? -1 : 1;
        p->run.adds = k & 4;
        check(p, &usual);
        free(p);
    }
}

static void swapped_offsets_read_something_else(void **state)
{
    (void)state;
    static const struct wgmma_shape bf = {"f32", &bf16, &bf16, 64, 16};
    for (int mn = 0; mn < 2; mn++) {
        struct problem *p = problem_of(&bf, 0, 0, false, mn);
        struct hone_fault fault;
        int row, column;
        lay_out(p);
        const struct wgmma_layout swapped = {.mn = mn,
                                             .start = p->b.start,
                                             .leading = p->b.stride,
                                             .stride = p->b.leading};
        p->run.b = wgmma_descriptor(&swapped);
        assert_true(wgmma_try(&p->run, &usual, &fault));
        assert_true(count_wrong(p, &row, &column) > 100);
        free(p);
    }
}

// Sums that leave 32 bits go round, or stay at the end with .satfinite.
static void sums_of_integers_wrap_or_saturate(void **state)
{
    (void)state;
    static const struct wgmma_shape wraps = {"s32", &s8, &s8, 8, 32},
                                    ends = {"satfinite.s32", &s8, &s8, 8, 32};
    for (int saturated = 0; saturated < 2; saturated++) {
        struct problem *p = problem_of(saturated ? &ends : &wraps, 0, 0, false, false);
        struct hone_fault fault;
        for (int k = 0; k < 32; k++)
            p->x[0][k] = p->y[0][k] = 3;
        lay_out(p);
        put_d(&p->run, 0, 0, 0x7fffffff);
        assert_true(wgmma_try(&p->run, &usual, &fault));
        assert_int_equal(d_bits(&p->run, 0, 0),
                         saturated ? 0x7fffffff : 0x7fffffffU + 288);
        free(p);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_type_multiplies_from_shared_memory_and_registers),
    cmocka_unit_test(every_way_of_emulation_gives_the_same),
    cmocka_unit_test(sparse_rows_multiply_in_every_type_layout_and_way),
    cmocka_unit_test(sparse_forms_are_those_of_the_assembler),
    cmocka_unit_test(every_layout_is_read_as_the_tables_say),
    cmocka_unit_test(a_start_may_lie_inside_a_swizzled_row),
    cmocka_unit_test(every_n_has_its_columns),
    cmocka_unit_test(signs_and_scale_d_are_minded),
    cmocka_unit_test(swapped_offsets_read_something_else),
    cmocka_unit_test(sums_of_integers_wrap_or_saturate),
};

HONE_TEST_MAIN(tests)
