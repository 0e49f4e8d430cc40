/* Journals: exact form, torn and damaged files, full disks, resuming, recordings. */
#include "record_fixture.h"

#include "base/strbuf.h"

#include <math.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "base/rng.h"

static void journal_has_the_documented_form(void **state)
{
    (void)state;
    write_small(2, 0);
    char *text = contents();
    assert_string_equal(
        text,
        "{\"hone\":1,\"kind\":\"journal\",\"kernel\":\"toy\",\"params\":["
        "{\"name\":\"BM\",\"values\":[32,64]},{\"name\":\"MODE\",\"values\":[\"row\","
        "\"col\"]},"
        "{\"name\":\"SCALE\",\"values\":[0.5,2.0]},{\"name\":\"SWAP\",\"values\":[false,"
        "true]}],"
        "\"problem\":{\"M\":4096,\"alpha\":1.0},\"device\":{\"name\":\"NVIDIA H200\","
        "\"id\":\"cuda:0\",\"driver\":\"570.1\"},\"clock\":\"cupti\",\"objective\":"
        "\"time_us\","
        "\"complete\":false,\"template\":\"toy.cu\",\"template_hash\":\"aa\","
        "\"space_hash\":\"bb\",\"options_hash\":\"cc\",\"hone_version\":\"0.1.0\","
        "\"nvrtc_version\":\"13.0\",\"box\":\"process "
        "time\",\"strategy\":\"random\",\"entry\":\"toy\","
        "\"launch\":{\"shared\":\"BM * 4\",\"grid\":[\"ceil_div(M, BM)\"],"
        "\"block\":[\"THREADS\",null,\"2\"],\"cluster\":[\"BM // 64\",null,\"1\"],"
        "\"cooperative\":true,\"dependent\":true},\"work\":{\"flops\":\"2 * "
        "M\",\"bytes\":\"4 "
        "* M\"},"
        "\"seed\":\"18446744073709551615\",\"space_count\":16,\"default\":[64,\"row\",2."
        "0,false],"
        "\"derived\":[{\"name\":\"THREADS\",\"text\":\"BM * 2\",\"line\":7}],"
        "\"args\":[{\"kind\":\"input\",\"name\":\"A\",\"dtype\":\"f32\",\"size\":\"M * "
        "BM\"}]}\n"
        "{\"config\":[32,\"row\",0.5,false],\"outcome\":\"valid\",\"time_us\":553.6,"
        "\"rel_std\":0.004712,\"build_ms\":918.6,\"n\":32}\n"
        "{\"config\":[64,\"col\",2.0,true],\"outcome\":\"crashed\","
        "\"reason\":\"illegal \\\"address\\\"\\n\"}\n");
    free(text);
}

static const struct hone_waiver two_waivers[] = {
    {.finding = HONE_FINDING_RACE, .file = "k.cu", .line = 120, .reason = "any will do"},
    {.finding = HONE_FINDING_UNWRITTEN, .buffer = "A", .reason = "padding"}};

static void a_journal_says_what_was_found_and_what_was_waived(void **state)
{
    (void)state;
    struct hone_error err = {0};
    struct hone_journal *journal = NULL;
    struct hone_record_info info = small_info();
    info.waivers = two_waivers;
    info.waiver_count = 2;
    assert_ok(hone_journal_create(&journal, path, &info, 0, &err), err);
    struct hone_trial trial = hone_trial_make(0, HONE_CRASHED);
    trial.found = &(const struct hone_found){HONE_FINDING_OUT_OF_BOUNDS, .line = 7,
                                             .file = "k.cu", .buffer = "A"};
    trial.waived = (const uint32_t[HONE_WAIVER_MAX]){0, 3};
    assert_ok(hone_journal_append(journal, &trial, choices_of[0], &err), err);
    assert_ok(hone_journal_close(journal, &err), err);
    char *text = contents();
    assert_non_null(strstr(
        text,
        ",\"waive\":[{\"finding\":\"race\",\"at\":\"k.cu:120\",\"reason\":\"any will "
        "do\"},{\"finding\":\"unwritten\",\"buffer\":\"A\",\"reason\":\"padding\"}]}\n"));
    assert_non_null(strstr(text, "\"outcome\":\"crashed\",\"waived\":[{\"waiver\":2,"
                                 "\"count\":3}],\"finding\":\"out_of_bounds\",\"place\":"
                                 "\"k.cu:7\",\"buffer\":\"A\"}\n"));
    free(text);
}

// In the journal, which has it.
static void replace_first(const char *from, const char *to)
{
    char *text = contents();
    struct hone_strbuf changed = HONE_STRBUF_INIT;
    size_t before = 0;
    while (strncmp(text + before, from, strlen(from)) != 0)
        assert_true(text[before++]);
    hone_strbuf_printf(&changed, "%.*s%s%s", (int)before, text, to,
                       text + before + strlen(from));
    write_text(changed.data, changed.len);
    hone_strbuf_fini(&changed);
    free(text);
}

// A finding of a later version is one that this program does not know.
static void broken_findings_of_a_journal_are_refused(void **state)
{
    static const struct {
        const char *from, *to, *message;
    } cases[] = {
        {"\"waive\":[", "\"waive\":[{},", "'waive' must be a list of waivers with"},
        {"\"waive\":[{", "\"waive\":{\"a\":[{", NULL},
        {"k.cu:120", "k.cu:0", "'waive' must be a list of waivers with"},
        {"k.cu:120", "120", "'waive' must be a list of waivers with"},
        {"\"waiver\":2", "\"waiver\":17", "'waived' must be a list of"},
        {"\"waiver\":2", "\"waiver\":0", "'waived' must be a list of"},
        {"\"count\":3", "\"count\":0", "'waived' must be a list of"},
        {"out_of_bounds", "from_the_future", ""},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        a_journal_says_what_was_found_and_what_was_waived(NULL);
        struct hone_error err = {0};
        struct hone_recording *recording = NULL;
        replace_first(cases[i].from, cases[i].to);
        enum hone_status status = hone_recording_load(&recording, path, &err);
        if (cases[i].message && !*cases[i].message)
            assert_ok(status, err);
        else
            assert_int_equal(status, HONE_EINPUT);
        if (cases[i].message && *cases[i].message)
            assert_non_null(strstr(err.text, cases[i].message));
        hone_recording_free(recording);
        unlink(path);
    }
}

static void journal_of_no_trials_loads(void **state)
{
    (void)state;
    write_small(0, 0);
    struct hone_recording *recording = load();
    assert_int_equal(hone_recording_count(recording), 0);
    assert_int_equal(hone_space_count(hone_recording_space(recording)), 0);
    assert_null(hone_recording_find(recording, 0));
    assert_string_equal(hone_recording_notice(recording), "");
    assert_string_equal(hone_recording_path(recording), path);
    hone_recording_free(recording);
}

static void figures_that_are_unknown_are_left_out(void **state)
{
    (void)state;
    struct hone_error err = {0};
    struct hone_journal *journal = NULL;
    struct hone_record_info info = small_info();
    assert_ok(hone_journal_create(&journal, path, &info, HONE_JOURNAL_SYNC, &err), err);
    struct hone_trial trial = hone_trial_make(0, HONE_REJECTED);
    trial.build_ms = INFINITY;
    trial.metric_count = 1;
    trial.metrics = &(const struct hone_metric){"ipc", NAN};
    trial.reason = "cut \xc3 here \xc3\xa9";
    assert_ok(hone_journal_append(journal, &trial, choices_of[0], &err), err);
    char *text = contents(); // synced: stands there before the journal is closed
    const char *line = text + strcspn(text, "\n") + 1;
    assert_string_equal(line,
                        "{\"config\":[32,\"row\",0.5,false],\"outcome\":\"rejected\","
                        "\"metrics\":{},\"reason\":\"cut ? here \xc3\xa9\"}\n");
    free(text);
    trial = hone_trial_make(0, HONE_VALID);
    assert_int_equal(hone_journal_append(journal, &trial, choices_of[0], &err),
                     HONE_EINPUT);
    assert_ok(hone_journal_close(journal, NULL), err);
}

static void what_json_cannot_hold_is_refused(void **state)
{
    (void)state;
    struct hone_error err = {0};
    struct hone_journal *journal = NULL;
    struct hone_record_info info = small_info();
    info.device_name = "\xff";
    assert_int_equal(hone_journal_create(&journal, path, &info, 0, &err), HONE_EINPUT);
    assert_string_equal(
        err.text, "'name' cannot be written to a journal: it is not finite or not UTF-8");
    assert_false(hone_file_exists(path));
}

static void trials_are_found_by_their_index(void **state)
{
    (void)state;
    write_small(4, 0);
    struct hone_recording *recording = load();
    const struct hone_space *space = hone_recording_space(recording);
    assert_int_equal(hone_space_count(space), 4);
    for (size_t i = 0; i < 4; i++) {
        uint64_t index = 99;
        assert_int_equal(hone_space_index(space, choices_of[i], &index), HONE_OK);
        const struct hone_trial *trial = hone_recording_trial(recording, i);
        assert_int_equal(trial->index, index);
        assert_ptr_equal(hone_recording_find(recording, index), trial);
    }
    assert_null(hone_recording_find(recording, 4));
    hone_recording_free(recording);
}

/* --- files that are not as they should be --- */

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

static void bad_files_are_refused_with_their_line(void **state)
{
    (void)state;
    static const struct bad_file cases[] = {
        {"", 1, "not a hone journal: empty file"},
        {"hello\n", 1, "not a hone journal: '[' or '{' expected near 'hello'"},
        {"[1]\n", 1, "not a hone journal: the first line is no JSON object"},
        {"{\"a\":1}\n", 1, "not a hone journal: the first line has no \"hone\" version"},
        {"{\"hone\":2,\"kind\":\"journal\"}\n", 1,
         "journal version 2, this program reads version 1"},
        {"{\"hone\":1,\"kind\":\"samples\"}\n", 1,
         "not a journal: its kind is 'samples'"},
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
        {HEADER "{\"config\":[1],\"outcome\":\"valid\",\"time_us\":1,\"kind\":\"hot\"}\n",
         2, "'kind' must be 'burst' or 'sustained'"},
        {HEADER "{\"config\":[1],\n" GOOD, 2, "string or '}' expected near end of file"},
    };
    refuse_all(cases, sizeof cases / sizeof *cases);
    write_text(HEADER GOOD, strlen(HEADER GOOD));
    hone_recording_free(load());
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
    for (int round = 0; round < 50000; round++) {
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
    assert_true(loaded > 1000 && refused > 1000);
    free(copy);
    free(text);
}

/* --- resuming --- */

static void resumed_journal_equals_one_written_at_once(void **state)
{
    (void)state;
    write_small(4, 0);
    char *whole = contents();
    size_t header = strcspn(whole, "\n") + 1;
    struct hone_record_info info = small_info();
    for (size_t cut = header; cut <= strlen(whole); cut += 13) {
        struct hone_error err = {0};
        struct hone_journal *journal = NULL;
        struct hone_recording *done = NULL;
        write_text(whole, cut);
        assert_ok(hone_journal_resume(&journal, &done, path, &info, 0, &err), err);
        for (size_t i = hone_recording_count(done); i < 4; i++) {
            struct hone_trial trial = small_trial(i);
            assert_ok(hone_journal_append(journal, &trial, choices_of[i], &err), err);
        }
        assert_ok(hone_journal_close(journal, &err), err);
        hone_recording_free(done);
        char *text = contents();
        assert_string_equal(text, whole);
        free(text);
    }
    free(whole);
}

static void line_without_its_newline_is_kept_when_resuming(void **state)
{
    (void)state;
    write_small(1, 0);
    char *text = contents();
    write_text(text, strlen(text) - 1);
    struct hone_error err = {0};
    struct hone_journal *journal = NULL;
    struct hone_recording *done = NULL;
    struct hone_record_info info = small_info();
    assert_ok(hone_journal_resume(&journal, &done, path, &info, 0, &err), err);
    assert_int_equal(hone_recording_count(done), 1);
    assert_ok(hone_journal_close(journal, &err), err);
    char *again = contents();
    assert_string_equal(again, text);
    hone_recording_free(done);
    free(again);
    free(text);
}

static void refuse_resume(const struct hone_record_info *info, const char *difference)
{
    struct hone_error err = {0};
    struct hone_journal *journal = NULL;
    struct hone_recording *done = NULL;
    assert_int_equal(hone_journal_resume(&journal, &done, path, info, 0, &err),
                     HONE_EINPUT);
    assert_null(journal);
    assert_null(done);
    if (!strstr(err.text, difference)) fail_msg("%s", err.text);
}

static void resume_names_the_first_difference(void **state)
{
    (void)state;
    write_small(1, 0);
    char *before = contents();
    struct hone_record_info info = small_info();
    info.kernel = "other";
    refuse_resume(&info, "its kernel is \"toy\", now it is \"other\"");
    info = small_info();
    struct hone_param other[4];
    memcpy(other, params, sizeof other);
    struct hone_value values[] = {{.type = HONE_INT, .i = 32},
                                  {.type = HONE_INT, .i = 128}};
    other[0].values = values;
    info.params = other;
    refuse_resume(&info, "its params[0].values[1] is 64, now it is 128");
    info = small_info();
    info.problem_count = 1;
    refuse_resume(&info, "its problem.alpha is 1.0, now it is absent");
    info = small_info();
    info.device_name = "NVIDIA A100";
    refuse_resume(&info, "its device.name is \"NVIDIA H200\", now it is \"NVIDIA A100\"");
    info = small_info();
    info.clock = NULL;
    refuse_resume(&info, "its clock is \"cupti\", now it is absent");
    info = small_info();
    info.template_hash = "ab";
    refuse_resume(&info, "its template_hash is \"aa\", now it is \"ab\"");
    char *after = contents();
    assert_string_equal(before, after);
    info = small_info(); // strategy, seed and driver may differ
    info.strategy = "grid";
    info.seed = 1;
    info.driver = NULL;
    struct hone_error err = {0};
    struct hone_journal *journal = NULL;
    struct hone_recording *done = NULL;
    assert_ok(hone_journal_resume(&journal, &done, path, &info, 0, &err), err);
    assert_ok(hone_journal_close(journal, &err), err);
    hone_recording_free(done);
    free(before);
    free(after);
}

/* --- public recordings --- */

static void public_recordings_load_with_their_counts(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        size_t count, valid;
    } files[] = {
        {"convolution_milo_A100", 4362, 4201},
        {"convolution_milo_A6000", 4362, 3889},
        {"convolution_milo_MI250X", 4362, 4362},
        {"convolution_milo_W6600", 4362, 4362},
        {"convolution_RTX_3090", 6768, 5220},
        {"convolution_RTX_3060_laptop", 6768, 5220},
        {"convolution_RTX_Titan", 6768, 5256},
        {"dedispersion_milo_A100", 11130, 11130},
        {"dedispersion_milo_A4000", 11130, 11130},
        {"dedispersion_milo_MI250X", 11130, 11130},
        {"dedispersion_milo_W6600", 11130, 11130},
        {"gemm_RTX_3090", 17956, 17956},
        {"gemm_RTX_2080_Ti", 17956, 17956},
        {"hotspot_A4000_sampled", 1660, 1660},
    };
    if (!hone_file_exists(HONE_SOURCE_DIR "/../shared/recorded"))
        SKIP("no recordings here");
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char name[512];
        snprintf(name, sizeof name, HONE_SOURCE_DIR "/../shared/recorded/%s.jsonl",
                 files[i].name);
        struct hone_recording *recording = NULL;
        struct hone_error err = {0};
        assert_ok(hone_recording_load(&recording, name, &err), err);
        size_t valid = 0, count = hone_recording_count(recording);
        for (size_t t = 0; t < count; t++)
            valid += hone_recording_trial(recording, t)->outcome == HONE_VALID;
        assert_int_equal(count, files[i].count);
        assert_int_equal(valid, files[i].valid);
        assert_int_equal(hone_space_count(hone_recording_space(recording)), count);
        assert_string_equal(hone_recording_info(recording)->problem[0].name, "size_0");
        hone_recording_free(recording);
    }
}

static void sample_files_are_no_journals(void **state)
{
    (void)state;
    const char *name = HONE_SOURCE_DIR "/../shared/recorded/samples/gemm_RTX_3090.jsonl";
    if (!hone_file_exists(name)) SKIP("no recordings here");
    struct hone_recording *recording = NULL;
    struct hone_error err = {0};
    assert_int_equal(hone_recording_load(&recording, name, &err), HONE_EINPUT);
    assert_string_equal(err.text, "not a journal: its kind is 'samples'");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_teardown(journal_has_the_documented_form, clean),
    cmocka_unit_test_teardown(a_journal_says_what_was_found_and_what_was_waived, clean),
    cmocka_unit_test_teardown(broken_findings_of_a_journal_are_refused, clean),
    cmocka_unit_test_teardown(journal_of_no_trials_loads, clean),
    cmocka_unit_test_teardown(figures_that_are_unknown_are_left_out, clean),
    cmocka_unit_test_teardown(what_json_cannot_hold_is_refused, clean),
    cmocka_unit_test_teardown(trials_are_found_by_their_index, clean),
    cmocka_unit_test_teardown(existing_file_is_never_overwritten, clean),
    cmocka_unit_test_teardown(full_disk_leaves_whole_lines, clean),
    cmocka_unit_test_teardown(file_cut_anywhere_keeps_its_whole_lines, clean),
    cmocka_unit_test_teardown(last_of_repeated_lines_counts, clean),
    cmocka_unit_test_teardown(an_argument_has_kind_name_and_size, clean),
    cmocka_unit_test_teardown(bad_files_are_refused_with_their_line, clean),
    cmocka_unit_test(missing_file_is_not_found),
    cmocka_unit_test_teardown(damaged_journals_never_crash, clean),
    cmocka_unit_test_teardown(what_is_begun_and_has_no_trial_is_known, clean),
    cmocka_unit_test_teardown(many_that_are_begun_stay_in_their_order, clean),
    cmocka_unit_test_teardown(resumed_journal_equals_one_written_at_once, clean),
    cmocka_unit_test_teardown(line_without_its_newline_is_kept_when_resuming, clean),
    cmocka_unit_test_teardown(resume_names_the_first_difference, clean),
    cmocka_unit_test(public_recordings_load_with_their_counts),
    cmocka_unit_test(sample_files_are_no_journals),
};
HONE_TEST_MAIN_WITH(tests, setup, teardown)
