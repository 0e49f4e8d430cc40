// Blocks that keep a counted one company. All that they store is undone at the end.
#include "company.h"

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

enum hone_status hone_emu_company_add(struct hone_emu_company *company,
                                      const uint32_t id[3], bool *added,
                                      struct hone_error *err)
{
    struct hone_emu_launch *launch = &company->run->launch;
    struct hone_emu_workspace *workspace = NULL;
    uint32_t next[3];
    *added = false;
    if (company->count == HONE_EMU_COMPANY_MAX ||
        company->count + 1 >= block_count(launch->grid))
        return HONE_OK;
    enum hone_status status = HONE_OK;
    if (!company->counter)
        status = hone_emu_counter_new(&company->counter, launch->code, launch->memory,
                                      (struct hone_emu_latencies){0}, err);
    if (status == HONE_OK) status = hone_emu_workspace_new(&workspace, launch, err);
    if (status != HONE_OK) return status;
    company->blocks[company->count++] = workspace;
    find_block(next, launch->grid, id, company->count);
    launch->observer = hone_emu_counter_observer(company->counter);
    hone_emu_block_begin(workspace, next);
    hone_emu_block_run(workspace, company->isa, PATIENCE);
    launch->observer = NULL;
    *added = true;
    return HONE_OK;
}

void hone_emu_company_fini(struct hone_emu_company *company)
{
    for (uint32_t i = 0; i < company->count; i++)
        hone_emu_workspace_free(company->blocks[i]);
    hone_emu_counter_free(company->counter);
}
