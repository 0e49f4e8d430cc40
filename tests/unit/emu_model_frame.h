/* What the suites of predictions share. */
#ifndef EMU_MODEL_FRAME_H
#define EMU_MODEL_FRAME_H

#include "emu_kernel.h"

#include <math.h>

#include "device/gpu_table.h"
#include "predict/emu_model.h"

static const char frame[] =
    ".version 9.0\n.target sm_90a\n.address_size 64\n"
    ".visible .entry k(.param .u64 p) {\n.reg .b32 %%t, %%a<8>; .reg .b64 %%x, %%y<4>;\n"
    ".reg .f32 %%f<4>; .shared .align 16 .b8 s[16384];\n"
    "ld.param.u64 %%x, [p]; mov.u32 %%t, %%tid.x; mov.u32 %%a0, s;\n%s\nret;\n}\n";

static inline struct hone_timing predict(const char *body, uint32_t grid,
                                         uint32_t threads)
{
    char text[4096];
    struct emu emu;
    struct hone_timing timing;
    struct emu_args args = {0};
    snprintf(text, sizeof text, frame, body);
    emu_open(&emu);
    if (!emu_load(&emu, text, "k")) fail_msg("%s: %s", body, emu.fault.reason);
    hone_devptr p = emu_buffer(&emu, NULL, 1 << 24);
    EMU_ARG(args, p);
    struct hone_launch launch = emu_geometry(&args, grid, threads);
    assert_ok(emu.dev->fns->time(emu.dev, emu.module, &launch, &hone_time_policy_default,
                                 &timing, &emu.fault, &emu.err),
              emu.err);
    if (emu.fault.outcome != HONE_VALID) fail_msg("%s: %s", body, emu.fault.reason);
    emu_close(&emu);
    return timing;
}

// One that is left out is 0.
static inline double find_metric(const struct hone_timing *timing, const char *name)
{
    for (uint32_t i = 0; i < timing->metric_count; i++)
        if (strcmp(timing->metrics[i].name, name) == 0) return timing->metrics[i].value;
    return 0.0;
}

#endif
