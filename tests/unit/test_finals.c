// The finals on a simulated machine whose true times are known: noise, a clock that
// drifts, contenders that fail. What the search alone would have picked stands beside.
#include <math.h>
#include <string.h>

#include "hone/rng.h"
#include "hone_test.h"
#include "session/finals.h"
#include "standings.h"

enum { CONTENDERS = 12 };

// Log-normal noise, and a clock that wanders up and down by the drift.
struct simulated {
    double true_us[CONTENDERS], noise, drift;
    double sustained_us[CONTENDERS]; // likewise, in a row
    double now;                      // launches so far
    uint64_t broken;
    size_t contests, rounds;
    size_t ends_at; // the contest that fails; 0: none does
    enum hone_status end;
    double turns_s[8]; // that contests allowed a turn
    size_t turns[8];   // of them
    struct hone_rng rng;
};

static double gauss(struct hone_rng *rng)
{
    const double u = 1 - hone_rng_double(rng), v = hone_rng_double(rng);
    return sqrt(-2 * log(u)) * cos(2 * acos(-1) * v);
}

static double launch(struct simulated *machine, uint64_t index, bool sustained)
{
    const double phase = 2 * acos(-1) * machine->now++ / 700;
    const double *times = sustained ? machine->sustained_us : machine->true_us;
    return times[index] * (1 + machine->drift * sin(phase)) *
           exp(machine->noise * gauss(&machine->rng));
}

static enum hone_status simulated_contest(struct hone_evaluator *evaluator,
                                          const struct hone_contest *contest,
                                          double *costs, struct hone_error *err)
{
    (void)err;
    struct simulated *machine = evaluator->priv;
    if (machine->contests < 8) {
        machine->turns_s[machine->contests] = contest->turn_s;
        machine->turns[machine->contests] = contest->count * contest->rounds;
    }
    machine->contests++;
    if (machine->ends_at == machine->contests) return machine->end;
    machine->rounds += contest->rounds;
    for (size_t r = 0; r < contest->rounds; r++)
        for (size_t i = 0; i < contest->count; i++) {
            const uint64_t index = contest->indices[i];
            costs[r * contest->count + i] =
                index == machine->broken ? (double)NAN
                                         : launch(machine, index, contest->sustained);
        }
    return HONE_OK;
}

static const struct hone_evaluator_fns simulated_fns = {.name = "simulated",
                                                        .contest = simulated_contest};

static struct hone_trial contender(size_t i, double time_us)
{
    struct hone_trial trial = hone_trial_make(i, HONE_VALID);
    trial.time_us = time_us;
    trial.rel_std = 0.01;
    trial.resources.registers = 64;
    return trial;
}

static void hold(struct simulated *machine, struct hone_trial *trials, size_t count,
                 double seconds)
{
    struct hone_evaluator evaluator = {.fns = &simulated_fns, .priv = machine};
    const struct hone_finals_options options = {
        .base = count - 1, .seed = 1, .seconds = seconds};
    struct hone_error err = {0};
    assert_ok(hone_finals_hold(&evaluator, &options, trials, count, &err), err);
}

static void the_shortlist_holds_the_best_in_order(void **state)
{
    (void)state;
    struct hone_shortlist list = {0};
    for (size_t i = 0; i < 100; i++) {
        const struct hone_trial trial = contender(i, 100 + (double)(i * 37 % 100));
        hone_shortlist_add(&list, &trial);
    }
    const struct hone_trial failed = hone_trial_make(100, HONE_CRASHED);
    hone_shortlist_add(&list, &failed);
    assert_int_equal(list.count, HONE_FINALS_MOST);
    for (size_t i = 0; i < list.count; i++)
        assert_true(list.trials[i].time_us == 100 + (double)i);
    hone_shortlist_cut(&list); // 1 % of noise: 100, 101 and 102 are within 2 %
    assert_int_equal(list.count, HONE_FINALS_LEAST);
    list.trials[0].rel_std = 0.04;
    for (size_t i = 0; i < 10; i++) {
        const struct hone_trial trial = contender(i, 107);
        hone_shortlist_add(&list, &trial);
    }
    hone_shortlist_cut(&list);
    assert_int_equal(list.count, 15);
}

// Who is fastest for a few launches is not in the long run; the times of the search stay.
static void sustained_finals_stand_beside_the_search(void **state)
{
    (void)state;
    struct simulated machine = {.noise = 0.002, .drift = 0.03, .broken = UINT64_MAX};
    struct hone_evaluator evaluator = {.fns = &simulated_fns, .priv = &machine};
    const struct hone_finals_options options = {
        .base = 3, .seed = 1, .seconds = HUGE_VAL, .sustained = true};
    struct hone_trial trials[4];
    struct hone_error err = {0};
    hone_rng_seed(&machine.rng, 5);
    for (size_t i = 0; i < 4; i++) {
        machine.true_us[i] = 100 + (double)i;
        machine.sustained_us[i] = 160 - 5 * (double)i;
        trials[i] = contender(i, machine.true_us[i]);
    }
    assert_ok(hone_finals_hold(&evaluator, &options, trials, 4, &err), err);
    for (size_t rank = 0; rank < 4; rank++) {
        const struct hone_trial *trial = &trials[rank];
        assert_int_equal(trial->index, 3 - rank);
        assert_true(trial->time_us == machine.true_us[trial->index]);
        const double truth = machine.sustained_us[trial->index];
        assert_true(fabs(trial->final.sustained_us / truth - 1) < 0.05);
    }
    assert_true(machine.rounds <= 24);
}

static void noisy_machine(struct simulated *machine, struct hone_trial *trials,
                          size_t count)
{
    *machine = (struct simulated){.noise = 0.05, .broken = UINT64_MAX};
    hone_rng_seed(&machine->rng, 5);
    for (size_t i = 0; i < count; i++) {
        machine->true_us[i] = machine->sustained_us[i] = 100 + 10 * (double)i;
        trials[i] = contender(i, 100 + (double)(i * 3 % 4));
    }
}

// Who was ahead in the rounds that were held is ahead, whatever ended the finals.
static void rounds_that_were_held_count_when_finals_are_cut_off(void **state)
{
    (void)state;
    static const enum hone_status ends[] = {HONE_ECANCELLED, HONE_EDEVICE};
    for (size_t i = 0; i < 4; i++) {
        struct simulated machine;
        struct hone_trial trials[4];
        struct hone_error err = {0};
        struct hone_evaluator evaluator = {.fns = &simulated_fns, .priv = &machine};
        const struct hone_finals_options options = {
            .base = 3, .seed = 1, .seconds = HUGE_VAL, .sustained = i % 2};
        noisy_machine(&machine, trials, 4);
        machine.ends_at = 3;
        machine.end = ends[i / 2];
        assert_int_equal(hone_finals_hold(&evaluator, &options, trials, 4, &err),
                         ends[i / 2]);
        assert_int_equal(trials[0].index, 0);
        assert_int_equal(trials[0].final.rank, 1);
        assert_int_equal(trials[0].final.rounds, machine.rounds);
    }
}

// Nothing was held: the trials stay as they are.
static void finals_without_a_round_leave_the_trials(void **state)
{
    (void)state;
    struct simulated machine;
    struct hone_trial trials[4];
    struct hone_error err = {0};
    struct hone_evaluator evaluator = {.fns = &simulated_fns, .priv = &machine};
    const struct hone_finals_options options = {.base = 3, .seed = 1, .seconds = 1};
    noisy_machine(&machine, trials, 4);
    machine.ends_at = 1;
    machine.end = HONE_ECANCELLED;
    assert_int_equal(hone_finals_hold(&evaluator, &options, trials, 4, &err),
                     HONE_ECANCELLED);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(trials[i].index, i);
        assert_int_equal(trials[i].final.rank, 0);
    }
}

// Turns share the time that is left, and those of later series need no second start.
static void sustained_turns_share_the_time(void **state)
{
    (void)state;
    static const double seconds[] = {HUGE_VAL, 60, 24, 2, 0, -3};
    for (size_t i = 0; i < sizeof seconds / sizeof *seconds; i++) {
        struct simulated machine;
        struct hone_trial trials[4];
        struct hone_error err = {0};
        struct hone_evaluator evaluator = {.fns = &simulated_fns, .priv = &machine};
        const struct hone_finals_options options = {
            .base = 3, .seed = 1, .seconds = seconds[i], .sustained = true};
        noisy_machine(&machine, trials, 4);
        assert_ok(hone_finals_hold(&evaluator, &options, trials, 4, &err), err);
        if (i == 0) assert_true(machine.turns_s[0] == 0);
        for (size_t k = 0; k < machine.contests; k++) {
            const double turn_s = machine.turns_s[k];
            assert_true(turn_s <= 1 || k == 0);
            if (k || i) assert_true(turn_s >= 0.25);
            if (i && seconds[i] > 10)
                assert_true(turn_s * (double)machine.turns[k] <= seconds[i]);
        }
        assert_true(machine.contests >= 1);
        if (i > 2) assert_int_equal(machine.contests, 1); // a second does not fit
    }
}

static void drift_cancels_within_a_round(void **state)
{
    (void)state;
    enum { ROUNDS = 9 };
    double samples[ROUNDS * 3], scratch[ROUNDS];
    for (size_t r = 0; r < ROUNDS; r++)
        for (size_t i = 0; i < 3; i++)
            samples[r * 3 + i] = (double)(1 + r) * (100 + 10 * (double)i);
    const struct hone_rounds rounds = {
        .costs = samples, .rounds = ROUNDS, .count = 3, .base = 2};
    struct hone_standing standings[3];
    assert_int_equal(hone_standings(&rounds, standings, scratch), 0);
    assert_true(fabs(standings[1].to_base.median - 110.0 / 120) < 1e-12);
    assert_true(standings[1].to_base.high - standings[1].to_base.low < 1e-12);
    assert_true(fabs(standings[1].to_best.median - 1.1) < 1e-12);
    assert_true(standings[2].to_base.median == 1 && !standings[2].tied);
}

static void who_missed_rounds_is_compared_over_the_others(void **state)
{
    (void)state;
    enum { ROUNDS = 12 };
    double samples[ROUNDS * 2], scratch[ROUNDS];
    for (size_t r = 0; r < ROUNDS; r++) {
        samples[2 * r] = r < 7 ? 50 : (double)NAN;
        samples[2 * r + 1] = r < 7 ? 100 : 1; // what happens later says nothing
    }
    const struct hone_rounds rounds = {
        .costs = samples, .rounds = ROUNDS, .count = 2, .base = 1};
    const struct hone_ratio ratio = hone_rounds_ratio(&rounds, 0, 1, scratch);
    assert_int_equal(ratio.rounds, 7);
    assert_true(ratio.median == 0.5 && ratio.low == 0.5 && ratio.high == 0.5);
}

static void equals_are_chosen_by_what_they_use(void **state)
{
    (void)state;
    struct simulated machine = {.broken = UINT64_MAX};
    struct hone_trial trials[4];
    for (size_t i = 0; i < 4; i++) {
        machine.true_us[i] = i == 3 ? 120 : 100;
        trials[i] = contender(i, 100);
    }
    trials[1].resources.registers = 40;
    trials[2].resources.registers = 40;
    trials[2].resources.dynamic_shared_bytes = 1024;
    trials[3].resources.registers = 10;
    hold(&machine, trials, 4, 1e9);
    const uint64_t expected[] = {1, 2, 0, 3};
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(trials[i].index, expected[i]);
        assert_int_equal(trials[i].final.rank, i + 1);
    }
    assert_true(fabs(trials[0].final.ratio - 100.0 / 120) < 1e-9);
    assert_true(trials[3].final.ratio == 1);
    assert_int_equal(machine.contests, 1); // without noise one series tells
}

static void who_breaks_in_the_finals_comes_last(void **state)
{
    (void)state;
    for (uint64_t broken = 0; broken < 3; broken++) { // also the base, number 2
        struct simulated machine = {.broken = broken};
        struct hone_trial trials[3];
        for (size_t i = 0; i < 3; i++) {
            machine.true_us[i] = 100 + (double)i;
            trials[i] = contender(i, 100);
        }
        hold(&machine, trials, 3, 1e9);
        assert_int_equal(trials[0].index, broken == 0);
        assert_int_equal(trials[0].final.rank, 1);
        assert_int_equal(trials[2].index, broken);
        assert_int_equal(trials[2].final.rank, 0);
        assert_true(trials[2].time_us == 100); // what was measured stays
    }
}

static void no_time_leaves_one_series(void **state)
{
    (void)state;
    struct simulated machine = {.broken = UINT64_MAX, .noise = 0.2};
    struct hone_trial trials[3];
    hone_rng_seed(&machine.rng, 3);
    for (size_t i = 0; i < 3; i++) {
        machine.true_us[i] = 100;
        trials[i] = contender(i, 100);
    }
    hold(&machine, trials, 3, 0);
    assert_int_equal(machine.contests, 1);
}

// --- how good the pick is ---

struct picks {
    double finals, search; // mean regret
    double covered;        // how often the interval of the gain holds the truth
};

static double worth(const struct simulated *machine, uint64_t index)
{
    double best = machine->true_us[0];
    for (size_t i = 1; i < CONTENDERS; i++)
        best = fmin(best, machine->true_us[i]);
    return machine->true_us[index] / best - 1;
}

// A shortlist within 5 % as a search leaves it: each known by a median of ten samples.
static void make_contenders(struct simulated *machine, struct hone_trial *trials)
{
    for (size_t i = 0; i < CONTENDERS; i++) {
        machine->true_us[i] = 100 * (1 + 0.05 * hone_rng_double(&machine->rng));
        if (i == CONTENDERS - 1) machine->true_us[i] = 130; // the default
        double least = (double)INFINITY, most = 0, sum = 0;
        for (int k = 0; k < 10; k++) {
            const double sample = launch(machine, i, false);
            least = fmin(least, sample);
            most = fmax(most, sample);
            sum += sample;
        }
        trials[i] = contender(i, (sum - least - most) / 8);
    }
}

static struct picks try_picks(double noise, double drift, int runs)
{
    struct picks mean = {0};
    struct simulated machine = {.noise = noise, .drift = drift, .broken = UINT64_MAX};
    hone_rng_seed(&machine.rng, 11);
    for (int run = 0; run < runs; run++) {
        struct hone_trial trials[CONTENDERS];
        make_contenders(&machine, trials);
        size_t lucky = 0;
        for (size_t i = 1; i < CONTENDERS; i++)
            if (trials[i].time_us < trials[lucky].time_us) lucky = i;
        mean.search += worth(&machine, trials[lucky].index) / runs;
        hold(&machine, trials, CONTENDERS, 1e9);
        mean.finals += worth(&machine, trials[0].index) / runs;
        const struct hone_final *final = &trials[0].final;
        const double ratio = machine.true_us[trials[0].index] / 130;
        mean.covered += (final->low <= ratio && ratio <= final->high) / (double)runs;
    }
    return mean;
}

static void the_pick_is_within_half_a_percent_under_noise_and_drift(void **state)
{
    (void)state;
    const double noises[] = {0.005, 0.01, 0.02, 0.03}, drifts[] = {0, 0.03};
    for (size_t n = 0; n < 4; n++)
        for (size_t d = 0; d < 2; d++) {
            const struct picks picks = try_picks(noises[n], drifts[d], 200);
            printf("noise %.1f %%, drift %.0f %%: regret %.3f %%, of the search alone "
                   "%.3f %%; the interval holds the gain in %.1f %%\n",
                   100 * noises[n], 100 * drifts[d], 100 * picks.finals,
                   100 * picks.search, 100 * picks.covered);
            assert_true(picks.finals <= 0.005);
            // Choosing among equals by what they use may cost a little.
            assert_true(picks.finals <= fmax(picks.search, 0.001));
            assert_true(picks.covered >= 0.85); // the winner was chosen by the same data
        }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_shortlist_holds_the_best_in_order),
    cmocka_unit_test(sustained_finals_stand_beside_the_search),
    cmocka_unit_test(rounds_that_were_held_count_when_finals_are_cut_off),
    cmocka_unit_test(finals_without_a_round_leave_the_trials),
    cmocka_unit_test(sustained_turns_share_the_time),
    cmocka_unit_test(drift_cancels_within_a_round),
    cmocka_unit_test(who_missed_rounds_is_compared_over_the_others),
    cmocka_unit_test(equals_are_chosen_by_what_they_use),
    cmocka_unit_test(who_breaks_in_the_finals_comes_last),
    cmocka_unit_test(no_time_leaves_one_series),
    cmocka_unit_test(the_pick_is_within_half_a_percent_under_noise_and_drift),
};

HONE_TEST_MAIN(tests)
