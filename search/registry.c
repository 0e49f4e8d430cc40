// The table of strategies: what --strategy takes and `hone strategies` lists, in this
// order.
#include <string.h>

#include "strategies.h"

const struct hone_strategy_fns *const hone_strategies[] = {
    &hone_strategy_portfolio, &hone_strategy_regression, &hone_strategy_trees,
    &hone_strategy_bayes,     &hone_strategy_bandit,     &hone_strategy_greedy_ils,
    &hone_strategy_sa,        &hone_strategy_ga,         &hone_strategy_de,
    &hone_strategy_random,    &hone_strategy_grid,       NULL,
};

const struct hone_strategy_fns *hone_strategy_find(const char *name)
{
    for (size_t i = 0; hone_strategies[i]; i++)
        if (strcmp(hone_strategies[i]->name, name) == 0) return hone_strategies[i];
    return NULL;
}
