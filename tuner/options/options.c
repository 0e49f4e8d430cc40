// Table-driven option parsing: --name value, --name=value, -n value, -- ends the options.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"
#include "options/command.h"
#include "outputs.h"

enum { NAMES_MAX = 64 };

const struct hone_option *hone_option_at(const struct hone_command *command, size_t i)
{
    for (const struct hone_option *const *table = command->options; *table; table++)
        for (const struct hone_option *o = *table; o->name; o++)
            if (!i--) return o;
    return NULL;
}

static const struct hone_option *find(const struct hone_command *command,
                                      const char *name, size_t len)
{
    const struct hone_option *o;
    for (size_t i = 0; (o = hone_option_at(command, i)) != NULL; i++)
        if (strlen(o->name) == len && strncmp(o->name, name, len) == 0) return o;
    return NULL;
}

static const struct hone_option *find_letter(const struct hone_command *command,
                                             char letter)
{
    const struct hone_option *o;
    for (size_t i = 0; (o = hone_option_at(command, i)) != NULL; i++)
        if (o->letter == letter) return o;
    return NULL;
}

static enum hone_status fail_unknown_option(const struct hone_command *command,
                                            const char *word, struct hone_error *err)
{
    const char *names[NAMES_MAX];
    size_t count = 0;
    const struct hone_option *o;
    while (count < NAMES_MAX && (o = hone_option_at(command, count)) != NULL)
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

static bool is_blank(const char *text)
{
    return text[strspn(text, " \t\r\n")] == '\0';
}

static enum hone_status store(const struct hone_option *option, void *args,
                              const char *text, struct hone_error *err)
{
    char name[64];
    const struct hone_option_kind *kind = option->kind;
    hone_option_value_name(name, sizeof name, option);
    if (!kind->alone && !kind->blank && is_blank(text))
        return hone_fail(err, HONE_EUSAGE, "--%s wants %s, got an empty text '%s'",
                         option->name, name, text);
    return kind->store(option, (char *)args + option->offset, text, err);
}

// next: the word that stands in the value's place; NULL: there is none.
static enum hone_status fail_no_value(const struct hone_option *option, const char *next,
                                      struct hone_error *err)
{
    char name[64];
    hone_option_value_name(name, sizeof name, option);
    return hone_fail(err, HONE_EUSAGE, "--%s needs a value: %s%s%s%s", option->name, name,
                     next ? ", and '" : "", next ? next : "",
                     next ? "' is an option" : "");
}

// A variable of the shell that is empty must not make a file of the next option's name,
// as in "--journal $J --resume". "-" is a value; what follows "=" is one in any case.
static bool is_option_word(const struct hone_command *command, const char *word)
{
    if (word[0] != '-' || !word[1]) return false;
    if (word[1] == '-') return find(command, word + 2, strcspn(word + 2, "=")) != NULL;
    return !word[2] && find_letter(command, word[1]) != NULL;
}

// One argument that begins with a dash; *i moves on when the value is the next one.
static enum hone_status parse_option(const struct hone_command *command, int argc,
                                     char **argv, int *i, void *args,
                                     struct hone_error *err)
{
    const char *word = argv[*i];
    const bool is_long = word[1] == '-';
    const char *equals = is_long ? strchr(word, '=') : NULL;
    const struct hone_option *option =
        is_long ? find(command, word + 2,
                       equals ? (size_t)(equals - word - 2) : strlen(word + 2))
                : find_letter(command, word[1]);
    if (!option) return fail_unknown_option(command, word, err);
    const char *value = equals ? equals + 1 : NULL;
    if (!is_long && word[2]) value = word + 2;
    if (option->kind->alone && value)
        return hone_fail(err, HONE_EUSAGE, "--%s takes no value", option->name);
    if (!option->kind->alone && !value) {
        const char *next = *i + 1 < argc ? argv[*i + 1] : NULL;
        if (!next || is_option_word(command, next))
            return fail_no_value(option, next, err);
        value = argv[++*i];
    }
    enum hone_status status = store(option, args, value, err);
    const bool more = option->kind->greedy && !equals;
    while (more && status == HONE_OK && *i + 1 < argc && argv[*i + 1][0] != '-')
        status = store(option, args, argv[++*i], err);
    return status;
}

enum hone_status hone_options_parse(const struct hone_command *command, int argc,
                                    char **argv, void *args, struct hone_error *err)
{
    struct hone_words *words = args;
    bool options_end = false;
    words->items = calloc((size_t)argc + 1, sizeof *words->items);
    if (!words->items) return hone_no_memory(err, "for arguments");
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
    return hone_outputs_check(command, args, err);
}

void hone_options_fini(const struct hone_command *command, void *args)
{
    struct hone_words *words = args;
    const struct hone_option *o;
    free(words->items);
    for (size_t i = 0; (o = hone_option_at(command, i)) != NULL; i++)
        if (o->kind->repeats)
            free(((struct hone_texts *)((char *)args + o->offset))->items);
}

bool hone_options_ask_help(int argc, char **argv)
{
    for (int i = 0; i < argc; i++) {
        if (strcmp(argv[i], "--") == 0) return false;
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) return true;
    }
    return false;
}

void hone_option_move_behind(int argc, char **argv, const char *name)
{
    const size_t length = strlen(name);
    if (argc < 2 || strncmp(argv[1], "--", 2) != 0) return;
    if (strncmp(argv[1] + 2, name, length) != 0) return;
    const char end = argv[1][2 + length];
    const int words = end == '=' ? 1 : 2;
    if ((end && end != '=') || argc <= 1 + words) return;
    char *command = argv[1 + words];
    memmove(argv + 2, argv + 1, (size_t)words * sizeof *argv);
    argv[1] = command;
}

enum hone_status hone_words_expect(const struct hone_words *words, size_t least,
                                   size_t most, const char *what, struct hone_error *err)
{
    if (words->count < least) return hone_fail(err, HONE_EUSAGE, "%s is missing", what);
    if (words->count > most)
        return hone_fail(err, HONE_EUSAGE, "'%s' is one argument too many",
                         words->items[most]);
    return HONE_OK;
}

const struct hone_command *hone_command_find(const struct hone_program *program,
                                             const char *name)
{
    for (const struct hone_command *const *c = program->commands; *c; c++)
        if (strcmp((*c)->name, name) == 0) return *c;
    return NULL;
}

enum hone_status hone_command_unknown(const struct hone_program *program,
                                      const char *name, struct hone_error *err)
{
    const char *names[NAMES_MAX];
    size_t count = 0;
    for (; count < NAMES_MAX && program->commands[count]; count++)
        names[count] = program->commands[count]->name;
    const char *near = hone_suggest(name, names, count);
    if (*name == '-')
        return hone_fail(err, HONE_EUSAGE,
                         "option '%s' and no command before it: hone COMMAND [OPTIONS]",
                         name);
    if (near)
        return hone_fail(err, HONE_EUSAGE, "unknown command '%s'; did you mean '%s'?",
                         name, near);
    return hone_fail(err, HONE_EUSAGE, "unknown command '%s'; 'hone help' lists them",
                     name);
}
