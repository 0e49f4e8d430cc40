#include "arrivals.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

enum { MOST_ARRIVALS = 1 << 14 };

void hone_emu_arrivals_begin(struct hone_emu_arrivals *arrivals)
{
    arrivals->object_count = arrivals->count = 0;
}

void hone_emu_arrivals_fini(struct hone_emu_arrivals *arrivals)
{
    free(arrivals->objects);
    free(arrivals->items);
}

void hone_emu_arrivals_add_object(struct hone_emu_arrivals *arrivals, uint32_t at,
                                  uint32_t site)
{
    hone_emu_arrivals_drop_object(arrivals, at);
    const size_t count = arrivals->object_count;
    if (HONE_GROW(&arrivals->objects, &arrivals->object_cap, count + 1, 16))
        arrivals->objects[arrivals->object_count++] =
            (struct hone_emu_object){.at = at, .site = site};
}

void hone_emu_arrivals_drop_object(struct hone_emu_arrivals *arrivals, uint32_t at)
{
    for (size_t k = 0; k < arrivals->object_count; k++)
        if (arrivals->objects[k].at == at) {
            arrivals->objects[k] = arrivals->objects[--arrivals->object_count];
            return;
        }
}

void hone_emu_arrivals_end_phase(struct hone_emu_arrivals *arrivals, uint32_t at)
{
    for (size_t k = 0; k < arrivals->object_count; k++)
        if (arrivals->objects[k].at == at) {
            arrivals->objects[k].phases++;
            arrivals->objects[k].landed = 0;
        }
}

void hone_emu_arrivals_pass(struct hone_emu_arrivals *arrivals, uint32_t at)
{
    for (size_t k = 0; k < arrivals->object_count; k++)
        if (arrivals->objects[k].at == at)
            arrivals->objects[k].known = arrivals->objects[k].phases;
}

void hone_emu_arrivals_land(struct hone_emu_arrivals *arrivals, uint32_t at,
                            uint32_t bytes)
{
    for (size_t k = 0; k < arrivals->object_count; k++)
        if (arrivals->objects[k].at == at) arrivals->objects[k].landed += bytes;
}

bool hone_emu_arrivals_put_off(struct hone_emu_arrivals *arrivals,
                               const struct hone_emu_arrival *arrival)
{
    if (arrivals->count == MOST_ARRIVALS ||
        !HONE_GROW(&arrivals->items, &arrivals->cap, arrivals->count + 1, 64))
        return false;
    arrivals->items[arrivals->count++] = *arrival;
    return true;
}

bool hone_emu_arrivals_take(struct hone_emu_arrivals *arrivals, uint32_t at,
                            struct hone_emu_arrival *out)
{
    for (size_t k = 0; k < arrivals->count; k++) {
        if (arrivals->items[k].at != at) continue;
        *out = arrivals->items[k];
        arrivals->count--;
        memmove(arrivals->items + k, arrivals->items + k + 1,
                (arrivals->count - k) * sizeof *arrivals->items);
        return true;
    }
    return false;
}
