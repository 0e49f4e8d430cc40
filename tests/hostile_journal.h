/* A journal with one of its keys or values changed into a hostile text. */
#ifndef HOSTILE_JOURNAL_H
#define HOSTILE_JOURNAL_H

#include <string.h>

#include <jansson.h>

#include "hone/strbuf.h"
#include "hone_test.h"

// A text of no other meaning stands for a NUL, which jansson does not write.
#define NUL_HERE "@NUL@"

static inline bool change(json_t *json, long *left, const char *text);

static inline bool change_object(json_t *json, long *left, const char *text)
{
    const char *key;
    json_t *child;
    json_object_foreach(json, key, child)
    {
        if ((*left)-- == 0) {
            json_incref(child);
            json_object_del(json, key);
            json_object_set_new(json, text, child);
            return true;
        }
        if (json_is_object(child) || json_is_array(child)) {
            if (change(child, left, text)) return true;
        } else if ((*left)-- == 0) {
            json_object_set_new(json, key, json_string(text));
            return true;
        }
    }
    return false;
}

// Replace the key or value number *left of the tree; false: there are fewer.
static inline bool change(json_t *json, long *left, const char *text)
{
    if (json_is_object(json)) return change_object(json, left, text);
    for (size_t i = 0; i < json_array_size(json); i++) {
        json_t *child = json_array_get(json, i);
        if (json_is_object(child) || json_is_array(child)) {
            if (change(child, left, text)) return true;
        } else if ((*left)-- == 0) {
            json_array_set_new(json, i, json_string(text));
            return true;
        }
    }
    return false;
}

static inline void add_line(struct hone_strbuf *out, const json_t *json)
{
    char *text = json_dumps(json, JSON_COMPACT);
    const char *rest = text, *at;
    for (; (at = strstr(rest, NUL_HERE)); rest = at + strlen(NUL_HERE)) {
        hone_strbuf_add_bytes(out, rest, (size_t)(at - rest));
        hone_strbuf_add(out, "\\u0000");
    }
    hone_strbuf_add(out, rest);
    hone_strbuf_add(out, "\n");
    free(text);
}

// The journal with its line number `line` changed at place; false: it has fewer places.
static inline bool make_journal(struct hone_strbuf *out, const char *journal, size_t line,
                                long place, const char *text)
{
    hone_strbuf_clear(out);
    for (size_t i = 0; *journal; i++) {
        const size_t length = strcspn(journal, "\n");
        if (i == line) {
            json_t *json = json_loadb(journal, length, 0, NULL);
            assert_non_null(json);
            const bool changed = change(json, &place, text);
            if (changed) add_line(out, json);
            json_decref(json);
            if (!changed) return false;
        } else {
            hone_strbuf_add_bytes(out, journal, length + 1);
        }
        journal += length + (journal[length] != '\0');
    }
    return true;
}

#endif
