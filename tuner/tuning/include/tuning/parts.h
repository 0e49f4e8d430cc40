/* Journals of several problems, for whoever is about one of them. */
#ifndef HONE_TUNING_PARTS_H
#define HONE_TUNING_PARTS_H

#include "hone/record.h"
#include "hone/script.h"
#include "hone/strbuf.h"

/* Load a journal, and log what there is to notice. */
enum hone_status hone_recording_load_noted(struct hone_recording **out, const char *path,
                                           struct hone_error *err);

/* Journals that are open together; begins as zeros. */
struct hone_recordings {
    struct hone_recording **items;
    size_t count;
};

/* The same for each of these paths. Release it after a failure too. */
enum hone_status hone_recordings_load(struct hone_recordings *out,
                                      const char *const *paths, size_t count,
                                      struct hone_error *err);
void hone_recordings_fini(struct hone_recordings *recordings);

/* The parts of journals, one a problem, that are open together. */
struct hone_parts {
    const struct hone_recording **items; /* borrowed from files */
    size_t count;
    struct hone_recordings files;
};

/* Load the journals of these paths. Release it after a failure too. */
enum hone_status hone_parts_load(struct hone_parts *out, const char *const *paths,
                                 size_t count, struct hone_error *err);
void hone_parts_fini(struct hone_parts *parts);

/* The part of whole, borrowed, whose problem has all sizes of set (a value
 * that is NULL is of none); without set the first
 * one, and a warning that names the others. EUSAGE where set is of no problem of the
 * journal or of more than one. */
enum hone_status hone_part_of(const struct hone_recording **out,
                              const struct hone_recording *whole,
                              const struct hone_script_set *set, size_t set_count,
                              struct hone_error *err);

/* The same where sizes are texts like "M=4096". */
enum hone_status hone_part_of_texts(const struct hone_recording **out,
                                    const struct hone_recording *whole,
                                    const char *const *texts, size_t count,
                                    struct hone_error *err);

/* "M=512 N=64": the sizes of the problem; nothing without any. */
void hone_problem_text(struct hone_strbuf *out, const struct hone_record_info *info);

/* The same of a problem by its number, of a journal of several. */
void hone_problem_text_of(struct hone_strbuf *out, const struct hone_record_info *info,
                          size_t number);

/* Load the journal at path, and visit its parts, one a problem. name is what a part is
 * called beside others: the file's name without its folder and .jsonl, and the problem
 * where there are several. */
enum hone_status hone_parts_visit(
    const char *path,
    enum hone_status (*visit)(void *context, const char *name,
                              const struct hone_recording *part, struct hone_error *err),
    void *context, struct hone_error *err);

#endif
