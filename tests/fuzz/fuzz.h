/* What a fuzz target is made of. It takes any bytes and returns 0; whatever a reader does
 * with them, it ends in a value or a status with words, within a second and 512 MB, and
 * the sanitizers find nothing. libFuzzer drives it (preset fuzz), or driver.c, in every
 * test run. A target keeps nothing from one input to the next. */
#ifndef HONE_FUZZ_H
#define HONE_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "hone/status.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What holds for any input. */
#define FUZZ_CHECK(condition)                                                            \
    do {                                                                                 \
        if (!(condition)) fuzz_broken(#condition, __FILE__, __LINE__);                   \
    } while (0)
_Noreturn void fuzz_broken(const char *condition, const char *file, int line);

/* A status as a reader may end with: what is refused is refused with words, and nothing
 * here is out of memory. True for HONE_OK. */
bool fuzz_taken(enum hone_status status, const struct hone_error *err);

/* The same, where HONE_OK is all that may be: prints the words. */
void fuzz_must(enum hone_status status, const struct hone_error *err);

/* A copy with a NUL behind it and nothing else, so that reading on is seen. Free it. */
char *fuzz_text(const uint8_t *data, size_t size);

/* The path of a file of that name in a folder of this process, which goes when it ends.
 * Valid until the same name is asked for again. */
const char *fuzz_path(const char *name);
/* The same, with these bytes in it. */
const char *fuzz_file(const char *name, const uint8_t *data, size_t size);
/* The same, where no file is. */
const char *fuzz_no_file(const char *name);

#endif
