#include "race_log.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

static const size_t most_entries = (size_t)4 << 20;

bool hone_emu_log_init(struct hone_emu_log *log, size_t sites)
{
    *log = (struct hone_emu_log){.count = 1, .sites = sites};
    log->latest = calloc(sites + 1, sizeof *log->latest);
    return log->latest != NULL;
}

void hone_emu_log_fini(struct hone_emu_log *log)
{
    free(log->latest);
    free(log->items);
    *log = (struct hone_emu_log){0};
}

static bool make_room(struct hone_emu_log *log)
{
    return log->count < most_entries &&
           HONE_GROW(&log->items, &log->cap, log->count + 1, 1024);
}

uint32_t hone_emu_log_note(struct hone_emu_log *log,
                           const struct hone_emu_accesses *access)
{
    uint32_t *latest = &log->latest[access->site];
    if (*latest && memcmp(&log->items[*latest], access, sizeof *access) == 0)
        return *latest;
    if (!make_room(log)) return 0;
    log->items[log->count] = *access;
    *latest = (uint32_t)log->count++;
    return *latest;
}
