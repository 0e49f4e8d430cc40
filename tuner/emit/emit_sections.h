/* The sections of a header, in the order in which they stand there; each is appended by
 * its file. emit.c puts them together. */
#ifndef HONE_EMIT_SECTIONS_H
#define HONE_EMIT_SECTIONS_H

#include "emit_plan.h"

/* --- the first comment: comment.c --- */

/* Behind the kernel's name in the first line of a header of macros. */
#define EMIT_AS_MACROS " as macros"

/* Begins it; as: nothing, or EMIT_AS_MACROS. */
void hone_emit_opening(struct hone_strbuf *out, const struct emit_plan *plan,
                       const char *as);
/* The first lines, and a row's origin as one text. */
enum hone_status hone_emit_head_comment(struct hone_strbuf *out,
                                        const struct emit_plan *plan);
void hone_emit_provenance(struct hone_strbuf *out, const struct emit_plan *plan,
                          const struct emit_device *device);
void hone_emit_second_comment(struct hone_strbuf *out, const struct emit_plan *plan);
/* "K = 64, M = 32" of a row, or what is fixed of all; and that as a line. */
void hone_emit_add_problem(struct hone_strbuf *out, const struct emit_plan *plan,
                           const struct hone_record_info *info, bool fixed);
void hone_emit_fixed_comment(struct hone_strbuf *out, const struct emit_plan *plan);
/* Whether times were measured. */
const char *hone_emit_times_head(const struct emit_plan *plan);
/* valid.c: what holds of each row's configurations, behind "built, and ". */
void hone_emit_add_valid(struct hone_strbuf *out, const struct emit_plan *plan);

/* In the comment of a header with a payload, and in no other. */
#define EMIT_PAYLOAD_LINE "_launch selects, loads and launches at once"

/* usage.c: how it is used; and macros of the template that a configuration's options
 * lack, as " and -DK= of the problem", nothing where there are none such. */
enum hone_status hone_emit_usage_comment(struct hone_strbuf *out,
                                         const struct emit_plan *plan);
void hone_emit_other_defines(struct hone_strbuf *out, const struct emit_plan *plan);
/* signature.c: the kernel's arguments, as a comment; nothing without any. */
void hone_emit_signature(struct hone_strbuf *out, const struct emit_plan *plan);

/* --- what is compiled --- */

/* types_print.c: what rows are made of, and a check of its names. */
void hone_emit_types(struct hone_strbuf *out, const struct emit_plan *plan);
/* types_print.c: a field that every gpu has. */
bool hone_emit_is_usual(const char *field);

/* table.c: devices, rows and configurations; a configuration as an initialiser,
 * "{128, 8, 1}", and its values as macros and as options of a compiler. */
void hone_emit_table(struct hone_strbuf *out, const struct emit_plan *plan);
void hone_emit_config(struct hone_strbuf *out, const struct emit_plan *plan,
                      size_t number);
void hone_emit_config_macros(struct hone_strbuf *out, const struct emit_plan *plan,
                             size_t number);
/* emit.c: the macro of a header that nothing was measured for. */
void hone_emit_untuned_macro(struct hone_strbuf *out, const struct emit_plan *plan);

/* gpu_print.c: the function that makes a GPU of its compute capability. */
void hone_emit_print_gpu_of(struct hone_strbuf *out, const struct emit_plan *plan);
/* kinds.c: the function that says whether a GPU has clusters as a configuration asks
 * for, and the one that launches what is more than plain. */
void hone_emit_cluster_fits(struct hone_strbuf *out, const struct emit_plan *plan);
void hone_emit_launch_with(struct hone_strbuf *out, const struct emit_plan *plan);
/* envelope_print.c: the function that says where a configuration may run. */
void hone_emit_envelope(struct hone_strbuf *out, const struct emit_plan *plan);
/* select_print.c: the functions that choose. */
void hone_emit_selection(struct hone_strbuf *out, const struct emit_plan *plan);

/* runtime_print.c: overrides, the note of misses, and selections that heed them. */
void hone_emit_runtime(struct hone_strbuf *out, const struct emit_plan *plan);
/* runtime_values.c: how an override's words are read; what writes values of JSON, and the
 * call that writes size i behind its key, separator before it. */
void hone_emit_runtime_set(struct hone_strbuf *out, const struct emit_plan *plan);
void hone_emit_runtime_writers(struct hone_strbuf *out, const struct emit_plan *plan);
void hone_emit_runtime_value(struct hone_strbuf *out, const struct emit_plan *plan,
                             size_t i, const char *separator);

/* --- macros_print.c --- */

/* The configuration of an architecture for templates of C++17. */
void hone_emit_constexpr(struct hone_strbuf *out, const struct emit_plan *plan);
/* A header of the shape MACROS as a whole. */
void hone_emit_macro_rows(struct hone_strbuf *out, const struct emit_plan *plan);

#endif
