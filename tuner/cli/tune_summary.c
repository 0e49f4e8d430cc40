// What hone tune found.
#include <math.h>
#include <stdio.h>

#include "base/file.h"
#include "base/quantity.h"
#include "output.h"
#include "print.h"
#include "report/tuning.h"
#include "terminal.h"
#include "tune.h"
#include "tuning/result_facts.h"
#include "tuning/verification.h"

static void print_best(const struct tune *tune, const struct hone_tuning_facts *facts,
                       FILE *file)
{
    const struct hone_record_info *info = facts->info;
    const struct hone_trial *best = &tune->result.best;
    const struct hone_gain found = hone_result_gain(&tune->result);
    const struct hone_cost_text base = hone_cost_text(&tune->result.first);
    const char *clock = facts->predicts ? NULL : info->clock; // old recordings: none
    struct hone_strbuf config = HONE_STRBUF_INIT;
    hone_config_text(&config, hone_tuning_space(tune->tuning), best->index);
    fprintf(file, "%s on %s: ", info->kernel, info->device_name);
    cli_print_styled(file, HONE_STYLE_GOOD, "best %s", hone_cost_text(best).text);
    fprintf(file, "%s%s\n", clock ? " by " : "", clock ? clock : "");
    if (config.len) fprintf(file, "  %s\n", config.data);
    if (best->final.sustained_us > 0)
        fprintf(file, "  %s us sustained: in a row, at the clock that the GPU keeps\n",
                hone_plain(best->final.sustained_us, 6).text);
    if (hone_default_is_best(&tune->result))
        fprintf(file, "  the default is the %s%s\n",
                best->cost > 0 ? "best by " : "fastest",
                best->cost > 0 ? info->objective : "");
    else if (isfinite(found.ratio) && best->cost > 0)
        fprintf(file, "  %.4gx as good by %s as the default's %s\n", found.ratio,
                info->objective, base.text);
    else if (isfinite(found.ratio))
        fprintf(file, "  %.4gx as fast as the default's %s\n", found.ratio, base.text);
    if (isfinite(found.low) && isfinite(found.high))
        fprintf(file, "  95 %% interval %.4g to %.4g, %u rounds of finals among %zu\n",
                found.low, found.high, found.rounds, tune->result.finalists);
    hone_strbuf_fini(&config);
}

// What became of comparing results at the tuned size; nothing where nobody did.
static void print_compared(FILE *file, const char *indent,
                           const struct hone_session_result *result)
{
    char text[HONE_COMPARED_MAX + 16];
    if (result->has_best && hone_compared_text(text, &result->best)[0])
        fprintf(file, "%sresults at the tuned size: %s\n", indent, text);
    if (result->refuted)
        fprintf(file, "%s%zu wrong at the tuned size only%s: %s\n", indent,
                result->refuted,
                result->default_refuted ? ", the default among them" : "",
                result->refuted_first.reason);
}

static void print_skips(const struct tune *tune, FILE *file)
{
    const struct hone_kernel *kernel = hone_tuning_kernel(tune->tuning);
    const struct hone_kernel_def *def = kernel ? hone_kernel_get_def(kernel) : NULL;
    if (!def || !tune->recording || tune->args->tuning.no_verify) return;
    for (size_t i = 0; i < def->verify_count; i++) {
        const struct hone_skips skips =
            hone_tuning_skips(tune->tuning, &tune->result, tune->recording, i);
        cli_print_skips(file, def, i, skips.count, skips.best);
    }
}

// The first that is wrong stands for all; where the default is, it does.
static void print_failure(const struct tune *tune, const struct hone_losses *losses,
                          FILE *file)
{
    struct hone_strbuf config = HONE_STRBUF_INIT;
    hone_config_text(&config, hone_tuning_space(tune->tuning), losses->failure_index);
    if (!config.failed)
        fprintf(file, "  %s with %s%s%s\n", hone_outcome_name(losses->failure->outcome),
                config.data, *losses->failure->reason ? ": " : "",
                losses->failure->reason);
    hone_strbuf_fini(&config);
}

// A mistake of the script's, and a default that nothing can be compared with, are no
// part of what a search may find.
static void print_losses(const struct tune *tune, FILE *file)
{
    if (!tune->recording) return;
    const struct hone_losses losses = hone_tuning_losses(tune->tuning, tune->recording);
    const struct hone_trial *failed = losses.failed_default;
    const bool formula = failed && failed->found->finding == HONE_FINDING_FORMULA;
    if (losses.formulas)
        fprintf(file, "  %zu configuration%s lost to a formula of the script%s: %s\n",
                losses.formulas, losses.formulas == 1 ? "" : "s",
                !formula               ? ""
                : losses.formulas == 1 ? ", the default"
                                       : ", the default among them",
                losses.formula->reason);
    if (failed && !formula)
        fprintf(file, "  the default is %s%s%s\n", hone_outcome_name(failed->outcome),
                *failed->reason ? ": " : "", failed->reason);
    if (losses.failure && !failed) print_failure(tune, &losses, file);
}

// What a search comes across anyway, over limits and not emulated, is not gone into.
static void print_sections(const struct tune *tune, FILE *file)
{
    struct hone_sections sections = {0};
    const size_t count = tune->recording ? hone_recording_count(tune->recording) : 0;
    for (size_t i = 0; i < count; i++) {
        const struct hone_trial *trial = hone_recording_trial(tune->recording, i);
        if (hone_outcome_is_failure(trial->outcome)) hone_sections_add(&sections, trial);
    }
    cli_print_sections(file, &sections);
}

static void print_workers(FILE *file, const struct hone_pool_counts *workers)
{
    if (workers->absent_s >= 1)
        fprintf(file,
                "  %s s without a worker, while all waited in a queue, beside that\n",
                hone_plain(workers->absent_s, 3).text);
    if (workers->respawns)
        fprintf(file,
                "  %zu time%s a new worker, after %.0f ms on average, %.0f at most\n",
                workers->respawns, cli_plural(workers->respawns),
                workers->respawn_s / (double)workers->respawns * 1e3,
                workers->slowest_respawn_s * 1e3);
}

// Who tries a strategy on a few evaluations waits in vain for it to be asked.
static void print_unasked(const struct tune *tune, FILE *file)
{
    const char *strategy = tune->args->tuning.strategy;
    const struct hone_session_result *r = &tune->result;
    if (!strategy || r->strategy_asked || r->resumed || !r->done) return;
    fprintf(file,
            "  %s was not asked: the default and the start design took the %zu trial%s; "
            "of a\n"
            "  larger --budget they take a part (docs/strategies.md)\n",
            strategy, r->done, cli_plural(r->done));
}

static void print_files(const struct tune *tune, const struct hone_tuning_facts *facts,
                        FILE *file)
{
    if (!facts->journal_is_temporary) fprintf(file, "  journal %s\n", facts->journal);
    if (!tune->has_header) return;
    fprintf(file, "  header  %s\n", tune->args->output);
    if (tune->written.second) fprintf(file, "          %s\n", tune->written.second);
    cli_print_coverage(file, &tune->written.coverage);
}

void tune_print_text(const struct tune *tune)
{
    cli_terminal_fold();
    const struct hone_session_result *r = &tune->result;
    const struct hone_tuning_facts facts = hone_tuning_facts(tune->tuning);
    const struct hone_record_info *info = facts.info;
    // The header itself may go to standard output.
    FILE *file = hone_path_is_stdout(tune->args->output) ? stderr : stdout;
    if (tune->file) file = tune->file;
    if (r->has_best && !r->reference_wrong) print_best(tune, &facts, file);
    fprintf(file, "  %zu trial%s in %.1f s (%s): ", r->done, r->done == 1 ? "" : "s",
            r->seconds, hone_stop_text(r->stop));
    cli_print_outcomes(file, r->outcomes);
    const struct hone_size_counts sizes = hone_tuning_sizes(&facts);
    cli_print_sizes(file, &sizes, info->seed);
    print_skips(tune, file);
    print_losses(tune, file);
    print_sections(tune, file);
    if (hone_tuning_lacks_reference(&facts))
        fprintf(file, "  no reference: values were not judged\n");
    print_compared(file, "  ", r);
    cli_print_hidden(file, hone_tuning_kernel(tune->tuning), r->outcomes);
    cli_print_waivers(file, info->waivers, info->waiver_count, r->waived);
    print_workers(file, &facts.workers);
    print_unasked(tune, file);
    print_files(tune, &facts, file);
}

/* --- of several problems --- */

static void print_outcome(FILE *file, const char *problem,
                          const struct hone_session_result *r, const char *config)
{
    fprintf(file, "  %s", problem);
    if (!r->has_best) {
        fputs(": ", file);
        cli_print_styled(file, HONE_STYLE_BAD, "none of %zu configurations is valid",
                         r->done);
        fputc('\n', file);
        return;
    }
    fputs(": ", file);
    cli_print_styled(file, HONE_STYLE_GOOD, "best %s", hone_cost_text(&r->best).text);
    const double gain = hone_result_gain(r).ratio;
    if (hone_default_is_best(r))
        fputs(", the default is the fastest", file);
    else if (isfinite(gain))
        fprintf(file, ", %.4gx as fast as the default", gain);
    fprintf(file, ", %zu trial%s\n    %s\n", r->done, r->done == 1 ? "" : "s", config);
    print_compared(file, "    ", r);
}

void tune_several_print(const struct tune *tune)
{
    const struct hone_tuning_facts facts = hone_tuning_facts(tune->tuning);
    const struct hone_record_info *info = facts.info;
    FILE *file =
        tune->has_header && hone_path_is_stdout(tune->args->output) ? stderr : stdout;
    if (tune->file) file = tune->file;
    fprintf(file, "%s on %s: %zu problem%s\n", info->kernel, info->device_name,
            info->problems_count, info->problems_count == 1 ? "" : "s");
    for (size_t p = 0; p < info->problems_count; p++) {
        const struct hone_session_result *result;
        struct hone_strbuf text = HONE_STRBUF_INIT, best = HONE_STRBUF_INIT;
        hone_tuning_result_of(&result, &best, tune->tuning, p);
        hone_problem_apart_text(&text, info, p);
        print_outcome(file, text.data, result, best.data);
        hone_strbuf_fini(&best);
        hone_strbuf_fini(&text);
    }
    print_files(tune, &facts, file);
}
