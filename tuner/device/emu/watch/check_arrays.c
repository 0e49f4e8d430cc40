// Accesses that leave the shared array whose address they were computed from, for another
// one. What a load finds there is undefined, which is a finding where it is used.
#include <stdio.h>
#include <stdlib.h>

#include "check_arrays.h"
#include "waive.h"

bool hone_emu_arrays_init(struct hone_emu_checks *checks, uint64_t shared_bytes)
{
    const struct hone_emu_code *code = checks->launch->code;
    checks->arrays = calloc(code->array_count + 1, sizeof *checks->arrays);
    if (!checks->arrays) return false;
    checks->arrays[0] = (struct hone_emu_range){.bytes = shared_bytes};
    for (size_t k = 0; k < code->array_count; k++) {
        const struct ptx_variable *array = code->arrays[k];
        const uint64_t rest = shared_bytes - code->dynamic_shared_at;
        checks->arrays[k + 1] = (struct hone_emu_range){
            .base = array->address, .bytes = array->bytes ? array->bytes : rest};
    }
    return true;
}

// What an array of a function is called there: "tile" of "_ZZ4gemmPKfE4tile".
struct name {
    const char *text;
    int length;
};

static struct name array_name(const struct ptx_variable *array)
{
    struct name whole = {array->name, (int)strlen(array->name)};
    for (const char *at = strchr(whole.text, 'E'); at; at = strchr(at + 1, 'E')) {
        char *text;
        const unsigned long length = strtoul(at + 1, &text, 10);
        if (text != at + 1 && length > 0 && length == strlen(text))
            return (struct name){text, (int)length};
    }
    return whole;
}

static void print_distance(char *out, size_t size, const struct hone_emu_range *array,
                           uint64_t address)
{
    const uint64_t end = array->base + array->bytes;
    if (address < array->base)
        snprintf(out, size, ", %llu bytes before",
                 (unsigned long long)(array->base - address));
    else if (address >= end)
        snprintf(out, size, ", %llu bytes past", (unsigned long long)(address - end));
    else
        snprintf(out, size, " across the end of");
}

static const char *verb_of(const struct hone_emu_insn *insn)
{
    return hone_emu_is_load(insn)    ? "load"
           : insn->op == EMU_ATOM    ? "atomic"
           : insn->op == EMU_CPASYNC ? "copy"
                                     : "store";
}

static struct hone_fault describe_stray(const struct hone_emu_checker *checker,
                                        const struct hone_emu_warp *warp,
                                        const struct hone_emu_insn *insn,
                                        const struct hone_emu_touch *touch, uint32_t lane)
{
    const size_t number = checker->code->owners[touch->site];
    const struct hone_emu_range *array = &checker->checks->arrays[number];
    const struct name name = array_name(checker->code->arrays[number - 1]);
    char where[64];
    print_distance(where, sizeof where, array, touch->addresses[lane]);
    return hone_emu_describe(
        warp, insn, (int)lane, HONE_WRONG_RESULT, HONE_FINDING_OUT_OF_BOUNDS,
        "out-of-bounds shared %s of %u bytes%s the array %.*s of "
        "%llu bytes",
        verb_of(insn), touch->bytes, where, name.length < 60 ? name.length : 60,
        name.text, (unsigned long long)array->bytes);
}

// Lanes that get what the row of a matrix has, whose address the lane names.
static uint32_t lanes_of_row(const struct hone_emu_insn *insn, uint32_t lane)
{
    const uint32_t row = lane % 8;
    return insn->mode == MODE_TRANS ? UINT32_C(0x11111111) << row / 2
                                    : UINT32_C(15) << 4 * row;
}

// Bytes of the lane's access that lie outside, a bit each.
static uint32_t bytes_outside(const struct hone_emu_range *array,
                              const struct hone_emu_touch *touch, uint32_t lane)
{
    uint32_t outside = 0;
    for (uint32_t k = 0; k < touch->bytes && k < 32; k++)
        if (touch->addresses[lane] + k - array->base >= array->bytes)
            outside |= UINT32_C(1) << k;
    return outside;
}

// A transposed matrix has two rows in each register, the even one in the low half.
static void lose_half(struct hone_emu_checker *checker, const struct hone_emu_warp *warp,
                      uint32_t reg, uint32_t lane, uint32_t row, uint32_t race)
{
    const struct hone_emu_shadow *shadow = &checker->shadows[warp->index];
    const uint64_t half = UINT64_C(0xffff) << 16 * (row % 2);
    hone_emu_set_undefined(shadow, reg, lane,
                           hone_emu_undefined_bits(shadow, reg, lane) | half, race);
}

static void lose(struct hone_emu_checker *checker, const struct hone_emu_warp *warp,
                 const struct hone_emu_insn *insn, const struct hone_emu_touch *touch,
                 uint32_t lane, uint32_t race)
{
    const bool matrix = insn->op == EMU_LDMATRIX;
    const bool halves = matrix && insn->mode == MODE_TRANS && insn->type == PTX_B16;
    const uint32_t lanes = matrix ? lanes_of_row(insn, lane) : UINT32_C(1) << lane;
    const uint32_t bytes =
        insn->op == EMU_LD ? bytes_outside(hone_emu_array_of(checker, insn), touch, lane)
                           : UINT32_MAX;
    const unsigned k = matrix ? lane / 8 : 0;
    for (uint32_t m = lanes; m; m &= m - 1) {
        const uint32_t to = (uint32_t)__builtin_ctz(m);
        if (halves)
            lose_half(checker, warp, insn->dst[k], to, lane, race);
        else
            hone_emu_make_undefined(checker, warp, insn, touch, k, to, bytes, race);
    }
}

bool hone_emu_check_array(struct hone_emu_checker *checker,
                          const struct hone_emu_warp *warp,
                          const struct hone_emu_insn *insn,
                          const struct hone_emu_touch *touch)
{
    struct hone_emu_judge *judge = checker->checks->judge;
    const struct hone_emu_range *array = hone_emu_array_of(checker, insn);
    const struct hone_emu_suspect suspect = {HONE_FINDING_OUT_OF_BOUNDS, touch->site,
                                             touch->site, 0};
    for (uint32_t m = touch->mask; m; m &= m - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(m);
        const uint64_t at = touch->addresses[lane] - array->base;
        if (at < array->bytes && at + touch->bytes <= array->bytes) continue;
        if (hone_emu_waives(warp->launch, &suspect)) continue;
        const struct hone_fault fault = describe_stray(checker, warp, insn, touch, lane);
        if (touch->writes) {
            hone_emu_report(warp, &fault);
            return false;
        }
        uint32_t race = hone_emu_judge_find_race(judge, touch->site, touch->site, false);
        if (!race)
            race =
                hone_emu_judge_add_race(judge, touch->site, touch->site, false, &fault);
        lose(checker, warp, insn, touch, lane, race);
    }
    return true;
}
