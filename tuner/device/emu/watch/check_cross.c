// What is known of values that cross the lanes of a warp: shuffles, votes, products of
// matrices. As in the handlers of exec_warp.inc and exec_mma.inc, with marks for values.
#include "check_state.h"
#include "fidelity.h"

// Every lane when any has it.
static uint32_t spread(uint32_t lanes)
{
    return lanes ? UINT32_MAX : 0;
}

static hone_emu_marks spread_both(hone_emu_marks marks)
{
    return (hone_emu_marks)spread(hone_emu_approximate(marks)) << 32 |
           spread(hone_emu_unwritten(marks));
}

static uint32_t lane_word(const struct hone_emu_warp *warp, uint32_t offset, int lane)
{
    uint32_t word;
    memcpy(&word, warp->regs + offset + 4 * (size_t)lane, sizeof word);
    return word;
}

// Lane l's source, and whether that takes part.
static uint32_t shuffle_source(const struct hone_emu_warp *warp,
                               const struct hone_emu_insn *insn, uint32_t mask, int lane,
                               bool *gives)
{
    bool valid;
    int source = hone_emu_shuffle_source((enum emu_mode)insn->mode, lane,
                                         lane_word(warp, insn->src[1], lane),
                                         lane_word(warp, insn->src[2], lane), &valid);
    *gives = mask >> (source & 31) & 1;
    return (uint32_t)source & 31;
}

// A lane that does not take part has nothing to give.
static hone_emu_marks shuffle_marks(const struct hone_emu_warp *warp,
                                    const struct hone_emu_insn *insn,
                                    const hone_emu_marks *marks, uint32_t mask)
{
    hone_emu_marks from = marks[insn->src[0] / 4], result = 0;
    hone_emu_marks by = marks[insn->src[1] / 4] | marks[insn->src[2] / 4];
    from |= (uint32_t)~mask;
    if (from == 0) return by;
    for (int l = 0; l < HONE_EMU_LANES; l++) {
        bool gives;
        uint32_t source = shuffle_source(warp, insn, mask, l, &gives);
        result |= (from >> source & hone_emu_in_lanes(1)) << l;
    }
    return result | by;
}

// Lanes that know their vote may decide it for all.
static bool is_decided(const struct hone_emu_warp *warp, const struct hone_emu_insn *insn,
                       uint32_t mask, uint32_t undefined)
{
    const uint32_t word = lane_word(warp, insn->src[0], 0);
    const uint32_t known = mask & ~undefined;
    const uint32_t votes = (insn->negate & 1 ? ~word : word) & known;
    const bool some = votes != 0, others = votes != known;
    return insn->mode == MODE_ANY   ? some
           : insn->mode == MODE_ALL ? others
           : insn->mode == MODE_UNI ? some && others
                                    : false;
}

static hone_emu_marks vote_marks(const struct hone_emu_warp *warp,
                                 const struct hone_emu_insn *insn,
                                 const hone_emu_marks *marks, uint32_t mask)
{
    hone_emu_marks votes = marks[insn->src[0] / 4] & hone_emu_in_lanes(mask);
    hone_emu_marks all = spread_both(votes);
    return is_decided(warp, insn, mask, hone_emu_unwritten(votes))
               ? all & ~(uint64_t)UINT32_MAX
               : all;
}

// Lane l gets two elements of column l / 4, which lie in rows.
static hone_emu_marks transpose_marks(hone_emu_marks from)
{
    hone_emu_marks result = 0;
    for (int l = 0; l < HONE_EMU_LANES; l++)
        for (int e = 0; e < 2; e++) {
            int source = 4 * (2 * (l % 4) + e) + l / 4 / 2;
            result |= (from >> source & hone_emu_in_lanes(1)) << l;
        }
    return result;
}

// ---- products ----

// The four lanes that hold a row of A, or a column of B, when any of them has it.
static uint32_t spread_quads(uint32_t lanes)
{
    uint32_t any = (lanes | lanes >> 1 | lanes >> 2 | lanes >> 3) & 0x11111111;
    return any * 15;
}

// Lane l's result has columns 2 (l mod 4) and one more; column n is with quad n of B.
static uint32_t columns(uint32_t lanes)
{
    uint32_t quads = spread_quads(lanes), group = 0;
    for (int n = 0; n < 8; n++)
        group |= (quads >> 4 * n & 1) << n / 2;
    return group * 0x11111111;
}

static hone_emu_marks product_marks(const struct hone_emu_insn *insn,
                                    const hone_emu_marks *marks, unsigned k)
{
    if (hone_emu_is_quads(insn)) return 0; // of its factors nothing is followed
    unsigned a_count = hone_emu_a_registers(insn), b_count = hone_emu_b_registers(insn);
    unsigned packed = insn->type == PTX_F16 ? 2 : 1;
    unsigned half = hone_emu_rows(insn) == 16 ? k * packed / 2 & 1 : 0;
    hone_emu_marks a = 0, b = 0;
    for (unsigned r = 0; r < a_count; r++)
        if (hone_emu_rows(insn) != 16 || (r & 1) == half) a |= marks[insn->src[r] / 4];
    for (unsigned r = 0; r < b_count; r++)
        b |= marks[insn->src[a_count + r] / 4];
    hone_emu_marks own = marks[insn->src[a_count + b_count + k] / 4];
    if ((a | b) == 0) return own;
    return own | spread_quads(hone_emu_unwritten(a)) | columns(hone_emu_unwritten(b)) |
           (hone_emu_marks)(spread_quads(hone_emu_approximate(a)) |
                            columns(hone_emu_approximate(b)))
               << 32;
}

static hone_emu_marks cross_marks(const struct hone_emu_warp *warp,
                                  const struct hone_emu_insn *insn,
                                  const hone_emu_marks *marks, uint32_t mask, unsigned k)
{
    hone_emu_marks lanes = hone_emu_in_lanes(mask);
    switch (insn->op) {
    case EMU_SHUFFLE:
        return k ? marks[insn->src[1] / 4] | marks[insn->src[2] / 4]
                 : shuffle_marks(warp, insn, marks, mask);
    case EMU_VOTE:
        return vote_marks(warp, insn, marks, mask);
    case EMU_MATCH:
    case EMU_REDUX:
        return spread_both(marks[insn->src[0] / 4] & lanes);
    case EMU_MOVMATRIX:
        return transpose_marks(marks[insn->src[0] / 4]);
    case EMU_MMA:
        return product_marks(insn, marks, k);
    default:
        return 0; // the lanes themselves
    }
}

// ---- bits ----

// Undefined bits that a lane gets, where its mark says that there are some.
static uint64_t cross_bits(const struct hone_emu_shadow *shadow,
                           const struct hone_emu_warp *warp,
                           const struct hone_emu_insn *insn, uint32_t mask, unsigned k,
                           uint32_t lane)
{
    const uint32_t by = hone_emu_unwritten(shadow->marks[insn->src[1] / 4] |
                                           shadow->marks[insn->src[2] / 4]);
    bool gives;
    if (insn->op == EMU_VOTE && insn->mode == MODE_BALLOT)
        return hone_emu_unwritten(shadow->marks[insn->src[0] / 4]) & mask;
    if (insn->op != EMU_SHUFFLE || k || by >> lane & 1) return UINT64_MAX;
    const uint32_t source = shuffle_source(warp, insn, mask, (int)lane, &gives);
    return gives ? hone_emu_undefined_bits(shadow, insn->src[0], source) : UINT64_MAX;
}

// Does the lane get a shuffle's value from one that takes no part?
static bool is_from_absent(const struct hone_emu_shadow *shadow,
                           const struct hone_emu_warp *warp,
                           const struct hone_emu_insn *insn, uint32_t mask, unsigned k,
                           uint32_t lane)
{
    bool gives = true;
    if (insn->op != EMU_SHUFFLE || k) return false;
    const uint32_t by = hone_emu_unwritten(shadow->marks[insn->src[1] / 4] |
                                           shadow->marks[insn->src[2] / 4]);
    if (by >> lane & 1) return false;
    shuffle_source(warp, insn, mask, (int)lane, &gives);
    return !gives;
}

// The origin is that of the first source lane that has one which is no guess.
static uint32_t cross_origin(const struct hone_emu_shadow *shadow,
                             const struct hone_emu_insn *insn, uint32_t mask)
{
    uint32_t origin = 0;
    bool any = false;
    for (unsigned k = 0; k < insn->src_count; k++) {
        uint32_t lanes = hone_emu_unwritten(shadow->marks[insn->src[k] / 4]) & mask;
        if (lanes == 0 || (any && !hone_emu_is_guess(shadow, origin))) continue;
        origin = hone_emu_origin_at(
            shadow, hone_emu_joined_origin(shadow, insn->src[k], lanes), insn);
        any = true;
    }
    return origin;
}

void hone_emu_check_cross(const struct hone_emu_shadow *shadow,
                          const struct hone_emu_warp *warp,
                          const struct hone_emu_insn *insn, uint32_t mask)
{
    const hone_emu_marks more =
        hone_emu_is_approximate(insn) ? (hone_emu_marks)UINT32_MAX << 32 : 0;
    const hone_emu_marks lanes = hone_emu_in_lanes(mask);
    hone_emu_marks values[HONE_EMU_DST];
    uint64_t bits[HONE_EMU_DST][HONE_EMU_LANES];
    uint32_t absent = 0; // lanes that the first value comes to from nobody
    const uint32_t origin = cross_origin(shadow, insn, mask);
    for (unsigned k = 0; k < insn->dst_count; k++) {
        values[k] = (cross_marks(warp, insn, shadow->marks, mask, k) | more) & lanes;
        for (uint32_t m = hone_emu_unwritten(values[k]); m; m &= m - 1) {
            const uint32_t lane = (uint32_t)__builtin_ctz(m);
            bits[k][lane] = cross_bits(shadow, warp, insn, mask, k, lane);
            absent |= (uint32_t)is_from_absent(shadow, warp, insn, mask, k, lane) << lane;
        }
    }
    for (unsigned k = 0; k < insn->dst_count; k++) {
        hone_emu_marks *at = &shadow->marks[insn->dst[k] / 4];
        *at = (*at & ~lanes) | (values[k] & ~(hone_emu_marks)UINT32_MAX);
        for (uint32_t m = hone_emu_unwritten(values[k]); m; m &= m - 1) {
            const uint32_t lane = (uint32_t)__builtin_ctz(m);
            const bool from_nobody = k == 0 && absent >> lane & 1;
            hone_emu_set_undefined(shadow, insn->dst[k], lane, bits[k][lane],
                                   from_nobody ? hone_emu_origin_at(shadow, 0, insn) |
                                                     HONE_EMU_ABSENT
                                               : origin);
        }
    }
}
