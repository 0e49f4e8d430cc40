// What a compute capability allows: CUDA C++ Programming Guide, technical specifications
// per compute capability. Of one that the guide does not have, the least of all is said,
// and the 48 KiB of shared memory that every block may have.
#include "emit_internal.h"

/* clang-format off */
static const struct fact {
    int cc, threads_per_sm, blocks_per_sm, shared_kib_per_sm, reserved_kib, shared_kib;
} facts[] = {
    {70, 2048, 32, 96, 0, 96},   {72, 2048, 32, 96, 0, 96},   {75, 1024, 16, 64, 0, 64},
    {80, 2048, 32, 164, 1, 163}, {86, 1536, 16, 100, 1, 99},  {87, 1536, 16, 164, 1, 163},
    {89, 1536, 24, 100, 1, 99},  {90, 2048, 32, 228, 1, 227},
    {100, 2048, 32, 228, 1, 227}, {103, 2048, 32, 228, 1, 227},
    {110, 1536, 24, 228, 1, 227},
    {120, 1536, 24, 100, 1, 99}, {121, 1536, 24, 100, 1, 99}};
static const struct fact least = {0, 1024, 16, 64, 1, 48};
/* clang-format on */
enum { FACTS = sizeof facts / sizeof *facts };

int hone_emit_arch(size_t i)
{
    return i < FACTS ? facts[i].cc : 0;
}

static const struct fact *find(int64_t major, int64_t minor)
{
    const bool is_sane = major >= 0 && major < 100 && minor >= 0 && minor < 10;
    for (size_t i = 0; is_sane && i < FACTS; i++)
        if (facts[i].cc == major * 10 + minor) return &facts[i];
    return &least;
}

void hone_emit_arch_limits(struct hone_limits *limits, int64_t major, int64_t minor)
{
    const struct fact *fact = find(major, minor);
    limits->max_threads_per_sm = fact->threads_per_sm;
    limits->max_blocks_per_sm = fact->blocks_per_sm;
    limits->shared_bytes_per_sm = INT64_C(1024) * fact->shared_kib_per_sm;
    limits->reserved_shared_bytes = INT64_C(1024) * fact->reserved_kib;
    limits->max_shared_bytes = INT64_C(1024) * fact->shared_kib;
}

void hone_emit_universal_limits(struct hone_limits *limits)
{
    limits->warp_size = 32;
    limits->max_threads_per_block = 1024;
    limits->max_registers_per_thread = 255;
    limits->registers_per_block = limits->registers_per_sm = 65536;
    limits->max_grid_x = INT32_MAX;
    limits->max_grid_y = limits->max_grid_z = 65535;
}
