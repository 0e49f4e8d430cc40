/* Inputs about expressions: the first line is one, each byte behind it chooses the value
 * of a variable. */
#ifndef HONE_EXPR_INPUT_H
#define HONE_EXPR_INPUT_H

#include <math.h>
#include <string.h>

#include "fuzz.h"
#include "hone/expr.h"

enum { INPUT_VARS = 8 };

static const char *const input_names[INPUT_VARS] = {"i", "j", "k", "f",
                                                    "g", "p", "s", "device.n"};
static const struct hone_expr_c_var input_c[INPUT_VARS] = {
    {.type = HONE_INT, .text = "row->i"},    {.type = HONE_INT, .text = "row->j"},
    {.type = HONE_INT, .text = "row->k"},    {.type = HONE_FLOAT, .text = "row->f"},
    {.type = HONE_FLOAT, .text = "row->g"},  {.type = HONE_BOOL, .text = "row->p"},
    {.type = HONE_STRING, .text = "row->s"}, {.type = HONE_INT, .text = "132"}};

struct expr_input {
    char *text;                          // of the expression
    struct hone_value slots[INPUT_VARS]; // as input_names
};

static inline struct hone_value input_value(enum hone_type type, unsigned choice)
{
    static const int64_t ints[] = {0,         1,         2,    -1,      3,   7,   64, -64,
                                   INT64_MAX, INT64_MIN, 1024, 1 << 20, 100, 255, 4,  -3};
    static const double floats[] = {0.0,
                                    -0.0,
                                    1.5,
                                    2.0,
                                    -1.0,
                                    0x1p53,
                                    0x1p63,
                                    -0x1p63,
                                    (double)INFINITY,
                                    (double)-INFINITY,
                                    (double)NAN,
                                    1e300,
                                    5e-324,
                                    64,
                                    0.25,
                                    -7.5};
    static const char *const texts[] = {"", "a", "f32", "row"};
    if (type == HONE_INT)
        return (struct hone_value){.type = type, .i = ints[choice % 16]};
    if (type == HONE_FLOAT)
        return (struct hone_value){.type = type, .f = floats[choice % 16]};
    if (type == HONE_BOOL) return (struct hone_value){.type = type, .b = choice & 1};
    return (struct hone_value){.type = type, .s = texts[choice % 4]};
}

/* Free input->text. */
static inline void expr_input_read(struct expr_input *input, const uint8_t *data,
                                   size_t size)
{
    const uint8_t *newline = size ? memchr(data, '\n', size) : NULL;
    const size_t line = newline ? (size_t)(newline - data) : size;
    input->text = fuzz_text(data, line);
    for (size_t v = 0; v < INPUT_VARS; v++) {
        const unsigned choice = line + 1 + v < size ? data[line + 1 + v] : (unsigned)v;
        input->slots[v] = input_value(input_c[v].type, choice);
    }
    input->slots[INPUT_VARS - 1].i = 132;
}

/* Parsed and bound; NULL for what is no expression of these names. */
static inline struct hone_expr *expr_input_parse(const struct expr_input *input)
{
    struct hone_expr *expr = NULL;
    struct hone_error err = {0};
    if (!fuzz_taken(hone_expr_new(&expr, input->text, &err), &err)) return NULL;
    FUZZ_CHECK(strcmp(hone_expr_text(expr), input->text) == 0);
    if (fuzz_taken(hone_expr_bind(expr, input_names, INPUT_VARS, &err), &err))
        return expr;
    hone_expr_free(expr);
    return NULL;
}

#endif
