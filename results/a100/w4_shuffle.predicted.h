/* Tuned configurations of the kernel w4_shuffle. Emitted by hone 0.1.0 (form 3): do not edit.
 * PREDICTED by the emulator's model, not measured (how accurate: docs/emulator.md); clock emulated
 * Valid: emulated, and equal to the reference, within the script's tolerance, at its verify sizes.
 * Selected: the row of this size and GPU (compute capability and SM count); else the nearest row,
 *     however far, of the same major version that fits there; else the author's default
 *     (configuration 1) or any that fits; else null.
 * To launch: w4_shuffle_select gives a configuration,
 *     w4_shuffle_defines[config - w4_shuffle_configs] the options to compile w4_shuffle.cu with;
 *     w4_shuffle_grid, w4_shuffle_block, w4_shuffle_shared_bytes its launch. C99, C++11, CUDA.
 * Missing: measured times; tuning for other sizes and GPUs; the kernel's code (--payload).
 * No configuration on compute capability 7.0, 7.5; elsewhere for K odd, K tiny, N odd,
 *     N tiny (tried: sizes of rows, one less (odd), 1 (tiny), 2^30 (huge)), as constraints,
 *     arguments or launches forbid: tune such, or expect null.
 *
 * Device 0: NVIDIA A100-SXM4-80GB (compute capability 8.0, 108 SMs)
 * Row 0, configuration 0: K = 4096, N = 4096
 *   13.2502 us (predicted); predicted 1.050 times as fast as the author's default
 *   strategy portfolio, seed 1, 24 evaluated, 24 of them valid, of 24 in the space
 *   results at this size: equal to the reference's
 */
#ifndef HONE_EMITTED_w4_shuffle
#define HONE_EMITTED_w4_shuffle 0x7a943f01u
#if defined(BLOCK) || defined(UNITS) || defined(K) || defined(N)
#error "w4_shuffle: include this header before its parameters or sizes are macros"
#endif

/* What the kernel is compiled with. */
typedef struct w4_shuffle_config {
    int BLOCK, UNITS;
    unsigned block[3]; /* of its launch */
} w4_shuffle_config;
/* A GPU: w4_shuffle_gpu_of makes one, set what is known better; 0 is unknown, and 0 to
 * constraints and launches that read it: cc_major. */
typedef struct w4_shuffle_gpu { int cc_major, cc_minor, sm_count; long long l2_bytes, memory_bytes,
    max_shared_bytes; } w4_shuffle_gpu;
typedef struct { const char *name; w4_shuffle_gpu gpu; const char *provenance; } w4_shuffle_device;
typedef struct { long long K, N; } w4_shuffle_problem;
typedef struct { int device, config; w4_shuffle_problem problem; double predicted_us;
    } w4_shuffle_row;

enum { W4_SHUFFLE_DEFAULT_CONFIG = 1, W4_SHUFFLE_CONFIGS = 2, W4_SHUFFLE_DEVICES = 1,
    W4_SHUFFLE_ROWS = 1 };
static const w4_shuffle_config w4_shuffle_configs[W4_SHUFFLE_CONFIGS] = {
    {32, 8, {32, 1, 1}},
    {256, 4, {256, 1, 1}},
};
static const char *const w4_shuffle_defines[W4_SHUFFLE_CONFIGS] = {
    "-DBLOCK=32 -DUNITS=8",
    "-DBLOCK=256 -DUNITS=4",
};
static const w4_shuffle_device w4_shuffle_devices[W4_SHUFFLE_DEVICES] = {
    {"NVIDIA A100-SXM4-80GB", {8, 0, 108, 41943040, 84825604096LL, 166912},
     "predicted; clock emulated; driver emulator 1, NVRTC 13.0, recorded by hone 0.1.0; template "
             "w4_shuffle.cu, template hash 359d806b3e4b24c6951dad266e0beeda, space hash "
             "e025f9bcd27be7697a2941f11f8ec851, options hash a6b86b64094343ae56dc37e12884696b"},
};
static const w4_shuffle_row w4_shuffle_rows[W4_SHUFFLE_ROWS] = {{0, 0, {4096, 4096}, 13.2502143}};
#if defined(__cplusplus) && __cplusplus >= 201703L /* w4_shuffle_arch<80>.FIELD, one for every cc */
extern "C++" { template <int cc> static constexpr w4_shuffle_config w4_shuffle_arch =
    {32, 8, {32, 1, 1}}; }
#endif
/* As in Lua 5.4: integers wrap, // and % round down; 0 where Lua raises an error. */
static inline long long w4_shuffle_sub(long long a, long long b) {
    return (long long)((unsigned long long)a - (unsigned long long)b);
}
static inline long long w4_shuffle_mul(long long a, long long b) {
    return (long long)((unsigned long long)a * (unsigned long long)b);
}
static inline long long w4_shuffle_neg(long long a) {
    return w4_shuffle_sub(0, a);
}
static inline long long w4_shuffle_max(long long a, long long b) {
    return a < b ? b : a;
}
static inline long long w4_shuffle_floor_mod(long long a, long long b) {
    if (b == 0 || b == -1) return 0;
    return a % b + (a % b != 0 && (a < 0) != (b < 0) ? b : 0);
}
static inline long long w4_shuffle_ceil_div(long long a, long long b) {
    if (b == 0 || b == -1) return b == 0 ? 0 : w4_shuffle_neg(a);
    return a / b + (a % b != 0 && (a < 0) == (b < 0));
}

/* The kernel, by its arguments and their elements: w4_shuffle(input u32 plain[max(1, K * N / 8)],
 *     inout u32 shuffled[max(1, K * N / 8)], scalar i32 K, N). */
/* The launch; shared memory is dynamic. Where CUDA refuses: grid, block 0, bytes ~0. */
static inline void w4_shuffle_grid(const w4_shuffle_config *config, long long K, long long N,
    unsigned grid[3]) {
    grid[0] = grid[1] = grid[2] = 0;
    if (!config) return;
    const long long grid_x =
            w4_shuffle_max(1,
            w4_shuffle_ceil_div(w4_shuffle_mul(K, N), 32 * config->BLOCK * config->UNITS));
    if (grid_x > 2147483647) return;
    grid[0] = (unsigned)grid_x, grid[1] = 1, grid[2] = 1;
}
static inline void w4_shuffle_block(const w4_shuffle_config *config, long long K, long long N,
    unsigned block[3]) {
    (void)K, (void)N;
    for (int i = 0; i < 3; i++) block[i] = config ? config->block[i] : 0;
}
static inline unsigned w4_shuffle_shared_bytes(const w4_shuffle_config *config, long long K,
    long long N) {
    (void)K, (void)N;
    return config ? 0 : ~0u;
}

/* Whether a configuration may run on a GPU and problem it was not measured on. */
static inline int w4_shuffle_fits(int number, const w4_shuffle_gpu *gpu, long long K, long long N)
{
    const w4_shuffle_config *config = &w4_shuffle_configs[number];
    unsigned grid[3];
    if (w4_shuffle_floor_mod(N, 16) != 0) return 0;
    if (w4_shuffle_floor_mod(K, 64) != 0) return 0;
    if (gpu->cc_major < 8) return 0;
    if (K < 0 || K != (int)K || N < 0 || N != (int)N) return 0;
    w4_shuffle_grid(config, K, N, grid);
    if (!grid[0]) return 0;
    return 1;
}

/* Tuned for this size and GPU; another size, SM count, minor version; not near; null. */
enum { W4_SHUFFLE_EXACT, W4_SHUFFLE_SAME_DEVICE, W4_SHUFFLE_SAME_ARCH, W4_SHUFFLE_SAME_FAMILY,
    W4_SHUFFLE_DEFAULT, W4_SHUFFLE_NONE };
/* Limits from the table; max_shared_bytes, for which nothing asks, is 0 elsewhere. */
static inline w4_shuffle_gpu w4_shuffle_gpu_of(int cc_major, int cc_minor, int sm_count) {
    w4_shuffle_gpu gpu = w4_shuffle_devices[0].gpu;
    if (cc_major != gpu.cc_major || cc_minor != gpu.cc_minor) gpu.max_shared_bytes = 0;
    gpu.cc_major = cc_major, gpu.cc_minor = cc_minor, gpu.sm_count = sm_count;
    return gpu;
}

/* The configuration for a GPU and problem, or null; *tier, if not null: how near. */
static inline const w4_shuffle_config *w4_shuffle_select_for(const w4_shuffle_gpu *gpu, long long K,
    long long N, int *tier) {
    int number = gpu->cc_major == 8 ? 0 : W4_SHUFFLE_DEFAULT_CONFIG;
    int answer = K == 4096 && N == 4096 ? W4_SHUFFLE_EXACT : W4_SHUFFLE_SAME_DEVICE;
    if (gpu->sm_count != 108) answer = W4_SHUFFLE_SAME_ARCH;
    if (gpu->cc_minor != 0) answer = W4_SHUFFLE_SAME_FAMILY;
    if (gpu->cc_major != 8) answer = W4_SHUFFLE_DEFAULT;
    if (answer != W4_SHUFFLE_EXACT && !w4_shuffle_fits(number, gpu, K, N)) {
        number = W4_SHUFFLE_CONFIGS - 1 - number;
        answer = w4_shuffle_fits(number, gpu, K, N) ? W4_SHUFFLE_DEFAULT : W4_SHUFFLE_NONE;
    }
    if (tier) *tier = answer;
    return answer == W4_SHUFFLE_NONE ? 0 : &w4_shuffle_configs[number];
}
static inline const w4_shuffle_config *w4_shuffle_select(int cc_major, int cc_minor, int sm_count,
    long long K, long long N, int *tier) {
    const w4_shuffle_gpu gpu = w4_shuffle_gpu_of(cc_major, cc_minor, sm_count);
    return w4_shuffle_select_for(&gpu, K, N, tier);
}
#elif HONE_EMITTED_w4_shuffle != 0x7a943f01u
#error "two headers w4_shuffle that differ: emit one of them with --name"
#endif
