#include "header_command.h"

#include "base/log.h"
#include "emit/shipped.h"
#include "output.h"

static const struct hone_choice payload_words[] = {{"none", HONE_PAYLOAD_NONE},
                                                   {"source", HONE_PAYLOAD_SOURCE},
                                                   {"ptx", HONE_PAYLOAD_PTX},
                                                   {"cubin", HONE_PAYLOAD_CUBIN},
                                                   {0}};
static const struct hone_option_kind payload_kind = {.store = hone_store_choice,
                                                     .choices = payload_words};

const struct hone_option cli_header_options[] = {
    {"name", 0, "NAME", "prefix of everything in the header [the kernel's name]",
     &hone_kind_text, offsetof(struct cli_header_command, header.name)},
    {"max-configs", 0, "N", "most configurations for the problems of one device [8]",
     &hone_kind_count, offsetof(struct cli_header_command, header.max_configs)},
    {"payload", 0, NULL, "what the header launches the kernel from [none]", &payload_kind,
     offsetof(struct cli_header_command, header.payload.kind)},
    {"arch", 0, "ARCH", "to build the payload for: sm_90a [the devices']; repeatable",
     &hone_kind_texts, offsetof(struct cli_header_command, header.payload.archs)},
    {"accept-predicted", 0, NULL, "emit from a model's predictions; the header says so",
     &hone_kind_flag, offsetof(struct cli_header_command, header.accept_predicted)},
    {0},
};

struct hone_emit_options cli_emit_options(const struct cli_header_args *args,
                                          const struct hone_template_payload *payload)
{
    return (struct hone_emit_options){.name = args->name,
                                      .max_configs = (size_t)args->max_configs,
                                      .payload = &payload->payload,
                                      .accept_predicted = args->accept_predicted};
}

static bool loses_payload(const char *path, const struct hone_emit_options *options)
{
    return !cli_output_is_stdout(path) && options->payload->kind == HONE_PAYLOAD_NONE &&
           hone_shipped_has_payload(path);
}

enum hone_status cli_header_write(const char *path,
                                  const struct hone_recording *const *recordings,
                                  size_t count, const struct hone_emit_options *options,
                                  struct hone_error *err)
{
    struct hone_strbuf text = HONE_STRBUF_INIT;
    enum hone_status status = hone_emit(&text, recordings, count, options, err);
    const bool loses = status == HONE_OK && loses_payload(path, options);
    if (status == HONE_OK) status = cli_output_write(path, &text, err);
    if (status == HONE_OK && loses)
        hone_log(HONE_LOG_WARNING,
                 "'%s' is replaced: it had a payload, which --payload gives anew", path);
    hone_strbuf_fini(&text);
    return status;
}
