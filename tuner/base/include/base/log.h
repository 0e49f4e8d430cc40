/* What the library says to whoever listens (hone/log.h). */
#ifndef HONE_BASE_LOG_H
#define HONE_BASE_LOG_H

#include "hone/log.h"
#include "hone/status.h"

void hone_log(enum hone_log_level level, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A failure and its place as one line, "a.lua:3: no such size"; "" where there is no text
 * and no place. For one printf: hone_error_line(&err).text. */
struct hone_error_line {
    char text[sizeof(struct hone_error) + 32];
} hone_error_line(const struct hone_error *err);

#endif
