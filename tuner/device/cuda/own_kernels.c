#include "own_kernels.h"

#include <stdio.h>

#include "base/log.h"
#include "build/build_once.h"
#include "cuda_internal.h"

static const char *const names[HONE_OWN_COUNT] = {"hone_probe", "hone_heat", "hone_read"};

// NVRTC's cubin of all of them; where it cannot be had, the PTX alone is in *why.
static enum hone_status own_build(struct hone_device *dev, const struct hone_build **out,
                                  struct hone_error *why)
{
    const struct hone_build_request request = {.source = (const char *)hone_own_source,
                                               .source_name = "own_kernels.cu",
                                               .entry = names[HONE_OWN_HEAT],
                                               .arch = dev->limits.arch};
    enum hone_status status = hone_build_once(out, &request, dev->cuda_version, why);
    if (status == HONE_OK && (*out)->outcome != HONE_VALID)
        status = hone_fail(why, HONE_EBUILD, "NVRTC does not build them for %s: %s",
                           dev->limits.arch, (*out)->reason);
    return status;
}

static bool own_load(struct hone_device *dev, const struct hone_build *build,
                     enum hone_own_kernel which, struct hone_error *why)
{
    struct hone_cuda *cuda = dev->priv;
    struct hone_fault fault;
    const enum hone_status status =
        hone_cuda_load(dev, build, names[which], &cuda->own.modules[which], &fault, why);
    if (status == HONE_OK && fault.outcome != HONE_VALID)
        hone_fail(why, HONE_ENODEVICE, "%s", fault.reason);
    return cuda->own.modules[which] != NULL;
}

// The cubin, and where it cannot be had or does not load, the PTX.
static bool own_load_either(struct hone_device *dev, enum hone_own_kernel which,
                            struct hone_error *by_cubin, struct hone_error *by_ptx)
{
    struct hone_own_kernels *own = &((struct hone_cuda *)dev->priv)->own;
    const struct hone_build ptx = {.ptx = (const char *)hone_own_ptx,
                                   .ptx_size = hone_own_ptx_size};
    if (!own->tried) {
        own->tried = true;
        if (own_build(dev, &own->build, by_cubin) != HONE_OK) {
            hone_build_release(own->build);
            own->build = NULL;
        }
    }
    if (own->build && own_load(dev, own->build, which, by_cubin)) return true;
    return own_load(dev, &ptx, which, by_ptx);
}

struct hone_module *hone_cuda_own(struct hone_device *dev, enum hone_own_kernel which,
                                  struct hone_error *why)
{
    struct hone_own_kernels *own = &((struct hone_cuda *)dev->priv)->own;
    struct hone_error by_cubin = {0}, by_ptx = {0};
    if (own->modules[which]) return own->modules[which];
    if (!own->refused[0] && own_load_either(dev, which, &by_cubin, &by_ptx))
        return own->modules[which];
    if (!own->refused[0]) {
        snprintf(own->refused, sizeof own->refused, "as a cubin: %.200s; as PTX: %.200s",
                 by_cubin.text, by_ptx.text);
        hone_log(HONE_LOG_WARNING,
                 "%s: the device's own kernels do not load, so its clocks are not raised "
                 "before timing, CUPTI is not tried and cold times hold the write-back "
                 "of the flush (%s)",
                 dev->id, own->refused);
    }
    hone_fail(why, HONE_ENODEVICE, "the device's own kernels do not load: %s",
              own->refused);
    return NULL;
}

void hone_cuda_own_fini(struct hone_device *dev)
{
    struct hone_own_kernels *own = &((struct hone_cuda *)dev->priv)->own;
    for (size_t i = 0; i < HONE_OWN_COUNT; i++)
        hone_cuda_unload(dev, own->modules[i]);
    hone_build_release(own->build);
    *own = (struct hone_own_kernels){0};
}
