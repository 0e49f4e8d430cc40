// Launches that are more than plain, in the header: clusters, cooperative and dependent
// ones, which the driver takes by cuLaunchKernelEx.
#include <stdio.h>

#include "emit_launch.h"
#include "emit_sections.h"
#include "emit_text.h"

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

_Static_assert(HONE_CLUSTER_MAJOR == 9 && HONE_CLUSTER_MOST_MAJOR == 10 &&
                   HONE_CLUSTER_MOST == 16 && HONE_CLUSTER_PORTABLE == 8,
               "as text/cluster_fits.h and text/payload_attributes.h have them");

void hone_emit_cluster_fits(struct hone_strbuf *out, const struct emit_plan *plan)
{
    hone_emit_part(out, plan, hone_text_cluster_fits, "");
}

/* --- the launch --- */

// The cluster is asked for only where the script says one: what it leaves out is the
// kernel's own.
void hone_emit_launch_with(struct hone_strbuf *out, const struct emit_plan *plan)
{
    const uint32_t flags = plan->info->launch_flags;
    char words[64];
    if (hone_emit_is_plain(plan->info)) return;
    snprintf(words, sizeof words, "%s%s%s",
             flags & HONE_LAUNCH_COOPERATIVE ? "cooperative " : "",
             flags & HONE_LAUNCH_DEPENDENT ? "dependent " : "",
             hone_emit_has_cluster(plan->info) ? "cluster " : "");
    hone_emit_part(out, plan, hone_text_payload_attributes, words);
}
