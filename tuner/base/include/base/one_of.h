/* Sets of characters. strchr would find the end of the text in each of them. */
#ifndef HONE_BASE_ONE_OF_H
#define HONE_BASE_ONE_OF_H

#include <stdbool.h>
#include <string.h>

/* Whether c is one of those in set; the character that ends texts never is. */
static inline bool hone_one_of(char c, const char *set)
{
    return c != '\0' && strchr(set, c) != NULL;
}

#endif
