/* One trial as one line of a journal. Absent figures are left out, NAN is never written.
 */
#ifndef HONE_RECORD_TRIAL_LINE_H
#define HONE_RECORD_TRIAL_LINE_H

#include <jansson.h>

#include "base/arena.h"
#include "hone/status.h"
#include "hone/trial.h"

/* Significant digits of a line: 553.664123 us keeps picoseconds, 1e6 us keeps
 * nanoseconds. */
enum { HONE_TRIAL_DIGITS = 9 };

/* A new object; takes config (an array of parameter values, NULL when memory ran out).
 * NULL when out of memory. */
json_t *hone_trial_write(const struct hone_trial *trial, json_t *config);

/* Names of metrics and counters of one recording, and their units: at most 256, each
 * kept once. */
struct hone_metric_names {
    const char **names;
    size_t count, cap;
    const struct hone_trial_place **places; /* at most 4096, each kept once, too */
    size_t place_count, place_cap;
};

/* The one copy of name, in the arena. EINPUT: it is longer than 200 bytes, has hidden
 * characters, or is one name too many. */
enum hone_status hone_metric_intern(const char **out, struct hone_metric_names *known,
                                    const char *name, struct hone_arena *arena,
                                    struct hone_error *err);

/* Everything but index; what the trial says is copied into the arena. Unknown fields are
 * ignored. EINPUT says what is wrong; the caller knows the file and line. */
enum hone_status hone_trial_read(struct hone_trial *trial, const json_t *line,
                                 struct hone_metric_names *names,
                                 struct hone_arena *arena, struct hone_error *err);

#endif
