/* How often each configuration won, of several tunings of the same kernel. */
#ifndef HONE_TUNING_WINNERS_H
#define HONE_TUNING_WINNERS_H

#include <stdbool.h>
#include <stddef.h>

#include "hone/status.h"

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
/* The most frequent first, then the fastest. */
void hone_winners_sort(struct hone_winners *winners);
void hone_winners_fini(struct hone_winners *winners);

#endif
