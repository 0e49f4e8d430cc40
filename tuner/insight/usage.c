// The model's parts, computed anew from the metrics that a trial has (docs/journal.md).
#include "insight/usage.h"

#include <math.h>

#define LANES 32.0

static const struct {
    const char *word, *text, *section;
} limits[] = {
#define HONE_LIMIT_ROW(name, word, text, section) {word, text, section},
    HONE_LIMIT_LIST(HONE_LIMIT_ROW)
#undef HONE_LIMIT_ROW
};

const char *hone_limit_word(enum hone_limit limit)
{
    return limits[limit].word;
}

const char *hone_limit_text(enum hone_limit limit)
{
    return limits[limit].text;
}

const char *hone_limit_section(enum hone_limit limit)
{
    return limits[limit].section;
}

double hone_trial_us(const struct hone_trial *trial)
{
    return isnan(trial->time_us) ? trial->predicted_us : trial->time_us;
}

static double metric(const struct hone_trial *trial, const char *name)
{
    return hone_trial_metric(trial, name, 0);
}

static double largest(double a, double b)
{
    return a > b ? a : b;
}

struct hone_launch_time hone_block_time(const struct hone_block_load *load,
                                        const struct hone_machine *machine)
{
    struct hone_launch_load launch = load->launch;
    launch.pipe_cycles = largest(load->issue, largest(load->alu, load->memory));
    launch.path_cycles = load->path;
    return hone_launch_time(&launch, &machine->limits);
}

/* --- what the counts of a block say --- */

// Journals come from anywhere: figures that no launch has are none. The number of blocks
// at once is also that of steps in which the model adds them.
static bool is_plausible(const struct hone_block_load *load)
{
    static const double most = 1e15;
    const double parts[] = {load->issue,          load->alu,           load->memory,
                            load->path,           load->launch.blocks, load->launch.l2_us,
                            load->launch.dram_us, load->launch.stretch};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (!(parts[i] >= 0 && parts[i] <= most)) return false;
    return load->issue > 0 && load->launch.blocks >= 1 && load->launch.occupancy >= 1 &&
           load->launch.occupancy <= 64;
}

static void take_load(struct hone_usage *out, const struct hone_trial *trial)
{
    out->load =
        (struct hone_block_load){.issue = metric(trial, "issue_cycles"),
                                 .alu = metric(trial, "alu_cycles"),
                                 .memory = metric(trial, "memory_cycles"),
                                 .path = metric(trial, "path_cycles"),
                                 .launch = {.blocks = metric(trial, "grid_blocks"),
                                            .occupancy = metric(trial, "blocks_per_sm"),
                                            .l2_us = metric(trial, "l2_us"),
                                            .dram_us = metric(trial, "dram_us"),
                                            .stretch = metric(trial, "stretch")}};
    out->counted = is_plausible(&out->load);
}

// Where tensor cores are used by both kinds of instruction, those of wgmma alone.
static double tensor_cycles(const struct hone_machine *machine,
                            const struct hone_trial *trial)
{
    static const char *const names[HONE_TENSOR_INPUTS] = {
        [HONE_TENSOR_HALF] = "tensor_half_macs",
        [HONE_TENSOR_TF32] = "tensor_tf32_macs",
        [HONE_TENSOR_F8] = "tensor_f8_macs",
        [HONE_TENSOR_S8] = "tensor_s8_macs",
        [HONE_TENSOR_F64] = "tensor_f64_macs"};
    double cycles = metric(trial, "tensor_group_cycles");
    for (int i = 0; i < HONE_TENSOR_INPUTS && cycles == 0; i++) {
        const int rate = machine->rates.tensor_per_cycle[i];
        const double macs = metric(trial, names[i]);
        if (macs > 0 && rate > 0) cycles = macs / rate;
    }
    return cycles;
}

static double alu_cycles(const struct hone_gpu_rates *rates,
                         const struct hone_trial *trial)
{
    const double fp32 = LANES * metric(trial, "fp32_per_block");
    const double integer = LANES * metric(trial, "int_per_block");
    return largest(largest(fp32 / rates->fp32_per_cycle, integer / rates->int_per_cycle),
                   (fp32 + integer) / rates->fp32_int_per_cycle);
}

// Cycles of a block on each unit of a multiprocessor become the time of the launch, if
// every multiprocessor had as many blocks.
static void take_units(struct hone_usage *out, const struct hone_machine *machine,
                       const struct hone_trial *trial)
{
    const struct hone_gpu_rates *rates = &machine->rates;
    double *us = out->part_us;
    us[HONE_LIMIT_ISSUE] = out->load.issue;
    us[HONE_LIMIT_LOADS] = out->load.memory;
    us[HONE_LIMIT_ALU] = out->load.alu;
    if (machine->gpu) {
        us[HONE_LIMIT_ALU] = alu_cycles(rates, trial);
        us[HONE_LIMIT_FP64] =
            LANES * metric(trial, "fp64_per_block") / rates->fp64_per_cycle;
        us[HONE_LIMIT_SFU] =
            LANES * metric(trial, "sfu_per_block") / rates->sfu_per_cycle;
        us[HONE_LIMIT_TENSOR] = tensor_cycles(machine, trial);
    }
    const double scale = out->load.launch.blocks / (double)machine->limits.sm_count /
                         ((double)machine->limits.sm_clock_khz / 1e3);
    for (int i = HONE_LIMIT_ISSUE; i <= HONE_LIMIT_LOADS; i++)
        us[i] *= scale;
}

static enum hone_limit largest_part(const double *us, enum hone_limit from,
                                    enum hone_limit to)
{
    enum hone_limit most = from;
    for (enum hone_limit i = from; i <= to; i++)
        if (us[i] > us[most] || isnan(us[most])) most = i;
    return most;
}

// The bound that rules: memory, L2, or the multiprocessors; of these what keeps them.
static enum hone_limit ruling_limit(const struct hone_usage *usage, double sm_us)
{
    const double *us = usage->part_us;
    if (us[HONE_LIMIT_LAUNCH] > usage->us / 2) return HONE_LIMIT_LAUNCH;
    if (us[HONE_LIMIT_DRAM] >= sm_us && us[HONE_LIMIT_DRAM] >= us[HONE_LIMIT_L2])
        return HONE_LIMIT_DRAM;
    if (us[HONE_LIMIT_L2] >= sm_us) return HONE_LIMIT_L2;
    const enum hone_limit unit = largest_part(us, HONE_LIMIT_ISSUE, HONE_LIMIT_LOADS);
    const enum hone_limit wait = largest_part(us, HONE_LIMIT_LATENCY, HONE_LIMIT_WAVES);
    return us[unit] >= us[wait] ? unit : wait;
}

// Kernels whose warps have roles are simulated: their time on the multiprocessors is the
// simulation's, which says not what waves take of it.
static bool is_simulated(const struct hone_trial *trial)
{
    return !isnan(hone_trial_metric(trial, "tensor_share", (double)NAN));
}

// What differs by rounding alone is nothing.
static double left_over(double whole, double part)
{
    return whole - part > 1e-6 * whole ? whole - part : 0;
}

static void take_counts(struct hone_usage *out, const struct hone_machine *machine,
                        const struct hone_trial *trial)
{
    double *us = out->part_us;
    take_units(out, machine, trial);
    out->time = hone_block_time(&out->load, machine);
    const bool simulated = is_simulated(trial);
    const double sm_us = simulated ? metric(trial, "sm_us") : out->time.sm_us;
    const double even_us = simulated ? sm_us : out->time.even_sm_us;
    const double busy = us[largest_part(us, HONE_LIMIT_ISSUE, HONE_LIMIT_LOADS)];
    us[HONE_LIMIT_L2] = out->load.launch.l2_us;
    us[HONE_LIMIT_DRAM] = out->load.launch.dram_us;
    us[HONE_LIMIT_LATENCY] = left_over(even_us, busy);
    us[HONE_LIMIT_WAVES] = simulated ? (double)NAN : left_over(sm_us, even_us);
    us[HONE_LIMIT_LAUNCH] = HONE_LAUNCH_US;
    out->blocks = out->load.launch.blocks;
    out->occupancy = out->load.launch.occupancy;
    out->waves = out->time.waves;
    out->limit = ruling_limit(out, sm_us);
}

/* --- what any journal says --- */

static void take_geometry(struct hone_usage *out, const struct hone_machine *machine,
                          const struct hone_trial *trial)
{
    out->blocks = out->work.blocks;
    if (trial->resources.blocks_per_sm > 0)
        out->occupancy = trial->resources.blocks_per_sm;
    out->waves = out->blocks / ((double)machine->limits.sm_count * out->occupancy);
}

// wgmma is faster than mma: its peak is what its cycles are counted by.
static double tensor_roof(const struct hone_machine *machine,
                          const struct hone_trial *trial)
{
    const double group_cycles = metric(trial, "tensor_group_cycles");
    static const struct {
        const char *metric;
        enum hone_tensor_input input;
    } kinds[] = {{"tensor_half_macs", HONE_TENSOR_HALF},
                 {"tensor_tf32_macs", HONE_TENSOR_TF32},
                 {"tensor_f8_macs", HONE_TENSOR_F8},
                 {"tensor_s8_macs", HONE_TENSOR_S8},
                 {"tensor_f64_macs", HONE_TENSOR_F64}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (metric(trial, kinds[i].metric) > 0)
            return group_cycles > 0
                       ? hone_machine_gflops(machine, metric(trial, kinds[i].metric) /
                                                          group_cycles)
                       : hone_machine_tensor_gflops(machine, kinds[i].input);
    return 0;
}

static void take_roof(struct hone_usage *out, const struct hone_machine *machine,
                      const struct hone_trial *trial)
{
    const double tensor = tensor_roof(machine, trial);
    out->roof_gflops = tensor > 0 ? tensor : machine->gflops;
    double compute = out->work.flops / (out->roof_gflops * 1e3);
    const double memory = out->work.bytes / (machine->gbs * 1e3);
    // Without counts nothing else tells of tensor cores, whose roof depends on the type.
    if (compute > out->us && !(tensor > 0)) {
        out->beyond_fp32 = true;
        compute = NAN;
    }
    if (isnan(compute) && isnan(memory)) return;
    out->roof_is_memory = isnan(compute) || memory > compute;
    out->roof_share = fmin(1e6, (out->roof_is_memory ? memory : compute) / out->us);
}

// Without counts a roof that is near tells what limits, one that is far tells nothing.
static enum hone_limit limit_by_roof(const struct hone_usage *usage)
{
    static const double near = 0.6;
    if (usage->roof_share < near) return HONE_LIMIT_UNKNOWN;
    return usage->roof_is_memory ? HONE_LIMIT_DRAM : HONE_LIMIT_ALU;
}

// Shares are of it, and journals come from anywhere: no launch ends within a cycle, or
// takes longer than a fortnight.
static double plausible_us(double us)
{
    static const double least = 1e-4, most = 1e12;
    return us < least ? least : us > most ? most : us;
}

void hone_usage_find(struct hone_usage *out, const struct hone_machine *machine,
                     const struct hone_work *work, const struct hone_trial *trial)
{
    *out = (struct hone_usage){.us = plausible_us(hone_trial_us(trial)),
                               .emulable = machine->gpu != NULL,
                               .work = *work,
                               .blocks = NAN,
                               .occupancy = NAN,
                               .waves = NAN,
                               .limit = HONE_LIMIT_UNKNOWN};
    for (int i = 0; i < HONE_LIMIT_COUNT; i++)
        out->part_us[i] = NAN;
    take_load(out, trial);
    take_roof(out, machine, trial);
    if (out->counted) {
        take_counts(out, machine, trial);
    } else {
        take_geometry(out, machine, trial);
        out->limit = limit_by_roof(out);
    }
}
