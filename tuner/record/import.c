// Importing: unpack, tell the format, let its reader fill trials, write them as a
// journal.
#include "import.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/c_text.h"
#include "base/file.h"
#include "gunzip.h"
#include "header.h"
#include "json.h"

static const char *const format_names[] = {"auto",
#define FORMAT_NAME(name, text) text,
                                           HONE_FORMAT_LIST(FORMAT_NAME)
#undef FORMAT_NAME
};

const char *hone_format_name(enum hone_format format)
{
    return format_names[format];
}

enum hone_status hone_import_no_memory(const struct hone_import *import,
                                       struct hone_error *err)
{
    return hone_no_memory(err, "reading '%s'", import->path);
}

void hone_import_say_at(struct hone_import *import, size_t line, const char *format, ...)
{
    char text[256];
    va_list args;
    if (import->note_count == HONE_IMPORT_NOTES) return;
    va_start(args, format);
    hone_vsnprintf(text, sizeof text, format, args);
    va_end(args);
    const char *note = hone_arena_strdup(&import->arena, text);
    if (note) import->notes[import->note_count++] = (struct hone_import_note){line, note};
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
        hone_import_say_at(import, item->line, "'%.*s' cannot be read",
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
        if (!base) return hone_import_no_memory(import, err);
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

struct hone_import_note hone_import_note(const struct hone_import *import, size_t i)
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
