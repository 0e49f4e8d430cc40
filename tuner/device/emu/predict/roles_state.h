/* The state of the simulation (roles.c), and what its units do (roles_units.c). */
#ifndef HONE_DEVICE_EMU_ROLES_STATE_H
#define HONE_DEVICE_EMU_ROLES_STATE_H

#include "agenda.h"
#include "roles.h"

enum {
    HONE_EMU_NOBODY = UINT32_MAX,
    HONE_EMU_QUARTERS = 4,         /* of a multiprocessor, each with a scheduler */
    HONE_EMU_ROLE_PRODUCTS = 1024, /* of a warp group between its warps */
    HONE_EMU_ROLE_STORES = 64      /* groups of bulk stores */
};

struct hone_emu_role_phase {
    double time; /* of what came last so far */
    uint32_t came, waiters;
};

struct hone_emu_role_group {
    uint32_t issued[HONE_EMU_ROLE_PRODUCTS]; /* warps, of each product */
    double time
        [HONE_EMU_ROLE_PRODUCTS]; /* the last of them; then, when the product is done */
    uint32_t done;                /* products, of which all warps have come */
    uint32_t waiters;
};

struct hone_emu_role_product { /* that all four warps have come to */
    struct hone_emu_role_group *group;
    const struct hone_emu_moment *moment;
};

struct hone_emu_role_sm {
    double scheduler[HONE_EMU_QUARTERS], units[HONE_EMU_QUARTERS]; /* free from then on */
    double port, tensor, memory;
    double port_busy, tensor_busy, memory_busy;
    struct hone_emu_role_product *products; /* for the tensor cores, a ring */
    uint32_t first, waiting, cap;
    uint32_t piece, last_piece; /* that wait for the port; HONE_EMU_NOBODY: none does */
};

struct hone_emu_role_blocks { /* of the trace's blocks */
    struct hone_emu_role_phase *phases;
    struct hone_emu_role_group *groups;
    uint32_t running, rounds; /* warps; still to begin */
};

struct hone_emu_role_warp { /* a warp */
    const struct hone_emu_moment *moments;
    size_t next;
    double time, waited;
    struct hone_emu_role_blocks *replica;
    struct hone_emu_role_sm *sm;
    struct hone_emu_role_group *group;
    uint32_t quarter,
        turns; /* turns: of the work before the next moment, still to take */
    uint32_t next_waiter, wanted;
    bool started, multiplies, copies;
    double read, stored; /* when the bulk stores so far are */
    double reads[HONE_EMU_ROLE_STORES], stores[HONE_EMU_ROLE_STORES];
    uint32_t committed;
};

struct hone_emu_role_piece { /* of what a copy brings to a block */
    struct hone_emu_role_blocks *replica;
    struct hone_emu_role_sm *sm;
    double time; /* when its next part comes */
    uint32_t phase, left;
    uint32_t next; /* that is free, or waits too */
};

struct hone_emu_simulation {
    const struct hone_emu_trace *trace;
    const struct hone_emu_supply *supply;
    struct hone_emu_agenda agenda;
    struct hone_emu_role_blocks *replicas;
    struct hone_emu_role_sm *sms;
    struct hone_emu_role_warp *actors;
    uint32_t resident, actor_count;
    struct hone_emu_role_piece *pieces;
    uint32_t piece_count, free_piece;
    size_t piece_cap;
    double end;
    bool failed, out_of_memory;
};

static inline double hone_emu_later(double a, double b)
{
    return a > b ? a : b;
}

/* The unit serves for cycles, from time on or when it is free; returns when it is done.
 */
static inline double hone_emu_serve(double *unit, double time, double cycles)
{
    *unit = hone_emu_later(*unit, time) + cycles;
    return *unit;
}

static inline void hone_emu_call(struct hone_emu_simulation *sim, double time,
                                 uint32_t who)
{
    if (hone_emu_agenda_add(&sim->agenda, time, who)) return;
    sim->failed = sim->out_of_memory = true;
}

/* Whom the agenda names: warps, then multiprocessors whose tensor cores are free, then
 * those whose port is, then pieces. */
static inline uint32_t hone_emu_call_port(const struct hone_emu_simulation *sim,
                                          const struct hone_emu_role_sm *sm)
{
    return sim->actor_count + sim->trace->size + (uint32_t)(sm - sim->sms);
}
static inline uint32_t hone_emu_call_piece(const struct hone_emu_simulation *sim,
                                           uint32_t number)
{
    return sim->actor_count + 2 * sim->trace->size + number;
}

/* Something comes to the phase of that number at that time: who waits for it is called
 * when it is the last. */
void hone_emu_roles_come(struct hone_emu_simulation *sim,
                         struct hone_emu_role_blocks *replica, uint32_t number,
                         double time);
/* False: the warp waits for the phase. */
bool hone_emu_roles_pass(struct hone_emu_simulation *sim,
                         struct hone_emu_role_warp *actor, uint32_t number);
/* The warp comes to its group's product, and the tensor cores get to it in their turn. */
void hone_emu_roles_issue(struct hone_emu_simulation *sim,
                          struct hone_emu_role_warp *actor,
                          const struct hone_emu_moment *moment);
void hone_emu_roles_multiply(struct hone_emu_simulation *sim, struct hone_emu_role_sm *sm,
                             double start);
/* False: the warp waits for the first wanted products of its group. */
bool hone_emu_roles_await(struct hone_emu_simulation *sim,
                          struct hone_emu_role_warp *actor, uint32_t wanted);
/* L2 brings so many bytes, or takes them; returns when it is done. */
double hone_emu_roles_bring(struct hone_emu_simulation *sim, struct hone_emu_role_sm *sm,
                            double time, double bytes);
void hone_emu_roles_copy(struct hone_emu_simulation *sim,
                         struct hone_emu_role_warp *actor, uint32_t number);
/* A part of a copy comes; the port may have become free for one. */
void hone_emu_roles_land(struct hone_emu_simulation *sim, uint32_t number, double time);
void hone_emu_roles_offer(struct hone_emu_simulation *sim, struct hone_emu_role_sm *sm,
                          double time);
void hone_emu_roles_store(struct hone_emu_simulation *sim,
                          struct hone_emu_role_warp *actor,
                          const struct hone_emu_moment *moment);

#endif
