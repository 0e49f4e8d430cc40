/* Tuned configurations of the kernel gemm_batched. Emitted by hone 0.1.0 (form 3): do not edit.
 * PREDICTED by the emulator's model, not measured (how accurate: docs/emulator.md); clock emulated
 * Valid: emulated, and equal to the reference, within the script's tolerance, at its verify sizes.
 * Selected: the row of this size and GPU (compute capability and SM count); else the nearest row,
 *     however far, of the same major version that fits there; else the author's default
 *     (configuration 3) or any that fits; else null.
 * To launch: gemm_batched_select gives a configuration,
 *     gemm_batched_defines[config - gemm_batched_configs] the options to compile gemm_batched.cu
 *     with; gemm_batched_grid, gemm_batched_block, gemm_batched_shared_bytes its launch. C99,
 *     C++11, CUDA.
 * Missing: measured times; tuning for other sizes and GPUs; the kernel's code (--payload).
 * No configuration on compute capability 7.0, 7.5; elsewhere for BATCH huge (tried: sizes of rows,
 *     one less (odd), 1 (tiny), 2^30 (huge)), as constraints, arguments or launches forbid: tune
 *     such, or expect null.
 * Of problems with ACT = none, ADD_C = false, ALIGN_AC = false, ALIGN_BD = false, BIAS = none,
 *     EPILOGUE = "", OUT = bf16, PAD = false, POINTERS = false, RESIDUAL = false, SCALE = none,
 *     TRANS_A = false, TRANS_B = true, TYPE = bf16.
 *
 * Device 0: NVIDIA H100 80GB HBM3 (compute capability 9.0, 132 SMs)
 *   3 configurations for 3 problems; slower than the best by 0.0 % on average, 0.0 % at worst
 *   tuned: BATCH 16 to 32, K 64 to 1024, M 1024 to 4096, N 128 to 4096; other sizes, however far,
 *     get the configuration of the nearest one
 *   expected regret of that: not known: tune the problems together
 * Row 0, configuration 0: BATCH = 16, K = 64, M = 4096, N = 4096
 *   229.697 us (predicted); predicted 1.053 times as fast as the author's default
 *   strategy portfolio, seed 1, 60 evaluated, 60 of them valid, of 350232 in the space
 *   results at this size: as the majority has them
 * Row 1, configuration 1: BATCH = 32, K = 128, M = 1024, N = 1024
 *   39.2886 us (predicted); predicted 1.028 times as fast as the author's default
 *   strategy portfolio, seed 1, 60 evaluated, 60 of them valid, of 350232 in the space
 *   results at this size: equal to the reference's
 * Row 2, configuration 2: BATCH = 32, K = 1024, M = 1024, N = 128
 *   31.6344 us (predicted); predicted 1.017 times as fast as the author's default
 *   strategy portfolio, seed 1, 60 evaluated, 60 of them valid, of 350232 in the space
 *   results at this size: as the majority has them
 */
#ifndef HONE_EMITTED_gemm_batched
#define HONE_EMITTED_gemm_batched 0xe1b1153eu
#if defined(BK) || defined(BM) || defined(BN) || defined(GROUP_M) || defined(MIN_BLOCKS) \
    || defined(PREFETCH) || defined(REGPIPE) || defined(STAGES) || defined(STAGE_D) || defined(WM) \
    || defined(WN) || defined(BATCH) || defined(K) || defined(M) || defined(N) || defined(THREADS) \
    || defined(STAGING) || defined(SMEM)
#error "gemm_batched: include this header before its parameters or sizes are macros"
#endif

/* What the kernel is compiled with. */
typedef struct gemm_batched_config {
    int BK, BM, BN, GROUP_M, MIN_BLOCKS, PREFETCH, REGPIPE, STAGES, STAGE_D, WM, WN;
    unsigned block[3], shared_bytes; /* of its launch */
} gemm_batched_config;
/* A GPU: gemm_batched_gpu_of makes one, set what is known better; 0 is unknown, and 0 to
 * constraints and launches that read it: cc_major, max_shared_bytes, reserved_shared_bytes,
 *     shared_bytes_per_sm. */
typedef struct gemm_batched_gpu {
    int cc_major, cc_minor, sm_count;
    long long l2_bytes, memory_bytes, max_shared_bytes;
    long long reserved_shared_bytes, shared_bytes_per_sm;
} gemm_batched_gpu;
typedef struct {
    const char *name;
    gemm_batched_gpu gpu;
    int first, count; /* groups of rows */
    const char *provenance;
} gemm_batched_device;
typedef struct { long long BATCH, K, M, N; } gemm_batched_problem;
typedef struct {
    int device, config;
    gemm_batched_problem problem;
    int lg[4]; /* of the sizes */
    double predicted_us;
} gemm_batched_row;
/* Rows that one rule serves; tree is -1: the nearest row serves. */
typedef struct gemm_batched_group {
    int first, count, tree;
    int configs, config_count; /* in gemm_batched_preferences, the best first */
} gemm_batched_group;

enum { GEMM_BATCHED_DEFAULT_CONFIG = 3, GEMM_BATCHED_CONFIGS = 4, GEMM_BATCHED_DEVICES = 1,
    GEMM_BATCHED_ROWS = 3 };
static const gemm_batched_config gemm_batched_configs[GEMM_BATCHED_CONFIGS] = {
    {128, 96, 128, 8, 3, 0, 1, 2, 1, 48, 64, {128, 1, 1}, 57344},
    {64, 64, 128, 1, 1, 0, 2, 4, 0, 64, 64, {64, 1, 1}, 49152},
    {128, 256, 128, 4, 1, 0, 1, 4, 0, 64, 64, {256, 1, 1}, 196608},
    {64, 128, 128, 8, 1, 128, 2, 4, 1, 64, 64, {128, 1, 1}, 65536},
};
static const char *const gemm_batched_defines[GEMM_BATCHED_CONFIGS] = {
    ("-DBK=128 -DBM=96 -DBN=128 -DGROUP_M=8 -DMIN_BLOCKS=3 -DPREFETCH=0 -DREGPIPE=1 -DSTAGES=2 "
            "-DSTAGE_D=1 -DWM=48 -DWN=64 -DACT=none -DBIAS=none -DEPILOGUE= -DOUT=bf16 "
            "-DPOINTERS=0 -DRESIDUAL=0 -DSCALE=none -DTRANS_A=0 -DTRANS_B=1 -DTYPE=bf16"),
    ("-DBK=64 -DBM=64 -DBN=128 -DGROUP_M=1 -DMIN_BLOCKS=1 -DPREFETCH=0 -DREGPIPE=2 -DSTAGES=4 "
            "-DSTAGE_D=0 -DWM=64 -DWN=64 -DACT=none -DBIAS=none -DEPILOGUE= -DOUT=bf16 "
            "-DPOINTERS=0 -DRESIDUAL=0 -DSCALE=none -DTRANS_A=0 -DTRANS_B=1 -DTYPE=bf16"),
    ("-DBK=128 -DBM=256 -DBN=128 -DGROUP_M=4 -DMIN_BLOCKS=1 -DPREFETCH=0 -DREGPIPE=1 -DSTAGES=4 "
            "-DSTAGE_D=0 -DWM=64 -DWN=64 -DACT=none -DBIAS=none -DEPILOGUE= -DOUT=bf16 "
            "-DPOINTERS=0 -DRESIDUAL=0 -DSCALE=none -DTRANS_A=0 -DTRANS_B=1 -DTYPE=bf16"),
    ("-DBK=64 -DBM=128 -DBN=128 -DGROUP_M=8 -DMIN_BLOCKS=1 -DPREFETCH=128 -DREGPIPE=2 -DSTAGES=4 "
            "-DSTAGE_D=1 -DWM=64 -DWN=64 -DACT=none -DBIAS=none -DEPILOGUE= -DOUT=bf16 "
            "-DPOINTERS=0 -DRESIDUAL=0 -DSCALE=none -DTRANS_A=0 -DTRANS_B=1 -DTYPE=bf16"),
};
static const gemm_batched_device gemm_batched_devices[GEMM_BATCHED_DEVICES] = {
    {"NVIDIA H100 80GB HBM3", {9, 0, 132, 52428800, 84825604096LL, 232448, 1024, 233472}, 0, 1,
     "predicted; clock emulated; driver emulator 1, NVRTC 13.0, recorded by hone 0.1.0; template "
             "gemm_batched.cu, template hash 4e9bc46eb2cab96279cffe5cf5149a1f, space hash "
             "eb7ea2bcb05553f11ae4b38763a5b5f6, options hash a6b86b64094343ae56dc37e12884696b"},
};
static const gemm_batched_row gemm_batched_rows[GEMM_BATCHED_ROWS] = {
    {0, 0, {16, 64, 4096, 4096}, {262144, 393216, 786432, 786432}, 229.697498},
    {0, 1, {32, 128, 1024, 1024}, {327680, 458752, 655360, 655360}, 39.2886121},
    {0, 2, {32, 1024, 1024, 128}, {327680, 655360, 655360, 458752}, 31.6344279},
};

static const int gemm_batched_preferences[] = {
    1, 0, 2,
};
static const gemm_batched_group gemm_batched_groups[] = {
    {0, 3, -1, 0, 3},
};

#if defined(__cplusplus) \
    && __cplusplus >= 201703L /* gemm_batched_arch<80>.FIELD, one for every cc */
extern "C++" { template <int cc> static constexpr gemm_batched_config gemm_batched_arch =
    {64, 64, 128, 1, 1, 0, 2, 4, 0, 64, 64, {64, 1, 1}, 49152}; }
#endif
/* As in Lua 5.4: integers wrap. */
static inline long long gemm_batched_add(long long a, long long b) {
    return (long long)((unsigned long long)a + (unsigned long long)b);
}
static inline long long gemm_batched_mul(long long a, long long b) {
    return (long long)((unsigned long long)a * (unsigned long long)b);
}
static inline long long gemm_batched_max(long long a, long long b) {
    return a < b ? b : a;
}

/* The kernel, by its arguments and their elements: gemm_batched(input bf16
 *     A[max(1, (BATCH * M - 1) * K + K)], B[max(1, (BATCH * N - 1) * K + K)], C[1],
 *     inout bf16 D[max(1, (BATCH * M - 1) * N + N)], input bf16 bias[1], residual[1],
 *     f32 row_scale[1], column_scale[1], scalar i32 M, N, K, lda = K, ldb = K, ldc = N, ldd = N,
 *     f32 alpha, beta, i64 stride_a = M * K, stride_b = N * K, stride_c = M * N,
 *     stride_d = M * N). */
/* The launch; shared memory is dynamic. Where CUDA refuses: grid, block 0, bytes ~0. */
static inline void gemm_batched_grid(const gemm_batched_config *config, long long BATCH,
    long long K, long long M, long long N, unsigned grid[3]) {
    (void)K;
    grid[0] = grid[1] = grid[2] = 0;
    if (!config) return;
    const long long grid_x =
            gemm_batched_mul(M / config->BM + (M % config->BM > 0),
            N / config->BN + (N % config->BN > 0));
    if (grid_x < 1 || grid_x > 2147483647 || BATCH < 1 || BATCH > 65535) return;
    grid[0] = (unsigned)grid_x, grid[1] = 1, grid[2] = (unsigned)BATCH;
}
static inline void gemm_batched_block(const gemm_batched_config *config, long long BATCH,
    long long K, long long M, long long N, unsigned block[3]) {
    (void)BATCH, (void)K, (void)M, (void)N;
    for (int i = 0; i < 3; i++) block[i] = config ? config->block[i] : 0;
}
static inline unsigned gemm_batched_shared_bytes(const gemm_batched_config *config, long long BATCH,
    long long K, long long M, long long N) {
    (void)BATCH, (void)K, (void)M, (void)N;
    return config ? config->shared_bytes : ~0u;
}

/* Whether a configuration may run on a GPU and problem it was not measured on. */
static inline int gemm_batched_fits(int number, const gemm_batched_gpu *gpu, long long BATCH,
    long long K, long long M, long long N) {
    const gemm_batched_config *config = &gemm_batched_configs[number];
    unsigned grid[3], shared;
    const long long THREADS = 32 * (config->BM / config->WM) * (config->BN / config->WN);
    const long long STAGING = config->STAGE_D * THREADS * 2 * (config->WN + 8);
    const long long SMEM =
            gemm_batched_max(config->STAGES * (config->BM + config->BN) * config->BK, STAGING);
    if (gpu->cc_major < 8) return 0;
    if (SMEM > gpu->max_shared_bytes) return 0;
    if (gemm_batched_mul(config->MIN_BLOCKS, gemm_batched_add(SMEM, gpu->reserved_shared_bytes))
            > gpu->shared_bytes_per_sm) return 0;
    if (BATCH < 0 || K < 0 || K != (int)K || M < 0 || M != (int)M || N < 0 || N != (int)N) return 0;
    gemm_batched_grid(config, BATCH, K, M, N, grid);
    if (!grid[0]) return 0;
    shared = gemm_batched_shared_bytes(config, BATCH, K, M, N);
    if (gpu->max_shared_bytes && (long long)shared > gpu->max_shared_bytes) return 0;
    return 1;
}

/* Tuned for this size and GPU; another size, SM count, minor version; not near; null. */
enum { GEMM_BATCHED_EXACT, GEMM_BATCHED_SAME_DEVICE, GEMM_BATCHED_SAME_ARCH,
    GEMM_BATCHED_SAME_FAMILY, GEMM_BATCHED_DEFAULT, GEMM_BATCHED_NONE };
/* Binary logarithm in 1/65536, exact at powers of two, linear between. */
static inline int gemm_batched_lg(long long size) {
    int e = 0;
    if (size < 1) return -65536;
#ifdef __GNUC__
    e = 63 - __builtin_clzll((unsigned long long)size);
#else
    while (size >> e > 1) e++;
#endif
    return (e - 1) * 65536 + (int)((unsigned long long)size << (63 - e) >> 47);
}

static inline int gemm_batched_apart(long long a, long long b) {
    const int gap = a > 0 && b > 0 ? gemm_batched_lg(a) - gemm_batched_lg(b) : 0;
    return gap < 0 ? -gap : gap;
}

/* How far a device of the table is from a GPU: 0, 1 or 2 (another number of
 * multiprocessors, another minor version) << 48, and more; 0: of no use. */
static inline long long gemm_batched_distance(const gemm_batched_gpu *a,
    const gemm_batched_gpu *gpu, int place) {
    long long minors = (long long)a->cc_minor - gpu->cc_minor, level, gap;
    if (!a->cc_major || a->cc_major != gpu->cc_major) return 0;
    if (minors < 0) minors = -minors;
    if (minors > 2047) minors = 2047;
    level = minors ? 2 : a->sm_count != gpu->sm_count;
    gap = 65536 * minors + 2 * gemm_batched_apart(a->sm_count, gpu->sm_count)
            + gemm_batched_apart(a->l2_bytes, gpu->l2_bytes)
            + gemm_batched_apart(a->memory_bytes, gpu->memory_bytes);
    return (level << 48) + (gap << 20) + place + 1;
}

/* The place of the device that is this GPU, or -1. */
static inline int gemm_batched_own(const gemm_batched_device *devices, int count,
    const gemm_batched_gpu *gpu) {
    for (int i = 0; i < count; i++) {
        const gemm_batched_gpu *a = &devices[i].gpu;
        if (a->sm_count == gpu->sm_count && a->cc_major == gpu->cc_major
                && a->l2_bytes == gpu->l2_bytes && a->cc_minor == gpu->cc_minor
                && a->memory_bytes == gpu->memory_bytes && a->cc_major)
            return i;
    }
    return -1;
}

/* That of the nearest one farther than *distance, which becomes its own; or -1. */
static inline int gemm_batched_next(const gemm_batched_device *devices, int count,
    const gemm_batched_gpu *gpu, long long *distance) {
    const long long last = *distance;
    int best = -1;
    for (int i = 0; i < count; i++) {
        const long long key = gemm_batched_distance(&devices[i].gpu, gpu, i);
        if (key <= last || (best >= 0 && key >= *distance)) continue;
        *distance = key;
        best = i;
    }
    return best;
}

/* The row of this very problem, or -1. */
static inline int gemm_batched_find(const gemm_batched_group *group, long long BATCH, long long K,
    long long M, long long N) {
    int low = group->first, high = low + group->count;
    while (low < high) {
        const int middle = (low + high) >> 1;
        const gemm_batched_problem *row = &gemm_batched_rows[middle].problem;
        if (BATCH < row->BATCH
                || (BATCH == row->BATCH
                && (K < row->K || (K == row->K && (M < row->M || (M == row->M && N < row->N))))))
            high = middle;
        else if (!(BATCH == row->BATCH && K == row->K && M == row->M && N == row->N))
            low = middle + 1;
        else
            return middle;
    }
    return -1;
}

/* The configuration for a problem that is no row. */
static inline int gemm_batched_rule(const gemm_batched_group *group, long long BATCH, long long K,
    long long M, long long N) {
    int best = group->first;
    int lg[4], i, at;
    long long least = -1;
    lg[0] = gemm_batched_lg(BATCH);
    lg[1] = gemm_batched_lg(K);
    lg[2] = gemm_batched_lg(M);
    lg[3] = gemm_batched_lg(N);
    for (i = group->first; i < group->first + group->count; i++) {
        long long apart = 0;
        for (at = 0; at < 4; at++) {
            const long long gap = (long long)lg[at] - gemm_batched_rows[i].lg[at];
            apart += gap * gap;
        }
        if (least >= 0 && apart >= least) continue;
        least = apart;
        best = i;
    }
    return gemm_batched_rows[best].config;
}

/* What a device of the table has for this problem, or -1; same: it is the one at hand. */
static inline int gemm_batched_of_device(const gemm_batched_device *device, int same,
    const gemm_batched_gpu *gpu, long long BATCH, long long K, long long M, long long N, int *exact)
{
    int g, i, number;
    for (g = device->first; g < device->first + device->count; g++) {
        const gemm_batched_group *group = &gemm_batched_groups[g];
        i = gemm_batched_find(group, BATCH, K, M, N);
        number = i < 0 ? -1 : gemm_batched_rows[i].config;
        *exact = i >= 0 && (same || gemm_batched_fits(number, gpu, BATCH, K, M, N));
        if (*exact) return number;
        for (i = -1; i < group->config_count; i++) {
            number = i < 0 ? gemm_batched_rule(group, BATCH, K, M, N)
                    : gemm_batched_preferences[group->configs + i];
            if (gemm_batched_fits(number, gpu, BATCH, K, M, N)) return number;
        }
        return -1;
    }
    return -1;
}

/* The configuration for a GPU and problem, or null; *tier, if not null: how near. */
static inline const gemm_batched_config *gemm_batched_select_for(const gemm_batched_gpu *gpu,
    long long BATCH, long long K, long long M, long long N, int *tier) {
    long long last = 0;
    int answered, exact = 0, i = gemm_batched_own(gemm_batched_devices, GEMM_BATCHED_DEVICES, gpu);
    if (!tier) tier = &answered;
    for (;; i = -1) {
        if (i < 0) i = gemm_batched_next(gemm_batched_devices, GEMM_BATCHED_DEVICES, gpu, &last);
        if (i < 0) break;
        const int level = (int)(last >> 48);
        const int number =
                gemm_batched_of_device(&gemm_batched_devices[i], !level, gpu, BATCH, K, M, N,
                &exact);
        if (number < 0) continue;
        *tier = exact && !level ? GEMM_BATCHED_EXACT : GEMM_BATCHED_SAME_DEVICE + level;
        return &gemm_batched_configs[number];
    }
    for (i = -1; i < GEMM_BATCHED_CONFIGS; i++) {
        const int number = i < 0 ? GEMM_BATCHED_DEFAULT_CONFIG : i;
        if (!gemm_batched_fits(number, gpu, BATCH, K, M, N)) continue;
        *tier = GEMM_BATCHED_DEFAULT;
        return &gemm_batched_configs[number];
    }
    *tier = GEMM_BATCHED_NONE;
    return 0;
}

/* Limits from the table; of other architectures as set below, else the table's least. */
static inline gemm_batched_gpu gemm_batched_gpu_of(int cc_major, int cc_minor, int sm_count) {
    gemm_batched_gpu gpu = gemm_batched_devices[0].gpu;
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
static inline const gemm_batched_config *gemm_batched_select(int cc_major, int cc_minor,
    int sm_count, long long BATCH, long long K, long long M, long long N, int *tier) {
    const gemm_batched_gpu gpu = gemm_batched_gpu_of(cc_major, cc_minor, sm_count);
    return gemm_batched_select_for(&gpu, BATCH, K, M, N, tier);
}
#elif HONE_EMITTED_gemm_batched != 0xe1b1153eu
#error "two headers gemm_batched that differ: emit one of them with --name"
#endif
