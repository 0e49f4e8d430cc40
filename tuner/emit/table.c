// The tables: configurations, devices, rows, the rules over them, and rows as macros.
// Names stand once, all else refers to them by number. What stands around the rows is
// text/table_data.h.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/sink.h"
#include "emit_launch.h"
#include "emit_sections.h"
#include "emit_text.h"
#include "expr/value_text.h"
#include "tables.h"

static const struct hone_limits unknown_limits;

static const struct hone_limits *limits_of(const struct hone_record_info *info)
{
    return info->limits ? info->limits : &unknown_limits;
}

static void print_number(struct hone_strbuf *out, double value)
{
    const struct emit_field field = {.type = HONE_FLOAT};
    hone_emit_literal(out, &field, (struct hone_value){.type = HONE_FLOAT, .f = value});
}

// What the launch has for every problem: ", {256, 1, 1}, 49152u".
static void print_launch(struct hone_strbuf *out, const struct emit_plan *plan,
                         size_t number)
{
    if (!plan->block_field && !plan->shared_field) return;
    const struct emit_launch launch = hone_emit_settled_launch(plan, number);
    const uint32_t *block = launch.block;
    if (plan->block_field)
        hone_strbuf_printf(out, ", {%" PRIu32 ", %" PRIu32 ", %" PRIu32 "}", block[0],
                           block[1], block[2]);
    if (plan->shared_field)
        hone_strbuf_printf(out, ", %" PRIu32 "%s", launch.shared,
                           launch.shared > INT32_MAX ? "u" : "");
}

void hone_emit_config(struct hone_strbuf *out, const struct emit_plan *plan,
                      size_t number)
{
    const struct emit_config *config = &plan->configs[number];
    for (size_t i = 0; i < plan->info->param_count; i++) {
        hone_strbuf_add(out, i ? ", " : "{");
        hone_emit_literal(out, &plan->params[i], hone_emit_value_of(config, i));
    }
    for (size_t i = 0; i < plan->device_field_count; i++) {
        int64_t value = 0;
        hone_limits_get(limits_of(config->origin->info), plan->device_fields[i], &value);
        hone_strbuf_add(out, ", ");
        hone_emit_integer(out, value);
    }
    print_launch(out, plan, number);
    hone_strbuf_add(out, "}");
}

// Booleans are 0 and 1, texts stand as they are. What a shell would split or read is
// quoted.
static void add_define(struct hone_strbuf *out, const char *name, struct hone_value value)
{
    struct hone_strbuf word = HONE_STRBUF_INIT;
    char number[HONE_NUMBER_TEXT];
    if (value.type == HONE_BOOL)
        value = (struct hone_value){.type = HONE_INT, .i = value.b};
    hone_strbuf_printf(&word, "-D%s=%s", name, hone_value_in_full(number, value));
    if (out->len) hone_strbuf_add(out, " ");
    hone_sink_shell(out, word.data);
    out->failed = out->failed || word.failed;
    hone_strbuf_fini(&word);
}

bool hone_emit_has_define(const struct hone_record_info *info, const char *name)
{
    for (size_t d = 0; d < info->define_count; d++)
        if (strcmp(info->defines[d], name) == 0) return true;
    return false;
}

bool hone_emit_is_define(const struct emit_plan *plan, size_t i)
{
    return plan->defines &&
           hone_emit_has_define(plan->defines, plan->info->problem[i].name);
}

// -D options as the kernel was compiled with: the configuration, and what is fixed of the
// problem.
static void add_defines(struct hone_strbuf *out, const struct emit_plan *plan,
                        const struct emit_config *config)
{
    const struct hone_record_info *info = plan->info;
    for (size_t i = 0; i < info->param_count; i++)
        add_define(out, info->params[i].name, hone_emit_value_of(config, i));
    for (size_t i = 0; i < info->problem_count; i++)
        if (plan->problem[i].fixed && hone_emit_is_define(plan, i))
            add_define(out, info->problem[i].name, info->problem[i].value);
}

// As one text, by the function that prints it.
static void print_defines(struct hone_strbuf *out, const struct emit_plan *plan,
                          const struct emit_config *config,
                          void print(struct hone_strbuf *, const char *))
{
    struct hone_strbuf text = HONE_STRBUF_INIT;
    add_defines(&text, plan, config);
    print(out, text.data);
    out->failed = out->failed || text.failed;
    hone_strbuf_fini(&text);
}

static void add_configs(struct emit_slots *slots, const struct emit_plan *plan)
{
    struct hone_strbuf *rows = hone_emit_slot(slots, "CONFIG_ROWS");
    struct hone_strbuf *defines = hone_emit_slot(slots, "DEFINE_ROWS");
    for (size_t i = 0; i < plan->config_count; i++) {
        hone_strbuf_add(rows, "    ");
        hone_emit_config(rows, plan, i);
        hone_strbuf_add(rows, ",\n");
        print_defines(defines, plan, &plan->configs[i], hone_emit_element);
    }
}

static void add_counts(struct emit_slots *slots, const struct emit_plan *plan)
{
    const struct {
        const char *slot;
        size_t count;
    } counts[] = {{"DEFAULT_NUMBER", plan->default_config},
                  {"CONFIG_COUNT", plan->config_count},
                  {"DEVICE_COUNT", plan->device_count},
                  {"ROW_COUNT", plan->row_count}};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        hone_strbuf_printf(hone_emit_slot(slots, counts[i].slot), "%zu", counts[i].count);
}

static void print_gpu(struct hone_strbuf *out, const struct emit_plan *plan,
                      const struct hone_limits *limits)
{
    const int64_t usual[] = {limits->cc_major,     limits->cc_minor,
                             limits->sm_count,     limits->l2_bytes,
                             limits->memory_bytes, limits->max_shared_bytes};
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) {
        hone_strbuf_add(out, i ? ", " : "{");
        hone_emit_integer(out, usual[i]);
    }
    for (size_t i = 0; i < plan->gpu_field_count; i++) {
        int64_t value = 0;
        if (hone_emit_is_usual(plan->gpu_fields[i])) continue;
        hone_limits_get(limits, plan->gpu_fields[i], &value);
        hone_strbuf_add(out, ", ");
        hone_emit_integer(out, value);
    }
    hone_strbuf_add(out, "}");
}

static void add_devices(struct emit_slots *slots, const struct emit_plan *plan)
{
    struct hone_strbuf *out = hone_emit_slot(slots, "DEVICE_ROWS");
    for (size_t d = 0; d < plan->device_count; d++) {
        const struct emit_device *device = &plan->devices[d];
        struct hone_strbuf text = HONE_STRBUF_INIT;
        hone_strbuf_add(out, "    {");
        hone_sink_c_string(out, device->info->device_name);
        hone_strbuf_add(out, ", ");
        print_gpu(out, plan, &plan->tables->devices[d].gpu);
        if (!hone_emit_is_single(plan))
            hone_strbuf_printf(out, ", %d, %d", plan->tables->devices[d].first,
                               plan->tables->devices[d].count);
        hone_strbuf_add(out, ",\n     ");
        hone_emit_provenance(&text, plan, device);
        hone_sink_c_string(out, text.data);
        hone_strbuf_add(out, "},\n");
        out->failed = out->failed || text.failed;
        hone_strbuf_fini(&text);
    }
    print_gpu(hone_emit_slot(slots, "LEAST_LIMITS"), plan, &plan->tables->least);
}

static void print_row(struct hone_strbuf *out, const struct emit_plan *plan, size_t r)
{
    const struct emit_row *row = &plan->rows[r];
    const struct hone_record_info *info = row->info;
    const struct emit_group *group = plan->groups;
    while (r >= group->first + group->count)
        group++;
    hone_strbuf_printf(out, "{%zu, %zu, ", group->device, row->config);
    const char *before = "{";
    for (size_t i = 0; i < info->problem_count; i++) {
        if (plan->problem[i].fixed) continue;
        hone_strbuf_add(out, before);
        hone_emit_literal(out, &plan->problem[i], info->problem[i].value);
        before = ", ";
    }
    hone_strbuf_add(out, hone_emit_is_asked(plan) ? "}, " : "");
    const size_t sizes = hone_emit_is_single(plan) ? 0 : group->points.sizes;
    for (size_t k = 0; k < sizes; k++)
        hone_strbuf_printf(out, "%s%d", k ? ", " : "{", plan->tables->rows[r].lg[k]);
    hone_strbuf_add(out, sizes ? "}, " : "");
    print_number(out, row->time);
    hone_strbuf_add(out, "}");
}

static void add_rows(struct emit_slots *slots, const struct emit_plan *plan)
{
    struct hone_strbuf *out = hone_emit_slot(slots, "ROW_ROWS");
    const bool is_one = plan->row_count == 1;
    for (size_t r = 0; r < plan->row_count; r++) {
        hone_strbuf_add(out, is_one ? "" : "\n    ");
        print_row(out, plan, r);
        hone_strbuf_add(out, is_one ? "" : ",");
    }
    hone_strbuf_add(out, is_one ? "" : "\n");
}

static void add_nodes(struct emit_slots *slots, const struct emit_plan *plan)
{
    const struct emit_tables *tables = plan->tables;
    struct hone_strbuf *out = hone_emit_slot(slots, "NODE_ROWS");
    for (size_t i = 0; i < tables->node_count; i++) {
        const struct emit_node *node = &tables->nodes[i];
        hone_strbuf_printf(out, "    {%d, %d, %d, %d, %d},\n", node->a, node->b, node->at,
                           node->low, node->high);
    }
}

// Each is how many configurations it has, and a line for each of them.
static void add_models(struct emit_slots *slots, const struct emit_plan *plan)
{
    const int *next = plan->tables->models;
    struct hone_strbuf *out = hone_emit_slot(slots, "MODEL_ROWS");
    for (size_t g = 0; g < plan->group_count; g++) {
        const struct emit_rule *rule = &plan->groups[g].rule;
        if (!rule->model) continue;
        hone_strbuf_printf(out, "    %d,\n", *next++);
        for (size_t i = 0; i < rule->model_count * rule->model_width; i++) {
            hone_strbuf_add(out, i % rule->model_width ? " " : "    ");
            hone_strbuf_printf(out, "%d,", *next++);
            hone_strbuf_add(out, (i + 1) % rule->model_width ? "" : "\n");
        }
    }
}

static void add_preferences(struct emit_slots *slots, const struct emit_plan *plan)
{
    const int *next = plan->tables->preferences;
    struct hone_strbuf *out = hone_emit_slot(slots, "PREFERENCE_ROWS");
    for (size_t g = 0; g < plan->group_count; g++) {
        for (size_t i = 0; i < plan->groups[g].config_count; i++)
            hone_strbuf_printf(out, "%s%d,", i ? " " : "    ", *next++);
        hone_strbuf_add(out, "\n");
    }
}

static void add_groups(struct emit_slots *slots, const struct emit_plan *plan)
{
    struct hone_strbuf *out = hone_emit_slot(slots, "GROUP_ROWS");
    for (size_t g = 0; g < plan->group_count; g++) {
        const struct emit_table_group *group = &plan->tables->groups[g];
        const struct hone_constant *problem = plan->tables->rows[group->first].problem;
        hone_strbuf_add(out, "    {");
        for (size_t i = 0; i < plan->info->problem_count; i++) {
            if (!hone_emit_is_choice(plan, i)) continue;
            hone_emit_literal(out, &plan->problem[i], problem[i].value);
            hone_strbuf_add(out, ", ");
        }
        hone_strbuf_printf(out, "%d, %d, %d, %d, %d},\n", group->first, group->count,
                           group->tree, group->configs, group->config_count);
    }
}

void hone_emit_table(struct hone_strbuf *out, const struct emit_plan *plan)
{
    const bool is_single = hone_emit_is_single(plan);
    struct emit_slots slots = {.count = 0};
    char words[40];
    snprintf(words, sizeof words, "%s%s%s%s", plan->device_count > 1 ? "devices " : "",
             is_single ? "" : "groups ",
             !is_single && plan->tables->node_count ? "trees " : "",
             !is_single && plan->tables->model_count ? "models " : "");
    add_counts(&slots, plan);
    add_configs(&slots, plan);
    add_devices(&slots, plan);
    add_rows(&slots, plan);
    if (!is_single) {
        add_nodes(&slots, plan);
        add_models(&slots, plan);
        add_preferences(&slots, plan);
        add_groups(&slots, plan);
    }
    hone_emit_lines(out, plan, hone_text_table_data, words, &slots);
    hone_emit_constexpr(out, plan);
}

void hone_emit_config_macros(struct hone_strbuf *out, const struct emit_plan *plan,
                             size_t number)
{
    const struct emit_config *config = &plan->configs[number];
    for (size_t i = 0; i < plan->info->param_count; i++) {
        hone_strbuf_printf(out, "#define %s ", plan->param_macros[i]);
        hone_emit_literal(out, &plan->params[i], hone_emit_value_of(config, i));
        hone_strbuf_add(out, "\n");
    }
    hone_emit_put(out, plan, "#define $N_DEFINES ");
    print_defines(out, plan, config, hone_sink_c_string);
    hone_strbuf_add(out, "\n");
}
