#include "bulk.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

// All ones: NaN in every float type, -1 in integers.
enum { POISON = 0xff };

static void free_sources(struct hone_emu_bulk *bulk)
{
    if (bulk->was_read) free((void *)(uintptr_t)bulk->runs[0].from);
}

void hone_emu_bulk_free(struct hone_emu_bulk *bulk)
{
    if (bulk->run_count) free_sources(bulk);
    free((void *)(uintptr_t)bulk->runs);
}

void hone_emu_bulks_begin(struct hone_emu_bulks *bulks)
{
    for (size_t k = 0; k < bulks->count; k++)
        hone_emu_bulk_free(&bulks->items[k]);
    bulks->count = 0;
}

void hone_emu_bulks_fini(struct hone_emu_bulks *bulks)
{
    hone_emu_bulks_begin(bulks);
    free(bulks->items);
}

bool hone_emu_bulks_put_off(struct hone_emu_bulks *bulks,
                            const struct hone_emu_bulk *bulk)
{
    const size_t bytes = bulk->run_count * sizeof *bulk->runs;
    if (!HONE_GROW(&bulks->items, &bulks->cap, bulks->count + 1, 16)) return false;
    struct hone_emu_bulk_run *runs = malloc(bytes ? bytes : 1);
    if (!runs) return false;
    if (bytes) memcpy(runs, bulk->runs, bytes);
    struct hone_emu_bulk *added = &bulks->items[bulks->count++];
    *added = *bulk;
    added->runs = runs;
    if (bulk->borrowed && !hone_emu_bulks_read(bulks, bulks->count - 1)) {
        free(runs);
        bulks->count--;
        return false;
    }
    for (size_t k = 0; bulk->insn->logic == LOGIC_NONE && k < bulk->run_count; k++)
        memset(runs[k].to, POISON, runs[k].bytes);
    return true;
}

void hone_emu_bulks_take(struct hone_emu_bulks *bulks, size_t k,
                         struct hone_emu_bulk *out)
{
    *out = bulks->items[k];
    bulks->count--;
    memmove(bulks->items + k, bulks->items + k + 1,
            (bulks->count - k) * sizeof *bulks->items);
}

bool hone_emu_bulks_read(struct hone_emu_bulks *bulks, size_t k)
{
    struct hone_emu_bulk *bulk = &bulks->items[k];
    struct hone_emu_bulk_run *runs = (struct hone_emu_bulk_run *)(uintptr_t)bulk->runs;
    size_t bytes = 0, at = 0;
    if (bulk->was_read || bulk->run_count == 0) return true;
    for (size_t r = 0; r < bulk->run_count; r++)
        bytes += runs[r].bytes;
    uint8_t *kept = malloc(bytes ? bytes : 1);
    if (!kept) return false;
    for (size_t r = 0; r < bulk->run_count; r++) {
        memcpy(kept + at, runs[r].from, runs[r].bytes);
        runs[r].from = kept + at;
        at += runs[r].bytes;
    }
    bulk->was_read = true;
    return true;
}

uint64_t hone_emu_bulks_pending(const struct hone_emu_bulks *bulks, uint32_t mbarrier)
{
    uint64_t bytes = 0;
    for (size_t k = 0; k < bulks->count; k++)
        if (bulks->items[k].end == HONE_EMU_BULK_MBARRIER &&
            bulks->items[k].mbarrier == mbarrier)
            bytes += bulks->items[k].bytes;
    return bytes;
}
