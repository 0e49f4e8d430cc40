/* Tuned configurations of the kernel attention_decode. Emitted by hone 0.1.0 (form 3): do not edit.
 * PREDICTED by the emulator's model, not measured (how accurate: docs/emulator.md); clock emulated
 * Valid: emulated, and equal to the reference, within the script's tolerance, at its verify sizes.
 * Selected: the row of this size and GPU (compute capability and SM count); else the nearest row,
 *     however far, of the same major version that fits there; else the author's default
 *     (configuration 3) or any that fits; else null.
 * To launch: attention_decode_select gives a configuration,
 *     attention_decode_defines[config - attention_decode_configs] the options to compile
 *     attention_decode.cu with and -DHEAD= and -DPAGE= of the problem; attention_decode_grid,
 *     attention_decode_block, attention_decode_shared_bytes its launch;
 *     attention_decode_partials_bytes bytes of partials (0: pass null). C99, C++11, CUDA.
 * Missing: measured times; tuning for other sizes and GPUs; the kernel's code (--payload).
 * No configuration on compute capability 7.0, 7.5; elsewhere for BATCH huge, HEAD huge, HEADS tiny,
 *     HEADS huge, KEY_HEADS huge, SEQ_Q huge (tried: sizes of rows, one less (odd), 1 (tiny),
 *     2^30 (huge)), as constraints, arguments or launches forbid: tune such, or expect null.
 * Of problems with CACHE = bf16, LOCAL = false, SOFTCAP = false, TYPE = bf16.
 *
 * Device 0: NVIDIA A100-SXM4-80GB (compute capability 8.0, 108 SMs)
 *   3 configurations for 3 problems; slower than the best by 0.0 % on average, 0.0 % at worst
 *   tuned: BATCH 1 to 32, HEAD 128 to 128, HEADS 32 to 32, KEY_HEADS 8 to 8, MORE 1024 to 8192,
 *     PAGE 16 to 16, SEQ_Q 1 to 1, SPLITS 0 to 0, UNIT 0 to 0, WINDOW 4096 to 4096; other sizes,
 *     however far, get the configuration of the nearest one
 *   expected regret of that: not known: tune the problems together
 * Row 0, configuration 0: BATCH = 1, CAP = 50.0, HEAD = 128, HEADS = 32, KEY_HEADS = 8,
 *     MORE = 1024, PAGE = 16, SCALE = 0.0, SEQ_Q = 1, SPLITS = 0, UNIT = 0, WINDOW = 4096
 *   4.92706 us (predicted); predicted 1.101 times as fast as the author's default
 *   strategy portfolio, seed 1, 60 evaluated, 60 of them valid, of 16320 in the space
 *   results at this size: equal to the reference's
 * Row 1, configuration 1: BATCH = 32, CAP = 50.0, HEAD = 128, HEADS = 32, KEY_HEADS = 8,
 *     MORE = 1024, PAGE = 16, SCALE = 0.0, SEQ_Q = 1, SPLITS = 0, UNIT = 0, WINDOW = 4096
 *   56.0734 us (predicted); predicted 1.316 times as fast as the author's default
 *   strategy portfolio, seed 1, 60 evaluated, 60 of them valid, of 16320 in the space
 *   results at this size: equal to the reference's
 * Row 2, configuration 2: BATCH = 32, CAP = 50.0, HEAD = 128, HEADS = 32, KEY_HEADS = 8,
 *     MORE = 8192, PAGE = 16, SCALE = 0.0, SEQ_Q = 1, SPLITS = 0, UNIT = 0, WINDOW = 4096
 *   435.966 us (predicted); predicted 1.352 times as fast as the author's default
 *   strategy portfolio, seed 1, 60 evaluated, 60 of them valid, of 16320 in the space
 *   results at this size: as the majority has them
 */
#ifndef HONE_EMITTED_attention_decode
#define HONE_EMITTED_attention_decode 0x1099108bu
#if defined(EVICT) || defined(FILL) || defined(KEEP_Q) || defined(KEYS) || defined(MIN_BLOCKS) \
    || defined(PEEL) || defined(PREFETCH) || defined(STAGES) || defined(WARPS) || defined(BATCH) \
    || defined(CAP) || defined(HEAD) || defined(HEADS) || defined(KEY_HEADS) || defined(MORE) \
    || defined(PAGE) || defined(SCALE) || defined(SEQ_Q) || defined(SPLITS) || defined(UNIT) \
    || defined(WINDOW) || defined(TILES) || defined(PARTS) || defined(SMEM) || defined(REGS) \
    || defined(RESERVED) || defined(THREADS)
#error "attention_decode: include this header before its parameters or sizes are macros"
#endif

/* What the kernel is compiled with. */
typedef struct attention_decode_config {
    int EVICT, FILL, KEEP_Q, KEYS, MIN_BLOCKS, PEEL, PREFETCH, STAGES, WARPS;
    long long device_sm_count, device_reserved_shared_bytes; /* of the device it was tuned on */
    unsigned block[3]; /* of its launch */
} attention_decode_config;
/* A GPU: attention_decode_gpu_of makes one, set what is known better; 0 is unknown, and 0 to
 * constraints and launches that read it: sm_count, cc_major, max_shared_bytes,
 *     max_registers_per_thread, reserved_shared_bytes, shared_bytes_per_sm, registers_per_sm. */
typedef struct attention_decode_gpu {
    int cc_major, cc_minor, sm_count;
    long long l2_bytes, memory_bytes, max_shared_bytes;
    long long max_registers_per_thread, reserved_shared_bytes, shared_bytes_per_sm,
            registers_per_sm;
} attention_decode_gpu;
typedef struct {
    const char *name;
    attention_decode_gpu gpu;
    int first, count; /* groups of rows */
    const char *provenance;
} attention_decode_device;
typedef struct {
    long long BATCH;
    double CAP;
    long long HEAD, HEADS, KEY_HEADS, MORE, PAGE;
    double SCALE;
    long long SEQ_Q, SPLITS, UNIT, WINDOW;
} attention_decode_problem;
typedef struct {
    int device, config;
    attention_decode_problem problem;
    int lg[10]; /* of the sizes */
    double predicted_us;
} attention_decode_row;
/* Rows that one rule serves; tree is -1: the nearest row serves. */
typedef struct attention_decode_group {
    int first, count, tree;
    int configs, config_count; /* in attention_decode_preferences, the best first */
} attention_decode_group;

enum { ATTENTION_DECODE_DEFAULT_CONFIG = 3, ATTENTION_DECODE_CONFIGS = 4,
    ATTENTION_DECODE_DEVICES = 1, ATTENTION_DECODE_ROWS = 3 };
static const attention_decode_config attention_decode_configs[ATTENTION_DECODE_CONFIGS] = {
    {0, 3, 0, 32, 3, 1, 0, 1, 1, 108, 1024, {32, 1, 1}},
    {0, 8, 1, 16, 1, 1, 128, 1, 1, 108, 1024, {32, 1, 1}},
    {0, 16, 1, 16, 1, 1, 128, 1, 1, 108, 1024, {32, 1, 1}},
    {1, 2, 1, 16, 1, 0, 128, 2, 4, 108, 1024, {128, 1, 1}},
};
static const char *const attention_decode_defines[ATTENTION_DECODE_CONFIGS] = {
    ("-DEVICT=0 -DFILL=3 -DKEEP_Q=0 -DKEYS=32 -DMIN_BLOCKS=3 -DPEEL=1 -DPREFETCH=0 -DSTAGES=1 "
            "-DWARPS=1 -DCACHE=bf16 -DLOCAL=0 -DSOFTCAP=0 -DTYPE=bf16"),
    ("-DEVICT=0 -DFILL=8 -DKEEP_Q=1 -DKEYS=16 -DMIN_BLOCKS=1 -DPEEL=1 -DPREFETCH=128 -DSTAGES=1 "
            "-DWARPS=1 -DCACHE=bf16 -DLOCAL=0 -DSOFTCAP=0 -DTYPE=bf16"),
    ("-DEVICT=0 -DFILL=16 -DKEEP_Q=1 -DKEYS=16 -DMIN_BLOCKS=1 -DPEEL=1 -DPREFETCH=128 -DSTAGES=1 "
            "-DWARPS=1 -DCACHE=bf16 -DLOCAL=0 -DSOFTCAP=0 -DTYPE=bf16"),
    ("-DEVICT=1 -DFILL=2 -DKEEP_Q=1 -DKEYS=16 -DMIN_BLOCKS=1 -DPEEL=0 -DPREFETCH=128 -DSTAGES=2 "
            "-DWARPS=4 -DCACHE=bf16 -DLOCAL=0 -DSOFTCAP=0 -DTYPE=bf16"),
};
static const attention_decode_device attention_decode_devices[ATTENTION_DECODE_DEVICES] = {
    {"NVIDIA A100-SXM4-80GB",
            {8, 0, 108, 41943040, 84825604096LL, 166912, 255, 1024, 167936, 65536}, 0, 1,
     "predicted; clock emulated; driver emulator 1, NVRTC 13.0, recorded by hone 0.1.0; template "
             "attention_decode.cu, template hash 535895b606c858fcca0fd199b7af0d67, space hash "
             "ed46c6d735068a3eaf9bd145a2df7e6e, options hash a6b86b64094343ae56dc37e12884696b"},
};
static const attention_decode_row attention_decode_rows[ATTENTION_DECODE_ROWS] = {
    {0, 0, {1, 50.0, 128, 32, 8, 1024, 16, 0.0, 1, 0, 0, 4096},
            {0, 458752, 327680, 196608, 655360, 262144, 0, -65536, -65536, 786432}, 4.92706357},
    {0, 1, {32, 50.0, 128, 32, 8, 1024, 16, 0.0, 1, 0, 0, 4096},
            {327680, 458752, 327680, 196608, 655360, 262144, 0, -65536, -65536, 786432},
            56.0733762},
    {0, 2, {32, 50.0, 128, 32, 8, 8192, 16, 0.0, 1, 0, 0, 4096},
            {327680, 458752, 327680, 196608, 851968, 262144, 0, -65536, -65536, 786432}, 435.96567},
};

static const int attention_decode_preferences[] = {
    0, 1, 2,
};
static const attention_decode_group attention_decode_groups[] = {
    {0, 3, -1, 0, 3},
};

#if defined(__cplusplus) \
    && __cplusplus >= 201703L /* attention_decode_arch<80>.FIELD, one for every cc */
extern "C++" { template <int cc> static constexpr attention_decode_config attention_decode_arch =
    {0, 3, 0, 32, 3, 1, 0, 1, 1, 108, 1024, {32, 1, 1}}; }
#endif
/* As in Lua 5.4: integers wrap, // and % round down; 0 where Lua raises an error. */
static inline long long attention_decode_add(long long a, long long b) {
    return (long long)((unsigned long long)a + (unsigned long long)b);
}
static inline long long attention_decode_sub(long long a, long long b) {
    return (long long)((unsigned long long)a - (unsigned long long)b);
}
static inline long long attention_decode_mul(long long a, long long b) {
    return (long long)((unsigned long long)a * (unsigned long long)b);
}
static inline long long attention_decode_neg(long long a) {
    return attention_decode_sub(0, a);
}
static inline long long attention_decode_min(long long a, long long b) {
    return b < a ? b : a;
}
static inline long long attention_decode_max(long long a, long long b) {
    return a < b ? b : a;
}
static inline long long attention_decode_floor_div(long long a, long long b) {
    if (b == 0 || b == -1) return b == 0 ? 0 : attention_decode_neg(a);
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}
static inline long long attention_decode_ceil_div(long long a, long long b) {
    if (b == 0 || b == -1) return b == 0 ? 0 : attention_decode_neg(a);
    return a / b + (a % b != 0 && (a < 0) == (b < 0));
}

/* The kernel, by its arguments and their elements: attention_decode(input bf16
 *     Q[BATCH * SEQ_Q * HEADS * HEAD], K[PAGE > 0 && BATCH * (PAGE > 0 ? ceil_div(max(1,
 *     8 * UNIT + MORE), max(PAGE, 1)) : 1) > 1 ? (4 * BATCH * (PAGE > 0 ? ceil_div(max(1,
 *     8 * UNIT + MORE), max(PAGE, 1)) : 1) + 4) * (PAGE > 0 ? PAGE : max(1,
 *     8 * UNIT + MORE)) * KEY_HEADS * HEAD : BATCH * max(1, 8 * UNIT + MORE) * KEY_HEADS * HEAD],
 *     V[PAGE > 0 && BATCH * (PAGE > 0 ? ceil_div(max(1, 8 * UNIT + MORE), max(PAGE,
 *     1)) : 1) > 1 ? (4 * BATCH * (PAGE > 0 ? ceil_div(max(1, 8 * UNIT + MORE), max(PAGE,
 *     1)) : 1) + 4) * (PAGE > 0 ? PAGE : max(1, 8 * UNIT + MORE)) * KEY_HEADS * HEAD : BATCH *
 *     max(1, 8 * UNIT + MORE) * KEY_HEADS * HEAD], inout bf16 O[BATCH * SEQ_Q * HEADS * HEAD],
 *     f32 lse[HEADS * BATCH * SEQ_Q], input i32 table[BATCH * (PAGE > 0 ? ceil_div(max(1,
 *     8 * UNIT + MORE), max(PAGE, 1)) : 1)], u32 lengths[BATCH], f32 k_scale[1], v_scale[1],
 *     workspace f32 partials[PARTS > 1 ? TILES * PARTS * 16 * (HEAD + 1) : 0],
 *     inout u32 counters[BATCH * KEY_HEADS * ceil_div(HEADS / KEY_HEADS * SEQ_Q, 16)] (0 before
 *     each launch), scalar i32 unit = UNIT, more = MORE, seq_q = SEQ_Q, heads = HEADS,
 *     group = HEADS / KEY_HEADS, table_row = PAGE > 0 ? ceil_div(max(1, 8 * UNIT + MORE), max(PAGE,
 *     1)) : 1, q_token = HEADS * HEAD, q_head = HEAD, i64 kv_page = (PAGE > 0 ? PAGE : max(1,
 *     8 * UNIT + MORE)) * KEY_HEADS * HEAD, i32 kv_token = KEY_HEADS * HEAD, kv_head = HEAD,
 *     o_token = HEADS * HEAD, o_head = HEAD, i64 lse_head = BATCH * SEQ_Q, i32 window = WINDOW,
 *     f32 scale = SCALE > 0 ? SCALE : 1 / sqrt(HEAD), cap = CAP). */
/* The launch; shared memory is dynamic. Where CUDA refuses: grid, block 0, bytes ~0. */
static inline void attention_decode_grid(const attention_decode_config *config, long long BATCH,
    double CAP, long long HEAD, long long HEADS, long long KEY_HEADS, long long MORE,
    long long PAGE, double SCALE, long long SEQ_Q, long long SPLITS, long long UNIT,
    long long WINDOW, unsigned grid[3]) {
    (void)CAP, (void)HEAD, (void)PAGE, (void)SCALE, (void)WINDOW;
    grid[0] = grid[1] = grid[2] = 0;
    if (!config) return;
    const int known_TILES = KEY_HEADS != 0;
    const long long TILES =
            attention_decode_mul(attention_decode_mul(BATCH, KEY_HEADS),
            attention_decode_ceil_div(attention_decode_mul(attention_decode_floor_div(HEADS,
            KEY_HEADS), SEQ_Q), 16));
    const int known_PARTS = known_TILES && ((SPLITS > 0) || (TILES != 0));
    const long long PARTS = SPLITS > 0 ? SPLITS
            : attention_decode_max(1,
            attention_decode_min(attention_decode_floor_div(attention_decode_mul(config->FILL,
            config->device_sm_count), TILES),
            attention_decode_ceil_div(attention_decode_max(1,
            attention_decode_add(attention_decode_mul(8, UNIT), MORE)),
            config->KEYS * config->WARPS)));
    const long long grid_x = !(known_PARTS) ? -1 : PARTS;
    const long long grid_y = !(KEY_HEADS != 0) ? -1
            : attention_decode_mul(KEY_HEADS,
            attention_decode_ceil_div(attention_decode_mul(attention_decode_floor_div(HEADS,
            KEY_HEADS), SEQ_Q), 16));
    if (grid_x < 1 || grid_x > 2147483647 || grid_y < 1 || grid_y > 65535 || BATCH < 1
            || BATCH > 65535) return;
    grid[0] = (unsigned)grid_x, grid[1] = (unsigned)grid_y, grid[2] = (unsigned)BATCH;
}
static inline void attention_decode_block(const attention_decode_config *config, long long BATCH,
    double CAP, long long HEAD, long long HEADS, long long KEY_HEADS, long long MORE,
    long long PAGE, double SCALE, long long SEQ_Q, long long SPLITS, long long UNIT,
    long long WINDOW, unsigned block[3]) {
    (void)BATCH, (void)CAP, (void)HEAD, (void)HEADS, (void)KEY_HEADS, (void)MORE, (void)PAGE,
            (void)SCALE, (void)SEQ_Q, (void)SPLITS, (void)UNIT, (void)WINDOW;
    for (int i = 0; i < 3; i++) block[i] = config ? config->block[i] : 0;
}
static inline unsigned attention_decode_shared_bytes(const attention_decode_config *config,
    long long BATCH, double CAP, long long HEAD, long long HEADS, long long KEY_HEADS,
    long long MORE, long long PAGE, double SCALE, long long SEQ_Q, long long SPLITS, long long UNIT,
    long long WINDOW) {
    (void)BATCH, (void)CAP, (void)HEADS, (void)KEY_HEADS, (void)MORE, (void)PAGE, (void)SCALE,
            (void)SEQ_Q, (void)SPLITS, (void)UNIT, (void)WINDOW;
    if (!config) return ~0u;
    const long long SMEM =
            attention_decode_add(attention_decode_mul(32, HEAD),
            attention_decode_mul(config->WARPS,
            attention_decode_max(attention_decode_mul(4 * config->STAGES * config->KEYS, HEAD),
            attention_decode_mul(64, attention_decode_add(HEAD, 8)))));
    const long long bytes = SMEM;
    return bytes < 0 || bytes > 2147483647 ? ~0u : (unsigned)bytes;
}
static inline unsigned long long attention_decode_partials_bytes(const attention_decode_config *config, long long BATCH, double CAP, long long HEAD, long long HEADS, long long KEY_HEADS, long long MORE, long long PAGE, double SCALE, long long SEQ_Q, long long SPLITS, long long UNIT, long long WINDOW)
{
    (void)CAP, (void)PAGE, (void)SCALE, (void)WINDOW;
    if (!config) return ~0ULL;
    const int known_TILES = KEY_HEADS != 0;
    const long long TILES =
            attention_decode_mul(attention_decode_mul(BATCH, KEY_HEADS),
            attention_decode_ceil_div(attention_decode_mul(attention_decode_floor_div(HEADS,
            KEY_HEADS), SEQ_Q), 16));
    const int known_PARTS = known_TILES && ((SPLITS > 0) || (TILES != 0));
    const long long PARTS = SPLITS > 0 ? SPLITS
            : attention_decode_max(1,
            attention_decode_min(attention_decode_floor_div(attention_decode_mul(config->FILL,
            config->device_sm_count), TILES),
            attention_decode_ceil_div(attention_decode_max(1,
            attention_decode_add(attention_decode_mul(8, UNIT), MORE)),
            config->KEYS * config->WARPS)));
    const long long size = !(known_PARTS && known_TILES) ? -1 : PARTS > 1
            ? attention_decode_mul(attention_decode_mul(attention_decode_mul(TILES, PARTS), 16),
            attention_decode_add(HEAD, 1)) : 0;
    return size < 0 || size > 2305843009213693951 ? ~0ULL : (unsigned long long)size * 4;
}

/* Whether a configuration may run on a GPU and problem it was not measured on. */
static inline int attention_decode_fits(int number, const attention_decode_gpu *gpu,
    long long BATCH, double CAP, long long HEAD, long long HEADS, long long KEY_HEADS,
    long long MORE, long long PAGE, double SCALE, long long SEQ_Q, long long SPLITS, long long UNIT,
    long long WINDOW) {
    attention_decode_config here = attention_decode_configs[number];
    const attention_decode_config *config = &here;
    unsigned grid[3], shared;
    here.device_sm_count = gpu->sm_count;
    here.device_reserved_shared_bytes = gpu->reserved_shared_bytes;
    const long long SMEM =
            attention_decode_add(attention_decode_mul(32, HEAD),
            attention_decode_mul(config->WARPS,
            attention_decode_max(attention_decode_mul(4 * config->STAGES * config->KEYS, HEAD),
            attention_decode_mul(64, attention_decode_add(HEAD, 8)))));
    const long long REGS =
            attention_decode_floor_div(attention_decode_add(attention_decode_add(HEAD,
            config->KEYS), attention_decode_floor_div(config->KEEP_Q * HEAD, 2)), 2) + 56;
    const long long RESERVED = config->device_reserved_shared_bytes;
    const long long THREADS = 32 * config->WARPS;
    if (gpu->cc_major < 8) return 0;
    if (SMEM > gpu->max_shared_bytes) return 0;
    if (REGS > gpu->max_registers_per_thread) return 0;
    if (attention_decode_mul(config->MIN_BLOCKS, attention_decode_add(SMEM, RESERVED))
            > gpu->shared_bytes_per_sm) return 0;
    if (attention_decode_mul(config->MIN_BLOCKS * THREADS, REGS) > gpu->registers_per_sm) return 0;
    if (BATCH < 0 || HEAD < 0 || HEAD != (int)HEAD || HEADS < 0 || HEADS != (int)HEADS
            || KEY_HEADS < 0 || MORE < 0 || MORE != (int)MORE || PAGE < 0 || SEQ_Q < 0
            || SEQ_Q != (int)SEQ_Q || SPLITS < 0 || UNIT < 0 || UNIT != (int)UNIT || WINDOW < 0
            || WINDOW != (int)WINDOW || !(KEY_HEADS != 0)
            || attention_decode_floor_div(HEADS, KEY_HEADS) < -2147483648
            || attention_decode_floor_div(HEADS, KEY_HEADS) > 2147483647
            || (PAGE > 0
            ? attention_decode_ceil_div(attention_decode_max(1,
            attention_decode_add(attention_decode_mul(8, UNIT), MORE)),
            attention_decode_max(PAGE, 1)) : 1) > 2147483647
            || attention_decode_mul(HEADS, HEAD) > 2147483647
            || attention_decode_mul(KEY_HEADS, HEAD) < -2147483648
            || attention_decode_mul(KEY_HEADS, HEAD) > 2147483647) return 0;
    attention_decode_grid(config, BATCH, CAP, HEAD, HEADS, KEY_HEADS, MORE, PAGE, SCALE, SEQ_Q,
            SPLITS, UNIT, WINDOW, grid);
    if (!grid[0]) return 0;
    shared = attention_decode_shared_bytes(config, BATCH, CAP, HEAD, HEADS, KEY_HEADS, MORE, PAGE,
            SCALE, SEQ_Q, SPLITS, UNIT, WINDOW);
    if (shared == ~0u) return 0;
    if (gpu->max_shared_bytes && (long long)shared > gpu->max_shared_bytes) return 0;
    return 1;
}

/* Tuned for this size and GPU; another size, SM count, minor version; not near; null. */
enum { ATTENTION_DECODE_EXACT, ATTENTION_DECODE_SAME_DEVICE, ATTENTION_DECODE_SAME_ARCH,
    ATTENTION_DECODE_SAME_FAMILY, ATTENTION_DECODE_DEFAULT, ATTENTION_DECODE_NONE };
/* Binary logarithm in 1/65536, exact at powers of two, linear between. */
static inline int attention_decode_lg(long long size) {
    int e = 0;
    if (size < 1) return -65536;
#ifdef __GNUC__
    e = 63 - __builtin_clzll((unsigned long long)size);
#else
    while (size >> e > 1) e++;
#endif
    return (e - 1) * 65536 + (int)((unsigned long long)size << (63 - e) >> 47);
}

static inline int attention_decode_apart(long long a, long long b) {
    const int gap = a > 0 && b > 0 ? attention_decode_lg(a) - attention_decode_lg(b) : 0;
    return gap < 0 ? -gap : gap;
}

/* How far a device of the table is from a GPU: 0, 1 or 2 (another number of
 * multiprocessors, another minor version) << 48, and more; 0: of no use. */
static inline long long attention_decode_distance(const attention_decode_gpu *a,
    const attention_decode_gpu *gpu, int place) {
    long long minors = (long long)a->cc_minor - gpu->cc_minor, level, gap;
    if (!a->cc_major || a->cc_major != gpu->cc_major) return 0;
    if (minors < 0) minors = -minors;
    if (minors > 2047) minors = 2047;
    level = minors ? 2 : a->sm_count != gpu->sm_count;
    gap = 65536 * minors + 2 * attention_decode_apart(a->sm_count, gpu->sm_count)
            + attention_decode_apart(a->l2_bytes, gpu->l2_bytes)
            + attention_decode_apart(a->memory_bytes, gpu->memory_bytes);
    return (level << 48) + (gap << 20) + place + 1;
}

/* The place of the device that is this GPU, or -1. */
static inline int attention_decode_own(const attention_decode_device *devices, int count,
    const attention_decode_gpu *gpu) {
    for (int i = 0; i < count; i++) {
        const attention_decode_gpu *a = &devices[i].gpu;
        if (a->sm_count == gpu->sm_count && a->cc_major == gpu->cc_major
                && a->l2_bytes == gpu->l2_bytes && a->cc_minor == gpu->cc_minor
                && a->memory_bytes == gpu->memory_bytes && a->cc_major)
            return i;
    }
    return -1;
}

/* That of the nearest one farther than *distance, which becomes its own; or -1. */
static inline int attention_decode_next(const attention_decode_device *devices, int count,
    const attention_decode_gpu *gpu, long long *distance) {
    const long long last = *distance;
    int best = -1;
    for (int i = 0; i < count; i++) {
        const long long key = attention_decode_distance(&devices[i].gpu, gpu, i);
        if (key <= last || (best >= 0 && key >= *distance)) continue;
        *distance = key;
        best = i;
    }
    return best;
}

/* The row of this very problem, or -1. */
static inline int attention_decode_find(const attention_decode_group *group, long long BATCH,
    double CAP, long long HEAD, long long HEADS, long long KEY_HEADS, long long MORE,
    long long PAGE, double SCALE, long long SEQ_Q, long long SPLITS, long long UNIT,
    long long WINDOW) {
    int low = group->first, high = low + group->count;
    while (low < high) {
        const int middle = (low + high) >> 1;
        const attention_decode_problem *row = &attention_decode_rows[middle].problem;
        if (BATCH < row->BATCH
                || (BATCH == row->BATCH
                && (CAP < row->CAP
                || (CAP == row->CAP
                && (HEAD < row->HEAD
                || (HEAD == row->HEAD
                && (HEADS < row->HEADS
                || (HEADS == row->HEADS
                && (KEY_HEADS < row->KEY_HEADS
                || (KEY_HEADS == row->KEY_HEADS
                && (MORE < row->MORE
                || (MORE == row->MORE
                && (PAGE < row->PAGE
                || (PAGE == row->PAGE
                && (SCALE < row->SCALE
                || (SCALE == row->SCALE
                && (SEQ_Q < row->SEQ_Q
                || (SEQ_Q == row->SEQ_Q
                && (SPLITS < row->SPLITS
                || (SPLITS == row->SPLITS
                && (UNIT < row->UNIT
                || (UNIT == row->UNIT && WINDOW < row->WINDOW))))))))))))))))))))))
            high = middle;
        else if (!(BATCH == row->BATCH && CAP == row->CAP && HEAD == row->HEAD
                && HEADS == row->HEADS && KEY_HEADS == row->KEY_HEADS && MORE == row->MORE
                && PAGE == row->PAGE && SCALE == row->SCALE && SEQ_Q == row->SEQ_Q
                && SPLITS == row->SPLITS && UNIT == row->UNIT && WINDOW == row->WINDOW))
            low = middle + 1;
        else
            return middle;
    }
    return -1;
}

/* The configuration for a problem that is no row. */
static inline int attention_decode_rule(const attention_decode_group *group, long long BATCH,
    double CAP, long long HEAD, long long HEADS, long long KEY_HEADS, long long MORE,
    long long PAGE, double SCALE, long long SEQ_Q, long long SPLITS, long long UNIT,
    long long WINDOW) {
    int best = group->first;
    int lg[10], i, at;
    long long least = -1;
    lg[0] = attention_decode_lg(BATCH);
    (void)CAP;
    lg[1] = attention_decode_lg(HEAD);
    lg[2] = attention_decode_lg(HEADS);
    lg[3] = attention_decode_lg(KEY_HEADS);
    lg[4] = attention_decode_lg(MORE);
    lg[5] = attention_decode_lg(PAGE);
    (void)SCALE;
    lg[6] = attention_decode_lg(SEQ_Q);
    lg[7] = attention_decode_lg(SPLITS);
    lg[8] = attention_decode_lg(UNIT);
    lg[9] = attention_decode_lg(WINDOW);
    for (i = group->first; i < group->first + group->count; i++) {
        long long apart = 0;
        for (at = 0; at < 10; at++) {
            const long long gap = (long long)lg[at] - attention_decode_rows[i].lg[at];
            apart += gap * gap;
        }
        if (least >= 0 && apart >= least) continue;
        least = apart;
        best = i;
    }
    return attention_decode_rows[best].config;
}

/* What a device of the table has for this problem, or -1; same: it is the one at hand. */
static inline int attention_decode_of_device(const attention_decode_device *device, int same,
    const attention_decode_gpu *gpu, long long BATCH, double CAP, long long HEAD, long long HEADS,
    long long KEY_HEADS, long long MORE, long long PAGE, double SCALE, long long SEQ_Q,
    long long SPLITS, long long UNIT, long long WINDOW, int *exact) {
    int g, i, number;
    for (g = device->first; g < device->first + device->count; g++) {
        const attention_decode_group *group = &attention_decode_groups[g];
        i = attention_decode_find(group, BATCH, CAP, HEAD, HEADS, KEY_HEADS, MORE, PAGE, SCALE,
                SEQ_Q, SPLITS, UNIT, WINDOW);
        number = i < 0 ? -1 : attention_decode_rows[i].config;
        *exact = i >= 0
                && (same || attention_decode_fits(number, gpu, BATCH, CAP, HEAD, HEADS, KEY_HEADS,
                MORE, PAGE, SCALE, SEQ_Q, SPLITS, UNIT, WINDOW));
        if (*exact) return number;
        for (i = -1; i < group->config_count; i++) {
            number = i < 0
                    ? attention_decode_rule(group, BATCH, CAP, HEAD, HEADS, KEY_HEADS, MORE, PAGE,
                    SCALE, SEQ_Q, SPLITS, UNIT, WINDOW)
                    : attention_decode_preferences[group->configs + i];
            if (attention_decode_fits(number, gpu, BATCH, CAP, HEAD, HEADS, KEY_HEADS, MORE, PAGE,
                    SCALE, SEQ_Q, SPLITS, UNIT, WINDOW)) return number;
        }
        return -1;
    }
    return -1;
}

/* The configuration for a GPU and problem, or null; *tier, if not null: how near. */
static inline const attention_decode_config *attention_decode_select_for(const attention_decode_gpu *gpu, long long BATCH, double CAP, long long HEAD, long long HEADS, long long KEY_HEADS, long long MORE, long long PAGE, double SCALE, long long SEQ_Q, long long SPLITS, long long UNIT, long long WINDOW, int *tier)
{
    long long last = 0;
    int answered, exact = 0,
            i = attention_decode_own(attention_decode_devices, ATTENTION_DECODE_DEVICES, gpu);
    if (!tier) tier = &answered;
    for (;; i = -1) {
        if (i < 0) i =
                attention_decode_next(attention_decode_devices, ATTENTION_DECODE_DEVICES, gpu,
                &last);
        if (i < 0) break;
        const int level = (int)(last >> 48);
        const int number =
                attention_decode_of_device(&attention_decode_devices[i], !level, gpu, BATCH, CAP,
                HEAD, HEADS, KEY_HEADS, MORE, PAGE, SCALE, SEQ_Q, SPLITS, UNIT, WINDOW, &exact);
        if (number < 0) continue;
        *tier = exact && !level ? ATTENTION_DECODE_EXACT : ATTENTION_DECODE_SAME_DEVICE + level;
        return &attention_decode_configs[number];
    }
    for (i = -1; i < ATTENTION_DECODE_CONFIGS; i++) {
        const int number = i < 0 ? ATTENTION_DECODE_DEFAULT_CONFIG : i;
        if (!attention_decode_fits(number, gpu, BATCH, CAP, HEAD, HEADS, KEY_HEADS, MORE, PAGE,
                SCALE, SEQ_Q, SPLITS, UNIT, WINDOW)) continue;
        *tier = ATTENTION_DECODE_DEFAULT;
        return &attention_decode_configs[number];
    }
    *tier = ATTENTION_DECODE_NONE;
    return 0;
}

/* Limits from the table; of other architectures as set below, else the table's least. */
static inline attention_decode_gpu attention_decode_gpu_of(int cc_major, int cc_minor, int sm_count)
{
    attention_decode_gpu gpu = attention_decode_devices[0].gpu;
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
static inline const attention_decode_config *attention_decode_select(int cc_major, int cc_minor,
    int sm_count, long long BATCH, double CAP, long long HEAD, long long HEADS, long long KEY_HEADS,
    long long MORE, long long PAGE, double SCALE, long long SEQ_Q, long long SPLITS, long long UNIT,
    long long WINDOW, int *tier) {
    const attention_decode_gpu gpu = attention_decode_gpu_of(cc_major, cc_minor, sm_count);
    return attention_decode_select_for(&gpu, BATCH, CAP, HEAD, HEADS, KEY_HEADS, MORE, PAGE, SCALE,
            SEQ_Q, SPLITS, UNIT, WINDOW, tier);
}
#elif HONE_EMITTED_attention_decode != 0x1099108bu
#error "two headers attention_decode that differ: emit one of them with --name"
#endif
