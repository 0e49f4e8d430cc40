#include "tuning/parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/log.h"
#include "expr/value_text.h"
#include "tuning/script_sets.h"

enum hone_status hone_recording_load_noted(struct hone_recording **out, const char *path,
                                           struct hone_error *err)
{
    enum hone_status status = hone_recording_load(out, path, err);
    if (status == HONE_OK && *hone_recording_notice(*out))
        hone_log(HONE_LOG_WARNING, "%s: %s", path, hone_recording_notice(*out));
    return status;
}

enum hone_status hone_recordings_load(struct hone_recordings *out,
                                      const char *const *paths, size_t count,
                                      struct hone_error *err)
{
    enum hone_status status = HONE_OK;
    *out = (struct hone_recordings){.items = calloc(count + 1, sizeof *out->items)};
    if (!out->items) return hone_no_memory(err, "for recordings");
    for (size_t i = 0; i < count && status == HONE_OK; i++) {
        status = hone_recording_load_noted(&out->items[i], paths[i], err);
        out->count += status == HONE_OK;
    }
    return status;
}

void hone_recordings_fini(struct hone_recordings *recordings)
{
    for (size_t i = 0; i < recordings->count; i++)
        hone_recording_free(recordings->items[i]);
    free(recordings->items);
    *recordings = (struct hone_recordings){0};
}

enum hone_status hone_parts_load(struct hone_parts *out, const char *const *paths,
                                 size_t count, struct hone_error *err)
{
    size_t total = 0;
    *out = (struct hone_parts){0};
    enum hone_status status = hone_recordings_load(&out->files, paths, count, err);
    if (status != HONE_OK) return status;
    for (size_t i = 0; i < count; i++)
        total += hone_recording_problem_count(out->files.items[i]);
    out->items = calloc(total + 1, sizeof *out->items);
    if (!out->items) return hone_no_memory(err, "for recordings");
    for (size_t i = 0; i < count; i++)
        for (size_t p = 0; p < hone_recording_problem_count(out->files.items[i]); p++)
            out->items[out->count++] = hone_recording_problem(out->files.items[i], p);
    return HONE_OK;
}

void hone_parts_fini(struct hone_parts *parts)
{
    hone_recordings_fini(&parts->files);
    free(parts->items);
    *parts = (struct hone_parts){0};
}

void hone_problem_text(struct hone_strbuf *out, const struct hone_record_info *info)
{
    hone_problem_text_of(out, info, 0);
}

// The first problem is the one that the first line is of.
void hone_problem_text_of(struct hone_strbuf *out, const struct hone_record_info *info,
                          size_t number)
{
    for (size_t i = 0; i < info->problem_count; i++) {
        char scratch[HONE_NUMBER_TEXT];
        const struct hone_value value =
            number ? info->problems[number].values[i] : info->problem[i].value;
        hone_strbuf_printf(out, "%s%s=%s", i ? " " : "", info->problem[i].name,
                           hone_value_in_full(scratch, value));
    }
}

static void add_part_name(struct hone_strbuf *out, const char *path,
                          const struct hone_recording *part)
{
    const char *base = hone_path_base(path), *ending = strrchr(base, '.');
    const bool known = ending && strcmp(ending, ".jsonl") == 0;
    hone_strbuf_add_bytes(out, base, known ? (size_t)(ending - base) : strlen(base));
    if (hone_recording_info(part)->problems_count > 1) {
        hone_strbuf_add(out, " ");
        hone_problem_text(out, hone_recording_info(part));
    }
}

enum hone_status hone_parts_visit(
    const char *path,
    enum hone_status (*visit)(void *context, const char *name,
                              const struct hone_recording *part, struct hone_error *err),
    void *context, struct hone_error *err)
{
    struct hone_recording *whole = NULL;
    struct hone_strbuf name = HONE_STRBUF_INIT;
    enum hone_status status = hone_recording_load_noted(&whole, path, err);
    const size_t count = status == HONE_OK ? hone_recording_problem_count(whole) : 0;
    for (size_t p = 0; p < count && status == HONE_OK; p++) {
        const struct hone_recording *part = hone_recording_problem(whole, p);
        hone_strbuf_clear(&name);
        add_part_name(&name, path, part);
        status = name.failed ? hone_no_memory(err, "for the name of a recording")
                             : visit(context, name.data, part, err);
    }
    hone_strbuf_fini(&name);
    hone_recording_free(whole);
    return status;
}

static bool has_size(const struct hone_record_info *info,
                     const struct hone_script_set *size)
{
    for (size_t i = 0; i < info->problem_count; i++)
        if (strcmp(info->problem[i].name, size->name) == 0)
            return size->value && hone_value_is(info->problem[i].value, size->value);
    return false;
}

static bool has_sizes(const struct hone_record_info *info,
                      const struct hone_script_set *set, size_t set_count)
{
    for (size_t i = 0; i < set_count; i++)
        if (!has_size(info, &set[i])) return false;
    return true;
}

// All problems but the part's own (NULL: all of them), as far as a message has room.
static void list_problems(struct hone_strbuf *out, const struct hone_recording *whole,
                          const struct hone_recording *but)
{
    const char *before = "";
    for (size_t p = 0; p < hone_recording_problem_count(whole); p++) {
        const struct hone_recording *part = hone_recording_problem(whole, p);
        if (part == but) continue;
        hone_strbuf_add(out, before);
        hone_problem_text(out, hone_recording_info(part));
        before = ", ";
    }
}

static enum hone_status refuse(const struct hone_recording *whole, size_t found,
                               struct hone_error *err)
{
    struct hone_strbuf text = HONE_STRBUF_INIT;
    list_problems(&text, whole, NULL);
    enum hone_status status = hone_fail_at(
        err, HONE_EUSAGE, hone_recording_path(whole), 1, "%s by --set: it is of %.300s",
        found ? "more than one problem is meant" : "no problem has the sizes given",
        text.len ? text.data : "one without sizes");
    hone_strbuf_fini(&text);
    return status;
}

enum hone_status hone_part_of(const struct hone_recording **out,
                              const struct hone_recording *whole,
                              const struct hone_script_set *set, size_t set_count,
                              struct hone_error *err)
{
    const size_t count = hone_recording_problem_count(whole);
    size_t found = 0;
    for (size_t p = count; p-- > 0;) {
        const struct hone_recording *part = hone_recording_problem(whole, p);
        if (!has_sizes(hone_recording_info(part), set, set_count)) continue;
        *out = part;
        found++;
    }
    if (!found || (found > 1 && set_count)) return refuse(whole, found, err);
    if (found > 1) {
        struct hone_strbuf text = HONE_STRBUF_INIT;
        list_problems(&text, whole, *out);
        hone_log(HONE_LOG_WARNING, "%s: the first of %zu problems; --set for %.300s",
                 hone_recording_path(whole), count, text.len ? text.data : "");
        hone_strbuf_fini(&text);
    }
    return HONE_OK;
}

enum hone_status hone_part_of_texts(const struct hone_recording **out,
                                    const struct hone_recording *whole,
                                    const char *const *texts, size_t count,
                                    struct hone_error *err)
{
    struct hone_script_set *set = NULL;
    char *text = NULL;
    enum hone_status status = hone_script_sets_split(&set, &text, texts, count, err);
    if (status == HONE_OK) status = hone_part_of(out, whole, set, count, err);
    free(set);
    free(text);
    return status;
}
