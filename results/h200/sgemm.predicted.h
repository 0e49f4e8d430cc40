/* Tuned configurations of the kernel sgemm. Emitted by hone 0.1.0 (form 3): do not edit.
 * PREDICTED by the emulator's model, not measured (how accurate: docs/emulator.md); clock emulated
 * Valid: emulated, and equal to the reference, within the script's tolerance, at its verify sizes.
 * Selected: the row of this size and GPU (compute capability and SM count); else the nearest row,
 *     however far, of the same major version that fits there; else the author's default
 *     (configuration 3) or any that fits; else null.
 * To launch: sgemm_select gives a configuration, sgemm_defines[config - sgemm_configs] the options
 *     to compile sgemm.cu with; sgemm_grid, sgemm_block, sgemm_shared_bytes its launch;
 *     sgemm_partials_bytes bytes of partials (0: pass null). C99, C++11, CUDA.
 * Missing: measured times; tuning for other sizes and GPUs; the kernel's code (--payload).
 * Of problems with ACT = none, ADD_C = false, ALIGN_AC = false, ALIGN_BD = false, BIAS = none,
 *     EPILOGUE = "", OUT = f32, PAD = false, RESIDUAL = false, SCALE = none, TRANS_A = false,
 *     TRANS_B = false, TYPE = f32.
 *
 * Device 0: NVIDIA H200 (compute capability 9.0, 132 SMs)
 *   3 configurations for 3 problems; slower than the best by 0.0 % on average, 0.0 % at worst
 *   tuned: K 256 to 1024, M 256 to 1024, N 256 to 1024; other sizes, however far,
 *     get the configuration of the nearest one
 *   expected regret of that: not known: tune the problems together
 * Row 0, configuration 0: K = 256, M = 256, N = 256
 *   3.15793 us (predicted); predicted 10.030 times as fast as the author's default
 *   strategy portfolio, seed 1, 60 evaluated, 60 of them valid, of 1214112 in the space
 *   results at this size: equal to the reference's
 * Row 1, configuration 1: K = 512, M = 512, N = 512
 *   8.72974 us (predicted); predicted 6.995 times as fast as the author's default
 *   strategy portfolio, seed 1, 60 evaluated, 60 of them valid, of 1214112 in the space
 *   results at this size: equal to the reference's
 * Row 2, configuration 2: K = 1024, M = 1024, N = 1024
 *   45.8409 us (predicted); predicted 2.615 times as fast as the author's default
 *   strategy portfolio, seed 1, 60 evaluated, 60 of them valid, of 1214112 in the space
 *   results at this size: equal to the reference's
 */
#ifndef HONE_EMITTED_sgemm
#define HONE_EMITTED_sgemm 0x09e95c9fu
#if defined(ASYNC) || defined(BK) || defined(BM) || defined(BN) || defined(GROUP_M) \
    || defined(LOAD) || defined(MIN_BLOCKS) || defined(PREFETCH) || defined(SPLIT_K) \
    || defined(STAGES) || defined(TM) || defined(TN) || defined(VEC) || defined(WM) || defined(WN) \
    || defined(K) || defined(M) || defined(N) || defined(TILES) || defined(SKEW) || defined(SMEM)
#error "sgemm: include this header before its parameters or sizes are macros"
#endif

/* What the kernel is compiled with. */
typedef struct sgemm_config {
    int ASYNC, BK, BM, BN, GROUP_M, LOAD, MIN_BLOCKS, PREFETCH, SPLIT_K, STAGES, TM, TN, VEC, WM,
            WN;
    unsigned block[3], shared_bytes; /* of its launch */
} sgemm_config;
/* A GPU: sgemm_gpu_of makes one, set what is known better; 0 is unknown, and 0 to
 * constraints and launches that read it: cc_major, max_shared_bytes, reserved_shared_bytes,
 *     shared_bytes_per_sm. */
typedef struct sgemm_gpu {
    int cc_major, cc_minor, sm_count;
    long long l2_bytes, memory_bytes, max_shared_bytes;
    long long reserved_shared_bytes, shared_bytes_per_sm;
} sgemm_gpu;
typedef struct {
    const char *name;
    sgemm_gpu gpu;
    int first, count; /* groups of rows */
    const char *provenance;
} sgemm_device;
typedef struct { long long K, M, N; } sgemm_problem;
typedef struct {
    int device, config;
    sgemm_problem problem;
    int lg[3]; /* of the sizes */
    double predicted_us;
} sgemm_row;
/* Rows that one rule serves; tree is -1: the nearest row serves. */
typedef struct sgemm_group {
    int first, count, tree;
    int configs, config_count; /* in sgemm_preferences, the best first */
} sgemm_group;

enum { SGEMM_DEFAULT_CONFIG = 3, SGEMM_CONFIGS = 4, SGEMM_DEVICES = 1, SGEMM_ROWS = 3 };
static const sgemm_config sgemm_configs[SGEMM_CONFIGS] = {
    {0, 32, 32, 32, 1, 1, 2, 128, 8, 1, 4, 4, 4, 32, 16, {64, 1, 1}, 8320},
    {0, 32, 32, 256, 8, 1, 1, 0, 8, 2, 8, 8, 4, 32, 64, {128, 1, 1}, 73984},
    {1, 32, 128, 128, 1, 1, 2, 0, 4, 3, 8, 8, 4, 64, 32, {256, 1, 1}, 98688},
    {0, 8, 128, 128, 8, 1, 2, 0, 1, 2, 8, 8, 4, 64, 32, {256, 1, 1}, 16640},
};
static const char *const sgemm_defines[SGEMM_CONFIGS] = {
    ("-DASYNC=0 -DBK=32 -DBM=32 -DBN=32 -DGROUP_M=1 -DLOAD=1 -DMIN_BLOCKS=2 -DPREFETCH=128 "
            "-DSPLIT_K=8 -DSTAGES=1 -DTM=4 -DTN=4 -DVEC=4 -DWM=32 -DWN=16 -DACT=none -DBIAS=none "
            "-DEPILOGUE= -DOUT=f32 -DRESIDUAL=0 -DSCALE=none -DTYPE=f32"),
    ("-DASYNC=0 -DBK=32 -DBM=32 -DBN=256 -DGROUP_M=8 -DLOAD=1 -DMIN_BLOCKS=1 -DPREFETCH=0 "
            "-DSPLIT_K=8 -DSTAGES=2 -DTM=8 -DTN=8 -DVEC=4 -DWM=32 -DWN=64 -DACT=none -DBIAS=none "
            "-DEPILOGUE= -DOUT=f32 -DRESIDUAL=0 -DSCALE=none -DTYPE=f32"),
    ("-DASYNC=1 -DBK=32 -DBM=128 -DBN=128 -DGROUP_M=1 -DLOAD=1 -DMIN_BLOCKS=2 -DPREFETCH=0 "
            "-DSPLIT_K=4 -DSTAGES=3 -DTM=8 -DTN=8 -DVEC=4 -DWM=64 -DWN=32 -DACT=none -DBIAS=none "
            "-DEPILOGUE= -DOUT=f32 -DRESIDUAL=0 -DSCALE=none -DTYPE=f32"),
    ("-DASYNC=0 -DBK=8 -DBM=128 -DBN=128 -DGROUP_M=8 -DLOAD=1 -DMIN_BLOCKS=2 -DPREFETCH=0 "
            "-DSPLIT_K=1 -DSTAGES=2 -DTM=8 -DTN=8 -DVEC=4 -DWM=64 -DWN=32 -DACT=none -DBIAS=none "
            "-DEPILOGUE= -DOUT=f32 -DRESIDUAL=0 -DSCALE=none -DTYPE=f32"),
};
static const sgemm_device sgemm_devices[SGEMM_DEVICES] = {
    {"NVIDIA H200", {9, 0, 132, 52428800, 140660178944LL, 232448, 1024, 233472}, 0, 1,
     "predicted; clock emulated; driver emulator 1, NVRTC 13.0, recorded by hone 0.1.0; template "
             "sgemm.cu, template hash 4aecac08950e857b4ea918bdf7ce5769, space hash "
             "6a1212983ae7609b14773fe380ea733d, options hash a6b86b64094343ae56dc37e12884696b"},
};
static const sgemm_row sgemm_rows[SGEMM_ROWS] = {
    {0, 0, {256, 256, 256}, {524288, 524288, 524288}, 3.15793198},
    {0, 1, {512, 512, 512}, {589824, 589824, 589824}, 8.72973654},
    {0, 2, {1024, 1024, 1024}, {655360, 655360, 655360}, 45.8408878},
};

static const int sgemm_preferences[] = {
    0, 1, 2,
};
static const sgemm_group sgemm_groups[] = {
    {0, 3, -1, 0, 3},
};

#if defined(__cplusplus) && __cplusplus >= 201703L /* sgemm_arch<80>.FIELD, one for every cc */
extern "C++" { template <int cc> static constexpr sgemm_config sgemm_arch =
    {0, 32, 32, 32, 1, 1, 2, 128, 8, 1, 4, 4, 4, 32, 16, {64, 1, 1}, 8320}; }
#endif
/* As in Lua 5.4: integers wrap. */
static inline long long sgemm_add(long long a, long long b) {
    return (long long)((unsigned long long)a + (unsigned long long)b);
}
static inline long long sgemm_mul(long long a, long long b) {
    return (long long)((unsigned long long)a * (unsigned long long)b);
}
static inline long long sgemm_max(long long a, long long b) {
    return a < b ? b : a;
}

/* The kernel, by its arguments and their elements: sgemm(input f32 A[max(1, (M - 1) * K + K)],
 *     B[max(1, (K - 1) * N + N)], C[1], inout f32 D[max(1, (M - 1) * N + N)], input f32 bias[1],
 *     residual[1], row_scale[1], column_scale[1], workspace f32
 *     partials[SPLIT_K > 1 ? TILES * SPLIT_K * BM * BN : 0], inout u32
 *     counters[ceil_div(M, 32) * ceil_div(N, 32)] (0 before each launch), scalar i32 M, N, K,
 *     lda = K, ldb = N, ldc = N, ldd = N, f32 alpha, beta). */
/* The launch; shared memory is dynamic. Where CUDA refuses: grid, block 0, bytes ~0. */
static inline void sgemm_grid(const sgemm_config *config, long long K, long long M, long long N,
    unsigned grid[3]) {
    (void)K;
    grid[0] = grid[1] = grid[2] = 0;
    if (!config) return;
    const long long TILES =
            sgemm_mul(M / config->BM + (M % config->BM > 0), N / config->BN + (N % config->BN > 0));
    if (TILES < 1 || TILES > 2147483647) return;
    grid[0] = (unsigned)TILES, grid[1] = (unsigned)config->SPLIT_K, grid[2] = 1;
}
static inline void sgemm_block(const sgemm_config *config, long long K, long long M, long long N,
    unsigned block[3]) {
    (void)K, (void)M, (void)N;
    for (int i = 0; i < 3; i++) block[i] = config ? config->block[i] : 0;
}
static inline unsigned sgemm_shared_bytes(const sgemm_config *config, long long K, long long M,
    long long N) {
    (void)K, (void)M, (void)N;
    return config ? config->shared_bytes : ~0u;
}
static inline unsigned long long sgemm_partials_bytes(const sgemm_config *config, long long K,
    long long M, long long N) {
    (void)K;
    if (!config) return ~0ULL;
    const long long TILES =
            sgemm_mul(M / config->BM + (M % config->BM > 0), N / config->BN + (N % config->BN > 0));
    const long long size = config->SPLIT_K > 1
            ? sgemm_mul(sgemm_mul(sgemm_mul(TILES, config->SPLIT_K), config->BM), config->BN) : 0;
    return size < 0 || size > 2305843009213693951 ? ~0ULL : (unsigned long long)size * 4;
}

/* Whether a configuration may run on a GPU and problem it was not measured on. */
static inline int sgemm_fits(int number, const sgemm_gpu *gpu, long long K, long long M,
    long long N) {
    const sgemm_config *config = &sgemm_configs[number];
    unsigned grid[3], shared;
    const long long SKEW = sgemm_max(4, 32 * config->VEC / config->BK);
    const long long SMEM =
            4 * config->STAGES
            * (config->BK * config->BM + config->BK / config->VEC * SKEW + config->BK * config->BN);
    if (config->ASYNC != 0 && gpu->cc_major < 8) return 0;
    if (SMEM > gpu->max_shared_bytes) return 0;
    if (sgemm_mul(config->MIN_BLOCKS, sgemm_add(SMEM, gpu->reserved_shared_bytes))
            > gpu->shared_bytes_per_sm) return 0;
    if (K < 0 || K != (int)K || M < 0 || M != (int)M || N < 0 || N != (int)N) return 0;
    sgemm_grid(config, K, M, N, grid);
    if (!grid[0]) return 0;
    shared = sgemm_shared_bytes(config, K, M, N);
    if (gpu->max_shared_bytes && (long long)shared > gpu->max_shared_bytes) return 0;
    return 1;
}

/* Tuned for this size and GPU; another size, SM count, minor version; not near; null. */
enum { SGEMM_EXACT, SGEMM_SAME_DEVICE, SGEMM_SAME_ARCH, SGEMM_SAME_FAMILY, SGEMM_DEFAULT,
    SGEMM_NONE };
/* Binary logarithm in 1/65536, exact at powers of two, linear between. */
static inline int sgemm_lg(long long size) {
    int e = 0;
    if (size < 1) return -65536;
#ifdef __GNUC__
    e = 63 - __builtin_clzll((unsigned long long)size);
#else
    while (size >> e > 1) e++;
#endif
    return (e - 1) * 65536 + (int)((unsigned long long)size << (63 - e) >> 47);
}

static inline int sgemm_apart(long long a, long long b) {
    const int gap = a > 0 && b > 0 ? sgemm_lg(a) - sgemm_lg(b) : 0;
    return gap < 0 ? -gap : gap;
}

/* How far a device of the table is from a GPU: 0, 1 or 2 (another number of
 * multiprocessors, another minor version) << 48, and more; 0: of no use. */
static inline long long sgemm_distance(const sgemm_gpu *a, const sgemm_gpu *gpu, int place) {
    long long minors = (long long)a->cc_minor - gpu->cc_minor, level, gap;
    if (!a->cc_major || a->cc_major != gpu->cc_major) return 0;
    if (minors < 0) minors = -minors;
    if (minors > 2047) minors = 2047;
    level = minors ? 2 : a->sm_count != gpu->sm_count;
    gap = 65536 * minors + 2 * sgemm_apart(a->sm_count, gpu->sm_count)
            + sgemm_apart(a->l2_bytes, gpu->l2_bytes)
            + sgemm_apart(a->memory_bytes, gpu->memory_bytes);
    return (level << 48) + (gap << 20) + place + 1;
}

/* The place of the device that is this GPU, or -1. */
static inline int sgemm_own(const sgemm_device *devices, int count, const sgemm_gpu *gpu) {
    for (int i = 0; i < count; i++) {
        const sgemm_gpu *a = &devices[i].gpu;
        if (a->sm_count == gpu->sm_count && a->cc_major == gpu->cc_major
                && a->l2_bytes == gpu->l2_bytes && a->cc_minor == gpu->cc_minor
                && a->memory_bytes == gpu->memory_bytes && a->cc_major)
            return i;
    }
    return -1;
}

/* That of the nearest one farther than *distance, which becomes its own; or -1. */
static inline int sgemm_next(const sgemm_device *devices, int count, const sgemm_gpu *gpu,
    long long *distance) {
    const long long last = *distance;
    int best = -1;
    for (int i = 0; i < count; i++) {
        const long long key = sgemm_distance(&devices[i].gpu, gpu, i);
        if (key <= last || (best >= 0 && key >= *distance)) continue;
        *distance = key;
        best = i;
    }
    return best;
}

/* The row of this very problem, or -1. */
static inline int sgemm_find(const sgemm_group *group, long long K, long long M, long long N) {
    int low = group->first, high = low + group->count;
    while (low < high) {
        const int middle = (low + high) >> 1;
        const sgemm_problem *row = &sgemm_rows[middle].problem;
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
static inline int sgemm_rule(const sgemm_group *group, long long K, long long M, long long N) {
    int best = group->first;
    int lg[3], i, at;
    long long least = -1;
    lg[0] = sgemm_lg(K);
    lg[1] = sgemm_lg(M);
    lg[2] = sgemm_lg(N);
    for (i = group->first; i < group->first + group->count; i++) {
        long long apart = 0;
        for (at = 0; at < 3; at++) {
            const long long gap = (long long)lg[at] - sgemm_rows[i].lg[at];
            apart += gap * gap;
        }
        if (least >= 0 && apart >= least) continue;
        least = apart;
        best = i;
    }
    return sgemm_rows[best].config;
}

/* What a device of the table has for this problem, or -1; same: it is the one at hand. */
static inline int sgemm_of_device(const sgemm_device *device, int same, const sgemm_gpu *gpu,
    long long K, long long M, long long N, int *exact) {
    int g, i, number;
    for (g = device->first; g < device->first + device->count; g++) {
        const sgemm_group *group = &sgemm_groups[g];
        i = sgemm_find(group, K, M, N);
        number = i < 0 ? -1 : sgemm_rows[i].config;
        *exact = i >= 0 && (same || sgemm_fits(number, gpu, K, M, N));
        if (*exact) return number;
        for (i = -1; i < group->config_count; i++) {
            number = i < 0 ? sgemm_rule(group, K, M, N) : sgemm_preferences[group->configs + i];
            if (sgemm_fits(number, gpu, K, M, N)) return number;
        }
        return -1;
    }
    return -1;
}

/* The configuration for a GPU and problem, or null; *tier, if not null: how near. */
static inline const sgemm_config *sgemm_select_for(const sgemm_gpu *gpu, long long K, long long M,
    long long N, int *tier) {
    long long last = 0;
    int answered, exact = 0, i = sgemm_own(sgemm_devices, SGEMM_DEVICES, gpu);
    if (!tier) tier = &answered;
    for (;; i = -1) {
        if (i < 0) i = sgemm_next(sgemm_devices, SGEMM_DEVICES, gpu, &last);
        if (i < 0) break;
        const int level = (int)(last >> 48);
        const int number = sgemm_of_device(&sgemm_devices[i], !level, gpu, K, M, N, &exact);
        if (number < 0) continue;
        *tier = exact && !level ? SGEMM_EXACT : SGEMM_SAME_DEVICE + level;
        return &sgemm_configs[number];
    }
    for (i = -1; i < SGEMM_CONFIGS; i++) {
        const int number = i < 0 ? SGEMM_DEFAULT_CONFIG : i;
        if (!sgemm_fits(number, gpu, K, M, N)) continue;
        *tier = SGEMM_DEFAULT;
        return &sgemm_configs[number];
    }
    *tier = SGEMM_NONE;
    return 0;
}

/* Limits from the table; of other architectures as set below, else the table's least. */
static inline sgemm_gpu sgemm_gpu_of(int cc_major, int cc_minor, int sm_count) {
    sgemm_gpu gpu = sgemm_devices[0].gpu;
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
static inline const sgemm_config *sgemm_select(int cc_major, int cc_minor, int sm_count,
    long long K, long long M, long long N, int *tier) {
    const sgemm_gpu gpu = sgemm_gpu_of(cc_major, cc_minor, sm_count);
    return sgemm_select_for(&gpu, K, M, N, tier);
}
#elif HONE_EMITTED_sgemm != 0x09e95c9fu
#error "two headers sgemm that differ: emit one of them with --name"
#endif
