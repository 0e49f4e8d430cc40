// One configuration for each architecture, for what is decided by the compiler, which
// knows neither devices of one architecture apart nor sizes: a header of macros, and
// constants for templates.
#include <inttypes.h>

#include "base/quantity.h"
#include "base/sink.h"
#include "emit_sections.h"
#include "emit_text.h"
#include "failed.h"
#include "wrap.h"

/* A row of such a header: the first device of a compute capability. */
struct arch {
    int64_t cc; // 80 for 8.0; 0: unknown
    const struct emit_group *group;
    size_t config;
};

enum { ARCHS_MOST = 64 };

static size_t find_archs(struct arch archs[ARCHS_MOST], const struct emit_plan *plan)
{
    size_t count = 0;
    for (size_t d = 0; d < plan->device_count && count < ARCHS_MOST; d++) {
        const struct hone_limits *limits = plan->devices[d].info->limits;
        const struct emit_group *group = &plan->groups[plan->devices[d].first];
        const int64_t cc = limits ? 10 * limits->cc_major + limits->cc_minor : 0;
        if (count && archs[count - 1].cc == cc) continue;
        archs[count++] = (struct arch){cc, group, group->configs[0]};
    }
    return count;
}

static void print_arch_comment(struct hone_strbuf *out, const struct emit_plan *plan,
                               const struct arch *arch, size_t number)
{
    const struct emit_row *row = &plan->rows[arch->group->first];
    struct hone_strbuf line = HONE_STRBUF_INIT;
    hone_strbuf_printf(&line, "Row %zu: %s", number,
                       row->info->device_name ? row->info->device_name : "any GPU");
    if (arch->cc)
        hone_strbuf_printf(&line, " (compute capability %" PRId64 ".%" PRId64 ")",
                           arch->cc / 10, arch->cc % 10);
    if (arch->group->count > 1) {
        hone_strbuf_printf(&line, ", the best on average for %zu problems",
                           arch->group->count);
    } else if (plan->times != HONE_TIME_NONE) {
        hone_strbuf_add(&line, hone_emit_is_asked(plan) ? ", " : "");
        hone_emit_add_problem(&line, plan, row->info, false);
        hone_strbuf_printf(&line, ", %s us%s", hone_plain(row->time, 6).text,
                           plan->times == HONE_TIME_PREDICTED ? " (predicted)" : "");
    }
    hone_strbuf_add(out, " * ");
    hone_sink_comment(out, line.data);
    hone_strbuf_add(out, "\n");
    out->failed |= line.failed;
    hone_strbuf_fini(&line);
}

// The constraints that a table asks of a GPU and a size.
static void print_unchecked(struct hone_strbuf *out, const struct emit_plan *plan)
{
    size_t count = 0;
    for (size_t i = 0; i < plan->fit_count; i++) {
        if (plan->fits[i].of != EMIT_FIT_TRUTH) continue;
        hone_strbuf_add(out, count++ ? "; " : " * What must hold, and nothing checks: ");
        hone_sink_comment(out, plan->fits[i].name);
    }
    hone_strbuf_add(out, count ? ".\n" : "");
}

static void print_comment(struct hone_strbuf *out, const struct emit_plan *plan,
                          const struct arch *archs, size_t count)
{
    hone_emit_opening(out, plan, EMIT_AS_MACROS);
    hone_strbuf_printf(out, " * %s.%s\n", hone_emit_times_head(plan),
                       count > 1 ? "" : " Used on every GPU and size without checking.");
    print_unchecked(out, plan);
    hone_emit_fixed_comment(out, plan);
    hone_emit_failed_comment(out, plan);
    for (size_t i = 0; i < count; i++)
        print_arch_comment(out, plan, &archs[i], i);
    if (count > 1)
        hone_emit_put(
            out, plan,
            " * Device code gets the row of its architecture, the host row 0: as macros "
            "tell neither devices\n"
            " * nor sizes apart, host code that launches is compiled with -D$N_ROW=n for "
            "one of them.\n");
    struct hone_strbuf more = HONE_STRBUF_INIT;
    hone_emit_other_defines(&more, plan);
    if (more.len) hone_emit_put(out, plan, " * The template is compiled with $N_DEFINES");
    hone_strbuf_add_bytes(out, more.data, more.len);
    hone_strbuf_add(out, more.len ? ".\n" : "");
    out->failed |= more.failed;
    hone_strbuf_fini(&more);
    hone_strbuf_add(out, " */\n");
}

// The row of an architecture that has none is that of the next lower one, or the first.
static void print_choice(struct hone_strbuf *out, const struct emit_plan *plan,
                         const struct arch *archs, size_t count)
{
    if (count == 1) {
        struct emit_slots none = {.count = 0};
        hone_emit_lines(out, plan, hone_text_macros_row, "", &none);
        return;
    }
    hone_emit_put(out, plan, "#ifndef $N_ROW\n");
    for (size_t i = count; i-- > 1;)
        hone_strbuf_printf(out,
                           "#%s defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= %" PRId64
                           "\n#define %s_ROW %zu\n",
                           i + 1 == count ? "if" : "elif", 10 * archs[i].cc, plan->upper,
                           i);
    hone_emit_put(out, plan, "#else\n#define $N_ROW 0\n#endif\n#endif\n");
}

void hone_emit_macro_rows(struct hone_strbuf *out, const struct emit_plan *plan)
{
    struct arch archs[ARCHS_MOST];
    const size_t count = find_archs(archs, plan);
    struct hone_strbuf text = HONE_STRBUF_INIT;
    print_comment(&text, plan, archs, count);
    print_choice(&text, plan, archs, count);
    for (size_t i = 0; i < count; i++) {
        if (count > 1) {
            hone_emit_put(&text, plan, i ? "#elif $N_ROW" : "#if $N_ROW");
            hone_strbuf_printf(&text, " == %zu\n", i);
        }
        hone_emit_config_macros(&text, plan, archs[i].config);
    }
    if (count > 1)
        hone_emit_put(&text, plan,
                      "#else\n#error \"$N_ROW is the number of no row\"\n#endif\n");
    hone_emit_untuned_macro(&text, plan);
    hone_emit_wrap(out, text.data);
    out->failed |= text.failed;
    hone_strbuf_fini(&text);
}

static void add_config_of_cc(struct hone_strbuf *out, const struct emit_plan *plan,
                             const struct arch *archs, size_t count)
{
    for (size_t i = count; i-- > 0;) {
        if (i)
            hone_strbuf_printf(out, "\n    cc >= %" PRId64 " ? %s_config", archs[i].cc,
                               plan->name);
        else
            hone_emit_put(out, plan, count > 1 ? "\n    $n_config" : "\n    ");
        hone_emit_config(out, plan, archs[i].config);
        hone_strbuf_add(out, i ? " :" : "");
    }
}

void hone_emit_constexpr(struct hone_strbuf *out, const struct emit_plan *plan)
{
    struct arch archs[ARCHS_MOST];
    struct emit_slots slots = {.count = 0};
    const size_t count = find_archs(archs, plan);
    add_config_of_cc(hone_emit_slot(&slots, "CC_CONFIG"), plan, archs, count);
    hone_strbuf_add(hone_emit_slot(&slots, "IF_NONE"),
                    count > 1 ? "of the next lower cc else" : "one for every cc");
    hone_emit_lines(out, plan, hone_text_arch, "", &slots);
}
