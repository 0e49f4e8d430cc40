/* Two configurations beside each other, each of a journal or of an emitted header:
 * parameters, and every figure that is known of either. */
#ifndef HONE_TUNING_CONTRAST_H
#define HONE_TUNING_CONTRAST_H

#include "base/arena.h"
#include "hone/record.h"
#include "hone/status.h"
#include "hone/tuning.h"

/* Which configuration. */
struct hone_contrast_side {
    const char *path; /* of a journal, or of a header: a file that ends with .h or .hpp */
    /* Texts like "BK=16" that change the journal's best; of a header none. */
    const char *const *config;
    size_t config_count;
    bool is_default; /* the author's default of the journal is meant */
};

struct hone_contrast_options {
    struct hone_contrast_side sides[2];
    /* Sizes of the problem like "M=512", and a part of the device's name (NULL: any),
     * where a file has several. */
    const char *const *set;
    size_t set_count;
    const char *device;
    /* Script and builder for instructions of the machine (tuning/machine_code.h); NULL:
     * they are not wanted. */
    const struct hone_tuning_options *sass;
};

/* What there is of each: a text, or a number. Unknown is NULL, or NAN. */
struct hone_contrast_row {
    const char *name;
    const char *texts[2];
    double numbers[2];
    const char *unit; /* of a counter, as the journal has it; NULL of the others */
};

struct hone_contrast {
    struct hone_arena arena;                        /* of all that stands here */
    const char *kernel[2], *device[2], *problem[2]; /* NULL: not told */
    bool predicted[2];
    double us[2];                         /* of a launch */
    struct hone_contrast_row *parameters; /* of either; texts */
    size_t parameter_count, parameter_cap;
    /* Numbers: registers, spill_store_bytes and others as in journals, then metrics, then
     * counters and instructions of the machine, whose names begin with "counter." and
     * "sass.". */
    struct hone_contrast_row *figures;
    size_t figure_count, figure_cap;
};

/* EUSAGE where a side is none or more than one configuration; else as
 * hone_recording_load and hone_shipped_load. Release it also after a failure. */
enum hone_status hone_contrast_make(struct hone_contrast *out,
                                    const struct hone_contrast_options *options,
                                    struct hone_error *err);
void hone_contrast_fini(struct hone_contrast *contrast);

/* What is known of one alone differs, too. */
bool hone_contrast_differs(const struct hone_contrast_row *row);

#endif
