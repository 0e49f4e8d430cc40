#include "far.h"

#include <stdlib.h>
#include <string.h>

#include "hone/rng.h"

/* A word of device memory is noted with two: number + 1 of the block that stored it last,
 * and of one that loaded it; STRONG: by an atomic or another strong access. */
enum { WORD = 4 };
#define STRONG (UINT32_C(1) << 31)

enum { MOST_AREAS = 64, MOST_SITES = 32, PAIRS = 2, MOST_BLOCKS = 16 };
static const uint64_t most_bytes = UINT64_C(1) << 28; // of areas

// An allocation that was touched.
struct area {
    struct hone_emu_range range;
    size_t words;
    uint32_t *writers, *readers; // NULL: not noted
};

// Blocks that met at an instruction: PAIRS of those that did, each as likely as another.
struct site {
    const struct hone_emu_insn *insn;
    uint64_t met;
    uint32_t pairs[PAIRS][2];
};

struct hone_emu_far {
    uint32_t grid[3];
    hone_emu_is_watched *watched;
    struct area areas[MOST_AREAS];
    size_t area_count;
    struct area *last; // the one touched last, or NULL
    uint64_t bytes;
    struct site sites[MOST_SITES];
    size_t site_count;
    struct hone_rng rng;
    bool ended;
    uint32_t blocks[MOST_BLOCKS]; // chosen ones
    size_t block_count;
};

struct hone_emu_far *hone_emu_far_new(const uint32_t grid[3],
                                      hone_emu_is_watched *watched)
{
    struct hone_emu_far *far = calloc(1, sizeof *far);
    if (!far) return NULL;
    memcpy(far->grid, grid, sizeof far->grid);
    far->watched = watched;
    hone_rng_seed(&far->rng, 1);
    // block numbers must fit beside STRONG
    far->ended = (uint64_t)grid[0] * grid[1] * grid[2] >= STRONG - 1;
    return far;
}

static void free_areas(struct hone_emu_far *far)
{
    for (size_t i = 0; i < far->area_count; i++)
        free(far->areas[i].writers);
    far->area_count = 0;
    far->last = NULL;
}

void hone_emu_far_free(struct hone_emu_far *far)
{
    if (!far) return;
    free_areas(far);
    free(far);
}

// ---- blocks that met ----

static uint32_t number_of(const struct hone_emu_far *far, const uint32_t *id)
{
    return id[0] + far->grid[0] * (id[1] + far->grid[1] * id[2]);
}

static bool is_watched(const struct hone_emu_far *far, uint32_t block)
{
    const uint32_t *grid = far->grid;
    const uint32_t id[3] = {block % grid[0], block / grid[0] % grid[1],
                            block / grid[0] / grid[1]};
    return far->watched(grid, id);
}

static struct site *site_of(struct hone_emu_far *far, const struct hone_emu_insn *insn)
{
    for (size_t i = 0; i < far->site_count; i++)
        if (far->sites[i].insn == insn) return &far->sites[i];
    if (far->site_count == MOST_SITES) return NULL;
    far->sites[far->site_count] = (struct site){.insn = insn};
    return &far->sites[far->site_count++];
}

// Words of blocks, without STRONG. Vitter, "Random sampling with a reservoir", 1985.
static void meet(struct hone_emu_far *far, const struct hone_emu_insn *insn, uint32_t own,
                 uint32_t other)
{
    if (is_watched(far, own - 1) && is_watched(far, other - 1)) return;
    struct site *site = site_of(far, insn);
    if (!site) return;
    const uint64_t at =
        site->met < PAIRS ? site->met : hone_rng_below(&far->rng, site->met + 1);
    site->met++;
    if (at >= PAIRS) return;
    site->pairs[at][0] = own - 1;
    site->pairs[at][1] = other - 1;
}

static void add_block(struct hone_emu_far *far, uint32_t block)
{
    for (size_t i = 0; i < far->block_count; i++)
        if (far->blocks[i] == block) return;
    far->blocks[far->block_count++] = block;
}

bool hone_emu_far_end(struct hone_emu_far *far)
{
    for (int p = 0; p < PAIRS && !far->ended; p++) // one of each instruction first
        for (size_t i = 0; i < far->site_count; i++) {
            const struct site *site = &far->sites[i];
            if (site->met <= (uint64_t)p || far->block_count + 2 > MOST_BLOCKS) continue;
            add_block(far, site->pairs[p][0]);
            add_block(far, site->pairs[p][1]);
        }
    far->ended = true;
    free_areas(far);
    return far->block_count > 0;
}

bool hone_emu_far_met(const struct hone_emu_far *far)
{
    return far->block_count > 0;
}

bool hone_emu_far_notes(const struct hone_emu_far *far)
{
    return !far->ended;
}

bool hone_emu_far_has(const struct hone_emu_far *far, const uint32_t id[3])
{
    for (size_t i = 0; i < far->block_count; i++)
        if (far->blocks[i] == number_of(far, id)) return true;
    return false;
}

// ---- words ----

static struct area *add_area(struct hone_emu_far *far, const struct hone_emu_range *range)
{
    if (far->area_count == MOST_AREAS) return NULL;
    struct area *area = &far->areas[far->area_count++];
    const size_t words = (size_t)(range->bytes / WORD + 1);
    *area = (struct area){.range = *range, .words = words};
    if (range->read_only || words > (most_bytes - far->bytes) / (2 * sizeof(uint32_t)))
        return area;
    area->writers = calloc(2 * words, sizeof *area->writers);
    if (!area->writers) return area;
    area->readers = area->writers + words;
    far->bytes += 2 * words * sizeof *area->writers;
    return area;
}

// Where the address is noted; NULL when it is not.
static struct area *area_of(struct hone_emu_far *far, const struct hone_emu_warp *warp,
                            uint64_t address)
{
    struct area *area = far->last;
    if (!area || address - area->range.base >= area->range.bytes) {
        area = NULL;
        for (size_t i = 0; i < far->area_count && !area; i++)
            if (address - far->areas[i].range.base < far->areas[i].range.bytes)
                area = &far->areas[i];
        const struct hone_emu_range *range =
            area ? NULL : hone_emu_memory_find(warp->launch->memory, address);
        if (range && address - range->base < range->bytes) area = add_area(far, range);
        far->last = area;
    }
    return area && area->writers ? area : NULL;
}

// Does another block's word, of those from at on, meet own? At least one is weak.
static inline uint32_t find_other(const uint32_t *at, size_t count, uint32_t own)
{
    const uint32_t block = own & ~STRONG, weak = ~own & STRONG;
    uint32_t any = 0;
    for (size_t k = 0; k < count; k++)
        any |= at[k];
    if (any == 0) return 0;
    for (size_t k = 0; k < count; k++)
        if (at[k] && (at[k] & ~STRONG) != block && (weak || !(at[k] & STRONG)))
            return at[k] & ~STRONG;
    return 0;
}

// Words that lanes touch.
struct stretch {
    struct area *area;
    size_t first, count;
    uint32_t own; // the block's word
};

static uint32_t load_words(const struct stretch *s)
{
    uint32_t *readers = s->area->readers + s->first;
    const uint32_t own = s->own,
                   other = find_other(s->area->writers + s->first, s->count, own);
    for (size_t k = 0; k < s->count; k++) {
        const uint32_t before = readers[k]; // the first one, a weak one if there is one
        const bool keep = before && !(before & STRONG && !(own & STRONG));
        readers[k] = keep ? before : own;
    }
    return other;
}

static uint32_t store_words(const struct stretch *s)
{
    uint32_t *writers = s->area->writers + s->first;
    uint32_t other = find_other(writers, s->count, s->own);
    if (!other) other = find_other(s->area->readers + s->first, s->count, s->own);
    for (size_t k = 0; k < s->count; k++)
        writers[k] = s->own;
    return other;
}

// Does the lane store what is there already?
static bool stores_same(const struct hone_emu_warp *warp,
                        const struct hone_emu_insn *insn, uint32_t lane, uint64_t address,
                        uint32_t bytes)
{
    if (insn->op != EMU_ST) return false;
    const uint32_t each = bytes / insn->lanes;
    const uint8_t *memory = hone_emu_memory_host(warp->launch->memory, address);
    for (uint32_t k = 0; k < insn->lanes; k++) {
        const size_t size = insn->wide >> k & 1 ? 8 : 4;
        const uint8_t *value = warp->regs + insn->src[1 + k] + size * (size_t)lane;
        if (memcmp(value, memory + (size_t)k * each, each) != 0) return false;
    }
    return true;
}

static uint32_t own_word(const struct hone_emu_far *far, const struct hone_emu_warp *warp,
                         const struct hone_emu_insn *insn)
{
    const bool strong = (insn->order & ORDER_STRONG || insn->op == EMU_ATOM) &&
                        !(insn->order & (ORDER_BLOCK | ORDER_CLUSTER));
    return (number_of(far, warp->block->id) + 1) | (strong ? STRONG : 0);
}

// Lanes of mask from its lowest on whose bytes are the same or follow one another.
static uint32_t run_of(const uint64_t *addresses, uint32_t mask, uint32_t bytes)
{
    uint32_t lane = (uint32_t)__builtin_ctz(mask), count = 1;
    for (; ++lane < HONE_EMU_LANES && mask >> lane & 1; count++) {
        const uint64_t step = addresses[lane] - addresses[lane - 1];
        if (step != 0 && step != bytes) break;
    }
    return count;
}

void hone_emu_far_touch(void *context, const struct hone_emu_warp *warp,
                        const struct hone_emu_insn *insn, const uint64_t *addresses,
                        uint32_t bytes)
{
    struct hone_emu_far *far = context;
    const bool loads = insn->op == EMU_LD || insn->op == EMU_CPASYNC ||
                       insn->op == EMU_BULKLOAD || insn->op == EMU_BULKCAST;
    const uint32_t own = own_word(far, warp, insn);
    uint32_t other = 0;
    for (uint32_t m = warp->mask; m;) {
        const uint32_t lane = (uint32_t)__builtin_ctz(m);
        const uint64_t at = addresses[lane];
        const uint32_t count = loads ? run_of(addresses, m, bytes) : 1;
        m &= ~(uint32_t)(((UINT64_C(1) << count) - 1) << lane);
        struct area *area = area_of(far, warp, at);
        if (!area) continue;
        const uint64_t last = addresses[lane + count - 1] + bytes - 1;
        const size_t first = (size_t)((at - area->range.base) / WORD);
        size_t end = (size_t)((last - area->range.base) / WORD + 1);
        if (end > area->words) end = area->words; // a copy may name more than it reads
        const struct stretch s = {area, first, end - first, own};
        const uint32_t met = loads ? load_words(&s) : store_words(&s);
        if (met && (loads || !stores_same(warp, insn, lane, at, bytes))) other = met;
    }
    if (other) meet(far, insn, own & ~STRONG, other);
}
