/* Tuned configurations of the kernel transpose. Emitted by hone 0.1.0 (form 3): do not edit.
 * PREDICTED by the emulator's model, not measured (how accurate: docs/emulator.md); clock emulated
 * Valid: emulated, and equal to the reference, within the script's tolerance,
 *     at its verify sizes; 20 of them drawn, as M=200 N=200; M=17 N=2; M=2 N=129.
 * Selected: the row of this size and GPU (compute capability and SM count); else the nearest row,
 *     however far, of the same major version that fits there; else the author's default
 *     (configuration 3) or any that fits; else null.
 * To launch: transpose_select gives a configuration, transpose_defines[config - transpose_configs]
 *     the options to compile transpose.cu with; transpose_grid, transpose_block,
 *     transpose_shared_bytes its launch. C99, C++11, CUDA.
 * Missing: measured times; tuning for other sizes and GPUs; the kernel's code (--payload).
 * No configuration in some cases for M huge, N huge (tried: sizes of rows, one less (odd),
 *     1 (tiny), 2^30 (huge)), as constraints, arguments or launches forbid: tune such,
 *     or expect null.
 * Of problems with OUT = f32, PAD = false, TYPE = f32.
 *
 * Device 0: NVIDIA A100-SXM4-80GB (compute capability 8.0, 108 SMs)
 *   3 configurations for 3 problems; slower than the best by 0.0 % on average, 0.0 % at worst
 *   tuned: M 1024 to 8192, N 1024 to 8192; other sizes, however far, get the configuration of the
 *     nearest one
 *   expected regret of that: not known: tune the problems together
 * Row 0, configuration 0: M = 1024, N = 1024
 *   6.0496 us (predicted); predicted 1.024 times as fast as the author's default
 *   strategy portfolio, seed 1, 60 evaluated, 60 of them valid, of 516780 in the space
 *   results at this size: equal to the reference's
 * Row 1, configuration 1: M = 4096, N = 4096
 *   73.9808 us (predicted); predicted 1.012 times as fast as the author's default
 *   strategy portfolio, seed 1, 60 evaluated, 60 of them valid, of 516780 in the space
 *   results at this size: equal to the reference's
 * Row 2, configuration 2: M = 8192, N = 8192
 *   291.423 us (predicted); predicted 1.013 times as fast as the author's default
 *   strategy portfolio, seed 1, 60 evaluated, 60 of them valid, of 516780 in the space
 *   results at this size: equal to the reference's
 */
#ifndef HONE_EMITTED_transpose
#define HONE_EMITTED_transpose 0x7d01b571u
#if defined(EVICT) || defined(ITEMS) || defined(LOAD) || defined(MIN_BLOCKS) || defined(ORDER) \
    || defined(PREFETCH) || defined(SPREAD) || defined(STORE) || defined(TILE_M) \
    || defined(TILE_N) || defined(VEC_IN) || defined(VEC_OUT) || defined(M) || defined(N) \
    || defined(SMEM)
#error "transpose: include this header before its parameters or sizes are macros"
#endif

/* What the kernel is compiled with. */
typedef struct transpose_config {
    int EVICT, ITEMS, LOAD, MIN_BLOCKS, ORDER, PREFETCH, SPREAD, STORE, TILE_M, TILE_N, VEC_IN,
            VEC_OUT;
    unsigned block[3], shared_bytes; /* of its launch */
} transpose_config;
/* A GPU: transpose_gpu_of makes one, set what is known better; 0 is unknown, and 0 to
 * constraints and launches that read it: cc_major, reserved_shared_bytes, shared_bytes_per_sm. */
typedef struct transpose_gpu {
    int cc_major, cc_minor, sm_count;
    long long l2_bytes, memory_bytes, max_shared_bytes;
    long long reserved_shared_bytes, shared_bytes_per_sm;
} transpose_gpu;
typedef struct {
    const char *name;
    transpose_gpu gpu;
    int first, count; /* groups of rows */
    const char *provenance;
} transpose_device;
typedef struct { long long M, N; } transpose_problem;
typedef struct {
    int device, config;
    transpose_problem problem;
    int lg[2]; /* of the sizes */
    double predicted_us;
} transpose_row;
/* Rows that one rule serves; tree is -1: the nearest row serves. */
typedef struct transpose_group {
    int first, count, tree;
    int configs, config_count; /* in transpose_preferences, the best first */
} transpose_group;

enum { TRANSPOSE_DEFAULT_CONFIG = 3, TRANSPOSE_CONFIGS = 4, TRANSPOSE_DEVICES = 1,
    TRANSPOSE_ROWS = 3 };
static const transpose_config transpose_configs[TRANSPOSE_CONFIGS] = {
    {0, 2, 1, 4, 1, 256, 1, 1, 64, 16, 4, 4, {32, 1, 1}, 4144},
    {0, 8, 0, 1, 1, 128, 1, 1, 64, 64, 4, 4, {32, 1, 1}, 16624},
    {0, 8, 0, 1, 1, 128, 1, 0, 64, 64, 4, 4, {32, 1, 1}, 16624},
    {0, 1, 2, 4, 0, 0, 2, 0, 64, 64, 4, 4, {256, 1, 1}, 16384},
};
static const char *const transpose_defines[TRANSPOSE_CONFIGS] = {
    ("-DEVICT=0 -DITEMS=2 -DLOAD=1 -DMIN_BLOCKS=4 -DORDER=1 -DPREFETCH=256 -DSPREAD=1 -DSTORE=1 "
            "-DTILE_M=64 -DTILE_N=16 -DVEC_IN=4 -DVEC_OUT=4 -DOUT=f32 -DTYPE=f32"),
    ("-DEVICT=0 -DITEMS=8 -DLOAD=0 -DMIN_BLOCKS=1 -DORDER=1 -DPREFETCH=128 -DSPREAD=1 -DSTORE=1 "
            "-DTILE_M=64 -DTILE_N=64 -DVEC_IN=4 -DVEC_OUT=4 -DOUT=f32 -DTYPE=f32"),
    ("-DEVICT=0 -DITEMS=8 -DLOAD=0 -DMIN_BLOCKS=1 -DORDER=1 -DPREFETCH=128 -DSPREAD=1 -DSTORE=0 "
            "-DTILE_M=64 -DTILE_N=64 -DVEC_IN=4 -DVEC_OUT=4 -DOUT=f32 -DTYPE=f32"),
    ("-DEVICT=0 -DITEMS=1 -DLOAD=2 -DMIN_BLOCKS=4 -DORDER=0 -DPREFETCH=0 -DSPREAD=2 -DSTORE=0 "
            "-DTILE_M=64 -DTILE_N=64 -DVEC_IN=4 -DVEC_OUT=4 -DOUT=f32 -DTYPE=f32"),
};
static const transpose_device transpose_devices[TRANSPOSE_DEVICES] = {
    {"NVIDIA A100-SXM4-80GB", {8, 0, 108, 41943040, 84825604096LL, 166912, 1024, 167936}, 0, 1,
     "predicted; clock emulated; driver emulator 1, NVRTC 13.0, recorded by hone 0.1.0; template "
             "transpose.cu, template hash f237e80a6e13fa60127517490f6561dc, space hash "
             "3d222122d61b3026828741055a62b71c, options hash a6b86b64094343ae56dc37e12884696b"},
};
static const transpose_row transpose_rows[TRANSPOSE_ROWS] = {
    {0, 0, {1024, 1024}, {655360, 655360}, 6.04959797},
    {0, 1, {4096, 4096}, {786432, 786432}, 73.9808019},
    {0, 2, {8192, 8192}, {851968, 851968}, 291.423207},
};

static const int transpose_preferences[] = {
    0, 2, 1,
};
static const transpose_group transpose_groups[] = {
    {0, 3, -1, 0, 3},
};

#if defined(__cplusplus) && __cplusplus >= 201703L /* transpose_arch<80>.FIELD, one for every cc */
extern "C++" { template <int cc> static constexpr transpose_config transpose_arch =
    {0, 2, 1, 4, 1, 256, 1, 1, 64, 16, 4, 4, {32, 1, 1}, 4144}; }
#endif
/* As in Lua 5.4: integers wrap. */
static inline long long transpose_add(long long a, long long b) {
    return (long long)((unsigned long long)a + (unsigned long long)b);
}
static inline long long transpose_mul(long long a, long long b) {
    return (long long)((unsigned long long)a * (unsigned long long)b);
}

/* The kernel, by its arguments and their elements: transpose(input f32 in[M * N],
 *     inout f32 out[N * M], scalar i32 M, N, ld_in = N, ld_out = M). */
/* The launch; shared memory is dynamic. Where CUDA refuses: grid, block 0, bytes ~0. */
static inline void transpose_grid(const transpose_config *config, long long M, long long N,
    unsigned grid[3]) {
    grid[0] = grid[1] = grid[2] = 0;
    if (!config) return;
    const long long grid_x =
            transpose_mul(M / config->TILE_M + (M % config->TILE_M > 0),
            N / config->TILE_N + (N % config->TILE_N > 0));
    if (grid_x < 1 || grid_x > 2147483647) return;
    grid[0] = (unsigned)grid_x, grid[1] = 1, grid[2] = 1;
}
static inline void transpose_block(const transpose_config *config, long long M, long long N,
    unsigned block[3]) {
    (void)M, (void)N;
    for (int i = 0; i < 3; i++) block[i] = config ? config->block[i] : 0;
}
static inline unsigned transpose_shared_bytes(const transpose_config *config, long long M,
    long long N) {
    (void)M, (void)N;
    return config ? config->shared_bytes : ~0u;
}

/* Whether a configuration may run on a GPU and problem it was not measured on. */
static inline int transpose_fits(int number, const transpose_gpu *gpu, long long M, long long N) {
    const transpose_config *config = &transpose_configs[number];
    unsigned grid[3];
    const long long SMEM =
            4 * (config->TILE_M * config->TILE_N
            + (config->SPREAD == 1 ? (config->TILE_N / config->VEC_IN - 1) * config->VEC_OUT : 0));
    if (config->PREFETCH >= 256 && gpu->cc_major < 8) return 0;
    if (transpose_mul(config->MIN_BLOCKS, transpose_add(SMEM, gpu->reserved_shared_bytes))
            > gpu->shared_bytes_per_sm) return 0;
    if (M < 0 || M != (int)M || N < 0 || N != (int)N) return 0;
    transpose_grid(config, M, N, grid);
    if (!grid[0]) return 0;
    return 1;
}

/* Tuned for this size and GPU; another size, SM count, minor version; not near; null. */
enum { TRANSPOSE_EXACT, TRANSPOSE_SAME_DEVICE, TRANSPOSE_SAME_ARCH, TRANSPOSE_SAME_FAMILY,
    TRANSPOSE_DEFAULT, TRANSPOSE_NONE };
/* Binary logarithm in 1/65536, exact at powers of two, linear between. */
static inline int transpose_lg(long long size) {
    int e = 0;
    if (size < 1) return -65536;
#ifdef __GNUC__
    e = 63 - __builtin_clzll((unsigned long long)size);
#else
    while (size >> e > 1) e++;
#endif
    return (e - 1) * 65536 + (int)((unsigned long long)size << (63 - e) >> 47);
}

static inline int transpose_apart(long long a, long long b) {
    const int gap = a > 0 && b > 0 ? transpose_lg(a) - transpose_lg(b) : 0;
    return gap < 0 ? -gap : gap;
}

/* How far a device of the table is from a GPU: 0, 1 or 2 (another number of
 * multiprocessors, another minor version) << 48, and more; 0: of no use. */
static inline long long transpose_distance(const transpose_gpu *a, const transpose_gpu *gpu,
    int place) {
    long long minors = (long long)a->cc_minor - gpu->cc_minor, level, gap;
    if (!a->cc_major || a->cc_major != gpu->cc_major) return 0;
    if (minors < 0) minors = -minors;
    if (minors > 2047) minors = 2047;
    level = minors ? 2 : a->sm_count != gpu->sm_count;
    gap = 65536 * minors + 2 * transpose_apart(a->sm_count, gpu->sm_count)
            + transpose_apart(a->l2_bytes, gpu->l2_bytes)
            + transpose_apart(a->memory_bytes, gpu->memory_bytes);
    return (level << 48) + (gap << 20) + place + 1;
}

/* The place of the device that is this GPU, or -1. */
static inline int transpose_own(const transpose_device *devices, int count,
    const transpose_gpu *gpu) {
    for (int i = 0; i < count; i++) {
        const transpose_gpu *a = &devices[i].gpu;
        if (a->sm_count == gpu->sm_count && a->cc_major == gpu->cc_major
                && a->l2_bytes == gpu->l2_bytes && a->cc_minor == gpu->cc_minor
                && a->memory_bytes == gpu->memory_bytes && a->cc_major)
            return i;
    }
    return -1;
}

/* That of the nearest one farther than *distance, which becomes its own; or -1. */
static inline int transpose_next(const transpose_device *devices, int count,
    const transpose_gpu *gpu, long long *distance) {
    const long long last = *distance;
    int best = -1;
    for (int i = 0; i < count; i++) {
        const long long key = transpose_distance(&devices[i].gpu, gpu, i);
        if (key <= last || (best >= 0 && key >= *distance)) continue;
        *distance = key;
        best = i;
    }
    return best;
}

/* The row of this very problem, or -1. */
static inline int transpose_find(const transpose_group *group, long long M, long long N) {
    int low = group->first, high = low + group->count;
    while (low < high) {
        const int middle = (low + high) >> 1;
        const transpose_problem *row = &transpose_rows[middle].problem;
        if (M < row->M || (M == row->M && N < row->N))
            high = middle;
        else if (!(M == row->M && N == row->N))
            low = middle + 1;
        else
            return middle;
    }
    return -1;
}

/* The configuration for a problem that is no row. */
static inline int transpose_rule(const transpose_group *group, long long M, long long N) {
    int best = group->first;
    int lg[2], i, at;
    long long least = -1;
    lg[0] = transpose_lg(M);
    lg[1] = transpose_lg(N);
    for (i = group->first; i < group->first + group->count; i++) {
        long long apart = 0;
        for (at = 0; at < 2; at++) {
            const long long gap = (long long)lg[at] - transpose_rows[i].lg[at];
            apart += gap * gap;
        }
        if (least >= 0 && apart >= least) continue;
        least = apart;
        best = i;
    }
    return transpose_rows[best].config;
}

/* What a device of the table has for this problem, or -1; same: it is the one at hand. */
static inline int transpose_of_device(const transpose_device *device, int same,
    const transpose_gpu *gpu, long long M, long long N, int *exact) {
    int g, i, number;
    for (g = device->first; g < device->first + device->count; g++) {
        const transpose_group *group = &transpose_groups[g];
        i = transpose_find(group, M, N);
        number = i < 0 ? -1 : transpose_rows[i].config;
        *exact = i >= 0 && (same || transpose_fits(number, gpu, M, N));
        if (*exact) return number;
        for (i = -1; i < group->config_count; i++) {
            number = i < 0 ? transpose_rule(group, M, N)
                    : transpose_preferences[group->configs + i];
            if (transpose_fits(number, gpu, M, N)) return number;
        }
        return -1;
    }
    return -1;
}

/* The configuration for a GPU and problem, or null; *tier, if not null: how near. */
static inline const transpose_config *transpose_select_for(const transpose_gpu *gpu, long long M,
    long long N, int *tier) {
    long long last = 0;
    int answered, exact = 0, i = transpose_own(transpose_devices, TRANSPOSE_DEVICES, gpu);
    if (!tier) tier = &answered;
    for (;; i = -1) {
        if (i < 0) i = transpose_next(transpose_devices, TRANSPOSE_DEVICES, gpu, &last);
        if (i < 0) break;
        const int level = (int)(last >> 48);
        const int number = transpose_of_device(&transpose_devices[i], !level, gpu, M, N, &exact);
        if (number < 0) continue;
        *tier = exact && !level ? TRANSPOSE_EXACT : TRANSPOSE_SAME_DEVICE + level;
        return &transpose_configs[number];
    }
    for (i = -1; i < TRANSPOSE_CONFIGS; i++) {
        const int number = i < 0 ? TRANSPOSE_DEFAULT_CONFIG : i;
        if (!transpose_fits(number, gpu, M, N)) continue;
        *tier = TRANSPOSE_DEFAULT;
        return &transpose_configs[number];
    }
    *tier = TRANSPOSE_NONE;
    return 0;
}

/* Limits from the table; of other architectures as set below, else the table's least. */
static inline transpose_gpu transpose_gpu_of(int cc_major, int cc_minor, int sm_count) {
    transpose_gpu gpu = transpose_devices[0].gpu;
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
static inline const transpose_config *transpose_select(int cc_major, int cc_minor, int sm_count,
    long long M, long long N, int *tier) {
    const transpose_gpu gpu = transpose_gpu_of(cc_major, cc_minor, sm_count);
    return transpose_select_for(&gpu, M, N, tier);
}
#elif HONE_EMITTED_transpose != 0x7d01b571u
#error "two headers transpose that differ: emit one of them with --name"
#endif
