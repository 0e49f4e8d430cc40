// Guesses: plain loads beside atomic operations, whose value may be out of date and is
// none that was never there. The judge gives them others of those that their place held.
#include "check_state.h"

bool hone_emu_is_guess_race(const struct hone_emu_insn *load,
                            const struct hone_emu_insn *store)
{
    const bool plain =
        load->op == EMU_LD && !(load->order & (ORDER_STRONG | ORDER_READ_ONLY));
    // one for the block alone may be two steps to other blocks
    const bool whole = store->op == EMU_ATOM &&
                       (store->space == PTX_SHARED || !(store->order & ORDER_BLOCK));
    return plain && whole;
}

static const uint8_t *bytes_at(const struct hone_emu_warp *warp, uint64_t address,
                               bool shared)
{
    return shared ? warp->block->shared + address
                  : hone_emu_memory_host(warp->launch->memory, address);
}

void hone_emu_check_change(struct hone_emu_checker *checker,
                           const struct hone_emu_warp *warp,
                           const struct hone_emu_touch *touch, bool shared)
{
    struct hone_emu_judge *judge = checker->checks->judge;
    if (!hone_emu_judge_gives(judge) || !hone_emu_judge_follows(judge, touch->site))
        return;
    checker->due = true;
    for (uint32_t left = touch->mask; left;) {
        const uint32_t first = (uint32_t)__builtin_ctz(left);
        uint32_t lanes = 0;
        for (uint32_t m = left; m; m &= m - 1) {
            const int lane = __builtin_ctz(m);
            if (touch->addresses[lane] == touch->addresses[first])
                lanes |= UINT32_C(1) << lane;
        }
        left &= ~lanes;
        const struct hone_emu_racer by = hone_emu_racer_of(checker, touch, first, shared);
        const struct hone_emu_vector known =
            hone_emu_knowledge(&checker->order, warp->index, first);
        hone_emu_judge_change(judge, &by, lanes, &known,
                              bytes_at(warp, touch->addresses[first], shared));
    }
}

// What a register of this type gets of bytes.
static uint64_t extend(const uint8_t *bytes, uint32_t count, enum ptx_type type)
{
    uint64_t value = 0;
    memcpy(&value, bytes, count);
    const bool is_signed = type == PTX_S8 || type == PTX_S16 || type == PTX_S32;
    if (is_signed && value >> (8 * count - 1) & 1) value |= UINT64_MAX << 8 * count;
    return value;
}

void hone_emu_note_look(struct hone_emu_looks *looks, uint32_t owner, uint64_t address,
                        uint32_t bytes, uint32_t race)
{
    looks->owner = owner;
    looks->address = address;
    looks->bytes = bytes;
    looks->race = race;
    looks->unproven++;
    if (race) looks->fixed |= UINT32_C(1) << race;
}

void hone_emu_check_guess(struct hone_emu_checker *checker,
                          const struct hone_emu_warp *warp,
                          const struct hone_emu_insn *insn,
                          const struct hone_emu_touch *touch, uint32_t lane, bool shared)
{
    struct hone_emu_judge *judge = checker->checks->judge;
    const struct hone_emu_racer load = hone_emu_racer_of(checker, touch, lane, shared);
    const uint32_t each = touch->bytes / insn->lanes;
    const size_t most = sizeof checker->given / sizeof *checker->given;
    struct hone_emu_looks *looks = &checker->looks[warp->index][lane];
    const uint32_t turn = looks->count++;
    uint8_t bytes[32];
    if (!shared || !(checker->looked >> lane & 1))
        hone_emu_note_look(looks, shared ? checker->block + 1 : 0, load.address,
                           load.bytes, 0);
    if (!hone_emu_judge_gives(judge)) return;
    memcpy(bytes, bytes_at(warp, touch->addresses[lane], shared), touch->bytes);
    hone_emu_judge_give(judge, touch->site, &load, hone_emu_check_has_come, checker, turn,
                        bytes);
    checker->due = true;
    for (unsigned k = 0; k < insn->dst_count && checker->given_count < most; k++)
        checker->given[checker->given_count++] = (struct hone_emu_given){
            .warp = warp->index,
            .offset = insn->dst[k],
            .lane = lane,
            .value = extend(bytes + k * each, each, (enum ptx_type)insn->type)};
}

void hone_emu_check_due(struct hone_emu_checker *checker, struct hone_emu_block *block)
{
    for (size_t i = 0; i < checker->given_count; i++) {
        const struct hone_emu_given *given = &checker->given[i];
        const size_t size = hone_emu_register_bits(checker->code, given->offset) / 8;
        memcpy(block->warps[given->warp].regs + given->offset + given->lane * size,
               &given->value, size);
    }
    checker->given_count = 0;
    checker->due = false;
    hone_emu_judge_settle(checker->checks->judge);
}
