#include "insight/beside.h"

#include <math.h>

// Below that, by NVIDIA's guides, no part of a GPU is what a kernel waits for.
static const double busy_least = 0.6;

// Each part of the GPU and the counters that tell how busy it is, the busiest of which
// counts.
static const struct {
    enum hone_limit limit;
    const char *counters[2];
} parts[] = {{HONE_LIMIT_ISSUE, {"issue_active"}},
             {HONE_LIMIT_ALU, {"fma_pipe", "alu_pipe"}},
             {HONE_LIMIT_FP64, {"fp64_pipe"}},
             {HONE_LIMIT_SFU, {"xu_pipe"}},
             {HONE_LIMIT_TENSOR, {"tensor_pipe", "tc_pipe"}},
             {HONE_LIMIT_LOADS, {"wavefront_throughput"}},
             {HONE_LIMIT_L2, {"l2_sector_rate"}},
             {HONE_LIMIT_DRAM, {"dram_throughput"}}};

// What a launch does: counters that are summed, and the emulator's figure, which is of a
// block or of the launch.
static const struct {
    const char *name, *text, *unit;
    const char *counters[2];
    const char *metric;
    bool of_block;
} counts[] = {{"instructions",
               "instructions",
               "of warps",
               {"instructions"},
               "issued_per_block",
               true},
              {"lanes",
               "lanes that work",
               "of 32",
               {"lanes_per_instruction"},
               "active_lanes",
               false},
              {"wavefronts",
               "turns of shared memory",
               "wavefronts",
               {"wavefronts"},
               "shared_wavefronts",
               true},
              {"bank_conflicts",
               "of them by bank conflicts",
               "wavefronts",
               {"load_conflicts", "store_conflicts"},
               "bank_conflicts",
               true},
              {"global_sectors",
               "sectors of global memory",
               "of 32 bytes",
               {"load_sectors", "store_sectors"},
               "global_sectors",
               true},
              {"dram_bytes",
               "moved by DRAM",
               "bytes",
               {"dram_read_bytes", "dram_write_bytes"},
               "dram_bytes",
               false}};

// NAN for what no count can be: anyone may write a journal.
static double count_of(double value)
{
    return isfinite(value) && value >= 0 ? value : (double)NAN;
}

// NAN where it was not counted.
static double counter(const struct hone_trial *trial, const char *name)
{
    return name ? count_of(hone_trial_counter(trial, name, (double)NAN)) : (double)NAN;
}

// NAN where it was not counted.
static double busy_percent(const struct hone_trial *trial, size_t part)
{
    return fmax(counter(trial, parts[part].counters[0]),
                counter(trial, parts[part].counters[1]));
}

enum hone_limit hone_beside_limit(double *share, const struct hone_trial *trial)
{
    enum hone_limit limit = HONE_LIMIT_UNKNOWN;
    double most = 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        const double busy = busy_percent(trial, i) / 100;
        if (!(busy > most)) continue;
        most = busy;
        limit = parts[i].limit;
    }
    *share = fmin(most, 1);
    return *share > 0 && *share < busy_least ? HONE_LIMIT_LATENCY : limit;
}

static double emulated(const struct hone_explained *explained, size_t row)
{
    const struct hone_trial *from = explained->counted;
    const bool known = from && hone_trial_metric(from, "grid_blocks", 0) > 0;
    if (!known) return (double)NAN;
    const double blocks =
        counts[row].of_block ? hone_trial_metric(from, "grid_blocks", 0) : 1;
    return count_of(blocks * hone_trial_metric(from, counts[row].metric, 0));
}

size_t hone_beside_find(struct hone_beside out[HONE_BESIDE_MAX],
                        const struct hone_explained *explained)
{
    const struct hone_usage *usage = &explained->diagnosis.usage;
    size_t count = 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        const double share = busy_percent(explained->trial, i);
        const double us = usage->counted ? usage->part_us[parts[i].limit] : (double)NAN;
        if (isnan(share)) continue;
        out[count++] = (struct hone_beside){.name = hone_limit_word(parts[i].limit),
                                            .text = hone_limit_text(parts[i].limit),
                                            .unit = "% of peak",
                                            .counted = share,
                                            .emulated = count_of(100 * us / usage->us)};
    }
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        const double first = counter(explained->trial, counts[i].counters[0]);
        const double second = counter(explained->trial, counts[i].counters[1]);
        const double all = count_of(counts[i].counters[1] ? first + second : first);
        if (isnan(all)) continue;
        out[count++] = (struct hone_beside){.name = counts[i].name,
                                            .text = counts[i].text,
                                            .unit = counts[i].unit,
                                            .counted = all,
                                            .emulated = emulated(explained, i)};
    }
    return count;
}
