#include "undo.h"

#include <stdlib.h>
#include <string.h>

enum { PAGE = 4096 };

struct hone_emu_saved_page {
    uint64_t address;
    struct hone_emu_saved_page *next;
    uint8_t bytes[PAGE];
};

bool hone_emu_undo_note(struct hone_emu_undo *undo, uint64_t address, uint32_t bytes)
{
    if (!hone_emu_memory_at(undo->memory, address, bytes)) return true;
    int added = hone_emu_set_add(&undo->pages, address / PAGE);
    if (added <= 0) return added == 0;
    struct hone_emu_saved_page *page = malloc(sizeof *page);
    if (!page) return false;
    page->address = address / PAGE * PAGE;
    page->next = undo->saved;
    undo->saved = page;
    memcpy(page->bytes, hone_emu_memory_host(undo->memory, page->address), PAGE);
    return true;
}

bool hone_emu_undo_note_many(struct hone_emu_undo *undo, uint64_t address, uint64_t bytes)
{
    const uint64_t end = address + bytes;
    while (address < end) {
        const uint64_t next = (address / PAGE + 1) * PAGE;
        if (!hone_emu_undo_note(undo, address, 1)) return false;
        address = next;
    }
    return true;
}

void hone_emu_undo_all(struct hone_emu_undo *undo)
{
    while (undo->saved) {
        struct hone_emu_saved_page *page = undo->saved;
        memcpy(hone_emu_memory_host(undo->memory, page->address), page->bytes, PAGE);
        undo->saved = page->next;
        free(page);
    }
    hone_emu_set_fini(&undo->pages);
}
