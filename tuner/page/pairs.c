// Two parameters together: the best time of each pair of values, for the pairs of those
// that matter most.
#include <math.h>
#include <stdlib.h>

#include "base/quantity.h"
#include "insight/by_value.h"
#include "markup.h"
#include "part.h"

enum { PARAMS_MOST = 4, VALUES_MOST = 40, SHADES = 7, CELL = 22, EDGE = 60 };

// The parameters that matter most, or the first ones where nobody knows.
static size_t find_params(const struct page_part *part, size_t params[PARAMS_MOST])
{
    size_t n = 0;
    if (part->importance.order_count) {
        for (size_t i = 0; i < part->importance.order_count && n < PARAMS_MOST; i++)
            params[n++] = part->importance.order[i];
        return n;
    }
    for (size_t p = 0; p < part->params && n < PARAMS_MOST; p++)
        if (hone_space_param(part->space, p)->count > 1) params[n++] = p;
    return n;
}

struct map {
    const struct hone_param *down, *right; // the rows' parameter, and the columns'
    double *best;                          // [down][right]
    double least;
};

// From the best on, each shade is a step of the ratio; SHADES - 1 is 2 or worse.
static int shade_of(double ratio)
{
    static const double steps[SHADES - 1] = {1.02, 1.05, 1.1, 1.25, 1.5, 2};
    int shade = 0;
    while (shade < SHADES - 1 && ratio > steps[shade])
        shade++;
    return shade;
}

static void map_cell(struct hone_strbuf *out, const struct map *map, size_t i, size_t k)
{
    const double best = map->best[i * map->right->count + k];
    if (!isfinite(best)) return;
    hone_strbuf_printf(out,
                       "<rect class=\"h%d\" x=\"%zu\" y=\"%zu\" width=\"%d\" "
                       "height=\"%d\"><title>",
                       shade_of(best / map->least), EDGE + k * CELL, EDGE / 2 + i * CELL,
                       CELL - 1, CELL - 1);
    hone_markup_value(out, map->down->values[i]);
    hone_strbuf_add(out, ", ");
    hone_markup_value(out, map->right->values[k]);
    hone_strbuf_printf(out, ": %s, %.3g times</title></rect>", hone_plain(best, 5).text,
                       best / map->least);
}

static void map_edges(struct hone_strbuf *out, const struct map *map)
{
    hone_strbuf_add(out, "<g aria-hidden=\"true\">");
    for (size_t i = 0; i < map->down->count; i++) {
        hone_strbuf_printf(out, "<text class=\"e\" x=\"%d\" y=\"%zu\">", EDGE - 4,
                           EDGE / 2 + i * CELL + CELL * 2 / 3);
        hone_markup_value(out, map->down->values[i]);
        hone_strbuf_add(out, "</text>");
    }
    for (size_t k = 0; k < map->right->count; k++) {
        hone_strbuf_printf(out, "<text x=\"%zu\" y=\"%d\">", EDGE + k * CELL + CELL / 2,
                           EDGE / 2 - 6);
        hone_markup_value(out, map->right->values[k]);
        hone_strbuf_add(out, "</text>");
    }
    hone_strbuf_add(out, "</g>\n");
}

static void map_table(struct hone_strbuf *out, const struct map *map)
{
    hone_strbuf_add(out, "<details><summary>Table</summary><div class=\"wide\"><table>"
                         "<thead><tr><td>");
    for (size_t k = 0; k < map->right->count; k++) {
        hone_strbuf_add(out, "<th scope=\"col\">");
        hone_markup_value(out, map->right->values[k]);
    }
    hone_strbuf_add(out, "<tbody>");
    for (size_t i = 0; i < map->down->count; i++) {
        hone_strbuf_add(out, "<tr><th scope=\"row\">");
        hone_markup_value(out, map->down->values[i]);
        for (size_t k = 0; k < map->right->count; k++) {
            hone_strbuf_add(out, "<td>");
            if (isfinite(map->best[i * map->right->count + k]))
                hone_page_cost(out, map->best[i * map->right->count + k]);
        }
    }
    hone_page_table_end(out);
}

static void map_add(struct hone_strbuf *out, struct page_part *part, size_t p, size_t q)
{
    struct map map = {.down = hone_space_param(part->space, p),
                      .right = hone_space_param(part->space, q),
                      .least = hone_trial_cost(part->standings.trials[0])};
    if (map.down->count > VALUES_MOST || map.right->count > VALUES_MOST) return;
    if (hone_by_pair(&map.best, part->recording, p, q, NULL) != HONE_OK) {
        out->failed = true;
        return;
    }
    const size_t width = EDGE + map.right->count * CELL + 10;
    const size_t height = EDGE / 2 + map.down->count * CELL + 4;
    hone_strbuf_add(out, "<figure class=\"pair\"><figcaption>");
    hone_markup_printf(out, "%s down, %s across", map.down->name, map.right->name);
    hone_strbuf_printf(out,
                       "</figcaption><svg class=\"map\" viewBox=\"0 0 %zu %zu\" "
                       "style=\"width:%zupx\" role=\"img\" aria-label=\"The best time of "
                       "each pair of values; the table has the figures.\">\n",
                       width, height, width);
    map_edges(out, &map);
    for (size_t i = 0; i < map.down->count; i++)
        for (size_t k = 0; k < map.right->count; k++)
            map_cell(out, &map, i, k);
    hone_strbuf_add(out, "</svg>\n");
    map_table(out, &map);
    hone_strbuf_add(out, "</figure>\n");
    free(map.best);
}

// The parameter with fewer values goes down, so that maps are wide rather than high.
static void map_turned(struct hone_strbuf *out, struct page_part *part, size_t p,
                       size_t q)
{
    const bool turned =
        hone_space_param(part->space, p)->count > hone_space_param(part->space, q)->count;
    map_add(out, part, turned ? q : p, turned ? p : q);
}

void hone_page_pairs(struct hone_strbuf *out, struct page_part *part)
{
    static const char *const names[SHADES] = {"2", "5", "10", "25", "50", "100", "more"};
    size_t params[PARAMS_MOST];
    const size_t n = find_params(part, params);
    if (!part->standings.count || n < 2) return;
    hone_page_heading(out, part, "pairs", "Pairs of parameters");
    hone_strbuf_printf(out,
                       "<p>The best time of each pair of values, of the %zu parameters "
                       "that %s, as far as they have %d values at most.</p>\n"
                       "<p class=\"legend\">slower than the best by at most: ",
                       n, part->importance.order_count ? "matter most" : "come first",
                       VALUES_MOST);
    for (int i = 0; i < SHADES; i++)
        hone_strbuf_printf(out, "<i class=\"h%d\"></i> %s%s ", i, names[i],
                           i < SHADES - 1 ? " %" : "");
    hone_strbuf_add(out, "; white: none is valid</p>\n<div class=\"pairs\">\n");
    for (size_t i = 0; i < n; i++)
        for (size_t k = i + 1; k < n; k++)
            map_turned(out, part, params[i], params[k]);
    hone_strbuf_add(out, "</div></section>\n");
}
