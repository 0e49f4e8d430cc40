// A launch touches a few pages or thousands: the table of them grows as they come.
#include "race_pages.h"

#include <stdlib.h>
#include <string.h>

#include "race_global.h"

enum { FIRST_SLOTS = 64, MOST_PAGES = 1 << 15 };

void hone_emu_race_pages_fini(struct hone_emu_race_pages *pages)
{
    for (size_t i = 0; i < pages->cap; i++) {
        if (!pages->slots[i]) continue;
        for (int p = 0; p < HONE_EMU_RACE_PLANES; p++)
            free(pages->slots[i]->traces[p]);
        free(pages->slots[i]);
    }
    free(pages->slots);
    *pages = (struct hone_emu_race_pages){.granule = pages->granule};
}

// Where the page of that number is, or would go. The table has a free slot.
static struct hone_emu_race_page **find_page(struct hone_emu_race_page **slots,
                                             size_t cap, uint64_t number)
{
    size_t at = (size_t)((number * UINT64_C(0x9e3779b97f4a7c15)) >> 40) & (cap - 1);
    while (slots[at] && slots[at]->number != number)
        at = (at + 1) & (cap - 1);
    return &slots[at];
}

// Makes room for one more. False when memory runs out: nothing has changed then.
static bool grow(struct hone_emu_race_pages *pages)
{
    if (pages->count < pages->cap / 2) return true;
    const size_t cap = pages->cap ? 2 * pages->cap : FIRST_SLOTS;
    struct hone_emu_race_page **slots = calloc(cap, sizeof *slots);
    if (!slots) return false;
    for (size_t i = 0; i < pages->cap; i++)
        if (pages->slots[i])
            *find_page(slots, cap, pages->slots[i]->number) = pages->slots[i];
    free(pages->slots);
    pages->slots = slots;
    pages->cap = cap;
    return true;
}

struct hone_emu_race_page *hone_emu_race_pages_make(struct hone_emu_race_pages *pages,
                                                    uint64_t number)
{
    struct hone_emu_race_page **slot =
        pages->cap ? find_page(pages->slots, pages->cap, number) : NULL;
    if (!slot || !*slot) {
        if (pages->count == MOST_PAGES || !grow(pages)) return NULL;
        slot = find_page(pages->slots, pages->cap, number);
        *slot = calloc(1, sizeof **slot);
        if (!*slot) return NULL;
        (*slot)->number = number;
        pages->count++;
    }
    return pages->last = *slot;
}

static size_t plane_bytes(const struct hone_emu_race_pages *pages)
{
    return HONE_EMU_RACE_PAGE / pages->granule * sizeof(hone_emu_trace);
}

hone_emu_trace *hone_emu_race_pages_make_plane(struct hone_emu_race_pages *pages,
                                               struct hone_emu_race_page *page,
                                               unsigned plane)
{
    const size_t bytes = plane_bytes(pages);
    if (pages->bytes + bytes > hone_emu_most_race_bytes) return NULL;
    page->traces[plane] = calloc(1, bytes);
    if (page->traces[plane]) pages->bytes += bytes;
    return page->traces[plane];
}

void hone_emu_race_pages_forget(struct hone_emu_race_pages *pages, uint64_t address,
                                uint64_t bytes)
{
    for (uint64_t k = 0; k * HONE_EMU_RACE_PAGE < bytes; k++) {
        struct hone_emu_race_page *page =
            hone_emu_race_pages_at(pages, address / HONE_EMU_RACE_PAGE + k);
        for (int p = 0; page && p < HONE_EMU_RACE_PLANES; p++)
            if (page->traces[p]) memset(page->traces[p], 0, plane_bytes(pages));
    }
}
