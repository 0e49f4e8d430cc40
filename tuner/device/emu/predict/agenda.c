#include "agenda.h"

#include <stdlib.h>

#include "base/grow.h"

static bool is_before(const struct hone_emu_agenda_item *a,
                      const struct hone_emu_agenda_item *b)
{
    return a->time < b->time || (a->time <= b->time && a->number < b->number);
}

bool hone_emu_agenda_add(struct hone_emu_agenda *agenda, double time, uint32_t who)
{
    if (!HONE_GROW(&agenda->items, &agenda->cap, agenda->count + 1, 64)) return false;
    const struct hone_emu_agenda_item item = {time, agenda->numbers++, who};
    uint32_t at = agenda->count++;
    while (at && is_before(&item, &agenda->items[(at - 1) / 2])) {
        agenda->items[at] = agenda->items[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    agenda->items[at] = item;
    return true;
}

bool hone_emu_agenda_next(struct hone_emu_agenda *agenda, double *time, uint32_t *who)
{
    if (!agenda->count) return false;
    struct hone_emu_agenda_item *items = agenda->items;
    *time = items[0].time;
    *who = items[0].who;
    const struct hone_emu_agenda_item last = items[--agenda->count];
    uint32_t at = 0;
    while (2 * at + 1 < agenda->count) {
        uint32_t child = 2 * at + 1;
        if (child + 1 < agenda->count && is_before(&items[child + 1], &items[child]))
            child++;
        if (!is_before(&items[child], &last)) break;
        items[at] = items[child];
        at = child;
    }
    items[at] = last;
    return true;
}

void hone_emu_agenda_fini(struct hone_emu_agenda *agenda)
{
    free(agenda->items);
    *agenda = (struct hone_emu_agenda){0};
}
