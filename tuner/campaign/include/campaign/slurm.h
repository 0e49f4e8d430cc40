/* Slurm: runs as elements of job arrays. Only sbatch, squeue and scancel are asked, so
 * that it works where accounting is off. What a run did is known from its folder. */
#ifndef HONE_CAMPAIGN_SLURM_H
#define HONE_CAMPAIGN_SLURM_H

#include "campaign/state.h"

enum { HONE_SLURM_JOB = 64 }; /* bytes of a job's name with its NUL */

/* Whether text is what Slurm calls a job: "12", "12_3" of an array. Nothing else is
 * handed to its programs, which would take "-u root" for an option. */
bool hone_slurm_is_job(const char *text);

/* Jobs of this user that wait or run, "12_3" of an element; begins as zeros. */
struct hone_slurm_queue {
    char **items; /* rising */
    size_t count, cap;
};
/* EUNSUPPORTED where squeue is missing or fails. */
enum hone_status hone_slurm_queue_read(struct hone_slurm_queue *out,
                                       struct hone_error *err);
bool hone_slurm_has(const struct hone_slurm_queue *queue, const char *job);
void hone_slurm_queue_fini(struct hone_slurm_queue *queue);

struct hone_slurm_submitted {
    size_t arrays, runs, queued; /* queued: those that are in the queue already */
    size_t failed;               /* chosen runs that are not tried again */
};

/* Hand the chosen runs of Slurm's devices that are open to sbatch, an array a device; of
 * runs that begin with what others find, an array a step, each behind the one before. A
 * submission holds a lock of the campaign, so two at once do not submit twice. program is
 * hone. EUSAGE while another process submits; EUNSUPPORTED without sbatch. */
enum hone_status hone_slurm_submit(struct hone_slurm_submitted *out,
                                   const struct hone_campaign *campaign,
                                   const bool *chosen, size_t at_once,
                                   const char *program, struct hone_error *err);

/* Take jobs out of the queue; those that run end by themselves once they are cancelled.
 * What cannot be reached is logged: a run that is cancelled is left alone anyway. */
void hone_slurm_cancel(const char *const *jobs, size_t count);

#endif
