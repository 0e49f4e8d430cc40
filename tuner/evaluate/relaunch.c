#include "relaunch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "fault.h"
#include "hone/rng.h"

// Launches at each size, at least: where one costs little, the data that have nothing in
// common with the first have their turn, too.
enum { EACH = 2, EACH_CHEAP = 3 };
static const uint64_t cheap_cost = UINT64_C(1) << 20;

// Where buffers lie: as they were made, and in two other ways.
enum { PLACES = 3 };

struct relaunch {
    struct hone_relaunch_size *sizes;
    struct hone_loaded *kept; // [count], at the first size with each build
    size_t *steps;            // a size for each launch, in their order
    size_t count, step_count;
    struct hone_rng rng;
    uint64_t places[PLACES]; // seeds
    struct hone_fault *fault;
    struct hone_error *err;
};

// --- the schedule ---

static size_t least_at(const struct hone_relaunch_size *size)
{
    return size->cost <= cheap_cost ? EACH_CHEAP : EACH;
}

static size_t total_of(const struct relaunch *r, size_t wanted)
{
    uint64_t least = UINT64_MAX;
    size_t needed = 0;
    for (size_t i = 0; i < r->count; i++) {
        if (r->sizes[i].cost < least) least = r->sizes[i].cost;
        needed += least_at(&r->sizes[i]);
    }
    if (least > HONE_RELAUNCH_SECOND && wanted > HONE_RELAUNCHES_LEAST)
        wanted = HONE_RELAUNCHES_LEAST;
    return wanted > needed ? wanted : needed;
}

// Each size has as many as show an answer that was kept; the next goes to where those
// that it has then cost least.
static void share_out(struct relaunch *r, size_t total)
{
    struct hone_relaunch_size *sizes = r->sizes;
    size_t given = 0;
    for (size_t i = 0; i < r->count; i++)
        given += sizes[i].count = least_at(&sizes[i]);
    for (; given < total; given++) {
        size_t best = 0;
        for (size_t i = 1; i < r->count; i++)
            if ((double)(sizes[i].count + 1) * (double)sizes[i].cost <
                (double)(sizes[best].count + 1) * (double)sizes[best].cost)
                best = i;
        sizes[best].count++;
    }
}

static void draw_order(struct relaunch *r, uint64_t seed)
{
    size_t n = 0;
    hone_rng_seed(&r->rng, seed);
    for (size_t i = 1; i < PLACES; i++)
        r->places[i] = 1 + hone_rng_below(&r->rng, UINT32_MAX);
    for (size_t i = 0; i < r->count; i++)
        for (size_t k = 0; k < r->sizes[i].count; k++)
            r->steps[n++] = i;
    hone_rng_shuffle(&r->rng, r->steps, n);
    r->step_count = n;
}

// What nobody knows the right values of may stay unwritten: its poison is always the
// same.
static bool is_judged(const struct hone_verifier *verifier)
{
    for (size_t i = 0; i < verifier->buffers.count; i++)
        if (verifier->buffers.items[i].unjudged) return false;
    return true;
}

// By turns at a size. The second launch has almost the data of the first at the same
// addresses: whoever knows an answer by either gives it now.
static const struct turn {
    size_t set;
    size_t place; // of places
    enum hone_leftovers leftovers;
} turns_of_a_size[] = {
    {HONE_SET_SIMILAR, 1, HONE_LEFTOVERS_BYTE},
    {HONE_SET_FIRST, 1, HONE_LEFTOVERS_KEPT},
    {HONE_SET_OTHER, 0, HONE_LEFTOVERS_KEPT},
    {HONE_SET_SIMILAR, 0, HONE_LEFTOVERS_POISON},
    {HONE_SET_FIRST, 2, HONE_LEFTOVERS_BYTE},
    {HONE_SET_OTHER, 1, HONE_LEFTOVERS_KEPT},
};
enum { TURNS = sizeof turns_of_a_size / sizeof *turns_of_a_size };

static struct hone_launch_setting
draw_setting(struct relaunch *r, const struct hone_verifier *verifier, size_t turn)
{
    const size_t drawn = turn < TURNS ? turn : hone_rng_below(&r->rng, TURNS);
    const struct turn *of = &turns_of_a_size[drawn];
    const bool have = hone_images_have(&verifier->images, of->set);
    return (struct hone_launch_setting){
        .set = have ? of->set : HONE_SET_FIRST,
        .place = verifier->fixed ? 0 : r->places[of->place],
        .other_poison = turn % 2 == 0 && is_judged(verifier),
        .leftovers = of->leftovers,
        .byte = (unsigned char)hone_rng_below(&r->rng, 256)};
}

// --- launches ---

// All sizes of one build share a module, the first one's: what it keeps, each of them
// finds.
static enum hone_status kept_kernel(struct relaunch *r,
                                    const struct hone_relaunch_size *size,
                                    struct hone_loaded *kernel)
{
    size_t first = 0;
    while (r->sizes[first].variant->build != size->variant->build)
        first++;
    struct hone_loaded *kept = &r->kept[first];
    enum hone_status status = HONE_OK;
    if (!kept->module) {
        *kept = hone_variant_kernel(r->sizes[first].variant);
        status = hone_module_load(kept, size->verifier->buffers.device, r->fault, r->err);
    }
    *kernel = hone_variant_kernel(size->variant);
    kernel->module = kept->module;
    return status;
}

static enum hone_status run_step(struct relaunch *r, size_t step, size_t *turns)
{
    const size_t i = r->steps[step];
    const struct hone_relaunch_size *size = &r->sizes[i];
    const struct hone_launch_setting setting =
        draw_setting(r, size->verifier, turns[i]++);
    struct hone_loaded kernel;
    enum hone_status status = kept_kernel(r, size, &kernel);
    if (!hone_is_right(status, r->fault)) return status;
    status = hone_verifier_launch_in(size->verifier, &setting, &kernel, r->fault, r->err);
    if (status == HONE_OK && r->fault->outcome != HONE_VALID)
        status = hone_relaunch_explain(size, &setting, r->fault, r->err);
    return status;
}

static enum hone_status run_steps(struct relaunch *r, size_t *turns)
{
    enum hone_status status = HONE_OK;
    for (size_t i = 0; i < r->step_count && hone_is_right(status, r->fault); i++)
        status = run_step(r, i, turns);
    return status;
}

// On a lost device only what is on the host comes back.
static enum hone_status go_back(struct relaunch *r, enum hone_status status)
{
    for (size_t i = 0; i < r->count; i++) {
        const struct hone_relaunch_size *at = &r->sizes[i];
        const bool fine = status == HONE_OK && !r->fault->sticky;
        const enum hone_status back =
            hone_verifier_go_back(at->verifier, &at->variant->job, fine ? r->err : NULL);
        if (fine) status = back;
    }
    return status;
}

bool hone_relaunch_is_at(const struct hone_plan *plan, const double *bytes, size_t i)
{
    size_t rank = 0, drawn = 0;
    if (plan->named) return i < plan->named;
    for (size_t j = 0; j < plan->verify_count; j++) {
        drawn += isnan(bytes[j]) ? 0 : 1;
        rank += bytes[j] < bytes[i] || (j < i && bytes[j] <= bytes[i]);
    }
    return rank == 0 || rank == (drawn - 1) / 2 || rank == drawn - 1;
}

uint64_t hone_relaunch_cost(uint64_t executed, double seconds, size_t bytes)
{
    enum { STEPS = 16 };
    if (!executed)
        executed = (uint64_t)(seconds * STEPS) * (HONE_RELAUNCH_SECOND / STEPS);
    return executed + bytes;
}

uint64_t hone_relaunch_seed(uint64_t data_seed, const struct hone_candidate *candidate)
{
    const uint64_t parts[] = {data_seed,
                              hone_hash64(candidate->key, strlen(candidate->key))};
    return hone_hash64(parts, sizeof parts);
}

enum hone_status hone_relaunch(struct hone_relaunch_size *sizes, size_t count,
                               size_t total, uint64_t seed, struct hone_fault *fault,
                               struct hone_error *err)
{
    struct relaunch r = {.sizes = sizes, .count = count, .fault = fault, .err = err};
    *fault = (struct hone_fault){.outcome = HONE_VALID};
    if (!count) return HONE_OK;
    total = total_of(&r, total);
    share_out(&r, total);
    r.kept = calloc(count, sizeof *r.kept);
    r.steps = calloc(total, sizeof *r.steps);
    size_t *turns = calloc(count, sizeof *turns);
    enum hone_status status = HONE_OK;
    if (!r.kept || !r.steps || !turns) status = hone_no_memory(err, "to launch again");
    if (status == HONE_OK) {
        draw_order(&r, seed);
        status = run_steps(&r, turns);
        status = go_back(&r, status);
    }
    for (size_t i = 0; r.kept && i < count; i++)
        hone_module_unload(&r.kept[i], sizes[0].verifier->buffers.device);
    free(r.kept);
    free(r.steps);
    free(turns);
    return status;
}
