// Importance of parameters: against variances worked out by hand, and against the exact
// figures of recorded spaces from a few of their trials.
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hone/rng.h"
#include "hone/strbuf.h"
#include "hone_test.h"
#include "importance_points.h"
#include "insight/journal_space.h"

#define RECORDED HONE_SOURCE_DIR "/../shared/recorded"

static struct hone_recording *load(const char *text)
{
    char path[] = "/tmp/hone-importance-XXXXXX";
    struct hone_recording *recording = NULL;
    struct hone_error err = {0};
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    FILE *file = fdopen(fd, "w");
    fputs(text, file);
    fclose(file);
    assert_ok(hone_recording_load(&recording, path, &err), err);
    unlink(path);
    return recording;
}

// A in 0..3, B in 0..1, C in 0..1: log time is a[A] + B * C.
static const double a_part[4] = {0, 1, 2, 5};

static double log_time(int a, int b, int c)
{
    return a_part[a] + b * c;
}

static char *product_journal(bool complete)
{
    struct hone_strbuf text = HONE_STRBUF_INIT;
    hone_strbuf_printf(
        &text,
        "{\"hone\":1,\"kind\":\"journal\",\"kernel\":\"k\",\"params\":[{\"name\":\"A\","
        "\"values\":[0,1,2,3]},{\"name\":\"B\",\"values\":[0,1]},{\"name\":\"C\","
        "\"values\":[0,1]},{\"name\":\"ONE\",\"values\":[7]},{\"name\":\"IDLE\","
        "\"values\":[0,1]}],\"complete\":%s}\n",
        complete ? "true" : "false");
    for (int i = 0; i < 32; i++)
        hone_strbuf_printf(&text,
                           "{\"config\":[%d,%d,%d,7,%d],\"outcome\":\"valid\","
                           "\"time_us\":%.15g,\"n\":5}\n",
                           i / 8, i / 4 % 2, i / 2 % 2, i % 2,
                           exp(log_time(i / 8, i / 4 % 2, i / 2 % 2)));
    return hone_strbuf_steal(&text);
}

static void assert_near(double a, double b)
{
    assert_true(fabs(a - b) < 1e-6);
}

static void exact_figures_are_the_variances_of_the_definition(void **state)
{
    (void)state;
    char *text = product_journal(true);
    struct hone_recording *recording = load(text);
    struct hone_importance found;
    struct hone_error err = {0};
    assert_ok(hone_importance_make(&found, recording, NULL, &err), err);
    assert_int_equal(found.kind, HONE_IMPORTANCE_EXACT);
    assert_int_equal(found.trials, 32);
    // A is apart: mean 2, variance 3.5. B * C: variance 3/16, of which B alone explains
    // 1/16; where C is 1, half of the time, B varies by 1/4.
    const double all = 3.5 + 3.0 / 16;
    assert_near(found.params[0].total.value, 3.5 / all);
    assert_near(found.params[0].main.value, 3.5 / all);
    for (size_t p = 1; p <= 2; p++) {
        assert_near(found.params[p].total.value, 1.0 / 8 / all);
        assert_near(found.params[p].main.value, 1.0 / 16 / all);
        assert_true(isnan(found.params[p].good));
    }
    assert_true(found.params[4].total.value == 0 && found.params[4].main.value < 1e-12);
    assert_int_equal(found.order_count, 4); // ONE has nothing to choose
    assert_int_equal(found.order[0], 0);
    assert_int_equal(found.order[3], 4);
    hone_importance_fini(&found);
    hone_recording_free(recording);
    free(text);
}

static void an_estimate_repeats_and_knows_what_is_idle(void **state)
{
    (void)state;
    char *text = product_journal(false);
    struct hone_recording *recording = load(text);
    struct hone_importance found[2];
    struct hone_error err = {0};
    for (size_t i = 0; i < 2; i++)
        assert_ok(hone_importance_make(&found[i], recording, NULL, &err), err);
    assert_int_equal(found[0].kind, HONE_IMPORTANCE_ESTIMATED);
    assert_memory_equal(found[0].params, found[1].params,
                        found[0].param_count * sizeof *found[0].params);
    assert_int_equal(found[0].order[0], 0);
    for (size_t p = 0; p < 5; p++) {
        const struct hone_share total = found[0].params[p].total;
        assert_true(total.low <= total.value && total.value <= total.high);
    }
    assert_true(found[0].params[0].total.value > 0.8);
    assert_true(found[0].params[4].total.value < found[0].params[1].total.value);
    hone_importance_fini(&found[0]);
    hone_importance_fini(&found[1]);
    hone_recording_free(recording);
    free(text);
}

static void too_few_trials_and_equal_times_have_no_figures(void **state)
{
    (void)state;
    for (int equal = 0; equal < 2; equal++) {
        struct hone_strbuf text = HONE_STRBUF_INIT;
        const int count = equal ? 40 : HONE_IMPORTANCE_LEAST - 1;
        hone_strbuf_add(&text, "{\"hone\":1,\"kind\":\"journal\",\"kernel\":\"k\","
                               "\"params\":[{\"name\":\"A\",\"values\":[0");
        for (int i = 1; i < 60; i++)
            hone_strbuf_printf(&text, ",%d", i);
        hone_strbuf_add(&text, "]}]}\n");
        for (int i = 0; i < count; i++)
            hone_strbuf_printf(&text,
                               "{\"config\":[%d],\"outcome\":\"valid\",\"time_us\":%d}\n",
                               i, equal ? 8 : i + 1);
        for (int i = count; i < 50; i++)
            hone_strbuf_printf(&text, "{\"config\":[%d],\"outcome\":\"crashed\"}\n", i);
        struct hone_recording *recording = load(text.data);
        struct hone_importance found;
        struct hone_error err = {0};
        assert_ok(hone_importance_make(&found, recording, NULL, &err), err);
        assert_int_equal(found.kind, HONE_IMPORTANCE_NONE);
        assert_int_equal(found.trials, count);
        assert_int_equal(found.order_count, 0);
        assert_null(found.params);
        hone_importance_fini(&found);
        hone_recording_free(recording);
        hone_strbuf_fini(&text);
    }
}

static void a_journal_tells_the_space_of_its_run(void **state)
{
    (void)state;
    struct hone_recording *recording = load(
        "{\"hone\":1,\"kind\":\"journal\",\"kernel\":\"k\",\"params\":[{\"name\":\"A\","
        "\"values\":[1,2,3,4]},{\"name\":\"B\",\"values\":[1,2,3,4]}],"
        "\"problem\":{\"N\":2},\"device\":{\"name\":\"d\",\"limits\":{\"name\":\"d\","
        "\"arch\":\"sm_80\",\"warp_size\":6}},"
        "\"derived\":[{\"name\":\"AB\",\"text\":\"A * B\"}],"
        "\"where\":[\"AB <= device.warp_size\",\"B >= N\"]}\n");
    struct hone_space *space = NULL;
    struct hone_error err = {0};
    assert_ok(hone_journal_space(&space, hone_recording_info(recording), &err), err);
    assert_non_null(space);
    assert_int_equal(hone_space_count(space), 3 + 2 + 1); // B: 2, 3 and 4
    hone_space_free(space);
    hone_recording_free(recording);
}

// --- recorded spaces ---

enum { PARAMS_MOST = 32, SEEDS = 8 };

struct recorded {
    struct hone_recording *recording;
    const struct hone_space *space;
    size_t params, count;
    uint16_t *rows;
    float *y;
    struct hone_effect exact[PARAMS_MOST];
};

static void recorded_open(struct recorded *r, const char *name)
{
    char path[512];
    struct hone_error err = {0};
    snprintf(path, sizeof path, RECORDED "/%s", name);
    assert_ok(hone_recording_load(&r->recording, path, &err), err);
    r->space = hone_recording_space(r->recording);
    r->params = hone_space_param_count(r->space);
    assert_in_range(r->params, 1, PARAMS_MOST);
    const size_t n = hone_recording_count(r->recording);
    r->rows = test_calloc(n * r->params, sizeof *r->rows);
    r->y = test_calloc(n, sizeof *r->y);
    for (size_t i = 0; i < n; i++) {
        const struct hone_trial *trial = hone_recording_trial(r->recording, i);
        if (!isfinite(hone_trial_cost(trial))) continue;
        hone_space_choices(r->space, trial->index, r->rows + r->count * r->params);
        r->y[r->count++] = (float)log(hone_trial_cost(trial));
    }
    assert_ok(hone_importance_exact(r->exact, r->recording, &err), err);
}

static void recorded_close(struct recorded *r)
{
    test_free(r->rows);
    test_free(r->y);
    hone_recording_free(r->recording);
}

static double rank_of(const double *values, size_t n, size_t i)
{
    double rank = 0;
    for (size_t j = 0; j < n; j++)
        rank += values[j] < values[i] ? 1 : values[j] == values[i] ? 0.5 : 0;
    return rank;
}

static double spearman(const double *a, const double *b, size_t n)
{
    double xx = 0, yy = 0, xy = 0;
    for (size_t i = 0; i < n; i++) {
        const double x = rank_of(a, n, i) - (double)n / 2;
        const double y = rank_of(b, n, i) - (double)n / 2;
        xx += x * x;
        yy += y * y;
        xy += x * y;
    }
    return xy / sqrt(xx * yy);
}

struct score {
    double correlation;     // mean over draws
    size_t covered, shares; // exact totals within their intervals
};

static void draw(const struct recorded *r, uint64_t seed, size_t n, uint16_t *rows,
                 float *y)
{
    struct hone_rng rng;
    size_t *order = test_calloc(r->count, sizeof *order);
    for (size_t i = 0; i < r->count; i++)
        order[i] = i;
    hone_rng_seed(&rng, seed);
    hone_rng_shuffle(&rng, order, r->count);
    for (size_t i = 0; i < n; i++) {
        memcpy(rows + i * r->params, r->rows + order[i] * r->params,
               r->params * sizeof *rows);
        y[i] = r->y[order[i]];
    }
    test_free(order);
}

static struct score score_of(const struct recorded *r, size_t n)
{
    uint16_t rows[200 * PARAMS_MOST];
    float y[200];
    struct score score = {0};
    const struct hone_points points = {r->space, r->params, n, rows, y};
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct hone_effect found[PARAMS_MOST] = {0};
        double exact[PARAMS_MOST], estimated[PARAMS_MOST];
        struct hone_error err = {0};
        size_t m = 0;
        draw(r, seed, n, rows, y);
        assert_ok(hone_importance_estimate(found, &points, &err), err);
        for (size_t p = 0; p < r->params; p++) {
            if (hone_space_param(r->space, p)->count < 2) continue;
            const double value = r->exact[p].total.value;
            score.covered += found[p].total.low <= value && value <= found[p].total.high;
            exact[m] = value;
            estimated[m++] = found[p].total.value;
        }
        score.shares += m;
        score.correlation += spearman(exact, estimated, m) / SEEDS;
    }
    return score;
}

static void few_trials_of_recorded_spaces_rank_as_all_do(void **state)
{
    (void)state;
    static const struct bar {
        size_t trials;
        double correlation, covered;
    } bars[] = {{50, 0.72, 0.9}, {200, 0.85, 0.9}};
    struct score sum[2] = {{0}};
    size_t spaces = 0;
    DIR *folder = opendir(RECORDED);
    if (!folder) SKIP("no ../shared/recorded here");
    for (const struct dirent *entry; (entry = readdir(folder));) {
        struct recorded r = {0};
        if (!strstr(entry->d_name, ".jsonl") || strstr(entry->d_name, "sampled"))
            continue;
        recorded_open(&r, entry->d_name);
        for (size_t i = 0; i < 2; i++) {
            const struct score score = score_of(&r, bars[i].trials);
            sum[i].correlation += score.correlation;
            sum[i].covered += score.covered;
            sum[i].shares += score.shares;
        }
        recorded_close(&r);
        spaces++;
    }
    closedir(folder);
    assert_true(spaces >= 12);
    for (size_t i = 0; i < 2; i++) {
        const double mean = sum[i].correlation / (double)spaces;
        const double covered = (double)sum[i].covered / (double)sum[i].shares;
        print_message("%zu spaces, %zu trials: mean Spearman %.3f, %.1f %% of exact "
                      "totals within their intervals\n",
                      spaces, bars[i].trials, mean, 100 * covered);
        assert_true(mean >= bars[i].correlation);
        assert_true(covered >= bars[i].covered);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(exact_figures_are_the_variances_of_the_definition),
    cmocka_unit_test(an_estimate_repeats_and_knows_what_is_idle),
    cmocka_unit_test(too_few_trials_and_equal_times_have_no_figures),
    cmocka_unit_test(a_journal_tells_the_space_of_its_run),
    cmocka_unit_test(few_trials_of_recorded_spaces_rank_as_all_do),
};

HONE_TEST_MAIN(tests)
