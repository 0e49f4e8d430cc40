/* Search strategies and the engine that drives one. A strategy proposes indices of a
 * space and is told trials; it never sees a device, a string or JSON. The engine owns
 * what all strategies need: no index is proposed twice, the start design, the history,
 * and random filling when a strategy has no idea, so that a budget is always spent. */
#ifndef HONE_SEARCH_H
#define HONE_SEARCH_H

#include <stddef.h>
#include <stdint.h>

#include "hone/space.h"
#include "hone/trial.h"

struct hone_search; /* the engine */
struct hone_expectation;

#define HONE_ASK_WAIT    SIZE_MAX
#define HONE_ASK_DONE    (SIZE_MAX - 1)
#define HONE_DESIGN_AUTO SIZE_MAX /* 5, or a small budget */

/* A number that the user may set: --strategy sa:hot=0.3. */
struct hone_setting {
    const char *name;
    const char *help; /* one line: what it does, its unit */
    double least, most, fallback;
    bool whole; /* no fractions */
};

enum { HONE_SETTINGS_MAX = 8 };

/* A strategy. priv is zeroed memory of priv_size bytes, given to each callback. */
struct hone_strategy_fns {
    const char *name;
    const char *description; /* one line for `hone strategies` */
    size_t priv_size;
    bool ignores_results; /* proposes the same whatever is told: no start design */
    const struct hone_setting
        *settings;        /* optional; at most HONE_SETTINGS_MAX, then {0} */
    const double *values; /* one for each of settings; NULL in the registry: fallbacks */

    /* Optional. Called once before the first ask. Where it fails, fini is not called. */
    enum hone_status (*init)(struct hone_search *search, void *priv,
                             struct hone_error *err);

    /* Propose up to cap indices; returns how many. The engine drops what was proposed
     * before, so 0 means "no idea now": the engine fills with unseen random
     * configurations. HONE_ASK_WAIT means "nothing before I am told what is pending"; it
     * counts as 0 while nothing is. HONE_ASK_DONE ends the search with budget left. */
    size_t (*ask)(struct hone_search *search, void *priv, uint64_t *out, size_t cap);

    /* Optional. The first result of each index; the engine knows it by then. Called
     * before an ask (and before fini) with all that came since, in the order of indices,
     * so that nothing depends on which of several workers was faster. Among them are
     * those of the start design and of a resumed journal. */
    void (*tell)(struct hone_search *search, void *priv, const struct hone_trial *trials,
                 size_t count);

    /* Optional. Release what init or ask allocated. */
    void (*fini)(struct hone_search *search, void *priv);
};

/* Registry: a NULL-terminated array; find returns NULL for an unknown name. */
extern const struct hone_strategy_fns *const hone_strategies[];
const struct hone_strategy_fns *hone_strategy_find(const char *name);

/* A strategy of the registry with settings: "sa", "sa:hot=0.3:cold=0.001"; values without
 * a name, parted by /, are those of the first settings: "grid:2/5". The whole text is its
 * name. *out is one block: free it. EUSAGE with a suggestion for what is unknown. */
enum hone_status hone_strategy_parse(struct hone_strategy_fns **out, const char *text,
                                     struct hone_error *err);

/* When a strategy raises, hangs, dies or proposes what is no configuration. */
enum hone_on_error {
    HONE_ON_ERROR_RANDOM, /* a warning; the search goes on without it, at random */
    HONE_ON_ERROR_STOP    /* the next ask fails with what was wrong */
};

struct hone_search_options {
    uint64_t seed;
    uint64_t budget; /* evaluations that may be asked for; UINT64_MAX for no limit */
    const uint64_t *start; /* indices proposed first (the author's default), in order */
    size_t start_count;
    /* Size of the start design, which follows start: configurations far from each other,
     * the same for all strategies of one seed. At most 1000; 0 for none. */
    size_t design;
    const struct hone_expectation *expectation; /* borrowed; NULL: none (model.h) */
    enum hone_on_error on_error;
};

enum hone_status hone_search_new(struct hone_search **out,
                                 const struct hone_strategy_fns *fns,
                                 const struct hone_space *space,
                                 const struct hone_search_options *options,
                                 struct hone_error *err);
void hone_search_free(struct hone_search *search);

/* Up to cap indices to evaluate, each never returned before: the start list, the start
 * design, then what the strategy proposes. *count is 0 when the budget or the space is
 * spent, when the strategy has ended the search (hone_search_is_done), and while it waits
 * for results that were asked for and not told yet. */
enum hone_status hone_search_ask(struct hone_search *search, uint64_t *out, size_t cap,
                                 size_t *count, struct hone_error *err);

/* The strategy was asked: start list and design have not taken the whole budget. */
bool hone_search_has_asked(const struct hone_search *search);

/* The strategy has ended the search (HONE_ASK_DONE): no more is asked for. */
bool hone_search_is_done(const struct hone_search *search);

/* Results, in any order; also results known beforehand (resume), which then are never
 * asked for and count against the budget. The first result of an index counts, a second
 * one is ignored. EINPUT for an index that the space does not have. */
enum hone_status hone_search_tell(struct hone_search *search,
                                  const struct hone_trial *trials, size_t count,
                                  struct hone_error *err);

/* A told trial was measured again, or was found not to be valid: from now on its cost,
 * and what is best, are as this one says. Where that makes another one the best, its
 * figures are those that hone_search_recall has. A strategy that keeps costs of its own
 * is not told. */
void hone_search_correct(struct hone_search *search, const struct hone_trial *trial);

/* For strategies. */
/* The table it was made with: one made at run time finds its state beside it. */
const struct hone_strategy_fns *hone_search_strategy(const struct hone_search *search);
/* The value of the i-th of a strategy's settings: what the user gave where this strategy
 * runs the search, the fallback where it is a part of another. */
double hone_search_setting(const struct hone_search *search,
                           const struct hone_setting *settings, size_t i);
const struct hone_space *hone_search_space(const struct hone_search *search);
struct hone_rng *hone_search_rng(struct hone_search *search);
/* For models; NULL: nothing is known beforehand. */
const struct hone_expectation *hone_search_expectation(const struct hone_search *search);
uint64_t hone_search_budget(const struct hone_search *search); /* UINT64_MAX: none */
size_t hone_search_told(const struct hone_search *search);     /* trials told so far */
/* NULL while none is valid. */
const struct hone_trial *hone_search_best(const struct hone_search *search);
/* The indices with the least costs, best first: at most cap; returns how many. */
size_t hone_search_leaders(const struct hone_search *search, uint64_t *out, size_t cap);
/* What is known of a told index, as a trial: its cost, or that it failed (as
 * launch_failed: the engine does not keep how). */
struct hone_trial hone_search_recall(const struct hone_search *search, uint64_t index);
/* The strategy was found at fault: err says with what, outcome what follows ("the search
 * goes on at random"). Logged, or kept for the next ask: on_error says which. */
void hone_search_complain(struct hone_search *search, const struct hone_error *err,
                          const char *outcome);
/* What a strategy may do and gains nothing by, as proposing what was measured before:
 * logged, whatever on_error says. */
void hone_search_remark(const struct hone_search *search, const struct hone_error *err,
                        const char *outcome);
/* Asked or told. */
bool hone_search_seen(const struct hone_search *search, uint64_t index);
/* Asked, not yet told. */
bool hone_search_pending(const struct hone_search *search, uint64_t index);
/* What is pending, in the order of indices: at most cap; returns how many. */
size_t hone_search_flying(const struct hone_search *search, uint64_t *out, size_t cap);
/* An unseen configuration, uniformly; 0 when there is none, else 1. */
size_t hone_search_random(struct hone_search *search, uint64_t *out);
/* Cost of a told index; false when it was not told yet or is not valid. */
bool hone_search_cost(const struct hone_search *search, uint64_t index, double *cost);

#endif
