// Each cause is tried by taking it away: the model is asked for the time of a block
// without it.
#include "insight/diagnosis.h"

#include <math.h>
#include <stdlib.h>

#include "hone/build.h"

#define SECTOR 32.0
#define LANES  32.0

// Less than that is not worth a change of a kernel: runs of one kernel on a GPU differ by
// 1 to 3 %, and the model is coarser.
static const double least_gain = 0.05;

// Bytes a thread, stores and loads together: four registers out and in. ptxas spills some
// around calls and loops without harm; how often a spill is executed it does not tell.
static const double least_spill = 32;

// No multiprocessor holds more; journals come from anywhere, and the model counts them.
static const double most_blocks = 64;

static const struct {
    const char *word, *text, *section;
} causes[] = {
#define HONE_CAUSE_ROW(name, word, text, section) {word, text, section},
    HONE_CAUSE_LIST(HONE_CAUSE_ROW)
#undef HONE_CAUSE_ROW
};

const char *hone_cause_word(enum hone_cause cause)
{
    return causes[cause].word;
}

const char *hone_cause_text(enum hone_cause cause)
{
    return causes[cause].text;
}

const char *hone_cause_section(enum hone_cause cause)
{
    return causes[cause].section;
}

struct looked_at {
    const struct hone_machine *machine;
    const struct hone_trial *trial;
    struct hone_diagnosis *out;
};

static double metric(const struct looked_at *at, const char *name)
{
    return hone_trial_metric(at->trial, name, 0);
}

static void add_cause(struct looked_at *at, struct hone_found_cause found)
{
    at->out->causes[at->out->cause_count++] = found;
}

// The part of the time that goes when it is what it would be.
static double gain_of(double time, double without)
{
    return time > 0 ? (time - without) / time : 0;
}

static void try_load(struct looked_at *at, const struct hone_block_load *without,
                     struct hone_found_cause found)
{
    found.gain = gain_of(at->out->usage.time.time_us,
                         hone_block_time(without, at->machine).time_us);
    if (found.gain >= least_gain) add_cause(at, found);
}

/* --- what a block does --- */

// The cycles that a request takes at least: with fewer units than lanes it goes through
// them in parts.
static double least_request(const struct looked_at *at)
{
    const int units = at->machine->rates.lsu_per_cycle;
    return units > 0 && units < 32 ? LANES / units : 1;
}

// Where there are 16 units a request takes two cycles whatever it wants.
static double least_shared(const struct looked_at *at, double wavefronts)
{
    const int units = at->machine->rates.lsu_per_cycle;
    const double requests = metric(at, "shared_per_block");
    return units > 0 && units < 32 && wavefronts < 2 * requests ? 2 * requests
                                                                : wavefronts;
}

static void try_bank_conflicts(struct looked_at *at)
{
    const double have = metric(at, "shared_wavefronts");
    const double want = have - metric(at, "bank_conflicts");
    struct hone_block_load without = at->out->usage.load;
    const double saved = least_shared(at, have) - least_shared(at, want);
    without.memory = fmax(0, without.memory - saved);
    try_load(at, &without,
             (struct hone_found_cause){
                 .cause = HONE_CAUSE_BANK_CONFLICTS, .have = have, .want = want});
}

// Four sectors go through L1 in a cycle. What nobody asked for is not fetched either,
// where blocks do not use it later.
static void try_uncoalesced(struct looked_at *at)
{
    const double have = metric(at, "global_sectors");
    const double excess = metric(at, "excess_sectors");
    struct hone_block_load without = at->out->usage.load;
    const double asked =
        (metric(at, "load_bytes") + metric(at, "store_bytes")) * without.launch.blocks;
    const double moved = metric(at, "l2_bytes");
    without.memory = fmax(0, without.memory - excess / 4);
    if (excess > 0 && moved > asked && asked > 0) {
        without.launch.l2_us *= asked / moved;
        without.launch.dram_us *= asked / moved;
    }
    try_load(at, &without,
             (struct hone_found_cause){
                 .cause = HONE_CAUSE_UNCOALESCED, .have = have, .want = have - excess});
}

static void try_divergence(struct looked_at *at)
{
    const double lanes = metric(at, "active_lanes");
    struct hone_block_load without = at->out->usage.load;
    if (!(lanes > 0)) return;
    without.issue *= lanes / LANES;
    if (at->out->usage.limit != HONE_LIMIT_TENSOR) without.alu *= lanes / LANES;
    try_load(at, &without,
             (struct hone_found_cause){
                 .cause = HONE_CAUSE_DIVERGENCE, .have = lanes, .want = LANES});
}

// What the model adds for them; of journals without counts that is not known.
static void try_spills(struct looked_at *at)
{
    const struct hone_resources *r = &at->trial->resources;
    const double bytes = fmax(0, r->spill_store_bytes) + fmax(0, r->spill_load_bytes);
    const double requests = metric(at, "spill_requests");
    struct hone_found_cause found = {
        .cause = HONE_CAUSE_SPILLS, .gain = NAN, .have = bytes};
    if (bytes < least_spill) return;
    if (at->out->usage.counted && requests > 0) {
        struct hone_block_load without = at->out->usage.load;
        without.issue = fmax(0, without.issue - requests / 4);
        without.memory = fmax(0, without.memory - requests * least_request(at));
        found.gain = gain_of(at->out->usage.time.time_us,
                             hone_block_time(&without, at->machine).time_us);
    }
    add_cause(at, found);
}

/* --- how blocks share the GPU --- */

static double warps_of(const struct looked_at *at)
{
    const double counted = metric(at, "warps_per_block");
    return counted > 0 ? counted : ceil(at->out->usage.work.threads / LANES);
}

// What more blocks there would be without one of the limits tells which one it is.
static enum hone_occupancy_limit occupancy_limit(const struct looked_at *at)
{
    const struct hone_resources *r = &at->trial->resources;
    const double threads = LANES * warps_of(at);
    const struct hone_limits *limits = &at->machine->limits;
    if (!(threads > 0 && threads <= (double)limits->max_threads_per_block) ||
        r->registers < 0)
        return HONE_OCCUPANCY_UNKNOWN;
    const uint32_t block = (uint32_t)threads;
    const uint32_t shared =
        r->dynamic_shared_bytes > 0 ? (uint32_t)r->dynamic_shared_bytes : 0;
    struct hone_resources free_registers = *r, free_shared = *r;
    free_registers.registers = 1;
    free_shared.static_shared_bytes = 0;
    const int now = hone_occupancy(limits, r, block, shared);
    const bool registers = hone_occupancy(limits, &free_registers, block, shared) > now;
    const bool memory = hone_occupancy(limits, &free_shared, block, 0) > now;
    free_registers.static_shared_bytes = 0;
    const int most = hone_occupancy(limits, &free_registers, block, 0);
    if (registers) return HONE_OCCUPANCY_REGISTERS;
    if (memory) return HONE_OCCUPANCY_SHARED;
    return most > now ? HONE_OCCUPANCY_BOTH : HONE_OCCUPANCY_BLOCKS;
}

// As many blocks as the threads of a multiprocessor are enough for. Blocks are taken to
// be evenly divided, since what the tail costs is a cause of its own.
static void try_occupancy(struct looked_at *at)
{
    struct hone_block_load without = at->out->usage.load;
    const double warps = warps_of(at), have = without.launch.occupancy;
    const double most = floor((double)at->machine->limits.max_threads_per_sm / LANES);
    if (!(warps >= 1)) return;
    without.launch.occupancy = fmax(have, fmin(most_blocks, floor(most / warps)));
    const double now = at->out->usage.time.even_sm_us;
    const double then = hone_block_time(&without, at->machine).even_sm_us;
    const double time = at->out->usage.time.time_us;
    const struct hone_found_cause found = {.cause = HONE_CAUSE_OCCUPANCY,
                                           .gain =
                                               gain_of(now, then) * fmin(1, now / time),
                                           .have = have * warps,
                                           .want = without.launch.occupancy * warps,
                                           .by = occupancy_limit(at)};
    if (found.gain >= least_gain) add_cause(at, found);
}

// The last wave runs with what the others left; by the geometry alone a wave takes as
// long as another.
static void try_tail(struct looked_at *at)
{
    const struct hone_usage *usage = &at->out->usage;
    const double waves = usage->waves;
    struct hone_found_cause found = {
        .cause = HONE_CAUSE_TAIL, .have = ceil(waves), .want = waves};
    if (!(waves > 1) || waves >= 4) return;
    // blocks that differ are another matter: the last round is looked at without it
    const double stretch = usage->load.launch.stretch;
    const double sm_us = usage->time.sm_us / (stretch > 0 ? stretch : 1.0);
    if (usage->counted)
        found.gain =
            gain_of(sm_us, usage->time.even_sm_us) * fmin(1, sm_us / usage->time.time_us);
    else
        found.gain = 1 - waves / ceil(waves);
    if (found.gain >= least_gain) add_cause(at, found);
}

// Not as many blocks as run at once: multiprocessors stand idle, or have too few warps to
// hide what they wait for. The same work in smaller blocks would fill them.
static void try_few_blocks(struct looked_at *at)
{
    const struct hone_usage *usage = &at->out->usage;
    struct hone_block_load full = usage->load;
    if (!(usage->waves < 1)) return;
    full.launch.blocks = full.launch.occupancy * (double)at->machine->limits.sm_count;
    const double then = hone_block_time(&full, at->machine).even_sm_us * usage->waves;
    const double now = usage->time.even_sm_us;
    const struct hone_found_cause found = {.cause = HONE_CAUSE_FEW_BLOCKS,
                                           .gain = gain_of(now, then) *
                                                   fmin(1, now / usage->time.time_us),
                                           .have = usage->blocks,
                                           .want = full.launch.blocks};
    if (found.gain >= least_gain) add_cause(at, found);
}

/* --- all of them --- */

// What is not known stands behind what is.
static int by_gain(const void *a, const void *b)
{
    const struct hone_found_cause *x = a, *y = b;
    const double p = isnan(x->gain) ? -1 : x->gain, q = isnan(y->gain) ? -1 : y->gain;
    if (p != q) return p < q ? 1 : -1;
    return (int)x->cause - (int)y->cause;
}

void hone_diagnosis_make(struct hone_diagnosis *out, const struct hone_machine *machine,
                         const struct hone_work *work, const struct hone_trial *trial)
{
    struct looked_at at = {.machine = machine, .trial = trial, .out = out};
    *out = (struct hone_diagnosis){0};
    hone_usage_find(&out->usage, machine, work, trial);
    if (out->usage.counted) {
        try_bank_conflicts(&at);
        try_uncoalesced(&at);
        try_divergence(&at);
        try_occupancy(&at);
        try_few_blocks(&at);
    }
    try_tail(&at);
    try_spills(&at);
    qsort(out->causes, out->cause_count, sizeof *out->causes, by_gain);
}

const struct hone_found_cause *hone_diagnosis_find(const struct hone_diagnosis *diagnosis,
                                                   enum hone_cause cause)
{
    for (size_t i = 0; i < diagnosis->cause_count; i++)
        if (diagnosis->causes[i].cause == cause) return &diagnosis->causes[i];
    return NULL;
}
