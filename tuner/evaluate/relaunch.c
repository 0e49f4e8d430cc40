#include "relaunch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/rng.h"
#include "evaluate/module.h"

// A launch of so many instructions and bytes takes an emulator about a second.
static const uint64_t long_cost = UINT64_C(1) << 26;

// Launches at each size, at least: where one costs little, the data that have nothing in
// common with the first have their turn, too.
enum { EACH = 2, EACH_CHEAP = 3 };
static const uint64_t cheap_cost = UINT64_C(1) << 20;

// Launches of one module at one size, at most, until it is wrong once more.
enum { MOST_AGAIN = 64 };

// Launches that look for the cause of one that was wrong cost what an emulator does
// within its deadline; within the first where it has the device's own, within the second
// at most. What they find must not depend on how fast this machine is: no clock is asked.
static const double usual_deadline_s = 30, most_deadline_s = 1e9;

// Where buffers lie: as they were made, and in two other ways.
enum { PLACES = 3 };

struct relaunch {
    struct hone_relaunch_size *sizes;
    struct hone_loaded *kept; // [count], at the first size with each build
    size_t *steps;            // a size for each launch, in their order
    size_t count, step_count;
    struct hone_rng rng;
    uint64_t places[PLACES]; // seeds
    uint64_t left;           // cost of what may yet be tried
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
    if (least > long_cost && wanted > HONE_RELAUNCHES_LEAST)
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

// The kernel at a size, in a module of its own.
static enum hone_status load_fresh(struct relaunch *r, size_t size,
                                   struct hone_loaded *kernel)
{
    const struct hone_relaunch_size *at = &r->sizes[size];
    *kernel = hone_variant_kernel(at->variant);
    return hone_module_load(kernel, at->verifier->buffers.device, r->fault, r->err);
}

static void unload(struct relaunch *r, struct hone_loaded *kernel)
{
    hone_module_unload(kernel, r->sizes[0].verifier->buffers.device);
}

static enum hone_status launch_at(struct relaunch *r, size_t size,
                                  const struct hone_loaded *kernel,
                                  const struct hone_launch_setting *setting)
{
    const struct hone_relaunch_size *at = &r->sizes[size];
    const uint64_t cost = at->cost ? at->cost : 1;
    r->left -= cost < r->left ? cost : r->left;
    return hone_verifier_launch_in(at->verifier, setting, kernel, r->fault, r->err);
}

// All sizes of one build share a module, the first one's: what it keeps, each of them
// finds.
static enum hone_status kept_kernel(struct relaunch *r, size_t size,
                                    struct hone_loaded *kernel)
{
    size_t first = 0;
    while (r->sizes[first].variant->build != r->sizes[size].variant->build)
        first++;
    enum hone_status status = HONE_OK;
    if (!r->kept[first].module) status = load_fresh(r, first, &r->kept[first]);
    *kernel = hone_variant_kernel(r->sizes[size].variant);
    kernel->module = r->kept[first].module;
    return status;
}

// --- why it is wrong now ---

// What differs from a launch to the one that it is compared with.
enum change { NOTHING, DATA, PLACE, POISON, LEFTOVERS, ALL, CHANGES };

static const char *const causes[CHANGES] = {
    [NOTHING] = "wrong when launched again",
    [DATA] = "wrong when its inputs change",
    [PLACE] = "wrong when its buffers lie elsewhere",
    [POISON] = "wrong when its outputs held something else before",
    [LEFTOVERS] = "wrong when its workspace held something else before",
    [ALL] = "wrong in another launch"};

static struct hone_launch_setting change_of(const struct hone_launch_setting *setting,
                                            enum change change)
{
    struct hone_launch_setting out = {0};
    if (change == DATA || change == ALL) out.set = setting->set;
    if (change == PLACE || change == ALL) out.place = setting->place;
    if (change == POISON || change == ALL) out.other_poison = setting->other_poison;
    if (change == LEFTOVERS || change == ALL) {
        out.leftovers = setting->leftovers;
        out.byte = setting->byte;
    }
    return out;
}

static bool is_wrong(const struct relaunch *r)
{
    return r->fault->outcome != HONE_VALID;
}

// Nothing more can be launched on a device that a fault took with it.
static bool goes_on(const struct relaunch *r, enum hone_status status)
{
    return status == HONE_OK && !r->fault->sticky;
}

static bool tries_on(const struct relaunch *r, enum hone_status status)
{
    return goes_on(r, status) && r->left;
}

// In a module of its own, after a launch in other if that is not NULL: is it wrong? One
// that takes the device with it ends the search.
static enum hone_status try_change(struct relaunch *r, size_t size,
                                   const struct hone_launch_setting *other,
                                   const struct hone_launch_setting *setting, bool *wrong)
{
    struct hone_loaded kernel;
    enum hone_status status = load_fresh(r, size, &kernel);
    if (status == HONE_OK && !is_wrong(r) && other)
        status = launch_at(r, size, &kernel, other);
    if (status == HONE_OK && !is_wrong(r)) {
        status = launch_at(r, size, &kernel, setting);
        *wrong = is_wrong(r);
    }
    unload(r, &kernel);
    return status;
}

// With data of its own a first launch needs other data before it to be a stale one.
static struct hone_launch_setting before_change(const struct relaunch *r, size_t size,
                                                const struct hone_launch_setting *setting)
{
    struct hone_launch_setting before = {0};
    if (setting->set != HONE_SET_FIRST) return before;
    for (size_t set = HONE_SET_FIRST + 1; set < HONE_SETS; set++)
        if (hone_images_have(&r->sizes[size].verifier->images, set)) {
            before.set = set;
            break;
        }
    return before;
}

static enum hone_status count_launches(struct relaunch *r, size_t size, size_t most,
                                       size_t *right)
{
    const struct hone_launch_setting usual = {0};
    struct hone_loaded kernel;
    enum hone_status status = load_fresh(r, size, &kernel);
    for (*right = 0; tries_on(r, status) && !is_wrong(r) && *right < most;)
        if ((status = launch_at(r, size, &kernel, &usual)) == HONE_OK)
            *right += !is_wrong(r);
    unload(r, &kernel);
    return status;
}

struct cause {
    char text[96];
    bool earlier;  // a launch before it has to do with it
    bool contents; // of its outputs or workspace, whoever left them
};

// It was right so many times, and then perhaps wrong.
static void say_count(struct cause *cause, size_t right, bool wrong)
{
    if (wrong && right == 1)
        snprintf(cause->text, sizeof cause->text, "right at first, %s", causes[NOTHING]);
    else if (wrong)
        snprintf(cause->text, sizeof cause->text, "right %zu times, %s", right,
                 causes[NOTHING]);
    else
        snprintf(cause->text, sizeof cause->text, "right at first, %s", causes[ALL]);
}

// Wrong as the first launch of its module already? Then one of the changes is enough,
// mostly.
static enum hone_status explain_fresh(struct relaunch *r, size_t size,
                                      const struct hone_launch_setting *setting,
                                      struct cause *cause)
{
    bool wrong = false;
    enum hone_status status = try_change(r, size, NULL, setting, &wrong);
    if (!tries_on(r, status) || !wrong) return status;
    for (enum change change = DATA; change < CHANGES; change++) {
        const struct hone_launch_setting one = change_of(setting, change);
        wrong = false;
        status = try_change(r, size, NULL, &one, &wrong);
        if (!goes_on(r, status)) return status;
        if (!wrong && tries_on(r, status)) continue;
        if (!wrong) break;
        cause->contents = change == POISON || change == LEFTOVERS;
        snprintf(cause->text, sizeof cause->text, "right at first, %s", causes[change]);
        break;
    }
    return status;
}

static enum hone_status explain_state(struct relaunch *r, size_t size,
                                      const struct hone_launch_setting *setting,
                                      struct cause *cause)
{
    const struct hone_launch_setting usual = {0};
    const struct hone_launch_setting stale = before_change(r, size, setting);
    size_t right = 0;
    cause->earlier = true;
    for (enum change change = NOTHING; change < CHANGES; change++) {
        const struct hone_launch_setting one = change_of(setting, change);
        bool wrong = false;
        enum hone_status status = try_change(
            r, size, change == DATA || change == ALL ? &stale : &usual, &one, &wrong);
        if (!wrong && tries_on(r, status)) continue;
        if (wrong && goes_on(r, status))
            snprintf(cause->text, sizeof cause->text, "right at first, %s",
                     causes[change]);
        return status;
    }
    enum hone_status status = count_launches(r, size, MOST_AGAIN, &right);
    if (goes_on(r, status)) say_count(cause, right, is_wrong(r));
    return status;
}

static bool is_worth_trying(const struct hone_fault *fault)
{
    return !fault->sticky &&
           (fault->outcome == HONE_WRONG_RESULT || fault->outcome == HONE_CRASHED);
}

static void say_cause(struct relaunch *r, size_t size, const struct cause *cause)
{
    struct hone_fault *fault = r->fault;
    const struct hone_fault found = *fault;
    snprintf(fault->reason, sizeof fault->reason, "%s: %.340s", cause->text,
             found.reason);
    if (found.finding == HONE_FINDING_MISMATCH && (cause->earlier || cause->contents))
        fault->finding = HONE_FINDING_STATE;
    if (found.finding == HONE_FINDING_NEVER_WRITES && cause->earlier)
        fault->finding = HONE_FINDING_STATE;
    hone_verifier_say_where(r->sizes[size].verifier, fault);
}

static uint64_t cost_to_explain(const struct relaunch *r, size_t size)
{
    double deadline_s = r->sizes[size].verifier->deadline_s;
    if (!(deadline_s > 0)) deadline_s = usual_deadline_s;
    if (deadline_s > most_deadline_s) deadline_s = most_deadline_s;
    return (uint64_t)(deadline_s * (double)long_cost);
}

// The fault that was found, on a device that may have been lost since.
static void put_back(struct relaunch *r, const struct hone_fault *found)
{
    const bool lost = r->fault->sticky;
    *r->fault = *found;
    r->fault->sticky |= lost;
}

// Tries what made the difference, and gives the fault of the launch that showed it.
static enum hone_status relaunch_explain(struct relaunch *r, size_t size,
                                         const struct hone_launch_setting *setting)
{
    const struct hone_fault found = *r->fault;
    struct cause cause = {0};
    enum hone_status status = HONE_OK;
    if (is_worth_trying(&found)) {
        r->left = cost_to_explain(r, size);
        status = explain_fresh(r, size, setting, &cause);
        if (tries_on(r, status) && !cause.text[0])
            status = explain_state(r, size, setting, &cause);
    }
    if (!cause.text[0])
        snprintf(cause.text, sizeof cause.text,
                 "right at first, wrong in a later launch");
    put_back(r, &found);
    if (status == HONE_OK) say_cause(r, size, &cause);
    return status;
}

enum hone_status hone_relaunch_without_order(struct hone_relaunch_size *size,
                                             struct hone_fault *fault,
                                             struct hone_error *err)
{
    enum { MOST = HONE_ORDER_COUNT + 1 };
    const struct hone_fault of_order = *fault;
    struct relaunch r = {
        .sizes = size, .count = 1, .left = UINT64_MAX, .fault = fault, .err = err};
    struct cause cause = {.earlier = true};
    size_t right = 0;
    enum hone_status status = count_launches(&r, 0, MOST, &right);
    if (status != HONE_OK) return status;
    if (!is_wrong(&r) || right == 0) {
        put_back(&r, &of_order);
        return HONE_OK;
    }
    say_count(&cause, right, true);
    say_cause(&r, 0, &cause);
    return HONE_OK;
}

// --- all of them ---

static enum hone_status run_steps(struct relaunch *r, size_t *turns)
{
    enum hone_status status = HONE_OK;
    for (size_t i = 0; i < r->step_count && status == HONE_OK && !is_wrong(r); i++) {
        const size_t size = r->steps[i];
        const struct hone_launch_setting setting =
            draw_setting(r, r->sizes[size].verifier, turns[size]++);
        struct hone_loaded kernel;
        status = kept_kernel(r, size, &kernel);
        if (status != HONE_OK || is_wrong(r)) break;
        status = launch_at(r, size, &kernel, &setting);
        if (status == HONE_OK && is_wrong(r))
            status = relaunch_explain(r, size, &setting);
    }
    return status;
}

// On a lost device only what is on the host comes back.
static enum hone_status go_back(struct relaunch *r, enum hone_status status)
{
    for (size_t i = 0; i < r->count; i++) {
        const struct hone_relaunch_size *at = &r->sizes[i];
        const bool fine = goes_on(r, status);
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
    if (!executed) executed = (uint64_t)(seconds * STEPS) * (long_cost / STEPS);
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
        unload(&r, &r.kept[i]);
    free(r.kept);
    free(r.steps);
    free(turns);
    return status;
}
