/* What a block keeps of its mbarrier objects beside the objects themselves: where they
 * are, for reports; and arrivals that come when copies of a lane have landed, as
 * cp.async.mbarrier.arrive has it. Such an arrival is put off, with the copies before it,
 * until somebody waits for the object; what is made at once never gets here. */
#ifndef HONE_DEVICE_EMU_ARRIVALS_H
#define HONE_DEVICE_EMU_ARRIVALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hone_emu_object {
    uint32_t at;     /* offset in shared memory */
    uint32_t site;   /* number of the instruction that initialised it */
    uint64_t phases; /* that have ended */
    uint64_t known;  /* those of them when somebody last passed a wait */
    uint64_t landed; /* bytes of asynchronous operations in the phase that goes on */
};

struct hone_emu_arrival {
    uint32_t at; /* of the object */
    uint32_t warp, lane;
    uint32_t site;
};

/* All bytes zero: nothing. */
struct hone_emu_arrivals {
    struct hone_emu_object *objects;
    struct hone_emu_arrival *items; /* those put off, in the order of their issue */
    size_t object_count, object_cap, count, cap;
};
/* A block begins. Keeps the memory. */
void hone_emu_arrivals_begin(struct hone_emu_arrivals *arrivals);
void hone_emu_arrivals_fini(struct hone_emu_arrivals *arrivals);

/* An object begins to live, or ends. One that there is no memory for is in no report. */
void hone_emu_arrivals_add_object(struct hone_emu_arrivals *arrivals, uint32_t at,
                                  uint32_t site);
void hone_emu_arrivals_drop_object(struct hone_emu_arrivals *arrivals, uint32_t at);

/* Bytes have landed, which are counted at the object. */
void hone_emu_arrivals_land(struct hone_emu_arrivals *arrivals, uint32_t at,
                            uint32_t bytes);
/* A phase of the object has ended; somebody has passed a wait for it. */
void hone_emu_arrivals_end_phase(struct hone_emu_arrivals *arrivals, uint32_t at);
void hone_emu_arrivals_pass(struct hone_emu_arrivals *arrivals, uint32_t at);

/* False where there is no room: then the arrival is to be made now. */
bool hone_emu_arrivals_put_off(struct hone_emu_arrivals *arrivals,
                               const struct hone_emu_arrival *arrival);
/* The oldest one of the object, which is no longer put off; false: there is none. */
bool hone_emu_arrivals_take(struct hone_emu_arrivals *arrivals, uint32_t at,
                            struct hone_emu_arrival *out);

#endif
