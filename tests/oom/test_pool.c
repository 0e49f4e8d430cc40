// Messages and a pool with a worker under memory that runs out anywhere in the tuner; the
// worker is a process of its own and has all it wants.
#include <string.h>

#include "hone/pool.h"
#include "hone/script.h"
#include "hone_test.h"
#include "oom.h"
#include "pool_message.h"

#define FAKE(name) HONE_BINARY_DIR "/tests/fake/fake_" name ".so"

static struct hone_script *script;
static struct hone_space *space;
static struct hone_kernel *kernel;
static const struct hone_evaluate_options options = {
    .policy = {.min_samples = 1, .max_samples = 1, .warm_cache = true}, .lookahead = 2};

static int set_up(void **state)
{
    (void)state;
    const struct hone_limits limits = {.name = "H200", .max_threads_per_block = 1024};
    const struct hone_script_options loading = {.limits = &limits};
    setenv("HONE_LIBCUDA", FAKE("cuda"), 1);
    setenv("HONE_NVRTC", FAKE("nvrtc"), 1);
    setenv("HONE_NVML", "/nowhere/libnvidia-ml.so.1", 1);
    setenv("HONE_CLOCK", "event", 1);
    setenv("HONE_FAKE_CUDA", "memory=1e9", 1);
    setenv("HONE_LOCKS", HONE_BINARY_DIR "/tests", 1);
    const char *path = HONE_SOURCE_DIR "/tests/faults/lab.lua";
    if (hone_script_load(&script, path, &loading, NULL) != HONE_OK) return -1;
    const struct hone_kernel_def *def = hone_script_def(script);
    if (hone_space_new(&space, &def->space, NULL) != HONE_OK) return -1;
    return hone_kernel_new(&kernel, def, space, NULL) != HONE_OK;
}

static int tear_down(void **state)
{
    (void)state;
    hone_kernel_free(kernel);
    hone_space_free(space);
    hone_script_free(script);
    return 0;
}

static enum hone_status send_and_read(const struct hone_message *message,
                                      struct hone_error *err)
{
    struct hone_strbuf sent = HONE_STRBUF_INIT;
    struct hone_message got = {0};
    struct hone_frame frame;
    size_t used;
    enum hone_status status = hone_message_write(&sent, message, err);
    if (status == HONE_OK)
        status = hone_frame_parse(&frame, &used, sent.data, sent.len, err);
    if (status == HONE_OK) status = hone_message_read(&got, &frame, err);
    if (status == HONE_OK) hone_message_fini(&got);
    hone_strbuf_fini(&sent);
    return status;
}

static enum hone_status pass_messages(void *context, struct hone_error *err)
{
    (void)context;
    struct hone_plan plan = {0};
    struct hone_candidate candidates[2] = {{.count = 0}};
    const double samples[] = {1, 2, 3, 4};
    enum hone_status status = hone_plan_init(&plan, kernel, &options, err);
    for (size_t i = 0; i < 2 && status == HONE_OK; i++)
        status = hone_plan_candidate(&plan, i, &candidates[i], err);
    struct hone_message messages[] = {
        {.type = HONE_MESSAGE_SETUP, .setup = {.plan = &plan}},
        {.type = HONE_MESSAGE_JOB, .job = candidates},
        {.type = HONE_MESSAGE_CONTEST,
         .contest = {.candidates = candidates, .terms = {.count = 2, .rounds = 2}}},
        {.type = HONE_MESSAGE_SAMPLES, .samples = {.values = samples, .count = 4}},
        {.type = HONE_MESSAGE_LOG, .log = {.line = "a line"}},
        {.type = HONE_MESSAGE_TRIAL,
         .result = {.trial = hone_trial_make(1, HONE_VALID)}}};
    messages[5].result.trial.metrics = &(const struct hone_metric){"sm_mhz", 1980};
    messages[5].result.trial.metric_count = 1;
    for (size_t i = 0; i < 6 && status == HONE_OK; i++)
        status = send_and_read(&messages[i], err);
    for (size_t i = 0; i < 2; i++)
        hone_candidate_fini(&candidates[i], NULL);
    hone_plan_fini(&plan);
    return status;
}

static void messages_survive_every_failing_allocation(void **state)
{
    (void)state;
    oom_check(pass_messages, NULL);
}

static enum hone_status measure_some(struct hone_evaluator *e, struct hone_error *err)
{
    const uint64_t indices[] = {3, 5};
    const struct hone_contest contest = {.indices = indices, .count = 2, .rounds = 3};
    struct hone_trial trial;
    double costs[6];
    size_t count = 0, got = 0;
    enum hone_status status = HONE_OK;
    for (size_t i = 0; i < 2 && status == HONE_OK; i++)
        status = e->fns->submit(e, indices[i], err);
    while (got < 2 && status == HONE_OK) {
        status = e->fns->wait(e, &trial, 1, &count, err);
        got += count;
    }
    return status == HONE_OK ? e->fns->contest(e, &contest, costs, err) : status;
}

static enum hone_status measure_there(void *context, struct hone_error *err)
{
    (void)context;
    const char *const argv[] = {HONE_PROGRAM, "worker", "--device", "cuda:0",
                                "--cache",    "",       NULL};
    const struct hone_worker_command command = {.argv = argv, .name = "cuda:0"};
    const struct hone_pool_options opening = {.commands = &command, .count = 1};
    struct hone_pool *pool = NULL;
    struct hone_evaluator *evaluator = NULL;
    const char *nvrtc;
    enum hone_status status = hone_pool_open(&pool, &opening, err);
    if (status == HONE_OK)
        status = hone_evaluator_pool(&evaluator, &nvrtc, pool, kernel, &options, err);
    if (status == HONE_OK) status = measure_some(evaluator, err);
    hone_evaluator_close(evaluator);
    hone_pool_close(pool);
    return status;
}

static void a_pool_survives_every_failing_allocation(void **state)
{
    (void)state;
    oom_check(measure_there, NULL);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(messages_survive_every_failing_allocation),
    cmocka_unit_test(a_pool_survives_every_failing_allocation),
};
HONE_TEST_MAIN_WITH(tests, set_up, tear_down)
