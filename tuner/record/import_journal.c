// A damaged journal: hone_recording_load refuses it as a whole, here its sound lines are
// kept and the others named.
#include <string.h>

#include "header.h"
#include "import.h"
#include "json.h"

static enum hone_status read_line(struct hone_import *import, const char *line,
                                  size_t len, size_t number, struct hone_error *err)
{
    const struct hone_json_item item = {
        .value = line, .value_len = len, .line = number, .whole = true};
    struct hone_error inner = {0};
    struct hone_trial trial;
    json_error_t why;
    json_t *json = hone_json_read(line, len, 0, &why), *values = json_object();
    enum hone_status status = HONE_OK;
    if (!json)
        status = hone_fail(&inner, HONE_EINPUT, "%s", why.text);
    else
        status =
            hone_trial_read(&trial, json, &import->metric_names, &import->arena, &inner);
    const json_t *config = json_object_get(json, "config");
    const size_t count = import->info.param_count;
    if (status == HONE_OK && json_array_size(config) != count)
        status = hone_fail(&inner, HONE_EINPUT, "'config' has %zu values, not %zu",
                           json_array_size(config), count);
    for (size_t i = 0; i < count && status == HONE_OK; i++)
        json_object_set(values, import->info.params[i].name, json_array_get(config, i));
    if (status == HONE_OK) status = hone_import_keep(import, &trial, values, &inner);
    json_decref(values);
    json_decref(json);
    if (status == HONE_EINPUT) {
        hone_import_lose(import, &item, inner.text);
        return HONE_OK;
    }
    return hone_error_pass(err, status, &inner);
}

enum hone_status hone_import_read_journal(struct hone_import *import,
                                          const struct hone_import_text *text,
                                          struct hone_error *err)
{
    enum hone_status status =
        hone_header_read(&import->info, text->members, import->path, &import->arena, err);
    if (status == HONE_OK)
        status = hone_import_set_params(import, import->info.params,
                                        import->info.param_count, err);
    // The walk over the root object took each line's stray bytes for damage of the
    // header.
    import->note_count = 0;
    const char *end = text->data + text->size;
    size_t number = 1;
    for (const char *p = text->data; p < end && status == HONE_OK; number++) {
        const char *newline = memchr(p, '\n', (size_t)(end - p));
        const size_t len = (size_t)((newline ? newline : end) - p);
        if (number > 1 && len) status = read_line(import, p, len, number, err);
        p += len + 1;
    }
    return status;
}
