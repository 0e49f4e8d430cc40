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

// .loc FILE LINE COLUMN, and for inlined functions where they were called.
void hone_ptx_take_loc(struct ptx_parser *parser)
{
    uint32_t file = take_number(&parser->lexer);
    parser->place = (struct ptx_place){.file = file, .line = take_number(&parser->lexer)};
    hone_ptx_lex_skip_line(&parser->lexer);
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
