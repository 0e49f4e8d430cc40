/* The reading of a journal's first line, between its files: header_read.c has the line
 * and its texts, header_kernel.c what it says of the kernel. */
#ifndef HONE_RECORD_HEADER_READER_H
#define HONE_RECORD_HEADER_READER_H

#include "header.h"

enum { HONE_HEADER_TEXT_MOST = 65536 }; /* bytes */

/* Where the line stands, and who owns what is read. */
struct hone_header_reader {
    const char *path;
    struct hone_arena *arena;
    struct hone_error *err;
};

/* EINPUT: 'what' must be expected. */
enum hone_status hone_header_bad(const struct hone_header_reader *r, const char *what,
                                 const char *expected);
enum hone_status hone_header_no_memory(const struct hone_header_reader *r);

/* Names, values and expressions are read by people and compilers alike: what is not seen
 * in them is refused. An expression, of limit HONE_HEADER_TEXT_MOST, may have several
 * lines. */
enum hone_status hone_header_check_text(const struct hone_header_reader *r,
                                        const char *key, const char *text, size_t limit);
/* An optional text; *out stays as it is where it is absent. A name is short. */
enum hone_status hone_header_read_text(const struct hone_header_reader *r,
                                       const char **out, const json_t *object,
                                       const char *key);
enum hone_status hone_header_read_name(const struct hone_header_reader *r,
                                       const char **out, const json_t *object,
                                       const char *key);
/* An optional list of objects or texts; *count is 0 when it is absent. */
enum hone_status hone_header_read_list(const struct hone_header_reader *r,
                                       const json_t **list, size_t *count,
                                       const json_t *object, const char *key);

/* --- of the kernel --- */

enum hone_status hone_header_read_derived(const struct hone_header_reader *r,
                                          struct hone_record_info *info,
                                          const json_t *root);
/* key is "grid" or "block". */
enum hone_status hone_header_read_extent(const struct hone_header_reader *r,
                                         const char *extent[3], const json_t *root,
                                         const char *key);
/* Arguments, and which of the problem's constants, read before, are macros. */
enum hone_status hone_header_read_interface(const struct hone_header_reader *r,
                                            struct hone_record_info *info,
                                            const json_t *root);

#endif
