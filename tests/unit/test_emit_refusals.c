/* What no header is made of: the refusals, and journals with damaged first lines. */
#include "emit_fixture.h"

#include "hone/rng.h"

static struct hone_payload payload; // none, unless a case says more

static void refuse(const char *const *lines, size_t count, const char *name, bool accept,
                   enum hone_status status, const char *message)
{
    struct loaded loaded = {0};
    struct hone_error err = {0};
    for (size_t i = 0; i < count; i++)
        loaded.list[loaded.count++] = recording_of(lines[i]);
    struct hone_strbuf out = HONE_STRBUF_INIT;
    struct hone_emit_options options = {
        .name = name, .accept_predicted = accept, .payload = &payload};
    assert_int_equal(hone_emit(&out, loaded.list, loaded.count, &options, &err), status);
    char line[640];
    snprintf(line, sizeof line, "%s:%d: %s", err.source, err.line, err.text);
    if (!strstr(line, message)) fail_msg("%s", line);
    if (count && !name && status)
        assert_true(strstr(err.source, "/j.jsonl") && err.line > 0);
    hone_strbuf_fini(&out);
    unload(&loaded);
}

#define HEAD(kernel, param, more)                                                        \
    "{\"hone\":1,\"kind\":\"journal\",\"kernel\":\"" kernel                              \
    "\",\"params\":[{\"name\":\"" param "\",\"values\":[1,2]}]" more "}\n"
#define TIMED   "{\"config\":[1],\"outcome\":\"valid\",\"time_us\":3}\n"
#define GUESSED "{\"config\":[1],\"outcome\":\"valid\",\"predicted_us\":3}\n"

static const struct {
    const char *journal, *name;
    enum hone_status status;
    const char *message;
} bad_journals[] = {
    {HEAD("k", "X", ""), NULL, HONE_EINPUT,
     "j.jsonl:1: this journal has no trial: there is nothing to emit"},
    {HEAD("k", "X", "") "{\"config\":[1],\"outcome\":\"crashed\"}\n"
                        "{\"config\":[2],\"outcome\":\"build_failed\","
                        "\"reason\":\"t.cu(3): no\"}\n",
     NULL, HONE_EINPUT,
     "j.jsonl:3: none of 2 trials is valid, so that there is nothing to emit; the "
     "last: build_failed: t.cu(3): no"},
    {HEAD("k", "X", "") GUESSED, NULL, HONE_EUSAGE, "--accept-predicted"},
    {HEAD("k<f>", "X", "") TIMED, NULL, HONE_EINPUT,
     "kernel name 'k<f>' cannot be a name in C: give the header another with --name"},
    {HEAD("k", "X", "") TIMED, "a-b", HONE_EUSAGE,
     "header name 'a-b' cannot be a name in C"},
    {HEAD("k", "_X", "") TIMED, NULL, HONE_EINPUT,
     "parameter '_X' cannot be a name in C"},
    {HEAD("k", "X", ",\"problem\":{\"a.b\":1}") TIMED, NULL, HONE_EINPUT,
     "problem 'a.b' cannot be a name in C"},
    {HEAD("k", "X", ",\"problem\":{\"new\":1}") TIMED, NULL, HONE_EINPUT,
     "problem 'new' is a keyword"},
    {HEAD("k", "X", ",\"launch\":{\"grid\":[\"Y\"]}") TIMED, NULL, HONE_EINPUT,
     "j.jsonl:1: grid: 'Y' is no parameter, problem size or derived value of the "
     "journal"},
    {HEAD("k", "X", ",\"launch\":{\"grid\":[\"X\"],\"block\":[\"X + \"]}") TIMED, NULL,
     HONE_EINPUT, "j.jsonl:1: block 'X + ': column 5: expected a value, found the end"},
    {HEAD("k", "X", ",\"launch\":{\"grid\":[\"X\"],\"shared\":\"X .. 1\"}") TIMED, NULL,
     HONE_EINPUT, "j.jsonl:1: shared 'X .. 1': "},
    {HEAD("k", "X", ",\"launch\":{\"grid\":[\"X == 1\"]}") TIMED, NULL, HONE_EINPUT,
     "j.jsonl:1: grid 'X == 1': a launch needs a number here"},
    {HEAD("k", "X", ",\"launch\":{\"grid\":[\"X\"],\"block\":[\"X == 1\"]}") TIMED, NULL,
     HONE_EINPUT, "j.jsonl:1: block 'X == 1': a launch needs a number here"},
    {HEAD("k", "X", ",\"launch\":{\"grid\":[\"X\"],\"shared\":\"'x'\"}") TIMED, NULL,
     HONE_EINPUT, "j.jsonl:1: shared ''x'': a launch needs a number here"},
    {HEAD("k", "X", ",\"launch\":{\"grid\":[\"log2(X)\"]}") TIMED, NULL, HONE_EINPUT,
     "j.jsonl:1: grid 'log2(X)': no C form: "},
    {HEAD("k", "X",
          ",\"launch\":{\"grid\":[\"D\"]},\"derived\":[{\"name\":\"D\","
          "\"text\":\"X +* 2\"}]") TIMED,
     NULL, HONE_EINPUT, "j.jsonl:1: D 'X +* 2': column "},
    {HEAD("k", "X",
          ",\"launch\":{\"grid\":[\"D\"]},\"derived\":[{\"name\":\"D\","
          "\"text\":\"E\"},{\"name\":\"E\",\"text\":\"D\"}]") TIMED,
     NULL, HONE_EINPUT, "derived value 'D' depends on itself"},
    {HEAD("k", "X",
          ",\"launch\":{\"grid\":[\"F\"]},\"derived\":[{\"name\":\"D\","
          "\"text\":\"E\"},{\"name\":\"E\",\"text\":\"D\"},"
          "{\"name\":\"F\",\"text\":\"1 + D\"}]") TIMED,
     NULL, HONE_EINPUT, "depends on itself"},
    {HEAD("k", "X", ",\"launch\":{\"grid\":[\"device.sm_count\"]}") TIMED, NULL,
     HONE_EINPUT, "lacks the device's limits"},
    {"{\"hone\":1,\"kind\":\"journal\",\"kernel\":\"k\",\"params\":[{\"name\":\"X\","
     "\"values\":[1,\"a\"]}]}\n" TIMED,
     NULL, HONE_EINPUT,
     "parameter 'X' has values of types that no C type holds together"},
};

static void bad_single_journals_are_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bad_journals / sizeof *bad_journals; i++)
        refuse(&bad_journals[i].journal, 1, bad_journals[i].name, false,
               bad_journals[i].status, bad_journals[i].message);
}

// As deep as there are derived values, and beyond what expressions of a header mention.
static void chains_of_derived_values_end_in_a_header_or_a_refusal(void **state)
{
    (void)state;
    static const struct {
        int levels;
        enum hone_status status;
        const char *message;
    } cases[] = {
        {4096, HONE_OK, ""},
        {4097, HONE_ELIMIT,
         "derived value 'D4096' is one too many: expressions of a header mention "
         "at most 4096 of them"},
        {100000, HONE_ELIMIT, "derived value 'D4096' is one too many"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct hone_strbuf text = HONE_STRBUF_INIT;
        hone_strbuf_printf(&text,
                           "{\"hone\":1,\"kind\":\"journal\",\"kernel\":\"k\","
                           "\"params\":[{\"name\":\"X\",\"values\":[1,2]}],"
                           "\"launch\":{\"grid\":[\"D%d\"]},\"derived\":["
                           "{\"name\":\"D0\",\"text\":\"X\"}",
                           cases[i].levels - 1);
        for (int d = 1; d < cases[i].levels; d++)
            hone_strbuf_printf(&text, ",{\"name\":\"D%d\",\"text\":\"D%d + D%d\"}", d,
                               d - 1, d - 1);
        hone_strbuf_add(&text, "]}\n" TIMED);
        const char *const journal = text.data;
        refuse(&journal, 1, NULL, false, cases[i].status, cases[i].message);
        hone_strbuf_fini(&text);
    }
}

static void problems_of_many_constants_are_refused(void **state)
{
    (void)state;
    for (int count = 64; count <= 65; count++) {
        struct hone_strbuf text = HONE_STRBUF_INIT;
        hone_strbuf_add(&text,
                        "{\"hone\":1,\"kind\":\"journal\",\"kernel\":\"k\",\"params\":"
                        "[{\"name\":\"X\",\"values\":[1,2]}],\"problem\":{\"N0\":1");
        for (int i = 1; i < count; i++)
            hone_strbuf_printf(&text, ",\"N%d\":1", i);
        hone_strbuf_add(&text, "}}\n" TIMED);
        const char *const journal = text.data;
        refuse(&journal, 1, NULL, false, count == 64 ? HONE_OK : HONE_ELIMIT,
               count == 64 ? ""
                           : "the problem has 65 constants, a header takes at most 64");
        hone_strbuf_fini(&text);
    }
}

static void journals_that_do_not_belong_together_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *journals[2];
        const char *message;
    } cases[] = {
        {{HEAD("k", "X", "") TIMED, HEAD("l", "X", "") TIMED},
         "its kernel is l, elsewhere k"},
        {{HEAD("k", "X", "") TIMED, HEAD("k", "Y", "") TIMED},
         "its parameter is Y, elsewhere X"},
        {{HEAD("k", "X", ",\"clock\":\"cupti\"") TIMED,
          HEAD("k", "X", ",\"clock\":\"event\"") TIMED},
         "its clock is event, elsewhere cupti"},
        {{HEAD("k", "X", ",\"problem\":{\"M\":1}") TIMED, HEAD("k", "X", "") TIMED},
         "its problem is absent, elsewhere M"},
        {{HEAD("k", "X", ",\"template_hash\":\"a\"") TIMED,
          HEAD("k", "X", ",\"template_hash\":\"b\"") TIMED},
         "its template hash is b, elsewhere a"},
        {{HEAD("k", "X", ",\"launch\":{\"grid\":[\"X\"]}") TIMED,
          HEAD("k", "X", "") TIMED},
         "its grid is absent, elsewhere X"},
        {{HEAD("k", "X", ",\"launch\":{\"grid\":[\"X\"],\"cluster\":[\"X\"]}") TIMED,
          HEAD("k", "X", ",\"launch\":{\"grid\":[\"X\"]}") TIMED},
         "its cluster is absent, elsewhere X"},
        {{HEAD("k", "X", ",\"launch\":{\"grid\":[\"X\"]}") TIMED,
          HEAD("k", "X", ",\"launch\":{\"grid\":[\"X\"],\"dependent\":true}") TIMED},
         "its kind of launch is dependent, elsewhere plain"},
        {{HEAD("k", "X", ",\"derived\":[{\"name\":\"D\",\"text\":\"1\"}]") TIMED,
          HEAD("k", "X", "") TIMED},
         "its derived value is absent, elsewhere D"},
        {{HEAD("k", "X", "") TIMED, HEAD("k", "X", "") GUESSED},
         "a header holds one kind"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        refuse(cases[i].journals, 2, NULL, true, HONE_EINPUT, cases[i].message);
    refuse(NULL, 0, NULL, false, HONE_EUSAGE, "no journal to emit from");
}

#define DEFINES(list)                                                                    \
    HEAD("k", "X", ",\"problem\":{\"M\":1,\"N\":2},\"defines\":[" list "]") TIMED

// A compiler takes its macros in any order.
static void journals_of_other_defines_are_refused_whatever_their_order(void **state)
{
    (void)state;
    static const struct {
        const char *journals[2];
        const char *message; /* NULL: they go together */
    } cases[] = {
        {{DEFINES("\"M\",\"N\""), DEFINES("\"N\",\"M\"")}, NULL},
        {{DEFINES("\"M\",\"N\""), DEFINES("\"M\",\"N\",\"M\"")}, NULL},
        {{DEFINES("\"M\",\"N\""), HEAD("k", "X", ",\"problem\":{\"M\":1,\"N\":2}") TIMED},
         NULL},
        {{DEFINES("\"M\",\"N\""), DEFINES("\"N\"")}, "its define is absent, elsewhere M"},
        {{DEFINES("\"M\""), DEFINES("\"N\",\"M\"")}, "its define is N, elsewhere absent"},
        {{DEFINES(""), DEFINES("\"M\"")}, "its define is M, elsewhere absent"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        refuse(cases[i].journals, 2, NULL, false,
               cases[i].message ? HONE_EINPUT : HONE_OK,
               cases[i].message ? cases[i].message : "");
}

#define ARG(more)                                                                        \
    HEAD("k", "X",                                                                       \
         ",\"args\":[{\"kind\":\"input\",\"name\":\"A\",\"dtype\":\"f32\"," more "}]")   \
    TIMED
#define MAP(box)                                                                         \
    "\"size\":\"64\",\"tensor_map\":{\"axes\":[{\"size\":\"64\",\"box\":\"" box "\"}]}"

// Without a payload a header launches nothing, and says nothing of arguments.
static void a_payload_is_of_one_list_of_arguments(void **state)
{
    (void)state;
    static const struct {
        const char *journals[2];
        const char *message;
    } cases[] = {
        {{ARG("\"size\":\"64\""), HEAD("k", "X", "") TIMED},
         "its argument is absent, elsewhere input A f32 [64]"},
        {{ARG("\"size\":\"64\""), ARG("\"size\":\"32\"")},
         "its argument is input A f32 [32], elsewhere input A f32 [64]"},
        {{ARG(MAP("16")), ARG(MAP("32"))}, "as a tensor map of 64/32/packed"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        payload = (struct hone_payload){.kind = HONE_PAYLOAD_SOURCE};
        refuse(cases[i].journals, 2, NULL, false, HONE_EINPUT, cases[i].message);
        payload.kind = HONE_PAYLOAD_NONE;
        refuse(cases[i].journals, 2, NULL, false, HONE_OK, "");
    }
}

static void journals_that_contradict_each_other_are_refused(void **state)
{
    (void)state;
    static const char *const journals[] = {
        HEAD("k", "X", "") "{\"config\":[2],\"outcome\":\"valid\",\"time_us\":9}\n" TIMED,
        HEAD("k", "X", "") "{\"config\":[1],\"outcome\":\"wrong_result\"}\n"
                           "{\"config\":[2],\"outcome\":\"valid\",\"time_us\":9}\n"};
    struct loaded loaded = {0};
    for (size_t i = 0; i < 2; i++) {
        char path[64];
        struct hone_recording *recording = NULL;
        struct hone_error err = {0};
        snprintf(path, sizeof path, "%s/%c.jsonl", folder, (char)('a' + i));
        assert_ok(hone_file_write(path, journals[i], strlen(journals[i]), &err), err);
        assert_ok(hone_recording_load(&recording, path, &err), err);
        loaded.list[loaded.count++] = recording;
        unlink(path);
    }
    struct hone_strbuf out = HONE_STRBUF_INIT;
    struct hone_error err = {0};
    struct hone_emit_options options = {0};
    assert_int_equal(hone_emit(&out, loaded.list, 2, &options, &err), HONE_EINPUT);
    assert_non_null(strstr(err.source, "b.jsonl"));
    assert_int_equal(err.line, 2);
    assert_non_null(strstr(err.text, "wrong_result, but '"));
    assert_non_null(
        strstr(err.text, "a.jsonl' has this configuration as its best in line 3"));
    hone_strbuf_fini(&out);
    unload(&loaded);
}

/* Replace a few characters of the first line by ones that stand elsewhere in it. */
static void mutate(char *text, size_t header, struct hone_rng *rng)
{
    for (uint64_t n = 1 + hone_rng_below(rng, 3); n; n--)
        text[hone_rng_below(rng, header)] = text[hone_rng_below(rng, header)];
}

static void damaged_first_lines_give_a_header_or_a_refusal(void **state)
{
    (void)state;
    char *text = NULL, path[64];
    struct hone_error err = {0};
    struct hone_rng rng;
    size_t size = 0, emitted = 0, refused = 0;
    hone_rng_seed(&rng, 9);
    snprintf(path, sizeof path, "%s/j.jsonl", folder);
    assert_ok(hone_file_read(&text, &size, GOLDEN "sgemm_h200.jsonl", &err), err);
    size_t header = strcspn(text, "\n");
    char *copy = malloc(size);
    for (int round = 0; round < 5000; round++) {
        memcpy(copy, text, size);
        mutate(copy, header, &rng);
        FILE *file = fopen(path, "wb");
        assert_non_null(file);
        assert_int_equal(fwrite(copy, 1, size, file), size);
        fclose(file);
        struct hone_recording *recording = NULL;
        if (hone_recording_load(&recording, path, NULL) != HONE_OK) continue;
        const struct hone_recording *const list[] = {recording};
        struct hone_strbuf out = HONE_STRBUF_INIT;
        struct hone_emit_options options = {.accept_predicted = true};
        err = (struct hone_error){0};
        enum hone_status status = hone_emit(&out, list, 1, &options, &err);
        assert_true(status == HONE_OK || err.text[0] != '\0');
        assert_true(status != HONE_ENOMEM && status != HONE_EIO);
        status == HONE_OK ? emitted++ : refused++;
        hone_strbuf_fini(&out);
        hone_recording_free(recording);
    }
    unlink(path);
    assert_true(emitted > 50 && refused > 50);
    free(copy);
    free(text);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(bad_single_journals_are_refused),
    cmocka_unit_test(chains_of_derived_values_end_in_a_header_or_a_refusal),
    cmocka_unit_test(problems_of_many_constants_are_refused),
    cmocka_unit_test(journals_that_do_not_belong_together_are_refused),
    cmocka_unit_test(journals_of_other_defines_are_refused_whatever_their_order),
    cmocka_unit_test(a_payload_is_of_one_list_of_arguments),
    cmocka_unit_test(journals_that_contradict_each_other_are_refused),
    cmocka_unit_test(damaged_first_lines_give_a_header_or_a_refusal),
};
HONE_TEST_MAIN_WITH(tests, make_folder, remove_folder)
