#include "fake/scale_kernel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"

char scale_folder[64];
static char template_path[96], reference_path[96];

// Modes as in enum scale_mode. Also compiled as C++ by NVRTC, for a real device.
static const char template_text[] =
    "#ifdef N\n"
    "static_assert(N == 16 || N == 37 || N == 100, \"a problem size\");\n"
    "#endif\n"
    "extern \"C\" __global__ void scale(const float *x, float *y, float *sum, int "
    "*count,\n"
    "                                 float a, int n)\n"
    "{\n"
    "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "#if MODE == 11\n"
    "    this does not compile;\n"
    "#endif\n"
    "    while (MODE == 10 && *(volatile float *)sum < 1e30f) {}\n"
    "    if (MODE == 4 && i == 0) y[n] = 1;\n"
    "    if (MODE == 5 && i == 0) y[-1] = 1;\n"
    "    if (i >= n) return;\n"
    "    sum[i] += x[i];\n"
    "    if (MODE == 6 && i == 5) return;\n"
    "    y[i] = a * x[i] * (MODE == 1 ? 1.0f + 1.0f / (1 << 20) : 1.0f);\n"
    "    count[i] = i + (MODE == 3 && i == 2);\n"
    "    if ((MODE == 2 || (MODE == 9 && n % 4)) && i == 3) y[i] += 0.25f;\n"
    "    if (MODE == 16 && n == 100 && i == 3) y[i] += 0.25f;\n"
    "    if (MODE == 7 && i == 2) const_cast<float *>(x)[i] = 9;\n"
    "    if (MODE == 8 && i == 7) y[i] = __int_as_float(0x7fc00000);\n"
    "}\n";
static const char reference_text[] =
    "extern \"C\" __global__ void scale_reference(const float *x, float *y, float *sum,\n"
    "                                           int *count, float a, int n)\n"
    "{\n"
    "    for (int i = threadIdx.x; i < n; i += blockDim.x) {\n"
    "        y[i] = a * x[i];\n"
    "        sum[i] += x[i];\n"
    "        count[i] = i;\n"
    "    }\n"
    "}\n";

int scale_set_up(void **state)
{
    (void)state;
    strcpy(scale_folder, "/tmp/hone-evaluate-XXXXXX");
    if (!mkdtemp(scale_folder)) return -1;
    snprintf(template_path, sizeof template_path, "%s/scale.cu", scale_folder);
    snprintf(reference_path, sizeof reference_path, "%s/reference.cu", scale_folder);
    return hone_file_write(template_path, template_text, sizeof template_text - 1,
                           NULL) ||
           hone_file_write(reference_path, reference_text, sizeof reference_text - 1,
                           NULL);
}

int scale_tear_down(void **state)
{
    (void)state;
    return unlink(template_path) || unlink(reference_path) || rmdir(scale_folder);
}

static struct hone_space_def make_space(void)
{
    static struct hone_value modes[SCALE_MODES];
    static const struct hone_value twins[] = {{.type = HONE_INT, .i = 0},
                                              {.type = HONE_INT, .i = 1}};
    static const struct hone_param params[] = {
        {.name = "MODE", .values = modes, .count = SCALE_MODES},
        {.name = "TWIN", .values = twins, .count = 2}};
    static const struct hone_constant constants[] = {
        {.name = "N", .value = {.type = HONE_INT, .i = 100}}};
    for (int i = 0; i < SCALE_MODES; i++)
        modes[i] = (struct hone_value){.type = HONE_INT, .i = i};
    return (struct hone_space_def){
        .params = params, .param_count = 2, .constants = constants, .constant_count = 1};
}

static void set_args(struct hone_kernel_def *def, unsigned flags)
{
    static const struct hone_tolerance_def own = {.relative =
                                                      "TWIN == 1 and 2e-6 or 2e-7"};
    static struct hone_arg_def args[] = {
        {.name = "x", .kind = HONE_ARG_INPUT, .dtype = HONE_F32, .size = "N"},
        {.name = "y", .kind = HONE_ARG_OUTPUT, .dtype = HONE_F32},
        {.name = "sum", .kind = HONE_ARG_INOUT, .dtype = HONE_F32, .size = "N"},
        {.name = "count", .kind = HONE_ARG_OUTPUT, .dtype = HONE_I32, .size = "N"},
        {.name = "a", .kind = HONE_ARG_SCALAR, .dtype = HONE_F32, .size = "0.5"},
        {.name = "n", .kind = HONE_ARG_SCALAR, .dtype = HONE_I32, .size = "N"}};
    args[1].tolerance = flags & SCALE_OWN_TOLERANCE ? &own : NULL;
    args[1].size =
        flags & SCALE_SIZE_BY_MODE ? "N == 100 and MODE == 1 and 100000000 or N" : "N";
    def->args = args;
    def->arg_count = sizeof args / sizeof *args;
}

// What it is compared with, and at which sizes.
static void set_verification(struct hone_kernel_def *def, unsigned flags)
{
    static const struct hone_value small = {.type = HONE_INT, .i = 16};
    static const struct hone_value ragged = {.type = HONE_INT, .i = 37};
    static const struct hone_problem verify[] = {{&small}, {&ragged}};
    static const struct hone_draw_choice range = {.first = 16, .step = 1, .count = 100};
    static struct hone_draw draw = {.choices = &range};
    static const struct hone_constraint room = {.text = "TWIN + 16 <= N"};
    def->verify = verify;
    def->verify_count = flags & SCALE_NO_VERIFY_SIZES ? 0 : 2;
    if (!(flags & SCALE_NO_REFERENCE))
        def->reference =
            (struct hone_reference_def){.template_path = reference_path,
                                        .entry = "scale_reference",
                                        .launch = {.grid = {"1"}, .block = {"64"}},
                                        .wide = flags & SCALE_WIDE};
    if (!(flags & SCALE_SIZES_DRAWN)) return;
    draw.count = flags & SCALE_MANY_DRAWN ? 20 : 3;
    def->draws = &draw;
    def->draw_count = 1;
    def->space.constraints = &room;
    def->space.constraint_count = 1;
}

static struct hone_kernel_def make_def(unsigned flags)
{
    static const char *const defines[] = {"N"};
    struct hone_kernel_def def = {
        .name = "scale",
        .source = "scale.lua",
        .template_path = template_path,
        .entry = "scale",
        .space = make_space(),
        .problem_count = 1,
        .launch = {.grid = {"ceil_div(N, 64)"},
                   .block = {"64"},
                   .shared = "MODE == 12 and 400000 or 0"},
        .tolerance.relative = "1e-5",
        .defines = defines,
        .define_count = flags & SCALE_SIZES_DEFINED ? 1 : 0,
    };
    set_args(&def, flags);
    set_verification(&def, flags);
    return def;
}

enum hone_status scale_open(struct scale_kernel *k, struct hone_device *device,
                            struct hone_builder *builder, unsigned flags,
                            unsigned evaluate_flags, struct hone_error *err)
{
    *k = (struct scale_kernel){0};
    const struct hone_kernel_def def = make_def(flags);
    enum hone_status status = hone_space_new(&k->space, &def.space, err);
    if (status == HONE_OK) status = hone_kernel_new(&k->kernel, &def, k->space, err);
    if (status != HONE_OK) return status;
    const struct hone_evaluate_options options = {
        .flags = evaluate_flags, .data_seed = 1, .deadline_s = 1};
    return hone_evaluator_direct(&k->evaluator, k->kernel, device, builder, &options,
                                 err);
}

void scale_close(struct scale_kernel *k)
{
    hone_evaluator_close(k->evaluator);
    hone_kernel_free(k->kernel);
    hone_space_free(k->space);
}

uint64_t scale_index(const struct scale_kernel *k, enum scale_mode mode, uint16_t twin)
{
    const uint16_t choices[] = {(uint16_t)mode, twin};
    uint64_t index = UINT64_MAX;
    hone_space_index(k->space, choices, &index);
    return index;
}
