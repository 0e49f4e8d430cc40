// Results at the tuned size, on a fake machine: with a reference, without one, and where
// nobody can be sure.
#include <string.h>

#include "fake/fake_machine.h"
#include "hone/evaluate.h"
#include "hone_test.h"

static struct hone_device device;

static void open_kernel(struct scale_kernel *k, unsigned flags, unsigned evaluate_flags)
{
    struct hone_error err = {0};
    fake_counts = (struct fake_counts){0};
    fake_reference_mode = SCALE_RIGHT;
    fake_device_init(&device, HONE_CLOCK_EVENT);
    assert_ok(scale_open(k, &device, &fake_builder_object, flags, evaluate_flags, &err),
              err);
}

static void close_kernel(struct scale_kernel *k)
{
    scale_close(k);
    assert_int_equal(fake_counts.tickets, 0);
    assert_int_equal(fake_counts.builds_held, 0);
    assert_int_equal(fake_counts.modules, 0);
    assert_int_equal(fake_counts.blocks, 0);
}

enum { MOST = 6 };

struct asked {
    struct hone_trial trials[MOST];
    struct hone_confirmation confirmation;
};

// Twins are numbered by how often a mode came before.
static void confirm(struct scale_kernel *k, struct asked *asked,
                    const enum scale_mode *modes, size_t count)
{
    struct hone_error err = {0};
    for (size_t i = 0; i < count; i++) {
        uint16_t twin = 0;
        for (size_t j = 0; j < i; j++)
            twin = (uint16_t)(twin + (modes[j] == modes[i]));
        asked->trials[i] = hone_trial_make(scale_index(k, modes[i], twin), HONE_VALID);
    }
    asked->confirmation = (struct hone_confirmation){
        .trials = asked->trials, .count = count, .seconds = 60};
    struct hone_evaluator *e = k->evaluator;
    assert_ok(e->fns->confirm(e, &asked->confirmation, &err), err);
}

static void expect(const struct hone_trial *trial, enum hone_outcome outcome,
                   const char *compared)
{
    if (trial->outcome != outcome ||
        strncmp(trial->compared, compared, strlen(compared)) != 0)
        fail_msg("%s, compared '%s': %s", hone_outcome_name(trial->outcome),
                 trial->compared, trial->reason);
}

static void the_reference_tells_who_is_wrong_at_the_tuned_size(void **state)
{
    (void)state;
    struct scale_kernel k;
    struct asked asked;
    const enum scale_mode modes[] = {SCALE_LARGE_WRONG, SCALE_RIGHT, SCALE_NEARLY_RIGHT};
    open_kernel(&k, 0, 0);
    confirm(&k, &asked, modes, 3);
    expect(&asked.trials[0], HONE_WRONG_RESULT, "reference");
    expect(&asked.trials[1], HONE_VALID, "reference");
    expect(&asked.trials[2], HONE_VALID, "reference"); // within the tolerance
    const char *reason = asked.trials[0].reason;
    assert_non_null(strstr(reason, "y[3] is "));
    assert_non_null(strstr(reason, ", reference "));
    assert_non_null(strstr(reason, ", off by 0.25, allowed "));
    assert_non_null(strstr(reason, "; 1 of 100 wrong, at N=100, the tuned size"));
    assert_int_equal(asked.trials[0].found->finding, HONE_FINDING_MISMATCH);
    assert_string_equal(asked.trials[0].found->buffer, "y");
    close_kernel(&k);
}

static void each_is_launched_three_times_and_the_reference_once(void **state)
{
    (void)state;
    struct scale_kernel k;
    struct asked asked;
    const enum scale_mode modes[] = {SCALE_RIGHT, SCALE_NEARLY_RIGHT};
    open_kernel(&k, 0, 0);
    const size_t before = fake_counts.launches;
    confirm(&k, &asked, modes, 2);
    assert_int_equal(fake_counts.launches - before, 1 + 2 * 3);
    confirm(&k, &asked, modes, 2); // what the reference computed is kept
    assert_int_equal(fake_counts.launches - before, 1 + 4 * 3);
    close_kernel(&k);
}

static void what_changes_from_launch_to_launch_is_wrong(void **state)
{
    (void)state;
    for (unsigned flags = 0; flags < 2; flags++) { // SCALE_NO_REFERENCE, too
        struct scale_kernel k;
        struct asked asked;
        const enum scale_mode modes[] = {SCALE_RIGHT, SCALE_UNSTEADY, SCALE_NEARLY_RIGHT};
        open_kernel(&k, flags ? SCALE_NO_REFERENCE : 0, 0);
        confirm(&k, &asked, modes, 3);
        expect(&asked.trials[0], HONE_VALID, flags ? "majority" : "reference");
        expect(&asked.trials[1], HONE_WRONG_RESULT, "");
        assert_non_null(strstr(asked.trials[1].reason, "its first launch "));
        close_kernel(&k);
    }
}

// In each of these ways: it hangs, does not build, is not there.
static void a_majority_decides_where_the_reference_gives_nothing(void **state)
{
    (void)state;
    const struct {
        enum scale_mode mode;
        unsigned flags;
    } cases[] = {
        {SCALE_ENDLESS, 0}, {SCALE_BROKEN, 0}, {SCALE_RIGHT, SCALE_NO_REFERENCE}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct scale_kernel k;
        struct asked asked;
        const enum scale_mode modes[] = {SCALE_LARGE_WRONG, SCALE_RIGHT,
                                         SCALE_NEARLY_RIGHT};
        open_kernel(&k, cases[i].flags, 0);
        fake_reference_mode = cases[i].mode; // from now on
        confirm(&k, &asked, modes, 3);
        expect(&asked.trials[0], HONE_WRONG_RESULT, "majority");
        expect(&asked.trials[1], HONE_VALID, "majority");
        expect(&asked.trials[2], HONE_VALID, "majority");
        assert_non_null(strstr(asked.trials[0].reason, ", the majority's "));
        assert_non_null(strstr(asked.trials[0].reason, "the tuned size"));
        assert_false(asked.confirmation.undecided);
        close_kernel(&k);
    }
}

// Kernels that share its mistake would agree with each other.
static void a_reference_that_is_wrong_there_ends_the_run(void **state)
{
    (void)state;
    const struct {
        enum scale_mode mode;
        const char *text;
    } cases[] = {
        {SCALE_UNWRITTEN, "fails (wrong_result): never writes y["},
        {SCALE_PAST_END, "fails (wrong_result): writes past the end of y"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct scale_kernel k;
        struct hone_error err = {0};
        struct hone_trial trials[2];
        struct hone_confirmation asked = {.trials = trials, .count = 2, .seconds = 60};
        open_kernel(&k, 0, 0);
        fake_reference_mode = cases[i].mode; // from now on
        trials[0] = hone_trial_make(scale_index(&k, SCALE_RIGHT, 0), HONE_VALID);
        trials[1] = hone_trial_make(scale_index(&k, SCALE_NEARLY_RIGHT, 0), HONE_VALID);
        assert_int_equal(k.evaluator->fns->confirm(k.evaluator, &asked, &err),
                         HONE_EINPUT);
        assert_true(asked.reference_wrong);
        if (!strstr(err.text, cases[i].text) ||
            !strstr(err.text, ", at N=100, the tuned size"))
            fail_msg("%s", err.text);
        close_kernel(&k);
    }
}

static void a_tie_refutes_nobody_and_is_said(void **state)
{
    (void)state;
    struct scale_kernel k;
    struct asked asked;
    const enum scale_mode modes[] = {SCALE_LARGE_WRONG, SCALE_RIGHT};
    open_kernel(&k, SCALE_NO_REFERENCE, 0);
    confirm(&k, &asked, modes, 2);
    assert_true(asked.confirmation.undecided);
    expect(&asked.trials[0], HONE_VALID,
           "no: no majority (reference: kernel 'scale' has");
    expect(&asked.trials[1], HONE_VALID, "no: no majority");
    close_kernel(&k);
}

static void equal_programs_have_one_vote(void **state)
{
    (void)state;
    struct scale_kernel k;
    struct asked asked;
    const enum scale_mode modes[] = {SCALE_LARGE_WRONG, SCALE_LARGE_WRONG, SCALE_RIGHT};
    open_kernel(&k, SCALE_NO_REFERENCE, 0);
    const size_t before = fake_counts.launches;
    confirm(&k, &asked, modes, 3);
    assert_int_equal(fake_counts.launches - before, 2 * 3);
    assert_true(asked.confirmation.undecided);
    for (size_t i = 0; i < 3; i++)
        expect(&asked.trials[i], HONE_VALID, "no: no majority");
    close_kernel(&k);
}

static void who_is_alone_has_nothing_to_be_compared_with(void **state)
{
    (void)state;
    struct scale_kernel k;
    struct asked asked;
    const enum scale_mode modes[] = {SCALE_RIGHT};
    open_kernel(&k, SCALE_NO_REFERENCE, 0);
    confirm(&k, &asked, modes, 1);
    expect(&asked.trials[0], HONE_VALID, "no: nothing to compare with");
    assert_true(asked.confirmation.undecided);
    close_kernel(&k);
}

static void without_time_nobody_is_compared(void **state)
{
    (void)state;
    struct scale_kernel k;
    struct hone_error err = {0};
    open_kernel(&k, 0, 0);
    struct hone_trial trial =
        hone_trial_make(scale_index(&k, SCALE_LARGE_WRONG, 0), HONE_VALID);
    struct hone_confirmation confirmation = {.trials = &trial, .count = 1};
    assert_ok(k.evaluator->fns->confirm(k.evaluator, &confirmation, &err), err);
    expect(&trial, HONE_VALID, "no: the time for it was over");
    close_kernel(&k);
}

static const struct hone_device_fns *prompt;
static double waited_s; // on top of the time that passes

double __real_hone_clock_seconds(void);
double __wrap_hone_clock_seconds(void);
double __wrap_hone_clock_thread_seconds(void);

double __wrap_hone_clock_seconds(void)
{
    return __real_hone_clock_seconds() + waited_s;
}

// Nothing here takes any.
double __wrap_hone_clock_thread_seconds(void)
{
    return 0;
}

// As on a machine that does much else meanwhile.
static enum hone_status launch_late(struct hone_device *on, struct hone_module *module,
                                    const struct hone_launch *launch,
                                    struct hone_fault *fault, struct hone_error *err)
{
    waited_s += 100;
    return prompt->launch(on, module, launch, fault, err);
}

static void confirm_late(enum hone_clock clock, unsigned flags, struct asked *asked)
{
    struct scale_kernel k;
    struct hone_error err = {0};
    open_kernel(&k, flags, 0);
    prompt = device.fns;
    struct hone_device_fns late = *prompt;
    late.launch = launch_late;
    device.fns = &late;
    device.clock = clock;
    asked->trials[0] = hone_trial_make(scale_index(&k, SCALE_RIGHT, 0), HONE_VALID);
    asked->trials[1] =
        hone_trial_make(scale_index(&k, SCALE_NEARLY_RIGHT, 0), HONE_VALID);
    asked->confirmation =
        (struct hone_confirmation){.trials = asked->trials, .count = 2, .seconds = 60};
    assert_ok(k.evaluator->fns->confirm(k.evaluator, &asked->confirmation, &err), err);
    device.fns = prompt;
    close_kernel(&k);
}

static void a_gpu_that_is_waited_for_spends_time(void **state)
{
    (void)state;
    struct asked asked;
    confirm_late(HONE_CLOCK_EVENT, 0, &asked);
    expect(&asked.trials[1], HONE_VALID, "no: the time for it was over");
    assert_true(asked.confirmation.spent_s >= 100);
}

static void to_verify_once_more_spends_time_too(void **state)
{
    (void)state;
    struct asked asked;
    confirm_late(HONE_CLOCK_EVENT, SCALE_NO_VERIFY_SIZES, &asked);
    expect(&asked.trials[1], HONE_VALID, "reference");
    assert_true(asked.confirmation.spent_s >= 200);
}

static void an_emulator_spends_processor_time_alone(void **state)
{
    (void)state;
    struct asked asked;
    confirm_late(HONE_CLOCK_EMULATED, 0, &asked);
    for (size_t i = 0; i < 2; i++)
        expect(&asked.trials[i], HONE_VALID, "reference");
    assert_true(asked.confirmation.spent_s == 0);
}

static void what_needs_other_buffers_is_not_compared(void **state)
{
    (void)state;
    struct scale_kernel k;
    struct asked asked; // SCALE_NEARLY_RIGHT wants 400 MB there
    const enum scale_mode modes[] = {SCALE_RIGHT, SCALE_NEARLY_RIGHT, SCALE_LARGE_WRONG};
    open_kernel(&k, SCALE_SIZE_BY_MODE | SCALE_NO_REFERENCE, 0);
    confirm(&k, &asked, modes, 3);
    expect(&asked.trials[1], HONE_VALID, "no: the size of y depends on parameters");
    assert_true(asked.confirmation.undecided); // the other two differ
    close_kernel(&k);
}

static void what_was_not_to_be_verified_is_not_compared(void **state)
{
    (void)state;
    struct scale_kernel k;
    struct asked asked;
    const enum scale_mode modes[] = {SCALE_LARGE_WRONG, SCALE_RIGHT};
    open_kernel(&k, 0, HONE_EVALUATE_NO_VERIFY);
    confirm(&k, &asked, modes, 2);
    for (size_t i = 0; i < 2; i++)
        expect(&asked.trials[i], HONE_VALID, "no: nothing was to be verified");
    close_kernel(&k);
}

static void what_was_verified_there_is_verified_once_more(void **state)
{
    (void)state;
    struct scale_kernel k;
    struct asked asked;
    const enum scale_mode modes[] = {SCALE_LARGE_WRONG, SCALE_RIGHT};
    open_kernel(&k, SCALE_NO_VERIFY_SIZES, 0);
    confirm(&k, &asked, modes, 2);
    expect(&asked.trials[0], HONE_WRONG_RESULT, "reference");
    expect(&asked.trials[1], HONE_VALID, "reference");
    close_kernel(&k);
}

static void a_lost_device_leaves_the_rest_undecided(void **state)
{
    (void)state;
    struct scale_kernel k;
    struct asked asked;
    const enum scale_mode modes[] = {SCALE_RIGHT, SCALE_LARGE_STICKY, SCALE_NEARLY_RIGHT};
    open_kernel(&k, 0, 0);
    confirm(&k, &asked, modes, 3);
    expect(&asked.trials[0], HONE_VALID, "reference");
    expect(&asked.trials[1], HONE_CRASHED, "");
    expect(&asked.trials[2], HONE_VALID, "no: illegal address");
    close_kernel(&k);
}

static void finals_are_timed_as_before_after_a_comparison(void **state)
{
    (void)state;
    struct scale_kernel k;
    struct asked asked;
    double costs[4];
    struct hone_error err = {0};
    const enum scale_mode modes[] = {SCALE_RIGHT, SCALE_LARGE_WRONG};
    open_kernel(&k, 0, 0);
    confirm(&k, &asked, modes, 2);
    const uint64_t indices[] = {asked.trials[0].index, asked.trials[1].index};
    const struct hone_contest contest = {.indices = indices, .count = 2, .rounds = 2};
    struct hone_evaluator *e = k.evaluator;
    assert_ok(e->fns->contest(e, &contest, costs, &err), err);
    assert_true(costs[0] == 100 && costs[1] == 100 + SCALE_LARGE_WRONG);
    close_kernel(&k);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_reference_tells_who_is_wrong_at_the_tuned_size),
    cmocka_unit_test(each_is_launched_three_times_and_the_reference_once),
    cmocka_unit_test(what_changes_from_launch_to_launch_is_wrong),
    cmocka_unit_test(a_majority_decides_where_the_reference_gives_nothing),
    cmocka_unit_test(a_reference_that_is_wrong_there_ends_the_run),
    cmocka_unit_test(a_tie_refutes_nobody_and_is_said),
    cmocka_unit_test(equal_programs_have_one_vote),
    cmocka_unit_test(who_is_alone_has_nothing_to_be_compared_with),
    cmocka_unit_test(without_time_nobody_is_compared),
    cmocka_unit_test(a_gpu_that_is_waited_for_spends_time),
    cmocka_unit_test(to_verify_once_more_spends_time_too),
    cmocka_unit_test(an_emulator_spends_processor_time_alone),
    cmocka_unit_test(what_needs_other_buffers_is_not_compared),
    cmocka_unit_test(what_was_not_to_be_verified_is_not_compared),
    cmocka_unit_test(what_was_verified_there_is_verified_once_more),
    cmocka_unit_test(a_lost_device_leaves_the_rest_undecided),
    cmocka_unit_test(finals_are_timed_as_before_after_a_comparison),
};

HONE_TEST_MAIN_WITH(tests, scale_set_up, scale_tear_down)
