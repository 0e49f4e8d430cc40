/* A CUDA template as a compiler can take it that reads no files: what it includes is
 * inlined or given as headers in memory, and #line directives keep every message at the
 * file and line its author wrote. */
#ifndef HONE_RENDER_TEMPLATE_H
#define HONE_RENDER_TEMPLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/suggest.h"
#include "hone/source.h"
#include "render/sources.h"

/* Which pieces of the words that ask for a file are words by themselves: bit j of
 * ends[w][i] says it of the characters i to j - 1 of word w; letters, of those that are
 * only one letter in a header of an include folder. */
struct hone_pieces {
    uint32_t ends[2][18], letters[2][18];
};

/* What could be pasted together (render/pasting.h). */
struct hone_pasting {
    struct hone_pieces reached;  /* by macros that paste */
    struct hone_pieces anywhere; /* should other macros become such */
    char *macros; /* the names of those that paste, each between newlines; NULL: none */
};

struct hone_template {
    char *text; /* starts with a #line directive */
    char *name; /* file name without its folder: what #line and messages call it */
    struct hone_build_header *headers; /* what the text includes, by names of ours */
    size_t header_count;
    struct hone_pasting pasting;
    char hash[HONE_HASH_TEXT]; /* of text and headers */
};

/* Read path and all that it includes; places NULL: from the template's folder. What a
 * preprocessor makes of the result is what it would make of the files. No #include is
 * left but those of headers, no __has_include, and no folder name reaches the text, so
 * that it (and its hash) is the same on every machine.
 *
 * EINPUT with file and line for an include that leads to no file or out of the places,
 * or that only the compiler could resolve; where an #if decides whether it counts, an
 * #error takes its place instead. ENOTFOUND for a missing template. */
enum hone_status hone_template_read(struct hone_template *out, const char *path,
                                    const struct hone_template_places *places,
                                    struct hone_error *err);
void hone_template_fini(struct hone_template *template);

struct hone_kernel;
const struct hone_template *hone_kernel_get_template(const struct hone_kernel *kernel);

/* What the template does with a macro. */
struct hone_template_use {
    bool used;        /* mentioned in code, not only in its own #ifndef and #define */
    bool has_default; /* guarded by #ifndef or defined(): the file compiles without it */
};
/* Headers are looked through as well. */
void hone_template_uses(const struct hone_template *template, const char *const *names,
                        size_t count, struct hone_template_use *uses);

/* Does the template read that axis of blockIdx, or could it do without or read
 * it otherwise: as a whole, by asm, by cooperative groups, by that axis of gridDim, or by
 * an atomic whose result it uses, as tickets are taken? */
bool hone_template_reads_block(const struct hone_template *template, size_t axis,
                               bool *could);

/* The word of the template that could be name, misspelt: at most two letters or a third
 * of them apart, and none of others. Of macros that it gives a value itself; where none
 * of them is near and only_macros is false, of all its words. Headers are left out. */
bool hone_template_nearest(char nearest[HONE_WORD_MAX + 1],
                           const struct hone_template *template, const char *name,
                           const char *const *others, size_t count, bool only_macros);

#endif
