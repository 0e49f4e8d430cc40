// Any file as a journal that becomes a page and tables: nothing in it ends a script or
// begins markup of its own, and a table has as many cells in each row.
#include <string.h>

#include "fuzz.h"
#include "page/page.h"
#include "report/table.h"

static size_t count_of(const char *text, const char *part)
{
    size_t n = 0;
    for (; (text = strstr(text, part)); text += strlen(part))
        n++;
    return n;
}

static void check_page(const struct hone_recording *recording)
{
    struct hone_strbuf page = HONE_STRBUF_INIT;
    struct hone_error err = {0};
    fuzz_must(hone_page_write(&page, &recording, 1, &err), &err);
    FUZZ_CHECK(page.len == strlen(page.data));
    FUZZ_CHECK(count_of(page.data, "<script") == 2 &&
               count_of(page.data, "</script") == 2);
    FUZZ_CHECK(count_of(page.data, "<!") == 1 && count_of(page.data, "<style") == 1);
    FUZZ_CHECK(count_of(page.data, "<article") == 1 && count_of(page.data, "<img") == 0);
    hone_strbuf_fini(&page);
}

// Cells of the row, and behind it; a cell in quotes may hold commas and ends of lines.
static size_t cells_of(const char **at)
{
    size_t n = 1;
    bool quoted = false;
    for (; **at && (quoted || **at != '\n'); (*at)++) {
        if (**at == '"') quoted = !quoted;
        n += !quoted && **at == ',';
    }
    FUZZ_CHECK(!quoted && **at == '\n');
    (*at)++;
    return n;
}

static void check_tables(const struct hone_recording *recording)
{
    struct hone_strbuf table = HONE_STRBUF_INIT;
    struct hone_error err = {0};
    fuzz_must(hone_table_write(&table, &recording, 1, HONE_TABLE_CSV, &err), &err);
    const char *at = table.data;
    const size_t cells = cells_of(&at);
    for (size_t i = 0; i < hone_recording_count(recording); i++)
        FUZZ_CHECK(cells_of(&at) == cells);
    FUZZ_CHECK(*at == '\0');
    hone_strbuf_clear(&table);
    fuzz_must(hone_table_write(&table, &recording, 1, HONE_TABLE_JSONL, &err), &err);
    FUZZ_CHECK(count_of(table.data, "\n") == hone_recording_count(recording));
    hone_strbuf_fini(&table);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct hone_recording *recording = NULL;
    struct hone_error err = {0};
    const char *path = fuzz_file("input.jsonl", data, size);
    if (!fuzz_taken(hone_recording_load(&recording, path, &err), &err)) return 0;
    for (size_t i = 0; i < hone_recording_problem_count(recording); i++) {
        check_page(hone_recording_problem(recording, i));
        check_tables(hone_recording_problem(recording, i));
    }
    hone_recording_free(recording);
    return 0;
}
