/* Devices: cuda:N runs on a GPU, emu:GPU emulates PTX on the host. Each implements one
 * small table. A launch that fails is data (struct hone_fault), a device that breaks is a
 * status. */
#ifndef HONE_DEVICE_H
#define HONE_DEVICE_H

#include <signal.h>
#include <stddef.h>
#include <stdint.h>

#include "hone/build.h"
#include "hone/finding.h"
#include "hone/limits.h"
#include "hone/tensor_map.h"
#include "hone/trial.h"

struct hone_device;
struct hone_module; /* private to the device that loaded it */

typedef uint64_t hone_devptr; /* device address; 0 is none */

/* Orders that a kernel must not depend on: as the device likes; asynchronous copies made
 * as late as their waits allow; blocks that are resident together from the last to the
 * first, each as far as its first barrier, and on in another order; the same with warps
 * of a block from the last to the first; lanes of a warp apart from one point where they
 * wait for each other to the next, one part of them after another in an order drawn at
 * random; in the reverse of that, with warps and blocks as above; and asynchronous copies
 * and products made at moments that are drawn, while waits that may fail early do. */
enum hone_order {
    HONE_ORDER_USUAL,
    HONE_ORDER_LATE_COPIES,
    HONE_ORDER_BLOCKS,
    HONE_ORDER_REVERSED,
    HONE_ORDER_LANES,
    HONE_ORDER_LANES_REVERSED,
    HONE_ORDER_DRAWN_COPIES,
    HONE_ORDER_COUNT
};

/* What launches of one kernel show beside their results. Zero it before the first. */
struct hone_launch_report {
    bool varies;                      /* the device can run it in each enum hone_order */
    bool copies;                      /* the kernel has asynchronous copies */
    bool units;                       /* and some that are no cp.async, or products */
    bool waits;                       /* as of struct hone_ptx_estimate */
    bool weaves;                      /* it hears of others by strong accesses */
    unsigned reached;                 /* the device's own: added up over launches */
    uint64_t executed;                /* the device's own: instructions of the last
                                         launch in the usual order */
    uint64_t turned;                  /* not the device's: blocks of a checked launch that
                                         had them turned, the most */
    uint64_t unturned;                /* nor this: blocks that wait for each other at the
                                         smallest size where not all of them were watched
                                         so; 0: they were at some size, or none wait */
    bool all_turned;                  /* nor this: they were at some size */
    uint64_t outputs;                 /* nor this: as in struct hone_trial */
    uint64_t unwritten;               /* nor this: output elements that a kernel without a
                                         reference never wrote, the most of all sizes */
    uint32_t waived[HONE_WAIVER_MAX]; /* findings that each waiver let pass, added up */
    uint64_t shared_written;          /* dynamic shared bytes up to the last one that a
                                         watched block wrote, the most of all launches */
    char fidelity[HONE_FIDELITY_MAX]; /* as in struct hone_trial */
    char unset[64]; /* a variable of the module that a launch read and nothing had
                       written, neither the script nor a launch; "": none was seen */
};

/* A part of an allocation. */
struct hone_extent {
    hone_devptr base;
    uint64_t bytes;
    const char *name; /* of the argument; NULL: not known */
    bool scratch;     /* nobody reads it once the launch is over */
    bool early;       /* nothing in it changes while the launch before runs */
};

struct hone_launch {
    uint32_t grid[3];
    uint32_t block[3];
    uint32_t shared_bytes;     /* dynamic */
    uint32_t cluster[3];       /* as in struct hone_geometry */
    uint32_t flags;            /* as there */
    const void *const *params; /* one pointer to each argument's value */
    const size_t *param_sizes; /* bytes of each */
    size_t param_count;
    /* Give up after this, on an emulated device of processor time; 0: its default. */
    double deadline_s;
    /* Or as soon as the first blocks say that all would take several times as long, which
     * is wrong where these have most of the work. For an emulated device. */
    bool ends_early;
    bool check; /* look for races and unwritten values too, where it is possible */
    /* Optional. Gets what the kernel prints, in the order of its blocks, warps and lanes,
     * at most HONE_PRINTED_MAX bytes a launch. A cuda device prints to the standard
     * output of the process instead. */
    void (*print)(void *context, const char *text, size_t len);
    void *print_context;
    /* Optional. All that the kernel may touch of the allocations that these lie in: red
     * zones round them are not its own. For a device that checks every access. */
    const struct hone_extent *extents;
    size_t extent_count;
    /* Optional. Findings of these are counted in the report, and the kernel goes on. For
     * a device that looks for races and unwritten values. */
    const struct hone_waiver *waivers;
    size_t waiver_count;
    enum hone_order order;             /* where the device can choose */
    uint64_t seed;                     /* of what HONE_ORDER_DRAWN_COPIES draws */
    struct hone_launch_report *report; /* NULL: not wanted */
};

enum { HONE_PRINTED_MAX = 1 << 20 };

/* Why a launch went wrong; outcome is VALID when it did not. */
struct hone_fault {
    enum hone_outcome outcome;
    enum hone_finding finding; /* NONE where it was refused before it ran */
    uint32_t line, ptx_line;   /* where: in file, in the PTX; 0 where that is not known */
    char file[64];             /* the author's file, without folders; "" without a line */
    char buffer[64];           /* the argument concerned; "" where it is not known */
    char reason[HONE_REASON_MAX];
    bool sticky; /* the device object is of no more use: close it */
};

enum hone_clock {
    HONE_CLOCK_NONE,
    HONE_CLOCK_CUPTI,
    HONE_CLOCK_EVENT,
    HONE_CLOCK_GRAPH,
    HONE_CLOCK_EMULATED
};
const char *hone_clock_name(enum hone_clock clock); /* "cupti", ... */
/* What times by this clock are: PREDICTED, or NONE where each struct hone_timing says how
 * it was measured. */
enum hone_time_kind hone_clock_times(enum hone_clock clock);
/* A clock that can be wished for: "cupti", "event", "graph", or "auto", which is NONE.
 * ENOTFOUND for any other name. */
enum hone_status hone_clock_parse(enum hone_clock *out, const char *name);

struct hone_time_policy {
    uint32_t min_samples; /* timed launches, at least, unless the race is lost before */
    uint32_t max_samples;
    double target_rel_ci; /* of half the 95 % interval of the median to the median */
    double budget_ms;     /* kernel time to spend at most */
    double energy_ms;     /* kernel time in a row to count energy over; 0: not at all */
    double sustained_s;   /* kernel time of such a row at most; 0: as the device likes */
    bool warm_cache;      /* false: no timed launch finds its data in L2 */
    bool sustained;       /* one figure of a row of launches, once the clock is steady;
                             of the others only warm_cache and sustained_s count */
    bool brief;           /* one figure of many: no metrics, neither warm_us of short
                             kernels nor the state of the GPU */
    /* The race: what is clearly slower than rival_us is not measured further. 0: none. */
    double rival_us;
    double rival_margin; /* how much slower the fastest of the first samples has to be */
};
extern const struct hone_time_policy hone_time_policy_default;

struct hone_timing {
    enum hone_clock clock;
    enum hone_time_kind kind;
    double time_us;      /* median; NAN on a device that predicts */
    double predicted_us; /* NAN on a device that measures */
    double energy_j;     /* of one launch; NAN unless it was counted */
    double rel_std;      /* of the samples */
    uint32_t samples;
    uint32_t metric_count;
    struct hone_metric metrics[HONE_METRIC_MAX];
};

/* How the counters of the hardware are read, and of which. */
struct hone_count_policy {
    bool light;      /* those that take few launches */
    bool warm_cache; /* false: no launch finds its data in L2 */
    /* Optional. Called before each launch, which must find the first data. */
    enum hone_status (*arm)(void *context, struct hone_error *err);
    void *context;
};

enum hone_copy { HONE_TO_DEVICE, HONE_TO_HOST };

/* What PTX without machine code tells of what it needs. */
struct hone_ptx_estimate {
    /* registers are estimated; static_shared_bytes are those that it declares; the rest
     * is not known. */
    struct hone_resources resources;
    int32_t most_registers; /* a thread: ptxas takes no more, and spills instead */
    int32_t max_threads;    /* a block, as in struct hone_build */
    /* It has what only ptxas can judge: products of warp groups, registers that warp
     * groups hand on, clusters, memory beyond what every GPU has. */
    bool assemble;
    /* It asks memory anew that other blocks write: its end may depend on how many of them
     * run at once. */
    bool waits;
};

/* A kind of device. All callbacks get the device whose priv (zeroed, priv_size bytes) is
 * theirs. */
struct hone_device_fns {
    const char *name;        /* "cuda": what stands before the colon */
    const char *description; /* one line for `hone devices` */
    size_t priv_size;

    /* Open spec, the text after the colon ("0", "h200"), and fill dev's limits, clock, id
     * and driver. dev->clock holds the clock that is wished for, NONE for the best. When
     * it fails it leaves nothing behind, and close is not called. */
    enum hone_status (*open)(struct hone_device *dev, const char *spec,
                             struct hone_error *err);
    void (*close)(struct hone_device *dev);

    /* Load a valid build and find its entry. One this device cannot take is a fault. */
    enum hone_status (*load)(struct hone_device *dev, const struct hone_build *build,
                             const char *entry, struct hone_module **out,
                             struct hone_fault *fault, struct hone_error *err);
    void (*unload)(struct hone_device *dev, struct hone_module *module);

    /* Optional, of devices that run PTX: what a build of a virtual architecture needs.
     * Any status but OK, as load gives faults for: its PTX does not tell. */
    enum hone_status (*estimate)(struct hone_device *dev, const struct hone_build *build,
                                 const char *entry, struct hone_ptx_estimate *out,
                                 struct hone_error *err);

    /* Optional. Where the module's variable lies that PTX calls name, and how many bytes
     * it has; they stay until the module is unloaded. ENOTFOUND when it has none. */
    enum hone_status (*find_variable)(struct hone_device *dev, struct hone_module *module,
                                      const char *name, hone_devptr *out, size_t *bytes,
                                      struct hone_error *err);

    /* Optional, of devices that predict. Whether what a launch executes and which memory
     * it touches may depend on the values that parameter number param points to: then
     * the kernel is to be timed on data that is like the real one. */
    bool (*data_steers)(const struct hone_device *dev, const struct hone_module *module,
                        size_t param);

    /* Device memory, 256-byte aligned. ELIMIT when there is no room. */
    enum hone_status (*alloc)(struct hone_device *dev, size_t bytes, hone_devptr *out,
                              struct hone_error *err);
    void (*free)(struct hone_device *dev, hone_devptr ptr);
    enum hone_status (*copy)(struct hone_device *dev, enum hone_copy direction,
                             hone_devptr ptr, void *host, size_t bytes,
                             struct hone_error *err);
    enum hone_status (*fill)(struct hone_device *dev, hone_devptr ptr, uint8_t byte,
                             size_t bytes, struct hone_error *err);

    /* Optional. Encode the map of a tensor at base into HONE_MAP_BYTES, aligned to
     * HONE_MAP_ALIGNMENT. EUNSUPPORTED where the GPU knows none. */
    enum hone_status (*encode_tensor_map)(struct hone_device *dev,
                                          const struct hone_tensor_map *map,
                                          hone_devptr base, void *out,
                                          struct hone_error *err);

    /* Run once to the end and report what went wrong. */
    enum hone_status (*launch)(struct hone_device *dev, struct hone_module *module,
                               const struct hone_launch *launch, struct hone_fault *fault,
                               struct hone_error *err);

    /* Time (or predict) a launch that has been verified. */
    enum hone_status (*time)(struct hone_device *dev, struct hone_module *module,
                             const struct hone_launch *launch,
                             const struct hone_time_policy *policy,
                             struct hone_timing *out, struct hone_fault *fault,
                             struct hone_error *err);

    /* Optional. Read the counters of a launch that has been verified, which runs as often
     * as that takes: out has room for HONE_COUNTED_MAX + 1, and ends with one without a
     * name. LAUNCH_FAILED, with the way out, where the GPU does not let it. */
    enum hone_status (*count)(struct hone_device *dev, struct hone_module *module,
                              const struct hone_launch *launch,
                              const struct hone_count_policy *policy,
                              struct hone_counted *out, struct hone_fault *fault,
                              struct hone_error *err);

    /* Optional. Set that much of L2 aside for lines that kernels keep; none when the
     * device is opened. EUNSUPPORTED where the GPU has less for it. */
    enum hone_status (*set_aside)(struct hone_device *dev, uint64_t bytes,
                                  struct hone_error *err);

    /* Optional. Compare the clock with another one on a short and on a longer kernel;
     * what disagrees is added to dev->clock_note and logged. For who is going to time. */
    void (*check_clock)(struct hone_device *dev);
};

struct hone_device {
    const struct hone_device_fns *fns;
    void *priv;
    struct hone_limits limits; /* read-only after open */
    enum hone_clock clock;     /* what time() uses */
    char clock_note[256];      /* "cupti was refused: ..."; "" where nothing is to tell */
    bool counts_energy;        /* time() can */
    char id[64];               /* "cuda:0", "emu:h200" */
    char uuid[48];             /* "GPU-8f3a...", the same in every process; "" of none */
    int cuda_version;          /* of the driver, 12040 for 12.4; 0 without one */
    char driver[32];           /* "580.95.05, CUDA 13.0", or "emulator 1" */
    /* Optional, set after open; borrowed. Non-zero: stop. An emulated launch or time ends
     * within half a second then, with the status ECANCELLED, and so does a copy or a
     * fill; a launch on a GPU runs on to its end or its deadline. */
    const volatile sig_atomic_t *cancel;
};

/* Open by name: "cuda:0", "emu:h200", "auto" (cuda:0 when a driver and a GPU are there,
 * else emu:h200). EUSAGE for a name of no device, with what exists; ENODEVICE when it is
 * not there. */
enum hone_status hone_device_open(struct hone_device **out, const char *name,
                                  struct hone_error *err);
/* The same with a clock that is wished for; NONE: the best there is. ENODEVICE where it
 * is not there, EUSAGE for a device that has no choice. */
enum hone_status hone_device_open_by(struct hone_device **out, const char *name,
                                     enum hone_clock clock, struct hone_error *err);
void hone_device_close(struct hone_device *dev);

/* Whether name is of an emulated device, as "emu:h200" is; of "auto" that is not known
 * before it is opened: false. */
bool hone_device_is_emulated(const char *name);

/* Limits of a device without opening it for work (emu: from the table; cuda: asks the
 * driver). */
enum hone_status hone_device_limits(struct hone_limits *out, const char *name,
                                    struct hone_error *err);

/* What is there: calls each once per device (all emulated GPUs too), with why a kind is
 * missing. */
struct hone_device_listing {
    const char *id;
    const char *description;
    bool available;
    const char *why_not;              /* "libcuda.so.1 not found"; "" when available */
    const struct hone_limits *limits; /* NULL when not available */
};
typedef void hone_device_visit(void *context, const struct hone_device_listing *listing);
void hone_device_list(hone_device_visit *visit, void *context);

#endif
