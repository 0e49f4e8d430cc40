/* Tuned configurations of the kernel convolution. Emitted by hone 0.1.0 (form 3): do not edit.
 * PREDICTED by the emulator's model, not measured (how accurate: docs/emulator.md); clock emulated
 * Valid: emulated, and equal to the reference, within the script's tolerance, at its verify sizes.
 * Selected: the row of this size and GPU (compute capability and SM count); else the nearest row,
 *     however far, of the same major version that fits there; else the author's default
 *     (configuration 1) or any that fits; else null.
 * To launch: convolution_select gives a configuration,
 *     convolution_defines[config - convolution_configs] the options to compile convolution.cu with;
 *     convolution_grid, convolution_block, convolution_shared_bytes its launch. C99, C++11, CUDA.
 * Missing: measured times; tuning for other sizes and GPUs; the kernel's code (--payload).
 * No configuration for height huge (tried: sizes of rows, one less (odd), 1 (tiny), 2^30 (huge)),
 *     as constraints, arguments or launches forbid: tune such, or expect null.
 *
 * Device 0: NVIDIA A100-SXM4-80GB (compute capability 8.0, 108 SMs)
 * Row 0, configuration 0: height = 1080, width = 1920
 *   49.5063 us (predicted); predicted 1.403 times as fast as the author's default
 *   strategy portfolio, seed 1, 60 evaluated, 60 of them valid, of 4362 in the space
 *   results at this size: equal to the reference's
 */
#ifndef HONE_EMITTED_convolution
#define HONE_EMITTED_convolution 0x8c6a91abu
#if defined(block_size_x) || defined(block_size_y) || defined(filter_height) \
    || defined(filter_width) || defined(read_only) || defined(tile_size_x) || defined(tile_size_y) \
    || defined(use_cmem) || defined(use_padding) || defined(use_shmem) || defined(height) \
    || defined(width) || defined(OUT_WIDTH) || defined(OUT_HEIGHT)
#error "convolution: include this header before its parameters or sizes are macros"
#endif

/* What the kernel is compiled with. */
typedef struct convolution_config {
    int block_size_x, block_size_y, filter_height, filter_width, read_only, tile_size_x,
            tile_size_y, use_cmem, use_padding, use_shmem;
    unsigned block[3], shared_bytes; /* of its launch */
} convolution_config;
/* A GPU: convolution_gpu_of makes one, set what is known better; 0 is unknown. */
typedef struct convolution_gpu { int cc_major, cc_minor, sm_count; long long l2_bytes, memory_bytes,
    max_shared_bytes; } convolution_gpu;
typedef struct { const char *name; convolution_gpu gpu; const char *provenance;
    } convolution_device;
typedef struct { long long height, width; } convolution_problem;
typedef struct { int device, config; convolution_problem problem; double predicted_us;
    } convolution_row;

enum { CONVOLUTION_DEFAULT_CONFIG = 1, CONVOLUTION_CONFIGS = 2, CONVOLUTION_DEVICES = 1,
    CONVOLUTION_ROWS = 1 };
static const convolution_config convolution_configs[CONVOLUTION_CONFIGS] = {
    {80, 2, 15, 15, 0, 1, 3, 1, 1, 1, {80, 2, 1}, 8960},
    {32, 4, 15, 15, 1, 1, 3, 1, 0, 1, {32, 4, 1}, 4784},
};
static const char *const convolution_defines[CONVOLUTION_CONFIGS] = {
    ("-Dblock_size_x=80 -Dblock_size_y=2 -Dfilter_height=15 -Dfilter_width=15 -Dread_only=0 "
            "-Dtile_size_x=1 -Dtile_size_y=3 -Duse_cmem=1 -Duse_padding=1 -Duse_shmem=1"),
    ("-Dblock_size_x=32 -Dblock_size_y=4 -Dfilter_height=15 -Dfilter_width=15 -Dread_only=1 "
            "-Dtile_size_x=1 -Dtile_size_y=3 -Duse_cmem=1 -Duse_padding=0 -Duse_shmem=1"),
};
static const convolution_device convolution_devices[CONVOLUTION_DEVICES] = {
    {"NVIDIA A100-SXM4-80GB", {8, 0, 108, 41943040, 84825604096LL, 166912},
     "predicted; clock emulated; driver emulator 1, NVRTC 13.0, recorded by hone 0.1.0; template "
             "convolution.cu, template hash c70e403f3f697ab4a85dd41a9d8a3904, space hash "
             "580930a604b7af658431aa4060f66b46, options hash a6b86b64094343ae56dc37e12884696b"},
};
static const convolution_row convolution_rows[CONVOLUTION_ROWS] =
    {{0, 0, {1080, 1920}, 49.5062994}};
#if defined(__cplusplus) \
    && __cplusplus >= 201703L /* convolution_arch<80>.FIELD, one for every cc */
extern "C++" { template <int cc> static constexpr convolution_config convolution_arch =
    {80, 2, 15, 15, 0, 1, 3, 1, 1, 1, {80, 2, 1}, 8960}; }
#endif
/* The kernel, by its arguments and their elements: convolution(input f32
 *     input[(width + 14) * (height + 14)], constant f32 filter[225], output f32
 *     output[width * height], scalar i32 width, height). */
/* The launch; shared memory is dynamic. Where CUDA refuses: grid, block 0, bytes ~0. */
static inline void convolution_grid(const convolution_config *config, long long height,
    long long width, unsigned grid[3]) {
    grid[0] = grid[1] = grid[2] = 0;
    if (!config) return;
    const long long OUT_WIDTH = config->block_size_x * config->tile_size_x;
    const long long OUT_HEIGHT = config->block_size_y * config->tile_size_y;
    const long long grid_x = width / OUT_WIDTH + (width % OUT_WIDTH > 0);
    const long long grid_y = height / OUT_HEIGHT + (height % OUT_HEIGHT > 0);
    if (grid_x < 1 || grid_x > 2147483647 || grid_y < 1 || grid_y > 65535) return;
    grid[0] = (unsigned)grid_x, grid[1] = (unsigned)grid_y, grid[2] = 1;
}
static inline void convolution_block(const convolution_config *config, long long height,
    long long width, unsigned block[3]) {
    (void)height, (void)width;
    for (int i = 0; i < 3; i++) block[i] = config ? config->block[i] : 0;
}
static inline unsigned convolution_shared_bytes(const convolution_config *config, long long height,
    long long width) {
    (void)height, (void)width;
    return config ? config->shared_bytes : ~0u;
}

/* Whether a configuration may run on a problem it was not measured on. */
static inline int convolution_fits(int number, long long height, long long width) {
    unsigned grid[3];
    if (height < 0 || height != (int)height || width < 0 || width != (int)width) return 0;
    convolution_grid(&convolution_configs[number], height, width, grid);
    return grid[0] != 0;
}

/* Tuned for this size and GPU; another size, SM count, minor version; not near; null. */
enum { CONVOLUTION_EXACT, CONVOLUTION_SAME_DEVICE, CONVOLUTION_SAME_ARCH, CONVOLUTION_SAME_FAMILY,
    CONVOLUTION_DEFAULT, CONVOLUTION_NONE };
/* Limits from the table; max_shared_bytes, for which nothing asks, is 0 elsewhere. */
static inline convolution_gpu convolution_gpu_of(int cc_major, int cc_minor, int sm_count) {
    convolution_gpu gpu = convolution_devices[0].gpu;
    if (cc_major != gpu.cc_major || cc_minor != gpu.cc_minor) gpu.max_shared_bytes = 0;
    gpu.cc_major = cc_major, gpu.cc_minor = cc_minor, gpu.sm_count = sm_count;
    return gpu;
}

/* The configuration for a GPU and problem, or null; *tier, if not null: how near. */
static inline const convolution_config *convolution_select_for(const convolution_gpu *gpu,
    long long height, long long width, int *tier) {
    int number = gpu->cc_major == 8 ? 0 : CONVOLUTION_DEFAULT_CONFIG;
    int answer = height == 1080 && width == 1920 ? CONVOLUTION_EXACT : CONVOLUTION_SAME_DEVICE;
    if (gpu->sm_count != 108) answer = CONVOLUTION_SAME_ARCH;
    if (gpu->cc_minor != 0) answer = CONVOLUTION_SAME_FAMILY;
    if (gpu->cc_major != 8) answer = CONVOLUTION_DEFAULT;
    if (answer != CONVOLUTION_EXACT && !convolution_fits(number, height, width)) {
        number = CONVOLUTION_CONFIGS - 1 - number;
        answer = convolution_fits(number, height, width) ? CONVOLUTION_DEFAULT : CONVOLUTION_NONE;
    }
    if (tier) *tier = answer;
    return answer == CONVOLUTION_NONE ? 0 : &convolution_configs[number];
}
static inline const convolution_config *convolution_select(int cc_major, int cc_minor, int sm_count,
    long long height, long long width, int *tier) {
    const convolution_gpu gpu = convolution_gpu_of(cc_major, cc_minor, sm_count);
    return convolution_select_for(&gpu, height, width, tier);
}
#elif HONE_EMITTED_convolution != 0x8c6a91abu
#error "two headers convolution that differ: emit one of them with --name"
#endif
