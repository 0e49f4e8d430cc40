// Splitting a command line into words as a shell does, without one. It is one line:
// nothing goes on behind a backslash at its end.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/one_of.h"

#include "base/subprocess.h"

// Within double quotes a backslash stands for itself, unless it hides one of these
// (POSIX, Shell Command Language, 2.2).
static bool hides_next(const char *p, char quote)
{
    if (*p != '\\' || !p[1] || quote == '\'') return false;
    return !quote || hone_one_of(p[1], "$`\"\\\n");
}

// Copies the word at *at to *to, unquoted; *at is left behind it. The open quote, or 0.
static char copy_word(const char **at, char **to)
{
    char quote = 0;
    const char *p = *at;
    for (; *p && (quote || !hone_one_of(*p, " \t\n")); p++) {
        if (!quote && (*p == '\'' || *p == '"'))
            quote = *p;
        else if (quote && *p == quote)
            quote = 0;
        else if (hides_next(p, quote))
            *(*to)++ = *++p;
        else
            *(*to)++ = *p;
    }
    *(*to)++ = '\0';
    *at = p;
    return quote;
}

enum hone_status hone_command_split(char ***argv, const char *command,
                                    struct hone_error *err)
{
    assert(argv && command);
    const size_t len = strlen(command), most = len / 2 + 2; // words, and NULL
    *argv = NULL;
    char **words = malloc(most * sizeof *words + len + 1);
    if (!words) return hone_no_memory(err, "for a command");
    char *text = (char *)(words + most), open = 0;
    size_t count = 0;
    for (const char *p = command;;) {
        p += strspn(p, " \t\n");
        if (!*p) break;
        words[count++] = text;
        open = copy_word(&p, &text);
    }
    words[count] = NULL;
    if (count && !open) {
        *argv = words;
        return HONE_OK;
    }
    free(words);
    return open ? hone_fail(err, HONE_EUSAGE, "command '%s' lacks a closing %c", command,
                            open)
                : hone_fail(err, HONE_EUSAGE, "the command is empty");
}
