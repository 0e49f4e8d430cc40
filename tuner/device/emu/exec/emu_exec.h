/* Execution: a launch runs its blocks one after another, a block its warps in turn from
 * barrier to barrier, a warp its splits (lanes that share a place in the code), the
 * lowest place first, which brings diverged lanes together again where their paths meet.
 * Docs: docs/emulator.md. */
#ifndef HONE_DEVICE_EMU_EXEC_H
#define HONE_DEVICE_EMU_EXEC_H

#include <signal.h>
#include <string.h>

#include "async/units.h"
#include "cluster.h"
#include "decode/emu_code.h"
#include "device/emu.h"
#include "hone/device.h"
#include "hone/rng.h"
#include "memory/emu_memory.h"

enum { HONE_EMU_BARRIERS = 16, HONE_EMU_MAX_WARPS = 32 };

/* Warp instructions between two looks at the clock: a few milliseconds at most, also
 * where each is watched. */
enum { HONE_EMU_STRETCH = 4096 };

/* How often a warp may go back in loops before others get a turn. */
enum { HONE_EMU_QUANTUM = 4096 };

enum hone_emu_split_state {
    SPLIT_READY,
    SPLIT_SYNC,     /* at a warp-level operation, for lanes that are not there yet */
    SPLIT_BARRIER,  /* at a barrier of the block */
    SPLIT_POOL,     /* at a setmaxnreg, for registers that others give back */
    SPLIT_PRODUCTS, /* at a wait for wgmma, until its warp group has come as far */
    SPLIT_CLUSTER   /* at that of the cluster */
};

struct hone_emu_split {
    const struct hone_emu_insn *at;
    uint32_t mask;
    enum hone_emu_split_state state;
    uint8_t barrier;
    bool together;   /* what they waited for has come: they run the next one as one */
    uint32_t wanted; /* of SPLIT_SYNC: lanes that they wait for, and themselves */
};

struct hone_emu_warp {
    uint8_t *regs;
    uint32_t mask; /* lanes that run now */
    uint32_t alive;
    uint32_t exists; /* lanes that the block has in this warp */
    bool full;       /* every lane that is alive runs: the others may be written to */
    const struct hone_emu_insn *at;    /* the next instruction */
    const struct hone_emu_insn *limit; /* stop before this one; NULL: stop now */
    struct hone_emu_block *block;
    struct hone_emu_launch *launch;
    uint64_t executed;   /* instructions, by the warp */
    uint32_t index;      /* in the block */
    uint32_t avoid;      /* lanes whose quantum is over: others go first */
    uint32_t loose;      /* woven: loads behind which it may still give way */
    uint32_t back_edges; /* left of the quantum */
    bool polled;         /* it gave its turn away since what it waits for is not there */
    uint32_t polled_at;  /* the mbarrier object, as an offset in shared memory */
    uint32_t arrived, passes; /* lanes at barrier.cluster that have not waited there yet;
                                 those of them that need not wait any more */
    uint32_t split_count;
    uint32_t meetings; /* how often lanes have waited for each other */
    uint32_t rested;   /* of scattered lanes: those whose quantum was over */
    uint32_t ranked;   /* the number of meetings that ranks is for, 0: none */
    uint8_t ranks[HONE_EMU_LANES];
    struct hone_emu_units units;
    struct hone_emu_split splits[HONE_EMU_LANES + 1];
    int32_t lane[HONE_EMU_LANES]
        __attribute__((aligned(64))); /* -1 where mask has a bit */
};

struct hone_emu_barrier {
    uint32_t arrived; /* threads */
    uint32_t wanted;  /* threads; 0: all of the block */
    uint32_t votes;   /* of bar.red: predicates that hold */
    uint32_t site;    /* number of the instruction that came last */
};

struct hone_emu_block {
    struct hone_emu_launch *launch;
    uint32_t id[3];
    struct hone_emu_cluster *cluster; /* that it is in; alone: one of its own */
    uint32_t rank;                    /* in the cluster */
    uint32_t threads, exited;
    uint32_t warp_count;
    uint32_t classes;    /* of a warp's lanes, that run one after another; 0: together */
    bool met;            /* a barrier has opened */
    bool brief;          /* it stops there */
    uint32_t resumes_at; /* the warp of its turn that goes on */
    struct hone_emu_warp *warps;
    uint8_t *shared;
    uint64_t shared_bytes;
    uint8_t *local;              /* of each thread in turn */
    struct hone_emu_range *hits; /* of each instruction: the allocation it last met */
    const struct hone_emu_observer *observer;
    struct hone_emu_barrier barriers[HONE_EMU_BARRIERS];
    struct hone_emu_arrivals arrivals; /* and objects to arrive at */
    struct hone_emu_register_pool registers;
    struct hone_emu_bulks bulks; /* in flight */
    struct hone_rng random;      /* draws when asynchronous work is made */
    uint64_t events; /* what those that poll may wait for: arrivals, barriers, exits */
};

/* Do warps of the kernel hear of each other by strong loads, or by atomic operations
 * whose result is taken? Then a launch may be woven (exec_weave.h). */
bool hone_emu_is_woven(const struct hone_emu_code *code);

/* May other blocks of a launch tell a warp something by it? Only what is read again and
 * again. */
static inline bool hone_emu_heeds_others(const struct hone_emu_insn *insn)
{
    const bool strong =
        insn->op == EMU_ATOM || (insn->op == EMU_LD && insn->order & ORDER_STRONG);
    return strong && insn->space != PTX_SHARED;
}

enum hone_emu_mbarrier_event {
    HONE_EMU_MBARRIER_BEGINS, /* the object is initialised */
    HONE_EMU_MBARRIER_GOES,   /* and invalidated */
    HONE_EMU_MBARRIER_TOUCHED,
    HONE_EMU_MBARRIER_ARRIVES,
    HONE_EMU_MBARRIER_COPIED, /* the lane's copies so far have landed */
    HONE_EMU_MBARRIER_ENDED,  /* a phase */
    HONE_EMU_MBARRIER_PASSED  /* the lane knows that a phase has ended */
};

/* Bytes that an asynchronous operation touches beside the warps (by the async proxy): of
 * shared memory of a block, from offset at on, or, with block NULL, of device memory. */
struct hone_emu_span {
    const struct hone_emu_block *block;
    uint64_t at;
    uint32_t bytes;
    bool writes; /* it may read them too (a reduction) */
};

/* What happens to asynchronous operations that are no cp.async. A unit tells:
 *
 * ISSUED, before any byte is touched, with number = ++launch->asyncs, the issuing warp
 * and instruction, its lane (a mask of one; for work of a whole warp the first) and all
 * spans. by_group: its end is waited for by groups, else by the mbarrier that LANDED
 * names.
 * LANDED, when the bytes of that number are counted at the mbarrier, before they are: who
 * passes a later wait for the phase knows that it is over.
 * COMMITTED, when lanes of the warp end the group that each has open.
 * WAITED, when lanes of the warp know that all groups but the last in_flight ones are
 * over (only_read: that their sources have been read). Whoever else is to know it learns
 * it from them, by a barrier.
 *
 * These come alike whenever the work itself is made: wgmma's reads of shared memory are
 * ISSUED with the product and over at WAITED, though one order reads at issue. Each warp
 * of a group is told with its own rows of A, the first one to come also with B. WAITED
 * is told of each, with the number of the first of the warp group's groups that are not
 * over, and means all four warps' reads. COMMITTED is not told. */
enum hone_emu_async_event {
    HONE_EMU_ASYNC_ISSUED,
    HONE_EMU_ASYNC_LANDED,
    HONE_EMU_ASYNC_COMMITTED,
    HONE_EMU_ASYNC_WAITED
};
enum hone_emu_async_unit { HONE_EMU_UNIT_BULK, HONE_EMU_UNIT_WGMMA };
struct hone_emu_async {
    enum hone_emu_async_event event;
    enum hone_emu_async_unit unit; /* the groups of each are counted apart */
    const struct hone_emu_warp *warp;
    const struct hone_emu_insn *insn;
    uint32_t lanes;
    uint64_t number;                   /* ISSUED, LANDED */
    const struct hone_emu_span *spans; /* ISSUED */
    size_t count;
    const struct hone_emu_bulk_run *runs; /* ISSUED of a bulk copy: what goes where */
    size_t run_count;
    bool by_group;
    bool again; /* ISSUED: told of a multicast's first block before, but for its target */
    const struct hone_emu_block *block; /* that the mbarrier is in, not of by_group */
    uint32_t mbarrier;
    uint64_t in_flight; /* WAITED */
    uint64_t group;     /* ISSUED, WAITED of wgmma */
    bool only_read;
};

/* What a lane does with a tensor map in device memory: a copy reads it, which is no
 * generic access; it is changed; a fence lets later copies of the block see changes. */
enum hone_emu_map_event {
    HONE_EMU_MAP_USED,
    HONE_EMU_MAP_CHANGED,
    HONE_EMU_MAP_ACQUIRED
};

/* Who watches a launch; NULL when nobody does. */
struct hone_emu_observer {
    void *context;
    /* Before each instruction of a warp. */
    void (*step)(void *context, const struct hone_emu_warp *warp,
                 const struct hone_emu_insn *insn);
    /* Before a memory instruction of the warp touches bytes at each of the addresses,
     * which are in the given space; lanes outside the warp's mask repeat another's
     * address. */
    void (*access)(void *context, const struct hone_emu_warp *warp,
                   const struct hone_emu_insn *insn, enum ptx_space space,
                   const uint64_t *addresses, uint32_t bytes);
    /* When lanes of the warp arrive at barrier id (flag: and wait), and, with warp NULL,
     * before it opens (flag: for all threads of the block). NULL: not of interest. */
    void (*barrier)(void *context, const struct hone_emu_warp *warp, uint32_t id,
                    bool flag);
    /* Before a lane of the warp does something to the mbarrier object at that place, but
     * of PASSED and ENDED after it. NULL: not of interest. */
    void (*mbarrier)(void *context, const struct hone_emu_warp *warp,
                     const struct hone_emu_insn *insn, enum hone_emu_mbarrier_event event,
                     uint32_t lane, const struct hone_emu_place *at);
    /* What happens to asynchronous operations. NULL: not of interest. */
    void (*async)(void *context, const struct hone_emu_async *event);
    bool products; /* and to those that are products of wgmma */
    /* As access, of shared memory of another block of the cluster, at these offsets.
     * NULL: not of interest. */
    void (*peer)(void *context, const struct hone_emu_warp *warp,
                 const struct hone_emu_insn *insn, const struct hone_emu_block *block,
                 const uint64_t *offsets, uint32_t bytes);
    /* When lanes of the warp arrive at barrier.cluster, and when they have passed it;
     * with warp and insn NULL, of each block, before it opens. NULL: not of interest. */
    void (*cluster)(void *context, const struct hone_emu_warp *warp,
                    const struct hone_emu_insn *insn);
    /* Before a lane does that to the map at the address. NULL: not of interest. */
    void (*map)(void *context, const struct hone_emu_warp *warp,
                const struct hone_emu_insn *insn, enum hone_emu_map_event event,
                uint32_t lane, uint64_t address);
};

typedef void hone_emu_touch(void *context, const struct hone_emu_warp *warp,
                            const struct hone_emu_insn *insn, const uint64_t *addresses,
                            uint32_t bytes);

enum { HONE_EMU_GRID_WORKSPACE = 4096 }; /* bytes */

struct hone_emu_launch {
    const struct hone_emu_code *code;
    struct hone_emu_memory *memory;
    uint8_t *params;                  /* the parameter bank; only read */
    const struct ptx_variable *fresh; /* of a module that was not run yet, else NULL */
    uint32_t grid[3], block[3];
    uint32_t cluster[3];   /* blocks of a cluster: 1, 1, 1 where there are none */
    bool explicit_cluster; /* and somebody said so */
    uint32_t shared_bytes; /* dynamic */
    uint32_t registers;    /* of a thread, that setmaxnreg may move; 0: it does nothing */
    enum hone_emu_copy_time copy_time;
    uint64_t seed;           /* of the moments that are drawn */
    uint64_t grid_workspace; /* address of what blocks meet at; 0: there is none */
    uint64_t budget;         /* warp instructions that may still be executed */
    double seconds;          /* that it may take, of its thread's processor time */
    bool ends_early;         /* as in struct hone_launch */
    double deadline;         /* hone_clock_thread_seconds of the thread that runs it */
    double look_at;          /* hone_clock_seconds, before which it cannot be over */
    uint64_t unlooked; /* work since the clock was looked at, as of warp instructions */
    const volatile sig_atomic_t *cancel; /* NULL: nobody can */
    bool expired;     /* a limit of the launch was reached: no block may run any more */
    bool cancelled;   /* and the limit was a cancel */
    bool reversed;    /* warps take their turns from the last to the first */
    bool turned;      /* blocks begin in another order than that of their numbers */
    bool woven;       /* and warps give way between strong accesses, by chance */
    uint32_t classes; /* of blocks that begin: as in struct hone_emu_block */
    bool scattered;   /* lanes of some blocks run apart */
    uint64_t usual;   /* instructions when they do not; 0: not known */
    bool reversed_lanes; /* and their last class goes first */
    /* The running lanes of warp are about to touch bytes of device memory at each of the
     * addresses, of what lies in allocations; NULL: nobody notes it. */
    hone_emu_touch *touch;
    void *touch_context;
    const struct hone_emu_far *again; /* its blocks are watched; NULL: a sample is */
    bool watches_all;                 /* all blocks are */
    bool skips_products; /* of wgmma: their results stay what the registers had */
    uint32_t *loops; /* of each instruction: quanta that ended there; NULL: not counted */
    uint32_t waiting_blocks; /* those that have begun and wait for others */
    uint32_t quantum;        /* as HONE_EMU_QUANTUM; 0: that */
    uint64_t ended_at;       /* executed when a block ended last */
    const struct hone_emu_observer *observer;                   /* of blocks that begin */
    void (*print)(void *context, const char *text, size_t len); /* NULL: to nobody */
    void *print_context;
    size_t printed; /* bytes so far */
    const struct hone_launch
        *asked; /* waivers and names of buffers; NULL: there are none */
    struct hone_fault *fault;
    bool faulted;
    uint64_t executed;
    uint64_t asyncs; /* asynchronous operations so far that an observer was told of */
};

/* The executor is compiled twice: for any machine, and for x86-64-v3. */
struct hone_emu_isa {
    const char *name;
    hone_emu_handler *const (*handlers)[PTX_TYPE_COUNT];
    /* Run the warp until it reaches its limit, parks, has used up its quantum, or has
     * executed HONE_EMU_STRETCH instructions: then it may simply go on. */
    void (*run)(struct hone_emu_warp *warp);
    void (*run_observed)(struct hone_emu_warp *warp); /* telling the launch's observer */
};
extern const struct hone_emu_isa hone_emu_isa_base;
#ifdef HONE_EMU_HAVE_V3
extern const struct hone_emu_isa hone_emu_isa_v3;
#endif
/* The best that this machine can run. */
const struct hone_emu_isa *hone_emu_isa_best(void);
/* NULL when this machine cannot run it. */
const struct hone_emu_isa *hone_emu_isa_find(const char *name);

/* Memory that blocks of one launch use in turn. */
struct hone_emu_workspace;
enum hone_status hone_emu_workspace_new(struct hone_emu_workspace **out,
                                        struct hone_emu_launch *launch,
                                        struct hone_error *err);
void hone_emu_workspace_free(struct hone_emu_workspace *workspace);

/* Bytes of a workspace. */
size_t hone_emu_workspace_bytes(const struct hone_emu_launch *launch);

/* Blocks begin in the workspaces side by side from now on, as the cluster: it stays with
 * the caller. Before, each is alone. */
void hone_emu_cluster_join(struct hone_emu_cluster *cluster,
                           struct hone_emu_workspace *const *workspaces, uint32_t size);
/* The workspace's block is alone again. */
void hone_emu_cluster_leave(struct hone_emu_workspace *workspace);
static inline uint32_t hone_emu_cluster_size(const struct hone_emu_launch *launch)
{
    return launch->cluster[0] * launch->cluster[1] * launch->cluster[2];
}
/* The block of that rank in the cluster that block id is of goes into out, which may be
 * id. */
void hone_emu_find_member(uint32_t out[3], const struct hone_emu_launch *launch,
                          const uint32_t id[3], uint32_t rank);
/* The same in cluster number n, or block number n where there are none, of the grid. */
void hone_emu_find_block(uint32_t out[3], const struct hone_emu_launch *launch,
                         uint64_t n, uint32_t rank);

/* Begin block id in the workspace, with the launch's observer, and run it until it is
 * done or its warps have spent their quanta patience times: it may wait for another
 * block. Without any patience it runs until a barrier opens, for one turn at most. What
 * goes wrong is in launch->fault, and launch->faulted. */
enum hone_emu_progress { HONE_EMU_DONE, HONE_EMU_WAITS };
void hone_emu_block_begin(struct hone_emu_workspace *workspace, const uint32_t id[3]);
enum hone_emu_progress hone_emu_block_run(struct hone_emu_workspace *workspace,
                                          const struct hone_emu_isa *isa,
                                          uint32_t patience);
/* The same of all blocks of a cluster that have begun, whose turns alternate. */
enum hone_emu_progress hone_emu_cluster_run(struct hone_emu_cluster *cluster,
                                            const struct hone_emu_isa *isa,
                                            uint32_t patience);

/* Run a block that has begun, or block id, to its end; it must not wait for others. */
void hone_emu_finish_block(struct hone_emu_workspace *workspace,
                           const struct hone_emu_isa *isa);
void hone_emu_run_block(struct hone_emu_workspace *workspace, const uint32_t id[3],
                        const struct hone_emu_isa *isa);

/* Make the next split of the warp the running one; false when none can run. */
bool hone_emu_warp_next(struct hone_emu_warp *warp);
/* The same where lanes are scattered: some of a split, taken out of the list. */
bool hone_emu_scatter(struct hone_emu_warp *warp, struct hone_emu_split *out);
/* List the running lanes again, wherever they stopped. */
void hone_emu_warp_stop(struct hone_emu_warp *warp);

/* ---- for the handlers ---- */

/* Lane lane of the register at offset, which has 64 bits (wide) or 32. */
static inline uint64_t hone_emu_read_lane(const struct hone_emu_warp *warp,
                                          uint32_t offset, int lane, bool wide)
{
    uint64_t value = 0;
    memcpy(&value, warp->regs + offset + (size_t)lane * (wide ? 8 : 4), wide ? 8 : 4);
    return value;
}
static inline void hone_emu_write_lane(struct hone_emu_warp *warp, uint32_t offset,
                                       int lane, bool wide, uint64_t value)
{
    memcpy(warp->regs + offset + (size_t)lane * (wide ? 8 : 4), &value, wide ? 8 : 4);
}

/* Record a fault of the running launch (the first counts: else false) and stop the warp.
 * The place (block, thread of lane, line of the source and of the PTX) is added to the
 * text. */
bool hone_emu_fault(struct hone_emu_warp *warp, const struct hone_emu_insn *insn,
                    int lane, enum hone_outcome outcome, enum hone_finding finding,
                    const char *format, ...) __attribute__((format(printf, 6, 7)));
/* What it would record. */
struct hone_fault hone_emu_describe(const struct hone_emu_warp *warp,
                                    const struct hone_emu_insn *insn, int lane,
                                    enum hone_outcome outcome, enum hone_finding finding,
                                    const char *format, ...)
    __attribute__((format(printf, 6, 7)));

/* Coordinates in the block. */
void hone_emu_thread(const struct hone_emu_warp *warp, int lane, uint32_t out[3]);
/* No lane of the cluster can go on: a fault with the state of every warp. */
void hone_emu_report_deadlock(struct hone_emu_cluster *cluster);
/* Words for the mbarrier objects that warps of the block wait for; and whether one of
 * them has got other bytes than it expects, and nothing else will come, or has ended a
 * phase that nobody has waited for. */
void hone_emu_describe_objects(const struct hone_emu_block *block, char *out,
                               size_t size);
bool hone_emu_has_bytes_amiss(const struct hone_emu_block *block);
bool hone_emu_has_missed_phase(const struct hone_emu_block *block);
/* The warp has spent its quantum: the loop where it did is one more time as hot. */
void hone_emu_note_loop(struct hone_emu_warp *warp);
/* Look at the launch's limits (clock, instructions, cancel): false, with a fault, when
 * one is reached. */
bool hone_emu_look(struct hone_emu_warp *warp);
/* Work that is no instruction, by what it takes as long as: looks when it is time. */
bool hone_emu_spend(struct hone_emu_warp *warp, uint64_t instructions);

void hone_emu_set_mask(struct hone_emu_warp *warp, uint32_t mask);
/* Split off lanes that go on at another place. */
void hone_emu_split_off(struct hone_emu_warp *warp, const struct hone_emu_insn *at,
                        uint32_t mask);
void hone_emu_exit(struct hone_emu_warp *warp, uint32_t mask);
/* The running lanes stop here and are listed with their state; wanted: whom they wait
 * for. They run insn again when they are ready. */
void hone_emu_park(struct hone_emu_warp *warp, const struct hone_emu_insn *insn,
                   enum hone_emu_split_state state, uint8_t barrier, uint32_t wanted);
/* True when every lane of wanted that is alive is here; else the running lanes wait at
 * insn. */
bool hone_emu_gather(struct hone_emu_warp *warp, const struct hone_emu_insn *insn,
                     uint32_t wanted);
/* As hone_emu_gather where each lane has its own names of lanes: those with other names
 * than the first one are listed to come to insn again. */
bool hone_emu_gather_named(struct hone_emu_warp *warp, const struct hone_emu_insn *insn,
                           const uint32_t *names);
/* Lanes of mask that have the same names as its first one. */
static inline uint32_t hone_emu_named_alike(const uint32_t *names, uint32_t mask)
{
    uint32_t first = names[__builtin_ctz(mask)], alike = 0;
    for (int l = 0; l < HONE_EMU_LANES; l++)
        alike |= (uint32_t)(names[l] == first) << l;
    return alike & mask;
}
/* The running lanes arrive at a barrier; wait: and stay until it opens. */
void hone_emu_arrive(struct hone_emu_warp *warp, const struct hone_emu_insn *insn,
                     bool wait);

/* The name of the launch's argument that the address is of; NULL where it is of none, or
 * of one without a name. */
const char *hone_emu_buffer_at(const struct hone_emu_launch *launch, uint64_t address);
/* Tell the fault that name. */
void hone_emu_name_buffer(struct hone_fault *fault, const struct hone_emu_launch *launch,
                          uint64_t address);

/* An address of device memory in words: "byte 8 of y", "byte 8 of a buffer of 64 bytes";
 * "0x10" where no memory is. */
enum { HONE_EMU_DEVICE_TEXT = 96 };
void hone_emu_print_device(char out[HONE_EMU_DEVICE_TEXT],
                           const struct hone_emu_launch *launch, uint64_t address);

/* The slow path of a memory access: which lane is wrong, and why; the same of one lane.
 * Returns false after a fault; true when every lane is fine though not all in one
 * allocation. */
bool hone_emu_explain_lane(struct hone_emu_warp *warp, const struct hone_emu_insn *insn,
                           int lane, enum ptx_space in, uint64_t at, uint32_t bytes);
bool hone_emu_explain_access(struct hone_emu_warp *warp, const struct hone_emu_insn *insn,
                             enum ptx_space space, const uint64_t *addresses,
                             uint32_t bytes);

/* The lane that lane l takes its value from, as the loop in the PTX manual has it
 * (section shfl.sync). */
static inline int hone_emu_shuffle_source(enum emu_mode mode, int l, uint32_t b,
                                          uint32_t c, bool *valid)
{
    int by = (int)(b & 31), segment = (int)(c >> 8 & 31), clamp = (int)(c & 31);
    int most = (l & segment) | (clamp & ~segment), least = l & segment;
    int source = mode == MODE_UP     ? l - by
                 : mode == MODE_DOWN ? l + by
                 : mode == MODE_BFLY ? l ^ by
                                     : least | (by & ~segment);
    *valid = mode == MODE_UP ? source >= most : source <= most;
    return *valid ? source : l;
}

/* One atomic step on the value at p; returns what was there. */
uint64_t hone_emu_atomic(const struct hone_emu_insn *insn, enum ptx_space space,
                         uint8_t *p, uint64_t b, uint64_t c);
/* setmaxnreg. */
void hone_emu_set_registers(struct hone_emu_warp *warp, const struct hone_emu_insn *insn);
/* The last lanes of the warp are about to exit: no setmaxnreg may wait for it. */
void hone_emu_leave_group(struct hone_emu_warp *warp, const struct hone_emu_insn *insn);
/* One conversion, of bits of type2 to bits of type. */
uint64_t hone_emu_convert(const struct hone_emu_insn *insn, uint64_t bits);
/* The running lanes call vprintf, or fail an assertion. */
void hone_emu_print(struct hone_emu_warp *warp, const struct hone_emu_insn *insn);
void hone_emu_assert(struct hone_emu_warp *warp, const struct hone_emu_insn *insn);
/* Writes the special registers of a warp; only_block: those that blocks differ in. */
void hone_emu_write_specials(struct hone_emu_warp *warp, bool only_block);
uint64_t hone_emu_clock(const struct hone_emu_warp *warp, enum emu_special which);

#endif
