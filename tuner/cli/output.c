#include "output.h"

#include <signal.h>
#include <stdio.h>

#include "base/c_text.h"
#include "base/file.h"
#include "cli.h"
#include "record/json_out.h"
#include "record/output_path.h"
#include "terminal/interrupt.h"

// A pipe waits for its reader, and a signal ends that.
static enum hone_status write_file(const char *path, const struct hone_strbuf *text,
                                   struct hone_error *err)
{
    const bool held = hone_file_is_pipe(path) && hone_interrupt_hold(false);
    const enum hone_status status = hone_output_write(path, text->data, text->len, err);
    if (held) hone_interrupt_hold(true);
    return status;
}

enum hone_status cli_output_write(const char *path, struct hone_strbuf *text,
                                  enum hone_status status, struct hone_error *err)
{
    if (status == HONE_OK && text->failed)
        status = hone_no_memory(err, "for '%s'", path);
    else if (status == HONE_OK && !hone_path_is_stdout(path))
        status = write_file(path, text, err);
    else if (status == HONE_OK)
        fwrite(text->data, 1, text->len, stdout); // cli_output_close: what became of it
    hone_strbuf_fini(text);
    return status;
}

struct hone_warnings cli_warnings = HONE_WARNINGS_INIT;

enum hone_status cli_print_json(struct json_t *root, struct hone_error *err)
{
    hone_json_child(root, "warnings", hone_warnings_json(&cli_warnings));
    return hone_json_print(root, stdout, err);
}

int cli_output_close(int code)
{
    int reason;
    switch (hone_file_end_output(&reason)) {
    case HONE_OUTPUT_WRITTEN:
        return code;
    case HONE_OUTPUT_UNREAD:
        if (code != CLI_DONE) return code;
        signal(SIGPIPE, SIG_DFL);
        raise(SIGPIPE);
        break;
    case HONE_OUTPUT_LOST:
        fprintf(stderr, "hone: cannot write to standard output%s%s\n", reason ? ": " : "",
                reason ? hone_errno_text(reason) : "");
    }
    return code == CLI_DONE ? CLI_FAILED : code;
}
