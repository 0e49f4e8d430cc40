/* Tuned configurations of the kernel attention_sm90. Emitted by hone 0.1.0 (form 3): do not edit.
 * PREDICTED by the emulator's model, not measured (how accurate: docs/emulator.md); clock emulated
 * Valid: emulated, and equal to the reference, within the script's tolerance, at its verify sizes.
 * Selected: the row of this size and GPU (compute capability and SM count); else the nearest row,
 *     however far, of the same major version that fits there; else the author's default
 *     (configuration 3) or any that fits; else null.
 * To launch: attention_sm90_select gives a configuration,
 *     attention_sm90_defines[config - attention_sm90_configs] the options to compile
 *     attention_sm90.cu with and -DHEAD= and -DHEAD_V= of the problem; attention_sm90_grid,
 *     attention_sm90_block, attention_sm90_shared_bytes its launch. C99, C++11, CUDA.
 * Tensor maps of Q, K, V: nothing is selected but for sizes of 1 to 2^32, strides that are
 *     multiples of 16 bytes below 2^40, boxes up to 256, whose rows are multiples of 16 bytes. That
 *     addresses are such multiples, nobody asks: see to it.
 * Missing: measured times; a look at the results of every row; tuning for other sizes and GPUs; the
 *     kernel's code, the making of tensor maps (--payload).
 * No configuration on compute capability 7.0, 7.5, 8.0, 8.6, 8.9, 10.0, 12.0; elsewhere for BATCH
 *     huge, HEAD odd, HEAD tiny, HEAD huge, HEADS huge, HEAD_V odd, HEAD_V tiny, HEAD_V huge,
 *     KEY_HEADS huge, SEQ_K huge, SEQ_Q huge (tried: sizes of rows, one less (odd), 1 (tiny),
 *     2^30 (huge)), as constraints, arguments or launches forbid: tune such, or expect null.
 * Of problems with CAUSAL = true, LOCAL = false, OUT = bf16, PAD = false, SOFTCAP = false,
 *     TYPE = bf16, VARLEN = false.
 *
 * Device 0: NVIDIA H200 (compute capability 9.0, 132 SMs)
 *   3 configurations for 3 problems; slower than the best by 0.0 % on average, 0.0 % at worst
 *   tuned: BATCH 2 to 16, HEAD 128 to 128, HEADS 32 to 32, HEAD_V 128 to 128, KEY_HEADS 8 to 8,
 *     SEQ_K 1024 to 8192, SEQ_Q 1024 to 8192, SMS 0 to 0, UNIT 1024 to 1024,
 *     WINDOW 4096 to 4096; other sizes, however far, get the configuration of the nearest one
 *   expected regret of that: not known: tune the problems together
 * Row 0, configuration 0: BATCH = 2, CAP = 50.0, HEAD = 128, HEADS = 32, HEAD_V = 128,
 *     KEY_HEADS = 8, SCALE = 0.0, SEQ_K = 8192, SEQ_Q = 8192, SMS = 0, UNIT = 1024, WINDOW = 4096
 *   1114.11 us (predicted); predicted 1.049 times as fast as the author's default
 *   strategy portfolio, seed 1, 60 evaluated, 60 of them valid, of 3880 in the space
 *   results not verified at this size (needs about 52 s of emulation, limit 40 s)
 * Row 1, configuration 1: BATCH = 4, CAP = 50.0, HEAD = 128, HEADS = 32, HEAD_V = 128,
 *     KEY_HEADS = 8, SCALE = 0.0, SEQ_K = 4096, SEQ_Q = 4096, SMS = 0, UNIT = 1024, WINDOW = 4096
 *   624.234 us (predicted); predicted 1.020 times as fast as the author's default
 *   strategy portfolio, seed 1, 60 evaluated, 60 of them valid, of 3880 in the space
 *   results not verified at this size (would need over 40 s of emulation)
 * Row 2, configuration 2: BATCH = 16, CAP = 50.0, HEAD = 128, HEADS = 32, HEAD_V = 128,
 *     KEY_HEADS = 8, SCALE = 0.0, SEQ_K = 1024, SEQ_Q = 1024, SMS = 0, UNIT = 1024, WINDOW = 4096
 *   243.018 us (predicted); predicted 1.015 times as fast as the author's default
 *   strategy portfolio, seed 1, 60 evaluated, 60 of them valid, of 3880 in the space
 *   results at this size: as the majority has them
 */
#ifndef HONE_EMITTED_attention_sm90
#define HONE_EMITTED_attention_sm90 0x6451e745u
#if defined(BLOCK_N) || defined(HEAD_GROUP) || defined(LONGEST_FIRST) || defined(MATH) \
    || defined(OVERLAP) || defined(PERSISTENT) || defined(PINGPONG) || defined(STAGES) \
    || defined(BATCH) || defined(CAP) || defined(HEAD) || defined(HEADS) || defined(HEAD_V) \
    || defined(KEY_HEADS) || defined(SCALE) || defined(SEQ_K) || defined(SEQ_Q) || defined(SMS) \
    || defined(UNIT) || defined(WINDOW) || defined(BLOCKS) || defined(BLOCK_M) || defined(TASKS) \
    || defined(KEY_ROW) || defined(OUT_ROW) || defined(VALUES) || defined(SMEM) || defined(REGS)
#error "attention_sm90: include this header before its parameters or sizes are macros"
#endif

/* What the kernel is compiled with. */
typedef struct attention_sm90_config {
    int BLOCK_N, HEAD_GROUP, LONGEST_FIRST, MATH, OVERLAP, PERSISTENT, PINGPONG, STAGES;
    long long device_sm_count; /* of the device it was tuned on */
    unsigned block[3]; /* of its launch */
} attention_sm90_config;
/* A GPU: attention_sm90_gpu_of makes one, set what is known better; 0 is unknown, and 0 to
 * constraints and launches that read it: sm_count, cc_major, max_shared_bytes. */
typedef struct attention_sm90_gpu { int cc_major, cc_minor, sm_count; long long l2_bytes,
    memory_bytes, max_shared_bytes; } attention_sm90_gpu;
typedef struct {
    const char *name;
    attention_sm90_gpu gpu;
    int first, count; /* groups of rows */
    const char *provenance;
} attention_sm90_device;
typedef struct {
    long long BATCH;
    double CAP;
    long long HEAD, HEADS, HEAD_V, KEY_HEADS;
    double SCALE;
    long long SEQ_K, SEQ_Q, SMS, UNIT, WINDOW;
} attention_sm90_problem;
typedef struct {
    int device, config;
    attention_sm90_problem problem;
    int lg[10]; /* of the sizes */
    double predicted_us;
} attention_sm90_row;
/* Rows that one rule serves; tree is -1: the nearest row serves. */
typedef struct attention_sm90_group {
    int first, count, tree;
    int configs, config_count; /* in attention_sm90_preferences, the best first */
} attention_sm90_group;

enum { ATTENTION_SM90_DEFAULT_CONFIG = 3, ATTENTION_SM90_CONFIGS = 4, ATTENTION_SM90_DEVICES = 1,
    ATTENTION_SM90_ROWS = 3 };
static const attention_sm90_config attention_sm90_configs[ATTENTION_SM90_CONFIGS] = {
    {128, 1, 0, 2, 1, 1, 1, 3, 132, {384, 1, 1}},
    {80, 8, 0, 3, 1, 0, 0, 3, 132, {512, 1, 1}},
    {128, 1, 1, 2, 1, 1, 1, 3, 132, {384, 1, 1}},
    {128, 8, 1, 2, 1, 1, 1, 2, 132, {384, 1, 1}},
};
static const char *const attention_sm90_defines[ATTENTION_SM90_CONFIGS] = {
    ("-DBLOCK_N=128 -DHEAD_GROUP=1 -DLONGEST_FIRST=0 -DMATH=2 -DOVERLAP=1 -DPERSISTENT=1 "
            "-DPINGPONG=1 -DSTAGES=3 -DCAUSAL=1 -DLOCAL=0 -DOUT=bf16 -DSOFTCAP=0 -DTYPE=bf16 "
            "-DVARLEN=0"),
    ("-DBLOCK_N=80 -DHEAD_GROUP=8 -DLONGEST_FIRST=0 -DMATH=3 -DOVERLAP=1 -DPERSISTENT=0 "
            "-DPINGPONG=0 -DSTAGES=3 -DCAUSAL=1 -DLOCAL=0 -DOUT=bf16 -DSOFTCAP=0 -DTYPE=bf16 "
            "-DVARLEN=0"),
    ("-DBLOCK_N=128 -DHEAD_GROUP=1 -DLONGEST_FIRST=1 -DMATH=2 -DOVERLAP=1 -DPERSISTENT=1 "
            "-DPINGPONG=1 -DSTAGES=3 -DCAUSAL=1 -DLOCAL=0 -DOUT=bf16 -DSOFTCAP=0 -DTYPE=bf16 "
            "-DVARLEN=0"),
    ("-DBLOCK_N=128 -DHEAD_GROUP=8 -DLONGEST_FIRST=1 -DMATH=2 -DOVERLAP=1 -DPERSISTENT=1 "
            "-DPINGPONG=1 -DSTAGES=2 -DCAUSAL=1 -DLOCAL=0 -DOUT=bf16 -DSOFTCAP=0 -DTYPE=bf16 "
            "-DVARLEN=0"),
};
static const attention_sm90_device attention_sm90_devices[ATTENTION_SM90_DEVICES] = {
    {"NVIDIA H200", {9, 0, 132, 52428800, 140660178944LL, 232448}, 0, 1,
     "predicted; clock emulated; driver emulator 1, NVRTC 13.0, recorded by hone 0.1.0; template "
             "attention_sm90.cu, template hash f642e3820a8275dbfcb55f4ff61fcb72, space hash "
             "dd20589b74fc82a302ad0af3a5180efa, options hash a6b86b64094343ae56dc37e12884696b"},
};
static const attention_sm90_row attention_sm90_rows[ATTENTION_SM90_ROWS] = {
    {0, 0, {2, 50.0, 128, 32, 128, 8, 0.0, 8192, 8192, 0, 1024, 4096},
            {65536, 458752, 327680, 458752, 196608, 851968, 851968, -65536, 655360, 786432},
            1114.10854},
    {0, 1, {4, 50.0, 128, 32, 128, 8, 0.0, 4096, 4096, 0, 1024, 4096},
            {131072, 458752, 327680, 458752, 196608, 786432, 786432, -65536, 655360, 786432},
            624.233632},
    {0, 2, {16, 50.0, 128, 32, 128, 8, 0.0, 1024, 1024, 0, 1024, 4096},
            {262144, 458752, 327680, 458752, 196608, 655360, 655360, -65536, 655360, 786432},
            243.018195},
};

static const int attention_sm90_preferences[] = {
    2, 1, 0,
};
static const attention_sm90_group attention_sm90_groups[] = {
    {0, 3, -1, 0, 3},
};

#if defined(__cplusplus) \
    && __cplusplus >= 201703L /* attention_sm90_arch<80>.FIELD, one for every cc */
extern "C++" { template <int cc> static constexpr attention_sm90_config attention_sm90_arch =
    {128, 1, 1, 2, 1, 1, 1, 3, 132, {384, 1, 1}}; }
#endif
/* As in Lua 5.4: integers wrap. */
static inline long long attention_sm90_add(long long a, long long b) {
    return (long long)((unsigned long long)a + (unsigned long long)b);
}
static inline long long attention_sm90_mul(long long a, long long b) {
    return (long long)((unsigned long long)a * (unsigned long long)b);
}
static inline long long attention_sm90_min(long long a, long long b) {
    return b < a ? b : a;
}
static inline long long attention_sm90_max(long long a, long long b) {
    return a < b ? b : a;
}

/* The kernel, by its arguments and their elements: attention_sm90(input bf16 tensor map
 *     Q[max(1, BATCH * SEQ_Q * (HEADS * HEAD))], K[max(1, BATCH * SEQ_K * (KEY_HEADS * HEAD))],
 *     V[max(1, BATCH * SEQ_K * (KEY_HEADS * HEAD_V))], inout bf16
 *     O[max(1, BATCH * SEQ_Q * (HEADS * HEAD_V))], f32 lse[HEADS * BATCH * SEQ_Q],
 *     input f32 score_scale[1], value_scale[1], i32 starts_q[BATCH + 1], starts_k[BATCH + 1],
 *     scalar i32 unit = UNIT, seq_q = SEQ_Q, seq_k = SEQ_K, sequences = BATCH, heads = HEADS,
 *     group = HEADS / KEY_HEADS, q_token = HEADS * HEAD, q_head = HEAD, k_token = KEY_HEADS * HEAD,
 *     k_head = HEAD, v_token = KEY_HEADS * HEAD_V, v_head = HEAD_V, v_element,
 *     i64 k_sequence = SEQ_K * (KEY_HEADS * HEAD), v_sequence = SEQ_K * (KEY_HEADS * HEAD_V),
 *     i32 o_token = HEADS * HEAD_V, o_head = HEAD_V, i64 lse_head = BATCH * SEQ_Q,
 *     i32 window = WINDOW, f32 scale = SCALE > 0 ? SCALE : 1 / sqrt(HEAD), cap = CAP). */
/* The launch; shared memory is dynamic. Where CUDA refuses: grid, block 0, bytes ~0. */
static inline void attention_sm90_grid(const attention_sm90_config *config, long long BATCH,
    double CAP, long long HEAD, long long HEADS, long long HEAD_V, long long KEY_HEADS,
    double SCALE, long long SEQ_K, long long SEQ_Q, long long SMS, long long UNIT, long long WINDOW,
    unsigned grid[3]) {
    (void)CAP, (void)HEAD, (void)HEAD_V, (void)KEY_HEADS, (void)SCALE, (void)SEQ_K, (void)UNIT,
            (void)WINDOW;
    grid[0] = grid[1] = grid[2] = 0;
    if (!config) return;
    const long long BLOCKS = SMS > 0 ? SMS : config->device_sm_count;
    const long long BLOCK_M = 64 * config->MATH;
    const long long TASKS =
            attention_sm90_mul(attention_sm90_mul(SEQ_Q / BLOCK_M + (SEQ_Q % BLOCK_M > 0), HEADS),
            BATCH);
    const long long grid_x = config->PERSISTENT == 1 ? attention_sm90_min(BLOCKS, TASKS) : TASKS;
    if (grid_x < 1 || grid_x > 2147483647) return;
    grid[0] = (unsigned)grid_x, grid[1] = 1, grid[2] = 1;
}
static inline void attention_sm90_block(const attention_sm90_config *config, long long BATCH,
    double CAP, long long HEAD, long long HEADS, long long HEAD_V, long long KEY_HEADS,
    double SCALE, long long SEQ_K, long long SEQ_Q, long long SMS, long long UNIT, long long WINDOW,
    unsigned block[3]) {
    (void)BATCH, (void)CAP, (void)HEAD, (void)HEADS, (void)HEAD_V, (void)KEY_HEADS, (void)SCALE,
            (void)SEQ_K, (void)SEQ_Q, (void)SMS, (void)UNIT, (void)WINDOW;
    for (int i = 0; i < 3; i++) block[i] = config ? config->block[i] : 0;
}
static inline unsigned attention_sm90_shared_bytes(const attention_sm90_config *config,
    long long BATCH, double CAP, long long HEAD, long long HEADS, long long HEAD_V,
    long long KEY_HEADS, double SCALE, long long SEQ_K, long long SEQ_Q, long long SMS,
    long long UNIT, long long WINDOW) {
    (void)BATCH, (void)CAP, (void)HEADS, (void)KEY_HEADS, (void)SCALE, (void)SEQ_K, (void)SEQ_Q,
            (void)SMS, (void)UNIT, (void)WINDOW;
    if (!config) return ~0u;
    const long long BLOCK_M = 64 * config->MATH;
    const long long KEY_ROW = attention_sm90_mul(128, HEAD / 64 + (HEAD % 64 > 0));
    const long long OUT_ROW = attention_sm90_mul(128, HEAD_V / 64 + (HEAD_V % 64 > 0));
    const long long VALUES = attention_sm90_mul(config->BLOCK_N, OUT_ROW);
    const long long SMEM =
            attention_sm90_add(attention_sm90_add(attention_sm90_mul(attention_sm90_max(KEY_ROW,
            OUT_ROW), BLOCK_M),
            attention_sm90_mul(config->STAGES,
            attention_sm90_add(attention_sm90_add(attention_sm90_mul(config->BLOCK_N, KEY_ROW),
            VALUES), 32))), 24);
    const long long bytes = SMEM;
    return bytes < 0 || bytes > 2147483647 ? ~0u : (unsigned)bytes;
}

/* Whether a configuration may run on a GPU and problem it was not measured on. */
static inline int attention_sm90_fits(int number, const attention_sm90_gpu *gpu, long long BATCH,
    double CAP, long long HEAD, long long HEADS, long long HEAD_V, long long KEY_HEADS,
    double SCALE, long long SEQ_K, long long SEQ_Q, long long SMS, long long UNIT, long long WINDOW)
{
    attention_sm90_config here = attention_sm90_configs[number];
    const attention_sm90_config *config = &here;
    unsigned grid[3], shared;
    here.device_sm_count = gpu->sm_count;
    const long long BLOCK_M = 64 * config->MATH;
    const long long TASKS =
            attention_sm90_mul(attention_sm90_mul(SEQ_Q / BLOCK_M + (SEQ_Q % BLOCK_M > 0), HEADS),
            BATCH);
    const long long KEY_ROW = attention_sm90_mul(128, HEAD / 64 + (HEAD % 64 > 0));
    const long long OUT_ROW = attention_sm90_mul(128, HEAD_V / 64 + (HEAD_V % 64 > 0));
    const long long VALUES = attention_sm90_mul(config->BLOCK_N, OUT_ROW);
    const long long SMEM =
            attention_sm90_add(attention_sm90_add(attention_sm90_mul(attention_sm90_max(KEY_ROW,
            OUT_ROW), BLOCK_M),
            attention_sm90_mul(config->STAGES,
            attention_sm90_add(attention_sm90_add(attention_sm90_mul(config->BLOCK_N, KEY_ROW),
            VALUES), 32))), 24);
    const long long REGS =
            HEAD_V / 2 - (HEAD_V % 2 < 0) + config->BLOCK_N / 2
            + config->OVERLAP * config->BLOCK_N / 4 + 32;
    if (gpu->cc_major != 9) return 0;
    if (SMEM > gpu->max_shared_bytes) return 0;
    if (REGS > (config->MATH == 3 ? 160 : 232)) return 0;
    if (TASKS > 1073741824) return 0;
    if (BATCH < 1 || BATCH != (int)BATCH || HEAD < 1 || HEAD != (int)HEAD || HEAD % 8 != 0
            || HEADS < 1 || HEADS != (int)HEADS || HEAD_V < 1 || HEAD_V != (int)HEAD_V
            || HEAD_V % 8 != 0 || KEY_HEADS < 1 || KEY_HEADS > 4294967296LL || SEQ_K < 0
            || SEQ_K != (int)SEQ_K || SEQ_Q < 0 || SEQ_Q != (int)SEQ_Q || SMS < 0 || UNIT < 0
            || UNIT != (int)UNIT || WINDOW < 0 || WINDOW != (int)WINDOW
            || attention_sm90_add(attention_sm90_mul(HEADS, HEAD) + 0, 0) > 549755813887LL
            || attention_sm90_add(attention_sm90_mul(attention_sm90_max(1, SEQ_Q),
            attention_sm90_mul(HEADS, HEAD) + 0), 0) < 1
            || attention_sm90_add(attention_sm90_mul(attention_sm90_max(1, SEQ_Q),
            attention_sm90_mul(HEADS, HEAD) + 0), 0) > 549755813887LL
            || attention_sm90_add(attention_sm90_mul(KEY_HEADS, HEAD) + 0, 0) > 549755813887LL
            || attention_sm90_add(attention_sm90_mul(attention_sm90_max(1, SEQ_K),
            attention_sm90_mul(KEY_HEADS, HEAD) + 0), 0) < 1
            || attention_sm90_add(attention_sm90_mul(attention_sm90_max(1, SEQ_K),
            attention_sm90_mul(KEY_HEADS, HEAD) + 0), 0) > 549755813887LL
            || attention_sm90_add(attention_sm90_mul(KEY_HEADS, HEAD_V) + 0, 0) > 549755813887LL
            || attention_sm90_add(attention_sm90_mul(attention_sm90_max(1, SEQ_K),
            attention_sm90_mul(KEY_HEADS, HEAD_V) + 0), 0) < 1
            || attention_sm90_add(attention_sm90_mul(attention_sm90_max(1, SEQ_K),
            attention_sm90_mul(KEY_HEADS, HEAD_V) + 0), 0) > 549755813887LL
            || attention_sm90_mul(HEADS, HEAD) + 0 > 2147483647
            || attention_sm90_mul(KEY_HEADS, HEAD) + 0 > 2147483647
            || attention_sm90_mul(KEY_HEADS, HEAD_V) + 0 > 2147483647
            || attention_sm90_mul(HEADS, HEAD_V) + 0 > 2147483647) return 0;
    attention_sm90_grid(config, BATCH, CAP, HEAD, HEADS, HEAD_V, KEY_HEADS, SCALE, SEQ_K, SEQ_Q,
            SMS, UNIT, WINDOW, grid);
    if (!grid[0]) return 0;
    shared = attention_sm90_shared_bytes(config, BATCH, CAP, HEAD, HEADS, HEAD_V, KEY_HEADS, SCALE,
            SEQ_K, SEQ_Q, SMS, UNIT, WINDOW);
    if (shared == ~0u) return 0;
    if (gpu->max_shared_bytes && (long long)shared > gpu->max_shared_bytes) return 0;
    return 1;
}

/* Tuned for this size and GPU; another size, SM count, minor version; not near; null. */
enum { ATTENTION_SM90_EXACT, ATTENTION_SM90_SAME_DEVICE, ATTENTION_SM90_SAME_ARCH,
    ATTENTION_SM90_SAME_FAMILY, ATTENTION_SM90_DEFAULT, ATTENTION_SM90_NONE };
/* Binary logarithm in 1/65536, exact at powers of two, linear between. */
static inline int attention_sm90_lg(long long size) {
    int e = 0;
    if (size < 1) return -65536;
#ifdef __GNUC__
    e = 63 - __builtin_clzll((unsigned long long)size);
#else
    while (size >> e > 1) e++;
#endif
    return (e - 1) * 65536 + (int)((unsigned long long)size << (63 - e) >> 47);
}

static inline int attention_sm90_apart(long long a, long long b) {
    const int gap = a > 0 && b > 0 ? attention_sm90_lg(a) - attention_sm90_lg(b) : 0;
    return gap < 0 ? -gap : gap;
}

/* How far a device of the table is from a GPU: 0, 1 or 2 (another number of
 * multiprocessors, another minor version) << 48, and more; 0: of no use. */
static inline long long attention_sm90_distance(const attention_sm90_gpu *a,
    const attention_sm90_gpu *gpu, int place) {
    long long minors = (long long)a->cc_minor - gpu->cc_minor, level, gap;
    if (!a->cc_major || a->cc_major != gpu->cc_major) return 0;
    if (minors < 0) minors = -minors;
    if (minors > 2047) minors = 2047;
    level = minors ? 2 : a->sm_count != gpu->sm_count;
    gap = 65536 * minors + 2 * attention_sm90_apart(a->sm_count, gpu->sm_count)
            + attention_sm90_apart(a->l2_bytes, gpu->l2_bytes)
            + attention_sm90_apart(a->memory_bytes, gpu->memory_bytes);
    return (level << 48) + (gap << 20) + place + 1;
}

/* The place of the device that is this GPU, or -1. */
static inline int attention_sm90_own(const attention_sm90_device *devices, int count,
    const attention_sm90_gpu *gpu) {
    for (int i = 0; i < count; i++) {
        const attention_sm90_gpu *a = &devices[i].gpu;
        if (a->sm_count == gpu->sm_count && a->cc_major == gpu->cc_major
                && a->l2_bytes == gpu->l2_bytes && a->cc_minor == gpu->cc_minor
                && a->memory_bytes == gpu->memory_bytes && a->cc_major)
            return i;
    }
    return -1;
}

/* That of the nearest one farther than *distance, which becomes its own; or -1. */
static inline int attention_sm90_next(const attention_sm90_device *devices, int count,
    const attention_sm90_gpu *gpu, long long *distance) {
    const long long last = *distance;
    int best = -1;
    for (int i = 0; i < count; i++) {
        const long long key = attention_sm90_distance(&devices[i].gpu, gpu, i);
        if (key <= last || (best >= 0 && key >= *distance)) continue;
        *distance = key;
        best = i;
    }
    return best;
}

/* The row of this very problem, or -1. */
static inline int attention_sm90_find(const attention_sm90_group *group, long long BATCH,
    double CAP, long long HEAD, long long HEADS, long long HEAD_V, long long KEY_HEADS,
    double SCALE, long long SEQ_K, long long SEQ_Q, long long SMS, long long UNIT, long long WINDOW)
{
    int low = group->first, high = low + group->count;
    while (low < high) {
        const int middle = (low + high) >> 1;
        const attention_sm90_problem *row = &attention_sm90_rows[middle].problem;
        if (BATCH < row->BATCH
                || (BATCH == row->BATCH
                && (CAP < row->CAP
                || (CAP == row->CAP
                && (HEAD < row->HEAD
                || (HEAD == row->HEAD
                && (HEADS < row->HEADS
                || (HEADS == row->HEADS
                && (HEAD_V < row->HEAD_V
                || (HEAD_V == row->HEAD_V
                && (KEY_HEADS < row->KEY_HEADS
                || (KEY_HEADS == row->KEY_HEADS
                && (SCALE < row->SCALE
                || (SCALE == row->SCALE
                && (SEQ_K < row->SEQ_K
                || (SEQ_K == row->SEQ_K
                && (SEQ_Q < row->SEQ_Q
                || (SEQ_Q == row->SEQ_Q
                && (SMS < row->SMS
                || (SMS == row->SMS
                && (UNIT < row->UNIT
                || (UNIT == row->UNIT && WINDOW < row->WINDOW))))))))))))))))))))))
            high = middle;
        else if (!(BATCH == row->BATCH && CAP == row->CAP && HEAD == row->HEAD
                && HEADS == row->HEADS && HEAD_V == row->HEAD_V && KEY_HEADS == row->KEY_HEADS
                && SCALE == row->SCALE && SEQ_K == row->SEQ_K && SEQ_Q == row->SEQ_Q
                && SMS == row->SMS && UNIT == row->UNIT && WINDOW == row->WINDOW))
            low = middle + 1;
        else
            return middle;
    }
    return -1;
}

/* The configuration for a problem that is no row. */
static inline int attention_sm90_rule(const attention_sm90_group *group, long long BATCH,
    double CAP, long long HEAD, long long HEADS, long long HEAD_V, long long KEY_HEADS,
    double SCALE, long long SEQ_K, long long SEQ_Q, long long SMS, long long UNIT, long long WINDOW)
{
    int best = group->first;
    int lg[10], i, at;
    long long least = -1;
    lg[0] = attention_sm90_lg(BATCH);
    (void)CAP;
    lg[1] = attention_sm90_lg(HEAD);
    lg[2] = attention_sm90_lg(HEADS);
    lg[3] = attention_sm90_lg(HEAD_V);
    lg[4] = attention_sm90_lg(KEY_HEADS);
    (void)SCALE;
    lg[5] = attention_sm90_lg(SEQ_K);
    lg[6] = attention_sm90_lg(SEQ_Q);
    lg[7] = attention_sm90_lg(SMS);
    lg[8] = attention_sm90_lg(UNIT);
    lg[9] = attention_sm90_lg(WINDOW);
    for (i = group->first; i < group->first + group->count; i++) {
        long long apart = 0;
        for (at = 0; at < 10; at++) {
            const long long gap = (long long)lg[at] - attention_sm90_rows[i].lg[at];
            apart += gap * gap;
        }
        if (least >= 0 && apart >= least) continue;
        least = apart;
        best = i;
    }
    return attention_sm90_rows[best].config;
}

/* What a device of the table has for this problem, or -1; same: it is the one at hand. */
static inline int attention_sm90_of_device(const attention_sm90_device *device, int same,
    const attention_sm90_gpu *gpu, long long BATCH, double CAP, long long HEAD, long long HEADS,
    long long HEAD_V, long long KEY_HEADS, double SCALE, long long SEQ_K, long long SEQ_Q,
    long long SMS, long long UNIT, long long WINDOW, int *exact) {
    int g, i, number;
    for (g = device->first; g < device->first + device->count; g++) {
        const attention_sm90_group *group = &attention_sm90_groups[g];
        i = attention_sm90_find(group, BATCH, CAP, HEAD, HEADS, HEAD_V, KEY_HEADS, SCALE, SEQ_K,
                SEQ_Q, SMS, UNIT, WINDOW);
        number = i < 0 ? -1 : attention_sm90_rows[i].config;
        *exact = i >= 0
                && (same || attention_sm90_fits(number, gpu, BATCH, CAP, HEAD, HEADS, HEAD_V,
                KEY_HEADS, SCALE, SEQ_K, SEQ_Q, SMS, UNIT, WINDOW));
        if (*exact) return number;
        for (i = -1; i < group->config_count; i++) {
            number = i < 0
                    ? attention_sm90_rule(group, BATCH, CAP, HEAD, HEADS, HEAD_V, KEY_HEADS, SCALE,
                    SEQ_K, SEQ_Q, SMS, UNIT, WINDOW)
                    : attention_sm90_preferences[group->configs + i];
            if (attention_sm90_fits(number, gpu, BATCH, CAP, HEAD, HEADS, HEAD_V, KEY_HEADS, SCALE,
                    SEQ_K, SEQ_Q, SMS, UNIT, WINDOW)) return number;
        }
        return -1;
    }
    return -1;
}

/* The configuration for a GPU and problem, or null; *tier, if not null: how near. */
static inline const attention_sm90_config *attention_sm90_select_for(const attention_sm90_gpu *gpu,
    long long BATCH, double CAP, long long HEAD, long long HEADS, long long HEAD_V,
    long long KEY_HEADS, double SCALE, long long SEQ_K, long long SEQ_Q, long long SMS,
    long long UNIT, long long WINDOW, int *tier) {
    long long last = 0;
    int answered, exact = 0,
            i = attention_sm90_own(attention_sm90_devices, ATTENTION_SM90_DEVICES, gpu);
    if (!tier) tier = &answered;
    for (;; i = -1) {
        if (i < 0) i =
                attention_sm90_next(attention_sm90_devices, ATTENTION_SM90_DEVICES, gpu, &last);
        if (i < 0) break;
        const int level = (int)(last >> 48);
        const int number =
                attention_sm90_of_device(&attention_sm90_devices[i], !level, gpu, BATCH, CAP, HEAD,
                HEADS, HEAD_V, KEY_HEADS, SCALE, SEQ_K, SEQ_Q, SMS, UNIT, WINDOW, &exact);
        if (number < 0) continue;
        *tier = exact && !level ? ATTENTION_SM90_EXACT : ATTENTION_SM90_SAME_DEVICE + level;
        return &attention_sm90_configs[number];
    }
    for (i = -1; i < ATTENTION_SM90_CONFIGS; i++) {
        const int number = i < 0 ? ATTENTION_SM90_DEFAULT_CONFIG : i;
        if (!attention_sm90_fits(number, gpu, BATCH, CAP, HEAD, HEADS, HEAD_V, KEY_HEADS, SCALE,
                SEQ_K, SEQ_Q, SMS, UNIT, WINDOW)) continue;
        *tier = ATTENTION_SM90_DEFAULT;
        return &attention_sm90_configs[number];
    }
    *tier = ATTENTION_SM90_NONE;
    return 0;
}

/* Limits from the table; of other architectures as set below, else the table's least. */
static inline attention_sm90_gpu attention_sm90_gpu_of(int cc_major, int cc_minor, int sm_count) {
    attention_sm90_gpu gpu = attention_sm90_devices[0].gpu;
    const long long cc = cc_minor >= 0 && cc_minor < 10 ? cc_major * 10LL + cc_minor : 0;
    if (cc_major != gpu.cc_major || cc_minor != gpu.cc_minor) gpu.max_shared_bytes = cc == 70
            || cc == 72 ? 98304 : cc == 75 ? 65536 : cc == 80 || cc == 87 ? 166912 : cc == 86
            || cc == 89 || cc == 120 || cc == 121 ? 101376 : cc == 90 || cc == 100 || cc == 103
            || cc == 110 ? 232448 : 49152;
    gpu.cc_major = cc_major, gpu.cc_minor = cc_minor, gpu.sm_count = sm_count;
    return gpu;
}
static inline const attention_sm90_config *attention_sm90_select(int cc_major, int cc_minor,
    int sm_count, long long BATCH, double CAP, long long HEAD, long long HEADS, long long HEAD_V,
    long long KEY_HEADS, double SCALE, long long SEQ_K, long long SEQ_Q, long long SMS,
    long long UNIT, long long WINDOW, int *tier) {
    const attention_sm90_gpu gpu = attention_sm90_gpu_of(cc_major, cc_minor, sm_count);
    return attention_sm90_select_for(&gpu, BATCH, CAP, HEAD, HEADS, HEAD_V, KEY_HEADS, SCALE, SEQ_K,
            SEQ_Q, SMS, UNIT, WINDOW, tier);
}
#elif HONE_EMITTED_attention_sm90 != 0x6451e745u
#error "two headers attention_sm90 that differ: emit one of them with --name"
#endif
