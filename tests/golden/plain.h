/* Tuned configurations of the kernel plain. Emitted by hone 0.1.0 (form 3): do not edit.
 *
 * MEASURED: times are medians of n launches
 *
 * plain_select gives the configuration for a GPU and problem.
 * All functions are static: there is nothing to link. C99, C++11 or later, CUDA.
 *
 * Device 0: a device that was not named
 * Row 0, configuration 0: 
 *   3 us
 *   2 evaluated, 2 of them valid
 */
#ifndef HONE_EMITTED_plain
#define HONE_EMITTED_plain 0xc2e8ff79u

#if defined(X)
#error "plain: include this header before its parameters or sizes are macros"
#endif

/* What the kernel is compiled with. */
typedef struct plain_config {
    int X;
} plain_config;

/* A GPU. Let plain_gpu_of make one and set what is known better, as
 * cuDeviceGetAttribute and cuDeviceTotalMem tell; max_shared_bytes are those a block
 * may have with opt-in. */
typedef struct plain_gpu {
    int cc_major, cc_minor, sm_count; /* 0 where a journal lacks them */
    long long l2_bytes, memory_bytes, max_shared_bytes;
} plain_gpu;

/* A device of the journals, and its groups of rows. */
typedef struct plain_device {
    const char *name;
    plain_gpu gpu;
    int first, count;
    const char *provenance; /* where its rows come from */
} plain_device;

/* What was tuned, and the number of the configuration that serves it. */
typedef struct plain_row {
    int device, config;
    double time_us;
} plain_row;

enum { PLAIN_CONFIGS = 1, PLAIN_DEVICES = 1, PLAIN_ROWS = 1 };

static const plain_config plain_configs[PLAIN_CONFIGS] = {
    {1},
};

/* The same as compiler options. */
static const char *const plain_defines[PLAIN_CONFIGS] = {
    "-DX=1",
};

#if defined(__cplusplus) && __cplusplus >= 201703L
/* For templates: plain_arch<80>.FIELD, of that architecture or the next lower one. */
extern "C++" {
template <int cc>
static constexpr plain_config plain_arch = {1};
}
#endif

/* For devices not in the table: the first row's. */
enum { PLAIN_DEFAULT_CONFIG = 0 };

static const plain_device plain_devices[PLAIN_DEVICES] = {
    {"", {0, 0, 0, 0LL, 0LL, 0LL}, 0, 1,
     "measured"},
};

static const plain_row plain_rows[PLAIN_ROWS] = {
    {0, 0, 3.0},
};

/* Whether a configuration may run on a GPU and problem it was not measured on. */
static inline int plain_fits(int number, const plain_gpu *gpu)
{
    (void)number;
    (void)gpu;
    return 1;
}

/* The tier: what answered. PLAIN_DEFAULT and PLAIN_NONE: nothing was tuned for such a GPU. */
enum {
    PLAIN_EXACT,       /* a row of this device and problem */
    PLAIN_SAME_DEVICE, /* this device's rule, for a problem that is no row */
    PLAIN_SAME_ARCH,   /* a device of the same compute capability */
    PLAIN_SAME_FAMILY, /* of the same major version */
    PLAIN_DEFAULT,     /* the default, or what else of the table may run */
    PLAIN_NONE         /* nothing: no configuration may run */
};

/* What the table knows of such a GPU; the least of all devices for one it lacks, and
 * what NVIDIA's guide names for its compute capability. */
static inline plain_gpu plain_gpu_of(int cc_major, int cc_minor, int sm_count)
{
    plain_gpu gpu = plain_devices[0].gpu;
    if (cc_major != gpu.cc_major || cc_minor != gpu.cc_minor) gpu.max_shared_bytes = 49152;
    gpu.cc_major = cc_major;
    gpu.cc_minor = cc_minor;
    gpu.sm_count = sm_count;
    return gpu;
}

/* The configuration for a GPU and problem; *tier says what answered (tier may be a
 * null pointer). A null pointer where no configuration may run: PLAIN_NONE. */
static inline const plain_config *plain_select_for(const plain_gpu *gpu, int *tier)
{
    int answered, i;
    if (!tier) tier = &answered;
    for (i = -1; i < PLAIN_CONFIGS; i++) {
        const int number = i < 0 ? PLAIN_DEFAULT_CONFIG : i;
        if (!plain_fits(number, gpu)) continue;
        *tier = PLAIN_DEFAULT;
        return &plain_configs[number];
    }
    *tier = PLAIN_NONE;
    return 0;
}

static inline const plain_config *
plain_select(int cc_major, int cc_minor, int sm_count, int *tier)
{
    const plain_gpu gpu = plain_gpu_of(cc_major, cc_minor, sm_count);
    return plain_select_for(&gpu, tier);
}

#elif HONE_EMITTED_plain != 0xc2e8ff79u
#error "two headers plain that differ: emit one of them with --name"
#endif
