/* Tuned configurations of the kernel attention. Emitted by hone 0.1.0 (form 3): do not edit.
 * PREDICTED by the emulator's model, not measured (how accurate: docs/emulator.md); clock emulated
 * Valid: emulated, and equal to the reference, within the script's tolerance, at its verify sizes.
 * Selected: the row of this size and GPU (compute capability and SM count); else the nearest row,
 *     however far, of the same major version that fits there; else the author's default
 *     (configuration 3) or any that fits; else null.
 * To launch: attention_select gives a configuration, attention_defines[config - attention_configs]
 *     the options to compile attention.cu with and -DHEAD= of the problem; attention_grid,
 *     attention_block, attention_shared_bytes its launch. C99, C++11, CUDA.
 * Missing: measured times; a look at the results of every row; tuning for other sizes and GPUs; the
 *     kernel's code (--payload).
 * No configuration on compute capability 7.0, 7.5; elsewhere for BATCH huge, HEAD huge, HEADS huge,
 *     KEY_HEADS huge; in some cases for SEQ_Q huge (tried: sizes of rows, one less (odd), 1 (tiny),
 *     2^30 (huge)), as constraints, arguments or launches forbid: tune such, or expect null.
 * Of problems with CAUSAL = true, LOCAL = false, PAD = false, SOFTCAP = false, TYPE = bf16,
 *     VARLEN = false.
 *
 * Device 0: NVIDIA A100-SXM4-80GB (compute capability 8.0, 108 SMs)
 *   3 configurations for 3 problems; slower than the best by 0.0 % on average, 0.0 % at worst
 *   tuned: BATCH 2 to 16, HEAD 128 to 128, HEADS 32 to 32, KEY_HEADS 8 to 8, SEQ_K 1024 to 8192,
 *     SEQ_Q 1024 to 8192, UNIT 1024 to 1024, WINDOW 4096 to 4096; other sizes, however far,
 *     get the configuration of the nearest one
 *   expected regret of that: not known: tune the problems together
 * Row 0, configuration 0: BATCH = 2, CAP = 50.0, HEAD = 128, HEADS = 32, KEY_HEADS = 8,
 *     SCALE = 0.0, SEQ_K = 8192, SEQ_Q = 8192, UNIT = 1024, WINDOW = 4096
 *   4104.54 us (predicted); predicted 1.279 times as fast as the author's default
 *   strategy portfolio, seed 1, 60 evaluated, 60 of them valid, of 87120 in the space
 *   results not verified at this size (needs about 84 s of emulation, limit 40 s)
 * Row 1, configuration 1: BATCH = 4, CAP = 50.0, HEAD = 128, HEADS = 32, KEY_HEADS = 8,
 *     SCALE = 0.0, SEQ_K = 4096, SEQ_Q = 4096, UNIT = 1024, WINDOW = 4096
 *   2146.44 us (predicted); predicted 1.346 times as fast as the author's default
 *   strategy portfolio, seed 1, 60 evaluated, 60 of them valid, of 87120 in the space
 *   results not verified at this size (needs about 48 s of emulation, limit 40 s)
 * Row 2, configuration 2: BATCH = 16, CAP = 50.0, HEAD = 128, HEADS = 32, KEY_HEADS = 8,
 *     SCALE = 0.0, SEQ_K = 1024, SEQ_Q = 1024, UNIT = 1024, WINDOW = 4096
 *   703.644 us (predicted); predicted 1.084 times as fast as the author's default
 *   strategy portfolio, seed 1, 60 evaluated, 60 of them valid, of 87120 in the space
 *   results not verified at this size (nothing to compare with (reference: would need over 20 s of
 *     emulation))
 */
#ifndef HONE_EMITTED_attention
#define HONE_EMITTED_attention 0x4b26d0d3u
#if defined(BLOCK_M) || defined(BLOCK_N) || defined(EVICT) || defined(HEAD_GROUP) \
    || defined(KEEP_Q) || defined(LONGEST_FIRST) || defined(MIN_BLOCKS) || defined(PEEL) \
    || defined(PREFETCH) || defined(STAGES) || defined(WARPS) || defined(BATCH) || defined(CAP) \
    || defined(HEAD) || defined(HEADS) || defined(KEY_HEADS) || defined(SCALE) || defined(SEQ_K) \
    || defined(SEQ_Q) || defined(UNIT) || defined(WINDOW) || defined(Q_BYTES) || defined(RINGS) \
    || defined(SMEM) || defined(ROWS) || defined(REGS) || defined(RESERVED) || defined(THREADS)
#error "attention: include this header before its parameters or sizes are macros"
#endif

/* What the kernel is compiled with. */
typedef struct attention_config {
    int BLOCK_M, BLOCK_N, EVICT, HEAD_GROUP, KEEP_Q, LONGEST_FIRST, MIN_BLOCKS, PEEL, PREFETCH,
            STAGES, WARPS;
    long long device_reserved_shared_bytes; /* of the device it was tuned on */
    unsigned block[3]; /* of its launch */
} attention_config;
/* A GPU: attention_gpu_of makes one, set what is known better; 0 is unknown, and 0 to
 * constraints and launches that read it: cc_major, max_shared_bytes, max_registers_per_thread,
 *     reserved_shared_bytes, shared_bytes_per_sm, registers_per_sm. */
typedef struct attention_gpu {
    int cc_major, cc_minor, sm_count;
    long long l2_bytes, memory_bytes, max_shared_bytes;
    long long max_registers_per_thread, reserved_shared_bytes, shared_bytes_per_sm,
            registers_per_sm;
} attention_gpu;
typedef struct {
    const char *name;
    attention_gpu gpu;
    int first, count; /* groups of rows */
    const char *provenance;
} attention_device;
typedef struct {
    long long BATCH;
    double CAP;
    long long HEAD, HEADS, KEY_HEADS;
    double SCALE;
    long long SEQ_K, SEQ_Q, UNIT, WINDOW;
} attention_problem;
typedef struct {
    int device, config;
    attention_problem problem;
    int lg[8]; /* of the sizes */
    double predicted_us;
} attention_row;
/* Rows that one rule serves; tree is -1: the nearest row serves. */
typedef struct attention_group {
    int first, count, tree;
    int configs, config_count; /* in attention_preferences, the best first */
} attention_group;

enum { ATTENTION_DEFAULT_CONFIG = 3, ATTENTION_CONFIGS = 4, ATTENTION_DEVICES = 1,
    ATTENTION_ROWS = 3 };
static const attention_config attention_configs[ATTENTION_CONFIGS] = {
    {128, 48, 2, 4, 0, 0, 1, 1, 0, 2, 4, 1024, {128, 1, 1}},
    {128, 48, 0, 8, 0, 0, 1, 0, 0, 2, 4, 1024, {128, 1, 1}},
    {128, 48, 1, 8, 0, 1, 1, 1, 256, 2, 4, 1024, {128, 1, 1}},
    {128, 32, 0, 8, 0, 1, 1, 1, 128, 2, 4, 1024, {128, 1, 1}},
};
static const char *const attention_defines[ATTENTION_CONFIGS] = {
    ("-DBLOCK_M=128 -DBLOCK_N=48 -DEVICT=2 -DHEAD_GROUP=4 -DKEEP_Q=0 -DLONGEST_FIRST=0 "
            "-DMIN_BLOCKS=1 -DPEEL=1 -DPREFETCH=0 -DSTAGES=2 -DWARPS=4 -DCAUSAL=1 -DLOCAL=0 "
            "-DSOFTCAP=0 -DTYPE=bf16 -DVARLEN=0"),
    ("-DBLOCK_M=128 -DBLOCK_N=48 -DEVICT=0 -DHEAD_GROUP=8 -DKEEP_Q=0 -DLONGEST_FIRST=0 "
            "-DMIN_BLOCKS=1 -DPEEL=0 -DPREFETCH=0 -DSTAGES=2 -DWARPS=4 -DCAUSAL=1 -DLOCAL=0 "
            "-DSOFTCAP=0 -DTYPE=bf16 -DVARLEN=0"),
    ("-DBLOCK_M=128 -DBLOCK_N=48 -DEVICT=1 -DHEAD_GROUP=8 -DKEEP_Q=0 -DLONGEST_FIRST=1 "
            "-DMIN_BLOCKS=1 -DPEEL=1 -DPREFETCH=256 -DSTAGES=2 -DWARPS=4 -DCAUSAL=1 -DLOCAL=0 "
            "-DSOFTCAP=0 -DTYPE=bf16 -DVARLEN=0"),
    ("-DBLOCK_M=128 -DBLOCK_N=32 -DEVICT=0 -DHEAD_GROUP=8 -DKEEP_Q=0 -DLONGEST_FIRST=1 "
            "-DMIN_BLOCKS=1 -DPEEL=1 -DPREFETCH=128 -DSTAGES=2 -DWARPS=4 -DCAUSAL=1 -DLOCAL=0 "
            "-DSOFTCAP=0 -DTYPE=bf16 -DVARLEN=0"),
};
static const attention_device attention_devices[ATTENTION_DEVICES] = {
    {"NVIDIA A100-SXM4-80GB",
            {8, 0, 108, 41943040, 84825604096LL, 166912, 255, 1024, 167936, 65536}, 0, 1,
     "predicted; clock emulated; driver emulator 1, NVRTC 13.0, recorded by hone 0.1.0; template "
             "attention.cu, template hash 10c67dbe5accbe1aca8e67d9c4c1bcbb, space hash "
             "175bdd47162efdfafab89f80f91f1f53, options hash a6b86b64094343ae56dc37e12884696b"},
};
static const attention_row attention_rows[ATTENTION_ROWS] = {
    {0, 0, {2, 50.0, 128, 32, 8, 0.0, 8192, 8192, 1024, 4096},
            {65536, 458752, 327680, 196608, 851968, 851968, 655360, 786432}, 4104.53662},
    {0, 1, {4, 50.0, 128, 32, 8, 0.0, 4096, 4096, 1024, 4096},
            {131072, 458752, 327680, 196608, 786432, 786432, 655360, 786432}, 2146.43961},
    {0, 2, {16, 50.0, 128, 32, 8, 0.0, 1024, 1024, 1024, 4096},
            {262144, 458752, 327680, 196608, 655360, 655360, 655360, 786432}, 703.643812},
};

static const int attention_preferences[] = {
    1, 2, 0,
};
static const attention_group attention_groups[] = {
    {0, 3, -1, 0, 3},
};

#if defined(__cplusplus) && __cplusplus >= 201703L /* attention_arch<80>.FIELD, one for every cc */
extern "C++" { template <int cc> static constexpr attention_config attention_arch =
    {128, 48, 0, 8, 0, 0, 1, 0, 0, 2, 4, 1024, {128, 1, 1}}; }
#endif
/* As in Lua 5.4: integers wrap, // and % round down; 0 where Lua raises an error. */
static inline long long attention_add(long long a, long long b) {
    return (long long)((unsigned long long)a + (unsigned long long)b);
}
static inline long long attention_sub(long long a, long long b) {
    return (long long)((unsigned long long)a - (unsigned long long)b);
}
static inline long long attention_mul(long long a, long long b) {
    return (long long)((unsigned long long)a * (unsigned long long)b);
}
static inline long long attention_neg(long long a) {
    return attention_sub(0, a);
}
static inline long long attention_max(long long a, long long b) {
    return a < b ? b : a;
}
static inline long long attention_floor_div(long long a, long long b) {
    if (b == 0 || b == -1) return b == 0 ? 0 : attention_neg(a);
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

/* The kernel, by its arguments and their elements: attention(input bf16
 *     Q[BATCH * SEQ_Q * (HEADS * HEAD)], K[max(1, BATCH * SEQ_K * (KEY_HEADS * HEAD))],
 *     V[max(1, BATCH * SEQ_K * (KEY_HEADS * HEAD))], inout bf16 O[BATCH * SEQ_Q * (HEADS * HEAD)],
 *     f32 lse[HEADS * (BATCH * SEQ_Q)], input i32 starts_q[BATCH + 1], starts_k[BATCH + 1],
 *     scalar i32 unit = UNIT, seq_q = SEQ_Q, seq_k = SEQ_K, heads = HEADS, group = HEADS /
 *     KEY_HEADS, q_token = HEADS * HEAD, q_head = HEAD, k_token = KEY_HEADS * HEAD, k_head = HEAD,
 *     v_token = KEY_HEADS * HEAD, v_head = HEAD, o_token = HEADS * HEAD, o_head = HEAD,
 *     i64 lse_head = BATCH * SEQ_Q, i32 window = WINDOW, f32 scale = SCALE > 0 ? SCALE : 1 /
 *     sqrt(HEAD), cap = CAP). */
/* The launch; shared memory is dynamic. Where CUDA refuses: grid, block 0, bytes ~0. */
static inline void attention_grid(const attention_config *config, long long BATCH, double CAP,
    long long HEAD, long long HEADS, long long KEY_HEADS, double SCALE, long long SEQ_K,
    long long SEQ_Q, long long UNIT, long long WINDOW, unsigned grid[3]) {
    (void)CAP, (void)HEAD, (void)KEY_HEADS, (void)SCALE, (void)SEQ_K, (void)UNIT, (void)WINDOW;
    grid[0] = grid[1] = grid[2] = 0;
    if (!config) return;
    const long long grid_x =
            attention_mul(attention_mul(SEQ_Q / config->BLOCK_M + (SEQ_Q % config->BLOCK_M > 0),
            HEADS), BATCH);
    if (grid_x < 1 || grid_x > 2147483647) return;
    grid[0] = (unsigned)grid_x, grid[1] = 1, grid[2] = 1;
}
static inline void attention_block(const attention_config *config, long long BATCH, double CAP,
    long long HEAD, long long HEADS, long long KEY_HEADS, double SCALE, long long SEQ_K,
    long long SEQ_Q, long long UNIT, long long WINDOW, unsigned block[3]) {
    (void)BATCH, (void)CAP, (void)HEAD, (void)HEADS, (void)KEY_HEADS, (void)SCALE, (void)SEQ_K,
            (void)SEQ_Q, (void)UNIT, (void)WINDOW;
    for (int i = 0; i < 3; i++) block[i] = config ? config->block[i] : 0;
}
static inline unsigned attention_shared_bytes(const attention_config *config, long long BATCH,
    double CAP, long long HEAD, long long HEADS, long long KEY_HEADS, double SCALE, long long SEQ_K,
    long long SEQ_Q, long long UNIT, long long WINDOW) {
    (void)BATCH, (void)CAP, (void)HEADS, (void)KEY_HEADS, (void)SCALE, (void)SEQ_K, (void)SEQ_Q,
            (void)UNIT, (void)WINDOW;
    if (!config) return ~0u;
    const long long Q_BYTES = attention_mul(attention_mul(2, HEAD), config->BLOCK_M);
    const long long RINGS =
            attention_mul(attention_mul(attention_mul(4, HEAD), config->STAGES), config->BLOCK_N);
    const long long SMEM = config->KEEP_Q == 1 ? attention_max(Q_BYTES, RINGS)
            : attention_add(Q_BYTES, RINGS);
    const long long bytes = SMEM;
    return bytes < 0 || bytes > 2147483647 ? ~0u : (unsigned)bytes;
}

/* Whether a configuration may run on a GPU and problem it was not measured on. */
static inline int attention_fits(int number, const attention_gpu *gpu, long long BATCH, double CAP,
    long long HEAD, long long HEADS, long long KEY_HEADS, double SCALE, long long SEQ_K,
    long long SEQ_Q, long long UNIT, long long WINDOW) {
    attention_config here = attention_configs[number];
    const attention_config *config = &here;
    unsigned grid[3], shared;
    here.device_reserved_shared_bytes = gpu->reserved_shared_bytes;
    const long long Q_BYTES = attention_mul(attention_mul(2, HEAD), config->BLOCK_M);
    const long long RINGS =
            attention_mul(attention_mul(attention_mul(4, HEAD), config->STAGES), config->BLOCK_N);
    const long long SMEM = config->KEEP_Q == 1 ? attention_max(Q_BYTES, RINGS)
            : attention_add(Q_BYTES, RINGS);
    const long long ROWS = config->BLOCK_M / config->WARPS;
    const long long REGS =
            attention_floor_div(attention_mul(ROWS,
            attention_add(attention_add(HEAD, config->BLOCK_N),
            attention_floor_div(config->KEEP_Q * HEAD, 2))), 32) + 56;
    const long long RESERVED = config->device_reserved_shared_bytes;
    const long long THREADS = 32 * config->WARPS;
    if (gpu->cc_major < 8) return 0;
    if (SMEM > gpu->max_shared_bytes) return 0;
    if (REGS > gpu->max_registers_per_thread) return 0;
    if (attention_mul(config->MIN_BLOCKS, attention_add(SMEM, RESERVED))
            > gpu->shared_bytes_per_sm) return 0;
    if (attention_mul(config->MIN_BLOCKS * THREADS, REGS) > gpu->registers_per_sm) return 0;
    if (BATCH < 0 || HEAD < 0 || HEAD != (int)HEAD || HEADS < 0 || HEADS != (int)HEADS
            || KEY_HEADS < 0 || SEQ_K < 0 || SEQ_K != (int)SEQ_K || SEQ_Q < 0 || SEQ_Q != (int)SEQ_Q
            || UNIT < 0 || UNIT != (int)UNIT || WINDOW < 0 || WINDOW != (int)WINDOW
            || !(KEY_HEADS != 0) || attention_floor_div(HEADS, KEY_HEADS) < -2147483648
            || attention_floor_div(HEADS, KEY_HEADS) > 2147483647
            || attention_mul(HEADS, HEAD) + 0 > 2147483647
            || attention_mul(KEY_HEADS, HEAD) + 0 < -2147483648
            || attention_mul(KEY_HEADS, HEAD) + 0 > 2147483647) return 0;
    attention_grid(config, BATCH, CAP, HEAD, HEADS, KEY_HEADS, SCALE, SEQ_K, SEQ_Q, UNIT, WINDOW,
            grid);
    if (!grid[0]) return 0;
    shared = attention_shared_bytes(config, BATCH, CAP, HEAD, HEADS, KEY_HEADS, SCALE, SEQ_K, SEQ_Q,
            UNIT, WINDOW);
    if (shared == ~0u) return 0;
    if (gpu->max_shared_bytes && (long long)shared > gpu->max_shared_bytes) return 0;
    return 1;
}

/* Tuned for this size and GPU; another size, SM count, minor version; not near; null. */
enum { ATTENTION_EXACT, ATTENTION_SAME_DEVICE, ATTENTION_SAME_ARCH, ATTENTION_SAME_FAMILY,
    ATTENTION_DEFAULT, ATTENTION_NONE };
/* Binary logarithm in 1/65536, exact at powers of two, linear between. */
static inline int attention_lg(long long size) {
    int e = 0;
    if (size < 1) return -65536;
#ifdef __GNUC__
    e = 63 - __builtin_clzll((unsigned long long)size);
#else
    while (size >> e > 1) e++;
#endif
    return (e - 1) * 65536 + (int)((unsigned long long)size << (63 - e) >> 47);
}

static inline int attention_apart(long long a, long long b) {
    const int gap = a > 0 && b > 0 ? attention_lg(a) - attention_lg(b) : 0;
    return gap < 0 ? -gap : gap;
}

/* How far a device of the table is from a GPU: 0, 1 or 2 (another number of
 * multiprocessors, another minor version) << 48, and more; 0: of no use. */
static inline long long attention_distance(const attention_gpu *a, const attention_gpu *gpu,
    int place) {
    long long minors = (long long)a->cc_minor - gpu->cc_minor, level, gap;
    if (!a->cc_major || a->cc_major != gpu->cc_major) return 0;
    if (minors < 0) minors = -minors;
    if (minors > 2047) minors = 2047;
    level = minors ? 2 : a->sm_count != gpu->sm_count;
    gap = 65536 * minors + 2 * attention_apart(a->sm_count, gpu->sm_count)
            + attention_apart(a->l2_bytes, gpu->l2_bytes)
            + attention_apart(a->memory_bytes, gpu->memory_bytes);
    return (level << 48) + (gap << 20) + place + 1;
}

/* The place of the device that is this GPU, or -1. */
static inline int attention_own(const attention_device *devices, int count,
    const attention_gpu *gpu) {
    for (int i = 0; i < count; i++) {
        const attention_gpu *a = &devices[i].gpu;
        if (a->sm_count == gpu->sm_count && a->cc_major == gpu->cc_major
                && a->l2_bytes == gpu->l2_bytes && a->cc_minor == gpu->cc_minor
                && a->memory_bytes == gpu->memory_bytes && a->cc_major)
            return i;
    }
    return -1;
}

/* That of the nearest one farther than *distance, which becomes its own; or -1. */
static inline int attention_next(const attention_device *devices, int count,
    const attention_gpu *gpu, long long *distance) {
    const long long last = *distance;
    int best = -1;
    for (int i = 0; i < count; i++) {
        const long long key = attention_distance(&devices[i].gpu, gpu, i);
        if (key <= last || (best >= 0 && key >= *distance)) continue;
        *distance = key;
        best = i;
    }
    return best;
}

/* The row of this very problem, or -1. */
static inline int attention_find(const attention_group *group, long long BATCH, double CAP,
    long long HEAD, long long HEADS, long long KEY_HEADS, double SCALE, long long SEQ_K,
    long long SEQ_Q, long long UNIT, long long WINDOW) {
    int low = group->first, high = low + group->count;
    while (low < high) {
        const int middle = (low + high) >> 1;
        const attention_problem *row = &attention_rows[middle].problem;
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
                && (SCALE < row->SCALE
                || (SCALE == row->SCALE
                && (SEQ_K < row->SEQ_K
                || (SEQ_K == row->SEQ_K
                && (SEQ_Q < row->SEQ_Q
                || (SEQ_Q == row->SEQ_Q
                && (UNIT < row->UNIT || (UNIT == row->UNIT && WINDOW < row->WINDOW))))))))))))))))))
            high = middle;
        else if (!(BATCH == row->BATCH && CAP == row->CAP && HEAD == row->HEAD
                && HEADS == row->HEADS && KEY_HEADS == row->KEY_HEADS && SCALE == row->SCALE
                && SEQ_K == row->SEQ_K && SEQ_Q == row->SEQ_Q && UNIT == row->UNIT
                && WINDOW == row->WINDOW))
            low = middle + 1;
        else
            return middle;
    }
    return -1;
}

/* The configuration for a problem that is no row. */
static inline int attention_rule(const attention_group *group, long long BATCH, double CAP,
    long long HEAD, long long HEADS, long long KEY_HEADS, double SCALE, long long SEQ_K,
    long long SEQ_Q, long long UNIT, long long WINDOW) {
    int best = group->first;
    int lg[8], i, at;
    long long least = -1;
    lg[0] = attention_lg(BATCH);
    (void)CAP;
    lg[1] = attention_lg(HEAD);
    lg[2] = attention_lg(HEADS);
    lg[3] = attention_lg(KEY_HEADS);
    (void)SCALE;
    lg[4] = attention_lg(SEQ_K);
    lg[5] = attention_lg(SEQ_Q);
    lg[6] = attention_lg(UNIT);
    lg[7] = attention_lg(WINDOW);
    for (i = group->first; i < group->first + group->count; i++) {
        long long apart = 0;
        for (at = 0; at < 8; at++) {
            const long long gap = (long long)lg[at] - attention_rows[i].lg[at];
            apart += gap * gap;
        }
        if (least >= 0 && apart >= least) continue;
        least = apart;
        best = i;
    }
    return attention_rows[best].config;
}

/* What a device of the table has for this problem, or -1; same: it is the one at hand. */
static inline int attention_of_device(const attention_device *device, int same,
    const attention_gpu *gpu, long long BATCH, double CAP, long long HEAD, long long HEADS,
    long long KEY_HEADS, double SCALE, long long SEQ_K, long long SEQ_Q, long long UNIT,
    long long WINDOW, int *exact) {
    int g, i, number;
    for (g = device->first; g < device->first + device->count; g++) {
        const attention_group *group = &attention_groups[g];
        i = attention_find(group, BATCH, CAP, HEAD, HEADS, KEY_HEADS, SCALE, SEQ_K, SEQ_Q, UNIT,
                WINDOW);
        number = i < 0 ? -1 : attention_rows[i].config;
        *exact = i >= 0
                && (same || attention_fits(number, gpu, BATCH, CAP, HEAD, HEADS, KEY_HEADS, SCALE,
                SEQ_K, SEQ_Q, UNIT, WINDOW));
        if (*exact) return number;
        for (i = -1; i < group->config_count; i++) {
            number = i < 0
                    ? attention_rule(group, BATCH, CAP, HEAD, HEADS, KEY_HEADS, SCALE, SEQ_K, SEQ_Q,
                    UNIT, WINDOW) : attention_preferences[group->configs + i];
            if (attention_fits(number, gpu, BATCH, CAP, HEAD, HEADS, KEY_HEADS, SCALE, SEQ_K, SEQ_Q,
                    UNIT, WINDOW)) return number;
        }
        return -1;
    }
    return -1;
}

/* The configuration for a GPU and problem, or null; *tier, if not null: how near. */
static inline const attention_config *attention_select_for(const attention_gpu *gpu,
    long long BATCH, double CAP, long long HEAD, long long HEADS, long long KEY_HEADS, double SCALE,
    long long SEQ_K, long long SEQ_Q, long long UNIT, long long WINDOW, int *tier) {
    long long last = 0;
    int answered, exact = 0, i = attention_own(attention_devices, ATTENTION_DEVICES, gpu);
    if (!tier) tier = &answered;
    for (;; i = -1) {
        if (i < 0) i = attention_next(attention_devices, ATTENTION_DEVICES, gpu, &last);
        if (i < 0) break;
        const int level = (int)(last >> 48);
        const int number =
                attention_of_device(&attention_devices[i], !level, gpu, BATCH, CAP, HEAD, HEADS,
                KEY_HEADS, SCALE, SEQ_K, SEQ_Q, UNIT, WINDOW, &exact);
        if (number < 0) continue;
        *tier = exact && !level ? ATTENTION_EXACT : ATTENTION_SAME_DEVICE + level;
        return &attention_configs[number];
    }
    for (i = -1; i < ATTENTION_CONFIGS; i++) {
        const int number = i < 0 ? ATTENTION_DEFAULT_CONFIG : i;
        if (!attention_fits(number, gpu, BATCH, CAP, HEAD, HEADS, KEY_HEADS, SCALE, SEQ_K, SEQ_Q,
                UNIT, WINDOW)) continue;
        *tier = ATTENTION_DEFAULT;
        return &attention_configs[number];
    }
    *tier = ATTENTION_NONE;
    return 0;
}

/* Limits from the table; of other architectures as set below, else the table's least. */
static inline attention_gpu attention_gpu_of(int cc_major, int cc_minor, int sm_count) {
    attention_gpu gpu = attention_devices[0].gpu;
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
static inline const attention_config *attention_select(int cc_major, int cc_minor, int sm_count,
    long long BATCH, double CAP, long long HEAD, long long HEADS, long long KEY_HEADS, double SCALE,
    long long SEQ_K, long long SEQ_Q, long long UNIT, long long WINDOW, int *tier) {
    const attention_gpu gpu = attention_gpu_of(cc_major, cc_minor, sm_count);
    return attention_select_for(&gpu, BATCH, CAP, HEAD, HEADS, KEY_HEADS, SCALE, SEQ_K, SEQ_Q, UNIT,
            WINDOW, tier);
}
#elif HONE_EMITTED_attention != 0x4b26d0d3u
#error "two headers attention that differ: emit one of them with --name"
#endif
