/* Tuned configurations of the kernel sgemm. Emitted by hone 0.1.0 (form 3): do not edit.
 * PREDICTED by the emulator's model, not measured (how accurate: docs/emulator.md); clock emulated
 * Valid: emulated, and equal to the reference, within the script's tolerance, at its verify sizes.
 * Selected: the row of this size and GPU (compute capability and SM count); else the nearest row,
 *     however far, of the same major version that fits there; else the author's default
 *     (configuration 1) or any that fits; else null.
 * To launch: sgemm_select gives a configuration, sgemm_defines[config - sgemm_configs] the options
 *     to compile sgemm.cu with; sgemm_grid, sgemm_block, sgemm_shared_bytes its launch;
 *     sgemm_partials_bytes bytes of partials (0: pass null). C99, C++11, CUDA.
 * Missing: measured times; tuning for other sizes and GPUs; the kernel's code (--payload).
 * Of problems with ACT = none, ADD_C = false, ALIGN_AC = false, ALIGN_BD = false, BIAS = none,
 *     EPILOGUE = "", OUT = f32, PAD = false, RESIDUAL = false, SCALE = none, TRANS_A = false,
 *     TRANS_B = false, TYPE = f32.
 *
 * Device 0: NVIDIA H200 (compute capability 9.0, 132 SMs)
 * Row 0, configuration 0: K = 256, M = 256, N = 256
 *   3.15793 us (predicted); predicted 10.030 times as fast as the author's default
 *   strategy portfolio, seed 1, 60 evaluated, 60 of them valid, of 1214112 in the space
 *   results at this size: equal to the reference's
 */
#ifndef HONE_EMITTED_sgemm
#define HONE_EMITTED_sgemm 0x3792be83u
#if defined(ASYNC) || defined(BK) || defined(BM) || defined(BN) || defined(GROUP_M) \
    || defined(LOAD) || defined(MIN_BLOCKS) || defined(PREFETCH) || defined(SPLIT_K) \
    || defined(STAGES) || defined(TM) || defined(TN) || defined(VEC) || defined(WM) || defined(WN) \
    || defined(K) || defined(M) || defined(N) || defined(TILES)
#error "sgemm: include this header before its parameters or sizes are macros"
#endif

/* What the kernel is compiled with. */
typedef struct sgemm_config {
    int ASYNC, BK, BM, BN, GROUP_M, LOAD, MIN_BLOCKS, PREFETCH, SPLIT_K, STAGES, TM, TN, VEC, WM,
            WN;
    unsigned block[3], shared_bytes; /* of its launch */
} sgemm_config;
/* A GPU: sgemm_gpu_of makes one, set what is known better; 0 is unknown. */
typedef struct sgemm_gpu { int cc_major, cc_minor, sm_count; long long l2_bytes, memory_bytes,
    max_shared_bytes; } sgemm_gpu;
typedef struct { const char *name; sgemm_gpu gpu; const char *provenance; } sgemm_device;
typedef struct { long long K, M, N; } sgemm_problem;
typedef struct { int device, config; sgemm_problem problem; double predicted_us; } sgemm_row;

enum { SGEMM_DEFAULT_CONFIG = 1, SGEMM_CONFIGS = 2, SGEMM_DEVICES = 1, SGEMM_ROWS = 1 };
static const sgemm_config sgemm_configs[SGEMM_CONFIGS] = {
    {0, 32, 32, 32, 1, 1, 2, 128, 8, 1, 4, 4, 4, 32, 16, {64, 1, 1}, 8320},
    {0, 8, 128, 128, 8, 1, 2, 0, 1, 2, 8, 8, 4, 64, 32, {256, 1, 1}, 16640},
};
static const char *const sgemm_defines[SGEMM_CONFIGS] = {
    ("-DASYNC=0 -DBK=32 -DBM=32 -DBN=32 -DGROUP_M=1 -DLOAD=1 -DMIN_BLOCKS=2 -DPREFETCH=128 "
            "-DSPLIT_K=8 -DSTAGES=1 -DTM=4 -DTN=4 -DVEC=4 -DWM=32 -DWN=16 -DACT=none -DBIAS=none "
            "-DEPILOGUE= -DOUT=f32 -DRESIDUAL=0 -DSCALE=none -DTYPE=f32"),
    ("-DASYNC=0 -DBK=8 -DBM=128 -DBN=128 -DGROUP_M=8 -DLOAD=1 -DMIN_BLOCKS=2 -DPREFETCH=0 "
            "-DSPLIT_K=1 -DSTAGES=2 -DTM=8 -DTN=8 -DVEC=4 -DWM=64 -DWN=32 -DACT=none -DBIAS=none "
            "-DEPILOGUE= -DOUT=f32 -DRESIDUAL=0 -DSCALE=none -DTYPE=f32"),
};
static const sgemm_device sgemm_devices[SGEMM_DEVICES] = {
    {"NVIDIA H200", {9, 0, 132, 52428800, 140660178944LL, 232448},
     "predicted; clock emulated; driver emulator 1, NVRTC 13.0, recorded by hone 0.1.0; template "
             "sgemm.cu, template hash 4aecac08950e857b4ea918bdf7ce5769, space hash "
             "6a1212983ae7609b14773fe380ea733d, options hash a6b86b64094343ae56dc37e12884696b"},
};
static const sgemm_row sgemm_rows[SGEMM_ROWS] = {{0, 0, {256, 256, 256}, 3.15793198}};
#if defined(__cplusplus) && __cplusplus >= 201703L /* sgemm_arch<80>.FIELD, one for every cc */
extern "C++" { template <int cc> static constexpr sgemm_config sgemm_arch =
    {0, 32, 32, 32, 1, 1, 2, 128, 8, 1, 4, 4, 4, 32, 16, {64, 1, 1}, 8320}; }
#endif
/* As in Lua 5.4: integers wrap. */
static inline long long sgemm_mul(long long a, long long b) {
    return (long long)((unsigned long long)a * (unsigned long long)b);
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

/* Whether a configuration may run on a problem it was not measured on. */
static inline int sgemm_fits(int number, long long K, long long M, long long N) {
    unsigned grid[3];
    if (K < 0 || K != (int)K || M < 0 || M != (int)M || N < 0 || N != (int)N) return 0;
    sgemm_grid(&sgemm_configs[number], K, M, N, grid);
    return grid[0] != 0;
}

/* Tuned for this size and GPU; another size, SM count, minor version; not near; null. */
enum { SGEMM_EXACT, SGEMM_SAME_DEVICE, SGEMM_SAME_ARCH, SGEMM_SAME_FAMILY, SGEMM_DEFAULT,
    SGEMM_NONE };
/* Limits from the table; max_shared_bytes, for which nothing asks, is 0 elsewhere. */
static inline sgemm_gpu sgemm_gpu_of(int cc_major, int cc_minor, int sm_count) {
    sgemm_gpu gpu = sgemm_devices[0].gpu;
    if (cc_major != gpu.cc_major || cc_minor != gpu.cc_minor) gpu.max_shared_bytes = 0;
    gpu.cc_major = cc_major, gpu.cc_minor = cc_minor, gpu.sm_count = sm_count;
    return gpu;
}

/* The configuration for a GPU and problem, or null; *tier, if not null: how near. */
static inline const sgemm_config *sgemm_select_for(const sgemm_gpu *gpu, long long K, long long M,
    long long N, int *tier) {
    int number = gpu->cc_major == 9 ? 0 : SGEMM_DEFAULT_CONFIG;
    int answer = K == 256 && M == 256 && N == 256 ? SGEMM_EXACT : SGEMM_SAME_DEVICE;
    if (gpu->sm_count != 132) answer = SGEMM_SAME_ARCH;
    if (gpu->cc_minor != 0) answer = SGEMM_SAME_FAMILY;
    if (gpu->cc_major != 9) answer = SGEMM_DEFAULT;
    if (answer != SGEMM_EXACT && !sgemm_fits(number, K, M, N)) {
        number = SGEMM_CONFIGS - 1 - number;
        answer = sgemm_fits(number, K, M, N) ? SGEMM_DEFAULT : SGEMM_NONE;
    }
    if (tier) *tier = answer;
    return answer == SGEMM_NONE ? 0 : &sgemm_configs[number];
}
static inline const sgemm_config *sgemm_select(int cc_major, int cc_minor, int sm_count,
    long long K, long long M, long long N, int *tier) {
    const sgemm_gpu gpu = sgemm_gpu_of(cc_major, cc_minor, sm_count);
    return sgemm_select_for(&gpu, K, M, N, tier);
}
#elif HONE_EMITTED_sgemm != 0x3792be83u
#error "two headers sgemm that differ: emit one of them with --name"
#endif
