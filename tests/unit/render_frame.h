/* What the suites of rendering share: a definition and its template. */
#ifndef RENDER_FRAME_H
#define RENDER_FRAME_H

#include <math.h>
#include <string.h>

#include "base/file.h"
#include "base/log.h"
#include "hone/kernel.h"
#include "hone/strbuf.h"
#include "hone_test.h"
#include "render/template.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static char folder[] = "/tmp/hone-render-XXXXXX";

// A file beside the template; the path is static.
static inline const char *put(const char *name, const char *text)
{
    static char path[256];
    struct hone_error err = {0};
    snprintf(path, sizeof path, "%s/%s", folder, name);
    char *parent = hone_path_folder(path);
    assert_ok(hone_file_mkdirs(parent, &err), err);
    assert_ok(hone_file_write(path, text, strlen(text), &err), err);
    free(parent);
    return path;
}

static inline struct hone_value integer(int64_t i)
{
    return (struct hone_value){.type = HONE_INT, .i = i};
}

static const char template_text[] = "#ifndef BM\n#define BM 64\n#endif\n"
                                    "#include \"common/tile.cuh\"\n"
                                    "int f = BM; T g; bool h = FAST; float s = SCALE;\n";

// A small matrix kernel over parameters of all four types.
struct fixture {
    struct hone_value bm[3], fast[2], scale[1], t[2], verify[2];
    struct hone_param params[4];
    struct hone_constant constants[3];
    struct hone_derived derived[2];
    struct hone_tolerance_def own; /* of C */
    struct hone_arg_def args[3];
    struct hone_problem problems[1];
    const char *defines[1], *options[1];
    char template_path[256], reference_path[256];
    struct hone_kernel_def def;
    struct hone_space *space;
    struct hone_kernel *kernel;
};

static inline void fill_space(struct fixture *f)
{
    for (int i = 0; i < 3; i++)
        f->bm[i] = integer(32 << i);
    f->fast[1] = f->fast[0] = (struct hone_value){.type = HONE_BOOL};
    f->fast[1].b = true;
    f->scale[0] = (struct hone_value){.type = HONE_FLOAT, .f = 0.5};
    f->t[0] = (struct hone_value){.type = HONE_STRING, .s = "float4"};
    f->t[1] = (struct hone_value){.type = HONE_STRING, .s = "unsigned int"};
    f->params[0] = (struct hone_param){"BM", f->bm, 3};
    f->params[1] = (struct hone_param){"FAST", f->fast, 2};
    f->params[2] = (struct hone_param){"SCALE", f->scale, 1};
    f->params[3] = (struct hone_param){"T", f->t, 2};
    f->constants[0] = (struct hone_constant){"M", integer(100)};
    f->constants[1] = (struct hone_constant){"N", integer(7)};
    f->constants[2] = (struct hone_constant){"device.sm_count", integer(132)};
    f->derived[0] =
        (struct hone_derived){"BLOCKS", "TILES * N", 4}; // before what it reads
    f->derived[1] = (struct hone_derived){"TILES", "ceil_div(M, BM)", 5};
    f->def.space = (struct hone_space_def){.source = "k.lua",
                                           .line = 3,
                                           .params = f->params,
                                           .param_count = 4,
                                           .constants = f->constants,
                                           .constant_count = 3,
                                           .derived = f->derived,
                                           .derived_count = 2};
}

static inline void fill_kernel(struct fixture *f)
{
    f->args[0] = (struct hone_arg_def){.name = "A",
                                       .kind = HONE_ARG_INPUT,
                                       .dtype = HONE_F32,
                                       .size = "M * N",
                                       .line = 21};
    f->own.line = 22;
    f->args[1] = (struct hone_arg_def){.name = "C",
                                       .kind = HONE_ARG_OUTPUT,
                                       .dtype = HONE_F64,
                                       .size = "M",
                                       .tolerance = &f->own,
                                       .line = 22};
    f->args[2] = (struct hone_arg_def){
        .name = "M", .kind = HONE_ARG_SCALAR, .dtype = HONE_I32, .size = "M", .line = 23};
    f->verify[0] = integer(33);
    f->verify[1] = integer(5);
    f->problems[0].values = f->verify;
    f->defines[0] = "N";
    f->options[0] = "--use_fast_math";
    f->def.name = "k";
    f->def.source = "k.lua";
    f->def.template_path = f->template_path;
    f->def.entry = "k";
    f->def.problem_count = 2;
    f->def.launch = (struct hone_launch_def){
        .grid = {"BLOCKS"}, .block = {"32", "BM // 16"}, .shared = "BM * 4", .line = 11};
    f->def.args = f->args;
    f->def.arg_count = 3;
    f->def.reference = (struct hone_reference_def){
        .template_path = f->reference_path,
        .entry = "k_reference",
        .launch = {.grid = {"ceil_div(M, 256)"}, .block = {"256"}, .line = 15}};
    f->def.verify = f->problems;
    f->def.verify_count = 1;
    f->def.tolerance.relative = "1e-5";
    f->def.tolerance.line = 17;
    f->def.work_line = 18;
    f->def.tolerance.scale = "sqrt(N + 2)";
    f->def.work_flops = "2 * M * N";
    f->def.defines = f->defines;
    f->def.define_count = 1;
    f->def.options = f->options;
    f->def.option_count = 1;
}

static inline int set_up(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    if (!f) return -1;
    strcpy(folder, "/tmp/hone-render-XXXXXX");
    assert_non_null(mkdtemp(folder));
    put("common/tile.cuh", "#include \"deep.cuh\"\n__device__ int tile;\n");
    put("common/deep.cuh", "__device__ int deep;"); // no newline at its end
    strcpy(f->template_path, put("k.cu", template_text));
    strcpy(f->reference_path, put("reference/k.cu", "#include \"../common/deep.cuh\"\n"));
    fill_space(f);
    fill_kernel(f);
    *state = f;
    return 0;
}

static inline int tear_down(void **state)
{
    struct fixture *f = *state;
    hone_kernel_free(f->kernel);
    hone_space_free(f->space);
    free(f);
    static const char *const names[] = {
        "common/tile.cuh", "common/deep.cuh", "k.cu",      "reference/k.cu",
        "x.cuh",           "common",          "reference", ""};
    for (size_t i = 0; i < COUNT(names); i++) {
        char path[256];
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        if (remove(path) != 0 && strcmp(names[i], "x.cuh") != 0) return -1;
    }
    return 0;
}

static inline enum hone_status make(struct fixture *f, struct hone_error *err)
{
    hone_kernel_free(f->kernel);
    hone_space_free(f->space);
    f->kernel = NULL;
    f->space = NULL;
    enum hone_status status = hone_space_new(&f->space, &f->def.space, err);
    return status == HONE_OK ? hone_kernel_new(&f->kernel, &f->def, f->space, err)
                             : status;
}

#endif
