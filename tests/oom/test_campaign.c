// A campaign under memory that runs out anywhere: its file is read, its only run is done
// by a fake tuner, told of, cancelled, tried again and merged.
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "campaign/change.h"
#include "campaign/engine.h"
#include "campaign/merge.h"
#include "campaign/overview.h"
#include "fast_folder.h"
#include "hone_test.h"
#include "oom.h"
#include "record/json_out.h"

static char folder[64], path[96];

static void write_text(const char *name, const char *text)
{
    char file[128];
    struct hone_error err = {0};
    snprintf(file, sizeof file, "%s/%s", folder, name);
    assert_ok(hone_file_write(file, text, strlen(text), &err), err);
}

static int set_up(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "%s/hone-oom-campaign-XXXXXX", fast_folder());
    if (!mkdtemp(folder)) abort();
    snprintf(path, sizeof path, "%s/c.lua", folder);
    write_text("c.lua",
               "return require(\"hone\").campaign {\n"
               "    kernels = { { script = \"k.lua\", problems = { { N = 64 } } } },\n"
               "    devices = { { id = \"emu:a100\" } },\n"
               "}\n");
    write_text(
        "k.lua",
        "local hone = require \"hone\"\n"
        "return hone.kernel {\n"
        "    name = \"k\", template = \"k.cu\", problem = { N = 64 },\n"
        "    tune = { B = { 32, 64 } }, launch = { grid = { 1 }, block = { \"B\" } },\n"
        "    args = { hone.output(\"y\", \"f32\", \"N\") },\n"
        "}\n");
    write_text("k.cu", "extern \"C\" __global__ void k(float *y) { y[B] = 1; }\n");
    return 0;
}

static int tear_down(void **state)
{
    char line[128];
    (void)state;
    snprintf(line, sizeof line, "rm -rf %s", folder);
    return system(line);
}

/* --- a fake `hone tune`, whose journal is there already --- */

static enum hone_status fake_start(void *context, void **process, const char *const *argv,
                                   int log, struct hone_error *err)
{
    (void)argv;
    (void)log;
    (void)err;
    *process = context;
    return HONE_OK;
}

static void fake_wait(void *context, void *const *processes, size_t count, double seconds)
{
    (void)context;
    (void)processes;
    (void)count;
    (void)seconds;
}

static bool fake_ended(void *context, void *process, int log, int *code)
{
    (void)context;
    (void)process;
    (void)log;
    *code = 0;
    return true;
}

static void fake_stop(void *context, void *process)
{
    (void)context;
    (void)process;
}

static double fake_now(void *context)
{
    (void)context;
    return 0;
}

static const struct hone_starter fake = {.start = fake_start,
                                         .wait = fake_wait,
                                         .ended = fake_ended,
                                         .stop = fake_stop,
                                         .release = fake_stop,
                                         .now = fake_now,
                                         .context = folder};

/* --- the work --- */

static enum hone_status open_and_close(void *context, struct hone_error *err)
{
    struct hone_campaign *campaign;
    (void)context;
    const enum hone_status status = hone_campaign_open(&campaign, path, err);
    if (status == HONE_OK) assert_int_equal(campaign->run_count, 1);
    hone_campaign_close(campaign);
    return status;
}

static enum hone_status tell(const struct hone_campaign *campaign, struct hone_error *err)
{
    static const bool chosen[] = {true};
    struct hone_overview overview;
    struct hone_strbuf text = HONE_STRBUF_INIT;
    size_t changed;
    enum hone_status status = hone_overview_make(&overview, campaign, err);
    if (status == HONE_OK) {
        hone_json_line(&text, hone_overview_json(campaign, &overview, chosen));
        status = hone_campaign_cancel(&changed, campaign, &overview, chosen, err);
    }
    if (status == HONE_OK)
        status = hone_campaign_retry(&changed, campaign, &overview, chosen, err);
    hone_strbuf_fini(&text);
    hone_overview_fini(&overview);
    return status;
}

static enum hone_status run_tell_and_merge(void *context, struct hone_error *err)
{
    static const bool chosen[] = {true};
    struct hone_campaign *campaign = context;
    const struct hone_engine_options options = {
        .campaign = campaign, .chosen = chosen, .program = "hone", .starter = &fake};
    const struct hone_merge_options merge = {.campaign = campaign, .chosen = chosen};
    struct hone_engine_result result;
    struct hone_merge merged;
    char *events = hone_run_file(&campaign->runs[0], HONE_RUN_EVENTS);
    if (!events) return hone_no_memory(err, "for the test");
    unlink(events);
    free(events);
    enum hone_status status = tell(campaign, err);
    if (status == HONE_OK) status = hone_engine_local(&result, &options, err);
    if (status == HONE_OK) status = tell(campaign, err);
    if (status != HONE_OK) return status;
    status = hone_campaign_merge(&merged, &merge, err);
    hone_merge_fini(&merged);
    return status;
}

static void opening_a_campaign_survives_every_failing_allocation(void **state)
{
    (void)state;
    oom_check(open_and_close, NULL);
}

static void a_run_survives_every_failing_allocation(void **state)
{
    (void)state;
    struct hone_campaign *campaign;
    struct hone_error err = {0};
    assert_ok(hone_campaign_open(&campaign, path, &err), err);
    char *journal = hone_run_file(&campaign->runs[0], HONE_RUN_JOURNAL);
    assert_non_null(journal);
    assert_ok(hone_file_mkdirs(campaign->runs[0].folder, &err), err);
    assert_int_equal(symlink(HONE_SOURCE_DIR "/tests/golden/plain.jsonl", journal), 0);
    free(journal);
    oom_check(run_tell_and_merge, campaign);
    hone_campaign_close(campaign);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(opening_a_campaign_survives_every_failing_allocation),
    cmocka_unit_test(a_run_survives_every_failing_allocation),
};
HONE_TEST_MAIN_WITH(tests, set_up, tear_down)
