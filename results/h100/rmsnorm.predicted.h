/* Tuned configurations of the kernel rmsnorm. Emitted by hone 0.1.0 (form 3): do not edit.
 * PREDICTED by the emulator's model, not measured (how accurate: docs/emulator.md); clock emulated
 * Valid: emulated, and equal to the reference, within the script's tolerance, at its verify sizes.
 * Selected: the row of this size and GPU (compute capability and SM count); else the nearest row,
 *     however far, of the same major version that fits there; else the author's default
 *     (configuration 1) or any that fits; else null.
 * To launch: rmsnorm_select gives a configuration, rmsnorm_defines[config - rmsnorm_configs] the
 *     options to compile rmsnorm.cu with; rmsnorm_grid, rmsnorm_block, rmsnorm_shared_bytes its
 *     launch. C99, C++11, CUDA.
 * Missing: measured times; a look at the results of every row; tuning for other sizes and GPUs; the
 *     kernel's code (--payload).
 * No configuration on compute capability 7.0, 7.5 (tried: sizes of rows, one less (odd), 1 (tiny),
 *     2^30 (huge)), as constraints, arguments or launches forbid: tune such, or expect null.
 * Of problems with OUT = bf16, PAD = false, QUANT = none, RESIDUAL = false, TYPE = bf16.
 *
 * Device 0: NVIDIA H100 80GB HBM3 (compute capability 9.0, 132 SMs)
 * Row 0, configuration 0: BLOCKS = 0, cols = 4096, rows = 8192
 *   45.3407 us (predicted); predicted 1.528 times as fast as the author's default
 *   strategy portfolio, seed 1, 60 evaluated, 60 of them valid, of 300690 in the space
 */
#ifndef HONE_EMITTED_rmsnorm
#define HONE_EMITTED_rmsnorm 0xc1cc4b64u
#if defined(BULK) || defined(CHUNKS) || defined(EVICT) || defined(LOAD) || defined(MIN_BLOCKS) \
    || defined(PREFETCH) || defined(ROWS) || defined(ROW_THREADS) || defined(STORE) \
    || defined(VEC) || defined(BLOCKS) || defined(cols) || defined(rows) || defined(GROUPS) \
    || defined(STAYING) || defined(RING) || defined(THREADS) || defined(PARTIALS) \
    || defined(STATIC_SHARED) || defined(SMEM)
#error "rmsnorm: include this header before its parameters or sizes are macros"
#endif

/* What the kernel is compiled with. */
typedef struct rmsnorm_config {
    int BULK, CHUNKS, EVICT, LOAD, MIN_BLOCKS, PREFETCH, ROWS, ROW_THREADS, STORE, VEC;
    long long device_sm_count, device_max_shared_bytes, device_shared_bytes_per_sm,
            device_reserved_shared_bytes; /* of the device it was tuned on */
    unsigned block[3]; /* of its launch */
} rmsnorm_config;
/* A GPU: rmsnorm_gpu_of makes one, set what is known better; 0 is unknown, and 0 to
 * constraints and launches that read it: sm_count, max_shared_bytes, shared_bytes_per_sm,
 *     reserved_shared_bytes, cc_major. */
typedef struct rmsnorm_gpu {
    int cc_major, cc_minor, sm_count;
    long long l2_bytes, memory_bytes, max_shared_bytes;
    long long shared_bytes_per_sm, reserved_shared_bytes;
} rmsnorm_gpu;
typedef struct { const char *name; rmsnorm_gpu gpu; const char *provenance; } rmsnorm_device;
typedef struct { long long BLOCKS, cols, rows; } rmsnorm_problem;
typedef struct { int device, config; rmsnorm_problem problem; double predicted_us; } rmsnorm_row;

enum { RMSNORM_DEFAULT_CONFIG = 1, RMSNORM_CONFIGS = 2, RMSNORM_DEVICES = 1, RMSNORM_ROWS = 1 };
static const rmsnorm_config rmsnorm_configs[RMSNORM_CONFIGS] = {
    {3, 6, 0, 2, 1, 0, 32, 8, 0, 16, 132, 232448, 233472, 1024, {256, 1, 1}},
    {0, 2, 0, 2, 4, 0, 1, 256, 0, 16, 132, 232448, 233472, 1024, {256, 1, 1}},
};
static const char *const rmsnorm_defines[RMSNORM_CONFIGS] = {
    ("-DBULK=3 -DCHUNKS=6 -DEVICT=0 -DLOAD=2 -DMIN_BLOCKS=1 -DPREFETCH=0 -DROWS=32 -DROW_THREADS=8 "
            "-DSTORE=0 -DVEC=16 -DOUT=bf16 -DQUANT=none -DRESIDUAL=0 -DTYPE=bf16"),
    ("-DBULK=0 -DCHUNKS=2 -DEVICT=0 -DLOAD=2 -DMIN_BLOCKS=4 -DPREFETCH=0 -DROWS=1 "
            "-DROW_THREADS=256 -DSTORE=0 -DVEC=16 -DOUT=bf16 -DQUANT=none -DRESIDUAL=0 "
            "-DTYPE=bf16"),
};
static const rmsnorm_device rmsnorm_devices[RMSNORM_DEVICES] = {
    {"NVIDIA H100 80GB HBM3", {9, 0, 132, 52428800, 84825604096LL, 232448, 233472, 1024},
     "predicted; clock emulated; driver emulator 1, NVRTC 13.0, recorded by hone 0.1.0; template "
             "rmsnorm.cu, template hash 66f91e9278be9886f0108290db2fe0e4, space hash "
             "05ed438cd1884231b033bb4ba5a94356, options hash a6b86b64094343ae56dc37e12884696b"},
};
static const rmsnorm_row rmsnorm_rows[RMSNORM_ROWS] = {{0, 0, {0, 4096, 8192}, 45.340736}};
#if defined(__cplusplus) && __cplusplus >= 201703L /* rmsnorm_arch<80>.FIELD, one for every cc */
extern "C++" { template <int cc> static constexpr rmsnorm_config rmsnorm_arch =
    {3, 6, 0, 2, 1, 0, 32, 8, 0, 16, 132, 232448, 233472, 1024, {256, 1, 1}}; }
#endif
/* As in Lua 5.4: integers wrap; 0 where Lua raises an error. */
static inline long long rmsnorm_add(long long a, long long b) {
    return (long long)((unsigned long long)a + (unsigned long long)b);
}
static inline long long rmsnorm_sub(long long a, long long b) {
    return (long long)((unsigned long long)a - (unsigned long long)b);
}
static inline long long rmsnorm_mul(long long a, long long b) {
    return (long long)((unsigned long long)a * (unsigned long long)b);
}
static inline long long rmsnorm_neg(long long a) {
    return rmsnorm_sub(0, a);
}
static inline long long rmsnorm_min(long long a, long long b) {
    return b < a ? b : a;
}
static inline long long rmsnorm_max(long long a, long long b) {
    return a < b ? b : a;
}
static inline long long rmsnorm_ceil_div(long long a, long long b) {
    if (b == 0 || b == -1) return b == 0 ? 0 : rmsnorm_neg(a);
    return a / b + (a % b != 0 && (a < 0) == (b < 0));
}

/* The kernel, by its arguments and their elements: rmsnorm(input bf16 in[max(1, rows * cols)],
 *     inout bf16 residual[1], input bf16 weight[max(1, cols)], inout bf16 out[max(1, rows * cols)],
 *     f32 scales[1], scalar i32 rows, cols, i64 in_stride = cols, out_stride = cols, f32 eps,
 *     scale). */
/* The launch; shared memory is dynamic. Where CUDA refuses: grid, block 0, bytes ~0. */
static inline void rmsnorm_grid(const rmsnorm_config *config, long long BLOCKS, long long cols,
    long long rows, unsigned grid[3]) {
    (void)cols;
    grid[0] = grid[1] = grid[2] = 0;
    if (!config) return;
    const long long GROUPS = rmsnorm_max(1, rows / config->ROWS + (rows % config->ROWS > 0));
    const long long STAYING =
            rmsnorm_min(BLOCKS > 0 ? BLOCKS
            : rmsnorm_mul(config->MIN_BLOCKS, config->device_sm_count),
            rmsnorm_ceil_div(GROUPS, config->BULK + 1));
    const long long grid_x = config->BULK > 0 ? STAYING : GROUPS;
    if (grid_x < 1 || grid_x > 2147483647) return;
    grid[0] = (unsigned)grid_x, grid[1] = 1, grid[2] = 1;
}
static inline void rmsnorm_block(const rmsnorm_config *config, long long BLOCKS, long long cols,
    long long rows, unsigned block[3]) {
    (void)BLOCKS, (void)cols, (void)rows;
    for (int i = 0; i < 3; i++) block[i] = config ? config->block[i] : 0;
}
static inline unsigned rmsnorm_shared_bytes(const rmsnorm_config *config, long long BLOCKS,
    long long cols, long long rows) {
    (void)BLOCKS, (void)rows;
    if (!config) return ~0u;
    const long long RING =
            rmsnorm_mul(config->BULK,
            rmsnorm_add(rmsnorm_mul(rmsnorm_mul(config->ROWS,
            rmsnorm_ceil_div(rmsnorm_mul(cols, 2), 16)), 16), 8));
    const long long THREADS = config->ROW_THREADS * config->ROWS;
    const long long PARTIALS = config->ROW_THREADS > 32 ? 4 * (THREADS / 32) : 0;
    const long long STATIC_SHARED = config->BULK > 0 ? (PARTIALS + 15) / 16 * 16 : PARTIALS;
    const long long SMEM =
            (rmsnorm_add(RING, STATIC_SHARED) <= config->device_max_shared_bytes
            && rmsnorm_mul(config->MIN_BLOCKS,
            rmsnorm_add(rmsnorm_add(RING, STATIC_SHARED), config->device_reserved_shared_bytes))
            <= config->device_shared_bytes_per_sm) ? RING : 0;
    const long long bytes = SMEM;
    return bytes < 0 || bytes > 2147483647 ? ~0u : (unsigned)bytes;
}

static const unsigned rmsnorm_static_shared[RMSNORM_CONFIGS] = {0u, 32u};

/* Whether a configuration may run on a GPU and problem it was not measured on. */
static inline int rmsnorm_fits(int number, const rmsnorm_gpu *gpu, long long BLOCKS, long long cols,
    long long rows) {
    rmsnorm_config here = rmsnorm_configs[number];
    const rmsnorm_config *config = &here;
    unsigned grid[3], shared;
    here.device_sm_count = gpu->sm_count;
    here.device_max_shared_bytes = gpu->max_shared_bytes;
    here.device_shared_bytes_per_sm = gpu->shared_bytes_per_sm;
    here.device_reserved_shared_bytes = gpu->reserved_shared_bytes;
    if (gpu->cc_major < 8) return 0;
    if (config->BULK != 0
            && (gpu->cc_major < 9 || config->LOAD != 2 || config->PREFETCH != 0
            || config->EVICT != 0)) return 0;
    if (BLOCKS < 0 || cols < 0 || cols != (int)cols || rows < 0 || rows != (int)rows) return 0;
    rmsnorm_grid(config, BLOCKS, cols, rows, grid);
    if (!grid[0]) return 0;
    shared = rmsnorm_shared_bytes(config, BLOCKS, cols, rows);
    if (shared == ~0u) return 0;
    if (gpu->max_shared_bytes
            && (long long)shared + rmsnorm_static_shared[number] > gpu->max_shared_bytes) return 0;
    return 1;
}

/* Tuned for this size and GPU; another size, SM count, minor version; not near; null. */
enum { RMSNORM_EXACT, RMSNORM_SAME_DEVICE, RMSNORM_SAME_ARCH, RMSNORM_SAME_FAMILY, RMSNORM_DEFAULT,
    RMSNORM_NONE };
/* Limits from the table; of other architectures as set below, else the table's least. */
static inline rmsnorm_gpu rmsnorm_gpu_of(int cc_major, int cc_minor, int sm_count) {
    rmsnorm_gpu gpu = rmsnorm_devices[0].gpu;
    const long long cc = cc_minor >= 0 && cc_minor < 10 ? cc_major * 10LL + cc_minor : 0;
    if (cc_major != gpu.cc_major || cc_minor != gpu.cc_minor) {
        switch (cc) {
        case 70: case 72:
            gpu.max_shared_bytes = 98304; gpu.shared_bytes_per_sm = 98304;
                    gpu.reserved_shared_bytes = 0; break;
        case 75:
            gpu.max_shared_bytes = 65536; gpu.shared_bytes_per_sm = 65536;
                    gpu.reserved_shared_bytes = 0; break;
        case 80: case 87:
            gpu.max_shared_bytes = 166912; gpu.shared_bytes_per_sm = 167936;
                    gpu.reserved_shared_bytes = 1024; break;
        case 86: case 89: case 120: case 121:
            gpu.max_shared_bytes = 101376; gpu.shared_bytes_per_sm = 102400;
                    gpu.reserved_shared_bytes = 1024; break;
        case 90: case 100: case 103: case 110:
            gpu.max_shared_bytes = 232448; gpu.shared_bytes_per_sm = 233472;
                    gpu.reserved_shared_bytes = 1024; break;
        default:
            gpu.max_shared_bytes = 49152; gpu.shared_bytes_per_sm = 65536;
                    gpu.reserved_shared_bytes = 1024; break;
        }
    }
    gpu.cc_major = cc_major, gpu.cc_minor = cc_minor, gpu.sm_count = sm_count;
    return gpu;
}

/* The configuration for a GPU and problem, or null; *tier, if not null: how near. */
static inline const rmsnorm_config *rmsnorm_select_for(const rmsnorm_gpu *gpu, long long BLOCKS,
    long long cols, long long rows, int *tier) {
    int number = gpu->cc_major == 9 ? 0 : RMSNORM_DEFAULT_CONFIG;
    int answer = BLOCKS == 0 && cols == 4096 && rows == 8192 ? RMSNORM_EXACT : RMSNORM_SAME_DEVICE;
    if (gpu->sm_count != 132) answer = RMSNORM_SAME_ARCH;
    if (gpu->cc_minor != 0) answer = RMSNORM_SAME_FAMILY;
    if (gpu->cc_major != 9) answer = RMSNORM_DEFAULT;
    if (answer != RMSNORM_EXACT && !rmsnorm_fits(number, gpu, BLOCKS, cols, rows)) {
        number = RMSNORM_CONFIGS - 1 - number;
        answer = rmsnorm_fits(number, gpu, BLOCKS, cols, rows) ? RMSNORM_DEFAULT : RMSNORM_NONE;
    }
    if (tier) *tier = answer;
    return answer == RMSNORM_NONE ? 0 : &rmsnorm_configs[number];
}
static inline const rmsnorm_config *rmsnorm_select(int cc_major, int cc_minor, int sm_count,
    long long BLOCKS, long long cols, long long rows, int *tier) {
    const rmsnorm_gpu gpu = rmsnorm_gpu_of(cc_major, cc_minor, sm_count);
    return rmsnorm_select_for(&gpu, BLOCKS, cols, rows, tier);
}
#elif HONE_EMITTED_rmsnorm != 0xc1cc4b64u
#error "two headers rmsnorm that differ: emit one of them with --name"
#endif
