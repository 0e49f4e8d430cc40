/* The first comment of a header claims no more than its journals say. */
#include "emit_fixture.h"

#define HEAD(more, m)                                                                    \
    "{\"hone\":1,\"kind\":\"journal\",\"kernel\":\"k\",\"params\":[{\"name\":\"X\","     \
    "\"values\":[1,2]}],\"problem\":{\"M\":" m "}" more "}\n"
#define ROW(x, more) "{\"config\":[" x "],\"outcome\":\"valid\",\"time_us\":" x more "}\n"

#define SECOND(more) "{\"config\":[2],\"outcome\":\"valid\",\"time_us\":1" more "}\n"

enum { JOURNALS_MOST = 8 };

/* A header of these journals, up to a NULL; its lines of comments joined. */
static char *comment_of(const char *const *journals)
{
    const struct hone_emit_options options = {.max_configs = 1, .accept_predicted = true};
    struct hone_recording *recordings[JOURNALS_MOST] = {NULL};
    const struct hone_recording *list[JOURNALS_MOST] = {NULL};
    struct hone_strbuf out = HONE_STRBUF_INIT;
    struct hone_error err = {0};
    size_t count = 0;
    for (; journals[count]; count++)
        list[count] = recordings[count] = recording_of(journals[count]);
    assert_ok(hone_emit(&out, list, count, &options, &err), err);
    for (size_t i = 0; i < count; i++)
        hone_recording_free(recordings[i]);
    char *text = hone_strbuf_steal(&out), *to = text;
    for (const char *from = text; *from; from++)
        if (strncmp(from, "\n *     ", 8) == 0) {
            *to++ = ' ';
            from += 7;
        } else
            *to++ = *from;
    *to = '\0';
    return text;
}

#define NOT_HERE "results not verified at this size ("
#define LOOK     "a look at the results of every row"

/* What is missing is what the rows say that they lack. */
static void a_row_that_was_not_compared_is_missing(void **state)
{
    (void)state;
    static const struct {
        const char *journals[MOST];
        const char *row;
        bool missing;
    } cases[] = {
        {{HEAD("", "1") ROW("1", ",\"compared\":\"reference\"")},
         "results at this size: equal to the reference's",
         false},
        {{HEAD("", "1") ROW("1", ",\"compared\":\"majority\"")},
         "results at this size: as the majority has them",
         false},
        {{HEAD("", "1") ROW("1", ",\"compared\":\"no: it takes too long\"")},
         NOT_HERE "it takes too long)",
         true},
        {{HEAD("", "1") ROW("1", "")}, NULL, true},
        // of equal times the one that was compared
        {{HEAD("", "1") ROW("1", "") SECOND(",\"compared\":\"reference\"")},
         "results at this size: equal to the reference's",
         false},
        // a word of a later version, of the best and of one that is not
        {{HEAD("", "1") ROW("1", ",\"compared\":\"oracle\"")}, NULL, true},
        {{HEAD("", "1") ROW("1", ",\"compared\":\"oracle\""),
          HEAD("", "2") "{\"config\":[2],\"outcome\":\"valid\",\"time_us\":0.5,"
                        "\"compared\":\"oracle\"}\n" ROW("1", "")},
         NULL,
         true},
        {{HEAD("", "1") ROW("1", ",\"compared\":\"oracle\""),
          HEAD("", "2") "{\"config\":[2],\"outcome\":\"valid\",\"time_us\":0.5,"
                        "\"compared\":\"reference\"}\n" ROW("1",
                                                            ",\"compared\":\"oracle\"")},
         NULL,
         true},
        // one configuration for both, of which the second has a better one
        {{HEAD("", "1") ROW("1", ",\"compared\":\"reference\""),
          HEAD("", "2") "{\"config\":[2],\"outcome\":\"valid\",\"time_us\":0.5,"
                        "\"compared\":\"reference\"}\n" ROW("1", "")},
         NOT_HERE "it was not the best)",
         true},
        // one configuration for both, and another was as fast and compared
        {{HEAD("", "1") ROW("1", "") SECOND(",\"compared\":\"reference\""),
          HEAD("", "2") ROW("1", ",\"compared\":\"reference\"")},
         NOT_HERE "those of another, as fast, were)",
         true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = comment_of(cases[i].journals);
        if (cases[i].row && !strstr(text, cases[i].row)) fail_msg("%zu: %s", i, text);
        assert_int_equal(strstr(text, NOT_HERE) != NULL,
                         cases[i].row && cases[i].missing);
        assert_int_equal(strstr(text, LOOK) != NULL, cases[i].missing);
        free(text);
    }
}

#define VERIFIED(how)  ",\"verified\":\"" how "\""
#define JUDGED(how, m) HEAD(VERIFIED(how), m) ROW("1", "")

/* The words after "built, and " in the header of these journals begin so. */
static void expect_valid(const char *const *journals, const char *words)
{
    char *text = comment_of(journals);
    const char *valid = strstr(text, " * Valid: built, and ");
    assert_non_null(valid);
    valid += strlen(" * Valid: built, and ");
    if (strncmp(valid, words, strlen(words)) != 0 || valid[strlen(words)] != '\n')
        fail_msg("not '%s' but '%.160s'", words, valid);
    free(text);
}

/* Whatever the journals looked at: every set of the four, as rows and in one row. */
static void valid_is_what_every_journal_looked_at(void **state)
{
    (void)state;
    enum { KINDS = 4, SETS = 1 << KINDS };
    static const char *const kinds[KINDS][2] = {
        {HEAD("", "1") ROW("1", ""), HEAD("", "2") ROW("1", "")},
        {JUDGED("no", "1"), JUDGED("no", "2")},
        {JUDGED("no reference", "1"), JUDGED("no reference", "2")},
        {JUDGED("reference", "1"), JUDGED("reference", "2")},
    };
#define NONE_SAYS "run; no journal says that results were equal to a reference's."
#define SOME_SAY  "run; only some journals say that results were equal to a reference's."
    static const char *const words[SETS] = {
        [1] = "run; whether results were verified, no journal recorded.",
        [2] = "run; results were not verified (--no-verify).",
        [1 | 2] = NONE_SAYS,
        [4] = "run at its verify sizes; values were not judged, as there was no "
              "reference.",
        [1 | 4] = NONE_SAYS,
        [2 | 4] = NONE_SAYS,
        [1 | 2 | 4] = NONE_SAYS,
        [8] = "equal to the reference, within the script's tolerance, at its verify "
              "sizes.",
        [1 | 8] = "run; whether results were verified, some journals did not record.",
        [2 | 8] = "run; results of some journals were not verified (--no-verify).",
        [1 | 2 | 8] = SOME_SAY,
        [4 | 8] = "run at its verify sizes; values of some journals were not judged, as "
                  "there was no reference.",
        [1 | 4 | 8] = SOME_SAY,
        [2 | 4 | 8] = SOME_SAY,
        [1 | 2 | 4 | 8] = SOME_SAY,
    };
    for (unsigned set = 1; set < SETS; set++)
        for (size_t rows = 1; rows <= 2; rows++) {
            const char *journals[KINDS + 1] = {NULL};
            size_t count = 0;
            for (size_t i = 0; i < KINDS; i++)
                if (set >> i & 1) {
                    journals[count] = kinds[i][count % rows];
                    count++;
                }
            expect_valid(journals, words[set]);
        }
    static const char *const later[] = {JUDGED("by a later version", "1"), NULL};
    expect_valid(later, words[1]);
}

#define AT_TUNED " at the tuned size"

static void valid_names_the_place_that_all_were_run_at(void **state)
{
    (void)state;
    static const struct {
        const char *journals[MOST];
        const char *words;
    } cases[] = {
        {{JUDGED("reference" AT_TUNED, "1")},
         "equal to the reference, within the script's tolerance, at the tuned size."},
        {{JUDGED("no reference" AT_TUNED, "1")},
         "run at the tuned size; values were not judged, as there was no reference."},
        {{JUDGED("reference", "1"), JUDGED("reference" AT_TUNED, "2")},
         "equal to the reference, within the script's tolerance, at its verify sizes or "
         "the tuned size."},
        {{JUDGED("no reference" AT_TUNED, "1"), JUDGED("reference" AT_TUNED, "2")},
         "run at the tuned size; values of some journals were not judged, as there was "
         "no reference."},
        {{JUDGED("no", "1"), JUDGED("reference" AT_TUNED, "1")},
         "run; results of some journals were not verified (--no-verify)."},
        {{JUDGED("no", "1"), JUDGED("no reference" AT_TUNED, "1")},
         "run; no journal says that results were equal to a reference's."},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect_valid(cases[i].journals, cases[i].words);
}

#define LIMITS                                                                           \
    ",\"device\":{\"name\":\"A\",\"limits\":{\"arch\":\"sm_80\",\"cc_major\":8,"         \
    "\"sm_count\":108,\"max_shared_bytes\":166912}}"
#define GRID         ",\"launch\":{\"grid\":[\"M\"],\"block\":[\"64\"]}"
#define LAUNCH(more) ",\"launch\":{\"grid\":[\"M\"],\"block\":[\"64\"]" more "}"
#define ARG(kind, name, more)                                                            \
    "{\"kind\":\"" kind "\",\"name\":\"" name                                            \
    "\",\"dtype\":\"f32\",\"size\":\"64\"" more "}"
#define WHERE(text) ",\"where\":[\"" text "\"]"

/* What a journal holds more, and what the header then says. */
static const struct {
    const char *more, *text;
} of_functions[] = {
    {LIMITS GRID, "may run on a problem it was not measured on. */"},
    {LIMITS GRID WHERE("1 < 2 or M < 9"), // it always holds: there is no check
     "may run on a problem it was not measured on. */"},
    {LIMITS GRID WHERE("X <= device.sm_count"), "may run on a GPU and problem it was"},
    {LIMITS GRID, "0 is unknown. */"},
    {LIMITS WHERE("X <= device.sm_count and X < device.warp_size"),
     "0 is unknown, and 0 to\n * constraints and launches that read it: "
     "sm_count, warp_size. */"},
    {LIMITS WHERE("X * 60000 <= device.max_shared_bytes"),
     "/* Limits from the table; of other architectures as set below, else the "
     "table's least. */\nstatic inline k_gpu k_gpu_of("},
    {LIMITS WHERE("X * M * M > 0"), "/* As in Lua 5.4: integers wrap. */"},
    {LIMITS WHERE("M // (X * M) < 9"),
     "/* As in Lua 5.4: integers wrap, // and % round down; 0 where Lua raises an "
     "error. */"},
    {LIMITS GRID, "/* Limits from the table; max_shared_bytes, for which nothing "
                  "asks, is 0 elsewhere. */\nstatic inline k_gpu k_gpu_of("},
    {LIMITS LAUNCH(""), "; k_grid, k_block, k_shared_bytes its launch. "},
    {LIMITS LAUNCH(",\"cluster\":[\"2\"]"),
     "; k_grid, k_block, k_cluster, k_shared_bytes its launch. "},
    {LIMITS LAUNCH(",\"cooperative\":true"), "its launch, a cooperative one. "},
    {LIMITS LAUNCH(",\"dependent\":true"),
     "its launch, by programmatic stream serialization. "},
    {LIMITS GRID
     ",\"entry\":\"k\",\"args\":[" ARG("input", "A",
                                       ",\"tensor_map\":{\"axes\":[{\"size\":\"64\","
                                       "\"box\":\"8\"}]}") "," ARG("input", "B", "") "]",
     "/* The kernel, by its arguments and their elements: "
     "k(input f32 tensor map A[64], f32 B[64]). */\n"},
    {LIMITS GRID
     ",\"entry\":\"k\",\"args\":[" ARG("input", "A",
                                       ",\"tensor_map\":{\"axes\":[{\"size\":\"64\","
                                       "\"box\":\"8\"}]}") "]",
     " * Tensor maps of A: nothing is selected but for sizes of 1 to 2^32, strides "
     "that "
     "are multiples of 16 bytes below 2^40, "},
    {LIMITS GRID ",\"entry\":\"k\",\"args\":[{\"kind\":\"inout\",\"name\":\"n\","
                 "\"dtype\":\"u32\",\"size\":\"X > 1 and 1 * M + (4 < 3 and 1 or 0) "
                 "or max(2, (M + 1) * X)\",\"fill\":\"zero\"},{\"kind\":\"scalar\","
                 "\"name\":\"M\",\"dtype\":\"i32\",\"size\":\"M\"},{\"kind\":"
                 "\"scalar\",\"name\":\"ld\",\"dtype\":\"i32\",\"size\":\"M // 2 - "
                 "(M - 1)\"},{\"kind\":\"scalar\",\"name\":\"s\",\"dtype\":\"f32\","
                 "\"size\":\"2.5\"}]",
     "k(inout u32 n[X > 1 ? M : max(2, (M + 1) * X)] (0 before each launch), "
     "scalar i32 M, ld = M / 2 - (M - 1), f32 s). */\n"},
    // the script's words, where C's operators say something else
    {LIMITS GRID ",\"derived\":[{\"name\":\"B\",\"text\":\"M > 4\"}],\"entry\":"
                 "\"k\",\"args\":[{\"kind\":\"scalar\",\"name\":\"a\",\"dtype\":"
                 "\"i32\",\"size\":\"not M and 1 or 2\"},{\"kind\":\"scalar\","
                 "\"name\":\"b\",\"dtype\":\"i32\",\"size\":\"B and M or 5\"},{"
                 "\"kind\":\"scalar\",\"name\":\"c\",\"dtype\":\"i32\",\"size\":"
                 "\"B == (M - 3) and M or M % (M - 5) and 2\"}]",
     "k(scalar i32 a = not M and 1 or 2, b = B ? M : 5, "
     "c = B == (M - 3) and M or M % (M - 5) and 2). */\n"},
    {LIMITS GRID WHERE("device.cc_major >= 8 and M < 1000000"),
     " * No configuration on compute capability 7.0, 7.5; elsewhere for M huge "
     "(tried: "},
    {LIMITS GRID WHERE("M < 2 or device.cc_major >= 9"),
     " * No configuration in some cases for M huge (tried: "},
    {LIMITS ",\"space_count\":7", "1 evaluated, 1 of them valid, of 7 in the space\n"},
};

/* Comments name what the functions below them take, read and call. */
static void comments_are_of_what_stands_there(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof of_functions / sizeof *of_functions; i++) {
        char journal[1024];
        snprintf(
            journal, sizeof journal, "%s%s%s",
            "{\"hone\":1,\"kind\":\"journal\",\"kernel\":\"k\",\"params\":[{\"name\":"
            "\"X\",\"values\":[1,2]}],\"problem\":{\"M\":1}",
            of_functions[i].more, "}\n" ROW("1", ""));
        const char *const journals[] = {journal, NULL};
        char *text = comment_of(journals);
        if (!strstr(text, of_functions[i].text))
            fail_msg("no '%s' in %s", of_functions[i].text, text);
        free(text);
    }
}

/* Who judged, at which sizes: the emulator, those that were drawn. */
static void valid_says_who_judged_and_where(void **state)
{
    (void)state;
#define DRAWN(sizes) VERIFIED("reference") ",\"drawn_sizes\":[" sizes "]"
#define EMULATED     "{\"config\":[1],\"outcome\":\"valid\",\"predicted_us\":1}\n"
    static const struct {
        const char *journal, *text;
    } cases[] = {
        {HEAD(DRAWN("{\"M\":5},{\"M\":70}"), "1") EMULATED,
         " * Valid: emulated, and equal to the reference, within the script's tolerance, "
         "at "
         "its verify sizes; 2 of them drawn: M=5; M=70.\n"},
        {HEAD(DRAWN("{\"M\":5},{\"M\":70},{\"M\":9},{\"M\":1}"), "1") ROW("1", ""),
         " * Valid: built, and equal to the reference, within the script's tolerance, at "
         "its verify sizes; 4 of them drawn, as M=5; M=70; M=9.\n"},
        {HEAD(VERIFIED("no"), "1") EMULATED, " * Valid: emulated, and run; results"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = comment_of((const char *const[]){cases[i].journal, NULL});
        if (!strstr(text, cases[i].text)) fail_msg("no '%s' in %s", cases[i].text, text);
        free(text);
    }
}

/* The seed of each journal draws: what is not of all of them is not shown. */
static void drawn_sizes_are_shown_where_all_journals_drew_them(void **state)
{
    (void)state;
#define DREW(m, sizes) HEAD(DRAWN(sizes), m) ROW("1", "")
#define DREW_NONE(m)   HEAD(VERIFIED("reference"), m) ROW("1", "")
#define SHOWN          "; 2 of them drawn: M=5; M=70.\n"
#define EACH           "; some of them drawn by each journal's seed.\n"
#define SOME           "; some of them drawn by some journals' seeds.\n"
    static const struct {
        const char *journals[MOST];
        const char *text;
    } cases[] = {
        {{DREW("1", "{\"M\":5},{\"M\":70}"), DREW("2", "{\"M\":5},{\"M\":70}")}, SHOWN},
        {{DREW("1", "{\"M\":5},{\"M\":70}"), DREW("2", "{\"M\":5},{\"M\":71}")}, EACH},
        {{DREW("1", "{\"M\":5},{\"M\":70}"), DREW("1", "{\"M\":6},{\"M\":70}")}, EACH},
        {{DREW("1", "{\"M\":5},{\"M\":70}"), DREW("2", "{\"M\":5}")}, EACH},
        {{DREW("1", "{\"M\":5}"), DREW_NONE("2")}, SOME},
        {{DREW_NONE("1"), DREW("2", "{\"M\":5}")}, SOME},
        {{DREW_NONE("1"), DREW_NONE("2")}, "at its verify sizes.\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = comment_of(cases[i].journals);
        if (!strstr(text, cases[i].text)) fail_msg("no '%s' in %s", cases[i].text, text);
        free(text);
    }
}

/* A GPU that has one for another size, and a size that another GPU or base has one for,
 * are not said to lack everything. */
static void a_gap_of_some_sizes_or_gpus_is_told_as_that(void **state)
{
    (void)state;
#define AT(m, where) HEAD(LIMITS GRID WHERE(where), m) ROW("1", "")
    static const struct {
        const char *journals[MOST];
        const char *text;
    } cases[] = {
        {{AT("8", "M % 2 == 0 or device.cc_major >= 8")},
         " * No configuration in some cases for M odd, M tiny (tried: "},
        {{AT("8", "M < 10 or device.cc_major >= 9"),
          AT("16", "M < 10 or device.cc_major >= 9")},
         " * No configuration in some cases for tuned sizes, M odd, M huge (tried: "},
        {{AT("8", "M < 10"), AT("16", "M < 10")},
         " * No configuration for M huge; in some cases for tuned sizes, M odd (tried: "},
        {{AT("8", "M < 8 or device.cc_major >= 9")}, // 7 is served everywhere
         " * No configuration in some cases for tuned sizes, M huge (tried: "},
        {{AT("8", "M % 2 == 0 and device.cc_major >= 8")},
         " * No configuration on compute capability 7.0, 7.5; elsewhere for M odd, M "
         "tiny "
         "(tried: "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = comment_of(cases[i].journals);
        if (!strstr(text, cases[i].text)) fail_msg("no '%s' in %s", cases[i].text, text);
        free(text);
    }
}

/* Of two sizes that share a configuration, one has a better one: what is told of the row
 * is of the shared one, as nobody gets the other. */
static void figures_are_of_the_configuration_that_serves(void **state)
{
    (void)state;
#define TIMES(one, two)                                                                  \
    "{\"config\":[1],\"outcome\":\"valid\",\"time_us\":" one "}\n"                       \
    "{\"config\":[2],\"outcome\":\"valid\",\"time_us\":" two "}\n"
#define BETTER "\n *   0.7 % over the best, 1 us, whose configuration is not kept\n"
#define KEPT_1 TIMES("1.007", "1"), TIMES("1", "2")
#define TIE    TIMES("1", "1"), TIMES("2", "1") // no regret, but another's default
    static const struct {
        const char *first, *second, *defaults, *text;
    } cases[] = {
        {KEPT_1, ",\"default\":[1]", " *   1.007 us; is the author's default" BETTER},
        {KEPT_1, ",\"default\":[2]",
         " *   1.007 us; 0.993 times as fast as the author's default" BETTER},
        {KEPT_1, "", " *   1.007 us" BETTER},
        {TIE, ",\"default\":[1]",
         " *   1 us; 1.000 times as fast as the author's default\n"},
        {TIE, ",\"default\":[2]", " *   1 us; is the author's default\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char first[600], second[600];
        snprintf(first, sizeof first, HEAD("%s", "1") "%s", cases[i].defaults,
                 cases[i].first);
        snprintf(second, sizeof second, HEAD("%s", "2") "%s", cases[i].defaults,
                 cases[i].second);
        char *text = comment_of((const char *const[]){first, second, NULL});
        if (!strstr(text, cases[i].text)) fail_msg("no '%s' in %s", cases[i].text, text);
        free(text);
    }
}

/* An interval of two regrets says nothing: each is told. */
static void few_problems_have_no_interval(void **state)
{
    (void)state;
    enum { LINE = 400 };
    for (size_t count = 2; count <= 7; count++) {
        char lines[7][LINE];
        const char *journals[JOURNALS_MOST] = {NULL};
        for (size_t i = 0; i < count; i++) {
            snprintf(lines[i], LINE, HEAD("", "%zu") TIMES("%g", "1"), (size_t)1 << i,
                     i % 2 ? 1.5 : 0.5);
            journals[i] = lines[i];
        }
        char *text = comment_of(journals);
        const char *few = "regret of that where one problem is left out: ";
        assert_int_equal(!strstr(text, "95 % interval"), count < 6);
        assert_int_equal(!strstr(text, few), count >= 6);
        if (count == 2)
            assert_non_null(strstr(text, "left out: 100.0 %, 50.0 %; too few"));
        free(text);
    }
}

/* What has no C form lets nothing through, whatever stands beside it and always holds. */
static void constraints_without_a_form_stay(void **state)
{
    (void)state;
#define HOLDS    "\"1 < 2 or M < 9\""
#define LOG      "\"log2(M) < 5\""
#define FUNCTION "[\"M\",\"X\"]"
    static const struct {
        const char *where, *name;
    } cases[] = {
        {LOG, "log2(M) < 5"},
        {HOLDS "," LOG, "log2(M) < 5"},
        {LOG "," HOLDS, "log2(M) < 5"},
        {FUNCTION, "a Lua function of M, X"},
        {HOLDS "," FUNCTION, "a Lua function of M, X"},
        {FUNCTION "," HOLDS, "a Lua function of M, X"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char where[128], journal[1024];
        snprintf(where, sizeof where, ",\"where\":[%s]", cases[i].where);
        snprintf(journal, sizeof journal, HEAD("%s%s", "1") "%s", LIMITS GRID, where,
                 ROW("1", ""));
        const char *const journals[] = {journal, NULL};
        char *text = comment_of(journals);
        const char *why = strstr(text, "a constraint has no C form: ");
        if (!why || !strstr(why, cases[i].name))
            fail_msg("%s: '%s' is not named", cases[i].where, cases[i].name);
        if (!strstr(text, "    return 0; /* see the first lines */"))
            fail_msg("%s: something is let through", cases[i].where);
        free(text);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(valid_is_what_every_journal_looked_at),
    cmocka_unit_test(valid_names_the_place_that_all_were_run_at),
    cmocka_unit_test(comments_are_of_what_stands_there),
    cmocka_unit_test(a_gap_of_some_sizes_or_gpus_is_told_as_that),
    cmocka_unit_test(constraints_without_a_form_stay),
    cmocka_unit_test(figures_are_of_the_configuration_that_serves),
    cmocka_unit_test(few_problems_have_no_interval),
    cmocka_unit_test(valid_says_who_judged_and_where),
    cmocka_unit_test(drawn_sizes_are_shown_where_all_journals_drew_them),
    cmocka_unit_test(a_row_that_was_not_compared_is_missing),
};

HONE_TEST_MAIN_WITH(tests, make_folder, remove_folder)
