#include "hone/status.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/c_text.h"

const char *hone_status_text(enum hone_status status)
{
    static const char *const texts[] = {
#define HONE_STATUS_TEXT(name, text) [HONE_##name] = text,
        HONE_STATUS_LIST(HONE_STATUS_TEXT)
#undef HONE_STATUS_TEXT
    };
    assert((size_t)status < sizeof texts / sizeof *texts);
    return texts[status];
}

// A long source keeps its tail: the file name says more than the folder.
static void set_source(struct hone_error *err, const char *source)
{
    size_t len = strlen(source);
    if (len < sizeof err->source)
        memcpy(err->source, source, len + 1);
    else
        snprintf(err->source, sizeof err->source, "...%s",
                 source + len - (sizeof err->source - 4));
}

static void set(struct hone_error *err, enum hone_status status, const char *source,
                int line, const char *format, va_list args)
{
    if (!err || err->code != HONE_OK) return;
    err->code = status;
    err->line = line;
    if (source) set_source(err, source);
    hone_vsnprintf(err->text, sizeof err->text, format, args);
}

enum hone_status hone_fail(struct hone_error *err, enum hone_status status,
                           const char *format, ...)
{
    va_list args;
    va_start(args, format);
    set(err, status, NULL, 0, format, args);
    va_end(args);
    return status;
}

enum hone_status hone_no_memory(struct hone_error *err, const char *format, ...)
{
    struct hone_error what;
    va_list args;
    va_start(args, format);
    hone_vsnprintf(what.text, sizeof what.text, format, args);
    va_end(args);
    return hone_fail(err, HONE_ENOMEM, "out of memory %s", what.text);
}

enum hone_status hone_fail_at(struct hone_error *err, enum hone_status status,
                              const char *source, int line, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    set(err, status, source, line, format, args);
    va_end(args);
    return status;
}

enum hone_status hone_error_pass(struct hone_error *err, enum hone_status status,
                                 const struct hone_error *own)
{
    assert(status == HONE_OK || own->code == status);
    if (err && err->code == HONE_OK && status != HONE_OK) *err = *own;
    return status;
}
