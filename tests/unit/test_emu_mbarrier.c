// Kernels that hand data from warp to warp by mbarrier objects, in every order in which
// they may run; and what is wrong with others.
#include "device/emu.h"
#include "emu_bulk.h"
#include "emu_check.h"

// Two warps: the first fills one of two stages with five tiles in turn, the second adds them
// up. full and empty are s+512 and s+528, 8 bytes a stage; a tile is a word a lane.
#define RING_BEGIN                                                                       \
    "setp.eq.u32 %p1, %t0, 0; and.b32 %t1, %t0, 31; shl.b32 %t2, %t1, 2;\n"              \
    "add.u32 %t2, %t2, %s1; mov.u32 %t3, 0; mov.u32 %t9, 0;\n"                           \
    "@%p1 mbarrier.init.shared::cta.b64 [s+512], 32;\n"                                  \
    "@%p1 mbarrier.init.shared.b64 [s+520], 32;\n"                                       \
    "@%p1 mbarrier.init.shared::cta.b64 [s+528], 32;\n"                                  \
    "@%p1 mbarrier.init.shared::cta.b64 [s+536], 32;\n"
#define RING_STAGE                                                                       \
    "LOOP: and.b32 %t4, %t3, 1; shr.u32 %t5, %t3, 1; and.b32 %t5, %t5, 1;\n"             \
    "shl.b32 %t6, %t4, 3; add.u32 %s2, %s1, %t6;\n"                                      \
    "shl.b32 %t7, %t4, 7; add.u32 %s3, %t2, %t7; xor.b32 %t8, %t5, 1;\n"                 \
    "@!%p0 bra CONSUME;\n"
#define WAIT(label, at, parity)                                                          \
    label ": mbarrier.try_wait.parity.shared::cta.b64 %p2, [%s2+" at "], " parity ";\n"  \
          "@!%p2 bra " label ";\n"
#define ARRIVE(at) "mbarrier.arrive.shared::cta.b64 _, [%s2+" at "];\n"
#define PRODUCE    "add.u32 %t10, %t3, %t1; st.shared.u32 [%s3], %t10;\n"
#define CONSUME    "ld.shared.u32 %t10, [%s3]; add.u32 %t9, %t9, %t10;\n"
#define RING_END                                                                         \
    "NEXT: add.u32 %t3, %t3, 1; setp.lt.u32 %p3, %t3, 5; @%p3 bra LOOP;\n"               \
    "mul.wide.u32 %x1, %t0, 4; add.u64 %x1, %x0, %x1; @!%p0 st.global.u32 [%x1], %t9;\n"

#define RING(produce, consume)                                                           \
    RING_BEGIN "bar.sync 0;\n" RING_STAGE produce "bra NEXT;\nCONSUME:\n" consume RING_END
#define GOOD_PRODUCER WAIT("W1", "528", "%t8") PRODUCE ARRIVE("512")
#define GOOD_CONSUMER WAIT("W2", "512", "%t5") CONSUME ARRIVE("528")

static const char ring[] = RING(GOOD_PRODUCER, GOOD_CONSUMER);

// Runs a body of check_frame; words: what becomes of 64 words that hold 1000 + n.
static void run_way(const char *body, const struct bulk_way *way, uint32_t *words,
                    struct hone_fault *fault)
{
    char text[8192];
    struct emu emu;
    for (uint32_t k = 0; k < 64; k++)
        words[k] = 1000 + k;
    emu_open(&emu);
    hone_emu_set_copy_time(emu.dev, way->copies);
    hone_emu_set_reversed(emu.dev, way->reversed);
    hone_emu_set_scattered(emu.dev, way->scattered);
    snprintf(text, sizeof text, check_frame, body);
    if (!emu_load(&emu, text, "k")) fail_msg("%s: %s", body, emu.fault.reason);
    hone_devptr p = emu_buffer(&emu, words, 64 * sizeof *words);
    struct emu_args args = {0};
    EMU_ARG(args, p);
    struct hone_launch launch = emu_geometry(&args, 1, 64);
    launch.check = way->check;
    emu_run(&emu, &launch);
    *fault = emu.fault;
    emu_fetch(&emu, words, p, 64 * sizeof *words);
    emu.dev->fns->free(emu.dev, p);
    emu_close(&emu);
}

// Every way ends well, and thread t leaves first + step * (t % 32) where it is a consumer.
static void check_way(const char *body, const struct bulk_way *way, uint32_t first,
                      uint32_t step)
{
    uint32_t words[64];
    struct hone_fault fault;
    run_way(body, way, words, &fault);
    if (fault.outcome != HONE_VALID) fail_msg("%s: %s", way->name, fault.reason);
    for (uint32_t t = 32; t < 64; t++)
        if (words[t] != first + step * (t - 32))
            fail_msg("%s: thread %u has %u", way->name, t, words[t]);
}

static void check_all_ways(const char *body, uint32_t first, uint32_t step)
{
    for (size_t k = 0; k < BULK_WAYS; k++)
        check_way(body, &bulk_ways[k], first, step);
}

static void a_ring_of_two_stages_works_in_every_order(void **state)
{
    (void)state;
    check_all_ways(ring, 10, 5); // 0 + 1 + 2 + 3 + 4, and five times the lane
}

// One lane of each warp arrives, for all of them.
#define ARRIVE_ALONE(at)                                                                 \
    "setp.eq.u32 %p3, %t1, 0;\n"                                                         \
    "@%p3 mbarrier.arrive.shared::cta.b64 _, [%s2+" at "], 32;\n"
#define MEET "bar.warp.sync -1;\n"

static void one_lane_arrives_for_those_that_it_has_met(void **state)
{
    (void)state;
    check_all_ways(RING(WAIT("W1", "528", "%t8") PRODUCE MEET ARRIVE_ALONE("512"),
                        WAIT("W2", "512", "%t5") CONSUME MEET ARRIVE_ALONE("528")),
                   10, 5);
}

// The producer copies its words of p instead, and the copies arrive.
#define COPY(arrive)                                                                     \
    "mul.wide.u32 %x2, %t1, 4; add.u64 %x2, %x0, %x2;\n"                                 \
    "cp.async.ca.shared.global [%s3], [%x2], 4;\n" arrive
static const char copying[] =
    RING(WAIT("W1", "528", "%t8")
             COPY("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%s2+512];\n"),
         GOOD_CONSUMER);
static const char copying_beside[] =
    RING(WAIT("W1", "528", "%t8")
             COPY("cp.async.mbarrier.arrive.shared.b64 [%s2+512];\n" ARRIVE("512")),
         GOOD_CONSUMER);

static void copies_arrive_when_they_have_landed(void **state)
{
    (void)state;
    check_all_ways(copying, 5000, 5);
    check_all_ways(copying_beside, 5000, 5);
}

// Lanes of one warp tell each other; the state of an arrival is waited for.
static const char states[] =
    "setp.eq.u32 %p1, %t0, 0; mov.u32 %t9, 0;\n"
    "@%p1 mbarrier.init.shared.b64 [s+512], 64; bar.sync 0;\n"
    "st.shared.u32 [%s0], %t0;\n"
    "mbarrier.arrive.release.cta.shared::cta.b64 %x1, [s+512];\n"
    "mbarrier.pending_count.b64 %t3, %x1;\n"
    "W: mbarrier.test_wait.acquire.cta.shared::cta.b64 %p2, [s+512], %x1; @!%p2 bra W;\n"
    "xor.b32 %t4, %t0, 63; shl.b32 %t4, %t4, 2; add.u32 %t4, %t4, %s1;\n"
    "ld.shared.u32 %t9, [%t4];\n"
    "mul.wide.u32 %x2, %t0, 4; add.u64 %x2, %x0, %x2; st.global.u32 [%x2], %t9;\n";

static void threads_meet_by_the_state_of_their_arrivals(void **state)
{
    (void)state;
    check_all_ways(states, 31, UINT32_MAX); // thread 32 + n has 31 - n
}

// Bytes that land before they are expected; a phase without a wait; drops.
static const char counts[] =
    "setp.eq.u32 %p1, %t0, 32; mov.u32 %t9, 7; cvt.u64.u32 %x3, %s1;\n"
    "cvta.shared.u64 %x3, %x3; @!%p1 bra END;\n"
    "mbarrier.init.b64 [%x3+512], 2;\n"
    "mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [s+512], 64;\n"
    "mbarrier.arrive_drop.b64 %x1, [%x3+512];\n"
    "mbarrier.arrive.expect_tx.shared::cta.b64 %x2, [s+512], 48;\n"
    "mbarrier.test_wait.shared.b64 %p2, [s+512], %x1; @%p2 bra BAD;\n"
    "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [s+512], 32;\n"
    "mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [s+512], 16;\n"
    "mbarrier.test_wait.shared.b64 %p2, [s+512], %x1; @!%p2 bra BAD;\n"
    "mbarrier.test_wait.parity.shared.b64 %p2, [s+512], 1; @%p2 bra BAD;\n"
    "mbarrier.arrive.shared.b64 %x1, [s+512];\n" // one is enough now
    "mbarrier.try_wait.shared::cta.b64 %p2, [s+512], %x1, 1000; @!%p2 bra BAD;\n"
    "mbarrier.inval.shared.b64 [s+512]; bra END;\n"
    "BAD: mov.u32 %t9, 13;\n"
    "END: mul.wide.u32 %x2, %t0, 4; add.u64 %x2, %x0, %x2; st.global.u32 [%x2], %t9;\n";

static void bytes_may_land_before_they_are_expected(void **state)
{
    (void)state;
    for (size_t k = 0; k < BULK_WAYS; k++) // where it is drawn an answer may come late
        if (bulk_ways[k].copies != HONE_EMU_COPY_RANDOM)
            check_way(counts, &bulk_ways[k], 7, 0);
}

static void a_fresh_object_answers_true_for_parity_1(void **state)
{
    (void)state;
    check_all_ways("mov.u32 %t9, 13; setp.eq.u32 %p1, %t0, 0;\n"
                   "@%p1 mbarrier.init.shared.b64 [s+512], 1; bar.sync 0;\n"
                   "mbarrier.test_wait.parity.shared.b64 %p2, [s+512], 0;\n"
                   "mbarrier.test_wait.parity.shared.b64 %p3, [s+512], 1;\n"
                   "@%p2 bra END; @!%p3 bra END; mov.u32 %t9, 7;\n"
                   "END: mul.wide.u32 %x2, %t0, 4; add.u64 %x2, %x0, %x2;\n"
                   "st.global.u32 [%x2], %t9;\n",
                   7, 0);
}

// ---- what is wrong ----

static void expect_words(const char *body, const struct bulk_way *way,
                         enum hone_finding kind, const char *words)
{
    uint32_t out[64];
    struct hone_fault fault;
    run_way(body, way, out, &fault);
    if (fault.finding != kind || !strstr(fault.reason, words))
        fail_msg("%s: %.900s", hone_finding_name(fault.finding), fault.reason);
}

static void misuse_is_a_finding_in_every_launch(void **state)
{
    (void)state;
    static const struct {
        const char *body, *words;
    } cases[] = {
        {"mbarrier.arrive.shared.b64 _, [s+512];", "shared+512 is not initialised"},
        {"mbarrier.init.shared.b64 [s+512], 0;", "counts 1 to 1048575 arrivals"},
        {"mbarrier.init.shared.b64 [s+512], 1048576;", "counts 1 to 1048575 arrivals"},
        {"mbarrier.init.shared.b64 [s+512], 1; mbarrier.inval.shared.b64 [s+512];\n"
         "mbarrier.arrive.shared.b64 _, [s+512];",
         "is not initialised"},
        {"mbarrier.init.shared.b64 [s+512], 1;\n"
         "mbarrier.arrive.shared.b64 _, [s+512], 2;",
         "(initialised at PTX line 10) gets more arrivals than its phase waits for"},
        {"mbarrier.init.shared.b64 [s+512], 1;\n"
         "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [s+512], 1048575;\n"
         "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [s+512], 16;",
         "counts at most 1048575 bytes"},
        {"mbarrier.init.shared.b64 [s+512], 1;\n"
         "mbarrier.arrive.noComplete.release.cta.shared::cta.b64 %x1, [s+512], 1;",
         "(.noComplete)"},
        {"mbarrier.init.shared.b64 [s+512], 1;\n"
         "mbarrier.arrive.shared.b64 %x1, [s+512];\n"
         "mbarrier.arrive.shared.b64 _, [s+512];\n"
         "mbarrier.test_wait.shared.b64 %p1, [s+512], %x1;",
         "a phase before the last one"},
        {"mbarrier.init.shared.b64 [s+512], 1; mov.u64 %x1, 5;\n"
         "mbarrier.test_wait.shared.b64 %p1, [s+512], %x1;",
         "is waited for with what no arrival returned"},
    };
    const struct bulk_way way = {.copies = HONE_EMU_COPY_EAGER};
    char body[1024];
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        snprintf(body, sizeof body, "setp.ne.u32 %%p3, %%t0, 0; @%%p3 exit; %s",
                 cases[k].body);
        expect_words(body, &way, HONE_FINDING_BARRIER, cases[k].words);
    }
    expect_words("mbarrier.init.shared.b64 [s+4], 1;", &way, HONE_FINDING_MISALIGNED,
                 "misaligned shared mbarrier of 8 bytes");
    expect_words("mbarrier.init.shared.b64 [s+4096], 1;", &way,
                 HONE_FINDING_OUT_OF_BOUNDS, "out-of-bounds shared mbarrier");
    expect_words("mbarrier.init.b64 [%x0], 1;", &way, HONE_FINDING_OUT_OF_BOUNDS,
                 "an mbarrier that is not in shared memory");
}

// An arrival that never comes: who waits, for which object, and what is pending there.
static void a_wait_without_an_end_is_a_deadlock(void **state)
{
    (void)state;
    static const char forgets[] = RING(WAIT("W1", "528", "%t8") PRODUCE ARRIVE("512"),
                                       WAIT("W2", "512", "%t5") CONSUME);
    static const char awaits_bytes[] =
        RING(WAIT("W1", "528", "%t8") PRODUCE
             "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%s2+512], 16;\n",
             GOOD_CONSUMER);
    // what other blocks write is read behind the wait alone
    static const char counts_itself[] =
        RING(WAIT("W1", "528", "%t8") PRODUCE ARRIVE("512"),
             WAIT("W2", "512", "%t5") CONSUME "atom.global.add.u32 %t10, [%x0], 1;\n");
    for (size_t k = 0; k < BULK_WAYS; k++) {
        expect_words(forgets, &bulk_ways[k], HONE_FINDING_DEADLOCK,
                     "waiting for the mbarrier at shared+528");
        expect_words(counts_itself, &bulk_ways[k], HONE_FINDING_DEADLOCK,
                     "waiting for the mbarrier at shared+528");
        if (bulk_ways[k].scattered) continue; // the state of each lane leaves no room
        expect_words(forgets, &bulk_ways[k], HONE_FINDING_DEADLOCK,
                     "phase 0, 32 of 32 arrivals and 0 bytes pending");
        expect_words(awaits_bytes, &bulk_ways[k], HONE_FINDING_DEADLOCK,
                     "phase 0, 0 of 32 arrivals and 512 bytes pending");
    }
}

// Block 0 asks for its own object and looks at a flag of block 1, over and over; when the
// flag is up it arrives by itself.
static void who_listens_to_other_blocks_is_not_stuck(void **state)
{
    (void)state;
    static const char body[] =
        "mov.u32 %t1, %ctaid.x; setp.ne.u32 %p1, %t1, 0; setp.ne.u32 %p3, %t0, 0;\n"
        "@%p3 exit; @%p1 bra OTHER; mbarrier.init.shared.b64 [s+512], 1;\n"
        "W: mbarrier.test_wait.parity.shared.b64 %p2, [s+512], 0; @%p2 bra DONE;\n"
        "ld.volatile.global.u32 %t2, [%x0]; setp.eq.u32 %p3, %t2, 7; @!%p3 bra W;\n"
        "mbarrier.arrive.shared.b64 _, [s+512]; bra W;\n"
        "OTHER: st.volatile.global.u32 [%x0], 7; exit;\n"
        "DONE: st.global.u32 [%x0+4], 8;";
    struct hone_fault fault;
    run_checked(body, 2, false, &fault);
    if (fault.outcome != HONE_VALID) fail_msg("%s", fault.reason);
}

// Block 1's flag comes late, by a loop of its own. Warp 0 of block 0 looks for it in one
// round of 64 alone, and arrives then; warp 1 waits for that.
static void who_looks_at_other_blocks_now_and_then_is_not_stuck(void **state)
{
    (void)state;
    static const char body[] =
        "mov.u32 %t1, %ctaid.x; mov.u32 %t3, 0; setp.ne.u32 %p1, %t1, 0;\n"
        "@%p1 bra OTHER; setp.ne.u32 %p3, %t0, 0;\n"
        "@!%p3 mbarrier.init.shared.b64 [s+512], 1; bar.sync 0; @%p3 bra WAIT;\n"
        "LOOK: nanosleep.u32 100; add.u32 %t3, %t3, 1; and.b32 %t4, %t3, 63;\n"
        "setp.ne.u32 %p3, %t4, 0; @%p3 bra LOOK;\n"
        "ld.volatile.global.u32 %t2, [%x0]; setp.eq.u32 %p3, %t2, 7; @!%p3 bra LOOK;\n"
        "mbarrier.arrive.shared.b64 _, [s+512]; exit;\n"
        "WAIT: mbarrier.test_wait.parity.shared.b64 %p2, [s+512], 0; @!%p2 bra WAIT;\n"
        "setp.eq.u32 %p3, %t0, 32; @%p3 st.global.u32 [%x0+4], 8; exit;\n"
        "OTHER: setp.ne.u32 %p3, %t0, 0; @%p3 exit;\n"
        "LATE: add.u32 %t3, %t3, 1; setp.lt.u32 %p3, %t3, 4000000; @%p3 bra LATE;\n"
        "st.volatile.global.u32 [%x0], 7;";
    struct hone_fault fault;
    run_checked(body, 2, false, &fault);
    if (fault.outcome != HONE_VALID) fail_msg("%s", fault.reason);
    run_checked(body, 2, true, &fault);
    if (fault.outcome != HONE_VALID) fail_msg("%s", fault.reason);
}

static void checked_launches_find_what_the_objects_do_not_order(void **state)
{
    (void)state;
    static const struct {
        const char *body;
        enum hone_finding finding;
        const char *words;
    } cases[] = {
        // no wait for full: the first tile is not there yet, the second is another one
        {RING(GOOD_PRODUCER, CONSUME ARRIVE("528")), HONE_FINDING_UNWRITTEN,
         "a value that was never written"},
        // no wait for empty: the producer is phases ahead
        {RING(PRODUCE ARRIVE("512"), GOOD_CONSUMER), HONE_FINDING_PHASE,
         "the wait has missed the phase of its parity"},
        // arrivals before what they are to order
        {RING(WAIT("W1", "528", "%t8") ARRIVE("512") PRODUCE, GOOD_CONSUMER),
         HONE_FINDING_RACE, "data race on shared memory: store of warp 0 ("},
        {RING(GOOD_PRODUCER, WAIT("W2", "512", "%t5") ARRIVE("528") CONSUME),
         HONE_FINDING_RACE, "data race on shared memory: load of warp 1 ("},
        {RING(WAIT("W1", "528", "%t8") PRODUCE
              "mbarrier.arrive.relaxed.cta.shared::cta.b64 _, [%s2+512];\n",
              GOOD_CONSUMER),
         HONE_FINDING_RACE, "data race on shared memory: store of warp 0 ("},
        // one lane arrives for others, which nothing orders
        {RING(WAIT("W1", "528", "%t8") PRODUCE ARRIVE_ALONE("512"), GOOD_CONSUMER),
         HONE_FINDING_RACE,
         "without a __syncwarp before the arrival or fence of one lane"},
        {RING(GOOD_PRODUCER, WAIT("W2", "512", "%t5") CONSUME ARRIVE_ALONE("528")),
         HONE_FINDING_RACE,
         "without a __syncwarp before the arrival or fence of one lane"},
        // waits for the other parity
        {RING(GOOD_PRODUCER, WAIT("W2", "512", "%t8") CONSUME ARRIVE("528")),
         HONE_FINDING_PHASE, "(nobody has waited for the one before)"},
        {RING(WAIT("W1", "528", "%t8") COPY(ARRIVE("512")), GOOD_CONSUMER),
         HONE_FINDING_MISSING_WAIT, "missing wait of an asynchronous copy"},
        // objects that are used before they are there, and after they are gone
        {RING_BEGIN RING_STAGE GOOD_PRODUCER
         "bra NEXT;\nCONSUME:\n" GOOD_CONSUMER RING_END,
         HONE_FINDING_RACE, "data race on shared memory: mbarrier operation of warp 0 ("},
        {RING(GOOD_PRODUCER, GOOD_CONSUMER) "@%p1 st.shared.u64 [s+512], 0;\n",
         HONE_FINDING_RACE, "data race on shared memory: mbarrier operation of warp 0 ("},
        {RING(GOOD_PRODUCER, GOOD_CONSUMER) "@%p1 mbarrier.inval.shared.b64 [s+512];\n",
         HONE_FINDING_BARRIER, "is not initialised (or was overwritten)"},
    };
    const struct bulk_way way = {.check = true, .copies = HONE_EMU_COPY_EAGER};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        expect_words(cases[k].body, &way, cases[k].finding, cases[k].words);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_ring_of_two_stages_works_in_every_order),
    cmocka_unit_test(one_lane_arrives_for_those_that_it_has_met),
    cmocka_unit_test(copies_arrive_when_they_have_landed),
    cmocka_unit_test(threads_meet_by_the_state_of_their_arrivals),
    cmocka_unit_test(bytes_may_land_before_they_are_expected),
    cmocka_unit_test(a_fresh_object_answers_true_for_parity_1),
    cmocka_unit_test(misuse_is_a_finding_in_every_launch),
    cmocka_unit_test(a_wait_without_an_end_is_a_deadlock),
    cmocka_unit_test(who_listens_to_other_blocks_is_not_stuck),
    cmocka_unit_test(who_looks_at_other_blocks_now_and_then_is_not_stuck),
    cmocka_unit_test(checked_launches_find_what_the_objects_do_not_order),
};

HONE_TEST_MAIN(tests)
