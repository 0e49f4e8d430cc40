// Which arguments a kernel takes: by its PTX always, by its source or its C++ name where
// they tell more. What cannot be told passes.
#include <string.h>

#include "arguments.h"
#include "hone_test.h"
#include "render/declaration.h"

enum { ARGS_MAX = 6 };

struct row {
    const char *params; // of the PTX, with '.param' left out
    const char *source; // NULL: nothing of the kernel
    struct hone_job_arg args[ARGS_MAX];
    const char *wrong; // in the text; NULL: they fit
};

#define BUFFER(NAME, DTYPE)                                                              \
    {                                                                                    \
        .name = NAME, .kind = HONE_ARG_INPUT, .dtype = HONE_##DTYPE, .count = 64         \
    }
#define NUMBER(NAME, DTYPE)                                                              \
    {                                                                                    \
        .name = NAME, .kind = HONE_ARG_SCALAR, .dtype = HONE_##DTYPE, .value = {         \
            .type = HONE_INT,                                                            \
            .i = 3                                                                       \
        }                                                                                \
    }
#define NOTHING                                                                          \
    {                                                                                    \
        .name = "none", .kind = HONE_ARG_SCALAR, .dtype = HONE_U64, .value = {           \
            .type = HONE_INT                                                             \
        }                                                                                \
    }
#define FILTER(DTYPE, COUNT)                                                             \
    {                                                                                    \
        .name = "w", .kind = HONE_ARG_CONSTANT, .dtype = HONE_##DTYPE, .count = COUNT    \
    }
#define MAP                                                                              \
    {                                                                                    \
        .name = "a", .kind = HONE_ARG_INPUT, .dtype = HONE_F16, .count = 64, .map = {    \
            .rank = 2                                                                    \
        }                                                                                \
    }

static const char axpy_ptx[] = ".u64 a, .u64 b, .f32 c, .u32 d";
static const char axpy[] =
    "// k(double *x) is another one: '\"'\n"
    "template <class T> __device__ void f(T *p, int n) { p[n] = \"k(\"[0]; }\n"
    "extern \"C\" __global__ void __launch_bounds__(256, 2)\n"
    "    k(const float *__restrict__ x, float * y, /* of x */ float alpha, const int n)\n"
    "{ f(y, n); }\n";

static void check(const struct row *row)
{
    char ptx[1024] = ".version 9.0\n.visible .entry other(.param .u64 x) { ret; }\n"
                     ".visible .entry k(\n";
    for (const char *p = row->params; *p;) {
        const size_t used = strlen(ptx);
        p += *p == ' ';
        snprintf(ptx + used, sizeof ptx - used, "\t.param %.*s%s\n", (int)strcspn(p, ","),
                 p, p[strcspn(p, ",")] ? "," : "");
        p += strcspn(p, ",");
        p += *p == ',';
    }
    strcat(ptx, ")\n{ ret; }\n");
    struct hone_job job = {.entry = "k",
                           .source = (char *)(uintptr_t)(row->source ? row->source : "")};
    const struct hone_build build = {.ptx = ptx, .ptx_size = strlen(ptx)};
    struct hone_misfit misfit;
    job.args = row->args;
    while (job.arg_count < ARGS_MAX && row->args[job.arg_count].name)
        job.arg_count++;
    const bool fits = hone_arguments_fit(&build, &job, &misfit);
    if (fits != !row->wrong || (row->wrong && !strstr(misfit.text, row->wrong)))
        fail_msg("k(%s)\n  said: %s\n  expected: %s", row->params,
                 fits ? "nothing" : misfit.text, row->wrong ? row->wrong : "nothing");
}

static void what_a_kernel_does_not_take_is_named_with_the_way_out(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {axpy_ptx,
         axpy,
         {BUFFER("x", F32), BUFFER("y", F32), NUMBER("alpha", F32), NUMBER("N", F32)},
         "argument 4 'N' is hone.f32, 4 bytes; parameter 4 of 'k' is 'const int n', 4 "
         "bytes: use hone.i32"},
        {axpy_ptx,
         axpy,
         {BUFFER("x", F32), BUFFER("y", F64), NUMBER("alpha", F32), NUMBER("N", I32)},
         "argument 2 'y' is hone.input of f64; parameter 2 of 'k' is 'float * y', 8 "
         "bytes: give the buffer f32"},
        {axpy_ptx,
         axpy,
         {BUFFER("x", F32), BUFFER("y", F32), BUFFER("alpha", F32), NUMBER("N", I32)},
         "argument 3 'alpha' is hone.input of f32; parameter 3 of 'k' is 'float alpha', "
         "4 bytes: use hone.f32"},
        {axpy_ptx,
         axpy,
         {BUFFER("x", F32), NUMBER("y", I64), NUMBER("alpha", F32), NUMBER("N", I32)},
         "argument 2 'y' is hone.i64, 8 bytes; parameter 2 of 'k' is 'float * y', 8 "
         "bytes: it takes an address"},
        {axpy_ptx,
         axpy,
         {BUFFER("x", F32), BUFFER("y", F32), NUMBER("N", I32)},
         "3 arguments, 'k' takes 4: they part at argument 3 'N' and 'float alpha'"},
        {axpy_ptx,
         axpy,
         {BUFFER("x", F32), BUFFER("y", F32), NUMBER("alpha", F32)},
         "3 arguments, 'k' takes 4: parameter 4, 'const int n', 4 bytes, gets none"},
        {axpy_ptx,
         axpy,
         {BUFFER("x", F32), BUFFER("y", F32), NUMBER("a", F32), NUMBER("N", I32),
          NUMBER("M", I32)},
         "5 arguments, 'k' takes 4: argument 5 'M' is too many"},
        // Without a source the PTX alone tells.
        {".u32 n", NULL, {NUMBER("n", F32)}, "is an integer of 4 bytes: use hone.i32"},
        {".f64 d", NULL, {BUFFER("x", F32)}, "use hone.f64"},
        {".u64 .ptr .align 1 p", NULL, {NUMBER("p", I64)}, "it takes an address"},
        {".align 4 .b8 w[36]",
         NULL,
         {FILTER(F32, 8)},
         "hone.constant of 8 f32, 32 bytes"},
        {".align 8 .b8 m[128]", NULL, {MAP}, "const __grid_constant__ CUtensorMap"},
        {".u64 p",
         "extern \"C\" __global__ void k(__half *p);",
         {BUFFER("p", F32)},
         "give the buffer f16"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check(&rows[i]);
}

#define TAKES(TYPE, DTYPE, WRONG)                                                        \
    {                                                                                    \
        ".u64 p", "__global__ void k(const " TYPE " *p)", {BUFFER("p", DTYPE)}, WRONG    \
    }

// Numbers of one kind are not those of the other, unless a kernel takes words of bits.
static void integers_and_floating_numbers_are_told_apart(void **state)
{
    (void)state;
    static const struct row rows[] = {
        TAKES("float", I32,
              "argument 1 'p' is hone.input of i32; parameter 1 of 'k' is 'const float "
              "*p', 8 bytes: give the buffer f32, or let the kernel take its type or "
              "void *"),
        TAKES("float", U32, "give the buffer f32"),
        TAKES("float", I64, "give the buffer f32"),
        TAKES("double", I32, "give the buffer f64"),
        TAKES("__half", I32, "give the buffer f16"),
        TAKES("__half", F32, "give the buffer f16"),
        TAKES("__half", BF16, "give the buffer f16"),
        TAKES("int", F32, "give the buffer i32"),
        TAKES("int", F64, "give the buffer i32"),
        TAKES("int", I64, "give the buffer i32"),
        TAKES("long long", F64, "give the buffer i64"),
        TAKES("short", F32, "give the buffer i16"),
        TAKES("unsigned", F32, NULL),
        TAKES("unsigned", BF16, NULL),
        TAKES("unsigned", I64, NULL),
        TAKES("unsigned long long", F64, NULL),
        TAKES("size_t", F32, NULL),
        TAKES("unsigned short", F16, NULL),
        TAKES("short", BF16, NULL),
        TAKES("char", F32, NULL),
        TAKES("unsigned char", E4M3, NULL),
        TAKES("void", I32, NULL),
        TAKES("uint4", I32, NULL),
        TAKES("int2", F32, NULL),
        TAKES("bool", U8, NULL),
        TAKES("int", U32, NULL),
        TAKES("int", I8, NULL),
        TAKES("int", F16, NULL),
        TAKES("long long", I32, NULL),
        TAKES("float", I8, NULL),
        TAKES("float", F16, "give the buffer f32"),
        TAKES("float", BF16, "give the buffer f32"),
        TAKES("float", E4M3, "give the buffer f32"),
        TAKES("double", F16, "give the buffer f64"),
        TAKES("double", E5M2, "give the buffer f64"),
        TAKES("double", F32, "give the buffer f64"),
        TAKES("__nv_bfloat16", F32, "give the buffer bf16"),
        TAKES("__nv_fp8_e4m3", F32, "give the buffer e4m3"),
        TAKES("float2", F16, NULL),
        TAKES("float4", BF16, NULL),
        TAKES("double2", F16, NULL),
        TAKES("int4", E4M3, NULL),
        TAKES("uint32_t", F16, NULL),
        TAKES("unsigned", E4M3, NULL),
        TAKES("unsigned long long", BF16, NULL),
        TAKES("half2", F16, NULL),
        TAKES("__half", U16, NULL),
        TAKES("__nv_fp8_e4m3", E5M2, NULL),
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check(&rows[i]);
}

// A type of another name, a word that holds several elements, a struct: all of these are
// right kernels somewhere.
static void what_may_be_right_passes(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {axpy_ptx,
         axpy,
         {BUFFER("x", F32), BUFFER("y", F32), NUMBER("alpha", F32), NUMBER("N", I32)},
         NULL},
        {axpy_ptx,
         axpy,
         {BUFFER("x", F32), NOTHING, NUMBER("alpha", F32), NUMBER("N", U32)},
         NULL},
        {"", NULL, {{0}}, NULL},
        {".align 64 .b8 m[128]", NULL, {MAP}, NULL},
        {".align 4 .b8 w[36]", NULL, {FILTER(F32, 9)}, NULL},
        {".align 8 .b8 s[8]", NULL, {BUFFER("p", F32)}, NULL},
        {".align 2 .b8 h[2]", NULL, {NUMBER("h", F16)}, NULL},
        {".u16 h", NULL, {NUMBER("h", BF16)}, NULL},
        {".b32 h", NULL, {NUMBER("h", F32)}, NULL},
        {".u64 p", "__global__ void k(float4 *p)", {BUFFER("p", F32)}, NULL},
        {".u64 p", "__global__ void k(unsigned *p)", {BUFFER("p", F16)}, NULL},
        {".u64 p", "__global__ void k(void *p)", {BUFFER("p", F64)}, NULL},
        {".u64 p", "__global__ void k(float **p)", {BUFFER("p", F64)}, NULL},
        {".u64 p", "__global__ void k(T *p)", {BUFFER("p", F64)}, NULL},
        {".u64 p", "__global__ void k(unsigned long long p)", {BUFFER("p", F64)}, NULL},
        // Two readings that differ: none is trusted.
        {".u64 p", "__global__ void k(float *p, int n)", {BUFFER("p", F64)}, NULL},
        {".u64 p",
         "#if A\n__global__ void k(float *p) {}\n#else\n__global__ void k(double "
         "*p)\n#endif",
         {BUFFER("p", F64)},
         NULL},
        {".u64 p",
         "#define T float\n#define T double\n__global__ void k(T *p) {}",
         {BUFFER("p", F64)},
         NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check(&rows[i]);
}

// A configuration of a template can have other parameters than the next one.
static void only_what_no_configuration_changes_is_the_scripts_fault(void **state)
{
    (void)state;
    static const struct {
        const char *source;
        bool fixed;
    } rows[] = {
        {"__global__ void k(double *p)", true},
        {"#define N 4\n__global__ void k(double *p) { p[N] = 0; }", true},
        {"#define T double\n__global__ void k(T *p)", false},
        {"#define LAST , int\n__global__ void k(double *p LAST)", false},
    };
    const struct hone_build build = {.ptx = ".entry k(.param .u64 p){}"};
    const struct hone_job_arg wrong = NUMBER("p", F32);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct hone_misfit misfit;
        const struct hone_job job = {.entry = "k",
                                     .source = (char *)(uintptr_t)rows[i].source,
                                     .args = &wrong,
                                     .arg_count = 1};
        assert_false(hone_arguments_fit(&build, &job, &misfit));
        assert_int_equal(misfit.fixed, rows[i].fixed);
    }
}

static void mangled_names_tell_their_types(void **state)
{
    (void)state;
    static const struct {
        const char *name, *params; // NULL: it tells nothing
    } rows[] = {
        {"_Z4axpyPKfPffi", "float *|float *|float|int|"},
        {"_ZN2ns1qEPdj", "double *|unsigned int|"},
        {"_ZL1kv", ""},
        {"_Z1kIfLi256EEvPT_y", "? *|unsigned long long|"},
        {"_Z1kP6__halfP13__nv_bfloat16S0_", "__half *|__nv_bfloat16 *|?|"},
        {"_ZN2ns1kILb1ES0_EEvPKd", "double *|"},
        {"axpy", NULL},
        {"_Z4axpyM1SFvvE", NULL},
        {"_Z9", NULL},
        {"_Z4axpyP", NULL},
        {"_ZN", NULL},
        {"_ZN2nsI", NULL},
        {"_Z1k9999f", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct hone_declaration found;
        char text[256] = "";
        const bool told = hone_declaration_of_mangled(&found, rows[i].name);
        for (size_t k = 0; told && k < found.count; k++) {
            strcat(text, found.params[k].text);
            strcat(text, "|");
        }
        if (told != (rows[i].params != NULL) ||
            (told && strcmp(text, rows[i].params) != 0))
            fail_msg("%s: %s", rows[i].name, told ? text : "nothing");
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(what_a_kernel_does_not_take_is_named_with_the_way_out),
    cmocka_unit_test(integers_and_floating_numbers_are_told_apart),
    cmocka_unit_test(what_may_be_right_passes),
    cmocka_unit_test(only_what_no_configuration_changes_is_the_scripts_fault),
    cmocka_unit_test(mangled_names_tell_their_types),
};
HONE_TEST_MAIN(tests)
