// The simulation goes from event to event in the order of time. A warp's work takes turns
// of a few instructions with that of others; a unit serves in the order in which it is
// asked. Everything is counted in cycles.
#include "roles.h"

#include <stdlib.h>
#include <string.h>

#include "roles_state.h"

enum { TURN = 64 }; // issue slots that a warp's work takes before others get a turn

// ---- warps ----

static void commit(struct hone_emu_role_warp *actor)
{
    actor->reads[actor->committed % HONE_EMU_ROLE_STORES] = actor->read;
    actor->stores[actor->committed++ % HONE_EMU_ROLE_STORES] = actor->stored;
}

static void await_stores(struct hone_emu_role_warp *actor, const double *groups,
                         uint32_t in_flight)
{
    if (actor->committed <= in_flight || in_flight >= HONE_EMU_ROLE_STORES) return;
    actor->time = hone_emu_later(
        actor->time, groups[(actor->committed - 1 - in_flight) % HONE_EMU_ROLE_STORES]);
}

static uint32_t groups_each(const struct hone_emu_trace *trace)
{
    return (trace->warps - 1) / HONE_EMU_GROUP_WARPS + 1;
}

static void begin_round(struct hone_emu_simulation *sim,
                        struct hone_emu_role_blocks *replica, double time)
{
    const uint32_t warps = sim->trace->size * sim->trace->warps;
    const uint32_t first = (uint32_t)(replica - sim->replicas) * warps;
    for (uint32_t p = 0; p < sim->trace->phase_count; p++)
        replica->phases[p] = (struct hone_emu_role_phase){.waiters = HONE_EMU_NOBODY};
    for (uint32_t g = 0; g < sim->trace->size * groups_each(sim->trace); g++) {
        memset(&replica->groups[g], 0, sizeof *replica->groups);
        replica->groups[g].waiters = HONE_EMU_NOBODY;
    }
    replica->running = warps;
    replica->rounds--;
    for (uint32_t k = first; k < first + warps; k++) {
        struct hone_emu_role_warp *actor = &sim->actors[k];
        actor->next = actor->committed = 0;
        actor->read = actor->stored = 0;
        actor->started = false;
        actor->time = time;
        hone_emu_call(sim, time, k);
    }
}

static void end_warp(struct hone_emu_simulation *sim, struct hone_emu_role_warp *actor)
{
    sim->end = hone_emu_later(sim->end, actor->time);
    if (--actor->replica->running == 0 && actor->replica->rounds > 0)
        begin_round(sim, actor->replica, actor->time);
}

// The moment comes. False: the warp waits, or has ended.
static bool reach(struct hone_emu_simulation *sim, struct hone_emu_role_warp *actor,
                  const struct hone_emu_moment *moment)
{
    switch ((enum hone_emu_moment_kind)moment->kind) {
    case HONE_EMU_MOMENT_END:
        end_warp(sim, actor);
        return false;
    case HONE_EMU_MOMENT_ARRIVE:
        hone_emu_roles_come(sim, actor->replica, moment->number,
                            actor->time + moment->tensor +
                                (moment->remote ? sim->supply->peer_latency
                                                : sim->supply->object_latency));
        return true;
    case HONE_EMU_MOMENT_WAIT:
        return hone_emu_roles_pass(sim, actor, moment->number);
    case HONE_EMU_MOMENT_PRODUCT:
        actor->multiplies = true;
        hone_emu_roles_issue(sim, actor, moment);
        return true;
    case HONE_EMU_MOMENT_PRODUCTS:
        return hone_emu_roles_await(sim, actor, moment->number);
    case HONE_EMU_MOMENT_COPY:
        actor->copies = true;
        hone_emu_roles_copy(sim, actor, moment->number);
        return true;
    case HONE_EMU_MOMENT_STORE:
        hone_emu_roles_store(sim, actor, moment);
        return true;
    case HONE_EMU_MOMENT_COMMIT:
        commit(actor);
        return true;
    case HONE_EMU_MOMENT_READ:
        await_stores(actor, actor->reads, moment->number);
        return true;
    case HONE_EMU_MOMENT_STORED:
        await_stores(actor, actor->stores, moment->number);
        return true;
    }
    return true;
}

static uint32_t turns_of(const struct hone_emu_moment *moment)
{
    uint32_t most = moment->slots;
    if (moment->units > most) most = moment->units;
    if (moment->port > most) most = moment->port;
    return most / TURN + 1;
}

// One turn of the work before the moment: each unit that it needs serves it, and no
// result is there before its time.
static void work(struct hone_emu_simulation *sim, struct hone_emu_role_warp *actor,
                 const struct hone_emu_moment *moment)
{
    struct hone_emu_role_sm *sm = actor->sm;
    const double part = 1.0 / turns_of(moment), time = actor->time;
    const double port = moment->port * part, bytes = moment->bytes * part;
    double done =
        hone_emu_serve(&sm->scheduler[actor->quarter], time, moment->slots * part);
    done = hone_emu_later(
        done, hone_emu_serve(&sm->units[actor->quarter], time, moment->units * part));
    if (port > 0) done = hone_emu_later(done, hone_emu_serve(&sm->port, time, port));
    if (bytes > 0 && moment->kind != HONE_EMU_MOMENT_STORE)
        done = hone_emu_later(done, hone_emu_roles_bring(sim, sm, time, bytes));
    sm->port_busy += port;
    actor->time = hone_emu_later(done, time + moment->path * part);
}

// Goes on until the warp waits, or others are to come first.
static void go_on(struct hone_emu_simulation *sim, uint32_t who)
{
    struct hone_emu_role_warp *actor = &sim->actors[who];
    while (!sim->failed) {
        const struct hone_emu_moment *moment = &actor->moments[actor->next];
        if (!actor->started) {
            actor->started = true;
            actor->turns = turns_of(moment);
        }
        if (actor->turns) {
            actor->turns--;
            work(sim, actor, moment);
        } else {
            actor->next++;
            actor->started = false;
            if (!reach(sim, actor, moment)) return;
        }
        if (hone_emu_agenda_has_before(&sim->agenda, actor->time)) break;
    }
    hone_emu_call(sim, actor->time, who);
}

// ---- all of it ----

static void place_actor(struct hone_emu_simulation *sim, uint32_t k)
{
    const struct hone_emu_trace *trace = sim->trace;
    const uint32_t each = trace->size * trace->warps, replica = k / each, rest = k % each;
    const uint32_t rank = rest / trace->warps, warp = rest % trace->warps;
    sim->actors[k] = (struct hone_emu_role_warp){
        .moments = hone_emu_trace_moments(trace, rank, warp),
        .replica = &sim->replicas[replica],
        .sm = &sim->sms[rank],
        .group = &sim->replicas[replica]
                      .groups[rank * groups_each(trace) + warp / HONE_EMU_GROUP_WARPS],
        .quarter = warp % HONE_EMU_QUARTERS};
}

static bool set_up(struct hone_emu_simulation *sim, uint32_t rounds)
{
    const struct hone_emu_trace *trace = sim->trace;
    const uint32_t groups = trace->size * groups_each(trace);
    sim->actor_count = sim->resident * trace->size * trace->warps;
    sim->replicas = calloc(sim->resident, sizeof *sim->replicas);
    sim->sms = calloc(trace->size, sizeof *sim->sms);
    sim->actors = calloc(sim->actor_count, sizeof *sim->actors);
    if (!sim->replicas || !sim->sms || !sim->actors) return false;
    for (uint32_t k = 0; k < trace->size; k++) {
        sim->sms[k].piece = HONE_EMU_NOBODY;
        sim->sms[k].cap = sim->resident * HONE_EMU_ROLE_PRODUCTS;
        sim->sms[k].products = calloc(sim->sms[k].cap, sizeof *sim->sms->products);
        if (!sim->sms[k].products) return false;
    }
    for (uint32_t r = 0; r < sim->resident; r++) {
        struct hone_emu_role_blocks *replica = &sim->replicas[r];
        replica->rounds = rounds;
        replica->phases = calloc(trace->phase_count + 1, sizeof *replica->phases);
        replica->groups = calloc(groups, sizeof *replica->groups);
        if (!replica->phases || !replica->groups) return false;
    }
    for (uint32_t k = 0; k < sim->actor_count; k++)
        place_actor(sim, k);
    for (uint32_t r = 0; r < sim->resident; r++)
        begin_round(sim, &sim->replicas[r], 0.0);
    return !sim->failed;
}

static bool run_agenda(struct hone_emu_simulation *sim)
{
    const uint32_t sms = sim->trace->size;
    double time;
    uint32_t who;
    while (!sim->failed && hone_emu_agenda_next(&sim->agenda, &time, &who)) {
        if (who < sim->actor_count)
            go_on(sim, who);
        else if (who < sim->actor_count + sms)
            hone_emu_roles_multiply(sim, &sim->sms[who - sim->actor_count], time);
        else if (who < hone_emu_call_piece(sim, 0))
            hone_emu_roles_offer(sim, &sim->sms[who - sim->actor_count - sms], time);
        else
            hone_emu_roles_land(sim, who - hone_emu_call_piece(sim, 0), time);
    }
    bool ended = !sim->failed;
    for (uint32_t r = 0; ended && r < sim->resident; r++)
        ended = sim->replicas[r].running == 0 && sim->replicas[r].rounds == 0;
    return ended;
}

static void sum_up(struct hone_emu_roles *out, const struct hone_emu_simulation *sim)
{
    const struct hone_emu_role_sm *sm = &sim->sms[0];
    double multiply = 0, copy = 0;
    uint32_t multiplying = 0, copying = 0;
    for (uint32_t k = 0; k < sim->actor_count; k++) {
        const struct hone_emu_role_warp *actor = &sim->actors[k];
        multiply += actor->multiplies ? actor->waited : 0;
        copy += actor->copies ? actor->waited : 0;
        multiplying += actor->multiplies;
        copying += actor->copies;
    }
    out->cycles = sim->end;
    if (sim->end <= 0) return;
    out->tensor = sm->tensor_busy / sim->end;
    out->port = sm->port_busy / sim->end;
    out->memory = sm->memory_busy / sim->end;
    if (multiplying) out->multiply_waits = multiply / multiplying / sim->end;
    if (copying) out->copy_waits = copy / copying / sim->end;
}

bool hone_emu_roles_simulate(struct hone_emu_roles *out,
                             const struct hone_emu_trace *trace,
                             const struct hone_emu_supply *supply, uint32_t resident,
                             uint32_t rounds)
{
    struct hone_emu_simulation sim = {.trace = trace,
                                      .supply = supply,
                                      .resident = resident,
                                      .free_piece = HONE_EMU_NOBODY};
    if (!set_up(&sim, rounds)) sim.failed = sim.out_of_memory = true;
    const bool fine = run_agenda(&sim);
    *out = (struct hone_emu_roles){.out_of_memory = sim.out_of_memory};
    if (fine) sum_up(out, &sim);
    for (uint32_t r = 0; sim.replicas && r < resident; r++) {
        free(sim.replicas[r].phases);
        free(sim.replicas[r].groups);
    }
    for (uint32_t k = 0; sim.sms && k < trace->size; k++)
        free(sim.sms[k].products);
    hone_emu_agenda_fini(&sim.agenda);
    free(sim.replicas);
    free(sim.sms);
    free(sim.actors);
    free(sim.pieces);
    return fine;
}
