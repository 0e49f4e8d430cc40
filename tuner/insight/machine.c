#include "insight/machine.h"

#include <string.h>

#include "base/arch.h"

double hone_machine_gflops(const struct hone_machine *machine, double per_cycle)
{
    return 2 * per_cycle * (double)machine->limits.sm_count *
           (double)machine->limits.sm_clock_khz * 1e-6;
}

static bool find_gpu(struct hone_gpu *out, const struct hone_record_info *info)
{
    static const char emulated[] = "emu:";
    const size_t prefix = sizeof emulated - 1;
    const char *id = info->device_id;
    if (id && strncmp(id, emulated, prefix) == 0) return hone_gpu_find(out, id + prefix);
    return info->device_name && hone_gpu_find_called(out, info->device_name);
}

// Journals of earlier versions and of other programs lack some.
static bool has_all(const struct hone_limits *limits)
{
    return limits->sm_clock_khz > 0 && limits->memory_bandwidth_mbs > 0 &&
           limits->sm_count > 0;
}

bool hone_machine_of(struct hone_machine *out, const struct hone_record_info *info)
{
    struct hone_gpu gpu;
    *out = (struct hone_machine){0};
    if (find_gpu(&gpu, info)) {
        out->gpu = gpu.name;
        out->rates = gpu.rates;
        out->limits = gpu.limits;
    }
    if (info->limits && has_all(info->limits)) out->limits = *info->limits;
    const struct hone_limits *limits = &out->limits;
    const struct hone_arch *arch = hone_arch_find(limits->cc_major, limits->cc_minor);
    if (!arch || !has_all(limits)) return false;
    out->gflops = hone_machine_gflops(out, arch->fp32_lanes);
    out->gbs = (double)limits->memory_bandwidth_mbs * 1e-3;
    return true;
}

double hone_machine_tensor_gflops(const struct hone_machine *machine,
                                  enum hone_tensor_input input)
{
    return hone_machine_gflops(machine, machine->rates.tensor_per_cycle[input]);
}
