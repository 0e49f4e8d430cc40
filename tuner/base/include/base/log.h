/* What the library says to whoever listens (hone/log.h). */
#ifndef HONE_BASE_LOG_H
#define HONE_BASE_LOG_H

#include "hone/log.h"

void hone_log(enum hone_log_level level, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
