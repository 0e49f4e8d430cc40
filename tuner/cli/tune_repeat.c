// hone tune --repeat-tuning N: the same tuning again with other seeds, and how far the
// winners agree. A tuner whose winner changes from run to run picks within the noise.
#include <stdio.h>

#include "base/quantity.h"
#include "output.h"
#include "print.h"
#include "report/tuning.h"
#include "tune.h"

struct repeat {
    const struct hone_tune_args *args;
    struct hone_winners winners;
};

static enum hone_status run_once(void *context, const struct hone_tuning_options *options,
                                 struct hone_error *err)
{
    struct repeat *repeat = context;
    struct tune tune = {.args = repeat->args, .silent = repeat->args->json};
    enum hone_status status = tune_run(&tune, options, err);
    if (status == HONE_OK)
        status =
            hone_winners_count(&repeat->winners, tune.tuning, &tune.result.best, err);
    tune_close(&tune);
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

enum hone_status tune_repeat(const struct hone_tune_args *args,
                             const struct hone_tuning_options *options,
                             struct hone_error *err)
{
    struct repeat repeat = {.args = args};
    if (args->output || options->resume)
        return hone_fail(err, HONE_EUSAGE,
                         "--repeat-tuning goes with neither --output nor --resume");
    enum hone_status status =
        hone_tuning_repeat(options, args->repeat, run_once, &repeat, err);
    hone_winners_sort(&repeat.winners);
    if (repeat.winners.runs && args->json && status == HONE_OK)
        status = cli_print_json(hone_winners_json(&repeat.winners), err);
    else if (repeat.winners.runs)
        print_repeat_text(&repeat.winners);
    hone_winners_fini(&repeat.winners);
    return status;
}
