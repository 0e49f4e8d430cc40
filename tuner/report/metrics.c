// The units of docs/journal.md.
#include "report/metrics.h"

#include <stddef.h>
#include <string.h>

#define CLASS "warp instructions a block"

static const struct {
    const char *name, *unit;
} metrics[] = {
    {"issued_per_block", CLASS},
    {"fp32_per_block", CLASS},
    {"fp64_per_block", CLASS},
    {"int_per_block", CLASS},
    {"sfu_per_block", CLASS},
    {"shared_per_block", CLASS},
    {"global_per_block", CLASS},
    {"local_per_block", CLASS},
    {"atomic_per_block", CLASS},
    {"warp_per_block", CLASS},
    {"tensor_per_block", CLASS},
    {"control_per_block", CLASS},
    {"async_per_block", CLASS},
    {"tensor_half_macs", "multiply-accumulates a block"},
    {"tensor_tf32_macs", "multiply-accumulates a block"},
    {"tensor_f8_macs", "multiply-accumulates a block"},
    {"tensor_s8_macs", "multiply-accumulates a block"},
    {"tensor_f64_macs", "multiply-accumulates a block"},
    {"tensor_group_cycles", "cycles a block"},
    {"tensor_shared_cycles", "cycles a block"},
    {"shared_wavefronts", "wavefronts a block"},
    {"bank_conflicts", "wavefronts a block"},
    {"global_sectors", "sectors of 32 bytes a block"},
    {"excess_sectors", "sectors of 32 bytes a block"},
    {"global_lines", "lines of 128 bytes a block"},
    {"load_bytes", "bytes a block"},
    {"store_bytes", "bytes a block"},
    {"barriers", "by warps, a block"},
    {"active_lanes", "lanes"},
    {"divergent_share", "share of instructions"},
    {"bytes_in_flight", "bytes a multiprocessor"},
    {"path_cycles", "cycles a block"},
    {"issue_cycles", "cycles a block"},
    {"alu_cycles", "cycles a block"},
    {"memory_cycles", "cycles a block"},
    {"pipe_cycles", "cycles a block"},
    {"grid_blocks", "blocks"},
    {"idle_share", "share of blocks"},
    {"warps_per_block", "warps"},
    {"blocks_per_sm", "blocks a multiprocessor"},
    {"wave_bytes", "bytes"},
    {"l2_bytes", "bytes a launch"},
    {"dram_bytes", "bytes a launch"},
    {"tensor_share", "share of the time"},
    {"port_share", "share of the time"},
    {"supply_share", "share of the time"},
    {"multiply_waits", "share of the time"},
    {"copy_waits", "share of the time"},
    {"not_simulated", ""},
    {"sm_us", "us"},
    {"l2_us", "us"},
    {"dram_us", "us"},
    {"uncalibrated_us", "us"},
    {"warm_us", "us"},
    {"dynamic_shared_written", "bytes a block"},
    {"unwritten_outputs", "elements"},
    {"model_version", ""},
};

const char *hone_metric_unit(const char *name)
{
    for (size_t i = 0; i < sizeof metrics / sizeof *metrics; i++)
        if (strcmp(metrics[i].name, name) == 0) return metrics[i].unit;
    return NULL;
}
