/* What the suites of wgmma share: a product by wgmma, and the same written out. */
#ifndef EMU_WGMMA_FRAME_H
#define EMU_WGMMA_FRAME_H

#include <stdlib.h>

#include "emu_wgmma.h"

static const struct wgmma_type f16 = {"f16", 16, 5, 10}, bf16 = {"bf16", 16, 8, 7},
                               tf32 = {"tf32", 32, 8, 10}, e4m3 = {"e4m3", 8, 4, 3},
                               e5m2 = {"e5m2", 8, 5, 2}, s8 = {"s8", 8, 0, 0},
                               u8 = {"u8", 8, 0, 0}, b1 = {"b1", 1, 0, 0},
                               f32 = {"f32", 0, 8, 23};

static const struct way usual = {.copies = HONE_EMU_COPY_EAGER};

struct problem {
    struct wgmma_run run;
    struct wgmma_layout a, b;
    int x[64][256], y[256][256], c[64][256]; // A by row and k, B by column and k
    int there[64][32], places[64][16];       // of a sparse A; and its chunks' metadata
};

static inline uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525 + 1013904223;
    return *state >> 16;
}

static inline int small(const struct wgmma_type *type, uint32_t random)
{
    if (type->bits == 1) return (int)(random & 1);
    return type == &u8 ? (int)(random % 4) : (int)(random % 7) - 3;
}

static inline void put_element(uint8_t *image, const struct wgmma_layout *layout,
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
static inline void thin_out(struct problem *p, const struct wgmma_shape *shape,
                            uint32_t *state)
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
static inline void put_metadata(struct wgmma_run *run, const struct problem *p)
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
static inline void put_fragment(struct wgmma_run *run, const struct wgmma_type *type,
                                int row, int k, int value)
{
    const int bit = k * type->bits, warp = row / 16;
    const int reg = bit / 128 * 2 + row % 16 / 8;
    const int lane = row % 8 * 4 + bit % 128 / 32;
    run->a_regs[reg][warp * 32 + lane] |= wgmma_bits(type, value) << bit % 32;
}

// Element (row, column) of D: where it is, and its bits.
static inline uint32_t d_bits(const struct wgmma_run *run, int row, int column)
{
    const int thread = row / 16 * 32 + row % 8 * 4 + column % 8 / 2;
    const int half = row % 16 / 8;
    if (strcmp(run->shape->d, "f16") != 0)
        return run->d[column / 8 * 4 + half * 2 + column % 2][thread];
    return run->d[column / 8 * 2 + half][thread] >> 16 * (column % 2) & 0xffff;
}

static inline void put_d(struct wgmma_run *run, int row, int column, uint32_t bits)
{
    const int thread = row / 16 * 32 + row % 8 * 4 + column % 8 / 2;
    const int half = row % 16 / 8;
    if (strcmp(run->shape->d, "f16") != 0)
        run->d[column / 8 * 4 + half * 2 + column % 2][thread] = bits;
    else
        run->d[column / 8 * 2 + half][thread] |= bits << 16 * (column % 2);
}

static inline uint32_t result_bits(const struct wgmma_run *run, int value)
{
    const struct wgmma_type half = {"f16", 16, 5, 10};
    if (strcmp(run->shape->d, "f16") == 0) return wgmma_bits(&half, value);
    if (strcmp(run->shape->d, "f32") == 0) return wgmma_bits(&f32, value);
    return (uint32_t)value;
}

// A layout in which the matrix has room from start on.
static inline struct wgmma_layout layout_of(int swizzle, bool mn, int start, int rows)
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

static inline struct problem *problem_of(const struct wgmma_shape *shape, int swizzle_a,
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

static inline void lay_out(struct problem *p)
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

static inline int expected(const struct problem *p, int row, int column)
{
    int sum = 0;
    for (int k = 0; k < p->run.shape->k; k++)
        sum += p->x[row][k] * p->y[column][k];
    return sum * p->run.sign_a * p->run.sign_b + (p->run.adds ? p->c[row][column] : 0);
}

static inline int count_wrong(const struct problem *p, int *row, int *column)
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

static inline void check(struct problem *p, const struct way *way)
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

#endif
