/* Inside of an import: what the readers of the several formats fill. */
#ifndef HONE_RECORD_IMPORT_H
#define HONE_RECORD_IMPORT_H

#include <jansson.h>

#include "base/arena.h"
#include "choices.h"
#include "hone/exchange.h"
#include "hone/strbuf.h"
#include "json_scan.h"
#include "trial_line.h"

enum { HONE_IMPORT_NOTES = 20, HONE_IMPORT_DAMAGE_MAX = 1000 };

struct hone_import {
    struct hone_arena arena;
    const char *path;
    struct hone_import_options options;
    enum hone_format format;
    struct hone_record_info info;
    struct hone_choice_table table;
    struct hone_metric_names metric_names;
    struct hone_trial *trials;
    struct hone_trial_notes said; /* by the trial that is being read */
    uint16_t *choices;            /* [count][param_count] */
    size_t count, cap;
    size_t lost;
    const char *script; /* of a space; NULL where there are trials */
    struct hone_import_note notes[HONE_IMPORT_NOTES];
    size_t note_count;
};

/* The file's text, and where its root members are: all but those named `big`, parsed. */
struct hone_import_text {
    const char *data;
    size_t size;
    json_t *members;
    struct hone_json_item big;   /* "cache" or "results" where whole entries stand */
    const char *big_key;         /* NULL: none was found */
    struct hone_json_item space; /* "ConfigurationSpace"; its key is NULL without one */
};

/* Readers, one a format. They leave info, table and trials. */
enum hone_status hone_import_read_kernel_tuner(struct hone_import *import,
                                               const struct hone_import_text *text,
                                               struct hone_error *err);
enum hone_status hone_import_read_t4(struct hone_import *import,
                                     const struct hone_import_text *text,
                                     struct hone_error *err);
enum hone_status hone_import_read_journal(struct hone_import *import,
                                          const struct hone_import_text *text,
                                          struct hone_error *err);

enum hone_status hone_import_read_t1(struct hone_import *import,
                                     const struct hone_import_text *text,
                                     struct hone_error *err);

enum hone_status hone_import_no_memory(const struct hone_import *import,
                                       struct hone_error *err);

/* Remember a note for the user, of a line or of the file; those beyond the first are
 * dropped. */
void hone_import_say_at(struct hone_import *import, size_t line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
#define hone_import_say(import, ...) hone_import_say_at((import), 0, __VA_ARGS__)

/* --- import_space.c --- */

/* Make the choice table of info.params. EINPUT for those of which no space can be, so
 * that what is written can be read. */
enum hone_status hone_import_set_params(struct hone_import *import,
                                        const struct hone_param *params, size_t count,
                                        struct hone_error *err);

/* The values of a list, distinct: what stands twice is left out and said. EINPUT for a
 * list that is empty, too long, or holds no scalars. */
enum hone_status hone_import_param(struct hone_import *import, struct hone_param *out,
                                   const char *name, const json_t *list,
                                   struct hone_error *err);

/* "size" or "size_0", "size_1": problem sizes as journals name them. */
enum hone_status hone_import_problem(struct hone_import *import, const json_t *size,
                                     struct hone_error *err);

/* The first line of the journal that the file was exported from, where it is there and
 * its parameters are those of the file: then it tells all that the format itself cannot.
 */
void hone_import_adopt_header(struct hone_import *import, const json_t *header);

/* --- import_entries.c --- */

/* Count an entry as lost and say which: by its line, and its key where it has one. */
void hone_import_lose(struct hone_import *import, const struct hone_json_item *item,
                      const char *why);

/* Read an entry's configuration, values by name, and keep it with the trial, which refers
 * to the arena. EINPUT says what does not fit; the entry is then not kept. */
enum hone_status hone_import_keep(struct hone_import *import,
                                  const struct hone_trial *trial, const json_t *values,
                                  struct hone_error *err);

/* Walks the entries of text->big: read is called for each that is sound JSON, and may say
 * with EINPUT why it is not sound otherwise. Damaged ones are lost; other failures end.
 */
typedef enum hone_status hone_import_entry(struct hone_import *import,
                                           const json_t *entry,
                                           const struct hone_json_item *item,
                                           void *context, struct hone_error *err);
enum hone_status hone_import_entries(struct hone_import *import,
                                     const struct hone_import_text *text,
                                     hone_import_entry *read, void *context,
                                     struct hone_error *err);

/* --- import_trial.c: figures of a trial as other tuners write them --- */

/* n, rel_std and, where time_us is unknown, the mean as time_us, of a list of samples in
 * units of unit_us; samples may be lists, whose last number counts. False when time_us
 * lies outside of the samples. */
bool hone_import_samples(struct hone_trial *trial, const json_t *samples, double unit_us);

/* An outcome by what other tuners call it: "CompilationFailedConfig", "timeout". */
enum hone_outcome hone_import_outcome(const char *text);

/* Let the trial give this reason, which may be cut. It is good until the next one. */
void hone_import_reason(struct hone_import *import, struct hone_trial *trial,
                        const char *text);

/* A failed trial with the text as its reason. */
struct hone_trial hone_import_failure(struct hone_import *import,
                                      enum hone_outcome outcome, const char *reason);

/* Add a metric; what is not finite, or stands for a failure, is left out. The trial's
 * metrics are good until those of the next one. */
enum hone_status hone_import_metric(struct hone_import *import, struct hone_trial *trial,
                                    const char *name, const json_t *value,
                                    struct hone_error *err);

/* The trial as it was exported, in place of *trial, where own is there and tells the same
 * outcome and time; else false. What it says lives in the arena. */
bool hone_import_own_trial(struct hone_import *import, struct hone_trial *trial,
                           const json_t *own);

/* From here on a time is Kernel Tuner's way to say that it failed. */
extern const double hone_import_failure_ms;

#endif
