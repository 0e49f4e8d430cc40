#include "lex.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/c_text.h"
#include "base/identifier.h"
#include "lex_const.h"
#include "operate.h"

struct word {
    const char *text;
    enum expr_token kind;
    enum expr_op op;
    const char *refusal; // why it is no token here; NULL where it is one
};

// Longest first where one begins another; else what is most frequent.
static const struct word symbols[] = {
    {"(", TOK_OPEN, 0, NULL},
    {")", TOK_CLOSE, 0, NULL},
    {",", TOK_COMMA, 0, NULL},
    {"%", TOK_BINARY, OP_MOD, NULL},
    {"+", TOK_BINARY, OP_ADD, NULL},
    {"..", TOK_END, 0, "'..' is not part of the expression language"},
    {"--", TOK_END, 0, "'--' begins a comment in Lua; write - (-x)"},
    {"//", TOK_BINARY, OP_IDIV, NULL},
    {"==", TOK_BINARY, OP_EQ, NULL},
    {"~=", TOK_BINARY, OP_NE, NULL},
    {"<=", TOK_BINARY, OP_LE, NULL},
    {">=", TOK_BINARY, OP_GE, NULL},
    {"<<", TOK_BINARY, OP_SHL, NULL},
    {">>", TOK_BINARY, OP_SHR, NULL},
    {"!=", TOK_END, 0, "unknown operator '!=', did you mean '~='?"},
    {"&&", TOK_END, 0, "unknown operator '&&', did you mean 'and'?"},
    {"||", TOK_END, 0, "unknown operator '||', did you mean 'or'?"},
    {"**", TOK_END, 0, "unknown operator '**', did you mean '^'?"},
    {"!", TOK_END, 0, "unknown operator '!', did you mean 'not'?"},
    {"=", TOK_END, 0, "'=' assigns; did you mean '=='?"},
    {"[[", TOK_END, 0, "long strings are not part of the expression language"},
    {"#", TOK_END, 0, "'#' is not part of the expression language"},
    {"?", TOK_END, 0, "unknown operator '?', did you mean 'c and a or b'?"},
    {"<", TOK_BINARY, OP_LT, NULL},
    {">", TOK_BINARY, OP_GT, NULL},
    {"*", TOK_BINARY, OP_MUL, NULL},
    {"/", TOK_BINARY, OP_DIV, NULL},
    {"^", TOK_BINARY, OP_POW, NULL},
    {"&", TOK_BINARY, OP_BAND, NULL},
    {"|", TOK_BINARY, OP_BOR, NULL},
    {"-", TOK_MINUS, OP_SUB, NULL},
    {"~", TOK_TILDE, OP_BXOR, NULL},
};

static const char not_a_name[] = "is a reserved word of Lua";

static const struct word words[] = {
    {"and", TOK_BINARY, OP_AND, NULL},
    {"or", TOK_BINARY, OP_OR, NULL},
    {"not", TOK_NOT, OP_NOT, NULL},
    {"true", TOK_CONST, 0, NULL},
    {"false", TOK_CONST, 0, NULL},
    {"nil", TOK_END, 0, "is not part of the expression language"},
    {"break", TOK_END, 0, not_a_name},
    {"do", TOK_END, 0, not_a_name},
    {"else", TOK_END, 0, not_a_name},
    {"elseif", TOK_END, 0, not_a_name},
    {"end", TOK_END, 0, not_a_name},
    {"for", TOK_END, 0, not_a_name},
    {"function", TOK_END, 0, not_a_name},
    {"goto", TOK_END, 0, not_a_name},
    {"if", TOK_END, 0, not_a_name},
    {"in", TOK_END, 0, not_a_name},
    {"local", TOK_END, 0, not_a_name},
    {"repeat", TOK_END, 0, not_a_name},
    {"return", TOK_END, 0, not_a_name},
    {"then", TOK_END, 0, not_a_name},
    {"until", TOK_END, 0, not_a_name},
    {"while", TOK_END, 0, not_a_name},
};
enum { WORD_MAX = sizeof "function" - 1 };

enum hone_status hone_lex_fail(const struct expr_lexer *lexer, uint32_t at,
                               const char *format, ...)
{
    char what[300];
    va_list args;
    va_start(args, format);
    hone_vsnprintf(what, sizeof what, format, args);
    va_end(args);
    return hone_fail_at(lexer->err, HONE_EINPUT, lexer->text, 0, "column %u: %s",
                        (unsigned)at + 1, what);
}

static const struct word *find_word(const char *text, size_t len)
{
    if (len > WORD_MAX) return NULL;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        const struct word *word = &words[i];
        if (word->text[0] != *text) continue;
        if (strncmp(word->text, text, len) == 0 && word->text[len] == '\0') return word;
    }
    return NULL;
}

// One name, or names joined by single dots.
static enum hone_status lex_name(struct expr_lexer *lexer)
{
    const char *text = lexer->text;
    size_t part = lexer->begin, at = part;
    const struct word *word;
    for (;;) {
        while (hone_is_name_part(text[at]))
            at++;
        word = find_word(text + part, at - part);
        if (word || text[at] != '.' || !hone_is_name_start(text[at + 1])) break;
        part = ++at;
    }
    lexer->next = at;
    lexer->kind = TOK_NAME;
    if (!word) return HONE_OK;
    const char *refusal = part != lexer->begin ? not_a_name : word->refusal;
    if (refusal)
        return hone_lex_fail(lexer, (uint32_t)part, "'%s' %s", word->text, refusal);
    lexer->kind = word->kind;
    lexer->op = word->op;
    lexer->value = hone_bool(word->text[0] == 't');
    return HONE_OK;
}

static enum hone_status lex_symbol(struct expr_lexer *lexer)
{
    const char *at = lexer->text + lexer->begin;
    for (size_t i = 0; i < sizeof symbols / sizeof symbols[0]; i++) {
        const struct word *symbol = &symbols[i];
        if (symbol->text[0] != *at) continue;
        size_t len = strlen(symbol->text);
        if (strncmp(at, symbol->text, len) != 0) continue;
        if (symbol->refusal)
            return hone_lex_fail(lexer, lexer->begin, "%s", symbol->refusal);
        lexer->kind = symbol->kind;
        lexer->op = symbol->op;
        lexer->next = lexer->begin + len;
        return HONE_OK;
    }
    unsigned char c = (unsigned char)*at;
    if (c < 0x20 || c > 0x7e)
        return hone_lex_fail(lexer, lexer->begin, "unexpected byte 0x%02x", c);
    return hone_lex_fail(lexer, lexer->begin, "unexpected '%c'", c);
}

static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static enum hone_status lex_token(struct expr_lexer *lexer)
{
    const char *at = lexer->text + lexer->begin;
    bool digit =
        (at[0] >= '0' && at[0] <= '9') || (at[0] == '.' && at[1] >= '0' && at[1] <= '9');
    if (*at == '\0') {
        lexer->kind = TOK_END;
        return HONE_OK;
    }
    if (hone_is_name_start(*at)) return lex_name(lexer);
    if (digit) return hone_lex_number(lexer);
    if (*at == '"' || *at == '\'') return hone_lex_string(lexer);
    return lex_symbol(lexer);
}

enum hone_status hone_lex(struct expr_lexer *lexer)
{
    lexer->last_end = lexer->end;
    while (is_space(lexer->text[lexer->next]))
        lexer->next++;
    lexer->begin = (uint32_t)lexer->next;
    enum hone_status status = lex_token(lexer);
    lexer->end = (uint32_t)lexer->next;
    return status;
}
