// Space construction over the public space scripts: loading the script, then building the
// space.
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/file.h"
#include "bench.h"
#include "hone/device.h"
#include "hone/script.h"
#include "hone/space.h"

static double build_space(void *context)
{
    struct hone_limits limits;
    struct hone_script *script = NULL;
    struct hone_space *space = NULL;
    if (hone_device_limits(&limits, "emu:h200", NULL) != HONE_OK) return -1;
    const struct hone_script_options options = {.limits = &limits};
    if (hone_script_load(&script, context, &options, NULL) != HONE_OK) return -1;
    const double start = hone_clock_seconds();
    enum hone_status status =
        hone_space_new(&space, &hone_script_def(script)->space, NULL);
    const double seconds = hone_clock_seconds() - start;
    hone_space_free(space);
    hone_script_free(script);
    return status == HONE_OK ? seconds : -1;
}

void bench_space(void)
{
    static const char *const names[] = {"dedispersion", "convolution_milo", "gemm_cltune",
                                        "gemm",         "hotspot",          "atf_prl_2x2",
                                        "atf_prl_4x4",  "atf_prl_8x8"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[4096], name[64];
        snprintf(path, sizeof path, "%s/spaces/%s.lua", bench_shared, names[i]);
        snprintf(name, sizeof name, "space %s", names[i]);
        const struct bench_line line = {
            .name = name, .unit = "ms", .runs = 7, .scale = 1e3};
        if (hone_file_exists(path))
            bench_run(&line, build_space, path);
        else
            bench_skip(name, "no such script");
    }
}
