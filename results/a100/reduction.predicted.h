/* Tuned configurations of the kernel reduction. Emitted by hone 0.1.0 (form 3): do not edit.
 * PREDICTED by the emulator's model, not measured (how accurate: docs/emulator.md); clock emulated
 * Valid: emulated, and equal to the reference, within the script's tolerance,
 *     at its verify sizes; 20 of them drawn, as BLOCKS=1 N=20000 PARTS=3; BLOCKS=1 N=4096 PARTS=1;
 *     BLOCKS=1 N=32 PARTS=2.
 * Selected: the row of this size and GPU (compute capability and SM count); else the nearest row,
 *     however far, of the same major version that fits there; else the author's default
 *     (configuration 2) or any that fits; else null.
 * To launch: reduction_select gives a configuration, reduction_defines[config - reduction_configs]
 *     the options to compile reduction.cu with; reduction_grid, reduction_block,
 *     reduction_shared_bytes its launch; reduction_partials_bytes bytes of partials (0: pass null).
 *     C99, C++11, CUDA.
 * Missing: measured times; tuning for other sizes and GPUs; the kernel's code (--payload).
 * No configuration for PARTS huge (tried: sizes of rows, one less (odd), 1 (tiny), 2^30 (huge)),
 *     as constraints, arguments or launches forbid: tune such, or expect null.
 * Of problems with ACCUMULATE = true, INDEXED = false, MODE = accumulate, OP = sum, TYPE = f32.
 *
 * Device 0: NVIDIA A100-SXM4-80GB (compute capability 8.0, 108 SMs)
 *   3 configurations for 3 problems; slower than the best by 0.0 % on average, 0.0 % at worst
 *   tuned: BLOCKS 0 to 0, N 65536 to 16777216, PARTS 1 to 1; other sizes, however far,
 *     get the configuration of a decision tree
 *   expected regret of that: not known: tune the problems together
 * Row 0, configuration 0: BLOCKS = 0, N = 65536, PARTS = 1
 *   1.99103 us (predicted); predicted 1.162 times as fast as the author's default
 *   strategy portfolio, seed 1, 60 evaluated, 60 of them valid, of 44208 in the space
 *   results at this size: equal to the reference's
 * Row 1, configuration 1: BLOCKS = 0, N = 1048576, PARTS = 1
 *   3.45437 us (predicted); predicted 1.103 times as fast as the author's default
 *   strategy portfolio, seed 1, 60 evaluated, 60 of them valid, of 44208 in the space
 *   results at this size: equal to the reference's
 * Row 2, configuration 2: BLOCKS = 0, N = 16777216, PARTS = 1
 *   35.7004 us (predicted); is the author's default
 *   strategy portfolio, seed 1, 60 evaluated, 60 of them valid, of 44208 in the space
 *   results at this size: equal to the reference's
 */
#ifndef HONE_EMITTED_reduction
#define HONE_EMITTED_reduction 0x57697a71u
#if defined(BLOCK) || defined(BLOCKS_PER_SM) || defined(BULK) || defined(EVICT) || defined(FINISH) \
    || defined(ITEMS) || defined(LOAD) || defined(PREFETCH) || defined(SHUFFLE) || defined(VEC) \
    || defined(BLOCKS) || defined(N) || defined(PARTS) || defined(PER) || defined(TILE) \
    || defined(GRID)
#error "reduction: include this header before its parameters or sizes are macros"
#endif

/* What the kernel is compiled with. */
typedef struct reduction_config {
    int BLOCK, BLOCKS_PER_SM, BULK, EVICT, FINISH, ITEMS, LOAD, PREFETCH, SHUFFLE, VEC;
    long long device_sm_count; /* of the device it was tuned on */
    unsigned block[3], shared_bytes; /* of its launch */
} reduction_config;
/* A GPU: reduction_gpu_of makes one, set what is known better; 0 is unknown, and 0 to
 * constraints and launches that read it: sm_count. */
typedef struct reduction_gpu { int cc_major, cc_minor, sm_count; long long l2_bytes, memory_bytes,
    max_shared_bytes; } reduction_gpu;
typedef struct {
    const char *name;
    reduction_gpu gpu;
    int first, count; /* groups of rows */
    const char *provenance;
} reduction_device;
typedef struct { long long BLOCKS, N, PARTS; } reduction_problem;
typedef struct {
    int device, config;
    reduction_problem problem;
    int lg[3]; /* of the sizes */
    double predicted_us;
} reduction_row;
/* Rows that one rule serves; tree: its first node; -1: the nearest row serves. */
typedef struct reduction_group {
    int first, count, tree;
    int configs, config_count; /* in reduction_preferences, the best first */
} reduction_group;

enum { REDUCTION_DEFAULT_CONFIG = 2, REDUCTION_CONFIGS = 3, REDUCTION_DEVICES = 1,
    REDUCTION_ROWS = 3 };
static const reduction_config reduction_configs[REDUCTION_CONFIGS] = {
    {32, 8, 0, 0, 0, 2, 1, 64, 1, 4, 108, {32, 1, 1}, 0},
    {256, 1, 0, 0, 0, 8, 0, 64, 1, 16, 108, {256, 1, 1}, 0},
    {256, 4, 0, 0, 0, 4, 1, 0, 1, 16, 108, {256, 1, 1}, 0},
};
static const char *const reduction_defines[REDUCTION_CONFIGS] = {
    ("-DBLOCK=32 -DBLOCKS_PER_SM=8 -DBULK=0 -DEVICT=0 -DFINISH=0 -DITEMS=2 -DLOAD=1 -DPREFETCH=64 "
            "-DSHUFFLE=1 -DVEC=4 -DACCUMULATE=1 -DINDEXED=0 -DOP=sum -DTYPE=f32"),
    ("-DBLOCK=256 -DBLOCKS_PER_SM=1 -DBULK=0 -DEVICT=0 -DFINISH=0 -DITEMS=8 -DLOAD=0 -DPREFETCH=64 "
            "-DSHUFFLE=1 -DVEC=16 -DACCUMULATE=1 -DINDEXED=0 -DOP=sum -DTYPE=f32"),
    ("-DBLOCK=256 -DBLOCKS_PER_SM=4 -DBULK=0 -DEVICT=0 -DFINISH=0 -DITEMS=4 -DLOAD=1 -DPREFETCH=0 "
            "-DSHUFFLE=1 -DVEC=16 -DACCUMULATE=1 -DINDEXED=0 -DOP=sum -DTYPE=f32"),
};
static const reduction_device reduction_devices[REDUCTION_DEVICES] = {
    {"NVIDIA A100-SXM4-80GB", {8, 0, 108, 41943040, 84825604096LL, 166912}, 0, 1,
     "predicted; clock emulated; driver emulator 1, NVRTC 13.0, recorded by hone 0.1.0; template "
             "reduction.cu, template hash 259dca1c7d8d28517b846620a818a19f, space hash "
             "aedc068775c2cf9b739a765f2c98e923, options hash a6b86b64094343ae56dc37e12884696b"},
};
static const reduction_row reduction_rows[REDUCTION_ROWS] = {
    {0, 0, {0, 65536, 1}, {-65536, 1048576, 0}, 1.99102861},
    {0, 1, {0, 1048576, 1}, {-65536, 1310720, 0}, 3.45436733},
    {0, 2, {0, 16777216, 1}, {-65536, 1572864, 0}, 35.7004427},
};

/* A node asks for the logarithm of size a, less that of size b (-1: alone), or the sum of
 * all (-2): up to `at` on to low, else to high; below 0: ~number of a configuration. */
typedef struct reduction_node { int a, b, at, low, high; } reduction_node;
static const reduction_node reduction_nodes[] = {
    {0, -1, 2147483647, -3, -3},
};

static const int reduction_preferences[] = {
    2, 0, 1,
};
static const reduction_group reduction_groups[] = {
    {0, 3, 0, 0, 3},
};

#if defined(__cplusplus) && __cplusplus >= 201703L /* reduction_arch<80>.FIELD, one for every cc */
extern "C++" { template <int cc> static constexpr reduction_config reduction_arch =
    {256, 4, 0, 0, 0, 4, 1, 0, 1, 16, 108, {256, 1, 1}, 0}; }
#endif
/* As in Lua 5.4: integers wrap, // and % round down; 0 where Lua raises an error. */
static inline long long reduction_sub(long long a, long long b) {
    return (long long)((unsigned long long)a - (unsigned long long)b);
}
static inline long long reduction_mul(long long a, long long b) {
    return (long long)((unsigned long long)a * (unsigned long long)b);
}
static inline long long reduction_neg(long long a) {
    return reduction_sub(0, a);
}
static inline long long reduction_min(long long a, long long b) {
    return b < a ? b : a;
}
static inline long long reduction_max(long long a, long long b) {
    return a < b ? b : a;
}
static inline long long reduction_floor_div(long long a, long long b) {
    if (b == 0 || b == -1) return b == 0 ? 0 : reduction_neg(a);
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}
static inline long long reduction_ceil_div(long long a, long long b) {
    if (b == 0 || b == -1) return b == 0 ? 0 : reduction_neg(a);
    return a / b + (a % b != 0 && (a < 0) == (b < 0));
}

/* The kernel, by its arguments and their elements: reduction(input f32 in[max(1, N)],
 *     inout f32 out[PARTS], scalar i64 N, part = ceil_div(N, PARTS), inout u32 index[1],
 *     input u32 in_index[1], workspace f32 partials[FINISH == 1 && GRID > 1 ? GRID * PARTS : 0],
 *     inout u32 counters[PARTS] (0 before each launch)). */
/* The launch; shared memory is dynamic. Where CUDA refuses: grid, block 0, bytes ~0. */
static inline void reduction_grid(const reduction_config *config, long long BLOCKS, long long N,
    long long PARTS, unsigned grid[3]) {
    grid[0] = grid[1] = grid[2] = 0;
    if (!config) return;
    const long long PER = config->VEC / 4;
    const long long TILE = config->BLOCK * config->ITEMS * PER;
    const int known_GRID = PARTS != 0 && ((BLOCKS > 0) || (PARTS != 0));
    const long long GRID =
            reduction_max(1,
            reduction_min(reduction_ceil_div(reduction_ceil_div(N, PARTS), TILE), BLOCKS > 0
            ? BLOCKS : reduction_floor_div(reduction_mul(config->BLOCKS_PER_SM,
            config->device_sm_count), PARTS)));
    const long long grid_x = !(known_GRID) ? -1 : GRID;
    if (grid_x < 1 || grid_x > 2147483647 || PARTS < 1 || PARTS > 65535) return;
    grid[0] = (unsigned)grid_x, grid[1] = (unsigned)PARTS, grid[2] = 1;
}
static inline void reduction_block(const reduction_config *config, long long BLOCKS, long long N,
    long long PARTS, unsigned block[3]) {
    (void)BLOCKS, (void)N, (void)PARTS;
    for (int i = 0; i < 3; i++) block[i] = config ? config->block[i] : 0;
}
static inline unsigned reduction_shared_bytes(const reduction_config *config, long long BLOCKS,
    long long N, long long PARTS) {
    (void)BLOCKS, (void)N, (void)PARTS;
    return config ? config->shared_bytes : ~0u;
}
static inline unsigned long long reduction_partials_bytes(const reduction_config *config,
    long long BLOCKS, long long N, long long PARTS) {
    if (!config) return ~0ULL;
    const long long PER = config->VEC / 4;
    const long long TILE = config->BLOCK * config->ITEMS * PER;
    const int known_GRID = PARTS != 0 && ((BLOCKS > 0) || (PARTS != 0));
    const long long GRID =
            reduction_max(1,
            reduction_min(reduction_ceil_div(reduction_ceil_div(N, PARTS), TILE), BLOCKS > 0
            ? BLOCKS : reduction_floor_div(reduction_mul(config->BLOCKS_PER_SM,
            config->device_sm_count), PARTS)));
    const long long size = !(known_GRID) ? -1 : (config->FINISH == 1 && GRID > 1)
            ? reduction_mul(GRID, PARTS) : 0;
    return size < 0 || size > 2305843009213693951 ? ~0ULL : (unsigned long long)size * 4;
}

/* Whether a configuration may run on a GPU and problem it was not measured on. */
static inline int reduction_fits(int number, const reduction_gpu *gpu, long long BLOCKS,
    long long N, long long PARTS) {
    reduction_config here = reduction_configs[number];
    const reduction_config *config = &here;
    unsigned grid[3];
    here.device_sm_count = gpu->sm_count;
    if (BLOCKS < 0 || N < 0 || PARTS < 0 || !(PARTS != 0)) return 0;
    reduction_grid(config, BLOCKS, N, PARTS, grid);
    if (!grid[0]) return 0;
    return 1;
}

/* Tuned for this size and GPU; another size, SM count, minor version; not near; null. */
enum { REDUCTION_EXACT, REDUCTION_SAME_DEVICE, REDUCTION_SAME_ARCH, REDUCTION_SAME_FAMILY,
    REDUCTION_DEFAULT, REDUCTION_NONE };
/* Binary logarithm in 1/65536, exact at powers of two, linear between. */
static inline int reduction_lg(long long size) {
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
static inline int reduction_leaf(const reduction_node *nodes, int at, const int *lg, int sum) {
    while (at >= 0) {
        const reduction_node *node = &nodes[at];
        const int feature = node->b >= 0 ? lg[node->a] - lg[node->b]
                : (node->b == -1 ? lg[node->a] : sum);
        at = feature <= node->at ? node->low : node->high;
    }
    return at;
}

static inline int reduction_apart(long long a, long long b) {
    const int gap = a > 0 && b > 0 ? reduction_lg(a) - reduction_lg(b) : 0;
    return gap < 0 ? -gap : gap;
}

/* How far a device of the table is from a GPU: 0, 1 or 2 (another number of
 * multiprocessors, another minor version) << 48, and more; 0: of no use. */
static inline long long reduction_distance(const reduction_gpu *a, const reduction_gpu *gpu,
    int place) {
    long long minors = (long long)a->cc_minor - gpu->cc_minor, level, gap;
    if (!a->cc_major || a->cc_major != gpu->cc_major) return 0;
    if (minors < 0) minors = -minors;
    if (minors > 2047) minors = 2047;
    level = minors ? 2 : a->sm_count != gpu->sm_count;
    gap = 65536 * minors + 2 * reduction_apart(a->sm_count, gpu->sm_count)
            + reduction_apart(a->l2_bytes, gpu->l2_bytes)
            + reduction_apart(a->memory_bytes, gpu->memory_bytes);
    return (level << 48) + (gap << 20) + place + 1;
}

/* The place of the device that is this GPU, or -1. */
static inline int reduction_own(const reduction_device *devices, int count,
    const reduction_gpu *gpu) {
    for (int i = 0; i < count; i++) {
        const reduction_gpu *a = &devices[i].gpu;
        if (a->sm_count == gpu->sm_count && a->cc_major == gpu->cc_major
                && a->l2_bytes == gpu->l2_bytes && a->cc_minor == gpu->cc_minor
                && a->memory_bytes == gpu->memory_bytes && a->cc_major)
            return i;
    }
    return -1;
}

/* That of the nearest one farther than *distance, which becomes its own; or -1. */
static inline int reduction_next(const reduction_device *devices, int count,
    const reduction_gpu *gpu, long long *distance) {
    const long long last = *distance;
    int best = -1;
    for (int i = 0; i < count; i++) {
        const long long key = reduction_distance(&devices[i].gpu, gpu, i);
        if (key <= last || (best >= 0 && key >= *distance)) continue;
        *distance = key;
        best = i;
    }
    return best;
}

/* The row of this very problem, or -1. */
static inline int reduction_find(const reduction_group *group, long long BLOCKS, long long N,
    long long PARTS) {
    int low = group->first, high = low + group->count;
    while (low < high) {
        const int middle = (low + high) >> 1;
        const reduction_problem *row = &reduction_rows[middle].problem;
        if (BLOCKS < row->BLOCKS
                || (BLOCKS == row->BLOCKS && (N < row->N || (N == row->N && PARTS < row->PARTS))))
            high = middle;
        else if (!(BLOCKS == row->BLOCKS && N == row->N && PARTS == row->PARTS))
            low = middle + 1;
        else
            return middle;
    }
    return -1;
}

/* The configuration for a problem that is no row. */
static inline int reduction_rule(const reduction_group *group, long long BLOCKS, long long N,
    long long PARTS) {
    int best = group->first;
    int lg[3], i, at;
    long long least = -1;
    lg[0] = reduction_lg(BLOCKS);
    lg[1] = reduction_lg(N);
    lg[2] = reduction_lg(PARTS);
    if (group->tree >= 0) return ~reduction_leaf(reduction_nodes, group->tree, lg,
            lg[0] + lg[1] + lg[2]);
    for (i = group->first; i < group->first + group->count; i++) {
        long long apart = 0;
        for (at = 0; at < 3; at++) {
            const long long gap = (long long)lg[at] - reduction_rows[i].lg[at];
            apart += gap * gap;
        }
        if (least >= 0 && apart >= least) continue;
        least = apart;
        best = i;
    }
    return reduction_rows[best].config;
}

/* What a device of the table has for this problem, or -1; same: it is the one at hand. */
static inline int reduction_of_device(const reduction_device *device, int same,
    const reduction_gpu *gpu, long long BLOCKS, long long N, long long PARTS, int *exact) {
    int g, i, number;
    for (g = device->first; g < device->first + device->count; g++) {
        const reduction_group *group = &reduction_groups[g];
        i = reduction_find(group, BLOCKS, N, PARTS);
        number = i < 0 ? -1 : reduction_rows[i].config;
        *exact = i >= 0 && (same || reduction_fits(number, gpu, BLOCKS, N, PARTS));
        if (*exact) return number;
        for (i = -1; i < group->config_count; i++) {
            number = i < 0 ? reduction_rule(group, BLOCKS, N, PARTS)
                    : reduction_preferences[group->configs + i];
            if (reduction_fits(number, gpu, BLOCKS, N, PARTS)) return number;
        }
        return -1;
    }
    return -1;
}

/* The configuration for a GPU and problem, or null; *tier, if not null: how near. */
static inline const reduction_config *reduction_select_for(const reduction_gpu *gpu,
    long long BLOCKS, long long N, long long PARTS, int *tier) {
    long long last = 0;
    int answered, exact = 0, i = reduction_own(reduction_devices, REDUCTION_DEVICES, gpu);
    if (!tier) tier = &answered;
    for (;; i = -1) {
        if (i < 0) i = reduction_next(reduction_devices, REDUCTION_DEVICES, gpu, &last);
        if (i < 0) break;
        const int level = (int)(last >> 48);
        const int number =
                reduction_of_device(&reduction_devices[i], !level, gpu, BLOCKS, N, PARTS, &exact);
        if (number < 0) continue;
        *tier = exact && !level ? REDUCTION_EXACT : REDUCTION_SAME_DEVICE + level;
        return &reduction_configs[number];
    }
    for (i = -1; i < REDUCTION_CONFIGS; i++) {
        const int number = i < 0 ? REDUCTION_DEFAULT_CONFIG : i;
        if (!reduction_fits(number, gpu, BLOCKS, N, PARTS)) continue;
        *tier = REDUCTION_DEFAULT;
        return &reduction_configs[number];
    }
    *tier = REDUCTION_NONE;
    return 0;
}

/* Limits from the table; max_shared_bytes, for which nothing asks, is 0 elsewhere. */
static inline reduction_gpu reduction_gpu_of(int cc_major, int cc_minor, int sm_count) {
    reduction_gpu gpu = reduction_devices[0].gpu;
    if (cc_major != gpu.cc_major || cc_minor != gpu.cc_minor) gpu.max_shared_bytes = 0;
    gpu.cc_major = cc_major, gpu.cc_minor = cc_minor, gpu.sm_count = sm_count;
    return gpu;
}
static inline const reduction_config *reduction_select(int cc_major, int cc_minor, int sm_count,
    long long BLOCKS, long long N, long long PARTS, int *tier) {
    const reduction_gpu gpu = reduction_gpu_of(cc_major, cc_minor, sm_count);
    return reduction_select_for(&gpu, BLOCKS, N, PARTS, tier);
}
#elif HONE_EMITTED_reduction != 0x57697a71u
#error "two headers reduction that differ: emit one of them with --name"
#endif
