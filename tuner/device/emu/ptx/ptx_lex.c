// Tokens of PTX. An opcode with its modifiers is one word, since that is how forms are
// named.
#include "ptx.h"

#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/c_text.h"
#include "base/one_of.h"

static const struct {
    const char *text;
    unsigned bits;
} types[] = {
#define PTX_TYPE_ROW(name, text, bits) {text, bits},
    PTX_TYPE_LIST(PTX_TYPE_ROW)
#undef PTX_TYPE_ROW
};

unsigned hone_ptx_type_bits(enum ptx_type type)
{
    return types[type].bits;
}

const char *hone_ptx_type_name(enum ptx_type type)
{
    return types[type].text;
}

enum ptx_type hone_ptx_type_find(const char *text, size_t len)
{
    for (size_t i = 1; i < PTX_TYPE_COUNT; i++)
        if (strlen(types[i].text) == len && memcmp(types[i].text, text, len) == 0)
            return (enum ptx_type)i;
    return PTX_NONE;
}

bool hone_ptx_token_is(const struct ptx_token *token, const char *text)
{
    return (token->kind == PTX_WORD || token->kind == PTX_DIRECTIVE) &&
           strlen(text) == token->len && memcmp(token->text, text, token->len) == 0;
}

bool hone_ptx_begins_with(const char *opcode, const char *word)
{
    const size_t len = strlen(word);
    return strncmp(opcode, word, len) == 0 && (opcode[len] == '\0' || opcode[len] == '.');
}

bool hone_ptx_token_punct(const struct ptx_token *token, char c)
{
    return token->kind == PTX_PUNCT && token->text[0] == c;
}

static bool is_word(char c)
{
    return hone_is_alnum(c) || c == '_' || c == '$';
}

static char peek(const struct ptx_lexer *lexer, size_t ahead)
{
    return (size_t)(lexer->end - lexer->at) > ahead ? lexer->at[ahead] : '\0';
}

void hone_ptx_lex_skip_line(struct ptx_lexer *lexer)
{
    while (lexer->at < lexer->end && *lexer->at != '\n')
        lexer->at++;
}

static void skip_block_comment(struct ptx_lexer *lexer)
{
    lexer->at += 2;
    while (lexer->at < lexer->end && !(peek(lexer, 0) == '*' && peek(lexer, 1) == '/'))
        if (*lexer->at++ == '\n') lexer->line++;
    if (lexer->at < lexer->end) lexer->at += 2;
}

static void skip_space(struct ptx_lexer *lexer)
{
    while (lexer->at < lexer->end) {
        if (*lexer->at == '\n') lexer->line++;
        if (hone_is_space(*lexer->at))
            lexer->at++;
        else if (peek(lexer, 0) == '/' && peek(lexer, 1) == '/')
            hone_ptx_lex_skip_line(lexer);
        else if (peek(lexer, 0) == '/' && peek(lexer, 1) == '*')
            skip_block_comment(lexer);
        else
            return;
    }
}

// Letters and digits, and a "." or "::" that joins two of them.
static size_t word_length(const struct ptx_lexer *lexer, size_t n, bool joined)
{
    for (;;) {
        if (is_word(peek(lexer, n)))
            n++;
        else if (joined && peek(lexer, n) == '.' && is_word(peek(lexer, n + 1)))
            n += 2;
        else if (joined && peek(lexer, n) == ':' && peek(lexer, n + 1) == ':' &&
                 is_word(peek(lexer, n + 2)))
            n += 3;
        else
            return n;
    }
}

// 0fXXXXXXXX and 0dXXXXXXXXXXXXXXXX hold the bits of a float.
static void lex_hex_float(struct ptx_token *token)
{
    token->single = hone_lower(token->text[1]) == 'f';
    size_t digits = token->single ? 8 : 16;
    token->kind = token->len == digits + 2 ? PTX_FLOAT : PTX_BAD;
    for (size_t i = 2; i < token->len; i++) {
        char c = hone_lower(token->text[i]);
        if (!hone_is_hex(c)) token->kind = PTX_BAD;
        unsigned digit = c <= '9' ? (unsigned)(c - '0') : (unsigned)(c - 'a' + 10);
        token->bits = token->bits << 4 | (digit & 15);
    }
}

static void lex_decimal_float(struct ptx_lexer *lexer, struct ptx_token *token)
{
    char *end = NULL;
    double value = hone_strtod(token->text, &end); // the text is NUL-terminated
    token->kind = PTX_FLOAT;
    token->len = (size_t)(end - token->text);
    memcpy(&token->bits, &value, sizeof value);
    lexer->at = end;
}

static void lex_integer(struct ptx_token *token)
{
    char digits[72];
    size_t len = token->len;
    token->is_unsigned =
        len > 1 && (token->text[len - 1] == 'U' || token->text[len - 1] == 'u');
    if (token->is_unsigned) len--;
    token->kind = PTX_BAD;
    if (len >= sizeof digits) return;
    memcpy(digits, token->text, len);
    digits[len] = '\0';
    bool binary = len > 2 && digits[0] == '0' && (digits[1] == 'b' || digits[1] == 'B');
    char *end = NULL;
    token->bits = binary ? strtoull(digits + 2, &end, 2) : strtoull(digits, &end, 0);
    if (end == digits + len) token->kind = PTX_INT;
}

static void lex_number(struct ptx_lexer *lexer, struct ptx_token *token)
{
    size_t n = word_length(lexer, 0, false);
    char second = hone_lower(peek(lexer, 1));
    bool prefixed = peek(lexer, 0) == '0' && n > 1 && !hone_is_digit(second);
    bool exponent = memchr(lexer->at, 'e', n) || memchr(lexer->at, 'E', n);
    token->len = n;
    if (!prefixed && (peek(lexer, n) == '.' || exponent)) {
        lex_decimal_float(lexer, token);
        return;
    }
    lexer->at += n;
    if (prefixed && (second == 'f' || second == 'd'))
        lex_hex_float(token);
    else
        lex_integer(token);
}

static void lex_string(struct ptx_lexer *lexer, struct ptx_token *token)
{
    token->text = ++lexer->at;
    while (lexer->at < lexer->end && *lexer->at != '"' && *lexer->at != '\n')
        lexer->at++;
    token->len = (size_t)(lexer->at - token->text);
    token->kind = peek(lexer, 0) == '"' ? PTX_STRING : PTX_BAD;
    if (token->kind == PTX_STRING) lexer->at++;
}

struct ptx_token hone_ptx_lex(struct ptx_lexer *lexer)
{
    skip_space(lexer);
    struct ptx_token token = {.kind = PTX_END, .text = lexer->at, .line = lexer->line};
    if (lexer->at >= lexer->end) return token;
    char c = *lexer->at;
    if (c == '.' && hone_is_digit(peek(lexer, 1))) {
        lex_decimal_float(lexer, &token);
    } else if (hone_is_digit(c)) {
        lex_number(lexer, &token);
    } else if (c == '"') {
        lex_string(lexer, &token);
    } else if (c == '.' && is_word(peek(lexer, 1))) {
        token.kind = PTX_DIRECTIVE;
        token.text = ++lexer->at;
        token.len = word_length(lexer, 0, false);
        lexer->at += token.len;
    } else if (is_word(c) || (c == '%' && is_word(peek(lexer, 1)))) {
        token.kind = PTX_WORD;
        token.len = word_length(lexer, 1, true);
        lexer->at += token.len;
    } else {
        token.kind = hone_one_of(c, "+-*/%(){}[]<>,;:?|!@=~&^") ? PTX_PUNCT : PTX_BAD;
        token.len = 1;
        lexer->at++;
    }
    return token;
}
