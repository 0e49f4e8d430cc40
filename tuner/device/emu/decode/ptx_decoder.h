/* Decoding one statement: ptx_decode.c finds its form, ptx_operand.c takes its operands
 * apart as the form's row says, ptx_rules.c says what the row cannot, ptx_value.c gives
 * each value a register, ptx_lacking.c says why a form is not there. */
#ifndef HONE_DEVICE_PTX_DECODER_H
#define HONE_DEVICE_PTX_DECODER_H

#include "emu_code.h"

struct ptx_decoder {
    struct hone_emu_code *code;
    const struct ptx_module *module;
    const struct ptx_kernel *kernel; /* its */
    struct hone_arena *arena;
    hone_emu_handler *const (*handlers)[PTX_TYPE_COUNT];
    struct hone_error *err;
    enum hone_status status;
    const struct ptx_statement *statement; /* the one being decoded */
    struct hone_emu_insn *insn;
    size_t next; /* its operand that is taken next */
    uint32_t sink[3];
    struct ptx_names constants; /* by value, a scope a width */
    struct ptx_names forms;     /* instructions by spelling, without operands */
    uint32_t carry;             /* predicate register; 0: none yet */
};

/* Record a failure with the statement's line; the first counts. */
void hone_ptx_decode_fail(struct ptx_decoder *decoder, enum hone_status status,
                          const char *format, ...) __attribute__((format(printf, 3, 4)));
/* The statement's form is none of the emulator's: with its line, and the reason where its
 * family is left out. */
void hone_ptx_lacks(struct ptx_decoder *decoder);
/* The operand just taken is not what the form wants. */
void hone_ptx_misuse(struct ptx_decoder *decoder, const char *what);

/* Has a GPU the shape and types of an mma? */
bool hone_ptx_mma_exists(const struct hone_emu_insn *insn);
/* What of an instruction with its operands does not go together; NULL: all does. */
const char *hone_ptx_inconsistency(const struct hone_emu_insn *insn);

/* A register of 1, 32 or 64 bits; 0 after a failure. */
uint32_t hone_ptx_new_register(struct ptx_decoder *decoder, uint32_t bits);
/* Bits of a register of the type in its class: 1, 32 or 64; more are as they are. */
uint32_t hone_ptx_class_of(enum ptx_type type);

/* The register that an operand reads or writes; bits 0 takes one of 32 or 64 bits as it
 * is. 0 after a failure. */
uint32_t hone_ptx_source(struct ptx_decoder *decoder, const struct ptx_operand *operand,
                         uint32_t bits);
uint32_t hone_ptx_destination(struct ptx_decoder *decoder,
                              const struct ptx_operand *operand, uint32_t bits);
/* The register that holds value; of 1 bit, 0 or all ones. */
uint32_t hone_ptx_constant(struct ptx_decoder *decoder, uint32_t bits, uint64_t value);
/* The special register of this name if each read of it is an instruction, and its width;
 * else -1. */
int hone_ptx_find_clock(const char *name, uint32_t *bits);

void hone_ptx_add_source(struct ptx_decoder *decoder, uint32_t reg);
/* Operands of wgmma.mma_async, whose form is there. */
void hone_ptx_take_wgmma(struct ptx_decoder *decoder);
/* Fill the instruction's sources and destinations; letters are those of optab.def. */
void hone_ptx_take_operands(struct ptx_decoder *decoder, const char *row);

#endif
