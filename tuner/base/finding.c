// Names of findings, their meanings, and what a waiver of each may name.
#include "hone/finding.h"

#include <stdio.h>
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

void hone_finding_waivable(char *out, size_t size)
{
    size_t used = 0;
    if (size) out[0] = '\0';
    for (size_t i = 0; i < HONE_FINDING_COUNT && used < size; i++) {
        if (findings[i].by == HONE_WAIVE_NEVER) continue;
        int n =
            snprintf(out + used, size - used, "%s%s", used ? ", " : "", findings[i].name);
        if (n > 0) used += (size_t)n;
    }
}

void hone_waiver_text(char *out, size_t size, const struct hone_waiver *waiver)
{
    const char *finding = hone_finding_name(waiver->finding);
    if (waiver->buffer)
        snprintf(out, size, "%s in buffer %s", finding, waiver->buffer);
    else
        snprintf(out, size, "%s at %s:%u", finding, waiver->file, (unsigned)waiver->line);
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
