/* Tuned configurations of the kernel plain. Emitted by hone 0.1.0 (form 3): do not edit.
 * MEASURED: times are medians of n launches
 * Valid: built, and run; whether results were verified, no journal recorded.
 * Selected: the row of this size and GPU (compute capability and SM count); else the nearest row,
 *     however far, of the same major version that fits there; else the first row's (configuration
 *     0); else null.
 * To launch: plain_select gives a configuration, plain_defines[config - plain_configs] the options
 *     to compile it with. C99, C++11, CUDA.
 * Missing: a look at the results of every row; tuning for other sizes and GPUs; the kernel's code
 *     (--payload).
 *
 * Device 0: a device that was not named
 * Row 0, configuration 0: 
 *   3 us
 *   2 evaluated, 2 of them valid
 */
#ifndef HONE_EMITTED_plain
#define HONE_EMITTED_plain 0x27adbcc7u
#if defined(X)
#error "plain: include this header before its parameters or sizes are macros"
#endif

/* What the kernel is compiled with. */
typedef struct plain_config {
    int X;
} plain_config;
/* A GPU: plain_gpu_of makes one, set what is known better; 0 is unknown. */
typedef struct plain_gpu { int cc_major, cc_minor, sm_count; long long l2_bytes, memory_bytes,
    max_shared_bytes; } plain_gpu;
typedef struct { const char *name; plain_gpu gpu; const char *provenance; } plain_device;
typedef struct { int device, config; double time_us; } plain_row;

enum { PLAIN_DEFAULT_CONFIG = 0, PLAIN_CONFIGS = 1, PLAIN_DEVICES = 1, PLAIN_ROWS = 1 };
static const plain_config plain_configs[PLAIN_CONFIGS] = {
    {1},
};
static const char *const plain_defines[PLAIN_CONFIGS] = {
    "-DX=1",
};
static const plain_device plain_devices[PLAIN_DEVICES] = {
    {"", {0, 0, 0, 0, 0, 0},
     "measured"},
};
static const plain_row plain_rows[PLAIN_ROWS] = {{0, 0, 3.0}};
#if defined(__cplusplus) && __cplusplus >= 201703L /* plain_arch<80>.FIELD, one for every cc */
extern "C++" { template <int cc> static constexpr plain_config plain_arch =
    {1}; }
#endif
/* Whether a configuration may run on a problem it was not measured on. */
static inline int plain_fits(int number) {
    (void)number;
    return 1;
}

/* Tuned for this size and GPU; another size, SM count, minor version; not near; null. */
enum { PLAIN_EXACT, PLAIN_SAME_DEVICE, PLAIN_SAME_ARCH, PLAIN_SAME_FAMILY, PLAIN_DEFAULT,
    PLAIN_NONE };
/* Limits from the table; max_shared_bytes, for which nothing asks, is 0 elsewhere. */
static inline plain_gpu plain_gpu_of(int cc_major, int cc_minor, int sm_count) {
    plain_gpu gpu = plain_devices[0].gpu;
    if (cc_major != gpu.cc_major || cc_minor != gpu.cc_minor) gpu.max_shared_bytes = 0;
    gpu.cc_major = cc_major, gpu.cc_minor = cc_minor, gpu.sm_count = sm_count;
    return gpu;
}

/* The configuration for a GPU and problem, or null; *tier, if not null: how near. */
static inline const plain_config *plain_select_for(const plain_gpu *gpu, int *tier) {
    int number = PLAIN_DEFAULT_CONFIG, answer = PLAIN_DEFAULT;
    (void)gpu;
    if (!plain_fits(number)) {
        number = PLAIN_CONFIGS - 1 - number;
        answer = plain_fits(number) ? PLAIN_DEFAULT : PLAIN_NONE;
    }
    if (tier) *tier = answer;
    return answer == PLAIN_NONE ? 0 : &plain_configs[number];
}
static inline const plain_config *plain_select(int cc_major, int cc_minor, int sm_count, int *tier)
{
    const plain_gpu gpu = plain_gpu_of(cc_major, cc_minor, sm_count);
    return plain_select_for(&gpu, tier);
}
#elif HONE_EMITTED_plain != 0x27adbcc7u
#error "two headers plain that differ: emit one of them with --name"
#endif
