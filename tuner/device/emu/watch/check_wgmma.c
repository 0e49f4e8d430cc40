// wgmma in checked launches: who touches registers and shared memory of products that
// have not been waited for, which registers were written without a fence, and what is
// known of results. Products of a warp have numbers; its waits cover those below one.
#include <stdlib.h>

#include "check_state.h"
#include "fidelity.h"

enum { GROUPS = 16, REGISTER = 128, WAITS = 64 };

// A register of 32 bits.
struct use {
    uint32_t written; // the instruction that did since the last fence, and 1; 0: none
    uint32_t product; // number, and 1, of the last one that has it; 0: none
    uint32_t site;    // of that
    bool result;      // it is of D
};

// Products at a commit. What the warp loaded up to that clock came before the last
// wgmma.fence that one of them is behind.
struct group {
    uint32_t issued, loaded;
};

// The end of products was waited for at a clock, and with it that of such loads.
struct wait {
    uint32_t loaded, clock;
};

struct account {
    uint32_t issued, committed, covered;
    uint32_t fence, loaded; // clocks of loads before the last wgmma.fence, and product
    uint32_t wait_count;
    struct wait waits[WAITS];    // the last ones that were the end of further loads
    struct group groups[GROUPS]; // that were committed last
    bool fenced;                 // once
    struct use *uses;
};

struct hone_emu_product_checks {
    uint32_t registers; // of a warp
    struct account warps[HONE_EMU_MAX_WARPS];
    struct use *uses;
};

bool hone_emu_product_checks_init(struct hone_emu_checker *checker)
{
    const struct hone_emu_code *code = checker->code;
    if (code->wgmma_count == 0) return true;
    struct hone_emu_product_checks *checks = calloc(1, sizeof *checks);
    checker->products = checks;
    if (!checks) return false;
    checks->registers = (code->doubles_at - code->words_at) / REGISTER + 1;
    checks->uses = calloc((size_t)checks->registers * checker->warps, sizeof(struct use));
    return checks->uses != NULL;
}

void hone_emu_product_checks_fini(struct hone_emu_checker *checker)
{
    if (!checker->products) return;
    free(checker->products->uses);
    free(checker->products);
}

void hone_emu_product_checks_begin(struct hone_emu_checker *checker)
{
    struct hone_emu_product_checks *checks = checker->products;
    if (!checks) return;
    memset(checks->uses, 0,
           (size_t)checks->registers * checker->warps * sizeof(struct use));
    for (uint32_t w = 0; w < checker->warps; w++)
        checks->warps[w] =
            (struct account){.uses = checks->uses + (size_t)w * checks->registers};
}

// The use of a register of 32 bits; NULL: it has others.
static struct use *use_of(const struct hone_emu_checker *checker, struct account *account,
                          uint32_t offset)
{
    const struct hone_emu_code *code = checker->code;
    if (offset < code->words_at || offset >= code->doubles_at) return NULL;
    return &account->uses[(offset - code->words_at) / REGISTER];
}

// ---- registers ----

static bool is_in_flight(const struct account *account, const struct use *use)
{
    return use->product > account->covered;
}

// Compilers move values and constants to the registers of a wgmma behind its fence, and
// ptxas merges those registers: what is moved was written where its source was.
static uint32_t written_by(const struct hone_emu_checker *checker,
                           struct account *account, const struct hone_emu_insn *insn)
{
    if (insn->op != EMU_MOV) return (uint32_t)(insn - checker->code->insns) + 1;
    const struct use *source =
        insn->src_count ? use_of(checker, account, insn->src[0]) : NULL;
    return source ? source->written : 0;
}

static const char written_in_flight[] =
    "a register is written that the wgmma at #, which no wgmma.wait_group has waited for "
    "(in a group that was committed)";
static const char read_in_flight[] =
    "a result is read of the wgmma at #, which no wgmma.wait_group has waited for (in a "
    "group that was committed)";

// Another instruction than wgmma.
void hone_emu_check_registers(struct hone_emu_checker *checker,
                              const struct hone_emu_warp *warp,
                              const struct hone_emu_insn *insn, uint32_t mask)
{
    struct account *account = &checker->products->warps[warp->index];
    const unsigned count = (unsigned)insn->src_count + insn->dst_count;
    for (unsigned k = 0; k < count; k++) {
        const bool writes = k >= insn->src_count;
        const uint32_t offset = writes ? insn->dst[k - insn->src_count] : insn->src[k];
        struct use *use = use_of(checker, account, offset);
        if (!use) continue;
        if (is_in_flight(account, use) && (writes || use->result))
            hone_emu_report_meeting(
                checker, warp, insn, (uint32_t)__builtin_ctz(mask),
                writes ? HONE_FINDING_IN_FLIGHT : HONE_FINDING_MISSING_WAIT, use->site,
                writes ? written_in_flight : read_in_flight);
        if (writes) use->written = written_by(checker, account, insn);
    }
}

static void check_used(const struct hone_emu_checker *checker,
                       const struct hone_emu_warp *warp, const struct hone_emu_insn *insn,
                       const struct account *account, const struct use *use, bool result)
{
    if (use->written) {
        hone_emu_report_meeting(checker, warp, insn, 0, HONE_FINDING_WGMMA_FENCE,
                                use->written - 1,
                                "wgmma takes a register that was written at # with no "
                                "wgmma.fence between");
    } else if (!result && use->result && is_in_flight(account, use)) {
        hone_emu_report_meeting(checker, warp, insn, 0, HONE_FINDING_MISSING_WAIT,
                                use->site,
                                "wgmma takes as A the result of the wgmma at #, which no "
                                "wgmma.wait_group has waited for");
    }
}

static void use_registers(struct hone_emu_checker *checker,
                          const struct hone_emu_warp *warp,
                          const struct hone_emu_insn *insn,
                          const struct hone_emu_wgmma *wgmma)
{
    struct account *account = &checker->products->warps[warp->index];
    const uint32_t site = (uint32_t)(insn - checker->code->insns);
    if (!account->fenced)
        hone_emu_report_meeting(checker, warp, insn, 0, HONE_FINDING_WGMMA_FENCE, site,
                                "the wgmma at # comes before any wgmma.fence");
    for (unsigned r = 0; r < (unsigned)wgmma->d_count + wgmma->a_count; r++) {
        struct use *use = use_of(checker, account, wgmma->regs[r]);
        const bool result = r < wgmma->d_count;
        if (!use) continue;
        check_used(checker, warp, insn, account, use, result);
        use->product = account->issued + 1;
        use->site = site;
        use->result = result;
    }
}

// ---- shared memory ----

// Rows of A, or columns of B, of which bytes were never written, a bit each.
struct undefined_lines {
    uint64_t of[4];
    uint32_t origin;
    bool any;
};

static void note_undefined(const struct hone_emu_checker *checker,
                           const struct hone_emu_tile *tile, uint32_t chunk, uint32_t at,
                           struct undefined_lines *out)
{
    const uint8_t *flags = checker->shared + at;
    uint64_t halves[2];
    memcpy(halves, flags, sizeof halves);
    if (!((halves[0] | halves[1]) & UINT64_C(0x0101010101010101) * BYTE_UNWRITTEN))
        return;
    const uint32_t each = tile->transposed ? tile->rows / 8 : tile->row_bytes / 16;
    out->any = true;
    for (uint32_t k = 0; k < HONE_EMU_CHUNK; k++) {
        if (!(flags[k] & BYTE_UNWRITTEN)) continue;
        const uint32_t line = tile->transposed ? chunk % each * 8 + k / 2 : chunk / each;
        out->of[line / 64] |= UINT64_C(1) << line % 64;
        out->origin = flags[k] >> BYTE_ORIGIN_SHIFT;
    }
}

// The product begins to read a matrix: of A the rows of the warp, if they lie together.
static void read_tile(const struct hone_emu_checker *checker, uint64_t descriptor,
                      struct hone_emu_tile tile, bool is_a, uint32_t first,
                      struct undefined_lines *out)
{
    uint32_t at[HONE_EMU_MOST_CHUNKS];
    if (hone_emu_tile_read(descriptor, &tile)) return; // is a fault
    const bool part = is_a && !tile.transposed;
    if (part) hone_emu_tile_take_rows(&tile, first, HONE_EMU_WARP_ROWS);
    hone_emu_tile_addresses(&tile, at);
    for (uint32_t k = 0; k < hone_emu_tile_chunks(&tile); k++) {
        if (at[k] + (uint64_t)HONE_EMU_CHUNK > checker->shared_bytes) return;
        note_undefined(checker, &tile, k, at[k], out);
    }
    if (part) out->of[0] <<= first;
}

// ---- groups ----

static void commit(struct account *account)
{
    account->groups[account->committed++ % GROUPS] =
        (struct group){account->issued, account->loaded};
}

static void wait_for(struct hone_emu_checker *checker, uint32_t warp, uint64_t in_flight)
{
    struct account *account = &checker->products->warps[warp];
    if (in_flight >= account->committed || in_flight >= GROUPS) return;
    const struct group *group =
        &account->groups[(account->committed - in_flight - 1) % GROUPS];
    const struct wait *last = &account->waits[(account->wait_count - 1) % WAITS];
    account->covered = group->issued;
    if (account->wait_count ? group->loaded > last->loaded : group->loaded)
        account->waits[account->wait_count++ % WAITS] =
            (struct wait){group->loaded, checker->order.warps[warp].clocks[warp]};
}

bool hone_emu_products_took(const struct hone_emu_checker *checker, uint32_t warp,
                            uint32_t loaded, uint32_t known)
{
    if (!checker->products) return false;
    const struct account *account = &checker->products->warps[warp];
    const uint32_t count = account->wait_count;
    for (uint32_t back = 1; back <= WAITS && back <= count; back++) {
        const struct wait *wait = &account->waits[(count - back) % WAITS];
        if (wait->loaded < loaded) return false;
        if (wait->clock <= known) return true;
    }
    // nothing is held against a load that a wait may have ended which is not kept
    return count > WAITS;
}

// Loads of the clock are before the fence, or else there are none of it yet: it ends
// behind the fence where there are (hone_emu_order_align).
static void fence_registers(const struct hone_emu_checker *checker, uint32_t warp)
{
    const struct hone_emu_product_checks *checks = checker->products;
    struct account *account = &checker->products->warps[warp];
    account->fenced = true;
    account->fence =
        checker->order.warps[warp].clocks[warp] - !checker->order.lanes[warp].loads;
    for (uint32_t r = 0; r < checks->registers; r++)
        account->uses[r].written = 0;
}

uint32_t hone_emu_products_issued(const struct hone_emu_checker *checker, uint32_t warp)
{
    return checker->products->warps[warp].issued;
}

// ---- results ----

static bool adds(const struct hone_emu_warp *warp, const struct hone_emu_insn *insn)
{
    const uint32_t scale = hone_emu_first_word(warp, insn->src[HONE_EMU_WGMMA_SCALE]);
    return (scale != 0) != (insn->negate >> HONE_EMU_WGMMA_SCALE & 1);
}

// Lanes that have a row of which some lane of A's registers has the mark.
static uint32_t spread_quads(uint32_t lanes)
{
    uint32_t any = (lanes | lanes >> 1 | lanes >> 2 | lanes >> 3) & 0x11111111;
    return any * 15;
}

// Registers of D and of A have rows lane / 4 and, in turn, those plus 8.
static hone_emu_marks marks_of_rows(const struct hone_emu_wgmma *wgmma,
                                    const hone_emu_marks *marks, unsigned half)
{
    hone_emu_marks a = 0;
    for (unsigned r = half; r < wgmma->a_count; r += 2)
        a |= marks[wgmma->regs[wgmma->d_count + r] / 4];
    return (hone_emu_marks)spread_quads(hone_emu_approximate(a)) << 32 |
           spread_quads(hone_emu_unwritten(a));
}

// Lanes whose columns of D, from register r on, some column of B makes undefined.
static uint32_t lanes_of_columns(const struct undefined_lines *columns, bool packed,
                                 unsigned r)
{
    uint32_t lanes = 0;
    if (!columns->any) return 0;
    for (unsigned t = 0; t < 4; t++)
        for (unsigned e = 0; e < (packed ? 2 : 1); e++) {
            const unsigned n = packed ? r / 2 * 8 + 2 * t + e : r / 4 * 8 + 2 * t + r % 2;
            if (columns->of[n / 64] >> n % 64 & 1) lanes |= UINT32_C(0x11111111) << t;
        }
    return lanes;
}

static uint32_t lanes_of_rows(const struct undefined_lines *rows, uint32_t warp,
                              unsigned half)
{
    uint32_t lanes = 0;
    for (unsigned g = 0; g < 8; g++)
        if (rows->of[0] >> (warp % 4 * 16 + half * 8 + g) & 1)
            lanes |= UINT32_C(15) << 4 * g;
    return lanes;
}

static void set_results(struct hone_emu_checker *checker,
                        const struct hone_emu_warp *warp,
                        const struct hone_emu_insn *insn,
                        const struct hone_emu_wgmma *wgmma,
                        const struct undefined_lines *a, const struct undefined_lines *b)
{
    const struct hone_emu_shadow *shadow = &checker->shadows[warp->index];
    const bool keeps = adds(warp, insn), packed = insn->type == PTX_F16;
    const unsigned each = packed ? 1 : 2; // registers of a row, in turn
    const hone_emu_marks more =
        hone_emu_is_approximate(insn) ? (hone_emu_marks)UINT32_MAX << 32 : 0;
    const hone_emu_marks rows[2] = {
        marks_of_rows(wgmma, shadow->marks, 0) | lanes_of_rows(a, warp->index, 0),
        marks_of_rows(wgmma, shadow->marks, 1) | lanes_of_rows(a, warp->index, 1)};
    const uint32_t origin = a->origin ? a->origin : b->origin;
    for (unsigned r = 0; r < wgmma->d_count; r++) {
        hone_emu_marks *at = &shadow->marks[wgmma->regs[r] / 4];
        const hone_emu_marks now = rows[r / each & 1] | more | (keeps ? *at : 0) |
                                   lanes_of_columns(b, packed, r);
        const uint32_t kept = keeps ? hone_emu_unwritten(*at) : 0;
        *at = now & ~(hone_emu_marks)UINT32_MAX;
        for (uint32_t m = hone_emu_unwritten(now); m; m &= m - 1) {
            const uint32_t lane = (uint32_t)__builtin_ctz(m), offset = wgmma->regs[r];
            const uint32_t before =
                kept >> lane & 1 ? hone_emu_origin(shadow, offset, lane) : 0;
            hone_emu_set_undefined(
                shadow, offset, lane, UINT64_MAX,
                hone_emu_origin_at(shadow, origin ? origin : before, insn));
        }
    }
}

static void issue(struct hone_emu_checker *checker, const struct hone_emu_warp *warp,
                  const struct hone_emu_insn *insn, const struct hone_emu_wgmma *wgmma)
{
    struct hone_emu_product_checks *checks = checker->products;
    struct account *account = &checks->warps[warp->index];
    struct undefined_lines a = {.any = false}, b = {.any = false};
    const struct hone_emu_tile left = {.rows = HONE_EMU_GROUP_WARPS * HONE_EMU_WARP_ROWS,
                                       .row_bytes = 32,
                                       .transposed = wgmma->transpose_a},
                               right = {.rows = insn->shape[1],
                                        .row_bytes = wgmma->sparse ? 64 : 32,
                                        .transposed = wgmma->transpose_b};
    use_registers(checker, warp, insn, wgmma);
    if (!wgmma->a_count)
        read_tile(checker, hone_emu_read_lane(warp, insn->src[HONE_EMU_WGMMA_A], 0, true),
                  left, true, warp->index % HONE_EMU_GROUP_WARPS * HONE_EMU_WARP_ROWS,
                  &a);
    read_tile(checker, hone_emu_read_lane(warp, insn->src[HONE_EMU_WGMMA_B], 0, true),
              right, false, 0, &b);
    set_results(checker, warp, insn, wgmma, &a, &b);
    account->loaded = account->fence;
    account->issued++;
}

void hone_emu_check_product(struct hone_emu_checker *checker,
                            const struct hone_emu_warp *warp,
                            const struct hone_emu_insn *insn)
{
    const struct hone_emu_wgmma *wgmma = hone_emu_wgmma_of(checker->code, insn);
    if (!checker->products) return;
    if (wgmma)
        issue(checker, warp, insn, wgmma);
    else if (insn->op == EMU_WGCOMMIT)
        commit(&checker->products->warps[warp->index]);
    else if (insn->op == EMU_WGWAIT)
        wait_for(checker, warp->index, (uint64_t)insn->imm);
    else
        fence_registers(checker, warp->index);
}
