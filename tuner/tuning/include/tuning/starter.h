/* A kernel to begin with: script, template and reference, under a name. */
#ifndef HONE_TUNING_STARTER_H
#define HONE_TUNING_STARTER_H

#include <stddef.h>

#include "hone/status.h"

enum { HONE_STARTER_FILES = 3 };

/* "script", "template" or "reference". */
const char *hone_starter_what(size_t file);

/* Write them into folder, which is made. EUSAGE for a name that is none of C and Lua, and
 * where one of the files exists: none is written then. paths are freed, after a failure
 * too. */
enum hone_status hone_starter_write(char *paths[HONE_STARTER_FILES], const char *folder,
                                    const char *name, struct hone_error *err);

#endif
