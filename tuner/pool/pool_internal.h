/* The inside of a pool, shared by its files: the members and what they do for jobs. */
#ifndef HONE_POOL_INTERNAL_H
#define HONE_POOL_INTERNAL_H

#include <pthread.h>

#include "member.h"

/* A configuration on its way. Its frame is kept until the trial is there: a worker that
 * ends takes none of its jobs with it. */
struct hone_pool_job {
    uint64_t id;
    struct hone_trial trial;
    struct hone_strbuf frame;
    struct hone_member *member; /* NULL: not given to anyone yet */
    uint64_t sent;              /* in which place, to whomever; 0: not now */
    bool done;
    bool suspect;     /* a worker ended while it had this one */
    unsigned deaths;  /* workers that ended over it */
    unsigned returns; /* and through no fault of its own */
};

/* What one member does for all configurations that it is about: a contest, while its jobs
 * are built, or comparing results at the tuned size, while none has a job. */
struct hone_pool_task {
    enum hone_member_phase phase; /* while a member has it: CONTEST or CONFIRM */
    struct hone_strbuf frame;
    double allowed_s;           /* beside the builds */
    struct hone_member *member; /* NULL: nobody has it */
    bool done;
    unsigned deaths, returns;         /* as of a job */
    size_t count;                     /* of costs, or of the result's verdicts */
    double *costs;                    /* of a contest */
    struct hone_tuned_result *result; /* of a comparison */
};

/* What the end of a member's process says of what it was at: that this may be the reason;
 * that it was not done at its deadline; nothing. */
enum hone_pool_loss { HONE_LOSS_OWN, HONE_LOSS_LATE, HONE_LOSS_INNOCENT };

/* A process of a member that was, on its way to its end. */
struct hone_pool_leaver {
    struct hone_subprocess *program;
    char name[64];
};

struct hone_pool {
    struct hone_member *members;
    struct hone_subprocess **programs; /* of the members, for waiting */
    size_t count;
    bool gathered; /* the opening is over */
    const char *like_name;
    struct hone_hello like;  /* what the first that was known said of its device */
    struct hone_ready ready; /* and the first that was ready of itself */
    struct hone_pool_leaver *leavers;
    size_t leaver_count, leaver_room;
    pthread_mutex_t writing; /* to members: this thread, and that of the signs of life */
    pthread_t pulse;
    int pulse_end[2]; /* written to end that thread */
    bool has_pulse;
    struct hone_pool_deadlines deadlines;
    bool unlocked;
    bool no_wait;
    const volatile sig_atomic_t *cancel; /* NULL: nobody can */
    struct hone_pool_counts counts;
    struct hone_error broken; /* why a member was given up; the latest */
    struct hone_error fatal;  /* what ends the run, whoever is left */
    bool reference_wrong;     /* at the tuned size: it is that */

    struct hone_evaluator *evaluator; /* NULL until there is one */
    struct hone_plan plan;
    struct hone_pool_job *jobs; /* in the order of submission */
    size_t capacity, job_count;
    uint64_t last_id, last_sent;
    size_t seen; /* configurations that were launched */
    double slowest_build_s, slowest_measure_s;
    size_t crashes_in_a_row;
    struct hone_pool_task *task;          /* NULL while there is none */
    char no_reference[HONE_COMPARED_MAX]; /* why one at the tuned size gave nothing */

    struct hone_arena arena; /* of the names of metrics */
    const char **metric_names;
    size_t metric_name_count, metric_name_cap;
};

/* --- pool.c: members --- */

/* Whether anyone but this member has not been given up. */
bool hone_pool_has_others(const struct hone_pool *pool, const struct hone_member *member);

/* Whether nobody is there: all who are left are elsewhere, and wait in a queue or for
 * their next start. One of this machine is there until it is given up, also between its
 * end and its restart. */
bool hone_pool_is_deserted(const struct hone_pool *pool);

/* Send the plan to a member that is known. */
enum hone_status hone_pool_send_setup(struct hone_pool *pool, struct hone_member *member,
                                      struct hone_error *err);

/* Let time pass: start who is due, wait for messages until something may be done, take
 * them, and look at the deadlines. */
enum hone_status hone_pool_step(struct hone_pool *pool, struct hone_error *err);

/* --- pool_open.c --- */

/* Send the plan to all members that are known and wait until those that will be ready
 * soon are: at least one. */
enum hone_status hone_pool_set_up(struct hone_pool *pool, struct hone_error *err);

/* OK where a member's device is of the kind of the first one's, and of nobody else. */
enum hone_status hone_pool_check_alike(const struct hone_pool *pool,
                                       const struct hone_member *member,
                                       struct hone_error *err);

/* --- pool_ends.c --- */

/* End the member's process and settle what that means. why: NULL when it ended by itself,
 * which may turn out INNOCENT; else OWN or LATE. */
void hone_pool_end_member(struct hone_pool *pool, struct hone_member *member,
                          const char *why, enum hone_pool_loss loss);

/* End it for good: it is no worker of this run, and why says so. */
void hone_pool_refuse(struct hone_pool *pool, struct hone_member *member,
                      const struct hone_error *why);

/* A start that failed before there was a process. */
void hone_pool_start_failed(struct hone_pool *pool, struct hone_member *member,
                            const struct hone_error *why);

/* Take the steps that are due of those who leave. */
void hone_pool_see_off(struct hone_pool *pool);

/* When the next one is; infinity where nobody leaves. */
double hone_pool_leavers_due(const struct hone_pool *pool);

/* --- pool_pulse.c: signs of life for workers elsewhere --- */

enum hone_status hone_pool_pulse_start(struct hone_pool *pool, struct hone_error *err);
void hone_pool_pulse_stop(struct hone_pool *pool);

/* --- pool_jobs.c: what a member's words and its end mean for the jobs --- */

/* What one launch may take now. */
double hone_pool_launch_deadline(const struct hone_pool *pool);

/* Give waiting jobs to members with room, and the task to one that is idle. */
void hone_pool_dispatch(struct hone_pool *pool);

/* BUILT, TRIAL. A status is the run's end. */
enum hone_status hone_pool_built(struct hone_pool *pool, struct hone_member *member,
                                 uint64_t id, struct hone_error *err);
enum hone_status hone_pool_finished(struct hone_pool *pool, struct hone_member *member,
                                    const struct hone_message *message,
                                    struct hone_error *err);

/* SAMPLES, CONFIRMED. */
enum hone_status hone_pool_contested(struct hone_pool *pool, struct hone_member *member,
                                     const struct hone_message *message,
                                     struct hone_error *err);
enum hone_status hone_pool_confirmed(struct hone_pool *pool, struct hone_member *member,
                                     const struct hone_message *message,
                                     struct hone_error *err);

/* The member's process is no more; how is said of it. */
void hone_pool_member_lost(struct hone_pool *pool, struct hone_member *member,
                           enum hone_pool_loss loss, const char *how);

/* --- pool_evaluator.c, pool_confirm.c --- */

struct hone_pool_evaluator { /* of an evaluator, its priv */
    struct hone_pool *pool;
};

/* Wait until a member has done the task, or two have ended over it: then it is not done.
 */
enum hone_status hone_pool_hold(struct hone_pool *pool, struct hone_pool_task *task,
                                struct hone_error *err);

/* hone_evaluator_fns.confirm. */
enum hone_status hone_pool_confirm(struct hone_evaluator *evaluator,
                                   struct hone_confirmation *confirmation,
                                   struct hone_error *err);

/* The member waits for its next job, or takes the first that it has. */
void hone_pool_next(struct hone_pool *pool, struct hone_member *member);

#endif
