// Strategies that ask a model what to try. What is in flight is believed to come out as
// predicted, so that several workers look at several places.
#include <math.h>

#include "hone/model.h"
#include "hone/rng.h"
#include "strategies.h"

enum { FLYING_MOST = 64 }; // in flight, that are believed

enum { RANDOM };
static const struct hone_setting settings[] = {
    {"random", "share of random proposals: no model is right everywhere", 0, 1, 0.03,
     false},
    {0},
};

struct surrogate {
    struct hone_model *model;
};

static enum hone_status surrogate_start(struct hone_search *search, void *priv,
                                        const char *kind, struct hone_error *err)
{
    struct surrogate *s = priv;
    enum hone_status status = hone_model_new(&s->model, kind, hone_search_space(search),
                                             hone_rng_next(hone_search_rng(search)), err);
    if (status == HONE_OK) hone_model_expect(s->model, hone_search_expectation(search));
    return status;
}

static enum hone_status init_regression(struct hone_search *search, void *priv,
                                        struct hone_error *err)
{
    return surrogate_start(search, priv, "regression", err);
}

static enum hone_status init_trees(struct hone_search *search, void *priv,
                                   struct hone_error *err)
{
    return surrogate_start(search, priv, "trees", err);
}

static enum hone_status init_bayes(struct hone_search *search, void *priv,
                                   struct hone_error *err)
{
    return surrogate_start(search, priv, "gaussian", err);
}

static bool is_seen(void *context, uint64_t index)
{
    return hone_search_seen(context, index);
}

static size_t surrogate_ask(struct hone_search *search, void *priv, uint64_t *out,
                            size_t cap)
{
    const struct surrogate *s = priv;
    uint64_t flying[FLYING_MOST];
    size_t n = 0;
    if (!hone_search_best(search)) return 0;
    if (hone_rng_double(hone_search_rng(search)) <
        hone_search_setting(search, settings, RANDOM))
        return hone_search_random(search, out);
    const size_t count = hone_search_flying(search, flying, FLYING_MOST);
    for (size_t i = 0; i < count; i++)
        hone_model_believe(s->model, flying[i], NULL);
    while (n < cap && hone_model_suggest(s->model, is_seen, search, &out[n]))
        if (hone_model_believe(s->model, out[n++], NULL) != HONE_OK) break;
    hone_model_forget(s->model);
    return n;
}

static void surrogate_tell(struct hone_search *search, void *priv,
                           const struct hone_trial *trials, size_t count)
{
    const struct surrogate *s = priv;
    for (size_t i = 0; i < count; i++) {
        double cost = (double)NAN;
        hone_search_cost(search, trials[i].index, &cost);
        // Without memory a model knows less; the search goes on.
        hone_model_tell(s->model, trials[i].index, cost, NULL);
    }
}

static void surrogate_fini(struct hone_search *search, void *priv)
{
    (void)search;
    struct surrogate *s = priv;
    hone_model_free(s->model);
}

const struct hone_strategy_fns hone_strategy_regression = {
    .name = "regression",
    .description = "kernel regression over the whole space, lower confidence bound",
    .settings = settings,
    .priv_size = sizeof(struct surrogate),
    .init = init_regression,
    .ask = surrogate_ask,
    .tell = surrogate_tell,
    .fini = surrogate_fini,
};

const struct hone_strategy_fns hone_strategy_trees = {
    .name = "trees",
    .description = "extra trees, expected improvement",
    .settings = settings,
    .priv_size = sizeof(struct surrogate),
    .init = init_trees,
    .ask = surrogate_ask,
    .tell = surrogate_tell,
    .fini = surrogate_fini,
};

const struct hone_strategy_fns hone_strategy_bayes = {
    .name = "bayes",
    .description = "Gaussian process (Matern 3/2), expected improvement",
    .settings = settings,
    .priv_size = sizeof(struct surrogate),
    .init = init_bayes,
    .ask = surrogate_ask,
    .tell = surrogate_tell,
    .fini = surrogate_fini,
};
