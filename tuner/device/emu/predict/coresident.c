// Blocks that run beside a counted one, which waits for them. All that they store is
// undone at the end.
#include "coresident.h"

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
    enum hone_status status = HONE_OK;
    if (!coresident->counter)
        status = hone_emu_counter_new(&coresident->counter, launch->code, launch->memory,
                                      (struct hone_emu_latencies){0}, err);
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
    for (uint32_t i = 0; i < coresident->count; i++)
        hone_emu_workspace_free(coresident->blocks[i]);
    hone_emu_counter_free(coresident->counter);
}
