/* Tuned configurations of the kernel mla_decode. Emitted by hone 0.1.0 (form 3): do not edit.
 * PREDICTED by the emulator's model, not measured (how accurate: docs/emulator.md); clock emulated
 * Valid: emulated, and equal to the reference, within the script's tolerance, at its verify sizes.
 * Selected: the row of this size and GPU (compute capability and SM count); else the nearest row,
 *     however far, of the same major version that fits there; else the author's default
 *     (configuration 3) or any that fits; else null.
 * To launch: mla_decode_select gives a configuration,
 *     mla_decode_defines[config - mla_decode_configs] the options to compile mla_decode.cu with and
 *     -DHEAD= and -DHEAD_V= and -DPAGE= of the problem; mla_decode_grid, mla_decode_block,
 *     mla_decode_shared_bytes its launch; mla_decode_partials_bytes bytes of partials (0: pass
 *     null). C99, C++11, CUDA.
 * Missing: measured times; a look at the results of every row; tuning for other sizes and GPUs; the
 *     kernel's code (--payload).
 * No configuration on compute capability 7.0, 7.5; elsewhere for BATCH huge, HEAD huge, HEADS huge,
 *     HEAD_V huge, SEQ_Q huge; in some cases for tuned sizes, HEAD odd, HEADS odd, HEADS tiny,
 *     HEAD_V odd, HEAD_V tiny, MORE odd, MORE tiny, MORE huge, PAGE odd, PAGE tiny, PAGE huge,
 *     SPLITS tiny, SPLITS huge, UNIT tiny, UNIT huge, BATCH odd, BATCH tiny (tried: sizes of rows,
 *     one less (odd), 1 (tiny), 2^30 (huge)), as constraints, arguments or launches forbid: tune
 *     such, or expect null.
 * Of problems with TYPE = bf16.
 *
 * Device 0: NVIDIA H100 80GB HBM3 (compute capability 9.0, 132 SMs)
 *   3 configurations for 3 problems; slower than the best by 0.0 % on average, 0.0 % at worst
 *   tuned: BATCH 1 to 128, HEAD 576 to 576, HEADS 128 to 128, HEAD_V 512 to 512, MORE 4096 to 4096,
 *     PAGE 64 to 64, SEQ_Q 1 to 1, SPLITS 0 to 0, UNIT 0 to 0; other sizes, however far,
 *     get the configuration of the nearest one
 *   expected regret of that: not known: tune the problems together
 * Row 0, configuration 0: BATCH = 1, HEAD = 576, HEADS = 128, HEAD_V = 512, MORE = 4096, PAGE = 64,
 *     SCALE = 0.0, SEQ_Q = 1, SPLITS = 0, UNIT = 0
 *   6.08099 us (predicted); predicted 1.029 times as fast as the author's default
 *   strategy portfolio, seed 1, 60 evaluated, 60 of them valid, of 1260 in the space
 *   results at this size: equal to the reference's
 * Row 1, configuration 1: BATCH = 32, HEAD = 576, HEADS = 128, HEAD_V = 512, MORE = 4096,
 *     PAGE = 64, SCALE = 0.0, SEQ_Q = 1, SPLITS = 0, UNIT = 0
 *   127.597 us (predicted); predicted 1.376 times as fast as the author's default
 *   strategy portfolio, seed 1, 60 evaluated, 60 of them valid, of 1260 in the space
 *   results at this size: as the majority has them
 * Row 2, configuration 2: BATCH = 128, HEAD = 576, HEADS = 128, HEAD_V = 512, MORE = 4096,
 *     PAGE = 64, SCALE = 0.0, SEQ_Q = 1, SPLITS = 0, UNIT = 0
 *   494.753 us (predicted); predicted 1.430 times as fast as the author's default
 *   strategy portfolio, seed 1, 60 evaluated, 60 of them valid, of 1260 in the space
 *   results not verified at this size (would need over 40 s of emulation)
 */
#ifndef HONE_EMITTED_mla_decode
#define HONE_EMITTED_mla_decode 0x98e3cbdbu
#if defined(EVICT) || defined(FILL) || defined(KEYS) || defined(MIN_BLOCKS) || defined(PREFETCH) \
    || defined(ROWS) || defined(STAGES) || defined(WARPS) || defined(BATCH) || defined(HEAD) \
    || defined(HEADS) || defined(HEAD_V) || defined(MORE) || defined(PAGE) || defined(SCALE) \
    || defined(SEQ_Q) || defined(SPLITS) || defined(UNIT) || defined(TILES) || defined(PARTS) \
    || defined(SMEM) || defined(REGS) || defined(RESERVED) || defined(THREADS)
#error "mla_decode: include this header before its parameters or sizes are macros"
#endif

/* What the kernel is compiled with. */
typedef struct mla_decode_config {
    int EVICT, FILL, KEYS, MIN_BLOCKS, PREFETCH, ROWS, STAGES, WARPS;
    long long device_sm_count, device_reserved_shared_bytes; /* of the device it was tuned on */
    unsigned block[3]; /* of its launch */
} mla_decode_config;
/* A GPU: mla_decode_gpu_of makes one, set what is known better; 0 is unknown, and 0 to
 * constraints and launches that read it: sm_count, cc_major, max_shared_bytes,
 *     max_registers_per_thread, reserved_shared_bytes, shared_bytes_per_sm, registers_per_sm. */
typedef struct mla_decode_gpu {
    int cc_major, cc_minor, sm_count;
    long long l2_bytes, memory_bytes, max_shared_bytes;
    long long max_registers_per_thread, reserved_shared_bytes, shared_bytes_per_sm,
            registers_per_sm;
} mla_decode_gpu;
typedef struct {
    const char *name;
    mla_decode_gpu gpu;
    int first, count; /* groups of rows */
    const char *provenance;
} mla_decode_device;
typedef struct { long long BATCH, HEAD, HEADS, HEAD_V, MORE, PAGE; double SCALE; long long SEQ_Q,
    SPLITS, UNIT; } mla_decode_problem;
typedef struct {
    int device, config;
    mla_decode_problem problem;
    int lg[9]; /* of the sizes */
    double predicted_us;
} mla_decode_row;
/* Rows that one rule serves; tree is -1: the nearest row serves. */
typedef struct mla_decode_group {
    int first, count, tree;
    int configs, config_count; /* in mla_decode_preferences, the best first */
} mla_decode_group;

enum { MLA_DECODE_DEFAULT_CONFIG = 3, MLA_DECODE_CONFIGS = 4, MLA_DECODE_DEVICES = 1,
    MLA_DECODE_ROWS = 3 };
static const mla_decode_config mla_decode_configs[MLA_DECODE_CONFIGS] = {
    {0, 1, 32, 1, 0, 64, 1, 8, 132, 1024, {256, 1, 1}},
    {0, 3, 64, 1, 0, 64, 2, 8, 132, 1024, {256, 1, 1}},
    {0, 6, 64, 1, 0, 64, 2, 8, 132, 1024, {256, 1, 1}},
    {0, 1, 32, 1, 128, 64, 2, 8, 132, 1024, {256, 1, 1}},
};
static const char *const mla_decode_defines[MLA_DECODE_CONFIGS] = {
    ("-DEVICT=0 -DFILL=1 -DKEYS=32 -DMIN_BLOCKS=1 -DPREFETCH=0 -DROWS=64 -DSTAGES=1 -DWARPS=8 "
            "-DTYPE=bf16"),
    ("-DEVICT=0 -DFILL=3 -DKEYS=64 -DMIN_BLOCKS=1 -DPREFETCH=0 -DROWS=64 -DSTAGES=2 -DWARPS=8 "
            "-DTYPE=bf16"),
    ("-DEVICT=0 -DFILL=6 -DKEYS=64 -DMIN_BLOCKS=1 -DPREFETCH=0 -DROWS=64 -DSTAGES=2 -DWARPS=8 "
            "-DTYPE=bf16"),
    ("-DEVICT=0 -DFILL=1 -DKEYS=32 -DMIN_BLOCKS=1 -DPREFETCH=128 -DROWS=64 -DSTAGES=2 -DWARPS=8 "
            "-DTYPE=bf16"),
};
static const mla_decode_device mla_decode_devices[MLA_DECODE_DEVICES] = {
    {"NVIDIA H100 80GB HBM3",
            {9, 0, 132, 52428800, 84825604096LL, 232448, 255, 1024, 233472, 65536}, 0, 1,
     "predicted; clock emulated; driver emulator 1, NVRTC 13.0, recorded by hone 0.1.0; template "
             "mla_decode.cu, template hash 0ba0f3cdf5c71f0171ac7b33119cd14f, space hash "
             "52446ea63350ad653fbb5e9fe6d8c3d9, options hash a6b86b64094343ae56dc37e12884696b"},
};
static const mla_decode_row mla_decode_rows[MLA_DECODE_ROWS] = {
    {0, 0, {1, 576, 128, 512, 4096, 64, 0.0, 1, 0, 0},
            {0, 598016, 458752, 589824, 786432, 393216, 0, -65536, -65536}, 6.08098915},
    {0, 1, {32, 576, 128, 512, 4096, 64, 0.0, 1, 0, 0},
            {327680, 598016, 458752, 589824, 786432, 393216, 0, -65536, -65536}, 127.597364},
    {0, 2, {128, 576, 128, 512, 4096, 64, 0.0, 1, 0, 0},
            {458752, 598016, 458752, 589824, 786432, 393216, 0, -65536, -65536}, 494.753205},
};

static const int mla_decode_preferences[] = {
    0, 1, 2,
};
static const mla_decode_group mla_decode_groups[] = {
    {0, 3, -1, 0, 3},
};

#if defined(__cplusplus) && __cplusplus >= 201703L /* mla_decode_arch<80>.FIELD, one for every cc */
extern "C++" { template <int cc> static constexpr mla_decode_config mla_decode_arch =
    {0, 1, 32, 1, 0, 64, 1, 8, 132, 1024, {256, 1, 1}}; }
#endif
/* As in Lua 5.4: integers wrap, // and % round down; 0 where Lua raises an error. */
static inline long long mla_decode_add(long long a, long long b) {
    return (long long)((unsigned long long)a + (unsigned long long)b);
}
static inline long long mla_decode_sub(long long a, long long b) {
    return (long long)((unsigned long long)a - (unsigned long long)b);
}
static inline long long mla_decode_mul(long long a, long long b) {
    return (long long)((unsigned long long)a * (unsigned long long)b);
}
static inline long long mla_decode_neg(long long a) {
    return mla_decode_sub(0, a);
}
static inline long long mla_decode_min(long long a, long long b) {
    return b < a ? b : a;
}
static inline long long mla_decode_max(long long a, long long b) {
    return a < b ? b : a;
}
static inline long long mla_decode_floor_div(long long a, long long b) {
    if (b == 0 || b == -1) return b == 0 ? 0 : mla_decode_neg(a);
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}
static inline long long mla_decode_ceil_div(long long a, long long b) {
    if (b == 0 || b == -1) return b == 0 ? 0 : mla_decode_neg(a);
    return a / b + (a % b != 0 && (a < 0) == (b < 0));
}

/* The kernel, by its arguments and their elements: mla_decode(input bf16
 *     Q[BATCH * SEQ_Q * HEADS * HEAD], K[PAGE > 0 && BATCH * (PAGE > 0 ? ceil_div(max(1,
 *     8 * UNIT + MORE), max(PAGE, 1)) : 1) > 1 ? (4 * BATCH * (PAGE > 0 ? ceil_div(max(1,
 *     8 * UNIT + MORE), max(PAGE, 1)) : 1) + 4) * (PAGE > 0 ? PAGE : max(1,
 *     8 * UNIT + MORE)) * HEAD : BATCH * max(1, 8 * UNIT + MORE) * HEAD], inout bf16
 *     O[BATCH * SEQ_Q * HEADS * HEAD_V], f32 lse[HEADS * BATCH * SEQ_Q], input i32 table[BATCH *
 *     (PAGE > 0 ? ceil_div(max(1, 8 * UNIT + MORE), max(PAGE, 1)) : 1)], u32 lengths[BATCH],
 *     workspace f32 partials[PARTS > 1 ? TILES * PARTS * ROWS * (HEAD_V + 1) : 0],
 *     inout u32 counters[BATCH * ceil_div(HEADS * SEQ_Q, 16)] (0 before each launch),
 *     scalar i32 unit = UNIT, more = MORE, seq_q = SEQ_Q, heads = HEADS, table_row = PAGE > 0 ?
 *     ceil_div(max(1, 8 * UNIT + MORE), max(PAGE, 1)) : 1, q_token = HEADS * HEAD, q_head = HEAD,
 *     i64 kv_page = (PAGE > 0 ? PAGE : max(1, 8 * UNIT + MORE)) * HEAD, i32 kv_token = HEAD,
 *     o_token = HEADS * HEAD_V, o_head = HEAD_V, i64 lse_head = BATCH * SEQ_Q,
 *     f32 scale = SCALE > 0 ? SCALE : 0.07216878364870323). */
/* The launch; shared memory is dynamic. Where CUDA refuses: grid, block 0, bytes ~0. */
static inline void mla_decode_grid(const mla_decode_config *config, long long BATCH, long long HEAD,
    long long HEADS, long long HEAD_V, long long MORE, long long PAGE, double SCALE,
    long long SEQ_Q, long long SPLITS, long long UNIT, unsigned grid[3]) {
    (void)HEAD, (void)HEAD_V, (void)PAGE, (void)SCALE;
    grid[0] = grid[1] = grid[2] = 0;
    if (!config) return;
    const long long TILES =
            mla_decode_mul(BATCH, mla_decode_ceil_div(mla_decode_mul(HEADS, SEQ_Q), config->ROWS));
    const int known_PARTS = ((SPLITS > 0) || (TILES != 0));
    const long long PARTS = SPLITS > 0 ? SPLITS
            : mla_decode_max(1,
            mla_decode_min(mla_decode_floor_div(mla_decode_mul(config->FILL,
            config->device_sm_count), TILES),
            mla_decode_ceil_div(mla_decode_max(1, mla_decode_add(mla_decode_mul(8, UNIT), MORE)),
            config->KEYS)));
    const long long grid_x = !(known_PARTS) ? -1 : PARTS;
    const long long grid_y = mla_decode_ceil_div(mla_decode_mul(HEADS, SEQ_Q), config->ROWS);
    if (grid_x < 1 || grid_x > 2147483647 || grid_y < 1 || grid_y > 65535 || BATCH < 1
            || BATCH > 65535) return;
    grid[0] = (unsigned)grid_x, grid[1] = (unsigned)grid_y, grid[2] = (unsigned)BATCH;
}
static inline void mla_decode_block(const mla_decode_config *config, long long BATCH,
    long long HEAD, long long HEADS, long long HEAD_V, long long MORE, long long PAGE, double SCALE,
    long long SEQ_Q, long long SPLITS, long long UNIT, unsigned block[3]) {
    (void)BATCH, (void)HEAD, (void)HEADS, (void)HEAD_V, (void)MORE, (void)PAGE, (void)SCALE,
            (void)SEQ_Q, (void)SPLITS, (void)UNIT;
    for (int i = 0; i < 3; i++) block[i] = config ? config->block[i] : 0;
}
static inline unsigned mla_decode_shared_bytes(const mla_decode_config *config, long long BATCH,
    long long HEAD, long long HEADS, long long HEAD_V, long long MORE, long long PAGE, double SCALE,
    long long SEQ_Q, long long SPLITS, long long UNIT) {
    (void)BATCH, (void)HEADS, (void)HEAD_V, (void)MORE, (void)PAGE, (void)SCALE, (void)SEQ_Q,
            (void)SPLITS, (void)UNIT;
    if (!config) return ~0u;
    const long long SMEM =
            mla_decode_add(mla_decode_add(mla_decode_add(mla_decode_mul(mla_decode_mul(2, HEAD),
            config->ROWS + config->STAGES * config->KEYS), 2 * config->ROWS * config->KEYS),
            64 * config->WARPS), 4 * config->ROWS);
    const long long bytes = SMEM;
    return bytes < 0 || bytes > 2147483647 ? ~0u : (unsigned)bytes;
}
static inline unsigned long long mla_decode_partials_bytes(const mla_decode_config *config,
    long long BATCH, long long HEAD, long long HEADS, long long HEAD_V, long long MORE,
    long long PAGE, double SCALE, long long SEQ_Q, long long SPLITS, long long UNIT) {
    (void)HEAD, (void)PAGE, (void)SCALE;
    if (!config) return ~0ULL;
    const long long TILES =
            mla_decode_mul(BATCH, mla_decode_ceil_div(mla_decode_mul(HEADS, SEQ_Q), config->ROWS));
    const int known_PARTS = ((SPLITS > 0) || (TILES != 0));
    const long long PARTS = SPLITS > 0 ? SPLITS
            : mla_decode_max(1,
            mla_decode_min(mla_decode_floor_div(mla_decode_mul(config->FILL,
            config->device_sm_count), TILES),
            mla_decode_ceil_div(mla_decode_max(1, mla_decode_add(mla_decode_mul(8, UNIT), MORE)),
            config->KEYS)));
    const long long size = !(known_PARTS) ? -1 : PARTS > 1
            ? mla_decode_mul(mla_decode_mul(mla_decode_mul(TILES, PARTS), config->ROWS),
            mla_decode_add(HEAD_V, 1)) : 0;
    return size < 0 || size > 2305843009213693951 ? ~0ULL : (unsigned long long)size * 4;
}

/* Whether a configuration may run on a GPU and problem it was not measured on. */
static inline int mla_decode_fits(int number, const mla_decode_gpu *gpu, long long BATCH,
    long long HEAD, long long HEADS, long long HEAD_V, long long MORE, long long PAGE, double SCALE,
    long long SEQ_Q, long long SPLITS, long long UNIT) {
    mla_decode_config here = mla_decode_configs[number];
    const mla_decode_config *config = &here;
    unsigned grid[3], shared;
    here.device_sm_count = gpu->sm_count;
    here.device_reserved_shared_bytes = gpu->reserved_shared_bytes;
    const long long SMEM =
            mla_decode_add(mla_decode_add(mla_decode_add(mla_decode_mul(mla_decode_mul(2, HEAD),
            config->ROWS + config->STAGES * config->KEYS), 2 * config->ROWS * config->KEYS),
            64 * config->WARPS), 4 * config->ROWS);
    const long long REGS =
            mla_decode_floor_div(mla_decode_mul(config->ROWS, HEAD_V), 32 * config->WARPS)
            + config->KEYS * config->ROWS / (32 * config->WARPS) + config->ROWS / 4 + 56;
    const long long RESERVED = config->device_reserved_shared_bytes;
    const long long THREADS = 32 * config->WARPS;
    if (gpu->cc_major < 8) return 0;
    if (SMEM > gpu->max_shared_bytes) return 0;
    if (REGS > gpu->max_registers_per_thread) return 0;
    if (mla_decode_mul(config->MIN_BLOCKS, mla_decode_add(SMEM, RESERVED))
            > gpu->shared_bytes_per_sm) return 0;
    if (mla_decode_mul(config->MIN_BLOCKS * THREADS, REGS) > gpu->registers_per_sm) return 0;
    if (BATCH < 0 || HEAD < 0 || HEAD != (int)HEAD || HEADS < 0 || HEADS != (int)HEADS || HEAD_V < 0
            || HEAD_V != (int)HEAD_V || MORE < 0 || MORE != (int)MORE || PAGE < 0 || SEQ_Q < 0
            || SEQ_Q != (int)SEQ_Q || SPLITS < 0 || UNIT < 0 || UNIT != (int)UNIT
            || (PAGE > 0
            ? mla_decode_ceil_div(mla_decode_max(1, mla_decode_add(mla_decode_mul(8, UNIT), MORE)),
            mla_decode_max(PAGE, 1)) : 1) > 2147483647 || mla_decode_mul(HEADS, HEAD) > 2147483647
            || mla_decode_mul(HEADS, HEAD_V) > 2147483647) return 0;
    mla_decode_grid(config, BATCH, HEAD, HEADS, HEAD_V, MORE, PAGE, SCALE, SEQ_Q, SPLITS, UNIT,
            grid);
    if (!grid[0]) return 0;
    shared = mla_decode_shared_bytes(config, BATCH, HEAD, HEADS, HEAD_V, MORE, PAGE, SCALE, SEQ_Q,
            SPLITS, UNIT);
    if (shared == ~0u) return 0;
    if (gpu->max_shared_bytes && (long long)shared > gpu->max_shared_bytes) return 0;
    return 1;
}

/* Tuned for this size and GPU; another size, SM count, minor version; not near; null. */
enum { MLA_DECODE_EXACT, MLA_DECODE_SAME_DEVICE, MLA_DECODE_SAME_ARCH, MLA_DECODE_SAME_FAMILY,
    MLA_DECODE_DEFAULT, MLA_DECODE_NONE };
/* Binary logarithm in 1/65536, exact at powers of two, linear between. */
static inline int mla_decode_lg(long long size) {
    int e = 0;
    if (size < 1) return -65536;
#ifdef __GNUC__
    e = 63 - __builtin_clzll((unsigned long long)size);
#else
    while (size >> e > 1) e++;
#endif
    return (e - 1) * 65536 + (int)((unsigned long long)size << (63 - e) >> 47);
}

static inline int mla_decode_apart(long long a, long long b) {
    const int gap = a > 0 && b > 0 ? mla_decode_lg(a) - mla_decode_lg(b) : 0;
    return gap < 0 ? -gap : gap;
}

/* How far a device of the table is from a GPU: 0, 1 or 2 (another number of
 * multiprocessors, another minor version) << 48, and more; 0: of no use. */
static inline long long mla_decode_distance(const mla_decode_gpu *a, const mla_decode_gpu *gpu,
    int place) {
    long long minors = (long long)a->cc_minor - gpu->cc_minor, level, gap;
    if (!a->cc_major || a->cc_major != gpu->cc_major) return 0;
    if (minors < 0) minors = -minors;
    if (minors > 2047) minors = 2047;
    level = minors ? 2 : a->sm_count != gpu->sm_count;
    gap = 65536 * minors + 2 * mla_decode_apart(a->sm_count, gpu->sm_count)
            + mla_decode_apart(a->l2_bytes, gpu->l2_bytes)
            + mla_decode_apart(a->memory_bytes, gpu->memory_bytes);
    return (level << 48) + (gap << 20) + place + 1;
}

/* The place of the device that is this GPU, or -1. */
static inline int mla_decode_own(const mla_decode_device *devices, int count,
    const mla_decode_gpu *gpu) {
    for (int i = 0; i < count; i++) {
        const mla_decode_gpu *a = &devices[i].gpu;
        if (a->sm_count == gpu->sm_count && a->cc_major == gpu->cc_major
                && a->l2_bytes == gpu->l2_bytes && a->cc_minor == gpu->cc_minor
                && a->memory_bytes == gpu->memory_bytes && a->cc_major)
            return i;
    }
    return -1;
}

/* That of the nearest one farther than *distance, which becomes its own; or -1. */
static inline int mla_decode_next(const mla_decode_device *devices, int count,
    const mla_decode_gpu *gpu, long long *distance) {
    const long long last = *distance;
    int best = -1;
    for (int i = 0; i < count; i++) {
        const long long key = mla_decode_distance(&devices[i].gpu, gpu, i);
        if (key <= last || (best >= 0 && key >= *distance)) continue;
        *distance = key;
        best = i;
    }
    return best;
}

/* The row of this very problem, or -1. */
static inline int mla_decode_find(const mla_decode_group *group, long long BATCH, long long HEAD,
    long long HEADS, long long HEAD_V, long long MORE, long long PAGE, double SCALE,
    long long SEQ_Q, long long SPLITS, long long UNIT) {
    int low = group->first, high = low + group->count;
    while (low < high) {
        const int middle = (low + high) >> 1;
        const mla_decode_problem *row = &mla_decode_rows[middle].problem;
        if (BATCH < row->BATCH
                || (BATCH == row->BATCH
                && (HEAD < row->HEAD
                || (HEAD == row->HEAD
                && (HEADS < row->HEADS
                || (HEADS == row->HEADS
                && (HEAD_V < row->HEAD_V
                || (HEAD_V == row->HEAD_V
                && (MORE < row->MORE
                || (MORE == row->MORE
                && (PAGE < row->PAGE
                || (PAGE == row->PAGE
                && (SCALE < row->SCALE
                || (SCALE == row->SCALE
                && (SEQ_Q < row->SEQ_Q
                || (SEQ_Q == row->SEQ_Q
                && (SPLITS < row->SPLITS
                || (SPLITS == row->SPLITS && UNIT < row->UNIT))))))))))))))))))
            high = middle;
        else if (!(BATCH == row->BATCH && HEAD == row->HEAD && HEADS == row->HEADS
                && HEAD_V == row->HEAD_V && MORE == row->MORE && PAGE == row->PAGE
                && SCALE == row->SCALE && SEQ_Q == row->SEQ_Q && SPLITS == row->SPLITS
                && UNIT == row->UNIT))
            low = middle + 1;
        else
            return middle;
    }
    return -1;
}

/* The configuration for a problem that is no row. */
static inline int mla_decode_rule(const mla_decode_group *group, long long BATCH, long long HEAD,
    long long HEADS, long long HEAD_V, long long MORE, long long PAGE, double SCALE,
    long long SEQ_Q, long long SPLITS, long long UNIT) {
    int best = group->first;
    int lg[9], i, at;
    long long least = -1;
    lg[0] = mla_decode_lg(BATCH);
    lg[1] = mla_decode_lg(HEAD);
    lg[2] = mla_decode_lg(HEADS);
    lg[3] = mla_decode_lg(HEAD_V);
    lg[4] = mla_decode_lg(MORE);
    lg[5] = mla_decode_lg(PAGE);
    (void)SCALE;
    lg[6] = mla_decode_lg(SEQ_Q);
    lg[7] = mla_decode_lg(SPLITS);
    lg[8] = mla_decode_lg(UNIT);
    for (i = group->first; i < group->first + group->count; i++) {
        long long apart = 0;
        for (at = 0; at < 9; at++) {
            const long long gap = (long long)lg[at] - mla_decode_rows[i].lg[at];
            apart += gap * gap;
        }
        if (least >= 0 && apart >= least) continue;
        least = apart;
        best = i;
    }
    return mla_decode_rows[best].config;
}

/* What a device of the table has for this problem, or -1; same: it is the one at hand. */
static inline int mla_decode_of_device(const mla_decode_device *device, int same,
    const mla_decode_gpu *gpu, long long BATCH, long long HEAD, long long HEADS, long long HEAD_V,
    long long MORE, long long PAGE, double SCALE, long long SEQ_Q, long long SPLITS, long long UNIT,
    int *exact) {
    int g, i, number;
    for (g = device->first; g < device->first + device->count; g++) {
        const mla_decode_group *group = &mla_decode_groups[g];
        i = mla_decode_find(group, BATCH, HEAD, HEADS, HEAD_V, MORE, PAGE, SCALE, SEQ_Q, SPLITS,
                UNIT);
        number = i < 0 ? -1 : mla_decode_rows[i].config;
        *exact = i >= 0
                && (same || mla_decode_fits(number, gpu, BATCH, HEAD, HEADS, HEAD_V, MORE, PAGE,
                SCALE, SEQ_Q, SPLITS, UNIT));
        if (*exact) return number;
        for (i = -1; i < group->config_count; i++) {
            number = i < 0
                    ? mla_decode_rule(group, BATCH, HEAD, HEADS, HEAD_V, MORE, PAGE, SCALE, SEQ_Q,
                    SPLITS, UNIT) : mla_decode_preferences[group->configs + i];
            if (mla_decode_fits(number, gpu, BATCH, HEAD, HEADS, HEAD_V, MORE, PAGE, SCALE, SEQ_Q,
                    SPLITS, UNIT)) return number;
        }
        return -1;
    }
    return -1;
}

/* The configuration for a GPU and problem, or null; *tier, if not null: how near. */
static inline const mla_decode_config *mla_decode_select_for(const mla_decode_gpu *gpu,
    long long BATCH, long long HEAD, long long HEADS, long long HEAD_V, long long MORE,
    long long PAGE, double SCALE, long long SEQ_Q, long long SPLITS, long long UNIT, int *tier) {
    long long last = 0;
    int answered, exact = 0, i = mla_decode_own(mla_decode_devices, MLA_DECODE_DEVICES, gpu);
    if (!tier) tier = &answered;
    for (;; i = -1) {
        if (i < 0) i = mla_decode_next(mla_decode_devices, MLA_DECODE_DEVICES, gpu, &last);
        if (i < 0) break;
        const int level = (int)(last >> 48);
        const int number =
                mla_decode_of_device(&mla_decode_devices[i], !level, gpu, BATCH, HEAD, HEADS,
                HEAD_V, MORE, PAGE, SCALE, SEQ_Q, SPLITS, UNIT, &exact);
        if (number < 0) continue;
        *tier = exact && !level ? MLA_DECODE_EXACT : MLA_DECODE_SAME_DEVICE + level;
        return &mla_decode_configs[number];
    }
    for (i = -1; i < MLA_DECODE_CONFIGS; i++) {
        const int number = i < 0 ? MLA_DECODE_DEFAULT_CONFIG : i;
        if (!mla_decode_fits(number, gpu, BATCH, HEAD, HEADS, HEAD_V, MORE, PAGE, SCALE, SEQ_Q,
                SPLITS, UNIT)) continue;
        *tier = MLA_DECODE_DEFAULT;
        return &mla_decode_configs[number];
    }
    *tier = MLA_DECODE_NONE;
    return 0;
}

/* Limits from the table; of other architectures as set below, else the table's least. */
static inline mla_decode_gpu mla_decode_gpu_of(int cc_major, int cc_minor, int sm_count) {
    mla_decode_gpu gpu = mla_decode_devices[0].gpu;
    const long long cc = cc_minor >= 0 && cc_minor < 10 ? cc_major * 10LL + cc_minor : 0;
    if (cc_major != gpu.cc_major || cc_minor != gpu.cc_minor) {
        switch (cc) {
        case 70: case 72:
            gpu.max_shared_bytes = 98304; gpu.reserved_shared_bytes = 0;
                    gpu.shared_bytes_per_sm = 98304; break;
        case 75:
            gpu.max_shared_bytes = 65536; gpu.reserved_shared_bytes = 0;
                    gpu.shared_bytes_per_sm = 65536; break;
        case 80: case 87:
            gpu.max_shared_bytes = 166912; gpu.reserved_shared_bytes = 1024;
                    gpu.shared_bytes_per_sm = 167936; break;
        case 86: case 89: case 120: case 121:
            gpu.max_shared_bytes = 101376; gpu.reserved_shared_bytes = 1024;
                    gpu.shared_bytes_per_sm = 102400; break;
        case 90: case 100: case 103: case 110:
            gpu.max_shared_bytes = 232448; gpu.reserved_shared_bytes = 1024;
                    gpu.shared_bytes_per_sm = 233472; break;
        default:
            gpu.max_shared_bytes = 49152; gpu.reserved_shared_bytes = 1024;
                    gpu.shared_bytes_per_sm = 65536; break;
        }
    }
    gpu.cc_major = cc_major, gpu.cc_minor = cc_minor, gpu.sm_count = sm_count;
    return gpu;
}
static inline const mla_decode_config *mla_decode_select(int cc_major, int cc_minor, int sm_count,
    long long BATCH, long long HEAD, long long HEADS, long long HEAD_V, long long MORE,
    long long PAGE, double SCALE, long long SEQ_Q, long long SPLITS, long long UNIT, int *tier) {
    const mla_decode_gpu gpu = mla_decode_gpu_of(cc_major, cc_minor, sm_count);
    return mla_decode_select_for(&gpu, BATCH, HEAD, HEADS, HEAD_V, MORE, PAGE, SCALE, SEQ_Q, SPLITS,
            UNIT, tier);
}
#elif HONE_EMITTED_mla_decode != 0x98e3cbdbu
#error "two headers mla_decode that differ: emit one of them with --name"
#endif
