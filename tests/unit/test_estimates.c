// What is told of PTX alone, against what ptxas makes of it: the project's own kernels.
#include "evaluate/module.h"
#include "hone/device.h"
#include "hone/rng.h"
#include "hone/script.h"
#include "hone_test.h"

struct opened {
    struct hone_builder *builder;
    struct hone_device *device;
    struct hone_script *script;
    struct hone_space *space;
    struct hone_kernel *kernel;
};

static void open_kernel(struct opened *o, const char *path, const char *device)
{
    *o = (struct opened){0};
    struct hone_error err = {0};
    const struct hone_builder_options builder = {0};
    enum hone_status status = hone_builder_new(&o->builder, &builder, &err);
    if (status == HONE_ENODEVICE) SKIP("%s", err.text);
    assert_ok(status, err);
    assert_ok(hone_device_open(&o->device, device, &err), err);
    const struct hone_script_options options = {.limits = &o->device->limits};
    assert_ok(hone_script_load(&o->script, path, &options, &err), err);
    const struct hone_kernel_def *def = hone_script_def(o->script);
    assert_ok(hone_space_new(&o->space, &def->space, &err), err);
    assert_ok(hone_kernel_new(&o->kernel, def, o->space, &err), err);
}

static void close_kernel(struct opened *o)
{
    hone_kernel_free(o->kernel);
    hone_space_free(o->space);
    hone_script_free(o->script);
    hone_device_close(o->device);
    hone_builder_free(o->builder);
}

static const struct hone_build *build_for(struct opened *o, const struct hone_job *job,
                                          const char *arch)
{
    uint64_t ticket;
    struct hone_error err = {0};
    const struct hone_build *build = NULL;
    assert_ok(hone_job_queue(job, o->builder, arch, &ticket, &err), err);
    assert_ok(hone_builder_take(o->builder, ticket, &build, &err), err);
    assert_int_equal(build->outcome, HONE_VALID);
    return build;
}

// The bound holds, whatever ptxas does within it; the estimate itself may be off.
static void compare(const struct hone_ptx_estimate *estimate,
                    const struct hone_build *whole)
{
    enum { PADDING = 64 };
    const int32_t real = whole->resources.registers;
    if (!estimate->assemble) assert_in_range(real, 1, estimate->most_registers);
    assert_in_range(estimate->resources.registers, 1, estimate->most_registers);
    assert_in_range(estimate->resources.registers, real / 3, real * 2);
    const int32_t shared = estimate->resources.static_shared_bytes; // or in another order
    assert_in_range(shared + PADDING, whole->resources.static_shared_bytes,
                    whole->resources.static_shared_bytes + 2 * PADDING);
    assert_int_equal(estimate->max_threads, whole->max_threads);
}

static void check_estimate(const char *path, const char *device)
{
    enum { DRAWN = 2 }; // one of them in the test run
    struct opened o;
    struct hone_error err = {0};
    struct hone_rng rng;
    uint64_t drawn[DRAWN];
    open_kernel(&o, path, device);
    hone_rng_seed(&rng, 5);
    const size_t count = hone_space_sample(o.space, &rng, drawn, DRAWN);
    for (size_t i = 0; i < count; i += hone_test_one_of(2)) {
        char arch[HONE_ARCH_TEXT];
        struct hone_job job;
        struct hone_ptx_estimate estimate;
        assert_ok(hone_kernel_job(&job, o.kernel, drawn[i], NULL, &err), err);
        hone_build_virtual_arch(arch, o.device->limits.arch);
        const struct hone_build *ptx = build_for(&o, &job, arch);
        const struct hone_build *whole = build_for(&o, &job, o.device->limits.arch);
        assert_null(ptx->cubin);
        assert_string_equal(ptx->ptx, whole->ptx);
        assert_string_not_equal(ptx->image_hash, whole->image_hash);
        assert_int_equal(ptx->resources.registers, -1);
        assert_ok(o.device->fns->estimate(o.device, ptx, job.entry, &estimate, &err),
                  err);
        compare(&estimate, whole);
        hone_build_release(ptx);
        hone_build_release(whole);
        hone_job_fini(&job);
    }
    close_kernel(&o);
}

static void ptxas_keeps_to_what_ptx_tells(void **state)
{
    (void)state;
    static const char *const kernels[] = {
        "sgemm",     "gemm_mma", "attention",   "softmax",   "rmsnorm",
        "reduction", "nbody",    "convolution", "transpose", "stencil"};
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        char path[64];
        snprintf(path, sizeof path, "kernels/%s.lua", kernels[i]);
        check_estimate(path, i % 2 ? "emu:a100" : "emu:h100");
    }
}

static void products_of_warp_groups_are_left_to_ptxas(void **state)
{
    (void)state;
    struct opened o;
    struct hone_job job;
    struct hone_ptx_estimate estimate;
    struct hone_error err = {0};
    char arch[HONE_ARCH_TEXT];
    open_kernel(&o, "kernels/gemm_sm90.lua", "emu:h100");
    assert_ok(hone_kernel_job(&job, o.kernel, 0, NULL, &err), err);
    hone_build_virtual_arch(arch, o.device->limits.arch);
    const struct hone_build *ptx = build_for(&o, &job, arch);
    assert_ok(o.device->fns->estimate(o.device, ptx, job.entry, &estimate, &err), err);
    assert_true(estimate.assemble);
    hone_build_release(ptx);
    hone_job_fini(&job);
    close_kernel(&o);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(ptxas_keeps_to_what_ptx_tells),
    cmocka_unit_test(products_of_warp_groups_are_left_to_ptxas),
};
HONE_TEST_MAIN(tests)
