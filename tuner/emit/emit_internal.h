/* A header is planned, then printed: the plan holds the rows (one for each device and
 * problem, in their order) and the C names and types of everything. All of it lives in
 * the plan's arena. */
#ifndef HONE_EMIT_INTERNAL_H
#define HONE_EMIT_INTERNAL_H

#include "base/arch.h"
#include "base/arena.h"
#include "base/name_index.h"
#include "base/strbuf.h"
#include "hone/emit.h"
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
/* In the comment of a header with a payload, and in no other. */
#define EMIT_PAYLOAD_LINE "_launch selects, loads and launches at once"

enum { EMIT_CONSTANTS_MOST = 64 };

/* Fields of struct hone_limits, each once. */
enum { EMIT_FIELDS_MOST = 32 };

struct emit_plan {
    struct hone_arena arena;
    const char *name;                    /* prefix of functions and types: "sgemm" */
    const char *upper;                   /* prefix of macros and enumerators: "SGEMM" */
    const struct hone_record_info *info; /* of rows[0]: what all rows share */
    /* PREDICTED; BURST, which stands for any measurement; or NONE of a header of the
     * default alone: its one row's time is 0. */
    enum hone_time_kind times;
    struct emit_row *rows;
    size_t row_count;
    struct emit_failed *failed; /* failed.h */
    size_t failed_count;
    struct emit_config *configs;
    size_t config_count, config_cap;
    uint16_t *choices;     /* [info->param_count] scratch */
    size_t default_config; /* number */
    enum emit_default default_of;
    double default_performance; /* of 1 for each row's best; EMIT_BEST_MEAN */
    struct emit_device *devices;
    size_t device_count;
    double max_regret; /* of the options */
    struct emit_group *groups;
    size_t group_count;
    const struct hone_record_info *where;   /* whose constraints hold for all */
    const struct hone_record_info *defines; /* whose defines hold for all; or NULL */
    struct emit_fit *fits;                  /* the constraints that may fail elsewhere */
    size_t fit_count;
    struct emit_field *params;  /* [info->param_count] */
    const char **param_macros;  /* "SGEMM_BM" */
    struct emit_field *problem; /* [info->problem_count] */
    /* Limits that launch expressions read, as "sm_count". */
    const char *device_fields[EMIT_FIELDS_MOST];
    size_t device_field_count;
    /* Limits that constraints read, the usual ones too. */
    const char *gpu_fields[EMIT_FIELDS_MOST];
    size_t gpu_field_count;
    const struct emit_tables *tables; /* tables.h; the last that is made of a plan */
    struct hone_name_index names;     /* parameters, problem constants, derived values */
    struct emit_derived *derived;     /* [info->derived_count] */
    size_t zero_steps;                /* spent on hone_emit_never_zero */
    struct emit_printer *printer;     /* of c_expr.c */
    /* Fields of a configuration with the block and the shared memory of its launch, where
     * they are the same for every problem; NULL: functions compute them. */
    const char *block_field, *shared_field;
    const struct emit_need *launch_needs; /* derived values that arguments read */
    bool launch_values, launch_reals;     /* it is computed: an integer, a float */
    const struct hone_payload *payload;   /* NULL: none */
    enum hone_emit_shape shape;
    const char *scratch; /* "; NAME_partials_bytes ...", for the first comment; or NULL */
    struct hone_strbuf geometry;  /* printed before the config struct is known */
    struct hone_name_index taken; /* every global name of the header */
    struct hone_error *err;
};

enum hone_status hone_emit_no_memory(const struct emit_plan *plan);
/* The journal whose first line says what all rows share, for errors; NULL where there is
 * none (a header of defaults). */
const char *hone_emit_journal(const struct emit_plan *plan);

/* rows.c: check that the recordings belong together, choose and sort the rows. */
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

/* What CUDA takes along each axis, from 1 on; a block has at most 1024 threads in all. */
extern const int64_t hone_emit_grid_most[3], hone_emit_block_most[3],
    hone_emit_cluster_most[3];
/* A launch as the header computes it: a grid or block that CUDA does not take is all 0,
 * bytes that it does not take are UINT32_MAX. */
struct emit_launch {
    uint32_t grid[3], block[3], cluster[3], shared;
};
/* dispatch.c: of a configuration, by number, for a device and problem. */
struct emit_launch hone_emit_launch_of(const struct emit_plan *plan, size_t config,
                                       const struct hone_limits *gpu,
                                       const struct hone_value *problem);

/* geometry.c: fill plan->geometry and plan->device_fields; nothing without launch
 * expressions. */
enum hone_status hone_emit_make_geometry(struct emit_plan *plan);
/* Whether the block, or the shared memory, of a configuration is the same for every
 * problem and device. */
bool hone_emit_is_block_settled(const struct emit_plan *plan);
bool hone_emit_is_shared_settled(const struct emit_plan *plan);
/* The launch of a configuration for the problem of the first row; what is settled of it
 * holds for all. */
struct emit_launch hone_emit_settled_launch(const struct emit_plan *plan, size_t config);
bool hone_emit_has_launch(const struct hone_record_info *info);

/* kinds.c: launches that are more than plain. */
bool hone_emit_has_cluster(const struct hone_record_info *info);
/* The function that says whether a GPU has such clusters. */
void hone_emit_cluster_fits(struct hone_strbuf *out, const struct emit_plan *plan);
/* The same here. */
bool hone_emit_can_launch(const struct hone_record_info *info,
                          const struct emit_launch *launch,
                          const struct hone_limits *gpu);
/* What is launched by cuLaunchKernelEx, and the function for that; plain launches need
 * neither. */
bool hone_emit_is_plain(const struct hone_record_info *info);
void hone_emit_launch_with(struct hone_strbuf *out, const struct emit_plan *plan);
/* c_expr.c: the name of the i-th derived value that the header computes; NULL past the
 * last. */
const char *hone_emit_computed(const struct emit_plan *plan, size_t i);
/* Fill in what C has of a fit, over config, the problem, gpu and the derived values that
 * it needs: "0" where it always holds, nothing where it has no C form. ENOMEM. */
enum hone_status hone_emit_print_fit(struct emit_plan *plan, struct emit_fit *fit);
/* Adds a printed fit, but one that always holds or that is asked already. */
void hone_emit_add_fit(struct emit_plan *plan, const struct emit_fit *fit);
/* Append the lines of a launch that set `value`, a long long from low to high, or `real`,
 * a double, and return NO_CONFIG where the expression has none such. The plan remembers
 * which of the two, and of the derived values, a launch needs. */
enum hone_status hone_emit_print_integer(struct emit_plan *plan, struct hone_strbuf *out,
                                         const char *text, int64_t low, int64_t high);
enum hone_status hone_emit_print_real(struct emit_plan *plan, struct hone_strbuf *out,
                                      const char *text);
/* Takes a dtype's name. */
unsigned hone_emit_element_bytes(const char *dtype);

/* arguments.c: a scalar that follows from the problem is computed, not asked for. */
bool hone_emit_is_computed(const struct emit_plan *plan,
                           const struct hone_record_arg *arg);
/* The integers that a type holds, up to a long long's; false: it is no integer type. */
bool hone_emit_integer_range(const char *dtype, int64_t *low, int64_t *high);
/* What an axis of a tensor map is made of, from 1 on, and the most that it may be. */
enum emit_map_part { EMIT_MAP_SIZE, EMIT_MAP_BOX, EMIT_MAP_STRIDE, EMIT_MAP_PARTS };
int64_t hone_emit_map_most(const struct hone_record_arg *arg, size_t axis,
                           enum emit_map_part part);
/* Add to the plan's fits what its arguments have to be; there is room for so many. */
size_t hone_emit_bounds_most(const struct hone_record_info *info);
enum hone_status hone_emit_bound_arguments(struct emit_plan *plan);

/* multiples.c: whether unit, a power of two, divides what the expression is in each
 * configuration of the table, for all sizes that the plan's fits let through. */
bool hone_emit_is_multiple(struct emit_plan *plan, const char *text, int64_t unit);

/* envelope.c: where a configuration may run besides where it was measured. */
enum hone_status hone_emit_make_envelope(struct emit_plan *plan);
void hone_emit_envelope(struct hone_strbuf *out, const struct emit_plan *plan);
/* The parameters and arguments of the function that says so, behind the number. */
void hone_emit_fit_params(struct hone_strbuf *out, const struct emit_plan *plan);
void hone_emit_fit_args(struct hone_strbuf *out, const struct emit_plan *plan);
/* Whether a GPU may lack the shared memory that a configuration of the table asks for: a
 * header asks then. */
bool hone_emit_asks_shared(const struct emit_plan *plan);
/* Static shared bytes of a block; 0 where not recorded. */
int32_t hone_emit_static_shared(const struct emit_config *config);

/* tables.c: what of the plan is numbers in the header. */
enum hone_status hone_emit_make_tables(struct emit_plan *plan);

/* dispatch.c: the tuner's own choice, by the text that the header has; SIZE_MAX where no
 * configuration fits. problem: one value for each constant. */
enum emit_tier {
    EMIT_EXACT,
    EMIT_SAME_DEVICE,
    EMIT_SAME_ARCH,
    EMIT_SAME_FAMILY,
    EMIT_DEFAULT,
    EMIT_NONE
};
struct hone_limits hone_emit_gpu_of(const struct emit_plan *plan, int cc_major,
                                    int cc_minor, int sm_count);
/* Has an expression that reads the parameters alone an integer that is not 0 in each
 * configuration? */
bool hone_emit_never_zero(struct emit_plan *plan, const char *text);
size_t hone_emit_dispatch(const struct emit_plan *plan, const struct hone_limits *gpu,
                          const struct hone_value *problem, enum emit_tier *tier);

/* types_print.c: what rows are made of, and a check of its names. */
void hone_emit_types(struct hone_strbuf *out, const struct emit_plan *plan);

/* emit.c: everything but the printing. Release the plan with hone_emit_plan_fini, also
 * after a failure. */
enum hone_status hone_emit_make_plan(struct emit_plan *plan,
                                     const struct hone_recording *const *recordings,
                                     size_t count,
                                     const struct hone_emit_options *options);
void hone_emit_plan_fini(struct emit_plan *plan);
/* types_print.c: a field that every gpu has. */
bool hone_emit_is_usual(const char *field);

/* emit.c: the macro of a header that nothing was measured for. */
void hone_emit_untuned_macro(struct hone_strbuf *out, const struct emit_plan *plan);

/* emit.c: one row, of one device: nothing is looked for. */
bool hone_emit_is_single(const struct emit_plan *plan);

/* text.c: pieces of C. */

/* Is there a problem constant that is no fixed one? */
bool hone_emit_is_asked(const struct emit_plan *plan);

/* Append a line of a list of texts, which hone_emit_wrap may break. */
void hone_emit_element(struct hone_strbuf *out, const char *text);

/* Append text with $n and $N replaced by the plan's two prefixes. */
void hone_emit_put(struct hone_strbuf *out, const struct emit_plan *plan,
                   const char *text);
/* parts.c: append a text of tuner/emit/text, with the header's names, and of what stands
 * there between "only: WORD" and "end" that whose word is among words, each of which is
 * followed by a blank. A struct between "in one line" and "end of line" is one line where
 * it is short and has no comment. */
void hone_emit_part(struct hone_strbuf *out, const struct emit_plan *plan,
                    const unsigned char *file, const char *words);
/* Texts that stand in a part for words of its own, as NUMBER_PARAMS: a list of parameters
 * or arguments, which takes the comma ahead of it along where it is empty; an expression;
 * whole lines, for a statement that is the word alone. PROBLEM_PARAMS, PROBLEM_ARGS,
 * NUMBER_PARAMS and NUMBER_ARGS are there for all. Who compiles a file of C by itself
 * defines its slots as macros: dispatch.c, tests. */
enum { EMIT_SLOTS_MOST = 20 };
struct emit_slots {
    struct emit_slot {
        const char *name;
        struct hone_strbuf text;
    } at[EMIT_SLOTS_MOST];
    size_t count; /* {.count = 0}: none */
};
/* The text of a further one, to be appended to. */
struct hone_strbuf *hone_emit_slot(struct emit_slots *slots, const char *name);
void hone_emit_slots_fini(struct emit_slots *slots);
/* A part with slots, which are released: with a blank line behind it, or without. */
void hone_emit_part_with(struct hone_strbuf *out, const struct emit_plan *plan,
                         const unsigned char *file, const char *words,
                         struct emit_slots *slots);
void hone_emit_lines(struct hone_strbuf *out, const struct emit_plan *plan,
                     const unsigned char *file, const char *words,
                     struct emit_slots *slots);
/* What follows belongs to what stands there: the blank line between them goes. */
void hone_emit_join(struct hone_strbuf *out);
extern const unsigned char hone_text_types[], hone_text_table_data[], hone_text_arch[],
    hone_text_macros_row[], hone_text_frame[], hone_text_runtime_frame[],
    hone_text_extent[], hone_text_settled[], hone_text_shared[], hone_text_workspace[],
    hone_text_static_shared[], hone_text_fits[], hone_text_fits_grid[],
    hone_text_payload_template[], hone_text_payload_images[], hone_text_payload_map[],
    hone_text_payload_room[], hone_text_runtime_read[];
extern const unsigned char hone_text_size[], hone_text_choose[], hone_text_select[],
    hone_text_select_one[], hone_text_select_default[], hone_text_select_by[],
    hone_text_tiers[], hone_text_gpu[], hone_text_cluster_fits[], hone_text_payload[],
    hone_text_payload_includes[], hone_text_payload_codes[], hone_text_payload_launch[],
    hone_text_payload_attributes[], hone_text_payload_image[], hone_text_payload_source[],
    hone_text_payload_load[], hone_text_payload_gpu[], hone_text_payload_variable[],
    hone_text_runtime[], hone_text_runtime_values[], hone_text_runtime_state[],
    hone_text_runtime_lock[], hone_text_runtime_set[], hone_text_runtime_hook[],
    hone_text_runtime_override[], hone_text_runtime_missed[], hone_text_runtime_select[];
/* The members of a struct, but for what is fixed: those of one type that follow each
 * other stand in one line. */
void hone_emit_fields(struct hone_strbuf *out, const struct emit_field *fields,
                      size_t count);
/* "double ", "const char *": a name can follow at once. */
const char *hone_emit_type_text(const struct emit_field *field);
void hone_emit_literal(struct hone_strbuf *out, const struct emit_field *field,
                       struct hone_value value);
void hone_emit_integer(struct hone_strbuf *out, int64_t value);
/* Which of the problem's constants that are no fixed ones. */
enum emit_which { EMIT_ALL, EMIT_NUMBERS, EMIT_CHOICES };
/* "long long M, long long N", and "M, N"; before stands ahead of the first if there is
 * one. */
void hone_emit_which_params(struct hone_strbuf *out, const struct emit_plan *plan,
                            enum emit_which which, const char *before);
void hone_emit_which_args(struct hone_strbuf *out, const struct emit_plan *plan,
                          enum emit_which which, const char *before);
void hone_emit_problem_params(struct hone_strbuf *out, const struct emit_plan *plan,
                              const char *before);
void hone_emit_problem_args(struct hone_strbuf *out, const struct emit_plan *plan,
                            const char *before);

/* runtime_print.c: overrides, the note of misses, and selections that heed them. */
void hone_emit_runtime(struct hone_strbuf *out, const struct emit_plan *plan);

/* runtime_values.c: how an override's words are read; what writes values of JSON, and the
 * call that writes size i behind its key, separator before it. */
void hone_emit_runtime_set(struct hone_strbuf *out, const struct emit_plan *plan);
void hone_emit_runtime_writers(struct hone_strbuf *out, const struct emit_plan *plan);
void hone_emit_runtime_value(struct hone_strbuf *out, const struct emit_plan *plan,
                             size_t i, const char *separator);
void hone_emit_second_comment(struct hone_strbuf *out, const struct emit_plan *plan);

/* table.c: a configuration as an initialiser: "{128, 8, 1}". */
void hone_emit_config(struct hone_strbuf *out, const struct emit_plan *plan,
                      size_t number);
/* table.c: whether the template is compiled with problem constant i as a macro. */
bool hone_emit_is_define(const struct emit_plan *plan, size_t i);
/* table.c: whether a journal's script has the name among its defines. */
bool hone_emit_has_define(const struct hone_record_info *info, const char *name);
/* table.c: a configuration's values as macros, and as options of a compiler. */
void hone_emit_config_macros(struct hone_strbuf *out, const struct emit_plan *plan,
                             size_t number);
/* Behind the kernel's name in the first line of a header of macros. */
#define EMIT_AS_MACROS " as macros"

/* comment.c: begin the first comment; as: nothing, or EMIT_AS_MACROS. */
void hone_emit_opening(struct hone_strbuf *out, const struct emit_plan *plan,
                       const char *as);
/* "K = 64, M = 32" of a row, or what is fixed of all; and that as a line. */
void hone_emit_add_problem(struct hone_strbuf *out, const struct emit_plan *plan,
                           const struct hone_record_info *info, bool fixed);
void hone_emit_fixed_comment(struct hone_strbuf *out, const struct emit_plan *plan);
/* comment.c: the trial of the row's configuration whose results were compared with others
 * at the row's size; NULL where none were: *why says why not, NULL where nothing does. */
const struct hone_trial *hone_emit_compared(const char **why,
                                            const struct emit_plan *plan,
                                            const struct emit_row *row);
/* valid.c: what holds of each row's configurations, behind "built, and ". */
void hone_emit_add_valid(struct hone_strbuf *out, const struct emit_plan *plan);
enum hone_status hone_emit_usage_comment(struct hone_strbuf *out,
                                         const struct emit_plan *plan);
/* signature.c: the kernel's arguments, as a comment; nothing without any. */
void hone_emit_signature(struct hone_strbuf *out, const struct emit_plan *plan);
/* Macros of the template that a configuration's options lack, as " and -DK= of the
 * problem"; nothing where there are none such. */
void hone_emit_other_defines(struct hone_strbuf *out, const struct emit_plan *plan);
/* Whether times were measured. */
const char *hone_emit_times_head(const struct emit_plan *plan);

/* macros_print.c: the configuration of an architecture for templates of C++17. */
void hone_emit_constexpr(struct hone_strbuf *out, const struct emit_plan *plan);
/* macros_print.c: a header of the shape MACROS as a whole. */
void hone_emit_macro_rows(struct hone_strbuf *out, const struct emit_plan *plan);

/* gpu_print.c: the function that makes a GPU of its compute capability. */
void hone_emit_print_gpu_of(struct hone_strbuf *out, const struct emit_plan *plan);
/* Shared memory of a block, by opt-in, of a compute capability as 10 major + minor; the
 * least of all for others. */
int64_t hone_emit_shared_of(int64_t cc);

/* select_print.c: the functions that choose. */
void hone_emit_selection(struct hone_strbuf *out, const struct emit_plan *plan);

/* table.c */
void hone_emit_table(struct hone_strbuf *out, const struct emit_plan *plan);

/* comment.c: the first lines, and a row's origin as one text. */
enum hone_status hone_emit_head_comment(struct hone_strbuf *out,
                                        const struct emit_plan *plan);
void hone_emit_provenance(struct hone_strbuf *out, const struct emit_plan *plan,
                          const struct emit_device *device);

#endif
