/* Which sizes a written header has nothing for, for people and machines. */
#ifndef HONE_CLI_COVERAGE_H
#define HONE_CLI_COVERAGE_H

#include <stdio.h>

#include "emit/coverage.h"

struct json_t;

/* "  coverage ...": a line, and one for each gap. */
void cli_print_coverage(FILE *file, const struct hone_coverage *coverage);
struct json_t *cli_coverage_json(const struct hone_coverage *coverage);

#endif
