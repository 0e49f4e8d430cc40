// The launch goes from the end of one block to that of the next, over all
// multiprocessors. Time is in cycles, work in that of a mean block.
#include "uneven.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "queue.h"

enum { MOST_RESIDENT = 64, MOST_BLOCKS = 1 << 14 };

struct sm {
    double left[MOST_RESIDENT]; // of the work of each block that it holds
    uint32_t blocks, shortest;
    double time, end; // that left is of; of the shortest
};

struct schedule {
    const struct hone_emu_works *works;
    struct sm *sms;
    uint32_t sm_count, occupancy, blocks, next; // next: block to begin
    bool alike;                                 // all have a work of 1
    double cycles[MOST_RESIDENT + 1];           // of mean blocks, by how many are held
};

static void begin_next(struct schedule *s, struct sm *sm)
{
    const uint64_t part = (uint64_t)s->next++ * s->works->count / s->blocks;
    sm->left[sm->blocks++] = s->alike ? 1.0 : s->works->each[part];
}

// One to each multiprocessor in turns, until they are full.
static void begin_first(struct schedule *s)
{
    for (uint32_t n = 0; n < s->occupancy * s->sm_count && s->next < s->blocks; n++)
        begin_next(s, &s->sms[n % s->sm_count]);
}

static void find_end(const struct schedule *s, struct sm *sm)
{
    sm->shortest = 0;
    for (uint32_t k = 1; k < sm->blocks; k++)
        if (sm->left[k] < sm->left[sm->shortest]) sm->shortest = k;
    sm->end = sm->blocks ? sm->time + sm->left[sm->shortest] * s->cycles[sm->blocks]
                         : (double)INFINITY;
}

// Its shortest block ends, and the next one begins.
static void end_shortest(struct schedule *s, struct sm *sm)
{
    const double work = sm->left[sm->shortest];
    sm->time = sm->end;
    for (uint32_t k = 0; k < sm->blocks; k++)
        sm->left[k] -= work;
    sm->left[sm->shortest] = sm->left[--sm->blocks];
    if (s->next < s->blocks) begin_next(s, sm);
    find_end(s, sm);
}

static double run_schedule(struct schedule *s, bool alike)
{
    double end = 0.0;
    memset(s->sms, 0, s->sm_count * sizeof *s->sms);
    s->next = 0;
    s->alike = alike;
    begin_first(s);
    for (uint32_t k = 0; k < s->sm_count; k++)
        find_end(s, &s->sms[k]);
    for (uint32_t ended = 0; ended < s->blocks; ended++) {
        struct sm *first = s->sms;
        for (uint32_t k = 1; k < s->sm_count; k++)
            if (s->sms[k].end < first->end) first = &s->sms[k];
        end = first->end;
        end_shortest(s, first);
    }
    return end;
}

enum hone_status hone_emu_find_stretch(double *out, const struct hone_emu_works *works,
                                       const struct hone_launch_load *load,
                                       const struct hone_limits *limits,
                                       struct hone_error *err)
{
    struct schedule s = {.works = works, .sm_count = (uint32_t)limits->sm_count};
    *out = 1.0;
    if (!works->count || load->blocks > MOST_BLOCKS) return HONE_OK;
    s.blocks = load->blocks < 1 ? 1 : (uint32_t)(load->blocks + 0.5);
    s.occupancy = load->occupancy < MOST_RESIDENT ? (uint32_t)load->occupancy
                                                  : (uint32_t)MOST_RESIDENT;
    s.sms = calloc(s.sm_count, sizeof *s.sms);
    if (!s.sms) return hone_no_memory(err, "to predict a launch");
    for (uint32_t n = 1; n <= s.occupancy; n++)
        s.cycles[n] = hone_emu_resident_cycles(n, load->pipe_cycles, load->path_cycles);
    *out = run_schedule(&s, false) / run_schedule(&s, true);
    free(s.sms);
    return HONE_OK;
}
