// The options of commands with a script, handed to the workbench.
#include "script_args.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/host_memory.h"
#include "common_kinds.h"
#include "interrupt.h"
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

const struct hone_option cli_script_options[] = {
    {"device", 'd', "DEVICE", "where to run: cuda:N, emu:GPU or auto ('hone devices')",
     &cli_device_kind, offsetof(struct cli_script_command, script.device)},
    {"set", 0, "NAME=VALUE", "a problem size, or pin a parameter; repeatable",
     &hone_kind_texts, offsetof(struct cli_script_command, script.set)},
    {"templates", 0, "FOLDER", "a further folder to look for templates in; repeatable",
     &hone_kind_folders, offsetof(struct cli_script_command, script.templates)},
    {"max-instructions", 0, "N", "Lua instructions a script may use [500 million]",
     &hone_kind_count, offsetof(struct cli_script_command, script.max_instructions)},
    {"max-memory", 0, "BYTES", "memory a script may use [1G]", &hone_kind_memory,
     offsetof(struct cli_script_command, script.max_memory)},
    {"host-memory", 0, "SHARE",
     "of this machine's memory for the data of kernels: 50%, 8G [50%]", &host_memory_kind,
     offsetof(struct cli_script_command, script.host_memory)},
    {"allow-io", 0, NULL, "let the script use io and os", &hone_kind_flag,
     offsetof(struct cli_script_command, script.allow_io)},
    {0},
};

enum hone_status cli_sets_check(const struct hone_texts *list, struct hone_error *err)
{
    for (size_t i = 0; i < list->count; i++) {
        const char *text = list->items[i], *equals = strchr(text, '=');
        if (!equals || equals == text || !equals[1])
            return hone_fail(err, HONE_EUSAGE, "--set wants NAME=VALUE, got '%s'", text);
    }
    return HONE_OK;
}

enum hone_status cli_program_path(const char **out, struct hone_error *err)
{
    static char path[4096];
    if (!hone_file_program(path, sizeof path))
        return hone_fail(err, HONE_EIO, "cannot find this program's file");
    *out = path;
    return HONE_OK;
}

enum hone_status cli_limit_host_memory(const struct cli_script_args *args,
                                       struct hone_error *err)
{
    return args->host_memory ? hone_host_memory_set(args->host_memory, err) : HONE_OK;
}

enum hone_status cli_script_init(struct cli_script *out,
                                 const struct cli_script_args *args,
                                 struct hone_error *err)
{
    *out = (struct cli_script){0};
    enum hone_status status = cli_limit_host_memory(args, err);
    if (status == HONE_OK) status = cli_sets_check(&args->set, err);
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

void cli_script_fini(struct cli_script *script)
{
    free(script->set);
    free(script->text);
}

enum hone_status cli_workbench_open(struct hone_workbench *bench, const char *path,
                                    const struct cli_script_args *args,
                                    struct hone_error *err)
{
    struct hone_limits limits;
    struct cli_script script = {0};
    *bench = (struct hone_workbench){0};
    enum hone_status status = hone_device_limits(&limits, args->device, err);
    if (status == HONE_OK) status = cli_script_init(&script, args, err);
    script.options.limits = &limits;
    if (status == HONE_OK)
        status = hone_workbench_open(bench, path, &script.options, err);
    cli_script_fini(&script);
    return status;
}

// Without a cache a reference would be compiled anew for each size and device.
struct hone_builder_options cli_builder_options(const struct cli_build_args *args)
{
    enum { REFERENCES_BYTES = 16 << 20 };
    return (struct hone_builder_options){.cache_folder = args->cache,
                                         .threads = (size_t)args->threads,
                                         .memory_bytes = REFERENCES_BYTES};
}

enum hone_status cli_tuning_options(struct hone_tuning_options *out,
                                    const struct cli_script_args *script,
                                    const struct cli_build_args *build,
                                    struct hone_error *err)
{
    out->device = script->device;
    out->template_path = script->templates.items;
    out->template_path_count = script->templates.count;
    out->max_instructions = script->max_instructions;
    out->max_memory_bytes = (size_t)script->max_memory;
    out->allow_io = script->allow_io;
    out->builder = cli_builder_options(build);
    out->cancel = cli_interrupt_flag();
    enum hone_status status = cli_program_path(&out->program, err);
    return status == HONE_OK ? cli_limit_host_memory(script, err) : status;
}
