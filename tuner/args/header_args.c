#include "args/header_args.h"

#include <stdlib.h>

#include "base/file.h"
#include "base/identifier.h"
#include "base/log.h"
#include "emit/shipped.h"
#include "record/output_path.h"

static const struct hone_choice payload_words[] = {{"none", HONE_PAYLOAD_NONE},
                                                   {"source", HONE_PAYLOAD_SOURCE},
                                                   {"ptx", HONE_PAYLOAD_PTX},
                                                   {"cubin", HONE_PAYLOAD_CUBIN},
                                                   {0}};
static const struct hone_option_kind payload_kind = HONE_CHOICE_KIND(payload_words);

static const struct hone_choice shape_words[] = {{"table", HONE_SHAPE_TABLE},
                                                 {"macros", HONE_SHAPE_MACROS},
                                                 {"runtime", HONE_SHAPE_RUNTIME},
                                                 {0}};
static const struct hone_option_kind shape_kind = HONE_CHOICE_KIND(shape_words);

const struct hone_option hone_options_of_header[] = {
    {"shape", 0, NULL, "table; macros; or a table and, beside it, overrides [table]",
     &shape_kind, offsetof(struct hone_header_command, header.shape)},
    {"name", 0, "NAME", "prefix of everything in the header [the kernel's name]",
     HONE_TEXT(struct hone_header_command, header.name)},
    {"max-configs", 0, "N", "most configurations for the problems of one device [8]",
     HONE_COUNT(struct hone_header_command, header.max_configs)},
    {"max-regret", 0, "PART",
     "take fewer where no problem is slower than its best by more than this [1%]",
     &hone_kind_share, offsetof(struct hone_header_command, header.max_regret)},
    {"payload", 0, NULL, "what the header launches the kernel from [none]", &payload_kind,
     offsetof(struct hone_header_command, header.payload)},
    {"arch", 0, "ARCH", "to build the payload for: sm_90a [the devices']; repeatable",
     HONE_TEXTS(struct hone_header_command, header.archs)},
    {"accept-predicted", 0, NULL, "emit from a model's predictions; the header says so",
     HONE_FLAG(struct hone_header_command, header.accept_predicted)},
    {0},
};

// Macros hold no code; what a payload is built for is asked of images alone.
static enum hone_status check_payload(const struct hone_header_args *args,
                                      struct hone_error *err)
{
    const bool images =
        args->payload == HONE_PAYLOAD_PTX || args->payload == HONE_PAYLOAD_CUBIN;
    if (args->shape == HONE_SHAPE_MACROS && args->payload != HONE_PAYLOAD_NONE)
        return hone_fail(err, HONE_EUSAGE,
                         "--shape macros has no payload: leave out --payload, or say "
                         "--shape table");
    if (args->archs.count && !images)
        return hone_fail(err, HONE_EUSAGE,
                         "--arch is what a payload is built for: it needs --payload ptx "
                         "or cubin");
    return HONE_OK;
}

static enum hone_status check_second(const char *path, struct hone_error *err)
{
    if (hone_path_is_stdout(path))
        return hone_fail(err, HONE_EUSAGE,
                         "--shape runtime makes two files: say -o FILE");
    char *second = hone_emit_second_path(path);
    enum hone_status status = second ? hone_output_check(second, err)
                                     : hone_no_memory(err, "for the name of a file");
    free(second);
    return status;
}

enum hone_status hone_header_args_check(const char *path,
                                        const struct hone_header_args *args, bool json,
                                        struct hone_error *err)
{
    if (json && hone_path_is_stdout(path))
        return hone_fail(err, HONE_EUSAGE, "--json and -o - both want standard output");
    const char *fault = args->name ? hone_identifier_fault(args->name) : NULL;
    if (fault) return hone_fail(err, HONE_EUSAGE, "--name '%s' %s", args->name, fault);
    enum hone_status status = check_payload(args, err);
    if (status == HONE_OK && args->shape == HONE_SHAPE_RUNTIME)
        status = check_second(path, err);
    return status == HONE_OK ? hone_output_check(path, err) : status;
}

/* --- from the arguments to files --- */

// script is that of the payload, and of the author's default.
static void complete_options(struct hone_header_options *options,
                             const struct hone_header_args *args,
                             const struct hone_script_input *script)
{
    options->emit = (struct hone_emit_options){.name = args->name,
                                               .max_configs = (size_t)args->max_configs,
                                               .max_regret = args->max_regret,
                                               .accept_predicted = args->accept_predicted,
                                               .shape = args->shape};
    options->payload.kind = args->payload;
    options->payload.archs = args->archs.items;
    options->payload.arch_count = args->archs.count;
    options->payload.script_options = &script->options;
}

static bool loses_payload(const char *path, const struct hone_header_options *options)
{
    return options->emit.shape == HONE_SHAPE_TABLE &&
           options->payload.kind == HONE_PAYLOAD_NONE && !hone_path_is_stdout(path) &&
           hone_shipped_has_payload(path);
}

// All that is to be written is made by then: a failure leaves old files as they are.
static enum hone_status write_files(struct hone_written_header *out, const char *path,
                                    struct hone_made_header *made,
                                    const struct hone_header_options *options,
                                    hone_write_text *write, struct hone_error *err)
{
    const bool loses = loses_payload(path, options);
    enum hone_status status = HONE_OK;
    if (options->emit.shape == HONE_SHAPE_RUNTIME) {
        out->second = hone_emit_second_path(path);
        if (!out->second) return hone_no_memory(err, "for the name of a file");
        status = write(out->second, &made->second, HONE_OK, err);
    }
    status = write(path, &made->text, status, err);
    if (status == HONE_OK && loses)
        hone_log(HONE_LOG_WARNING,
                 "'%s' is replaced%s: it had a payload, which --payload gives anew", path,
                 options->count ? "" : " by the author's default");
    return status;
}

enum hone_status hone_header_args_write(struct hone_written_header *out, const char *path,
                                        const struct hone_header_args *args,
                                        const struct hone_script_args *script_args,
                                        const struct hone_header_options *options,
                                        hone_write_text *write, struct hone_error *err)
{
    struct hone_script_input script = {0};
    struct hone_made_header made = {0};
    struct hone_header_options with = *options;
    complete_options(&with, args, &script);
    enum hone_status status = hone_script_input_make(&script, script_args, err);
    if (status == HONE_OK) status = hone_header_make(&made, &with, err);
    if (status == HONE_OK) status = write_files(out, path, &made, &with, write, err);
    out->coverage = made.coverage;
    made.coverage = (struct hone_coverage){0};
    hone_made_header_fini(&made);
    hone_script_input_fini(&script);
    return status;
}

enum hone_status hone_header_args_rehearse(const struct hone_header_args *args,
                                           const struct hone_script_args *script_args,
                                           const struct hone_header_options *options,
                                           const struct hone_record_info *info,
                                           const struct hone_space *space,
                                           struct hone_error *err)
{
    struct hone_script_input script = {0};
    struct hone_header_options with = *options;
    complete_options(&with, args, &script);
    enum hone_status status = hone_script_input_make(&script, script_args, err);
    if (status == HONE_OK) status = hone_header_rehearse(&with, info, space, err);
    hone_script_input_fini(&script);
    return status;
}

void hone_written_header_fini(struct hone_written_header *written)
{
    hone_coverage_fini(&written->coverage);
    free(written->second);
}
