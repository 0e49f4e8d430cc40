/* Tuned configurations of the kernel softmax. Emitted by hone 0.1.0 (form 3): do not edit.
 * PREDICTED by the emulator's model, not measured (how accurate: docs/emulator.md); clock emulated
 * Valid: emulated, and equal to the reference, within the script's tolerance, at its verify sizes.
 * Selected: the row of this size and GPU (compute capability and SM count); else the nearest row,
 *     however far, of the same major version that fits there; else the author's default
 *     (configuration 3) or any that fits; else null.
 * To launch: softmax_select gives a configuration, softmax_defines[config - softmax_configs] the
 *     options to compile softmax.cu with; softmax_grid, softmax_block, softmax_shared_bytes its
 *     launch; softmax_partials_bytes bytes of partials (0: pass null). C99, C++11, CUDA.
 * Missing: measured times; a look at the results of every row; tuning for other sizes and GPUs; the
 *     kernel's code (--payload).
 * No configuration on compute capability 7.0, 7.5 (tried: sizes of rows, one less (odd), 1 (tiny),
 *     2^30 (huge)), as constraints, arguments or launches forbid: tune such, or expect null.
 * Of problems with LOG = false, OUT = bf16, PAD = false, TYPE = bf16.
 *
 * Device 0: NVIDIA H200 (compute capability 9.0, 132 SMs)
 *   3 configurations for 3 problems; slower than the best by 0.0 % on average, 0.0 % at worst
 *   tuned: BLOCKS 0 to 0, cols 512 to 8192, rows 4096 to 65536; other sizes, however far,
 *     get the configuration of the nearest one
 *   expected regret of that: not known: tune the problems together
 * Row 0, configuration 0: BLOCKS = 0, cols = 512, rows = 65536
 *   35.5261 us (predicted); predicted 42.149 times as fast as the author's default
 *   strategy portfolio, seed 1, 60 evaluated, 60 of them valid, of 700839 in the space
 *   results not verified at this size (needs about 53 s of emulation, limit 40 s)
 * Row 1, configuration 1: BLOCKS = 0, cols = 4096, rows = 16384
 *   69.0651 us (predicted); predicted 5.445 times as fast as the author's default
 *   strategy portfolio, seed 1, 60 evaluated, 60 of them valid, of 700839 in the space
 *   results at this size: equal to the reference's
 * Row 2, configuration 2: BLOCKS = 0, cols = 8192, rows = 4096
 *   34.852 us (predicted); predicted 2.756 times as fast as the author's default
 *   strategy portfolio, seed 1, 60 evaluated, 60 of them valid, of 700839 in the space
 *   results at this size: equal to the reference's
 */
#ifndef HONE_EMITTED_softmax
#define HONE_EMITTED_softmax 0xa5bb6c7au
#if defined(BULK) || defined(CHUNKS) || defined(EVICT) || defined(LOAD) || defined(MIN_BLOCKS) \
    || defined(PREFETCH) || defined(ROWS) || defined(ROW_THREADS) || defined(SPLIT) \
    || defined(STORE) || defined(VEC) || defined(BLOCKS) || defined(cols) || defined(rows) \
    || defined(GROUPS) || defined(STAYING) || defined(RING) || defined(THREADS) \
    || defined(PARTIALS) || defined(STATIC_SHARED) || defined(SMEM)
#error "softmax: include this header before its parameters or sizes are macros"
#endif

/* What the kernel is compiled with. */
typedef struct softmax_config {
    int BULK, CHUNKS, EVICT, LOAD, MIN_BLOCKS, PREFETCH, ROWS, ROW_THREADS, SPLIT, STORE, VEC;
    long long device_sm_count, device_max_shared_bytes, device_shared_bytes_per_sm,
            device_reserved_shared_bytes; /* of the device it was tuned on */
    unsigned block[3]; /* of its launch */
} softmax_config;
/* A GPU: softmax_gpu_of makes one, set what is known better; 0 is unknown, and 0 to
 * constraints and launches that read it: sm_count, max_shared_bytes, shared_bytes_per_sm,
 *     reserved_shared_bytes, cc_major. */
typedef struct softmax_gpu {
    int cc_major, cc_minor, sm_count;
    long long l2_bytes, memory_bytes, max_shared_bytes;
    long long shared_bytes_per_sm, reserved_shared_bytes;
} softmax_gpu;
typedef struct {
    const char *name;
    softmax_gpu gpu;
    int first, count; /* groups of rows */
    const char *provenance;
} softmax_device;
typedef struct { long long BLOCKS, cols, rows; } softmax_problem;
typedef struct {
    int device, config;
    softmax_problem problem;
    int lg[3]; /* of the sizes */
    double predicted_us;
} softmax_row;
/* Rows that one rule serves; tree is -1: the nearest row serves. */
typedef struct softmax_group {
    int first, count, tree;
    int configs, config_count; /* in softmax_preferences, the best first */
} softmax_group;

enum { SOFTMAX_DEFAULT_CONFIG = 3, SOFTMAX_CONFIGS = 4, SOFTMAX_DEVICES = 1, SOFTMAX_ROWS = 3 };
static const softmax_config softmax_configs[SOFTMAX_CONFIGS] = {
    {0, 8, 2, 0, 2, 128, 8, 8, 1, 2, 16, 132, 232448, 233472, 1024, {64, 1, 1}},
    {0, 8, 0, 0, 8, 128, 16, 8, 1, 1, 16, 132, 232448, 233472, 1024, {128, 1, 1}},
    {0, 12, 2, 0, 4, 256, 1, 128, 2, 2, 4, 132, 232448, 233472, 1024, {128, 1, 1}},
    {0, 8, 0, 2, 2, 0, 1, 512, 1, 0, 16, 132, 232448, 233472, 1024, {512, 1, 1}},
};
static const char *const softmax_defines[SOFTMAX_CONFIGS] = {
    ("-DBULK=0 -DCHUNKS=8 -DEVICT=2 -DLOAD=0 -DMIN_BLOCKS=2 -DPREFETCH=128 -DROWS=8 "
            "-DROW_THREADS=8 -DSPLIT=1 -DSTORE=2 -DVEC=16 -DLOG=0 -DOUT=bf16 -DTYPE=bf16"),
    ("-DBULK=0 -DCHUNKS=8 -DEVICT=0 -DLOAD=0 -DMIN_BLOCKS=8 -DPREFETCH=128 -DROWS=16 "
            "-DROW_THREADS=8 -DSPLIT=1 -DSTORE=1 -DVEC=16 -DLOG=0 -DOUT=bf16 -DTYPE=bf16"),
    ("-DBULK=0 -DCHUNKS=12 -DEVICT=2 -DLOAD=0 -DMIN_BLOCKS=4 -DPREFETCH=256 -DROWS=1 "
            "-DROW_THREADS=128 -DSPLIT=2 -DSTORE=2 -DVEC=4 -DLOG=0 -DOUT=bf16 -DTYPE=bf16"),
    ("-DBULK=0 -DCHUNKS=8 -DEVICT=0 -DLOAD=2 -DMIN_BLOCKS=2 -DPREFETCH=0 -DROWS=1 "
            "-DROW_THREADS=512 -DSPLIT=1 -DSTORE=0 -DVEC=16 -DLOG=0 -DOUT=bf16 -DTYPE=bf16"),
};
static const softmax_device softmax_devices[SOFTMAX_DEVICES] = {
    {"NVIDIA H200", {9, 0, 132, 52428800, 140660178944LL, 232448, 233472, 1024}, 0, 1,
     "predicted; clock emulated; driver emulator 1, NVRTC 13.0, recorded by hone 0.1.0; template "
             "softmax.cu, template hash fce094f6d6081d5e15e7a1b0194123a3, space hash "
             "7317d9d79288a953d8135b295df31a9d, options hash a6b86b64094343ae56dc37e12884696b"},
};
static const softmax_row softmax_rows[SOFTMAX_ROWS] = {
    {0, 0, {0, 512, 65536}, {-65536, 589824, 1048576}, 35.5260885},
    {0, 1, {0, 4096, 16384}, {-65536, 786432, 917504}, 69.065129},
    {0, 2, {0, 8192, 4096}, {-65536, 851968, 786432}, 34.8520335},
};

static const int softmax_preferences[] = {
    1, 0, 2,
};
static const softmax_group softmax_groups[] = {
    {0, 3, -1, 0, 3},
};

#if defined(__cplusplus) && __cplusplus >= 201703L /* softmax_arch<80>.FIELD, one for every cc */
extern "C++" { template <int cc> static constexpr softmax_config softmax_arch =
    {0, 8, 0, 0, 8, 128, 16, 8, 1, 1, 16, 132, 232448, 233472, 1024, {128, 1, 1}}; }
#endif
/* As in Lua 5.4: integers wrap; 0 where Lua raises an error. */
static inline long long softmax_add(long long a, long long b) {
    return (long long)((unsigned long long)a + (unsigned long long)b);
}
static inline long long softmax_sub(long long a, long long b) {
    return (long long)((unsigned long long)a - (unsigned long long)b);
}
static inline long long softmax_mul(long long a, long long b) {
    return (long long)((unsigned long long)a * (unsigned long long)b);
}
static inline long long softmax_neg(long long a) {
    return softmax_sub(0, a);
}
static inline long long softmax_min(long long a, long long b) {
    return b < a ? b : a;
}
static inline long long softmax_max(long long a, long long b) {
    return a < b ? b : a;
}
static inline long long softmax_ceil_div(long long a, long long b) {
    if (b == 0 || b == -1) return b == 0 ? 0 : softmax_neg(a);
    return a / b + (a % b != 0 && (a < 0) == (b < 0));
}

/* The kernel, by its arguments and their elements: softmax(input bf16 in[max(1, rows * cols)],
 *     inout bf16 out[max(1, rows * cols)], workspace f32
 *     partials[SPLIT > 1 ? 2 * SPLIT * max(1, rows) : 0], inout u32 counters[rows + 1] (0 before
 *     each launch), scalar i32 rows, cols, i64 in_stride = cols, out_stride = cols, f32 scale). */
/* The launch; shared memory is dynamic. Where CUDA refuses: grid, block 0, bytes ~0. */
static inline void softmax_grid(const softmax_config *config, long long BLOCKS, long long cols,
    long long rows, unsigned grid[3]) {
    (void)cols;
    grid[0] = grid[1] = grid[2] = 0;
    if (!config) return;
    const long long GROUPS = softmax_max(1, rows / config->ROWS + (rows % config->ROWS > 0));
    const long long STAYING =
            softmax_min(BLOCKS > 0 ? BLOCKS
            : softmax_mul(config->MIN_BLOCKS, config->device_sm_count),
            softmax_ceil_div(GROUPS, config->BULK + 1));
    const long long grid_x = softmax_mul(config->BULK > 0 ? STAYING : GROUPS, config->SPLIT);
    if (grid_x < 1 || grid_x > 2147483647) return;
    grid[0] = (unsigned)grid_x, grid[1] = 1, grid[2] = 1;
}
static inline void softmax_block(const softmax_config *config, long long BLOCKS, long long cols,
    long long rows, unsigned block[3]) {
    (void)BLOCKS, (void)cols, (void)rows;
    for (int i = 0; i < 3; i++) block[i] = config ? config->block[i] : 0;
}
static inline unsigned softmax_shared_bytes(const softmax_config *config, long long BLOCKS,
    long long cols, long long rows) {
    (void)BLOCKS, (void)rows;
    if (!config) return ~0u;
    const long long RING =
            softmax_mul(config->BULK,
            softmax_add(softmax_mul(softmax_mul(config->ROWS,
            softmax_ceil_div(softmax_mul(cols, 2), 16)), 16), 8));
    const long long THREADS = config->ROW_THREADS * config->ROWS;
    const long long PARTIALS = config->ROW_THREADS > 32 ? 8 * (THREADS / 32) : 0;
    const long long STATIC_SHARED =
            (config->BULK > 0 ? (PARTIALS + 15) / 16 * 16 : PARTIALS)
            + (config->SPLIT > 1 ? (config->ROW_THREADS > 32 ? 8 : 4) : 0);
    const long long SMEM =
            (softmax_add(RING, STATIC_SHARED) <= config->device_max_shared_bytes
            && softmax_mul(config->MIN_BLOCKS,
            softmax_add(softmax_add(RING, STATIC_SHARED), config->device_reserved_shared_bytes))
            <= config->device_shared_bytes_per_sm) ? RING : 0;
    const long long bytes = SMEM;
    return bytes < 0 || bytes > 2147483647 ? ~0u : (unsigned)bytes;
}
static inline unsigned long long softmax_partials_bytes(const softmax_config *config,
    long long BLOCKS, long long cols, long long rows) {
    (void)BLOCKS, (void)cols;
    if (!config) return ~0ULL;
    const long long size = config->SPLIT > 1 ? softmax_mul(2 * config->SPLIT, softmax_max(1, rows))
            : 0;
    return size < 0 || size > 2305843009213693951 ? ~0ULL : (unsigned long long)size * 4;
}

static const unsigned softmax_static_shared[SOFTMAX_CONFIGS] = {0u, 0u, 40u, 128u};

/* Whether a configuration may run on a GPU and problem it was not measured on. */
static inline int softmax_fits(int number, const softmax_gpu *gpu, long long BLOCKS, long long cols,
    long long rows) {
    softmax_config here = softmax_configs[number];
    const softmax_config *config = &here;
    unsigned grid[3], shared;
    here.device_sm_count = gpu->sm_count;
    here.device_max_shared_bytes = gpu->max_shared_bytes;
    here.device_shared_bytes_per_sm = gpu->shared_bytes_per_sm;
    here.device_reserved_shared_bytes = gpu->reserved_shared_bytes;
    if (gpu->cc_major < 8) return 0;
    if (config->SPLIT > gpu->sm_count) return 0;
    if (BLOCKS < 0 || cols < 0 || cols != (int)cols || rows < 0 || rows != (int)rows) return 0;
    softmax_grid(config, BLOCKS, cols, rows, grid);
    if (!grid[0]) return 0;
    shared = softmax_shared_bytes(config, BLOCKS, cols, rows);
    if (shared == ~0u) return 0;
    if (gpu->max_shared_bytes
            && (long long)shared + softmax_static_shared[number] > gpu->max_shared_bytes) return 0;
    return 1;
}

/* Tuned for this size and GPU; another size, SM count, minor version; not near; null. */
enum { SOFTMAX_EXACT, SOFTMAX_SAME_DEVICE, SOFTMAX_SAME_ARCH, SOFTMAX_SAME_FAMILY, SOFTMAX_DEFAULT,
    SOFTMAX_NONE };
/* Binary logarithm in 1/65536, exact at powers of two, linear between. */
static inline int softmax_lg(long long size) {
    int e = 0;
    if (size < 1) return -65536;
#ifdef __GNUC__
    e = 63 - __builtin_clzll((unsigned long long)size);
#else
    while (size >> e > 1) e++;
#endif
    return (e - 1) * 65536 + (int)((unsigned long long)size << (63 - e) >> 47);
}

static inline int softmax_apart(long long a, long long b) {
    const int gap = a > 0 && b > 0 ? softmax_lg(a) - softmax_lg(b) : 0;
    return gap < 0 ? -gap : gap;
}

/* How far a device of the table is from a GPU: 0, 1 or 2 (another number of
 * multiprocessors, another minor version) << 48, and more; 0: of no use. */
static inline long long softmax_distance(const softmax_gpu *a, const softmax_gpu *gpu, int place) {
    long long minors = (long long)a->cc_minor - gpu->cc_minor, level, gap;
    if (!a->cc_major || a->cc_major != gpu->cc_major) return 0;
    if (minors < 0) minors = -minors;
    if (minors > 2047) minors = 2047;
    level = minors ? 2 : a->sm_count != gpu->sm_count;
    gap = 65536 * minors + 2 * softmax_apart(a->sm_count, gpu->sm_count)
            + softmax_apart(a->l2_bytes, gpu->l2_bytes)
            + softmax_apart(a->memory_bytes, gpu->memory_bytes);
    return (level << 48) + (gap << 20) + place + 1;
}

/* The place of the device that is this GPU, or -1. */
static inline int softmax_own(const softmax_device *devices, int count, const softmax_gpu *gpu) {
    for (int i = 0; i < count; i++) {
        const softmax_gpu *a = &devices[i].gpu;
        if (a->sm_count == gpu->sm_count && a->cc_major == gpu->cc_major
                && a->l2_bytes == gpu->l2_bytes && a->cc_minor == gpu->cc_minor
                && a->memory_bytes == gpu->memory_bytes && a->cc_major)
            return i;
    }
    return -1;
}

/* That of the nearest one farther than *distance, which becomes its own; or -1. */
static inline int softmax_next(const softmax_device *devices, int count, const softmax_gpu *gpu,
    long long *distance) {
    const long long last = *distance;
    int best = -1;
    for (int i = 0; i < count; i++) {
        const long long key = softmax_distance(&devices[i].gpu, gpu, i);
        if (key <= last || (best >= 0 && key >= *distance)) continue;
        *distance = key;
        best = i;
    }
    return best;
}

/* The row of this very problem, or -1. */
static inline int softmax_find(const softmax_group *group, long long BLOCKS, long long cols,
    long long rows) {
    int low = group->first, high = low + group->count;
    while (low < high) {
        const int middle = (low + high) >> 1;
        const softmax_problem *row = &softmax_rows[middle].problem;
        if (BLOCKS < row->BLOCKS
                || (BLOCKS == row->BLOCKS
                && (cols < row->cols || (cols == row->cols && rows < row->rows))))
            high = middle;
        else if (!(BLOCKS == row->BLOCKS && cols == row->cols && rows == row->rows))
            low = middle + 1;
        else
            return middle;
    }
    return -1;
}

/* The configuration for a problem that is no row. */
static inline int softmax_rule(const softmax_group *group, long long BLOCKS, long long cols,
    long long rows) {
    int best = group->first;
    int lg[3], i, at;
    long long least = -1;
    lg[0] = softmax_lg(BLOCKS);
    lg[1] = softmax_lg(cols);
    lg[2] = softmax_lg(rows);
    for (i = group->first; i < group->first + group->count; i++) {
        long long apart = 0;
        for (at = 0; at < 3; at++) {
            const long long gap = (long long)lg[at] - softmax_rows[i].lg[at];
            apart += gap * gap;
        }
        if (least >= 0 && apart >= least) continue;
        least = apart;
        best = i;
    }
    return softmax_rows[best].config;
}

/* What a device of the table has for this problem, or -1; same: it is the one at hand. */
static inline int softmax_of_device(const softmax_device *device, int same, const softmax_gpu *gpu,
    long long BLOCKS, long long cols, long long rows, int *exact) {
    int g, i, number;
    for (g = device->first; g < device->first + device->count; g++) {
        const softmax_group *group = &softmax_groups[g];
        i = softmax_find(group, BLOCKS, cols, rows);
        number = i < 0 ? -1 : softmax_rows[i].config;
        *exact = i >= 0 && (same || softmax_fits(number, gpu, BLOCKS, cols, rows));
        if (*exact) return number;
        for (i = -1; i < group->config_count; i++) {
            number = i < 0 ? softmax_rule(group, BLOCKS, cols, rows)
                    : softmax_preferences[group->configs + i];
            if (softmax_fits(number, gpu, BLOCKS, cols, rows)) return number;
        }
        return -1;
    }
    return -1;
}

/* The configuration for a GPU and problem, or null; *tier, if not null: how near. */
static inline const softmax_config *softmax_select_for(const softmax_gpu *gpu, long long BLOCKS,
    long long cols, long long rows, int *tier) {
    long long last = 0;
    int answered, exact = 0, i = softmax_own(softmax_devices, SOFTMAX_DEVICES, gpu);
    if (!tier) tier = &answered;
    for (;; i = -1) {
        if (i < 0) i = softmax_next(softmax_devices, SOFTMAX_DEVICES, gpu, &last);
        if (i < 0) break;
        const int level = (int)(last >> 48);
        const int number =
                softmax_of_device(&softmax_devices[i], !level, gpu, BLOCKS, cols, rows, &exact);
        if (number < 0) continue;
        *tier = exact && !level ? SOFTMAX_EXACT : SOFTMAX_SAME_DEVICE + level;
        return &softmax_configs[number];
    }
    for (i = -1; i < SOFTMAX_CONFIGS; i++) {
        const int number = i < 0 ? SOFTMAX_DEFAULT_CONFIG : i;
        if (!softmax_fits(number, gpu, BLOCKS, cols, rows)) continue;
        *tier = SOFTMAX_DEFAULT;
        return &softmax_configs[number];
    }
    *tier = SOFTMAX_NONE;
    return 0;
}

/* Limits from the table; of other architectures as set below, else the table's least. */
static inline softmax_gpu softmax_gpu_of(int cc_major, int cc_minor, int sm_count) {
    softmax_gpu gpu = softmax_devices[0].gpu;
    const long long cc = cc_minor >= 0 && cc_minor < 10 ? cc_major * 10LL + cc_minor : 0;
    if (cc_major != gpu.cc_major || cc_minor != gpu.cc_minor) {
        switch (cc) {
        case 70: case 72:
            gpu.max_shared_bytes = 98304; gpu.shared_bytes_per_sm = 98304;
                    gpu.reserved_shared_bytes = 0; break;
        case 75:
            gpu.max_shared_bytes = 65536; gpu.shared_bytes_per_sm = 65536;
                    gpu.reserved_shared_bytes = 0; break;
        case 80: case 87:
            gpu.max_shared_bytes = 166912; gpu.shared_bytes_per_sm = 167936;
                    gpu.reserved_shared_bytes = 1024; break;
        case 86: case 89: case 120: case 121:
            gpu.max_shared_bytes = 101376; gpu.shared_bytes_per_sm = 102400;
                    gpu.reserved_shared_bytes = 1024; break;
        case 90: case 100: case 103: case 110:
            gpu.max_shared_bytes = 232448; gpu.shared_bytes_per_sm = 233472;
                    gpu.reserved_shared_bytes = 1024; break;
        default:
            gpu.max_shared_bytes = 49152; gpu.shared_bytes_per_sm = 65536;
                    gpu.reserved_shared_bytes = 1024; break;
        }
    }
    gpu.cc_major = cc_major, gpu.cc_minor = cc_minor, gpu.sm_count = sm_count;
    return gpu;
}
static inline const softmax_config *softmax_select(int cc_major, int cc_minor, int sm_count,
    long long BLOCKS, long long cols, long long rows, int *tier) {
    const softmax_gpu gpu = softmax_gpu_of(cc_major, cc_minor, sm_count);
    return softmax_select_for(&gpu, BLOCKS, cols, rows, tier);
}
#elif HONE_EMITTED_softmax != 0xa5bb6c7au
#error "two headers softmax that differ: emit one of them with --name"
#endif
