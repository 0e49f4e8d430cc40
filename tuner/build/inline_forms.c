// NVRTC writes a comment before and behind the text of each asm statement. A form is that
// whole text: ptxas refuses modifiers that do not go together, immediates that it has no
// encoding for, and registers of the wrong type, which the text declares as well. Numbers
// of registers are left out: they differ from build to build.
#include "inline_forms.h"

#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/grow.h"
#include "base/hash.h"
#include "base/identifier.h"
#include "base/one_of.h"
#include "base/strbuf.h"

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

// Length of "%rd" at the head of "%rd12", a register that the compiler numbered; 0: none.
static size_t measure_register(const char *at, const char *end)
{
    static const char *const kinds[] = {"p", "rs", "r", "rd", "rq", "f", "fd", "h", "hh"};
    const char *digit = at + 1;
    if (*at != '%') return 0;
    while (digit < end && hone_is_alpha(*digit))
        digit++;
    const char *past = digit;
    while (past < end && hone_is_digit(*past))
        past++;
    const size_t letters = (size_t)(digit - at) - 1;
    if (past == digit || (past < end && hone_is_name_part(*past))) return 0;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strlen(kinds[i]) == letters && !memcmp(kinds[i], at + 1, letters))
            return letters + 1;
    return 0;
}

static bool is_word(char c)
{
    return hone_is_name_part(c) || hone_one_of(c, ".%$");
}

// The text without numbers of registers, and without blanks but one between two words.
static void put_form(struct hone_strbuf *form, const char *at, const char *end)
{
    hone_strbuf_clear(form);
    for (bool blank = false; at < end;) {
        if (*at == ' ' || *at == '\t') {
            blank = true;
            at++;
            continue;
        }
        if (blank && form->len && is_word(form->data[form->len - 1]) && is_word(*at))
            hone_strbuf_add_bytes(form, " ", 1);
        blank = false;
        const size_t kind = measure_register(at, end);
        hone_strbuf_add_bytes(form, at, kind ? kind : 1);
        at += kind ? kind : 1;
        while (kind && at < end && hone_is_digit(*at))
            at++;
    }
}

// Does it declare what is known outside of it, a label or a register without braces? Then
// what ptxas makes of it depends on what stands elsewhere.
static bool is_open(const char *at, const char *end)
{
    int depth = 0;
    bool begins = true; // a statement
    for (const char *const first = at; at < end && depth >= 0; at++) {
        if (*at == ' ' || *at == '\t') continue;
        const bool pair = (at > first && at[-1] == ':') || (at + 1 < end && at[1] == ':');
        if (depth == 0 && ((*at == '.' && begins) || (*at == ':' && !pair))) return true;
        begins = hone_one_of(*at, ";\n{}");
        depth += (*at == '{') - (*at == '}');
    }
    return depth != 0;
}

typedef bool take_hash(struct hone_inline_forms *forms, uint64_t hash);

struct reader {
    struct hone_inline_forms *forms;
    const char *arch;
    take_hash *take; // false: that is enough
    struct hone_strbuf form;
};

static bool take_block(struct reader *r, const char *at, const char *end)
{
    if (is_open(at, end)) return false;
    put_form(&r->form, at, end);
    if (r->form.failed) return false;
    const uint64_t hashes[] = {hone_hash64(r->arch, strlen(r->arch)),
                               hone_hash64(r->form.data, r->form.len)};
    return r->take(r->forms, hone_hash64(hashes, sizeof hashes));
}

// Takes each asm: all of them, or as many as its taker wants.
static bool read_forms(struct hone_inline_forms *forms, const char *ptx, const char *arch,
                       take_hash *take, bool all)
{
    static const char begin[] = "// begin inline asm", last[] = "// end inline asm";
    struct reader r = {forms, arch, take, HONE_STRBUF_INIT};
    bool taken = true;
    for (const char *at = ptx; (taken || all) && (at = strstr(at, begin));) {
        at += sizeof begin - 1;
        const char *stop = strstr(at, last);
        taken &= stop && take_block(&r, at, stop);
    }
    hone_strbuf_fini(&r.form);
    return taken;
}

bool hone_inline_forms_have(struct hone_inline_forms *forms, const char *ptx,
                            const char *arch)
{
    pthread_mutex_lock(&forms->lock);
    const bool all = read_forms(forms, ptx, arch, has_hash, false);
    pthread_mutex_unlock(&forms->lock);
    return all;
}

void hone_inline_forms_add(struct hone_inline_forms *forms, const char *ptx,
                           const char *arch)
{
    pthread_mutex_lock(&forms->lock);
    read_forms(forms, ptx, arch, add_hash, true);
    pthread_mutex_unlock(&forms->lock);
}
