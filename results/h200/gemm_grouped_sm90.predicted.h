/* Tuned configurations of the kernel gemm_grouped_sm90. Emitted by hone 0.1.0 (form 3): do not
 *     edit.
 * PREDICTED by the emulator's model, not measured (how accurate: docs/emulator.md); clock emulated
 * Valid: emulated, and equal to the reference, within the script's tolerance, at its verify sizes.
 * Selected: the row of this size and GPU (compute capability and SM count); else the nearest row,
 *     however far, of the same major version that fits there; else the author's default
 *     (configuration 3) or any that fits; else null.
 * To launch: gemm_grouped_sm90_select gives a configuration,
 *     gemm_grouped_sm90_defines[config - gemm_grouped_sm90_configs] the options to compile
 *     gemm_grouped_sm90.cu with; gemm_grouped_sm90_grid, gemm_grouped_sm90_block,
 *     gemm_grouped_sm90_cluster, gemm_grouped_sm90_shared_bytes its launch. C99, C++11, CUDA.
 * Tensor maps of A, B: nothing is selected but for sizes of 1 to 2^32, strides that are multiples
 *     of 16 bytes below 2^40, boxes up to 256, whose rows are multiples of 16 bytes. That addresses
 *     are such multiples, nobody asks: see to it.
 * Missing: measured times; a look at the results of every row; tuning for other sizes and GPUs; the
 *     kernel's code, the making of tensor maps (--payload).
 * No configuration on compute capability 7.0, 7.5, 8.0, 8.6, 8.9, 10.0, 12.0; elsewhere for GROUPS
 *     huge, K odd, K tiny, K huge, M odd, M tiny, N huge, UNIT huge (tried: sizes of rows,
 *     one less (odd), 1 (tiny), 2^30 (huge)), as constraints, arguments or launches forbid: tune
 *     such, or expect null.
 * Of problems with ACT = none, ADD_C = false, BIAS = none, EPILOGUE = "", LAYOUT = contiguous,
 *     OUT = bf16, PAD = false, PROMOTE = false, RESIDUAL = false, SCALE = none, STORE = direct,
 *     TRANS_A = false, TRANS_B = true, TYPE = bf16.
 *
 * Device 0: NVIDIA H200 (compute capability 9.0, 132 SMs)
 *   3 configurations for 3 problems; slower than the best by 0.0 % on average, 0.0 % at worst
 *   tuned: GROUPS 4 to 8, K 2048 to 7168, M 8192 to 32768, N 4096 to 7168, SMS 0 to 0,
 *     UNIT 128 to 1024; other sizes, however far, get the configuration of the nearest one
 *   expected regret of that: not known: tune the problems together
 * Row 0, configuration 0: GROUPS = 4, K = 7168, M = 32768, N = 4096, SMS = 0, UNIT = 1024
 *   580.261 us (predicted); predicted 1.114 times as fast as the author's default
 *   strategy portfolio, seed 1, 60 evaluated, 60 of them valid, of 5460 in the space
 *   results not verified at this size (would need over 40 s of emulation)
 * Row 1, configuration 1: GROUPS = 8, K = 2048, M = 8192, N = 7168, SMS = 0, UNIT = 128
 *   95.3168 us (predicted); predicted 1.095 times as fast as the author's default
 *   strategy portfolio, seed 1, 60 evaluated, 60 of them valid, of 5460 in the space
 *   results at this size: as the majority has them
 * Row 2, configuration 2: GROUPS = 8, K = 7168, M = 8192, N = 4096, SMS = 0, UNIT = 128
 *   157.787 us (predicted); predicted 1.240 times as fast as the author's default
 *   strategy portfolio, seed 1, 60 evaluated, 60 of them valid, of 5460 in the space
 *   results at this size: as the majority has them
 */
#ifndef HONE_EMITTED_gemm_grouped_sm90
#define HONE_EMITTED_gemm_grouped_sm90 0x824bc376u
#if defined(BM) || defined(BN) || defined(CLUSTER_M) || defined(CLUSTER_N) || defined(GROUP) \
    || defined(INFLIGHT) || defined(MATH) || defined(PANELS) || defined(PINGPONG) \
    || defined(RASTER) || defined(GROUPS) || defined(K) || defined(M) || defined(N) \
    || defined(SMS) || defined(UNIT) || defined(CLUSTERS) || defined(BLOCKS) || defined(CLUSTER) \
    || defined(STAGED) || defined(STAGING) || defined(STAGE) || defined(STAGES) || defined(SMEM) \
    || defined(A_STRIDE) || defined(B_STRIDE)
#error "gemm_grouped_sm90: include this header before its parameters or sizes are macros"
#endif

/* What the kernel is compiled with. */
typedef struct gemm_grouped_sm90_config {
    int BM, BN, CLUSTER_M, CLUSTER_N, GROUP, INFLIGHT, MATH, PANELS, PINGPONG, RASTER;
    long long device_sm_count, device_max_shared_bytes; /* of the device it was tuned on */
    unsigned block[3]; /* of its launch */
} gemm_grouped_sm90_config;
/* A GPU: gemm_grouped_sm90_gpu_of makes one, set what is known better; 0 is unknown, and 0 to
 * constraints and launches that read it: sm_count, max_shared_bytes, cc_major. */
typedef struct gemm_grouped_sm90_gpu { int cc_major, cc_minor, sm_count; long long l2_bytes,
    memory_bytes, max_shared_bytes; } gemm_grouped_sm90_gpu;
typedef struct {
    const char *name;
    gemm_grouped_sm90_gpu gpu;
    int first, count; /* groups of rows */
    const char *provenance;
} gemm_grouped_sm90_device;
typedef struct { long long GROUPS, K, M, N, SMS, UNIT; } gemm_grouped_sm90_problem;
typedef struct {
    int device, config;
    gemm_grouped_sm90_problem problem;
    int lg[6]; /* of the sizes */
    double predicted_us;
} gemm_grouped_sm90_row;
/* Rows that one rule serves; tree is -1: the nearest row serves. */
typedef struct gemm_grouped_sm90_group {
    int first, count, tree;
    int configs, config_count; /* in gemm_grouped_sm90_preferences, the best first */
} gemm_grouped_sm90_group;

enum { GEMM_GROUPED_SM90_DEFAULT_CONFIG = 3, GEMM_GROUPED_SM90_CONFIGS = 4,
    GEMM_GROUPED_SM90_DEVICES = 1, GEMM_GROUPED_SM90_ROWS = 3 };
static const gemm_grouped_sm90_config gemm_grouped_sm90_configs[GEMM_GROUPED_SM90_CONFIGS] = {
    {256, 176, 2, 1, 16, 0, 2, 2, 0, 1, 132, 232448, {384, 1, 1}},
    {128, 240, 1, 2, 1, 0, 2, 2, 0, 1, 132, 232448, {384, 1, 1}},
    {128, 208, 1, 2, 2, 0, 2, 2, 0, 0, 132, 232448, {384, 1, 1}},
    {128, 256, 1, 1, 8, 1, 2, 2, 0, 0, 132, 232448, {384, 1, 1}},
};
static const char *const gemm_grouped_sm90_defines[GEMM_GROUPED_SM90_CONFIGS] = {
    ("-DBM=256 -DBN=176 -DCLUSTER_M=2 -DCLUSTER_N=1 -DGROUP=16 -DINFLIGHT=0 -DMATH=2 -DPANELS=2 "
            "-DPINGPONG=0 -DRASTER=1 -DACT=none -DBIAS=none -DEPILOGUE= -DOUT=bf16 -DPROMOTE=0 "
            "-DRESIDUAL=0 -DSCALE=none -DSTORE=direct -DTRANS_A=0 -DTRANS_B=1 -DTYPE=bf16"),
    ("-DBM=128 -DBN=240 -DCLUSTER_M=1 -DCLUSTER_N=2 -DGROUP=1 -DINFLIGHT=0 -DMATH=2 -DPANELS=2 "
            "-DPINGPONG=0 -DRASTER=1 -DACT=none -DBIAS=none -DEPILOGUE= -DOUT=bf16 -DPROMOTE=0 "
            "-DRESIDUAL=0 -DSCALE=none -DSTORE=direct -DTRANS_A=0 -DTRANS_B=1 -DTYPE=bf16"),
    ("-DBM=128 -DBN=208 -DCLUSTER_M=1 -DCLUSTER_N=2 -DGROUP=2 -DINFLIGHT=0 -DMATH=2 -DPANELS=2 "
            "-DPINGPONG=0 -DRASTER=0 -DACT=none -DBIAS=none -DEPILOGUE= -DOUT=bf16 -DPROMOTE=0 "
            "-DRESIDUAL=0 -DSCALE=none -DSTORE=direct -DTRANS_A=0 -DTRANS_B=1 -DTYPE=bf16"),
    ("-DBM=128 -DBN=256 -DCLUSTER_M=1 -DCLUSTER_N=1 -DGROUP=8 -DINFLIGHT=1 -DMATH=2 -DPANELS=2 "
            "-DPINGPONG=0 -DRASTER=0 -DACT=none -DBIAS=none -DEPILOGUE= -DOUT=bf16 -DPROMOTE=0 "
            "-DRESIDUAL=0 -DSCALE=none -DSTORE=direct -DTRANS_A=0 -DTRANS_B=1 -DTYPE=bf16"),
};
static const gemm_grouped_sm90_device gemm_grouped_sm90_devices[GEMM_GROUPED_SM90_DEVICES] = {
    {"NVIDIA H200", {9, 0, 132, 52428800, 140660178944LL, 232448}, 0, 1,
     "predicted; clock emulated; driver emulator 1, NVRTC 13.0, recorded by hone 0.1.0; template "
             "gemm_grouped_sm90.cu, template hash b33baeee3fb51eeaa694a266e9ba851a, space hash "
             "2aaca45209d0e9ffcf1fc68a5f88efc5, options hash a6b86b64094343ae56dc37e12884696b"},
};
static const gemm_grouped_sm90_row gemm_grouped_sm90_rows[GEMM_GROUPED_SM90_ROWS] = {
    {0, 0, {4, 7168, 32768, 4096, 0, 1024}, {131072, 835584, 983040, 786432, -65536, 655360},
            580.261072},
    {0, 1, {8, 2048, 8192, 7168, 0, 128}, {196608, 720896, 851968, 835584, -65536, 458752},
            95.3167821},
    {0, 2, {8, 7168, 8192, 4096, 0, 128}, {196608, 835584, 851968, 786432, -65536, 458752},
            157.786953},
};

static const int gemm_grouped_sm90_preferences[] = {
    2, 1, 0,
};
static const gemm_grouped_sm90_group gemm_grouped_sm90_groups[] = {
    {0, 3, -1, 0, 3},
};

#if defined(__cplusplus) \
    && __cplusplus >= 201703L /* gemm_grouped_sm90_arch<80>.FIELD, one for every cc */
extern "C++" { template <int cc> static constexpr gemm_grouped_sm90_config gemm_grouped_sm90_arch =
    {128, 208, 1, 2, 2, 0, 2, 2, 0, 0, 132, 232448, {384, 1, 1}}; }
#endif
/* As in Lua 5.4: integers wrap, // and % round down; 0 where Lua raises an error. */
static inline long long gemm_grouped_sm90_add(long long a, long long b) {
    return (long long)((unsigned long long)a + (unsigned long long)b);
}
static inline long long gemm_grouped_sm90_sub(long long a, long long b) {
    return (long long)((unsigned long long)a - (unsigned long long)b);
}
static inline long long gemm_grouped_sm90_mul(long long a, long long b) {
    return (long long)((unsigned long long)a * (unsigned long long)b);
}
static inline long long gemm_grouped_sm90_neg(long long a) {
    return gemm_grouped_sm90_sub(0, a);
}
static inline long long gemm_grouped_sm90_min(long long a, long long b) {
    return b < a ? b : a;
}
static inline long long gemm_grouped_sm90_max(long long a, long long b) {
    return a < b ? b : a;
}
static inline long long gemm_grouped_sm90_floor_div(long long a, long long b) {
    if (b == 0 || b == -1) return b == 0 ? 0 : gemm_grouped_sm90_neg(a);
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}
static inline long long gemm_grouped_sm90_floor_mod(long long a, long long b) {
    if (b == 0 || b == -1) return 0;
    return a % b + (a % b != 0 && (a < 0) != (b < 0) ? b : 0);
}
static inline long long gemm_grouped_sm90_ceil_div(long long a, long long b) {
    if (b == 0 || b == -1) return b == 0 ? 0 : gemm_grouped_sm90_neg(a);
    return a / b + (a % b != 0 && (a < 0) == (b < 0));
}

/* The kernel, by its arguments and their elements: gemm_grouped_sm90(input bf16 tensor map
 *     A[max(1, (M - 1) * K + K)], B[max(1, (GROUPS * N - 1) * K + K)], bf16 C[1],
 *     inout bf16 D[max(1, (M - 1) * N + N)], input bf16 bias[1], residual[1], f32 row_scale[1],
 *     column_scale[GROUPS], u32 sizes[GROUPS], scalar i32 unit = UNIT, groups = GROUPS, room = 0,
 *     M, N, K, lda = K, ldb = K, ldc = N, ldd = N, f32 alpha, beta). */
/* The launch; shared memory is dynamic. Where CUDA refuses: grid, block 0, bytes ~0. */
static inline void gemm_grouped_sm90_grid(const gemm_grouped_sm90_config *config, long long GROUPS,
    long long K, long long M, long long N, long long SMS, long long UNIT, unsigned grid[3]) {
    (void)K, (void)UNIT;
    grid[0] = grid[1] = grid[2] = 0;
    if (!config) return;
    const long long CLUSTERS =
            gemm_grouped_sm90_mul(gemm_grouped_sm90_add(gemm_grouped_sm90_ceil_div(M,
            config->BM * config->CLUSTER_M), GROUPS),
            gemm_grouped_sm90_ceil_div(N / config->BN + (N % config->BN > 0), config->CLUSTER_N));
    const long long BLOCKS = SMS > 0 ? SMS : config->device_sm_count;
    const long long CLUSTER = config->CLUSTER_M * config->CLUSTER_N;
    const long long grid_x =
            gemm_grouped_sm90_mul(gemm_grouped_sm90_min(CLUSTERS,
            gemm_grouped_sm90_max(1, BLOCKS / CLUSTER - (BLOCKS % CLUSTER < 0))), CLUSTER);
    if (grid_x < 1 || grid_x > 2147483647) return;
    grid[0] = (unsigned)grid_x, grid[1] = 1, grid[2] = 1;
}
static inline void gemm_grouped_sm90_block(const gemm_grouped_sm90_config *config, long long GROUPS,
    long long K, long long M, long long N, long long SMS, long long UNIT, unsigned block[3]) {
    (void)GROUPS, (void)K, (void)M, (void)N, (void)SMS, (void)UNIT;
    for (int i = 0; i < 3; i++) block[i] = config ? config->block[i] : 0;
}
static inline void gemm_grouped_sm90_cluster(const gemm_grouped_sm90_config *config,
    long long GROUPS, long long K, long long M, long long N, long long SMS, long long UNIT,
    unsigned cluster[3]) {
    (void)GROUPS, (void)K, (void)M, (void)N, (void)SMS, (void)UNIT;
    cluster[0] = cluster[1] = cluster[2] = 0;
    if (!config) return;
    const long long CLUSTER = config->CLUSTER_M * config->CLUSTER_N;
    cluster[0] = (unsigned)CLUSTER, cluster[1] = 1, cluster[2] = 1;
}
/* Do clusters divide the grid, and has the GPU such? Compute capability 9.0 and 10.x take
 * 16 blocks, later ones 8, earlier ones have none. */
static inline int gemm_grouped_sm90_cluster_fits(const gemm_grouped_sm90_gpu *gpu,
    const unsigned grid[3], const unsigned cluster[3]) {
    const unsigned blocks = cluster[0] * cluster[1] * cluster[2];
    const int major = gpu->cc_major;
    if (!blocks || grid[0] % cluster[0] || grid[1] % cluster[1] || grid[2] % cluster[2])
        return 0;
    return !major || blocks <= (major < 9 ? 1u : major <= 10 ? 16u : 8u);
}

static inline unsigned gemm_grouped_sm90_shared_bytes(const gemm_grouped_sm90_config *config,
    long long GROUPS, long long K, long long M, long long N, long long SMS, long long UNIT) {
    (void)GROUPS, (void)K, (void)M, (void)N, (void)SMS, (void)UNIT;
    if (!config) return ~0u;
    const long long STAGED = config->BN % 64 == 0 ? 64
            : (config->BN % 48 == 0 ? 48 : (config->BN % 32 == 0 ? 32 : 16));
    const long long STAGING = config->MATH * (256 * (STAGED + 8));
    const long long STAGE = (config->BM + config->BN) * 128;
    const long long STAGES =
            gemm_grouped_sm90_min(12,
            gemm_grouped_sm90_floor_div(gemm_grouped_sm90_sub(config->device_max_shared_bytes,
            STAGING), STAGE + 0 + 16));
    const long long SMEM =
            gemm_grouped_sm90_add(gemm_grouped_sm90_mul(STAGES, STAGE + 0 + 16), STAGING);
    const long long bytes = SMEM;
    return bytes < 0 || bytes > 2147483647 ? ~0u : (unsigned)bytes;
}

/* Whether a configuration may run on a GPU and problem it was not measured on. */
static inline int gemm_grouped_sm90_fits(int number, const gemm_grouped_sm90_gpu *gpu,
    long long GROUPS, long long K, long long M, long long N, long long SMS, long long UNIT) {
    gemm_grouped_sm90_config here = gemm_grouped_sm90_configs[number];
    const gemm_grouped_sm90_config *config = &here;
    unsigned grid[3], cluster[3], shared;
    here.device_sm_count = gpu->sm_count;
    here.device_max_shared_bytes = gpu->max_shared_bytes;
    const long long STAGED = config->BN % 64 == 0 ? 64
            : (config->BN % 48 == 0 ? 48 : (config->BN % 32 == 0 ? 32 : 16));
    const long long STAGING = config->MATH * (256 * (STAGED + 8));
    const long long STAGE = (config->BM + config->BN) * 128;
    const long long STAGES =
            gemm_grouped_sm90_min(12,
            gemm_grouped_sm90_floor_div(gemm_grouped_sm90_sub(config->device_max_shared_bytes,
            STAGING), STAGE + 0 + 16));
    const long long A_STRIDE = gemm_grouped_sm90_mul(K, 2);
    const long long B_STRIDE = gemm_grouped_sm90_mul(K, 2);
    if (gpu->cc_major != 9) return 0;
    if (gemm_grouped_sm90_floor_mod(A_STRIDE, 16) != 0
            || gemm_grouped_sm90_floor_mod(B_STRIDE, 16) != 0) return 0;
    if (STAGES < 3) return 0;
    if (M < gemm_grouped_sm90_mul(gemm_grouped_sm90_mul(8, UNIT), GROUPS)) return 0;
    if (GROUPS < 1 || GROUPS != (int)GROUPS || K < 1 || K != (int)K || M < 0 || M != (int)M || N < 0
            || N != (int)N || SMS < 0 || UNIT < 0 || UNIT != (int)UNIT
            || gemm_grouped_sm90_add(gemm_grouped_sm90_mul(gemm_grouped_sm90_max(1, N), K), 0)
            > 549755813887LL) return 0;
    gemm_grouped_sm90_grid(config, GROUPS, K, M, N, SMS, UNIT, grid);
    if (!grid[0]) return 0;
    shared = gemm_grouped_sm90_shared_bytes(config, GROUPS, K, M, N, SMS, UNIT);
    if (shared == ~0u) return 0;
    if (gpu->max_shared_bytes && (long long)shared > gpu->max_shared_bytes) return 0;
    gemm_grouped_sm90_cluster(config, GROUPS, K, M, N, SMS, UNIT, cluster);
    if (!gemm_grouped_sm90_cluster_fits(gpu, grid, cluster)) return 0;
    return 1;
}

/* Tuned for this size and GPU; another size, SM count, minor version; not near; null. */
enum { GEMM_GROUPED_SM90_EXACT, GEMM_GROUPED_SM90_SAME_DEVICE, GEMM_GROUPED_SM90_SAME_ARCH,
    GEMM_GROUPED_SM90_SAME_FAMILY, GEMM_GROUPED_SM90_DEFAULT, GEMM_GROUPED_SM90_NONE };
/* Binary logarithm in 1/65536, exact at powers of two, linear between. */
static inline int gemm_grouped_sm90_lg(long long size) {
    int e = 0;
    if (size < 1) return -65536;
#ifdef __GNUC__
    e = 63 - __builtin_clzll((unsigned long long)size);
#else
    while (size >> e > 1) e++;
#endif
    return (e - 1) * 65536 + (int)((unsigned long long)size << (63 - e) >> 47);
}

static inline int gemm_grouped_sm90_apart(long long a, long long b) {
    const int gap = a > 0 && b > 0 ? gemm_grouped_sm90_lg(a) - gemm_grouped_sm90_lg(b) : 0;
    return gap < 0 ? -gap : gap;
}

/* How far a device of the table is from a GPU: 0, 1 or 2 (another number of
 * multiprocessors, another minor version) << 48, and more; 0: of no use. */
static inline long long gemm_grouped_sm90_distance(const gemm_grouped_sm90_gpu *a,
    const gemm_grouped_sm90_gpu *gpu, int place) {
    long long minors = (long long)a->cc_minor - gpu->cc_minor, level, gap;
    if (!a->cc_major || a->cc_major != gpu->cc_major) return 0;
    if (minors < 0) minors = -minors;
    if (minors > 2047) minors = 2047;
    level = minors ? 2 : a->sm_count != gpu->sm_count;
    gap = 65536 * minors + 2 * gemm_grouped_sm90_apart(a->sm_count, gpu->sm_count)
            + gemm_grouped_sm90_apart(a->l2_bytes, gpu->l2_bytes)
            + gemm_grouped_sm90_apart(a->memory_bytes, gpu->memory_bytes);
    return (level << 48) + (gap << 20) + place + 1;
}

/* The place of the device that is this GPU, or -1. */
static inline int gemm_grouped_sm90_own(const gemm_grouped_sm90_device *devices, int count,
    const gemm_grouped_sm90_gpu *gpu) {
    for (int i = 0; i < count; i++) {
        const gemm_grouped_sm90_gpu *a = &devices[i].gpu;
        if (a->sm_count == gpu->sm_count && a->cc_major == gpu->cc_major
                && a->l2_bytes == gpu->l2_bytes && a->cc_minor == gpu->cc_minor
                && a->memory_bytes == gpu->memory_bytes && a->cc_major)
            return i;
    }
    return -1;
}

/* That of the nearest one farther than *distance, which becomes its own; or -1. */
static inline int gemm_grouped_sm90_next(const gemm_grouped_sm90_device *devices, int count,
    const gemm_grouped_sm90_gpu *gpu, long long *distance) {
    const long long last = *distance;
    int best = -1;
    for (int i = 0; i < count; i++) {
        const long long key = gemm_grouped_sm90_distance(&devices[i].gpu, gpu, i);
        if (key <= last || (best >= 0 && key >= *distance)) continue;
        *distance = key;
        best = i;
    }
    return best;
}

/* The row of this very problem, or -1. */
static inline int gemm_grouped_sm90_find(const gemm_grouped_sm90_group *group, long long GROUPS,
    long long K, long long M, long long N, long long SMS, long long UNIT) {
    int low = group->first, high = low + group->count;
    while (low < high) {
        const int middle = (low + high) >> 1;
        const gemm_grouped_sm90_problem *row = &gemm_grouped_sm90_rows[middle].problem;
        if (GROUPS < row->GROUPS
                || (GROUPS == row->GROUPS
                && (K < row->K
                || (K == row->K
                && (M < row->M
                || (M == row->M
                && (N < row->N
                || (N == row->N && (SMS < row->SMS || (SMS == row->SMS && UNIT < row->UNIT))))))))))
            high = middle;
        else if (!(GROUPS == row->GROUPS && K == row->K && M == row->M && N == row->N
                && SMS == row->SMS && UNIT == row->UNIT))
            low = middle + 1;
        else
            return middle;
    }
    return -1;
}

/* The configuration for a problem that is no row. */
static inline int gemm_grouped_sm90_rule(const gemm_grouped_sm90_group *group, long long GROUPS,
    long long K, long long M, long long N, long long SMS, long long UNIT) {
    int best = group->first;
    int lg[6], i, at;
    long long least = -1;
    lg[0] = gemm_grouped_sm90_lg(GROUPS);
    lg[1] = gemm_grouped_sm90_lg(K);
    lg[2] = gemm_grouped_sm90_lg(M);
    lg[3] = gemm_grouped_sm90_lg(N);
    lg[4] = gemm_grouped_sm90_lg(SMS);
    lg[5] = gemm_grouped_sm90_lg(UNIT);
    for (i = group->first; i < group->first + group->count; i++) {
        long long apart = 0;
        for (at = 0; at < 6; at++) {
            const long long gap = (long long)lg[at] - gemm_grouped_sm90_rows[i].lg[at];
            apart += gap * gap;
        }
        if (least >= 0 && apart >= least) continue;
        least = apart;
        best = i;
    }
    return gemm_grouped_sm90_rows[best].config;
}

/* What a device of the table has for this problem, or -1; same: it is the one at hand. */
static inline int gemm_grouped_sm90_of_device(const gemm_grouped_sm90_device *device, int same,
    const gemm_grouped_sm90_gpu *gpu, long long GROUPS, long long K, long long M, long long N,
    long long SMS, long long UNIT, int *exact) {
    int g, i, number;
    for (g = device->first; g < device->first + device->count; g++) {
        const gemm_grouped_sm90_group *group = &gemm_grouped_sm90_groups[g];
        i = gemm_grouped_sm90_find(group, GROUPS, K, M, N, SMS, UNIT);
        number = i < 0 ? -1 : gemm_grouped_sm90_rows[i].config;
        *exact = i >= 0
                && (same || gemm_grouped_sm90_fits(number, gpu, GROUPS, K, M, N, SMS, UNIT));
        if (*exact) return number;
        for (i = -1; i < group->config_count; i++) {
            number = i < 0 ? gemm_grouped_sm90_rule(group, GROUPS, K, M, N, SMS, UNIT)
                    : gemm_grouped_sm90_preferences[group->configs + i];
            if (gemm_grouped_sm90_fits(number, gpu, GROUPS, K, M, N, SMS, UNIT)) return number;
        }
        return -1;
    }
    return -1;
}

/* The configuration for a GPU and problem, or null; *tier, if not null: how near. */
static inline const gemm_grouped_sm90_config *gemm_grouped_sm90_select_for(const gemm_grouped_sm90_gpu *gpu, long long GROUPS, long long K, long long M, long long N, long long SMS, long long UNIT, int *tier)
{
    long long last = 0;
    int answered, exact = 0,
            i = gemm_grouped_sm90_own(gemm_grouped_sm90_devices, GEMM_GROUPED_SM90_DEVICES, gpu);
    if (!tier) tier = &answered;
    for (;; i = -1) {
        if (i < 0) i =
                gemm_grouped_sm90_next(gemm_grouped_sm90_devices, GEMM_GROUPED_SM90_DEVICES, gpu,
                &last);
        if (i < 0) break;
        const int level = (int)(last >> 48);
        const int number =
                gemm_grouped_sm90_of_device(&gemm_grouped_sm90_devices[i], !level, gpu, GROUPS, K,
                M, N, SMS, UNIT, &exact);
        if (number < 0) continue;
        *tier = exact && !level ? GEMM_GROUPED_SM90_EXACT : GEMM_GROUPED_SM90_SAME_DEVICE + level;
        return &gemm_grouped_sm90_configs[number];
    }
    for (i = -1; i < GEMM_GROUPED_SM90_CONFIGS; i++) {
        const int number = i < 0 ? GEMM_GROUPED_SM90_DEFAULT_CONFIG : i;
        if (!gemm_grouped_sm90_fits(number, gpu, GROUPS, K, M, N, SMS, UNIT)) continue;
        *tier = GEMM_GROUPED_SM90_DEFAULT;
        return &gemm_grouped_sm90_configs[number];
    }
    *tier = GEMM_GROUPED_SM90_NONE;
    return 0;
}

/* Limits from the table; of other architectures as set below, else the table's least. */
static inline gemm_grouped_sm90_gpu gemm_grouped_sm90_gpu_of(int cc_major, int cc_minor,
    int sm_count) {
    gemm_grouped_sm90_gpu gpu = gemm_grouped_sm90_devices[0].gpu;
    const long long cc = cc_minor >= 0 && cc_minor < 10 ? cc_major * 10LL + cc_minor : 0;
    if (cc_major != gpu.cc_major || cc_minor != gpu.cc_minor) gpu.max_shared_bytes = cc == 70
            || cc == 72 ? 98304 : cc == 75 ? 65536 : cc == 80 || cc == 87 ? 166912 : cc == 86
            || cc == 89 || cc == 120 || cc == 121 ? 101376 : cc == 90 || cc == 100 || cc == 103
            || cc == 110 ? 232448 : 49152;
    gpu.cc_major = cc_major, gpu.cc_minor = cc_minor, gpu.sm_count = sm_count;
    return gpu;
}
static inline const gemm_grouped_sm90_config *gemm_grouped_sm90_select(int cc_major, int cc_minor,
    int sm_count, long long GROUPS, long long K, long long M, long long N, long long SMS,
    long long UNIT, int *tier) {
    const gemm_grouped_sm90_gpu gpu = gemm_grouped_sm90_gpu_of(cc_major, cc_minor, sm_count);
    return gemm_grouped_sm90_select_for(&gpu, GROUPS, K, M, N, SMS, UNIT, tier);
}
#elif HONE_EMITTED_gemm_grouped_sm90 != 0x824bc376u
#error "two headers gemm_grouped_sm90 that differ: emit one of them with --name"
#endif
