// The table of device allocations and the reserved range of host memory behind it.
#define _GNU_SOURCE // MAP_ANONYMOUS, MAP_NORESERVE
#include "emu_memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/grow.h"
#include "base/host_memory.h"

// Nothing is near the end of a buffer: an overrun of up to this much cannot meet another
// one.
static const uint64_t gap_bytes = UINT64_C(64) << 20;
static const uint64_t page_bytes = 4096;
static const uint64_t most_bytes = UINT64_C(4) << 40, least_bytes = UINT64_C(16) << 30;

enum hone_status hone_emu_memory_init(struct hone_emu_memory *memory,
                                      struct hone_error *err)
{
    *memory = (struct hone_emu_memory){0};
    for (uint64_t span = most_bytes; span >= least_bytes; span /= 2) {
        void *host = mmap(NULL, span, PROT_NONE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (host == MAP_FAILED) continue;
        memory->host = host;
        memory->span = span;
        return HONE_OK;
    }
    return hone_fail(err, HONE_ENOMEM, "cannot reserve %llu GiB of address space",
                     (unsigned long long)(least_bytes >> 30));
}

void hone_emu_memory_fini(struct hone_emu_memory *memory)
{
    if (memory->host) munmap(memory->host, memory->span);
    hone_host_memory_release(memory->used);
    free(memory->ranges);
    *memory = (struct hone_emu_memory){0};
}

// Number of allocations whose base is not above address.
static size_t upper_bound(const struct hone_emu_memory *memory, uint64_t address)
{
    size_t low = 0, high = memory->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (memory->ranges[middle].base <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const struct hone_emu_range *hone_emu_memory_find(const struct hone_emu_memory *memory,
                                                  uint64_t address)
{
    size_t n = upper_bound(memory, address);
    return n ? &memory->ranges[n - 1] : NULL;
}

uint8_t *hone_emu_memory_at(const struct hone_emu_memory *memory, uint64_t address,
                            uint64_t bytes)
{
    const struct hone_emu_range *range = hone_emu_memory_find(memory, address);
    if (!range || address - range->base > range->bytes ||
        bytes > range->bytes - (address - range->base))
        return NULL;
    return hone_emu_memory_host(memory, address);
}

static uint64_t mapped_bytes(uint64_t bytes)
{
    return (bytes + page_bytes - 1) / page_bytes * page_bytes;
}

static uint64_t end_of(const struct hone_emu_range *range)
{
    return range->base + mapped_bytes(range->bytes) + gap_bytes;
}

// The first place for need bytes at or after from: between two allocations, or past the
// last.
static uint64_t find_place(const struct hone_emu_memory *memory, uint64_t from,
                           uint64_t need)
{
    size_t i = upper_bound(memory, from);
    uint64_t at = from;
    if (i > 0 && end_of(&memory->ranges[i - 1]) > at) at = end_of(&memory->ranges[i - 1]);
    for (; i < memory->count && memory->ranges[i].base - at < need; i++)
        at = end_of(&memory->ranges[i]);
    uint64_t limit = HONE_EMU_DEVICE_BASE + memory->span;
    return at <= limit && need <= limit - at ? at : 0;
}

static enum hone_status insert(struct hone_emu_memory *memory, uint64_t base,
                               uint64_t bytes)
{
    if (!HONE_GROW(&memory->ranges, &memory->cap, memory->count + 1, 16))
        return HONE_ENOMEM;
    size_t i = upper_bound(memory, base);
    memmove(&memory->ranges[i + 1], &memory->ranges[i],
            (memory->count - i) * sizeof *memory->ranges);
    memory->ranges[i] = (struct hone_emu_range){.base = base, .bytes = bytes};
    memory->count++;
    return HONE_OK;
}

static enum hone_status check_room(const struct hone_emu_memory *memory, uint64_t bytes,
                                   struct hone_error *err)
{
    if (bytes > memory->span)
        return hone_fail(err, HONE_ELIMIT,
                         "%llu bytes of device memory, %llu can be reserved",
                         (unsigned long long)bytes, (unsigned long long)memory->span);
    if (!memory->limit) return HONE_OK;
    const uint64_t need = mapped_bytes(bytes);
    if (memory->used <= memory->limit && need <= memory->limit - memory->used)
        return HONE_OK;
    return hone_fail(err, HONE_ELIMIT,
                     "%llu bytes of device memory, the GPU has %llu and %llu are in use",
                     (unsigned long long)bytes, (unsigned long long)memory->limit,
                     (unsigned long long)memory->used);
}

// Make the pages from base on usable and list them.
static enum hone_status map(struct hone_emu_memory *memory, uint64_t base, uint64_t bytes,
                            struct hone_error *err)
{
    uint8_t *host = hone_emu_memory_host(memory, base);
    if (bytes && mprotect(host, mapped_bytes(bytes), PROT_READ | PROT_WRITE) != 0)
        return hone_fail(err, HONE_ENOMEM, "no memory for %llu bytes of device memory",
                         (unsigned long long)bytes);
    if (insert(memory, base, bytes) != HONE_OK)
        return hone_no_memory(err, "for device memory");
    return HONE_OK;
}

enum hone_status hone_emu_memory_alloc(struct hone_emu_memory *memory, uint64_t bytes,
                                       uint64_t *out, struct hone_error *err)
{
    enum hone_status status = check_room(memory, bytes, err);
    if (status != HONE_OK) return status;
    uint64_t need = mapped_bytes(bytes) + gap_bytes;
    uint64_t base = find_place(memory, HONE_EMU_DEVICE_BASE + memory->cursor, need);
    if (!base) base = find_place(memory, HONE_EMU_DEVICE_BASE, need);
    if (!base)
        return hone_fail(err, HONE_ELIMIT, "no room for %llu bytes of device memory",
                         (unsigned long long)bytes);
    status = hone_host_memory_claim(mapped_bytes(bytes), "for device memory", err);
    if (status != HONE_OK) return status;
    status = map(memory, base, bytes, err);
    if (status != HONE_OK) {
        hone_host_memory_release(mapped_bytes(bytes));
        return status;
    }
    memory->used += mapped_bytes(bytes);
    memory->cursor = base + need - HONE_EMU_DEVICE_BASE;
    *out = base;
    return HONE_OK;
}

static struct hone_emu_range *exact(struct hone_emu_memory *memory, uint64_t address)
{
    size_t n = upper_bound(memory, address);
    return n && memory->ranges[n - 1].base == address ? &memory->ranges[n - 1] : NULL;
}

void hone_emu_memory_free(struct hone_emu_memory *memory, uint64_t address)
{
    struct hone_emu_range *range = exact(memory, address);
    if (!range) return;
    size_t i = (size_t)(range - memory->ranges);
    if (range->bytes) // fresh pages take the place of the old: their memory goes back
        (void)mmap(hone_emu_memory_host(memory, address), mapped_bytes(range->bytes),
                   PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1,
                   0);
    memory->used -= mapped_bytes(range->bytes);
    hone_host_memory_release(mapped_bytes(range->bytes));
    memory->count--;
    memmove(range, range + 1, (memory->count - i) * sizeof *range);
}

void hone_emu_memory_protect(struct hone_emu_memory *memory, uint64_t address)
{
    struct hone_emu_range *range = exact(memory, address);
    if (range) range->read_only = true;
}

void hone_emu_memory_narrow(struct hone_emu_memory *memory, uint64_t base, uint64_t bytes)
{
    size_t n = upper_bound(memory, base);
    struct hone_emu_range *range = n ? &memory->ranges[n - 1] : NULL;
    if (!range || base - range->base > range->bytes ||
        bytes > range->bytes - (base - range->base))
        return;
    range->base = base;
    range->bytes = bytes;
}
