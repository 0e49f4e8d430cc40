#include "print.h"

#include <stdio.h>

#include "evaluate/sizes.h"
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

void cli_print_outcomes(FILE *file, const size_t outcomes[HONE_OUTCOME_COUNT])
{
    const char *separator = "";
    for (int i = 0; i < HONE_OUTCOME_COUNT; i++) {
        const enum hone_outcome outcome = (enum hone_outcome)i;
        if (!outcomes[i]) continue;
        fputs(separator, file);
        cli_print_styled(file, cli_outcome_style(outcome), "%zu %s", outcomes[i],
                         hone_outcome_name(outcome));
        separator = ", ";
    }
    if (!*separator) fputs("none", file);
}
