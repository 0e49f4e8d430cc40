/* Tuned configurations of the kernel nbody. Emitted by hone 0.1.0 (form 3): do not edit.
 * PREDICTED by the emulator's model, not measured (how accurate: docs/emulator.md); clock emulated
 * Valid: emulated, and equal to the reference, within the script's tolerance,
 *     at its verify sizes; 20 of them drawn, as N=300; N=33; N=8.
 * Selected: the row of this size and GPU (compute capability and SM count); else the nearest row,
 *     however far, of the same major version that fits there; else the author's default
 *     (configuration 1) or any that fits; else null.
 * To launch: nbody_select gives a configuration, nbody_defines[config - nbody_configs] the options
 *     to compile nbody.cu with; nbody_grid, nbody_block, nbody_shared_bytes its launch. C99, C++11,
 *     CUDA.
 * Missing: measured times; tuning for other sizes and GPUs; the kernel's code (--payload).
 * Of problems with LAYOUT = aos.
 *
 * Device 0: NVIDIA H100 80GB HBM3 (compute capability 9.0, 132 SMs)
 * Row 0, configuration 0: N = 4096
 *   57.0192 us (predicted); predicted 2.148 times as fast as the author's default
 *   strategy portfolio, seed 1, 60 evaluated, 60 of them valid, of 10944 in the space
 *   results at this size: equal to the reference's
 */
#ifndef HONE_EMITTED_nbody
#define HONE_EMITTED_nbody 0xdbe96381u
#if defined(BLOCK) || defined(BODIES) || defined(MIN_BLOCKS) || defined(PLANES) || defined(SHARED) \
    || defined(TILE) || defined(UNROLL) || defined(VEC) || defined(N)
#error "nbody: include this header before its parameters or sizes are macros"
#endif

/* What the kernel is compiled with. */
typedef struct nbody_config {
    int BLOCK, BODIES, MIN_BLOCKS, PLANES, SHARED, TILE, UNROLL, VEC;
    unsigned block[3]; /* of its launch */
} nbody_config;
/* A GPU: nbody_gpu_of makes one, set what is known better; 0 is unknown. */
typedef struct nbody_gpu { int cc_major, cc_minor, sm_count; long long l2_bytes, memory_bytes,
    max_shared_bytes; } nbody_gpu;
typedef struct { const char *name; nbody_gpu gpu; const char *provenance; } nbody_device;
typedef struct { long long N; } nbody_problem;
typedef struct { int device, config; nbody_problem problem; double predicted_us; } nbody_row;

enum { NBODY_DEFAULT_CONFIG = 1, NBODY_CONFIGS = 2, NBODY_DEVICES = 1, NBODY_ROWS = 1 };
static const nbody_config nbody_configs[NBODY_CONFIGS] = {
    {64, 1, 1, 0, 1, 2048, 32, 1, {64, 1, 1}},
    {128, 2, 4, 0, 1, 512, 8, 1, {128, 1, 1}},
};
static const char *const nbody_defines[NBODY_CONFIGS] = {
    ("-DBLOCK=64 -DBODIES=1 -DMIN_BLOCKS=1 -DPLANES=0 -DSHARED=1 -DTILE=2048 -DUNROLL=32 -DVEC=1 "
            "-DLAYOUT=aos"),
    ("-DBLOCK=128 -DBODIES=2 -DMIN_BLOCKS=4 -DPLANES=0 -DSHARED=1 -DTILE=512 -DUNROLL=8 -DVEC=1 "
            "-DLAYOUT=aos"),
};
static const nbody_device nbody_devices[NBODY_DEVICES] = {
    {"NVIDIA H100 80GB HBM3", {9, 0, 132, 52428800, 84825604096LL, 232448},
     "predicted; clock emulated; driver emulator 1, NVRTC 13.0, recorded by hone 0.1.0; template "
             "nbody.cu, template hash de7779f02c8e7b1c43d84dba11d26b7e, space hash "
             "72547856956d58816d0da7b33b8d6b76, options hash a6b86b64094343ae56dc37e12884696b"},
};
static const nbody_row nbody_rows[NBODY_ROWS] = {{0, 0, {4096}, 57.0191961}};
#if defined(__cplusplus) && __cplusplus >= 201703L /* nbody_arch<80>.FIELD, one for every cc */
extern "C++" { template <int cc> static constexpr nbody_config nbody_arch =
    {64, 1, 1, 0, 1, 2048, 32, 1, {64, 1, 1}}; }
#endif
/* As in Lua 5.4: integers wrap; 0 where Lua raises an error. */
static inline long long nbody_sub(long long a, long long b) {
    return (long long)((unsigned long long)a - (unsigned long long)b);
}
static inline long long nbody_neg(long long a) {
    return nbody_sub(0, a);
}
static inline long long nbody_ceil_div(long long a, long long b) {
    if (b == 0 || b == -1) return b == 0 ? 0 : nbody_neg(a);
    return a / b + (a % b != 0 && (a < 0) == (b < 0));
}

/* The kernel, by its arguments and their elements: nbody(input f32 bodies[4 * N],
 *     output f32 acc[3 * N], scalar i32 N, f32 softening2). */
/* The launch; shared memory is dynamic. Where CUDA refuses: grid, block 0, bytes ~0. */
static inline void nbody_grid(const nbody_config *config, long long N, unsigned grid[3]) {
    grid[0] = grid[1] = grid[2] = 0;
    if (!config) return;
    const long long grid_x = nbody_ceil_div(N, config->BLOCK * config->BODIES);
    if (grid_x < 1 || grid_x > 2147483647) return;
    grid[0] = (unsigned)grid_x, grid[1] = 1, grid[2] = 1;
}
static inline void nbody_block(const nbody_config *config, long long N, unsigned block[3]) {
    (void)N;
    for (int i = 0; i < 3; i++) block[i] = config ? config->block[i] : 0;
}
static inline unsigned nbody_shared_bytes(const nbody_config *config, long long N) {
    (void)N;
    return config ? 0 : ~0u;
}

/* Whether a configuration may run on a problem it was not measured on. */
static inline int nbody_fits(int number, long long N) {
    unsigned grid[3];
    if (N < 0 || N != (int)N) return 0;
    nbody_grid(&nbody_configs[number], N, grid);
    return grid[0] != 0;
}

/* Tuned for this size and GPU; another size, SM count, minor version; not near; null. */
enum { NBODY_EXACT, NBODY_SAME_DEVICE, NBODY_SAME_ARCH, NBODY_SAME_FAMILY, NBODY_DEFAULT,
    NBODY_NONE };
/* Limits from the table; max_shared_bytes, for which nothing asks, is 0 elsewhere. */
static inline nbody_gpu nbody_gpu_of(int cc_major, int cc_minor, int sm_count) {
    nbody_gpu gpu = nbody_devices[0].gpu;
    if (cc_major != gpu.cc_major || cc_minor != gpu.cc_minor) gpu.max_shared_bytes = 0;
    gpu.cc_major = cc_major, gpu.cc_minor = cc_minor, gpu.sm_count = sm_count;
    return gpu;
}

/* The configuration for a GPU and problem, or null; *tier, if not null: how near. */
static inline const nbody_config *nbody_select_for(const nbody_gpu *gpu, long long N, int *tier) {
    int number = gpu->cc_major == 9 ? 0 : NBODY_DEFAULT_CONFIG;
    int answer = N == 4096 ? NBODY_EXACT : NBODY_SAME_DEVICE;
    if (gpu->sm_count != 132) answer = NBODY_SAME_ARCH;
    if (gpu->cc_minor != 0) answer = NBODY_SAME_FAMILY;
    if (gpu->cc_major != 9) answer = NBODY_DEFAULT;
    if (answer != NBODY_EXACT && !nbody_fits(number, N)) {
        number = NBODY_CONFIGS - 1 - number;
        answer = nbody_fits(number, N) ? NBODY_DEFAULT : NBODY_NONE;
    }
    if (tier) *tier = answer;
    return answer == NBODY_NONE ? 0 : &nbody_configs[number];
}
static inline const nbody_config *nbody_select(int cc_major, int cc_minor, int sm_count,
    long long N, int *tier) {
    const nbody_gpu gpu = nbody_gpu_of(cc_major, cc_minor, sm_count);
    return nbody_select_for(&gpu, N, tier);
}
#elif HONE_EMITTED_nbody != 0xdbe96381u
#error "two headers nbody that differ: emit one of them with --name"
#endif
