/* The fault laboratory: runs of the program on the fake driver, whose kernels fault by
 * configuration (fake/fake_chaos.h), and what their journals must hold afterwards. */
#ifndef HONE_LAB_H
#define HONE_LAB_H

#include <stdbool.h>
#include <stddef.h>

#include "hone/record.h"

enum { LAB_A = 16, LAB_B = 16, LAB_C = 4, LAB_SPACE = LAB_A * LAB_B * LAB_C };

/* What is measured is deterministic on the fake driver: no finals, no races. */
#define LAB_TUNE                                                                         \
    "tune \"$SOURCE/tests/faults/lab.lua\" --device cuda:0 --strategy random "           \
    "--no-finals --quiet --cache '' "

/* Of the group: the folder of program.h, and an environment with the fake libraries. */
int lab_setup(void **state);
/* The same where synced journals take no time, and no program may be started. */
int lab_setup_in_memory(void **state);

/* The full number where HONE_TESTS is long, else few. */
size_t lab_scale(size_t few, size_t full);

/* The number of trials in the journal's file, 0 when there is none; fails the test when
 * a configuration stands there twice or the file is no journal. */
size_t lab_count(const char *journal);

/* What a configuration came to in a journal; NULL when it has no trial. */
const struct hone_trial *lab_find(const struct hone_recording *recording, int a, int b,
                                  int c);

#endif
