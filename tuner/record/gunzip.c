#include "gunzip.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <zlib.h>

#include "base/c_text.h"
#include "base/file.h"
#include "hone/strbuf.h"

// Bounds what a small malicious file can unpack to.
static const size_t text_limit = (size_t)1 << 31;

// zlib hands plain files through as they are. What it gives before an error is sound or
// the torn end of it, which the readers of the text can tell.
static enum hone_status read_all(struct hone_strbuf *text, bool *torn, gzFile file,
                                 const char *path, struct hone_error *err)
{
    static const unsigned piece = 1 << 16;
    char *bytes = malloc(piece);
    if (!bytes) return hone_no_memory(err, "reading '%s'", path);
    int n;
    while ((n = gzread(file, bytes, piece)) > 0 && text->len <= text_limit)
        hone_strbuf_add_bytes(text, bytes, (size_t)n);
    free(bytes);
    if (text->failed) return hone_no_memory(err, "reading '%s'", path);
    if (text->len > text_limit)
        return hone_fail(err, HONE_ELIMIT, "'%s' unpacks to more than %zu bytes", path,
                         text_limit);
    int code = Z_OK;
    const char *why = gzerror(file, &code);
    *torn = code != Z_OK && code != Z_STREAM_END;
    if (code == Z_ERRNO)
        return hone_fail(err, HONE_EIO, "cannot read '%s': %s", path,
                         hone_errno_text(errno));
    if (*torn && !text->len)
        return hone_fail(err, HONE_EINPUT, "cannot unpack '%s': %s", path, why);
    return HONE_OK;
}

enum hone_status hone_gunzip_file(char **out, size_t *size, bool *torn, const char *path,
                                  struct hone_error *err)
{
    struct hone_strbuf text = HONE_STRBUF_INIT;
    const struct hone_file_want want = {.most = text_limit, .stream = true};
    int fd;
    enum hone_status status = hone_file_open(&fd, path, &want, err);
    if (status != HONE_OK) return status;
    gzFile file = gzdopen(fd, "rb");
    if (!file) {
        close(fd);
        return hone_no_memory(err, "reading '%s'", path);
    }
    status = read_all(&text, torn, file, path, err);
    gzclose(file);
    *size = text.len;
    if (status == HONE_OK) {
        *out = hone_strbuf_steal(&text);
        if (!*out) status = hone_no_memory(err, "reading '%s'", path);
    }
    hone_strbuf_fini(&text);
    return status;
}
