/* Everything a script needs to run: device or its limits, script, space, kernel, builder.
 * Opened step by step and closed in one call. */
#ifndef HONE_TUNING_WORKBENCH_H
#define HONE_TUNING_WORKBENCH_H

#include "hone/build.h"
#include "hone/device.h"
#include "hone/kernel.h"
#include "hone/record.h"
#include "hone/script.h"
#include "hone/space.h"

struct hone_workbench {
    struct hone_limits limits;
    struct hone_script *script;
    struct hone_kernel_def def;      /* the script's, of the problem at hand */
    struct hone_constant *constants; /* of def, where the problem is not the script's */
    struct hone_space *space;
    struct hone_kernel *kernel; /* from here on: NULL until hone_workbench_prepare */
    struct hone_device *device;
    struct hone_builder *builder;
    bool is_resized;  /* somebody gave a problem size: --set, a list of problems */
    bool has_default; /* the author's default is in the space */
    uint64_t default_index;
    uint16_t *default_choices; /* value numbers; NULL without one */
};

/* Load the script and build its space for the limits of options; the folder of the
 * installed templates is added to its own. On failure too the bench must be closed. */
enum hone_status hone_workbench_open(struct hone_workbench *bench, const char *path,
                                     const struct hone_script_options *options,
                                     struct hone_error *err);

/* The same for another problem of the kernel, which may be the only one with a valid
 * configuration: values as hone_workbench_turn takes them; NULL: the script's own. */
enum hone_status hone_workbench_open_at(struct hone_workbench *bench, const char *path,
                                        const struct hone_script_options *options,
                                        const struct hone_value *values,
                                        struct hone_error *err);

/* Only the script and what it defines: no space. */
enum hone_status hone_workbench_load(struct hone_workbench *bench, const char *path,
                                     const struct hone_script_options *options,
                                     struct hone_error *err);

/* Turn to another problem of the kernel, before there is one: its sizes in the order of
 * the script's. Space and default are made anew. The values' texts are borrowed. */
enum hone_status hone_workbench_turn(struct hone_workbench *bench,
                                     const struct hone_value *values,
                                     struct hone_error *err);

/* The same to the problem that a journal begins with; EINPUT where its names are not the
 * script's. */
enum hone_status hone_workbench_turn_to(struct hone_workbench *bench,
                                        const struct hone_record_info *info,
                                        struct hone_error *err);

/* Draw configurations of the space at random, most of them at the most; freed by the
 * caller. */
enum hone_status hone_workbench_draw(uint64_t **out, size_t *count,
                                     const struct hone_workbench *bench, uint64_t most,
                                     uint64_t seed, struct hone_error *err);

/* Check the kernel against its template. EUSAGE for a script that only defines a space.
 */
enum hone_status hone_workbench_make_kernel(struct hone_workbench *bench,
                                            struct hone_error *err);

/* EINPUT where sizes that somebody gave let no configuration be launched, of those that
 * are drawn: a grid of 0 blocks, a scalar beyond its type, whatever the device; with the
 * first formula that says so. OK before there is a kernel. */
enum hone_status hone_workbench_check_sizes(const struct hone_workbench *bench,
                                            struct hone_error *err);

/* The same as hone_workbench_make_kernel, and open the device and, where bench has none
 * yet, the builder; builder NULL: with the usual options. */
enum hone_status hone_workbench_prepare(struct hone_workbench *bench, const char *device,
                                        enum hone_clock clock,
                                        const struct hone_builder_options *builder,
                                        struct hone_error *err);

/* Is the author's default, where there is one, held up by arithmetic at the tuned size,
 * as far as the script tells its work (hone_job_is_compute_bound)? */
bool hone_workbench_is_compute_bound(const struct hone_workbench *bench,
                                     const struct hone_limits *limits);

void hone_workbench_close(struct hone_workbench *bench);

#endif
