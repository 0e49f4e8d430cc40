// hone check: build and verify configurations without timing them.
#include <stdio.h>

#include "check_command.h"
#include "commands.h"
#include "interrupt.h"
#include "output.h"
#include "progress.h"
#include "record/json_out.h"
#include "report/verification.h"
#include "script_args.h"

struct check_args {
    struct hone_words words;
    struct cli_script_args script;
    struct cli_build_args build;
    /* What options give as the verification takes it; make_options adds the rest. */
    struct hone_verification_options verify;
    const char *sarif; /* NULL: not wanted */
    const char *dump;  /* stage; NULL: none */
    bool all, json, quiet;
};

static void show_progress(void *context, size_t done, size_t count, double seconds)
{
    (void)context;
    cli_progress_count(done, count, seconds);
}

static enum hone_status make_options(struct hone_verification_options *out,
                                     const struct check_args *a,
                                     const struct cli_script *script,
                                     struct hone_error *err)
{
    *out = a->verify;
    out->script = a->words.items[0];
    out->script_options = &script->options;
    out->device = a->script.device;
    out->builder = cli_builder_options(&a->build);
    if (a->all) out->sample = UINT64_MAX;
    out->cancel = cli_interrupt_flag();
    out->progress = a->quiet ? NULL : show_progress;
    return cli_program_path(&out->program, err);
}

static enum hone_status write_sarif(const struct hone_verification *v, const char *path,
                                    struct hone_error *err)
{
    struct hone_strbuf text = HONE_STRBUF_INIT;
    const enum hone_status status = hone_verification_sarif(&text, v, err);
    return cli_output_write(path, &text, status, err);
}

static enum hone_status tell_check(const struct check_args *a,
                                   const struct hone_verification *v,
                                   enum hone_status status, struct hone_error *err)
{
    if (a->verify.only_default && status == HONE_OK && v->outcomes[HONE_VALID])
        return check_lint(v, a->json, err);
    if (a->sarif && status == HONE_OK) status = write_sarif(v, a->sarif, err);
    if (a->json && status == HONE_OK)
        status = hone_json_print(hone_verification_json(v), stdout, err);
    if (!a->json) check_print_text(v, cli_output_is_stdout(a->sarif) ? stderr : stdout);
    return status == HONE_OK ? hone_verification_verdict(v, err) : status;
}

static enum hone_status verify(const struct check_args *a,
                               const struct hone_verification_options *options,
                               struct hone_error *err)
{
    struct hone_verification v;
    cli_interrupt_catch();
    enum hone_status status = hone_verification_run(&v, options, err);
    cli_interrupt_hold(true); // until what was found is told
    if (!a->quiet) cli_progress_end();
    if (v.done) status = tell_check(a, &v, status, err);
    fflush(stdout);
    cli_interrupt_hold(false);
    hone_verification_close(&v);
    return status;
}

static enum hone_status dump(const struct check_args *a,
                             const struct hone_verification_options *options,
                             struct hone_error *err)
{
    struct hone_strbuf text = HONE_STRBUF_INIT;
    enum hone_status status = hone_stage_dump(&text, options, a->dump, err);
    if (status == HONE_OK) fputs(text.data, stdout);
    hone_strbuf_fini(&text);
    return status;
}

static enum hone_status expect_dump(const struct check_args *args, struct hone_error *err)
{
    if (args->verify.only_default || args->verify.same_as || args->json || args->sarif ||
        args->all)
        return hone_fail(err, HONE_EUSAGE,
                         "--dump checks nothing: it goes without --all, --lint, "
                         "--same-as, --json and --sarif");
    return HONE_OK;
}

static enum hone_status check_check_args(const struct check_args *a,
                                         struct hone_error *err)
{
    enum hone_status status = hone_words_expect(&a->words, 1, 1, "the script", err);
    if (status == HONE_OK && a->verify.only_default && a->verify.same_as)
        status = hone_fail(err, HONE_EUSAGE, "--lint compares nothing with a journal");
    if (status == HONE_OK && a->verify.only_default && a->sarif)
        status = hone_fail(err, HONE_EUSAGE, "--sarif writes no findings of --lint");
    if (status == HONE_OK && a->json && cli_output_is_stdout(a->sarif))
        status = hone_fail(err, HONE_EUSAGE,
                           "--json and --sarif - both write to standard output");
    if (status == HONE_OK && a->sarif) status = cli_output_check(a->sarif, err);
    return status == HONE_OK && a->dump ? expect_dump(a, err) : status;
}

static enum hone_status run_check(void *args, struct hone_error *err)
{
    const struct check_args *a = args;
    struct hone_verification_options options;
    struct cli_script script = {0};
    enum hone_status status = check_check_args(a, err);
    if (status == HONE_OK) status = cli_script_init(&script, &a->script, err);
    if (status == HONE_OK) status = make_options(&options, a, &script, err);
    if (status == HONE_OK)
        status = a->dump ? dump(a, &options, err) : verify(a, &options, err);
    cli_script_fini(&script);
    return status;
}

static bool stage_word(char *buf, size_t size, size_t i)
{
    const char *name = hone_stage_name(i);
    return name && snprintf(buf, size, "%s", name) > 0;
}

static enum hone_status store_stage(const struct hone_option *option, void *field,
                                    const char *text, struct hone_error *err)
{
    enum hone_status status = hone_stage_expect(text, err);
    return status == HONE_OK ? hone_store_text(option, field, text, err) : status;
}

static const struct hone_option_kind dump_kind = {.store = store_stage,
                                                  .word = stage_word};

static const struct hone_option option_table[] = {
    {"sample", 0, "N", "configurations to check, drawn at random [50]", &hone_kind_count,
     offsetof(struct check_args, verify.sample)},
    {"all", 0, NULL, "check every configuration", &hone_kind_flag,
     offsetof(struct check_args, all)},
    {"lint", 0, NULL, "judge the template, by its default configuration", &hone_kind_flag,
     offsetof(struct check_args, verify.only_default)},
    {"dump", 0, "STAGE",
     "print what became of the default configuration: source, log, ptx, ... counts",
     &dump_kind, offsetof(struct check_args, dump)},
    {"same-as", 0, "JOURNAL", "results must have the bits that they had in this run",
     &hone_kind_file, offsetof(struct check_args, verify.same_as)},
    {"seed", 0, "N", "of the sample and of the input data [1]", &hone_kind_count,
     offsetof(struct check_args, verify.seed)},
    {"launch-deadline", 0, "TIME", "most that one launch may take [30s]", &hone_kind_time,
     offsetof(struct check_args, verify.launch_deadline_s)},
    {"threads", 'j', "N", "to compile with, and to emulate with [one a core]",
     &hone_kind_count, offsetof(struct check_args, build.threads)},
    {"cache", 0, "FOLDER", "of builds; '' for none", &hone_kind_folder_or_none,
     offsetof(struct check_args, build.cache)},
    {"quiet", 'q', NULL, "no progress", &hone_kind_flag,
     offsetof(struct check_args, quiet)},
    {"json", 0, NULL, "print JSON", &hone_kind_flag, offsetof(struct check_args, json)},
    {"sarif", 0, "FILE", "write findings as SARIF 2.1.0, for code review; '-' prints it",
     &hone_kind_file, offsetof(struct check_args, sarif)},
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
    .options = CLI_OPTIONS(cli_script_options, option_table),
    .args_size = sizeof(struct check_args),
    .defaults = &(const struct check_args){.script.device = "auto",
                                           .verify = {.sample = 50, .seed = 1}},
    .named_operand = true,
    .resolve = cli_kernels_resolve,
    .run = run_check,
};
