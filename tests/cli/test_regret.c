// The regret that a header announces for other sizes, and the one that they meet: a real
// template over a list of sizes, by the emulator's predictions.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fast_folder.h"
#include "heldout.h"
#include "hone/rng.h"
#include "hone_test.h"
#include "nvrtc.h"
#include "program.h"

// A journal of hundreds of trials, each of them synced.
static int set_up_in_memory(void **state)
{
    (void)state;
    return program_setup_in(fast_folder());
}

enum { SIZES = 24, FITTED = 14, SPLITS = 40 };

/* Sizes whose logarithms are uniform. */
static void write_sizes(FILE *file)
{
    struct hone_rng rng;
    hone_rng_seed(&rng, 5);
    for (int i = 0; i < SIZES; i++) {
        const double rows = exp(5.2 * hone_rng_double(&rng));
        const double cols = exp(3.4 * hone_rng_double(&rng));
        fprintf(file, "rows=%d cols=%d\n", (int)(16 * rows), (int)(32 * cols));
    }
}

static struct hone_recording *predict_all(void)
{
    char path[128];
    struct hone_recording *recording = NULL;
    struct hone_error err = {0};
    snprintf(path, sizeof path, "%s/sizes.txt", program.folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    write_sizes(file);
    assert_int_equal(fclose(file), 0);
    program_run("tune $SOURCE/kernels/softmax.lua --device emu:h100 --problems sizes.txt "
                "--set EVICT=0 --set LOAD=0 --set MIN_BLOCKS=1 --set PREFETCH=0 "
                "--set SPLIT=1 --set STORE=0 --set VEC=4 --set CHUNKS=1 --strategy grid "
                "--budget 100 --no-verify --quiet --journal all.jsonl");
    if (program.code) fail_msg("%s", program.err);
    snprintf(path, sizeof path, "%s/all.jsonl", program.folder);
    assert_ok(hone_recording_load(&recording, path, &err), err);
    return recording;
}

/* Forty ways to part the sizes: on average what is announced is met, it lies in the
 * interval as often as it should for ten problems asked, and the rule beats the one
 * configuration that is best on average. */
static void the_announced_regret_is_met_on_other_sizes(void **state)
{
    (void)state;
    struct heldout h;
    struct hone_error err = {0};
    need_nvrtc();
    struct hone_recording *recording = predict_all();
    assert_ok(heldout_measure(&h, recording, FITTED, SPLITS, &err), err);
    print_message("announced %.4f, met %.4f, inside %zu of %zu, alone %.4f\n",
                  h.announced, h.met, h.inside, h.splits, h.lone);
    assert_true(h.inside * 4 >= h.splits * 3);
    assert_true(fabs(h.announced - h.met) < 0.03);
    assert_true(h.met > 0 && h.met < h.lone);
    hone_recording_free(recording);
}

static void a_journal_with_few_problems_is_refused(void **state)
{
    (void)state;
    struct heldout h;
    struct hone_recording *recording = NULL;
    struct hone_error err = {0};
    const char *path = HONE_SOURCE_DIR "/tests/golden/sgemm_h200.jsonl";
    assert_ok(hone_recording_load(&recording, path, &err), err);
    assert_int_equal(heldout_measure(&h, recording, 1, 1, &err), HONE_EINPUT);
    assert_non_null(strstr(err.text, "1 problems, 3 are wanted"));
    hone_recording_free(recording);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_announced_regret_is_met_on_other_sizes),
    cmocka_unit_test(a_journal_with_few_problems_is_refused),
};
HONE_TEST_MAIN_WITH(tests, set_up_in_memory, program_teardown)
