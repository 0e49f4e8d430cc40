/* Tuned configurations of the kernel transpose. Emitted by hone 0.1.0 (form 3): do not edit.
 * PREDICTED by the emulator's model, not measured (how accurate: docs/emulator.md); clock emulated
 * Valid: emulated, and equal to the reference, within the script's tolerance,
 *     at its verify sizes; 20 of them drawn, as M=200 N=200; M=17 N=2; M=2 N=129.
 * Selected: the row of this size and GPU (compute capability and SM count); else the nearest row,
 *     however far, of the same major version that fits there; else the author's default
 *     (configuration 1) or any that fits; else null.
 * To launch: transpose_select gives a configuration, transpose_defines[config - transpose_configs]
 *     the options to compile transpose.cu with; transpose_grid, transpose_block,
 *     transpose_shared_bytes its launch. C99, C++11, CUDA.
 * Missing: measured times; tuning for other sizes and GPUs; the kernel's code (--payload).
 * Of problems with OUT = f32, PAD = false, TYPE = f32.
 *
 * Device 0: NVIDIA H200 (compute capability 9.0, 132 SMs)
 * Row 0, configuration 0: M = 1024, N = 1024
 *   3.49146 us (predicted); predicted 1.026 times as fast as the author's default
 *   strategy portfolio, seed 1, 60 evaluated, 60 of them valid, of 516780 in the space
 *   results at this size: equal to the reference's
 */
#ifndef HONE_EMITTED_transpose
#define HONE_EMITTED_transpose 0xd8b4a584u
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
 * constraints and launches that read it: reserved_shared_bytes, shared_bytes_per_sm. */
typedef struct transpose_gpu {
    int cc_major, cc_minor, sm_count;
    long long l2_bytes, memory_bytes, max_shared_bytes;
    long long reserved_shared_bytes, shared_bytes_per_sm;
} transpose_gpu;
typedef struct { const char *name; transpose_gpu gpu; const char *provenance; } transpose_device;
typedef struct { long long M, N; } transpose_problem;
typedef struct { int device, config; transpose_problem problem; double predicted_us;
    } transpose_row;

enum { TRANSPOSE_DEFAULT_CONFIG = 1, TRANSPOSE_CONFIGS = 2, TRANSPOSE_DEVICES = 1,
    TRANSPOSE_ROWS = 1 };
static const transpose_config transpose_configs[TRANSPOSE_CONFIGS] = {
    {0, 1, 1, 8, 0, 128, 0, 0, 32, 16, 4, 4, {32, 1, 1}, 2048},
    {0, 1, 2, 4, 0, 0, 2, 0, 64, 64, 4, 4, {256, 1, 1}, 16384},
};
static const char *const transpose_defines[TRANSPOSE_CONFIGS] = {
    ("-DEVICT=0 -DITEMS=1 -DLOAD=1 -DMIN_BLOCKS=8 -DORDER=0 -DPREFETCH=128 -DSPREAD=0 -DSTORE=0 "
            "-DTILE_M=32 -DTILE_N=16 -DVEC_IN=4 -DVEC_OUT=4 -DOUT=f32 -DTYPE=f32"),
    ("-DEVICT=0 -DITEMS=1 -DLOAD=2 -DMIN_BLOCKS=4 -DORDER=0 -DPREFETCH=0 -DSPREAD=2 -DSTORE=0 "
            "-DTILE_M=64 -DTILE_N=64 -DVEC_IN=4 -DVEC_OUT=4 -DOUT=f32 -DTYPE=f32"),
};
static const transpose_device transpose_devices[TRANSPOSE_DEVICES] = {
    {"NVIDIA H200", {9, 0, 132, 52428800, 140660178944LL, 232448, 1024, 233472},
     "predicted; clock emulated; driver emulator 1, NVRTC 13.0, recorded by hone 0.1.0; template "
             "transpose.cu, template hash f237e80a6e13fa60127517490f6561dc, space hash "
             "1daf1bd393c44334e92c5afd3df74e27, options hash a6b86b64094343ae56dc37e12884696b"},
};
static const transpose_row transpose_rows[TRANSPOSE_ROWS] = {{0, 0, {1024, 1024}, 3.49146412}};
#if defined(__cplusplus) && __cplusplus >= 201703L /* transpose_arch<80>.FIELD, one for every cc */
extern "C++" { template <int cc> static constexpr transpose_config transpose_arch =
    {0, 1, 1, 8, 0, 128, 0, 0, 32, 16, 4, 4, {32, 1, 1}, 2048}; }
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

/* The configuration for a GPU and problem, or null; *tier, if not null: how near. */
static inline const transpose_config *transpose_select_for(const transpose_gpu *gpu, long long M,
    long long N, int *tier) {
    int number = gpu->cc_major == 9 ? 0 : TRANSPOSE_DEFAULT_CONFIG;
    int answer = M == 1024 && N == 1024 ? TRANSPOSE_EXACT : TRANSPOSE_SAME_DEVICE;
    if (gpu->sm_count != 132) answer = TRANSPOSE_SAME_ARCH;
    if (gpu->cc_minor != 0) answer = TRANSPOSE_SAME_FAMILY;
    if (gpu->cc_major != 9) answer = TRANSPOSE_DEFAULT;
    if (answer != TRANSPOSE_EXACT && !transpose_fits(number, gpu, M, N)) {
        number = TRANSPOSE_CONFIGS - 1 - number;
        answer = transpose_fits(number, gpu, M, N) ? TRANSPOSE_DEFAULT : TRANSPOSE_NONE;
    }
    if (tier) *tier = answer;
    return answer == TRANSPOSE_NONE ? 0 : &transpose_configs[number];
}
static inline const transpose_config *transpose_select(int cc_major, int cc_minor, int sm_count,
    long long M, long long N, int *tier) {
    const transpose_gpu gpu = transpose_gpu_of(cc_major, cc_minor, sm_count);
    return transpose_select_for(&gpu, M, N, tier);
}
#elif HONE_EMITTED_transpose != 0xd8b4a584u
#error "two headers transpose that differ: emit one of them with --name"
#endif
