// What held the kernel up, as far as the journal tells: the roofline and the model's
// parts, the machine and its clock, registers and shared memory against time.
#include <math.h>
#include <stdio.h>

#include "base/quantity.h"
#include "insight/machine.h"
#include "markup.h"
#include "part.h"

// --- roofline ---

struct spot {
    const char *name, *class_name;
    double intensity, gflops, gbs;
};

static bool find_spot(struct spot *spot, const struct hone_trial *trial,
                      const struct hone_work *work)
{
    if (!trial || trial->outcome != HONE_VALID) return false;
    const double us = isnan(trial->time_us) ? trial->predicted_us : trial->time_us;
    spot->intensity = work->flops / work->bytes;
    spot->gflops = work->flops / us * 1e-3;
    spot->gbs = work->bytes / us * 1e-3;
    return spot->intensity > 0 && spot->gflops > 0;
}

static void roofline_plot(struct hone_strbuf *out, const struct hone_machine *roofs,
                          const struct spot *spots, size_t count)
{
    double low = roofs->gflops / roofs->gbs, high = low;
    double bottom = INFINITY, top = roofs->gflops;
    for (size_t i = 0; i < count; i++) {
        low = fmin(low, spots[i].intensity);
        high = fmax(high, spots[i].intensity);
        bottom = fmin(bottom, spots[i].gflops);
        top = fmax(top, spots[i].gflops);
    }
    struct hone_svg svg = {.out = out,
                           .x = hone_svg_log_axis("operations a byte", low / 2, high * 2),
                           .y = hone_svg_log_axis("GFLOP/s", bottom / 2, top * 1.2)};
    hone_svg_begin(&svg, "Roofline",
                   "Winner and default by operations a byte and rate, under the nominal "
                   "roofs of memory and of fp32. The table has the figures.");
    const double ridge = roofs->gflops / roofs->gbs;
    const double from = fmax(svg.x.low, svg.y.low / roofs->gbs);
    hone_strbuf_printf(out, "<path class=\"roof\" d=\"M%.1f %.1fL%.1f %.1fH%d\"/>\n",
                       hone_svg_x(&svg, from), hone_svg_y(&svg, from * roofs->gbs),
                       hone_svg_x(&svg, ridge), hone_svg_y(&svg, roofs->gflops),
                       HONE_SVG_WIDTH - HONE_SVG_RIGHT);
    for (size_t i = 0; i < count; i++) {
        hone_svg_dots(&svg, spots[i].class_name);
        hone_svg_dot(&svg, spots[i].intensity, spots[i].gflops);
        hone_svg_dots_end(&svg);
        hone_strbuf_printf(out, "<text class=\"s\" x=\"%.1f\" y=\"%.1f\">%s</text>\n",
                           hone_svg_x(&svg, spots[i].intensity) + 7,
                           hone_svg_y(&svg, spots[i].gflops) + 4, spots[i].name);
    }
    hone_svg_end(&svg);
}

static void roofline_table(struct hone_strbuf *out, const struct hone_machine *roofs,
                           const struct spot *spots, size_t count)
{
    hone_page_table(out, "Table: rates and roofs",
                    (const char *const[]){"", "operations a byte", "GFLOP/s", "% of fp32",
                                          "GB/s", "% of memory", NULL});
    for (size_t i = 0; i < count; i++) {
        hone_strbuf_printf(out, "<tr><th scope=\"row\">%s", spots[i].name);
        hone_page_cell(out, "%.4g", spots[i].intensity);
        hone_page_cell(out, "%s", hone_plain(spots[i].gflops, 4).text);
        hone_page_cell(out, "%.3g", 100 * spots[i].gflops / roofs->gflops);
        hone_page_cell(out, "%s", hone_plain(spots[i].gbs, 4).text);
        hone_page_cell(out, "%.3g", 100 * spots[i].gbs / roofs->gbs);
    }
    hone_strbuf_add(out, "<tr><th scope=\"row\">roof");
    hone_page_cell(out, "%.4g", roofs->gflops / roofs->gbs);
    hone_page_cell(out, "%s", hone_plain(roofs->gflops, 4).text);
    hone_page_cell(out, "100");
    hone_page_cell(out, "%s", hone_plain(roofs->gbs, 4).text);
    hone_page_cell(out, "100");
    hone_page_table_end(out);
}

// The parts of the emulator's prediction: what each resource alone would take.
static void model_parts(struct hone_strbuf *out, const struct page_part *part)
{
    static const struct {
        const char *metric, *name;
    } parts[] = {{"sm_us", "multiprocessors"}, {"l2_us", "L2"}, {"dram_us", "DRAM"}};
    if (isnan(hone_trial_metric(part->winner, "sm_us", (double)NAN))) return;
    const bool both = part->base && part->base != part->winner &&
                      !isnan(hone_trial_metric(part->base, "sm_us", (double)NAN));
    hone_strbuf_printf(
        out,
        "<div class=\"wide\"><table><caption>What each resource alone would "
        "take, by the model (us)</caption><thead><tr><th scope=\"col\">"
        "resource<th scope=\"col\">winner%s<tbody>",
        both ? "<th scope=\"col\">default" : "");
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        hone_strbuf_printf(out, "<tr><th scope=\"row\">%s", parts[i].name);
        hone_page_cell(
            out, "%s",
            hone_plain(hone_trial_metric(part->winner, parts[i].metric, 0), 4).text);
        if (both)
            hone_page_cell(
                out, "%s",
                hone_plain(hone_trial_metric(part->base, parts[i].metric, 0), 4).text);
    }
    hone_strbuf_add(out, "</table></div>\n");
}

void hone_page_roofline(struct hone_strbuf *out, struct page_part *part)
{
    struct hone_machine roofs;
    struct spot spots[2] = {{.name = "winner", .class_name = "best big"},
                            {.name = "default", .class_name = "base big"}};
    if (!part->winner || !hone_machine_of(&roofs, part->info) ||
        !find_spot(&spots[0], part->winner, &part->winner_work))
        return;
    const bool both =
        part->base != part->winner && find_spot(&spots[1], part->base, &part->base_work);
    const size_t count = both ? 2 : 1;
    hone_page_heading(out, part, "roofline", "Roofline");
    hone_strbuf_add(out,
                    "<p>Operations and bytes are those that the script says a launch "
                    "needs at least. The roofs are nominal: memory bandwidth, and "
                    "multiply-adds in fp32 on CUDA cores; tensor cores go beyond."
                    "</p>\n<figure>");
    roofline_plot(out, &roofs, spots, count);
    hone_strbuf_add(out, "</figure>\n");
    roofline_table(out, &roofs, spots, count);
    model_parts(out, part);
    hone_strbuf_add(out, "</section>\n");
}

// --- the machine ---

static void machine_row(struct hone_strbuf *out, const char *name, const char *text)
{
    if (!text || !*text) return;
    hone_strbuf_printf(out, "<tr><th scope=\"row\">%s", name);
    hone_page_cell(out, "%s", text);
}

// How far the machine was from its first speed when trials were measured again.
static void machine_drift(struct hone_strbuf *out, const struct page_part *part)
{
    size_t again = 0;
    double low = INFINITY, high = 0;
    for (size_t i = 0; i < hone_recording_count(part->recording); i++) {
        const double drift = hone_recording_trial(part->recording, i)->drift;
        if (!(drift > 0)) continue;
        again++;
        low = fmin(low, drift);
        high = fmax(high, drift);
    }
    if (!part->info->drift_every) return;
    hone_strbuf_add(out, "<tr><th scope=\"row\">drift<td>");
    if (again)
        hone_strbuf_printf(
            out,
            "%zu trials were measured again, when the default took %.4g to "
            "%.4g times its first time",
            again, low, high);
    else
        hone_strbuf_printf(out, "none beyond %.3g %% was seen",
                           100 * part->info->drift_limit);
}

void hone_page_machine(struct hone_strbuf *out, struct page_part *part)
{
    const struct hone_record_info *info = part->info;
    char seed[32];
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)info->seed);
    hone_page_heading(out, part, "machine", "Device, clock and search");
    hone_strbuf_add(out, "<div class=\"wide\"><table class=\"facts\"><tbody>");
    machine_row(out, "device", info->device_name);
    machine_row(out, "as", info->device_id);
    machine_row(out, "driver", info->driver);
    machine_row(out, "clock", info->clock);
    machine_row(out, "of the clock", info->clock_note);
    machine_row(out, "L2 at a launch", info->l2);
    machine_drift(out, part);
    machine_row(out, "objective", info->objective);
    machine_row(out, "results", hone_verified_words(info->verified));
    machine_row(out, "strategy", info->strategy);
    machine_row(out, "seed", info->strategy ? seed : NULL);
    machine_row(out, "Hone", info->hone_version);
    machine_row(out, "NVRTC", info->nvrtc_version);
    machine_row(out, "template", info->template_name);
    machine_row(out, "journal", hone_recording_path(part->recording));
    machine_row(out, "notice", hone_recording_notice(part->recording));
    hone_strbuf_add(out, "</table></div></section>\n");
}

// --- registers and shared memory ---

struct resource {
    const char *label, *title;
    int32_t (*of)(const struct hone_trial *trial);
};

static int32_t registers_of(const struct hone_trial *trial)
{
    return trial->resources.registers;
}

static int32_t spills_of(const struct hone_trial *trial)
{
    const struct hone_resources *r = &trial->resources;
    if (r->spill_store_bytes < 0 && r->spill_load_bytes < 0) return -1;
    return (r->spill_store_bytes > 0 ? r->spill_store_bytes : 0) +
           (r->spill_load_bytes > 0 ? r->spill_load_bytes : 0);
}

static int32_t shared_of(const struct hone_trial *trial)
{
    const struct hone_resources *r = &trial->resources;
    if (r->static_shared_bytes < 0 && r->dynamic_shared_bytes < 0) return -1;
    return (r->static_shared_bytes > 0 ? r->static_shared_bytes : 0) +
           (r->dynamic_shared_bytes > 0 ? r->dynamic_shared_bytes : 0);
}

static int32_t blocks_of(const struct hone_trial *trial)
{
    return trial->resources.blocks_per_sm;
}

// Is there more than one figure to draw? most is the largest.
static bool resource_varies(const struct page_part *part, const struct resource *resource,
                            int32_t *least, int32_t *most)
{
    *least = INT32_MAX;
    *most = -1;
    for (size_t i = 0; i < part->standings.count; i++) {
        const int32_t n = resource->of(part->standings.trials[i]);
        if (n < 0) continue;
        if (n < *least) *least = n;
        if (n > *most) *most = n;
    }
    return *most > *least;
}

static void resource_plot(struct hone_strbuf *out, const struct page_part *part,
                          const struct resource *resource, int32_t least, int32_t most)
{
    const struct hone_standings *s = &part->standings;
    const size_t stride = hone_page_stride(s->count);
    struct hone_svg svg = {
        .out = out,
        .x = hone_svg_linear_axis(resource->label, least, most),
        .y = hone_svg_log_axis(part->cost, hone_trial_cost(s->trials[0]),
                               hone_trial_cost(s->trials[s->count - 1]))};
    hone_strbuf_printf(out, "<figure class=\"strip\"><figcaption>%s</figcaption>",
                       resource->title);
    hone_svg_begin(&svg, resource->title, "Each valid trial by its time.");
    hone_svg_dots(&svg, "valid");
    for (size_t i = 0; i < s->count; i += stride)
        if (resource->of(s->trials[i]) >= 0)
            hone_svg_dot(&svg, resource->of(s->trials[i]), hone_trial_cost(s->trials[i]));
    hone_svg_dots_end(&svg);
    hone_svg_dots(&svg, "best big");
    if (resource->of(part->winner) >= 0)
        hone_svg_dot(&svg, resource->of(part->winner), hone_trial_cost(part->winner));
    hone_svg_dots_end(&svg);
    hone_svg_end(&svg);
    hone_strbuf_add(out, "</figure>\n");
}

static void resource_row(struct hone_strbuf *out, const char *name,
                         const struct hone_trial *trial)
{
    static int32_t (*const figures[])(const struct hone_trial *) = {
        registers_of, spills_of, shared_of, blocks_of};
    hone_strbuf_printf(out, "<tr><th scope=\"row\">%s", name);
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
        if (figures[i](trial) < 0)
            hone_page_cell(out, "not known");
        else
            hone_page_cell(out, "%d", (int)figures[i](trial));
}

void hone_page_resources(struct hone_strbuf *out, struct page_part *part)
{
    static const struct resource resources[] = {
        {"registers a thread", "Registers and time", registers_of},
        {"bytes a thread", "Spills and time", spills_of},
        {"bytes a block", "Shared memory and time", shared_of},
        {"blocks a multiprocessor", "Occupancy and time", blocks_of}};
    int32_t least, most;
    bool varies = false;
    if (!part->winner) return;
    for (size_t i = 0; i < sizeof resources / sizeof *resources; i++)
        varies |= resource_varies(part, &resources[i], &least, &most);
    if (!varies && registers_of(part->winner) < 0) return;
    hone_page_heading(out, part, "resources",
                      "Registers, spills, shared memory, occupancy");
    if (varies) hone_page_thinned(out, part->standings.count);
    hone_strbuf_add(out, "<div class=\"strips\">\n");
    for (size_t i = 0; i < sizeof resources / sizeof *resources; i++)
        if (resource_varies(part, &resources[i], &least, &most))
            resource_plot(out, part, &resources[i], least, most);
    hone_strbuf_add(out, "</div>\n");
    hone_page_table(
        out, "Table: winner and default",
        (const char *const[]){"", "registers a thread", "spilled bytes a thread",
                              "shared bytes a block", "blocks a multiprocessor", NULL});
    resource_row(out, "winner", part->winner);
    if (part->base && part->base != part->winner)
        resource_row(out, "default", part->base);
    hone_page_table_end(out);
    hone_strbuf_add(out, "</section>\n");
}
