// Printed expressions under the compilers of a header's users: comparisons of everything
// with everything, alone and in pairs, none of which may bring a warning.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "hone/expr.h"
#include "hone/strbuf.h"
#include "hone_test.h"

static const char *const names[] = {"A", "N", "X", "P"};
static const struct hone_expr_c_var vars[] = {{.type = HONE_INT, .text = "config->A"},
                                              {.type = HONE_INT, .text = "N"},
                                              {.type = HONE_FLOAT, .text = "config->X"},
                                              {.type = HONE_BOOL, .text = "config->P"}};
enum { VARS = sizeof vars / sizeof *vars };

static const char *const ints[] = {"A",
                                   "N",
                                   "0",
                                   "3",
                                   "-3",
                                   "8",
                                   "2147483647",
                                   "2147483648",
                                   "-2147483649",
                                   "4611686018427387904",
                                   "0x8000000000000000",
                                   "(N & 4)",
                                   "(A | 8)",
                                   "(2 ~ 8)",
                                   "(N ~ N)",
                                   "(N << 70)",
                                   "(N // 0)",
                                   "(N % 0)",
                                   "(9223372036854775807 + 1)",
                                   "(A + 0)",
                                   "(P and 3 or 3)",
                                   "(A and N)",
                                   "ceil_div(A, 0)"};
static const char *const others[] = {
    "P",       "true",     "(not P)",          "(A == A)",
    "(N < 3)", "(P == P)", "(\"a\" == \"a\")", "(A == \"x\")"};
static const char *const logic[] = {"and", "or"}, *const bits[] = {"&", "|", "~", "<<"};
static const char *const relations[] = {"==", "~=", "<", "<=", ">", ">="};

#define COUNT(list) (sizeof(list) / sizeof *(list))

static size_t printed;

static void add(struct hone_strbuf *out, const char *text)
{
    struct hone_expr *expr = NULL;
    struct hone_error err = {0};
    struct hone_strbuf c = HONE_STRBUF_INIT;
    enum hone_type type;
    assert_ok(hone_expr_new(&expr, text, &err), err);
    assert_ok(hone_expr_bind(expr, names, VARS, &err), err);
    if (hone_expr_print_c(expr, vars, &c, &type, &err) == HONE_OK) {
        hone_strbuf_printf(out,
                           "static inline int f%zu(const struct config *config, "
                           "long long N)\n{\n    (void)config;\n    (void)N;\n",
                           printed++);
        hone_strbuf_printf(
            out,
            type == HONE_BOOL ? "    if (%s) return 1;\n    return %s;\n}\n"
                              : "    const long long n = %s;\n    return n == (%s);\n}\n",
            c.data, c.data);
    }
    hone_strbuf_fini(&c);
    hone_expr_free(expr);
}

static void add_all(struct hone_strbuf *out, const char *const *list, size_t count,
                    const char *const *operators, size_t operator_count)
{
    char text[200];
    for (size_t a = 0; a < count; a++)
        for (size_t b = 0; b < count; b++)
            for (size_t r = 0; r < operator_count; r++) {
                snprintf(text, sizeof text, "%s %s %s", list[a], operators[r], list[b]);
                add(out, text);
            }
}

// Of a name and two literals that are equal, next to each other or apart.
static void add_pairs(struct hone_strbuf *out)
{
    static const char *const literals[] = {"3", "4", "9"};
    char text[200];
    for (size_t a = 0; a < COUNT(relations); a++)
        for (size_t b = 0; b < COUNT(relations); b++)
            for (size_t k = 0; k < COUNT(literals); k++)
                for (int i = 0; i < 4; i++) {
                    const char *name = i & 1 ? "A" : "N", *op = i & 2 ? "and" : "or";
                    snprintf(text, sizeof text, "%s %s 4 %s %s %s %s", name, relations[a],
                             op, name, relations[b], literals[k]);
                    add(out, text);
                    snprintf(text, sizeof text, "4 %s %s %s (%s %s %s) == P",
                             relations[a], name, op, name, relations[b], literals[k]);
                    add(out, text);
                }
}

static void compile(const char *source)
{
    static const char *const compilers[] = {"gcc -std=c99", "g++ -x c++ -std=c++11",
                                            "clang -std=c99",
                                            "clang++ -x c++ -std=c++20"};
    for (size_t i = 0; i < COUNT(compilers); i++) {
        char command[700];
        snprintf(command, sizeof command,
                 "command -v %.*s >/dev/null || exit 0; %s -fsyntax-only -Wall -Wextra "
                 "-Wpedantic -Werror -Wno-unused-function %s 2>&1 | grep -A2 -m8 error "
                 "&& exit 1 || exit 0",
                 (int)strcspn(compilers[i], " "), compilers[i], compilers[i], source);
        if (system(command) != 0) fail_msg("%s", command);
    }
}

static void no_comparison_brings_a_warning(void **state)
{
    (void)state;
    struct hone_strbuf out = HONE_STRBUF_INIT;
    struct hone_error err = {0};
    char path[300];
    snprintf(path, sizeof path, "%s/scratch-expr-warnings-%ld.c", HONE_BINARY_DIR,
             (long)getpid());
    assert_ok(hone_expr_print_c_helpers(&out, &err), err);
    hone_strbuf_add(&out, "struct config {\n    int A, P;\n    double X;\n};\n");
    add_all(&out, ints, COUNT(ints), relations, COUNT(relations));
    add_all(&out, ints, COUNT(ints), bits, COUNT(bits));
    add_all(&out, others, COUNT(others), relations, COUNT(relations));
    add_all(&out, others, COUNT(others), logic, COUNT(logic));
    add_pairs(&out);
    assert_false(out.failed);
    assert_ok(hone_file_write(path, out.data, out.len, &err), err);
    hone_strbuf_fini(&out);
    compile(path);
    unlink(path);
    printf("%zu expressions\n", printed);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(no_comparison_brings_a_warning),
};

HONE_TEST_MAIN(tests)
