/* Tuned configurations of the kernel stencil. Emitted by hone 0.1.0 (form 3): do not edit.
 * PREDICTED by the emulator's model, not measured (how accurate: docs/emulator.md); clock emulated
 * Valid: emulated, and equal to the reference, within the script's tolerance, at its verify sizes.
 * Selected: the row of this size and GPU (compute capability and SM count); else the nearest row,
 *     however far, of the same major version that fits there; else the author's default
 *     (configuration 3) or any that fits; else null.
 * To launch: stencil_select gives a configuration, stencil_defines[config - stencil_configs] the
 *     options to compile stencil.cu with; stencil_grid, stencil_block, stencil_shared_bytes its
 *     launch; stencil_scratch_bytes bytes of scratch (0: pass null). C99, C++11, CUDA.
 * Missing: measured times; a look at the results of every row; tuning for other sizes and GPUs; the
 *     kernel's code (--payload).
 * No configuration for steps huge; in some cases for height huge, width huge (tried: sizes of rows,
 *     one less (odd), 1 (tiny), 2^30 (huge)), as constraints, arguments or launches forbid: tune
 *     such, or expect null.
 *
 * Device 0: NVIDIA A100-SXM4-80GB (compute capability 8.0, 108 SMs)
 *   3 configurations for 3 problems; slower than the best by 0.0 % on average, 0.0 % at worst
 *   tuned: height 1024 to 4096, steps 20 to 200, width 1024 to 4096; other sizes, however far,
 *     get the configuration of the nearest one
 *   expected regret of that: not known: tune the problems together
 * Row 0, configuration 0: height = 1024, steps = 20, width = 1024
 *   74.0904 us (predicted); predicted 1.023 times as fast as the author's default
 *   strategy portfolio, seed 1, 60 evaluated, 60 of them valid, of 665405 in the space
 *   results at this size: equal to the reference's
 * Row 1, configuration 1: height = 4096, steps = 20, width = 4096
 *   1010.21 us (predicted); predicted 1.217 times as fast as the author's default
 *   strategy portfolio, seed 1, 60 evaluated, 60 of them valid, of 665405 in the space
 *   results not verified at this size (needs about 42 s of emulation, limit 40 s)
 * Row 2, configuration 2: height = 4096, steps = 200, width = 4096
 *   10750.6 us (predicted); predicted 1.142 times as fast as the author's default
 *   strategy portfolio, seed 1, 60 evaluated, 60 of them valid, of 665405 in the space
 *   results not verified at this size (needs about 470 s of emulation, limit 40 s)
 */
#ifndef HONE_EMITTED_stencil
#define HONE_EMITTED_stencil 0xe198e5cfu
#if defined(block_size_x) || defined(block_size_y) || defined(blocks_per_sm) \
    || defined(loop_unroll_factor_t) || defined(sh_power) || defined(temporal_tiling_factor) \
    || defined(tile_size_x) || defined(tile_size_y) || defined(height) || defined(steps) \
    || defined(width) || defined(PHASES) || defined(OUT_WIDTH) || defined(OUT_HEIGHT) \
    || defined(BORDER) || defined(SMEM)
#error "stencil: include this header before its parameters or sizes are macros"
#endif

/* What the kernel is compiled with. */
typedef struct stencil_config {
    int block_size_x, block_size_y, blocks_per_sm, loop_unroll_factor_t, sh_power,
            temporal_tiling_factor, tile_size_x, tile_size_y;
    unsigned block[3], shared_bytes; /* of its launch */
} stencil_config;
/* A GPU: stencil_gpu_of makes one, set what is known better; 0 is unknown, and 0 to
 * constraints and launches that read it: max_shared_bytes, reserved_shared_bytes,
 *     shared_bytes_per_sm. */
typedef struct stencil_gpu {
    int cc_major, cc_minor, sm_count;
    long long l2_bytes, memory_bytes, max_shared_bytes;
    long long reserved_shared_bytes, shared_bytes_per_sm;
} stencil_gpu;
typedef struct {
    const char *name;
    stencil_gpu gpu;
    int first, count; /* groups of rows */
    const char *provenance;
} stencil_device;
typedef struct { long long height, steps, width; } stencil_problem;
typedef struct {
    int device, config;
    stencil_problem problem;
    int lg[3]; /* of the sizes */
    double predicted_us;
} stencil_row;
/* Rows that one rule serves; tree is -1: the nearest row serves. */
typedef struct stencil_group {
    int first, count, tree;
    int configs, config_count; /* in stencil_preferences, the best first */
} stencil_group;

enum { STENCIL_DEFAULT_CONFIG = 3, STENCIL_CONFIGS = 4, STENCIL_DEVICES = 1, STENCIL_ROWS = 3 };
static const stencil_config stencil_configs[STENCIL_CONFIGS] = {
    {8, 16, 3, 1, 0, 4, 4, 4, {8, 16, 1}, 23040},
    {32, 32, 1, 5, 1, 5, 10, 1, {32, 32, 1}, 166320},
    {32, 16, 0, 8, 1, 8, 2, 4, {32, 16, 1}, 76800},
    {32, 8, 0, 2, 1, 4, 2, 4, {32, 8, 1}, 34560},
};
static const char *const stencil_defines[STENCIL_CONFIGS] = {
    ("-Dblock_size_x=8 -Dblock_size_y=16 -Dblocks_per_sm=3 -Dloop_unroll_factor_t=1 -Dsh_power=0 "
            "-Dtemporal_tiling_factor=4 -Dtile_size_x=4 -Dtile_size_y=4"),
    ("-Dblock_size_x=32 -Dblock_size_y=32 -Dblocks_per_sm=1 -Dloop_unroll_factor_t=5 -Dsh_power=1 "
            "-Dtemporal_tiling_factor=5 -Dtile_size_x=10 -Dtile_size_y=1"),
    ("-Dblock_size_x=32 -Dblock_size_y=16 -Dblocks_per_sm=0 -Dloop_unroll_factor_t=8 -Dsh_power=1 "
            "-Dtemporal_tiling_factor=8 -Dtile_size_x=2 -Dtile_size_y=4"),
    ("-Dblock_size_x=32 -Dblock_size_y=8 -Dblocks_per_sm=0 -Dloop_unroll_factor_t=2 -Dsh_power=1 "
            "-Dtemporal_tiling_factor=4 -Dtile_size_x=2 -Dtile_size_y=4"),
};
static const stencil_device stencil_devices[STENCIL_DEVICES] = {
    {"NVIDIA A100-SXM4-80GB", {8, 0, 108, 41943040, 84825604096LL, 166912, 1024, 167936}, 0, 1,
     "predicted; clock emulated; driver emulator 1, NVRTC 13.0, recorded by hone 0.1.0; template "
             "stencil.cu, template hash af9997f650f5a643c4a3b8c14bc708f6, space hash "
             "6e29a6c80718aadae9ace7a46b0b4145, options hash a6b86b64094343ae56dc37e12884696b"},
};
static const stencil_row stencil_rows[STENCIL_ROWS] = {
    {0, 0, {1024, 20, 1024}, {655360, 278528, 655360}, 74.0904056},
    {0, 1, {4096, 20, 4096}, {786432, 278528, 786432}, 1010.20707},
    {0, 2, {4096, 200, 4096}, {786432, 495616, 786432}, 10750.6229},
};

static const int stencil_preferences[] = {
    0, 2, 1,
};
static const stencil_group stencil_groups[] = {
    {0, 3, -1, 0, 3},
};

#if defined(__cplusplus) && __cplusplus >= 201703L /* stencil_arch<80>.FIELD, one for every cc */
extern "C++" { template <int cc> static constexpr stencil_config stencil_arch =
    {8, 16, 3, 1, 0, 4, 4, 4, {8, 16, 1}, 23040}; }
#endif
/* As in Lua 5.4: integers wrap. */
static inline long long stencil_add(long long a, long long b) {
    return (long long)((unsigned long long)a + (unsigned long long)b);
}
static inline long long stencil_mul(long long a, long long b) {
    return (long long)((unsigned long long)a * (unsigned long long)b);
}
static inline long long stencil_max(long long a, long long b) {
    return a < b ? b : a;
}

/* The kernel, by its arguments and their elements: stencil(input f32 in[width * height],
 *     power[width * height], output f32 out[width * height], workspace f32
 *     scratch[PHASES > 1 ? width * height : 0], inout u32 counters[2] (0 before each launch),
 *     scalar i32 width, height, steps, f32 cap, rx, ry, rz, ambient). */
/* The launch; shared memory is dynamic. Where CUDA refuses: grid, block 0, bytes ~0. */
static inline void stencil_grid(const stencil_config *config, long long height, long long steps,
    long long width, unsigned grid[3]) {
    grid[0] = grid[1] = grid[2] = 0;
    if (!config) return;
    const long long PHASES =
            stencil_max(1,
            steps / config->temporal_tiling_factor + (steps % config->temporal_tiling_factor > 0));
    const long long OUT_WIDTH = config->block_size_x * config->tile_size_x;
    const long long OUT_HEIGHT = config->block_size_y * config->tile_size_y;
    const long long grid_x =
            stencil_mul(stencil_mul(PHASES, width / OUT_WIDTH + (width % OUT_WIDTH > 0)),
            height / OUT_HEIGHT + (height % OUT_HEIGHT > 0));
    if (grid_x < 1 || grid_x > 2147483647) return;
    grid[0] = (unsigned)grid_x, grid[1] = 1, grid[2] = 1;
}
static inline void stencil_block(const stencil_config *config, long long height, long long steps,
    long long width, unsigned block[3]) {
    (void)height, (void)steps, (void)width;
    for (int i = 0; i < 3; i++) block[i] = config ? config->block[i] : 0;
}
static inline unsigned stencil_shared_bytes(const stencil_config *config, long long height,
    long long steps, long long width) {
    (void)height, (void)steps, (void)width;
    return config ? config->shared_bytes : ~0u;
}
static inline unsigned long long stencil_scratch_bytes(const stencil_config *config,
    long long height, long long steps, long long width) {
    if (!config) return ~0ULL;
    const long long PHASES =
            stencil_max(1,
            steps / config->temporal_tiling_factor + (steps % config->temporal_tiling_factor > 0));
    const long long size = PHASES > 1 ? stencil_mul(width, height) : 0;
    return size < 0 || size > 2305843009213693951 ? ~0ULL : (unsigned long long)size * 4;
}

static const unsigned stencil_static_shared[STENCIL_CONFIGS] = {16u, 16u, 16u, 16u};

/* Whether a configuration may run on a GPU and problem it was not measured on. */
static inline int stencil_fits(int number, const stencil_gpu *gpu, long long height,
    long long steps, long long width) {
    const stencil_config *config = &stencil_configs[number];
    unsigned grid[3], shared;
    const long long OUT_WIDTH = config->block_size_x * config->tile_size_x;
    const long long OUT_HEIGHT = config->block_size_y * config->tile_size_y;
    const long long BORDER = config->temporal_tiling_factor;
    const long long SMEM =
            4 * (2 + config->sh_power) * (OUT_WIDTH + 2 * BORDER) * (OUT_HEIGHT + 2 * BORDER);
    if (SMEM + 16 > gpu->max_shared_bytes) return 0;
    if (stencil_mul(config->blocks_per_sm, stencil_add(SMEM + 16, gpu->reserved_shared_bytes))
            > gpu->shared_bytes_per_sm) return 0;
    if (height < 0 || height != (int)height || steps < 0 || steps != (int)steps || width < 0
            || width != (int)width) return 0;
    stencil_grid(config, height, steps, width, grid);
    if (!grid[0]) return 0;
    shared = stencil_shared_bytes(config, height, steps, width);
    if (gpu->max_shared_bytes
            && (long long)shared + stencil_static_shared[number] > gpu->max_shared_bytes) return 0;
    return 1;
}

/* Tuned for this size and GPU; another size, SM count, minor version; not near; null. */
enum { STENCIL_EXACT, STENCIL_SAME_DEVICE, STENCIL_SAME_ARCH, STENCIL_SAME_FAMILY, STENCIL_DEFAULT,
    STENCIL_NONE };
/* Binary logarithm in 1/65536, exact at powers of two, linear between. */
static inline int stencil_lg(long long size) {
    int e = 0;
    if (size < 1) return -65536;
#ifdef __GNUC__
    e = 63 - __builtin_clzll((unsigned long long)size);
#else
    while (size >> e > 1) e++;
#endif
    return (e - 1) * 65536 + (int)((unsigned long long)size << (63 - e) >> 47);
}

static inline int stencil_apart(long long a, long long b) {
    const int gap = a > 0 && b > 0 ? stencil_lg(a) - stencil_lg(b) : 0;
    return gap < 0 ? -gap : gap;
}

/* How far a device of the table is from a GPU: 0, 1 or 2 (another number of
 * multiprocessors, another minor version) << 48, and more; 0: of no use. */
static inline long long stencil_distance(const stencil_gpu *a, const stencil_gpu *gpu, int place) {
    long long minors = (long long)a->cc_minor - gpu->cc_minor, level, gap;
    if (!a->cc_major || a->cc_major != gpu->cc_major) return 0;
    if (minors < 0) minors = -minors;
    if (minors > 2047) minors = 2047;
    level = minors ? 2 : a->sm_count != gpu->sm_count;
    gap = 65536 * minors + 2 * stencil_apart(a->sm_count, gpu->sm_count)
            + stencil_apart(a->l2_bytes, gpu->l2_bytes)
            + stencil_apart(a->memory_bytes, gpu->memory_bytes);
    return (level << 48) + (gap << 20) + place + 1;
}

/* The place of the device that is this GPU, or -1. */
static inline int stencil_own(const stencil_device *devices, int count, const stencil_gpu *gpu) {
    for (int i = 0; i < count; i++) {
        const stencil_gpu *a = &devices[i].gpu;
        if (a->sm_count == gpu->sm_count && a->cc_major == gpu->cc_major
                && a->l2_bytes == gpu->l2_bytes && a->cc_minor == gpu->cc_minor
                && a->memory_bytes == gpu->memory_bytes && a->cc_major)
            return i;
    }
    return -1;
}

/* That of the nearest one farther than *distance, which becomes its own; or -1. */
static inline int stencil_next(const stencil_device *devices, int count, const stencil_gpu *gpu,
    long long *distance) {
    const long long last = *distance;
    int best = -1;
    for (int i = 0; i < count; i++) {
        const long long key = stencil_distance(&devices[i].gpu, gpu, i);
        if (key <= last || (best >= 0 && key >= *distance)) continue;
        *distance = key;
        best = i;
    }
    return best;
}

/* The row of this very problem, or -1. */
static inline int stencil_find(const stencil_group *group, long long height, long long steps,
    long long width) {
    int low = group->first, high = low + group->count;
    while (low < high) {
        const int middle = (low + high) >> 1;
        const stencil_problem *row = &stencil_rows[middle].problem;
        if (height < row->height
                || (height == row->height
                && (steps < row->steps || (steps == row->steps && width < row->width))))
            high = middle;
        else if (!(height == row->height && steps == row->steps && width == row->width))
            low = middle + 1;
        else
            return middle;
    }
    return -1;
}

/* The configuration for a problem that is no row. */
static inline int stencil_rule(const stencil_group *group, long long height, long long steps,
    long long width) {
    int best = group->first;
    int lg[3], i, at;
    long long least = -1;
    lg[0] = stencil_lg(height);
    lg[1] = stencil_lg(steps);
    lg[2] = stencil_lg(width);
    for (i = group->first; i < group->first + group->count; i++) {
        long long apart = 0;
        for (at = 0; at < 3; at++) {
            const long long gap = (long long)lg[at] - stencil_rows[i].lg[at];
            apart += gap * gap;
        }
        if (least >= 0 && apart >= least) continue;
        least = apart;
        best = i;
    }
    return stencil_rows[best].config;
}

/* What a device of the table has for this problem, or -1; same: it is the one at hand. */
static inline int stencil_of_device(const stencil_device *device, int same, const stencil_gpu *gpu,
    long long height, long long steps, long long width, int *exact) {
    int g, i, number;
    for (g = device->first; g < device->first + device->count; g++) {
        const stencil_group *group = &stencil_groups[g];
        i = stencil_find(group, height, steps, width);
        number = i < 0 ? -1 : stencil_rows[i].config;
        *exact = i >= 0 && (same || stencil_fits(number, gpu, height, steps, width));
        if (*exact) return number;
        for (i = -1; i < group->config_count; i++) {
            number = i < 0 ? stencil_rule(group, height, steps, width)
                    : stencil_preferences[group->configs + i];
            if (stencil_fits(number, gpu, height, steps, width)) return number;
        }
        return -1;
    }
    return -1;
}

/* The configuration for a GPU and problem, or null; *tier, if not null: how near. */
static inline const stencil_config *stencil_select_for(const stencil_gpu *gpu, long long height,
    long long steps, long long width, int *tier) {
    long long last = 0;
    int answered, exact = 0, i = stencil_own(stencil_devices, STENCIL_DEVICES, gpu);
    if (!tier) tier = &answered;
    for (;; i = -1) {
        if (i < 0) i = stencil_next(stencil_devices, STENCIL_DEVICES, gpu, &last);
        if (i < 0) break;
        const int level = (int)(last >> 48);
        const int number =
                stencil_of_device(&stencil_devices[i], !level, gpu, height, steps, width, &exact);
        if (number < 0) continue;
        *tier = exact && !level ? STENCIL_EXACT : STENCIL_SAME_DEVICE + level;
        return &stencil_configs[number];
    }
    for (i = -1; i < STENCIL_CONFIGS; i++) {
        const int number = i < 0 ? STENCIL_DEFAULT_CONFIG : i;
        if (!stencil_fits(number, gpu, height, steps, width)) continue;
        *tier = STENCIL_DEFAULT;
        return &stencil_configs[number];
    }
    *tier = STENCIL_NONE;
    return 0;
}

/* Limits from the table; of other architectures as set below, else the table's least. */
static inline stencil_gpu stencil_gpu_of(int cc_major, int cc_minor, int sm_count) {
    stencil_gpu gpu = stencil_devices[0].gpu;
    const long long cc = cc_minor >= 0 && cc_minor < 10 ? cc_major * 10LL + cc_minor : 0;
    if (cc_major != gpu.cc_major || cc_minor != gpu.cc_minor) {
        switch (cc) {
        case 70: case 72:
            gpu.max_shared_bytes = 98304; gpu.reserved_shared_bytes = 0;
                    gpu.shared_bytes_per_sm = 98304; break;
        case 75:
            gpu.max_shared_bytes = 65536; gpu.reserved_shared_bytes = 0;
                    gpu.shared_bytes_per_sm = 65536; break;
        case 80: case 87:
            gpu.max_shared_bytes = 166912; gpu.reserved_shared_bytes = 1024;
                    gpu.shared_bytes_per_sm = 167936; break;
        case 86: case 89: case 120: case 121:
            gpu.max_shared_bytes = 101376; gpu.reserved_shared_bytes = 1024;
                    gpu.shared_bytes_per_sm = 102400; break;
        case 90: case 100: case 103: case 110:
            gpu.max_shared_bytes = 232448; gpu.reserved_shared_bytes = 1024;
                    gpu.shared_bytes_per_sm = 233472; break;
        default:
            gpu.max_shared_bytes = 49152; gpu.reserved_shared_bytes = 1024;
                    gpu.shared_bytes_per_sm = 65536; break;
        }
    }
    gpu.cc_major = cc_major, gpu.cc_minor = cc_minor, gpu.sm_count = sm_count;
    return gpu;
}
static inline const stencil_config *stencil_select(int cc_major, int cc_minor, int sm_count,
    long long height, long long steps, long long width, int *tier) {
    const stencil_gpu gpu = stencil_gpu_of(cc_major, cc_minor, sm_count);
    return stencil_select_for(&gpu, height, steps, width, tier);
}
#elif HONE_EMITTED_stencil != 0xe198e5cfu
#error "two headers stencil that differ: emit one of them with --name"
#endif
