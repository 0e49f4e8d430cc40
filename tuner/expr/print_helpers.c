// The functions that printed expressions call, as they are or those alone that a text
// needs, with names of its own.
#include <string.h>

#include "base/ascii.h"
#include "expr/c_helpers.h"
#include "hone/strbuf.h"

extern const unsigned char hone_c_helpers[];
extern const size_t hone_c_helpers_size;

static const char prefix[] = "hone2_";
enum { PREFIX = sizeof prefix - 1, HELPERS_MOST = 64 };

/* A function of c_helpers.h, with the comment ahead of it. */
struct helper {
    char name[HONE_C_HELPER_NAME]; // without the prefix
    const char *text;
    size_t len;
    bool needed;
};

struct helpers {
    struct helper items[HELPERS_MOST];
    size_t count;
};

static void read_name(struct helper *helper)
{
    const char *name = strstr(strstr(helper->text, "static inline "), prefix) + PREFIX;
    memcpy(helper->name, name, strcspn(name, "("));
}

// Each ends with a bracket at the begin of a line; what stands before the first is not of
// interest.
static void read_helpers(struct helpers *helpers)
{
    const char *text = strstr((const char *)hone_c_helpers, "*/\n") + 3;
    *helpers = (struct helpers){.count = 0};
    for (const char *end; (end = strstr(text, "\n}\n")); text = end + 3) {
        struct helper *helper = &helpers->items[helpers->count++];
        helper->text = text;
        helper->len = (size_t)(end + 3 - text);
        read_name(helper);
    }
}

static bool is_of_word(char c)
{
    return hone_is_alnum(c) || c == '_';
}

// The helper that is called at this place, or NULL.
static struct helper *called_at(struct helpers *helpers, const char *at)
{
    if (strncmp(at, prefix, PREFIX) != 0) return NULL;
    const char *name = at + PREFIX, *end = name;
    while (is_of_word(*end))
        end++;
    for (size_t i = 0; *end == '(' && i < helpers->count; i++) {
        const char *own = helpers->items[i].name;
        if (strlen(own) == (size_t)(end - name) && strncmp(own, name, strlen(own)) == 0)
            return &helpers->items[i];
    }
    return NULL;
}

// Past a literal or comment that begins here, which calls nothing, or past a word or one
// other character.
static const char *step(const char *at, const char *last)
{
    const char quote = *at;
    if (quote == '"' || quote == '\'') {
        for (at++; at < last && *at != quote; at++)
            at += *at == '\\' && at + 1 < last;
        return at < last ? at + 1 : last;
    }
    if (at[0] == '/' && at[1] == '*') {
        const char *end = strstr(at + 2, "*/");
        return end && end < last ? end + 2 : last;
    }
    if (!is_of_word(*at)) return at + 1;
    while (at < last && is_of_word(*at))
        at++;
    return at;
}

static void mark_called(struct helpers *helpers, const char *code, size_t len)
{
    for (const char *at = code; at < code + len; at = step(at, code + len)) {
        struct helper *helper = called_at(helpers, at);
        if (helper) helper->needed = true;
    }
}

static void rename_calls(struct hone_strbuf *out, struct helpers *helpers,
                         const char *code, size_t len, const char *name)
{
    for (const char *at = code, *next; at < code + len; at = next) {
        const bool calls = called_at(helpers, at) != NULL;
        next = step(at, code + len);
        if (calls) hone_strbuf_printf(out, "%s_", name);
        hone_strbuf_add_bytes(out, at + (calls ? PREFIX : 0),
                              (size_t)(next - at) - (calls ? PREFIX : 0));
    }
}

enum hone_status hone_expr_print_c_helpers(struct hone_strbuf *out,
                                           struct hone_error *err)
{
    hone_strbuf_add_bytes(out, hone_c_helpers, hone_c_helpers_size);
    return out->failed ? hone_no_memory(err, "for C helpers") : HONE_OK;
}

// What code calls, and what that calls: a helper stands behind those that it calls.
static void read_needed(struct helpers *helpers, const char *code)
{
    read_helpers(helpers);
    if (code) mark_called(helpers, code, strlen(code));
    for (size_t i = helpers->count; i-- > 0;) {
        const struct helper *helper = &helpers->items[i];
        if (helper->needed) mark_called(helpers, helper->text, helper->len);
    }
}

static bool needs_one_of(const struct helpers *helpers, const char *const *names)
{
    for (size_t i = 0; i < helpers->count; i++)
        for (size_t k = 0; helpers->items[i].needed && names[k]; k++)
            if (strcmp(helpers->items[i].name, names[k]) == 0) return true;
    return false;
}

// What the helpers that are printed do as Lua does, and C does not.
static void print_rules(struct hone_strbuf *out, const struct helpers *helpers)
{
    static const char *const divide[] = {"floor_div", "floor_mod", "floor_div_f",
                                         "floor_mod_f", NULL};
    static const char *const raise[] = {"floor_div", "floor_mod", "ceil_div", "to_int",
                                        NULL};
    hone_strbuf_printf(out, "/* As in Lua 5.4: integers wrap%s%s. */\n",
                       needs_one_of(helpers, divide) ? ", // and % round down" : "",
                       needs_one_of(helpers, raise) ? "; 0 where Lua raises an error"
                                                    : "");
}

enum hone_status hone_expr_print_c_needed(struct hone_strbuf *out, const char *code,
                                          const char *there, const char *name,
                                          struct hone_error *err)
{
    struct helpers helpers, known;
    bool any = false;
    read_needed(&helpers, code);
    read_needed(&known, there);
    for (size_t i = 0; i < helpers.count; i++) {
        if (known.items[i].needed) helpers.items[i].needed = false;
        any |= helpers.items[i].needed;
    }
    if (any) print_rules(out, &helpers);
    for (size_t i = 0; i < helpers.count; i++)
        if (helpers.items[i].needed)
            rename_calls(out, &helpers, helpers.items[i].text, helpers.items[i].len,
                         name);
    return out->failed ? hone_no_memory(err, "for C helpers") : HONE_OK;
}

enum hone_status hone_expr_rename_c_helpers(struct hone_strbuf *out, const char *code,
                                            const char *name, struct hone_error *err)
{
    struct helpers helpers;
    read_helpers(&helpers);
    rename_calls(out, &helpers, code, strlen(code), name);
    return out->failed ? hone_no_memory(err, "for C helpers") : HONE_OK;
}

bool hone_expr_c_helper(size_t i, char name[HONE_C_HELPER_NAME])
{
    struct helpers helpers;
    read_helpers(&helpers);
    if (i < helpers.count) strcpy(name, helpers.items[i].name);
    return i < helpers.count;
}
