/* Numbers and messages as the C locale has them, whatever a program that uses libhone has
 * set, and while another of its threads sets it: a point, not a comma. All that the
 * product prints or reads with a fraction goes this way or through hone_strbuf_printf,
 * hone_fail or hone_log, which do (lint.style). */
#ifndef HONE_BASE_C_TEXT_H
#define HONE_BASE_C_TEXT_H

#include <stdarg.h>
#include <stddef.h>

/* As snprintf, vsnprintf and strtod. */
int hone_snprintf(char *buf, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
int hone_vsnprintf(char *buf, size_t size, const char *format, va_list args)
    __attribute__((format(printf, 3, 0)));
double hone_strtod(const char *text, char **end);

/* As strerror and strsignal, in English: what else they say may be no UTF-8. A text stays
 * until the same thread asks again. */
const char *hone_errno_text(int number);
const char *hone_signal_text(int number);

#endif
