// The options of commands with a script, handed to the workbench.
#include "args/script_args.h"

#include <stdlib.h>

#include "args/common_kinds.h"
#include "base/file.h"
#include "base/host_memory.h"
#include "terminal/interrupt.h"
#include "tuning/installed_kernels.h"
#include "tuning/script_sets.h"

static enum hone_status store_host_memory(const struct hone_option *option, void *field,
                                          const char *text, struct hone_error *err)
{
    uint64_t bytes;
    if (hone_host_memory_parse(&bytes, text, hone_host_memory_total(), NULL) == HONE_OK)
        return hone_store_text(option, field, text, err);
    return hone_option_refuse(option, "a share (50%) or a size (8G)", text, err);
}
static const struct hone_option_kind host_memory_kind = {.store = store_host_memory};

const struct hone_option hone_options_of_script[] = {
    {"device", 'd', "DEVICE", "where to run: cuda:N, emu:GPU or auto ('hone devices')",
     &hone_kind_device, offsetof(struct hone_script_command, script.device)},
    {"set", 0, "NAME=VALUE", "a problem size, or pin a parameter; repeatable",
     HONE_TEXTS(struct hone_script_command, script.set)},
    {"templates", 0, "FOLDER", "a further folder to look for templates in; repeatable",
     &hone_kind_folders, offsetof(struct hone_script_command, script.templates)},
    {"max-instructions", 0, "N", "Lua instructions a script may use [500 million]",
     HONE_COUNT(struct hone_script_command, script.max_instructions)},
    {"max-memory", 0, "BYTES", "memory a script may use [1G]", &hone_kind_memory,
     offsetof(struct hone_script_command, script.max_memory)},
    {"host-memory", 0, "SHARE",
     "of this machine's memory for the data of kernels: 50%, 8G [50%]", &host_memory_kind,
     offsetof(struct hone_script_command, script.host_memory)},
    {"allow-io", 0, NULL, "let the script use io and os",
     HONE_FLAG(struct hone_script_command, script.allow_io)},
    {0},
};

enum hone_status hone_program_path(const char **out, struct hone_error *err)
{
    static char path[4096];
    if (!hone_file_program(path, sizeof path))
        return hone_fail(err, HONE_EIO, "cannot find this program's file");
    *out = path;
    return HONE_OK;
}

// As far as nothing is judged: a replay takes sets that a script would not.
static enum hone_status take_script(struct hone_script_input *out,
                                    const struct hone_script_args *args,
                                    struct hone_error *err)
{
    enum hone_status status = HONE_OK;
    *out = (struct hone_script_input){0};
    if (args->host_memory) status = hone_host_memory_set(args->host_memory, err);
    if (status == HONE_OK)
        status = hone_script_sets_split(&out->set, &out->text, args->set.items,
                                        args->set.count, err);
    out->options = (struct hone_script_options){
        .set = out->set,
        .set_count = args->set.count,
        .max_instructions = args->max_instructions,
        .max_memory_bytes = (size_t)args->max_memory,
        .allow_io = args->allow_io,
        .template_path = args->templates.items,
        .template_path_count = args->templates.count,
    };
    return status;
}

enum hone_status hone_script_input_make(struct hone_script_input *out,
                                        const struct hone_script_args *args,
                                        struct hone_error *err)
{
    enum hone_status status = take_script(out, args, err);
    return status == HONE_OK
               ? hone_script_sets_check(args->set.items, args->set.count, err)
               : status;
}

void hone_script_input_fini(struct hone_script_input *script)
{
    free(script->set);
    free(script->text);
}

enum hone_status hone_script_args_workbench(struct hone_workbench *bench,
                                            const char *path,
                                            const struct hone_script_args *args,
                                            struct hone_error *err)
{
    struct hone_limits limits;
    struct hone_script_input script = {0};
    *bench = (struct hone_workbench){0};
    enum hone_status status = hone_device_limits(&limits, args->device, err);
    if (status == HONE_OK) status = hone_script_input_make(&script, args, err);
    script.options.limits = &limits;
    if (status == HONE_OK)
        status = hone_workbench_open(bench, path, &script.options, err);
    hone_script_input_fini(&script);
    return status;
}

// Without a cache a reference would be compiled anew for each size and device.
struct hone_builder_options hone_build_args_builder(const struct hone_build_args *args)
{
    enum { REFERENCES_BYTES = 16 << 20 };
    return (struct hone_builder_options){.cache_folder = args->cache,
                                         .threads = (size_t)args->threads,
                                         .memory_bytes = REFERENCES_BYTES};
}

enum hone_status hone_script_args_tuning(struct hone_tuning_options *out,
                                         struct hone_script_input *script,
                                         const struct hone_script_args *args,
                                         const struct hone_build_args *build,
                                         struct hone_error *err)
{
    enum hone_status status = take_script(script, args, err);
    const struct hone_script_options *options = &script->options;
    out->device = args->device;
    out->set = options->set;
    out->set_count = options->set_count;
    out->template_path = options->template_path;
    out->template_path_count = options->template_path_count;
    out->max_instructions = options->max_instructions;
    out->max_memory_bytes = options->max_memory_bytes;
    out->allow_io = options->allow_io;
    out->builder = hone_build_args_builder(build);
    out->cancel = hone_interrupt_flag();
    return status == HONE_OK ? hone_program_path(&out->program, err) : status;
}

enum hone_status hone_kernel_name_resolve(struct hone_words *words, const char *command,
                                          struct hone_error *err)
{
    static char path[4096];
    const char *word = words->count ? words->items[0] : "";
    if (!*word) return HONE_OK;
    enum hone_status status =
        hone_installed_kernel_resolve(path, sizeof path, word, command, err);
    if (status == HONE_OK && path[0]) words->items[0] = path;
    return status;
}
