// The units of docs/journal.md.
#include "report/metrics.h"

#include <stddef.h>
#include <string.h>

#include "hone/trial.h"
#include "record/json_out.h"

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
    {"spill_requests", "accesses of warps a block"},
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
    {"stretch", "times the blocks' mean"},
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
    {"blocks_not_turned", "blocks"},
    {"model_version", ""},
};

const char *hone_metric_unit(const char *name)
{
    for (size_t i = 0; i < sizeof metrics / sizeof *metrics; i++)
        if (strcmp(metrics[i].name, name) == 0) return metrics[i].unit;
    return NULL;
}

static void append_unit(struct json_t *list, const char *name, double value,
                        const char *unit)
{
    struct json_t *object = hone_json_object();
    hone_json_text(object, "name", name);
    hone_json_number(object, "value", value);
    hone_json_text(object, "unit", unit);
    hone_json_append(list, object);
}

void hone_metrics_add_json(struct json_t *object, const struct hone_trial *trial)
{
    struct json_t *figures = hone_json_array(), *counters = hone_json_array();
    for (size_t i = 0; trial && i < trial->metric_count; i++)
        append_unit(figures, trial->metrics[i].name, trial->metrics[i].value,
                    hone_metric_unit(trial->metrics[i].name));
    for (size_t i = 0; trial && trial->counters[i].name; i++)
        append_unit(counters, trial->counters[i].name, trial->counters[i].value,
                    trial->counters[i].unit);
    hone_json_child(object, "metrics", figures);
    hone_json_child(object, "counters", counters);
}
