/* What a campaign file says: many kernels and problems, to be tuned on several devices.
 * Its words are those of docs/campaign.md; hone_script_campaign reads it. */
#ifndef HONE_CAMPAIGN_H
#define HONE_CAMPAIGN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hone_script;

/* Who starts the runs of a device. */
#define HONE_ENGINE_LIST(X)                                                              \
    X(LOCAL, "local") /* processes of this machine */                                    \
    X(SLURM, "slurm") /* arrays of batch jobs */                                         \
    X(PRINT, "print") /* whoever reads the list of commands */

enum hone_engine {
#define HONE_ENGINE_ENUM(name, text) HONE_ENGINE_##name,
    HONE_ENGINE_LIST(HONE_ENGINE_ENUM)
#undef HONE_ENGINE_ENUM
        HONE_ENGINE_COUNT
};

struct hone_campaign_kernel {
    const char *script; /* a file, from the campaign's folder, or an installed kernel */
    const char *name;   /* what tells its results from others of the script; or NULL */
    const char *const *set; /* "TYPE=bf16" */
    size_t set_count;
    const char *problems_file;   /* or NULL */
    const char *const *problems; /* lines as in such a file */
    size_t problem_count;        /* 0 and no file: those of the script */
    const char *budget;          /* NULL: the campaign's */
    const char *const *options;  /* more words for `hone tune` */
    const int *option_lines;     /* where each stands; of a computed one its list */
    size_t option_count;
    const size_t *devices; /* numbers of the campaign's */
    size_t device_count;
    int line, problems_line;
};

struct hone_campaign_device {
    const char *label;      /* what it is called: the name, else the first id */
    const char *name;       /* the GPU has to have it; NULL: whatever is there */
    const char *const *ids; /* as `hone tune --device` takes them; one or more */
    size_t id_count;
    enum hone_engine via;
    size_t at_once; /* runs; 0: one locally, no limit in Slurm */
    const char *partition, *gres, *constraint, *time, *account; /* of sbatch, or NULL */
    const char *const *sbatch;                                  /* more words for it */
    size_t sbatch_count;
    int line;
};

struct hone_campaign_def {
    const struct hone_campaign_kernel *kernels;
    size_t kernel_count;
    const struct hone_campaign_device *devices;
    size_t device_count;
    const char *budget, *strategy; /* strategy: NULL for the usual one */
    uint64_t seed;
    size_t votes;               /* tunings of each problem, by seeds that count up */
    size_t tries;               /* of a run that fails */
    size_t most_problems;       /* of each kernel; 0: all */
    bool warm;                  /* a run begins with what the one before it found */
    const char *output, *state; /* folders; NULL: results, and one beside the file */
    const char *const *options;
    const int *option_lines;
    size_t option_count;
    int line, budget_line;
};

/* What a script of the kind HONE_SCRIPT_CAMPAIGN says; borrowed from it. */
const struct hone_campaign_def *hone_script_campaign(const struct hone_script *script);

#endif
