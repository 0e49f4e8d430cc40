/* The first line of a journal: struct hone_record_info as a JSON object, and back. */
#ifndef HONE_RECORD_HEADER_H
#define HONE_RECORD_HEADER_H

#include <jansson.h>

#include "base/arena.h"
#include "hone/record.h"

/* Texts of the first line, in the order they are written: the object they stand in
 * (NULL: the line itself), their key, their place in struct hone_record_info. */
struct hone_header_text {
    const char *group, *key;
    size_t offset;
};
extern const struct hone_header_text hone_header_texts[];
extern const size_t hone_header_text_count;

/* A new object. EINPUT names what JSON cannot hold (a value that is not finite, broken
 * UTF-8). */
enum hone_status hone_header_write(json_t **out, const struct hone_record_info *info,
                                   struct hone_error *err);

/* *info points into the arena. Errors carry path and line 1. */
enum hone_status hone_header_read(struct hone_record_info *info, const json_t *json,
                                  const char *path, struct hone_arena *arena,
                                  struct hone_error *err);

/* Whether readers would take the line: what they refuse is not worth a run. */
enum hone_status hone_header_check(const json_t *json, const char *path,
                                   struct hone_error *err);

/* What a first line that is no journal's is of, as people take files for journals: "it is
 * a header that hone emitted"; or NULL. */
const char *hone_header_other_file(const char *path, const char *line, size_t len);

#endif
