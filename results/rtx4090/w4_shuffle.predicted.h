/* Tuned configurations of the kernel w4_shuffle. Emitted by hone 0.1.0 (form 3): do not edit.
 * PREDICTED by the emulator's model, not measured (how accurate: docs/emulator.md); clock emulated
 * Valid: emulated, and equal to the reference, within the script's tolerance, at its verify sizes.
 * Selected: the row of this size and GPU (compute capability and SM count); else the nearest row,
 *     however far, of the same major version that fits there; else the author's default
 *     (configuration 2) or any that fits; else null.
 * To launch: w4_shuffle_select gives a configuration,
 *     w4_shuffle_defines[config - w4_shuffle_configs] the options to compile w4_shuffle.cu with;
 *     w4_shuffle_grid, w4_shuffle_block, w4_shuffle_shared_bytes its launch. C99, C++11, CUDA.
 * Missing: measured times; tuning for other sizes and GPUs; the kernel's code (--payload).
 * No configuration on compute capability 7.0, 7.5; elsewhere for K odd, K tiny, N odd,
 *     N tiny (tried: sizes of rows, one less (odd), 1 (tiny), 2^30 (huge)), as constraints,
 *     arguments or launches forbid: tune such, or expect null.
 *
 * Device 0: NVIDIA GeForce RTX 4090 (compute capability 8.9, 128 SMs)
 *   2 configurations for 3 problems; slower than the best by 0.0 % on average, 0.0 % at worst
 *   tuned: K 4096 to 14336, N 4096 to 14336; other sizes, however far, get the configuration of a
 *     decision tree
 *   expected regret of that: not known: tune the problems together
 * Row 0, configuration 0: K = 4096, N = 4096
 *   19.6841 us (predicted); predicted 1.001 times as fast as the author's default
 *   strategy portfolio, seed 1, 24 evaluated, 24 of them valid, of 24 in the space
 *   results at this size: equal to the reference's
 * Row 1, configuration 1: K = 4096, N = 14336
 *   65.1758 us (predicted); predicted 1.002 times as fast as the author's default
 *   strategy portfolio, seed 1, 24 evaluated, 24 of them valid, of 24 in the space
 *   results at this size: as the majority has them
 * Row 2, configuration 1: K = 14336, N = 4096
 *   65.1758 us (predicted); predicted 1.002 times as fast as the author's default
 *   strategy portfolio, seed 1, 24 evaluated, 24 of them valid, of 24 in the space
 *   results at this size: as the majority has them
 */
#ifndef HONE_EMITTED_w4_shuffle
#define HONE_EMITTED_w4_shuffle 0x07099238u
#if defined(BLOCK) || defined(UNITS) || defined(K) || defined(N)
#error "w4_shuffle: include this header before its parameters or sizes are macros"
#endif

/* What the kernel is compiled with. */
typedef struct w4_shuffle_config {
    int BLOCK, UNITS;
    unsigned block[3]; /* of its launch */
} w4_shuffle_config;
/* A GPU: w4_shuffle_gpu_of makes one, set what is known better; 0 is unknown, and 0 to
 * constraints and launches that read it: cc_major. */
typedef struct w4_shuffle_gpu { int cc_major, cc_minor, sm_count; long long l2_bytes, memory_bytes,
    max_shared_bytes; } w4_shuffle_gpu;
typedef struct {
    const char *name;
    w4_shuffle_gpu gpu;
    int first, count; /* groups of rows */
    const char *provenance;
} w4_shuffle_device;
typedef struct { long long K, N; } w4_shuffle_problem;
typedef struct {
    int device, config;
    w4_shuffle_problem problem;
    int lg[2]; /* of the sizes */
    double predicted_us;
} w4_shuffle_row;
/* Rows that one rule serves; tree: its first node; -1: the nearest row serves. */
typedef struct w4_shuffle_group {
    int first, count, tree;
    int configs, config_count; /* in w4_shuffle_preferences, the best first */
} w4_shuffle_group;

enum { W4_SHUFFLE_DEFAULT_CONFIG = 2, W4_SHUFFLE_CONFIGS = 3, W4_SHUFFLE_DEVICES = 1,
    W4_SHUFFLE_ROWS = 3 };
static const w4_shuffle_config w4_shuffle_configs[W4_SHUFFLE_CONFIGS] = {
    {32, 8, {32, 1, 1}},
    {32, 4, {32, 1, 1}},
    {256, 4, {256, 1, 1}},
};
static const char *const w4_shuffle_defines[W4_SHUFFLE_CONFIGS] = {
    "-DBLOCK=32 -DUNITS=8",
    "-DBLOCK=32 -DUNITS=4",
    "-DBLOCK=256 -DUNITS=4",
};
static const w4_shuffle_device w4_shuffle_devices[W4_SHUFFLE_DEVICES] = {
    {"NVIDIA GeForce RTX 4090", {8, 9, 128, 75497472, 24696061952LL, 101376}, 0, 1,
     "predicted; clock emulated; driver emulator 1, NVRTC 13.0, recorded by hone 0.1.0; template "
             "w4_shuffle.cu, template hash 359d806b3e4b24c6951dad266e0beeda, space hash "
             "62bc173829dad5ce63a144a8c435f832, options hash a6b86b64094343ae56dc37e12884696b"},
};
static const w4_shuffle_row w4_shuffle_rows[W4_SHUFFLE_ROWS] = {
    {0, 0, {4096, 4096}, {786432, 786432}, 19.6841173},
    {0, 1, {4096, 14336}, {786432, 901120}, 65.1758004},
    {0, 1, {14336, 4096}, {901120, 786432}, 65.1758004},
};

/* A node asks for the logarithm of size a, less that of size b (-1: alone), or the sum of
 * all (-2): up to `at` on to low, else to high; below 0: ~number of a configuration. */
typedef struct w4_shuffle_node { int a, b, at, low, high; } w4_shuffle_node;
static const w4_shuffle_node w4_shuffle_nodes[] = {
    {0, -1, 2147483647, -2, -2},
};

static const int w4_shuffle_preferences[] = {
    1, 0,
};
static const w4_shuffle_group w4_shuffle_groups[] = {
    {0, 3, 0, 0, 2},
};

#if defined(__cplusplus) && __cplusplus >= 201703L /* w4_shuffle_arch<80>.FIELD, one for every cc */
extern "C++" { template <int cc> static constexpr w4_shuffle_config w4_shuffle_arch =
    {32, 4, {32, 1, 1}}; }
#endif
/* As in Lua 5.4: integers wrap, // and % round down; 0 where Lua raises an error. */
static inline long long w4_shuffle_sub(long long a, long long b) {
    return (long long)((unsigned long long)a - (unsigned long long)b);
}
static inline long long w4_shuffle_mul(long long a, long long b) {
    return (long long)((unsigned long long)a * (unsigned long long)b);
}
static inline long long w4_shuffle_neg(long long a) {
    return w4_shuffle_sub(0, a);
}
static inline long long w4_shuffle_max(long long a, long long b) {
    return a < b ? b : a;
}
static inline long long w4_shuffle_floor_mod(long long a, long long b) {
    if (b == 0 || b == -1) return 0;
    return a % b + (a % b != 0 && (a < 0) != (b < 0) ? b : 0);
}
static inline long long w4_shuffle_ceil_div(long long a, long long b) {
    if (b == 0 || b == -1) return b == 0 ? 0 : w4_shuffle_neg(a);
    return a / b + (a % b != 0 && (a < 0) == (b < 0));
}

/* The kernel, by its arguments and their elements: w4_shuffle(input u32 plain[max(1, K * N / 8)],
 *     inout u32 shuffled[max(1, K * N / 8)], scalar i32 K, N). */
/* The launch; shared memory is dynamic. Where CUDA refuses: grid, block 0, bytes ~0. */
static inline void w4_shuffle_grid(const w4_shuffle_config *config, long long K, long long N,
    unsigned grid[3]) {
    grid[0] = grid[1] = grid[2] = 0;
    if (!config) return;
    const long long grid_x =
            w4_shuffle_max(1,
            w4_shuffle_ceil_div(w4_shuffle_mul(K, N), 32 * config->BLOCK * config->UNITS));
    if (grid_x > 2147483647) return;
    grid[0] = (unsigned)grid_x, grid[1] = 1, grid[2] = 1;
}
static inline void w4_shuffle_block(const w4_shuffle_config *config, long long K, long long N,
    unsigned block[3]) {
    (void)K, (void)N;
    for (int i = 0; i < 3; i++) block[i] = config ? config->block[i] : 0;
}
static inline unsigned w4_shuffle_shared_bytes(const w4_shuffle_config *config, long long K,
    long long N) {
    (void)K, (void)N;
    return config ? 0 : ~0u;
}

/* Whether a configuration may run on a GPU and problem it was not measured on. */
static inline int w4_shuffle_fits(int number, const w4_shuffle_gpu *gpu, long long K, long long N)
{
    const w4_shuffle_config *config = &w4_shuffle_configs[number];
    unsigned grid[3];
    if (w4_shuffle_floor_mod(N, 16) != 0) return 0;
    if (w4_shuffle_floor_mod(K, 64) != 0) return 0;
    if (gpu->cc_major < 8) return 0;
    if (K < 0 || K != (int)K || N < 0 || N != (int)N) return 0;
    w4_shuffle_grid(config, K, N, grid);
    if (!grid[0]) return 0;
    return 1;
}

/* Tuned for this size and GPU; another size, SM count, minor version; not near; null. */
enum { W4_SHUFFLE_EXACT, W4_SHUFFLE_SAME_DEVICE, W4_SHUFFLE_SAME_ARCH, W4_SHUFFLE_SAME_FAMILY,
    W4_SHUFFLE_DEFAULT, W4_SHUFFLE_NONE };
/* Binary logarithm in 1/65536, exact at powers of two, linear between. */
static inline int w4_shuffle_lg(long long size) {
    int e = 0;
    if (size < 1) return -65536;
#ifdef __GNUC__
    e = 63 - __builtin_clzll((unsigned long long)size);
#else
    while (size >> e > 1) e++;
#endif
    return (e - 1) * 65536 + (int)((unsigned long long)size << (63 - e) >> 47);
}

/* The leaf of a tree of which `at` is the first node: ~number of a configuration. lg: the
 * logarithms of the sizes; sum: of all. */
static inline int w4_shuffle_leaf(const w4_shuffle_node *nodes, int at, const int *lg, int sum) {
    while (at >= 0) {
        const w4_shuffle_node *node = &nodes[at];
        const int feature = node->b >= 0 ? lg[node->a] - lg[node->b]
                : (node->b == -1 ? lg[node->a] : sum);
        at = feature <= node->at ? node->low : node->high;
    }
    return at;
}

static inline int w4_shuffle_apart(long long a, long long b) {
    const int gap = a > 0 && b > 0 ? w4_shuffle_lg(a) - w4_shuffle_lg(b) : 0;
    return gap < 0 ? -gap : gap;
}

/* How far a device of the table is from a GPU: 0, 1 or 2 (another number of
 * multiprocessors, another minor version) << 48, and more; 0: of no use. */
static inline long long w4_shuffle_distance(const w4_shuffle_gpu *a, const w4_shuffle_gpu *gpu,
    int place) {
    long long minors = (long long)a->cc_minor - gpu->cc_minor, level, gap;
    if (!a->cc_major || a->cc_major != gpu->cc_major) return 0;
    if (minors < 0) minors = -minors;
    if (minors > 2047) minors = 2047;
    level = minors ? 2 : a->sm_count != gpu->sm_count;
    gap = 65536 * minors + 2 * w4_shuffle_apart(a->sm_count, gpu->sm_count)
            + w4_shuffle_apart(a->l2_bytes, gpu->l2_bytes)
            + w4_shuffle_apart(a->memory_bytes, gpu->memory_bytes);
    return (level << 48) + (gap << 20) + place + 1;
}

/* The place of the device that is this GPU, or -1. */
static inline int w4_shuffle_own(const w4_shuffle_device *devices, int count,
    const w4_shuffle_gpu *gpu) {
    for (int i = 0; i < count; i++) {
        const w4_shuffle_gpu *a = &devices[i].gpu;
        if (a->sm_count == gpu->sm_count && a->cc_major == gpu->cc_major
                && a->l2_bytes == gpu->l2_bytes && a->cc_minor == gpu->cc_minor
                && a->memory_bytes == gpu->memory_bytes && a->cc_major)
            return i;
    }
    return -1;
}

/* That of the nearest one farther than *distance, which becomes its own; or -1. */
static inline int w4_shuffle_next(const w4_shuffle_device *devices, int count,
    const w4_shuffle_gpu *gpu, long long *distance) {
    const long long last = *distance;
    int best = -1;
    for (int i = 0; i < count; i++) {
        const long long key = w4_shuffle_distance(&devices[i].gpu, gpu, i);
        if (key <= last || (best >= 0 && key >= *distance)) continue;
        *distance = key;
        best = i;
    }
    return best;
}

/* The row of this very problem, or -1. */
static inline int w4_shuffle_find(const w4_shuffle_group *group, long long K, long long N) {
    int low = group->first, high = low + group->count;
    while (low < high) {
        const int middle = (low + high) >> 1;
        const w4_shuffle_problem *row = &w4_shuffle_rows[middle].problem;
        if (K < row->K || (K == row->K && N < row->N))
            high = middle;
        else if (!(K == row->K && N == row->N))
            low = middle + 1;
        else
            return middle;
    }
    return -1;
}

/* The configuration for a problem that is no row. */
static inline int w4_shuffle_rule(const w4_shuffle_group *group, long long K, long long N) {
    int best = group->first;
    int lg[2], i, at;
    long long least = -1;
    lg[0] = w4_shuffle_lg(K);
    lg[1] = w4_shuffle_lg(N);
    if (group->tree >= 0) return ~w4_shuffle_leaf(w4_shuffle_nodes, group->tree, lg, lg[0] + lg[1]);
    for (i = group->first; i < group->first + group->count; i++) {
        long long apart = 0;
        for (at = 0; at < 2; at++) {
            const long long gap = (long long)lg[at] - w4_shuffle_rows[i].lg[at];
            apart += gap * gap;
        }
        if (least >= 0 && apart >= least) continue;
        least = apart;
        best = i;
    }
    return w4_shuffle_rows[best].config;
}

/* What a device of the table has for this problem, or -1; same: it is the one at hand. */
static inline int w4_shuffle_of_device(const w4_shuffle_device *device, int same,
    const w4_shuffle_gpu *gpu, long long K, long long N, int *exact) {
    int g, i, number;
    for (g = device->first; g < device->first + device->count; g++) {
        const w4_shuffle_group *group = &w4_shuffle_groups[g];
        i = w4_shuffle_find(group, K, N);
        number = i < 0 ? -1 : w4_shuffle_rows[i].config;
        *exact = i >= 0 && (same || w4_shuffle_fits(number, gpu, K, N));
        if (*exact) return number;
        for (i = -1; i < group->config_count; i++) {
            number = i < 0 ? w4_shuffle_rule(group, K, N)
                    : w4_shuffle_preferences[group->configs + i];
            if (w4_shuffle_fits(number, gpu, K, N)) return number;
        }
        return -1;
    }
    return -1;
}

/* The configuration for a GPU and problem, or null; *tier, if not null: how near. */
static inline const w4_shuffle_config *w4_shuffle_select_for(const w4_shuffle_gpu *gpu, long long K,
    long long N, int *tier) {
    long long last = 0;
    int answered, exact = 0, i = w4_shuffle_own(w4_shuffle_devices, W4_SHUFFLE_DEVICES, gpu);
    if (!tier) tier = &answered;
    for (;; i = -1) {
        if (i < 0) i = w4_shuffle_next(w4_shuffle_devices, W4_SHUFFLE_DEVICES, gpu, &last);
        if (i < 0) break;
        const int level = (int)(last >> 48);
        const int number = w4_shuffle_of_device(&w4_shuffle_devices[i], !level, gpu, K, N, &exact);
        if (number < 0) continue;
        *tier = exact && !level ? W4_SHUFFLE_EXACT : W4_SHUFFLE_SAME_DEVICE + level;
        return &w4_shuffle_configs[number];
    }
    for (i = -1; i < W4_SHUFFLE_CONFIGS; i++) {
        const int number = i < 0 ? W4_SHUFFLE_DEFAULT_CONFIG : i;
        if (!w4_shuffle_fits(number, gpu, K, N)) continue;
        *tier = W4_SHUFFLE_DEFAULT;
        return &w4_shuffle_configs[number];
    }
    *tier = W4_SHUFFLE_NONE;
    return 0;
}

/* Limits from the table; max_shared_bytes, for which nothing asks, is 0 elsewhere. */
static inline w4_shuffle_gpu w4_shuffle_gpu_of(int cc_major, int cc_minor, int sm_count) {
    w4_shuffle_gpu gpu = w4_shuffle_devices[0].gpu;
    if (cc_major != gpu.cc_major || cc_minor != gpu.cc_minor) gpu.max_shared_bytes = 0;
    gpu.cc_major = cc_major, gpu.cc_minor = cc_minor, gpu.sm_count = sm_count;
    return gpu;
}
static inline const w4_shuffle_config *w4_shuffle_select(int cc_major, int cc_minor, int sm_count,
    long long K, long long N, int *tier) {
    const w4_shuffle_gpu gpu = w4_shuffle_gpu_of(cc_major, cc_minor, sm_count);
    return w4_shuffle_select_for(&gpu, K, N, tier);
}
#elif HONE_EMITTED_w4_shuffle != 0x07099238u
#error "two headers w4_shuffle that differ: emit one of them with --name"
#endif
