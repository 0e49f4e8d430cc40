// The kernels of a module, read from its PTX: which there are when one is missing. NVRTC
// writes the head of each on a line of its own.
#include <stdio.h>
#include <string.h>

#include "base/ascii.h"
#include "base/mangled_name.h"
#include "base/suggest.h"
#include "hone/build.h"
#include "hone/strbuf.h"

enum { ENTRIES_LISTED = 6, ENTRY_LEN = 96 };

struct entries {
    char names[ENTRIES_LISTED][ENTRY_LEN]; // the first, longer ones are cut
    size_t listed;
    bool found;
};

// The name behind ".entry" in the line at text, of *len letters; NULL without one.
static const char *entry_of_line(const char *text, size_t *len)
{
    static const char word[] = ".entry ";
    const char *end = text + strcspn(text, "\n");
    if (strncmp(text, ".visible ", 9) == 0) text += 9;
    if (strncmp(text, ".weak ", 6) == 0) text += 6;
    if (strncmp(text, word, sizeof word - 1) != 0) return NULL;
    text += sizeof word - 1;
    *len = strcspn(text, "( \t\n");
    return text + *len <= end && *len > 0 ? text : NULL;
}

static void read_entries(struct entries *entries, const char *ptx, const char *name)
{
    *entries = (struct entries){0};
    while (*ptx) {
        size_t len = 0;
        const char *entry = entry_of_line(ptx, &len);
        if (entry && len == strlen(name) && memcmp(entry, name, len) == 0)
            entries->found = true;
        if (entry && entries->listed < ENTRIES_LISTED)
            snprintf(entries->names[entries->listed++], ENTRY_LEN, "%.*s", (int)len,
                     entry);
        ptx += strcspn(ptx, "\n");
        ptx += *ptx == '\n';
    }
}

// Whether a mangled name is made of that one: it stands there behind its length (Itanium
// C++ ABI, 5.1).
static bool is_mangled_from(const char *mangled, const char *name)
{
    char part[ENTRY_LEN];
    const int len = snprintf(part, sizeof part, "%zu%s", strlen(name), name);
    if (strncmp(mangled, "_Z", 2) != 0 || len < 0 || (size_t)len >= sizeof part)
        return false;
    for (const char *at = mangled; (at = strstr(at, part)); at++)
        if (!hone_is_digit(at[-1])) return true;
    return false;
}

// 'fir', mangled as '_Z3firPKfPfi': the second is what a script could name.
static void add_entry(struct hone_strbuf *out, const char *name)
{
    struct hone_strbuf plain = HONE_STRBUF_INIT;
    if (hone_mangled_name(&plain, name))
        hone_strbuf_printf(out, "'%s', mangled as '%s'", plain.data, name);
    else
        hone_strbuf_printf(out, "'%s'", name);
    hone_strbuf_fini(&plain);
}

static enum hone_status no_entry(const struct entries *entries, const char *name,
                                 struct hone_error *err)
{
    struct hone_strbuf list = HONE_STRBUF_INIT;
    const char *names[ENTRIES_LISTED];
    bool mangled = false;
    for (size_t i = 0; i < entries->listed; i++) {
        names[i] = entries->names[i];
        mangled = mangled || is_mangled_from(names[i], name);
        hone_strbuf_add(&list, i ? ", " : "it has ");
        add_entry(&list, names[i]);
    }
    const char *near = mangled ? NULL : hone_suggest(name, names, entries->listed);
    if (near) hone_strbuf_printf(&list, "; did you mean '%s'?", near);
    if (!entries->listed) hone_strbuf_add(&list, "it has none");
    hone_fail(err, HONE_ENOTFOUND, "no kernel '%s': %s%s", name,
              mangled ? "declare it extern \"C\" __global__, which keeps its name; " : "",
              list.data);
    hone_strbuf_fini(&list);
    return HONE_ENOTFOUND;
}

enum hone_status hone_build_entry(const struct hone_build *build, const char *name,
                                  struct hone_error *err)
{
    struct entries entries;
    if (!build->ptx) return HONE_OK;
    read_entries(&entries, build->ptx, name);
    return entries.found ? HONE_OK : no_entry(&entries, name, err);
}
