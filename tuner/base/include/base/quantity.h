/* Quantities as people write them: times and sizes with a unit behind the number; and
 * numbers as people read them. */
#ifndef HONE_BASE_QUANTITY_H
#define HONE_BASE_QUANTITY_H

#include <stdbool.h>
#include <stdint.h>

/* "1.5h" in seconds: a number of 0 or more, below 1e12 seconds, with s, m, h, d (24 h) or
 * w (7 d). bare: what a number without a unit counts in seconds; 0: it is no time. False
 * where text is no such time; *seconds is as it was then. */
bool hone_parse_seconds(double *seconds, const char *text, double bare);

/* "1.5GiB" in bytes, rounded down: a number of 0 or more, below 2^63 bytes. K, M, G and T
 * are powers of kilo (1000, or 1024 for memory), Ki, Mi, Gi and Ti of 1024; a B may be
 * behind them, and k is K. False where text is no such size; *bytes is as it was then. */
bool hone_parse_bytes(uint64_t *bytes, const char *text, unsigned kilo);

/* A whole number, its K, M and G of 1024. False where text is none or does not fit. */
bool hone_parse_count(uint64_t *count, const char *text);

/* "3%", "0.03" or ".03": a part of 0 up to 1, without 1. False where text is none. */
bool hone_parse_share(double *share, const char *text);

struct hone_plain {
    char text[32];
};

/* Rounded to so many significant digits (1 to 15) and without an exponent: "110" of 2
 * digits of 112.3. Only from 1e15 on and below 1e-4 there is one. For one printf:
 * hone_plain(seconds, 3).text. */
struct hone_plain hone_plain(double number, int digits);

/* "512 bytes", "1.5 GiB": the unit is a power of 1024. */
struct hone_plain hone_byte_text(uint64_t bytes);

#endif
