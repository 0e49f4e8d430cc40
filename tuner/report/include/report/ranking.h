/* Strategies compared, as JSON and as a plot. */
#ifndef HONE_REPORT_RANKING_H
#define HONE_REPORT_RANKING_H

#include "hone/strbuf.h"
#include "score/ranking.h"

struct json_t;

struct json_t *hone_ranking_json(const struct hone_ranking *ranking);

/* Append a convergence plot as SVG. */
enum hone_status hone_ranking_svg(struct hone_strbuf *out,
                                  const struct hone_ranking *ranking,
                                  struct hone_error *err);

#endif
