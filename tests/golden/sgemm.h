/* Tuned configurations of the kernel sgemm. Emitted by hone 0.1.0 (form 3): do not edit.
 * MEASURED: times are medians of n launches; clock cupti
 * Intervals are those of the ratio of two medians whose standard error is
 * sqrt(pi / 2) s / sqrt(n), as of normal samples.
 * Valid: built, and run; whether results were verified, no journal recorded.
 * Selected: the row of this size and GPU (compute capability and SM count); else the nearest row,
 *     however far, of the same major version that fits there; else the best on average of what was
 *     valid on all devices (configuration 0; 71.3 % of each device's best) or any that fits; else
 *     null.
 * To launch: sgemm_select gives a configuration, sgemm_defines[config - sgemm_configs] the options
 *     to compile sgemm.cu with and those of the script's defines, which no journal recorded;
 *     sgemm_grid, sgemm_block, sgemm_shared_bytes its launch. C99, C++11, CUDA.
 * Missing: a look at the results of every row; tuning for other sizes and GPUs; the kernel's code
 *     (--payload).
 * No configuration for K huge (tried: sizes of rows, one less (odd), 1 (tiny), 2^30 (huge)),
 *     as constraints, arguments or launches forbid: tune such, or expect null.
 *
 * Device 0: NVIDIA A100-SXM4-80GB (compute capability 8.0, 108 SMs)
 * Row 0, configuration 0: K = 4096, M = 4096, N = 4096
 *   1313.2 us, n 32, standard deviation 0.487 %; 2.510 times as fast as the author's default (95 %
 *     interval 2.504 to 2.517)
 *   strategy random, seed 3, 25 evaluated, 22 of them valid, of 96 in the space
 *
 * Device 1: NVIDIA H200 (compute capability 9.0, 132 SMs)
 *   2 configurations for 2 problems; slower than the best by 0.0 % on average, 0.0 % at worst
 *   tuned: K 512 to 4096, M 1000 to 4096, N 777 to 4096; other sizes, however far,
 *     get the configuration of the nearest one
 *   expected regret of that: not known: tune the problems together
 * Row 1, configuration 1: K = 512, M = 1000, N = 777
 *   13.702 us, n 32, standard deviation 0.271 %; 2.591 times as fast as the author's default (95 %
 *     interval 2.581 to 2.599, 36 paired rounds)
 *   strategy random, seed 2, 25 evaluated, 24 of them valid, of 96 in the space
 * Row 2, configuration 2: K = 4096, M = 4096, N = 4096
 *   664.32 us, n 32, standard deviation 0.452 %; 1.916 times as fast as the author's default (95 %
 *     interval 1.912 to 1.920)
 *   strategy random, seed 1, 25 evaluated, 24 of them valid, of 96 in the space
 */
#ifndef HONE_EMITTED_sgemm
#define HONE_EMITTED_sgemm 0x81840887u
#if defined(BK) || defined(BM) || defined(BN) || defined(LAYOUT) || defined(SCALE) \
    || defined(SWAP) || defined(K) || defined(M) || defined(N) || defined(WAVES)
#error "sgemm: include this header before its parameters or sizes are macros"
#endif

/* What the kernel is compiled with. */
typedef struct sgemm_config {
    int BK, BM, BN;
    const char *LAYOUT;
    double SCALE;
    int SWAP;
    long long device_sm_count; /* of the device it was tuned on */
    unsigned block[3], shared_bytes; /* of its launch */
} sgemm_config;
/* A GPU: sgemm_gpu_of makes one, set what is known better; 0 is unknown, and 0 to
 * constraints and launches that read it: sm_count. */
typedef struct sgemm_gpu { int cc_major, cc_minor, sm_count; long long l2_bytes, memory_bytes,
    max_shared_bytes; } sgemm_gpu;
typedef struct {
    const char *name;
    sgemm_gpu gpu;
    int first, count; /* groups of rows */
    const char *provenance;
} sgemm_device;
typedef struct { long long K, M, N; } sgemm_problem;
typedef struct {
    int device, config;
    sgemm_problem problem;
    int lg[3]; /* of the sizes */
    double time_us;
} sgemm_row;
/* Rows that one rule serves; tree is -1: the nearest row serves. */
typedef struct sgemm_group {
    int first, count, tree;
    int configs, config_count; /* in sgemm_preferences, the best first */
} sgemm_group;

enum { SGEMM_DEFAULT_CONFIG = 0, SGEMM_CONFIGS = 3, SGEMM_DEVICES = 2, SGEMM_ROWS = 3 };
static const sgemm_config sgemm_configs[SGEMM_CONFIGS] = {
    {16, 32, 64, "row", 1.25, 1, 108, {16, 1, 1}, 12416},
    {8, 32, 128, "row", 1.25, 1, 132, {64, 1, 1}, 10368},
    {16, 64, 64, "row", 0.5, 0, 132, {32, 1, 1}, 8320},
};
static const char *const sgemm_defines[SGEMM_CONFIGS] = {
    "-DBK=16 -DBM=32 -DBN=64 -DLAYOUT=row -DSCALE=1.25 -DSWAP=1",
    "-DBK=8 -DBM=32 -DBN=128 -DLAYOUT=row -DSCALE=1.25 -DSWAP=1",
    "-DBK=16 -DBM=64 -DBN=64 -DLAYOUT=row -DSCALE=0.5 -DSWAP=0",
};
static const sgemm_device sgemm_devices[SGEMM_DEVICES] = {
    {"NVIDIA A100-SXM4-80GB", {8, 0, 108, 0, 0, 166912}, 0, 1,
     "measured; clock cupti; driver 550.54.14, NVRTC 13.0, recorded by hone 0.1.0; template "
             "sgemm.cu, template hash 5d41402abc4b2a76b9719d911017c592, space hash "
             "7d793037a0760186574b0282f2f435e7, options hash 9b74c9897bac770ffc029102a200c5de"},
    {"NVIDIA H200", {9, 0, 132, 0, 0, 232448}, 1, 1,
     "measured; clock cupti; driver 570.86.15, NVRTC 13.0, recorded by hone 0.1.0; template "
             "sgemm.cu, template hash 5d41402abc4b2a76b9719d911017c592, space hash "
             "7d793037a0760186574b0282f2f435e7, options hash 9b74c9897bac770ffc029102a200c5de"},
};
static const sgemm_gpu sgemm_least_gpu = {8, 0, 108, 0, 0, 166912};
static const sgemm_row sgemm_rows[SGEMM_ROWS] = {
    {0, 0, {4096, 4096, 4096}, {786432, 786432, 786432}, 1313.197},
    {1, 1, {512, 1000, 777}, {589824, 652288, 623744}, 13.702},
    {1, 2, {4096, 4096, 4096}, {786432, 786432, 786432}, 664.32},
};

static const int sgemm_preferences[] = {
    0,
    1, 2,
};
static const sgemm_group sgemm_groups[] = {
    {0, 1, -1, 0, 1},
    {1, 2, -1, 1, 2},
};

#if defined(__cplusplus) \
    && __cplusplus >= 201703L /* sgemm_arch<80>.FIELD, of the next lower cc else */
extern "C++" { template <int cc> static constexpr sgemm_config sgemm_arch =
    cc >= 90 ? sgemm_config{8, 32, 128, "row", 1.25, 1, 132, {64, 1, 1}, 10368} :
    sgemm_config{16, 32, 64, "row", 1.25, 1, 108, {16, 1, 1}, 12416}; }
#endif
/* As in Lua 5.4: integers wrap. */
static inline long long sgemm_mul(long long a, long long b) {
    return (long long)((unsigned long long)a * (unsigned long long)b);
}
static inline long long sgemm_min(long long a, long long b) {
    return b < a ? b : a;
}
static inline int sgemm_in_range(double f) {
    return f >= -9223372036854775808.0 && f < 9223372036854775808.0;
}
/* -1, 0, 1 for i <=> f; 2 where f is not a number */
static inline int sgemm_cmp_if(long long i, double f) {
    if (f != f) return 2;
    if (!sgemm_in_range(f)) return f > 0 ? -1 : 1;
    if (i != (long long)f) return i < (long long)f ? -1 : 1;
    return f > (double)i ? -1 : f < (double)i;
}

/* The launch; shared memory is dynamic. Where CUDA refuses: grid, block 0, bytes ~0. */
static inline void sgemm_grid(const sgemm_config *config, long long K, long long M, long long N,
    unsigned grid[3]) {
    grid[0] = grid[1] = grid[2] = 0;
    if (!config) return;
    const long long WAVES = sgemm_cmp_if(1, config->SCALE) < 0 ? 8 : 4;
    const long long grid_x = (N / config->BN + (N % config->BN > 0)) * (config->SWAP ? 1 : 2);
    const long long grid_y =
            sgemm_min(M / config->BM + (M % config->BM > 0),
            sgemm_mul(WAVES, config->device_sm_count));
    const long long grid_z = K / 4096 - (K % 4096 < 0) + 1;
    if (grid_x < 1 || grid_x > 2147483647 || grid_y < 1 || grid_y > 65535 || grid_z < 1
            || grid_z > 65535) return;
    grid[0] = (unsigned)grid_x, grid[1] = (unsigned)grid_y, grid[2] = (unsigned)grid_z;
}
static inline void sgemm_block(const sgemm_config *config, long long K, long long M, long long N,
    unsigned block[3]) {
    (void)K, (void)M, (void)N;
    for (int i = 0; i < 3; i++) block[i] = config ? config->block[i] : 0;
}
static inline unsigned sgemm_shared_bytes(const sgemm_config *config, long long K, long long M,
    long long N) {
    (void)K, (void)M, (void)N;
    return config ? config->shared_bytes : ~0u;
}

/* Whether a configuration may run on a GPU and problem it was not measured on. */
static inline int sgemm_fits(int number, const sgemm_gpu *gpu, long long K, long long M,
    long long N) {
    sgemm_config here = sgemm_configs[number];
    const sgemm_config *config = &here;
    unsigned grid[3];
    here.device_sm_count = gpu->sm_count;
    if (K < 0 || M < 0 || N < 0) return 0;
    sgemm_grid(config, K, M, N, grid);
    if (!grid[0]) return 0;
    return 1;
}

/* Tuned for this size and GPU; another size, SM count, minor version; not near; null. */
enum { SGEMM_EXACT, SGEMM_SAME_DEVICE, SGEMM_SAME_ARCH, SGEMM_SAME_FAMILY, SGEMM_DEFAULT,
    SGEMM_NONE };
/* Binary logarithm in 1/65536, exact at powers of two, linear between. */
static inline int sgemm_lg(long long size) {
    int e = 0;
    if (size < 1) return -65536;
#ifdef __GNUC__
    e = 63 - __builtin_clzll((unsigned long long)size);
#else
    while (size >> e > 1) e++;
#endif
    return (e - 1) * 65536 + (int)((unsigned long long)size << (63 - e) >> 47);
}

static inline int sgemm_apart(long long a, long long b) {
    const int gap = a > 0 && b > 0 ? sgemm_lg(a) - sgemm_lg(b) : 0;
    return gap < 0 ? -gap : gap;
}

/* How far a device of the table is from a GPU: 0, 1 or 2 (another number of
 * multiprocessors, another minor version) << 48, and more; 0: of no use. */
static inline long long sgemm_distance(const sgemm_gpu *a, const sgemm_gpu *gpu, int place) {
    long long minors = (long long)a->cc_minor - gpu->cc_minor, level, gap;
    if (!a->cc_major || a->cc_major != gpu->cc_major) return 0;
    if (minors < 0) minors = -minors;
    if (minors > 2047) minors = 2047;
    level = minors ? 2 : a->sm_count != gpu->sm_count;
    gap = 65536 * minors + 2 * sgemm_apart(a->sm_count, gpu->sm_count)
            + sgemm_apart(a->l2_bytes, gpu->l2_bytes)
            + sgemm_apart(a->memory_bytes, gpu->memory_bytes);
    return (level << 48) + (gap << 20) + place + 1;
}

/* The place of the device that is this GPU, or -1. */
static inline int sgemm_own(const sgemm_device *devices, int count, const sgemm_gpu *gpu) {
    for (int i = 0; i < count; i++) {
        const sgemm_gpu *a = &devices[i].gpu;
        if (a->sm_count == gpu->sm_count && a->cc_major == gpu->cc_major
                && a->l2_bytes == gpu->l2_bytes && a->cc_minor == gpu->cc_minor
                && a->memory_bytes == gpu->memory_bytes && a->cc_major)
            return i;
    }
    return -1;
}

/* That of the nearest one farther than *distance, which becomes its own; or -1. */
static inline int sgemm_next(const sgemm_device *devices, int count, const sgemm_gpu *gpu,
    long long *distance) {
    const long long last = *distance;
    int best = -1;
    for (int i = 0; i < count; i++) {
        const long long key = sgemm_distance(&devices[i].gpu, gpu, i);
        if (key <= last || (best >= 0 && key >= *distance)) continue;
        *distance = key;
        best = i;
    }
    return best;
}

/* The row of this very problem, or -1. */
static inline int sgemm_find(const sgemm_group *group, long long K, long long M, long long N) {
    int low = group->first, high = low + group->count;
    while (low < high) {
        const int middle = (low + high) >> 1;
        const sgemm_problem *row = &sgemm_rows[middle].problem;
        if (K < row->K || (K == row->K && (M < row->M || (M == row->M && N < row->N))))
            high = middle;
        else if (!(K == row->K && M == row->M && N == row->N))
            low = middle + 1;
        else
            return middle;
    }
    return -1;
}

/* The configuration for a problem that is no row. */
static inline int sgemm_rule(const sgemm_group *group, long long K, long long M, long long N) {
    int best = group->first;
    int lg[3], i, at;
    long long least = -1;
    lg[0] = sgemm_lg(K);
    lg[1] = sgemm_lg(M);
    lg[2] = sgemm_lg(N);
    for (i = group->first; i < group->first + group->count; i++) {
        long long apart = 0;
        for (at = 0; at < 3; at++) {
            const long long gap = (long long)lg[at] - sgemm_rows[i].lg[at];
            apart += gap * gap;
        }
        if (least >= 0 && apart >= least) continue;
        least = apart;
        best = i;
    }
    return sgemm_rows[best].config;
}

/* What a device of the table has for this problem, or -1; same: it is the one at hand. */
static inline int sgemm_of_device(const sgemm_device *device, int same, const sgemm_gpu *gpu,
    long long K, long long M, long long N, int *exact) {
    int g, i, number;
    for (g = device->first; g < device->first + device->count; g++) {
        const sgemm_group *group = &sgemm_groups[g];
        i = sgemm_find(group, K, M, N);
        number = i < 0 ? -1 : sgemm_rows[i].config;
        *exact = i >= 0 && (same || sgemm_fits(number, gpu, K, M, N));
        if (*exact) return number;
        for (i = -1; i < group->config_count; i++) {
            number = i < 0 ? sgemm_rule(group, K, M, N) : sgemm_preferences[group->configs + i];
            if (sgemm_fits(number, gpu, K, M, N)) return number;
        }
        return -1;
    }
    return -1;
}

/* The configuration for a GPU and problem, or null; *tier, if not null: how near. */
static inline const sgemm_config *sgemm_select_for(const sgemm_gpu *gpu, long long K, long long M,
    long long N, int *tier) {
    long long last = 0;
    int answered, exact = 0, i = sgemm_own(sgemm_devices, SGEMM_DEVICES, gpu);
    if (!tier) tier = &answered;
    for (;; i = -1) {
        if (i < 0) i = sgemm_next(sgemm_devices, SGEMM_DEVICES, gpu, &last);
        if (i < 0) break;
        const int level = (int)(last >> 48);
        const int number = sgemm_of_device(&sgemm_devices[i], !level, gpu, K, M, N, &exact);
        if (number < 0) continue;
        *tier = exact && !level ? SGEMM_EXACT : SGEMM_SAME_DEVICE + level;
        return &sgemm_configs[number];
    }
    for (i = -1; i < SGEMM_CONFIGS; i++) {
        const int number = i < 0 ? SGEMM_DEFAULT_CONFIG : i;
        if (!sgemm_fits(number, gpu, K, M, N)) continue;
        *tier = SGEMM_DEFAULT;
        return &sgemm_configs[number];
    }
    *tier = SGEMM_NONE;
    return 0;
}

/* Limits from the table; max_shared_bytes, for which nothing asks, is 0 elsewhere. */
static inline sgemm_gpu sgemm_gpu_of(int cc_major, int cc_minor, int sm_count) {
    sgemm_gpu gpu = sgemm_least_gpu;
    int i, found = 0;
    for (i = 0; i < SGEMM_DEVICES; i++) {
        const sgemm_gpu *known = &sgemm_devices[i].gpu;
        if (known->cc_major != cc_major || known->cc_minor != cc_minor) continue;
        if (found && (gpu.sm_count == sm_count || known->sm_count != sm_count)) continue;
        gpu = *known;
        found = 1;
    }
    if (!found) gpu.max_shared_bytes = 0;
    gpu.cc_major = cc_major, gpu.cc_minor = cc_minor, gpu.sm_count = sm_count;
    return gpu;
}
static inline const sgemm_config *sgemm_select(int cc_major, int cc_minor, int sm_count,
    long long K, long long M, long long N, int *tier) {
    const sgemm_gpu gpu = sgemm_gpu_of(cc_major, cc_minor, sm_count);
    return sgemm_select_for(&gpu, K, M, N, tier);
}
#elif HONE_EMITTED_sgemm != 0x81840887u
#error "two headers sgemm that differ: emit one of them with --name"
#endif
