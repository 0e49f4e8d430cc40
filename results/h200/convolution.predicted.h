/* Tuned configurations of the kernel convolution. Emitted by hone 0.1.0 (form 3): do not edit.
 * PREDICTED by the emulator's model, not measured (how accurate: docs/emulator.md); clock emulated
 * Valid: emulated, and equal to the reference, within the script's tolerance, at its verify sizes.
 * Selected: the row of this size and GPU (compute capability and SM count); else the nearest row,
 *     however far, of the same major version that fits there; else the author's default
 *     (configuration 3) or any that fits; else null.
 * To launch: convolution_select gives a configuration,
 *     convolution_defines[config - convolution_configs] the options to compile convolution.cu with;
 *     convolution_grid, convolution_block, convolution_shared_bytes its launch. C99, C++11, CUDA.
 * Missing: measured times; tuning for other sizes and GPUs; the kernel's code (--payload).
 * No configuration for height huge (tried: sizes of rows, one less (odd), 1 (tiny), 2^30 (huge)),
 *     as constraints, arguments or launches forbid: tune such, or expect null.
 *
 * Device 0: NVIDIA H200 (compute capability 9.0, 132 SMs)
 *   3 configurations for 3 problems; slower than the best by 0.0 % on average, 0.0 % at worst
 *   tuned: height 1080 to 4096, width 1920 to 4096; other sizes, however far,
 *     get the configuration of the nearest one
 *   regret of that where one problem is left out: 0.6 %, 2.1 %, of 1 more not known; too few to
 *     tell what to expect
 * Row 0, configuration 0: height = 1080, width = 1920
 *   25.2946 us (predicted); predicted 1.316 times as fast as the author's default
 *   strategy portfolio, seed 1, 60 evaluated, 60 of them valid, of 4362 in the space
 *   results at this size: equal to the reference's
 * Row 1, configuration 1: height = 2160, width = 3840
 *   90.4873 us (predicted); predicted 1.422 times as fast as the author's default
 *   strategy portfolio, seed 1, 60 evaluated, 60 of them valid, of 4362 in the space
 *   results at this size: equal to the reference's
 * Row 2, configuration 2: height = 4096, width = 4096
 *   184.316 us (predicted); predicted 1.406 times as fast as the author's default
 *   strategy portfolio, seed 1, 60 evaluated, 60 of them valid, of 4362 in the space
 *   results at this size: equal to the reference's
 */
#ifndef HONE_EMITTED_convolution
#define HONE_EMITTED_convolution 0x61c91f09u
#if defined(block_size_x) || defined(block_size_y) || defined(filter_height) \
    || defined(filter_width) || defined(read_only) || defined(tile_size_x) || defined(tile_size_y) \
    || defined(use_cmem) || defined(use_padding) || defined(use_shmem) || defined(height) \
    || defined(width) || defined(OUT_WIDTH) || defined(OUT_HEIGHT)
#error "convolution: include this header before its parameters or sizes are macros"
#endif

/* What the kernel is compiled with. */
typedef struct convolution_config {
    int block_size_x, block_size_y, filter_height, filter_width, read_only, tile_size_x,
            tile_size_y, use_cmem, use_padding, use_shmem;
    unsigned block[3], shared_bytes; /* of its launch */
} convolution_config;
/* A GPU: convolution_gpu_of makes one, set what is known better; 0 is unknown. */
typedef struct convolution_gpu { int cc_major, cc_minor, sm_count; long long l2_bytes, memory_bytes,
    max_shared_bytes; } convolution_gpu;
typedef struct {
    const char *name;
    convolution_gpu gpu;
    int first, count; /* groups of rows */
    const char *provenance;
} convolution_device;
typedef struct { long long height, width; } convolution_problem;
typedef struct {
    int device, config;
    convolution_problem problem;
    int lg[2]; /* of the sizes */
    double predicted_us;
} convolution_row;
/* Rows that one rule serves; tree is -1: the nearest row serves. */
typedef struct convolution_group {
    int first, count, tree;
    int configs, config_count; /* in convolution_preferences, the best first */
} convolution_group;

enum { CONVOLUTION_DEFAULT_CONFIG = 3, CONVOLUTION_CONFIGS = 4, CONVOLUTION_DEVICES = 1,
    CONVOLUTION_ROWS = 3 };
static const convolution_config convolution_configs[CONVOLUTION_CONFIGS] = {
    {32, 2, 15, 15, 0, 2, 4, 1, 0, 1, {32, 2, 1}, 6864},
    {128, 1, 15, 15, 0, 3, 4, 1, 0, 1, {128, 1, 1}, 28656},
    {32, 1, 15, 15, 0, 3, 4, 1, 0, 1, {32, 1, 1}, 7920},
    {32, 4, 15, 15, 1, 1, 3, 1, 0, 1, {32, 4, 1}, 4784},
};
static const char *const convolution_defines[CONVOLUTION_CONFIGS] = {
    ("-Dblock_size_x=32 -Dblock_size_y=2 -Dfilter_height=15 -Dfilter_width=15 -Dread_only=0 "
            "-Dtile_size_x=2 -Dtile_size_y=4 -Duse_cmem=1 -Duse_padding=0 -Duse_shmem=1"),
    ("-Dblock_size_x=128 -Dblock_size_y=1 -Dfilter_height=15 -Dfilter_width=15 -Dread_only=0 "
            "-Dtile_size_x=3 -Dtile_size_y=4 -Duse_cmem=1 -Duse_padding=0 -Duse_shmem=1"),
    ("-Dblock_size_x=32 -Dblock_size_y=1 -Dfilter_height=15 -Dfilter_width=15 -Dread_only=0 "
            "-Dtile_size_x=3 -Dtile_size_y=4 -Duse_cmem=1 -Duse_padding=0 -Duse_shmem=1"),
    ("-Dblock_size_x=32 -Dblock_size_y=4 -Dfilter_height=15 -Dfilter_width=15 -Dread_only=1 "
            "-Dtile_size_x=1 -Dtile_size_y=3 -Duse_cmem=1 -Duse_padding=0 -Duse_shmem=1"),
};
static const convolution_device convolution_devices[CONVOLUTION_DEVICES] = {
    {"NVIDIA H200", {9, 0, 132, 52428800, 140660178944LL, 232448}, 0, 1,
     "predicted; clock emulated; driver emulator 1, NVRTC 13.0, recorded by hone 0.1.0; template "
             "convolution.cu, template hash c70e403f3f697ab4a85dd41a9d8a3904, space hash "
             "3af591a925567c711b162dcc2a6eb28d, options hash a6b86b64094343ae56dc37e12884696b"},
};
static const convolution_row convolution_rows[CONVOLUTION_ROWS] = {
    {0, 0, {1080, 1920}, {658944, 712704}, 25.2946383},
    {0, 1, {2160, 3840}, {724480, 778240}, 90.487343},
    {0, 2, {4096, 4096}, {786432, 786432}, 184.315892},
};

static const int convolution_preferences[] = {
    2, 1, 0,
};
static const convolution_group convolution_groups[] = {
    {0, 3, -1, 0, 3},
};

#if defined(__cplusplus) \
    && __cplusplus >= 201703L /* convolution_arch<80>.FIELD, one for every cc */
extern "C++" { template <int cc> static constexpr convolution_config convolution_arch =
    {32, 1, 15, 15, 0, 3, 4, 1, 0, 1, {32, 1, 1}, 7920}; }
#endif
/* The kernel, by its arguments and their elements: convolution(input f32
 *     input[(width + 14) * (height + 14)], constant f32 filter[225], output f32
 *     output[width * height], scalar i32 width, height). */
/* The launch; shared memory is dynamic. Where CUDA refuses: grid, block 0, bytes ~0. */
static inline void convolution_grid(const convolution_config *config, long long height,
    long long width, unsigned grid[3]) {
    grid[0] = grid[1] = grid[2] = 0;
    if (!config) return;
    const long long OUT_WIDTH = config->block_size_x * config->tile_size_x;
    const long long OUT_HEIGHT = config->block_size_y * config->tile_size_y;
    const long long grid_x = width / OUT_WIDTH + (width % OUT_WIDTH > 0);
    const long long grid_y = height / OUT_HEIGHT + (height % OUT_HEIGHT > 0);
    if (grid_x < 1 || grid_x > 2147483647 || grid_y < 1 || grid_y > 65535) return;
    grid[0] = (unsigned)grid_x, grid[1] = (unsigned)grid_y, grid[2] = 1;
}
static inline void convolution_block(const convolution_config *config, long long height,
    long long width, unsigned block[3]) {
    (void)height, (void)width;
    for (int i = 0; i < 3; i++) block[i] = config ? config->block[i] : 0;
}
static inline unsigned convolution_shared_bytes(const convolution_config *config, long long height,
    long long width) {
    (void)height, (void)width;
    return config ? config->shared_bytes : ~0u;
}

/* Whether a configuration may run on a problem it was not measured on. */
static inline int convolution_fits(int number, long long height, long long width) {
    unsigned grid[3];
    if (height < 0 || height != (int)height || width < 0 || width != (int)width) return 0;
    convolution_grid(&convolution_configs[number], height, width, grid);
    return grid[0] != 0;
}

/* Tuned for this size and GPU; another size, SM count, minor version; not near; null. */
enum { CONVOLUTION_EXACT, CONVOLUTION_SAME_DEVICE, CONVOLUTION_SAME_ARCH, CONVOLUTION_SAME_FAMILY,
    CONVOLUTION_DEFAULT, CONVOLUTION_NONE };
/* Binary logarithm in 1/65536, exact at powers of two, linear between. */
static inline int convolution_lg(long long size) {
    int e = 0;
    if (size < 1) return -65536;
#ifdef __GNUC__
    e = 63 - __builtin_clzll((unsigned long long)size);
#else
    while (size >> e > 1) e++;
#endif
    return (e - 1) * 65536 + (int)((unsigned long long)size << (63 - e) >> 47);
}

static inline int convolution_apart(long long a, long long b) {
    const int gap = a > 0 && b > 0 ? convolution_lg(a) - convolution_lg(b) : 0;
    return gap < 0 ? -gap : gap;
}

/* How far a device of the table is from a GPU: 0, 1 or 2 (another number of
 * multiprocessors, another minor version) << 48, and more; 0: of no use. */
static inline long long convolution_distance(const convolution_gpu *a, const convolution_gpu *gpu,
    int place) {
    long long minors = (long long)a->cc_minor - gpu->cc_minor, level, gap;
    if (!a->cc_major || a->cc_major != gpu->cc_major) return 0;
    if (minors < 0) minors = -minors;
    if (minors > 2047) minors = 2047;
    level = minors ? 2 : a->sm_count != gpu->sm_count;
    gap = 65536 * minors + 2 * convolution_apart(a->sm_count, gpu->sm_count)
            + convolution_apart(a->l2_bytes, gpu->l2_bytes)
            + convolution_apart(a->memory_bytes, gpu->memory_bytes);
    return (level << 48) + (gap << 20) + place + 1;
}

/* The place of the device that is this GPU, or -1. */
static inline int convolution_own(const convolution_device *devices, int count,
    const convolution_gpu *gpu) {
    for (int i = 0; i < count; i++) {
        const convolution_gpu *a = &devices[i].gpu;
        if (a->sm_count == gpu->sm_count && a->cc_major == gpu->cc_major
                && a->l2_bytes == gpu->l2_bytes && a->cc_minor == gpu->cc_minor
                && a->memory_bytes == gpu->memory_bytes && a->cc_major)
            return i;
    }
    return -1;
}

/* That of the nearest one farther than *distance, which becomes its own; or -1. */
static inline int convolution_next(const convolution_device *devices, int count,
    const convolution_gpu *gpu, long long *distance) {
    const long long last = *distance;
    int best = -1;
    for (int i = 0; i < count; i++) {
        const long long key = convolution_distance(&devices[i].gpu, gpu, i);
        if (key <= last || (best >= 0 && key >= *distance)) continue;
        *distance = key;
        best = i;
    }
    return best;
}

/* The row of this very problem, or -1. */
static inline int convolution_find(const convolution_group *group, long long height,
    long long width) {
    int low = group->first, high = low + group->count;
    while (low < high) {
        const int middle = (low + high) >> 1;
        const convolution_problem *row = &convolution_rows[middle].problem;
        if (height < row->height || (height == row->height && width < row->width))
            high = middle;
        else if (!(height == row->height && width == row->width))
            low = middle + 1;
        else
            return middle;
    }
    return -1;
}

/* The configuration for a problem that is no row. */
static inline int convolution_rule(const convolution_group *group, long long height,
    long long width) {
    int best = group->first;
    int lg[2], i, at;
    long long least = -1;
    lg[0] = convolution_lg(height);
    lg[1] = convolution_lg(width);
    for (i = group->first; i < group->first + group->count; i++) {
        long long apart = 0;
        for (at = 0; at < 2; at++) {
            const long long gap = (long long)lg[at] - convolution_rows[i].lg[at];
            apart += gap * gap;
        }
        if (least >= 0 && apart >= least) continue;
        least = apart;
        best = i;
    }
    return convolution_rows[best].config;
}

/* What a device of the table has for this problem, or -1; same: it is the one at hand. */
static inline int convolution_of_device(const convolution_device *device, int same,
    long long height, long long width, int *exact) {
    int g, i, number;
    for (g = device->first; g < device->first + device->count; g++) {
        const convolution_group *group = &convolution_groups[g];
        i = convolution_find(group, height, width);
        number = i < 0 ? -1 : convolution_rows[i].config;
        *exact = i >= 0 && (same || convolution_fits(number, height, width));
        if (*exact) return number;
        for (i = -1; i < group->config_count; i++) {
            number = i < 0 ? convolution_rule(group, height, width)
                    : convolution_preferences[group->configs + i];
            if (convolution_fits(number, height, width)) return number;
        }
        return -1;
    }
    return -1;
}

/* The configuration for a GPU and problem, or null; *tier, if not null: how near. */
static inline const convolution_config *convolution_select_for(const convolution_gpu *gpu,
    long long height, long long width, int *tier) {
    long long last = 0;
    int answered, exact = 0, i = convolution_own(convolution_devices, CONVOLUTION_DEVICES, gpu);
    if (!tier) tier = &answered;
    for (;; i = -1) {
        if (i < 0) i = convolution_next(convolution_devices, CONVOLUTION_DEVICES, gpu, &last);
        if (i < 0) break;
        const int level = (int)(last >> 48);
        const int number =
                convolution_of_device(&convolution_devices[i], !level, height, width, &exact);
        if (number < 0) continue;
        *tier = exact && !level ? CONVOLUTION_EXACT : CONVOLUTION_SAME_DEVICE + level;
        return &convolution_configs[number];
    }
    for (i = -1; i < CONVOLUTION_CONFIGS; i++) {
        const int number = i < 0 ? CONVOLUTION_DEFAULT_CONFIG : i;
        if (!convolution_fits(number, height, width)) continue;
        *tier = CONVOLUTION_DEFAULT;
        return &convolution_configs[number];
    }
    *tier = CONVOLUTION_NONE;
    return 0;
}

/* Limits from the table; max_shared_bytes, for which nothing asks, is 0 elsewhere. */
static inline convolution_gpu convolution_gpu_of(int cc_major, int cc_minor, int sm_count) {
    convolution_gpu gpu = convolution_devices[0].gpu;
    if (cc_major != gpu.cc_major || cc_minor != gpu.cc_minor) gpu.max_shared_bytes = 0;
    gpu.cc_major = cc_major, gpu.cc_minor = cc_minor, gpu.sm_count = sm_count;
    return gpu;
}
static inline const convolution_config *convolution_select(int cc_major, int cc_minor, int sm_count,
    long long height, long long width, int *tier) {
    const convolution_gpu gpu = convolution_gpu_of(cc_major, cc_minor, sm_count);
    return convolution_select_for(&gpu, height, width, tier);
}
#elif HONE_EMITTED_convolution != 0x61c91f09u
#error "two headers convolution that differ: emit one of them with --name"
#endif
