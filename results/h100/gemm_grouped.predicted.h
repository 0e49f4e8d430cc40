/* Tuned configurations of the kernel gemm_grouped. Emitted by hone 0.1.0 (form 3): do not edit.
 * PREDICTED by the emulator's model, not measured (how accurate: docs/emulator.md); clock emulated
 * Valid: emulated, and equal to the reference, within the script's tolerance, at its verify sizes.
 * Selected: the row of this size and GPU (compute capability and SM count); else the nearest row,
 *     however far, of the same major version that fits there; else the author's default
 *     (configuration 1) or any that fits; else null.
 * To launch: gemm_grouped_select gives a configuration,
 *     gemm_grouped_defines[config - gemm_grouped_configs] the options to compile gemm_grouped.cu
 *     with; gemm_grouped_grid, gemm_grouped_block, gemm_grouped_shared_bytes its launch. C99,
 *     C++11, CUDA.
 * Missing: measured times; a look at the results of every row; tuning for other sizes and GPUs; the
 *     kernel's code (--payload).
 * No configuration on compute capability 7.0, 7.5; elsewhere for GROUPS huge, M odd, M tiny,
 *     UNIT huge (tried: sizes of rows, one less (odd), 1 (tiny), 2^30 (huge)), as constraints,
 *     arguments or launches forbid: tune such, or expect null.
 * Of problems with ACT = none, ADD_C = false, ALIGN_AC = false, ALIGN_BD = false, BIAS = none,
 *     EPILOGUE = "", OUT = bf16, PAD = false, RESIDUAL = false, SCALE = none, TRANS_A = false,
 *     TRANS_B = true, TYPE = bf16.
 *
 * Device 0: NVIDIA H100 80GB HBM3 (compute capability 9.0, 132 SMs)
 * Row 0, configuration 0: GROUPS = 8, K = 7168, M = 8192, N = 4096, UNIT = 128
 *   377.089 us (predicted); predicted 1.409 times as fast as the author's default
 *   strategy portfolio, seed 1, 60 evaluated, 60 of them valid, of 350232 in the space
 *   results not verified at this size (needs about 81 s of emulation, limit 0 s)
 */
#ifndef HONE_EMITTED_gemm_grouped
#define HONE_EMITTED_gemm_grouped 0x47cdd324u
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
typedef struct { const char *name; gemm_grouped_gpu gpu; const char *provenance;
    } gemm_grouped_device;
typedef struct { long long GROUPS, K, M, N, UNIT; } gemm_grouped_problem;
typedef struct { int device, config; gemm_grouped_problem problem; double predicted_us;
    } gemm_grouped_row;

enum { GEMM_GROUPED_DEFAULT_CONFIG = 1, GEMM_GROUPED_CONFIGS = 2, GEMM_GROUPED_DEVICES = 1,
    GEMM_GROUPED_ROWS = 1 };
static const gemm_grouped_config gemm_grouped_configs[GEMM_GROUPED_CONFIGS] = {
    {128, 128, 256, 1, 1, 0, 2, 4, 0, 64, 64, {256, 1, 1}, 196608},
    {64, 128, 128, 8, 1, 128, 2, 4, 1, 64, 32, {256, 1, 1}, 65536},
};
static const char *const gemm_grouped_defines[GEMM_GROUPED_CONFIGS] = {
    ("-DBK=128 -DBM=128 -DBN=256 -DGROUP_M=1 -DMIN_BLOCKS=1 -DPREFETCH=0 -DREGPIPE=2 -DSTAGES=4 "
            "-DSTAGE_D=0 -DWM=64 -DWN=64 -DACT=none -DBIAS=none -DEPILOGUE= -DOUT=bf16 "
            "-DRESIDUAL=0 -DSCALE=none -DTRANS_A=0 -DTRANS_B=1 -DTYPE=bf16"),
    ("-DBK=64 -DBM=128 -DBN=128 -DGROUP_M=8 -DMIN_BLOCKS=1 -DPREFETCH=128 -DREGPIPE=2 -DSTAGES=4 "
            "-DSTAGE_D=1 -DWM=64 -DWN=32 -DACT=none -DBIAS=none -DEPILOGUE= -DOUT=bf16 "
            "-DRESIDUAL=0 -DSCALE=none -DTRANS_A=0 -DTRANS_B=1 -DTYPE=bf16"),
};
static const gemm_grouped_device gemm_grouped_devices[GEMM_GROUPED_DEVICES] = {
    {"NVIDIA H100 80GB HBM3", {9, 0, 132, 52428800, 84825604096LL, 232448, 1024, 233472},
     "predicted; clock emulated; driver emulator 1, NVRTC 13.0, recorded by hone 0.1.0; template "
             "gemm_grouped.cu, template hash 192520cee3699429faf29f8c32556f64, space hash "
             "dbef65faa224fe454138e80c8f1df328, options hash a6b86b64094343ae56dc37e12884696b"},
};
static const gemm_grouped_row gemm_grouped_rows[GEMM_GROUPED_ROWS] =
    {{0, 0, {8, 7168, 8192, 4096, 128}, 377.088614}};
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

/* The configuration for a GPU and problem, or null; *tier, if not null: how near. */
static inline const gemm_grouped_config *gemm_grouped_select_for(const gemm_grouped_gpu *gpu,
    long long GROUPS, long long K, long long M, long long N, long long UNIT, int *tier) {
    int number = gpu->cc_major == 9 ? 0 : GEMM_GROUPED_DEFAULT_CONFIG;
    int answer = GROUPS == 8 && K == 7168 && M == 8192 && N == 4096 && UNIT == 128
            ? GEMM_GROUPED_EXACT : GEMM_GROUPED_SAME_DEVICE;
    if (gpu->sm_count != 132) answer = GEMM_GROUPED_SAME_ARCH;
    if (gpu->cc_minor != 0) answer = GEMM_GROUPED_SAME_FAMILY;
    if (gpu->cc_major != 9) answer = GEMM_GROUPED_DEFAULT;
    if (answer != GEMM_GROUPED_EXACT && !gemm_grouped_fits(number, gpu, GROUPS, K, M, N, UNIT)) {
        number = GEMM_GROUPED_CONFIGS - 1 - number;
        answer = gemm_grouped_fits(number, gpu, GROUPS, K, M, N, UNIT) ? GEMM_GROUPED_DEFAULT
                : GEMM_GROUPED_NONE;
    }
    if (tier) *tier = answer;
    return answer == GEMM_GROUPED_NONE ? 0 : &gemm_grouped_configs[number];
}
static inline const gemm_grouped_config *gemm_grouped_select(int cc_major, int cc_minor,
    int sm_count, long long GROUPS, long long K, long long M, long long N, long long UNIT,
    int *tier) {
    const gemm_grouped_gpu gpu = gemm_grouped_gpu_of(cc_major, cc_minor, sm_count);
    return gemm_grouped_select_for(&gpu, GROUPS, K, M, N, UNIT, tier);
}
#elif HONE_EMITTED_gemm_grouped != 0x47cdd324u
#error "two headers gemm_grouped that differ: emit one of them with --name"
#endif
