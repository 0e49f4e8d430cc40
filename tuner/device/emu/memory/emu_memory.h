/* Device memory: a range of addresses backed one to one by a reserved range of the
 * host's, so that an address becomes a pointer by one addition. Allocations lie far apart
 * and pages come to life (zero) when touched; what is no allocation is caught by the
 * table. */
#ifndef HONE_DEVICE_EMU_MEMORY_H
#define HONE_DEVICE_EMU_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hone/status.h"

#define HONE_EMU_DEVICE_BASE (UINT64_C(1) << 40)

struct hone_emu_range {
    uint64_t base, bytes;
    bool read_only;
};

struct hone_emu_memory {
    uint8_t *host;                 /* of HONE_EMU_DEVICE_BASE */
    uint64_t span;                 /* bytes reserved */
    uint64_t cursor;               /* where the next allocation is tried */
    struct hone_emu_range *ranges; /* by base */
    size_t count, cap;
    uint64_t used;  /* bytes of the allocations, whole pages */
    uint64_t limit; /* bytes that the GPU has; 0: no limit */
};

enum hone_status hone_emu_memory_init(struct hone_emu_memory *memory,
                                      struct hone_error *err);
void hone_emu_memory_fini(struct hone_emu_memory *memory);

/* Zeroed, 256-byte aligned; bytes 0 gives an address nothing can be read from. ELIMIT
 * where the GPU has no room, or this machine (host_memory.h). */
enum hone_status hone_emu_memory_alloc(struct hone_emu_memory *memory, uint64_t bytes,
                                       uint64_t *out, struct hone_error *err);
void hone_emu_memory_free(struct hone_emu_memory *memory, uint64_t address);
/* Leave of the allocation that base lies in those bytes only; nothing when they are not
 * inside of one. The caller keeps the ranges as they were, to put them back before any
 * allocation is made or freed. */
void hone_emu_memory_narrow(struct hone_emu_memory *memory, uint64_t base,
                            uint64_t bytes);
void hone_emu_memory_protect(struct hone_emu_memory *memory, uint64_t address);

/* The allocation with the highest base that is not above address; NULL when there is
 * none. */
const struct hone_emu_range *hone_emu_memory_find(const struct hone_emu_memory *memory,
                                                  uint64_t address);

static inline uint8_t *hone_emu_memory_host(const struct hone_emu_memory *memory,
                                            uint64_t address)
{
    return memory->host + (address - HONE_EMU_DEVICE_BASE);
}

/* Host pointer to bytes at address, NULL when they are not inside one allocation. */
uint8_t *hone_emu_memory_at(const struct hone_emu_memory *memory, uint64_t address,
                            uint64_t bytes);

#endif
