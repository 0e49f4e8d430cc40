// Launches that are more than plain, in the header: clusters, cooperative and dependent
// ones, which the driver takes by cuLaunchKernelEx.
#include "emit_internal.h"

bool hone_emit_has_cluster(const struct hone_record_info *info)
{
    return info->cluster[0] || info->cluster[1] || info->cluster[2];
}

bool hone_emit_is_plain(const struct hone_record_info *info)
{
    return !hone_emit_has_cluster(info) && !info->launch_flags;
}

/* --- which GPU may run what --- */

bool hone_emit_can_launch(const struct hone_record_info *info,
                          const struct emit_launch *launch, const struct hone_limits *gpu)
{
    const uint32_t *cluster = launch->cluster, *grid = launch->grid;
    const int64_t major = gpu->cc_major;
    const uint32_t blocks = cluster[0] * cluster[1] * cluster[2];
    if (!blocks || grid[0] % cluster[0] || grid[1] % cluster[1] || grid[2] % cluster[2])
        return false;
    if ((info->launch_flags & HONE_LAUNCH_DEPENDENT) && major &&
        major < HONE_CLUSTER_MAJOR)
        return false;
    return !major || blocks <= hone_cluster_most(major);
}

void hone_emit_cluster_fits(struct hone_strbuf *out, const struct emit_plan *plan)
{
    enum { FIRST = HONE_CLUSTER_MAJOR, LAST = HONE_CLUSTER_MOST_MAJOR };
    hone_strbuf_printf(
        out,
        "/* Do clusters divide the grid, and has the GPU such? Compute capability %d.0 "
        "and %d.x take\n"
        " * %d blocks, later ones %d, earlier ones have none. */\n",
        FIRST, LAST, HONE_CLUSTER_MOST, HONE_CLUSTER_PORTABLE);
    hone_emit_put(
        out, plan,
        "static inline int\n$n_cluster_fits(const $n_gpu *gpu, const unsigned grid[3],\n"
        "                const unsigned cluster[3])\n"
        "{\n"
        "    const unsigned blocks = cluster[0] * cluster[1] * cluster[2];\n"
        "    const int major = gpu->cc_major;\n"
        "    if (!blocks || grid[0] % cluster[0] || grid[1] % cluster[1] || grid[2] % "
        "cluster[2])\n"
        "        return 0;\n");
    hone_strbuf_printf(out,
                       "    return !major || blocks <= (major < %d ? 1u : major <= %d ? "
                       "%du : %du);\n}\n\n",
                       FIRST, LAST, HONE_CLUSTER_MOST, HONE_CLUSTER_PORTABLE);
}

/* --- the launch --- */

// CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, _COOPERATIVE,
// _PROGRAMMATIC_STREAM_SERIALIZATION,
// CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED and
// CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET of cuda.h.
enum { CLUSTER = 4, COOPERATIVE = 2, DEPENDENT = 6, NON_PORTABLE = 14, WANTED = 10 };

static void print_flag(struct hone_strbuf *out, const struct emit_plan *plan,
                       uint32_t flag, int attribute)
{
    if (!(plan->info->launch_flags & flag)) return;
    hone_strbuf_printf(out,
                       "    list[as.count].id = %d;\n"
                       "    list[as.count++].value.flag = 1;\n",
                       attribute);
}

// Only where the script says clusters: what it leaves out is the kernel's own.
static void print_wanted(struct hone_strbuf *out, const struct emit_plan *plan)
{
    hone_emit_put(
        out, plan,
        "    /* A cluster of one block is none, but to kernels that want one said. */\n"
        "    if (blocks == 1 && $n_state.driver.ask_function(&wanted, ");
    hone_strbuf_printf(out, "%d, function)) wanted = 0;\n", WANTED);
}

void hone_emit_launch_with(struct hone_strbuf *out, const struct emit_plan *plan)
{
    if (hone_emit_is_plain(plan->info)) return;
    hone_emit_put(
        out, plan,
        "/* CUlaunchAttribute and CUlaunchConfig of cuda.h. */\n"
        "typedef struct $n_attribute {\n"
        "    int id, unused;\n"
        "    union {\n"
        "        unsigned cluster[3];\n"
        "        int flag;\n"
        "        void *size[8];\n"
        "    } value;\n"
        "} $n_attribute;\n\n"
        "typedef struct $n_launch_as {\n"
        "    unsigned grid[3], block[3], shared;\n"
        "    void *stream;\n"
        "    $n_attribute *attributes;\n"
        "    unsigned count;\n"
        "} $n_launch_as;\n\n"
        "static inline int\n$n_launch_with(void *function, const unsigned "
        "grid[3], const unsigned block[3],\n"
        "               const unsigned cluster[3], unsigned shared, void *stream, "
        "void **params)\n"
        "{\n"
        "    const unsigned blocks = cluster[0] * cluster[1] * cluster[2];\n"
        "    $n_attribute list[3];\n"
        "    $n_launch_as as;\n"
        "    int status = 0, wanted = 0;\n"
        "    memset(list, 0, sizeof list);\n"
        "    memset(&as, 0, sizeof as);\n"
        "    memcpy(as.grid, grid, sizeof as.grid);\n"
        "    memcpy(as.block, block, sizeof as.block);\n"
        "    as.shared = shared;\n"
        "    as.stream = stream;\n"
        "    as.attributes = list;\n");
    print_flag(out, plan, HONE_LAUNCH_COOPERATIVE, COOPERATIVE);
    print_flag(out, plan, HONE_LAUNCH_DEPENDENT, DEPENDENT);
    if (hone_emit_has_cluster(plan->info)) print_wanted(out, plan);
    hone_strbuf_printf(
        out,
        "    if (blocks > 1 || wanted) {\n"
        "        list[as.count].id = %d;\n"
        "        memcpy(list[as.count++].value.cluster, cluster, 3 * sizeof "
        "*cluster);\n"
        "    }\n",
        CLUSTER);
    hone_strbuf_printf(out, "    if (blocks > %d) /* not portable: to be allowed */\n",
                       HONE_CLUSTER_PORTABLE);
    hone_emit_put(out, plan, "        status = $n_state.driver.set_attribute(function, ");
    hone_strbuf_printf(out, "%d, 1);\n    if (status) return status;\n", NON_PORTABLE);
    hone_emit_put(out, plan,
                  "    return $n_state.driver.launch_as(&as, function, params, 0);\n"
                  "}\n\n");
}
