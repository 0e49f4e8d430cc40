// What an ask costs: CPU time of strategies that learn, in spaces of 20,000 and ten
// million configurations, over 200 evaluations of a made-up landscape, told one by one;
// also when another device's runs let expect something: all of the 20,000 and 2,000 of
// the ten million.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "bench.h"
#include "hone/model.h"
#include "hone/search.h"

enum { BUDGET = 200, VALUES_MOST = 10, WHOLE = 20000, PART = 2000 };

struct asking {
    const struct hone_space *space;
    const struct hone_strategy_fns *strategy;
    bool warm;
    struct hone_expectation *expectation; // made when it is first wanted
};

static double cpu_seconds(void)
{
    struct timespec now = {0};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// A bowl with a step; a part of it fails.
static struct hone_trial landscape(const struct hone_space *space, uint64_t index)
{
    uint16_t at[16];
    double cost = 10;
    hone_space_choices(space, index, at);
    for (size_t p = 0; p < hone_space_param_count(space); p++)
        cost += (at[p] - 3.0) * (at[p] - 3.0) + (at[p] % 2 ? 2 : 0);
    const bool valid = at[0] + at[1] < 14;
    struct hone_trial trial =
        hone_trial_make(index, valid ? HONE_VALID : HONE_LAUNCH_FAILED);
    if (valid) trial.time_us = cost;
    return trial;
}

// The landscape as another device has it.
static struct hone_expectation *expect(const struct hone_space *space)
{
    const uint64_t all = hone_space_count(space), count = all > WHOLE ? PART : all;
    struct hone_hint *hints = calloc(count, sizeof *hints);
    struct hone_expectation *expectation = NULL;
    size_t n = 0;
    for (uint64_t i = 0; hints && i < count; i++) {
        const struct hone_trial trial = landscape(space, i * (all / count));
        if (trial.outcome != HONE_VALID) continue;
        hints[n++] = (struct hone_hint){trial.index, 0.8 * log(trial.time_us)};
    }
    hone_expectation_new(&expectation, space, hints, n, NULL);
    free(hints);
    return expectation;
}

static double ask_all(void *context)
{
    struct asking *asking = context;
    if (asking->warm && !asking->expectation) asking->expectation = expect(asking->space);
    const struct hone_search_options options = {.seed = 1,
                                                .budget = BUDGET,
                                                .design = HONE_DESIGN_AUTO,
                                                .expectation = asking->expectation};
    struct hone_search *search = NULL;
    uint64_t index;
    size_t count = 1;
    if (hone_search_new(&search, asking->strategy, asking->space, &options, NULL) !=
        HONE_OK)
        return -1;
    const double start = cpu_seconds();
    while (hone_search_ask(search, &index, 1, &count, NULL) == HONE_OK && count) {
        const struct hone_trial trial = landscape(asking->space, index);
        hone_search_tell(search, &trial, 1, NULL);
    }
    const double seconds = cpu_seconds() - start;
    const bool done = hone_search_told(search) == BUDGET;
    hone_search_free(search);
    return done ? seconds : -1;
}

// last values of the last parameter, ten of the others.
static struct hone_space *make_space(size_t params, size_t last)
{
    struct hone_value values[VALUES_MOST];
    struct hone_param list[16];
    char names[16][8];
    struct hone_space *space = NULL;
    for (int64_t i = 0; i < VALUES_MOST; i++)
        values[i] = (struct hone_value){.type = HONE_INT, .i = i + 1};
    for (size_t p = 0; p < params; p++) {
        snprintf(names[p], sizeof names[p], "P%zu", p);
        list[p] =
            (struct hone_param){names[p], values, p + 1 < params ? VALUES_MOST : last};
    }
    const struct hone_space_def def = {.params = list, .param_count = params};
    return hone_space_new(&space, &def, NULL) == HONE_OK ? space : NULL;
}

static void bench_one(const char *size, const struct hone_space *space,
                      const char *strategy, bool warm)
{
    char name[64];
    struct asking asking = {
        .space = space, .strategy = hone_strategy_find(strategy), .warm = warm};
    snprintf(name, sizeof name, "ask of %s, %s%s", size, strategy, warm ? ", warm" : "");
    const struct bench_line line = {
        .name = name, .unit = "ms CPU", .runs = 7, .scale = 1e3 / BUDGET};
    bench_run(&line, ask_all, &asking);
    hone_expectation_free(asking.expectation);
}

static void bench_size(const char *size, struct hone_space *space)
{
    static const char *const names[] = {"portfolio", "bayes", "regression", "trees",
                                        "bandit"};
    for (size_t i = 0; space && i < sizeof names / sizeof *names; i++)
        bench_one(size, space, names[i], false);
    for (size_t i = 0; space && i < 2; i++)
        bench_one(size, space, names[i], true);
    hone_space_free(space);
}

void bench_ask(void)
{
    bench_size("20,000", make_space(5, 2));
    bench_size("10,000,000", make_space(7, 10));
}
