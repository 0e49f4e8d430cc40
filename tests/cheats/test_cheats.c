// Kernels that try to be taken for right, as public contests of kernels have seen them,
// and an honest one of the same shape for each.
#include "../verdicts/verdict_file.h"
#include "../verdicts/verdict_run.h"

#include "base/log.h"
#include "hone_test.h"

#include <string.h>

static struct verdict_machine machine;
static struct verdict_file *file;

static int set_up(void **state)
{
    (void)state;
    if (verdict_machine_open(&machine)) file = verdict_file_read("../cheats/cheats.cu");
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    if (file) verdict_file_free(file);
    verdict_machine_close(&machine);
    return 0;
}

static struct hone_trial trial_of(const char *name)
{
    const struct verdict_kernel *kernel = verdict_file_find(file, name);
    assert_int_equal(kernel->launch_count, 1);
    return verdict_run(&machine, file, kernel, &kernel->launches[0]);
}

// Refused with this outcome and finding, and a reason that has these words; the twin is
// valid.
static void check_pair(const char *cheat, enum hone_finding finding, const char *words,
                       const char *twin)
{
    if (!machine.builder) SKIP("no NVRTC or no emulator");
    const struct hone_trial refused = trial_of(cheat);
    if (refused.found->finding != finding || !strstr(refused.reason, words))
        fail_msg("%s: %s, %s: %s", cheat, hone_outcome_name(refused.outcome),
                 hone_finding_name(refused.found->finding), refused.reason);
    assert_int_not_equal(refused.outcome, HONE_VALID);
    const struct hone_trial honest = trial_of(twin);
    if (honest.outcome != HONE_VALID)
        fail_msg("%s: %s: %s", twin, hone_outcome_name(honest.outcome), honest.reason);
}

static void an_answer_that_is_kept_is_refused(void **state)
{
    (void)state;
    check_pair("keeps_its_first_answer", HONE_FINDING_STATE,
               "right at first, wrong when its inputs change: y[",
               "scratch_in_a_module_variable");
}

static void an_answer_kept_by_a_few_elements_is_refused(void **state)
{
    (void)state;
    check_pair("keeps_answers_by_a_few_elements", HONE_FINDING_STATE,
               "right at first, wrong when its inputs change: y[",
               "looks_at_a_few_elements");
}

static void an_answer_kept_by_address_is_refused(void **state)
{
    (void)state;
    check_pair("keeps_answers_by_address", HONE_FINDING_STATE,
               "right at first, wrong when its inputs change: y[", "fills_a_table_once");
}

static void an_answer_that_knows_the_seed_is_refused(void **state)
{
    (void)state;
    check_pair("knows_the_answer_of_the_seed", HONE_FINDING_MISMATCH,
               "right at first, wrong when its inputs change: y[0] is 33, reference ",
               "counts_by_a_vote");
}

static void an_answer_that_knows_the_address_is_refused(void **state)
{
    (void)state;
    check_pair("right_where_it_was_first", HONE_FINDING_MISMATCH,
               "right at first, wrong when its buffers lie elsewhere: y[",
               "one_way_for_each_alignment");
}

static void right_for_ten_calls_is_not_right(void **state)
{
    (void)state;
    check_pair("right_for_ten_calls", HONE_FINDING_STATE,
               "right 10 times, wrong when launched again: y[", "counts_its_calls");
}

static void the_same_for_six_calls_is_not_right_without_a_reference(void **state)
{
    (void)state;
    check_pair("the_same_for_six_calls", HONE_FINDING_STATE,
               "right 6 times, wrong when launched again: y[", "the_same_for_ever");
}

static void right_every_other_time_is_not_right(void **state)
{
    (void)state;
    check_pair("every_other_call", HONE_FINDING_STATE,
               "right at first, wrong when launched again: y[", "fills_a_table_once");
}

static void a_ticket_has_to_be_given_back(void **state)
{
    (void)state;
    check_pair("ticket_that_is_left", HONE_FINDING_STATE,
               "right at first, wrong when launched again: never writes y[0]",
               "ticket_that_is_reset");
}

static void what_is_no_number_has_to_be_written(void **state)
{
    (void)state;
    check_pair("leaves_what_is_no_number", HONE_FINDING_NEVER_WRITES, "never writes y[",
               "writes_what_is_no_number");
}

static void what_an_output_held_does_not_count(void **state)
{
    (void)state;
    check_pair(
        "largest_of_what_was_there", HONE_FINDING_NEVER_WRITES,
        "right at first, wrong when its outputs held something else before: never ",
        "largest_from_the_first");
}

static void an_answer_kept_in_the_workspace_is_refused(void **state)
{
    (void)state;
    check_pair("keeps_its_answer_in_the_workspace", HONE_FINDING_STATE, "y[",
               "writes_the_workspace_first");
}

static void precision_that_is_lowered_is_refused(void **state)
{
    (void)state;
    check_pair("products_of_halves", HONE_FINDING_MISMATCH, ", off by ",
               "products_in_two_sums");
}

static void shared_memory_that_was_not_asked_for_is_refused(void **state)
{
    (void)state;
    check_pair("shared_beyond_what_was_asked", HONE_FINDING_OUT_OF_BOUNDS, "shared",
               "shared_to_its_last_byte");
}

struct heard {
    const char *wanted;
    size_t count;
};

static void hear(void *context, enum hone_log_level level, const char *line)
{
    struct heard *heard = context;
    heard->count += level == HONE_LOG_WARNING && strstr(line, heard->wanted);
}

static size_t warnings_of(const char *name, const char *wanted)
{
    struct heard heard = {.wanted = wanted};
    hone_log_set(hear, &heard);
    trial_of(name);
    hone_log_set(NULL, NULL);
    return heard.count;
}

static void variables_that_nothing_wrote_are_told(void **state)
{
    (void)state;
    if (!machine.builder) SKIP("no NVRTC or no emulator");
    assert_int_equal(warnings_of("keeps_its_first_answer",
                                 "reads its module variable 'kept_answer_is_there'"),
                     1);
    assert_int_equal(warnings_of("scratch_in_a_module_variable", "module variable"), 0);
    assert_int_equal(warnings_of("ticket_that_is_reset", "module variable"), 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(variables_that_nothing_wrote_are_told),
    cmocka_unit_test(an_answer_that_is_kept_is_refused),
    cmocka_unit_test(an_answer_kept_by_a_few_elements_is_refused),
    cmocka_unit_test(an_answer_kept_by_address_is_refused),
    cmocka_unit_test(an_answer_that_knows_the_seed_is_refused),
    cmocka_unit_test(an_answer_that_knows_the_address_is_refused),
    cmocka_unit_test(right_for_ten_calls_is_not_right),
    cmocka_unit_test(the_same_for_six_calls_is_not_right_without_a_reference),
    cmocka_unit_test(right_every_other_time_is_not_right),
    cmocka_unit_test(a_ticket_has_to_be_given_back),
    cmocka_unit_test(what_is_no_number_has_to_be_written),
    cmocka_unit_test(what_an_output_held_does_not_count),
    cmocka_unit_test(an_answer_kept_in_the_workspace_is_refused),
    cmocka_unit_test(precision_that_is_lowered_is_refused),
    cmocka_unit_test(shared_memory_that_was_not_asked_for_is_refused),
};

HONE_TEST_MAIN_WITH(tests, set_up, tear_down)
