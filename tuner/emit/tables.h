/* The tables of a header as the tuner has them: table.c prints them, and the text of the
 * selection, compiled for the tuner, reads them (dispatch.c). Numbers are places in the
 * tables. All live in the plan's arena. */
#ifndef HONE_EMIT_TABLES_H
#define HONE_EMIT_TABLES_H

#include "emit_plan.h"

struct emit_table_device {
    struct hone_limits gpu; /* all 0: not known */
    int first, count;       /* groups */
};

struct emit_table_group {
    const struct emit_group *of;
    int first, count, tree;    /* rows; its first node, -1, or -2 less a model's place */
    int configs, config_count; /* in preferences, the best first */
};

struct emit_table_row {
    int config;
    const struct hone_constant *problem; /* [problem_count of the kernel] */
    const int *lg;                       /* [sizes] */
};

struct emit_tables {
    const struct emit_plan *plan;
    struct emit_table_device *devices;
    struct hone_limits least; /* of each limit, over the devices */
    struct emit_table_group *groups;
    struct emit_table_row *rows;
    struct emit_node *nodes; /* of all trees */
    int *models;             /* of all: how many configurations, then theirs */
    int *preferences;        /* of all groups */
    size_t node_count, model_count;
};

/* select_print.c: whether any group's rule is a tree, or a model. */
bool hone_emit_has_trees(const struct emit_plan *plan);
bool hone_emit_has_models(const struct emit_plan *plan);

/* coverage.c: where nothing of the plan runs; release out with hone_coverage_fini. */
struct hone_coverage;
struct hone_coverage_named;
enum hone_status hone_emit_survey(struct hone_coverage *out, const struct emit_plan *plan,
                                  const struct hone_coverage_named *named);

#endif
