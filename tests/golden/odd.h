/* Tuned configurations of the kernel odd kernel<float>. Emitted by hone 0.1.0: do not edit.
 *
 * MEASURED: times are medians of n launches; clock event
 *
 * ODD_select(cc_major, cc_minor, sm_count, block_of_problem, tier_of_problem,
 *     &tier) gives the configuration for a GPU and problem,
 * ODD_grid, ODD_block and ODD_shared_bytes its launch.
 * All functions are static: there is nothing to link. C99, C++11 or later, CUDA.
 *
 * Device 0: GPU "X" * / ? ?/ / * _ _ é (compute capability 7.0, 80 SMs)
 *   template ? ?/
 * Row 0: block = 3, tier = 2.5, kind = a* /b, on = true
 *   1.5 us, sustained, 1.25 us with warm caches, n 7
 *   strategy * / int x; / *, seed 18446744073709551615, 2 evaluated, 2 of them valid
 */
#ifndef HONE_EMITTED_ODD
#define HONE_EMITTED_ODD 0xc7aecb98u

#if defined(config) || defined(grid) || defined(EXACT) || defined(ROW) || \
    defined(block_of_problem) || defined(tier_of_problem) || defined(kind) || defined(on)
#error "ODD: include this header before its parameters or sizes are macros"
#endif

/* What the kernel is compiled with. */
typedef struct ODD_config {
    long long config;
    double grid;
    const char *EXACT;
    int ROW;
    long long device_warp_size; /* of the device it was tuned on */
} ODD_config;

typedef struct ODD_problem {
    long long block_of_problem;
    double tier_of_problem;
    const char *kind;
    int on;
} ODD_problem;

/* A GPU. Let ODD_gpu_of make one and set what is known better, as
 * cuDeviceGetAttribute and cuDeviceTotalMem tell; max_shared_bytes are those a block
 * may have with opt-in. */
typedef struct ODD_gpu {
    int cc_major, cc_minor, sm_count; /* 0 where a journal lacks them */
    long long l2_bytes, memory_bytes, max_shared_bytes;
    long long warp_size;
} ODD_gpu;

/* A device of the journals, and its groups of rows. */
typedef struct ODD_device {
    const char *name;
    ODD_gpu gpu;
    int first, count;
    const char *provenance; /* where its rows come from */
} ODD_device;

/* What was tuned, and the number of the configuration that serves it. */
typedef struct ODD_row {
    int device, config;
    ODD_problem problem;
    int lg[1]; /* of the sizes */
    double time_us;
} ODD_row;

/* Rows that one rule serves; tree: its first node, -1: the nearest row serves. */
typedef struct ODD_group {
    int first, count, tree;
    int configs, config_count; /* in ODD_preferences, the best first */
} ODD_group;

enum { ODD_CONFIGS = 1 };

static const ODD_config ODD_configs[ODD_CONFIGS] = {
    {1LL, 1.0, "unsigned long", 0, 32LL},
};

/* The same as compiler options. */
static const char *const ODD_defines[ODD_CONFIGS] = {
    "-Dconfig=1 -Dgrid=1 '-DEXACT=unsigned long' -DROW=0",
};

/* For devices not in the table: the first row's. */
enum { ODD_DEFAULT_CONFIG = 0 };

enum { ODD_DEVICES = 1 };

static const ODD_device ODD_devices[ODD_DEVICES] = {
    {"GPU \042X\042 */ \077\077/ /* \134 \012 \303\251", {7, 0, 80, 0LL, 0LL, 98304LL, 32LL}, 0, 1,
     "measured; clock event; template \077\077/"},
};

static const ODD_gpu ODD_least_gpu = {7, 0, 80, 0LL, 0LL, 98304LL, 32LL};

enum { ODD_ROWS = 1 };

static const ODD_row ODD_rows[ODD_ROWS] = {
    {0, 0, {3LL, 2.5, "a*/b", 1}, {98304}, 1.5},
};

static const int ODD_preferences[] = {
    0,
};

static const ODD_group ODD_groups[] = {
    {0, 1, -1, 0, 1},
};

/* As in Lua 5.4: integers wrap, // and % round down; 0 where Lua raises an error. */
static inline long long ODD_mul(long long a, long long b)
{
    return (long long)((unsigned long long)a * (unsigned long long)b);
}
static inline int ODD_in_range(double f)
{
    return f >= -9223372036854775808.0 && f < 9223372036854775808.0;
}
static inline long long ODD_to_int(double f)
{
    return ODD_in_range(f) && (double)(long long)f == f ? (long long)f : 0;
}
static inline int ODD_cmp_str(const char *a, const char *b)
{
    for (; *a != 0 && *a == *b; a++)
        b++;
    return (int)(unsigned char)*a - (int)(unsigned char)*b;
}
static inline double ODD_square_f(double a)
{
    return a * a;
}

/* What the launch and the constraints share. */
typedef struct ODD_derived {
    long long value_sm;
} ODD_derived;

static inline ODD_derived
ODD_derive(const ODD_config *config, long long block_of_problem, double tier_of_problem)
{
    ODD_derived derived;
    (void)config;
    (void)block_of_problem;
    (void)tier_of_problem;
    derived.value_sm = 1 ? 2 : 1;
    return derived;
}

static inline long long ODD_sm(const ODD_config *config, long long block_of_problem,
    double tier_of_problem)
{
    return ODD_derive(config, block_of_problem, tier_of_problem).value_sm;
}

/* What CUDA takes of a grid or block, else 0. */
static inline unsigned
ODD_extent(long long value, long long most)
{
    return value >= 1 && value <= most ? (unsigned)value : 0;
}

/* The launch: blocks, threads, dynamic shared memory. Where CUDA takes no such
 * launch, all of grid or block are 0, or the bytes ~0u. */
static inline void ODD_grid(const ODD_config *config, long long block_of_problem,
    double tier_of_problem, unsigned grid[3])
{
    if (!config) {
        grid[0] = grid[1] = grid[2] = 0;
        return;
    }
    grid[0] = ODD_extent(ODD_mul(block_of_problem, config->config), 2147483647);
    grid[1] = ODD_extent(ODD_to_int(tier_of_problem * (double)2), 65535);
    grid[2] = ODD_extent((ODD_cmp_str("a*/b", "a*/b") == 0) ? 1 : 2, 65535);
    if (!grid[0] || !grid[1] || !grid[2]) grid[0] = grid[1] = grid[2] = 0;
}

static inline void ODD_block(const ODD_config *config, long long block_of_problem,
    double tier_of_problem, unsigned block[3])
{
    if (!config) {
        block[0] = block[1] = block[2] = 0;
        return;
    }
    const ODD_derived derived = ODD_derive(config, block_of_problem, tier_of_problem);
    block[0] = ODD_extent(config->device_warp_size, 1024);
    block[1] = 1;
    block[2] = ODD_extent(derived.value_sm, 64);
    if (!block[0] || !block[1] || !block[2] || block[0] * block[1] * block[2] > 1024) block[0] =
            block[1] = block[2] = 0;
}

static inline unsigned ODD_shared_bytes(const ODD_config *config, long long block_of_problem,
    double tier_of_problem)
{
    if (!config) return ~0u;
    const long long bytes_here = ODD_to_int(ODD_square_f((double)2));
    (void)config;
    (void)block_of_problem;
    (void)tier_of_problem;
    return bytes_here < 0 || bytes_here > 2147483647 ? ~0u : (unsigned)bytes_here;
}

static const unsigned ODD_static_shared[ODD_CONFIGS] = {0u};

/* Whether a configuration may run on a GPU and problem it was not measured on. */
static inline int
ODD_fits(int number, const ODD_gpu *gpu, long long block_of_problem, double tier_of_problem)
{
    ODD_config here = ODD_configs[number];
    const ODD_config *config = &here;
    unsigned grid[3], block[3], shared;
    (void)config;
    (void)gpu;
    (void)block_of_problem;
    (void)tier_of_problem;
    here.device_warp_size = gpu->warp_size;
    ODD_grid(config, block_of_problem, tier_of_problem, grid);
    ODD_block(config, block_of_problem, tier_of_problem, block);
    shared = ODD_shared_bytes(config, block_of_problem, tier_of_problem);
    if (!grid[0] || !block[0] || shared == ~0u) return 0;
    if (gpu->max_shared_bytes &&
        (long long)shared + ODD_static_shared[number] > gpu->max_shared_bytes)
        return 0;
    return 1;
}

/* The tier: what answered. ODD_DEFAULT and ODD_NONE: nothing was tuned for such a GPU. */
enum {
    ODD_EXACT,       /* a row of this device and problem */
    ODD_SAME_DEVICE, /* this device's rule, for a problem that is no row */
    ODD_SAME_ARCH,   /* a device of the same compute capability */
    ODD_SAME_FAMILY, /* of the same major version */
    ODD_DEFAULT,     /* the default, or what else of the table may run */
    ODD_NONE,        /* nothing: no configuration may run */
    ODD_FORCED       /* what the user forced */
};

/* Binary logarithm in 1/65536, exact at powers of two, linear between. */
static inline int
ODD_lg(long long size)
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
ODD_find(const ODD_group *group, long long block_of_problem, double tier_of_problem)
{
    int low = group->first, high = low + group->count;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        const ODD_problem *at = &ODD_rows[middle].problem;
        const int order =
            at->block_of_problem < block_of_problem ? -1 : at->block_of_problem > block_of_problem
                    ? 1 :
            at->tier_of_problem < tier_of_problem ? -1 : at->tier_of_problem > tier_of_problem ? 1 :
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
ODD_rule(const ODD_group *group, long long block_of_problem, double tier_of_problem)
{
    int lg[1], i, best = group->first;
    long long least = -1;
    (void)tier_of_problem;
    lg[0] = ODD_lg(block_of_problem);
    for (i = group->first; i < group->first + group->count; i++) {
        long long gap, apart = 0;
        gap = (long long)lg[0] - ODD_rows[i].lg[0];
        apart += gap * gap;
        if (least >= 0 && apart >= least) continue;
        least = apart;
        best = i;
    }
    return ODD_rows[best].config;
}

/* What a device of the table has for this problem, or -1; same: it is the one at
 * hand. */
static inline int
ODD_of_device(const ODD_device *device, const ODD_gpu *gpu, int same, long long block_of_problem,
    double tier_of_problem, int *exact)
{
    int g, i;
    *exact = 0;
    for (g = device->first; g < device->first + device->count; g++) {
        const ODD_group *group = &ODD_groups[g];
        int number;
        i = ODD_find(group, block_of_problem, tier_of_problem);
        if (i >= 0) {
            number = ODD_rows[i].config;
            *exact = same || ODD_fits(number, gpu, block_of_problem, tier_of_problem);
            if (*exact) return number;
        }
        number = ODD_rule(group, block_of_problem, tier_of_problem);
        if (ODD_fits(number, gpu, block_of_problem, tier_of_problem)) return number;
        for (i = 0; i < group->config_count; i++) {
            number = ODD_preferences[group->configs + i];
            if (ODD_fits(number, gpu, block_of_problem, tier_of_problem)) return number;
        }
        return -1;
    }
    return -1;
}

static inline long long
ODD_apart(long long a, long long b)
{
    const long long gap = a > 0 && b > 0 ? (long long)ODD_lg(a) - ODD_lg(b) : 0;
    return gap < 0 ? -gap : gap;
}

/* How far a device of the table is from a GPU: 0, 1 or 2 (another number of
 * multiprocessors, another minor version) << 48, and more; -1: of no use. */
static inline long long
ODD_distance(const ODD_gpu *a, const ODD_gpu *gpu, int place)
{
    long long minors = (long long)a->cc_minor - gpu->cc_minor, level, gap;
    if (!a->cc_major || a->cc_major != gpu->cc_major) return -1;
    if (minors < 0) minors = -minors;
    if (minors > 2047) minors = 2047;
    level = minors ? 2 : a->sm_count != gpu->sm_count;
    if (!level && a->l2_bytes == gpu->l2_bytes && a->memory_bytes == gpu->memory_bytes)
        return place;
    gap = 65536 * minors + 2 * ODD_apart(a->sm_count, gpu->sm_count) +
          ODD_apart(a->l2_bytes, gpu->l2_bytes) +
          ODD_apart(a->memory_bytes, gpu->memory_bytes);
    return (level << 48) + (gap << 20) + place;
}

/* What the table knows of such a GPU; the least of all devices for one it lacks, and
 * the shared memory that NVIDIA's guide names for its compute capability. */
static inline ODD_gpu
ODD_gpu_of(int cc_major, int cc_minor, int sm_count)
{
    ODD_gpu gpu = ODD_least_gpu;
    int i, cc = 0, found = 0;
    for (i = 0; i < ODD_DEVICES; i++) {
        const ODD_gpu *known = &ODD_devices[i].gpu;
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
ODD_number_for(const ODD_gpu *gpu, long long block_of_problem, double tier_of_problem, int *tier)
{
    long long last = -1;
    int i;
    for (;;) {
        long long least = -1;
        int best = -1, number, exact, level;
        for (i = 0; i < ODD_DEVICES; i++) {
            const long long key = ODD_distance(&ODD_devices[i].gpu, gpu, i);
            if (key <= last || (best >= 0 && key >= least)) continue;
            least = key;
            best = i;
        }
        if (best < 0) break;
        last = least;
        level = (int)(least >> 48);
        number = ODD_of_device(&ODD_devices[best], gpu, level == 0, block_of_problem,
                tier_of_problem, &exact);
        if (number < 0) continue;
        *tier = level == 2 ? ODD_SAME_FAMILY : level == 1 ? ODD_SAME_ARCH
              : exact ? ODD_EXACT : ODD_SAME_DEVICE;
        return number;
    }
    for (i = -1; i < ODD_CONFIGS; i++) {
        const int number = i < 0 ? ODD_DEFAULT_CONFIG : i;
        if (!ODD_fits(number, gpu, block_of_problem, tier_of_problem)) continue;
        *tier = ODD_DEFAULT;
        return number;
    }
    *tier = ODD_NONE;
    return -1;
}

#ifdef ODD_RUNTIME
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _MSC_VER
#include <intrin.h>
#endif

#ifndef ODD_MISS_FROM
#define ODD_MISS_FROM ODD_DEFAULT /* the first tier that counts as a miss */
#endif

/* A configuration for all problems that have the sizes it asks for. */
typedef struct ODD_forced {
    ODD_config config;
    ODD_problem problem;
    int asks[5];
} ODD_forced;

enum { ODD_SEEN_MOST = 256 };
static struct {
    int lock, ready, count, seen_count;
    char *text; /* texts of configurations point into it */
    ODD_forced *forced;
    const char *misses; /* file */
    ODD_problem seen[ODD_SEEN_MOST];
    void (*on_miss)(void *context, int tier, long long block_of_problem, double tier_of_problem);
    void *context;
} ODD_runtime;

static inline void
ODD_enter(void)
{
#ifdef _MSC_VER
    while (_InterlockedExchange((volatile long *)&ODD_runtime.lock, 1)) {
    }
#else
    while (__atomic_exchange_n(&ODD_runtime.lock, 1, __ATOMIC_ACQUIRE)) {
    }
#endif
}

static inline void
ODD_leave(void)
{
#ifdef _MSC_VER
    _InterlockedExchange((volatile long *)&ODD_runtime.lock, 0);
#else
    __atomic_store_n(&ODD_runtime.lock, 0, __ATOMIC_RELEASE);
#endif
}

/* A word of an override: a parameter's value, or a size that it is for. */
static inline int
ODD_set(ODD_forced *forced, const char *name, char *value)
{
    char *end = value;
    if (strcmp(name, "config") == 0) {
        forced->config.config = (long long)strtoll(value, &end, 10);
        return end != value && !*end;
    }
    if (strcmp(name, "grid") == 0) {
        forced->config.grid = (double)strtod(value, &end);
        return end != value && !*end;
    }
    if (strcmp(name, "EXACT") == 0) {
        forced->config.EXACT = value;
        end = value + 1;
        return 1;
    }
    if (strcmp(name, "ROW") == 0) {
        forced->config.ROW = (int)(strtol(value, &end, 10) != 0);
        return end != value && !*end;
    }
    if (strcmp(name, "block") == 0) {
        forced->problem.block_of_problem = (long long)strtoll(value, &end, 10);
        forced->asks[0] = 1;
        return end != value && !*end;
    }
    if (strcmp(name, "tier") == 0) {
        forced->problem.tier_of_problem = (double)strtod(value, &end);
        forced->asks[1] = 1;
        return end != value && !*end;
    }
    (void)forced;
    (void)name;
    (void)end;
    return 0;
}

/* Under the lock; line: how many have been read. */
static inline int
ODD_add_forced(char *line)
{
    ODD_forced forced, *more;
    int words = 0;
    memset(&forced, 0, sizeof forced);
    forced.config = ODD_configs[ODD_DEFAULT_CONFIG];
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
            if (*end || number < 0 || number >= ODD_CONFIGS) return -1;
            forced.config = ODD_configs[number];
        } else {
            *value = 0;
            if (!ODD_set(&forced, name, value + 1)) return -1;
        }
        words++;
    }
    if (!words) return 0;
    more = (ODD_forced *)realloc(ODD_runtime.forced,
                                ((size_t)ODD_runtime.count + 1) * sizeof *more);
    if (!more) return -1;
    ODD_runtime.forced = more;
    more[ODD_runtime.count++] = forced;
    return 0;
}

static inline char *
ODD_read_text(const char *path)
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
ODD_force_locked(const char *text)
{
    char *own, *line, *next;
    int number = 0;
    free(ODD_runtime.forced);
    free(ODD_runtime.text);
    ODD_runtime.forced = 0;
    ODD_runtime.text = 0;
    ODD_runtime.count = 0;
    ODD_runtime.ready = 1;
    if (!text || !*text) return 0;
    if (*text == '@') {
        own = ODD_read_text(text + 1);
    } else {
        own = (char *)malloc(strlen(text) + 1);
        if (own) strcpy(own, text);
    }
    if (!own) return -1;
    ODD_runtime.text = own;
    for (line = own; line; line = next) {
        next = strchr(line, '\n');
        if (next) *next++ = 0;
        number++;
        if (ODD_add_forced(line)) return number;
    }
    return 0;
}

/* Under the lock: the environment's wishes, the first time. */
static inline void
ODD_start(void)
{
    const char *text = getenv("ODD_CONFIG");
    int status;
    if (ODD_runtime.ready) return;
    status = ODD_force_locked(text);
    if (status)
        fprintf(stderr, "ODD_CONFIG=%s: line %d is no configuration\n", text, status);
    if (!ODD_runtime.misses) ODD_runtime.misses = getenv("ODD_MISSES");
}

/* Force configurations: "3" (a number of the table), "BM=64 BN=32" (over the default's
 * values), "@FILE" with such lines, which may name sizes: the first line whose sizes are
 * the problem's counts. A null pointer forces none. 0, the number of a line that is wrong
 * (those before it hold), or -1: no such file, or no memory. Without a call, the
 * environment's ODD_CONFIG is taken. Not while another thread uses what was forced before. */
static inline int
ODD_force(const char *text)
{
    int status;
    ODD_enter();
    ODD_start();
    status = ODD_force_locked(text);
    ODD_leave();
    return status;
}

/* Append missed problems to this file, a list for hone tune --problems. Without a call,
 * the environment's ODD_MISSES is taken. The text is borrowed. */
static inline void
ODD_note_misses(const char *path)
{
    ODD_enter();
    ODD_start();
    ODD_runtime.misses = path;
    ODD_leave();
}

/* Call hook for each selection that no row answers, by any thread. */
static inline void
ODD_on_miss(void (*hook)(void *context, int tier, long long block_of_problem,
    double tier_of_problem),
           void *context)
{
    ODD_enter();
    ODD_runtime.on_miss = hook;
    ODD_runtime.context = context;
    ODD_leave();
}

/* What is forced for a problem, or a null pointer: the table's own where it has the same. */
static inline const ODD_config *
ODD_override(long long block_of_problem, double tier_of_problem)
{
    const ODD_config *found = 0;
    int i;
    ODD_enter();
    ODD_start();
    for (i = 0; i < ODD_runtime.count && !found; i++) {
        const ODD_forced *forced = &ODD_runtime.forced[i];
        if (forced->asks[0] && !(forced->problem.block_of_problem == block_of_problem)) continue;
        if (forced->asks[1] && !(forced->problem.tier_of_problem == tier_of_problem)) continue;
        found = &forced->config;
    }
    for (i = 0; found && i < ODD_CONFIGS; i++)
        if (ODD_configs[i].config == found->config &&
            ODD_configs[i].grid == found->grid &&
            strcmp(ODD_configs[i].EXACT, found->EXACT) == 0 &&
            ODD_configs[i].ROW == found->ROW) {
            found = &ODD_configs[i];
            break;
        }
    ODD_leave();
    return found;
}

/* No row answered. Each of the first 256 problems is noted once; texts of a problem
 * must live as long as the program. */
static inline void
ODD_missed(int tier, long long block_of_problem, double tier_of_problem)
{
    void (*hook)(void *context, int tier, long long block_of_problem, double tier_of_problem);
    void *context;
    int i, fresh = 1;
    if (tier < ODD_MISS_FROM) return;
    ODD_enter();
    hook = ODD_runtime.on_miss;
    context = ODD_runtime.context;
    for (i = 0; i < ODD_runtime.seen_count && fresh; i++) {
        const ODD_problem *seen = &ODD_runtime.seen[i];
        fresh = !(seen->block_of_problem == block_of_problem
                && seen->tier_of_problem == tier_of_problem);
    }
    if (!(tier_of_problem - tier_of_problem == 0)) fresh = 0; /* no list holds it */
    if (fresh && ODD_runtime.misses && *ODD_runtime.misses &&
        ODD_runtime.seen_count < ODD_SEEN_MOST) {
        FILE *file = fopen(ODD_runtime.misses, "a");
        ODD_problem *seen = &ODD_runtime.seen[ODD_runtime.seen_count++];
        memset(seen, 0, sizeof *seen);
        seen->block_of_problem = block_of_problem;
        seen->tier_of_problem = tier_of_problem;
        if (file) {
            fprintf(file, "{\"block\":%lld", block_of_problem);
            fprintf(file, ",\"tier\":%.17g", tier_of_problem);
            fputs("}\n", file);
            fclose(file);
        }
    }
    ODD_leave();
    if (hook) hook(context, tier, block_of_problem, tier_of_problem);
}
#endif /* ODD_RUNTIME */

/* The configuration for a GPU and problem; *tier says what answered (tier may be a
 * null pointer). A null pointer where no configuration may run: ODD_NONE. */
static inline const ODD_config *
ODD_select_for(const ODD_gpu *gpu, long long block_of_problem, double tier_of_problem, int *tier)
{
    int answered, number;
#ifdef ODD_RUNTIME
    const ODD_config *forced = ODD_override(block_of_problem, tier_of_problem);
    if (forced) {
        if (tier) *tier = ODD_FORCED;
        return forced;
    }
#endif
    number = ODD_number_for(gpu, block_of_problem, tier_of_problem, &answered);
    if (tier) *tier = answered;
#ifdef ODD_RUNTIME
    if (answered != ODD_EXACT) ODD_missed(answered, block_of_problem, tier_of_problem);
#endif
    return number < 0 ? 0 : &ODD_configs[number];
}

static inline const ODD_config *
ODD_select(int cc_major, int cc_minor, int sm_count, long long block_of_problem,
    double tier_of_problem, int *tier)
{
    const ODD_gpu gpu = ODD_gpu_of(cc_major, cc_minor, sm_count);
    return ODD_select_for(&gpu, block_of_problem, tier_of_problem, tier);
}

/* A row for compile time: define ODD_ROW before the header is included. */
#ifndef ODD_ROW
#define ODD_ROW 0
#endif
#if ODD_ROW == 0
#define ODD_config_ 1LL
#define ODD_grid_ 1.0
#define ODD_EXACT_ "unsigned long"
#define ODD_ROW_ 0
#define ODD_DEFINES "-Dconfig=1 -Dgrid=1 '-DEXACT=unsigned long' -DROW=0"
#define ODD_TIME_US 1.5
#else
#error "ODD_ROW is the number of no row"
#endif

#elif HONE_EMITTED_ODD != 0xc7aecb98u
#error "two headers ODD that differ: emit one of them with --name"
#endif
