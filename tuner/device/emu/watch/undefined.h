/* Which bits of registers hold no value: they were never written, or were read in a race,
 * and a correct kernel does not care what they are. A bit for each bit, as Memcheck has
 * it (Seward and Nethercote, "Using Valgrind to detect undefined value errors with
 * bit-precision", USENIX 2005): false AND x is false whatever x is. */
#ifndef HONE_DEVICE_UNDEFINED_H
#define HONE_DEVICE_UNDEFINED_H

#include "exec/emu_exec.h"

/* What is known of a register, a bit a lane: in the low half, some of its bits are
 * undefined; in the high half, a GPU computes another value. */
typedef uint64_t hone_emu_marks;

static inline hone_emu_marks hone_emu_in_lanes(uint32_t mask)
{
    return (hone_emu_marks)mask << 32 | mask;
}
static inline uint32_t hone_emu_unwritten(hone_emu_marks marks)
{
    return (uint32_t)marks;
}
static inline uint32_t hone_emu_approximate(hone_emu_marks marks)
{
    return (uint32_t)(marks >> 32);
}

/* Why a value is undefined: the number of the race in which it was read, or 0, it was
 * never written. Above that number, of the latter, where it was first read: by a load of
 * bytes or an operation on a register that nobody wrote; 0 where that is not known.
 * ABSENT: a shuffle read it there, from a lane that took no part. */
enum { HONE_EMU_ORIGINS = 32, HONE_EMU_RACE_BITS = 5 };
#define HONE_EMU_ABSENT UINT32_C(0x80000000)

static inline uint32_t hone_emu_origin_race(uint32_t origin)
{
    return origin & (HONE_EMU_ORIGINS - 1);
}
/* The instruction's number and 1. */
static inline uint32_t hone_emu_origin_site(uint32_t origin)
{
    return (origin & ~HONE_EMU_ABSENT) >> HONE_EMU_RACE_BITS;
}

/* Where undefined bytes have been stored from registers, so that a load of them knows
 * where they were first read: the latest, by the place of their flags. */
enum { HONE_EMU_STORED = 256 };
struct hone_emu_stored {
    struct {
        const uint8_t *flags;
        uint32_t origin;
    } at[HONE_EMU_STORED];
};

/* What is known of the registers of a warp. bits and origins count only where the mark of
 * a lane is set. A guess is the origin of a value that a load took from among those that
 * its place held, so that a predicate made of guesses alone is one that it may have had.
 */
struct hone_emu_shadow {
    const struct hone_emu_code *code;
    hone_emu_marks *marks; /* of a register: at its offset / 4 */
    uint8_t *bits;         /* laid out as the register file; of a predicate: lanes whose
                              origin is a guess */
    uint32_t *origins; /* of lane l: at offset / 4 + l, of 64 bits + 2 l, of a predicate
                              at its word */
    uint8_t *guess_origins;  /* of predicates, of lanes that bits names */
    const uint32_t *guesses; /* origins that are guesses, a bit each; NULL: none is */
    struct hone_emu_stored *stored;
    bool *changed; /* bits are not those that a block begins with */
};

static inline bool hone_emu_is_guess(const struct hone_emu_shadow *shadow,
                                     uint32_t origin)
{
    return shadow->guesses && *shadow->guesses >> hone_emu_origin_race(origin) & 1;
}

/* Nothing has been written but what is written before a kernel runs. Before the first
 * time *changed is to be true. */
void hone_emu_shadow_begin(const struct hone_emu_shadow *shadow);

/* 1, 32 or 64. */
unsigned hone_emu_register_bits(const struct hone_emu_code *code, uint32_t offset);
/* Where the register at offset has the lane's bits; that of a predicate is for all. */
uint32_t hone_emu_place_of(const struct hone_emu_code *code, uint32_t offset,
                           uint32_t lane);
/* Undefined bits of the register at offset in a lane. */
uint64_t hone_emu_undefined_bits(const struct hone_emu_shadow *shadow, uint32_t offset,
                                 uint32_t lane);
/* Why they are; call it where the mark is set. */
uint32_t hone_emu_origin(const struct hone_emu_shadow *shadow, uint32_t offset,
                         uint32_t lane);
/* The first origin of those lanes that is no guess, else the first; all have marks. */
uint32_t hone_emu_joined_origin(const struct hone_emu_shadow *shadow, uint32_t offset,
                                uint32_t lanes);
/* What never was written is read by that instruction: the origin, unless it has a place
 * or is a race. */
uint32_t hone_emu_origin_at(const struct hone_emu_shadow *shadow, uint32_t origin,
                            const struct hone_emu_insn *insn);
/* Set or (0) clear them, and the mark. */
void hone_emu_set_undefined(const struct hone_emu_shadow *shadow, uint32_t offset,
                            uint32_t lane, uint64_t bits, uint32_t origin);

/* What an instruction without a side effect is about to make of undefined sources, in
 * those lanes of mask where it has some: sets bits and marks of its destinations. The
 * handler may run on the warp's registers, which are as before when this returns. */
void hone_emu_define(const struct hone_emu_shadow *shadow, struct hone_emu_warp *warp,
                     const struct hone_emu_insn *insn, uint32_t mask);

#endif
