// Any file as a journal of which a header is emitted, alone and with the defaults of its
// first line. What is emitted is a header of the same rows when it is read back.
#include <string.h>

#include "emit/shipped.h"
#include "fuzz.h"
#include "hone/emit.h"
#include "hone/strbuf.h"

static void read_back(const struct hone_strbuf *header)
{
    static const char untuned[] = "/* The default configuration "; // no rows to read
    if (strncmp(header->data, untuned, sizeof untuned - 1) == 0) return;
    struct hone_shipped shipped;
    struct hone_error err = {0};
    const char *path = fuzz_file("emitted.h", (const uint8_t *)header->data, header->len);
    fuzz_must(hone_shipped_load(&shipped, path, &err), &err);
    FUZZ_CHECK(shipped.count > 0);
    hone_shipped_fini(&shipped);
}

static bool names_null(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    const bool found = strstr(text, "(null)") || strlen(text) < size;
    free(text);
    return found;
}

static void emit(const struct hone_recording *recording)
{
    const struct hone_emit_options options = {.accept_predicted = true};
    const struct hone_record_info *info = hone_recording_info(recording);
    struct hone_strbuf out = HONE_STRBUF_INIT, defaults = HONE_STRBUF_INIT;
    struct hone_error err = {0};
    if (fuzz_taken(hone_emit(&out, &recording, 1, &options, &err), &err)) {
        FUZZ_CHECK(!strstr(out.data, "(null)")); // of printf: no input here has it
        read_back(&out);
    }
    fuzz_taken(hone_emit_defaults(&defaults, info, &options, &err), &err);
    hone_strbuf_fini(&out);
    hone_strbuf_fini(&defaults);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct hone_recording *recording = NULL;
    struct hone_error err = {0};
    const char *path = fuzz_file("input.jsonl", data, size);
    if (names_null(data, size)) return 0;
    if (!fuzz_taken(hone_recording_load(&recording, path, &err), &err)) return 0;
    emit(recording);
    hone_recording_free(recording);
    return 0;
}
