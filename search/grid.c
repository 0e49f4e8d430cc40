// Every configuration, in the order of the space.
#include "strategies.h"

struct grid {
    uint64_t next;
};

static size_t ask(struct hone_search *search, void *priv, uint64_t *out, size_t cap)
{
    struct grid *grid = priv;
    const uint64_t count = hone_space_count(hone_search_space(search));
    size_t n = 0;
    for (; n < cap && grid->next < count; grid->next++)
        if (!hone_search_seen(search, grid->next)) out[n++] = grid->next;
    return n;
}

const struct hone_strategy_fns hone_strategy_grid = {
    .name = "grid",
    .description = "every configuration, in order",
    .ignores_results = true,
    .priv_size = sizeof(struct grid),
    .ask = ask,
};
