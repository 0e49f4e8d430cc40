// The functions of a header that choose: which device, which row, which configuration.
// dispatch.c makes the same choice for the tuner.
#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "emit_internal.h"

static size_t size_count(const struct emit_plan *plan)
{
    return plan->groups[0].points.sizes;
}

static bool has_trees(const struct emit_plan *plan)
{
    for (size_t g = 0; g < plan->group_count; g++)
        if (plan->groups[g].rule.nodes) return true;
    return false;
}

// The row of exactly this problem, in a group sorted by its numbers.
static void print_find(struct hone_strbuf *out, const struct emit_plan *plan)
{
    hone_emit_put(out, plan,
                  "/* The row of this very problem, or -1. */\n"
                  "static inline int $n_find(const $n_group *group");
    hone_emit_which_params(out, plan, EMIT_NUMBERS, ", ");
    hone_emit_put(out, plan,
                  ")\n"
                  "{\n"
                  "    int low = group->first, high = low + group->count;\n"
                  "    while (low < high) {\n"
                  "        const int middle = low + (high - low) / 2;\n");
    bool any = false;
    for (size_t i = 0; i < plan->info->problem_count; i++) {
        const char *name = plan->problem[i].name;
        if (plan->problem[i].fixed || hone_emit_is_choice(plan, i)) continue;
        if (!any)
            hone_emit_put(out, plan,
                          "        const $n_problem *at = &$n_rows[middle].problem;\n"
                          "        const int order =\n");
        any = true;
        hone_strbuf_printf(out, "            at->%s < %s ? -1 : at->%s > %s ? 1 :\n",
                           name, name, name, name);
    }
    hone_strbuf_add(out, any ? "            0;\n"
                               "        if (!order) return middle;\n"
                               "        if (order < 0)\n"
                               "            low = middle + 1;\n"
                               "        else\n"
                               "            high = middle;\n"
                             : "        return middle;\n");
    hone_strbuf_add(out, "    }\n    return -1;\n}\n\n");
}

static bool has_models(const struct emit_plan *plan)
{
    for (size_t g = 0; g < plan->group_count; g++)
        if (plan->groups[g].rule.model) return true;
    return false;
}

static void print_rule(struct hone_strbuf *out, const struct emit_plan *plan)
{
    const size_t sizes = size_count(plan);
    size_t at = 0;
    hone_emit_put(out, plan,
                  "/* The configuration for a problem that is no row: a decision tree's, "
                  "a model's, or the "
                  "nearest\n * row's. */\n"
                  "static inline int $n_rule(const $n_group *group");
    hone_emit_which_params(out, plan, EMIT_NUMBERS, ", ");
    hone_strbuf_add(out, ")\n{\n");
    if (sizes)
        hone_strbuf_printf(out,
                           "    int lg[%zu], i, best = group->first;\n"
                           "    long long least = -1;\n",
                           sizes);
    for (size_t i = 0; i < plan->info->problem_count; i++) {
        const char *name = plan->problem[i].name;
        if (plan->problem[i].fixed || hone_emit_is_choice(plan, i)) continue;
        if (!hone_emit_is_size(plan, i)) hone_strbuf_printf(out, "    (void)%s;\n", name);
    }
    const bool trees = sizes && has_trees(plan);
    if (trees) hone_strbuf_add(out, "    int sum = 0;\n");
    for (size_t i = 0; i < plan->info->problem_count; i++)
        if (hone_emit_is_size(plan, i)) {
            hone_strbuf_printf(out, "    lg[%zu] = %s_lg(%s);\n", at, plan->name,
                               plan->problem[i].name);
            if (trees) hone_strbuf_printf(out, "    sum += lg[%zu];\n", at);
            at++;
        }
    if (trees)
        hone_emit_put(out, plan,
                      "    if (group->tree >= 0) return ~$n_leaf($n_nodes, group->tree, "
                      "lg, sum);\n");
    if (has_models(plan))
        hone_strbuf_printf(out,
                           "    if (group->tree < -1) {\n"
                           "        const int *model = &%s_models[-2 - group->tree];\n"
                           "        return %s_modelled(model + 1, *model, lg, %zu);\n"
                           "    }\n",
                           plan->name, plan->name, sizes);
    if (!sizes) {
        hone_emit_put(out, plan, "    return $n_rows[group->first].config;\n}\n\n");
        return;
    }
    hone_strbuf_add(out,
                    "    for (i = group->first; i < group->first + group->count; i++) {\n"
                    "        long long gap, apart = 0;\n");
    for (size_t k = 0; k < sizes; k++)
        hone_strbuf_printf(out,
                           "        gap = (long long)lg[%zu] - %s_rows[i].lg[%zu];\n"
                           "        apart += gap * gap;\n",
                           k, plan->name, k);
    hone_emit_put(out, plan,
                  "        if (least >= 0 && apart >= least) continue;\n"
                  "        least = apart;\n"
                  "        best = i;\n"
                  "    }\n"
                  "    return $n_rows[best].config;\n}\n\n");
}

static void print_same_choices(struct hone_strbuf *out, const struct emit_plan *plan)
{
    for (size_t i = 0; i < plan->info->problem_count; i++) {
        const char *name = plan->problem[i].name;
        if (!hone_emit_is_choice(plan, i)) continue;
        hone_strbuf_printf(
            out,
            plan->problem[i].type == HONE_STRING
                ? "        if (hone2_cmp_str(group->%s, %s) != 0) continue;\n"
                : "        if (group->%s != %s) continue;\n",
            name, name);
    }
}

static void print_of_device(struct hone_strbuf *out, const struct emit_plan *plan)
{
    hone_emit_put(
        out, plan,
        "/* What a device of the table has for this problem, or -1; same: it is the "
        "one at\n * hand. */\n"
        "static inline int $n_of_device(const $n_device *device, const $n_gpu *gpu, "
        "int same");
    hone_emit_problem_params(out, plan, ", ");
    hone_emit_put(
        out, plan,
        ", int *exact)\n"
        "{\n"
        "    int g, i;\n"
        "    (void)gpu;\n"
        "    *exact = 0;\n"
        "    for (g = device->first; g < device->first + device->count; g++) {\n"
        "        const $n_group *group = &$n_groups[g];\n"
        "        int number;\n");
    print_same_choices(out, plan);
    hone_emit_put(out, plan, "        i = $n_find(group");
    hone_emit_which_args(out, plan, EMIT_NUMBERS, ", ");
    hone_emit_put(out, plan,
                  ");\n"
                  "        if (i >= 0) {\n"
                  "            number = $n_rows[i].config;\n"
                  "            *exact = same || ");
    hone_emit_fits_call(out, plan);
    hone_emit_put(out, plan,
                  ";\n"
                  "            if (*exact) return number;\n"
                  "        }\n"
                  "        number = $n_rule(group");
    hone_emit_which_args(out, plan, EMIT_NUMBERS, ", ");
    hone_emit_put(out, plan,
                  ");\n"
                  "        if (");
    hone_emit_fits_call(out, plan);
    hone_emit_put(out, plan,
                  ") return number;\n"
                  "        for (i = 0; i < group->config_count; i++) {\n"
                  "            number = $n_preferences[group->configs + i];\n"
                  "            if (");
    hone_emit_fits_call(out, plan);
    hone_emit_put(out, plan,
                  ") return number;\n"
                  "        }\n"
                  "        return -1;\n"
                  "    }\n"
                  "    return -1;\n"
                  "}\n\n");
}

// What no device's rule gives.
static void print_default_number(struct hone_strbuf *out, const struct emit_plan *plan)
{
    hone_emit_put(out, plan,
                  "    for (i = -1; i < $N_CONFIGS; i++) {\n"
                  "        const int number = i < 0 ? $N_DEFAULT_CONFIG : i;\n"
                  "        if (!");
    hone_emit_fits_call(out, plan);
    hone_emit_put(out, plan,
                  ") continue;\n"
                  "        *tier = $N_DEFAULT;\n"
                  "        return &$n_configs[number];\n"
                  "    }\n"
                  "    *tier = $N_NONE;\n"
                  "    return 0;\n"
                  "}\n\n");
}

static void print_is_row(struct hone_strbuf *out, const struct emit_plan *plan)
{
    const struct hone_record_info *info = plan->rows[0].info;
    const char *before = "";
    for (size_t i = 0; i < info->problem_count; i++) {
        const struct emit_field *field = &plan->problem[i];
        if (field->fixed) continue;
        hone_strbuf_printf(out, "%s%s == ", before, field->name);
        hone_emit_literal(out, field, info->problem[i].value);
        before = " && ";
    }
    hone_strbuf_add(out, hone_emit_is_asked(plan) ? "" : "1");
}

// A GPU of the row's family gets the row's configuration. There are at most two, as one
// row keeps one beside the default.
static void print_choice_of_one(struct hone_strbuf *out, const struct emit_plan *plan)
{
    const struct hone_limits *limits = plan->devices[0].info->limits;
    assert(plan->config_count <= 2 && plan->rows[0].config == 0);
    if (limits && limits->cc_major) {
        hone_strbuf_printf(out,
                           "    int number = gpu->cc_major == %" PRId64
                           " ? 0 : %s_DEFAULT_CONFIG;\n"
                           "    int answer = gpu->cc_major != %" PRId64 " ? %s_DEFAULT\n",
                           limits->cc_major, plan->upper, limits->cc_major, plan->upper);
        hone_strbuf_printf(out,
                           "        : gpu->cc_minor != %" PRId64 " ? %s_SAME_FAMILY\n"
                           "        : gpu->sm_count != %" PRId64 " ? %s_SAME_ARCH\n"
                           "        : ",
                           limits->cc_minor, plan->upper, limits->sm_count, plan->upper);
        print_is_row(out, plan);
        hone_emit_put(out, plan,
                      " ? $N_EXACT : $N_SAME_DEVICE;\n"
                      "    if (answer != $N_EXACT && ");
    } else {
        hone_emit_put(out, plan,
                      "    int number = $N_DEFAULT_CONFIG, answer = $N_DEFAULT;\n"
                      "    (void)gpu;\n"
                      "    if (");
    }
    hone_emit_put(out, plan, "!");
    hone_emit_fits_call(out, plan);
    hone_emit_put(out, plan,
                  ") {\n"
                  "        number = $N_CONFIGS - 1 - number;\n"
                  "        answer = ");
    hone_emit_fits_call(out, plan);
    hone_emit_put(out, plan,
                  " ? $N_DEFAULT : $N_NONE;\n"
                  "    }\n"
                  "    if (tier) *tier = answer;\n"
                  "    return answer == $N_NONE ? 0 : &$n_configs[number];\n"
                  "}\n\n");
}

static void print_choice(struct hone_strbuf *out, const struct emit_plan *plan)
{
    hone_emit_put(
        out, plan,
        "    long long last = -1;\n"
        "    int answered, i;\n"
        "    if (!tier) tier = &answered;\n"
        "    for (;;) {\n"
        "        long long least = -1;\n"
        "        int best = -1, number, exact, level;\n"
        "        for (i = 0; i < $N_DEVICES; i++) {\n"
        "            const long long key = $n_distance(&$n_devices[i].gpu, gpu, i);\n"
        "            if (key <= last || (best >= 0 && key >= least)) continue;\n"
        "            least = key;\n"
        "            best = i;\n"
        "        }\n"
        "        if (best < 0) break;\n"
        "        last = least;\n"
        "        level = (int)(least >> 48);\n"
        "        number = $n_of_device(&$n_devices[best], gpu, level == 0");
    hone_emit_problem_args(out, plan, ", ");
    hone_emit_put(
        out, plan,
        ", &exact);\n"
        "        if (number < 0) continue;\n"
        "        *tier = level == 2 ? $N_SAME_FAMILY : level == 1 ? $N_SAME_ARCH\n"
        "              : exact ? $N_EXACT : $N_SAME_DEVICE;\n"
        "        return &$n_configs[number];\n"
        "    }\n");
}

static void print_selects(struct hone_strbuf *out, const struct emit_plan *plan)
{
    hone_emit_put(out, plan,
                  "/* The configuration for a GPU and problem, or null; *tier, unless "
                  "null, tells what "
                  "answered. */\n"
                  "static inline const $n_config *$n_select_for(const $n_gpu *gpu");
    hone_emit_problem_params(out, plan, ", ");
    hone_strbuf_add(out, ", int *tier)\n{\n");
    if (hone_emit_is_single(plan)) {
        print_choice_of_one(out, plan);
    } else {
        print_choice(out, plan);
        print_default_number(out, plan);
    }
    hone_emit_put(out, plan,
                  "static inline const $n_config *$n_select(int cc_major, int cc_minor, "
                  "int sm_count");
    hone_emit_problem_params(out, plan, ", ");
    hone_emit_put(out, plan,
                  ", int *tier)\n"
                  "{\n"
                  "    const $n_gpu gpu = $n_gpu_of(cc_major, cc_minor, sm_count);\n"
                  "    return $n_select_for(&gpu");
    hone_emit_problem_args(out, plan, ", ");
    hone_strbuf_add(out, ", tier);\n}\n\n");
}

void hone_emit_selection(struct hone_strbuf *out, const struct emit_plan *plan)
{
    hone_emit_put(
        out, plan,
        "/* What answered: a row; one for another size, of another device or minor "
        "version; "
        "the default. */\n"
        "enum { $N_EXACT, $N_SAME_DEVICE, $N_SAME_ARCH, $N_SAME_FAMILY, $N_DEFAULT, "
        "$N_NONE "
        "};\n\n");
    if (!hone_emit_is_single(plan)) {
        hone_emit_part(out, plan, hone_text_choose,
                       has_trees(plan) && has_models(plan) ? "trees models devices "
                       : has_trees(plan)                   ? "trees devices "
                       : has_models(plan)                  ? "models devices "
                                                           : "devices ");
        print_find(out, plan);
        print_rule(out, plan);
        print_of_device(out, plan);
    }
    hone_emit_print_gpu_of(out, plan);
    print_selects(out, plan);
}
