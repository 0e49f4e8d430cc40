/* Does what a checked launch met matter? A load that races with a store is wrong when its
 * value is used, and a value that was never written is when it decides what is stored. A
 * launch that met such a thing is run again: first with the values of racing loads
 * undefined, then with each branch that undefined values decide taken the other way,
 * which must not change device memory. Racing stores are never forgiven. */
#ifndef HONE_EMU_JUDGE_H
#define HONE_EMU_JUDGE_H

#include "order.h"
#include "undefined.h"

struct hone_emu_judge;

/* What a branch or guard is told where undefined values decide it. */
enum hone_emu_policy {
    HONE_EMU_AS_IT_IS,
    HONE_EMU_TAKEN,
    HONE_EMU_NOT_TAKEN,
    HONE_EMU_BY_CHANCE,
    HONE_EMU_POLICIES
};

/* NULL when memory runs out. sites: instructions of the kernel. */
struct hone_emu_judge *hone_emu_judge_new(size_t sites);
void hone_emu_judge_free(struct hone_emu_judge *judge);

/* A run begins. After the first one the loads that raced with later stores are known. */
void hone_emu_judge_begin(struct hone_emu_judge *judge, enum hone_emu_policy policy);
/* Does the run that ended leave racing loads that came before their stores? Then the next
 * run tells where their values go. */
bool hone_emu_judge_wants_values(const struct hone_emu_judge *judge);
/* The first branch that undefined values decided in the run that ended; NULL: none. */
const struct hone_fault *hone_emu_judge_choice(const struct hone_emu_judge *judge);

/* The first undefined value that the run stored; NULL: none. It may come from a race that
 * the next run will tell. */
const struct hone_fault *hone_emu_judge_stored(const struct hone_emu_judge *judge);
void hone_emu_judge_note_stored(struct hone_emu_judge *judge,
                                const struct hone_fault *fault);

/* ---- races of loads ---- */

/* The number of the race of two instructions, an origin of undefined values; it is
 * described by the fault. Past the table's end the last number. 0: not noted before. */
uint32_t hone_emu_judge_find_race(const struct hone_emu_judge *judge, uint32_t load_site,
                                  uint32_t store_site);
uint32_t hone_emu_judge_add_race(struct hone_emu_judge *judge, uint32_t load_site,
                                 uint32_t store_site, const struct hone_fault *fault);
const struct hone_fault *hone_emu_judge_race(const struct hone_emu_judge *judge,
                                             uint32_t origin);

/* An access of one lane, of shared or device memory. */
struct hone_emu_racer {
    uint64_t address;
    uint32_t bytes, block;
    hone_emu_stamp stamp; /* with its lane */
    uint32_t world;       /* signals of blocks so far */
    bool shared;
};
/* Note a store that some earlier load races with, in the race that origin names; known:
 * by its warp. False when there is no room. */
bool hone_emu_judge_add_store(struct hone_emu_judge *judge,
                              const struct hone_emu_racer *store,
                              const struct hone_emu_vector *known, uint32_t origin);
/* Are the stores of an earlier run known? */
bool hone_emu_judge_is_again(const struct hone_emu_judge *judge);
/* The bytes of a load, a bit each, that race with stores of the run before, and the first
 * race. has_come: was the store made, and does it come before the load? */
typedef bool hone_emu_has_come(const void *context, const struct hone_emu_racer *store,
                               const struct hone_emu_racer *load);
uint32_t hone_emu_judge_find_stores(const struct hone_emu_judge *judge,
                                    const struct hone_emu_racer *load,
                                    hone_emu_has_come *has_come, const void *context,
                                    uint32_t *origin);

/* ---- choices ---- */

/* Those of lanes whose undefined predicate at site is to hold; as_is: where it does. */
uint32_t hone_emu_judge_choose(struct hone_emu_judge *judge, uint32_t site,
                               uint32_t lanes, uint32_t as_is);
/* The first one of a run is described. */
void hone_emu_judge_note_choice(struct hone_emu_judge *judge,
                                const struct hone_fault *fault);

#endif
