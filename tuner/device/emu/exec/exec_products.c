// When products of wgmma are made: at once, when the last of the four warps issues them,
// or as late as a wait allows. Until then their results are hidden in the late order.
#include "exec_products.h"

#include "exec_moment.h"

#include <stdlib.h>
#include <string.h>

enum { ROW_BYTES = HONE_EMU_PRODUCT_BYTES / 2 }; // of A

static struct hone_emu_warp *first_of_group(const struct hone_emu_warp *warp)
{
    return &warp->block->warps[warp->index / HONE_EMU_GROUP_WARPS * HONE_EMU_GROUP_WARPS];
}

static void refuse_product(struct hone_emu_warp *warp, const struct hone_emu_insn *insn,
                           enum hone_finding finding, const char *what)
{
    hone_emu_fault(warp, insn, 0, HONE_CRASHED, finding, "%s", what);
}

// ---- issue ----

// The one descriptor that all lanes have; false after a fault.
static bool read_descriptor(struct hone_emu_warp *warp, const struct hone_emu_insn *insn,
                            unsigned k, uint64_t *out)
{
    *out = hone_emu_read_lane(warp, insn->src[k], 0, true);
    for (int l = 1; l < HONE_EMU_LANES; l++)
        if (hone_emu_read_lane(warp, insn->src[k], l, true) != *out) {
            refuse_product(warp, insn, HONE_FINDING_DIVERGENCE,
                           "lanes give wgmma different descriptors");
            return false;
        }
    return true;
}

static bool read_product(struct hone_emu_warp *warp, const struct hone_emu_insn *insn,
                         const struct hone_emu_wgmma *wgmma, struct hone_emu_product *out)
{
    uint32_t scale;
    memset(out, 0, sizeof *out);
    out->site = (uint32_t)(insn - warp->launch->code->insns);
    memcpy(&scale, warp->regs + insn->src[HONE_EMU_WGMMA_SCALE], sizeof scale);
    if (insn->negate >> HONE_EMU_WGMMA_SCALE & 1) scale = ~scale;
    out->adds = scale != 0;
    if (scale != 0 && scale != UINT32_MAX) {
        refuse_product(warp, insn, HONE_FINDING_DIVERGENCE,
                       "lanes give wgmma different scale-d");
        return false;
    }
    if (wgmma->sparse)
        memcpy(out->metadata, warp->regs + insn->src[insn->src_count - 1U],
               sizeof out->metadata);
    if (!read_descriptor(warp, insn, HONE_EMU_WGMMA_B, &out->b)) return false;
    return wgmma->a_count || read_descriptor(warp, insn, HONE_EMU_WGMMA_A, &out->a);
}

static bool is_group_whole(struct hone_emu_warp *warp, const struct hone_emu_insn *insn)
{
    const uint32_t first = warp->index / HONE_EMU_GROUP_WARPS * HONE_EMU_GROUP_WARPS;
    const struct hone_emu_warp *warps = first_of_group(warp);
    bool whole = first + HONE_EMU_GROUP_WARPS <= warp->block->warp_count;
    for (uint32_t k = 0; whole && k < HONE_EMU_GROUP_WARPS; k++)
        whole = warps[k].alive == UINT32_MAX;
    if (!whole)
        refuse_product(
            warp, insn, HONE_FINDING_DIVERGENCE,
            "wgmma without a whole warp group: four warps of 128 threads in a row, "
            "the first one's number a multiple of 4");
    return whole;
}

// The product that another warp of the group has issued as its number one.
static const struct hone_emu_product *issued(const struct hone_emu_warp *warp,
                                             uint64_t number)
{
    const struct hone_emu_products *products = &warp->units.products;
    const uint64_t k = number - products->made;
    return k < products->count ? &products->items[k] : NULL;
}

// All four warps are to issue the same.
static bool issues_the_same(struct hone_emu_warp *warp, const struct hone_emu_insn *insn,
                            const struct hone_emu_product *product, uint64_t number)
{
    const struct hone_emu_warp *warps = first_of_group(warp);
    for (uint32_t k = 0; k < HONE_EMU_GROUP_WARPS; k++) {
        const struct hone_emu_product *other = issued(&warps[k], number);
        char place[HONE_EMU_PLACE_TEXT];
        if (&warps[k] == warp || !other) continue;
        const bool same = other->site == product->site;
        if (same && other->a == product->a && other->b == product->b &&
            other->adds == product->adds)
            continue;
        hone_emu_print_place(place, warp->launch->code, other->site);
        if (same)
            hone_emu_fault(
                warp, insn, 0, HONE_CRASHED, HONE_FINDING_DIVERGENCE,
                "warp %u gives wgmma another %s than warp %u of its warp group",
                warp->index, other->adds != product->adds ? "scale-d" : "descriptor",
                warps[k].index);
        else
            hone_emu_fault(warp, insn, 0, HONE_CRASHED, HONE_FINDING_DIVERGENCE,
                           "warp %u executes this wgmma while warp %u of its warp group "
                           "executes the one at %s",
                           warp->index, warps[k].index, place);
        return false;
    }
    return true;
}

// ---- a product ----

// The bytes of a matrix; false after a fault.
static bool fetch(struct hone_emu_warp *warp, const struct hone_emu_insn *insn,
                  uint64_t descriptor, struct hone_emu_tile *tile, const char *name,
                  uint8_t *out)
{
    uint32_t at[HONE_EMU_MOST_CHUNKS];
    const uint64_t bytes = warp->block->shared_bytes;
    const uint8_t *shared = warp->block->shared;
    const char *wrong = hone_emu_tile_read(descriptor, tile);
    if (wrong) {
        hone_emu_fault(warp, insn, 0, HONE_CRASHED, HONE_FINDING_MISALIGNED,
                       "the descriptor of %s (shared+%u) %s", name, tile->start, wrong);
        return false;
    }
    hone_emu_tile_addresses(tile, at);
    for (uint32_t k = 0; k < hone_emu_tile_chunks(tile); k++, out += HONE_EMU_CHUNK) {
        if (at[k] + (uint64_t)HONE_EMU_CHUNK > bytes) {
            hone_emu_fault(warp, insn, 0, HONE_CRASHED, HONE_FINDING_OUT_OF_BOUNDS,
                           "the descriptor of %s (shared+%u, leading %u, stride %u) "
                           "reaches shared+%u, past the %llu bytes of the block",
                           name, tile->start, tile->leading, tile->stride, at[k],
                           (unsigned long long)bytes);
            return false;
        }
        memcpy(out, shared + at[k], HONE_EMU_CHUNK);
    }
    return true;
}

// A in registers, four a lane: register r has 4 bytes of row l / 4 + 8 (r mod 2), from
// byte 4 (l mod 4) + 16 (r / 2) on.
static void gather_fragments(const struct hone_emu_work *work, uint8_t *out)
{
    for (uint32_t w = 0; w < HONE_EMU_GROUP_WARPS; w++)
        for (uint32_t r = 0; r < 4; r++) {
            const uint32_t at = work->wgmma->regs[work->wgmma->d_count + r];
            const uint8_t *lanes = work->warps[w].regs + at;
            for (uint32_t l = 0; l < HONE_EMU_LANES; l++) {
                const uint32_t row = 16 * w + l / 4 + 8 * (r % 2);
                memcpy(out + row * ROW_BYTES + 4 * (l % 4) + 16 * (r / 2),
                       lanes + 4 * (size_t)l, 4);
            }
        }
}

static bool make_product(struct hone_emu_warp *warps,
                         const struct hone_emu_product *product,
                         hone_emu_multiply *multiply)
{
    const struct hone_emu_code *code = warps->launch->code;
    struct hone_emu_work work;
    work.insn = &code->insns[product->site];
    work.wgmma = &code->wgmmas[work.insn->target];
    work.warps = warps;
    struct hone_emu_tile a = {.rows = HONE_EMU_PRODUCT_ROWS,
                              .row_bytes = ROW_BYTES,
                              .transposed = work.wgmma->transpose_a};
    struct hone_emu_tile b = {.rows = work.insn->shape[1],
                              .row_bytes = work.wgmma->sparse ? 2 * ROW_BYTES : ROW_BYTES,
                              .transposed = work.wgmma->transpose_b};
    work.product = product;
    if (work.wgmma->a_count) gather_fragments(&work, work.a);
    if (!work.wgmma->a_count && !fetch(warps, work.insn, product->a, &a, "A", work.a))
        return false;
    if (!fetch(warps, work.insn, product->b, &b, "B", work.b)) return false;
    if (!warps->launch->skips_products) multiply(&work);
    for (uint32_t k = 0; k < HONE_EMU_GROUP_WARPS; k++)
        hone_emu_products_drop_first(&warps[k].units.products);
    return true;
}

static void hide_results(struct hone_emu_warp *warp)
{
    struct hone_emu_products *products = &warp->units.products;
    const struct hone_emu_code *code = warp->launch->code;
    for (size_t k = 0; k < products->count; k++) {
        const struct hone_emu_insn *insn = &code->insns[products->items[k].site];
        const struct hone_emu_wgmma *wgmma = &code->wgmmas[insn->target];
        for (unsigned r = 0; r < wgmma->d_count; r++)
            hone_emu_products_hide(products, warp->regs, wgmma->regs[r]);
    }
}

// ---- what the observer is told ----

static bool is_heard(const struct hone_emu_warp *warp)
{
    const struct hone_emu_observer *observer = warp->block->observer;
    return observer && observer->async && observer->products;
}

static void tell_of(const struct hone_emu_warp *warp, struct hone_emu_async *event)
{
    event->unit = HONE_EMU_UNIT_WGMMA;
    event->warp = warp;
    event->lanes = 1;
    warp->block->observer->async(warp->block->observer->context, event);
}

// Chunk k of a transposed A has rows of the warp.
static bool is_of_warp(uint32_t k, uint32_t warp)
{
    return k % (HONE_EMU_PRODUCT_ROWS / 8) * 8 / HONE_EMU_WARP_ROWS ==
           warp % HONE_EMU_GROUP_WARPS;
}

// Chunks side by side are one span. Of A only the warp's: where they are rows, those are
// a matrix by itself.
static size_t add_spans(const struct hone_emu_warp *warp, uint64_t descriptor,
                        struct hone_emu_tile *tile, bool is_a, struct hone_emu_span *out)
{
    uint32_t at[HONE_EMU_MOST_CHUNKS];
    size_t count = 0;
    if (hone_emu_tile_read(descriptor, tile)) return 0; // is a fault
    if (is_a && !tile->transposed)
        hone_emu_tile_take_rows(tile,
                                warp->index % HONE_EMU_GROUP_WARPS * HONE_EMU_WARP_ROWS,
                                HONE_EMU_WARP_ROWS);
    hone_emu_tile_addresses(tile, at);
    for (uint32_t k = 0; k < hone_emu_tile_chunks(tile); k++) {
        if (is_a && tile->transposed && !is_of_warp(k, warp->index)) continue;
        if (at[k] + (uint64_t)HONE_EMU_CHUNK > warp->block->shared_bytes)
            break; // likewise
        if (count && out[count - 1].at + out[count - 1].bytes == at[k])
            out[count - 1].bytes += HONE_EMU_CHUNK;
        else
            out[count++] = (struct hone_emu_span){
                .block = warp->block, .at = at[k], .bytes = HONE_EMU_CHUNK};
    }
    return count;
}

// A warp reads its rows of A, which some kernels order for it alone, and the first one to
// come reads B for all.
static void tell_reads(const struct hone_emu_warp *warp, const struct hone_emu_insn *insn,
                       const struct hone_emu_product *product, bool first)
{
    const struct hone_emu_wgmma *wgmma = &warp->launch->code->wgmmas[insn->target];
    struct hone_emu_span spans[2 * HONE_EMU_MOST_CHUNKS];
    struct hone_emu_tile a = {.rows = HONE_EMU_PRODUCT_ROWS,
                              .row_bytes = ROW_BYTES,
                              .transposed = wgmma->transpose_a};
    struct hone_emu_tile b = {.rows = insn->shape[1],
                              .row_bytes = wgmma->sparse ? 2 * ROW_BYTES : ROW_BYTES,
                              .transposed = wgmma->transpose_b};
    struct hone_emu_async event = {.event = HONE_EMU_ASYNC_ISSUED,
                                   .insn = insn,
                                   .spans = spans,
                                   .group = warp->units.products.committed,
                                   .by_group = true};
    if (!wgmma->a_count) event.count = add_spans(warp, product->a, &a, true, spans);
    if (first) event.count += add_spans(warp, product->b, &b, false, spans + event.count);
    if (event.count == 0) return;
    event.number = ++warp->launch->asyncs;
    tell_of(warp, &event);
}

// The warp knows that all but its newest groups are over.
static void tell_wait(const struct hone_emu_warp *warp, const struct hone_emu_insn *insn)
{
    const uint64_t committed = warp->units.products.committed;
    const uint64_t in_flight = (uint64_t)insn->imm;
    struct hone_emu_async event = {.event = HONE_EMU_ASYNC_WAITED,
                                   .insn = insn,
                                   .in_flight = in_flight,
                                   .group = committed - in_flight};
    if (is_heard(warp) && committed > in_flight) tell_of(warp, &event);
}

// ---- when they are made ----

// The warp goes on behind its wait.
static void resume(struct hone_emu_warp *warp)
{
    for (uint32_t s = 0; s < warp->split_count; s++) {
        struct hone_emu_split *split = &warp->splits[s];
        if (split->state != SPLIT_PRODUCTS) continue;
        tell_wait(warp, split->at);
        split->at++;
        split->state = SPLIT_READY;
        warp->meetings++;
    }
    warp->block->events++;
}

static bool all_have_issued(const struct hone_emu_warp *warps)
{
    bool all = true;
    for (uint32_t k = 0; k < HONE_EMU_GROUP_WARPS; k++)
        all = all && warps[k].units.products.count > 0;
    return all;
}

// Makes those before number end, as far as all four warps have issued them, and lets go
// on who waited for them.
static void make_products(struct hone_emu_warp *warps, uint64_t end,
                          hone_emu_multiply *multiply)
{
    const bool late = warps->launch->copy_time != HONE_EMU_COPY_EAGER;
    if (warps->units.products.made >= end || !all_have_issued(warps)) return;
    for (uint32_t k = 0; late && k < HONE_EMU_GROUP_WARPS; k++)
        hone_emu_products_show(&warps[k].units.products, warps[k].regs);
    while (warps->units.products.made < end && all_have_issued(warps))
        if (!make_product(warps, warps->units.products.items, multiply)) return;
    for (uint32_t k = 0; k < HONE_EMU_GROUP_WARPS; k++) {
        struct hone_emu_products *products = &warps[k].units.products;
        if (late) hide_results(&warps[k]);
        if (!products->waits || products->made < products->wanted) continue;
        products->waits = false;
        resume(&warps[k]);
    }
}

// Has no other warp of the group issued the product of that number?
static bool is_first(const struct hone_emu_warp *warp, uint64_t number)
{
    const struct hone_emu_warp *warps = first_of_group(warp);
    bool first = true;
    for (uint32_t k = 0; k < HONE_EMU_GROUP_WARPS; k++) {
        const struct hone_emu_products *products = &warps[k].units.products;
        first =
            first && (&warps[k] == warp || products->made + products->count <= number);
    }
    return first;
}

void hone_emu_products_commit(struct hone_emu_warp *warp)
{
    warp->units.products.committed++;
}

void hone_emu_products_issue(struct hone_emu_warp *warp, const struct hone_emu_insn *insn,
                             hone_emu_multiply *multiply)
{
    struct hone_emu_products *products = &warp->units.products;
    const struct hone_emu_wgmma *wgmma = &warp->launch->code->wgmmas[insn->target];
    struct hone_emu_warp *warps = first_of_group(warp);
    struct hone_emu_product product;
    const uint64_t number = products->made + products->count;
    if (!is_group_whole(warp, insn) || !read_product(warp, insn, wgmma, &product) ||
        !issues_the_same(warp, insn, &product, number))
        return;
    if (!hone_emu_products_add(products, &product)) {
        hone_emu_fault(
            warp, insn, 0, HONE_UNSUPPORTED, HONE_FINDING_NONE,
            "%zu products of wgmma in flight, for which the host has no memory",
            products->count + 1);
        return;
    }
    if (is_heard(warp)) tell_reads(warp, insn, &product, is_first(warp, number));
    if (hone_emu_made_at_once(warp->block))
        make_products(warps, UINT64_MAX, multiply);
    else
        hide_results(warp);
    for (uint32_t k = 0; k < HONE_EMU_GROUP_WARPS; k++)
        if (warps[k].units.products.waits)
            make_products(warps, warps[k].units.products.wanted, multiply);
}

void hone_emu_products_wait(struct hone_emu_warp *warp, const struct hone_emu_insn *insn,
                            hone_emu_multiply *multiply)
{
    struct hone_emu_products *products = &warp->units.products;
    const uint64_t needed = hone_emu_products_needed(products, (uint64_t)insn->imm);
    const bool all = hone_emu_made_between(warp->block);
    make_products(first_of_group(warp), all ? UINT64_MAX : needed, multiply);
    if (warp->launch->faulted) return;
    if (products->made >= needed) {
        tell_wait(warp, insn);
        return;
    }
    products->waits = true;
    products->wanted = needed;
    hone_emu_park(warp, insn, SPLIT_PRODUCTS, 0, 0);
}
