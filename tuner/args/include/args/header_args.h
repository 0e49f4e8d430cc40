/* What the commands that write headers take from their arguments. */
#ifndef HONE_ARGS_HEADER_ARGS_H
#define HONE_ARGS_HEADER_ARGS_H

#include "args/script_args.h"
#include "tuning/made_header.h"

/* The argument struct of each of them begins as struct hone_header_command, so that one
 * table serves all. */
struct hone_header_args {
    const char *name;
    uint64_t max_configs;
    double max_regret;
    enum hone_payload_kind payload;
    struct hone_texts archs; /* of the payload */
    bool accept_predicted;
    enum hone_emit_shape shape;
};

struct hone_header_command {
    struct hone_words words;
    struct hone_script_args script;
    struct hone_header_args header;
};

extern const struct hone_option hone_options_of_header[];

/* EUSAGE for arguments that exclude each other. */
enum hone_status hone_header_args_check(const struct hone_header_args *args,
                                        struct hone_error *err);

/* What they say of a header is put into options, which borrow it; script is that of the
 * payload, and of the author's default. */
void hone_header_args_apply(struct hone_header_options *options,
                            const struct hone_header_args *args,
                            const struct hone_script_input *script);

#endif
