/* A journal in the form of another tuner's file, or as a table. */
#ifndef HONE_REPORT_EXPORTED_H
#define HONE_REPORT_EXPORTED_H

#include "hone/record.h"
#include "hone/strbuf.h"

enum hone_export_form {
    HONE_EXPORT_NONE,
    HONE_EXPORT_KERNEL_TUNER,
    HONE_EXPORT_T4,
    HONE_EXPORT_CSV, /* tables, as report/table.h has them */
    HONE_EXPORT_JSONL
};

/* Append one problem of a recording: the one with all of the sizes, texts like "N=4096",
 * as hone_part_of_texts chooses it. A table without sizes has all problems, which each of
 * its rows tells. */
enum hone_status hone_export_recording(struct hone_strbuf *out,
                                       const struct hone_recording *recording,
                                       enum hone_export_form form,
                                       const char *const *sizes, size_t count,
                                       struct hone_error *err);

#endif
