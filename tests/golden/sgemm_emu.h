/* Tuned configurations of the kernel sgemm. Emitted by hone 0.1.0 (form 3): do not edit.
 * PREDICTED by the emulator's model, not measured (how accurate: docs/emulator.md); clock emulated
 * Valid: emulated, and run; whether results were verified, no journal recorded.
 * Selected: the row of this size and GPU (compute capability and SM count); else the nearest row,
 *     however far, of the same major version that fits there; else the author's default
 *     (configuration 1) or any that fits; else null.
 * To launch: sgemm_emu_select gives a configuration, sgemm_emu_defines[config - sgemm_emu_configs]
 *     the options to compile sgemm.cu with and those of the script's defines,
 *     which no journal recorded; sgemm_emu_grid, sgemm_emu_block, sgemm_emu_shared_bytes its
 *     launch; sgemm_emu_partials_bytes bytes of partials (0: pass null); sgemm_emu_shared_bytes_
 *     bytes of shared (0: pass null). C99, C++11, CUDA.
 * Missing: measured times; a look at the results of every row; tuning for other sizes and GPUs; the
 *     kernel's code (--payload).
 * No configuration for K huge (tried: sizes of rows, one less (odd), 1 (tiny), 2^30 (huge)),
 *     as constraints, arguments or launches forbid: tune such, or expect null.
 *
 * Device 0: NVIDIA H200 (compute capability 9.0, 132 SMs)
 * Row 0, configuration 0: K = 4096, M = 4096, N = 4096
 *   653.244 us (predicted); predicted 1.276 times as fast as the author's default
 *   strategy random, seed 1, 25 evaluated, 23 of them valid, of 96 in the space
 */
#ifndef HONE_EMITTED_sgemm_emu
#define HONE_EMITTED_sgemm_emu 0x729ffeb9u
#if defined(BK) || defined(BM) || defined(BN) || defined(LAYOUT) || defined(SCALE) \
    || defined(SWAP) || defined(K) || defined(M) || defined(N) || defined(WAVES)
#error "sgemm_emu: include this header before its parameters or sizes are macros"
#endif

/* What the kernel is compiled with. */
typedef struct sgemm_emu_config {
    int BK, BM, BN;
    const char *LAYOUT;
    double SCALE;
    int SWAP;
    long long device_sm_count; /* of the device it was tuned on */
    unsigned block[3], shared_bytes; /* of its launch */
} sgemm_emu_config;
/* A GPU: sgemm_emu_gpu_of makes one, set what is known better; 0 is unknown, and 0 to
 * constraints and launches that read it: sm_count. */
typedef struct sgemm_emu_gpu { int cc_major, cc_minor, sm_count; long long l2_bytes, memory_bytes,
    max_shared_bytes; } sgemm_emu_gpu;
typedef struct { const char *name; sgemm_emu_gpu gpu; const char *provenance; } sgemm_emu_device;
typedef struct { long long K, M, N; } sgemm_emu_problem;
typedef struct { int device, config; sgemm_emu_problem problem; double predicted_us;
    } sgemm_emu_row;

enum { SGEMM_EMU_DEFAULT_CONFIG = 1, SGEMM_EMU_CONFIGS = 2, SGEMM_EMU_DEVICES = 1,
    SGEMM_EMU_ROWS = 1 };
static const sgemm_emu_config sgemm_emu_configs[SGEMM_EMU_CONFIGS] = {
    {8, 64, 128, "col", 0.5, 1, 132, {128, 1, 1}, 12288},
    {8, 64, 64, "row", 0.5, 0, 132, {64, 1, 1}, 4224},
};
static const char *const sgemm_emu_defines[SGEMM_EMU_CONFIGS] = {
    "-DBK=8 -DBM=64 -DBN=128 -DLAYOUT=col -DSCALE=0.5 -DSWAP=1",
    "-DBK=8 -DBM=64 -DBN=64 -DLAYOUT=row -DSCALE=0.5 -DSWAP=0",
};
static const sgemm_emu_device sgemm_emu_devices[SGEMM_EMU_DEVICES] = {
    {"NVIDIA H200", {9, 0, 132, 0, 0, 232448},
     "predicted; clock emulated; driver emulator 1, NVRTC 13.0, recorded by hone 0.1.0; template "
             "sgemm.cu, template hash 5d41402abc4b2a76b9719d911017c592, space hash "
             "7d793037a0760186574b0282f2f435e7, options hash 9b74c9897bac770ffc029102a200c5de"},
};
static const sgemm_emu_row sgemm_emu_rows[SGEMM_EMU_ROWS] = {{0, 0, {4096, 4096, 4096}, 653.244}};
#if defined(__cplusplus) && __cplusplus >= 201703L /* sgemm_emu_arch<80>.FIELD, one for every cc */
extern "C++" { template <int cc> static constexpr sgemm_emu_config sgemm_emu_arch =
    {8, 64, 128, "col", 0.5, 1, 132, {128, 1, 1}, 12288}; }
#endif
/* As in Lua 5.4: integers wrap; 0 where Lua raises an error. */
static inline long long sgemm_emu_mul(long long a, long long b) {
    return (long long)((unsigned long long)a * (unsigned long long)b);
}
static inline long long sgemm_emu_min(long long a, long long b) {
    return b < a ? b : a;
}
static inline int sgemm_emu_in_range(double f) {
    return f >= -9223372036854775808.0 && f < 9223372036854775808.0;
}
static inline long long sgemm_emu_to_int(double f) {
    return sgemm_emu_in_range(f) && (double)(long long)f == f ? (long long)f : 0;
}
/* -1, 0, 1 for i <=> f; 2 where f is not a number */
static inline int sgemm_emu_cmp_if(long long i, double f) {
    if (f != f) return 2;
    if (!sgemm_emu_in_range(f)) return f > 0 ? -1 : 1;
    if (i != (long long)f) return i < (long long)f ? -1 : 1;
    return f > (double)i ? -1 : f < (double)i;
}

/* The kernel, by its arguments and their elements: sgemm(input f32 A[M * K],
 *     workspace bf16 partials[SWAP ? M * N * BK : 0], e4m3 shared[SCALE * 2]). */
/* The launch; shared memory is dynamic. Where CUDA refuses: grid, block 0, bytes ~0. */
static inline void sgemm_emu_grid(const sgemm_emu_config *config, long long K, long long M,
    long long N, unsigned grid[3]) {
    grid[0] = grid[1] = grid[2] = 0;
    if (!config) return;
    const long long WAVES = sgemm_emu_cmp_if(1, config->SCALE) < 0 ? 8 : 4;
    const long long grid_x = (N / config->BN + (N % config->BN > 0)) * (config->SWAP ? 1 : 2);
    const long long grid_y =
            sgemm_emu_min(M / config->BM + (M % config->BM > 0),
            sgemm_emu_mul(WAVES, config->device_sm_count));
    const long long grid_z = K / 4096 - (K % 4096 < 0) + 1;
    if (grid_x < 1 || grid_x > 2147483647 || grid_y < 1 || grid_y > 65535 || grid_z < 1
            || grid_z > 65535) return;
    grid[0] = (unsigned)grid_x, grid[1] = (unsigned)grid_y, grid[2] = (unsigned)grid_z;
}
static inline void sgemm_emu_block(const sgemm_emu_config *config, long long K, long long M,
    long long N, unsigned block[3]) {
    (void)K, (void)M, (void)N;
    for (int i = 0; i < 3; i++) block[i] = config ? config->block[i] : 0;
}
static inline unsigned sgemm_emu_shared_bytes(const sgemm_emu_config *config, long long K,
    long long M, long long N) {
    (void)K, (void)M, (void)N;
    return config ? config->shared_bytes : ~0u;
}
static inline unsigned long long sgemm_emu_partials_bytes(const sgemm_emu_config *config,
    long long K, long long M, long long N) {
    (void)K;
    if (!config) return ~0ULL;
    const long long size = config->SWAP ? sgemm_emu_mul(sgemm_emu_mul(M, N), config->BK) : 0;
    return size < 0 || size > 4611686018427387903 ? ~0ULL : (unsigned long long)size * 2;
}
static inline unsigned long long sgemm_emu_shared_bytes_(const sgemm_emu_config *config,
    long long K, long long M, long long N) {
    (void)K, (void)M, (void)N;
    if (!config) return ~0ULL;
    const long long size = sgemm_emu_to_int(config->SCALE * (double)2);
    return size < 0 || size > 9223372036854775807 ? ~0ULL : (unsigned long long)size * 1;
}

/* Whether a configuration may run on a GPU and problem it was not measured on. */
static inline int sgemm_emu_fits(int number, const sgemm_emu_gpu *gpu, long long K, long long M,
    long long N) {
    sgemm_emu_config here = sgemm_emu_configs[number];
    const sgemm_emu_config *config = &here;
    unsigned grid[3];
    here.device_sm_count = gpu->sm_count;
    if (K < 0 || M < 0 || N < 0) return 0;
    sgemm_emu_grid(config, K, M, N, grid);
    if (!grid[0]) return 0;
    return 1;
}

/* Tuned for this size and GPU; another size, SM count, minor version; not near; null. */
enum { SGEMM_EMU_EXACT, SGEMM_EMU_SAME_DEVICE, SGEMM_EMU_SAME_ARCH, SGEMM_EMU_SAME_FAMILY,
    SGEMM_EMU_DEFAULT, SGEMM_EMU_NONE };
/* Limits from the table; max_shared_bytes, for which nothing asks, is 0 elsewhere. */
static inline sgemm_emu_gpu sgemm_emu_gpu_of(int cc_major, int cc_minor, int sm_count) {
    sgemm_emu_gpu gpu = sgemm_emu_devices[0].gpu;
    if (cc_major != gpu.cc_major || cc_minor != gpu.cc_minor) gpu.max_shared_bytes = 0;
    gpu.cc_major = cc_major, gpu.cc_minor = cc_minor, gpu.sm_count = sm_count;
    return gpu;
}

/* The configuration for a GPU and problem, or null; *tier, if not null: how near. */
static inline const sgemm_emu_config *sgemm_emu_select_for(const sgemm_emu_gpu *gpu, long long K,
    long long M, long long N, int *tier) {
    int number = gpu->cc_major == 9 ? 0 : SGEMM_EMU_DEFAULT_CONFIG;
    int answer = K == 4096 && M == 4096 && N == 4096 ? SGEMM_EMU_EXACT : SGEMM_EMU_SAME_DEVICE;
    if (gpu->sm_count != 132) answer = SGEMM_EMU_SAME_ARCH;
    if (gpu->cc_minor != 0) answer = SGEMM_EMU_SAME_FAMILY;
    if (gpu->cc_major != 9) answer = SGEMM_EMU_DEFAULT;
    if (answer != SGEMM_EMU_EXACT && !sgemm_emu_fits(number, gpu, K, M, N)) {
        number = SGEMM_EMU_CONFIGS - 1 - number;
        answer = sgemm_emu_fits(number, gpu, K, M, N) ? SGEMM_EMU_DEFAULT : SGEMM_EMU_NONE;
    }
    if (tier) *tier = answer;
    return answer == SGEMM_EMU_NONE ? 0 : &sgemm_emu_configs[number];
}
static inline const sgemm_emu_config *sgemm_emu_select(int cc_major, int cc_minor, int sm_count,
    long long K, long long M, long long N, int *tier) {
    const sgemm_emu_gpu gpu = sgemm_emu_gpu_of(cc_major, cc_minor, sm_count);
    return sgemm_emu_select_for(&gpu, K, M, N, tier);
}
#elif HONE_EMITTED_sgemm_emu != 0x729ffeb9u
#error "two headers sgemm_emu that differ: emit one of them with --name"
#endif
