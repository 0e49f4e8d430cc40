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

/* EUSAGE where a file of the header at path cannot be written, a header and JSON would
 * both go to standard output, or arguments exclude each other. Ask ahead of all work. */
enum hone_status hone_header_args_check(const char *path,
                                        const struct hone_header_args *args, bool json,
                                        struct hone_error *err);

/* All of text to path, or to standard output, where it was made: status is OK. Releases
 * text, and returns status or what came of writing. */
typedef enum hone_status hone_write_text(const char *path, struct hone_strbuf *text,
                                         enum hone_status status, struct hone_error *err);

/* What was written beside the path that the user named. */
struct hone_written_header {
    char *second;                  /* path of the second file; NULL: there is none */
    struct hone_coverage coverage; /* of struct hone_made_header */
};

/* Make the header of options, completed by what the arguments say, and write it to path
 * ("-": standard output), and its second file. Release out, {0} before, with
 * hone_written_header_fini, after a failure too. */
enum hone_status hone_header_args_write(struct hone_written_header *out, const char *path,
                                        const struct hone_header_args *args,
                                        const struct hone_script_args *script,
                                        const struct hone_header_options *options,
                                        hone_write_text *write, struct hone_error *err);

/* What will be refused of a run that begins: hone_header_rehearse of the same. */
enum hone_status hone_header_args_rehearse(const struct hone_header_args *args,
                                           const struct hone_script_args *script,
                                           const struct hone_header_options *options,
                                           const struct hone_record_info *info,
                                           const struct hone_space *space,
                                           struct hone_error *err);
void hone_written_header_fini(struct hone_written_header *written);

#endif
