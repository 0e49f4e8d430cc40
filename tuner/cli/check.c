// hone check: build and verify configurations without timing them.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "args/common_kinds.h"
#include "args/script_args.h"
#include "base/file.h"
#include "cli.h"
#include "device/emu.h"
#include "output.h"
#include "print.h"
#include "progress.h"
#include "record/output_path.h"
#include "report/verification.h"
#include "terminal.h"
#include "terminal/interrupt.h"

struct check_args {
    struct hone_words words;
    struct hone_script_args script;
    struct hone_build_args build;
    /* What options give as the verification takes it; make_options adds the rest. */
    struct hone_verification_options verify;
    const char *sarif; /* NULL: not wanted */
    const char *dump;  /* stage; NULL: none */
    bool all, json, quiet;
};

static enum hone_status make_options(struct hone_verification_options *out,
                                     const struct check_args *a,
                                     const struct hone_script_input *script,
                                     struct hone_error *err)
{
    *out = a->verify;
    out->script = a->words.items[0];
    out->script_options = &script->options;
    out->device = a->script.device;
    out->builder = hone_build_args_builder(&a->build);
    if (a->all) out->sample = UINT64_MAX;
    out->cancel = hone_interrupt_flag();
    out->progress = a->quiet ? NULL : cli_progress_count;
    return hone_program_path(&out->program, err);
}

enum { CAUSES_SHOWN = 20, TEXT_WIDTH = 100 };

static void print_fidelity(const struct hone_verification *v, FILE *file)
{
    for (size_t i = 0; i < v->done; i++) {
        const size_t alike = hone_verification_alike(v, i);
        if (alike) fprintf(file, "  fidelity: %zu %s\n", alike, v->trials[i].fidelity);
    }
}

static void print_estimated(const struct hone_verification *v, FILE *file)
{
    const size_t count = hone_verification_estimated(v);
    if (count) fprintf(file, "  %zu valid, registers estimated from PTX\n", count);
}

static void print_unwritten(const struct hone_verification *v, FILE *file)
{
    const struct hone_trial *most;
    const size_t count = hone_verification_unwritten_shared(v, &most);
    if (!count) return;
    struct hone_strbuf config = HONE_STRBUF_INIT;
    hone_config_text(&config, v->bench.space, most->index);
    fprintf(file,
            "  shared memory: %zu ask for more than they write, most %d of %d bytes\n"
            "      %s\n",
            count, (int)hone_trial_unwritten_shared(most),
            (int)most->resources.dynamic_shared_bytes, config.data);
    hone_strbuf_fini(&config);
}

static void print_unjudged(const struct hone_verification *v, FILE *file)
{
    double most;
    if (hone_verification_judges(v)) return;
    const size_t count = hone_verification_unwritten_outputs(v, &most);
    fprintf(file, "  no reference: values were not judged\n");
    if (count)
        fprintf(
            file,
            "  note: %zu leave elements of outputs unwritten, at most %.0f; whether they "
            "may was not judged\n",
            count, most);
}

// Is it a size that --set named, and that no size under 'verify' has so? What those leave
// out is as it was set.
static bool is_set_in_vain(const struct hone_kernel_def *def,
                           const struct hone_script_set *set)
{
    for (size_t p = 0; p < def->problem_count; p++) {
        const struct hone_constant *size = &def->space.constants[p];
        if (strcmp(size->name, set->name) != 0) continue;
        for (size_t i = 0; i < def->verify_count; i++)
            if (hone_value_same(def->verify[i].values[p], size->value)) return false;
        return def->verify_count > 0;
    }
    return false;
}

static void print_set_sizes(const struct hone_verification *v, FILE *file)
{
    const struct hone_script_options *options = v->options->script_options;
    for (size_t i = 0; i < options->set_count; i++)
        if (is_set_in_vain(&v->bench.def, &options->set[i]))
            fprintf(file,
                    "  note: not verified at %s=%s, which no size under 'verify' has: it "
                    "decides which\n        configurations there are\n",
                    options->set[i].name, options->set[i].value);
}

static void print_unturned(const struct hone_verification *v, FILE *file)
{
    double fewest;
    const size_t count = hone_verification_unturned(v, &fewest);
    if (!count) return;
    fprintf(
        file,
        "  note: %zu look again and again at what other blocks may write, and at no\n"
        "        size were all blocks watched in turns (%.0f or more; at most %d are,\n"
        "        where they are quick): a smaller size in 'verify' looks for more "
        "races\n",
        count, fewest, HONE_EMU_WATCHED_BLOCKS);
}

// "  4 crashed (out_of_bounds): "; the columns that it takes.
static size_t print_count(const struct hone_failure_cause *cause, FILE *file)
{
    const enum hone_style style = cli_outcome_style(cause->outcome);
    const enum hone_finding finding = cause->example->found->finding;
    cli_style_begin(file, style);
    int column =
        fprintf(file, "  %zu %s", cause->count, hone_outcome_name(cause->outcome));
    if (finding) column += fprintf(file, " (%s)", hone_finding_name(finding));
    column += fprintf(file, ": ");
    cli_style_end(file, style);
    return column > 0 ? (size_t)column : 0;
}

// Its first configuration with its whole reason, as a place without numbers is none.
static void print_cause(const struct hone_verification *v,
                        const struct hone_failure_cause *cause, FILE *file)
{
    struct hone_strbuf config = HONE_STRBUF_INIT, reason = HONE_STRBUF_INIT;
    hone_config_text(&config, v->bench.space, cause->example->index);
    hone_text_wrap(&reason, cause->example->reason, print_count(cause, file), 6,
                   TEXT_WIDTH);
    fprintf(file, "%s\n", reason.data);
    if (cause->outcome == HONE_BUILD_FAILED) {
        cli_print_no_macro(file, hone_kernel_get_def(v->bench.kernel),
                           cause->example->reason);
        cli_print_missing_header(file, cause->example->reason);
    }
    if (config.len)
        fprintf(file, "      %s%s\n", cause->count > 1 ? "first: " : "", config.data);
    hone_strbuf_fini(&reason);
    hone_strbuf_fini(&config);
}

static void print_same(const struct hone_verification *v, FILE *file)
{
    const struct hone_verification_same *same = &v->same;
    if (!same->recording) return;
    fprintf(file,
            "  compared with %s: %zu of %zu have the same bits, %zu differ and may\n",
            v->options->same_as, same->equal, v->done, same->apart);
}

// A waiver that let nothing pass: the findings of its kind are elsewhere, or there are
// none.
static void print_unused_waiver(const struct hone_verification *v, size_t index,
                                FILE *file)
{
    const struct hone_waiver *waiver =
        &hone_kernel_get_def(v->bench.kernel)->waivers[index];
    const struct hone_trial *first;
    const size_t count = hone_verification_unwaived(v, waiver, &first);
    char text[256];
    hone_waiver_text(text, sizeof text, waiver);
    fprintf(file, "  waiver %zu (%s) ", index + 1, text);
    if (!first) {
        fprintf(file, "was not needed\n");
        return;
    }
    fprintf(file, "fits none of %zu configuration%s with that finding", count,
            count == 1 ? "" : "s");
    if (first->found->file[0])
        fprintf(file, ", found at %s:%u", first->found->file, first->found->line);
    if (first->found->buffer[0]) fprintf(file, " in buffer %s", first->found->buffer);
    fprintf(file, "\n");
}

// A device that does not look for races has no use for waivers and cannot tell, nor can a
// check that was interrupted.
static void print_waivers(const struct hone_verification *v, FILE *file)
{
    const struct hone_kernel_def *def = hone_kernel_get_def(v->bench.kernel);
    cli_print_waivers(file, def->waivers, def->waiver_count, v->waived);
    if (v->done < v->count || !hone_device_is_emulated(v->crew.device)) return;
    for (size_t i = 0; i < def->waiver_count; i++)
        if (!v->waived[i]) print_unused_waiver(v, i, file);
}

static void print_skips(const struct hone_verification *v, FILE *file)
{
    const struct hone_kernel_def *def = hone_kernel_get_def(v->bench.kernel);
    for (size_t i = 0; i < def->verify_count; i++)
        cli_print_skips(file, def, i, hone_verification_skips(v, i), false);
}

static void print_check_text(const struct hone_verification *v, FILE *file)
{
    cli_terminal_fold();
    struct hone_failure_causes causes = hone_failure_causes(v);
    struct hone_sections sections = {0};
    fprintf(file,
            "%s on %s: %s of %s configurations checked in %.1f s: ", v->options->script,
            v->crew.device, hone_count_text((double)v->done).text,
            hone_count_text((double)hone_space_count(v->bench.space)).text, v->seconds);
    cli_print_outcomes(file, v->outcomes);
    fprintf(file, "  thread time: %.1f s building, %.1f s verifying\n", v->build_seconds,
            v->verify_seconds);
    cli_print_sizes(file, &v->sizes, hone_verification_seed(v));
    print_set_sizes(v, file);
    print_skips(v, file);
    print_unjudged(v, file);
    print_estimated(v, file);
    print_fidelity(v, file);
    print_unturned(v, file);
    print_same(v, file);
    print_unwritten(v, file);
    for (size_t i = 0; i < causes.count && i < CAUSES_SHOWN; i++)
        print_cause(v, &causes.items[i], file);
    if (causes.count > CAUSES_SHOWN)
        fprintf(file, "  and %zu more causes\n", causes.count - CAUSES_SHOWN);
    for (size_t i = 0; i < causes.count; i++)
        hone_sections_add(&sections, causes.items[i].example);
    cli_print_sections(file, &sections);
    cli_print_hidden(file, v->bench.kernel, v->outcomes);
    print_waivers(v, file);
    free(causes.items);
}

// ---- --lint ----

static void print_lint_text(const struct hone_verification *v,
                            const struct hone_lapses *lapses)
{
    struct hone_strbuf config = HONE_STRBUF_INIT;
    hone_config_text(&config, v->bench.space, v->indices[0]);
    printf("%s: lint of %s: %zu finding%s\n  %s\n", v->options->script,
           hone_kernel_get_def(v->bench.kernel)->template_path, lapses->count,
           lapses->count == 1 ? "" : "s", config.data);
    for (size_t i = 0; i < lapses->count; i++)
        printf("  %s\n", lapses->items[i].text);
    hone_strbuf_fini(&config);
}

static enum hone_status tell_lint(const struct hone_verification *v, bool json,
                                  struct hone_error *err)
{
    struct hone_lapses lapses = {0};
    enum hone_status status = hone_verification_lint(&lapses, v, err);
    if (status == HONE_OK && json)
        status = cli_print_json(hone_template_lint_json(v, &lapses), err);
    else if (status == HONE_OK)
        print_lint_text(v, &lapses);
    if (status == HONE_OK && lapses.count)
        status = hone_fail(err, HONE_EDEVICE, "the template has %zu finding%s",
                           lapses.count, lapses.count == 1 ? "" : "s");
    hone_lapses_fini(&lapses);
    return status;
}

/* --- the command --- */

static enum hone_status tell_check(const struct check_args *a,
                                   const struct hone_verification *v,
                                   enum hone_status status, struct hone_error *err)
{
    if (a->verify.only_default && status == HONE_OK && v->outcomes[HONE_VALID])
        return tell_lint(v, a->json, err);
    struct hone_strbuf sarif = HONE_STRBUF_INIT;
    if (a->sarif && status == HONE_OK)
        status = cli_output_write(a->sarif, &sarif,
                                  hone_verification_sarif(&sarif, v, err), err);
    if (a->json && status == HONE_OK)
        status = cli_print_json(hone_verification_json(v), err);
    if (!a->json) print_check_text(v, hone_path_is_stdout(a->sarif) ? stderr : stdout);
    return status == HONE_OK ? hone_verification_verdict(v, err) : status;
}

static enum hone_status verify(const struct check_args *a,
                               const struct hone_verification_options *options,
                               struct hone_error *err)
{
    struct hone_verification v;
    hone_interrupt_catch(cli_end_interrupted);
    enum hone_status status = hone_verification_run(&v, options, err);
    hone_interrupt_hold(true); // until what was found is told
    if (!a->quiet) cli_progress_end();
    if (v.done) status = tell_check(a, &v, status, err);
    fflush(stdout);
    hone_interrupt_hold(false);
    hone_verification_close(&v);
    return status;
}

static enum hone_status dump(const struct check_args *a,
                             const struct hone_verification_options *options,
                             struct hone_error *err)
{
    struct hone_strbuf text = HONE_STRBUF_INIT;
    const enum hone_status status = hone_stage_dump(&text, options, a->dump, err);
    return cli_output_write("-", &text, status, err);
}

static enum hone_status check_check_args(const struct check_args *a,
                                         struct hone_error *err)
{
    const bool lint = a->verify.only_default;
    const bool checks = lint || a->verify.same_as || a->json || a->sarif || a->all;
    const bool both = a->json && hone_path_is_stdout(a->sarif);
    const char *refused = lint && a->verify.same_as
                              ? "--lint compares nothing with a journal"
                          : lint && a->sarif ? "--sarif writes no findings of --lint"
                          : both ? "--json and --sarif - both write to standard output"
                                 : NULL;
    if (refused) return hone_fail(err, HONE_EUSAGE, "%s", refused);
    enum hone_status status = a->sarif ? hone_output_check(a->sarif, err) : HONE_OK;
    if (status != HONE_OK || !a->dump || !checks) return status;
    return hone_fail(err, HONE_EUSAGE,
                     "--dump checks nothing: it goes without --all, --lint, --same-as, "
                     "--json and --sarif");
}

static enum hone_status run_check(void *args, struct hone_error *err)
{
    const struct check_args *a = args;
    struct hone_verification_options options;
    struct hone_script_input script = {0};
    enum hone_status status = check_check_args(a, err);
    if (status == HONE_OK) status = hone_script_input_make(&script, &a->script, err);
    if (status == HONE_OK) status = make_options(&options, a, &script, err);
    if (status == HONE_OK)
        status = a->dump ? dump(a, &options, err) : verify(a, &options, err);
    hone_script_input_fini(&script);
    return status;
}

static const struct hone_option option_table[] = {
    {"sample", 0, "N", "configurations to check, drawn at random [50]",
     HONE_SOME(struct check_args, verify.sample)},
    {"all", 0, NULL, "check every configuration", HONE_FLAG(struct check_args, all)},
    {"estimate", 0, NULL,
     "on emulated devices, build to PTX where ptxas need not judge; estimate registers",
     HONE_FLAG(struct check_args, verify.estimate)},
    {"lint", 0, NULL, "judge the template, by its default configuration",
     HONE_FLAG(struct check_args, verify.only_default)},
    {"dump", 0, "STAGE",
     "print what became of the default configuration: source, log, ptx, ... counts",
     &hone_kind_stage, offsetof(struct check_args, dump)},
    {"same-as", 0, "JOURNAL", "results must have the bits that they had in this run",
     HONE_FILE(struct check_args, verify.same_as)},
    {"seed", 0, "N", "of the sample and of the input data [1]",
     HONE_COUNT(struct check_args, verify.seed)},
    {"launch-deadline", 0, "TIME",
     "most that one launch may take [30s; 60s of CPU emulated]",
     HONE_TIME(struct check_args, verify.launch_deadline_s)},
    {"threads", 'j', "N", "to compile with, and to emulate with [one a core]",
     HONE_COUNT(struct check_args, build.threads)},
    {"cache", 0, "FOLDER", "of builds; '' for none", &hone_kind_folder_or_none,
     offsetof(struct check_args, build.cache)},
    {"quiet", 'q', NULL, "no progress", HONE_FLAG(struct check_args, quiet)},
    {"json", 0, NULL, "print JSON", HONE_FLAG(struct check_args, json)},
    {"sarif", 0, "FILE", "write findings as SARIF 2.1.0, for code review; '-' prints it",
     HONE_OUTPUT(struct check_args, sarif)},
    {0},
};

const struct hone_command cli_check = {
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
    .options = CLI_OPTIONS(hone_options_of_script, option_table),
    .args_size = sizeof(struct check_args),
    .defaults = &(const struct check_args){.script.device = "auto",
                                           .verify = {.sample = 50, .seed = 1}},
    .named_operand = true,
    .resolve = hone_kernel_name_resolve,
    .operands = {1, 1, "the script"},
    .run = run_check,
};
