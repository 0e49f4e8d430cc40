#include "base/c_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/c_locale.h"

int hone_vsnprintf(char *buf, size_t size, const char *format, va_list args)
{
    const struct hone_c_locale locale = hone_c_locale_enter();
    const int len = vsnprintf(buf, size, format, args);
    hone_c_locale_leave(locale);
    return len;
}

int hone_snprintf(char *buf, size_t size, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const int len = hone_vsnprintf(buf, size, format, args);
    va_end(args);
    return len;
}

double hone_strtod(const char *text, char **end)
{
    const struct hone_c_locale locale = hone_c_locale_enter();
    const double number = strtod(text, end);
    hone_c_locale_leave(locale);
    return number;
}

const char *hone_errno_text(int number)
{
    const struct hone_c_locale locale = hone_c_locale_enter();
    const char *text = strerror(number);
    hone_c_locale_leave(locale);
    return text;
}

const char *hone_signal_text(int number)
{
    const struct hone_c_locale locale = hone_c_locale_enter();
    const char *text = strsignal(number);
    hone_c_locale_leave(locale);
    return text;
}
