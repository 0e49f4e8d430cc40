/* Tuned configurations of the kernel gemm_grouped. Emitted by hone 0.1.0 (form 3): do not edit.
 * PREDICTED by the emulator's model, not measured (how accurate: docs/emulator.md); clock emulated
 * Valid: emulated, and equal to the reference, within the script's tolerance, at its verify sizes.
 * Selected: the row of this size and GPU (compute capability and SM count); else the nearest row,
 *     however far, of the same major version that fits there; else the author's default
 *     (configuration 2) or any that fits; else null.
 * To launch: gemm_grouped_select gives a configuration,
 *     gemm_grouped_defines[config - gemm_grouped_configs] the options to compile gemm_grouped.cu
 *     with; gemm_grouped_grid, gemm_grouped_block, gemm_grouped_shared_bytes its launch. C99,
 *     C++11, CUDA.
 * Missing: measured times; a look at the results of every row; tuning for other sizes and GPUs; the
 *     kernel's code (--payload).
 * No configuration on compute capability 7.0, 7.5; elsewhere for GROUPS huge, M odd, M tiny,
 *     UNIT huge; in some cases for N huge (tried: sizes of rows, one less (odd), 1 (tiny),
 *     2^30 (huge)), as constraints, arguments or launches forbid: tune such, or expect null.
 * Of problems with ACT = none, ADD_C = false, ALIGN_AC = false, ALIGN_BD = false, BIAS = none,
 *     EPILOGUE = "", OUT = bf16, PAD = false, RESIDUAL = false, SCALE = none, TRANS_A = false,
 *     TRANS_B = true, TYPE = bf16.
 *
 * Device 0: NVIDIA H100 80GB HBM3 (compute capability 9.0, 132 SMs)
 *   2 configurations for 3 problems; slower than the best by 0.0 % on average, 0.0 % at worst
 *   tuned: GROUPS 4 to 8, K 2048 to 7168, M 8192 to 32768, N 4096 to 7168, UNIT 128 to 1024; other
 *     sizes, however far, get the configuration of the nearest one
 *   regret of that where one problem is left out: 0.0 %, of 2 more not known; too few to tell what
 *     to expect
 * Row 0, configuration 0: GROUPS = 4, K = 7168, M = 32768, N = 4096, UNIT = 1024
 *   1234.91 us (predicted); predicted 1.411 times as fast as the author's default
 *   strategy portfolio, seed 1, 60 evaluated, 60 of them valid, of 350232 in the space
 *   results not verified at this size (needs about 110 s of emulation, limit 40 s)
 * Row 1, configuration 1: GROUPS = 8, K = 2048, M = 8192, N = 7168, UNIT = 128
 *   191.438 us (predicted); predicted 1.431 times as fast as the author's default
 *   0.0 % over the best, 191.374 us, whose configuration is not kept
 *   strategy portfolio, seed 1, 60 evaluated, 60 of them valid, of 350232 in the space
 *   results not verified at this size (needs about 120 s of emulation, limit 8.36 s)
 * Row 2, configuration 1: GROUPS = 8, K = 7168, M = 8192, N = 4096, UNIT = 128
 *   377.089 us (predicted); predicted 1.409 times as fast as the author's default
 *   strategy portfolio, seed 1, 60 evaluated, 60 of them valid, of 350232 in the space
 *   results not verified at this size (would need over 40 s of emulation)
 */
#ifndef HONE_EMITTED_gemm_grouped
#define HONE_EMITTED_gemm_grouped 0x36059ddeu
#if defined(BK) || defined(BM) || defined(BN) || defined(GROUP_M) || defined(MIN_BLOCKS) \
    || defined(PREFETCH) || defined(REGPIPE) || defined(STAGES) || defined(STAGE_D) || defined(WM) \
    || defined(WN) || defined(GROUPS) || defined(K) || defined(M) || defined(N) || defined(UNIT) \
    || defined(THREADS) || defined(STAGING) || defined(SMEM)
#error "gemm_grouped: include this header before its parameters or sizes are macros"
#endif

/* What the kernel is compiled with. */
typedef struct gemm_grouped_config {
    int BK, BM, BN, GROUP_M, MIN_BLOCKS, PREFETCH, REGPIPE, STAGES, STAGE_D, WM, WN;
    unsigned block[3], shared_bytes; /* of its launch */
} gemm_grouped_config;
/* A GPU: gemm_grouped_gpu_of makes one, set what is known better; 0 is unknown, and 0 to
 * constraints and launches that read it: cc_major, max_shared_bytes, reserved_shared_bytes,
 *     shared_bytes_per_sm. */
typedef struct gemm_grouped_gpu {
    int cc_major, cc_minor, sm_count;
    long long l2_bytes, memory_bytes, max_shared_bytes;
    long long reserved_shared_bytes, shared_bytes_per_sm;
} gemm_grouped_gpu;
typedef struct {
    const char *name;
    gemm_grouped_gpu gpu;
    int first, count; /* groups of rows */
    const char *provenance;
} gemm_grouped_device;
typedef struct { long long GROUPS, K, M, N, UNIT; } gemm_grouped_problem;
typedef struct {
    int device, config;
    gemm_grouped_problem problem;
    int lg[5]; /* of the sizes */
    double predicted_us;
} gemm_grouped_row;
/* Rows that one rule serves; tree is -1: the nearest row serves. */
typedef struct gemm_grouped_group {
    int first, count, tree;
    int configs, config_count; /* in gemm_grouped_preferences, the best first */
} gemm_grouped_group;

enum { GEMM_GROUPED_DEFAULT_CONFIG = 2, GEMM_GROUPED_CONFIGS = 3, GEMM_GROUPED_DEVICES = 1,
    GEMM_GROUPED_ROWS = 3 };
static const gemm_grouped_config gemm_grouped_configs[GEMM_GROUPED_CONFIGS] = {
    {128, 128, 256, 1, 1, 256, 1, 4, 0, 64, 64, {256, 1, 1}, 196608},
    {128, 128, 256, 1, 1, 0, 2, 4, 0, 64, 64, {256, 1, 1}, 196608},
    {64, 128, 128, 8, 1, 128, 2, 4, 1, 64, 32, {256, 1, 1}, 65536},
};
static const char *const gemm_grouped_defines[GEMM_GROUPED_CONFIGS] = {
    ("-DBK=128 -DBM=128 -DBN=256 -DGROUP_M=1 -DMIN_BLOCKS=1 -DPREFETCH=256 -DREGPIPE=1 -DSTAGES=4 "
            "-DSTAGE_D=0 -DWM=64 -DWN=64 -DACT=none -DBIAS=none -DEPILOGUE= -DOUT=bf16 "
            "-DRESIDUAL=0 -DSCALE=none -DTRANS_A=0 -DTRANS_B=1 -DTYPE=bf16"),
    ("-DBK=128 -DBM=128 -DBN=256 -DGROUP_M=1 -DMIN_BLOCKS=1 -DPREFETCH=0 -DREGPIPE=2 -DSTAGES=4 "
            "-DSTAGE_D=0 -DWM=64 -DWN=64 -DACT=none -DBIAS=none -DEPILOGUE= -DOUT=bf16 "
            "-DRESIDUAL=0 -DSCALE=none -DTRANS_A=0 -DTRANS_B=1 -DTYPE=bf16"),
    ("-DBK=64 -DBM=128 -DBN=128 -DGROUP_M=8 -DMIN_BLOCKS=1 -DPREFETCH=128 -DREGPIPE=2 -DSTAGES=4 "
            "-DSTAGE_D=1 -DWM=64 -DWN=32 -DACT=none -DBIAS=none -DEPILOGUE= -DOUT=bf16 "
            "-DRESIDUAL=0 -DSCALE=none -DTRANS_A=0 -DTRANS_B=1 -DTYPE=bf16"),
};
static const gemm_grouped_device gemm_grouped_devices[GEMM_GROUPED_DEVICES] = {
    {"NVIDIA H100 80GB HBM3", {9, 0, 132, 52428800, 84825604096LL, 232448, 1024, 233472}, 0, 1,
     "predicted; clock emulated; driver emulator 1, NVRTC 13.0, recorded by hone 0.1.0; template "
             "gemm_grouped.cu, template hash 192520cee3699429faf29f8c32556f64, space hash "
             "c3f11641dfc50e300581ef72f6af7174, options hash a6b86b64094343ae56dc37e12884696b"},
};
static const gemm_grouped_row gemm_grouped_rows[GEMM_GROUPED_ROWS] = {
    {0, 0, {4, 7168, 32768, 4096, 1024}, {131072, 835584, 983040, 786432, 655360}, 1234.91489},
    {0, 1, {8, 2048, 8192, 7168, 128}, {196608, 720896, 851968, 835584, 458752}, 191.438336},
    {0, 1, {8, 7168, 8192, 4096, 128}, {196608, 835584, 851968, 786432, 458752}, 377.088614},
};

static const int gemm_grouped_preferences[] = {
    1, 0,
};
static const gemm_grouped_group gemm_grouped_groups[] = {
    {0, 3, -1, 0, 2},
};

#if defined(__cplusplus) \
    && __cplusplus >= 201703L /* gemm_grouped_arch<80>.FIELD, one for every cc */
extern "C++" { template <int cc> static constexpr gemm_grouped_config gemm_grouped_arch =
    {128, 128, 256, 1, 1, 0, 2, 4, 0, 64, 64, {256, 1, 1}, 196608}; }
#endif
/* As in Lua 5.4: integers wrap; 0 where Lua raises an error. */
static inline long long gemm_grouped_add(long long a, long long b) {
    return (long long)((unsigned long long)a + (unsigned long long)b);
}
static inline long long gemm_grouped_sub(long long a, long long b) {
    return (long long)((unsigned long long)a - (unsigned long long)b);
}
static inline long long gemm_grouped_mul(long long a, long long b) {
    return (long long)((unsigned long long)a * (unsigned long long)b);
}
static inline long long gemm_grouped_neg(long long a) {
    return gemm_grouped_sub(0, a);
}
static inline long long gemm_grouped_max(long long a, long long b) {
    return a < b ? b : a;
}
static inline long long gemm_grouped_ceil_div(long long a, long long b) {
    if (b == 0 || b == -1) return b == 0 ? 0 : gemm_grouped_neg(a);
    return a / b + (a % b != 0 && (a < 0) == (b < 0));
}
static inline long long gemm_grouped_round_up(long long a, long long b) {
    return gemm_grouped_mul(gemm_grouped_ceil_div(a, b), b);
}

/* The kernel, by its arguments and their elements: gemm_grouped(input bf16
 *     A[max(1, (M - 1) * K + K)], B[max(1, (GROUPS * N - 1) * K + K)], C[1],
 *     inout bf16 D[max(1, (M - 1) * N + N)], input bf16 bias[1], residual[1], f32 row_scale[1],
 *     column_scale[1], u32 sizes[GROUPS], scalar i32 unit = UNIT, groups = GROUPS, N, K, lda = K,
 *     ldb = K, ldc = N, ldd = N, f32 alpha, beta, i64 stride_b = N * K). */
/* The launch; shared memory is dynamic. Where CUDA refuses: grid, block 0, bytes ~0. */
static inline void gemm_grouped_grid(const gemm_grouped_config *config, long long GROUPS,
    long long K, long long M, long long N, long long UNIT, unsigned grid[3]) {
    (void)K, (void)UNIT;
    grid[0] = grid[1] = grid[2] = 0;
    if (!config) return;
    const long long grid_x =
            gemm_grouped_mul(gemm_grouped_round_up(gemm_grouped_add(M / config->BM
            + (M % config->BM > 0), GROUPS), config->GROUP_M),
            N / config->BN + (N % config->BN > 0));
    if (grid_x < 1 || grid_x > 2147483647) return;
    grid[0] = (unsigned)grid_x, grid[1] = 1, grid[2] = 1;
}
static inline void gemm_grouped_block(const gemm_grouped_config *config, long long GROUPS,
    long long K, long long M, long long N, long long UNIT, unsigned block[3]) {
    (void)GROUPS, (void)K, (void)M, (void)N, (void)UNIT;
    for (int i = 0; i < 3; i++) block[i] = config ? config->block[i] : 0;
}
static inline unsigned gemm_grouped_shared_bytes(const gemm_grouped_config *config,
    long long GROUPS, long long K, long long M, long long N, long long UNIT) {
    (void)GROUPS, (void)K, (void)M, (void)N, (void)UNIT;
    return config ? config->shared_bytes : ~0u;
}

/* Whether a configuration may run on a GPU and problem it was not measured on. */
static inline int gemm_grouped_fits(int number, const gemm_grouped_gpu *gpu, long long GROUPS,
    long long K, long long M, long long N, long long UNIT) {
    const gemm_grouped_config *config = &gemm_grouped_configs[number];
    unsigned grid[3], shared;
    const long long THREADS = 32 * (config->BM / config->WM) * (config->BN / config->WN);
    const long long STAGING = config->STAGE_D * THREADS * 2 * (config->WN + 8);
    const long long SMEM =
            gemm_grouped_max(config->STAGES * (config->BM + config->BN) * config->BK, STAGING);
    if (gpu->cc_major < 8) return 0;
    if (SMEM > gpu->max_shared_bytes) return 0;
    if (gemm_grouped_mul(config->MIN_BLOCKS, gemm_grouped_add(SMEM, gpu->reserved_shared_bytes))
            > gpu->shared_bytes_per_sm) return 0;
    if (M < gemm_grouped_mul(gemm_grouped_mul(8, UNIT), GROUPS)) return 0;
    if (GROUPS < 0 || GROUPS != (int)GROUPS || K < 0 || K != (int)K || M < 0 || N < 0 || N != (int)N
            || UNIT < 0 || UNIT != (int)UNIT) return 0;
    gemm_grouped_grid(config, GROUPS, K, M, N, UNIT, grid);
    if (!grid[0]) return 0;
    shared = gemm_grouped_shared_bytes(config, GROUPS, K, M, N, UNIT);
    if (gpu->max_shared_bytes && (long long)shared > gpu->max_shared_bytes) return 0;
    return 1;
}

/* Tuned for this size and GPU; another size, SM count, minor version; not near; null. */
enum { GEMM_GROUPED_EXACT, GEMM_GROUPED_SAME_DEVICE, GEMM_GROUPED_SAME_ARCH,
    GEMM_GROUPED_SAME_FAMILY, GEMM_GROUPED_DEFAULT, GEMM_GROUPED_NONE };
/* Binary logarithm in 1/65536, exact at powers of two, linear between. */
static inline int gemm_grouped_lg(long long size) {
    int e = 0;
    if (size < 1) return -65536;
#ifdef __GNUC__
    e = 63 - __builtin_clzll((unsigned long long)size);
#else
    while (size >> e > 1) e++;
#endif
    return (e - 1) * 65536 + (int)((unsigned long long)size << (63 - e) >> 47);
}

static inline int gemm_grouped_apart(long long a, long long b) {
    const int gap = a > 0 && b > 0 ? gemm_grouped_lg(a) - gemm_grouped_lg(b) : 0;
    return gap < 0 ? -gap : gap;
}

/* How far a device of the table is from a GPU: 0, 1 or 2 (another number of
 * multiprocessors, another minor version) << 48, and more; 0: of no use. */
static inline long long gemm_grouped_distance(const gemm_grouped_gpu *a,
    const gemm_grouped_gpu *gpu, int place) {
    long long minors = (long long)a->cc_minor - gpu->cc_minor, level, gap;
    if (!a->cc_major || a->cc_major != gpu->cc_major) return 0;
    if (minors < 0) minors = -minors;
    if (minors > 2047) minors = 2047;
    level = minors ? 2 : a->sm_count != gpu->sm_count;
    gap = 65536 * minors + 2 * gemm_grouped_apart(a->sm_count, gpu->sm_count)
            + gemm_grouped_apart(a->l2_bytes, gpu->l2_bytes)
            + gemm_grouped_apart(a->memory_bytes, gpu->memory_bytes);
    return (level << 48) + (gap << 20) + place + 1;
}

/* The place of the device that is this GPU, or -1. */
static inline int gemm_grouped_own(const gemm_grouped_device *devices, int count,
    const gemm_grouped_gpu *gpu) {
    for (int i = 0; i < count; i++) {
        const gemm_grouped_gpu *a = &devices[i].gpu;
        if (a->sm_count == gpu->sm_count && a->cc_major == gpu->cc_major
                && a->l2_bytes == gpu->l2_bytes && a->cc_minor == gpu->cc_minor
                && a->memory_bytes == gpu->memory_bytes && a->cc_major)
            return i;
    }
    return -1;
}

/* That of the nearest one farther than *distance, which becomes its own; or -1. */
static inline int gemm_grouped_next(const gemm_grouped_device *devices, int count,
    const gemm_grouped_gpu *gpu, long long *distance) {
    const long long last = *distance;
    int best = -1;
    for (int i = 0; i < count; i++) {
        const long long key = gemm_grouped_distance(&devices[i].gpu, gpu, i);
        if (key <= last || (best >= 0 && key >= *distance)) continue;
        *distance = key;
        best = i;
    }
    return best;
}

/* The row of this very problem, or -1. */
static inline int gemm_grouped_find(const gemm_grouped_group *group, long long GROUPS, long long K,
    long long M, long long N, long long UNIT) {
    int low = group->first, high = low + group->count;
    while (low < high) {
        const int middle = (low + high) >> 1;
        const gemm_grouped_problem *row = &gemm_grouped_rows[middle].problem;
        if (GROUPS < row->GROUPS
                || (GROUPS == row->GROUPS
                && (K < row->K
                || (K == row->K
                && (M < row->M
                || (M == row->M && (N < row->N || (N == row->N && UNIT < row->UNIT))))))))
            high = middle;
        else if (!(GROUPS == row->GROUPS && K == row->K && M == row->M && N == row->N
                && UNIT == row->UNIT))
            low = middle + 1;
        else
            return middle;
    }
    return -1;
}

/* The configuration for a problem that is no row. */
static inline int gemm_grouped_rule(const gemm_grouped_group *group, long long GROUPS, long long K,
    long long M, long long N, long long UNIT) {
    int best = group->first;
    int lg[5], i, at;
    long long least = -1;
    lg[0] = gemm_grouped_lg(GROUPS);
    lg[1] = gemm_grouped_lg(K);
    lg[2] = gemm_grouped_lg(M);
    lg[3] = gemm_grouped_lg(N);
    lg[4] = gemm_grouped_lg(UNIT);
    for (i = group->first; i < group->first + group->count; i++) {
        long long apart = 0;
        for (at = 0; at < 5; at++) {
            const long long gap = (long long)lg[at] - gemm_grouped_rows[i].lg[at];
            apart += gap * gap;
        }
        if (least >= 0 && apart >= least) continue;
        least = apart;
        best = i;
    }
    return gemm_grouped_rows[best].config;
}

/* What a device of the table has for this problem, or -1; same: it is the one at hand. */
static inline int gemm_grouped_of_device(const gemm_grouped_device *device, int same,
    const gemm_grouped_gpu *gpu, long long GROUPS, long long K, long long M, long long N,
    long long UNIT, int *exact) {
    int g, i, number;
    for (g = device->first; g < device->first + device->count; g++) {
        const gemm_grouped_group *group = &gemm_grouped_groups[g];
        i = gemm_grouped_find(group, GROUPS, K, M, N, UNIT);
        number = i < 0 ? -1 : gemm_grouped_rows[i].config;
        *exact = i >= 0 && (same || gemm_grouped_fits(number, gpu, GROUPS, K, M, N, UNIT));
        if (*exact) return number;
        for (i = -1; i < group->config_count; i++) {
            number = i < 0 ? gemm_grouped_rule(group, GROUPS, K, M, N, UNIT)
                    : gemm_grouped_preferences[group->configs + i];
            if (gemm_grouped_fits(number, gpu, GROUPS, K, M, N, UNIT)) return number;
        }
        return -1;
    }
    return -1;
}

/* The configuration for a GPU and problem, or null; *tier, if not null: how near. */
static inline const gemm_grouped_config *gemm_grouped_select_for(const gemm_grouped_gpu *gpu,
    long long GROUPS, long long K, long long M, long long N, long long UNIT, int *tier) {
    long long last = 0;
    int answered, exact = 0, i = gemm_grouped_own(gemm_grouped_devices, GEMM_GROUPED_DEVICES, gpu);
    if (!tier) tier = &answered;
    for (;; i = -1) {
        if (i < 0) i = gemm_grouped_next(gemm_grouped_devices, GEMM_GROUPED_DEVICES, gpu, &last);
        if (i < 0) break;
        const int level = (int)(last >> 48);
        const int number =
                gemm_grouped_of_device(&gemm_grouped_devices[i], !level, gpu, GROUPS, K, M, N, UNIT,
                &exact);
        if (number < 0) continue;
        *tier = exact && !level ? GEMM_GROUPED_EXACT : GEMM_GROUPED_SAME_DEVICE + level;
        return &gemm_grouped_configs[number];
    }
    for (i = -1; i < GEMM_GROUPED_CONFIGS; i++) {
        const int number = i < 0 ? GEMM_GROUPED_DEFAULT_CONFIG : i;
        if (!gemm_grouped_fits(number, gpu, GROUPS, K, M, N, UNIT)) continue;
        *tier = GEMM_GROUPED_DEFAULT;
        return &gemm_grouped_configs[number];
    }
    *tier = GEMM_GROUPED_NONE;
    return 0;
}

/* Limits from the table; of other architectures as set below, else the table's least. */
static inline gemm_grouped_gpu gemm_grouped_gpu_of(int cc_major, int cc_minor, int sm_count) {
    gemm_grouped_gpu gpu = gemm_grouped_devices[0].gpu;
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
static inline const gemm_grouped_config *gemm_grouped_select(int cc_major, int cc_minor,
    int sm_count, long long GROUPS, long long K, long long M, long long N, long long UNIT,
    int *tier) {
    const gemm_grouped_gpu gpu = gemm_grouped_gpu_of(cc_major, cc_minor, sm_count);
    return gemm_grouped_select_for(&gpu, GROUPS, K, M, N, UNIT, tier);
}
#elif HONE_EMITTED_gemm_grouped != 0x36059ddeu
#error "two headers gemm_grouped that differ: emit one of them with --name"
#endif
