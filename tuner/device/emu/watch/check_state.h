/* What a checker knows of a block, between its parts: check.c (registers, order),
 * check_barrier.c (barriers), check_use.c (where undefined bits go), check_cross.c
 * (across lanes), check_memory.c (bytes), check_arrays.c (whose they are), check_races.c
 * (races), check_copies.c (asynchronous copies), check_exit.c (ends of blocks),
 * check_dependent.c (what the launch before may use), check_guess.c (loads beside atomic
 * operations), check_scratch.c (workspaces), check_variables.c (those of the module),
 * check_mbarrier.c (mbarrier objects), check_wgmma.c (products of warp groups),
 * check_phase.c (which phases are waited for), check_proxy.c (asynchronous operations),
 * check_device_reads.c (those that read device memory), check_sent.c (into other blocks),
 * check_swaps.c (compare and swap), check_tensor.c (maps), check_words.c (texts). */
#ifndef HONE_DEVICE_CHECK_STATE_H
#define HONE_DEVICE_CHECK_STATE_H

#include <string.h>

#include "check.h"
#include "check_barrier.h"
#include "check_dependent.h"
#include "check_phase.h"
#include "check_proxy.h"
#include "check_tensor.h"
#include "check_visit.h"
#include "check_words.h"
#include "exchange.h"
#include "hone/geometry.h"
#include "judge.h"
#include "proxy.h"
#include "race.h"
#include "undefined.h"

/* What is known of a byte of memory: some of its bits are undefined, with the origin
 * above; a GPU computes another value; a copy to it has not been waited for. */
enum {
    BYTE_UNWRITTEN = 1,
    BYTE_APPROXIMATE = 2,
    BYTE_PENDING = 4,
    BYTE_ORIGIN_SHIFT = 3
};

/* How an instruction is looked at. */
enum hone_emu_kind {
    KIND_PLAIN,
    KIND_APPROXIMATE, /* as plain, and the result is approximate */
    KIND_SELECT,
    KIND_CROSS,  /* takes values of other lanes */
    KIND_MATRIX, /* moves matrices to and from shared memory */
    KIND_MEMORY,
    KIND_BRANCH,
    KIND_BARRIER,
    KIND_WARP_BARRIER,
    KIND_FENCE,
    KIND_PROXY_FENCE,
    KIND_INIT_FENCE, /* of objects that the thread has initialised */
    KIND_GRID_WAIT,
    KIND_COMMIT,
    KIND_WAIT,
    KIND_MBARRIER, /* of an object in memory */
    KIND_PRODUCT,  /* wgmma */
    KIND_EXIT
};

/* A workspace: flags of its bytes, as of shared memory. */
struct hone_emu_scratch {
    uint64_t base, bytes;
    uint8_t *flags; /* NULL: no bits are undefined */
};

/* The last change of a tensor map in device memory. */
struct hone_emu_map_change {
    uint64_t address, number; /* number: of all changes in the launch, from 1 on */
    uint32_t site, block[3];
};

/* The last one of the map that a block has seen, by a fence; and the accesses to device
 * memory so far. */
struct hone_emu_map_acquire {
    uint64_t address, number;
    uint32_t accesses;
};

struct hone_emu_checks {
    const struct hone_emu_launch *launch;
    struct hone_emu_judge *judge;
    struct hone_emu_global_races *races;
    uint8_t *kinds;                /* of each instruction */
    struct hone_emu_reach reach;   /* of what is loaded */
    struct hone_emu_range *arrays; /* shared memory, then each array of the code's */
    uint32_t shared_granule;
    unsigned reached;
    uint64_t shared_written; /* of dynamic shared memory */
    struct hone_emu_scratch *scratch;
    size_t scratch_count;
    enum hone_status scratch_status; /* of claims for flags */
    struct hone_error scratch_error;
    struct hone_emu_fresh *fresh; /* variables that nothing wrote before the launch */
    size_t fresh_count;
    const char *unset; /* one of them that was read so; NULL: none was */
    struct hone_emu_map_change *changes; /* of tensor maps, by the launch */
    size_t change_count, change_cap;
    uint64_t change_number; /* of the last one */
    struct hone_emu_grid_wait *grid_waits;
    size_t grid_wait_count, grid_wait_cap;
    bool dependent;    /* the launch before may still run */
    bool again;        /* stores that loads of an earlier run race with are known */
    bool follows;      /* all blocks are watched, so flags of workspaces are true */
    bool scratch_used; /* some workspace has flags */
    bool clustered;    /* blocks are in clusters of several */
    bool near;         /* and some instruction is of their scope */
    bool copies;       /* the kernel has cp.async */
    uint32_t checkers; /* made so far */
};

/* A copy that has not been waited for. clock: of its warp when the copy's lane arrived
 * with it at an mbarrier object, in the phase of that number; 0: it did not. */
struct hone_emu_pending {
    uint64_t address;
    uint32_t bytes, group, site;
    uint32_t clock, object, phase;
    uint8_t lane;
    uint8_t origin;     /* of what is undefined of it */
    uint16_t undefined; /* of its bytes, a bit each */
};

/* The copies of a warp, in the order of their issue. */
struct hone_emu_pending_list {
    struct hone_emu_pending *items;
    size_t count, cap;
};

/* What a load gets in place of what memory has, once it was made. */
struct hone_emu_given {
    uint32_t warp, offset, lane;
    uint64_t value;
};

/* A thread's guesses. */
struct hone_emu_looks {
    uint64_t address; /* of the last one */
    uint32_t owner;   /* 1 + the block whose shared memory it is in; 0: of none */
    uint32_t bytes;
    uint32_t count;
    uint32_t unproven; /* since a compare and swap has proven one */
    uint32_t race;     /* of the last one, where it gets no other values; else 0 */
    uint32_t fixed;    /* the races of all that get none, a bit each */
};

struct hone_emu_checker {
    struct hone_emu_observer observer;
    struct hone_emu_checks *checks;
    const struct hone_emu_code *code;
    struct hone_emu_order order;
    struct hone_emu_races races;
    struct hone_emu_exchanges *exchanges; /* NULL: the kernel has none */
    uint32_t warps, block;                /* block: its number among those watched */
    struct hone_emu_shadow shadows[HONE_EMU_MAX_WARPS];
    hone_emu_marks *marks;         /* of all warps' shadows */
    uint8_t *bits, *guess_origins; /* likewise */
    uint32_t *origins;
    struct hone_emu_stored stored;
    bool changed[HONE_EMU_MAX_WARPS]; /* of the shadows */
    uint8_t *shared, *local;          /* of each byte */
    uint64_t shared_bytes, local_bytes;
    struct hone_emu_range hit; /* the allocation that was touched last */
    struct hone_emu_pending_list pending[HONE_EMU_MAX_WARPS];
    uint32_t committed[HONE_EMU_MAX_WARPS][HONE_EMU_LANES]; /* groups */
    uint32_t waited[HONE_EMU_MAX_WARPS]; /* each one's clock when it waited for copies */
    struct hone_emu_given given[HONE_EMU_DST * HONE_EMU_LANES]; /* not yet in registers */
    size_t given_count;
    struct hone_emu_looks looks[HONE_EMU_MAX_WARPS][HONE_EMU_LANES];
    uint32_t looked; /* lanes of which the cluster's races have noted this look */
    struct hone_emu_phases *phases; /* of each object that was initialised */
    size_t phase_count, phase_cap;
    struct hone_emu_barriers barriers;
    bool glimpses;                           /* some were waited for by a relaxed wait */
    uint32_t waits[HONE_EMU_MAX_WARPS];      /* that each warp has passed, or fences */
    uint32_t after_grid[HONE_EMU_MAX_WARPS]; /* lanes that know the launch before has
                                                ended */
    struct hone_emu_map_acquire *acquired;   /* of tensor maps, by the block */
    size_t acquired_count, acquired_cap;
    struct hone_emu_map_uses map_uses;
    struct hone_emu_proxy *proxy; /* NULL: the kernel has only the generic one */
    uint32_t fenced_in_parts; /* warps, a bit each, of which some lanes fenced alone */
    bool due;              /* something is to be done once the instruction was executed */
    uint64_t cluster_base; /* of its shared memory, among addresses of device memory */
    struct hone_emu_gate cluster_gate;   /* what those at barrier.cluster know */
    struct hone_emu_gate cluster_opened; /* the same when it opened last */
    uint32_t begun;                      /* blocks known to be there, by rank */
    uint32_t world_at_begin;
    struct hone_emu_heard
        opening; /* what had been told when barrier.cluster opened last */
    uint32_t arrivals[HONE_EMU_MAX_WARPS][HONE_EMU_LANES]; /* there, of each thread */
    uint32_t passed; /* how often it has opened for some thread */
    struct hone_emu_visit visits[HONE_CLUSTER_MOST][HONE_EMU_VISITS]; /* of each block */
    struct hone_emu_product_checks *products; /* NULL: there is no wgmma */
};

static inline hone_emu_marks *hone_emu_marks_of(const struct hone_emu_checker *checker,
                                                const struct hone_emu_warp *warp)
{
    return checker->shadows[warp->index].marks;
}

static inline struct hone_emu_knower
hone_emu_knower_of(const struct hone_emu_checker *checker, uint32_t warp)
{
    return (struct hone_emu_knower){checker->block, &checker->order.warps[warp]};
}

/* A predicate of all lanes, a bit each. */
static inline uint32_t hone_emu_first_word(const struct hone_emu_warp *warp,
                                           uint32_t offset)
{
    uint32_t word;
    memcpy(&word, warp->regs + offset, sizeof word);
    return word;
}

/* Let it be the launch's fault, unless there is one. */
void hone_emu_report(const struct hone_emu_warp *warp, const struct hone_fault *fault);

/* What the lanes of mask do with the undefined bits of the register at offset that are
 * among those of bits. */
struct hone_emu_use {
    uint32_t offset, mask;
    uint64_t bits;
    const char *what;          /* "is an address" */
    const uint64_t *addresses; /* of each lane, in device memory; NULL: it goes nowhere */
    bool stays;                /* the run can go on, to find out why they are undefined */
    bool travels; /* they go where a launch that watches all blocks sees them */
};
/* A finding, unless there are no such bits or a waiver lets it pass: false then. */
bool hone_emu_find_undefined(const struct hone_emu_checker *checker,
                             const struct hone_emu_warp *warp,
                             const struct hone_emu_insn *insn,
                             const struct hone_emu_use *use);

/* The predicate at offset, undefined in those lanes, decides where they go: the judge
 * says how, and whether that matters is seen when runs are compared. */
void hone_emu_check_choice(struct hone_emu_checker *checker,
                           const struct hone_emu_warp *warp,
                           const struct hone_emu_insn *insn, uint32_t offset,
                           uint32_t lanes);

/* Set the marks of the destinations of an instruction of KIND_CROSS, whose lanes, those
 * of mask, are all here. */
void hone_emu_check_cross(const struct hone_emu_shadow *shadow,
                          const struct hone_emu_warp *warp,
                          const struct hone_emu_insn *insn, uint32_t mask);

/* What is known of wgmma: false when memory is out. */
bool hone_emu_product_checks_init(struct hone_emu_checker *checker);
void hone_emu_product_checks_fini(struct hone_emu_checker *checker);
void hone_emu_product_checks_begin(struct hone_emu_checker *checker);
/* Where there is wgmma: lanes of mask execute another instruction. */
void hone_emu_check_registers(struct hone_emu_checker *checker,
                              const struct hone_emu_warp *warp,
                              const struct hone_emu_insn *insn, uint32_t mask);
/* Products of the warp so far. */
uint32_t hone_emu_products_issued(const struct hone_emu_checker *checker, uint32_t warp);
/* Had a load that the warp made at that clock come to registers, as far as those tell who
 * know of the warp up to that other clock? So it is where the warp came to a wgmma.fence
 * since and waited for a product behind it. It is taken to have where so many waits came
 * later that this one may not be kept. */
bool hone_emu_products_took(const struct hone_emu_checker *checker, uint32_t warp,
                            uint32_t loaded, uint32_t known);
/* The whole warp executes an instruction of wgmma. */
void hone_emu_check_product(struct hone_emu_checker *checker,
                            const struct hone_emu_warp *warp,
                            const struct hone_emu_insn *insn);

/* Variables of the module: false when memory is out. */
bool hone_emu_fresh_init(struct hone_emu_checks *checks);
void hone_emu_fresh_fini(struct hone_emu_checks *checks);
void hone_emu_fresh_note(struct hone_emu_checks *checks,
                         const struct hone_emu_touch *touch);

/* The workspaces of the launch; false when memory runs out. */
bool hone_emu_scratch_init(struct hone_emu_checks *checks);
void hone_emu_scratch_fini(struct hone_emu_checks *checks);
/* The flags of what lies at address; NULL: it is in no workspace that has flags. */
uint8_t *hone_emu_scratch_flags(const struct hone_emu_checks *checks, uint64_t address);
/* For which of the touch's lanes are flags known? */
uint32_t hone_emu_scratch_lanes(const struct hone_emu_checks *checks,
                                const struct hone_emu_touch *touch);
/* Lanes whose undefined bits a store to device memory leaves in a workspace, where they
 * can be followed. */
uint32_t hone_emu_scratch_keeps(struct hone_emu_checker *checker,
                                const struct hone_emu_warp *warp,
                                const struct hone_emu_insn *insn,
                                const uint64_t *addresses);
/* Undefined bits of a workspace, at address, that an atomic operation changes: a finding
 * unless it is waived. */
void hone_emu_scratch_refuse(const struct hone_emu_checker *checker,
                             const struct hone_emu_warp *warp,
                             const struct hone_emu_insn *insn, uint32_t lane,
                             uint64_t address);
/* Bytes that are flagged so are copied to a workspace; false: there is none. */
bool hone_emu_scratch_take(struct hone_emu_checks *checks, uint64_t address,
                           const uint8_t *from, uint32_t bytes);
/* Is the address in a workspace that is too large to be followed? */
bool hone_emu_scratch_is_large(const struct hone_emu_checks *checks, uint64_t address);

/* ---- clusters ---- */

/* Who watches the block, which is in the cluster of a watched one. */
struct hone_emu_checker *hone_emu_checker_of(const struct hone_emu_block *block);
/* Which of the lanes' compare and swap is about to fail. */
uint32_t hone_emu_check_failed_swaps(const struct hone_emu_warp *warp,
                                     const struct hone_emu_insn *insn, uint32_t mask);
/* A strong access that other blocks reach: which of their signals it can have seen, those
 * made where it loads; of shared memory any. */
void hone_emu_check_places(struct hone_emu_checker *checker,
                           const struct hone_emu_warp *warp,
                           const struct hone_emu_insn *insn,
                           const struct hone_emu_touch *touch, bool device_memory);
/* Lanes of the warp tell other blocks of its cluster what they have fenced, by a strong
 * store to shared memory or a relaxed arrival. */
void hone_emu_check_signal_cluster(struct hone_emu_checker *checker,
                                   const struct hone_emu_warp *warp, uint32_t mask);
/* The lanes have heard of signals of other blocks: what their own block had told those of
 * its cluster comes back with them. */
void hone_emu_check_returned(struct hone_emu_checker *checker, uint32_t warp,
                             uint32_t mask);
/* They tell them what they know. */
void hone_emu_check_publish(struct hone_emu_checker *checker,
                            const struct hone_emu_warp *warp, uint32_t mask);
/* The lane uses shared memory of another block, by a visit of the kind: false, with a
 * finding, where that may not be there. */
bool hone_emu_check_visit(struct hone_emu_checker *checker,
                          const struct hone_emu_warp *warp,
                          const struct hone_emu_insn *insn, uint32_t lane,
                          const struct hone_emu_block *block, uint32_t kind);
/* A load of the block's own shared memory, strong for others: the flags that it sees. */
void hone_emu_check_flags_seen(struct hone_emu_checker *checker,
                               const struct hone_emu_warp *warp,
                               const struct hone_emu_insn *insn,
                               const struct hone_emu_touch *touch);
/* Lanes of mask exit; the last threads of a block of a cluster do. */
void hone_emu_check_exit(struct hone_emu_checker *checker,
                         const struct hone_emu_warp *warp,
                         const struct hone_emu_insn *insn, uint32_t mask);
void hone_emu_check_leave(struct hone_emu_checker *checker,
                          const struct hone_emu_warp *warp,
                          const struct hone_emu_insn *insn);
/* A touch of shared memory of a block, the own one or another: does it race with other
 * blocks? What is loaded goes to the registers from number k on. */
void hone_emu_check_cluster_races(struct hone_emu_checker *checker,
                                  const struct hone_emu_warp *warp,
                                  const struct hone_emu_insn *insn,
                                  const struct hone_emu_block *block,
                                  const struct hone_emu_touch *whole, unsigned k);
/* Copies to the block's shared memory have ended, by the lanes of a touch: as stores of
 * theirs. */
void hone_emu_check_cluster_copied(struct hone_emu_checker *checker,
                                   const struct hone_emu_touch *own);
/* The peer and the cluster of struct hone_emu_observer; context is a checker. */
void hone_emu_check_peer(void *context, const struct hone_emu_warp *warp,
                         const struct hone_emu_insn *insn,
                         const struct hone_emu_block *block, const uint64_t *offsets,
                         uint32_t bytes);
void hone_emu_check_cluster(void *context, const struct hone_emu_warp *warp,
                            const struct hone_emu_insn *insn);

/* What is known of count bytes goes to the bits of a lane's register from bit shift on,
 * and the reverse. */
void hone_emu_load_flags(const struct hone_emu_shadow *shadow,
                         const struct hone_emu_insn *insn, uint32_t offset, uint32_t lane,
                         const uint8_t *flags, uint32_t count, unsigned shift);
void hone_emu_store_flags(const struct hone_emu_shadow *shadow,
                          const struct hone_emu_insn *insn, uint32_t offset,
                          uint32_t lane, uint8_t *flags, uint32_t count, unsigned shift);
/* The same of bytes of a lane, each of them of a register. */
void hone_emu_store_marks(const struct hone_emu_shadow *shadow,
                          const struct hone_emu_insn *insn, uint8_t *flags, uint32_t lane,
                          uint32_t bytes);
void hone_emu_load_marks(const struct hone_emu_shadow *shadow,
                         const struct hone_emu_insn *insn, const uint8_t *flags,
                         uint32_t lane, uint32_t bytes);
void hone_emu_atomic_marks(const struct hone_emu_shadow *shadow,
                           const struct hone_emu_insn *insn, uint8_t *flags,
                           uint32_t lane, uint32_t bytes);
/* Operands of an atomic operation on the shared memory of another block, its owner, at
 * these offsets, that are undefined are a finding. */
void hone_emu_check_operands(struct hone_emu_checker *checker,
                             const struct hone_emu_warp *warp,
                             const struct hone_emu_insn *insn,
                             const struct hone_emu_checker *owner,
                             const uint64_t *offsets);
/* Memory of the host, and the address that its first byte has in a kernel. */
struct hone_emu_view {
    const uint8_t *host;
    uint64_t address;
};
/* Do both lanes, or the lane and memory, hold the same value for the bytes at the
 * conflict's address? */
bool hone_emu_stores_same(const struct hone_emu_warp *warp,
                          const struct hone_emu_insn *insn,
                          const struct hone_emu_touch *touch, struct hone_emu_view memory,
                          const struct hone_emu_conflict *conflict);
/* Makes those of the lane's bytes undefined, in all registers from number k on. */
void hone_emu_make_undefined(struct hone_emu_checker *checker,
                             const struct hone_emu_warp *warp,
                             const struct hone_emu_insn *insn,
                             const struct hone_emu_touch *touch, unsigned k,
                             uint32_t lane, uint32_t bytes, uint32_t origin);

/* An instruction is about to touch memory; the signature of the observer's access. */
void hone_emu_check_access(void *checker, const struct hone_emu_warp *warp,
                           const struct hone_emu_insn *insn, enum ptx_space space,
                           const uint64_t *addresses, uint32_t bytes);
/* What the checks do with the instruction. */
enum hone_emu_kind hone_emu_kind_of(const struct hone_emu_insn *insn);
/* The step of struct hone_emu_observer; context is a checker. */
void hone_emu_check_step(void *context, const struct hone_emu_warp *warp,
                         const struct hone_emu_insn *insn);
/* Leave one lane in mask for each address; all is what mask was. */
void hone_emu_merge_lanes(struct hone_emu_touch *touch);
/* Look for races of the touch by the lanes of its mask: stores are findings, a load makes
 * its registers, from number k on, undefined. */
void hone_emu_check_races(struct hone_emu_checker *checker,
                          const struct hone_emu_warp *warp,
                          const struct hone_emu_insn *insn, enum ptx_space space,
                          const struct hone_emu_touch *touch, unsigned k);
/* The lane's access, as the judge keeps it. */
struct hone_emu_racer hone_emu_racer_of(const struct hone_emu_checker *checker,
                                        const struct hone_emu_touch *touch, uint32_t lane,
                                        bool shared);
/* Does the store come before the load, which is about to be made by this block? */
hone_emu_has_come hone_emu_check_has_come;

/* Is the value of a load that races with the store at most out of date? That of a plain
 * load beside atomic operations is. */
bool hone_emu_is_guess_race(const struct hone_emu_insn *load,
                            const struct hone_emu_insn *store);
/* The judge may give the lane's load, a guess, another value that its place has held; an
 * atomic operation tells it what it is about to change. */
void hone_emu_check_guess(struct hone_emu_checker *checker,
                          const struct hone_emu_warp *warp,
                          const struct hone_emu_insn *insn,
                          const struct hone_emu_touch *touch, uint32_t lane, bool shared);
/* The thread has guessed: what those bytes of the owner's shared memory hold, where it is
 * 1 + the number of a block, or of device memory. race: see struct hone_emu_looks. */
void hone_emu_note_look(struct hone_emu_looks *looks, uint32_t owner, uint64_t address,
                        uint32_t bytes, uint32_t race);
void hone_emu_check_change(struct hone_emu_checker *checker,
                           const struct hone_emu_warp *warp,
                           const struct hone_emu_touch *touch, bool shared);
/* What was due. The loads were made: put what they were given into the registers. */
void hone_emu_check_due(struct hone_emu_checker *checker, struct hone_emu_block *block);

/* A lane touches shared memory of another block, or begins an asynchronous operation that
 * touches the span of its own or another one: true, with a finding, where a copy to it
 * has not been waited for. */
bool hone_emu_check_meets_copy(struct hone_emu_checker *checker,
                               const struct hone_emu_warp *warp,
                               const struct hone_emu_insn *insn, uint32_t lane,
                               const struct hone_emu_span *span);
/* As hone_emu_check_races, of a lane's access to bytes that a copy has not been waited
 * for. */
void hone_emu_check_pending(struct hone_emu_checker *checker,
                            const struct hone_emu_warp *warp,
                            const struct hone_emu_insn *insn, uint32_t lane,
                            const struct hone_emu_touch *touch, unsigned k);
/* The touch issues copies; lanes of mask end a group of copies, or wait. */
void hone_emu_check_copies(struct hone_emu_checker *checker,
                           const struct hone_emu_touch *touch);
void hone_emu_check_commit(struct hone_emu_checker *checker,
                           const struct hone_emu_warp *warp, uint32_t mask);
void hone_emu_check_wait(struct hone_emu_checker *checker,
                         const struct hone_emu_warp *warp,
                         const struct hone_emu_insn *insn, uint32_t mask);
/* The lane arrives at the object with its copies: what it tells there are stores of its
 * own. Somebody has waited for a phase of the object (or it ends): those that came in an
 * earlier one than its present one are over. */
void hone_emu_check_arrived(struct hone_emu_checker *checker, uint32_t warp,
                            uint32_t lane, struct hone_emu_phases *phases);
void hone_emu_check_landed(struct hone_emu_checker *checker,
                           struct hone_emu_phases *phases);
/* The clock of the warp's oldest arrival with copies that nobody has waited for; 0: there
 * is none. */
uint32_t hone_emu_check_oldest_arrival(const struct hone_emu_checker *checker,
                                       uint32_t warp);
/* The copy that the lane issued last has undefined bytes: those of bytes, a bit each. */
void hone_emu_check_copied(struct hone_emu_checker *checker, uint32_t warp, uint32_t lane,
                           uint32_t bytes, uint32_t origin);
/* The copy that bytes at address wait for, and its warp; NULL: none. */
const struct hone_emu_pending *
hone_emu_check_find_copy(const struct hone_emu_checker *checker, uint64_t address,
                         uint32_t bytes, uint32_t *warp);

static inline bool hone_emu_is_strong(const struct hone_emu_insn *insn)
{
    return insn->order & ORDER_STRONG || insn->op == EMU_ATOM;
}

/* Whom the fence or strong access reaches. */
uint32_t hone_emu_scope_of(const struct hone_emu_checks *checks,
                           const struct hone_emu_insn *insn);

#endif
