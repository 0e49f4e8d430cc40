/* An explanation as people read it. */
#ifndef HONE_CLI_EXPLAIN_H
#define HONE_CLI_EXPLAIN_H

#include "report/explanation.h"

/* shapes: NULL where they were not asked for. */
void cli_print_explanation(const struct hone_explanation *e,
                           const struct hone_shapes *shapes);

#endif
