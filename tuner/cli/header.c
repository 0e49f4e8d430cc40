#include "header.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file.h"
#include "strbuf.h"

const struct cli_option cli_header_options[] = {
    {"name", 0, "NAME", "prefix of everything in the header [the kernel's name]",
     CLI_TEXT, offsetof(struct cli_header_command, header.name)},
    {"max-configs", 0, "N", "most configurations for the problems of one device [8]",
     CLI_COUNT, offsetof(struct cli_header_command, header.max_configs)},
    {"payload", 0, "KIND", "what the header launches: none, source, ptx or cubin [none]",
     CLI_TEXT, offsetof(struct cli_header_command, header.payload.kind)},
    {"arch", 0, "ARCH", "to build the payload for: sm_90a [the devices']; repeatable",
     CLI_LIST, offsetof(struct cli_header_command, header.payload.archs)},
    {"accept-predicted", 0, NULL, "emit from a model's predictions; the header says so",
     CLI_FLAG, offsetof(struct cli_header_command, header.accept_predicted)},
    {0},
};

struct hone_emit_options cli_emit_options(const struct cli_header_args *args,
                                          const struct cli_payload *payload)
{
    return (struct hone_emit_options){.name = args->name,
                                      .max_configs = (size_t)args->max_configs,
                                      .payload = &payload->payload,
                                      .accept_predicted = args->accept_predicted};
}

enum hone_status cli_header_check_path(const char *path, struct hone_error *err)
{
    struct stat info;
    if (strcmp(path, "-") == 0) return HONE_OK;
    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode))
        return hone_fail(err, HONE_EUSAGE, "cannot write '%s': it is a folder", path);
    char *folder = hone_path_folder(path);
    if (!folder) return hone_fail(err, HONE_ENOMEM, "out of memory");
    enum hone_status status = HONE_OK;
    if (access(folder, W_OK | X_OK) != 0)
        status = hone_fail(err, HONE_EUSAGE, "cannot write '%s': folder '%s': %s", path,
                           folder, strerror(errno));
    free(folder);
    return status;
}

enum hone_status cli_header_write(const char *path,
                                  const struct hone_recording *const *recordings,
                                  size_t count, const struct hone_emit_options *options,
                                  struct hone_error *err)
{
    if (strcmp(path, "-") != 0)
        return hone_emit_file(path, recordings, count, options, err);
    struct hone_strbuf text = HONE_STRBUF_INIT;
    enum hone_status status = hone_emit(&text, recordings, count, options, err);
    if (status == HONE_OK && text.failed)
        status = hone_fail(err, HONE_ENOMEM, "out of memory emitting a header");
    if (status == HONE_OK) fwrite(text.data, 1, text.len, stdout);
    hone_strbuf_fini(&text);
    return status;
}
