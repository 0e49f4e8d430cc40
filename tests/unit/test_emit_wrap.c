/* Long lines of a header are broken so that their meaning stays. */
#include "hone_test.h"

#include <string.h>

#include "hone/rng.h"
#include "hone/strbuf.h"
#include "wrap.h"

static void expect(const char *text, const char *wrapped)
{
    struct hone_strbuf out = HONE_STRBUF_INIT;
    hone_emit_wrap(&out, text);
    assert_string_equal(out.data, wrapped);
    hone_strbuf_fini(&out);
}

#define TEN   "aaaaaaaaa "
#define FIFTY TEN TEN TEN TEN TEN

static void comments_break_at_blanks(void **state)
{
    (void)state;
    expect("/* " FIFTY "bbbbbbbbb " FIFTY "\n */\n",
           "/* " FIFTY "bbbbbbbbb " TEN TEN "aaaaaaaaa\n *     " TEN "aaaaaaaaa \n */\n");
    expect("/* a\n *   " FIFTY FIFTY "end\n */\n",
           "/* a\n *   " FIFTY TEN TEN TEN "aaaaaaaaa\n *     " TEN "end\n */\n");
    expect("/*\n * " FIFTY TEN TEN TEN "a = 1, " TEN "= 222222\n */\n",
           "/*\n * " FIFTY TEN TEN TEN "a = 1,\n *     " TEN "= 222222\n */\n");
}

// A bracket that a text has, alone or ahead of its fellow, ends no wrapping.
static void only_an_index_of_a_comment_stays_whole(void **state)
{
    (void)state;
    expect("/* T = \"a[b\", " FIFTY TEN TEN TEN TEN "end\n */\n",
           "/* T = \"a[b\", " FIFTY TEN TEN "aaaaaaaaa\n *     " TEN "end\n */\n");
    expect("/* T = \"]\", " FIFTY TEN TEN "f[config - configs] end\n */\n",
           "/* T = \"]\", " FIFTY TEN "aaaaaaaaa\n *     f[config - configs] end\n */\n");
    expect("/* [0 " FIFTY FIFTY "1], end\n */\n",
           "/* [0 " FIFTY TEN TEN TEN "aaaaaaaaa\n *     " TEN "1], end\n */\n");
}

static void code_breaks_in_the_fewest_brackets(void **state)
{
    (void)state;
    expect("    if (f(aaaaaaaaaaaaaaaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbbbbbbbb) && "
           "g(cccccccccccccccccccccccccccc, ddddddddd)) return;\n",
           "    if (f(aaaaaaaaaaaaaaaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbbbbbbbb)\n            "
           "&& g(cccccccccccccccccccccccccccc, ddddddddd)) return;\n");
    expect(
        "static inline int f(const struct some_struct *a, long long bbbbbbbbbbbbbbbbbbb, "
        "long long cccccccccccccccc)\n",
        "static inline int f(const struct some_struct *a, long long bbbbbbbbbbbbbbbbbbb,"
        "\n    long long cccccccccccccccc)\n");
}

static void texts_become_two_literals(void **state)
{
    (void)state;
    expect("    \"-DA=1 -DB=2 \\\" -DC=3 " FIFTY FIFTY "\",\n",
           "    \"-DA=1 -DB=2 \\\" -DC=3 " FIFTY TEN TEN "\"\n            \"" TEN TEN TEN
           "\",\n");
}

static void macros_go_on_behind_a_backslash(void **state)
{
    (void)state;
    expect("#define A_DEFINES \"" FIFTY FIFTY "\"\n",
           "#define A_DEFINES \"" FIFTY TEN TEN "\" \\\n    \"" TEN TEN TEN "\"\n");
}

static void a_long_word_stays_whole(void **state)
{
    (void)state;
    static const char text[] =
        " * "
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n";
    expect(text, text);
}

/* --- any code --- */

static const char *const words[] = {
    "a",
    "bb",
    "config->BM",
    "(",
    ")",
    "{",
    "}",
    "f(x, y)",
    "\"t\"",
    "+",
    "*",
    "&&",
    "\"a b c d\"",
    "?",
    ":",
    "'\\''",
    "'\"'",
    "-1,",
    "64LL,",
    "\"\\\\\"",
    "x;",
    "=",
    "hhhhhhhhhhhhhhh",
    "<=",
    "\"-DX=1 -DYYYYYYYYYYYYYYYYYYYYYYYYYYYYYY=2 -DZ=\\\"3\\\" and so on\","};

static void add_random(struct hone_strbuf *out, struct hone_rng *rng)
{
    const size_t count = 1 + (size_t)hone_rng_below(rng, 40);
    for (size_t i = 0; i < count; i++)
        hone_strbuf_printf(out, "%s%s",
                           !i                       ? "    "
                           : hone_rng_below(rng, 2) ? ", "
                                                    : " + ",
                           words[hone_rng_below(rng, sizeof words / sizeof *words)]);
    hone_strbuf_add(out, "\n");
}

// Blanks outside of literals and the seam between two literals mean nothing.
static void squeeze(struct hone_strbuf *out, const char *text)
{
    char quote = 0;
    for (const char *p = text; *p; p++) {
        if (!quote && (*p == ' ' || *p == '\n')) continue;
        hone_strbuf_add_bytes(out, p, 1);
        if (quote && *p == '\\')
            hone_strbuf_add_bytes(out, ++p, 1);
        else if (quote && *p == quote)
            quote = 0;
        else if (!quote && (*p == '"' || *p == '\''))
            quote = *p;
        if (!quote && out->len > 1 && p[0] == '"') {
            const char *next = p + 1 + strspn(p + 1, " \n");
            if (*next == '"') {
                out->data[--out->len] = '\0';
                quote = '"';
                p = next;
            }
        }
    }
}

static size_t longest_line(const char *text)
{
    size_t longest = 0;
    for (; *text; text += strcspn(text, "\n") + 1)
        if (strcspn(text, "\n") > longest) longest = strcspn(text, "\n");
    return longest;
}

static void any_code_keeps_its_meaning(void **state)
{
    (void)state;
    enum { ROUNDS = 20000 };
    struct hone_rng rng;
    hone_rng_seed(&rng, 7);
    for (int round = 0; round < ROUNDS; round++) {
        struct hone_strbuf text = HONE_STRBUF_INIT, out = HONE_STRBUF_INIT;
        struct hone_strbuf before = HONE_STRBUF_INIT, after = HONE_STRBUF_INIT;
        add_random(&text, &rng);
        hone_emit_wrap(&out, text.data);
        squeeze(&before, text.data);
        squeeze(&after, out.data);
        assert_string_equal(before.data, after.data);
        assert_true(longest_line(out.data) <= EMIT_COLUMNS);
        hone_strbuf_fini(&text);
        hone_strbuf_fini(&out);
        hone_strbuf_fini(&before);
        hone_strbuf_fini(&after);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(comments_break_at_blanks),
    cmocka_unit_test(only_an_index_of_a_comment_stays_whole),
    cmocka_unit_test(code_breaks_in_the_fewest_brackets),
    cmocka_unit_test(texts_become_two_literals),
    cmocka_unit_test(macros_go_on_behind_a_backslash),
    cmocka_unit_test(a_long_word_stays_whole),
    cmocka_unit_test(any_code_keeps_its_meaning),
};
HONE_TEST_MAIN(tests)
