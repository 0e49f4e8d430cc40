// Relaxed arrivals and waits at mbarrier objects with fences beside them: each way to
// arrive with each way to wait, in a block and between blocks of a cluster, against what
// PTX's memory model says of the two.
#include "emu_cluster.h"

// What is known behind it: to threads of the block, and to the cluster.
struct side {
    const char *before, *words, *behind; // a fence, what follows the operation's name
    bool near, far;
};

static const struct side arrivals[] = {
    {.words = "", .near = true, .far = true},
    {.words = ".release.cluster", .near = true, .far = true},
    {.words = ".release.cta", .near = true},
    {.words = ".relaxed.cluster"},
    {.words = ".relaxed.cta"},
    {.before = "fence.acq_rel.cluster;\n",
     .words = ".relaxed.cluster",
     .near = true,
     .far = true},
    {.before = "fence.release.cluster;\n",
     .words = ".relaxed.cluster",
     .near = true,
     .far = true},
    {.before = "fence.sc.gpu;\n", .words = ".relaxed.cluster", .near = true, .far = true},
    {.before = "membar.gl;\n", .words = ".relaxed.cluster", .near = true, .far = true},
    {.before = "fence.acq_rel.cluster;\n", .words = ".relaxed.cta", .near = true},
    {.before = "fence.release.cta;\n", .words = ".relaxed.cluster", .near = true},
    {.before = "fence.acquire.cluster;\n", .words = ".relaxed.cluster"},
    // of objects that are initialised alone
    {.before = "fence.mbarrier_init.release.cluster;\n", .words = ".relaxed.cluster"},
};
static const struct side waits[] = {
    {.words = "", .near = true, .far = true},
    {.words = ".acquire.cluster", .near = true, .far = true},
    {.words = ".acquire.cta", .near = true},
    {.words = ".relaxed.cluster"},
    {.words = ".relaxed.cta"},
    {.words = ".relaxed.cluster",
     .behind = "fence.acq_rel.cluster;\n",
     .near = true,
     .far = true},
    {.words = ".relaxed.cluster",
     .behind = "fence.acquire.cluster;\n",
     .near = true,
     .far = true},
    {.words = ".relaxed.cluster", .behind = "fence.sc.sys;\n", .near = true, .far = true},
    {.words = ".relaxed.cta", .behind = "fence.acquire.cluster;\n", .near = true},
    {.words = ".relaxed.cluster", .behind = "fence.acquire.cta;\n", .near = true},
    {.words = ".relaxed.cluster", .behind = "fence.release.cluster;\n"},
};

static void print_arrival(char *out, size_t size, const struct side *side, const char *at)
{
    const char *fence = side->before ? side->before : "";
    snprintf(out, size, "%smbarrier.arrive%s.shared::cluster.b64 _, [%s+512];\n", fence,
             side->words, at);
}

static void print_wait(char *out, size_t size, const struct side *side, int label,
                       const char *parity, const char *test)
{
    snprintf(out, size,
             "W%d: mbarrier.%s.parity%s.shared::cta.b64 %%p2, [s+512], %s;\n"
             "@!%%p2 bra W%d;\n%s",
             label, test, side->words, parity, label, side->behind ? side->behind : "");
}

static const char begin[] = INIT("64") OWN_VALUE;

// Each thread stores a word, loads another thread's behind one phase, and stores over it
// behind the next.
static void print_own(char *out, size_t size, const struct side *arrival,
                      const struct side *wait, const char *test)
{
    char arrives[256], first[256], second[256];
    print_arrival(arrives, sizeof arrives, arrival, "%r6");
    print_wait(first, sizeof first, wait, 0, "0", test);
    print_wait(second, sizeof second, wait, 1, "1", test);
    snprintf(out, size,
             "%sadd.u32 %%r9, %%r6, %%r5; st.shared.u32 [%%r9], %%r8;\n"
             "xor.b32 %%r10, %%r5, 128; add.u32 %%r10, %%r6, %%r10;\n" // the other warp's
             "%s%sld.shared.u32 %%r11, [%%r10];\n%s%s"
             "st.shared.u32 [%%r10], 7; st.global.u32 [%%x1], %%r11;\n"
             "%s",
             begin, arrives, first, arrives, second, SYNC);
}

// Block 0 of each cluster hands words to the other one, which gives the place back.
static void print_remote(char *out, size_t size, const struct side *arrival,
                         const struct side *wait, const char *test)
{
    char arrives[256], first[256], second[256];
    print_arrival(arrives, sizeof arrives, arrival, "%r3");
    print_wait(first, sizeof first, wait, 0, "0", test);
    print_wait(second, sizeof second, wait, 1, "0", test);
    snprintf(out, size,
             "%sadd.u32 %%r9, %%r3, %%r5; add.u32 %%r10, %%r6, %%r5; @!%%p1 bra TAKE;\n"
             "st.shared::cluster.u32 [%%r9], %%r8; st.global.u32 [%%x1], %%r8;\n"
             "%s%sst.shared::cluster.u32 [%%r9], 7; bra.uni END;\n"
             "TAKE:\n%sld.shared.u32 %%r11, [%%r10]; st.global.u32 [%%x1], %%r11;\n%s"
             "END: %s",
             begin, arrives, first, second, arrives, SYNC);
}

static uint32_t from_the_first(uint32_t block, uint32_t thread)
{
    return 100 * (block & ~1U) + thread;
}

static uint32_t from_the_other_warp(uint32_t block, uint32_t thread)
{
    return 100 * block + (thread ^ 32);
}

static void expect_race(const char *body)
{
    const struct way checked = {"checked", .check = true};
    expect(body, &checked, HONE_FINDING_RACE, "data race on shared memory");
}

typedef void print_body(char *out, size_t size, const struct side *arrival,
                        const struct side *wait, const char *test);

static void check_all_pairs(print_body *print, bool far, const char *test,
                            uint32_t (*expected)(uint32_t, uint32_t))
{
    for (size_t a = 0; a < sizeof arrivals / sizeof *arrivals; a++)
        for (size_t w = 0; w < sizeof waits / sizeof *waits; w++) {
            char body[4096];
            print(body, sizeof body, &arrivals[a], &waits[w], test);
            const bool right =
                far ? arrivals[a].far && waits[w].far : arrivals[a].near && waits[w].near;
            if (right)
                check_all_ways(body, expected);
            else
                expect_race(body);
        }
}

static void arrivals_and_waits_of_a_block_order_as_their_fences_say(void **state)
{
    (void)state;
    check_all_pairs(print_own, false, "try_wait", from_the_other_warp);
    check_all_pairs(print_own, false, "test_wait", from_the_other_warp);
}

static void those_of_a_cluster_do_as_far_as_their_scopes_reach(void **state)
{
    (void)state;
    check_all_pairs(print_remote, true, "try_wait", from_the_first);
    check_all_pairs(print_remote, true, "test_wait", from_the_first);
}

// A fence tells of what comes before it, and of what its own thread did.
static void a_fence_tells_of_what_is_ahead_of_it_alone(void **state)
{
    (void)state;
    static const char *const bodies[] = {
        INIT("64") OWN_VALUE "add.u32 %r9, %r6, %r5; fence.acq_rel.cta;\n"
                             "st.shared.u32 [%r9], %r8;\n"
                             "mbarrier.arrive.relaxed.cta.shared.b64 _, [s+512];\n" WAIT(
                                 "0") "xor.b32 %r10, %r5, 128; add.u32 %r10, %r6, %r10;\n"
                                      "ld.shared.u32 %r11, [%r10];\n"
                                      "st.global.u32 [%x1], %r11;\n" SYNC,
        INIT("64") OWN_VALUE
        "add.u32 %r9, %r3, %r5; fence.acq_rel.cluster;\n"
        "st.shared::cluster.u32 [%r9], %r8;\n"
        "mbarrier.arrive.relaxed.cluster.shared::cluster.b64 _, [%r3+512];\n" WAIT(
            "0") "add.u32 %r9, %r6, %r5; ld.shared.u32 %r11, [%r9];\n"
                 "st.global.u32 [%x1], %r11;\n" SYNC,
        // the wait comes behind the fence
        INIT("64") OWN_VALUE
        "add.u32 %r9, %r6, %r5; st.shared.u32 [%r9], %r8;\n"
        "mbarrier.arrive.shared.b64 _, [s+512]; fence.acq_rel.cta;\n"
        "W0: mbarrier.try_wait.parity.relaxed.cta.shared::cta.b64 %p2, [s+512], 0;\n"
        "@!%p2 bra W0; xor.b32 %r10, %r5, 128; add.u32 %r10, %r6, %r10;\n"
        "ld.shared.u32 %r11, [%r10]; st.global.u32 [%x1], %r11;\n" SYNC,
        // lane 0 arrives for its warp, whose other lanes it does not know of
        INIT("2") OWN_VALUE
        "add.u32 %r9, %r6, %r5; st.shared.u32 [%r9], %r8; fence.acq_rel.cta;\n"
        "and.b32 %r12, %r0, 31; setp.eq.u32 %p3, %r12, 0;\n"
        "@%p3 mbarrier.arrive.relaxed.cta.shared.b64 _, [s+512];\n" WAIT(
            "0") "xor.b32 %r10, %r5, 128; add.u32 %r10, %r6, %r10;\n"
                 "ld.shared.u32 %r11, [%r10]; st.global.u32 [%x1], %r11;\n" SYNC,
    };
    for (size_t k = 0; k < sizeof bodies / sizeof *bodies; k++)
        expect_race(bodies[k]);
}

// Threads fence, meet, and one of each warp arrives and waits for all of it.
static void one_lane_arrives_and_waits_for_a_warp_that_fenced(void **state)
{
    (void)state;
    check_all_ways(
        INIT("2") OWN_VALUE
        "add.u32 %r9, %r6, %r5; st.shared.u32 [%r9], %r8; bar.warp.sync -1;\n"
        "and.b32 %r12, %r0, 31; setp.eq.u32 %p3, %r12, 0; @!%p3 bra MEET;\n"
        "fence.release.cta; mbarrier.arrive.relaxed.cta.shared.b64 _, [s+512];\n"
        "W0: mbarrier.try_wait.parity.relaxed.cta.shared::cta.b64 %p2, [s+512], 0;\n"
        "@!%p2 bra W0; fence.acquire.cta;\n"
        "MEET: bar.warp.sync -1; xor.b32 %r10, %r5, 128; add.u32 %r10, %r6, %r10;\n"
        "ld.shared.u32 %r11, [%r10]; st.global.u32 [%x1], %r11;\n" SYNC,
        from_the_other_warp);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrivals_and_waits_of_a_block_order_as_their_fences_say),
        cmocka_unit_test(those_of_a_cluster_do_as_far_as_their_scopes_reach),
        cmocka_unit_test(a_fence_tells_of_what_is_ahead_of_it_alone),
        cmocka_unit_test(one_lane_arrives_and_waits_for_a_warp_that_fenced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
