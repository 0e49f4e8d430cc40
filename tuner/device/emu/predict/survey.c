// Blocks stand at even distances in the order in which they begin, each anywhere in its
// part of the grid: by the golden ratio, so that they stand about evenly in each period
// of the grid's, too. Of causal attention, whatever the order of its tiles, 48 of them
// know the mean work within 4 % (rms), 16 within 8 %. They are visited far from one
// another, for a few of them tell whether all are like the middle one.
#include "survey.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    FEW = 4,          // that tell whether more are worth it
    SOME = 12,        // the same where the last one is longer than the middle one
    LEAST = 16,       // of unlike ones
    ENOUGH = 3000000, // instructions of warps, of all that are counted
    TIMES = 8,        // as long as the longest at hand, a block ends
    IDLE = 32         // times that the longest works as long as one with nothing to do
};

// Blocks that differ by so much of the larger one are not alike.
static const double alike_within = 1.0 / 16;

bool hone_emu_are_alike(const struct hone_emu_counts *a, const struct hone_emu_counts *b)
{
    return fabs(a->executed - b->executed) <=
           alike_within * fmax(a->executed, b->executed);
}

struct sample {
    uint32_t id[3];
    struct hone_emu_counts counts;
    double work;   // cycles alone on a multiprocessor; 0: not counted
    double weight; // part of the grid
};

struct surveyor {
    const struct hone_emu_surveyed *what;
    struct sample samples[HONE_EMU_MOST_WORKS];
    uint32_t count, counted, within; // within: counted, and not at the edge
    bool all;                        // clusters are visited
    double executed, longest;        // by all, by one
    bool uneven;
};

static double work_of(const struct hone_emu_surveyed *what,
                      const struct hone_emu_counts *counts)
{
    struct hone_emu_pipes pipes;
    hone_emu_pipes_of(&pipes, counts, &what->gpu->rates);
    const double pipe = fmax(pipes.issue, fmax(pipes.alu, pipes.memory));
    return what->roles ? pipe : pipe + counts->path_cycles;
}

// Blocks at the upper edges differ in every grid; the last one tells of them.
static bool is_at_edge(const struct hone_emu_launch *launch, const uint32_t id[3])
{
    bool at_edge = false;
    for (int i = 0; i < 3; i++)
        at_edge = at_edge || (launch->grid[i] > launch->cluster[i] &&
                              id[i] + launch->cluster[i] >= launch->grid[i]);
    return at_edge;
}

static uint64_t cluster_count(const struct hone_emu_launch *launch)
{
    const uint32_t *grid = launch->grid;
    return (uint64_t)grid[0] * grid[1] * grid[2] / hone_emu_cluster_size(launch);
}

bool hone_emu_has_few_blocks(const struct hone_emu_launch *launch)
{
    return cluster_count(launch) <= LEAST;
}

// As many as are not too long, if they are as long as those at hand.
static uint32_t choose_count(const struct hone_emu_surveyed *what)
{
    static const uint32_t counts[] = {48, 32, 24, LEAST};
    const uint64_t clusters = cluster_count(&what->run->launch);
    const double mean = (what->middle->executed + what->last->executed) / 2;
    size_t k = 0;
    while (counts[k] > LEAST && counts[k] * mean > ENOUGH)
        k++;
    return clusters < counts[k] ? (uint32_t)clusters : counts[k];
}

// One block of each cluster that is visited, all ranks in turn.
static void choose(struct surveyor *s)
{
    static const double golden = 0.6180339887498949;
    const struct hone_emu_launch *launch = &s->what->run->launch;
    const uint64_t clusters = cluster_count(launch);
    const double each = (double)clusters / s->count;
    s->all = clusters == s->count;
    for (uint32_t k = 0; k < s->count; k++) {
        const double part = k * golden - floor(k * golden);
        hone_emu_find_block(s->samples[k].id, launch, (uint64_t)((k + part) * each),
                            k % hone_emu_cluster_size(launch));
    }
}

// A block that waits for more than count_block runs beside it, or without atomic
// operations, would wait for ever: it ends where no other of the launch would, and the
// launch goes on without it.
static enum hone_status count_limited(struct surveyor *s, struct sample *sample,
                                      bool *counted, struct hone_error *err)
{
    const struct hone_emu_surveyed *what = s->what;
    struct hone_emu_launch *launch = &what->run->launch;
    const double longest = fmax(what->middle->executed, what->last->executed);
    const double most = fmax(TIMES * longest, ENOUGH);
    hone_emu_counter_limit(what->counter, launch, (uint64_t)most);
    const enum hone_status status = hone_emu_count_block(
        what->run, what->counter, sample->id, what->isa, &sample->counts, err);
    *counted = !hone_emu_counter_is_stopped(what->counter);
    hone_emu_counter_limit(what->counter, NULL, 0);
    if (*counted || launch->expired) return status;
    launch->faulted = false;
    *launch->fault = (struct hone_fault){.outcome = HONE_VALID};
    s->executed += most;
    return status;
}

static enum hone_status count_sample(struct surveyor *s, struct sample *sample,
                                     struct hone_error *err)
{
    const struct hone_emu_surveyed *what = s->what;
    const struct hone_emu_counts *counts = &sample->counts;
    bool counted;
    const enum hone_status status = count_limited(s, sample, &counted, err);
    if (status != HONE_OK || !counted || what->run->launch.faulted) return status;
    sample->work = work_of(what, counts);
    s->counted++;
    s->executed += counts->executed;
    if (counts->executed > s->longest) s->longest = counts->executed;
    if (!s->all && is_at_edge(&what->run->launch, sample->id)) return HONE_OK;
    s->within++;
    s->uneven = s->uneven || !hone_emu_are_alike(counts, what->middle);
    return HONE_OK;
}

// A last block that is longer is not told by an edge, where there is less to do.
static bool is_enough(const struct surveyor *s, uint32_t visited)
{
    const struct hone_emu_counts *middle = s->what->middle, *last = s->what->last;
    const bool longer =
        !hone_emu_are_alike(middle, last) && last->executed > middle->executed;
    if (visited >= LEAST && s->executed > ENOUGH) return true;
    return !s->all && !s->uneven && s->within >= (longer ? SOME : FEW);
}

static bool are_coprime(uint32_t a, uint32_t b)
{
    while (b) {
        const uint32_t rest = a % b;
        a = b;
        b = rest;
    }
    return a == 1;
}

// So far on each time, around: three eighths or a little more, and all are visited.
static uint32_t choose_step(uint32_t count)
{
    uint32_t step = count * 3 / 8 + 1;
    while (!are_coprime(step, count))
        step++;
    return step;
}

static enum hone_status count_samples(struct surveyor *s, struct hone_error *err)
{
    const uint32_t step = choose_step(s->count);
    enum hone_status status = HONE_OK;
    for (uint32_t k = 0; k < s->count && !is_enough(s, k) && status == HONE_OK; k++) {
        status = count_sample(s, &s->samples[k * step % s->count], err);
        if (s->what->run->launch.faulted) break;
    }
    return status;
}

static void add_counts(struct hone_emu_counts *into, const struct hone_emu_counts *more,
                       double part)
{
    double *to = (double *)into;
    const double *from = (const double *)more;
    for (size_t k = 0; k < sizeof *into / sizeof *to; k++)
        to[k] += part * from[k];
}

static bool has_work(const struct surveyor *s, const struct sample *sample)
{
    return sample->work > 0 && IDLE * sample->counts.executed > s->longest;
}

static bool ends_early(const struct surveyor *s, const struct sample *sample)
{
    const uint32_t *block = s->what->run->launch.block;
    const uint32_t threads = block[0] * block[1] * block[2];
    const uint32_t warps = (threads + HONE_EMU_LANES - 1) / HONE_EMU_LANES;
    return sample->counts.executed <= (double)HONE_EMU_PROBE_STEPS * warps;
}

// The part of the grid that each sample stands for: probes know better than a few samples
// how many blocks end early (post-stratification).
static void weigh(struct surveyor *s)
{
    const double share = s->what->wave->early_share;
    uint32_t early = 0;
    for (uint32_t k = 0; k < s->count; k++)
        early += s->samples[k].work > 0 && ends_early(s, &s->samples[k]);
    const uint32_t late = s->counted - early;
    const bool both = early && late && share > 0 && share < 1;
    for (uint32_t k = 0; k < s->count; k++) {
        struct sample *sample = &s->samples[k];
        sample->weight = !both                   ? 1.0 / s->counted
                         : ends_early(s, sample) ? share / early
                                                 : (1 - share) / late;
    }
}

static void sum_up(struct hone_emu_survey *out, struct surveyor *s)
{
    double busy = 0.0, sum = 0.0, nearest = (double)INFINITY;
    weigh(s);
    for (uint32_t k = 0; k < s->count; k++) {
        const struct sample *sample = &s->samples[k];
        if (!has_work(s, sample)) continue;
        busy += sample->weight;
        sum += sample->weight * sample->work;
    }
    if (!(busy > 0)) return;
    out->idle_share = fmax(0.0, 1.0 - busy);
    for (uint32_t k = 0; k < s->count; k++) {
        const struct sample *sample = &s->samples[k];
        if (!has_work(s, sample)) continue;
        const double part = sample->work * busy / sum;
        out->works.each[out->works.count++] = part;
        add_counts(&out->mean, &sample->counts, sample->weight / busy);
        if (part < 1 - 1e-9 || part >= nearest) continue;
        nearest = part;
        out->work_of_typical = part;
        memcpy(out->typical, sample->id, sizeof out->typical);
    }
}

enum hone_status hone_emu_survey(struct hone_emu_survey *out,
                                 const struct hone_emu_surveyed *what,
                                 struct hone_error *err)
{
    struct surveyor *s = calloc(1, sizeof *s);
    *out = (struct hone_emu_survey){0};
    if (!s) return hone_no_memory(err, "to predict a launch");
    s->what = what;
    s->uneven = what->wave->unlike;
    s->count = choose_count(what);
    choose(s);
    const enum hone_status status = count_samples(s, err);
    if (status == HONE_OK && s->uneven && !what->run->launch.faulted) sum_up(out, s);
    free(s);
    return status;
}
