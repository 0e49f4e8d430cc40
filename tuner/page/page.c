// The document: head, a comparison where there are several journals, then their sections
// side by side.
#include "page/page.h"

#include <math.h>
#include <stdlib.h>

#include "base/quantity.h"
#include "markup.h"
#include "part.h"
#include "report/values.h"
#include "tuning/parts.h"

extern const unsigned char hone_page_style[], hone_page_script[];
extern const size_t hone_page_style_size, hone_page_script_size;

// Nothing is fetched, whatever a name or reason may try.
static const char policy[] = "default-src 'none'; style-src 'unsafe-inline'; script-src "
                             "'unsafe-inline'; base-uri 'none'; form-action 'none'";

static void page_title(struct hone_strbuf *out, const struct page_part *parts,
                       size_t count)
{
    hone_markup_text(out, parts[0].info->kernel);
    if (count > 1) hone_strbuf_printf(out, " and %zu more", count - 1);
}

static void page_head(struct hone_strbuf *out, const struct page_part *parts,
                      size_t count)
{
    hone_strbuf_printf(out,
                       "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
                       "<meta http-equiv=\"Content-Security-Policy\" content=\"%s\">"
                       "<meta name=\"viewport\" content=\"width=device-width\">"
                       "<meta name=\"color-scheme\" content=\"light dark\">\n<title>",
                       policy);
    page_title(out, parts, count);
    hone_strbuf_add(out, " - Hone report</title>\n<style>\n");
    hone_strbuf_add_bytes(out, hone_page_style, hone_page_style_size);
    hone_strbuf_add(out, "</style></head>\n<body><main>\n");
}

static void part_name(struct hone_strbuf *out, const struct page_part *part)
{
    struct hone_strbuf problem = HONE_STRBUF_INIT;
    hone_problem_text(&problem, part->info);
    hone_markup_printf(out, "%s on %s%s%s", part->info->kernel,
                       hone_device_text(part->info->device_name), problem.len ? ", " : "",
                       problem.data);
    if (problem.failed) out->failed = true;
    hone_strbuf_fini(&problem);
}

static void comparison_row(struct hone_strbuf *out, const struct page_part *part)
{
    static const char *const sources[] = {"measured", "predicted", "imported"};
    struct hone_strbuf config = HONE_STRBUF_INIT;
    const double best = part->winner ? hone_trial_cost(part->winner) : (double)INFINITY;
    const double base = part->base ? hone_trial_cost(part->base) : (double)INFINITY;
    if (part->winner) hone_config_text(&config, part->space, part->winner->index);
    hone_strbuf_printf(out, "<tr><th scope=\"row\"><a href=\"#part-%zu\">", part->number);
    part_name(out, part);
    hone_strbuf_add(out, "</a>");
    hone_page_cell(out, "%s", sources[hone_page_source(part)]);
    hone_page_cell(out, "%zu", hone_recording_count(part->recording));
    hone_page_cell(out, "%s", isfinite(best) ? hone_plain(best, 5).text : "none");
    hone_page_cell(out, "%s", isfinite(base) ? hone_plain(base, 5).text : "not known");
    hone_page_cell(out, isfinite(base / best) ? "%.4g" : "not known", base / best);
    hone_page_cell(out, "%s", config.data);
    hone_strbuf_fini(&config);
}

static void page_comparison(struct hone_strbuf *out, const struct page_part *parts,
                            size_t count)
{
    if (count < 2) return;
    hone_strbuf_add(out,
                    "<section><h2>Side by side</h2><div class=\"wide\"><table><thead>"
                    "<tr><th scope=\"col\">journal<th scope=\"col\">times are"
                    "<th scope=\"col\">trials<th scope=\"col\">best"
                    "<th scope=\"col\">default<th scope=\"col\">default / best"
                    "<th scope=\"col\">winner<tbody>");
    for (size_t i = 0; i < count; i++)
        comparison_row(out, &parts[i]);
    hone_strbuf_add(out, "</table></div></section>\n");
}

static void page_article(struct hone_strbuf *out, struct page_part *part)
{
    static void (*const sections[])(struct hone_strbuf *, struct page_part *) = {
        hone_page_verdict,   hone_page_progress, hone_page_spread,   hone_page_strips,
        hone_page_shares,    hone_page_pairs,    hone_page_failures, hone_page_finals,
        hone_page_roofline,  hone_page_counters, hone_page_machine,  hone_page_places,
        hone_page_resources, hone_page_trials};
    hone_strbuf_printf(out, "<article id=\"part-%zu\"><h2>", part->number);
    part_name(out, part);
    hone_strbuf_add(out, "</h2>\n");
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
        sections[i](out, part);
    hone_strbuf_add(out, "</article>\n");
}

static void write_page(struct hone_strbuf *out, struct page_part *parts, size_t count)
{
    page_head(out, parts, count);
    hone_strbuf_add(out, "<h1>");
    page_title(out, parts, count);
    hone_strbuf_add(out, "</h1>\n");
    page_comparison(out, parts, count);
    hone_strbuf_printf(out, "<div class=\"side%s\">\n", count > 1 ? " many" : "");
    for (size_t i = 0; i < count; i++)
        page_article(out, &parts[i]);
    hone_strbuf_add(out, "</div></main>\n<script>\n");
    hone_strbuf_add_bytes(out, hone_page_script, hone_page_script_size);
    hone_strbuf_add(out, "</script></body></html>\n");
}

enum hone_status hone_page_write(struct hone_strbuf *out,
                                 const struct hone_recording *const *recordings,
                                 size_t count, struct hone_error *err)
{
    enum hone_status status = HONE_OK;
    struct page_part *parts = calloc(count, sizeof *parts);
    if (!parts) return hone_no_memory(err, "for a page");
    for (size_t i = 0; i < count && status == HONE_OK; i++)
        status = hone_page_part_make(&parts[i], recordings[i], i + 1, err);
    if (status == HONE_OK) write_page(out, parts, count);
    for (size_t i = 0; i < count; i++)
        hone_page_part_fini(&parts[i]);
    free(parts);
    if (status == HONE_OK && out->failed) return hone_no_memory(err, "for a page");
    return status;
}
