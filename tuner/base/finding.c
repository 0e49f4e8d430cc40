// Names of findings, their meanings, and what a waiver of each may name.
#include "hone/finding.h"

#include <stddef.h>
#include <string.h>

static const struct {
    const char *name, *meaning;
    enum hone_waive_by by;
} findings[] = {
#define FINDING_ROW(name, text, waive, meaning)                                          \
    [HONE_FINDING_##name] = {text, meaning, HONE_WAIVE_##waive},
    HONE_FINDING_LIST(FINDING_ROW)
#undef FINDING_ROW
};

const char *hone_finding_name(enum hone_finding finding)
{
    return (unsigned)finding < HONE_FINDING_COUNT ? findings[finding].name : "unknown";
}

const char *hone_finding_meaning(enum hone_finding finding)
{
    return (unsigned)finding < HONE_FINDING_COUNT ? findings[finding].meaning : "";
}

enum hone_waive_by hone_finding_waive_by(enum hone_finding finding)
{
    return (unsigned)finding < HONE_FINDING_COUNT ? findings[finding].by
                                                  : HONE_WAIVE_NEVER;
}

enum hone_status hone_finding_parse(enum hone_finding *out, const char *name)
{
    for (size_t i = 0; i < HONE_FINDING_COUNT; i++) {
        if (strcmp(name, findings[i].name) != 0) continue;
        *out = (enum hone_finding)i;
        return HONE_OK;
    }
    return HONE_ENOTFOUND;
}
