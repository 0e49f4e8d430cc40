#include "report/warnings.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "record/json_out.h"

void hone_warnings_fini(struct hone_warnings *warnings)
{
    for (size_t i = 0; i < warnings->count; i++)
        free(warnings->lines[i]);
    free(warnings->lines);
    warnings->lines = NULL;
    warnings->count = warnings->capacity = 0;
}

static bool is_known(const struct hone_warnings *warnings, const char *line)
{
    for (size_t i = 0; i < warnings->count; i++)
        if (strcmp(warnings->lines[i], line) == 0) return true;
    return false;
}

bool hone_warnings_add(struct hone_warnings *warnings, const char *line)
{
    enum { FIRST = 16 };
    pthread_mutex_lock(&warnings->lock);
    const bool known = is_known(warnings, line);
    char *kept = !known && HONE_GROW(&warnings->lines, &warnings->capacity,
                                     warnings->count + 1, FIRST)
                     ? strdup(line)
                     : NULL;
    if (kept) warnings->lines[warnings->count++] = kept;
    pthread_mutex_unlock(&warnings->lock);
    return !known;
}

struct json_t *hone_warnings_json(struct hone_warnings *warnings)
{
    struct json_t *array = hone_json_array();
    pthread_mutex_lock(&warnings->lock);
    for (size_t i = 0; i < warnings->count; i++)
        hone_json_append_lossy_text(array, warnings->lines[i]);
    pthread_mutex_unlock(&warnings->lock);
    return array;
}
