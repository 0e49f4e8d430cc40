/* The first line of a journal: who tuned what, where and how. */
#ifndef HONE_TUNING_PROVENANCE_H
#define HONE_TUNING_PROVENANCE_H

#include "base/arena.h"
#include "hone/evaluate.h"
#include "hone/record.h"
#include "tuning/workbench.h"

/* What measures, here or in a worker; borrowed texts. */
struct hone_facts {
    const struct hone_limits *limits;
    const char *device_id, *driver, *nvrtc;
    enum hone_clock clock;
    const char *clock_note;
    bool counts_energy;
};

/* Those of a bench whose device and builder are open. */
struct hone_facts hone_facts_of(const struct hone_workbench *bench);

/* Fill info from a bench with a kernel; it borrows from bench, facts and arena. */
enum hone_status hone_provenance(struct hone_record_info *info, struct hone_arena *arena,
                                 const struct hone_workbench *bench,
                                 const struct hone_facts *facts,
                                 const struct hone_evaluate_options *options,
                                 struct hone_error *err);

#endif
