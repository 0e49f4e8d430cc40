// Functions: what a call passes and returns, which lanes it runs for, what is refused;
// branches by a table.
#include "emu_calls_frame.h"

static void check_refused(const char *functions, const char *body,
                          enum hone_outcome outcome, const char *reason)
{
    struct emu emu;
    emu_open(&emu);
    assert_false(load(&emu, functions, body));
    assert_int_equal(emu.fault.outcome, outcome);
    assert_string_equal(emu.fault.reason, reason);
    emu_close(&emu);
}

// ---- calls ----

#define SQUARE                                                                           \
    ".func (.param .b32 result) square(.param .b32 x) {\n.reg .b32 %r<3>;\n"             \
    "ld.param.u32 %r1, [x]; mul.lo.u32 %r2, %r1, %r1;\n"                                 \
    "st.param.b32 [result+0], %r2; ret;\n}\n"
#define CALL_SQUARE                                                                      \
    "{ .param .b32 a; .param .b32 b; st.param.b32 [a], %t;\n"                            \
    "call.uni (b), square, (a); ld.param.b32 %r0, [b]; }"

static uint32_t squared(uint32_t t)
{
    return t * t;
}

static uint32_t squared_twice(uint32_t t)
{
    return t * t * t * t;
}

static uint32_t squared_below_5(uint32_t t)
{
    return t < 5 ? t * t : 7;
}

static void values_are_passed_and_returned(void **state)
{
    (void)state;
    check(SQUARE, CALL_SQUARE, squared);
    // declared ahead, defined behind
    check(".func (.param .b32 result) square(.param .b32 x);\n" SQUARE, CALL_SQUARE,
          squared);
    // a function that calls one
    check(SQUARE ".func (.param .b32 result) fourth(.param .b32 x) {\n.reg .b32 %r<3>;\n"
                 ".param .b32 y; .param .b32 z; ld.param.u32 %r1, [x];\n"
                 "st.param.b32 [y], %r1; call (z), square, (y); ld.param.u32 %r1, [z];\n"
                 "st.param.b32 [y], %r1; call (z), square, (y); ld.param.u32 %r2, [z];\n"
                 "st.param.b32 [result], %r2;\n}\n",
          "{ .param .b32 a; .param .b32 b; st.param.b32 [a], %t;\n"
          "call (b), fourth, (a); ld.param.b32 %r0, [b]; }",
          squared_twice);
}

static void registers_and_numbers_are_arguments(void **state)
{
    (void)state;
    check(SQUARE, "call (%r0), square, (%t);", squared);
    check(".func (.reg .u32 %y) square(.reg .u32 %x) { mul.lo.u32 %y, %x, %x; }\n",
          "call (%r0), square, (%t);", squared);
    check(".func (.reg .u32 %y) power(.reg .u32 %x, .reg .pred %p) {\n"
          "mul.lo.u32 %y, %x, %x; @!%p mov.u32 %y, 7; }\n",
          "call (%r0), power, (%t, %p1);", squared_below_5);
    check(SQUARE, "mov.u32 %r0, 7; call (_), square, (3); mul.lo.u32 %r0, %t, %t;",
          squared);
}

static uint32_t of_parts(uint32_t t)
{
    return 0x00030201U + t + (t + 5);
}

static void arrays_and_vectors_are_arguments(void **state)
{
    (void)state;
    check(".func (.param .align 8 .b8 result[8]) swap(.param .align 8 .b8 x[12]) {\n"
          ".reg .b32 %r<4>; .reg .b16 %h<4>; ld.param.v2.u32 {%r1, %r2}, [x];\n"
          "ld.param.v4.u8 {%h0, %h1, %h2, %h3}, [x+8];\n"
          "st.param.v4.b8 [result], {%h3, %h2, %h1, %h0};\n"
          "add.u32 %r1, %r1, %r2; st.param.b32 [result+4], %r1; ret;\n}\n",
          "{ .param .align 8 .b8 a[12]; .param .align 8 .b8 b[8];\n"
          "add.u32 %r1, %t, 5; st.param.v2.b32 [a], {%t, %r1};\n"
          "st.param.v4.b8 [a+8], {1, 2, 3, 0}; call (b), swap, (a);\n"
          "ld.param.v2.b32 {%r0, %r1}, [b]; prmt.b32 %r0, %r0, 0, 0x0123;\n"
          "add.u32 %r0, %r0, %r1; }",
          of_parts);
}

static uint32_t by_parity(uint32_t t)
{
    return t % 2 ? t * 100 : t * t;
}

static void lanes_that_do_not_call_are_left_alone(void **state)
{
    (void)state;
    check(SQUARE,
          "{ .param .b32 a; .param .b32 b; st.param.b32 [a], %t; st.param.b32 [b], 7;\n"
          "@%p1 call (b), square, (a); ld.param.b32 %r0, [b]; }",
          squared_below_5);
    check(SQUARE, "@!%p1 bra NOT;\n" CALL_SQUARE "\nNOT:", squared_below_5);
    // each lane leaves by its own ret, after as many turns as its number
    check(".func (.reg .u32 %s) turns(.reg .u32 %n) {\n.reg .u32 %i; .reg .pred %p;\n"
          "mov.u32 %s, 0; mov.u32 %i, 0;\nL: setp.ge.u32 %p, %i, %n; @%p ret;\n"
          "add.u32 %s, %s, %n; add.u32 %i, %i, 1; bra L;\n}\n"
          ".func (.reg .u32 %s) times(.reg .u32 %n) { mul.lo.u32 %s, %n, 100; ret; }\n",
          "and.b32 %r1, %t, 1; setp.eq.u32 %p2, %r1, 0;\n"
          "@%p2 call (%r0), turns, (%t);\n@!%p2 call (%r0), times, (%t);",
          by_parity);
}

static uint32_t through_frames(uint32_t t)
{
    return t * 2 + 3;
}

static void each_call_has_variables_and_labels_of_its_own(void **state)
{
    (void)state;
    check(".func (.reg .u32 %y) inner(.reg .u32 %x) {\n.local .b32 slot;\n"
          "st.local.u32 [slot], %x; bra L; trap;\nL: ld.local.u32 %y, [slot]; }\n"
          ".func (.reg .u32 %y) outer(.reg .u32 %x) {\n.local .b32 slot;\n.reg .u32 %z;\n"
          "st.local.u32 [slot], %x; add.u32 %z, %x, 3; call (%y), inner, (%z);\n"
          "bra L; trap;\nL: ld.local.u32 %z, [slot]; add.u32 %y, %y, %z; }\n",
          "bra L; trap;\nL: call (%r0), outer, (%t);", through_frames);
}

static uint32_t of_neighbour(uint32_t t)
{
    return t ^ 1;
}

static void shared_memory_of_a_function_is_the_blocks(void **state)
{
    (void)state; // what one copy stores another one loads
    check(".func (.reg .u32 %y) swap(.reg .u32 %x, .reg .u32 %at) {\n"
          ".shared .b32 slots[32];\n.reg .b32 %a<3>; shl.b32 %a1, %x, 2;\n"
          "mov.u32 %a2, slots; add.u32 %a1, %a1, %a2; shl.b32 %a0, %at, 2;\n"
          "add.u32 %a0, %a0, %a2; ld.volatile.shared.u32 %y, [%a0];\n"
          "st.volatile.shared.u32 [%a1], %x; bar.sync 0;\n}\n",
          ".shared .b32 z; mov.u32 %r1, z; xor.b32 %r1, %t, 1; call (_), swap, "
          "(%t, %t);\n"
          "call (%r0), swap, (%t, %r1);",
          of_neighbour);
}

// ---- calls by an address ----

// Two functions of one type, and one of another that is taken, too.
#define FUNCTIONS                                                                        \
    SQUARE                                                                               \
    ".func (.param .b32 result) twice(.param .b32 x) {\n.reg .b32 %r<3>;\n"              \
    "ld.param.u32 %r1, [x]; shl.b32 %r2, %r1, 1; st.param.b32 [result], %r2; ret;\n}\n"  \
    ".func (.param .b64 result) wide(.param .b64 x) {\n.reg .b64 %r<3>;\n"               \
    "ld.param.u64 %r1, [x]; st.param.b64 [result], %r1; ret;\n}\n"                       \
    ".global .align 8 .u64 table[4] = {square, twice, wide, square};\n"
#define CALL(guard, address)                                                             \
    "{ .param .b32 a; .param .b32 b; st.param.b32 [a], %t;\n"                            \
    "proto : .callprototype (.param .b32 _) _ (.param .b32 _);\n" guard                  \
    " call (b), " address ", (a), proto; " guard " ld.param.b32 %r0, [b]; }"

static uint32_t of_the_table(uint32_t t)
{
    return t % 2 ? 2 * t : t * t;
}

static uint32_t of_the_first_five(uint32_t t)
{
    return t < 5 ? t * t : 7;
}

static void an_address_tells_which_function_is_called(void **state)
{
    (void)state;
    check(FUNCTIONS,
          "and.b32 %r1, %t, 1; mul.wide.u32 %x1, %r1, 8; mov.u64 %x2, table;\n"
          "add.u64 %x1, %x1, %x2; ld.global.u64 %x3, [%x1];\n" CALL("", "%x3"),
          of_the_table);
    check(FUNCTIONS,
          "mov.u64 %x1, square; mov.u64 %x2, twice; and.b32 %r1, %t, 1;\n"
          "setp.eq.u32 %p2, %r1, 0; selp.b64 %x3, %x1, %x2, %p2;\n" CALL("", "%x3"),
          of_the_table);
    check(FUNCTIONS, "ld.global.u64 %x3, table[3];\n" CALL("@%p1", "%x3"),
          of_the_first_five);
}

// Who takes the address is linked behind the call.
static void an_address_may_be_taken_behind_the_call(void **state)
{
    (void)state;
    check(
        SQUARE ".func (.param .b64 p) pick() {\n.reg .b64 %x<2>;\n"
               "mov.u64 %x1, square; st.param.b64 [p], %x1; ret;\n}\n",
        "{ .param .b64 p; mov.pred %p2, 1; mov.u32 %r1, 0;\n"
        "again: @%p2 bra skip;\n" CALL(
            "", "%x3") "\n"
                       "skip: call (p), pick; ld.param.b64 %x3, [p]; mov.pred %p2, 0;\n"
                       "add.u32 %r1, %r1, 1; setp.lt.u32 %p3, %r1, 2; @%p3 bra again; }",
        squared);
}

static void an_address_of_no_such_function_is_a_trap(void **state)
{
    static const char *const bodies[] = {
        "mov.u64 %x3, 5;\n" CALL("", "%x3"),
        "mov.u64 %x1, square; ld.global.u64 %x3, [table+16];\n" CALL("", "%x3")};
    (void)state;
    for (int k = 0; k < 2; k++) {
        struct emu emu;
        uint32_t out[THREADS];
        emu_open(&emu);
        if (!load(&emu, FUNCTIONS, bodies[k]))
            fail_msg("%s: %s", bodies[k], emu.fault.reason);
        run(&emu, out);
        assert_int_equal(emu.fault.outcome, HONE_CRASHED);
        assert_int_equal(emu.fault.finding, HONE_FINDING_TRAP);
        emu_close(&emu);
    }
}

// ---- refusals ----

static void what_cannot_be_copied_is_refused_by_name(void **state)
{
    char doubling[8192] = ".func f0() { .reg .u32 %r; mov.u32 %r, 0; }\n";
    (void)state;
    check_refused(".func a();\n.func b() { call a; }\n.func a() { call b; }\n", "call a;",
                  HONE_UNSUPPORTED, "a recursive call of a at PTX line 5");
    check_refused(".func a(.param .b64 f);\n.func a(.param .b64 f) {\n.reg .b64 %f;\n"
                  "ld.param.u64 %f, [f]; proto : .callprototype _ (.param .b64 _);\n"
                  "call %f, (%f), proto; ret; }\n",
                  "mov.u64 %x1, a; call a, (%x1);", HONE_UNSUPPORTED,
                  "a recursive call of a, which an address may mean at PTX line 8");
    check_refused(".extern .func malloc(.param .b64 n);\n", "call malloc, (8);",
                  HONE_UNSUPPORTED, "a call of malloc, which has no body at PTX line 9");
    check_refused("", "call nobody;", HONE_LAUNCH_FAILED,
                  "bad PTX, line 8: no function 'nobody'");
    check_refused(SQUARE, "call (%r0), square;", HONE_LAUNCH_FAILED,
                  "bad PTX, line 13: wrong argument in a call of square");
    check_refused(SQUARE, "call (%r0), square, (%t, %t);", HONE_LAUNCH_FAILED,
                  "bad PTX, line 13: wrong argument in a call of square");
    for (int i = 1; i < 40; i++)
        snprintf(doubling + strlen(doubling), sizeof doubling - strlen(doubling),
                 ".func f%d() { call f%d; call f%d; }\n", i, i - 1, i - 1);
    check_refused(doubling, "call f39;", HONE_UNSUPPORTED,
                  "over 262144 scopes at PTX line 5");
}

// ---- branches by a table ----

static uint32_t by_table(uint32_t t)
{
    return t % 4 == 3 ? 7 : (t % 4 + 1) * 11;
}

static void a_table_sends_each_lane_to_its_label(void **state)
{
    struct emu emu;
    uint32_t out[THREADS];
    const char *cases = "T: .branchtargets A, B, C, D;\n@%p2 brx.idx %r1, T;\nbra D;\n"
                        "B: mov.u32 %r0, 22; bra D;\nA: mov.u32 %r0, 11; bra D;\n"
                        "C: mov.u32 %r0, 33;\nD:";
    char body[512];
    (void)state;
    snprintf(body, sizeof body, "and.b32 %%r1, %%t, 3; setp.ne.u32 %%p2, %%t, 32;\n%s",
             cases);
    check("", body, by_table);
    snprintf(body, sizeof body, "and.b32 %%r1, %%t, 3; setp.ne.u32 %%p2, %%r1, 3;\n%s",
             cases);
    check("", body, by_table);
    snprintf(body, sizeof body, "mov.u32 %%r1, %%t; setp.ne.u32 %%p2, %%t, 32;\n%s",
             cases);
    emu_open(&emu);
    if (!load(&emu, "", body)) fail_msg("%s", emu.fault.reason);
    run(&emu, out);
    assert_string_equal(emu.fault.reason,
                        "trap at block (0,0,0) thread (4,0,0) of k, PTX line 10");
    emu_close(&emu);
}

// ---- as compiled ----

static float scaled(float x, int n)
{
    return n > 3 ? x * (float)n : x;
}

static int sum_of_squares(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 8; k++)
            if (k * 3 % 8 == i % 8) sum += k * k + n;
    return sum;
}

static void functions_as_compiled_equal_the_host(void **state)
{
    struct emu emu;
    float data[THREADS], expected[THREADS];
    int32_t n = 2;
    (void)state;
    for (int t = 0; t < THREADS; t++) {
        float x = (float)t * 0.25f, changed = t % 2 ? 1.0f + x : 1.0f;
        int tag = t % 2 ? t + 1 : t, name = 3;
        data[t] = x;
        expected[t] = (t % 2 ? x : scaled(x, t)) +
                      (changed + (float)tag + (float)name + (float)sum_of_squares(t % 5));
    }
    emu_open(&emu);
    char *text = emu_read_ptx("corpus/calls.ptx");
    if (!emu_load(&emu, text, "calls")) fail_msg("%s", emu.fault.reason);
    hone_devptr p = emu_buffer(&emu, data, sizeof data);
    struct emu_args args = {0};
    EMU_ARG(args, p), EMU_ARG(args, n);
    struct hone_launch launch = emu_geometry(&args, 1, THREADS);
    launch.check = true;
    if (!emu_run(&emu, &launch)) fail_msg("%s", emu.fault.reason);
    emu_fetch(&emu, data, p, sizeof data);
    assert_memory_equal(data, expected, sizeof data);
    free(text);
    emu_close(&emu);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(values_are_passed_and_returned),
    cmocka_unit_test(registers_and_numbers_are_arguments),
    cmocka_unit_test(arrays_and_vectors_are_arguments),
    cmocka_unit_test(lanes_that_do_not_call_are_left_alone),
    cmocka_unit_test(each_call_has_variables_and_labels_of_its_own),
    cmocka_unit_test(shared_memory_of_a_function_is_the_blocks),
    cmocka_unit_test(an_address_tells_which_function_is_called),
    cmocka_unit_test(an_address_may_be_taken_behind_the_call),
    cmocka_unit_test(an_address_of_no_such_function_is_a_trap),
    cmocka_unit_test(what_cannot_be_copied_is_refused_by_name),
    cmocka_unit_test(a_table_sends_each_lane_to_its_label),
    cmocka_unit_test(functions_as_compiled_equal_the_host),
};

HONE_TEST_MAIN(tests)
