// The default: strategies that learn from each other's trials. The Gaussian process
// proposes as long as that pays. When the best has not improved for a while, kernel
// regression, trees and the bandit, which uses no model, take turns with it until it
// does, since what the model believes may be what is wrong.
#include <math.h>
#include <stdlib.h>

#include "strategies.h"

enum arm { REGRESSION, BAYES, TREES, BANDIT, ARMS };

static const struct hone_strategy_fns *const arms[ARMS] = {
    [REGRESSION] = &hone_strategy_regression,
    [BAYES] = &hone_strategy_bayes,
    [TREES] = &hone_strategy_trees,
    [BANDIT] = &hone_strategy_bandit,
};

struct turns {
    size_t count;
    enum arm arms[ARMS];
};
static const struct turns usual = {1, {BAYES}};
static const struct turns stalled = {4, {BAYES, REGRESSION, TREES, BANDIT}};

enum { PATIENCE, SHARE };
static const struct hone_setting settings[] = {
    {"patience", "trials without a better one that make a stall", 1, 1e9, 40, true},
    {"share", "of all trials, that these must exceed too", 0, 1, 0.25, false},
    {0},
};

struct portfolio {
    void *privs[ARMS];
    bool started[ARMS];
    size_t turn;
    size_t improved; // trials told when the best last improved
    uint64_t best;   // its index
};

static void portfolio_fini(struct hone_search *search, void *priv)
{
    struct portfolio *portfolio = priv;
    for (size_t i = 0; i < ARMS; i++) {
        if (portfolio->started[i]) arms[i]->fini(search, portfolio->privs[i]);
        free(portfolio->privs[i]);
    }
}

static enum hone_status portfolio_init(struct hone_search *search, void *priv,
                                       struct hone_error *err)
{
    struct portfolio *portfolio = priv;
    enum hone_status status = HONE_OK;
    for (size_t i = 0; i < ARMS && status == HONE_OK; i++) {
        portfolio->privs[i] = calloc(1, arms[i]->priv_size);
        status = portfolio->privs[i] ? arms[i]->init(search, portfolio->privs[i], err)
                                     : hone_no_memory(err, "for a portfolio");
        portfolio->started[i] = status == HONE_OK;
    }
    if (status != HONE_OK) portfolio_fini(search, priv);
    return status;
}

static struct turns turns_now(const struct hone_search *search,
                              const struct portfolio *portfolio)
{
    const double told = (double)hone_search_told(search),
                 since = told - (double)portfolio->improved,
                 patience = hone_search_setting(search, settings, PATIENCE),
                 share = hone_search_setting(search, settings, SHARE);
    return since > patience && since > floor(share * told) ? stalled : usual;
}

// One at a time: the next arm should know what this one has put in flight.
static size_t portfolio_ask(struct hone_search *search, void *priv, uint64_t *out,
                            size_t cap)
{
    struct portfolio *portfolio = priv;
    (void)cap;
    const struct turns turns = turns_now(search, portfolio);
    for (size_t i = 0; i < turns.count; i++) {
        const enum arm arm = turns.arms[portfolio->turn++ % turns.count];
        const size_t n = arms[arm]->ask(search, portfolio->privs[arm], out, 1);
        if (n) return n;
    }
    return 0;
}

static void portfolio_tell(struct hone_search *search, void *priv,
                           const struct hone_trial *trials, size_t count)
{
    struct portfolio *portfolio = priv;
    for (size_t i = 0; i < ARMS; i++)
        arms[i]->tell(search, portfolio->privs[i], trials, count);
    const struct hone_trial *best = hone_search_best(search);
    if (!best || (portfolio->improved && best->index == portfolio->best)) return;
    portfolio->best = best->index;
    portfolio->improved = hone_search_told(search);
}

const struct hone_strategy_fns hone_strategy_portfolio = {
    .name = "portfolio",
    .description = "bayes; when it stalls, in turns with regression, trees and bandit",
    .settings = settings,
    .priv_size = sizeof(struct portfolio),
    .init = portfolio_init,
    .ask = portfolio_ask,
    .tell = portfolio_tell,
    .fini = portfolio_fini,
};
