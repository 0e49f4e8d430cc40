// st.async and red.async: registers of a thread go to shared memory of another block of
// the cluster, and are counted at an mbarrier object there (PTX ISA 9.0). They are on the
// list of bulk copies (async/bulk.h).
#include "cluster.h"
#include "exec_bulk.h"

enum { MOST_BYTES = 16, OBJECT_BYTES = 8 };

static unsigned stored_bytes_of(const struct hone_emu_insn *insn)
{
    return insn->lanes * hone_ptx_type_bits((enum ptx_type)insn->type) / 8;
}

// Where the operand lies; false after a fault.
static bool locate(struct hone_emu_warp *warp, const struct hone_emu_insn *insn, int lane,
                   bool object, struct hone_emu_place *at)
{
    const unsigned source = object ? insn->src_count - 1U : 0;
    const bool wide = insn->wide & (object ? 0x40 : 0x80);
    uint64_t address = hone_emu_read_lane(warp, insn->src[source], lane, wide) +
                       (uint64_t)(object ? insn->imm : insn->offset);
    if (!wide) address = (uint32_t)address;
    if (insn->space == PTX_GENERIC) {
        if ((address & HONE_EMU_WINDOW_MASK) != HONE_EMU_SHARED_WINDOW) {
            hone_emu_fault(warp, insn, lane, HONE_CRASHED, HONE_FINDING_OUT_OF_BOUNDS,
                           "%s that is not in shared memory",
                           object ? "an mbarrier" : "an asynchronous store");
            return false;
        }
        address &= ~HONE_EMU_WINDOW_MASK;
    }
    return hone_emu_find_place(warp, insn, lane, address,
                               object ? OBJECT_BYTES : stored_bytes_of(insn), true, at);
}

// What PTX leaves undefined; false after a fault.
static bool obeys(struct hone_emu_warp *warp, const struct hone_emu_insn *insn, int lane,
                  const struct hone_emu_place *to, const struct hone_emu_place *object)
{
    const struct hone_emu_block *own = warp->block;
    const char *name = insn->op == EMU_REDASYNC ? "red.async" : "st.async";
    if (own->cluster->size < 2)
        hone_emu_fault(warp, insn, lane, HONE_CRASHED, HONE_FINDING_PEER,
                       "%s in a block that is in no cluster of several", name);
    else if (to->block != object->block)
        hone_emu_fault(warp, insn, lane, HONE_CRASHED, HONE_FINDING_PEER,
                       "%s to shared memory of block %u of the cluster, its mbarrier is "
                       "in block %u: both are to be in one",
                       name, to->block->rank, object->block->rank);
    else if (to->block == own && insn->op == EMU_REDASYNC)
        hone_emu_fault(warp, insn, lane, HONE_CRASHED, HONE_FINDING_PEER,
                       "red.async to shared memory of the own block, another one of the "
                       "cluster is wanted");
    else
        return true;
    return false;
}

static bool start_lane(struct hone_emu_warp *warp, const struct hone_emu_insn *insn,
                       int lane)
{
    const unsigned bytes = stored_bytes_of(insn), each = bytes / insn->lanes;
    struct hone_emu_place to, object;
    uint8_t values[MOST_BYTES];
    if (!locate(warp, insn, lane, false, &to) ||
        !locate(warp, insn, lane, true, &object) ||
        !obeys(warp, insn, lane, &to, &object))
        return false;
    for (unsigned k = 0; k < insn->lanes; k++) {
        const uint64_t value =
            hone_emu_read_lane(warp, insn->src[1 + k], lane, hone_emu_is_wide(insn, k));
        memcpy(values + (size_t)k * each, &value, each);
    }
    const struct hone_emu_bulk_run run = {
        .to = to.block->shared + to.offset, .from = values, .bytes = bytes};
    const struct hone_emu_bulk bulk = {.runs = &run,
                                       .run_count = 1,
                                       .insn = insn,
                                       .type = (enum ptx_type)insn->type,
                                       .warp = warp,
                                       .lane = lane,
                                       .end = HONE_EMU_BULK_MBARRIER,
                                       .mbarrier = (uint32_t)object.offset,
                                       .bytes = bytes,
                                       .borrowed = true};
    return hone_emu_bulk_start(to.block, &bulk);
}

void hone_emu_store_async(struct hone_emu_warp *warp, const struct hone_emu_insn *insn)
{
    for (uint32_t m = warp->mask; m; m &= m - 1)
        if (!start_lane(warp, insn, __builtin_ctz(m))) return;
}
