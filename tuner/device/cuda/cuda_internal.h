/* What the files of the cuda device share: its private state and the steps they build on.
 * */
#ifndef HONE_DEVICE_CUDA_INTERNAL_H
#define HONE_DEVICE_CUDA_INTERNAL_H

#include "cuda_driver.h"
#include "hone/device.h"
#include "nvml.h"
#include "own_kernels.h"

enum { HONE_CUDA_BATCH = 32 }; /* timed launches that may be queued at once */

struct hone_cuda {
    const struct hone_cuda_driver *driver;
    CUdevice device;
    CUcontext context; /* the primary context; NULL until open has it */
    CUstream stream;   /* every launch; blocking, so it is ordered with the copies */
    CUevent events[2 * HONE_CUDA_BATCH]; /* around each launch of a batch */
    CUdeviceptr flush;  /* two buffers in a row that empty L2; 0 until the first */
    size_t flush_bytes; /* of each */
    CUdeviceptr copies; /* of buffers, for the nodes of graphs; 0 until the first */
    size_t copies_bytes;
    struct hone_nvml nvml;     /* reads nothing where NVML is not there */
    struct hone_gpu_held held; /* what its counters said last */
    bool keeps_lines;          /* it refuses to give back what kernels keep in L2 */
    struct hone_own_kernels own;
    double hot_until_s;  /* of hone_clock_seconds; 0 before the first timing */
    bool clocks_differ;  /* for some kernel, which was warned of */
    bool told_of_jit;    /* of cubins that the driver is too old for */
    bool told_of_graphs; /* of one launch each */
    bool lost;           /* after a sticky fault */
    bool hung; /* lost, and its kernel still runs: the driver would wait for ever */
    char lost_reason[HONE_REASON_MAX];
};

struct hone_module {
    CUmodule module;
    CUfunction function;
    uint32_t dynamic_shared_limit; /* opted in to so far */
    uint32_t cluster_limit;        /* likewise, in blocks */
    uint32_t own_cluster[3];       /* as the kernel says itself; 0: it does not */
    bool wants_cluster;            /* even of one block, where the launch says it */
    bool timed;                    /* before: its code is on the GPU */
    bool sustained;                /* timed by launches in a row before */
    char name[256];                /* of the kernel, as CUPTI reports it */
    bool keeps;                    /* it may leave lines in L2 that outlive a flush */
};

/* Make the context current in this thread; EDEVICE when the device is lost. */
enum hone_status hone_cuda_enter(struct hone_device *dev, struct hone_error *err);

/* A call that has nothing to do with a configuration failed: EDEVICE, and lost when
 * sticky. */
enum hone_status hone_cuda_broken(struct hone_device *dev, const char *call,
                                  CUresult result, struct hone_error *err);

/* What cuLaunchKernelEx and nodes of graphs are told of a launch; none of a plain one. */
struct hone_cuda_attributes {
    CUlaunchAttribute list[3];
    unsigned count;
};
struct hone_cuda_attributes hone_cuda_attributes_of(const struct hone_module *module,
                                                    const struct hone_launch *launch);

/* Queue one launch, opting in to what it needs. */
CUresult hone_cuda_submit(struct hone_cuda *cuda, struct hone_module *module,
                          const struct hone_launch *launch);

/* The device's launch. REJECTED where the GPU has no room for one of its clusters, which
 * it or the kernel says. */
enum hone_status hone_cuda_launch(struct hone_device *dev, struct hone_module *module,
                                  const struct hone_launch *launch,
                                  struct hone_fault *fault, struct hone_error *err);

/* Wait for the stream; CUDA_ERROR_NOT_READY when deadline_s passes first. */
CUresult hone_cuda_wait(struct hone_cuda *cuda, double deadline_s);

/* The same for all before an event; NULL: the stream. */
CUresult hone_cuda_wait_for(struct hone_cuda *cuda, CUevent event, double deadline_s);

/* Wait for what was queued, with queued as the result of that: where both fail, what the
 * wait finds counts, since a lost device outweighs a refused launch. A queued NOT_READY
 * has waited too long already. */
CUresult hone_cuda_finish(struct hone_cuda *cuda, CUresult queued, double deadline_s);

/* Microseconds between two of the device's events, by their numbers. */
CUresult hone_cuda_elapsed(struct hone_cuda *cuda, size_t from, size_t to, double *us);

/* Turn a failed submit or wait into a fault; a sticky one makes the device lost. The
 * launch tells the deadline that has passed; NULL where nothing was waited for. */
void hone_cuda_set_fault(struct hone_cuda *cuda, struct hone_fault *fault,
                         CUresult result, const struct hone_launch *launch);

/* launch->deadline_s, or the default. */
double hone_cuda_deadline(const struct hone_launch *launch);

/* Seconds for count launches of each_us in a row, one of which may hang: the deadline of
 * one, and ten times what all take. */
double hone_cuda_row_deadline(const struct hone_launch *launch, size_t count,
                              double each_us);

/* Opt in to the dynamic shared memory of a launch, and to clusters of more blocks than
 * every GPU takes. */
CUresult hone_cuda_opt_in(struct hone_cuda *cuda, struct hone_module *module,
                          const struct hone_launch *launch);

/* Decide which clock times on this device: what dev->clock or $HONE_CLOCK insists on
 * (ENODEVICE when that one is not there), else CUPTI where it works, else events, with
 * the reason in the log and in dev->clock_note. */
enum hone_status hone_cuda_choose_clock(struct hone_device *dev, struct hone_error *err);

/* hone_device_fns.check_clock. */
void hone_cuda_check_clock(struct hone_device *dev);

/* hone_device_fns.time. */
enum hone_status hone_cuda_time(struct hone_device *dev, struct hone_module *module,
                                const struct hone_launch *launch,
                                const struct hone_time_policy *policy,
                                struct hone_timing *out, struct hone_fault *fault,
                                struct hone_error *err);

/* hone_device_fns.count. */
enum hone_status
hone_cuda_read_counters(struct hone_device *dev, struct hone_module *module,
                        const struct hone_launch *launch,
                        const struct hone_count_policy *policy, struct hone_counted *out,
                        struct hone_fault *fault, struct hone_error *err);

/* hone_device_fns.load, also used to load the clock's probe kernel. */
enum hone_status hone_cuda_load(struct hone_device *dev, const struct hone_build *build,
                                const char *entry, struct hone_module **out,
                                struct hone_fault *fault, struct hone_error *err);
void hone_cuda_unload(struct hone_device *dev, struct hone_module *module);

#endif
