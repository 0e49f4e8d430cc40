/* mbarrier objects (PTX ISA 9.0, section 9.7.13.15): 8 bytes of shared memory that count
 * the arrivals and the bytes of a phase. A phase is complete when no arrival and no byte
 * is pending; then the next one begins, with as many arrivals as the object expects.
 *
 * The object is its word, which PTX calls opaque: bits 0-19 the arrivals that a phase
 * expects, 20-39 those still pending, 40-60 the bytes pending (21 bits with a sign: bytes
 * may land before they are expected), 61-62 the phase modulo 4, 63 set while the object
 * lives. The state that an arrival returns is the word before it. */
#ifndef HONE_DEVICE_EMU_MBARRIER_H
#define HONE_DEVICE_EMU_MBARRIER_H

#include <stdbool.h>
#include <stdint.h>

/* Arrivals that an object may expect, and bytes that may be pending, at most. */
enum { HONE_EMU_MBARRIER_MOST = (1 << 20) - 1 };

/* What the fields of a word say. */
struct hone_emu_mbarrier {
    uint32_t expected, pending;
    int32_t bytes;
    uint32_t phase; /* modulo 4 */
    bool lives;
};
struct hone_emu_mbarrier hone_emu_mbarrier_read(uint64_t word);

/* What is wrong with an operation; the object stays as it was. */
enum hone_emu_mbarrier_misuse {
    HONE_EMU_MBARRIER_FINE,
    HONE_EMU_MBARRIER_DEAD,      /* never initialised, invalidated or overwritten */
    HONE_EMU_MBARRIER_COUNT,     /* 0, or more than an object can expect */
    HONE_EMU_MBARRIER_TOO_MANY,  /* arrivals than the phase waits for */
    HONE_EMU_MBARRIER_BYTES,     /* pending, more than an object can count */
    HONE_EMU_MBARRIER_COMPLETED, /* by an arrival that must not (.noComplete) */
    HONE_EMU_MBARRIER_NO_STATE,  /* a wait with what is none */
    HONE_EMU_MBARRIER_LATE       /* a wait for a phase before the last one */
};

enum hone_emu_mbarrier_misuse hone_emu_mbarrier_init(uint64_t *word, uint32_t count);

/* One operation on the object. In the order of PTX: expected bytes are added (negative:
 * they have landed), the object expects fewer arrivals from the next phase on, arrivals
 * come, and the phase ends where nothing is pending and tests says so. */
struct hone_emu_mbarrier_step {
    int64_t bytes;
    uint32_t arrivals;            /* 0: none */
    uint32_t more;                /* pending arrivals that the step adds */
    bool drops, tests, completes; /* completes: it may end the phase */
};
/* ended: whether the phase did. */
enum hone_emu_mbarrier_misuse
hone_emu_mbarrier_do(uint64_t *word, const struct hone_emu_mbarrier_step *step,
                     bool *ended);

/* Has the phase of the state ended; of the parity, the one before the present phase? */
enum hone_emu_mbarrier_misuse hone_emu_mbarrier_passed(uint64_t word, uint64_t state,
                                                       bool *passed);
enum hone_emu_mbarrier_misuse
hone_emu_mbarrier_passed_parity(uint64_t word, uint32_t parity, bool *passed);

#endif
