/* Kinds of options: how the text of one is read into its field, which words it can be,
 * and what a shell completes it with. Parser, help, manual and completions go by these
 * tables, so that they cannot disagree. */
#ifndef HONE_OPTIONS_KINDS_H
#define HONE_OPTIONS_KINDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hone/status.h"

struct hone_option;

/* A word of an option and the value of the enum that it stands for. */
struct hone_choice {
    const char *word;
    int value;
};

enum hone_completion {
    HONE_COMPLETE_NOTHING,
    HONE_COMPLETE_FILES,
    HONE_COMPLETE_FOLDERS
};

struct hone_option_kind {
    /* Read text, which stays valid as long as the field, into the field. EUSAGE that
     * names the option and the text and says what is wanted. */
    enum hone_status (*store)(const struct hone_option *option, void *field,
                              const char *text, struct hone_error *err);
    /* Optional: the words that the text can be, ended by {0}; the field is the enum then
     * and store is hone_store_choice. */
    const struct hone_choice *choices;
    /* Optional: the i-th word to complete with, where the text may be another too; false
     * behind the last one. */
    bool (*word)(char *buf, size_t size, size_t i);
    enum hone_completion complete;
    bool alone;   /* it takes no text, and store gets NULL */
    bool blank;   /* the text may be empty */
    bool repeats; /* the field is a struct hone_texts, which grows by each text */
    bool greedy;  /* it takes all words up to the next option */
    bool writes;  /* the file of this name is replaced */
};

/* The kind whose field is the enum of these words. */
#define HONE_CHOICE_KIND(words)                                                          \
    {                                                                                    \
        .store = hone_store_choice, .choices = words                                     \
    }

struct hone_texts {
    const char **items; /* the array is owned, its texts are borrowed from argv */
    size_t count;
};

/* What the field is, and which text is taken. */
extern const struct hone_option_kind hone_kind_flag, /* bool; no text */
    hone_kind_text,    /* const char *, not only of spaces: so are the items of lists */
    hone_kind_texts,   /* struct hone_texts: may be given several times */
    hone_kind_count,   /* uint64_t; K, M, G suffixes are powers of 1024 */
    hone_kind_some,    /* the same, above 0 */
    hone_kind_share,   /* double of 0 up to 1, without 1: 3% or 0.03 */
    hone_kind_memory,  /* uint64_t, bytes of memory: the M of 500M is of 1024 */
    hone_kind_bytes,   /* uint64_t, bytes of files: the M of 500M is of 1000 */
    hone_kind_time,    /* double, seconds, above 0; a unit is wanted: 30s, 5m, 2h, 1d */
    hone_kind_seconds, /* the same; a number without a unit is of seconds */
    hone_kind_file,    /* const char *: a file to read, or to append to */
    hone_kind_output,  /* const char *: a file to write, none that the command reads */
    hone_kind_files,   /* struct hone_texts: all words up to the next option */
    hone_kind_folder,  /* const char * */
    hone_kind_folders, /* struct hone_texts: may be given several times */
    hone_kind_folder_or_none; /* const char *, may be empty */

/* EUSAGE: what --option wants, and the text that it got. */
enum hone_status hone_option_refuse(const struct hone_option *option, const char *wanted,
                                    const char *text, struct hone_error *err);

/* The i-th word that an option of this kind is completed with, a choice or another; false
 * behind the last one. */
bool hone_option_word(char *buf, size_t size, const struct hone_option_kind *kind,
                      size_t i);

/* Any text: the field is a const char *. */
enum hone_status hone_store_text(const struct hone_option *option, void *field,
                                 const char *text, struct hone_error *err);

/* Kinds with choices store the value of the word; EUSAGE lists the words and suggests the
 * nearest one. */
enum hone_status hone_store_choice(const struct hone_option *option, void *field,
                                   const char *text, struct hone_error *err);

#endif
