#include "report/exported.h"

#include <stdlib.h>

#include "hone/exchange.h"
#include "report/table.h"
#include "tuning/parts.h"

// part NULL: all problems.
static enum hone_status export_table(struct hone_strbuf *out,
                                     const struct hone_recording *whole,
                                     const struct hone_recording *part,
                                     enum hone_table_form form, struct hone_error *err)
{
    const size_t count = part ? 1 : hone_recording_problem_count(whole);
    const struct hone_recording **list = calloc(count, sizeof *list);
    if (!list) return hone_no_memory(err, "for a table");
    for (size_t i = 0; i < count; i++)
        list[i] = part ? part : hone_recording_problem(whole, i);
    const enum hone_status status = hone_table_write(out, list, count, form, err);
    free(list);
    return status;
}

enum hone_status hone_export_recording(struct hone_strbuf *out,
                                       const struct hone_recording *recording,
                                       enum hone_export_form form,
                                       const char *const *sizes, size_t count,
                                       struct hone_error *err)
{
    const struct hone_recording *part = NULL;
    const bool is_table = form == HONE_EXPORT_CSV || form == HONE_EXPORT_JSONL;
    enum hone_status status = HONE_OK;
    if (!is_table || count)
        status = hone_part_of_texts(&part, recording, sizes, count, err);
    if (status != HONE_OK) return status;
    if (is_table)
        return export_table(out, recording, part,
                            form == HONE_EXPORT_CSV ? HONE_TABLE_CSV : HONE_TABLE_JSONL,
                            err);
    return hone_export(out, part,
                       form == HONE_EXPORT_T4 ? HONE_FORMAT_T4 : HONE_FORMAT_KERNEL_TUNER,
                       err);
}
