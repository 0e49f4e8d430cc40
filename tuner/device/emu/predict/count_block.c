// One block is run and counted, with those beside it that it waits for.
#include "count_block.h"

#include "coresident.h"

// Quanta of its warps after which a block that has used atomic operations is taken to
// wait for others (emu_blocks.c).
enum { PATIENCE = 16 };

// True when the block came to its end, or to a fault.
static bool run_counted(struct hone_emu_run *run, struct hone_emu_counter *counter,
                        struct hone_emu_cluster *cluster, const uint32_t id[3],
                        const struct hone_emu_isa *isa)
{
    run->launch.observer = hone_emu_counter_observer(counter);
    hone_emu_block_begin(run->workspace, id);
    if (cluster->size) hone_emu_cluster_begin(cluster);
    const enum hone_emu_progress progress =
        hone_emu_block_run(run->workspace, isa, PATIENCE);
    run->launch.observer = NULL;
    return progress == HONE_EMU_DONE || run->launch.faulted;
}

enum hone_status hone_emu_count_block(struct hone_emu_run *run,
                                      struct hone_emu_counter *counter,
                                      const uint32_t id[3],
                                      const struct hone_emu_isa *isa,
                                      struct hone_emu_counts *out, struct hone_error *err)
{
    struct hone_emu_coresident coresident = {.run = run, .isa = isa};
    struct hone_emu_cluster *cluster = &coresident.cluster;
    enum hone_status status = hone_emu_coresident_join(&coresident, counter, id, err);
    bool done = status == HONE_OK && run_counted(run, counter, cluster, id, isa);
    bool added = status == HONE_OK && cluster->size == 0;
    while (!done && added && hone_emu_counter_atomics(counter) > 0) {
        status = hone_emu_counter_take(counter, out, err);
        hone_emu_counter_anew(counter);
        if (status == HONE_OK)
            status = hone_emu_coresident_add(&coresident, id, &added, err);
        if (status != HONE_OK || run->launch.faulted) break;
        done = run_counted(run, counter, cluster, id, isa);
    }
    if (status == HONE_OK && !done && !run->launch.faulted)
        hone_emu_finish_block(run->workspace, isa);
    if (status == HONE_OK) status = hone_emu_counter_take(counter, out, err);
    hone_emu_coresident_fini(&coresident);
    return status;
}
