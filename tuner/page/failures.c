// What did not work: outcomes, reasons, and the values at which they cluster.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "insight/by_value.h"
#include "markup.h"
#include "part.h"

enum { REASONS_MOST = 12, VALUES_MOST = 12, LEAST = 3 };

// Reasons that differ in their numbers only are one.
struct reason {
    enum hone_outcome outcome;
    const char *text; // of its first trial
    char *pattern;
    size_t count;
};

static char *pattern_of(const char *text)
{
    char *pattern = malloc(strlen(text) + 1), *to = pattern;
    if (!pattern) return NULL;
    for (; *text; text++)
        if (!hone_is_digit(*text))
            *to++ = *text;
        else if (to == pattern || to[-1] != '#')
            *to++ = '#';
    *to = '\0';
    return pattern;
}

static int by_pattern(const void *a, const void *b)
{
    const struct reason *x = a, *y = b;
    if (x->outcome != y->outcome) return x->outcome < y->outcome ? -1 : 1;
    const int order = strcmp(x->pattern, y->pattern);
    return order ? order : strcmp(x->text, y->text);
}

static int by_count(const void *a, const void *b)
{
    const struct reason *x = a, *y = b;
    if (x->count != y->count) return x->count > y->count ? -1 : 1;
    return by_pattern(a, b);
}

// Equal ones are counted in the first; returns how many are left.
static size_t merge_reasons(struct reason *reasons, size_t count)
{
    size_t n = 0;
    qsort(reasons, count, sizeof *reasons, by_pattern);
    for (size_t i = 0; i < count; i++) {
        const bool same = n && reasons[n - 1].outcome == reasons[i].outcome &&
                          strcmp(reasons[n - 1].pattern, reasons[i].pattern) == 0;
        if (same) {
            reasons[n - 1].count++;
            free(reasons[i].pattern);
        } else {
            reasons[n++] = reasons[i];
        }
    }
    qsort(reasons, n, sizeof *reasons, by_count);
    return n;
}

static size_t gather_reasons(struct hone_strbuf *out, struct reason *reasons,
                             const struct page_part *part)
{
    size_t n = 0;
    for (size_t i = 0; i < hone_recording_count(part->recording); i++) {
        const struct hone_trial *trial = hone_recording_trial(part->recording, i);
        if (trial->outcome == HONE_VALID) continue;
        char *pattern = pattern_of(trial->reason);
        if (!pattern) {
            out->failed = true;
            break;
        }
        reasons[n++] = (struct reason){trial->outcome, trial->reason, pattern, 1};
    }
    return merge_reasons(reasons, n);
}

static void add_reasons(struct hone_strbuf *out, const struct page_part *part)
{
    struct reason *reasons =
        calloc(hone_recording_count(part->recording) + 1, sizeof *reasons);
    if (!reasons) {
        out->failed = true;
        return;
    }
    const size_t n = gather_reasons(out, reasons, part);
    hone_strbuf_add(out,
                    "<div class=\"wide\"><table><caption>Outcomes and reasons; numbers "
                    "are those of one trial</caption><thead><tr>"
                    "<th scope=\"col\">trials<th scope=\"col\">outcome"
                    "<th scope=\"col\">reason<tbody>");
    for (size_t i = 0; i < n && i < REASONS_MOST; i++) {
        hone_strbuf_add(out, "<tr>");
        hone_page_cell(out, "%zu", reasons[i].count);
        hone_page_cell(out, "%s", hone_outcome_name(reasons[i].outcome));
        hone_strbuf_add(out, "<td class=\"reason\">");
        hone_markup_text(out, *reasons[i].text ? reasons[i].text : "not told");
    }
    hone_strbuf_add(out, "</table></div>\n");
    if (n > REASONS_MOST)
        hone_strbuf_printf(out, "<p class=\"note\">%zu more reasons are left out.</p>\n",
                           n - REASONS_MOST);
    for (size_t i = 0; i < n; i++)
        free(reasons[i].pattern);
    free(reasons);
}

struct cluster {
    size_t p, value, failed, count;
};

static int by_share(const void *a, const void *b)
{
    const struct cluster *x = a, *y = b;
    const double fx = (double)x->failed / (double)x->count;
    const double fy = (double)y->failed / (double)y->count;
    if (fx != fy) return fx > fy ? -1 : 1;
    if (x->failed != y->failed) return x->failed > y->failed ? -1 : 1;
    return x->p != y->p ? x->p > y->p ? 1 : -1
                        : (x->value > y->value) - (x->value < y->value);
}

// Values at which at least LEAST trials failed, and twice as often as overall or always.
static size_t find_clusters(struct hone_strbuf *out, struct cluster *clusters,
                            const struct page_part *part)
{
    const size_t all = hone_recording_count(part->recording);
    const double overall =
        (double)(all - part->standings.outcomes[HONE_VALID]) / (double)all;
    size_t n = 0;
    for (size_t p = 0; p < part->params; p++) {
        struct hone_value_figures *figures;
        const size_t values = hone_space_param(part->space, p)->count;
        if (values < 2) continue;
        if (hone_by_value(&figures, part->recording, p, NULL) != HONE_OK) {
            out->failed = true;
            return 0;
        }
        for (size_t v = 0; v < values; v++) {
            const size_t failed = figures[v].failed, count = failed + figures[v].valid;
            const double share = count ? (double)failed / (double)count : 0;
            if (failed >= LEAST && (share >= 2 * overall || !figures[v].valid))
                clusters[n++] = (struct cluster){p, v, failed, count};
        }
        free(figures);
    }
    qsort(clusters, n, sizeof *clusters, by_share);
    return n;
}

static void add_clusters(struct hone_strbuf *out, const struct page_part *part)
{
    size_t values = 0;
    for (size_t p = 0; p < part->params; p++)
        values += hone_space_param(part->space, p)->count;
    struct cluster *clusters = calloc(values + 1, sizeof *clusters);
    if (!clusters) {
        out->failed = true;
        return;
    }
    const size_t n = find_clusters(out, clusters, part);
    if (n)
        hone_strbuf_add(out, "<p>They cluster at:</p>\n<ul>");
    else
        hone_strbuf_add(out, "<p>They cluster at no value of a single parameter.</p>\n");
    for (size_t i = 0; i < n && i < VALUES_MOST; i++) {
        const struct hone_param *param = hone_space_param(part->space, clusters[i].p);
        hone_strbuf_add(out, "<li>");
        hone_markup_text(out, param->name);
        hone_strbuf_add(out, "=");
        hone_markup_value(out, param->values[clusters[i].value]);
        hone_strbuf_printf(out, ": %zu of %zu", clusters[i].failed, clusters[i].count);
    }
    if (n) hone_strbuf_add(out, "</ul>\n");
    if (n > VALUES_MOST)
        hone_strbuf_printf(out, "<p class=\"note\">%zu more values are left out.</p>\n",
                           n - VALUES_MOST);
    free(clusters);
}

void hone_page_failures(struct hone_strbuf *out, struct page_part *part)
{
    const size_t all = hone_recording_count(part->recording);
    const size_t failed = all - part->standings.outcomes[HONE_VALID];
    hone_page_heading(out, part, "failures", "Not valid");
    if (failed) {
        hone_strbuf_printf(out, "<p>%zu of %zu trials are not valid.</p>\n", failed, all);
        add_reasons(out, part);
        // Where all failed, every value always did, which tells nothing.
        if (failed < all) add_clusters(out, part);
    } else {
        hone_strbuf_printf(out, "<p>All %zu trials are valid.</p>\n", all);
    }
    hone_strbuf_add(out, "</section>\n");
}
