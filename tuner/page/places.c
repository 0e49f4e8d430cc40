// The machines and GPUs that measured, where workers were elsewhere or several: a slow
// one takes longer for a trial, a broken one fails more often.
#include <math.h>

#include "base/quantity.h"
#include "part.h"

void hone_page_places(struct hone_strbuf *out, struct page_part *part)
{
    if (!part->places.count) return;
    hone_page_heading(out, part, "places", "Machines");
    hone_page_table(out, "Table: machines and GPUs",
                    (const char *const[]){"host", "GPU", "jobs", "trials", "failed",
                                          "median ms a trial", NULL});
    for (size_t i = 0; i < part->places.count; i++) {
        const struct hone_place_row *row = &part->places.rows[i];
        hone_strbuf_add(out, "<tr>");
        hone_page_cell(out, "%s", row->place->host);
        hone_page_cell(out, "%s", row->place->gpu_uuid);
        hone_page_cell(out, "%zu", row->jobs);
        hone_page_cell(out, "%zu", row->trials);
        hone_page_cell(out, "%zu", row->failed);
        hone_page_cell(out, "%s",
                       isnan(row->evaluate_ms) ? "?"
                                               : hone_plain(row->evaluate_ms, 3).text);
    }
    hone_page_table_end(out);
    hone_strbuf_add(out, "</section>\n");
}
