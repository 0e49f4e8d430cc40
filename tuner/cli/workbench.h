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

/* The options that every command with a script takes; second member of its argument
 * struct. */
struct cli_script_args {
    const char *device;
    struct cli_list set;
    uint64_t max_instructions;
    uint64_t max_memory;
    bool allow_io;
};

/* Option rows for struct TYPE whose member `script` is a struct cli_script_args. */
#define CLI_SCRIPT_OPTIONS(type)                                                         \
    {"device", 'd',                                                                      \
     "DEVICE", "where to run: cuda:N, emu:GPU or auto ('hone devices')",                 \
     CLI_TEXT, offsetof(type, script.device)},                                           \
        {"set",        0,                                                                \
         "NAME=VALUE", "a problem size, or pin a parameter; repeatable",                 \
         CLI_LIST,     offsetof(type, script.set)},                                      \
        {"max-instructions",                                                             \
         0,                                                                              \
         "N",                                                                            \
         "Lua instructions a script may use [500 million]",                              \
         CLI_COUNT,                                                                      \
         offsetof(type, script.max_instructions)},                                       \
        {"max-memory", 0,                                                                \
         "BYTES",      "memory a script may use [1G]",                                   \
         CLI_COUNT,    offsetof(type, script.max_memory)},                               \
    {                                                                                    \
        "allow-io", 0, NULL, "let the script use io and os", CLI_FLAG,                   \
            offsetof(type, script.allow_io)                                              \
    }

struct cli_workbench {
    struct hone_limits limits;
    struct hone_script *script;
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

struct cli_build_args {
    const char *cache; /* folder; NULL: the default one */
    uint64_t threads;  /* 0: one a core */
};

/* Check the kernel against its template, open the device and the builder. EUSAGE for a
 * script that only defines a space. */
enum hone_status cli_workbench_prepare(struct cli_workbench *bench, const char *device,
                                       const struct cli_build_args *args,
                                       struct hone_error *err);

void cli_workbench_close(struct cli_workbench *bench);

#endif
