#include "emu_account.h"

#include <string.h>

void account_learn(struct knowledge *known, const struct knowledge *from)
{
    for (uint32_t t = 0; t < THREADS; t++) {
        if (from->all[t] > known->all[t]) known->all[t] = from->all[t];
        if (from->loads[t] > known->loads[t]) known->loads[t] = from->loads[t];
    }
}

void account_meet(struct account *a, uint32_t first, uint32_t count, uint32_t mask)
{
    struct knowledge all = {.all = {0}};
    for (uint32_t t = first; t < first + count; t++)
        if (mask >> t % 32 & 1) account_learn(&all, &a->known[t]);
    for (uint32_t t = first; t < first + count; t++)
        if (mask >> t % 32 & 1) account_learn(&a->known[t], &all);
}

void account_align(struct account *a, uint32_t warp)
{
    struct knowledge own = {.all = {0}};
    for (uint32_t t = 32 * warp; t < 32 * warp + 32; t++)
        own.loads[t] = a->step;
    for (uint32_t t = 32 * warp; t < 32 * warp + 32; t++)
        account_learn(&a->known[t], &own);
}

static bool is_known(const struct account *a, const uint32_t *steps, uint32_t thread,
                     bool loads)
{
    const struct knowledge *known = &a->known[thread];
    for (uint32_t t = 0; t < THREADS; t++)
        if (t != thread && steps[t] > known->all[t] &&
            !(loads && steps[t] <= known->loads[t]))
            return false;
    return true;
}

void account_begin(struct machine *m, struct account *a)
{
    memset(m, 0, sizeof *m);
    memset(a, 0, sizeof *a);
    a->step = 1;
    assert_true(hone_emu_races_init(&m->races, 4 * CELLS, 4));
    hone_emu_order_begin(&m->order);
    hone_emu_races_begin(&m->races);
}

static uint32_t cell_of(const struct access *access, uint32_t lane)
{
    const uint32_t cell = access->first + lane * access->stride;
    return access->first < DATA ? cell % DATA : cell;
}

// Does it race with what others did to the cell?
static bool is_race(const struct account *a, const struct access *access, uint32_t cell,
                    uint32_t thread)
{
    for (int strong = 0; strong < (access->strong ? 1 : 2); strong++) {
        if (!is_known(a, a->stored[strong][cell], thread, false)) return true;
        if (access->writes && !is_known(a, a->loaded[strong][cell], thread, true))
            return true;
    }
    return false;
}

// A strong load sees what the cell's last strong store tells, which is what its thread
// knew at its last fence; one that loads and stores tells that on.
static void tell(struct account *a, const struct access *access, uint32_t cell,
                 uint32_t thread)
{
    struct knowledge *signal = &a->signals[cell];
    if (access->strong && access->loads) account_learn(&a->seen[thread], signal);
    if (access->writes && !access->loads) memset(signal, 0, sizeof *signal);
    if (access->writes && access->strong) account_learn(signal, &a->fenced[thread]);
}

static bool note(struct account *a, const struct access *access)
{
    bool races = false;
    for (uint32_t l = 0; l < 32; l++) {
        const uint32_t cell = cell_of(access, l), t = 32 * access->warp + l;
        if (!(access->mask >> l & 1)) continue;
        races |= is_race(a, access, cell, t);
        a->known[t].all[t] = a->step;
        if (access->writes) a->stored[access->strong][cell][t] = a->step;
        if (access->loads) a->loaded[access->strong][cell][t] = a->step;
        tell(a, access, cell, t);
    }
    return races;
}

bool account_touch(struct machine *m, struct account *a, const struct access *access,
                   bool *races)
{
    const uint32_t mask = access->mask;
    uint64_t addresses[32];
    struct hone_emu_conflict conflict;
    struct hone_emu_touch touch = {.warp = access->warp,
                                   .mask = mask,
                                   .bytes = 4,
                                   .addresses = addresses,
                                   .writes = access->writes,
                                   .strong = access->strong,
                                   .reach = HONE_EMU_ALL_BLOCKS};
    for (uint32_t l = 0; l < 32; l++)
        addresses[l] = 4 * (uint64_t)cell_of(access, l);
    *races = note(a, access);
    if (access->stride == 0 && mask & (mask - 1)) { // as hone_emu_merge_lanes leaves them
        touch.mask = mask & (0 - mask);
        touch.several = touch.mask;
    }
    if (access->strong && access->loads)
        hone_emu_order_strong_load(&m->order, access->warp, mask);
    if (access->strong && access->writes)
        hone_emu_order_strong_store(&m->order, access->warp, mask);
    if (!access->writes) hone_emu_order_load(&m->order, access->warp);
    return hone_emu_races_touch(&m->races, &m->order, &touch, &conflict);
}

void account_fence(struct machine *m, struct account *a, uint32_t warp, uint32_t mask,
                   bool acquires)
{
    for (uint32_t l = 0; l < 32; l++) {
        const uint32_t t = 32 * warp + l;
        if (!(mask >> l & 1)) continue;
        if (acquires) account_learn(&a->known[t], &a->seen[t]);
        a->fenced[t] = a->known[t];
    }
    if (acquires) hone_emu_order_learn(&m->order, warp, mask, HONE_EMU_OWN_BLOCK);
    hone_emu_order_fence(&m->order, warp, mask, HONE_EMU_OWN_BLOCK);
}
