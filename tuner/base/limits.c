#include "hone/limits.h"

#include <string.h>

static const struct {
    const char *name;
    size_t offset;
} fields[] = {
#define HONE_LIMITS_ROW(field) {#field, offsetof(struct hone_limits, field)},
    HONE_LIMITS_LIST(HONE_LIMITS_ROW)
#undef HONE_LIMITS_ROW
};

const char *hone_limits_name(size_t i)
{
    return i < sizeof fields / sizeof *fields ? fields[i].name : NULL;
}

bool hone_limits_get(const struct hone_limits *limits, const char *name, int64_t *value)
{
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        if (strcmp(fields[i].name, name) != 0) continue;
        memcpy(value, (const char *)limits + fields[i].offset, sizeof *value);
        return true;
    }
    return false;
}
