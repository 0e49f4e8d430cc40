/* hone bench: what its printing takes. */
#ifndef HONE_CLI_BENCH_H
#define HONE_CLI_BENCH_H

#include "cli.h"
#include "score/ranking.h"

void bench_print_text(const struct hone_ranking *ranking);

#endif
