// The program: finds the command, runs it, turns a status into a message and an exit
// code.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "args/common_kinds.h"
#include "base/file.h"
#include "base/log.h"
#include "cli.h"
#include "hone/build.h"
#include "output.h"
#include "progress.h"
#include "terminal.h"
#include "terminal/interrupt.h"
#include "tuning/installed_kernels.h"

static const struct hone_program program = {
    .commands =
        (const struct hone_command *const[]){
            &cli_tune,     &cli_bench,      &cli_emit,    &cli_header,  &cli_compare,
            &cli_space,    &cli_check,      &cli_show,    &cli_explain, &cli_diff,
            &cli_report,   &cli_new,        &cli_import,  &cli_export,  &cli_devices,
            &cli_counters, &cli_strategies, &cli_kernels, &cli_worker,  &cli_cache,
            &cli_campaign, &cli_version,    NULL},
    .exit_codes = "0 done; 1 the work failed; 2 wrong use or bad input; 130 and 143\n"
                  "interrupted by Ctrl-C and by SIGTERM.",
    .environment =
        "HONE_NVRTC, HONE_LIBCUDA, HONE_CUPTI, HONE_NVPERF name library files; "
        "HONE_CACHE\nnames the build cache's folder, HONE_KERNELS that of the kernels "
        "that come with hone;\n"
        "HONE_VERBOSE=1 logs more. NO_COLOR, CLICOLOR_FORCE and TERM=dumb are minded by\n"
        "--color auto.",
    // Kernels are installed when a shell completes, not when its script is written.
    .list_names = " kernels 2>/dev/null | sed 1d | cut -d\" \" -f1",
    .named = "kernel or script",
};

const struct hone_option cli_common_options[] = {
    {"color", 0, NULL, "colours of what people read [auto: on a terminal]",
     &hone_kind_color, offsetof(struct hone_words, color)},
    {"help", 'h', NULL, "explain the command", HONE_FLAG(struct hone_words, help)},
    {0},
};

const struct hone_option cli_json_options[] = {
    {"json", 0, NULL, "print JSON", HONE_FLAG(struct cli_json_command, json)},
    {0},
};

static void log_to_stderr(void *context, enum hone_log_level level, const char *line)
{
    static const char *const prefix[] = {" error:", " warning:", "", " debug:"};
    static const enum hone_style styles[] = {HONE_STYLE_BAD, HONE_STYLE_WARNING,
                                             HONE_STYLE_PLAIN, HONE_STYLE_PLAIN};
    const bool *verbose = context;
    if (level >= HONE_LOG_DEBUG && !*verbose) return;
    if (level == HONE_LOG_WARNING && !hone_warnings_add(&cli_warnings, line)) return;
    cli_progress_pause(); // it has a line of its own
    cli_style_begin(stderr, styles[level]);
    fprintf(stderr, "hone:%s", prefix[level]);
    cli_style_end(stderr, styles[level]);
    fprintf(stderr, " %s\n", line);
    cli_progress_resume();
}

static enum hone_status print_help(const struct hone_command *command,
                                   struct hone_error *err)
{
    struct hone_styled text = HONE_STYLED_INIT;
    const struct hone_docs_path docs = hone_docs_path("");
    struct hone_program here = program;
    const bool screen = hone_terminal_is_screen(STDOUT_FILENO);
    here.docs = docs.text;
    hone_help_text(&text, &here, command,
                   screen ? (size_t)cli_terminal_size(stdout).columns - 1 : 0);
    const bool failed = text.text.failed;
    cli_terminal_fold();
    cli_print_text(stdout, &text);
    return failed ? hone_no_memory(err, "for help") : HONE_OK;
}

struct help_args {
    struct hone_words words;
    bool man;
    const char *shell;
};

static enum hone_status help_run(void *args, struct hone_error *err)
{
    const struct help_args *a = args;
    struct hone_strbuf text = HONE_STRBUF_INIT;
    enum hone_status status = HONE_OK;
    const char *name = a->words.items[0];
    if (name && strcmp(name, "help") == 0)
        name = NULL; // all commands, and help's own use
    const struct hone_command *command = name ? hone_command_find(&program, name) : NULL;
    if (a->shell)
        status = hone_completion_text(&text, &program, a->shell, err);
    else if (name && !command)
        status = hone_command_unknown(&program, name, err);
    else if (a->man)
        hone_manual_text(&text, &program, command);
    else
        status = print_help(command, err);
    return cli_output_write("-", &text, status, err);
}

static const struct hone_option help_options[] = {
    {"man", 0, NULL, "as a page of the manual", HONE_FLAG(struct help_args, man)},
    {"completion", 0, "SHELL", "a script by which bash, fish or zsh completes",
     HONE_TEXT(struct help_args, shell)},
    {0},
};

static const struct hone_command help_command = {
    .name = "help",
    .summary = "Explain a command",
    .usage = "[--man] [COMMAND]\n       hone help --completion SHELL",
    .options = CLI_OPTIONS(help_options),
    .args_size = sizeof(struct help_args),
    .operands = {0, 1, ""},
    .run = help_run,
};

static int run_command(const struct hone_command *command, int argc, char **argv)
{
    struct hone_error err = {0};
    void *args = calloc(1, command->args_size);
    if (!args) return cli_finish(hone_no_memory(&err, "for options"), &err);
    if (command->defaults) memcpy(args, command->defaults, command->args_size);
    enum hone_status status = hone_options_parse(command, argc, argv, args, &err);
    cli_color_set(((const struct hone_words *)args)->color);
    const bool helps = hone_options_ask_help(argc, argv);
    if (helps) {
        err = (struct hone_error){0};
        status = print_help(command, &err);
    }
    if (status == HONE_OK && !helps && command->resolve)
        status = command->resolve(args, command->name, &err);
    if (status == HONE_OK && !helps)
        status = hone_words_expect(args, command->operands.least, command->operands.most,
                                   command->operands.what, &err);
    if (status == HONE_OK && !helps) status = command->run(args, &err);
    hone_options_fini(command, args);
    free(args);
    return cli_finish(status, &err);
}

int cli_finish(enum hone_status status, const struct hone_error *err)
{
    if (status == HONE_OK) return CLI_DONE;
    cli_print_styled(stderr, HONE_STYLE_BAD, "hone:");
    const struct hone_error_line line = hone_error_line(err);
    fprintf(stderr, " %s\n", line.text[0] ? line.text : hone_status_text(status));
    if (status == HONE_ECANCELLED && *hone_interrupt_flag())
        return CLI_SIGNALLED + (int)*hone_interrupt_flag();
    // A limit that was reached at a place of a script is bad input.
    return status == HONE_EUSAGE || status == HONE_EINPUT || status == HONE_ENOTFOUND ||
                   (status == HONE_ELIMIT && err->source[0])
               ? CLI_WRONG_USE
               : CLI_FAILED;
}

static int start(int argc, char **argv)
{
    hone_option_move_behind(argc, argv, "color");
    if (argc < 2) {
        print_help(NULL, NULL);
        return CLI_WRONG_USE;
    }
    const char *name = argv[1];
    if (strcmp(name, help_command.name) == 0 || strcmp(name, "--help") == 0 ||
        strcmp(name, "-h") == 0)
        return run_command(&help_command, argc - 2, argv + 2);
    if (strcmp(name, "--version") == 0) name = cli_version.name;
    struct hone_error err = {0};
    const struct hone_command *command = hone_command_find(&program, name);
    if (!command) return cli_finish(hone_command_unknown(&program, name, &err), &err);
    return run_command(command, argc - 2, argv + 2);
}

// An emulated launch takes some MB and gives them back: they stay for the next one, so
// that its pages need not be made anew.
static void keep_launch_memory(void)
{
#ifdef __GLIBC__
    enum { STEP_BYTES = 16 << 20, KEPT_BYTES = 64 << 20 };
    mallopt(M_TOP_PAD, STEP_BYTES);
    mallopt(M_TRIM_THRESHOLD, KEPT_BYTES);
#endif
}

int main(int argc, char **argv)
{
    hone_compile_helper_main(argc, argv);
    keep_launch_memory();
    static bool verbose;
    const char *wanted = getenv("HONE_VERBOSE");
    verbose = wanted && *wanted;
    hone_file_open_standard();
    cli_terminal_guard();
    hone_log_set(log_to_stderr, &verbose);
    // A closed pipe and a file over its limit are errors with a message, not a death.
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    cli_watchdog_start();
    const int code = cli_output_close(start(argc, argv));
    hone_log_set(NULL, NULL);
    hone_warnings_fini(&cli_warnings);
    return code;
}
