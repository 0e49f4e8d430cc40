// Forms across lanes and warps that kernels spell in several ways: each spelling of each
// must do the same.
#include "emu_words.h"

static const char globals[] = ".global .b32 g = 70000; .global .align 128 .b8 h[128];\n"
                              ".const .b32 c = 5;\n";

// before, each name in turn, after.
static void check_spelled(const char *const *names, size_t count, const char *before,
                          const char *after, expected_word *expected)
{
    for (size_t i = 0; i < count; i++) {
        char text[2048];
        snprintf(text, sizeof text, "%s\n%s%s", before, names[i], after);
        check(globals, text, 64, expected);
    }
}
#define CHECK_SPELLED(names, before, after, expected)                                    \
    check_spelled(names, sizeof(names) / sizeof *(names), before, after, expected)

// ---- barriers ----

static uint32_t of_the_other_warp(uint32_t t)
{
    return t ^ 32;
}

static void every_barrier_waits(void **state)
{
    static const char *const names[] = {
        "bar.sync 0;",         "bar.cta.sync 0;",          "barrier.sync 0;",
        "barrier.cta.sync 0;", "barrier.sync.aligned 0;",  "barrier.cta.sync.aligned 0;",
        "bar.sync 3, 64;",     "barrier.cta.sync 15, 64;", "bar.cta.sync 7, 64;"};
    (void)state;
    CHECK_SPELLED(names,
                  ".shared .b32 s[64]; mov.u32 %a0, s; mad.lo.u32 %a1, %t, 4, %a0;\n"
                  "st.shared.u32 [%a1], %t; ",
                  "\nxor.b32 %a1, %t, 32;\n"
                  "mad.lo.u32 %a1, %a1, 4, %a0; ld.shared.u32 %r, [%a1];",
                  of_the_other_warp);
}

static uint32_t given_to_the_first_warp(uint32_t t)
{
    return t < 32 ? t + 32 : 0;
}

// The second warp gives and goes on, the first one waits for it.
static void every_arrival_is_waited_for(void **state)
{
    static const char *const names[] = {"bar.arrive 1, 64;",
                                        "bar.cta.arrive 1, 64;",
                                        "barrier.arrive 1, 64;",
                                        "barrier.cta.arrive 1, 64;",
                                        "barrier.arrive.aligned 1, 64;",
                                        "barrier.cta.arrive.aligned 1, 64;"};
    (void)state;
    CHECK_SPELLED(names,
                  ".shared .b32 s[64]; mov.u32 %a0, s; mad.lo.u32 %a1, %t, 4, %a0;\n"
                  "setp.lt.u32 %p0, %t, 32; @%p0 bra FIRST;\n"
                  "st.shared.u32 [%a1], %t; ",
                  "\nbra END;\nFIRST:\nbar.sync 1, 64;\n"
                  "ld.shared.u32 %r, [%a1+128];\nEND:",
                  given_to_the_first_warp);
}

static uint32_t count_of_thirds(uint32_t t)
{
    (void)t;
    return 22; // 0, 3, ..., 63
}

static uint32_t yes(uint32_t t)
{
    (void)t;
    return 1;
}

static uint32_t no(uint32_t t)
{
    (void)t;
    return 0;
}

static void every_reduction_at_a_barrier_sees_all_threads(void **state)
{
    static const char *const names[] = {"bar", "bar.cta", "barrier", "barrier.cta"};
    (void)state;
    CHECK_SPELLED(names,
                  "rem.u32 %a0, %t, 3; setp.eq.u32 %p0, %a0, 0;\n"
                  "",
                  ".red.popc.u32 %r, 0, %p0;", count_of_thirds);
    CHECK_SPELLED(names, "setp.eq.u32 %p0, %t, 50; ",
                  ".red.or.pred %p1, 2, 64, %p0;\n"
                  "selp.u32 %r, 1, 0, %p1;",
                  yes);
    CHECK_SPELLED(names, "setp.eq.u32 %p0, %t, 50; ",
                  ".red.and.pred %p1, 0, !%p0;\n"
                  "selp.u32 %r, 1, 0, %p1;",
                  no);
}

// ---- lanes ----

static uint32_t all_lanes_or_none(uint32_t t)
{
    return t < 32 ? UINT32_MAX : 0;
}

static uint32_t lanes_of_the_same_quarter(uint32_t t)
{
    return 0xffu << t % 32 / 8 * 8;
}

static uint32_t first_of_the_odd(uint32_t t)
{
    return t % 2 ? 1 + 16 * (t % 32 == 1) : 0;
}

static void lanes_that_match_are_found(void **state)
{
    (void)state;
    check("",
          "shr.u32 %a0, %t, 5; mul.lo.u32 %a0, %a0, %t; match.all.sync.b32 %r|%p0, %a0, "
          "-1;\n@!%p0 mov.u32 %r, 0;",
          64, all_lanes_or_none);
    check("",
          "shr.u32 %a0, %t, 5; mul.lo.u32 %a0, %a0, %t; mov.b64 %y0, {5, %a0};\n"
          "match.all.sync.b64 %r|%p0, %y0, -1; @!%p0 mov.u32 %r, 0;",
          64, all_lanes_or_none);
    check("",
          "shr.u32 %a0, %t, 3; mov.b64 %y0, {7, %a0}; match.any.sync.b64 %r, %y0, -1;",
          64, lanes_of_the_same_quarter);
}

static void one_lane_of_those_named_is_elected(void **state)
{
    (void)state;
    check("",
          "and.b32 %a0, %t, 1; setp.eq.u32 %p0, %a0, 0; @%p0 bra END;\n"
          "elect.sync %r|%p1, 0xaaaaaaaa; @%p1 add.u32 %r, %r, 16;\nEND:",
          64, first_of_the_odd);
}

// What redux makes of 7 t - 100 in each warp.
static uint32_t reduced(uint32_t t, char how)
{
    uint32_t r = 7 * (t / 32 * 32) - 100;
    for (uint32_t k = 1; k < 32; k++) {
        const uint32_t x = 7 * (t / 32 * 32 + k) - 100;
        const bool less = how == '<' || how == '>' ? (int32_t)x < (int32_t)r : x < r;
        if (how == '&') r &= x;
        if (how == '|') r |= x;
        if (how == '^') r ^= x;
        if (how == '+') r += x;
        if ((how == '<' || how == 'l') && less) r = x;
        if ((how == '>' || how == 'g') && !less) r = x;
    }
    return r;
}
#define REDUCED(name, how)                                                               \
    static uint32_t name(uint32_t t)                                                     \
    {                                                                                    \
        return reduced(t, how);                                                          \
    }
REDUCED(joined, '&')
REDUCED(any_bit, '|')
REDUCED(parity, '^')
REDUCED(sum, '+')
REDUCED(least_signed, '<')
REDUCED(most_signed, '>')
REDUCED(least_unsigned, 'l')
REDUCED(most_unsigned, 'g')

static void words_are_reduced_in_every_way(void **state)
{
    static const struct {
        const char *name;
        expected_word *expected;
    } cases[] = {{"and.b32", joined},       {"or.b32", any_bit},
                 {"xor.b32", parity},       {"add.u32", sum},
                 {"add.s32", sum},          {"min.s32", least_signed},
                 {"max.s32", most_signed},  {"min.u32", least_unsigned},
                 {"max.u32", most_unsigned}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[256];
        snprintf(text, sizeof text,
                 "mad.lo.u32 %%a0, %%t, 7, -100; redux.sync.%s %%r, %%a0, -1;",
                 cases[i].name);
        check("", text, 64, cases[i].expected);
    }
}

// ---- addresses, and words that do nothing here ----

static uint32_t spaces(uint32_t t)
{
    (void)t;
    return 0x8421; // each is in its own space only
}

static void an_address_is_in_one_space(void **state)
{
    static const char *const names[] = {"global", "shared", "local", "const"};
    static const char *const homes[] = {"mov.u64 %y0, g; cvta.global.u64 %y0, %y0;",
                                        "mov.u64 %y0, s; cvta.shared.u64 %y0, %y0;",
                                        "mov.u64 %y0, l; cvta.local.u64 %y0, %y0;",
                                        "mov.u64 %y0, c; cvta.const.u64 %y0, %y0;"};
    char text[2048] = ".shared .b32 s; .local .b32 l;\n";
    (void)state;
    for (int home = 0; home < 4; home++) {
        strcat(strcat(text, homes[home]), "\n");
        for (int k = 0; k < 4; k++) {
            char line[128];
            snprintf(line, sizeof line,
                     "isspacep.%s %%p0, %%y0; @%%p0 or.b32 %%r, %%r, %d;\n", names[k],
                     1 << (4 * home + k));
            strcat(text, line);
        }
    }
    check(globals, text, 64, spaces);
}

static uint32_t loaded(uint32_t t)
{
    (void)t;
    return 70000;
}

static void hints_change_nothing(void **state)
{
    static const char *const names[] = {
        "",
        "prefetchu.L1 [%y0];",
        "prefetch.global.L2 [%y0];",
        "prefetch.global.L1 [%y0];",
        "nanosleep.u32 20;",
        "discard.global.L2 [%y2], 128;",
        "createpolicy.range.L2::evict_last.L2::evict_unchanged.b64 %y1, [%y0], 4, 4;",
        "createpolicy.cvt.L2.b64 %y1, 7;",
        "griddepcontrol.wait;",
        "membar.cta;",
        "membar.gl;",
        "membar.sys;",
        "fence.acq_rel.cta;",
        "fence.sc.gpu;",
        "fence.acq_rel.sys;"};
    (void)state;
    CHECK_SPELLED(names,
                  "mov.u64 %y0, g; cvta.global.u64 %y0, %y0; mov.u64 %y2, h;\n"
                  "cvta.global.u64 %y2, %y2; ",
                  "\nldu.global.u32 %r, [%y0];", loaded);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_barrier_waits),
    cmocka_unit_test(every_arrival_is_waited_for),
    cmocka_unit_test(every_reduction_at_a_barrier_sees_all_threads),
    cmocka_unit_test(lanes_that_match_are_found),
    cmocka_unit_test(one_lane_of_those_named_is_elected),
    cmocka_unit_test(words_are_reduced_in_every_way),
    cmocka_unit_test(an_address_is_in_one_space),
    cmocka_unit_test(hints_change_nothing),
};

HONE_TEST_MAIN(tests)
