/* Values that words of memory held while a launch ran, between the atomic operations on
 * them. A load that nothing orders with these may get any value from the last one that is
 * ordered before it to the first one that is ordered after it; a launch is run again with
 * such values in place of those that the order of its run happened to give. */
#ifndef HONE_DEVICE_VALUE_HISTORY_H
#define HONE_DEVICE_VALUE_HISTORY_H

#include "order.h"

/* An access of one lane, of shared or device memory. */
struct hone_emu_racer {
    uint64_t address;
    uint32_t bytes, block;
    hone_emu_stamp stamp; /* with its lane */
    uint32_t world;       /* signals of blocks so far */
    uint32_t site;        /* number of the instruction */
    bool shared;
};
/* Was the store made, and does it come before the load? */
typedef bool hone_emu_has_come(const void *context, const struct hone_emu_racer *store,
                               const struct hone_emu_racer *load);

struct hone_emu_history;
/* NULL when memory runs out. */
struct hone_emu_history *hone_emu_history_new(void);
void hone_emu_history_free(struct hone_emu_history *history);

/* A run begins. keeps: what the one before has held is what later ones know, where fewer
 * operations are made, so that each finds its own among those of that run. */
void hone_emu_history_begin(struct hone_emu_history *history, bool keeps);
/* More was held than there is room for, or than is looked through in a run. */
bool hone_emu_history_is_full(const struct hone_emu_history *history);

/* An atomic operation of lanes of one warp on one place is about to change the bytes at
 * memory. by: of any of them; known: by its warp. */
void hone_emu_history_change(struct hone_emu_history *history,
                             const struct hone_emu_racer *by, uint32_t lanes,
                             const struct hone_emu_vector *known, const uint8_t *memory);
/* All such operations have been made. */
void hone_emu_history_settle(struct hone_emu_history *history);
/* The bytes of a load (32 at most) as early as it may get them, as late as the run before
 * tells, or, one by one as rank grows, each that there was between these; words change
 * together where one operation has changed them. bytes has those of memory. */
void hone_emu_history_oldest(struct hone_emu_history *history,
                             const struct hone_emu_racer *load,
                             hone_emu_has_come *has_come, const void *context,
                             uint8_t *bytes);
void hone_emu_history_newest(struct hone_emu_history *history,
                             const struct hone_emu_racer *load,
                             hone_emu_has_come *has_come, const void *context,
                             uint8_t *bytes);
void hone_emu_history_between(struct hone_emu_history *history,
                              const struct hone_emu_racer *load,
                              hone_emu_has_come *has_come, const void *context,
                              uint32_t rank, uint8_t *bytes);

#endif
