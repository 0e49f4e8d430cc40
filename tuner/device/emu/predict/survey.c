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
    FEW = 4,         // that tell whether more are worth it
    ENOUGH = 3000000 // instructions of warps, of all that are counted
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
    double work; // cycles alone on a multiprocessor; 0: there is none
};

struct surveyor {
    const struct hone_emu_surveyed *what;
    struct sample samples[HONE_EMU_MOST_WORKS];
    uint32_t count, within; // within: counted, and not at the edge
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

static bool has_work(const struct hone_emu_surveyed *what,
                     const struct hone_emu_counts *counts)
{
    const uint32_t *block = what->run->launch.block;
    const uint32_t threads = block[0] * block[1] * block[2];
    const double warps = (double)((threads + HONE_EMU_LANES - 1) / HONE_EMU_LANES);
    return what->wave->idle_share <= 0 ||
           counts->executed > HONE_EMU_PROBE_STEPS * warps ||
           4 * counts->executed > what->middle->executed;
}

// Blocks at the upper edges differ in every grid; the last one tells of them.
static bool is_at_edge(const struct hone_emu_launch *launch, const uint32_t id[3])
{
    bool at_edge = false;
    for (int i = 0; i < 3; i++)
        at_edge = at_edge || (launch->grid[i] > 1 && id[i] == launch->grid[i] - 1);
    return at_edge;
}

static uint64_t cluster_count(const struct hone_emu_launch *launch)
{
    const uint32_t *grid = launch->grid;
    return (uint64_t)grid[0] * grid[1] * grid[2] / hone_emu_cluster_size(launch);
}

bool hone_emu_has_few_blocks(const struct hone_emu_launch *launch)
{
    return cluster_count(launch) <= 16;
}

// As many as are not too long, if they are as long as those at hand.
static uint32_t choose_count(const struct hone_emu_surveyed *what)
{
    static const uint32_t counts[] = {48, 32, 24, 16};
    const uint64_t clusters = cluster_count(&what->run->launch);
    const double mean = (what->middle->executed + what->last->executed) / 2;
    size_t k = 0;
    while (counts[k] > 16 && counts[k] * mean > ENOUGH)
        k++;
    return clusters < counts[k] ? (uint32_t)clusters : counts[k];
}

static void choose(struct surveyor *s)
{
    static const double golden = 0.6180339887498949;
    const struct hone_emu_launch *launch = &s->what->run->launch;
    const double each = (double)cluster_count(launch) / s->count;
    for (uint32_t k = 0; k < s->count; k++) {
        const double part = k * golden - floor(k * golden);
        hone_emu_find_block(s->samples[k].id, launch, (uint64_t)((k + part) * each), 0);
    }
}

static enum hone_status count_sample(struct surveyor *s, struct sample *sample,
                                     struct hone_error *err)
{
    const struct hone_emu_surveyed *what = s->what;
    const enum hone_status status = hone_emu_count_block(
        what->run, what->counter, sample->id, what->isa, &sample->counts, err);
    if (status != HONE_OK || !has_work(what, &sample->counts)) return status;
    sample->work = work_of(what, &sample->counts);
    if (is_at_edge(&what->run->launch, sample->id)) return HONE_OK;
    s->within++;
    s->uneven = s->uneven || !hone_emu_are_alike(&sample->counts, what->middle);
    return HONE_OK;
}

static enum hone_status count_samples(struct surveyor *s, struct hone_error *err)
{
    enum { STEP = 19 }; // a prime number: all are visited
    enum hone_status status = HONE_OK;
    for (uint32_t k = 0; k < s->count && status == HONE_OK; k++) {
        if (s->within >= FEW && !s->uneven) break;
        status = count_sample(s, &s->samples[k * STEP % s->count], err);
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

static void sum_up(struct hone_emu_survey *out, const struct surveyor *s)
{
    uint32_t busy = 0;
    double sum = 0.0, nearest = (double)INFINITY;
    for (uint32_t k = 0; k < s->count; k++) {
        busy += s->samples[k].work > 0;
        sum += s->samples[k].work;
    }
    for (uint32_t k = 0; k < s->count; k++) {
        const struct sample *sample = &s->samples[k];
        if (!(sample->work > 0)) continue;
        const double part = sample->work * busy / sum, off = fabs(part - 1.0);
        out->works.each[out->works.count++] = part;
        add_counts(&out->mean, &sample->counts, 1.0 / busy);
        if (!(off < nearest)) continue;
        nearest = off;
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
    s->count = choose_count(what);
    choose(s);
    const enum hone_status status = count_samples(s, err);
    if (status == HONE_OK && s->uneven && !what->run->launch.faulted) sum_up(out, s);
    free(s);
    return status;
}
