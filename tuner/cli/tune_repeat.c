// hone tune --repeat-tuning N: the same tuning again with other seeds, and how far the
// winners agree. A tuner whose winner changes from run to run picks within the noise.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "print.h"
#include "record/json_out.h"
#include "tune.h"

enum { REPEAT_MOST = 10000 };

struct winner {
    char *config;       // as text; owned
    double least, most; // of the runs that it won, in microseconds
    size_t runs;
};

struct repeat {
    struct winner *winners;
    size_t count, runs;
    bool predicts;
};

static enum hone_status no_memory(struct hone_error *err)
{
    return hone_no_memory(err, "for repeated tunings");
}

// sgemm.jsonl of run 2 is sgemm-2.jsonl.
static char *numbered(const char *path, size_t run)
{
    struct hone_strbuf out = HONE_STRBUF_INIT;
    const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
    if (!dot || (slash && dot < slash)) dot = path + strlen(path);
    hone_strbuf_printf(&out, "%.*s-%zu%s", (int)(dot - path), path, run, dot);
    return hone_strbuf_steal(&out);
}

static enum hone_status count_winner(struct repeat *repeat, const struct tune *tune,
                                     struct hone_error *err)
{
    const struct hone_space *space = hone_tuning_space(tune->tuning);
    struct hone_strbuf text = HONE_STRBUF_INIT;
    const double cost = hone_trial_cost(&tune->result.best);
    cli_config_text(&text, space, tune->result.best.index);
    char *config = hone_strbuf_steal(&text);
    if (!config) return no_memory(err);
    size_t i = 0;
    while (i < repeat->count && strcmp(repeat->winners[i].config, config) != 0)
        i++;
    struct winner *winner = &repeat->winners[i];
    if (i == repeat->count) {
        *winner = (struct winner){.config = config, .least = cost, .most = cost};
        repeat->count++;
    } else {
        free(config);
    }
    winner->least = fmin(winner->least, cost);
    winner->most = fmax(winner->most, cost);
    winner->runs++;
    repeat->runs++;
    repeat->predicts = hone_tuning_facts(tune->tuning).predicts;
    return HONE_OK;
}

static enum hone_status run_one(struct repeat *repeat, const struct tune_args *args,
                                const struct hone_tuning_options *options, size_t run,
                                struct hone_error *err)
{
    struct hone_tuning_options own = *options;
    char *journal = args->journal ? numbered(args->journal, run) : NULL;
    own.seed = args->seed + run - 1;
    own.journal = journal;
    enum hone_status status = args->journal && !journal ? no_memory(err) : HONE_OK;
    struct tune tune = {.args = args, .silent = args->json};
    if (status == HONE_OK) status = tune_run(&tune, &own, err);
    if (status == HONE_OK) status = count_winner(repeat, &tune, err);
    tune_close(&tune);
    free(journal);
    return status;
}

static int by_runs(const void *a, const void *b)
{
    const struct winner *x = a, *y = b;
    if (x->runs != y->runs) return x->runs > y->runs ? -1 : 1;
    return (x->least > y->least) - (x->least < y->least);
}

static void print_text(const struct repeat *repeat)
{
    printf("%zu tunings, %zu winner%s; times are %s\n", repeat->runs, repeat->count,
           repeat->count == 1 ? "" : "s",
           repeat->predicts ? "predicted" : "each run's own");
    for (size_t i = 0; i < repeat->count; i++) {
        const struct winner *winner = &repeat->winners[i];
        printf("%4zu x  %.5g to %.5g us  %s\n", winner->runs, winner->least, winner->most,
               winner->config);
    }
}

static enum hone_status print_json(const struct repeat *repeat, struct hone_error *err)
{
    struct json_t *root = hone_json_object(), *winners = hone_json_array();
    hone_json_integer(root, "tunings", (int64_t)repeat->runs);
    hone_json_bool(root, "predicted", repeat->predicts);
    for (size_t i = 0; i < repeat->count; i++) {
        struct json_t *winner = hone_json_object();
        hone_json_text(winner, "config", repeat->winners[i].config);
        hone_json_integer(winner, "tunings", (int64_t)repeat->winners[i].runs);
        hone_json_number(winner, "least_us", repeat->winners[i].least);
        hone_json_number(winner, "most_us", repeat->winners[i].most);
        hone_json_append(winners, winner);
    }
    hone_json_child(root, "winners", winners);
    return hone_json_print(root, stdout, err);
}

static enum hone_status check_args(const struct tune_args *args,
                                   const struct hone_tuning_options *options,
                                   struct hone_error *err)
{
    size_t problems = 0;
    if (args->output || args->resume)
        return hone_fail(err, HONE_EUSAGE,
                         "--repeat-tuning goes with neither --output nor --resume");
    if (args->repeat > REPEAT_MOST)
        return hone_fail(err, HONE_EUSAGE, "--repeat-tuning is %llu, at most %d",
                         (unsigned long long)args->repeat, REPEAT_MOST);
    enum hone_status status = hone_tuning_count_problems(&problems, options, err);
    if (status == HONE_OK && problems)
        status = hone_fail(err, HONE_EUSAGE, "--repeat-tuning is for a single problem");
    return status;
}

enum hone_status tune_repeat(const struct tune_args *args,
                             const struct hone_tuning_options *options,
                             struct hone_error *err)
{
    enum hone_status status = check_args(args, options, err);
    if (status != HONE_OK) return status;
    struct repeat repeat = {.winners = calloc(args->repeat, sizeof *repeat.winners)};
    if (!repeat.winners) status = no_memory(err);
    for (size_t run = 1; status == HONE_OK && run <= args->repeat; run++)
        status = run_one(&repeat, args, options, run, err);
    if (repeat.count)
        qsort(repeat.winners, repeat.count, sizeof *repeat.winners, by_runs);
    if (repeat.runs && args->json && status == HONE_OK)
        status = print_json(&repeat, err);
    else if (repeat.runs)
        print_text(&repeat);
    for (size_t i = 0; i < repeat.count; i++)
        free(repeat.winners[i].config);
    free(repeat.winners);
    return status;
}
