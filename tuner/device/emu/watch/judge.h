/* Does what a checked launch met matter? A load that races with a store is wrong when its
 * value is used, and a value that was never written is when it decides what is stored. A
 * launch that met such a thing is run again: first with the values of racing loads
 * undefined, then with each branch that undefined values decide taken the other way,
 * which must not change device memory. A load that races with atomic operations alone is
 * a guess: it gets what its place has held, so where guesses decide a branch the launch
 * is run again with other values of these. Racing stores are never forgiven. */
#ifndef HONE_DEVICE_JUDGE_H
#define HONE_DEVICE_JUDGE_H

#include "order.h"
#include "undefined.h"
#include "value_history.h"

struct hone_emu_judge;

/* What a branch or guard is told where undefined values decide it; from OLDEST on, what
 * a guess gets. */
enum hone_emu_policy {
    HONE_EMU_AS_IT_IS,
    HONE_EMU_TAKEN,
    HONE_EMU_NOT_TAKEN,
    HONE_EMU_BY_CHANCE,
    HONE_EMU_OLDEST,
    HONE_EMU_NEWEST,       /* as the run before tells, which is one of OLDEST */
    HONE_EMU_OLD_THEN_NEW, /* by turns, of each thread */
    HONE_EMU_NEW_THEN_OLD,
    HONE_EMU_BETWEEN, /* and as many runs more: what there was between, one by one */
    HONE_EMU_POLICIES = HONE_EMU_BETWEEN + 6
};

/* NULL when memory runs out. sites: instructions of the kernel. */
struct hone_emu_judge *hone_emu_judge_new(size_t sites);
void hone_emu_judge_free(struct hone_emu_judge *judge);

/* Why a finding may be none, before its reason. */
void hone_emu_judge_doubt(struct hone_fault *fault, const char *why);

/* Do its runs watch all blocks, however many there are? */
bool hone_emu_judge_watches_all(const struct hone_emu_judge *judge);
void hone_emu_judge_watch_all(struct hone_emu_judge *judge);

/* A run begins. After the first one the loads that raced with later stores are known. */
void hone_emu_judge_begin(struct hone_emu_judge *judge, enum hone_emu_policy policy);
/* Does the run that ended leave racing loads that came before their stores? Then the next
 * run tells where their values go. */
bool hone_emu_judge_wants_values(const struct hone_emu_judge *judge);
/* The first branch that undefined values decided in the run that ended; NULL: none. */
const struct hone_fault *hone_emu_judge_choice(const struct hone_emu_judge *judge);
/* The first one that guesses alone decided. */
const struct hone_fault *hone_emu_judge_guess(const struct hone_emu_judge *judge);

/* The first undefined value that the run stored; NULL: none. It may come from a race that
 * the next run will tell. */
const struct hone_fault *hone_emu_judge_stored(const struct hone_emu_judge *judge);
void hone_emu_judge_note_stored(struct hone_emu_judge *judge,
                                const struct hone_fault *fault);

/* The first value that nobody had written and that a copy stored; NULL: none. Who was to
 * write it may come later, which is another finding. */
const struct hone_fault *hone_emu_judge_copied(const struct hone_emu_judge *judge);
void hone_emu_judge_note_copied(struct hone_emu_judge *judge,
                                const struct hone_fault *fault);

/* The first undefined value that went where only a run that watches all blocks can follow
 * it; NULL: none. */
const struct hone_fault *hone_emu_judge_travel(const struct hone_emu_judge *judge);
void hone_emu_judge_note_travel(struct hone_emu_judge *judge,
                                const struct hone_fault *fault);

/* ---- races of loads ---- */

/* The number of the race of two instructions, an origin of undefined values; it is
 * described by the fault, and guess says whether the load's value is one. Past the
 * table's end all guesses have one number and all others another. 0: not noted before. */
uint32_t hone_emu_judge_find_race(const struct hone_emu_judge *judge, uint32_t load_site,
                                  uint32_t store_site, bool guess);
uint32_t hone_emu_judge_add_race(struct hone_emu_judge *judge, uint32_t load_site,
                                 uint32_t store_site, bool guess,
                                 const struct hone_fault *fault);
/* The numbers that are guesses, a bit each; it changes as races are added. */
const uint32_t *hone_emu_judge_guesses(const struct hone_emu_judge *judge);
const struct hone_fault *hone_emu_judge_race(const struct hone_emu_judge *judge,
                                             uint32_t origin);

/* Note a store that some earlier load races with, in the race that origin names; known:
 * by its warp. False when there is no room. */
bool hone_emu_judge_add_store(struct hone_emu_judge *judge,
                              const struct hone_emu_racer *store,
                              const struct hone_emu_vector *known, uint32_t origin);
/* There was none, of a race that is described: say so before its reason. */
void hone_emu_judge_say_lost(const struct hone_emu_judge *judge,
                             struct hone_fault *fault);
/* Are the stores of an earlier run known? */
bool hone_emu_judge_is_again(const struct hone_emu_judge *judge);
/* The bytes of a load, a bit each, that race with stores of the run before, and the first
 * race, one that is no guess where there is any. */
uint32_t hone_emu_judge_find_stores(const struct hone_emu_judge *judge,
                                    const struct hone_emu_racer *load,
                                    hone_emu_has_come *has_come, const void *context,
                                    uint32_t *origin);

/* A load and a store that lanes have exchanged something between: where these two race
 * nowhere in that run, they do not in the next one. */
void hone_emu_judge_note_exchange(struct hone_emu_judge *judge, uint32_t load_site,
                                  uint32_t store_site);

/* ---- guesses ---- */

/* Do guesses get values that their places have held? */
bool hone_emu_judge_gives(const struct hone_emu_judge *judge);
/* Is the instruction an atomic operation that some guess races with? */
void hone_emu_judge_follow(struct hone_emu_judge *judge, uint32_t store_site);
bool hone_emu_judge_follows(const struct hone_emu_judge *judge, uint32_t store_site);
/* Lanes of one warp are about to change the bytes at memory; as hone_emu_history_change
 * has it. */
void hone_emu_judge_change(struct hone_emu_judge *judge, const struct hone_emu_racer *by,
                           uint32_t lanes, const struct hone_emu_vector *known,
                           const uint8_t *memory);
/* The lanes have changed them. */
void hone_emu_judge_settle(struct hone_emu_judge *judge);
/* What a guess at site gets, its thread's number turn; bytes has those of memory. */
void hone_emu_judge_give(struct hone_emu_judge *judge, uint32_t site,
                         const struct hone_emu_racer *load, hone_emu_has_come *has_come,
                         const void *context, uint32_t turn, uint8_t *bytes);
/* There were more values than there is room for: the run tells nothing. */
bool hone_emu_judge_lost_values(const struct hone_emu_judge *judge);

/* ---- choices ---- */

/* For which of lanes is the undefined predicate at site to hold? as_is: where it does. */
uint32_t hone_emu_judge_choose(struct hone_emu_judge *judge, uint32_t site,
                               uint32_t lanes, uint32_t as_is);
/* The first one of a run is described. */
void hone_emu_judge_note_choice(struct hone_emu_judge *judge,
                                const struct hone_fault *fault);
void hone_emu_judge_note_guess(struct hone_emu_judge *judge,
                               const struct hone_fault *fault);

#endif
