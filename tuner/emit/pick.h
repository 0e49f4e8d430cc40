/* Few configurations for many problems: the pick, and the rule that says which of them
 * serves a problem. Both see only a matrix of slowdowns and the sizes of the problems. */
#ifndef HONE_EMIT_PICK_H
#define HONE_EMIT_PICK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "hone/status.h"

/* How much longer each configuration takes on each problem than the best there:
 * 0.05 for 5 %. INFINITY where it is not known or not valid. */
struct emit_matrix {
    size_t configs, problems;
    const double *regret; /* [configs][problems] */
    const double *weight; /* [problems] above 0 */
    const bool *seen;     /* [configs][problems] were results compared; NULL: nowhere */
    double enough;        /* weighted regrets up to this are as good; 0: 1 % */
};

static inline double emit_regret(const struct emit_matrix *m, size_t config,
                                 size_t problem)
{
    return m->regret[config * m->problems + problem];
}

static inline bool emit_is_seen(const struct emit_matrix *m, size_t config,
                                size_t problem)
{
    return m->seen && m->seen[config * m->problems + problem];
}

/* The fewest configurations, at most `most`, under which the worst weighted regret is as
 * small as `most` of them can make it, or m->enough where they can make it smaller; of
 * such sets one of small mean. The worst of a set is minimised as the bottleneck problem
 * it is (Hochbaum and Shmoys, JACM 33, 1986): the least threshold under which a set cover
 * of that size exists. Covers are exact up to 64 problems (branch and bound on the
 * problem with the fewest configurations), greedy beyond (Chvatal, 1979); the mean is
 * lowered by exchanging one for one (Teitz and Bart, 1968). Where results of one that is
 * no slower were compared, it is chosen as well, up to `most`. Problems that no `most`
 * configurations cover together are left out, the least weight of them that the greedy
 * cover finds. use: problems that count; NULL: all. */
enum hone_status hone_emit_pick(bool *chosen, const struct emit_matrix *m,
                                const bool *use, size_t most, struct hone_arena *scratch);

/* The chosen configuration of least regret on a problem, of equals one whose results
 * there were compared; configs where none is known. */
size_t hone_emit_best_of(const struct emit_matrix *m, const bool *chosen, size_t problem);

/* Fewer problems bear no 95 % interval: their extremes hold the median between them with
 * a chance of 1 - 2^(1 - n), 94 % for 5, whatever the distribution. */
enum { EMIT_INTERVAL_LEAST = 6 };

/* Weighted mean and greatest weighted regret over problems of known regret. */
struct emit_estimate {
    double mean, low,
        high;            /* with a 95 % interval by Student's t; NAN under 2 problems */
    double worst;        /* not weighted */
    size_t known, asked; /* problems: with a known regret, and all */
    double each[EMIT_INTERVAL_LEAST - 1]; /* the first of those known */
};
struct emit_estimate hone_emit_estimate_of(const double *regrets, const double *weights,
                                           size_t count);

/* --- rules over sizes --- */

/* Binary logarithms of sizes, in 1/65536: exact at powers of two and linear between them
 * (Mitchell, 1962), so that every machine computes the same. */
int hone_emit_lg(long long size);

struct emit_points {
    size_t count, sizes;
    const int *lg; /* [count][sizes] */
};

/* A feature is the logarithm of size a (b: EMIT_ALONE), the sum of all (EMIT_SUM), or the
 * difference of sizes a and b. Up to `at`: on to low, else to high, which are nodes or,
 * negative, ~number of a configuration. */
enum { EMIT_ALONE = -1, EMIT_SUM = -2 };
struct emit_node {
    int a, b, at, low, high;
};

/* What serves a problem that was not tuned: the configuration of the nearest one that
 * was, a decision tree's, or that of the least time by a model. */
struct emit_rule {
    struct emit_node *nodes; /* of a tree */
    size_t node_count;
    int *model; /* [model_count][model_width]: a configuration, then its weights */
    size_t model_count, model_width;
};

enum { EMIT_NEAREST_MOST = 24, EMIT_TREE_DEEPEST = 6, EMIT_MODEL_SIZES = 4 };

int hone_emit_feature(const int *lg, size_t sizes, int a, int b);
size_t hone_emit_tree_choose(const struct emit_node *nodes, const int *lg, size_t sizes);
/* Returns the number of the nearest point in use (NULL: all), the first of equals. */
size_t hone_emit_nearest(const struct emit_points *points, const bool *use,
                         const int *lg);

/* A regression tree in the sense of CART (Breiman et al., 1984) whose leaves hold the
 * chosen configuration of least weighted regret; depth 1 is a leaf. */
enum hone_status hone_emit_tree_fit(struct emit_rule *rule, const struct emit_matrix *m,
                                    const struct emit_points *points, const bool *use,
                                    const bool *chosen, size_t depth,
                                    struct hone_arena *arena);

/* The model of each chosen configuration: the logarithm of its slowdown, twice the time
 * or the worst known one where it is `unknown`, as a quadratic function of at most
 * EMIT_MODEL_SIZES logarithms of sizes. */
enum hone_status hone_emit_model_fit(struct emit_rule *rule, const struct emit_matrix *m,
                                     const struct emit_points *points, const bool *use,
                                     const bool *chosen, double unknown,
                                     struct hone_arena *arena);
size_t hone_emit_model_choose(const struct emit_rule *rule, const int *lg, size_t sizes);

/* Choose the rule by its regret on problems that neither pick nor rule has seen: each
 * left out in turn, or a tenth of them beyond 16. Equal ones go to the simpler. The
 * estimate is of the whole procedure, on problems that had no part in it; its interval
 * is Student's, widened because the rules behind it share most of their problems. */
enum hone_status
hone_emit_rule_choose(struct emit_rule *rule, struct emit_estimate *estimate,
                      const struct emit_matrix *m, const struct emit_points *points,
                      const bool *chosen, size_t most, struct hone_arena *arena);

#endif
