// NVRTC writes a comment before and behind the text of each asm statement. Those of
// sm_32_intrinsics.hpp are in PTX of many kernels without any of their own; every GPU has
// their forms, and what they may be is spelled out here.
#include "inline_ptx.h"

#include <string.h>

#include "base/ascii.h"

static bool skip(const char **at, const char *text)
{
    const size_t len = strlen(text);
    if (strncmp(*at, text, len) != 0) return false;
    *at += len;
    return true;
}

static void skip_space(const char **at)
{
    while (hone_is_space(**at))
        ++*at;
}

// A register that the compiler numbered: "%rd12" of kind "rd".
static bool skip_register(const char **at, const char *kind)
{
    if (!skip(at, "%") || !skip(at, kind) || !hone_is_digit(**at)) return false;
    while (hone_is_digit(**at))
        ++*at;
    return true;
}

// "ld.global.nc.": *loads says which way.
static bool skip_access(const char **at, bool *loads)
{
    static const char *const load[] = {"nc.", "ca.", "cg.", "cs.", "lu.", "cv.", NULL};
    static const char *const store[] = {"wb.", "cg.", "cs.", "wt.", NULL};
    *loads = skip(at, "ld.global.");
    if (!*loads && !skip(at, "st.global.")) return false;
    for (const char *const *cache = *loads ? load : store; *cache; cache++)
        if (skip(at, *cache)) return true;
    return false;
}

// The registers that a type is loaded into; NULL: of another type.
static const char *skip_type(const char **at)
{
    static const struct {
        const char *type, *kind;
    } types[] = {{"f32 ", "f"},  {"s32 ", "r"},  {"u32 ", "r"},  {"f64 ", "fd"},
                 {"s64 ", "rd"}, {"u64 ", "rd"}, {"s16 ", "rs"}, {"u16 ", "rs"},
                 {"s8 ", "r"},   {"u8 ", "r"}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (skip(at, types[i].type)) return types[i].kind;
    return NULL;
}

static bool skip_address(const char **at)
{
    return skip(at, "[") && skip_register(at, "rd") && skip(at, "]");
}

static bool skip_values(const char **at, const char *kind, int count)
{
    if (count == 1) return skip_register(at, kind);
    for (int i = 0; i < count; i++)
        if (!skip(at, i ? "," : "{") || !skip_register(at, kind)) return false;
    return skip(at, "}");
}

static bool skip_cached_access(const char **at)
{
    bool loads;
    if (!skip_access(at, &loads)) return false;
    const int count = skip(at, "v2.") ? 2 : skip(at, "v4.") ? 4 : 1;
    const char *kind = skip_type(at);
    if (!kind || (count == 4 && strchr(kind, 'd'))) return false; // 32 bytes
    if (loads)
        return skip_values(at, kind, count) && skip(at, ", ") && skip_address(at) &&
               skip(at, ";");
    return skip_address(at) && skip(at, ", ") && skip_values(at, kind, count) &&
           skip(at, ";");
}

// The next comment that begins or ends an asm; NULL: none.
static const char *find_marker(const char *ptx)
{
    const char *begin = strstr(ptx, "// begin inline asm");
    const char *end = strstr(ptx, "// end inline asm");
    return !begin || (end && end < begin) ? end : begin;
}

bool hone_inline_ptx_is_open(const char *ptx)
{
    for (const char *at = ptx; (at = find_marker(at));) {
        // A second end follows the text of an asm that holds an end of its own.
        if (!skip(&at, "// begin inline asm")) return true;
        skip_space(&at);
        if (!skip_cached_access(&at)) return true;
        skip_space(&at);
        if (!skip(&at, "// end inline asm")) return true;
    }
    return false;
}
