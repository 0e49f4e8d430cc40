// Rules over problem sizes: the nearest tuned problem, decision trees, and the choice
// between them by problems left out.
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pick.h"

int hone_emit_feature(const int *lg, size_t sizes, int a, int b)
{
    if (b == EMIT_ALONE) return lg[a];
    if (b >= 0) return lg[a] - lg[b];
    int sum = 0;
    for (size_t i = 0; i < sizes; i++)
        sum += lg[i];
    return sum;
}

size_t hone_emit_nearest(const struct emit_points *points, const bool *use, const int *lg)
{
    size_t best = 0;
    long long least = LLONG_MAX;
    for (size_t i = 0; i < points->count; i++) {
        long long distance = 0;
        if (use && !use[i]) continue;
        for (size_t k = 0; k < points->sizes; k++) {
            const long long gap = (long long)lg[k] - points->lg[i * points->sizes + k];
            distance += gap * gap;
        }
        if (distance >= least) continue;
        least = distance;
        best = i;
    }
    return best;
}

/* --- trees --- */

struct keyed {
    int value; // of the feature
    size_t problem;
};

struct fit {
    const struct emit_matrix *m;
    const struct emit_points *points;
    const bool *chosen;
    struct emit_rule *rule;
    size_t cap;
    struct keyed *sorted; // scratch, [problems]
    double *sums;         // scratch, [configs]: of the problems below a threshold
    double *whole;        // scratch, [configs]: of all at the node
    double unknown;       // what a regret that is not known stands for
};

struct split {
    int a, b, at;
    double cost;
};

// What is not known is taken for the worst that is, and for twice the time at least.
static double unknown_regret(const struct emit_matrix *m)
{
    double worst = 1;
    for (size_t i = 0; i < m->configs * m->problems; i++)
        if (isfinite(m->regret[i])) worst = fmax(worst, m->regret[i]);
    return worst;
}

static void add_problem(const struct fit *f, double *sums, size_t problem)
{
    for (size_t i = 0; i < f->m->configs; i++) {
        const double regret = emit_regret(f->m, i, problem);
        sums[i] += f->m->weight[problem] * (isfinite(regret) ? regret : f->unknown);
    }
}

static size_t cheapest(const struct fit *f, const double *sums, const double *less,
                       double *cost)
{
    size_t best = 0;
    *cost = (double)INFINITY;
    for (size_t i = 0; i < f->m->configs; i++) {
        const double sum = sums[i] - (less ? less[i] : 0);
        if (!f->chosen[i] || !(sum < *cost)) continue;
        *cost = sum;
        best = i;
    }
    return best;
}

static int feature_of(const struct fit *f, size_t problem, int a, int b)
{
    const struct emit_points *points = f->points;
    return hone_emit_feature(points->lg + problem * points->sizes, points->sizes, a, b);
}

static int by_value(const void *left, const void *right)
{
    const struct keyed *a = left, *b = right;
    if (a->value != b->value) return a->value < b->value ? -1 : 1;
    return (a->problem > b->problem) - (a->problem < b->problem);
}

static void try_feature(const struct fit *f, const size_t *problems, size_t count,
                        struct split *best, const int feature[2])
{
    for (size_t i = 0; i < count; i++)
        f->sorted[i] = (struct keyed){feature_of(f, problems[i], feature[0], feature[1]),
                                      problems[i]};
    qsort(f->sorted, count, sizeof *f->sorted, by_value);
    memset(f->sums, 0, f->m->configs * sizeof *f->sums);
    for (size_t i = 0; i + 1 < count; i++) {
        double low, high;
        const int here = f->sorted[i].value, next = f->sorted[i + 1].value;
        add_problem(f, f->sums, f->sorted[i].problem);
        if (here == next) continue;
        cheapest(f, f->sums, NULL, &low);
        cheapest(f, f->whole, f->sums, &high);
        if (low + high < best->cost - 1e-9)
            *best = (struct split){feature[0], feature[1], here + (next - here) / 2,
                                   low + high};
    }
}

static struct split find_split(const struct fit *f, const size_t *problems, size_t count,
                               double cost)
{
    struct split best = {.cost = cost};
    const int sizes = (int)f->points->sizes;
    for (int a = 0; a < sizes; a++)
        try_feature(f, problems, count, &best, (const int[]){a, EMIT_ALONE});
    if (sizes > 1) try_feature(f, problems, count, &best, (const int[]){0, EMIT_SUM});
    for (int a = 0; a < sizes; a++)
        for (int b = a + 1; b < sizes; b++)
            try_feature(f, problems, count, &best, (const int[]){a, b});
    return best;
}

// Problems up to the threshold come first; returns how many.
static size_t part(const struct fit *f, size_t *problems, size_t count,
                   const struct split *split)
{
    size_t low = 0, high = 0;
    for (size_t i = 0; i < count; i++)
        if (feature_of(f, problems[i], split->a, split->b) <= split->at)
            problems[low++] = problems[i];
        else
            f->sorted[high++].problem = problems[i];
    for (size_t i = 0; i < high; i++)
        problems[low + i] = f->sorted[i].problem;
    return low;
}

// Returns the node, or ~configuration of a leaf.
static int grow(struct fit *f, size_t *problems, size_t count, size_t depth)
{
    double cost;
    memset(f->whole, 0, f->m->configs * sizeof *f->whole);
    for (size_t i = 0; i < count; i++)
        add_problem(f, f->whole, problems[i]);
    const size_t leaf = cheapest(f, f->whole, NULL, &cost);
    if (depth <= 1 || count < 2 || f->rule->node_count == f->cap) return ~(int)leaf;
    const struct split split = find_split(f, problems, count, cost);
    if (!(split.cost < cost)) return ~(int)leaf;
    const int number = (int)f->rule->node_count++;
    const size_t low = part(f, problems, count, &split);
    const int below = grow(f, problems, low, depth - 1);
    const int above = grow(f, problems + low, count - low, depth - 1);
    f->rule->nodes[number] = (struct emit_node){split.a, split.b, split.at, below, above};
    return number;
}

enum hone_status hone_emit_tree_fit(struct emit_rule *rule, const struct emit_matrix *m,
                                    const struct emit_points *points, const bool *use,
                                    const bool *chosen, size_t depth,
                                    struct hone_arena *arena)
{
    struct fit f = {.m = m,
                    .points = points,
                    .chosen = chosen,
                    .rule = rule,
                    .cap = (size_t)1 << EMIT_TREE_DEEPEST,
                    .unknown = unknown_regret(m)};
    size_t *problems = hone_arena_array(arena, m->problems, sizeof *problems);
    size_t count = 0;
    rule->node_count = 0;
    rule->nodes = hone_arena_array(arena, f.cap, sizeof *rule->nodes);
    f.sorted = hone_arena_array(arena, m->problems, sizeof *f.sorted);
    f.sums = hone_arena_array(arena, m->configs, sizeof *f.sums);
    f.whole = hone_arena_array(arena, m->configs, sizeof *f.whole);
    if (!problems || !rule->nodes || !f.sorted || !f.sums || !f.whole) return HONE_ENOMEM;
    for (size_t p = 0; p < m->problems; p++)
        if (!use || use[p]) problems[count++] = p;
    const int root = grow(&f, problems, count, depth);
    if (root < 0) // a leaf alone still needs a node to stand in
        rule->nodes[rule->node_count++] =
            (struct emit_node){0, EMIT_ALONE, INT_MAX, root, root};
    return HONE_OK;
}

/* --- the choice --- */

// In the order of their simplicity; 0 is the nearest problem, MODEL the model, else a
// tree of this depth.
enum { MODEL = 100 };
static const size_t kinds[] = {0, 1, 2, 3, 4, EMIT_TREE_DEEPEST, MODEL};
enum {
    KINDS = sizeof kinds / sizeof *kinds,
    FOLDS = 10,
    MODEL_LEAST = 8,
    ALL_OUT_MOST = 16
};

struct trial_run {
    const struct emit_matrix *m;
    const struct emit_points *points;
    size_t most;
    double unknown;
    bool *outer, *inner, *chosen; // problems in use, twice; configurations
    struct hone_arena scratch;
};

// Without sizes there is nothing to split by; many problems are not walked through.
static bool is_allowed(size_t kind, const struct emit_points *points)
{
    if (!points->sizes) return !kind;
    if (kind == MODEL)
        return points->sizes <= EMIT_MODEL_SIZES && points->count >= MODEL_LEAST;
    return kind || points->count <= EMIT_NEAREST_MOST;
}

// Each is a fold of its own where there are few.
static size_t fold_count(size_t problems)
{
    return problems <= ALL_OUT_MOST ? problems : FOLDS;
}

// Leaves the fold out of the problems in use (NULL: all); returns how many are
// in use.
static size_t leave_out(bool *out, const bool *use, size_t problems, size_t fold,
                        size_t folds)
{
    size_t count = 0;
    for (size_t p = 0; p < problems; p++) {
        const bool used = !use || use[p];
        out[p] = used && count % folds != fold;
        count += used;
    }
    return count;
}

static double regret_of(const struct trial_run *t, const struct emit_rule *rule,
                        const bool *use, size_t p)
{
    const int *lg = t->points->lg + p * t->points->sizes;
    size_t config;
    if (rule->nodes)
        config = hone_emit_tree_choose(rule->nodes, lg, t->points->sizes);
    else if (rule->model)
        config = hone_emit_model_choose(rule, lg, t->points->sizes);
    else
        config =
            hone_emit_best_of(t->m, t->chosen, hone_emit_nearest(t->points, use, lg));
    return config < t->m->configs ? emit_regret(t->m, config, p) : (double)INFINITY;
}

static enum hone_status fit_kind(struct trial_run *t, struct emit_rule *rule,
                                 const bool *use, size_t kind)
{
    *rule = (struct emit_rule){0};
    if (!kind) return HONE_OK;
    if (kind == MODEL)
        return hone_emit_model_fit(rule, t->m, t->points, use, t->chosen, t->unknown,
                                   &t->scratch);
    return hone_emit_tree_fit(rule, t->m, t->points, use, t->chosen, kind, &t->scratch);
}

// What each kind costs on the problems of use that inner leaves out.
static enum hone_status add_fold(struct trial_run *t, const bool *use, double sums[KINDS])
{
    enum hone_status status =
        hone_emit_pick(t->chosen, t->m, t->inner, t->most, &t->scratch);
    for (size_t k = 0; k < KINDS && status == HONE_OK; k++) {
        struct emit_rule rule;
        if (!is_allowed(kinds[k], t->points)) continue;
        status = fit_kind(t, &rule, t->inner, kinds[k]);
        for (size_t p = 0; p < t->m->problems && status == HONE_OK; p++) {
            if ((use && !use[p]) || t->inner[p]) continue;
            const double regret = regret_of(t, &rule, t->inner, p);
            sums[k] += t->m->weight[p] * (isfinite(regret) ? regret : t->unknown);
        }
    }
    hone_arena_fini(&t->scratch);
    t->scratch = (struct hone_arena){0};
    return status;
}

// The kind of least regret over problems of use left out, the simpler of equal ones.
static enum hone_status choose_kind(struct trial_run *t, const bool *use, size_t count,
                                    size_t *kind)
{
    double sums[KINDS] = {0}, least = (double)INFINITY;
    const size_t folds = fold_count(count);
    enum hone_status status = HONE_OK;
    for (size_t fold = 0; fold < folds && status == HONE_OK; fold++) {
        leave_out(t->inner, use, t->m->problems, fold, folds);
        status = add_fold(t, use, sums);
    }
    for (size_t k = 0; k < KINDS && status == HONE_OK; k++) {
        if (!is_allowed(kinds[k], t->points) || !(sums[k] < least - 1e-9)) continue;
        least = sums[k];
        *kind = kinds[k];
    }
    return status;
}

// The regret of the chosen kind is the least of several, so too good to be true.
// It is estimated on problems that have no part in the choice of the kind either: nested
// cross-validation (Varma and Simon, BMC Bioinformatics 7, 2006).
static enum hone_status estimate_fold(struct trial_run *t, size_t fold, size_t folds,
                                      double *regrets)
{
    const size_t problems = t->m->problems;
    size_t kind = 0, count = 0;
    leave_out(t->outer, NULL, problems, fold, folds);
    for (size_t p = 0; p < problems; p++)
        count += t->outer[p];
    enum hone_status status = HONE_OK;
    if (count > 1) status = choose_kind(t, t->outer, count, &kind);
    if (status == HONE_OK)
        status = hone_emit_pick(t->chosen, t->m, t->outer, t->most, &t->scratch);
    struct emit_rule rule;
    if (status == HONE_OK) status = fit_kind(t, &rule, t->outer, kind);
    for (size_t p = fold; p < problems && status == HONE_OK; p += folds)
        regrets[p] = regret_of(t, &rule, t->outer, p);
    hone_arena_fini(&t->scratch);
    t->scratch = (struct hone_arena){0};
    return status;
}

// Rules fitted to nearly the same problems err together, so the spread of single problems
// says too little. Of the mean's variance a part 1 / n is theirs, and as much as what was
// left out is of what was fitted is the rules': Nadeau and Bengio (Machine Learning 52,
// 2003), for folds of n / folds problems.
static void widen(struct emit_estimate *e, size_t folds)
{
    if (folds < 2) return;
    const double shared = (double)folds / (double)(folds - 1);
    const double half = (e->high - e->mean) * sqrt(1 + shared);
    e->low = fmax(e->mean - half, 0);
    e->high = e->mean + half;
}

static enum hone_status choose_and_estimate(struct trial_run *t, size_t *kind,
                                            struct emit_estimate *estimate)
{
    const size_t problems = t->m->problems, folds = fold_count(problems);
    struct hone_arena memory = {0};
    double *regrets = hone_arena_array(&memory, problems, sizeof *regrets);
    t->outer = hone_arena_array(&memory, problems, sizeof *t->outer);
    t->inner = hone_arena_array(&memory, problems, sizeof *t->inner);
    t->chosen = hone_arena_array(&memory, t->m->configs, sizeof *t->chosen);
    enum hone_status status = HONE_ENOMEM;
    if (regrets && t->outer && t->inner && t->chosen)
        status = choose_kind(t, NULL, problems, kind);
    for (size_t fold = 0; fold < folds && status == HONE_OK; fold++)
        status = estimate_fold(t, fold, folds, regrets);
    if (status == HONE_OK)
        *estimate = hone_emit_estimate_of(regrets, t->m->weight, problems);
    if (status == HONE_OK && estimate->known > 1) widen(estimate, folds);
    hone_arena_fini(&t->scratch);
    hone_arena_fini(&memory);
    return status;
}

enum hone_status
hone_emit_rule_choose(struct emit_rule *rule, struct emit_estimate *estimate,
                      const struct emit_matrix *m, const struct emit_points *points,
                      const bool *chosen, size_t most, struct hone_arena *arena)
{
    size_t kind = 0;
    struct trial_run t = {
        .m = m, .points = points, .most = most, .unknown = unknown_regret(m)};
    *rule = (struct emit_rule){0};
    *estimate = hone_emit_estimate_of(NULL, NULL, 0);
    enum hone_status status = HONE_OK;
    if (m->problems > 1) status = choose_and_estimate(&t, &kind, estimate);
    if (status != HONE_OK || !kind) return status;
    if (kind == MODEL)
        return hone_emit_model_fit(rule, m, points, NULL, chosen, t.unknown, arena);
    return hone_emit_tree_fit(rule, m, points, NULL, chosen, kind, arena);
}
