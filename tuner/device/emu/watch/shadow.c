// What is known of each bit of a warp's registers: the shadow of the register file.
#include <string.h>

#include "undefined.h"

unsigned hone_emu_register_bits(const struct hone_emu_code *code, uint32_t offset)
{
    return offset < code->words_at ? 1 : offset < code->doubles_at ? 32 : 64;
}

uint32_t hone_emu_place_of(const struct hone_emu_code *code, uint32_t offset,
                           uint32_t lane)
{
    const unsigned bits = hone_emu_register_bits(code, offset);
    return bits == 1 ? offset : offset + lane * bits / 8;
}

uint64_t hone_emu_undefined_bits(const struct hone_emu_shadow *shadow, uint32_t offset,
                                 uint32_t lane)
{
    uint64_t bits = 0;
    if (!(shadow->marks[offset / 4] >> lane & 1)) return 0;
    const unsigned width = hone_emu_register_bits(shadow->code, offset);
    if (width == 1) return 1;
    memcpy(&bits, shadow->bits + hone_emu_place_of(shadow->code, offset, lane),
           width / 8);
    return bits;
}

uint32_t hone_emu_origin(const struct hone_emu_shadow *shadow, uint32_t offset,
                         uint32_t lane)
{
    const uint32_t place = hone_emu_place_of(shadow->code, offset, lane);
    uint32_t guessed;
    if (hone_emu_register_bits(shadow->code, offset) > 1)
        return shadow->origins[place / 4];
    memcpy(&guessed, shadow->bits + place, sizeof guessed);
    return guessed >> lane & 1 ? shadow->guess_origins[place / 4]
                               : shadow->origins[place / 4];
}

uint32_t hone_emu_joined_origin(const struct hone_emu_shadow *shadow, uint32_t offset,
                                uint32_t lanes)
{
    const uint32_t first =
        hone_emu_origin(shadow, offset, (uint32_t)__builtin_ctz(lanes));
    uint32_t origin = first;
    for (uint32_t m = lanes; m && hone_emu_is_guess(shadow, origin); m &= m - 1)
        origin = hone_emu_origin(shadow, offset, (uint32_t)__builtin_ctz(m));
    return hone_emu_is_guess(shadow, origin) ? first : origin;
}

uint32_t hone_emu_origin_at(const struct hone_emu_shadow *shadow, uint32_t origin,
                            const struct hone_emu_insn *insn)
{
    const uint32_t site = (uint32_t)(insn - shadow->code->insns) + 1;
    return origin ? origin : site << HONE_EMU_RACE_BITS;
}

static void set_predicate_origin(const struct hone_emu_shadow *shadow, uint32_t place,
                                 uint32_t lane, uint32_t origin)
{
    const bool guess = hone_emu_is_guess(shadow, origin);
    uint32_t guessed;
    memcpy(&guessed, shadow->bits + place, sizeof guessed);
    guessed = (guessed & ~(UINT32_C(1) << lane)) | (uint32_t)guess << lane;
    memcpy(shadow->bits + place, &guessed, sizeof guessed);
    if (guess)
        shadow->guess_origins[place / 4] = (uint8_t)origin; // a race has no site
    else
        shadow->origins[place / 4] = origin;
}

void hone_emu_set_undefined(const struct hone_emu_shadow *shadow, uint32_t offset,
                            uint32_t lane, uint64_t bits, uint32_t origin)
{
    const unsigned width = hone_emu_register_bits(shadow->code, offset);
    const uint32_t place = hone_emu_place_of(shadow->code, offset, lane);
    hone_emu_marks *marks = &shadow->marks[offset / 4];
    *marks &= ~((hone_emu_marks)1 << lane);
    if (width < 64) bits &= (UINT64_C(1) << width) - 1;
    if (bits == 0) return;
    *shadow->changed = true;
    *marks |= (hone_emu_marks)1 << lane;
    if (width == 1) {
        set_predicate_origin(shadow, place, lane, origin);
        return;
    }
    shadow->origins[place / 4] = origin;
    memcpy(shadow->bits + place, &bits, width / 8);
}

void hone_emu_shadow_begin(const struct hone_emu_shadow *shadow)
{
    const struct hone_emu_code *code = shadow->code;
    const size_t words = code->register_bytes / 4;
    for (size_t k = 0; k < words; k++)
        shadow->marks[k] = UINT32_MAX;
    for (size_t k = 0; k < code->constant_count; k++)
        shadow->marks[code->constants[k].reg / 4] = 0;
    for (size_t k = 0; k < code->special_count; k++)
        shadow->marks[code->specials[k].reg / 4] = 0;
    if (!*shadow->changed) return;
    memset(shadow->bits, 0xff, code->register_bytes);
    memset(shadow->bits, 0, code->words_at); // no predicate is a guess
    memset(shadow->origins, 0, words * sizeof *shadow->origins);
    *shadow->changed = false;
}
