// How blocks share multiprocessors and how the bounds of a launch add up.
// docs/maintain/emulator.md has the evidence.
#include "device/launch_time.h"

#include <math.h>

#include "queue.h"

// Two bounds at once: near each alone, a quarter worse where they are equal.
static double model_join(double a, double b)
{
    return cbrt(a * a * a + b * b * b);
}

// Cycles of one multiprocessor whose blocks are no whole number: between those of the
// whole numbers beside it.
static double even_cycles(const struct hone_launch_load *load, double blocks)
{
    const double pipe = load->pipe_cycles, path = load->path_cycles;
    if (blocks >= load->occupancy)
        return blocks / load->occupancy *
               hone_emu_resident_cycles(load->occupancy, pipe, path);
    if (blocks <= 1) return hone_emu_resident_cycles(1, pipe, path);
    const double low = floor(blocks), part = blocks - low;
    return (1 - part) * hone_emu_resident_cycles(low, pipe, path) +
           part * hone_emu_resident_cycles(low + 1, pipe, path);
}

struct hone_launch_shares hone_launch_shares(double blocks, double occupancy,
                                             const struct hone_limits *limits)
{
    const double sms = (double)limits->sm_count;
    const double needed = ceil(blocks / sms); // of the busiest multiprocessor
    const double resident = occupancy < needed ? occupancy : needed;
    const double waves = blocks / (sms * resident);
    // many waves even out, few leave a tail
    return (struct hone_launch_shares){.resident = resident,
                                       .waves = waves < 4 ? ceil(waves) : waves};
}

struct hone_launch_time hone_launch_time(const struct hone_launch_load *load,
                                         const struct hone_limits *limits)
{
    const double sms = (double)limits->sm_count;
    const double cycles_per_us = (double)limits->sm_clock_khz / 1e3;
    const struct hone_launch_shares shares =
        hone_launch_shares(load->blocks, load->occupancy, limits);
    struct hone_launch_time time = {.waves = load->blocks / (sms * load->occupancy)};
    const double resident =
        hone_emu_resident_cycles(shares.resident, load->pipe_cycles, load->path_cycles);
    const double stretch = load->stretch > 0 ? load->stretch : 1.0;
    time.sm_us = shares.waves * resident * stretch / cycles_per_us;
    time.even_sm_us = even_cycles(load, load->blocks / sms) / cycles_per_us;
    time.time_us =
        model_join(time.sm_us, model_join(load->l2_us, load->dram_us)) + HONE_LAUNCH_US;
    return time;
}
