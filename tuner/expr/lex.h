/* Tokens of an expression: Lua 5.4's (manual 3.1), without long strings and comments. */
#ifndef HONE_EXPR_LEX_H
#define HONE_EXPR_LEX_H

#include "ast.h"
#include "base/arena.h"

enum expr_token {
    TOK_END,
    TOK_NAME,  /* BM, device.sm_count, min */
    TOK_CONST, /* number, string, true, false */
    TOK_OPEN,
    TOK_CLOSE,
    TOK_COMMA,
    TOK_NOT,
    TOK_TILDE, /* unary or binary */
    TOK_MINUS, /* likewise */
    TOK_BINARY /* op says which */
};

struct expr_lexer {
    const char *text;
    struct hone_arena *arena; /* for decoded strings */
    struct hone_error *err;
    size_t next; /* first byte after the token */

    enum expr_token kind; /* the current token */
    enum expr_op op;
    struct hone_value value;
    uint32_t begin, end;
    uint32_t last_end; /* of the token before */
};

/* Step to the next token; at the end of the text it stays TOK_END. */
enum hone_status hone_lex(struct expr_lexer *lexer);

/* Fail with the column of byte at: "column 3: ..." in source text. */
enum hone_status hone_lex_fail(const struct expr_lexer *lexer, uint32_t at,
                               const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
