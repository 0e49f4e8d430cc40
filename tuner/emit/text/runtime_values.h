/* Values of overrides and of misses, read and written (payload.h says how it is read). */
#ifndef HONE_EMIT_TEXT_RUNTIME_VALUES_H
#define HONE_EMIT_TEXT_RUNTIME_VALUES_H

/* text */
/* only: words */
static inline int kernel_read_word(const char *text, const char **to)
{
    *to = text;
    return 1;
}
/* end */
/* only: wholes */
static inline int kernel_read_whole(const char *text, long long *to)
{
    char *end;
    *to = strtoll(text, &end, 10);
    return end != text && !*end;
}
/* end */
/* only: ints */
static inline int kernel_read_int(const char *text, long long least, long long most,
                                  int *to)
{
    long long value;
    if (!kernel_read_whole(text, &value) || value < least || value > most) return 0;
    *to = (int)value;
    return 1;
}
/* end */
/* only: reals */
/* A number with a point in every locale: 1.25e3 is read as 125e1. */
static inline int kernel_read_real(char *text, double *to)
{
    char plain[400], *rest = text, *done;
    size_t n = 0;
    long power = 0, past = 0;
    if (*rest == '-' || *rest == '+') plain[n++] = *rest++;
    for (; (*rest >= '0' && *rest <= '9') || (*rest == '.' && !past); rest++) {
        if (n > sizeof plain - 30) break;
        if (*rest != '.') plain[n++] = *rest;
        power -= past;
        if (*rest == '.') past = 1;
    }
    if ((*rest == 'e' || *rest == 'E') && rest[1 + strspn(rest + 1, "+-")]) {
        const long given = strtol(rest + 1, &rest, 10);
        power += given < -100000 ? -100000 : given > 100000 ? 100000 : given;
    }
    sprintf(plain + n, "e%ld", power);
    *to = strtod(plain, &done);
    return rest != text && !*rest && !*done;
}
/* end */
/* only: puts_texts */
/* A text of JSON: it stays in its line, whatever it holds. */
static inline void kernel_put_text(FILE *file, const char *text)
{
    fputc('"', file);
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c < 32 || c == 127)
            fprintf(file, "\\u%04x", c);
        else if (c == '"' || c == '\\')
            fprintf(file, "\\%c", c);
        else
            fputc(c, file);
    }
    fputc('"', file);
}
/* end */
/* only: puts_reals */
/* A number of JSON, which has a point in every locale. */
static inline void kernel_put_real(FILE *file, double value)
{
    char text[64], *c;
    int point = 0;
    sprintf(text, "%.17g", value);
    for (c = text; *c; c++) {
        if (strchr("0123456789+-e", *c))
            fputc(*c, file);
        else if (!point++)
            fputc('.', file);
    }
}
/* end */
/* end of text */

#endif
