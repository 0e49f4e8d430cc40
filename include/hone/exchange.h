/* The files of other tuners: the trials of Kernel Tuner cache files and T4 files are read
 * into journals and written from them, the space of a T1 file becomes a script. Fields
 * and how they map: docs/import.md. Files may be compressed by gzip. */
#ifndef HONE_EXCHANGE_H
#define HONE_EXCHANGE_H

#include <stddef.h>

#include "hone/record.h"
#include "hone/strbuf.h"

/* clang-format off */
#define HONE_FORMAT_LIST(X)                                                             \
    X(KERNEL_TUNER, "kernel_tuner")                                                     \
    X(T4,           "t4")                                                               \
    X(HONE,         "hone")    /* import only: what is sound in a damaged journal */    \
    X(T1,           "t1")      /* import only: a space, which becomes a script */
/* clang-format on */

enum hone_format {
    HONE_FORMAT_AUTO, /* told by what the file holds */
#define HONE_FORMAT_ENUM(name, text) HONE_FORMAT_##name,
    HONE_FORMAT_LIST(HONE_FORMAT_ENUM)
#undef HONE_FORMAT_ENUM
};

const char *hone_format_name(enum hone_format format);

/* What was sound in a file, in memory. */
struct hone_import;

struct hone_import_options {
    enum hone_format format;
    const char *kernel, *device; /* where the file does not say; NULL: named so */
    bool complete;               /* the caller knows that the file is a whole space */
};

/* EINPUT when the file as a whole cannot be used: it is none of the formats, or what all
 * entries need is missing. A damaged entry or a torn end costs those entries only. */
enum hone_status hone_import_load(struct hone_import **out, const char *path,
                                  const struct hone_import_options *options,
                                  struct hone_error *err);
void hone_import_free(struct hone_import *import);

enum hone_format hone_import_format(const struct hone_import *import);
/* Trials read; of a space, parameters and constraints. */
size_t hone_import_count(const struct hone_import *import);
/* Whether a script is written instead of a journal. */
bool hone_import_is_script(const struct hone_import *import);
size_t hone_import_lost(const struct hone_import *import); /* entries left out */
/* What was left out or assumed, with the key of the entry: the first ones. line: where in
 * the file; 0: of all of it. */
struct hone_import_note {
    size_t line;
    const char *text;
};
size_t hone_import_note_count(const struct hone_import *import);
struct hone_import_note hone_import_note(const struct hone_import *import, size_t i);

/* Write a new journal or script. EUSAGE when path exists. */
enum hone_status hone_import_write(const struct hone_import *import, const char *path,
                                   struct hone_error *err);

/* Append the recording in another tuner's form. EINPUT for predictions: these formats
 * hold measurements; EUSAGE for a format that is import only. */
enum hone_status hone_export(struct hone_strbuf *out,
                             const struct hone_recording *recording,
                             enum hone_format format, struct hone_error *err);

#endif
