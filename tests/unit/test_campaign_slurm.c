// What is handed to Slurm: sbatch and squeue are scripts of a few lines here, which note
// their words and tell of the jobs that a case says.
#include <string.h>
#include <unistd.h>

#include "campaign/attempt.h"
#include "campaign/slurm.h"
#include "campaign_test.h"

static char calls[1 << 16]; // of sbatch, a line each

// A disk takes 10 ms for each of 2000 files; no case is about a crash.
int __wrap_fsync(int fd);
int __wrap_fsync(int fd)
{
    (void)fd;
    return 0;
}

static void slurm_begin(void **state)
{
    char path[512];
    const char *usual = getenv("HONE_TEST_PATH");
    campaign_begin(state);
    if (!usual) setenv("HONE_TEST_PATH", getenv("PATH"), 1);
    snprintf(path, sizeof path, "%s/bin:%.400s", campaign_folder,
             getenv("HONE_TEST_PATH"));
    setenv("PATH", path, 1);
    campaign_shell("mkdir bin && echo 100 >last && : >queue && : >calls");
    campaign_write("bin/sbatch",
                   "#!/bin/sh\ncd %s\nread n <last\nn=$((n + 1))\necho $n >last\n"
                   "echo \"$* .\" >>calls\necho $n\n",
                   campaign_folder);
    campaign_write("bin/squeue", "#!/bin/sh\ncat %s/queue\n", campaign_folder);
    campaign_shell("chmod +x bin/sbatch bin/squeue");
}

static struct hone_campaign *open_chain(void)
{
    return campaign_open(
        "warm = true, devices = { { id = \"emu:a100\", via = \"slurm\" } "
        "}, kernels = { { script = \"kernel.lua\", problems = { { N = 1 "
        "}, { N = 2 } } } }");
}

static struct hone_slurm_submitted submit(const struct hone_campaign *campaign)
{
    char path[128];
    struct hone_slurm_submitted out;
    struct hone_error err = {0};
    bool *chosen = malloc(campaign->run_count);
    assert_non_null(chosen);
    memset(chosen, true, campaign->run_count);
    if (hone_slurm_submit(&out, campaign, chosen, 0, "hone", &err) != HONE_OK)
        fail_msg("%s", err.text);
    free(chosen);
    snprintf(path, sizeof path, "%s/calls", campaign_folder);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    calls[fread(calls, 1, sizeof calls - 1, file)] = '\0';
    fclose(file);
    return out;
}

static int count_in_calls(const char *what)
{
    int n = 0;
    for (const char *at = calls; (at = strstr(at, what)) != NULL; at += strlen(what))
        n++;
    return n;
}

static void a_step_waits_for_all_arrays_of_the_one_before(void **state)
{
    slurm_begin(state);
    // 11 kernels of 99 votes are 1089 chains of two runs.
    struct hone_campaign *campaign = campaign_open(
        "warm = true, votes = 99, devices = { { id = \"emu:a100\", via = \"slurm\" } }, "
        "kernels = (function() local list = {} for i = 1, 11 do list[i] = { script = "
        "\"kernel.lua\", budget = i, problems = { { N = 1 }, { N = 2 } } } end return "
        "list end)()");
    const struct hone_slurm_submitted out = submit(campaign);
    assert_int_equal(out.runs, 2178);
    assert_int_equal(out.arrays, 4);
    assert_int_equal(count_in_calls("--array=0-999 "), 2);
    assert_int_equal(count_in_calls("--array=0-88 "), 2);
    assert_int_equal(count_in_calls("--dependency="), 2);
    assert_int_equal(count_in_calls(" --dependency=afterany:101:102 "), 2);
    hone_campaign_close(campaign);
}

static void a_run_waits_for_the_job_of_the_one_before(void **state)
{
    slurm_begin(state);
    struct hone_campaign *campaign = open_chain();
    assert_int_equal(hone_run_set_job(&campaign->runs[0], "77_4", NULL), HONE_OK);
    campaign_shell("echo 77_4 >queue");
    const struct hone_slurm_submitted out = submit(campaign);
    assert_int_equal(out.queued, 1);
    assert_int_equal(out.runs, 1);
    assert_int_equal(count_in_calls(" --dependency=afterany:77_4 "), 1);
    hone_campaign_close(campaign);
}

static void a_run_waits_for_a_job_that_runs_and_for_no_other_process(void **state)
{
    for (int job = 0; job < 2; job++) {
        slurm_begin(state);
        struct hone_campaign *campaign = open_chain();
        struct hone_attempt attempt;
        enum hone_claim claim;
        if (job) setenv("SLURM_JOB_ID", "55", 1);
        assert_int_equal(
            hone_attempt_begin(&attempt, &claim, campaign, 0, "emu:a100", NULL), HONE_OK);
        unsetenv("SLURM_JOB_ID");
        assert_int_equal(submit(campaign).runs, 1);
        assert_int_equal(count_in_calls("--dependency="), job);
        assert_int_equal(count_in_calls(" --dependency=afterany:55 "), job);
        assert_int_equal(hone_attempt_end(&attempt, 0, NULL, NULL), HONE_OK);
        hone_campaign_close(campaign);
    }
}

static void a_node_is_left_out_where_a_job_failed(void **state)
{
    static const struct {
        const char *job;
        int excluded;
    } cases[] = {{"\"job\":\"9_1\",", 1}, {"", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char line[1024];
        slurm_begin(state);
        struct hone_campaign *campaign =
            campaign_open("devices = { { id = \"emu:a100\", via = \"slurm\" } }");
        snprintf(line, sizeof line,
                 "mkdir -p %s && echo '{\"event\":\"begin\",%s\"host\":\"n7\"}' "
                 ">%s/events.jsonl && echo '{\"event\":\"end\",\"code\":1}' "
                 ">>%s/events.jsonl",
                 campaign->runs[0].folder, cases[i].job, campaign->runs[0].folder,
                 campaign->runs[0].folder);
        campaign_shell(line);
        assert_int_equal(submit(campaign).runs, 1);
        assert_int_equal(count_in_calls("--exclude=n7 "), cases[i].excluded);
        assert_int_equal(count_in_calls("--exclude"), cases[i].excluded);
        hone_campaign_close(campaign);
    }
}

// Its first digits are the number of another job.
static void a_job_whose_number_is_too_long_is_refused_and_not_cut(void **state)
{
    static const struct {
        const char *says;
        bool is_job;
    } rows[] = {{"1%040d", false},
                {"7%039d;cluster", false},
                {"7%038d;cluster", true},
                {"sbatch: a site may say much more than that\njob %030d", false},
                {"sbatch: a site may say much more than that\n1%020d", true}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct hone_slurm_submitted out;
        struct hone_error err = {0};
        slurm_begin(state);
        struct hone_campaign *campaign =
            campaign_open("devices = { { id = \"emu:a100\", via = \"slurm\" } }");
        campaign_write("bin/sbatch", "#!/bin/sh\nprintf '%s\\n' 0\n", rows[i].says);
        const enum hone_status status =
            hone_slurm_submit(&out, campaign, (const bool[]){true}, 0, "hone", &err);
        if (status != (rows[i].is_job ? HONE_OK : HONE_EUNSUPPORTED))
            fail_msg("row %zu: %d %s", i, status, err.text);
        char *path = hone_run_file(&campaign->runs[0], HONE_RUN_JOB);
        assert_int_equal(access(path, F_OK) == 0, rows[i].is_job);
        free(path);
        hone_campaign_close(campaign);
    }
}

// As where a disk is full. The second run's file cannot be written, the first one's goes
// where its job does.
static void a_job_whose_runs_cannot_be_noted_is_cancelled(void **state)
{
    for (int fails = 0; fails < 2; fails++) {
        struct hone_slurm_submitted out;
        struct hone_error err = {0};
        slurm_begin(state);
        struct hone_campaign *campaign = campaign_open(
            "votes = 2, devices = { { id = \"emu:a100\", via = \"slurm\" } }");
        assert_int_equal(campaign->run_count, 2);
        campaign_write("bin/sbatch",
                       "#!/bin/sh\nmkdir -p '%s/" HONE_RUN_JOB "/x'\necho 101\n",
                       campaign->runs[1].folder);
        campaign_write("bin/scancel",
                       "#!/bin/sh\necho \"$* .\" >>%s/cancelled\nexit %d\n",
                       campaign_folder, fails);
        campaign_shell("chmod +x bin/scancel");
        const enum hone_status status = hone_slurm_submit(
            &out, campaign, (const bool[]){true, true}, 0, "hone", &err);
        assert_int_not_equal(status, HONE_OK);
        if (!strstr(err.text, fails ? "scancel it" : "job 101 was cancelled"))
            fail_msg("%s", err.text);
        assert_int_equal(campaign_count("cancelled", "101 ."), 1);
        char *path = hone_run_file(&campaign->runs[0], HONE_RUN_JOB);
        assert_int_equal(access(path, F_OK) == 0, fails);
        free(path);
        hone_campaign_close(campaign);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_step_waits_for_all_arrays_of_the_one_before),
    cmocka_unit_test(a_run_waits_for_the_job_of_the_one_before),
    cmocka_unit_test(a_run_waits_for_a_job_that_runs_and_for_no_other_process),
    cmocka_unit_test(a_node_is_left_out_where_a_job_failed),
    cmocka_unit_test(a_job_whose_number_is_too_long_is_refused_and_not_cut),
    cmocka_unit_test(a_job_whose_runs_cannot_be_noted_is_cancelled),
};
HONE_TEST_MAIN_WITH(tests, NULL, campaign_end)
