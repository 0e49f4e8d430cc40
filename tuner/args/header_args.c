#include "args/header_args.h"

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
     &hone_kind_text, offsetof(struct hone_header_command, header.name)},
    {"max-configs", 0, "N", "most configurations for the problems of one device [8]",
     &hone_kind_count, offsetof(struct hone_header_command, header.max_configs)},
    {"max-regret", 0, "PART",
     "take fewer where no problem is slower than its best by more than this [1%]",
     &hone_kind_share, offsetof(struct hone_header_command, header.max_regret)},
    {"payload", 0, NULL, "what the header launches the kernel from [none]", &payload_kind,
     offsetof(struct hone_header_command, header.payload)},
    {"arch", 0, "ARCH", "to build the payload for: sm_90a [the devices']; repeatable",
     &hone_kind_texts, offsetof(struct hone_header_command, header.archs)},
    {"accept-predicted", 0, NULL, "emit from a model's predictions; the header says so",
     &hone_kind_flag, offsetof(struct hone_header_command, header.accept_predicted)},
    {0},
};

// Macros hold no code; what a payload is built for is asked of images alone.
enum hone_status hone_header_args_check(const struct hone_header_args *args,
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

void hone_header_args_apply(struct hone_header_options *options,
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
