// Where an instruction stands in the source and in the PTX, for messages.
#include <stdio.h>
#include <string.h>

#include "emu_code.h"

// *line is 0, and the name empty, where it has no file.
static const char *name_of(const struct hone_emu_code *code, uint32_t number,
                           uint32_t *line)
{
    const struct ptx_file *file = code->files;
    while (file && file->number != number)
        file = file->next;
    if (!file) *line = 0;
    return *line ? file->name : "";
}

const char *hone_emu_source_place(const struct hone_emu_code *code, size_t site,
                                  uint32_t *line)
{
    *line = code->places[site].line;
    return name_of(code, code->places[site].file, line);
}

// The end of a long name tells more than its beginning.
static const char *short_name(char out[HONE_EMU_NAME_TEXT], const char *name)
{
    const size_t len = strlen(name), keep = HONE_EMU_NAME_TEXT - sizeof "...";
    const bool cut = len >= HONE_EMU_NAME_TEXT;
    snprintf(out, HONE_EMU_NAME_TEXT, "%s%s", cut ? "..." : "",
             cut ? name + len - keep : name);
    return out;
}

void hone_emu_print_place(char out[HONE_EMU_PLACE_TEXT], const struct hone_emu_code *code,
                          size_t site)
{
    char name[HONE_EMU_NAME_TEXT], at[58] = "", call[67] = "";
    uint32_t source_line, call_line = code->places[site].call_line;
    const char *file = hone_emu_source_place(code, site, &source_line);
    const char *caller = name_of(code, code->places[site].call_file, &call_line);
    if (source_line)
        snprintf(at, sizeof at, "%s:%u, ", short_name(name, file), source_line);
    if (source_line && call_line)
        snprintf(call, sizeof call, ", called at %s:%u", short_name(name, caller),
                 call_line);
    snprintf(out, HONE_EMU_PLACE_TEXT, "%sPTX line %u%s", at, code->insns[site].line,
             call);
}
