// A strategy of one's own, in C: it draws at random, half of the time near the best.
#include <hone/hone.h>
#include <stdio.h>

static size_t ask(struct hone_search *search, void *priv, uint64_t *out, size_t cap)
{
    (void)priv;
    (void)cap;
    struct hone_rng *rng = hone_search_rng(search);
    const uint64_t count = hone_space_count(hone_search_space(search));
    const struct hone_trial *best = hone_search_best(search);
    const uint64_t near = best ? best->index + hone_rng_below(rng, 9) : count;
    *out = hone_rng_double(rng) < 0.5 && near < count ? near : hone_rng_below(rng, count);
    return 1;
}

static const struct hone_strategy_fns strategy = {.name = "near", .ask = ask};

// The least time is at 77.
static struct hone_trial measure(uint64_t index)
{
    struct hone_trial trial = hone_trial_make(index, HONE_VALID);
    const double from = (double)index - 77;
    trial.time_us = 10 + from * from;
    return trial;
}

static enum hone_status run(struct hone_search *search, struct hone_error *err)
{
    enum hone_status status = HONE_OK;
    for (size_t count = 1; status == HONE_OK && count;) {
        uint64_t index;
        status = hone_search_ask(search, &index, 1, &count, err);
        if (status != HONE_OK || !count) break;
        const struct hone_trial trial = measure(index);
        status = hone_search_tell(search, &trial, 1, err);
    }
    return status;
}

int main(void)
{
    struct hone_value values[10];
    for (int i = 0; i < 10; i++)
        values[i] = (struct hone_value){.type = HONE_INT, .i = i};
    const struct hone_param params[] = {{.name = "a", .values = values, .count = 10},
                                        {.name = "b", .values = values, .count = 10}};
    const struct hone_space_def def = {.params = params, .param_count = 2};
    const struct hone_search_options options = {.seed = 1, .budget = 60};
    struct hone_space *space = NULL;
    struct hone_search *search = NULL;
    struct hone_error err = {0};
    enum hone_status status = hone_space_new(&space, &def, &err);
    if (status == HONE_OK)
        status = hone_search_new(&search, &strategy, space, &options, &err);
    if (status == HONE_OK) status = run(search, &err);
    if (status == HONE_OK)
        printf("%zu told, best %d\n", hone_search_told(search),
               (int)hone_search_best(search)->index);
    else
        fprintf(stderr, "%s\n", err.text);
    const bool right = status == HONE_OK && hone_search_told(search) == 60;
    hone_search_free(search);
    hone_space_free(space);
    return !right;
}
