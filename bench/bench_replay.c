// Replay: evaluations a second through strategy, evaluator and session, without a
// journal. Strategies that learn are cut short: what they cost is their asks (bench_ask).
#include <math.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/file.h"
#include "bench.h"
#include "hone/session.h"

enum { LEARNING_BUDGET = 2000 };

struct replay {
    const struct hone_recording *recording;
    const struct hone_strategy_fns *strategy;
    uint64_t budget;
};

static double replay_all(void *context)
{
    const struct replay *r = context;
    struct hone_evaluator *evaluator = NULL;
    struct hone_session_result result = {0};
    const struct hone_session_options options = {
        .strategy = r->strategy,
        .search = {.seed = 1, .budget = r->budget},
        .seconds = HUGE_VAL};
    if (hone_evaluator_replay(&evaluator, r->recording, NULL) != HONE_OK) return -1;
    const double start = hone_clock_seconds();
    enum hone_status status = hone_session_run(
        &result, hone_recording_space(r->recording), evaluator, &options, NULL);
    const double seconds = hone_clock_seconds() - start;
    hone_evaluator_close(evaluator);
    return status == HONE_OK ? seconds : -1;
}

static double load(void *context)
{
    struct hone_recording *recording = NULL;
    const double start = hone_clock_seconds();
    enum hone_status status = hone_recording_load(&recording, context, NULL);
    const double seconds = hone_clock_seconds() - start;
    hone_recording_free(recording);
    return status == HONE_OK ? seconds : -1;
}

static void bench_strategies(const struct hone_recording *recording)
{
    for (const struct hone_strategy_fns *const *s = hone_strategies; *s; s++) {
        char name[64];
        struct replay replay = {.recording = recording, .strategy = *s};
        const bool learns = !(*s)->ignores_results;
        replay.budget = learns ? LEARNING_BUDGET : hone_recording_count(recording);
        snprintf(name, sizeof name, "replay gemm_RTX_3090, %s", (*s)->name);
        const struct bench_line line = {.name = name,
                                        .unit = "evaluations/s",
                                        .runs = learns ? 3 : 7,
                                        .scale = (double)replay.budget,
                                        .per_second = 1};
        bench_run(&line, replay_all, &replay);
    }
}

void bench_replay(void)
{
    char path[4096];
    struct hone_recording *recording = NULL;
    snprintf(path, sizeof path, "%s/recorded/gemm_RTX_3090.jsonl", bench_shared);
    if (!hone_file_exists(path)) {
        bench_skip("replay", "no recordings");
        return;
    }
    const struct bench_line line = {
        .name = "load 17,956 trials", .unit = "ms", .runs = 7, .scale = 1e3};
    bench_run(&line, load, path);
    if (hone_recording_load(&recording, path, NULL) == HONE_OK)
        bench_strategies(recording);
    hone_recording_free(recording);
}
