/* One worker as the tuner sees it: its process, what it last said, and until when it has
 * to say something. What a message or an end means for the jobs is the pool's matter. */
#ifndef HONE_POOL_MEMBER_H
#define HONE_POOL_MEMBER_H

#include <pthread.h>

#include "base/subprocess.h"
#include "hone/pool.h"
#include "pool_message.h"

enum hone_member_phase {
    HONE_MEMBER_OFF,        /* no process; to be started at restart_at */
    HONE_MEMBER_STARTING,   /* until HELLO */
    HONE_MEMBER_KNOWN,      /* has no setup yet */
    HONE_MEMBER_SETTING_UP, /* until READY */
    HONE_MEMBER_IDLE,
    HONE_MEMBER_BUILDING, /* its first job */
    HONE_MEMBER_MEASURING,
    HONE_MEMBER_CONTEST,
    HONE_MEMBER_CONFIRM,
    HONE_MEMBER_GONE /* given up */
};

struct hone_member {
    char **argv;   /* owned */
    char name[64]; /* "cuda:0", "ssh node7 hone worker": for messages */
    bool local;
    pthread_mutex_t *writing;        /* the pool's: guards program and listens */
    struct hone_subprocess *program; /* NULL when off or gone */
    bool listens; /* it has spoken, and nothing that it was sent was cut short */
    enum hone_member_phase phase;
    double entered;        /* the phase, by hone_clock_seconds */
    double deadline;       /* of the phase; INFINITY for none */
    double allowed_s;      /* what that is, for messages */
    double heard;          /* when it last said anything */
    bool stirred;          /* this process has sent a byte */
    bool spoke;            /* and a frame */
    size_t greeting_bytes; /* what it printed ahead of its first frame */
    char greeting[64];     /* and how that begins */
    double restart_at;
    double off_since;       /* 0: has not ended yet */
    double waits_since;     /* to be ready: since its first start, or since one that was
                               ready ended; 0: it is */
    double tell_at;         /* when people are told that it still waits */
    unsigned failed_starts; /* in a row */
    bool known;             /* hello is what it said when it was first started */
    struct hone_hello hello;
    const struct hone_trial_place *place; /* of its trials, in the pool's arena */
    struct hone_ready ready;
    size_t counted;                  /* jobs that the pool has room for on its account */
    struct hone_error failure;       /* its own word for why it ended */
    char last_line[HONE_REASON_MAX]; /* of its log */
    bool innocent;                   /* by its own word nothing that it did ended it */
    uint64_t built; /* the job that waits for its turn behind a contest; 0: none */
    int gpu_lock;   /* -1: none */
};

enum hone_status hone_member_init(struct hone_member *member,
                                  const struct hone_worker_command *command,
                                  struct hone_error *err);
void hone_member_fini(struct hone_member *member);

enum hone_status hone_member_start(struct hone_member *member, struct hone_error *err);

/* Enter a phase that may take so many seconds (INFINITY: any time). */
void hone_member_enter(struct hone_member *member, enum hone_member_phase phase,
                       double allowed_s);

enum hone_status hone_member_send(struct hone_member *member,
                                  const struct hone_message *message,
                                  struct hone_error *err);
enum hone_status hone_member_send_bytes(struct hone_member *member, const void *data,
                                        size_t size, struct hone_error *err);

/* The next message that has come; *got is false while none has. Log lines go to the log
 * and are not returned; what shells and schedulers print ahead of the first one is passed
 * over. EIO when its output is closed, EINPUT for what no message is. */
enum hone_status hone_member_receive(struct hone_member *member,
                                     struct hone_message *message, bool *got,
                                     struct hone_error *err);

/* Take its process away: the member is off. */
struct hone_subprocess *hone_member_take(struct hone_member *member);

/* How its process, which was taken, ended, with its last words. NULL: it goes on. */
void hone_member_describe_end(const struct hone_member *member,
                              const struct hone_exit *ended, char *how, size_t size);

/* In a queue, as far as anyone can tell: its command runs and has not said a word. */
bool hone_member_is_queued(const struct hone_member *member);

/* Ready for jobs. */
bool hone_member_works(const struct hone_member *member);

#endif
