/* Tuned configurations of the kernel softmax. Emitted by hone 0.1.0 (form 3): do not edit.
 * PREDICTED by the emulator's model, not measured (how accurate: docs/emulator.md); clock emulated
 * Valid: emulated, and equal to the reference, within the script's tolerance, at its verify sizes.
 * Selected: the row of this size and GPU (compute capability and SM count); else the nearest row,
 *     however far, of the same major version that fits there; else the author's default
 *     (configuration 1) or any that fits; else null.
 * To launch: softmax_select gives a configuration, softmax_defines[config - softmax_configs] the
 *     options to compile softmax.cu with; softmax_grid, softmax_block, softmax_shared_bytes its
 *     launch; softmax_partials_bytes bytes of partials (0: pass null). C99, C++11, CUDA.
 * Missing: measured times; a look at the results of every row; tuning for other sizes and GPUs; the
 *     kernel's code (--payload).
 * No configuration on compute capability 7.0, 7.5 (tried: sizes of rows, one less (odd), 1 (tiny),
 *     2^30 (huge)), as constraints, arguments or launches forbid: tune such, or expect null.
 * Of problems with LOG = false, OUT = bf16, PAD = false, TYPE = bf16.
 *
 * Device 0: NVIDIA A100-SXM4-80GB (compute capability 8.0, 108 SMs)
 * Row 0, configuration 0: BLOCKS = 0, cols = 512, rows = 65536
 *   76.591 us (predicted); predicted 33.524 times as fast as the author's default
 *   strategy portfolio, seed 1, 60 evaluated, 60 of them valid, of 674892 in the space
 *   results not verified at this size (needs about 53 s of emulation, limit 40 s)
 */
#ifndef HONE_EMITTED_softmax
#define HONE_EMITTED_softmax 0x715d269bu
#if defined(BULK) || defined(CHUNKS) || defined(EVICT) || defined(LOAD) || defined(MIN_BLOCKS) \
    || defined(PREFETCH) || defined(ROWS) || defined(ROW_THREADS) || defined(SPLIT) \
    || defined(STORE) || defined(VEC) || defined(BLOCKS) || defined(cols) || defined(rows) \
    || defined(GROUPS) || defined(STAYING) || defined(RING) || defined(THREADS) \
    || defined(PARTIALS) || defined(STATIC_SHARED) || defined(SMEM)
#error "softmax: include this header before its parameters or sizes are macros"
#endif

/* What the kernel is compiled with. */
typedef struct softmax_config {
    int BULK, CHUNKS, EVICT, LOAD, MIN_BLOCKS, PREFETCH, ROWS, ROW_THREADS, SPLIT, STORE, VEC;
    long long device_sm_count, device_max_shared_bytes, device_shared_bytes_per_sm,
            device_reserved_shared_bytes; /* of the device it was tuned on */
    unsigned block[3]; /* of its launch */
} softmax_config;
/* A GPU: softmax_gpu_of makes one, set what is known better; 0 is unknown, and 0 to
 * constraints and launches that read it: sm_count, max_shared_bytes, shared_bytes_per_sm,
 *     reserved_shared_bytes, cc_major. */
typedef struct softmax_gpu {
    int cc_major, cc_minor, sm_count;
    long long l2_bytes, memory_bytes, max_shared_bytes;
    long long shared_bytes_per_sm, reserved_shared_bytes;
} softmax_gpu;
typedef struct { const char *name; softmax_gpu gpu; const char *provenance; } softmax_device;
typedef struct { long long BLOCKS, cols, rows; } softmax_problem;
typedef struct { int device, config; softmax_problem problem; double predicted_us; } softmax_row;

enum { SOFTMAX_DEFAULT_CONFIG = 1, SOFTMAX_CONFIGS = 2, SOFTMAX_DEVICES = 1, SOFTMAX_ROWS = 1 };
static const softmax_config softmax_configs[SOFTMAX_CONFIGS] = {
    {0, 8, 0, 0, 8, 0, 16, 8, 1, 2, 16, 108, 166912, 167936, 1024, {128, 1, 1}},
    {0, 8, 0, 2, 2, 0, 1, 512, 1, 0, 16, 108, 166912, 167936, 1024, {512, 1, 1}},
};
static const char *const softmax_defines[SOFTMAX_CONFIGS] = {
    ("-DBULK=0 -DCHUNKS=8 -DEVICT=0 -DLOAD=0 -DMIN_BLOCKS=8 -DPREFETCH=0 -DROWS=16 -DROW_THREADS=8 "
            "-DSPLIT=1 -DSTORE=2 -DVEC=16 -DLOG=0 -DOUT=bf16 -DTYPE=bf16"),
    ("-DBULK=0 -DCHUNKS=8 -DEVICT=0 -DLOAD=2 -DMIN_BLOCKS=2 -DPREFETCH=0 -DROWS=1 "
            "-DROW_THREADS=512 -DSPLIT=1 -DSTORE=0 -DVEC=16 -DLOG=0 -DOUT=bf16 -DTYPE=bf16"),
};
static const softmax_device softmax_devices[SOFTMAX_DEVICES] = {
    {"NVIDIA A100-SXM4-80GB", {8, 0, 108, 41943040, 84825604096LL, 166912, 167936, 1024},
     "predicted; clock emulated; driver emulator 1, NVRTC 13.0, recorded by hone 0.1.0; template "
             "softmax.cu, template hash fce094f6d6081d5e15e7a1b0194123a3, space hash "
             "9f851a9465264e2ae539b3001a94c69c, options hash a6b86b64094343ae56dc37e12884696b"},
};
static const softmax_row softmax_rows[SOFTMAX_ROWS] = {{0, 0, {0, 512, 65536}, 76.5909574}};
#if defined(__cplusplus) && __cplusplus >= 201703L /* softmax_arch<80>.FIELD, one for every cc */
extern "C++" { template <int cc> static constexpr softmax_config softmax_arch =
    {0, 8, 0, 0, 8, 0, 16, 8, 1, 2, 16, 108, 166912, 167936, 1024, {128, 1, 1}}; }
#endif
/* As in Lua 5.4: integers wrap; 0 where Lua raises an error. */
static inline long long softmax_add(long long a, long long b) {
    return (long long)((unsigned long long)a + (unsigned long long)b);
}
static inline long long softmax_sub(long long a, long long b) {
    return (long long)((unsigned long long)a - (unsigned long long)b);
}
static inline long long softmax_mul(long long a, long long b) {
    return (long long)((unsigned long long)a * (unsigned long long)b);
}
static inline long long softmax_neg(long long a) {
    return softmax_sub(0, a);
}
static inline long long softmax_min(long long a, long long b) {
    return b < a ? b : a;
}
static inline long long softmax_max(long long a, long long b) {
    return a < b ? b : a;
}
static inline long long softmax_ceil_div(long long a, long long b) {
    if (b == 0 || b == -1) return b == 0 ? 0 : softmax_neg(a);
    return a / b + (a % b != 0 && (a < 0) == (b < 0));
}

/* The kernel, by its arguments and their elements: softmax(input bf16 in[max(1, rows * cols)],
 *     inout bf16 out[max(1, rows * cols)], workspace f32
 *     partials[SPLIT > 1 ? 2 * SPLIT * max(1, rows) : 0], inout u32 counters[rows + 1] (0 before
 *     each launch), scalar i32 rows, cols, i64 in_stride = cols, out_stride = cols, f32 scale). */
/* The launch; shared memory is dynamic. Where CUDA refuses: grid, block 0, bytes ~0. */
static inline void softmax_grid(const softmax_config *config, long long BLOCKS, long long cols,
    long long rows, unsigned grid[3]) {
    (void)cols;
    grid[0] = grid[1] = grid[2] = 0;
    if (!config) return;
    const long long GROUPS = softmax_max(1, rows / config->ROWS + (rows % config->ROWS > 0));
    const long long STAYING =
            softmax_min(BLOCKS > 0 ? BLOCKS
            : softmax_mul(config->MIN_BLOCKS, config->device_sm_count),
            softmax_ceil_div(GROUPS, config->BULK + 1));
    const long long grid_x = softmax_mul(config->BULK > 0 ? STAYING : GROUPS, config->SPLIT);
    if (grid_x < 1 || grid_x > 2147483647) return;
    grid[0] = (unsigned)grid_x, grid[1] = 1, grid[2] = 1;
}
static inline void softmax_block(const softmax_config *config, long long BLOCKS, long long cols,
    long long rows, unsigned block[3]) {
    (void)BLOCKS, (void)cols, (void)rows;
    for (int i = 0; i < 3; i++) block[i] = config ? config->block[i] : 0;
}
static inline unsigned softmax_shared_bytes(const softmax_config *config, long long BLOCKS,
    long long cols, long long rows) {
    (void)BLOCKS, (void)rows;
    if (!config) return ~0u;
    const long long RING =
            softmax_mul(config->BULK,
            softmax_add(softmax_mul(softmax_mul(config->ROWS,
            softmax_ceil_div(softmax_mul(cols, 2), 16)), 16), 8));
    const long long THREADS = config->ROW_THREADS * config->ROWS;
    const long long PARTIALS = config->ROW_THREADS > 32 ? 8 * (THREADS / 32) : 0;
    const long long STATIC_SHARED =
            (config->BULK > 0 ? (PARTIALS + 15) / 16 * 16 : PARTIALS)
            + (config->SPLIT > 1 ? (config->ROW_THREADS > 32 ? 8 : 4) : 0);
    const long long SMEM =
            (softmax_add(RING, STATIC_SHARED) <= config->device_max_shared_bytes
            && softmax_mul(config->MIN_BLOCKS,
            softmax_add(softmax_add(RING, STATIC_SHARED), config->device_reserved_shared_bytes))
            <= config->device_shared_bytes_per_sm) ? RING : 0;
    const long long bytes = SMEM;
    return bytes < 0 || bytes > 2147483647 ? ~0u : (unsigned)bytes;
}
static inline unsigned long long softmax_partials_bytes(const softmax_config *config,
    long long BLOCKS, long long cols, long long rows) {
    (void)BLOCKS, (void)cols;
    if (!config) return ~0ULL;
    const long long size = config->SPLIT > 1 ? softmax_mul(2 * config->SPLIT, softmax_max(1, rows))
            : 0;
    return size < 0 || size > 2305843009213693951 ? ~0ULL : (unsigned long long)size * 4;
}

static const unsigned softmax_static_shared[SOFTMAX_CONFIGS] = {0u, 128u};

/* Whether a configuration may run on a GPU and problem it was not measured on. */
static inline int softmax_fits(int number, const softmax_gpu *gpu, long long BLOCKS, long long cols,
    long long rows) {
    softmax_config here = softmax_configs[number];
    const softmax_config *config = &here;
    unsigned grid[3], shared;
    here.device_sm_count = gpu->sm_count;
    here.device_max_shared_bytes = gpu->max_shared_bytes;
    here.device_shared_bytes_per_sm = gpu->shared_bytes_per_sm;
    here.device_reserved_shared_bytes = gpu->reserved_shared_bytes;
    if (gpu->cc_major < 8) return 0;
    if (config->SPLIT > gpu->sm_count) return 0;
    if (BLOCKS < 0 || cols < 0 || cols != (int)cols || rows < 0 || rows != (int)rows) return 0;
    softmax_grid(config, BLOCKS, cols, rows, grid);
    if (!grid[0]) return 0;
    shared = softmax_shared_bytes(config, BLOCKS, cols, rows);
    if (shared == ~0u) return 0;
    if (gpu->max_shared_bytes
            && (long long)shared + softmax_static_shared[number] > gpu->max_shared_bytes) return 0;
    return 1;
}

/* Tuned for this size and GPU; another size, SM count, minor version; not near; null. */
enum { SOFTMAX_EXACT, SOFTMAX_SAME_DEVICE, SOFTMAX_SAME_ARCH, SOFTMAX_SAME_FAMILY, SOFTMAX_DEFAULT,
    SOFTMAX_NONE };
/* Limits from the table; of other architectures as set below, else the table's least. */
static inline softmax_gpu softmax_gpu_of(int cc_major, int cc_minor, int sm_count) {
    softmax_gpu gpu = softmax_devices[0].gpu;
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
static inline const softmax_config *softmax_select_for(const softmax_gpu *gpu, long long BLOCKS,
    long long cols, long long rows, int *tier) {
    int number = gpu->cc_major == 8 ? 0 : SOFTMAX_DEFAULT_CONFIG;
    int answer = BLOCKS == 0 && cols == 512 && rows == 65536 ? SOFTMAX_EXACT : SOFTMAX_SAME_DEVICE;
    if (gpu->sm_count != 108) answer = SOFTMAX_SAME_ARCH;
    if (gpu->cc_minor != 0) answer = SOFTMAX_SAME_FAMILY;
    if (gpu->cc_major != 8) answer = SOFTMAX_DEFAULT;
    if (answer != SOFTMAX_EXACT && !softmax_fits(number, gpu, BLOCKS, cols, rows)) {
        number = SOFTMAX_CONFIGS - 1 - number;
        answer = softmax_fits(number, gpu, BLOCKS, cols, rows) ? SOFTMAX_DEFAULT : SOFTMAX_NONE;
    }
    if (tier) *tier = answer;
    return answer == SOFTMAX_NONE ? 0 : &softmax_configs[number];
}
static inline const softmax_config *softmax_select(int cc_major, int cc_minor, int sm_count,
    long long BLOCKS, long long cols, long long rows, int *tier) {
    const softmax_gpu gpu = softmax_gpu_of(cc_major, cc_minor, sm_count);
    return softmax_select_for(&gpu, BLOCKS, cols, rows, tier);
}
#elif HONE_EMITTED_softmax != 0x715d269bu
#error "two headers softmax that differ: emit one of them with --name"
#endif
