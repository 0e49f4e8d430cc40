/* The asynchronous units: work that goes on beside the warps that started it, until they
 * wait for it. What a unit consists of:
 *
 * State machine: a file of this room, with the state that a warp (or a block) has of the
 * unit. It knows device memory and lanes, but no warp and no instruction; all bytes zero
 * is a state in which nothing is in flight. The state is a member of the struct below.
 *
 * Forms: rows of decode/optab.def. What starts work is of class ASYNC, what waits for it
 * or ends a group of it of CONTROL or BARRIER.
 *
 * Handlers: in exec/exec_async.inc. They check the addresses, tell the observer of each
 * source and destination before anything is touched, and hand the work to the unit with
 * host pointers. Work is made at once, as late as PTX allows, or at a moment between that
 * is drawn, as copy_time of the launch says; a correct kernel gives the same result. The
 * functions of exec/exec_moment.h tell which.
 *
 * The scheduler (exec/exec_block.c) calls begin when a block begins and fini when its
 * workspace goes. It asks nothing else of a unit whose waits make the work themselves, as
 * those of cp.async do: such a wait never blocks. A wait that has to be tried again, as
 * those of mbarrier objects, hands the warp's turn on (warp->avoid, warp->polled,
 * warp->limit); what it may wait for counts as an event of the block, and when all that
 * run poll and no event comes, that is a deadlock.
 *
 * watch/: hone_emu_kind_of in check.c gives each operation its kind. check_copies.c
 * follows the bytes in flight from their issue to the wait, which stores them in the name
 * of the lanes that waited; whoever touches them between is told.
 *
 * predict/: count.c counts requests and bytes of class ASYNC, timeline.c what a wait
 * takes. */
#ifndef HONE_DEVICE_EMU_UNITS_H
#define HONE_DEVICE_EMU_UNITS_H

#include "arrivals.h"
#include "bulk.h"
#include "copies.h"
#include "matrix_tile.h"
#include "mbarrier.h"
#include "products.h"
#include "register_pool.h"
#include "tensor_map.h"

/* The state that a warp has of every unit. */
struct hone_emu_units {
    struct hone_emu_copies copies;
    struct hone_emu_bulk_groups bulk_groups;
    struct hone_emu_products products;
};

/* A block begins: nothing is in flight. */
static inline void hone_emu_units_begin(struct hone_emu_units *units)
{
    hone_emu_copies_begin(&units->copies);
    units->bulk_groups = (struct hone_emu_bulk_groups){{0}};
    hone_emu_products_begin(&units->products);
}
static inline void hone_emu_units_fini(struct hone_emu_units *units)
{
    hone_emu_copies_fini(&units->copies);
    hone_emu_products_fini(&units->products);
}

#endif
