// Kernels that are right as the emulator first runs them, and wrong in another order that
// PTX allows: verification says which.
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "hone/evaluate.h"
#include "hone_test.h"

#include <string.h>

// y[i] is x[i], staged by an asynchronous copy, and the number of the warp. 33 blocks:
// block 7 is none of those that are watched.
static const char template_text[] =
    "__device__ int visits;\n"
    "extern \"C\" __global__ void stage(const float *x, float *y)\n"
    "{\n"
    "    __shared__ float tile[64];\n"
    "    __shared__ int arrived;\n"
    "    const int t = threadIdx.x, i = blockIdx.x * 64 + t;\n"
    "    const unsigned place = (unsigned)__cvta_generic_to_shared(&tile[t]);\n"
    "    asm volatile(\"cp.async.ca.shared.global [%0], [%1], 4;\\n\"\n"
    "                 \"cp.async.commit_group;\" ::\"r\"(place), \"l\"(x + i)\n"
    "                 : \"memory\");\n"
    "    if (MODE == 1 && blockIdx.x == 7 || MODE == 2) {\n"
    "    } else if (MODE == 3) {\n"
    "        asm volatile(\"cp.async.wait_group 1;\" ::: \"memory\");\n"
    "    } else {\n"
    "        asm volatile(\"cp.async.wait_group 0;\" ::: \"memory\");\n"
    "    }\n"
    "    const float value = tile[t];\n"
    "    int warp = t / 32;\n"
    "    if (MODE == 4) {\n"
    "        if (t == 0) arrived = 0;\n"
    "        __syncthreads(); // who comes last goes on\n"
    "        __syncthreads();\n"
    "        if (t % 32 == 0) warp = atomicAdd(&arrived, 1);\n"
    "        warp = __shfl_sync(~0u, warp, 0);\n"
    "    }\n"
    "    if (MODE >= 5) {\n"
    "        __shared__ volatile int numbers[64];\n"
    "        numbers[t ^ 1] = warp;\n"
    "        if (MODE == 6) __threadfence_block();\n"
    "        if (MODE == 7) __syncwarp();\n"
    "        warp = numbers[t];\n"
    "    }\n"
    "    if (MODE == 8) atomicAdd_block(&visits, 1);\n"
    "    if (MODE == 9 && i == 5 * 64) y[20 * 64 + 3] = 7;\n"
    "    y[i] = value + warp;\n"
    "    if (MODE == 10 && i == 5 * 64) y[i] = __ldg(y + 2 * 64) == 1e9f ? 1 : y[i];\n"
    "}\n";
static const char reference_text[] =
    "extern \"C\" __global__ void stage_reference(const float *x, float *y)\n"
    "{\n"
    "    const int i = blockIdx.x * 64 + threadIdx.x;\n"
    "    y[i] = x[i] + threadIdx.x / 32;\n"
    "}\n";

// Blocks that look back for what those ahead of them have told, without a fence behind
// the part: only blocks that take turns, all watched, show it.
static const char scan_text[] =
    "#ifndef MODE\n"
    "#define MODE 0\n"
    "#endif\n"
    "extern \"C\" __global__ void scan(const int *x, int *y, int *told, int *parts)\n"
    "{\n"
    "    const int b = blockIdx.x;\n"
    "    if (threadIdx.x) return;\n"
    "    volatile int *status = told, *seen = parts;\n"
    "    int back = 0;\n"
    "    parts[2 * b] = x[b] + MODE;\n"
    "    status[b] = 1;\n"
    "    __threadfence();\n"
    "    seen[2 * gridDim.x + b] = 1;\n"
    "    for (int k = b - 1, is = 0; k >= 0 && is != 2; k--) {\n"
    "        while ((is = status[k]) == 0) {\n"
    "        }\n"
    "        __threadfence();\n"
    "        back += seen[2 * k + (is == 2)];\n"
    "    }\n"
    "    parts[2 * b + 1] = back + x[b];\n"
    "    __threadfence();\n"
    "    status[b] = 2;\n"
    "    y[b] = back + x[b];\n"
    "}\n"
    "extern \"C\" __global__ void scan_reference(const int *x, int *y, int *told, int "
    "*)\n"
    "{\n"
    "    int sum = 0;\n"
    "    for (int i = 0; i <= blockIdx.x; i++)\n"
    "        sum += x[i];\n"
    "    y[blockIdx.x] = sum;\n"
    "    told[blockIdx.x] = 2;\n"
    "}\n";

enum { MODES = 11, SOUND = 7 };
static char folder[64], template_path[96], reference_path[96], scan_path[96];

static int set_up(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/hone-orders-XXXXXX");
    if (!mkdtemp(folder)) return -1;
    snprintf(template_path, sizeof template_path, "%s/stage.cu", folder);
    snprintf(reference_path, sizeof reference_path, "%s/reference.cu", folder);
    snprintf(scan_path, sizeof scan_path, "%s/scan.cu", folder);
    return hone_file_write(template_path, template_text, sizeof template_text - 1,
                           NULL) ||
           hone_file_write(scan_path, scan_text, sizeof scan_text - 1, NULL) ||
           hone_file_write(reference_path, reference_text, sizeof reference_text - 1,
                           NULL);
}

static int tear_down(void **state)
{
    (void)state;
    return unlink(template_path) || unlink(reference_path) || unlink(scan_path) ||
           rmdir(folder);
}

static struct hone_kernel_def make_def(void)
{
    static struct hone_value modes[MODES];
    static struct hone_param param = {.name = "MODE", .values = modes, .count = MODES};
    static struct hone_arg_def args[] = {
        {.name = "x", .kind = HONE_ARG_INPUT, .dtype = HONE_F32, .size = "2112"},
        {.name = "y", .kind = HONE_ARG_OUTPUT, .dtype = HONE_F32, .size = "2112"}};
    for (int i = 0; i < MODES; i++)
        modes[i] = (struct hone_value){.type = HONE_INT, .i = i};
    return (struct hone_kernel_def){
        .name = "stage",
        .source = "stage.lua",
        .template_path = template_path,
        .entry = "stage",
        .space = {.params = &param, .param_count = 1},
        .launch = {.grid = {"33"}, .block = {"64"}},
        .args = args,
        .arg_count = 2,
        .reference = {.template_path = reference_path,
                      .entry = "stage_reference",
                      .launch = {.grid = {"33"}, .block = {"64"}}}};
}

// Verified at 300 blocks, of which not all are watched, and then at count of them.
static struct hone_kernel_def make_scan(int64_t count)
{
    static struct hone_value mode = {.type = HONE_INT},
                             sizes[2] = {{.type = HONE_INT}, {.type = HONE_INT}};
    static const struct hone_param param = {.name = "MODE", .values = &mode, .count = 1};
    static const struct hone_constant size = {.name = "N",
                                              .value = {.type = HONE_INT, .i = 512}};
    static const struct hone_problem verify[] = {{&sizes[0]}, {&sizes[1]}};
    static const struct hone_arg_def args[] = {
        {.name = "x", .kind = HONE_ARG_INPUT, .dtype = HONE_I32, .size = "N"},
        {.name = "y", .kind = HONE_ARG_OUTPUT, .dtype = HONE_I32, .size = "N"},
        {.name = "told",
         .kind = HONE_ARG_INOUT,
         .dtype = HONE_I32,
         .size = "N",
         .fill = HONE_FILL_ZERO},
        {.name = "parts",
         .kind = HONE_ARG_WORKSPACE,
         .dtype = HONE_I32,
         .size = "3 * N"}};
    sizes[0].i = 300;
    sizes[1].i = count;
    return (struct hone_kernel_def){
        .name = "scan",
        .source = "scan.lua",
        .template_path = scan_path,
        .entry = "scan",
        .space = {.params = &param,
                  .param_count = 1,
                  .constants = &size,
                  .constant_count = 1},
        .problem_count = 1,
        .launch = {.grid = {"N"}, .block = {"64"}},
        .args = args,
        .arg_count = 4,
        .verify = verify,
        .verify_count = 2,
        .reference = {.template_path = scan_path,
                      .entry = "scan_reference",
                      .launch = {.grid = {"N"}, .block = {"1"}}}};
}

static void check_modes(struct hone_evaluator *evaluator)
{
    static const char *const reasons[MODES] = {
        "",
        "missing wait of an asynchronous copy: y[448] is nan, reference ",
        "missing wait of an asynchronous copy (stage.cu:9, PTX line ",
        "missing wait of an asynchronous copy (stage.cu:9, PTX line ",
        "depends on the order of warps: y[0] is ",
        "depends on the order of lanes of a warp: y[",
        "depends on the order of lanes of a warp: y[",
        "",
        "atomic of block scope (.cta) meets atomic of block scope (.cta) of block "
        "(0,0,0) ",
        "data race on global memory: store of block (5,0,0) warp 0 (stage.cu:",
        "read-only load (.nc) of what the launch stores: store of block (2,0,0) warp 0 ",
    };
    static const enum hone_finding findings[MODES] = {
        HONE_FINDING_NONE,         HONE_FINDING_MISSING_WAIT,  HONE_FINDING_MISSING_WAIT,
        HONE_FINDING_MISSING_WAIT, HONE_FINDING_ORDER,         HONE_FINDING_ORDER,
        HONE_FINDING_ORDER,        HONE_FINDING_NONE,          HONE_FINDING_SCOPE,
        HONE_FINDING_RACE,         HONE_FINDING_READ_ONLY_DATA};
    static const char hint[] = " (missing __syncwarp?)";
    struct hone_error err = {0};
    for (uint64_t mode = 0; mode < MODES; mode++) {
        struct hone_trial trial;
        size_t count = 0;
        assert_ok(evaluator->fns->submit(evaluator, mode, &err), err);
        assert_ok(evaluator->fns->wait(evaluator, &trial, 1, &count, &err), err);
        enum hone_outcome outcome =
            mode && mode != SOUND ? HONE_WRONG_RESULT : HONE_VALID;
        if (trial.outcome != outcome ||
            strncmp(trial.reason, reasons[mode], strlen(reasons[mode])) != 0)
            fail_msg("mode %d: %s: %s", (int)mode, hone_outcome_name(trial.outcome),
                     trial.reason);
        const bool of_line = mode == 2 || mode == 3 || mode > SOUND;
        const bool of_lanes = mode == 5 || mode == 6, compared = mode == 1 || mode == 4;
        assert_int_equal(trial.found->finding, findings[mode]);
        assert_string_equal(trial.found->file, of_line ? "stage.cu" : "");
        assert_string_equal(trial.found->buffer,
                            compared || of_lanes || mode > SOUND + 1 ? "y" : "");
        assert_int_equal(strstr(trial.reason, hint) != NULL, of_lanes);
    }
}

typedef void check_kernel(struct hone_evaluator *evaluator);

static void with_evaluator(const struct hone_kernel_def *def, check_kernel *check)
{
    struct hone_builder *builder = NULL;
    struct hone_device *device = NULL;
    struct hone_space *space = NULL;
    struct hone_kernel *kernel = NULL;
    struct hone_evaluator *evaluator = NULL;
    struct hone_error err = {0};
    const struct hone_builder_options builds = {.cache_folder = ""};
    const struct hone_evaluate_options options = {.data_seed = 1, .deadline_s = 20};
    enum hone_status status = hone_builder_new(&builder, &builds, &err);
    if (status == HONE_ENODEVICE) SKIP("%s", err.text);
    assert_ok(status, err);
    assert_ok(hone_device_open(&device, "emu:a100", &err), err);
    assert_ok(hone_space_new(&space, &def->space, &err), err);
    assert_ok(hone_kernel_new(&kernel, def, space, &err), err);
    assert_ok(hone_evaluator_direct(&evaluator, kernel, device, builder, &options, &err),
              err);
    check(evaluator);
    hone_evaluator_close(evaluator);
    hone_kernel_free(kernel);
    hone_space_free(space);
    hone_device_close(device);
    hone_builder_free(builder);
}

static void verification_names_the_order_that_a_kernel_leans_on(void **state)
{
    const struct hone_kernel_def def = make_def();
    (void)state;
    with_evaluator(&def, check_modes);
}

static void expect_race(struct hone_evaluator *evaluator)
{
    struct hone_error err = {0};
    struct hone_trial trial;
    size_t count = 0;
    assert_ok(evaluator->fns->submit(evaluator, 0, &err), err);
    assert_ok(evaluator->fns->wait(evaluator, &trial, 1, &count, &err), err);
    if (trial.outcome != HONE_WRONG_RESULT)
        fail_msg("%s: %s", hone_outcome_name(trial.outcome), trial.reason);
    assert_int_equal(trial.found->finding, HONE_FINDING_RACE);
}

static void blocks_take_turns_where_all_are_watched_behind_a_size_where_not(void **state)
{
    const struct hone_kernel_def def = make_scan(100);
    (void)state;
    with_evaluator(&def, expect_race);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(verification_names_the_order_that_a_kernel_leans_on),
    cmocka_unit_test(blocks_take_turns_where_all_are_watched_behind_a_size_where_not),
};

HONE_TEST_MAIN_WITH(tests, set_up, tear_down)
