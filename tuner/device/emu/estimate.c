// Registers that ptxas would give a thread, from how many words live at once in PTX.
// ptxas moves loads ahead, which takes more, and makes values anew, which takes fewer:
// where the estimate matters ptxas is to be asked (docs/building.md: how far it is off).
#include "estimate.h"

#include "base/arch.h"
#include "emu_pipeline.h"

// Registers are given out so many at a time, to warps of four parts of a multiprocessor
// (cuda_occupancy.h): one part has the most warps.
enum { UNIT = 8, PARTS = 4, WARP = 32 };

static uint64_t threads_of(const uint32_t block[3])
{
    uint64_t threads = 1;
    for (int i = 0; i < 3; i++)
        threads *= block[i] < UINT16_MAX ? block[i] : UINT16_MAX;
    return threads;
}

// Threads of the largest block that the kernel says it is launched with; 0: it does not.
static uint64_t bound_threads(const struct ptx_bounds *bounds)
{
    return threads_of(bounds->required_block[0] ? bounds->required_block
                                                : bounds->max_block);
}

// A kernel with launch bounds gets no more registers than so many blocks leave.
static int32_t find_most(const struct ptx_bounds *bounds,
                         const struct hone_limits *limits, uint64_t blocks)
{
    const uint64_t granule = PARTS * WARP;
    const uint64_t own = bound_threads(bounds) * (blocks ? blocks : 1);
    const uint64_t threads = (own + granule - 1) / granule * granule;
    uint64_t most = (uint64_t)limits->max_registers_per_thread;
    if (bounds->registers && bounds->registers < most) most = bounds->registers;
    if (threads) {
        const uint64_t all = (uint64_t)limits->registers_per_sm;
        const uint64_t share = all / threads / UNIT * UNIT;
        if (share < most) most = share;
    }
    return (int32_t)most;
}

// What ptxas adds was found by 85 builds of six kernels: their median is 9 % off.
static int32_t registers_of(uint32_t words, int32_t most)
{
    const uint64_t registers = (uint64_t)words * 11 / 10 + 4;
    return registers < (uint64_t)most ? (int32_t)registers : most;
}

static bool wants_ptxas(const struct hone_emu_code *code)
{
    enum { PARAM_ALWAYS = 4096 }; // bytes that every GPU takes
    const struct ptx_bounds *bounds = &code->bounds;
    const bool clusters =
        bounds->cluster[0] || bounds->most_in_cluster || bounds->explicit_cluster;
    if (clusters || code->wgmma_count || code->reserved_shared_bytes) return true;
    if (code->static_shared_bytes > HONE_SHARED_ALWAYS) return true;
    if (code->param_bytes > PARAM_ALWAYS) return true;
    for (size_t k = 0; k < code->count; k++)
        if (code->insns[k].op == EMU_INCREGS || code->insns[k].op == EMU_DECREGS)
            return true;
    return false;
}

// Any way round a loop goes back over each of its instructions.
static bool is_in_loop(const struct hone_emu_code *code, size_t k)
{
    for (size_t j = k + 1; j < code->count; j++)
        if (code->insns[j].op == EMU_BRA && code->insns[j].target <= k) return true;
    return false;
}

bool hone_emu_may_wait(const struct hone_emu_code *code)
{
    for (size_t k = 0; k < code->count; k++)
        if (hone_emu_asks_others(&code->insns[k]) && is_in_loop(code, k)) return true;
    return false;
}

static enum hone_status estimate_code(struct hone_ptx_estimate *out,
                                      struct hone_emu_code *code,
                                      const struct hone_limits *limits,
                                      struct hone_error *err)
{
    uint32_t words = 0;
    const enum hone_status status = hone_emu_count_live(code, &words, err);
    const uint64_t threads = bound_threads(&code->bounds);
    *out = (struct hone_ptx_estimate){
        .resources = HONE_RESOURCES_UNKNOWN,
        .most_registers = find_most(&code->bounds, limits, 1),
        .max_threads = threads && threads <= INT32_MAX ? (int32_t)threads : -1,
        .assemble = wants_ptxas(code),
        .waits = hone_emu_may_wait(code)};
    out->resources.registers =
        registers_of(words, find_most(&code->bounds, limits, code->bounds.blocks_per_sm));
    out->resources.static_shared_bytes = (int32_t)code->static_shared_bytes;
    out->resources.estimated = true;
    return status;
}

enum hone_status hone_emu_estimate(struct hone_device *dev,
                                   const struct hone_build *build, const char *entry,
                                   struct hone_ptx_estimate *out, struct hone_error *err)
{
    struct hone_module module = {0};
    enum hone_status status =
        hone_emu_decode_build(dev->priv, &module, build, entry, err);
    if (status == HONE_OK) status = estimate_code(out, &module.code, &dev->limits, err);
    hone_emu_forget(dev->priv, &module);
    return status;
}
