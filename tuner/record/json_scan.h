/* Walks the members of a large JSON object or list one at a time, by its brackets and
 * strings alone: a damaged member then costs itself, not the file, and memory holds one
 * member. jansson judges each member's text. */
#ifndef HONE_RECORD_JSON_SCAN_H
#define HONE_RECORD_JSON_SCAN_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

struct hone_json_scan {
    const char *pos, *end;
    size_t line; /* of pos, from 1 */
};

struct hone_json_item {
    const char *key; /* inside its quotes, as written; NULL in a list */
    size_t key_len;
    const char *value;
    size_t value_len;
    size_t line; /* where the item starts */
    bool whole;  /* its brackets are closed before the text ends */
    size_t value_line;
};

/* Enter the object ('{') or list ('[') that comes next; false when something else does.
 */
bool hone_json_scan_enter(struct hone_json_scan *scan, char bracket);

/* The next member; false at the end of what was entered, and of the text. */
bool hone_json_scan_next(struct hone_json_scan *scan, struct hone_json_item *item);

/* After an item that was no sound value: go on behind its first line, at the next line
 * that starts as the item's does. False when there is none; the scan then stays where it
 * is. */
bool hone_json_scan_resume(struct hone_json_scan *scan,
                           const struct hone_json_item *item);

/* A scan over the item's value. */
struct hone_json_scan hone_json_scan_of(const struct hone_json_item *item);

/* A new reference; NULL when the text is no JSON. Python's NaN reads as null, and its
 * Infinity as 1e+20, the value that failures have in Kernel Tuner. */
json_t *hone_json_item_parse(const struct hone_json_item *item, json_error_t *why);

#endif
