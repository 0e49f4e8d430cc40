// Places registers in a warp's register file, as a linear scan over live intervals
// (Poletto and Sarkar, 1999) does: PTX names thousands, few live at once, and a small
// file stays in the caches. Lanes part company but each lane follows one path of the
// code, and a write touches only the lanes that run: so liveness of a single thread is
// enough.
#include <stdlib.h>
#include <string.h>

#include "emu_code.h"

// What placing may take: bytes of sets, rounds until liveness is known, and registers
// that live at once, of one size. GPUs have 255 a thread.
enum { MAX_SET_BYTES = 256 << 20, MAX_ROUNDS = 1000, MAX_LIVE = 1 << 14 };

struct block {
    uint32_t first, end; // instructions
    uint32_t next[2];    // blocks that follow; UINT32_MAX for none
    uint64_t *live_in, *live_out, *used, *defined; // sets of registers
};

struct interval {
    uint32_t reg, from, to; // instructions, both inside
};

struct placer {
    struct hone_emu_code *code;
    struct block *blocks;
    size_t block_count, words; // of a set
    uint32_t *block_of;        // of each instruction
    struct interval *intervals;
    uint32_t *place; // byte offset of each register
    uint64_t *sets;
    uint64_t *in_flight; // registers of wgmma: they have to stay until it is waited for
    const char *excess;  // what is more than placing may take; NULL: nothing
};

static uint32_t bytes_of(uint32_t bits)
{
    return bits == 1 ? 4 : bits == 32 ? 4 * HONE_EMU_LANES : 8 * HONE_EMU_LANES;
}

static bool has(const uint64_t *set, uint32_t reg)
{
    return set[reg / 64] >> reg % 64 & 1;
}

static void registers_add(uint64_t *set, uint32_t reg)
{
    set[reg / 64] |= UINT64_C(1) << reg % 64;
}

static unsigned registers_of(const struct hone_emu_wgmma *wgmma)
{
    return (unsigned)wgmma->d_count + wgmma->a_count;
}

// Every register number becomes what the table says.
static void rewrite(struct hone_emu_code *code, const uint32_t *to)
{
    for (size_t k = 0; k < code->count; k++) {
        struct hone_emu_insn *insn = &code->insns[k];
        for (unsigned j = 0; j < insn->dst_count; j++)
            insn->dst[j] = to[insn->dst[j]];
        for (unsigned j = 0; j < insn->src_count; j++)
            insn->src[j] = to[insn->src[j]];
        if (insn->guard != HONE_EMU_NO_GUARD) insn->guard = to[insn->guard];
    }
    for (size_t k = 0; k < code->wgmma_count; k++)
        for (unsigned j = 0; j < registers_of(&code->wgmmas[k]); j++)
            code->wgmmas[k].regs[j] = to[code->wgmmas[k].regs[j]];
    for (size_t k = 0; k < code->constant_count; k++)
        code->constants[k].reg = to[code->constants[k].reg];
    for (size_t k = 0; k < code->special_count; k++)
        code->specials[k].reg = to[code->specials[k].reg];
}

static void mark(uint32_t *numbers, uint32_t reg)
{
    numbers[reg] = 1;
}

// Leave out registers that are declared and not used; kernels declare a million.
static bool renumber(struct hone_emu_code *code)
{
    uint32_t *numbers = calloc(code->reg_count + 1, sizeof *numbers), next = 0;
    if (!numbers) return false;
    for (size_t k = 0; k < code->count; k++) {
        const struct hone_emu_insn *insn = &code->insns[k];
        for (unsigned j = 0; j < insn->dst_count; j++)
            mark(numbers, insn->dst[j]);
        for (unsigned j = 0; j < insn->src_count; j++)
            mark(numbers, insn->src[j]);
        if (insn->guard != HONE_EMU_NO_GUARD) mark(numbers, insn->guard);
    }
    for (size_t k = 0; k < code->wgmma_count; k++)
        for (unsigned j = 0; j < registers_of(&code->wgmmas[k]); j++)
            mark(numbers, code->wgmmas[k].regs[j]);
    for (size_t k = 0; k < code->constant_count; k++)
        mark(numbers, code->constants[k].reg);
    for (size_t k = 0; k < code->special_count; k++)
        mark(numbers, code->specials[k].reg);
    for (size_t r = 0; r < code->reg_count; r++) {
        if (!numbers[r]) continue;
        numbers[r] = next;
        code->reg_bits[next++] = code->reg_bits[r];
    }
    rewrite(code, numbers);
    code->reg_count = next;
    free(numbers);
    return true;
}

// ---- blocks ----

static bool ends_block(const struct hone_emu_insn *insn)
{
    return insn->op == EMU_BRA ||
           (insn->op == EMU_EXIT && insn->guard == HONE_EMU_NO_GUARD);
}

static void mark_starts(const struct hone_emu_code *code, uint32_t *starts)
{
    starts[0] = 1;
    for (size_t k = 0; k < code->count; k++) {
        if (!ends_block(&code->insns[k])) continue;
        if (k + 1 < code->count) starts[k + 1] = 1;
        if (code->insns[k].op == EMU_BRA) starts[code->insns[k].target] = 1;
    }
}

static void link_block(struct placer *placer, struct block *block)
{
    const struct hone_emu_insn *last = &placer->code->insns[block->end - 1];
    bool falls = !ends_block(last) || (last->op == EMU_BRA && last->src_count > 0);
    block->next[0] = falls && block->end < placer->code->count
                         ? placer->block_of[block->end]
                         : UINT32_MAX;
    block->next[1] = last->op == EMU_BRA ? placer->block_of[last->target] : UINT32_MAX;
}

static bool find_blocks(struct placer *placer)
{
    const struct hone_emu_code *code = placer->code;
    mark_starts(code, placer->block_of);
    for (size_t k = 0; k < code->count; k++)
        placer->block_count += placer->block_of[k];
    if (placer->block_count > MAX_SET_BYTES / 32 / placer->words) {
        placer->excess = "too many branches between too many registers";
        return false;
    }
    placer->blocks = calloc(placer->block_count, sizeof *placer->blocks);
    placer->sets = calloc(placer->block_count * 4 + 1, placer->words * sizeof(uint64_t));
    if (!placer->blocks || !placer->sets) return false;
    placer->in_flight = placer->sets + 4 * placer->block_count * placer->words;
    for (size_t k = 0; k < code->wgmma_count; k++)
        for (unsigned j = 0; j < registers_of(&code->wgmmas[k]); j++)
            registers_add(placer->in_flight, code->wgmmas[k].regs[j]);
    uint32_t n = UINT32_MAX;
    for (uint32_t k = 0; k < code->count; k++) {
        if (placer->block_of[k]) placer->blocks[++n].first = k;
        placer->block_of[k] = n;
        placer->blocks[n].end = k + 1;
    }
    for (size_t b = 0; b < placer->block_count; b++) {
        struct block *block = &placer->blocks[b];
        block->live_in = placer->sets + 4 * b * placer->words;
        block->live_out = block->live_in + placer->words;
        block->used = block->live_out + placer->words;
        block->defined = block->used + placer->words;
        link_block(placer, block);
    }
    return true;
}

// ---- liveness ----

// A guarded write, and one to a predicate or a vector of which lanes keep their old
// value, needs what was there: only a whole write ends a life.
static void note(const struct placer *placer, struct block *block,
                 const struct hone_emu_insn *insn)
{
    const struct hone_emu_wgmma *wgmma = hone_emu_wgmma_of(placer->code, insn);
    for (size_t i = 0; insn->op == EMU_WGWAIT && i < placer->words; i++)
        block->used[i] |= placer->in_flight[i] & ~block->defined[i];
    for (unsigned k = 0; wgmma && k < registers_of(wgmma); k++)
        if (!has(block->defined, wgmma->regs[k]))
            registers_add(block->used, wgmma->regs[k]);
    for (unsigned k = 0; k < insn->src_count; k++)
        if (!has(block->defined, insn->src[k])) registers_add(block->used, insn->src[k]);
    bool guarded = insn->guard != HONE_EMU_NO_GUARD;
    if (guarded && !has(block->defined, insn->guard))
        registers_add(block->used, insn->guard);
    for (unsigned k = 0; k < insn->dst_count; k++) {
        if (!guarded)
            registers_add(block->defined, insn->dst[k]);
        else if (!has(block->defined, insn->dst[k]))
            registers_add(block->used, insn->dst[k]);
    }
}

static bool flow(const struct placer *placer, struct block *block)
{
    bool changed = false;
    for (size_t i = 0; i < placer->words; i++) {
        uint64_t out = 0;
        for (unsigned k = 0; k < 2; k++)
            if (block->next[k] != UINT32_MAX)
                out |= placer->blocks[block->next[k]].live_in[i];
        uint64_t in = block->used[i] | (out & ~block->defined[i]);
        changed |= in != block->live_in[i];
        block->live_out[i] = out;
        block->live_in[i] = in;
    }
    return changed;
}

static void find_liveness(struct placer *placer)
{
    for (size_t b = 0; b < placer->block_count; b++)
        for (uint32_t k = placer->blocks[b].first; k < placer->blocks[b].end; k++)
            note(placer, &placer->blocks[b], &placer->code->insns[k]);
    size_t rounds = 0;
    for (bool changed = true; changed; rounds++) {
        changed = false;
        if (rounds == MAX_ROUNDS) {
            placer->excess = "loops that are nested too deep";
            return;
        }
        for (size_t b = placer->block_count; b-- > 0;)
            changed |= flow(placer, &placer->blocks[b]);
    }
}

// ---- intervals ----

static void touch(struct placer *placer, uint32_t reg, uint32_t at)
{
    struct interval *interval = &placer->intervals[reg];
    if (at < interval->from) interval->from = at;
    if (at > interval->to || interval->to == UINT32_MAX) interval->to = at;
}

static void touch_set(struct placer *placer, const uint64_t *set, uint32_t at)
{
    for (size_t i = 0; i < placer->words; i++)
        for (uint64_t bits = set[i]; bits; bits &= bits - 1)
            touch(placer, (uint32_t)(i * 64) + (uint32_t)__builtin_ctzll(bits), at);
}

static void find_intervals(struct placer *placer)
{
    const struct hone_emu_code *code = placer->code;
    for (uint32_t r = 0; r < code->reg_count; r++)
        placer->intervals[r] = (struct interval){r, UINT32_MAX, UINT32_MAX};
    for (uint32_t k = 0; k < code->count; k++) {
        const struct hone_emu_insn *insn = &code->insns[k];
        const struct hone_emu_wgmma *wgmma = hone_emu_wgmma_of(code, insn);
        for (unsigned j = 0; wgmma && j < registers_of(wgmma); j++)
            touch(placer, wgmma->regs[j], k);
        if (insn->op == EMU_WGWAIT) touch_set(placer, placer->in_flight, k);
        for (unsigned j = 0; j < insn->src_count; j++)
            touch(placer, insn->src[j], k);
        for (unsigned j = 0; j < insn->dst_count; j++)
            touch(placer, insn->dst[j], k);
        if (insn->guard != HONE_EMU_NO_GUARD) touch(placer, insn->guard, k);
    }
    for (size_t b = 0; b < placer->block_count; b++) {
        touch_set(placer, placer->blocks[b].live_in, placer->blocks[b].first);
        touch_set(placer, placer->blocks[b].live_out, placer->blocks[b].end - 1);
    }
    // written before the kernel runs, read whenever: theirs for good
    for (size_t k = 0; k < code->constant_count; k++)
        placer->intervals[code->constants[k].reg] =
            (struct interval){code->constants[k].reg, 0, UINT32_MAX - 1};
    for (size_t k = 0; k < code->special_count; k++)
        placer->intervals[code->specials[k].reg] =
            (struct interval){code->specials[k].reg, 0, UINT32_MAX - 1};
}

static int by_start(const void *a, const void *b)
{
    const struct interval *x = a, *y = b;
    if (x->from != y->from) return x->from < y->from ? -1 : 1;
    return x->reg < y->reg ? -1 : x->reg > y->reg;
}

// ---- places ----

// Places of one size. ends: when each place is free again; places: how many there are.
struct pool {
    uint32_t bits, base, places;
    uint32_t *ends;
};

// A place whose last owner is done before from. An instruction may read and write through
// one place lane by lane, except where lanes mix: so touching intervals do not share.
static uint32_t take_place(struct pool *pool, const struct interval *interval)
{
    uint32_t p = 0;
    while (p < pool->places && pool->ends[p] >= interval->from)
        p++;
    if (p == pool->places) pool->places++;
    pool->ends[p] = interval->to;
    return p;
}

static bool assign_places(struct placer *placer)
{
    static const uint32_t sizes[] = {1, 32, 64};
    struct hone_emu_code *code = placer->code;
    uint32_t *ends = calloc(code->reg_count + 1, sizeof *ends), next = 0;
    if (!ends) return false;
    for (size_t s = 0; s < 3; s++) {
        struct pool pool = {.bits = sizes[s], .base = next, .ends = ends};
        if (s == 1) code->words_at = next;
        if (s == 2) code->doubles_at = next;
        for (size_t k = 0; k < code->reg_count; k++) {
            const struct interval *interval = &placer->intervals[k];
            if (interval->from == UINT32_MAX ||
                code->reg_bits[interval->reg] != pool.bits)
                continue;
            placer->place[interval->reg] =
                pool.base + take_place(&pool, interval) * bytes_of(pool.bits);
            if (pool.places > MAX_LIVE) {
                placer->excess = "too many live registers";
                break;
            }
        }
        next = (pool.base + pool.places * bytes_of(pool.bits) + 255) & ~255U;
    }
    free(ends);
    code->register_bytes = next;
    return true;
}

// ---- how many live at once ----

// What a register takes of a thread's file, in words of 32 bits: nothing where ptxas
// keeps it elsewhere, or makes it anew where it is read: predicates, immediates, special
// registers and what is loaded from the bank of parameters.
static uint8_t *find_weights(const struct hone_emu_code *code)
{
    uint8_t *weights = calloc(code->reg_count + 1, 1);
    if (!weights) return NULL;
    for (size_t r = 0; r < code->reg_count; r++)
        weights[r] = code->reg_bits[r] == 1 ? 0 : code->reg_bits[r] / 32;
    for (size_t k = 0; k < code->constant_count; k++)
        weights[code->constants[k].reg] = 0;
    for (size_t k = 0; k < code->special_count; k++)
        weights[code->specials[k].reg] = 0;
    for (size_t k = 0; k < code->count; k++) {
        const struct hone_emu_insn *insn = &code->insns[k];
        for (unsigned j = 0;
             insn->op == EMU_LD && insn->space == PTX_PARAM && j < insn->dst_count; j++)
            weights[insn->dst[j]] = 0;
    }
    return weights;
}

struct live {
    uint64_t *set;
    const uint8_t *weights;
    uint32_t words, most;
};

static void live_begin(struct live *live, uint32_t reg)
{
    if (has(live->set, reg)) return;
    registers_add(live->set, reg);
    live->words += live->weights[reg];
}

static void live_end(struct live *live, uint32_t reg)
{
    if (!has(live->set, reg)) return;
    live->set[reg / 64] &= ~(UINT64_C(1) << reg % 64);
    live->words -= live->weights[reg];
}

// Backwards over one instruction. What it writes and nobody reads lives there, too.
static void live_step(struct live *live, const struct hone_emu_insn *insn)
{
    const bool guarded = insn->guard != HONE_EMU_NO_GUARD;
    for (unsigned j = 0; j < insn->dst_count; j++)
        live_begin(live, insn->dst[j]);
    if (live->words > live->most) live->most = live->words;
    for (unsigned j = 0; j < insn->dst_count && !guarded; j++)
        live_end(live, insn->dst[j]);
    for (unsigned j = 0; j < insn->src_count; j++)
        live_begin(live, insn->src[j]);
    if (guarded) live_begin(live, insn->guard);
    if (live->words > live->most) live->most = live->words;
}

static void live_block(struct live *live, const struct placer *placer,
                       const struct block *block)
{
    memcpy(live->set, block->live_out, placer->words * sizeof *live->set);
    live->words = 0;
    for (size_t i = 0; i < placer->words; i++)
        for (uint64_t bits = live->set[i]; bits; bits &= bits - 1)
            live->words += live->weights[i * 64 + (size_t)__builtin_ctzll(bits)];
    for (uint32_t k = block->end; k-- > block->first;)
        live_step(live, &placer->code->insns[k]);
}

enum hone_status hone_emu_count_live(struct hone_emu_code *code, uint32_t *words,
                                     struct hone_error *err)
{
    if (!renumber(code)) return hone_no_memory(err, "counting registers");
    struct placer placer = {.code = code, .words = code->reg_count / 64 + 1};
    struct live live = {.set = calloc(placer.words, sizeof *live.set)};
    uint8_t *weights = find_weights(code);
    live.weights = weights;
    placer.block_of = calloc(code->count, sizeof *placer.block_of);
    const bool done = live.set && weights && placer.block_of && find_blocks(&placer);
    if (done) find_liveness(&placer);
    for (size_t b = 0; done && !placer.excess && b < placer.block_count; b++)
        live_block(&live, &placer, &placer.blocks[b]);
    *words = live.most;
    free(placer.block_of);
    free(placer.blocks);
    free(placer.sets);
    free(weights);
    free(live.set);
    if (placer.excess) return hone_fail(err, HONE_EUNSUPPORTED, "%s", placer.excess);
    return done ? HONE_OK : hone_no_memory(err, "counting registers");
}

// ---- placing ----

enum hone_status hone_emu_place_registers(struct hone_emu_code *code, bool share,
                                          struct hone_error *err)
{
    if (!renumber(code)) return hone_no_memory(err, "placing registers");
    struct placer placer = {.code = code, .words = code->reg_count / 64 + 1};
    placer.block_of = calloc(code->count, sizeof *placer.block_of);
    placer.intervals = calloc(code->reg_count + 1, sizeof *placer.intervals);
    placer.place = calloc(code->reg_count + 1, sizeof *placer.place);
    bool done =
        placer.block_of && placer.intervals && placer.place && find_blocks(&placer);
    if (done) {
        find_liveness(&placer);
        find_intervals(&placer);
        for (size_t k = 0; !share && k < code->reg_count; k++)
            if (placer.intervals[k].from != UINT32_MAX)
                placer.intervals[k].to = UINT32_MAX - 1;
        qsort(placer.intervals, code->reg_count, sizeof *placer.intervals, by_start);
        done = !placer.excess && assign_places(&placer) && !placer.excess;
    }
    if (done) rewrite(code, placer.place);
    free(placer.block_of);
    free(placer.intervals);
    free(placer.place);
    free(placer.blocks);
    free(placer.sets);
    if (placer.excess) return hone_fail(err, HONE_EUNSUPPORTED, "%s", placer.excess);
    return done ? HONE_OK : hone_no_memory(err, "placing registers");
}
