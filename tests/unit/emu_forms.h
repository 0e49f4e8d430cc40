/* Forms of the instruction table, spelled at every type and with every modifier that they
 * take, and held to an oracle that is told the type. What was run is remembered, so that
 * a suite can ask whether a row was left out. Besides what emu_rows.h has. */
#ifndef HONE_EMU_FORMS_H
#define HONE_EMU_FORMS_H

#include "decode/emu_code.h"
#include "emu_rows.h"

struct form {
    char text[256];
    unsigned bits; /* of the result, as in struct row */
    enum ptx_type type;
    uint64_t (*value)(const struct form *form, uint64_t A, uint64_t B, uint64_t C);
    const void *what; /* the suite's own */
    double allowed;   /* relative error of a float; 0: none */
};

struct forms {
    struct emu emu;
    uint64_t in[COUNT][3];
    uint32_t types[512]; /* of each row of the table, those that were run */
};

static void forms_open(struct forms *forms)
{
    *forms = (struct forms){0};
    assert_true(hone_emu_form_count <= 512);
    emu_open(&forms->emu);
    fill_inputs(forms->in);
}

static bool find_opcode(const char *opcode, struct hone_emu_insn *insn)
{
    const struct ptx_statement statement = {.opcode = opcode};
    return hone_emu_find_form(&statement, insn);
}

/* Remember the forms of all instructions of a text; false when one is in no row. */
static bool note_forms(struct forms *forms, const char *text)
{
    char opcode[64];
    for (const char *at = text; *at; at += *at == ';') {
        struct hone_emu_insn insn;
        at += strspn(at, " ");
        size_t n = strcspn(at, " ;");
        if (n == 0) break;
        assert_true(n < sizeof opcode);
        snprintf(opcode, sizeof opcode, "%.*s", (int)n, at);
        if (!find_opcode(opcode, &insn)) return false;
        forms->types[insn.form] |= UINT32_C(1) << insn.type;
        at += strcspn(at, ";");
    }
    return true;
}

static bool is_near(const struct form *form, uint64_t value, uint64_t expected)
{
    bool single = form->bits == 33;
    double x = single ? (double)f32_of(value) : f64_of(value);
    double y = single ? (double)f32_of(expected) : f64_of(expected);
    return isfinite(y) && fabs(x - y) < form->allowed * fabs(y);
}

/* Over edge values and random ones, with all lanes and with some. */
static void check_form(struct forms *forms, const struct form *form)
{
    static uint64_t out[COUNT];
    const uint32_t masks[] = {UINT32_MAX, 0x50f3cc81};
    for (size_t k = 0; k < 2; k++) {
        run_text(&forms->emu, form->text, form->bits, masks[k], forms->in, out);
        for (int i = 0; i < COUNT; i++) {
            const uint64_t *in = forms->in[i];
            const bool runs = masks[k] >> i % 32 & 1;
            uint64_t expected =
                normalised(form->bits, runs ? form->value(form, in[0], in[1], in[2])
                                            : untouched(form->bits));
            uint64_t value = normalised(form->bits, out[i]);
            if (!runs || !is_near(form, value, expected))
                check_value(form->text, in, value, expected);
        }
    }
}

/* ---- spelling ---- */

static inline bool type_is_signed(enum ptx_type type)
{
    return type == PTX_S8 || type == PTX_S16 || type == PTX_S32 || type == PTX_S64;
}

static inline bool type_is_integer(enum ptx_type type)
{
    return type_is_signed(type) || (type >= PTX_U8 && type <= PTX_U64);
}

static inline bool type_is_float(enum ptx_type type)
{
    return type == PTX_F32 || type == PTX_F64;
}

/* The frame's register of a type: %a32, %af, ... */
static inline const char *register_of(char name, enum ptx_type type)
{
    static char texts[4][16];
    static unsigned next;
    char *text = texts[next++ % 4];
    unsigned bits = hone_ptx_type_bits(type);
    if (type_is_float(type))
        snprintf(text, sizeof texts[0], "%%%c%c", name, bits == 64 ? 'd' : 'f');
    else
        snprintf(text, sizeof texts[0], "%%%c%u", name, bits < 16 ? 32 : bits);
    return text;
}

/* pattern with $T for the type's suffix, $a $b $c $d for its registers, $D $W for the
 * result and the third operand of twice the width, $t $u for others that may be written. */
static inline void spell(char *out, size_t size, const char *pattern, enum ptx_type type)
{
    const unsigned bits = hone_ptx_type_bits(type);
    const enum ptx_type twice = bits == 16 ? PTX_U32 : PTX_U64;
    size_t used = 0;
    for (const char *at = pattern; *at; at++) {
        char piece[24];
        if (*at != '$')
            snprintf(piece, sizeof piece, "%c", *at);
        else if (*++at == 'T')
            snprintf(piece, sizeof piece, ".%s", hone_ptx_type_name(type));
        else if (*at == 'D' || *at == 'W')
            snprintf(piece, sizeof piece, "%s",
                     register_of(*at == 'D' ? 'd' : 'c', twice));
        else if (*at == 't' || *at == 'u')
            snprintf(piece, sizeof piece, "%%%c%d", bits == 64 ? 'x' : 't',
                     *at == 't' ? 6 : 7);
        else
            snprintf(piece, sizeof piece, "%s", register_of(*at, type));
        used += (size_t)snprintf(out + used, size - used, "%s", piece);
        assert_true(used < size);
    }
}

/* Every row of the classes in question at every type was run, but for those in others,
 * which ends with NULL: what other suites run. */
static inline void check_rows_are_run(const struct forms *forms, uint32_t classes,
                                      uint32_t types, const char *const *others)
{
    for (size_t i = 0; i < hone_emu_form_count; i++) {
        const struct hone_emu_form *row = &hone_emu_forms[i];
        bool other = !(classes >> row->class & 1);
        for (size_t k = 0; others[k] && !other; k++)
            other = strcmp(others[k], row->name) == 0;
        uint32_t left = row->types & types & ~forms->types[i];
        if (!other && left)
            fail_msg("%s.%s is never run", row->name,
                     hone_ptx_type_name((enum ptx_type)__builtin_ctz(left)));
    }
}

#endif
