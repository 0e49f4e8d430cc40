/* What the commands with a script take from their arguments to open a workbench. */
#ifndef HONE_ARGS_SCRIPT_ARGS_H
#define HONE_ARGS_SCRIPT_ARGS_H

#include "hone/tuning.h"
#include "options/command.h"
#include "tuning/workbench.h"

/* What every command with a script takes. Its argument struct begins with these two, so
 * that one table serves all. */
struct hone_script_args {
    const char *device;
    struct hone_texts set;
    struct hone_texts templates;
    uint64_t max_instructions;
    uint64_t max_memory;
    const char *host_memory; /* NULL: as the environment says */
    bool allow_io;
};

struct hone_script_command {
    struct hone_words words;
    struct hone_script_args script;
};

extern const struct hone_option hone_options_of_script[];

/* Let the first operand be the path of an installed kernel where it is the name of one:
 * no file of this name is here. words borrows the path from then on. ENOTFOUND with a
 * suggestion, of this command, for what is neither and close to one. */
enum hone_status hone_kernel_name_resolve(struct hone_words *words, const char *command,
                                          struct hone_error *err);

struct hone_build_args {
    const char *cache; /* folder; NULL: the default one */
    uint64_t threads;  /* 0: one a core */
};
/* Their options in the table of a command whose arguments, args, have them as build. */
#define HONE_BUILD_OPTIONS(args)                                                         \
    {"threads",                                                                          \
     'j',                                                                                \
     "N",                                                                                \
     "compile threads [one a core]",                                                     \
     &hone_kind_count,                                                                   \
     offsetof(args, build.threads)},                                                     \
    {                                                                                    \
        "cache", 0, "FOLDER", "of builds; '' for none", &hone_kind_folder_or_none,       \
            offsetof(args, build.cache)                                                  \
    }
struct hone_builder_options hone_build_args_builder(const struct hone_build_args *args);

/* This program's file, for workers that it starts; borrowed. */
enum hone_status hone_program_path(const char **out, struct hone_error *err);

/* The script's options for the functions of other floors. */
struct hone_script_input {
    struct hone_script_options options; /* without limits; they borrow the rest */
    struct hone_script_set *set;
    char *text;
};

/* --host-memory takes effect: it is put into the environment, where this program and the
 * workers that it starts read it. EUSAGE for a --set that says nothing. Release it also
 * after a failure; zeros are fine. */
enum hone_status hone_script_input_make(struct hone_script_input *out,
                                        const struct hone_script_args *args,
                                        struct hone_error *err);
void hone_script_input_fini(struct hone_script_input *script);

/* What these arguments say of a tuning: device, script, builder, workers of this program,
 * and how it is interrupted. script is made as by hone_script_input_make, but for the
 * check of --set: it may be of a recording. Release it also after a failure. */
enum hone_status hone_script_args_tuning(struct hone_tuning_options *out,
                                         struct hone_script_input *script,
                                         const struct hone_script_args *args,
                                         const struct hone_build_args *build,
                                         struct hone_error *err);

/* Load the script with the limits of the device and build its space; the device itself
 * stays closed, so this is fast on any machine. On failure too the bench must be closed.
 */
enum hone_status hone_script_args_workbench(struct hone_workbench *bench,
                                            const char *path,
                                            const struct hone_script_args *args,
                                            struct hone_error *err);

#endif
