#include "part.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/quantity.h"
#include "insight/journal_space.h"
#include "markup.h"
#include "page/page.h"
#include "report/values.h"

enum page_source hone_page_source(const struct page_part *part)
{
    if (hone_objective_times(part->info->objective) == HONE_TIME_PREDICTED)
        return PAGE_PREDICTED;
    // A run of ours names its device; a search of another program's recording does not.
    return part->info->hone_version && part->info->device_id ? PAGE_MEASURED
                                                             : PAGE_IMPORTED;
}

static const char *cost_name(const struct hone_record_info *info)
{
    static const struct {
        const char *objective, *name;
    } names[] = {{"predicted_us", "predicted time (us)"},
                 {"energy_j", "energy (J)"},
                 {"edp_js", "energy x time (J s)"},
                 {"flops_per_watt", "energy an operation (J)"}};
    for (size_t i = 0; info->objective && i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i].objective, info->objective) == 0) return names[i].name;
    return "time (us)";
}

static enum hone_status find_work(struct hone_work *out, const struct page_part *part,
                                  const struct hone_space *space,
                                  const struct hone_trial *trial, struct hone_error *err)
{
    *out = (struct hone_work){.flops = NAN, .bytes = NAN};
    return trial ? hone_journal_work(out, part->recording, space, trial, err) : HONE_OK;
}

// What needs the space that the journal's configurations were chosen from: it may be
// large, so it is made once, and not at all where neither needs it.
static enum hone_status find_importance_and_work(struct page_part *part,
                                                 struct hone_error *err)
{
    struct hone_space *space = NULL;
    enum hone_status status = HONE_OK;
    if (part->info->flops || part->info->bytes)
        status = hone_journal_space(&space, part->info, err);
    if (status == HONE_OK)
        status = find_work(&part->winner_work, part, space, part->winner, err);
    if (status == HONE_OK)
        status = find_work(&part->base_work, part, space, part->base, err);
    if (status == HONE_OK)
        status = hone_importance_make(&part->importance, part->recording, space, err);
    hone_space_free(space);
    return status;
}

enum hone_status hone_page_part_make(struct page_part *part,
                                     const struct hone_recording *recording,
                                     size_t number, struct hone_error *err)
{
    *part = (struct page_part){.number = number,
                               .recording = recording,
                               .info = hone_recording_info(recording),
                               .space = hone_recording_space(recording)};
    part->params = hone_space_param_count(part->space);
    part->cost = cost_name(part->info);
    part->row = calloc(part->params + 1, sizeof *part->row);
    if (!part->row) return hone_no_memory(err, "for a page");
    enum hone_status status = hone_standings_make(&part->standings, recording, err);
    if (status == HONE_OK)
        status = hone_convergence_make(&part->progress, recording, err);
    if (status == HONE_OK) status = hone_places_make(&part->places, recording, err);
    if (status != HONE_OK) return status;
    part->winner = hone_recording_best(recording);
    part->base = hone_recording_default(recording);
    return find_importance_and_work(part, err);
}

void hone_page_part_fini(struct page_part *part)
{
    hone_standings_fini(&part->standings);
    hone_importance_fini(&part->importance);
    hone_convergence_fini(&part->progress);
    hone_places_fini(&part->places);
    free(part->row);
}

const uint16_t *hone_page_row(struct page_part *part, const struct hone_trial *trial)
{
    hone_space_choices(part->space, trial->index, part->row);
    return part->row;
}

void hone_page_cost(struct hone_strbuf *out, double cost)
{
    hone_strbuf_add(out, isfinite(cost) ? hone_plain(cost, 5).text : "none");
}

void hone_page_heading(struct hone_strbuf *out, const struct page_part *part,
                       const char *id, const char *title)
{
    hone_strbuf_printf(out,
                       "<section aria-labelledby=\"%s-%zu\"><h3 id=\"%s-%zu\">%s</h3>\n",
                       id, part->number, id, part->number, title);
}

void hone_page_table(struct hone_strbuf *out, const char *summary,
                     const char *const *headings)
{
    hone_strbuf_printf(out,
                       "<details><summary>%s</summary><div class=\"wide\"><table>"
                       "<thead><tr>",
                       summary);
    for (; *headings; headings++) {
        hone_strbuf_add(out, "<th scope=\"col\">");
        hone_markup_text(out, *headings);
    }
    hone_strbuf_add(out, "<tbody>");
}

void hone_page_table_end(struct hone_strbuf *out)
{
    hone_strbuf_add(out, "</table></div></details>\n");
}

void hone_page_cell(struct hone_strbuf *out, const char *format, ...)
{
    struct hone_strbuf text = HONE_STRBUF_INIT;
    va_list args;
    va_start(args, format);
    hone_strbuf_vprintf(&text, format, args);
    va_end(args);
    if (text.failed) out->failed = true;
    hone_strbuf_add(out, "<td>");
    hone_markup_text(out, text.data);
    hone_strbuf_fini(&text);
}

size_t hone_page_stride(size_t points)
{
    return (points + HONE_PAGE_POINTS_MOST - 1) / HONE_PAGE_POINTS_MOST + (points == 0);
}

void hone_page_thinned(struct hone_strbuf *out, size_t points)
{
    const size_t stride = hone_page_stride(points);
    const size_t shown = (points + stride - 1) / stride;
    if (stride == 1) return;
    hone_strbuf_printf(out, "<p class=\"note\">%s of %s trials are drawn.</p>\n",
                       hone_count_text((double)shown).text,
                       hone_count_text((double)points).text);
}
