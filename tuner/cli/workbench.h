/* Everything a script needs to run: device or its limits, script, space, kernel, builder.
 * Opened step by step by the commands and closed in one call. */
#ifndef HONE_WORKBENCH_H
#define HONE_WORKBENCH_H

#include "cli.h"
#include "hone/build.h"
#include "hone/device.h"
#include "hone/kernel.h"
#include "hone/space.h"
#include "script.h"

/* What every command with a script takes. Its argument struct begins with these two, so
 * that one table serves all. */
struct cli_script_args {
    const char *device;
    struct cli_list set;
    struct cli_list templates;
    uint64_t max_instructions;
    uint64_t max_memory;
    bool allow_io;
};

struct cli_script_command {
    struct cli_words words;
    struct cli_script_args script;
};

extern const struct cli_option cli_script_options[];

struct cli_workbench {
    struct hone_limits limits;
    struct hone_script *script;
    struct hone_kernel_def def;      /* the script's, of the problem at hand */
    struct hone_constant *constants; /* of def, where the problem is not the script's */
    struct hone_space *space;
    struct hone_kernel *kernel; /* from here on: NULL until cli_workbench_prepare */
    struct hone_device *device;
    struct hone_builder *builder;
    bool has_default; /* the author's default is in the space */
    uint64_t default_index;
    uint16_t *default_choices; /* value numbers; NULL without one */
};

/* Load the script with the limits of the device and build its space; the device itself
 * stays closed, so this is fast on any machine. On failure too the bench must be closed.
 */
enum hone_status cli_workbench_open(struct cli_workbench *bench, const char *path,
                                    const struct cli_script_args *args,
                                    struct hone_error *err);
/* Only the script and what it defines: no space. */
enum hone_status cli_workbench_load(struct cli_workbench *bench, const char *path,
                                    const struct cli_script_args *args,
                                    struct hone_error *err);
/* The same as open for a device that others have opened. */
enum hone_status cli_workbench_open_for(struct cli_workbench *bench, const char *path,
                                        const struct cli_script_args *args,
                                        const struct hone_limits *limits,
                                        struct hone_error *err);

/* Turn to another problem of the kernel, before there is one: its sizes in the order of
 * the script's. Space and default are made anew. The values' texts are borrowed. */
enum hone_status cli_workbench_turn(struct cli_workbench *bench,
                                    const struct hone_value *values,
                                    struct hone_error *err);

struct cli_build_args {
    const char *cache; /* folder; NULL: the default one */
    uint64_t threads;  /* 0: one a core */
};

/* Check the kernel against its template. EUSAGE for a script that only defines a space.
 */
enum hone_status cli_workbench_make_kernel(struct cli_workbench *bench,
                                           struct hone_error *err);

/* The same, and open the device and the builder. */
enum hone_status cli_workbench_prepare(struct cli_workbench *bench, const char *device,
                                       enum hone_clock clock,
                                       const struct cli_build_args *args,
                                       struct hone_error *err);

void cli_workbench_close(struct cli_workbench *bench);

#endif
