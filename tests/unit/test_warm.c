// Warm start: configurations found again by value, the nearest valid one, votes weighted
// by how alike devices are, and a choice that is spread.
#include <math.h>
#include <string.h>

#include "base/file.h"
#include "hone/rng.h"
#include "hone_test.h"
#include "nearest.h"
#include "similar.h"
#include "warm/warm.h"

enum { MOST = 32 };

// --- recordings, written as the tests need them ---

static struct hone_recording *record(const char *params, const char *device,
                                     const char *trials)
{
    char path[] = "/tmp/hone-warm-XXXXXX", text[4096];
    struct hone_recording *recording = NULL;
    struct hone_error err = {0};
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    snprintf(text, sizeof text,
             "{\"hone\":1,\"kind\":\"journal\",\"kernel\":\"k\",\"params\":[%s],"
             "\"device\":{\"name\":\"%s\"}}\n%s",
             params, device, trials);
    assert_ok(hone_file_write(path, text, strlen(text), &err), err);
    assert_ok(hone_recording_load(&recording, path, &err), err);
    unlink(path);
    return recording;
}

#define XY                                                                               \
    "{\"name\":\"x\",\"values\":[1,2,4,8]},{\"name\":\"y\",\"values\":[1,2,4,8]},"       \
    "{\"name\":\"z\",\"values\":[1,2,4,8]}"
#define VALID(x, y, z, time)                                                             \
    "{\"config\":[" #x "," #y "," #z "],\"outcome\":\"valid\",\"time_us\":" #time "}\n"
#define FAILED(x, y, z)                                                                  \
    "{\"config\":[" #x "," #y "," #z "],\"outcome\":\"launch_failed\"}\n"

// x, y, z of 1, 2, 4, 8, with or without a constraint.
static struct hone_space *cube(const char *constraint)
{
    struct hone_value values[] = {{.type = HONE_INT, .i = 1},
                                  {.type = HONE_INT, .i = 2},
                                  {.type = HONE_INT, .i = 4},
                                  {.type = HONE_INT, .i = 8}};
    const struct hone_param params[] = {
        {"x", values, 4}, {"y", values, 4}, {"z", values, 4}};
    const struct hone_constraint where = {.text = constraint};
    const struct hone_space_def def = {.params = params,
                                       .param_count = 3,
                                       .constraints = &where,
                                       .constraint_count = constraint != NULL};
    struct hone_space *space = NULL;
    struct hone_error err = {0};
    assert_ok(hone_space_new(&space, &def, &err), err);
    return space;
}

struct start {
    uint64_t index[MOST];
    size_t count;
    int at[MOST][3]; // values
    enum hone_status status;
    struct hone_error err;
};

static struct start begin(const char *constraint, const char *device, size_t limit,
                          struct hone_recording **recordings, size_t count)
{
    struct hone_space *space = cube(constraint);
    const struct hone_record_info info = {.kernel = "k", .device_name = device};
    const struct hone_warm warm = {.space = space,
                                   .info = &info,
                                   .recordings =
                                       (const struct hone_recording *const *)recordings,
                                   .recording_count = count};
    struct start start = {0};
    start.status = hone_warm_start(start.index, &start.count, limit, &warm, &start.err);
    for (size_t i = 0; i < start.count; i++) {
        uint16_t choices[3];
        hone_space_choices(space, start.index[i], choices);
        for (int p = 0; p < 3; p++)
            start.at[i][p] = 1 << choices[p];
    }
    for (size_t i = 0; i < count; i++)
        hone_recording_free(recordings[i]);
    hone_space_free(space);
    return start;
}

#define assert_config(start, i, x, y, z)                                                 \
    do {                                                                                 \
        assert_true((i) < (start).count);                                                \
        assert_int_equal((start).at[i][0], x);                                           \
        assert_int_equal((start).at[i][1], y);                                           \
        assert_int_equal((start).at[i][2], z);                                           \
    } while (0)

// --- the start ---

static void a_tenth_of_the_budget_is_the_most(void **state)
{
    (void)state;
    assert_int_equal(hone_warm_limit(1), 3);
    assert_int_equal(hone_warm_limit(39), 3);
    assert_int_equal(hone_warm_limit(40), 4);
    assert_int_equal(hone_warm_limit(100), 10);
    assert_int_equal(hone_warm_limit(200), 10);
    assert_int_equal(hone_warm_limit(UINT64_MAX), 10);
}

static void configurations_are_found_by_the_names_of_parameters(void **state)
{
    (void)state;
    struct hone_recording *run =
        record("{\"name\":\"z\",\"values\":[8,2]},{\"name\":\"x\",\"values\":[4.0,1]},"
               "{\"name\":\"y\",\"values\":[1,2]}",
               "GPU", VALID(8, 4, 2, 10) VALID(2, 1, 1, 20));
    struct start start = begin(NULL, "GPU", 5, &run, 1);
    assert_int_equal(start.count, 2);
    assert_config(start, 0, 4, 2, 8);
    assert_config(start, 1, 1, 1, 2);
}

static void the_best_come_first_and_are_spread(void **state)
{
    (void)state;
    struct hone_recording *run =
        record(XY, "GPU",
               VALID(1, 1, 1, 10) VALID(1, 1, 2, 11) VALID(1, 1, 4, 12) VALID(2, 2, 1, 13)
                   VALID(8, 8, 8, 14) FAILED(4, 4, 2));
    struct start start = begin(NULL, "GPU", 3, &run, 1);
    assert_int_equal(start.count, 3);
    assert_config(start, 0, 1, 1, 1);
    assert_config(start, 1, 2, 2, 1);
    assert_config(start, 2, 8, 8, 8);
}

static void what_is_not_valid_here_stands_for_its_nearest(void **state)
{
    (void)state;
    struct hone_recording *run =
        record("{\"name\":\"x\",\"values\":[1,16]},{\"name\":\"y\",\"values\":[1,3]},"
               "{\"name\":\"old\",\"values\":[0]}",
               "GPU", VALID(16, 1, 0, 10));
    // x = 16 is nearest to 8, which the constraint forbids; z is free
    struct start start = begin("x < 8", "GPU", 3, &run, 1);
    assert_int_equal(start.count, 1);
    assert_int_equal(start.at[0][0], 4);
    assert_int_equal(start.at[0][1], 1);
}

static void devices_alike_have_the_louder_voice(void **state)
{
    (void)state;
    static const char near_best[] = VALID(1, 1, 1, 10) VALID(8, 8, 8, 20);
    static const char far_best[] = VALID(1, 1, 1, 20) VALID(8, 8, 8, 10);
    struct hone_recording *runs[] = {record(XY, "NVIDIA H100 80GB HBM3", far_best),
                                     record(XY, "NVIDIA RTX A6000", near_best)};
    struct start start = begin(NULL, "NVIDIA GeForce RTX 3090", 3, runs, 2);
    assert_config(start, 0, 1, 1, 1);
    struct hone_recording *again[] = {record(XY, "NVIDIA H100 80GB HBM3", far_best),
                                      record(XY, "NVIDIA RTX A6000", near_best)};
    start = begin(NULL, "NVIDIA H200", 3, again, 2);
    assert_config(start, 0, 8, 8, 8);
}

static void failing_elsewhere_counts_against(void **state)
{
    (void)state;
    struct hone_recording *runs[] = {
        record(XY, "", VALID(1, 1, 1, 10) VALID(2, 2, 2, 12) VALID(8, 8, 8, 40)),
        record(XY, "", FAILED(1, 1, 1) VALID(2, 2, 2, 12) VALID(8, 8, 8, 10)),
    };
    struct start start = begin(NULL, "", 3, runs, 2);
    assert_config(start, 0, 2, 2, 2);
    assert_config(start, 2, 8, 8, 8);
}

static void the_vote_and_the_run_most_alike_take_turns(void **state)
{
    (void)state;
    // the others agree on (4, 4, 4); the run on the same GPU has its own favourites
    static const char other[] = VALID(4, 4, 4, 10) VALID(1, 1, 1, 40) VALID(2, 2, 2, 50);
    struct hone_recording *runs[] = {
        record(XY, "NVIDIA GeForce RTX 3090", other), record(XY, "NVIDIA H200", other),
        record(XY, "NVIDIA RTX A6000",
               VALID(1, 1, 1, 10) VALID(2, 2, 2, 11) VALID(4, 4, 4, 12))};
    struct start start = begin(NULL, "NVIDIA RTX A6000", 3, runs, 3);
    assert_config(start, 0, 4, 4, 4);
    assert_config(start, 1, 1, 1, 1);
    assert_config(start, 2, 2, 2, 2);
}

// The vote of two runs on one configuration, with the similarity of their devices.
static void an_expectation_is_the_vote_of_all_runs(void **state)
{
    (void)state;
    struct hone_recording *runs[] = {
        record(XY, "GPU", VALID(1, 1, 1, 10) VALID(2, 2, 2, 40) FAILED(4, 4, 4)),
        record(XY, "other", VALID(1, 1, 1, 20) VALID(2, 2, 2, 10) FAILED(4, 4, 4))};
    struct hone_space *space = cube(NULL);
    const struct hone_record_info info = {.kernel = "k", .device_name = "GPU"};
    const struct hone_warm warm = {.space = space,
                                   .info = &info,
                                   .recordings =
                                       (const struct hone_recording *const *)runs,
                                   .recording_count = 2};
    struct hone_expectation *expectation = NULL;
    struct hone_error err = {0};
    assert_ok(hone_warm_expect(&expectation, &warm, &err), err);
    const double other = hone_similarity(&info, hone_recording_info(runs[1]));
    const double want[] = {other * log(2) / (1 + other), log(4) / (1 + other), log(20)};
    for (uint16_t v = 0; v < 3; v++) {
        const uint16_t choices[] = {v, v, v};
        const double said = hone_expectation_at(expectation, 21 * v, choices);
        assert_true(fabs(said - want[v]) < 1e-6);
    }
    hone_expectation_free(expectation);
    for (size_t i = 0; i < 2; i++)
        hone_recording_free(runs[i]);
    hone_space_free(space);
}

static void starts_are_distinct_and_limited(void **state)
{
    (void)state;
    struct hone_rng rng;
    hone_rng_seed(&rng, 3);
    for (int round = 0; round < 20; round++) {
        char trials[4096] = "";
        for (int i = 0; i < 40; i++)
            snprintf(trials + strlen(trials), sizeof trials - strlen(trials),
                     "{\"config\":[%d,%d,%d],\"outcome\":\"valid\",\"time_us\":%d}\n",
                     1 << hone_rng_below(&rng, 4), 1 << hone_rng_below(&rng, 4),
                     1 << hone_rng_below(&rng, 4), 1 + (int)hone_rng_below(&rng, 9));
        struct hone_recording *runs[] = {record(XY, "A", trials),
                                         record(XY, "B", trials)};
        struct start start = begin("x + y + z < 20", "C", 5, runs, 2);
        assert_int_equal(start.status, HONE_OK);
        assert_in_range(start.count, 1, 5);
        for (size_t i = 0; i < start.count; i++)
            for (size_t k = 0; k < i; k++) {
                int differ = 0;
                for (int p = 0; p < 3; p++)
                    differ += start.at[i][p] != start.at[k][p];
                assert_true(differ >= 2);
            }
    }
}

static void a_run_of_something_else_is_refused(void **state)
{
    (void)state;
    struct hone_recording *run =
        record("{\"name\":\"a\",\"values\":[1]}", "GPU",
               "{\"config\":[1],\"outcome\":\"valid\",\"time_us\":1}\n");
    struct start start = begin(NULL, "GPU", 3, &run, 1);
    assert_int_equal(start.status, HONE_EINPUT);
    assert_non_null(strstr(start.err.text, "has no parameter of this kernel"));
}

static void a_run_without_a_valid_trial_says_nothing(void **state)
{
    (void)state;
    struct hone_recording *runs[] = {record(XY, "GPU", ""),
                                     record(XY, "GPU", FAILED(1, 1, 1))};
    struct start start = begin(NULL, "GPU", 3, runs, 2);
    assert_int_equal(start.status, HONE_OK);
    assert_int_equal(start.count, 0);
}

// --- likeness ---

static double alike(const char *a, const char *b)
{
    const struct hone_record_info x = {.device_name = a}, y = {.device_name = b};
    assert_true(fabs(hone_similarity(&x, &y) - hone_similarity(&y, &x)) < 1e-12);
    return hone_similarity(&x, &y);
}

static void architecture_then_size_make_devices_alike(void **state)
{
    (void)state;
    const char *rtx = "NVIDIA GeForce RTX 3090";
    assert_true(alike(rtx, rtx) == 1);
    assert_true(alike("Unknown", "Unknown") == 1);
    assert_true(alike(rtx, "NVIDIA RTX A6000") > alike(rtx, "NVIDIA RTX A4000"));
    assert_true(alike(rtx, "NVIDIA RTX A4000") > alike(rtx, "NVIDIA H200"));
    assert_true(alike("NVIDIA H100 80GB HBM3", "NVIDIA H200") >
                alike("NVIDIA A100-PCIE-40GB", "NVIDIA H200"));
    assert_true(alike(rtx, "NVIDIA TITAN RTX") > alike(rtx, "AMD Radeon PRO W6600"));
    assert_true(alike("", "") == alike(rtx, ""));
    // L4 is not L40S, nor the end of something longer
    assert_true(alike("NVIDIA L40S", "NVIDIA L4") < 1);
    assert_true(alike("NVIDIA XL4", "NVIDIA L4") <
                alike("NVIDIA L4 (24 GB)", "NVIDIA L4"));
}

static void sizes_apart_make_runs_less_alike(void **state)
{
    (void)state;
    struct hone_constant sizes[] = {{"M", {.type = HONE_INT, .i = 1024}},
                                    {"M", {.type = HONE_FLOAT, .f = 2048}},
                                    {"M", {.type = HONE_INT, .i = 8192}},
                                    {"M", {.type = HONE_STRING, .s = "large"}}};
    struct hone_record_info info[4];
    for (int i = 0; i < 4; i++)
        info[i] = (struct hone_record_info){
            .device_name = "GPU", .problem = &sizes[i], .problem_count = 1};
    assert_true(hone_similarity(&info[0], &info[0]) == 1);
    assert_true(hone_similarity(&info[0], &info[1]) == 0.5);
    assert_true(hone_similarity(&info[0], &info[2]) == 0.25);
    assert_true(hone_similarity(&info[0], &info[3]) == 1);
}

// --- the nearest ---

static double gap_between(const struct hone_space *space, uint64_t index,
                          const uint16_t *wanted)
{
    uint16_t choices[3];
    double sum = 0;
    hone_space_choices(space, index, choices);
    for (int i = 0; i < 3; i++)
        if (wanted[i] != HONE_ANY_CHOICE && wanted[i] != choices[i])
            sum += 1 + abs(choices[i] - wanted[i]) / 4.0 / 3.0;
    return sum;
}

static void the_nearest_is_the_nearest_of_all(void **state)
{
    (void)state;
    static const char *const constraints[] = {"x * y * z == 64", "x < y or z == 8",
                                              "x + y == 10", "true"};
    for (size_t c = 0; c < 4; c++) {
        struct hone_space *space = cube(constraints[c]);
        for (uint16_t wanted[3] = {0}; wanted[0] < 5; wanted[0]++)
            for (wanted[1] = 0; wanted[1] < 4; wanted[1]++)
                for (wanted[2] = 0; wanted[2] < 4; wanted[2]++) {
                    uint64_t index = UINT64_MAX;
                    struct hone_error err = {0};
                    uint16_t any[3] = {wanted[0], wanted[1], wanted[2]};
                    if (any[0] == 4) any[0] = HONE_ANY_CHOICE;
                    assert_ok(hone_nearest(&index, space, any, &err), err);
                    double least = HUGE_VAL;
                    for (uint64_t i = 0; i < hone_space_count(space); i++)
                        least = fmin(least, gap_between(space, i, any));
                    assert_true(gap_between(space, index, any) <= least + 1e-9);
                }
        hone_space_free(space);
    }
}

static void a_large_space_is_walked_to_the_wanted(void **state)
{
    (void)state;
    struct hone_value values[64];
    struct hone_param params[6];
    static const char *const names[] = {"a", "b", "c", "d", "e", "f"};
    for (int i = 0; i < 64; i++)
        values[i] = (struct hone_value){.type = HONE_INT, .i = i};
    for (int i = 0; i < 6; i++)
        params[i] = (struct hone_param){names[i], values, 64};
    const struct hone_space_def def = {.params = params, .param_count = 6};
    struct hone_space *space = NULL;
    struct hone_error err = {0};
    assert_ok(hone_space_new(&space, &def, &err), err);
    const uint16_t wanted[6] = {63, 0, 17, HONE_ANY_CHOICE, 5, 33};
    uint64_t index = 0;
    uint16_t found[6];
    assert_ok(hone_nearest(&index, space, wanted, &err), err);
    hone_space_choices(space, index, found);
    for (int i = 0; i < 6; i++)
        if (i != 3) assert_int_equal(found[i], wanted[i]);
    hone_space_free(space);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_tenth_of_the_budget_is_the_most),
    cmocka_unit_test(configurations_are_found_by_the_names_of_parameters),
    cmocka_unit_test(the_best_come_first_and_are_spread),
    cmocka_unit_test(what_is_not_valid_here_stands_for_its_nearest),
    cmocka_unit_test(devices_alike_have_the_louder_voice),
    cmocka_unit_test(the_vote_and_the_run_most_alike_take_turns),
    cmocka_unit_test(failing_elsewhere_counts_against),
    cmocka_unit_test(an_expectation_is_the_vote_of_all_runs),
    cmocka_unit_test(starts_are_distinct_and_limited),
    cmocka_unit_test(a_run_of_something_else_is_refused),
    cmocka_unit_test(a_run_without_a_valid_trial_says_nothing),
    cmocka_unit_test(architecture_then_size_make_devices_alike),
    cmocka_unit_test(sizes_apart_make_runs_less_alike),
    cmocka_unit_test(the_nearest_is_the_nearest_of_all),
    cmocka_unit_test(a_large_space_is_walked_to_the_wanted),
};
HONE_TEST_MAIN(tests)
