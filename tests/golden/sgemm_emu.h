/* Tuned configurations of the kernel sgemm. Emitted by hone 0.1.0 (form 3): do not edit.
 *
 * PREDICTED by the emulator's model, not measured; clock emulated
 *
 * sgemm_emu_select gives the configuration for a GPU and problem,
 * sgemm_emu_grid, sgemm_emu_block and sgemm_emu_shared_bytes its launch.
 * All functions are static: there is nothing to link. C99, C++11 or later, CUDA.
 *
 * Device 0: NVIDIA H200 (compute capability 9.0, 132 SMs)
 *   driver emulator 1, NVRTC 13.0, recorded by hone 0.1.0
 *   template sgemm.cu, template hash 5d41402abc4b2a76b9719d911017c592,
 *     space hash 7d793037a0760186574b0282f2f435e7, options hash 9b74c9897bac770ffc029102a200c5de
 * Row 0, configuration 0: K = 4096, M = 4096, N = 4096
 *   653.244 us (predicted); predicted 1.276 times as fast as the author's default
 *   strategy random, seed 1, 25 evaluated, 23 of them valid, of 96
 */
#ifndef HONE_EMITTED_sgemm_emu
#define HONE_EMITTED_sgemm_emu 0xd62033f9u

#if defined(BK) || defined(BM) || defined(BN) || defined(LAYOUT) || defined(SCALE) \
    || defined(SWAP) || defined(K) || defined(M) || defined(N) || defined(WAVES)
#error "sgemm_emu: include this header before its parameters or sizes are macros"
#endif

/* What the kernel is compiled with. */
typedef struct sgemm_emu_config {
    int BK, BM, BN;
    const char *LAYOUT;
    double SCALE;
    int SWAP;
    long long device_sm_count; /* of the device it was tuned on */
    unsigned block[3], shared_bytes; /* of its launch */
} sgemm_emu_config;

typedef struct sgemm_emu_problem {
    long long K, M, N;
} sgemm_emu_problem;

/* A GPU. Let sgemm_emu_gpu_of make one and set what is known better, as
 * cuDeviceGetAttribute and cuDeviceTotalMem tell; max_shared_bytes are those a block
 * may have with opt-in. */
typedef struct sgemm_emu_gpu {
    int cc_major, cc_minor, sm_count; /* 0 where a journal lacks them */
    long long l2_bytes, memory_bytes, max_shared_bytes;
} sgemm_emu_gpu;

/* A device of the journals, and its groups of rows. */
typedef struct sgemm_emu_device {
    const char *name;
    sgemm_emu_gpu gpu;
    int first, count;
    const char *provenance; /* where its rows come from */
} sgemm_emu_device;

/* What was tuned, and the number of the configuration that serves it. */
typedef struct sgemm_emu_row {
    int device, config;
    sgemm_emu_problem problem;
    double predicted_us;
} sgemm_emu_row;

enum { SGEMM_EMU_CONFIGS = 2, SGEMM_EMU_DEVICES = 1, SGEMM_EMU_ROWS = 1 };

static const sgemm_emu_config sgemm_emu_configs[SGEMM_EMU_CONFIGS] = {
    {8, 64, 128, "col", 0.5, 1, 132LL, {128, 1, 1}, 12288u},
    {8, 64, 64, "row", 0.5, 0, 132LL, {64, 1, 1}, 4224u},
};

/* The same as compiler options. */
static const char *const sgemm_emu_defines[SGEMM_EMU_CONFIGS] = {
    "-DBK=8 -DBM=64 -DBN=128 -DLAYOUT=col -DSCALE=0.5 -DSWAP=1",
    "-DBK=8 -DBM=64 -DBN=64 -DLAYOUT=row -DSCALE=0.5 -DSWAP=0",
};

#if defined(__cplusplus) && __cplusplus >= 201703L
/* For templates: sgemm_emu_arch<80>.FIELD, of that architecture or the next lower one. */
extern "C++" {
template <int cc>
static constexpr sgemm_emu_config sgemm_emu_arch =
    {8, 64, 128, "col", 0.5, 1, 132LL, {128, 1, 1}, 12288u};
}
#endif

/* For devices not in the table: the author's default. */
enum { SGEMM_EMU_DEFAULT_CONFIG = 1 };

static const sgemm_emu_device sgemm_emu_devices[SGEMM_EMU_DEVICES] = {
    {"NVIDIA H200", {9, 0, 132, 0LL, 0LL, 232448LL}, 0, 1,
     "predicted; clock emulated; driver emulator 1, NVRTC 13.0, recorded by hone 0.1.0; template "
             "sgemm.cu, template hash 5d41402abc4b2a76b9719d911017c592, space hash "
             "7d793037a0760186574b0282f2f435e7, options hash 9b74c9897bac770ffc029102a200c5de"},
};

static const sgemm_emu_row sgemm_emu_rows[SGEMM_EMU_ROWS] = {
    {0, 0, {4096LL, 4096LL, 4096LL}, 653.244},
};

/* As in Lua 5.4: integers wrap, // and % round down; 0 where Lua raises an error. */
static inline long long sgemm_emu_mul(long long a, long long b)
{
    return (long long)((unsigned long long)a * (unsigned long long)b);
}
static inline long long sgemm_emu_min(long long a, long long b)
{
    return b < a ? b : a;
}
static inline int sgemm_emu_in_range(double f)
{
    return f >= -9223372036854775808.0 && f < 9223372036854775808.0;
}
static inline long long sgemm_emu_to_int(double f)
{
    return sgemm_emu_in_range(f) && (double)(long long)f == f ? (long long)f : 0;
}
/* -1, 0, 1 for i <=> f; 2 where f is not a number */
static inline int sgemm_emu_cmp_if(long long i, double f)
{
    if (f != f) return 2;
    if (!sgemm_emu_in_range(f)) return f > 0 ? -1 : 1;
    if (i != (long long)f) return i < (long long)f ? -1 : 1;
    return f > (double)i ? -1 : f < (double)i;
}

/* The launch: blocks, threads, dynamic shared memory. Where CUDA takes no such
 * launch, all of grid or block are 0, or the bytes ~0u. */
static inline void sgemm_emu_grid(const sgemm_emu_config *config, long long K, long long M,
    long long N, unsigned grid[3])
{
    grid[0] = grid[1] = grid[2] = 0;
    if (!config) return;
    const long long WAVES = (sgemm_emu_cmp_if(1, config->SCALE) < 0) ? 8 : 4;
    const long long grid_x =
            sgemm_emu_mul(N / config->BN + (N % config->BN > 0), config->SWAP ? 1 : 2);
    const long long grid_y =
            sgemm_emu_min(M / config->BM + (M % config->BM > 0),
            sgemm_emu_mul(WAVES, config->device_sm_count));
    const long long grid_z = K / 4096 - (K % 4096 < 0) + 1;
    if (grid_x < 1 || grid_x > 2147483647 || grid_y < 1 || grid_y > 65535 || grid_z < 1
            || grid_z > 65535) return;
    grid[0] = (unsigned)grid_x; grid[1] = (unsigned)grid_y; grid[2] = (unsigned)grid_z;
}

static inline void sgemm_emu_block(const sgemm_emu_config *config, long long K, long long M,
    long long N, unsigned block[3])
{
    int i;
    (void)K, (void)M, (void)N;
    for (i = 0; i < 3; i++) block[i] = config ? config->block[i] : 0;
}

static inline unsigned sgemm_emu_shared_bytes(const sgemm_emu_config *config, long long K,
    long long M, long long N)
{
    (void)K, (void)M, (void)N;
    return config ? config->shared_bytes : ~0u;
}

static inline unsigned long long sgemm_emu_partials_bytes(const sgemm_emu_config *config,
    long long K, long long M, long long N)
{
    (void)K;
    if (!config) return ~0ULL;
    const long long size_here = (config->SWAP ? sgemm_emu_mul(sgemm_emu_mul(M, N), config->BK) : 0);
    return size_here < 0 || size_here > 4611686018427387903 ? ~0ULL
            : (unsigned long long)size_here * 2;
}

static inline unsigned long long sgemm_emu_shared_bytes_(const sgemm_emu_config *config,
    long long K, long long M, long long N)
{
    (void)K, (void)M, (void)N;
    if (!config) return ~0ULL;
    const long long size_here = sgemm_emu_to_int(config->SCALE * (double)2);
    return size_here < 0 || size_here > 9223372036854775807 ? ~0ULL
            : (unsigned long long)size_here * 1;
}

/* Whether a configuration may run on a GPU and problem it was not measured on. */
static inline int sgemm_emu_fits(int number, const sgemm_emu_gpu *gpu, long long K, long long M,
    long long N)
{
    sgemm_emu_config here = sgemm_emu_configs[number];
    const sgemm_emu_config *config = &here;
    unsigned grid[3];
    (void)gpu;
    here.device_sm_count = gpu->sm_count;
    sgemm_emu_grid(config, K, M, N, grid);
    if (!grid[0]) return 0;
    return 1;
}

/* The tier: what answered. SGEMM_EMU_DEFAULT and SGEMM_EMU_NONE: nothing was tuned for such a
 *     GPU. */
enum {
    SGEMM_EMU_EXACT,       /* a row of this device and problem */
    SGEMM_EMU_SAME_DEVICE, /* this device's rule, for a problem that is no row */
    SGEMM_EMU_SAME_ARCH,   /* a device of the same compute capability */
    SGEMM_EMU_SAME_FAMILY, /* of the same major version */
    SGEMM_EMU_DEFAULT,     /* the default, or what else of the table may run */
    SGEMM_EMU_NONE         /* nothing: no configuration may run */
};

/* What the table knows of such a GPU; the least of all devices for one it lacks, and
 * what NVIDIA's guide names for its compute capability. */
static inline sgemm_emu_gpu sgemm_emu_gpu_of(int cc_major, int cc_minor, int sm_count)
{
    sgemm_emu_gpu gpu = sgemm_emu_devices[0].gpu;
    if (cc_major != gpu.cc_major || cc_minor != gpu.cc_minor) gpu.max_shared_bytes = 49152;
    gpu.cc_major = cc_major;
    gpu.cc_minor = cc_minor;
    gpu.sm_count = sm_count;
    return gpu;
}

/* The configuration for a GPU and problem; *tier says what answered (tier may be a
 * null pointer). A null pointer where no configuration may run: SGEMM_EMU_NONE. */
static inline const sgemm_emu_config *sgemm_emu_select_for(const sgemm_emu_gpu *gpu, long long K,
    long long M, long long N, int *tier)
{
    int answered, i;
    if (!tier) tier = &answered;
    const sgemm_emu_gpu *own = &sgemm_emu_devices[0].gpu;
    if (gpu->cc_major == own->cc_major) {
        *tier = gpu->cc_minor != own->cc_minor ? SGEMM_EMU_SAME_FAMILY
                : gpu->sm_count != own->sm_count ? SGEMM_EMU_SAME_ARCH
                : K == 4096LL && M == 4096LL && N == 4096LL ? SGEMM_EMU_EXACT
                        : SGEMM_EMU_SAME_DEVICE;
        if (*tier == SGEMM_EMU_EXACT || sgemm_emu_fits(0, gpu, K, M, N))
            return &sgemm_emu_configs[0];
    }
    for (i = -1; i < SGEMM_EMU_CONFIGS; i++) {
        const int number = i < 0 ? SGEMM_EMU_DEFAULT_CONFIG : i;
        if (!sgemm_emu_fits(number, gpu, K, M, N)) continue;
        *tier = SGEMM_EMU_DEFAULT;
        return &sgemm_emu_configs[number];
    }
    *tier = SGEMM_EMU_NONE;
    return 0;
}

static inline const sgemm_emu_config *
sgemm_emu_select(int cc_major, int cc_minor, int sm_count, long long K, long long M, long long N,
    int *tier)
{
    const sgemm_emu_gpu gpu = sgemm_emu_gpu_of(cc_major, cc_minor, sm_count);
    return sgemm_emu_select_for(&gpu, K, M, N, tier);
}

#elif HONE_EMITTED_sgemm_emu != 0xd62033f9u
#error "two headers sgemm_emu that differ: emit one of them with --name"
#endif
