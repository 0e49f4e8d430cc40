/* A header is planned, then printed: the plan holds the rows (one for each device and
 * problem, in their order) and the C names and types of everything. All of it lives in
 * the plan's arena. */
#ifndef HONE_EMIT_INTERNAL_H
#define HONE_EMIT_INTERNAL_H

#include "arena.h"
#include "hone/emit.h"
#include "strbuf.h"

struct emit_row {
    const struct hone_recording
        *recording; /* holds best; the row's other journals are slower */
    const struct hone_record_info *info;
    const struct hone_trial *best;
    const struct hone_trial *baseline; /* the author's default, valid; or NULL */
    uint16_t *choices;                 /* of best */
    size_t journals, evaluated, valid; /* over all journals of the row */
};

/* A parameter or problem constant in C. */
struct emit_field {
    const char *name; /* field of the config struct, or function argument */
    enum hone_type type;
    bool wide;  /* an integer that does not fit in int */
    bool fixed; /* a choice, no size: a text or boolean, the same in all journals */
};

struct emit_plan {
    struct hone_arena arena;
    const char *name;                    /* prefix of functions and types: "sgemm" */
    const char *upper;                   /* prefix of macros and enumerators: "SGEMM" */
    const struct hone_record_info *info; /* of rows[0]: what all rows share */
    bool predicted;
    struct emit_row *rows;
    size_t row_count;
    struct emit_field *params;      /* [info->param_count] */
    const char **param_macros;      /* "SGEMM_BM" */
    struct emit_field *problem;     /* [info->problem_count] */
    const char **derived_functions; /* [info->derived_count] "sgemm_SMEM" */
    const char *device_fields[32];  /* limits that launch expressions read: "sm_count" */
    size_t device_field_count;
    struct hone_strbuf geometry; /* printed before the config struct is known */
    const char **taken;          /* every global name of the header */
    size_t taken_count, taken_cap;
    struct hone_error *err;
};

enum hone_status emit_no_memory(const struct emit_plan *plan);

/* rows.c: check that the recordings belong together, choose and sort the rows. */
enum hone_status emit_make_rows(struct emit_plan *plan,
                                const struct hone_recording *const *recordings,
                                size_t count, bool accept_predicted);
/* The figure that ranks: the cost by the objective, predicted_us in a plan of
 * predictions; not finite without one. */
double emit_cost(const struct emit_plan *plan, const struct hone_trial *trial);

/* time_us, or predicted_us in a plan of predictions. */
double emit_time(const struct emit_plan *plan, const struct hone_trial *trial);

/* names.c: EINPUT for what cannot be a C and C++ identifier. */
enum hone_status emit_make_names(struct emit_plan *plan, const char *name);
/* Of the function that tells a workspace's size: "sgemm_partials_bytes"; NULL: no memory.
 */
const char *emit_workspace_name(struct emit_plan *plan, const char *argument);

/* types.c: one C type for each parameter and problem constant that fits every journal. */
enum hone_status emit_make_types(struct emit_plan *plan,
                                 const struct hone_recording *const *recordings,
                                 size_t count);

/* geometry.c: fill plan->geometry and plan->device_fields; nothing without launch
 * expressions. */
enum hone_status emit_make_geometry(struct emit_plan *plan);
bool emit_has_launch(const struct hone_record_info *info);

/* text.c: pieces of C. */

/* Append text with $n and $N replaced by the plan's two prefixes. */
void emit_put(struct hone_strbuf *out, const struct emit_plan *plan, const char *text);
/* "double ", "const char *": a name can follow at once. */
const char *emit_type_text(const struct emit_field *field);
void emit_string(struct hone_strbuf *out, const char *text);  /* a string literal */
void emit_comment(struct hone_strbuf *out, const char *text); /* cannot end the comment */
void emit_literal(struct hone_strbuf *out, const struct emit_field *field,
                  struct hone_value value);
/* "long long M, long long N", and "M, N"; before stands ahead of the first if there is
 * one. */
void emit_problem_params(struct hone_strbuf *out, const struct emit_plan *plan,
                         const char *before);
void emit_problem_args(struct hone_strbuf *out, const struct emit_plan *plan,
                       const char *before);

/* table.c */
void emit_table(struct hone_strbuf *out, const struct emit_plan *plan);
void emit_macros(struct hone_strbuf *out, const struct emit_plan *plan);

/* comment.c: the first lines, and a row's origin as one text. */
void emit_head_comment(struct hone_strbuf *out, const struct emit_plan *plan);
void emit_provenance(struct hone_strbuf *out, const struct emit_plan *plan,
                     const struct emit_row *row);

#endif
