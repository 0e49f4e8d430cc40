// The file of a journal under a run: locked, deleted, cut, without its folder.
#include "record_fixture.h"

#include <unistd.h>

#include "base/log.h"
#include "record/journal_file.h"

static void append_small(struct hone_journal *journal, size_t i)
{
    struct hone_error err = {0};
    struct hone_trial trial = small_trial(i);
    assert_ok(hone_journal_append(journal, &trial, choices_of[i], &err), err);
}

static struct hone_journal *begin_small(void)
{
    struct hone_error err = {0};
    struct hone_journal *journal = NULL;
    const struct hone_record_info info = small_info();
    assert_ok(hone_journal_create(&journal, path, &info, HONE_JOURNAL_SYNC, &err), err);
    append_small(journal, 0);
    return journal;
}

static void quiet(void *context, enum hone_log_level level, const char *line)
{
    (void)level;
    snprintf(context, 256, "%s", line);
}

// Nothing of it is lost: under its name, or beside it where somebody took that.
static void a_journal_deleted_under_a_run_is_written_anew(void **state)
{
    (void)state;
    char said[256] = "", kept[300];
    snprintf(kept, sizeof kept, "%s.kept", path);
    for (int taken = 0; taken < 2; taken++) {
        struct hone_error err = {0};
        struct hone_journal *journal = begin_small();
        unlink(path);
        if (taken) write_text("mine\n", 5);
        append_small(journal, 1);
        hone_log_set(quiet, said);
        assert_ok(hone_journal_close(journal, &err), err);
        hone_log_set(NULL, NULL);
        assert_non_null(strstr(said, "was deleted while it was written"));
        struct hone_recording *recording = NULL;
        assert_ok(hone_recording_load(&recording, taken ? kept : path, &err), err);
        assert_int_equal(hone_recording_count(recording), 2);
        hone_recording_free(recording);
        unlink(path);
    }
    unlink(kept);
}

// Where there is no place for it any more, that is said.
static void a_journal_whose_folder_is_gone_is_said_to_be_lost(void **state)
{
    (void)state;
    char gone[] = "/tmp/hone-gone-XXXXXX", name[64];
    struct hone_error err = {0};
    struct hone_journal *journal = NULL;
    const struct hone_record_info info = small_info();
    assert_non_null(mkdtemp(gone));
    snprintf(name, sizeof name, "%s/j.jsonl", gone);
    assert_ok(hone_journal_create(&journal, name, &info, 0, &err), err);
    append_small(journal, 0);
    unlink(name);
    rmdir(gone);
    assert_int_equal(hone_journal_close(journal, &err), HONE_EIO);
    assert_non_null(strstr(err.text, "bytes are lost"));
}

// Cut, or gone on with by another program: what stands there is not known any more.
static void a_journal_that_others_change_ends_the_run(void **state)
{
    (void)state;
    for (int cut = 0; cut < 2; cut++) {
        struct hone_error err = {0};
        struct hone_journal *journal = begin_small();
        if (cut) {
            assert_int_equal(truncate(path, 10), 0);
        } else {
            FILE *file = fopen(path, "a");
            fputs("{}\n", file);
            fclose(file);
        }
        const struct hone_trial trial = small_trial(1);
        assert_int_equal(hone_journal_append(journal, &trial, choices_of[1], &err),
                         HONE_EIO);
        assert_non_null(strstr(err.text, "was changed by another program"));
        hone_journal_close(journal, NULL);
        unlink(path);
    }
}

// Nothing is lost, but the name is not where it is: no header must be made by it.
static void a_journal_that_is_moved_away_is_not_named(void **state)
{
    (void)state;
    static const char *const texts[] = {NULL, "another"};
    char moved[300];
    snprintf(moved, sizeof moved, "%s.moved", path);
    for (size_t i = 0; i < 2; i++) {
        struct hone_error err = {0};
        struct hone_journal *journal = begin_small();
        assert_int_equal(rename(path, moved), 0);
        if (texts[i]) write_text(texts[i], strlen(texts[i]));
        assert_int_equal(hone_journal_close(journal, &err), HONE_EIO);
        assert_non_null(strstr(err.text, path));
        assert_non_null(strstr(err.text, "was moved away while it was written"));
        assert_int_equal(!texts[i], !strstr(err.text, "another file has its name"));
        assert_int_equal(rename(moved, path), 0);
        struct hone_recording *recording = load();
        assert_int_equal(hone_recording_count(recording), 1);
        hone_recording_free(recording);
        unlink(path);
    }
}

// In one process as between two: the second writer is refused, readers are not.
static void a_journal_has_one_writer(void **state)
{
    (void)state;
    struct hone_error err = {0};
    struct hone_journal *journal = begin_small(), *second = NULL;
    struct hone_recording *done = NULL;
    const struct hone_record_info info = small_info();
    assert_int_equal(hone_journal_resume(&second, &done, path, &info, 0, &err),
                     HONE_EUSAGE);
    assert_non_null(strstr(err.text, "is in use by process"));
    struct hone_recording *recording = load();
    assert_int_equal(hone_recording_count(recording), 1);
    hone_recording_free(recording);
    const int held = hone_journal_hold(journal);
    assert_true(held >= 0);
    err = (struct hone_error){0};
    assert_ok(hone_journal_close(journal, &err), err);
    assert_int_equal(hone_journal_resume(&second, &done, path, &info, 0, NULL),
                     HONE_EUSAGE);
    assert_ok(hone_journal_resume(&second, &done, path, &info, HONE_JOURNAL_HELD, &err),
              err);
    assert_ok(hone_journal_close(second, &err), err);
    hone_recording_free(done);
    close(held);
    assert_ok(hone_journal_resume(&second, &done, path, &info, 0, &err), err);
    assert_ok(hone_journal_close(second, &err), err);
    hone_recording_free(done);
}

static void a_journal_that_is_written_is_not_removed(void **state)
{
    (void)state;
    struct hone_error err = {0};
    struct hone_journal *journal = begin_small();
    assert_int_equal(hone_journal_file_remove(path, &err), HONE_EUSAGE);
    assert_int_equal(access(path, F_OK), 0);
    err = (struct hone_error){0};
    assert_ok(hone_journal_close(journal, &err), err);
    assert_ok(hone_journal_file_remove(path, &err), err);
    assert_int_equal(access(path, F_OK), -1);
    assert_ok(hone_journal_file_remove(path, &err), err); // there is nothing left to do
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_journal_that_is_written_is_not_removed),
    cmocka_unit_test_teardown(a_journal_deleted_under_a_run_is_written_anew, clean),
    cmocka_unit_test_teardown(a_journal_whose_folder_is_gone_is_said_to_be_lost, clean),
    cmocka_unit_test_teardown(a_journal_that_others_change_ends_the_run, clean),
    cmocka_unit_test_teardown(a_journal_that_is_moved_away_is_not_named, clean),
    cmocka_unit_test_teardown(a_journal_has_one_writer, clean),
};
HONE_TEST_MAIN_WITH(tests, setup, teardown)
