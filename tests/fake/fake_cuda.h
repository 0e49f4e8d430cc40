/* The test side of the fake libcuda: functions that a test gets from its
 * cuGetProcAddress_v2 under the names of the types below, besides the driver's own. The
 * fake runs on host memory and on a clock of its own, so every figure repeats. */
#ifndef FAKE_CUDA_H
#define FAKE_CUDA_H

#include <stddef.h>
#include <stdint.h>

/* Behave like this from now on, as if freshly loaded. The text has the form of
 * $HONE_FAKE_CUDA, which is read when the fake is loaded: KEY=VALUE, separated by commas.
 *
 *   devices=1        number of GPUs; 0: cuInit says NO_DEVICE
 *   alike=0          1: all of them have the name of the first
 *   init=0           what cuInit returns
 *   stub=0           1: every call returns STUB_LIBRARY, as the toolkit's stub does
 *   cc=90            compute capability
 *   memory=16e9      bytes of device memory; more is OUT_OF_MEMORY
 *   driver=13000     the CUDA version of the driver: cubins of the fake NVRTC that are of a
 *                    later major version do not load, nor does PTX of a later ISA
 *   too_new=200      how it refuses such a cubin
 *   clusters=N       of which the GPU has room, for cuOccupancyMaxActiveClusters; without
 *                    it, as many as shared memory allows
 *   static_shared=0  bytes of static shared memory that every kernel reports
 *   fault=CODE@N     launch N (from 1) fails: 1, 701, 720 and 912 at once and harmlessly,
 *                    others when it is waited for, and then every call returns CODE
 *   hang=N           launch N never ends,
 *   hang_s=S         or S seconds after that was first asked
 *   queue=1024       launches that the driver queues: behind one that never ends a further
 *                    one would not return
 *   dither=R         while the cap holds the clock down, it is lower by this relative
 *                    amount in half of all 60 ms, at random
 *   kernel_us=T      every launch takes T; without it, time follows from grid and block
 *   write_back_us=15 what a launch pays for an L2 full of lines that were written to and
 *                    that it evicts; less where fewer of them are dirty
 *   kept_us=T        what a launch takes that finds the lines it kept: those of an image
 *                    with "evict_last" outlive all but cuCtxResetPersistingL2Cache, which
 *                    does nothing about launches that were not waited for
 *   forget=0         what cuCtxResetPersistingL2Cache returns
 *   set=0            what cuMemsetD8Async returns
 *   set_aside=N      bytes of L2 for such lines, until cuCtxSetLimit says otherwise
 *   cold_us=0        what a launch takes longer after L2 was filled, as its instructions are
 *                    not there either
 *   jit=1            0: the driver has no JIT library, so PTX does not load; what has
 *                    ".newest" loads as that of PTX ISA 9.0 only
 *   overhead_us=1.5  what a pair of events adds to a launch
 *   gap_us=1         between two nodes of a graph
 *   traced_us=1      what a launch costs more while the fake CUPTI records it
 *   noise=R          durations spread by this relative amount, the same way in every run
 *   watts=350        drawn by a kernel, and 100 while none runs
 *   hot=W            more by a kernel of one block, half of that of two, and so on
 *   cap=W            what it may draw: the clock falls until a kernel does, by a third of
 *   fall_ms=300    what is left in this time, and comes back while none runs
 *   energy=1         0: the fake NVML counts no energy
 *   drift=R          durations swing by this relative amount, as a sine of the
 *   drift_launches=N launches so far, of which N are a period
 *   slow=N           the first N launches take twice as long, held down by heat
 *   counters=1       the fake NVML counts for how long, in steps of 100 ms; its current
 *                    reason is that the GPU idles, which it does whenever it is asked
 *                    0: it has no counters and tells of a hardware slowdown
 *                    2: it has them, and tells of a slowdown that there is none of
 *   nvml_us=0        what each of its calls takes, in which the GPU idles
 *   profiler=0       1: offers cuGetExportTable, so that CUPTI may be tried
 *   drop=K           every K-th launch leaves no record for the fake CUPTI
 *   zero=K           every K-th record has no timestamps
 *   late=N           the fake CUPTI knows timestamps from the N-th flush on that is not
 *                    forced; by force it gives records without
 *   held=N           the fake CUPTI holds back the last N records, of a buffer that is not
 *                    full, until a flush is forced
 *   thread=0         1: the fake CUPTI hands out records on a thread of its own, after a
 *                    flush has returned
 *   skew_us=T        so much later than cuptiGetTimestamp says are the times of records
 *   settle=K         the first K launches of each module take twice as long
 *   cupti=CODE       what cuptiActivityEnable returns
 *   count_code=CODE  what the fake CUPTI's profiler returns
 *   count_call=N     of its N-th call, where cuptiProfilerInitialize is the first
 *   count_passes=N   launches that it takes, whatever was planned
 *   count_nan=K      every K-th counter has no value
 *   count_dropped=N  ranges that it dropped
 *   count_dies=N     the process ends in pass N
 *   count_vgpu=1     a virtual GPU, which does not allow it
 *   count_taken=1    somebody else has DRAM's counters
 *   others=N         processes on the GPU besides this one, for the fake NVML
 *
 * 0 when the text is understood. */
typedef int fake_cuda_configure(const char *text);

/* Change these keys and keep all else, as if the machine did so on its own. */
typedef int fake_cuda_adjust(const char *text);

/* Objects that were made and that nobody destroyed, also those that went with their
 * context. */
typedef size_t fake_cuda_live(void);

/* The number of kernel launches since the last configure, without those that only raise
 * the clocks or fill buffers: faults are counted by it. */
typedef size_t fake_cuda_launches(void);

/* Bytes that were copied from the host since the last configure. */
typedef size_t fake_cuda_copied(void);

/* Run body for each launch of the kernel called name (static text); NULL: do nothing
 * again. */
struct fake_cuda_launch {
    uint32_t grid[3];
    uint32_t block[3];
    uint32_t shared_bytes;
    void **params;
    uint32_t cluster[3]; /* 0, 0, 0: the launch did not say */
    int cooperative, dependent;
};
typedef void fake_cuda_body(const struct fake_cuda_launch *launch);
typedef void fake_cuda_register(const char *name, fake_cuda_body *body);

/* Call record after each launch, with times in ns, until it is NULL; for the fake CUPTI.
 * Returns the configured cupti=. */
typedef void fake_cuda_record(const char *kernel, const struct fake_cuda_launch *launch,
                              uint64_t start, uint64_t end);
typedef int fake_cuda_on_kernel(fake_cuda_record *record);

/* What cuptiGetTimestamp says, in ns. */
typedef uint64_t fake_cuda_now(void);

/* Is the GPU slowed down right now? For the fake NVML. */
typedef int fake_cuda_is_slow(void);

/* Nanoseconds that heat has held the clock down so far, told anew every 100 ms of the
 * fake's clock. For the fake NVML. */
typedef uint64_t fake_cuda_held(void);

/* A call of the fake NVML begins; how many there were since the last configure. */
typedef size_t fake_cuda_nvml_call(void);

/* Millijoules used so far, told anew every 100 ms of the fake's clock; -1 where it does
 * not count. For the fake NVML. */
typedef double fake_cuda_energy(void);

/* The value of a key that is a whole number; -1 for any other key. */
typedef long fake_cuda_whole(const char *key);

/* Ends the process, saying so, when call would wait for a kernel that never ends. */
typedef void fake_cuda_must_not_hang(const char *call);

#endif
