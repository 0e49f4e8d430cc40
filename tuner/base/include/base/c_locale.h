/* The C locale for this thread alone, whatever a program that uses libhone has set:
 * figures have a point, not a comma, where they are printed and read. */
#ifndef HONE_BASE_C_LOCALE_H
#define HONE_BASE_C_LOCALE_H

#include <locale.h>

struct hone_c_locale {
    locale_t c, before;
};

/* Without memory for it the program's locale stays. */
static inline struct hone_c_locale hone_c_locale_enter(void)
{
    struct hone_c_locale locale = {.c = newlocale(LC_ALL_MASK, "C", (locale_t)0)};
    if (locale.c) locale.before = uselocale(locale.c);
    return locale;
}

static inline void hone_c_locale_leave(struct hone_c_locale locale)
{
    if (!locale.c) return;
    uselocale(locale.before);
    freelocale(locale.c);
}

#endif
