// Two configurations beside each other, runs around one and at other sizes, under memory
// that runs out anywhere. What runs does so on the fake driver and compiler.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fast_folder.h"
#include "hone_test.h"
#include "oom.h"
#include "tuning/contrast.h"
#include "tuning/explaining.h"

#define FAKE(name) HONE_BINARY_DIR "/tests/fake/fake_" name ".so"

static int set_up(void **state)
{
    (void)state;
    setenv("HONE_LIBCUDA", FAKE("cuda"), 1);
    setenv("HONE_NVRTC", FAKE("nvrtc"), 1);
    setenv("HONE_NVML", "/nowhere/libnvidia-ml.so.1", 1);
    setenv("HONE_COMPILER_HELPER", "", 1);
    setenv("HONE_CLOCK", "event", 1);
    setenv("HONE_FAKE_CUDA", "memory=1e9", 1);
    setenv("HONE_LOCKS", HONE_BINARY_DIR "/tests", 1);
    setenv("TMPDIR", fast_folder(), 1);
    return 0;
}

static char journal[] = "/tmp/hone-explaining-XXXXXX";

// A default and a best with metrics and counters.
static void write_journal(void)
{
    strcpy(strrchr(journal, '-'), "-XXXXXX");
    const int fd = mkstemp(journal);
    assert_true(fd >= 0);
    FILE *file = fdopen(fd, "w");
    fputs("{\"hone\":1,\"kind\":\"journal\",\"kernel\":\"k\",\"params\":["
          "{\"name\":\"A\",\"values\":[1,2]}],\"default\":[1],\"problem\":{\"N\":8},"
          "\"device\":{\"name\":\"d\"}}\n"
          "{\"config\":[1],\"outcome\":\"valid\",\"predicted_us\":4,\"registers\":32,"
          "\"metrics\":{\"grid_blocks\":8,\"issued_per_block\":64}}\n"
          "{\"config\":[2],\"outcome\":\"valid\",\"predicted_us\":3,\"registers\":48,"
          "\"counters\":{\"blocks\":{\"value\":8,\"unit\":\"blocks\"}}}\n",
          file);
    fclose(file);
}

static enum hone_status contrast(void *context, struct hone_error *err)
{
    struct hone_contrast found = {0};
    const enum hone_status status = hone_contrast_make(&found, context, err);
    hone_contrast_fini(&found);
    return status;
}

static void a_contrast_survives_every_failing_allocation(void **state)
{
    (void)state;
    const char *const second[] = {"A=2"};
    write_journal();
    struct hone_contrast_options options = {
        .sides = {{.path = journal, .is_default = true},
                  {.path = journal, .config = second, .config_count = 1}}};
    oom_check(contrast, &options);
    options.sides[0] =
        (struct hone_contrast_side){.path = HONE_SOURCE_DIR "/tests/golden/sgemm.h"};
    options.device = "A100";
    oom_check(contrast, &options);
    unlink(journal);
}

static const struct hone_script_set set[] = {{"B", "1"}, {"C", "2"}};
static const struct hone_tuning_options tuning = {
    .script = HONE_SOURCE_DIR "/tests/faults/lab.lua",
    .device = "cuda:0",
    .set = set,
    .set_count = 2,
    .builder = {.cache_folder = "", .threads = 1}};

static enum hone_status run_around(void *context, struct hone_error *err)
{
    const char *const config[] = {"A=3"};
    const struct hone_around around = {
        .tuning = context, .config = config, .config_count = 1, .neighbours = 1};
    struct hone_recording *recording = NULL;
    const struct hone_trial *trial;
    const enum hone_status status = hone_around_run(&recording, &trial, &around, err);
    hone_recording_free(recording);
    return status;
}

static void runs_around_one_survive_every_failing_allocation(void **state)
{
    (void)state;
    struct hone_tuning_options options = tuning;
    oom_check(run_around, &options);
}

struct made { // by a run of the script
    struct hone_recording *recording;
    const struct hone_trial *trial;
    struct hone_tuning_options options;
};

static void make_recording(struct made *made)
{
    struct hone_error err = {0};
    made->options = tuning;
    const struct hone_around around = {.tuning = &made->options};
    assert_ok(hone_around_run(&made->recording, &made->trial, &around, &err), err);
}

static enum hone_status run_again(void *context, struct hone_error *err)
{
    struct made *made = context;
    const struct hone_again again = {.tuning = &made->options,
                                     .recording = made->recording,
                                     .trials = &made->trial,
                                     .count = 1,
                                     .force = true};
    struct hone_recording *recording = NULL;
    bool changed;
    const enum hone_status status = hone_again_run(&recording, &changed, &again, err);
    hone_recording_free(recording);
    return status;
}

static enum hone_status run_shapes(void *context, struct hone_error *err)
{
    struct made *made = context;
    struct hone_shapes shapes = {0};
    const enum hone_status status =
        hone_shapes_run(&shapes, made->recording, made->trial, &made->options, err);
    hone_shapes_fini(&shapes);
    return status;
}

static void trials_run_again_survive_every_failing_allocation(void **state)
{
    (void)state;
    struct made made;
    make_recording(&made);
    oom_check(run_again, &made);
    hone_recording_free(made.recording);
}

static void other_sizes_survive_every_failing_allocation(void **state)
{
    (void)state;
    struct made made;
    make_recording(&made);
    oom_check_some(40, run_shapes, &made); // each runs the script 16 times
    hone_recording_free(made.recording);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_contrast_survives_every_failing_allocation),
    cmocka_unit_test(runs_around_one_survive_every_failing_allocation),
    cmocka_unit_test(trials_run_again_survive_every_failing_allocation),
    cmocka_unit_test(other_sizes_survive_every_failing_allocation),
};
HONE_TEST_MAIN_WITH(tests, set_up, NULL)
