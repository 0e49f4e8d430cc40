// wmma of every shape, type and layout against a product written out: fragments are loaded
// from matrices with a stride of their own, multiplied and stored. Values are small
// integers, so that every type holds them and every sum is exact.
#include <stdlib.h>

#include "emu_kernel.h"

enum { LANES = 32, MOST = 32 * 48 };

struct type {
    const char *name, *reg; // in opcodes, of registers
    unsigned bytes;
};
static const struct type f16 = {"f16", ".b32", 2}, bf16 = {"bf16", ".b32", 2},
                         tf32 = {"tf32", ".b32", 4}, f32 = {"f32", ".f32", 4},
                         s8 = {"s8", ".b32", 1}, u8 = {"u8", ".b32", 1},
                         s32 = {"s32", ".b32", 4}, f64 = {"f64", ".f64", 8};

struct product {
    unsigned m, n, k;
    const struct type *a, *b, *c, *d;
    unsigned a_registers, b_registers, c_registers, d_registers;
};

// ---- memory ----

// The f16 of a whole number below 2048, and the reverse.
static uint16_t half_of(int value)
{
    const unsigned size = (unsigned)abs(value);
    unsigned exponent = 0;
    if (size == 0) return 0;
    while (size >> (exponent + 1))
        exponent++;
    const unsigned fraction = (size << (10 - exponent)) & 0x3ff;
    return (uint16_t)((value < 0 ? 0x8000U : 0U) | (exponent + 15) << 10 | fraction);
}

static int value_of(uint16_t half)
{
    const int exponent = (half >> 10 & 31) - 15;
    const int size = exponent < 0 ? 0 : (0x400 | (half & 0x3ff)) >> (10 - exponent);
    return half & 0x8000 ? -size : size;
}

static void put(uint8_t *to, const struct type *type, int value)
{
    const float single = (float)value;
    const double wide = value;
    const uint16_t half = half_of(value);
    uint32_t word;
    memcpy(&word, &single, sizeof word);
    const uint16_t brain = (uint16_t)(word >> 16);
    if (type == &f16) memcpy(to, &half, 2);
    if (type == &bf16) memcpy(to, &brain, 2);
    if (type == &f32 || type == &tf32) memcpy(to, &single, 4);
    if (type == &f64) memcpy(to, &wide, 8);
    if (type == &s32) memcpy(to, &value, 4);
    if (type == &s8 || type == &u8) *to = (uint8_t)value;
}

static int get(const uint8_t *from, const struct type *type)
{
    float single;
    double wide;
    int whole;
    uint16_t half;
    memcpy(&half, from, 2);
    if (type == &f16) return value_of(half);
    memcpy(&single, from, 4);
    if (type == &f32) return (int)single;
    memcpy(&whole, from, 4);
    if (type == &s32) return whole;
    memcpy(&wide, from, 8);
    return (int)wide;
}

struct matrix {
    int values[32][32];
    unsigned rows, columns, stride;
    bool by_columns;
    const struct type *type;
    uint8_t bytes[MOST * 8];
};

static uint8_t *place(struct matrix *x, unsigned row, unsigned column)
{
    const unsigned at =
        x->by_columns ? column * x->stride + row : row * x->stride + column;
    return x->bytes + (size_t)at * x->type->bytes;
}

static void fill(struct matrix *x, unsigned rows, unsigned columns, bool by_columns,
                 const struct type *type, int least, unsigned seed)
{
    memset(x, 0, sizeof *x);
    x->rows = rows, x->columns = columns, x->by_columns = by_columns, x->type = type;
    x->stride = (by_columns ? rows : columns) + 16;
    for (unsigned r = 0; r < rows; r++)
        for (unsigned c = 0; c < columns; c++) {
            seed = seed * 1103515245 + 12345;
            x->values[r][c] = least + (int)(seed >> 16) % 6;
            put(place(x, r, c), type, x->values[r][c]);
        }
}

// ---- kernels ----

static size_t list(char *out, size_t size, const char *name, unsigned count)
{
    size_t used = (size_t)snprintf(out, size, "{");
    for (unsigned r = 0; r < count; r++)
        used +=
            (size_t)snprintf(out + used, size - used, "%s%%%s%u", r ? "," : "", name, r);
    return used + (size_t)snprintf(out + used, size - used, "}");
}

static const char *layout(const struct matrix *x)
{
    return x->by_columns ? "col" : "row";
}

static void write_kernel(char *out, size_t size, const struct product *p,
                         const struct matrix *a, const struct matrix *b,
                         const struct matrix *c, const struct matrix *d,
                         const char *space)
{
    char regs[4][128], types[64];
    const bool halves = p->a == &f16;
    list(regs[0], sizeof regs[0], "a", p->a_registers);
    list(regs[1], sizeof regs[1], "b", p->b_registers);
    list(regs[2], sizeof regs[2], "c", p->c_registers);
    list(regs[3], sizeof regs[3], "d", p->d_registers);
    if (halves)
        snprintf(types, sizeof types, "%s.%s", p->d->name, p->c->name);
    else
        snprintf(types, sizeof types, "%s.%s.%s.%s", p->d->name, p->a->name, p->b->name,
                 p->c->name);
    snprintf(out, size,
             ".version 9.0\n.target sm_90a\n.address_size 64\n"
             ".visible .entry k(.param .u64 pa, .param .u64 pb, .param .u64 pc,\n"
             " .param .u64 pd) {\n"
             ".reg %s %%a<8>; .reg %s %%b<8>; .reg %s %%c<8>; .reg %s %%d<8>;\n"
             ".reg .b64 %%x<4>; .reg .b32 %%s;\n"
             "ld.param.u64 %%x0, [pa]; ld.param.u64 %%x1, [pb];\n"
             "ld.param.u64 %%x2, [pc]; ld.param.u64 %%x3, [pd]; mov.u32 %%s, %u;\n"
             "wmma.load.a.sync.aligned.%s.m%un%uk%u%s.%s %s, [%%x0], %u;\n"
             "wmma.load.b.sync.aligned.%s.m%un%uk%u%s.%s %s, [%%x1], %%s;\n"
             "wmma.load.c.sync.aligned.%s.m%un%uk%u%s.%s %s, [%%x2], %u;\n"
             "wmma.mma.sync.aligned.row.col.m%un%uk%u.%s %s, %s, %s, %s;\n"
             "wmma.store.d.sync.aligned.%s.m%un%uk%u%s.%s [%%x3], %s, %u;\nret;\n}\n",
             p->a->reg, p->b->reg, p->c->reg, p->d->reg, b->stride, layout(a), p->m, p->n,
             p->k, space, p->a->name, regs[0], a->stride, layout(b), p->m, p->n, p->k,
             space, p->b->name, regs[1], layout(c), p->m, p->n, p->k, space, p->c->name,
             regs[2], c->stride, p->m, p->n, p->k, types, regs[3], regs[0], regs[1],
             regs[2], layout(d), p->m, p->n, p->k, space, p->d->name, regs[3], d->stride);
}

static void check_result(const struct product *p, const struct matrix *a,
                         const struct matrix *b, const struct matrix *c, struct matrix *d)
{
    for (unsigned r = 0; r < p->m; r++)
        for (unsigned n = 0; n < p->n; n++) {
            int sum = c->values[r][n];
            for (unsigned k = 0; k < p->k; k++)
                sum += a->values[r][k] * b->values[k][n];
            const int got = get(place(d, r, n), d->type);
            if (got != sum)
                fail_msg("m%un%uk%u %s %s: (%u,%u) is %d, not %d", p->m, p->n, p->k,
                         p->a->name, p->d->name, r, n, got, sum);
        }
}

// layouts: a bit each for A, B, C and D that is by columns.
static void check_product(const struct product *p, unsigned layouts, const char *space)
{
    static struct matrix a, b, c, d;
    static char text[8192];
    struct emu emu;
    const int least = p->a == &u8 ? 0 : -3;
    fill(&a, p->m, p->k, layouts & 1, p->a, least, 1 + layouts);
    fill(&b, p->k, p->n, layouts & 2, p->b, p->b == &u8 ? 0 : -3, 77 + layouts);
    fill(&c, p->m, p->n, layouts & 4, p->c, -3, 5);
    fill(&d, p->m, p->n, layouts & 8, p->d, 0, 9);
    write_kernel(text, sizeof text, p, &a, &b, &c, &d, space);
    emu_open(&emu);
    if (!emu_load(&emu, text, "k")) fail_msg("%s: %s", text, emu.fault.reason);
    struct matrix *const all[] = {&a, &b, &c, &d};
    hone_devptr at[4];
    struct emu_args args = {0};
    for (size_t i = 0; i < 4; i++) {
        at[i] = emu_buffer(&emu, all[i]->bytes, sizeof all[i]->bytes);
        EMU_ARG(args, at[i]);
    }
    struct hone_launch launch = emu_geometry(&args, 1, LANES);
    launch.check = true;
    if (!emu_run(&emu, &launch)) fail_msg("%s: %s", text, emu.fault.reason);
    emu_fetch(&emu, d.bytes, at[3], sizeof d.bytes);
    emu_close(&emu);
    check_result(p, &a, &b, &c, &d);
}

static void check_layouts(const struct product *p, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (unsigned layouts = 0; layouts < 16; layouts++)
            check_product(&p[i], layouts, layouts % 3 ? ".global" : "");
}

#define CHECK(products) check_layouts(products, sizeof(products) / sizeof *(products))

static void products_of_halves(void **state)
{
    (void)state;
    static const struct product products[] = {
        {16, 16, 16, &f16, &f16, &f32, &f32, 8, 8, 8, 8},
        {16, 16, 16, &f16, &f16, &f16, &f16, 8, 8, 4, 4},
        {16, 16, 16, &f16, &f16, &f16, &f32, 8, 8, 4, 8},
        {16, 16, 16, &f16, &f16, &f32, &f16, 8, 8, 8, 4},
        {8, 32, 16, &f16, &f16, &f32, &f32, 8, 8, 8, 8},
        {8, 32, 16, &f16, &f16, &f16, &f16, 8, 8, 4, 4},
        {32, 8, 16, &f16, &f16, &f32, &f32, 8, 8, 8, 8},
        {32, 8, 16, &f16, &f16, &f16, &f16, 8, 8, 4, 4},
        {16, 16, 16, &bf16, &bf16, &f32, &f32, 4, 4, 8, 8},
        {8, 32, 16, &bf16, &bf16, &f32, &f32, 2, 8, 8, 8},
        {32, 8, 16, &bf16, &bf16, &f32, &f32, 8, 2, 8, 8},
    };
    CHECK(products);
}

static void products_of_bytes(void **state)
{
    (void)state;
    static const struct product products[] = {
        {16, 16, 16, &s8, &s8, &s32, &s32, 2, 2, 8, 8},
        {8, 32, 16, &s8, &s8, &s32, &s32, 1, 4, 8, 8},
        {32, 8, 16, &s8, &s8, &s32, &s32, 4, 1, 8, 8},
        {16, 16, 16, &u8, &u8, &s32, &s32, 2, 2, 8, 8},
        {8, 32, 16, &u8, &u8, &s32, &s32, 1, 4, 8, 8},
        {32, 8, 16, &u8, &u8, &s32, &s32, 4, 1, 8, 8},
    };
    CHECK(products);
}

static void products_of_singles_and_doubles(void **state)
{
    (void)state;
    static const struct product products[] = {
        {16, 16, 8, &tf32, &tf32, &f32, &f32, 4, 4, 8, 8},
        {8, 8, 4, &f64, &f64, &f64, &f64, 1, 1, 2, 2},
    };
    CHECK(products);
}

// A tile in shared memory, by a name with an offset, by 32 bits and by a generic address.
static void tiles_of_shared_memory(void **state)
{
    (void)state;
    static const char *const loads[][2] = {
        {"wmma.load.c.sync.aligned.row.m16n16k16.shared.f32", "tile+64"},
        {"wmma.load.c.sync.aligned.row.m16n16k16.f32", "tile+64"},
        {"mov.u32 %a1, tile; wmma.load.c.sync.aligned.row.m16n16k16.shared::cta.f32",
         "%a1+64"},
        {"mov.u64 %x2, tile; cvta.shared.u64 %x2, %x2; "
         "wmma.load.c.sync.aligned.row.m16n16k16.f32",
         "%x2+64"}};
    static const char fragment[] = "{%f0,%f1,%f2,%f3,%f4,%f5,%f6,%f7}";
    for (size_t i = 0; i < sizeof loads / sizeof *loads; i++) {
        char load[256], text[2048];
        float out[256];
        struct emu emu;
        snprintf(load, sizeof load, "%s %s, [%s], 24;", loads[i][0], fragment,
                 loads[i][1]);
        snprintf(
            text, sizeof text,
            ".version 9.0\n.target sm_80\n.address_size 64\n"
            ".visible .entry k(.param .u64 p) {\n"
            ".reg .b32 %%a<4>; .reg .b64 %%x<4>; .reg .f32 %%f<9>; .reg .pred %%p;\n"
            ".shared .align 32 .b8 tile[2048];\n"
            "ld.param.u64 %%x0, [p]; mov.u32 %%a0, %%tid.x;\n"
            "LOOP: cvt.rn.f32.u32 %%f8, %%a0; shl.b32 %%a2, %%a0, 2;\n"
            "mov.u32 %%a3, tile; add.u32 %%a2, %%a2, %%a3; st.shared.f32 [%%a2], %%f8;\n"
            "add.u32 %%a0, %%a0, 32; setp.lt.u32 %%p, %%a0, 512; @%%p bra LOOP;\n"
            "bar.sync 0;\n%s\n"
            "wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [%%x0], %s;\nret;\n}\n",
            load, fragment);
        emu_open(&emu);
        if (!emu_load(&emu, text, "k")) fail_msg("%s: %s", text, emu.fault.reason);
        hone_devptr p = emu_buffer(&emu, NULL, sizeof out);
        struct emu_args args = {0};
        EMU_ARG(args, p);
        struct hone_launch launch = emu_geometry(&args, 1, LANES);
        launch.check = true;
        if (!emu_run(&emu, &launch)) fail_msg("%s: %s", text, emu.fault.reason);
        emu_fetch(&emu, out, p, sizeof out);
        for (unsigned k = 0; k < 256; k++)
            assert_int_equal((int)out[k], 16 + k / 16 * 24 + k % 16);
        emu_close(&emu);
    }
}

// ---- elements of fewer than 8 bits ----

static const struct narrow {
    const char *type, *op; // of the elements; between wmma.mma and .sync
    unsigned k, bits;
    int least, most;
} narrows[] = {{"s4", "", 32, 4, -8, 7},
               {"u4", "", 32, 4, 0, 15},
               {"b1", ".xor.popc", 128, 1, 0, 1},
               {"b1", ".and.popc", 128, 1, 0, 1}};

// Eight rows of A, or columns of B, a stride of k + 32 elements apart.
struct strip {
    int values[8][128];
    uint32_t words[8 * 8];
};

static void fill_strip(struct strip *x, const struct narrow *narrow, unsigned seed)
{
    memset(x, 0, sizeof *x);
    for (unsigned r = 0; r < 8; r++)
        for (unsigned k = 0; k < narrow->k; k++) {
            const unsigned bit = (r * (narrow->k + 32) + k) * narrow->bits;
            seed = seed * 1103515245 + 12345;
            x->values[r][k] =
                narrow->least + (int)(seed >> 16) % (narrow->most - narrow->least + 1);
            x->words[bit / 32] |= ((uint32_t)x->values[r][k] & ((1U << narrow->bits) - 1))
                                  << bit % 32;
        }
}

static void check_narrow(const struct narrow *narrow, const char *space)
{
    static struct strip a, b;
    char text[2048];
    int c[128], d[128]; // C and, behind it, D
    struct emu emu;
    fill_strip(&a, narrow, 3), fill_strip(&b, narrow, 5);
    for (int i = 0; i < 128; i++)
        c[i] = 7 * i - 99;
    snprintf(text, sizeof text,
             ".version 9.0\n.target sm_80\n.address_size 64\n"
             ".visible .entry k(.param .u64 pa, .param .u64 pb, .param .u64 pc) {\n"
             ".reg .b32 %%a, %%b, %%c<2>, %%s; .reg .b64 %%x<3>;\n"
             "ld.param.u64 %%x0, [pa]; ld.param.u64 %%x1, [pb];\n"
             "ld.param.u64 %%x2, [pc]; mov.u32 %%s, %u;\n"
             "wmma.load.a.sync.aligned.row.m8n8k%u%s.%s {%%a}, [%%x0], %%s;\n"
             "wmma.load.b.sync.aligned.col.m8n8k%u%s.%s {%%b}, [%%x1], %u;\n"
             "wmma.load.c.sync.aligned.row.m8n8k%u%s.s32 {%%c0,%%c1}, [%%x2];\n"
             "wmma.mma%s.sync.aligned.row.col.m8n8k%u.s32.%s.%s.s32 {%%c0,%%c1},"
             "{%%a},{%%b},{%%c0,%%c1};\n"
             "wmma.store.d.sync.aligned.col.m8n8k%u%s.s32 [%%x2+256], {%%c0,%%c1}, 8;\n"
             "ret;\n}\n",
             narrow->k + 32, narrow->k, space, narrow->type, narrow->k, space,
             narrow->type, narrow->k + 32, narrow->k, space, narrow->op, narrow->k,
             narrow->type, narrow->type, narrow->k, space);
    emu_open(&emu);
    if (!emu_load(&emu, text, "k")) fail_msg("%s: %s", text, emu.fault.reason);
    hone_devptr at[] = {emu_buffer(&emu, a.words, sizeof a.words),
                        emu_buffer(&emu, b.words, sizeof b.words),
                        emu_buffer(&emu, c, sizeof c)};
    struct emu_args args = {0};
    for (size_t i = 0; i < 3; i++)
        EMU_ARG(args, at[i]);
    struct hone_launch launch = emu_geometry(&args, 1, LANES);
    launch.check = true;
    if (!emu_run(&emu, &launch)) fail_msg("%s: %s", text, emu.fault.reason);
    emu_fetch(&emu, d, at[2], sizeof d);
    emu_close(&emu);
    for (int i = 0; i < 64; i++) {
        int sum = c[i];
        for (unsigned k = 0; k < narrow->k; k++) {
            const int x = a.values[i / 8][k], y = b.values[i % 8][k];
            sum += narrow->op[1] == 'x' ? x ^ y : x * y;
        }
        assert_int_equal(d[64 + i % 8 * 8 + i / 8], sum); // D is by columns
    }
}

static void products_of_nibbles_and_bits(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof narrows / sizeof *narrows; i++) {
        check_narrow(&narrows[i], ".global");
        check_narrow(&narrows[i], "");
    }
}

static void other_forms_are_refused_by_name(void **state)
{
    (void)state;
    static const struct {
        const char *statement, *words;
    } cases[] = {
        {"wmma.load.a.sync.aligned.col.m8n8k32.global.s4 {%a0}, [%x0];",
         "wmma.load.a.sync.aligned.col.m8n8k32.global.s4"},
        {"wmma.mma.sync.aligned.row.col.m8n8k128.s32.b1.b1.s32 {%a0,%a1},{%a2},{%a3},"
         "{%a4,%a5};",
         "wmma.mma.sync.aligned.row.col.m8n8k128.s32.b1.b1.s32"},
        {"wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {%a0,%a1}, [%x0];",
         "2 registers of a fragment that has 8"},
        {"wmma.load.c.sync.aligned.row.m16n16k16.global.f32 {%a0}, %a1;",
         "wrong operands of wmma.load.c"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1024];
        struct emu emu;
        snprintf(text, sizeof text,
                 ".version 9.0\n.target sm_90a\n.address_size 64\n"
                 ".visible .entry k(.param .u64 p) {\n.reg .b32 %%a<8>; .reg .b64 %%x0;\n"
                 "ld.param.u64 %%x0, [p];\n%s\nret;\n}\n",
                 cases[i].statement);
        emu_open(&emu);
        assert_false(emu_load(&emu, text, "k"));
        if (!strstr(emu.fault.reason, cases[i].words)) fail_msg("%s", emu.fault.reason);
        emu_close(&emu);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(products_of_halves),
    cmocka_unit_test(products_of_bytes),
    cmocka_unit_test(products_of_nibbles_and_bits),
    cmocka_unit_test(products_of_singles_and_doubles),
    cmocka_unit_test(tiles_of_shared_memory),
    cmocka_unit_test(other_forms_are_refused_by_name),
};

HONE_TEST_MAIN(tests)
