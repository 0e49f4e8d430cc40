// Any file as one of another tuner: a Kernel Tuner cache, T4, T1 or a damaged journal,
// packed by gzip or not. What is read from it can be written: a journal that loads, is
// exported and read again, or a script that runs.
#include <string.h>

#include "base/file.h"
#include "fuzz.h"
#include "hone/exchange.h"
#include "hone/script.h"
#include "hone/strbuf.h"

static const struct hone_limits limits = {.name = "test", .arch = "sm_90a"};

static void run_script(const char *path)
{
    const struct hone_script_options options = {.limits = &limits};
    struct hone_script *script = NULL;
    struct hone_error err = {0};
    fuzz_taken(hone_script_load(&script, path, &options, &err), &err);
    hone_script_free(script);
}

// What another tuner's form cannot hold is refused; what it holds comes back.
static void exchange(const struct hone_recording *recording, enum hone_format format)
{
    const struct hone_import_options options = {.format = format};
    struct hone_strbuf out = HONE_STRBUF_INIT;
    struct hone_import *import = NULL;
    struct hone_error err = {0};
    if (fuzz_taken(hone_export(&out, recording, format, &err), &err)) {
        const char *path = fuzz_file("exported.json", (const uint8_t *)out.data, out.len);
        fuzz_must(hone_import_load(&import, path, &options, &err), &err);
        FUZZ_CHECK(hone_import_count(import) == hone_recording_count(recording));
        hone_import_free(import);
    }
    hone_strbuf_fini(&out);
}

static void use_journal(const char *path)
{
    struct hone_recording *recording = NULL;
    struct hone_error err = {0};
    fuzz_must(hone_recording_load(&recording, path, &err), &err);
    exchange(recording, HONE_FORMAT_KERNEL_TUNER);
    exchange(recording, HONE_FORMAT_T4);
    hone_recording_free(recording);
}

static void import_as(const char *path, enum hone_format format)
{
    const struct hone_import_options options = {.format = format};
    struct hone_import *import = NULL;
    struct hone_error err = {0};
    if (!fuzz_taken(hone_import_load(&import, path, &options, &err), &err)) return;
    const bool script = hone_import_is_script(import);
    const char *written = fuzz_no_file(script ? "written.lua" : "written.jsonl");
    for (size_t i = 0; i < hone_import_note_count(import); i++)
        FUZZ_CHECK(hone_import_note(import, i).text[0]);
    if (fuzz_taken(hone_import_write(import, written, &err), &err)) {
        if (script)
            run_script(written);
        else
            use_journal(written);
    }
    hone_import_free(import);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *path = fuzz_file("input.json", data, size);
    import_as(path, HONE_FORMAT_AUTO);
    import_as(path, (enum hone_format)(1 + size % HONE_FORMAT_T1));
    return 0;
}
