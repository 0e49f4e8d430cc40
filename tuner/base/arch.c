// CUDA C++ Programming Guide 13.0: technical specifications per compute capability, and
// its table of the throughput of native arithmetic instructions. What the guide lacks has
// the least of all, and HONE_SHARED_ALWAYS a block.
#include "base/arch.h"

/* clang-format off */
static const struct hone_arch archs[] = {
    { 70, 2048, 32,  96, 0,  64}, { 72, 2048, 32,  96, 0,  64},
    { 75, 1024, 16,  64, 0,  64}, { 80, 2048, 32, 164, 1,  64},
    { 86, 1536, 16, 100, 1, 128}, { 87, 1536, 16, 164, 1, 128},
    { 89, 1536, 24, 100, 1, 128}, { 90, 2048, 32, 228, 1, 128},
    {100, 2048, 32, 228, 1, 128}, {103, 2048, 32, 228, 1, 128},
    {110, 1536, 24, 228, 1, 128}, {120, 1536, 24, 100, 1, 128},
    {121, 1536, 24, 100, 1, 128}};
/* clang-format on */
static const struct hone_arch least = {0, 1024, 16, 64, 1, 0};
enum { ARCHS = sizeof archs / sizeof *archs, KIB = 1024 };

const struct hone_arch *hone_arch_at(size_t i)
{
    return i < ARCHS ? &archs[i] : NULL;
}

bool hone_arch_is_sane(int64_t major, int64_t minor)
{
    return major >= 0 && major < 100 && minor >= 0 && minor < 10;
}

const struct hone_arch *hone_arch_find(int64_t major, int64_t minor)
{
    const bool is_sane = hone_arch_is_sane(major, minor);
    for (size_t i = 0; is_sane && i < ARCHS; i++)
        if (archs[i].cc == major * 10 + minor) return &archs[i];
    return NULL;
}

void hone_arch_limits(struct hone_limits *limits, int64_t major, int64_t minor)
{
    const struct hone_arch *known = hone_arch_find(major, minor);
    const struct hone_arch *arch = known ? known : &least;
    limits->max_threads_per_sm = arch->threads_per_sm;
    limits->max_blocks_per_sm = arch->blocks_per_sm;
    limits->shared_bytes_per_sm = (int64_t)KIB * arch->shared_kib_per_sm;
    limits->reserved_shared_bytes = (int64_t)KIB * arch->reserved_kib;
    limits->max_shared_bytes =
        known ? (int64_t)KIB * (arch->shared_kib_per_sm - arch->reserved_kib)
              : HONE_SHARED_ALWAYS;
}

void hone_universal_limits(struct hone_limits *limits)
{
    limits->warp_size = 32;
    limits->max_threads_per_block = 1024;
    limits->max_registers_per_thread = 255;
    limits->registers_per_block = limits->registers_per_sm = 65536;
    limits->max_grid_x = INT32_MAX;
    limits->max_grid_y = limits->max_grid_z = 65535;
}
