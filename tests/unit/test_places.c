// Who measured the trials of a journal: counts and medians worked out by hand, and journals that
// others wrote.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hone_test.h"
#include "insight/places.h"

#define HEAD                                                                             \
    "{\"hone\":1,\"kind\":\"journal\",\"kernel\":\"k\",\"params\":[{\"name\":\"A\","     \
    "\"values\":[0,1,2,3,4,5,6,7]}]}\n"

static struct hone_recording *load(const char *trials)
{
    char path[] = "/tmp/hone-places-XXXXXX";
    struct hone_recording *recording = NULL;
    struct hone_error err = {0};
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    FILE *file = fdopen(fd, "w");
    fprintf(file, "%s%s", HEAD, trials);
    fclose(file);
    assert_ok(hone_recording_load(&recording, path, &err), err);
    unlink(path);
    return recording;
}

static void check_row(const struct hone_place_row *row, const char *host, const char *gpu,
                      size_t jobs, size_t trials, size_t failed)
{
    assert_string_equal(row->place->host, host);
    assert_string_equal(row->place->gpu_uuid, gpu);
    assert_int_equal(row->jobs, jobs);
    assert_int_equal(row->trials, trials);
    assert_int_equal(row->failed, failed);
}

static void trials_are_told_apart_by_machine_and_gpu(void **state)
{
    (void)state;
    struct hone_error err = {0};
    struct hone_places places;
    struct hone_recording *recording = load(
        "{\"config\":[0],\"outcome\":\"valid\",\"time_us\":5,\"evaluate_ms\":10,"
        "\"host\":\"n1\",\"job\":\"7\",\"gpu_uuid\":\"GPU-a\"}\n"
        "{\"config\":[1],\"outcome\":\"crashed\",\"reason\":\"x\",\"evaluate_ms\":30,"
        "\"host\":\"n1\",\"job\":\"9\",\"gpu_uuid\":\"GPU-a\"}\n"
        "{\"config\":[2],\"outcome\":\"valid\",\"time_us\":5,\"evaluate_ms\":20,"
        "\"host\":\"n1\",\"job\":\"7\",\"gpu_uuid\":\"GPU-a\"}\n"
        "{\"config\":[3],\"outcome\":\"valid\",\"time_us\":5,"
        "\"host\":\"n1\",\"job\":\"8\",\"gpu_uuid\":\"GPU-b\"}\n"
        "{\"config\":[4],\"outcome\":\"valid\",\"time_us\":5,\"evaluate_ms\":1}\n"
        "{\"config\":[5],\"outcome\":\"valid\",\"time_us\":5,\"evaluate_ms\":4,"
        "\"gpu_uuid\":\"GPU-c\"}\n");
    assert_ok(hone_places_make(&places, recording, &err), err);
    assert_int_equal(places.count, 3);
    check_row(&places.rows[0], "n1", "GPU-a", 2, 3, 1);
    assert_true(places.rows[0].evaluate_ms == 20);
    check_row(&places.rows[1], "", "GPU-c", 0, 1, 0);
    assert_true(places.rows[1].evaluate_ms == 4);
    check_row(&places.rows[2], "n1", "GPU-b", 1, 1, 0);
    assert_true(isnan(places.rows[2].evaluate_ms));
    hone_places_fini(&places);
    // One copy of each place, however many trials it has.
    assert_ptr_equal(hone_recording_trial(recording, 0)->place,
                     hone_recording_trial(recording, 2)->place);
    hone_recording_free(recording);
}

// Names that are none (control characters, too long, numbers) tell nothing.
static void names_that_are_none_are_left_out(void **state)
{
    (void)state;
    struct hone_error err = {0};
    struct hone_places places;
    struct hone_recording *recording = load(
        "{\"config\":[0],\"outcome\":\"valid\",\"time_us\":5,\"host\":\"n\\u001b[2J\"}\n"
        "{\"config\":[1],\"outcome\":\"valid\",\"time_us\":5,\"job\":7}\n"
        "{\"config\":[2],\"outcome\":\"valid\",\"time_us\":5,\"gpu_uuid\":\""
        "0123456789012345678901234567890123456789012345678901234567890123456789\"}\n");
    for (size_t i = 0; i < 3; i++)
        assert_memory_equal(hone_recording_trial(recording, i)->place, &hone_nowhere,
                            sizeof hone_nowhere);
    assert_ok(hone_places_make(&places, recording, &err), err);
    assert_int_equal(places.count, 0);
    hone_places_fini(&places);
    hone_recording_free(recording);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(trials_are_told_apart_by_machine_and_gpu),
    cmocka_unit_test(names_that_are_none_are_left_out),
};
HONE_TEST_MAIN(tests)
