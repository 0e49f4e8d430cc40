// Which buffers steer a kernel: may the values in the memory that a parameter points to
// decide what is executed, or which addresses are touched? A data flow over the registers
// as they are declared, blind to the order of instructions: each register has the set of
// buffers that it may point into and the set of those whose values went into it, and so
// has each memory. What decides is a branch, a guard, an address, a barrier, a mask. A
// value that only one side of a branch stores needs no care: the branch is found itself.
#include "steer.h"

#include <stdlib.h>
#include <string.h>

#include "memory/emu_memory.h"

// Bits of a set: a parameter's memory (those beyond share the last), a window of the
// generic space, the module's variables, what wgmma computes.
enum { SHARED_BIT = HONE_EMU_STEER_MAX, WINDOW_BIT, MODULE_BIT };
static const uint64_t window = UINT64_C(1) << WINDOW_BIT;
static const uint64_t variables = UINT64_C(1) << MODULE_BIT;
static const uint64_t anything = ~(UINT64_C(1) << WINDOW_BIT);

struct value {
    uint64_t points, holds; // into whose memory, and whose values
};

struct steering {
    const struct hone_emu_code *code;
    const struct ptx_kernel *kernel;
    struct value *regs;
    uint64_t *constants; // of registers that are one: their value
    bool *is_constant;
    struct value memory[64]; // what lies in the memory of each bit
    struct value block;      // what lies in shared and local memory
    uint64_t found;
    bool changed;
};

static void join(struct steering *s, struct value *into, struct value more)
{
    const struct value old = *into;
    into->points |= more.points;
    into->holds |= more.holds;
    s->changed |= into->points != old.points || into->holds != old.holds;
}

static void decide_by(struct steering *s, uint32_t reg)
{
    s->found |= s->regs[reg].holds;
}

// The buffer that a parameter at this place of the bank points to.
static uint64_t bit_of_param(const struct steering *s, uint64_t place)
{
    uint64_t bit = 0;
    for (const struct ptx_variable *p = s->kernel->params; p; p = p->next, bit++)
        if (place >= p->address && place < p->address + p->bytes)
            return UINT64_C(1) << (bit < SHARED_BIT ? bit : SHARED_BIT);
    return anything;
}

static struct value load_param(const struct steering *s, const struct hone_emu_insn *insn)
{
    const uint32_t base = insn->src[0];
    if (!s->is_constant[base]) return (struct value){.points = anything};
    return (struct value){
        .points = bit_of_param(s, s->constants[base] + (uint64_t)insn->offset)};
}

// Whose memory an access through reg may touch; block: shared or local memory as well.
static uint64_t touched(const struct steering *s, const struct hone_emu_insn *insn,
                        uint32_t reg, bool *block)
{
    const uint64_t points = s->regs[reg].points;
    *block = insn->space == PTX_SHARED || insn->space == PTX_LOCAL;
    if (*block) return 0;
    *block = insn->space == PTX_GENERIC && (points == 0 || points & window);
    if (points == 0) return anything;
    return points & ~window;
}

static struct value load(const struct steering *s, const struct hone_emu_insn *insn,
                         uint32_t reg)
{
    bool block;
    const uint64_t where = touched(s, insn, reg, &block);
    struct value out = {.points = where, .holds = where};
    if (block) out.points |= s->block.points, out.holds |= s->block.holds;
    for (unsigned bit = 0; bit < 64; bit++) {
        if (!(where >> bit & 1)) continue;
        out.points |= s->memory[bit].points;
        out.holds |= s->memory[bit].holds;
    }
    return out;
}

static void store(struct steering *s, const struct hone_emu_insn *insn, uint32_t reg,
                  struct value value)
{
    bool block;
    const uint64_t where = touched(s, insn, reg, &block);
    if (block) join(s, &s->block, value);
    for (unsigned bit = 0; bit < 64; bit++)
        if (where >> bit & 1) join(s, &s->memory[bit], value);
}

static struct value join_sources(const struct steering *s,
                                 const struct hone_emu_insn *insn, unsigned first)
{
    struct value out = {0};
    for (unsigned k = first; k < insn->src_count; k++) {
        out.points |= s->regs[insn->src[k]].points;
        out.holds |= s->regs[insn->src[k]].holds;
    }
    return out;
}

static void write_results(struct steering *s, const struct hone_emu_insn *insn,
                          struct value value)
{
    for (unsigned k = 0; k < insn->dst_count; k++)
        join(s, &s->regs[insn->dst[k]], value);
}

static void flow_memory(struct steering *s, const struct hone_emu_insn *insn)
{
    const struct hone_emu_insn shared = {.space = PTX_SHARED},
                               global = {.space = PTX_GLOBAL};
    const struct value given = join_sources(s, insn, 1);
    decide_by(s, insn->src[0]);
    switch (insn->op) {
    case EMU_LD:
        write_results(s, insn,
                      insn->space == PTX_PARAM ? load_param(s, insn)
                                               : load(s, insn, insn->src[0]));
        break;
    case EMU_ATOM:
        write_results(s, insn, load(s, insn, insn->src[0]));
        store(s, insn, insn->src[0], given);
        break;
    case EMU_LDMATRIX:
        write_results(s, insn, load(s, &shared, insn->src[0]));
        break;
    case EMU_STMATRIX:
        store(s, &shared, insn->src[0], given);
        break;
    case EMU_CPASYNC:
        for (unsigned k = 1; k < insn->src_count; k++)
            decide_by(s, insn->src[k]);
        store(s, &shared, insn->src[0], load(s, &global, insn->src[1]));
        break;
    case EMU_BULKLOAD:
    case EMU_BULKCAST:
    case EMU_BULKPEER:
    case EMU_BULKSTORE:
        for (unsigned k = 1; k < insn->src_count; k++)
            decide_by(s, insn->src[k]);
        store(
            s, insn->op == EMU_BULKSTORE ? &global : &shared, insn->src[0],
            load(s,
                 insn->op == EMU_BULKLOAD || insn->op == EMU_BULKCAST ? &global : &shared,
                 insn->src[1]));
        break;
    case EMU_STASYNC:
    case EMU_REDASYNC:
        decide_by(s, insn->src[insn->src_count - 1]);
        store(s, &shared, insn->src[0], given);
        break;
    default:
        store(s, insn, insn->src[0], given);
    }
}

// Where a tensor map points is not followed: anywhere.
static void flow_tensor(struct steering *s, const struct hone_emu_insn *insn)
{
    for (unsigned k = 0; k < insn->src_count; k++)
        decide_by(s, insn->src[k]);
    if (insn->op == EMU_TMALOAD || insn->op == EMU_TMACAST)
        join(s, &s->block, (struct value){.points = anything, .holds = anything});
    for (unsigned bit = 0; insn->op == EMU_TMASTORE && bit < 64; bit++)
        if (anything >> bit & 1) join(s, &s->memory[bit], s->block);
}

static void flow_plain(struct steering *s, const struct hone_emu_insn *insn)
{
    struct value value = join_sources(s, insn, 0);
    if (insn->op == EMU_ADDWINDOW && insn->space != PTX_GLOBAL &&
        insn->space != PTX_CONST)
        value.points |= window;
    write_results(s, insn, value);
}

// Results have what shared memory and A's registers have, and what they had.
static void flow_product(struct steering *s, const struct hone_emu_insn *insn)
{
    const struct hone_emu_wgmma *wgmma = &s->code->wgmmas[insn->target];
    const struct hone_emu_insn shared = {.space = PTX_SHARED};
    struct value value = load(s, &shared, insn->src[HONE_EMU_WGMMA_B]);
    value.holds |= UINT64_C(1) << HONE_EMU_STEER_PRODUCTS;
    for (unsigned k = 0; k < insn->src_count; k++)
        decide_by(s, insn->src[k]);
    for (unsigned k = 0; k < wgmma->a_count; k++) {
        value.points |= s->regs[wgmma->regs[wgmma->d_count + k]].points;
        value.holds |= s->regs[wgmma->regs[wgmma->d_count + k]].holds;
    }
    for (unsigned k = 0; k < wgmma->d_count; k++)
        join(s, &s->regs[wgmma->regs[k]], value);
}

// The last source of an operation of the warp is the mask of its lanes.
static bool has_mask(const struct hone_emu_insn *insn)
{
    return insn->op == EMU_SHUFFLE || insn->op == EMU_VOTE || insn->op == EMU_MATCH ||
           insn->op == EMU_REDUX || insn->op == EMU_ELECT;
}

static void flow(struct steering *s, const struct hone_emu_insn *insn)
{
    unsigned deciding = 0;
    if (insn->guard != HONE_EMU_NO_GUARD) decide_by(s, insn->guard);
    switch (insn->op) {
    case EMU_LD:
    case EMU_ST:
    case EMU_ATOM:
    case EMU_CPASYNC:
    case EMU_LDMATRIX:
    case EMU_STMATRIX:
    case EMU_BULKLOAD:
    case EMU_BULKCAST:
    case EMU_BULKPEER:
    case EMU_BULKSTORE:
    case EMU_STASYNC:
    case EMU_REDASYNC:
        flow_memory(s, insn);
        return;
    case EMU_WGMMA:
        flow_product(s, insn);
        return;
    case EMU_TMALOAD:
    case EMU_TMACAST:
    case EMU_TMASTORE:
        flow_tensor(s, insn);
        return;
    case EMU_BRA:
    case EMU_BARSYNC:
    case EMU_BARARRIVE:
    case EMU_WARPSYNC:
    case EMU_NOP: // prefetches and naps
    case EMU_BULKPREFETCH:
        deciding = insn->src_count;
        break;
    case EMU_BARRED:
        deciding = insn->src_count - 1U;
        break;
    default:
        if (has_mask(insn) && insn->src_count)
            decide_by(s, insn->src[insn->src_count - 1]);
        break;
    }
    for (unsigned k = 0; k < deciding; k++)
        decide_by(s, insn->src[k]);
    flow_plain(s, insn);
}

static void note_constants(struct steering *s)
{
    const struct hone_emu_code *code = s->code;
    for (size_t k = 0; k < code->constant_count; k++) {
        const struct hone_emu_constant *constant = &code->constants[k];
        const uint64_t value = constant->value;
        s->is_constant[constant->reg] = true;
        s->constants[constant->reg] = value;
        if (value & HONE_EMU_WINDOW_MASK)
            s->regs[constant->reg].points = window;
        else if (value >= HONE_EMU_DEVICE_BASE)
            s->regs[constant->reg].points = variables;
    }
    for (size_t k = 0; k < code->special_count; k++) {
        const struct hone_emu_special_use *use = &code->specials[k];
        if (use->which == SPECIAL_ENVREG1 || use->which == SPECIAL_ENVREG2)
            s->regs[use->reg].points = variables; // halves of the address of grid.sync
    }
}

enum hone_status hone_emu_find_steering(uint64_t *out, const struct hone_emu_code *code,
                                        const struct ptx_kernel *kernel,
                                        struct hone_error *err)
{
    enum { MAX_ROUNDS = 50 }; // a value goes far against the order of the text in none
    struct steering s = {.code = code, .kernel = kernel, .changed = true};
    s.regs = calloc(code->reg_count + 1, sizeof *s.regs);
    s.constants = calloc(code->reg_count + 1, sizeof *s.constants);
    s.is_constant = calloc(code->reg_count + 1, sizeof *s.is_constant);
    const bool room = s.regs && s.constants && s.is_constant;
    if (room) note_constants(&s);
    int rounds = 0;
    for (; room && s.changed && rounds < MAX_ROUNDS; rounds++) {
        s.changed = false;
        for (size_t k = 0; k < code->count; k++)
            flow(&s, &code->insns[k]);
    }
    *out = s.changed && room ? UINT64_MAX : s.found;
    free(s.regs);
    free(s.constants);
    free(s.is_constant);
    return room ? HONE_OK : hone_no_memory(err, "to predict a launch");
}
