// Tuning in one's own process, and while an application runs, under memory that runs out
// anywhere. The tuning runs on the fake driver and compiler.
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "fast_folder.h"
#include "hone/online.h"
#include "hone/tuning.h"
#include "hone_test.h"
#include "oom.h"
#include "space_def.h"

#define FAKE(name) HONE_BINARY_DIR "/tests/fake/fake_" name ".so"

static int set_up(void **state)
{
    (void)state;
    setenv("HONE_LIBCUDA", FAKE("cuda"), 1);
    setenv("HONE_NVRTC", FAKE("nvrtc"), 1);
    setenv("HONE_NVML", "/nowhere/libnvidia-ml.so.1", 1);
    setenv("HONE_COMPILER_HELPER", "", 1); // oom.build has them
    setenv("HONE_CLOCK", "event", 1);
    setenv("HONE_FAKE_CUDA", "memory=1e9", 1);
    setenv("HONE_LOCKS", HONE_BINARY_DIR "/tests", 1);
    setenv("TMPDIR", fast_folder(), 1); // each tuning has a journal there
    return 0;
}

static enum hone_status tune_and_emit(void *context, struct hone_error *err)
{
    const struct hone_script_set set[] = {{"B", "1"}, {"C", "2"}};
    const struct hone_tuning_options options = {
        .script = HONE_SOURCE_DIR "/tests/faults/lab.lua",
        .device = "cuda:0",
        .strategy = "grid",
        .set = set,
        .set_count = 2,
        .builder = {.cache_folder = "", .threads = 1},
        .evaluations = 1};
    struct hone_tuning *tuning = NULL;
    struct hone_session_result result;
    struct hone_value value;
    enum hone_status status = hone_tuning_open(&tuning, &options, err);
    if (status == HONE_OK) status = hone_tuning_run(&result, tuning, err);
    if (status == HONE_OK) status = hone_tuning_best(&value, tuning, "A", err);
    if (status == HONE_OK) status = hone_tuning_emit(tuning, context, NULL, err);
    hone_tuning_close(tuning);
    return status;
}

static void a_tuning_survives_every_failing_allocation(void **state)
{
    (void)state;
    char header[64];
    snprintf(header, sizeof header, "%s/hone-oom-header-XXXXXX", fast_folder());
    const int file = mkstemp(header);
    assert_true(file >= 0);
    close(file);
    oom_check(tune_and_emit, header);
    unlink(header);
}

static enum hone_status run_to_end(const struct hone_tuning_options *options,
                                   struct hone_error *err)
{
    struct hone_tuning *tuning = NULL;
    struct hone_session_result result;
    enum hone_status status = hone_tuning_open(&tuning, options, err);
    if (status == HONE_OK) status = hone_tuning_run(&result, tuning, err);
    if (status == HONE_OK) status = hone_tuning_check_found(tuning, err);
    hone_tuning_close(tuning);
    return status;
}

/* A replay that begins with another journal, and goes on with its own. */
static enum hone_status replay_and_resume(void *context, struct hone_error *err)
{
    static const char *const warm[] = {HONE_SOURCE_DIR "/tests/golden/plain.jsonl"};
    struct hone_tuning_options options = {.device = "replay:" HONE_SOURCE_DIR
                                                    "/tests/golden/plain.jsonl",
                                          .strategy = "grid",
                                          .warm = warm,
                                          .warm_count = 1,
                                          .journal = context,
                                          .evaluations = 1};
    unlink(context);
    enum hone_status status = run_to_end(&options, err);
    options.resume = true;
    options.evaluations = 2;
    return status == HONE_OK ? run_to_end(&options, err) : status;
}

static void a_resumed_replay_survives_every_failing_allocation(void **state)
{
    (void)state;
    char journal[64];
    snprintf(journal, sizeof journal, "%s/hone-oom-journal-XXXXXX", fast_folder());
    const int file = mkstemp(journal);
    assert_true(file >= 0);
    close(file);
    oom_check(replay_and_resume, journal);
    unlink(journal);
}

/* Ten calls, one of which fails. */
static enum hone_status use_online(void *context, struct hone_error *err)
{
    const struct hone_online_options options = {.samples = 1, .share = 1, .budget = 4};
    struct hone_online *online = NULL;
    enum hone_status status = hone_online_new(&online, context, &options, err);
    for (int call = 0; call < 10 && status == HONE_OK; call++) {
        uint64_t index = 0;
        status = hone_online_next(online, &index, err);
        if (status == HONE_OK)
            status = hone_online_report(online, index,
                                        call == 3 ? (double)NAN : 1 + (double)index, err);
    }
    hone_online_free(online);
    return status;
}

static void online_tuning_survives_every_failing_allocation(void **state)
{
    (void)state;
    struct space_def *def = calloc(1, sizeof *def);
    struct hone_space *space = NULL;
    struct hone_error err = {0};
    assert_non_null(def);
    space_def_ints(def, "a", "1 2 4 8");
    space_def_ints(def, "b", "1 2 4 8");
    assert_ok(hone_space_new(&space, space_def_get(def), &err), err);
    oom_check(use_online, space);
    hone_space_free(space);
    free(def);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_tuning_survives_every_failing_allocation),
    cmocka_unit_test(a_resumed_replay_survives_every_failing_allocation),
    cmocka_unit_test(online_tuning_survives_every_failing_allocation),
};
HONE_TEST_MAIN_WITH(tests, set_up, NULL)
