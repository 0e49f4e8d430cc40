/* Bulk copies of a block (PTX ISA 9.0, cp.async.bulk and its kind): one thread starts the
 * copy of many bytes, which the async proxy makes. Its end is told to an mbarrier object
 * (the bytes that have landed are counted there), or to the thread that waits for the
 * group it committed them to.
 *
 * This is the list of those in flight: an operation that was not made at issue stays
 * here until it is. One that ends at an mbarrier is on the list of the block that the
 * object is in, one of a group on that of the block that issued it. A copy with several
 * destinations (multicast) is several operations. What is made at once is never here. */
#ifndef HONE_DEVICE_EMU_BULK_H
#define HONE_DEVICE_EMU_BULK_H

#include "decode/emu_code.h"

/* Bytes that move from one place of the host to another; both were checked. */
struct hone_emu_bulk_run {
    uint8_t *to;
    const uint8_t *from;
    uint32_t bytes;
};

enum hone_emu_bulk_end { HONE_EMU_BULK_MBARRIER, HONE_EMU_BULK_GROUP };

struct hone_emu_bulk {
    const struct hone_emu_bulk_run *runs; /* of one that is put off: the list's own */
    size_t run_count;
    const struct hone_emu_insn *insn; /* a reduction has its logic there */
    enum ptx_type type;               /* and here that of its elements */
    struct hone_emu_warp *warp;       /* whose lane issued it */
    int lane;
    enum hone_emu_bulk_end end;
    uint32_t mbarrier; /* of HONE_EMU_BULK_MBARRIER: its offset in shared memory */
    uint32_t bytes;    /* and what lands there, filled bytes too */
    uint32_t group;    /* of HONE_EMU_BULK_GROUP: of the lane; set by its list */
    bool to_global;    /* what it writes: device memory, or shared memory */
    bool was_read;     /* its source was, and is kept by the list */
    bool borrowed;     /* its source is the caller's: the list keeps it from the start */
    uint64_t number;   /* the observer knows it by */
    bool again;        /* the same multicast, to one more block */
};

/* All bytes zero: nothing is in flight. */
struct hone_emu_bulks {
    struct hone_emu_bulk *items; /* in the order of their issue */
    size_t count, cap;
};
/* A block begins. Keeps the memory. */
void hone_emu_bulks_begin(struct hone_emu_bulks *bulks);
void hone_emu_bulks_fini(struct hone_emu_bulks *bulks);

/* Puts the operation off, with a copy of its runs. Where it writes what it does not read
 * (no reduction), the destination is filled with ones, which no kernel should meet. False
 * where there is no memory: then it is to be made now. */
bool hone_emu_bulks_put_off(struct hone_emu_bulks *bulks,
                            const struct hone_emu_bulk *bulk);
/* Takes number k off the list; hone_emu_bulk_free is to be called for out, once made. */
void hone_emu_bulks_take(struct hone_emu_bulks *bulks, size_t k,
                         struct hone_emu_bulk *out);
void hone_emu_bulk_free(struct hone_emu_bulk *bulk);

/* Read the sources of number k now and keep what they hold: they may change. False where
 * there is no memory: then it is to be made now. */
bool hone_emu_bulks_read(struct hone_emu_bulks *bulks, size_t k);

/* Bytes on their way to the mbarrier. */
uint64_t hone_emu_bulks_pending(const struct hone_emu_bulks *bulks, uint32_t mbarrier);

/* The groups of a warp's lanes: how many each has committed. */
struct hone_emu_bulk_groups {
    uint32_t committed[HONE_EMU_LANES];
};

#endif
