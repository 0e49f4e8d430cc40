/* What expressions of a journal give for a configuration, a problem and a device, with
 * the tuner's own evaluation. */
#ifndef HONE_EMIT_ASK_H
#define HONE_EMIT_ASK_H

#include "emit_plan.h"
#include "formula.h"

/* What expressions may read. Set plan, gpu and problem, the rest {0}; release it with
 * hone_emit_query_fini. */
struct emit_query {
    const struct emit_plan *plan;
    const struct hone_limits *gpu;
    const struct hone_value *problem;
    const struct emit_config *config; /* by hone_emit_query_config */
    /* The derived values computed so far, each once. */
    struct emit_walk walk;
    struct hone_value *values;
    bool *known;
    size_t steps; /* expressions evaluated */
};
void hone_emit_query_fini(struct emit_query *q);
/* From now on the values are those of config. */
void hone_emit_query_config(struct emit_query *q, const struct emit_config *config);

/* False: there is no value, or no memory. */
bool hone_emit_evaluate(struct emit_query *q, const struct emit_formula *formula,
                        struct hone_value *value);
bool hone_emit_evaluate_text(struct emit_query *q, const char *text,
                             struct hone_value *value);

/* Has an expression that reads the parameters alone an integer that is not 0 in each
 * configuration? */
bool hone_emit_never_zero(struct emit_plan *plan, const char *text);

#endif
