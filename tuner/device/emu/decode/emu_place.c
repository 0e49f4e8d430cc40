// Where an instruction stands in the source and in the PTX, for messages.
#include <stdio.h>

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

void hone_emu_print_place(char *out, size_t size, const struct hone_emu_code *code,
                          size_t site)
{
    uint32_t source_line, call_line = code->places[site].call_line;
    const char *file = hone_emu_source_place(code, site, &source_line);
    const char *caller = name_of(code, code->places[site].call_file, &call_line);
    char at[96] = "", call[96] = "";
    if (source_line) snprintf(at, sizeof at, "%s:%u, ", file, source_line);
    if (source_line && call_line)
        snprintf(call, sizeof call, ", called at %s:%u", caller, call_line);
    snprintf(out, size, "%sPTX line %u%s", at, code->insns[site].line, call);
}
