// Limits by compute capability: CUDA C++ Programming Guide 13.0, "Compute Capabilities";
// rates: its table "Throughput of Native Arithmetic Instructions". Units, clocks, caches
// and memory of each GPU: the vendor's data sheets and white papers named in the row.
// "Assumed" is what no vendor document states.
#include "gpu_table.h"

#include <stdio.h>
#include <string.h>

struct architecture {
    int major, minor;
    const char *arch;
    int threads_per_sm, blocks_per_sm, shared_kib_per_sm;
    int fp32, fp64, integer, sfu;
};

/* clang-format off */
static const struct architecture
    ampere     = { 8, 0, "sm_80",   2048, 32, 164,  64, 32,  64, 16},
    ampere_rtx = { 8, 6, "sm_86",   1536, 16, 100, 128,  2,  64, 16},
    ada        = { 8, 9, "sm_89",   1536, 24, 100, 128,  2,  64, 16},
    hopper     = { 9, 0, "sm_90a",  2048, 32, 228, 128, 64,  64, 16},
    // fp64 of 10.0 as B200's data sheet gives it; integers assumed as 9.0
    blackwell  = {10, 0, "sm_100a", 2048, 32, 228, 128, 64,  64, 16},
    // one unit does fp32 and integers: RTX Blackwell white paper
    blackwell_rtx = {12, 0, "sm_120", 1536, 24, 100, 128, 2, 128, 16};

static const struct row {
    const char *name, *full_name;
    const struct architecture *arch;
    int sm_count, clock_mhz, l2_kib, memory_gib, bandwidth_gbs;
    int l2_bytes_per_cycle; // 0: assumed 48 a multiprocessor, as A100 has
} rows[] = {
    // H200 data sheet: 141 GB (131 GiB), 4.8 TB/s; the rest as H100
    {"h200", "NVIDIA H200", &hopper, 132, 1980, 50 * 1024, 131, 4800, 0},
    // H100 white paper, SXM5: 132 SMs, 50 MB, 3.35 TB/s
    {"h100", "NVIDIA H100 80GB HBM3", &hopper, 132, 1980, 50 * 1024, 79, 3350, 0},
    // B200 data sheet: 8 TB/s, 180 GB (167 GiB); SMs, clock and L2 as devices report
    // (assumed)
    {"b200", "NVIDIA B200", &blackwell, 148, 1965, 126 * 1024, 167, 8000, 0},
    // A100 white paper: 108 SMs, 1410 MHz, 40 MB, 5120 bytes a clock; 80 GB SXM data
    // sheet
    {"a100", "NVIDIA A100-SXM4-80GB", &ampere, 108, 1410, 40 * 1024, 79, 2039, 5120},
    // L4 data sheet; Ada white paper for L2
    {"l4", "NVIDIA L4", &ada, 58, 2040, 48 * 1024, 22, 300, 0},
    // L40S data sheet; L2 of the full AD102
    {"l40s", "NVIDIA L40S", &ada, 142, 2520, 96 * 1024, 44, 864, 0},
    // RTX A4000 and A6000 data sheets; GA102 white paper for L2
    {"a4000", "NVIDIA RTX A4000", &ampere_rtx, 48, 1560, 4 * 1024, 15, 448, 0},
    {"a6000", "NVIDIA RTX A6000", &ampere_rtx, 84, 1800, 6 * 1024, 47, 768, 0},
    // GA102 white paper
    {"rtx3090", "NVIDIA GeForce RTX 3090", &ampere_rtx, 82, 1695, 6 * 1024, 23, 936, 0},
    // Ada white paper
    {"rtx4090", "NVIDIA GeForce RTX 4090", &ada, 128, 2520, 72 * 1024, 23, 1008, 0},
    // RTX Blackwell white paper
    {"rtx5090", "NVIDIA GeForce RTX 5090", &blackwell_rtx, 170, 2407, 96 * 1024, 31, 1792,
     0},
};
/* clang-format on */

enum { ROWS = sizeof rows / sizeof *rows };

static struct hone_limits limits_of(const struct row *row)
{
    const struct architecture *arch = row->arch;
    struct hone_limits limits = {
        .cc_major = arch->major,
        .cc_minor = arch->minor,
        .sm_count = row->sm_count,
        .warp_size = 32,
        .max_threads_per_block = 1024,
        .max_threads_per_sm = arch->threads_per_sm,
        .max_blocks_per_sm = arch->blocks_per_sm,
        .max_registers_per_thread = 255,
        .registers_per_block = 65536,
        .registers_per_sm = 65536,
        .reserved_shared_bytes = 1024,
        .shared_bytes_per_sm = INT64_C(1024) * arch->shared_kib_per_sm,
        .max_shared_bytes = INT64_C(1024) * (arch->shared_kib_per_sm - 1),
        .l2_bytes = INT64_C(1024) * row->l2_kib,
        .memory_bytes = (int64_t)row->memory_gib << 30,
        .max_grid_x = INT32_MAX,
        .max_grid_y = 65535,
        .max_grid_z = 65535,
        .sm_clock_khz = INT64_C(1000) * row->clock_mhz,
        .memory_bandwidth_mbs = INT64_C(1000) * row->bandwidth_gbs,
    };
    snprintf(limits.name, sizeof limits.name, "%s", row->full_name);
    snprintf(limits.arch, sizeof limits.arch, "%s", arch->arch);
    return limits;
}

bool hone_gpu_find(struct hone_gpu *out, const char *name)
{
    for (size_t i = 0; i < ROWS; i++) {
        const struct row *row = &rows[i];
        if (strcmp(row->name, name) != 0) continue;
        int l2 = row->l2_bytes_per_cycle ? row->l2_bytes_per_cycle : 48 * row->sm_count;
        *out = (struct hone_gpu){.name = row->name,
                                 .limits = limits_of(row),
                                 .rates = {.fp32_per_cycle = row->arch->fp32,
                                           .fp64_per_cycle = row->arch->fp64,
                                           .int_per_cycle = row->arch->integer,
                                           .sfu_per_cycle = row->arch->sfu,
                                           .l2_bytes_per_cycle = l2}};
        return true;
    }
    return false;
}

const char *hone_gpu_name(size_t i)
{
    return i < ROWS ? rows[i].name : NULL;
}
