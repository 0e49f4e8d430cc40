/* Journals as one HTML file that needs no network: plots as SVG, a table behind each, and
 * a small script for sorting, filtering and tooltips. The page says what is measured,
 * predicted or imported. What journals say, names and reasons above all, was written by
 * others: all of it is escaped. */
#ifndef HONE_PAGE_PAGE_H
#define HONE_PAGE_PAGE_H

#include "hone/record.h"
#include "hone/strbuf.h"

/* Most points that a plot draws; of more, evenly chosen ones, which the page says. */
enum { HONE_PAGE_POINTS_MOST = 3000 };

/* Append the page of these recordings, count > 0, side by side; each is of one problem.
 * The same recordings give the same bytes. ENOMEM. */
enum hone_status hone_page_write(struct hone_strbuf *out,
                                 const struct hone_recording *const *recordings,
                                 size_t count, struct hone_error *err);

#endif
