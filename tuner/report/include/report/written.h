/* What a command wrote, as JSON: headers, journals and scripts, a kernel to begin with.
 */
#ifndef HONE_REPORT_WRITTEN_H
#define HONE_REPORT_WRITTEN_H

#include "emit/coverage.h"
#include "hone/exchange.h"
#include "tuning/kept_results.h"
#include "tuning/parts.h"
#include "tuning/starter.h"

struct json_t;

/* header: its path, made of all that is in recordings; second: of its second file, NULL
 * without one. */
struct json_t *hone_emitted_json(const char *header, const char *second,
                                 const struct hone_recordings *recordings,
                                 const struct hone_coverage *coverage);

/* The same of a build's, made of results, or of the author's default without any. */
struct json_t *hone_built_json(const char *header, const char *second,
                               const struct hone_kept_results *results,
                               const struct hone_coverage *coverage);

/* output: the journal or script that the file at path became. */
struct json_t *hone_imported_json(const struct hone_import *import, const char *path,
                                  const char *output);

/* The files of a kernel that hone new wrote. */
struct json_t *hone_starter_json(const char *kernel,
                                 char *const paths[HONE_STARTER_FILES]);

#endif
