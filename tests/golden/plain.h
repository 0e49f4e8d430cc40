/* Tuned configurations of the kernel plain. Emitted by hone 0.1.0: do not edit.
 *
 * MEASURED: times are medians of n launches
 *
 * plain_select(cc_major, cc_minor, sm_count, &tier) gives the configuration for a GPU and problem.
 * All functions are static: there is nothing to link. C99, C++11 or later, CUDA.
 *
 * Device 0: a device that was not named
 * Row 0: 
 *   3 us
 *   2 evaluated, 2 of them valid
 */
#ifndef HONE_EMITTED_plain
#define HONE_EMITTED_plain 0xf5626f0cu

#if defined(X)
#error "plain: include this header before its parameters or sizes are macros"
#endif

/* What the kernel is compiled with. */
typedef struct plain_config {
    int X;
} plain_config;

/* A GPU. Let plain_gpu_of make one and set what is known better, as
 * cuDeviceGetAttribute and cuDeviceTotalMem tell; max_shared_bytes are those a block
 * may have with opt-in. */
typedef struct plain_gpu {
    int cc_major, cc_minor, sm_count; /* 0 where a journal lacks them */
    long long l2_bytes, memory_bytes, max_shared_bytes;
} plain_gpu;

/* A device of the journals, and its groups of rows. */
typedef struct plain_device {
    const char *name;
    plain_gpu gpu;
    int first, count;
    const char *provenance; /* where its rows come from */
} plain_device;

/* What was tuned, and the number of the configuration that serves it. */
typedef struct plain_row {
    int device, config;
    double time_us;
} plain_row;

/* Rows that one rule serves; tree: its first node, -1: the nearest row serves. */
typedef struct plain_group {
    int first, count, tree;
    int configs, config_count; /* in plain_preferences, the best first */
} plain_group;

enum { PLAIN_CONFIGS = 1 };

static const plain_config plain_configs[PLAIN_CONFIGS] = {
    {1},
};

/* The same as compiler options. */
static const char *const plain_defines[PLAIN_CONFIGS] = {
    "-DX=1",
};

/* For devices not in the table: the first row's. */
enum { PLAIN_DEFAULT_CONFIG = 0 };

enum { PLAIN_DEVICES = 1 };

static const plain_device plain_devices[PLAIN_DEVICES] = {
    {"", {0, 0, 0, 0LL, 0LL, 0LL}, 0, 1,
     "measured"},
};

static const plain_gpu plain_least_gpu = {0, 0, 0, 0LL, 0LL, 0LL};

enum { PLAIN_ROWS = 1 };

static const plain_row plain_rows[PLAIN_ROWS] = {
    {0, 0, 3.0},
};

static const int plain_preferences[] = {
    0,
};

static const plain_group plain_groups[] = {
    {0, 1, -1, 0, 1},
};

/* Whether a configuration may run on a GPU and problem it was not measured on. */
static inline int
plain_fits(int number, const plain_gpu *gpu)
{
    (void)number;
    (void)gpu;
    return 1;
}

/* The tier: what answered. PLAIN_DEFAULT and PLAIN_NONE: nothing was tuned for such a GPU. */
enum {
    PLAIN_EXACT,       /* a row of this device and problem */
    PLAIN_SAME_DEVICE, /* this device's rule, for a problem that is no row */
    PLAIN_SAME_ARCH,   /* a device of the same compute capability */
    PLAIN_SAME_FAMILY, /* of the same major version */
    PLAIN_DEFAULT,     /* the default, or what else of the table may run */
    PLAIN_NONE,        /* nothing: no configuration may run */
    PLAIN_FORCED       /* what the user forced */
};

/* Binary logarithm in 1/65536, exact at powers of two, linear between. */
static inline int
plain_lg(long long size)
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
plain_find(const plain_group *group)
{
    int low = group->first, high = low + group->count;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        return middle;
    }
    return -1;
}

/* The configuration for a problem that is no row: a decision tree's, or the nearest
 * row's. */
static inline int
plain_rule(const plain_group *group)
{
    return plain_rows[group->first].config;
}

/* What a device of the table has for this problem, or -1; same: it is the one at
 * hand. */
static inline int
plain_of_device(const plain_device *device, const plain_gpu *gpu, int same, int *exact)
{
    int g, i;
    *exact = 0;
    for (g = device->first; g < device->first + device->count; g++) {
        const plain_group *group = &plain_groups[g];
        int number;
        i = plain_find(group);
        if (i >= 0) {
            number = plain_rows[i].config;
            *exact = same || plain_fits(number, gpu);
            if (*exact) return number;
        }
        number = plain_rule(group);
        if (plain_fits(number, gpu)) return number;
        for (i = 0; i < group->config_count; i++) {
            number = plain_preferences[group->configs + i];
            if (plain_fits(number, gpu)) return number;
        }
        return -1;
    }
    return -1;
}

static inline long long
plain_apart(long long a, long long b)
{
    const long long gap = a > 0 && b > 0 ? (long long)plain_lg(a) - plain_lg(b) : 0;
    return gap < 0 ? -gap : gap;
}

/* How far a device of the table is from a GPU: 0, 1 or 2 (another number of
 * multiprocessors, another minor version) << 48, and more; -1: of no use. */
static inline long long
plain_distance(const plain_gpu *a, const plain_gpu *gpu, int place)
{
    long long minors = (long long)a->cc_minor - gpu->cc_minor, level, gap;
    if (!a->cc_major || a->cc_major != gpu->cc_major) return -1;
    if (minors < 0) minors = -minors;
    if (minors > 2047) minors = 2047;
    level = minors ? 2 : a->sm_count != gpu->sm_count;
    if (!level && a->l2_bytes == gpu->l2_bytes && a->memory_bytes == gpu->memory_bytes)
        return place;
    gap = 65536 * minors + 2 * plain_apart(a->sm_count, gpu->sm_count) +
          plain_apart(a->l2_bytes, gpu->l2_bytes) +
          plain_apart(a->memory_bytes, gpu->memory_bytes);
    return (level << 48) + (gap << 20) + place;
}

/* What the table knows of such a GPU; the least of all devices for one it lacks, and
 * the shared memory that NVIDIA's guide names for its compute capability. */
static inline plain_gpu
plain_gpu_of(int cc_major, int cc_minor, int sm_count)
{
    plain_gpu gpu = plain_least_gpu;
    int i, cc = 0, found = 0;
    for (i = 0; i < PLAIN_DEVICES; i++) {
        const plain_gpu *known = &plain_devices[i].gpu;
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
plain_number_for(const plain_gpu *gpu, int *tier)
{
    long long last = -1;
    int i;
    for (;;) {
        long long least = -1;
        int best = -1, number, exact, level;
        for (i = 0; i < PLAIN_DEVICES; i++) {
            const long long key = plain_distance(&plain_devices[i].gpu, gpu, i);
            if (key <= last || (best >= 0 && key >= least)) continue;
            least = key;
            best = i;
        }
        if (best < 0) break;
        last = least;
        level = (int)(least >> 48);
        number = plain_of_device(&plain_devices[best], gpu, level == 0, &exact);
        if (number < 0) continue;
        *tier = level == 2 ? PLAIN_SAME_FAMILY : level == 1 ? PLAIN_SAME_ARCH
              : exact ? PLAIN_EXACT : PLAIN_SAME_DEVICE;
        return number;
    }
    for (i = -1; i < PLAIN_CONFIGS; i++) {
        const int number = i < 0 ? PLAIN_DEFAULT_CONFIG : i;
        if (!plain_fits(number, gpu)) continue;
        *tier = PLAIN_DEFAULT;
        return number;
    }
    *tier = PLAIN_NONE;
    return -1;
}

#ifdef PLAIN_RUNTIME
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _MSC_VER
#include <intrin.h>
#endif

#ifndef PLAIN_MISS_FROM
#define PLAIN_MISS_FROM PLAIN_DEFAULT /* the first tier that counts as a miss */
#endif

/* A configuration for all problems that have the sizes it asks for. */
typedef struct plain_forced {
    plain_config config;
    int asks[1];
} plain_forced;

enum { PLAIN_SEEN_MOST = 256 };
static struct {
    int lock, ready, count, seen_count;
    char *text; /* texts of configurations point into it */
    plain_forced *forced;
    const char *misses; /* file */
    void (*on_miss)(void *context, int tier);
    void *context;
} plain_runtime;

static inline void
plain_enter(void)
{
#ifdef _MSC_VER
    while (_InterlockedExchange((volatile long *)&plain_runtime.lock, 1)) {
    }
#else
    while (__atomic_exchange_n(&plain_runtime.lock, 1, __ATOMIC_ACQUIRE)) {
    }
#endif
}

static inline void
plain_leave(void)
{
#ifdef _MSC_VER
    _InterlockedExchange((volatile long *)&plain_runtime.lock, 0);
#else
    __atomic_store_n(&plain_runtime.lock, 0, __ATOMIC_RELEASE);
#endif
}

/* A word of an override: a parameter's value, or a size that it is for. */
static inline int
plain_set(plain_forced *forced, const char *name, char *value)
{
    char *end = value;
    if (strcmp(name, "X") == 0) {
        forced->config.X = (int)strtoll(value, &end, 10);
        return end != value && !*end;
    }
    (void)forced;
    (void)name;
    (void)end;
    return 0;
}

/* Under the lock; line: how many have been read. */
static inline int
plain_add_forced(char *line)
{
    plain_forced forced, *more;
    int words = 0;
    memset(&forced, 0, sizeof forced);
    forced.config = plain_configs[PLAIN_DEFAULT_CONFIG];
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
            if (*end || number < 0 || number >= PLAIN_CONFIGS) return -1;
            forced.config = plain_configs[number];
        } else {
            *value = 0;
            if (!plain_set(&forced, name, value + 1)) return -1;
        }
        words++;
    }
    if (!words) return 0;
    more = (plain_forced *)realloc(plain_runtime.forced,
                                ((size_t)plain_runtime.count + 1) * sizeof *more);
    if (!more) return -1;
    plain_runtime.forced = more;
    more[plain_runtime.count++] = forced;
    return 0;
}

static inline char *
plain_read_text(const char *path)
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
plain_force_locked(const char *text)
{
    char *own, *line, *next;
    int number = 0;
    free(plain_runtime.forced);
    free(plain_runtime.text);
    plain_runtime.forced = 0;
    plain_runtime.text = 0;
    plain_runtime.count = 0;
    plain_runtime.ready = 1;
    if (!text || !*text) return 0;
    if (*text == '@') {
        own = plain_read_text(text + 1);
    } else {
        own = (char *)malloc(strlen(text) + 1);
        if (own) strcpy(own, text);
    }
    if (!own) return -1;
    plain_runtime.text = own;
    for (line = own; line; line = next) {
        next = strchr(line, '\n');
        if (next) *next++ = 0;
        number++;
        if (plain_add_forced(line)) return number;
    }
    return 0;
}

/* Under the lock: the environment's wishes, the first time. */
static inline void
plain_start(void)
{
    const char *text = getenv("PLAIN_CONFIG");
    int status;
    if (plain_runtime.ready) return;
    status = plain_force_locked(text);
    if (status)
        fprintf(stderr, "PLAIN_CONFIG=%s: line %d is no configuration\n", text, status);
    if (!plain_runtime.misses) plain_runtime.misses = getenv("PLAIN_MISSES");
}

/* Force configurations: "3" (a number of the table), "BM=64 BN=32" (over the default's
 * values), "@FILE" with such lines, which may name sizes: the first line whose sizes are
 * the problem's counts. A null pointer forces none. 0, the number of a line that is wrong
 * (those before it hold), or -1: no such file, or no memory. Without a call, the
 * environment's PLAIN_CONFIG is taken. Not while another thread uses what was forced before. */
static inline int
plain_force(const char *text)
{
    int status;
    plain_enter();
    plain_start();
    status = plain_force_locked(text);
    plain_leave();
    return status;
}

/* Append missed problems to this file, a list for hone tune --problems. Without a call,
 * the environment's PLAIN_MISSES is taken. The text is borrowed. */
static inline void
plain_note_misses(const char *path)
{
    plain_enter();
    plain_start();
    plain_runtime.misses = path;
    plain_leave();
}

/* Call hook for each selection that no row answers, by any thread. */
static inline void
plain_on_miss(void (*hook)(void *context, int tier),
           void *context)
{
    plain_enter();
    plain_runtime.on_miss = hook;
    plain_runtime.context = context;
    plain_leave();
}

/* What is forced for a problem, or a null pointer: the table's own where it has the same. */
static inline const plain_config *
plain_override(void)
{
    const plain_config *found = 0;
    int i;
    plain_enter();
    plain_start();
    for (i = 0; i < plain_runtime.count && !found; i++) {
        const plain_forced *forced = &plain_runtime.forced[i];
        found = &forced->config;
    }
    for (i = 0; found && i < PLAIN_CONFIGS; i++)
        if (plain_configs[i].X == found->X) {
            found = &plain_configs[i];
            break;
        }
    plain_leave();
    return found;
}

/* No row answered. Each of the first 256 problems is noted once; texts of a problem
 * must live as long as the program. */
static inline void
plain_missed(int tier)
{
    void (*hook)(void *context, int tier);
    void *context;
    if (tier < PLAIN_MISS_FROM) return;
    plain_enter();
    hook = plain_runtime.on_miss;
    context = plain_runtime.context;
    plain_leave();
    if (hook) hook(context, tier);
}
#endif /* PLAIN_RUNTIME */

/* The configuration for a GPU and problem; *tier says what answered (tier may be a
 * null pointer). A null pointer where no configuration may run: PLAIN_NONE. */
static inline const plain_config *
plain_select_for(const plain_gpu *gpu, int *tier)
{
    int answered, number;
#ifdef PLAIN_RUNTIME
    const plain_config *forced = plain_override();
    if (forced) {
        if (tier) *tier = PLAIN_FORCED;
        return forced;
    }
#endif
    number = plain_number_for(gpu, &answered);
    if (tier) *tier = answered;
#ifdef PLAIN_RUNTIME
    if (answered != PLAIN_EXACT) plain_missed(answered);
#endif
    return number < 0 ? 0 : &plain_configs[number];
}

static inline const plain_config *
plain_select(int cc_major, int cc_minor, int sm_count, int *tier)
{
    const plain_gpu gpu = plain_gpu_of(cc_major, cc_minor, sm_count);
    return plain_select_for(&gpu, tier);
}

/* A row for compile time: define PLAIN_ROW before the header is included. */
#ifndef PLAIN_ROW
#define PLAIN_ROW 0
#endif
#if PLAIN_ROW == 0
#define PLAIN_X 1
#define PLAIN_DEFINES "-DX=1"
#define PLAIN_TIME_US 3.0
#else
#error "PLAIN_ROW is the number of no row"
#endif

#elif HONE_EMITTED_plain != 0xf5626f0cu
#error "two headers plain that differ: emit one of them with --name"
#endif
