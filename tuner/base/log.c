#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/c_text.h"

static hone_log_sink *log_sink;
static void *log_context;

void hone_log_set(hone_log_sink *sink, void *context)
{
    log_sink = sink;
    log_context = context;
}

void hone_log(enum hone_log_level level, const char *format, ...)
{
    if (!log_sink) return;
    char line[1024];
    va_list args;
    va_start(args, format);
    hone_vsnprintf(line, sizeof line, format, args);
    va_end(args);
    log_sink(log_context, level, line);
}

struct hone_error_line hone_error_line(const struct hone_error *err)
{
    struct hone_error_line out;
    if (err->source[0] && err->line)
        snprintf(out.text, sizeof out.text, "%s:%d: %s", err->source, err->line,
                 err->text);
    else if (err->source[0])
        snprintf(out.text, sizeof out.text, "%s: %s", err->source, err->text);
    else
        snprintf(out.text, sizeof out.text, "%s", err->text);
    return out;
}
