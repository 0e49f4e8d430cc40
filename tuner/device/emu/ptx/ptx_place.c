// Places in the source text: the directives .file and .loc that a compiler writes for
// -lineinfo. A .loc holds for the statements that follow it.
#include <string.h>

#include "ptx_parser.h"

// A number of the line, past blanks; 0 when there is none.
static uint32_t take_number(struct ptx_lexer *lexer)
{
    uint64_t n = 0;
    while (lexer->at < lexer->end && (*lexer->at == ' ' || *lexer->at == '\t'))
        lexer->at++;
    for (; lexer->at < lexer->end && *lexer->at >= '0' && *lexer->at <= '9'; lexer->at++)
        if (n <= UINT32_MAX) n = n * 10 + (uint64_t)(*lexer->at - '0');
    return n <= UINT32_MAX ? (uint32_t)n : 0;
}

// The kernel's place from which, by calls that were inlined, the call there was made.
static struct ptx_place find_caller(const struct ptx_inlined *inlined, uint32_t file,
                                    uint32_t line, uint32_t column)
{
    for (size_t k = inlined->count, n = 0; k > 0 && n < HONE_PTX_INLINED; k--, n++) {
        const struct ptx_place *place = &inlined->places[(k - 1) % HONE_PTX_INLINED];
        if (place->file == file && place->line == line &&
            inlined->columns[(k - 1) % HONE_PTX_INLINED] == column)
            return (struct ptx_place){.file = place->call_file, .line = place->call_line};
    }
    return (struct ptx_place){.file = file, .line = line};
}

static void note_inlined(struct ptx_inlined *inlined, const struct ptx_place *place,
                         uint32_t column)
{
    const size_t at = inlined->count++ % HONE_PTX_INLINED;
    inlined->places[at] = *place;
    inlined->columns[at] = column;
}

// What follows the word; NULL: the text has none.
static const char *find_word(const char *from, const char *end, const char *word)
{
    const size_t len = strlen(word);
    for (; (size_t)(end - from) >= len; from++)
        if (memcmp(from, word, len) == 0) return from + len;
    return NULL;
}

// .loc FILE LINE COLUMN, and for inlined functions where they were called:
// function_name LABEL, inlined_at FILE LINE COLUMN, a place that has a .loc before it.
void hone_ptx_take_loc(struct ptx_parser *parser)
{
    struct ptx_lexer *lexer = &parser->lexer;
    struct ptx_place place = {.file = take_number(lexer)};
    place.line = take_number(lexer);
    const uint32_t column = take_number(lexer);
    struct ptx_lexer rest = *lexer;
    hone_ptx_lex_skip_line(lexer);
    rest.at = find_word(rest.at, lexer->at, "inlined_at");
    if (rest.at) {
        const uint32_t file = take_number(&rest), line = take_number(&rest);
        const struct ptx_place caller =
            find_caller(&parser->inlined, file, line, take_number(&rest));
        place.call_file = caller.file;
        place.call_line = caller.line;
        note_inlined(&parser->inlined, &place, column);
    }
    parser->place = place;
}

// .file NUMBER "FOLDER/NAME"
void hone_ptx_take_file(struct ptx_parser *parser)
{
    struct ptx_lexer *lexer = &parser->lexer;
    uint32_t number = take_number(lexer);
    const char *from = lexer->at;
    hone_ptx_lex_skip_line(lexer);
    from = memchr(from, '"', (size_t)(lexer->at - from));
    const char *to = from ? memchr(from + 1, '"', (size_t)(lexer->at - from - 1)) : NULL;
    if (!to) return;
    const char *name = to;
    while (name > from + 1 && name[-1] != '/')
        name--;
    struct ptx_file *file = hone_ptx_alloc(parser, 1, sizeof *file);
    char *copy = hone_ptx_alloc(parser, (size_t)(to - name) + 1, 1);
    if (!file || !copy) return;
    memcpy(copy, name, (size_t)(to - name));
    *file =
        (struct ptx_file){.number = number, .name = copy, .next = parser->module->files};
    parser->module->files = file;
}
