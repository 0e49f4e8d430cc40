/* Tuned configurations of the kernel odd kernel<float>. Emitted by hone 0.1.0 (form 3): do not
 *     edit.
 * MEASURED: times are medians of n launches; clock event
 * Valid: built, and run; whether results were verified, no journal recorded.
 * Selected: the row of this size and GPU (compute capability and SM count); else the nearest row,
 *     however far, of the same major version that fits there; else the first row's (configuration
 *     0); else null.
 * To launch: ODD_select gives a configuration, ODD_defines[config - ODD_configs] the options to
 *     compile ? ?/ with and those of the script's defines, which no journal recorded; ODD_grid,
 *     ODD_block, ODD_shared_bytes its launch. C99, C++11, CUDA.
 * Missing: a look at the results of every row; tuning for other sizes and GPUs; the kernel's code
 *     (--payload).
 * Of problems with kind = "a*%2Fb", on = true.
 *
 * Device 0: GPU "X" * / ? ?/ / * _ _ é (compute capability 7.0, 80 SMs)
 * Row 0, configuration 0: block = 3, tier = 2.5
 *   1.5 us, sustained, 1.25 us with warm caches, n 7
 *   strategy * / int x; / *, seed 18446744073709551615, 2 evaluated, 2 of them valid
 */
#ifndef HONE_EMITTED_ODD
#define HONE_EMITTED_ODD 0x33934428u
#if defined(config) || defined(grid) || defined(EXACT) || defined(ROW) \
    || defined(block_of_problem) || defined(tier_of_problem)
#error "ODD: include this header before its parameters or sizes are macros"
#endif

/* What the kernel is compiled with. */
typedef struct ODD_config {
    long long config;
    double grid;
    const char *EXACT;
    int ROW;
    long long device_warp_size; /* of the device it was tuned on */
    unsigned shared_bytes; /* of its launch */
} ODD_config;
/* A GPU: ODD_gpu_of makes one, set what is known better; 0 is unknown, and 0 to
 * constraints and launches that read it: warp_size. */
typedef struct ODD_gpu { int cc_major, cc_minor, sm_count; long long l2_bytes, memory_bytes,
    max_shared_bytes; long long warp_size; } ODD_gpu;
typedef struct { const char *name; ODD_gpu gpu; const char *provenance; } ODD_device;
typedef struct { long long block_of_problem; double tier_of_problem; } ODD_problem;
typedef struct { int device, config; ODD_problem problem; double time_us; } ODD_row;

enum { ODD_DEFAULT_CONFIG = 0, ODD_CONFIGS = 1, ODD_DEVICES = 1, ODD_ROWS = 1 };
static const ODD_config ODD_configs[ODD_CONFIGS] = {
    {1, 1.0, "unsigned long", 0, 32, 4},
};
static const char *const ODD_defines[ODD_CONFIGS] = {
    "-Dconfig=1 -Dgrid=1 '-DEXACT=unsigned long' -DROW=0",
};
static const ODD_device ODD_devices[ODD_DEVICES] = {
    {"GPU \042X\042 */ \077\077/ /* \134 \012 \303\251", {7, 0, 80, 0, 0, 98304, 32},
     "measured; clock event; template \077\077/"},
};
static const ODD_row ODD_rows[ODD_ROWS] = {{0, 0, {3, 2.5}, 1.5}};
#if defined(__cplusplus) && __cplusplus >= 201703L /* ODD_arch<80>.FIELD, one for every cc */
extern "C++" { template <int cc> static constexpr ODD_config ODD_arch =
    {1, 1.0, "unsigned long", 0, 32, 4}; }
#endif
/* As in Lua 5.4: integers wrap; 0 where Lua raises an error. */
static inline long long ODD_mul(long long a, long long b) {
    return (long long)((unsigned long long)a * (unsigned long long)b);
}
static inline int ODD_in_range(double f) {
    return f >= -9223372036854775808.0 && f < 9223372036854775808.0;
}
static inline long long ODD_to_int(double f) {
    return ODD_in_range(f) && (double)(long long)f == f ? (long long)f : 0;
}

/* The launch; shared memory is dynamic. Where CUDA refuses: grid, block 0, bytes ~0. */
static inline void ODD_grid(const ODD_config *config, long long block_of_problem,
    double tier_of_problem, unsigned grid[3]) {
    grid[0] = grid[1] = grid[2] = 0;
    if (!config) return;
    const long long grid_x = ODD_mul(block_of_problem, config->config);
    const long long grid_y = ODD_to_int(tier_of_problem * (double)2);
    if (grid_x < 1 || grid_x > 2147483647 || grid_y < 1 || grid_y > 65535) return;
    grid[0] = (unsigned)grid_x, grid[1] = (unsigned)grid_y, grid[2] = 1;
}
static inline void ODD_block(const ODD_config *config, long long block_of_problem,
    double tier_of_problem, unsigned block[3]) {
    (void)block_of_problem, (void)tier_of_problem;
    block[0] = block[1] = block[2] = 0;
    if (!config) return;
    if (config->device_warp_size < 1 || config->device_warp_size > 1024
            || config->device_warp_size * 2 > 1024) return;
    block[0] = (unsigned)config->device_warp_size, block[1] = 1, block[2] = 2;
}
static inline unsigned ODD_shared_bytes(const ODD_config *config, long long block_of_problem,
    double tier_of_problem) {
    (void)block_of_problem, (void)tier_of_problem;
    return config ? config->shared_bytes : ~0u;
}

/* Whether a configuration may run on a GPU and problem it was not measured on. */
static inline int ODD_fits(int number, const ODD_gpu *gpu, long long block_of_problem,
    double tier_of_problem) {
    ODD_config here = ODD_configs[number];
    const ODD_config *config = &here;
    unsigned grid[3], block[3];
    here.device_warp_size = gpu->warp_size;
    if (block_of_problem < 0) return 0;
    ODD_grid(config, block_of_problem, tier_of_problem, grid);
    if (!grid[0]) return 0;
    ODD_block(config, block_of_problem, tier_of_problem, block);
    if (!block[0]) return 0;
    return 1;
}

/* Tuned for this size and GPU; another size, SM count, minor version; not near; null. */
enum { ODD_EXACT, ODD_SAME_DEVICE, ODD_SAME_ARCH, ODD_SAME_FAMILY, ODD_DEFAULT, ODD_NONE };
/* Limits from the table; max_shared_bytes, for which nothing asks, is 0 elsewhere. */
static inline ODD_gpu ODD_gpu_of(int cc_major, int cc_minor, int sm_count) {
    ODD_gpu gpu = ODD_devices[0].gpu;
    if (cc_major != gpu.cc_major || cc_minor != gpu.cc_minor) gpu.max_shared_bytes = 0;
    gpu.cc_major = cc_major, gpu.cc_minor = cc_minor, gpu.sm_count = sm_count;
    return gpu;
}

/* The configuration for a GPU and problem, or null; *tier, if not null: how near. */
static inline const ODD_config *ODD_select_for(const ODD_gpu *gpu, long long block_of_problem,
    double tier_of_problem, int *tier) {
    int number = gpu->cc_major == 7 ? 0 : ODD_DEFAULT_CONFIG;
    int answer = block_of_problem == 3 && tier_of_problem == 2.5 ? ODD_EXACT : ODD_SAME_DEVICE;
    if (gpu->sm_count != 80) answer = ODD_SAME_ARCH;
    if (gpu->cc_minor != 0) answer = ODD_SAME_FAMILY;
    if (gpu->cc_major != 7) answer = ODD_DEFAULT;
    if (answer != ODD_EXACT && !ODD_fits(number, gpu, block_of_problem, tier_of_problem)) {
        number = ODD_CONFIGS - 1 - number;
        answer = ODD_fits(number, gpu, block_of_problem, tier_of_problem) ? ODD_DEFAULT : ODD_NONE;
    }
    if (tier) *tier = answer;
    return answer == ODD_NONE ? 0 : &ODD_configs[number];
}
static inline const ODD_config *ODD_select(int cc_major, int cc_minor, int sm_count,
    long long block_of_problem, double tier_of_problem, int *tier) {
    const ODD_gpu gpu = ODD_gpu_of(cc_major, cc_minor, sm_count);
    return ODD_select_for(&gpu, block_of_problem, tier_of_problem, tier);
}
#elif HONE_EMITTED_ODD != 0x33934428u
#error "two headers ODD that differ: emit one of them with --name"
#endif
