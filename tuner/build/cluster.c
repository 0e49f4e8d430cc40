// What a device makes of launches that are not plain: clusters, cooperative and dependent
// ones.
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/c_text.h"
#include "hone/build.h"

__attribute__((format(printf, 3, 4))) static enum hone_outcome
say(char reason[HONE_REASON_MAX], enum hone_outcome outcome, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    hone_vsnprintf(reason, HONE_REASON_MAX, format, args);
    va_end(args);
    return outcome;
}

// No device is at fault where kernel and launch contradict each other.
static enum hone_outcome check_rules(const uint32_t size[3], uint64_t blocks,
                                     const struct hone_cluster_rules *rules, bool said,
                                     char reason[HONE_REASON_MAX])
{
    const uint32_t *own = rules->size;
    if (rules->wanted && !own[0] && !said)
        return say(reason, HONE_LAUNCH_FAILED,
                   "the kernel wants a launch that says how many blocks a cluster has "
                   "(.explicitcluster), one or more: launch = { cluster = 1, ... }");
    for (int i = 0; i < 3 && own[0]; i++)
        if (size[i] != (own[i] ? own[i] : 1))
            return say(reason, HONE_LAUNCH_FAILED,
                       "the launch has clusters of %u x %u x %u blocks, __cluster_dims__ "
                       "of the kernel says %u x %u x %u: leave one of them out, or let "
                       "both agree",
                       size[0], size[1], size[2], own[0], own[1] ? own[1] : 1,
                       own[2] ? own[2] : 1);
    if (rules->most && blocks > rules->most)
        return say(reason, HONE_LAUNCH_FAILED,
                   "%" PRIu64 " blocks a cluster, the kernel's launch bounds say %u",
                   blocks, rules->most);
    return HONE_VALID;
}

static enum hone_outcome check_size(const uint32_t size[3], uint64_t blocks,
                                    const struct hone_limits *limits,
                                    char reason[HONE_REASON_MAX])
{
    const uint32_t most = hone_cluster_most(limits->cc_major);
    if (limits->cc_major < HONE_CLUSTER_MAJOR)
        return say(reason, HONE_REJECTED, "clusters need sm_90 or later, the GPU is %s",
                   limits->arch);
    for (int i = 0; i < 3; i++)
        if (size[i] > most || blocks > most)
            return say(reason, HONE_REJECTED,
                       "%u x %u x %u blocks a cluster, limit %u (%d where it is to run "
                       "on every GPU)",
                       size[0], size[1], size[2], most, HONE_CLUSTER_PORTABLE);
    return HONE_VALID;
}

enum hone_outcome hone_cluster_find(uint32_t out[3],
                                    const struct hone_cluster_rules *rules,
                                    const struct hone_limits *limits,
                                    const struct hone_geometry *geometry,
                                    char reason[HONE_REASON_MAX])
{
    const bool said = geometry->cluster[0] > 0;
    const uint32_t *asked = said ? geometry->cluster : rules->size;
    for (int i = 0; i < 3; i++)
        out[i] = asked[i] ? asked[i] : 1;
    // Sizes of one and more: where the product overflows, an axis is over any limit.
    const uint64_t plane = (uint64_t)out[0] * out[1];
    const uint64_t blocks = plane > UINT32_MAX ? plane : plane * out[2];
    enum hone_outcome outcome = check_rules(out, blocks, rules, said, reason);
    if (outcome == HONE_VALID && (blocks > 1 || rules->size[0] || rules->wanted))
        outcome = check_size(out, blocks, limits, reason);
    for (int i = 0; i < 3 && outcome == HONE_VALID; i++)
        if (geometry->grid[i] % out[i])
            return say(reason, HONE_REJECTED,
                       "%u blocks in grid %c, which clusters of %u do not divide",
                       geometry->grid[i], "xyz"[i], out[i]);
    return outcome;
}

enum hone_outcome hone_launch_flags_check(const struct hone_limits *limits,
                                          const struct hone_geometry *geometry,
                                          int blocks_per_sm, char reason[HONE_REASON_MAX])
{
    const uint32_t *grid = geometry->grid;
    const uint64_t most = (uint64_t)blocks_per_sm * (uint64_t)limits->sm_count;
    const uint64_t plane = (uint64_t)grid[0] * grid[1];
    const uint64_t blocks = plane > UINT32_MAX ? plane : plane * grid[2];
    if ((geometry->flags & HONE_LAUNCH_DEPENDENT) &&
        limits->cc_major < HONE_CLUSTER_MAJOR)
        return say(reason, HONE_REJECTED,
                   "a dependent launch needs sm_90 or later, the GPU is %s",
                   limits->arch);
    if ((geometry->flags & HONE_LAUNCH_COOPERATIVE) && blocks > most)
        return say(reason, HONE_REJECTED,
                   "%" PRIu64 " blocks in a cooperative launch, %" PRIu64
                   " run at once (%d on each of %lld multiprocessors)",
                   blocks, most, blocks_per_sm, (long long)limits->sm_count);
    return HONE_VALID;
}
