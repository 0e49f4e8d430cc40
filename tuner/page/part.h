/* One recording on the page, with the figures that its sections show; and these
 * sections, in the order of the page. When memory runs out out->failed is set. */
#ifndef HONE_PAGE_PART_H
#define HONE_PAGE_PART_H

#include "hone/trial.h"
#include "insight/convergence.h"
#include "insight/importance.h"
#include "insight/places.h"
#include "insight/work.h"
#include "report/standings.h"
#include "svg.h"

struct page_part {
    size_t number; /* on the page, from 1 */
    const struct hone_recording *recording;
    const struct hone_record_info *info;
    const struct hone_space *space;
    size_t params;
    struct hone_standings standings;
    struct hone_importance importance;
    struct hone_convergence progress;
    struct hone_places places;
    const struct hone_trial *winner; /* NULL: nothing is valid */
    const struct hone_trial *base;   /* the default, where it is a trial; or NULL */
    struct hone_work winner_work, base_work; /* NANs where there is none */
    const char *cost;                        /* "time (us)": what is minimised */
    uint16_t *row;                           /* [params] scratch */
};

/* How what the page shows is known. */
enum page_source { PAGE_MEASURED, PAGE_PREDICTED, PAGE_IMPORTED };
enum page_source hone_page_source(const struct page_part *part);

/* ENOMEM; fini also then. */
enum hone_status hone_page_part_make(struct page_part *part,
                                     const struct hone_recording *recording,
                                     size_t number, struct hone_error *err);
void hone_page_part_fini(struct page_part *part);

/* The value numbers of a trial, until the next call. */
const uint16_t *hone_page_row(struct page_part *part, const struct hone_trial *trial);

/* "12.35", of a cost. */
void hone_page_cost(struct hone_strbuf *out, double cost);

/* A section's heading: <section><h3>. It is ended by </section>. */
void hone_page_heading(struct hone_strbuf *out, const struct page_part *part,
                       const char *id, const char *title);

/* The table behind a plot: its headings, up to a NULL, then rows that begin with <tr> and
 * have their cells in turn. */
void hone_page_table(struct hone_strbuf *out, const char *summary,
                     const char *const *headings);
void hone_page_table_end(struct hone_strbuf *out);
void hone_page_cell(struct hone_strbuf *out, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Every so many-th point is drawn. */
size_t hone_page_stride(size_t points);
/* "3,000 of 17,956 points are drawn." where that is so. */
void hone_page_thinned(struct hone_strbuf *out, size_t points);

void hone_page_verdict(struct hone_strbuf *out, struct page_part *part);
void hone_page_progress(struct hone_strbuf *out, struct page_part *part);
void hone_page_spread(struct hone_strbuf *out, struct page_part *part);
void hone_page_strips(struct hone_strbuf *out, struct page_part *part);
void hone_page_shares(struct hone_strbuf *out, struct page_part *part);
void hone_page_pairs(struct hone_strbuf *out, struct page_part *part);
void hone_page_failures(struct hone_strbuf *out, struct page_part *part);
void hone_page_finals(struct hone_strbuf *out, struct page_part *part);
void hone_page_roofline(struct hone_strbuf *out, struct page_part *part);
void hone_page_counters(struct hone_strbuf *out, struct page_part *part);
void hone_page_machine(struct hone_strbuf *out, struct page_part *part);
void hone_page_places(struct hone_strbuf *out, struct page_part *part);
void hone_page_resources(struct hone_strbuf *out, struct page_part *part);
void hone_page_trials(struct hone_strbuf *out, struct page_part *part);

#endif
