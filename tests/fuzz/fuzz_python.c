// Any text as an expression and as a list of Python. What is taken is an expression of
// this program.
#include <string.h>

#include "fuzz.h"
#include "python.h"

static const struct hone_python_name items[] = {
    {.name = "x", .kind = HONE_PYTHON_NUMBER},
    {.name = "b", .kind = HONE_PYTHON_BOOL},
    {.name = "s", .kind = HONE_PYTHON_STRING},
    {.name = "MAX", .kind = HONE_PYTHON_NUMBER, .text = "1024"}};
static const char *const names[] = {"x", "b", "s"};

static void read_condition(const char *text)
{
    const struct hone_python_names known = {.items = items, .count = 4};
    const char *translated = NULL;
    struct hone_arena arena = {0};
    struct hone_error err = {0};
    struct hone_expr *expr = NULL;
    if (fuzz_taken(hone_python_condition(&translated, text, known, &arena, &err), &err)) {
        const enum hone_status status = hone_expr_new(&expr, translated, &err);
        if (status != HONE_ELIMIT) fuzz_must(status, &err);
        if (status == HONE_OK) fuzz_must(hone_expr_bind(expr, names, 3, &err), &err);
        hone_expr_free(expr);
    }
    hone_arena_fini(&arena);
}

static void read_values(const char *text)
{
    struct hone_arena arena = {0};
    struct hone_error err = {0};
    struct hone_value *values = NULL;
    size_t count = 0;
    char printed[64];
    if (fuzz_taken(hone_python_values(&values, &count, text, &arena, &err), &err))
        for (size_t i = 0; i < count; i++)
            hone_value_print(printed, sizeof printed, values[i]);
    hone_arena_fini(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    read_condition(text);
    read_values(text);
    free(text);
    return 0;
}
