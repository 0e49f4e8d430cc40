// The emulated device under memory that runs out anywhere: open, load, launch, predict.
#include "emu_kernel.h"
#include "oom.h"

static const char kernel[] =
    ".version 9.0\n.target sm_90a\n.address_size 64\n"
    ".global .u64 g = 5; .global .u64 h[2] = {g, 5}; .global .b8 text[3] = {104, 10, "
    "0};\n"
    ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 v);\n"
    ".func (.param .b32 r) next(.param .b32 x) {\n.reg .b32 %r; ld.param.u32 %r, [x];\n"
    "add.u32 %r, %r, 7; st.param.b32 [r], %r; ret;\n}\n"
    ".visible .entry k(.param .u64 p) {\n.reg .b32 %t<4>; .reg .b64 %x<4>; .reg .pred "
    "%p; .reg .f64 %f; .shared .b32 s; .shared .b64 full; .shared .b64 come; .shared "
    ".align 16 .b8 "
    "tile[256]; .shared .align 16 .b8 row[64];\n"
    "ld.param.u64 %x0, [p]; mov.u32 %t0, %tid.x; mad.wide.u32 %x1, %t0, 4, %x0;\n"
    "mov.u32 %t1, 0; mov.u32 %t3, 1;\n"
    "LOOP: call (%t1), next, (%t1); setp.lt.u32 %p, %t1, 50; @%p bra LOOP;\n"
    "TABLE: .branchtargets A, B; brx.idx %t3, TABLE; A: trap; B: bar.sync 0;\n"
    "mov.u64 %x2, text; cvta.global.u64 %x2, %x2; call (%t3), vprintf, (%x2, 0);\n"
    "setp.eq.u32 %p, %t0, 0; @%p mbarrier.init.shared.b64 [full], 64; bar.sync 0;\n"
    "mov.u32 %t2, tile; mad.lo.u32 %t2, %t0, 4, %t2;\n"
    "cp.async.ca.shared.global [%t2], [%x1], 4;\n"
    "cp.async.mbarrier.arrive.noinc.shared.b64 [full];\n"
    "W: mbarrier.test_wait.parity.shared.b64 %p, [full], 0; @!%p bra W;\n"
    "ld.shared.u32 %t2, [%t2]; setp.eq.u32 %p, %t0, 0;\n"
    "@%p mbarrier.init.shared.b64 [come], 1; bar.sync 0; @!%p bra C;\n"
    "mbarrier.arrive.expect_tx.shared::cta.b64 _, [come], 64;\n"
    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [row], [%x0], 64, "
    "[come];\n"
    "C: mbarrier.test_wait.parity.shared.b64 %p, [come], 0; @!%p bra C;\n"
    "wmma.load.a.sync.aligned.row.m8n8k4.global.f64 {%f}, [%x0];\n"
    "bar.sync 0; st.global.u32 [%x1], %t1; ret;\n}\n";

static enum hone_status run(struct hone_device *dev, struct hone_module *module,
                            hone_devptr p, struct hone_error *err)
{
    struct emu_args args = {0};
    struct hone_fault fault;
    struct hone_timing timing;
    EMU_ARG(args, p);
    struct hone_launch launch = emu_geometry(&args, 1, 64);
    launch.check = true;
    enum hone_status status = dev->fns->launch(dev, module, &launch, &fault, err);
    if (status != HONE_OK) return status;
    if (fault.outcome != HONE_VALID) fail_msg("%s", fault.reason);
    launch.check = false;
    launch.order = HONE_ORDER_LATE_COPIES;
    status = dev->fns->launch(dev, module, &launch, &fault, err);
    if (status != HONE_OK) return status;
    if (fault.outcome != HONE_VALID) fail_msg("late: %s", fault.reason);
    launch.order = HONE_ORDER_USUAL;
    return dev->fns->time(dev, module, &launch, &hone_time_policy_default, &timing,
                          &fault, err);
}

static enum hone_status load_and_run(struct hone_device *dev, struct hone_error *err)
{
    const struct hone_build build = {
        .ptx = kernel, .ptx_size = strlen(kernel), .resources = {.registers = 32}};
    struct hone_module *module = NULL;
    struct hone_fault fault;
    hone_devptr p = 0;
    enum hone_status status = dev->fns->load(dev, &build, "k", &module, &fault, err);
    if (status == HONE_OK && fault.outcome != HONE_VALID) fail_msg("%s", fault.reason);
    if (status == HONE_OK) status = dev->fns->alloc(dev, 256, &p, err);
    if (status == HONE_OK) status = run(dev, module, p, err);
    dev->fns->unload(dev, module);
    return status;
}

static enum hone_status open_and_run(void *context, struct hone_error *err)
{
    struct hone_device *dev = NULL;
    (void)context;
    enum hone_status status = hone_device_open(&dev, "emu:h200", err);
    if (status == HONE_OK) status = load_and_run(dev, err);
    hone_device_close(dev);
    return status;
}

static void emulator_survives_every_failing_allocation(void **state)
{
    (void)state;
    oom_check(open_and_run, NULL);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(emulator_survives_every_failing_allocation),
};
HONE_TEST_MAIN(tests)
