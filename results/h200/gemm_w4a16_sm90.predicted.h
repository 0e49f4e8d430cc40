/* Tuned configurations of the kernel gemm_w4a16_sm90. Emitted by hone 0.1.0 (form 3): do not edit.
 * PREDICTED by the emulator's model, not measured (how accurate: docs/emulator.md); clock emulated
 * Valid: emulated, and equal to the reference, within the script's tolerance, at its verify sizes.
 * Selected: the row of this size and GPU (compute capability and SM count); else the nearest row,
 *     however far, of the same major version that fits there; else the author's default
 *     (configuration 2) or any that fits; else null.
 * To launch: gemm_w4a16_sm90_select gives a configuration,
 *     gemm_w4a16_sm90_defines[config - gemm_w4a16_sm90_configs] the options to compile
 *     gemm_w4a16_sm90.cu with; gemm_w4a16_sm90_grid, gemm_w4a16_sm90_block,
 *     gemm_w4a16_sm90_shared_bytes its launch; gemm_w4a16_sm90_partials_bytes bytes of partials (0:
 *     pass null). C99, C++11, CUDA.
 * Tensor maps of A, weights, scales: nothing is selected but for sizes of 1 to 2^32,
 *     strides that are multiples of 16 bytes below 2^40, boxes up to 256, whose rows are multiples
 *     of 16 bytes. That addresses are such multiples, nobody asks: see to it.
 * Missing: measured times; tuning for other sizes and GPUs; the kernel's code,
 *     the making of tensor maps (--payload).
 * No configuration on compute capability 7.0, 7.5, 8.0, 8.6, 8.9, 10.0, 12.0; elsewhere for K odd,
 *     K tiny, N odd, N tiny (tried: sizes of rows, one less (odd), 1 (tiny), 2^30 (huge)),
 *     as constraints, arguments or launches forbid: tune such, or expect null.
 * Of problems with ACT = none, ADD_C = false, ALIGN_AC = false, ALIGN_BD = false, BIAS = none,
 *     EPILOGUE = "", OUT = f16, PAD = false, RESIDUAL = false, SCALE = none, TYPE = f16,
 *     ZEROS = false.
 *
 * Device 0: NVIDIA H200 (compute capability 9.0, 132 SMs)
 *   2 configurations for 3 problems; slower than the best by 0.0 % on average, 0.0 % at worst
 *   tuned: K 4096 to 14336, M 1 to 1, N 4096 to 14336, SMS 0 to 0; other sizes, however far,
 *     get the configuration of a decision tree
 *   regret of that where one problem is left out: 0.0 %, of 2 more not known; too few to tell what
 *     to expect
 * Row 0, configuration 0: K = 4096, M = 1, N = 4096, SMS = 0
 *   4.88658 us (predicted); predicted 1.056 times as fast as the author's default
 *   strategy portfolio, seed 1, 60 evaluated, 60 of them valid, of 960 in the space
 *   results at this size: equal to the reference's
 * Row 1, configuration 1: K = 4096, M = 1, N = 14336, SMS = 0
 *   9.42902 us (predicted); predicted 1.318 times as fast as the author's default
 *   strategy portfolio, seed 1, 60 evaluated, 60 of them valid, of 960 in the space
 *   results at this size: equal to the reference's
 * Row 2, configuration 0: K = 14336, M = 1, N = 4096, SMS = 0
 *   8.66658 us (predicted); predicted 1.161 times as fast as the author's default
 *   strategy portfolio, seed 1, 60 evaluated, 60 of them valid, of 960 in the space
 *   results at this size: equal to the reference's
 */
#ifndef HONE_EMITTED_gemm_w4a16_sm90
#define HONE_EMITTED_gemm_w4a16_sm90 0x31b9c1f8u
#if defined(BM) || defined(BN) || defined(GROUP) || defined(MATH) || defined(RASTER) \
    || defined(SPLIT_K) || defined(STREAM) || defined(K) || defined(M) || defined(N) \
    || defined(SMS) || defined(BLOCKS) || defined(HIGH) || defined(WIDE) || defined(TILES) \
    || defined(GRID) || defined(STAGING) || defined(STAGE) || defined(STAGES) || defined(SMEM)
#error "gemm_w4a16_sm90: include this header before its parameters or sizes are macros"
#endif

/* What the kernel is compiled with. */
typedef struct gemm_w4a16_sm90_config {
    int BM, BN, GROUP, MATH, RASTER, SPLIT_K, STREAM;
    long long device_sm_count, device_max_shared_bytes; /* of the device it was tuned on */
    unsigned block[3]; /* of its launch */
} gemm_w4a16_sm90_config;
/* A GPU: gemm_w4a16_sm90_gpu_of makes one, set what is known better; 0 is unknown, and 0 to
 * constraints and launches that read it: sm_count, max_shared_bytes, cc_major. */
typedef struct gemm_w4a16_sm90_gpu { int cc_major, cc_minor, sm_count; long long l2_bytes,
    memory_bytes, max_shared_bytes; } gemm_w4a16_sm90_gpu;
typedef struct {
    const char *name;
    gemm_w4a16_sm90_gpu gpu;
    int first, count; /* groups of rows */
    const char *provenance;
} gemm_w4a16_sm90_device;
typedef struct { long long K, M, N, SMS; } gemm_w4a16_sm90_problem;
typedef struct {
    int device, config;
    gemm_w4a16_sm90_problem problem;
    int lg[4]; /* of the sizes */
    double predicted_us;
} gemm_w4a16_sm90_row;
/* Rows that one rule serves; tree: its first node; -1: the nearest row serves. */
typedef struct gemm_w4a16_sm90_group {
    int first, count, tree;
    int configs, config_count; /* in gemm_w4a16_sm90_preferences, the best first */
} gemm_w4a16_sm90_group;

enum { GEMM_W4A16_SM90_DEFAULT_CONFIG = 2, GEMM_W4A16_SM90_CONFIGS = 3, GEMM_W4A16_SM90_DEVICES = 1,
    GEMM_W4A16_SM90_ROWS = 3 };
static const gemm_w4a16_sm90_config gemm_w4a16_sm90_configs[GEMM_W4A16_SM90_CONFIGS] = {
    {8, 192, 1, 3, 0, 8, 0, 132, 232448, {512, 1, 1}},
    {8, 192, 1, 3, 0, 2, 0, 132, 232448, {512, 1, 1}},
    {16, 128, 8, 2, 0, 4, 0, 132, 232448, {384, 1, 1}},
};
static const char *const gemm_w4a16_sm90_defines[GEMM_W4A16_SM90_CONFIGS] = {
    ("-DBM=8 -DBN=192 -DGROUP=1 -DMATH=3 -DRASTER=0 -DSPLIT_K=8 -DSTREAM=0 -DACT=none -DBIAS=none "
            "-DEPILOGUE= -DOUT=f16 -DRESIDUAL=0 -DSCALE=none -DTYPE=f16 -DZEROS=0"),
    ("-DBM=8 -DBN=192 -DGROUP=1 -DMATH=3 -DRASTER=0 -DSPLIT_K=2 -DSTREAM=0 -DACT=none -DBIAS=none "
            "-DEPILOGUE= -DOUT=f16 -DRESIDUAL=0 -DSCALE=none -DTYPE=f16 -DZEROS=0"),
    ("-DBM=16 -DBN=128 -DGROUP=8 -DMATH=2 -DRASTER=0 -DSPLIT_K=4 -DSTREAM=0 -DACT=none -DBIAS=none "
            "-DEPILOGUE= -DOUT=f16 -DRESIDUAL=0 -DSCALE=none -DTYPE=f16 -DZEROS=0"),
};
static const gemm_w4a16_sm90_device gemm_w4a16_sm90_devices[GEMM_W4A16_SM90_DEVICES] = {
    {"NVIDIA H200", {9, 0, 132, 52428800, 140660178944LL, 232448}, 0, 1,
     "predicted; clock emulated; driver emulator 1, NVRTC 13.0, recorded by hone 0.1.0; template "
             "gemm_w4a16_sm90.cu, template hash fe327e782ee8f95ddbe1cc095b1dc175, space hash "
             "e4ce4eb4e5bfbe8ff36ff001a2fdc693, options hash a6b86b64094343ae56dc37e12884696b"},
};
static const gemm_w4a16_sm90_row gemm_w4a16_sm90_rows[GEMM_W4A16_SM90_ROWS] = {
    {0, 0, {4096, 1, 4096, 0}, {786432, 0, 786432, -65536}, 4.88657515},
    {0, 1, {4096, 1, 14336, 0}, {786432, 0, 901120, -65536}, 9.42901883},
    {0, 0, {14336, 1, 4096, 0}, {901120, 0, 786432, -65536}, 8.66658285},
};

/* A node asks for the logarithm of size a, less that of size b (-1: alone), or the sum of
 * all (-2): up to `at` on to low, else to high; below 0: ~number of a configuration. */
typedef struct gemm_w4a16_sm90_node { int a, b, at, low, high; } gemm_w4a16_sm90_node;
static const gemm_w4a16_sm90_node gemm_w4a16_sm90_nodes[] = {
    {0, -1, 2147483647, -1, -1},
};

static const int gemm_w4a16_sm90_preferences[] = {
    0, 1,
};
static const gemm_w4a16_sm90_group gemm_w4a16_sm90_groups[] = {
    {0, 3, 0, 0, 2},
};

#if defined(__cplusplus) \
    && __cplusplus >= 201703L /* gemm_w4a16_sm90_arch<80>.FIELD, one for every cc */
extern "C++" { template <int cc> static constexpr gemm_w4a16_sm90_config gemm_w4a16_sm90_arch =
    {8, 192, 1, 3, 0, 8, 0, 132, 232448, {512, 1, 1}}; }
#endif
/* As in Lua 5.4: integers wrap, // and % round down; 0 where Lua raises an error. */
static inline long long gemm_w4a16_sm90_add(long long a, long long b) {
    return (long long)((unsigned long long)a + (unsigned long long)b);
}
static inline long long gemm_w4a16_sm90_sub(long long a, long long b) {
    return (long long)((unsigned long long)a - (unsigned long long)b);
}
static inline long long gemm_w4a16_sm90_mul(long long a, long long b) {
    return (long long)((unsigned long long)a * (unsigned long long)b);
}
static inline long long gemm_w4a16_sm90_neg(long long a) {
    return gemm_w4a16_sm90_sub(0, a);
}
static inline long long gemm_w4a16_sm90_min(long long a, long long b) {
    return b < a ? b : a;
}
static inline long long gemm_w4a16_sm90_floor_div(long long a, long long b) {
    if (b == 0 || b == -1) return b == 0 ? 0 : gemm_w4a16_sm90_neg(a);
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}
static inline long long gemm_w4a16_sm90_floor_mod(long long a, long long b) {
    if (b == 0 || b == -1) return 0;
    return a % b + (a % b != 0 && (a < 0) != (b < 0) ? b : 0);
}

/* The kernel, by its arguments and their elements: gemm_w4a16_sm90(input f16 tensor map
 *     A[max(1, (M - 1) * K + K)], u32 tensor map weights[max(1, K * N / 8)],
 *     f16 tensor map scales[max(1, K / 128 * N)], u32 zeros[1], f16 C[1], inout f16
 *     D[max(1, (M - 1) * N + N)], input f16 bias[1], residual[1], f32 row_scale[1],
 *     column_scale[1], workspace f32 partials[STREAM == 1 ? 2 * GRID * BM * BN : SPLIT_K > 1 ?
 *     TILES * SPLIT_K * BM * BN : 0], inout u32 counters[ceil_div(M, 8) * (ceil_div(N, 64) + 3)] (0
 *     before each launch), scalar i32 M, N, K, lda = K, ldc = N, ldd = N, f32 alpha, beta). */
/* The launch; shared memory is dynamic. Where CUDA refuses: grid, block 0, bytes ~0. */
static inline void gemm_w4a16_sm90_grid(const gemm_w4a16_sm90_config *config, long long K,
    long long M, long long N, long long SMS, unsigned grid[3]) {
    (void)K;
    grid[0] = grid[1] = grid[2] = 0;
    if (!config) return;
    const long long BLOCKS = SMS > 0 ? SMS : config->device_sm_count;
    const long long HIGH = M / config->BM + (M % config->BM > 0);
    const long long WIDE = N / config->BN + (N % config->BN > 0);
    const long long TILES = gemm_w4a16_sm90_mul(HIGH, WIDE);
    const long long GRID = config->STREAM == 1 ? BLOCKS
            : gemm_w4a16_sm90_min(gemm_w4a16_sm90_mul(TILES, config->SPLIT_K), BLOCKS);
    if (GRID < 1 || GRID > 2147483647) return;
    grid[0] = (unsigned)GRID, grid[1] = 1, grid[2] = 1;
}
static inline void gemm_w4a16_sm90_block(const gemm_w4a16_sm90_config *config, long long K,
    long long M, long long N, long long SMS, unsigned block[3]) {
    (void)K, (void)M, (void)N, (void)SMS;
    for (int i = 0; i < 3; i++) block[i] = config ? config->block[i] : 0;
}
static inline unsigned gemm_w4a16_sm90_shared_bytes(const gemm_w4a16_sm90_config *config,
    long long K, long long M, long long N, long long SMS) {
    (void)K, (void)M, (void)N, (void)SMS;
    if (!config) return ~0u;
    const long long STAGING = config->MATH * 5120;
    const long long STAGE = (256 * config->BM + 66 * config->BN + 0 + 1023) / 1024 * 1024;
    const long long STAGES =
            gemm_w4a16_sm90_min(12,
            gemm_w4a16_sm90_floor_div(gemm_w4a16_sm90_sub(config->device_max_shared_bytes, STAGING),
            STAGE + 16));
    const long long SMEM = gemm_w4a16_sm90_add(gemm_w4a16_sm90_mul(STAGES, STAGE + 16), STAGING);
    const long long bytes = SMEM;
    return bytes < 0 || bytes > 2147483647 ? ~0u : (unsigned)bytes;
}
static inline unsigned long long gemm_w4a16_sm90_partials_bytes(const gemm_w4a16_sm90_config *config, long long K, long long M, long long N, long long SMS)
{
    (void)K;
    if (!config) return ~0ULL;
    const long long BLOCKS = SMS > 0 ? SMS : config->device_sm_count;
    const long long HIGH = M / config->BM + (M % config->BM > 0);
    const long long WIDE = N / config->BN + (N % config->BN > 0);
    const long long TILES = gemm_w4a16_sm90_mul(HIGH, WIDE);
    const long long GRID = config->STREAM == 1 ? BLOCKS
            : gemm_w4a16_sm90_min(gemm_w4a16_sm90_mul(TILES, config->SPLIT_K), BLOCKS);
    const long long size = config->STREAM == 1
            ? gemm_w4a16_sm90_mul(gemm_w4a16_sm90_mul(gemm_w4a16_sm90_mul(2, GRID), config->BM),
            config->BN)
            : (config->SPLIT_K > 1
            ? gemm_w4a16_sm90_mul(gemm_w4a16_sm90_mul(gemm_w4a16_sm90_mul(TILES, config->SPLIT_K),
            config->BM), config->BN) : 0);
    return size < 0 || size > 2305843009213693951 ? ~0ULL : (unsigned long long)size * 4;
}

/* Whether a configuration may run on a GPU and problem it was not measured on. */
static inline int gemm_w4a16_sm90_fits(int number, const gemm_w4a16_sm90_gpu *gpu, long long K,
    long long M, long long N, long long SMS) {
    gemm_w4a16_sm90_config here = gemm_w4a16_sm90_configs[number];
    const gemm_w4a16_sm90_config *config = &here;
    unsigned grid[3], shared;
    here.device_sm_count = gpu->sm_count;
    here.device_max_shared_bytes = gpu->max_shared_bytes;
    const long long STAGING = config->MATH * 5120;
    const long long STAGE = (256 * config->BM + 66 * config->BN + 0 + 1023) / 1024 * 1024;
    const long long STAGES =
            gemm_w4a16_sm90_min(12,
            gemm_w4a16_sm90_floor_div(gemm_w4a16_sm90_sub(config->device_max_shared_bytes, STAGING),
            STAGE + 16));
    if (gpu->cc_major != 9) return 0;
    if (gemm_w4a16_sm90_floor_mod(N, 16) != 0) return 0;
    if (gemm_w4a16_sm90_floor_mod(K, 128) != 0) return 0;
    if (STAGES < 3) return 0;
    if (K < 0 || K != (int)K || M < 1 || M != (int)M || N < 1 || N != (int)N || SMS < 0 || K + 0 < 1
            || (K > 0 ? N / 16 - (N % 16 < 0) : 1) < 1) return 0;
    gemm_w4a16_sm90_grid(config, K, M, N, SMS, grid);
    if (!grid[0]) return 0;
    shared = gemm_w4a16_sm90_shared_bytes(config, K, M, N, SMS);
    if (shared == ~0u) return 0;
    if (gpu->max_shared_bytes && (long long)shared > gpu->max_shared_bytes) return 0;
    return 1;
}

/* Tuned for this size and GPU; another size, SM count, minor version; not near; null. */
enum { GEMM_W4A16_SM90_EXACT, GEMM_W4A16_SM90_SAME_DEVICE, GEMM_W4A16_SM90_SAME_ARCH,
    GEMM_W4A16_SM90_SAME_FAMILY, GEMM_W4A16_SM90_DEFAULT, GEMM_W4A16_SM90_NONE };
/* Binary logarithm in 1/65536, exact at powers of two, linear between. */
static inline int gemm_w4a16_sm90_lg(long long size) {
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
static inline int gemm_w4a16_sm90_leaf(const gemm_w4a16_sm90_node *nodes, int at, const int *lg,
    int sum) {
    while (at >= 0) {
        const gemm_w4a16_sm90_node *node = &nodes[at];
        const int feature = node->b >= 0 ? lg[node->a] - lg[node->b]
                : (node->b == -1 ? lg[node->a] : sum);
        at = feature <= node->at ? node->low : node->high;
    }
    return at;
}

static inline int gemm_w4a16_sm90_apart(long long a, long long b) {
    const int gap = a > 0 && b > 0 ? gemm_w4a16_sm90_lg(a) - gemm_w4a16_sm90_lg(b) : 0;
    return gap < 0 ? -gap : gap;
}

/* How far a device of the table is from a GPU: 0, 1 or 2 (another number of
 * multiprocessors, another minor version) << 48, and more; 0: of no use. */
static inline long long gemm_w4a16_sm90_distance(const gemm_w4a16_sm90_gpu *a,
    const gemm_w4a16_sm90_gpu *gpu, int place) {
    long long minors = (long long)a->cc_minor - gpu->cc_minor, level, gap;
    if (!a->cc_major || a->cc_major != gpu->cc_major) return 0;
    if (minors < 0) minors = -minors;
    if (minors > 2047) minors = 2047;
    level = minors ? 2 : a->sm_count != gpu->sm_count;
    gap = 65536 * minors + 2 * gemm_w4a16_sm90_apart(a->sm_count, gpu->sm_count)
            + gemm_w4a16_sm90_apart(a->l2_bytes, gpu->l2_bytes)
            + gemm_w4a16_sm90_apart(a->memory_bytes, gpu->memory_bytes);
    return (level << 48) + (gap << 20) + place + 1;
}

/* The place of the device that is this GPU, or -1. */
static inline int gemm_w4a16_sm90_own(const gemm_w4a16_sm90_device *devices, int count,
    const gemm_w4a16_sm90_gpu *gpu) {
    for (int i = 0; i < count; i++) {
        const gemm_w4a16_sm90_gpu *a = &devices[i].gpu;
        if (a->sm_count == gpu->sm_count && a->cc_major == gpu->cc_major
                && a->l2_bytes == gpu->l2_bytes && a->cc_minor == gpu->cc_minor
                && a->memory_bytes == gpu->memory_bytes && a->cc_major)
            return i;
    }
    return -1;
}

/* That of the nearest one farther than *distance, which becomes its own; or -1. */
static inline int gemm_w4a16_sm90_next(const gemm_w4a16_sm90_device *devices, int count,
    const gemm_w4a16_sm90_gpu *gpu, long long *distance) {
    const long long last = *distance;
    int best = -1;
    for (int i = 0; i < count; i++) {
        const long long key = gemm_w4a16_sm90_distance(&devices[i].gpu, gpu, i);
        if (key <= last || (best >= 0 && key >= *distance)) continue;
        *distance = key;
        best = i;
    }
    return best;
}

/* The row of this very problem, or -1. */
static inline int gemm_w4a16_sm90_find(const gemm_w4a16_sm90_group *group, long long K, long long M,
    long long N, long long SMS) {
    int low = group->first, high = low + group->count;
    while (low < high) {
        const int middle = (low + high) >> 1;
        const gemm_w4a16_sm90_problem *row = &gemm_w4a16_sm90_rows[middle].problem;
        if (K < row->K
                || (K == row->K
                && (M < row->M
                || (M == row->M && (N < row->N || (N == row->N && SMS < row->SMS))))))
            high = middle;
        else if (!(K == row->K && M == row->M && N == row->N && SMS == row->SMS))
            low = middle + 1;
        else
            return middle;
    }
    return -1;
}

/* The configuration for a problem that is no row. */
static inline int gemm_w4a16_sm90_rule(const gemm_w4a16_sm90_group *group, long long K, long long M,
    long long N, long long SMS) {
    int best = group->first;
    int lg[4], i, at;
    long long least = -1;
    lg[0] = gemm_w4a16_sm90_lg(K);
    lg[1] = gemm_w4a16_sm90_lg(M);
    lg[2] = gemm_w4a16_sm90_lg(N);
    lg[3] = gemm_w4a16_sm90_lg(SMS);
    if (group->tree >= 0) return ~gemm_w4a16_sm90_leaf(gemm_w4a16_sm90_nodes, group->tree, lg,
            lg[0] + lg[1] + lg[2] + lg[3]);
    for (i = group->first; i < group->first + group->count; i++) {
        long long apart = 0;
        for (at = 0; at < 4; at++) {
            const long long gap = (long long)lg[at] - gemm_w4a16_sm90_rows[i].lg[at];
            apart += gap * gap;
        }
        if (least >= 0 && apart >= least) continue;
        least = apart;
        best = i;
    }
    return gemm_w4a16_sm90_rows[best].config;
}

/* What a device of the table has for this problem, or -1; same: it is the one at hand. */
static inline int gemm_w4a16_sm90_of_device(const gemm_w4a16_sm90_device *device, int same,
    const gemm_w4a16_sm90_gpu *gpu, long long K, long long M, long long N, long long SMS,
    int *exact) {
    int g, i, number;
    for (g = device->first; g < device->first + device->count; g++) {
        const gemm_w4a16_sm90_group *group = &gemm_w4a16_sm90_groups[g];
        i = gemm_w4a16_sm90_find(group, K, M, N, SMS);
        number = i < 0 ? -1 : gemm_w4a16_sm90_rows[i].config;
        *exact = i >= 0 && (same || gemm_w4a16_sm90_fits(number, gpu, K, M, N, SMS));
        if (*exact) return number;
        for (i = -1; i < group->config_count; i++) {
            number = i < 0 ? gemm_w4a16_sm90_rule(group, K, M, N, SMS)
                    : gemm_w4a16_sm90_preferences[group->configs + i];
            if (gemm_w4a16_sm90_fits(number, gpu, K, M, N, SMS)) return number;
        }
        return -1;
    }
    return -1;
}

/* The configuration for a GPU and problem, or null; *tier, if not null: how near. */
static inline const gemm_w4a16_sm90_config *gemm_w4a16_sm90_select_for(const gemm_w4a16_sm90_gpu *gpu, long long K, long long M, long long N, long long SMS, int *tier)
{
    long long last = 0;
    int answered, exact = 0,
            i = gemm_w4a16_sm90_own(gemm_w4a16_sm90_devices, GEMM_W4A16_SM90_DEVICES, gpu);
    if (!tier) tier = &answered;
    for (;; i = -1) {
        if (i < 0) i =
                gemm_w4a16_sm90_next(gemm_w4a16_sm90_devices, GEMM_W4A16_SM90_DEVICES, gpu, &last);
        if (i < 0) break;
        const int level = (int)(last >> 48);
        const int number =
                gemm_w4a16_sm90_of_device(&gemm_w4a16_sm90_devices[i], !level, gpu, K, M, N, SMS,
                &exact);
        if (number < 0) continue;
        *tier = exact && !level ? GEMM_W4A16_SM90_EXACT : GEMM_W4A16_SM90_SAME_DEVICE + level;
        return &gemm_w4a16_sm90_configs[number];
    }
    for (i = -1; i < GEMM_W4A16_SM90_CONFIGS; i++) {
        const int number = i < 0 ? GEMM_W4A16_SM90_DEFAULT_CONFIG : i;
        if (!gemm_w4a16_sm90_fits(number, gpu, K, M, N, SMS)) continue;
        *tier = GEMM_W4A16_SM90_DEFAULT;
        return &gemm_w4a16_sm90_configs[number];
    }
    *tier = GEMM_W4A16_SM90_NONE;
    return 0;
}

/* Limits from the table; of other architectures as set below, else the table's least. */
static inline gemm_w4a16_sm90_gpu gemm_w4a16_sm90_gpu_of(int cc_major, int cc_minor, int sm_count)
{
    gemm_w4a16_sm90_gpu gpu = gemm_w4a16_sm90_devices[0].gpu;
    const long long cc = cc_minor >= 0 && cc_minor < 10 ? cc_major * 10LL + cc_minor : 0;
    if (cc_major != gpu.cc_major || cc_minor != gpu.cc_minor) gpu.max_shared_bytes = cc == 70
            || cc == 72 ? 98304 : cc == 75 ? 65536 : cc == 80 || cc == 87 ? 166912 : cc == 86
            || cc == 89 || cc == 120 || cc == 121 ? 101376 : cc == 90 || cc == 100 || cc == 103
            || cc == 110 ? 232448 : 49152;
    gpu.cc_major = cc_major, gpu.cc_minor = cc_minor, gpu.sm_count = sm_count;
    return gpu;
}
static inline const gemm_w4a16_sm90_config *gemm_w4a16_sm90_select(int cc_major, int cc_minor,
    int sm_count, long long K, long long M, long long N, long long SMS, int *tier) {
    const gemm_w4a16_sm90_gpu gpu = gemm_w4a16_sm90_gpu_of(cc_major, cc_minor, sm_count);
    return gemm_w4a16_sm90_select_for(&gpu, K, M, N, SMS, tier);
}
#elif HONE_EMITTED_gemm_w4a16_sm90 != 0x31b9c1f8u
#error "two headers gemm_w4a16_sm90 that differ: emit one of them with --name"
#endif
