/* What the files of the fake libcuda share: one state, and a table of functions from each
 * file. */
#ifndef FAKE_STATE_H
#define FAKE_STATE_H

#include <cuda.h>
#include <stdbool.h>

#include "fake_cuda.h"

enum {
    FAKE_BODIES = 16,
    FAKE_IDLE_WATTS = 100,
    FAKE_SHARED_DEFAULT = 48 * 1024,
    FAKE_SHARED_OPT_IN = 232448,
    FAKE_L2_BYTES = 60 << 20
};

struct fake_memory {
    struct fake_memory *next;
    unsigned char *data;
    size_t size;
};

struct CUfunc_st {
    struct CUfunc_st *next; /* of the same module */
    char name[256];
    CUmodule module;
    const char *image; /* of its module */
    int dynamic_limit;
    bool large_clusters; /* of more than 8 blocks are allowed */
};

struct fake_state {
    /* configuration, see fake_cuda.h */
    long devices, init, stub, cc, fault, fault_at, hang_at, static_shared, profiler, drop,
        zero, cupti, slow, alike, energy, late, others, jit, set_aside, held, settle,
        counters, queue, forget, count_code, count_call, count_passes, count_nan,
        count_dropped, count_dies, count_vgpu, count_taken, set, thread, driver, too_new,
        clusters;
    double memory, kernel_us, overhead_us, noise, gap_us, traced_us, watts, hot, drift,
        drift_launches, write_back_us, cold_us, kept_us, skew_us, nvml_us, cap, fall_ms,
        dither, hang_s;
    /* what has happened */
    double now_us;
    double used_j;                 /* by kernels, beyond what is drawn anyway */
    double counted_mj, counted_us; /* what the counter says, and when it last moved */
    double slowdown;               /* of a kernel, by the clock: 0 at its highest */
    size_t launches, used;
    size_t nvml_calls;
    double slowed_us;           /* so long did kernels run while held down */
    double held_us, held_at_us; /* what the counter says, and when it last moved */
    size_t copied;              /* bytes, from the host */
    double dirty;               /* bytes of L2 that were written to */
    bool cold;                  /* L2 was filled since the last launch */
    size_t contexts;            /* retained */
    size_t forgotten; /* objects that were still there when their context ended */
    CUresult pending; /* found by the next wait */
    CUresult broken;  /* returned by everything */
    long hung;        /* a launch runs on and on */
    double hung_s;    /* since when that is known; 0: not yet */
    size_t finished;  /* of the launches, as far as the host knows */
    struct fake_memory *blocks;
    CUmodule launched; /* whose kernel runs */
    CUmodule kept;     /* whose lines L2 keeps */
    bool kept_waited;  /* for the launch that left them */
    struct fake_object *objects;
    fake_cuda_record *record;
    struct {
        const char *name;
        fake_cuda_body *body;
    } bodies[FAKE_BODIES];
};
extern struct fake_state fake_state;

/* Zeroed memory for an object that a caller of the driver has to destroy. */
void *fake_new(size_t size);
void fake_delete(void *object);

/* The context ends, and all that was made in it. */
void fake_end_context(void);

/* What a kernel of this project computes, by name; NULL for any other. */
fake_cuda_body *fake_kernel(const char *name);

/* A letter for each parameter of such a kernel: 'p' of 8 bytes, 'i' of 4. NULL where they
 * are not known. */
const char *fake_kernel_params(const char *name);

CUresult fake_memory_alloc(CUdeviceptr *out, size_t bytes);
CUresult fake_memory_free(CUdeviceptr ptr);

/* So many bytes were written, or read, through L2. */
void fake_l2_write(double bytes);
void fake_l2_read(double bytes);

/* For a kernel: the variable of its module, by name; NULL when it has none. */
void *fake_variable(const char *name);

/* How long a kernel takes that draws so many watts, at the clock as it is: boost_us at
 * the highest. The clock changes while it runs, and while nothing does. */
double fake_clock_run(double boost_us, double watts);
void fake_clock_rest(double us);

/* Launch now, as cuLaunchKernel does. */
CUresult fake_launch(CUfunction function, const struct fake_cuda_launch *launch);

/* A real driver would wait here for ever: end the process with a message. */
void fake_must_not_hang(const char *call);

typedef void fake_function(void);
struct fake_entry {
    const char *name;
    fake_function *function;
};
extern const struct fake_entry
    fake_device_functions[]; /* ends with a NULL name, as the others */
extern const struct fake_entry fake_memory_functions[];
extern const struct fake_entry fake_launch_functions[];
extern const struct fake_entry fake_graph_functions[];
extern const struct fake_entry fake_kind_functions[];

/* Adds what an attribute says to a launch; what is none is INVALID_VALUE. */
CUresult fake_attribute(struct fake_cuda_launch *launch, CUlaunchAttributeID id,
                        const CUlaunchAttributeValue *value);

/* What the driver refuses of a launch that is not plain. */
CUresult fake_refuse_kind(const struct CUfunc_st *function,
                          const struct fake_cuda_launch *launch);

/* Blocks of that launch that run at once on a multiprocessor. */
int fake_resident(int threads, size_t dynamic_bytes);

/* A node copies its attributes as it does its parameters. */
struct fake_cuda_launch *fake_node_launch(CUgraphNode node);

#endif
