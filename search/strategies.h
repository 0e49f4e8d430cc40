/* The built-in strategies, one file each. */
#ifndef HONE_SEARCH_STRATEGIES_H
#define HONE_SEARCH_STRATEGIES_H

#include "hone/search.h"

extern const struct hone_strategy_fns hone_strategy_portfolio;
extern const struct hone_strategy_fns hone_strategy_regression;
extern const struct hone_strategy_fns hone_strategy_trees;
extern const struct hone_strategy_fns hone_strategy_bayes;
extern const struct hone_strategy_fns hone_strategy_bandit;
extern const struct hone_strategy_fns hone_strategy_grid;
extern const struct hone_strategy_fns hone_strategy_random;
extern const struct hone_strategy_fns hone_strategy_greedy_ils;
extern const struct hone_strategy_fns hone_strategy_sa;
extern const struct hone_strategy_fns hone_strategy_ga;
extern const struct hone_strategy_fns hone_strategy_de;

#endif
