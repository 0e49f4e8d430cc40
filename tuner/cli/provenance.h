/* The first line of a journal: who tuned what, where and how. */
#ifndef HONE_PROVENANCE_H
#define HONE_PROVENANCE_H

#include "arena.h"
#include "hone/evaluate.h"
#include "hone/record.h"
#include "workbench.h"

/* Fill info from an open bench; it borrows from the bench and from arena. */
enum hone_status cli_provenance(struct hone_record_info *info, struct hone_arena *arena,
                                const struct cli_workbench *bench,
                                const struct hone_evaluate_options *options,
                                struct hone_error *err);

#endif
