/* Tuned configurations of the kernel sgemm. Emitted by hone 0.1.0: do not edit.
 *
 * PREDICTED by the emulator's model, not measured; clock emulated
 *
 * sgemm_emu_select(cc_major, cc_minor, sm_count, K, M, N,
 *     &tier) gives the configuration for a GPU and problem,
 * sgemm_emu_grid, sgemm_emu_block and sgemm_emu_shared_bytes its launch.
 * All functions are static: there is nothing to link. C99, C++11 or later, CUDA.
 *
 * Device 0: NVIDIA H200 (compute capability 9.0, 132 SMs)
 *   driver emulator 1, NVRTC 13.0, recorded by hone 0.1.0
 *   template sgemm.cu, template hash 5d41402abc4b2a76b9719d911017c592,
 *     space hash 7d793037a0760186574b0282f2f435e7, options hash 9b74c9897bac770ffc029102a200c5de
 * Row 0: K = 4096, M = 4096, N = 4096
 *   653.244 us (predicted); predicted 1.276 times as fast as the author's default
 *   strategy random, seed 1, 25 evaluated, 23 of them valid, of 96
 */
#ifndef HONE_EMITTED_sgemm_emu
#define HONE_EMITTED_sgemm_emu 0x1367fd18u

#if defined(BK) || defined(BM) || defined(BN) || defined(LAYOUT) || \
    defined(SCALE) || defined(SWAP) || defined(K) || defined(M) || \
    defined(N)
#error "sgemm_emu: include this header before its parameters or sizes are macros"
#endif

/* What the kernel is compiled with. */
typedef struct sgemm_emu_config {
    int BK;
    int BM;
    int BN;
    const char *LAYOUT;
    double SCALE;
    int SWAP;
    long long device_sm_count; /* of the device it was tuned on */
} sgemm_emu_config;

typedef struct sgemm_emu_problem {
    long long K;
    long long M;
    long long N;
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
    int lg[3]; /* of the sizes */
    double predicted_us;
} sgemm_emu_row;

/* Rows that one rule serves; tree: its first node, -1: the nearest row serves. */
typedef struct sgemm_emu_group {
    int first, count, tree;
    int configs, config_count; /* in sgemm_emu_preferences, the best first */
} sgemm_emu_group;

enum { SGEMM_EMU_CONFIGS = 2 };

static const sgemm_emu_config sgemm_emu_configs[SGEMM_EMU_CONFIGS] = {
    {8, 64, 128, "col", 0.5, 1, 132LL},
    {8, 64, 64, "row", 0.5, 0, 132LL},
};

/* The same as compiler options. */
static const char *const sgemm_emu_defines[SGEMM_EMU_CONFIGS] = {
    "-DBK=8 -DBM=64 -DBN=128 -DLAYOUT=col -DSCALE=0.5 -DSWAP=1",
    "-DBK=8 -DBM=64 -DBN=64 -DLAYOUT=row -DSCALE=0.5 -DSWAP=0",
};

/* For devices not in the table: the author's default. */
enum { SGEMM_EMU_DEFAULT_CONFIG = 1 };

enum { SGEMM_EMU_DEVICES = 1 };

static const sgemm_emu_device sgemm_emu_devices[SGEMM_EMU_DEVICES] = {
    {"NVIDIA H200", {9, 0, 132, 0LL, 0LL, 232448LL}, 0, 1,
     "predicted; clock emulated; driver emulator 1, NVRTC 13.0, recorded by hone 0.1.0; template "
             "sgemm.cu, template hash 5d41402abc4b2a76b9719d911017c592, space hash "
             "7d793037a0760186574b0282f2f435e7, options hash 9b74c9897bac770ffc029102a200c5de"},
};

static const sgemm_emu_gpu sgemm_emu_least_gpu = {9, 0, 132, 0LL, 0LL, 232448LL};

enum { SGEMM_EMU_ROWS = 1 };

static const sgemm_emu_row sgemm_emu_rows[SGEMM_EMU_ROWS] = {
    {0, 0, {4096LL, 4096LL, 4096LL}, {786432, 786432, 786432}, 653.244},
};

static const int sgemm_emu_preferences[] = {
    0,
};

static const sgemm_emu_group sgemm_emu_groups[] = {
    {0, 1, -1, 0, 1},
};

/* As in Lua 5.4: integers wrap, // and % round down; 0 where Lua raises an error. */
static inline long long sgemm_emu_add(long long a, long long b)
{
    return (long long)((unsigned long long)a + (unsigned long long)b);
}
static inline long long sgemm_emu_sub(long long a, long long b)
{
    return (long long)((unsigned long long)a - (unsigned long long)b);
}
static inline long long sgemm_emu_mul(long long a, long long b)
{
    return (long long)((unsigned long long)a * (unsigned long long)b);
}
static inline long long sgemm_emu_neg(long long a)
{
    return sgemm_emu_sub(0, a);
}
static inline long long sgemm_emu_min(long long a, long long b)
{
    return b < a ? b : a;
}
static inline long long sgemm_emu_floor_div(long long a, long long b)
{
    if (b == 0 || b == -1) return b == 0 ? 0 : sgemm_emu_neg(a);
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}
static inline long long sgemm_emu_ceil_div(long long a, long long b)
{
    return sgemm_emu_neg(sgemm_emu_floor_div(sgemm_emu_neg(a), b));
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
static inline int sgemm_emu_cmp_str(const char *a, const char *b)
{
    for (; *a != 0 && *a == *b; a++)
        b++;
    return (int)(unsigned char)*a - (int)(unsigned char)*b;
}

/* What the launch and the constraints share. */
typedef struct sgemm_emu_derived {
    long long value_WAVES;
    long long value_THREADS;
    long long value_TILES;
    long long value_SMEM;
} sgemm_emu_derived;

static inline sgemm_emu_derived
sgemm_emu_derive(const sgemm_emu_config *config, long long K, long long M, long long N)
{
    sgemm_emu_derived derived;
    (void)K;
    (void)M;
    (void)N;
    derived.value_WAVES = (sgemm_emu_cmp_if(1, config->SCALE) < 0) ? 8 : 4;
    derived.value_THREADS =
            sgemm_emu_floor_div(sgemm_emu_mul(config->BM, config->BN),
            sgemm_emu_mul(config->BK, 8));
    derived.value_TILES = sgemm_emu_mul(sgemm_emu_add(config->BM, config->BN), config->BK);
    derived.value_SMEM = sgemm_emu_mul(sgemm_emu_mul(derived.value_TILES, 4), config->SWAP ? 2 : 1);
    return derived;
}

static inline long long sgemm_emu_WAVES(const sgemm_emu_config *config, long long K, long long M,
    long long N)
{
    return sgemm_emu_derive(config, K, M, N).value_WAVES;
}

static inline long long sgemm_emu_THREADS(const sgemm_emu_config *config, long long K, long long M,
    long long N)
{
    return sgemm_emu_derive(config, K, M, N).value_THREADS;
}

static inline long long sgemm_emu_TILES(const sgemm_emu_config *config, long long K, long long M,
    long long N)
{
    return sgemm_emu_derive(config, K, M, N).value_TILES;
}

static inline long long sgemm_emu_SMEM(const sgemm_emu_config *config, long long K, long long M,
    long long N)
{
    return sgemm_emu_derive(config, K, M, N).value_SMEM;
}

/* What CUDA takes of a grid or block, else 0. */
static inline unsigned
sgemm_emu_extent(long long value, long long most)
{
    return value >= 1 && value <= most ? (unsigned)value : 0;
}

/* The launch: blocks, threads, dynamic shared memory. Where CUDA takes no such
 * launch, all of grid or block are 0, or the bytes ~0u. */
static inline void sgemm_emu_grid(const sgemm_emu_config *config, long long K, long long M,
    long long N, unsigned grid[3])
{
    if (!config) {
        grid[0] = grid[1] = grid[2] = 0;
        return;
    }
    const sgemm_emu_derived derived = sgemm_emu_derive(config, K, M, N);
    grid[0] =
            sgemm_emu_extent(sgemm_emu_mul(sgemm_emu_ceil_div(N, config->BN), config->SWAP ? 1 : 2),
            2147483647);
    grid[1] =
            sgemm_emu_extent(sgemm_emu_min(sgemm_emu_ceil_div(M, config->BM),
            sgemm_emu_mul(derived.value_WAVES, config->device_sm_count)), 65535);
    grid[2] = sgemm_emu_extent(sgemm_emu_add(sgemm_emu_floor_div(K, 4096), 1), 65535);
    if (!grid[0] || !grid[1] || !grid[2]) grid[0] = grid[1] = grid[2] = 0;
}

static inline void sgemm_emu_block(const sgemm_emu_config *config, long long K, long long M,
    long long N, unsigned block[3])
{
    if (!config) {
        block[0] = block[1] = block[2] = 0;
        return;
    }
    const sgemm_emu_derived derived = sgemm_emu_derive(config, K, M, N);
    block[0] = sgemm_emu_extent(derived.value_THREADS, 1024);
    block[1] = 1;
    block[2] = 1;
    if (!block[0] || !block[1] || !block[2] || block[0] * block[1] * block[2] > 1024) block[0] =
            block[1] = block[2] = 0;
}

static inline unsigned sgemm_emu_shared_bytes(const sgemm_emu_config *config, long long K,
    long long M, long long N)
{
    if (!config) return ~0u;
    const sgemm_emu_derived derived = sgemm_emu_derive(config, K, M, N);
    const long long bytes_here =
            sgemm_emu_add(derived.value_SMEM, (sgemm_emu_cmp_str(config->LAYOUT, "row") == 0) ? 128
            : 0);
    return bytes_here < 0 || bytes_here > 2147483647 ? ~0u : (unsigned)bytes_here;
}

static inline unsigned long long sgemm_emu_partials_bytes(const sgemm_emu_config *config,
    long long K, long long M, long long N)
{
    if (!config) return ~0ULL;
    const long long size_here = (config->SWAP ? sgemm_emu_mul(sgemm_emu_mul(M, N), config->BK) : 0);
    (void)K;
    return size_here < 0 || size_here > 4611686018427387903 ? ~0ULL
            : (unsigned long long)size_here * 2;
}

static inline unsigned long long sgemm_emu_shared_bytes_(const sgemm_emu_config *config,
    long long K, long long M, long long N)
{
    if (!config) return ~0ULL;
    const long long size_here = sgemm_emu_to_int(config->SCALE * (double)2);
    (void)K;
    (void)M;
    (void)N;
    return size_here < 0 || size_here > 9223372036854775807 ? ~0ULL
            : (unsigned long long)size_here * 1;
}

static const unsigned sgemm_emu_static_shared[SGEMM_EMU_CONFIGS] = {0u, 0u};

/* Whether a configuration may run on a GPU and problem it was not measured on. */
static inline int
sgemm_emu_fits(int number, const sgemm_emu_gpu *gpu, long long K, long long M, long long N)
{
    sgemm_emu_config here = sgemm_emu_configs[number];
    const sgemm_emu_config *config = &here;
    unsigned grid[3], block[3], shared;
    (void)config;
    (void)gpu;
    (void)K;
    (void)M;
    (void)N;
    here.device_sm_count = gpu->sm_count;
    sgemm_emu_grid(config, K, M, N, grid);
    sgemm_emu_block(config, K, M, N, block);
    shared = sgemm_emu_shared_bytes(config, K, M, N);
    if (!grid[0] || !block[0] || shared == ~0u) return 0;
    if (gpu->max_shared_bytes &&
        (long long)shared + sgemm_emu_static_shared[number] > gpu->max_shared_bytes)
        return 0;
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
    SGEMM_EMU_NONE,        /* nothing: no configuration may run */
    SGEMM_EMU_FORCED       /* what the user forced */
};

/* Binary logarithm in 1/65536, exact at powers of two, linear between. */
static inline int
sgemm_emu_lg(long long size)
{
    unsigned long long left = size < 1 ? 1 : (unsigned long long)size;
    const unsigned long long whole = left;
    int e = 0;
    if (left >> 32) e += 32, left >>= 32;
    if (left >> 16) e += 16, left >>= 16;
    if (left >> 8) e += 8, left >>= 8;
    if (left >> 4) e += 4, left >>= 4;
    if (left >> 2) e += 2, left >>= 2;
    if (left >> 1) e += 1;
    if (size < 1) return -65536;
    return e * 65536 +
           (int)((e > 16 ? whole >> (e - 16) : whole << (16 - e)) & 65535);
}

/* The row of this very problem, or -1. */
static inline int
sgemm_emu_find(const sgemm_emu_group *group, long long K, long long M, long long N)
{
    int low = group->first, high = low + group->count;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        const sgemm_emu_problem *at = &sgemm_emu_rows[middle].problem;
        const int order =
            at->K < K ? -1 : at->K > K ? 1 :
            at->M < M ? -1 : at->M > M ? 1 :
            at->N < N ? -1 : at->N > N ? 1 :
            0;
        if (!order) return middle;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return -1;
}

/* The configuration for a problem that is no row: a decision tree's, or the nearest
 * row's. */
static inline int
sgemm_emu_rule(const sgemm_emu_group *group, long long K, long long M, long long N)
{
    int lg[3], i, best = group->first;
    long long least = -1;
    lg[0] = sgemm_emu_lg(K);
    lg[1] = sgemm_emu_lg(M);
    lg[2] = sgemm_emu_lg(N);
    for (i = group->first; i < group->first + group->count; i++) {
        long long gap, apart = 0;
        gap = (long long)lg[0] - sgemm_emu_rows[i].lg[0];
        apart += gap * gap;
        gap = (long long)lg[1] - sgemm_emu_rows[i].lg[1];
        apart += gap * gap;
        gap = (long long)lg[2] - sgemm_emu_rows[i].lg[2];
        apart += gap * gap;
        if (least >= 0 && apart >= least) continue;
        least = apart;
        best = i;
    }
    return sgemm_emu_rows[best].config;
}

/* What a device of the table has for this problem, or -1; same: it is the one at
 * hand. */
static inline int
sgemm_emu_of_device(const sgemm_emu_device *device, const sgemm_emu_gpu *gpu, int same, long long K,
    long long M, long long N, int *exact)
{
    int g, i;
    *exact = 0;
    for (g = device->first; g < device->first + device->count; g++) {
        const sgemm_emu_group *group = &sgemm_emu_groups[g];
        int number;
        i = sgemm_emu_find(group, K, M, N);
        if (i >= 0) {
            number = sgemm_emu_rows[i].config;
            *exact = same || sgemm_emu_fits(number, gpu, K, M, N);
            if (*exact) return number;
        }
        number = sgemm_emu_rule(group, K, M, N);
        if (sgemm_emu_fits(number, gpu, K, M, N)) return number;
        for (i = 0; i < group->config_count; i++) {
            number = sgemm_emu_preferences[group->configs + i];
            if (sgemm_emu_fits(number, gpu, K, M, N)) return number;
        }
        return -1;
    }
    return -1;
}

static inline long long
sgemm_emu_apart(long long a, long long b)
{
    const long long gap = a > 0 && b > 0 ? (long long)sgemm_emu_lg(a) - sgemm_emu_lg(b) : 0;
    return gap < 0 ? -gap : gap;
}

/* How far a device of the table is from a GPU: 0, 1 or 2 (another number of
 * multiprocessors, another minor version) << 48, and more; -1: of no use. */
static inline long long
sgemm_emu_distance(const sgemm_emu_gpu *a, const sgemm_emu_gpu *gpu, int place)
{
    long long minors = (long long)a->cc_minor - gpu->cc_minor, level, gap;
    if (!a->cc_major || a->cc_major != gpu->cc_major) return -1;
    if (minors < 0) minors = -minors;
    if (minors > 2047) minors = 2047;
    level = minors ? 2 : a->sm_count != gpu->sm_count;
    if (!level && a->l2_bytes == gpu->l2_bytes && a->memory_bytes == gpu->memory_bytes)
        return place;
    gap = 65536 * minors + 2 * sgemm_emu_apart(a->sm_count, gpu->sm_count) +
          sgemm_emu_apart(a->l2_bytes, gpu->l2_bytes) +
          sgemm_emu_apart(a->memory_bytes, gpu->memory_bytes);
    return (level << 48) + (gap << 20) + place;
}

/* What the table knows of such a GPU; the least of all devices for one it lacks, and
 * the shared memory that NVIDIA's guide names for its compute capability. */
static inline sgemm_emu_gpu
sgemm_emu_gpu_of(int cc_major, int cc_minor, int sm_count)
{
    sgemm_emu_gpu gpu = sgemm_emu_least_gpu;
    int i, cc = 0, found = 0;
    for (i = 0; i < SGEMM_EMU_DEVICES; i++) {
        const sgemm_emu_gpu *known = &sgemm_emu_devices[i].gpu;
        if (known->cc_major != cc_major || known->cc_minor != cc_minor) continue;
        if (found && (gpu.sm_count == sm_count || known->sm_count != sm_count))
            continue;
        gpu = *known;
        found = 1;
    }
    if (cc_major >= 0 && cc_major < 100 && cc_minor >= 0 && cc_minor < 10)
        cc = cc_major * 10 + cc_minor;
    if (!found) switch (cc) {
    case 70: gpu.max_shared_bytes = 98304; break;
    case 72: gpu.max_shared_bytes = 98304; break;
    case 75: gpu.max_shared_bytes = 65536; break;
    case 80: gpu.max_shared_bytes = 166912; break;
    case 86: gpu.max_shared_bytes = 101376; break;
    case 87: gpu.max_shared_bytes = 166912; break;
    case 89: gpu.max_shared_bytes = 101376; break;
    case 90: gpu.max_shared_bytes = 232448; break;
    case 100: gpu.max_shared_bytes = 232448; break;
    case 103: gpu.max_shared_bytes = 232448; break;
    case 110: gpu.max_shared_bytes = 232448; break;
    case 120: gpu.max_shared_bytes = 101376; break;
    case 121: gpu.max_shared_bytes = 101376; break;
    default: gpu.max_shared_bytes = 49152; break;
    }
    gpu.cc_major = cc_major;
    gpu.cc_minor = cc_minor;
    gpu.sm_count = sm_count;
    return gpu;
}

/* The number of the configuration, -1 where none may run. *tier: what answered. */
static inline int
sgemm_emu_number_for(const sgemm_emu_gpu *gpu, long long K, long long M, long long N, int *tier)
{
    long long last = -1;
    int i;
    for (;;) {
        long long least = -1;
        int best = -1, number, exact, level;
        for (i = 0; i < SGEMM_EMU_DEVICES; i++) {
            const long long key = sgemm_emu_distance(&sgemm_emu_devices[i].gpu, gpu, i);
            if (key <= last || (best >= 0 && key >= least)) continue;
            least = key;
            best = i;
        }
        if (best < 0) break;
        last = least;
        level = (int)(least >> 48);
        number = sgemm_emu_of_device(&sgemm_emu_devices[best], gpu, level == 0, K, M, N, &exact);
        if (number < 0) continue;
        *tier = level == 2 ? SGEMM_EMU_SAME_FAMILY : level == 1 ? SGEMM_EMU_SAME_ARCH
              : exact ? SGEMM_EMU_EXACT : SGEMM_EMU_SAME_DEVICE;
        return number;
    }
    for (i = -1; i < SGEMM_EMU_CONFIGS; i++) {
        const int number = i < 0 ? SGEMM_EMU_DEFAULT_CONFIG : i;
        if (!sgemm_emu_fits(number, gpu, K, M, N)) continue;
        *tier = SGEMM_EMU_DEFAULT;
        return number;
    }
    *tier = SGEMM_EMU_NONE;
    return -1;
}

#ifdef SGEMM_EMU_RUNTIME
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _MSC_VER
#include <intrin.h>
#endif

#ifndef SGEMM_EMU_MISS_FROM
#define SGEMM_EMU_MISS_FROM SGEMM_EMU_DEFAULT /* the first tier that counts as a miss */
#endif

/* A configuration for all problems that have the sizes it asks for. */
typedef struct sgemm_emu_forced {
    sgemm_emu_config config;
    sgemm_emu_problem problem;
    int asks[4];
} sgemm_emu_forced;

enum { SGEMM_EMU_SEEN_MOST = 256 };
static struct {
    int lock, ready, count, seen_count;
    char *text; /* texts of configurations point into it */
    sgemm_emu_forced *forced;
    const char *misses; /* file */
    sgemm_emu_problem seen[SGEMM_EMU_SEEN_MOST];
    void (*on_miss)(void *context, int tier, long long K, long long M, long long N);
    void *context;
} sgemm_emu_runtime;

static inline void
sgemm_emu_enter(void)
{
#ifdef _MSC_VER
    while (_InterlockedExchange((volatile long *)&sgemm_emu_runtime.lock, 1)) {
    }
#else
    while (__atomic_exchange_n(&sgemm_emu_runtime.lock, 1, __ATOMIC_ACQUIRE)) {
    }
#endif
}

static inline void
sgemm_emu_leave(void)
{
#ifdef _MSC_VER
    _InterlockedExchange((volatile long *)&sgemm_emu_runtime.lock, 0);
#else
    __atomic_store_n(&sgemm_emu_runtime.lock, 0, __ATOMIC_RELEASE);
#endif
}

/* A word of an override: a parameter's value, or a size that it is for. */
static inline int
sgemm_emu_set(sgemm_emu_forced *forced, const char *name, char *value)
{
    char *end = value;
    if (strcmp(name, "BK") == 0) {
        forced->config.BK = (int)strtoll(value, &end, 10);
        return end != value && !*end;
    }
    if (strcmp(name, "BM") == 0) {
        forced->config.BM = (int)strtoll(value, &end, 10);
        return end != value && !*end;
    }
    if (strcmp(name, "BN") == 0) {
        forced->config.BN = (int)strtoll(value, &end, 10);
        return end != value && !*end;
    }
    if (strcmp(name, "LAYOUT") == 0) {
        forced->config.LAYOUT = value;
        end = value + 1;
        return 1;
    }
    if (strcmp(name, "SCALE") == 0) {
        forced->config.SCALE = (double)strtod(value, &end);
        return end != value && !*end;
    }
    if (strcmp(name, "SWAP") == 0) {
        forced->config.SWAP = (int)(strtol(value, &end, 10) != 0);
        return end != value && !*end;
    }
    if (strcmp(name, "K") == 0) {
        forced->problem.K = (long long)strtoll(value, &end, 10);
        forced->asks[0] = 1;
        return end != value && !*end;
    }
    if (strcmp(name, "M") == 0) {
        forced->problem.M = (long long)strtoll(value, &end, 10);
        forced->asks[1] = 1;
        return end != value && !*end;
    }
    if (strcmp(name, "N") == 0) {
        forced->problem.N = (long long)strtoll(value, &end, 10);
        forced->asks[2] = 1;
        return end != value && !*end;
    }
    (void)forced;
    (void)name;
    (void)end;
    return 0;
}

/* Under the lock; line: how many have been read. */
static inline int
sgemm_emu_add_forced(char *line)
{
    sgemm_emu_forced forced, *more;
    int words = 0;
    memset(&forced, 0, sizeof forced);
    forced.config = sgemm_emu_configs[SGEMM_EMU_DEFAULT_CONFIG];
    line[strcspn(line, "#")] = 0;
    for (;;) {
        char *name = line + strspn(line, " \t\r,;"), *value;
        if (!*name) break;
        line = name + strcspn(name, " \t\r,;");
        if (*line) *line++ = 0;
        value = strchr(name, '=');
        if (!value) {
            char *end;
            const long number = strtol(name, &end, 10);
            if (*end || number < 0 || number >= SGEMM_EMU_CONFIGS) return -1;
            forced.config = sgemm_emu_configs[number];
        } else {
            *value = 0;
            if (!sgemm_emu_set(&forced, name, value + 1)) return -1;
        }
        words++;
    }
    if (!words) return 0;
    more = (sgemm_emu_forced *)realloc(sgemm_emu_runtime.forced,
                                ((size_t)sgemm_emu_runtime.count + 1) * sizeof *more);
    if (!more) return -1;
    sgemm_emu_runtime.forced = more;
    more[sgemm_emu_runtime.count++] = forced;
    return 0;
}

static inline char *
sgemm_emu_read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = 0;
    long size = -1;
    if (!file) return 0;
    if (!fseek(file, 0, SEEK_END)) size = ftell(file);
    if (size >= 0 && !fseek(file, 0, SEEK_SET)) text = (char *)malloc((size_t)size + 1);
    if (text) text[fread(text, 1, (size_t)size, file)] = 0;
    fclose(file);
    return text;
}

static inline int
sgemm_emu_force_locked(const char *text)
{
    char *own, *line, *next;
    int number = 0;
    free(sgemm_emu_runtime.forced);
    free(sgemm_emu_runtime.text);
    sgemm_emu_runtime.forced = 0;
    sgemm_emu_runtime.text = 0;
    sgemm_emu_runtime.count = 0;
    sgemm_emu_runtime.ready = 1;
    if (!text || !*text) return 0;
    if (*text == '@') {
        own = sgemm_emu_read_text(text + 1);
    } else {
        own = (char *)malloc(strlen(text) + 1);
        if (own) strcpy(own, text);
    }
    if (!own) return -1;
    sgemm_emu_runtime.text = own;
    for (line = own; line; line = next) {
        next = strchr(line, '\n');
        if (next) *next++ = 0;
        number++;
        if (sgemm_emu_add_forced(line)) return number;
    }
    return 0;
}

/* Under the lock: the environment's wishes, the first time. */
static inline void
sgemm_emu_start(void)
{
    const char *text = getenv("SGEMM_EMU_CONFIG");
    int status;
    if (sgemm_emu_runtime.ready) return;
    status = sgemm_emu_force_locked(text);
    if (status)
        fprintf(stderr, "SGEMM_EMU_CONFIG=%s: line %d is no configuration\n", text, status);
    if (!sgemm_emu_runtime.misses) sgemm_emu_runtime.misses = getenv("SGEMM_EMU_MISSES");
}

/* Force configurations: "3" (a number of the table), "BM=64 BN=32" (over the default's
 * values), "@FILE" with such lines, which may name sizes: the first line whose sizes are
 * the problem's counts. A null pointer forces none. 0, the number of a line that is wrong
 * (those before it hold), or -1: no such file, or no memory. Without a call, the
 * environment's SGEMM_EMU_CONFIG is taken. Not while another thread uses what was forced before. */
static inline int
sgemm_emu_force(const char *text)
{
    int status;
    sgemm_emu_enter();
    sgemm_emu_start();
    status = sgemm_emu_force_locked(text);
    sgemm_emu_leave();
    return status;
}

/* Append missed problems to this file, a list for hone tune --problems. Without a call,
 * the environment's SGEMM_EMU_MISSES is taken. The text is borrowed. */
static inline void
sgemm_emu_note_misses(const char *path)
{
    sgemm_emu_enter();
    sgemm_emu_start();
    sgemm_emu_runtime.misses = path;
    sgemm_emu_leave();
}

/* Call hook for each selection that no row answers, by any thread. */
static inline void
sgemm_emu_on_miss(void (*hook)(void *context, int tier, long long K, long long M, long long N),
           void *context)
{
    sgemm_emu_enter();
    sgemm_emu_runtime.on_miss = hook;
    sgemm_emu_runtime.context = context;
    sgemm_emu_leave();
}

/* What is forced for a problem, or a null pointer: the table's own where it has the same. */
static inline const sgemm_emu_config *
sgemm_emu_override(long long K, long long M, long long N)
{
    const sgemm_emu_config *found = 0;
    int i;
    sgemm_emu_enter();
    sgemm_emu_start();
    for (i = 0; i < sgemm_emu_runtime.count && !found; i++) {
        const sgemm_emu_forced *forced = &sgemm_emu_runtime.forced[i];
        if (forced->asks[0] && !(forced->problem.K == K)) continue;
        if (forced->asks[1] && !(forced->problem.M == M)) continue;
        if (forced->asks[2] && !(forced->problem.N == N)) continue;
        found = &forced->config;
    }
    for (i = 0; found && i < SGEMM_EMU_CONFIGS; i++)
        if (sgemm_emu_configs[i].BK == found->BK &&
            sgemm_emu_configs[i].BM == found->BM &&
            sgemm_emu_configs[i].BN == found->BN &&
            strcmp(sgemm_emu_configs[i].LAYOUT, found->LAYOUT) == 0 &&
            sgemm_emu_configs[i].SCALE == found->SCALE &&
            sgemm_emu_configs[i].SWAP == found->SWAP) {
            found = &sgemm_emu_configs[i];
            break;
        }
    sgemm_emu_leave();
    return found;
}

/* No row answered. Each of the first 256 problems is noted once; texts of a problem
 * must live as long as the program. */
static inline void
sgemm_emu_missed(int tier, long long K, long long M, long long N)
{
    void (*hook)(void *context, int tier, long long K, long long M, long long N);
    void *context;
    int i, fresh = 1;
    if (tier < SGEMM_EMU_MISS_FROM) return;
    sgemm_emu_enter();
    hook = sgemm_emu_runtime.on_miss;
    context = sgemm_emu_runtime.context;
    for (i = 0; i < sgemm_emu_runtime.seen_count && fresh; i++) {
        const sgemm_emu_problem *seen = &sgemm_emu_runtime.seen[i];
        fresh = !(seen->K == K && seen->M == M && seen->N == N);
    }
    if (fresh && sgemm_emu_runtime.misses && *sgemm_emu_runtime.misses &&
        sgemm_emu_runtime.seen_count < SGEMM_EMU_SEEN_MOST) {
        FILE *file = fopen(sgemm_emu_runtime.misses, "a");
        sgemm_emu_problem *seen = &sgemm_emu_runtime.seen[sgemm_emu_runtime.seen_count++];
        memset(seen, 0, sizeof *seen);
        seen->K = K;
        seen->M = M;
        seen->N = N;
        if (file) {
            fprintf(file, "{\"K\":%lld", K);
            fprintf(file, ",\"M\":%lld", M);
            fprintf(file, ",\"N\":%lld", N);
            fputs("}\n", file);
            fclose(file);
        }
    }
    sgemm_emu_leave();
    if (hook) hook(context, tier, K, M, N);
}
#endif /* SGEMM_EMU_RUNTIME */

/* The configuration for a GPU and problem; *tier says what answered (tier may be a
 * null pointer). A null pointer where no configuration may run: SGEMM_EMU_NONE. */
static inline const sgemm_emu_config *
sgemm_emu_select_for(const sgemm_emu_gpu *gpu, long long K, long long M, long long N, int *tier)
{
    int answered, number;
#ifdef SGEMM_EMU_RUNTIME
    const sgemm_emu_config *forced = sgemm_emu_override(K, M, N);
    if (forced) {
        if (tier) *tier = SGEMM_EMU_FORCED;
        return forced;
    }
#endif
    number = sgemm_emu_number_for(gpu, K, M, N, &answered);
    if (tier) *tier = answered;
#ifdef SGEMM_EMU_RUNTIME
    if (answered != SGEMM_EMU_EXACT) sgemm_emu_missed(answered, K, M, N);
#endif
    return number < 0 ? 0 : &sgemm_emu_configs[number];
}

static inline const sgemm_emu_config *
sgemm_emu_select(int cc_major, int cc_minor, int sm_count, long long K, long long M, long long N,
    int *tier)
{
    const sgemm_emu_gpu gpu = sgemm_emu_gpu_of(cc_major, cc_minor, sm_count);
    return sgemm_emu_select_for(&gpu, K, M, N, tier);
}

/* A row for compile time: define SGEMM_EMU_ROW before the header is included. */
#ifndef SGEMM_EMU_ROW
#define SGEMM_EMU_ROW 0
#endif
#if SGEMM_EMU_ROW == 0
#define SGEMM_EMU_BK 8
#define SGEMM_EMU_BM 64
#define SGEMM_EMU_BN 128
#define SGEMM_EMU_LAYOUT "col"
#define SGEMM_EMU_SCALE 0.5
#define SGEMM_EMU_SWAP 1
#define SGEMM_EMU_DEFINES "-DBK=8 -DBM=64 -DBN=128 -DLAYOUT=col -DSCALE=0.5 -DSWAP=1"
#define SGEMM_EMU_PREDICTED_US 653.244
#else
#error "SGEMM_EMU_ROW is the number of no row"
#endif

#elif HONE_EMITTED_sgemm_emu != 0x1367fd18u
#error "two headers sgemm_emu that differ: emit one of them with --name"
#endif
