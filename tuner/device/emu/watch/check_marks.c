// What is known of bytes of memory goes to registers, and the reverse: flags of bytes,
// bits and origins of registers.
#include "check_state.h"

// Words of memory share an entry by their place; the latest store has it.
static size_t stored_index(const uint8_t *flags)
{
    return ((uintptr_t)flags >> 2) % HONE_EMU_STORED;
}

static void note_stored(const struct hone_emu_shadow *shadow, const uint8_t *flags,
                        uint32_t origin)
{
    const size_t k = stored_index(flags);
    shadow->stored->at[k].flags = flags;
    shadow->stored->at[k].origin = origin;
}

// The race of the byte, or where its value was first read: where it was stored from, or
// here.
static uint32_t loaded_origin(const struct hone_emu_shadow *shadow,
                              const struct hone_emu_insn *insn, const uint8_t *flags)
{
    const uint32_t race = *flags >> BYTE_ORIGIN_SHIFT;
    const size_t k = stored_index(flags);
    const bool is_stored = race == 0 && shadow->stored->at[k].flags == flags;
    return hone_emu_origin_at(shadow, is_stored ? shadow->stored->at[k].origin : race,
                              insn);
}

void hone_emu_load_flags(const struct hone_emu_shadow *shadow,
                         const struct hone_emu_insn *insn, uint32_t offset, uint32_t lane,
                         const uint8_t *flags, uint32_t count, unsigned shift)
{
    uint64_t bits = hone_emu_undefined_bits(shadow, offset, lane);
    uint32_t origin = bits ? hone_emu_origin(shadow, offset, lane) : 0;
    for (uint32_t k = 0; k < count && k < 8; k++) {
        if (flags[k] & BYTE_APPROXIMATE)
            shadow->marks[offset / 4] |= (hone_emu_marks)1 << 32 << lane;
        if (!(flags[k] & BYTE_UNWRITTEN)) continue;
        if (bits == 0 || hone_emu_is_guess(shadow, origin))
            origin = loaded_origin(shadow, insn, flags + k);
        bits |= UINT64_C(0xff) << (shift + 8 * k);
    }
    if (bits) hone_emu_set_undefined(shadow, offset, lane, bits, origin);
}

void hone_emu_store_flags(const struct hone_emu_shadow *shadow,
                          const struct hone_emu_insn *insn, uint32_t offset,
                          uint32_t lane, uint8_t *flags, uint32_t count, unsigned shift)
{
    const hone_emu_marks marks = shadow->marks[offset / 4];
    const uint8_t approximate = marks >> 32 >> lane & 1 ? BYTE_APPROXIMATE : 0;
    memset(flags, approximate, count);
    if (!(marks >> lane & 1)) return;
    const uint64_t bits = hone_emu_undefined_bits(shadow, offset, lane) >> shift;
    const uint32_t origin =
        hone_emu_origin_at(shadow, hone_emu_origin(shadow, offset, lane), insn);
    for (uint32_t k = 0; k < count && k < 8; k++)
        if (bits >> 8 * k & 0xff)
            flags[k] |= (uint8_t)(BYTE_UNWRITTEN | hone_emu_origin_race(origin)
                                                       << BYTE_ORIGIN_SHIFT);
    if (hone_emu_origin_site(origin)) note_stored(shadow, flags, origin);
}

void hone_emu_store_marks(const struct hone_emu_shadow *shadow,
                          const struct hone_emu_insn *insn, uint8_t *flags, uint32_t lane,
                          uint32_t bytes)
{
    for (uint32_t k = 0; k < insn->lanes; k++)
        hone_emu_store_flags(shadow, insn, insn->src[1 + k], lane, flags + k * bytes,
                             bytes, 0);
}

static bool extends_sign(const struct hone_emu_insn *insn)
{
    return insn->type == PTX_S8 || insn->type == PTX_S16 || insn->type == PTX_S32;
}

// A load; an exchange also stores, and what it stores is defined.
void hone_emu_atomic_marks(const struct hone_emu_shadow *shadow,
                           const struct hone_emu_insn *insn, uint8_t *flags,
                           uint32_t lane, uint32_t bytes)
{
    hone_emu_load_marks(shadow, insn, flags, lane, bytes);
    if (insn->logic == LOGIC_EXCH) memset(flags, 0, bytes);
}

void hone_emu_load_marks(const struct hone_emu_shadow *shadow,
                         const struct hone_emu_insn *insn, const uint8_t *flags,
                         uint32_t lane, uint32_t bytes)
{
    uint32_t parts = insn->op == EMU_LD ? insn->lanes : 1;
    for (uint32_t k = 0; k < parts && k < insn->dst_count; k++) {
        const uint32_t offset = insn->dst[k];
        hone_emu_load_flags(shadow, insn, offset, lane, flags + k * bytes, bytes, 0);
        const uint64_t bits = hone_emu_undefined_bits(shadow, offset, lane);
        if (extends_sign(insn) && bits >> (8 * bytes - 1) & 1)
            hone_emu_set_undefined(shadow, offset, lane,
                                   bits | ~((UINT64_C(1) << (8 * bytes - 1)) - 1),
                                   hone_emu_origin(shadow, offset, lane));
    }
}
