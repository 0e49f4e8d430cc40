// A header to a file, as a whole or not at all.
#include "base/file.h"

#include "base/strbuf.h"
#include "hone/emit.h"

enum hone_status hone_emit_file(const char *path,
                                const struct hone_recording *const *recordings,
                                size_t count, const struct hone_emit_options *options,
                                struct hone_error *err)
{
    struct hone_strbuf text = HONE_STRBUF_INIT;
    enum hone_status status = hone_emit(&text, recordings, count, options, err);
    if (status == HONE_OK && text.failed)
        status = hone_no_memory(err, "emitting '%s'", path);
    if (status == HONE_OK) status = hone_file_write(path, text.data, text.len, err);
    hone_strbuf_fini(&text);
    return status;
}
