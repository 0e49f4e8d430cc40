/* Tuned configurations of the kernel gemm_w4a16. Emitted by hone 0.1.0 (form 3): do not edit.
 * PREDICTED by the emulator's model, not measured (how accurate: docs/emulator.md); clock emulated
 * Valid: emulated, and equal to the reference, within the script's tolerance, at its verify sizes.
 * Selected: the row of this size and GPU (compute capability and SM count); else the nearest row,
 *     however far, of the same major version that fits there; else the author's default
 *     (configuration 1) or any that fits; else null.
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
 * Device 0: NVIDIA H200 (compute capability 9.0, 132 SMs)
 * Row 0, configuration 0: K = 4096, M = 1, N = 4096
 *   4.62714 us (predicted); predicted 1.178 times as fast as the author's default
 *   strategy portfolio, seed 1, 60 evaluated, 60 of them valid, of 234576 in the space
 *   results at this size: equal to the reference's
 */
#ifndef HONE_EMITTED_gemm_w4a16
#define HONE_EMITTED_gemm_w4a16 0x0e5dbd5au
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
 * constraints and launches that read it: cc_major, max_shared_bytes. */
typedef struct gemm_w4a16_gpu { int cc_major, cc_minor, sm_count; long long l2_bytes, memory_bytes,
    max_shared_bytes; } gemm_w4a16_gpu;
typedef struct { const char *name; gemm_w4a16_gpu gpu; const char *provenance; } gemm_w4a16_device;
typedef struct { long long K, M, N; } gemm_w4a16_problem;
typedef struct { int device, config; gemm_w4a16_problem problem; double predicted_us;
    } gemm_w4a16_row;

enum { GEMM_W4A16_DEFAULT_CONFIG = 1, GEMM_W4A16_CONFIGS = 2, GEMM_W4A16_DEVICES = 1,
    GEMM_W4A16_ROWS = 1 };
static const gemm_w4a16_config gemm_w4a16_configs[GEMM_W4A16_CONFIGS] = {
    {128, 16, 64, 1, 1, 1, 0, 8, 5, 1, 16, 32, {64, 1, 1}, 41600},
    {128, 16, 128, 0, 8, 1, 128, 4, 4, 1, 16, 32, {128, 1, 1}, 50176},
};
static const char *const gemm_w4a16_defines[GEMM_W4A16_CONFIGS] = {
    ("-DBK=128 -DBM=16 -DBN=64 -DEVICT=1 -DGROUP_M=1 -DMIN_BLOCKS=1 -DPREFETCH=0 -DSPLIT_K=8 "
            "-DSTAGES=5 -DSTAGE_D=1 -DWM=16 -DWN=32 -DACT=none -DBIAS=none -DEPILOGUE= -DOUT=f16 "
            "-DRESIDUAL=0 -DSCALE=none -DTYPE=f16 -DZEROS=0"),
    ("-DBK=128 -DBM=16 -DBN=128 -DEVICT=0 -DGROUP_M=8 -DMIN_BLOCKS=1 -DPREFETCH=128 -DSPLIT_K=4 "
            "-DSTAGES=4 -DSTAGE_D=1 -DWM=16 -DWN=32 -DACT=none -DBIAS=none -DEPILOGUE= -DOUT=f16 "
            "-DRESIDUAL=0 -DSCALE=none -DTYPE=f16 -DZEROS=0"),
};
static const gemm_w4a16_device gemm_w4a16_devices[GEMM_W4A16_DEVICES] = {
    {"NVIDIA H200", {9, 0, 132, 52428800, 140660178944LL, 232448},
     "predicted; clock emulated; driver emulator 1, NVRTC 13.0, recorded by hone 0.1.0; template "
             "gemm_w4a16.cu, template hash 2714200f2e44ad43a6edb721484ed899, space hash "
             "acf762dba32c72de791dee98bf1a02cd, options hash a6b86b64094343ae56dc37e12884696b"},
};
static const gemm_w4a16_row gemm_w4a16_rows[GEMM_W4A16_ROWS] =
    {{0, 0, {4096, 1, 4096}, 4.62714482}};
#if defined(__cplusplus) && __cplusplus >= 201703L /* gemm_w4a16_arch<80>.FIELD, one for every cc */
extern "C++" { template <int cc> static constexpr gemm_w4a16_config gemm_w4a16_arch =
    {128, 16, 64, 1, 1, 1, 0, 8, 5, 1, 16, 32, {64, 1, 1}, 41600}; }
#endif
/* As in Lua 5.4: integers wrap, // and % round down; 0 where Lua raises an error. */
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
/* Limits from the table; of other architectures as set below, else the table's least. */
static inline gemm_w4a16_gpu gemm_w4a16_gpu_of(int cc_major, int cc_minor, int sm_count) {
    gemm_w4a16_gpu gpu = gemm_w4a16_devices[0].gpu;
    const long long cc = cc_minor >= 0 && cc_minor < 10 ? cc_major * 10LL + cc_minor : 0;
    if (cc_major != gpu.cc_major || cc_minor != gpu.cc_minor) gpu.max_shared_bytes = cc == 70
            || cc == 72 ? 98304 : cc == 75 ? 65536 : cc == 80 || cc == 87 ? 166912 : cc == 86
            || cc == 89 || cc == 120 || cc == 121 ? 101376 : cc == 90 || cc == 100 || cc == 103
            || cc == 110 ? 232448 : 49152;
    gpu.cc_major = cc_major, gpu.cc_minor = cc_minor, gpu.sm_count = sm_count;
    return gpu;
}

/* The configuration for a GPU and problem, or null; *tier, if not null: how near. */
static inline const gemm_w4a16_config *gemm_w4a16_select_for(const gemm_w4a16_gpu *gpu, long long K,
    long long M, long long N, int *tier) {
    int number = gpu->cc_major == 9 ? 0 : GEMM_W4A16_DEFAULT_CONFIG;
    int answer = K == 4096 && M == 1 && N == 4096 ? GEMM_W4A16_EXACT : GEMM_W4A16_SAME_DEVICE;
    if (gpu->sm_count != 132) answer = GEMM_W4A16_SAME_ARCH;
    if (gpu->cc_minor != 0) answer = GEMM_W4A16_SAME_FAMILY;
    if (gpu->cc_major != 9) answer = GEMM_W4A16_DEFAULT;
    if (answer != GEMM_W4A16_EXACT && !gemm_w4a16_fits(number, gpu, K, M, N)) {
        number = GEMM_W4A16_CONFIGS - 1 - number;
        answer = gemm_w4a16_fits(number, gpu, K, M, N) ? GEMM_W4A16_DEFAULT : GEMM_W4A16_NONE;
    }
    if (tier) *tier = answer;
    return answer == GEMM_W4A16_NONE ? 0 : &gemm_w4a16_configs[number];
}
static inline const gemm_w4a16_config *gemm_w4a16_select(int cc_major, int cc_minor, int sm_count,
    long long K, long long M, long long N, int *tier) {
    const gemm_w4a16_gpu gpu = gemm_w4a16_gpu_of(cc_major, cc_minor, sm_count);
    return gemm_w4a16_select_for(&gpu, K, M, N, tier);
}
#elif HONE_EMITTED_gemm_w4a16 != 0x0e5dbd5au
#error "two headers gemm_w4a16 that differ: emit one of them with --name"
#endif
