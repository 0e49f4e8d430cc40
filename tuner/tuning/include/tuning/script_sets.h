/* Settings of a script as people write them. */
#ifndef HONE_TUNING_SCRIPT_SETS_H
#define HONE_TUNING_SCRIPT_SETS_H

#include "hone/record.h"
#include "hone/script.h"

/* What each of texts, "M=4096", says, in their order; the value is NULL where there is
 * none. *text is what names and values are borrowed from. Both are freed by the caller,
 * after a failure too. */
enum hone_status hone_script_sets_split(struct hone_script_set **out, char **text,
                                        const char *const *texts, size_t count,
                                        struct hone_error *err);

/* EUSAGE unless each of texts has a name and a value. */
enum hone_status hone_script_sets_check(const char *const *texts, size_t count,
                                        struct hone_error *err);

/* The problem of a recording as settings of its script, so many as it has sizes; one
 * block, to be freed. Names are borrowed. */
enum hone_status hone_problem_sets(struct hone_script_set **out,
                                   const struct hone_record_info *info,
                                   struct hone_error *err);

#endif
