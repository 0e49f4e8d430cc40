// How the configurations of a journal stand: each order against its definition.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hone/rng.h"
#include "hone/strbuf.h"
#include "hone_test.h"
#include "insight/convergence.h"
#include "report/standings.h"

enum { VALUES = 60 };

static struct hone_recording *recording;
static struct hone_standings standings;

static void load(const char *lines)
{
    char path[] = "/tmp/hone-standings-XXXXXX";
    const int fd = mkstemp(path);
    struct hone_error err = {0};
    assert_true(fd >= 0);
    FILE *file = fdopen(fd, "w");
    fputs("{\"hone\":1,\"kind\":\"journal\",\"kernel\":\"k\",\"params\":[{\"name\":\"X\","
          "\"values\":[",
          file);
    for (int i = 0; i < VALUES; i++)
        fprintf(file, "%s%d", i ? "," : "", i);
    fprintf(file, "]}]}\n%s", lines);
    fclose(file);
    if (hone_recording_load(&recording, path, &err) != HONE_OK) fail_msg("%s", err.text);
    unlink(path);
    assert_int_equal(hone_standings_make(&standings, recording, &err), HONE_OK);
}

static void drop(void)
{
    hone_standings_fini(&standings);
    hone_recording_free(recording);
}

// Times and energies are of few values, so that many are equal.
static char *random_lines(struct hone_rng *rng)
{
    struct hone_strbuf text = HONE_STRBUF_INIT;
    for (int i = 0; i < VALUES; i++) {
        if (hone_rng_below(rng, 4) == 0)
            hone_strbuf_printf(
                &text, "{\"config\":[%d],\"outcome\":\"crashed\",\"reason\":\"x\"}\n", i);
        else
            hone_strbuf_printf(
                &text,
                "{\"config\":[%d],\"outcome\":\"valid\",\"time_us\":%d,\"energy_j\":%d,"
                "\"n\":5}\n",
                i, 1 + (int)hone_rng_below(rng, 20), 1 + (int)hone_rng_below(rng, 20));
    }
    return hone_strbuf_steal(&text);
}

static bool beats(const struct hone_trial *a, const struct hone_trial *b)
{
    return a->time_us <= b->time_us && a->energy_j <= b->energy_j &&
           (a->time_us < b->time_us || a->energy_j < b->energy_j);
}

static bool is_beaten(const struct hone_trial *trial)
{
    for (size_t i = 0; i < hone_recording_count(recording); i++) {
        const struct hone_trial *other = hone_recording_trial(recording, i);
        if (other->outcome == HONE_VALID && beats(other, trial)) return true;
    }
    return false;
}

static bool has_place(const struct hone_trial *trial)
{
    for (size_t i = 0; i < standings.pareto_count; i++)
        if (standings.pareto[i]->time_us == trial->time_us &&
            standings.pareto[i]->energy_j == trial->energy_j)
            return true;
    return false;
}

static void valid_ones_stand_by_cost_and_then_by_index(void **state)
{
    (void)state;
    struct hone_rng rng;
    for (uint64_t seed = 1; seed <= 50; seed++) {
        hone_rng_seed(&rng, seed);
        char *lines = random_lines(&rng);
        load(lines);
        assert_int_equal(standings.count, standings.outcomes[HONE_VALID]);
        assert_int_equal(standings.count + standings.outcomes[HONE_CRASHED], VALUES);
        for (size_t i = 1; i < standings.count; i++) {
            const struct hone_trial *a = standings.trials[i - 1],
                                    *b = standings.trials[i];
            assert_true(
                hone_trial_cost(a) < hone_trial_cost(b) ||
                (hone_trial_cost(a) == hone_trial_cost(b) && a->index < b->index));
        }
        drop();
        free(lines);
    }
}

static void what_nothing_beats_in_time_and_energy_is_found(void **state)
{
    (void)state;
    struct hone_rng rng;
    for (uint64_t seed = 1; seed <= 50; seed++) {
        hone_rng_seed(&rng, seed);
        char *lines = random_lines(&rng);
        load(lines);
        for (size_t i = 0; i < standings.pareto_count; i++)
            assert_false(is_beaten(standings.pareto[i]));
        for (size_t i = 0; i < standings.count; i++)
            assert_int_equal(has_place(standings.trials[i]),
                             !is_beaten(standings.trials[i]));
        for (size_t i = 1; i < standings.pareto_count; i++)
            assert_true(standings.pareto[i - 1]->time_us < standings.pareto[i]->time_us);
        drop();
        free(lines);
    }
}

#define FINAL(config, rank)                                                              \
    "{\"config\":[" #config "],\"outcome\":\"valid\",\"time_us\":" #config               \
    ",\"n\":5,\"final\":{\"rank\":" #rank ",\"ratio\":1,\"rounds\":9}}\n"
#define VALID(config)                                                                    \
    "{\"config\":[" #config "],\"outcome\":\"valid\",\"time_us\":" #config ",\"n\":5}\n"

static void finals_are_those_that_the_journal_ends_with(void **state)
{
    (void)state;
    load(VALID(4) FINAL(4, 1) FINAL(5, 2) VALID(6) FINAL(8, 1) FINAL(9, 3) FINAL(7, 2));
    assert_int_equal(standings.final_count, 3);
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(standings.finals[i]->final.rank, i + 1);
    assert_float_equal(standings.finals[0]->time_us, 8, 0);
    assert_float_equal(standings.finals[1]->time_us, 7, 0);
    drop();
    load(FINAL(4, 1) VALID(6));
    assert_int_equal(standings.final_count, 0);
    assert_int_equal(standings.pareto_count, 0);
    drop();
}

static void the_cost_falls_where_nothing_before_was_as_good(void **state)
{
    (void)state;
    struct hone_rng rng;
    for (uint64_t seed = 1; seed <= 50; seed++) {
        hone_rng_seed(&rng, seed);
        char *lines = random_lines(&rng);
        load(lines);
        struct hone_convergence progress;
        assert_int_equal(hone_convergence_make(&progress, recording, NULL), HONE_OK);
        assert_int_equal(progress.count, VALUES);
        for (size_t i = 0; i < VALUES; i++) {
            const double cost = hone_trial_cost(hone_recording_trial(recording, i));
            bool falls = cost < HUGE_VAL;
            for (size_t j = 0; j < i && falls; j++)
                falls = !(hone_trial_cost(hone_recording_trial(recording, j)) <= cost);
            assert_int_equal(progress.points[i].is_best, falls);
            if (falls) assert_float_equal(progress.points[i].best, cost, 0);
        }
        hone_convergence_fini(&progress);
        drop();
        free(lines);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_cost_falls_where_nothing_before_was_as_good),
    cmocka_unit_test(valid_ones_stand_by_cost_and_then_by_index),
    cmocka_unit_test(what_nothing_beats_in_time_and_energy_is_found),
    cmocka_unit_test(finals_are_those_that_the_journal_ends_with),
};

HONE_TEST_MAIN(tests)
