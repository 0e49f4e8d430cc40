#include "base/place.h"

#include "base/ascii.h"

bool hone_place_split(const char *text, size_t length, size_t *name_length,
                      uint32_t *line)
{
    uint64_t number = 0, unit = 1;
    size_t at = length;
    for (; at && hone_is_digit(text[at - 1]) && unit <= INT32_MAX; unit *= 10)
        number += unit * (uint64_t)(text[--at] - '0');
    if (at < 2 || at == length || text[at - 1] != ':' || text[at] == '0' ||
        number > INT32_MAX)
        return false;
    *name_length = at - 1;
    *line = (uint32_t)number;
    return true;
}
