/* hone bench: what its printing takes. */
#ifndef HONE_CLI_BENCH_H
#define HONE_CLI_BENCH_H

#include "cli.h"
#include "score/ranking.h"

void bench_print_text(const struct hone_ranking *ranking);
enum hone_status bench_print_json(const struct hone_ranking *ranking,
                                  struct hone_error *err);
enum hone_status bench_write_plot(const struct hone_ranking *ranking, const char *path,
                                  struct hone_error *err);

#endif
