// The names are those of the NVRTC 13.0 documentation, "Supported Compile Options". NVRTC
// takes each with one dash or two and a value only behind '='; an older or later one
// refuses itself what it does not know.
#include "base/compiler_options.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/identifier.h"
#include "base/suggest.h"

enum form {
    ALONE,   // --restrict
    BOOLEAN, // --fmad=false
    NUMBER,  // --maxrregcount=64
    NUMBERS, // --diag-suppress=177,550
    WORD,    // --std=c++20: one of words
    PTXAS,   // --ptxas-options=-O2: an option of its own table
    DEFINE,  // --define-macro=A=1
    UNDEFINE
};

struct rule {
    const char *name; // without dashes
    enum form form;
    const char *words; // of WORD: each between blanks
};

static const struct rule compiler_rules[] = {
    {"D", DEFINE, NULL},
    {"define-macro", DEFINE, NULL},
    {"U", UNDEFINE, NULL},
    {"undefine-macro", UNDEFINE, NULL},
    {"std", WORD, " c++11 c++14 c++17 c++20 "},
    {"use_fast_math", ALONE, NULL},
    {"fassociative-math", ALONE, NULL},
    {"fmad", BOOLEAN, NULL},
    {"ftz", BOOLEAN, NULL},
    {"prec-div", BOOLEAN, NULL},
    {"prec-sqrt", BOOLEAN, NULL},
    {"maxrregcount", NUMBER, NULL},
    {"extra-device-vectorization", ALONE, NULL},
    {"restrict", ALONE, NULL},
    {"lineinfo", ALONE, NULL},
    {"generate-line-info", ALONE, NULL},
    {"device-debug", ALONE, NULL},
    {"G", ALONE, NULL},
    {"dopt", WORD, " on "},
    {"Ofast-compile", WORD, " 0 min mid max "},
    {"Ofc", WORD, " 0 min mid max "},
    {"device-int128", ALONE, NULL},
    {"device-float128", ALONE, NULL},
    {"default-device", ALONE, NULL},
    {"device-as-default-execution-space", ALONE, NULL},
    {"builtin-move-forward", BOOLEAN, NULL},
    {"builtin-initializer-list", BOOLEAN, NULL},
    {"device-stack-protector", BOOLEAN, NULL},
    {"jump-table-density", NUMBER, NULL},
    {"jtd", NUMBER, NULL},
    {"minimal", ALONE, NULL},
    {"split-compile", NUMBER, NULL},
    {"ptxas-options", PTXAS, NULL},
    {"Xptxas", PTXAS, NULL},
    {"disable-warnings", ALONE, NULL},
    {"w", ALONE, NULL},
    {"diag-suppress", NUMBERS, NULL},
    {"diag-warn", NUMBERS, NULL},
    {"diag-error", NUMBERS, NULL},
    {"display-error-number", ALONE, NULL},
    {"err-no", ALONE, NULL},
    {"no-display-error-number", ALONE, NULL},
    {"no-err-no", ALONE, NULL},
    {"brief-diagnostics", BOOLEAN, NULL},
    {"brief-diag", BOOLEAN, NULL},
};

// These are of ptxas 13.0 --help, by the same measure.
static const struct rule ptxas_rules[] = {
    {"v", ALONE, NULL},
    {"verbose", ALONE, NULL},
    {"w", ALONE, NULL},
    {"disable-warnings", ALONE, NULL},
    {"O0", ALONE, NULL},
    {"O1", ALONE, NULL},
    {"O2", ALONE, NULL},
    {"O3", ALONE, NULL},
    {"O4", ALONE, NULL},
    {"O", NUMBER, NULL},
    {"opt-level", NUMBER, NULL},
    {"allow-expensive-optimizations", BOOLEAN, NULL},
    {"allow-expensive-optimizations", ALONE, NULL},
    {"def-load-cache", WORD, " ca cg cs lu cv "},
    {"dlcm", WORD, " ca cg cs lu cv "},
    {"def-store-cache", WORD, " wb cg cs wt "},
    {"dscm", WORD, " wb cg cs wt "},
    {"force-load-cache", WORD, " ca cg cs lu cv "},
    {"flcm", WORD, " ca cg cs lu cv "},
    {"force-store-cache", WORD, " wb cg cs wt "},
    {"fscm", WORD, " wb cg cs wt "},
    {"disable-optimizer-constants", ALONE, NULL},
    {"disable-optimizer-consts", ALONE, NULL},
    {"dont-merge-basicblocks", ALONE, NULL},
    {"no-bb-merge", ALONE, NULL},
    {"optimize-float-atomics", ALONE, NULL},
    {"opt-fp-atomics", ALONE, NULL},
    {"register-usage-level", NUMBER, NULL},
    {"regUsageLevel", NUMBER, NULL},
    {"Ofast-compile", WORD, " 0 min mid max "},
    {"Ofc", WORD, " 0 min mid max "},
    {"split-compile", NUMBER, NULL},
    {"fmad", BOOLEAN, NULL},
    {"maxrregcount", NUMBER, NULL},
    {"device-function-maxrregcount", NUMBER, NULL},
    {"func-maxrregcount", NUMBER, NULL},
    {"warn-spills", ALONE, NULL},
    {"warn-on-spills", ALONE, NULL},
    {"warn-lmem-usage", ALONE, NULL},
    {"warn-on-local-memory-usage", ALONE, NULL},
    {"warn-double-usage", ALONE, NULL},
    {"warn-on-double-precision-use", ALONE, NULL},
    {"suppress-stack-size-warning", ALONE, NULL},
};

struct table {
    const struct rule *rules;
    size_t count;
    const char *what;
};

static const struct table compiler = {
    compiler_rules, sizeof compiler_rules / sizeof *compiler_rules, "compiler option"};
static const struct table ptxas = {ptxas_rules, sizeof ptxas_rules / sizeof *ptxas_rules,
                                   "option of ptxas"};
enum { MOST_RULES = sizeof compiler_rules / sizeof *compiler_rules };
_Static_assert(sizeof ptxas_rules <= sizeof compiler_rules, "MOST_RULES holds for both");

// The value of macros is code: it cannot start a directive, paste a name together or end
// its line.
static bool is_macro_value(const char *value)
{
    for (const char *p = value; *p; p++)
        if (*p < ' ' || *p > '~' || *p == '#' || *p == '\\') return false;
    return !strstr(value, "/*") && !strstr(value, "//") && !strstr(value, "??") &&
           !strstr(value, "%:") && !strstr(value, "__has_");
}

static bool is_macro(const char *text, bool with_value)
{
    const char *p = text;
    if (!hone_is_name_start(*p)) return false;
    while (hone_is_name_part(*p))
        p++;
    if (strncmp(text, "__has_", strlen("__has_")) == 0) return false;
    return !*p || (with_value && *p == '=' && is_macro_value(p + 1));
}

static bool compiler_options_is_number(const char *text)
{
    return *text && strlen(text) < 6 && strspn(text, "0123456789") == strlen(text);
}

static bool is_numbers(const char *text)
{
    return *text && strspn(text, "0123456789,") == strlen(text);
}

static bool compiler_options_is_word(const char *text, const char *words)
{
    char quoted[16];
    if (!*text || strchr(text, ' ') || strlen(text) > sizeof quoted - 3) return false;
    snprintf(quoted, sizeof quoted, " %s ", text);
    return strstr(words, quoted) != NULL;
}

static bool is_allowed(const struct table *table, const char *option);

// value: what stands behind '='; NULL where there is none.
static bool fits_value(const struct rule *rule, const char *value)
{
    switch (rule->form) {
    case ALONE:
        return !value;
    case BOOLEAN:
        return value && compiler_options_is_word(value, " true false ");
    case NUMBER:
        return value && compiler_options_is_number(value);
    case NUMBERS:
        return value && is_numbers(value);
    case WORD:
        return value && compiler_options_is_word(value, rule->words);
    case PTXAS:
        return value && is_allowed(&ptxas, value);
    case DEFINE:
        return value && is_macro(value, true);
    case UNDEFINE:
        return value && is_macro(value, false);
    }
    return false;
}

// -DNAME and -UNAME have no '=' behind the letter; NVRTC takes blanks there.
static bool compiler_options_is_letter(const struct rule *rule)
{
    return (rule->form == DEFINE || rule->form == UNDEFINE) && !rule->name[1];
}

static bool fits(const struct rule *rule, const char *option)
{
    const size_t dashes = strspn(option, "-"), length = strlen(rule->name);
    const char *name = option + dashes, *end = name + length;
    if (dashes < 1 || dashes > 2 || strncmp(name, rule->name, length) != 0) return false;
    if (compiler_options_is_letter(rule))
        return dashes == 1 && fits_value(rule, end + strspn(end, " "));
    return (!*end || *end == '=') && fits_value(rule, *end ? end + 1 : NULL);
}

static bool is_allowed(const struct table *table, const char *option)
{
    for (size_t i = 0; i < table->count; i++)
        if (fits(&table->rules[i], option)) return true;
    return false;
}

// What an author would look for who gives an option of this name.
static bool is_folder_option(const char *name)
{
    static const char *const names[] = {"I", "include", "pre-include", "preinclude",
                                        "isystem"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(name, names[i], strlen(names[i])) == 0) return true;
    return false;
}

static const char *values_of(const struct rule *rule)
{
    switch (rule->form) {
    case BOOLEAN:
        return "=true or =false";
    case NUMBER:
        return "=<number>";
    case NUMBERS:
        return "=<numbers>";
    case WORD:
        return "= and one of";
    case PTXAS:
        return "=<option of ptxas>";
    case DEFINE:
        return rule->name[1] ? "=<name>=<value>" : "<name>=<value>";
    case UNDEFINE:
        return rule->name[1] ? "=<name>" : "<name>";
    case ALONE:
        break;
    }
    return "";
}

static const struct rule *nearest(const struct table *table, const char *word)
{
    const char *names[MOST_RULES];
    for (size_t i = 0; i < table->count; i++)
        names[i] = table->rules[i].name;
    const char *near = hone_suggest(word, names, table->count);
    for (size_t i = 0; i < table->count; i++)
        if (strcmp(names[i], word) == 0 || (near && strcmp(names[i], near) == 0))
            return &table->rules[i];
    return NULL;
}

static enum hone_status compiler_options_refuse(const struct table *table,
                                                const char *option,
                                                struct hone_error *err)
{
    char word[64];
    const char *name = option + strspn(option, "-");
    snprintf(word, sizeof word, "%.*s", (int)strcspn(name, "= "), name);
    if (table == &compiler && is_folder_option(name))
        return hone_fail(err, HONE_EINPUT,
                         "%s '%.80s' is not allowed: folders of headers belong in the "
                         "script's key 'include'",
                         table->what, option);
    const struct rule *near = nearest(table, word);
    if (!near)
        return hone_fail(err, HONE_EINPUT,
                         "%s '%.80s' is not allowed, only those that decide what code "
                         "is made, such as %s",
                         table->what, option,
                         table == &compiler ? "-DNAME=1, --std=c++20, --use_fast_math, "
                                              "--fmad=false or --maxrregcount=64"
                                            : "-O2, -v, -dlcm=cg or -warn-spills");
    return hone_fail(
        err, HONE_EINPUT, "%s '%.80s' is not allowed; the nearest that is: %s%s%s%s",
        table->what, option, near->name[1] && table == &compiler ? "--" : "-", near->name,
        values_of(near), near->words ? near->words : "");
}

enum hone_status hone_compiler_option_check(const char *option, struct hone_error *err)
{
    if (is_allowed(&compiler, option)) return HONE_OK;
    const char *value = strchr(option, '=');
    const char *name = option + strspn(option, "-");
    const size_t length = value ? (size_t)(value - name) : 0;
    for (size_t i = 0; value && i < compiler.count; i++) {
        const struct rule *rule = &compiler.rules[i];
        if (rule->form == PTXAS && strlen(rule->name) == length &&
            memcmp(name, rule->name, length) == 0)
            return compiler_options_refuse(&ptxas, value + 1, err);
    }
    return compiler_options_refuse(&compiler, option, err);
}
