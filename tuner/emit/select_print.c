// The functions of a header that choose: which device, which row, which configuration.
// dispatch.c makes the same choice for the tuner.
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

static void print_lg(struct hone_strbuf *out, const struct emit_plan *plan)
{
    hone_emit_put(
        out, plan,
        "/* Binary logarithm in 1/65536, exact at powers of two, linear between. */\n"
        "static inline int\n$n_lg(long long size)\n"
        "{\n"
        "    unsigned long long left = size < 1 ? 1 : (unsigned long long)size;\n"
        "    const unsigned long long whole = left;\n"
        "    int e = 0;\n"
        "    if (left >> 32) e += 32, left >>= 32;\n"
        "    if (left >> 16) e += 16, left >>= 16;\n"
        "    if (left >> 8) e += 8, left >>= 8;\n"
        "    if (left >> 4) e += 4, left >>= 4;\n"
        "    if (left >> 2) e += 2, left >>= 2;\n"
        "    if (left >> 1) e += 1;\n"
        "    if (size < 1) return -65536;\n"
        "    return e * 65536 +\n"
        "           (int)((e > 16 ? whole >> (e - 16) : whole << (16 - e)) & "
        "65535);\n"
        "}\n\n");
}

// The row of exactly this problem, in a group sorted by its numbers.
static void print_find(struct hone_strbuf *out, const struct emit_plan *plan)
{
    hone_emit_put(out, plan,
                  "/* The row of this very problem, or -1. */\n"
                  "static inline int\n$n_find(const $n_group *group");
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

static void print_tree_walk(struct hone_strbuf *out, const struct emit_plan *plan)
{
    hone_strbuf_add(out, "    if (group->tree >= 0) {\n"
                         "        int at = group->tree;\n"
                         "        while (at >= 0) {\n");
    hone_emit_put(
        out, plan,
        "            const $n_node *node = &$n_nodes[at];\n"
        "            const int feature = node->b >= 0 ? lg[node->a] - lg[node->b]\n"
        "                              : node->b == -1 ? lg[node->a] : sum;\n"
        "            at = feature <= node->at ? node->low : node->high;\n"
        "        }\n"
        "        return ~at;\n"
        "    }\n");
}

static void print_rule(struct hone_strbuf *out, const struct emit_plan *plan)
{
    const size_t sizes = size_count(plan);
    size_t at = 0;
    hone_emit_put(
        out, plan,
        "/* The configuration for a problem that is no row: a decision tree's, or the "
        "nearest\n * row's. */\n"
        "static inline int\n$n_rule(const $n_group *group");
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
    if (trees) print_tree_walk(out, plan);
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
                ? "        if (hone1_cmp_str(group->%s, %s) != 0) continue;\n"
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
        "static inline int\n$n_of_device(const $n_device *device, const $n_gpu *gpu, "
        "int same");
    hone_emit_problem_params(out, plan, ", ");
    hone_emit_put(
        out, plan,
        ", int *exact)\n"
        "{\n"
        "    int g, i;\n"
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
                  "            *exact = same || $n_fits(number, gpu");
    hone_emit_problem_args(out, plan, ", ");
    hone_emit_put(out, plan,
                  ");\n"
                  "            if (*exact) return number;\n"
                  "        }\n"
                  "        number = $n_rule(group");
    hone_emit_which_args(out, plan, EMIT_NUMBERS, ", ");
    hone_emit_put(out, plan,
                  ");\n"
                  "        if ($n_fits(number, gpu");
    hone_emit_problem_args(out, plan, ", ");
    hone_emit_put(out, plan,
                  ")) return number;\n"
                  "        for (i = 0; i < group->config_count; i++) {\n"
                  "            number = $n_preferences[group->configs + i];\n"
                  "            if ($n_fits(number, gpu");
    hone_emit_problem_args(out, plan, ", ");
    hone_emit_put(out, plan,
                  ")) return number;\n"
                  "        }\n"
                  "        return -1;\n"
                  "    }\n"
                  "    return -1;\n"
                  "}\n\n");
}

static void print_distance(struct hone_strbuf *out, const struct emit_plan *plan)
{
    hone_emit_put(
        out, plan,
        "static inline long long\n$n_apart(long long a, long long b)\n"
        "{\n"
        "    const long long gap = a > 0 && b > 0 ? (long long)$n_lg(a) - $n_lg(b) : 0;\n"
        "    return gap < 0 ? -gap : gap;\n"
        "}\n\n"
        "/* How far a device of the table is from a GPU: 0, 1 or 2 (another number of\n"
        " * multiprocessors, another minor version) << 48, and more; -1: of no use. */\n"
        "static inline long long\n$n_distance(const $n_gpu *a, const $n_gpu *gpu, int "
        "place)\n"
        "{\n"
        "    long long minors = (long long)a->cc_minor - gpu->cc_minor, level, gap;\n"
        "    if (!a->cc_major || a->cc_major != gpu->cc_major) return -1;\n"
        "    if (minors < 0) minors = -minors;\n"
        "    if (minors > 2047) minors = 2047;\n"
        "    level = minors ? 2 : a->sm_count != gpu->sm_count;\n"
        "    if (!level && a->l2_bytes == gpu->l2_bytes && a->memory_bytes == "
        "gpu->memory_bytes)\n"
        "        return place;\n"
        "    gap = 65536 * minors + 2 * $n_apart(a->sm_count, gpu->sm_count) +\n"
        "          $n_apart(a->l2_bytes, gpu->l2_bytes) +\n"
        "          $n_apart(a->memory_bytes, gpu->memory_bytes);\n"
        "    return (level << 48) + (gap << 20) + place;\n"
        "}\n\n");
}

// The i-th compute capability that is known; 0 past the last.
static int arch_cc(size_t i)
{
    const struct hone_arch *arch = hone_arch_at(i);
    return arch ? arch->cc : 0;
}

// "gpu.max_shared_bytes = 98304; ", and what else of it constraints read.
static void add_facts(struct hone_strbuf *out, const struct emit_plan *plan, int cc)
{
    static const char *const known[] = {"max_threads_per_sm", "max_blocks_per_sm",
                                        "shared_bytes_per_sm", "reserved_shared_bytes"};
    struct hone_limits limits = {0};
    hone_arch_limits(&limits, cc / 10, cc % 10);
    hone_strbuf_printf(out, "gpu.max_shared_bytes = %" PRId64 "; ",
                       limits.max_shared_bytes);
    for (size_t i = 0; i < plan->gpu_field_count; i++)
        for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
            int64_t value = 0;
            if (strcmp(plan->gpu_fields[i], known[k]) != 0) continue;
            hone_limits_get(&limits, known[k], &value);
            hone_strbuf_printf(out, "gpu.%s = %" PRId64 "; ", known[k], value);
        }
}

// The cases of those from the i-th on that allow the same.
static void print_cases(struct hone_strbuf *out, const struct emit_plan *plan, size_t i)
{
    struct hone_strbuf own = HONE_STRBUF_INIT, other = HONE_STRBUF_INIT;
    bool first = true;
    add_facts(&own, plan, arch_cc(i));
    for (size_t k = 0; arch_cc(k) && first; k++) {
        hone_strbuf_clear(&other);
        add_facts(&other, plan, arch_cc(k));
        if (strcmp(own.data, other.data) == 0) first = k >= i;
        if (k >= i) break;
    }
    hone_strbuf_add(out, first ? "   " : "");
    for (size_t k = i; arch_cc(k) && first; k++) {
        hone_strbuf_clear(&other);
        add_facts(&other, plan, arch_cc(k));
        if (strcmp(own.data, other.data) == 0)
            hone_strbuf_printf(out, " case %d:", arch_cc(k));
    }
    if (first) hone_strbuf_printf(out, "\n        %sbreak;\n", own.data);
    out->failed |= own.failed || other.failed;
    hone_strbuf_fini(&own);
    hone_strbuf_fini(&other);
}

static void print_facts(struct hone_strbuf *out, const struct emit_plan *plan)
{
    hone_strbuf_add(out, "    if (cc_major >= 0 && cc_major < 100 && cc_minor >= 0 && "
                         "cc_minor < 10)\n"
                         "        cc = cc_major * 10 + cc_minor;\n"
                         "    if (!found) switch (cc) {\n");
    for (size_t i = 0; arch_cc(i); i++)
        print_cases(out, plan, i);
    hone_strbuf_add(out, "    default:\n        ");
    add_facts(out, plan, 0);
    hone_strbuf_add(out, "break;\n    }\n");
}

static void print_gpu_of(struct hone_strbuf *out, const struct emit_plan *plan)
{
    hone_emit_put(
        out, plan,
        "/* What the table knows of such a GPU; the least of all devices for one it "
        "lacks, and\n"
        " * what NVIDIA's guide names for its compute capability. */\n"
        "static inline $n_gpu\n$n_gpu_of(int cc_major, int cc_minor, int sm_count)\n"
        "{\n"
        "    $n_gpu gpu = $n_least_gpu;\n"
        "    int i, cc = 0, found = 0;\n"
        "    for (i = 0; i < $N_DEVICES; i++) {\n"
        "        const $n_gpu *known = &$n_devices[i].gpu;\n"
        "        if (known->cc_major != cc_major || known->cc_minor != cc_minor) "
        "continue;\n"
        "        if (found && (gpu.sm_count == sm_count || known->sm_count != "
        "sm_count))\n"
        "            continue;\n"
        "        gpu = *known;\n"
        "        found = 1;\n"
        "    }\n");
    print_facts(out, plan);
    hone_strbuf_add(out, "    gpu.cc_major = cc_major;\n"
                         "    gpu.cc_minor = cc_minor;\n"
                         "    gpu.sm_count = sm_count;\n"
                         "    return gpu;\n}\n\n");
}

// What no device's rule gives.
static void print_default_number(struct hone_strbuf *out, const struct emit_plan *plan)
{
    hone_emit_put(out, plan,
                  "    for (i = -1; i < $N_CONFIGS; i++) {\n"
                  "        const int number = i < 0 ? $N_DEFAULT_CONFIG : i;\n"
                  "        if (!$n_fits(number, gpu");
    hone_emit_problem_args(out, plan, ", ");
    hone_emit_put(out, plan,
                  ")) continue;\n"
                  "        *tier = $N_DEFAULT;\n"
                  "        return number;\n"
                  "    }\n"
                  "    *tier = $N_NONE;\n"
                  "    return -1;\n"
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

// A GPU of the row's family gets the row's configuration.
static void print_near(struct hone_strbuf *out, const struct emit_plan *plan)
{
    hone_emit_put(out, plan,
                  "    const $n_gpu *own = &$n_devices[0].gpu;\n"
                  "    const int tuned = ");
    hone_strbuf_printf(out, "%zu;\n    int i;\n", plan->rows[0].config);
    hone_emit_put(out, plan,
                  "    if (gpu->cc_major == own->cc_major) {\n"
                  "        *tier = gpu->cc_minor != own->cc_minor ? $N_SAME_FAMILY\n"
                  "                : gpu->sm_count != own->sm_count ? $N_SAME_ARCH\n"
                  "                : ");
    print_is_row(out, plan);
    hone_emit_put(out, plan,
                  " ? $N_EXACT : $N_SAME_DEVICE;\n"
                  "        if (*tier == $N_EXACT || $n_fits(tuned, gpu");
    hone_emit_problem_args(out, plan, ", ");
    hone_strbuf_add(out, "))\n            return tuned;\n    }\n");
}

static void print_number_of_one(struct hone_strbuf *out, const struct emit_plan *plan)
{
    const struct hone_limits *limits = plan->devices[0].info->limits;
    hone_emit_put(
        out, plan,
        "/* The number of the configuration, -1 where none may run. *tier: what "
        "answered. */\n"
        "static inline int\n$n_number_for(const $n_gpu *gpu");
    hone_emit_problem_params(out, plan, ", ");
    hone_emit_put(out, plan, ", int *tier)\n{\n");
    if (limits && limits->cc_major)
        print_near(out, plan);
    else
        hone_strbuf_add(out, "    int i;\n");
    print_default_number(out, plan);
}

static void print_number_for(struct hone_strbuf *out, const struct emit_plan *plan)
{
    hone_emit_put(
        out, plan,
        "/* The number of the configuration, -1 where none may run. *tier: what "
        "answered. */\n"
        "static inline int\n$n_number_for(const $n_gpu *gpu");
    hone_emit_problem_params(out, plan, ", ");
    hone_emit_put(
        out, plan,
        ", int *tier)\n"
        "{\n"
        "    long long last = -1;\n"
        "    int i;\n"
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
        "        return number;\n"
        "    }\n");
    print_default_number(out, plan);
}

static void print_selects(struct hone_strbuf *out, const struct emit_plan *plan)
{
    hone_emit_put(
        out, plan,
        "/* The configuration for a GPU and problem; *tier says what answered (tier "
        "may be a\n"
        " * null pointer). A null pointer where no configuration may run: $N_NONE. */\n"
        "static inline const $n_config *\n$n_select_for(const $n_gpu *gpu");
    hone_emit_problem_params(out, plan, ", ");
    hone_emit_put(out, plan,
                  ", int *tier)\n"
                  "{\n"
                  "    int answered, number;\n"
                  "    number = $n_number_for(gpu");
    hone_emit_problem_args(out, plan, ", ");
    hone_emit_put(out, plan,
                  ", &answered);\n"
                  "    if (tier) *tier = answered;\n"
                  "    return number < 0 ? 0 : &$n_configs[number];\n"
                  "}\n\n"
                  "static inline const $n_config *\n"
                  "$n_select(int cc_major, int cc_minor, int sm_count");
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
        "/* The tier: what answered. $N_DEFAULT and $N_NONE: nothing was tuned for such "
        "a GPU. */\n"
        "enum {\n"
        "    $N_EXACT,       /* a row of this device and problem */\n"
        "    $N_SAME_DEVICE, /* this device's rule, for a problem that is no row */\n"
        "    $N_SAME_ARCH,   /* a device of the same compute capability */\n"
        "    $N_SAME_FAMILY, /* of the same major version */\n"
        "    $N_DEFAULT,     /* the default, or what else of the table may run */\n"
        "    $N_NONE,        /* nothing: no configuration may run */\n"
        "    $N_FORCED       /* what the user forced */\n"
        "};\n\n");
    if (hone_emit_is_single(plan)) {
        print_gpu_of(out, plan);
        print_number_of_one(out, plan);
    } else {
        print_lg(out, plan);
        print_find(out, plan);
        print_rule(out, plan);
        print_of_device(out, plan);
        print_distance(out, plan);
        print_gpu_of(out, plan);
        print_number_for(out, plan);
    }
    print_selects(out, plan);
}
