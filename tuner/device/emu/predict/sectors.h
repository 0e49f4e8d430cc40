/* A set of 64-bit keys, for counting distinct sectors and pages. */
#ifndef HONE_DEVICE_SECTORS_H
#define HONE_DEVICE_SECTORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hone_emu_set {
    uint64_t *slots; /* key + 1; 0 is free */
    size_t cap, count;
};

/* 1 when key is new, 0 when it was there, -1 when memory ran out. */
int hone_emu_set_add(struct hone_emu_set *set, uint64_t key);
bool hone_emu_set_has(const struct hone_emu_set *set, uint64_t key);
void hone_emu_set_fini(struct hone_emu_set *set); /* leaves it empty */

#endif
