#include "report/written.h"

#include "record/json_out.h"
#include "report/values.h"

struct json_t *hone_emitted_json(const char *header, const char *second,
                                 const struct hone_recordings *recordings,
                                 const struct hone_coverage *coverage)
{
    struct json_t *root = hone_json_object(), *journals = hone_json_array();
    hone_add_header_json(root, header, second, coverage);
    for (size_t i = 0; i < recordings->count; i++) {
        const struct hone_record_info *info = hone_recording_info(recordings->items[i]);
        struct json_t *journal = hone_json_object();
        hone_json_text(journal, "journal", hone_recording_path(recordings->items[i]));
        hone_json_text(journal, "kernel", info->kernel);
        hone_json_text(journal, "device", info->device_name);
        hone_json_append(journals, journal);
    }
    hone_json_child(root, "journals", journals);
    return root;
}

struct json_t *hone_built_json(const char *header, const char *second,
                               const struct hone_kept_results *results,
                               const struct hone_coverage *coverage)
{
    struct json_t *root = hone_json_object(), *journals = hone_json_array();
    hone_add_header_json(root, header, second, coverage);
    hone_json_text(root, "from", results->count ? "results" : "defaults");
    for (size_t i = 0; i < results->count; i++) {
        struct json_t *journal = hone_json_object();
        hone_json_text(journal, "journal", hone_recording_path(results->items[i]));
        hone_json_text(journal, "device",
                       hone_recording_info(results->items[i])->device_name);
        hone_json_append(journals, journal);
    }
    hone_json_child(root, "journals", journals);
    hone_json_integer(root, "refused", (int64_t)results->refused_count);
    return root;
}

struct json_t *hone_imported_json(const struct hone_import *import, const char *path,
                                  const char *output)
{
    const bool script = hone_import_is_script(import);
    struct json_t *root = hone_json_object();
    hone_json_text(root, "file", path);
    hone_json_text(root, "format", hone_format_name(hone_import_format(import)));
    hone_json_text(root, script ? "script" : "journal", output);
    hone_json_integer(root, script ? "entries" : "trials",
                      (int64_t)hone_import_count(import));
    hone_json_integer(root, "lost", (int64_t)hone_import_lost(import));
    return root;
}

struct json_t *hone_starter_json(const char *kernel,
                                 char *const paths[HONE_STARTER_FILES])
{
    struct json_t *root = hone_json_object();
    hone_json_text(root, "kernel", kernel);
    for (size_t i = 0; i < HONE_STARTER_FILES; i++)
        hone_json_text(root, hone_starter_what(i), paths[i]);
    return root;
}
