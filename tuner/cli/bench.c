// hone bench strategies: search strategies compared on recorded spaces.
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "commands.h"
#include "common_kinds.h"
#include "output.h"
#include "tuning/named_strategy.h"
#include "tuning/parts.h"
#include "tuning/warm_files.h"

struct bench {
    struct hone_ranking ranking;
    const struct hone_strategy_fns **strategies; // that ranking borrows
    size_t strategy_count;
    struct hone_named_strategy *named; // what strategies borrow from
    size_t named_count;
    struct hone_warm_files warm;
};

struct bench_args {
    struct cli_words words;
    struct cli_list strategies, warm;
    const char *plot;
    enum hone_on_error on_error;
    double strategy_timeout;
    uint64_t repeats, seed, budget, design, jobs;
    bool json;
};

static size_t registry_count(void)
{
    size_t count = 0;
    while (hone_strategies[count])
        count++;
    return count;
}

// The length of the first name in a list; a command has the rest of it.
static size_t name_length(const char *list)
{
    if (strncmp(list, HONE_STRATEGY_EXEC, strlen(HONE_STRATEGY_EXEC)) == 0)
        return strlen(list);
    return strcspn(list, ",");
}

static size_t count_names(const struct cli_list *lists)
{
    size_t count = lists->count;
    for (size_t i = 0; i < lists->count; i++)
        for (const char *c = lists->items[i]; *c; c++)
            count += *c == ',';
    return count;
}

static enum hone_status add_strategy(struct bench *bench, const char *text, size_t len,
                                     double timeout, struct hone_error *err)
{
    char *name = strndup(text, len);
    if (!name) return hone_no_memory(err, "for the name of a strategy");
    struct hone_named_strategy *named = &bench->named[bench->strategy_count];
    enum hone_status status = hone_named_strategy_find(named, name, timeout, err);
    free(name);
    if (status != HONE_OK) return status;
    for (size_t i = 0; i < bench->strategy_count; i++)
        if (strcmp(bench->strategies[i]->name, named->fns->name) == 0)
            return hone_fail(err, HONE_EUSAGE, "strategy '%s' is named twice",
                             named->fns->name);
    bench->strategies[bench->strategy_count++] = named->fns;
    return HONE_OK;
}

static enum hone_status add_named(struct bench *bench, const struct bench_args *args,
                                  struct hone_error *err)
{
    enum hone_status status = HONE_OK;
    for (size_t i = 0; i < args->strategies.count; i++) {
        const char *list = args->strategies.items[i];
        while (list && status == HONE_OK) {
            const size_t len = name_length(list);
            status = add_strategy(bench, list, len, args->strategy_timeout, err);
            list = list[len] ? list + len + 1 : NULL;
        }
    }
    return status;
}

// Those that are named, or all of the registry.
static enum hone_status choose_strategies(struct bench *bench,
                                          const struct bench_args *args,
                                          struct hone_error *err)
{
    const bool all = !args->strategies.count;
    const size_t most = all ? registry_count() : count_names(&args->strategies);
    bench->strategies = calloc(most, sizeof *bench->strategies);
    bench->named = calloc(most, sizeof *bench->named);
    bench->named_count = most;
    if (!bench->strategies || !bench->named) return hone_no_memory(err, "for strategies");
    if (!all) return add_named(bench, args, err);
    for (size_t i = 0; i < most; i++)
        bench->strategies[bench->strategy_count++] = hone_strategies[i];
    return HONE_OK;
}

// A space is named after its file, and the problem where that has several; to be freed.
static char *name_space(const char *path, const struct hone_recording *part)
{
    struct hone_strbuf name = HONE_STRBUF_INIT;
    const char *base = hone_path_base(path), *ending = strrchr(base, '.');
    const bool known = ending && strcmp(ending, ".jsonl") == 0;
    hone_strbuf_add_bytes(&name, base, known ? (size_t)(ending - base) : strlen(base));
    if (hone_recording_info(part)->problems_count > 1) {
        hone_strbuf_add(&name, " ");
        hone_problem_text(&name, hone_recording_info(part));
    }
    return hone_strbuf_steal(&name);
}

static enum hone_status add_part(struct bench *bench, const char *path,
                                 const struct hone_recording *part,
                                 struct hone_error *err)
{
    char *name = name_space(path, part);
    for (size_t i = 0; i < bench->named_count; i++)
        hone_named_strategy_describe(&bench->named[i], hone_recording_info(part));
    enum hone_status status = name ? hone_ranking_add(&bench->ranking, name, part, err)
                                   : hone_no_memory(err, "for the name of a recording");
    free(name);
    return status;
}

// A journal has a space for each of its problems.
static enum hone_status add_file(struct bench *bench, const char *path,
                                 struct hone_error *err)
{
    struct hone_recording *recording = NULL;
    enum hone_status status = hone_recording_load_noted(&recording, path, err);
    if (status != HONE_OK) return status;
    for (size_t p = 0; p < hone_recording_problem_count(recording) && status == HONE_OK;
         p++)
        status = add_part(bench, path, hone_recording_problem(recording, p), err);
    hone_recording_free(recording);
    return status;
}

static void bench_fini(struct bench *bench)
{
    hone_ranking_fini(&bench->ranking);
    for (size_t i = 0; bench->named && i < bench->named_count; i++)
        hone_named_strategy_fini(&bench->named[i]);
    free(bench->named);
    free(bench->strategies);
    hone_warm_files_fini(&bench->warm);
}

static enum hone_status check_args(const struct bench_args *a, struct hone_error *err)
{
    if (!a->words.count || strcmp(a->words.items[0], "strategies") != 0)
        return hone_fail(err, HONE_EUSAGE,
                         "what to bench: hone bench strategies FILE.jsonl...");
    if (!a->repeats || a->repeats > 1000000)
        return hone_fail(err, HONE_EUSAGE, "--repeats wants 1 to 1000000, got %llu",
                         (unsigned long long)a->repeats);
    return cli_expect_words(&a->words, 2, SIZE_MAX, "the recording", err);
}

// What the command says of the plan; its strategies and recordings are open.
static void make_plan(struct bench *bench, const struct bench_args *a)
{
    bench->ranking.plan = (struct hone_ranking_plan){
        .strategies = bench->strategies,
        .strategy_count = bench->strategy_count,
        .repeats = (size_t)a->repeats,
        .seed = a->seed,
        .budget = (size_t)a->budget,
        .design = (size_t)a->design,
        .threads = (size_t)a->jobs,
        .on_error = a->on_error,
        .warm = bench->warm.recordings,
        .warm_count = bench->warm.count,
    };
}

static enum hone_status run(void *args, struct hone_error *err)
{
    const struct bench_args *a = args;
    struct bench bench = {0};
    enum hone_status status = check_args(a, err);
    if (status == HONE_OK && a->plot) status = cli_output_check(a->plot, err);
    if (status == HONE_OK) status = choose_strategies(&bench, a, err);
    if (status == HONE_OK)
        status = hone_warm_files_load(&bench.warm, a->warm.items, a->warm.count, err);
    if (status == HONE_OK) make_plan(&bench, a);
    for (size_t i = 1; i < a->words.count && status == HONE_OK; i++)
        status = add_file(&bench, a->words.items[i], err);
    const struct hone_ranking *ranking = &bench.ranking;
    if (status == HONE_OK) status = hone_ranking_summarise(&bench.ranking, err);
    if (status == HONE_OK && a->plot) status = bench_write_plot(ranking, a->plot, err);
    if (status == HONE_OK && a->json)
        status = bench_print_json(ranking, err);
    else if (status == HONE_OK)
        bench_print_text(ranking);
    bench_fini(&bench);
    return status;
}

static const struct cli_option option_table[] = {
    {"strategies", 0, "A,B", "what to compare, Lua files and exec:COMMAND too [all]",
     &cli_list, offsetof(struct bench_args, strategies)},
    {"on-strategy-error", 0, NULL,
     "when a strategy breaks: go on at random, or stop [stop]", &cli_on_error_kind,
     offsetof(struct bench_args, on_error)},
    {"strategy-timeout", 0, "S", "seconds that exec:COMMAND has for an answer [60]",
     &cli_seconds, offsetof(struct bench_args, strategy_timeout)},
    {"warm", 0, "FILE...",
     "begin with the best of those of the same kernel on other devices", &cli_files,
     offsetof(struct bench_args, warm)},
    {"repeats", 'r', "N", "runs of each strategy on each space [25]", &cli_count,
     offsetof(struct bench_args, repeats)},
    {"seed", 0, "N", "of the first run; run r uses seed + r [1]", &cli_count,
     offsetof(struct bench_args, seed)},
    {"budget", 'b', "N",
     "most evaluations a run [what random search needs for 95 %, at least 200]",
     &cli_count, offsetof(struct bench_args, budget)},
    {"design", 0, "N", "size of the start design [5]", &cli_count,
     offsetof(struct bench_args, design)},
    {"jobs", 'j', "N", "threads [one a core]", &cli_count,
     offsetof(struct bench_args, jobs)},
    {"plot", 0, "FILE.svg", "write a convergence plot", &cli_file,
     offsetof(struct bench_args, plot)},
    {"json", 0, NULL, "print JSON, also the figures of each space", &cli_flag,
     offsetof(struct bench_args, json)},
    {0},
};

const struct cli_command cli_bench = {
    .name = "bench",
    .summary = "Compare search strategies on recorded spaces",
    .usage = "strategies FILE.jsonl... [--strategies A,B] [--repeats N] [--json] ...",
    .details =
        "Each strategy searches each recorded space --repeats times. The score is 0 for\n"
        "random search and 1 for a search that knows the optimum; docs/benchmark.md\n"
        "defines it. Results repeat by --seed, whatever the number of threads; only the\n"
        "CPU time an ask does not.",
    .options = (const struct cli_option *const[]){option_table, NULL},
    .args_size = sizeof(struct bench_args),
    .defaults = &(const struct bench_args){.on_error = HONE_ON_ERROR_STOP,
                                           .strategy_timeout = 60,
                                           .repeats = 25,
                                           .seed = 1,
                                           .design = HONE_DESIGN_AUTO},
    .run = run,
};
