/* The library does not print: it hands lines to whoever listens (the program: stderr). */
#ifndef HONE_LOG_PUBLIC_H
#define HONE_LOG_PUBLIC_H

enum hone_log_level { HONE_LOG_ERROR, HONE_LOG_WARNING, HONE_LOG_INFO, HONE_LOG_DEBUG };

typedef void hone_log_sink(void *context, enum hone_log_level level, const char *line);

/* Process-wide; set it before threads start. NULL drops everything (the default). */
void hone_log_set(hone_log_sink *sink, void *context);

#endif
