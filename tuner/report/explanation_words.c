// What limits a kernel and what costs it time, as sentences for people who have never
// tuned one; docs/causes.md goes on from there.
#include <math.h>

#include "base/quantity.h"
#include "insight/roles.h"
#include "report/explanation.h"
#include "report/values.h"

const char *hone_how_known(const struct hone_trial *trial)
{
    return isnan(trial->time_us) ? "predicted" : "measured";
}

static void add_count(struct hone_strbuf *out, double count)
{
    hone_strbuf_add(out, hone_count_text(round(count)).text);
}

// Warps of the busiest multiprocessor: the grid may have fewer blocks than fit.
static double warps_of(const struct hone_explained *explained)
{
    const struct hone_usage *usage = &explained->diagnosis.usage;
    const double blocks =
        usage->waves < 1 ? ceil(usage->waves * usage->occupancy) : usage->occupancy;
    return blocks * hone_trial_metric(explained->counted, "warps_per_block", (double)NAN);
}

/* --- the limit --- */

static void latency_words(struct hone_strbuf *out, const struct hone_explained *explained)
{
    struct hone_roles roles;
    if (hone_roles_find(&roles, explained->counted)) {
        hone_strbuf_printf(out,
                           "No part is busy: %.0f %% of the time goes with waiting, of "
                           "warps that copy and of those that multiply for each other.",
                           100 * explained->diagnosis.usage.part_us[HONE_LIMIT_LATENCY] /
                               explained->diagnosis.usage.us);
        return;
    }
    hone_strbuf_printf(
        out,
        "Warps wait for results, most of all of memory, and the %.0f warps of a "
        "multiprocessor are too few to fill the time: %.0f %% of it.",
        warps_of(explained),
        100 * explained->diagnosis.usage.part_us[HONE_LIMIT_LATENCY] /
            explained->diagnosis.usage.us);
}

static void waves_words(struct hone_strbuf *out, const struct hone_explained *explained)
{
    const struct hone_usage *usage = &explained->diagnosis.usage;
    if (usage->load.launch.stretch > 1.05) {
        hone_strbuf_printf(out,
                           "Blocks differ in how long they work: the last one ends after "
                           "%.2f times the time of as many that are alike.",
                           usage->load.launch.stretch);
        return;
    }
    hone_strbuf_printf(out,
                       "Blocks run in %.0f rounds where %.2f would do, were they evenly "
                       "divided: multiprocessors that have ended wait for the others.",
                       ceil(usage->waves), usage->waves);
}

static void part_words(struct hone_strbuf *out, const struct hone_usage *usage)
{
    const bool moves = usage->limit == HONE_LIMIT_L2 || usage->limit == HONE_LIMIT_DRAM;
    hone_strbuf_printf(out, "%s takes at least %s us there, %.0f %% of the %s us.",
                       moves ? "Moving the bytes of a launch" : "The work of a launch",
                       hone_plain(usage->part_us[usage->limit], 4).text,
                       100 * usage->part_us[usage->limit] / usage->us,
                       hone_plain(usage->us, 4).text);
}

static void unknown_words(struct hone_strbuf *out, const struct hone_usage *usage)
{
    hone_strbuf_add(out, "The journal has no counts that would tell");
    hone_strbuf_add(out, usage->emulable
                             ? ". With --script its kernel is counted on the emulator."
                             : ", and its GPU is none that is emulated.");
}

static void roof_words(struct hone_strbuf *out, const struct hone_usage *usage)
{
    hone_strbuf_printf(out,
                       "What the script says that a launch needs at least takes %.0f %% "
                       "of the time at the nominal peak.",
                       100 * usage->roof_share);
}

static void busy_words(struct hone_strbuf *out, const struct hone_usage *usage)
{
    hone_strbuf_printf(out,
                       usage->limit == HONE_LIMIT_LATENCY
                           ? "By the counters of the GPU no part of it is busy: the "
                             "busiest reaches %.0f %% of its peak, so warps wait."
                           : "The counters of the GPU show it at %.0f %% of its peak.",
                       100 * usage->busy);
}

void hone_limit_words(struct hone_strbuf *out, const struct hone_explained *explained)
{
    const struct hone_usage *usage = &explained->diagnosis.usage;
    if (usage->limit == HONE_LIMIT_UNKNOWN)
        unknown_words(out, usage);
    else if (usage->busy > 0)
        busy_words(out, usage);
    else if (!usage->counted)
        roof_words(out, usage);
    else if (usage->limit == HONE_LIMIT_LATENCY)
        latency_words(out, explained);
    else if (usage->limit == HONE_LIMIT_WAVES)
        waves_words(out, explained);
    else
        part_words(out, usage);
}

/* --- the causes --- */

static void conflict_words(struct hone_strbuf *out, const struct hone_found_cause *cause)
{
    hone_strbuf_add(out, "A block takes ");
    add_count(out, cause->have);
    hone_strbuf_add(out, " turns of shared memory (wavefronts), where ");
    add_count(out, cause->want);
    hone_strbuf_add(out, " would do: lanes of a warp want different words of one bank.");
}

static void coalescing_words(struct hone_strbuf *out,
                             const struct hone_found_cause *cause)
{
    hone_strbuf_add(out, "A block moves ");
    add_count(out, cause->have);
    hone_strbuf_add(out, " sectors of 32 bytes, where ");
    add_count(out, cause->want);
    hone_strbuf_printf(out,
                       " would hold what its threads ask for (%.2g times as many): lanes "
                       "of a warp do not lie beside each other.",
                       cause->have / cause->want);
}

static void spill_words(struct hone_strbuf *out, const struct hone_explained *explained)
{
    const struct hone_resources *r = &explained->trial->resources;
    hone_strbuf_printf(out,
                       "A thread has %d registers and stores %d bytes of what does not "
                       "fit in local memory, and loads %d. How often that is executed no "
                       "count tells; the model takes it for as often as the rest.",
                       (int)r->registers, (int)r->spill_store_bytes,
                       (int)r->spill_load_bytes);
}

static void occupancy_words(struct hone_strbuf *out, const struct hone_found_cause *cause,
                            const struct hone_explained *explained)
{
    const struct hone_resources *r = &explained->trial->resources;
    const int shared = (r->static_shared_bytes > 0 ? r->static_shared_bytes : 0) +
                       (r->dynamic_shared_bytes > 0 ? r->dynamic_shared_bytes : 0);
    hone_strbuf_printf(out,
                       "%.0f warps are on a multiprocessor at once, where %.0f could be; "
                       "so little hides what they wait for. ",
                       cause->have, cause->want);
    if (cause->by == HONE_OCCUPANCY_REGISTERS)
        hone_strbuf_printf(out, "Its %d registers a thread leave no room.",
                           (int)r->registers);
    else if (cause->by == HONE_OCCUPANCY_SHARED)
        hone_strbuf_printf(out, "The %d bytes of shared memory a block leave no room.",
                           shared);
    else if (cause->by == HONE_OCCUPANCY_BOTH)
        hone_strbuf_printf(out,
                           "Its %d registers a thread leave no room, nor do %d bytes of "
                           "shared memory a block.",
                           (int)r->registers, shared);
    else if (cause->by == HONE_OCCUPANCY_BLOCKS)
        hone_strbuf_add(out, "Blocks are so small that their number is the limit.");
    else
        hone_strbuf_add(out, "Registers or shared memory leave no room: the build does "
                             "not tell how many it needs.");
}

static void tail_words(struct hone_strbuf *out, const struct hone_found_cause *cause,
                       const struct hone_explained *explained)
{
    const struct hone_usage *usage = &explained->diagnosis.usage;
    const double at_once = usage->blocks / usage->waves;
    add_count(out, usage->blocks);
    hone_strbuf_add(out, " blocks, of which ");
    add_count(out, at_once);
    hone_strbuf_printf(out, " run at once, take %.0f rounds; the last has ", cause->have);
    add_count(out, usage->blocks - at_once * (ceil(usage->waves) - 1));
    hone_strbuf_add(out, ".");
}

static void few_words(struct hone_strbuf *out, const struct hone_found_cause *cause)
{
    hone_strbuf_add(out, "The grid has ");
    add_count(out, cause->have);
    hone_strbuf_add(out, " blocks, where ");
    add_count(out, cause->want);
    hone_strbuf_add(out, " would run at once: a part of the GPU has nothing to do.");
}

static void divergence_words(struct hone_strbuf *out,
                             const struct hone_found_cause *cause)
{
    hone_strbuf_printf(out,
                       "Of 32 lanes %.1f work on average: branches that some lanes take "
                       "alone, or threads without an element.",
                       cause->have);
}

void hone_cause_words(struct hone_strbuf *out, const struct hone_found_cause *cause,
                      const struct hone_explained *explained)
{
    switch (cause->cause) {
    case HONE_CAUSE_BANK_CONFLICTS:
        conflict_words(out, cause);
        break;
    case HONE_CAUSE_UNCOALESCED:
        coalescing_words(out, cause);
        break;
    case HONE_CAUSE_SPILLS:
        spill_words(out, explained);
        break;
    case HONE_CAUSE_OCCUPANCY:
        occupancy_words(out, cause, explained);
        break;
    case HONE_CAUSE_TAIL:
        tail_words(out, cause, explained);
        break;
    case HONE_CAUSE_FEW_BLOCKS:
        few_words(out, cause);
        break;
    case HONE_CAUSE_DIVERGENCE:
        divergence_words(out, cause);
        break;
    case HONE_CAUSE_COUNT:
        break;
    }
}

/* --- the roles of warps --- */

static void busy_units_words(struct hone_strbuf *out, const struct hone_roles *roles)
{
    size_t named = 0;
    hone_strbuf_add(out, "Busy in the simulated time: ");
    for (int i = 0; i < HONE_ROLE_UNITS; i++)
        if (roles->busy[i] >= hone_role_busy)
            hone_strbuf_printf(out, "%s%s %.0f %%", named++ ? ", " : "",
                               hone_role_text((enum hone_role_limit)i),
                               100 * roles->busy[i]);
    hone_strbuf_add(out, ".");
}

static void waiting_words(struct hone_strbuf *out, const struct hone_roles *roles)
{
    const bool producer = roles->limit == HONE_ROLE_PRODUCER;
    hone_strbuf_printf(out,
                       "No unit is busy. Warps that multiply wait for copies %.0f %% of "
                       "the simulated time, warps that copy wait for room %.0f %%: %s",
                       100 * roles->multiply_waits, 100 * roles->copy_waits,
                       producer
                           ? "data comes too late, by latency or because too little "
                             "is on its way."
                           : "what the multiplying warps do besides, such as their "
                             "epilogue or waits for their products, takes the time.");
}

void hone_roles_words(struct hone_strbuf *out, const struct hone_explained *explained)
{
    struct hone_roles roles;
    if (!explained->counted || !hone_roles_find(&roles, explained->counted)) return;
    if (roles.limit < HONE_ROLE_PRODUCER)
        busy_units_words(out, &roles);
    else
        waiting_words(out, &roles);
}

/* --- the roofline --- */

void hone_roofline_words(struct hone_strbuf *out, const struct hone_explained *explained)
{
    const struct hone_usage *usage = &explained->usage;
    const struct hone_work *work = &usage->work;
    if (!(usage->roof_share > 0)) return;
    if (work->flops > 0)
        hone_strbuf_printf(out, "%s GFLOP/s",
                           hone_plain(work->flops / usage->us * 1e-3, 4).text);
    if (work->bytes > 0)
        hone_strbuf_printf(out, "%s%s GB/s", work->flops > 0 ? ", " : "",
                           hone_plain(work->bytes / usage->us * 1e-3, 4).text);
    if (work->flops > 0 && work->bytes > 0)
        hone_strbuf_printf(out, ", %s operations a byte",
                           hone_plain(work->flops / work->bytes, 3).text);
    hone_strbuf_printf(out, ": %.0f %% of the roof over it, that of %s",
                       100 * usage->roof_share,
                       usage->roof_is_memory ? "memory" : "arithmetic");
    if (usage->beyond_fp32)
        hone_strbuf_add(out, "; arithmetic is beyond the roof of fp32");
    if (!usage->roof_is_memory)
        hone_strbuf_printf(out, " (%s GFLOP/s)", hone_plain(usage->roof_gflops, 4).text);
}
