/* Characters by their place in ASCII, whatever locale a program that uses libhone has
 * set: those of ctype.h take a byte of UTF-8 for a letter in some, and know no 'i' of 'I'
 * in Turkish. Bytes beyond ASCII and the end of a text (-1) are in no class. */
#ifndef HONE_BASE_ASCII_H
#define HONE_BASE_ASCII_H

#include <stdbool.h>
#include <string.h>

static inline bool hone_is_digit(int c)
{
    return c >= '0' && c <= '9';
}

static inline bool hone_is_upper(int c)
{
    return c >= 'A' && c <= 'Z';
}

static inline bool hone_is_lower(int c)
{
    return c >= 'a' && c <= 'z';
}

static inline bool hone_is_alpha(int c)
{
    return hone_is_upper(c) || hone_is_lower(c);
}

static inline bool hone_is_alnum(int c)
{
    return hone_is_alpha(c) || hone_is_digit(c);
}

static inline bool hone_is_hex(int c)
{
    return hone_is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static inline bool hone_is_space(int c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static inline bool hone_is_control(int c)
{
    return (c >= 0 && c < 0x20) || c == 0x7f;
}

static inline char hone_lower(char c)
{
    return hone_is_upper(c) ? (char)(c - 'A' + 'a') : c;
}

static inline char hone_upper(char c)
{
    return hone_is_lower(c) ? (char)(c - 'a' + 'A') : c;
}

/* Whether text begins with word, or is it, capitals or not. */
static inline bool hone_begins_with(const char *text, const char *word)
{
    for (; *word; text++, word++)
        if (hone_lower(*text) != hone_lower(*word)) return false;
    return true;
}

static inline bool hone_same_letters(const char *a, const char *b)
{
    return strlen(a) == strlen(b) && hone_begins_with(a, b);
}

#endif
