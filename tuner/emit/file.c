// A header to a file, as a whole or not at all.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hone/emit.h"
#include "hone/strbuf.h"
#include "record/output_path.h"

char *hone_emit_second_path(const char *path)
{
    static const char ending[] = "_runtime.h";
    const char *name = strrchr(path, '/'), *dot = strrchr(name ? name : path, '.');
    const size_t stem = dot ? (size_t)(dot - path) : strlen(path);
    char *second = malloc(stem + sizeof ending);
    if (second) snprintf(second, stem + sizeof ending, "%.*s%s", (int)stem, path, ending);
    return second;
}

static enum hone_status emit_one(const char *path,
                                 const struct hone_recording *const *recordings,
                                 size_t count, const struct hone_emit_options *options,
                                 struct hone_error *err)
{
    struct hone_strbuf text = HONE_STRBUF_INIT;
    enum hone_status status = hone_emit(&text, recordings, count, options, err);
    if (status == HONE_OK && text.failed)
        status = hone_no_memory(err, "emitting '%s'", path);
    if (status == HONE_OK) status = hone_output_write(path, text.data, text.len, err);
    hone_strbuf_fini(&text);
    return status;
}

enum hone_status hone_emit_file(const char *path,
                                const struct hone_recording *const *recordings,
                                size_t count, const struct hone_emit_options *options,
                                struct hone_error *err)
{
    struct hone_emit_options with = *options;
    with.second = false;
    enum hone_status status = emit_one(path, recordings, count, &with, err);
    if (status != HONE_OK || options->shape != HONE_SHAPE_RUNTIME) return status;
    char *second = hone_emit_second_path(path);
    with.second = true;
    status = second ? emit_one(second, recordings, count, &with, err)
                    : hone_no_memory(err, "emitting '%s'", path);
    free(second);
    return status;
}
