// A warm start under memory that runs out anywhere.
#include "hone_test.h"
#include "oom.h"
#include "warm/warm.h"

enum { VALUES = 5000, MOST = 5 };

#define RECORDING HONE_SOURCE_DIR "/tests/golden/sgemm_a100.jsonl"

struct work {
    const struct hone_space *space;
    const struct hone_recording *recording;
};

static enum hone_status start(void *context, struct hone_error *err)
{
    const struct work *work = context;
    const struct hone_recording *recordings[] = {work->recording, work->recording};
    const struct hone_record_info info = {.kernel = "sgemm", .device_name = "NVIDIA L4"};
    const struct hone_warm warm = {.space = work->space,
                                   .info = &info,
                                   .recordings = recordings,
                                   .recording_count = 2};
    uint64_t indices[MOST];
    size_t count = 0;
    enum hone_status status = hone_warm_start(indices, &count, MOST, &warm, err);
    if (status == HONE_OK) assert_in_range(count, 1, MOST);
    struct hone_expectation *expectation = NULL;
    if (status == HONE_OK) status = hone_warm_expect(&expectation, &warm, err);
    if (status == HONE_OK) assert_non_null(expectation);
    hone_expectation_free(expectation);
    return status;
}

// The recording's BM of 32, 64, 128 and BN of 64, 128 among so many values that the
// nearest has more neighbours than a walk begins with room for.
static void a_warm_start_survives_every_failing_allocation(void **state)
{
    (void)state;
    struct hone_value *values = calloc(VALUES, sizeof *values);
    assert_non_null(values);
    for (int i = 0; i < VALUES; i++)
        values[i] = (struct hone_value){.type = HONE_FLOAT, .f = i + 0.5};
    const struct hone_param params[] = {{"BM", values, VALUES}, {"BN", values, VALUES}};
    const struct hone_space_def def = {.params = params, .param_count = 2};
    struct hone_recording *recording = NULL;
    struct hone_space *space = NULL;
    struct hone_error err = {0};
    assert_ok(hone_recording_load(&recording, RECORDING, &err), err);
    assert_ok(hone_space_new(&space, &def, &err), err);
    struct work work = {space, recording};
    oom_check(start, &work);
    hone_space_free(space);
    hone_recording_free(recording);
    free(values);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_warm_start_survives_every_failing_allocation),
};
HONE_TEST_MAIN(tests)
