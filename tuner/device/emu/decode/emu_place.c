// Where an instruction stands in the source and in the PTX, for messages.
#include <stdio.h>

#include "emu_code.h"

const char *hone_emu_source_place(const struct hone_emu_code *code, size_t site,
                                  uint32_t *line)
{
    const struct ptx_place *place = &code->places[site];
    const struct ptx_file *file = code->files;
    while (file && file->number != place->file)
        file = file->next;
    *line = file ? place->line : 0;
    return *line ? file->name : "";
}

void hone_emu_print_place(char *out, size_t size, const struct hone_emu_code *code,
                          size_t site)
{
    uint32_t source_line;
    const char *file = hone_emu_source_place(code, site, &source_line);
    unsigned line = code->insns[site].line;
    if (source_line)
        snprintf(out, size, "%s:%u, PTX line %u", file, source_line, line);
    else
        snprintf(out, size, "PTX line %u", line);
}
