// Importance of parameters, and what explains a configuration, under memory that runs out
// anywhere.
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "hone_test.h"
#include "insight/explanation.h"
#include "insight/importance.h"
#include "insight/places.h"
#include "oom.h"

static enum hone_status find_importance(void *context, struct hone_error *err)
{
    struct hone_importance found;
    const enum hone_status status = hone_importance_make(&found, context, NULL, err);
    hone_importance_fini(&found);
    return status;
}

static enum hone_status explain(void *context, struct hone_error *err)
{
    struct hone_explanation found;
    const enum hone_status status = hone_explanation_make(
        &found, context, hone_recording_trial(context, 0), context, err);
    hone_explanation_fini(&found);
    return status;
}

static enum hone_status find_places(void *context, struct hone_error *err)
{
    struct hone_places found;
    const enum hone_status status = hone_places_make(&found, context, err);
    hone_places_fini(&found);
    return status;
}

// Enough trials for a forest, over a space with a constraint.
static struct hone_recording *load_journal(void)
{
    char path[] = "/tmp/hone-insight-XXXXXX";
    struct hone_recording *recording = NULL;
    struct hone_error err = {0};
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    FILE *file = fdopen(fd, "w");
    fputs("{\"hone\":1,\"kind\":\"journal\",\"kernel\":\"k\",\"params\":["
          "{\"name\":\"A\",\"values\":[0,1,2,3,4,5]},"
          "{\"name\":\"B\",\"values\":[0,1,2,3,4,5]}],\"problem\":{\"N\":9},"
          "\"where\":[\"A + B < N\"],\"work\":{\"flops\":\"N\"},"
          "\"launch\":{\"grid\":[\"N\"],\"block\":[\"32\"]}}\n",
          file);
    for (int i = 0; i < 33; i++)
        fprintf(file,
                "{\"config\":[%d,%d],\"outcome\":\"valid\",\"time_us\":%d,"
                "\"host\":\"n1\"}\n",
                i / 6, i % 6, 10 + i * i % 17);
    fclose(file);
    assert_ok(hone_recording_load(&recording, path, &err), err);
    unlink(path);
    return recording;
}

static void importance_survives_every_failing_allocation(void **state)
{
    (void)state;
    struct hone_recording *recording = load_journal();
    oom_check(find_importance, recording);
    hone_recording_free(recording);
}

static void an_explanation_survives_every_failing_allocation(void **state)
{
    (void)state;
    struct hone_recording *recording = load_journal();
    oom_check(explain, recording);
    hone_recording_free(recording);
}

static void places_survive_every_failing_allocation(void **state)
{
    (void)state;
    struct hone_recording *recording = load_journal();
    oom_check(find_places, recording);
    hone_recording_free(recording);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(importance_survives_every_failing_allocation),
    cmocka_unit_test(places_survive_every_failing_allocation),
    cmocka_unit_test(an_explanation_survives_every_failing_allocation),
};
HONE_TEST_MAIN(tests)
