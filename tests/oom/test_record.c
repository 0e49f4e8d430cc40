// Journals and exchange formats under memory that runs out anywhere, in jansson too.
#include "../unit/record_fixture.h"
#include "hone/exchange.h"
#include "oom_json.h"

static const struct hone_metric metrics[] = {{"gflops", 512.5}, {"warm_us", 3.5}};
static const struct hone_counted counters[] = {
    {"dram_read_bytes", "bytes", 4096}, {"instructions", "", 12}, {NULL, NULL, 0}};
static const struct hone_trial_place place = {.host = "n1", .job = "7", .gpu_uuid = "u"};

static struct hone_trial full_trial(void)
{
    struct hone_trial trial = small_trial(0);
    trial.metrics = metrics;
    trial.metric_count = 2;
    trial.counters = counters;
    trial.place = &place;
    trial.outputs = 7;
    trial.final = (struct hone_final){.rank = 1,
                                      .rounds = 9,
                                      .ratio = 0.98,
                                      .low = 0.97,
                                      .high = 0.99,
                                      .sustained_us = 560};
    return trial;
}

static const struct hone_waiver waivers[] = {
    {.finding = HONE_FINDING_RACE, .buffer = "A", .reason = "wanted"}};
static const struct hone_value sizes[] = {{.type = HONE_INT, .i = 4096},
                                          {.type = HONE_FLOAT, .f = 1.0}};
static const struct hone_record_problem problems[] = {{.values = sizes, .weight = 2}};
static const char *const vars[] = {"BM", "MODE"};
static const struct hone_record_constraint where[] = {{.text = "BM > 32"},
                                                      {.vars = vars, .var_count = 2}};
static const struct hone_map_def map = {
    .rank = 1, .axes = {{.size = "M", .box = "BM"}}, .modes = {.swizzle = 128}};
static const struct hone_record_arg map_args[] = {
    {.kind = "input", .name = "A", .dtype = "f32", .size = "M", .map = &map}};
static const char *const defines[] = {"M"};

static struct hone_record_info full_info(void)
{
    struct hone_record_info info = small_info();
    static const struct hone_limits limits = {.name = "h200", .arch = "sm_90a"};
    info.limits = &limits;
    info.problems = problems;
    info.problems_count = 1;
    info.drawn = sizes;
    info.drawn_sizes = 1;
    info.where = where;
    info.where_count = 2;
    info.args = map_args;
    info.drift_every = 20;
    info.drift_limit = 0.02;
    info.defines = defines;
    info.define_count = 1;
    info.waivers = waivers;
    info.waiver_count = 1;
    return info;
}

static enum hone_status write_journal(void *context, struct hone_error *err)
{
    (void)context;
    struct hone_journal *journal = NULL;
    const struct hone_record_info info = full_info();
    const struct hone_trial trial = full_trial();
    enum hone_status status = hone_journal_create(&journal, path, &info, 0, err);
    if (status == HONE_OK) {
        status = hone_journal_begin(journal, choices_of[0], false, err);
        if (status == HONE_OK)
            status = hone_journal_append(journal, &trial, choices_of[0], err);
        if (status == HONE_OK) status = hone_journal_note(journal, "a note", err);
        const enum hone_status closed =
            hone_journal_close(journal, status == HONE_OK ? err : NULL);
        if (status == HONE_OK) status = closed;
    }
    unlink(path);
    return status;
}

static void a_journal_is_written_or_memory_is_short(void **state)
{
    (void)state;
    oom_check_json(write_journal, NULL);
}

static const char t4[] =
    "{\"metadata\": {}, \"results\": [\n{\"configuration\": {\"x\": 4, \"s\": \"a\"}, "
    "\"times\": {\"runtimes\": [1, 2]}, \"invalidity\": \"correct\", \"measurements\": "
    "[{\"name\": \"time\", \"value\": 1.5, \"unit\": \"ms\"}]},\n{\"configuration\": "
    "{\"x\": 2, \"s\": \"b\"}, \"invalidity\": \"compile\"}]}";

// jansson does not tell a text that it lacks the memory for from one that is damaged.
static enum hone_status import_t4(void *context, struct hone_error *err)
{
    (void)context;
    static const struct hone_import_options options = {0};
    struct hone_import *import = NULL;
    enum hone_status status = hone_import_load(&import, path, &options, err);
    hone_import_free(import);
    if (status != HONE_EINPUT) return status;
    if (err) *err = (struct hone_error){0};
    return hone_no_memory(err, "reading a T4 file");
}

static void a_t4_file_is_read_or_memory_is_short(void **state)
{
    (void)state;
    write_text(t4, sizeof t4 - 1);
    oom_check_json(import_t4, NULL);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(a_journal_is_written_or_memory_is_short, setup,
                                    clean),
    cmocka_unit_test_setup_teardown(a_t4_file_is_read_or_memory_is_short, setup, clean),
};

HONE_TEST_MAIN_WITH(tests, NULL, teardown)
