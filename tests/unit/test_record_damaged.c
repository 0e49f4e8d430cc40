/* Journals that are not as they should be: torn, damaged, begun, of full disks. */
#include "record_fixture.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "hone/rng.h"
#include "hone/strbuf.h"

static void existing_file_is_never_overwritten(void **state)
{
    (void)state;
    write_text("mine", 4);
    struct hone_error err = {0};
    struct hone_journal *journal = NULL;
    struct hone_record_info info = small_info();
    assert_int_equal(hone_journal_create(&journal, path, &info, 0, &err), HONE_EUSAGE);
    assert_null(journal);
    assert_non_null(strstr(err.text, "never overwritten"));
    assert_non_null(strstr(err.text, path));
    char *text = contents();
    assert_string_equal(text, "mine");
    free(text);
}

// RLIMIT_FSIZE makes write() stop in mid-line just as a full disk does.
static void full_disk_leaves_whole_lines(void **state)
{
    (void)state;
    struct rlimit old, small = {0};
    getrlimit(RLIMIT_FSIZE, &old);
    signal(SIGXFSZ, SIG_IGN);
    for (unsigned flags = 0; flags <= HONE_JOURNAL_SYNC; flags++) {
        struct hone_error err = {0};
        struct hone_journal *journal = NULL;
        struct hone_record_info info = small_info();
        assert_ok(hone_journal_create(&journal, path, &info, flags, &err), err);
        struct stat file;
        assert_int_equal(stat(path, &file), 0);
        small = (struct rlimit){(rlim_t)file.st_size + 250, old.rlim_max};
        setrlimit(RLIMIT_FSIZE, &small);
        enum hone_status status = HONE_OK;
        for (size_t i = 0; i < 4 && !status; i++) {
            struct hone_trial trial = small_trial(i);
            status = hone_journal_append(journal, &trial, choices_of[i], &err);
        }
        struct hone_error later = {0};
        enum hone_status closed = hone_journal_close(journal, &later);
        setrlimit(RLIMIT_FSIZE, &old);
        assert_int_equal(flags ? status : closed, HONE_EIO);
        const char *message = flags ? err.text : later.text;
        assert_non_null(strstr(message, path));
        assert_non_null(strstr(message, "File too large"));
        struct hone_recording *recording = load();
        assert_int_equal(hone_recording_count(recording), 2);
        assert_string_equal(hone_recording_notice(recording), "");
        hone_recording_free(recording);
        unlink(path);
    }
    signal(SIGXFSZ, SIG_DFL);
}

static void file_cut_anywhere_keeps_its_whole_lines(void **state)
{
    (void)state;
    write_small(3, 0);
    char *text = contents();
    size_t size = strlen(text), header = strcspn(text, "\n") + 1;
    for (size_t cut = header; cut <= size; cut++) {
        size_t whole = 0, from = header;
        for (size_t i = header; i < cut; i++)
            if (text[i] == '\n') {
                whole++;
                from = i + 1;
            }
        bool complete =
            cut < size && text[cut] == '\n' && cut > from; // only its newline lacks
        bool torn = cut > from && !complete;
        write_text(text, cut);
        struct hone_recording *recording = load();
        assert_int_equal(hone_recording_count(recording), whole + complete);
        const char *notice = hone_recording_notice(recording);
        assert_int_equal(strstr(notice, "torn and was dropped") != NULL, torn);
        hone_recording_free(recording);
    }
    free(text);
}

static void last_of_repeated_lines_counts(void **state)
{
    (void)state;
    struct hone_error err = {0};
    struct hone_journal *journal = NULL;
    struct hone_record_info info = small_info();
    static const size_t order[] = {0, 1, 2, 0, 3, 1, 0};
    assert_ok(hone_journal_create(&journal, path, &info, 0, &err), err);
    for (size_t i = 0; i < 7; i++) {
        struct hone_trial trial = small_trial(0);
        trial.time_us = (double)(i + 1);
        assert_ok(hone_journal_append(journal, &trial, choices_of[order[i]], &err), err);
    }
    assert_ok(hone_journal_close(journal, &err), err);
    struct hone_recording *recording = load();
    assert_int_equal(hone_recording_count(recording), 4);
    static const double times[] = {3, 5, 6, 7};
    for (size_t i = 0; i < 4; i++)
        assert_true(hone_recording_trial(recording, i)->time_us == times[i]);
    assert_string_equal(hone_recording_notice(recording),
                        "3 repeated configurations: the last line counts");
    hone_recording_free(recording);
}

// A configuration is begun until its trial is there, or the run left it.
static void what_is_begun_and_has_no_trial_is_known(void **state)
{
    (void)state;
    struct hone_error err = {0};
    struct hone_journal *journal = NULL;
    struct hone_record_info info = small_info();
    const struct hone_trial trial = small_trial(0);
    assert_ok(hone_journal_create(&journal, path, &info, HONE_JOURNAL_SYNC, &err), err);
    for (size_t i = 0; i < 4; i++)
        assert_ok(hone_journal_begin(journal, choices_of[i], false, &err), err);
    assert_ok(hone_journal_append(journal, &trial, choices_of[1], &err), err);
    assert_ok(hone_journal_begin(journal, choices_of[2], false, &err), err);
    assert_ok(hone_journal_begin(journal, choices_of[3], true, &err), err);
    assert_ok(hone_journal_close(journal, &err), err);
    struct hone_recording *recording = load();
    assert_int_equal(hone_recording_count(recording), 1);
    assert_int_equal(hone_recording_begun_count(recording), 2);
    static const size_t left[] = {0, 2};
    for (uint32_t i = 0; i < 2; i++) {
        const struct hone_begun *begun = hone_recording_begun(recording, i);
        assert_int_equal(begun->times, i + 1);
        assert_memory_equal(begun->choices, choices_of[left[i]],
                            info.param_count * sizeof(uint16_t));
    }
    hone_recording_free(recording);
}

// Begun, over by its trial, begun again: it stands where it was begun last.
static void many_that_are_begun_stay_in_their_order(void **state)
{
    (void)state;
    enum { ROWS = 100 };
    struct hone_strbuf text = HONE_STRBUF_INIT;
    hone_strbuf_add(&text, "{\"hone\":1,\"kind\":\"journal\",\"kernel\":\"k\",\"params\":"
                           "[{\"name\":\"X\",\"values\":[0");
    for (int i = 1; i < ROWS; i++)
        hone_strbuf_printf(&text, ",%d", i);
    hone_strbuf_add(&text, "]}]}\n");
    for (int i = 0; i < ROWS; i++)
        hone_strbuf_printf(&text, "{\"begun\":[%d]}\n", i);
    for (int i = 0; i < ROWS; i += 2)
        hone_strbuf_printf(&text, "{\"config\":[%d],\"outcome\":\"crashed\"}\n", i);
    hone_strbuf_add(&text, "{\"begun\":[50]}\n{\"left\":[50]}\n{\"left\":[50]}\n"
                           "{\"begun\":[8]}\n{\"begun\":[8]}\n{\"begun\":[7]}\n");
    write_text(text.data, text.len);
    struct hone_recording *recording = load();
    assert_int_equal(hone_recording_begun_count(recording), ROWS / 2 + 1);
    for (size_t i = 0; i < ROWS / 2; i++) {
        const struct hone_begun *begun = hone_recording_begun(recording, i);
        assert_int_equal(begun->choices[0], 2 * i + 1);
        assert_int_equal(begun->times, begun->choices[0] == 7 ? 2 : 1);
    }
    const struct hone_begun *last = hone_recording_begun(recording, ROWS / 2);
    assert_int_equal(last->choices[0], 8);
    assert_int_equal(last->times, 2);
    hone_recording_free(recording);
    hone_strbuf_fini(&text);
}

#define HEADER                                                                           \
    "{\"hone\":1,\"kind\":\"journal\",\"kernel\":\"k\",\"params\":[{\"name\":\"X\","     \
    "\"values\":[1,2.5]}]}\n"
#define ARGS(arg)                                                                        \
    "{\"hone\":1,\"kind\":\"journal\",\"kernel\":\"k\",\"params\":[{\"name\":\"X\","     \
    "\"values\":[1]}],\"args\":[" arg "]}\n"
#define LIMITED(limits)                                                                  \
    "{\"hone\":1,\"kind\":\"journal\",\"kernel\":\"k\",\"params\":[{\"name\":\"X\","     \
    "\"values\":[1]}],\"device\":{\"limits\":{" limits "}}}\n"
#define CAPABILITY "'limits' must be of a compute capability of 0.0 to 99.9"
#define MAPPED(axes)                                                                     \
    ARGS("{\"kind\":\"input\",\"name\":\"A\",\"size\":\"1\",\"tensor_map\":{"            \
         "\"axes\":" axes "}}")
#define GOOD "{\"config\":[1.0],\"outcome\":\"valid\",\"time_us\":3,\"colour\":\"red\"}\n"

struct bad_file {
    const char *text;
    int line;
    const char *message;
};

static void refuse_all(const struct bad_file *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct hone_recording *recording = NULL;
        struct hone_error err = {0};
        write_text(cases[i].text, strlen(cases[i].text));
        assert_int_equal(hone_recording_load(&recording, path, &err), HONE_EINPUT);
        assert_null(recording);
        assert_string_equal(err.text, cases[i].message);
        assert_int_equal(err.line, cases[i].line);
        assert_string_equal(err.source, path);
    }
}

static void an_argument_has_kind_name_and_size(void **state)
{
    (void)state;
    static const char message[] =
        "'args' must be a list of arguments with kind, name and size";
    static const struct bad_file cases[] = {
        {ARGS("{\"name\":\"A\",\"size\":\"1\"}"), 1, message},
        {ARGS("{\"kind\":\"input\",\"size\":\"1\"}"), 1, message},
        {ARGS("{\"kind\":\"input\",\"name\":\"A\"}"), 1, message},
        {ARGS("7"), 1, message},
    };
    refuse_all(cases, sizeof cases / sizeof *cases);
}

static const struct bad_file bad_files[] = {
    {"", 1, "not a hone journal: empty file"},
    {"hello\n", 1, "not a hone journal: '[' or '{' expected near 'hello'"},
    {"/* Tuned. Emitted by hone 0.1.0 (form 3): do not edit.\n", 1,
     "not a hone journal: it is a header that hone emitted"},
    {"[1]\n", 1, "not a hone journal: the first line is no JSON object"},
    {"{\"a\":1}\n", 1, "not a hone journal: the first line has no \"hone\" version"},
    {"{\"hone\":2,\"kind\":\"journal\"}\n", 1,
     "journal version 2, this program reads version 1"},
    {"{\"hone\":1,\"kind\":\"samples\"}\n", 1, "not a journal: its kind is 'samples'"},
    {"{\"hone\":1,\"kind\":\"journal\"}\n", 1, "'kernel' must be the kernel's name"},
    {"{\"hone\":1,\"kind\":\"journal\",\"kernel\":\"k\"}\n", 1,
     "'params' must be a list of parameters, at least one"},
    {"{\"hone\":1,\"kind\":\"journal\",\"kernel\":\"k\",\"params\":[{\"name\":\"X\"}]"
     "}\n",
     1, "'X' must be a parameter with 1 to 65535 values"},
    {"{\"hone\":1,\"kind\":\"journal\",\"kernel\":\"k\",\"params\":[{\"name\":\"X\","
     "\"values\":[1,1.0]}]}\n",
     1, "parameter 'X' has the value 1 twice"},
    {"{\"hone\":1,\"kind\":\"journal\",\"kernel\":\"k\",\"params\":[{\"name\":\"a-"
     "b\","
     "\"values\":[1]}]}\n",
     1, "the name of parameter 'a-b' is not an identifier"},
    {LIMITED("\"cc_major\":100"), 1, CAPABILITY},
    {LIMITED("\"cc_major\":-1"), 1, CAPABILITY},
    {LIMITED("\"cc_major\":9223372036854775807"), 1, CAPABILITY},
    {LIMITED("\"cc_major\":9,\"cc_minor\":10"), 1, CAPABILITY},
    {LIMITED("\"cc_minor\":-1"), 1, CAPABILITY},
    {MAPPED("[]"), 1, "'axes' must be a list of 1 to 5 axes"},
    {MAPPED("[{},{},{},{},{},{}]"), 1, "'axes' must be a list of 1 to 5 axes"},
    {MAPPED("[{\"size\":\"N\"}]"), 1,
     "'axes' must be a list of objects with size and box"},
    {MAPPED("[{\"size\":\"N\",\"box\":\"8\"}],\"swizzle\":48"), 1,
     "'swizzle' must be what tensor maps have"},
    {MAPPED("[{\"size\":\"N\",\"box\":\"8\"}],\"promotion\":-64"), 1,
     "'promotion' must be what tensor maps have"},
    {HEADER "{}\n" GOOD, 2, "the line has no 'config'"},
    {HEADER GOOD "{\"config\":[1,2],\"outcome\":\"valid\"}\n", 3,
     "'config' has 2 values, the journal 1 parameters"},
    {HEADER "{\"config\":[7],\"outcome\":\"valid\"}\n", 2,
     "7 is no value of parameter 'X'"},
    {HEADER "{\"config\":[true],\"outcome\":\"valid\"}\n", 2,
     "true is no value of parameter 'X'"},
    {HEADER "{\"config\":[1]}\n", 2, "the trial has no 'outcome'"},
    {HEADER "{\"config\":[1],\"outcome\":\"fine\"}\n", 2, "unknown outcome 'fine'"},
    {HEADER "{\"config\":[1],\"outcome\":\"valid\"}\n", 2,
     "a valid trial must have 'time_us' or 'predicted_us'"},
    {HEADER "{\"config\":[1],\"outcome\":\"valid\",\"cost\":3}\n", 2,
     "a valid trial must have 'time_us' or 'predicted_us'"},
    {HEADER "{\"config\":[1],\"outcome\":\"valid\",\"time_us\":0.0}\n", 2,
     "'time_us' must be a number above 0"},
    {HEADER "{\"config\":[1],\"outcome\":\"valid\",\"time_us\":5,"
            "\"final\":{\"rank\":0,\"ratio\":1}}\n",
     2, "'final' needs a rank from 1 and a ratio above 0"},
    {HEADER "{\"config\":[1],\"outcome\":\"valid\",\"time_us\":5,"
            "\"final\":{\"rank\":1,\"ratio\":1,\"kind\":\"sustained\"}}\n",
     2, "a sustained 'final' needs a 'time_us' above 0"},
    {HEADER "{\"config\":[1],\"outcome\":\"valid\",\"time_us\":5,"
            "\"outputs\":\"0123456789abcdeF\"}\n",
     2, "'outputs' must be 16 hexadecimal digits"},
    {HEADER "{\"config\":[1],\"outcome\":\"valid\",\"time_us\":1,\"n\":2.5}\n", 2,
     "'n' must be an integer from 0 to 2147483647"},
    {HEADER "{\"config\":[1],\"outcome\":\"valid\",\"time_us\":1,\"kind\":\"hot\"}\n", 2,
     "'kind' must be 'burst' or 'sustained'"},
    {HEADER "{\"config\":[1],\n" GOOD, 2, "string or '}' expected near end of file"},
};

static void bad_files_are_refused_with_their_line(void **state)
{
    (void)state;
    refuse_all(bad_files, sizeof bad_files / sizeof *bad_files);
    write_text(HEADER GOOD, strlen(HEADER GOOD));
    hone_recording_free(load());
}

#define METRIC(name)                                                                     \
    HEADER "{\"config\":[1],\"outcome\":\"valid\",\"time_us\":1,\"metrics\":{\"" name    \
           "\":1}}\n"

// Of a journal of 4,000 trials with 16 new names each, loading took 6 s and a table 4 GB.
static void metrics_have_names_and_not_many(void **state)
{
    (void)state;
    struct hone_strbuf many = HONE_STRBUF_INIT;
    hone_strbuf_add(&many, HEADER);
    for (int i = 0; i <= 256; i++)
        hone_strbuf_printf(&many,
                           "{\"config\":[1],\"outcome\":\"valid\",\"time_us\":1,"
                           "\"metrics\":{\"m%d\":1}}\n",
                           i);
    char longer[1000] = METRIC("");
    const char *at = strstr(longer, "{\"\":1}");
    snprintf(longer + (at - longer), sizeof longer - (size_t)(at - longer),
             "{\"%0201d\":1}}\n", 0);
    const struct bad_file cases[] = {
        {many.data, 258, "metrics of more than 256 names"},
        {longer, 2, "the name of a metric has 201 bytes, over the limit of 200"},
        {METRIC("\\u001b[31m"), 2,
         "the name of a metric has the control or invisible character U+001B at byte 1"},
        {METRIC("a\xe2\x80\xae"), 2,
         "the name of a metric has the control or invisible character U+202E at byte 2"},
    };
    refuse_all(cases, sizeof cases / sizeof *cases);
    hone_strbuf_fini(&many);
}

static void missing_file_is_not_found(void **state)
{
    (void)state;
    struct hone_recording *recording = NULL;
    struct hone_error err = {0};
    assert_int_equal(hone_recording_load(&recording, "/nowhere/j.jsonl", &err),
                     HONE_ENOTFOUND);
}

static void mutate(char *text, size_t *size, struct hone_rng *rng)
{
    static const char spice[] = "{}[]\",:0123456789eE+-.\n\\ntruefalse\0\xff";
    for (uint64_t n = 1 + hone_rng_below(rng, 4); n && *size > 2; n--) {
        size_t at = (size_t)hone_rng_below(rng, *size);
        size_t len = 1 + (size_t)hone_rng_below(rng, *size - at < 20 ? *size - at : 20);
        switch (hone_rng_below(rng, 4)) {
        case 0:
            text[at] = (char)hone_rng_next(rng);
            break;
        case 1:
            text[at] = spice[hone_rng_below(rng, sizeof spice)];
            break;
        case 2:
            *size = at + 1;
            break;
        default:
            memmove(text + at, text + at + len, *size - at - len);
            *size -= len;
        }
    }
}

static void damaged_journals_never_crash(void **state)
{
    (void)state;
    struct hone_rng rng;
    hone_rng_seed(&rng, 3);
    write_small(4, 0);
    char *text = contents();
    size_t whole = strlen(text), loaded = 0, refused = 0;
    char *copy = malloc(whole + 1);
    const size_t part = hone_test_one_of(4);
    for (size_t round = 0; round < 50000 / part; round++) {
        size_t size = whole;
        memcpy(copy, text, whole);
        mutate(copy, &size, &rng);
        FILE *file = fopen(path, "wb");
        assert_non_null(file);
        assert_int_equal(fwrite(copy, 1, size, file), size);
        fclose(file);
        struct hone_recording *recording = NULL;
        struct hone_error err = {0};
        enum hone_status status = hone_recording_load(&recording, path, &err);
        assert_true(status == HONE_OK ||
                    (status == HONE_EINPUT && err.text[0] && err.line));
        status == HONE_OK ? loaded++ : refused++;
        hone_recording_free(recording);
    }
    assert_true(loaded * part > 1000 && refused * part > 1000);
    free(copy);
    free(text);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_teardown(existing_file_is_never_overwritten, clean),
    cmocka_unit_test_teardown(full_disk_leaves_whole_lines, clean),
    cmocka_unit_test_teardown(file_cut_anywhere_keeps_its_whole_lines, clean),
    cmocka_unit_test_teardown(last_of_repeated_lines_counts, clean),
    cmocka_unit_test_teardown(an_argument_has_kind_name_and_size, clean),
    cmocka_unit_test_teardown(bad_files_are_refused_with_their_line, clean),
    cmocka_unit_test_teardown(metrics_have_names_and_not_many, clean),
    cmocka_unit_test(missing_file_is_not_found),
    cmocka_unit_test_teardown(damaged_journals_never_crash, clean),
    cmocka_unit_test_teardown(what_is_begun_and_has_no_trial_is_known, clean),
    cmocka_unit_test_teardown(many_that_are_begun_stay_in_their_order, clean),
};
HONE_TEST_MAIN_WITH(tests, setup, teardown)
