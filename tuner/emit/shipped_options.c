// The macros of a configuration as an emitted header has them: a C literal with the words
// that a shell would read, "-DBM=64 '-DT=unsigned long'".
#include <string.h>

#include "shipped_options.h"

// Bytes of a literal without their escapes, as hone_sink_c_string writes them. False for
// a NUL, and where the text ends within an escape.
static bool decode_literal(char *out, const char *text, size_t size)
{
    for (size_t i = 0; i < size;) {
        unsigned byte = (unsigned char)text[i++];
        if (byte == '\\') {
            size_t digits = 0;
            if (i == size) return false;
            for (byte = 0; digits < 3 && i < size && text[i] >= '0' && text[i] <= '7';
                 digits++)
                byte = 8 * byte + (unsigned)(text[i++] - '0');
            if (!digits) byte = (unsigned char)text[i++];
        }
        if (byte == 0 || byte > 255) return false;
        *out++ = (char)byte;
    }
    *out = '\0';
    return true;
}

// The next word of a shell's line, in place; NULL at its end. Quotes that do not end make
// the rest a word.
static char *next_word(char **text)
{
    char *at = *text + strspn(*text, " "), *const word = at, *to = at;
    bool quoted = false;
    if (!*at) return NULL;
    for (; *at && (quoted || *at != ' '); at++) {
        if (*at == '\'') {
            quoted = !quoted;
            continue;
        }
        if (*at == '\\' && !quoted && at[1]) at++;
        *to++ = *at;
    }
    *text = *at ? at + 1 : at;
    *to = '\0';
    return word;
}

bool hone_shipped_options(const char ***out, struct hone_arena *arena, const char *text,
                          size_t size)
{
    char *line = hone_arena_array(arena, size + 1, 1), *word;
    const char **words = hone_arena_array(arena, size / 2 + 2, sizeof *words);
    size_t count = 0;
    *out = NULL;
    if (!line || !words) return false;
    if (!decode_literal(line, text, size)) return true;
    while ((word = next_word(&line)) != NULL) {
        const char *equals = strchr(word, '=');
        if (strncmp(word, "-D", 2) != 0 || !equals || equals == word + 2) return true;
        words[count++] = word + 2;
    }
    words[count] = NULL;
    *out = words;
    return true;
}
