// Why a kernel that was right once is wrong now: launches of its own module look for what
// makes the difference. They are all at the size where it went wrong.
#include "relaunch.h"

#include <stdio.h>

// Launches of one module, at most, until it is wrong once more.
enum { MOST_AGAIN = 64 };

// Launches that look for the cause of one that was wrong cost what an emulator does
// within its deadline; within the first where it has the device's own, within the second
// at most. What they find must not depend on how fast this machine is: no clock is asked.
static const double usual_deadline_s = 30, most_deadline_s = 1e9;

struct cause_search {
    const struct hone_relaunch_size *at;
    uint64_t left; // cost of what may yet be tried
    struct hone_fault *fault;
    struct hone_error *err;
};

// --- one launch after another ---

static bool is_wrong(const struct cause_search *s)
{
    return s->fault->outcome != HONE_VALID;
}

// Nothing more can be launched on a device that a fault took with it.
static bool goes_on(const struct cause_search *s, enum hone_status status)
{
    return status == HONE_OK && !s->fault->sticky;
}

static bool tries_on(const struct cause_search *s, enum hone_status status)
{
    return goes_on(s, status) && s->left;
}

// In a module of its own.
static enum hone_status load_fresh(struct cause_search *s, struct hone_loaded *kernel)
{
    *kernel = hone_variant_kernel(s->at->variant);
    return hone_module_load(kernel, s->at->verifier->buffers.device, s->fault, s->err);
}

static void unload(struct cause_search *s, struct hone_loaded *kernel)
{
    hone_module_unload(kernel, s->at->verifier->buffers.device);
}

static enum hone_status launch_in(struct cause_search *s,
                                  const struct hone_loaded *kernel,
                                  const struct hone_launch_setting *setting)
{
    const uint64_t cost = s->at->cost ? s->at->cost : 1;
    s->left -= cost < s->left ? cost : s->left;
    return hone_verifier_launch_in(s->at->verifier, setting, kernel, s->fault, s->err);
}

// In a module of its own, after a launch in other if that is not NULL: is it wrong? One
// that takes the device with it ends the search.
static enum hone_status try_change(struct cause_search *s,
                                   const struct hone_launch_setting *other,
                                   const struct hone_launch_setting *setting, bool *wrong)
{
    struct hone_loaded kernel;
    enum hone_status status = load_fresh(s, &kernel);
    if (status == HONE_OK && !is_wrong(s) && other) status = launch_in(s, &kernel, other);
    if (status == HONE_OK && !is_wrong(s)) {
        status = launch_in(s, &kernel, setting);
        *wrong = is_wrong(s);
    }
    unload(s, &kernel);
    return status;
}

static enum hone_status count_launches(struct cause_search *s, size_t most, size_t *right)
{
    const struct hone_launch_setting usual = {0};
    struct hone_loaded kernel;
    enum hone_status status = load_fresh(s, &kernel);
    for (*right = 0; tries_on(s, status) && !is_wrong(s) && *right < most;)
        if ((status = launch_in(s, &kernel, &usual)) == HONE_OK) *right += !is_wrong(s);
    unload(s, &kernel);
    return status;
}

// --- what differs ---

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

// With data of its own a first launch needs other data before it to be a stale one.
static struct hone_launch_setting before_change(const struct cause_search *s,
                                                const struct hone_launch_setting *setting)
{
    struct hone_launch_setting before = {0};
    if (setting->set != HONE_SET_FIRST) return before;
    for (size_t set = HONE_SET_FIRST + 1; set < HONE_SETS; set++)
        if (hone_images_have(&s->at->verifier->images, set)) {
            before.set = set;
            break;
        }
    return before;
}

// --- words ---

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

static void say_cause(struct cause_search *s, const struct cause *cause)
{
    struct hone_fault *fault = s->fault;
    const struct hone_fault found = *fault;
    snprintf(fault->reason, sizeof fault->reason, "%s: %.340s", cause->text,
             found.reason);
    if (found.finding == HONE_FINDING_MISMATCH && (cause->earlier || cause->contents))
        fault->finding = HONE_FINDING_STATE;
    if (found.finding == HONE_FINDING_NEVER_WRITES && cause->earlier)
        fault->finding = HONE_FINDING_STATE;
    hone_verifier_say_where(s->at->verifier, fault);
}

// --- the search ---

// Wrong as the first launch of its module already? Then one of the changes is enough,
// mostly.
static enum hone_status explain_fresh(struct cause_search *s,
                                      const struct hone_launch_setting *setting,
                                      struct cause *cause)
{
    bool wrong = false;
    enum hone_status status = try_change(s, NULL, setting, &wrong);
    if (!tries_on(s, status) || !wrong) return status;
    for (enum change change = DATA; change < CHANGES; change++) {
        const struct hone_launch_setting one = change_of(setting, change);
        wrong = false;
        status = try_change(s, NULL, &one, &wrong);
        if (!goes_on(s, status)) return status;
        if (!wrong && tries_on(s, status)) continue;
        if (!wrong) break;
        cause->contents = change == POISON || change == LEFTOVERS;
        snprintf(cause->text, sizeof cause->text, "right at first, %s", causes[change]);
        break;
    }
    return status;
}

static enum hone_status explain_state(struct cause_search *s,
                                      const struct hone_launch_setting *setting,
                                      struct cause *cause)
{
    const struct hone_launch_setting usual = {0};
    const struct hone_launch_setting stale = before_change(s, setting);
    size_t right = 0;
    cause->earlier = true;
    for (enum change change = NOTHING; change < CHANGES; change++) {
        const struct hone_launch_setting one = change_of(setting, change);
        bool wrong = false;
        enum hone_status status = try_change(
            s, change == DATA || change == ALL ? &stale : &usual, &one, &wrong);
        if (!wrong && tries_on(s, status)) continue;
        if (wrong && goes_on(s, status))
            snprintf(cause->text, sizeof cause->text, "right at first, %s",
                     causes[change]);
        return status;
    }
    enum hone_status status = count_launches(s, MOST_AGAIN, &right);
    if (goes_on(s, status)) say_count(cause, right, is_wrong(s));
    return status;
}

static bool is_worth_trying(const struct hone_fault *fault)
{
    return !fault->sticky &&
           (fault->outcome == HONE_WRONG_RESULT || fault->outcome == HONE_CRASHED);
}

static uint64_t cost_to_explain(const struct cause_search *s)
{
    double deadline_s = s->at->verifier->deadline_s;
    if (!(deadline_s > 0)) deadline_s = usual_deadline_s;
    if (deadline_s > most_deadline_s) deadline_s = most_deadline_s;
    return (uint64_t)(deadline_s * (double)HONE_RELAUNCH_SECOND);
}

// The fault that was found, on a device that may have been lost since.
static void put_back(struct cause_search *s, const struct hone_fault *found)
{
    const bool lost = s->fault->sticky;
    *s->fault = *found;
    s->fault->sticky |= lost;
}

// Tries what made the difference, and gives the fault of the launch that showed it.
enum hone_status hone_relaunch_explain(const struct hone_relaunch_size *size,
                                       const struct hone_launch_setting *setting,
                                       struct hone_fault *fault, struct hone_error *err)
{
    struct cause_search search = {.at = size, .fault = fault, .err = err};
    const struct hone_fault found = *fault;
    struct cause cause = {0};
    enum hone_status status = HONE_OK;
    if (is_worth_trying(&found)) {
        search.left = cost_to_explain(&search);
        status = explain_fresh(&search, setting, &cause);
        if (tries_on(&search, status) && !cause.text[0])
            status = explain_state(&search, setting, &cause);
    }
    if (!cause.text[0])
        snprintf(cause.text, sizeof cause.text,
                 "right at first, wrong in a later launch");
    put_back(&search, &found);
    if (status == HONE_OK) say_cause(&search, &cause);
    return status;
}

enum hone_status hone_relaunch_without_order(const struct hone_relaunch_size *size,
                                             struct hone_fault *fault,
                                             struct hone_error *err)
{
    enum { MOST = HONE_ORDER_COUNT + 1 };
    const struct hone_fault of_order = *fault;
    struct cause_search search = {
        .at = size, .left = UINT64_MAX, .fault = fault, .err = err};
    struct cause cause = {.earlier = true};
    size_t right = 0;
    enum hone_status status = count_launches(&search, MOST, &right);
    if (status != HONE_OK) return status;
    if (!is_wrong(&search) || right == 0) {
        put_back(&search, &of_order);
        return HONE_OK;
    }
    say_count(&cause, right, true);
    say_cause(&search, &cause);
    return HONE_OK;
}
