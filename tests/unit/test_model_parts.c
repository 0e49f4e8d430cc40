// The parts of models: the process against a dense solution, the field, scales, gaps, the
// improvement that is expected.
#include "field.h"
#include "hone/model.h"
#include "hone/rng.h"
#include "models.h"
#include "scales.h"
#include "search_fixture.h"

// Gaussian elimination without pivoting: the matrix is positive definite.
static void solve_dense(size_t n, double a[8][8], double *b)
{
    for (size_t k = 0; k < n; k++)
        for (size_t i = k + 1; i < n; i++) {
            const double f = a[i][k] / a[k][k];
            for (size_t j = k; j < n; j++)
                a[i][j] -= f * a[k][j];
            b[i] -= f * b[k];
        }
    for (size_t i = n; i-- > 0;) {
        for (size_t j = i + 1; j < n; j++)
            b[i] -= a[i][j] * b[j];
        b[i] /= a[i][i];
    }
}

// Of value numbers 0 .. 3, which are the values too: exponents of two are 0, 0, 1, 0.
static double reference_gap(uint16_t a, uint16_t b)
{
    if (a == b) return 0;
    return 0.1 + 0.4 * fabs((double)a - b) / 3 + 0.5 * ((a == 2) != (b == 2));
}

// Matern 3/2 of the gaps docs/strategies.md defines.
static double reference_covariance(const uint16_t *a, const uint16_t *b,
                                   const double *scales)
{
    double sum = 0;
    for (int p = 0; p < 3; p++)
        sum += exp(scales[p]) * reference_gap(a[p], b[p]);
    const double r = sqrt(3 * sum);
    return (1 + r) * exp(-r);
}

enum { N = 8 };

struct reference {
    double a[N][N]; // covariance and noise
    double mean, variance;
};

// a^-1 b
static void reference_solve(const struct reference *ref, double *b)
{
    double a[N][N];
    memcpy(a, ref->a, sizeof a);
    solve_dense(N, a, b);
}

static void make_reference(struct reference *ref, uint16_t rows[N][3], const double *y,
                           const double *scales)
{
    double ones[N], solved[N], sum = 0, weight = 0;
    for (size_t i = 0; i < N; i++) {
        ones[i] = 1;
        for (size_t j = 0; j < N; j++)
            ref->a[i][j] =
                reference_covariance(rows[i], rows[j], scales) + (i == j ? 1e-3 : 0);
    }
    reference_solve(ref, ones);
    for (size_t i = 0; i < N; i++) {
        sum += ones[i] * y[i];
        weight += ones[i];
    }
    ref->mean = sum / weight;
    ref->variance = 0;
    for (size_t i = 0; i < N; i++)
        solved[i] = y[i] - ref->mean;
    reference_solve(ref, solved);
    for (size_t i = 0; i < N; i++)
        ref->variance += (y[i] - ref->mean) * solved[i] / N;
}

static struct hone_prediction ask_reference(const struct reference *ref,
                                            uint16_t rows[N][3], const double *y,
                                            const double *scales, const uint16_t *at)
{
    double k[N], solved[N], left = 1, mean = ref->mean;
    for (size_t i = 0; i < N; i++)
        solved[i] = k[i] = reference_covariance(rows[i], at, scales);
    reference_solve(ref, solved);
    for (size_t i = 0; i < N; i++) {
        left -= k[i] * solved[i];
        mean += solved[i] * (y[i] - ref->mean);
    }
    return (struct hone_prediction){.mean = mean, .sd = sqrt(ref->variance * left)};
}

static const double some_scales[] = {-1, 0.5, -2.5};

// Eight samples of a space of 64 into a process.
static void make_process(struct hone_gaussian *g, const struct hone_space *space,
                         uint16_t rows[N][3], double *y)
{
    struct hone_error err = {0};
    assert_ok(hone_gaussian_init(g, space, N, &err), err);
    memcpy(g->scales, some_scales, sizeof some_scales);
    for (size_t i = 0; i < N; i++) {
        hone_space_choices(space, i * 8 + i % 3, rows[i]);
        y[i] = sin((double)i * 1.7);
        hone_gaussian_add(g, rows[i], y[i], 0);
    }
    hone_gaussian_settle(g);
}

static void process_agrees_with_a_dense_solution(void **state)
{
    (void)state;
    struct hone_space *space = make_space(3, 4, false);
    struct hone_gaussian g;
    struct reference ref;
    uint16_t rows[N][3], at[3];
    double y[N];
    make_process(&g, space, rows, y);
    make_reference(&ref, rows, y, some_scales);
    for (uint64_t x = 0; x < 64; x++) {
        double mean, sd;
        hone_space_choices(space, x, at);
        const struct hone_prediction want = ask_reference(&ref, rows, y, some_scales, at);
        hone_gaussian_ask(&g, at, 0, &mean, &sd);
        assert_true(fabs(mean - want.mean) < 1e-5); // covariances are floats
        assert_true(fabs(sd - want.sd) < 1e-4);
    }
    hone_gaussian_fini(&g);
    hone_space_free(space);
}

static void assert_field_agrees(const struct hone_field *field,
                                const struct hone_gaussian *g)
{
    for (size_t x = 0; x < field->count; x++) {
        uint16_t row[16];
        double mean, sd;
        hone_space_choices(field->space, field->index[x], row);
        hone_gaussian_ask(g, row, 0, &mean, &sd);
        assert_true(fabs(mean - (double)field->mean[x]) < 1e-4);
        assert_true(fabs(sd - g->sd * sqrt(fmax((double)field->left[x], 0))) < 3e-3);
    }
}

// Whatever came and went in whatever order.
static void field_says_what_the_process_says(void **state)
{
    (void)state;
    struct hone_error err = {0};
    struct hone_space *space = make_space(6, 5, false); // 15625, too many for a field
    struct hone_gaussian g;
    struct hone_field field;
    struct hone_rng rng;
    uint16_t row[6];
    uint64_t joined[40];
    hone_rng_seed(&rng, 1);
    assert_ok(hone_gaussian_init(&g, space, 24, &err), err);
    assert_ok(hone_field_init(&field, space, &g, &err), err);
    hone_field_draw(&field, &g, &rng);
    assert_false(field.whole);
    for (size_t round = 0; round < 40; round++) {
        hone_space_choices(space, hone_rng_below(&rng, 15625), row);
        hone_gaussian_add(&g, row, hone_rng_double(&rng), 0);
        for (size_t i = 0; i < 40; i++)
            joined[i] = hone_rng_below(&rng, 15625);
        hone_field_join(&field, &g, joined, 40);
        hone_field_grow(&field, &g);
        if (round % 3 == 2) {
            hone_gaussian_cut(&g, g.count - 2);
            hone_field_cut(&field, g.count);
        }
        if (round % 8) continue;
        hone_gaussian_settle(&g);
        hone_field_settle(&field, &g, 0);
        assert_field_agrees(&field, &g);
    }
    assert_int_equal(field.count, HONE_FIELD_MOST); // 1600 wanted to join
    hone_field_fini(&field);
    hone_gaussian_fini(&g);
    hone_space_free(space);
}

// Costs follow the second of four parameters alone, so its gaps count most.
static void scales_find_what_matters(void **state)
{
    (void)state;
    enum { ROWS = 40 };
    struct hone_error err = {0};
    struct hone_space *space = make_space(4, 4, false);
    struct hone_axes axes;
    uint16_t rows[ROWS][4];
    double y[ROWS], scales[4];
    assert_ok(hone_axes_init(&axes, space, &err), err);
    for (size_t i = 0; i < ROWS; i++) {
        hone_space_choices(space, i * 37 % 256, rows[i]);
        y[i] = rows[i][1] * 0.7;
    }
    for (size_t a = 0; a < 4; a++)
        scales[a] = hone_scales_first;
    for (size_t times = 0; times < 4; times++)
        assert_int_equal(hone_scales_choose(&axes, scales, rows[0], 4, y, ROWS), HONE_OK);
    for (size_t a = 0; a < 4; a++)
        if (a != 1) assert_true(scales[1] > scales[a] + 1);
    hone_axes_fini(&axes);
    hone_space_free(space);
}

static struct hone_value value_of(enum hone_type type, int64_t i)
{
    struct hone_value value = {.type = type};
    if (type == HONE_INT) value.i = i;
    if (type == HONE_FLOAT) value.f = (double)i / 2;
    if (type == HONE_STRING) value.s = i == 1 ? "a" : i == 2 ? "b" : "c";
    return value;
}

static void gaps_know_order_names_and_powers_of_two(void **state)
{
    (void)state;
    struct hone_error err = {0};
    struct hone_value threads[4], floats[3], names[3], one[] = {value_of(HONE_INT, 7)};
    const int64_t counts[] = {32, 48, 64, 80};
    for (size_t i = 0; i < 4; i++)
        threads[i] = value_of(HONE_INT, counts[i]);
    for (int64_t i = 0; i < 3; i++) {
        floats[i] = value_of(HONE_FLOAT, i + 1);
        names[i] = value_of(HONE_STRING, i + 1);
    }
    const struct hone_param params[] = {
        {"a", threads, 4}, {"b", floats, 3}, {"c", names, 3}, {"d", one, 1}};
    const uint16_t choices[] = {0, 0, 0, 0, 1, 1, 1, 0};
    struct hone_space *space = NULL;
    struct hone_axes axes;
    assert_ok(hone_space_from_list(&space, params, 4, choices, 2, &err), err);
    assert_ok(hone_axes_init(&axes, space, &err), err);
    assert_int_equal(axes.count, 3); // what has one value is no axis
    const struct hone_axis *axis = axes.items;
    assert_true(hone_axis_gap(&axis[0], 1, 1) == 0);
    // 48 and 80 are two steps apart and alike, 48 and 64 one step and unlike.
    assert_true(hone_axis_gap(&axis[0], 1, 3) < hone_axis_gap(&axis[0], 1, 2));
    assert_true(hone_axis_gap(&axis[0], 0, 2) < hone_axis_gap(&axis[0], 0, 3));
    assert_true(hone_axis_gap(&axis[1], 0, 1) < hone_axis_gap(&axis[1], 0, 2));
    assert_true(hone_axis_gap(&axis[2], 0, 1) == hone_axis_gap(&axis[2], 0, 2));
    for (size_t a = 0; a < 3; a++)
        for (uint16_t v = 1; v < axis[a].count; v++)
            assert_true(hone_axis_gap(&axis[a], v, 0) <= 1);
    hone_axes_fini(&axes);
    hone_space_free(space);
}

static void expected_improvement_is_the_integral(void **state)
{
    (void)state;
    const double cases[][3] = {{0, 1, 0}, {1, 0.5, 0.2}, {-2, 3, 1}, {4, 1, 0}};
    for (size_t c = 0; c < 4; c++) {
        const double mean = cases[c][0], sd = cases[c][1], best = cases[c][2];
        double sum = 0;
        enum { STEPS = 200000 };
        const double from = mean - 12 * sd, step = (best - from) / STEPS;
        for (int i = 0; i < STEPS && step > 0; i++) {
            const double y = from + (i + 0.5) * step, z = (y - mean) / sd;
            sum += (best - y) * exp(-0.5 * z * z) * step;
        }
        sum /= sd * sqrt(2 * acos(-1.0));
        assert_true(fabs(hone_expected_improvement(mean, sd, best) - sum) < 1e-7);
    }
    assert_true(hone_expected_improvement(1, 0, 3) == 2);
    assert_true(hone_expected_improvement(3, 0, 1) == 0);
}

static void the_bound_of_improvement_is_never_below_it(void **state)
{
    (void)state;
    for (float sd = 1e-4F; sd < 100; sd *= 7)
        for (float z = -40; z < 40; z += 0.01F) {
            const double exact =
                             hone_expected_improvement(0, (double)sd, (double)(z * sd)),
                         bound = (double)hone_improvement_bound(z * sd, sd);
            assert_true(bound >= exact);
            if (z > -1) assert_true(bound < 1.5 * exact);
        }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(process_agrees_with_a_dense_solution),
    cmocka_unit_test(field_says_what_the_process_says),
    cmocka_unit_test(scales_find_what_matters),
    cmocka_unit_test(gaps_know_order_names_and_powers_of_two),
    cmocka_unit_test(expected_improvement_is_the_integral),
    cmocka_unit_test(the_bound_of_improvement_is_never_below_it),
};
HONE_TEST_MAIN(tests)
