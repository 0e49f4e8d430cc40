/* Which sizes a written header has nothing for. */
#ifndef HONE_CLI_COVERAGE_H
#define HONE_CLI_COVERAGE_H

#include <stdio.h>

#include "report/values.h"

/* "  coverage ...": a line, and one for each gap. */
void cli_print_coverage(FILE *file, const struct hone_coverage *coverage);

#endif
