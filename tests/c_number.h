/* A number with a point, in whatever locale the suite runs (tests/locale). */
#ifndef HONE_TESTS_C_NUMBER_H
#define HONE_TESTS_C_NUMBER_H

#include <locale.h>
#include <stdlib.h>

static inline double c_number(const char *text)
{
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0), before = uselocale(c);
    const double number = strtod(text, NULL);
    uselocale(before);
    freelocale(c);
    return number;
}

#endif
