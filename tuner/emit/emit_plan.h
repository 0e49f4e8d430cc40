/* A header is planned, then printed: the plan holds the rows (one for each device and
 * problem, in their order) and the C names and types of everything. All of it lives in
 * the plan's arena. Here is what it is and who makes it; what a launch may be is in
 * emit_launch.h, what is printed of it in emit_sections.h. */
#ifndef HONE_EMIT_PLAN_H
#define HONE_EMIT_PLAN_H

#include "base/arch.h"
#include "base/arena.h"
#include "base/name_index.h"
#include "hone/emit.h"
#include "hone/strbuf.h"
#include "pick.h"

/* The objective of a journal that hone_emit_defaults makes, and whether info has it. */
#define EMIT_UNTUNED "none"
bool hone_emit_is_untuned(const struct hone_record_info *info);

/* What one journal, or all journals of one device and problem, say. */
struct emit_row {
    const struct hone_recording *recording; /* holds best */
    const struct hone_record_info *info;
    /* info's, but for integers of a constant that is a float elsewhere: it is one here */
    const struct hone_constant *problem; /* [info->problem_count] */
    const struct hone_trial *best;
    const struct hone_trial *baseline; /* the author's default, valid; or NULL */
    uint16_t *choices;                 /* of best */
    size_t journals, evaluated, valid; /* over all journals of the row */
    const struct emit_row *members;    /* [journals] one of each */
    double weight;                     /* of the problem */
    size_t config;                     /* number: what the header has here */
    const struct hone_trial *served;   /* of that configuration, best if it is best's */
    double time, regret;               /* of it */
};

struct emit_need; /* c_expr.h */

/* What an expression has to be. */
enum emit_fit_of { EMIT_FIT_TRUTH, EMIT_FIT_INTEGER, EMIT_FIT_NUMBER };

/* A constraint, or an argument, that reads the problem or the device: it may fail for
 * others than those a configuration was measured on. */
struct emit_fit {
    const char *text; /* the expression; NULL: a Lua function */
    const char *name; /* for people */
    enum emit_fit_of of;
    int64_t low, high;              /* of an integer */
    int64_t unit;                   /* what divides it, a power of two; 0: anything */
    struct hone_expr_c_range known; /* what it is in any case, of an integer */
    /* Where it does not hold; NULL: it has no C form, so nothing else is let through. */
    const char *fails;
    const struct emit_need *needs; /* derived values that this reads */
    uint64_t reads_problem;        /* it reads, a bit a constant */
    bool reads_config, reads_gpu;
};

/* A configuration of the header: its values are those of a row's journal. */
struct emit_config {
    const struct emit_row *origin;
    const uint16_t *choices;
};

/* Rows of one device whose texts and booleans are the same: what one rule serves. */
struct emit_group {
    size_t device, first, count; /* rows */
    struct emit_points points;   /* of the rows */
    struct emit_rule rule;       /* leaves are numbers of configurations */
    size_t *configs;             /* of the group, the best on average first */
    size_t config_count;
    bool over_limit;                    /* problems that others were not measured on */
    struct emit_estimate tuned, unseen; /* regrets: of its rows, of problems left out */
};

struct emit_device {
    const struct hone_record_info *info;
    size_t first, count; /* groups */
};

/* A parameter or problem constant in C. */
struct emit_field {
    const char *name; /* field of the config struct, or function argument */
    enum hone_type type;
    bool wide;  /* an integer that does not fit in int */
    bool fixed; /* a choice, no size: a text or boolean, the same in all journals */
    struct hone_expr_c_range range; /* of the values of an integer parameter */
};

/* Where the default comes from. */
enum emit_default { EMIT_AUTHORS, EMIT_BEST_MEAN, EMIT_FIRST_ROW };

/* Problem constants of a header: its functions take them all, and sums of their
 * logarithms fit in an int. */
enum { EMIT_CONSTANTS_MOST = 64 };

/* Fields of struct hone_limits, each once. */
enum { EMIT_FIELDS_MOST = 32 };

struct emit_plan {
    struct hone_arena arena;
    struct hone_error *err;

    /* of the options */
    const char *name;                   /* prefix of functions and types: "sgemm" */
    const char *upper;                  /* prefix of macros and enumerators: "SGEMM" */
    const struct hone_payload *payload; /* NULL: none */
    enum hone_emit_shape shape;
    double max_regret;

    /* of the journals: agree.c */
    const struct hone_record_info *info; /* of rows[0]: what all rows share */
    /* PREDICTED; BURST, which stands for any measurement; or NONE of a header of the
     * default alone: its one row's time is 0. */
    enum hone_time_kind times;
    const struct hone_record_info *where;   /* whose constraints hold for all */
    const struct hone_record_info *defines; /* whose defines hold for all; or NULL */

    /* rows.c, failed.c */
    struct emit_row *rows;
    size_t row_count;
    struct emit_failed *failed; /* failed.h */
    size_t failed_count;

    /* groups.c, default.c */
    struct emit_device *devices;
    size_t device_count;
    struct emit_group *groups;
    size_t group_count;
    struct emit_config *configs;
    size_t config_count, config_cap;
    uint16_t *choices;     /* [info->param_count] scratch */
    size_t default_config; /* number */
    enum emit_default default_of;
    double default_performance; /* of 1 for each row's best; EMIT_BEST_MEAN */

    /* names.c, types.c: what stands for them in C */
    struct emit_field *params;    /* [info->param_count] */
    const char **param_macros;    /* "SGEMM_BM" */
    struct emit_field *problem;   /* [info->problem_count] */
    struct hone_name_index names; /* parameters, problem constants, derived values */
    struct emit_derived *derived; /* [info->derived_count] */
    struct hone_name_index taken; /* every global name of the header */

    /* envelope.c: where configurations may run */
    struct emit_fit *fits; /* the constraints that may fail elsewhere */
    size_t fit_count;
    const char *gpu_fields[EMIT_FIELDS_MOST]; /* limits that they read, usual ones too */
    size_t gpu_field_count;
    size_t zero_steps; /* spent on hone_emit_never_zero */

    /* geometry.c: how they are launched */
    struct emit_printer *printer;                /* of c_expr.c */
    const char *device_fields[EMIT_FIELDS_MOST]; /* limits that they read: "sm_count" */
    size_t device_field_count;
    /* Fields of a configuration with the block and the shared memory of its launch, where
     * they are the same for every problem; NULL: functions compute them. */
    const char *block_field, *shared_field;
    const struct emit_need *launch_needs; /* derived values that arguments read */
    bool launch_values, launch_reals;     /* it is computed: an integer, a float */
    struct hone_strbuf geometry;          /* printed before the config struct is known */
    const char *scratch; /* "; NAME_partials_bytes ...", for the first comment; or NULL */

    const struct emit_tables *tables; /* tables.h; the last that is made of a plan */
};

enum hone_status hone_emit_no_memory(const struct emit_plan *plan);
/* The journal whose first line says what all rows share, for errors; NULL where there is
 * none (a header of defaults). */
const char *hone_emit_journal(const struct emit_plan *plan);

/* emit.c: everything but the printing. Release the plan with hone_emit_plan_fini, also
 * after a failure. */
enum hone_status hone_emit_make_plan(struct emit_plan *plan,
                                     const struct hone_recording *const *recordings,
                                     size_t count,
                                     const struct hone_emit_options *options);
void hone_emit_plan_fini(struct emit_plan *plan);

/* --- what is asked of a plan --- */

/* emit.c: one row, of one device: nothing is looked for. */
bool hone_emit_is_single(const struct emit_plan *plan);
/* Launch expressions are recorded. */
bool hone_emit_has_launch(const struct hone_record_info *info);
/* Is there a problem constant that is no fixed one? */
bool hone_emit_is_asked(const struct emit_plan *plan);
/* table.c: whether the template is compiled with problem constant i as a macro. */
bool hone_emit_is_define(const struct emit_plan *plan, size_t i);
/* table.c: whether a journal's script has the name among its defines. */
bool hone_emit_has_define(const struct hone_record_info *info, const char *name);

/* comment_row.c: the trial of the row's configuration whose results were compared with
 * others at the row's size; NULL where none were: *why says why not, NULL where nothing
 * does. */
const struct hone_trial *hone_emit_compared(const char **why,
                                            const struct emit_plan *plan,
                                            const struct emit_row *row);

/* --- who makes it --- */

/* agree.c: whether the recordings belong together, and are measurements unless predicted
 * times are accepted; fills times, where and defines. EINPUT or EUSAGE names the one that
 * does not. */
enum hone_status hone_emit_check_journals(struct emit_plan *plan,
                                          const struct hone_recording *const *recordings,
                                          size_t count, bool accept_predicted);
/* rows.c: check that, choose and sort the rows. */
enum hone_status hone_emit_make_rows(struct emit_plan *plan,
                                     const struct hone_recording *const *recordings,
                                     size_t count, bool accept_predicted);
/* The figure that ranks: the cost by the objective, predicted_us in a plan of
 * predictions; not finite without one. */
double hone_emit_cost(const struct emit_plan *plan, const struct hone_trial *trial);

/* time_us, or predicted_us in a plan of predictions. */
double hone_emit_time(const struct emit_plan *plan, const struct hone_trial *trial);

/* Equal numbers and texts; the order of rows follows it. */
int hone_emit_compare_values(struct hone_value a, struct hone_value b);
/* Device, texts and booleans, sizes. */
int hone_emit_compare_devices(const struct hone_record_info *a,
                              const struct hone_record_info *b);

/* groups.c: pick at most `most` configurations for each group, and its rule. */
enum hone_status hone_emit_make_groups(struct emit_plan *plan, size_t most);
struct hone_value hone_emit_value_of(const struct emit_config *config, size_t param);
/* What the configuration costs for the problem of row; NAN where it is not known,
 * INFINITY where it is not valid. */
double hone_emit_cost_of(const struct emit_plan *plan, const struct emit_row *row,
                         const struct emit_config *config);
/* The trial behind that; NULL where it is not known. */
const struct hone_trial *hone_emit_trial_of(const struct emit_plan *plan,
                                            const struct emit_row *row,
                                            const struct emit_config *config);
/* default.c: the configuration for devices that none of the rows suits. */
enum hone_status hone_emit_make_default(struct emit_plan *plan);
/* The number of a configuration, added where it is new; SIZE_MAX: out of memory. */
size_t hone_emit_config_number(struct emit_plan *plan, const struct emit_config *config);
/* Problem constant i is a size that rules look at, or tells groups apart. */
bool hone_emit_is_size(const struct emit_plan *plan, size_t i);
bool hone_emit_is_choice(const struct emit_plan *plan, size_t i);

/* names.c: EINPUT for what cannot be a C and C++ identifier. */
enum hone_status hone_emit_make_names(struct emit_plan *plan, const char *name);
/* The name of a derived value where it is a constant of a function; NULL: no memory. */
const char *hone_emit_local_name(struct emit_plan *plan, const char *name);
/* Names the function of a workspace's size: "sgemm_partials_bytes"; NULL: no memory.
 */
const char *hone_emit_workspace_name(struct emit_plan *plan, const char *argument);

/* types.c: one C type for each parameter and problem constant that fits every journal. */
enum hone_status hone_emit_make_types(struct emit_plan *plan,
                                      const struct hone_recording *const *recordings,
                                      size_t count);

/* Fill row->problem of each candidate, as the header's arguments have it: in C 2 and 2.0
 * are one size. */
enum hone_status hone_emit_type_problems(struct emit_plan *plan,
                                         const struct hone_recording *const *recordings,
                                         size_t count);
/* The value as an argument of that type has it. */
struct hone_value hone_emit_as_type(struct hone_value value, enum hone_type type);

/* tables.c: what of the plan is numbers in the header. */
enum hone_status hone_emit_make_tables(struct emit_plan *plan);

#endif
