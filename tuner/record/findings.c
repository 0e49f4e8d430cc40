// "finding":"race","place":"k.cu:12" of a trial; "waive" of the first line lists waivers,
// and "waived" of a trial counts by their numbers, from 1, what each let pass.
#include "findings.h"

#include <stdio.h>
#include <string.h>

#include "base/place.h"
#include "json.h"

// --- waivers ---

static int put_text(json_t *object, const char *key, const char *text)
{
    return text ? json_object_set_new_nocheck(object, key, json_string(text)) : 0;
}

static json_t *waiver_write(const struct hone_waiver *waiver)
{
    json_t *item = json_object();
    int failed = put_text(item, "finding", hone_finding_name(waiver->finding));
    if (waiver->file)
        failed |= json_object_set_new(
            item, "at", json_sprintf("%s:%u", waiver->file, (unsigned)waiver->line));
    failed |= put_text(item, "buffer", waiver->buffer);
    failed |= put_text(item, "reason", waiver->reason);
    if (!failed) return item;
    json_decref(item);
    return NULL;
}

json_t *hone_waive_list_write(const struct hone_record_info *info)
{
    json_t *list = json_array();
    int failed = 0;
    for (size_t i = 0; i < info->waiver_count; i++)
        failed |= json_array_append_new(list, waiver_write(&info->waivers[i]));
    if (!failed) return list;
    json_decref(list);
    return NULL;
}

static enum hone_status waiver_read(struct hone_waiver *waiver, const json_t *item,
                                    struct hone_arena *arena, struct hone_error *err)
{
    const char *finding = json_string_value(json_object_get(item, "finding"));
    const char *at = json_string_value(json_object_get(item, "at"));
    const char *buffer = json_string_value(json_object_get(item, "buffer"));
    const char *reason = json_string_value(json_object_get(item, "reason"));
    size_t length = 0;
    if (!finding || !reason || !at == !buffer ||
        (at && !hone_place_split(at, strlen(at), &length, &waiver->line)))
        return hone_fail(err, HONE_EINPUT,
                         "'waive' must be a list of waivers with finding, reason, and at "
                         "or buffer");
    hone_finding_parse(&waiver->finding, finding);
    waiver->reason = hone_arena_strdup(arena, reason);
    if (at)
        waiver->file = hone_arena_printf(arena, "%.*s", (int)length, at);
    else
        waiver->buffer = hone_arena_strdup(arena, buffer);
    if (waiver->reason && (waiver->file || waiver->buffer)) return HONE_OK;
    return hone_no_memory(err, "reading waivers");
}

enum hone_status hone_waive_list_read(struct hone_record_info *info, const json_t *list,
                                      struct hone_arena *arena, struct hone_error *err)
{
    const size_t count = json_array_size(list);
    if (!list) return HONE_OK;
    if (!json_is_array(list) || count > HONE_WAIVER_MAX)
        return hone_fail(err, HONE_EINPUT, "'waive' must be a list of at most %d waivers",
                         HONE_WAIVER_MAX);
    struct hone_waiver *waivers = hone_arena_array(arena, count, sizeof *waivers);
    if (!waivers && count) return hone_no_memory(err, "reading waivers");
    for (size_t i = 0; i < count; i++) {
        enum hone_status status =
            waiver_read(&waivers[i], json_array_get(list, i), arena, err);
        if (status != HONE_OK) return status;
    }
    info->waivers = waivers;
    info->waiver_count = count;
    return HONE_OK;
}

// --- trials ---

static int waived_write(json_t *line, const struct hone_trial *trial)
{
    json_t *list = json_array();
    int failed = 0;
    for (size_t i = 0; i < HONE_WAIVER_MAX; i++)
        if (trial->waived[i])
            failed |= json_array_append_new(
                list, json_pack("{s:i, s:I}", "waiver", (int)i + 1, "count",
                                (json_int_t)trial->waived[i]));
    if (json_array_size(list)) return failed | json_object_set_new(line, "waived", list);
    json_decref(list);
    return failed;
}

int hone_found_write(json_t *line, const struct hone_trial *trial)
{
    const struct hone_found *found = trial->found;
    char place[sizeof found->file + 16];
    int failed = waived_write(line, trial);
    if (found->finding == HONE_FINDING_NONE) return failed;
    failed |= put_text(line, "finding", hone_finding_name(found->finding));
    snprintf(place, sizeof place, "%s:%u", found->file, (unsigned)found->line);
    if (found->line)
        failed |= json_object_set_new(line, "place", hone_json_lossy_string(place));
    if (found->buffer[0])
        failed |=
            json_object_set_new(line, "buffer", hone_json_lossy_string(found->buffer));
    return failed;
}

static enum hone_status waived_read(struct hone_trial_notes *notes, const json_t *list,
                                    struct hone_error *err)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *item = json_array_get(list, i);
        const json_int_t number = json_integer_value(json_object_get(item, "waiver"));
        const json_int_t count = json_integer_value(json_object_get(item, "count"));
        if (number < 1 || number > HONE_WAIVER_MAX || count < 1 || count > UINT32_MAX)
            return hone_fail(err, HONE_EINPUT,
                             "'waived' must be a list of waivers' numbers, 1 to %d, with "
                             "their counts",
                             HONE_WAIVER_MAX);
        notes->waived[number - 1] = (uint32_t)count;
    }
    return HONE_OK;
}

enum hone_status hone_found_read(struct hone_trial_notes *notes, const json_t *line,
                                 struct hone_error *err)
{
    struct hone_found *found = &notes->found;
    const char *finding = json_string_value(json_object_get(line, "finding"));
    const char *place = json_string_value(json_object_get(line, "place"));
    const char *buffer = json_string_value(json_object_get(line, "buffer"));
    size_t length;
    if (finding) hone_finding_parse(&found->finding, finding);
    if (place && hone_place_split(place, strlen(place), &length, &found->line))
        snprintf(found->file, sizeof found->file, "%.*s", (int)length, place);
    if (buffer) snprintf(found->buffer, sizeof found->buffer, "%s", buffer);
    return waived_read(notes, json_object_get(line, "waived"), err);
}
