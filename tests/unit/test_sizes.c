// Sizes to verify at that are drawn from a script's ranges.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hone_test.h"

#include "../lua/script_test.h"
#include "evaluate/plan.h"

struct fixture {
    struct hone_script *script;
    struct hone_space *space;
    struct hone_kernel *kernel;
};

static int open_kernel(void **state)
{
    static struct fixture f;
    const struct hone_script_options options = TEST_OPTIONS;
    struct hone_error err = {0};
    assert_ok(hone_script_load(&f.script, HONE_SOURCE_DIR "/tests/lua/good/sizes.lua",
                               &options, &err),
              err);
    const struct hone_kernel_def *def = hone_script_def(f.script);
    assert_ok(hone_space_new(&f.space, &def->space, &err), err);
    assert_ok(hone_kernel_new(&f.kernel, def, f.space, &err), err);
    *state = &f;
    return 0;
}

static int close_kernel(void **state)
{
    struct fixture *f = *state;
    hone_kernel_free(f->kernel);
    hone_space_free(f->space);
    hone_script_free(f->script);
    return 0;
}

enum { M, N, PAD, W, SIZES }; // as their names are sorted
enum { NAMED = 1, FIRST = 20, SECOND = 50, THIRD = 4 };

static struct hone_sizes draw(const struct fixture *f, uint64_t seed)
{
    struct hone_sizes sizes;
    struct hone_error err = {0};
    const struct hone_evaluate_options options = {.data_seed = seed};
    assert_ok(hone_sizes_init(&sizes, f->kernel, &options, &err), err);
    assert_int_equal(sizes.named, NAMED);
    assert_int_equal(sizes.count, NAMED + FIRST + SECOND + THIRD);
    return sizes;
}

static bool same(const struct hone_problem *a, const struct hone_problem *b)
{
    for (int k = 0; k < SIZES; k++)
        if (!hone_value_same(a->values[k], b->values[k])) return false;
    return true;
}

static void drawn_sizes_are_in_their_ranges_and_differ(void **state)
{
    const struct fixture *f = *state;
    for (uint64_t seed = 0; seed < 20; seed++) {
        struct hone_sizes sizes = draw(f, seed);
        for (size_t i = NAMED; i < sizes.count; i++) {
            const struct hone_value *v = sizes.problems[i].values;
            const size_t at = i - NAMED;
            const bool first = at < FIRST, third = at >= FIRST + SECOND;
            const int64_t n = v[N].i, m = v[M].i;
            assert_true(first ? n >= 1 && n <= 5000 : n >= 0 && n <= 1000000);
            assert_true(first ? m == 64 && !v[PAD].b : m % 8 == 0 || third);
            assert_true(third ? n >= 78 && n <= 79 && m / 2 == 10 : first || n % 4 == 0);
            assert_true(v[W].i == 1 && n != 77);
            for (size_t k = 0; k < i; k++)
                assert_false(same(&sizes.problems[i], &sizes.problems[k]));
        }
        hone_sizes_fini(&sizes);
    }
}

static void a_seed_draws_the_same_sizes_again_and_another_one_others(void **state)
{
    const struct fixture *f = *state;
    struct hone_sizes a = draw(f, 7), b = draw(f, 7), c = draw(f, 8);
    size_t kept = 0;
    for (size_t i = 0; i < a.count; i++) {
        assert_true(same(&a.problems[i], &b.problems[i]));
        kept += i >= NAMED && same(&a.problems[i], &c.problems[i]);
    }
    assert_true(kept < FIRST);
    hone_sizes_fini(&a);
    hone_sizes_fini(&b);
    hone_sizes_fini(&c);
}

// Those of an earlier run, whatever the seed and the script would draw now.
static void sizes_that_are_given_are_taken(void **state)
{
    const struct fixture *f = *state;
    struct hone_error err = {0};
    struct hone_size_counts counts;
    struct hone_value *values;
    struct hone_evaluate_options options = {.data_seed = 7};
    assert_ok(hone_evaluate_sizes(f->kernel, &options, &counts, &values, &err), err);
    assert_int_equal(counts.drawn, FIRST + SECOND + THIRD);
    options = (struct hone_evaluate_options){
        .data_seed = 8, .drawn = values, .drawn_sizes = counts.drawn - 5};
    struct hone_sizes given, drawn = draw(f, 7);
    assert_ok(hone_sizes_init(&given, f->kernel, &options, &err), err);
    assert_int_equal(given.named, NAMED);
    assert_int_equal(given.count, drawn.count - 5);
    for (size_t i = 0; i < given.count; i++)
        assert_true(same(&given.problems[i], &drawn.problems[i]));
    hone_sizes_fini(&given);
    hone_sizes_fini(&drawn);
    free(values);
}

// Faults lie at the ends of a range, at tails, and next to powers of two.
static void drawn_sizes_look_where_kernels_go_wrong(void **state)
{
    const struct fixture *f = *state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct hone_sizes sizes = draw(f, seed);
        int ends = 0, odd = 0, near = 0, small = 0;
        for (size_t i = NAMED; i < NAMED + FIRST; i++) {
            const int64_t n = sizes.problems[i].values[N].i;
            const double power = exp2(round(log2((double)n)));
            ends += n == 1 || n == 5000;
            odd += n % 2 == 1;
            near += fabs((double)n - power) <= 1;
            small += n < 500;
        }
        assert_int_equal(ends, 2);
        assert_true(odd >= 3 && near >= 2 && small >= 3);
        hone_sizes_fini(&sizes);
    }
}

static uint64_t index_of(const struct fixture *f, uint16_t block)
{
    uint64_t index = 0;
    assert_int_equal(hone_space_index(f->space, &block, &index), HONE_OK);
    return index;
}

enum { MANY = 300, BLOCKS = 10000 };

// The one configuration that a size suits is found by its being the default.
static void the_default_is_asked_of_however_many_parameters(void **state)
{
    const struct fixture *f = *state;
    static struct hone_value blocks[BLOCKS], defaults[MANY];
    static struct hone_param params[MANY];
    static char names[MANY][8];
    static struct hone_constant constants[256];
    struct hone_kernel_def def = *hone_script_def(f->script);
    struct hone_space *space = NULL;
    struct hone_kernel *kernel = NULL;
    struct hone_sizes sizes;
    struct hone_error err = {0};
    const struct hone_evaluate_options options = {.data_seed = 1};
    for (int i = 0; i < BLOCKS; i++)
        blocks[i] = (struct hone_value){.type = HONE_INT, .i = i ? 1000000 + i : 64};
    for (int i = 0; i < MANY; i++) {
        snprintf(names[i], sizeof names[i], "Q%d", i);
        params[i] = (struct hone_param){i ? names[i] : "BLOCK", blocks, i ? 1 : BLOCKS};
        defaults[i] = blocks[0];
    }
    assert_true(def.space.constant_count <= 256);
    memcpy(constants, def.space.constants, def.space.constant_count * sizeof *constants);
    constants[M].value.i = 2000000; // the tuned size suits them all
    def.space.constants = constants;
    def.space.params = params;
    def.space.param_count = MANY;
    def.defaults = defaults;
    assert_ok(hone_space_new(&space, &def.space, &err), err);
    assert_ok(hone_kernel_new(&kernel, &def, space, &err), err);
    assert_ok(hone_sizes_init(&sizes, kernel, &options, &err), err);
    assert_int_equal(sizes.count, NAMED + FIRST + SECOND + THIRD);
    hone_sizes_fini(&sizes);
    hone_kernel_free(kernel);
    hone_space_free(space);
}

// Each configuration meets the sizes that its constraints allow.
static void a_size_that_does_not_suit_a_configuration_is_skipped_there(void **state)
{
    const struct fixture *f = *state;
    struct hone_error err = {0};
    struct hone_plan plan;
    const struct hone_evaluate_options options = {.data_seed = 3,
                                                  .flags = HONE_EVALUATE_QUIET};
    assert_ok(hone_plan_init(&plan, f->kernel, &options, &err), err);
    for (uint16_t block = 0; block < 3; block++) {
        struct hone_candidate candidate;
        size_t skipped = 0;
        assert_ok(hone_plan_candidate(&plan, index_of(f, block), &candidate, &err), err);
        assert_int_equal(candidate.trial.outcome, HONE_VALID);
        assert_int_equal(candidate.count, plan.sizes.count + 1);
        for (size_t i = 0; i < plan.sizes.count; i++) {
            const int64_t m = plan.sizes.problems[i].values[M].i;
            const bool suits = 32 << block <= 4 * m;
            const struct hone_variant *variant = &candidate.variants[i + 1];
            assert_int_equal(variant->skipped, !suits);
            // It is compiled once, and its text is there once.
            if (suits)
                assert_ptr_equal(variant->job.source, candidate.variants[0].job.source);
            assert_int_equal(!variant->job.source, !suits);
            skipped += !suits;
        }
        assert_int_equal(skipped > 0, block > 0);
        hone_candidate_fini(&candidate, NULL);
    }
    hone_plan_fini(&plan);
}

// Checks take their time: a configuration has them at two of the drawn sizes, and as the
// search goes on every size has its turn.
static void every_drawn_size_is_checked_for_some_configurations(void **state)
{
    const struct fixture *f = *state;
    struct hone_error err = {0};
    struct hone_plan plan;
    const struct hone_evaluate_options options = {.data_seed = 3,
                                                  .flags = HONE_EVALUATE_QUIET};
    assert_ok(hone_plan_init(&plan, f->kernel, &options, &err), err);
    bool seen[NAMED + FIRST + SECOND + THIRD] = {0};
    struct hone_variant variants[1 + NAMED + FIRST + SECOND + THIRD] = {0};
    struct hone_candidate candidate = {.variants = variants,
                                       .count = plan.sizes.count + 1};
    for (size_t few = 0; few < 2; few++) {
        // Those that are skipped are no checks.
        for (size_t i = NAMED; few && i < plan.sizes.count; i++)
            variants[i + 1].skipped = i % 8 != 3;
        memset(seen, 0, sizeof seen);
        for (uint64_t index = 0; index < 1000; index++) {
            size_t checked = 0;
            candidate.trial.index = index;
            for (size_t i = 0; i < plan.sizes.count; i++) {
                const bool runs =
                    !variants[i + 1].skipped && !hone_plan_is_plain(&plan, &candidate, i);
                seen[i] |= runs;
                checked += runs;
            }
            assert_int_equal(checked, NAMED + 2);
        }
        for (size_t i = 0; i < plan.sizes.count; i++)
            assert_int_equal(seen[i], !variants[i + 1].skipped);
    }
    hone_plan_fini(&plan);
}

// It would be launched nowhere, so nobody could say that it is right.
static void a_configuration_that_no_size_suits_is_rejected(void **state)
{
    const struct fixture *f = *state;
    struct hone_error err = {0};
    struct hone_plan plan;
    struct hone_kernel *kernel;
    struct hone_kernel_def def = *hone_script_def(f->script);
    const struct hone_value m = {.type = HONE_INT, .i = 8}; // BLOCK <= 4 * M
    struct hone_draw_choice choices[SIZES];
    memcpy(choices, def.draws[0].choices, sizeof choices);
    choices[M] = (struct hone_draw_choice){.values = &m, .count = 1};
    const struct hone_draw one = {.choices = choices, .count = 5, .line = 17};
    def.draws = &one;
    def.draw_count = 1;
    for (def.verify_count = 0; def.verify_count < 2; def.verify_count++) {
        assert_ok(hone_kernel_new(&kernel, &def, f->space, &err), err);
        const struct hone_evaluate_options options = {.data_seed = 3,
                                                      .flags = HONE_EVALUATE_QUIET};
        assert_ok(hone_plan_init(&plan, kernel, &options, &err), err);
        for (uint16_t block = 0; block < 3; block++) {
            struct hone_candidate candidate;
            const bool suited =
                block == 0 ||
                (def.verify_count && 32 << block <= 4 * def.verify[0].values[M].i);
            assert_ok(hone_plan_candidate(&plan, index_of(f, block), &candidate, &err),
                      err);
            assert_int_equal(candidate.trial.outcome,
                             suited ? HONE_VALID : HONE_REJECTED);
            if (!suited &&
                !strstr(candidate.notes.reason, "no size to verify at suits it"))
                fail_msg("%s", candidate.notes.reason);
            hone_candidate_fini(&candidate, NULL);
        }
        hone_plan_fini(&plan);
        hone_kernel_free(kernel);
    }
}

static void constraints_that_leave_no_size_are_named(void **state)
{
    const struct fixture *f = *state;
    struct hone_error err = {0};
    struct hone_sizes sizes;
    struct hone_kernel_def def = *hone_script_def(f->script);
    const struct hone_value n = {.type = HONE_INT, .i = 77};
    struct hone_draw_choice choices[SIZES];
    memcpy(choices, def.draws[0].choices, sizeof choices);
    choices[N] = (struct hone_draw_choice){.values = &n, .count = 1};
    const struct hone_draw one = {.choices = choices, .count = 5, .line = 17};
    struct hone_kernel *kernel;
    def.draws = &one;
    def.draw_count = 1;
    assert_ok(hone_kernel_new(&kernel, &def, f->space, &err), err);
    const struct hone_evaluate_options options = {.data_seed = 1};
    assert_int_equal(hone_sizes_init(&sizes, kernel, &options, &err), HONE_EINPUT);
    assert_int_equal(err.line, 17);
    assert_non_null(strstr(err.text, "there is none that the constraints allow"));
    hone_kernel_free(kernel);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(drawn_sizes_are_in_their_ranges_and_differ),
    cmocka_unit_test(a_seed_draws_the_same_sizes_again_and_another_one_others),
    cmocka_unit_test(sizes_that_are_given_are_taken),
    cmocka_unit_test(drawn_sizes_look_where_kernels_go_wrong),
    cmocka_unit_test(the_default_is_asked_of_however_many_parameters),
    cmocka_unit_test(a_size_that_does_not_suit_a_configuration_is_skipped_there),
    cmocka_unit_test(every_drawn_size_is_checked_for_some_configurations),
    cmocka_unit_test(a_configuration_that_no_size_suits_is_rejected),
    cmocka_unit_test(constraints_that_leave_no_size_are_named),
};

HONE_TEST_MAIN_WITH(tests, open_kernel, close_kernel)
