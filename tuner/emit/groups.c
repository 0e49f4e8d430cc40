// From rows to configurations: what each row's candidates take on the other rows of its
// group, the pick of a few, and the rule for problems that are no row.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "emit_plan.h"

// Candidates: of each row the best, as many as make up a matrix that is quickly picked
// from; of many rows their winners alone.
enum { BEST_OF_ROW = 16, CANDIDATES = 128, CELLS_MOST = 4000000 };

// A candidate, and how many rows it won.
struct candidate {
    struct emit_config config;
    size_t won;
};

struct matrix_maker {
    struct emit_plan *plan;
    struct emit_row *rows; // of the group
    size_t count;
    struct candidate *candidates;
    size_t candidate_count;
    double *regret;
    bool *seen;
    struct emit_matrix matrix;
    bool *chosen;
    struct hone_arena scratch;
};

bool hone_emit_is_size(const struct emit_plan *plan, size_t i)
{
    return !plan->problem[i].fixed && plan->problem[i].type == HONE_INT;
}

bool hone_emit_is_choice(const struct emit_plan *plan, size_t i)
{
    return !plan->problem[i].fixed && plan->problem[i].type > HONE_FLOAT;
}

struct hone_value hone_emit_value_of(const struct emit_config *config, size_t param)
{
    return config->origin->info->params[param].values[config->choices[param]];
}

static int compare_configs(const struct emit_config *a, const struct emit_config *b)
{
    int order = 0;
    for (size_t i = 0; i < a->origin->info->param_count && !order; i++)
        order =
            hone_emit_compare_values(hone_emit_value_of(a, i), hone_emit_value_of(b, i));
    return order;
}

/* --- what a configuration takes --- */

static const struct hone_trial *find_trial(const struct hone_recording *recording,
                                           const struct emit_config *config,
                                           uint16_t *choices)
{
    const struct hone_space *space = hone_recording_space(recording);
    uint64_t index;
    for (size_t i = 0; i < hone_space_param_count(space); i++)
        if (hone_space_choice_of(space, i, hone_emit_value_of(config, i), &choices[i]) !=
            HONE_OK)
            return NULL;
    if (hone_space_index(space, choices, &index) != HONE_OK) return NULL;
    return hone_recording_find(recording, index);
}

const struct hone_trial *hone_emit_trial_of(const struct emit_plan *plan,
                                            const struct emit_row *row,
                                            const struct emit_config *config)
{
    const struct hone_trial *best = NULL;
    for (size_t i = 0; i < row->journals; i++) {
        const struct hone_trial *trial =
            find_trial(row->members[i].recording, config, plan->choices);
        if (!trial || trial->outcome == HONE_UNSUPPORTED) continue;
        if (trial->outcome != HONE_VALID) return trial;
        const double cost = hone_emit_cost(plan, trial);
        if (isfinite(cost) && (!best || cost < hone_emit_cost(plan, best))) best = trial;
    }
    return best;
}

double hone_emit_cost_of(const struct emit_plan *plan, const struct emit_row *row,
                         const struct emit_config *config)
{
    const struct hone_trial *trial = hone_emit_trial_of(plan, row, config);
    if (!trial) return (double)NAN;
    return trial->outcome == HONE_VALID ? hone_emit_cost(plan, trial) : (double)INFINITY;
}

// Against the row's best, which finals may have named against a luckier time of another.
static double regret_of(const struct emit_plan *plan, const struct emit_row *row,
                        const struct emit_config *config)
{
    const double cost = hone_emit_cost_of(plan, row, config);
    if (!isfinite(cost)) return (double)INFINITY;
    return fmax(cost / hone_emit_cost(plan, row->best) - 1, 0);
}

static bool is_seen(const struct emit_plan *plan, const struct emit_row *row,
                    const struct emit_config *config)
{
    const char *why;
    const struct hone_trial *trial = hone_emit_trial_of(plan, row, config);
    return trial && hone_trial_is_compared(&why, trial);
}

/* --- candidates --- */

struct shortlist {
    const struct hone_trial *best[BEST_OF_ROW];
    size_t count, most;
};

static void add_to_shortlist(const struct emit_plan *plan, struct shortlist *list,
                             const struct hone_trial *trial)
{
    const double cost = hone_emit_cost(plan, trial);
    if (!isfinite(cost)) return;
    size_t at = list->count;
    for (; at; at--) {
        const struct hone_trial *other = list->best[at - 1];
        const double theirs = hone_emit_cost(plan, other);
        if (cost > theirs || (cost == theirs && hone_trial_break_tie(trial, other) > 0))
            break;
    }
    if (at == list->most) return;
    if (list->count < list->most) list->count++;
    memmove(&list->best[at + 1], &list->best[at],
            (list->count - 1 - at) * sizeof *list->best);
    list->best[at] = trial;
}

static bool add_candidate(struct matrix_maker *k, const struct emit_row *member,
                          const struct hone_trial *trial, size_t won)
{
    uint16_t *choices =
        hone_arena_array(&k->plan->arena, k->plan->info->param_count, sizeof *choices);
    if (!choices) return false;
    hone_space_choices(hone_recording_space(member->recording), trial->index, choices);
    k->candidates[k->candidate_count++] =
        (struct candidate){.config = {member, choices}, .won = won};
    return true;
}

static bool add_best_of(struct matrix_maker *k, const struct emit_row *row, size_t most)
{
    for (size_t i = 0; i < row->journals; i++) {
        const struct emit_row *member = &row->members[i];
        struct shortlist list = {.most = most};
        const size_t trials = hone_recording_count(member->recording);
        for (size_t t = 0; t < trials; t++)
            add_to_shortlist(k->plan, &list, hone_recording_trial(member->recording, t));
        for (size_t t = 0; t < list.count; t++)
            if (!add_candidate(k, member, list.best[t], 0)) return false;
    }
    return true;
}

static int by_values(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    return compare_configs(&x->config, &y->config);
}

static int by_victories(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    if (x->won != y->won) return x->won > y->won ? -1 : 1;
    return compare_configs(&x->config, &y->config);
}

// Equal ones become one; those who won most come first, and only as many stay as leave a
// matrix of a size that can be worked with.
static void settle_candidates(struct matrix_maker *k)
{
    size_t kept = 0;
    qsort(k->candidates, k->candidate_count, sizeof *k->candidates, by_values);
    for (size_t i = 0; i < k->candidate_count; i++)
        if (kept && by_values(&k->candidates[kept - 1], &k->candidates[i]) == 0)
            k->candidates[kept - 1].won += k->candidates[i].won;
        else
            k->candidates[kept++] = k->candidates[i];
    qsort(k->candidates, kept, sizeof *k->candidates, by_victories);
    size_t most = CELLS_MOST / k->count;
    if (most < CANDIDATES) most = CANDIDATES;
    k->candidate_count = kept < most ? kept : most;
}

static enum hone_status gather(struct matrix_maker *k)
{
    const size_t share = CANDIDATES / k->count;
    const size_t each = share > BEST_OF_ROW ? BEST_OF_ROW : share;
    size_t room = 0;
    for (size_t r = 0; r < k->count; r++)
        room += 1 + k->rows[r].journals * each;
    k->candidates = hone_arena_array(&k->scratch, room, sizeof *k->candidates);
    bool whole = k->candidates != NULL;
    for (size_t r = 0; whole && r < k->count; r++) {
        const struct emit_row *row = &k->rows[r];
        whole = add_candidate(k, row, row->best, 1);
        if (whole && k->count > 1) whole = add_best_of(k, row, each);
    }
    if (!whole) return hone_emit_no_memory(k->plan);
    settle_candidates(k);
    return HONE_OK;
}

// A candidate that won nothing and is known on one row alone serves nobody.
static bool serves(const struct matrix_maker *k, const double *regret, size_t won)
{
    size_t known = 0;
    for (size_t r = 0; r < k->count; r++)
        known += isfinite(regret[r]);
    return won || known > 1;
}

static enum hone_status make_matrix(struct matrix_maker *k)
{
    double *weights = hone_arena_array(&k->scratch, k->count, sizeof *weights);
    size_t kept = 0;
    k->regret =
        hone_arena_array(&k->scratch, k->candidate_count * k->count, sizeof *k->regret);
    k->seen =
        hone_arena_array(&k->scratch, k->candidate_count * k->count, sizeof *k->seen);
    if (!weights || !k->regret || !k->seen) return hone_emit_no_memory(k->plan);
    for (size_t r = 0; r < k->count; r++)
        weights[r] = k->rows[r].weight;
    for (size_t i = 0; i < k->candidate_count; i++) {
        double *regret = k->regret + kept * k->count;
        bool *seen = k->seen + kept * k->count;
        for (size_t r = 0; r < k->count; r++) {
            regret[r] = regret_of(k->plan, &k->rows[r], &k->candidates[i].config);
            seen[r] = is_seen(k->plan, &k->rows[r], &k->candidates[i].config);
        }
        if (!serves(k, regret, k->candidates[i].won)) continue;
        k->candidates[kept++] = k->candidates[i];
    }
    k->candidate_count = kept;
    k->matrix = (struct emit_matrix){.configs = kept,
                                     .problems = k->count,
                                     .regret = k->regret,
                                     .seen = k->seen,
                                     .weight = weights,
                                     .enough = k->plan->max_regret};
    return HONE_OK;
}

/* --- the group's configurations --- */

size_t hone_emit_config_number(struct emit_plan *plan, const struct emit_config *config)
{
    size_t i = 0;
    const struct hone_record_info *info = config->origin->info;
    for (; i < plan->config_count; i++) {
        const struct emit_config *other = &plan->configs[i];
        // What a launch reads of its device stands in the configuration.
        const bool same_device =
            !plan->device_field_count ||
            hone_emit_compare_devices(info, other->origin->info) == 0;
        if (same_device && compare_configs(config, other) == 0) return i;
    }
    if (i == plan->config_cap) {
        const size_t cap = plan->config_cap ? 2 * plan->config_cap : 16;
        struct emit_config *more = hone_arena_array(&plan->arena, cap, sizeof *more);
        if (!more) return SIZE_MAX;
        if (i) memcpy(more, plan->configs, i * sizeof *more);
        plan->configs = more;
        plan->config_cap = cap;
    }
    plan->configs[plan->config_count++] = *config;
    return i;
}

static enum hone_status serve_row(struct matrix_maker *k, struct emit_group *group,
                                  struct emit_row *row, size_t r)
{
    const size_t best = hone_emit_best_of(&k->matrix, k->chosen, r);
    const struct emit_config own = {row, row->choices};
    const bool lone = best == k->matrix.configs; // the pick leaves it out
    const struct emit_config *config = lone ? &own : &k->candidates[best].config;
    group->over_limit = group->over_limit || lone;
    row->config = hone_emit_config_number(k->plan, config);
    row->regret = lone ? 0 : emit_regret(&k->matrix, best, r);
    const bool kept = compare_configs(config, &own) == 0;
    row->served = kept ? row->best : hone_emit_trial_of(k->plan, row, config);
    row->time = hone_emit_time(k->plan, row->served);
    return row->config == SIZE_MAX ? hone_emit_no_memory(k->plan) : HONE_OK;
}

// Averages a configuration over the group: what is not known counts as twice the time.
static double mean_regret(const struct matrix_maker *k, size_t candidate)
{
    double sum = 0;
    for (size_t r = 0; r < k->count; r++)
        sum += k->matrix.weight[r] * fmin(emit_regret(&k->matrix, candidate, r), 1);
    return sum;
}

static bool group_holds(const struct emit_group *group, size_t config)
{
    for (size_t i = 0; i < group->config_count; i++)
        if (group->configs[i] == config) return true;
    return false;
}

// In order of preference: the chosen by their mean, then those that serve one row alone.
static enum hone_status list_configs(struct matrix_maker *k, struct emit_group *group)
{
    group->configs =
        hone_arena_array(&k->plan->arena, k->matrix.configs + k->count, sizeof(size_t));
    bool *left = hone_arena_dup(&k->scratch, k->chosen, k->matrix.configs * sizeof *left);
    if (!group->configs || !left) return hone_emit_no_memory(k->plan);
    for (;;) {
        size_t best = k->matrix.configs;
        for (size_t i = 0; i < k->matrix.configs; i++)
            if (left[i] &&
                (best == k->matrix.configs || mean_regret(k, i) < mean_regret(k, best)))
                best = i;
        if (best == k->matrix.configs) break;
        left[best] = false;
        const size_t number =
            hone_emit_config_number(k->plan, &k->candidates[best].config);
        if (number == SIZE_MAX) return hone_emit_no_memory(k->plan);
        if (!group_holds(group, number)) group->configs[group->config_count++] = number;
    }
    for (size_t r = 0; r < k->count; r++)
        if (!group_holds(group, k->rows[r].config))
            group->configs[group->config_count++] = k->rows[r].config;
    return HONE_OK;
}

static enum hone_status make_points(struct matrix_maker *k, struct emit_group *group)
{
    const struct emit_plan *plan = k->plan;
    size_t sizes = 0, at = 0;
    for (size_t i = 0; i < plan->info->problem_count; i++)
        sizes += hone_emit_is_size(plan, i);
    int *lg = hone_arena_array(&k->plan->arena, sizes * k->count, sizeof *lg);
    if (!lg) return hone_emit_no_memory(plan);
    for (size_t r = 0; r < k->count; r++)
        for (size_t i = 0; i < plan->info->problem_count; i++)
            if (hone_emit_is_size(plan, i))
                lg[at++] = hone_emit_lg(k->rows[r].info->problem[i].value.i);
    group->points = (struct emit_points){.count = k->count, .sizes = sizes, .lg = lg};
    return HONE_OK;
}

// Leaves of the tree, and the model, have numbers of candidates; the header's numbers
// replace them.
static enum hone_status renumber(struct matrix_maker *k, struct emit_group *group)
{
    for (size_t i = 0; i < group->rule.model_count; i++) {
        int *config = &group->rule.model[i * group->rule.model_width];
        const size_t number =
            hone_emit_config_number(k->plan, &k->candidates[*config].config);
        if (number == SIZE_MAX) return hone_emit_no_memory(k->plan);
        *config = (int)number;
    }
    for (size_t i = 0; i < group->rule.node_count; i++) {
        int *ends[] = {&group->rule.nodes[i].low, &group->rule.nodes[i].high};
        for (size_t e = 0; e < 2; e++) {
            if (*ends[e] >= 0) continue;
            const size_t number =
                hone_emit_config_number(k->plan, &k->candidates[~*ends[e]].config);
            if (number == SIZE_MAX) return hone_emit_no_memory(k->plan);
            *ends[e] = ~(int)number;
        }
    }
    return HONE_OK;
}

static enum hone_status estimate_tuned(struct matrix_maker *k, struct emit_group *group)
{
    double *regrets = hone_arena_array(&k->scratch, k->count, sizeof *regrets);
    if (!regrets) return hone_emit_no_memory(k->plan);
    for (size_t r = 0; r < k->count; r++)
        regrets[r] = k->rows[r].regret;
    group->tuned = hone_emit_estimate_of(regrets, k->matrix.weight, k->count);
    return HONE_OK;
}

static enum hone_status fill_group(struct matrix_maker *k, struct emit_group *group,
                                   size_t most)
{
    struct emit_plan *plan = k->plan;
    enum hone_status status = gather(k);
    if (status == HONE_OK) status = make_matrix(k);
    if (status == HONE_OK) status = make_points(k, group);
    if (status != HONE_OK) return status;
    k->chosen = hone_arena_array(&k->scratch, k->matrix.configs, sizeof *k->chosen);
    if (!k->chosen) return hone_emit_no_memory(plan);
    if (hone_emit_pick(k->chosen, &k->matrix, NULL, most, &k->scratch) != HONE_OK)
        return hone_emit_no_memory(plan);
    for (size_t r = 0; r < k->count && status == HONE_OK; r++)
        status = serve_row(k, group, &k->rows[r], r);
    if (status == HONE_OK) status = list_configs(k, group);
    if (status == HONE_OK &&
        hone_emit_rule_choose(&group->rule, &group->unseen, &k->matrix, &group->points,
                              k->chosen, most, &plan->arena) != HONE_OK)
        status = hone_emit_no_memory(plan);
    if (status == HONE_OK) status = renumber(k, group);
    return status != HONE_OK ? status : estimate_tuned(k, group);
}

/* --- which rows make a group --- */

static bool same_group(const struct emit_plan *plan, const struct emit_row *a,
                       const struct emit_row *b)
{
    if (hone_emit_compare_devices(a->info, b->info) != 0) return false;
    for (size_t i = 0; i < plan->info->problem_count; i++)
        if (hone_emit_is_choice(plan, i) &&
            hone_emit_compare_values(a->info->problem[i].value,
                                     b->info->problem[i].value))
            return false;
    return true;
}

static void add_group(struct emit_plan *plan, size_t row)
{
    const struct hone_record_info *info = plan->rows[row].info;
    const size_t last = plan->device_count - 1;
    if (!plan->device_count ||
        hone_emit_compare_devices(plan->devices[last].info, info) != 0)
        plan->devices[plan->device_count++] =
            (struct emit_device){.info = info, .first = plan->group_count};
    plan->devices[plan->device_count - 1].count++;
    plan->groups[plan->group_count++] =
        (struct emit_group){.device = plan->device_count - 1, .first = row};
}

// Two journals of one place that contradict each other about what one of them found best.
static enum hone_status check_conflict(struct emit_plan *plan, const struct emit_row *row)
{
    const struct emit_config best = {row, row->choices};
    for (size_t i = 0; i < row->journals; i++) {
        const struct hone_recording *other = row->members[i].recording;
        const struct hone_trial *trial = find_trial(other, &best, plan->choices);
        if (!trial ||
            (trial->outcome != HONE_WRONG_RESULT && trial->outcome != HONE_CRASHED))
            continue;
        return hone_fail_at(plan->err, HONE_EINPUT, hone_recording_path(other),
                            (int)trial->line,
                            "%s, but '%s' has this configuration as its best in line %u: "
                            "leave one of the journals out",
                            hone_outcome_name(trial->outcome),
                            hone_recording_path(row->recording), row->best->line);
    }
    return HONE_OK;
}

enum hone_status hone_emit_make_groups(struct emit_plan *plan, size_t most)
{
    enum hone_status status = HONE_OK;
    const size_t count = plan->row_count;
    plan->devices = hone_arena_array(&plan->arena, count, sizeof *plan->devices);
    plan->groups = hone_arena_array(&plan->arena, count, sizeof *plan->groups);
    plan->choices =
        hone_arena_array(&plan->arena, plan->info->param_count, sizeof *plan->choices);
    if (!plan->devices || !plan->groups || !plan->choices)
        return hone_emit_no_memory(plan);
    for (size_t i = 0; i < count; i++) {
        if (!i || !same_group(plan, &plan->rows[i - 1], &plan->rows[i]))
            add_group(plan, i);
        plan->groups[plan->group_count - 1].count++;
        if (status == HONE_OK) status = check_conflict(plan, &plan->rows[i]);
    }
    for (size_t g = 0; g < plan->group_count && status == HONE_OK; g++) {
        struct emit_group *group = &plan->groups[g];
        struct matrix_maker k = {
            .plan = plan, .rows = plan->rows + group->first, .count = group->count};
        status = fill_group(&k, group, most);
        hone_arena_fini(&k.scratch);
    }
    return status != HONE_OK ? status : hone_emit_make_default(plan);
}
