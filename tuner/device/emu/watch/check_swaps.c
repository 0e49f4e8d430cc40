// Compare and swap operations that fail: such a one stores nothing, so it is no signal,
// and its .release releases nothing (PTX ISA 9.0, section 8.7.2: a release pattern ends
// in a write).
#include "check_state.h"

static uint64_t address_of(const struct hone_emu_warp *warp,
                           const struct hone_emu_insn *insn, int lane)
{
    const bool wide = insn->wide & 0x80U;
    const uint64_t at =
        hone_emu_read_lane(warp, insn->src[0], lane, wide) + (uint64_t)insn->offset;
    return wide ? at : (uint32_t)at;
}

// What lies there, of its block or of device memory; NULL: another block's, or nothing.
static const uint8_t *find_word(const struct hone_emu_warp *warp,
                                const struct hone_emu_insn *insn, uint64_t address,
                                uint32_t bytes)
{
    const uint64_t window = address & HONE_EMU_WINDOW_MASK;
    const uint64_t at = insn->space == PTX_GENERIC ? address - window : address;
    const bool shared = insn->space == PTX_SHARED ||
                        (insn->space == PTX_GENERIC && window == HONE_EMU_SHARED_WINDOW);
    if (!shared) return hone_emu_memory_at(warp->launch->memory, address, bytes);
    const uint64_t size = warp->block->shared_bytes;
    return at <= size && bytes <= size - at ? warp->block->shared + at : NULL;
}

static bool differs(const struct hone_emu_warp *warp, const struct hone_emu_insn *insn,
                    int lane, const uint8_t *word, uint32_t bytes)
{
    const uint64_t wanted =
        hone_emu_read_lane(warp, insn->src[1], lane, bytes == sizeof(uint64_t));
    uint64_t is = 0;
    memcpy(&is, word, bytes);
    return (is ^ wanted) << (64 - 8 * bytes) != 0;
}

// A lane before it may swap at the same place, and change what this one finds.
static bool follows_swap(const struct hone_emu_warp *warp,
                         const struct hone_emu_insn *insn, uint32_t swapping, int lane)
{
    const uint64_t address = address_of(warp, insn, lane);
    for (uint32_t m = swapping & ((UINT32_C(1) << lane) - 1); m; m &= m - 1)
        if (address_of(warp, insn, __builtin_ctz(m)) == address) return true;
    return false;
}

uint32_t hone_emu_check_failed_swaps(const struct hone_emu_warp *warp,
                                     const struct hone_emu_insn *insn, uint32_t mask)
{
    const uint32_t bytes = hone_ptx_type_bits((enum ptx_type)insn->type) / 8;
    uint32_t failed = 0;
    if (insn->op != EMU_ATOM || insn->logic != LOGIC_CAS) return 0;
    for (uint32_t m = mask; m; m &= m - 1) {
        const int lane = __builtin_ctz(m);
        const uint8_t *word = find_word(warp, insn, address_of(warp, insn, lane), bytes);
        if (word && differs(warp, insn, lane, word, bytes) &&
            !follows_swap(warp, insn, mask & ~failed, lane))
            failed |= UINT32_C(1) << lane;
    }
    return failed;
}
