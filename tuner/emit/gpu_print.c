// What a header knows of a GPU that it is asked for: that of its devices, or what follows
// from a compute capability.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "emit_launch.h"
#include "emit_sections.h"
#include "emit_text.h"

// The i-th compute capability that is known; 0 past the last.
static int arch_cc(size_t i)
{
    const struct hone_arch *arch = hone_arch_at(i);
    return arch ? arch->cc : 0;
}

int64_t hone_emit_shared_of(int64_t cc)
{
    struct hone_limits limits = {0};
    hone_arch_limits(&limits, cc / 10, cc % 10);
    return limits.max_shared_bytes;
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
    hone_strbuf_add(out, first ? "       " : "");
    for (size_t k = i; arch_cc(k) && first; k++) {
        hone_strbuf_clear(&other);
        add_facts(&other, plan, arch_cc(k));
        if (strcmp(own.data, other.data) == 0)
            hone_strbuf_printf(out, " case %d:", arch_cc(k));
    }
    if (first) hone_strbuf_printf(out, "\n            %sbreak;\n", own.data);
    out->failed |= own.failed || other.failed;
    hone_strbuf_fini(&own);
    hone_strbuf_fini(&other);
}

// Whether shared memory is all that follows from a compute capability here.
static bool is_shared_alone(const struct emit_plan *plan)
{
    struct hone_strbuf facts = HONE_STRBUF_INIT;
    add_facts(&facts, plan, 0);
    const bool alone = facts.failed || !strstr(facts.data, "; gpu.");
    hone_strbuf_fini(&facts);
    return alone;
}

// Whether a constraint asks for the shared memory of a GPU, or a configuration wants more
// than all have.
static bool is_shared_read(const struct emit_plan *plan)
{
    for (size_t i = 0; i < plan->gpu_field_count; i++)
        if (strcmp(plan->gpu_fields[i], "max_shared_bytes") == 0) return true;
    return hone_emit_asks_shared(plan);
}

// "cc == 70 || cc == 72 ? 98304 : ", of the i-th and those that have as much.
static void print_shared_of(struct hone_strbuf *out, size_t i)
{
    const int64_t bytes = hone_emit_shared_of(arch_cc(i));
    for (size_t k = 0; k < i; k++)
        if (hone_emit_shared_of(arch_cc(k)) == bytes) return;
    for (size_t k = i; arch_cc(k); k++)
        if (hone_emit_shared_of(arch_cc(k)) == bytes)
            hone_strbuf_printf(out, "%scc == %d", k > i ? " || " : "", arch_cc(k));
    hone_strbuf_printf(out, " ? %" PRId64 " : ", bytes);
}

// The cases of a switch over compute capabilities.
static void print_facts(struct hone_strbuf *out, const struct emit_plan *plan)
{
    hone_strbuf_add(out, "        switch (cc) {\n");
    for (size_t i = 0; arch_cc(i); i++)
        print_cases(out, plan, i);
    hone_strbuf_add(out, "        default:\n            ");
    add_facts(out, plan, 0);
    hone_strbuf_add(out, "break;\n        }\n");
}

static void print_shared(struct hone_strbuf *out)
{
    for (size_t i = 0; arch_cc(i); i++)
        print_shared_of(out, i);
    hone_strbuf_printf(out, "%" PRId64, hone_emit_shared_of(0));
}

void hone_emit_print_gpu_of(struct hone_strbuf *out, const struct emit_plan *plan)
{
    struct emit_slots slots = {.count = 0};
    const bool is_one = plan->device_count == 1, is_shared = is_shared_alone(plan);
    const bool is_read = !is_shared || is_shared_read(plan);
    char words[32];
    hone_emit_put(hone_emit_slot(&slots, "LEAST_GPU"), plan,
                  is_one ? "$n_devices[0].gpu" : "$n_least_gpu");
    hone_strbuf_add(hone_emit_slot(&slots, "IS_UNKNOWN"),
                    is_one ? "cc_major != gpu.cc_major || cc_minor != gpu.cc_minor"
                           : "!found");
    if (is_read && is_shared)
        print_shared(hone_emit_slot(&slots, "SHARED_OF_CC"));
    else if (is_read)
        print_facts(hone_emit_slot(&slots, "FACTS_OF_CC"), plan);
    snprintf(words, sizeof words, "%s%s", is_one ? "" : "devices ",
             !is_read    ? "unread "
             : is_shared ? "read shared "
                         : "read facts ");
    hone_emit_part_with(out, plan, hone_text_gpu, words, &slots);
}
