/* Commands with options, described by tables: what the parser goes by is what help,
 * manual and completions are made of, so that they cannot disagree. This floor makes
 * texts and statuses and prints nothing. */
#ifndef HONE_OPTIONS_COMMAND_H
#define HONE_OPTIONS_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "options/kinds.h"
#include "terminal/styled.h"

struct hone_option {
    const char *name;  /* long name without the dashes */
    char letter;       /* one-letter form, or 0 */
    const char *value; /* what the text is called in help; NULL of flags and choices */
    const char *help;
    const struct hone_option_kind *kind;
    size_t offset; /* of the field in the command's argument struct */
};

/* Kind and place of an option, for its row: a member of the struct that holds the
 * command's arguments. One of another type than the kind's does not compile. */
#define HONE_FIELD(args, member, type)                                                   \
    (offsetof(args, member) + 0 * sizeof(char[_Generic(((args *)0)->member, type : 1)]))
#define HONE_FLAG(args, member)    &hone_kind_flag, HONE_FIELD(args, member, bool)
#define HONE_COUNT(args, member)   &hone_kind_count, HONE_FIELD(args, member, uint64_t)
#define HONE_SOME(args, member)    &hone_kind_some, HONE_FIELD(args, member, uint64_t)
#define HONE_TIME(args, member)    &hone_kind_time, HONE_FIELD(args, member, double)
#define HONE_SECONDS(args, member) &hone_kind_seconds, HONE_FIELD(args, member, double)
#define HONE_TEXT(args, member)    &hone_kind_text, HONE_FIELD(args, member, const char *)
#define HONE_FILE(args, member)    &hone_kind_file, HONE_FIELD(args, member, const char *)
#define HONE_OUTPUT(args, member)                                                        \
    &hone_kind_output, HONE_FIELD(args, member, const char *)
#define HONE_TEXTS(args, member)                                                         \
    &hone_kind_texts, HONE_FIELD(args, member, struct hone_texts)

/* First member of every command's argument struct. */
struct hone_words {
    const char **items; /* operands: what is no option, in order */
    size_t count;
    enum hone_color color; /* of the options that all commands have */
    bool help;
};

struct hone_command {
    const char *name;
    const char *summary; /* one line */
    const char *usage;   /* operands and options in short */
    const char *details; /* further help text; may be NULL */
    const struct hone_option *const
        *options;         /* tables, each ended by {0}; ends with NULL */
    size_t args_size;     /* of the argument struct */
    const void *defaults; /* its initial contents; NULL: zeros */
    struct {
        size_t least, most;
        const char *what; /* a missing one is called */
    } operands;           /* how many there may be: none without */
    const char *operand;  /* a word that the first operand may be; may be NULL */
    bool named_operand;   /* the first operand may be a name that the program lists */
    /* Optional, called before run: lets operands be what they stand for. */
    enum hone_status (*resolve)(struct hone_words *words, const char *command,
                                struct hone_error *err);
    enum hone_status (*run)(void *args, struct hone_error *err);
};

/* The program as its help tells of it. */
struct hone_program {
    const struct hone_command *const *commands; /* ended by NULL */
    const char *exit_codes, *environment;       /* lines of the help */
    /* How a shell lists the names that first operands may be, behind the program's name,
     * and what an operand of that kind is called. */
    const char *list_names, *named;
    const char *docs; /* the folder of the documentation; NULL: not to be said */
};

const struct hone_command *hone_command_find(const struct hone_program *program,
                                             const char *name);

/* EUSAGE for a word that is no command, with the nearest one. */
enum hone_status hone_command_unknown(const struct hone_program *program,
                                      const char *name, struct hone_error *err);

/* Parse argv (without program and command) into args, laid out as command says. EUSAGE
 * with a suggestion. Release the lists with hone_options_fini. */
enum hone_status hone_options_parse(const struct hone_command *command, int argc,
                                    char **argv, void *args, struct hone_error *err);
void hone_options_fini(const struct hone_command *command, void *args);

/* Does a word before "--" ask for help: --help or -h? */
bool hone_options_ask_help(int argc, char **argv);

/* Where the option of this name stands before the command in argv, program first, it and
 * its text are moved behind it. */
void hone_option_move_behind(int argc, char **argv, const char *name);

/* The i-th option of a command, those that all commands have last; NULL behind them. */
const struct hone_option *hone_option_at(const struct hone_command *command, size_t i);

/* What the option's text is called, cut to size bytes: "yes|no|auto" of a choice, "" of a
 * flag. */
void hone_option_value_name(char *buf, size_t size, const struct hone_option *option);

/* EUSAGE unless there are between least and most operands; what names them. */
enum hone_status hone_words_expect(const struct hone_words *words, size_t least,
                                   size_t most, const char *what, struct hone_error *err);

/* The help of one command, or of the program for NULL. What options do is broken into
 * lines of so many columns, from 50 to 100; 0: 100. */
void hone_help_text(struct hone_styled *out, const struct hone_program *program,
                    const struct hone_command *command, size_t columns);

/* The same as a page of the manual, in man(7). */
void hone_manual_text(struct hone_strbuf *out, const struct hone_program *program,
                      const struct hone_command *command);

/* A script by which shell (bash, fish, zsh) completes commands and options. EUSAGE for
 * another. */
enum hone_status hone_completion_text(struct hone_strbuf *out,
                                      const struct hone_program *program,
                                      const char *shell, struct hone_error *err);

#endif
