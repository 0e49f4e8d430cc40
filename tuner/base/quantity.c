#include "base/quantity.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/c_text.h"
#include "base/one_of.h"

// strtod takes signs, blanks, "nan", "inf" and hexadecimal numbers, too: none is a
// quantity.
static bool quantity_read_number(double *number, const char **end, const char *text)
{
    char *after = NULL;
    if (!hone_is_digit(text[0]) || hone_one_of(text[1], "xX")) return false;
    *number = hone_strtod(text, &after);
    *end = after;
    return true;
}

bool hone_parse_seconds(double *seconds, const char *text, double bare)
{
    static const struct {
        char letter;
        double seconds;
    } units[] = {{'s', 1}, {'m', 60}, {'h', 3600}, {'d', 86400}, {'w', 604800}};
    const char *end = NULL;
    double number = 0;
    if (!quantity_read_number(&number, &end, text)) return false;
    double unit = *end ? 0 : bare;
    for (size_t i = 0; *end && i < sizeof units / sizeof *units; i++)
        if (*end == units[i].letter && !end[1]) unit = units[i].seconds;
    if (unit <= 0 || !(number * unit < 1e12)) return false;
    *seconds = number * unit;
    return true;
}

bool hone_parse_bytes(uint64_t *bytes, const char *text, unsigned kilo)
{
    static const char letters[] = "KMGT";
    const char *end = NULL;
    double number = 0;
    if (!quantity_read_number(&number, &end, text)) return false;
    const char letter = *end == 'k' ? 'K' : *end;
    if (hone_one_of(letter, letters)) {
        const bool binary = end[1] == 'i';
        for (const char *power = letters; power <= strchr(letters, letter); power++)
            number *= binary ? 1024 : kilo;
        end += binary ? 2 : 1;
    }
    if (*end == 'B') end++;
    if (*end || !(number < 0x1p63)) return false;
    *bytes = (uint64_t)number;
    return true;
}

bool hone_parse_count(uint64_t *count, const char *text)
{
    static const char suffixes[] = "KMG";
    char *end = NULL;
    errno = 0;
    unsigned long long n = strtoull(text, &end, 10);
    if (!hone_is_digit(text[0]) || errno) return false;
    if (hone_one_of(*end, suffixes)) {
        const unsigned shift = 10 * (unsigned)(strchr(suffixes, *end) - suffixes + 1);
        if (n > (UINT64_MAX >> shift)) return false;
        n <<= shift;
        end++;
    }
    if (*end) return false;
    *count = n;
    return true;
}

bool hone_parse_share(double *share, const char *text)
{
    char *end = NULL;
    if (!hone_one_of(text[0], "0123456789.") || hone_one_of(text[1], "xX")) return false;
    double number = hone_strtod(text, &end);
    if (end == text) return false;
    if (*end == '%') {
        end++;
        number /= 100;
    }
    if (*end || !(number < 1)) return false;
    *share = number;
    return true;
}

struct hone_plain hone_plain(double number, int digits)
{
    struct hone_plain out = {""};
    hone_snprintf(out.text, sizeof out.text, "%.*g", digits, number);
    const double rounded = hone_strtod(out.text, NULL);
    hone_snprintf(out.text, sizeof out.text, "%.15g", rounded);
    return out;
}

struct hone_plain hone_byte_text(uint64_t bytes)
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
    struct hone_plain out = {""};
    double number = (double)bytes;
    size_t unit = 0;
    for (; number >= 1024 && unit < 4; unit++)
        number /= 1024;
    hone_snprintf(out.text, sizeof out.text, unit ? "%.1f %s" : "%.0f %s", number,
                  units[unit]);
    return out;
}
