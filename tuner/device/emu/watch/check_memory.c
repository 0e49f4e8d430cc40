// Bytes of shared and local memory that are undefined, wait for a copy or hold what a GPU
// computes differently, and accesses for the races. Accesses of a whole warp to
// bytes that follow one another, with nothing to be said of them, take short ways.
#include "check_arrays.h"
#include "check_state.h"
#include "memory/emu_shape.h"

static bool writes(uint8_t op)
{
    return op == EMU_ST || op == EMU_ATOM || op == EMU_CPASYNC || op == EMU_STMATRIX;
}

// ---- flags of bytes ----

// Joins the flags of count bytes: 1, 2, 4 or a multiple of 8.
static inline uint8_t any_flags(const uint8_t *flags, uint32_t count)
{
    uint64_t word, joined = 0;
    uint32_t half;
    uint16_t pair;
    switch (count) {
    case 1:
        return *flags;
    case 2:
        memcpy(&pair, flags, sizeof pair);
        return (uint8_t)(pair | pair >> 8);
    case 4:
        memcpy(&half, flags, sizeof half);
        joined = half;
        break;
    default:
        for (uint32_t k = 0; k < count; k += 8) {
            memcpy(&word, flags + k, sizeof word);
            joined |= word;
        }
    }
    joined |= joined >> 32;
    joined |= joined >> 16;
    return (uint8_t)(joined | joined >> 8);
}

static inline uint8_t *flags_of(const struct hone_emu_checker *checker,
                                const struct hone_emu_warp *warp, enum ptx_space space,
                                uint32_t lane, uint64_t address)
{
    if (space == PTX_SHARED) return checker->shared + address;
    if (space == PTX_GLOBAL) return hone_emu_scratch_flags(checker->checks, address);
    uint64_t thread = (uint64_t)warp->index * HONE_EMU_LANES + lane;
    return checker->local + thread * checker->local_bytes + address;
}

// Flags of what the lanes touch, all together.
static uint8_t joined_flags(const struct hone_emu_checker *checker,
                            const struct hone_emu_touch *touch, bool contiguous)
{
    uint8_t any = 0;
    if (contiguous)
        return any_flags(checker->shared + touch->addresses[0],
                         touch->bytes * HONE_EMU_LANES);
    for (uint32_t m = touch->mask; m; m &= m - 1)
        any |=
            any_flags(checker->shared + touch->addresses[__builtin_ctz(m)], touch->bytes);
    return any;
}

// A load passes on what is known of the bytes, a store what is known of the registers.
static void move_marks(struct hone_emu_checker *checker, const struct hone_emu_warp *warp,
                       const struct hone_emu_insn *insn, enum ptx_space space,
                       const struct hone_emu_touch *touch)
{
    const struct hone_emu_shadow *shadow = &checker->shadows[warp->index];
    bool parts = insn->op == EMU_LD || insn->op == EMU_ST;
    uint32_t bytes = touch->bytes / (parts ? insn->lanes : 1U);
    for (uint32_t m = touch->mask; m; m &= m - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(m);
        uint8_t *flags = flags_of(checker, warp, space, lane, touch->addresses[lane]);
        uint8_t any = any_flags(flags, touch->bytes);
        if (any & BYTE_PENDING)
            hone_emu_check_pending(checker, warp, insn, lane, touch, 0);
        if (insn->op == EMU_ST)
            hone_emu_store_marks(shadow, insn, flags, lane, bytes);
        else if (insn->op == EMU_CPASYNC)
            memset(flags, BYTE_PENDING, bytes);
        else if (any && insn->op == EMU_ATOM)
            hone_emu_atomic_marks(shadow, insn, flags, lane, bytes);
        else if (any)
            hone_emu_load_marks(shadow, insn, flags, lane, bytes);
    }
}

// A store to shared memory of values of which nothing is to be said; false when it is not
// that.
static bool store_plain(struct hone_emu_checker *checker,
                        const struct hone_emu_warp *warp,
                        const struct hone_emu_insn *insn,
                        const struct hone_emu_touch *touch, bool contiguous)
{
    const hone_emu_marks *marks = hone_emu_marks_of(checker, warp);
    hone_emu_marks stored = 0;
    if (insn->op != EMU_ST) return false;
    for (uint32_t k = 0; k < insn->lanes; k++)
        stored |= marks[insn->src[1 + k] / 4];
    uint8_t any = joined_flags(checker, touch, contiguous);
    if (stored || any & BYTE_PENDING) return false;
    if (any == 0) return true;
    for (uint32_t m = touch->mask; m; m &= m - 1)
        memset(checker->shared + touch->addresses[__builtin_ctz(m)], 0, touch->bytes);
    return true;
}

// ---- matrices ----

// Lane l moves elements 2 (l mod 4) and one more of row l / 4, of a transposed matrix
// those of its column one by one, to or from register k from bit shift on.
static void check_part(struct hone_emu_checker *checker, const struct hone_emu_warp *warp,
                       const struct hone_emu_insn *insn, unsigned k, unsigned shift,
                       struct hone_emu_touch touch)
{
    const struct hone_emu_shadow *shadow = &checker->shadows[warp->index];
    if (checker->checks->clustered)
        hone_emu_check_cluster_races(checker, warp, insn, warp->block, &touch, k);
    hone_emu_check_races(checker, warp, insn, PTX_SHARED, &touch, k);
    for (uint32_t lane = 0; lane < HONE_EMU_LANES; lane++) {
        uint8_t *flags = checker->shared + touch.addresses[lane];
        uint8_t any = any_flags(flags, touch.bytes);
        if (any & BYTE_PENDING)
            hone_emu_check_pending(checker, warp, insn, lane, &touch, k);
        if (touch.writes)
            hone_emu_store_flags(shadow, insn, insn->src[1 + k], lane, flags, touch.bytes,
                                 shift);
        else if (any)
            hone_emu_load_flags(shadow, insn, insn->dst[k], lane, flags, touch.bytes,
                                shift);
    }
}

// A matrix of which nothing is to be said, loaded by rows: each by four lanes, or, of a
// transposed one, each element pair by two. False when it is not that.
static bool load_plain(struct hone_emu_checker *checker, const struct hone_emu_insn *insn,
                       const uint64_t *rows, const struct hone_emu_touch *touch)
{
    enum { ROW_BYTES = 16 };
    for (uint32_t r = 0; r < 8; r++) {
        const struct hone_emu_stretch row = {.address = rows[r],
                                             .bytes = ROW_BYTES,
                                             .lane = 4 * r,
                                             .bytes_each =
                                                 insn->mode == MODE_TRANS ? 0 : 4};
        if (any_flags(checker->shared + rows[r], ROW_BYTES) ||
            !hone_emu_races_load(&checker->races, &checker->order, touch, &row))
            return false;
    }
    return true;
}

static void check_matrix(struct hone_emu_checker *checker,
                         const struct hone_emu_warp *warp,
                         const struct hone_emu_insn *insn, const uint64_t *rows,
                         struct hone_emu_touch touch)
{
    uint64_t places[HONE_EMU_LANES];
    const bool transposed = insn->mode == MODE_TRANS;
    const bool by_rows = !touch.writes && !checker->checks->again &&
                         !checker->checks->clustered; // others' races are by words
    touch.mask = touch.all = UINT32_MAX;
    touch.bytes = transposed ? 2 : 4;
    for (unsigned k = 0; k < insn->lanes; k++) {
        if (by_rows && load_plain(checker, insn, rows + 8 * (size_t)k, &touch)) continue;
        for (unsigned e = 0; e < (transposed ? 2U : 1U); e++) {
            for (unsigned l = 0; l < HONE_EMU_LANES; l++)
                places[l] = transposed ? rows[8 * k + 2 * (l % 4) + e] + 2 * (l / 4)
                                       : rows[8 * k + l / 4] + 4 * (l % 4);
            touch.addresses = places;
            touch.half = (uint8_t)e;
            check_part(checker, warp, insn, k, 16 * e, touch);
        }
    }
}

// ---- accesses ----

// Has the thread last guessed what is compared?
static bool is_last(const struct hone_emu_looks *looks, uint32_t owner, uint64_t address,
                    uint32_t bytes)
{
    return looks->owner == owner && looks->address == address && looks->bytes == bytes;
}

// A compare and swap proves its guess: it stores only where memory holds that, so what
// was computed from it is as good as if it had been loaded in order (CUDA C++ Programming
// Guide, "Atomic Functions", adds doubles so). A guess that was never written is none.
// Where the swap may be of other guesses too, memory has to end the same with others;
// false where the guess gets no others.
static bool accept_guess(struct hone_emu_judge *judge, const struct hone_emu_looks *looks,
                         uint32_t race, bool last)
{
    const bool fixed = looks->fixed >> race & 1;
    if (fixed && !(last && looks->race == race)) return false;
    if (!(last && looks->unproven == 1) && !hone_emu_judge_guess(judge))
        hone_emu_judge_note_guess(judge, hone_emu_judge_race(judge, race));
    return true;
}

static void accept_guesses(struct hone_emu_checker *checker,
                           const struct hone_emu_warp *warp,
                           const struct hone_emu_insn *insn, uint32_t owner,
                           const uint64_t *addresses)
{
    const struct hone_emu_shadow *shadow = &checker->shadows[warp->index];
    const uint32_t guess = insn->src[1], swap = insn->src[2];
    const uint32_t bytes = hone_ptx_type_bits((enum ptx_type)insn->type) / 8;
    struct hone_emu_judge *judge = checker->checks->judge;
    for (uint32_t m = warp->mask & hone_emu_unwritten(shadow->marks[guess / 4]); m;
         m &= m - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(m);
        const uint32_t race = hone_emu_origin_race(hone_emu_origin(shadow, guess, lane));
        const bool marked = shadow->marks[swap / 4] >> lane & 1;
        struct hone_emu_looks *looks = &checker->looks[warp->index][lane];
        if (race == 0 ||
            (marked && hone_emu_origin_race(hone_emu_origin(shadow, swap, lane)) != race))
            continue;
        const bool last = is_last(looks, owner, addresses[lane], bytes);
        if (hone_emu_is_guess(shadow, race) && !accept_guess(judge, looks, race, last))
            continue;
        looks->unproven = 0;
        hone_emu_set_undefined(shadow, guess, lane, 0, 0);
        hone_emu_set_undefined(shadow, swap, lane, 0, 0);
    }
}

// What leaves the block for good: stores to device memory but to workspaces, operands of
// atomics.
static void check_operands(struct hone_emu_checker *checker,
                           const struct hone_emu_warp *warp,
                           const struct hone_emu_insn *insn, enum ptx_space space,
                           const uint64_t *addresses)
{
    const unsigned bits = hone_ptx_type_bits((enum ptx_type)insn->type);
    const uint64_t stored = bits < 64 ? (UINT64_C(1) << bits) - 1 : UINT64_MAX;
    const bool atomic = insn->op == EMU_ATOM;
    const uint32_t owner = space == PTX_SHARED ? checker->block + 1 : 0;
    if (insn->logic == LOGIC_CAS) accept_guesses(checker, warp, insn, owner, addresses);
    const uint32_t kept =
        space == PTX_GLOBAL ? hone_emu_scratch_keeps(checker, warp, insn, addresses) : 0;
    struct hone_emu_use use = {.mask = warp->mask & ~kept,
                               .bits = stored,
                               .what = atomic ? "is an operand of an atomic operation"
                                              : "is stored to global memory",
                               .addresses = space == PTX_GLOBAL ? addresses : NULL,
                               .stays = true};
    for (unsigned k = 1; k < insn->src_count; k++) {
        use.offset = insn->src[k];
        if (hone_emu_find_undefined(checker, warp, insn, &use)) return;
    }
    use.mask = checker->checks->follows ? 0 : kept;
    use.travels = true;
    for (unsigned k = 1; use.mask && k < insn->src_count; k++) {
        use.offset = insn->src[k];
        if (hone_emu_find_undefined(checker, warp, insn, &use)) return;
    }
}

void hone_emu_check_operands(struct hone_emu_checker *checker,
                             const struct hone_emu_warp *warp,
                             const struct hone_emu_insn *insn,
                             const struct hone_emu_checker *owner,
                             const uint64_t *offsets)
{
    if (insn->logic == LOGIC_CAS)
        accept_guesses(checker, warp, insn, owner->block + 1, offsets);
    struct hone_emu_use use = {.mask = warp->mask,
                               .bits = UINT64_MAX,
                               .what = "is an operand of an atomic operation",
                               .stays = true};
    for (unsigned k = 1; k < insn->src_count; k++) {
        use.offset = insn->src[k];
        if (hone_emu_find_undefined(checker, warp, insn, &use)) return;
    }
}

// Notes which of the bytes that the lane copies asynchronously are undefined.
static void copy_scratch(struct hone_emu_checker *checker,
                         const struct hone_emu_warp *warp,
                         const struct hone_emu_insn *insn, uint32_t lane,
                         const uint8_t *flags, uint32_t bytes)
{
    uint32_t readable = bytes, undefined = 0;
    if (insn->src_count > 2)
        memcpy(&readable, warp->regs + insn->src[2] + 4 * (size_t)lane, sizeof readable);
    for (uint32_t k = 0; k < bytes && k < readable; k++)
        undefined |= (uint32_t)(flags[k] & BYTE_UNWRITTEN) << k;
    if (undefined)
        hone_emu_check_copied(checker, warp->index, lane, undefined,
                              flags[__builtin_ctz(undefined)] >> BYTE_ORIGIN_SHIFT);
}

// What is undefined in workspaces goes on with loads, stores, exchanges and copies; other
// atomic operations are to find nothing of it.
static void check_scratch(struct hone_emu_checker *checker,
                          const struct hone_emu_warp *warp,
                          const struct hone_emu_insn *insn, struct hone_emu_touch *touch)
{
    touch->mask = hone_emu_scratch_lanes(checker->checks, touch);
    const bool exchanges = insn->op == EMU_ATOM && insn->logic == LOGIC_EXCH;
    if (insn->op == EMU_LD || insn->op == EMU_ST || exchanges) {
        move_marks(checker, warp, insn, PTX_GLOBAL, touch);
        return;
    }
    for (uint32_t m = touch->mask; m; m &= m - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(m);
        const uint64_t address = touch->addresses[lane];
        const uint8_t *flags = hone_emu_scratch_flags(checker->checks, address);
        if (!(any_flags(flags, touch->bytes) & BYTE_UNWRITTEN)) continue;
        if (insn->op == EMU_CPASYNC)
            copy_scratch(checker, warp, insn, lane, flags, touch->bytes);
        else
            hone_emu_scratch_refuse(checker, warp, insn, lane, address);
    }
}

// One lane for each address, of loads: their order does not matter.
static void merge_lanes(const struct hone_emu_insn *insn,
                        const struct hone_emu_shape *shape, struct hone_emu_touch *touch)
{
    touch->all = touch->mask;
    if (insn->op != EMU_LD || shape->contiguous) return;
    if (!shape->uniform) {
        hone_emu_merge_lanes(touch);
        return;
    }
    uint32_t first = touch->mask & (0 - touch->mask);
    touch->several = touch->mask == first ? 0 : first;
    touch->mask = first;
}

static void check_shared(struct hone_emu_checker *checker,
                         const struct hone_emu_warp *warp,
                         const struct hone_emu_insn *insn,
                         const struct hone_emu_shape *shape, struct hone_emu_touch *touch)
{
    if (insn->op == EMU_ATOM) {
        check_operands(checker, warp, insn, PTX_SHARED, touch->addresses);
        hone_emu_check_change(checker, warp, touch, true);
    }
    merge_lanes(insn, shape, touch);
    if (checker->checks->clustered)
        hone_emu_check_cluster_races(checker, warp, insn, warp->block, touch, 0);
    hone_emu_check_races(checker, warp, insn, PTX_SHARED, touch, 0);
    if (insn->op == EMU_LD) {
        if (!joined_flags(checker, touch, shape->contiguous)) return;
    } else if (store_plain(checker, warp, insn, touch, shape->contiguous)) {
        return;
    }
    touch->mask = touch->all;
    move_marks(checker, warp, insn, PTX_SHARED, touch);
    if (insn->op == EMU_CPASYNC) hone_emu_check_copies(checker, touch);
}

// Lanes that read something: asynchronous copies may fill with zeros alone.
static uint32_t that_read(const struct hone_emu_warp *warp,
                          const struct hone_emu_insn *insn, uint32_t mask)
{
    uint32_t lanes = 0, bytes;
    if (insn->op != EMU_CPASYNC || insn->src_count < 3) return mask;
    for (uint32_t m = mask; m; m &= m - 1) {
        const int lane = __builtin_ctz(m);
        memcpy(&bytes, warp->regs + insn->src[2] + 4 * (size_t)lane, sizeof bytes);
        lanes |= (uint32_t)(bytes > 0) << lane;
    }
    return lanes;
}

// Lanes whose bytes are in a buffer: asynchronous copies may name more than they read.
static uint32_t in_buffers(const struct hone_emu_checker *checker,
                           const struct hone_emu_touch *touch)
{
    const struct hone_emu_memory *memory = checker->checks->launch->memory;
    uint32_t inside = 0;
    for (uint32_t m = touch->mask; m; m &= m - 1) {
        int lane = __builtin_ctz(m);
        bool found = hone_emu_memory_at(memory, touch->addresses[lane], touch->bytes);
        bool aligned = (touch->addresses[lane] & (touch->bytes - 1)) == 0;
        inside |= (uint32_t)(found && aligned) << lane;
    }
    return inside;
}

static void check_global(struct hone_emu_checker *checker,
                         const struct hone_emu_warp *warp,
                         const struct hone_emu_insn *insn, struct hone_emu_touch *touch)
{
    struct hone_emu_range *hit = &checker->hit;
    struct hone_emu_shape shape =
        hone_emu_shape_of(touch->addresses, hit->base, hit->bytes, touch->bytes);
    if (!shape.inside) {
        const struct hone_emu_range *range =
            hone_emu_memory_find(checker->checks->launch->memory, touch->addresses[0]);
        if (range) *hit = *range;
        shape = hone_emu_shape_of(touch->addresses, hit->base, hit->bytes, touch->bytes);
    }
    if (!shape.inside) touch->mask = in_buffers(checker, touch);
    touch->mask = that_read(warp, insn, touch->mask);
    if (touch->mask == 0) return;
    hone_emu_check_places(checker, warp, insn, touch, true);
    if (checker->checks->dependent) hone_emu_check_early(checker, warp, insn, touch);
    if (checker->checks->fresh_count) hone_emu_fresh_note(checker->checks, touch);
    if (touch->writes && checker->map_uses.count)
        hone_emu_check_map_store(checker, warp, insn, touch);
    if (insn->op == EMU_ATOM || insn->op == EMU_ST)
        check_operands(checker, warp, insn, PTX_GLOBAL, touch->addresses);
    if (insn->op == EMU_ATOM) hone_emu_check_change(checker, warp, touch, false);
    merge_lanes(insn, &shape, touch);
    hone_emu_check_races(checker, warp, insn, PTX_GLOBAL, touch, 0);
    if (checker->checks->scratch_used) check_scratch(checker, warp, insn, touch);
}

// The first lanes of a matrix operation name its rows.
static void check_proxy(struct hone_emu_checker *checker,
                        const struct hone_emu_warp *warp,
                        const struct hone_emu_insn *insn, struct hone_emu_touch touch)
{
    const bool matrix = insn->op == EMU_LDMATRIX || insn->op == EMU_STMATRIX;
    if (matrix && insn->lanes < 4) touch.mask &= (UINT32_C(1) << 8 * insn->lanes) - 1;
    hone_emu_check_proxy_access(checker, warp, insn, &touch);
}

// False where there is nothing to look at: what is outside of memory, or misaligned, is
// reported elsewhere.
static bool find_shape(struct hone_emu_checker *checker, const struct hone_emu_warp *warp,
                       const struct hone_emu_insn *insn, enum ptx_space space,
                       const struct hone_emu_touch *touch, struct hone_emu_shape *shape)
{
    const bool shared = space == PTX_SHARED;
    const struct hone_emu_range whole = {.bytes = shared ? checker->shared_bytes
                                                         : checker->local_bytes};
    const struct hone_emu_range *area =
        shared ? hone_emu_array_of(checker, insn) : &whole;
    *shape = hone_emu_shape_of(touch->addresses, area->base, area->bytes, touch->bytes);
    if (shape->inside || !shared) return shape->inside;
    *shape = hone_emu_shape_of(touch->addresses, 0, whole.bytes, touch->bytes);
    return shape->inside && hone_emu_check_array(checker, warp, insn, touch);
}

void hone_emu_check_access(void *context, const struct hone_emu_warp *warp,
                           const struct hone_emu_insn *insn, enum ptx_space space,
                           const uint64_t *addresses, uint32_t bytes)
{
    struct hone_emu_checker *checker = context;
    struct hone_emu_shape shape;
    if (space != PTX_SHARED && space != PTX_LOCAL && space != PTX_GLOBAL) return;
    struct hone_emu_touch touch = {
        .warp = warp->index,
        .mask = warp->mask,
        .bytes = bytes,
        .site = (uint32_t)(insn - checker->code->insns),
        .addresses = addresses,
        .writes = writes(insn->op) && (insn->op != EMU_CPASYNC || space == PTX_SHARED),
        .strong = hone_emu_is_strong(insn),
        .reach = (uint8_t)hone_emu_scope_of(checker->checks, insn),
        .read_only = insn->op == EMU_LD && insn->order & ORDER_READ_ONLY};
    if (space != PTX_LOCAL && checker->exchanges && hone_emu_is_load(insn))
        hone_emu_exchanges_load(checker->exchanges, &checker->order, touch.warp,
                                touch.site, touch.mask);
    if (space == PTX_GLOBAL) {
        check_global(checker, warp, insn, &touch);
        return;
    }
    if (!find_shape(checker, warp, insn, space, &touch, &shape)) return;
    if (space == PTX_SHARED && !touch.writes)
        hone_emu_order_load(&checker->order, warp->index);
    if (space == PTX_SHARED && checker->checks->clustered) {
        hone_emu_check_places(checker, warp, insn, &touch, false);
        hone_emu_check_flags_seen(checker, warp, insn, &touch);
    }
    if (space == PTX_SHARED && checker->proxy) check_proxy(checker, warp, insn, touch);
    if (insn->op == EMU_LDMATRIX || insn->op == EMU_STMATRIX)
        check_matrix(checker, warp, insn, addresses, touch);
    else if (space == PTX_SHARED)
        check_shared(checker, warp, insn, &shape, &touch);
    else
        move_marks(checker, warp, insn, space, &touch);
}
