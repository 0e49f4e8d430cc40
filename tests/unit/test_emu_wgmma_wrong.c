// wgmma that is used wrongly: what is not waited for, warps that do not agree.
#include "emu_wgmma_frame.h"

// ---- what is wrong ----

#define COMMIT "wgmma.commit_group.sync.aligned;\n"
#define WAIT   "wgmma.wait_group.sync.aligned 0;\n"
#define ONE    "setp.eq.u32 %p2, %t0, 77; @%p2 "

#define STORE ONE "st.shared.b32 [s+32768], %t0;\n"
#define STORE_A(at)                                                                      \
    ONE "st.shared.b32 [s+" at "], %t0; fence.proxy.async; bar.warp.sync -1;\n"

// A thread has B's first bytes filled again.
#define REFILL(thread)                                                                   \
    "setp.eq.u32 %p2, %t0, " thread ";\n"                                                \
    "@%p2 mbarrier.init.shared::cta.b64 [s+98296], 1;\n"                                 \
    "@%p2 mbarrier.arrive.expect_tx.shared::cta.b64 _, [s+98296], 16;\n"                 \
    "@%p2 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "            \
    "[s+32768], [%x0], 16, [s+98296];\n"

// The same, and it waits.
#define REFILL_ALL(thread)                                                               \
    REFILL(thread)                                                                       \
    "@!%p2 bra N;\nM: mbarrier.try_wait.parity.shared::cta.b64 %p3, [s+98296], 0;\n"     \
    "@!%p3 bra M;\nN:\n"

struct plant {
    const char *before, *after;
    enum hone_finding finding; // NONE: it is right
    const char *words;
    bool fragments, unfenced;
    int copied;
};

static void run_plant(const struct plant *plant, const struct way *way,
                      struct hone_fault *fault)
{
    static const struct wgmma_shape bf = {"f32", &bf16, &bf16, 64, 16};
    struct problem *p = problem_of(&bf, 128, 128, false, false);
    lay_out(p);
    p->run.before = plant->before;
    p->run.after = plant->after;
    p->run.fragments = plant->fragments;
    p->run.unfenced = plant->unfenced;
    p->run.copied = plant->copied;
    wgmma_try(&p->run, way, fault);
    free(p);
}

static const struct plant not_waited_for[] = {
    {.after = COMMIT,
     .finding = HONE_FINDING_MISSING_WAIT,
     .words = "a result is read of the wgmma at PTX line"},
    {.after = WAIT,
     .finding = HONE_FINDING_MISSING_WAIT,
     .words = "a result is read of the wgmma at PTX line"},
    {.after = COMMIT "wgmma.wait_group.sync.aligned 1;\n",
     .finding = HONE_FINDING_MISSING_WAIT,
     .words = "a result is read of the wgmma at PTX line"},
    {.after = COMMIT "mov.b32 %a1, 0;\n" WAIT,
     .finding = HONE_FINDING_IN_FLIGHT,
     .words = "a register is written that the wgmma at PTX line",
     .fragments = true},
    {.after = COMMIT WAIT "mov.b32 %a1, 0;\n", .fragments = true},
    {.before = "add.u32 %d3, %d3, 1;",
     .finding = HONE_FINDING_WGMMA_FENCE,
     .words = "with no wgmma.fence between"},
    {.before = "add.u32 %d3, %d3, 1; wgmma.fence.sync.aligned;"},
    {.before = "mov.b32 %d3, 0; mov.b32 %d4, %d3;"}, // as compilers do
    {.before = "add.u32 %t7, %t0, 1; mov.b32 %d3, %t7;",
     .finding = HONE_FINDING_WGMMA_FENCE,
     .words = "with no wgmma.fence between"},
    {.before = "add.u32 %a3, %a3, 1;",
     .finding = HONE_FINDING_WGMMA_FENCE,
     .words = "with no wgmma.fence between",
     .fragments = true},
    {.unfenced = true,
     .finding = HONE_FINDING_WGMMA_FENCE,
     .words = "comes before any wgmma.fence"},
    {.after = COMMIT ONE "st.shared.b32 [s+32768], %t0;\n" WAIT,
     .finding = HONE_FINDING_IN_FLIGHT,
     .words = "has not been known to be done with"},
    {.after = COMMIT WAIT "bar.sync 0;\n" ONE "st.shared.b32 [s+32768], %t0;\n"},
    {.after = COMMIT ONE "st.shared.b32 [s+98300], %t0;\n" WAIT},
    {.before = STORE, .finding = HONE_FINDING_RACE, .words = "nothing orders them"},
    {.before = STORE "fence.proxy.async; bar.sync 0;\n"},
    {.before = STORE "fence.proxy.async; bar.sync 3, 128;\n"},
    {.before = STORE "bar.sync 0; fence.proxy.async;\n"},
    {.before = STORE "bar.sync 0;\n",
     .finding = HONE_FINDING_PROXY_FENCE,
     .words = "without fence.proxy.async"},
    {.after = COMMIT REFILL("0") WAIT,
     .finding = HONE_FINDING_IN_FLIGHT,
     .words = "asynchronous write to shared memory that another operation"},
    {.after = COMMIT REFILL("127") WAIT,
     .finding = HONE_FINDING_IN_FLIGHT,
     .words = "asynchronous write to shared memory that another operation"},
    {.after = COMMIT WAIT REFILL_ALL("0")},
    {.after = COMMIT WAIT REFILL_ALL("127")}, // each warp's wait counts
    {.after = COMMIT WAIT "bar.sync 0;\n" REFILL_ALL("77")},
    {.after = COMMIT WAIT REFILL("0"),
     .finding = HONE_FINDING_IN_FLIGHT,
     .words = "the block exits"},
    {.before = STORE_A("1024"), // a row of the first warp
     .finding = HONE_FINDING_RACE,
     .words = "nothing orders them"},
    {.before = STORE_A("5120")}, // of its own
    {.copied = B_AT,
     .finding = HONE_FINDING_UNWRITTEN,
     .words = "a value that was never written"},
};

static void checked_launches_name_what_is_not_waited_for(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof not_waited_for / sizeof *not_waited_for; k++)
        for (int late = 0; late < 2; late++) {
            const struct way way = {
                .check = true, .copies = late ? HONE_EMU_COPY_LAZY : HONE_EMU_COPY_EAGER};
            const char *words = not_waited_for[k].words ? not_waited_for[k].words : "";
            struct hone_fault fault;
            run_plant(&not_waited_for[k], &way, &fault);
            if (fault.finding != not_waited_for[k].finding ||
                !strstr(fault.reason, words))
                fail_msg("plant %zu, late %d: %s: %s", k, late,
                         hone_finding_name(fault.finding), fault.reason);
        }
}

static void warps_that_do_not_agree_are_a_fault_of_every_launch(void **state)
{
    (void)state;
    static const struct plant plants[] = {
        {.before = "setp.lt.u32 %p2, %t0, 32; @%p2 add.u64 %x4, %x4, 8;",
         .finding = HONE_FINDING_DIVERGENCE,
         .words = "gives wgmma another descriptor than warp"},
        {.before = "setp.lt.u32 %p2, %t0, 31; @%p2 add.u64 %x4, %x4, 8;",
         .finding = HONE_FINDING_DIVERGENCE,
         .words = "lanes give wgmma different descriptors"},
        {.before = "setp.ge.u32 %p2, %t0, 96; @%p2 exit;",
         .finding = HONE_FINDING_DIVERGENCE,
         .words = "wgmma without a whole warp group"},
        {.before = "mov.b64 %x9, 0x2000000000000; add.u64 %x4, %x4, %x9;",
         .finding = HONE_FINDING_MISALIGNED,
         .words = "has a base offset"},
        {.before = "add.u64 %x4, %x4, 8128;",
         .finding = HONE_FINDING_OUT_OF_BOUNDS,
         .words = "the descriptor of B (shared+162816"},
    };
    for (size_t k = 0; k < sizeof plants / sizeof *plants; k++) {
        struct hone_fault fault;
        run_plant(&plants[k], &usual, &fault);
        if (fault.finding != plants[k].finding || !strstr(fault.reason, plants[k].words))
            fail_msg("plant %zu: %s: %s", k, hone_finding_name(fault.finding),
                     fault.reason);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(checked_launches_name_what_is_not_waited_for),
    cmocka_unit_test(warps_that_do_not_agree_are_a_fault_of_every_launch),
};

HONE_TEST_MAIN(tests)
