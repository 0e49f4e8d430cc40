// Any file as a journal: loaded, written anew and loaded again, resumed, and exported.
// What loads can be written, and says the same when it is read back.
#include <string.h>

#include "fuzz.h"
#include "hone/exchange.h"
#include "hone/record.h"
#include "hone/strbuf.h"

// What the journal could not be written with is no journal's fault: an infinity.
static bool write_all(const struct hone_recording *recording, const char *path)
{
    const struct hone_record_info *info = hone_recording_info(recording);
    struct hone_journal *journal = NULL;
    struct hone_error err = {0};
    uint16_t *choices = calloc(info->param_count + 1, sizeof *choices);
    enum hone_status status = hone_journal_create(&journal, path, info, 0, &err);
    for (size_t i = 0; i < hone_recording_count(recording) && status == HONE_OK; i++) {
        const struct hone_trial *trial = hone_recording_trial(recording, i);
        hone_space_choices(hone_recording_space(recording), trial->index, choices);
        status = hone_journal_append(journal, trial, choices, &err);
    }
    if (status == HONE_OK)
        status = hone_journal_close(journal, &err);
    else
        hone_journal_close(journal, NULL);
    free(choices);
    return fuzz_taken(status, &err);
}

static void read_back(const struct hone_recording *recording)
{
    struct hone_recording *again = NULL;
    struct hone_error err = {0};
    const char *path = fuzz_no_file("written.jsonl");
    if (!write_all(recording, path)) return;
    fuzz_must(hone_recording_load(&again, path, &err), &err);
    FUZZ_CHECK(hone_recording_count(again) == hone_recording_count(recording));
    hone_recording_free(again);
}

static void export_all(const struct hone_recording *recording)
{
    static const enum hone_format formats[] = {HONE_FORMAT_KERNEL_TUNER, HONE_FORMAT_T4};
    for (size_t i = 0; i < 2; i++) {
        struct hone_strbuf out = HONE_STRBUF_INIT;
        struct hone_error err = {0};
        fuzz_taken(hone_export(&out, recording, formats[i], &err), &err);
        hone_strbuf_fini(&out);
    }
}

static void resume(const struct hone_recording *recording, const char *path)
{
    struct hone_journal *journal = NULL;
    struct hone_recording *done = NULL, *again = NULL;
    struct hone_error err = {0};
    const enum hone_status status = hone_journal_resume(
        &journal, &done, path, hone_recording_info(recording), 0, &err);
    if (!fuzz_taken(status, &err)) return;
    FUZZ_CHECK(hone_recording_count(done) == hone_recording_count(recording));
    fuzz_must(hone_journal_note(journal, "it goes on", &err), &err);
    fuzz_must(hone_journal_close(journal, &err), &err);
    fuzz_must(hone_recording_load(&again, path, &err), &err);
    FUZZ_CHECK(hone_recording_count(again) == hone_recording_count(done));
    hone_recording_free(again);
    hone_recording_free(done);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct hone_recording *recording = NULL;
    struct hone_error err = {0};
    const char *path = fuzz_file("input.jsonl", data, size);
    if (!fuzz_taken(hone_recording_load(&recording, path, &err), &err)) return 0;
    for (size_t i = 0; i < hone_recording_problem_count(recording); i++) {
        read_back(hone_recording_problem(recording, i));
        export_all(hone_recording_problem(recording, i));
    }
    resume(recording, path);
    hone_recording_winner(recording);
    hone_recording_free(recording);
    return 0;
}
