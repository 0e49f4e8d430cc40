/* Kinds of options: how the text of one is read into its field, which words it can be,
 * and what a shell completes it with. Parser, help, manual and completions go by these
 * tables, so that they cannot disagree. */
#ifndef HONE_CLI_KINDS_H
#define HONE_CLI_KINDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hone/status.h"

struct cli_option;

/* A word of an option and the value of the enum that it stands for. */
struct cli_choice {
    const char *word;
    int value;
};

enum cli_completion { CLI_COMPLETE_NOTHING, CLI_COMPLETE_FILES, CLI_COMPLETE_FOLDERS };

struct cli_kind {
    /* Read text, which stays valid as long as the field, into the field. EUSAGE that
     * names the option and the text and says what is wanted. */
    enum hone_status (*store)(const struct cli_option *option, void *field,
                              const char *text, struct hone_error *err);
    /* Optional: the words that the text can be, ended by {0}; the field is the enum then
     * and store is cli_store_choice. */
    const struct cli_choice *choices;
    /* Optional: the i-th word to complete with, where the text may be another too; false
     * behind the last one. */
    bool (*word)(char *buf, size_t size, size_t i);
    enum cli_completion complete;
    bool alone;   /* it takes no text, and store gets NULL */
    bool blank;   /* the text may be empty */
    bool repeats; /* the field is a struct cli_list, which grows by each text */
    bool greedy;  /* it takes all words up to the next option */
};

struct cli_list {
    const char **items; /* the array is owned, its texts are borrowed from argv */
    size_t count;
};

struct cli_budget {
    uint64_t evaluations; /* 0: not given */
    double seconds;       /* 0: not given */
};

/* What the field is, and which text is taken. */
extern const struct cli_kind cli_flag, /* bool; no text */
    cli_text,    /* const char *, not only of spaces: so are the items of lists */
    cli_list,    /* struct cli_list: may be given several times */
    cli_count,   /* uint64_t; K, M, G suffixes are powers of 1024 */
    cli_share,   /* double of 0 up to 1, without 1: 3% or 0.03 */
    cli_memory,  /* uint64_t, bytes of memory: the M of 500M is of 1024 */
    cli_bytes,   /* uint64_t, bytes of files: the M of 500M is of 1000, as in ccache */
    cli_time,    /* double, seconds, above 0; a unit is wanted: 30s, 5m, 2h, 1d */
    cli_seconds, /* the same; a number without a unit is of seconds */
    cli_budget,  /* struct cli_budget: a count of evaluations, or a time */
    cli_file,    /* const char *: a file to read or to write */
    cli_files,   /* struct cli_list of such: takes all words up to the next option */
    cli_folder,  /* const char * */
    cli_folders, /* struct cli_list: may be given several times */
    cli_folder_or_none; /* const char *, may be empty */

/* The i-th word that an option of this kind is completed with, a choice or another; false
 * behind the last one. */
bool cli_kind_word(char *buf, size_t size, const struct cli_kind *kind, size_t i);

/* Any text: the field is a const char *. */
enum hone_status cli_store_text(const struct cli_option *option, void *field,
                                const char *text, struct hone_error *err);

/* Kinds with choices store the value of the word; EUSAGE lists the words and suggests the
 * nearest one. */
enum hone_status cli_store_choice(const struct cli_option *option, void *field,
                                  const char *text, struct hone_error *err);

#endif
