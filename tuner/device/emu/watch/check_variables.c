// Variables of a module that a kernel reads before anything wrote them. They hold zeros
// in a module just loaded, and in the next launch whatever the last one left: a
// kernel that leans on either keeps state. That is told, not refused: tickets that every
// launch gives back are right. Atomic and other strong accesses are how those are taken.
#include <stdlib.h>

#include "check_state.h"
#include "ptx/ptx.h"
#include "watched.h"

enum { MOST_BYTES = 1 << 26 }; // of a variable that is followed

struct hone_emu_fresh {
    const struct ptx_variable *variable;
    uint8_t *written; // of each byte; NULL: no byte was
};

static bool is_fresh(const struct ptx_variable *v)
{
    return v->space == PTX_GLOBAL && v->address && !v->init && !v->relocation_count &&
           !v->filled && v->bytes > 0 && v->bytes <= MOST_BYTES;
}

bool hone_emu_fresh_init(struct hone_emu_checks *checks)
{
    size_t count = 0;
    const struct ptx_variable *const variables = checks->launch->fresh;
    if (!hone_emu_samples_all(checks->launch->grid)) return true;
    for (const struct ptx_variable *v = variables; v; v = v->next)
        count += is_fresh(v);
    if (count == 0) return true;
    checks->fresh = calloc(count, sizeof *checks->fresh);
    if (!checks->fresh) return false;
    for (const struct ptx_variable *v = variables; v; v = v->next)
        if (is_fresh(v)) checks->fresh[checks->fresh_count++].variable = v;
    return true;
}

void hone_emu_fresh_fini(struct hone_emu_checks *checks)
{
    for (size_t i = 0; i < checks->fresh_count; i++)
        free(checks->fresh[i].written);
    free(checks->fresh);
}

static struct hone_emu_fresh *fresh_at(const struct hone_emu_checks *checks,
                                       uint64_t address)
{
    for (size_t i = 0; i < checks->fresh_count; i++)
        if (address - checks->fresh[i].variable->address <
            checks->fresh[i].variable->bytes)
            return &checks->fresh[i];
    return NULL;
}

// What is read once is told once: it counts as written from then on.
static void note_bytes(struct hone_emu_checks *checks, struct hone_emu_fresh *fresh,
                       uint64_t at, uint32_t bytes, bool reads)
{
    const struct ptx_variable *v = fresh->variable;
    if (!fresh->written) fresh->written = calloc(1, v->bytes);
    for (uint64_t k = at; fresh->written && k < at + bytes && k < v->bytes; k++) {
        if (reads && !fresh->written[k]) checks->unset = v->name;
        fresh->written[k] = 1;
    }
}

void hone_emu_fresh_note(struct hone_emu_checks *checks,
                         const struct hone_emu_touch *touch)
{
    const bool reads = !touch->writes;
    if (reads && touch->strong) return;
    for (uint32_t m = touch->mask; m; m &= m - 1) {
        const uint64_t address = touch->addresses[__builtin_ctz(m)];
        struct hone_emu_fresh *fresh = fresh_at(checks, address);
        if (fresh)
            note_bytes(checks, fresh, address - fresh->variable->address, touch->bytes,
                       reads);
    }
}

const char *hone_emu_checks_unset(const struct hone_emu_checks *checks)
{
    return checks->unset;
}
