// Journals and headers under memory that runs out anywhere.
#include <string.h>

#include "base/file.h"
#include "hone/emit.h"
#include "hone/strbuf.h"
#include "hone_test.h"
#include "oom.h"

#define GOLDEN HONE_SOURCE_DIR "/tests/golden/"

static char written[64];

static enum hone_status load_and_emit(void *context, struct hone_error *err)
{
    struct hone_recording *recording = NULL;
    struct hone_strbuf out = HONE_STRBUF_INIT;
    const struct hone_emit_options options = {.accept_predicted = true, .name = "x"};
    enum hone_status status = hone_recording_load(&recording, context, err);
    const struct hone_recording *const list[] = {recording, recording};
    if (!status) status = hone_emit(&out, list, 2, &options, err);
    hone_strbuf_fini(&out);
    hone_recording_free(recording);
    return status;
}

static void emitting_survives_every_failing_allocation(void **state)
{
    (void)state;
    char sgemm[] = GOLDEN "sgemm_h200.jsonl", odd[] = GOLDEN "odd.jsonl";
    oom_check(load_and_emit, sgemm);
    oom_check(load_and_emit, odd);
}

static enum hone_status append_all(struct hone_journal *journal,
                                   const struct hone_recording *recording,
                                   struct hone_error *err)
{
    enum hone_status status = HONE_OK;
    for (size_t i = 0; i < hone_recording_count(recording) && !status; i++) {
        uint16_t choices[16];
        const struct hone_trial *trial = hone_recording_trial(recording, i);
        hone_space_choices(hone_recording_space(recording), trial->index, choices);
        status = hone_journal_append(journal, trial, choices, err);
    }
    return status;
}

static enum hone_status write_and_resume(void *context, struct hone_error *err)
{
    struct hone_recording *recording = context, *done = NULL;
    const struct hone_record_info *info = hone_recording_info(recording);
    struct hone_journal *journal = NULL;
    unlink(written);
    enum hone_status status = hone_journal_create(&journal, written, info, 0, err);
    if (!status) status = append_all(journal, recording, err);
    enum hone_status closed = hone_journal_close(journal, err);
    journal = NULL;
    if (!status) status = closed;
    if (!status) status = hone_journal_resume(&journal, &done, written, info, 0, err);
    if (!status)
        assert_int_equal(hone_recording_count(done), hone_recording_count(recording));
    closed = hone_journal_close(journal, err);
    hone_recording_free(done);
    unlink(written);
    return status ? status : closed;
}

static void journals_survive_every_failing_allocation(void **state)
{
    (void)state;
    struct hone_recording *recording = NULL;
    struct hone_error err = {0};
    snprintf(written, sizeof written, "/tmp/hone-oom-%ld.jsonl", (long)getpid());
    assert_ok(hone_recording_load(&recording, GOLDEN "sgemm_h200.jsonl", &err), err);
    oom_check(write_and_resume, recording);
    hone_recording_free(recording);
}

static enum hone_status emit_defaults(void *context, struct hone_error *err)
{
    struct hone_strbuf out = HONE_STRBUF_INIT;
    const struct hone_emit_options options = {.name = "x"};
    enum hone_status status = hone_emit_defaults(&out, context, &options, err);
    if (!status) assert_non_null(strstr(out.data, "NOT TUNED"));
    hone_strbuf_fini(&out);
    return status;
}

static void untuned_headers_survive_every_failing_allocation(void **state)
{
    (void)state;
    static const struct hone_value values[] = {{.type = HONE_INT, .i = 1},
                                               {.type = HONE_INT, .i = 2}};
    static const struct hone_param params[] = {{"A", values, 2}, {"B", values, 2}};
    static const struct hone_derived derived[] = {{"SIZE", "A * N", 0}};
    static const uint16_t defaults[] = {1, 0};
    const struct hone_constant problem = {"N", values[1]};
    struct hone_record_info info = {.kernel = "k",
                                    .params = params,
                                    .param_count = 2,
                                    .problem = &problem,
                                    .problem_count = 1,
                                    .defaults = defaults,
                                    .derived = derived,
                                    .derived_count = 1,
                                    .grid = {"SIZE"},
                                    .block = {"32 * B"}};
    oom_check(emit_defaults, &info);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(emitting_survives_every_failing_allocation),
    cmocka_unit_test(untuned_headers_survive_every_failing_allocation),
    cmocka_unit_test(journals_survive_every_failing_allocation),
};

HONE_TEST_MAIN(tests)
