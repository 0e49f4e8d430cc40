// Union-find over the scopes of the checks (Tarjan 1975, with path halving), then each
// parameter and each check is handed to its component.
#include "components.h"

#include <stdlib.h>

#include "space_internal.h"

static size_t components_find(size_t *parents, size_t i)
{
    while (parents[i] != i) {
        parents[i] = parents[parents[i]];
        i = parents[i];
    }
    return i;
}

// The smaller root wins, so that a root is the first parameter of its component.
static void components_join(size_t *parents, size_t a, size_t b)
{
    size_t x = components_find(parents, a), y = components_find(parents, b);
    if (x < y)
        parents[y] = x;
    else
        parents[x] = y;
}

static void join_scopes(size_t *parents, const struct hone_space *space,
                        const struct hone_check *checks, size_t check_count)
{
    for (size_t p = 0; p < space->param_count; p++)
        parents[p] = p;
    for (size_t i = 0; i < check_count; i++)
        for (size_t k = 1; k < checks[i].scope_count; k++)
            components_join(parents, checks[i].scope[0], checks[i].scope[k]);
}

// Fills parents[] with the number of each parameter's component.
static size_t components_number(size_t *parents, size_t param_count)
{
    size_t count = 0;
    for (size_t p = 0; p < param_count; p++)
        parents[p] = components_find(parents, p);
    for (size_t p = 0; p < param_count; p++)
        parents[p] = parents[p] == p ? count++ : parents[parents[p]];
    return count;
}

// Room for the parts of each, one after the other.
static void components_lay_out(struct hone_components *c, const struct hone_space *space,
                               const struct hone_check *checks, size_t check_count,
                               const size_t *owners)
{
    for (size_t p = 0; p < space->param_count; p++)
        c->items[owners[p]].param_count++;
    for (size_t i = 0; i < check_count; i++)
        if (checks[i].scope_count) c->items[owners[checks[i].scope[0]]].check_count++;
    size_t *params = c->params;
    const struct hone_check **list = c->checks;
    for (size_t k = 0; k < c->count; k++) {
        struct hone_component *item = &c->items[k];
        item->params = params;
        item->checks = list;
        params += item->param_count;
        list += item->check_count;
        *item = (struct hone_component){
            .params = item->params, .checks = item->checks, .cartesian = 1};
    }
}

static void hand_out(struct hone_components *c, const struct hone_space *space,
                     const struct hone_check *checks, size_t check_count,
                     const size_t *owners)
{
    for (size_t p = 0; p < space->param_count; p++) {
        struct hone_component *item = &c->items[owners[p]];
        item->params[item->param_count++] = p;
        item->cartesian *= (double)space->params[p].count;
    }
    for (size_t i = 0; i < check_count; i++) {
        if (!checks[i].scope_count) continue;
        struct hone_component *item = &c->items[owners[checks[i].scope[0]]];
        item->checks[item->check_count++] = &checks[i];
    }
}

bool hone_components_init(struct hone_components *components,
                          const struct hone_space *space, const struct hone_check *checks,
                          size_t check_count)
{
    size_t *parents = calloc(space->param_count, sizeof *parents);
    *components = (struct hone_components){
        .items = calloc(space->param_count, sizeof *components->items),
        .params = calloc(space->param_count, sizeof *components->params),
        .checks = calloc(check_count + 1, sizeof *components->checks)};
    bool ok = parents && components->items && components->params && components->checks;
    if (ok) {
        join_scopes(parents, space, checks, check_count);
        components->count = components_number(parents, space->param_count);
        components_lay_out(components, space, checks, check_count, parents);
        hand_out(components, space, checks, check_count, parents);
    } else {
        hone_components_fini(components);
    }
    free(parents);
    return ok;
}

void hone_components_fini(struct hone_components *components)
{
    free(components->items);
    free(components->params);
    free(components->checks);
    *components = (struct hone_components){0};
}
