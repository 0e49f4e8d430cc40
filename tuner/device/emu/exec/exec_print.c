// What a kernel says: printf, thread by thread in the order of the lanes, and failed
// assertions. A format is checked conversion by conversion; each prints one value that
// was read from the thread's buffer (CUDA C++ Programming Guide, "Formatted Output").
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/c_text.h"
#include "base/one_of.h"

#include "emu_exec.h"

enum { MAX_FIELD = 512, MAX_TEXT = 4096 };

// Bytes at a generic address of a lane, up to the end of what it is in; room 0: none.
struct view {
    const uint8_t *at;
    uint64_t room;
};

static struct view view_of(const struct hone_emu_warp *warp, int lane, uint64_t address)
{
    const struct hone_emu_launch *launch = warp->launch;
    uint64_t window = address & HONE_EMU_WINDOW_MASK, offset = address - window;
    uint64_t frame = launch->code->local_bytes;
    uint64_t thread = (uint64_t)warp->index * HONE_EMU_LANES + (uint64_t)lane;
    struct view area = {0};
    if (window == HONE_EMU_LOCAL_WINDOW) {
        area = (struct view){warp->block->local + thread * frame, frame};
    } else if (window == HONE_EMU_SHARED_WINDOW) {
        area = (struct view){warp->block->shared, warp->block->shared_bytes};
    } else if (window == HONE_EMU_PARAM_WINDOW) {
        area = (struct view){launch->params, launch->code->param_bytes};
    } else {
        const struct hone_emu_range *range =
            hone_emu_memory_find(launch->memory, address);
        if (!range) return area;
        area = (struct view){hone_emu_memory_host(launch->memory, range->base),
                             range->bytes};
        offset = address - range->base;
    }
    if (offset >= area.room) return (struct view){0};
    return (struct view){area.at + offset, area.room - offset};
}

// A copy of the text at address, cut at size; false when it does not end in memory.
static bool read_text(const struct hone_emu_warp *warp, int lane, uint64_t address,
                      char *out, size_t size)
{
    struct view view = view_of(warp, lane, address);
    size_t most = view.room < size - 1 ? (size_t)view.room : size - 1, n = 0;
    for (; n < most && view.at[n]; n++)
        out[n] = (char)view.at[n];
    out[n] = '\0';
    return n < view.room;
}

// ---- printf ----

struct printing {
    struct hone_emu_warp *warp;
    int lane;
    struct view values;
    uint64_t next; // offset in values of the one that is read next
    int32_t count; // of values read
    char text[MAX_TEXT];
    size_t len;
};

static void add(struct printing *printing, const char *text, size_t len)
{
    size_t room = sizeof printing->text - printing->len;
    if (len > room) len = room;
    memcpy(printing->text + printing->len, text, len);
    printing->len += len;
}

// The next value, of 4 or 8 bytes at a multiple of its size; false past the buffer's end.
static bool take_value(struct printing *printing, uint64_t size, uint64_t *out)
{
    uint64_t at = (printing->next + size - 1) / size * size;
    *out = 0;
    if (at > printing->values.room || size > printing->values.room - at) return false;
    memcpy(out, printing->values.at + at, size);
    printing->next = at + size;
    printing->count++;
    return true;
}

// "%-08.3lld": the flags, and how it ends.
struct conversion {
    char flags[8];
    int width, precision; // -1: none
    unsigned longs, shorts;
    char letter;
};

static bool take_number(struct printing *printing, const char **at, int *out)
{
    if (**at == '*') {
        uint64_t value;
        ++*at;
        if (!take_value(printing, 4, &value)) return false;
        *out = (int32_t)value;
    } else {
        *out = 0;
        for (; **at >= '0' && **at <= '9'; ++*at)
            *out = *out > MAX_FIELD ? *out : *out * 10 + (**at - '0');
    }
    if (*out > MAX_FIELD) *out = MAX_FIELD;
    if (*out < -MAX_FIELD) *out = -MAX_FIELD;
    return true;
}

// Take a conversion apart; at is behind its '%'. False when it is none.
static bool parse_conversion(struct printing *printing, const char **at,
                             struct conversion *c)
{
    *c = (struct conversion){.width = 0, .precision = -1};
    for (size_t n = 0; hone_one_of(**at, "-+ #0"); ++*at)
        if (n < sizeof c->flags - 1 && !hone_one_of(**at, c->flags)) c->flags[n++] = **at;
    if (!take_number(printing, at, &c->width)) return false;
    if (**at == '.') {
        ++*at;
        if (!take_number(printing, at, &c->precision)) return false;
    }
    for (; hone_one_of(**at, "hlLjzt"); ++*at) {
        c->shorts += **at == 'h';
        c->longs += **at != 'h';
    }
    c->letter = **at;
    if (c->letter) ++*at;
    return hone_one_of(c->letter, "diouxXcpeEfFgGaAs");
}

static uint64_t narrowed(const struct conversion *c, uint64_t value)
{
    bool sign = c->letter == 'd' || c->letter == 'i';
    if (c->longs) return value;
    if (c->shorts == 1) return sign ? (uint64_t)(int16_t)value : (uint16_t)value;
    if (c->shorts) return sign ? (uint64_t)(int8_t)value : (uint8_t)value;
    return sign ? (uint64_t)(int32_t)value : (uint32_t)value;
}

// The host's own conversion of one value, whose kind the letter has settled.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
static int print_value(struct printing *printing, const struct conversion *c,
                       uint64_t value, char *out, size_t size)
{
    char format[24], text[MAX_FIELD + 1];
    bool wide = hone_one_of(c->letter, "diouxX");
    snprintf(format, sizeof format, "%%%s*.*%s%c", c->flags, wide ? "ll" : "", c->letter);
    switch (c->letter) {
    case 's':
        if (!read_text(printing->warp, printing->lane, value, text, sizeof text))
            snprintf(text, sizeof text, "(bad address)");
        return hone_snprintf(out, size, format, c->width, c->precision, text);
    case 'c':
        snprintf(format, sizeof format, "%%%s*c", c->flags);
        return hone_snprintf(out, size, format, c->width, (int)(unsigned char)value);
    case 'p':
        return hone_snprintf(out, size, "%#*llx", c->width, (unsigned long long)value);
    default:
        break;
    }
    if (wide)
        return hone_snprintf(out, size, format, c->width, c->precision,
                             (unsigned long long)narrowed(c, value));
    double number;
    memcpy(&number, &value, sizeof number);
    return hone_snprintf(out, size, format, c->width, c->precision, number);
}
#pragma GCC diagnostic pop

// One conversion; false when it is malformed or its value is missing.
static bool print_conversion(struct printing *printing, const char **at)
{
    struct conversion c;
    char out[2 * MAX_FIELD];
    uint64_t value;
    if (!parse_conversion(printing, at, &c)) return false;
    bool narrow = hone_one_of(c.letter, "diouxXc") && !c.longs;
    if (!take_value(printing, narrow ? 4 : 8, &value)) return false;
    int n = print_value(printing, &c, value, out, sizeof out);
    if (n > 0) add(printing, out, (size_t)n < sizeof out ? (size_t)n : sizeof out - 1);
    return true;
}

static void print_format(struct printing *printing, const char *format)
{
    for (const char *at = format; *at;) {
        size_t plain = strcspn(at, "%");
        add(printing, at, plain);
        at += plain;
        if (*at == '\0') return;
        const char *start = at++;
        if (*at == '%') {
            add(printing, at++, 1);
        } else if (!print_conversion(printing, &at)) {
            add(printing, start, (size_t)(at - start)); // as it stands
        }
    }
}

static uint64_t lane_value(const struct hone_emu_warp *warp, uint32_t offset, int lane)
{
    uint64_t value;
    memcpy(&value, warp->regs + offset + (size_t)lane * 8, sizeof value);
    return value;
}

// What vprintf returns: the number of values, or -1 for a format that cannot be read.
static int32_t print_lane(struct hone_emu_warp *warp, const struct hone_emu_insn *insn,
                          int lane)
{
    char format[MAX_TEXT];
    struct hone_emu_launch *launch = warp->launch;
    struct printing printing = {
        .warp = warp,
        .lane = lane,
        .values = view_of(warp, lane, lane_value(warp, insn->src[1], lane))};
    if (!read_text(warp, lane, lane_value(warp, insn->src[0], lane), format,
                   sizeof format))
        return -1;
    print_format(&printing, format);
    size_t room = HONE_PRINTED_MAX - launch->printed;
    if (printing.len > room) printing.len = room;
    if (launch->print && printing.len)
        launch->print(launch->print_context, printing.text, printing.len);
    launch->printed += printing.len;
    return printing.count;
}

void hone_emu_print(struct hone_emu_warp *warp, const struct hone_emu_insn *insn)
{
    enum { SLOW = 1024 }; // a text takes as long as so many instructions, or longer
    for (uint32_t m = warp->mask; m; m &= m - 1) {
        int lane = __builtin_ctz(m);
        int32_t result = print_lane(warp, insn, lane);
        memcpy(warp->regs + insn->dst[0] + (size_t)lane * 4, &result, sizeof result);
        if (!hone_emu_spend(warp, SLOW)) return;
    }
}

// ---- assert ----

void hone_emu_assert(struct hone_emu_warp *warp, const struct hone_emu_insn *insn)
{
    char expression[48], path[256];
    int lane = __builtin_ctz(warp->mask);
    uint32_t line;
    memcpy(&line, warp->regs + insn->src[2] + (size_t)lane * 4, sizeof line);
    read_text(warp, lane, lane_value(warp, insn->src[0], lane), expression,
              sizeof expression);
    read_text(warp, lane, lane_value(warp, insn->src[1], lane), path, sizeof path);
    const char *file = strrchr(path, '/');
    hone_emu_fault(warp, insn, lane, HONE_CRASHED, HONE_FINDING_ASSERTION,
                   "assertion '%s' failed in %.40s:%u", expression,
                   file ? file + 1 : path, line);
}
