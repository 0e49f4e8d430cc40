// Every configuration, in the order of the space, or every n-th: the shards 1/n to n/n
// are the whole space and have nothing in common.
#include "strategies.h"

enum { SHARD, SHARDS };

static const struct hone_setting settings[] = {
    {"shard", "which part, from 1", 1, 1e9, 1, true},
    {"shards", "how many parts the space is cut into", 1, 1e9, 1, true},
    {0},
};

struct grid {
    uint64_t next, step;
};

static enum hone_status grid_init(struct hone_search *search, void *priv,
                                  struct hone_error *err)
{
    struct grid *grid = priv;
    const uint64_t shard = (uint64_t)hone_search_setting(search, settings, SHARD);
    grid->next = shard - 1;
    grid->step = (uint64_t)hone_search_setting(search, settings, SHARDS);
    if (shard <= grid->step) return HONE_OK;
    return hone_fail(err, HONE_EUSAGE, "strategy grid has no shard %llu of %llu",
                     (unsigned long long)shard, (unsigned long long)grid->step);
}

static size_t grid_ask(struct hone_search *search, void *priv, uint64_t *out, size_t cap)
{
    struct grid *grid = priv;
    const uint64_t count = hone_space_count(hone_search_space(search));
    size_t n = 0;
    for (; n < cap && grid->next < count; grid->next += grid->step)
        if (!hone_search_seen(search, grid->next)) out[n++] = grid->next;
    return n ? n : HONE_ASK_DONE;
}

const struct hone_strategy_fns hone_strategy_grid = {
    .name = "grid",
    .description = "every configuration, in order; grid:2/5 is the second of five shards",
    .ignores_results = true,
    .settings = settings,
    .priv_size = sizeof(struct grid),
    .init = grid_init,
    .ask = grid_ask,
};
