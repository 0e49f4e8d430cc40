// Uniform sampling without replacement. That is what the engine does for a strategy
// without an idea, so this one never has any.
#include "strategies.h"

static size_t random_ask(struct hone_search *search, void *priv, uint64_t *out,
                         size_t cap)
{
    (void)search, (void)priv, (void)out, (void)cap;
    return 0;
}

const struct hone_strategy_fns hone_strategy_random = {
    .name = "random",
    .description = "uniformly random, without replacement",
    .ignores_results = true,
    .ask = random_ask,
};
