/* How many kernels the files hold, of which classes, and how many of them are found. */
#ifndef HONE_TEST_VERDICT_TALLY_H
#define HONE_TEST_VERDICT_TALLY_H

#include "verdict_file.h"

struct verdict_exception {
    const char *kernel, *reason;
};

/* Two lists, each of which ends with NULL. */
struct verdict_exceptions {
    const struct verdict_exception *not_yet, *known_misses;
};

/* The reason; NULL: the kernel is none of the list. */
const char *verdict_exception_find(const struct verdict_exception *list,
                                   const char *kernel);
size_t verdict_exception_count(const struct verdict_exception *list);

enum { VERDICT_CLASSES = 96 };

struct verdict_count {
    size_t planted, not_yet, missed;
};

/* {0} to begin with. */
struct verdict_tally {
    size_t correct, correct_not_yet, class_count;
    struct verdict_count all;
    struct {
        char name[80];
        struct verdict_count count;
    } classes[VERDICT_CLASSES];
    size_t hopper_planted, hopper_correct; /* of files that run on Hopper */
};

/* Count the kernels of tests/verdicts/NAME; fails the test where one is neither planted
 * nor correct. */
void verdict_tally_add(struct verdict_tally *tally, const char *name,
                       const struct verdict_exceptions *exceptions);
void verdict_tally_print(const struct verdict_tally *tally);
/* How many rows of a page's table are not those of the tally; each is printed. */
size_t verdict_tally_missing_rows(const struct verdict_tally *tally, const char *page);

#endif
