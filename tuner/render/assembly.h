/* Putting the files behind a template together to one text and headers in memory; shared
 * by the files that do it: assembly.c goes through a file's directives, conditions.c
 * answers __has_include, macro_includes.c follows #include NAME. */
#ifndef HONE_RENDER_ASSEMBLY_H
#define HONE_RENDER_ASSEMBLY_H

#include "hone/strbuf.h"
#include "render/sources.h"

struct hone_word {
    struct hone_word *next;
    const char *text;
};

/* A macro that an #include names, with the files that its #defines name; or a word of
 * such a <file>, which may be a macro itself, with what its #defines say. */
struct hone_include_macro {
    struct hone_include_macro *next;
    const char *name;
    bool is_word;
    struct hone_word *values, **last; /* "x", <x> or text, in the order of the #defines */
};

struct hone_guard {
    struct hone_guard *next;
    const struct hone_file *file;
};

struct hone_assembly {
    struct hone_arena *arena;
    struct hone_files files;
    struct hone_error *err;
    struct hone_file *headers, **last_header; /* asked for, in order */
    size_t header_count;
    int once_count;
    struct hone_guard *guards;
    struct hone_word *undefined; /* macros of #undef */
    struct hone_word *aliases;   /* macros that are __has_include by another name */
    struct hone_include_macro *macros;
    bool has_news;   /* a macro came up in #include, or a #define of one, in this round */
    bool is_waiting; /* for the #defines of such a macro */
    bool is_settled; /* the round before brought nothing new: there are none */
};

/* Where text is being written: for one file. */
struct hone_writing {
    struct hone_strbuf *out;
    struct hone_file *file;
    bool as_header;  /* into a text of its own */
    bool sure;       /* a compiler reads this file whatever the macros are */
    int nesting;     /* of inlined files */
    int depth, base; /* of #if at this line; of the guard */
};

/* Writes all of place->file; out of memory is a failed buffer. */
enum hone_status hone_assemble_file(struct hone_assembly *a, struct hone_writing *place);

/* Whether a directive includes that file, or one of several by what a macro is. */
enum hone_inclusion { HONE_INCLUDES_IT, HONE_INCLUDES_ONE_OF };

/* Writes what stands for an include of name at d. */
enum hone_status hone_assemble_include(struct hone_assembly *a,
                                       struct hone_writing *place,
                                       const struct hone_directive *d,
                                       struct hone_include_name name,
                                       enum hone_inclusion inclusion);
/* An error at the place of d where a compiler is sure to come by; else an #error that
 * takes its place. */
enum hone_status hone_assemble_error(struct hone_assembly *a, struct hone_writing *place,
                                     const struct hone_directive *d, const char *format,
                                     ...) __attribute__((format(printf, 4, 5)));
/* Starts to write something in the place of d. */
void hone_assemble_begin(struct hone_writing *place, const struct hone_directive *d);
/* Goes on behind d in its file, after text of count lines or of any number (-1). */
void hone_assemble_end(struct hone_writing *place, const struct hone_directive *d,
                       int count);

/* Each sets *done when it wrote something in the place of d. */
enum hone_status hone_assemble_condition(struct hone_assembly *a,
                                         struct hone_writing *place,
                                         const struct hone_directive *d, bool *done);
enum hone_status hone_assemble_definition(struct hone_assembly *a,
                                          struct hone_writing *place,
                                          const struct hone_directive *d, bool *done);
enum hone_status hone_assemble_macro_include(struct hone_assembly *a,
                                             struct hone_writing *place,
                                             const struct hone_directive *d);
/* What a #define or #undef makes of a macro of an #include, behind that directive. */
enum hone_status hone_assemble_pin(struct hone_assembly *a, struct hone_writing *place,
                                   const struct hone_directive *d);

/* The name in "x" or <x>, its text in the arena; "" for anything else, NULL when out of
 * memory. */
struct hone_include_name hone_include_name_of(struct hone_arena *arena, const char *text);
bool hone_words_have(const struct hone_word *words, const char *text);
enum hone_status hone_words_add(struct hone_assembly *a, struct hone_word **words,
                                const char *text);

#endif
