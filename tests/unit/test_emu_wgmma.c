// wgmma of every type and N against a product written out. Matrices are laid out in shared
// memory element by element, as the tables of the manual say (emu_wgmma.h); values are
// small whole numbers, so that every type holds them and every sum is exact.
#include <stdlib.h>

#include "emu_wgmma.h"

static const struct wgmma_type f16 = {"f16", 16, 5, 10}, bf16 = {"bf16", 16, 8, 7},
                               tf32 = {"tf32", 32, 8, 10}, e4m3 = {"e4m3", 8, 4, 3},
                               e5m2 = {"e5m2", 8, 5, 2}, s8 = {"s8", 8, 0, 0},
                               u8 = {"u8", 8, 0, 0}, b1 = {"b1", 1, 0, 0},
                               f32 = {"f32", 0, 8, 23};

static const struct way usual = {.copies = HONE_EMU_COPY_EAGER};
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

struct problem {
    struct wgmma_run run;
    struct wgmma_layout a, b;
    int x[64][256], y[256][256], c[64][256]; // A by row and k, B by column and k
    int there[64][32], places[64][16];       // of a sparse A; and its chunks' metadata
};

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525 + 1013904223;
    return *state >> 16;
}

static int small(const struct wgmma_type *type, uint32_t random)
{
    if (type->bits == 1) return (int)(random & 1);
    return type == &u8 ? (int)(random % 4) : (int)(random % 7) - 3;
}

static void put_element(uint8_t *image, const struct wgmma_layout *layout,
                        const struct wgmma_type *type, int r, int k, int value)
{
    const uint32_t bits = wgmma_bits(type, value);
    if (type->bits == 1) {
        image[wgmma_place(layout, r, k / 8, 1)] |= (uint8_t)(bits << k % 8);
        return;
    }
    memcpy(image + wgmma_place(layout, r, k, type->bits / 8), &bits,
           (size_t)type->bits / 8);
}

// Of a chunk of A some elements are there: of four two, of two tf32 one, whose places are
// told as those of its halves. The others are zeros.
static void thin_out(struct problem *p, const struct wgmma_shape *shape, uint32_t *state)
{
    const int size = shape->a->bits == 32 ? 2 : 4;
    for (int r = 0; r < 64; r++)
        for (int chunk = 0; chunk < shape->k / size; chunk++) {
            int *x = &p->x[r][chunk * size], *there = &p->there[r][chunk * size / 2];
            const int first = (int)(next_random(state) % (uint32_t)(size - 1));
            const int second =
                first + 1 + (int)(next_random(state) % (uint32_t)(size - 1 - first));
            const int only = (int)(next_random(state) % 2);
            for (int k = 0; k < size; k++)
                if (size == 2 ? k != only : k != first && k != second) x[k] = 0;
            there[0] = x[size == 2 ? only : first];
            if (size == 4) there[1] = x[second];
            p->places[r][chunk] = size == 4 ? first | second << 2 : only ? 14 : 4;
        }
}

// Metadata as the layouts of its tables say, bit by bit: which row and which k a lane's bit
// v is of. Lanes that the selector leaves out have rubbish.
static void put_metadata(struct wgmma_run *run, const struct problem *p)
{
    const int k_all = run->shape->k, bits = run->shape->a->bits;
    const int per_k = bits == 32 ? 2 : 1; // bits that an element has
    for (int thread = 0; thread < GROUP; thread++) {
        const int i0 = thread % 2, i1 = thread / 2 % 2, row = thread % 32 / 4;
        uint32_t word = 0;
        for (int v = 0; v < 32; v++) {
            const int m = thread / 32 * 16 + row + 8 * (bits == 8 ? i0 : v / 16);
            const int k = bits == 8 ? 32 * i1 + v : k_all / 2 * i0 + v % 16 / per_k;
            const int at = k * per_k + v % per_k;
            word |= (uint32_t)(p->places[m][at / 4] >> at % 4 & 1) << v;
        }
        run->a_regs[4][thread] = bits == 8 || i1 == run->selector ? word : 0x5a5a1234;
    }
}

// The register and the lanes' shift that have element (row, k) of A: a register holds 32
// bits, of row lane / 4 (+ 8 in odd registers), four lanes 128 bits of it.
static void put_fragment(struct wgmma_run *run, const struct wgmma_type *type, int row,
                         int k, int value)
{
    const int bit = k * type->bits, warp = row / 16;
    const int reg = bit / 128 * 2 + row % 16 / 8;
    const int lane = row % 8 * 4 + bit % 128 / 32;
    run->a_regs[reg][warp * 32 + lane] |= wgmma_bits(type, value) << bit % 32;
}

// Element (row, column) of D: where it is, and its bits.
static uint32_t d_bits(const struct wgmma_run *run, int row, int column)
{
    const int thread = row / 16 * 32 + row % 8 * 4 + column % 8 / 2;
    const int half = row % 16 / 8;
    if (strcmp(run->shape->d, "f16") != 0)
        return run->d[column / 8 * 4 + half * 2 + column % 2][thread];
    return run->d[column / 8 * 2 + half][thread] >> 16 * (column % 2) & 0xffff;
}

static void put_d(struct wgmma_run *run, int row, int column, uint32_t bits)
{
    const int thread = row / 16 * 32 + row % 8 * 4 + column % 8 / 2;
    const int half = row % 16 / 8;
    if (strcmp(run->shape->d, "f16") != 0)
        run->d[column / 8 * 4 + half * 2 + column % 2][thread] = bits;
    else
        run->d[column / 8 * 2 + half][thread] |= bits << 16 * (column % 2);
}

static uint32_t result_bits(const struct wgmma_run *run, int value)
{
    const struct wgmma_type half = {"f16", 16, 5, 10};
    if (strcmp(run->shape->d, "f16") == 0) return wgmma_bits(&half, value);
    if (strcmp(run->shape->d, "f32") == 0) return wgmma_bits(&f32, value);
    return (uint32_t)value;
}

// A layout in which the matrix has room from start on.
static struct wgmma_layout layout_of(int swizzle, bool mn, int start, int rows)
{
    struct wgmma_layout out = {.swizzle = swizzle, .mn = mn, .start = start};
    const int e = 2;           // bytes of an element that is MN-major
    if (!mn && swizzle == 0) { // 128 bytes a core matrix; both of one row group apart
        out.leading = (rows + 7) / 8 * 128 + 128;
        out.stride = 128;
    } else if (!mn) {
        out.stride = 8 * swizzle;
        out.leading = 16;
    } else if (swizzle == 0) {
        out.stride = 512 + 128; // of 8 rows
        out.leading = 128;      // of 8 k
    } else {
        out.leading = 32 * swizzle + 1024; // of the rows that a span has
        out.stride = 8 * swizzle;          // of 8 k
    }
    (void)e;
    return out;
}

static struct problem *problem_of(const struct wgmma_shape *shape, int swizzle_a,
                                  int swizzle_b, bool mn_a, bool mn_b)
{
    struct problem *p = calloc(1, sizeof *p);
    uint32_t state = 1;
    p->run.shape = shape;
    p->run.sparse = shape->k * shape->a->bits == 512;
    p->run.adds = true;
    p->run.sign_a = p->run.sign_b = 1;
    p->run.mn_a = mn_a, p->run.mn_b = mn_b;
    p->a = layout_of(swizzle_a, mn_a, 1024, 64);
    p->b = layout_of(swizzle_b, mn_b, B_AT, shape->n);
    for (int k = 0; k < shape->k; k++) {
        for (int r = 0; r < 64; r++)
            p->x[r][k] = small(shape->a, next_random(&state));
        for (int n = 0; n < shape->n; n++)
            p->y[n][k] = small(shape->b, next_random(&state));
    }
    if (p->run.sparse) thin_out(p, shape, &state);
    for (int r = 0; r < 64; r++)
        for (int n = 0; n < shape->n; n++)
            p->c[r][n] = (int)(next_random(&state) % 65) - 32;
    return p;
}

static void lay_out(struct problem *p)
{
    struct wgmma_run *run = &p->run;
    const struct wgmma_shape *shape = run->shape;
    memset(run->image, 0, sizeof run->image);
    memset(run->a_regs, 0, sizeof run->a_regs);
    memset(run->d, 0, sizeof run->d);
    for (int k = 0; k < shape->k; k++)
        for (int n = 0; n < shape->n; n++)
            put_element(run->image, &p->b, shape->b, n, k, p->y[n][k]);
    for (int k = 0; k < (run->sparse ? shape->k / 2 : shape->k); k++)
        for (int r = 0; r < 64; r++) {
            const int value = run->sparse ? p->there[r][k] : p->x[r][k];
            put_element(run->image, &p->a, shape->a, r, k, value);
            put_fragment(run, shape->a, r, k, value);
        }
    if (run->sparse) put_metadata(run, p);
    for (int r = 0; r < 64; r++)
        for (int n = 0; n < shape->n; n++)
            put_d(run, r, n, result_bits(run, p->c[r][n]));
    run->a = wgmma_descriptor(&p->a);
    run->b = wgmma_descriptor(&p->b);
}

static int expected(const struct problem *p, int row, int column)
{
    int sum = 0;
    for (int k = 0; k < p->run.shape->k; k++)
        sum += p->x[row][k] * p->y[column][k];
    return sum * p->run.sign_a * p->run.sign_b + (p->run.adds ? p->c[row][column] : 0);
}

static int count_wrong(const struct problem *p, int *row, int *column)
{
    int wrong = 0;
    for (int r = 64; r-- > 0;)
        for (int n = p->run.shape->n; n-- > 0;) {
            if (d_bits(&p->run, r, n) == result_bits(&p->run, expected(p, r, n)))
                continue;
            *row = r, *column = n;
            wrong++;
        }
    return wrong;
}

static void check(struct problem *p, const struct way *way)
{
    const struct wgmma_shape *s = p->run.shape;
    struct hone_fault fault;
    int row = 0, column = 0;
    lay_out(p);
    if (!wgmma_try(&p->run, way, &fault))
        fail_msg("%s.%s.%s n%d: %s", s->d, s->a->name, s->b->name, s->n, fault.reason);
    const int wrong = count_wrong(p, &row, &column);
    if (wrong)
        fail_msg("%s.%s.%s n%d %s swizzles %d %d, majors %d %d, late %d: %d wrong, "
                 "(%d, %d) is 0x%x, not %d",
                 s->d, s->a->name, s->b->name, s->n, p->run.fragments ? "RS" : "SS",
                 p->a.swizzle, p->b.swizzle, p->run.mn_a, p->run.mn_b,
                 way->copies == HONE_EMU_COPY_LAZY, wrong, row, column,
                 d_bits(&p->run, row, column), expected(p, row, column));
}

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

// ---- what is wrong ----

#define COMMIT "wgmma.commit_group.sync.aligned;\n"
#define WAIT   "wgmma.wait_group.sync.aligned 0;\n"
#define ONE    "setp.eq.u32 %p2, %t0, 77; @%p2 "

#define STORE ONE "st.shared.b32 [s+32768], %t0;\n"
#define STORE_A(at)                                                                      \
    ONE "st.shared.b32 [s+" at "], %t0; fence.proxy.async; bar.warp.sync -1;\n"

// A thread has B's first bytes filled again.
#define REFILL(thread)                                                                   \
    "setp.eq.u32 %p2, %t0, " thread ";\n"                                                \
    "@%p2 mbarrier.init.shared::cta.b64 [s+98296], 1;\n"                                 \
    "@%p2 mbarrier.arrive.expect_tx.shared::cta.b64 _, [s+98296], 16;\n"                 \
    "@%p2 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "            \
    "[s+32768], [%x0], 16, [s+98296];\n"

// The same, and it waits.
#define REFILL_ALL(thread)                                                               \
    REFILL(thread)                                                                       \
    "@!%p2 bra N;\nM: mbarrier.try_wait.parity.shared::cta.b64 %p3, [s+98296], 0;\n"     \
    "@!%p3 bra M;\nN:\n"

struct plant {
    const char *before, *after;
    enum hone_finding finding; // NONE: it is right
    const char *words;
    bool fragments, unfenced;
    int copied;
};

static void run_plant(const struct plant *plant, const struct way *way,
                      struct hone_fault *fault)
{
    static const struct wgmma_shape bf = {"f32", &bf16, &bf16, 64, 16};
    struct problem *p = problem_of(&bf, 128, 128, false, false);
    lay_out(p);
    p->run.before = plant->before;
    p->run.after = plant->after;
    p->run.fragments = plant->fragments;
    p->run.unfenced = plant->unfenced;
    p->run.copied = plant->copied;
    wgmma_try(&p->run, way, fault);
    free(p);
}

static void checked_launches_name_what_is_not_waited_for(void **state)
{
    (void)state;
    static const struct plant plants[] = {
        {.after = COMMIT,
         .finding = HONE_FINDING_MISSING_WAIT,
         .words = "a result is read of the wgmma at PTX line"},
        {.after = WAIT,
         .finding = HONE_FINDING_MISSING_WAIT,
         .words = "a result is read of the wgmma at PTX line"},
        {.after = COMMIT "wgmma.wait_group.sync.aligned 1;\n",
         .finding = HONE_FINDING_MISSING_WAIT,
         .words = "a result is read of the wgmma at PTX line"},
        {.after = COMMIT "mov.b32 %a1, 0;\n" WAIT,
         .finding = HONE_FINDING_IN_FLIGHT,
         .words = "a register is written that the wgmma at PTX line",
         .fragments = true},
        {.after = COMMIT WAIT "mov.b32 %a1, 0;\n", .fragments = true},
        {.before = "add.u32 %d3, %d3, 1;",
         .finding = HONE_FINDING_WGMMA_FENCE,
         .words = "with no wgmma.fence between"},
        {.before = "add.u32 %d3, %d3, 1; wgmma.fence.sync.aligned;"},
        {.before = "mov.b32 %d3, 0; mov.b32 %d4, %d3;"}, // as compilers do
        {.before = "add.u32 %t7, %t0, 1; mov.b32 %d3, %t7;",
         .finding = HONE_FINDING_WGMMA_FENCE,
         .words = "with no wgmma.fence between"},
        {.before = "add.u32 %a3, %a3, 1;",
         .finding = HONE_FINDING_WGMMA_FENCE,
         .words = "with no wgmma.fence between",
         .fragments = true},
        {.unfenced = true,
         .finding = HONE_FINDING_WGMMA_FENCE,
         .words = "comes before any wgmma.fence"},
        {.after = COMMIT ONE "st.shared.b32 [s+32768], %t0;\n" WAIT,
         .finding = HONE_FINDING_IN_FLIGHT,
         .words = "has not been known to be done with"},
        {.after = COMMIT WAIT "bar.sync 0;\n" ONE "st.shared.b32 [s+32768], %t0;\n"},
        {.after = COMMIT ONE "st.shared.b32 [s+98300], %t0;\n" WAIT},
        {.before = STORE, .finding = HONE_FINDING_RACE, .words = "nothing orders them"},
        {.before = STORE "fence.proxy.async; bar.sync 0;\n"},
        {.before = STORE "fence.proxy.async; bar.sync 3, 128;\n"},
        {.before = STORE "bar.sync 0; fence.proxy.async;\n"},
        {.before = STORE "bar.sync 0;\n",
         .finding = HONE_FINDING_PROXY_FENCE,
         .words = "without fence.proxy.async"},
        {.after = COMMIT REFILL("0") WAIT,
         .finding = HONE_FINDING_IN_FLIGHT,
         .words = "asynchronous write to shared memory that another operation"},
        {.after = COMMIT REFILL("127") WAIT,
         .finding = HONE_FINDING_IN_FLIGHT,
         .words = "asynchronous write to shared memory that another operation"},
        {.after = COMMIT WAIT REFILL_ALL("0")},
        {.after = COMMIT WAIT REFILL_ALL("127")}, // each warp's wait counts
        {.after = COMMIT WAIT "bar.sync 0;\n" REFILL_ALL("77")},
        {.after = COMMIT WAIT REFILL("0"),
         .finding = HONE_FINDING_IN_FLIGHT,
         .words = "the block exits"},
        {.before = STORE_A("1024"), // a row of the first warp
         .finding = HONE_FINDING_RACE,
         .words = "nothing orders them"},
        {.before = STORE_A("5120")}, // of its own
        {.copied = B_AT,
         .finding = HONE_FINDING_UNWRITTEN,
         .words = "a value that was never written"},
    };
    for (size_t k = 0; k < sizeof plants / sizeof *plants; k++)
        for (int late = 0; late < 2; late++) {
            const struct way way = {
                .check = true, .copies = late ? HONE_EMU_COPY_LAZY : HONE_EMU_COPY_EAGER};
            const char *words = plants[k].words ? plants[k].words : "";
            struct hone_fault fault;
            run_plant(&plants[k], &way, &fault);
            if (fault.finding != plants[k].finding || !strstr(fault.reason, words))
                fail_msg("plant %zu, late %d: %s: %s", k, late,
                         hone_finding_name(fault.finding), fault.reason);
        }
}

static void warps_that_do_not_agree_are_a_fault_of_every_launch(void **state)
{
    (void)state;
    static const struct plant plants[] = {
        {.before = "setp.lt.u32 %p2, %t0, 32; @%p2 add.u64 %x4, %x4, 8;",
         .finding = HONE_FINDING_DIVERGENCE,
         .words = "gives wgmma another descriptor than warp"},
        {.before = "setp.lt.u32 %p2, %t0, 31; @%p2 add.u64 %x4, %x4, 8;",
         .finding = HONE_FINDING_DIVERGENCE,
         .words = "lanes give wgmma different descriptors"},
        {.before = "setp.ge.u32 %p2, %t0, 96; @%p2 exit;",
         .finding = HONE_FINDING_DIVERGENCE,
         .words = "wgmma without a whole warp group"},
        {.before = "mov.b64 %x9, 0x2000000000000; add.u64 %x4, %x4, %x9;",
         .finding = HONE_FINDING_MISALIGNED,
         .words = "has a base offset"},
        {.before = "add.u64 %x4, %x4, 8128;",
         .finding = HONE_FINDING_OUT_OF_BOUNDS,
         .words = "the descriptor of B (shared+162816"},
    };
    for (size_t k = 0; k < sizeof plants / sizeof *plants; k++) {
        struct hone_fault fault;
        run_plant(&plants[k], &usual, &fault);
        if (fault.finding != plants[k].finding || !strstr(fault.reason, plants[k].words))
            fail_msg("plant %zu: %s: %s", k, hone_finding_name(fault.finding),
                     fault.reason);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(checked_launches_name_what_is_not_waited_for),
    cmocka_unit_test(warps_that_do_not_agree_are_a_fault_of_every_launch),
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
