#include "exchange.h"

#include <stdlib.h>
#include <string.h>

#include "judge.h"

struct hone_emu_exchanges *hone_emu_exchanges_new(struct hone_emu_reach *reach,
                                                  struct hone_emu_judge *judge,
                                                  uint32_t warps)
{
    struct hone_emu_exchanges *exchanges = calloc(1, sizeof *exchanges);
    if (!exchanges) return NULL;
    exchanges->reach = reach;
    exchanges->judge = judge;
    exchanges->warps = warps;
    exchanges->loaded =
        calloc((size_t)warps * reach->loads + 1, sizeof *exchanges->loaded);
    if (exchanges->loaded) return exchanges;
    hone_emu_exchanges_free(exchanges);
    return NULL;
}

void hone_emu_exchanges_free(struct hone_emu_exchanges *exchanges)
{
    if (!exchanges) return;
    free(exchanges->loaded);
    free(exchanges);
}

void hone_emu_exchanges_begin(struct hone_emu_exchanges *exchanges)
{
    const size_t count = (size_t)exchanges->warps * exchanges->reach->loads;
    memset(exchanges->loaded, 0, count * sizeof *exchanges->loaded);
    for (uint32_t w = 0; w < exchanges->warps; w++)
        exchanges->of[w].count = 0;
}

// The lanes whose load it was. Several may be any that made it since all met, and are not
// known where several instructions loaded.
static uint32_t lanes_of(hone_emu_stamp load, const struct hone_emu_loaded *loaded)
{
    const uint32_t lane = hone_emu_stamp_lane(load);
    if (lane < HONE_EMU_LANES) return UINT32_C(1) << lane;
    return lane == HONE_EMU_SEVERAL ? loaded->lanes : 0;
}

// Goes back from what the lane does now: whoever took part in an exchange with somebody
// who is known by then is known up to it.
static bool are_known(const struct hone_emu_warp_exchanges *of, uint32_t since,
                      const struct hone_emu_reach *reach, const uint64_t *reached,
                      uint32_t from, uint32_t lane)
{
    uint32_t known = UINT32_C(1) << lane, left = from & ~known;
    const uint32_t oldest =
        of->count > HONE_EMU_EXCHANGES ? of->count - HONE_EMU_EXCHANGES : 0;
    for (uint32_t n = of->count; left && n > since && n > oldest; n--) {
        const struct hone_emu_exchange *one = &of->last[(n - 1) % HONE_EMU_EXCHANGES];
        const uint32_t number = reach->numbers[one->site] - 1;
        if (!(one->lanes & known)) continue;
        known |= one->lanes;
        if (reached[number / 64] >> (number % 64) & 1) left &= ~one->lanes;
    }
    return left == 0;
}

bool hone_emu_exchanges_order(struct hone_emu_exchanges *exchanges, hone_emu_stamp load,
                              uint32_t load_site, uint32_t warp, uint32_t lane,
                              uint32_t store_site)
{
    if (!exchanges || hone_emu_stamp_warp(load) != warp || lane >= HONE_EMU_LANES)
        return false;
    struct hone_emu_reach *reach = exchanges->reach;
    const struct hone_emu_warp_exchanges *of = &exchanges->of[warp];
    const struct hone_emu_insn *insn = &reach->code->insns[load_site];
    if (!hone_emu_is_load(insn)) return false;
    const struct hone_emu_loaded *loaded =
        &exchanges->loaded[warp * reach->loads + reach->numbers[load_site] - 1];
    const uint32_t from = lanes_of(load, loaded);
    if (from == 0 || of->count <= loaded->exchanges) return false;
    const uint64_t *reached = hone_emu_reach_of(reach, load_site);
    if (!reached || !are_known(of, loaded->exchanges, reach, reached, from, lane))
        return false;
    hone_emu_judge_note_exchange(exchanges->judge, load_site, store_site);
    return true;
}
