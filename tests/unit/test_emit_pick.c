/* Picks and rules against every possible answer on small matrices. */
#include "hone_test.h"

#include <math.h>
#include <string.h>

#include "hone/rng.h"
#include "pick.h"

enum { CONFIGS = 8, PROBLEMS = 7 };

struct small {
    double regret[CONFIGS * PROBLEMS], weight[PROBLEMS];
    struct emit_matrix m;
};

static double unit(struct hone_rng *rng)
{
    return (double)(hone_rng_next(rng) >> 11) / 9007199254740992.0;
}

static void fill(struct small *s, struct hone_rng *rng, double unknown)
{
    s->m = (struct emit_matrix){.configs = 1 + (size_t)hone_rng_below(rng, CONFIGS),
                                .problems = 1 + (size_t)hone_rng_below(rng, PROBLEMS),
                                .regret = s->regret,
                                .weight = s->weight};
    for (size_t i = 0; i < s->m.configs * s->m.problems; i++)
        s->regret[i] =
            unit(rng) < unknown ? (double)INFINITY : floor(unit(rng) * 50) / 100;
    for (size_t p = 0; p < s->m.problems; p++)
        s->weight[p] = (double)(1 + hone_rng_below(rng, 3));
}

/* The worst weighted regret under a set of configurations; the mean goes to *mean. */
static double worst_of(const struct emit_matrix *m, unsigned set, double *mean)
{
    double worst = 0, sum = 0;
    for (size_t p = 0; p < m->problems; p++) {
        double least = (double)INFINITY;
        for (size_t i = 0; i < m->configs; i++)
            if (set >> i & 1) least = fmin(least, emit_regret(m, i, p));
        worst = fmax(worst, m->weight[p] * least);
        sum += m->weight[p] * least;
    }
    *mean = sum;
    return worst;
}

static unsigned set_of(const bool *chosen, size_t count)
{
    unsigned set = 0;
    for (size_t i = 0; i < CONFIGS && i < count; i++)
        set |= (unsigned)chosen[i] << i;
    return set;
}

static void picks_reach_the_least_worst_regret_with_the_fewest(void **state)
{
    (void)state;
    struct hone_rng rng;
    hone_rng_seed(&rng, 21);
    for (int round = 0; round < 20000; round++) {
        struct small s;
        struct hone_arena arena = {0};
        bool chosen[CONFIGS];
        double least = (double)INFINITY, mean;
        fill(&s, &rng, round % 3 * 0.2);
        s.m.enough = round % 4 * 0.1;
        const size_t most = 1 + (size_t)hone_rng_below(&rng, 4);
        assert_int_equal(hone_emit_pick(chosen, &s.m, NULL, most, &arena), HONE_OK);
        hone_arena_fini(&arena);
        const unsigned set = set_of(chosen, s.m.configs);
        int fewest = CONFIGS + 1;
        for (unsigned other = 1; other < 1u << s.m.configs; other++)
            if (__builtin_popcount(other) <= (int)most)
                least = fmin(least, worst_of(&s.m, other, &mean));
        assert_true(__builtin_popcount(set) <= (int)most);
        if (!isfinite(least)) continue; // no set serves all
        least = fmax(least, fmax(s.m.enough, 0.01));
        assert_true(worst_of(&s.m, set, &mean) <= least);
        for (unsigned other = 1; other < 1u << s.m.configs; other++)
            if (worst_of(&s.m, other, &mean) <= least &&
                __builtin_popcount(other) < fewest)
                fewest = __builtin_popcount(other);
        assert_int_equal(__builtin_popcount(set), fewest);
    }
}

static void no_exchange_of_one_lowers_the_mean(void **state)
{
    (void)state;
    struct hone_rng rng;
    hone_rng_seed(&rng, 22);
    for (int round = 0; round < 5000; round++) {
        struct small s;
        struct hone_arena arena = {0};
        bool chosen[CONFIGS];
        double mean, other_mean;
        fill(&s, &rng, 0);
        assert_int_equal(hone_emit_pick(chosen, &s.m, NULL, 3, &arena), HONE_OK);
        hone_arena_fini(&arena);
        const unsigned set = set_of(chosen, s.m.configs);
        double least = (double)INFINITY;
        for (unsigned other = 1; other < 1u << s.m.configs; other++)
            if (__builtin_popcount(other) <= 3)
                least = fmin(least, worst_of(&s.m, other, &mean));
        worst_of(&s.m, set, &mean);
        for (size_t out = 0; out < s.m.configs; out++)
            for (size_t in = 0; in < s.m.configs; in++) {
                if (!(set >> out & 1) || set >> in & 1) continue;
                const unsigned other = (set & ~(1u << out)) | 1u << in;
                if (worst_of(&s.m, other, &other_mean) <= fmax(least, 0.01))
                    assert_true(other_mean >= mean - 1e-12);
            }
    }
}

/* As good as without what was compared, in no more than may be; and nothing that is no
 * slower and was compared could be had in place of what was chosen. */
static void compared_configurations_are_chosen_where_no_slower(void **state)
{
    (void)state;
    struct hone_rng rng;
    hone_rng_seed(&rng, 23);
    size_t more = 0;
    for (int round = 0; round < 5000; round++) {
        struct small s;
        struct hone_arena arena = {0};
        bool chosen[CONFIGS], blind[CONFIGS], seen[CONFIGS * PROBLEMS];
        double mean, blind_mean;
        fill(&s, &rng, 0.2);
        for (size_t i = 0; i < s.m.configs * s.m.problems; i++) {
            const double steps = 4 << round % 3; // some are equal
            s.regret[i] =
                isinf(s.regret[i]) ? s.regret[i] : floor(s.regret[i] * steps) / steps;
            seen[i] = isfinite(s.regret[i]) && unit(&rng) < 0.4;
        }
        const size_t most = 1 + (size_t)hone_rng_below(&rng, 4);
        assert_int_equal(hone_emit_pick(blind, &s.m, NULL, most, &arena), HONE_OK);
        s.m.seen = seen;
        assert_int_equal(hone_emit_pick(chosen, &s.m, NULL, most, &arena), HONE_OK);
        hone_arena_fini(&arena);
        const unsigned set = set_of(chosen, s.m.configs),
                       before = set_of(blind, s.m.configs);
        const size_t count = (size_t)__builtin_popcount(set);
        assert_true(count <= most);
        more += count > (size_t)__builtin_popcount(before);
        assert_true(worst_of(&s.m, set, &mean) <= worst_of(&s.m, before, &blind_mean));
        if (isfinite(blind_mean)) assert_true(mean <= blind_mean + 1e-12);
        for (size_t p = 0; p < s.m.problems && count < most; p++) {
            const size_t best = hone_emit_best_of(&s.m, chosen, p);
            if (best == s.m.configs || emit_is_seen(&s.m, best, p)) continue;
            for (size_t i = 0; i < s.m.configs; i++)
                assert_false(emit_is_seen(&s.m, i, p) &&
                             emit_regret(&s.m, i, p) <= emit_regret(&s.m, best, p));
        }
    }
    assert_true(more > 100);
}

/* More problems than the exact cover takes: four kinds of problems, one configuration
 * good for each. */
static void many_problems_are_covered_greedily(void **state)
{
    (void)state;
    enum { MANY = 200, KINDS = 4 };
    static double regret[(KINDS + 2) * MANY], weight[MANY];
    struct emit_matrix m = {
        .configs = KINDS + 2, .problems = MANY, .regret = regret, .weight = weight};
    struct hone_arena arena = {0};
    bool chosen[KINDS + 2];
    for (size_t p = 0; p < MANY; p++) {
        weight[p] = 1;
        for (size_t i = 0; i < KINDS + 2; i++)
            regret[i * MANY + p] = i == p % KINDS ? 0.002 : i < KINDS ? 0.9 : 0.3;
    }
    assert_int_equal(hone_emit_pick(chosen, &m, NULL, 8, &arena), HONE_OK);
    assert_int_equal(set_of(chosen, KINDS + 2), (1u << KINDS) - 1);
    assert_int_equal(hone_emit_pick(chosen, &m, NULL, 2, &arena), HONE_OK);
    assert_true(chosen[KINDS] || chosen[KINDS + 1]); // 30 % at worst, not 90 %
    hone_arena_fini(&arena);
}

static void logarithms_are_exact_at_powers_and_never_fall(void **state)
{
    (void)state;
    struct hone_rng rng;
    hone_rng_seed(&rng, 23);
    for (int e = 0; e < 63; e++)
        assert_int_equal(hone_emit_lg(1LL << e), e * 65536);
    assert_int_equal(hone_emit_lg(3), 65536 + 32768);
    assert_int_equal(hone_emit_lg(0), -65536);
    assert_int_equal(hone_emit_lg(-5), -65536);
    for (int i = 0; i < 100000; i++) {
        const long long size =
            (long long)(hone_rng_next(&rng) >> (1 + hone_rng_below(&rng, 62)));
        assert_true(hone_emit_lg(size) <= hone_emit_lg(size + 1));
        if (size)
            assert_true(fabs(hone_emit_lg(size) / 65536.0 - log2((double)size)) < 0.0861);
    }
}

/* Configuration 0 is for small products, 1 for large ones: a tree says so at once, for
 * sizes that it has not seen too; the nearest does not. */
static void a_tree_finds_what_depends_on_the_product(void **state)
{
    (void)state;
    enum { SIDE = 7, ALL = SIDE * SIDE };
    static double regret[2 * ALL], weight[ALL];
    static int lg[2 * ALL];
    struct emit_matrix m = {
        .configs = 2, .problems = ALL, .regret = regret, .weight = weight};
    struct emit_points points = {ALL, 2, lg};
    struct hone_arena arena = {0};
    struct emit_rule rule;
    struct emit_estimate estimate;
    const bool chosen[2] = {true, true};
    for (size_t p = 0; p < ALL; p++) {
        const int a = (int)(p % SIDE), b = (int)(p / SIDE);
        const bool large = a + b >= 7;
        lg[2 * p] = a * 65536;
        lg[2 * p + 1] = b * 65536;
        weight[p] = 1;
        regret[p] = large ? 0.5 : 0;
        regret[ALL + p] = large ? 0 : 0.5;
    }
    assert_int_equal(
        hone_emit_rule_choose(&rule, &estimate, &m, &points, chosen, 8, &arena), HONE_OK);
    assert_non_null(rule.nodes);
    assert_int_equal(rule.node_count, 1);
    assert_int_equal(rule.nodes[0].b, EMIT_SUM);
    assert_true(estimate.mean == 0 && estimate.worst == 0);
    assert_int_equal(estimate.known, ALL);
    for (int a = 0; a < 7 * 4; a++)
        for (int b = 0; b < 7 * 4; b++) {
            const int at[2] = {a * 16384, b * 16384};
            const size_t wanted = a + b > 26;
            if (a + b == 26 || a + b == 25 || a + b == 27) continue; // about the border
            assert_int_equal(hone_emit_tree_choose(rule.nodes, at, 2), wanted);
        }
    hone_arena_fini(&arena);
}

/* A configuration that is best around its own point: the nearest serves, and what it
 * costs to leave one out is what the estimate says. */
/* Slowdowns of a factor for each doubling away from a size of their own: the borders are
 * between the sizes, where no tree puts them and no problem is near. */
static void a_model_finds_what_is_between_sizes(void **state)
{
    (void)state;
    enum { ALL = 12, KINDS = 3 };
    static const double centre[KINDS] = {2, 9, 17};
    static double regret[KINDS * ALL], weight[ALL];
    static int lg[ALL];
    struct emit_matrix m = {
        .configs = KINDS, .problems = ALL, .regret = regret, .weight = weight};
    struct emit_points points = {ALL, 1, lg};
    struct hone_arena arena = {0};
    struct emit_rule rule;
    struct emit_estimate estimate;
    const bool chosen[KINDS] = {true, true, true};
    for (size_t p = 0; p < ALL; p++) {
        const double at = 1.7 * (double)p;
        double least = 1e9;
        lg[p] = (int)lround(65536 * at);
        weight[p] = 1;
        for (size_t i = 0; i < KINDS; i++)
            least = fmin(least, 0.02 * (at - centre[i]) * (at - centre[i]));
        for (size_t i = 0; i < KINDS; i++)
            regret[i * ALL + p] =
                exp2(0.02 * (at - centre[i]) * (at - centre[i]) - least) - 1;
    }
    assert_int_equal(
        hone_emit_rule_choose(&rule, &estimate, &m, &points, chosen, 8, &arena), HONE_OK);
    assert_null(rule.nodes);
    assert_non_null(rule.model);
    assert_int_equal(rule.model_count, KINDS);
    for (int at = 0; at <= 18 * 65536; at += 16384) {
        size_t wanted = 0;
        for (size_t i = 1; i < KINDS; i++)
            if (fabs(at / 65536.0 - centre[i]) < fabs(at / 65536.0 - centre[wanted]))
                wanted = i;
        if (fabs(at / 65536.0 - 5.5) < 1 || fabs(at / 65536.0 - 13) < 1) continue;
        assert_int_equal(hone_emit_model_choose(&rule, &at, 1), wanted);
    }
    hone_arena_fini(&arena);
}

static void the_nearest_is_taken_where_trees_do_no_better(void **state)
{
    (void)state;
    enum { ALL = 4 };
    double regret[ALL * ALL];
    static const double weight[ALL] = {1, 1, 1, 1};
    static const int lg[ALL] = {0, 65536, 10 * 65536, 11 * 65536};
    struct emit_matrix m = {
        .configs = ALL, .problems = ALL, .regret = regret, .weight = weight};
    struct emit_points points = {ALL, 1, lg};
    struct hone_arena arena = {0};
    struct emit_rule rule;
    struct emit_estimate e;
    const bool chosen[ALL] = {true, true, true, true};
    for (size_t i = 0; i < ALL; i++)
        for (size_t p = 0; p < ALL; p++)
            regret[i * ALL + p] = abs(lg[i] - lg[p]) / 65536 * 0.1;
    assert_int_equal(hone_emit_rule_choose(&rule, &e, &m, &points, chosen, 8, &arena),
                     HONE_OK);
    assert_null(rule.nodes);
    assert_true(fabs(e.mean - 0.1) < 1e-12 && fabs(e.worst - 0.1) < 1e-12);
    assert_true(fabs(e.low - 0.1) < 1e-9 && fabs(e.high - 0.1) < 1e-9);
    static const int between[] = {-70000, 32767, 32769, 5 * 65536, 6 * 65536, 900000};
    static const size_t wanted[] = {0, 0, 1, 1, 2, 3};
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(hone_emit_nearest(&points, NULL, &between[i]), wanted[i]);
    hone_arena_fini(&arena);
}

/* Student's interval of five numbers, by hand: mean 0.03, s = 0.0158114,
 * t = 2.776, half 2.776 s / sqrt(5) = 0.019629. */
static void estimates_have_students_interval(void **state)
{
    (void)state;
    static const double regrets[] = {0.01, 0.02, (double)INFINITY, 0.03, 0.04, 0.05};
    static const double weights[] = {1, 1, 7, 1, 1, 1};
    const struct emit_estimate e = hone_emit_estimate_of(regrets, weights, 6);
    assert_int_equal(e.known, 5);
    assert_int_equal(e.asked, 6);
    assert_true(fabs(e.mean - 0.03) < 1e-12);
    assert_true(fabs(e.high - e.mean - 0.019629) < 1e-5);
    assert_true(fabs(e.mean - e.low - 0.019629) < 1e-5);
    assert_true(e.worst == 0.05);
    const struct emit_estimate none = hone_emit_estimate_of(regrets + 2, weights, 1);
    assert_true(none.known == 0 && isnan(none.mean));
}

/* Left out, the outer two of these four cost 0.3 and the others 0.1: the mean is 0.2,
 * s = 0.11547, and Student's half interval 3.182 s / sqrt(4) = 0.18371. Each fold leaves
 * out 1 of 4, so its square counts 1 + 4 / 3 times. */
static void the_interval_counts_what_rules_have_in_common(void **state)
{
    (void)state;
    enum { ALL = 4 };
    double regret[ALL * ALL];
    static const double weight[ALL] = {1, 1, 1, 1};
    static const int lg[ALL] = {0, 65536, 10 * 65536, 13 * 65536};
    const struct emit_matrix m = {
        .configs = ALL, .problems = ALL, .regret = regret, .weight = weight};
    const struct emit_points points = {ALL, 1, lg};
    struct hone_arena arena = {0};
    struct emit_rule rule;
    struct emit_estimate e;
    const bool chosen[ALL] = {true, true, true, true};
    for (size_t i = 0; i < ALL; i++)
        for (size_t p = 0; p < ALL; p++)
            regret[i * ALL + p] = abs(lg[i] - lg[p]) / 65536 * 0.1;
    assert_int_equal(hone_emit_rule_choose(&rule, &e, &m, &points, chosen, 8, &arena),
                     HONE_OK);
    assert_true(fabs(e.mean - 0.2) < 1e-9);
    assert_true(fabs(e.high - e.mean - 0.18371 * sqrt(7.0 / 3)) < 1e-4);
    assert_true(e.low == 0);
    hone_arena_fini(&arena);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(picks_reach_the_least_worst_regret_with_the_fewest),
    cmocka_unit_test(no_exchange_of_one_lowers_the_mean),
    cmocka_unit_test(compared_configurations_are_chosen_where_no_slower),
    cmocka_unit_test(many_problems_are_covered_greedily),
    cmocka_unit_test(logarithms_are_exact_at_powers_and_never_fall),
    cmocka_unit_test(a_tree_finds_what_depends_on_the_product),
    cmocka_unit_test(a_model_finds_what_is_between_sizes),
    cmocka_unit_test(the_nearest_is_taken_where_trees_do_no_better),
    cmocka_unit_test(estimates_have_students_interval),
    cmocka_unit_test(the_interval_counts_what_rules_have_in_common),
};
HONE_TEST_MAIN(tests)
