// How far a kernel's result can be trusted to be a GPU's: which of its instructions are
// approximate, by how much, and where their values have gone.
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "fidelity.h"

// Largest errors of GPUs (PTX ISA 9.0, section 9.7.3: relative, in units in the last
// place or as they are; abs: absolute). The emulator computes these more accurately.
static const struct {
    const char *form, *shown;
} bounds[] = {
    {"mma.sync.aligned", "mma (order of sums)"},
    {"mma.sp.sync.aligned", "mma.sp (order of sums)"},
    {"mma.sp::ordered_metadata.sync.aligned", "mma.sp (order of sums)"},
    {"wgmma.mma_async.sync.aligned", "wgmma (order of sums)"},
    {"wgmma.mma_async.sp.sync.aligned", "sparse wgmma (order of sums)"},
    {"div.approx", "div.approx (2 ulp)"},
    {"div.full", "div.full (2 ulp)"},
    {"rcp.approx", "rcp.approx (1 ulp)"},
    {"sqrt.approx", "sqrt.approx (1 ulp)"},
    {"rsqrt.approx", "rsqrt.approx (2^-22.9)"},
    {"ex2.approx", "ex2.approx (2 ulp)"},
    {"lg2.approx", "lg2.approx (2^-22)"},
    {"sin.approx", "sin.approx (abs 2^-20.5)"},
    {"cos.approx", "cos.approx (abs 2^-20.5)"},
    {"tanh.approx", "tanh.approx (2^-11)"},
};

struct listing {
    char *out;
    size_t size, used, count;
};

static void add(struct listing *list, const char *text)
{
    if (list->used >= list->size) return;
    int n = snprintf(list->out + list->used, list->size - list->used, "%s%s",
                     list->count ? ", " : "", text);
    list->count++;
    if (n > 0) list->used += (size_t)n;
}

static bool has(const struct hone_emu_code *code, const char *form)
{
    for (size_t k = 0; k < code->count; k++)
        if (hone_emu_is_approximate(&code->insns[k]) &&
            strcmp(hone_emu_forms[code->insns[k].form].name, form) == 0)
            return true;
    return false;
}

// Floating sums depend on the order of atomic operations.
static bool has_float_atomics(const struct hone_emu_code *code)
{
    for (size_t k = 0; k < code->count; k++) {
        const struct hone_emu_insn *insn = &code->insns[k];
        bool sums = insn->op == EMU_ATOM && insn->logic == LOGIC_ADD;
        if (sums && insn->type >= PTX_F16 && insn->type <= PTX_F64) return true;
    }
    return false;
}

static bool has_clocks(const struct hone_emu_code *code)
{
    for (size_t k = 0; k < code->count; k++)
        if (code->insns[k].op == EMU_CLOCK) return true;
    return false;
}

static bool has_narrow_sums(const struct hone_emu_code *code)
{
    for (size_t k = 0; k < code->count; k++)
        if (hone_emu_is_narrow(&code->insns[k])) return true;
    return false;
}

bool hone_emu_is_approximate(const struct hone_emu_insn *insn)
{
    bool product = insn->op == EMU_MMA || insn->op == EMU_WGMMA;
    bool exact_sum = product && insn->type == PTX_S32;
    return hone_emu_forms[insn->form].fidelity == HONE_EMU_APPROX && !exact_sum;
}

bool hone_emu_has_copies(const struct hone_emu_code *code)
{
    for (size_t k = 0; k < code->count; k++)
        if (hone_emu_forms[code->insns[k].form].class == HONE_EMU_ASYNC ||
            code->insns[k].op == EMU_WGMMA)
            return true;
    return false;
}

bool hone_emu_has_async(const struct hone_emu_code *code)
{
    static const char *const names[] = {"cp.async.bulk.", "cp.reduce.", "wgmma.",
                                        "st.async", "red.async"};
    for (size_t k = 0; k < code->count; k++)
        for (size_t n = 0; n < sizeof names / sizeof *names; n++)
            if (strncmp(hone_emu_forms[code->insns[k].form].name, names[n],
                        strlen(names[n])) == 0)
                return true;
    return false;
}

void hone_emu_describe_fidelity(char *out, size_t size, const struct hone_emu_code *code,
                                unsigned reached)
{
    static const char *const places[] = {"an address", "a branch", "a barrier"};
    char forms[HONE_FIDELITY_MAX] = "", ends[64] = "";
    struct listing list = {.out = forms, .size = sizeof forms};
    for (size_t k = 0; k < sizeof bounds / sizeof *bounds; k++)
        if (has(code, bounds[k].form)) add(&list, bounds[k].shown);
    if (has_narrow_sums(code)) add(&list, "wgmma of fp8 (sums of 13 bits)");
    if (has_float_atomics(code)) add(&list, "order of atomics");
    if (has_clocks(code)) add(&list, "clock");
    if (reached & HONE_EMU_REACHED_END) add(&list, "a bulk store outlives its block");
    struct listing where = {.out = ends, .size = sizeof ends};
    for (unsigned k = 0; k < 3; k++)
        if (reached >> k & 1) add(&where, places[k]);
    if (list.count == 0)
        snprintf(out, size, "exact");
    else
        snprintf(out, size, "approximate%s%s: %.*s", ends[0] ? ", reaches " : "", ends,
                 (int)size - 80, forms);
}
