/* The words of a type in C or CUDA, put together. */
#ifndef HONE_RENDER_C_TYPE_H
#define HONE_RENDER_C_TYPE_H

#include "render/declaration.h"

struct hone_c_type {
    unsigned words;    /* of the type, so far */
    unsigned pointers; /* the caller counts them */
    unsigned longs;
    bool is_signed, is_unsigned;
    bool unknown; /* a word that is none of ours, and no name of a parameter */
    bool named;   /* the word behind the type */
    enum hone_declared_type type;
    enum hone_dtype dtype;
    bool has_base; /* type and dtype hold one */
};

void hone_c_type_word(struct hone_c_type *type, const char *word, size_t len);
void hone_c_type_tell(const struct hone_c_type *type, enum hone_declared_type *kind,
                      enum hone_dtype *dtype);

#endif
