#include "mbarrier.h"

enum { COUNT_BITS = 20, BYTES_BITS = 21, PENDING_AT = 20, BYTES_AT = 40, PHASE_AT = 61 };

#define FIELD(word, at, bits) ((uint32_t)((word) >> (at)) & ((UINT32_C(1) << (bits)) - 1))

struct hone_emu_mbarrier hone_emu_mbarrier_read(uint64_t word)
{
    const int32_t sign = 1 << (BYTES_BITS - 1);
    const int32_t bytes = (int32_t)FIELD(word, BYTES_AT, BYTES_BITS);
    return (struct hone_emu_mbarrier){.expected = FIELD(word, 0, COUNT_BITS),
                                      .pending = FIELD(word, PENDING_AT, COUNT_BITS),
                                      .bytes = (bytes ^ sign) - sign,
                                      .phase = FIELD(word, PHASE_AT, 2),
                                      .lives = word >> 63};
}

static uint64_t write_fields(const struct hone_emu_mbarrier *object)
{
    const uint32_t bytes = (uint32_t)object->bytes & ((UINT32_C(1) << BYTES_BITS) - 1);
    return (uint64_t)object->lives << 63 | (uint64_t)(object->phase & 3) << PHASE_AT |
           (uint64_t)bytes << BYTES_AT | (uint64_t)object->pending << PENDING_AT |
           object->expected;
}

enum hone_emu_mbarrier_misuse hone_emu_mbarrier_init(uint64_t *word, uint32_t count)
{
    if (count == 0 || count > HONE_EMU_MBARRIER_MOST) return HONE_EMU_MBARRIER_COUNT;
    *word = write_fields(
        &(struct hone_emu_mbarrier){.expected = count, .pending = count, .lives = true});
    return HONE_EMU_MBARRIER_FINE;
}

enum hone_emu_mbarrier_misuse
hone_emu_mbarrier_do(uint64_t *word, const struct hone_emu_mbarrier_step *step,
                     bool *ended)
{
    struct hone_emu_mbarrier object = hone_emu_mbarrier_read(*word);
    const int64_t bytes = object.bytes + step->bytes;
    const uint64_t pending = (uint64_t)object.pending + step->more;
    *ended = false;
    if (!object.lives) return HONE_EMU_MBARRIER_DEAD;
    if (bytes > HONE_EMU_MBARRIER_MOST || -bytes > HONE_EMU_MBARRIER_MOST)
        return HONE_EMU_MBARRIER_BYTES;
    if (pending > HONE_EMU_MBARRIER_MOST) return HONE_EMU_MBARRIER_COUNT;
    if (step->arrivals > pending) return HONE_EMU_MBARRIER_TOO_MANY;
    if (step->drops && step->arrivals > object.expected)
        return HONE_EMU_MBARRIER_TOO_MANY;
    object.bytes = (int32_t)bytes;
    object.pending = (uint32_t)pending - step->arrivals;
    if (step->drops) object.expected -= step->arrivals;
    *ended = step->tests && object.pending == 0 && object.bytes == 0;
    if (*ended && !step->completes) return HONE_EMU_MBARRIER_COMPLETED;
    if (*ended) {
        object.phase++;
        object.pending = object.expected;
    }
    *word = write_fields(&object);
    return HONE_EMU_MBARRIER_FINE;
}

enum hone_emu_mbarrier_misuse hone_emu_mbarrier_passed(uint64_t word, uint64_t state,
                                                       bool *passed)
{
    const struct hone_emu_mbarrier now = hone_emu_mbarrier_read(word);
    const struct hone_emu_mbarrier then = hone_emu_mbarrier_read(state);
    const uint32_t behind = (now.phase - then.phase) & 3;
    *passed = behind != 0;
    if (!now.lives) return HONE_EMU_MBARRIER_DEAD;
    if (!then.lives) return HONE_EMU_MBARRIER_NO_STATE;
    return behind > 1 ? HONE_EMU_MBARRIER_LATE : HONE_EMU_MBARRIER_FINE;
}

enum hone_emu_mbarrier_misuse
hone_emu_mbarrier_passed_parity(uint64_t word, uint32_t parity, bool *passed)
{
    const struct hone_emu_mbarrier now = hone_emu_mbarrier_read(word);
    *passed = (now.phase & 1) != (parity & 1);
    return now.lives ? HONE_EMU_MBARRIER_FINE : HONE_EMU_MBARRIER_DEAD;
}
