/* The constants among the tokens: numerals and quoted strings. */
#ifndef HONE_EXPR_LEX_CONST_H
#define HONE_EXPR_LEX_CONST_H

#include "lex.h"

/* The text at lexer->begin begins a numeral (a digit, or a dot and a digit). */
enum hone_status hone_lex_number(struct expr_lexer *lexer);

/* The text at lexer->begin is a quote. */
enum hone_status hone_lex_string(struct expr_lexer *lexer);

#endif
