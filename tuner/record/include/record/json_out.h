/* JSON for machines to read, built value by value over jansson, for the output of
 * commands: when memory runs out something is left out, and only the loss of the root is
 * reported. */
#ifndef HONE_RECORD_JSON_OUT_H
#define HONE_RECORD_JSON_OUT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "hone/record.h"
#include "hone/strbuf.h"

struct json_t;

struct json_t *hone_json_object(void);
struct json_t *hone_json_array(void);

/* Set a member of an object. Text NULL and numbers that are not finite become null. */
void hone_json_text(struct json_t *object, const char *key, const char *text);
/* The same with '?' for each byte that is no UTF-8. */
void hone_json_lossy_text(struct json_t *object, const char *key, const char *text);
void hone_json_number(struct json_t *object, const char *key, double number);
void hone_json_integer(struct json_t *object, const char *key, int64_t number);
/* As a number, or as text beyond what a reader may keep: 2^63. */
void hone_json_unsigned(struct json_t *object, const char *key, uint64_t number);
void hone_json_bool(struct json_t *object, const char *key, bool truth);
void hone_json_value(struct json_t *object, const char *key, struct hone_value value);
void hone_json_child(struct json_t *object, const char *key,
                     struct json_t *child);                        /* taken */
void hone_json_append(struct json_t *array, struct json_t *child); /* taken */
/* The only item of an array, which is taken, else the array. */
struct json_t *hone_json_one_or_all(struct json_t *array);
void hone_json_append_lossy_text(struct json_t *array, const char *text);
void hone_json_append_value(struct json_t *array, struct hone_value value);

/* The first line of a journal as an object; EINPUT for what JSON cannot hold. */
enum hone_status hone_json_header(struct json_t **out,
                                  const struct hone_record_info *info,
                                  struct hone_error *err);

/* Append root on one line, with a newline and all digits that its numbers need, and
 * release it; ENOMEM shows in out->failed. */
void hone_json_line(struct hone_strbuf *out, struct json_t *root);

/* Print root, indented, with a newline, and release it. */
enum hone_status hone_json_print(struct json_t *root, FILE *file, struct hone_error *err);

#endif
