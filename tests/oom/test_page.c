// A page of two journals under memory that runs out anywhere.
#include "hone_test.h"
#include "oom.h"
#include "page/page.h"
#include "report/table.h"

#define GOLDEN HONE_SOURCE_DIR "/tests/golden/"

static enum hone_status write_page(void *context, struct hone_error *err)
{
    struct hone_strbuf page = HONE_STRBUF_INIT;
    const enum hone_status status = hone_page_write(&page, context, 2, err);
    hone_strbuf_fini(&page);
    return status;
}

static enum hone_status write_tables(void *context, struct hone_error *err)
{
    enum hone_status status = HONE_OK;
    for (int form = 0; form < 2 && status == HONE_OK; form++) {
        struct hone_strbuf table = HONE_STRBUF_INIT;
        status = hone_table_write(&table, context, 2, (enum hone_table_form)form, err);
        hone_strbuf_fini(&table);
    }
    return status;
}

static void a_page_survives_every_failing_allocation(void **state)
{
    (void)state;
    static const char *const paths[] = {GOLDEN "sgemm_h200_small.jsonl",
                                        GOLDEN "sgemm_emu.jsonl"};
    struct hone_recording *recordings[2] = {NULL};
    struct hone_error err = {0};
    for (size_t i = 0; i < 2; i++)
        assert_ok(hone_recording_load(&recordings[i], paths[i], &err), err);
    oom_check(write_page, recordings);
    oom_check(write_tables, recordings);
    for (size_t i = 0; i < 2; i++)
        hone_recording_free(recordings[i]);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_page_survives_every_failing_allocation),
};
HONE_TEST_MAIN(tests)
