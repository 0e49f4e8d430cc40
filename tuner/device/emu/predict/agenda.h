/* What comes when, the earliest first: a binary heap. Of equal times the one that was
 * added first comes first, so a simulation has one outcome. */
#ifndef HONE_DEVICE_EMU_AGENDA_H
#define HONE_DEVICE_EMU_AGENDA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hone_emu_agenda_item {
    double time;
    uint32_t number, who;
};

struct hone_emu_agenda {
    struct hone_emu_agenda_item *items;
    uint32_t count;
    size_t cap;
    uint32_t numbers; /* that were added */
};

/* False when memory runs out. */
bool hone_emu_agenda_add(struct hone_emu_agenda *agenda, double time, uint32_t who);
/* Takes the earliest; false when there is none. */
bool hone_emu_agenda_next(struct hone_emu_agenda *agenda, double *time, uint32_t *who);
/* Is something due before the time? */
static inline bool hone_emu_agenda_has_before(const struct hone_emu_agenda *agenda,
                                              double time)
{
    return agenda->count && agenda->items[0].time < time;
}
void hone_emu_agenda_fini(struct hone_emu_agenda *agenda);

#endif
