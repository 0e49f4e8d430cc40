/* Pieces of C: text.c has names, types, literals and lists, parts.c the files of
 * tuner/emit/text with their slots filled. */
#ifndef HONE_EMIT_TEXT_H
#define HONE_EMIT_TEXT_H

#include "emit_plan.h"

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

#endif
