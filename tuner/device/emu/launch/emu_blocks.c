// The blocks of a launch: one after another while none waits for another; else as many
// beside each other as the GPU has room for. Turned, those of a group begin from the last
// to the first, each as far as its first barrier, and go on in other orders. Blocks of a
// cluster begin together: what is said of a block here holds for a cluster as a whole.
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/quantity.h"
#include "emu_device.h"
#include "hone/geometry.h"
#include "watch/check.h"
#include "watch/far.h"
#include "watch/watched.h"

// ---- which blocks are watched ----

static bool is_watched(const struct hone_emu_launch *launch, const uint32_t *id)
{
    if (launch->watches_all) return true;
    return launch->again ? hone_emu_far_has(launch->again, id)
                         : hone_emu_is_sampled(launch->grid, id);
}

// ---- whose lanes run apart ----

// Apart, a warp takes its code once a class: as many blocks and classes as add no more
// than half to the launch, or a few milliseconds, but four classes of two blocks.
enum { MOST_SCATTERED = 16, LEAST_CLASSES = 4, QUICK = 1 << 18 };

static uint64_t block_count(const struct hone_emu_launch *launch)
{
    return (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
}

// Classes of all scattered blocks together.
static uint64_t affordable(const struct hone_emu_launch *launch, uint64_t count)
{
    const uint64_t more = launch->usual / 2 > QUICK ? launch->usual / 2 : QUICK;
    const uint64_t each = launch->usual / count;
    return more / (each ? each : 1);
}

static uint64_t at_most(uint64_t n, uint64_t most)
{
    return n < most ? n : most;
}

// Blocks at equal steps and the last.
static uint32_t classes_of(const struct hone_emu_launch *launch, uint64_t number)
{
    const uint64_t count = block_count(launch), afford = affordable(launch, count);
    const uint64_t blocks = at_most(afford / LEAST_CLASSES, MOST_SCATTERED) + 1;
    const uint64_t step = (count + blocks - 1) / blocks;
    if (!launch->scattered || (number % step && number != count - 1)) return 0;
    const uint64_t classes = at_most(afford / at_most(blocks, count), HONE_EMU_LANES);
    return classes < LEAST_CLASSES ? LEAST_CLASSES : (uint32_t)classes;
}

// ---- places ----

// Where a cluster runs, mostly of one block. Those that wait stay in theirs.
struct slot {
    struct hone_emu_cluster cluster;
    struct hone_emu_workspace *workspaces[HONE_CLUSTER_MOST];
    // NULL until a block is watched there
    struct hone_emu_checker *checkers[HONE_CLUSTER_MOST];
    uint64_t number; // of its cluster
    bool watched;
    bool busy;
};

struct blocks {
    struct hone_emu_run *run;
    struct hone_emu_checks *checks; // NULL: nothing is watched
    const struct hone_emu_isa *isa;
    struct slot *slots;
    struct slot **turns; // the same in the order of a turn
    uint32_t count, cap, busy;
    uint32_t size;        // blocks of a cluster
    uint64_t next, total; // clusters
    uint64_t ended;
    uint64_t group; // blocks that begin in reverse; 1: in order
    uint64_t pause; // this many have begun before those that wait take turns
    bool upwards;   // by their numbers in the turn that comes next
    double look_at; // hone_clock_seconds, before which nobody asks how far it has come
};

// Quanta of its warps after which a block is taken to wait: 2^16 times round a loop. One
// that was found to wait gets a single one a turn, and so do those that begin beside it,
// and all that grid.sync() lets wait. Turned, blocks begin with none.
enum { PATIENCE = 16, GROUP = 16 };

// While blocks wait their quantum is this, and twice as much after each turn in which no
// block has ended: those that they wait for come first.
enum { LEAST_QUANTUM = 64 };

// Host memory for blocks that wait for one another.
static const size_t most_bytes = (size_t)512 << 20;

// Which block begins next? A later group never begins before an earlier one, whose
// blocks it may wait for.
static uint64_t number_of_next(const struct blocks *blocks)
{
    const uint64_t first = blocks->next - blocks->next % blocks->group;
    const uint64_t left = blocks->total - first;
    const uint64_t size = left < blocks->group ? left : blocks->group;
    return first + size - 1 - blocks->next % blocks->group;
}

static uint32_t first_patience(const struct blocks *blocks)
{
    const struct hone_emu_launch *launch = &blocks->run->launch;
    if (launch->turned) return 0;
    return launch->grid_workspace || launch->quantum ? 1 : PATIENCE;
}

static uint64_t number_of_block(const uint32_t *grid, const uint32_t *id)
{
    return ((uint64_t)id[2] * grid[1] + id[1]) * grid[0] + id[0];
}

// All of a cluster are watched where one of its blocks is.
static bool is_cluster_watched(const struct blocks *blocks, uint64_t number)
{
    const struct hone_emu_launch *launch = &blocks->run->launch;
    uint32_t id[3];
    for (uint32_t r = 0; r < blocks->size && blocks->checks; r++) {
        hone_emu_find_block(id, launch, number, r);
        if (is_watched(launch, id)) return true;
    }
    return false;
}

static enum hone_status begin_block(struct blocks *blocks, struct slot *slot,
                                    uint32_t rank, struct hone_error *err)
{
    struct hone_emu_launch *launch = &blocks->run->launch;
    struct hone_emu_checker **checker = &slot->checkers[rank];
    enum hone_status status = HONE_OK;
    uint32_t id[3];
    hone_emu_find_block(id, launch, slot->number, rank);
    launch->observer = NULL;
    launch->classes = classes_of(launch, number_of_block(launch->grid, id));
    if (slot->watched) {
        if (!*checker) status = hone_emu_checker_new(checker, blocks->checks, err);
        if (status == HONE_OK) status = hone_emu_checker_begin(*checker, id, err);
        if (status != HONE_OK) return status;
        launch->observer = hone_emu_checker_observer(*checker);
        launch->unlooked += HONE_EMU_STRETCH; // what is known of memory was forgotten
    }
    hone_emu_block_begin(slot->workspaces[rank], id);
    return HONE_OK;
}

static enum hone_status begin_cluster(struct blocks *blocks, struct slot *slot,
                                      struct hone_error *err)
{
    enum hone_status status = HONE_OK;
    slot->number = number_of_next(blocks);
    slot->watched = is_cluster_watched(blocks, slot->number);
    blocks->next++;
    for (uint32_t r = 0; r < blocks->size && status == HONE_OK; r++)
        status = begin_block(blocks, slot, r, err);
    if (status != HONE_OK) return status;
    hone_emu_cluster_begin(&slot->cluster);
    slot->busy = true;
    blocks->busy++;
    return HONE_OK;
}

static void end_checks(const struct blocks *blocks, struct slot *slot)
{
    for (uint32_t r = 0; r < blocks->size && slot->watched; r++)
        hone_emu_checker_end(slot->checkers[r]);
}

// ---- launches that will not end in time ----

// Told when a part of the time is gone and some blocks have shown how long one takes, but
// only where all would take several times as long as there is: blocks may differ.
enum { FIRST_PART = 8, LEAST_BLOCKS = 8, FAR_BEYOND = 4 };

static void give_up(const struct blocks *blocks, double used, double needed)
{
    struct hone_emu_launch *launch = &blocks->run->launch;
    launch->faulted = launch->expired = true;
    launch->fault->outcome = HONE_TIMED_OUT;
    launch->fault->finding = HONE_FINDING_TIMEOUT;
    snprintf(launch->fault->reason, sizeof launch->fault->reason,
             "%llu of %llu blocks ended in %s s: all would take about %s s, the deadline "
             "of a launch is %s s",
             (unsigned long long)(blocks->ended * blocks->size),
             (unsigned long long)(blocks->total * blocks->size), hone_plain(used, 2).text,
             hone_plain(needed, 2).text, hone_plain(launch->seconds, 3).text);
}

static void give_up_if_hopeless(struct blocks *blocks)
{
    const struct hone_emu_launch *launch = &blocks->run->launch;
    const double now = hone_clock_seconds();
    if (blocks->ended < LEAST_BLOCKS || now < blocks->look_at) return;
    blocks->look_at = now + launch->seconds / FIRST_PART;
    const double used =
        launch->seconds - (launch->deadline - hone_clock_thread_seconds());
    const double needed = used / (double)blocks->ended * (double)blocks->total;
    if (used > launch->seconds / FIRST_PART && needed > FAR_BEYOND * launch->seconds)
        give_up(blocks, used, needed);
}

// Let the slot's block run, and those after it as long as each ends.
static enum hone_status run_slot(struct blocks *blocks, struct slot *slot,
                                 uint32_t patience, struct hone_error *err)
{
    const struct hone_emu_launch *launch = &blocks->run->launch;
    while (slot->busy && !launch->faulted) {
        if (hone_emu_cluster_run(&slot->cluster, blocks->isa, patience) == HONE_EMU_WAITS)
            return HONE_OK;
        patience = first_patience(blocks);
        if (!launch->faulted) end_checks(blocks, slot);
        slot->busy = false;
        blocks->busy--;
        blocks->ended++;
        blocks->run->launch.ended_at = launch->executed;
        if (launch->ends_early && !launch->faulted) give_up_if_hopeless(blocks);
        if (launch->faulted || blocks->next == blocks->total) return HONE_OK;
        enum hone_status status = begin_cluster(blocks, slot, err);
        if (status != HONE_OK) return status;
    }
    return HONE_OK;
}

// Is there room for another block beside those that wait?
static bool has_room(const struct blocks *blocks)
{
    size_t bytes = hone_emu_workspace_bytes(&blocks->run->launch) * blocks->size;
    return blocks->next < blocks->pause && blocks->count < blocks->cap &&
           (blocks->count + 1) * bytes <= most_bytes;
}

// The first block of the first slot has its workspace.
static enum hone_status begin_slot(struct blocks *blocks, struct slot *slot,
                                   struct hone_error *err)
{
    enum hone_status status = HONE_OK;
    for (uint32_t r = 0; r < blocks->size && status == HONE_OK; r++)
        if (!slot->workspaces[r])
            status =
                hone_emu_workspace_new(&slot->workspaces[r], &blocks->run->launch, err);
    if (status != HONE_OK) return status;
    hone_emu_cluster_join(&slot->cluster, slot->workspaces, blocks->size);
    return begin_cluster(blocks, slot, err);
}

static enum hone_status add_slot(struct blocks *blocks, struct hone_error *err)
{
    return begin_slot(blocks, &blocks->slots[blocks->count++], err);
}

static int compare_numbers(const void *a, const void *b)
{
    const uint64_t first = (*(struct slot *const *)a)->number;
    const uint64_t second = (*(struct slot *const *)b)->number;
    return first < second ? -1 : first > second;
}

// Turned, every second turn begins in the middle of those that began; the others are by
// numbers, in which a whole chain of blocks ends that wait for the one before them.
static void order_turn(struct blocks *blocks)
{
    const uint32_t shift = blocks->group > 1 ? (blocks->count - 1) / 2 : 0;
    for (uint32_t k = 0; k < blocks->count; k++)
        blocks->turns[k] = &blocks->slots[(k + shift) % blocks->count];
    if (blocks->upwards)
        qsort(blocks->turns, blocks->count, sizeof(struct slot *), compare_numbers);
    blocks->upwards = blocks->group > 1 && !blocks->upwards;
}

// After a turn: the rest of a group that has begun begins too; where no block ends, they
// may wait for blocks that are still to begin.
static void set_pause(struct blocks *blocks, bool ended)
{
    const uint64_t group = blocks->group;
    blocks->pause = (blocks->next + group - 1) / group * group;
    if (!ended && blocks->run->launch.quantum >= HONE_EMU_QUANTUM)
        blocks->pause += (blocks->count + group - 1) / group * group;
    if (blocks->pause > blocks->total) blocks->pause = blocks->total;
}

static void set_quantum(struct blocks *blocks, bool ended)
{
    struct hone_emu_launch *launch = &blocks->run->launch;
    if (ended)
        launch->quantum = LEAST_QUANTUM;
    else if (launch->quantum < HONE_EMU_QUANTUM)
        launch->quantum *= 2;
}

static enum hone_status take_turns(struct blocks *blocks, struct hone_error *err)
{
    const uint64_t ended = blocks->ended;
    const uint32_t count = blocks->count;
    enum hone_status status = HONE_OK;
    order_turn(blocks);
    for (uint32_t k = 0; k < count && status == HONE_OK; k++)
        status = run_slot(blocks, blocks->turns[k], 1, err);
    if (blocks->group > 1) set_pause(blocks, blocks->ended > ended);
    set_quantum(blocks, blocks->ended > ended);
    return status;
}

// When all that have begun wait, one more begins beside them; without room for one, or
// with a whole group beside each other, they take turns.
static enum hone_status run_all(struct blocks *blocks, struct hone_error *err)
{
    struct hone_emu_launch *launch = &blocks->run->launch;
    enum hone_status status = begin_slot(blocks, &blocks->slots[0], err);
    if (status == HONE_OK)
        status = run_slot(blocks, &blocks->slots[0], first_patience(blocks), err);
    while (status == HONE_OK && blocks->busy && !launch->faulted) {
        launch->waiting_blocks = blocks->busy;
        if (launch->quantum == 0) launch->quantum = LEAST_QUANTUM;
        if (has_room(blocks)) {
            status = add_slot(blocks, err);
            if (status == HONE_OK)
                status = run_slot(blocks, &blocks->slots[blocks->count - 1],
                                  first_patience(blocks), err);
            continue;
        }
        status = take_turns(blocks, err);
    }
    return status;
}

static void free_slot(struct slot *slot, const struct hone_emu_workspace *kept)
{
    for (uint32_t r = 0; r < HONE_CLUSTER_MOST; r++) {
        hone_emu_checker_free(slot->checkers[r]);
        if (slot->workspaces[r] != kept) hone_emu_workspace_free(slot->workspaces[r]);
    }
}

static uint64_t least_of(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

// As many as have room beside each other, so that each may wait for all of them.
static void set_group(struct blocks *blocks)
{
    const size_t bytes = hone_emu_workspace_bytes(&blocks->run->launch) * blocks->size;
    const size_t room = most_bytes / bytes;
    const uint64_t group = least_of(least_of(blocks->cap, GROUP), room);
    if (!blocks->run->launch.turned || group < 2) return;
    blocks->group = blocks->pause = group;
}

enum hone_status hone_emu_run_blocks(struct hone_emu_run *run,
                                     struct hone_emu_checks *checks, uint32_t window,
                                     const struct hone_emu_isa *isa,
                                     struct hone_error *err)
{
    const uint32_t size = hone_emu_cluster_size(&run->launch);
    const uint64_t total = block_count(&run->launch) / size;
    window = window > size ? window / size : 1; // clusters
    struct blocks blocks = {.run = run,
                            .checks = checks,
                            .isa = isa,
                            .count = 1,
                            .size = size,
                            .cap = total < window ? (uint32_t)total : window,
                            .total = total,
                            .group = 1,
                            .pause = total,
                            .look_at =
                                hone_clock_seconds() + run->launch.seconds / FIRST_PART};
    set_group(&blocks);
    blocks.slots = calloc(blocks.cap, sizeof *blocks.slots);
    blocks.turns = calloc(blocks.cap, sizeof *blocks.turns);
    if (!blocks.slots || !blocks.turns) {
        free(blocks.slots);
        free(blocks.turns);
        return hone_no_memory(err, "to run blocks");
    }
    blocks.slots[0].workspaces[0] = run->workspace;
    enum hone_status status = run_all(&blocks, err);
    for (uint32_t k = 0; k < blocks.count; k++)
        free_slot(&blocks.slots[k], run->workspace);
    free(blocks.slots);
    free(blocks.turns);
    return status;
}
