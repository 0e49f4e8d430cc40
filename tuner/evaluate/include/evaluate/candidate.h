/* One configuration on its way through the evaluator: its jobs for the tuned problem and
 * for each problem it is verified at, and their builds. */
#ifndef HONE_EVALUATE_CANDIDATE_H
#define HONE_EVALUATE_CANDIDATE_H

#include "base/hash.h"
#include "evaluate/module.h"
#include "evaluate/sizes.h"
#include "hone/build.h"
#include "hone/device.h"
#include "hone/kernel.h"
#include "hone/trial.h"

/* The configuration at one problem size. */
struct hone_variant {
    struct hone_job job;
    bool skipped; /* a drawn size that its constraints do not allow: there is no job */
    bool queued;  /* ticket is to be taken */
    uint64_t ticket;
    const struct hone_build *build; /* NULL until taken */
    bool shared; /* the build is the first variant's: problem sizes are not compiled in */
    struct hone_ptx_estimate estimate; /* of a build without machine code */
};

struct hone_candidate {
    /* Outcome VALID while nothing speaks against it. What it says is in the notes:
     * hone_candidate_trial puts the two together. */
    struct hone_trial trial;
    struct hone_trial_notes notes;
    struct hone_variant *variants; /* [0] is the tuned problem */
    size_t count;
    char key[HONE_HASH_TEXT]; /* by hone_candidate_key, once the builds are taken */
};

/* Its kernel, once the build is taken; not loaded yet. */
struct hone_loaded hone_variant_kernel(const struct hone_variant *variant);

/* Resolve the jobs and queue the builds. sizes is what it is verified at, besides the
 * tuned one. A job over a limit of all devices makes the trial rejected, and so do sizes
 * of which none suits it; one that the script's own formulas give no value, launch_failed
 * with the finding FORMULA. */
enum hone_status hone_candidate_init(struct hone_candidate *candidate,
                                     const struct hone_kernel *kernel, uint64_t index,
                                     const struct hone_sizes *sizes,
                                     struct hone_error *err);
enum hone_status hone_candidate_queue(struct hone_candidate *candidate,
                                      struct hone_builder *builder, const char *arch,
                                      struct hone_error *err);

/* Wait for the builds, prune, and fill resources and build time of the trial. Those of a
 * virtual architecture, which a device that can estimate may have been queued with, are
 * made again whole where only ptxas can judge them. */
enum hone_status hone_candidate_take(struct hone_candidate *candidate,
                                     struct hone_builder *builder,
                                     struct hone_device *device, struct hone_error *err);

/* The trial with what it says, good as long as the candidate stays where it is. */
struct hone_trial hone_candidate_trial(const struct hone_candidate *candidate);

/* What decides how it behaves: images, geometries, arguments and tolerances; on an
 * emulated device the opcodes of the PTX, too. Equal keys, equal figures. */
void hone_candidate_key(const struct hone_candidate *candidate, bool emulated,
                        char key[HONE_HASH_TEXT]);

/* Takes what is still queued, so that the builder keeps nothing for it. {0} is fine. */
void hone_candidate_fini(struct hone_candidate *candidate, struct hone_builder *builder);

#endif
