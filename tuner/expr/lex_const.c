#include "lex_const.h"

#include <string.h>

#include "base/c_text.h"
#include "base/identifier.h"
#include "number.h"
#include "operate.h"

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

// -1 where c is no hexadecimal digit.
static int hex_digit(char c)
{
    if (is_digit(c)) return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

static bool is_hex(const char *at)
{
    return at[0] == '0' && (at[1] == 'x' || at[1] == 'X');
}

// What Lua's lexer takes for a numeral, well formed or not: digits, dots, exponents with
// a sign, and one letter that touches it.
static size_t numeral_length(const char *at)
{
    const char *exponent = is_hex(at) ? "pP" : "eE";
    size_t n = is_hex(at) ? 2 : 0;
    for (;;) {
        if (at[n] && strchr(exponent, at[n]))
            n += at[n + 1] == '+' || at[n + 1] == '-' ? 2 : 1;
        else if (hex_digit(at[n]) >= 0 || at[n] == '.')
            n++;
        else
            break;
    }
    return hone_is_name_start(at[n]) ? n + 1 : n;
}

// Decimal integers that fit; hexadecimal ones wrap around.
static bool read_int(const char *at, size_t len, int64_t *out)
{
    uint64_t value = 0;
    bool hex = is_hex(at);
    size_t i = hex ? 2 : 0;
    if (i == len) return false;
    for (; i < len; i++) {
        int digit = hex ? hex_digit(at[i]) : is_digit(at[i]) ? at[i] - '0' : -1;
        if (digit < 0) return false;
        uint64_t d = (uint64_t)digit;
        if (!hex && value > (INT64_MAX - d) / 10) return false;
        value = value * (hex ? 16 : 10) + d;
    }
    *out = (int64_t)value;
    return true;
}

enum hone_status hone_lex_number(struct expr_lexer *lexer)
{
    const char *at = lexer->text + lexer->begin;
    size_t len = numeral_length(at);
    int64_t integer;
    lexer->kind = TOK_CONST;
    lexer->next = lexer->begin + len;
    if (read_int(at, len, &integer)) {
        lexer->value = hone_int(integer);
        return HONE_OK;
    }
    char *end;
    lexer->value = hone_float(hone_strtod(at, &end));
    if (end == at + len) return HONE_OK;
    return hone_lex_fail(lexer, lexer->begin, "malformed number '%.*s'",
                         len < 40 ? (int)len : 40, at);
}

// The value of an escape of up to most digits in a base; false where there is none.
static bool read_digits(const char **at, int base, int most, unsigned long *out)
{
    int n = 0;
    *out = 0;
    for (; n < most; n++, (*at)++) {
        int digit = hex_digit(**at);
        if (digit < 0 || digit >= base) break;
        *out = *out * (unsigned long)base + (unsigned long)digit;
    }
    return n > 0;
}

// UTF-8 in its original form of up to six bytes, as Lua writes \u{7FFFFFFF}.
static size_t put_utf8(char *out, unsigned long code)
{
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    size_t n = 2;
    while (n < 6 && code >> (5 * n + 1))
        n++;
    for (size_t i = n - 1; i > 0; i--, code >>= 6)
        out[i] = (char)(0x80 | (code & 0x3f));
    out[0] = (char)((0xff00UL >> n & 0xff) | code);
    return n;
}

static bool unicode_escape(const char **at, char *out, size_t *len)
{
    unsigned long code;
    if (*(*at)++ != '{' || !read_digits(at, 16, 8, &code) || **at != '}') return false;
    if (code == 0 || code > 0x7fffffff) return false;
    (*at)++;
    *len += put_utf8(out + *len, code);
    return true;
}

static bool numeric_escape(const char **at, char *out, size_t *len)
{
    unsigned long code;
    bool hex = **at == 'x';
    *at += hex;
    const char *digits = *at;
    if (!read_digits(at, hex ? 16 : 10, hex ? 2 : 3, &code)) return false;
    if ((hex && *at != digits + 2) || code == 0 || code > 255) return false;
    out[(*len)++] = (char)code;
    return true;
}

static void skip_space(const char **at)
{
    while (**at == ' ' || (**at >= '\t' && **at <= '\r'))
        (*at)++;
}

// The escape after a backslash at *at; steps over it.
static bool escape(const char **at, char *out, size_t *len)
{
    static const char letters[] = "abfnrtv\\\"'\n";
    static const char meanings[] = "\a\b\f\n\r\t\v\\\"'\n";
    if (is_digit(**at) || **at == 'x') return numeric_escape(at, out, len);
    if (**at == 'u') {
        (*at)++;
        return unicode_escape(at, out, len);
    }
    if (**at == 'z') {
        (*at)++;
        skip_space(at);
        return true;
    }
    const char *letter = **at ? strchr(letters, **at) : NULL;
    if (!letter) return false;
    (*at)++;
    out[(*len)++] = meanings[letter - letters];
    return true;
}

enum hone_status hone_lex_string(struct expr_lexer *lexer)
{
    const char *at = lexer->text + lexer->begin;
    const char quote = *at++;
    size_t len = 0;
    char *out =
        hone_arena_alloc(lexer->arena, strlen(at) + 1); // no escape is shorter than
    if (!out) return HONE_ENOMEM;                       // what it stands for
    while (*at != quote) {
        const char *start = at;
        if (*at == '\0' || *at == '\n' || *at == '\r')
            return hone_lex_fail(lexer, lexer->begin, "unfinished string");
        if (*at != '\\') {
            out[len++] = *at++;
        } else if (at++, !escape(&at, out, &len)) {
            return hone_lex_fail(lexer, (uint32_t)(start - lexer->text),
                                 "bad escape in a string, or one that gives a zero byte");
        }
    }
    out[len] = '\0';
    lexer->kind = TOK_CONST;
    lexer->value = (struct hone_value){.type = HONE_STRING, .s = out};
    lexer->next = (size_t)(at - lexer->text) + 1;
    return HONE_OK;
}
