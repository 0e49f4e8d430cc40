// Table-driven option parsing: --name value, --name=value, -n value, -- ends the options.
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"
#include "cli.h"

enum { NAMES_MAX = 64 };

static const struct cli_option *find(const struct cli_command *command, const char *name,
                                     size_t len)
{
    for (const struct cli_option *const *table = command->options; *table; table++)
        for (const struct cli_option *o = *table; o->name; o++)
            if (strlen(o->name) == len && strncmp(o->name, name, len) == 0) return o;
    return NULL;
}

static const struct cli_option *find_letter(const struct cli_command *command,
                                            char letter)
{
    for (const struct cli_option *const *table = command->options; *table; table++)
        for (const struct cli_option *o = *table; o->name; o++)
            if (o->letter == letter) return o;
    return NULL;
}

static enum hone_status fail_unknown(const struct cli_command *command, const char *word,
                                     struct hone_error *err)
{
    const char *names[NAMES_MAX];
    size_t count = 0;
    for (const struct cli_option *const *table = command->options; *table; table++)
        for (const struct cli_option *o = *table; o->name && count < NAMES_MAX; o++)
            names[count++] = o->name;
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word + 2, "="), word + 2);
    const char *near = hone_suggest(name, names, count);
    if (near)
        return hone_fail(err, HONE_EUSAGE, "unknown option '%s'; did you mean '--%s'?",
                         word, near);
    return hone_fail(err, HONE_EUSAGE, "unknown option '%s'; 'hone help %s' lists them",
                     word, command->name);
}

static bool parse_count(const char *text, uint64_t *out)
{
    static const char suffixes[] = "KMG";
    char *end = NULL;
    errno = 0;
    unsigned long long n = strtoull(text, &end, 10);
    if (!isdigit((unsigned char)text[0]) || errno) return false;
    const char *suffix = *end ? strchr(suffixes, *end) : NULL;
    if (suffix) {
        unsigned shift = 10 * (unsigned)(suffix - suffixes + 1);
        if (n > (UINT64_MAX >> shift)) return false;
        n <<= shift;
        end++;
    }
    *out = n;
    return *end == '\0';
}

static bool parse_budget(const char *text, struct cli_budget *out)
{
    char *end = NULL;
    double number = strtod(text, &end);
    if (!isdigit((unsigned char)text[0]) || number <= 0) return false;
    const double unit = *end == 's' ? 1 : *end == 'm' ? 60 : *end == 'h' ? 3600 : 0;
    if (unit > 0 && end[1] == '\0') {
        out->seconds = number * unit;
        return true;
    }
    return parse_count(text, &out->evaluations) && out->evaluations > 0;
}

static bool add_to_list(struct cli_list *list, const char *text)
{
    const char **items = realloc(list->items, (list->count + 1) * sizeof *items);
    if (!items) return false;
    list->items = items;
    items[list->count++] = text;
    return true;
}

static bool is_blank(const char *text)
{
    return text[strspn(text, " \t\r\n")] == '\0';
}

static enum hone_status store(const struct cli_option *option, void *args,
                              const char *value, struct hone_error *err)
{
    void *field = (char *)args + option->offset;
    if (option->kind != CLI_BLANK && option->kind != CLI_FLAG && is_blank(value))
        return hone_fail(err, HONE_EUSAGE, "--%s wants %s, got an empty text '%s'",
                         option->name, option->value, value);
    switch (option->kind) {
    case CLI_FLAG:
        *(bool *)field = true;
        return HONE_OK;
    case CLI_TEXT:
    case CLI_BLANK:
        *(const char **)field = value;
        return HONE_OK;
    case CLI_COUNT:
        if (parse_count(value, field)) return HONE_OK;
        return hone_fail(err, HONE_EUSAGE, "--%s wants a whole number, got '%s'",
                         option->name, value);
    case CLI_BUDGET:
        if (parse_budget(value, field)) return HONE_OK;
        return hone_fail(
            err, HONE_EUSAGE,
            "--%s wants a number of evaluations (200) or a time (30s, 5m, 2h), "
            "got '%s'",
            option->name, value);
    case CLI_LIST:
    case CLI_FILES:
        if (add_to_list(field, value)) return HONE_OK;
        break;
    }
    return hone_fail(err, HONE_ENOMEM, "out of memory");
}

// One argument that begins with a dash; *i moves on when the value is the next one.
static enum hone_status parse_option(const struct cli_command *command, int argc,
                                     char **argv, int *i, void *args,
                                     struct hone_error *err)
{
    const char *word = argv[*i];
    const bool is_long = word[1] == '-';
    const char *equals = is_long ? strchr(word, '=') : NULL;
    const struct cli_option *option =
        is_long ? find(command, word + 2,
                       equals ? (size_t)(equals - word - 2) : strlen(word + 2))
                : find_letter(command, word[1]);
    if (!option) return fail_unknown(command, word, err);
    const char *value = equals ? equals + 1 : NULL;
    if (!is_long && word[2]) value = word + 2;
    if (option->kind == CLI_FLAG && value)
        return hone_fail(err, HONE_EUSAGE, "--%s takes no value", option->name);
    if (option->kind != CLI_FLAG && !value) {
        if (*i + 1 >= argc)
            return hone_fail(err, HONE_EUSAGE, "--%s needs a value: %s", option->name,
                             option->value);
        value = argv[++*i];
    }
    enum hone_status status = store(option, args, value, err);
    const bool more = option->kind == CLI_FILES && !equals;
    while (more && status == HONE_OK && *i + 1 < argc && argv[*i + 1][0] != '-')
        status = store(option, args, argv[++*i], err);
    return status;
}

enum hone_status cli_parse(const struct cli_command *command, int argc, char **argv,
                           void *args, struct hone_error *err)
{
    struct cli_words *words = args;
    bool options_end = false;
    words->items = calloc((size_t)argc + 1, sizeof *words->items);
    if (!words->items) return hone_fail(err, HONE_ENOMEM, "out of memory");
    for (int i = 0; i < argc; i++) {
        if (!options_end && strcmp(argv[i], "--") == 0) {
            options_end = true;
        } else if (!options_end && argv[i][0] == '-' && argv[i][1]) {
            enum hone_status status = parse_option(command, argc, argv, &i, args, err);
            if (status != HONE_OK) return status;
        } else {
            words->items[words->count++] = argv[i];
        }
    }
    return HONE_OK;
}

void cli_args_fini(const struct cli_command *command, void *args)
{
    struct cli_words *words = args;
    free(words->items);
    for (const struct cli_option *const *table = command->options; *table; table++)
        for (const struct cli_option *o = *table; o->name; o++)
            if (o->kind == CLI_LIST || o->kind == CLI_FILES)
                free(((struct cli_list *)((char *)args + o->offset))->items);
}

enum hone_status cli_expect_words(const struct cli_words *words, size_t least,
                                  size_t most, const char *what, struct hone_error *err)
{
    if (words->count < least) return hone_fail(err, HONE_EUSAGE, "%s is missing", what);
    if (words->count > most)
        return hone_fail(err, HONE_EUSAGE, "'%s' is one argument too many",
                         words->items[most]);
    return HONE_OK;
}
