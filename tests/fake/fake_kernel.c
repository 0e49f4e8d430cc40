#include "fake/fake_kernel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file.h"

char fake_kernel_folder[64];
static char template_path[96], reference_path[96];

int fake_kernel_set_up(void **state)
{
    (void)state;
    strcpy(fake_kernel_folder, "/tmp/hone-evaluate-XXXXXX");
    if (!mkdtemp(fake_kernel_folder)) return -1;
    snprintf(template_path, sizeof template_path, "%s/scale.cu", fake_kernel_folder);
    snprintf(reference_path, sizeof reference_path, "%s/reference.cu",
             fake_kernel_folder);
    return hone_file_write(template_path, "scale\n", 6, NULL) ||
           hone_file_write(reference_path, "scale_reference\n", 16, NULL);
}

int fake_kernel_tear_down(void **state)
{
    (void)state;
    return unlink(template_path) || unlink(reference_path) || rmdir(fake_kernel_folder);
}

static struct hone_value number(int64_t i)
{
    return (struct hone_value){.type = HONE_INT, .i = i};
}

static struct hone_kernel_def make_def(unsigned flags)
{
    static struct hone_value modes[FAKE_MODES];
    static struct hone_param params[2];
    static struct hone_value twins[] = {{.type = HONE_INT, .i = 0},
                                        {.type = HONE_INT, .i = 1}};
    static const struct hone_constant constants[] = {
        {.name = "N", .value = {.type = HONE_INT, .i = 100}}};
    static const struct hone_value small = {.type = HONE_INT, .i = 16};
    static const struct hone_value ragged = {.type = HONE_INT, .i = 37};
    static const struct hone_problem verify[] = {{&small}, {&ragged}};
    static const char *const defines[] = {"N"};
    static struct hone_arg_def args[] = {
        {.name = "x", .kind = HONE_ARG_INPUT, .dtype = HONE_F32, .size = "N"},
        {.name = "y", .kind = HONE_ARG_OUTPUT, .dtype = HONE_F32},
        {.name = "sum", .kind = HONE_ARG_INOUT, .dtype = HONE_F32, .size = "N"},
        {.name = "count", .kind = HONE_ARG_OUTPUT, .dtype = HONE_I32, .size = "N"},
        {.name = "a", .kind = HONE_ARG_SCALAR, .dtype = HONE_F32, .size = "0.5"},
        {.name = "n", .kind = HONE_ARG_SCALAR, .dtype = HONE_I32, .size = "N"}};
    args[1].size =
        flags & FAKE_SIZE_BY_MODE ? "N == 100 and MODE == 1 and 100000000 or N" : "N";
    for (int i = 0; i < FAKE_MODES; i++)
        modes[i] = number(i);
    params[0] = (struct hone_param){.name = "MODE", .values = modes, .count = FAKE_MODES};
    params[1] = (struct hone_param){.name = "TWIN", .values = twins, .count = 2};
    struct hone_kernel_def def = {
        .name = "scale",
        .source = "scale.lua",
        .template_path = template_path,
        .entry = "scale",
        .space = {.params = params,
                  .param_count = 2,
                  .constants = constants,
                  .constant_count = 1},
        .problem_count = 1,
        .launch = {.grid = {"ceil_div(N, 64)"},
                   .block = {"64"},
                   .shared = "MODE == 12 and 4000 or 0"},
        .args = args,
        .arg_count = 6,
        .reference = {.template_path = reference_path,
                      .entry = "scale_reference",
                      .launch = {.grid = {"1"}, .block = {"64"}}},
        .verify = verify,
        .verify_count = 2,
        .tolerance_relative = "1e-5",
    };
    if (flags & FAKE_NO_REFERENCE) def.reference = (struct hone_reference_def){0};
    if (flags & FAKE_NO_VERIFY_SIZES) def.verify_count = 0;
    if (flags & FAKE_SIZES_DEFINED) {
        def.defines = defines;
        def.define_count = 1;
    }
    return def;
}

enum hone_status fake_kernel_open(struct fake_kernel *k, unsigned flags,
                                  unsigned evaluate_flags, struct hone_error *err)
{
    *k = (struct fake_kernel){0};
    memset(&fake_counts, 0, sizeof fake_counts);
    const struct hone_kernel_def def = make_def(flags);
    enum hone_status status = hone_space_new(&k->space, &def.space, err);
    if (status == HONE_OK) status = hone_kernel_new(&k->kernel, &def, k->space, err);
    if (status != HONE_OK) return status;
    fake_device_init(&k->device, HONE_CLOCK_EVENT);
    const struct hone_evaluate_options options = {.flags = evaluate_flags,
                                                  .data_seed = 1};
    return hone_evaluator_direct(&k->evaluator, k->kernel, &k->device,
                                 &fake_builder_object, &options, err);
}

void fake_kernel_close(struct fake_kernel *k)
{
    hone_evaluator_close(k->evaluator);
    hone_kernel_free(k->kernel);
    hone_space_free(k->space);
}

uint64_t fake_kernel_index(const struct fake_kernel *k, enum fake_mode mode,
                           uint16_t twin)
{
    const uint16_t choices[] = {(uint16_t)mode, twin};
    uint64_t index = UINT64_MAX;
    hone_space_index(k->space, choices, &index);
    return index;
}
