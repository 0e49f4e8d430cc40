/* What the commands share: their table, option parsing, and how a run ends. Only this
 * floor prints: results to stdout, everything else to stderr. */
#ifndef HONE_CLI_CLI_H
#define HONE_CLI_CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "color.h"
#include "kinds.h"

/* Exit codes, documented in `hone help`. */
enum {
    CLI_DONE = 0,
    CLI_FAILED = 1,
    CLI_WRONG_USE = 2,
    CLI_SIGNALLED = 128 /* and the number of the signal, as shells have it */
};

struct cli_option {
    const char *name;  /* long name without the dashes */
    char letter;       /* one-letter form, or 0 */
    const char *value; /* what the text is called in help; NULL of flags and choices */
    const char *help;
    const struct cli_kind *kind;
    size_t offset; /* of the field in the command's argument struct */
};

/* First member of every command's argument struct. */
struct cli_words {
    const char **items; /* operands: what is no option, in order */
    size_t count;
    enum hone_color color; /* of the options that all commands have */
    bool help;
};

struct cli_command {
    const char *name;
    const char *summary; /* one line */
    const char *usage;   /* operands and options in short */
    const char *details; /* further help text; may be NULL */
    const struct cli_option *const
        *options;         /* tables, each ended by {0}; ends with NULL */
    size_t args_size;     /* of the argument struct */
    const void *defaults; /* its initial contents; NULL: zeros */
    bool takes_script;    /* the first operand: the name of an installed kernel will do */
    const char *operand;  /* a word that the first operand may be; may be NULL */
    bool takes_kernel;    /* the first operand: the name of an installed kernel */
    enum hone_status (*run)(void *args, struct hone_error *err);
};

extern const struct cli_command *const cli_commands[]; /* NULL-terminated */
const struct cli_command *cli_command_find(const char *name);

/* Parse argv (without program and command) into args, laid out as command says. EUSAGE
 * with a suggestion. Release the lists with cli_args_fini. */
enum hone_status cli_parse(const struct cli_command *command, int argc, char **argv,
                           void *args, struct hone_error *err);
void cli_args_fini(const struct cli_command *command, void *args);

/* The i-th option of a command, those that all commands have last; NULL behind them. */
const struct cli_option *cli_option_at(const struct cli_command *command, size_t i);

/* What the option's text is called, cut to size bytes: "yes|no|auto" of a choice, "" of a
 * flag. */
void cli_value_name(char *buf, size_t size, const struct cli_option *option);

/* EUSAGE unless there are between least and most operands; what names them. */
enum hone_status cli_expect_words(const struct cli_words *words, size_t least,
                                  size_t most, const char *what, struct hone_error *err);

/* The help text of one command, or of the program for NULL, on stdout. */
void cli_print_help(const struct cli_command *command);

/* The same as a page of the manual, in man(7). */
void cli_print_man(const struct cli_command *command);
/* A script by which shell (bash, fish, zsh) completes commands and options. EUSAGE for
 * another. */
enum hone_status cli_print_completion(const char *shell, struct hone_error *err);

/* The lines on exit codes and environment that end the program's help. */
extern const char *const cli_exit_codes, *const cli_environment;

/* Message of err on stderr, and the exit code of status. */
int cli_finish(enum hone_status status, const struct hone_error *err);

#endif
