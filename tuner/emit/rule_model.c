// A small model of time by size: for each configuration the logarithm of its slowdown as
// a quadratic function of the logarithms of the sizes, fitted by ridge regression (Hoerl
// and Kennard, Technometrics 12, 1970), as integers. The least one serves.
#include <limits.h>
#include <math.h>
#include <string.h>

#include "pick.h"

enum {
    TERMS_MOST = 1 + EMIT_MODEL_SIZES + EMIT_MODEL_SIZES * (EMIT_MODEL_SIZES + 1) / 2
};
static const double ridge = 0.01; // of the mean weight, over sizes in binary logarithms

static size_t term_count(size_t sizes)
{
    return 1 + sizes + sizes * (sizes + 1) / 2;
}

static void terms_of(double terms[TERMS_MOST], const int *lg, size_t sizes)
{
    size_t at = 0;
    terms[at++] = 1;
    for (size_t i = 0; i < sizes; i++) {
        terms[at++] = lg[i] / 65536.0;
        for (size_t k = i; k < sizes; k++)
            terms[at++] = (lg[i] / 65536.0) * (lg[k] / 65536.0);
    }
}

/* Normal equations; the lower triangle becomes its Cholesky factor. */
struct system {
    double matrix[TERMS_MOST][TERMS_MOST], right[TERMS_MOST];
    size_t count;
};

static void add_equation(struct system *s, const double *terms, double weight,
                         double value)
{
    for (size_t i = 0; i < s->count; i++) {
        s->right[i] += weight * terms[i] * value;
        for (size_t k = 0; k <= i; k++)
            s->matrix[i][k] += weight * terms[i] * terms[k];
    }
}

static void factorise(struct system *s)
{
    for (size_t i = 0; i < s->count; i++)
        for (size_t k = 0; k <= i; k++) {
            double sum = s->matrix[i][k];
            for (size_t j = 0; j < k; j++)
                sum -= s->matrix[i][j] * s->matrix[k][j];
            s->matrix[i][k] = i == k ? sqrt(fmax(sum, 1e-9)) : sum / s->matrix[k][k];
        }
}

static void solve_system(struct system *s)
{
    factorise(s);
    for (size_t i = 0; i < s->count; i++) {
        for (size_t k = 0; k < i; k++)
            s->right[i] -= s->matrix[i][k] * s->right[k];
        s->right[i] /= s->matrix[i][i];
    }
    for (size_t i = s->count; i-- > 0;) {
        for (size_t k = i + 1; k < s->count; k++)
            s->right[i] -= s->matrix[k][i] * s->right[k];
        s->right[i] /= s->matrix[i][i];
    }
}

// In 1/65536, and so small that no sum of terms leaves 64 bits.
static int to_int(double value)
{
    const double most = 1 << 24;
    return (int)lrint(65536 * fmin(fmax(value, -most / 65536), most / 65536));
}

static void fit_config(int *model, const struct emit_matrix *m,
                       const struct emit_points *points, const bool *use, size_t config,
                       double unknown)
{
    struct system s = {.count = term_count(points->sizes)};
    double weights = 0, terms[TERMS_MOST];
    size_t used = 0;
    for (size_t p = 0; p < m->problems; p++) {
        const double regret = emit_regret(m, config, p);
        if (use && !use[p]) continue;
        terms_of(terms, points->lg + p * points->sizes, points->sizes);
        add_equation(&s, terms, m->weight[p],
                     log2(1 + (isfinite(regret) ? regret : unknown)));
        weights += m->weight[p];
        used++;
    }
    for (size_t i = 1; i < s.count; i++)
        s.matrix[i][i] += ridge * weights / (double)(used ? used : 1);
    solve_system(&s);
    model[0] = (int)config;
    for (size_t i = 0; i < s.count; i++)
        model[1 + i] = to_int(s.right[i]);
}

enum hone_status hone_emit_model_fit(struct emit_rule *rule, const struct emit_matrix *m,
                                     const struct emit_points *points, const bool *use,
                                     const bool *chosen, double unknown,
                                     struct hone_arena *arena)
{
    const size_t width = 1 + term_count(points->sizes);
    size_t count = 0;
    for (size_t i = 0; i < m->configs; i++)
        count += chosen[i];
    int *model = hone_arena_array(arena, count * width, sizeof *model);
    if (!model) return HONE_ENOMEM;
    *rule = (struct emit_rule){.model = model, .model_width = width};
    for (size_t i = 0; i < m->configs; i++)
        if (chosen[i])
            fit_config(model + width * rule->model_count++, m, points, use, i, unknown);
    return HONE_OK;
}
