#include "tuning/script_sets.h"
#include "expr/value_text.h"

#include <stdlib.h>
#include <string.h>

enum hone_status hone_script_sets_split(struct hone_script_set **out, char **text,
                                        const char *const *texts, size_t count,
                                        struct hone_error *err)
{
    size_t bytes = 1;
    for (size_t i = 0; i < count; i++)
        bytes += strlen(texts[i]) + 1;
    char *p = *text = calloc(1, bytes);
    *out = calloc(count + 1, sizeof **out);
    if (!p || !*out) return hone_no_memory(err, "for settings");
    for (size_t i = 0; i < count; i++) {
        const size_t len = strlen(texts[i]) + 1;
        memcpy(p, texts[i], len);
        char *equals = strchr(p, '=');
        if (equals) *equals++ = '\0';
        (*out)[i] = (struct hone_script_set){.name = p, .value = equals};
        p += len;
    }
    return HONE_OK;
}

enum hone_status hone_script_sets_check(const char *const *texts, size_t count,
                                        struct hone_error *err)
{
    for (size_t i = 0; i < count; i++) {
        const char *text = texts[i], *equals = strchr(text, '=');
        if (!equals || equals == text) // a text may be empty
            return hone_fail(err, HONE_EUSAGE, "--set wants NAME=VALUE, got '%s'", text);
    }
    return HONE_OK;
}

// Texts of numbers lie behind the sets, others are the journal's.
enum hone_status hone_problem_sets(struct hone_script_set **out,
                                   const struct hone_record_info *info,
                                   struct hone_error *err)
{
    const size_t count = info->problem_count;
    struct hone_script_set *sets = calloc(count + 1, sizeof *sets + HONE_NUMBER_TEXT);
    *out = sets;
    if (!sets) return hone_no_memory(err, "for the problem of a journal");
    char(*numbers)[HONE_NUMBER_TEXT] =
        (char(*)[HONE_NUMBER_TEXT])(void *)(sets + count + 1);
    for (size_t i = 0; i < count; i++)
        sets[i] = (struct hone_script_set){
            info->problem[i].name,
            hone_value_in_full(numbers[i], info->problem[i].value)};
    return HONE_OK;
}
