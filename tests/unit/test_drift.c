// The watch over drift, in whole sessions on a simulated machine whose true times and
// whose clock are known.
#include <math.h>
#include <string.h>

#include "base/file.h"
#include "hone/rng.h"
#include "hone/session.h"
#include "hone_test.h"

enum { SIDE = 16, COUNT = SIDE * SIDE, BUDGET = 150, EVERY = 25 };

static struct hone_space *space;
static struct hone_param params[2];
static char folder[64], path[96];

static int set_up(void **state)
{
    (void)state;
    static struct hone_value values[SIDE];
    for (int64_t i = 0; i < SIDE; i++)
        values[i] = (struct hone_value){.type = HONE_INT, .i = i};
    params[0] = (struct hone_param){.name = "p", .values = values, .count = SIDE};
    params[1] = (struct hone_param){.name = "q", .values = values, .count = SIDE};
    const struct hone_space_def def = {.params = params, .param_count = 2};
    strcpy(folder, "/tmp/hone-drift-XXXXXX");
    if (!mkdtemp(folder)) return -1;
    snprintf(path, sizeof path, "%s/run.jsonl", folder);
    return hone_space_new(&space, &def, NULL);
}

static int tear_down(void **state)
{
    (void)state;
    hone_space_free(space);
    unlink(path);
    return rmdir(folder);
}

// --- the machine ---

// What its times are multiplied by after so many launches.
typedef double machine_clock(double launches, double size);

struct machine {
    double true_us[COUNT], noise, size; // of the drift
    machine_clock *clock;
    double launches;
    uint64_t flying;
    bool is_flying;
    size_t contests, contenders;
    size_t default_fails_after; // contests; 0: never
    struct hone_rng rng;
};

static double steady(double launches, double size)
{
    (void)launches, (void)size;
    return 1;
}

// A card that gets warm: after a third of the run its clock falls for good.
static double falls(double launches, double size)
{
    return launches < 3000 ? 1 : 1 + size;
}

static double wanders(double launches, double size)
{
    return 1 + size * sin(2 * acos(-1) * launches / 5000);
}

static double measure(struct machine *machine, uint64_t index, int launches)
{
    const double u = 1 - hone_rng_double(&machine->rng);
    const double gauss =
        sqrt(-2 * log(u)) * cos(2 * acos(-1) * hone_rng_double(&machine->rng));
    machine->launches += launches;
    return machine->true_us[index] * machine->clock(machine->launches, machine->size) *
           exp(machine->noise / sqrt(launches) * gauss);
}

static size_t capacity(struct hone_evaluator *evaluator)
{
    (void)evaluator;
    return 1;
}

static enum hone_status submit(struct hone_evaluator *evaluator, uint64_t index,
                               struct hone_error *err)
{
    (void)err;
    struct machine *machine = evaluator->priv;
    machine->flying = index;
    machine->is_flying = true;
    return HONE_OK;
}

static enum hone_status wait(struct hone_evaluator *evaluator, struct hone_trial *out,
                             size_t cap, size_t *count, struct hone_error *err)
{
    (void)cap, (void)err;
    struct machine *machine = evaluator->priv;
    *count = machine->is_flying;
    if (!machine->is_flying) return HONE_OK;
    *out = hone_trial_make(machine->flying, HONE_VALID);
    out->time_us = measure(machine, machine->flying, 60);
    out->rel_std = machine->noise;
    machine->is_flying = false;
    return HONE_OK;
}

static enum hone_status contest(struct hone_evaluator *evaluator,
                                const struct hone_contest *contest, double *costs,
                                struct hone_error *err)
{
    (void)err;
    struct machine *machine = evaluator->priv;
    assert_false(machine->is_flying);
    machine->contests++;
    machine->contenders += contest->count;
    const bool broken =
        machine->default_fails_after && machine->contests > machine->default_fails_after;
    for (size_t r = 0; r < contest->rounds; r++)
        for (size_t i = 0; i < contest->count; i++)
            costs[r * contest->count + i] =
                broken ? (double)NAN : measure(machine, contest->indices[i], 3);
    return HONE_OK;
}

static const struct hone_evaluator_fns fns = {.name = "machine",
                                              .capacity = capacity,
                                              .submit = submit,
                                              .wait = wait,
                                              .contest = contest};

// Times from 100 to 200 us, few of them close to the best; the default is in the middle.
static struct machine make_machine(uint64_t seed, machine_clock *clock, double size)
{
    struct machine machine = {.noise = 0.01, .clock = clock, .size = size};
    hone_rng_seed(&machine.rng, seed);
    for (size_t i = 0; i < COUNT; i++) {
        const double u = hone_rng_double(&machine.rng);
        machine.true_us[i] = 100 * (1 + u);
    }
    machine.true_us[0] = 150;
    return machine;
}

struct setting {
    size_t every;
    bool finals;
    struct hone_journal *journal;
};

static struct hone_session_result run(struct machine *machine, uint64_t seed,
                                      const struct setting *setting)
{
    static const uint64_t start[] = {0};
    struct hone_evaluator evaluator = {.fns = &fns, .priv = machine};
    const struct hone_session_options options = {
        .strategy = hone_strategy_find("random"),
        .search = {.seed = seed, .budget = BUDGET, .start = start, .start_count = 1},
        .seconds = INFINITY,
        .journal = setting->journal,
        .finals = setting->finals,
        .drift_every = setting->every,
        .drift_limit = 0.02};
    struct hone_session_result result;
    struct hone_error err = {0};
    assert_ok(hone_session_run(&result, space, &evaluator, &options, &err), err);
    assert_int_equal(result.done, BUDGET);
    assert_true(result.has_best);
    return result;
}

// --- what it does ---

static void a_steady_machine_is_only_looked_at(void **state)
{
    (void)state;
    struct machine machine = make_machine(1, steady, 0);
    struct hone_session_result result = run(&machine, 1, &(struct setting){EVERY, 0, 0});
    assert_int_equal(result.repeated, 0);
    assert_int_equal(machine.contests, BUDGET / EVERY); // the default alone
    assert_int_equal(machine.contenders, machine.contests);
    machine = make_machine(1, steady, 0);
    run(&machine, 1, &(struct setting){0, 0, 0});
    assert_int_equal(machine.contests, 0);
}

// Everything after the fall of the clock is measured again and is comparable then.
static void a_drifted_window_is_measured_again(void **state)
{
    (void)state;
    struct machine machine = make_machine(2, falls, 0.08);
    struct hone_error err = {0};
    const struct hone_record_info info = {.kernel = "k",
                                          .params = params,
                                          .param_count = 2,
                                          .drift_every = EVERY,
                                          .drift_limit = 0.02};
    struct setting setting = {.every = EVERY};
    assert_ok(hone_journal_create(&setting.journal, path, &info, 0, &err), err);
    struct hone_session_result result = run(&machine, 3, &setting);
    assert_ok(hone_journal_close(setting.journal, &err), err);
    assert_true(result.repeated >= BUDGET / 2 && result.repeated < BUDGET - 1);
    struct hone_recording *recording = NULL;
    assert_ok(hone_recording_load(&recording, path, &err), err);
    assert_string_equal(hone_recording_notice(recording), "");
    assert_int_equal(hone_recording_count(recording), BUDGET);
    assert_int_equal(hone_recording_info(recording)->drift_every, EVERY);
    assert_true(hone_recording_info(recording)->drift_limit == 0.02);
    size_t repeated = 0;
    for (size_t i = 0; i < BUDGET; i++) {
        const struct hone_trial *trial = hone_recording_trial(recording, i);
        uint16_t choices[2];
        hone_space_choices(hone_recording_space(recording), trial->index, choices);
        const double truth = machine.true_us[choices[0] * SIDE + choices[1]];
        assert_true(fabs(trial->time_us / truth - 1) < 0.02);
        if (!(trial->drift > 0)) continue;
        repeated++;
        assert_true(fabs(trial->drift - 1.08) < 0.01);
        assert_int_equal(trial->samples, 21);
    }
    assert_int_equal(repeated, result.repeated);
    hone_recording_free(recording);
    char *text = NULL;
    size_t size = 0;
    assert_ok(hone_file_read(&text, &size, path, &err), err);
    assert_non_null(strstr(text, "{\"note\":\"the default takes 1.08"));
    assert_non_null(strstr(text, "\"drift\":{\"every\":25,\"limit\":0.02}"));
    free(text);
    unlink(path);
}

static void a_default_that_fails_later_ends_the_watch_alone(void **state)
{
    (void)state;
    struct machine machine = make_machine(4, falls, 0.08);
    machine.default_fails_after = 1;
    struct hone_session_result result = run(&machine, 1, &(struct setting){EVERY, 0, 0});
    assert_int_equal(machine.contests, 2);
    assert_int_equal(result.repeated, 0);
}

// --- what it is worth ---

static double regret_of(machine_clock *clock, double size, bool finals, size_t every)
{
    enum { RUNS = 100 };
    double sum = 0;
    for (uint64_t seed = 1; seed <= RUNS; seed++) {
        struct machine machine = make_machine(seed, clock, size);
        const struct setting setting = {.every = every, .finals = finals};
        const struct hone_session_result result = run(&machine, seed, &setting);
        struct machine again = make_machine(seed, steady, 0);
        again.noise = 0; // the same search without noise finds the true best of it
        const struct hone_session_result best =
            run(&again, seed, &(struct setting){0, false, NULL});
        sum += machine.true_us[result.best.index] / machine.true_us[best.best.index] - 1;
    }
    return sum / RUNS;
}

static void the_watch_keeps_drift_from_choosing(void **state)
{
    (void)state;
    const struct {
        const char *name;
        machine_clock *clock;
        double size;
    } cases[] = {{"steady", steady, 0},
                 {"falls by 4 %", falls, 0.04},
                 {"falls by 8 %", falls, 0.08},
                 {"wanders by 4 %", wanders, 0.04},
                 {"wanders by 8 %", wanders, 0.08}};
    printf("%-16s %28s %28s\n", "mean regret", "search alone, with watch",
           "finals, with watch");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double regret[2][2]; // of search and finals, without and with the watch
        for (int finals = 0; finals < 2; finals++)
            for (int watch = 0; watch < 2; watch++)
                regret[finals][watch] =
                    regret_of(cases[i].clock, cases[i].size, finals, watch ? EVERY : 0);
        printf("%-16s %18.2f %% %6.2f %% %18.2f %% %6.2f %%\n", cases[i].name,
               100 * regret[0][0], 100 * regret[0][1], 100 * regret[1][0],
               100 * regret[1][1]);
        assert_true(regret[0][1] <= 0.005 && regret[1][1] <= 0.005);
        if (cases[i].size < 0.08) continue;
        assert_true(regret[0][1] < regret[0][0] / 2);
        assert_true(regret[1][1] <= regret[1][0]);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_steady_machine_is_only_looked_at),
    cmocka_unit_test(a_drifted_window_is_measured_again),
    cmocka_unit_test(a_default_that_fails_later_ends_the_watch_alone),
    cmocka_unit_test(the_watch_keeps_drift_from_choosing),
};
HONE_TEST_MAIN_WITH(tests, set_up, tear_down)
