/* What is known of mbarrier objects: check_mbarrier.c (who tells whom), check_phase.c
 * (which phases are waited for). */
#ifndef HONE_DEVICE_CHECK_PHASE_H
#define HONE_DEVICE_CHECK_PHASE_H

#include "order.h"
#include "proxy.h"

struct hone_emu_checker;

/* A wait of a warp for a parity that has not passed; ends: phases that had ended when it
 * was first asked for; waits: how often the warp had waited for others in another way. */
struct hone_emu_question {
    uint32_t site; /* number of the instruction and 1; 0: there is none */
    uint32_t parity, ends, waits;
};

/* What those that arrive at an mbarrier object know: in the phase that goes on, and in
 * those that have ended. */
struct hone_emu_phases {
    uint32_t at; /* offset in shared memory */
    /* Who has initialised it, and fenced that: 1 and the arrivals at barrier.cluster that
     * it had made before; 0: it has not. */
    uint32_t by_warp, by_lane, fenced;
    struct hone_emu_gate now, ended;
    /* Blocks of the cluster, by rank, that arrived and told what they know; all that
     * arrived. */
    uint32_t told, told_ended, came, came_ended;
    /* What all blocks of the cluster, arrived or not, had told when the last phase
     * ended. */
    struct hone_emu_heard others;
    uint32_t ends;                     /* phases that have ended */
    uint32_t landed;                   /* ends when somebody waited last */
    uint32_t seen[HONE_EMU_MAX_WARPS]; /* ends as each warp waited last */
    /* The wait, number of the instruction and 1, that a lane of each warp has passed last
     * and that told it nothing new; 0: it did. */
    uint32_t stale[HONE_EMU_MAX_WARPS];
    /* Ends as each lane waited last. */
    uint32_t heard[HONE_EMU_MAX_WARPS][HONE_EMU_LANES];
    struct hone_emu_question asked[HONE_EMU_MAX_WARPS];
    /* Lanes of each warp that have passed a relaxed wait and not fenced since. */
    uint32_t glimpsed[HONE_EMU_MAX_WARPS];
};

/* The mbarrier of struct hone_emu_observer; context is a checker. */
void hone_emu_check_mbarrier(void *context, const struct hone_emu_warp *warp,
                             const struct hone_emu_insn *insn,
                             enum hone_emu_mbarrier_event event, uint32_t lane,
                             const struct hone_emu_place *place);
/* The lane has begun an operation that ends at the object of a block of its cluster. Who
 * waits for that in the own one knows what the thread did before. */
void hone_emu_check_counted(struct hone_emu_checker *checker,
                            const struct hone_emu_async *event, uint32_t lane);
/* Lanes of mask fence: what those knew who arrived in the phases of which their relaxed
 * waits told (or of the same object since) is known from here on. */
void hone_emu_check_glimpsed(struct hone_emu_checker *checker, uint32_t warp,
                             uint32_t mask);
/* fence.mbarrier_init by lanes of mask: the next barrier.cluster tells the others of the
 * objects that these have initialised, and of nothing else. */
void hone_emu_check_init_fence(struct hone_emu_checker *checker, uint32_t warp,
                               uint32_t mask);
/* Has the checker's block passed a barrier.cluster since the thread that initialised the
 * object of the target has fenced that? */
bool hone_emu_knows_object(const struct hone_emu_checker *checker, uint32_t warp,
                           uint32_t lane, const struct hone_emu_checker *target,
                           uint64_t at);
/* What is followed of the object; NULL: nothing. */
struct hone_emu_phases *hone_emu_check_phases(const struct hone_emu_checker *checker,
                                              uint32_t at);
/* A lane is about to ask for a parity; it has passed a wait. */
void hone_emu_check_question(struct hone_emu_checker *checker,
                             const struct hone_emu_warp *warp,
                             const struct hone_emu_insn *insn, uint32_t lane,
                             struct hone_emu_phases *phases);
void hone_emu_check_answer(struct hone_emu_checker *checker,
                           const struct hone_emu_warp *warp,
                           const struct hone_emu_insn *insn, uint32_t lane,
                           struct hone_emu_phases *phases);
/* As hone_emu_report_meeting: a lane uses ("load") what the operation brings, and the
 * warp does not know that it is over. */
bool hone_emu_report_unwaited(struct hone_emu_checker *checker,
                              const struct hone_emu_warp *warp,
                              const struct hone_emu_insn *insn, uint32_t lane,
                              const struct hone_emu_proxy_op *op, const char *what);

#endif
