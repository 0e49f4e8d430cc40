// Types whose size and meaning a device compiler fixes. What another header may define
// otherwise is none of them.
#include "c_type.h"

#include <string.h>

static const struct base {
    const char *word;
    enum hone_declared_type type;
    enum hone_dtype dtype;
} bases[] = {
    {"void", HONE_DECLARED_VOID, HONE_U8},
    {"bool", HONE_DECLARED_BOOL, HONE_U8},
    {"float", HONE_DECLARED_ELEMENT, HONE_F32},
    {"double", HONE_DECLARED_ELEMENT, HONE_F64},
    {"char", HONE_DECLARED_ELEMENT, HONE_I8},
    {"short", HONE_DECLARED_ELEMENT, HONE_I16},
    {"int", HONE_DECLARED_ELEMENT, HONE_I32},
    {"half", HONE_DECLARED_ELEMENT, HONE_F16},
    {"__half", HONE_DECLARED_ELEMENT, HONE_F16},
    {"__nv_bfloat16", HONE_DECLARED_ELEMENT, HONE_BF16},
    {"nv_bfloat16", HONE_DECLARED_ELEMENT, HONE_BF16},
    {"__nv_fp8_e4m3", HONE_DECLARED_ELEMENT, HONE_E4M3},
    {"__nv_fp8_e5m2", HONE_DECLARED_ELEMENT, HONE_E5M2},
    {"int8_t", HONE_DECLARED_ELEMENT, HONE_I8},
    {"int16_t", HONE_DECLARED_ELEMENT, HONE_I16},
    {"int32_t", HONE_DECLARED_ELEMENT, HONE_I32},
    {"int64_t", HONE_DECLARED_ELEMENT, HONE_I64},
    {"uint8_t", HONE_DECLARED_ELEMENT, HONE_U8},
    {"uint16_t", HONE_DECLARED_ELEMENT, HONE_U16},
    {"uint32_t", HONE_DECLARED_ELEMENT, HONE_U32},
    {"uint64_t", HONE_DECLARED_ELEMENT, HONE_U64},
    {"size_t", HONE_DECLARED_ELEMENT, HONE_U64},
};

static const char *const silent[] = {"const",      "volatile",         "restrict",
                                     "__restrict", "__restrict__",     "std",
                                     "signed",     "__grid_constant__"};

static bool is_word(const char *word, size_t len, const char *wanted)
{
    return strlen(wanted) == len && memcmp(word, wanted, len) == 0;
}

static bool is_silent(const char *word, size_t len)
{
    for (size_t i = 0; i < sizeof silent / sizeof *silent; i++)
        if (is_word(word, len, silent[i])) return true;
    return false;
}

static bool is_begun(const struct hone_c_type *type)
{
    return type->has_base || type->longs || type->is_unsigned || type->is_signed ||
           type->unknown;
}

// "short int" and "unsigned char" have two of these words.
static bool take_base(struct hone_c_type *type, const char *word, size_t len)
{
    for (size_t i = 0; i < sizeof bases / sizeof *bases; i++) {
        const struct base *base = &bases[i];
        if (!is_word(word, len, base->word)) continue;
        const bool kept = type->has_base && type->dtype == HONE_I16;
        if (kept && base->dtype == HONE_I32) return true;
        if (type->has_base && !(type->dtype == HONE_I32 && base->dtype == HONE_I16))
            type->unknown = true;
        type->has_base = true;
        type->type = base->type;
        type->dtype = base->dtype;
        return true;
    }
    return false;
}

void hone_c_type_word(struct hone_c_type *type, const char *word, size_t len)
{
    type->words++;
    if (is_word(word, len, "signed")) type->is_signed = true;
    if (is_silent(word, len)) return;
    if (is_word(word, len, "unsigned"))
        type->is_unsigned = true;
    else if (is_word(word, len, "long"))
        type->longs++;
    else if (take_base(type, word, len))
        return;
    else if (!is_begun(type) || type->named)
        type->unknown = true;
    else
        type->named = true;
}

static enum hone_dtype integer(enum hone_dtype dtype, bool is_unsigned)
{
    if (!is_unsigned) return dtype;
    return dtype == HONE_I8    ? HONE_U8
           : dtype == HONE_I16 ? HONE_U16
           : dtype == HONE_I32 ? HONE_U32
           : dtype == HONE_I64 ? HONE_U64
                               : dtype;
}

void hone_c_type_tell(const struct hone_c_type *type, enum hone_declared_type *kind,
                      enum hone_dtype *dtype)
{
    const bool sized = type->longs || type->is_unsigned || type->is_signed;
    *kind = HONE_DECLARED_UNKNOWN;
    *dtype = HONE_U8;
    if (type->unknown || (!type->has_base && !sized)) return;
    enum hone_dtype base = type->has_base ? type->dtype : HONE_I32;
    const bool integers = base == HONE_I8 || base == HONE_I16 || base == HONE_I32;
    if (sized && (!integers || (type->longs && base != HONE_I32))) return;
    if (type->longs) base = HONE_I64;
    *kind = type->has_base ? type->type : HONE_DECLARED_ELEMENT;
    *dtype = integer(base, type->is_unsigned);
}
