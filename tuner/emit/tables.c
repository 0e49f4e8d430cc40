#include "tables.h"

#include <assert.h>
#include <string.h>

static enum hone_status reserve(struct emit_plan *plan, struct emit_tables *t)
{
    size_t preferences = 0;
    for (size_t g = 0; g < plan->group_count; g++) {
        const struct emit_rule *rule = &plan->groups[g].rule;
        t->node_count += rule->node_count;
        if (rule->model) t->model_count += 1 + rule->model_count * rule->model_width;
        preferences += plan->groups[g].config_count;
    }
    struct hone_arena *arena = &plan->arena;
    t->devices = hone_arena_array(arena, plan->device_count + 1, sizeof *t->devices);
    t->groups = hone_arena_array(arena, plan->group_count + 1, sizeof *t->groups);
    t->rows = hone_arena_array(arena, plan->row_count + 1, sizeof *t->rows);
    t->nodes = hone_arena_array(arena, t->node_count + 1, sizeof *t->nodes);
    t->models = hone_arena_array(arena, t->model_count + 1, sizeof *t->models);
    t->preferences = hone_arena_array(arena, preferences + 1, sizeof *t->preferences);
    return t->devices && t->groups && t->rows && t->nodes && t->models && t->preferences
               ? HONE_OK
               : hone_emit_no_memory(plan);
}

static void fill_devices(struct emit_tables *t)
{
    static const struct hone_limits unknown = {0};
    const struct emit_plan *plan = t->plan;
    for (size_t d = 0; d < plan->device_count; d++) {
        const struct emit_device *device = &plan->devices[d];
        const struct hone_limits *limits = device->info->limits;
        t->devices[d] = (struct emit_table_device){.gpu = limits ? *limits : unknown,
                                                   .first = (int)device->first,
                                                   .count = (int)device->count};
        if (!d) t->least = t->devices[0].gpu;
#define LEAST(field)                                                                     \
    if (t->devices[d].gpu.field < t->least.field)                                        \
        t->least.field = t->devices[d].gpu.field;
        HONE_LIMITS_LIST(LEAST)
#undef LEAST
    }
}

// By the numbers of a problem, in the order in which the header's functions compare them.
static bool is_ahead(const struct emit_plan *plan, const struct emit_row *a,
                     const struct emit_row *b)
{
    for (size_t i = 0; i < plan->info->problem_count; i++) {
        if (plan->problem[i].fixed || hone_emit_is_choice(plan, i)) continue;
        const int order =
            hone_emit_compare_values(a->problem[i].value, b->problem[i].value);
        if (order) return order < 0;
    }
    return false;
}

static void fill_rows(struct emit_tables *t, const struct emit_group *group)
{
    for (size_t i = 0; i < group->count; i++) {
        const struct emit_row *row = &t->plan->rows[group->first + i];
        const bool rises = !i || is_ahead(t->plan, row - 1, row);
        assert(rises); // or no binary search would find the row
        (void)rises;
        t->rows[group->first + i] =
            (struct emit_table_row){.config = (int)row->config,
                                    .problem = row->problem,
                                    .lg = group->points.lg + i * group->points.sizes};
    }
}

// Nodes name each other by their places, and configurations below 0.
static void add_tree(struct emit_tables *t, const struct emit_rule *rule, int first)
{
    for (size_t i = 0; i < rule->node_count; i++) {
        struct emit_node node = rule->nodes[i];
        if (node.low >= 0) node.low += first;
        if (node.high >= 0) node.high += first;
        t->nodes[(size_t)first + i] = node;
    }
}

static void add_model(struct emit_tables *t, const struct emit_rule *rule, int first)
{
    t->models[first] = (int)rule->model_count;
    memcpy(t->models + first + 1, rule->model,
           rule->model_count * rule->model_width * sizeof *rule->model);
}

static void fill_groups(struct emit_tables *t)
{
    int node = 0, model = 0, configs = 0;
    for (size_t g = 0; g < t->plan->group_count; g++) {
        const struct emit_group *group = &t->plan->groups[g];
        const struct emit_rule *rule = &group->rule;
        t->groups[g] = (struct emit_table_group){
            .of = group,
            .first = (int)group->first,
            .count = (int)group->count,
            .tree = rule->nodes ? node : (rule->model ? -2 - model : -1),
            .configs = configs,
            .config_count = (int)group->config_count};
        fill_rows(t, group);
        add_tree(t, rule, node);
        if (rule->model) add_model(t, rule, model);
        for (size_t i = 0; i < group->config_count; i++)
            t->preferences[configs++] = (int)group->configs[i];
        node += (int)rule->node_count;
        if (rule->model) model += (int)(1 + rule->model_count * rule->model_width);
    }
}

enum hone_status hone_emit_make_tables(struct emit_plan *plan)
{
    struct emit_tables *t = hone_arena_array(&plan->arena, 1, sizeof *t);
    if (!t) return hone_emit_no_memory(plan);
    *t = (struct emit_tables){.plan = plan};
    const enum hone_status status = reserve(plan, t);
    if (status != HONE_OK) return status;
    fill_devices(t);
    fill_groups(t);
    plan->tables = t;
    return HONE_OK;
}
