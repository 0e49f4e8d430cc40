// hone check: build and verify configurations without timing them.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/rng.h"
#include "check_command.h"
#include "commands.h"
#include "interrupt.h"
#include "output.h"
#include "progress.h"

// To be judged by lint or dumped: the default configuration, the first one without it.
static uint64_t only_one(const struct check *c)
{
    return c->bench.has_default ? c->bench.default_index : 0;
}

enum hone_status check_choose(struct check *c, struct hone_error *err)
{
    const uint64_t total = hone_space_count(c->bench.space);
    uint64_t n = c->args->all || c->args->sample > total ? total : c->args->sample;
    const bool one = c->args->lint || c->args->dump;
    if (one) n = 1;
    if (c->same.recording && n > hone_recording_count(c->same.recording))
        n = hone_recording_count(c->same.recording);
    c->indices = calloc((size_t)n + 1, sizeof *c->indices);
    c->trials = calloc((size_t)n + 1, sizeof *c->trials);
    if (!c->indices || !c->trials)
        return hone_fail(err, HONE_ENOMEM, "out of memory for %zu configurations",
                         (size_t)n);
    if (c->same.recording) return check_same_choose(c, n, err);
    struct hone_rng rng;
    hone_rng_seed(&rng, c->args->seed);
    c->count = hone_space_sample(c->bench.space, &rng, c->indices, (size_t)n);
    if (one) c->indices[0] = only_one(c);
    return HONE_OK;
}

static void note(struct check *c, const struct hone_trial *trial)
{
    c->trials[c->done++] = *trial;
    c->outcomes[trial->outcome]++;
    for (size_t i = 0; i < HONE_WAIVER_MAX; i++)
        c->waived[i] += trial->waived[i] > 0;
    if (!isnan(trial->build_ms)) c->build_seconds += trial->build_ms / 1e3;
    if (!isnan(trial->evaluate_ms)) c->verify_seconds += trial->evaluate_ms / 1e3;
    if (!c->args->quiet) cli_progress_count(c->done, c->count, c->seconds);
}

static enum hone_status evaluate(struct check *c, struct hone_error *err)
{
    struct hone_evaluator *evaluator = c->crew.evaluator;
    const double start = hone_clock_seconds();
    const size_t capacity = evaluator->fns->capacity(evaluator);
    size_t submitted = 0;
    while (c->done < c->count) {
        while (submitted < c->count && submitted - c->done < capacity) {
            enum hone_status status =
                evaluator->fns->submit(evaluator, c->indices[submitted], err);
            if (status != HONE_OK) return status;
            submitted++;
        }
        struct hone_trial trial;
        size_t got = 0;
        enum hone_status status = evaluator->fns->wait(evaluator, &trial, 1, &got, err);
        if (status != HONE_OK) return status;
        c->seconds = hone_clock_seconds() - start;
        if (!got) continue;
        check_same_judge(c, &trial);
        note(c, &trial);
    }
    return HONE_OK;
}

// What was checked until then is told.
static enum hone_status interrupted(const struct check *c, struct hone_error *err)
{
    *err = (struct hone_error){0};
    return hone_fail(err, HONE_ECANCELLED, "interrupted after %zu of %zu configurations",
                     c->done, c->count);
}

bool check_is_failure(enum hone_outcome outcome)
{
    return outcome != HONE_VALID && outcome != HONE_REJECTED &&
           outcome != HONE_UNSUPPORTED;
}

static enum hone_status verdict(const struct check *c, struct hone_error *err)
{
    size_t failures = 0;
    for (int i = 0; i < HONE_OUTCOME_COUNT; i++)
        if (check_is_failure((enum hone_outcome)i)) failures += c->outcomes[i];
    if (failures)
        return hone_fail(err, HONE_EDEVICE, "%zu of %zu configurations failed", failures,
                         c->done);
    if (c->done && !c->outcomes[HONE_VALID])
        return hone_fail(err, HONE_EDEVICE,
                         "none of %zu configurations could be verified", c->done);
    return HONE_OK;
}

uint64_t check_seed(const struct check *c)
{
    return c->same.recording ? hone_recording_info(c->same.recording)->seed
                             : c->args->seed;
}

// Sizes that nobody gave on the command line are not said to be wrong there.
static enum hone_status name_journal(const struct check *c, struct hone_error *err)
{
    const struct hone_error own = *err;
    *err = (struct hone_error){0}; // or the first words would stay
    return hone_fail(err, HONE_EINPUT, "at the problem of '%s': %s", c->args->same_as,
                     own.text);
}

static enum hone_status check(struct check *c, struct hone_error *err)
{
    enum hone_status status = check_same_load(c, err);
    if (status != HONE_OK) return status;
    cli_interrupt_catch();
    struct hone_evaluate_options options = {.flags = HONE_EVALUATE_NO_TIME,
                                            .data_seed = check_seed(c),
                                            .deadline_s =
                                                c->args->launch_deadline.seconds};
    status = check_crew_open(c, &options, err);
    if (status == HONE_EUSAGE && c->same.recording) return name_journal(c, err);
    if (status == HONE_OK)
        status = hone_evaluate_sizes(c->bench.kernel, &options, &c->sizes, NULL, err);
    if (status == HONE_OK) status = evaluate(c, err);
    cli_interrupt_hold(true); // until what was found is told: run
    if (*cli_interrupt_flag()) status = interrupted(c, err);
    if (!c->args->quiet) cli_progress_end();
    if (!c->done) return status;
    if (c->args->lint && status == HONE_OK && c->outcomes[HONE_VALID])
        return check_lint(c, err);
    if (c->args->sarif && status == HONE_OK)
        status = check_write_sarif(c, c->args->sarif, err);
    if (c->args->json && status == HONE_OK) status = check_print_json(c, err);
    if (!c->args->json)
        check_print_text(c, cli_output_is_stdout(c->args->sarif) ? stderr : stdout);
    return status == HONE_OK ? verdict(c, err) : status;
}

static enum hone_status expect_dump(const struct check_args *args, struct hone_error *err)
{
    if (args->lint || args->same_as || args->json || args->sarif || args->all)
        return hone_fail(err, HONE_EUSAGE,
                         "--dump checks nothing: it goes without --all, --lint, "
                         "--same-as, --json and --sarif");
    return check_dump_expect(args->dump, err);
}

static enum hone_status run(void *args, struct hone_error *err)
{
    struct check c = {.args = args};
    enum hone_status status = cli_expect_words(&c.args->words, 1, 1, "the script", err);
    if (status == HONE_OK && c.args->lint && c.args->same_as)
        status = hone_fail(err, HONE_EUSAGE, "--lint compares nothing with a journal");
    if (status == HONE_OK && c.args->lint && c.args->sarif)
        status = hone_fail(err, HONE_EUSAGE, "--sarif writes no findings of --lint");
    if (status == HONE_OK && c.args->json && cli_output_is_stdout(c.args->sarif))
        status = hone_fail(err, HONE_EUSAGE,
                           "--json and --sarif - both write to standard output");
    if (status == HONE_OK && c.args->sarif) status = cli_output_check(c.args->sarif, err);
    if (status == HONE_OK && c.args->launch_deadline.evaluations)
        status = hone_fail(err, HONE_EUSAGE, "a deadline is a time: 30s, 5m");
    if (status == HONE_OK && c.args->dump) status = expect_dump(c.args, err);
    if (status == HONE_OK) status = c.args->dump ? check_dump(&c, err) : check(&c, err);
    fflush(stdout);
    cli_interrupt_hold(false);
    check_crew_close(&c.crew);
    check_same_close(&c.same);
    hone_workbench_close(&c.bench);
    free(c.indices);
    free(c.trials);
    return status;
}

static const struct cli_option option_table[] = {
    {"sample", 0, "N", "configurations to check, drawn at random [50]", &cli_count,
     offsetof(struct check_args, sample)},
    {"all", 0, NULL, "check every configuration", &cli_flag,
     offsetof(struct check_args, all)},
    {"lint", 0, NULL, "judge the template, by its default configuration", &cli_flag,
     offsetof(struct check_args, lint)},
    {"dump", 0, "STAGE",
     "print what became of the default configuration: source, log, ptx, ... counts",
     &cli_text, offsetof(struct check_args, dump)},
    {"same-as", 0, "JOURNAL", "results must have the bits that they had in this run",
     &cli_file, offsetof(struct check_args, same_as)},
    {"seed", 0, "N", "of the sample and of the input data [1]", &cli_count,
     offsetof(struct check_args, seed)},
    {"launch-deadline", 0, "TIME", "most that one launch may take [30s]", &cli_budget,
     offsetof(struct check_args, launch_deadline)},
    {"threads", 'j', "N", "to compile with, and to emulate with [one a core]", &cli_count,
     offsetof(struct check_args, build.threads)},
    {"cache", 0, "FOLDER", "of builds; '' for none", &cli_folder_or_none,
     offsetof(struct check_args, build.cache)},
    {"quiet", 'q', NULL, "no progress", &cli_flag, offsetof(struct check_args, quiet)},
    {"json", 0, NULL, "print JSON", &cli_flag, offsetof(struct check_args, json)},
    {"sarif", 0, "FILE", "write findings as SARIF 2.1.0, for code review; '-' prints it",
     &cli_file, offsetof(struct check_args, sarif)},
    {0},
};

const struct cli_command cli_check = {
    .name = "check",
    .summary = "Build and verify configurations, without timing",
    .usage = "SCRIPT [--device DEVICE] [--sample N | --all | --lint]",
    .details =
        "Ends with 1 when a configuration does not build, launch or give the reference's "
        "result.\nConfigurations over a limit of the device (rejected) and those with an "
        "instruction that\nthe emulator lacks (unsupported) are counted but are no "
        "failure.\n--lint looks for unused parameters, a missing contract or "
        "static_assert, "
        "local memory,\nbarriers known at run time only and shared memory that is never "
        "written.\n--same-as checks configurations of a journal, at its problem and with "
        "its data: the\nemulator against a GPU, an architecture or a compiler against "
        "another. Where "
        "the emulator is approximate,\nor the GPUs have not as many multiprocessors, "
        "other bits are counted but are no failure.\n--dump prints the text that a stage "
        "works on: source, log and ptx of the compiler; statements,\nvariables, decoded, "
        "steering, registers and counts of the emulator.",
    .options = (const struct cli_option *const[]){cli_script_options, option_table, NULL},
    .args_size = sizeof(struct check_args),
    .defaults =
        &(const struct check_args){.script.device = "auto", .sample = 50, .seed = 1},
    .run = run,
};
