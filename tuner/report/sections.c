#include "report/sections.h"

#include "hone/finding.h"

void hone_sections_add(struct hone_sections *sections, const struct hone_trial *trial)
{
    if (trial->outcome == HONE_VALID) return;
    if (trial->found->finding)
        sections->findings[trial->found->finding] = true;
    else
        sections->outcomes[trial->outcome] = true;
}

static void add_section(struct hone_strbuf *out, size_t begin, const char *page,
                        const char *name)
{
    if (out->len == begin)
        hone_strbuf_printf(out, "%s#%s", page, name);
    else
        hone_strbuf_printf(out, ", #%s", name);
}

void hone_sections_text(struct hone_strbuf *out, const struct hone_sections *sections,
                        const char *page)
{
    const size_t begin = out->len;
    for (int i = 0; i < HONE_OUTCOME_COUNT; i++)
        if (sections->outcomes[i])
            add_section(out, begin, page, hone_outcome_name((enum hone_outcome)i));
    for (int i = 0; i < HONE_FINDING_COUNT; i++)
        if (sections->findings[i])
            add_section(out, begin, page, hone_finding_name((enum hone_finding)i));
}
