/* What is being measured, and what has come back since the strategy last heard. Results
 * are handed on in the order of their indices, so that a strategy cannot depend on which
 * of several workers was faster. */
#ifndef HONE_SEARCH_FLIGHT_H
#define HONE_SEARCH_FLIGHT_H

#include "hone/trial.h"

struct hone_flight {
    uint64_t *out; /* asked, not told; in no order */
    size_t out_count, out_cap;
    struct hone_trial *back;
    size_t back_count, back_cap;
};

/* Make room for more to go out, or to come back. ENOMEM. */
enum hone_status hone_flight_reserve(struct hone_flight *flight, size_t out, size_t back,
                                     struct hone_error *err);
void hone_flight_fini(struct hone_flight *flight);

void hone_flight_depart(struct hone_flight *flight, uint64_t index);

/* It need not have departed; keep its trial when a strategy wants to hear of it. */
void hone_flight_return(struct hone_flight *flight, const struct hone_trial *trial,
                        bool keep);

/* Put what came back in order. */
void hone_flight_sort(struct hone_flight *flight);

#endif
