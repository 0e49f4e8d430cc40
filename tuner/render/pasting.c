// '##' can make __has_include out of pieces, in a condition that holds no trace of it. A
// file can then be asked for only by its absolute path, since the compiler searches no
// folder: a condition whose macros paste and hold a path as well is refused.
#include <string.h>

#include "assembly.h"
#include "base/identifier.h"

struct traits {
    bool pastes, quotes, stringizes, slash, less, greater;
};

static size_t pasting_word_length(const char *p)
{
    size_t length = 0;
    while (hone_is_name_part(p[length]) || p[length] == '$')
        length++;
    return length;
}

static void look_through(struct traits *traits, const char *text,
                         struct hone_definition *definitions);

static void follow_word(struct traits *traits, const char *word, size_t length,
                        struct hone_definition *definitions)
{
    for (struct hone_definition *d = definitions; d; d = d->next) {
        if (d->visited || d->length != length || memcmp(d->body, word, length) != 0)
            continue;
        d->visited = true;
        look_through(traits, d->body + length, definitions);
    }
}

static void look_through(struct traits *traits, const char *text,
                         struct hone_definition *definitions)
{
    for (const char *p = text; *p;) {
        const size_t length = pasting_word_length(p);
        const bool pastes = strncmp(p, "##", 2) == 0 || strncmp(p, "%:%:", 4) == 0;
        if (length) follow_word(traits, p, length, definitions);
        traits->pastes |= pastes;
        traits->stringizes |= !pastes && (*p == '#' || strncmp(p, "%:", 2) == 0);
        traits->quotes |= *p == '"';
        traits->slash |= *p == '/';
        traits->less |= *p == '<';
        traits->greater |= *p == '>';
        p += pastes ? (*p == '#' ? 2 : 4) : length ? length : 1;
    }
}

bool hone_assemble_pastes_path(struct hone_assembly *a, const char *condition)
{
    struct traits traits = {0};
    for (struct hone_definition *d = a->definitions; d; d = d->next)
        d->visited = false;
    look_through(&traits, condition, a->definitions);
    return traits.pastes && traits.slash &&
           (traits.quotes || traits.stringizes || (traits.less && traits.greater));
}

enum hone_status hone_assemble_note(struct hone_assembly *a,
                                    const struct hone_directive *d)
{
    const struct hone_definition definition = {
        .next = a->definitions, .body = d->body, .length = pasting_word_length(d->body)};
    struct hone_definition *kept =
        hone_arena_dup(a->arena, &definition, sizeof definition);
    if (!kept) return hone_no_memory(a->err, "assembling a template");
    a->definitions = kept;
    return HONE_OK;
}
