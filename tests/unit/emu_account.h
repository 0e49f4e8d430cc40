/* An exact account of who knows what: a clock of each thread for each thread. Beside it
 * goes the checker, which is told the same. */
#ifndef HONE_TEST_EMU_ACCOUNT_H
#define HONE_TEST_EMU_ACCOUNT_H

#include "hone_test.h"
#include "watch/race.h"

enum {
    WARPS = 3,
    THREADS = WARPS * 32,
    GATES = 3,
    DATA = 64, // cells that are loaded and stored by plain accesses
    FLAGS = 3, // cells that are for strong ones, behind them
    CELLS = DATA + FLAGS,
    STEPS = 60
};

// Steps of each thread up to which all that it did is known, and its loads.
struct knowledge {
    uint32_t all[THREADS], loads[THREADS];
};

struct account {
    struct knowledge known[THREADS], gates[GATES];
    struct knowledge fenced[THREADS];   // what the thread's next strong store tells
    struct knowledge seen[THREADS];     // what its next fence makes known
    struct knowledge signals[CELLS];    // what a strong load of the cell sees
    uint32_t stored[2][CELLS][THREADS]; // the last step, plain and strong; 0: none
    uint32_t loaded[2][CELLS][THREADS];
    uint32_t step, state;
    uint32_t lanes; // that arrive, fence and use flags by themselves
};

struct machine {
    struct hone_emu_order order;
    struct hone_emu_races races;
    struct hone_emu_gate gates[GATES];
};

/* Both at the first step. The races are to be released by hone_emu_races_fini. */
void account_begin(struct machine *m, struct account *a);

void account_learn(struct knowledge *known, const struct knowledge *from);
/* Threads from first on, those of the mask of each 32. */
void account_meet(struct account *a, uint32_t first, uint32_t count, uint32_t mask);
/* Each lane of the warp learns of the others' own loads. */
void account_align(struct account *a, uint32_t warp);

// An access by lanes of a warp to cells that follow one another, or all of them to the
// first. Only one that is strong may load and store.
struct access {
    uint32_t warp, mask, first, stride;
    bool loads, writes, strong;
};

/* What the checker says of it; races: what the account does. */
bool account_touch(struct machine *m, struct account *a, const struct access *access,
                   bool *races);
/* A fence, or a release, which does not acquire. */
void account_fence(struct machine *m, struct account *a, uint32_t warp, uint32_t mask,
                   bool acquires);

#endif
