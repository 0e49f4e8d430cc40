// A kernel that is only verified needs no machine code: its PTX is run. What ptxas alone
// can tell is whether it takes the kernel, whether the registers and the shared memory
// that it wants are there, and how many blocks run at once. The first is asked where
// there is inline PTX of the kernel's own, since what the compiler writes it takes; the
// others where the kernel's launch bounds and declarations leave it open.
#include "estimated.h"

#include <stdio.h>
#include <string.h>

#include "evaluate/module.h"
#include "inline_ptx.h"

// Whether it may have inline PTX, so that one build is enough. Macros and headers of the
// compiler hide it.
static bool names_asm(const struct hone_job *job)
{
    bool found = strstr(job->source, "asm") != NULL;
    for (size_t i = 0; i < job->header_count && !found; i++)
        found = strstr(job->headers[i].text, "asm") != NULL;
    return found;
}

enum hone_status hone_estimate_queue(const struct hone_job *job,
                                     struct hone_builder *builder, const char *arch,
                                     uint64_t *ticket, struct hone_error *err)
{
    static const char is_virtual[] = "compute_";
    enum { LEN = sizeof is_virtual - 1 };
    char real[HONE_ARCH_TEXT];
    if (strncmp(arch, is_virtual, LEN) != 0 || !names_asm(job))
        return hone_job_queue(job, builder, arch, ticket, err);
    snprintf(real, sizeof real, "sm_%s", arch + LEN);
    return hone_job_queue(job, builder, real, ticket, err);
}

// May a block of so many threads with as many registers as ptxas may take be too large?
static bool may_lack_registers(const struct hone_variant *variant,
                               const struct hone_limits *limits)
{
    enum { UNIT = 8, PARTS = 4 }; // a multiprocessor gives warps to its parts in turn
    const uint32_t *block = variant->job.geometry.block;
    const int64_t threads = (int64_t)block[0] * block[1] * block[2];
    const int64_t granule = limits->warp_size * PARTS;
    const int64_t most = variant->estimate.most_registers;
    const int64_t each = (most + UNIT - 1) / UNIT * UNIT;
    return (threads + granule - 1) / granule * granule * each >
           limits->registers_per_block;
}

// Shared variables of a block: ptxas may put them in another order, with more between.
enum { PADDING = 1024 };

static bool may_lack_shared(const struct hone_variant *variant,
                            const struct hone_limits *limits)
{
    const int64_t fixed = variant->estimate.resources.static_shared_bytes;
    return fixed > 0 && fixed + variant->job.geometry.shared_bytes + PADDING >
                            limits->max_shared_bytes;
}

// Must all blocks run at once, or may they wait for one another, and is there room for
// all only if ptxas takes fewer registers than it may?
static bool may_lack_room(const struct hone_variant *variant,
                          const struct hone_limits *limits)
{
    const struct hone_geometry *launch = &variant->job.geometry;
    const uint32_t *grid = launch->grid, *block = launch->block;
    const bool together = launch->flags & HONE_LAUNCH_COOPERATIVE;
    if (!together && !variant->estimate.waits) return false;
    struct hone_resources most = variant->estimate.resources;
    most.registers = variant->estimate.most_registers;
    most.static_shared_bytes += most.static_shared_bytes > 0 ? PADDING : 0;
    const int each = hone_occupancy(limits, &most, block[0] * block[1] * block[2],
                                    launch->shared_bytes);
    return (double)grid[0] * grid[1] * grid[2] > (double)each * (double)limits->sm_count;
}

// The build of the variant's job with machine code.
static enum hone_status assemble(const struct hone_variant *variant,
                                 struct hone_builder *builder, const char *arch,
                                 const struct hone_build **out, double *build_ms,
                                 struct hone_error *err)
{
    uint64_t ticket;
    enum hone_status status = hone_job_queue(&variant->job, builder, arch, &ticket, err);
    if (status == HONE_OK) status = hone_builder_take(builder, ticket, out, err);
    if (status == HONE_OK && !(*out)->cached) *build_ms += (*out)->build_ms;
    return status;
}

static void replace(struct hone_variant *variant, const struct hone_build *build)
{
    if (!variant->shared) hone_build_release(variant->build);
    variant->build = build;
    variant->shared = false;
}

enum hone_status hone_estimate_variant(struct hone_variant *variant,
                                       const struct hone_variant *first,
                                       struct hone_builder *builder,
                                       struct hone_device *device, double *build_ms,
                                       struct hone_error *err)
{
    const char *arch = device->limits.arch;
    bool known = true;
    if (variant->build->cubin || !device->fns->estimate) return HONE_OK;
    if (variant->shared)
        variant->estimate = first->estimate;
    else
        known = device->fns->estimate(device, variant->build, variant->job.entry,
                                      &variant->estimate, NULL) == HONE_OK;
    if (known && !variant->estimate.assemble &&
        !hone_inline_ptx_is_open(variant->build->ptx) &&
        !may_lack_registers(variant, &device->limits) &&
        !may_lack_shared(variant, &device->limits) &&
        !may_lack_room(variant, &device->limits))
        return HONE_OK;
    const struct hone_build *whole = NULL;
    enum hone_status status = assemble(variant, builder, arch, &whole, build_ms, err);
    if (status == HONE_OK) replace(variant, whole);
    return status;
}

void hone_estimate_fill(struct hone_build *copy, const struct hone_variant *variant)
{
    if (copy->cubin || !variant->estimate.resources.estimated) return;
    copy->resources = variant->estimate.resources;
    copy->max_threads = variant->estimate.max_threads;
}
