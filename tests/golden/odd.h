/* Tuned configurations of the kernel odd kernel<float>. Emitted by hone 0.1.0 (form 3): do not
 *     edit.
 *
 * MEASURED: times are medians of n launches; clock event
 *
 * ODD_select gives the configuration for a GPU and problem,
 * ODD_grid, ODD_block and ODD_shared_bytes its launch.
 * All functions are static: there is nothing to link. C99, C++11 or later, CUDA.
 *
 * Of problems with kind = a* /b, on = true.
 *
 * Device 0: GPU "X" * / ? ?/ / * _ _ é (compute capability 7.0, 80 SMs)
 *   template ? ?/
 * Row 0, configuration 0: block = 3, tier = 2.5
 *   1.5 us, sustained, 1.25 us with warm caches, n 7
 *   strategy * / int x; / *, seed 18446744073709551615, 2 evaluated, 2 of them valid
 */
#ifndef HONE_EMITTED_ODD
#define HONE_EMITTED_ODD 0x80ba4c61u

#if defined(config) || defined(grid) || defined(EXACT) || defined(ROW) \
    || defined(block_of_problem) || defined(tier_of_problem) || defined(sm)
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

typedef struct ODD_problem {
    long long block_of_problem;
    double tier_of_problem;
} ODD_problem;

/* A GPU. Let ODD_gpu_of make one and set what is known better, as
 * cuDeviceGetAttribute and cuDeviceTotalMem tell; max_shared_bytes are those a block
 * may have with opt-in. */
typedef struct ODD_gpu {
    int cc_major, cc_minor, sm_count; /* 0 where a journal lacks them */
    long long l2_bytes, memory_bytes, max_shared_bytes;
    long long warp_size;
} ODD_gpu;

/* A device of the journals, and its groups of rows. */
typedef struct ODD_device {
    const char *name;
    ODD_gpu gpu;
    int first, count;
    const char *provenance; /* where its rows come from */
} ODD_device;

/* What was tuned, and the number of the configuration that serves it. */
typedef struct ODD_row {
    int device, config;
    ODD_problem problem;
    double time_us;
} ODD_row;

enum { ODD_CONFIGS = 1, ODD_DEVICES = 1, ODD_ROWS = 1 };

static const ODD_config ODD_configs[ODD_CONFIGS] = {
    {1LL, 1.0, "unsigned long", 0, 32LL, 4u},
};

/* The same as compiler options. */
static const char *const ODD_defines[ODD_CONFIGS] = {
    "-Dconfig=1 -Dgrid=1 '-DEXACT=unsigned long' -DROW=0",
};

#if defined(__cplusplus) && __cplusplus >= 201703L
/* For templates: ODD_arch<80>.FIELD, of that architecture or the next lower one. */
extern "C++" {
template <int cc>
static constexpr ODD_config ODD_arch = {1LL, 1.0, "unsigned long", 0, 32LL, 4u};
}
#endif

/* For devices not in the table: the first row's. */
enum { ODD_DEFAULT_CONFIG = 0 };

static const ODD_device ODD_devices[ODD_DEVICES] = {
    {"GPU \042X\042 */ \077\077/ /* \134 \012 \303\251", {7, 0, 80, 0LL, 0LL, 98304LL, 32LL}, 0, 1,
     "measured; clock event; template \077\077/"},
};

static const ODD_row ODD_rows[ODD_ROWS] = {
    {0, 0, {3LL, 2.5}, 1.5},
};

/* As in Lua 5.4: integers wrap, // and % round down; 0 where Lua raises an error. */
static inline long long ODD_mul(long long a, long long b)
{
    return (long long)((unsigned long long)a * (unsigned long long)b);
}
static inline int ODD_in_range(double f)
{
    return f >= -9223372036854775808.0 && f < 9223372036854775808.0;
}
static inline long long ODD_to_int(double f)
{
    return ODD_in_range(f) && (double)(long long)f == f ? (long long)f : 0;
}
static inline int ODD_cmp_str(const char *a, const char *b)
{
    for (; *a != 0 && *a == *b; a++)
        b++;
    return (int)(unsigned char)*a - (int)(unsigned char)*b;
}

/* The launch: blocks, threads, dynamic shared memory. Where CUDA takes no such
 * launch, all of grid or block are 0, or the bytes ~0u. */
static inline void ODD_grid(const ODD_config *config, long long block_of_problem,
    double tier_of_problem, unsigned grid[3])
{
    grid[0] = grid[1] = grid[2] = 0;
    if (!config) return;
    const long long grid_x = ODD_mul(block_of_problem, config->config);
    const long long grid_y = ODD_to_int(tier_of_problem * (double)2);
    const long long grid_z = (ODD_cmp_str("a*/b", "a*/b") == 0) ? 1 : 2;
    if (grid_x < 1 || grid_x > 2147483647 || grid_y < 1 || grid_y > 65535 || grid_z < 1
            || grid_z > 65535) return;
    grid[0] = (unsigned)grid_x; grid[1] = (unsigned)grid_y; grid[2] = (unsigned)grid_z;
}

static inline void ODD_block(const ODD_config *config, long long block_of_problem,
    double tier_of_problem, unsigned block[3])
{
    (void)block_of_problem, (void)tier_of_problem;
    block[0] = block[1] = block[2] = 0;
    if (!config) return;
    const long long sm = 1 ? 2 : 1;
    if (config->device_warp_size < 1 || config->device_warp_size > 1024 || sm < 1 || sm > 64
            || config->device_warp_size * sm > 1024) return;
    block[0] = (unsigned)config->device_warp_size; block[1] = 1; block[2] = (unsigned)sm;
}

static inline unsigned ODD_shared_bytes(const ODD_config *config, long long block_of_problem,
    double tier_of_problem)
{
    (void)block_of_problem, (void)tier_of_problem;
    return config ? config->shared_bytes : ~0u;
}

/* Whether a configuration may run on a GPU and problem it was not measured on. */
static inline int ODD_fits(int number, const ODD_gpu *gpu, long long block_of_problem,
    double tier_of_problem)
{
    ODD_config here = ODD_configs[number];
    const ODD_config *config = &here;
    unsigned grid[3], block[3];
    (void)gpu;
    here.device_warp_size = gpu->warp_size;
    ODD_grid(config, block_of_problem, tier_of_problem, grid);
    if (!grid[0]) return 0;
    ODD_block(config, block_of_problem, tier_of_problem, block);
    if (!block[0]) return 0;
    return 1;
}

/* The tier: what answered. ODD_DEFAULT and ODD_NONE: nothing was tuned for such a GPU. */
enum {
    ODD_EXACT,       /* a row of this device and problem */
    ODD_SAME_DEVICE, /* this device's rule, for a problem that is no row */
    ODD_SAME_ARCH,   /* a device of the same compute capability */
    ODD_SAME_FAMILY, /* of the same major version */
    ODD_DEFAULT,     /* the default, or what else of the table may run */
    ODD_NONE         /* nothing: no configuration may run */
};

/* What the table knows of such a GPU; the least of all devices for one it lacks, and
 * what NVIDIA's guide names for its compute capability. */
static inline ODD_gpu ODD_gpu_of(int cc_major, int cc_minor, int sm_count)
{
    ODD_gpu gpu = ODD_devices[0].gpu;
    if (cc_major != gpu.cc_major || cc_minor != gpu.cc_minor) gpu.max_shared_bytes = 49152;
    gpu.cc_major = cc_major;
    gpu.cc_minor = cc_minor;
    gpu.sm_count = sm_count;
    return gpu;
}

/* The configuration for a GPU and problem; *tier says what answered (tier may be a
 * null pointer). A null pointer where no configuration may run: ODD_NONE. */
static inline const ODD_config *ODD_select_for(const ODD_gpu *gpu, long long block_of_problem,
    double tier_of_problem, int *tier)
{
    int answered, i;
    if (!tier) tier = &answered;
    const ODD_gpu *own = &ODD_devices[0].gpu;
    if (gpu->cc_major == own->cc_major) {
        *tier = gpu->cc_minor != own->cc_minor ? ODD_SAME_FAMILY
                : gpu->sm_count != own->sm_count ? ODD_SAME_ARCH
                : block_of_problem == 3LL && tier_of_problem == 2.5 ? ODD_EXACT : ODD_SAME_DEVICE;
        if (*tier == ODD_EXACT || ODD_fits(0, gpu, block_of_problem, tier_of_problem))
            return &ODD_configs[0];
    }
    for (i = -1; i < ODD_CONFIGS; i++) {
        const int number = i < 0 ? ODD_DEFAULT_CONFIG : i;
        if (!ODD_fits(number, gpu, block_of_problem, tier_of_problem)) continue;
        *tier = ODD_DEFAULT;
        return &ODD_configs[number];
    }
    *tier = ODD_NONE;
    return 0;
}

static inline const ODD_config *
ODD_select(int cc_major, int cc_minor, int sm_count, long long block_of_problem,
    double tier_of_problem, int *tier)
{
    const ODD_gpu gpu = ODD_gpu_of(cc_major, cc_minor, sm_count);
    return ODD_select_for(&gpu, block_of_problem, tier_of_problem, tier);
}

#elif HONE_EMITTED_ODD != 0x80ba4c61u
#error "two headers ODD that differ: emit one of them with --name"
#endif
