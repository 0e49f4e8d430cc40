/* Tuned configurations of the kernel odd kernel<float>. Emitted by hone 0.1.0 (form 2): do not
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
#define HONE_EMITTED_ODD 0xec4ba05eu

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

enum { ODD_CONFIGS = 1 };

static const ODD_config ODD_configs[ODD_CONFIGS] = {
    {1LL, 1.0, "unsigned long", 0, 32LL},
};

/* The same as compiler options. */
static const char *const ODD_defines[ODD_CONFIGS] = {
    "-Dconfig=1 -Dgrid=1 '-DEXACT=unsigned long' -DROW=0",
};

/* For devices not in the table: the first row's. */
enum { ODD_DEFAULT_CONFIG = 0 };

enum { ODD_DEVICES = 1 };

static const ODD_device ODD_devices[ODD_DEVICES] = {
    {"GPU \042X\042 */ \077\077/ /* \134 \012 \303\251", {7, 0, 80, 0LL, 0LL, 98304LL, 32LL}, 0, 1,
     "measured; clock event; template \077\077/"},
};

static const ODD_gpu ODD_least_gpu = {7, 0, 80, 0LL, 0LL, 98304LL, 32LL};

enum { ODD_ROWS = 1 };

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
static inline double ODD_square_f(double a)
{
    return a * a;
}

/* What the launch and the constraints share. */
typedef struct ODD_derived {
    long long sm;
} ODD_derived;

static inline ODD_derived
ODD_derive(const ODD_config *config, long long block_of_problem, double tier_of_problem)
{
    ODD_derived derived;
    (void)config;
    (void)block_of_problem;
    (void)tier_of_problem;
    derived.sm = 1 ? 2 : 1;
    return derived;
}

/* What CUDA takes of a grid or block, else 0. */
static inline unsigned
ODD_extent(long long value, long long most)
{
    return value >= 1 && value <= most ? (unsigned)value : 0;
}

/* The launch: blocks, threads, dynamic shared memory. Where CUDA takes no such
 * launch, all of grid or block are 0, or the bytes ~0u. */
static inline void ODD_grid(const ODD_config *config, long long block_of_problem,
    double tier_of_problem, unsigned grid[3])
{
    if (!config) {
        grid[0] = grid[1] = grid[2] = 0;
        return;
    }
    grid[0] = ODD_extent(ODD_mul(block_of_problem, config->config), 2147483647);
    grid[1] = ODD_extent(ODD_to_int(tier_of_problem * (double)2), 65535);
    grid[2] = ODD_extent((ODD_cmp_str("a*/b", "a*/b") == 0) ? 1 : 2, 65535);
    if (!grid[0] || !grid[1] || !grid[2])
        grid[0] = grid[1] = grid[2] = 0;
}

static inline void ODD_block(const ODD_config *config, long long block_of_problem,
    double tier_of_problem, unsigned block[3])
{
    if (!config) {
        block[0] = block[1] = block[2] = 0;
        return;
    }
    const ODD_derived derived = ODD_derive(config, block_of_problem, tier_of_problem);
    block[0] = ODD_extent(config->device_warp_size, 1024);
    block[1] = 1;
    block[2] = ODD_extent(derived.sm, 64);
    if (!block[0] || !block[1] || !block[2] || block[0] * block[1] * block[2] > 1024)
        block[0] = block[1] = block[2] = 0;
}

static inline unsigned ODD_shared_bytes(const ODD_config *config, long long block_of_problem,
    double tier_of_problem)
{
    if (!config) return ~0u;
    const long long bytes_here = ODD_to_int(ODD_square_f((double)2));
    (void)config;
    (void)block_of_problem;
    (void)tier_of_problem;
    return bytes_here < 0 || bytes_here > 2147483647 ? ~0u : (unsigned)bytes_here;
}

static const unsigned ODD_static_shared[ODD_CONFIGS] = {0u};

/* Whether a configuration may run on a GPU and problem it was not measured on. */
static inline int
ODD_fits(int number, const ODD_gpu *gpu, long long block_of_problem, double tier_of_problem)
{
    ODD_config here = ODD_configs[number];
    const ODD_config *config = &here;
    unsigned grid[3], block[3], shared;
    here.device_warp_size = gpu->warp_size;
    ODD_grid(config, block_of_problem, tier_of_problem, grid);
    ODD_block(config, block_of_problem, tier_of_problem, block);
    shared = ODD_shared_bytes(config, block_of_problem, tier_of_problem);
    if (!grid[0] || !block[0] || shared == ~0u) return 0;
    if (gpu->max_shared_bytes &&
        (long long)shared + ODD_static_shared[number] > gpu->max_shared_bytes)
        return 0;
    return 1;
}

/* The tier: what answered. ODD_DEFAULT and ODD_NONE: nothing was tuned for such a GPU. */
enum {
    ODD_EXACT,       /* a row of this device and problem */
    ODD_SAME_DEVICE, /* this device's rule, for a problem that is no row */
    ODD_SAME_ARCH,   /* a device of the same compute capability */
    ODD_SAME_FAMILY, /* of the same major version */
    ODD_DEFAULT,     /* the default, or what else of the table may run */
    ODD_NONE,        /* nothing: no configuration may run */
    ODD_FORCED       /* what the user forced */
};

/* What the table knows of such a GPU; the least of all devices for one it lacks, and
 * what NVIDIA's guide names for its compute capability. */
static inline ODD_gpu
ODD_gpu_of(int cc_major, int cc_minor, int sm_count)
{
    ODD_gpu gpu = ODD_least_gpu;
    int i, cc = 0, found = 0;
    for (i = 0; i < ODD_DEVICES; i++) {
        const ODD_gpu *known = &ODD_devices[i].gpu;
        if (known->cc_major != cc_major || known->cc_minor != cc_minor) continue;
        if (found && (gpu.sm_count == sm_count || known->sm_count != sm_count))
            continue;
        gpu = *known;
        found = 1;
    }
    if (cc_major >= 0 && cc_major < 100 && cc_minor >= 0 && cc_minor < 10)
        cc = cc_major * 10 + cc_minor;
    if (!found) switch (cc) {
    case 70: case 72:
        gpu.max_shared_bytes = 98304; break;
    case 75:
        gpu.max_shared_bytes = 65536; break;
    case 80: case 87:
        gpu.max_shared_bytes = 166912; break;
    case 86: case 89: case 120: case 121:
        gpu.max_shared_bytes = 101376; break;
    case 90: case 100: case 103: case 110:
        gpu.max_shared_bytes = 232448; break;
    default:
        gpu.max_shared_bytes = 49152; break;
    }
    gpu.cc_major = cc_major;
    gpu.cc_minor = cc_minor;
    gpu.sm_count = sm_count;
    return gpu;
}

/* The number of the configuration, -1 where none may run. *tier: what answered. */
static inline int
ODD_number_for(const ODD_gpu *gpu, long long block_of_problem, double tier_of_problem, int *tier)
{
    const ODD_gpu *own = &ODD_devices[0].gpu;
    const int tuned = 0;
    int i;
    if (gpu->cc_major == own->cc_major) {
        *tier = gpu->cc_minor != own->cc_minor ? ODD_SAME_FAMILY
                : gpu->sm_count != own->sm_count ? ODD_SAME_ARCH
                : block_of_problem == 3LL && tier_of_problem == 2.5 ? ODD_EXACT : ODD_SAME_DEVICE;
        if (*tier == ODD_EXACT || ODD_fits(tuned, gpu, block_of_problem, tier_of_problem))
            return tuned;
    }
    for (i = -1; i < ODD_CONFIGS; i++) {
        const int number = i < 0 ? ODD_DEFAULT_CONFIG : i;
        if (!ODD_fits(number, gpu, block_of_problem, tier_of_problem)) continue;
        *tier = ODD_DEFAULT;
        return number;
    }
    *tier = ODD_NONE;
    return -1;
}

/* The configuration for a GPU and problem; *tier says what answered (tier may be a
 * null pointer). A null pointer where no configuration may run: ODD_NONE. */
static inline const ODD_config *
ODD_select_for(const ODD_gpu *gpu, long long block_of_problem, double tier_of_problem, int *tier)
{
    int answered, number;
    number = ODD_number_for(gpu, block_of_problem, tier_of_problem, &answered);
    if (tier) *tier = answered;
    return number < 0 ? 0 : &ODD_configs[number];
}

static inline const ODD_config *
ODD_select(int cc_major, int cc_minor, int sm_count, long long block_of_problem,
    double tier_of_problem, int *tier)
{
    const ODD_gpu gpu = ODD_gpu_of(cc_major, cc_minor, sm_count);
    return ODD_select_for(&gpu, block_of_problem, tier_of_problem, tier);
}

#elif HONE_EMITTED_ODD != 0xec4ba05eu
#error "two headers ODD that differ: emit one of them with --name"
#endif
