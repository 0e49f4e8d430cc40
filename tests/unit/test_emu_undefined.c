// Undefined bits follow logic: what a result does not depend on is not undefined, and
// what it depends on is.
#include <stdlib.h>

#include "emu_check.h"
#include "hone/rng.h"
#include "hone_test.h"
#include "launch/emu_device.h"
#include "watch/undefined.h"

// %t9, %x5 and %p3 are never written; the result is %t2, stored where each thread may.
#define STORE "mad.wide.u32 %x1, %t0, 4, %x0; st.global.u32 [%x1], %t2;"
#define FOUND                                                                            \
    "a value that was never written is stored to global memory (first read at PTX line " \
    "10) at block (0,0,0) thread (0,0,0) of k, PTX line 11"

static void is_dropped(const char *body)
{
    char text[512];
    snprintf(text, sizeof text, "%s\n%s", body, STORE);
    check_silence(text);
}

static void is_kept(const char *body)
{
    char text[512];
    snprintf(text, sizeof text, "%s\n%s", body, STORE);
    check_finding(text, FOUND);
}

// What nvcc makes of "if (2 < n) m = max(m, s[2])" with the load hoisted.
static void a_known_predicate_decides_an_and(void **state)
{
    (void)state;
    is_dropped("setp.gt.u32 %p1, %t0, 99; and.pred %p2, %p1, %p3; "
               "selp.u32 %t2, %t9, %t0, %p2;");
    is_kept("setp.lt.u32 %p1, %t0, 99; and.pred %p2, %p1, %p3; "
            "selp.u32 %t2, 1, 2, %p2;");
    is_dropped("setp.lt.u32 %p1, %t0, 99; or.pred %p2, %p1, %p3; "
               "selp.u32 %t2, %t0, %t9, %p2;");
    is_dropped("setp.gt.u32 %p1, %t0, 99; setp.lt.and.u32 %p2, %t9, 3, %p1; "
               "selp.u32 %t2, 1, 2, %p2;");
    is_dropped("setp.lt.u32 %p1, %t0, 99; setp.lt.or.f32 %p2, %t9, 0f00000000, %p1; "
               "selp.u32 %t2, 1, 2, %p2;");
    is_kept("setp.lt.u32 %p1, %t0, 99; setp.lt.and.u32 %p2, %t9, 3, %p1; "
            "selp.u32 %t2, 1, 2, %p2;");
}

static void a_choice_between_equals_is_known(void **state)
{
    (void)state;
    is_dropped("selp.u32 %t2, %t0, %t0, %p3;");
    is_dropped("mov.u32 %t3, 7; selp.u32 %t2, %t3, 7, %p3;");
    is_kept("selp.u32 %t2, %t0, 7, %p3;");
}

static void known_bits_decide(void **state)
{
    (void)state;
    is_dropped("shl.b32 %t2, %t9, 8; and.b32 %t2, %t2, 255;");
    is_dropped("or.b32 %t2, %t9, -1;");
    is_dropped("mul.lo.u32 %t2, %t9, 0; xor.b32 %t3, %t9, %t9; add.u32 %t2, %t2, %t3;");
    is_dropped("lop3.b32 %t2, %t9, %t0, %t0, 0xaa;");
    is_dropped("min.u32 %t2, %t9, 0;");
    is_dropped("max.s32 %t2, %t9, 0x7fffffff;");
    is_dropped("max.f32 %t2, %t9, 0f7f800000;");
    is_dropped("and.b32 %t3, %t9, 15; min.u32 %t2, %t3, %t0; max.u32 %t2, %t3, 15;");
    is_dropped(
        "and.b32 %t3, %t9, 15; setp.lt.u32 %p1, %t3, 16; selp.u32 %t2, 1, 2, %p1;");
    is_dropped("or.b32 %t3, %t9, 1; setp.eq.u32 %p1, %t3, 0; selp.u32 %t2, 1, 2, %p1;");
    is_kept("and.b32 %t2, %t9, 1;");
    is_kept("min.u32 %t2, %t9, 1;");
    is_kept("max.f32 %t2, %t9, 0f3f800000;");
    is_kept("and.b32 %t3, %t9, 15; setp.lt.u32 %p1, %t3, 15; selp.u32 %t2, 1, 2, %p1;");
}

static void halves_and_bytes_are_apart(void **state)
{
    (void)state;
    is_dropped("cvt.u16.u32 %h0, %t0; mov.b32 %t3, {%h0, %h1}; cvt.u32.u16 %t2, %t3;");
    is_dropped("cvt.u16.u32 %h0, %t0; mov.b32 %t3, {%h0, %h1}; add.f16x2 %t3, %t3, %t3; "
               "and.b32 %t2, %t3, 65535;");
    is_dropped("prmt.b32 %t2, %t0, %t9, 0x3210;");
    is_dropped("st.shared.u16 [%s0], %t0; ld.shared.u32 %t3, [%s0]; "
               "bfe.u32 %t2, %t3, 0, 16;");
    is_kept("cvt.u16.u32 %h0, %t0; mov.b32 %t2, {%h0, %h1};");
    is_kept("prmt.b32 %t2, %t0, %t9, 0x4210;");
    is_kept("st.shared.u16 [%s0], %t0; ld.shared.u32 %t3, [%s0]; "
            "bfe.u32 %t2, %t3, 1, 16;");
    check_silence("mad.wide.u32 %x1, %t0, 4, %x0; cvt.u16.u32 %h0, %t0;\n"
                  "mov.b32 %t3, {%h0, %h1}; st.global.u16 [%x1], %t3;");
}

static void known_votes_decide(void **state)
{
    (void)state;
    is_dropped("@%p0 setp.eq.u32 %p3, %t0, 5; setp.eq.and.u32 %p1, %t0, %t0, %p0;\n"
               "mov.u32 %t2, 1; @!%p0 bra OUT; vote.sync.any.pred %p2, %p3, -1; "
               "selp.u32 %t2, 1, 2, %p2; OUT:");
    check_finding("vote.sync.ballot.b32 %t2, %p3, -1; and.b32 %t2, %t2, 1;\n" STORE,
                  FOUND);
    check_silence(
        "setp.eq.u32 %p1, %t0, %t0; and.b32 %t3, %t0, 1; "
        "setp.eq.u32 %p2, %t3, 0; @%p2 bra ON; setp.eq.u32 %p3, %t3, 0; ON:\n"
        "vote.sync.ballot.b32 %t2, %p3, -1; and.b32 %t2, %t2, 0xaaaaaaaa;\n" STORE);
}

static void operands_of_atomics_count(void **state)
{
    (void)state;
    check_finding(
        "st.shared.u32 [%s0], 0; bar.sync 0;\nred.shared.add.u32 [s], %t9;",
        "a value that was never written is an operand of an atomic operation at "
        "block (0,0,0) thread (32,0,0) of k, PTX line 11");
}

// ---- every rule against all values that undefined bits may have ----

struct trial {
    struct hone_emu_observer observer;
    struct hone_emu_shadow shadow;
    struct hone_rng rng;
    size_t operations;
};

enum { FEW = 6, LANE = 3 };

static uint64_t read_register(const struct trial *trial, const struct hone_emu_warp *warp,
                              uint32_t offset)
{
    const unsigned bits = hone_emu_register_bits(trial->shadow.code, offset);
    uint64_t value = 0;
    if (bits == 1) {
        memcpy(&value, warp->regs + offset, 4);
        return value >> LANE & 1;
    }
    memcpy(&value, warp->regs + offset + LANE * bits / 8, bits / 8);
    return value;
}

static void write_register(const struct trial *trial, struct hone_emu_warp *warp,
                           uint32_t offset, uint64_t value)
{
    const unsigned bits = hone_emu_register_bits(trial->shadow.code, offset);
    uint32_t word;
    if (bits > 1) {
        memcpy(warp->regs + offset + LANE * bits / 8, &value, bits / 8);
        return;
    }
    memcpy(&word, warp->regs + offset, 4);
    word = (word & ~(1U << LANE)) | (uint32_t)(value & 1) << LANE;
    memcpy(warp->regs + offset, &word, 4);
}

// Undefined bits of the sources, FEW at most; as (source, bit).
struct loose_bits {
    uint32_t source[FEW];
    unsigned bit[FEW], count;
};

static void draw_bits(struct trial *trial, const struct hone_emu_insn *insn,
                      struct loose_bits *out)
{
    *out = (struct loose_bits){.count = 0};
    for (unsigned k = 0; k < insn->src_count; k++)
        hone_emu_set_undefined(&trial->shadow, insn->src[k], LANE, 0, 0);
    const unsigned wanted = 1 + (unsigned)hone_rng_below(&trial->rng, FEW);
    while (out->count < wanted) {
        const uint32_t at = insn->src[hone_rng_below(&trial->rng, insn->src_count)];
        const unsigned width = hone_emu_register_bits(trial->shadow.code, at);
        const bool half = hone_ptx_type_bits((enum ptx_type)insn->type) == 16 ||
                          insn->type2 == PTX_S16 || insn->type2 == PTX_F16;
        const unsigned bit =
            (unsigned)hone_rng_below(&trial->rng, half && width > 16 ? 16 : width);
        const uint64_t before = hone_emu_undefined_bits(&trial->shadow, at, LANE);
        hone_emu_set_undefined(&trial->shadow, at, LANE, before | UINT64_C(1) << bit, 0);
        out->source[out->count] = at;
        out->bit[out->count++] = bit;
    }
}

// Bits of destination k that differ among all values of the loose bits.
static void find_exact(struct trial *trial, struct hone_emu_warp *warp,
                       const struct hone_emu_insn *insn, const struct loose_bits *loose,
                       uint64_t *exact)
{
    uint64_t first[HONE_EMU_DST] = {0}, kept[HONE_EMU_SRC], results[HONE_EMU_DST];
    for (unsigned k = 0; k < insn->dst_count; k++)
        exact[k] = 0, results[k] = read_register(trial, warp, insn->dst[k]);
    for (unsigned k = 0; k < insn->src_count; k++)
        kept[k] = read_register(trial, warp, insn->src[k]);
    for (uint32_t value = 0; value < 1U << loose->count; value++) {
        for (unsigned k = 0; k < insn->src_count; k++)
            write_register(trial, warp, insn->src[k], kept[k]);
        for (unsigned b = 0; b < loose->count; b++) {
            const uint64_t bit = UINT64_C(1) << loose->bit[b];
            const uint64_t old = read_register(trial, warp, loose->source[b]);
            write_register(trial, warp, loose->source[b],
                           value >> b & 1 ? old | bit : old & ~bit);
        }
        insn->run(warp, insn);
        for (unsigned k = 0; k < insn->dst_count; k++) {
            const uint64_t result = read_register(trial, warp, insn->dst[k]);
            if (value == 0) first[k] = result;
            exact[k] |= result ^ first[k];
        }
    }
    for (unsigned k = 0; k < insn->src_count; k++)
        write_register(trial, warp, insn->src[k], kept[k]);
    for (unsigned k = 0; k < insn->dst_count; k++)
        write_register(trial, warp, insn->dst[k], results[k]);
}

static const char *name_of(const struct hone_emu_insn *insn)
{
    return hone_emu_forms[insn->form].name;
}

// For these every undefined bit of the result is one that depends.
static bool is_exact(const struct hone_emu_insn *insn)
{
    switch (insn->op) {
    case EMU_AND:
    case EMU_OR:
    case EMU_XOR:
    case EMU_NOT:
    case EMU_LOP3:
    case EMU_MOV:
    case EMU_PACK:
    case EMU_UNPACK:
    case EMU_BREV:
        return true;
    default:
        return false;
    }
}

static void try_step(void *context, const struct hone_emu_warp *observed,
                     const struct hone_emu_insn *insn)
{
    struct trial *trial = context;
    struct hone_emu_warp *warp = &observed->block->warps[observed->index];
    struct loose_bits loose;
    uint64_t exact[HONE_EMU_DST];
    const bool plain = insn->dst_count && insn->src_count && insn->src_count <= 4 &&
                       insn->op != EMU_LD && insn->op != EMU_ATOM;
    if (!plain || !(warp->mask >> LANE & 1)) return;
    for (int round = 0; round < 60; round++) {
        draw_bits(trial, insn, &loose);
        find_exact(trial, warp, insn, &loose, exact);
        hone_emu_define(&trial->shadow, warp, insn, 1U << LANE);
        trial->operations++;
        for (unsigned k = 0; k < insn->dst_count; k++) {
            const uint64_t said =
                hone_emu_undefined_bits(&trial->shadow, insn->dst[k], LANE);
            if (exact[k] & ~said)
                fail_msg("%s: bits %llx depend, %llx are said to", name_of(insn),
                         (unsigned long long)exact[k], (unsigned long long)said);
            if (is_exact(insn) && said != exact[k])
                fail_msg("%s: bits %llx are said to depend, %llx do", name_of(insn),
                         (unsigned long long)said, (unsigned long long)exact[k]);
        }
    }
    for (unsigned k = 0; k < insn->dst_count; k++)
        hone_emu_set_undefined(&trial->shadow, insn->dst[k], LANE, 0, 0);
}

// Registers begin as multiples and hashes of the thread; each line is one operation.
static const char operations[] =
    ".version 9.0\n.target sm_100a\n.address_size 64\n"
    ".visible .entry k() {\n"
    ".reg .b32 %a<40>; .reg .b64 %x<20>; .reg .pred %p<12>; .reg .b16 %h<20>;\n"
    "mov.u32 %a0, %tid.x; mad.lo.u32 %a1, %a0, 2654435761, 77; xor.b32 %a2, %a1, "
    "0x5bd1;\n"
    "cvt.u64.u32 %x0, %a1; mad.wide.u32 %x1, %a1, 40503, %x0; mov.b64 %x2, {%a2, %a1};\n"
    "cvt.u16.u32 %h0, %a1; cvt.u16.u32 %h1, %a2; cvt.u16.u32 %h2, %a0;\n"
    "setp.lt.u32 %p0, %a0, 7; setp.lt.s32 %p1, %a1, %a2; and.b32 %a3, %a1, 31;\n"
    "setp.ge.and.u32 %p2, %a1, %a2, %p0; setp.eq.or.s32 %p2|%p3, %a1, %a3, %p1;\n"
    "setp.gt.xor.s64 %p4, %x0, %x1, %p0; setp.ne.u16 %p5, %h0, %h1; setp.le.u32 %p6, "
    "%a3, 31;\n"
    "setp.lt.f32 %p7, %a1, %a2; setp.lt.and.f16x2 %p8|%p9, %a1, %a2, %p0;\n"
    "and.pred %p10, %p0, %p1; or.pred %p10, %p2, %p3; xor.pred %p10, %p4, %p5; not.pred "
    "%p11, %p6;\n"
    "and.b32 %a4, %a1, %a2; or.b32 %a5, %a1, %a2; xor.b32 %a6, %a1, %a2; not.b32 %a7, "
    "%a1;\n"
    "and.b64 %x3, %x0, %x1; or.b64 %x3, %x1, %x2; xor.b64 %x4, %x1, %x2; not.b64 %x4, "
    "%x0;\n"
    "and.b16 %h3, %h0, %h1; lop3.b32 %a8, %a1, %a2, %a0, 0xe8; lop3.b32 %a8, %a1, %a2, "
    "%a0, 0x1b;\n"
    "shl.b32 %a9, %a1, %a3; shr.u32 %a9, %a1, %a3; shr.s32 %a10, %a1, 5; shl.b64 %x5, "
    "%x1, 9;\n"
    "shr.s64 %x5, %x1, %a3; shr.s16 %h4, %h0, 3; shf.l.wrap.b32 %a11, %a1, %a2, %a3;\n"
    "shf.r.clamp.b32 %a11, %a1, %a2, 12; prmt.b32 %a12, %a1, %a2, 0x7093; bfe.u32 %a12, "
    "%a1, 4, 9;\n"
    "bfe.s32 %a13, %a1, 3, 12; bfi.b32 %a13, %a1, %a2, 5, 11; brev.b32 %a14, %a1; "
    "popc.b32 %a14, %a1;\n"
    "clz.b32 %a15, %a1; add.u32 %a15, %a1, %a2; sub.s32 %a16, %a1, %a2; mul.lo.s32 %a16, "
    "%a1, %a2;\n"
    "mul.hi.u32 %a17, %a1, %a2; mad.lo.s32 %a17, %a1, %a2, %a0; mul.wide.s32 %x6, %a1, "
    "%a2;\n"
    "mul.wide.u16 %a18, %h0, %h1; mad.wide.s32 %x6, %a1, %a2, %x0; add.s64 %x7, %x0, "
    "%x1;\n"
    "sub.u64 %x7, %x1, %x0; mul.lo.u64 %x8, %x0, %x1; neg.s32 %a19, %a1; abs.s32 %a19, "
    "%a1;\n"
    "min.u32 %a20, %a1, %a3; max.u32 %a20, %a1, %a3; min.s32 %a21, %a1, %a2; max.s32 "
    "%a21, %a1, %a3;\n"
    "min.s64 %x9, %x0, %x1; max.u16 %h5, %h0, %h1; min.f32 %a22, %a1, 0fFF800000; "
    "max.f32 %a22, %a1, %a2;\n"
    "add.f32 %a23, %a1, %a2; fma.rn.f32 %a23, %a1, %a2, %a0; neg.f32 %a24, %a1; abs.f32 "
    "%a24, %a1;\n"
    "copysign.f32 %a24, %a1, %a2; add.f16x2 %a25, %a1, %a2; fma.rn.bf16x2 %a25, %a1, "
    "%a2, %a0;\n"
    "max.f16x2 %a26, %a1, %a2; neg.bf16x2 %a26, %a1; add.f16 %h6, %h0, %h1; "
    "cvt.rn.f16x2.f32 %a27, %a1, %a2;\n"
    "cvt.rn.f32.s32 %a27, %a1; cvt.s64.s32 %x10, %a1; cvt.u32.u64 %a28, %x1; cvt.s32.s16 "
    "%a28, %h0;\n"
    "cvt.s8.s32 %a29, %a1; cvt.u32.u8 %a29, %a1; cvt.f32.f16 %a30, %h0; cvt.sat.u8.s32 "
    "%a30, %a1;\n"
    "mov.b64 {%a31, %a32}, %x1; mov.b32 {%h7, %h8}, %a1; mov.b32 %a33, {%h0, %h1};\n"
    "mov.b64 %x11, {%h0, %h1, %h2, %h0}; selp.u32 %a34, %a1, %a2, %p0; selp.b64 %x12, "
    "%x0, %x1, !%p1;\n"
    "slct.u32.s32 %a35, %a1, %a2, %a3; slct.f32.f32 %a35, %a1, %a2, %a0; set.lt.u32.s32 "
    "%a36, %a1, %a2;\n"
    "add.u16x2 %a36, %a1, %a2; min.s16x2 %a37, %a1, %a2; sad.u32 %a37, %a1, %a2, %a3;\n"
    "add.cc.u32 %a38, %a1, %a2; addc.u32 %a39, %a1, %a2; dp4a.u32.u32 %a38, %a1, %a2, "
    "%a0;\n"
    "szext.clamp.s32 %a39, %a1, 9; bfind.u32 %a39, %a1; testp.finite.f32 %p11, %a1;\n"
    "ret;\n}\n";

static void what_depends_is_said_to_and_copies_are_exact(void **state)
{
    struct emu emu;
    struct trial trial = {.operations = 0};
    struct emu_args args = {0};
    struct hone_emu_run run = {0};
    const uint32_t id[3] = {0, 0, 0};
    bool changed = false;
    (void)state;
    emu_open(&emu);
    if (!emu_load(&emu, operations, "k")) fail_msg("%s", emu.fault.reason);
    const struct hone_launch launch = emu_geometry(&args, 1, 32);
    const struct hone_emu_code *code = &emu.module->code;
    assert_ok(
        hone_emu_run_begin(&run, emu.dev, emu.module, &launch, &emu.fault, &emu.err),
        emu.err);
    hone_rng_seed(&trial.rng, 7);
    trial.shadow = (struct hone_emu_shadow){
        .code = code,
        .marks = calloc(code->register_bytes / 4 + 1, sizeof(hone_emu_marks)),
        .bits = calloc(code->register_bytes + 1, 1),
        .origins = calloc(code->register_bytes / 4 + 1, sizeof(uint32_t)),
        .changed = &changed};
    trial.observer = (struct hone_emu_observer){.context = &trial, .step = try_step};
    run.launch.observer = &trial.observer;
    hone_emu_run_block(run.workspace, id, hone_emu_isa_best());
    assert_string_equal(emu.fault.reason, "");
    assert_true(trial.operations > 5000);
    hone_emu_run_end(&run);
    free(trial.shadow.marks);
    free(trial.shadow.bits);
    free(trial.shadow.origins);
    emu_close(&emu);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_known_predicate_decides_an_and),
    cmocka_unit_test(a_choice_between_equals_is_known),
    cmocka_unit_test(known_bits_decide),
    cmocka_unit_test(halves_and_bytes_are_apart),
    cmocka_unit_test(known_votes_decide),
    cmocka_unit_test(operands_of_atomics_count),
    cmocka_unit_test(what_depends_is_said_to_and_copies_are_exact),
};

HONE_TEST_MAIN(tests)
