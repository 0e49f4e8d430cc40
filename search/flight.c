#include "flight.h"

#include <assert.h>
#include <stdlib.h>

#include "base/grow.h"

enum { ROOM_FIRST = 16 };

enum hone_status hone_flight_reserve(struct hone_flight *flight, size_t out, size_t back,
                                     struct hone_error *err)
{
    if (!HONE_GROW(&flight->out, &flight->out_cap, flight->out_count + out, ROOM_FIRST))
        return hone_no_memory(err, "for %zu asks", out);
    if (!HONE_GROW(&flight->back, &flight->back_cap, flight->back_count + back,
                   ROOM_FIRST))
        return hone_no_memory(err, "for %zu trials", back);
    return HONE_OK;
}

void hone_flight_fini(struct hone_flight *flight)
{
    free(flight->out);
    free(flight->back);
    *flight = (struct hone_flight){0};
}

void hone_flight_depart(struct hone_flight *flight, uint64_t index)
{
    assert(flight->out_count < flight->out_cap);
    flight->out[flight->out_count++] = index;
}

void hone_flight_return(struct hone_flight *flight, const struct hone_trial *trial,
                        bool keep)
{
    assert(!keep || flight->back_count < flight->back_cap);
    size_t i = 0;
    while (i < flight->out_count && flight->out[i] != trial->index)
        i++;
    if (i < flight->out_count) flight->out[i] = flight->out[--flight->out_count];
    if (keep) flight->back[flight->back_count++] = *trial;
}

static int by_index(const void *a, const void *b)
{
    const struct hone_trial *x = a, *y = b;
    return (x->index > y->index) - (x->index < y->index);
}

void hone_flight_sort(struct hone_flight *flight)
{
    if (flight->back_count > 1)
        qsort(flight->back, flight->back_count, sizeof *flight->back, by_index);
}
