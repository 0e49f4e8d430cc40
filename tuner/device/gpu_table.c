// Rates by compute capability: CUDA C++ Programming Guide 13.0, "Throughput of Native
// Arithmetic Instructions". Units, clocks, caches and memory of each GPU: the vendor's
// data sheets and white papers named in the row. "Assumed" is what no vendor document
// states.
#include "device/gpu_table.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/arch.h"

struct architecture {
    int major, minor;
    const char *arch;
    int fp64, integer, sfu, fp32_and_integer, load_store;
    int l1_latency, l2_latency, dram_latency;
};

/* clang-format off */
// Load and store units: the pictures of a multiprocessor in the white papers, four in
// each of four parts on gaming chips, eight on GA100 and GH100; 10.0 assumed as 9.0.
// Latencies: Luo et al., arXiv:2402.13499, of A100, RTX 4090 and H100; Jia et al.,
// arXiv:1903.07486, of T4. 8.6 and 12.0 assumed as 8.9, 10.0 as 9.0.
static const struct architecture
    // separate fp32 and integer units, 64 lanes each: Turing white paper
    turing     = {7, 5, "sm_75", 2, 64, 16, 128, 16, 32, 188, 296},
    ampere     = {8, 0, "sm_80", 32, 64, 16, 128, 32, 38, 262, 466},
    // half of the fp32 lanes do integers instead: GA102 and Ada white papers
    ampere_rtx = {8, 6, "sm_86", 2, 64, 16, 128, 16, 43, 273, 541},
    ada        = {8, 9, "sm_89", 2, 64, 16, 128, 16, 43, 273, 541},
    hopper     = {9, 0, "sm_90a", 64, 64, 16, 192, 32, 41, 263, 479},
    // fp64 of 10.0 as B200's data sheet gives it; integers assumed as 9.0
    blackwell  = {10, 0, "sm_100a", 64, 64, 16, 192, 32, 41, 263, 479},
    // one unit does fp32 and integers: RTX Blackwell white paper
    blackwell_rtx = {12, 0, "sm_120a", 2, 128, 16, 128, 16, 43, 273, 541};

// Multiply-accumulates a cycle and multiprocessor: half (summed in fp32), tf32, f8, s8,
// f64. From the dense peaks of the white papers and data sheets, divided by clock and
// multiprocessors. On 9.0 mma.sync reaches 0.63 of the peak, which takes wgmma: Luo et
// al., arXiv:2402.13499. On 10.0 assumed the same as on 9.0.
struct tensor {
    int rate[HONE_TENSOR_INPUTS];
};
static const struct tensor
    // GeForce parts sum f16 in fp32 at half the rate of the others
    turing_geforce = {{ 256,   0,    0, 1024,  0}},
    turing_titan   = {{ 512,   0,    0, 1024,  0}},
    ampere_100     = {{1024, 512,    0, 2048, 64}},
    ampere_geforce = {{ 256, 128,    0, 1024,  0}},
    ampere_pro     = {{ 512, 256,    0, 1024,  0}},
    ada_geforce    = {{ 256, 128,  512, 1024,  0}},
    ada_pro        = {{ 512, 256, 1024, 1024,  0}},
    hopper_100     = {{1290, 645, 2580, 2580, 80}};

static const struct row {
    const char *name, *full_name;
    const struct architecture *arch;
    const struct tensor *tensor;
    int sm_count, clock_mhz, l2_kib, memory_gib, bandwidth_gbs;
    int l2_bytes_per_cycle; // 0: assumed 48 a multiprocessor, as A100 has
} rows[] = {
    // H200 data sheet: 141 GB (131 GiB), 4.8 TB/s; the rest as H100
    {"h200", "NVIDIA H200", &hopper, &hopper_100, 132, 1980, 50 * 1024, 131, 4800, 0},
    // H100 white paper, SXM5: 132 SMs, 50 MB, 3.35 TB/s
    {"h100", "NVIDIA H100 80GB HBM3", &hopper, &hopper_100, 132, 1980, 50 * 1024, 79,
     3350, 0},
    // H100 white paper, PCIe: 114 SMs, 50 MB, 2 TB/s; boost clock as listed for it
    {"h100-pcie", "NVIDIA H100 PCIe", &hopper, &hopper_100, 114, 1755, 50 * 1024, 79,
     2039, 0},
    // B200 data sheet: 8 TB/s, 180 GB (167 GiB); SMs, clock and L2 as devices report
    // (assumed)
    {"b200", "NVIDIA B200", &blackwell, &hopper_100, 148, 1965, 126 * 1024, 167, 8000, 0},
    // A100 white paper: 108 SMs, 1410 MHz, 40 MB, 5120 bytes a clock; data sheets of the
    // 40 GB and 80 GB parts
    {"a100", "NVIDIA A100-SXM4-80GB", &ampere, &ampere_100, 108, 1410, 40 * 1024, 79,
     2039, 5120},
    {"a100-40", "NVIDIA A100-SXM4-40GB", &ampere, &ampere_100, 108, 1410, 40 * 1024, 39,
     1555, 5120},
    {"a100-pcie-40", "NVIDIA A100-PCIE-40GB", &ampere, &ampere_100, 108, 1410, 40 * 1024,
     39, 1555, 5120},
    // A30 data sheet: 933 GB/s, 24 GB; 56 SMs and 24 MB of L2 as devices report
    // (assumed); L2 width in the ratio of the caches of the same chip
    {"a30", "NVIDIA A30", &ampere, &ampere_100, 56, 1440, 24 * 1024, 23, 933, 3072},
    // L4 data sheet; Ada white paper for L2
    {"l4", "NVIDIA L4", &ada, &ada_pro, 58, 2040, 48 * 1024, 22, 300, 0},
    // L40S data sheet; L2 of the full AD102
    {"l40s", "NVIDIA L40S", &ada, &ada_pro, 142, 2520, 96 * 1024, 44, 864, 0},
    // A10 data sheet: 600 GB/s; GA102 white paper for L2
    {"a10", "NVIDIA A10", &ampere_rtx, &ampere_pro, 72, 1695, 6 * 1024, 22, 600, 0},
    // RTX A4000 and A6000 data sheets; GA102 white paper for L2
    {"a4000", "NVIDIA RTX A4000", &ampere_rtx, &ampere_pro, 48, 1560, 4 * 1024, 15, 448,
     0},
    {"a6000", "NVIDIA RTX A6000", &ampere_rtx, &ampere_pro, 84, 1800, 6 * 1024, 47, 768,
     0},
    // Turing white paper
    {"rtx2080ti", "NVIDIA GeForce RTX 2080 Ti", &turing, &turing_geforce, 68, 1545, 5632,
     10, 616, 0},
    // Turing white paper's TU102; clock and memory of the product page
    {"titan-rtx", "NVIDIA TITAN RTX", &turing, &turing_titan, 72, 1770, 6 * 1024, 23, 672,
     0},
    // product page: 30 SMs, 336 GB/s; its clock depends on the laptop, 1425 MHz is the
    // lowest boost at 80 W; 3 MB of L2 as devices report (assumed)
    {"rtx3060-laptop", "NVIDIA GeForce RTX 3060 Laptop GPU", &ampere_rtx, &ampere_geforce,
     30, 1425, 3 * 1024, 5, 336, 0},
    // GA102 white paper
    {"rtx3090", "NVIDIA GeForce RTX 3090", &ampere_rtx, &ampere_geforce, 82, 1695,
     6 * 1024, 23, 936, 0},
    // Ada white paper
    {"rtx4090", "NVIDIA GeForce RTX 4090", &ada, &ada_geforce, 128, 2520, 72 * 1024, 23,
     1008, 0},
    // RTX Blackwell white paper; tensor cores assumed as Ada's, which its peaks confirm
    {"rtx5090", "NVIDIA GeForce RTX 5090", &blackwell_rtx, &ada_geforce, 170, 2407,
     96 * 1024, 31, 1792, 0},
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
        .l2_bytes = INT64_C(1024) * row->l2_kib,
        .memory_bytes = (int64_t)row->memory_gib << 30,
        .sm_clock_khz = INT64_C(1000) * row->clock_mhz,
        .memory_bandwidth_mbs = INT64_C(1000) * row->bandwidth_gbs,
    };
    hone_universal_limits(&limits);
    hone_arch_limits(&limits, arch->major, arch->minor);
    snprintf(limits.name, sizeof limits.name, "%s", row->full_name);
    snprintf(limits.arch, sizeof limits.arch, "%s", arch->arch);
    return limits;
}

static struct hone_gpu_rates rates_of(const struct row *row)
{
    // 64 bytes a multiprocessor: DeepGEMM's model of H100 (heuristics of sm90); a copy by
    // TMA is said to take 600 cycles from L2 to 1000 from DRAM until its barrier is over,
    // where a load takes 263 to 479: the least of that is assumed. Latencies of shared
    // memory: Luo et al., of H100
    enum { SM_BYTES = 64, COPY_LATENCY = 340, SHARED_LATENCY = 29, PEER_LATENCY = 180 };
    int l2 = row->l2_bytes_per_cycle ? row->l2_bytes_per_cycle : 48 * row->sm_count;
    const struct hone_arch *arch = hone_arch_find(row->arch->major, row->arch->minor);
    assert(arch);
    struct hone_gpu_rates rates = {.fp32_per_cycle = arch->fp32_lanes,
                                   .fp64_per_cycle = row->arch->fp64,
                                   .int_per_cycle = row->arch->integer,
                                   .sfu_per_cycle = row->arch->sfu,
                                   .fp32_int_per_cycle = row->arch->fp32_and_integer,
                                   .lsu_per_cycle = row->arch->load_store,
                                   .l2_bytes_per_cycle = l2,
                                   .sm_bytes_per_cycle = SM_BYTES,
                                   .copy_latency = COPY_LATENCY,
                                   .shared_latency = SHARED_LATENCY,
                                   .peer_latency = PEER_LATENCY,
                                   .l1_latency = row->arch->l1_latency,
                                   .l2_latency = row->arch->l2_latency,
                                   .dram_latency = row->arch->dram_latency};
    memcpy(rates.tensor_per_cycle, row->tensor->rate, sizeof rates.tensor_per_cycle);
    return rates;
}

static struct hone_gpu gpu_of(const struct row *row)
{
    return (struct hone_gpu){
        .name = row->name, .limits = limits_of(row), .rates = rates_of(row)};
}

bool hone_gpu_find(struct hone_gpu *out, const char *name)
{
    for (size_t i = 0; i < ROWS; i++) {
        if (strcmp(rows[i].name, name) != 0) continue;
        *out = gpu_of(&rows[i]);
        return true;
    }
    return false;
}

bool hone_gpu_find_called(struct hone_gpu *out, const char *full_name)
{
    for (size_t i = 0; i < ROWS; i++) {
        if (strcmp(rows[i].full_name, full_name) != 0) continue;
        *out = gpu_of(&rows[i]);
        return true;
    }
    return false;
}

const char *hone_gpu_name(size_t i)
{
    return i < ROWS ? rows[i].name : NULL;
}
