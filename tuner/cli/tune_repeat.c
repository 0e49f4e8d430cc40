// hone tune --repeat-tuning N: the same tuning again with other seeds, and how far the
// winners agree. A tuner whose winner changes from run to run picks within the noise.
#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/quantity.h"
#include "base/strbuf.h"
#include "print.h"
#include "record/json_out.h"
#include "report/tuning.h"
#include "tune.h"

enum { REPEAT_MOST = 10000 };

static enum hone_status count_winner(struct hone_winners *winners,
                                     const struct tune *tune, struct hone_error *err)
{
    const struct hone_trial *best = &tune->result.best;
    struct hone_strbuf config = HONE_STRBUF_INIT;
    hone_config_text(&config, hone_tuning_space(tune->tuning), best->index);
    winners->predict = hone_tuning_facts(tune->tuning).predicts;
    enum hone_status status =
        hone_winners_add(winners, config.data, hone_trial_cost(best), err);
    hone_strbuf_fini(&config);
    return status;
}

static enum hone_status run_one(struct hone_winners *winners,
                                const struct tune_args *args,
                                const struct hone_tuning_options *options, size_t run,
                                struct hone_error *err)
{
    struct hone_tuning_options own = *options;
    char *journal = options->journal ? hone_path_numbered(options->journal, run) : NULL;
    own.seed = options->seed + run - 1;
    own.journal = journal;
    enum hone_status status = options->journal && !journal
                                  ? hone_no_memory(err, "for the name of a journal")
                                  : HONE_OK;
    struct tune tune = {.args = args, .silent = args->json};
    if (status == HONE_OK) status = tune_run(&tune, &own, err);
    if (status == HONE_OK) status = count_winner(winners, &tune, err);
    tune_close(&tune);
    free(journal);
    return status;
}

static void print_repeat_text(const struct hone_winners *winners)
{
    printf("%zu tunings, %zu winner%s; times are %s\n", winners->runs, winners->count,
           winners->count == 1 ? "" : "s",
           winners->predict ? "predicted" : "each run's own");
    for (size_t i = 0; i < winners->count; i++) {
        const struct hone_winner *winner = &winners->items[i];
        printf("%4zu x  %s to %s us  %s\n", winner->runs,
               hone_plain(winner->least, 5).text, hone_plain(winner->most, 5).text,
               winner->config);
    }
}

static enum hone_status check_repeat_args(const struct tune_args *args,
                                          const struct hone_tuning_options *options,
                                          struct hone_error *err)
{
    size_t problems = 0;
    if (args->output || options->resume)
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
    enum hone_status status = check_repeat_args(args, options, err);
    if (status != HONE_OK) return status;
    struct hone_winners winners = {0};
    for (size_t run = 1; status == HONE_OK && run <= args->repeat; run++)
        status = run_one(&winners, args, options, run, err);
    hone_winners_sort(&winners);
    if (winners.runs && args->json && status == HONE_OK)
        status = hone_json_print(hone_winners_json(&winners), stdout, err);
    else if (winners.runs)
        print_repeat_text(&winners);
    hone_winners_fini(&winners);
    return status;
}
