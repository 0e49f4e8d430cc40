// What the compiler spills is in no PTX, so no run shows it. Its report has the bytes of
// the instructions; how often they are executed is taken to be as often as the mean
// instruction of the kernel is.
#include "emu_model.h"

// What L1 and shared memory have together, 192 KiB of sm_80 and 256 of sm_90, is so much
// more than the most that shared memory may have (CUDA C++ Programming Guide).
enum { WORD = 4, L1_BESIDE_SHARED = 28 << 10 };

static double from_zero(double value)
{
    return value > 0 ? value : 0;
}

// The part of local memory's accesses that L1 does not keep, of what all resident threads
// spill; L1 has what shared memory leaves of it.
static double beyond_l1(const struct hone_resources *resources, double shared_bytes,
                        const struct hone_emu_residency *shape,
                        const struct hone_limits *limits)
{
    const double warps = (double)shape->warps_per_block * shape->blocks_per_sm;
    const double kept = from_zero(resources->spill_store_bytes) * HONE_EMU_LANES * warps;
    const double room = from_zero((double)limits->shared_bytes_per_sm + L1_BESIDE_SHARED -
                                  shared_bytes * shape->blocks_per_sm);
    return kept > room ? 1 - room / kept : 0;
}

void hone_emu_add_spills(struct hone_emu_counts *counts,
                         const struct hone_resources *resources, double shared_bytes,
                         size_t instructions, const struct hone_emu_residency *shape,
                         const struct hone_limits *limits)
{
    const double bytes =
        from_zero(resources->spill_store_bytes) + from_zero(resources->spill_load_bytes);
    if (!(bytes > 0) || !instructions || counts->executed <= 0) return;
    // of the block: each instruction as often as the mean one, by all of its warps
    const double times = counts->executed / (double)instructions;
    counts->spill_requests = bytes / WORD * times;
    counts->spill_bytes = counts->spill_requests * WORD * HONE_EMU_LANES *
                          beyond_l1(resources, shared_bytes, shape, limits);
    counts->issued += counts->spill_requests;
    counts->by_class[HONE_EMU_LOCAL] += counts->spill_requests;
}
