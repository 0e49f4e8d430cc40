/* Tuned configurations of the kernel gemm_w4a16. Emitted by hone 0.1.0 (form 3): do not edit.
 * PREDICTED by the emulator's model, not measured (how accurate: docs/emulator.md); clock emulated
 * Valid: emulated, and equal to the reference, within the script's tolerance, at its verify sizes.
 * Selected: the row of this size and GPU (compute capability and SM count); else the nearest row,
 *     however far, of the same major version that fits there; else the author's default
 *     (configuration 3) or any that fits; else null.
 * To launch: gemm_w4a16_select gives a configuration,
 *     gemm_w4a16_defines[config - gemm_w4a16_configs] the options to compile gemm_w4a16.cu with;
 *     gemm_w4a16_grid, gemm_w4a16_block, gemm_w4a16_shared_bytes its launch;
 *     gemm_w4a16_partials_bytes bytes of partials (0: pass null). C99, C++11, CUDA.
 * Missing: measured times; tuning for other sizes and GPUs; the kernel's code (--payload).
 * No configuration on compute capability 7.0, 7.5; elsewhere for K odd, K tiny, M huge, N odd,
 *     N tiny (tried: sizes of rows, one less (odd), 1 (tiny), 2^30 (huge)), as constraints,
 *     arguments or launches forbid: tune such, or expect null.
 * Of problems with ACT = none, ADD_C = false, ALIGN_AC = false, ALIGN_BD = false, BIAS = none,
 *     EPILOGUE = "", OUT = f16, PAD = false, RESIDUAL = false, SCALE = none, TYPE = f16,
 *     ZEROS = false.
 *
 * Device 0: NVIDIA GeForce RTX 4090 (compute capability 8.9, 128 SMs)
 *   3 configurations for 3 problems; slower than the best by 0.0 % on average, 0.0 % at worst
 *   tuned: K 4096 to 14336, M 1 to 1, N 4096 to 14336; other sizes, however far,
 *     get the configuration of the nearest one
 *   expected regret of that: not known: tune the problems together
 * Row 0, configuration 0: K = 4096, M = 1, N = 4096
 *   12.1536 us (predicted); predicted 1.013 times as fast as the author's default
 *   strategy portfolio, seed 1, 60 evaluated, 60 of them valid, of 155952 in the space
 *   results at this size: equal to the reference's
 * Row 1, configuration 1: K = 4096, M = 1, N = 14336
 *   35.0787 us (predicted); predicted 1.107 times as fast as the author's default
 *   strategy portfolio, seed 1, 60 evaluated, 60 of them valid, of 155952 in the space
 *   results at this size: equal to the reference's
 * Row 2, configuration 2: K = 14336, M = 1, N = 4096
 *   36.0028 us (predicted); predicted 1.012 times as fast as the author's default
 *   strategy portfolio, seed 1, 60 evaluated, 60 of them valid, of 155952 in the space
 *   results at this size: equal to the reference's
 */
#ifndef HONE_EMITTED_gemm_w4a16
#define HONE_EMITTED_gemm_w4a16 0x255551b5u
#if defined(BK) || defined(BM) || defined(BN) || defined(EVICT) || defined(GROUP_M) \
    || defined(MIN_BLOCKS) || defined(PREFETCH) || defined(SPLIT_K) || defined(STAGES) \
    || defined(STAGE_D) || defined(WM) || defined(WN) || defined(K) || defined(M) || defined(N) \
    || defined(TILES) || defined(STAGE) || defined(THREADS) || defined(SMEM)
#error "gemm_w4a16: include this header before its parameters or sizes are macros"
#endif

/* What the kernel is compiled with. */
typedef struct gemm_w4a16_config {
    int BK, BM, BN, EVICT, GROUP_M, MIN_BLOCKS, PREFETCH, SPLIT_K, STAGES, STAGE_D, WM, WN;
    unsigned block[3], shared_bytes; /* of its launch */
} gemm_w4a16_config;
/* A GPU: gemm_w4a16_gpu_of makes one, set what is known better; 0 is unknown, and 0 to
 * constraints and launches that read it: cc_major, max_shared_bytes, reserved_shared_bytes,
 *     shared_bytes_per_sm. */
typedef struct gemm_w4a16_gpu {
    int cc_major, cc_minor, sm_count;
    long long l2_bytes, memory_bytes, max_shared_bytes;
    long long reserved_shared_bytes, shared_bytes_per_sm;
} gemm_w4a16_gpu;
typedef struct {
    const char *name;
    gemm_w4a16_gpu gpu;
    int first, count; /* groups of rows */
    const char *provenance;
} gemm_w4a16_device;
typedef struct { long long K, M, N; } gemm_w4a16_problem;
typedef struct {
    int device, config;
    gemm_w4a16_problem problem;
    int lg[3]; /* of the sizes */
    double predicted_us;
} gemm_w4a16_row;
/* Rows that one rule serves; tree is -1: the nearest row serves. */
typedef struct gemm_w4a16_group {
    int first, count, tree;
    int configs, config_count; /* in gemm_w4a16_preferences, the best first */
} gemm_w4a16_group;

enum { GEMM_W4A16_DEFAULT_CONFIG = 3, GEMM_W4A16_CONFIGS = 4, GEMM_W4A16_DEVICES = 1,
    GEMM_W4A16_ROWS = 3 };
static const gemm_w4a16_config gemm_w4a16_configs[GEMM_W4A16_CONFIGS] = {
    {64, 16, 32, 0, 4, 1, 0, 4, 5, 1, 16, 32, {32, 1, 1}, 16000},
    {128, 16, 32, 0, 1, 2, 0, 1, 2, 0, 16, 16, {64, 1, 1}, 12544},
    {128, 16, 64, 0, 4, 2, 128, 4, 6, 1, 16, 16, {128, 1, 1}, 49920},
    {128, 16, 128, 0, 8, 1, 128, 4, 4, 1, 16, 32, {128, 1, 1}, 50176},
};
static const char *const gemm_w4a16_defines[GEMM_W4A16_CONFIGS] = {
    ("-DBK=64 -DBM=16 -DBN=32 -DEVICT=0 -DGROUP_M=4 -DMIN_BLOCKS=1 -DPREFETCH=0 -DSPLIT_K=4 "
            "-DSTAGES=5 -DSTAGE_D=1 -DWM=16 -DWN=32 -DACT=none -DBIAS=none -DEPILOGUE= -DOUT=f16 "
            "-DRESIDUAL=0 -DSCALE=none -DTYPE=f16 -DZEROS=0"),
    ("-DBK=128 -DBM=16 -DBN=32 -DEVICT=0 -DGROUP_M=1 -DMIN_BLOCKS=2 -DPREFETCH=0 -DSPLIT_K=1 "
            "-DSTAGES=2 -DSTAGE_D=0 -DWM=16 -DWN=16 -DACT=none -DBIAS=none -DEPILOGUE= -DOUT=f16 "
            "-DRESIDUAL=0 -DSCALE=none -DTYPE=f16 -DZEROS=0"),
    ("-DBK=128 -DBM=16 -DBN=64 -DEVICT=0 -DGROUP_M=4 -DMIN_BLOCKS=2 -DPREFETCH=128 -DSPLIT_K=4 "
            "-DSTAGES=6 -DSTAGE_D=1 -DWM=16 -DWN=16 -DACT=none -DBIAS=none -DEPILOGUE= -DOUT=f16 "
            "-DRESIDUAL=0 -DSCALE=none -DTYPE=f16 -DZEROS=0"),
    ("-DBK=128 -DBM=16 -DBN=128 -DEVICT=0 -DGROUP_M=8 -DMIN_BLOCKS=1 -DPREFETCH=128 -DSPLIT_K=4 "
            "-DSTAGES=4 -DSTAGE_D=1 -DWM=16 -DWN=32 -DACT=none -DBIAS=none -DEPILOGUE= -DOUT=f16 "
            "-DRESIDUAL=0 -DSCALE=none -DTYPE=f16 -DZEROS=0"),
};
static const gemm_w4a16_device gemm_w4a16_devices[GEMM_W4A16_DEVICES] = {
    {"NVIDIA GeForce RTX 4090", {8, 9, 128, 75497472, 24696061952LL, 101376, 1024, 102400}, 0, 1,
     "predicted; clock emulated; driver emulator 1, NVRTC 13.0, recorded by hone 0.1.0; template "
             "gemm_w4a16.cu, template hash 2714200f2e44ad43a6edb721484ed899, space hash "
             "e19476234868a29cfe23470805f205da, options hash a6b86b64094343ae56dc37e12884696b"},
};
static const gemm_w4a16_row gemm_w4a16_rows[GEMM_W4A16_ROWS] = {
    {0, 0, {4096, 1, 4096}, {786432, 0, 786432}, 12.1535999},
    {0, 1, {4096, 1, 14336}, {786432, 0, 901120}, 35.0786962},
    {0, 2, {14336, 1, 4096}, {901120, 0, 786432}, 36.0028309},
};

static const int gemm_w4a16_preferences[] = {
    0, 1, 2,
};
static const gemm_w4a16_group gemm_w4a16_groups[] = {
    {0, 3, -1, 0, 3},
};

#if defined(__cplusplus) && __cplusplus >= 201703L /* gemm_w4a16_arch<80>.FIELD, one for every cc */
extern "C++" { template <int cc> static constexpr gemm_w4a16_config gemm_w4a16_arch =
    {64, 16, 32, 0, 4, 1, 0, 4, 5, 1, 16, 32, {32, 1, 1}, 16000}; }
#endif
/* As in Lua 5.4: integers wrap, // and % round down; 0 where Lua raises an error. */
static inline long long gemm_w4a16_add(long long a, long long b) {
    return (long long)((unsigned long long)a + (unsigned long long)b);
}
static inline long long gemm_w4a16_mul(long long a, long long b) {
    return (long long)((unsigned long long)a * (unsigned long long)b);
}
static inline long long gemm_w4a16_max(long long a, long long b) {
    return a < b ? b : a;
}
static inline long long gemm_w4a16_floor_mod(long long a, long long b) {
    if (b == 0 || b == -1) return 0;
    return a % b + (a % b != 0 && (a < 0) != (b < 0) ? b : 0);
}

/* The kernel, by its arguments and their elements: gemm_w4a16(input f16 A[max(1, (M - 1) * K + K)],
 *     u32 weights[max(1, K * N / 8)], f16 scales[max(1, K / 128 * N)], u32 zeros[1], f16 C[1],
 *     inout f16 D[max(1, (M - 1) * N + N)], input f16 bias[1], residual[1], f32 row_scale[1],
 *     column_scale[1], workspace f32 partials[SPLIT_K > 1 ? TILES * SPLIT_K * BM * BN : 0],
 *     inout u32 counters[ceil_div(M, 16) * ceil_div(N, 32)] (0 before each launch), scalar i32 M,
 *     N, K, lda = K, ldc = N, ldd = N, f32 alpha, beta). */
/* The launch; shared memory is dynamic. Where CUDA refuses: grid, block 0, bytes ~0. */
static inline void gemm_w4a16_grid(const gemm_w4a16_config *config, long long K, long long M,
    long long N, unsigned grid[3]) {
    (void)K;
    grid[0] = grid[1] = grid[2] = 0;
    if (!config) return;
    const long long TILES =
            gemm_w4a16_mul(M / config->BM + (M % config->BM > 0),
            N / config->BN + (N % config->BN > 0));
    if (TILES < 1 || TILES > 2147483647) return;
    grid[0] = (unsigned)TILES, grid[1] = (unsigned)config->SPLIT_K, grid[2] = 1;
}
static inline void gemm_w4a16_block(const gemm_w4a16_config *config, long long K, long long M,
    long long N, unsigned block[3]) {
    (void)K, (void)M, (void)N;
    for (int i = 0; i < 3; i++) block[i] = config ? config->block[i] : 0;
}
static inline unsigned gemm_w4a16_shared_bytes(const gemm_w4a16_config *config, long long K,
    long long M, long long N) {
    (void)K, (void)M, (void)N;
    return config ? config->shared_bytes : ~0u;
}
static inline unsigned long long gemm_w4a16_partials_bytes(const gemm_w4a16_config *config,
    long long K, long long M, long long N) {
    (void)K;
    if (!config) return ~0ULL;
    const long long TILES =
            gemm_w4a16_mul(M / config->BM + (M % config->BM > 0),
            N / config->BN + (N % config->BN > 0));
    const long long size = config->SPLIT_K > 1
            ? gemm_w4a16_mul(gemm_w4a16_mul(gemm_w4a16_mul(TILES, config->SPLIT_K), config->BM),
            config->BN) : 0;
    return size < 0 || size > 2305843009213693951 ? ~0ULL : (unsigned long long)size * 4;
}

/* Whether a configuration may run on a GPU and problem it was not measured on. */
static inline int gemm_w4a16_fits(int number, const gemm_w4a16_gpu *gpu, long long K, long long M,
    long long N) {
    const gemm_w4a16_config *config = &gemm_w4a16_configs[number];
    unsigned grid[3], shared;
    const long long STAGE =
            (2 * config->BM * config->BK + config->BN * config->BK / 2 + 2 * config->BN + 0 + 127)
            / 128 * 128;
    const long long THREADS = 32 * (config->BM / config->WM) * (config->BN / config->WN);
    const long long SMEM =
            gemm_w4a16_max(config->STAGES * STAGE,
            config->STAGE_D * THREADS * 2 * (config->WN + 8));
    if (gemm_w4a16_floor_mod(N, 16) != 0) return 0;
    if (gemm_w4a16_floor_mod(K, 128) != 0) return 0;
    if (gpu->cc_major < 8) return 0;
    if (SMEM > gpu->max_shared_bytes) return 0;
    if (gemm_w4a16_mul(config->MIN_BLOCKS, gemm_w4a16_add(SMEM, gpu->reserved_shared_bytes))
            > gpu->shared_bytes_per_sm) return 0;
    if (K < 0 || K != (int)K || M < 0 || M != (int)M || N < 0 || N != (int)N) return 0;
    gemm_w4a16_grid(config, K, M, N, grid);
    if (!grid[0]) return 0;
    shared = gemm_w4a16_shared_bytes(config, K, M, N);
    if (gpu->max_shared_bytes && (long long)shared > gpu->max_shared_bytes) return 0;
    return 1;
}

/* Tuned for this size and GPU; another size, SM count, minor version; not near; null. */
enum { GEMM_W4A16_EXACT, GEMM_W4A16_SAME_DEVICE, GEMM_W4A16_SAME_ARCH, GEMM_W4A16_SAME_FAMILY,
    GEMM_W4A16_DEFAULT, GEMM_W4A16_NONE };
/* Binary logarithm in 1/65536, exact at powers of two, linear between. */
static inline int gemm_w4a16_lg(long long size) {
    int e = 0;
    if (size < 1) return -65536;
#ifdef __GNUC__
    e = 63 - __builtin_clzll((unsigned long long)size);
#else
    while (size >> e > 1) e++;
#endif
    return (e - 1) * 65536 + (int)((unsigned long long)size << (63 - e) >> 47);
}

static inline int gemm_w4a16_apart(long long a, long long b) {
    const int gap = a > 0 && b > 0 ? gemm_w4a16_lg(a) - gemm_w4a16_lg(b) : 0;
    return gap < 0 ? -gap : gap;
}

/* How far a device of the table is from a GPU: 0, 1 or 2 (another number of
 * multiprocessors, another minor version) << 48, and more; 0: of no use. */
static inline long long gemm_w4a16_distance(const gemm_w4a16_gpu *a, const gemm_w4a16_gpu *gpu,
    int place) {
    long long minors = (long long)a->cc_minor - gpu->cc_minor, level, gap;
    if (!a->cc_major || a->cc_major != gpu->cc_major) return 0;
    if (minors < 0) minors = -minors;
    if (minors > 2047) minors = 2047;
    level = minors ? 2 : a->sm_count != gpu->sm_count;
    gap = 65536 * minors + 2 * gemm_w4a16_apart(a->sm_count, gpu->sm_count)
            + gemm_w4a16_apart(a->l2_bytes, gpu->l2_bytes)
            + gemm_w4a16_apart(a->memory_bytes, gpu->memory_bytes);
    return (level << 48) + (gap << 20) + place + 1;
}

/* The place of the device that is this GPU, or -1. */
static inline int gemm_w4a16_own(const gemm_w4a16_device *devices, int count,
    const gemm_w4a16_gpu *gpu) {
    for (int i = 0; i < count; i++) {
        const gemm_w4a16_gpu *a = &devices[i].gpu;
        if (a->sm_count == gpu->sm_count && a->cc_major == gpu->cc_major
                && a->l2_bytes == gpu->l2_bytes && a->cc_minor == gpu->cc_minor
                && a->memory_bytes == gpu->memory_bytes && a->cc_major)
            return i;
    }
    return -1;
}

/* That of the nearest one farther than *distance, which becomes its own; or -1. */
static inline int gemm_w4a16_next(const gemm_w4a16_device *devices, int count,
    const gemm_w4a16_gpu *gpu, long long *distance) {
    const long long last = *distance;
    int best = -1;
    for (int i = 0; i < count; i++) {
        const long long key = gemm_w4a16_distance(&devices[i].gpu, gpu, i);
        if (key <= last || (best >= 0 && key >= *distance)) continue;
        *distance = key;
        best = i;
    }
    return best;
}

/* The row of this very problem, or -1. */
static inline int gemm_w4a16_find(const gemm_w4a16_group *group, long long K, long long M,
    long long N) {
    int low = group->first, high = low + group->count;
    while (low < high) {
        const int middle = (low + high) >> 1;
        const gemm_w4a16_problem *row = &gemm_w4a16_rows[middle].problem;
        if (K < row->K || (K == row->K && (M < row->M || (M == row->M && N < row->N))))
            high = middle;
        else if (!(K == row->K && M == row->M && N == row->N))
            low = middle + 1;
        else
            return middle;
    }
    return -1;
}

/* The configuration for a problem that is no row. */
static inline int gemm_w4a16_rule(const gemm_w4a16_group *group, long long K, long long M,
    long long N) {
    int best = group->first;
    int lg[3], i, at;
    long long least = -1;
    lg[0] = gemm_w4a16_lg(K);
    lg[1] = gemm_w4a16_lg(M);
    lg[2] = gemm_w4a16_lg(N);
    for (i = group->first; i < group->first + group->count; i++) {
        long long apart = 0;
        for (at = 0; at < 3; at++) {
            const long long gap = (long long)lg[at] - gemm_w4a16_rows[i].lg[at];
            apart += gap * gap;
        }
        if (least >= 0 && apart >= least) continue;
        least = apart;
        best = i;
    }
    return gemm_w4a16_rows[best].config;
}

/* What a device of the table has for this problem, or -1; same: it is the one at hand. */
static inline int gemm_w4a16_of_device(const gemm_w4a16_device *device, int same,
    const gemm_w4a16_gpu *gpu, long long K, long long M, long long N, int *exact) {
    int g, i, number;
    for (g = device->first; g < device->first + device->count; g++) {
        const gemm_w4a16_group *group = &gemm_w4a16_groups[g];
        i = gemm_w4a16_find(group, K, M, N);
        number = i < 0 ? -1 : gemm_w4a16_rows[i].config;
        *exact = i >= 0 && (same || gemm_w4a16_fits(number, gpu, K, M, N));
        if (*exact) return number;
        for (i = -1; i < group->config_count; i++) {
            number = i < 0 ? gemm_w4a16_rule(group, K, M, N)
                    : gemm_w4a16_preferences[group->configs + i];
            if (gemm_w4a16_fits(number, gpu, K, M, N)) return number;
        }
        return -1;
    }
    return -1;
}

/* The configuration for a GPU and problem, or null; *tier, if not null: how near. */
static inline const gemm_w4a16_config *gemm_w4a16_select_for(const gemm_w4a16_gpu *gpu, long long K,
    long long M, long long N, int *tier) {
    long long last = 0;
    int answered, exact = 0, i = gemm_w4a16_own(gemm_w4a16_devices, GEMM_W4A16_DEVICES, gpu);
    if (!tier) tier = &answered;
    for (;; i = -1) {
        if (i < 0) i = gemm_w4a16_next(gemm_w4a16_devices, GEMM_W4A16_DEVICES, gpu, &last);
        if (i < 0) break;
        const int level = (int)(last >> 48);
        const int number =
                gemm_w4a16_of_device(&gemm_w4a16_devices[i], !level, gpu, K, M, N, &exact);
        if (number < 0) continue;
        *tier = exact && !level ? GEMM_W4A16_EXACT : GEMM_W4A16_SAME_DEVICE + level;
        return &gemm_w4a16_configs[number];
    }
    for (i = -1; i < GEMM_W4A16_CONFIGS; i++) {
        const int number = i < 0 ? GEMM_W4A16_DEFAULT_CONFIG : i;
        if (!gemm_w4a16_fits(number, gpu, K, M, N)) continue;
        *tier = GEMM_W4A16_DEFAULT;
        return &gemm_w4a16_configs[number];
    }
    *tier = GEMM_W4A16_NONE;
    return 0;
}

/* Limits from the table; of other architectures as set below, else the table's least. */
static inline gemm_w4a16_gpu gemm_w4a16_gpu_of(int cc_major, int cc_minor, int sm_count) {
    gemm_w4a16_gpu gpu = gemm_w4a16_devices[0].gpu;
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
static inline const gemm_w4a16_config *gemm_w4a16_select(int cc_major, int cc_minor, int sm_count,
    long long K, long long M, long long N, int *tier) {
    const gemm_w4a16_gpu gpu = gemm_w4a16_gpu_of(cc_major, cc_minor, sm_count);
    return gemm_w4a16_select_for(&gpu, K, M, N, tier);
}
#elif HONE_EMITTED_gemm_w4a16 != 0x255551b5u
#error "two headers gemm_w4a16 that differ: emit one of them with --name"
#endif
