/* Trials as flat rows for tables elsewhere: a row a trial, columns by name, the same for
 * all rows. docs/report.md lists them. */
#ifndef HONE_REPORT_TABLE_H
#define HONE_REPORT_TABLE_H

#include "hone/record.h"
#include "hone/strbuf.h"

enum hone_table_form {
    HONE_TABLE_CSV,  /* RFC 4180: a first line of names; what is not known is empty */
    HONE_TABLE_JSONL /* an object a line; what is not known is left out */
};

/* Append the trials of the recordings, which have the parameters of the first one (the
 * problems of a journal). ENOMEM. */
enum hone_status hone_table_write(struct hone_strbuf *out,
                                  const struct hone_recording *const *recordings,
                                  size_t count, enum hone_table_form form,
                                  struct hone_error *err);

#endif
