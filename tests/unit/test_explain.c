// What is said of kernels with a planted fault, and of healthy ones: the oracle is the
// planting. The kernels are in tests/explain, compiled by NVRTC and counted on an emulated
// A100; sizes are such that nothing but the fault keeps them.
#include <math.h>
#include <string.h>

#include "hone_test.h"
#include "insight/diagnosis.h"
#include "insight/journal_space.h"
#include "tuning/probe.h"

#define FOLDER HONE_SOURCE_DIR "/tests/explain/"

// By the number of PLANT; the first is healthy.
static const enum hone_cause planted[] = {
    HONE_CAUSE_COUNT,  HONE_CAUSE_BANK_CONFLICTS, HONE_CAUSE_UNCOALESCED,
    HONE_CAUSE_SPILLS, HONE_CAUSE_OCCUPANCY,      HONE_CAUSE_TAIL};

static enum hone_status choose_all(void *context, struct hone_probe_list *list,
                                   struct hone_error *err)
{
    (void)context;
    enum hone_status status = HONE_OK;
    for (uint64_t i = 0; status == HONE_OK && i < hone_space_count(list->target->space);
         i++)
        status = hone_probe_add(list, i, err);
    return status;
}

// Every configuration of a script of the folder, run on the emulated GPU.
static struct hone_recording *run(const char *script)
{
    char path[512];
    struct hone_error err = {0};
    struct hone_recording *recording = NULL;
    snprintf(path, sizeof path, FOLDER "%s.lua", script);
    const struct hone_tuning_options options = {
        .script = path, .device = "emu:a100", .builder = {.cache_folder = ""}};
    const struct hone_probe_options probe = {.tuning = &options, .choose = choose_all};
    const enum hone_status status = hone_probe_run(&recording, &probe, &err);
    if (status == HONE_ENODEVICE) SKIP("%s", err.text);
    assert_ok(status, err);
    return recording;
}

static void diagnose(struct hone_diagnosis *out, const struct hone_recording *recording,
                     const struct hone_trial *trial)
{
    struct hone_machine machine;
    struct hone_work work;
    struct hone_space *space;
    struct hone_error err = {0};
    if (trial->outcome != HONE_VALID) fail_msg("%s", trial->reason);
    assert_true(hone_machine_of(&machine, hone_recording_info(recording)));
    assert_string_equal(machine.gpu, "a100");
    assert_ok(hone_journal_space(&space, hone_recording_info(recording), &err), err);
    assert_ok(hone_journal_work(&work, recording, space, trial, &err), err);
    hone_space_free(space);
    hone_diagnosis_make(out, &machine, &work, trial);
    assert_true(out->usage.counted);
    // Its metrics, of 9 digits in a journal, are enough to compute its prediction anew.
    assert_true(fabs(out->usage.time.time_us / trial->predicted_us - 1) < 1e-7);
    assert_true(out->usage.time.even_sm_us <= out->usage.time.sm_us * (1 + 1e-9));
}

// Nothing else may be named: each kernel has one fault.
static void assert_named(const struct hone_diagnosis *found, enum hone_cause cause,
                         const char *script)
{
    for (size_t i = 0; i < found->cause_count; i++)
        if (found->causes[i].cause != cause)
            fail_msg("%s with %s: %s is named, %.1f %%", script,
                     cause == HONE_CAUSE_COUNT ? "nothing" : hone_cause_word(cause),
                     hone_cause_word(found->causes[i].cause),
                     100 * found->causes[i].gain);
    if (cause != HONE_CAUSE_COUNT && !found->cause_count)
        fail_msg("%s: %s is not named", script, hone_cause_word(cause));
}

static void check_planted(const char *script)
{
    struct hone_recording *recording = run(script);
    const size_t count = sizeof planted / sizeof *planted;
    assert_int_equal(hone_recording_count(recording), count);
    for (size_t i = 0; i < count; i++) {
        const struct hone_trial *trial = hone_recording_trial(recording, i);
        struct hone_diagnosis found;
        uint16_t plant;
        hone_space_choices(hone_recording_space(recording), trial->index, &plant);
        diagnose(&found, recording, trial);
        assert_named(&found, planted[plant], script);
    }
    hone_recording_free(recording);
}

static void faults_of_a_product_are_named(void **state)
{
    (void)state;
    check_planted("matmul");
}

static void faults_of_a_transposition_are_named(void **state)
{
    (void)state;
    check_planted("transpose");
}

static void faults_of_a_softmax_are_named(void **state)
{
    (void)state;
    check_planted("softmax");
}

static void check_healthy(const char *script, enum hone_limit limit)
{
    struct hone_recording *recording = run(script);
    struct hone_diagnosis found;
    diagnose(&found, recording, hone_recording_trial(recording, 0));
    assert_named(&found, HONE_CAUSE_COUNT, script);
    assert_string_equal(hone_limit_word(found.usage.limit), hone_limit_word(limit));
    hone_recording_free(recording);
}

// Three more are the unplanted ones above.
static void healthy_kernels_have_no_fault_and_a_limit(void **state)
{
    (void)state;
    check_healthy("saxpy", HONE_LIMIT_DRAM);
    check_healthy("stencil", HONE_LIMIT_ALU);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(faults_of_a_product_are_named),
    cmocka_unit_test(faults_of_a_transposition_are_named),
    cmocka_unit_test(faults_of_a_softmax_are_named),
    cmocka_unit_test(healthy_kernels_have_no_fault_and_a_limit),
};

HONE_TEST_MAIN(tests)
