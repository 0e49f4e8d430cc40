/* How often each configuration won, of several tunings of the same kernel. */
#ifndef HONE_TUNING_WINNERS_H
#define HONE_TUNING_WINNERS_H

#include "hone/tuning.h"

/* Begins as zeros. */
struct hone_winners {
    struct hone_winner {
        char *config;       /* as text */
        double least, most; /* cost in the tunings that it won */
        size_t runs;
    } * items;
    size_t count, cap, runs;
    bool predict; /* costs are predictions; the caller's to say */
};

/* One tuning more. config is copied; NULL: there was no memory for it. */
enum hone_status hone_winners_add(struct hone_winners *winners, const char *config,
                                  double cost, struct hone_error *err);
/* How often to tune, and who does: tune runs one of them and adds its winner. */
struct hone_tuning_repeats {
    uint64_t times; /* at most 10000 */
    enum hone_status (*tune)(void *context, const struct hone_tuning_options *options,
                             struct hone_error *err);
    void *context;
};

/* Tune by seeds that count up from that of options and, where it names a journal, with
 * journals that are numbered. The first that fails is the last. EUSAGE for too many, and
 * for options of several problems. */
enum hone_status hone_tuning_repeat(const struct hone_tuning_options *options,
                                    const struct hone_tuning_repeats *repeats,
                                    struct hone_error *err);
/* The most frequent first, then the fastest. */
void hone_winners_sort(struct hone_winners *winners);
void hone_winners_fini(struct hone_winners *winners);

#endif
