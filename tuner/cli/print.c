#include "print.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "evaluate/sizes.h"
#include "render/toolkit.h"
#include "terminal/curve.h"
#include "tuning/installed_kernels.h"
#include "tuning/verification.h"

void cli_print_sizes(FILE *file, const struct hone_size_counts *sizes, uint64_t seed)
{
    if (!sizes->drawn) return;
    fprintf(file, "  verified at %zu size%s of the script and %zu drawn by seed %llu\n",
            sizes->named, sizes->named == 1 ? "" : "s", sizes->drawn,
            (unsigned long long)seed);
}

void cli_print_skips(FILE *file, const struct hone_kernel_def *def, size_t size,
                     size_t count, bool best)
{
    char where[256];
    if (!count) return;
    hone_problem_describe(where, sizeof where, def, &def->verify[size]);
    fprintf(file, "  not run at %s: %zu%s, by their constraints\n", where, count,
            best ? ", the best among them" : "");
}

// A grid along another axis than the kernel's.
static void print_axes(FILE *file, const struct hone_kernel *kernel)
{
    const struct hone_kernel_def *def = hone_kernel_get_def(kernel);
    for (size_t i = 0; i < 3; i++) {
        const enum hone_axis_use use = hone_kernel_axis_use(kernel, i);
        const bool single = use == HONE_AXIS_SINGLE;
        const char axis = "xyz"[i];
        if (use != HONE_AXIS_FITS)
            fprintf(file,
                    "  the launch (%s:%d) has %s along %c, the template %s blockIdx.%c\n",
                    def->source, def->launch.line, single ? "one block" : "blocks", axis,
                    single ? "reads" : "never reads", axis);
    }
}

void cli_print_hidden(FILE *file, const struct hone_kernel *kernel,
                      const size_t outcomes[HONE_OUTCOME_COUNT])
{
    const struct hone_kernel_def *def = kernel ? hone_kernel_get_def(kernel) : NULL;
    if (!def || !outcomes[HONE_WRONG_RESULT]) return;
    for (size_t i = 0; i < def->space.param_count; i++)
        if (def->space.params[i].count > 1 && hone_kernel_hides(kernel, i))
            fprintf(
                file,
                "  the launch depends on %s (%s:%d), the template never uses it: is its "
                "value spelled out?\n",
                def->space.params[i].name, def->source, def->space.line);
    print_axes(file, kernel);
}

void cli_print_no_macro(FILE *file, const struct hone_kernel_def *def, const char *reason)
{
    const struct hone_lost_name lost = hone_lost_name(def, reason);
    if (lost.derived)
        fprintf(file,
                "      %s is derived in the script (%s:%d), and no macro of the "
                "template: define it there, as (%s)\n",
                lost.name, def->source, lost.derived->line, lost.derived->text);
    if (lost.is_size)
        fprintf(file,
                "      %s is a size of the script: pass it as an argument, or name it in "
                "defines\n",
                lost.name);
}

void cli_print_missing_header(FILE *file, const char *reason)
{
    static const char start[] = "cannot find included file '";
    char header[256], advice[512];
    const char *name = strstr(reason, start);
    if (!name || strstr(reason, "in the script finds it") ||
        strstr(reason, "__CUDACC_RTC__"))
        return;
    name += strlen(start);
    snprintf(header, sizeof header, "%.*s", (int)strcspn(name, "'"), name);
    hone_toolkit_advise(advice, sizeof advice, header);
    if (*advice) fprintf(file, "      %s\n", advice + strlen("; "));
}

void cli_print_sections(FILE *file, const struct hone_sections *sections)
{
    struct hone_strbuf text = HONE_STRBUF_INIT;
    hone_sections_text(&text, sections, hone_docs_path("troubleshooting.md").text);
    if (text.len) fprintf(file, "  see %s\n", text.data);
    hone_strbuf_fini(&text);
}

void cli_print_waivers(FILE *file, const struct hone_waiver *waivers, size_t count,
                       const size_t configurations[HONE_WAIVER_MAX])
{
    for (size_t i = 0; i < count; i++) {
        char text[256];
        hone_waiver_text(text, sizeof text, &waivers[i]);
        if (configurations[i])
            fprintf(file, "  waived: %s in %zu configuration%s: %s\n", text,
                    configurations[i], configurations[i] == 1 ? "" : "s",
                    waivers[i].reason);
    }
}

enum hone_style cli_outcome_style(enum hone_outcome outcome)
{
    if (outcome == HONE_VALID) return HONE_STYLE_GOOD;
    return hone_outcome_is_failure(outcome) ? HONE_STYLE_BAD : HONE_STYLE_PLAIN;
}

void cli_add_outcomes(struct hone_styled *out, const size_t outcomes[HONE_OUTCOME_COUNT])
{
    const char *separator = "";
    for (int i = 0; i < HONE_OUTCOME_COUNT; i++) {
        const enum hone_outcome outcome = (enum hone_outcome)i;
        if (!outcomes[i]) continue;
        hone_styled_add(out, HONE_STYLE_PLAIN, "%s", separator);
        hone_styled_add(out, cli_outcome_style(outcome), "%zu %s", outcomes[i],
                        hone_outcome_name(outcome));
        separator = ", ";
    }
}

void cli_print_outcomes(FILE *file, const size_t outcomes[HONE_OUTCOME_COUNT])
{
    struct hone_styled text = HONE_STYLED_INIT;
    cli_add_outcomes(&text, outcomes);
    hone_styled_add(&text, HONE_STYLE_PLAIN, text.count ? "\n" : "none\n");
    cli_print_text(file, &text);
}

void cli_add_curve(struct hone_strbuf *out, const struct hone_following_step *steps,
                   size_t count, size_t done, int columns, int rows)
{
    if (rows < HONE_CURVE_LEAST_ROWS || columns < HONE_CURVE_LEAST_COLUMNS) return;
    struct hone_curve_step *drawn = calloc(count + 1, sizeof *drawn);
    const struct hone_curve curve = {done, drawn, drawn ? count : 0};
    for (size_t i = 0; i < curve.count; i++)
        drawn[i] = (struct hone_curve_step){steps[i].trial, steps[i].cost};
    hone_curve_text(out, &curve, (size_t)columns, (size_t)rows, hone_shows_utf8());
    free(drawn);
}

// Does a GPU that lacks one of the gap's problems lack them all?
static bool lacks_all_alike(const struct hone_coverage *coverage,
                            const struct hone_coverage_gap *gap)
{
    for (size_t d = 0; d < coverage->device_count; d++)
        if (gap->missing[d] && gap->missing[d] != gap->problems) return false;
    return true;
}

// "compute capability 7.0, 7.5": what names have in common is printed once.
static void print_gpus(FILE *file, const char *begin, const char *const *names,
                       size_t count)
{
    static const char common[] = "compute capability ";
    bool again = false;
    for (size_t i = 0; i < count; i++) {
        const bool is_common = strncmp(names[i], common, sizeof common - 1) == 0;
        fprintf(file, "%s%s", i ? ", " : begin,
                names[i] + (again && is_common ? sizeof common - 1 : 0));
        again = is_common;
    }
}

static void print_gap(FILE *file, const struct hone_coverage *coverage,
                      const struct hone_coverage_gap *gap)
{
    const bool alike = lacks_all_alike(coverage, gap);
    fprintf(file, "    %s", gap->what);
    if (*gap->problem) fprintf(file, " (%s", gap->problem);
    if (*gap->problem && gap->problems > 1)
        fprintf(file, ", and %zu more", gap->problems - 1);
    fprintf(file, *gap->problem ? "): " : ": ");
    if (alike && gap->device_count + coverage->without_count == coverage->device_count)
        fprintf(file, "on no GPU");
    else
        print_gpus(file, alike ? "not on " : "some not on ", gap->devices,
                   gap->device_count);
    fprintf(file, "\n");
}

// On how many GPUs all sizes have a configuration that have one somewhere.
static void print_served(FILE *file, const struct hone_coverage *coverage)
{
    const size_t asked = coverage->device_count, some = asked - coverage->without_count;
    fprintf(file, "  coverage: %zu of %zu sizes have a configuration on ",
            some ? coverage->asked - hone_coverage_missed(coverage) : 0, coverage->asked);
    if (asked == 1)
        fprintf(file, "the one GPU asked");
    else if (some == asked)
        fprintf(file, "each of %zu GPUs asked", asked);
    else
        fprintf(file, "%s%zu of %zu GPUs asked", some > 1 ? "each of " : "", some, asked);
}

void cli_print_coverage(FILE *file, const struct hone_coverage *coverage)
{
    const bool lacks = coverage->gap_count || coverage->without_count;
    if (!coverage->device_count && !coverage->without_image_count) return;
    if (coverage->device_count)
        print_served(file, coverage);
    else
        fprintf(file, "  coverage: none of %zu GPUs asked has an image",
                coverage->without_image_count);
    fprintf(file, lacks ? "; none for\n" : "\n");
    if (coverage->without_count) {
        print_gpus(file, "    any size: not on ", coverage->without,
                   coverage->without_count);
        fprintf(file, "\n");
    }
    for (size_t i = 0; i < coverage->gap_count; i++)
        print_gap(file, coverage, &coverage->gaps[i]);
    if (lacks)
        fprintf(file,
                "    constraints, arguments or launches forbid it: tune such sizes too "
                "where another\n    configuration can run (--problems), or expect "
                "null\n");
    print_gpus(file, "    no image for ", coverage->without_image,
               coverage->without_image_count);
    if (coverage->without_image_count) fprintf(file, ": --arch gives more\n");
}

void cli_print_coverage_beside(const char *path, const struct hone_coverage *coverage)
{
    const bool alone = hone_path_is_stdout(path);
    if (!alone || coverage->gap_count || coverage->without_count ||
        coverage->without_image_count)
        cli_print_coverage(alone ? stderr : stdout, coverage);
}
