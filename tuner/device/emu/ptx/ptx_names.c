// Open addressing with linear steps; at most half of the slots are taken.
#include "ptx_names.h"

#include <string.h>

#include "base/hash.h"

static struct ptx_name *find_slot(const struct ptx_names *names, uint32_t scope,
                                  const char *text, size_t len)
{
    // the multiplier spreads scopes (2^64 divided by the golden ratio)
    uint64_t hash = hone_hash64(text, len) + scope * UINT64_C(0x9e3779b97f4a7c15);
    for (size_t i = (size_t)hash & (names->cap - 1);; i = (i + 1) & (names->cap - 1)) {
        struct ptx_name *slot = &names->slots[i];
        if (!slot->text || (slot->scope == scope && slot->len == len &&
                            memcmp(slot->text, text, len) == 0))
            return slot;
    }
}

static bool grow(struct ptx_names *names, struct hone_arena *arena)
{
    struct ptx_names grown = {.cap = names->cap ? names->cap * 2 : 64};
    grown.slots = hone_arena_array(arena, grown.cap, sizeof *grown.slots);
    if (!grown.slots) return false;
    for (size_t i = 0; i < names->cap; i++) {
        const struct ptx_name *old = &names->slots[i];
        if (old->text) *find_slot(&grown, old->scope, old->text, old->len) = *old;
    }
    grown.count = names->count;
    *names = grown;
    return true;
}

bool hone_ptx_names_put(struct ptx_names *names, struct hone_arena *arena, uint32_t scope,
                        const char *text, size_t len, void *value)
{
    if (names->count * 2 >= names->cap && !grow(names, arena)) return false;
    struct ptx_name *slot = find_slot(names, scope, text, len);
    names->count += !slot->text;
    *slot = (struct ptx_name){.text = text, .len = len, .scope = scope, .value = value};
    return true;
}

void *hone_ptx_names_get(const struct ptx_names *names, uint32_t scope, const char *text,
                         size_t len)
{
    if (names->count == 0) return NULL;
    return find_slot(names, scope, text, len)->value;
}
