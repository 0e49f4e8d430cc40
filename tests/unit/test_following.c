/* Following a journal while it is written: what is new is read once, torn lines wait,
 * another journal in its place begins anew. */
#include "record_fixture.h"

#include <math.h>

#include "hone/strbuf.h"
#include "record/following.h"

static struct hone_following *open_following(void)
{
    struct hone_following *f = NULL;
    struct hone_error err = {0};
    assert_ok(hone_following_open(&f, path, &err), err);
    return f;
}

static enum hone_following_state look(struct hone_following *f)
{
    enum hone_following_state state;
    struct hone_error err = {0};
    assert_ok(hone_following_look(f, &state, &err), err);
    return state;
}

static const struct hone_following_part *part_of(const struct hone_following *f)
{
    size_t number;
    const struct hone_following_part *part = hone_following_part(f, &number);
    assert_non_null(part);
    return part;
}

static void append(struct hone_journal *journal, size_t config, double time_us)
{
    struct hone_error err = {0};
    struct hone_trial trial = hone_trial_make(0, time_us > 0 ? HONE_VALID : HONE_CRASHED);
    trial.time_us = time_us > 0 ? time_us : (double)NAN;
    assert_ok(hone_journal_append(journal, &trial, choices_of[config], &err), err);
}

static struct hone_journal *create(void)
{
    struct hone_error err = {0};
    struct hone_journal *journal = NULL;
    struct hone_record_info info = small_info();
    assert_ok(hone_journal_create(&journal, path, &info, HONE_JOURNAL_SYNC, &err), err);
    return journal;
}

static void a_journal_is_followed_from_before_it_is_there_to_its_end(void **state)
{
    (void)state;
    struct hone_error err = {0};
    struct hone_following *f = open_following();
    assert_int_equal(look(f), HONE_FOLLOWING_ABSENT);
    assert_null(hone_following_info(f));
    struct hone_journal *journal = create();
    append(journal, 0, 30);
    assert_int_equal(look(f), HONE_FOLLOWING_WRITTEN);
    assert_string_equal(hone_following_info(f)->kernel, "toy");
    append(journal, 1, 0);
    append(journal, 2, 40);
    append(journal, 3, 20);
    assert_int_equal(look(f), HONE_FOLLOWING_WRITTEN);
    assert_ok(hone_journal_close(journal, &err), err);
    assert_int_equal(look(f), HONE_FOLLOWING_ENDED);
    const struct hone_following_part *part = part_of(f);
    assert_int_equal(part->done, 4);
    assert_int_equal(part->outcomes[HONE_CRASHED], 1);
    assert_int_equal(part->step_count, 2);
    assert_int_equal(part->steps[0].trial, 1);
    assert_int_equal(part->steps[1].trial, 4);
    assert_float_equal(part->steps[1].cost, 20, 0);
    assert_memory_equal(part->choices, choices_of[3], sizeof choices_of[3]);
    hone_following_close(f);
}

// The folder of the journal is a link, which then leads to a file. Nothing else happens
// between the two looks: what one leaves on the stack must not be the other's answer.
static void a_journal_that_cannot_be_looked_at_is_an_error(void **state)
{
    (void)state;
    char link[80], other[80], file[96];
    struct hone_error err = {0};
    struct hone_following *f = NULL;
    enum hone_following_state before, after;
    assert_ok(hone_journal_close(create(), &err), err);
    snprintf(link, sizeof link, "%s/link", folder);
    snprintf(other, sizeof other, "%s/other", folder);
    snprintf(file, sizeof file, "%s/j.jsonl", link);
    assert_int_equal(symlink(".", link), 0);
    assert_int_equal(symlink("j.jsonl", other), 0);
    assert_ok(hone_following_open(&f, file, &err), err);
    const enum hone_status first = hone_following_look(f, &before, &err);
    const int renamed = rename(other, link);
    const enum hone_status second = hone_following_look(f, &after, &err);
    hone_following_close(f);
    unlink(link);
    assert_int_equal(renamed, 0);
    assert_int_equal(first, HONE_OK);
    assert_int_equal(before, HONE_FOLLOWING_ENDED);
    assert_true(second != HONE_OK);
    assert_int_equal(after, HONE_FOLLOWING_ABSENT);
    assert_non_null(strstr(err.text, "Not a directory"));
}

static void looking_often_finds_what_looking_once_finds(void **state)
{
    (void)state;
    write_small(4, 0);
    char *text = contents();
    const size_t size = strlen(text);
    unlink(path);
    struct hone_following *f = open_following();
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (size_t i = 0; i < size; i++) { // each byte may be the last one of a look
        fputc(text[i], file);
        fflush(file);
        assert_int_equal(look(f), HONE_FOLLOWING_ENDED);
    }
    fclose(file);
    free(text);
    const struct hone_following_part *part = part_of(f);
    assert_int_equal(part->done, 4);
    assert_int_equal(part->outcomes[HONE_VALID], 3);
    assert_float_equal(part->best->time_us, 553.6, 1e-9);
    hone_following_close(f);
}

static void another_journal_in_its_place_is_read_anew(void **state)
{
    (void)state;
    struct hone_error err = {0};
    struct hone_following *f = open_following();
    write_small(4, 0);
    look(f);
    assert_int_equal(part_of(f)->done, 4);
    unlink(path); // replaced
    assert_int_equal(look(f), HONE_FOLLOWING_ABSENT);
    assert_int_equal(part_of(f)->done, 4); // what is known stays until then
    write_small(2, 0);
    look(f);
    assert_int_equal(part_of(f)->done, 2);
    char *text = contents(); // cut in place, as resuming cuts a torn line
    FILE *file = fopen(path, "r+");
    assert_non_null(file);
    const size_t first = strcspn(text, "\n") + 1;
    assert_int_equal(ftruncate(fileno(file), (off_t)first), 0);
    fclose(file);
    free(text);
    look(f);
    assert_int_equal(part_of(f)->done, 0);
    assert_null(part_of(f)->best);
    struct hone_journal *journal = NULL;
    unlink(path);
    journal = create();
    append(journal, 0, 1);
    assert_ok(hone_journal_close(journal, &err), err);
    look(f);
    assert_int_equal(part_of(f)->done, 1);
    hone_following_close(f);
}

static void finals_and_second_measurements_are_no_new_trials(void **state)
{
    (void)state;
    struct hone_error err = {0};
    struct hone_journal *journal = create();
    struct hone_trial trial = hone_trial_make(0, HONE_VALID);
    append(journal, 0, 30);
    append(journal, 1, 31);
    trial.time_us = 29;
    trial.drift = 1.1;
    assert_ok(hone_journal_append(journal, &trial, choices_of[0], &err), err);
    trial.drift = (double)NAN;
    for (uint32_t rank = 1; rank <= 2; rank++) {
        trial.time_us = 30.5 + rank;
        trial.final =
            (struct hone_final){.rank = rank, .rounds = 9, .ratio = 1, .high = 2};
        assert_ok(hone_journal_append(journal, &trial, choices_of[2 - rank], &err), err);
    }
    assert_ok(hone_journal_close(journal, &err), err);
    struct hone_following *f = open_following();
    look(f);
    const struct hone_following_part *part = part_of(f);
    assert_int_equal(part->done, 2);
    assert_int_equal(part->step_count, 1);
    assert_true(part->finals);
    assert_float_equal(part->best->time_us, 31.5, 1e-9);
    assert_memory_equal(part->choices, choices_of[1], sizeof choices_of[1]);
    hone_following_close(f);
}

static void a_best_that_is_refuted_later_is_none(void **state)
{
    (void)state;
    struct hone_error err = {0};
    struct hone_journal *journal = create();
    struct hone_trial trial = hone_trial_make(0, HONE_WRONG_RESULT);
    append(journal, 0, 30);
    append(journal, 1, 31);
    trial.reason = "wrong at the tuned size";
    trial.compared = "reference";
    assert_ok(hone_journal_append(journal, &trial, choices_of[1], &err), err);
    struct hone_following *f = open_following();
    look(f);
    assert_false(part_of(f)->refuted); // that was another one
    assert_ok(hone_journal_append(journal, &trial, choices_of[0], &err), err);
    look(f);
    assert_true(part_of(f)->refuted);
    assert_int_equal(part_of(f)->done, 2);
    assert_int_equal(part_of(f)->outcomes[HONE_WRONG_RESULT], 1);
    trial = hone_trial_make(0, HONE_VALID);
    trial.time_us = 31.5;
    trial.final = (struct hone_final){.rank = 1, .rounds = 9, .ratio = 1, .high = 2};
    assert_ok(hone_journal_append(journal, &trial, choices_of[1], &err), err);
    assert_ok(hone_journal_close(journal, &err), err);
    look(f);
    assert_false(part_of(f)->refuted);
    assert_true(part_of(f)->finals);
    hone_following_close(f);
}

static void what_is_no_journal_is_refused_with_its_line(void **state)
{
    (void)state;
    static const struct {
        const char *text, *why;
        int line;
    } cases[] = {
        {"nonsense\n", "not a hone journal", 1},
        {"[]\n", "the first line is no JSON object", 1},
        {"{\"hone\":9}\n", "version", 1},
        {"{\"hone\":1,\"kind\":\"journal\",\"kernel\":\"k\",\"params\":[{\"name\":\"x\","
         "\"values\":[1]}]}\n{\"config\":[1],\"outcome\":\"valid\",\"time_us\":1}\n"
         "{\"config\":[7]}\n",
         "no value of parameter 'x'", 3},
        {"{\"hone\":1,\"kind\":\"journal\",\"kernel\":\"k\",\"params\":[{\"name\":\"x\","
         "\"values\":[1]}]}\n{\"config\":[1],\"problem\":1,\"outcome\":\"crashed\"}\n",
         "'problem' must be", 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        enum hone_following_state now;
        struct hone_error err = {0};
        write_text(cases[i].text, strlen(cases[i].text));
        struct hone_following *f = open_following();
        assert_int_equal(hone_following_look(f, &now, &err), HONE_EINPUT);
        if (!strstr(err.text, cases[i].why) || err.line != cases[i].line)
            fail_msg("%s: %d: %s", cases[i].text, err.line, err.text);
        hone_following_close(f);
    }
}

// Journals that were merged have one line a configuration, whatever it holds. What show
// finds of them, the watch has to find.
static void first_lines_count_whatever_they_hold(void **state)
{
    (void)state;
    static const char *const notes[] = {
        "\"counters\":{\"sm__cycles_active.avg\":{\"value\":7,\"unit\":\"cycle\"}}",
        "\"drift\":1.1", "\"compared\":\"reference\"",
        "\"final\":{\"rank\":2,\"rounds\":9,\"ratio\":1,\"low\":1,\"high\":1}"};
    for (size_t i = 0; i < sizeof notes / sizeof *notes; i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "{\"hone\":1,\"kind\":\"journal\",\"kernel\":\"k\",\"params\":"
                 "[{\"name\":\"X\",\"values\":[1,2,3]}]}\n"
                 "{\"config\":[1],\"outcome\":\"valid\",\"time_us\":5,%s}\n"
                 "{\"config\":[2],\"outcome\":\"valid\",\"time_us\":7}\n"
                 "{\"config\":[3],\"outcome\":\"valid\",\"time_us\":6}\n"
                 "{\"config\":[2],\"outcome\":\"valid\",\"time_us\":7}\n",
                 notes[i]);
        write_text(text, strlen(text));
        struct hone_recording *shown = load();
        assert_int_equal(hone_recording_count(shown), 3);
        hone_recording_free(shown);
        struct hone_following *f = open_following();
        look(f);
        assert_int_equal(part_of(f)->done, 3);
        assert_int_equal(part_of(f)->outcomes[HONE_VALID], 3);
        assert_float_equal(part_of(f)->best->time_us, 5, 0);
        assert_int_equal(part_of(f)->choices[0], 0);
        hone_following_close(f);
    }
}

// Such a journal was cut by hand: the winner has no line but that of the finals.
static void finals_alone_are_refuted_without_a_count_below_zero(void **state)
{
    (void)state;
    struct hone_error err = {0};
    struct hone_journal *journal = create();
    struct hone_trial trial = hone_trial_make(0, HONE_VALID);
    trial.time_us = 20;
    trial.final =
        (struct hone_final){.rank = 1, .rounds = 3, .ratio = 1, .low = 1, .high = 1};
    assert_ok(hone_journal_append(journal, &trial, choices_of[0], &err), err);
    trial = hone_trial_make(0, HONE_CRASHED);
    trial.drift = 1.5;
    assert_ok(hone_journal_append(journal, &trial, choices_of[0], &err), err);
    assert_ok(hone_journal_close(journal, &err), err);
    struct hone_following *f = open_following();
    look(f);
    assert_true(part_of(f)->refuted);
    for (size_t i = 0; i < HONE_OUTCOME_COUNT; i++)
        assert_int_equal(part_of(f)->outcomes[i], i == HONE_CRASHED);
    hone_following_close(f);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_teardown(first_lines_count_whatever_they_hold, clean),
    cmocka_unit_test_teardown(finals_alone_are_refuted_without_a_count_below_zero, clean),
    cmocka_unit_test_teardown(a_journal_is_followed_from_before_it_is_there_to_its_end,
                              clean),
    cmocka_unit_test_teardown(a_journal_that_cannot_be_looked_at_is_an_error, clean),
    cmocka_unit_test_teardown(looking_often_finds_what_looking_once_finds, clean),
    cmocka_unit_test_teardown(another_journal_in_its_place_is_read_anew, clean),
    cmocka_unit_test_teardown(finals_and_second_measurements_are_no_new_trials, clean),
    cmocka_unit_test_teardown(a_best_that_is_refuted_later_is_none, clean),
    cmocka_unit_test_teardown(what_is_no_journal_is_refused_with_its_line, clean),
};

HONE_TEST_MAIN_WITH(tests, setup, teardown)
