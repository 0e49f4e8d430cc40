/* Headers of the kernels that come with Hone at the ends of their arguments: nothing is
 * undefined there, and what they choose and compute is what the tuner does. */
#include "emit_asker.h"

#include <regex.h>

#include "base/ascii.h"
#include "hone/device.h"
#include "hone/rng.h"
#include "tuning/provenance.h"
#include "tuning/workbench.h"

enum { SAMPLES = 6 };

// A journal of the kernel as the tuner begins it, with configurations drawn from its
// space; nothing is built.
static struct loaded draw(const char *script)
{
    static const struct hone_evaluate_options none = {.flags = HONE_EVALUATE_NO_VERIFY};
    struct hone_workbench bench = {0};
    struct hone_arena arena = {0};
    struct hone_limits limits;
    struct hone_error err = {0};
    struct hone_record_info info;
    struct hone_journal *journal = NULL;
    struct hone_recording *recording = NULL;
    struct hone_rng rng;
    uint64_t indices[SAMPLES];
    uint16_t choices[64];
    char path[80];
    const struct hone_script_options options = {.limits = &limits};
    hone_rng_seed(&rng, 5);
    assert_ok(hone_device_limits(&limits, "emu:h200", &err), err);
    assert_ok(hone_workbench_open(&bench, script, &options, &err), err);
    assert_ok(hone_workbench_make_kernel(&bench, &err), err);
    const struct hone_facts facts = {.limits = &bench.limits};
    assert_ok(hone_provenance(&info, &arena, &bench, &facts, &none, &err), err);
    snprintf(path, sizeof path, "%s/j.jsonl", folder);
    assert_ok(hone_journal_create(&journal, path, &info, 0, &err), err);
    const size_t drawn = hone_space_sample(bench.space, &rng, indices, SAMPLES);
    assert_true(drawn > 0 && hone_space_param_count(bench.space) <= 64);
    for (size_t i = 0; i < drawn; i++) {
        struct hone_trial trial = hone_trial_make(indices[i], HONE_VALID);
        trial.predicted_us = (double)(1 + i);
        hone_space_choices(bench.space, indices[i], choices);
        assert_ok(hone_journal_append(journal, &trial, choices, &err), err);
    }
    assert_ok(hone_journal_close(journal, &err), err);
    assert_ok(hone_recording_load(&recording, path, &err), err);
    unlink(path);
    hone_workbench_close(&bench);
    hone_arena_fini(&arena);
    return (struct loaded){.list = {recording}, .count = 1};
}

static const char *const kernels[] = {"attention",
                                      "attention_decode",
                                      "attention_sm90",
                                      "convolution",
                                      "gemm_batched",
                                      "gemm_grouped",
                                      "gemm_grouped_sm90",
                                      "gemm_mma",
                                      "gemm_sm90",
                                      "gemm_w4a16",
                                      "gemm_w4a16_sm90",
                                      "layernorm",
                                      "mla_decode",
                                      "nbody",
                                      "reduction",
                                      "rmsnorm",
                                      "sgemm",
                                      "softmax",
                                      "stencil",
                                      "transpose",
                                      "w4_shuffle"};
enum { KERNELS = sizeof kernels / sizeof *kernels };

static struct loaded draw_kernel(size_t i)
{
    char script[512];
    snprintf(script, sizeof script, HONE_SOURCE_DIR "/kernels/%s.lua", kernels[i]);
    return draw(script);
}

static void headers_of_the_kernels_are_as_the_tuner_says(void **state)
{
    (void)state;
    size_t queries = 0, served = 0;
    if (system("g++ --version >/dev/null 2>&1") != 0) SKIP("no g++ here");
    for (size_t i = 0; i < KERNELS; i++) {
        const size_t before = served;
        ask(draw_kernel(i), &queries, &served);
        if (served == before) fail_msg("%s serves nothing", kernels[i]);
    }
    print_message("%zu selections, %zu of them served\n", queries, served);
}

/* --- what never runs --- */

// Comments and the insides of texts are blanks.
static void keep_code(char *text)
{
    for (char *at = text; *at; at++) {
        const bool is_comment = at[0] == '/' && at[1] == '*';
        char *end = is_comment ? strstr(at, "*/") : at;
        if (*at == '"')
            for (end = at + 1; *end != '"'; end++)
                end += *end == '\\';
        else if (!is_comment)
            continue;
        const char *from = at;
        for (at = end; from < end; from++)
            text[from - text] = ' ';
    }
}

// Lines that go on are one, with one blank.
static void join_code(char *text)
{
    char *to = text;
    for (const char *from = text; *from; from++) {
        const bool is_blank = *from == ' ' || *from == '\n';
        if (is_blank && to > text && to[-1] == ' ') continue;
        *to++ = is_blank ? ' ' : *from;
    }
    *to = '\0';
}

#define BEFORE "([^=!<>]= |\\(|\\|\\| |&& |return )"
#define NUMBER "\\(*-?[0-9]+\\)*"
#define LOGIC  "(\\|\\||&&)"

// A condition that is a number, or has one for an operand; two numbers compared.
static const char *find_constant_condition(const char *code)
{
    static const char *const patterns[] = {
        "!\\(*[0-9]+[^0-9.x]", "if \\(" NUMBER "\\)",
        LOGIC " " NUMBER "( " LOGIC "|\\)|;)", BEFORE NUMBER " (" LOGIC "|\\?) ",
        BEFORE NUMBER " ([<>]=?|[!=]=) -?[0-9]+[^0-9.]"};
    const char *found = NULL;
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns && !found; i++) {
        regex_t regex;
        regmatch_t match;
        assert_int_equal(regcomp(&regex, patterns[i], REG_EXTENDED), 0);
        if (regexec(&regex, code, 1, &match, 0) == 0) found = code + match.rm_so;
        regfree(&regex);
    }
    return found;
}

// What one "return 0" of a function asks, another does not: operands of "||" that are not
// in brackets. NULL: each asks something else; fits becomes pieces.
static const char *find_asked_twice(char *fits)
{
    enum { ASKED_MOST = 200 };
    const char *asked[ASKED_MOST];
    size_t count = 0;
    for (char *at = fits; (at = strstr(at, " if ("));) {
        int depth = 1;
        asked[count++] = at += strlen(" if (");
        for (; depth; at++) {
            depth += (*at == '(') - (*at == ')');
            if (depth == 1 && strncmp(at, " || ", 4) == 0) {
                *at = '\0';
                asked[count++] = at + 4;
            }
            assert_true(count < ASKED_MOST && *at != ';');
        }
        at[-1] = '\0';
        at++;
    }
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < i; k++)
            if (strcmp(asked[i], asked[k]) == 0) return asked[i];
    return NULL;
}

// Every table asks whether a configuration fits; macros and headers of no row do not.
static void asks_nothing_twice(const char *name, char *code, bool is_table)
{
    char *fits = strstr(code, "_fits(int number"),
         *end = fits ? strstr(fits, " } ") : NULL;
    if (!end != !is_table) fail_msg("%s: %s", name, end ? "it asks" : "it asks nothing");
    if (!end) return;
    *end = '\0';
    const char *twice = find_asked_twice(fits);
    if (twice) fail_msg("%s asks '%s' twice", name, twice);
}

static size_t count_word(const char *code, const char *word, size_t length)
{
    size_t count = 0;
    for (const char *at = code; (at = strstr(at, word)); at += length)
        count += !hone_is_alnum(at[length]) && at[length] != '_';
    return count;
}

// A function that a user need not call and nothing calls.
static bool find_idle_function(char word[static 128], const char *code)
{
    static const char *const faces[] = {"_select", "_select_for", "_gpu_of", "_grid",
                                        "_block",  "_cluster",    "_bytes"};
    for (const char *at = code; (at = strstr(at, "static inline "));) {
        at += strlen("static inline ");
        const char *end = strchr(at, '('), *begin = end;
        while (hone_is_alnum(begin[-1]) || begin[-1] == '_')
            begin--;
        snprintf(word, 128, "%.*s", (int)(end - begin), begin);
        size_t face = strlen(word); // a name that stands twice has a "_" behind
        while (face && word[face - 1] == '_')
            face--;
        bool is_face = false;
        for (size_t i = 0; i < sizeof faces / sizeof *faces && !is_face; i++)
            is_face = face > strlen(faces[i]) && strncmp(word + face - strlen(faces[i]),
                                                         faces[i], strlen(faces[i])) == 0;
        if (!is_face && count_word(code, word, strlen(word)) < 2) return true;
    }
    return false;
}

static void check_text(const char *name, char *text, bool is_table)
{
    char idle[128];
    keep_code(text);
    join_code(text);
    const char *constant = find_constant_condition(text);
    if (constant) fail_msg("%s has '%.60s'", name, constant);
    if (find_idle_function(idle, text)) fail_msg("%s does not call %s", name, idle);
    asks_nothing_twice(name, text, is_table);
}

static void headers_of_the_goldens_have_no_dead_code(void **state)
{
    (void)state;
    static const char *const goldens[] = {"odd", "plain", "sgemm", "sgemm_emu"};
    for (size_t i = 0; i < sizeof goldens / sizeof *goldens; i++) {
        char path[512];
        struct hone_error err = {0};
        char *text = NULL;
        size_t size;
        snprintf(path, sizeof path, HONE_SOURCE_DIR "/tests/golden/%s.h", goldens[i]);
        assert_ok(hone_file_read(&text, &size, path, &err), err);
        check_text(goldens[i], text, true);
        free(text);
    }
}

/* What these tests look for is seen. */
static void dead_code_is_seen(void **state)
{
    (void)state;
    static const char *const dead[] = {
        "if (!1) return 0;",  "if (1) return 0;",      "if (a < 3 || 0) return 0;",
        "x = 1 && (a < 3);",  "return 4 < 5 ? a : b;", "if (a || (1)) return 0;",
        "if (!(0)) return 0;"};
    static const char *const live[] = {"if (!a0 || M % 8 != 0) return 0;",
                                       "x = M == 4096 && N == 1 ? 1 : 0;",
                                       "if (cc >= 90 || a > 10 || M - 3 < 4) return 0;"};
    const struct {
        const char *const *list;
        size_t count;
    } both[] = {{dead, sizeof dead / sizeof *dead}, {live, sizeof live / sizeof *live}};
    for (size_t b = 0; b < 2; b++)
        for (size_t i = 0; i < both[b].count; i++)
            if ((find_constant_condition(both[b].list[i]) != NULL) != (b == 0))
                fail_msg("%s", both[b].list[i]);
}

static void what_is_asked_twice_is_seen(void **state)
{
    (void)state;
    static const struct {
        const char *body, *twice;
    } cases[] = {
        {" if (M < 0 || N < 0 || M < 0) return 0;", "M < 0"},
        {" if (M % 4 != 0) return 0; if (N < 0 || M % 4 != 0) return 0;", "M % 4 != 0"},
        {" if (M < 0 && (N < 0 || M < 0)) return 0; if (N < 0) return 0;", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[256];
        snprintf(text, sizeof text, "int k_fits(int number, long long M) {%s return 1;",
                 cases[i].body);
        const char *twice = find_asked_twice(text);
        if (!twice != !cases[i].twice || (twice && strcmp(twice, cases[i].twice) != 0))
            fail_msg("case %zu: %s", i, twice ? twice : "none");
    }
}

static void an_idle_function_is_seen(void **state)
{
    (void)state;
#define LG   "static inline int k_lg(int a) { return a; } "
#define CALL "static inline int k_select(int a) { return k_lg(a); } "
    char idle[128];
    assert_true(find_idle_function(idle, LG CALL "static inline int k_lg_(int a) {} "));
    assert_string_equal(idle, "k_lg_");
    assert_true(find_idle_function(idle, LG "static inline int k_bytes(int a) {} "));
    assert_string_equal(idle, "k_lg");
    assert_false(find_idle_function(idle, LG CALL));
}

static void headers_of_the_kernels_have_no_dead_code(void **state)
{
    (void)state;
    static const enum hone_emit_shape shapes[] = {HONE_SHAPE_TABLE, HONE_SHAPE_RUNTIME,
                                                  HONE_SHAPE_MACROS};
    for (size_t i = 0; i < KERNELS; i++) {
        struct loaded loaded = draw_kernel(i);
        for (size_t s = 0; s < 3; s++) {
            const struct hone_emit_options options = {.shape = shapes[s],
                                                      .accept_predicted = true};
            struct hone_strbuf text = HONE_STRBUF_INIT;
            struct hone_error err = {0};
            char name[64];
            snprintf(name, sizeof name, "%s%zu", kernels[i], s);
            assert_ok(hone_emit(&text, loaded.list, loaded.count, &options, &err), err);
            check_text(name, text.data, shapes[s] != HONE_SHAPE_MACROS);
            hone_strbuf_fini(&text);
        }
        unload(&loaded);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(headers_of_the_kernels_are_as_the_tuner_says),
    cmocka_unit_test(dead_code_is_seen),
    cmocka_unit_test(what_is_asked_twice_is_seen),
    cmocka_unit_test(an_idle_function_is_seen),
    cmocka_unit_test(headers_of_the_goldens_have_no_dead_code),
    cmocka_unit_test(headers_of_the_kernels_have_no_dead_code),
};
HONE_TEST_MAIN_WITH(tests, make_folder, remove_folder)
