// What the units of a multiprocessor do in the simulation, one thing after another: its
// tensor cores, the port of shared memory, and what L2 brings.
#include "base/grow.h"
#include "roles_state.h"

enum {
    PORT_BYTES = 128,  // a cycle
    PIECE_BYTES = 2048 // of a copy, that comes to shared memory in one go
};

// ---- phases ----

static void wait_in(struct hone_emu_role_warp *actors, uint32_t *list, uint32_t who)
{
    actors[who].next_waiter = *list;
    *list = who;
}

static void wake(struct hone_emu_simulation *sim, uint32_t who, double time)
{
    struct hone_emu_role_warp *actor = &sim->actors[who];
    actor->time = hone_emu_later(actor->time, time);
    hone_emu_call(sim, actor->time, who);
}

void hone_emu_roles_come(struct hone_emu_simulation *sim,
                         struct hone_emu_role_blocks *replica, uint32_t number,
                         double time)
{
    struct hone_emu_role_phase *phase = &replica->phases[number];
    phase->time = hone_emu_later(phase->time, time);
    if (++phase->came < sim->trace->arrivals[number]) return;
    uint32_t who = phase->waiters;
    phase->waiters = HONE_EMU_NOBODY;
    while (who != HONE_EMU_NOBODY) {
        struct hone_emu_role_warp *actor = &sim->actors[who];
        const uint32_t next = actor->next_waiter;
        actor->waited += phase->time + sim->supply->object_latency - actor->time;
        wake(sim, who, phase->time + sim->supply->object_latency);
        who = next;
    }
}

// False: the warp waits.
bool hone_emu_roles_pass(struct hone_emu_simulation *sim,
                         struct hone_emu_role_warp *actor, uint32_t number)
{
    struct hone_emu_role_phase *phase = &actor->replica->phases[number];
    const uint32_t who = (uint32_t)(actor - sim->actors);
    if (phase->came < sim->trace->arrivals[number]) {
        wait_in(sim->actors, &phase->waiters, who);
        return false;
    }
    const double time =
        hone_emu_later(actor->time, phase->time) + sim->supply->object_latency;
    actor->waited += time - actor->time;
    actor->time = time;
    return true;
}

// ---- products ----

static void wake_for_products(struct hone_emu_simulation *sim,
                              struct hone_emu_role_group *group)
{
    uint32_t who = group->waiters;
    group->waiters = HONE_EMU_NOBODY;
    while (who != HONE_EMU_NOBODY) {
        const uint32_t next = sim->actors[who].next_waiter;
        const uint32_t wanted = sim->actors[who].wanted;
        if (wanted > group->done)
            wait_in(sim->actors, &group->waiters, who);
        else
            wake(sim, who, group->time[(wanted - 1) % HONE_EMU_ROLE_PRODUCTS]);
        who = next;
    }
}

// The tensor cores are free: the next product has them for as long as they need for it,
// or shared memory to give what it reads.
void hone_emu_roles_multiply(struct hone_emu_simulation *sim, struct hone_emu_role_sm *sm,
                             double start)
{
    const struct hone_emu_role_product product = sm->products[sm->first];
    const struct hone_emu_moment *moment = product.moment;
    struct hone_emu_role_group *group = product.group;
    sm->first = (sm->first + 1) % sm->cap;
    sm->waiting--;
    const double read = hone_emu_serve(&sm->port, start, moment->shared);
    sm->tensor = hone_emu_later(start + moment->tensor, read);
    sm->tensor_busy += moment->tensor;
    sm->port_busy += moment->shared;
    group->time[moment->number % HONE_EMU_ROLE_PRODUCTS] = sm->tensor;
    group->issued[moment->number % HONE_EMU_ROLE_PRODUCTS] = 0;
    group->done++;
    wake_for_products(sim, group);
    if (sm->waiting)
        hone_emu_call(sim, sm->tensor, sim->actor_count + (uint32_t)(sm - sim->sms));
}

static void queue_product(struct hone_emu_simulation *sim, struct hone_emu_role_sm *sm,
                          double time, struct hone_emu_role_product product)
{
    if (sm->waiting == sm->cap) {
        sim->failed = true;
        return;
    }
    sm->products[(sm->first + sm->waiting++) % sm->cap] = product;
    if (sm->waiting == 1)
        hone_emu_call(sim, hone_emu_later(time, sm->tensor),
                      sim->actor_count + (uint32_t)(sm - sim->sms));
}

void hone_emu_roles_issue(struct hone_emu_simulation *sim,
                          struct hone_emu_role_warp *actor,
                          const struct hone_emu_moment *moment)
{
    struct hone_emu_role_group *group = actor->group;
    const uint32_t number = moment->number;
    if (number < group->done || number - group->done >= HONE_EMU_ROLE_PRODUCTS) {
        sim->failed = true; // warps so far apart are none of a group
        return;
    }
    uint32_t *issued = &group->issued[number % HONE_EMU_ROLE_PRODUCTS];
    double *time = &group->time[number % HONE_EMU_ROLE_PRODUCTS];
    *time = *issued ? hone_emu_later(*time, actor->time) : actor->time;
    if (++*issued == HONE_EMU_GROUP_WARPS)
        queue_product(sim, actor->sm, *time,
                      (struct hone_emu_role_product){group, moment});
}

// False: the warp waits.
bool hone_emu_roles_await(struct hone_emu_simulation *sim,
                          struct hone_emu_role_warp *actor, uint32_t wanted)
{
    struct hone_emu_role_group *group = actor->group;
    if (wanted + HONE_EMU_ROLE_PRODUCTS <= group->done) return true; // long ago
    if (wanted > group->done) {
        actor->wanted = wanted;
        wait_in(sim->actors, &group->waiters, (uint32_t)(actor - sim->actors));
        return false;
    }
    actor->time =
        hone_emu_later(actor->time, group->time[(wanted - 1) % HONE_EMU_ROLE_PRODUCTS]);
    return true;
}

// ---- copies ----

double hone_emu_roles_bring(struct hone_emu_simulation *sim, struct hone_emu_role_sm *sm,
                            double time, double bytes)
{
    const double cycles = bytes / sim->supply->bytes_per_cycle;
    sm->memory_busy += cycles;
    return hone_emu_serve(&sm->memory, time, cycles);
}

static uint32_t take_piece(struct hone_emu_simulation *sim)
{
    const uint32_t free_piece = sim->free_piece;
    if (free_piece != HONE_EMU_NOBODY) {
        sim->free_piece = sim->pieces[free_piece].next;
        return free_piece;
    }
    if (!HONE_GROW(&sim->pieces, &sim->piece_cap, sim->piece_count + 1, 64))
        return HONE_EMU_NOBODY;
    return sim->piece_count++;
}

void hone_emu_roles_copy(struct hone_emu_simulation *sim,
                         struct hone_emu_role_warp *actor, uint32_t number)
{
    const struct hone_emu_traced_copy *copy = &sim->trace->copies[number];
    double first = actor->time + sim->supply->peer_latency;
    if (copy->bytes) {
        const double done =
            hone_emu_roles_bring(sim, actor->sm, actor->time, copy->bytes);
        first =
            done - copy->bytes / sim->supply->bytes_per_cycle + sim->supply->copy_latency;
    }
    for (uint32_t k = 0; k < copy->count; k++) {
        const struct hone_emu_landing *landing = &sim->trace->landings[copy->landing + k];
        const uint32_t piece = take_piece(sim);
        if (piece == HONE_EMU_NOBODY) {
            sim->failed = sim->out_of_memory = true;
            return;
        }
        sim->pieces[piece] = (struct hone_emu_role_piece){.replica = actor->replica,
                                                          .sm = &sim->sms[landing->rank],
                                                          .time = first,
                                                          .phase = landing->phase,
                                                          .left = landing->bytes};
        hone_emu_call(sim, first, hone_emu_call_piece(sim, piece));
    }
}

// What has come of a copy goes into shared memory.
static void write_piece(struct hone_emu_simulation *sim, uint32_t number, double time)
{
    struct hone_emu_role_piece *piece = &sim->pieces[number];
    struct hone_emu_role_sm *sm = piece->sm;
    const uint32_t bytes = piece->left < PIECE_BYTES ? piece->left : PIECE_BYTES;
    const double cycles = (double)bytes / PORT_BYTES;
    const double done = hone_emu_serve(&sm->port, time, cycles);
    sm->port_busy += cycles;
    piece->left -= bytes;
    if (piece->left) {
        piece->time =
            hone_emu_later(done, piece->time + bytes / sim->supply->bytes_per_cycle);
        hone_emu_call(sim, piece->time, hone_emu_call_piece(sim, number));
        return;
    }
    piece->next = sim->free_piece;
    sim->free_piece = number;
    hone_emu_roles_come(sim, piece->replica, piece->phase, done);
}

// A part of a copy has come. Where the port is taken it waits: products read first, for
// the tensor cores have nothing else to do, while copies are ahead of their use.
void hone_emu_roles_land(struct hone_emu_simulation *sim, uint32_t number, double time)
{
    struct hone_emu_role_sm *sm = sim->pieces[number].sm;
    if (time >= sm->port && sm->piece == HONE_EMU_NOBODY) {
        write_piece(sim, number, time);
        return;
    }
    sim->pieces[number].next = HONE_EMU_NOBODY;
    if (sm->piece == HONE_EMU_NOBODY) {
        sm->piece = number;
        hone_emu_call(sim, hone_emu_later(time, sm->port), hone_emu_call_port(sim, sm));
    } else {
        sim->pieces[sm->last_piece].next = number;
    }
    sm->last_piece = number;
}

// The port was to be free now.
void hone_emu_roles_offer(struct hone_emu_simulation *sim, struct hone_emu_role_sm *sm,
                          double time)
{
    const uint32_t number = sm->piece;
    if (time >= sm->port) {
        sm->piece = sim->pieces[number].next;
        write_piece(sim, number, time);
    }
    if (sm->piece != HONE_EMU_NOBODY)
        hone_emu_call(sim, hone_emu_later(time, sm->port), hone_emu_call_port(sim, sm));
}

void hone_emu_roles_store(struct hone_emu_simulation *sim,
                          struct hone_emu_role_warp *actor,
                          const struct hone_emu_moment *moment)
{
    struct hone_emu_role_sm *sm = actor->sm;
    const double cycles = (double)moment->tensor / PORT_BYTES;
    const double read = hone_emu_serve(&sm->port, actor->time, cycles);
    sm->port_busy += cycles;
    const double sent =
        hone_emu_later(read, hone_emu_roles_bring(sim, sm, actor->time, moment->bytes));
    actor->read = hone_emu_later(actor->read, sent);
    actor->stored = hone_emu_later(actor->stored, sent + sim->supply->copy_latency);
}
