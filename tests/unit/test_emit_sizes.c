/* Sizes as journals spell them, and as C has them: 2 and 2.0 are one size of a header,
 * and each row is found by its own. */
#include <math.h>
#include <string.h>

#include "dispatch.h"
#include "emit_fixture.h"
#include "hone/rng.h"

enum { JOURNALS = 16, ROUNDS = 8, NAMES = 3 };

/* Journal i of a kernel, P = i + 1, tuned for problem a, b, t. */
struct spelled {
    const char *a, *b, *t;
};

static struct hone_recording *record(const struct spelled *at, int best)
{
    struct hone_strbuf text = HONE_STRBUF_INIT;
    hone_strbuf_add(&text, "{\"hone\": 1, \"kind\": \"journal\", \"kernel\": \"mix\", "
                           "\"params\": [{\"name\": \"P\", \"values\": [1");
    for (int p = 2; p <= JOURNALS; p++)
        hone_strbuf_printf(&text, ", %d", p);
    hone_strbuf_printf(&text, "]}], \"problem\": {\"a\": %s, \"b\": %s, \"t\": \"%s\"}, ",
                       at->a, at->b, at->t);
    hone_strbuf_add(&text, "\"device\": {\"name\": \"G\", \"limits\": {\"name\": \"G\", "
                           "\"arch\": \"sm_90a\", \"cc_major\": 9, \"cc_minor\": 0, "
                           "\"sm_count\": 132, \"warp_size\": 32, "
                           "\"max_threads_per_block\": 1024, "
                           "\"max_shared_bytes\": 232448}}}\n");
    for (int p = 1; p <= JOURNALS; p++)
        hone_strbuf_printf(
            &text, "{\"config\": [%d], \"outcome\": \"valid\", \"time_us\": %d}\n", p,
            p == best ? 1 : 10);
    struct hone_recording *recording = recording_of(text.data);
    hone_strbuf_fini(&text);
    return recording;
}

static bool is_float(const char *text)
{
    return strchr(text, '.') != NULL;
}

static bool same_number(const char *x, const char *y, bool as_float)
{
    return as_float ? strtod(x, NULL) == strtod(y, NULL)
                    : strtoll(x, NULL, 10) == strtoll(y, NULL, 10);
}

/* The first journal of the same size in C has the row: all are as fast, and its P is
 * least. */
static int expected_of(const struct spelled *all, int count, int of)
{
    bool float_a = false, float_b = false;
    for (int i = 0; i < count; i++) {
        float_a |= is_float(all[i].a);
        float_b |= is_float(all[i].b);
    }
    int first = 0;
    while (!same_number(all[first].a, all[of].a, float_a) ||
           !same_number(all[first].b, all[of].b, float_b) ||
           strcmp(all[first].t, all[of].t) != 0)
        first++;
    return first;
}

static struct hone_value number_of(const char *text)
{
    return is_float(text)
               ? (struct hone_value){.type = HONE_FLOAT, .f = strtod(text, NULL)}
               : (struct hone_value){.type = HONE_INT, .i = strtoll(text, NULL, 10)};
}

/* The tuner's own choice, asked as the journal spells the size. */
static void expect_of_tuner(const struct emit_plan *plan, const struct spelled *at, int p)
{
    const struct hone_value problem[NAMES] = {
        number_of(at->a), number_of(at->b), {.type = HONE_STRING, .s = at->t}};
    const struct hone_limits gpu = hone_emit_gpu_of(plan, 9, 0, 132);
    enum emit_tier tier;
    const size_t config = hone_emit_dispatch(plan, &gpu, problem, &tier);
    assert_int_equal(tier, EMIT_EXACT);
    assert_int_equal(hone_emit_value_of(&plan->configs[config], 0).i, p);
}

static void add_ask(struct hone_strbuf *program, const struct spelled *at, int p)
{
    hone_strbuf_printf(program,
                       "    config = mix_select(9, 0, 132, %s, %s, \"%s\", &tier);\n"
                       "    if (!config || tier != MIX_EXACT || config->P != %d) {\n"
                       "        printf(\"%%d %%d for %s %s %s, not %d\\n\", tier,\n"
                       "               config ? config->P : -1);\n"
                       "        failed = 1;\n    }\n",
                       at->a, at->b, at->t, p, at->a, at->b, at->t, p);
}

static void run_program(const struct hone_strbuf *header, const char *asks)
{
    char command[256];
    struct hone_strbuf program = HONE_STRBUF_INIT;
    hone_strbuf_printf(&program,
                       "#include \"mix.h\"\n#include <stdio.h>\nint main(void)\n{\n"
                       "    const mix_config *config;\n    int tier, failed = 0;\n%s"
                       "    return failed;\n}\n",
                       asks);
    write_file("mix.h", header->data);
    write_file("p.c", program.data);
    snprintf(command, sizeof command,
             "cd %s && gcc -std=c99 -Wall -Wextra -Werror p.c -o p && ./p && "
             "rm p p.c mix.h",
             folder);
    assert_int_equal(system(command), 0);
    hone_strbuf_fini(&program);
}

static void emit_reversed(struct hone_strbuf *out,
                          const struct hone_recording *const *list, size_t count,
                          const struct hone_emit_options *options)
{
    const struct hone_recording *reversed[JOURNALS];
    struct hone_error err = {0};
    for (size_t i = 0; i < count; i++)
        reversed[i] = list[count - 1 - i];
    assert_ok(hone_emit(out, reversed, count, options, &err), err);
}

/* Each journal's size selects, in the header and in the tuner, the row that C's
 * comparison makes its own, and there is one row a size. */
static void expect_own_rows(const struct spelled *all, int count)
{
    const struct hone_recording *list[JOURNALS];
    const struct hone_emit_options options = {.max_configs = JOURNALS};
    struct hone_strbuf out = HONE_STRBUF_INIT, again = HONE_STRBUF_INIT;
    struct hone_strbuf asks = HONE_STRBUF_INIT;
    struct hone_error err = {0};
    struct emit_plan plan = {.geometry = HONE_STRBUF_INIT, .err = &err};
    size_t rows = 0;
    for (int i = 0; i < count; i++)
        list[i] = record(&all[i], i + 1);
    assert_ok(hone_emit(&out, list, (size_t)count, &options, &err), err);
    emit_reversed(&again, list, (size_t)count, &options);
    assert_string_equal(out.data, again.data);
    assert_ok(hone_emit_make_plan(&plan, list, (size_t)count, &options), err);
    for (int i = 0; i < count; i++) {
        const int p = expected_of(all, count, i) + 1;
        rows += p == i + 1;
        expect_of_tuner(&plan, &all[i], p);
        add_ask(&asks, &all[i], p);
    }
    assert_int_equal(plan.row_count, rows);
    run_program(&out, asks.data);
    hone_emit_plan_fini(&plan);
    for (int i = 0; i < count; i++)
        hone_recording_free((struct hone_recording *)(uintptr_t)list[i]);
    hone_strbuf_fini(&asks);
    hone_strbuf_fini(&again);
    hone_strbuf_fini(&out);
}

static void rows_of_integers_and_floats_are_found_by_their_own_size(void **state)
{
    (void)state;
    static const struct spelled all[] = {{"2", "5.5", "x"},
                                         {"2.0", "3.5", "x"},
                                         {"2", "1.5", "x"},
                                         {"2.0", "9.5", "y"},
                                         {"2.0", "7.5", "x"}};
    static const struct spelled one[] = {
        {"2", "1", "x"}, {"2.0", "1", "y"}, {"2.0", "1", "x"}};
    if (system("gcc --version >/dev/null 2>&1") != 0) SKIP("no gcc here");
    expect_own_rows(all, sizeof all / sizeof *all);
    expect_own_rows(one, sizeof one / sizeof *one);
}

/* Integers that no double holds are apart in a column of integers, and one in a column of
 * floats. */
static void any_mixture_of_numbers_is_found(void **state)
{
    (void)state;
    static const char *const pool[] = {"9007199254740993",
                                       "9007199254740992",
                                       "-9007199254740993",
                                       "2",
                                       "3",
                                       "0",
                                       "-1",
                                       "9223372036854775807",
                                       "2.0",
                                       "9007199254740992.0",
                                       "-0.0",
                                       "0.0",
                                       "5.5",
                                       "-1.0"};
    enum { INTEGERS = 8, ALL = sizeof pool / sizeof *pool };
    struct hone_rng rng;
    if (system("gcc --version >/dev/null 2>&1") != 0) SKIP("no gcc here");
    hone_rng_seed(&rng, 16);
    for (int round = 0; round < ROUNDS; round++) {
        struct spelled all[JOURNALS];
        for (int i = 0; i < JOURNALS; i++)
            all[i] = (struct spelled){
                pool[hone_rng_below(&rng, round % 2 ? INTEGERS : ALL)],
                pool[hone_rng_below(&rng, round % 4 > 1 ? INTEGERS : ALL)],
                i % 2 ? "x" : "y"};
        expect_own_rows(all, JOURNALS);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(rows_of_integers_and_floats_are_found_by_their_own_size),
    cmocka_unit_test(any_mixture_of_numbers_is_found),
};
HONE_TEST_MAIN_WITH(tests, make_folder, remove_folder)
