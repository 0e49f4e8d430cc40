// NVRTC writes a comment before and behind the text of each asm statement. Its lines,
// with each number of a register left out, are the forms: immediates stay, as ptxas may
// refuse one that it has no encoding for.
#include "inline_forms.h"

#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/grow.h"
#include "base/hash.h"

enum { FORM_MAX = 512 };

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

// The line without blanks, and "%r" for each "%r12"; what is too long is cut.
static size_t form_of(char form[FORM_MAX], const char *line, size_t len)
{
    size_t used = 0;
    bool in_register = false;
    for (size_t i = 0; i < len && used < FORM_MAX; i++) {
        const char c = line[i];
        if (c == '%') in_register = true;
        if (in_register && hone_is_digit(c)) continue;
        if (c != '%' && !hone_is_alpha(c)) in_register = false;
        if (c != ' ' && c != '\t') form[used++] = c;
    }
    return used;
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

static bool has_hash(const struct hone_inline_forms *forms, uint64_t hash)
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

static uint64_t hash_line(const char *arch, const char *line, size_t len)
{
    char form[FORM_MAX];
    const size_t used = form_of(form, line, len);
    const uint64_t parts[] = {hone_hash64(arch, strlen(arch)), hone_hash64(form, used)};
    return hone_hash64(parts, sizeof parts);
}

// Give each line of asm statements to do, until that says no.
static bool each_line(struct hone_inline_forms *forms, const char *ptx, const char *arch,
                      bool (*take)(struct hone_inline_forms *, uint64_t))
{
    static const char begin[] = "// begin inline asm", end[] = "// end inline asm";
    for (const char *at = ptx; (at = strstr(at, begin));) {
        const char *stop = strstr(at, end);
        at += strcspn(at, "\n");
        while (*at == '\n' && (!stop || at < stop)) {
            const char *line = ++at;
            at += strcspn(at, "\n");
            if (stop && at > stop) break;
            if (!take(forms, hash_line(arch, line, (size_t)(at - line)))) return false;
        }
    }
    return true;
}

static bool has_form(struct hone_inline_forms *forms, uint64_t hash)
{
    return has_hash(forms, hash);
}

bool hone_inline_forms_have(struct hone_inline_forms *forms, const char *ptx,
                            const char *arch)
{
    pthread_mutex_lock(&forms->lock);
    const bool all = each_line(forms, ptx, arch, has_form);
    pthread_mutex_unlock(&forms->lock);
    return all;
}

void hone_inline_forms_add(struct hone_inline_forms *forms, const char *ptx,
                           const char *arch)
{
    pthread_mutex_lock(&forms->lock);
    each_line(forms, ptx, arch, add_hash);
    pthread_mutex_unlock(&forms->lock);
}
