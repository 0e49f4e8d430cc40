/* Lists of problems in files: one a line, either a JSON object, {"M":512,"weight":2}, or
 * words, M=512 weight=2. Empty lines and what follows # are nothing. */
#ifndef HONE_RECORD_PROBLEM_LIST_H
#define HONE_RECORD_PROBLEM_LIST_H

#include "base/arena.h"
#include "base/hash_table.h"
#include "hone/record.h"

struct hone_problem_list {
    struct hone_record_problem *items;
    size_t count, cap;
    struct hone_hash_table table; /* of items, by their values */
    struct hone_arena arena;      /* of the values */
};

/* Add a problem of n values; the weights of equal ones add up. */
enum hone_status hone_problem_list_add(struct hone_problem_list *list, size_t n,
                                       const struct hone_value *values, double weight,
                                       struct hone_error *err);

/* Read the problems of a file. names gives the sizes' names and types, and the values of
 * sizes that a line leaves out. EINPUT with file and line for an unknown name, a value of
 * another type, a file without problems; ENOTFOUND without the file. */
enum hone_status hone_problem_list_read(struct hone_problem_list *list, const char *path,
                                        const struct hone_constant *names, size_t n,
                                        struct hone_error *err);

/* The same for one line, which stands at that place of a file. */
struct hone_problem_names {
    const struct hone_constant *items;
    size_t count;
};
enum hone_status hone_problem_list_line(struct hone_problem_list *list, const char *text,
                                        const struct hone_problem_names *names,
                                        const char *path, int line,
                                        struct hone_error *err);
void hone_problem_list_fini(struct hone_problem_list *list);

#endif
