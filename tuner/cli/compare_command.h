/* hone compare, between its files: compare.c runs it, compare_print.c tells. */
#ifndef HONE_CLI_COMPARE_COMMAND_H
#define HONE_CLI_COMPARE_COMMAND_H

#include "tuning/comparison.h"

/* What is printed, and how the rows are judged that may pass. */
struct compare {
    const char *path; /* of the header or journal */
    bool strict;      /* AMBIGUOUS rows, and those that are overtaken, fail too */
    struct hone_comparison found;
};

void compare_print_text(const struct compare *compare);

#endif
