// What fits on a device, by NVIDIA's own rules (cuda_occupancy.h, plain C) and the launch
// limits.
#include <cuda_occupancy.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/arch.h"
#include "base/c_text.h"
#include "hone/build.h"

static int to_int(int64_t value)
{
    return value > INT32_MAX ? INT32_MAX : (int)value;
}

static cudaOccDeviceProp properties_of(const struct hone_limits *limits)
{
    return (cudaOccDeviceProp){
        .computeMajor = to_int(limits->cc_major),
        .computeMinor = to_int(limits->cc_minor),
        .maxThreadsPerBlock = to_int(limits->max_threads_per_block),
        .maxThreadsPerMultiprocessor = to_int(limits->max_threads_per_sm),
        .regsPerBlock = to_int(limits->registers_per_block),
        .regsPerMultiprocessor = to_int(limits->registers_per_sm),
        .warpSize = to_int(limits->warp_size),
        .sharedMemPerBlock = HONE_SHARED_ALWAYS,
        .sharedMemPerMultiprocessor = (size_t)limits->shared_bytes_per_sm,
        .numSms = to_int(limits->sm_count),
        .sharedMemPerBlockOptin = (size_t)limits->max_shared_bytes,
        .reservedSharedMemPerBlock = (size_t)limits->reserved_shared_bytes,
    };
}

// Journals come from anywhere: NVIDIA's arithmetic overflows and divides by what that
// leaves.
static bool is_plausible(const struct hone_limits *limits)
{
    static const int64_t most = 1 << 24;
    const int64_t figures[] = {limits->max_threads_per_block, limits->max_threads_per_sm,
                               limits->registers_per_block,   limits->registers_per_sm,
                               limits->shared_bytes_per_sm,   limits->max_shared_bytes};
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
        if (figures[i] < 0 || figures[i] > most) return false;
    return limits->warp_size == 32 && limits->reserved_shared_bytes >= 0 &&
           limits->reserved_shared_bytes <= most;
}

int hone_occupancy(const struct hone_limits *limits,
                   const struct hone_resources *resources, uint32_t threads_per_block,
                   uint32_t dynamic_shared_bytes)
{
    int64_t fixed =
        resources->static_shared_bytes > 0 ? resources->static_shared_bytes : 0;
    if (!is_plausible(limits)) return 0;
    if (threads_per_block == 0 || threads_per_block > limits->max_threads_per_block)
        return 0;
    if (fixed + dynamic_shared_bytes > limits->max_shared_bytes) return 0;
    cudaOccDeviceProp properties = properties_of(limits);
    cudaOccFuncAttributes attributes = {
        .maxThreadsPerBlock = to_int(limits->max_threads_per_block),
        .numRegs = resources->registers > 0 ? resources->registers : 0,
        .sharedSizeBytes = (size_t)fixed,
        .partitionedGCConfig = PARTITIONED_GC_OFF,
        .shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN,
        .maxDynamicSharedSizeBytes = (size_t)(limits->max_shared_bytes - fixed),
        .numBlockBarriers = 1,
    };
    cudaOccDeviceState state = {.cacheConfig = CACHE_PREFER_NONE,
                                .carveoutConfig = SHAREDMEM_CARVEOUT_DEFAULT};
    cudaOccResult result;
    cudaOccError failed = cudaOccMaxActiveBlocksPerMultiprocessor(
        &result, &properties, &attributes, &state, (int)threads_per_block,
        dynamic_shared_bytes);
    return failed == CUDA_OCC_SUCCESS ? result.activeBlocksPerMultiprocessor : 0;
}

__attribute__((format(printf, 2, 3))) static enum hone_outcome
reject(char reason[HONE_REASON_MAX], const char *format, ...)
{
    va_list args;
    va_start(args, format);
    hone_vsnprintf(reason, HONE_REASON_MAX, format, args);
    va_end(args);
    return HONE_REJECTED;
}

static enum hone_outcome check_grid(const struct hone_limits *limits,
                                    const uint32_t grid[3], char reason[HONE_REASON_MAX])
{
    const int64_t most[3] = {limits->max_grid_x, limits->max_grid_y, limits->max_grid_z};
    for (int i = 0; i < 3; i++) {
        if (grid[i] == 0)
            return reject(reason, "launches no blocks in grid %c", "xyz"[i]);
        if (grid[i] > most[i])
            return reject(reason, "needs %u blocks in grid %c, device allows %lld",
                          grid[i], "xyz"[i], (long long)most[i]);
    }
    return HONE_VALID;
}

// block z is limited to 64 on every architecture (CUDA C++ programming guide, table
// "technical specifications"); x and y cannot exceed the threads of a block.
static enum hone_outcome check_block(const struct hone_build *build,
                                     const struct hone_limits *limits,
                                     const uint32_t block[3],
                                     char reason[HONE_REASON_MAX])
{
    enum { MAX_BLOCK_Z = 64 };
    uint64_t threads = (uint64_t)block[0] * block[1];
    threads = threads > UINT32_MAX ? threads : threads * block[2];
    if (threads == 0) return reject(reason, "launches no threads");
    if (block[2] > MAX_BLOCK_Z)
        return reject(reason, "needs %u threads in block z, device allows %d", block[2],
                      MAX_BLOCK_Z);
    if (threads > (uint64_t)limits->max_threads_per_block)
        return reject(reason, "needs %llu threads per block, device allows %lld",
                      (unsigned long long)threads,
                      (long long)limits->max_threads_per_block);
    if (build->max_threads >= 0 && threads > (uint64_t)build->max_threads) {
        reject(reason,
               "launches %llu threads per block, its launch bounds say %d: "
               "__launch_bounds__ and block of launch must agree",
               (unsigned long long)threads, build->max_threads);
        return HONE_LAUNCH_FAILED; // no limit of the device
    }
    return HONE_VALID;
}

static enum hone_outcome check_shared(const struct hone_build *build,
                                      const struct hone_limits *limits,
                                      uint32_t dynamic_shared_bytes,
                                      char reason[HONE_REASON_MAX])
{
    int64_t fixed = build->resources.static_shared_bytes;
    int64_t total = dynamic_shared_bytes + (fixed > 0 ? fixed : 0);
    if (total <= limits->max_shared_bytes) return HONE_VALID;
    return reject(reason, "needs %lld bytes of shared memory, device allows %lld",
                  (long long)total, (long long)limits->max_shared_bytes);
}

// Registers are handed out to whole warps, 8 at a time for each thread.
static enum hone_outcome check_registers(const struct hone_build *build,
                                         const struct hone_limits *limits,
                                         uint32_t threads, char reason[HONE_REASON_MAX])
{
    int64_t each = (build->resources.registers + 7) / 8 * 8;
    int64_t warp = limits->warp_size;
    int64_t rounded = (threads + warp - 1) / warp * warp;
    if (rounded * each <= limits->registers_per_block) return HONE_VALID;
    return reject(reason,
                  "needs %u threads of %lld registers = %lld, device has %lld per block",
                  threads, (long long)each, (long long)(rounded * each),
                  (long long)limits->registers_per_block);
}

// Where registers do not suffice to keep products of warp groups under way, ptxas waits
// for each of them (C7511), and its log alone tells.
static enum hone_outcome check_products(const struct hone_build *build,
                                        char reason[HONE_REASON_MAX])
{
    static const char words[] = "serialized due to insufficient register resources";
    const int32_t spilled = build->resources.spill_store_bytes;
    if (!build->log || !strstr(build->log, words)) return HONE_VALID;
    return reject(reason,
                  "needs more registers for its wgmma than the launch has: ptxas "
                  "serialises them (C7511) and spills %d bytes",
                  spilled > 0 ? spilled : 0);
}

enum hone_outcome hone_build_prune(const struct hone_build *build,
                                   const struct hone_limits *limits,
                                   const struct hone_geometry *geometry,
                                   struct hone_resources *resources,
                                   char reason[HONE_REASON_MAX])
{
    const uint32_t *block = geometry->block,
                   dynamic_shared_bytes = geometry->shared_bytes;
    *resources = build->resources;
    resources->dynamic_shared_bytes = to_int(dynamic_shared_bytes);
    snprintf(reason, HONE_REASON_MAX, "%s", build->reason);
    if (build->outcome != HONE_VALID) return build->outcome;
    if (check_grid(limits, geometry->grid, reason) != HONE_VALID) return HONE_REJECTED;
    enum hone_outcome outcome = check_block(build, limits, block, reason);
    if (outcome == HONE_VALID) {
        uint32_t cluster[3];
        outcome = hone_cluster_find(cluster, &build->clusters, limits, geometry, reason);
    }
    if (outcome != HONE_VALID) return outcome;
    if (check_shared(build, limits, dynamic_shared_bytes, reason) != HONE_VALID)
        return HONE_REJECTED;
    uint32_t threads = block[0] * block[1] * block[2];
    if (check_registers(build, limits, threads, reason) != HONE_VALID ||
        check_products(build, reason) != HONE_VALID)
        return HONE_REJECTED;
    resources->blocks_per_sm =
        hone_occupancy(limits, resources, threads, dynamic_shared_bytes);
    if (resources->blocks_per_sm == 0)
        return reject(reason, "not one block of %u threads fits a multiprocessor",
                      threads);
    return hone_launch_flags_check(limits, geometry, resources->blocks_per_sm, reason);
}
