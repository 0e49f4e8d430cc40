// Matrix operations of a warp: mma of every type and shape against a product written out, with the
// fragments laid out element by element as the manual says; ldmatrix, stmatrix and movmatrix.
#include "emu_kernel.h"

#include <math.h>

enum { LANES = 32, WORDS = 16 };

static const char frame[] =
    ".version 9.0\n.target sm_90a\n.address_size 64\n"
    ".visible .entry k(.param .u64 in, .param .u64 out) {\n"
    ".reg .b32 %%t, %%a<8>, %%b<8>, %%c<8>, %%d<8>; .reg .b64 %%x, %%y;\n"
    ".reg .f64 %%fa<8>, %%fb<8>, %%fc<8>, %%fd<8>; .shared .align 16 .b8 tile[1024];\n"
    "ld.param.u64 %%x, [in]; ld.param.u64 %%y, [out]; mov.u32 %%t, %%tid.x;\n"
    "mad.wide.u32 %%x, %%t, 128, %%x; mad.wide.u32 %%y, %%t, 32, %%y;\n%s\nret;\n}\n";

// What a lane is given: at most 8 registers of A, 4 of B, 4 of C, of 4 or 8 bytes.
struct lane {
    union {
        uint32_t words[8];
        double doubles[8];
    } a;
    union {
        uint32_t words[4];
        double doubles[4];
    } b, c;
};
union result {
    uint32_t words[8];
    double doubles[4];
};

static void run(const char *body, const struct lane *in, union result *out)
{
    char text[4096];
    struct emu emu;
    emu_open(&emu);
    snprintf(text, sizeof text, frame, body);
    if (!emu_load(&emu, text, "k")) fail_msg("%s: %s", body, emu.fault.reason);
    hone_devptr from = emu_buffer(&emu, in, sizeof *in * LANES);
    hone_devptr to = emu_buffer(&emu, NULL, sizeof *out * LANES);
    struct emu_args args = {0};
    EMU_ARG(args, from), EMU_ARG(args, to);
    struct hone_launch launch = emu_geometry(&args, 1, LANES);
    if (!emu_run(&emu, &launch)) fail_msg("%s: %s", body, emu.fault.reason);
    emu_fetch(&emu, out, to, sizeof *out * LANES);
    emu_close(&emu);
}

// ---- types ----

// A value of the type from its bits; the formula of its standard, not the emulator's code.
static double float_of(uint32_t bits, int e, int m, bool has_infinity)
{
    int exponent = (int)(bits >> m) & ((1 << e) - 1), bias = (1 << (e - 1)) - 1;
    uint32_t fraction = bits & ((1U << m) - 1);
    double x = exponent ? ldexp(1.0 + ldexp(fraction, -m), exponent - bias)
                        : ldexp(fraction, 1 - bias - m);
    bool top = exponent == (1 << e) - 1;
    if (top && has_infinity) x = fraction ? (double)NAN : (double)INFINITY;
    if (top && !has_infinity && fraction == (1U << m) - 1) x = (double)NAN;
    return bits >> (e + m) & 1 ? -x : x;
}

static double f16_of(uint32_t bits)
{
    return float_of(bits & 0xffff, 5, 10, true);
}
static double bf16_of(uint32_t bits)
{
    return float_of(bits & 0xffff, 8, 7, true);
}
static double tf32_of(uint32_t bits)
{
    return float_of(bits >> 13, 8, 10, true);
}
static double e4m3_of(uint32_t bits)
{
    return float_of(bits & 0xff, 4, 3, false);
}
static double e5m2_of(uint32_t bits)
{
    return float_of(bits & 0xff, 5, 2, true);
}
static double s8_of(uint32_t bits)
{
    return (double)(int8_t)bits;
}
static double u8_of(uint32_t bits)
{
    return (double)(uint8_t)bits;
}

struct shape {
    const char *name; /* after mma.sync.aligned. */
    int m, k, bits;   /* of an element of A and B */
    double (*a)(uint32_t), (*b)(uint32_t);
    char result; /* f: f32, h: f16, i: s32, s: s32 saturated, d: f64 */
    bool small;  /* random values that cannot overflow */
};

static const struct shape shapes[] = {
    {"m16n8k8.row.col.f32.f16.f16.f32", 16, 8, 16, f16_of, f16_of, 'f', false},
    {"m16n8k16.row.col.f32.f16.f16.f32", 16, 16, 16, f16_of, f16_of, 'f', false},
    {"m16n8k8.row.col.f16.f16.f16.f16", 16, 8, 16, f16_of, f16_of, 'h', false},
    {"m16n8k16.row.col.f16.f16.f16.f16", 16, 16, 16, f16_of, f16_of, 'h', false},
    {"m16n8k8.row.col.f32.bf16.bf16.f32", 16, 8, 16, bf16_of, bf16_of, 'f', true},
    {"m16n8k16.row.col.f32.bf16.bf16.f32", 16, 16, 16, bf16_of, bf16_of, 'f', true},
    {"m16n8k4.row.col.f32.tf32.tf32.f32", 16, 4, 32, tf32_of, tf32_of, 'f', true},
    {"m16n8k8.row.col.f32.tf32.tf32.f32", 16, 8, 32, tf32_of, tf32_of, 'f', true},
    {"m16n8k32.row.col.f32.e4m3.e4m3.f32", 16, 32, 8, e4m3_of, e4m3_of, 'f', false},
    {"m16n8k32.row.col.f32.e4m3.e5m2.f32", 16, 32, 8, e4m3_of, e5m2_of, 'f', false},
    {"m16n8k32.row.col.f16.e5m2.e5m2.f16", 16, 32, 8, e5m2_of, e5m2_of, 'h', false},
    {"m8n8k16.row.col.s32.s8.s8.s32", 8, 16, 8, s8_of, s8_of, 'i', false},
    {"m16n8k16.row.col.s32.s8.u8.s32", 16, 16, 8, s8_of, u8_of, 'i', false},
    {"m16n8k32.row.col.s32.u8.s8.s32", 16, 32, 8, u8_of, s8_of, 'i', false},
    {"m16n8k32.row.col.satfinite.s32.s8.s8.s32", 16, 32, 8, s8_of, s8_of, 's', false},
    {"m8n8k4.row.col.f64.f64.f64.f64", 8, 4, 64, NULL, NULL, 'd', false},
    {"m16n8k4.row.col.f64.f64.f64.f64", 16, 4, 64, NULL, NULL, 'd', false},
    {"m16n8k8.row.col.f64.f64.f64.f64", 16, 8, 64, NULL, NULL, 'd', false},
    {"m16n8k16.row.col.f64.f64.f64.f64", 16, 16, 64, NULL, NULL, 'd', false},
};

static int elements(const struct shape *s)
{
    return s->bits == 64 ? 1 : 32 / s->bits;
}

// ---- the manual's layout ----

// Which lane and register hold row, column of A; *e: the element in the register.
static int a_lane(const struct shape *s, int row, int column, int *reg, int *e)
{
    int p = elements(s), group = column / (4 * p);
    *reg = row / 8 + group * (s->m / 8);
    *e = column % p;
    return row % 8 * 4 + column % (4 * p) / p;
}

static int b_lane(const struct shape *s, int row, int column, int *reg, int *e)
{
    int p = elements(s);
    *reg = row / (4 * p);
    *e = row % p;
    return column * 4 + row % (4 * p) / p;
}

static uint32_t bits_at(const struct shape *s, uint32_t word, int e)
{
    return s->bits == 32 ? word : word >> s->bits * e & ((1U << s->bits) - 1);
}

static double a_at(const struct shape *s, const struct lane *in, int row, int column)
{
    int reg, e, lane = a_lane(s, row, column, &reg, &e);
    if (!s->a) return in[lane].a.doubles[reg];
    return s->a(bits_at(s, in[lane].a.words[reg], e));
}

static double b_at(const struct shape *s, const struct lane *in, int row, int column)
{
    int reg, e, lane = b_lane(s, row, column, &reg, &e);
    if (!s->b) return in[lane].b.doubles[reg];
    return s->b(bits_at(s, in[lane].b.words[reg], e));
}

static double c_value(const struct shape *s, const uint32_t *words, const double *doubles,
                      int row, int column)
{
    int n = row / 8 * 2 + column % 2;
    float single;
    switch (s->result) {
    case 'd':
        return doubles[n];
    case 'f':
        memcpy(&single, &words[n], sizeof single);
        return (double)single;
    case 'h':
        return f16_of(words[n / 2] >> 16 * (n % 2));
    default:
        return (double)(int32_t)words[n];
    }
}

// ---- inputs and check ----

static uint32_t next(uint32_t *seed)
{
    *seed ^= *seed << 13, *seed ^= *seed >> 17, *seed ^= *seed << 5;
    return *seed;
}

// Bits of any value but with exponents near 1 where asked.
static uint32_t input_word(const struct shape *s, uint32_t *seed)
{
    uint32_t word = next(seed);
    if (s->small && s->bits == 16) return (word & 0x83ff83ff) | 0x3c003c00;
    if (s->small) return (word & 0x83ffffff) | 0x3c000000;
    return word;
}

static void fill(const struct shape *s, struct lane *in, uint32_t seed)
{
    for (int l = 0; l < LANES; l++) {
        for (int r = 0; r < 4; r++) {
            float c = (float)(int32_t)next(&seed) * 0x1p-28f;
            uint32_t half = next(&seed) & 0xbfffbfff;
            if (s->bits == 64) {
                in[l].a.doubles[r] = (double)(int32_t)next(&seed) * 0x1p-20;
                in[l].a.doubles[r + 4] = (double)(int32_t)next(&seed) * 0x1p-22;
                in[l].b.doubles[r] = (double)(int32_t)next(&seed) * 0x1p-25;
                in[l].c.doubles[r] = (double)(int32_t)next(&seed);
                continue;
            }
            in[l].a.words[r] = input_word(s, &seed);
            in[l].b.words[r] = input_word(s, &seed);
            memcpy(&in[l].c.words[r], s->result == 'f' ? (void *)&c : (void *)&half, 4);
            if (s->result == 'i' || s->result == 's')
                in[l].c.words[r] = 0x7fffffff - (next(&seed) & 0x7ffff);
        }
    }
}

static double expected_of(const struct shape *s, const struct lane *in, int row,
                          int column, double *scale)
{
    const struct lane *c = &in[row % 8 * 4 + column / 2];
    double sum = c_value(s, c->c.words, c->c.doubles, row, column);
    *scale = fabs(sum);
    for (int k = 0; k < s->k; k++) {
        double product = a_at(s, in, row, k) * b_at(s, in, k, column);
        sum += product;
        *scale += fabs(product);
    }
    if (s->result == 's') sum = fmin(fmax(sum, -0x1p31), 0x1p31 - 1);
    if (s->result == 'i') sum = (double)(int32_t)(uint32_t)(int64_t)sum;
    return sum;
}

static bool agrees(const struct shape *s, double got, double expected, double scale)
{
    if (isnan(expected) || isinf(scale)) return isnan(got) || isinf(got);
    double step = s->result == 'h' ? 0x1p-11 : s->result == 'f' ? 0x1p-23 : 0x1p-51;
    if (s->result == 'i' || s->result == 's') return got == expected;
    if (s->result == 'h' && fabs(expected) >= 65520.0)
        return isinf(got) && (got > 0) == (expected > 0);
    double slack = fmax(fabs(expected) * step, s->result == 'h' ? 0x1p-25 : 0x1p-149);
    return fabs(got - expected) <= slack + scale * 0x1p-48;
}

static void check_result(const struct shape *s, const struct lane *in,
                         const union result *out)
{
    for (int row = 0; row < s->m; row++)
        for (int column = 0; column < 8; column++) {
            const union result *d = &out[row % 8 * 4 + column / 2];
            double got = c_value(s, d->words, d->doubles, row, column), scale;
            double expected = expected_of(s, in, row, column, &scale);
            if (!agrees(s, got, expected, scale))
                fail_msg("%s: row %d column %d is %.17g, should be %.17g", s->name, row,
                         column, got, expected);
        }
}

static void append_list(char *text, size_t size, const char *name, int count)
{
    size_t at = strlen(text);
    for (int i = 0; i < count; i++, at = strlen(text))
        snprintf(text + at, size - at, "%s%s%d", i ? "," : "{", name, i);
    snprintf(text + at, size - at, "}");
}

static void body_of(const struct shape *s, char *text, size_t size)
{
    bool wide = s->bits == 64;
    int each = wide ? 64 : 32, a = s->m * s->k * s->bits / each / 32;
    int b = 8 * s->k * s->bits / each / 32, c = s->m / 4 / (s->result == 'h' ? 2 : 1);
    const char *letters[] = {"a", "b", "c"};
    const int places[] = {0, 64, 96}, most[] = {8, 4, 4};
    text[0] = '\0';
    for (int i = 0; i < 3; i++)
        for (int r = 0; r < most[i]; r++)
            snprintf(text + strlen(text), size - strlen(text),
                     "ld.global.%s %%%s%s%d, [%%x+%d];\n", wide ? "f64" : "b32",
                     wide ? "f" : "", letters[i], r, places[i] + (wide ? 8 : 4) * r);
    snprintf(text + strlen(text), size - strlen(text), "mma.sync.aligned.%s ", s->name);
    append_list(text, size, wide ? "%fd" : "%d", c);
    strcat(text, ", ");
    append_list(text, size, wide ? "%fa" : "%a", a);
    strcat(text, ", ");
    append_list(text, size, wide ? "%fb" : "%b", b);
    strcat(text, ", ");
    append_list(text, size, wide ? "%fc" : "%c", c);
    strcat(text, ";\n");
    for (int r = 0; r < c; r++)
        snprintf(text + strlen(text), size - strlen(text),
                 "st.global.%s [%%y+%d], %%%sd%d;\n", wide ? "f64" : "b32",
                 (wide ? 8 : 4) * r, wide ? "f" : "", r);
}

static void products_equal_the_written_out_sum(void **state)
{
    static struct lane in[LANES];
    static union result out[LANES];
    char body[4096];
    (void)state;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        body_of(&shapes[i], body, sizeof body);
        for (uint32_t seed = 1; seed <= 20; seed++) {
            memset(in, 0, sizeof in);
            fill(&shapes[i], in, seed * 2654435761U);
            run(body, in, out);
            check_result(&shapes[i], in, out);
        }
    }
}

// ---- moves ----

static uint32_t tile_half(int row, int column, int matrix)
{
    return (uint32_t)(matrix * 4096 + row * 64 + column + 1);
}

static const char fill_tile[] =
    // lane r of matrix m writes row r: 8 halves m * 4096 + r * 64 + column + 1
    "and.b32 %a0, %t, 7; shr.u32 %a1, %t, 3; shl.b32 %a2, %a1, 12; shl.b32 %a3, %a0, 6;\n"
    "add.u32 %a2, %a2, %a3; add.u32 %a2, %a2, 1; shl.b32 %a3, %a2, 16; add.u32 %a3, %a3, "
    "0x10000; or.b32 %b0, %a3, %a2; add.u32 %b1, %b0, 0x20002;\n"
    "add.u32 %b2, %b1, 0x20002; add.u32 %b3, %b2, 0x20002; mov.u32 %c0, tile;\n"
    "mad.lo.u32 %c0, %t, 16, %c0; st.shared.v4.b32 [%c0], {%b0, %b1, %b2, %b3};\n"
    "bar.sync 0;\n";

static void check_moved(const char *body, int count, bool transposed)
{
    static struct lane in[LANES];
    static union result out[LANES];
    char text[2048];
    snprintf(
        text, sizeof text,
        "%s mov.b32 %%d0, 0; mov.b32 %%d1, 0; mov.b32 %%d2, 0; mov.b32 %%d3, 0;\n%s\n"
        "st.global.v4.b32 [%%y], {%%d0, %%d1, %%d2, %%d3};",
        fill_tile, body);
    run(text, in, out);
    for (int m = 0; m < count; m++)
        for (int l = 0; l < LANES; l++)
            for (int e = 0; e < 2; e++) {
                int row = l / 4, column = l % 4 * 2 + e;
                uint32_t expected =
                    transposed ? tile_half(column, row, m) : tile_half(row, column, m);
                uint32_t got = out[l].words[m] >> 16 * e & 0xffff;
                if (got != expected)
                    fail_msg("%s: matrix %d lane %d element %d is 0x%x, should be 0x%x",
                             body, m, l, e, got, expected);
            }
}

static void matrices_are_loaded_as_the_manual_says(void **state)
{
    (void)state;
    check_moved("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%d0}, [%c0];", 1, false);
    check_moved("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%d0,%d1}, [%c0];", 2, false);
    check_moved("ldmatrix.sync.aligned.m8n8.x4.shared::cta.b16 {%d0,%d1,%d2,%d3}, [%c0];",
                4, false);
    check_moved("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%d0,%d1,%d2,%d3}, "
                "[%c0];",
                4, true);
}

static void matrices_stored_are_loaded_back(void **state)
{
    (void)state;
    check_moved("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%a4,%a5}, [%c0];\n"
                "stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%c0+512], {%a4,%a5};\n"
                "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%d0,%d1}, [%c0+512];",
                2, true);
    check_moved("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%a4}, [%c0];\n"
                "movmatrix.sync.aligned.m8n8.trans.b16 %d0, %a4;",
                1, true);
}

// ---- what is refused ----

static void a_matrix_operation_needs_a_whole_warp(void **state)
{
    char text[4096];
    struct emu emu;
    (void)state;
    emu_open(&emu);
    snprintf(text, sizeof text, frame,
             "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%d0}, [tile];");
    if (!emu_load(&emu, text, "k")) fail_msg("%s", emu.fault.reason);
    hone_devptr p = emu_buffer(&emu, NULL, 4096);
    struct emu_args args = {0};
    EMU_ARG(args, p), EMU_ARG(args, p);
    struct hone_launch launch = emu_geometry(&args, 1, 20);
    assert_false(emu_run(&emu, &launch));
    assert_int_equal(emu.fault.outcome, HONE_CRASHED);
    assert_non_null(strstr(emu.fault.reason, "20 lanes, it needs a whole warp"));
    emu_close(&emu);
}

static void a_row_outside_shared_memory_is_reported(void **state)
{
    char text[4096];
    struct emu emu;
    (void)state;
    emu_open(&emu);
    snprintf(text, sizeof text, frame,
             "mad.lo.u32 %c0, %t, 16, 1008;\n"
             "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%d0,%d1,%d2,%d3}, [%c0];");
    if (!emu_load(&emu, text, "k")) fail_msg("%s", emu.fault.reason);
    hone_devptr p = emu_buffer(&emu, NULL, 4096);
    struct emu_args args = {0};
    EMU_ARG(args, p), EMU_ARG(args, p);
    struct hone_launch launch = emu_geometry(&args, 1, LANES);
    assert_false(emu_run(&emu, &launch));
    assert_non_null(strstr(emu.fault.reason, "out-of-bounds shared load of 16 bytes"));
    emu_close(&emu);
}

static void shapes_that_no_gpu_has_are_unsupported(void **state)
{
    static const char *const bodies[] = {
        "mma.sync.aligned.m16n8k64.row.col.f32.f16.f16.f32 {%d0,%d1,%d2,%d3}, "
        "{%a0,%a1,%a2,%a3}, {%b0,%b1}, {%c0,%c1,%c2,%c3};",
        "mma.sync.aligned.m16n8k8.row.col.f32.f16.bf16.f32 {%d0,%d1,%d2,%d3}, "
        "{%a0,%a1}, {%b0}, {%c0,%c1,%c2,%c3};"};
    char text[4096];
    struct emu emu;
    (void)state;
    emu_open(&emu);
    for (size_t i = 0; i < 2; i++) {
        snprintf(text, sizeof text, frame, bodies[i]);
        assert_false(emu_load(&emu, text, "k"));
        assert_int_equal(emu.fault.outcome, HONE_UNSUPPORTED);
    }
    emu_close(&emu);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(products_equal_the_written_out_sum),
    cmocka_unit_test(matrices_are_loaded_as_the_manual_says),
    cmocka_unit_test(matrices_stored_are_loaded_back),
    cmocka_unit_test(a_matrix_operation_needs_a_whole_warp),
    cmocka_unit_test(a_row_outside_shared_memory_is_reported),
    cmocka_unit_test(shapes_that_no_gpu_has_are_unsupported),
};

HONE_TEST_MAIN(tests)
