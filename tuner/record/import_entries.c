// The entries of an imported file: each becomes a trial, or is lost with a reason.
#include "import.h"

#include "base/grow.h"

void hone_import_lose(struct hone_import *import, const struct hone_json_item *item,
                      const char *why)
{
    enum { KEY_MAX = 60 };
    import->lost++;
    if (item->key)
        hone_import_say_at(import, item->line, "entry '%.*s': %s",
                           (int)(item->key_len < KEY_MAX ? item->key_len : KEY_MAX),
                           item->key, why);
    else
        hone_import_say_at(import, item->line, "%s", why);
}

static enum hone_status make_room(struct hone_import *import, struct hone_error *err)
{
    if (import->count < import->cap) return HONE_OK;
    const size_t row = import->info.param_count * sizeof *import->choices;
    size_t cap = import->cap, choices_cap = import->cap;
    if (!hone_grow(&import->choices, &choices_cap, import->count + 1, 256, row) ||
        !HONE_GROW(&import->trials, &cap, import->count + 1, 256))
        return hone_import_no_memory(import, err);
    import->cap = cap;
    return HONE_OK;
}

enum hone_status hone_import_keep(struct hone_import *import,
                                  const struct hone_trial *trial, const json_t *values,
                                  struct hone_error *err)
{
    enum hone_status status = make_room(import, err);
    if (status != HONE_OK) return status;
    json_t *config = json_array();
    for (size_t i = 0; i < import->info.param_count && status == HONE_OK; i++) {
        const char *name = import->info.params[i].name;
        json_t *value = json_object_get(values, name);
        if (!value)
            status = hone_fail(err, HONE_EINPUT, "it has no value for '%s'", name);
        else if (json_array_append(config, value))
            status = hone_import_no_memory(import, err);
    }
    uint16_t *row = import->choices + import->count * import->info.param_count;
    if (status == HONE_OK)
        status = hone_choice_table_read(&import->table, config, row, err);
    json_decref(config);
    if (status == HONE_OK) import->trials[import->count++] = *trial;
    return status;
}

// What one entry's failure means for the walk.
static enum hone_status settle(struct hone_import *import,
                               const struct hone_json_item *item,
                               const struct hone_error *inner, struct hone_error *err)
{
    if (inner->code == HONE_OK) return HONE_OK;
    if (inner->code != HONE_EINPUT) return hone_error_pass(err, inner->code, inner);
    hone_import_lose(import, item, inner->text);
    if (import->lost > HONE_IMPORT_DAMAGE_MAX && !import->count)
        return hone_fail_at(err, HONE_EINPUT, import->path, (int)item->line,
                            "none of the first %zu entries is sound: %s", import->lost,
                            inner->text);
    return HONE_OK;
}

// Whether it is JSON at all.
static bool read_item(struct hone_import *import, const struct hone_json_item *item,
                      hone_import_entry *read, void *context, struct hone_error *err)
{
    json_error_t why;
    json_t *entry = item->whole ? hone_json_item_parse(item, &why) : NULL;
    if (json_is_object(entry))
        read(import, entry, item, context, err);
    else
        hone_fail(err, HONE_EINPUT, "%s",
                  !item->whole ? "it breaks off"
                  : entry      ? "it is no object"
                               : why.text);
    const bool is_json = entry;
    json_decref(entry);
    return is_json;
}

enum hone_status hone_import_entries(struct hone_import *import,
                                     const struct hone_import_text *text,
                                     hone_import_entry *read, void *context,
                                     struct hone_error *err)
{
    struct hone_json_scan scan = hone_json_scan_of(&text->big);
    struct hone_json_item item;
    size_t torn = 0;
    if (!hone_json_scan_enter(&scan, '{') && !hone_json_scan_enter(&scan, '['))
        return hone_fail_at(err, HONE_EINPUT, import->path, (int)text->big.line,
                            "'%s' must hold entries", text->big_key);
    while (hone_json_scan_next(&scan, &item)) {
        struct hone_error inner = {0};
        const bool is_json = read_item(import, &item, read, context, &inner);
        const enum hone_status status = settle(import, &item, &inner, err);
        if (status != HONE_OK) return status;
        if (is_json) continue;
        // A bracket that is missing or too many makes all that follows doubtful.
        if (!hone_json_scan_resume(&scan, &item)) break;
        if (++torn == HONE_IMPORT_DAMAGE_MAX) {
            hone_import_say_at(import, item.line,
                               "too much damage, the rest is left out");
            break;
        }
    }
    return HONE_OK;
}
