// NVRTC writes a comment before and behind the text of each asm statement. What is kept
// of an instruction there is each of its modifiers, and how its operands look: whether a
// GPU has it depends on one modifier, so a known one need not be asked of again because
// it stands beside others. Whether modifiers go together is in the emulator's own table.
#include "inline_forms.h"

#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/grow.h"
#include "base/hash.h"

enum { SHAPE_MAX = 512 };

void hone_inline_forms_init(struct hone_inline_forms *forms)
{
    *forms = (struct hone_inline_forms){0};
    pthread_mutex_init(&forms->lock, NULL);
}

void hone_inline_forms_fini(struct hone_inline_forms *forms)
{
    free(forms->hashes);
    pthread_mutex_destroy(&forms->lock);
}

// The first hash that is not less.
static size_t find_hash(const struct hone_inline_forms *forms, uint64_t hash)
{
    size_t low = 0, high = forms->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (forms->hashes[middle] < hash)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool has_hash(struct hone_inline_forms *forms, uint64_t hash)
{
    const size_t at = find_hash(forms, hash);
    return at < forms->count && forms->hashes[at] == hash;
}

static bool add_hash(struct hone_inline_forms *forms, uint64_t hash)
{
    const size_t at = find_hash(forms, hash);
    if (at < forms->count && forms->hashes[at] == hash) return true;
    if (!HONE_GROW(&forms->hashes, &forms->cap, forms->count + 1, 64)) return false;
    memmove(&forms->hashes[at + 1], &forms->hashes[at],
            (forms->count - at) * sizeof *forms->hashes);
    forms->hashes[at] = hash;
    forms->count++;
    return true;
}

typedef bool take_hash(struct hone_inline_forms *forms, uint64_t hash);

struct reader {
    struct hone_inline_forms *forms;
    const char *arch;
    take_hash *take; // false: that is enough
};

static bool take_part(const struct reader *r, const char *opcode, size_t opcode_len,
                      const char *part, size_t len)
{
    const uint64_t hashes[] = {hone_hash64(r->arch, strlen(r->arch)),
                               hone_hash64(opcode, opcode_len), hone_hash64(part, len)};
    return r->take(r->forms, hone_hash64(hashes, sizeof hashes));
}

// Operands without blanks and digits: "[%r]," of "[%r4], 16". What is too long is cut.
static bool take_operands(const struct reader *r, const char *opcode, size_t opcode_len,
                          const char *at, const char *end)
{
    char shape[SHAPE_MAX];
    size_t used = 0;
    for (; at < end && used < SHAPE_MAX; at++)
        if (!hone_is_space(*at) && !hone_is_digit(*at)) shape[used++] = *at;
    return take_part(r, opcode, opcode_len, shape, used);
}

static const char *skip(const char *at, const char *end, const char *what)
{
    while (at < end && strchr(what, *at))
        at++;
    return at;
}

static const char *find(const char *at, const char *end, const char *what)
{
    while (at < end && !strchr(what, *at))
        at++;
    return at;
}

// "@p ld.global.v4.f32 {...}, [...]": its modifiers and its operands, each with "ld".
static bool take_statement(const struct reader *r, const char *at, const char *end)
{
    at = skip(at, end, " \t{}");
    if (at < end && *at == '@') at = skip(find(at, end, " \t"), end, " \t");
    const char *const opcode = at;
    const char *dot = find(at, end, ". \t");
    const size_t len = (size_t)(dot - opcode);
    while (dot < end && *dot == '.') {
        const char *next = find(dot + 1, end, ". \t");
        if (!take_part(r, opcode, len, dot, (size_t)(next - dot))) return false;
        dot = next;
    }
    return opcode == end || take_operands(r, opcode, len, dot, end);
}

// Each statement of each asm.
static bool read_forms(const struct reader *r, const char *ptx)
{
    static const char begin[] = "// begin inline asm", last[] = "// end inline asm";
    for (const char *at = ptx; (at = strstr(at, begin));) {
        at += sizeof begin - 1;
        const char *stop = strstr(at, last);
        if (!stop) stop = at + strlen(at);
        while (at < stop) {
            const char *end = find(at, stop, ";\n");
            if (!take_statement(r, at, end)) return false;
            at = end + (end < stop);
        }
    }
    return true;
}

bool hone_inline_forms_have(struct hone_inline_forms *forms, const char *ptx,
                            const char *arch)
{
    pthread_mutex_lock(&forms->lock);
    const bool all = read_forms(&(struct reader){forms, arch, has_hash}, ptx);
    pthread_mutex_unlock(&forms->lock);
    return all;
}

void hone_inline_forms_add(struct hone_inline_forms *forms, const char *ptx,
                           const char *arch)
{
    pthread_mutex_lock(&forms->lock);
    read_forms(&(struct reader){forms, arch, add_hash}, ptx);
    pthread_mutex_unlock(&forms->lock);
}
