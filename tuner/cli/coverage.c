#include "coverage.h"

static void print_gap(FILE *file, const struct hone_coverage *coverage,
                      const struct hone_coverage_gap *gap)
{
    fprintf(file, "    %s", gap->what);
    if (*gap->problem) fprintf(file, " (%s)", gap->problem);
    if (gap->device_count == coverage->device_count) {
        fprintf(file, ": on no GPU\n");
        return;
    }
    for (size_t i = 0; i < gap->device_count; i++)
        fprintf(file, "%s%s", i ? ", " : ": not on ", gap->devices[i]);
    fprintf(file, "\n");
}

void cli_print_coverage(FILE *file, const struct hone_coverage *coverage)
{
    size_t missed = 0;
    for (size_t i = 0; i < coverage->gap_count; i++)
        missed += coverage->gaps[i].problems;
    fprintf(file, "  coverage: %zu of %zu sizes run on all of %zu GPUs asked%s\n",
            coverage->asked - missed, coverage->asked, coverage->device_count,
            missed ? "; nothing runs for" : "");
    for (size_t i = 0; i < coverage->gap_count; i++)
        print_gap(file, coverage, &coverage->gaps[i]);
}
