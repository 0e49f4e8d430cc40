// Products of matrices that kernels seldom ask for: mma.sp of every shape and type, elements
// of 4 bits and of one, m8n8k4 of f16, against a product of small integers written out, whose
// sums every type holds. Fragments are laid out as the manual and CuTe's layouts have them.
#include "emu_kernel.h"

enum { LANES = 32, ROWS = 16, DEPTH = 256, COLUMNS = 8 };

// What a lane is given and gives back.
struct lane {
    uint32_t a[4], b[4], c[8], e, unused[15];
};
struct result {
    uint32_t d[8];
};

enum element { F16, BF16, TF32, E4M3, E5M2, S8, U8, S4, U4, B1, F32, S32 };

static const struct {
    int bits, least, most;
} elements[] = {
    [F16] = {16, -3, 3}, [BF16] = {16, -3, 3},  [TF32] = {32, -3, 3}, [E4M3] = {8, -3, 3},
    [E5M2] = {8, -3, 3}, [S8] = {8, -128, 127}, [U8] = {8, 0, 255},   [S4] = {4, -8, 7},
    [U4] = {4, 0, 15},   [B1] = {1, 0, 1},      [F32] = {32, 0, 0},   [S32] = {32, 0, 0}};

struct form {
    const char *name; // of the opcode
    int m, k;
    enum element a, b, d;
    char op;       // '*': product, '&', '^': bits that both have, or one
    int selectors; // of mma.sp; 0: not sparse
};

static const struct form forms[] = {
    {"mma.sync.aligned.m8n8k32.row.col.s32.s4.s4.s32", 8, 32, S4, S4, S32, '*', 0},
    {"mma.sync.aligned.m8n8k32.row.col.satfinite.s32.u4.s4.s32", 8, 32, U4, S4, S32, '*',
     0},
    {"mma.sync.aligned.m16n8k32.row.col.s32.s4.u4.s32", 16, 32, S4, U4, S32, '*', 0},
    {"mma.sync.aligned.m16n8k64.row.col.s32.u4.u4.s32", 16, 64, U4, U4, S32, '*', 0},
    {"mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.xor.popc", 8, 128, B1, B1, S32, '^',
     0},
    {"mma.sync.aligned.m16n8k128.row.col.s32.b1.b1.s32.and.popc", 16, 128, B1, B1, S32,
     '&', 0},
    {"mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.xor.popc", 16, 256, B1, B1, S32,
     '^', 0},
    {"mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc", 16, 256, B1, B1, S32,
     '&', 0},
    {"mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", 16, 16, F16, F16, F32, '*',
     4},
    {"mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32", 16, 32, F16, F16, F32, '*',
     2},
    {"mma.sp.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16", 16, 16, F16, F16, F16, '*',
     4},
    {"mma.sp.sync.aligned.m16n8k32.row.col.f16.f16.f16.f16", 16, 32, F16, F16, F16, '*',
     2},
    {"mma.sp.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", 16, 16, BF16, BF16, F32,
     '*', 4},
    {"mma.sp.sync.aligned.m16n8k32.row.col.f32.bf16.bf16.f32", 16, 32, BF16, BF16, F32,
     '*', 2},
    {"mma.sp.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", 16, 8, TF32, TF32, F32, '*',
     4},
    {"mma.sp.sync.aligned.m16n8k16.row.col.f32.tf32.tf32.f32", 16, 16, TF32, TF32, F32,
     '*', 2},
    {"mma.sp.sync.aligned.m16n8k64.row.col.f32.e4m3.e5m2.f32", 16, 64, E4M3, E5M2, F32,
     '*', 1},
    {"mma.sp.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32", 16, 32, S8, U8, S32, '*', 2},
    {"mma.sp.sync.aligned.m16n8k64.row.col.satfinite.s32.u8.s8.s32", 16, 64, U8, S8, S32,
     '*', 1},
    {"mma.sp.sync.aligned.m16n8k64.row.col.s32.s4.u4.s32", 16, 64, S4, U4, S32, '*', 2},
    {"mma.sp.sync.aligned.m16n8k128.row.col.s32.u4.s4.s32", 16, 128, U4, S4, S32, '*', 1},
    {"mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.bf16.bf16.f32", 16, 32,
     BF16, BF16, F32, '*', 2},
    {"mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.s32.s8.s8.s32", 16, 64, S8,
     S8, S32, '*', 1},
};

// ---- elements ----

static uint32_t random_next(uint32_t *seed)
{
    *seed ^= *seed << 13, *seed ^= *seed >> 17, *seed ^= *seed << 5;
    return *seed;
}

static int random_value(enum element type, uint32_t *seed)
{
    const int least = elements[type].least, most = elements[type].most;
    return least + (int)(random_next(seed) % (uint32_t)(most - least + 1));
}

// The bits of a small integer; floats as their standards have 1, 2 and 3.
static uint32_t encode(enum element type, int value)
{
    static const struct {
        uint32_t of[4], sign;
    } floats[] = {[F16] = {{0, 0x3c00, 0x4000, 0x4200}, 0x8000},
                  [BF16] = {{0, 0x3f80, 0x4000, 0x4040}, 0x8000},
                  [TF32] = {{0, 0x3f800000, 0x40000000, 0x40400000}, 0x80000000},
                  [E4M3] = {{0, 0x38, 0x40, 0x44}, 0x80},
                  [E5M2] = {{0, 0x3c, 0x40, 0x42}, 0x80}};
    const float single = (float)value;
    uint32_t word;
    memcpy(&word, &single, sizeof word);
    if (type == F32) return word;
    if (type > E5M2)
        return (uint32_t)value & (uint32_t)((UINT64_C(1) << elements[type].bits) - 1);
    return floats[type].of[abs(value)] | (value < 0 ? floats[type].sign : 0);
}

static int half_value(uint32_t bits)
{
    const int exponent = (int)(bits >> 10 & 31), fraction = (int)(bits & 1023);
    int value = 0;
    if (exponent >= 15) value = (1024 + fraction) << (exponent - 15) >> 10;
    return bits & 0x8000 ? -value : value;
}

static int sum_value(enum element type, const uint32_t *words, int e)
{
    float single;
    if (type == F16) return half_value(words[e / 2] >> 16 * (e % 2) & 0xffff);
    if (type == S32) return (int32_t)words[e];
    memcpy(&single, &words[e], sizeof single);
    return (int)single;
}

static void put(uint32_t *words, enum element type, int e, int value)
{
    const int bits = elements[type].bits;
    words[e * bits / 32] |= encode(type, value) << e * bits % 32;
}

// ---- a kernel ----

static void add_list(char *text, const char *name, int count)
{
    for (int i = 0; i < count; i++)
        sprintf(text + strlen(text), "%s%%%s%d", i ? "," : "{", name, i);
    strcat(text, "}");
}

static void run(const char *opcode, const int counts[4], int selector,
                const struct lane *in, struct result *out)
{
    char text[4096] =
        ".version 9.0\n.target sm_90a\n.address_size 64\n"
        ".visible .entry k(.param .u64 in, .param .u64 out) {\n"
        ".reg .b32 %t, %a<4>, %b<4>, %c<8>, %d<8>, %e; .reg .b64 %x, %y;\n"
        "ld.param.u64 %x, [in]; ld.param.u64 %y, [out]; mov.u32 %t, %tid.x;\n"
        "mad.wide.u32 %x, %t, 128, %x; mad.wide.u32 %y, %t, 32, %y;\n"
        "ld.global.v4.b32 {%a0,%a1,%a2,%a3}, [%x];\n"
        "ld.global.v4.b32 {%b0,%b1,%b2,%b3}, [%x+16];\n"
        "ld.global.v4.b32 {%c0,%c1,%c2,%c3}, [%x+32];\n"
        "ld.global.v4.b32 {%c4,%c5,%c6,%c7}, [%x+48]; ld.global.b32 %e, [%x+64];\n";
    const char *names[] = {"d", "a", "b", "c"};
    struct emu emu;
    strcat(text, opcode);
    for (int i = 0; i < 4; i++) {
        strcat(text, i ? ", " : " ");
        add_list(text, names[i], counts[i]);
    }
    if (selector >= 0) sprintf(text + strlen(text), ", %%e, %d", selector);
    for (int i = 0; i < counts[0]; i++)
        sprintf(text + strlen(text), ";\nst.global.b32 [%%y+%d], %%d%d", 4 * i, i);
    strcat(text, ";\nret;\n}\n");
    emu_open(&emu);
    if (!emu_load(&emu, text, "k")) fail_msg("%s: %s", opcode, emu.fault.reason);
    hone_devptr from = emu_buffer(&emu, in, sizeof *in * LANES);
    hone_devptr to = emu_buffer(&emu, NULL, sizeof *out * LANES);
    struct emu_args args = {0};
    EMU_ARG(args, from), EMU_ARG(args, to);
    struct hone_launch launch = emu_geometry(&args, 1, LANES);
    struct hone_launch_report report = {0};
    launch.check = true;
    launch.report = &report;
    if (!emu_run(&emu, &launch)) fail_msg("%s: %s", opcode, emu.fault.reason);
    const bool sums = !strstr(opcode, ".s32"); // in an order of the GPU's own
    if (!strstr(report.fidelity, sums ? "(order of sums)" : "exact"))
        fail_msg("%s: %s", opcode, report.fidelity);
    emu_fetch(&emu, out, to, sizeof *out * LANES);
    emu_close(&emu);
}

// ---- one product of a warp ----

struct matrices {
    int a[ROWS][DEPTH]; // zeros where a sparse one has none
    int b[DEPTH][COLUMNS], c[ROWS][COLUMNS];
    int kept[ROWS][DEPTH]; // of a sparse one: those that are there, in order
    uint32_t chunk[ROWS][16];
};

// Two of four places of each chunk are kept, of tf32 one of two, of 4 bits pairs.
static void fill_sparse_row(const struct form *form, struct matrices *m, int row,
                            uint32_t *seed)
{
    static const uint32_t ordered[] = {4, 8, 9, 12, 13, 14};
    const int unit = elements[form->a].bits == 4 ? 2 : 1;
    const int width = form->a == TF32 ? 2 : 4 * unit;
    for (int chunk = 0; chunk < form->k / width; chunk++) {
        uint32_t bits = ordered[random_next(seed) % 6];
        if (form->a == TF32) bits = random_next(seed) % 2 ? 14 : 4;
        m->chunk[row][chunk] = bits;
        for (int j = 0; j < width / 2; j++) {
            const int index = (int)(bits >> 2 * (j / unit) & 3);
            const int place = form->a == TF32 ? index / 2 : unit * index + j % unit;
            const int value = random_value(form->a, seed);
            m->a[row][width * chunk + place] = value;
            m->kept[row][width / 2 * chunk + j] = value;
        }
    }
}

static void fill(const struct form *form, struct matrices *m, uint32_t seed)
{
    memset(m, 0, sizeof *m);
    for (int row = 0; row < form->m; row++) {
        for (int k = 0; k < form->k && !form->selectors; k++)
            m->kept[row][k] = m->a[row][k] = random_value(form->a, &seed);
        if (form->selectors) fill_sparse_row(form, m, row, &seed);
        for (int n = 0; n < COLUMNS; n++)
            m->c[row][n] = random_value(form->d == S32 ? S8 : F16, &seed);
    }
    for (int k = 0; k < form->k; k++)
        for (int n = 0; n < COLUMNS; n++)
            m->b[k][n] = random_value(form->b, &seed);
}

// Lanes of a group of four hold what lies beside one another, registers the rows 8 below
// and then what lies behind all four.
static void deal(const struct form *form, const struct matrices *m, struct lane *in)
{
    const int each = 32 / elements[form->a].bits, halves = form->m / 8;
    const int depth = form->selectors ? form->k / 2 : form->k;
    for (int row = 0; row < form->m; row++)
        for (int j = 0; j < depth; j++) {
            struct lane *lane = &in[row % 8 * 4 + j / each % 4];
            put(&lane->a[row / 8 + halves * (j / (4 * each))], form->a, j % each,
                m->kept[row][j]);
        }
    for (int k = 0; k < form->k; k++)
        for (int n = 0; n < COLUMNS; n++)
            put(&in[4 * n + k / each % 4].b[k / (4 * each)], form->b, k % each,
                m->b[k][n]);
    for (int row = 0; row < form->m; row++)
        for (int n = 0; n < COLUMNS; n++)
            put(in[row % 8 * 4 + n / 2].c, form->d, row / 8 * 2 + n % 2, m->c[row][n]);
}

// Which row and chunk four bits of a lane's metadata belong to: of CuTe's ELayout_64x64,
// _64x32 and _64x16, and their halves. False where the lane's are not read.
static bool metadata_place(const struct form *form, int selector, int lane, int nibble,
                           int *row, int *chunk)
{
    const int t = lane % 4;
    if (form->selectors == 1) { // all lanes: a row each, half of it
        *row = lane / 4 + 8 * (t & 1);
        *chunk = nibble + 8 * (t >> 1);
        return true;
    }
    *row = lane / 4 + 8 * (nibble / 4);
    *chunk = nibble % 4 + (form->selectors == 2 ? 4 * (t & 1) : 0);
    return (form->selectors == 2 ? t >> 1 : t) == selector;
}

static void deal_metadata(const struct form *form, const struct matrices *m, int selector,
                          struct lane *in, uint32_t seed)
{
    for (int lane = 0; lane < LANES; lane++) {
        in[lane].e = random_next(&seed);
        for (int nibble = 0; nibble < 8; nibble++) {
            int row, chunk;
            if (!metadata_place(form, selector, lane, nibble, &row, &chunk)) continue;
            in[lane].e &= ~(15U << 4 * nibble);
            in[lane].e |= m->chunk[row][chunk] << 4 * nibble;
        }
    }
}

static int expected_of(const struct form *form, const struct matrices *m, int row, int n)
{
    int sum = m->c[row][n];
    for (int k = 0; k < form->k; k++) {
        const int a = m->a[row][k], b = m->b[k][n];
        sum += form->op == '^' ? a ^ b : a * b;
    }
    return sum;
}

static void check_form(const struct form *form, int selector, uint32_t seed)
{
    static struct matrices m;
    struct lane in[LANES] = {0};
    struct result out[LANES];
    const int bits = elements[form->a].bits, packed = form->d == F16 ? 2 : 1;
    const int counts[] = {form->m / 4 / packed,
                          form->m * form->k * bits / 1024 / (form->selectors ? 2 : 1),
                          8 * form->k * bits / 1024, form->m / 4 / packed};
    fill(form, &m, seed);
    deal(form, &m, in);
    deal_metadata(form, &m, selector, in, seed);
    run(form->name, counts, form->selectors ? selector : -1, in, out);
    for (int row = 0; row < form->m; row++)
        for (int n = 0; n < COLUMNS; n++) {
            const uint32_t *d = out[row % 8 * 4 + n / 2].d;
            const int got = sum_value(form->d, d, row / 8 * 2 + n % 2);
            const int expected = expected_of(form, &m, row, n);
            if (got != expected)
                fail_msg("%s, selector %d: row %d column %d is %d, should be %d",
                         form->name, selector, row, n, got, expected);
        }
}

static void products_equal_the_written_out_sum(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        for (int selector = 0; selector < (forms[i].selectors ? forms[i].selectors : 1);
             selector++)
            for (uint32_t seed = 1; seed <= 4; seed++)
                check_form(&forms[i], selector, seed * 2654435761U + (uint32_t)selector);
}

// ---- m8n8k4: four products, each by 8 lanes ----

// Where element (row, column) of a matrix lies: strides of the bits of the lane in its
// product (0, 1 and the upper half) and of the element in it, as CuTe's SM70 layouts; a
// row is 1, a column 8.
struct quad_layout {
    int lane[3], element[3];
};
static const struct quad_layout a_rows = {{1, 2, 4}, {8, 16, 0}},
                                a_columns = {{8, 16, 4}, {1, 2, 0}},
                                sum_f16 = {{1, 2, 4}, {8, 16, 32}},
                                sum_f32 = {{1, 16, 4}, {8, 2, 32}};

static int quad_place(const struct quad_layout *layout, int lane, int e)
{
    const int bits[] = {lane & 1, lane >> 1 & 1, lane >> 4};
    int place = 0;
    for (int i = 0; i < 3; i++)
        place += bits[i] * layout->lane[i] + (e >> i & 1) * layout->element[i];
    return place;
}

static void check_quads(bool a_col, bool b_col, enum element d, enum element c,
                        uint32_t seed)
{
    int a[4][32], b[4][32], sums[4][64]; // [row + 8 k], [column + 8 k], [row + 8 column]
    struct lane in[LANES] = {0};
    struct result out[LANES];
    char opcode[128];
    const int counts[] = {d == F16 ? 4 : 8, 2, 2, c == F16 ? 4 : 8};
    snprintf(opcode, sizeof opcode, "mma.sync.aligned.m8n8k4.%s.%s.%s.f16.f16.%s",
             a_col ? "col" : "row", b_col ? "col" : "row", d == F16 ? "f16" : "f32",
             c == F16 ? "f16" : "f32");
    for (int q = 0; q < 4; q++)
        for (int i = 0; i < 64; i++) {
            a[q][i % 32] = random_value(F16, &seed),
                     b[q][i % 32] = random_value(F16, &seed);
            sums[q][i] = random_value(F16, &seed);
        }
    for (int l = 0; l < LANES; l++)
        for (int e = 0; e < 8; e++) {
            const int q = l / 4 % 4;
            put(in[l].c, c, e, sums[q][quad_place(c == F16 ? &sum_f16 : &sum_f32, l, e)]);
            if (e >= 4) continue;
            put(in[l].a, F16, e, a[q][quad_place(a_col ? &a_columns : &a_rows, l, e)]);
            put(in[l].b, F16, e, b[q][quad_place(b_col ? &a_rows : &a_columns, l, e)]);
        }
    run(opcode, counts, -1, in, out);
    for (int l = 0; l < LANES; l++)
        for (int e = 0; e < 8; e++) {
            const int q = l / 4 % 4;
            const int at = quad_place(d == F16 ? &sum_f16 : &sum_f32, l, e);
            int expected = sums[q][at];
            for (int k = 0; k < 4; k++)
                expected += a[q][at % 8 + 8 * k] * b[q][at / 8 + 8 * k];
            if (sum_value(d, out[l].d, e) != expected)
                fail_msg("%s: lane %d element %d is %d, should be %d", opcode, l, e,
                         sum_value(d, out[l].d, e), expected);
        }
}

static void four_products_of_eight_lanes_equal_the_written_out_sums(void **state)
{
    (void)state;
    for (unsigned layout = 0; layout < 4; layout++) {
        check_quads(layout & 1, layout & 2, F32, F32, 17 + layout);
        check_quads(layout & 1, layout & 2, F32, F16, 27 + layout);
        check_quads(layout & 1, layout & 2, F16, F16, 37 + layout);
    }
}

// ---- what GPUs do not have ----

static void what_no_gpu_has_is_refused(void **state)
{
    static const char *const opcodes[] = {
        "mma.sync.aligned.m16n8k16.col.row.f32.f16.f16.f32 {%d0,%d1,%d2,%d3},"
        "{%a0,%a1,%a2,%a3},{%b0,%b1},{%c0,%c1,%c2,%c3}",
        "mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f32 {%d0,%d1,%d2,%d3},{%a0,%a1},"
        "{%b0,%b1},{%c0,%c1,%c2,%c3,%c4,%c5,%c6,%c7}",
        "mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32 {%d0,%d1},{%a0},{%b0},{%c0,%c1}",
        "mma.sp.sync.aligned.m16n8k64.row.col.s32.s8.u8.s32 {%d0,%d1,%d2,%d3},"
        "{%a0,%a1,%a2,%a3},{%b0,%b1,%b2,%b3},{%c0,%c1,%c2,%c3},%e,1",
        "mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%d0,%d1,%d2,%d3},"
        "{%a0,%a1},{%b0,%b1},{%c0,%c1,%c2,%c3},%e,4",
    };
    char text[1024];
    struct emu emu;
    (void)state;
    emu_open(&emu);
    for (size_t i = 0; i < sizeof opcodes / sizeof *opcodes; i++) {
        snprintf(text, sizeof text,
                 ".version 9.0\n.target sm_90a\n.address_size 64\n.visible .entry k() {\n"
                 ".reg .b32 %%a<4>, %%b<4>, %%c<8>, %%d<8>, %%e;\n%s;\n}\n",
                 opcodes[i]);
        if (emu_load(&emu, text, "k")) fail_msg("taken: %s", opcodes[i]);
    }
    emu_close(&emu);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(products_equal_the_written_out_sum),
    cmocka_unit_test(four_products_of_eight_lanes_equal_the_written_out_sums),
    cmocka_unit_test(what_no_gpu_has_is_refused),
};

HONE_TEST_MAIN(tests)
