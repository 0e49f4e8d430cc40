// Accesses that nothing orders. Two stores are a finding. A load that races gets an
// undefined value, which is a finding where it is used; a store that comes after racing
// loads is noted, and their values are undefined when the launch is run again.
#include "check_state.h"
#include "waive.h"

// ---- who meets ----

// One lane for each address, as far as a small table tells, and which of them stand for
// several.
static uint32_t distinct_lanes(const struct hone_emu_touch *touch, uint32_t *several)
{
    uint8_t table[64] = {0}; // lane + 1
    uint32_t distinct = 0;
    int shift = __builtin_ctz(touch->bytes);
    *several = 0;
    for (uint32_t m = touch->mask; m; m &= m - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(m);
        uint8_t *slot = &table[touch->addresses[lane] >> shift & 63];
        if (*slot && touch->addresses[*slot - 1] == touch->addresses[lane]) {
            *several |= UINT32_C(1) << (*slot - 1);
            continue;
        }
        distinct |= UINT32_C(1) << lane;
        if (!*slot) *slot = (uint8_t)(lane + 1);
    }
    return distinct;
}

void hone_emu_merge_lanes(struct hone_emu_touch *touch)
{
    touch->all = touch->mask;
    touch->mask = distinct_lanes(touch, &touch->several);
}

// Would the copy write what memory holds? Of the cell, what each run has.
static bool copies_same(const struct hone_emu_async *event, const uint8_t *cell,
                        uint32_t bytes)
{
    for (size_t k = 0; k < event->run_count; k++) {
        const struct hone_emu_bulk_run *run = &event->runs[k];
        const uint8_t *first = run->to > cell ? run->to : cell;
        const uint8_t *end =
            run->to + run->bytes < cell + bytes ? run->to + run->bytes : cell + bytes;
        if (first < end &&
            memcmp(first, run->from + (first - run->to), (size_t)(end - first)) != 0)
            return false;
    }
    return event->run_count > 0;
}

// Do both lanes, or the lane and memory, hold the same value for the bytes at address?
bool hone_emu_stores_same(const struct hone_emu_warp *warp,
                          const struct hone_emu_insn *insn,
                          const struct hone_emu_touch *touch, struct hone_emu_view memory,
                          const struct hone_emu_conflict *conflict)
{
    if (!conflict->other_writes) return false;
    uint64_t base = touch->addresses[conflict->lane];
    const uint8_t *there = memory.host + (base - memory.address);
    if (touch->by) return copies_same(touch->by, there, touch->bytes);
    if (insn->op != EMU_ST) return false;
    uint32_t bytes = touch->bytes / insn->lanes;
    uint32_t part =
        (uint32_t)((conflict->address < base ? 0 : conflict->address - base) / bytes);
    const uint8_t *reg = warp->regs + insn->src[1 + part];
    size_t size = hone_emu_is_wide(insn, part) ? 8 : 4;
    const uint8_t *mine = reg + size * (size_t)conflict->lane;
    bool together = !conflict->other_block && conflict->other_warp == warp->index &&
                    conflict->other_site == touch->site && conflict->other_lane < 32;
    const uint8_t *theirs =
        together ? reg + size * (size_t)conflict->other_lane : there + part * bytes;
    return memcmp(mine, theirs, bytes) == 0;
}

static bool touch_cells(struct hone_emu_checker *checker, enum ptx_space space,
                        const struct hone_emu_touch *touch,
                        struct hone_emu_conflict *conflict)
{
    if (space == PTX_SHARED)
        return hone_emu_races_touch(&checker->races, &checker->order, touch, conflict);
    return hone_emu_global_races_touch(checker->checks->races, checker->block,
                                       &checker->order, touch, conflict);
}

static uint32_t stored_bytes(struct hone_emu_checker *checker, enum ptx_space space,
                             const struct hone_emu_touch *touch, uint32_t lane)
{
    if (space == PTX_SHARED)
        return hone_emu_races_stored(&checker->races, &checker->order, touch, lane);
    return hone_emu_global_races_stored(checker->checks->races, checker->block,
                                        &checker->order, touch, lane);
}

// ---- what becomes of it ----

static struct hone_fault describe_race(const struct hone_emu_checker *checker,
                                       const struct hone_emu_warp *warp,
                                       const struct hone_emu_insn *insn,
                                       enum ptx_space space,
                                       const struct hone_emu_conflict *conflict)
{
    char text[HONE_REASON_MAX];
    const enum hone_finding finding =
        hone_emu_word_conflict(text, sizeof text, checker, warp, insn, space, conflict);
    struct hone_fault fault = hone_emu_describe(warp, insn, conflict->lane,
                                                HONE_WRONG_RESULT, finding, "%s", text);
    if (space == PTX_GLOBAL)
        hone_emu_name_buffer(&fault, warp->launch, conflict->address);
    return fault;
}

// A waiver of either line, or of the buffer, lets it pass: the value counts as it is.
static bool is_waived(const struct hone_emu_checker *checker,
                      const struct hone_emu_warp *warp, const struct hone_emu_insn *insn,
                      enum ptx_space space, const struct hone_emu_conflict *conflict)
{
    const struct hone_emu_suspect suspect = {
        hone_emu_kind_of_conflict(insn, conflict), (size_t)(insn - checker->code->insns),
        conflict->other_site, space == PTX_GLOBAL ? conflict->address : 0};
    return hone_emu_waives(warp->launch, &suspect);
}

// The bits of a register that bytes make up, where each byte has a bit. Of a value that
// is narrower than its register all are, since it may be extended by its sign.
static uint64_t bits_of_bytes(uint32_t bytes, uint32_t count)
{
    uint64_t bits = 0;
    if (count < 4) return bytes ? UINT64_MAX : 0;
    for (uint32_t b = 0; b < count && b < 8; b++)
        if (bytes >> b & 1) bits |= UINT64_C(0xff) << 8 * b;
    return bits;
}

// The same of an element of a matrix, which is its register or a half of that.
static uint64_t bits_of_element(const struct hone_emu_touch *touch, uint32_t bytes)
{
    uint64_t bits = 0;
    for (uint32_t b = 0; b < touch->bytes && b < 4; b++)
        if (bytes >> b & 1) bits |= UINT64_C(0xff) << (8 * b + 16 * touch->half);
    return bits;
}

// Makes those of the lane's bytes undefined, in all registers from number k on.
void hone_emu_make_undefined(struct hone_emu_checker *checker,
                             const struct hone_emu_warp *warp,
                             const struct hone_emu_insn *insn,
                             const struct hone_emu_touch *touch, unsigned k,
                             uint32_t lane, uint32_t bytes, uint32_t origin)
{
    const struct hone_emu_shadow *shadow = &checker->shadows[warp->index];
    const uint32_t each = insn->op == EMU_LD ? touch->bytes / insn->lanes : 0;
    const bool matrix = insn->op == EMU_LDMATRIX;
    const unsigned end = matrix ? k + 1 : insn->dst_count;
    if (insn->op == EMU_CPASYNC)
        hone_emu_check_copied(checker, warp->index, lane, UINT16_MAX, origin);
    for (unsigned d = k; d < end; d++) {
        const uint64_t before = hone_emu_undefined_bits(shadow, insn->dst[d], lane);
        if (before && hone_emu_is_guess(shadow, origin))
            origin = hone_emu_origin(shadow, insn->dst[d], lane);
        const uint32_t part = each ? bytes >> (d * each) & ((1U << each) - 1) : bytes;
        const uint64_t bits = each     ? bits_of_bytes(part, each)
                              : matrix ? bits_of_element(touch, bytes)
                                       : UINT64_MAX;
        if (bits)
            hone_emu_set_undefined(shadow, insn->dst[d], lane, before | bits, origin);
    }
}

// Lanes that load what the conflict's lane does.
static uint32_t racing_lanes(const struct hone_emu_touch *touch,
                             const struct hone_emu_conflict *conflict)
{
    uint32_t lanes = UINT32_C(1) << conflict->lane;
    if (touch->several & lanes)
        for (uint32_t m = touch->all; m; m &= m - 1) {
            const int lane = __builtin_ctz(m);
            if (touch->addresses[lane] == touch->addresses[conflict->lane])
                lanes |= UINT32_C(1) << lane;
        }
    return lanes;
}

static uint32_t number_race(struct hone_emu_checker *checker,
                            const struct hone_emu_warp *warp,
                            const struct hone_emu_insn *insn, enum ptx_space space,
                            const struct hone_emu_conflict *conflict, bool loads)
{
    struct hone_emu_judge *judge = checker->checks->judge;
    const uint32_t site = (uint32_t)(insn - checker->code->insns);
    const uint32_t load = loads ? site : conflict->other_site;
    const uint32_t store = loads ? conflict->other_site : site;
    const struct hone_emu_insn *insns = checker->code->insns;
    const bool guess = hone_emu_is_guess_race(&insns[load], &insns[store]);
    const uint32_t number = hone_emu_judge_find_race(judge, load, store, guess);
    if (guess) hone_emu_judge_follow(judge, store);
    if (number) return number;
    const struct hone_fault fault = describe_race(checker, warp, insn, space, conflict);
    return hone_emu_judge_add_race(judge, load, store, guess, &fault);
}

struct hone_emu_racer hone_emu_racer_of(const struct hone_emu_checker *checker,
                                        const struct hone_emu_touch *touch, uint32_t lane,
                                        bool shared)
{
    return (struct hone_emu_racer){
        .address = touch->addresses[lane],
        .bytes = touch->bytes,
        .block = checker->block,
        .stamp = hone_emu_stamp_make(&checker->order, touch->warp, lane, touch->strong),
        .world = hone_emu_global_races_world(checker->checks->races),
        .site = touch->site,
        .shared = shared};
}

bool hone_emu_check_has_come(const void *context, const struct hone_emu_racer *store,
                             const struct hone_emu_racer *load)
{
    const struct hone_emu_checker *checker = context;
    const uint32_t warp = hone_emu_stamp_warp(load->stamp);
    if (store->block == load->block)
        return hone_emu_ordered(&checker->order, store->stamp, warp,
                                hone_emu_stamp_lane(load->stamp));
    return hone_emu_global_races_ordered(checker->checks->races, store->block,
                                         store->stamp, store->world,
                                         hone_emu_knower_of(checker, warp));
}

// A store that comes after a load: false when it is a finding all the same.
static bool note_store(struct hone_emu_checker *checker, const struct hone_emu_warp *warp,
                       const struct hone_emu_insn *insn, enum ptx_space space,
                       const struct hone_emu_touch *touch,
                       const struct hone_emu_conflict *conflict)
{
    struct hone_emu_judge *judge = checker->checks->judge;
    // strong accesses, and loads of what must stay, are wrong whatever becomes of a value
    const bool firm =
        conflict->other_read_only || (touch->strong && conflict->other_strong);
    if (firm || conflict->other_writes) return false;
    if (hone_emu_judge_is_again(judge)) // what guesses make of others' values is new
        return hone_emu_judge_gives(judge) &&
               hone_emu_is_guess_race(&checker->code->insns[conflict->other_site], insn);
    const struct hone_emu_racer store =
        hone_emu_racer_of(checker, touch, (uint32_t)conflict->lane, space == PTX_SHARED);
    const struct hone_emu_vector known =
        hone_emu_knowledge(&checker->order, warp->index, (uint32_t)conflict->lane);
    return hone_emu_judge_add_store(
        judge, &store, &known, number_race(checker, warp, insn, space, conflict, false));
}

// Lanes whose loads race with a store that comes later, as an earlier run has shown.
static uint32_t check_later_stores(struct hone_emu_checker *checker,
                                   const struct hone_emu_warp *warp,
                                   const struct hone_emu_insn *insn, enum ptx_space space,
                                   const struct hone_emu_touch *touch, unsigned k)
{
    const struct hone_emu_judge *judge = checker->checks->judge;
    uint32_t racing = 0;
    if (touch->writes || !hone_emu_judge_is_again(judge)) return 0;
    for (uint32_t m = touch->all; m; m &= m - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(m);
        const struct hone_emu_racer load =
            hone_emu_racer_of(checker, touch, lane, space == PTX_SHARED);
        uint32_t origin = 0;
        const uint32_t bytes = hone_emu_judge_find_stores(
            judge, &load, hone_emu_check_has_come, checker, &origin);
        if (bytes == 0) continue;
        if (*hone_emu_judge_guesses(judge) >> origin & 1)
            hone_emu_check_guess(checker, warp, insn, touch, lane, space == PTX_SHARED);
        hone_emu_make_undefined(checker, warp, insn, touch, k, lane, bytes, origin);
        racing |= UINT32_C(1) << lane;
    }
    return racing;
}

// Each lane that loads what the conflict's lane does loses the bytes that others stored.
static void drop_loaded(struct hone_emu_checker *checker,
                        const struct hone_emu_warp *warp,
                        const struct hone_emu_insn *insn, enum ptx_space space,
                        const struct hone_emu_touch *touch,
                        const struct hone_emu_conflict *conflict, unsigned k)
{
    const uint32_t race = number_race(checker, warp, insn, space, conflict, true);
    const uint32_t lanes = racing_lanes(touch, conflict);
    for (uint32_t m = lanes; m; m &= m - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(m);
        const uint32_t bytes = conflict->other_writes && !touch->read_only
                                   ? stored_bytes(checker, space, touch, lane)
                                   : UINT32_MAX;
        if (bytes == 0) continue;
        if (*hone_emu_judge_guesses(checker->checks->judge) >> race & 1)
            hone_emu_check_guess(checker, warp, insn, touch, lane, space == PTX_SHARED);
        hone_emu_make_undefined(checker, warp, insn, touch, k, lane, bytes, race);
    }
}

// The race is with who initialised an mbarrier object, and fenced that alone.
static bool knows_object(const struct hone_emu_checker *checker,
                         const struct hone_emu_warp *warp, enum ptx_space space,
                         const struct hone_emu_conflict *conflict)
{
    return space == PTX_SHARED &&
           checker->code->insns[conflict->other_site].op == EMU_MBINIT &&
           hone_emu_knows_object(checker, warp->index, (uint32_t)conflict->lane, checker,
                                 conflict->address);
}

// False when it is a finding, which ends the launch.
static bool settle(struct hone_emu_checker *checker, const struct hone_emu_warp *warp,
                   const struct hone_emu_insn *insn, enum ptx_space space,
                   const struct hone_emu_touch *touch,
                   const struct hone_emu_conflict *conflict, unsigned k)
{
    const struct hone_emu_view memory =
        space == PTX_SHARED
            ? (struct hone_emu_view){warp->block->shared, 0}
            : (struct hone_emu_view){warp->launch->memory->host, HONE_EMU_DEVICE_BASE};
    if (touch->writes && hone_emu_stores_same(warp, insn, touch, memory, conflict))
        return true;
    if (knows_object(checker, warp, space, conflict)) return true;
    if (is_waived(checker, warp, insn, space, conflict)) return true;
    if (!touch->writes) {
        drop_loaded(checker, warp, insn, space, touch, conflict, k);
        return true;
    }
    if (note_store(checker, warp, insn, space, touch, conflict)) return true;
    struct hone_fault fault = describe_race(checker, warp, insn, space, conflict);
    hone_emu_judge_say_lost(checker->checks->judge, &fault);
    hone_emu_report(warp, &fault);
    return false;
}

void hone_emu_check_races(struct hone_emu_checker *checker,
                          const struct hone_emu_warp *warp,
                          const struct hone_emu_insn *insn, enum ptx_space space,
                          const struct hone_emu_touch *whole, unsigned k)
{
    struct hone_emu_conflict conflict;
    if (!checker->checks->again && !touch_cells(checker, space, whole, &conflict)) return;
    struct hone_emu_touch touch = *whole;
    if (!checker->checks->again) { // noted up to the lane that conflicts
        if (!settle(checker, warp, insn, space, &touch, &conflict, k)) return;
        touch.mask &= ~((UINT32_C(2) << conflict.lane) - 1);
    }
    const uint32_t racing = check_later_stores(checker, warp, insn, space, whole, k);
    if (racing) {
        touch.mask = whole->all & ~racing;
        hone_emu_merge_lanes(&touch);
    }
    while (touch.mask && touch_cells(checker, space, &touch, &conflict)) {
        if (!settle(checker, warp, insn, space, &touch, &conflict, k)) return;
        touch.mask &= ~((UINT32_C(2) << conflict.lane) - 1); // go on with the next lane
    }
}

void hone_emu_check_pending(struct hone_emu_checker *checker,
                            const struct hone_emu_warp *warp,
                            const struct hone_emu_insn *insn, uint32_t lane,
                            const struct hone_emu_touch *touch, unsigned k)
{
    struct hone_emu_judge *judge = checker->checks->judge;
    uint32_t owner;
    const struct hone_emu_pending *copy =
        hone_emu_check_find_copy(checker, touch->addresses[lane], touch->bytes, &owner);
    const uint32_t site = touch->site, copied = copy ? copy->site : 0;
    char text[HONE_REASON_MAX];
    const enum hone_finding finding =
        hone_emu_word_pending(text, sizeof text, checker, warp, insn, lane,
                              touch->addresses[lane], touch->bytes);
    const struct hone_emu_suspect suspect = {finding, site, site, 0};
    if (hone_emu_waives(warp->launch, &suspect)) return;
    uint32_t race = hone_emu_judge_find_race(judge, site, copied, false);
    const struct hone_fault fault =
        hone_emu_describe(warp, insn, (int)lane, HONE_WRONG_RESULT, finding, "%s", text);
    if (touch->writes) {
        hone_emu_report(warp, &fault);
        return;
    }
    if (!race) race = hone_emu_judge_add_race(judge, site, copied, false, &fault);
    hone_emu_make_undefined(checker, warp, insn, touch, k, lane, UINT32_MAX, race);
}
