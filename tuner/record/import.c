// Importing: unpack, tell the format, let its reader fill trials, write them as a
// journal.
#include "import.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/c_text.h"
#include "base/file.h"
#include "base/grow.h"
#include "base/hash.h"
#include "base/hash_table.h"
#include "base/identifier.h"
#include "gunzip.h"
#include "header.h"
#include "json.h"

static const char *const format_names[] = {"auto",
#define FORMAT_NAME(name, text) text,
                                           HONE_FORMAT_LIST(FORMAT_NAME)
#undef FORMAT_NAME
};
enum { FORMAT_COUNT = sizeof format_names / sizeof *format_names };

const char *hone_format_name(enum hone_format format)
{
    return format_names[format];
}

enum hone_status hone_format_parse(enum hone_format *out, const char *name,
                                   struct hone_error *err)
{
    for (size_t i = 0; i < FORMAT_COUNT; i++) {
        if (strcmp(format_names[i], name) != 0) continue;
        *out = (enum hone_format)i;
        return HONE_OK;
    }
    return hone_fail(err, HONE_EUSAGE,
                     "unknown format '%s'; there are kernel_tuner, t4, hone and t1",
                     name);
}

static enum hone_status no_memory(const struct hone_import *import,
                                  struct hone_error *err)
{
    return hone_no_memory(err, "reading '%s'", import->path);
}

void hone_import_say(struct hone_import *import, const char *format, ...)
{
    char text[256];
    va_list args;
    if (import->note_count == HONE_IMPORT_NOTES) return;
    va_start(args, format);
    hone_vsnprintf(text, sizeof text, format, args);
    va_end(args);
    const char *note = hone_arena_strdup(&import->arena, text);
    if (note) import->notes[import->note_count++] = note;
}

void hone_import_lose(struct hone_import *import, const struct hone_json_item *item,
                      const char *why)
{
    enum { KEY_MAX = 60 };
    import->lost++;
    if (item->key)
        hone_import_say(import, "line %zu: entry '%.*s': %s", item->line,
                        (int)(item->key_len < KEY_MAX ? item->key_len : KEY_MAX),
                        item->key, why);
    else
        hone_import_say(import, "line %zu: %s", item->line, why);
}

enum hone_status hone_import_set_params(struct hone_import *import,
                                        const struct hone_param *params, size_t count,
                                        struct hone_error *err)
{
    struct hone_space *space = NULL;
    struct hone_error inner = {0};
    import->info.params = params;
    import->info.param_count = count;
    enum hone_status status =
        hone_choice_table_init(&import->table, params, count, &import->arena, &inner);
    if (status == HONE_OK)
        status = hone_space_from_list(&space, params, count, NULL, 0, &inner);
    hone_space_free(space);
    return status != HONE_OK
               ? hone_fail_at(err, status, import->path, 0, "%s", inner.text)
               : HONE_OK;
}

static uint64_t hash_of(struct hone_value value)
{
    if (value.type == HONE_STRING) return hone_hash64(value.s, strlen(value.s));
    if (value.type == HONE_BOOL) return value.b;
    return hone_hash64(&value.i, sizeof value.i); // of a float its bits
}

// Whether an equal one is among those that were seen; 1 and 1.0 are. wanted is canonical.
static bool stands_before(const struct hone_hash_table *seen,
                          const struct hone_value *values, struct hone_value wanted)
{
    struct hone_probe probe = hone_hash_table_probe(seen, hash_of(wanted));
    for (uint32_t *i; (i = hone_hash_table_next(seen, &probe)) != NULL;)
        if (hone_value_same(hone_choice_canonical(values[*i]), wanted)) return true;
    return false;
}

// Fills out->values, which has room for the list.
static enum hone_status import_read_values(struct hone_import *import,
                                           struct hone_param *out,
                                           struct hone_value *values, const json_t *list,
                                           struct hone_hash_table *seen,
                                           struct hone_error *err)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *json = json_array_get(list, i);
        struct hone_value value;
        char text[64];
        if (!hone_json_to_value(&value, json, &import->arena))
            return hone_fail_at(err, HONE_EINPUT, import->path, 0,
                                "parameter '%s' has the value %s, which is no number, "
                                "text or boolean",
                                out->name, hone_json_brief(text, sizeof text, json));
        if (value.type == HONE_STRING && !value.s) return no_memory(import, err);
        const struct hone_value canonical = hone_choice_canonical(value);
        if (stands_before(seen, values, canonical))
            hone_import_say(import, "parameter '%s' lists %s twice", out->name,
                            hone_json_brief(text, sizeof text, json));
        else if (hone_hash_table_add(seen, hash_of(canonical), (uint32_t)out->count))
            values[out->count++] = value;
        else
            return no_memory(import, err);
    }
    return HONE_OK;
}

enum hone_status hone_import_param(struct hone_import *import, struct hone_param *out,
                                   const char *name, const json_t *list,
                                   struct hone_error *err)
{
    enum { VALUES_MAX = 65535 };
    const size_t count = json_array_size(list);
    if (!count || count > VALUES_MAX)
        return hone_fail_at(err, HONE_EINPUT, import->path, 0,
                            "parameter '%s' needs a list of 1 to %d values", name,
                            VALUES_MAX);
    const char *name_end = hone_identifier_end(name);
    if (!name_end || *name_end || hone_identifier_is_keyword(name))
        return hone_fail_at(err, HONE_EINPUT, import->path, 0,
                            "the parameter name '%s' is no identifier", name);
    struct hone_value *values = hone_arena_array(&import->arena, count, sizeof *values);
    *out = (struct hone_param){.name = hone_arena_strdup(&import->arena, name),
                               .values = values};
    struct hone_hash_table seen = {0};
    if (!values || !out->name) return no_memory(import, err);
    const enum hone_status status =
        import_read_values(import, out, values, list, &seen, err);
    hone_hash_table_fini(&seen);
    return status;
}

enum hone_status hone_import_problem(struct hone_import *import, const json_t *size,
                                     struct hone_error *err)
{
    const bool list = json_is_array(size);
    const size_t count = list ? json_array_size(size) : size != NULL;
    struct hone_constant *constants =
        hone_arena_array(&import->arena, count, sizeof *constants);
    if (!constants) return no_memory(import, err);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        struct hone_constant *c = &constants[kept];
        c->name = list ? hone_arena_printf(&import->arena, "size_%zu", i) : "size";
        if (!hone_json_to_value(&c->value, list ? json_array_get(size, i) : size,
                                &import->arena))
            hone_import_say(import, "problem_size %zu is no number or text", i);
        else if (!c->name || (c->value.type == HONE_STRING && !c->value.s))
            return no_memory(import, err);
        else
            kept++;
    }
    import->info.problem = constants;
    import->info.problem_count = kept;
    return HONE_OK;
}

static bool same_params(const struct hone_record_info *a,
                        const struct hone_record_info *b)
{
    if (a->param_count != b->param_count) return false;
    for (size_t i = 0; i < a->param_count; i++) {
        const struct hone_param *p = &a->params[i], *q = &b->params[i];
        if (strcmp(p->name, q->name) != 0 || p->count != q->count) return false;
        for (size_t v = 0; v < p->count; v++)
            if (!hone_value_same(p->values[v], q->values[v])) return false;
    }
    return true;
}

void hone_import_adopt_header(struct hone_import *import, const json_t *header)
{
    struct hone_record_info own;
    struct hone_error why = {0};
    if (!json_is_object(header)) return;
    if (hone_header_read(&own, header, import->path, &import->arena, &why) != HONE_OK)
        hone_import_say(import, "its member 'hone' is not used: %s", why.text);
    else if (!same_params(&own, &import->info))
        hone_import_say(import, "its member 'hone' is not used: other parameters");
    else
        import->info = own;
}

static enum hone_status make_room(struct hone_import *import, struct hone_error *err)
{
    if (import->count < import->cap) return HONE_OK;
    const size_t row = import->info.param_count * sizeof *import->choices;
    size_t cap = import->cap, choices_cap = import->cap;
    if (!hone_grow(&import->choices, &choices_cap, import->count + 1, 256, row) ||
        !HONE_GROW(&import->trials, &cap, import->count + 1, 256))
        return no_memory(import, err);
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
            status = no_memory(import, err);
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
    if (inner->code != HONE_EINPUT) return hone_fail(err, inner->code, "%s", inner->text);
    hone_import_lose(import, item, inner->text);
    if (import->lost > HONE_IMPORT_DAMAGE_MAX && !import->count)
        return hone_fail_at(err, HONE_EINPUT, import->path, (int)item->line,
                            "none of the first %zu entries is sound: %s", import->lost,
                            inner->text);
    return HONE_OK;
}

enum hone_status hone_import_entries(struct hone_import *import,
                                     const struct hone_import_text *text,
                                     hone_import_entry *read, void *context,
                                     struct hone_error *err)
{
    struct hone_json_scan scan = hone_json_scan_of(&text->big);
    struct hone_json_item item;
    enum hone_status status = HONE_OK;
    size_t torn = 0;
    if (!hone_json_scan_enter(&scan, '{') && !hone_json_scan_enter(&scan, '['))
        return hone_fail_at(err, HONE_EINPUT, import->path, (int)text->big.line,
                            "'%s' must hold entries", text->big_key);
    while (status == HONE_OK && hone_json_scan_next(&scan, &item)) {
        struct hone_error inner = {0};
        json_error_t why;
        json_t *entry = item.whole ? hone_json_item_parse(&item, &why) : NULL;
        if (json_is_object(entry))
            read(import, entry, &item, context, &inner);
        else
            hone_fail(&inner, HONE_EINPUT, "%s",
                      !item.whole ? "it breaks off"
                      : entry     ? "it is no object"
                                  : why.text);
        if (inner.code != HONE_OK) status = settle(import, &item, &inner, err);
        // A bracket that is missing or too many makes all that follows doubtful.
        if (!entry && status == HONE_OK && !hone_json_scan_resume(&scan, &item)) {
            json_decref(entry);
            break;
        }
        if (!entry && ++torn == HONE_IMPORT_DAMAGE_MAX) {
            hone_import_say(import, "line %zu: too much damage, the rest is left out",
                            item.line);
            break;
        }
        json_decref(entry);
    }
    return status;
}

static bool has_key(const struct hone_json_item *item, const char *key)
{
    return item->key_len == strlen(key) && memcmp(item->key, key, item->key_len) == 0;
}

static void keep_member(struct hone_import *import, struct hone_import_text *text,
                        const struct hone_json_item *item)
{
    json_error_t why;
    json_t *value = item->key && item->whole ? hone_json_item_parse(item, &why) : NULL;
    if (value)
        json_object_setn_new(text->members, item->key, item->key_len, value);
    else
        hone_import_say(import, "line %zu: '%.*s' cannot be read", item->line,
                        (int)(item->key_len < 60 ? item->key_len : 60),
                        item->key ? item->key : "");
}

// The members of the root object; what cannot be read is said, not fatal.
static void walk_root(struct hone_import *import, struct hone_import_text *text)
{
    struct hone_json_scan scan = {
        .pos = text->data, .end = text->data + text->size, .line = 1};
    struct hone_json_item item;
    if (!hone_json_scan_enter(&scan, '{')) return;
    while (hone_json_scan_next(&scan, &item)) {
        const bool cache = has_key(&item, "cache"), results = has_key(&item, "results");
        if (item.key && (cache || results)) {
            text->big = item;
            text->big_key = cache ? "cache" : "results";
            if (!item.whole) hone_import_say(import, "the file breaks off");
        } else if (has_key(&item, "ConfigurationSpace")) {
            text->space = item;
        } else {
            keep_member(import, text, &item);
        }
    }
}

static enum hone_format tell_format(const struct hone_import_text *text)
{
    const char *kind = json_string_value(json_object_get(text->members, "kind"));
    if (text->big_key)
        return *text->big_key == 'c' ? HONE_FORMAT_KERNEL_TUNER : HONE_FORMAT_T4;
    if (kind && strcmp(kind, "journal") == 0) return HONE_FORMAT_HONE;
    if (text->space.key) return HONE_FORMAT_T1;
    if (json_object_get(text->members, "tune_params")) return HONE_FORMAT_KERNEL_TUNER;
    return HONE_FORMAT_AUTO;
}

static enum hone_status read_text(struct hone_import *import,
                                  struct hone_import_text *text, struct hone_error *err)
{
    walk_root(import, text);
    import->format = import->options.format ? import->options.format : tell_format(text);
    switch (import->format) {
    case HONE_FORMAT_KERNEL_TUNER:
        return hone_import_read_kernel_tuner(import, text, err);
    case HONE_FORMAT_T4:
        return hone_import_read_t4(import, text, err);
    case HONE_FORMAT_HONE:
        return hone_import_read_journal(import, text, err);
    case HONE_FORMAT_T1:
        return hone_import_read_t1(import, text, err);
    case HONE_FORMAT_AUTO:
        break;
    }
    return hone_fail_at(err, HONE_EINPUT, import->path, 0,
                        "no Kernel Tuner cache, T4 file, T1 file or journal: neither "
                        "'cache', 'results' nor 'ConfigurationSpace' stands there");
}

// What the file does not tell, from the options or the file's name.
static enum hone_status fill_info(struct hone_import *import, struct hone_error *err)
{
    struct hone_record_info *info = &import->info;
    const struct hone_import_options *options = &import->options;
    if (options->kernel) info->kernel = options->kernel;
    if (options->device) info->device_name = options->device;
    if (!info->kernel) {
        char *base = hone_arena_strdup(&import->arena, hone_path_base(import->path));
        if (!base) return no_memory(import, err);
        base[strcspn(base, ".")] = '\0';
        info->kernel = *base ? base : "kernel";
        hone_import_say(import, "no kernel name: taken as '%s'", info->kernel);
    }
    if (!info->device_name) {
        info->device_name = "unknown";
        hone_import_say(import, "no device name: taken as 'unknown'");
    }
    if (!info->clock) info->clock = "event";
    if (!info->objective) info->objective = "time_us";
    if (options->complete) info->complete = true;
    if (info->complete && import->lost) {
        info->complete = false;
        hone_import_say(import, "not a whole space: entries were left out");
    }
    return HONE_OK;
}

// What is read can be written: names with hidden characters, for one, cannot.
static enum hone_status check_info(const struct hone_import *import,
                                   struct hone_error *err)
{
    json_t *header = NULL;
    enum hone_status status = hone_header_write(&header, &import->info, err);
    if (status == HONE_OK) status = hone_header_check(header, import->path, err);
    json_decref(header);
    return status;
}

enum hone_status hone_import_load(struct hone_import **out, const char *path,
                                  const struct hone_import_options *options,
                                  struct hone_error *err)
{
    struct hone_import *import = calloc(1, sizeof *import);
    struct hone_import_text text = {0};
    char *data = NULL;
    bool torn = false;
    *out = NULL;
    if (!import) return hone_no_memory(err, "reading '%s'", path);
    import->options = *options;
    import->path = hone_arena_strdup(&import->arena, path);
    enum hone_status status = HONE_OK;
    text.members = json_object();
    if (!import->path || !text.members)
        status = hone_no_memory(err, "reading '%s'", path);
    if (status == HONE_OK) status = hone_gunzip_file(&data, &text.size, &torn, path, err);
    text.data = data;
    if (status == HONE_OK && torn)
        hone_import_say(import, "the compressed file breaks off");
    if (status == HONE_OK) status = read_text(import, &text, err);
    if (status == HONE_OK && !import->script) status = fill_info(import, err);
    if (status == HONE_OK && !import->script) status = check_info(import, err);
    json_decref(text.members);
    free(data);
    if (status != HONE_OK)
        hone_import_free(import);
    else
        *out = import;
    return status;
}

void hone_import_free(struct hone_import *import)
{
    if (!import) return;
    free(import->trials);
    free(import->choices);
    hone_arena_fini(&import->arena);
    free(import);
}

enum hone_format hone_import_format(const struct hone_import *import)
{
    return import->format;
}

size_t hone_import_count(const struct hone_import *import)
{
    return import->count;
}

bool hone_import_is_script(const struct hone_import *import)
{
    return import->script != NULL;
}

size_t hone_import_lost(const struct hone_import *import)
{
    return import->lost;
}

size_t hone_import_note_count(const struct hone_import *import)
{
    return import->note_count;
}

const char *hone_import_note(const struct hone_import *import, size_t i)
{
    return import->notes[i];
}

enum hone_status hone_import_write(const struct hone_import *import, const char *path,
                                   struct hone_error *err)
{
    struct hone_journal *journal = NULL;
    if (import->script && hone_file_exists(path))
        return hone_fail(err, HONE_EUSAGE, "'%s' exists and is not overwritten", path);
    if (import->script)
        return hone_file_write(path, import->script, strlen(import->script), err);
    enum hone_status status = hone_journal_create(&journal, path, &import->info, 0, err);
    for (size_t i = 0; i < import->count && status == HONE_OK; i++)
        status = hone_journal_append(journal, &import->trials[i],
                                     import->choices + i * import->info.param_count, err);
    enum hone_status closed = hone_journal_close(journal, err);
    return status != HONE_OK ? status : closed;
}
