// Waivers: a finding of one kind at one line of the source, or in one buffer, is counted
// and the kernel goes on.
#include "waive.h"

#include <string.h>

static bool is_at(const struct hone_waiver *waiver, const struct hone_emu_code *code,
                  size_t site)
{
    uint32_t line;
    const char *file = hone_emu_source_place(code, site, &line);
    return line && line == waiver->line && strcmp(file, waiver->file) == 0;
}

static bool covers(const struct hone_waiver *waiver, const struct hone_emu_launch *launch,
                   const struct hone_emu_suspect *suspect)
{
    if (waiver->finding != suspect->finding) return false;
    if (!waiver->buffer)
        return is_at(waiver, launch->code, suspect->site) ||
               is_at(waiver, launch->code, suspect->other_site);
    const char *name = hone_emu_buffer_at(launch, suspect->address);
    return name && strcmp(name, waiver->buffer) == 0;
}

bool hone_emu_waives(const struct hone_emu_launch *launch,
                     const struct hone_emu_suspect *suspect)
{
    const struct hone_launch *asked = launch->asked;
    bool waived = false;
    for (size_t i = 0; asked && i < asked->waiver_count && i < HONE_WAIVER_MAX; i++) {
        if (!covers(&asked->waivers[i], launch, suspect)) continue;
        waived = true;
        if (asked->report && asked->report->waived[i] < UINT32_MAX)
            asked->report->waived[i]++;
    }
    return waived;
}
