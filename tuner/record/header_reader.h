/* A journal's first line while it is read, between the files that read it: header_read.c
 * has the order of its sections, header_space.c what it says of the space and the
 * problems, header_kernel.c of the kernel, header_reader.c what they are made of.
 *
 * The first failure stays, and nothing is read after it: a function that gives something
 * gives NULL or zeros then. So a section reads all it needs and asks at the end. */
#ifndef HONE_RECORD_HEADER_READER_H
#define HONE_RECORD_HEADER_READER_H

#include "header.h"

enum { HONE_HEADER_TEXT_MOST = 65536, HONE_HEADER_NAME_MOST = 1000 }; /* bytes */

struct hone_header_reader {
    const json_t *line;
    struct hone_record_info *info; /* what is filled; it points into the arena */
    const char *path;
    struct hone_arena *arena;
    struct hone_error *err;
    enum hone_status status;
};

static inline bool hone_header_is_fine(const struct hone_header_reader *r)
{
    return r->status == HONE_OK;
}

/* EINPUT: 'what' must be expected. */
void hone_header_bad(struct hone_header_reader *r, const char *what,
                     const char *expected);
void hone_header_no_memory(struct hone_header_reader *r);

/* Zeroed, in the arena. */
void *hone_header_array(struct hone_header_reader *r, size_t count, size_t size);
/* A copy; of NULL, which is an allocation that failed, NULL. */
const char *hone_header_keep(struct hone_header_reader *r, const char *text);

/* Names, values and expressions are read by people and compilers alike: what is not seen
 * in them is refused. An expression, of limit HONE_HEADER_TEXT_MOST, may have several
 * lines. NULL is fine. */
void hone_header_check_text(struct hone_header_reader *r, const char *key,
                            const char *text, size_t limit);

/* Optional texts: NULL where they are absent. A name is short. A remark is for people: it
 * may hold anything, who prints it takes care. */
const char *hone_header_read_text(struct hone_header_reader *r, const json_t *object,
                                  const char *key);
const char *hone_header_read_name(struct hone_header_reader *r, const json_t *object,
                                  const char *key);
const char *hone_header_read_remark(struct hone_header_reader *r, const json_t *object,
                                    const char *key);

/* An optional count, and an optional truth: 0 and false where they are absent. */
uint64_t hone_header_read_u64(struct hone_header_reader *r, const json_t *object,
                              const char *key);
bool hone_header_read_flag(struct hone_header_reader *r, const json_t *object,
                           const char *key);

/* hone_header_check_text for a value that is a text, which was copied. */
void hone_header_check_value(struct hone_header_reader *r, const char *name,
                             struct hone_value value);
/* A number, a text or a boolean; name and expected are for the complaint. */
struct hone_value hone_header_read_value(struct hone_header_reader *r, const char *name,
                                         const json_t *json, const char *expected);

/* An optional list. */
struct hone_header_list {
    const json_t *json; /* NULL where it is absent */
    size_t count;
};
struct hone_header_list hone_header_read_list(struct hone_header_reader *r,
                                              const json_t *object, const char *key);

/* --- sections, in the order in which they are read --- */

void hone_header_read_params(struct hone_header_reader *r);
void hone_header_read_problem(struct hone_header_reader *r);
void hone_header_read_problems(struct hone_header_reader *r);
void hone_header_read_drawn(struct hone_header_reader *r);
void hone_header_read_defaults(struct hone_header_reader *r);
void hone_header_read_derived(struct hone_header_reader *r);
void hone_header_read_where(struct hone_header_reader *r);
void hone_header_read_launch(struct hone_header_reader *r);
void hone_header_read_args(struct hone_header_reader *r);
/* Which of the problem's constants are macros. */
void hone_header_read_defines(struct hone_header_reader *r);

#endif
