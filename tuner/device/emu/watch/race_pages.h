/* Pages of device memory of which accesses are kept: planes of traces, one a cell, that
 * come to life when they are asked for. */
#ifndef HONE_DEVICE_EMU_WATCH_RACE_PAGES_H
#define HONE_DEVICE_EMU_WATCH_RACE_PAGES_H

#include <stddef.h>
#include <stdint.h>

#include "race_log.h"

enum { HONE_EMU_RACE_PAGE = 4096, HONE_EMU_RACE_PLANES = 5 };

struct hone_emu_race_page {
    uint64_t number;                              /* address / HONE_EMU_RACE_PAGE */
    hone_emu_trace *traces[HONE_EMU_RACE_PLANES]; /* of each cell; NULL: none yet */
};

/* {.granule} is empty. A page stays where it is. */
struct hone_emu_race_pages {
    uint32_t granule;                  /* bytes of a cell */
    struct hone_emu_race_page **slots; /* cap of them, open addressing; NULL: free */
    size_t cap, count, bytes;
    struct hone_emu_race_page *last; /* the one met last, or NULL */
};

void hone_emu_race_pages_fini(struct hone_emu_race_pages *pages);

/* The page of that number, made where it is new. NULL when there is no room: nothing is
 * noted there then. */
struct hone_emu_race_page *hone_emu_race_pages_make(struct hone_emu_race_pages *pages,
                                                    uint64_t number);

static inline struct hone_emu_race_page *
hone_emu_race_pages_at(struct hone_emu_race_pages *pages, uint64_t number)
{
    if (pages->last && pages->last->number == number) return pages->last;
    return hone_emu_race_pages_make(pages, number);
}

hone_emu_trace *hone_emu_race_pages_make_plane(struct hone_emu_race_pages *pages,
                                               struct hone_emu_race_page *page,
                                               unsigned plane);

/* A plane of the page; NULL when there is no room, as above. */
static inline hone_emu_trace *hone_emu_race_pages_plane(struct hone_emu_race_pages *pages,
                                                        struct hone_emu_race_page *page,
                                                        unsigned plane)
{
    hone_emu_trace *known = page->traces[plane];
    return known ? known : hone_emu_race_pages_make_plane(pages, page, plane);
}

/* Nothing has happened in a range of memory. */
void hone_emu_race_pages_forget(struct hone_emu_race_pages *pages, uint64_t address,
                                uint64_t bytes);

#endif
