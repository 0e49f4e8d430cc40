/* Device memory as it was: keeps each page before its first store, and puts all back. */
#ifndef HONE_DEVICE_UNDO_H
#define HONE_DEVICE_UNDO_H

#include "memory/emu_memory.h"
#include "sectors.h"

struct hone_emu_saved_page;

struct hone_emu_undo {
    const struct hone_emu_memory *memory;
    struct hone_emu_set pages;
    struct hone_emu_saved_page *saved;
};

/* Bytes at address are about to be written to; what is no allocation is let be. False
 * when memory runs out. */
bool hone_emu_undo_note(struct hone_emu_undo *undo, uint64_t address, uint32_t bytes);
/* Undo what was noted, and forget it. */
/* The same of many bytes. */
bool hone_emu_undo_note_many(struct hone_emu_undo *undo, uint64_t address,
                             uint64_t bytes);
void hone_emu_undo_all(struct hone_emu_undo *undo);

#endif
