// Blocks that run beside a counted one, which waits for them. All that they store is
// undone at the end.
#include "coresident.h"

#include <string.h>

// Quanta of its warps after which a block is taken to wait (emu_blocks.c).
enum { PATIENCE = 16 };

static uint64_t block_count(const uint32_t grid[3])
{
    return (uint64_t)grid[0] * grid[1] * grid[2];
}

// Number n behind block id, around the grid.
static void find_block(uint32_t out[3], const uint32_t grid[3], const uint32_t id[3],
                       uint64_t n)
{
    const uint64_t at = (id[2] * (uint64_t)grid[1] + id[1]) * grid[0] + id[0];
    const uint64_t number = (at + n) % block_count(grid);
    out[0] = (uint32_t)(number % grid[0]);
    out[1] = (uint32_t)(number / grid[0] % grid[1]);
    out[2] = (uint32_t)(number / grid[0] / grid[1]);
}

static enum hone_status make_counter(struct hone_emu_coresident *coresident,
                                     struct hone_error *err)
{
    const struct hone_emu_launch *launch = &coresident->run->launch;
    if (coresident->counter) return HONE_OK;
    return hone_emu_counter_new(&coresident->counter, launch->code, launch->memory,
                                (struct hone_emu_latencies){0}, err);
}

// As hone_emu_find_member; true when it is another block than id.
static bool find_other(uint32_t out[3], const struct hone_emu_launch *launch,
                       const uint32_t id[3], uint32_t rank)
{
    hone_emu_find_member(out, launch, id, rank);
    return memcmp(out, id, 3 * sizeof *id) != 0;
}

enum hone_status hone_emu_coresident_join(struct hone_emu_coresident *coresident,
                                          struct hone_emu_counter *counter,
                                          const uint32_t id[3], struct hone_error *err)
{
    struct hone_emu_launch *launch = &coresident->run->launch;
    const uint32_t size = hone_emu_cluster_size(launch);
    enum hone_status status = size > 1 ? make_counter(coresident, err) : HONE_OK;
    uint32_t member[3];
    if (size < 2) return HONE_OK;
    for (uint32_t r = 0; r < size && status == HONE_OK; r++) {
        struct hone_emu_workspace **place = &coresident->members[r];
        if (!find_other(member, launch, id, r))
            *place = coresident->run->workspace;
        else
            status = hone_emu_workspace_new(place, launch, err);
    }
    if (status != HONE_OK) return status;
    hone_emu_counter_join(coresident->counter, counter);
    hone_emu_cluster_join(&coresident->cluster, coresident->members, size);
    launch->observer = hone_emu_counter_observer(coresident->counter);
    for (uint32_t r = 0; r < size; r++)
        if (find_other(member, launch, id, r))
            hone_emu_block_begin(coresident->members[r], member);
    launch->observer = NULL;
    return HONE_OK;
}

enum hone_status hone_emu_coresident_add(struct hone_emu_coresident *coresident,
                                         const uint32_t id[3], bool *added,
                                         struct hone_error *err)
{
    struct hone_emu_launch *launch = &coresident->run->launch;
    struct hone_emu_workspace *workspace = NULL;
    uint32_t next[3];
    *added = false;
    if (coresident->count == HONE_EMU_CORESIDENT_MAX ||
        coresident->count + 1 >= block_count(launch->grid))
        return HONE_OK;
    enum hone_status status = make_counter(coresident, err);
    if (status == HONE_OK) status = hone_emu_workspace_new(&workspace, launch, err);
    if (status != HONE_OK) return status;
    coresident->blocks[coresident->count++] = workspace;
    find_block(next, launch->grid, id, coresident->count);
    launch->observer = hone_emu_counter_observer(coresident->counter);
    hone_emu_block_begin(workspace, next);
    hone_emu_block_run(workspace, coresident->isa, PATIENCE);
    launch->observer = NULL;
    *added = true;
    return HONE_OK;
}

void hone_emu_coresident_fini(struct hone_emu_coresident *coresident)
{
    hone_emu_cluster_leave(coresident->run->workspace);
    for (uint32_t r = 0; r < HONE_CLUSTER_MOST; r++)
        if (coresident->members[r] != coresident->run->workspace)
            hone_emu_workspace_free(coresident->members[r]);
    for (uint32_t i = 0; i < coresident->count; i++)
        hone_emu_workspace_free(coresident->blocks[i]);
    hone_emu_counter_free(coresident->counter);
}
