#include "tuning/journal_settings.h"

#include <stdlib.h>
#include <string.h>

enum { NUMBER_MAX = 32 }; // more than the longest number or boolean

static size_t text_size(const struct hone_record_info *info)
{
    size_t size = 1;
    for (size_t i = 0; i < info->problem_count; i++) {
        const struct hone_value *value = &info->problem[i].value;
        size += value->type == HONE_STRING ? strlen(value->s) + 1 : NUMBER_MAX;
    }
    return size;
}

enum hone_status hone_journal_settings_new(struct hone_journal_settings *out,
                                           const struct hone_record_info *info,
                                           size_t more, struct hone_error *err)
{
    static const struct hone_record_info nothing = {0};
    if (!info) info = &nothing;
    size_t left = text_size(info);
    *out = (struct hone_journal_settings){
        .set = calloc(info->problem_count + more + 1, sizeof *out->set),
        .text = calloc(left, 1)};
    if (!out->set || !out->text)
        return hone_no_memory(err, "for the settings of a script");
    char *text = out->text;
    for (size_t i = 0; i < info->problem_count; i++) {
        const struct hone_constant *size = &info->problem[i];
        const size_t length = hone_value_print(text, left, size->value);
        // No text is what a script has without being told.
        if (length == 0) continue;
        out->set[out->count++] = (struct hone_script_set){size->name, text};
        text += length + 1;
        left -= length + 1;
    }
    return HONE_OK;
}

void hone_journal_settings_free(struct hone_journal_settings *settings)
{
    free(settings->set);
    free(settings->text);
}
