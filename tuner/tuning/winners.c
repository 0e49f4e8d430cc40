#include "tuning/winners.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/grow.h"

enum { TIMES_MOST = 10000 };

static struct hone_winner *find_winner(struct hone_winners *winners, const char *config)
{
    for (size_t i = 0; i < winners->count; i++)
        if (strcmp(winners->items[i].config, config) == 0) return &winners->items[i];
    return NULL;
}

enum hone_status hone_winners_add(struct hone_winners *winners, const char *config,
                                  double cost, struct hone_error *err)
{
    struct hone_winner *winner = config ? find_winner(winners, config) : NULL;
    if (!winner) {
        char *copy = config ? strdup(config) : NULL;
        if (!copy || !HONE_GROW(&winners->items, &winners->cap, winners->count + 1, 8)) {
            free(copy);
            return hone_no_memory(err, "for repeated tunings");
        }
        winner = &winners->items[winners->count++];
        *winner = (struct hone_winner){.config = copy, .least = cost, .most = cost};
    }
    winner->least = fmin(winner->least, cost);
    winner->most = fmax(winner->most, cost);
    winner->runs++;
    winners->runs++;
    return HONE_OK;
}

static int by_runs(const void *a, const void *b)
{
    const struct hone_winner *x = a, *y = b;
    if (x->runs != y->runs) return x->runs > y->runs ? -1 : 1;
    return (x->least > y->least) - (x->least < y->least);
}

void hone_winners_sort(struct hone_winners *winners)
{
    if (winners->count)
        qsort(winners->items, winners->count, sizeof *winners->items, by_runs);
}

void hone_winners_fini(struct hone_winners *winners)
{
    for (size_t i = 0; i < winners->count; i++)
        free(winners->items[i].config);
    free(winners->items);
    *winners = (struct hone_winners){0};
}

enum hone_status hone_tuning_repeat(const struct hone_tuning_options *options,
                                    const struct hone_tuning_repeats *repeats,
                                    struct hone_error *err)
{
    size_t problems = 0;
    if (repeats->times > TIMES_MOST)
        return hone_fail(err, HONE_EUSAGE, "--repeat-tuning is %llu, at most %d",
                         (unsigned long long)repeats->times, TIMES_MOST);
    enum hone_status status = hone_tuning_count_problems(&problems, options, err);
    if (status == HONE_OK && problems)
        status = hone_fail(err, HONE_EUSAGE, "--repeat-tuning is for a single problem");
    for (size_t i = 0; status == HONE_OK && i < repeats->times; i++) {
        struct hone_tuning_options own = *options;
        char *journal =
            options->journal ? hone_path_numbered(options->journal, i + 1) : NULL;
        own.seed = options->seed + i;
        own.journal = journal;
        status = options->journal && !journal
                     ? hone_no_memory(err, "for the name of a journal")
                     : repeats->tune(repeats->context, &own, err);
        free(journal);
    }
    return status;
}
